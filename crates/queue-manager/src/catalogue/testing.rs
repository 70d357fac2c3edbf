//! A log in memory and a queue without messages, for tests of the catalogue and of commands.

use std::sync::Arc;

use mqi::QueueManagerName;
use objects::Moment;
use platform::sync::Mutex;
use queues::ground::growth::{GrowthBounds, Ledger};
use queues::ground::host::{Event, Host};
use queues::ground::limits::Limits;
use storage::{Fatal, Lsn, ObjectId, OutOfSpace, Purpose, Record};

use super::{Catalogue, LocalQueue, ObjectLog, Restored, Room};

/// Counts with the usual bounds, to which nobody listens.
pub(crate) fn unbounded() -> Arc<Ledger> {
    Arc::new(Ledger::new(GrowthBounds::default(), Arc::new(NoHost)))
}

/// A host of tests that it concerns in nothing.
pub(crate) struct NoHost;

impl Host for NoHost {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}
    fn event(&self, _: &Event) {}
    fn failed(&self, failure: &Fatal) {
        panic!("{failure}");
    }
}

/// Limits that no test looks at.
pub(crate) fn limits() -> Arc<Limits> {
    Arc::new(Limits::below(u32::MAX))
}

/// A record about an object: its definition, or none when it was deleted.
pub(crate) type Logged = (ObjectId, Option<Vec<u8>>);

/// A log in memory; each record moves its end by ten.
#[derive(Default)]
pub(crate) struct MemoryLog {
    pub(crate) records: Mutex<Vec<Logged>>,
    pub(crate) full: Mutex<bool>,
}

impl ObjectLog for MemoryLog {
    fn reserve(&self, record: &Record<'_>, purpose: Purpose) -> Result<Room, OutOfSpace> {
        if *self.full.lock() && purpose == Purpose::Fill {
            return Err(OutOfSpace {
                wanted: record.reserved_bytes(),
                reason: "the test says so".to_owned(),
            });
        }
        Ok(Room::default())
    }

    fn append(&self, record: &Record<'_>, _room: &mut Room) -> Lsn {
        let mut records = self.records.lock();
        records.push(match record {
            Record::Define { object, definition } => (*object, Some(definition.to_vec())),
            Record::Delete { object } => (*object, None),
            other => panic!("the catalogue logs no {other:?}"),
        });
        Lsn(records.len() as u64 * 10)
    }
}

pub(crate) const NOW: Moment = Moment(1_795_252_811);

pub(crate) fn manager_name() -> QueueManagerName {
    "QM1".parse().unwrap()
}

/// Adds the records to a restored catalogue.
pub(crate) fn replay(mut restored: Restored, records: &[Logged]) -> Restored {
    for (id, definition) in records {
        match definition {
            Some(definition) => {
                restored.define(*id, definition).unwrap();
            }
            None => restored.delete(*id),
        }
    }
    restored
}

/// The catalogue of a new queue manager with its system objects.
pub(crate) fn new_catalogue<Q: LocalQueue>(log: &Arc<MemoryLog>, make: impl Fn() -> Q) -> Catalogue<Q> {
    let restored = Restored::empty(manager_name());
    let catalogue = Catalogue::new(restored, log.clone(), unbounded(), limits(), |_, _| make());
    catalogue.complete(NOW, |_, _| make()).unwrap();
    catalogue
}

/// Returns the snapshot of the catalogue that a checkpoint keeps.
pub(crate) fn snapshot<Q: LocalQueue>(catalogue: &Catalogue<Q>) -> Vec<u8> {
    let mut bytes = Vec::new();
    catalogue.write_snapshot(&mut bytes);
    bytes
}
