//! Branches of transactions, on the caller's own thread.

use mqi::Reason;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, Branches,
};
use queue_manager::{BranchOutcome, Connection as Engine};

use super::connection::{Connection, run};

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

    fn list_branches(&mut self, list: &BranchList) -> Result<Vec<BranchId>, BranchRefusal> {
        self.call_branch(|connection| connection.branches().list(list))
    }
}
