//! A broker as the workloads see it: a process that is started, and clients of four kinds.
//!
//! Always: a client speaks in a broker's own words. Measuring it, and accounting for all messages, is done by
//! the workload that runs it (`request_reply`, `one_way`, `fan_out`).

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// Takes a body.
pub(crate) type Take<'a> = dyn FnMut(&[u8]) -> Result<()> + 'a;

/// A client that asks.
pub(crate) trait Requester: Send {
    /// Takes a request to be sent.
    fn ask(&mut self, body: &[u8]) -> Result<()>;
    /// Sends the requests that were taken and hands over the replies that have come, up to so many and
    /// waiting for the first; confirmed where they must last. None when none came for a moment.
    fn replies(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64>;
}

/// A client that answers a request with the request's own body, to the requester that its mark names.
pub(crate) trait Responder: Send {
    /// Answers the requests that have come; returns how many, none when nothing came for a moment.
    fn answer(&mut self) -> Result<u64>;
}

/// A client that puts or publishes.
pub(crate) trait Putter: Send {
    /// Takes a message to be sent.
    fn put(&mut self, body: &[u8]) -> Result<()>;
    /// Sends what was taken and returns when the broker has confirmed all of it, where it confirms.
    fn confirm(&mut self) -> Result<()>;
    /// Returns when the broker has taken all that was sent, where it confirms nothing, too.
    fn settle(&mut self) -> Result<()> {
        self.confirm()
    }
}

/// A client that gets or is subscribed.
pub(crate) trait Getter: Send {
    /// Hands over up to so many messages, and has confirmed them when it returns; none when nothing came for
    /// a moment.
    fn get(&mut self, count: u64, take: &mut Take<'_>) -> Result<u64>;
}

/// The workload that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    RequestReply,
    /// Replies are taken by their request's identifier from a queue that all requesters share, with others'
    /// messages on it.
    Preloaded,
    OneWay,
    FanOut,
    /// Requests and replies of Qpid JMS, by AMQP 1.0.
    Jms,
    /// Nobody is subscribed.
    NullPublish,
}

impl Kind {
    /// Returns true if messages go by a topic and not by a queue.
    pub(crate) fn is_published(self) -> bool {
        matches!(self, Self::FanOut | Self::NullPublish)
    }
}

/// The part of a repetition that meets the broker.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) kind: Kind,
    /// Begins the names of its queues, which no other repetition uses.
    pub(crate) name: String,
    /// Messages must be on the disk before they are confirmed.
    pub(crate) durable: bool,
    /// Requesters, subscribers, or publishers without subscribers.
    pub(crate) clients: u32,
    /// Requests that each requester has under way.
    pub(crate) window: u32,
    /// Messages of one confirmation where messages go one way.
    pub(crate) unit: u64,
}

/// A broker that runs; it ends, and its directory goes, when this is dropped.
pub(crate) trait Broker: Send + Sync {
    /// Its processes, by which its processor time is known.
    fn processes(&self) -> Vec<u32>;

    /// Makes the queues of a scene.
    fn prepare(&self, scene: &Scene) -> Result<()>;

    /// Messages that lie on them, where the broker can tell.
    fn left(&self, scene: &Scene) -> Result<Option<u64>>;

    fn requester(&self, scene: &Scene, number: u32) -> Result<Box<dyn Requester>>;

    fn responder(&self, scene: &Scene) -> Result<Box<dyn Responder>>;

    /// For [`Kind::OneWay`] and what is published.
    fn putter(&self, scene: &Scene, number: u32) -> Result<Box<dyn Putter>>;

    /// For [`Kind::OneWay`] and [`Kind::FanOut`].
    fn getter(&self, scene: &Scene, number: u32) -> Result<Box<dyn Getter>>;

    /// Where clients of AMQP 1.0 find the queues of a scene.
    fn by_amqp(&self, _scene: &Scene) -> Result<AmqpQueues> {
        bail!("it is not reached by AMQP 1.0")
    }

    /// Puts messages on the shared reply queue that are nobody's reply.
    fn preload(&self, _scene: &Scene, _count: u64, _bytes: usize) -> Result<()> {
        bail!("it cannot select")
    }
}

/// Queues of requests and replies, and the broker that has them, reached by AMQP 1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AmqpQueues {
    pub(crate) address: SocketAddr,
    pub(crate) requests: String,
    /// One for each requester, by its number.
    pub(crate) replies: Vec<String>,
}

/// A program that is installed.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The version it tells.
    pub(crate) version: String,
}

/// A broker's answer to a workload: the guarantee of its settings there, or why it cannot run it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offer {
    Guarantees(&'static str),
    /// Why not.
    Nothing(&'static str),
}

impl Offer {
    /// The offer for [`Kind::Jms`] where AMQP 1.0 is not spoken.
    pub(crate) const NO_AMQP: Self = Self::Nothing("it does not speak AMQP 1.0, by which Qpid JMS comes");
}

/// A broker that can be installed and started.
pub(crate) trait Peer: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// The package it comes from, as a person would install it.
    fn package(&self) -> &'static str;

    /// The program if it is here; none where it must be installed first.
    fn find(&self) -> Result<Option<Program>>;

    /// Installs it by its package.
    fn install(&self) -> Result<()>;

    fn offers(&self, kind: Kind, durable: bool) -> Offer;

    /// Returns true if it gets faster while it runs, as a virtual machine does: a turn goes before those that
    /// count.
    fn warms_up(&self) -> bool {
        false
    }

    /// Returns true if a durable get takes the message for good before it is worked on, as ours does outside
    /// units of work.
    fn takes_for_good(&self) -> bool {
        false
    }

    /// Starts it with settings for messages that last or do not, below this directory.
    fn start(&self, program: &Program, durable: bool, directory: &Path) -> Result<Box<dyn Broker>>;
}

/// The place of an end on the way of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Second,
}

/// One of the two brokers of a link, as it is started each time.
pub(crate) struct End<'a> {
    pub(crate) side: Side,
    pub(crate) directory: &'a Path,
    /// The address of its clients.
    pub(crate) address: SocketAddr,
    /// The address at which the first end calls, and that at which the second is called.
    pub(crate) link: SocketAddr,
}

/// A kind of broker with a link, set up as its manual says where no message may be lost.
pub(crate) struct Linked {
    pub(crate) peer: Box<dyn Peer>,
    pub(crate) settings: &'static str,
    /// True if calls of links come to a port of their own.
    pub(crate) is_called_apart: bool,
    /// Starts an end, the first time or again, with the queue of a scene.
    pub(crate) start: fn(&Program, &End<'_>, &Scene) -> Result<Box<dyn Broker>>,
}
