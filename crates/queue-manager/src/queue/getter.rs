//! A getter as a queue sees it: the names of its waits, their outcomes, how much it takes, and what it only
//! reserves.

use crate::gate::Outcome;
use crate::message::GotMessage;

/// Names one waiting get of a connection; chosen by the caller, unique among its waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitToken(pub u64);

/// Names the waits of a getter that takes several messages, one after the other: each by the number after that of the one before.
/// Where it must wait, and nobody else has its queue open to get from, it goes on waiting when it was given one ([`GotMessage::waits_on`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The wait for the next message.
    pub token: WaitToken,
    /// How many messages it takes.
    pub messages: u32,
    /// How many bytes their bodies have, to within the last.
    pub bytes: u64,
}

impl From<WaitToken> for Series {
    /// That of one message.
    fn from(token: WaitToken) -> Self {
        Self { token, messages: 1, bytes: u64::MAX }
    }
}

impl Series {
    /// What is left of it after a message with a body of so many bytes.
    pub(crate) fn after(self, body_bytes: usize) -> Option<Self> {
        let token = WaitToken(self.token.0.wrapping_add(1));
        let (messages, bytes) =
            (self.messages.saturating_sub(1), self.bytes.saturating_sub(body_bytes as u64));
        (messages > 0 && bytes > 0).then_some(Self { token, messages, bytes })
    }
}

/// What a wait has come to that is to go on no longer than needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concluded {
    /// It has found nothing: it goes on, or is ended where it was to [stop](crate::Connection::stop).
    HasNothing,
    /// It has found a message that is being read, and ends with it; without it when that is gone by then.
    Reads,
    /// It is over, and its outcome on its way, unless the connection was ended.
    IsOver,
}

/// Which messages read-ahead only reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserve {
    /// All: they are taken into a unit of work later.
    All,
    /// All, for a link: they are taken within a unit of work that is named then, or outside of any. The wait
    /// outlasts an inhibition of gets.
    ForLink,
    /// The persistent ones: others may be lost with their connection, so they are taken at once.
    Persistent,
}

/// Where the outcome of a wait goes. Called under the queue's lock, perhaps from another connection's thread:
/// queue the outcome and wake whoever writes it out; call nothing of the engine.
pub trait Completions: Send + Sync {
    /// The waiting get `token` of this connection is over: a message, 2033, or another refusal.
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>);

    /// Whether whoever takes outcomes from here sees to the receipts of messages ([`crate::Receipt`]) and keeps answers back that
    /// await a getter. Only between connections that do are persistent messages handed over without the log.
    fn tells_of_delivery(&self) -> bool {
        false
    }

    /// A message that this connection had put and that was handed over is with its getter, or logged: an answer that
    /// did not open may open now. Called without locks of the engine.
    fn decided(&self) {}

    /// An administrator ended this connection: whoever keeps a line open for it alone may close it. What waited has been
    /// told. Called without locks of queues.
    fn stopped(&self) {}

    /// The queue manager has begun to quiesce. Called without locks of the engine.
    fn quiesces(&self) {}
}
