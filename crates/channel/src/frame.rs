//! The frame: twelve bytes of header and a payload.
//!
//! ```text
//!  0        4     5      6              8          12
//!  +--------+-----+------+--------------+----------+---------
//!  | length | kind| flags| conversation | request  | payload
//!  +--------+-----+------+--------------+----------+---------
//! ```
//!
//! `length` counts what follows it: eight bytes and the payload. Numbers are little-endian.

use crate::Error;

/// Bytes of a header.
pub const HEADER_BYTES: usize = 12;
/// Bytes of a header that its length counts.
pub const COUNTED_BYTES: u32 = 8;
/// Most bytes of a body in one frame; longer ones go in fragments, so that conversations take turns. Large
/// enough that the system call, not the frame, is the cost.
pub const FRAGMENT_BYTES: usize = 256 * 1024;
/// Most bytes of a frame before its body: an object with a topic string and a selection string of 10 KiB
/// each. A subscription, which has no body, may have five such texts.
pub const HEAD_BYTES_MAX: u32 = 32 * 1024;
/// The smallest limit on frames that can be agreed.
pub const FRAME_BYTES_LEAST: u32 = 2 * HEAD_BYTES_MAX;
/// Longest frame before anything was agreed, but for one with credentials: a hello with every text at its
/// longest.
pub const LOGIN_FRAME_BYTES_MAX: u32 = 4096;

/// Conversation of a connection that a frame belongs to; 0 is the connection itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conversation(pub u16);

impl Conversation {
    /// The connection itself.
    pub const CONNECTION: Self = Self(0);
}

/// Chosen by the client, echoed in the reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestNumber(pub u32);

/// Flags of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// On a request: no reply is wanted. Failures are kept for Status and Commit.
    pub const NO_REPLY: Self = Self(1);
    /// On a message of a message channel: it is in no batch.
    pub const FAST: Self = Self(1);
    /// On a reply: the request failed, the payload is the reason.
    pub const FAILED: Self = Self(1 << 1);
    /// On a delivery: the message is reserved until a Confirm takes it.
    pub const RESERVED: Self = Self(1 << 2);
    /// On a release: no more come, and those that are reserved stay so until a Confirm takes them.
    pub const KEEPS: Self = Self(1 << 2);
    /// On a put: the caller does not want its descriptor back.
    pub const BRIEF: Self = Self(1 << 3);
    /// On a message: its getter's message handle is to stand for it.
    pub const FILLS_HANDLE: Self = Self(1 << 4);
    /// On a command: its first field is the number of its first line, and its answer comes in parts. On a
    /// part: more follow.
    pub const IN_PARTS: Self = Self(1 << 4);
    /// On a message that fills a handle: it begins with a header whose folders are its properties.
    pub const PROPERTIES: Self = Self(1 << 5);
    /// On a get: it is only asked whether there is a message; the answer has nothing of it, and it stays.
    pub const LOOK: Self = Self(1 << 6);
    /// On a delivery: its body and most of its descriptor are such that both sides
    /// [keep](crate::body_cache), and may be named instead of sent.
    pub const SHARED: Self = Self(1 << 7);
    /// On a get: its program is called with the answer, and may compute before it reads it. On a cancel of
    /// nothing: it is answered when the queue manager quiesces.
    pub const LISTENS: Self = Self(1 << 7);

    /// True if all of `other` is set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Defines the kinds and their numbers.
macro_rules! kinds {
    ($($(#[$meta:meta])* $kind:ident = $number:literal,)*) => {
        /// Kind of a frame. A reply has the number of its request with the high bit set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$meta])* $kind = $number,)*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The kind of a number.
            ///
            /// # Errors
            /// When the number means nothing.
            pub const fn from_number(number: u8) -> Result<Self, Error> {
                match number {
                    $($number => Ok(Self::$kind),)*
                    other => Err(Error::Kind(other)),
                }
            }
        }
    };
}

kinds! {
    /// The client introduces itself.
    Hello = 0x01,
    /// I am alive; the client answers one of the server.
    Heartbeat = 0x02,
    /// The client is about to close the connection.
    Disconnect = 0x03,
    /// The next piece of a body.
    Fragment = 0x04,
    /// The client proves its user, behind a hello that announced it.
    Identify = 0x05,
    /// Another frame, made smaller by a way that was agreed.
    Compressed = 0x06,
    /// Begin a conversation.
    Begin = 0x10,
    /// End a conversation, committing its unit of work.
    End = 0x11,
    /// MQOPEN.
    Open = 0x12,
    /// MQCLOSE.
    Close = 0x13,
    /// MQPUT.
    Put = 0x14,
    /// MQPUT1.
    Put1 = 0x15,
    /// MQGET.
    Get = 0x16,
    /// End a waiting get early.
    Cancel = 0x17,
    /// Let messages come before they are asked for.
    Credit = 0x18,
    /// Take messages that were reserved.
    Confirm = 0x19,
    /// MQCMIT.
    Commit = 0x1A,
    /// MQBACK.
    Back = 0x1B,
    /// MQINQ.
    Inquire = 0x1C,
    /// MQSET.
    Set = 0x1D,
    /// MQSTAT.
    Status = 0x1E,
    /// MQSUB.
    Subscribe = 0x1F,
    /// An MQSC command.
    Command = 0x20,
    /// End the queue manager.
    Stop = 0x21,
    /// Counters of the queue manager.
    Statistics = 0x22,
    /// Give back messages that were reserved and stop sending.
    Release = 0x23,
    /// MQSUBRQ.
    RequestPublications = 0x24,
    /// Figures of the queue manager.
    Figures = 0x25,
    /// A call of a coordinator on a branch of a transaction.
    Branch = 0x26,
    /// The branches that are prepared.
    ListBranches = 0x27,
    /// A copy of a message that a prepared branch has got; the answer is a `Got`.
    PreparedMessage = 0x29,
    /// A queue manager introduces itself to another, for a message channel.
    ChannelHello = 0x40,
    /// The receiver tells the last batch that it counts.
    Position = 0x41,
    /// The sender tells the batch that comes next.
    Resume = 0x42,
    /// A message of a message channel.
    Message = 0x43,
    /// A batch of messages is whole, and in doubt until it is answered.
    EndOfBatch = 0x44,
    /// Are you there?
    Ask = 0x47,
    /// Send these bytes back.
    Ping = 0x48,
    /// The other end is asked to end the channel.
    StopChannel = 0x49,
    /// The channel ends, and the connection with it.
    EndChannel = 0x4A,
    /// The server lets the client in.
    Welcome = 0x81,
    /// The server does not let the client in, or ends the connection, and says why.
    Refused = 0x82,
    /// Answer to Begin.
    Begun = 0x90,
    /// Answer to End.
    Ended = 0x91,
    /// Answer to Open.
    Opened = 0x92,
    /// Answer to Close.
    Closed = 0x93,
    /// Answer to Put and Put1.
    PutDone = 0x94,
    /// Answer to Get.
    Got = 0x96,
    /// Answer to Cancel.
    Cancelled = 0x97,
    /// A message that was let come by Credit.
    Delivered = 0x98,
    /// Answer to Confirm.
    Confirmed = 0x99,
    /// Answer to Commit.
    Committed = 0x9A,
    /// Answer to Back.
    BackedOut = 0x9B,
    /// Answer to Inquire.
    Inquired = 0x9C,
    /// Answer to Set.
    SetDone = 0x9D,
    /// Answer to Status.
    StatusTold = 0x9E,
    /// Answer to Subscribe.
    Subscribed = 0x9F,
    /// Answer to Command.
    CommandDone = 0xA0,
    /// Answer to Stop.
    Stopping = 0xA1,
    /// Answer to Statistics.
    StatisticsTold = 0xA2,
    /// Answer to Release.
    Released = 0xA3,
    /// Answer to RequestPublications.
    PublicationsRequested = 0xA4,
    /// Answer to Figures.
    FiguresTold = 0xA5,
    /// Answer to Branch.
    BranchAnswered = 0xA6,
    /// Answer to ListBranches.
    BranchesListed = 0xA7,
    /// Answer to ChannelHello.
    ChannelWelcome = 0xC0,
    /// Answer to EndOfBatch: it and all before it are committed.
    BatchDone = 0xC4,
    /// Answer to EndOfBatch: it is backed out, and none behind it is taken.
    BatchRefused = 0xC5,
    /// The receiver tries a message again before it takes more.
    Waiting = 0xC6,
    /// Answer to Ask.
    Answer = 0xC7,
    /// Answer to Ping.
    Pong = 0xC8,
}

/// The twelve bytes before a payload, without the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Kind of the frame.
    pub kind: Kind,
    /// Its flags.
    pub flags: Flags,
    /// The conversation it belongs to.
    pub conversation: Conversation,
    /// Number of the request it is or answers.
    pub request: RequestNumber,
}

impl Header {
    /// A header without flags.
    #[must_use]
    pub const fn new(kind: Kind, conversation: Conversation, request: RequestNumber) -> Self {
        Self { kind, flags: Flags::NONE, conversation, request }
    }

    /// With these flags besides.
    #[must_use]
    pub const fn with(self, flags: Flags) -> Self {
        Self { flags: self.flags.and(flags), ..self }
    }

    /// Without these flags.
    #[must_use]
    pub(crate) const fn without(self, flags: Flags) -> Self {
        Self { flags: Flags(self.flags.0 & !flags.0), ..self }
    }

    /// The bytes of a frame that begins, whose length [`finish`] writes.
    pub(crate) const fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let [c0, c1] = self.conversation.0.to_le_bytes();
        let [r0, r1, r2, r3] = self.request.0.to_le_bytes();
        [0, 0, 0, 0, self.kind as u8, self.flags.0, c0, c1, r0, r1, r2, r3]
    }
}

/// A whole frame at the front of received bytes.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Its header.
    pub header: Header,
    /// Its payload.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Finds a whole frame at the front of `bytes`; `None` while more must arrive.
    ///
    /// # Errors
    /// When the length is out of bounds, which is known from its four bytes, or the kind means nothing.
    #[inline]
    pub fn decode(bytes: &'a [u8], frame_bytes_max: u32) -> Result<Option<Self>, Error> {
        let Some(total) = Self::length(bytes, frame_bytes_max)? else {
            return Ok(None);
        };
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Ok(None);
        };
        let [_, _, _, _, kind, flags, c0, c1, r0, r1, r2, r3] = *header;
        let kind = Kind::from_number(kind)?;
        let Some(payload) = rest.get(..total - HEADER_BYTES) else {
            return Ok(None);
        };
        let header = Header {
            kind,
            flags: Flags(flags),
            conversation: Conversation(u16::from_le_bytes([c0, c1])),
            request: RequestNumber(u32::from_le_bytes([r0, r1, r2, r3])),
        };
        Ok(Some(Self { header, payload }))
    }

    /// Bytes of the frame at the front of `bytes`, header included; `None` while its length is not there.
    ///
    /// # Errors
    /// When the length is out of bounds.
    #[inline]
    pub fn length(bytes: &[u8], frame_bytes_max: u32) -> Result<Option<usize>, Error> {
        let Some(length) = bytes.first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length);
        if !(COUNTED_BYTES..=frame_bytes_max).contains(&length) {
            return Err(Error::Length { length, length_min: COUNTED_BYTES, length_max: frame_bytes_max });
        }
        Ok(Some(length as usize + 4))
    }

    /// Bytes of this frame, header included.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        HEADER_BYTES + self.payload.len()
    }
}

/// Begins a frame; what is appended to `out` until [`finish`] is its payload. Returns where it begins.
#[inline]
#[must_use]
pub fn begin(out: &mut Vec<u8>, header: Header) -> usize {
    let start = out.len();
    out.extend_from_slice(&header.to_bytes());
    start
}

/// Ends the frame that began at `start` and has `apart` more bytes that are sent beside `out`.
#[inline]
pub fn finish(out: &mut [u8], start: usize, apart: usize) {
    let length = (out.len() - start - 4 + apart) as u32;
    if let Some(field) = out.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
        *field = length.to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_reads_back_and_a_part_of_one_waits() {
        let header =
            Header::new(Kind::Put, Conversation(7), RequestNumber(0x0102_0304)).with(Flags::NO_REPLY);
        let mut bytes = Vec::new();
        let start = begin(&mut bytes, header);
        bytes.extend_from_slice(b"abc");
        finish(&mut bytes, start, 0);
        for end in 0..bytes.len() {
            assert!(Frame::decode(&bytes[..end], 100).unwrap().is_none(), "{end} bytes");
        }
        let frame = Frame::decode(&bytes, 100).unwrap().unwrap();
        assert_eq!((frame.header, frame.payload, frame.bytes()), (header, &b"abc"[..], bytes.len()));
    }

    #[test]
    fn a_length_out_of_bounds_is_refused_before_anything_else_arrives() {
        for length in [0_u32, 7, 101, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            let error = Frame::decode(&length.to_le_bytes(), 100).unwrap_err();
            assert_eq!(error, Error::Length { length, length_min: 8, length_max: 100 });
        }
    }

    #[test]
    fn every_kind_reads_back_from_its_number() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_number(*kind as u8), Ok(*kind));
        }
        assert_eq!(Kind::from_number(0x7F), Err(Error::Kind(0x7F)));
    }
}
