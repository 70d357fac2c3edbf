//! One direction of a ring: bytes through words of shared memory, from a producer to a consumer.
//!
//! Bytes lie in records: a word that says how many bytes follow, and as many words as they need. Positions
//! count words and grow for ever; the place of a position is its remainder by the number of words. The lowest
//! bit of the word that keeps a position is a flag by which the other end asks for a bell: the tail's for
//! when there are bytes, the head's for when there is room.
//!
//! Lives here: lanes over any words. Lives elsewhere: the words themselves (`memory`), the bell (`served`,
//! `program`).
//!
//! Always: a position and its flag change in one step, so that an end that asks for a bell sees the bytes put
//! in before, or is heard. After any writes of the other end, the worst outcome is [`Scribbled`].

use std::io::IoSlice;
use std::ops::{Deref, Range};

use platform::sync::atomic::Ordering;

/// Bytes of a word.
const WORD_BYTES: usize = size_of::<u64>();

/// Asks for a bell.
const FLAG: u64 = 1;

/// The bits of a position that are kept beside the flag.
const POSITION: u64 = u64::MAX >> 1;

/// A word that both ends may change.
pub trait Word {
    /// Its value.
    fn load(&self, ordering: Ordering) -> u64;
    /// Makes it this.
    fn store(&self, value: u64, ordering: Ordering);
    /// Makes it this; what it was.
    fn swap(&self, value: u64, ordering: Ordering) -> u64;
    /// Sets these bits; what it was.
    fn set(&self, bits: u64, ordering: Ordering) -> u64;
    /// Clears these bits.
    fn clear(&self, bits: u64, ordering: Ordering);
}

macro_rules! word {
    ($atomic:ty) => {
        impl Word for $atomic {
            #[inline]
            fn load(&self, ordering: Ordering) -> u64 {
                self.load(ordering)
            }

            #[inline]
            fn store(&self, value: u64, ordering: Ordering) {
                self.store(value, ordering);
            }

            #[inline]
            fn swap(&self, value: u64, ordering: Ordering) -> u64 {
                self.swap(value, ordering)
            }

            #[inline]
            fn set(&self, bits: u64, ordering: Ordering) -> u64 {
                self.fetch_or(bits, ordering)
            }

            #[inline]
            fn clear(&self, bits: u64, ordering: Ordering) {
                self.fetch_and(!bits, ordering);
            }
        }
    };
}

word!(std::sync::atomic::AtomicU64);
#[cfg(feature = "loom")]
word!(platform::sync::atomic::AtomicU64);

/// Words that both ends see.
pub trait Memory {
    /// One of them.
    type Word: Word;
    /// All of them.
    fn words(&self) -> &[Self::Word];
}

impl<M: Memory> Memory for std::sync::Arc<M> {
    type Word = M::Word;

    fn words(&self) -> &[M::Word] {
        self.deref().words()
    }
}

impl<W: Word> Memory for Box<[W]> {
    type Word = W;

    fn words(&self) -> &[W] {
        self
    }
}

/// The other end has written what it never writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} in memory that is shared with the program makes no sense: the program has written over it, and is disconnected"
)]
pub struct Scribbled(&'static str);

/// One direction, seen by either end.
#[derive(Debug)]
pub struct Lane<M> {
    memory: M,
    tail: usize,
    head: usize,
    data: Range<usize>,
}

impl<M: Memory> Lane<M> {
    /// A lane with its tail and head in these words and its bytes in those, whose number is a power of two.
    ///
    /// # Panics
    /// When that is not so.
    pub fn new(memory: M, tail: usize, head: usize, data: Range<usize>) -> Self {
        let words = memory.words().len();
        assert!(tail < words && head < words && data.end <= words && data.len().is_power_of_two());
        Self { memory, tail, head, data }
    }

    fn tail(&self) -> &M::Word {
        &self.memory.words()[self.tail]
    }

    fn head(&self) -> &M::Word {
        &self.memory.words()[self.head]
    }

    /// The words from a position on to the end, and those before it.
    fn around(&self, position: u64) -> (&[M::Word], &[M::Word]) {
        let data = &self.memory.words()[self.data.clone()];
        #[expect(clippy::cast_possible_truncation, reason = "the bits above are those that do not count")]
        let place = position as usize & (data.len() - 1);
        let (before, from) = data.split_at(place);
        (from, before)
    }

    fn put(&self, position: u64, bytes: &[u8]) {
        let (from, before) = self.around(position);
        let (first, second) = bytes.split_at(bytes.len().min(from.len() * WORD_BYTES));
        store(from, first);
        store(before, second);
    }

    fn take(&self, position: u64, bytes: &mut [u8]) {
        let (from, before) = self.around(position);
        let (first, second) = bytes.split_at_mut(bytes.len().min(from.len() * WORD_BYTES));
        load(from, first);
        load(before, second);
    }
}

fn store<W: Word>(words: &[W], bytes: &[u8]) {
    let (whole, rest) = bytes.as_chunks();
    for (word, bytes) in words.iter().zip(whole) {
        word.store(u64::from_ne_bytes(*bytes), Ordering::Relaxed);
    }
    if !rest.is_empty() {
        let mut last = [0; WORD_BYTES];
        last[..rest.len()].copy_from_slice(rest);
        words[whole.len()].store(u64::from_ne_bytes(last), Ordering::Relaxed);
    }
}

fn load<W: Word>(words: &[W], bytes: &mut [u8]) {
    let (whole, rest) = bytes.as_chunks_mut();
    for (word, bytes) in words.iter().zip(whole.iter_mut()) {
        *bytes = word.load(Ordering::Relaxed).to_ne_bytes();
    }
    if !rest.is_empty() {
        let last = words[whole.len()].load(Ordering::Relaxed).to_ne_bytes();
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// Words from one position to another.
fn distance(from: u64, to: u64) -> u64 {
    to.wrapping_sub(from) & POSITION
}

/// A position without a flag, as it is kept.
fn kept(position: u64) -> u64 {
    position << 1
}

/// Bytes moved, and whether the other end asked for a bell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Bytes.
    pub bytes: usize,
    /// The other end is to be woken.
    pub wakes: bool,
}

/// The end that puts bytes in.
#[derive(Debug)]
pub struct Producer<M> {
    lane: Lane<M>,
    tail: u64,
}

impl<M: Memory> Producer<M> {
    /// Of a direction in which nothing was sent yet.
    pub fn new(lane: Lane<M>) -> Self {
        Self { lane, tail: 0 }
    }

    /// Puts in as much of the pieces as there is room for; nothing when there is none.
    ///
    /// # Errors
    /// When the head is nowhere it can be.
    pub fn write(&mut self, pieces: &[IoSlice<'_>]) -> Result<Moved, Scribbled> {
        let mut room = self.room(self.lane.head().load(Ordering::Acquire))?;
        let mut moved = Moved::default();
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            let bytes = piece.len().min(room.saturating_sub(1) * WORD_BYTES);
            if bytes == 0 {
                break;
            }
            self.lane.put(self.tail, &(bytes as u64).to_ne_bytes());
            self.lane.put(self.tail.wrapping_add(1), &piece[..bytes]);
            let words = 1 + bytes.div_ceil(WORD_BYTES);
            self.tail = self.tail.wrapping_add(words as u64) & POSITION;
            room -= words;
            moved.bytes += bytes;
            if bytes < piece.len() {
                break;
            }
        }
        if moved.bytes > 0 {
            moved.wakes = self.lane.tail().swap(kept(self.tail), Ordering::AcqRel) & FLAG != 0;
        }
        Ok(moved)
    }

    /// Asks for a bell when there is room; whether there is some now.
    ///
    /// # Errors
    /// As of [`write`](Self::write).
    pub fn ask_for_room(&mut self) -> Result<bool, Scribbled> {
        let head = self.lane.head().set(FLAG, Ordering::AcqRel);
        // A record has two words at least.
        self.room(head).map(|room| room > 1)
    }

    /// The words that are free.
    fn room(&self, head: u64) -> Result<usize, Scribbled> {
        let words = self.lane.data.len();
        let used = usize::try_from(distance(head >> 1, self.tail)).ok();
        used.and_then(|used| words.checked_sub(used)).ok_or(Scribbled("how far was read"))
    }
}

/// The end that takes bytes out.
#[derive(Debug)]
pub struct Consumer<M> {
    lane: Lane<M>,
    head: u64,
    /// Bytes left of the record under way.
    left: usize,
}

impl<M: Memory> Consumer<M> {
    /// Of a direction in which nothing was sent yet.
    pub fn new(lane: Lane<M>) -> Self {
        Self { lane, head: 0, left: 0 }
    }

    /// Takes out as much as there is and `into` has room for, which must be a word at least if anything is to
    /// come out.
    ///
    /// # Errors
    /// When the tail is nowhere it can be, or a record is longer than what was put in.
    pub fn read(&mut self, into: &mut [u8]) -> Result<Moved, Scribbled> {
        let mut available = self.available()?;
        let begun = self.head;
        let mut moved = Moved::default();
        while available > 0 {
            if self.left == 0 {
                self.left = self.begin_record(available)?;
                available -= 1;
            }
            let room = into.len() - moved.bytes;
            // One that does not fit is cut between words.
            let bytes = if self.left <= room { self.left } else { room - room % WORD_BYTES };
            let words = bytes.div_ceil(WORD_BYTES);
            if words == 0 {
                break;
            }
            // It was all there when it began.
            available = available.checked_sub(words).ok_or(Scribbled("how much was written"))?;
            self.lane.take(self.head, &mut into[moved.bytes..moved.bytes + bytes]);
            self.head = self.head.wrapping_add(words as u64) & POSITION;
            self.left -= bytes;
            moved.bytes += bytes;
        }
        if self.head != begun {
            moved.wakes = self.lane.head().swap(kept(self.head), Ordering::AcqRel) & FLAG != 0;
        }
        Ok(moved)
    }

    /// Takes the first word of a record; how many bytes it has.
    fn begin_record(&mut self, available: usize) -> Result<usize, Scribbled> {
        let mut length = [0; WORD_BYTES];
        self.lane.take(self.head, &mut length);
        let length = usize::try_from(u64::from_ne_bytes(length)).unwrap_or(usize::MAX);
        if length == 0 || length.div_ceil(WORD_BYTES) >= available {
            return Err(Scribbled("the length of a record"));
        }
        self.head = self.head.wrapping_add(1) & POSITION;
        Ok(length)
    }

    /// The words that were put in and not taken out.
    fn available(&self) -> Result<usize, Scribbled> {
        let tail = self.lane.tail().load(Ordering::Acquire) >> 1;
        let available = usize::try_from(distance(self.head, tail)).ok();
        available.filter(|words| *words <= self.lane.data.len()).ok_or(Scribbled("how far was written"))
    }

    /// More bytes than [`read`](Self::read) could take now.
    ///
    /// # Errors
    /// As of [`read`](Self::read).
    pub fn bytes_max(&self) -> Result<usize, Scribbled> {
        self.available().map(|words| words * WORD_BYTES)
    }

    /// Returns true if there is something to take.
    pub fn has_some(&self) -> bool {
        self.lane.tail().load(Ordering::Acquire) >> 1 != self.head
    }

    /// Asks for a bell when bytes come; false when there are some, and none is asked for.
    pub fn falls_asleep(&mut self) -> bool {
        let may_sleep = self.lane.tail().set(FLAG, Ordering::AcqRel) >> 1 == self.head;
        if !may_sleep {
            self.wakes_up();
        }
        may_sleep
    }

    /// Wants no bell any more.
    pub fn wakes_up(&mut self) {
        self.lane.tail().clear(FLAG, Ordering::AcqRel);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
#[cfg(test)]
mod tests;
