//! Units of work that become branches when they are prepared: their coordinator names them only then.
//!
//! Lives here: preparing one by the identifier of a branch. Lives elsewhere: branches that have theirs from
//! the beginning (`branches`), what is prepared (`prepared`).
//!
//! Always: an identifier has one branch, whichever way it came by it.

use mqi::branch::{BranchId, BranchRefusal, RollbackCause};
use storage::{Purpose, UnitId};

use super::RESERVED_TO_PREPARE;
use super::branches::{BranchOutcome, BranchUser, cause_of_refusal};
use super::prepared::{PreparedBranch, PreparedPurpose};
use super::slot::UnitSlot;
use crate::gate::Gated;
use crate::queues::Queues;

impl Queues {
    /// Prepares the unit of work of a slot as a branch of a user; its name, or none where it did nothing
    /// and is over. One that is refused stays, to be backed out.
    pub fn prepare_as_branch(
        &self,
        slot: &UnitSlot,
        id: &BranchId,
        user: BranchUser<'_>,
    ) -> BranchOutcome<Option<UnitId>> {
        let decided = || {
            let (decided, need) = self.decided_branch(id);
            (decided.is_some(), need)
        };
        if let Err(need) = self.units.branches.begin_to_prepare(id, decided) {
            return Gated::new(need, Err(BranchRefusal::Duplicate));
        }
        let prepared = self.prepare_late(slot, id, user);
        self.units.branches.end_to_prepare(id);
        prepared
    }

    fn prepare_late(
        &self,
        slot: &UnitSlot,
        id: &BranchId,
        user: BranchUser<'_>,
    ) -> BranchOutcome<Option<UnitId>> {
        match self.reserve(RESERVED_TO_PREPARE, Purpose::Drain) {
            Ok(room) => slot.lock().keep_to_prepare(room),
            Err(_) => return Gated::free(Err(BranchRefusal::RolledBack(RollbackCause::NoRoom))),
        }
        let purpose = PreparedPurpose::Branch(PreparedBranch {
            prepared_at: self.ground.world.clock.wall().0,
            format: id.format(),
            global: id.global().to_vec(),
            qualifier: id.qualifier().to_vec(),
            user: user.name.as_bytes().to_vec(),
        });
        let prepared = self.prepare_slot(slot, user.maker, purpose, || {});
        prepared
            .map(|prepared| prepared.map_err(|reason| BranchRefusal::RolledBack(cause_of_refusal(reason))))
    }
}
