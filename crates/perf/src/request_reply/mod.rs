//! Request/reply: requesters put and wait for the reply to each request, responders answer.
//!
//! Lives here: the workload, its run, and the accounts that a run must balance before it is reported.
//! Lives elsewhere: what one client does (`client`).

mod client;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use mqi::{AttributeValue, CloseOptions, ObjectDescriptor, ObjectName, OpenOptions, Selector};
use serde::Serialize;
use serde_json::json;

use crate::access::{Access, LOG_BYTES, LOG_RECORDS, LOG_WRITES};
use crate::latency::Latencies;
use crate::machine::Machine;
use crate::processor;
use crate::report::{self, Column, Format, Row, Status};
use client::{Phase, Plan, Requester, Responder, Shared};

/// How calls travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Puts do not wait for their reply, and messages come before they are asked for; each requester has its own
    /// reply queue.
    Pipelined,
    /// Every call is a round trip; requesters share a reply queue and get by correlation identifier.
    RoundTrips,
}

/// What is measured.
#[derive(Clone, Debug, Serialize)]
pub struct Workload {
    /// Clients that ask.
    pub requesters: usize,
    /// Clients that answer.
    pub responders: usize,
    /// Bytes of request and of reply.
    pub bytes: usize,
    /// Whether messages are persistent.
    pub persistent: bool,
    /// Whether puts and gets are in units of work.
    pub unit_of_work: bool,
    /// How calls travel.
    pub mode: Mode,
    /// Requests a requester has under way at a time; in units of work, requests in one unit.
    pub window: usize,
    /// How long to run before measuring.
    pub warm_up: Duration,
    /// How long to measure.
    pub measure: Duration,
    /// How often to repeat.
    pub repetitions: usize,
    /// How the queue manager is reached.
    pub access: String,
}

impl std::fmt::Display for Workload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "request/reply, {} x {} B{}, {} requester(s) with {} under way, {} responder(s), {}, {}, {} x {:.0} s",
            report::kind_of_messages(self.persistent),
            self.bytes,
            if self.unit_of_work { " in units of work" } else { "" },
            self.requesters,
            self.window,
            self.responders,
            match self.mode {
                Mode::Pipelined => "asynchronous put and read-ahead",
                Mode::RoundTrips => "every call a round trip, replies by correlation identifier",
            },
            self.access,
            self.repetitions,
            self.measure.as_secs_f64()
        )
    }
}

impl report::Workload for Workload {
    const BENCH: &'static str = "rr";
    const COLUMNS: &'static [Column] = &[
        Column::new("round_trips_per_second", "round trips/s", 0),
        Column::new("mean_us", " mean µs", 1),
        Column::new("p50_us", "  p50 µs", 1),
        Column::new("p99_us", "  p99 µs", 1),
        Column::new("p99_9_us", "p99.9 µs", 1),
        Column::new("server_cpu_us", "server CPU µs", 1),
        Column::new("client_cpu_us", "client CPU µs", 1),
        Column::new("forces", "forces each", 3),
        Column::new("log_bytes", "log B each", 0),
        Column::new("records", "records each", 2),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// Runs the workload and prints what it finds. Ends early, with what there is, when `interrupt` is set.
///
/// # Errors
/// When a client fails, a message is missing, or standard output is gone.
pub fn run(
    access: &Arc<dyn Access>,
    workload: &Workload,
    machine: &Machine,
    format: Format,
    interrupt: &AtomicBool,
) -> Result<()> {
    ensure!(workload.requesters > 0 && workload.responders > 0, "there must be a requester and a responder");
    ensure!(workload.window > 0, "a requester must have at least one request under way");
    ensure!(
        workload.bytes >= client::BODY_BYTES_MIN,
        "a message has at least {} bytes",
        client::BODY_BYTES_MIN
    );
    report::repeat(format, workload, machine, interrupt, || {
        let measured = repetition(access, workload, interrupt)?;
        let found_something = measured.round_trips > 0;
        Ok(found_something.then(|| Row { values: measured.values(), more: measured.more() }))
    })
}

/// One repetition, measured and accounted for.
struct Measured {
    round_trips: u64,
    elapsed: Duration,
    latencies: Latencies,
    server_processor: Option<Duration>,
    client_processor: Duration,
    forces: Option<u64>,
    log_bytes: Option<u64>,
    records: Option<u64>,
    /// Requests put and replies got over the whole repetition, warm-up included.
    accounted: u64,
    server_resident: Option<u64>,
}

impl Measured {
    fn values(&self) -> Vec<Option<f64>> {
        let each = |total: f64| total / self.round_trips as f64;
        let summary = self.latencies.summary();
        vec![
            Some(self.round_trips as f64 / self.elapsed.as_secs_f64()),
            Some(summary.mean),
            Some(summary.p50),
            Some(summary.p99),
            Some(summary.p99_9),
            self.server_processor.map(|time| each(time.as_secs_f64() * 1e6)),
            Some(each(self.client_processor.as_secs_f64() * 1e6)),
            self.forces.map(|forces| each(forces as f64)),
            self.log_bytes.map(|bytes| each(bytes as f64)),
            self.records.map(|records| each(records as f64)),
        ]
    }

    fn more(&self) -> serde_json::Value {
        json!({
            "seconds": self.elapsed.as_secs_f64(),
            "round_trips": self.round_trips,
            "accounted": self.accounted,
            "max_us": self.latencies.summary().max,
            "server_resident_bytes": self.server_resident,
        })
    }
}

fn repetition(access: &Arc<dyn Access>, workload: &Workload, interrupt: &AtomicBool) -> Result<Measured> {
    let queues = Queues::define(access, workload)?;
    let shared = Arc::new(Shared::default());
    let plan = Arc::new(Plan { workload: workload.clone(), request: queues.request });
    // Nobody begins before everybody is connected.
    let ready = Arc::new(Barrier::new(workload.requesters + workload.responders + 1));

    let mut responders = Vec::new();
    for number in 0..workload.responders {
        let (access, plan, shared, ready) = (access.clone(), plan.clone(), shared.clone(), ready.clone());
        responders.push(spawn(format!("responder {number}"), move || {
            let responder = Responder::connect(&*access, &plan);
            ready.wait();
            shared.watch(responder.and_then(|responder| responder.run(&plan, &shared)))
        })?);
    }
    let mut requesters = Vec::new();
    for number in 0..workload.requesters {
        let (access, plan, shared, ready) = (access.clone(), plan.clone(), shared.clone(), ready.clone());
        let reply = queues.replies[number % queues.replies.len()];
        requesters.push(spawn(format!("requester {number}"), move || {
            let requester = Requester::connect(&*access, &plan, number as u32, reply);
            ready.wait();
            shared.watch(requester.and_then(|requester| requester.run(&plan, &shared)))
        })?);
    }
    ready.wait();

    shared.enter(Phase::WarmUp);
    sleep(workload.warm_up, &shared, interrupt, "warming up");
    let before = Snapshot::take(&**access);
    shared.enter(Phase::Measure);
    sleep(workload.measure, &shared, interrupt, "measuring");
    shared.enter(Phase::Done);
    let after = Snapshot::take(&**access);
    let server_resident = access.server_pid().and_then(processor::resident_bytes);

    let mut round_trips = 0;
    let mut latencies = Latencies::default();
    let (mut requested, mut replied, mut answered) = (0, 0, 0);
    let mut failures = Vec::new();
    for requester in requesters {
        match requester.join().expect("a requester does not panic") {
            Ok(account) => {
                round_trips += account.measured;
                requested += account.requested;
                replied += account.replied;
                latencies.add(&account.latencies);
            }
            Err(error) => failures.push(error),
        }
    }
    shared.end_responders();
    for responder in responders {
        match responder.join().expect("a responder does not panic") {
            Ok(count) => answered += count,
            Err(error) => failures.push(error),
        }
    }
    if let Some(error) = failures.into_iter().next() {
        return Err(error);
    }
    ensure!(
        requested == replied && requested == answered,
        "{requested} requests, {answered} answers, {replied} replies: not all are accounted for, so nothing is reported"
    );
    queues.remove(access)?;
    Ok(Measured {
        round_trips,
        elapsed: after.at - before.at,
        latencies,
        server_processor: after.server.zip(before.server).map(|(after, before)| after - before),
        client_processor: after.own - before.own,
        forces: after.forces.zip(before.forces).map(|(after, before)| after - before),
        log_bytes: after.log_bytes.zip(before.log_bytes).map(|(after, before)| after - before),
        records: after.records.zip(before.records).map(|(after, before)| after - before),
        accounted: requested,
        server_resident,
    })
}

/// Clients need little; a thousand of them should not need a thousand times eight MiB.
const STACK_BYTES: usize = 512 << 10;

fn spawn<T: Send + 'static>(
    name: String,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>> {
    thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(work).context("cannot start a thread")
}

fn sleep(time: Duration, shared: &Shared, interrupt: &AtomicBool, what: &str) {
    let mut status = Status::default();
    let begun = Instant::now();
    while begun.elapsed() < time && !shared.has_failed() && !interrupt.load(Ordering::Relaxed) {
        status.show(&format!("{what} {:.0} of {:.0} s", begun.elapsed().as_secs_f64(), time.as_secs_f64()));
        thread::sleep(Duration::from_millis(20).min(time.saturating_sub(begun.elapsed())));
    }
    status.clear();
}

/// What counters said at one moment.
struct Snapshot {
    at: Instant,
    own: Duration,
    server: Option<Duration>,
    forces: Option<u64>,
    log_bytes: Option<u64>,
    records: Option<u64>,
}

impl Snapshot {
    fn take(access: &dyn Access) -> Self {
        let counters = access.counters();
        Self {
            forces: counters.get(LOG_WRITES).copied(),
            log_bytes: counters.get(LOG_BYTES).copied(),
            records: counters.get(LOG_RECORDS).copied(),
            server: access.server_pid().and_then(processor::of_process),
            own: processor::own(),
            at: Instant::now(),
        }
    }
}

/// The queues of one repetition, named after this process so that nobody else's are touched.
struct Queues {
    request: ObjectName,
    replies: Vec<ObjectName>,
}

impl Queues {
    fn define(access: &Arc<dyn Access>, workload: &Workload) -> Result<Self> {
        let prefix = format!("BENCH.{}", std::process::id());
        let replies = match workload.mode {
            Mode::Pipelined => {
                (0..workload.requesters).map(|number| format!("{prefix}.REPLY.{number}")).collect()
            }
            Mode::RoundTrips => vec![format!("{prefix}.REPLY")],
        };
        let queues = Self {
            request: format!("{prefix}.REQUEST").parse()?,
            replies: replies.iter().map(|name| name.parse()).collect::<std::result::Result<_, _>>()?,
        };
        for name in queues.all() {
            access.command(&format!("DEFINE QLOCAL({name}) REPLACE MAXDEPTH(999999) DEFPSIST(NO) SHARE"))?;
        }
        Ok(queues)
    }

    fn all(&self) -> impl Iterator<Item = &ObjectName> {
        std::iter::once(&self.request).chain(&self.replies)
    }

    /// Removes them; a message that is still there is one too many.
    fn remove(&self, access: &Arc<dyn Access>) -> Result<()> {
        let mut verbs = access.connect("ferry bench")?;
        for name in self.all() {
            let opened = verbs.open(&ObjectDescriptor::queue(*name), OpenOptions::INQUIRE)?;
            let depth =
                verbs.inquire(opened.handle, &[Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH)])?.values;
            if depth != [AttributeValue::Integer(0)] {
                bail!(
                    "{name} still holds {depth:?} messages: not all are accounted for, so nothing is reported"
                );
            }
            verbs.close(opened.handle, CloseOptions::EMPTY)?;
            access.command(&format!("DELETE QLOCAL({name})"))?;
        }
        Ok(verbs.disconnect()?)
    }
}
