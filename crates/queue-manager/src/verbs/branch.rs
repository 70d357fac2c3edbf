//! The calls of a coordinator on branches of its transactions.
//!
//! Lives here: a connection as a thread of work, and the users that it may decide for. Lives elsewhere: the
//! branches (`queues::unit_of_work::branches`), the verbs in one, which take [`Connection::unit_slot`].
//!
//! Always: what a connection does in a branch is of the branch's unit of work alone, and ends with the
//! association: no wait that began in it is decided behind that.

use std::cell::Cell;
use std::sync::Arc;

use mqi::Reason;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, RollbackCause,
};
use queues::gate::{BehindGate, Gated};
use queues::queue::getter::Get;
use queues::queue::prepared_copies::PreparedAsk;
use queues::unit_of_work::branches::{BranchOutcome, BranchUser};
use queues::unit_of_work::slot::UnitSlot;
use security::{Asked, Command, Object, Use};
use storage::Lsn;
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};

use crate::connection::Connection;
use crate::verbs::unit::{PreparedWork, UnitOfWork};

/// A connection as a thread of work of transactions that outside coordinators decide.
#[derive(Debug)]
pub struct WorkThread<'a>(&'a mut Connection);

impl Connection {
    /// The connection as a thread of work of outside transactions.
    pub fn branches(&mut self) -> WorkThread<'_> {
        WorkThread(self)
    }
}

impl WorkThread<'_> {
    /// Begins a branch, or comes to one, as `xa_start` says. While the queue manager quiesces none is begun.
    ///
    /// # Errors
    /// `Outside` where the connection has work of its own, `Protocol` where it has a branch or a get that
    /// waits, `Failed` where its user has as many branches as it may.
    pub fn start(&mut self, branch: &BranchId, how: BranchStart) -> BranchOutcome<()> {
        if let Err(refusal) = self.0.may_call(true) {
            return Gated::free(Err(refusal));
        }
        if let Err(refusal) = self.0.has_no_work() {
            return Gated::free(Err(refusal));
        }
        let started = self.0.for_user(|this, user| {
            let bounds = &this.engine.ground().settings.branches;
            let thread = &mut *this.conversation.thread.lock();
            this.engine.queues.start_branch(branch, how, thread, user, bounds)
        });
        self.0.follow_thread();
        started
    }

    /// Leaves a branch, as `xa_end` says. What was set aside for the connection goes back.
    ///
    /// # Errors
    /// `Protocol` where it is in no such branch, or a get waits in it; `RolledBack`.
    pub fn end(&mut self, branch: &BranchId, how: BranchEnd) -> BranchOutcome<()> {
        if let Err(refusal) = self.0.may_call(false) {
            return Gated::free(Err(refusal));
        }
        let party = &self.0.conversation.party;
        let has_waits = !party.waits.lock().is_empty() || !party.held.lock().is_empty();
        #[cfg(feature = "planted")]
        let has_waits = has_waits && !planted::is(Fault::WaitJoinsNext);
        if has_waits && self.0.is_in_branch() {
            return Gated::free(Err(BranchRefusal::Protocol));
        }
        let ended = self.0.for_user(|this, user| {
            this.engine.queues.end_branch(branch, how, &mut this.conversation.thread.lock(), user)
        });
        if self.0.is_in_branch() && !self.0.conversation.thread.lock().is_within() {
            party.courses.end_unit(ended.value().is_ok());
        }
        self.0.follow_thread();
        ended
    }

    /// The branch in which the connection works must be rolled back, since a put of it failed whose outcome
    /// nobody waited for.
    pub fn fail(&mut self) {
        self.0.engine.queues.doom_branch(RollbackCause::Other, &self.0.conversation.thread.lock());
    }

    /// Prepares a branch, as `xa_prepare` says.
    ///
    /// # Errors
    /// `Protocol` where a connection works in it or suspended its work; `RolledBack`; `Unknown`.
    pub fn prepare(&mut self, branch: &BranchId) -> BranchOutcome<BranchPrepared> {
        if let Err(refusal) = self.0.may_call(false) {
            return Gated::free(Err(refusal));
        }
        self.0.for_user(|this, user| this.engine.queues.prepare_branch(branch, user))
    }

    /// Prepares a unit of work beside a connection as a branch of this identifier, which it has from then on.
    /// The rest of it is to be settled; one that is refused is backed out.
    ///
    /// # Errors
    /// `Duplicate` where a branch has the identifier; `RolledBack`.
    pub fn prepare_unit(
        &mut self,
        unit: UnitOfWork,
        branch: &BranchId,
    ) -> (PreparedWork, BranchOutcome<BranchPrepared>) {
        let prepared = match self.0.may_call(false) {
            Err(refusal) => Gated::free(Err(refusal)),
            Ok(()) => {
                let slot = unit.slot();
                self.0.for_user(|this, user| this.engine.queues.prepare_as_branch(slot, branch, user))
            }
        };
        let left = PreparedWork::of(&unit, *prepared.value());
        // What is refused is backed out here.
        drop(unit);
        let outcome = prepared.map(|prepared| {
            prepared.map(|name| match name {
                Some(_) => BranchPrepared::Prepared,
                None => BranchPrepared::ReadOnly,
            })
        });
        (left, outcome)
    }

    /// Commits a branch, as `xa_commit` says.
    ///
    /// # Errors
    /// As of `prepare`; `ByHand`.
    pub fn commit(&mut self, branch: &BranchId, how: BranchCommit) -> BranchOutcome<()> {
        if let Err(refusal) = self.0.may_call(false) {
            return Gated::free(Err(refusal));
        }
        let committed = self.0.for_user(|this, user| {
            this.engine.queues.commit_branch(branch, how, user, |work| this.engine.broker.commit(work, None))
        });
        if self.0.conversation.party.calls.is_any_counted() {
            self.0.conversation.party.calls.count_commit(committed.value().is_ok());
        }
        committed
    }

    /// Rolls a branch back, as `xa_rollback` says.
    ///
    /// # Errors
    /// As of `commit`.
    pub fn back_out(&mut self, branch: &BranchId) -> BranchOutcome<()> {
        if let Err(refusal) = self.0.may_call(false) {
            return Gated::free(Err(refusal));
        }
        if self.0.conversation.party.calls.is_any_counted() {
            self.0.conversation.party.calls.count_backout();
        }
        self.0.for_user(|this, user| this.engine.queues.back_out_branch(branch, user))
    }

    /// Forgets a branch that a person decided, as `xa_forget` says.
    ///
    /// # Errors
    /// `Unknown`; `Protocol` where nobody decided it by hand; `Failed` where the log has no room.
    pub fn forget(&mut self, branch: &BranchId) -> BranchOutcome<()> {
        if let Err(refusal) = self.0.may_call(false) {
            return Gated::free(Err(refusal));
        }
        self.0.for_user(|this, user| this.engine.queues.forget_branch(branch, user))
    }

    /// Gives a copy of a message that a prepared branch has got, by its place among these; 2033 behind the
    /// last, 2255 where there is no such branch of this user. The outcome may come later, as that of a get
    /// that waits.
    pub fn prepared_message(&mut self, ask: PreparedAsk<'_>) -> Get {
        if let Err(reason) = self.0.usable(false) {
            return Get::Done(Gated::free(Err(reason)));
        }
        let party = &self.0.conversation.party;
        let (get, need) =
            self.0.with_user(|this, user| this.engine.queues.prepared_message(ask, user, party));
        match get {
            Get::Done(outcome) => Get::Done(outcome.and_needs(need)),
            Get::Waiting => Get::Waiting,
        }
    }

    /// Lists the branches that this user prepared and that are not forgotten, as `xa_recover` does.
    ///
    /// # Errors
    /// `Lost`, `Failed`.
    pub fn list(&mut self, list: &BranchList) -> BranchOutcome<Vec<BranchId>> {
        match self.0.may_call(false) {
            Err(refusal) => Gated::free(Err(refusal)),
            Ok(()) => {
                let listed = self.0.engine.queues.list_branches(list, self.0.conversation.principal.name());
                listed.map(Ok)
            }
        }
    }
}

impl Connection {
    /// The place of the unit of work of a put or get in syncpoint: that of the branch it works in, else its
    /// own.
    #[inline]
    pub(crate) fn unit_slot(&self) -> &Arc<UnitSlot> {
        &self.unit
    }

    /// The place of the unit of work of the branch it works in, if it does.
    #[inline]
    pub(crate) fn slot_of_branch(&self) -> Option<Arc<UnitSlot>> {
        self.is_in_branch().then(|| Arc::clone(&self.unit))
    }

    /// True if it works in a branch.
    #[inline]
    pub(crate) fn is_in_branch(&self) -> bool {
        !Arc::ptr_eq(&self.unit, &self.conversation.party.unit)
    }

    /// Refuses the ends of units of work, which are those of the coordinator in a branch.
    pub(crate) fn not_in_branch(&self) -> Result<(), Reason> {
        if self.is_in_branch() { Err(Reason::ENVIRONMENT_ERROR) } else { Ok(()) }
    }

    /// Puts and gets go where the thread of work is by now.
    fn follow_thread(&mut self) {
        let within = self.conversation.thread.lock().slot().cloned();
        self.unit = within.unwrap_or_else(|| Arc::clone(&self.conversation.party.unit));
    }

    fn may_call(&self, fail_if_quiescing: bool) -> Result<(), BranchRefusal> {
        self.usable(fail_if_quiescing).map_err(|reason| match reason {
            Reason::CONNECTION_BROKEN => BranchRefusal::Lost,
            _ => BranchRefusal::Failed,
        })
    }

    /// Refuses to come to a branch with work of its own, or while a get waits: what that is given would be of
    /// whichever unit of work is current then.
    fn has_no_work(&self) -> Result<(), BranchRefusal> {
        if self.is_in_branch() {
            return Err(BranchRefusal::Protocol);
        }
        let party = &self.conversation.party;
        if !party.waits.lock().is_empty() || !party.held.lock().is_empty() {
            return Err(BranchRefusal::Protocol);
        }
        let unit = party.unit.lock();
        if unit.operations.is_empty() && unit.is_open() { Ok(()) } else { Err(BranchRefusal::Outside) }
    }

    /// Makes a call on behalf of its user, who may decide the branches of others with the right to resolve
    /// them by hand.
    fn for_user<T>(&self, call: impl FnOnce(&Self, BranchUser<'_>) -> BranchOutcome<T>) -> BranchOutcome<T> {
        let (outcome, need) = self.with_user(call);
        outcome.and_needs(need)
    }

    /// Makes such a call; returns also the position that the judgement of its user needs.
    fn with_user<T>(&self, call: impl FnOnce(&Self, BranchUser<'_>) -> T) -> (T, Lsn) {
        let principal = &self.conversation.principal;
        let maker = self.engine.directory.door.maker(principal);
        let need = Cell::new(Lsn::ZERO);
        let decides_all = || {
            let asked = Asked::new(Object::MANAGER, Use::Command(Command::Resolve));
            let judged = self.engine.directory.door.judge(principal, &asked);
            need.set(judged.need);
            judged.verdict.is_ok()
        };
        let user = BranchUser { name: principal.name(), maker: &maker, decides_all: &decides_all };
        let answer = call(self, user);
        (answer, need.get())
    }
}
