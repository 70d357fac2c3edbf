//! Branches that a person decides while their coordinator has not.
//!
//! Lives here: deciding one, telling its coordinator, forgetting it. Lives elsewhere: what is kept of it
//! (`storage::ResolvedBranch`), the table of those there are (`state_objects`).
//!
//! Always: the decision is logged before the end. A restart that finds the one without the other ends the
//! unit as it was decided. The outcome is remembered until it is forgotten by order: a coordinator that asks
//! is told that it was not its own decision.

use mqi::Reason;
#[cfg(feature = "planted")]
use storage::Lsn;
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::{ObjectId, Purpose, Record, ResolvedBranch, StateObject, UnitId};

use super::prepared::{Decision, NotResolved, PreparedPurpose, Settled};
use crate::gate::{Gated, Outcome};
use crate::ground::growth::Growth;
use crate::queues::Queues;

impl Queues {
    /// Ends a branch as a person decides, and remembers that.
    pub fn resolve_by_hand(
        &self,
        name: UnitId,
        decision: Decision,
        by: &str,
        maker: &str,
        new_identifier: impl FnOnce() -> ObjectId,
    ) -> Gated<Result<(), NotResolved>> {
        let (found, ended) = self.units.find_prepared(name);
        let Some(unit) = found else { return self.not_prepared_by_hand(name) };
        let branch = match &unit.purpose {
            PreparedPurpose::Channel(batch) => {
                return Gated::new(unit.need(), Err(NotResolved::OfChannel(*batch)));
            }
            PreparedPurpose::Branch(branch) => branch.clone(),
        };
        let mut decided_by = by.as_bytes().to_vec();
        decided_by.truncate(ResolvedBranch::PART_BYTES_MAX);
        let object = StateObject::Resolved(ResolvedBranch {
            unit: name,
            is_committed: decision == Decision::Commit,
            prepared_at: branch.prepared_at,
            decided_at: self.ground.world.clock.wall().0,
            format: branch.format,
            global: branch.global,
            qualifier: branch.qualifier,
            user: branch.user,
            decided_by,
        });
        let (mut room, definition) = match self.reserve_for_state(&object) {
            Ok(room) => room,
            Err(reason) => return Gated::new(ended, Err(NotResolved::NoRoom(reason))),
        };
        let id = new_identifier();
        let mut work = unit.work();
        if work.is_none() {
            drop(work);
            return self.not_prepared_by_hand(name);
        }
        #[cfg(feature = "planted")]
        let is_late = planted::is(Fault::HandAfterEnd);
        #[cfg(feature = "planted")]
        if is_late {
            let work = work.take().expect("it was just seen");
            let _ = self.end_prepared(&unit, work, decision);
            // Another thread writes the log at this moment.
            self.ground.storage.drive();
        }
        {
            let mut table = self.state_objects.lock();
            if let Err(refusal) = self.ledger.take(Growth::ResolvedBranches, maker) {
                return Gated::new(self.ground.storage.appended(), Err(refusal.into()));
            }
            table.note_maker(id, maker);
            let record = Record::Define { object: id, definition: &definition };
            let need = self.ground.storage.append(&record, None, &mut room).need;
            table.define(id, object, need);
        }
        #[cfg(feature = "planted")]
        if is_late {
            return Gated::new(self.ground.storage.appended(), Ok(()));
        }
        let work = work.take().expect("it was just seen");
        let need = self.end_prepared(&unit, work, decision);
        Gated::new(need, Ok(()))
    }

    /// The answer about a unit that is not prepared.
    fn not_prepared_by_hand(&self, name: UnitId) -> Gated<Result<(), NotResolved>> {
        self.ended_before(name).map(|ended| {
            Err(match ended {
                Ok(_) => NotResolved::Decided,
                Err(_) => NotResolved::Unknown,
            })
        })
    }

    /// The answer to the coordinator of a unit that is not prepared: the decision of a person, or that it is
    /// unknown.
    pub(super) fn ended_before(&self, name: UnitId) -> Outcome<Settled> {
        let (_, ended) = self.units.find_prepared(name);
        let table = self.state_objects.lock();
        match table.resolved_unit(name) {
            Some((_, branch, need)) => Gated::new(need.max(ended), Ok(Settled::ByHand(branch.clone()))),
            None => Gated::new(ended.max(table.absence_need()), Err(Reason::UOW_NOT_AVAILABLE)),
        }
    }

    /// Forgets the decision of a person about a unit: from then on it is unknown.
    pub fn forget_by_hand(&self, name: UnitId) -> Outcome<()> {
        let record = Record::Delete { object: ObjectId(0) };
        let mut room = match self.reserve(record.reserved_bytes(), Purpose::Drain) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        // A decision that is under way: its end comes before what forgets it.
        if let Some(unit) = self.units.find_prepared(name).0 {
            drop(unit.work());
        }
        let mut table = self.state_objects.lock();
        let Some((object, _, _)) = table.resolved_unit(name) else {
            return Gated::new(table.absence_need(), Err(Reason::UOW_NOT_AVAILABLE));
        };
        #[cfg(feature = "planted")]
        if planted::is(Fault::ForgetWithoutDelete) {
            table.remove(object, Lsn::ZERO);
            return Gated::free(Ok(()));
        }
        let need = self.ground.storage.append(&Record::Delete { object }, None, &mut room).need;
        table.remove(object, need);
        self.ledger.give_back(Growth::ResolvedBranches, &table.take_maker(object));
        Gated::new(need, Ok(()))
    }

    /// Counts the branches that a start finds decided by hand, each for the user that decided it.
    pub fn count_by_hand(&self) {
        let mut table = self.state_objects.lock();
        let found = table
            .resolved()
            .map(|(id, branch, _)| (id, String::from_utf8_lossy(&branch.decided_by).into_owned()));
        for (id, decided_by) in found.collect::<Vec<_>>() {
            self.ledger.note(Growth::ResolvedBranches, &decided_by);
            table.note_maker(id, &decided_by);
        }
    }

    /// The branches that people decided, in the order in which they did.
    pub fn resolved_by_hand(&self) -> Gated<Vec<ResolvedBranch>> {
        let table = self.state_objects.lock();
        let mut need = table.absence_need();
        let branches = table.resolved().map(|(_, branch, known)| {
            need = need.max(known);
            branch.clone()
        });
        let branches = branches.collect();
        Gated::new(need, branches)
    }

    /// Ends units that are prepared and were decided by hand: a crash came between the decision and the end.
    pub fn finish_by_hand(&self) {
        let decided: Vec<_> = {
            let table = self.state_objects.lock();
            table.resolved().map(|(_, branch, _)| (branch.unit, branch.is_committed)).collect()
        };
        for (name, is_committed) in decided {
            let Some(unit) = self.units.find_prepared(name).0 else { continue };
            let decision = if is_committed { Decision::Commit } else { Decision::BackOut };
            let work = unit.work().take().expect("nobody ends units before the start is over");
            let _ = self.end_prepared(&unit, work, decision);
        }
    }
}
