//! Bodies that go over a connection once for all of its conversations, each with the part of the descriptor
//! that copies share.
//!
//! Both sides keep the last bodies that a frame said are to be kept, by one rule and in the order of the
//! frames, so nothing is agreed upon beforehand. A message with one of them says how many places ago it was
//! kept, where others have their descriptor and their body, and its own correlation identifier.
//!
//! Lives here: what is kept, and which bodies are worth it. Lives elsewhere: the frames (`client`), which
//! bodies are shared at all (`queue-manager`).
//!
//! Always: what the sender names, the receiver has.

use crate::descriptor::{DESCRIPTOR_BYTES_MAX, put_written, written_has_gap};
use crate::frame::{HEADER_BYTES, begin, finish};
use crate::{Conversation, Error, Flags, Frame, Header, Kind};
use bytes::Bytes;
use mqi::{CorrelationId, ObjectHandle};
use std::collections::VecDeque;
use wire::Output;
use wire::fields::{Fields, put_u32};

/// Most bodies that are kept: as many as come ahead of a subscriber, since programs of one socket are at
/// different places; with few, many bodies were gone before the last of ten programs was sent them.
pub const BODIES_MAX: usize = 1024;

/// Most bytes of them: as many bodies of 2 KB.
pub const BYTES_MAX: usize = 2 * 1024 * 1024;

/// A shorter body is sent each time: to keep it costs about what copying it does.
const BODY_BYTES_MIN: usize = 512;

/// A longer body is sent each time: it would push out many others. No frame of a message holds less than
/// this.
const BODY_BYTES_MAX: usize = BYTES_MAX / 64;

/// Where a body that follows stands in place of a number of places.
const FOLLOWS: u16 = 0;

/// Content that copies of a publication share.
#[derive(Clone, Debug)]
struct Content {
    /// Bytes that [`written`](crate::descriptor::written) made of their descriptors.
    written: Bytes,
    body: Bytes,
}

/// The bodies that were kept last, with their descriptors.
#[derive(Debug, Default)]
struct Last {
    /// The oldest first.
    contents: VecDeque<Content>,
    /// Bytes of the bodies.
    bytes: usize,
}

impl Last {
    /// Keeps one, and forgets the oldest beyond the bounds.
    fn keep(&mut self, content: Content) {
        self.bytes += content.body.len();
        self.contents.push_back(content);
        while self.contents.len() > BODIES_MAX || self.bytes > BYTES_MAX {
            self.bytes -= self.contents.pop_front().map_or(0, |oldest| oldest.body.len());
        }
    }

    /// The one that was kept so many places ago; the last one is at 1.
    fn ago(&self, place: u16) -> Option<&Content> {
        self.contents.get(self.contents.len().checked_sub(usize::from(place))?)
    }
}

/// The receiver's side: the bodies that may be named.
#[derive(Debug, Default)]
pub struct BodyCache {
    last: Last,
}

impl BodyCache {
    /// Parts a message from its body, if that is a kept one. Its own fields are not read here: the decoder
    /// compares the length in them with that of the body.
    ///
    /// # Errors
    /// When descriptor and body are not as long as they are said to be, or were not kept.
    pub fn part<'a>(&'a mut self, frame: &Frame<'a>) -> Result<Option<Parted<'a>>, Error> {
        if !is_shared(frame) {
            return Ok(None);
        }
        let mut fields = Fields::of(frame.payload);
        let to = fields.array("handle")?;
        let shared = Shared::take(&mut fields)?;
        let mut own = fields.rest();
        if shared.follows() {
            let content;
            (own, content) = shared.split_follower(own)?;
            self.last.keep(content);
        }
        let place = if shared.follows() { 1 } else { shared.place };
        let kept = self.last.ago(place).filter(|content| shared.says(content));
        let Some(content) = kept else {
            let kept = self.last.contents.len();
            return Err(Error::NotKept { place, length: shared.length, kept });
        };
        let (own, correlation_id) = own.split_last_chunk().ok_or(Error::cut("correlation identifier"))?;
        let header = frame.header.without(Flags::SHARED);
        Ok(Some(Parted { header, to, own, correlation_id: CorrelationId(*correlation_id), content }))
    }
}

/// A message that was parted from its body, which is kept.
#[derive(Clone, Copy, Debug)]
pub struct Parted<'a> {
    header: Header,
    to: [u8; TO_BYTES],
    /// Its own fields, in front of its descriptor.
    own: &'a [u8],
    correlation_id: CorrelationId,
    content: &'a Content,
}

impl Parted<'_> {
    /// The conversation and the handle it is for.
    #[must_use]
    pub fn to(&self) -> (Conversation, ObjectHandle) {
        let [h0, h1, h2, h3, ..] = self.to;
        (self.header.conversation, ObjectHandle(i32::from_le_bytes([h0, h1, h2, h3])))
    }

    /// The body that it has with others.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.content.body
    }

    /// Appends the frame that it would have come in without being kept, up to its body.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Self { header, to, own, correlation_id, content } = self;
        out.reserve(HEADER_BYTES + to.len() + own.len() + content.written.len() + size_of::<u32>());
        let start = begin(out, *header);
        out.extend_from_slice(to);
        out.extend_from_slice(own);
        put_written(out, &content.written, correlation_id);
        put_u32(out, content.body.len() as u32);
        finish(out, start, 0);
    }
}

/// Bytes of the addressee of a message and of its number.
const TO_BYTES: usize = 8;

/// True if a frame is a message whose body is kept.
#[inline]
pub(crate) fn is_shared(frame: &Frame<'_>) -> bool {
    let flags = frame.header.flags;
    frame.header.kind == Kind::Delivered && flags.contains(Flags::SHARED) && !flags.contains(Flags::FAILED)
}

/// Reference of a message to its kept body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Number of places since it was kept, or the mark that it follows, behind its descriptor.
    place: u16,
    /// Length of the descriptor, as it is written.
    descriptor_length: u16,
    /// Length of the body.
    length: u32,
}

/// Bytes of it.
pub(crate) const SHARED_BYTES: usize = 8;

impl Shared {
    fn at(place: u16, written: &Bytes, body: &Bytes) -> Self {
        // Both are bounded before they are shared.
        Self { place, descriptor_length: written.len() as u16, length: body.len() as u32 }
    }

    fn take(fields: &mut Fields<'_>) -> Result<Self, Error> {
        Ok(Self {
            place: fields.u16("place of the body")?,
            descriptor_length: fields.u16("length of the descriptor")?,
            length: fields.u32("length of the body")?,
        })
    }

    pub(crate) fn to_bytes(self) -> [u8; SHARED_BYTES] {
        let ([p0, p1], [d0, d1]) = (self.place.to_le_bytes(), self.descriptor_length.to_le_bytes());
        let [l0, l1, l2, l3] = self.length.to_le_bytes();
        [p0, p1, d0, d1, l0, l1, l2, l3]
    }

    /// True if descriptor and body are in the frame.
    pub(crate) fn follows(self) -> bool {
        self.place == FOLLOWS
    }

    /// True if this content has the lengths of the reference.
    fn says(self, content: &Content) -> bool {
        content.written.len() == usize::from(self.descriptor_length)
            && content.body.len() == self.length as usize
    }

    /// Splits the message's own fields from the content to keep.
    fn split_follower(self, bytes: &[u8]) -> Result<(&[u8], Content), Error> {
        let written_length = usize::from(self.descriptor_length);
        let kept_length = written_length + self.length as usize;
        let (own, kept) = split_end(bytes, kept_length).ok_or(Error::cut("body"))?;
        if !written_has_gap(&kept[..written_length]) {
            return Err(Error::cut("descriptor"));
        }
        // One piece of memory for both.
        let mut body = Bytes::copy_from_slice(kept);
        let written = body.split_to(written_length);
        Ok((own, Content { written, body }))
    }
}

/// Splits off the last bytes, if there are so many.
fn split_end(bytes: &[u8], length: usize) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(bytes.len().checked_sub(length)?)
}

/// Most worth of keeping to a sender: above zero it pays. Each body that is kept takes one, each that is
/// named again gives two. So keeping goes on where half of them have a second reader, which is where it
/// begins to pay.
const WORTH_MAX: u32 = 2 * BODIES_MAX as u32;

/// As many as are kept in a turn: the others that get the same have their turns after it.
const WORTH_AT_FIRST: u32 = BODIES_MAX as u32 / 2;

/// Where it has not paid, one body of so many is kept, to see whether it does now. An odd number: where each
/// is sent to two, it must not always be the second time.
const TRIED_OF: u32 = 31;

/// Most bodies that a search passes over, from the likely place: only a reader that hears little of the
/// others' traffic needs more.
const LOOKED_AT_MAX: usize = 32;

/// The sender's side: the bodies that the receiver keeps, and how often keeping them has paid.
#[derive(Debug)]
struct Keeping {
    kept: Last,
    /// Number of bodies ever kept: the name of the next.
    count: u64,
    /// None is looked for among those that were kept before this one.
    findable: u64,
    /// Behind the last body that each conversation was sent, by its number: which is likely to be its next.
    next: Vec<u64>,
    worth: u32,
    passed_over: u32,
    /// Number of bodies kept since the turn of a conversation began, and their bytes.
    turn: (usize, usize),
}

/// The bodies that the reader of an output keeps, once any are worth it.
#[derive(Debug, Default)]
pub struct SharedBodies(Option<Box<Keeping>>);

impl SharedBodies {
    /// From now on a body for several conversations goes over the connection once.
    pub fn begin(&mut self) {
        self.0.get_or_insert_default();
    }

    /// Says that bodies are shared.
    #[must_use]
    pub fn have_begun(&self) -> bool {
        self.0.is_some()
    }

    /// Begins the turn of a conversation.
    #[inline]
    pub fn begin_turn(&mut self) {
        if let Some(keeping) = &mut self.0 {
            keeping.begin_turn();
        }
    }

    /// Says that the others should have their turns, so that what was kept in this one is there for them.
    #[inline]
    #[must_use]
    pub fn is_turn_over(&self) -> bool {
        self.0.as_ref().is_some_and(|keeping| keeping.is_turn_over())
    }

    /// Picks how a body is sent to a conversation, with the descriptor that copies share: as one that the
    /// reader keeps, or none.
    #[inline]
    pub(crate) fn share(&mut self, to: Conversation, written: &Bytes, body: &Bytes) -> Option<Shared> {
        self.0.as_mut()?.share(to, written, body)
    }
}

/// The way of messages to their reader.
#[derive(Debug)]
pub struct Outlet<'a> {
    /// Where frames are written.
    pub output: &'a mut Output,
    /// The bodies that the reader keeps.
    pub bodies: &'a mut SharedBodies,
}

impl Default for Keeping {
    fn default() -> Self {
        Self {
            kept: Last::default(),
            count: 0,
            findable: 0,
            next: Vec::new(),
            worth: WORTH_AT_FIRST,
            passed_over: 0,
            turn: (0, 0),
        }
    }
}

impl Keeping {
    /// Chooses the form of a body for a conversation, when others may be sent it too, with the shared part of
    /// its descriptor: a kept body, or none.
    pub(crate) fn share(&mut self, to: Conversation, written: &Bytes, body: &Bytes) -> Option<Shared> {
        let is_long = written.len() > DESCRIPTOR_BYTES_MAX;
        if is_long || !(BODY_BYTES_MIN..=BODY_BYTES_MAX).contains(&body.len()) {
            return None;
        }
        let to = usize::from(to.0);
        if self.next.len() <= to {
            // As if it were behind: then both the first and the last that are kept are looked at.
            self.next.resize(to + 1, 0);
        }
        if let Some(found) = self.find(written, body, self.next[to]) {
            self.worth = (self.worth + 2).min(WORTH_MAX);
            self.next[to] = found + 1;
            return Some(Shared::at((self.count - found) as u16, written, body));
        }
        // Who is so far behind that its bodies are gone would push out those of others.
        let is_behind = self.next[to] < self.oldest();
        self.is_worth_it(is_behind).then(|| {
            self.keep(Content { written: written.clone(), body: body.clone() });
            if !is_behind {
                self.next[to] = self.count;
            }
            Shared::at(FOLLOWS, written, body)
        })
    }

    /// The first that is kept.
    fn oldest(&self) -> u64 {
        self.count - self.kept.contents.len() as u64
    }

    /// True if the next body, which was not found, is to be kept.
    fn is_worth_it(&mut self, is_behind: bool) -> bool {
        if self.worth > 0 && !is_behind {
            self.worth -= 1;
            return true;
        }
        self.passed_over += 1;
        if self.passed_over < TRIED_OF {
            return false;
        }
        self.passed_over = 0;
        if self.worth == 0 {
            // What was kept in vain is not looked at for each body.
            self.findable = self.count;
        }
        true
    }

    fn keep(&mut self, content: Content) {
        self.turn = (self.turn.0 + 1, self.turn.1 + content.body.len());
        self.kept.keep(content);
        self.count += 1;
    }

    /// Finds a body with its descriptor. Each is known by where it lies: as long as it is kept, nothing else
    /// can lie there.
    fn find(&self, written: &Bytes, body: &Bytes, next: u64) -> Option<u64> {
        let lies_there =
            |kept: &Bytes, sent: &Bytes| kept.as_ptr() == sent.as_ptr() && kept.len() == sent.len();
        let is_it = |kept: &Content| lies_there(&kept.body, body) && lies_there(&kept.written, written);
        let (oldest, first) = (self.oldest(), self.oldest().max(self.findable));
        let at = |name: u64| self.kept.contents.get(name.checked_sub(oldest)? as usize);
        if next >= first && at(next).is_some_and(is_it) {
            return Some(next);
        }
        let among = |from: u64| {
            let from = from.clamp(first, self.count);
            let kept = self.kept.contents.range((from - oldest) as usize..).take(LOOKED_AT_MAX);
            (from..).zip(kept).find_map(|(name, kept)| is_it(kept).then_some(name))
        };
        // Else among the last: another handle of the conversation was sent it, or it hears little of what
        // others hear.
        among(next).or_else(|| among(self.count.saturating_sub(LOOKED_AT_MAX as u64)))
    }

    /// A conversation has its turn.
    pub(crate) fn begin_turn(&mut self) {
        self.turn = (0, 0);
    }

    /// True if half of all that can be kept is of this turn. Other receivers of the same bodies are to have
    /// theirs before it is pushed out.
    pub(crate) fn is_turn_over(&self) -> bool {
        self.turn.0 >= BODIES_MAX / 2 || self.turn.1 >= BYTES_MAX / 2
    }
}

#[cfg(test)]
mod tests;
