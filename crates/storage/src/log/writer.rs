//! The forcing side of the log: one block, one durable write, by the first thread that comes.
//!
//! Lives here: [`Log::drive`], the chain of block headers.
//! Lives elsewhere: what is in the blocks (`buffer`).
//!
//! Always: one write at a time, in order; the header says how far the log was durable when its block was
//! submitted. There is no timer: while one block is on its way the next one fills.

use platform::sync::atomic::Ordering;

use super::Log;
use super::block::{Header, Kind, Seeds};
use super::buffer::Block;
use super::chain::Chain;
use crate::{Durable, Fatal, Lsn};

/// State of the writer. The thread that locks it writes.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) chain: Chain,
}

enum Force {
    Nothing,
    Done { more: bool },
    Failed,
}

impl Log {
    /// Writes one block if one waits and no other thread is writing.
    pub(crate) fn drive(&self) -> Durable {
        let Some(mut writer) = self.writer.try_lock() else { return self.durable() };
        let force = self.force(&mut writer);
        drop(writer);
        self.tell(&force);
        self.durable()
    }

    /// Writes blocks until the log is durable to `need`, waiting for another writer if there is one. False
    /// when the log failed.
    pub(crate) fn drive_to(&self, need: Lsn) -> bool {
        while self.durable().lsn() < need {
            let mut writer = self.writer.lock();
            if self.durable().lsn() >= need {
                break;
            }
            let force = self.force(&mut writer);
            drop(writer);
            self.tell(&force);
            if matches!(force, Force::Failed | Force::Nothing) {
                return self.failure().is_none() && self.durable().lsn() >= need;
            }
        }
        true
    }

    /// Ends the log for a reason other than a failed write of it. Call it under no lock.
    pub(crate) fn fence(&self, fatal: Fatal) {
        let writer = self.writer.lock();
        self.stop_appending();
        drop(writer);
        self.fail(fatal);
    }

    fn force(&self, writer: &mut Writer) -> Force {
        if self.failure().is_some() {
            return Force::Failed;
        }
        let durable = self.durable().lsn().0;
        let mut chain = writer.chain;
        let Some(block) = self.next_block(|block| self.write_header(block, &mut chain, durable)) else {
            return Force::Nothing;
        };
        self.note_start(block.at, writer.chain);
        let length = block.bytes.len();
        let began = self.clock.now();
        self.forces.begin(began);
        let written = self.files.write(block.at, &block.bytes, length);
        let ended = self.clock.now();
        let taken = ended.since(began);
        if let Err(fatal) = written {
            self.stop_appending();
            let _ = self.failure.set(fatal);
            return Force::Failed;
        }
        writer.chain = chain;
        self.durable.store(block.at + length as u64, Ordering::Release);
        self.forces.count(length, block.records, taken, ended);
        let more = self.block_written(block);
        Force::Done { more }
    }

    /// Remembers how the chain stood where an extent begins: a later restart may begin there.
    fn note_start(&self, at: u64, chain: Chain) {
        if let Some(span) = self.files.span_at(at)
            && at == span.data()
        {
            self.starts.lock().insert(span.first, chain);
        }
    }

    fn write_header(&self, block: &mut Block, chain: &mut Chain, durable: u64) {
        let header = Header {
            at: block.at,
            epoch: chain.epoch,
            records: block.records,
            index: chain.index + 1,
            used: (block.used - super::block::HEADER_BYTES) as u32,
            previous: chain.previous,
            durable,
            restates: 0,
            nonce: chain.nonce,
            kind: Kind::Ordinary,
        };
        let (bytes, sum) = header.encode(Seeds { identity: self.identity, epoch: self.seed });
        block.bytes.as_mut_slice()[..bytes.len()].copy_from_slice(&bytes);
        *chain = chain.after(&header, sum);
    }

    /// Tells the observer, under no lock. Two callers may tell in either order: the larger position counts.
    fn tell(&self, force: &Force) {
        match force {
            Force::Nothing => {}
            Force::Done { more } => {
                self.observer.durable(self.durable());
                let (bytes, taken) = self.forces.last();
                self.watch("write", bytes, taken);
                if *more {
                    self.observer.log_has_work();
                }
            }
            Force::Failed => self.tell_failure(),
        }
    }
}
