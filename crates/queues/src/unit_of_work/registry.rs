//! The units of work that have records in the log and are still open, by their names.
//!
//! Lives here: their table. Lives elsewhere: the place of each in its connection (`slot`).
//!
//! Always: a unit is here before its first record is appended, and until its end has taken effect in memory,
//! so that a checkpoint never frees what it may still need.

use std::collections::BTreeMap;
use std::sync::Arc;

use mqi::branch::BranchId;
use platform::sync::Mutex;
use platform::{Monotonic, WallTime};
use storage::{Lsn, Storage, UnitId};

use super::branches::Branches;
use super::prepared::Prepared;
use super::slot::UnitSlot;
use super::waiting::WaitingBranches;

/// The open units of work, oldest first.
#[derive(Debug, Default)]
pub struct Registry {
    state: Mutex<UnitTables>,
    /// Branches of transactions that are not prepared.
    pub(super) branches: Branches,
    /// Branches that wait long for their decision.
    waiting: Mutex<WaitingBranches>,
}

#[derive(Debug, Default)]
struct UnitTables {
    counter: u64,
    open: BTreeMap<UnitId, Open>,
    prepared: BTreeMap<UnitId, Arc<Prepared>>,
    /// The branches among them, by the identifiers that their coordinators gave.
    branches: BTreeMap<BranchId, UnitId>,
    /// Bytes of the log that are kept for the ends of those branches.
    kept_for_branches: u64,
    /// Puts and gets of those branches.
    messages_of_branches: u64,
    /// The position that must be durable before a caller learns that a unit is not prepared any more.
    last_end: Lsn,
}

/// A unit that is open.
#[derive(Debug)]
struct Open {
    /// Where the log ended when it was named.
    from: Lsn,
    /// Its place; none for one of the queue manager's own, which is part of a call.
    slot: Option<Arc<UnitSlot>>,
}

impl Registry {
    /// Names a unit. Its first record will be at the present end of the log, or later.
    pub(crate) fn open(&self, storage: &Storage, slot: Option<Arc<UnitSlot>>) -> UnitId {
        let mut state = self.state.lock();
        state.counter += 1;
        let name = storage.unit(state.counter);
        state.open.insert(name, Open { from: storage.appended(), slot });
        name
    }

    /// Removes a unit that has ended, open or prepared. The outside learns of it only when the log is durable
    /// to `need`.
    pub(crate) fn close(&self, name: UnitId, need: Lsn) {
        let (open, prepared) = {
            let mut state = self.state.lock();
            let open = state.open.remove(&name);
            let prepared = if open.is_none() { state.prepared.remove(&name) } else { None };
            if let Some(prepared) = &prepared {
                state.last_end = state.last_end.max(need);
                state.kept_for_branches -= prepared.kept_as_branch();
                state.messages_of_branches -= prepared.messages_as_branch();
                if let Some(branch) = prepared.branch_id() {
                    state.branches.remove(&branch);
                }
            }
            (open, prepared)
        };
        // Not under the lock.
        drop((open, prepared));
    }

    /// Where the oldest open unit begins.
    pub fn oldest(&self) -> Option<Lsn> {
        self.state.lock().open.first_key_value().map(|(_, open)| open.from)
    }

    /// The place and the counter of the oldest open unit, if it begins before `allowed` and is not one of the
    /// queue manager's own.
    pub fn too_old(&self, allowed: Lsn) -> Option<(u64, Arc<UnitSlot>)> {
        let state = self.state.lock();
        let (name, open) = state.open.first_key_value()?;
        let slot = open.slot.as_ref().filter(|_| open.from < allowed)?;
        Some((name.counter, Arc::clone(slot)))
    }

    /// True when one more unit may be prepared.
    pub(crate) fn may_prepare(&self, most: usize) -> bool {
        self.state.lock().prepared.len() < most
    }

    /// Bytes of the log that are kept for the ends of branches.
    pub(crate) fn kept_for_branches(&self) -> u64 {
        self.state.lock().kept_for_branches
    }

    /// Puts and gets of the branches that are prepared.
    pub(crate) fn messages_of_branches(&self) -> u64 {
        self.state.lock().messages_of_branches
    }

    /// A unit is prepared: the log behind it is free from now on.
    pub fn prepare(&self, unit: Arc<Prepared>) {
        let closed = {
            let mut state = self.state.lock();
            let closed = state.open.remove(&unit.name);
            state.kept_for_branches += unit.kept_as_branch();
            state.messages_of_branches += unit.messages_as_branch();
            if let Some(branch) = unit.branch_id() {
                state.branches.insert(branch, unit.name);
            }
            state.prepared.insert(unit.name, unit);
            closed
        };
        drop(closed);
    }

    /// The units that are prepared, oldest first; and the position that must be durable before a caller
    /// learns that another is not.
    pub fn prepared(&self) -> (Vec<Arc<Prepared>>, Lsn) {
        let state = self.state.lock();
        (state.prepared.values().cloned().collect(), state.last_end)
    }

    /// The branches that have waited so long for their decision that it is time to tell of them.
    pub fn branches_to_tell_of(&self, now: Monotonic, wall: WallTime) -> Vec<Arc<Prepared>> {
        if !self.waiting.lock().looks(now) {
            return Vec::new();
        }
        let (mut prepared, _) = self.prepared();
        prepared.retain(|unit| unit.maker_of_branch().is_some());
        let waits = prepared.iter().filter_map(|unit| Some((unit.name, unit.waits(wall)?)));
        let due = self.waiting.lock().due(now, &waits.collect());
        prepared.retain(|unit| due.contains(&unit.name));
        prepared
    }

    /// True if more units are prepared than this, or they have more messages.
    pub fn in_doubt_is_above(&self, most: usize) -> bool {
        let state = self.state.lock();
        let mut left = most;
        state.prepared.values().any(|unit| match left.checked_sub(unit.messages().max(1)) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        })
    }

    /// A unit that is prepared; and the position that must be durable before a caller learns that it is not.
    pub(crate) fn find_prepared(&self, name: UnitId) -> (Option<Arc<Prepared>>, Lsn) {
        let state = self.state.lock();
        (state.prepared.get(&name).cloned(), state.last_end)
    }

    /// The branch of this identifier that is prepared; and the position that must be durable before a caller
    /// learns that it is not.
    pub(crate) fn find_branch(&self, branch: &BranchId) -> (Option<Arc<Prepared>>, Lsn) {
        let state = self.state.lock();
        let unit = state.branches.get(branch).and_then(|name| state.prepared.get(name)).cloned();
        (unit, state.last_end)
    }

    /// The branches that are prepared, in the order of their identifiers; and the position that must be
    /// durable before a caller learns that another is not.
    pub(crate) fn prepared_branches(&self) -> (Vec<(BranchId, Arc<Prepared>)>, Lsn) {
        let state = self.state.lock();
        let units = state.branches.iter().filter_map(|(branch, name)| {
            let unit = state.prepared.get(name)?;
            Some((*branch, Arc::clone(unit)))
        });
        (units.collect(), state.last_end)
    }

    /// The position that must be durable before a caller learns that a unit is not prepared.
    pub(crate) fn last_end(&self) -> Lsn {
        self.state.lock().last_end
    }
}
