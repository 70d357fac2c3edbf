//! Reading the log from a known place to its end, and telling a torn tail from damage.
//!
//! The end of the log is the first place where no block follows that is whole and linked to the one before.
//! Later blocks decide between the two: a block there that verifies has the position to which the log was
//! durable when it was submitted. If that is beyond the place without a block, acknowledged records are
//! missing: that is damage, and nothing may be thrown away. Otherwise the write that was under way did not
//! get through.
//!
//! Of a block that was durable, only bodies of messages may be missing: see
//! [`Scanner::block_without_bodies`].

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use platform::BLOCK_ALIGNMENT;

use super::block::{HEADER_BYTES, Header, Kind, Seeds};
use super::chain::{Chain, Lineage, Restated};
use super::extent::extent_path;
use super::extent::{DATA_OFFSET, Extent, Page};
use super::record::{self, Entry, Lists};
use crate::checksum::Seed;
use crate::space::EXTENT_END_WASTE;
use crate::{Lsn, OpenError};

/// Bytes that one read asks for.
const WINDOW_BYTES: u64 = 1 << 20;
/// Bytes after that which the disk is asked to fetch ahead, while the scan works on the last read.
const AHEAD_BYTES: u64 = 4 << 20;
/// Bytes at the beginning of each extent after the next one that are searched for traces of a durable log.
/// The first block of an extent is at its beginning, so this shows that the log went on there, unless that
/// block and all extents before it are lost.
const LOOK_AHEAD_BYTES: u64 = 4 << 20;

/// Most unreadable pages at the end of the log. A power loss leaves at most one page of the write under way
/// unreadable, and the next write goes over it. More mean that the device, not the end of the log, hides the
/// rest.
const UNREADABLE_PAGES_MAX: usize = 8;

/// A block begins in the extent that is being filled if its first record, or the block that it says again,
/// fits there. Records take this part of an extent at most, or [`EXTENT_END_WASTE`] twice: those that remove
/// many segments of a message at once may be longer than others.
const RECORD_PART: u64 = 4;

/// Durable positions to try, one per page, when rebuilding a lost header; more pages than one block and the
/// records beside it can span.
const DURABLE_TRIED_MAX: usize = 1 << 16;

pub(crate) type Extents = BTreeMap<u64, Arc<Extent>>;

/// One block whose records count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The position its records count from.
    pub(crate) at: u64,
    /// Where its bytes are: elsewhere when it was said again.
    pub(crate) stored_at: u64,
    pub(crate) header: Header,
    /// Nonce that seals its records, unless the block begins an epoch.
    pub(crate) nonce: u64,
    /// Bodies of messages are missing in it.
    pub(crate) lacks_bodies: bool,
}

impl Found {
    /// True if the body of this record of the block is missing.
    pub(crate) fn lacks_body_of(&self, at: Lsn, bytes: &[u8]) -> bool {
        self.lacks_bodies && !record::verifies(bytes, Seed::of_nonce(self.nonce), at)
    }
}

/// The log as it was found.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) blocks: Vec<Found>,
    /// State of the chain after the last block.
    pub(crate) chain: Chain,
    /// State of the chain before the last of `blocks`.
    pub(crate) chain_before: Chain,
    /// Where the next block may go.
    pub(crate) end: u64,
    /// Proved by a later block, or by the manifest, to be durable.
    pub(crate) proven: u64,
    pub(crate) epoch_max: u32,
    pub(crate) lineages: Vec<Lineage>,
    pub(crate) restated: Vec<Restated>,
    /// Blocks that restated another one and are lost, each with the block that it restated.
    pub(crate) lost: Vec<(Header, Found)>,
    pub(crate) starts: BTreeMap<u64, Chain>,
    /// Positions of pages that count as zeros, since they cannot be read.
    pub(crate) unreadable: BTreeSet<u64>,
}

impl Scan {
    /// True if a block covers any part of this stretch of the log. A block that verifies with zeros in place
    /// of unreadable bytes needs nothing there: zeros are the bytes that were written.
    pub(crate) fn needs(&self, stretch: &Range<u64>) -> bool {
        let pages = || stretch.clone().step_by(BLOCK_ALIGNMENT);
        let are_zeros = pages().all(|page| self.unreadable.contains(&page));
        self.blocks.iter().any(|block| {
            let end = block.stored_at + block.header.length();
            let is_in_it = block.stored_at < stretch.end && stretch.start < end;
            is_in_it && (block.lacks_bodies || !are_zeros)
        })
    }

    /// The beginning of an extent that may have held further blocks, of which nothing is known if it is lost:
    /// the one behind the last block, unless the extent of that had room for every block that may have
    /// followed.
    pub(crate) fn may_go_on_at(&self, extents: &Extents) -> Option<u64> {
        let current = extents.range(..self.end).next_back().map(|(_, extent)| extent);
        let (end, length) = current.map_or((self.end, 0), |extent| (extent.end(), extent.length));
        let said_again = self.blocks.last().map_or(0, |last| last.header.length());
        let follows = said_again.max(length / RECORD_PART).max(2 * EXTENT_END_WASTE);
        (end - self.end < follows).then_some(end)
    }

    /// Refuses if the durable log at the time of a manifest was written by another start than the manifest's.
    pub(crate) fn check_time(&self, extents: &Extents, known: &Known) -> Result<(), OpenError> {
        let written = self.lineages.iter().rfind(|lineage| lineage.from < known.reflects);
        if known.nonce.is_none_or(|nonce| written.is_some_and(|lineage| lineage.nonce == nonce)) {
            return Ok(());
        }
        let reason = "what ends here was written by another start than the one that had written it when the manifest was \
                      made: the log, or the manifest, is of another time";
        Err(damaged_before(extents, known.reflects, reason.to_owned()))
    }
}

/// Error for damage where the log ends before this position.
fn damaged_before(extents: &Extents, at: u64, reason: String) -> OpenError {
    let extent = Reader::new(extents).extent_at(at.saturating_sub(1));
    let (path, first) = extent.map_or_else(|| (extent_path(at), at), |extent| (extent.path(), extent.first));
    OpenError::Damaged { path, offset: at - first, reason }
}

/// State of the log as a manifest records it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) identity: Seed,
    /// Where the extent begins with which the log is to be read.
    pub(crate) first: u64,
    /// State of the chain of blocks there.
    pub(crate) chain: Chain,
    /// The log was durable to here.
    pub(crate) reflects: u64,
    /// The nonce of the start that wrote what ends there; none where it is not known.
    pub(crate) nonce: Option<u64>,
}

/// Reads the log. Refuses if it ends before something that was durable, or is another one than is known.
pub(crate) fn scan(extents: &Extents, known: &Known) -> Result<Scan, OpenError> {
    let (scan, end) = walk(extents, known);
    end.map(|()| scan)
}

/// Walks the log; an error about its end comes beside the blocks before it.
pub(crate) fn walk(extents: &Extents, known: &Known) -> (Scan, Result<(), OpenError>) {
    let Known { identity, first, chain, reflects, .. } = *known;
    let reader = Reader::new(extents);
    let mut scanner = Scanner { reader, identity, chain, last: None, at: first + DATA_OFFSET, reflects };
    let mut scan = Scan {
        blocks: Vec::new(),
        chain,
        chain_before: chain,
        end: scanner.at,
        proven: reflects,
        epoch_max: chain.epoch,
        lineages: vec![Lineage { from: first, epoch: chain.epoch, nonce: chain.nonce }],
        restated: Vec::new(),
        lost: Vec::new(),
        starts: BTreeMap::from([(first, chain)]),
        unreadable: BTreeSet::new(),
    };
    let later = loop {
        let step = match scanner.next() {
            Ok(step) => step,
            Err(later) => break later,
        };
        if step.says == Says::New {
            scan.chain_before = scanner.chain;
        }
        step.note(scanner.chain.nonce, &mut scan);
        scanner.accept(&step, &mut scan);
    };
    scan.chain = scanner.chain;
    scan.end = scanner.at;
    let judged = scanner.judge_end(reflects, &later).and_then(|proven| {
        scan.proven = scan.proven.max(proven);
        scan.check_time(extents, known)?;
        scanner.judge_pages(&scan)
    });
    scan.unreadable = scanner.reader.unreadable;
    (scan, judged)
}

struct Step {
    header: Header,
    sum: u32,
    says: Says,
    /// Of the epoch that it begins.
    nonce: Option<u64>,
    lacks_bodies: bool,
}

/// Content of a block for a reader of all blocks before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// Records that no other block has.
    New,
    /// The records of the last block.
    Again,
    /// That too, and it is lost.
    AgainAndLost,
}

impl Step {
    fn new(header: Header, sum: u32, says: Says) -> Self {
        Self { header, sum, says, nonce: None, lacks_bodies: false }
    }

    fn note(&self, before: u64, scan: &mut Scan) {
        scan.proven = scan.proven.max(self.header.durable);
        scan.epoch_max = scan.epoch_max.max(self.header.epoch);
        if let Some(nonce) = self.nonce {
            scan.lineages.push(Lineage { from: self.header.at, epoch: self.header.epoch, nonce });
        }
        if self.says == Says::AgainAndLost {
            scan.lost.extend(scan.blocks.last().map(|said| (self.header, *said)));
        }
        if self.says != Says::New {
            return;
        }
        let restated = self.header.kind == Kind::Restates;
        let at = if restated { self.header.restates } else { self.header.at };
        if restated {
            let length = self.header.length();
            scan.restated.push(Restated { from: at, length, to: self.header.at });
        }
        let nonce = self.nonce.unwrap_or(before);
        let Self { header, lacks_bodies, .. } = *self;
        scan.blocks.push(Found { at, stored_at: header.at, header, nonce, lacks_bodies });
    }
}

struct Scanner<'a> {
    reader: Reader<'a>,
    identity: Seed,
    chain: Chain,
    /// The last block that was not a repetition, once there is one.
    last: Option<Header>,
    /// Where the next block is expected, if it is in the same extent.
    at: u64,
    /// The manifest says that the log was durable to here.
    reflects: u64,
}

/// Where there are headers after the end of the log.
type Later = Vec<u64>;

impl Scanner<'_> {
    fn seeds(&self) -> Seeds {
        Seeds { identity: self.identity, epoch: Seed::of_nonce(self.chain.nonce) }
    }

    /// Returns the next block; at the end, the blocks after it.
    fn next(&mut self) -> Result<Step, Later> {
        let places = [Some(self.at), self.next_extent().map(|first| first + DATA_OFFSET)];
        if let Some(step) = places.into_iter().flatten().find_map(|at| self.linked_block(at)) {
            return Ok(step);
        }
        self.restating_block(places).or_else(|later| {
            let mut places = places.into_iter().flatten();
            let found = places.clone().find_map(|at| self.lost_repetition(at));
            found.or_else(|| places.find_map(|at| self.block_without_bodies(at))).ok_or(later)
        })
    }

    fn next_extent(&self) -> Option<u64> {
        let current = self.reader.extent_at(self.at.saturating_sub(1))?;
        self.reader.extents.get(&current.end()).map(|extent| extent.first)
    }

    /// Returns the block at `at`, if it is whole and comes next, or restates the last one: its records were
    /// read then, and are not needed.
    fn linked_block(&mut self, at: u64) -> Option<Step> {
        let (header, sum) = self.header(at)?;
        if self.chain.is_repeated_by(&header) {
            let is_as_long =
                self.last.is_none_or(|last| (last.used, last.records) == (header.used, header.records));
            let fits = self.reader.bytes(at, header.length() as usize).is_some();
            return (is_as_long && fits).then(|| Step::new(header, sum, Says::Again));
        }
        let (header, sum) = self.whole_block(at)?;
        if !self.chain.is_followed_by(&header) {
            return None;
        }
        let nonce = if header.kind == Kind::Epoch { Some(self.nonce_in(&header)?) } else { None };
        Some(Step { nonce, ..Step::new(header, sum, Says::New) })
    }

    /// Finds a whole block further on that restates the expected block at one of the `places`, or the last
    /// one. A start that failed may have restated it here, where only the memory of the machine had it, and
    /// the next start behind that.
    fn restating_block(&mut self, places: [Option<u64>; 2]) -> Result<Step, Later> {
        let chain = self.chain;
        let (mut found, mut later) = (None, Later::new());
        self.each_later_page(|scanner, at| {
            if scanner.claimed(at).is_none() {
                return false;
            }
            later.push(at);
            let restates = scanner.header(at).is_some_and(|(header, _)| {
                let stands_in = chain.is_followed_by_what_is_in(&header, places.into_iter().flatten());
                stands_in || chain.is_repeated_by(&header)
            });
            if restates {
                found = scanner.whole_block(at);
            }
            found.is_some()
        });
        let (header, sum) = found.ok_or(later)?;
        let says = if chain.is_repeated_by(&header) { Says::Again } else { Says::New };
        Ok(Step::new(header, sum, says))
    }

    /// Detects a lost block at `at` that restated the last one, if the start that wrote it went on. Such a
    /// block has no other content, and the block that began the epoch holds the checksum of its header. Every
    /// field of that header is known except the durable end of the log. A restart that begins behind the
    /// restated block does not know its length, and does not detect the loss.
    fn lost_repetition(&mut self, at: u64) -> Option<Step> {
        let last = self.last.filter(|last| last.kind != Kind::Epoch)?;
        let chain = self.chain;
        let said_again = Header {
            at,
            epoch: chain.epoch,
            index: chain.index,
            previous: chain.before,
            restates: chain.last_at,
            nonce: 0,
            kind: Kind::Restates,
            ..last
        };
        let begun = self.places_after(&said_again).into_iter().flatten().find_map(|at| {
            let (begun, _) = self.whole_block(at)?;
            let follows = Chain { previous: begun.previous, ..chain }.is_followed_by(&begun);
            (begun.kind == Kind::Epoch && follows).then_some(begun)
        })?;
        // It is said again because nothing proves all of it durable; what it says of before is no longer in
        // question.
        let ends = (last.durable..last.end()).step_by(BLOCK_ALIGNMENT).take(DURABLE_TRIED_MAX);
        let seeds = self.seeds();
        let mut headers = ends.map(|durable| Header { durable, ..said_again });
        headers.find_map(|header| {
            let (_, sum) = header.encode(seeds);
            (sum == begun.previous).then(|| Step::new(header, sum, Says::AgainAndLost))
        })
    }

    /// Returns the block at `at`, if it comes next, was written, and misses only bodies of messages
    /// ([`is_known`]): those messages cannot be read, and the fate of all messages is known. It was durable
    /// if the manifest or the block that follows proves so; else it may be a leftover of the write under way,
    /// unless a bit of a body is its only fault.
    fn block_without_bodies(&mut self, at: u64) -> Option<Step> {
        let (header, sum) = self.header(at)?;
        if header.kind != Kind::Ordinary || !self.chain.is_followed_by(&header) {
            return None;
        }
        let after = self.chain.after(&header, sum);
        let says_so = |(next, _): (Header, u32)| after.is_followed_by(&next) && next.durable >= header.end();
        let was_durable = header.end() <= self.reflects
            || self
                .places_after(&header)
                .into_iter()
                .flatten()
                .any(|at| self.header(at).is_some_and(says_so));
        let seed = self.seeds().epoch;
        let found = self.reader.records_are(at, &header, at, |at, bytes, unread| match was_durable {
            true => is_known(at, bytes, seed, unread),
            false => record::verifies(bytes, seed, at) || record::is_but_for_a_bit(bytes, seed, at),
        })?;
        found.then(|| Step { lacks_bodies: true, ..Step::new(header, sum, Says::New) })
    }

    /// Where the block may be that follows this one.
    fn places_after(&self, header: &Header) -> [Option<u64>; 2] {
        let extent = self.reader.extent_at(header.at);
        let next = extent.and_then(|extent| self.reader.extents.get(&extent.end()));
        [Some(header.end()), next.map(|next| next.first + DATA_OFFSET)]
    }

    fn accept(&mut self, step: &Step, scan: &mut Scan) {
        if step.says == Says::New {
            // What says again one that lacks bodies is looked for before that is taken, so it is not lost.
            self.last = (!step.lacks_bodies).then_some(step.header);
        }
        let before = self.chain;
        self.chain = self.chain.after(&step.header, step.sum);
        if let Some(nonce) = step.nonce {
            self.chain.epoch = step.header.epoch;
            self.chain.nonce = nonce;
        }
        self.at = step.header.end();
        if let Some(extent) = self.reader.extent_at(step.header.at) {
            // What stands in for a block of an extent before this one says nothing new to a restart that
            // begins here.
            let is_of_before = step.header.kind == Kind::Restates && step.header.restates < extent.first;
            let start = if is_of_before && step.says == Says::New { self.chain } else { before };
            scan.starts.entry(extent.first).or_insert(start);
        }
    }

    fn nonce_in(&mut self, header: &Header) -> Option<u64> {
        let bytes = self.reader.bytes(header.at, header.length() as usize)?;
        let mut lists = Lists::default();
        let record = bytes.get(HEADER_BYTES..HEADER_BYTES + header.used as usize)?;
        match record::decode(record, &mut lists)? {
            Entry::Epoch(epoch) if epoch.number == header.epoch => Some(epoch.nonce),
            _ => None,
        }
    }

    /// The header at `at`, if all records of its block verify.
    fn whole_block(&mut self, at: u64) -> Option<(Header, u32)> {
        let seeds = self.seeds();
        let (header, sum) = self.header(at)?;
        let (seed, base) = match header.kind {
            Kind::Ordinary => (seeds.epoch, header.at),
            Kind::Epoch => (seeds.identity, header.at),
            Kind::Restates => (seeds.epoch, header.restates),
        };
        self.records_verify(at, &header, seed, base)?.then_some((header, sum))
    }

    /// True if all records of the block at `at` verify; none when it does not fit where it is.
    fn records_verify(&mut self, at: u64, header: &Header, seed: Seed, base: u64) -> Option<bool> {
        self.reader.records_are(at, header, base, |at, bytes, _| record::verifies(bytes, seed, at))
    }

    fn header(&mut self, at: u64) -> Option<(Header, u32)> {
        let seeds = self.seeds();
        Header::decode(self.reader.bytes(at, HEADER_BYTES)?, at, seeds)
    }

    /// The header at `at` of a block of any epoch.
    fn claimed(&mut self, at: u64) -> Option<Header> {
        let identity = self.identity;
        Header::claimed(self.reader.bytes(at, HEADER_BYTES)?, at, identity)
    }

    /// Shows the position of every page after the end of the log, until told to stop: all pages in this
    /// extent and in the next one, where the next block is if it is not here. Where the header of that block
    /// is lost its length is unknown, and a block that refers to it may be as far on as a block is long. Long
    /// blocks come from an administrator's setting, or from a record larger than a block should be.
    fn each_later_page(&mut self, mut stop: impl FnMut(&mut Self, u64) -> bool) {
        let Some(current) = self.reader.extent_at(self.at.saturating_sub(1)).cloned() else { return };
        let later: Vec<_> =
            self.reader.extents.range(current.end()..).map(|(_, extent)| Arc::clone(extent)).collect();
        let rest = [(self.at, current.end())].into_iter();
        let ahead = later.iter().enumerate().map(|(place, extent)| {
            let looked_at = if place == 0 { extent.length } else { extent.length.min(LOOK_AHEAD_BYTES) };
            (extent.first + DATA_OFFSET, extent.first + looked_at)
        });
        for (from, to) in rest.chain(ahead) {
            for at in (from..to).step_by(BLOCK_ALIGNMENT) {
                if stop(self, at) {
                    return;
                }
            }
        }
    }

    /// Refuses if the log ends before a position that was durable. Else returns the durable position in the
    /// header of a block that did not get through, one of those that are `later`. Records up to that position
    /// must not be written over: the header would then refer to lost records.
    fn judge_end(&mut self, reflects: u64, later: &[u64]) -> Result<u64, OpenError> {
        let end = self.at;
        if end < reflects {
            return Err(self.damaged(format!(
                "the log ends here, but the manifest says that it was durable to {}",
                Lsn(reflects)
            )));
        }
        let chain = self.chain;
        let mut witness = None;
        let mut proven = 0;
        for &at in later {
            let Some(claimed) = self.claimed(at) else { continue };
            let is_later = claimed.index > chain.index;
            if is_later
                && claimed.epoch > chain.epoch
                && claimed.kind == Kind::Ordinary
                && at >= end + BLOCK_ALIGNMENT as u64
            {
                if self.is_whole_by_itself(&claimed) {
                    witness = Some(Witness::LaterEpoch(claimed));
                }
            } else if is_later && claimed.epoch >= chain.epoch && self.header(at).is_some() {
                if claimed.durable > end {
                    witness = Some(Witness::Durable(claimed));
                }
                proven = proven.max(claimed.durable);
            } else if self.is_of_another_time(&claimed) {
                witness = Some(Witness::AnotherTime(claimed));
            }
            if witness.is_some() {
                break;
            }
        }
        match witness {
            None => self.judge_silence().map(|()| proven),
            Some(Witness::Durable(header)) => Err(self.damaged(format!(
                "no whole block is here, but the one at {} says that the log was durable to {} when it was written",
                Lsn(header.at),
                Lsn(header.durable)
            ))),
            Some(Witness::AnotherTime(header)) => Err(self.damaged(format!(
                "no whole block is here that follows the one before, but the one at {} was written at start {} of the queue \
                 manager, and not by the log that ends here: a file of another time is among these",
                Lsn(header.at),
                header.epoch
            ))),
            Some(Witness::LaterEpoch(header)) => Err(self.damaged(format!(
                "no whole block is here, but the one at {} belongs to start {} of the queue manager, whose first block \
                 must be between",
                Lsn(header.at),
                header.epoch
            ))),
        }
    }

    /// True if all records of an ordinary block verify by the nonce that its header gives.
    fn is_whole_by_itself(&mut self, claimed: &Header) -> bool {
        let seed = Seed::of_nonce(claimed.nonce);
        self.records_verify(claimed.at, claimed, seed, claimed.at) == Some(true)
    }

    /// True if this block after the end was written by a log of this queue manager that ran on from the same
    /// beginning as this one. A leftover of our own log was written at an earlier start, when the log was
    /// durable to our end at most. Such a leftover may be whole: a page had one sector that could not be
    /// read, until it was partly overwritten. The leftover came next at that time, so at least the index
    /// before it was given again.
    fn is_of_another_time(&mut self, claimed: &Header) -> bool {
        let could_be_left = claimed.durable <= self.at
            && (claimed.index <= self.chain.index + 1 || claimed.epoch > self.chain.epoch);
        claimed.kind == Kind::Ordinary
            && claimed.nonce != self.chain.nonce
            && !could_be_left
            && self.is_whole_by_itself(claimed)
    }

    /// Refuses if nothing speaks against the end only because nothing after it can be read.
    fn judge_silence(&self) -> Result<(), OpenError> {
        let unreadable = self.reader.unreadable.range(self.at..).count();
        if unreadable <= UNREADABLE_PAGES_MAX {
            return Ok(());
        }
        Err(self.damaged(format!(
            "no whole block is here, and whether the log ends here cannot be known: of what follows {unreadable} pages \
             cannot be read"
        )))
    }

    /// Refuses if an extent that the log has reached, or may have reached, lost its first page. Where the
    /// extent comes next and holds only zeros, nothing proves that it had no blocks, unless the extent before
    /// it had room for every block that may have followed.
    fn judge_pages(&self, scan: &Scan) -> Result<(), OpenError> {
        let may_go_on_at = scan.may_go_on_at(self.reader.extents);
        let may_have_blocks = |extent: &&Arc<Extent>| match extent.page {
            Page::Known | Page::Older => false,
            Page::LostWithoutBlock => extent.first < self.at,
            Page::LostWithZeros => extent.first < self.at || may_go_on_at == Some(extent.first),
        };
        match self.reader.extents.values().find(may_have_blocks) {
            None => Ok(()),
            Some(extent) => Err(OpenError::Damaged {
                path: extent.path(),
                offset: 0,
                reason: "the first page is lost, and whether the log went on here cannot be known".to_owned(),
            }),
        }
    }

    fn damaged(&self, mut reason: String) -> OpenError {
        if let Some(next) = self.next_extent() {
            reason.push_str(&format!(
                "; if not here, the damage is at the beginning of {}",
                extent_path(next).display()
            ));
        }
        if let Some(error) = &self.reader.error {
            reason.push_str(&format!("; parts of the log cannot be read: {error}"));
        }
        damaged_before(self.reader.extents, self.at, reason)
    }
}

/// A block after the end of the log that proves the end wrong.
enum Witness {
    /// It says that the log was durable further than the end.
    Durable(Header),
    /// It is whole, so a restart found it or would have: the block that began its epoch was written alone and
    /// first, was durable, and is not to be seen. (A block that is not whole may be left from a start that
    /// ended before it promised anything; the next one began its epoch in the same place. Nor does one that
    /// leaves no room for the block that began its epoch: another one is in that place, whole.)
    LaterEpoch(Header),
    /// It is whole, and of a log that ran on from ours.
    AnotherTime(Header),
}

/// The records in the payload of a block, with their positions. Ends early where no record can be.
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl<'a> Records<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: u64) -> Self {
        Self { bytes, at }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = (Lsn, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let length = record::claimed_length(self.bytes)?;
        let (record, rest) = self.bytes.split_at_checked(length)?;
        let at = Lsn(self.at);
        self.bytes = rest;
        self.at += length as u64;
        Some((at, record))
    }
}

/// True if a record is as it was written, or can do without its missing part.
///
/// A body with a checksum of its own may be missing, and a piece of a body has no other content. The body of
/// a put of an earlier version may be missing where the device refused no other bytes. The bytes that it gave
/// of head and descriptor are then as good as any others; under the one checksum of such a put a wrong byte
/// could not be located. No other record is taken for one of these by a few wrong bits: the header of a piece
/// is present in full, and such a put has its length twice. Other blocks prove that length: the next record
/// verifies at its own place only, and the header of the block has the sums.
fn is_known(at: Lsn, bytes: &[u8], seed: Seed, unread: &BTreeSet<u64>) -> bool {
    if record::verifies_but_bodies(bytes, seed, at) || record::is_fragment(bytes) {
        return true;
    }
    let Some(body) = record::body_in(bytes) else { return false };
    let page_bytes = BLOCK_ALIGNMENT as u64;
    let (begin, end) = (at.0, at.0 + bytes.len() as u64);
    let mut missing = unread.range(begin - begin % page_bytes..end).peekable();
    missing.peek().is_some()
        && missing.all(|page| {
            begin + body.start as u64 <= *page.max(&begin)
                && (page + page_bytes).min(end) <= begin + body.end as u64
        })
}

/// Reads stretches of extents. Bytes that the system cannot read count as zeros.
pub(crate) struct Reader<'a> {
    extents: &'a Extents,
    window: Vec<u8>,
    from: u64,
    /// Positions of pages that count as zeros.
    unreadable: BTreeSet<u64>,
    /// Error of the system for the last of them.
    error: Option<io::Error>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(extents: &'a Extents) -> Self {
        Self { extents, window: Vec::new(), from: 0, unreadable: BTreeSet::new(), error: None }
    }

    fn extent_at(&self, at: u64) -> Option<&'a Arc<Extent>> {
        let (_, extent) = self.extents.range(..=at).next_back()?;
        (at < extent.end()).then_some(extent)
    }

    /// `length` bytes at `at`, if one extent holds them.
    pub(crate) fn bytes(&mut self, at: u64, length: usize) -> Option<&[u8]> {
        let extent = self.extent_at(at)?;
        let end = at.checked_add(length as u64).filter(|end| *end <= extent.end())?;
        let held = self.from..self.from + self.window.len() as u64;
        if !(held.contains(&at) && end <= held.end) {
            let wanted = (extent.end() - at).min(WINDOW_BYTES.max(length as u64));
            self.load(extent, at, wanted as usize);
        }
        let start = (at - self.from) as usize;
        self.window.get(start..start + length)
    }

    /// True if the block at `at` has as many records as its header counts, and each is right by `is_right`.
    /// That is given the record's position where `base` is the block's, its bytes, and the pages that count
    /// as zeros. None when the block does not fit where it is.
    fn records_are(
        &mut self,
        at: u64,
        header: &Header,
        base: u64,
        mut is_right: impl FnMut(Lsn, &[u8], &BTreeSet<u64>) -> bool,
    ) -> Option<bool> {
        self.bytes(at, header.length() as usize)?;
        let begin = (at - self.from) as usize + HEADER_BYTES;
        let records = self.window.get(begin..begin + header.used as usize)?;
        let (mut count, mut length) = (0, 0);
        let are_right = Records::new(records, base + HEADER_BYTES as u64).all(|(at, bytes)| {
            count += 1;
            length += bytes.len();
            is_right(at, bytes, &self.unreadable)
        });
        Some(are_right && count == header.records && length == records.len())
    }

    /// True if a block reads as it did when it was found, with zeros for bytes that cannot be read.
    pub(crate) fn is_as_found(&mut self, block: &Found) -> bool {
        let seed = Seed::of_nonce(block.nonce);
        let records = self.records_are(block.stored_at, &block.header, block.at, |at, bytes, unread| {
            if block.lacks_bodies {
                is_known(at, bytes, seed, unread)
            } else {
                record::verifies(bytes, seed, at)
            }
        });
        block.header.kind != Kind::Epoch && records == Some(true)
    }

    /// The file that holds this position.
    pub(crate) fn path_at(&self, at: u64) -> PathBuf {
        self.extent_at(at).map_or_else(|| extent_path(at), |extent| extent.path())
    }

    /// Why this stretch, which was read before, counts as zeros now.
    pub(crate) fn refused(&mut self, at: u64, length: usize) -> Option<io::Error> {
        let first_page = at / BLOCK_ALIGNMENT as u64 * BLOCK_ALIGNMENT as u64;
        self.unreadable.range(first_page..at + length as u64).next()?;
        self.error.take()
    }

    /// Fills the window with `length` bytes from `at` on: bytes that are there already stay, the rest is
    /// read.
    fn load(&mut self, extent: &Extent, at: u64, length: usize) {
        let held = self.from..self.from + self.window.len() as u64;
        let kept = if held.contains(&at) { (held.end - at) as usize } else { 0 };
        let tail = self.window.len() - kept..;
        if self.window.capacity() < length {
            // Zeroed by the system, unlike what a vector is extended with.
            let mut window = vec![0; length];
            window[..kept].copy_from_slice(&self.window[tail]);
            self.window = window;
        } else {
            self.window.copy_within(tail, 0);
            self.window.resize(length, 0);
        }
        self.from = at;
        let offset = at - extent.first;
        let end = offset + length as u64;
        extent.file.will_read(end, AHEAD_BYTES.min(extent.length.saturating_sub(end)));
        let missing = &mut self.window[kept..];
        if extent.file.read_exact_at(missing, offset + kept as u64).is_ok() {
            return;
        }
        for (page, bytes) in missing.chunks_mut(BLOCK_ALIGNMENT).enumerate() {
            let within = (kept + page * BLOCK_ALIGNMENT) as u64;
            if let Err(error) = extent.file.read_exact_at(bytes, offset + within) {
                bytes.fill(0);
                self.unreadable.insert(at + within);
                self.error = Some(error);
            }
        }
    }
}

#[cfg(test)]
mod tests;
