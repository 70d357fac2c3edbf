//! Reading messages back, with what was read ahead kept for the next reader.
//!
//! Messages of a deep queue lie near each other in the order they were put, so one read of the system serves
//! a hundred of them. Regions are known by position in the log or by segment, never by file: a region stays
//! true when the file it came from is used again.

use std::io;
use std::sync::Arc;

use platform::sync::Mutex;

/// Bytes read at once when reads follow one another.
const REGION_BYTES_MAX: u64 = 256 << 10;
/// Bytes read at once for a lone read.
const REGION_BYTES_MIN: u64 = 16 << 10;
/// Regions kept: enough for this many queues drained at the same time, 4 MiB.
const REGIONS_MAX: usize = 16;
/// Regions begin at multiples of this.
const GRANULE: u64 = 4096;

/// File that a position counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Log,
    Segment(u32),
}

#[derive(Debug)]
pub(crate) struct Region {
    source: Source,
    from: u64,
    bytes: Vec<u8>,
}

impl Region {
    fn end(&self) -> u64 {
        self.from + self.bytes.len() as u64
    }

    /// The bytes of a stretch that this region holds.
    pub(crate) fn get(&self, at: u64, length: usize) -> Option<&[u8]> {
        let start = usize::try_from(at.checked_sub(self.from)?).ok()?;
        self.bytes.get(start..start.checked_add(length)?)
    }
}

/// The regions read last, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    regions: Mutex<Vec<Arc<Region>>>,
}

impl Cache {
    /// A region that holds `length` bytes at `at`. What is read lies within `bounds`, which holds the
    /// stretch.
    pub(crate) fn region(
        &self,
        source: Source,
        at: u64,
        length: usize,
        bounds: std::ops::Range<u64>,
        read: impl Fn(u64, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<Arc<Region>> {
        let ahead = match self.look(source, at, length) {
            Look::Held(region) => return Ok(region),
            Look::Near => REGION_BYTES_MAX,
            Look::Far => REGION_BYTES_MIN,
        };
        let from = (at - at % GRANULE).max(bounds.start);
        let end = (at + length as u64).max(from + ahead).min(bounds.end);
        let mut bytes = vec![0; (end - from) as usize];
        if read(from, &mut bytes).is_err() {
            // A neighbour that nobody wants may be unreadable: the remains of a write that a crash cut off.
            let mut bytes = vec![0; length];
            read(at, &mut bytes)?;
            return Ok(Arc::new(Region { source, from: at, bytes }));
        }
        let region = Arc::new(Region { source, from, bytes });
        if region.bytes.len() as u64 <= REGION_BYTES_MAX + GRANULE {
            self.keep(Arc::clone(&region));
        }
        Ok(region)
    }

    /// Forgets a source that is no more.
    pub(crate) fn forget(&self, source: Source) {
        self.regions.lock().retain(|region| region.source != source);
    }

    fn look(&self, source: Source, at: u64, length: usize) -> Look {
        let mut regions = self.regions.lock();
        if let Some(place) =
            regions.iter().position(|region| region.source == source && region.get(at, length).is_some())
        {
            let region = Arc::clone(&regions[place]);
            regions[..=place].rotate_right(1);
            return Look::Held(region);
        }
        let near = |region: &Arc<Region>| {
            region.source == source && at >= region.from && at <= region.end() + REGION_BYTES_MIN
        };
        if regions.iter().any(near) { Look::Near } else { Look::Far }
    }

    fn keep(&self, region: Arc<Region>) {
        let mut regions = self.regions.lock();
        regions.truncate(REGIONS_MAX - 1);
        regions.insert(0, region);
    }
}

enum Look {
    Held(Arc<Region>),
    Near,
    Far,
}
