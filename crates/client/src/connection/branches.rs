//! Branches of transactions: the connection as the resource manager of a transaction manager.
//!
//! Always: a connection that makes its link anew takes no part. What it does behind that would be of no
//! branch, and its program would not know.

use super::{Connection, Unit};
use crate::connection::unheard::Unheard;
use crate::inbox::Answer;
use ::channel::Request;
use ::channel::client::BranchCall;
use ::channel::login::Offers;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, Branches,
    PreparedCopy, XA_OK, XA_RDONLY,
};
use mqi::{GetOptions, MessageDescriptor, ObjectHandle, Reason};

impl Connection {
    /// True if the queue manager takes calls on branches: one of an earlier release does not, nor does a
    /// connection that makes its link anew.
    #[must_use]
    pub fn offers_branches(&self) -> bool {
        self.link.welcome.offers.contains(Offers::BRANCHES) && !self.channel.reconnects()
    }

    /// Refuses the ends of a unit of work that its coordinator ends.
    pub(super) fn ends_its_units(&self) -> Result<(), Reason> {
        if self.unit.is_branch { Err(Reason::ENVIRONMENT_ERROR) } else { Ok(()) }
    }

    /// Makes a call, and returns the number of its answer.
    fn call_branch(&mut self, call: BranchCall, branch: &BranchId) -> Result<i32, BranchRefusal> {
        match self.ask_of_branches(&Request::Branch { call, branch: *branch })? {
            Answer::Branch(code) if matches!(code, XA_OK | XA_RDONLY) => Ok(code),
            Answer::Branch(code) => Err(BranchRefusal::of_code(code)),
            _ => Err(BranchRefusal::Failed),
        }
    }

    fn ask_of_branches(&mut self, request: &Request<'_>) -> Result<Answer, BranchRefusal> {
        if !self.offers_branches() {
            return Err(BranchRefusal::Failed);
        }
        if self.has_ended || self.is_lost_by_now() {
            return Err(BranchRefusal::Lost);
        }
        match self.ask_plainly(request) {
            Ok(Answer::Failed { reason: Reason::CONNECTION_BROKEN, .. }) | Err(_) => Err(BranchRefusal::Lost),
            Ok(answer) => Ok(answer),
        }
    }

    /// Gives back what came ahead: what is got from here on is of another unit of work. What came for good is
    /// of none, and stays.
    fn give_all_ahead_back(&mut self) -> Result<(), BranchRefusal> {
        self.confirm_unit();
        for number in 1..=self.handles.len() {
            let handle = ObjectHandle(number as i32);
            let has_stream = self.handle(handle).is_ok_and(|open| open.stream.is_some());
            if !has_stream {
                continue;
            }
            match self.give_back_ahead(handle) {
                Ok(()) | Err(Reason::OPTIONS_CHANGED) => {}
                Err(_) if self.is_lost_by_now() => return Err(BranchRefusal::Lost),
                Err(_) => return Err(BranchRefusal::Protocol),
            }
        }
        Ok(())
    }
}

impl Branches for Connection {
    fn start_branch(&mut self, branch: &BranchId, how: BranchStart) -> Result<(), BranchRefusal> {
        self.give_all_ahead_back()?;
        self.call_branch(BranchCall::Start(how), branch)?;
        self.unit.is_branch = true;
        Ok(())
    }

    fn end_branch(&mut self, branch: &BranchId, how: BranchEnd) -> Result<(), BranchRefusal> {
        self.give_all_ahead_back()?;
        let ended = self.call_branch(BranchCall::End(how), branch).map(drop);
        if !matches!(ended, Err(BranchRefusal::Protocol | BranchRefusal::Unknown)) {
            self.unit = Unit::default();
            self.unheard_in_unit = Unheard::default();
        }
        ended
    }

    fn prepare_branch(&mut self, branch: &BranchId) -> Result<BranchPrepared, BranchRefusal> {
        let code = self.call_branch(BranchCall::Prepare, branch)?;
        Ok(if code == XA_RDONLY { BranchPrepared::ReadOnly } else { BranchPrepared::Prepared })
    }

    fn commit_branch(&mut self, branch: &BranchId, how: BranchCommit) -> Result<(), BranchRefusal> {
        self.call_branch(BranchCall::Commit(how), branch).map(drop)
    }

    fn back_out_branch(&mut self, branch: &BranchId) -> Result<(), BranchRefusal> {
        self.call_branch(BranchCall::BackOut, branch).map(drop)
    }

    fn forget_branch(&mut self, branch: &BranchId) -> Result<(), BranchRefusal> {
        self.call_branch(BranchCall::Forget, branch).map(drop)
    }

    fn prepared_message(
        &mut self,
        branch: &BranchId,
        place: u32,
    ) -> Result<Option<PreparedCopy>, BranchRefusal> {
        if !self.link.welcome.offers.contains(Offers::PREPARED_MESSAGES) {
            return Err(BranchRefusal::Failed);
        }
        let request = Request::PreparedMessage { branch: *branch, place, bytes_max: u32::MAX };
        match self.ask_of_branches(&request)? {
            Answer::Got(letters) => {
                let (mut descriptor, mut options) = (MessageDescriptor::default(), GetOptions::default());
                let got = self.answered_with(letters, &mut descriptor, &mut options, &mut None);
                match got.ok_or(BranchRefusal::Lost)? {
                    Ok(got) => Ok(Some(PreparedCopy { descriptor, got })),
                    Err(reason) => Err(BranchRefusal::of_reason(reason)),
                }
            }
            Answer::Failed { reason: Reason::NO_MSG_AVAILABLE, .. } => Ok(None),
            Answer::Failed { reason, .. } => Err(BranchRefusal::of_reason(reason)),
            _ => Err(BranchRefusal::Failed),
        }
    }

    fn list_branches(&mut self, list: &BranchList) -> Result<Vec<BranchId>, BranchRefusal> {
        match self.ask_of_branches(&Request::ListBranches(list.clone()))? {
            Answer::Branches(branches) => Ok(branches),
            _ => Err(BranchRefusal::Failed),
        }
    }
}
