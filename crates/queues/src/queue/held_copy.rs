//! A copy of a message that a unit of work has got and that waits for its decision.

use mqi::{GetOptions, Reason};

use super::Queue;
use super::entry::Slot;
use super::got_message::GotMessage;
use super::request::{Action, Criteria, Request, Start};
use crate::ground::Ground;
use crate::message::presentation::Asked;

impl Queue {
    /// Copies such a message, if it is in memory, in the form that a plain get gives.
    pub(crate) fn held_copy(
        &self,
        ground: &Ground,
        slot: Slot,
        sequence: u64,
        bytes_max: usize,
    ) -> Option<GotMessage> {
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
            looking: mqi::GetFlags::EMPTY,
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
