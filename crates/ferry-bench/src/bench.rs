//! `ferry bench`: the workloads of `perf`, against a queue manager of their own or one that is told.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use perf::access::Channels;
use perf::beside::{self, Side};
use perf::bodies::Bodies;
use perf::line::{Suite, Wanted, Way};
use perf::machine::Machine;
use perf::program::Program;
use perf::report::{self, Keeping, Output};
use perf::request_reply::{self, Mode, Units};
use perf::target::{self, LogPlace, Place, Target};
use perf::{
    compare, correlation, fastpath, floors, interrupt, one_way, relay, restart, slow_subscribers,
    subscriptions, workloads,
};

use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};
use terminal::units;

use crate::size;

/// Most bytes of a message, by the format of messages.
const MESSAGE_BYTES_MAX: usize = 100 << 20;

/// The benches.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Request/reply: round trips a second, latencies, processor time for each
    Rr(RequestReply),
    /// Request/reply beside another that keeps the queue manager busy: latencies and rate, alone and beside
    /// it
    Beside(Beside),
    /// Put to one queue, then get from it: the rates of each
    OneWay(OneWay),
    /// Get by correlation identifier on an empty and on a deep queue
    Corrid(Correlation),
    /// Time from kill -9 to ready with so much log to replay
    Restart(Restart),
    /// Many subscriptions: memory of one, cost of a publication beside few and many, time from kill -9 to
    /// ready
    Subscriptions(Subscriptions),
    /// Publications while some subscribers have stopped: rate of the others, and what the stopped find after
    /// kill -9
    SlowSubscribers(SlowSubscribers),
    /// Put and get pairs in this process
    Fastpath(Fastpath),
    /// Figures of this machine without a queue manager: a byte over TCP and back, a forced write, a copy in
    /// memory
    Floors(Floors),
    /// Request/reply through a program that only copies: what this machine takes for it, whatever stands
    /// between
    Relay(Relay),
    /// The disk that the log needs for a rate of messages: bytes and forces a second, beside those of the
    /// disk
    Size(size::SizeArguments),
    /// Tables and charts that can be measured
    List,
    /// Measure the points of tables and charts, in turn
    Run(Run),
    /// Measure two builds of this program in turns: the ratio of their rates, with its spread
    Compare(Compare),
    /// Clients of a request/reply bench in a process of their own, which the bench starts
    #[command(hide = true)]
    Clients,
}

/// The way to a queue manager of the bench's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Transport {
    Tcp,
    Unix,
    Rings,
    Embedded,
}

impl From<Transport> for target::Transport {
    fn from(transport: Transport) -> Self {
        match transport {
            Transport::Tcp => Self::Tcp,
            Transport::Unix => Self::Unix,
            Transport::Rings => Self::Rings,
            Transport::Embedded => Self::Embedded,
        }
    }
}

/// Number of repetitions and time of each.
#[derive(Debug, Args)]
struct Repeat {
    /// Time to measure in each repetition
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "5s")]
    time: Duration,
    /// Repetitions
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
}

/// The place that keeps the runs.
#[derive(Debug, Args)]
struct Keep {
    /// Keep every run in this directory, as a line of JSON in NAME.jsonl
    #[arg(long, value_name = "DIRECTORY")]
    results: Option<PathBuf>,
}

/// Options of `bench rr`.
#[derive(Debug, Args)]
pub(crate) struct RequestReply {
    /// Clients that ask
    #[arg(short, long, default_value_t = 1, value_name = "CLIENTS")]
    clients: usize,
    /// Threads of each client that asks, which is a process then; responders are another
    #[arg(long, value_name = "THREADS", conflicts_with = "processes")]
    threads: Option<usize>,
    /// Clients that answer [default: one for each four that ask, with --syncpoint for each two, at least one
    /// for each request queue]
    #[arg(long, value_name = "CLIENTS")]
    responders: Option<usize>,
    /// Processes that the clients are in; one is that of the bench
    #[arg(long, value_name = "PROCESSES", default_value_t = 1)]
    processes: usize,
    /// Bytes of request and reply
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "2048", value_name = "BYTES")]
    size: u64,
    /// Persistent messages
    #[arg(short = 'P', long)]
    persistent: bool,
    /// Puts and gets in units of work
    #[arg(long)]
    syncpoint: bool,
    /// Every call a round trip, replies from a shared queue by correlation identifier; otherwise puts are
    /// asynchronous and messages read ahead
    #[arg(long)]
    round_trips: bool,
    /// Requests a client has under way; with --syncpoint those of one unit of work
    #[arg(short = 'W', long, default_value_t = 1, value_name = "REQUESTS")]
    window: usize,
    /// Requests a second of all clients together [default: as many as they can]
    #[arg(long, value_name = "REQUESTS", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
    /// Messages that lie on the reply queue and are nobody's reply; with --round-trips
    #[arg(long, value_name = "MESSAGES", default_value_t = 0, requires = "round_trips")]
    preloaded: u64,
    /// Request queues that the clients use in turn, and with --round-trips as many reply queues
    #[arg(long, value_name = "QUEUES", default_value_t = 1)]
    queues: usize,
    /// Bodies of JSON text instead of one byte again and again
    #[arg(long)]
    json: bool,
    /// Connections that are there and do nothing, each on a socket of its own with --share 1
    #[arg(long, value_name = "CONNECTIONS", default_value_t = 0)]
    idle: usize,
    /// Time to run before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    /// Way to the bench's own queue manager; --connect measures another
    #[arg(long, value_enum, default_value = "tcp")]
    transport: Transport,
    /// Most clients that share a socket, 1 for a socket each [default: what SHARECNV allows]
    #[arg(long, value_name = "CLIENTS", value_parser = clap::value_parser!(u16).range(1..))]
    share: Option<u16>,
    /// Queue managers of the bench: with 2 responders have one of their own, and a message channel goes each
    /// way
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    queue_managers: u8,
    /// Compress bodies on the way to the bench's own queue manager: rle, zlibfast, zlibhigh, lz4fast or
    /// lz4high
    #[arg(long, value_name = "ALGORITHM")]
    compress: Option<Way>,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench beside`.
#[derive(Debug, Args)]
pub(crate) struct Beside {
    /// Clients in front that ask
    #[arg(short, long, default_value_t = 1, value_name = "CLIENTS")]
    clients: usize,
    /// Persistent messages in front
    #[arg(short = 'P', long)]
    persistent: bool,
    /// Clients behind that ask
    #[arg(long, default_value_t = 64, value_name = "CLIENTS")]
    background_clients: usize,
    /// Requests a client behind has under way; with persistent messages those of one unit of work
    #[arg(long, default_value_t = 1, value_name = "REQUESTS")]
    background_window: usize,
    /// Persistent messages behind, in units of work
    #[arg(long)]
    background_persistent: bool,
    /// Per cent of its peak that those behind ask at; the peak is measured first
    #[arg(long, default_value_t = 50, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(1..=100))]
    load: u32,
    /// Bytes of request and reply
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "2048", value_name = "BYTES")]
    size: u64,
    /// Time to run before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    /// Way to the bench's own queue manager; --connect measures another
    #[arg(long, value_enum, default_value = "tcp")]
    transport: Transport,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench one-way`.
#[derive(Debug, Args)]
pub(crate) struct OneWay {
    /// Threads that put, and then threads that get, each with a connection of its own
    #[arg(long, default_value_t = 1, value_name = "THREADS")]
    threads: usize,
    /// Bytes of a message
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "1000", value_name = "BYTES")]
    size: u64,
    /// Persistent messages
    #[arg(short = 'P', long)]
    persistent: bool,
    /// Messages in one unit of work
    #[arg(short, long, value_name = "MESSAGES", value_parser = clap::value_parser!(u32).range(1..))]
    unit: Option<u32>,
    /// Every call a round trip; otherwise puts are asynchronous and messages read ahead
    #[arg(long)]
    round_trips: bool,
    /// Messages are read ahead all the same, and every put is a round trip; with --round-trips
    #[arg(long, requires = "round_trips")]
    read_ahead: bool,
    /// Queue managers of the bench: with 2 all that is put waits at one until it is got from the other
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    queue_managers: u8,
    /// Time to put before measuring; all of it is got
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    /// Way to the bench's own queue manager; --connect measures another
    #[arg(long, value_enum, default_value = "tcp")]
    transport: Transport,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench corrid`.
#[derive(Debug, Args)]
pub(crate) struct Correlation {
    /// Messages on the deep queue
    #[arg(short, long, default_value_t = 1_000_000, value_name = "MESSAGES")]
    depth: u64,
    /// Bytes of a message
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "2048", value_name = "BYTES")]
    size: u64,
    /// Gets measured at each depth in a repetition
    #[arg(long, default_value_t = 10_000, value_name = "GETS", value_parser = clap::value_parser!(u64).range(1..))]
    gets: u64,
    /// Way to the bench's own queue manager; --connect measures another
    #[arg(long, value_enum, default_value = "tcp")]
    transport: Transport,
    /// Repetitions
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench restart`.
#[derive(Debug, Args)]
pub(crate) struct Restart {
    /// Log to fill
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "1GiB", value_name = "BYTES")]
    log: u64,
    /// Bytes of a message
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "2048", value_name = "BYTES")]
    size: u64,
    /// Repetitions
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench subscriptions`.
#[derive(Debug, Args)]
pub(crate) struct Subscriptions {
    /// Durable subscriptions, each with a topic of its own
    #[arg(short, long, default_value_t = 100_000, value_name = "SUBSCRIPTIONS", value_parser = clap::value_parser!(u64).range(11..))]
    subscriptions: u64,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench slow-subscribers`.
#[derive(Debug, Args)]
pub(crate) struct SlowSubscribers {
    /// Durable subscribers to one topic
    #[arg(short, long, default_value_t = 100, value_name = "SUBSCRIBERS", value_parser = clap::value_parser!(u32).range(2..))]
    subscribers: u32,
    /// Number of these that stop
    #[arg(long, default_value_t = 30, value_name = "SUBSCRIBERS", value_parser = clap::value_parser!(u32).range(1..))]
    stopped: u32,
    /// Bytes of a publication; memory is judged where each that stopped has a share of more than 256 bytes in
    /// it
    #[arg(long, value_parser = units::parse_bytes, default_value = "16KiB", value_name = "BYTES")]
    size: u64,
    /// Time to run before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench fastpath`.
#[derive(Debug, Args)]
pub(crate) struct Fastpath {
    /// Threads, each with a connection and a queue of its own
    #[arg(long, default_value_t = 1, value_name = "THREADS")]
    threads: usize,
    /// Bytes of a message
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "2048", value_name = "BYTES")]
    size: u64,
    /// Persistent messages
    #[arg(short = 'P', long)]
    persistent: bool,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench relay`.
#[derive(Debug, Args)]
pub(crate) struct Relay {
    /// Clients that ask, each a thread with a socket of its own
    #[arg(short, long, default_value_t = 1, value_name = "CLIENTS", value_parser = clap::value_parser!(u32).range(1..))]
    clients: u32,
    /// Clients that answer [default: one for each four that ask, at least one]
    #[arg(long, value_name = "CLIENTS", value_parser = clap::value_parser!(u32).range(1..))]
    responders: Option<u32>,
    /// Requests a client has under way
    #[arg(short = 'W', long, default_value_t = 1, value_name = "REQUESTS", value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Bytes of request and reply, at least 16
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "2048", value_name = "BYTES")]
    size: u64,
    /// Time to run before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench floors`.
#[derive(Debug, Args)]
pub(crate) struct Floors {
    /// Directory whose disk takes the forced writes [default: that for temporary files]
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    /// Time to measure each in each repetition
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "500ms")]
    time: Duration,
    /// Repetitions
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Names that `ferry bench list` shows, or workload files
    #[arg(required = true, value_name = "WORKLOAD")]
    workloads: Vec<String>,
    /// First, middle and last point along each list only
    #[arg(long)]
    quick: bool,
    /// Time to run before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    #[command(flatten)]
    repeat: Repeat,
    #[command(flatten)]
    keep: Keep,
}

/// Options of `bench compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// Program to compare with, such as ferry of the last release
    first: PathBuf,
    /// Program to compare
    second: PathBuf,
    /// Names that `ferry bench list` shows, or workload files
    #[arg(value_name = "WORKLOAD", default_value = "one-client-persistent")]
    workloads: Vec<String>,
    /// First, middle and last point along each list only
    #[arg(long)]
    quick: bool,
    /// Time to run before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    /// Time to measure in each turn
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "5s")]
    time: Duration,
    /// Turns of each build; the spread is that of the middle from six on
    #[arg(short, long, value_name = "TIMES", default_value_t = 6)]
    repeat: usize,
    /// Keep every comparison in this directory, in compare.jsonl, which `ferry report` shows where it is
    /// among its results
    #[arg(long, value_name = "DIRECTORY")]
    results: Option<PathBuf>,
}

impl Compare {
    fn options(&self) -> compare::Options {
        compare::Options {
            builds: [self.first.clone(), self.second.clone()],
            warm_up: self.warm_up,
            measure: self.time,
            turns: self.repeat,
            quick: self.quick,
            results: self.results.clone(),
        }
    }
}

/// Runs a workload.
pub(crate) fn run(common: &Common, command: &Command) -> Result<()> {
    let flag = interrupt::listen(None)?;
    match command {
        Command::Rr(arguments) => {
            let target = reach(common, arguments.place(common)?)?;
            let workload = arguments.workload(&target);
            request_reply::run(
                &target.access,
                &workload,
                &target.machine,
                &output(common, &arguments.keep)?,
                &flag,
            )?;
        }
        Command::Beside(arguments) => {
            let target = reach(common, alone(arguments.transport))?;
            let workload = arguments.workload(&target)?;
            beside::run(
                &target.access,
                &workload,
                &target.machine,
                &output(common, &arguments.keep)?,
                &flag,
            )?;
        }
        Command::OneWay(arguments) => {
            let place = Place { queue_managers: arguments.queue_managers, ..alone(arguments.transport) };
            let target = reach(common, place)?;
            let workload = one_way::OneWayWorkload {
                threads: arguments.threads,
                bytes: bytes(arguments.size)?,
                persistent: arguments.persistent,
                unit: arguments.unit,
                ending: perf::coordinator::Ending::Internal,
                mode: mode(arguments.round_trips),
                get_mode: arguments.read_ahead.then_some(Mode::Pipelined),
                warm_up: arguments.warm_up,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
                access: target.access.describe(),
            };
            one_way::run(
                &target.access,
                &workload,
                &target.machine,
                &output(common, &arguments.keep)?,
                &flag,
            )?;
        }
        Command::Corrid(arguments) => {
            let target = reach(common, alone(arguments.transport))?;
            let workload = correlation::CorrelationWorkload {
                depth: arguments.depth,
                bytes: bytes(arguments.size)?,
                gets: arguments.gets,
                repetitions: arguments.repeat,
                access: target.access.describe(),
            };
            correlation::run(
                &target.access,
                &workload,
                &target.machine,
                &output(common, &arguments.keep)?,
                &flag,
            )?;
        }
        Command::Restart(arguments) => {
            let workload = restart::RestartWorkload {
                log_bytes: arguments.log,
                message_bytes: bytes(arguments.size)?,
                repetitions: arguments.repeat,
            };
            restart::run(&Program::ferry()?.path, &workload, &output(common, &arguments.keep)?, &flag)?;
        }
        Command::Subscriptions(arguments) => {
            let workload = subscriptions::SubscriptionsWorkload {
                subscriptions: arguments.subscriptions,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
            };
            subscriptions::run(&Program::ferry()?.path, &workload, &output(common, &arguments.keep)?, &flag)?;
        }
        Command::SlowSubscribers(arguments) => {
            let workload = slow_subscribers::SlowSubscribersWorkload {
                subscribers: arguments.subscribers as usize,
                stopped: arguments.stopped as usize,
                bytes: bytes(arguments.size)?,
                warm_up: arguments.warm_up,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
            };
            slow_subscribers::run(
                &Program::ferry()?.path,
                &workload,
                &output(common, &arguments.keep)?,
                &flag,
            )?;
        }
        Command::Fastpath(arguments) => {
            let target = reach(common, alone(Transport::Embedded))?;
            let workload = fastpath::FastpathWorkload {
                threads: arguments.threads,
                bytes: bytes(arguments.size)?,
                persistent: arguments.persistent,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
            };
            fastpath::run(
                &target.access,
                &workload,
                &target.machine,
                &output(common, &arguments.keep)?,
                &flag,
            )?;
        }
        Command::Floors(arguments) => {
            let directory = arguments.directory.clone().unwrap_or_else(std::env::temp_dir);
            let machine = Machine::of(&directory);
            let workload =
                floors::FloorsWorkload { directory, measure: arguments.time, repetitions: arguments.repeat };
            let output = output(common, &arguments.keep)?;
            report::repeat(&output, &workload, &machine, &flag, || workload.repetition())?;
        }
        Command::Size(arguments) => {
            let target = reach(common, alone(Transport::Tcp))?;
            let workload = perf::size::SizeWorkload {
                rate: arguments.rate,
                bytes: bytes(arguments.size)?,
                threads: arguments.threads,
                unit: arguments.unit,
                directory: arguments.directory.clone().unwrap_or_else(std::env::temp_dir),
                warm_up: arguments.warm_up,
                measure: arguments.time,
                repetitions: arguments.repeat,
                access: target.access.describe(),
            };
            workload.check()?;
            let output = output(common, &Keep { results: arguments.results.clone() })?;
            let repetition = || workload.repetition(&target.access, &flag);
            report::repeat(&output, &workload, &target.machine, &flag, repetition)?;
        }
        Command::Relay(arguments) => {
            let requesters = arguments.clients as usize;
            let responders = arguments.responders.map(|count| count as usize);
            let workload = relay::RelayWorkload {
                requesters,
                responders: responders.unwrap_or_else(|| Units::None.responders_for(requesters)),
                window: arguments.window as usize,
                bytes: bytes(arguments.size)?,
                warm_up: arguments.warm_up,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
            };
            let output = output(common, &arguments.keep)?;
            let machine = Machine::of(&std::env::temp_dir());
            report::repeat(&output, &workload, &machine, &flag, || workload.repetition(&flag))?;
        }
        Command::Clients => request_reply::serve()?,
        Command::List => list(common.output)?,
        Command::Compare(arguments) => {
            let options = arguments.options();
            if common.output == Format::Table {
                output::print_line(compare::describe(&options.builds)?)?;
            }
            for name in &arguments.workloads {
                for compared in compare::run((name, &workloads::find(name)?), &options, &flag)? {
                    match common.output {
                        Format::Table => output::print_line(compared)?,
                        Format::Json => output::print_json(&compared)?,
                    }
                }
            }
        }
        Command::Run(arguments) => {
            let options = workloads::Options {
                warm_up: arguments.warm_up,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
                quick: arguments.quick,
                results: arguments.keep.results.clone(),
                resume: false,
                format: Some(form(common)),
                ferry: Program::ferry()?,
            };
            let files: Vec<_> = arguments
                .workloads
                .iter()
                .map(|name| workloads::find(name))
                .collect::<anyhow::Result<_>>()?;
            let campaigns: Vec<_> = files
                .iter()
                .map(|file| workloads::Campaign::new(file, &options))
                .collect::<anyhow::Result<_>>()?;
            for campaign in campaigns {
                let failures = campaign.run(&flag, None)?;
                if let Some(first) = failures.into_iter().next() {
                    return Err(first.into());
                }
            }
        }
    }
    if flag.load(Ordering::Relaxed) {
        return Err(Failure::new(Exit::Failed, "interrupted: what is printed is what there was until then"));
    }
    Ok(())
}

fn form(common: &Common) -> report::Format {
    match common.output {
        Format::Table => report::Format::Text,
        Format::Json => report::Format::Json,
    }
}

/// Where the runs of a bench go. Only what is kept says of which build it is: to know that the whole program
/// is read.
fn output(common: &Common, keep: &Keep) -> Result<Output> {
    let kept = match keep.results.clone() {
        Some(directory) => Some(Keeping { directory, build: Program::ferry()?.build }),
        None => None,
    };
    Ok(Output { format: form(common), kept })
}

fn mode(round_trips: bool) -> Mode {
    if round_trips { Mode::RoundTrips } else { Mode::Pipelined }
}

fn bytes(size: u64) -> Result<usize> {
    usize::try_from(size)
        .ok()
        .filter(|size| *size <= MESSAGE_BYTES_MAX)
        .ok_or_else(|| Failure::usage("a message has at most 100 MiB"))
}

impl RequestReply {
    /// The place that is asked for. `--tls` without keys is for those that the bench makes.
    fn place(&self, common: &Common) -> Result<Place> {
        let Self { share, queue_managers, compress, .. } = *self;
        let of_bench = common.tls.as_deref().filter(|_| common.key_store.is_none());
        let tls = of_bench
            .map(str::parse::<Suite>)
            .transpose()
            .map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Place { share, queue_managers, line: Wanted { compress, tls }, ..alone(self.transport) })
    }

    fn workload(&self, target: &Target) -> request_reply::RequestReplyWorkload {
        let units = if self.syncpoint { Units::All } else { Units::None };
        let requesters = self.clients.saturating_mul(self.threads.unwrap_or(1));
        let workload = request_reply::RequestReplyWorkload {
            requesters,
            responders: self.responders.unwrap_or_else(|| units.responders_for(requesters).max(self.queues)),
            processes: self.processes,
            bytes: usize::try_from(self.size).unwrap_or(usize::MAX),
            persistent: self.persistent,
            units,
            rate: self.rate,
            preloaded: self.preloaded,
            queues: self.queues,
            bodies: if self.json { Bodies::Json } else { Bodies::Filled },
            idle: self.idle,
            clients: None,
            threads: None,
            mode: mode(self.round_trips),
            window: self.window,
            api: perf::jms::Api::Native,
            warm_up: self.warm_up,
            measure: self.repeat.time,
            repetitions: self.repeat.repeat,
            access: target.access.describe(),
        };
        match self.threads {
            Some(threads) => workload.in_grid(self.clients, threads),
            None => workload,
        }
    }
}

impl Beside {
    fn workload(&self, target: &Target) -> Result<beside::BesideWorkload> {
        let foreground = Side { requesters: self.clients, window: 1, persistent: self.persistent };
        let background = Side {
            requesters: self.background_clients,
            window: self.background_window,
            persistent: self.background_persistent,
        };
        let mut workload = beside::BesideWorkload::new(foreground, background, bytes(self.size)?, self.load);
        workload.run_for(self.warm_up, self.repeat.time);
        workload.repetitions = self.repeat.repeat;
        workload.reach(&target.access.describe());
        Ok(workload)
    }
}

/// The queue manager that is measured: the one that is told, or one of the bench's own.
fn reach(common: &Common, wanted: Place) -> Result<Target> {
    if common.connect.is_some() || common.context.is_some() || common.qmgr.is_some() {
        if !wanted.line.is_plain() {
            return Err(Failure::usage(
                "--compress, and --tls without --key-store, are for the bench's own queue manager: leave them or --connect and --qmgr out",
            ));
        }
        if wanted.queue_managers > 1 {
            return Err(Failure::usage(
                "two queue managers are the bench's own: leave --queue-managers or --connect and --qmgr out",
            ));
        }
        let place = connect::place(common)?;
        let data = connect::data_directory(common)?;
        let channels = Channels::new(place.address, place.process).sharing(wanted.share);
        return Ok(Target::reached(Arc::new(channels), Machine::of(data.path())));
    }
    Ok(Target::start(&Program::ferry()?.path, wanted)?)
}

/// One queue manager, reached so.
fn alone(transport: Transport) -> Place {
    Place::at(transport.into(), None, LogPlace::Disk)
}

fn list(format: Format) -> Result<()> {
    for file in workloads::all()? {
        match format {
            Format::Json => output::print_json(&serde_json::json!({
                "name": file.name, "title": file.title(), "items": file.items(),
                "variants": file.variants().len(), "not_yet": file.not_yet(),
            }))?,
            Format::Table => {
                let state = match file.not_yet() {
                    Some(why) => format!("not yet: {why}"),
                    None => format!("{} points", file.variants().len()),
                };
                output::print_line(format!(
                    "{:30} {}\n{:30} {} ({state})",
                    file.name,
                    file.title(),
                    "",
                    file.items().join(" ")
                ))?;
            }
        }
    }
    Ok(())
}
