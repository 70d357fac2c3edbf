//! `ferry bench`: the workloads of `perf`, against a queue manager of their own or one that is told.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use perf::access::{Access, Channels, Embedded};
use perf::machine::Machine;
use perf::request_reply::{self, Mode};
use perf::server_process::ServerProcess;
use perf::{correlation, fastpath, restart};

use crate::arguments::Common;
use crate::connect;
use crate::failure::{Exit, Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::Format;
use crate::units;

/// What to measure.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Request/reply: round trips a second, latencies, processor time for each
    Rr(RequestReply),
    /// Get by correlation identifier on an empty and on a deep queue
    Corrid(Correlation),
    /// Time from kill -9 to ready with so much log to replay
    Restart(Restart),
    /// Put and get pairs in this process
    Fastpath(Fastpath),
}

/// How the queue manager is reached when it is the bench's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Transport {
    Tcp,
    Unix,
    Embedded,
}

/// How often and for how long.
#[derive(Debug, Args)]
struct Repeat {
    /// Measure so long in each repetition
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "5s")]
    time: Duration,
    /// Repeat so often
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
}

/// Options of `bench rr`.
#[derive(Debug, Args)]
pub(crate) struct RequestReply {
    /// Clients that ask
    #[arg(short, long, default_value_t = 1, value_name = "CLIENTS")]
    clients: usize,
    /// Clients that answer [default: one for each four that ask, at least one]
    #[arg(long, value_name = "CLIENTS")]
    responders: Option<usize>,
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
    /// Run so long before measuring
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    warm_up: Duration,
    /// How the bench's own queue manager is reached; --connect measures another
    #[arg(long, value_enum, default_value = "tcp")]
    transport: Transport,
    /// Clients that share a socket, as SHARECNV allows
    #[arg(long, value_name = "CLIENTS", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    share: u16,
    #[command(flatten)]
    repeat: Repeat,
}

/// Options of `bench corrid`.
#[derive(Debug, Args)]
pub(crate) struct Correlation {
    /// Messages on the deep queue
    #[arg(short, long, default_value_t = 1_000_000, value_name = "MESSAGES")]
    depth: u64,
    /// Bytes of a message
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "64", value_name = "BYTES")]
    size: u64,
    /// Gets measured at each depth in a repetition
    #[arg(long, default_value_t = 10_000, value_name = "GETS")]
    gets: u64,
    /// How the bench's own queue manager is reached; --connect measures another
    #[arg(long, value_enum, default_value = "tcp")]
    transport: Transport,
    /// Repeat so often
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
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
    /// Repeat so often
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    repeat: usize,
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
}

/// Runs a workload.
pub(crate) fn run(common: &Common, command: &Command) -> Result<()> {
    let interrupt = Interrupt::listen()?;
    let flag = interrupt.flag();
    let format = match common.output {
        Format::Table => perf::report::Format::Text,
        Format::Json => perf::report::Format::Json,
    };
    match command {
        Command::Rr(arguments) => {
            let target = Target::reach(common, arguments.transport, arguments.share)?;
            let workload = arguments.workload(&target);
            request_reply::run(&target.access, &workload, &target.machine, format, &flag)?;
        }
        Command::Corrid(arguments) => {
            let target = Target::reach(common, arguments.transport, 1)?;
            let workload = correlation::Workload {
                depth: arguments.depth,
                bytes: bytes(arguments.size)?,
                gets: arguments.gets,
                repetitions: arguments.repeat,
                access: target.access.describe(),
            };
            correlation::run(&target.access, &workload, &target.machine, format, &flag)?;
        }
        Command::Restart(arguments) => {
            let workload = restart::Workload {
                log_bytes: arguments.log,
                message_bytes: bytes(arguments.size)?,
                repetitions: arguments.repeat,
            };
            restart::run(&std::env::current_exe()?, &workload, format, &flag)?;
        }
        Command::Fastpath(arguments) => {
            let target = Target::reach(common, Transport::Embedded, 1)?;
            let workload = fastpath::Workload {
                threads: arguments.threads,
                bytes: bytes(arguments.size)?,
                persistent: arguments.persistent,
                measure: arguments.repeat.time,
                repetitions: arguments.repeat.repeat,
            };
            fastpath::run(&target.access, &workload, &target.machine, format, &flag)?;
        }
    }
    if interrupt.is_wanted() {
        return Err(Failure::new(Exit::Failed, "interrupted: what is printed is what there was until then"));
    }
    Ok(())
}

fn bytes(size: u64) -> Result<usize> {
    usize::try_from(size)
        .ok()
        .filter(|size| *size <= super::get::MESSAGE_BYTES_MAX)
        .ok_or_else(|| Failure::usage("a message has at most 100 MiB"))
}

/// Requesters for each responder when their number is not given.
const CLIENTS_PER_RESPONDER: usize = 4;

impl RequestReply {
    fn workload(&self, target: &Target) -> request_reply::Workload {
        request_reply::Workload {
            requesters: self.clients,
            responders: self.responders.unwrap_or_else(|| self.clients.div_ceil(CLIENTS_PER_RESPONDER)),
            bytes: usize::try_from(self.size).unwrap_or(usize::MAX),
            persistent: self.persistent,
            unit_of_work: self.syncpoint,
            mode: if self.round_trips { Mode::RoundTrips } else { Mode::Pipelined },
            window: self.window,
            warm_up: self.warm_up,
            measure: self.repeat.time,
            repetitions: self.repeat.repeat,
            access: target.access.describe(),
        }
    }
}

/// The queue manager that is measured; one of our own ends with this.
struct Target {
    access: Arc<dyn Access>,
    machine: Machine,
    /// Dropped after the access, so that connections end before what they lead to.
    _server: Option<ServerProcess>,
}

impl Target {
    fn reach(common: &Common, transport: Transport, share: u16) -> Result<Self> {
        let share = usize::from(share);
        if common.connect.is_some() || common.qmgr.is_some() {
            let place = connect::place(common)?;
            let data = connect::data_directory(common);
            let access: Arc<dyn Access> =
                Arc::new(Channels::new(place.address, place.process).sharing(share));
            return Ok(Self { access, machine: Machine::of(data.path()), _server: None });
        }
        if transport == Transport::Embedded {
            let access: Arc<dyn Access> = Arc::new(Embedded::open()?);
            return Ok(Self { access, machine: Machine::of(&std::env::temp_dir()), _server: None });
        }
        let server = ServerProcess::start(&own_program()?, OWN_SETTINGS)?;
        let access: Arc<dyn Access> = match transport {
            Transport::Unix => Arc::new(Channels::local(&server)?.sharing(share)),
            _ => Arc::new(Channels::tcp(&server)?.sharing(share)),
        };
        Ok(Self { access, machine: Machine::of(server.data()), _server: Some(server) })
    }
}

fn own_program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

/// As delivered, but for a port that does not meet another's.
const OWN_SETTINGS: &str = "[listener]\naddresses = [\"127.0.0.1:0\"]\n";
