//! The chain of blocks: which block follows which, and what a restart restated.

use super::block::{Header, Kind};

/// Identity under which a stretch of the log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lineage {
    /// Where it begins.
    pub(crate) from: u64,
    /// The epoch.
    pub(crate) epoch: u32,
    /// Its nonce.
    pub(crate) nonce: u64,
}

/// State of the chain of blocks before a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Index of the last block.
    pub(crate) index: u64,
    /// Checksum of its header.
    pub(crate) previous: u32,
    /// The epoch.
    pub(crate) epoch: u32,
    /// Its nonce.
    pub(crate) nonce: u64,
    /// Where the last block began that was not a repetition.
    pub(crate) last_at: u64,
    /// Checksum of the header before that one.
    pub(crate) before: u32,
}

impl Chain {
    /// State of the chain after this block.
    pub(crate) fn after(self, header: &Header, sum: u32) -> Self {
        if header.kind == Kind::Restates && header.index == self.index {
            return Self { previous: sum, ..self };
        }
        let last_at = if header.kind == Kind::Restates { header.restates } else { header.at };
        Self { index: header.index, previous: sum, last_at, before: self.previous, ..self }
    }

    /// True if this block restates the last one.
    pub(crate) fn is_repeated_by(self, header: &Header) -> bool {
        header.kind == Kind::Restates
            && header.index == self.index
            && header.restates == self.last_at
            && header.previous == self.before
            && header.epoch == self.epoch
    }

    /// True if this block restates the next one, and that begins at one of the `places`.
    pub(crate) fn is_followed_by_what_is_in(
        self,
        header: &Header,
        places: impl IntoIterator<Item = u64>,
    ) -> bool {
        header.kind == Kind::Restates
            && header.index == self.index + 1
            && header.previous == self.previous
            && header.epoch == self.epoch
            && places.into_iter().any(|at| at == header.restates)
    }

    /// True if this block comes next.
    pub(crate) fn is_followed_by(self, header: &Header) -> bool {
        let epoch = match header.kind {
            Kind::Ordinary => header.epoch == self.epoch,
            Kind::Epoch => header.epoch > self.epoch,
            Kind::Restates => false,
        };
        epoch && header.index == self.index + 1 && header.previous == self.previous
    }
}

/// A stretch of the log whose records are read from where they were said again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restated {
    pub(crate) from: u64,
    pub(crate) length: u64,
    pub(crate) to: u64,
}
