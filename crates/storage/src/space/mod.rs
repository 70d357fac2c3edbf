//! Room in the log: the free space, the promised space, and the reserve for callers that make room.
//!
//! Always: `free` is what ready extents still take, less what is promised and not yet appended. A promise
//! covers the worst case, a record forced alone in its own pages; what it did not need comes back as soon as
//! it is appended.

use std::sync::Arc;

use platform::BLOCK_ALIGNMENT;
use platform::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU64, Ordering};

use crate::log::block::{HEADER_BYTES, in_pages};
use crate::{OutOfSpace, Purpose};

/// Most bytes lost at the end of an extent because the next record does not fit; larger records reserve
/// twice.
pub(crate) const EXTENT_END_WASTE: u64 = 80 << 10;

/// Most log space of a record of this encoded length.
pub(crate) fn cost(record_length: usize) -> u64 {
    let alone = in_pages(HEADER_BYTES + record_length);
    if alone > EXTENT_END_WASTE { 2 * alone } else { alone }
}

/// Space that an extent of this length can promise.
pub(crate) fn usable(extent_length: u64) -> u64 {
    extent_length.saturating_sub(BLOCK_ALIGNMENT as u64 + EXTENT_END_WASTE)
}

/// The account of room in the log.
#[derive(Debug)]
pub(crate) struct Space {
    free: AtomicI64,
    capacity: AtomicU64,
    /// Space that a restart needs to prove the tail and begin its epoch.
    restart: i64,
    /// The largest request refused since extents were last made.
    wanted: AtomicU64,
    /// Largest request to add to the log's content that was refused and had no room since.
    refused: AtomicU64,
    extent_bytes: u64,
    spare: AtomicU8,
    /// The last attempt to have more room on the disk failed.
    is_disk_full: AtomicBool,
}

/// The state of the segment that is kept in advance for the day the disk is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum SpareState {
    /// The spare exists, or will soon.
    Whole,
    /// A manifest took a part of it: more is kept for gets.
    Cut,
    /// It was used, and there is no other yet: messages put now might never leave the log, so puts are
    /// refused.
    Gone,
}

impl Space {
    pub(crate) fn new(block_bytes_max: usize, extent_bytes: u64) -> Self {
        let restart = 2 * block_bytes_max as i64 + 2 * BLOCK_ALIGNMENT as i64;
        Self {
            free: AtomicI64::new(0),
            capacity: AtomicU64::new(0),
            restart,
            wanted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            extent_bytes,
            spare: AtomicU8::new(SpareState::Whole as u8),
            is_disk_full: AtomicBool::new(false),
        }
    }

    pub(crate) fn free(&self) -> i64 {
        self.free.load(Ordering::Relaxed)
    }

    /// Bytes of all extents there are.
    pub(crate) fn capacity(&self) -> u64 {
        self.capacity.load(Ordering::Relaxed)
    }

    pub(crate) fn set_capacity(&self, capacity: u64) {
        self.capacity.store(capacity, Ordering::Relaxed);
    }

    pub(crate) fn set_spare(&self, spare: SpareState) {
        #[cfg(feature = "planted")]
        let spare = match spare {
            SpareState::Gone if crate::planted::is(crate::planted::Fault::SpareUsedOnce) => SpareState::Cut,
            spare => spare,
        };
        self.spare.store(spare as u8, Ordering::Relaxed);
    }

    pub(crate) fn set_disk_full(&self, is_full: bool) {
        #[cfg(feature = "planted")]
        if crate::planted::is(crate::planted::Fault::SpareUsedOnce) {
            return;
        }
        self.is_disk_full.store(is_full, Ordering::Relaxed);
    }

    /// Returns true while the disk takes no more.
    pub(crate) fn is_disk_full(&self) -> bool {
        self.is_disk_full.load(Ordering::Relaxed)
    }

    /// Returns true if messages put now might never leave the log, since no segment is kept in advance on a
    /// full disk.
    pub(crate) fn is_spare_gone(&self) -> bool {
        self.spare.load(Ordering::Relaxed) == SpareState::Gone as u8
    }

    /// Space that must stay free for this purpose.
    pub(crate) fn floor(&self, purpose: Purpose) -> i64 {
        let is_cut = self.spare.load(Ordering::Relaxed) == SpareState::Cut as u8;
        let more = if is_cut && purpose == Purpose::Fill { self.capacity() / 4 } else { 0 };
        let floor = self.floor_of(self.capacity(), purpose) + more as i64;
        // Puts leave the last extent alone on a full disk, so that it holds nothing that must be moved: gets,
        // commits and backouts run through that one while the others are freed.
        let is_for_puts = purpose == Purpose::Fill && self.capacity() > self.extent_bytes;
        if is_for_puts && self.is_disk_full.load(Ordering::Relaxed) {
            return floor.max(self.restart + usable(self.extent_bytes) as i64);
        }
        floor
    }

    /// Space that must stay free in a log of so many bytes, with a segment kept in advance and room on the
    /// disk.
    pub(crate) fn floor_of(&self, capacity: u64, purpose: Purpose) -> i64 {
        let drain = (capacity / 8).clamp(64 << 10, 32 << 20) as i64;
        match purpose {
            Purpose::Fill => self.restart + drain,
            Purpose::Drain => self.restart,
        }
    }

    /// Free space at which puts go on unhindered: above the reserve, and early enough that another extent is
    /// ready before the reserve is touched.
    pub(crate) fn unhindered(&self) -> i64 {
        self.floor(Purpose::Fill) + (self.capacity() / 16) as i64
    }

    pub(crate) fn give(&self, bytes: i64) {
        self.free.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A promise of nothing: what is appended with it draws on what is kept back.
    pub(crate) fn promise_nothing(self: &Arc<Self>) -> Promise {
        Promise { space: Arc::clone(self), left: 0 }
    }

    pub(crate) fn reserve(self: &Arc<Self>, bytes: u64, purpose: Purpose) -> Result<Promise, OutOfSpace> {
        let floor = self.floor(purpose);
        if purpose == Purpose::Fill && self.is_spare_gone() {
            self.refused.fetch_max(bytes, Ordering::Relaxed);
            let reason = "the disk is full, and the segment kept in advance for that was used; it heals when there is \
                          room on the disk, or when enough messages are got";
            return Err(OutOfSpace { wanted: bytes, reason: reason.to_owned() });
        }
        let wanted = i64::try_from(bytes).unwrap_or(i64::MAX);
        let taken = self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| {
            let left = free.checked_sub(wanted)?;
            (left >= floor).then_some(left)
        });
        match taken {
            Ok(_) => Ok(Promise { space: Arc::clone(self), left: bytes }),
            Err(free) => {
                self.wanted.fetch_max(bytes, Ordering::Relaxed);
                if purpose == Purpose::Fill {
                    self.refused.fetch_max(bytes, Ordering::Relaxed);
                }
                Err(OutOfSpace { wanted: bytes, reason: self.reason(free, floor) })
            }
        }
    }

    /// The largest request refused since extents were last made.
    pub(crate) fn wanted(&self) -> u64 {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Takes the wanted bytes, and forgets them.
    pub(crate) fn take_wanted(&self) -> u64 {
        self.wanted.swap(0, Ordering::Relaxed)
    }

    /// Returns true if so much could be reserved now to add to what is kept.
    pub(crate) fn has_room_for(&self, bytes: u64) -> bool {
        let left = i64::try_from(bytes).ok().and_then(|bytes| self.free().checked_sub(bytes));
        !self.is_spare_gone() && left.is_some_and(|left| left >= self.floor(Purpose::Fill))
    }

    /// Largest request to add to the log's content that was refused, and not forgotten since.
    pub(crate) fn refused(&self) -> Option<u64> {
        Some(self.refused.load(Ordering::Relaxed)).filter(|bytes| *bytes > 0)
    }

    /// Forgets a refused request, unless a larger one was refused meanwhile.
    pub(crate) fn forget_refused(&self, bytes: u64) {
        let _ = self.refused.compare_exchange(bytes, 0, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn reason(&self, free: i64, floor: i64) -> String {
        format!(
            "the recovery log has {free} of {} bytes left and keeps {floor} back; it heals when a checkpoint \
             frees extents, messages are got, old units of work end, or the disk has room for another extent",
            self.capacity()
        )
    }
}

/// Room promised to one caller; the rest returns when it is dropped.
#[derive(Debug)]
pub(crate) struct Promise {
    space: Arc<Space>,
    left: u64,
}

impl Promise {
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Takes a part out; less when there is less.
    pub(crate) fn split(&mut self, bytes: u64) -> Self {
        let part = self.left.min(bytes);
        self.left -= part;
        Self { space: Arc::clone(&self.space), left: part }
    }

    /// Adds what another was promised.
    pub(crate) fn absorb(&mut self, mut other: Self) {
        self.left += std::mem::take(&mut other.left);
    }

    /// Takes `bytes` for an append, and returns the number charged. A caller who reserved too little draws on
    /// the reserve.
    pub(crate) fn take(&mut self, bytes: u64) -> u64 {
        let covered = self.left.min(bytes);
        self.left -= covered;
        self.space.give(covered as i64 - bytes as i64);
        bytes
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.space.give(self.left as i64);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
