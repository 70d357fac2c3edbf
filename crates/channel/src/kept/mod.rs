//! Bodies that go over a connection once, whoever of its conversations they are for.
//!
//! Both sides keep the last bodies that a frame said are to be kept, by one rule and in the order of the frames, so nothing is
//! agreed upon beforehand. A message with one of them says how many places ago it was kept, where others have their body.
//!
//! Lives here: what is kept, and which bodies are worth it. Lives elsewhere: the frames (`client`), which bodies are shared at
//! all (`queue-manager`).
//!
//! Always: what the sender names, the receiver has.

use crate::wire::Fields;
use crate::{Conversation, Error, Flags, Frame, Kind};
use bytes::Bytes;
use std::collections::VecDeque;

/// Most bodies that are kept: several times what comes ahead of a program that reads (128 messages), since programs of one socket are
/// at different places; with few, most bodies were gone before the last of ten programs was sent them.
pub const BODIES_MAX: usize = 512;

/// Most bytes of them: as many bodies of 2 KB.
pub const BYTES_MAX: usize = 1024 * 1024;

/// A shorter body is sent each time: to keep it costs about what copying it does.
const BODY_BYTES_MIN: usize = 512;

/// A longer body is sent each time: it would push out many others. No frame of a message holds less than this.
const BODY_BYTES_MAX: usize = BYTES_MAX / 32;

/// Where a body that follows stands in place of a number of places.
const FOLLOWS: u16 = 0;

/// The bodies that were kept last.
#[derive(Debug, Default)]
pub struct Kept {
    /// The oldest first.
    bodies: VecDeque<Bytes>,
    bytes: usize,
}

impl Kept {
    /// Keeps one, and forgets the oldest beyond the bounds.
    fn keep(&mut self, body: Bytes) {
        self.bytes += body.len();
        self.bodies.push_back(body);
        while self.bodies.len() > BODIES_MAX || self.bytes > BYTES_MAX {
            self.bytes -= self.bodies.pop_front().map_or(0, |oldest| oldest.len());
        }
    }

    /// The one that was kept so many places ago; the last one is at 1.
    fn ago(&self, place: u16) -> Option<&Bytes> {
        self.bodies.get(self.bodies.len().checked_sub(usize::from(place))?)
    }

    /// Parts what comes from its body, if that is one of those that are kept: what is in front of the body, and the body.
    ///
    /// # Errors
    /// When the body is not as long as it is said to be, or was not kept.
    pub fn part<'a>(&mut self, frame: &Frame<'a>) -> Result<Option<(Frame<'a>, Bytes)>, Error> {
        if !is_shared(frame) {
            return Ok(None);
        }
        let mut fields = Fields::of(frame.payload);
        fields.take(TO_BYTES, "handle")?;
        let Shared { place, length } = Shared::take(&mut fields)?;
        if place != FOLLOWS {
            let body = self.ago(place).filter(|body| body.len() == length as usize);
            let kept = self.bodies.len();
            return Ok(Some((*frame, body.ok_or(Error::NotKept { place, length, kept })?.clone())));
        }
        let head = fields.ahead().len().checked_sub(length as usize).ok_or(Error::Cut { field: "body" })?;
        let (payload, body) = frame.payload.split_at(frame.payload.len() - fields.ahead().len() + head);
        let body = Bytes::copy_from_slice(body);
        self.keep(body.clone());
        Ok(Some((Frame { payload, ..*frame }, body)))
    }
}

/// Bytes that say to whom a message comes and under which number.
const TO_BYTES: usize = 8;

/// Whether a frame is a message whose body is kept.
#[inline]
pub(crate) fn is_shared(frame: &Frame<'_>) -> bool {
    let flags = frame.header.flags;
    frame.header.kind == Kind::Delivered && flags.contains(Flags::SHARED) && !flags.contains(Flags::FAILED)
}

/// What a message whose body is kept says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    /// How many places ago it was kept, or that it follows.
    place: u16,
    /// How long it is.
    pub(crate) length: u32,
}

/// Bytes of it.
pub(crate) const SHARED_BYTES: usize = 6;

impl Shared {
    pub(crate) fn take(fields: &mut Fields<'_>) -> Result<Self, Error> {
        Ok(Self { place: fields.u16("place of the body")?, length: fields.u32("length of the body")? })
    }

    pub(crate) fn to_bytes(self) -> [u8; SHARED_BYTES] {
        let ([p0, p1], [l0, l1, l2, l3]) = (self.place.to_le_bytes(), self.length.to_le_bytes());
        [p0, p1, l0, l1, l2, l3]
    }

    /// Whether the body is in the frame.
    pub(crate) fn follows(self) -> bool {
        self.place == FOLLOWS
    }
}

/// What a sender thinks of keeping: above zero it pays. Each body that is kept takes one, each that is named again gives two.
/// So it is kept up where half of them have a second reader, which is where it begins to pay.
const WORTH_MAX: u32 = 1024;

/// More than a turn has frames: the others that get the same have their turns after it.
const WORTH_AT_FIRST: u32 = 256;

/// Where it has not paid, one body of so many is kept, to see whether it does now. An odd number: where each is sent to two, it must not
/// always be the second time.
const TRIED_OF: u32 = 31;

/// Among so many bodies one is looked for, from where it is likely to be: more are passed over only by who hears little of what others hear.
const LOOKED_AT_MAX: usize = 32;

/// The sender's side: what the receiver has, and whether it is worth it.
#[derive(Debug)]
pub struct Keeping {
    kept: Kept,
    /// How many were ever kept: the name of the next.
    count: u64,
    /// None is looked for among those that were kept before this one.
    findable: u64,
    /// Behind the last body that each conversation was sent, by its number: which is likely to be its next.
    next: Vec<u64>,
    worth: u32,
    passed_over: u32,
    /// How many were kept since the turn of a conversation began, and bytes of them.
    turn: (usize, usize),
}

impl Default for Keeping {
    fn default() -> Self {
        Self {
            kept: Kept::default(),
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
    /// How a body is to be sent to a conversation that others may be sent, too: as one that is kept, or none.
    pub(crate) fn share(&mut self, to: Conversation, body: &Bytes) -> Option<Shared> {
        if !(BODY_BYTES_MIN..=BODY_BYTES_MAX).contains(&body.len()) {
            return None;
        }
        let (length, to) = (body.len() as u32, usize::from(to.0));
        if self.next.len() <= to {
            // As if it were behind: then both the first and the last that are kept are looked at.
            self.next.resize(to + 1, 0);
        }
        if let Some(found) = self.find(body, self.next[to]) {
            self.worth = (self.worth + 2).min(WORTH_MAX);
            self.next[to] = found + 1;
            return Some(Shared { place: (self.count - found) as u16, length });
        }
        // Who is so far behind that its bodies are gone would push out those of others.
        let is_behind = self.next[to] < self.oldest();
        self.is_worth_it(is_behind).then(|| {
            self.keep(body.clone());
            if !is_behind {
                self.next[to] = self.count;
            }
            Shared { place: FOLLOWS, length }
        })
    }

    /// The first that is kept.
    fn oldest(&self) -> u64 {
        self.count - self.kept.bodies.len() as u64
    }

    /// Whether the next body is to be kept, which was not found.
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

    fn keep(&mut self, body: Bytes) {
        self.turn = (self.turn.0 + 1, self.turn.1 + body.len());
        self.kept.keep(body);
        self.count += 1;
    }

    /// Finds a body, which is known by where it lies: as long as it is kept, nothing else can lie there.
    fn find(&self, body: &Bytes, next: u64) -> Option<u64> {
        let is_it = |kept: &Bytes| kept.as_ptr() == body.as_ptr() && kept.len() == body.len();
        let (oldest, first) = (self.oldest(), self.oldest().max(self.findable));
        let among = |from: u64| {
            let from = from.clamp(first, self.count);
            let kept = self.kept.bodies.range((from - oldest) as usize..).take(LOOKED_AT_MAX);
            (from..).zip(kept).find_map(|(name, kept)| is_it(kept).then_some(name))
        };
        // Else among the last: another handle of the conversation was sent it, or it hears little of what others hear.
        among(next).or_else(|| among(self.count.saturating_sub(LOOKED_AT_MAX as u64)))
    }

    /// A conversation has its turn.
    pub(crate) fn begin_turn(&mut self) {
        self.turn = (0, 0);
    }

    /// Whether half of what can be kept is of this turn. Those that get the same are to have theirs before it is pushed out.
    pub(crate) fn is_turn_over(&self) -> bool {
        self.turn.0 >= BODIES_MAX / 2 || self.turn.1 >= BYTES_MAX / 2
    }
}

#[cfg(test)]
mod tests;
