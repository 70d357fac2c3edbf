//! How a connection begins: one login for all its conversations.
//!
//! The client says what it can and what it will not do, the server chooses. Both messages begin with the versions
//! and may grow at their end, so that any two releases understand each other well enough to refuse.

use crate::frame::{self, Header, Kind};
use crate::{Conversation, Error, RequestNumber};
use mqi::Reason;
use std::fmt;
use wire::fields::{Fields, put_i32, put_long_text, put_short_text, put_u16, put_u32};

/// The versions of the protocol this crate speaks.
pub const VERSIONS: Versions = Versions { least: 1, most: 1 };

/// A range of protocol versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The oldest.
    pub least: u16,
    /// The newest.
    pub most: u16,
}

impl Versions {
    /// The newest version both speak.
    #[must_use]
    pub fn common(self, other: Self) -> Option<u16> {
        let most = self.most.min(other.most);
        (most >= self.least.max(other.least)).then_some(most)
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} to {}", self.least, self.most)
    }
}

/// What a side will not do, whatever the other asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals(pub u32);

impl Refusals {
    /// Puts without a reply.
    pub const ASYNCHRONOUS_PUT: Self = Self(1);
    /// Messages before they are asked for.
    pub const READ_AHEAD: Self = Self(1 << 1);
    /// More than one conversation.
    pub const SHARED_CONVERSATIONS: Self = Self(1 << 2);
    /// MQSC commands.
    pub const COMMANDS: Self = Self(1 << 3);

    /// Whether all of `other` is refused.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// What either side refuses.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What bounds a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of a frame, as its length counts them.
    pub frame_bytes_max: u32,
    /// Most bytes of a message.
    pub message_bytes_max: u32,
    /// Most conversations.
    pub conversations_max: u16,
    /// Seconds of silence after which a side that waits for the other asks whether it is there; 0 for never.
    pub heartbeat_seconds: u16,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            frame_bytes_max: frame::FRAGMENT_BYTES as u32 + 64 * 1024,
            message_bytes_max: 100 * 1024 * 1024,
            conversations_max: 999,
            heartbeat_seconds: 60,
        }
    }
}

impl Limits {
    /// What both can bear; the shorter heartbeat, unless one side wants none.
    #[must_use]
    pub fn agreed(self, other: Self) -> Self {
        Self {
            frame_bytes_max: self.frame_bytes_max.min(other.frame_bytes_max),
            message_bytes_max: self.message_bytes_max.min(other.message_bytes_max),
            conversations_max: self.conversations_max.min(other.conversations_max),
            heartbeat_seconds: match (self.heartbeat_seconds, other.heartbeat_seconds) {
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

    fn put(self, out: &mut Vec<u8>) {
        put_u32(out, self.frame_bytes_max);
        put_u32(out, self.message_bytes_max);
        put_u16(out, self.conversations_max);
        put_u16(out, self.heartbeat_seconds);
    }

    fn decode(fields: &mut Fields<'_>) -> Result<Self, Error> {
        let limits = Self {
            frame_bytes_max: fields.u32("most bytes of a frame")?,
            message_bytes_max: fields.u32("most bytes of a message")?,
            conversations_max: fields.u16("most conversations")?,
            heartbeat_seconds: fields.u16("heartbeat seconds")?,
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

/// What a client says first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The versions it speaks.
    pub versions: Versions,
    /// What it will not do.
    pub refuses: Refusals,
    /// What it can bear.
    pub limits: Limits,
    /// Tells this client from every other; the same after it reconnects.
    pub instance: [u8; 16],
    /// The program.
    pub application: String,
    /// The user it says it runs as.
    pub user: String,
    /// The process it says it is; 0 for none.
    pub process: u32,
    /// The queue manager it wants; empty for whichever is here.
    pub queue_manager: String,
}

impl Hello {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin(out, Kind::Hello);
        put_u16(out, self.versions.least);
        put_u16(out, self.versions.most);
        put_u32(out, self.refuses.0);
        self.limits.put(out);
        out.extend_from_slice(&self.instance);
        put_short_text(out, &self.application);
        put_short_text(out, &self.user);
        put_u32(out, self.process);
        put_short_text(out, &self.queue_manager);
        frame::finish(out, start, 0);
    }

    /// Reads the payload; what a later version appended is passed over.
    ///
    /// # Errors
    /// When a field is cut, or no version is common; the latter before the fields it might have changed.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        let versions = Versions { least: fields.u16("oldest version")?, most: fields.u16("newest version")? };
        if VERSIONS.common(versions).is_none() {
            return Err(Error::Version { theirs: versions, ours: VERSIONS });
        }
        Ok(Self {
            versions,
            refuses: Refusals(fields.u32("refusals")?),
            limits: Limits::decode(&mut fields)?,
            instance: fields.array("client instance")?,
            application: fields.short_text("application name")?.to_owned(),
            user: fields.short_text("user")?.to_owned(),
            process: fields.u32("process")?,
            queue_manager: fields.short_text("queue manager name")?.to_owned(),
        })
    }
}

/// What the server answers a client it lets in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// The version spoken from here on.
    pub version: u16,
    /// What either side refuses.
    pub refused: Refusals,
    /// What was agreed.
    pub limits: Limits,
    /// The queue manager's name.
    pub queue_manager: String,
    /// The program that runs it, with its version.
    pub product: String,
}

impl Welcome {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin(out, Kind::Welcome);
        put_u16(out, self.version);
        put_u32(out, self.refused.0);
        self.limits.put(out);
        put_short_text(out, &self.queue_manager);
        put_short_text(out, &self.product);
        frame::finish(out, start, 0);
    }

    /// Reads the payload; what a later version appended is passed over.
    ///
    /// # Errors
    /// When a field is cut or has a value it cannot have.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            version: fields.u16("version")?,
            refused: Refusals(fields.u32("refusals")?),
            limits: Limits::decode(&mut fields)?,
            queue_manager: fields.short_text("queue manager name")?.to_owned(),
            product: fields.short_text("product")?.to_owned(),
        })
    }
}

/// Why the server does not let a client in, or ends its connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What a program is told.
    pub reason: Reason,
    /// What a person is told.
    pub text: String,
}

impl Refused {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin(out, Kind::Refused);
        put_i32(out, self.reason.code());
        put_long_text(out, &self.text);
        frame::finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            reason: Reason::from_code(fields.i32("reason")?),
            text: fields.long_text("text")?.to_owned(),
        })
    }
}

fn begin(out: &mut Vec<u8>, kind: Kind) -> usize {
    frame::begin(out, Header::new(kind, Conversation::CONNECTION, RequestNumber(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;

    fn hello() -> Hello {
        Hello {
            versions: VERSIONS,
            refuses: Refusals::READ_AHEAD,
            limits: Limits::default(),
            instance: [7; 16],
            application: "payroll".into(),
            user: "ada".into(),
            process: 4711,
            queue_manager: "QM1".into(),
        }
    }

    #[test]
    fn a_login_reads_back() {
        let mut bytes = Vec::new();
        hello().encode(&mut bytes);
        let frame = Frame::decode(&bytes, frame::LOGIN_FRAME_BYTES_MAX).unwrap().unwrap();
        assert_eq!(Hello::decode(frame.payload), Ok(hello()));
        let welcome = Welcome {
            version: 1,
            refused: Refusals::COMMANDS,
            limits: Limits::default(),
            queue_manager: "QM1".into(),
            product: "FerryMQ 0.1.0".into(),
        };
        bytes.clear();
        welcome.encode(&mut bytes);
        let frame = Frame::decode(&bytes, frame::LOGIN_FRAME_BYTES_MAX).unwrap().unwrap();
        assert_eq!(Welcome::decode(frame.payload), Ok(welcome));
        let refused = Refused { reason: Reason::Q_MGR_NAME_ERROR, text: "no QM9 here".into() };
        bytes.clear();
        refused.encode(&mut bytes);
        let frame = Frame::decode(&bytes, frame::LOGIN_FRAME_BYTES_MAX).unwrap().unwrap();
        assert_eq!(Refused::decode(frame.payload), Ok(refused));
    }

    #[test]
    fn a_version_nobody_speaks_is_named_whatever_follows() {
        let theirs = Versions { least: 40, most: 41 };
        let payload = [40, 0, 41, 0, 0xFF];
        assert_eq!(Hello::decode(&payload), Err(Error::Version { theirs, ours: VERSIONS }));
    }

    #[test]
    fn the_longest_hello_fits_a_frame_before_agreement() {
        let long = "x".repeat(300);
        let hello = Hello { application: long.clone(), user: long.clone(), queue_manager: long, ..hello() };
        let mut bytes = Vec::new();
        hello.encode(&mut bytes);
        assert!(Frame::decode(&bytes, frame::LOGIN_FRAME_BYTES_MAX).unwrap().is_some());
    }

    #[test]
    fn the_tighter_limit_is_agreed() {
        let ours = Limits { heartbeat_seconds: 0, message_bytes_max: 10, ..Limits::default() };
        let agreed = ours.agreed(Limits::default());
        assert_eq!((agreed.heartbeat_seconds, agreed.message_bytes_max), (0, 10));
    }
}
