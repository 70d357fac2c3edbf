//! Events on their way from the threads that note them to the one that writes.
//!
//! Always: noting waits for nothing but a lock that is held for a moment. Everything that was noted before
//! the end is taken, unless more came than there is room for: then the oldest are lost, and counted.

use std::collections::VecDeque;
use std::time::Duration;

use platform::sync::{Condvar, Mutex};

/// Events that wait to be written.
pub(crate) struct Waiting<T> {
    state: Mutex<Events<T>>,
    changed: Condvar,
    most: usize,
}

struct Events<T> {
    events: VecDeque<T>,
    lost: u64,
    ended: bool,
}

impl<T> Waiting<T> {
    /// Room for so many.
    pub(crate) fn new(most: usize) -> Self {
        let state = Events { events: VecDeque::new(), lost: 0, ended: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), most }
    }

    pub(crate) fn note(&self, event: T) {
        let mut state = self.state.lock();
        if state.events.len() == self.most {
            state.events.pop_front();
            state.lost += 1;
        }
        state.events.push_back(event);
        drop(state);
        self.changed.notify_one();
    }

    /// No more events come.
    pub(crate) fn end(&self) {
        self.state.lock().ended = true;
        self.changed.notify_one();
    }

    /// Takes the events, and the number that were lost before them.
    pub(crate) fn take(&self) -> (VecDeque<T>, u64) {
        let mut state = self.state.lock();
        (std::mem::take(&mut state.events), std::mem::take(&mut state.lost))
    }

    /// Waits until there is something to take, or for `limit` at most; false at the end, once everything was
    /// taken.
    pub(crate) fn wait(&self, limit: Duration) -> bool {
        let mut state = self.state.lock();
        if state.events.is_empty() && !state.ended {
            self.changed.wait_for(&mut state, limit);
        }
        !(state.events.is_empty() && state.ended)
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
