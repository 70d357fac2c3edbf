//! Looking at the log of a queue manager, stopped or running, without touching it.
//!
//! Nothing is locked and nothing is written. A running queue manager may use an extent again while it is
//! looked at: what was read of it before is shown, and then the end.

use std::fmt;
use std::path::PathBuf;

use platform::{Disk, OpenMode};

use crate::log::block::{HEADER_BYTES, Kind};
use crate::log::extent::identity_text;
use crate::log::extent_path;
use crate::log::record::{self, Entry, Lists};
use crate::log::scan::{Extents, Found, Reader, Records, walk};
use crate::manifest;
use crate::record::{Body, ChannelBatch, ChannelCommit, Counterpart, PreparedFor};
use crate::recovery::{open_extents, payload};
use crate::{AuthorityKey, Direction, Lsn, OpenError, Record, StateObject, SyncObject, UnitId};

/// Most readings of a log that changes while it is read, before damage at its end is believed.
const ATTEMPTS: usize = 3;

/// The log as it stands.
#[derive(Debug)]
pub struct Inspection {
    extents: Extents,
    found: Vec<Found>,
    /// The queue manager, in hexadecimal.
    pub identity: String,
    /// Number of manifests written.
    pub generation: u64,
    /// Where replay would start.
    pub replay_from: Lsn,
    /// The log was durable to here at the last checkpoint.
    pub durable_at_checkpoint: Lsn,
    /// Live messages in store segments at the last checkpoint.
    pub stored_messages: u64,
    /// The end of the log.
    pub end: Lsn,
    /// The error that would keep the queue manager from starting on this log.
    pub refusal: Option<OpenError>,
}

/// Purpose of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Records of the engine.
    Ordinary,
    /// The beginning of an epoch.
    Epoch,
    /// Records of a block that was lost, said again by the start before.
    Restated,
}

/// One block: the bytes of one force.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its position.
    pub at: Lsn,
    /// The file it is in.
    pub path: PathBuf,
    /// Where in the file.
    pub offset: u64,
    /// Counts blocks.
    pub index: u64,
    /// The start of the queue manager that wrote it.
    pub epoch: u32,
    /// Records in it.
    pub records: u32,
    /// Bytes of header and records.
    pub used: u64,
    /// Bytes in the log, with the zeros to the next page.
    pub length: u64,
    /// Durable end of the log when the block was submitted.
    pub durable: Lsn,
    /// Purpose of the block.
    pub kind: BlockKind,
    place: usize,
}

/// One record, of the engine or of storage.
#[derive(Clone, Debug)]
pub struct Logged<'a> {
    /// Its position.
    pub at: Lsn,
    /// Its bytes in the log.
    pub length: usize,
    /// The decoded content.
    pub content: Content<'a>,
    /// True if the body, or the piece of one, cannot be read: the bytes in its place are not the ones that
    /// were written.
    pub lacks_body: bool,
}

/// Decoded content of a record.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// A record of the engine.
    Record(Record<'a>),
    /// A piece of a large body.
    Fragment(&'a [u8]),
    /// The queue manager was started.
    Epoch {
        /// The number of the start.
        number: u32,
        /// Microseconds of the time of day.
        began_at: i64,
    },
    /// A type this program does not know.
    Unknown,
}

impl Inspection {
    /// Reads the log in a data directory.
    pub fn open(disk: &dyn Disk) -> Result<Self, OpenError> {
        let mut inspection = Self::attempt(disk);
        for _ in 1..ATTEMPTS {
            match &inspection {
                Ok(inspection) if inspection.refusal.is_none() => break,
                _ => inspection = Self::attempt(disk),
            }
        }
        inspection
    }

    fn attempt(disk: &dyn Disk) -> Result<Self, OpenError> {
        let manifest = manifest::load(disk)?;
        let extents = open_extents(disk, &manifest, OpenMode::Read)?.extents;
        let (scan, end) = walk(&extents, &manifest.log());
        let live = manifest.segments.iter().flat_map(|segment| &segment.live);
        Ok(Self {
            identity: identity_text(&manifest.identity),
            generation: manifest.generation,
            replay_from: Lsn(manifest.redo),
            durable_at_checkpoint: Lsn(manifest.reflects),
            stored_messages: live.map(|word| u64::from(word.count_ones())).sum(),
            end: Lsn(scan.end),
            refusal: end.err(),
            found: scan.blocks,
            extents,
        })
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.found.iter().enumerate().map(|(place, found)| {
            let first = self.extents.range(..=found.stored_at).next_back().map_or(0, |(first, _)| *first);
            Block {
                at: Lsn(found.at),
                path: extent_path(first),
                offset: found.stored_at - first,
                index: found.header.index,
                epoch: found.header.epoch,
                records: found.header.records,
                used: HEADER_BYTES as u64 + u64::from(found.header.used),
                length: found.header.length(),
                durable: Lsn(found.header.durable),
                kind: match found.header.kind {
                    Kind::Ordinary => BlockKind::Ordinary,
                    Kind::Epoch => BlockKind::Epoch,
                    Kind::Restates => BlockKind::Restated,
                },
                place,
            }
        })
    }

    /// Shows the records of a block, until told to stop by `false`. Whether it was not told so.
    pub fn records(
        &self,
        block: &Block,
        show: &mut dyn FnMut(Logged<'_>) -> bool,
    ) -> Result<bool, OpenError> {
        let Some(found) = self.found.get(block.place) else { return Ok(true) };
        let mut reader = Reader::new(&self.extents);
        let payload = payload(&mut reader, found)?;
        let mut lists = Lists::default();
        for (at, bytes) in Records::new(payload, found.at + HEADER_BYTES as u64) {
            let content = match record::decode(bytes, &mut lists) {
                Some(Entry::Engine(record)) => Content::Record(record),
                Some(Entry::Fragment(bytes)) => Content::Fragment(bytes),
                Some(Entry::Epoch(epoch)) => {
                    Content::Epoch { number: epoch.number, began_at: epoch.began_at }
                }
                None => Content::Unknown,
            };
            let lacks_body = found.lacks_body_of(at, bytes);
            if !show(Logged { at, length: bytes.len(), content, lacks_body }) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// One line for a person.
impl fmt::Display for Content<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(record) => write_record(record, out),
            Self::Fragment(bytes) => write!(out, "fragment of {} bytes", bytes.len()),
            Self::Epoch { number, .. } => write!(out, "epoch {number} begins"),
            Self::Unknown => out.write_str("record of an unknown type"),
        }
    }
}

/// Of messages put together a line shows this many.
const SHOWN_MAX: usize = 8;

fn write_record(record: &Record<'_>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match record {
        Record::Put { unit, head, descriptor, body } => {
            let (length, fragments) = match body {
                Body::Inline(body) => (body.len() as u64, 0),
                Body::Fragments { at, length } => (*length, at.len()),
            };
            write!(
                out,
                "put queue {} sequence {} priority {}",
                head.queue.0, head.sequence.0, head.priority
            )?;
            write!(out, " descriptor {} body {length}", descriptor.len())?;
            if fragments > 0 {
                write!(out, " in {fragments} fragments")?;
            }
            write_unit(*unit, out)
        }
        Record::PutMany { unit, copies } => {
            let (length, fragments) = copies.end();
            write!(out, "put {} messages of {} kinds", copies.count(), copies.kinds())?;
            write!(out, " common end of the bodies {length}")?;
            if fragments > 0 {
                write!(out, " in {fragments} fragments")?;
            }
            for copy in copies.iter().take(SHOWN_MAX) {
                write!(out, "; queue {} sequence {}", copy.head.queue.0, copy.head.sequence.0)?;
            }
            if copies.count() > SHOWN_MAX {
                write!(out, "; and {} more", copies.count() - SHOWN_MAX)?;
            }
            write_unit(*unit, out)
        }
        Record::Get { unit, queue, sequence } => {
            write!(out, "get queue {} sequence {}", queue.0, sequence.0)?;
            write_unit(*unit, out)
        }
        Record::Remove { queue, sequences } => {
            write!(out, "remove queue {} {} messages", queue.0, sequences.len())?;
            match (sequences.first(), sequences.last()) {
                (Some(first), Some(last)) => write!(out, " from sequence {} to {}", first.0, last.0),
                _ => Ok(()),
            }
        }
        Record::Commit { unit, records, first, counterpart } => {
            write!(out, "commit {records} records from {first}")?;
            match counterpart {
                Some(Counterpart::Client(client)) => {
                    write!(out, " client {} number {}", identity_text(&client.instance), client.number)?;
                }
                Some(Counterpart::Channel(channel)) => {
                    let ChannelCommit { sync_object, batch, sequence, .. } = channel;
                    write!(out, " channel {} batch {batch} sequence {sequence}", sync_object.0)?;
                }
                None => {}
            }
            write_unit(Some(*unit), out)
        }
        Record::Prepare { unit, records, first, purpose } => {
            write!(out, "prepare {records} records from {first}")?;
            match purpose {
                PreparedFor::Channel(batch) => {
                    let ChannelBatch { sync_object, batch, first_sequence, last_sequence, .. } = batch;
                    write!(out, " channel {} batch {batch}", sync_object.0)?;
                    write!(out, " sequence {first_sequence} to {last_sequence}")?;
                }
                PreparedFor::Branch(branch) => {
                    write!(out, " branch of {} and {} bytes", branch.global.len(), branch.qualifier.len())?;
                    write!(out, " format {}", branch.format)?;
                }
            }
            write_unit(Some(*unit), out)
        }
        Record::Backout { unit, returned } => {
            write!(out, "backout {} messages returned", returned.len())?;
            write_unit(Some(*unit), out)
        }
        Record::Define { object, definition } => {
            write!(out, "define object {} ", object.0)?;
            match StateObject::decode(definition) {
                Ok(state) => write_state(&state, out),
                Err(_) => write!(out, "definition {} bytes", definition.len()),
            }
        }
        Record::Delete { object } => write!(out, "delete object {}", object.0),
    }
}

fn write_state(state: &StateObject, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match state {
        StateObject::Sync(sync) => {
            let SyncObject { channel, direction, partner, partner_identifier, line, .. } = sync;
            let side = match direction {
                Direction::Sends => "sends to",
                Direction::Receives => "receives from",
            };
            write!(out, "state of channel {channel} that {side} {partner} ({partner_identifier})")?;
            write!(out, " line {:016x}", line.0)
        }
        StateObject::Resolved(branch) => {
            let outcome = if branch.is_committed { "committed" } else { "backed out" };
            write!(out, "branch {outcome} by hand")?;
            write_unit(Some(branch.unit), out)
        }
        StateObject::Authority(record) => {
            let AuthorityKey { object_type, profile, is_group, entity } = &record.key;
            let kind = if *is_group { "group" } else { "user" };
            let entity = entity.escape_debug();
            write!(out, "authorities {:#x} of {kind} {entity}", record.authorities)?;
            write!(out, " for {profile} of type {object_type}")?;
            match &*record.maker {
                "" => Ok(()),
                maker => write!(out, ", made by {}", maker.escape_debug()),
            }
        }
        StateObject::Judging(since) => write!(out, "requests are judged since {since}"),
    }
}

fn write_unit(unit: Option<UnitId>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match unit {
        Some(unit) => write!(out, " unit {}.{}", unit.epoch, unit.counter),
        None => Ok(()),
    }
}
