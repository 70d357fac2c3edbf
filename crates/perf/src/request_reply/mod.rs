//! Request/reply: requesters put and wait for the reply to each request, responders answer.
//!
//! Lives here: the workload, its run, and the accounts that a run must balance before it is reported.
//! Lives elsewhere: the work of one client (`client`), the clients of one process (`crew`), other processes
//! (`process`), the least that a round trip takes (`floor`).

mod client;
mod crew;
mod floor;
mod process;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use mqi::{MessageDescriptor, ObjectDescriptor, ObjectName, OpenOptions, Persistence, PutFlags, PutOptions};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::access::{self, Access};
use crate::bodies::{self, Bodies};
use crate::idle::Idle;
use crate::jms::{self, Api, Requests};
use crate::latency::Latencies;
use crate::machine::Machine;
use crate::partner;
use crate::queue::{self, Defined};
use crate::report::{self, Column, Output, Row};
use crate::run::{Moment, Phase, Shared, Usage};
use crate::tally;
use crate::told::Told;
use client::Plan;
use crew::{Crew, Share};
use process::Order;

pub use client::Account;
pub(crate) use floor::Floor;
pub use process::{ClientProcess, serve};

/// The way calls travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Puts do not wait for their reply, and messages come before they are asked for; each requester has its
    /// own reply queue.
    Pipelined,
    /// Every call is a round trip; requesters share a reply queue and get by correlation identifier.
    RoundTrips,
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Pipelined => "asynchronous put and read-ahead",
            Self::RoundTrips => "every call a round trip",
        })
    }
}

/// The clients whose puts and gets are in units of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Units {
    /// Nobody's.
    None,
    /// The get of a request and the put of its reply are one unit.
    Responders,
    /// So are the requesters' puts, and their gets.
    All,
}

impl Units {
    /// Clients that answer so many requesters, where no number is given: enough that one of them waits for
    /// the next request. In a unit of work a responder is busy for as long as its commit waits for the forced
    /// write, and with a quarter of the requesters all of them are.
    #[must_use]
    pub const fn responders_for(self, requesters: usize) -> usize {
        let requesters_each = match self {
            Self::All => 2,
            Self::None | Self::Responders => 4,
        };
        requesters.div_ceil(requesters_each)
    }
}

impl RequestReplyWorkload {
    /// One requester and one responder that make one round trip after the other: others are told by their
    /// differences.
    pub(crate) fn of_one_pair() -> Self {
        Self {
            requesters: 1,
            responders: 1,
            processes: 1,
            bytes: 64,
            persistent: false,
            units: Units::None,
            mode: Mode::RoundTrips,
            window: 1,
            rate: None,
            preloaded: 0,
            queues: 1,
            bodies: Bodies::Filled,
            idle: 0,
            clients: None,
            threads: None,
            api: Api::Native,
            warm_up: Duration::ZERO,
            measure: Duration::ZERO,
            repetitions: 1,
            access: String::new(),
        }
    }
}

/// The workload to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestReplyWorkload {
    /// Clients that ask.
    pub requesters: usize,
    /// Clients that answer.
    pub responders: usize,
    /// Processes that the clients are in; one for this one.
    pub processes: usize,
    /// Bytes of request and of reply.
    pub bytes: usize,
    /// Messages are persistent.
    pub persistent: bool,
    /// The clients whose puts and gets are in units of work.
    pub units: Units,
    /// The way calls travel.
    pub mode: Mode,
    /// Requests a requester has under way at a time; in units of work, requests in one unit.
    pub window: usize,
    /// Requests a second of all requesters together; none for as many as they can.
    pub rate: Option<u32>,
    /// Messages that lie on the reply queue and are nobody's reply.
    pub preloaded: u64,
    /// Request queues, and as many reply queues where requesters share one: clients use them in turn.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub queues: usize,
    /// The content of requests and replies.
    #[serde(default, skip_serializing_if = "Bodies::are_filled")]
    pub bodies: Bodies,
    /// Connections that are there and do nothing.
    pub idle: usize,
    /// Clients that ask, each a process with as many threads; none where requesters are dealt out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clients: Option<usize>,
    /// Threads of each of these clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The interface that the clients use.
    #[serde(default)]
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

/// The number of queues in a workload that was kept before there could be several.
fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(queues: &usize) -> bool {
    *queues == 1
}

impl fmt::Display for RequestReplyWorkload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "request/reply{}, {} x {} B{}{}, {} requester(s){} with {} under way, {} responder(s){}{}, {}{}, {}",
            self.api,
            report::kind_of_messages(self.persistent),
            self.bytes,
            self.bodies,
            match self.units {
                Units::None => "",
                Units::Responders => ", responders in units of work",
                Units::All => " in units of work",
            },
            self.requesters,
            self.grid()
                .map_or(String::new(), |(clients, threads)| format!(" ({clients} x {threads} threads)")),
            self.window,
            self.responders,
            if self.processes > 1 { format!(" in {} processes", self.processes) } else { String::new() },
            if self.queues > 1 { format!(", {} queues in turn", self.queues) } else { String::new() },
            self.mode,
            if self.mode == Mode::RoundTrips { ", replies by correlation identifier" } else { "" },
            report::ending(&self.access, self.repetitions, self.measure)
        )
    }
}

impl report::Workload for RequestReplyWorkload {
    const BENCH: &'static str = "rr";
    const COLUMNS: &'static [Column] =
        &report::joined::<{ TIMES.len() + Usage::COUNT }>(&TIMES, &Usage::COLUMNS);

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// Most requesters, each a thread: as many as there are connections to a queue manager as delivered.
const REQUESTERS_MAX: usize = 10_000;

/// So often it is looked whether a first round trip was measured, where none was in the time for it.
const LOOK: Duration = Duration::from_millis(20);

/// Rate and times, and what connections that do nothing cost beside them.
const TIMES: [Column; 6] = [
    Column::new("round_trips_per_second", "round trips/s", 0),
    Column::new("mean_us", " mean µs", 1),
    Column::new("p50_us", "  p50 µs", 1),
    Column::new("p99_us", "  p99 µs", 1),
    Column::new("p99_9_us", "p99.9 µs", 1),
    Column::new("idle_kib", "idle KiB each", 1),
];

/// Runs the workload and prints what it finds. Ends early, with what there is, when `interrupt` is set.
///
/// # Errors
/// When a client fails, a message is missing, or standard output is gone.
pub fn run(
    access: &Arc<dyn Access>,
    workload: &RequestReplyWorkload,
    machine: &Machine,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    workload.check()?;
    report::repeat(output, workload, machine, interrupt, || workload.repetition(access, interrupt))
}

impl RequestReplyWorkload {
    fn suits_jms(&self) -> bool {
        self.window == 1 && self.units == Units::None && self.rate.is_none() && self.bodies == Bodies::Filled
    }

    fn persistence(&self) -> Persistence {
        if self.persistent { Persistence::Persistent } else { Persistence::NotPersistent }
    }

    /// Makes its requesters so many clients of so many threads, in a process each, and puts responders into
    /// another.
    #[must_use]
    pub fn in_grid(self, clients: usize, threads: usize) -> Self {
        let requesters = clients.saturating_mul(threads);
        let processes = clients.saturating_add(1);
        Self { requesters, processes, clients: Some(clients), threads: Some(threads), ..self }
    }

    /// Clients and the threads of each, where requesters are dealt out so.
    fn grid(&self) -> Option<(usize, usize)> {
        self.clients.zip(self.threads)
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// When it makes no sense, with what it should be.
    pub fn check(&self) -> Result<()> {
        ensure!(self.requesters > 0 && self.responders > 0, "there must be a requester and a responder");
        ensure!(self.requesters <= REQUESTERS_MAX, "there are at most {REQUESTERS_MAX} requesters");
        ensure!(self.processes > 0, "clients are in at least one process");
        ensure!(
            self.processes <= self.requesters + self.responders,
            "{} processes are more than there are clients: use fewer",
            self.processes
        );
        ensure!(self.window > 0, "a requester must have at least one request under way");
        ensure!(
            self.bytes >= tally::BODY_BYTES_MIN,
            "a message has at least {} bytes",
            tally::BODY_BYTES_MIN
        );
        ensure!(
            self.bodies == Bodies::Filled || self.bytes >= bodies::JSON_BYTES_MIN,
            "a message of JSON has at least {} bytes",
            bodies::JSON_BYTES_MIN
        );
        ensure!(self.queues > 0, "there must be a request queue");
        ensure!(
            self.queues <= self.responders,
            "{} request queues need as many responders: give --responders {}",
            self.queues,
            self.queues
        );
        ensure!(
            self.queues == 1 || self.preloaded == 0,
            "messages can lie on one reply queue only: leave --preloaded or --queues out"
        );
        ensure!(self.rate != Some(0), "a fixed rate is at least one request a second");
        ensure!(
            self.api == Api::Native || self.suits_jms(),
            "clients of JMS have one request under way each, no units of work, no fixed rate and bodies that are filled"
        );
        ensure!(
            self.preloaded == 0 || self.mode == Mode::RoundTrips,
            "messages can lie on a reply queue that is read by correlation identifier only (round trips)"
        );
        Ok(())
    }

    /// Runs one repetition; none when nothing was measured before the end.
    ///
    /// # Errors
    /// When a client fails or a message is missing.
    pub fn repetition(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Option<Row>> {
        let measured = Measured::of(self, access, interrupt)?;
        let found_something = measured.round_trips > 0;
        Ok(found_something.then(|| Row { values: measured.values(), more: measured.more() }))
    }
}

/// One repetition, measured and accounted for.
struct Measured {
    round_trips: u64,
    elapsed: Duration,
    latencies: Latencies,
    usage: Usage,
    /// Requests put and replies got over the whole repetition, warm-up included.
    accounted: u64,
    idle_bytes_each: Option<f64>,
    /// Bytes that compression saved, in per cent.
    saved_percent: Option<f64>,
}

impl Measured {
    fn of(workload: &RequestReplyWorkload, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Self> {
        let idle = Idle::connect(access, workload.idle)?;
        let queues = Queues::define(access, workload, interrupt)?;
        partner::start(&**access)?;
        let shared = Arc::new(Shared::default());
        shared.enter(Phase::WarmUp);
        let mut clients = Clients::start(workload, access, &queues, &shared)?;
        clients.begin()?;

        shared.run_for(workload.api.warm_up(workload.warm_up, workload.measure), interrupt, "warming up");
        let (before, begun) = (Moment::now(&**access, &clients.processes()), Instant::now());
        shared.enter(Phase::Measure);
        clients.tell(Told::Measure)?;
        shared.run_for(workload.measure, interrupt, "measuring");
        // A disk that stands still for longer than that is in the figures, not a reason to have none.
        while !clients.have_measured(&shared)? && !interrupt.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        // Before the clients end: what a thread used is told as long as it lives.
        let usage = Moment::now(&**access, &clients.processes()).since(&before);
        let saved_percent = access.saved();
        shared.enter(Phase::Done);
        clients.tell(Told::Done)?;
        let elapsed = begun.elapsed();

        let (account, answered) = clients.end()?;
        let Account { requested, replied, measured, latencies } = account;
        ensure!(
            requested == replied && requested == answered,
            "{requested} requests, {answered} answers, {replied} replies: not all are accounted for, so nothing is reported"
        );
        partner::stop(&**access)?;
        queues.remove(access, workload.preloaded)?;
        let idle_bytes_each = idle.bytes_each;
        idle.disconnect()?;
        Ok(Self {
            round_trips: measured,
            elapsed,
            latencies,
            usage,
            accounted: requested,
            idle_bytes_each,
            saved_percent,
        })
    }

    fn values(&self) -> Vec<Option<f64>> {
        let summary = self.latencies.summary();
        let mut values = vec![
            Some(self.round_trips as f64 / self.elapsed.as_secs_f64()),
            summary.map(|summary| summary.mean),
            summary.map(|summary| summary.p50),
            summary.map(|summary| summary.p99),
            summary.map(|summary| summary.p99_9),
            self.idle_bytes_each.map(|bytes| bytes / 1024.0),
        ];
        values.extend(self.usage.each(self.round_trips));
        values
    }

    fn more(&self) -> serde_json::Value {
        json!({
            "seconds": self.elapsed.as_secs_f64(),
            "round_trips": self.round_trips,
            "accounted": self.accounted,
            "max_us": self.latencies.summary().map(|summary| summary.max),
            "far_cpu_us": self.usage.far_each(self.round_trips),
            "saved_percent": self.saved_percent,
        })
    }
}

/// All clients of a repetition, in this process or in others.
enum Clients {
    Here(Crew),
    Apart(Vec<ClientProcess>),
}

impl Clients {
    /// Connects them all.
    fn start(
        workload: &RequestReplyWorkload,
        access: &Arc<dyn Access>,
        queues: &Queues,
        shared: &Arc<Shared>,
    ) -> Result<Self> {
        let shares = Share::deal(workload);
        let names = |names: Vec<ObjectName>| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (requests, replies) = (names(queues.request_names()), names(queues.reply_names()));
        if workload.api == Api::Jms {
            let address = jms::address(&**access)?;
            let started = shares.iter().map(|share| {
                let clients = Requests {
                    address: &address,
                    requests: &requests,
                    replies: &replies,
                    is_shared: workload.mode == Mode::RoundTrips,
                    requesters: &share.requesters,
                    responders: &share.responders,
                    bytes: workload.bytes,
                    persistent: workload.persistent,
                };
                ClientProcess::of_jms(&clients)
            });
            return Self::connected(started.collect::<Result<_>>()?);
        }
        if let [share] = &shares[..] {
            let plan = Arc::new(Plan { workload: workload.clone(), requests: queues.request_names() });
            let crew = Crew::start(access, &plan, shared, share, &queues.reply_names())?;
            crew.wait_connected();
            return Ok(Self::Here(crew));
        }
        let way = access.way();
        let way = way.context(
            "a queue manager in this process has no clients in others: use --transport unix or tcp",
        )?;
        let processes = shares.into_iter().map(|share| {
            let (way, workload) = (way.clone(), workload.clone());
            ClientProcess::start(&Order {
                way,
                workload,
                share,
                requests: requests.clone(),
                replies: replies.clone(),
            })
        });
        Self::connected(processes.collect::<Result<_>>()?)
    }

    fn connected(mut processes: Vec<ClientProcess>) -> Result<Self> {
        processes.iter_mut().try_for_each(|clients| clients.process_mut().wait_connected())?;
        Ok(Self::Apart(processes))
    }

    /// The processes they are in, where these are others.
    fn processes(&self) -> Vec<u32> {
        match self {
            Self::Here(_) => Vec::new(),
            Self::Apart(processes) => processes.iter().map(|clients| clients.process().id()).collect(),
        }
    }

    fn begin(&mut self) -> Result<()> {
        if let Self::Here(crew) = self {
            crew.begin();
        }
        self.tell(Told::Begin)
    }

    /// Returns true if one of them measured a round trip, or failed, so that none may come.
    fn have_measured(&mut self, shared: &Shared) -> Result<bool> {
        match self {
            Self::Here(_) => Ok(shared.has_measured()),
            Self::Apart(processes) => {
                for clients in processes {
                    if clients.process_mut().has_measured()? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Tells the other processes; those here see it in what they share.
    fn tell(&mut self, told: Told) -> Result<()> {
        match self {
            Self::Here(_) => Ok(()),
            Self::Apart(processes) => {
                processes.iter_mut().try_for_each(|clients| clients.process_mut().tell(told))
            }
        }
    }

    /// Returns the account of the requesters, and the number of requests answered.
    fn end(self) -> Result<(Account, u64)> {
        let mut account = Account::default();
        let mut answered = 0;
        match self {
            Self::Here(mut crew) => {
                let mut failures = Vec::new();
                account.join(&crew.requesters(&mut failures));
                answered += crew.responders(&mut failures);
                if let Some(error) = failures.into_iter().next() {
                    return Err(error);
                }
            }
            Self::Apart(mut processes) => {
                for process in &mut processes {
                    account.join(&process.requesters()?);
                }
                for process in &mut processes {
                    answered += process.responders()?;
                }
            }
        }
        Ok((account, answered))
    }
}

/// The queues of one repetition, named after this process and numbered, so that nobody else's are touched.
struct Queues {
    requests: Vec<Defined>,
    /// The names of request queues where responders have a queue manager of their own.
    remote: Vec<Defined>,
    replies: Vec<Defined>,
}

impl Queues {
    fn define(
        access: &Arc<dyn Access>,
        workload: &RequestReplyWorkload,
        interrupt: &AtomicBool,
    ) -> Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let scene = NUMBER.fetch_add(1, Ordering::Relaxed);
        let replies = match workload.mode {
            Mode::Pipelined => {
                (0..workload.requesters).map(|number| format!("{scene}.REPLY.{number}")).collect()
            }
            Mode::RoundTrips if workload.queues == 1 => vec![format!("{scene}.REPLY")],
            Mode::RoundTrips => {
                (0..workload.queues).map(|number| format!("{scene}.REPLY.{number}")).collect()
            }
        };
        let requests: Vec<String> = match workload.queues {
            1 => vec![format!("{scene}.REQUEST")],
            queues => (0..queues).map(|number| format!("{scene}.REQUEST.{number}")).collect(),
        };
        let far = access::of_other_half(access);
        let define = |names: &[String], access| {
            names.iter().map(|name| queue::define(access, queue::name(name)?)).collect()
        };
        let requests: Result<Vec<Defined>> = define(&requests, &far);
        let requests = requests?;
        let remote = match access::partner(&**access) {
            None => Vec::new(),
            Some(far) => requests
                .iter()
                .map(|queue| queue::define_remote(access, queue.name, far))
                .collect::<Result<_>>()?,
        };
        let replies: Result<Vec<Defined>> = define(&replies, access);
        let queues = Self { requests, remote, replies: replies? };
        queues.preload(access, workload, interrupt)?;
        Ok(queues)
    }

    /// Puts messages that are nobody's reply on the reply queue.
    fn preload(
        &self,
        access: &Arc<dyn Access>,
        workload: &RequestReplyWorkload,
        interrupt: &AtomicBool,
    ) -> Result<()> {
        let [queue] = &self.replies[..] else { return Ok(()) };
        let mut verbs = access.connect("ferry bench")?;
        let handle = verbs.open(&ObjectDescriptor::queue(queue.name), OpenOptions::OUTPUT)?.handle;
        let body = Bytes::from(vec![0x5A; workload.bytes]);
        let filled = queue::fill(&mut *verbs, workload.preloaded, interrupt, |verbs, flags| {
            let mut descriptor =
                MessageDescriptor { persistence: workload.persistence(), ..MessageDescriptor::default() };
            let mut options = PutOptions::with(flags | PutFlags::NEW_CORREL_ID);
            Ok(verbs.put(handle, &mut descriptor, &mut options, body.clone())?)
        })?;
        ensure!(filled == workload.preloaded, "interrupted while the reply queue was filled");
        Ok(verbs.disconnect()?)
    }

    fn request_names(&self) -> Vec<ObjectName> {
        self.requests.iter().map(|queue| queue.name).collect()
    }

    fn reply_names(&self) -> Vec<ObjectName> {
        self.replies.iter().map(|queue| queue.name).collect()
    }

    /// Removes them; a message that is still there, beside those that lay there before, is one too many.
    fn remove(self, access: &Arc<dyn Access>, preloaded: u64) -> Result<()> {
        drop(self.remote);
        let mut far = access::of_other_half(access).connect("ferry bench")?;
        for queue in self.requests {
            queue.account_and_remove(&mut *far, 0)?;
        }
        far.disconnect()?;
        let mut verbs = access.connect("ferry bench")?;
        for queue in self.replies {
            queue.account_and_remove(&mut *verbs, preloaded)?;
        }
        Ok(verbs.disconnect()?)
    }
}
