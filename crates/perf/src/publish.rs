//! Publish/subscribe: publishers put to topics, for subscribers or for none; beside it, the same through
//! queues.
//!
//! A publisher is at most so many publications ahead of the slowest subscriber of its topic, so that the room
//! in memory is not what is measured. With subscribers every publication must come to each of them, once and
//! in order; without, each call must be answered.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, Reason, StatusType, SubscribeOptions, SubscriptionDescriptor, Verbs,
    Wait,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::access::{self, Access};
use crate::jms::Api;
use crate::jms::publishing::Publishing;
use crate::latency::Latencies;
use crate::pace::Pace;
use crate::queue;
use crate::report::{self, Column, Row};
use crate::request_reply::Mode;
use crate::run::{Count, Moment, Phase, Shared, Usage, spawn};
use crate::tally::{self, BODY_BYTES_MIN, Tally};

/// Topics of the publishers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topics {
    /// One for all publishers.
    Shared,
    /// One for each.
    Own,
    /// One for each, with a topic object of its own, so that nothing of it is inherited from another's.
    Objects,
}

/// The way of messages from one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Through {
    /// Published to a topic.
    Topic,
    /// Put on a queue: what publishing is compared with.
    Queue,
}

/// The workload to measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishWorkload {
    /// Threads that publish; each has a connection of its own.
    pub publishers: usize,
    /// Threads that get the publications of each topic, each with a subscription and a connection of its own.
    pub subscribers: usize,
    /// The topics.
    pub topics: Topics,
    /// The way of messages.
    pub through: Through,
    /// Bytes of a message.
    pub bytes: usize,
    /// Messages are persistent, and subscriptions durable.
    pub persistent: bool,
    /// The way calls of publishers travel; subscribers read ahead unless each call is to be a round trip.
    pub mode: Mode,
    /// Publications that a publisher may be ahead of a subscriber.
    pub ahead: u64,
    /// Publications a second of each publisher; none for as many as it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// The interface that the clients use.
    pub api: Api,
    /// Time before it is measured.
    pub warm_up: Duration,
    /// Time that is measured.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
    /// The way to the queue manager.
    pub access: String,
}

/// Of so many publications one is timed, so that looking at the clock is not what is measured.
const TIMED_EACH: u64 = 16;

/// Time that a subscriber waits at once.
const WAIT: Duration = Duration::from_millis(100);

/// So many waits without a publication that should come, and it is lost.
const WAITS_MAX: u32 = 100;

/// Pause of a publisher that is too far ahead before it looks again.
const PAUSE: Duration = Duration::from_micros(50);

impl std::fmt::Display for PublishWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (from, to) = match self.through {
            Through::Topic => ("publisher(s)", "subscriber(s)"),
            Through::Queue => ("producer(s)", "consumer(s)"),
        };
        write!(
            formatter,
            "{} x {} B{}, {} {from}{}, {}, {} {to} of each, {}, {}",
            report::kind_of_messages(self.persistent),
            self.bytes,
            self.api,
            self.publishers,
            self.rate.map_or(String::new(), |rate| format!(" at {rate} a second each")),
            match (self.through, self.topics) {
                (Through::Queue, _) => "a queue each",
                (_, Topics::Shared) => "one topic",
                (_, Topics::Own) => "a topic each",
                (_, Topics::Objects) => "a topic object each",
            },
            self.subscribers,
            self.mode,
            report::ending(&self.access, self.repetitions, self.measure)
        )
    }
}

impl report::Workload for PublishWorkload {
    const BENCH: &'static str = "publish";
    const COLUMNS: &'static [Column] =
        &report::joined::<{ TIMES.len() + Usage::COUNT }>(&TIMES, &Usage::COLUMNS);

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// Rates and times.
const TIMES: [Column; 7] = [
    Column::new("publishes_per_second", "publishes/s", 0),
    Column::new("deliveries_per_second", "deliveries/s", 0),
    Column::new("messages_per_second", "both/s", 0),
    Column::new("publish_mean_us", "publish: mean µs", 2),
    Column::new("publish_p50_us", "p50 µs", 1),
    Column::new("publish_p99_us", " p99 µs", 1),
    Column::new("publish_p99_9_us", "p99.9 µs", 1),
];

impl PublishWorkload {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// When it makes no sense, with what it should be.
    pub fn check(&self) -> Result<()> {
        ensure!(self.publishers > 0, "there must be a publisher");
        ensure!(self.ahead > 0, "a publisher is ahead by one publication at least");
        ensure!(self.bytes >= BODY_BYTES_MIN, "a message has at least {BODY_BYTES_MIN} bytes");
        ensure!(self.rate != Some(0), "a fixed rate is at least one publication a second");
        let is_pairs = self.subscribers == 1 && self.topics == Topics::Own;
        ensure!(
            self.through == Through::Topic || is_pairs,
            "through queues each producer has one consumer: subscribers = 1, topics = \"own\""
        );
        Ok(())
    }

    /// Returns the number of topics, or of queues.
    fn places(&self) -> usize {
        match self.topics {
            Topics::Shared => 1,
            Topics::Own | Topics::Objects => self.publishers,
        }
    }

    /// Runs one repetition; none when nothing was measured before the end.
    ///
    /// # Errors
    /// When a client fails or a message is missing.
    pub fn repetition(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Option<Row>> {
        let plan = Arc::new(PublishPlan::new(self));
        let queues = if self.through == Through::Queue { self.places() } else { 0 };
        let queues: Result<Vec<_>> =
            (0..queues).map(|place| queue::define(access, queue::name(&format!("PAIR.{place}"))?)).collect();
        let queues = queues?;
        let objects = if self.topics == Topics::Objects { self.places() } else { 0 };
        let objects: Result<Vec<_>> = (0..objects)
            .map(|place| {
                let name = queue::name(&format!("TOPIC.{place}"))?;
                queue::define_topic(access, name, &PublishPlan::topic(place))
            })
            .collect();
        let objects = objects?;
        let run = match self.api {
            Api::Native => plan.run(access, interrupt)?,
            Api::Jms => plan.run_by_jms(access, interrupt)?,
        };
        drop(objects);
        for queue in queues {
            let mut verbs = access.connect("ferry bench")?;
            queue.account_and_remove(&mut *verbs, 0)?;
            verbs.disconnect()?;
        }
        if run.published == 0 {
            return Ok(None);
        }
        let seconds = run.elapsed.as_secs_f64();
        let rate = |count: u64| Some(count as f64 / seconds);
        let times = run.latencies.summary();
        let mut values = vec![
            rate(run.published),
            rate(run.delivered),
            rate(run.published + run.delivered),
            times.map(|times| times.mean),
            times.map(|times| times.p50),
            times.map(|times| times.p99),
            times.map(|times| times.p99_9),
        ];
        values.extend(run.usage.each(run.published));
        Ok(Some(Row { values, more: json!({ "accounted": run.accounted, "seconds": seconds }) }))
    }
}

/// State shared by all clients of a repetition.
struct PublishPlan {
    workload: PublishWorkload,
    shared: Shared,
    /// Publications to each topic, and how many there are in the end: unknown before.
    published: Vec<AtomicU64>,
    expected: Vec<AtomicU64>,
    /// Messages that each subscriber has got; those of the first topic first.
    received: Vec<Count>,
}

/// The result of a repetition.
struct Run {
    published: u64,
    delivered: u64,
    accounted: u64,
    latencies: Latencies,
    elapsed: Duration,
    usage: Usage,
}

/// The account of one client.
#[derive(Default)]
struct Account {
    tally: Tally,
    measured: u64,
    latencies: Latencies,
}

type Client = JoinHandle<Result<Account>>;

impl PublishPlan {
    fn new(workload: &PublishWorkload) -> Self {
        let places = workload.places();
        let counters = |count, value| (0..count).map(|_| AtomicU64::new(value)).collect();
        Self {
            workload: workload.clone(),
            shared: Shared::default(),
            published: counters(places, 0),
            expected: counters(places, u64::MAX),
            received: (0..places * workload.subscribers).map(|_| Count::default()).collect(),
        }
    }

    fn topic(place: usize) -> String {
        format!("ferry bench/{}/{place}", std::process::id())
    }

    /// The topic that a publisher publishes to.
    fn place_of(&self, publisher: usize) -> usize {
        if self.workload.topics == Topics::Shared { 0 } else { publisher }
    }

    fn run(self: &Arc<Self>, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Run> {
        let PublishWorkload { publishers, subscribers, warm_up, measure, .. } = self.workload;
        let listening = self.received.len();
        // Nobody publishes before everybody subscribes.
        let ready = Arc::new(Barrier::new(publishers + listening + 1));
        let heard: Vec<Client> = (0..listening)
            .map(|number| {
                let (plan, access, ready) = (self.clone(), access::of_other_half(access), ready.clone());
                spawn(format!("subscriber {number}"), move || {
                    let client = Subscriber::connect(&*access, &plan, number);
                    ready.wait();
                    plan.shared.watch(client.and_then(|client| client.take_all(&plan)))
                })
            })
            .collect::<Result<_>>()?;
        let said: Vec<Client> = (0..publishers)
            .map(|number| {
                let (plan, access, ready) = (self.clone(), access.clone(), ready.clone());
                spawn(format!("publisher {number}"), move || {
                    let client = Publisher::connect(&*access, &plan, number);
                    ready.wait();
                    plan.shared.watch(client.and_then(|client| client.publish_all(&plan)))
                })
            })
            .collect::<Result<_>>()?;
        ready.wait();
        self.shared.run_for(warm_up, interrupt, "warming up");
        let before = Moment::now(&**access, &[]);
        self.shared.enter(Phase::Measure);
        let begun = Instant::now();
        self.shared.run_for(measure, interrupt, "publishing");
        self.shared.enter(Phase::Done);
        let elapsed = begun.elapsed();
        let usage = Moment::now(&**access, &[]).since(&before);

        let mut run =
            Run { published: 0, delivered: 0, accounted: 0, latencies: Latencies::default(), elapsed, usage };
        let mut tallies = vec![Tally::default(); self.published.len()];
        let (said, mut failure) = joined(said);
        for (publisher, account) in said.iter().enumerate() {
            tallies[self.place_of(publisher)].join(account.tally);
            run.published += account.measured;
            run.latencies.add(&account.latencies);
        }
        for (expected, tally) in self.expected.iter().zip(&tallies) {
            expected.store(tally.count, Ordering::Relaxed);
        }
        let (heard, failed) = joined(heard);
        failure = failure.or(failed);
        if let Some(error) = failure {
            return Err(error);
        }
        for (subscriber, account) in heard.iter().enumerate() {
            let tally = tallies[subscriber / subscribers];
            ensure!(
                account.tally == tally,
                "{} published, {} came to a subscriber, or others: not all are accounted for, so nothing is reported",
                tally.count,
                account.tally.count
            );
            run.delivered += account.measured;
            run.accounted += account.tally.count;
        }
        run.accounted += tallies.iter().map(|tally| tally.count).sum::<u64>();
        Ok(run)
    }

    /// The same by clients of JMS, in a process of their own.
    fn run_by_jms(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Run> {
        let PublishWorkload {
            publishers, subscribers, bytes, persistent, ahead, rate, warm_up, measure, ..
        } = self.workload;
        let is_by_queue = self.workload.through == Through::Queue;
        let place = |place| match is_by_queue {
            true => queue::name(&format!("PAIR.{place}")).map(|name| name.to_string()),
            false => Ok(Self::topic(place)),
        };
        let places = (0..self.published.len()).map(place).collect::<Result<Vec<_>>>()?;
        let (places, warm_up) = (&places[..], warm_up);
        let run = Publishing {
            places,
            is_by_queue,
            publishers,
            subscribers,
            bytes,
            persistent,
            ahead,
            rate,
            warm_up,
            measure,
        }
        .run(access, interrupt)?;
        Ok(Run {
            published: run.published,
            delivered: run.delivered,
            accounted: run.accounted,
            latencies: run.latencies,
            elapsed: run.elapsed,
            usage: run.usage,
        })
    }

    /// Returns the messages that the slowest subscriber of a topic has received.
    fn slowest(&self, place: usize) -> u64 {
        let subscribers = self.workload.subscribers;
        let of_topic = &self.received[place * subscribers..(place + 1) * subscribers];
        of_topic.iter().map(Count::get).min().unwrap_or(u64::MAX)
    }
}

/// Returns the accounts of clients, and the first failure of one.
fn joined(clients: Vec<Client>) -> (Vec<Account>, Option<anyhow::Error>) {
    let (mut accounts, mut failure) = (Vec::with_capacity(clients.len()), None);
    for client in clients {
        match client.join().expect("a client does not panic") {
            Ok(account) => accounts.push(account),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    (accounts, failure)
}

struct Publisher {
    verbs: Box<dyn Verbs + Send>,
    handle: ObjectHandle,
    number: usize,
    body: Vec<u8>,
    /// Messages that the slowest subscriber had received when all of them were last looked at.
    slowest: u64,
    pace: Option<Pace>,
    account: Account,
}

impl Publisher {
    fn connect(access: &dyn Access, plan: &PublishPlan, number: usize) -> Result<Self> {
        let mut verbs = access.connect("ferry bench publish")?;
        let place = plan.place_of(number);
        let object = match plan.workload.through {
            Through::Topic => ObjectDescriptor::topic(PublishPlan::topic(place)),
            Through::Queue => ObjectDescriptor::queue(queue::name(&format!("PAIR.{place}"))?),
        };
        let handle = verbs.open(&object, OpenOptions::OUTPUT)?.handle;
        let body = vec![0x5A; plan.workload.bytes];
        let publishers = plan.workload.publishers;
        let pace = plan
            .workload
            .rate
            .map(|rate| Pace::new(f64::from(rate) * publishers as f64, number, publishers, 1));
        Ok(Self { verbs, handle, number, body, slowest: 0, pace, account: Account::default() })
    }

    /// Returns true if no subscriber is too far behind. All of them are looked at only when those seen last
    /// would hold the publisher up.
    fn is_near(&mut self, plan: &PublishPlan, place: usize) -> bool {
        let published = plan.published[place].load(Ordering::Relaxed);
        let is_within = |slowest: u64| published.saturating_sub(slowest) < plan.workload.ahead;
        if !is_within(self.slowest) {
            self.slowest = plan.slowest(place);
        }
        is_within(self.slowest)
    }

    fn publish_all(mut self, plan: &PublishPlan) -> Result<Account> {
        let place = plan.place_of(self.number);
        let is_heard = plan.workload.subscribers > 0;
        if let Some(pace) = &mut self.pace {
            pace.begin();
        }
        // The moment that a publication at a fixed rate was due, and counts from.
        let mut due = None;
        while !plan.shared.is(Phase::Done) {
            if let (None, Some(pace)) = (due, &mut self.pace) {
                due = pace.next(&plan.shared);
                if due.is_none() {
                    break;
                }
            }
            if is_heard && !self.is_near(plan, place) {
                thread::sleep(PAUSE);
                continue;
            }
            let sequence = self.account.tally.count;
            // Nobody looks at what nobody gets.
            if is_heard {
                tally::mark(&mut self.body, self.number as u32, sequence);
            }
            let begun = sequence.is_multiple_of(TIMED_EACH).then(|| due.take().unwrap_or_else(Instant::now));
            due = None;
            self.publish(&plan.workload)?;
            self.account.tally.add(self.number as u32, sequence);
            if is_heard {
                plan.published[place].fetch_add(1, Ordering::Relaxed);
            }
            if plan.shared.is(Phase::Measure) {
                self.account.measured += 1;
                if let Some(begun) = begun {
                    self.account.latencies.record(begun.elapsed());
                }
            }
        }
        let status = self.verbs.stat(StatusType::AsyncError);
        let status = status.context("cannot ask what became of puts without an answer")?;
        let refused = status.put_failure_count;
        ensure!(refused == 0, "{refused} publications were refused: nothing is reported");
        self.verbs.close(self.handle, CloseOptions::EMPTY)?;
        self.verbs.disconnect()?;
        Ok(self.account)
    }

    fn publish(&mut self, workload: &PublishWorkload) -> Result<()> {
        let persistence =
            if workload.persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        let response = match workload.mode {
            Mode::Pipelined => PutFlags::ASYNC_RESPONSE,
            Mode::RoundTrips => PutFlags::SYNC_RESPONSE,
        };
        let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | response);
        let put = self.verbs.put_lent(self.handle, &mut descriptor, &mut options, &self.body);
        put.context("cannot publish")
    }
}

struct Subscriber {
    verbs: Box<dyn Verbs + Send>,
    queue: ObjectHandle,
    /// None for a consumer of a queue.
    subscription: Option<ObjectHandle>,
    number: usize,
    account: Account,
}

impl Subscriber {
    fn connect(access: &dyn Access, plan: &PublishPlan, number: usize) -> Result<Self> {
        let mut verbs = access.connect("ferry bench subscribe")?;
        let workload = &plan.workload;
        let place = number / workload.subscribers;
        let is_ahead = workload.mode == Mode::Pipelined;
        let (queue, subscription) = match workload.through {
            Through::Queue => {
                let how = if is_ahead { OpenOptions::READ_AHEAD } else { OpenOptions::NO_READ_AHEAD };
                let object = ObjectDescriptor::queue(queue::name(&format!("PAIR.{place}"))?);
                (verbs.open(&object, OpenOptions::INPUT_SHARED | how)?.handle, None)
            }
            Through::Topic => {
                let mut options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
                options.insert(match is_ahead {
                    true => SubscribeOptions::READ_AHEAD,
                    false => SubscribeOptions::NO_READ_AHEAD,
                });
                // What comes to another subscription is not persistent, whatever was published.
                if workload.persistent {
                    options.insert(SubscribeOptions::DURABLE);
                }
                let wanted = SubscriptionDescriptor {
                    name: format!("ferry bench {} {number}", std::process::id()),
                    ..SubscriptionDescriptor::to(PublishPlan::topic(place), options)
                };
                let subscribed = verbs.subscribe(&wanted, None).context("cannot subscribe")?;
                (
                    subscribed.queue.context("the queue of a subscription is not open")?,
                    Some(subscribed.subscription),
                )
            }
        };
        Ok(Self { verbs, queue, subscription, number, account: Account::default() })
    }

    fn take_all(mut self, plan: &PublishPlan) -> Result<Account> {
        let workload = &plan.workload;
        let expected = &plan.expected[self.number / workload.subscribers];
        let mut last = vec![None; workload.publishers];
        let mut waits = 0;
        while self.account.tally.count < expected.load(Ordering::Relaxed) && !plan.shared.has_failed() {
            let mut descriptor = MessageDescriptor::default();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::from(WAIT));
            let (tally, mut taken) = (&mut self.account.tally, Ok(()));
            let mut take = |body: &[u8]| taken = tally.take(body, workload.bytes, &mut last);
            let got =
                self.verbs.get_lent(self.queue, &mut descriptor, &mut options, workload.bytes, &mut take);
            match got {
                Ok(_) => {
                    waits = 0;
                    taken?;
                    plan.received[self.number].say(self.account.tally.count);
                    self.account.measured += u64::from(plan.shared.is(Phase::Measure));
                }
                Err(Reason::NO_MSG_AVAILABLE) => {
                    waits += u32::from(plan.shared.is(Phase::Done));
                    ensure!(
                        waits < WAITS_MAX,
                        "{} of {} publications came to subscriber {}: nothing is reported",
                        self.account.tally.count,
                        expected.load(Ordering::Relaxed),
                        self.number
                    );
                }
                Err(reason) => return Err(reason).context("cannot get"),
            }
        }
        match self.subscription {
            Some(subscription) => self.verbs.close(subscription, CloseOptions::REMOVE_SUB)?,
            None => self.verbs.close(self.queue, CloseOptions::EMPTY)?,
        };
        self.verbs.disconnect()?;
        Ok(self.account)
    }
}
