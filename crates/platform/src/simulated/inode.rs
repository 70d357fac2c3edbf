//! One file: what readers see, what is on stable storage, and the changes between that a crash may lose.
//!
//! Always: `pending` is in the order of the calls. Replaying all of it on `durable` gives `current`, unless a
//! flush failed or lied: after a failed flush the page cache shows bytes that no later flush will write.

use std::sync::Arc;

use super::SECTOR_BYTES;
use super::content::Content;

#[derive(Clone, Debug, Default)]
pub(super) struct Inode {
    pub(super) current: Content,
    pub(super) durable: Content,
    pub(super) pending: Vec<Pending>,
    /// Contents at earlier flushes, oldest first; kept only when asked for, to roll the file back.
    pub(super) versions: Vec<Content>,
    pub(super) handles: u32,
}

/// A change that is not yet stable.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Place among all changes of the disk.
    pub(super) order: u64,
    pub(super) change: Change,
}

#[derive(Clone, Debug)]
pub(super) enum Change {
    Length(u64),
    Write(Run),
}

/// Bytes at an offset, a part of what one call wrote.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) offset: u64,
    bytes: Arc<[u8]>,
    from: usize,
    to: usize,
}

impl Run {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.from..self.to]
    }

    pub(super) fn end(&self) -> u64 {
        self.offset + (self.to - self.from) as u64
    }

    /// The parts outside `from..to`.
    fn without(&self, from: u64, to: u64) -> impl Iterator<Item = Self> {
        let before = self.part(self.offset, self.end().min(from));
        let after = self.part(self.offset.max(to), self.end());
        before.into_iter().chain(after)
    }

    fn part(&self, from: u64, to: u64) -> Option<Self> {
        let position =
            |offset: u64| self.from + usize::try_from(offset - self.offset).expect("inside the run");
        (from < to).then(|| Self {
            offset: from,
            bytes: self.bytes.clone(),
            from: position(from),
            to: position(to),
        })
    }

    /// The parts that fall into each sector.
    pub(super) fn sectors(&self) -> impl Iterator<Item = Self> {
        let sector = SECTOR_BYTES as u64;
        (self.offset / sector..self.end().div_ceil(sector)).filter_map(move |index| {
            self.part(self.offset.max(index * sector), self.end().min((index + 1) * sector))
        })
    }
}

impl Inode {
    /// Writes so that readers see it and a crash may lose it.
    pub(super) fn write(&mut self, bytes: &[u8], offset: u64, order: u64) {
        let end = offset + bytes.len() as u64;
        if end > self.current.length() {
            self.pending.push(Pending { order, change: Change::Length(end) });
        }
        self.current.write(bytes, offset);
        let run = Run { offset, bytes: bytes.into(), from: 0, to: bytes.len() };
        self.pending.push(Pending { order, change: Change::Write(run) });
    }

    pub(super) fn set_length(&mut self, length: u64, order: u64) {
        self.current.set_length(length);
        self.pending.push(Pending { order, change: Change::Length(length) });
    }

    /// Makes everything stable.
    pub(super) fn flush(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            match pending.change {
                Change::Length(length) => self.durable.set_length(length),
                Change::Write(run) => self.durable.write(run.bytes(), run.offset),
            }
        }
    }

    /// Makes this range stable as the last write left it, and the length with it.
    ///
    /// Older pending writes of the range must not come back over it, so the range is taken out of them.
    pub(super) fn flush_range(&mut self, from: u64, to: u64) {
        let mut kept: Vec<Pending> = Vec::new();
        for pending in std::mem::take(&mut self.pending) {
            match pending.change {
                Change::Length(length) => {
                    self.durable.set_length(length);
                    kept = kept.into_iter().flat_map(|earlier| earlier.without(length, u64::MAX)).collect();
                }
                Change::Write(_) => kept.push(pending),
            }
        }
        for pending in &kept {
            if let Change::Write(run) = &pending.change
                && let Some(part) = run.part(run.offset.max(from), run.end().min(to))
            {
                self.durable.write(part.bytes(), part.offset);
            }
        }
        self.pending = kept.into_iter().flat_map(|earlier| earlier.without(from, to)).collect();
    }

    /// Acts as the kernel does when a flush fails: some of the pending changes may be on the medium, none
    /// will be tried again.
    pub(super) fn fail_flush(&mut self, mut reaches_medium: impl FnMut() -> bool) {
        for pending in std::mem::take(&mut self.pending) {
            match pending.change {
                Change::Length(length) => self.durable.set_length(length),
                Change::Write(run) => {
                    for part in run.sectors() {
                        if reaches_medium() {
                            self.durable.write(part.bytes(), part.offset);
                        }
                    }
                }
            }
        }
    }

    pub(super) fn keep_version(&mut self) {
        self.versions.push(self.durable.clone());
    }
}

impl Pending {
    fn without(self, from: u64, to: u64) -> impl Iterator<Item = Self> {
        let order = self.order;
        let Change::Write(run) = self.change else { unreachable!("lengths were made stable before") };
        let parts: Vec<Run> = run.without(from, to).collect();
        parts.into_iter().map(move |part| Self { order, change: Change::Write(part) })
    }
}
