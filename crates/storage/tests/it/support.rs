//! A small engine: queues of messages, units of work, and what a checkpoint asks.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use bytes::Bytes;
use parking_lot::Mutex;
use platform::World;
use platform::simulated::{Machine, Random, SimulatedDisk};
use storage::record::Body;
use storage::{
    Appended, Checkpointed, Copies, CopiesWriter, Durable, EntryToken, Fatal, INLINE_BODY_BYTES_MAX,
    Location, LoggedRecord, Lsn, MessageHead, NewCopy, ObjectId, Observer, OpenError, OutOfSpace, Purpose,
    RESERVED_SMALL, ReadError, Recalled, Record, Recovered, Reservation, Restarted, Sequence, Settings,
    Storage, StoredHead, StoredMessage, UnitId, reserved_for_put,
};

pub const QUEUE: ObjectId = ObjectId(7);

pub fn small() -> Settings {
    Settings { extent_bytes: 1 << 20, primary_extents: 3, secondary_extents: 2, ..Settings::default() }
}

pub fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 2, secondary_extents: 2, ..Settings::default() }
}

#[derive(Debug, Default)]
pub struct Listener {
    pub woken: AtomicU64,
    pub slow: AtomicU64,
    pub failures: Mutex<Vec<String>>,
    pub durable: Mutex<Option<Lsn>>,
}

impl Observer for Listener {
    fn log_has_work(&self) {
        self.woken.fetch_add(1, Ordering::Relaxed);
    }

    fn durable(&self, durable: Durable) {
        *self.durable.lock() = Some(durable.lsn());
    }

    fn slow_io(&self, _: &str, _: usize, _: u64) {
        self.slow.fetch_add(1, Ordering::Relaxed);
    }

    fn failed(&self, failure: &Fatal) {
        self.failures.lock().push(failure.to_string());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub location: Location,
    /// Locked by a unit of work that got it, or not visible until the one that put it commits.
    pub unit: Option<UnitId>,
}

#[derive(Debug, Default)]
pub struct State {
    pub messages: BTreeMap<u64, Kept>,
    pub open: BTreeMap<u64, Vec<Change>>,
    first: BTreeMap<u64, Lsn>,
    next_unit: u64,
    pub next_sequence: u64,
}

#[derive(Clone, Copy, Debug)]
pub enum Change {
    Put(u64, Location),
    Get(u64),
}

impl Change {
    pub fn is_put_of(&self, wanted: u64) -> bool {
        matches!(self, Self::Put(sequence, _) if *sequence == wanted)
    }
}

/// The engine of these tests.
pub struct Engine {
    pub storage: Storage,
    pub state: Mutex<State>,
    pub listener: Arc<Listener>,
    pub journal: Mutex<Option<Journal>>,
    /// Messages that a checkpoint found damaged, and why.
    pub lost: Mutex<BTreeMap<u64, String>>,
    /// Messages of which a start said that they cannot be read in the log.
    pub damaged: Mutex<BTreeSet<u64>>,
    /// The times of puts that a start found in segments.
    pub put_seconds: BTreeMap<u64, Option<NonZeroU32>>,
    /// Bytes of its snapshot beyond the least, as definitions take them.
    pub snapshot_padding: AtomicUsize,
}

/// Keeps every state of the queue and when it came about; and, while a checkpoint runs, gets messages behind
/// its back.
pub struct Journal {
    pub disk: SimulatedDisk,
    pub random: Random,
    /// Boundaries begun when a change was appended, and the committed messages after it.
    pub states: Vec<(u64, BTreeSet<u64>)>,
}

pub fn head(sequence: u64) -> MessageHead {
    let mut message_id = [0; 24];
    message_id[..8].copy_from_slice(&sequence.to_le_bytes());
    MessageHead {
        queue: QUEUE,
        sequence: Sequence(sequence),
        priority: (sequence % 10) as u8,
        reports: 0,
        expires_at: i64::MAX,
        message_id,
        correlation_id: [1; 24],
        group_id: [0; 24],
        group: storage::GroupHead::default(),
        deliver_at: 0,
    }
}

/// Bytes of a body over which each is 7 above the one before.
const STRETCH: usize = 251;

/// The number whose 7-fold is 1 in a byte.
const INVERSE_OF_SEVEN: u8 = 183;

/// Multiples of 7 in bytes, enough for a stretch that begins with any byte.
static SEVENS: [u8; 256 + STRETCH] = {
    let mut sevens = [0; 256 + STRETCH];
    let mut at = 1;
    while at < sevens.len() {
        sevens[at] = 7_u8.wrapping_add(sevens[at - 1]);
        at += 1;
    }
    sevens
};

/// The body of a message is known from its sequence and length.
pub fn body(sequence: u64, length: usize) -> Vec<u8> {
    // A byte is `31 * sequence + 7 * place + place / 251`, copied a stretch at a time: byte by byte, without
    // optimisation, bodies took most of the time of some tests.
    let mut body = Vec::with_capacity(length + STRETCH);
    for stretch in 0..length.div_ceil(STRETCH) {
        let first = (sequence as usize * 31 + stretch * (7 * STRETCH + 1)) as u8;
        let from = usize::from(first.wrapping_mul(INVERSE_OF_SEVEN));
        body.extend_from_slice(&SEVENS[from..from + STRETCH]);
    }
    body.truncate(length);
    body
}

/// Every fourth message is logged as those of a publication are.
fn is_put_with_others(sequence: u64) -> bool {
    sequence.is_multiple_of(4)
}

pub fn descriptor(sequence: u64, length: usize) -> Vec<u8> {
    format!("{sequence}:{length}").into_bytes()
}

/// One more than its sequence, for the time of a put.
fn put_second(descriptor: &[u8]) -> Option<NonZeroU32> {
    let text = std::str::from_utf8(descriptor).ok()?;
    let (sequence, _) = text.split_once(':')?;
    NonZeroU32::new(sequence.parse::<u32>().ok()? + 1)
}

impl Engine {
    pub fn create(world: &World, settings: &Settings) -> Self {
        Storage::create(world, settings).unwrap();
        Self::open(world, settings).unwrap()
    }

    pub fn open(world: &World, settings: &Settings) -> Result<Self, OpenError> {
        let listener = Arc::new(Listener::default());
        let mut replay = Replay::default();
        let observer = Arc::clone(&listener) as Arc<dyn Observer>;
        let storage = Storage::open(world, settings, observer, &mut replay)?;
        let mut state = replay.state;
        state.next_sequence = state.next_sequence.max(state.messages.keys().max().map_or(0, |last| last + 1));
        for (sequence, kept) in &state.messages {
            storage.adopt(QUEUE, EntryToken(*sequence), kept.location);
        }
        Ok(Self {
            storage,
            state: Mutex::new(state),
            listener,
            journal: Mutex::new(None),
            lost: Mutex::default(),
            damaged: Mutex::new(replay.damaged),
            put_seconds: replay.put_seconds,
            snapshot_padding: AtomicUsize::new(0),
        })
    }

    /// Reserves as the engine does: makes room and tries again before it refuses.
    fn reserve(&self, wanted: u64, purpose: Purpose) -> Result<Reservation, OutOfSpace> {
        let again = |_| {
            let _ = self.storage.prepare();
            self.storage.reserve(wanted, purpose)
        };
        let at_last = |_| {
            let _ = self.checkpoint();
            let _ = self.storage.prepare();
            self.storage.reserve(wanted, purpose)
        };
        self.storage.reserve(wanted, purpose).or_else(again).or_else(at_last)
    }

    pub fn try_put(&self, length: usize, unit: Option<UnitId>) -> Result<(u64, Appended), OutOfSpace> {
        let wanted = reserved_for_put(20, length) + RESERVED_SMALL;
        let mut reservation = self.reserve(wanted, Purpose::Fill)?;
        let sequence = {
            let mut state = self.state.lock();
            state.next_sequence += 1;
            state.next_sequence
        };
        let whole = Bytes::from(body(sequence, length));
        let fragments = match length > INLINE_BODY_BYTES_MAX {
            true => self.storage.append_body(&whole, &mut reservation),
            false => Vec::new(),
        };
        let mut state = self.state.lock();
        let body = match fragments.is_empty() {
            true => Body::Inline(&whole),
            false => Body::Fragments { at: &fragments, length: length as u64 },
        };
        let descriptor = descriptor(sequence, length);
        let (head, token) = (head(sequence), EntryToken(sequence));
        let (appended, location) = match is_put_with_others(sequence) {
            false => {
                let record = Record::Put { unit, head, descriptor: &descriptor, body };
                let appended = self.storage.append(&record, Some(token), &mut reservation);
                (appended, Location::Log(appended.at))
            }
            true => {
                // A body that has no fragments has a beginning of its own.
                let (beginning, end) = match body {
                    Body::Inline(body) => (&body[..length / 3], Body::Inline(&body[length / 3..])),
                    Body::Fragments { .. } => (&[][..], body),
                };
                let mut writer = CopiesWriter::default();
                writer.add(&NewCopy { head: &head, descriptor: &descriptor, beginning, has_end: true });
                let content = writer.finish(end);
                let copies = Copies::read(&content).unwrap();
                let offset = copies.iter().next().unwrap().offset;
                let appended = self.storage.append_many(unit, &copies, &[token], &mut reservation);
                (appended, Location::Log(Lsn(appended.at.0 + offset)))
            }
        };
        if let Some(unit) = unit {
            state.first.entry(unit.counter).or_insert(appended.at);
            state.open.entry(unit.counter).or_default().push(Change::Put(sequence, location));
        }
        state.messages.insert(sequence, Kept { location, unit });
        self.note(&state);
        Ok((sequence, appended))
    }

    pub fn put(&self, length: usize) -> (u64, Appended) {
        self.try_put(length, None).unwrap()
    }

    /// Notes the state after a change.
    fn note(&self, state: &State) {
        if let Some(journal) = &mut *self.journal.lock() {
            journal.states.push((journal.disk.boundaries(), committed(state)));
        }
    }

    /// Acts as others do while a checkpoint runs: one message leaves the log, one the store.
    fn meanwhile(&self) {
        let chosen = {
            let mut journal = self.journal.lock();
            let Some(journal) = journal.as_mut() else { return };
            let gettable = self.gettable();
            let state = self.state.lock();
            let in_log = |sequence: &&u64| matches!(state.messages[*sequence].location, Location::Log(_));
            let (log, store): (Vec<_>, Vec<_>) = gettable.iter().partition(in_log);
            if log.is_empty() || store.is_empty() || !journal.random.percent(30) {
                return;
            }
            [*journal.random.pick(&log), *journal.random.pick(&store)]
        };
        for sequence in chosen {
            if self.storage.reserve(RESERVED_SMALL, Purpose::Drain).is_ok() {
                self.get(sequence, None);
            }
        }
    }

    pub fn begin(&self) -> UnitId {
        let mut state = self.state.lock();
        state.next_unit += 1;
        self.storage.unit(state.next_unit)
    }

    pub fn get(&self, sequence: u64, unit: Option<UnitId>) -> Appended {
        let mut reservation = self.reserve(RESERVED_SMALL, Purpose::Drain).unwrap();
        let mut state = self.state.lock();
        let record = Record::Get { unit, queue: QUEUE, sequence: Sequence(sequence) };
        let appended = self.storage.append(&record, None, &mut reservation);
        match unit {
            Some(unit) => {
                state.first.entry(unit.counter).or_insert(appended.at);
                state.open.entry(unit.counter).or_default().push(Change::Get(sequence));
                state.messages.get_mut(&sequence).unwrap().unit = Some(unit);
            }
            None => {
                let kept = state.messages.remove(&sequence).unwrap();
                self.storage.release(kept.location, appended.need);
            }
        }
        self.note(&state);
        appended
    }

    pub fn commit(&self, unit: UnitId) -> Appended {
        let mut reservation = self.reserve(RESERVED_SMALL, Purpose::Drain).unwrap();
        let mut state = self.state.lock();
        let changes = state.open.get(&unit.counter).cloned().unwrap_or_default();
        let first = state.first.get(&unit.counter).copied().unwrap_or_else(|| self.storage.appended());
        let record = Record::Commit { unit, records: changes.len() as u32, first, counterpart: None };
        let appended = self.storage.append(&record, None, &mut reservation);
        for change in changes {
            match change {
                Change::Put(sequence, _) => state.messages.get_mut(&sequence).unwrap().unit = None,
                Change::Get(sequence) => {
                    let kept = state.messages.remove(&sequence).unwrap();
                    self.storage.release(kept.location, appended.need);
                }
            }
        }
        state.open.remove(&unit.counter);
        state.first.remove(&unit.counter);
        self.note(&state);
        appended
    }

    pub fn force(&self) -> Lsn {
        while self.storage.durable().lsn() < self.storage.appended() && self.storage.failure().is_none() {
            self.storage.drive();
        }
        self.storage.durable().lsn()
    }

    pub fn checkpoint(&self) -> Result<(), storage::CheckpointError> {
        self.storage.checkpoint(self)
    }

    pub fn housekeeping(&self) {
        if self.storage.checkpoint_due() {
            self.checkpoint().unwrap();
        }
        if self.storage.prepare_due() {
            self.storage.prepare().unwrap();
        }
    }

    /// Messages that nobody holds.
    pub fn gettable(&self) -> Vec<u64> {
        let state = self.state.lock();
        state.messages.iter().filter(|(_, kept)| kept.unit.is_none()).map(|(sequence, _)| *sequence).collect()
    }

    /// True if the oldest unit of work holds too much of the log.
    pub fn too_old(&self) -> bool {
        let oldest = self.state.lock().first.values().min().copied();
        oldest.is_some_and(|oldest| oldest < self.storage.oldest_unit_allowed())
    }

    pub fn back_out(&self, unit: UnitId) {
        let mut reservation = self.reserve(RESERVED_SMALL, Purpose::Drain).unwrap();
        let mut state = self.state.lock();
        self.storage.append(&Record::Backout { unit, returned: &[] }, None, &mut reservation);
        for change in state.open.remove(&unit.counter).unwrap_or_default() {
            match change {
                Change::Put(sequence, _) => drop(state.messages.remove(&sequence)),
                Change::Get(sequence) => state.messages.get_mut(&sequence).unwrap().unit = None,
            }
        }
        state.first.remove(&unit.counter);
    }

    /// Sequences of the committed messages.
    pub fn visible(&self) -> BTreeSet<u64> {
        self.state.lock().messages.keys().copied().collect()
    }

    /// Reads every message and compares it with what was put.
    pub fn verify(&self) {
        let messages = self.state.lock().messages.clone();
        for (sequence, kept) in messages {
            self.verify_one(sequence, kept.location);
        }
    }

    /// Compares what is at a location, unless the message moved on.
    pub fn verify_found(&self, sequence: u64, location: Location) {
        self.compare(sequence, self.storage.read(location));
    }

    fn compare(&self, sequence: u64, found: Result<StoredMessage, ReadError>) {
        let found = match found {
            Err(ReadError::Moved(_)) => return,
            other => other.unwrap_or_else(|error| panic!("{sequence}: {error}")),
        };
        let text = String::from_utf8(found.descriptor.to_vec()).unwrap();
        let length: usize = text.strip_prefix(&format!("{sequence}:")).unwrap().parse().unwrap();
        assert_eq!(found.body, body(sequence, length), "the body of {sequence}");
    }

    pub fn verify_one(&self, sequence: u64, location: Location) {
        let found = self.storage.read(location);
        assert!(!matches!(found, Err(ReadError::Moved(_))), "{sequence} moved from {location:?}");
        self.compare(sequence, found);
    }
}

impl Checkpointed for Engine {
    fn is_live(&self, queue: ObjectId, entry: EntryToken, at: Location) -> bool {
        assert_eq!(queue, QUEUE);
        let state = self.state.lock();
        let put_is_open = state.open.values().flatten().any(|change| change.is_put_of(entry.0));
        !put_is_open && state.messages.get(&entry.0).is_some_and(|kept| kept.location == at)
    }

    fn relocate(&self, _: ObjectId, entry: EntryToken, from: Location, to: Location) -> bool {
        self.meanwhile();
        let mut state = self.state.lock();
        match state.messages.get_mut(&entry.0) {
            Some(kept) if kept.location == from => {
                kept.location = to;
                true
            }
            _ => false,
        }
    }

    fn recall(&self, queue: ObjectId, entry: EntryToken, at: Location) -> Option<Recalled> {
        let is_live = self.is_live(queue, entry, at);
        is_live.then(|| Recalled { head: head(entry.0), body_length: 0, message: None })
    }

    fn lost(&self, _: ObjectId, entry: EntryToken, at: Location, reason: &str) {
        assert_eq!(self.state.lock().messages[&entry.0].location, at);
        self.lost.lock().insert(entry.0, reason.to_owned());
    }

    fn put_second(&self, descriptor: &[u8]) -> Option<NonZeroU32> {
        put_second(descriptor)
    }

    fn oldest_unit(&self) -> Option<Lsn> {
        self.state.lock().first.values().min().copied()
    }

    fn snapshot(&self) -> (Bytes, Lsn) {
        let snapshot = {
            let state = self.state.lock();
            let mut bytes = state.next_sequence.to_le_bytes().to_vec();
            bytes.resize(bytes.len() + self.snapshot_padding.load(Ordering::Relaxed), 0);
            (Bytes::from(bytes), self.storage.appended())
        };
        self.meanwhile();
        snapshot
    }
}

/// The messages that would be there if the queue manager stopped now.
pub fn committed(state: &State) -> BTreeSet<u64> {
    let put_in_open_unit =
        |sequence: &u64| state.open.values().flatten().any(|change| change.is_put_of(*sequence));
    state.messages.keys().copied().filter(|sequence| !put_in_open_unit(sequence)).collect()
}

/// Content that a restart showed.
#[derive(Default)]
struct Replay {
    state: State,
    units: BTreeMap<UnitId, (u32, Vec<Change>)>,
    replay_from: Lsn,
    damaged: BTreeSet<u64>,
    put_seconds: BTreeMap<u64, Option<NonZeroU32>>,
}

impl Restarted for Replay {
    fn begin(&mut self, recovered: &Recovered) -> Result<(), OpenError> {
        self.replay_from = recovered.replay_from;
        if let Some(snapshot) = &recovered.snapshot {
            self.state.next_sequence = u64::from_le_bytes(snapshot[..8].try_into().unwrap());
        }
        Ok(())
    }

    fn stored(&mut self, stored: &StoredHead) {
        let kept = Kept { location: stored.location, unit: None };
        assert_eq!(head(stored.head.sequence.0), stored.head);
        self.put_seconds.insert(stored.head.sequence.0, stored.put_second);
        self.state.messages.insert(stored.head.sequence.0, kept);
    }

    fn logged(&mut self, logged: LoggedRecord<'_>) -> Result<(), OpenError> {
        let change = match &logged.record {
            Record::Put { unit, head, .. } => (*unit, Change::Put(head.sequence.0, Location::Log(logged.at))),
            Record::PutMany { unit, copies } => {
                assert_eq!(copies.count(), 1, "these tests put one message at a time");
                let copy = copies.iter().next().unwrap();
                let location = Location::Log(Lsn(logged.at.0 + copy.offset));
                (*unit, Change::Put(copy.head.sequence.0, location))
            }
            Record::Get { unit, sequence, .. } => (*unit, Change::Get(sequence.0)),
            Record::Backout { unit, .. } => {
                self.units.remove(unit);
                return Ok(());
            }
            Record::Commit { unit, records, first, .. } => {
                let (count, changes) = self.units.remove(unit).unwrap_or_default();
                if *first >= self.replay_from {
                    assert_eq!(*records, count, "the unit {unit:?} is whole");
                }
                changes.into_iter().for_each(|change| apply(&mut self.state, change));
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let (true, (_, Change::Put(sequence, _))) = (logged.is_damaged, change) {
            self.damaged.insert(sequence);
        }
        match change {
            (None, change) => apply(&mut self.state, change),
            (Some(unit), change) => {
                let entry = self.units.entry(unit).or_default();
                entry.0 += 1;
                entry.1.push(change);
            }
        }
        Ok(())
    }
}

fn apply(state: &mut State, change: Change) {
    match change {
        Change::Put(sequence, location) => {
            state.messages.entry(sequence).or_insert(Kept { location, unit: None });
            state.next_sequence = state.next_sequence.max(sequence);
        }
        Change::Get(sequence) => {
            state.messages.remove(&sequence);
        }
    }
}

/// An extent of a queue manager as it would be elsewhere in its log.
pub fn extent_at(disk: &SimulatedDisk, first: u64) -> Vec<u8> {
    let files = disk.files();
    let (path, _) = files.iter().find(|(path, _)| path.starts_with("log")).expect("it has one");
    let mut content = disk.content(path).unwrap();
    content[32..40].copy_from_slice(&first.to_le_bytes());
    reseal(&mut content[..48]);
    content
}

/// Makes the checksum right that all files have in one place.
pub fn reseal(header: &mut [u8]) {
    let sum = crc32c::crc32c_append(crc32c::crc32c(&header[..12]), &header[16..]);
    header[12..16].copy_from_slice(&sum.to_le_bytes());
}

/// A queue manager with a few messages in log and store, at rest.
pub fn at_rest() -> (Machine, BTreeSet<u64>) {
    let machine = Machine::new(9);
    machine.disk.keep_versions();
    let engine = Engine::create(&machine.world(), &tiny());
    for turn in 0..400 {
        engine.put(5000);
        engine.force();
        if turn % 40 == 39 {
            engine.checkpoint().unwrap();
            engine.storage.prepare().unwrap();
        }
    }
    let (visible, extents) = (engine.visible(), engine.storage.statistics().extents as usize);
    drop(engine);
    // One that lies ready to be used again would do for the older manifest.
    let logs = logs(&machine);
    for left in &logs[..logs.len() - extents] {
        machine.world().disk.remove(left).unwrap();
    }
    (machine, visible)
}

/// The extents of the log, in their order.
pub fn logs(machine: &Machine) -> Vec<PathBuf> {
    let paths = machine.disk.files().into_iter().map(|(path, _)| path);
    paths.filter(|path| path.starts_with("log")).collect()
}

/// Where an extent begins, as its name says.
pub fn position(extent: &Path) -> u64 {
    u64::from_str_radix(extent.file_stem().unwrap().to_str().unwrap(), 16).unwrap()
}
