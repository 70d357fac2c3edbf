//! Frames made smaller on their way.
//!
//! ```text
//! Compressed (06)
//!  0     1                 5
//!  +-----+-----------------+------------- - -
//!  | way | original length | another frame, its header included, compressed
//!  +-----+-----------------+------------- - -
//!    1          4
//! ```
//!
//! Each frame is compressed by itself, so nothing is kept between two of them, and a connection that
//! compresses costs no memory of its own. A frame goes as it is where its compressed form is not smaller.
//!
//! Lives here: the frames that are compressed, and the checks of one that comes. Lives elsewhere: the bytes
//! (`codec`, `runs`), the names of the ways and their agreement (`login`), pieces of long bodies (`client`).
//!
//! Always: memory for an expanded frame is taken once its length was checked against the longest frame that
//! was agreed, and an expanded frame has that length exactly.

mod codec;
mod runs;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::frame::{self, Conversation, Frame, HEADER_BYTES, Header, Kind, RequestNumber};
use crate::login::{Compression, Compressions, Limits};
use wire::Output;
use wire::fields::{Fields, put_u32};

/// Fewest bytes of a frame that is worth compressing: less leaves little behind the head of its compressed
/// form.
pub const FRAME_BYTES_MIN: usize = 128;

/// Most bytes of a body in one frame where bodies are compressed. Small enough that the dearest way takes a
/// few milliseconds, large enough that hardly anything is lost of what one piece would save.
pub const PIECE_BYTES: usize = 64 * 1024;

/// Bytes of a frame from which on a slow way may take milliseconds: its time grows with the square of them
/// where the letters are few, and four times as many take ten milliseconds.
const DEAR_BYTES_MIN: usize = 4 * 1024;

/// Bytes of a compressed frame before its content: header, way, length.
const HEAD_BYTES: usize = HEADER_BYTES + 5;

/// The compressions that a side offers where it calls, or allows where it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Of frames that carry messages.
    pub bodies: Compressions,
    /// Of all other frames.
    pub heads: Compressions,
}

impl Offer {
    /// The offer of a definition's COMPMSG and COMPHDR: of the end that calls, or of the end that is called.
    #[must_use]
    pub fn of_attributes(messages: &[i32], headers: &[i32], calls: bool) -> Self {
        let list = |values| Compressions::of_values(values, calls);
        Self { bodies: list(messages), heads: list(headers) }
    }
}

/// The compressions that were agreed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Of frames that carry messages.
    pub bodies: Option<Compression>,
    /// Of all other frames.
    pub heads: Option<Compression>,
}

/// The course of one frame, for figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// True for a frame that carries a message, or a part of one.
    pub carries_message: bool,
    /// The way; none for a frame that went as it is.
    pub way: Option<Compression>,
    /// Bytes of the frame.
    pub plain_bytes: usize,
    /// Bytes that went.
    pub sent_bytes: usize,
}

impl Ways {
    /// The ways of a connection: the list of the end that calls counts.
    #[must_use]
    pub fn agreed(caller: &Offer, called: &Offer) -> Self {
        Self { bodies: caller.bodies.agreed(&called.bodies), heads: caller.heads.agreed(&called.heads) }
    }

    /// True where nothing is compressed.
    #[must_use]
    #[inline]
    pub fn is_none(&self) -> bool {
        self.bodies.is_none() && self.heads.is_none()
    }

    /// Passes the frame at the front of `plain` to `out`, smaller where it can be. None where no whole frame
    /// waits.
    pub fn pass(&self, plain: &mut Output, out: &mut Output) -> Option<Measure> {
        codec::with_scratch(|scratch| {
            front(plain, scratch)?;
            let measure = self.compress(scratch, out.cork());
            plain.hand_on(scratch.len(), out);
            Some(measure)
        })
    }

    /// Appends a whole frame to `out`, smaller where it can be.
    pub fn compress(&self, whole: &[u8], out: &mut Vec<u8>) -> Measure {
        let kind = whole.get(4).and_then(|kind| Kind::from_number(*kind).ok());
        let carries_message = kind.is_some_and(carries_message);
        let start = out.len();
        let way = kind.and_then(|kind| self.way_of(kind)).filter(|way| {
            whole.len() >= FRAME_BYTES_MIN && {
                let header = Header::new(Kind::Compressed, Conversation::CONNECTION, RequestNumber(0));
                let begun = frame::begin(out, header);
                out.push(way.number());
                put_u32(out, whole.len() as u32);
                let is_smaller = codec::compress(*way, whole, out, whole.len() - HEAD_BYTES - 1);
                frame::finish(out, begun, 0);
                is_smaller
            }
        });
        if way.is_none() {
            out.truncate(start);
            out.extend_from_slice(whole);
        }
        Measure { carries_message, way, plain_bytes: whole.len(), sent_bytes: out.len() - start }
    }

    /// Puts the frame that a compressed one stands for into `whole`, in the place of what is there.
    ///
    /// # Errors
    /// When its way was not agreed, its length is out of bounds or is not that of its content, or it is no
    /// frame that may be compressed.
    pub fn expand(
        &self,
        payload: &[u8],
        frame_bytes_max: u32,
        whole: &mut Vec<u8>,
    ) -> Result<Measure, Error> {
        whole.clear();
        let mut fields = Fields::of(payload);
        let number = fields.u8("way of a compressed frame")?;
        let agreed = [self.bodies, self.heads].into_iter().flatten().find(|way| way.number() == number);
        let way = agreed.ok_or(Error::Compressed("is compressed by a way that was not agreed"))?;
        let length = fields.u32("length of a compressed frame")?;
        let (length_min, length_max) = (HEADER_BYTES as u32, frame_bytes_max.saturating_add(4));
        if !(length_min..=length_max).contains(&length) {
            return Err(Error::Length { length, length_min, length_max });
        }
        codec::expand(way, fields.rest(), length as usize, whole)?;
        let is_whole = Frame::length(whole, frame_bytes_max)? == Some(whole.len());
        if !is_whole {
            return Err(Error::Compressed("has another length than the frame in it"));
        }
        let kind = whole.get(4).map_or(Err(Error::cut("kind")), |kind| Kind::from_number(*kind))?;
        if !may_be_compressed(kind) {
            return Err(Error::Compressed("has a frame in it that is never compressed"));
        }
        Ok(Measure {
            carries_message: carries_message(kind),
            way: Some(way),
            plain_bytes: whole.len(),
            sent_bytes: HEADER_BYTES + payload.len(),
        })
    }

    /// The whole frame at the front of `plain`; none where none waits.
    #[must_use]
    pub fn front(&self, plain: &Output) -> Option<Vec<u8>> {
        let mut whole = Vec::new();
        front(plain, &mut whole).map(|()| whole)
    }

    /// True where the frame at the front of `plain` is to be compressed by a way that takes long.
    #[must_use]
    pub fn is_dear(&self, plain: &Output) -> bool {
        let mut head = Vec::new();
        if !self.bodies.is_some_and(Compression::is_slow) {
            return false;
        }
        plain.copy_front(HEADER_BYTES, &mut head);
        let is_long =
            Frame::length(&head, u32::MAX).ok().flatten().is_some_and(|total| total > DEAR_BYTES_MIN);
        is_long && head.get(4).is_some_and(|kind| Kind::from_number(*kind).is_ok_and(carries_message))
    }

    /// Most bytes of a body in one frame, of those that the connection allows anyway.
    #[must_use]
    pub fn fragment_bytes(&self, most: usize) -> usize {
        if self.bodies.is_some() { most.min(PIECE_BYTES) } else { most }
    }

    /// Has bodies go in the shorter pieces that compression asks for.
    pub fn shorten_frames(&self, limits: &mut Limits) {
        if self.bodies.is_some() {
            let body_bytes = self.fragment_bytes(limits.fragment_bytes()) as u32;
            limits.frame_bytes_max = limits.frame_bytes_max.min(body_bytes + frame::HEAD_BYTES_MAX);
        }
    }

    fn way_of(&self, kind: Kind) -> Option<Compression> {
        match carries_message(kind) {
            true => self.bodies,
            false => self.heads.filter(|_| may_be_compressed(kind)),
        }
    }
}

/// Copies the whole frame at the front of `plain`; none where none waits.
fn front(plain: &Output, whole: &mut Vec<u8>) -> Option<()> {
    plain.copy_front(HEADER_BYTES, whole);
    let total = Frame::length(whole, u32::MAX).ok().flatten().filter(|total| *total <= plain.len())?;
    whole.clear();
    plain.copy_front(total, whole);
    Some(())
}

/// True for the frames whose bytes are mostly those of messages.
fn carries_message(kind: Kind) -> bool {
    matches!(kind, Kind::Put | Kind::Put1 | Kind::Got | Kind::Delivered | Kind::Message | Kind::Fragment)
}

/// False for a frame that is read before the ways are agreed, and for one that is compressed.
fn may_be_compressed(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Hello
            | Kind::Identify
            | Kind::Welcome
            | Kind::Refused
            | Kind::ChannelHello
            | Kind::ChannelWelcome
            | Kind::Compressed
    )
}
