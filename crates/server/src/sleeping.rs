//! Threads that work when their bell rings, until the end.
//!
//! Always: the end is said before a bell rings for it, and asked for after every sleep. A bell may ring for the end while its thread
//! waits for something else: then it does not ring again.

use platform::sync::atomic::{AtomicBool, Ordering};
use platform::{Monotonic, Parker};

/// The end of threads, said once.
#[derive(Debug, Default)]
pub(crate) struct End {
    has_come: AtomicBool,
}

/// What a thread does after a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    /// It takes the next.
    GoesOn,
    /// It sleeps until its bell rings, or this moment.
    SleepsUntil(Monotonic),
    /// It sleeps until its bell rings.
    Sleeps,
}

impl End {
    pub(crate) fn has_come(&self) -> bool {
        self.has_come.load(Ordering::Acquire)
    }

    /// Says it, and rings these bells.
    pub(crate) fn come(&self, bells: &[&Parker]) {
        self.has_come.store(true, Ordering::Release);
        bells.iter().for_each(|bell| bell.unpark());
    }

    /// Takes turns until the end.
    pub(crate) fn work_until(&self, bell: &Parker, mut turn: impl FnMut() -> Then) {
        while !self.has_come() {
            match turn() {
                Then::GoesOn => {}
                Then::SleepsUntil(moment) => drop(bell.park_until(Some(moment))),
                Then::Sleeps => bell.park(),
            }
        }
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
