//! Ours by AMQP 1.0, with the lean client that measures the other brokers of AMQP.
//!
//! Lives elsewhere: ours by its own protocol, with which everything is compared (`ours`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::amqp10::Running;
use super::jms;
use super::server::Server;
use crate::broker::{Broker, Kind, Offer, Peer, Program};
use crate::install;

/// Names of queues and topics begin so.
const PREFIX: &str = "PEERS.";

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
        let data = directory.join("data").display().to_string();
        let ferry = |words: &[&str]| {
            let mut command = Command::new(&program.path);
            install::run(command.args(words).args(["--data", &data]))
        };
        let server = Server::start(&program.path, directory, |address| {
            let (port, channel) = (address.port().to_string(), "listener.amqp_channel=\"PEERS.AMQP\"");
            ferry(&["qmgr", "create", NAME, "--port", &port, "--set", channel])?;
            Ok(["qmgr", "start", NAME, "--data", &data].map(str::to_owned).to_vec())
        })?;
        let script = directory.join("peers.mqsc").display().to_string();
        std::fs::write(&script, OBJECTS)?;
        ferry(&["mqsc", NAME, "-f", &script]).context("its model queue and channel cannot be defined")?;
        Ok(Box::new(Running { server, queues: PREFIX, topics: PREFIX }))
    }
}
