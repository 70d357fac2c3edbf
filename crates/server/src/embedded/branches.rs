//! Branches of transactions, on the caller's own thread.

use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, Branches,
    PreparedCopy,
};
use mqi::{GetOptions, MessageDescriptor, Reason};
use queue_manager::{BranchOutcome, Connection as Engine, Get, PreparedAsk};

use super::connection::{Connection, fill_get, run};

impl Connection {
    /// Makes a call and waits until its answer may be known.
    fn call_branch<T: 'static>(
        &mut self,
        call: impl FnOnce(&mut Engine) -> BranchOutcome<T>,
    ) -> Result<T, BranchRefusal> {
        let connection = self.connection.as_mut().ok_or(BranchRefusal::Lost)?;
        let answer = run(connection, call);
        self.open_gate(answer.map(Ok)).unwrap_or_else(|reason| match reason {
            Reason::CONNECTION_BROKEN => Err(BranchRefusal::Lost),
            _ => Err(BranchRefusal::Failed),
        })
    }
}

impl Connection {
    /// A copy of a message that a branch has got, once it may be known.
    fn copy_prepared(&mut self, branch: &BranchId, place: u32) -> Result<PreparedCopy, Reason> {
        let token = self.next_token();
        let connection = self.connection.as_mut().ok_or(Reason::CONNECTION_BROKEN)?;
        let ask = PreparedAsk { branch, place, bytes_max: usize::MAX, token };
        let outcome = match run(connection, |connection| connection.branches().prepared_message(ask)) {
            Get::Done(outcome) => outcome,
            Get::Waiting => self.inbox.wait(token),
        };
        let message = self.open_gate(outcome)?.converted();
        let (mut descriptor, mut options) = (MessageDescriptor::default(), GetOptions::default());
        let got = fill_get(message, &mut descriptor, &mut options, None, &mut |_| ())?;
        Ok(PreparedCopy { descriptor, got })
    }
}

impl Branches for Connection {
    fn start_branch(&mut self, branch: &BranchId, how: BranchStart) -> Result<(), BranchRefusal> {
        self.call_branch(|connection| connection.branches().start(branch, how))
    }

    fn end_branch(&mut self, branch: &BranchId, how: BranchEnd) -> Result<(), BranchRefusal> {
        let has_failed = self.puts.take_unit_failure();
        self.call_branch(|connection| {
            if has_failed {
                connection.branches().fail();
            }
            connection.branches().end(branch, how)
        })
    }

    fn prepare_branch(&mut self, branch: &BranchId) -> Result<BranchPrepared, BranchRefusal> {
        // A branch that finds no room for its record is rolled back.
        self.wait_for_room();
        self.call_branch(|connection| connection.branches().prepare(branch))
    }

    fn commit_branch(&mut self, branch: &BranchId, how: BranchCommit) -> Result<(), BranchRefusal> {
        self.call_branch(|connection| connection.branches().commit(branch, how))
    }

    fn back_out_branch(&mut self, branch: &BranchId) -> Result<(), BranchRefusal> {
        self.call_branch(|connection| connection.branches().back_out(branch))
    }

    fn forget_branch(&mut self, branch: &BranchId) -> Result<(), BranchRefusal> {
        self.call_branch(|connection| connection.branches().forget(branch))
    }

    fn prepared_message(
        &mut self,
        branch: &BranchId,
        place: u32,
    ) -> Result<Option<PreparedCopy>, BranchRefusal> {
        match self.copy_prepared(branch, place) {
            Ok(copy) => Ok(Some(copy)),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(BranchRefusal::of_reason(reason)),
        }
    }

    fn list_branches(&mut self, list: &BranchList) -> Result<Vec<BranchId>, BranchRefusal> {
        self.call_branch(|connection| connection.branches().list(list))
    }
}
