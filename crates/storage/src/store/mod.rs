//! Messages outside the log: segments that checkpoints moved out of it, spill files, and messages kept over
//! an orderly end.
//!
//! Lives here: which segments there are, which of their messages are live, where messages went.
//! Lives elsewhere: the format of a segment ([`segment`]), spill files ([`spill`]), messages kept at an
//! orderly end ([`kept`]), when messages move (`checkpoint`).
//!
//! Always: a segment is written once, before anything refers to it; its number is never used again.

pub(crate) mod kept;
pub(crate) mod seal;
pub(crate) mod segment;
pub(crate) mod spill;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use platform::sync::Mutex;
use platform::{Disk, Identity};

use crate::read::{Cache, Source};
use crate::store::seal::SegmentEntry;
use crate::store::segment::{Mark, Member, Segment};
use crate::store::spill::Spill;
use crate::{EntryToken, Location, Lsn, MessageHead, ObjectId, ReadError, Statistics, StoredMessage};

/// Segments holding less than this part of live messages are compacted.
pub(crate) const COMPACT_BELOW: u32 = 4;
/// More small segments than this are merged.
const SMALL_SEGMENTS_MAX: usize = 8;

type Moves = HashMap<Location, Location, FixedState>;

/// The store of one queue manager.
#[derive(Debug)]
pub(crate) struct Store {
    segments: Mutex<Segments>,
    /// Where messages went in the last two checkpoints, for readers that still hold the old location.
    moved: Mutex<[Moves; 2]>,
    pub(crate) spill: Spill,
}

#[derive(Debug, Default)]
struct Segments {
    by_number: BTreeMap<u32, Arc<Segment>>,
    next: u32,
    /// Position that must be durable before the live marks may be written.
    need: Lsn,
}

/// The store as a manifest describes it, and what must be durable first.
pub(crate) struct Described {
    pub(crate) segments: Vec<SegmentEntry>,
    pub(crate) next: u32,
    pub(crate) need: Lsn,
    /// Segments in which nothing is live.
    pub(crate) dead: Vec<u32>,
}

impl Store {
    pub(crate) fn new(segments: Vec<Segment>, next: u32, spill: Spill) -> Self {
        let by_number = segments.into_iter().map(|segment| (segment.number, Arc::new(segment))).collect();
        Self {
            segments: Mutex::new(Segments { by_number, next, need: Lsn::ZERO }),
            moved: Mutex::default(),
            spill,
        }
    }

    /// The number of the segment to be written next.
    pub(crate) fn take_number(&self) -> u32 {
        let mut segments = self.segments.lock();
        segments.next += 1;
        segments.next - 1
    }

    pub(crate) fn add(&self, segment: Segment) {
        self.segments.lock().by_number.insert(segment.number, Arc::new(segment));
    }

    /// The files of the segments.
    pub(crate) fn identities(&self) -> Vec<(u32, Identity)> {
        self.segments.lock().by_number.values().map(|segment| (segment.number, segment.identity)).collect()
    }

    pub(crate) fn has(&self, number: u32) -> bool {
        self.segments.lock().by_number.contains_key(&number)
    }

    pub(crate) fn adopt(&self, number: u32, index: u32, queue: ObjectId, entry: EntryToken) {
        if let Some(segment) = self.get(number) {
            segment.adopt(index, queue, entry);
        }
    }

    pub(crate) fn release(&self, number: u32, index: u32, need: Lsn) {
        let mut segments = self.segments.lock();
        segments.need = segments.need.max(need);
        if let Some(segment) = segments.by_number.get(&number) {
            segment.release(index);
        }
    }

    pub(crate) fn read(&self, cache: &Cache, number: u32, index: u32) -> Result<StoredMessage, ReadError> {
        let gone = ReadError::Moved(Location::Segment { segment: number, index });
        self.get(number).ok_or(gone)?.read(cache, index)
    }

    pub(crate) fn read_with_head(
        &self,
        cache: &Cache,
        number: u32,
        index: u32,
    ) -> Result<(MessageHead, StoredMessage), ReadError> {
        let gone = ReadError::Moved(Location::Segment { segment: number, index });
        let segment = self.get(number).ok_or(gone)?;
        Ok((segment.head(cache, index)?, segment.read(cache, index)?))
    }

    /// Returns the head and mark of a message that is only a mark; none for a whole one.
    pub(crate) fn mark(
        &self,
        cache: &Cache,
        number: u32,
        index: u32,
    ) -> Result<Option<(MessageHead, Mark)>, ReadError> {
        let gone = ReadError::Moved(Location::Segment { segment: number, index });
        self.get(number).ok_or(gone)?.mark(cache, index)
    }

    /// Where a recent checkpoint moved the message that was at `location`.
    pub(crate) fn moved_to(&self, location: Location) -> Option<Location> {
        let moved = self.moved.lock();
        moved.iter().find_map(|moves| moves.get(&location)).copied()
    }

    pub(crate) fn note_move(&self, from: Location, to: Location) {
        self.moved.lock()[0].insert(from, to);
    }

    /// Forgets the moves of the checkpoint before the last one.
    pub(crate) fn begin_checkpoint(&self) {
        let mut moved = self.moved.lock();
        moved.swap(0, 1);
        moved[0].clear();
    }

    /// Returns true if a segment has no live message, and the next checkpoint removes it.
    pub(crate) fn has_dead(&self) -> bool {
        self.segments.lock().by_number.values().any(|segment| segment.counts().0 == 0)
    }

    /// Returns true if few messages of a segment are live, and the next checkpoint copies them.
    pub(crate) fn has_thin(&self) -> bool {
        self.segments.lock().by_number.values().any(|segment| is_thin(segment))
    }

    /// The live messages of segments that are worth rewriting.
    pub(crate) fn thin(&self, segment_bytes: u64) -> Vec<Member> {
        let segments = self.segments.lock();
        let is_small = |segment: &Segment| segment.bytes * 4 < segment_bytes;
        let small = segments.by_number.values().filter(|segment| is_small(segment)).count();
        let merge = small > SMALL_SEGMENTS_MAX;
        let chosen = segments
            .by_number
            .values()
            .filter(|segment| is_thin(segment) || (merge && is_small(segment) && segment.counts().0 > 0));
        chosen.flat_map(|segment| segment.members()).collect()
    }

    pub(crate) fn describe(&self) -> Described {
        let segments = self.segments.lock();
        let mut described =
            Described { segments: Vec::new(), next: segments.next, need: segments.need, dead: Vec::new() };
        for segment in segments.by_number.values() {
            match segment.counts() {
                (0, _) => described.dead.push(segment.number),
                (_, messages) => described.segments.push(SegmentEntry {
                    number: segment.number,
                    messages,
                    seal: Some(segment.seal),
                    live: segment.live_words(),
                }),
            }
        }
        described
    }

    /// Removes segments that no manifest names any more.
    pub(crate) fn remove(&self, disk: &dyn Disk, cache: &Cache, numbers: &[u32]) {
        for number in numbers {
            self.segments.lock().by_number.remove(number);
            cache.forget(Source::Segment(*number));
            // What cannot be removed now is removed at the next start, which finds that nothing names it.
            let _ = disk.remove(&segment::path(*number));
        }
        if !numbers.is_empty() {
            let _ = disk.sync_directory(Path::new("store"));
        }
    }

    pub(crate) fn fill(&self, statistics: &mut Statistics) {
        let segments = self.segments.lock();
        statistics.segments = segments.by_number.len() as u64;
        statistics.segment_messages =
            segments.by_number.values().map(|segment| u64::from(segment.counts().0)).sum();
        statistics.spill_bytes = self.spill.bytes();
    }

    fn get(&self, number: u32) -> Option<Arc<Segment>> {
        self.segments.lock().by_number.get(&number).cloned()
    }
}

fn is_thin(segment: &Segment) -> bool {
    let (live, all) = segment.counts();
    live > 0 && live * COMPACT_BELOW < all
}
