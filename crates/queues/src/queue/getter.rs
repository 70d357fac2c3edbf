//! A getter as a queue sees it: the names of its waits, their outcomes, how much it takes, and what it only
//! reserves.

use storage::Lsn;

use super::got_message::GotMessage;
use crate::gate::Outcome;

/// Names one waiting get of a connection; chosen by the caller, unique among its waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitToken(pub u64);

/// Names the waits of a getter that takes several messages, one after the other: each by the number after
/// that of the one before. Where it must wait, and no other program has its queue open to get from, it goes
/// on waiting after each message ([`GotMessage::waits_on`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The wait for the next message.
    pub token: WaitToken,
    /// Most messages that it takes.
    pub messages: u32,
    /// Most bytes of their bodies; the last may exceed it.
    pub bytes: u64,
}

impl From<WaitToken> for Series {
    /// The wait for one message.
    fn from(token: WaitToken) -> Self {
        Self { token, messages: 1, bytes: u64::MAX }
    }
}

impl Series {
    /// Returns the rest of the series after a message with a body of so many bytes.
    pub(crate) fn after(self, body_bytes: usize) -> Option<Self> {
        let token = WaitToken(self.token.0.wrapping_add(1));
        let (messages, bytes) =
            (self.messages.saturating_sub(1), self.bytes.saturating_sub(body_bytes as u64));
        (messages > 0 && bytes > 0).then_some(Self { token, messages, bytes })
    }
}

/// Immediate answer of a get. A queue makes it in the place that its caller returns: a move would copy a
/// message.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is looked into at once: a box costs more than the move")]
pub enum Get {
    /// The message, or a refusal.
    Done(Outcome<GotMessage>),
    /// Nothing yet: the outcome goes to `Completions` under the caller's token, also when no wait was asked
    /// for.
    Waiting,
}

impl Get {
    /// Raises the need of an outcome that is there.
    pub(crate) fn need_also(&mut self, other: Lsn) {
        if let Self::Done(outcome) = self {
            outcome.need_also(other);
        }
    }
}

/// Result of ending a wait early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concluded {
    /// It has found nothing: it goes on, or is ended where it was to stop.
    HasNothing,
    /// It has found a message that is being read, and ends with it; without it when that is gone by then.
    Reads,
    /// It is over, and its outcome on its way, unless the connection was ended.
    IsOver,
}

/// Messages that read-ahead only reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserve {
    /// Every message is set aside: the program takes it into a unit of work later.
    All,
    /// Every message, for a link, which later takes it within a unit of work that it names, or outside any.
    /// The wait outlasts an inhibition of gets.
    ForLink,
    /// None, for a link that delivers at most once: each is taken before it leaves. The wait outlasts an
    /// inhibition of gets.
    NoneForLink,
    /// The persistent ones: others may be lost with their connection, so they are taken at once.
    Persistent,
}

impl Reserve {
    /// True if a message is only set aside.
    pub fn sets_aside(self, is_persistent: bool) -> bool {
        match self {
            Self::All | Self::ForLink => true,
            Self::NoneForLink => false,
            Self::Persistent => is_persistent,
        }
    }
}

/// Receiver of the outcomes of waits. Called under the queue's lock, perhaps from another connection's
/// thread: queue the outcome and wake the thread that writes it out; call nothing of the engine.
pub trait Completions: Send + Sync {
    /// The waiting get `token` of this connection is over: a message, 2033, or another refusal.
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>);

    /// True if the reader of these outcomes handles receipts of messages ([`crate::hand_over::Receipt`]), and
    /// keeps answers back that await a getter. Persistent messages are handed over without the log only
    /// between connections that do so.
    fn tells_of_delivery(&self) -> bool {
        false
    }

    /// A message that this connection had put and that was handed over is with its getter, or logged: an
    /// answer that did not open may open now. Called without locks of the engine.
    fn decided(&self) {}

    /// Reports that an administrator ended this connection: a host that keeps a line open for it alone may
    /// close it. Its waits have been completed. Called without locks of queues.
    fn stopped(&self) {}

    /// The queue manager has begun to quiesce. Called without locks of the engine.
    fn quiesces(&self) {}
}
