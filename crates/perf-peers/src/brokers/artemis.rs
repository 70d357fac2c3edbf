//! Artemis: an instance as its own command makes one, reached over AMQP 1.0.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::amqp10::AmqpBroker;
use super::jms::Distribution;
use super::server::Server;
use crate::broker::{Broker, End, Linked, Offer, Program, Scene, Side};
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

fn start(program: &Program, directory: &Path) -> Result<AmqpBroker> {
    let instance = directory.join("instance");
    let server = Server::start(&instance.join(COMMAND), directory, |address| {
        create(program, &instance, &address.port().to_string())?;
        Ok(vec!["run".to_owned()])
    })?;
    Ok(AmqpBroker { server, queues: "", topics: "" })
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

/// Two instances and a core bridge.
pub(super) fn linked() -> Linked {
    Linked {
        peer: Box::new(ARTEMIS),
        settings: "instances as created, durable messages; a core bridge with use-duplicate-detection, \
                   confirmation-window-size 10000000, retry-interval 1000 and attempts without end",
        is_called_apart: false,
        start: start_end,
    }
}

fn start_end(program: &Program, end: &End<'_>, scene: &Scene) -> Result<Box<dyn Broker>> {
    let instance = end.directory.join("instance");
    if !instance.exists() {
        create(program, &instance, &end.address.port().to_string())?;
        let settings = instance.join("etc/broker.xml");
        let text = std::fs::read_to_string(&settings).context("an instance has no settings")?;
        std::fs::write(&settings, with_link(&text, end, scene)?)?;
    }
    let server = Server::at(end.address, &instance.join(COMMAND), end.directory, &["run".to_owned()])?;
    Ok(Box::new(AmqpBroker { server, queues: "", topics: "" }))
}

/// The settings of an instance with the queue of a link, and at its first end with the bridge.
fn with_link(settings: &str, end: &End<'_>, scene: &Scene) -> Result<String> {
    let queue = AmqpBroker::requests_of("", scene);
    let address = format!(
        "<addresses><address name=\"{queue}\"><anycast><queue name=\"{queue}\"/></anycast></address>"
    );
    let bridge = format!(
        "<connectors><connector name=\"second\">tcp://{}</connector></connectors>\
         <bridges><bridge name=\"link\"><queue-name>{queue}</queue-name>\
         <forwarding-address>{queue}</forwarding-address><retry-interval>1000</retry-interval>\
         <retry-interval-multiplier>1.0</retry-interval-multiplier>\
         <initial-connect-attempts>-1</initial-connect-attempts><reconnect-attempts>-1</reconnect-attempts>\
         <use-duplicate-detection>true</use-duplicate-detection>\
         <confirmation-window-size>10000000</confirmation-window-size><user>ferry</user><password>ferry</password>\
         <static-connectors><connector-ref>second</connector-ref></static-connectors></bridge></bridges></core>",
        end.link
    );
    ensure!(settings.contains("<addresses>") && settings.contains("</core>"), "settings of an unknown form");
    let settings = settings.replacen("<addresses>", &address, 1);
    Ok(match end.side {
        Side::First => settings.replacen("</core>", &bridge, 1),
        Side::Second => settings,
    })
}
