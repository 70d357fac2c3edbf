//! The branches of transactions that outside coordinators decide: begun, prepared, or decided by hand.
//!
//! Lives here: the table of those that are not prepared, and the calls that a coordinator makes on any.
//! Lives elsewhere: the states of one (`branch`), units of work that become branches when they are prepared
//! (`late_branch`), those that are prepared (`prepared`), those that a person decided (`by_hand`), the
//! connection as a thread of work (`queue_manager::verbs::branch`).
//!
//! ```text
//! start ──► begun: here ──► prepared: the registry of units ──► decided, by its coordinator or a person
//! ```
//!
//! Always: a branch is in one of the three places; a caller that finds it over here looks in the next. An
//! answer that shows that one ended waits for the record of that. Locks: that of a branch or of the table,
//! never both; under either those of units and queues.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};

use mqi::Reason;
use mqi::branch::{
    BRANCHES_LISTED_MAX, BRIDGE_FORMAT, BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared,
    BranchRefusal, BranchStart, Heuristic, RollbackCause,
};
use platform::sync::{Mutex, MutexGuard};
use platform::{Monotonic, WallTime};
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::{Lsn, Purpose, ResolvedBranch, UnitId};

use super::branch::{Association, BranchState};
use super::prepared::{Decision, PreparedBranch, PreparedPurpose, Settled};
use super::slot::UnitSlot;
use super::{Operation, RESERVED_TO_PREPARE, Work};
use crate::gate::{BehindGate, Gated, Outcome};
use crate::ground::settings::BranchBounds;
use crate::queues::Queues;
use crate::state_objects::branch_id;

/// A branch that is not prepared.
#[derive(Debug)]
pub struct Branch {
    /// Its identifier.
    pub id: BranchId,
    /// The user that began it.
    pub user: Box<str>,
    /// Its unit of work, which the connections of its threads name.
    pub slot: Arc<UnitSlot>,
    /// The time of day at which it began.
    pub began_at: WallTime,
    state: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    state: BranchState,
    /// True once it was decided or prepared.
    is_over: bool,
    /// The connections that took part and are there.
    connections: BTreeSet<u64>,
    /// When the last of them ended, or the branch came to be rolled back without any.
    alone_since: Option<Monotonic>,
    began: Monotonic,
}

/// The thread of work that a connection is.
#[derive(Debug)]
pub struct Thread {
    /// The number of the connection.
    connection: u64,
    /// The branch that it works in, or suspended.
    within: Option<(Arc<Branch>, Association)>,
    /// True once it was in any.
    took_part: bool,
    /// True once the connection ended: a call that began before comes to no branch.
    is_lost: bool,
}

/// The user on whose behalf a call on a branch is made.
#[derive(Clone, Copy)]
pub struct BranchUser<'a> {
    /// Its name.
    pub name: &'a str,
    /// The user for whose bounds what it prepares counts; blank for none.
    pub maker: &'a str,
    /// Tells if it may decide the branches of other users.
    pub decides_all: &'a dyn Fn() -> bool,
}

/// An answer to a call on a branch, behind its gate.
pub type BranchOutcome<T> = Gated<Result<T, BranchRefusal>>;

/// The branches that are not prepared.
#[derive(Debug, Default)]
pub struct Branches {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    open: BTreeMap<BranchId, Arc<Branch>>,
    /// Their number for each user that has any.
    of_users: BTreeMap<Box<str>, usize>,
    /// The identifiers of units of work that are being prepared as branches (`late_branch`).
    preparing: BTreeSet<BranchId>,
    /// The position that must be durable before a caller learns that a branch is not there.
    last_end: Lsn,
}

impl Table {
    /// Adds a branch that is not there.
    fn insert(&mut self, branch: &Arc<Branch>) {
        self.open.insert(branch.id, Arc::clone(branch));
        *self.of_users.entry(branch.user.clone()).or_default() += 1;
    }

    /// Takes a branch out, unless another of its name is there.
    fn take(&mut self, branch: &Arc<Branch>) -> Option<Arc<Branch>> {
        let taken = self.open.remove(&branch.id);
        if let Some(other) = taken.as_ref().filter(|taken| !Arc::ptr_eq(taken, branch)) {
            self.open.insert(branch.id, Arc::clone(other));
            return None;
        }
        if let Some(own) = self.of_users.get_mut(&branch.user).filter(|_| taken.is_some()) {
            *own -= 1;
            if *own == 0 {
                self.of_users.remove(&branch.user);
            }
        }
        taken
    }
}

impl BranchUser<'_> {
    pub(crate) fn may_decide(&self, owner: &str) -> bool {
        self.name == owner || (self.decides_all)()
    }
}

impl Branch {
    fn new(id: BranchId, user: &str, connection: u64, now: Monotonic, began_at: WallTime) -> Arc<Self> {
        Arc::new_cyclic(|this: &Weak<Self>| Self {
            id,
            user: user.into(),
            slot: UnitSlot::of_branch(Weak::clone(this)),
            began_at,
            state: Mutex::new(Kept {
                state: BranchState::begun(),
                is_over: false,
                connections: BTreeSet::from([connection]),
                alone_since: None,
                began: now,
            }),
        })
    }

    /// Its state, unless it is over.
    fn open(&self) -> Option<MutexGuard<'_, Kept>> {
        Some(self.state.lock()).filter(|kept| !kept.is_over)
    }

    /// The name that its unit of work has in the log, if it is there.
    pub(super) fn unit_name(&self) -> Option<UnitId> {
        self.slot.lock().name()
    }

    /// The puts and gets in it so far.
    pub fn operations(&self) -> Vec<Operation> {
        self.slot.lock().operations.clone()
    }
}

impl Kept {
    /// Learns that the queue manager backed the unit of work out underneath.
    fn look_at_unit(&mut self, branch: &Branch) {
        if self.state.doomed().is_none() && !branch.slot.lock().is_open() {
            self.state.doom(RollbackCause::NoRoom);
        }
    }
}

impl Thread {
    /// That of a connection.
    pub fn of(connection: u64) -> Self {
        Self { connection, within: None, took_part: false, is_lost: false }
    }

    fn come_to(&mut self, branch: &Arc<Branch>, association: Association) {
        (self.within, self.took_part) = (Some((Arc::clone(branch), association)), true);
    }

    /// The branch that it works in.
    pub fn branch(&self) -> Option<&Arc<Branch>> {
        let (branch, association) = self.within.as_ref()?;
        (*association == Association::Active).then_some(branch)
    }

    /// The unit of work that what it puts and gets belongs to, if it works in a branch.
    pub fn slot(&self) -> Option<&Arc<UnitSlot>> {
        self.branch().map(|branch| &branch.slot)
    }

    /// True if it works in a branch.
    pub fn is_within(&self) -> bool {
        self.slot().is_some()
    }

    /// A branch that it suspended and that is over by now holds it no more.
    fn forget_suspended(&mut self) {
        let is_over = |(branch, association): &(Arc<Branch>, Association)| {
            *association == Association::Suspended && branch.state.lock().is_over
        };
        if self.within.as_ref().is_some_and(is_over) {
            self.within = None;
        }
    }

    /// Its association with this branch; none if it is in another, which keeps it out.
    fn association(&self, id: &BranchId) -> Option<Association> {
        match &self.within {
            None => Some(Association::None),
            Some((branch, association)) => (branch.id == *id).then_some(*association),
        }
    }
}

impl Table {
    /// True for the identifier of a branch that is not prepared, or is about to be.
    fn has(&self, id: &BranchId) -> bool {
        self.open.contains_key(id) || self.preparing.contains(id)
    }
}

impl Branches {
    /// Takes an identifier for a unit of work that is about to be prepared, unless a branch has it;
    /// `decided` says of those that are prepared or were decided by hand. The position is that which must
    /// be durable before a caller learns of a refusal.
    pub(super) fn begin_to_prepare(
        &self,
        id: &BranchId,
        decided: impl FnOnce() -> (bool, Lsn),
    ) -> Result<(), Lsn> {
        let mut table = self.table.lock();
        // Asked under the lock: one that is prepared at this moment is in one of the two places.
        let (is_decided, need) = decided();
        if is_decided || table.has(id) {
            return Err(need.max(table.last_end));
        }
        table.preparing.insert(*id);
        Ok(())
    }

    /// The unit of work of this identifier is prepared, or backed out.
    pub(super) fn end_to_prepare(&self, id: &BranchId) {
        self.table.lock().preparing.remove(id);
    }

    fn find(&self, id: &BranchId) -> Option<Arc<Branch>> {
        self.table.lock().open.get(id).cloned()
    }

    /// The position that must be durable before a caller learns that a branch is not here.
    fn last_end(&self) -> Lsn {
        self.table.lock().last_end
    }

    /// Leaves a branch out that is over; the outside learns of it when the log is durable to `need`.
    fn remove(&self, branch: &Arc<Branch>, need: Lsn) {
        let removed = {
            let mut table = self.table.lock();
            table.last_end = table.last_end.max(need);
            table.take(branch)
        };
        // Not under the lock.
        drop(removed);
    }
}

impl Queues {
    /// A connection comes to a branch, as `xa_start` says.
    pub fn start_branch(
        &self,
        id: &BranchId,
        how: BranchStart,
        thread: &mut Thread,
        user: BranchUser<'_>,
        bounds: &BranchBounds,
    ) -> BranchOutcome<()> {
        if thread.is_lost {
            return Gated::free(Err(BranchRefusal::Lost));
        }
        thread.forget_suspended();
        let own = match thread.association(id) {
            Some(Association::Suspended) if how == BranchStart::Resume => Association::Suspended,
            Some(Association::None) => Association::None,
            Some(Association::Active | Association::Suspended) | None => {
                return Gated::free(Err(BranchRefusal::Protocol));
            }
        };
        if how == BranchStart::New {
            return self.begin_branch(id, thread, user, bounds);
        }
        let started = self.with_open_branch(id, |branch, kept| {
            // Another user's is none of this one's business.
            if *branch.user != *user.name {
                return Err(BranchRefusal::Unknown);
            }
            kept.look_at_unit(branch);
            let association = kept.state.start(how, own)?;
            kept.connections.insert(thread.connection);
            kept.alone_since = None;
            thread.come_to(branch, association);
            Ok(())
        });
        #[cfg(feature = "planted")]
        if started.is_none() && how == BranchStart::Join && planted::is(Fault::JoinAfterPrepare) {
            return Gated::free(Ok(()));
        }
        match started {
            Some(answer) => Gated::new(self.units.branches.last_end(), answer),
            None => self.refuse_decided(id, user, BranchRefusal::Protocol),
        }
    }

    fn begin_branch(
        &self,
        id: &BranchId,
        thread: &mut Thread,
        user: BranchUser<'_>,
        bounds: &BranchBounds,
    ) -> BranchOutcome<()> {
        let began_at = self.ground.world.clock.wall();
        let branch = Branch::new(*id, user.name, thread.connection, self.ground.now(), began_at);
        let mut table = self.units.branches.table.lock();
        // Asked under the lock: one that is prepared at this moment is in one of the two places.
        let (decided, need) = self.decided_branch(id);
        let need = need.max(table.last_end);
        if decided.is_some() || table.has(id) {
            return Gated::new(need, Err(BranchRefusal::Duplicate));
        }
        let own = table.of_users.get(user.name);
        if own.is_some_and(|own| *own >= bounds.open_max as usize) {
            return Gated::free(Err(BranchRefusal::Failed));
        }
        table.insert(&branch);
        drop(table);
        thread.come_to(&branch, Association::Active);
        Gated::new(need, Ok(()))
    }

    /// A connection leaves a branch, as `xa_end` says.
    pub fn end_branch(
        &self,
        id: &BranchId,
        how: BranchEnd,
        thread: &mut Thread,
        user: BranchUser<'_>,
    ) -> BranchOutcome<()> {
        thread.forget_suspended();
        let own = thread.association(id).unwrap_or_default();
        let Some((branch, _)) = thread.within.take_if(|_| own != Association::None) else {
            if self.units.branches.find(id).is_some_and(|branch| user.may_decide(&branch.user)) {
                return Gated::free(Err(BranchRefusal::Protocol));
            }
            return self.refuse_decided(id, user, BranchRefusal::Protocol);
        };
        let mut kept = branch.state.lock();
        kept.look_at_unit(&branch);
        let was_doomed = kept.state.doomed().is_some();
        let (association, answer) = kept.state.end(how, own);
        if !was_doomed && kept.state.doomed().is_some() {
            self.roll_back_doomed(&branch);
        }
        drop(kept);
        if association != Association::None {
            thread.within = Some((branch, association));
        }
        Gated::free(answer)
    }

    /// The branch that a connection works in must be rolled back.
    pub fn doom_branch(&self, cause: RollbackCause, thread: &Thread) {
        let Some((branch, Association::Active)) = &thread.within else { return };
        let mut kept = branch.state.lock();
        if kept.state.doomed().is_none() {
            kept.state.doom(cause);
            self.roll_back_doomed(branch);
        }
    }

    /// A connection ends: what it works in is rolled back, what it suspended stays.
    pub fn lose_thread(&self, thread: &mut Thread) {
        let now = self.ground.now();
        thread.is_lost = true;
        if let Some((branch, association)) = thread.within.take() {
            let mut kept = branch.state.lock();
            let was_doomed = kept.state.doomed().is_some();
            kept.state.lose(association);
            if !was_doomed && kept.state.doomed().is_some() {
                self.roll_back_doomed(&branch);
            }
        }
        if !std::mem::take(&mut thread.took_part) {
            return;
        }
        let open: Vec<_> = self.units.branches.table.lock().open.values().cloned().collect();
        for branch in open {
            let mut kept = branch.state.lock();
            if kept.connections.remove(&thread.connection) && kept.connections.is_empty() {
                kept.alone_since = Some(now);
                #[cfg(feature = "planted")]
                if planted::is(Fault::IdleLost) {
                    kept.state.doom(RollbackCause::ConnectionLost);
                    self.roll_back_doomed(&branch);
                }
            }
        }
    }

    /// Prepares a branch, as `xa_prepare` says.
    pub fn prepare_branch(&self, id: &BranchId, user: BranchUser<'_>) -> BranchOutcome<BranchPrepared> {
        let prepared = self.decide_open(id, user, |branch, kept| {
            kept.state.check_whole()?;
            if self.keep_room_to_prepare(branch).is_err() {
                self.roll_back(branch);
                return Err(BranchRefusal::RolledBack(RollbackCause::NoRoom));
            }
            let purpose = PreparedPurpose::Branch(PreparedBranch {
                prepared_at: self.ground.world.clock.wall().0,
                format: id.format(),
                global: id.global().to_vec(),
                qualifier: id.qualifier().to_vec(),
                user: branch.user.as_bytes().to_vec(),
            });
            let prepared = self.prepare_slot(&branch.slot, user.maker, purpose, || {});
            Ok(prepared.changed(|prepared| match prepared {
                Ok(Some(_)) => Ok(BranchPrepared::Prepared),
                Ok(None) => Ok(BranchPrepared::ReadOnly),
                Err(reason) => {
                    self.roll_back(branch);
                    Err(BranchRefusal::RolledBack(cause_of_refusal(reason)))
                }
            }))
        });
        let prepared = prepared.unwrap_or_else(|| self.refuse_decided(id, user, BranchRefusal::Protocol));
        #[cfg(feature = "planted")]
        if planted::is(Fault::PrepareUngated) {
            return Gated::free(prepared.into_inner());
        }
        prepared
    }

    /// Commits a branch, as `xa_commit` says. One that is not prepared is made to stand by `commit`.
    pub fn commit_branch(
        &self,
        id: &BranchId,
        how: BranchCommit,
        user: BranchUser<'_>,
        commit: impl FnOnce(Work) -> Outcome<()>,
    ) -> BranchOutcome<()> {
        let committed = self.decide_open(id, user, |branch, kept| {
            if how == BranchCommit::TwoPhase {
                return Err(BranchRefusal::Protocol);
            }
            kept.state.check_whole()?;
            let work = branch.slot.lock().end();
            Ok(commit(work).map(|committed| committed.map_err(|_| BranchRefusal::Failed)))
        });
        let committed = match committed {
            Some(answer) => answer,
            None if how == BranchCommit::OnePhase && !self.is_decided_by_hand(id) => {
                self.refuse_decided(id, user, BranchRefusal::Protocol)
            }
            None => self.decide(id, user, Decision::Commit),
        };
        #[cfg(feature = "planted")]
        let is_absent = *committed.value() == Err(BranchRefusal::Unknown);
        #[cfg(feature = "planted")]
        if planted::is(if is_absent { Fault::AbsenceUngated } else { Fault::CommitUngated }) {
            return Gated::free(committed.into_inner());
        }
        committed
    }

    /// Rolls a branch back, as `xa_rollback` says.
    pub fn back_out_branch(&self, id: &BranchId, user: BranchUser<'_>) -> BranchOutcome<()> {
        let backed_out = self.decide_open(id, user, |branch, kept| {
            kept.state.check_back_out()?;
            self.roll_back(branch);
            Ok(Gated::free(Ok(())))
        });
        backed_out.unwrap_or_else(|| self.decide(id, user, Decision::BackOut))
    }

    /// Forgets a branch that a person decided, as `xa_forget` says.
    pub fn forget_branch(&self, id: &BranchId, user: BranchUser<'_>) -> BranchOutcome<()> {
        if self.units.branches.find(id).is_some_and(|branch| user.may_decide(&branch.user)) {
            return Gated::free(Err(BranchRefusal::Protocol));
        }
        match self.decided_branch(id) {
            (Some(Decided { unit, user: owner, by_hand: true }), _) if user.may_decide(&owner) => {
                self.forget_by_hand(unit).map(|forgotten| {
                    forgotten.map_err(|reason| match reason {
                        Reason::UOW_NOT_AVAILABLE => BranchRefusal::Unknown,
                        _ => BranchRefusal::Failed,
                    })
                })
            }
            _ => self.refuse_decided(id, user, BranchRefusal::Protocol),
        }
    }

    /// The branches of a user that are prepared or were decided by hand, as `xa_recover` lists them.
    pub fn list_branches(&self, list: &BranchList, user: &str) -> Gated<Vec<BranchId>> {
        let is_asked_for = |id: &BranchId| {
            list.format.map_or_else(|| id.format() != BRIDGE_FORMAT, |format| id.format() == format)
                && id.global().starts_with(&list.prefix)
                && list.after.is_none_or(|after| *id > after)
        };
        let (prepared, mut need) = self.units.prepared_branches();
        let mut found = BTreeSet::new();
        for (id, unit) in prepared {
            if is_asked_for(&id) && unit.user() == user.as_bytes() {
                need = need.max(unit.need());
                found.insert(id);
            }
        }
        need = need.max(self.units.branches.last_end());
        let table = self.state_objects.lock();
        need = need.max(table.absence_need());
        for (_, resolved, known) in table.resolved() {
            if let Some(id) = branch_id(resolved).filter(is_asked_for)
                && *resolved.user == *user.as_bytes()
            {
                need = need.max(known);
                found.insert(id);
            }
        }
        #[cfg(feature = "planted")]
        if planted::is(Fault::ListUngated) {
            need = Lsn::ZERO;
        }
        let most = list.most.min(BRANCHES_LISTED_MAX) as usize;
        Gated::new(need, found.into_iter().take(most).collect())
    }

    /// The branches that are not prepared and in which no connection works, in the order of their
    /// identifiers. One that must be rolled back has no work left, and is not among them.
    pub fn idle_branches(&self) -> Vec<Arc<Branch>> {
        let mut open: Vec<_> = self.units.branches.table.lock().open.values().cloned().collect();
        open.retain(|branch| {
            let mut kept = branch.state.lock();
            kept.look_at_unit(branch);
            !kept.is_over && kept.state.is_idle() && kept.state.doomed().is_none()
        });
        open
    }

    /// The number of branches that are not prepared.
    pub fn open_branches(&self) -> usize {
        self.units.branches.table.lock().open.len()
    }

    /// True if a branch is here and not prepared.
    pub fn has_open_branch(&self, id: &BranchId) -> bool {
        self.with_open_branch(id, |_, _| ()).is_some()
    }

    /// A person rolls back a branch that is not prepared; its coordinator learns of it. False if there is no
    /// such branch, or it was rolled back before.
    pub fn roll_back_by_hand(&self, id: &BranchId) -> bool {
        let now = self.ground.now();
        let rolled_back = self.with_open_branch(id, |branch, kept| {
            kept.look_at_unit(branch);
            if kept.state.doomed().is_some() {
                return false;
            }
            kept.state.doom(RollbackCause::ByOrder);
            // Its coordinator has as long again to learn of it.
            kept.alone_since = kept.alone_since.map(|_| now);
            self.roll_back_doomed(branch);
            true
        });
        rolled_back.unwrap_or(false)
    }

    /// The reason for which a branch has no messages for its coordinator, since it is not prepared; and the
    /// position that must be durable before the coordinator learns of it.
    pub(crate) fn without_messages(&self, id: &BranchId, user: BranchUser<'_>) -> (Reason, Lsn) {
        let is_begun = self.with_open_branch(id, |branch, _| user.may_decide(&branch.user)) == Some(true);
        let reason = if is_begun { Reason::UOW_IN_PROGRESS } else { Reason::UOW_NOT_AVAILABLE };
        (reason, self.absence_of_branches())
    }

    /// The branch of this identifier that is prepared or was decided by hand, by its number; and the position
    /// that must be durable before a caller learns of it, or that there is none.
    pub fn number_of_branch(&self, id: &BranchId) -> (Option<UnitId>, Lsn) {
        let (decided, need) = self.decided_branch(id);
        (decided.map(|decided| decided.unit), need.max(self.absence_of_branches()))
    }

    /// The branch that is not prepared and whose unit of work has this number.
    pub fn open_branch_numbered(&self, unit: UnitId) -> Option<BranchId> {
        let open: Vec<_> = self.units.branches.table.lock().open.values().cloned().collect();
        open.into_iter().find(|branch| branch.unit_name() == Some(unit)).map(|branch| branch.id)
    }

    /// Rolls back the branches whose time is over, and forgets those that were rolled back long ago.
    pub fn tick_branches(&self, bounds: &BranchBounds) {
        let now = self.ground.now();
        let open: Vec<_> = self.units.branches.table.lock().open.values().cloned().collect();
        for branch in open {
            let mut kept = branch.state.lock();
            kept.look_at_unit(&branch);
            let is_long_alone = kept.alone_since.is_some_and(|since| now.since(since) >= bounds.idle);
            if kept.state.doomed().is_some() {
                if is_long_alone && kept.state.is_idle() {
                    kept.is_over = true;
                    drop(kept);
                    self.units.branches.remove(&branch, Lsn::ZERO);
                }
                continue;
            }
            let is_long_active = bounds.active.is_some_and(|most| now.since(kept.began) >= most);
            if is_long_alone || is_long_active {
                kept.state.doom(RollbackCause::TimeOut);
                // Its coordinator has as long again to learn of it.
                kept.alone_since = kept.connections.is_empty().then_some(now);
                self.roll_back_doomed(&branch);
            }
        }
    }

    /// Rolls back all that is not prepared, at the end of the queue manager: what it got goes back to its
    /// queue, as what the unit of work of a connection got.
    pub fn end_branches(&self) {
        let open: Vec<_> = self.units.branches.table.lock().open.values().cloned().collect();
        for branch in open {
            let mut kept = branch.state.lock();
            if !kept.is_over && kept.state.doomed().is_none() {
                kept.state.doom(RollbackCause::Other);
                self.roll_back_doomed(&branch);
            }
        }
    }
}

/// A branch that is prepared, or was decided by hand.
pub(super) struct Decided {
    unit: UnitId,
    user: String,
    by_hand: bool,
}

impl Queues {
    /// Does something with a branch that is not prepared; none if there is no such branch here.
    fn with_open_branch<T>(
        &self,
        id: &BranchId,
        act: impl FnOnce(&Arc<Branch>, &mut Kept) -> T,
    ) -> Option<T> {
        let branch = self.units.branches.find(id)?;
        let mut kept = branch.open()?;
        Some(act(&branch, &mut kept))
    }

    /// Makes the decision about a branch that is not prepared, if there is one; it is over unless the
    /// decision does not fit its state. None if there is no such branch here.
    fn decide_open<T>(
        &self,
        id: &BranchId,
        user: BranchUser<'_>,
        decide: impl FnOnce(&Arc<Branch>, &mut Kept) -> Result<BranchOutcome<T>, BranchRefusal>,
    ) -> Option<BranchOutcome<T>> {
        let branch = self.units.branches.find(id)?;
        let mut kept = branch.open()?;
        if !user.may_decide(&branch.user) {
            drop(kept);
            return Some(Gated::new(self.absence_of_branches(), Err(BranchRefusal::Unknown)));
        }
        kept.look_at_unit(&branch);
        let answer = match decide(&branch, &mut kept) {
            Ok(answer) => answer,
            Err(refusal @ BranchRefusal::RolledBack(_)) => Gated::free(Err(refusal)),
            Err(refusal) => return Some(Gated::free(Err(refusal))),
        };
        kept.is_over = true;
        drop(kept);
        self.units.branches.remove(&branch, answer.need());
        Some(answer)
    }

    /// Decides a branch that is prepared.
    fn decide(&self, id: &BranchId, user: BranchUser<'_>, decision: Decision) -> BranchOutcome<()> {
        match self.decided_branch(id) {
            (Some(decided), _) if user.may_decide(&decided.user) => {
                self.settle_branch(decided.unit, decision)
            }
            (_, need) => Gated::new(need.max(self.absence_of_branches()), Err(BranchRefusal::Unknown)),
        }
    }

    /// Ends a branch that is prepared, by the name of its unit of work.
    pub fn settle_branch(&self, unit: UnitId, decision: Decision) -> BranchOutcome<()> {
        self.settle(unit, decision).map(|settled| match settled {
            Ok(Settled::AsDecided) => Ok(()),
            Ok(Settled::ByHand(resolved)) => Err(by_hand(&resolved)),
            Err(_) => Err(BranchRefusal::Unknown),
        })
    }

    /// The answer to a call that no branch which is prepared or decided by hand takes.
    fn refuse_decided<T>(
        &self,
        id: &BranchId,
        user: BranchUser<'_>,
        prepared: BranchRefusal,
    ) -> BranchOutcome<T> {
        let (decided, need) = self.decided_branch(id);
        let refusal = match decided {
            Some(decided) if user.may_decide(&decided.user) => prepared,
            _ => BranchRefusal::Unknown,
        };
        Gated::new(need.max(self.absence_of_branches()), Err(refusal))
    }

    /// The branch of this identifier that is prepared or was decided by hand, and the position that must be
    /// durable before a caller learns of it, or that there is none.
    pub(super) fn decided_branch(&self, id: &BranchId) -> (Option<Decided>, Lsn) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (prepared, need) = self.units.find_branch(id);
        if let Some(unit) = prepared {
            return (Some(Decided { unit: unit.name, user: text(unit.user()), by_hand: false }), unit.need());
        }
        let table = self.state_objects.lock();
        match table.resolved_branch(id) {
            Some((branch, known)) => {
                let user = text(&branch.user);
                (Some(Decided { unit: branch.unit, user, by_hand: true }), need.max(known))
            }
            None => (None, need.max(table.absence_need())),
        }
    }

    fn is_decided_by_hand(&self, id: &BranchId) -> bool {
        self.decided_branch(id).0.is_some_and(|decided| decided.by_hand)
    }

    /// The position that must be durable before a caller learns that a branch is nowhere.
    fn absence_of_branches(&self) -> Lsn {
        let absence = self.state_objects.lock().absence_need();
        self.units.last_end().max(absence).max(self.units.branches.last_end())
    }

    /// Sets room aside for the record that prepares a branch.
    fn keep_room_to_prepare(&self, branch: &Branch) -> Result<(), Reason> {
        let room = self.reserve(RESERVED_TO_PREPARE, Purpose::Drain)?;
        branch.slot.lock().keep_to_prepare(room);
        Ok(())
    }

    /// Undoes the unit of work of a branch that is over.
    fn roll_back(&self, branch: &Branch) {
        let work = branch.slot.lock().end();
        self.back_out(work);
    }

    /// Undoes the unit of work of a branch that is kept, so that its coordinator learns of it.
    fn roll_back_doomed(&self, branch: &Branch) {
        let work = branch.slot.lock().doom();
        self.back_out(work);
    }
}

/// Cause for which a branch is rolled back that could not be prepared.
pub(super) fn cause_of_refusal(reason: Reason) -> RollbackCause {
    match reason {
        // What it retains cannot wait for a decision.
        Reason::UOW_NOT_AVAILABLE => RollbackCause::Other,
        Reason::CONNECTION_BROKEN => RollbackCause::ConnectionLost,
        _ => RollbackCause::NoRoom,
    }
}

fn by_hand(resolved: &ResolvedBranch) -> BranchRefusal {
    BranchRefusal::ByHand(if resolved.is_committed { Heuristic::Committed } else { Heuristic::BackedOut })
}
