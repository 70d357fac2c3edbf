//! The brokers, each with its package, its settings and what they guarantee.

mod activemq;
mod amqp10;
mod artemis;
mod ferry;
mod jms;
mod kafka;
mod mosquitto;
mod nats;
mod rabbitmq;
mod redis;

use std::net::SocketAddr;
use std::path::Path;

use anyhow::Result;

use crate::broker::Peer;
use crate::process::{Process, free_port};

/// All that can be compared with, in the order they are run; ours by AMQP is this program.
pub(crate) fn all(ferry: &Path) -> Vec<Box<dyn Peer>> {
    vec![
        Box::new(redis::Redis::REDIS),
        Box::new(redis::Redis::VALKEY),
        Box::new(nats::Nats),
        Box::new(mosquitto::Mosquitto),
        Box::new(rabbitmq::RabbitMq),
        Box::new(artemis::ARTEMIS),
        Box::new(activemq::ACTIVEMQ),
        Box::new(kafka::Kafka),
        Box::new(ferry::Ferry(ferry.to_owned())),
    ]
}

/// A process that listens on one port.
struct Server {
    process: Process,
    address: SocketAddr,
}

impl Server {
    /// Starts a program with the arguments that a free port asks for.
    fn start(
        program: &Path,
        directory: &Path,
        arguments: impl Fn(SocketAddr) -> Result<Vec<String>>,
    ) -> Result<Self> {
        let address = free_port()?;
        let arguments = arguments(address)?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut process = Process::start(program, &arguments, &[], directory)?;
        process.wait_listening(address)?;
        Ok(Self { process, address })
    }
}
