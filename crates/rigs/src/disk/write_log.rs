//! The write log of a block device, and the images a power cut would have left.
//!
//! The format is that of the kernel's `dm-log-writes`, as QEMU's `blklogwrites` writes it, with 512-byte
//! sectors:
//!
//! ```text
//! sector 0      magic u64, version u64, number of entries u64, sector size u32
//! then, for each entry:
//!   1 sector    first sector u64, sectors u64, flags u64, data length u64
//!   n sectors   the bytes written (absent for discards and marks)
//! ```
//!
//! The number of entries is updated at flushes, so a number read after an acknowledgement covers every write
//! the acknowledgement depends on.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use platform::simulated::random::Random;

const SECTOR: u64 = 512;
const ENTRIES_OFFSET: u64 = 16;

const FLUSH: u64 = 1;
const FORCED: u64 = 2;
const DISCARD: u64 = 4;
const MARK: u64 = 8;

/// One logged operation.
#[derive(Clone, Copy, Debug)]
struct Entry {
    sector: u64,
    sectors: u64,
    flags: u64,
    data_at: u64,
}

impl Entry {
    fn has_data(&self) -> bool {
        self.flags & (DISCARD | MARK) == 0
    }
}

/// Choice of the writes after the last flush before the cut that reached the platter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// None: only what was flushed.
    Flushed,
    /// A random part of their sectors.
    Subset,
    /// All of them.
    All,
}

/// Number of entries in the log of a running device, as of its last flush.
pub fn entries_logged(log: &Path) -> io::Result<u64> {
    let mut count = [0; 8];
    File::open(log)?.read_exact_at(&mut count, ENTRIES_OFFSET)?;
    Ok(u64::from_le_bytes(count))
}

/// Builds images of the disk at growing cuts, going through the log once.
#[derive(Debug)]
pub struct Replay {
    log: File,
    entries: Vec<Entry>,
    base: PathBuf,
    /// Entries already in `base`: everything up to the last flush before the previous cut.
    applied: usize,
}

impl Replay {
    /// Reads the log's entries; `base` is the file that grows with the cuts.
    pub fn open(log: &Path, base: &Path, disk_bytes: u64) -> io::Result<Self> {
        let entries_count = entries_logged(log)?;
        let mut file = File::open(log)?;
        let entries = read_entries(&mut file, entries_count)?;
        let image = File::create(base)?;
        image.set_len(disk_bytes)?;
        Ok(Self { log: file, entries, base: base.to_owned(), applied: 0 })
    }

    /// Number of entries to cut at.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Writes to `image` what a power cut right after entry `cut` would have left. Cuts must not decrease.
    pub fn image(&mut self, cut: usize, tail: Tail, random: &mut Random, image: &Path) -> io::Result<()> {
        let cut = cut.min(self.entries.len());
        let flushed =
            self.entries[..cut].iter().rposition(|entry| entry.flags & FLUSH != 0).map_or(0, |at| at + 1);
        assert!(flushed >= self.applied, "cuts go forward: {flushed} after {}", self.applied);
        let base = File::options().write(true).open(&self.base)?;
        for entry in &self.entries[self.applied..flushed] {
            self.write(entry, &base, |_| true)?;
        }
        self.applied = flushed;

        std::fs::copy(&self.base, image)?;
        let image = File::options().write(true).open(image)?;
        for entry in &self.entries[flushed..cut] {
            let kept = match tail {
                _ if entry.flags & FORCED != 0 => Tail::All,
                Tail::Subset if random.below(2) == 0 => Tail::Flushed,
                other => other,
            };
            match kept {
                Tail::Flushed => {}
                Tail::All => self.write(entry, &image, |_| true)?,
                Tail::Subset => self.write(entry, &image, |_| random.below(5) != 0)?,
            }
        }
        Ok(())
    }

    fn write(&self, entry: &Entry, image: &File, mut keep: impl FnMut(u64) -> bool) -> io::Result<()> {
        if !entry.has_data() {
            return Ok(());
        }
        let mut bytes = vec![0; usize::try_from(entry.sectors * SECTOR).expect("a write fits in memory")];
        self.log.read_exact_at(&mut bytes, entry.data_at)?;
        for (index, sector) in (0..entry.sectors).zip(bytes.chunks_exact(SECTOR as usize)) {
            if keep(index) {
                image.write_all_at(sector, (entry.sector + index) * SECTOR)?;
            }
        }
        Ok(())
    }
}

fn read_entries(log: &mut File, count: u64) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut at = SECTOR;
    for _ in 0..count {
        log.seek(SeekFrom::Start(at))?;
        let mut head = [0; 32];
        log.read_exact(&mut head)?;
        let field = |index: usize| {
            u64::from_le_bytes(head[index * 8..index * 8 + 8].try_into().expect("eight bytes of the head"))
        };
        let entry = Entry { sector: field(0), sectors: field(1), flags: field(2), data_at: at + SECTOR };
        at = entry.data_at + if entry.has_data() { entry.sectors * SECTOR } else { 0 };
        entries.push(entry);
    }
    Ok(entries)
}
