//! The catalogue on the real log: every promised change is there after power was lost, and the catalogue is
//! as it was at some moment after the last promise.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use bytes::Bytes;
use mqi::constants::MQIA_MAX_Q_DEPTH;
use objects::{Definition, ObjectType, Value};
use platform::World;
use platform::simulated::{CrashPolicy, Machine, Random};
use storage::{
    Checkpointed, Durable, EntryToken, Fatal, Location, LoggedRecord, Lsn, ObjectId, Observer, OpenError,
    Record, Recovered, Restarted, Settings, Storage, StoredHead,
};

use super::testing::{NOW, limits, manager_name, snapshot, unbounded};
use super::*;

struct Queue;

impl LocalQueue for Queue {
    fn attributes_changed(&self, _current: &Current) {}
}

struct Nobody;

impl Observer for Nobody {
    fn log_has_work(&self) {}
    fn durable(&self, _durable: Durable) {}
    fn slow_io(&self, _operation: &str, _bytes: usize, _micros: u64) {}
    fn failed(&self, _failure: &Fatal) {}
}

/// A queue manager that has nothing but its catalogue.
struct Manager {
    storage: Storage,
    catalogue: Catalogue<Queue>,
}

fn settings() -> Settings {
    Settings { extent_bytes: 1 << 20, primary_extents: 2, secondary_extents: 1, ..Settings::default() }
}

impl Restarted for Restored {
    fn begin(&mut self, recovered: &Recovered) -> Result<(), OpenError> {
        if let Some(snapshot) = &recovered.snapshot {
            *self = Self::from_snapshot(manager_name(), snapshot).unwrap();
        }
        Ok(())
    }

    fn stored(&mut self, _stored: &StoredHead) {}

    fn logged(&mut self, logged: LoggedRecord<'_>) -> Result<(), OpenError> {
        match logged.record {
            Record::Define { object, definition } => {
                self.define(object, definition).unwrap();
            }
            Record::Delete { object } => self.delete(object),
            _ => {}
        }
        Ok(())
    }
}

impl Manager {
    fn open(world: &World) -> Result<Self, OpenError> {
        let mut restored = Restored::empty(manager_name());
        let storage = Storage::open(world, &settings(), Arc::new(Nobody), &mut restored)?;
        let is_complete = restored.is_complete();
        let catalogue =
            Catalogue::new(restored, Arc::new(storage.clone()), unbounded(), limits(), |_, _| Queue);
        if !is_complete {
            catalogue.complete(NOW, |_, _| Queue).unwrap();
        }
        Ok(Self { storage, catalogue })
    }

    fn contents(&self) -> BTreeMap<ObjectId, Definition> {
        let objects = self.catalogue.all().into_iter();
        let mut contents: BTreeMap<ObjectId, Definition> =
            objects.map(|object| (object.id(), object.current().definition.clone())).collect();
        contents.insert(self.catalogue.manager_id, self.catalogue.manager().definition.clone());
        contents
    }

    /// Makes one change; returns the position that must be durable before the outside may learn of it.
    fn change(&self, random: &mut Random) -> Lsn {
        let name: ObjectName = format!("Q{}", random.below(8)).parse().unwrap();
        let object_type = *random.pick(&[ObjectType::LocalQueue, ObjectType::AliasQueue]);
        match random.below(4) {
            0 | 1 => self
                .catalogue
                .define(
                    Definition::new(object_type, name, NOW),
                    Existing::Replace,
                    Lifetime::Logged,
                    |_, _| Queue,
                )
                .map_or(Lsn::ZERO, |changed| changed.need),
            2 => self
                .catalogue
                .alter(&name, Some(ObjectType::LocalQueue), |definition| {
                    let row = objects::attributes::by_selector(ObjectType::LocalQueue, MQIA_MAX_Q_DEPTH);
                    Ok(definition.set(row.unwrap(), Value::Integer(random.below(1_000) as i32))?)
                })
                .map_or(Lsn::ZERO, |changed| changed.need),
            _ => self
                .catalogue
                .remove::<()>(&name, None, |_, log| {
                    log();
                    Ok(())
                })
                .unwrap_or(Lsn::ZERO),
        }
    }
}

impl Checkpointed for Manager {
    fn is_live(&self, _queue: ObjectId, _entry: EntryToken, _at: Location) -> bool {
        false
    }

    fn relocate(&self, _queue: ObjectId, _entry: EntryToken, _from: Location, _to: Location) -> bool {
        false
    }

    fn recall(&self, _queue: ObjectId, _entry: EntryToken, _at: Location) -> Option<storage::Recalled> {
        None
    }

    fn lost(&self, _queue: ObjectId, _entry: EntryToken, _at: Location, _reason: &str) {}

    fn put_second(&self, _descriptor: &[u8]) -> Option<NonZeroU32> {
        None
    }

    fn oldest_unit(&self) -> Option<Lsn> {
        None
    }

    fn snapshot(&self) -> (Bytes, Lsn) {
        let position = self.storage.appended();
        (Bytes::from(snapshot(&self.catalogue)), position)
    }
}

/// Several lives of one queue manager, each ended by a loss of power.
fn live(seed: u64) {
    let mut random = Random::new(seed);
    let mut machine = Machine::new(seed);
    Storage::create(&machine.world(), &settings()).unwrap();
    let mut used = 0;
    for life in 0..3 {
        let manager = Manager::open(&machine.world()).unwrap();
        // The states in their order, each with the position from which on it may be told.
        let mut history = vec![(Lsn::ZERO, manager.contents())];
        for _ in 0..random.below(60) {
            let need = manager.change(&mut random);
            if need > Lsn::ZERO {
                history.push((need, manager.contents()));
            }
            if random.percent(20) {
                manager.storage.drive();
            }
            if random.percent(5) {
                manager.storage.checkpoint(&manager).unwrap();
            }
        }
        // What making the queue manager appended may be lost too, in its first life.
        let durable = manager.storage.durable().lsn();
        let promised = history.iter().rposition(|(need, _)| *need > Lsn::ZERO && *need <= durable);
        let policy = CrashPolicy::random(&mut random);
        let disk = machine.disk.crash(&mut random, policy);
        drop(manager);
        machine = Machine::with_disk(disk, seed + life);

        let again = Manager::open(&machine.world()).unwrap();
        let found = again.contents();
        let promised = promised.unwrap_or(0);
        let is_later_state = history[promised..].iter().any(|(_, contents)| *contents == found);
        assert!(is_later_state || (life == 0 && promised == 0), "seed {seed}, life {life}: {found:?}");
        for object in again.catalogue.all() {
            assert!(object.id().0 < again.catalogue.changes.lock().next_id.0, "seed {seed}");
        }
        used = used.max(again.catalogue.changes.lock().next_id.0);
        again.storage.drive();
    }
    assert!(used > system_definitions(NOW).len() as u64, "seed {seed}");
}

#[test]
fn definitions_that_were_promised_survive_any_loss_of_power() {
    (0..50).for_each(live);
}
