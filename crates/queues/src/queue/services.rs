//! The rest of the queue manager, as queues and units of work call it.
//!
//! Lives elsewhere: the engine, which provides them (`services`).

use mqi::{ObjectName, Reason};
use storage::{Lsn, Reservation};

use super::Queue;
use super::due::Due;
use crate::message::report::Report;
use crate::unit_of_work::Work;
use crate::unit_of_work::choice::Whose;

/// Calls out of the queues. None is on the way of a plain put or get, so they go through a table. Those that
/// report or put are called without a queue's lock; the others may be called under it.
pub trait Services: Send + Sync {
    /// Does what fell due. The caller tells what led to it when the log is durable to the position.
    fn report(&self, due: Vec<Due>) -> Lsn;

    /// Puts a message that programs fail on in a unit of work: on the backout queue, or else on the
    /// dead-letter queue. None when neither takes it.
    fn put_aside(&self, message: Report, backout_queue: Option<ObjectName>) -> Option<Whose>;

    /// Puts the trigger messages of type EVERY that a unit of work makes due into it, behind its other
    /// operations.
    fn put_triggers(&self, work: Work) -> Work;

    /// Room for the trigger message that the commit of a put makes; none when it does not last.
    fn reserve_for_trigger(&self, queue: &Queue) -> Result<Option<Reservation>, Reason>;

    /// Leaves a checkpoint, if one is due.
    fn leave_checkpoint(&self);

    /// Leaves a checkpoint for gets that wait for room, also when none is due.
    fn leave_checkpoint_for_parked(&self);
}
