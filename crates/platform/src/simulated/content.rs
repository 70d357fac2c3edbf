//! The bytes of a file as pages shared between its versions: a snapshot costs pointers, not bytes.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use super::SECTOR_BYTES;

const PAGE_BYTES: usize = 4096;

type Page = [u8; PAGE_BYTES];

/// The page every hole and every prepared extent shares.
static ZEROS: LazyLock<Arc<Page>> = LazyLock::new(|| Arc::new([0; PAGE_BYTES]));

#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pages: Vec<Arc<Page>>,
    length: u64,
    /// Sectors the device cannot read until they are written again.
    unreadable: BTreeSet<u64>,
}

/// Why bytes cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadFailure {
    End,
    Unreadable,
}

impl Content {
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> Result<(), ReadFailure> {
        let end = offset + buffer.len() as u64;
        if end > self.length {
            return Err(ReadFailure::End);
        }
        let sector = SECTOR_BYTES as u64;
        if !self.unreadable.is_empty()
            && self.unreadable.range(offset / sector..end.div_ceil(sector)).next().is_some()
        {
            return Err(ReadFailure::Unreadable);
        }
        let mut done = 0;
        while done < buffer.len() {
            let (page, within) = place(offset + done as u64);
            let count = (PAGE_BYTES - within).min(buffer.len() - done);
            buffer[done..done + count].copy_from_slice(&self.pages[page][within..within + count]);
            done += count;
        }
        Ok(())
    }

    /// Every byte, unreadable sectors included: for the simulation's own eyes.
    pub(super) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.pages.len() * PAGE_BYTES);
        for page in &self.pages {
            bytes.extend_from_slice(page.as_slice());
        }
        bytes.truncate(usize::try_from(self.length).expect("a simulated file fits in memory"));
        bytes
    }

    /// Writes, extending the content with zeros if need be.
    pub(super) fn write(&mut self, bytes: &[u8], offset: u64) {
        let end = offset + bytes.len() as u64;
        if end > self.length {
            self.set_length(end);
        }
        let mut done = 0;
        while done < bytes.len() {
            let (page, within) = place(offset + done as u64);
            let count = (PAGE_BYTES - within).min(bytes.len() - done);
            self.write_page(page, within, &bytes[done..done + count]);
            done += count;
        }
        if !self.unreadable.is_empty() {
            let sector = SECTOR_BYTES as u64;
            self.unreadable.retain(|index| *index < offset / sector || *index >= end.div_ceil(sector));
        }
    }

    pub(super) fn set_length(&mut self, length: u64) {
        let pages =
            usize::try_from(length.div_ceil(PAGE_BYTES as u64)).expect("a simulated file fits in memory");
        self.pages.resize_with(pages, || ZEROS.clone());
        let (last, within) = place(length);
        if length < self.length && within > 0 {
            Arc::make_mut(&mut self.pages[last])[within..].fill(0);
        }
        self.length = length;
        self.unreadable.retain(|index| index * (SECTOR_BYTES as u64) < length);
    }

    pub(super) fn make_unreadable(&mut self, sector: u64) {
        if sector * (SECTOR_BYTES as u64) < self.length {
            self.unreadable.insert(sector);
        }
    }

    pub(super) fn has_unreadable(&self) -> bool {
        !self.unreadable.is_empty()
    }

    fn write_page(&mut self, page: usize, within: usize, bytes: &[u8]) {
        let target = &mut self.pages[page];
        if bytes.len() < PAGE_BYTES {
            Arc::make_mut(target)[within..within + bytes.len()].copy_from_slice(bytes);
        } else if bytes == ZEROS.as_slice() {
            *target = ZEROS.clone();
        } else {
            *target = Arc::new(bytes.try_into().expect("a whole page"));
        }
    }
}

fn place(offset: u64) -> (usize, usize) {
    let page = usize::try_from(offset / PAGE_BYTES as u64).expect("a simulated file fits in memory");
    (page, usize::try_from(offset % PAGE_BYTES as u64).expect("less than a page"))
}
