//! The messages that a prepared branch has got, as copies for its coordinator.
//!
//! Lives here: finding one, its copy, and the answer, whose way to the caller is that of a get. Lives
//! elsewhere: the branches (`unit_of_work::branches`, `unit_of_work::prepared`).
//!
//! Always: the message stays as it is. A caller that is not told of a branch is not told of its messages.

use std::sync::Arc;

use mqi::branch::BranchId;
use mqi::{GetFlags, GetOptions, Reason};

use super::Queue;
use super::entry::Slot;
use super::getter::{Get, WaitToken};
use super::got_message::GotMessage;
use super::party::Party;
use super::request::{Action, Criteria, Request, Start};
use crate::gate::Gated;
use crate::ground::Ground;
use crate::message::presentation::Asked;
use crate::queues::Queues;
use crate::unit_of_work::branches::BranchUser;

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

impl Queue {
    /// Copies such a message, if it is in memory, in the form that a plain get gives.
    fn held_copy(&self, ground: &Ground, slot: Slot, sequence: u64, bytes_max: usize) -> Option<GotMessage> {
        let state = self.lock();
        state.slab.get_if(slot, sequence)?.payload.as_ref()?;
        let request = Request {
            criteria: Criteria::default(),
            handle: 0,
            unit: None,
            grouping: None,
            action: Action::Browse,
            start: Start::First,
            only_looks: false,
            looking: GetFlags::EMPTY,
            bytes_max,
            accept_truncated: false,
            fail_if_quiescing: false,
            outlasts_inhibition: false,
            memo: None,
            alias: None,
            resolved_queue_name: self.name,
            tallies: None,
            properties: Asked::of(&GetOptions::default(), None).ok()?,
            conversion: None,
            extension: None,
            selector: None,
        };
        let is_too_long = state.given(slot).is_too_long(&request);
        let warning = is_too_long.then_some(Reason::TRUNCATED_MSG_FAILED);
        Some(self.copy_of(&state, slot, &request, ground.now(), warning))
    }
}
