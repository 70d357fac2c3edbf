//! Getters that take several messages, one after the other ([`Series`]): whether one that was just given a
//! message waits on.
//!
//! Always: what follows is as if it had asked for the next message in the moment it was given one, and waited
//! then.

use std::sync::Arc;

use super::got_message::GotMessage;
use super::request::Action;
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::gate::BehindGate;
use crate::ground::Ground;
use crate::queue::getter::Series;
use crate::{Gated, Outcome};

impl Queue {
    /// Answers a getter that waited. One that takes more messages waits on, where no other handle gets from
    /// the queue: so the order of turns does not change, and no message on the queue is for it, since there
    /// was none while it waited.
    pub(super) fn answer_one_of_series(
        self: &Arc<Self>,
        state: &mut State,
        ground: &Ground,
        mut waiter: Box<Waiter>,
        outcome: Outcome<GotMessage>,
    ) {
        let next = match outcome.value() {
            Ok(message) => waiter.series.after(message.body.len()),
            Err(_) => None,
        };
        let Some(next) = next.filter(|_| state.lets_wait_on(ground, &waiter, 0)) else {
            return state.answer(waiter, outcome);
        };
        let (party, token) = (Arc::clone(&waiter.party), waiter.series.token);
        waiter.series = next;
        waiter.first_until = None;
        // Renamed in one step, so that a thread that ends one wait after the other ends this, and so does the
        // connection's end.
        let mut waits = party.waits.lock();
        let noted = waits.iter_mut().find(|wait| wait.token == token).filter(|_| !party.has_ended());
        let Some(noted) = noted else {
            drop(waits);
            waiter.series.token = token;
            return state.answer(waiter, outcome);
        };
        (noted.token, noted.ticket) = (next.token, state.waiters.insert(waiter));
        drop(waits);
        let waits_on = |message| GotMessage { waits_on: true, ..message };
        party.completions.complete(token, outcome.changed(|got| got.map(waits_on)));
    }
}

impl Waiter {
    /// Makes it wait for its next message, under a name that its connection can find. False when that has
    /// ended, or the wait with it.
    fn wait_for_next(&mut self, next: Series, ticket: Ticket) -> bool {
        let Self { party, series, .. } = self;
        let mut waits = party.waits.lock();
        let noted = waits.iter_mut().find(|wait| wait.token == series.token).filter(|_| !party.has_ended());
        let Some(noted) = noted else { return false };
        (noted.token, noted.ticket) = (next.token, ticket);
        drop(waits);
        (self.series, self.first_until) = (next, None);
        true
    }
}

impl State {
    /// Answers a getter that was not taken out to be given its message, which depends on nothing. One that
    /// takes more waits on as [above](Queue::answer_one_of_series), where it stands.
    pub(super) fn answer_where_it_stands(&mut self, ground: &Ground, ticket: Ticket, mut got: GotMessage) {
        let Some(waiter) = self.waiters.get(ticket) else { return };
        let token = waiter.series.token;
        let next = waiter.series.after(got.body.len()).filter(|_| self.lets_wait_on(ground, waiter, 1));
        let renewed = next
            .and_then(|next| self.waiters.renew(ticket, |waiter, ticket| waiter.wait_for_next(next, ticket)));
        got.waits_on = renewed.is_some();
        match renewed {
            Some(waiter) => waiter.party.completions.complete(token, Gated::free(Ok(got))),
            None => {
                if let Some(waiter) = self.waiters.remove(ticket) {
                    self.answer(waiter, Gated::free(Ok(got)));
                }
            }
        }
    }

    /// True if a getter that was just given a message may wait for the next as if it had asked again: no
    /// condition that is checked when a get begins may have changed by now. With it so many have a seat.
    fn lets_wait_on(&self, ground: &Ground, waiter: &Waiter, seated: usize) -> bool {
        let Waiter { request, party, .. } = waiter;
        self.input_handles == 1
            && self.waiters.count() == seated
            && self.due.is_empty()
            && !self.deleted
            && !self.attributes.get_inhibited
            && matches!(request.action, Action::Reserve(..))
            && request.memo.is_none()
            && request.grouping.is_none()
            && !request.is_selecting()
            && !party.courses.are_used()
            && !party.calls.is_any_counted()
            && waiter.deadline.is_none()
            && ground.quiescing(request.fail_if_quiescing).is_ok()
    }
}
