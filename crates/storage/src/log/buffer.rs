//! The append side of the log: turning records into bytes and handing out positions.
//!
//! Lives here: the open block, and the blocks closed and not yet durable.
//! Lives elsewhere: forcing them (`writer`), room for them (`space`), which was promised before.
//!
//! Always: a block never leaves its extent; a record never leaves its block. Nothing here waits or fails.

use std::collections::VecDeque;
use std::sync::Arc;

use platform::sync::atomic::Ordering;
use platform::{AlignedBuffer, BLOCK_ALIGNMENT};

use super::Log;
use super::block::{HEADER_BYTES, in_pages};
use super::extent::{Item, extent_path};
use super::files::{LogFiles, Span};
use super::record::{self, Entry};
use crate::space::{EXTENT_END_WASTE, Promise, cost, usable};
use crate::{Appended, EntryToken, Fatal, Lsn, ObjectId, OutOfSpace, Purpose};

/// Blocks kept for use again, so that the steady state asks for no memory: one open, one being written, two
/// more for bursts.
const SPARE_MAX: usize = 4;

/// Bytes of one block on their way.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) at: u64,
    pub(crate) bytes: AlignedBuffer,
    /// Header and records, without the zeros to the next page.
    pub(crate) used: usize,
    pub(crate) records: u32,
    /// Space promised to its records; the part that the block does not need goes back when it closes.
    charged: u64,
}

/// Appended records that are not durable yet.
#[derive(Debug)]
pub(crate) struct Appender {
    open: Option<Arc<Block>>,
    /// Closed, in order; the first may be being written.
    closed: VecDeque<Arc<Block>>,
    spare: Vec<Arc<Block>>,
    span: Span,
    /// Where the next block begins, when none is open.
    position: u64,
    /// Messages put in this span.
    items: Vec<Item>,
    /// True if the log's driver was not told of anything to write.
    idle: bool,
    failed: bool,
}

/// The message that an appended put made, for the checkpoint that will ask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(crate) queue: ObjectId,
    pub(crate) entry: EntryToken,
    /// The first fragment of its body, if it has any.
    pub(crate) fragments_from: Option<Lsn>,
}

impl Log {
    /// Appends one record and notes the facts that storage must remember: the messages it puts, each with its
    /// distance from the start of the record.
    pub(crate) fn append(
        &self,
        entry: &Entry<'_>,
        messages: impl IntoIterator<Item = (u64, Message)>,
        promise: &mut Promise,
    ) -> Appended {
        let length = record::entry_length(entry);
        let charged = promise.take(cost(length));
        let mut appender = self.appender.lock();
        if appender.failed {
            return appender.skip(length);
        }
        let Some(at) = self.make_room(&mut appender, length) else {
            let appended = appender.skip(length);
            appender.failed = true;
            drop(appender);
            self.fail(no_extent(appended.at));
            return appended;
        };
        appender.write(entry, at, charged, self.seed);
        self.settle(&mut appender);
        for (offset, message) in messages {
            self.remember(&mut appender, message, Lsn(at.0 + offset));
        }
        let need = Lsn(at.0 + length as u64);
        self.appended.store(need.0, Ordering::Release);
        let wake = std::mem::take(&mut appender.idle);
        drop(appender);
        if wake {
            self.observer.log_has_work();
        }
        Appended { at, need }
    }

    /// Finds the place of a record of `length` bytes, closing and opening blocks as needed. None when the log
    /// is out of extents, which a promise excludes.
    fn make_room(&self, appender: &mut Appender, length: usize) -> Option<Lsn> {
        if let Some(block) = &appender.open {
            let used = block.bytes.len();
            let left = (appender.span.end - block.at).min(self.block_bytes_max as u64);
            if (used + length) as u64 <= left {
                return Some(Lsn(block.at + used as u64));
            }
            self.close(appender);
        }
        let alone = in_pages(HEADER_BYTES + length);
        if appender.position + alone > appender.span.end {
            self.next_span(appender, alone)?;
        }
        appender.open();
        Some(Lsn(appender.position + HEADER_BYTES as u64))
    }

    /// Gives back the promised space that the open block does not need. At every append, not when it closes:
    /// while no caller waits for the log a block takes thousands of small records, and each was promised
    /// pages of its own.
    fn settle(&self, appender: &mut Appender) {
        let Some(open) = &mut appender.open else { return };
        let block = Arc::get_mut(open).expect("the open block has no other holder");
        let needed = in_pages(block.bytes.len());
        self.space.give(block.charged as i64 - needed as i64);
        block.charged = needed;
    }

    /// Closes the open block, if any.
    fn close(&self, appender: &mut Appender) {
        let Some(mut open) = appender.open.take() else { return };
        let block = Arc::get_mut(&mut open).expect("the open block has no other holder");
        block.used = block.bytes.len();
        block.bytes.pad_to_multiple(BLOCK_ALIGNMENT);
        let length = block.bytes.len() as u64;
        assert_eq!(block.charged, length, "a block is charged for its pages");
        appender.position = block.at + length;
        appender.closed.push_back(open);
    }

    fn next_span(&self, appender: &mut Appender, alone: u64) -> Option<()> {
        let next = self.files.span_from(appender.span.end)?;
        if next.data() + alone > next.end {
            return None;
        }
        let lost = appender.span.end - appender.position;
        self.space.give(EXTENT_END_WASTE as i64 - lost as i64);
        self.files.keep_items(appender.span.first, &appender.items);
        appender.items.clear();
        appender.span = next;
        appender.position = next.data();
        Some(())
    }

    /// Makes the next record begin the next extent, unless the current one has none yet. The skipped space
    /// stays unpromised. False when no extent is ready.
    pub(crate) fn advance(&self) -> Result<bool, OutOfSpace> {
        let (left, meant) = (self.room_left(), self.current_extent());
        let promise = self.space.reserve(left.max(0).unsigned_abs(), Purpose::Fill)?;
        let mut appender = self.appender.lock();
        if appender.failed {
            return Ok(false);
        }
        if appender.span.first != meant {
            // It went on by itself meanwhile.
            return Ok(true);
        }
        self.close(&mut appender);
        let is_begun = appender.position > appender.span.data();
        let advanced = !is_begun || self.next_span(&mut appender, BLOCK_ALIGNMENT as u64).is_some();
        drop(appender);
        drop(promise);
        Ok(advanced)
    }

    fn remember(&self, appender: &mut Appender, message: Message, at: Lsn) {
        let item = Item { queue: message.queue, entry: message.entry, at };
        match message.fragments_from {
            Some(from) if from.0 < appender.span.first => self.files.keep_items(from.0, &[item]),
            _ => appender.items.push(item),
        }
    }

    /// Remembers a message found at restart.
    pub(crate) fn adopt(&self, message: Message, at: Lsn) {
        let home = message.fragments_from.map_or(at, |from| from.min(at));
        let item = Item { queue: message.queue, entry: message.entry, at };
        let mut appender = self.appender.lock();
        if home.0 >= appender.span.first {
            appender.items.push(item);
        } else {
            self.files.keep_items(home.0, &[item]);
        }
    }

    /// The first position of the extent that is being filled.
    pub(crate) fn current_extent(&self) -> u64 {
        self.appender.lock().span.first
    }

    /// Space that the current extent can still promise.
    pub(crate) fn room_left(&self) -> i64 {
        let appender = self.appender.lock();
        let span = appender.span;
        usable(span.end - span.first) as i64 - (appender.position - span.data()) as i64
    }

    /// The next block to write, closing the open one if need be; none when nothing waits.
    pub(crate) fn next_block(&self, fill: impl FnOnce(&mut Block)) -> Option<Arc<Block>> {
        let mut appender = self.appender.lock();
        if appender.closed.is_empty() {
            self.close(&mut appender);
        }
        let Some(front) = appender.closed.front_mut() else {
            appender.idle = true;
            return None;
        };
        let block = Arc::get_mut(front).expect("a block not yet submitted has no other holder");
        fill(block);
        Some(Arc::clone(front))
    }

    /// Forgets the block just written. Whether more waits.
    pub(crate) fn block_written(&self, block: Arc<Block>) -> bool {
        let mut appender = self.appender.lock();
        drop(block);
        let written = appender.closed.pop_front().expect("the block being written is the first");
        appender.keep_spare(written, self.block_bytes_max);
        appender.idle = appender.closed.is_empty() && appender.open.is_none();
        !appender.idle
    }

    /// Ends appending: from now on appends go nowhere. Only the holder of the writer may call it: the first
    /// closed block may be its own.
    pub(super) fn stop_appending(&self) {
        let mut appender = self.appender.lock();
        appender.failed = true;
        appender.open = None;
        appender.closed.clear();
        appender.spare.clear();
    }

    /// Copies bytes that are not durable yet from the blocks in memory; false when they are not there.
    pub(crate) fn read_waiting(&self, at: Lsn, buffer: &mut [u8]) -> bool {
        let appender = self.appender.lock();
        let holds = |block: &&Arc<Block>| at.0 >= block.at && at.0 < block.at + block.bytes.len() as u64;
        let Some(block) = appender.closed.iter().chain(&appender.open).find(holds) else { return false };
        let from = (at.0 - block.at) as usize;
        let Some(bytes) = block.bytes.as_slice().get(from..from + buffer.len()) else { return false };
        buffer.copy_from_slice(bytes);
        true
    }
}

impl Appender {
    pub(crate) fn new(position: u64, files: &LogFiles) -> Self {
        let span = files.span_at(position - 1);
        Self {
            open: None,
            closed: VecDeque::with_capacity(SPARE_MAX),
            spare: Vec::with_capacity(SPARE_MAX),
            span: span.expect("the log has an extent for its end"),
            position,
            items: Vec::new(),
            idle: true,
            failed: false,
        }
    }

    fn open(&mut self) {
        let mut block = self.spare.pop().unwrap_or_default();
        let fresh = Arc::get_mut(&mut block).expect("a spare block has no other holder");
        fresh.at = self.position;
        fresh.records = 0;
        fresh.charged = 0;
        fresh.bytes.clear();
        fresh.bytes.resize_zeroed(HEADER_BYTES);
        self.open = Some(block);
    }

    fn write(&mut self, entry: &Entry<'_>, at: Lsn, charged: u64, seed: crate::checksum::Seed) {
        let open = self.open.as_mut().expect("room was made");
        let block = Arc::get_mut(open).expect("the open block has no other holder");
        let start = block.bytes.len();
        assert_eq!(block.at + start as u64, at.0, "a record goes where its position says");
        record::encode(entry, &mut block.bytes);
        record::seal_entry(entry, &mut block.bytes.as_mut_slice()[start..], seed, at);
        block.records += 1;
        block.charged += charged;
    }

    /// Hands out positions after a failure; nothing will become durable any more.
    fn skip(&mut self, length: usize) -> Appended {
        let at = Lsn(self.position + HEADER_BYTES as u64);
        self.position += in_pages(HEADER_BYTES + length);
        Appended { at, need: Lsn(at.0 + length as u64) }
    }

    fn keep_spare(&mut self, mut block: Arc<Block>, block_bytes_max: usize) {
        let ours = Arc::get_mut(&mut block);
        if self.spare.len() < SPARE_MAX
            && ours.is_some_and(|block| block.bytes.capacity() <= 2 * block_bytes_max)
        {
            self.spare.push(block);
        }
    }
}

fn no_extent(at: Lsn) -> Fatal {
    Fatal::Refused {
        operation: "append",
        path: extent_path(at.0),
        offset: 0,
        source: Arc::new(std::io::Error::other("the log ran out of extents although room was promised")),
    }
}
