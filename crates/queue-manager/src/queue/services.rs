//! The rest of the queue manager, as queues call it.
//!
//! Lives here: [`Services`]. Lives elsewhere: the engine, which provides them (`engine`).

use std::ops::Deref;
use std::sync::Arc;

use mqi::{ObjectDescriptor, Reason};

use objects::Trigger;
use storage::{Lsn, ObjectId, Purpose, Reservation};

use super::Queue;
use super::handing::Handed;
use super::waiters::Ticket;
use crate::counters::collecting::Collecting;
use crate::gate::Outcome;
use crate::ground::Ground;
use crate::hand_over::HandOver;
use crate::message::Payload;
use crate::message::report::Report;
use crate::queue::due::Due;
use crate::queue::party::Party;
use crate::unit_of_work::Unit;
use crate::unit_of_work::choice::Whose;
use crate::unit_of_work::registry::Registry;

/// Services of the queue manager for its queues, on its ground. Those that report or put are called without a
/// queue's lock; the others may be called under it.
pub(crate) trait Services: Deref<Target = Ground> + Sized + 'static {
    fn units(&self) -> &Registry;
    fn collecting(&self) -> &Collecting;

    /// Room in the log, or the reason a caller is told when there is none.
    fn reserve(&self, bytes: u64, purpose: Purpose) -> Result<Reservation, Reason>;
    /// Room for the record of a get, unless others wait for it already.
    fn room_for_get(&self, wanted: u64) -> Result<Reservation, Reason>;
    /// Room for the trigger message that the commit of a put makes; none when it does not last.
    fn reserve_for_trigger(&self, queue: &Queue) -> Result<Option<Reservation>, Reason>;
    /// True when trigger messages by these settings outlive a restart.
    fn has_lasting_triggers(&self, trigger: &Trigger) -> bool;
    /// Notes a get that waits for room.
    fn park(&self, queue: Arc<Queue>, ticket: Ticket, wanted: u64);

    /// Leaves work for a thread that may block.
    fn leave_job(&self, work: impl FnOnce(&Self) + Send + 'static);
    /// Begins to hand a message from one party to another without the log.
    fn hand_over(&self, parties: (&Arc<Party>, &Arc<Party>), handed: Handed) -> Arc<HandOver>;
    /// A queue is gone.
    fn forget_queue(&self, id: ObjectId);

    /// Tells of consequences. The caller tells what led to them when the log is durable to the position.
    fn report(&self, due: Vec<Due>) -> Lsn;
    /// Reports messages that expired, which `unit` has taken off their queue, and ends it.
    fn report_expired(&self, expired: Vec<Arc<Payload>>, unit: Box<Unit>, room: Option<Reservation>);
    /// Puts a message of the queue manager's own that its queue refused on the dead-letter queue.
    fn keep_dead(
        &self,
        report: Report,
        refusal: Reason,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason>;
    /// Puts a message of the queue manager's own.
    fn put_report(
        &self,
        report: &Report,
        to: &ObjectDescriptor,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason>;
    /// Ends a unit of work of the queue manager's own; that of a connection goes on.
    fn commit_own(&self, whose: Whose) -> Outcome<()>;
    /// Undoes a unit of work of the queue manager's own.
    fn back_out_own(&self, whose: Whose);
}
