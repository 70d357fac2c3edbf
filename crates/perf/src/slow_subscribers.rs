//! Durable subscribers of one topic, of which some stop: the rate of the others, and the messages that the
//! stopped find when they come back, before and after `kill -9`.
//!
//! A publisher puts persistent messages, each a call that returns when the log has it, and waits for the
//! slowest of the subscribers that go on. First all of them go on, unmeasured and then measured, then some
//! stop. When more lies for these than the queue manager keeps in memory, the memory that each further
//! message takes there is measured. Half of those come back, all at once, for the messages that they missed,
//! in units of work, and stop again; then the queue manager is killed while the publisher is at work. After
//! its start every subscriber that had stopped must find each publication that was acknowledged since, in
//! order and once; the one whose call had no answer may be there or not.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, Reason, SubscribeOptions, SubscriptionDescriptor, Verbs, Wait,
};
use serde::Serialize;
use serde_json::json;

use crate::access::{Access, Channels};
use crate::limit::{Limit, Marks};
use crate::machine::Machine;
use crate::processor;
use crate::report::{self, Column, Output, Row};
use crate::server_process::ServerProcess;

/// The workload to measure.
#[derive(Clone, Debug, Serialize)]
pub struct SlowSubscribersWorkload {
    /// Subscribers.
    pub subscribers: usize,
    /// The subscribers among them that stop.
    pub stopped: usize,
    /// Bytes of a publication.
    pub bytes: usize,
    /// Time that all go on before it is measured.
    pub warm_up: Duration,
    /// Time that all go on, and then that some do.
    pub measure: Duration,
    /// Repetitions, each with a new queue manager.
    pub repetitions: usize,
}

/// Fewer subscribers are not judged by their rates, which chance has more to do with.
const JUDGED_FROM: usize = 100;

/// Most bytes of memory for a message that lies for a subscriber, its share of the body not counted: what the
/// queue manager must remember of each message that it keeps. The bodies themselves have a budget.
const ENTRY_BYTES_MAX: f64 = 256.0;

/// Most bytes of bodies in memory (`memory.budget`): the least that can be set, so that a run of seconds
/// leaves more than that lying.
const BUDGET_BYTES: u64 = 8 << 20;

impl std::fmt::Display for SlowSubscribersWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "persistent publications of {} B to {} durable subscribers, of which {} stop, and kill -9, {} x {:.0} s",
            self.bytes,
            self.subscribers,
            self.stopped,
            self.repetitions,
            self.measure.as_secs_f64()
        )
    }
}

impl report::Workload for SlowSubscribersWorkload {
    const BENCH: &'static str = "slow-subscribers";
    const COLUMNS: &'static [Column] = &[
        Column::new("all_per_second", "all go on: deliveries/s each", 0),
        Column::new("others_per_second", "some stopped: of the others", 0),
        Column::new("ratio", "ratio", 3),
        Column::new("server_mib", "server MiB", 0),
        Column::new("beyond_budget_bytes", "beyond budget, B each", 0),
        Column::new("missed", "missed", 0),
        Column::new("lost", "of them lost", 0),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }

    fn targets(&self) -> Vec<(&'static str, Limit)> {
        let at_most = |most| Limit::AtMost(Marks::One(most));
        let mut targets = vec![("lost", at_most(0.0))];
        // With less of a body for each of them it would not be seen that bodies stay in memory.
        if self.bytes as f64 > ENTRY_BYTES_MAX * self.stopped as f64 {
            targets.push(("beyond_budget_bytes", at_most(ENTRY_BYTES_MAX)));
        }
        if self.subscribers >= JUDGED_FROM {
            targets.push(("ratio", Limit::AtLeast(Marks::One(0.9))));
        }
        targets
    }
}

const TOPIC: &str = "bench/slow";
/// Publications that the publisher may be ahead of a subscriber that goes on.
const AHEAD: u64 = 64;
/// Pause of the publisher before it looks again if all have caught up.
const LOOK: Duration = Duration::from_micros(100);
/// Time that a subscriber waits before it looks if it is to stop.
const WAIT: Duration = Duration::from_millis(200);
/// Messages in a unit of work of a subscriber that comes back: with a forced write for each it would take
/// minutes, in which the others fall behind more and more.
const TAKEN_TOGETHER: u64 = 64;
/// Times that a subscriber that comes back is told that nothing is there before it believes it.
const WAITS_MAX: u32 = 5;

/// Longest wait until more lies than the budget, in times of the measured time; after that memory is not
/// judged.
const WAITED_TIMES: u32 = 3;

/// Runs the workload by the program `ferry` and prints what it finds.
///
/// # Errors
/// When a call fails, or a publication comes twice or out of order.
pub fn run(
    ferry: &Path,
    workload: &SlowSubscribersWorkload,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    ensure!(workload.stopped < workload.subscribers, "some subscribers go on");
    ensure!(workload.bytes >= 8, "a publication has at least 8 bytes");
    let machine = Machine::measured(&std::env::temp_dir())?;
    report::repeat(output, workload, &machine, interrupt, || {
        let mut server = ServerProcess::start(ferry, &std::env::temp_dir(), &settings())?;
        let access: Arc<dyn Access> = Arc::new(Channels::local(&server)?);
        let plan = SlowSubscribersPlan::new(workload);
        let (mut stopping, mut others) = (Vec::new(), Vec::new());
        for number in 0..workload.subscribers {
            let (mut subscriber, plan) = (Subscriber::connect(&*access, number, 0)?, Arc::clone(&plan));
            let group = if number < workload.stopped { &mut stopping } else { &mut others };
            group.push(thread::spawn(move || plan.take(&mut subscriber, number)));
        }
        let (mut verbs, publishing) = (access.connect("ferry bench publisher")?, Arc::clone(&plan));
        others.push(thread::spawn(move || publishing.publish(&mut *verbs)));
        plan.rate(workload.warm_up, interrupt);
        let all_per_second = plan.rate(workload.measure, interrupt);
        plan.some_stop.store(true, Ordering::Relaxed);
        join(stopping)?;
        let resident =
            || processor::resident_bytes(server.pid()).context("the server's memory cannot be told");
        let others_per_second = plan.rate(workload.measure, interrupt);
        let is_beyond = plan.wait_until_beyond_budget(interrupt);
        let (before, lying_before) = (resident()?, plan.lying());
        if is_beyond {
            plan.rate(workload.measure, interrupt);
        }
        let (server_bytes, lying) = (resident()?, plan.lying());
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let resumed = plan.come_back(&*access, workload.stopped.div_ceil(2), interrupt)?;
        server.kill()?;
        plan.ends.store(true, Ordering::Relaxed);
        join(others)?;
        server.restart()?;
        let access: Arc<dyn Access> = Arc::new(Channels::local(&server)?);
        let after = plan.come_back(&*access, workload.stopped, interrupt)?;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let values = vec![
            Some(all_per_second),
            Some(others_per_second),
            Some(others_per_second / all_per_second),
            Some(mib(server_bytes)),
            is_beyond.then(|| {
                let messages = (lying.messages - lying_before.messages).max(1);
                server_bytes.saturating_sub(before) as f64 / messages as f64
            }),
            Some((resumed.missed + after.missed) as f64),
            Some((resumed.lost + after.lost) as f64),
        ];
        let more = json!({
            "published": plan.acknowledged.load(Ordering::Relaxed),
            "found_after_resuming": resumed.missed - resumed.lost,
            "found_after_kill": after.missed - after.lost,
            "lying": lying.messages,
            "lying_body_bytes": lying.publications * workload.bytes as u64,
        });
        Ok(Some(Row { values, more }))
    })
}

fn settings() -> String {
    format!("[memory]\nbudget = \"{} MiB\"\n[listener]\naddresses = [\"127.0.0.1:0\"]\n", BUDGET_BYTES >> 20)
}

/// Messages that lie for subscribers that stopped.
struct Lying {
    /// Publications, whose bodies the queues share.
    publications: u64,
    /// Messages on all their queues.
    messages: u64,
}

fn join(threads: Vec<JoinHandle<Result<()>>>) -> Result<()> {
    threads.into_iter().try_for_each(|thread| thread.join().expect("a client does not panic"))
}

/// Messages that stopped subscribers missed, and those of them that they did not find when they came back.
struct Missed {
    missed: u64,
    lost: u64,
}

/// State that the threads share.
struct SlowSubscribersPlan {
    workload: SlowSubscribersWorkload,
    /// Publications that were acknowledged.
    acknowledged: AtomicU64,
    /// Messages that each subscriber has got; those that stop come first.
    seen: Vec<AtomicU64>,
    some_stop: AtomicBool,
    ends: AtomicBool,
}

impl SlowSubscribersPlan {
    fn new(workload: &SlowSubscribersWorkload) -> Arc<Self> {
        Arc::new(Self {
            workload: workload.clone(),
            acknowledged: AtomicU64::new(0),
            seen: (0..workload.subscribers).map(|_| AtomicU64::new(0)).collect(),
            some_stop: AtomicBool::new(false),
            ends: AtomicBool::new(false),
        })
    }

    /// Returns the messages that each subscriber that goes on has got.
    fn others(&self) -> impl Iterator<Item = u64> {
        self.seen[self.workload.stopped..].iter().map(|seen| seen.load(Ordering::Relaxed))
    }

    /// Returns the messages that lie for those that stopped.
    fn lying(&self) -> Lying {
        let acknowledged = self.acknowledged.load(Ordering::Relaxed);
        let stopped = self.seen[..self.workload.stopped].iter();
        let each = stopped.map(|seen| acknowledged.saturating_sub(seen.load(Ordering::Relaxed)));
        Lying { publications: each.clone().max().unwrap_or(0), messages: each.sum() }
    }

    /// Waits until more lies than bodies may take in memory; false where that takes too long. Up to twice the
    /// budget queues keep their first and their latest messages there.
    fn wait_until_beyond_budget(&self, interrupt: &AtomicBool) -> bool {
        let is_beyond = || self.lying().publications * self.workload.bytes as u64 > 2 * BUDGET_BYTES;
        let begun = Instant::now();
        while !is_beyond() && begun.elapsed() < self.workload.measure * WAITED_TIMES {
            if interrupt.load(Ordering::Relaxed) {
                return false;
            }
            thread::sleep(WAIT);
        }
        is_beyond()
    }

    /// Lets so many of those that stopped come back at once, and take all that was acknowledged until now.
    fn come_back(&self, access: &dyn Access, count: usize, interrupt: &AtomicBool) -> Result<Missed> {
        let acknowledged = self.acknowledged.load(Ordering::Relaxed);
        thread::scope(|scope| {
            let each = (0..count)
                .map(|number| scope.spawn(move || self.catch_up(access, number, acknowledged, interrupt)));
            each.collect::<Vec<_>>().into_iter().try_fold(Missed { missed: 0, lost: 0 }, |all, one| {
                let one = one.join().expect("a client does not panic")?;
                Ok(Missed { missed: all.missed + one.missed, lost: all.lost + one.lost })
            })
        })
    }

    /// Lets one that stopped take all that was acknowledged.
    fn catch_up(
        &self,
        access: &dyn Access,
        number: usize,
        acknowledged: u64,
        interrupt: &AtomicBool,
    ) -> Result<Missed> {
        let (bytes, seen) = (self.workload.bytes, &self.seen[number]);
        let before = seen.load(Ordering::Relaxed);
        let mut subscriber = Subscriber::connect(access, number, before)?;
        let mut waits = 0;
        while subscriber.next < acknowledged && waits < WAITS_MAX && !interrupt.load(Ordering::Relaxed) {
            let found = subscriber.next(bytes, GetFlags::SYNCPOINT)?;
            waits = if found.is_some() { 0 } else { waits + 1 };
            if subscriber.next.is_multiple_of(TAKEN_TOGETHER) {
                subscriber.verbs.commit()?;
            }
        }
        // What comes in addition has to be the next of them, too.
        subscriber.next(bytes, GetFlags::SYNCPOINT)?;
        subscriber.verbs.commit()?;
        subscriber.leave()?;
        seen.store(subscriber.next, Ordering::Relaxed);
        Ok(Missed {
            missed: acknowledged.saturating_sub(before),
            lost: acknowledged.saturating_sub(subscriber.next),
        })
    }

    fn has_to_stop(&self, number: usize) -> bool {
        let is_meant = number < self.workload.stopped && self.some_stop.load(Ordering::Relaxed);
        is_meant || self.ends.load(Ordering::Relaxed)
    }

    /// Deliveries a second to each subscriber that goes on, over this time.
    fn rate(&self, time: Duration, interrupt: &AtomicBool) -> f64 {
        let got = || self.others().sum::<u64>();
        let (before, begun) = (got(), Instant::now());
        while begun.elapsed() < time && !interrupt.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10).min(time));
        }
        let others = (self.workload.subscribers - self.workload.stopped) as f64;
        (got() - before) as f64 / begun.elapsed().as_secs_f64() / others
    }

    /// Publishes until it is told to end or the queue manager is gone.
    fn publish(&self, verbs: &mut dyn Verbs) -> Result<()> {
        let handle = verbs.open(&ObjectDescriptor::topic(TOPIC), OpenOptions::OUTPUT)?.handle;
        let mut number = 0_u64;
        while !self.ends.load(Ordering::Relaxed) {
            if self.others().any(|seen| seen + AHEAD < number) {
                thread::sleep(LOOK);
                continue;
            }
            let mut body = vec![0; self.workload.bytes];
            body[..8].copy_from_slice(&number.to_le_bytes());
            let mut descriptor =
                MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
            let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            match verbs.put(handle, &mut descriptor, &mut options, Bytes::from(body)) {
                Ok(_) => number += 1,
                Err(reason) if is_killed(reason) => return Ok(()),
                Err(reason) => return Err(reason).context("cannot publish"),
            }
            self.acknowledged.store(number, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Gets what comes to a subscriber, in order, until it has to stop or the queue manager is gone.
    fn take(&self, subscriber: &mut Subscriber, number: usize) -> Result<()> {
        while !self.has_to_stop(number) {
            match subscriber.next(self.workload.bytes, GetFlags::NO_SYNCPOINT) {
                Ok(Some(_)) => self.seen[number].store(subscriber.next, Ordering::Relaxed),
                Ok(None) => {}
                Err(error) => match error.downcast_ref::<Reason>() {
                    Some(reason) if is_killed(*reason) => return Ok(()),
                    _ => return Err(error),
                },
            }
        }
        if self.ends.load(Ordering::Relaxed) {
            return Ok(());
        }
        subscriber.leave()
    }
}

/// The reasons that a killed queue manager leaves its clients with.
fn is_killed(reason: Reason) -> bool {
    [Reason::CONNECTION_BROKEN, Reason::Q_MGR_NOT_AVAILABLE, Reason::Q_MGR_STOPPING].contains(&reason)
}

/// A durable subscription that is open.
struct Subscriber {
    verbs: Box<dyn Verbs + Send>,
    subscription: ObjectHandle,
    queue: ObjectHandle,
    /// The publication that has to come next.
    next: u64,
}

impl Subscriber {
    fn connect(access: &dyn Access, number: usize, next: u64) -> Result<Self> {
        let mut verbs = access.connect("ferry bench subscriber")?;
        let options = SubscribeOptions::CREATE
            | SubscribeOptions::RESUME
            | SubscribeOptions::MANAGED
            | SubscribeOptions::DURABLE
            | SubscribeOptions::NO_READ_AHEAD;
        let wanted = SubscriptionDescriptor {
            name: format!("bench slow {number}"),
            ..SubscriptionDescriptor::to(TOPIC, options)
        };
        let subscribed = verbs.subscribe(&wanted, None).context("cannot subscribe")?;
        let queue = subscribed.queue.context("the queue of a subscription is not open")?;
        Ok(Self { verbs, subscription: subscribed.subscription, queue, next })
    }

    /// The number of the next publication, if one comes soon.
    fn next(&mut self, bytes: usize, flags: GetFlags) -> Result<Option<u64>> {
        let mut options = GetOptions::with(flags, Wait::from(WAIT));
        match self.verbs.get(self.queue, &mut MessageDescriptor::default(), &mut options, bytes) {
            Ok(got) => {
                let number = got.body.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
                ensure!(
                    number == Some(self.next),
                    "publication {number:?} came where {} had to: nothing is reported",
                    self.next
                );
                self.next += 1;
                Ok(number)
            }
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(reason.into()),
        }
    }

    /// Leaves the subscription as it is.
    fn leave(&mut self) -> Result<()> {
        self.verbs.close(self.subscription, CloseOptions::KEEP_SUB)?;
        Ok(self.verbs.disconnect()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_judged_where_bodies_that_stayed_there_would_be_seen() {
        let is_judged = |bytes: usize| {
            let (warm_up, measure) = (Duration::from_secs(1), Duration::from_secs(5));
            let workload = SlowSubscribersWorkload {
                subscribers: 100,
                stopped: 30,
                bytes,
                warm_up,
                measure,
                repetitions: 3,
            };
            report::Workload::targets(&workload).iter().any(|(name, _)| *name == "beyond_budget_bytes")
        };
        assert!(is_judged(16 << 10), "a thirtieth of a body is more than is allowed");
        assert!(!is_judged(2 << 10), "a thirtieth of a body is less than is allowed");
    }

    #[test]
    fn the_budget_is_one_that_a_run_of_seconds_goes_beyond() {
        assert!(settings().contains("budget = \"8 MiB\""), "{}", settings());
        let workload = SlowSubscribersWorkload {
            subscribers: 4,
            stopped: 2,
            bytes: 16 << 10,
            warm_up: Duration::ZERO,
            measure: Duration::from_millis(1),
            repetitions: 1,
        };
        let plan = SlowSubscribersPlan::new(&workload);
        plan.acknowledged.store(1_000, Ordering::Relaxed);
        assert!(!plan.wait_until_beyond_budget(&AtomicBool::new(false)), "less than twice 8 MiB lie");
        plan.acknowledged.store(1_100, Ordering::Relaxed);
        assert!(plan.wait_until_beyond_budget(&AtomicBool::new(false)));
    }
}
