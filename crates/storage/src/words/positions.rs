//! Positions and identities: where something is in the log, and which object, unit or message is meant.

use std::fmt;

/// No position, and no number of a block or a checkpoint, is above this: a log that grows by a gibibyte a
/// second takes 36 years to get there. So sums of one that was read and a length fit.
pub(crate) const COUNTED_MAX: u64 = 1 << 60;
/// Greatest count of starts and segments, of which there are fewer.
pub(crate) const COUNTED_FEW_MAX: u32 = 1 << 31;

/// A byte position in the recovery log; later positions compare greater. As a need it reads "durable up to
/// here"; [`Lsn::ZERO`] needs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lsn(pub u64);

impl Lsn {
    /// The start of every log: a need that is always met.
    pub const ZERO: Self = Self(0);
}

impl fmt::Display for Lsn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:X}/{:08X}", self.0 >> 32, self.0 & 0xFFFF_FFFF)
    }
}

/// Proof that the log was durable up to a position; only [`crate::Storage`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Durable(pub(crate) Lsn);

impl Durable {
    /// The position proved.
    #[must_use]
    pub fn lsn(self) -> Lsn {
        self.0
    }
}

/// The identity of a defined object; never reused within a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u64);

/// A message's place of arrival in its queue: assigned under the queue's lock, kept for its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(pub u64);

/// The identity of a unit of work: the restart that began it and a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// Number of the start of the queue manager.
    pub epoch: u32,
    /// Number of the unit within that start.
    pub counter: u64,
}

/// The engine's own handle of a queue entry, so that storage can ask about a message in constant time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntryToken(pub u64);

/// Where a message's bytes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// In the recovery log: the position of its put record.
    Log(Lsn),
    /// In a store segment: the number of the segment and the index in its footer.
    Segment {
        /// Number of the segment; never reused.
        segment: u32,
        /// Index of the message in the segment's footer.
        index: u32,
    },
    /// In a spill file, which does not outlive this run.
    Spill {
        /// Number of the spill file.
        file: u32,
        /// Page within it.
        page: u32,
    },
}
