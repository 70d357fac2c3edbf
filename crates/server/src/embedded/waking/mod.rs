//! Waking the threads of the program whose waits are over.
//!
//! Waking a thread is a system call that takes longer than all the rest of a copy of a publication, and the
//! publisher would make it under the lock of the queue. So a call wakes the first few itself and leaves the
//! others to a thread that does nothing else (0020).
//!
//! Always: an outcome is in its inbox before a wake-up for it is asked; threads that are left to be woken are
//! woken, in the order in which they were left, even at the end; each is left once, for any number of
//! outcomes meanwhile.

use std::cell::Cell;
use std::mem;
use std::sync::Arc;

use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};
use platform::{Monotonic, Parker};

use crate::host::marked;

/// Threads that a call wakes itself: an outcome for one, as a rule, is there without a detour.
const BY_ITSELF_MAX: u32 = 2;

/// Outside of calls a thread wakes all itself.
const ALL: u32 = u32::MAX;

thread_local! {
    /// Number that this thread still wakes itself.
    static BY_ITSELF: Cell<u32> = const { Cell::new(ALL) };
}

/// Holds while this thread runs a verb with a waiting caller.
pub(super) fn this_call_wakes_few() -> impl Drop {
    marked(&BY_ITSELF, BY_ITSELF_MAX, ALL)
}

/// A thread that sleeps until something has come for it.
#[derive(Debug, Default)]
pub(super) struct Sleeper {
    parker: Parker,
    /// True if it is left to be woken.
    is_left: AtomicBool,
}

impl Sleeper {
    /// Sleeps until it is woken, or the deadline; whether it was woken.
    pub(super) fn sleep(&self, deadline: Option<Monotonic>) -> bool {
        self.parker.park_until(deadline)
    }

    pub(super) fn wake(&self) {
        self.parker.unpark();
    }
}

/// Threads that are left to be woken, and the thread that wakes them.
#[derive(Debug, Default)]
pub(crate) struct Waking {
    left: Mutex<Left>,
    /// Sleeps in that thread.
    bell: Parker,
}

#[derive(Debug, Default)]
struct Left {
    sleepers: Vec<Arc<Sleeper>>,
    has_ended: bool,
}

impl Waking {
    /// Wakes a thread, or leaves it to be woken when the call of this thread has woken enough.
    pub(super) fn wake(&self, sleeper: &Arc<Sleeper>) {
        match BY_ITSELF.get() {
            0 => self.leave(sleeper),
            ALL => sleeper.wake(),
            more => {
                BY_ITSELF.set(more - 1);
                sleeper.wake();
            }
        }
    }

    /// Leaves a thread to be woken by the thread that does so; at the end there is none any more.
    fn leave(&self, sleeper: &Arc<Sleeper>) {
        if sleeper.is_left.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut left = self.left.lock();
        if left.has_ended {
            drop(left);
            return Self::wake_left(sleeper);
        }
        left.sleepers.push(Arc::clone(sleeper));
        // Beside others it was rung for the first of them.
        let is_first = left.sleepers.len() == 1;
        drop(left);
        if is_first {
            self.bell.unpark();
        }
    }

    /// Wakes one that was left. Outcomes from now on leave it again.
    fn wake_left(sleeper: &Sleeper) {
        sleeper.is_left.swap(false, Ordering::AcqRel);
        sleeper.wake();
    }

    /// Wakes the threads that are left to be woken, until the end.
    pub(crate) fn work(&self) {
        loop {
            let mut left = self.left.lock();
            let (sleepers, has_ended) = (mem::take(&mut left.sleepers), left.has_ended);
            drop(left);
            sleepers.iter().for_each(|sleeper| Self::wake_left(sleeper));
            match (sleepers.is_empty(), has_ended) {
                (true, true) => return,
                (true, false) => self.bell.park(),
                (false, _) => {}
            }
        }
    }

    /// Ends the leaving: from now on each call wakes all itself. Threads that are left are woken here if the
    /// waking thread was never there.
    pub(crate) fn end(&self) {
        let mut left = self.left.lock();
        left.has_ended = true;
        let sleepers = mem::take(&mut left.sleepers);
        drop(left);
        sleepers.iter().for_each(|sleeper| Self::wake_left(sleeper));
        self.bell.unpark();
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
#[cfg(test)]
mod tests;
