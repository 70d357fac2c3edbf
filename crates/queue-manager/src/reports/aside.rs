//! Messages that programs fail on, put where they are out of the way.
//!
//! Lives elsewhere: taking them off their queue (`queue::aside`).

use mqi::{ObjectDescriptor, ObjectName, Reason};
use queues::message::report::Report;
use queues::unit_of_work::choice::Whose;

use crate::directory::Directory;

impl Directory {
    /// Puts a message in a unit of work of its own: on the backout queue of its queue, or else, with the name
    /// of its queue, on the dead-letter queue. None when neither takes it.
    pub(crate) fn put_aside(&self, message: Report, backout_queue: Option<ObjectName>) -> Option<Whose> {
        let mut whose = Whose::own();
        if let Some(name) = backout_queue {
            let to = ObjectDescriptor::queue(name);
            if self.put_report(&message, &to, &mut whose, &mut None).is_ok() {
                return Some(whose);
            }
            self.queues.back_out_own(whose);
            whose = Whose::own();
        }
        let refusal = Reason::BACKOUT_THRESHOLD_REACHED;
        match self.keep_dead(message, refusal, &mut whose, &mut None) {
            Ok(()) => Some(whose),
            Err(_) => {
                self.queues.back_out_own(whose);
                None
            }
        }
    }
}
