//! Which units of work have records in the log and are still open.
//!
//! Always: a unit is here before its first record is appended, and until its end has taken effect in memory, so that
//! a checkpoint never frees what it may still need.

use std::collections::BTreeMap;
use std::sync::Weak;

use platform::sync::Mutex;
use storage::{Lsn, Storage, UnitId};

use crate::conversation::Conversation;

/// The open units of work, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    counter: u64,
    open: BTreeMap<u64, (Lsn, Weak<Conversation>)>,
}

impl Registry {
    /// Names a unit. Its first record will be at the present end of the log, or later.
    pub(crate) fn open(&self, storage: &Storage, conversation: Weak<Conversation>) -> UnitId {
        let mut state = self.state.lock();
        state.counter += 1;
        let counter = state.counter;
        state.open.insert(counter, (storage.appended(), conversation));
        storage.unit(counter)
    }

    /// A unit has ended.
    pub(crate) fn close(&self, name: UnitId) {
        self.state.lock().open.remove(&name.counter);
    }

    /// Where the oldest open unit begins.
    pub(crate) fn oldest(&self) -> Option<Lsn> {
        self.state.lock().open.first_key_value().map(|(_, (first, _))| *first)
    }

    /// The connection of the oldest open unit, if the unit begins before `allowed`.
    pub(crate) fn too_old(&self, allowed: Lsn) -> Option<(u64, Weak<Conversation>)> {
        let state = self.state.lock();
        let (counter, (first, conversation)) = state.open.first_key_value()?;
        (*first < allowed).then(|| (*counter, Weak::clone(conversation)))
    }
}
