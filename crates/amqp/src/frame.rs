//! Frames and protocol headers.
//!
//! ```text
//! 0      4     5     6         8
//! size | doff | type | channel | extended header up to doff × 4 | body
//!
//! "AMQP" protocol major minor revision
//! ```

use crate::error::{Condition, Fault};

/// Bytes of a frame before its body, where it has no extended header.
pub const HEAD_BYTES: usize = 8;

/// Bytes of a protocol header.
pub const HEADER_BYTES: usize = 8;

/// Longest frame that every peer must take; a frame before Open is not longer.
pub const FRAME_BYTES_MIN: u32 = 512;

/// The protocol that a header names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Messages.
    Amqp,
    /// Login by SASL.
    Sasl,
}

impl Protocol {
    /// The header that names it.
    #[must_use]
    pub const fn header(self) -> [u8; HEADER_BYTES] {
        match self {
            Self::Amqp => *b"AMQP\x00\x01\x00\x00",
            Self::Sasl => *b"AMQP\x03\x01\x00\x00",
        }
    }

    /// The protocol of the header at the front of the input; none while it is not whole.
    ///
    /// # Errors
    /// When it is of none of these.
    pub fn of(input: &[u8]) -> Result<Option<Self>, Fault> {
        for protocol in [Self::Amqp, Self::Sasl] {
            let header = protocol.header();
            let length = input.len().min(HEADER_BYTES);
            if input[..length] == header[..length] {
                return Ok((length == HEADER_BYTES).then_some(protocol));
            }
        }
        Err(Fault::of_connection(Condition::NotImplemented, refusal_of(input)))
    }
}

/// The first bytes of clients of AMQP before 1.0, and the version that they mean. Each differs from a header
/// of 1.0 at its sixth byte at the latest.
const EARLIER: [(&[u8], &str); 4] = [
    (b"AMQP\x00\x00\x09\x01", "AMQP 0-9-1"),
    (b"AMQP\x01\x01\x00\x0a", "AMQP 0-10"),
    (b"AMQP\x01\x01\x00\x09", "AMQP 0-9"),
    (b"AMQP\x01\x01\x08\x00", "AMQP 0-8"),
];

/// The words for a header that no client of AMQP 1.0 sends.
fn refusal_of(input: &[u8]) -> String {
    let header = &input[..input.len().min(HEADER_BYTES)];
    let version = EARLIER.iter().find(|(earlier, _)| header.len() > 5 && earlier.starts_with(header));
    match version {
        Some((_, version)) => format!(
            "the client speaks {version}, and AMQP 1.0 alone is spoken here: use a library of AMQP 1.0, such as Qpid \
             Proton, Qpid JMS or rhea"
        ),
        None => "the protocol header is not one of AMQP 1.0 or SASL; use a client of AMQP 1.0".to_owned(),
    }
}

/// The type of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameType {
    /// A performative with its payload, or nothing.
    Amqp,
    /// A step of a login.
    Sasl,
}

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Its type.
    pub frame_type: FrameType,
    /// Its channel.
    pub channel: u16,
    /// The bytes behind its head.
    pub body: &'a [u8],
    /// Bytes of the whole frame.
    pub bytes: usize,
}

impl<'a> Frame<'a> {
    /// The frame at the front of the input; none while it is not whole.
    ///
    /// # Errors
    /// When its size or its offset cannot be, or it is longer than was agreed: known from its first bytes.
    pub fn decode(input: &'a [u8], frame_bytes_max: u32) -> Result<Option<Self>, Fault> {
        let framing = |text| Fault::of_connection(Condition::FramingError, text);
        let Some((size, behind)) = input.split_first_chunk::<4>() else { return Ok(None) };
        let size = u32::from_be_bytes(*size);
        if (size as usize) < HEAD_BYTES {
            return Err(framing("a frame is shorter than its head"));
        }
        if size > frame_bytes_max {
            let text = format!("a frame of {size} bytes is longer than the {frame_bytes_max} agreed");
            return Err(Fault::of_connection(Condition::FramingError, text));
        }
        let Some(([offset, frame_type, channel @ ..], _)) = behind.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let offset = usize::from(*offset) * 4;
        if offset < HEAD_BYTES || offset > size as usize {
            return Err(framing("the data offset of a frame is not within it"));
        }
        let frame_type = match frame_type {
            0 => FrameType::Amqp,
            1 => FrameType::Sasl,
            _ => return Err(framing("a frame is neither of AMQP nor of SASL")),
        };
        let bytes = size as usize;
        let Some(frame) = input.get(..bytes) else { return Ok(None) };
        let channel = u16::from_be_bytes([channel[0], channel[1]]);
        Ok(Some(Self { frame_type, channel, body: &frame[offset..], bytes }))
    }
}

/// Appends a frame whose body `content` appends.
pub fn put_frame(out: &mut Vec<u8>, frame_type: FrameType, channel: u16, content: impl FnOnce(&mut Vec<u8>)) {
    put_frame_before(out, frame_type, channel, 0, content);
}

/// Writes a frame that goes on with so many bytes which are appended elsewhere.
///
/// # Panics
/// When the frame has 4 GiB or more.
#[inline]
pub fn put_frame_before(
    out: &mut Vec<u8>,
    frame_type: FrameType,
    channel: u16,
    behind: usize,
    content: impl FnOnce(&mut Vec<u8>),
) {
    let begin = out.len();
    let [high, low] = channel.to_be_bytes();
    let frame_type = match frame_type {
        FrameType::Amqp => 0,
        FrameType::Sasl => 1,
    };
    out.extend_from_slice(&[0, 0, 0, 0, 2, frame_type, high, low]);
    content(out);
    let size = u32::try_from(out.len() - begin + behind).expect("a frame has less than 4 GiB");
    out[begin..begin + 4].copy_from_slice(&size.to_be_bytes());
}
