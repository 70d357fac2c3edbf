//! When housekeeping must look at which queue.
//!
//! A queue has at most one timer that counts; an earlier one replaces it, and the later finds nothing to do.

use std::collections::BTreeSet;

use platform::Monotonic;
use platform::sync::Mutex;
use storage::ObjectId;

use crate::ground::host::Host;

/// Timers of queues, soonest first.
#[derive(Debug, Default)]
pub struct Timers(Mutex<BTreeSet<(Monotonic, ObjectId)>>);

impl Timers {
    /// Asks for a look at a queue; tells the host when this is the next thing to do.
    pub(crate) fn want(&self, at: Monotonic, queue: ObjectId, host: &dyn Host) {
        let mut timers = self.0.lock();
        let is_next = timers.first().is_none_or(|(next, _)| at < *next);
        timers.insert((at, queue));
        drop(timers);
        if is_next {
            host.tick_wanted();
        }
    }

    /// A queue whose time has come.
    pub fn take_due(&self, now: Monotonic) -> Option<ObjectId> {
        let mut timers = self.0.lock();
        let (at, _) = timers.first()?;
        if *at > now {
            return None;
        }
        timers.pop_first().map(|(_, queue)| queue)
    }

    /// When the next look is due.
    pub fn next(&self) -> Option<Monotonic> {
        self.0.lock().first().map(|(at, _)| *at)
    }
}
