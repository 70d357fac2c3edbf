//! Bounds of a connection, which each side says and the tighter of which is agreed.

use crate::{Error, frame};
use mqi::Reason;
use std::time::Duration;
use wire::fields::{Fields, put_u16, put_u32};

/// The bounds of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of a frame, as its length counts them.
    pub frame_bytes_max: u32,
    /// Most bytes of a message.
    pub message_bytes_max: u32,
    /// Most conversations.
    pub conversations_max: u16,
    /// Milliseconds of silence after which a side that waits for the other asks whether it is there; 0 for
    /// never.
    pub heartbeat_milliseconds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes_max: frame::FRAGMENT_BYTES as u32 + 64 * 1024,
            message_bytes_max: 100 * 1024 * 1024,
            conversations_max: 999,
            heartbeat_milliseconds: 60_000,
        }
    }
}

impl Limits {
    /// The limits that both can bear; the shorter heartbeat, unless one side wants none.
    #[must_use]
    pub fn agreed(self, other: Self) -> Self {
        Self {
            frame_bytes_max: self.frame_bytes_max.min(other.frame_bytes_max),
            message_bytes_max: self.message_bytes_max.min(other.message_bytes_max),
            conversations_max: self.conversations_max.min(other.conversations_max),
            heartbeat_milliseconds: match (self.heartbeat_milliseconds, other.heartbeat_milliseconds) {
                (0, _) | (_, 0) => 0,
                (ours, theirs) => ours.min(theirs),
            },
        }
    }

    /// Most bytes of a body in one frame: what is left of a frame when the longest head is in it.
    #[must_use]
    pub fn fragment_bytes(self) -> usize {
        frame::FRAGMENT_BYTES.min((self.frame_bytes_max - frame::HEAD_BYTES_MAX) as usize)
    }

    /// Silence after which a side that waits asks whether the other is there; `None` for never.
    #[must_use]
    pub fn heartbeat(self) -> Option<Duration> {
        let interval = Duration::from_millis(self.heartbeat_milliseconds.into());
        (!interval.is_zero()).then_some(interval)
    }

    pub(super) fn put(self, out: &mut Vec<u8>) {
        put_u32(out, self.frame_bytes_max);
        put_u32(out, self.message_bytes_max);
        put_u16(out, self.conversations_max);
        put_u32(out, self.heartbeat_milliseconds);
    }

    pub(super) fn decode(fields: &mut Fields<'_>) -> Result<Self, Error> {
        let limits = Self {
            frame_bytes_max: fields.u32("most bytes of a frame")?,
            message_bytes_max: fields.u32("most bytes of a message")?,
            conversations_max: fields.u16("most conversations")?,
            heartbeat_milliseconds: fields.u32("heartbeat milliseconds")?,
        };
        if limits.frame_bytes_max < frame::FRAME_BYTES_LEAST {
            return Err(Error::field("most bytes of a frame", Reason::OPTIONS_ERROR));
        }
        if limits.conversations_max == 0 {
            return Err(Error::field("most conversations", Reason::OPTIONS_ERROR));
        }
        Ok(limits)
    }
}
