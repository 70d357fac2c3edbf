//! Messages as they came: undecoded frames, one behind the other.
//!
//! The thread that reads the socket for others only copies messages here. The receiver of a message decodes
//! it, with nothing locked and beside the fields of its last message. So no message needs memory of its own
//! on the way, which one thread would allocate and another free.
//!
//! Lives here: how they are kept. Lives elsewhere: whose they are (`inbox`), what is made of them
//! (`connection`).
//!
//! Always: they leave in the order they came in. Each begins with a byte that says whether its body is apart:
//! one that came in several frames, is too long to be copied twice, or is kept for other messages too.

use ::channel::body_cache::Parted;
use ::channel::client::{DeltaReader, ForHandle, Message, delivered_to};
use ::channel::frame::{begin, finish};
use ::channel::{Error, Flags, Frame};
use bytes::Bytes;
use mqi::{MessageToken, ObjectName, Reason};
use std::collections::VecDeque;
use std::ops::Range;

/// A message whose frame is longer has its body apart. Less than any frame holds that a body goes on behind,
/// so that a frame which is no longer is whole.
pub(crate) const TOGETHER_BYTES_MAX: usize = 16 * 1024;

/// Most memory that is kept when the last message was taken: twice the input of the reads that are made
/// before owners are told, because memory grows by doubling.
const KEPT_BYTES_MAX: usize = 512 * 1024;

/// Invariant of every message in here.
const WHOLE: &str = "what was written is a whole frame";

/// Messages in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Letters {
    frames: Vec<u8>,
    /// Behind those that were taken.
    start: usize,
    /// Number of messages.
    count: u32,
    /// Bodies that are apart.
    apart: VecDeque<Bytes>,
}

/// Content of a message, besides its body and its descriptor.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) warning: Option<Reason>,
    pub(crate) data_length: u32,
    pub(crate) resolved_queue_name: ObjectName,
    pub(crate) message_token: MessageToken,
    /// Content for the getter's message handle.
    pub(crate) for_handle: ForHandle,
    /// Bytes of the body.
    pub(crate) length: u32,
    /// True if the message is only reserved until it is taken, by the number of its delivery; other messages'
    /// numbers are not read.
    pub(crate) is_reserved: bool,
    pub(crate) number: u32,
    /// Where its body is, and where the next message begins.
    body: Option<Range<usize>>,
    next: usize,
}

impl Opened {
    /// True if a program may be shown the body in place: nothing is to be parted from it, and nothing kept
    /// back.
    pub(crate) fn may_be_lent(&self) -> bool {
        self.for_handle == ForHandle::Nothing && self.warning != Some(Reason::TRUNCATED_MSG_FAILED)
    }
}

/// True if a message is only reserved until it is taken.
pub(crate) fn is_reserved(frame: &Frame<'_>) -> bool {
    frame.header.flags.contains(Flags::RESERVED)
}

impl Letters {
    /// A message whose body is still to be [attached](Self::attach); its frame has none.
    pub(crate) fn without_body(frame: &Frame<'_>) -> Self {
        let mut letters = Self::default();
        letters.write(frame, true);
        letters
    }

    /// The body of the message that has none yet.
    pub(crate) fn attach(&mut self, body: Bytes) {
        self.apart.push_back(body);
    }

    /// A message came whose body is kept for others, too.
    pub(crate) fn push_parted(&mut self, parted: &Parted<'_>) {
        self.frames.push(u8::from(true));
        parted.write(&mut self.frames);
        self.count += 1;
        self.attach(parted.body().clone());
    }

    /// A message that is whole came.
    pub(crate) fn push(&mut self, frame: &Frame<'_>) {
        self.write(frame, false);
    }

    fn write(&mut self, frame: &Frame<'_>, is_apart: bool) {
        self.frames.push(u8::from(is_apart));
        let start = begin(&mut self.frames, frame.header);
        self.frames.extend_from_slice(frame.payload);
        finish(&mut self.frames, start, 0);
        self.count += 1;
    }

    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes all of another's behind its own.
    pub(crate) fn append(&mut self, other: &mut Self) {
        if self.is_empty() {
            self.clear();
            std::mem::swap(self, other);
        } else {
            // Taken messages are removed when they are the larger part: a reader that never takes the last
            // would keep all.
            if self.start > self.frames.len() / 2 {
                self.frames.drain(..self.start);
                self.start = 0;
            }
            self.frames.extend_from_slice(&other.frames[other.start..]);
            self.apart.append(&mut other.apart);
            self.count += other.count;
            other.clear();
        }
    }

    /// Forgets all that is here.
    pub(crate) fn clear(&mut self) {
        self.apart.clear();
        self.frames.clear();
        (self.start, self.count) = (0, 0);
        if self.frames.capacity() > KEPT_BYTES_MAX {
            self.frames = Vec::new();
        }
    }

    /// The frames of all of them.
    pub(crate) fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        let mut rest = &self.frames[self.start..];
        std::iter::from_fn(move || {
            let (_, frame, behind) = split(rest)?;
            rest = behind;
            Some(frame)
        })
    }

    /// Reads the first message, which stays first; its descriptor is in `seen` then.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn open(
        &self,
        message_bytes_max: u32,
        seen: &mut DeltaReader,
    ) -> Result<Option<Opened>, Error> {
        let Some((is_apart, frame, behind)) = split(&self.frames[self.start..]) else {
            return Ok(None);
        };
        let next = self.frames.len() - behind.len();
        let is_reserved = is_reserved(&frame);
        let number = if is_reserved { delivered_to(&frame)?.1 } else { 0 };
        let message = seen.read(&frame, message_bytes_max)?;
        let Message { warning, data_length, resolved_queue_name, message_token, for_handle, length, body } =
            message;
        if is_apart && !body.is_empty() {
            return Err(wire::Error::Trailing(body.len()).into());
        }
        let body_length = if is_apart { self.apart.front().map_or(0, Bytes::len) } else { body.len() };
        if body_length != length as usize {
            return Err(Error::cut("message"));
        }
        Ok(Some(Opened {
            warning,
            data_length,
            resolved_queue_name,
            message_token,
            for_handle,
            length,
            number,
            is_reserved,
            body: (!is_apart).then(|| next - body.len()..next),
            next,
        }))
    }

    /// Takes the first message, as it was opened; its body.
    pub(crate) fn take_body(&mut self, opened: &Opened) -> Bytes {
        self.pass(opened).unwrap_or_else(Bytes::copy_from_slice)
    }

    /// Takes the first message, as it was opened; its body is only lent.
    pub(crate) fn lend_body(&mut self, opened: &Opened, borrow: &mut dyn FnMut(&[u8])) {
        match self.pass(opened) {
            Ok(body) => borrow(&body),
            Err(body) => borrow(body),
        }
    }

    /// A copy of the body of the first message, as it was opened.
    pub(crate) fn body(&self, opened: &Opened) -> Bytes {
        match &opened.body {
            Some(body) => Bytes::copy_from_slice(&self.frames[body.clone()]),
            None => self.apart.front().cloned().unwrap_or_default(),
        }
    }

    /// Passes over the first message; its body, which is apart or lies here.
    fn pass(&mut self, opened: &Opened) -> Result<Bytes, &[u8]> {
        assert!(self.start < opened.next, "a message is taken once");
        self.start = opened.next;
        self.count -= 1;
        match &opened.body {
            Some(body) => Err(&self.frames[body.clone()]),
            None => Ok(self.apart.pop_front().unwrap_or_default()),
        }
    }

    /// Keeps the letters whose frames a condition accepts.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&Frame<'_>) -> bool) {
        let (kept, _) = std::mem::take(self).part(|_, frame| is_kept(frame));
        *self = kept;
    }

    /// Puts the one at a place before the others.
    pub(crate) fn bring_forward(&mut self, place: usize) {
        let (mut first, mut others) = std::mem::take(self).part(|at, _| at == place);
        first.append(&mut others);
        *self = first;
    }

    /// Splits them, by place and frame: messages for which `is_such` holds, and the others.
    fn part(mut self, is_such: impl Fn(usize, &Frame<'_>) -> bool) -> (Self, Self) {
        let (mut such, mut others) = (Self::default(), Self::default());
        let mut rest = &self.frames[self.start..];
        let mut place = 0;
        while let Some((is_apart, frame, behind)) = split(rest) {
            let to = if is_such(place, &frame) { &mut such } else { &mut others };
            to.write(&frame, is_apart);
            if is_apart {
                to.apart.extend(self.apart.pop_front());
            }
            (rest, place) = (behind, place + 1);
        }
        (such, others)
    }
}

/// The first of several messages, whether its body is apart, and what is behind it.
fn split(bytes: &[u8]) -> Option<(bool, Frame<'_>, &[u8])> {
    let (is_apart, bytes) = bytes.split_first()?;
    let frame = Frame::decode(bytes, u32::MAX).ok().flatten().expect(WHOLE);
    Some((*is_apart != 0, frame, &bytes[frame.bytes()..]))
}

#[cfg(test)]
mod tests;
