//! Units of work: what was put and got, and stands or falls together.
//!
//! Lives here: one unit. Lives elsewhere: the units that have names (`registry`), the place in a
//! connection that holds one (`slot`), how one ends (`commit`, `backout`), those that wait for a decision
//! (`prepared`), are told of when they wait long (`waiting`), those that a person decided (`by_hand`),
//! branches of transactions (`branches`), puts that have one record together (`gathering`).
//!
//! Always: operations are added under the queue's lock and then the unit's; the end takes all of them at
//! once, so a hand-off that comes later belongs to the next unit; once a connection ended, nothing is added.

mod backout;
pub mod branch;
pub mod branches;
pub(crate) mod by_hand;
pub mod choice;
mod commit;
pub mod gathering;
mod late_branch;
pub mod prepared;
pub(crate) mod registry;
pub mod slot;
pub mod to_retain;
pub mod waiting;

use std::sync::{Arc, Weak};

use mqi::{ObjectName, Reason};
use platform::WallTime;
use storage::record::{RESERVED_END, RESERVED_END_EACH, RESERVED_SMALL};
use storage::{Lsn, Reservation, UnitId};

use crate::queue::Queue;
use crate::queue::entry::Slot;
use crate::queues::Queues;
pub use commit::Stood;
use gathering::Gathered;
use slot::UnitSlot;
use to_retain::ToRetain;

/// Room for the record that prepares a unit, and for the end of one of which nothing was logged before.
pub const RESERVED_TO_PREPARE: u64 = RESERVED_SMALL + RESERVED_END;

/// Effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A message was put.
    Put,
    /// A put that makes a trigger message due when the unit ends.
    PutAndTrigger,
    /// A message was got.
    Got,
}

/// One operation of a unit of work.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The queue.
    pub queue: Arc<Queue>,
    /// The slot of the message there.
    pub slot: Slot,
    /// The sequence number of the message there.
    pub sequence: u64,
    /// The change.
    pub effect: Effect,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Standing {
    #[default]
    Open,
    /// Backed out by the queue manager; its application does not know yet.
    BackedOut,
    /// Its connection ended.
    Ended,
}

/// The records of a unit in the log.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) name: UnitId,
    /// When it was named.
    since: WallTime,
    /// Position of the first record; absent until there is one.
    first: Option<Lsn>,
    /// Number of puts and gets in them.
    records: u32,
    /// Room for the records that end it.
    end: Reservation,
    /// Room for the trigger messages that its end makes.
    for_triggers: Option<Reservation>,
}

/// A unit of work, taken from its connection to be ended.
#[derive(Debug, Default)]
pub struct Work {
    /// Its operations in their order.
    pub operations: Vec<Operation>,
    trace: Option<Trace>,
    need: Lsn,
    /// Puts that are to be logged before it stands.
    gathered: Option<Box<Gathered>>,
    /// Publications that are retained when it stands.
    pub to_retain: ToRetain,
}

impl Work {
    /// A unit to which more is added before this ends: the same in the log.
    pub fn reopen(&mut self) -> Unit {
        Unit { trace: self.trace.take(), need: std::mem::take(&mut self.need), ..Unit::default() }
    }

    /// Takes the operations that were added to the unit it was reopened as, behind everything else.
    pub fn close(&mut self, unit: &mut Unit) {
        let Self { mut operations, trace, need, gathered: _, to_retain: _ } = unit.take();
        self.operations.append(&mut operations);
        (self.trace, self.need) = (trace, need);
    }
}

/// A unit of work, or the place for the next one.
#[derive(Debug, Default)]
pub struct Unit {
    /// Where it is; absent for one of the queue manager's own, which is part of a call.
    slot: Weak<UnitSlot>,
    /// Its operations in their order.
    pub operations: Vec<Operation>,
    trace: Option<Trace>,
    /// When its first operation was added.
    began: Option<WallTime>,
    /// The need of everything observed in it.
    need: Lsn,
    /// Puts of a unit of the queue manager's own that its end logs together.
    pub(crate) gathered: Option<Box<Gathered>>,
    /// Publications that it retains.
    pub to_retain: ToRetain,
    /// It is the batch of a message channel, whose length its ends have agreed on: MAXUMSGS counts what each
    /// message brings about, and not what all do.
    is_batch: bool,
    /// Room for the record that prepares it, of a unit that is to be prepared.
    to_prepare: Option<Box<Reservation>>,
    standing: Standing,
    /// Number of units of this connection that ended before.
    number: u64,
}

impl Unit {
    /// Checks that so many operations more may be added.
    pub(crate) fn admit(&self, more: usize, operations_max: usize) -> Result<(), Reason> {
        match self.standing {
            Standing::BackedOut => Err(Reason::BACKED_OUT),
            Standing::Ended => Err(Reason::CONNECTION_BROKEN),
            Standing::Open if self.counted() + more > operations_max => Err(Reason::SYNCPOINT_LIMIT_REACHED),
            Standing::Open => Ok(()),
        }
    }

    /// The operations that MAXUMSGS counts with the next ones.
    fn counted(&self) -> usize {
        if self.is_batch { 0 } else { self.operations.len() }
    }

    /// Keeps room for the record that prepares the unit.
    pub fn keep_to_prepare(&mut self, room: Reservation) {
        self.to_prepare = Some(Box::new(room));
    }

    /// The room that is kept for the record that prepares the unit.
    pub(crate) fn take_room_to_prepare(&mut self) -> Option<Reservation> {
        self.to_prepare.take().map(|room| *room)
    }

    /// True when such room is kept.
    pub fn is_to_be_prepared(&self) -> bool {
        self.to_prepare.is_some()
    }

    /// The name the unit has in the log; the first record gives it one, and sets room aside for the last out
    /// of `room`.
    pub fn begin(&mut self, queues: &Queues, room: &mut Reservation) -> UnitId {
        if let Some(trace) = &self.trace {
            return trace.name;
        }
        let end = room.split(RESERVED_END);
        let name = queues.units.open(&queues.ground.storage, self.slot.upgrade());
        let since = queues.ground.world.clock.wall();
        self.trace = Some(Trace { name, since, first: None, records: 0, end, for_triggers: None });
        name
    }

    /// Sets room aside out of `room` to say of one more message that it returned.
    pub(crate) fn widen_end(&mut self, room: &mut Reservation) {
        let trace = self.trace.as_mut().expect("a unit is named before it gets anything");
        trace.end.absorb(room.split(RESERVED_END_EACH));
    }

    /// Takes room for a trigger message that the end of the unit makes.
    pub(crate) fn keep_for_trigger(&mut self, room: Reservation) {
        let trace = self.trace.as_mut().expect("a unit is named before anything is kept for its end");
        match &mut trace.for_triggers {
            Some(kept) => kept.absorb(room),
            none => *none = Some(room),
        }
    }

    /// Takes bytes of the room that is kept for trigger messages; none when less is left.
    pub fn room_for_trigger(&mut self, bytes: u64) -> Option<Reservation> {
        let kept = self.trace.as_mut()?.for_triggers.as_mut().filter(|kept| kept.left() >= bytes)?;
        Some(kept.split(bytes))
    }

    /// A record of the unit was appended.
    pub(crate) fn logged(&mut self, at: Lsn) {
        let trace = self.trace.as_mut().expect("a unit is named before it is logged");
        trace.first.get_or_insert(at);
        trace.records += 1;
    }

    /// Adds a position that is not durable yet.
    pub fn observe(&mut self, need: Lsn) {
        self.need = self.need.max(need);
    }

    /// Adds an operation.
    pub(crate) fn add(&mut self, operation: Operation, now: WallTime) {
        self.began.get_or_insert(now);
        self.operations.push(operation);
    }

    /// Tells this unit from the others of its connection.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// When the unit began, if one is open.
    pub fn began(&self) -> Option<WallTime> {
        self.began
    }

    /// The queues of its operations by name, at most so many.
    pub fn queues(&self, most: usize) -> Vec<ObjectName> {
        let mut queues = std::collections::BTreeSet::new();
        // Programs work on one queue for a while: neighbours are alike.
        let mut last = None;
        for operation in &self.operations {
            if last != Some(operation.queue.name) {
                last = Some(operation.queue.name);
                queues.insert(operation.queue.name);
            }
        }
        queues.into_iter().take(most).collect()
    }

    /// The name it has in the log, if it is there.
    pub fn name(&self) -> Option<UnitId> {
        self.trace.as_ref().map(|trace| trace.name)
    }

    /// When it was first logged, if it was.
    pub fn logged_since(&self) -> Option<WallTime> {
        self.trace.as_ref().map(|trace| trace.since)
    }

    /// Takes everything to be ended; the next operation begins a new unit. The operations of a queue come
    /// together, each in its turn, so that a getter that waits there meets all of the unit.
    pub fn take(&mut self) -> Work {
        self.began = None;
        self.to_prepare = None;
        self.number += 1;
        let mut operations = std::mem::take(&mut self.operations);
        operations.sort_by_key(|operation| operation.queue.id);
        Work {
            operations,
            trace: self.trace.take(),
            need: std::mem::take(&mut self.need),
            gathered: self.gathered.take(),
            to_retain: std::mem::take(&mut self.to_retain),
        }
    }

    /// Takes everything, for a connection that ends.
    pub fn end(&mut self) -> Work {
        self.standing = Standing::Ended;
        self.take()
    }

    /// Takes everything of a unit that the queue manager backs out by itself, if it is still the current one.
    pub fn revoke(&mut self, counter: u64) -> Option<Work> {
        self.trace.as_ref().filter(|trace| trace.name.counter == counter)?;
        if self.standing == Standing::Open {
            self.standing = Standing::BackedOut;
        }
        Some(self.take())
    }

    /// True unless it was backed out or ended underneath, and its program has yet to be told.
    pub fn is_open(&self) -> bool {
        self.standing == Standing::Open
    }

    /// Takes everything of a unit that an administrator backs out, if one is open.
    pub fn withdraw(&mut self) -> Option<Work> {
        self.began?;
        if self.standing == Standing::Open {
            self.standing = Standing::BackedOut;
        }
        Some(self.take())
    }

    /// Takes everything of a unit that must be backed out, and admits nothing more, whether or not one is
    /// open.
    pub(crate) fn doom(&mut self) -> Work {
        if self.standing == Standing::Open {
            self.standing = Standing::BackedOut;
        }
        self.take()
    }

    /// Returns its trace in the log, while it is still the unit with this number and named there.
    fn trace_of(&mut self, number: u64) -> Option<&mut Trace> {
        self.trace.as_mut().filter(|_| self.number == number)
    }

    /// Where its first record is in the log, if it has one.
    pub fn position(&self) -> Option<Lsn> {
        self.trace.as_ref().and_then(|trace| trace.first)
    }

    /// Refuses once, if the application is still to learn that its unit was backed out; it learns it now.
    pub fn acknowledge(&mut self) -> Result<(), Reason> {
        match self.standing {
            Standing::Open => Ok(()),
            Standing::Ended => Err(Reason::CONNECTION_BROKEN),
            Standing::BackedOut => {
                self.standing = Standing::Open;
                Err(Reason::BACKED_OUT)
            }
        }
    }
}
