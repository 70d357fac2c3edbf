//! The recovery log: an append-only sequence of blocks of records in pre-written files.
//!
//! Lives here: the formats ([`record`], [`block`], [`extent`]), the append side ([`buffer`]), the forcing
//! side ([`writer`]), where blocks go ([`place`]) and reading back ([`reader`], [`scan`]).
//!
//! Lives elsewhere: what is kept beyond the log (`store`), which records replay starts from (`manifest`,
//! `recovery`), when extents are used again (`checkpoint`).
//!
//! Always: durable <= written <= appended. Locks in the order taken: writer, appender, extents, items of an
//! extent.

pub(crate) mod block;
pub(crate) mod buffer;
pub(crate) mod extent;
pub(crate) mod place;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod scan;
pub(crate) mod writer;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use platform::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use platform::sync::{Mutex, RwLock};
use platform::{CachePadded, Clock};

use crate::checksum::Seed;
use crate::space::Space;
use crate::statistics::Forces;
use crate::{Durable, Fatal, Lsn, Observer};

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
    pub(crate) fn after(self, header: &block::Header, sum: u32) -> Self {
        if header.kind == block::Kind::Restates && header.index == self.index {
            return Self { previous: sum, ..self };
        }
        let last_at = if header.kind == block::Kind::Restates { header.restates } else { header.at };
        Self { index: header.index, previous: sum, last_at, before: self.previous, ..self }
    }

    /// True if this block restates the last one.
    pub(crate) fn is_repeated_by(self, header: &block::Header) -> bool {
        header.kind == block::Kind::Restates
            && header.index == self.index
            && header.restates == self.last_at
            && header.previous == self.before
            && header.epoch == self.epoch
    }

    /// True if this block restates the next one, and that begins at one of the `places`.
    pub(crate) fn is_followed_by_what_is_in(
        self,
        header: &block::Header,
        places: impl IntoIterator<Item = u64>,
    ) -> bool {
        header.kind == block::Kind::Restates
            && header.index == self.index + 1
            && header.previous == self.previous
            && header.epoch == self.epoch
            && places.into_iter().any(|at| at == header.restates)
    }

    /// True if this block comes next.
    pub(crate) fn is_followed_by(self, header: &block::Header) -> bool {
        let epoch = match header.kind {
            block::Kind::Ordinary => header.epoch == self.epoch,
            block::Kind::Epoch => header.epoch > self.epoch,
            block::Kind::Restates => false,
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

/// The log of one queue manager, open.
pub(crate) struct Log {
    pub(crate) place: place::LogStore,
    pub(crate) space: Arc<Space>,
    pub(crate) forces: Forces,
    appender: Mutex<buffer::Appender>,
    writer: Mutex<writer::Writer>,
    /// These stand apart: every call reads them, and the values beside them.
    appended: CachePadded<AtomicU64>,
    durable: CachePadded<AtomicU64>,
    failure: OnceLock<Fatal>,
    failure_told: AtomicBool,
    /// Newest last; the first covers the oldest extent kept.
    pub(crate) lineages: RwLock<Vec<Lineage>>,
    pub(crate) restated: RwLock<Vec<Restated>>,
    /// State of the chain before the first block of each extent.
    pub(crate) starts: Mutex<BTreeMap<u64, Chain>>,
    seed: Seed,
    /// Seed of bytes that must verify without the nonce.
    identity: Seed,
    block_bytes_max: usize,
    clock: Arc<dyn Clock>,
    observer: Arc<dyn Observer>,
    slow_io: Option<Duration>,
}

/// Starting state of [`Log::new`].
pub(crate) struct Start {
    /// Of the queue manager.
    pub(crate) identity: Seed,
    pub(crate) place: place::LogStore,
    pub(crate) space: Arc<Space>,
    /// Where the next block goes.
    pub(crate) position: u64,
    /// State of the chain there.
    pub(crate) chain: Chain,
    pub(crate) lineages: Vec<Lineage>,
    pub(crate) restated: Vec<Restated>,
    pub(crate) starts: BTreeMap<u64, Chain>,
    pub(crate) block_bytes_max: usize,
    pub(crate) slow_io: Option<Duration>,
}

impl Log {
    /// A log whose last block ends at `start.position` and is durable.
    pub(crate) fn new(start: Start, clock: Arc<dyn Clock>, observer: Arc<dyn Observer>) -> Self {
        let seed = Seed::of_nonce(start.chain.nonce);
        Self {
            appender: Mutex::new(buffer::Appender::new(start.position, &start.place)),
            writer: Mutex::new(writer::Writer { chain: start.chain }),
            place: start.place,
            space: start.space,
            forces: Forces::default(),
            appended: CachePadded::new(AtomicU64::new(start.position)),
            durable: CachePadded::new(AtomicU64::new(start.position)),
            failure: OnceLock::new(),
            failure_told: AtomicBool::new(false),
            lineages: RwLock::new(start.lineages),
            restated: RwLock::new(start.restated),
            starts: Mutex::new(start.starts),
            seed,
            identity: start.identity,
            block_bytes_max: start.block_bytes_max,
            clock,
            observer,
            slow_io: start.slow_io,
        }
    }

    pub(crate) fn appended(&self) -> Lsn {
        Lsn(self.appended.load(Ordering::Acquire))
    }

    pub(crate) fn durable(&self) -> Durable {
        Durable(Lsn(self.durable.load(Ordering::Acquire)))
    }

    pub(crate) fn failure(&self) -> Option<&Fatal> {
        self.failure.get()
    }

    /// Returns the seed of the bytes at this position.
    pub(crate) fn seed_at(&self, at: Lsn) -> Option<Seed> {
        let lineages = self.lineages.read();
        let lineage = lineages.iter().rev().find(|lineage| lineage.from <= at.0)?;
        Some(Seed::of_nonce(lineage.nonce))
    }

    /// Records the first failure, and tells the observer. Call it under no lock.
    pub(crate) fn fail(&self, fatal: Fatal) {
        let _ = self.failure.set(fatal);
        self.tell_failure();
    }

    /// Tells the observer of the failure, once.
    fn tell_failure(&self) {
        if let Some(failure) = self.failure.get()
            && !self.failure_told.swap(true, Ordering::AcqRel)
        {
            self.observer.failed(failure);
        }
    }

    /// Reports a call that took longer than the setting allows.
    pub(crate) fn watch(&self, operation: &str, bytes: usize, taken: Duration) {
        if self.slow_io.is_some_and(|limit| taken > limit) {
            let micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX);
            self.observer.slow_io(operation, bytes, micros);
        }
    }

    /// The first position of the last extent, up to `at`, that has a block.
    pub(crate) fn start_before(&self, at: Lsn) -> u64 {
        let starts = self.starts.lock();
        starts.range(..=at.0).next_back().map_or(0, |(first, _)| *first)
    }

    /// State of the chain of blocks at the beginning of the extent that begins at `first`.
    pub(crate) fn chain_at(&self, first: u64) -> Chain {
        let known = self.starts.lock().get(&first).copied();
        known.expect("the writer noted where each extent begins")
    }

    /// The nonce of this start. Where the log is durable is behind the block that began it.
    pub(crate) fn nonce(&self) -> Option<u64> {
        self.lineages.read().last().map(|lineage| lineage.nonce)
    }

    /// Forgets the state of positions before `redo`.
    pub(crate) fn forget_before(&self, redo: u64) {
        self.starts.lock().retain(|first, _| *first >= redo);
        self.restated.write().retain(|restated| restated.from >= redo);
        let mut lineages = self.lineages.write();
        let covering = lineages.iter().rposition(|lineage| lineage.from <= redo).unwrap_or(0);
        lineages.drain(..covering);
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }
}

/// The directory of the extents.
pub(crate) const LOG_DIRECTORY: &str = "log";

/// The name of the extent that begins at this position.
pub(crate) fn extent_name(first: u64) -> String {
    format!("{first:016x}.seg")
}

/// Its file.
pub(crate) fn extent_path(first: u64) -> PathBuf {
    PathBuf::from(LOG_DIRECTORY).join(extent_name(first))
}

#[cfg(all(test, feature = "loom"))]
mod models;
#[cfg(test)]
mod tests;
