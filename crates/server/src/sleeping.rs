//! Threads that work when their bell rings, until the end.
//!
//! Always: the end is said before a bell rings for it, and asked for after every sleep. A bell may ring for
//! the end while its thread waits for something else: then it does not ring again.

use platform::sync::atomic::{AtomicBool, Ordering};
use platform::sync::{Condvar, Mutex};
use platform::{Monotonic, Parker};

/// The end of threads, said once.
#[derive(Debug, Default)]
pub(crate) struct End {
    has_come: AtomicBool,
}

/// Next step of a thread after a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    /// Takes the next turn.
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

/// Wakes one of several threads for each thing to do.
#[derive(Default)]
pub(crate) struct Bell {
    rings: Mutex<Rings>,
    changed: Condvar,
}

#[derive(Default)]
struct Rings {
    waiting: u32,
    ended: bool,
}

impl Bell {
    pub(crate) fn ring(&self) {
        let mut rings = self.rings.lock();
        rings.waiting = rings.waiting.saturating_add(1);
        drop(rings);
        self.changed.notify_one();
    }

    /// Ends every wait.
    pub(crate) fn end(&self) {
        self.rings.lock().ended = true;
        self.changed.notify_all();
    }

    /// Waits for a ring; false at the end.
    pub(crate) fn wait(&self) -> bool {
        let mut rings = self.rings.lock();
        while rings.waiting == 0 && !rings.ended {
            self.changed.wait(&mut rings);
        }
        rings.waiting = rings.waiting.saturating_sub(1);
        !rings.ended
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;

#[cfg(test)]
mod tests {
    use super::Bell;

    #[test]
    fn each_ring_lets_one_through_and_the_end_lets_all() {
        let bell = Bell::default();
        bell.ring();
        bell.ring();
        assert!(bell.wait() && bell.wait());
        bell.end();
        assert!(!bell.wait());
    }
}
