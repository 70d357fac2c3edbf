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
mod server;

use std::path::Path;

use crate::broker::{Linked, Peer};

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
        ours_by_amqp(ferry),
    ]
}

/// Ours by AMQP, beside which others of AMQP are measured with the same client.
pub(crate) fn ours_by_amqp(ferry: &Path) -> Box<dyn Peer> {
    Box::new(ferry::Ferry(ferry.to_owned()))
}

/// All with a link, set up where no message may be lost; ours is this program.
pub(crate) fn linked(ferry: &Path) -> Vec<Linked> {
    vec![ferry::linked(ferry), rabbitmq::linked(), artemis::linked(), nats::linked()]
}
