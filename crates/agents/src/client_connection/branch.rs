//! Calls of a coordinator on branches of transactions.

use super::conversation::Conversation;
use super::pending::Pending;
use channel::client::BranchCall;
use channel::{Header, Kind, Reply};
use mqi::Reason;
use mqi::branch::{BranchId, BranchList, BranchPrepared, BranchRefusal, XA_OK};

impl Conversation {
    /// Makes a call on a branch, and answers it by its number.
    pub(super) fn call_branch(&mut self, header: Header, call: BranchCall, branch: &BranchId) {
        let Some(verbs) = &mut self.connection else { return };
        let done = |answer: Result<(), BranchRefusal>| answer.map_or_else(BranchRefusal::code, |()| XA_OK);
        let code = match call {
            BranchCall::Start(how) => verbs.branches().start(branch, how).map(done),
            BranchCall::End(how) => {
                if self.puts.take_unit_failure() {
                    verbs.branches().fail();
                }
                verbs.branches().end(branch, how).map(done)
            }
            BranchCall::Prepare => {
                let prepared = verbs.branches().prepare(branch);
                prepared.map(|prepared| prepared.map_or_else(BranchRefusal::code, BranchPrepared::code))
            }
            BranchCall::Commit(how) => verbs.branches().commit(branch, how).map(done),
            BranchCall::BackOut => verbs.branches().back_out(branch).map(done),
            BranchCall::Forget => verbs.branches().forget(branch).map(done),
        };
        let request = header.request;
        self.push(
            code.map(move |code| Pending::of(Kind::BranchAnswered, request, Ok(Reply::Branch { code }))),
        );
    }

    /// Lists branches.
    pub(super) fn list_branches(&mut self, header: Header, list: &BranchList) {
        let Some(verbs) = &mut self.connection else { return };
        let listed = verbs.branches().list(list);
        let request = header.request;
        self.push(listed.map(move |listed| {
            let reply = listed.map(Reply::Branches).map_err(|refusal| match refusal {
                BranchRefusal::Lost => Reason::CONNECTION_BROKEN,
                _ => Reason::UOW_NOT_AVAILABLE,
            });
            Pending::of(Kind::BranchesListed, request, reply)
        }));
    }
}
