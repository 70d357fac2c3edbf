//! Artemis: an instance as its own command makes one, reached over AMQP 1.0.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::{Server, amqp10};
use crate::broker::{Broker, Kind, Offer, Peer, Program};
use crate::install::{self, Archive};

pub(super) struct Artemis;

/// The program below the folder of its archive.
const COMMAND: &str = "bin/artemis";

const ARCHIVE: Archive = Archive { group: "org.apache.activemq", name: "apache-artemis", version: "2.44.0" };

impl Peer for Artemis {
    fn name(&self) -> &'static str {
        "artemis"
    }

    fn package(&self) -> &'static str {
        "org.apache.activemq:apache-artemis (Maven Central)"
    }

    fn find(&self) -> Result<Option<Program>> {
        ARCHIVE.find(COMMAND)
    }

    fn install(&self) -> Result<()> {
        ARCHIVE.install()
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        match (kind, durable) {
            (Kind::FanOut, true) => Offer::Nothing("not written: a durable subscription for each subscriber"),
            (Kind::FanOut, false) => Offer::Guarantees("at most once, to who is connected"),
            (Kind::Preloaded, _) => Offer::Guarantees(
                "in memory; a link with a selector for each reply, as JMS gets by correlation",
            ),
            (Kind::OneWay, false) => Offer::Guarantees("in memory, confirmed; lost with the process"),
            (_, false) => Offer::Guarantees("in memory, not confirmed; lost with the process"),
            (_, true) => Offer::Guarantees(
                "journal as created (libaio where it is there), synced: on the disk before a put is confirmed; gets are \
                 accepted, and get and put are no unit",
            ),
        }
    }

    fn warms_up(&self) -> bool {
        true
    }

    fn start(&self, program: &Program, _durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        let instance = directory.join("instance");
        let server = Server::start(&instance.join(COMMAND), directory, |address| {
            create(program, &instance, &address.port().to_string())?;
            Ok(vec!["run".to_owned()])
        })?;
        Ok(Box::new(amqp10::Running { server, queues: "", topics: "" }))
    }
}

/// Has its own command make an instance, which listens on this port only and measures how it writes its journal best.
fn create(program: &Program, instance: &Path, port: &str) -> Result<()> {
    let options = [
        ["--default-port", port],
        ["--host", "127.0.0.1"],
        ["--user", "ferry"],
        ["--password", "ferry"],
        ["--silent", "--allow-anonymous"],
        ["--no-web", "--no-amqp-acceptor"],
        ["--no-mqtt-acceptor", "--no-stomp-acceptor"],
    ];
    let options = options.iter().flatten().chain([&"--no-hornetq-acceptor"]);
    install::run(Command::new(&program.path).arg("create").args(options).arg(instance))
        .context("cannot make an instance")
}
