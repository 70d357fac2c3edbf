//! The messages that a prepared branch has got, as copies for its coordinator.
//!
//! Lives here: finding one, and the answer. Lives elsewhere: the copy of a message on its queue
//! (`queue::held_copy`), its way to the caller, which is that of a get.
//!
//! Always: the message stays as it is. A caller who is not told of a branch is not told of its messages.

use std::sync::Arc;

use mqi::Reason;
use mqi::branch::BranchId;

use super::branches::BranchUser;
use crate::gate::Gated;
use crate::queue::getter::{Get, WaitToken};
use crate::queue::party::Party;
use crate::queues::Queues;

/// A message of a branch that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct PreparedAsk<'a> {
    /// The branch.
    pub branch: &'a BranchId,
    /// The place of the message among those that the branch has got, from 0.
    pub place: u32,
    /// Most bytes of the body.
    pub bytes_max: usize,
    /// The wait for it, if it is read from the disk.
    pub token: WaitToken,
}

impl Queues {
    /// Gives a copy of a message that a prepared branch has got; 2033 behind the last. One that is not in
    /// memory is read by a job, and comes as the outcome of a wait.
    pub fn prepared_message(&self, ask: PreparedAsk<'_>, user: BranchUser<'_>, party: &Arc<Party>) -> Get {
        let PreparedAsk { branch, place, bytes_max, token } = ask;
        let (unit, ended) = self.units.find_branch(branch);
        let unit = unit.filter(|unit| user.may_decide(&String::from_utf8_lossy(unit.user())));
        let Some(unit) = unit else {
            let (reason, need) = self.without_messages(branch, user);
            return Get::Done(Gated::new(need.max(ended), Err(reason)));
        };
        let need = unit.need();
        let Some((listed, slot)) = unit.got(place) else {
            return Get::Done(Gated::new(need, Err(Reason::NO_MSG_AVAILABLE)));
        };
        // Its queue is not deleted while the branch has a message of it.
        let Some(queue) = self.find(listed.queue) else {
            return Get::Done(Gated::new(need, Err(Reason::OBJECT_DAMAGED)));
        };
        if let Some(copy) = queue.held_copy(&self.ground, slot, listed.sequence, bytes_max) {
            return Get::Done(Gated::new(need, Ok(copy)));
        }
        let party = Arc::clone(party);
        self.leave_job(move |queues| {
            let read = queue.fetch(&queues.ground, slot, listed.sequence);
            let copy = read.and_then(|_| queue.held_copy(&queues.ground, slot, listed.sequence, bytes_max));
            if !party.has_ended() {
                party.completions.complete(token, Gated::new(need, copy.ok_or(Reason::OBJECT_DAMAGED)));
            }
        });
        Get::Waiting
    }
}
