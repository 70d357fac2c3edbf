//! Put and get pairs in this process: what the engine itself costs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence,
    PutFlags, PutOptions, Verbs, Wait,
};
use serde::Serialize;
use serde_json::json;

use crate::access::Access;
use crate::limit::{Limit, Marks, Steps};
use crate::machine::Machine;
use crate::processor;
use crate::report::{self, Column, Output, Row};

/// The workload to measure.
#[derive(Clone, Debug, Serialize)]
pub struct FastpathWorkload {
    /// Threads, each with its own connection and queue.
    pub threads: usize,
    /// Bytes of a message.
    pub bytes: usize,
    /// Messages are persistent.
    pub persistent: bool,
    /// Time of one repetition.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
}

impl std::fmt::Display for FastpathWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "put and get pairs in this process, {} x {} B, {} thread(s), {} x {:.0} s",
            report::kind_of_messages(self.persistent),
            self.bytes,
            self.threads,
            self.repetitions,
            self.measure.as_secs_f64()
        )
    }
}

impl report::Workload for FastpathWorkload {
    const BENCH: &'static str = "fastpath";
    const COLUMNS: &'static [Column] = &[
        Column::new("pairs_per_second", "   pairs/s", 0),
        Column::new("pairs_per_second_per_core", "per CPU second", 0),
        Column::new("cpu_us", "CPU µs each", 3),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }

    fn targets(&self) -> Vec<(&'static str, Limit)> {
        let marks = Marks::Steps(Steps { accept: 1e6, target: 2e6, stretch: 4e6 });
        let is_judged = !self.persistent && self.bytes == 2048;
        is_judged.then_some(("pairs_per_second_per_core", Limit::AtLeast(marks))).into_iter().collect()
    }
}

/// Pairs between two looks at the clock.
const PAIRS_PER_LOOK: u64 = 64;

/// Runs the workload and prints what it finds.
///
/// # Errors
/// When a call fails or a message is not the one that was put.
pub fn run(
    access: &Arc<dyn Access>,
    workload: &FastpathWorkload,
    machine: &Machine,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    ensure!(workload.bytes >= 8, "a message has at least 8 bytes");
    for number in 0..workload.threads {
        let name = queue_name(number);
        access.command(&format!("DEFINE QLOCAL({name}) REPLACE MAXDEPTH(999999)"))?;
    }
    report::repeat(output, workload, machine, interrupt, || {
        let pairs = Arc::new(AtomicU64::new(0));
        let end = Arc::new(AtomicBool::new(false));
        let ready = Arc::new(Barrier::new(workload.threads + 1));
        let threads: Vec<_> = (0..workload.threads)
            .map(|number| {
                let (access, workload) = (access.clone(), workload.clone());
                let (pairs, end, ready) = (pairs.clone(), end.clone(), ready.clone());
                thread::spawn(move || {
                    let verbs = access.connect("ferry bench fastpath");
                    ready.wait();
                    verbs.and_then(|mut verbs| pump(&mut *verbs, number, &workload, &pairs, &end))
                })
            })
            .collect();
        ready.wait();
        let (begun, processor_before) = (Instant::now(), processor::own());
        while begun.elapsed() < workload.measure && !interrupt.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10).min(workload.measure));
            if threads.iter().any(thread::JoinHandle::is_finished) {
                break;
            }
        }
        end.store(true, Ordering::Relaxed);
        for thread in threads {
            thread.join().expect("a client does not panic")?;
        }
        let (elapsed, used) =
            (begun.elapsed().as_secs_f64(), (processor::own() - processor_before).as_secs_f64());
        let pairs = pairs.load(Ordering::Relaxed) as f64;
        if pairs == 0.0 {
            return Ok(None);
        }
        let values = [pairs / elapsed, pairs / used, used * 1e6 / pairs].map(Some).to_vec();
        Ok(Some(Row { values, more: json!({"seconds": elapsed, "pairs": pairs}) }))
    })
}

fn queue_name(number: usize) -> String {
    format!("BENCH.FASTPATH.{number}")
}

/// Puts and gets in turn; every message must be the one just put.
fn pump(
    verbs: &mut dyn Verbs,
    number: usize,
    workload: &FastpathWorkload,
    pairs: &AtomicU64,
    end: &AtomicBool,
) -> Result<()> {
    let queue = ObjectDescriptor::queue(queue_name(number).parse()?);
    let opened = verbs.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED)?;
    let persistence = if workload.persistent { Persistence::Persistent } else { Persistence::NotPersistent };
    let mut sequence = 0_u64;
    while !end.load(Ordering::Relaxed) {
        for _ in 0..PAIRS_PER_LOOK {
            sequence += 1;
            let mut body = vec![0; workload.bytes];
            body[..8].copy_from_slice(&sequence.to_le_bytes());
            let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
            let mut put = PutOptions::with(PutFlags::NO_SYNCPOINT);
            verbs.put(opened.handle, &mut descriptor, &mut put, Bytes::from(body)).context("cannot put")?;
            let mut descriptor = MessageDescriptor::default();
            let mut get = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got =
                verbs.get(opened.handle, &mut descriptor, &mut get, workload.bytes).context("cannot get")?;
            ensure!(
                got.body.len() == workload.bytes && got.body[..8] == sequence.to_le_bytes(),
                "the message got is not the one put: nothing is reported"
            );
        }
        pairs.fetch_add(PAIRS_PER_LOOK, Ordering::Relaxed);
    }
    verbs.close(opened.handle, CloseOptions::EMPTY)?;
    Ok(verbs.disconnect()?)
}
