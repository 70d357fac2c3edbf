//! A program or partner that has connected, until its first bytes name the protocol of its agent.

use std::sync::Arc;

use bytes::BytesMut;
use channel::message::frame::opens_channel;
use channel::preamble::MAGIC;
use platform::Monotonic;
use queue_manager::QueueManager;

use crate::agent::{Agent, Close, PeerInfo, Wake};
use crate::client_connection::limits::Limits;
use crate::logins::Logins;
use crate::patience::{Entrance, Patience};

/// The first bytes of a client that speaks AMQP.
const AMQP: &[u8] = b"AMQP";

/// The protocol of a connection that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// That of client channels; also for bytes of no protocol that is served, which its agent refuses.
    Client,
    /// AMQP.
    Amqp,
    /// That of message channels.
    MessageChannel,
}

impl Protocol {
    /// The protocol that a connection begins with; none while too few bytes are there to tell.
    #[must_use]
    pub fn of(input: &[u8]) -> Option<Self> {
        if input.starts_with(AMQP) {
            return Some(Self::Amqp);
        }
        if AMQP.starts_with(input) {
            return None;
        }
        // Bytes of no protocol are known by the first, and answered at once.
        if !MAGIC.starts_with(&input[..input.len().min(MAGIC.len())]) {
            return Some(Self::Client);
        }
        let is_channel = opens_channel(input)?;
        Some(if is_channel { Self::MessageChannel } else { Self::Client })
    }
}

/// A connection that was accepted, with the facts that an agent of any protocol needs. As an agent it says
/// nothing, reads nothing, and has the patience of a login.
#[derive(Clone)]
pub struct PendingConnection {
    /// The queue manager that it has connected to.
    pub queue_manager: QueueManager,
    /// Facts that the host knows of it.
    pub peer: PeerInfo,
    /// Bounds of its connection.
    pub limits: Limits,
    /// The judge of logins, if the host has one.
    pub logins: Option<Arc<dyn Logins>>,
    /// The one that wakes its agent.
    pub waker: Arc<dyn Wake>,
}

impl Agent for PendingConnection {
    fn receive(&mut self, _: &mut BytesMut) -> Result<(), Close> {
        Ok(())
    }

    fn is_let_in(&self) -> bool {
        false
    }

    fn tick(&mut self, now: Monotonic) -> Result<(), Close> {
        self.peer.accepted.get_or_insert(now);
        Patience::since(self.peer.accepted).judge_login(now, Entrance::Outside, self.limits.login_seconds)
    }
}

impl std::fmt::Debug for PendingConnection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PendingConnection").field("origin", &self.peer.origin).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use channel::Kind;

    #[test]
    fn the_first_bytes_name_the_protocol_as_soon_as_they_tell() {
        let opening = |kind: Kind| [&MAGIC[..], &[0, 0, 0, 9, kind as u8]].concat();
        for (input, expected) in [
            (&b""[..], None),
            (b"A", None),
            (b"AMQ", None),
            (b"AMQP", Some(Protocol::Amqp)),
            (b"AMQP\x03\x01\x00\x00", Some(Protocol::Amqp)),
            (b"AMQX", Some(Protocol::Client)),
            (b"G", Some(Protocol::Client)),
            (&MAGIC[..1], None),
            (&MAGIC, None),
            (&opening(Kind::Hello)[..12], None),
            (b"\xF1FERRX", Some(Protocol::Client)),
            (&opening(Kind::Hello), Some(Protocol::Client)),
            (&opening(Kind::ChannelHello), Some(Protocol::MessageChannel)),
        ] {
            assert_eq!(Protocol::of(input), expected, "{input:?}");
        }
    }
}
