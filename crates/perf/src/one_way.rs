//! One way: threads put to one queue for a while, then as many threads get all of it.
//!
//! Rates of putting and of getting are told apart, as the two may be done by programs that do not run
//! together. Before that the same is done unmeasured, to the last message, so that measuring begins with an
//! empty queue and not with a queue manager that just began.
//!
//! Always: no more is put than can be got in a few times the time of putting. Where gets are forced one by
//! one, and puts are not, a second of putting would else be minutes of getting.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bytes::Bytes;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectName,
    OpenOptions, Persistence, PutFlags, PutOptions, Reason, Verbs, Wait,
};
use serde::Serialize;
use serde_json::json;

use crate::access::{self, Access};
use crate::coordinator::{Coordinator, Ending};
use crate::latency::{Latencies, Summary};
use crate::machine::Machine;
use crate::partner;
use crate::queue;
use crate::report::{self, Column, Output, Row};
use crate::request_reply::Mode;
use crate::run::{Moment, Phase, Shared, Usage, spawn};
use crate::tally::{self, BODY_BYTES_MIN, Tally};

/// The workload to measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneWayWorkload {
    /// Threads that put, and then threads that get; each has a connection of its own.
    pub threads: usize,
    /// Bytes of a message.
    pub bytes: usize,
    /// Messages are persistent.
    pub persistent: bool,
    /// Messages of one unit of work; none for outside units.
    pub unit: Option<u32>,
    /// The end of a unit of work.
    #[serde(default, skip_serializing_if = "Ending::is_internal")]
    pub ending: Ending,
    /// The way calls travel.
    pub mode: Mode,
    /// The way gets travel if it is not that of puts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub get_mode: Option<Mode>,
    /// Time of putting before it is measured; then all of it is got.
    pub warm_up: Duration,
    /// Longest time of putting; less where [`MESSAGES_MAX`] or [`BYTES_MAX`] are on the queue before, or as
    /// much as is got in [`GETTING_MAX`] times as long.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
    /// The way to the queue manager.
    pub access: String,
}

/// Messages on the queue at which putting ends, so that a fast machine does not fill its memory.
pub const MESSAGES_MAX: u64 = 1_000_000;

/// Bytes on the queue at which putting ends.
pub const BYTES_MAX: u64 = 1 << 30;

/// The longest that getting takes, in times of putting.
pub const GETTING_MAX: u32 = 5;

/// Messages of the run from which the rate of getting is known: few enough for a slow disk, which forces a
/// hundred a second.
const PROBE_MESSAGES: u64 = 200;

impl std::fmt::Display for OneWayWorkload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "one way, {} x {} B{}, {} thread(s) put, then get, {}, {}",
            report::kind_of_messages(self.persistent),
            self.bytes,
            self.unit.map_or(String::new(), |unit| format!(" in units of {unit}{}", self.ending.words())),
            self.threads,
            self.travel(),
            report::ending(&self.access, self.repetitions, self.measure)
        )
    }
}

impl report::Workload for OneWayWorkload {
    const BENCH: &'static str = "one-way";
    const COLUMNS: &'static [Column] = &[
        Column::new("puts_per_second", "   puts/s", 0),
        Column::new("put_p50_us", "p50 µs", 1),
        Column::new("put_p99_us", " p99 µs", 1),
        Column::new("put_p99_9_us", "p99.9 µs", 1),
        Column::new("gets_per_second", "   gets/s", 0),
        Column::new("get_p50_us", "p50 µs", 1),
        Column::new("get_p99_us", " p99 µs", 1),
        Column::new("get_p99_9_us", "p99.9 µs", 1),
        Column::new("put_server_cpu_us", "put: server CPU µs", 2),
        Column::new("put_client_cpu_us", "client", 2),
        Column::new("get_server_cpu_us", "get: server CPU µs", 2),
        Column::new("get_client_cpu_us", "client", 2),
        Column::new("put_forces", "forces: put", 3),
        Column::new("get_forces", "  get", 3),
        Column::new("put_flushes", "flushes: put", 3),
        Column::new("get_flushes", "  get", 3),
        Column::new("put_log_bytes", "log B: put", 0),
        Column::new("get_log_bytes", "  get", 0),
        Column::new("server_mib", "server MiB", 0),
        Column::new("put_network_bytes", "network B: put", 0),
        Column::new("get_network_bytes", "  get", 0),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// Runs the workload and prints what it finds.
///
/// # Errors
/// When a client fails or a message is missing.
pub fn run(
    access: &Arc<dyn Access>,
    workload: &OneWayWorkload,
    machine: &Machine,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    workload.check()?;
    report::repeat(output, workload, machine, interrupt, || workload.repetition(access, interrupt))
}

impl OneWayWorkload {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// When it makes no sense, with what it should be.
    pub fn check(&self) -> Result<()> {
        ensure!(self.threads > 0, "there must be a thread");
        ensure!(self.unit != Some(0), "a unit of work has at least one message");
        ensure!(self.unit.is_some() || self.ending.is_internal(), "without units of work none ends");
        ensure!(self.bytes >= BODY_BYTES_MIN, "a message has at least {BODY_BYTES_MIN} bytes");
        Ok(())
    }

    fn mode_of_gets(&self) -> Mode {
        self.get_mode.unwrap_or(self.mode)
    }

    /// Says how calls travel.
    fn travel(&self) -> String {
        match (self.mode, self.mode_of_gets()) {
            (Mode::RoundTrips, Mode::Pipelined) => "every put a round trip, read-ahead".into(),
            (Mode::Pipelined, Mode::RoundTrips) => "asynchronous put, every get a round trip".into(),
            (both, _) => both.to_string(),
        }
    }

    /// Runs one repetition; none when nothing was measured before the end.
    ///
    /// # Errors
    /// When a client fails or a message is missing.
    pub fn repetition(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Option<Row>> {
        let far = access::of_other_half(access);
        let queue = queue::define(&far, queue::name("ONEWAY")?)?;
        let remote = access::partner(&**access).map(|far| queue::define_remote(access, queue.name, far));
        let remote = remote.transpose()?;
        let mut room = self.room(None, self.measure);
        if !self.warm_up.is_zero() {
            let probe = PROBE_MESSAGES.max(self.messages_min());
            let [_, got] = self.both(access, queue.name, self.warm_up, probe, "warming up", interrupt)?;
            let warm = self.room(Some(got.rate()), self.warm_up);
            let [_, got] = self.both(access, queue.name, self.warm_up, warm, "warming up", interrupt)?;
            room = self.room(Some(got.rate()), self.measure);
        }
        let [put, got] = self.both(access, queue.name, self.measure, room, "putting", interrupt)?;
        drop(remote);
        let mut verbs = far.connect("ferry bench")?;
        queue.account_and_remove(&mut *verbs, 0)?;
        verbs.disconnect()?;
        if put.measured == 0 {
            return Ok(None);
        }
        // The server's memory while all messages lie on the queue.
        let [put_server, put_client, put_forces, put_flushes, put_log_bytes, _, server_mib, _, put_network] =
            put.usage.each(put.measured);
        let [get_server, get_client, get_forces, get_flushes, get_log_bytes, _, _, _, get_network] =
            got.usage.each(got.measured);
        let receiver = got.usage.far_each(got.measured);
        let (puts, gets) = (put.summary(), got.summary());
        Ok(Some(Row {
            values: vec![
                Some(put.rate()),
                puts.map(|puts| puts.p50),
                puts.map(|puts| puts.p99),
                puts.map(|puts| puts.p99_9),
                Some(got.rate()),
                gets.map(|gets| gets.p50),
                gets.map(|gets| gets.p99),
                gets.map(|gets| gets.p99_9),
                put_server,
                put_client,
                get_server,
                get_client,
                put_forces,
                get_forces,
                put_flushes,
                get_flushes,
                put_log_bytes,
                get_log_bytes,
                server_mib,
                put_network,
                get_network,
            ],
            more: json!({
                "accounted": put.tally.count,
                "put_seconds": put.elapsed.as_secs_f64(),
                "get_seconds": got.elapsed.as_secs_f64(),
                "put_mean_us": puts.map(|puts| puts.mean),
                "get_mean_us": gets.map(|gets| gets.mean),
                "receiver_cpu_us": receiver,
                "sender_cpu_us": get_server.zip(receiver).map(|(both, receiver)| both - receiver),
            }),
        }))
    }
}

impl OneWayWorkload {
    /// Returns true for gets that wait for the disk one by one while puts need not.
    pub(crate) fn gets_slower(&self) -> bool {
        self.persistent && self.unit.is_none() && self.mode == Mode::Pipelined
    }

    /// The least number of messages: a unit for each thread.
    fn messages_min(&self) -> u64 {
        self.threads as u64 * u64::from(self.unit.unwrap_or(1))
    }

    /// Most messages that are put in a time, where so many are got in a second, if that is known.
    fn room(&self, gets_per_second: Option<f64>, time: Duration) -> u64 {
        let most = MESSAGES_MAX.min(BYTES_MAX / self.bytes as u64);
        let got = gets_per_second.map(|rate| (rate * (time * GETTING_MAX).as_secs_f64()) as u64);
        got.map_or(most, |got| got.clamp(self.messages_min().min(most), most))
    }

    /// Puts for so long and no more than there is room for, then gets all of it.
    fn both(
        &self,
        access: &Arc<dyn Access>,
        queue: ObjectName,
        time: Duration,
        room: u64,
        what: &'static str,
        interrupt: &AtomicBool,
    ) -> Result<[Half; 2]> {
        let plan = Arc::new(OneWayPlan {
            workload: self.clone(),
            queue,
            time,
            what,
            shared: Shared::default(),
            room: AtomicU64::new(room),
            has_partner: access::partner(&**access).is_some(),
            on_their_way: AtomicU64::new(0),
        });
        let put = plan.half(access, interrupt, Direction::Put)?;
        plan.on_their_way.store(put.tally.count, Ordering::Relaxed);
        let got = plan.half(access, interrupt, Direction::Get)?;
        partner::stop(&**access)?;
        if put.tally != got.tally {
            let mut verbs = access::of_other_half(access).connect("ferry bench")?;
            bail!(
                "{} put, {} got, {} left on the queue: not all are accounted for, so nothing is reported",
                put.tally.count,
                got.tally.count,
                queue::depth(&mut *verbs, queue)?
            );
        }
        Ok([put, got])
    }
}

/// Time that a getter waits at once for what comes from another queue manager.
const WAIT: Duration = Duration::from_millis(10);

/// So many waits without a message that should come, and it is lost.
const WAITS_MAX: u32 = 3000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Put,
    Get,
}

/// State shared by all clients of a repetition.
struct OneWayPlan {
    workload: OneWayWorkload,
    queue: ObjectName,
    /// Time of putting.
    time: Duration,
    /// The name of that on a bar.
    what: &'static str,
    shared: Shared,
    /// Messages that may still be put.
    room: AtomicU64,
    /// Getters have a queue manager of their own: what is put waits at the other until they are there.
    has_partner: bool,
    /// Messages put and not got, while they are got.
    on_their_way: AtomicU64,
}

/// The account of one client, or of all of one direction.
#[derive(Default)]
struct Account {
    tally: Tally,
    measured: u64,
    /// Of units of work, or of single calls outside them.
    latencies: Latencies,
}

/// Putting or getting, as a whole.
struct Half {
    tally: Tally,
    measured: u64,
    latencies: Latencies,
    elapsed: Duration,
    usage: Usage,
}

impl Half {
    fn rate(&self) -> f64 {
        self.measured as f64 / self.elapsed.as_secs_f64()
    }

    fn summary(&self) -> Option<Summary> {
        self.latencies.summary()
    }
}

impl OneWayPlan {
    fn half(
        self: &Arc<Self>,
        access: &Arc<dyn Access>,
        interrupt: &AtomicBool,
        direction: Direction,
    ) -> Result<Half> {
        let threads = self.workload.threads;
        // Nobody begins before everybody is connected, nor before it is measured.
        let ready = Arc::new(Barrier::new(threads + 1));
        let half = match direction {
            Direction::Put => access.clone(),
            Direction::Get => access::of_other_half(access),
        };
        let clients: Result<Vec<_>> = (0..threads)
            .map(|number| {
                let (plan, access, ready) = (self.clone(), half.clone(), ready.clone());
                spawn(format!("{direction:?} {number}"), move || {
                    let client = Client::connect(&*access, &plan, direction);
                    // All are connected, and then they begin.
                    ready.wait();
                    ready.wait();
                    let done = client.and_then(|client| match direction {
                        Direction::Put => client.put_all(&plan, number as u32),
                        Direction::Get => client.get_all(&plan),
                    });
                    plan.shared.watch(done)
                })
            })
            .collect();
        let clients = clients?;
        // What connecting took is not of what is measured.
        ready.wait();
        let before = Moment::now(&**access, &[]);
        let begun = Instant::now();
        let started = match direction {
            Direction::Get => partner::start(&**access),
            Direction::Put => Ok(()),
        };
        ready.wait();
        self.shared.watch(started)?;
        if direction == Direction::Put {
            self.shared.run_for(self.time, interrupt, self.what);
            self.shared.enter(Phase::Done);
        }
        let (mut account, mut failure) = (Account::default(), None);
        for client in clients {
            match client.join().expect("a client does not panic") {
                Ok(one) => {
                    account.tally.join(one.tally);
                    account.measured += one.measured;
                    account.latencies.add(&one.latencies);
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        // Read before the answer to the question of the counters can cost anything.
        let elapsed = begun.elapsed();
        let usage = Moment::now(&**access, &[]).since(&before);
        match failure {
            Some(error) => Err(error),
            None => Ok(Half {
                tally: account.tally,
                measured: account.measured,
                latencies: account.latencies,
                elapsed,
                usage,
            }),
        }
    }

    /// Messages put or got between two looks at the clock.
    fn unit(&self) -> u64 {
        u64::from(self.workload.unit.unwrap_or(1))
    }

    /// Returns true if all came that were put at another queue manager.
    fn has_all(&self) -> bool {
        self.has_partner && self.on_their_way.load(Ordering::Relaxed) == 0
    }

    /// Takes room for one unit. False when there is none left, which ends it for all, or the time is over.
    ///
    /// The first unit of a putter does not look at the time.
    fn take_room(&self, is_first: bool) -> bool {
        if self.shared.is(Phase::Done) && !is_first {
            return false;
        }
        let less = |room: u64| room.checked_sub(self.unit());
        let taken = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok();
        if !taken {
            self.shared.enter(Phase::Done);
        }
        taken
    }
}

struct Client {
    verbs: Box<dyn Verbs + Send>,
    handle: ObjectHandle,
    coordinator: Coordinator,
    account: Account,
}

impl Client {
    fn connect(access: &dyn Access, plan: &OneWayPlan, direction: Direction) -> Result<Self> {
        let mut verbs = access.connect("ferry bench one-way")?;
        let options = match (direction, plan.workload.mode_of_gets()) {
            (Direction::Put, _) => OpenOptions::OUTPUT,
            (Direction::Get, Mode::Pipelined) => OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD,
            (Direction::Get, Mode::RoundTrips) => OpenOptions::INPUT_SHARED | OpenOptions::NO_READ_AHEAD,
        };
        let handle = verbs.open(&ObjectDescriptor::queue(plan.queue), options)?.handle;
        let coordinator = Coordinator::of(plan.workload.ending)?;
        Ok(Self { verbs, handle, coordinator, account: Account::default() })
    }

    fn put_all(mut self, plan: &OneWayPlan, number: u32) -> Result<Account> {
        let workload = &plan.workload;
        let persistence =
            if workload.persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        let point = if workload.unit.is_some() { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let response = match workload.mode {
            Mode::Pipelined => PutFlags::ASYNC_RESPONSE,
            Mode::RoundTrips => PutFlags::SYNC_RESPONSE,
        };
        // The first unit is put even if the time was over before this thread had its turn.
        while plan.take_room(self.account.measured == 0) {
            let begun = Instant::now();
            self.coordinator.begin(&mut *self.verbs)?;
            for _ in 0..plan.unit() {
                let sequence = self.account.tally.count;
                let mut body = vec![0x5A; workload.bytes];
                tally::mark(&mut body, number, sequence);
                let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
                let mut options = PutOptions::with(point | response);
                self.verbs
                    .put(self.handle, &mut descriptor, &mut options, Bytes::from(body))
                    .context("cannot put")?;
                self.account.tally.add(number, sequence);
            }
            if workload.unit.is_some() {
                self.coordinator.commit(&mut *self.verbs).context("cannot commit what was put")?;
            }
            self.account.measured += plan.unit();
            self.account.latencies.record(begun.elapsed());
        }
        self.end()
    }

    fn get_all(mut self, plan: &OneWayPlan) -> Result<Account> {
        let workload = &plan.workload;
        let point = if workload.unit.is_some() { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        // The last sequence of each putter: messages of one come in the order they were put.
        let mut last = vec![None; workload.threads];
        let (mut is_empty, mut waits) = (false, 0);
        let wait = if plan.has_partner { Wait::from(WAIT) } else { Wait::No };
        while !is_empty && !plan.shared.has_failed() {
            let (begun, before) = (Instant::now(), self.account.tally.count);
            self.coordinator.begin(&mut *self.verbs)?;
            for _ in 0..plan.unit() {
                is_empty = plan.has_all();
                if is_empty {
                    break;
                }
                let mut descriptor = MessageDescriptor::default();
                let mut options = GetOptions::with(point, wait);
                match self.verbs.get(self.handle, &mut descriptor, &mut options, workload.bytes) {
                    Ok(got) => {
                        self.account.tally.take(&got.body, workload.bytes, &mut last)?;
                        if plan.has_partner {
                            plan.on_their_way.fetch_sub(1, Ordering::Relaxed);
                            waits = 0;
                        }
                    }
                    Err(Reason::NO_MSG_AVAILABLE) => {
                        waits += 1;
                        let is_lost = !plan.has_partner || waits > WAITS_MAX;
                        is_empty = is_lost || plan.has_all();
                        break;
                    }
                    Err(reason) => return Err(reason).context("cannot get"),
                }
            }
            let count = self.account.tally.count - before;
            if workload.unit.is_some() && count > 0 {
                self.coordinator.commit(&mut *self.verbs).context("cannot commit what was got")?;
            } else {
                self.coordinator.leave(&mut *self.verbs)?;
            }
            if count > 0 {
                self.account.measured += count;
                self.account.latencies.record(begun.elapsed());
            }
        }
        self.end()
    }

    fn end(mut self) -> Result<Account> {
        self.verbs.close(self.handle, CloseOptions::EMPTY)?;
        self.verbs.disconnect()?;
        Ok(self.account)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::AtomicU32;

    use super::*;
    use crate::access::{Embedded, Way};

    /// A queue manager to which there are only so many connections.
    struct Few {
        way: Embedded,
        left: AtomicU32,
    }

    impl Access for Few {
        fn connect(&self, application: &str) -> Result<Box<dyn Verbs + Send>> {
            let less = |left: u32| left.checked_sub(1);
            let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
            left.ok().context("there is no connection left")?;
            self.way.connect(application)
        }

        fn command(&self, mqsc: &str) -> Result<String> {
            self.way.command(mqsc)
        }

        fn counters(&self) -> BTreeMap<String, u64> {
            BTreeMap::new()
        }

        fn server_pid(&self) -> Option<u32> {
            None
        }

        fn way(&self) -> Option<Way> {
            None
        }

        fn describe(&self) -> String {
            self.way.describe()
        }
    }

    #[test]
    fn a_run_that_fails_leaves_no_queue_behind() {
        let way = Embedded::open(&std::env::temp_dir()).expect("a queue manager");
        // The putter has the only connection; the getter has none, and everything stays on the queue.
        let access: Arc<dyn Access> = Arc::new(Few { way, left: AtomicU32::new(1) });
        let workload = OneWayWorkload {
            threads: 1,
            bytes: 64,
            persistent: false,
            unit: None,
            ending: Ending::Internal,
            mode: Mode::Pipelined,
            get_mode: None,
            warm_up: Duration::ZERO,
            measure: Duration::from_millis(20),
            repetitions: 1,
            access: access.describe(),
        };
        let error = workload.repetition(&access, &AtomicBool::new(false)).expect_err("nobody gets");
        assert!(error.to_string().contains("no connection left"), "{error:#}");
        let name = queue::name("ONEWAY").expect("a name");
        access.command(&format!("DISPLAY QLOCAL({name})")).expect_err("the queue is gone");
    }

    #[test]
    fn what_is_put_and_got_to_warm_up_is_not_counted() {
        let way = Embedded::open(&std::env::temp_dir()).expect("a queue manager");
        // The putter, the getter and the client that asks for the depth have a connection each, and four that
        // warm up have another.
        let few = Arc::new(Few { way, left: AtomicU32::new(7) });
        let access: Arc<dyn Access> = few.clone();
        let workload = OneWayWorkload {
            threads: 1,
            bytes: 64,
            persistent: false,
            unit: None,
            ending: Ending::Internal,
            mode: Mode::Pipelined,
            get_mode: None,
            warm_up: Duration::from_millis(20),
            // Over before a putter has its turn, on any machine.
            measure: Duration::ZERO,
            repetitions: 1,
            access: access.describe(),
        };
        let row = workload.repetition(&access, &AtomicBool::new(false)).expect("it runs").expect("a row");
        assert_eq!(few.left.load(Ordering::Relaxed), 0);
        let (rate, seconds) =
            (row.values[0].expect("a rate"), row.more["put_seconds"].as_f64().expect("a time"));
        let accounted = row.more["accounted"].as_f64().expect("a number");
        assert!((rate * seconds - accounted).abs() < 0.5, "{accounted} in {seconds} s at {rate}");
    }

    #[test]
    fn no_more_is_put_than_can_be_got_in_a_few_times_the_time_of_putting() {
        let access: Arc<dyn Access> =
            Arc::new(Embedded::open(&std::env::temp_dir()).expect("a queue manager"));
        let workload = |unit, bytes| OneWayWorkload {
            threads: 3,
            bytes,
            persistent: true,
            unit,
            ending: Ending::Internal,
            mode: Mode::Pipelined,
            get_mode: None,
            warm_up: Duration::ZERO,
            measure: Duration::from_secs(60),
            repetitions: 1,
            access: access.describe(),
        };
        let second = Duration::from_secs(1);
        for (unit, bytes, rate, expected) in [
            (None, 64, Some(100.0), 500),
            // A unit for each thread, however slow the getters are.
            (Some(50), 64, Some(1.0), 150),
            (None, 64, Some(1e9), MESSAGES_MAX),
            (None, 1 << 20, Some(1e9), 1 << 10),
            // Nothing is known.
            (None, 64, None, MESSAGES_MAX),
        ] {
            assert_eq!(workload(unit, bytes).room(rate, second), expected, "{unit:?} {bytes} {rate:?}");
        }
        // Putting ends where there is no more room, long before its time.
        let queue = queue::define(&access, queue::name("ONEWAY").expect("a name")).expect("a queue");
        let interrupt = AtomicBool::new(false);
        let workload = workload(None, 64);
        let done = workload.both(&access, queue.name, workload.measure, 10, "putting", &interrupt);
        let [put, got] = done.expect("it runs");
        assert_eq!((put.measured, got.measured), (10, 10));
        assert!(put.elapsed < workload.measure, "{:?}", put.elapsed);
    }

    #[test]
    fn gets_may_travel_another_way_than_puts() {
        let access: Arc<dyn Access> =
            Arc::new(Embedded::open(&std::env::temp_dir()).expect("a queue manager"));
        for (mode, get_mode, said) in [
            (Mode::RoundTrips, None, "every call a round trip"),
            (Mode::RoundTrips, Some(Mode::RoundTrips), "every call a round trip"),
            (Mode::RoundTrips, Some(Mode::Pipelined), "every put a round trip, read-ahead"),
            (Mode::Pipelined, Some(Mode::RoundTrips), "asynchronous put, every get a round trip"),
        ] {
            let workload = OneWayWorkload {
                threads: 1,
                bytes: 64,
                persistent: false,
                unit: None,
                ending: Ending::Internal,
                mode,
                get_mode,
                warm_up: Duration::ZERO,
                measure: Duration::ZERO,
                repetitions: 1,
                access: access.describe(),
            };
            assert!(workload.to_string().contains(said), "{workload}");
            workload.repetition(&access, &AtomicBool::new(false)).expect("it runs").expect("a row");
        }
    }

    #[test]
    fn units_of_work_end_by_the_program_or_by_a_coordinator_and_leave_nothing_in_doubt() {
        let access: Arc<dyn Access> =
            Arc::new(Embedded::open(&std::env::temp_dir()).expect("a queue manager"));
        for (ending, said) in [
            (Ending::Internal, "in units of 3, "),
            (Ending::OnePhase, "in units of 3 of a coordinator, one-phase"),
            (Ending::TwoPhase, "in units of 3 of a coordinator, two-phase"),
            (Ending::Floor, "in units of 3 and two forced writes"),
        ] {
            let measure = Duration::from_millis(5);
            let any = any_workload(&access);
            let workload = OneWayWorkload { threads: 2, unit: Some(3), ending, measure, ..any };
            assert!(workload.to_string().contains(said), "{workload}");
            let row = workload.repetition(&access, &AtomicBool::new(false)).expect("it runs").expect("a row");
            let accounted = row.more["accounted"].as_u64().expect("a number");
            assert!(accounted >= 6 && accounted.is_multiple_of(3), "{accounted}");
            let list = mqi::branch::BranchList { most: 1, ..Default::default() };
            let mut left = None;
            let mut verbs = access.connect("ferry bench").expect("a connection");
            verbs.on_branches(&mut |branches| left = Some(branches.list_branches(&list))).expect("branches");
            assert_eq!(left, Some(Ok(Vec::new())));
        }
        let without = OneWayWorkload { unit: None, ..any_workload(&access) };
        assert!(OneWayWorkload { ending: Ending::TwoPhase, ..without }.check().is_err());
    }

    fn any_workload(access: &Arc<dyn Access>) -> OneWayWorkload {
        OneWayWorkload {
            threads: 1,
            bytes: 64,
            persistent: true,
            unit: Some(1),
            ending: Ending::Internal,
            mode: Mode::RoundTrips,
            get_mode: None,
            warm_up: Duration::ZERO,
            measure: Duration::ZERO,
            repetitions: 1,
            access: access.describe(),
        }
    }
}
