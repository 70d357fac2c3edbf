//! The state that all clones of a [`crate::Storage`] share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use platform::World;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicU64, Ordering};

use crate::checksum::Secret;
use crate::guards::{Guards, Manifests};
use crate::log::Log;
use crate::log::buffer::Message;
use crate::read::{Cache, Source};
use crate::store::Store;
use crate::upkeep::Upkeep;
use crate::{EntryToken, Location, Lsn, ObjectId, ReadError, Settings, Statistics, StoredMessage};

/// State left by the last checkpoint. The thread that holds it takes the next one.
#[derive(Debug, Default)]
pub(crate) struct LastCheckpoint {
    pub(crate) generation: u64,
    pub(crate) redo: u64,
}

/// Counts for the statistics.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) checkpoints: AtomicU64,
    pub(crate) messages_stored: AtomicU64,
    pub(crate) restart_bytes: RestartBytes,
}

/// Puts of large bodies found in the log: where their first fragment is.
pub(crate) type Fragmented = BTreeMap<Lsn, Lsn>;

/// Bytes that a restart would have had to read when checkpoints began.
#[derive(Debug, Default)]
pub(crate) struct RestartBytes {
    mean: AtomicU64,
}

impl RestartBytes {
    /// The mean of the last ones; 0 before the first.
    pub(crate) fn mean(&self) -> u64 {
        self.mean.load(Ordering::Relaxed)
    }

    /// A checkpoint begins; there is one at a time.
    pub(crate) fn count(&self, bytes: u64) {
        let mean = self.mean.load(Ordering::Relaxed);
        let mean = if mean == 0 { bytes } else { mean - mean / 8 + bytes / 8 };
        self.mean.store(mean, Ordering::Relaxed);
    }
}

/// One open queue manager's files.
pub(crate) struct Inner {
    pub(crate) world: World,
    pub(crate) settings: Settings,
    pub(crate) identity: [u8; 16],
    pub(crate) secret: Secret,
    pub(crate) epoch: u32,
    pub(crate) log: Log,
    pub(crate) store: Store,
    pub(crate) cache: Cache,
    pub(crate) pins: Arc<Pins>,
    pub(crate) last: Mutex<LastCheckpoint>,
    pub(crate) counts: Counts,
    pub(crate) extents: Upkeep,
    /// Where the last checkpoint began.
    pub(crate) checkpoint_at: AtomicU64,
    /// Where the first fragment of each replayed large body is; asked by `adopt`, emptied by the first
    /// checkpoint.
    pub(crate) fragmented: Mutex<Fragmented>,
    pub(crate) manifests: Manifests,
    pub(crate) guards: Guards,
}

impl Inner {
    pub(crate) fn adopt(&self, queue: ObjectId, entry: EntryToken, location: Location) {
        match location {
            Location::Log(at) => {
                let fragments_from = self.fragmented.lock().get(&at).copied();
                self.log.adopt(Message { queue, entry, fragments_from }, at);
            }
            Location::Segment { segment, index } => self.store.adopt(segment, index, queue, entry),
            Location::Spill { .. } => {}
        }
    }

    pub(crate) fn release(&self, location: Location, need: Lsn) {
        match location {
            Location::Log(_) => {}
            Location::Segment { segment, index } => self.store.release(segment, index, need),
            Location::Spill { file, page } => self.store.spill.release(file, page),
        }
    }

    /// Reads a message. The bytes read of a damaged one are not kept, so that the next reader asks the disk
    /// again.
    pub(crate) fn read(&self, location: Location) -> Result<StoredMessage, ReadError> {
        let read = self.find_and_read(location);
        if matches!(read, Err(ReadError::Damaged { .. } | ReadError::Io { .. })) {
            match location {
                Location::Log(_) => self.cache.forget(Source::Log),
                Location::Segment { segment, .. } => self.cache.forget(Source::Segment(segment)),
                Location::Spill { .. } => {}
            }
        }
        read
    }

    fn find_and_read(&self, location: Location) -> Result<StoredMessage, ReadError> {
        match location {
            Location::Log(at) => match self.log.read(&self.cache, at).map(|(_, message)| message) {
                Err(ReadError::Moved(_)) => match self.store.moved_to(location) {
                    Some(to) => self.read(to),
                    None => Err(ReadError::Moved(location)),
                },
                other => other,
            },
            Location::Segment { segment, index } => match self.store.read(&self.cache, segment, index) {
                Err(ReadError::Moved(_)) => match self.store.moved_to(location) {
                    Some(to) => self.read(to),
                    None => Err(ReadError::Moved(location)),
                },
                other => other,
            },
            Location::Spill { file, page } => self.store.spill.read(file, page),
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        self.log.forces.fill(&mut statistics);
        statistics.log_bytes = self.log.space.capacity();
        statistics.is_disk_full = self.log.space.is_disk_full();
        statistics.log_bytes_free = u64::try_from(self.log.space.free()).unwrap_or(0);
        statistics.extents = self.log.files.extents.read().len() as u64;
        self.store.fill(&mut statistics);
        statistics.checkpoints = self.counts.checkpoints.load(Ordering::Relaxed);
        statistics.messages_stored = self.counts.messages_stored.load(Ordering::Relaxed);
        statistics
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Storage").field("epoch", &self.epoch).finish_non_exhaustive()
    }
}

/// Positions that checkpoints must leave in the log: bodies whose put is still to come.
#[derive(Debug, Default)]
pub(crate) struct Pins(Mutex<BTreeMap<u64, u32>>);

/// Holds a position until it is dropped.
#[derive(Debug)]
pub(crate) struct Pin {
    pins: Arc<Pins>,
    at: u64,
}

impl Pins {
    pub(crate) fn pin(self: &Arc<Self>, at: Lsn) -> Pin {
        *self.0.lock().entry(at.0).or_default() += 1;
        Pin { pins: Arc::clone(self), at: at.0 }
    }

    pub(crate) fn oldest(&self) -> Option<Lsn> {
        self.0.lock().keys().next().copied().map(Lsn)
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let mut pins = self.pins.0.lock();
        if let Some(count) = pins.get_mut(&self.at) {
            *count -= 1;
            if *count == 0 {
                pins.remove(&self.at);
            }
        }
    }
}
