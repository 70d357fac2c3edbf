//! Rebuilding queues from the files that storage found.
//!
//! Always: replay is idempotent by (queue, sequence): a put of a known message and a get of an unknown one do
//! nothing. A unit of work stands when its commit is met; without one it falls, unless it is prepared.
//! Records that concern a queue that is not defined do nothing.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Weak};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use mqi::{ObjectName, QueueManagerName};
use objects::Trigger;
use objects::configuration::Configuration;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use platform::{Monotonic, WallTime, World};
use queues::clients::ClientCommits;
use queues::counters::collecting::Collecting;
use queues::ground::Ground;
use queues::ground::events;
use queues::ground::growth::{Growth, Ledger};
use queues::ground::host::Host;
use queues::ground::limits::Limits;
use queues::ground::memory::Memory;
use queues::ground::relay::Relay;
use queues::ground::settings::Settings;
use queues::ground::time::{NEVER, moment};
use queues::ground::turn::Turn;
use queues::message::encoding;
use queues::message::identifiers::Identifiers;
use queues::queue::Queue;
use queues::queue::arrived_before::BothClocks;
use queues::queue::durable::{self, Times};
use queues::state_objects::StateObjects;
use queues::unit_of_work::prepared::{Listed, Prepared, PreparedPurpose};
use queues::unit_of_work::{Effect, Operation};
use queues::{Queues, StartFindings};
use storage::copy;
use storage::record::{ChannelCommit, ClientCommit, Counterpart};
use storage::{
    KeptFound, Location, LoggedRecord, Lsn, MessageHead, ObjectId, OpenError, PutCopy, Record, Recovered,
    Restarted, Sequence, StateObject, Storage, StoredHead, UnitId,
};

use crate::authority::{Authority, Book, Door, Judge, Table};
use crate::broker::Broker;
use crate::catalogue::{Catalogue, DefinitionLog, Restored, fresh_definitions};
use crate::channel_seats::Seats;
use crate::checkpoint;
use crate::directory::Directory;
use crate::engine::Engine;
use crate::images::Images;
use crate::initiation_queues::InitiationQueues;
use crate::instances::Instances;
use crate::keeping::Returning;
use crate::message_channels::MessageChannels;

/// Why a queue manager does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its files could not be opened.
    #[error(transparent)]
    Storage(#[from] OpenError),
}

/// Opens the files and restores the durable state.
pub(crate) fn open(
    world: World,
    settings: Settings,
    host: Arc<dyn Host>,
    authority: Option<Arc<dyn Authority>>,
) -> Result<Arc<Engine>, StartError> {
    let mut replay = Replay::new(&world, settings.name);
    let observer = Arc::new(Relay::new(Arc::clone(&host), settings.storage.slow_io));
    let storage = Storage::open(&world, &settings.storage, observer, &mut replay)?;
    replay.drop_open_units();
    let kept = replay.take_kept(&storage, settings.memory_budget_bytes)?;
    let in_doubt = replay.hold_prepared()?;
    let Replay { restored, mut queues, clients, state_objects, records, .. } = replay;
    let restored = restored.expect("replay began");
    let is_complete = restored.is_complete();
    let hash_seed = world.entropy.next_u64();
    let ledger = Arc::new(Ledger::new(settings.growth, Arc::clone(&host)));
    records.makers().for_each(|maker| ledger.note(Growth::AuthorityRecords, maker));
    let book = Arc::new(Book::new(records));
    let log = Arc::new(DefinitionLog {
        storage: storage.clone(),
        book: Arc::clone(&book),
        ledger: Arc::clone(&ledger),
    });
    let mut made: HashMap<ObjectId, Arc<Queue>, FixedState> = HashMap::default();
    let now = world.clock.now();
    let limits = Arc::new(Limits::below(settings.uncommitted_messages_max));
    let catalogue = Catalogue::new(restored, log, Arc::clone(&ledger), Arc::clone(&limits), |id, current| {
        let queue = Queue::new(id, *current.definition.name(), current.attributes.clone(), (hash_seed, now));
        made.insert(id, Arc::clone(&queue));
        queue
    });
    let appended = storage.appended();
    let collecting = Arc::new(Collecting::new(Arc::clone(&world.clock)));
    let channel_seats = Arc::<Seats>::default();
    let message_channels = MessageChannels::new(&world, Arc::clone(&host), Arc::clone(&channel_seats));
    let instances = Arc::new(Instances::new(Arc::clone(&channel_seats)));
    let name = settings.name;
    let identifiers = Identifiers::new(&name, storage.epoch(), &*world.entropy);
    let started = moment(world.clock.wall());
    let engine = Arc::new_cyclic(|this: &Weak<Engine>| {
        let records: Weak<dyn Judge> = Weak::<Engine>::clone(this);
        let door = Door::new((authority, book), (records, Arc::clone(&host)), &world, name);
        let services = Weak::<Engine>::clone(this);
        let ground = Ground {
            memory: Memory::new(settings.memory_budget_bytes),
            settings,
            limits,
            world,
            host,
            storage,
            jobs: Default::default(),
            timers: Default::default(),
            quiescing: AtomicU8::new(0),
        };
        let found = StartFindings { queues: made, hash_seed, clients, state_objects, ledger, collecting };
        let queues = Queues::new(ground, found, services);
        let directory = Arc::new(Directory {
            queues: Arc::clone(&queues),
            name,
            door,
            catalogue,
            identifiers,
            initiation: InitiationQueues::default(),
            message_channels: Arc::clone(&message_channels),
        });
        Engine {
            this: Weak::clone(this),
            started,
            messages_found: AtomicU64::new(0),
            broker: Broker::new(Arc::clone(&directory)),
            directory,
            queues,
            channel_seats,
            message_channels,
            channel_rules: Default::default(),
            instances,
            conversations: Default::default(),
            command_rooms: Default::default(),
            uncounted: Default::default(),
            next_connection: AtomicU64::new(1),
            checkpointing: Turn::default(),
            checkpoint_failed: AtomicBool::new(false),
            short_since: AtomicU64::new(0),
            last_checkpoint: Mutex::new((now, appended)),
            images: Images::default(),
        }
    });
    engine.collect();
    let mut held = BTreeMap::new();
    for queue in engine.queues.all() {
        engine.directory.note_initiation(&queue);
        if let Some(recovered) = queues.remove(&queue.id) {
            held.insert(queue.id, queue.fill(&engine.queues, recovered));
        }
    }
    engine.directory.catalogue.ledger.measure(Growth::RetainedPublications, engine.broker.retained_count());
    engine.queues.count_by_hand();
    engine.queues.follow_quota(|| engine.directory.catalogue.manager().attributes.quota);
    for unit in in_doubt {
        let InDoubt { name, purpose, first, listed } = unit;
        let operation = |listed: &Listed| {
            let slot = *held.get(&listed.queue)?.get(&listed.sequence)?;
            let queue = engine.queues.find(listed.queue)?;
            let effect = if listed.is_got { Effect::Got } else { Effect::Put };
            Some(Operation { queue, slot, sequence: listed.sequence, effect })
        };
        let operations = listed.iter().filter_map(operation).collect();
        let lasts = |trigger: &Trigger| engine.directory.has_lasting_triggers(trigger);
        let unit = Prepared::found(&engine.queues, (name, purpose, first), operations, lasts);
        if let Some(maker) = unit.maker_of_branch() {
            engine.directory.catalogue.ledger.note(Growth::PreparedBranches, maker);
        }
        engine.queues.units.prepare(unit);
    }
    engine.directory.catalogue.ledger.begin();
    engine.broker.count_found_retained();
    let now = moment(engine.ground().world.clock.wall());
    let new_queue = |id, current: &_| engine.directory.new_queue(id, current);
    if is_complete {
        engine.directory.catalogue.gain(now, new_queue);
    } else {
        engine
            .directory
            .catalogue
            .complete(now, new_queue)
            .map_err(|error| OpenError::Other(format!("the system objects cannot be made: {error}")))?;
    }
    engine
        .complete_channel_rules()
        .map_err(|error| OpenError::Other(format!("a channel authentication record: {error}")))?;
    engine.stop_channels_again();
    engine.forget_kept(&kept)?;
    engine.broker.forget_orphans();
    engine.find_images();
    engine.make_room();
    engine.queues.finish_by_hand();
    let depths = engine.queues.all().into_iter().map(|queue| u64::from(queue.depth()));
    engine.messages_found.store(depths.sum(), Ordering::Relaxed);
    engine.tell_open_rules();
    for inserts in engine.above_settings() {
        engine.ground().host.event(&events::ATTRIBUTE_ABOVE_SETTING.with(inserts));
    }
    engine.directory.tell_start();
    Ok(engine)
}

/// Counts the messages of each queue as a restart on these files would find them, and changes nothing.
/// Messages that have expired count until a queue manager removes them; of units in doubt those that were put
/// count, those that were got do not.
///
/// # Errors
/// The cause that would keep a queue manager from starting on the files.
pub fn contents(world: &World, name: QueueManagerName) -> Result<BTreeMap<ObjectName, u64>, OpenError> {
    let mut replay = Replay::new(world, name);
    let mut kept: BTreeMap<ObjectId, u64> = BTreeMap::new();
    copy::show(&*world.disk, &mut replay, &mut |queue| *kept.entry(queue).or_default() += 1)?;
    replay.drop_open_units();
    replay.hold_prepared()?;
    let Replay { restored, queues, .. } = replay;
    let restored = restored.expect("replay began");
    let found = queues.iter().map(|(id, messages)| (*id, messages.depth())).chain(kept);
    let mut counts = BTreeMap::new();
    for (id, messages) in found {
        if let Some(definition) = restored.definition(id).filter(|_| messages > 0) {
            *counts.entry(*definition.name()).or_default() += messages;
        }
    }
    Ok(counts)
}

/// The definitions and authority records that a restart on these files would find; changes nothing.
///
/// # Errors
/// The cause that would keep a queue manager from starting on the files.
pub fn definitions(world: &World, name: QueueManagerName) -> Result<Configuration, OpenError> {
    let mut replay = Replay::new(world, name);
    copy::show(&*world.disk, &mut replay, &mut |_| ())?;
    let Replay { restored, records, .. } = replay;
    let restored = restored.expect("replay began");
    // One that never started: its first start makes what a new one has.
    let mut found = if restored.is_complete() { Configuration::default() } else { fresh_definitions() };
    let complete = restored.is_complete().then(|| restored.into_definitions());
    complete.into_iter().flatten().for_each(|definition| found.keep(definition));
    Book::new(records).rules().authorities().records().for_each(|record| found.keep_authority(record));
    Ok(found)
}

/// One operation of a unit of work that is not known to stand.
struct Pending {
    queue: ObjectId,
    sequence: Sequence,
    done: Done,
}

/// A put as the log or a segment has it.
struct FoundPut {
    head: MessageHead,
    location: Location,
    body_length: u64,
    put_second: Option<NonZeroU32>,
}

/// The effect of an operation of a unit.
enum Done {
    /// The message that comes in when the unit stands.
    Put(FoundPut),
    /// A put of a unit that was prepared at the checkpoint: the message is where the checkpoint left it.
    PutBefore,
    Got,
}

/// A unit that is prepared, as far as the log was read.
struct Promise {
    purpose: PreparedPurpose,
    first: Lsn,
    /// True when the checkpoint lists it: its records that are read again are known then.
    is_listed: bool,
}

/// A unit that stays prepared.
struct InDoubt {
    name: UnitId,
    purpose: PreparedPurpose,
    first: Lsn,
    listed: Vec<Listed>,
}

/// The state of the engine as far as the log was read.
struct Replay {
    name: QueueManagerName,
    now: Monotonic,
    wall: i64,
    from: Lsn,
    restored: Option<Restored>,
    queues: BTreeMap<ObjectId, durable::Recovered>,
    units: HashMap<UnitId, Vec<Pending>, FixedState>,
    clients: ClientCommits,
    state_objects: StateObjects,
    /// Authority records.
    records: Table,
    prepared: BTreeMap<UnitId, Promise>,
}

impl Replay {
    fn new(world: &World, name: QueueManagerName) -> Self {
        Self {
            name,
            now: world.clock.now(),
            wall: world.clock.wall().0,
            from: Lsn::ZERO,
            restored: None,
            queues: BTreeMap::new(),
            units: HashMap::default(),
            clients: ClientCommits::default(),
            state_objects: StateObjects::default(),
            records: Table::default(),
            prepared: BTreeMap::new(),
        }
    }

    fn take_snapshot(&mut self, snapshot: &mut Snapshot<'_>) -> Result<(), OpenError> {
        let [version] = snapshot.array()?;
        if !(1..=checkpoint::VERSION).contains(&version) {
            let known = checkpoint::VERSION;
            return Err(OpenError::Other(format!(
                "the checkpoint has format version {version}, this program reads versions 1 to {known}; start the queue \
                 manager with the release that wrote it, or a later one"
            )));
        }
        let length = snapshot.count()?;
        let catalogue = snapshot.take(length)?;
        let restored = Restored::from_snapshot(self.name, catalogue);
        self.restored = Some(restored.map_err(|error| OpenError::Other(error.to_string()))?);
        for _ in 0..snapshot.count()? {
            let instance = snapshot.array()?;
            let number = snapshot.number()?;
            self.clients.remember(ClientCommit { instance, number }, Lsn::ZERO);
        }
        for _ in 0..snapshot.count()? {
            let id = ObjectId(snapshot.number()?);
            let next_sequence = snapshot.number()?;
            if let Some(queue) = self.queue(id) {
                queue.begin_after(next_sequence);
            }
            for _ in 0..snapshot.count()? {
                let (sequence, count) = (snapshot.number()?, u32::from_le_bytes(snapshot.array()?));
                if let Some(queue) = self.queue(id) {
                    queue.expect_backout_count(sequence, count);
                }
            }
        }
        if version >= checkpoint::VERSION_WITH_PREPARED {
            self.take_state_objects(snapshot)?;
            self.take_prepared(snapshot)?;
        }
        Ok(())
    }

    fn take_state_objects(&mut self, snapshot: &mut Snapshot<'_>) -> Result<(), OpenError> {
        for _ in 0..snapshot.count()? {
            let id = ObjectId(snapshot.number()?);
            let length = snapshot.count()?;
            self.define_state(id, snapshot.take(length)?)?;
        }
        for _ in 0..snapshot.count()? {
            let (sync_object, batch) = (ObjectId(snapshot.number()?), snapshot.number()?);
            let (sequence, chain) = (u32::from_le_bytes(snapshot.array()?), snapshot.number()?);
            let confirmed = ChannelCommit { sync_object, chain, batch, sequence };
            self.state_objects.confirm(confirmed, Lsn::ZERO);
        }
        Ok(())
    }

    fn define_state(&mut self, id: ObjectId, definition: &[u8]) -> Result<(), OpenError> {
        let restored = self.restored.as_mut().expect("replay began");
        restored.note_identifier(id).map_err(|error| OpenError::Other(error.to_string()))?;
        let object = StateObject::decode(definition)
            .map_err(|error| OpenError::Other(format!("object {}: {error}", id.0)))?;
        match object {
            StateObject::Authority(record) => self.records.define(id, record),
            StateObject::Judging(since) => self.records.begin_judging(id, since),
            #[cfg(feature = "planted")]
            StateObject::Resolved(_) if storage::planted::is(storage::planted::Fault::HandLost) => {}
            StateObject::Sync(_) | StateObject::Resolved(_) => {
                self.state_objects.define(id, object, Lsn::ZERO);
            }
        }
        Ok(())
    }

    fn take_prepared(&mut self, snapshot: &mut Snapshot<'_>) -> Result<(), OpenError> {
        for _ in 0..snapshot.count()? {
            let name = UnitId { epoch: u32::from_le_bytes(snapshot.array()?), counter: snapshot.number()? };
            let first = Lsn(snapshot.number()?);
            let purpose = PreparedPurpose::decode(|length| snapshot.take(length))?;
            let mut work = Vec::new();
            for _ in 0..snapshot.count()? {
                let (queue, sequence) = (ObjectId(snapshot.number()?), Sequence(snapshot.number()?));
                let [kind] = snapshot.array()?;
                let done = if kind == 0 { Done::PutBefore } else { Done::Got };
                work.push(Pending { queue, sequence, done });
            }
            self.units.insert(name, work);
            self.prepared.insert(name, Promise { purpose, first, is_listed: true });
        }
        Ok(())
    }

    /// The operations of a unit, each once.
    fn take_work(&mut self, unit: UnitId) -> Vec<Pending> {
        let mut work = self.units.remove(&unit).unwrap_or_default();
        if self.prepared.get(&unit).is_some_and(|promise| promise.is_listed) {
            // Of a put that was listed and read again what was read counts.
            let rank =
                |pending: &Pending| (pending.queue, pending.sequence, matches!(pending.done, Done::Got));
            work.sort_by_key(|pending| (rank(pending), matches!(pending.done, Done::PutBefore)));
            work.dedup_by_key(|pending| rank(pending));
        }
        work
    }

    fn prepare(&mut self, unit: UnitId, promise: Promise, records: u32, at: Lsn) -> Result<(), OpenError> {
        let wrong = |what: String| {
            OpenError::Other(format!(
                "the record at {at} that prepares a unit of work {what}: the log is damaged; nothing was changed, restore \
             the log or a backup"
            ))
        };
        let first = promise.first;
        match self.prepared.get(&unit) {
            Some(before) if !before.is_listed => return Err(wrong("is the second of this unit".to_owned())),
            Some(_) => {}
            None => {
                self.prepared.insert(unit, promise);
            }
        }
        let work = self.take_work(unit);
        if first >= self.from && work.len() != records as usize {
            return Err(wrong(format!(
                "says {records} puts and gets and finds {} from {first} on",
                work.len()
            )));
        }
        self.units.insert(unit, work);
        Ok(())
    }

    /// Takes in the puts of prepared units, and holds those messages and the ones they got.
    fn hold_prepared(&mut self) -> Result<Vec<InDoubt>, OpenError> {
        let names: Vec<_> = self.prepared.keys().copied().collect();
        let mut all = Vec::with_capacity(names.len());
        for name in names {
            let work = self.take_work(name);
            let Some(Promise { purpose, first, .. }) = self.prepared.remove(&name) else { continue };
            let mut listed = Vec::with_capacity(work.len());
            for Pending { queue, sequence, done } in work {
                let is_got = matches!(done, Done::Got);
                if let Done::Put(put) = done {
                    self.put(&put);
                }
                let held = self.queue(queue).map(|messages| messages.hold(sequence.0, is_got));
                if held == Some(false) {
                    return Err(OpenError::Other(format!(
                        "the unit of work {}.{} is prepared and holds message {} of queue {}, which is neither in the \
                         log nor in the store; nothing was changed, restore a backup",
                        name.epoch, name.counter, sequence.0, queue.0
                    )));
                }
                listed.push(Listed { queue, sequence: sequence.0, is_got });
            }
            all.push(InDoubt { name, purpose, first, listed });
        }
        Ok(all)
    }

    /// An operation of a unit of work that was committed.
    fn stand(&mut self, pending: &Pending) {
        match &pending.done {
            Done::Put(put) => self.put(put),
            Done::PutBefore => {}
            Done::Got => self.remove(pending.queue, pending.sequence),
        }
    }

    /// Takes in a put, at once or when its unit of work stands.
    fn put_within(&mut self, unit: Option<UnitId>, put: FoundPut) {
        let Some(unit) = unit else { return self.put(&put) };
        let (queue, sequence) = (put.head.queue, put.head.sequence);
        self.units.entry(unit).or_default().push(Pending { queue, sequence, done: Done::Put(put) });
    }

    fn put(&mut self, put: &FoundPut) {
        let times = self.times(&put.head, put.put_second);
        if let Some(queue) = self.queue(put.head.queue) {
            queue.put(&put.head, put.location, put.body_length, times);
        }
    }

    /// Messages of which bodies cannot be read in the log, if they stay.
    fn note_damaged(&mut self, record: &Record<'_>) {
        let mut note = |head: &MessageHead| {
            if let Some(queue) = self.queue(head.queue) {
                queue.set_damaged(head.sequence.0);
            }
        };
        match record {
            Record::Put { head, .. } => note(head),
            Record::PutMany { copies, .. } => {
                copies.iter().filter(|copy| copy.is_damaged).for_each(|copy| note(&copy.head));
            }
            _ => {}
        }
    }

    fn remove(&mut self, queue: ObjectId, sequence: Sequence) {
        if let Some(queue) = self.queue(queue) {
            queue.remove(sequence.0);
        }
    }

    /// The messages of a queue that is defined.
    fn queue(&mut self, id: ObjectId) -> Option<&mut durable::Recovered> {
        self.restored.as_ref()?.definition(id)?;
        Some(self.queues.entry(id).or_default())
    }

    /// Units without a commit fall. Their sequences are not given again: a record of a later message with the
    /// same would be taken for theirs.
    fn drop_open_units(&mut self) {
        #[cfg(feature = "planted")]
        if storage::planted::is(storage::planted::Fault::PrepareForgotten) {
            self.prepared.clear();
        }
        #[cfg(feature = "planted")]
        self.keep_half_of_open_units();
        let prepared = &self.prepared;
        let open = self.units.extract_if(|unit, _| !prepared.contains_key(unit));
        let mut open: Vec<_> = open.flat_map(|(_, work)| work).collect();
        open.sort_unstable_by_key(|pending| (pending.queue, pending.sequence));
        for pending in open {
            if let Some(queue) = self.queue(pending.queue) {
                queue.begin_after(pending.sequence.0 + 1);
            }
        }
    }

    /// Messages that the last end kept without a log come back to their queues.
    fn take_kept(&mut self, storage: &Storage, memory_budget_bytes: u64) -> Result<KeptFound, OpenError> {
        let mut returning = Returning { storage, memory_left: memory_budget_bytes };
        let mut wrong = 0;
        let mut found = storage.read_kept(&mut |kept| {
            let times = self.times(&kept.head, encoding::put_second(&kept.message.descriptor));
            if let Some(queue) = self.queue(kept.head.queue) {
                let location = returning.place(&kept);
                wrong += u64::from(queue.put_kept(kept, location, times).is_err());
            }
        })?;
        if wrong > 0 {
            found.read -= wrong;
            found.damage.get_or_insert_with(|| format!("{wrong} have a descriptor of another release"));
        }
        Ok(found)
    }

    #[cfg(feature = "planted")]
    fn keep_half_of_open_units(&mut self) {
        if storage::planted::is(storage::planted::Fault::HalfUnit) {
            let half = |work: &mut Vec<Pending>| work.drain(..work.len().div_ceil(2)).collect::<Vec<_>>();
            let prepared = &self.prepared;
            let open = self.units.iter_mut().filter(|(unit, _)| !prepared.contains_key(unit));
            let kept: Vec<Pending> = open.map(|(_, work)| work).flat_map(half).collect();
            kept.iter().for_each(|pending| self.stand(pending));
        }
    }

    /// The times of a message in this run.
    fn times(&self, head: &MessageHead, put_second: Option<NonZeroU32>) -> Times {
        let clocks = BothClocks::new(self.now, WallTime(self.wall));
        Times { deadline: self.deadline(head), put_second: clocks.second_of_put(put_second) }
    }

    /// When a message expires in the time of this run.
    fn deadline(&self, head: &MessageHead) -> Monotonic {
        if head.expires_at == i64::MAX {
            return NEVER;
        }
        let left_micros = u64::try_from(head.expires_at.saturating_sub(self.wall)).unwrap_or(0);
        Monotonic(self.now.0.saturating_add(left_micros.saturating_mul(1000)).min(NEVER.0 - 1))
    }
}

impl Restarted for Replay {
    fn begin(&mut self, recovered: &Recovered) -> Result<(), OpenError> {
        self.from = recovered.replay_from;
        let Some(snapshot) = &recovered.snapshot else {
            self.restored = Some(Restored::empty(self.name));
            return Ok(());
        };
        self.take_snapshot(&mut Snapshot { rest: snapshot })
    }

    fn stored(&mut self, stored: &StoredHead) {
        let StoredHead { head, location, body_length, put_second, .. } = *stored;
        self.put(&FoundPut { head, location, body_length, put_second });
        if stored.is_damaged
            && let Some(queue) = self.queue(stored.head.queue)
        {
            queue.set_damaged(stored.head.sequence.0);
        }
    }

    fn logged(&mut self, logged: LoggedRecord<'_>) -> Result<(), OpenError> {
        let LoggedRecord { at, record, body_length, is_damaged } = logged;
        if is_damaged {
            self.note_damaged(&record);
        }
        match record {
            Record::Put { unit, head, descriptor, .. } => {
                let put_second = encoding::put_second(descriptor);
                self.put_within(
                    unit,
                    FoundPut { head, location: Location::Log(at), body_length, put_second },
                );
            }
            Record::PutMany { unit, copies } => {
                let mut latest: (&[u8], _) = (&[], None);
                for copy in copies.iter() {
                    let location = Location::Log(Lsn(at.0 + copy.offset));
                    let PutCopy { head, body_length, descriptor, .. } = copy;
                    // Copies of a kind have one descriptor.
                    if !std::ptr::eq(latest.0, descriptor) {
                        latest = (descriptor, encoding::put_second(descriptor));
                    }
                    let put_second = latest.1;
                    self.put_within(unit, FoundPut { head, location, body_length, put_second });
                }
            }
            Record::Get { unit: None, queue, sequence } => self.remove(queue, sequence),
            Record::Get { unit: Some(unit), queue, sequence } => {
                self.units.entry(unit).or_default().push(Pending { queue, sequence, done: Done::Got });
            }
            Record::Remove { queue, sequences } => {
                for sequence in sequences {
                    self.remove(queue, *sequence);
                }
            }
            Record::Commit { unit, records, first, counterpart } => {
                let work = self.take_work(unit);
                self.prepared.remove(&unit);
                if first >= self.from && work.len() != records as usize {
                    return Err(OpenError::Other(format!(
                        "the commit at {at} of a unit of work with {records} puts and gets finds {} of them from {first} \
                         on: the log is damaged; nothing was changed, restore the log or a backup",
                        work.len()
                    )));
                }
                work.iter().for_each(|pending| self.stand(pending));
                match counterpart {
                    Some(Counterpart::Client(client)) => self.clients.remember(client, Lsn::ZERO),
                    Some(Counterpart::Channel(channel)) => {
                        self.state_objects.confirm(channel, Lsn::ZERO);
                    }
                    None => {}
                }
            }
            Record::Prepare { unit, records, first, purpose } => {
                let purpose = PreparedPurpose::of_record(&purpose);
                self.prepare(unit, Promise { purpose, first, is_listed: false }, records, at)?;
            }
            Record::Backout { unit, returned } => {
                let work = self.take_work(unit);
                if self.prepared.remove(&unit).is_some() {
                    // A checkpoint may have moved what it put.
                    for pending in work.iter().filter(|pending| !matches!(pending.done, Done::Got)) {
                        self.remove(pending.queue, pending.sequence);
                    }
                }
                for (queue, sequence, count) in returned {
                    if let Some(queue) = self.queue(*queue) {
                        queue.set_backout_count(sequence.0, *count);
                    }
                }
            }
            Record::Define { object, definition } if StateObject::is_marked(definition) => {
                self.define_state(object, definition)?;
            }
            Record::Define { object, definition } => {
                let restored = self.restored.as_mut().expect("replay began");
                restored.define(object, definition).map_err(|error| OpenError::Other(error.to_string()))?;
            }
            Record::Delete { object } => {
                let restored = self.restored.as_mut().expect("replay began");
                if let Some(definition) = restored.definition(object) {
                    self.records.object_deleted(definition);
                }
                restored.delete(object);
                self.queues.remove(&object);
                self.state_objects.remove(object, Lsn::ZERO);
                self.records.remove(object);
            }
        }
        Ok(())
    }
}

/// Takes `bytes` for the snapshot of a checkpoint, and says whether they are one; for fuzzing.
pub(crate) fn decode_snapshot(bytes: &[u8]) -> bool {
    let mut replay = Replay {
        name: QueueManagerName::BLANK,
        now: Monotonic(0),
        wall: 0,
        from: Lsn::ZERO,
        restored: None,
        queues: BTreeMap::new(),
        units: HashMap::default(),
        clients: ClientCommits::default(),
        state_objects: StateObjects::default(),
        records: Table::default(),
        prepared: BTreeMap::new(),
    };
    replay.take_snapshot(&mut Snapshot { rest: bytes }).is_ok()
}

/// Reads the snapshot of a checkpoint.
struct Snapshot<'a> {
    rest: &'a [u8],
}

impl<'a> Snapshot<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], OpenError> {
        let cut =
            || OpenError::Other("the checkpoint of the engine is cut short; restore a backup".to_owned());
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(cut)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], OpenError> {
        let mut array = [0; LENGTH];
        array.copy_from_slice(self.take(LENGTH)?);
        Ok(array)
    }

    fn number(&mut self) -> Result<u64, OpenError> {
        self.array().map(u64::from_le_bytes)
    }

    fn count(&mut self) -> Result<usize, OpenError> {
        self.array().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }
}
