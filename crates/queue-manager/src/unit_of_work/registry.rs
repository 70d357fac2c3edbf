//! The units of work that have records in the log and are still open, by their names.
//!
//! Lives here: the table that owns them. Lives elsewhere: lending one to a connection (`owned`).
//!
//! Always: a unit is here before its first record is appended, and until its end has taken effect in memory, so that
//! a checkpoint never frees what it may still need.

use std::collections::BTreeMap;
use std::sync::Arc;

use platform::sync::Mutex;
use storage::{Lsn, Storage, UnitId};

use super::owned::OwnedUnit;

/// The open units of work, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    counter: u64,
    open: BTreeMap<u64, Open>,
}

/// A unit that is open.
#[derive(Debug)]
struct Open {
    /// Where the log ended when it was named.
    from: Lsn,
    /// The unit; none for one of the queue manager's own, which is part of a call.
    unit: Option<Arc<OwnedUnit>>,
}

impl Registry {
    /// Names a unit. Its first record will be at the present end of the log, or later.
    pub(crate) fn open(&self, storage: &Storage, unit: Option<Arc<OwnedUnit>>) -> UnitId {
        let mut state = self.state.lock();
        state.counter += 1;
        let counter = state.counter;
        state.open.insert(counter, Open { from: storage.appended(), unit });
        storage.unit(counter)
    }

    /// A unit has ended.
    pub(crate) fn close(&self, name: UnitId) {
        let closed = self.state.lock().open.remove(&name.counter);
        // Not under the lock.
        drop(closed);
    }

    /// Where the oldest open unit begins.
    pub(crate) fn oldest(&self) -> Option<Lsn> {
        self.state.lock().open.first_key_value().map(|(_, open)| open.from)
    }

    /// The oldest open unit and its counter, if it begins before `allowed` and is not one of the queue manager's own.
    pub(crate) fn too_old(&self, allowed: Lsn) -> Option<(u64, Arc<OwnedUnit>)> {
        let state = self.state.lock();
        let (counter, open) = state.open.first_key_value()?;
        let unit = open.unit.as_ref().filter(|_| open.from < allowed)?;
        Some((*counter, Arc::clone(unit)))
    }
}
