//! The recovery log: an append-only sequence of blocks of records in pre-written files.
//!
//! Lives here: the formats ([`record`], [`block`], [`extent`]), the chain of blocks ([`chain`]), the append
//! side ([`buffer`]), the forcing side ([`writer`]), where blocks go ([`files`]) and reading back
//! ([`reader`], [`scan`]).
//!
//! Lives elsewhere: what is kept beyond the log (`store`), which records replay starts from (`manifest`,
//! `recovery`), when extents are used again (`checkpoint`).
//!
//! Always: durable <= written <= appended. Locks in the order taken: writer, appender, extents, items of an
//! extent.

pub(crate) mod block;
pub(crate) mod buffer;
pub(crate) mod chain;
pub(crate) mod extent;
pub(crate) mod files;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod scan;
pub(crate) mod writer;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use platform::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use platform::sync::{Mutex, RwLock};
use platform::{CachePadded, Clock};

use crate::checksum::Seed;
use crate::log::chain::{Chain, Lineage, Restated};
use crate::space::Space;
use crate::statistics::Forces;
use crate::{Durable, Fatal, Lsn, Observer};

/// The log of one queue manager, open.
pub(crate) struct Log {
    pub(crate) files: files::LogFiles,
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
    pub(crate) files: files::LogFiles,
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
            appender: Mutex::new(buffer::Appender::new(start.position, &start.files)),
            writer: Mutex::new(writer::Writer { chain: start.chain }),
            files: start.files,
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

    #[inline]
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

#[cfg(all(test, feature = "loom"))]
mod models;
#[cfg(test)]
mod tests;
