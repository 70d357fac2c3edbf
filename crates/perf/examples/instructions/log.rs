//! Records on their way into the log.

use std::hint::black_box;
use std::sync::Arc;

use platform::simulated::Machine;
use storage::record::Body;
use storage::{
    Durable, Fatal, LoggedRecord, MessageHead, ObjectId, Observer, OpenError, Purpose, Record, Recovered,
    Restarted, Sequence, Settings, Storage, StoredHead, reserved_for_put,
};

use super::MESSAGE_BYTES;

/// Records that one force takes along.
const GROUP: u64 = 16;

struct Nobody;

/// A new log has nothing to show.
impl Restarted for Nobody {
    fn begin(&mut self, _recovered: &Recovered) -> Result<(), OpenError> {
        Ok(())
    }

    fn stored(&mut self, _stored: &StoredHead) {}

    fn logged(&mut self, _record: LoggedRecord<'_>) -> Result<(), OpenError> {
        Ok(())
    }
}

impl Observer for Nobody {
    fn log_has_work(&self) {}
    fn durable(&self, _durable: Durable) {}
    fn slow_io(&self, _operation: &str, _bytes: usize, _micros: u64) {}
    fn failed(&self, failure: &Fatal) {
        panic!("the simulated disk does not fail: {failure}");
    }
}

/// The record of a put appended, with its share of a force of sixteen.
pub(super) fn append(count: u64) {
    let machine = Machine::new(1);
    let settings = Settings { primary_extents: 2, ..Settings::default() };
    Storage::create(&machine.world(), &settings).expect("it is created");
    let storage =
        Storage::open(&machine.world(), &settings, Arc::new(Nobody), &mut Nobody).expect("it opens");
    let (descriptor, body) = ([3; 120], vec![7; MESSAGE_BYTES]);
    for number in 0..count {
        let head = MessageHead {
            queue: ObjectId(7),
            sequence: Sequence(number),
            priority: 4,
            reports: 0,
            expires_at: i64::MAX,
            message_id: [1; 24],
            correlation_id: [2; 24],
            group_id: [0; 24],
            group: storage::GroupHead::default(),
            deliver_at: 0,
        };
        let record = Record::Put { unit: None, head, descriptor: &descriptor, body: Body::Inline(&body) };
        let room = reserved_for_put(descriptor.len(), body.len());
        let mut reservation = storage.reserve(room, Purpose::Fill).expect("the log has room");
        black_box(storage.append(&record, None, &mut reservation));
        if number % GROUP == GROUP - 1 {
            storage.drive();
        }
    }
}
