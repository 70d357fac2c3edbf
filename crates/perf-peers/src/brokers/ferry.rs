//! Ours by AMQP 1.0, with the lean client that measures the other brokers of AMQP.
//!
//! Lives elsewhere: ours by its own protocol, with which everything is compared (`ours`).

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::amqp10::AmqpBroker;
use super::jms;
use super::server::Server;
use crate::broker::{Broker, End, Kind, Linked, Offer, Peer, Program, Scene, Side};
use crate::install;
use crate::process::free_port;

/// Names of queues and topics begin so.
const PREFIX: &str = "PEERS.";

/// Longest time from the first call that is answered to the first command that is taken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Pause between two attempts at a command.
const LOOK_EACH: Duration = Duration::from_millis(100);

/// Its name.
const NAME: &str = "PEERS";

/// A channel that makes the queues which clients name, as deep as a workload fills them.
const OBJECTS: &str = "DEFINE QMODEL(PEERS.MODEL) MAXDEPTH(999999999) SHARE DEFSOPT(SHARED) DEFTYPE(PERMDYN)
DEFINE CHANNEL(PEERS.AMQP) CHLTYPE(AMQP) AUTOMDL(PEERS.MODEL) AUTOPRF('PEERS.*')
";

/// The program of ours.
pub(super) struct Ferry(pub(super) PathBuf);

impl Peer for Ferry {
    fn name(&self) -> &'static str {
        "ferry-amqp"
    }

    fn package(&self) -> &'static str {
        "this tree (cargo build --release -p cli)"
    }

    fn find(&self) -> Result<Option<Program>> {
        if !self.0.is_file() {
            return Ok(None);
        }
        install::program(self.0.clone(), "--version").map(Some)
    }

    fn install(&self) -> Result<()> {
        anyhow::bail!("there is no {}: cargo build --release -p cli makes it", self.0.display())
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        let preloaded =
            Offer::Guarantees("in memory; a link with a selector for each reply, found by an index");
        let lasting =
            "log on the disk before a put is confirmed; gets are accepted, and get and put are no unit";
        jms::offers(kind, durable, preloaded, lasting)
    }

    fn start(&self, program: &Program, _durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        let (data, address) = (directory.join("data"), free_port()?);
        create(program, NAME, &data, address)?;
        let server = serve(program, NAME, &data, directory, address)?;
        define(program, NAME, &data, directory, OBJECTS)?;
        Ok(Box::new(AmqpBroker { server, queues: PREFIX, topics: PREFIX }))
    }
}

/// Creates a queue manager whose listener serves AMQP as well.
fn create(program: &Program, name: &str, data: &Path, address: SocketAddr) -> Result<()> {
    let (port, channel) = (address.port().to_string(), "listener.amqp_channel=\"PEERS.AMQP\"");
    let mut command = Command::new(&program.path);
    command.args(["qmgr", "create", name, "--port", &port, "--set", channel, "--data"]).arg(data);
    install::run(&mut command)
}

fn serve(
    program: &Program,
    name: &str,
    data: &Path,
    directory: &Path,
    address: SocketAddr,
) -> Result<Server> {
    let data = data.display().to_string();
    let arguments = ["qmgr", "start", name, "--data", &data].map(str::to_owned);
    Server::at(address, &program.path, directory, &arguments)
}

/// Defines objects, as soon as a queue manager that listens takes commands.
fn define(program: &Program, name: &str, data: &Path, directory: &Path, objects: &str) -> Result<()> {
    let script = directory.join("peers.mqsc");
    std::fs::write(&script, objects)?;
    let until = Instant::now() + PATIENCE;
    loop {
        let mut command = Command::new(&program.path);
        command.args(["mqsc", name, "-f"]).arg(&script).arg("--data").arg(data);
        let is_early = |said: &str| said.contains("is starting") || said.contains("does not run");
        match install::run(&mut command) {
            Err(error) if Instant::now() < until && is_early(&format!("{error:#}")) => {
                thread::sleep(LOOK_EACH);
            }
            done => return done.context("its queues and channels cannot be defined"),
        }
    }
}

/// Two queue managers with a sender and a receiver.
pub(super) fn linked(ferry: &Path) -> Linked {
    Linked {
        peer: Box::new(Ferry(ferry.to_owned())),
        settings: "as created, persistent messages put to a remote queue; SENDER to RECEIVER, retried each second \
                   without end (SHORTTMR(1), SHORTRTY(999999999)), all else as defined by default",
        is_called_apart: false,
        start: start_end,
    }
}

fn start_end(program: &Program, end: &End<'_>, scene: &Scene) -> Result<Box<dyn Broker>> {
    let (name, queue) = (name_of(end.side), AmqpBroker::requests_of(PREFIX, scene));
    let data = end.directory.join("data");
    let is_new = !data.exists();
    if is_new {
        create(program, name, &data, end.address)?;
    }
    let server = serve(program, name, &data, end.directory, end.address)?;
    if is_new {
        let second = name_of(Side::Second);
        let objects = match end.side {
            Side::First => format!(
                "DEFINE QLOCAL({second}) USAGE(XMITQ) MAXDEPTH(999999999) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)\n\
                 DEFINE QREMOTE('{queue}') RNAME('{queue}') RQMNAME({second}) XMITQ({second})\n\
                 DEFINE CHANNEL(PEERS.LINK) CHLTYPE(SDR) CONNAME('{}({})') XMITQ({second}) SHORTTMR(1) SHORTRTY(999999999)\n",
                end.link.ip(),
                end.link.port()
            ),
            Side::Second => format!(
                "DEFINE QLOCAL('{queue}') MAXDEPTH(999999999)\nDEFINE CHANNEL(PEERS.LINK) CHLTYPE(RCVR)\n"
            ),
        };
        define(program, name, &data, end.directory, &format!("{OBJECTS}{objects}"))?;
    }
    Ok(Box::new(AmqpBroker { server, queues: PREFIX, topics: PREFIX }))
}

/// The queue manager of an end.
fn name_of(side: Side) -> &'static str {
    match side {
        Side::First => "FIRST",
        Side::Second => "SECOND",
    }
}
