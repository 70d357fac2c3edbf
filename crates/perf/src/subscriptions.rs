//! Many topics with a subscription each: memory for each, the cost of publishing to one of them beside few
//! and beside many, and the time a queue manager with all of them takes to serve again after `kill -9`.
//!
//! Subscriptions are durable, every fourth of each kind: a plain topic, two kinds with wildcards of levels,
//! one with wildcards of characters. Their publications go to one queue. After the restart a publication to
//! each of some hundred topics must come, once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use mqi::{
    CloseOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags, PutOptions,
    SubscribeOptions, SubscriptionDescriptor, Verbs,
};
use serde::Serialize;
use serde_json::json;

use crate::access::{Access, Channels};
use crate::latency::Latencies;
use crate::limit::{Limit, Marks};
use crate::machine::Machine;
use crate::processor::{self, Used};
use crate::progress::Bar;
use crate::queue;
use crate::report::{self, Column, Output, Row};
use crate::server_process::ServerProcess;

/// The workload to measure.
#[derive(Clone, Debug, Serialize)]
pub struct SubscriptionsWorkload {
    /// Subscriptions, each with a topic of its own.
    pub subscriptions: u64,
    /// Time for measuring publications beside few and beside many.
    pub measure: Duration,
    /// Repetitions, each with a new queue manager.
    pub repetitions: usize,
}

/// Least number of subscriptions for judging figures: with fewer, a queue manager's own needs are not small
/// beside them.
const JUDGED_FROM: u64 = 100_000;

impl std::fmt::Display for SubscriptionsWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} topics with a durable subscription each, and kill -9, {} time(s)",
            self.subscriptions, self.repetitions
        )
    }
}

impl report::Workload for SubscriptionsWorkload {
    const BENCH: &'static str = "subscriptions";
    const COLUMNS: &'static [Column] = &[
        Column::new("bytes_each", "memory each, B", 0),
        Column::new("few_p50_us", "beside 10: p50 µs", 2),
        Column::new("few_cpu_us", "server CPU µs", 2),
        Column::new("many_p50_us", "beside all: p50 µs", 2),
        Column::new("many_cpu_us", "server CPU µs", 2),
        Column::new("cpu_ratio", "CPU ratio", 2),
        Column::new("restart_seconds", "kill to ready, s", 3),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }

    fn targets(&self) -> Vec<(&'static str, Limit)> {
        if self.subscriptions < JUDGED_FROM {
            return Vec::new();
        }
        let at_most = |most| Limit::AtMost(Marks::One(most));
        vec![("bytes_each", at_most(1024.0)), ("cpu_ratio", at_most(3.0)), ("restart_seconds", at_most(5.0))]
    }
}

const QUEUE: &str = "BENCH.SUBSCRIPTIONS";
const FEW: u64 = 10;
/// Connections that subscribe at the same time, so that they share forced writes.
const SUBSCRIBERS: u64 = 16;
/// Topics that are published to after the restart.
const SAMPLES: u64 = 200;

/// Runs the workload by the program `ferry` and prints what it finds.
///
/// # Errors
/// When a call fails, or after the restart a publication does not come as often as it should.
pub fn run(
    ferry: &Path,
    workload: &SubscriptionsWorkload,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    ensure!(workload.subscriptions > FEW, "there are more than {FEW} subscriptions");
    let machine = Machine::measured(&std::env::temp_dir())?;
    report::repeat(output, workload, &machine, interrupt, || {
        let settings = "[listener]\naddresses = [\"127.0.0.1:0\"]\n";
        let mut server = ServerProcess::start(ferry, &std::env::temp_dir(), settings)?;
        let access = reach(&server)?;
        access.command(&format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999)"))?;
        subscribe(&access, 0..FEW, interrupt)?;
        let few = publish(&access, workload.measure)?;
        drop(access);
        // A process that did not use memory yet, which subscriptions could have again.
        kill_and_restart(&mut server)?;
        let resident =
            || processor::resident_bytes(server.pid()).context("the server's memory cannot be told");
        let before = resident()?;
        let access = reach(&server)?;
        subscribe(&access, FEW..workload.subscriptions, interrupt)?;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let bytes_each = resident()?.saturating_sub(before) as f64 / (workload.subscriptions - FEW) as f64;
        let many = publish(&access, workload.measure)?;
        drop(access);
        kill_and_restart(&mut server)?;
        check(&reach(&server)?, workload.subscriptions)?;
        let (ratio, seconds) = (many.cpu_us / few.cpu_us, server.started_in.as_secs_f64());
        let values = [bytes_each, few.p50_us, few.cpu_us, many.p50_us, many.cpu_us, ratio, seconds];
        let more = json!({"published_beside_few": few.count, "published_beside_many": many.count});
        Ok(Some(Row { values: values.map(Some).to_vec(), more }))
    })
}

fn reach(server: &ServerProcess) -> Result<Arc<dyn Access>> {
    Ok(Arc::new(Channels::local(server)?))
}

fn kill_and_restart(server: &mut ServerProcess) -> Result<()> {
    server.kill()?;
    server.restart()
}

/// The topic string and what else a subscription says, by its number.
fn pattern(number: u64) -> (String, SubscribeOptions) {
    match number % 4 {
        0 => (format!("plant/{}/sensor/{number}", number % 100), SubscribeOptions::WILDCARD_TOPIC),
        1 => (format!("plant/{}/sensor/{number}/#", number % 100), SubscribeOptions::WILDCARD_TOPIC),
        2 => (format!("plant/+/meter/{number}"), SubscribeOptions::WILDCARD_TOPIC),
        _ => (format!("plant/*/valve/{number}"), SubscribeOptions::WILDCARD_CHAR),
    }
}

/// A topic that this subscription alone is about.
fn topic(number: u64) -> String {
    match number % 4 {
        0 => format!("plant/{}/sensor/{number}", number % 100),
        1 => format!("plant/{}/sensor/{number}/now", number % 100),
        2 => format!("plant/7/meter/{number}"),
        _ => format!("plant/7/8/valve/{number}"),
    }
}

fn subscribe(access: &Arc<dyn Access>, numbers: std::ops::Range<u64>, interrupt: &AtomicBool) -> Result<()> {
    let bar = Bar::of(numbers.end - numbers.start, "subscriptions");
    thread::scope(|scope| {
        let subscribers: Vec<_> = (0..SUBSCRIBERS)
            .map(|one| {
                let (numbers, bar) = (numbers.clone(), &bar);
                scope.spawn(move || -> Result<()> {
                    let mut verbs = access.connect("ferry bench subscriptions")?;
                    let object = ObjectDescriptor::queue(QUEUE.parse()?);
                    let queue = verbs.open(&object, OpenOptions::INPUT_SHARED)?.handle;
                    for number in numbers.clone().filter(|number| number % SUBSCRIBERS == one) {
                        if interrupt.load(Ordering::Relaxed) {
                            break;
                        }
                        let (pattern, wildcards) = pattern(number);
                        let options = SubscribeOptions::CREATE | SubscribeOptions::DURABLE | wildcards;
                        let wanted = SubscriptionDescriptor {
                            name: format!("bench {number}"),
                            ..SubscriptionDescriptor::to(&pattern, options)
                        };
                        let made = verbs.subscribe(&wanted, Some(queue)).context("cannot subscribe")?;
                        verbs.close(made.subscription, CloseOptions::KEEP_SUB)?;
                        bar.done(number - numbers.start);
                    }
                    Ok(verbs.disconnect()?)
                })
            })
            .collect();
        subscribers.into_iter().try_for_each(|one| one.join().expect("a subscriber does not panic"))
    })
}

struct Published {
    count: u64,
    p50_us: f64,
    cpu_us: f64,
}

/// Publishes to one subscription, and takes what came away again.
fn publish(access: &Arc<dyn Access>, measure: Duration) -> Result<Published> {
    let mut verbs = access.connect("ferry bench subscriptions")?;
    let handle = verbs.open(&ObjectDescriptor::topic(topic(4)), OpenOptions::OUTPUT)?.handle;
    let pid = access.server_pid().context("the server is another process")?;
    let used = || Used::by(pid).context("the server's processor time cannot be told");
    let (mut latencies, mut count) = (Latencies::default(), 0);
    let (begun, used_before) = (Instant::now(), used()?);
    while begun.elapsed() < measure {
        let at = Instant::now();
        put(&mut *verbs, handle)?;
        latencies.record(at.elapsed());
        count += 1;
    }
    let cpu_us = used()?.since(&used_before).as_secs_f64() * 1e6 / count as f64;
    verbs.disconnect()?;
    ensure!(depth(access)? == Some(count), "each publication comes to one subscription: nothing is reported");
    access.command(&format!("CLEAR QLOCAL({QUEUE})"))?;
    let summary = latencies.summary().context("nothing was published: measure longer (--time)")?;
    Ok(Published { count, p50_us: summary.p50, cpu_us })
}

fn put(verbs: &mut dyn Verbs, handle: ObjectHandle) -> Result<()> {
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    verbs.put(handle, &mut MessageDescriptor::default(), &mut options, Bytes::from_static(&[0x5A; 200]))?;
    Ok(())
}

/// Publishes once to some of the topics; each publication must come once.
fn check(access: &Arc<dyn Access>, subscriptions: u64) -> Result<()> {
    let mut verbs = access.connect("ferry bench subscriptions")?;
    let step = usize::try_from((subscriptions / SAMPLES).max(1))?;
    let mut expected = 0;
    for number in (0..subscriptions).step_by(step) {
        let handle = verbs.open(&ObjectDescriptor::topic(topic(number)), OpenOptions::OUTPUT)?.handle;
        put(&mut *verbs, handle)?;
        verbs.close(handle, CloseOptions::EMPTY)?;
        expected += 1;
    }
    verbs.disconnect()?;
    let found = depth(access)?;
    ensure!(
        found == Some(expected),
        "{expected} publications after the restart came {found:?} times: nothing is reported"
    );
    Ok(())
}

fn depth(access: &Arc<dyn Access>) -> Result<Option<u64>> {
    let mut verbs = access.connect("ferry bench subscriptions")?;
    Ok(u64::try_from(queue::depth(&mut *verbs, QUEUE.parse()?)?).ok())
}
