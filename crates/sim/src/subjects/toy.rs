//! A queue manager of a few lines: a journal that is written and flushed, queues in memory.
//!
//! One flush writes one group: its length (4 bytes), crc32c of what follows (4), and records, padded with
//! zeros to whole sectors, so that no sector is written twice.
//!
//! ```text
//! offset  bytes
//!      0      8  length of the record
//!      8      1  1 = put, 2 = get, 3 = commit, 4 = backout
//!      9      4  unit of work, zero for none
//!     13      1  queue
//!     14      1  nine less priority
//!     15      8  arrival
//!     23      …  body
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use platform::simulated::SECTOR_BYTES;
use platform::{Access, File, OpenMode, World};

use crate::torture::{Answer, Counters, Found, Maker, Put, QUEUES, Refusal, StartFailure, Subject};

/// Ways of being wrong. Each is a fault that some system once had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Answers before anything is flushed.
    NoFlush,
    /// Answers a commit before it is flushed, and flushes later.
    AckBeforeFlush,
    /// Forgets to log every third put.
    DroppedPut,
    /// Gives a message out again after every third get.
    DoubleDelivery,
    /// Does not log gets.
    ResurrectedGet,
    /// A restart gives messages in the reverse of their order.
    SwappedOrder,
    /// A restart keeps the puts of a unit of work that was not committed.
    HalfUnit,
    /// A backout leaves the unit's puts on the queue.
    BackoutKeepsPut,
    /// A restart forgets the gets of committed units of work.
    CommitLosesGet,
    /// A restart gives long bodies back with a changed byte.
    WrongBody,
    /// A restart believes groups whose checksum is wrong.
    TornTailTaken,
}

impl Flaw {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::NoFlush,
        Self::AckBeforeFlush,
        Self::DroppedPut,
        Self::DoubleDelivery,
        Self::ResurrectedGet,
        Self::SwappedOrder,
        Self::HalfUnit,
        Self::BackoutKeepsPut,
        Self::CommitLosesGet,
        Self::WrongBody,
        Self::TornTailTaken,
    ];
}

/// Makes toys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toy {
    /// Its flaw, if it has one.
    pub flaw: Option<Flaw>,
}

const JOURNAL: &str = "journal";
const HEAD_BYTES: usize = 23;
const GROUP_HEAD_BYTES: usize = 8;

impl Maker for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn create(&self, world: &World) -> Result<(), StartFailure> {
        let made = || {
            world.disk.open(Path::new(JOURNAL), OpenMode::CreateNew, Access::Cached)?.sync()?;
            world.disk.sync_directory(Path::new(""))
        };
        made().map_err(|error| StartFailure(error.to_string()))
    }

    fn open(&self, world: &World) -> Result<Box<dyn Subject>, StartFailure> {
        let failed = |error: std::io::Error| StartFailure(error.to_string());
        let file = world.disk.open(Path::new(JOURNAL), OpenMode::Write, Access::Cached).map_err(failed)?;
        let mut bytes = vec![0; usize::try_from(file.length().map_err(failed)?).expect("fits")];
        for (index, sector) in bytes.chunks_mut(SECTOR_BYTES).enumerate() {
            // A sector that cannot be read is one that was being written: its group will not verify.
            if file.read_exact_at(sector, (index * SECTOR_BYTES) as u64).is_err() {
                sector.fill(0xEE);
            }
        }
        let mut running = Running::new(self.flaw, file);
        let end = running.replay(&bytes);
        running.file.set_length(end).and_then(|()| running.file.sync()).map_err(failed)?;
        Ok(Box::new(running))
    }
}

type Place = (u8, u64);

#[derive(Debug)]
struct Entry {
    body: Vec<u8>,
    put_by: u32,
    got_by: u32,
    need: u64,
}

#[derive(Debug)]
struct Running {
    flaw: Option<Flaw>,
    file: Arc<dyn File>,
    queues: [BTreeMap<Place, Entry>; QUEUES],
    changed: [u64; QUEUES],
    units: BTreeMap<u32, u32>,
    unit_next: u32,
    arrivals: u64,
    pending: Vec<u8>,
    durable: u64,
    operations: u64,
    failure: Option<String>,
}

struct Record<'a> {
    kind: u8,
    unit: u32,
    queue: usize,
    place: Place,
    body: &'a [u8],
}

impl Running {
    fn new(flaw: Option<Flaw>, file: Arc<dyn File>) -> Self {
        Self {
            flaw,
            file,
            queues: Default::default(),
            changed: [0; QUEUES],
            units: BTreeMap::new(),
            unit_next: 1,
            arrivals: 0,
            pending: Vec::new(),
            durable: 0,
            operations: 0,
            failure: None,
        }
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    fn third(&mut self, flaw: Flaw) -> bool {
        self.operations += 1;
        self.has(flaw) && self.operations.is_multiple_of(3)
    }

    fn append(&mut self, record: &Record<'_>) -> u64 {
        let mut bytes = vec![record.kind];
        bytes.extend_from_slice(&record.unit.to_le_bytes());
        bytes.push(u8::try_from(record.queue).expect("few queues"));
        bytes.push(record.place.0);
        bytes.extend_from_slice(&record.place.1.to_le_bytes());
        bytes.extend_from_slice(record.body);
        self.pending.extend_from_slice(&(bytes.len() as u64 + 8).to_le_bytes());
        self.pending.extend_from_slice(&bytes);
        // The group starts with its own head and ends at a whole sector: durable beyond this means this is.
        let need = self.durable + self.pending.len() as u64;
        if self.has(Flaw::NoFlush) || (self.has(Flaw::AckBeforeFlush) && record.kind == 3) { 1 } else { need }
    }

    /// Applies what the journal says; gives the end of what can be believed.
    fn replay(&mut self, bytes: &[u8]) -> u64 {
        let mut at = 0;
        let mut open: BTreeMap<u32, Vec<(u8, usize, Place)>> = BTreeMap::new();
        while let Some(group) = self.believable(bytes.get(at..).unwrap_or_default()) {
            let mut rest = group;
            while let Some((record, length)) = record(rest) {
                self.replay_record(&record, &mut open);
                rest = &rest[length..];
            }
            at += (GROUP_HEAD_BYTES + group.len()).next_multiple_of(SECTOR_BYTES);
        }
        if !self.has(Flaw::HalfUnit) {
            open.remove(&0);
            for operations in open.into_values() {
                self.end_replayed(false, operations);
            }
        }
        for entry in self.queues.iter_mut().flat_map(BTreeMap::values_mut) {
            entry.put_by = 0;
            if self.flaw == Some(Flaw::WrongBody) && entry.body.len() > 200 {
                entry.body[150] ^= 1;
            }
        }
        if self.has(Flaw::SwappedOrder) {
            let reversed = |queue: &mut BTreeMap<Place, Entry>| {
                let entries = std::mem::take(queue);
                let places: Vec<Place> = entries.keys().copied().collect();
                *queue = places.into_iter().zip(entries.into_values().rev()).collect();
            };
            self.queues.iter_mut().for_each(reversed);
        }
        self.durable = at as u64;
        self.durable
    }

    fn end_replayed(&mut self, committed: bool, operations: Vec<(u8, usize, Place)>) {
        for (kind, queue, place) in operations {
            let keeps = if kind == 1 {
                committed || self.has(Flaw::BackoutKeepsPut)
            } else {
                !committed || self.has(Flaw::CommitLosesGet)
            };
            if !keeps {
                self.queues[queue].remove(&place);
            }
        }
    }

    fn replay_record(&mut self, record: &Record<'_>, open: &mut BTreeMap<u32, Vec<(u8, usize, Place)>>) {
        let Record { kind, unit, queue, place, body } = *record;
        self.arrivals = self.arrivals.max(place.1 + 1);
        self.unit_next = self.unit_next.max(unit + 1);
        match kind {
            1 => {
                let entry = Entry { body: body.to_vec(), put_by: unit, got_by: 0, need: 0 };
                self.queues[queue].insert(place, entry);
                open.entry(unit).or_default().push((kind, queue, place));
            }
            2 if unit == 0 => {
                self.queues[queue].remove(&place);
            }
            2 => open.entry(unit).or_default().push((kind, queue, place)),
            _ => self.end_replayed(kind == 3, open.remove(&unit).unwrap_or_default()),
        }
    }

    fn believable<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let length = usize::try_from(number(0)?).ok().filter(|length| *length > GROUP_HEAD_BYTES)?;
        let group = bytes.get(GROUP_HEAD_BYTES..length)?;
        (crc32c::crc32c(group) == number(4)? || self.has(Flaw::TornTailTaken)).then_some(group)
    }

    fn unit(&mut self, client: u32, in_unit: bool) -> u32 {
        if !in_unit {
            return 0;
        }
        *self.units.entry(client).or_insert_with(|| {
            self.unit_next += 1;
            self.unit_next - 1
        })
    }

    fn end(&mut self, client: u32, commit: bool) -> Answer<()> {
        let Some(unit) = self.units.remove(&client) else { return Answer { need: 0, result: Ok(()) } };
        let kind = if commit { 3 } else { 4 };
        let need = self.append(&Record { kind, unit, queue: 0, place: (0, 0), body: &[] });
        let keeps_puts = commit || self.has(Flaw::BackoutKeepsPut);
        for (queue, changed) in self.queues.iter_mut().zip(&mut self.changed) {
            queue.retain(|_, entry| {
                let goes = if entry.put_by == unit { !keeps_puts } else { entry.got_by == unit && commit };
                if entry.put_by == unit || entry.got_by == unit {
                    *changed = need;
                    entry.put_by = 0;
                    entry.got_by = 0;
                    entry.need = need;
                }
                !goes
            });
        }
        Answer { need: if commit { need } else { 0 }, result: Ok(()) }
    }
}

/// The first record of a group, and its length.
fn record(bytes: &[u8]) -> Option<(Record<'_>, usize)> {
    let length = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    let length = usize::try_from(length).ok().filter(|length| (HEAD_BYTES..=bytes.len()).contains(length))?;
    let queue = usize::from(bytes[13]);
    let record = Record {
        kind: bytes[8],
        unit: u32::from_le_bytes(bytes[9..13].try_into().ok()?),
        queue,
        place: (bytes[14], u64::from_le_bytes(bytes[15..23].try_into().ok()?)),
        body: &bytes[HEAD_BYTES..length],
    };
    (queue < QUEUES).then_some((record, length))
}

impl Subject for Running {
    fn put(&mut self, client: u32, put: &Put) -> Answer<()> {
        let unit = self.unit(client, put.in_unit);
        let place = (9 - put.priority, self.arrivals);
        self.arrivals += 1;
        let dropped = self.third(Flaw::DroppedPut);
        let mut need = 0;
        if put.persistent && !dropped {
            need = self.append(&Record { kind: 1, unit, queue: put.queue, place, body: &put.body });
            if !put.in_unit {
                self.changed[put.queue] = need;
            }
        }
        let entry = Entry { body: put.body.clone(), put_by: unit, got_by: 0, need };
        self.queues[put.queue].insert(place, entry);
        Answer { need: if put.in_unit { 0 } else { need }, result: Ok(()) }
    }

    fn get(&mut self, client: u32, queue: usize, in_unit: bool) -> Answer<Option<Vec<u8>>> {
        let unit = self.unit(client, in_unit);
        let again = self.third(Flaw::DoubleDelivery);
        let first = self.queues[queue].iter_mut().find(|(_, entry)| entry.put_by == 0 && entry.got_by == 0);
        let Some((place, entry)) = first else {
            return Answer { need: self.changed[queue], result: Ok(None) };
        };
        let (place, body, seen) = (*place, entry.body.clone(), entry.need);
        if in_unit {
            entry.got_by = unit;
        } else if !again {
            self.queues[queue].remove(&place);
        }
        let mut need = seen;
        if !self.has(Flaw::ResurrectedGet) {
            let logged = self.append(&Record { kind: 2, unit, queue, place, body: &[] });
            if !in_unit {
                self.changed[queue] = logged;
                need = need.max(logged);
            }
        }
        Answer { need, result: Ok(Some(body)) }
    }

    fn commit(&mut self, client: u32) -> Answer<()> {
        self.end(client, true)
    }

    fn backout(&mut self, client: u32) -> Answer<()> {
        self.end(client, false)
    }

    fn durable(&self) -> u64 {
        self.durable
    }

    fn drive(&mut self) -> u64 {
        if self.pending.is_empty() {
            return self.durable;
        }
        let records = std::mem::take(&mut self.pending);
        let mut group = Vec::with_capacity(records.len() + SECTOR_BYTES);
        group
            .extend_from_slice(&u32::try_from(records.len() + GROUP_HEAD_BYTES).expect("fits").to_le_bytes());
        group.extend_from_slice(&crc32c::crc32c(&records).to_le_bytes());
        group.extend_from_slice(&records);
        group.resize(group.len().next_multiple_of(SECTOR_BYTES), 0);
        let written = self
            .file
            .write_at(&group, self.durable)
            .and_then(|()| if self.flaw == Some(Flaw::NoFlush) { Ok(()) } else { self.file.sync() });
        match written {
            Ok(()) => self.durable += group.len() as u64,
            Err(error) => self.failure = Some(error.to_string()),
        }
        self.durable
    }

    fn checkpoint(&mut self, _in_any_case: bool) -> bool {
        false
    }

    fn housekeep(&mut self) {}

    fn revoked(&mut self) -> Vec<u32> {
        Vec::new()
    }

    fn failure(&self) -> Option<String> {
        self.failure.clone()
    }

    fn contents(&mut self, queue: usize) -> Vec<Found> {
        self.queues[queue].values().map(|entry| Ok::<_, Refusal>(entry.body.clone())).collect()
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }
}
