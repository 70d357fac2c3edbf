//! Restart after `kill -9`: how long until a queue manager with so much log to replay serves again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use mqi::{
    AttributeValue, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions,
    Selector,
};
use serde::Serialize;
use serde_json::json;

use crate::access::{Access, Channels, LOG_BYTES};
use crate::limit::{Limit, Marks, Steps};
use crate::machine::Machine;
use crate::progress::Bar;
use crate::report::{self, Column, Output, Row};
use crate::server_process::ServerProcess;

/// The workload to measure.
#[derive(Clone, Debug, Serialize)]
pub struct RestartWorkload {
    /// Bytes of log to fill.
    pub log_bytes: u64,
    /// Bytes of a message.
    pub message_bytes: usize,
    /// Repetitions, each with a new queue manager.
    pub repetitions: usize,
}

impl std::fmt::Display for RestartWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "kill -9 and restart with {} MiB of log to replay, persistent messages of {} B left on a queue, {} time(s)",
            self.log_bytes >> 20,
            self.message_bytes,
            self.repetitions
        )
    }
}

impl report::Workload for RestartWorkload {
    const BENCH: &'static str = "restart";
    const COLUMNS: &'static [Column] = &[
        Column::new("seconds", "kill to ready, s", 3),
        Column::new("replayed_mib", "replayed MiB", 0),
        Column::new("mib_per_second", "MiB/s", 0),
        Column::new("messages", "messages", 0),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }

    fn targets(&self) -> Vec<(&'static str, Limit)> {
        let marks = Marks::Steps(Steps { accept: 3.0, target: 2.0, stretch: 1.0 });
        let is_judged = self.log_bytes >= 1 << 30;
        is_judged.then_some(("seconds", Limit::AtMost(marks))).into_iter().collect()
    }
}

/// Messages of one unit of work.
const BATCH: u64 = 500;

/// Runs the workload by the program `ferry` and prints what it finds.
///
/// # Errors
/// When a call fails, or after the restart a message is missing.
pub fn run(ferry: &Path, workload: &RestartWorkload, output: &Output, interrupt: &AtomicBool) -> Result<()> {
    let machine = Machine::measured(&std::env::temp_dir())?;
    report::repeat(output, workload, &machine, interrupt, || {
        let mut server = ServerProcess::start(ferry, &std::env::temp_dir(), &settings(workload.log_bytes))?;
        let access: Arc<dyn Access> = Arc::new(Channels::local(&server)?);
        let filled = fill(&access, workload, interrupt)?;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        drop(access);
        server.kill()?;
        let to_replay = server.log_to_replay()?;
        check_replayed(to_replay, workload.log_bytes)?;
        server.restart()?;
        let access: Arc<dyn Access> = Arc::new(Channels::local(&server)?);
        let found = depth(&access)?;
        ensure!(
            found == filled.messages,
            "{} messages were committed and {found} are there after the restart: nothing is reported",
            filled.messages
        );
        let (seconds, replayed_mib) =
            (server.started_in.as_secs_f64(), to_replay as f64 / f64::from(1 << 20));
        let values = [seconds, replayed_mib, replayed_mib / seconds, filled.messages as f64];
        let more = json!({"accounted": found, "log_bytes_written": filled.log_bytes, "log_bytes_replayed": to_replay});
        Ok(Some(Row { values: values.map(Some).to_vec(), more }))
    })
}

/// Refuses a restart that had less to do than was asked for.
fn check_replayed(replayed: u64, asked: u64) -> Result<()> {
    ensure!(
        replayed >= asked,
        "{replayed} bytes of log were replayed where {asked} had to be, since a checkpoint was taken: nothing is reported"
    );
    Ok(())
}

const EXTENT_BYTES: u64 = 64 << 20;

/// A checkpoint is due when a quarter of the primary extents is filled.
const CHECKPOINTS: u64 = 4;

/// Extents that the last unit of work and the head of the log take beyond what is asked for, and room to
/// spare.
const EXTENTS_BESIDE: u64 = 2;

/// So many that no checkpoint is due before all is filled, which would make the restart's work shorter.
fn primary_extents(log_bytes: u64) -> u64 {
    CHECKPOINTS * (log_bytes.div_ceil(EXTENT_BYTES) + EXTENTS_BESIDE)
}

fn settings(log_bytes: u64) -> String {
    format!(
        "[log]\nextent_size = \"{} MiB\"\nprimary_extents = {}\nsecondary_extents = 8\n\
         [checkpoint]\ninterval_seconds = 86400\n\
         [listener]\naddresses = [\"127.0.0.1:0\"]\n",
        EXTENT_BYTES >> 20,
        primary_extents(log_bytes)
    )
}

const QUEUE: &str = "BENCH.RESTART";

struct Filled {
    messages: u64,
    log_bytes: u64,
}

fn fill(access: &Arc<dyn Access>, workload: &RestartWorkload, interrupt: &AtomicBool) -> Result<Filled> {
    access.command(&format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999)"))?;
    let log_bytes = || access.counters().get(LOG_BYTES).copied();
    let before = log_bytes().context("the queue manager does not tell how much it logs")?;
    let mut verbs = access.connect("ferry bench restart")?;
    let handle = verbs.open(&ObjectDescriptor::queue(QUEUE.parse()?), OpenOptions::OUTPUT)?.handle;
    let body = Bytes::from(vec![0x5A; workload.message_bytes]);
    let mut filled = Filled { messages: 0, log_bytes: 0 };
    let bar = Bar::of(workload.log_bytes >> 20, "MiB of log filled");
    while filled.log_bytes < workload.log_bytes && !interrupt.load(Ordering::Relaxed) {
        for _ in 0..BATCH {
            let mut descriptor =
                MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
            let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE);
            verbs.put(handle, &mut descriptor, &mut options, body.clone()).context("cannot fill the log")?;
        }
        verbs.commit().context("cannot fill the log")?;
        filled.messages += BATCH;
        filled.log_bytes = log_bytes().unwrap_or(before) - before;
        bar.done(filled.log_bytes >> 20);
    }
    Ok(filled)
}

fn depth(access: &Arc<dyn Access>) -> Result<u64> {
    let mut verbs = access.connect("ferry bench restart")?;
    let handle = verbs.open(&ObjectDescriptor::queue(QUEUE.parse()?), OpenOptions::INQUIRE)?.handle;
    let inquired = verbs.inquire(handle, &[Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH)])?;
    match inquired.values[..] {
        [AttributeValue::Integer(depth)] => Ok(u64::try_from(depth)?),
        _ => anyhow::bail!("the depth of {QUEUE} cannot be told"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_checkpoint_is_due_before_the_log_is_filled() {
        for log_bytes in [4 << 20, 128 << 20, 1 << 30, 3_u64 << 30] {
            let due_at = primary_extents(log_bytes) * EXTENT_BYTES / CHECKPOINTS;
            assert!(due_at > log_bytes, "due at {due_at} of {log_bytes}");
        }
    }

    #[test]
    fn a_restart_that_replayed_less_than_asked_is_refused() {
        check_replayed(1 << 30, 1 << 30).expect("all of it");
        let said = check_replayed(700 << 20, 1 << 30).expect_err("too little").to_string();
        assert!(said.contains("734003200 bytes of log were replayed where 1073741824"), "{said}");
    }
}
