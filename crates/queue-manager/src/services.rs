//! The engine's services for its queues.

use mqi::{ObjectName, Reason};
use queues::message::report::Report;
use queues::queue::Queue;
use queues::queue::due::Due;
use queues::queue::services::Services;
use queues::unit_of_work::Work;
use queues::unit_of_work::choice::Whose;
use storage::{Lsn, Reservation};

use crate::engine::Engine;

impl Services for Engine {
    fn report(&self, due: Vec<Due>) -> Lsn {
        let done = due.into_iter().map(|due| match due {
            Due::Delivery(delivery) => self.directory.report_delivery(*delivery),
            Due::Trigger { queue, need } => self.directory.fire_trigger(&queue, need),
            Due::Performance { queue, what, need } => self.directory.tell_performance(&queue, what, need),
            Due::Expired(expired) => self.directory.report_expired(*expired),
        });
        done.max().unwrap_or(Lsn::ZERO)
    }

    fn put_aside(&self, message: Report, backout_queue: Option<ObjectName>) -> Option<Whose> {
        self.directory.put_aside(message, backout_queue)
    }

    fn put_triggers(&self, work: Work) -> Work {
        self.directory.put_triggers(work)
    }

    fn reserve_for_trigger(&self, queue: &Queue) -> Result<Option<Reservation>, Reason> {
        self.directory.reserve_for_trigger(queue)
    }

    fn leave_checkpoint(&self) {
        Self::leave_checkpoint(self, self.ground().now());
    }

    fn leave_checkpoint_for_parked(&self) {
        Self::leave_checkpoint_for_parked(self);
    }
}
