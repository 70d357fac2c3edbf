//! A getter as a queue sees it: the names of its waits, how much it takes, and what it only reserves.

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
    /// It has found nothing, and goes on.
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
    /// The persistent ones: others may be lost with their connection, so they are taken at once.
    Persistent,
}
