//! Common parts of Artemis and ActiveMQ: distributions that Maven Central keeps as archives, queues, topics
//! and selectors of JMS, reached over AMQP 1.0.
//!
//! Lives elsewhere: the settings and guarantees of each (`artemis`, `activemq`), their clients (`amqp10`).

use std::path::Path;

use anyhow::Result;

use super::amqp10::AmqpBroker;
use crate::broker::{Broker, Kind, Offer, Peer, Program};
use crate::install::Archive;

/// One of them.
pub(super) struct Distribution {
    pub(super) name: &'static str,
    pub(super) package: &'static str,
    pub(super) archive: Archive,
    /// The program to run, by its path in the archive.
    pub(super) program: &'static str,
    pub(super) preloaded: Offer,
    /// The guarantee of its settings for messages that must last.
    pub(super) durable: &'static str,
    pub(super) start: fn(&Program, &Path) -> Result<AmqpBroker>,
}

/// The offer of a broker that is reached over AMQP 1.0.
pub(super) fn offers(kind: Kind, durable: bool, preloaded: Offer, lasting: &'static str) -> Offer {
    match (kind, durable) {
        (Kind::Preloaded, _) => preloaded,
        (Kind::FanOut | Kind::NullPublish, true) => {
            Offer::Nothing("not written: a durable subscription for each subscriber")
        }
        (Kind::FanOut | Kind::NullPublish, false) => Offer::Guarantees("at most once, to who is connected"),
        (Kind::OneWay, false) => Offer::Guarantees("in memory, confirmed; lost with the process"),
        (Kind::RequestReply, false) => Offer::Guarantees("in memory, not confirmed; lost with the process"),
        (Kind::Jms, false) => Offer::Guarantees("in memory; lost with the process"),
        (Kind::OneWay | Kind::RequestReply | Kind::Jms, true) => Offer::Guarantees(lasting),
    }
}

impl Peer for Distribution {
    fn name(&self) -> &'static str {
        self.name
    }

    fn package(&self) -> &'static str {
        self.package
    }

    fn find(&self) -> Result<Option<Program>> {
        self.archive.find(self.program)
    }

    fn install(&self) -> Result<()> {
        self.archive.install()
    }

    fn offers(&self, kind: Kind, durable: bool) -> Offer {
        offers(kind, durable, self.preloaded, self.durable)
    }

    fn warms_up(&self) -> bool {
        true
    }

    /// Set up the same for both: messages say themselves whether they last.
    fn start(&self, program: &Program, _durable: bool, directory: &Path) -> Result<Box<dyn Broker>> {
        Ok(Box::new((self.start)(program, directory)?))
    }
}
