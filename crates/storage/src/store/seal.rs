//! The identity of a segment, and its live messages as a manifest has them.

/// Seal that tells a segment from another of its number that this queue manager made at another time, for
/// example before its files were restored from a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seal {
    /// Seeds the checksums of its messages.
    pub(crate) nonce: u64,
    pub(crate) footer_sum: u32,
}

impl Seal {
    /// None for what is written where nothing is known.
    pub(crate) fn known(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

/// Live messages of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SegmentEntry {
    pub(crate) number: u32,
    pub(crate) messages: u32,
    /// None where it is not known.
    pub(crate) seal: Option<Seal>,
    pub(crate) live: Vec<u64>,
}
