//! Numbers of a message channel: its line, its batches, its messages, and the fold of all of them.

use std::fmt;

/// A numbering of batches that both ends began together, named by bytes drawn at random. 0 names none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(pub u64);

impl Line {
    /// No line.
    pub const NONE: Self = Self(0);
}

/// The number of a batch in its line; the first is 1. It never wraps, and decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchNumber(pub u64);

impl BatchNumber {
    /// The one behind it.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The number of a message, which wraps: for people and displays. 0 is before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(pub u32);

impl Sequence {
    /// The number before one with which a line begins: none before 1.
    #[must_use]
    pub const fn before_first(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The one behind it; 1 behind the highest.
    #[must_use]
    pub const fn next(self, highest: Self) -> Self {
        if self.0 >= highest.0 { Self(1) } else { Self(self.0 + 1) }
    }
}

/// The fold of all batches of a line so far: two ends that tell the same number and the same chain have the
/// same messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chain(pub u64);

impl Chain {
    /// The fold with a message behind.
    #[must_use]
    pub fn with_message(self, identifier: &[u8; 24], bytes: u32) -> Self {
        let (words, _) = identifier.as_chunks::<8>();
        let folded = words.iter().fold(self, |chain, word| chain.with(u64::from_le_bytes(*word)));
        folded.with(u64::from(bytes))
    }

    /// The fold with the end of a batch behind.
    #[must_use]
    pub fn with_end(self, batch: BatchNumber) -> Self {
        self.with(batch.0)
    }

    /// Mixes a word in: for every word a bijection of the chain, so that a difference never heals by equal
    /// words.
    fn with(self, word: u64) -> Self {
        let mut mixed = (self.0 ^ word).wrapping_add(0x632B_E59B_D9B4_E019);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Self(mixed ^ (mixed >> 31))
    }
}

/// A place in a line: a batch, the sequence number of its last message, and the chain up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The batch.
    pub batch: BatchNumber,
    /// The sequence number of its last message.
    pub sequence: Sequence,
    /// The fold of all batches up to it.
    pub chain: Chain,
}

impl Mark {
    /// Before the first batch of a line.
    pub const START: Self = Self { batch: BatchNumber(0), sequence: Sequence(0), chain: Chain(0) };

    /// Before the first batch of a line whose first message has the number behind this one, as RESET wants.
    #[must_use]
    pub const fn start_behind(sequence: Sequence) -> Self {
        Self { sequence, ..Self::START }
    }

    /// True before the first batch of a line, whatever number it begins with.
    #[must_use]
    pub fn is_start(&self) -> bool {
        *self == Self::start_behind(self.sequence)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016X}", self.0)
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016X}", self.0)
    }
}

impl fmt::Display for BatchNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
