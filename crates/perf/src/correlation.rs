//! Get by correlation identifier: what it costs on an empty queue and behind many messages.
//!
//! Both depths are measured in turn, so that what drifts on the machine drifts in both.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use mqi::{
    CloseOptions, CorrelationId, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    ObjectName, OpenOptions, Persistence, PutFlags, PutOptions, Verbs, Wait,
};
use serde::Serialize;
use serde_json::json;

use crate::access::{self, Access};
use crate::latency::Latencies;
use crate::limit::{Limit, Marks, Steps};
use crate::machine::Machine;
use crate::queue;
use crate::report::{self, Column, Output, Row};

/// The workload to measure.
#[derive(Clone, Debug, Serialize)]
pub struct CorrelationWorkload {
    /// Messages that lie on the deep queue.
    pub depth: u64,
    /// Bytes of a message.
    pub bytes: usize,
    /// Gets measured at each depth in one repetition.
    pub gets: u64,
    /// Repetitions.
    pub repetitions: usize,
    /// The way to the queue manager.
    pub access: String,
}

impl std::fmt::Display for CorrelationWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "get by correlation identifier at depth 0 and {}, non-persistent, {} B, {}, {} x {} gets each",
            self.depth, self.bytes, self.access, self.repetitions, self.gets
        )
    }
}

impl report::Workload for CorrelationWorkload {
    const BENCH: &'static str = "corrid";
    const COLUMNS: &'static [Column] = &[
        Column::new("empty_p50_us", "depth 0: p50 µs", 2),
        Column::new("empty_mean_us", "mean µs", 2),
        Column::new("empty_p99_us", " p99 µs", 2),
        Column::new("deep_p50_us", "depth N: p50 µs", 2),
        Column::new("deep_mean_us", "mean µs", 2),
        Column::new("deep_p99_us", " p99 µs", 2),
        Column::new("ratio", "p50 ratio", 3),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }

    fn targets(&self) -> Vec<(&'static str, Limit)> {
        let marks = Marks::Steps(Steps { accept: 2.0, target: 1.0, stretch: 0.6 });
        let is_judged =
            self.depth >= 1_000_000 && self.bytes == TARGET_BYTES && self.access == access::IN_THIS_PROCESS;
        is_judged.then_some(("deep_p50_us", Limit::AtMost(marks))).into_iter().collect()
    }
}

/// Bytes of the messages that the targets are set for; a get of less copies less.
const TARGET_BYTES: usize = 2048;

/// Gets of one depth before it is the other's turn.
const GETS_PER_TURN: u64 = 100;

/// Runs the workload and prints what it finds.
///
/// # Errors
/// When a call fails, or a message is missing at the end.
pub fn run(
    access: &Arc<dyn Access>,
    workload: &CorrelationWorkload,
    machine: &Machine,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    let define = |name: &str| queue::define(access, queue::name(name)?);
    // Before the connection, which closes them before they are removed.
    let (for_empty, for_deep) = (define("CORRID.EMPTY")?, define("CORRID.DEEP")?);
    let mut verbs = access.connect("ferry bench corrid")?;
    let mut empty = Queue::open(&mut *verbs, for_empty.name)?;
    let mut deep = Queue::open(&mut *verbs, for_deep.name)?;
    deep.lying = queue::fill(&mut *verbs, workload.depth, interrupt, |verbs, flags| {
        deep.put(verbs, flags, workload.bytes).map(drop)
    })?;
    report::repeat(output, workload, machine, interrupt, || {
        let (mut at_empty, mut at_deep) = (Latencies::default(), Latencies::default());
        while at_deep.count() < workload.gets && !interrupt.load(Ordering::Relaxed) {
            for _ in 0..GETS_PER_TURN {
                at_empty.record(empty.put_and_get(&mut *verbs, workload.bytes)?);
            }
            for _ in 0..GETS_PER_TURN {
                at_deep.record(deep.put_and_get(&mut *verbs, workload.bytes)?);
            }
        }
        let (Some(low), Some(high)) = (at_empty.summary(), at_deep.summary()) else { return Ok(None) };
        let values = [low.p50, low.mean, low.p99, high.p50, high.mean, high.p99, high.p50 / low.p50]
            .map(Some)
            .to_vec();
        Ok(Some(Row { values, more: json!({"gets": at_deep.count(), "depth": deep.lying}) }))
    })?;
    for (used, defined) in [(empty, for_empty), (deep, for_deep)] {
        verbs.close(used.handle, CloseOptions::EMPTY)?;
        defined.account_and_remove(&mut *verbs, used.lying)?;
    }
    Ok(verbs.disconnect()?)
}

struct Queue {
    handle: ObjectHandle,
    /// Messages that stay on it.
    lying: u64,
    sequence: u64,
}

impl Queue {
    fn open(verbs: &mut dyn Verbs, name: ObjectName) -> Result<Self> {
        let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT | OpenOptions::NO_READ_AHEAD;
        let handle = verbs.open(&ObjectDescriptor::queue(name), options)?.handle;
        Ok(Self { handle, lying: 0, sequence: 0 })
    }

    fn put(&mut self, verbs: &mut dyn Verbs, flags: PutFlags, length: usize) -> Result<CorrelationId> {
        self.sequence += 1;
        let correlation_id = identifier(self.sequence);
        let mut descriptor = MessageDescriptor {
            persistence: Persistence::NotPersistent,
            correlation_id,
            ..MessageDescriptor::default()
        };
        let body = Bytes::from(vec![0x5A; length]);
        verbs.put(self.handle, &mut descriptor, &mut PutOptions::with(flags), body)?;
        Ok(correlation_id)
    }

    /// Puts a message and gets it by its identifier; how long the get took.
    fn put_and_get(&mut self, verbs: &mut dyn Verbs, length: usize) -> Result<Duration> {
        let correlation_id = self.put(verbs, PutFlags::NO_SYNCPOINT, length)?;
        let mut descriptor = MessageDescriptor { correlation_id, ..MessageDescriptor::default() };
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let begun = Instant::now();
        let got = verbs.get(self.handle, &mut descriptor, &mut options, length);
        let time = begun.elapsed();
        let got = got.context("the message just put cannot be got by its correlation identifier")?;
        ensure!(
            descriptor.correlation_id == correlation_id && got.body.len() == length,
            "another message came: nothing is reported"
        );
        Ok(time)
    }
}

/// Identifiers as programs make them: different in the middle, alike at both ends.
fn identifier(sequence: u64) -> CorrelationId {
    let mut bytes = *b"FERRY BENCH ........ ID ";
    bytes[12..20].copy_from_slice(&sequence.to_be_bytes());
    CorrelationId::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Workload as _;

    #[test]
    fn targets_are_of_a_deep_queue_of_messages_of_2_kb_in_this_process() {
        let workload = |depth, bytes, access: &str| CorrelationWorkload {
            depth,
            bytes,
            gets: 1,
            repetitions: 1,
            access: access.to_owned(),
        };
        for (workload, targets) in [
            (workload(1_000_000, 2048, access::IN_THIS_PROCESS), 1),
            (workload(1_000_000, 64, access::IN_THIS_PROCESS), 0),
            (workload(1_000_000, 4096, access::IN_THIS_PROCESS), 0),
            (workload(1000, 2048, access::IN_THIS_PROCESS), 0),
            (workload(1_000_000, 2048, "tcp"), 0),
        ] {
            assert_eq!(workload.targets().len(), targets, "{workload}");
        }
    }
}
