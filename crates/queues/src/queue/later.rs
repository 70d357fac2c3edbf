//! The messages of a queue whose time is still to come.
//!
//! Lives here: the table of their times. Lives elsewhere: messages that come to their time (`expiry`).
//!
//! Such a message is logged and counted like any other when it is put. From its commit to its time it is on
//! its queue, in no list: no get or browse reaches it. When its time comes it goes to its place, which is
//! that of its arrival.
//!
//! Always: a message is here from its put to its time, or to its end; a time is that of the day in the log,
//! and runs by the monotonic clock in between.

use std::collections::{BTreeMap, BTreeSet};

use platform::Monotonic;

use crate::queues::slot::Slot;

/// The messages of a queue whose time is still to come.
#[derive(Debug, Default)]
pub(super) struct Later {
    times: BTreeMap<Slot, Time>,
    /// The committed ones, by the moment at which they leave this table.
    waiting: BTreeSet<(Monotonic, Slot)>,
}

/// The time of a message that is delivered later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// The delivery, or the end of the message's life if that is before.
    pub(super) leaves: Monotonic,
    /// The delivery by the time of day, as the log has it.
    pub(super) deliver_at: i64,
}

impl Later {
    pub(super) fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Notes the time of a message that was put.
    pub(super) fn note(&mut self, slot: Slot, time: Time) {
        self.times.insert(slot, time);
    }

    /// The time of a message; none for one that may be given out.
    pub(super) fn time_of(&self, slot: Slot) -> Option<Time> {
        self.times.get(&slot).copied()
    }

    /// Makes a committed message wait for its time.
    pub(super) fn wait(&mut self, slot: Slot, time: Time) {
        self.waiting.insert((time.leaves, slot));
    }

    /// Forgets a message. True if it was here.
    pub(super) fn forget(&mut self, slot: Slot) -> bool {
        let Some(time) = self.times.remove(&slot) else { return false };
        self.waiting.remove(&(time.leaves, slot));
        true
    }

    /// The committed messages, those whose time comes first before others.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (Monotonic, Slot)> {
        self.waiting.iter().copied()
    }

    /// The number of the committed messages.
    pub(super) fn waiting_count(&self) -> usize {
        self.waiting.len()
    }
}
