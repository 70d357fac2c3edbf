//! Artemis: an instance as its own command makes one, reached over AMQP 1.0.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::amqp10::Running;
use super::jms::Distribution;
use super::server::Server;
use crate::broker::{Offer, Program};
use crate::install::{self, Archive};

pub(super) const ARTEMIS: Distribution = Distribution {
    name: "artemis",
    package: "org.apache.activemq:apache-artemis (Maven Central)",
    archive: Archive { group: "org.apache.activemq", name: "apache-artemis", version: "2.44.0" },
    program: COMMAND,
    preloaded: Offer::Guarantees(
        "in memory; a link with a selector for each reply, as JMS gets by correlation",
    ),
    durable: "journal as created (libaio where it is there), synced: on the disk before a put is confirmed; gets are \
              accepted, and get and put are no unit",
    start,
};

/// The program below the folder of its archive, and below that of an instance.
const COMMAND: &str = "bin/artemis";

fn start(program: &Program, directory: &Path) -> Result<Running> {
    let instance = directory.join("instance");
    let server = Server::start(&instance.join(COMMAND), directory, |address| {
        create(program, &instance, &address.port().to_string())?;
        Ok(vec!["run".to_owned()])
    })?;
    Ok(Running { server, queues: "", topics: "" })
}

/// Has its own command make an instance that listens on this port only and measures how it writes its journal
/// best.
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
