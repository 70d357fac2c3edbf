//! Messages that pass a queue: straight from the putter to a getter that waits.
//!
//! Lives here: when nothing but that has to happen, and what is counted then. Lives elsewhere: messages that take their place on the
//! queue first, and may be offered to the same getter from there (`arrival`, `delivery`).
//!
//! Always: a message passes only if normal delivery would offer it first to the same getter, which would take
//! it at once; it has a sequence like any other message, and is counted as put and as got. No message on the
//! queue comes before it for this getter, which would not wait then.

use std::sync::Arc;

use mqi::CorrelationId;
use platform::Monotonic;

use super::arrival::Facts;
use super::entry::{Entry, NONE, Slot};
use super::given::Given;
use super::request::{Action, Request};
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::ground::Ground;
use crate::message::Payload;
use crate::message::report_kind::Asked;

impl Queue {
    /// Gives a message that would stand at once to the oldest getter it satisfies, if it need not take its
    /// place for that; else the slot that it takes.
    pub(super) fn pass_or_admit(
        self: &Arc<Self>,
        state: &mut State,
        ground: &Ground,
        (payload, correlation_id): (Arc<Payload>, Option<CorrelationId>),
        facts: Facts,
    ) -> Option<Slot> {
        let bytes = payload.bytes();
        let mut entry = state.entry_for(ground, payload, correlation_id, facts);
        let now = state.now_for_put(ground, facts);
        if self.pass(state, ground, &mut entry, now) {
            state.was_put(facts.put_at);
            return None;
        }
        state.account(ground, bytes);
        Some(state.slab.insert(entry))
    }

    /// Gives a message that would stand at once to the oldest getter it satisfies, if it need not take its place for that. Whether it did.
    fn pass(self: &Arc<Self>, state: &mut State, ground: &Ground, entry: &mut Entry, now: Monotonic) -> bool {
        let Some(ticket) = state.passes_to(entry, now) else { return false };
        let Some(waiter) = state.waiters.get(ticket) else { return false };
        let Some(payload) = entry.payload.take() else { return false };
        let given = Given {
            slot: NONE,
            entry,
            property_control: state.attributes.property_control,
            fails_from: None,
        };
        let got = self.finish_copy(payload, given, &waiter.request, now, None);
        state.count_through();
        state.was_got(ground, entry.leaving(), ground.world.clock.wall_roughly());
        state.answer_where_it_stands(ground, ticket, got);
        true
    }
}

impl State {
    /// Finds the getter that a message passes to, as it is, at once and without a record. None also where the
    /// messages on the queue are watched or measured.
    fn passes_to(&mut self, entry: &Entry, now: Monotonic) -> Option<Ticket> {
        let is_plain = !entry.persistent
            && entry.group.is_none()
            && entry.deadline > now
            && !entry.reports.contains(Asked::DELIVERY)
            && self.watch.is_none()
            && self.measured.is_none();
        if !is_plain {
            return None;
        }
        #[cfg(feature = "planted")]
        if storage::planted::is(storage::planted::Fault::DoubleDelivery) {
            return None;
        }
        self.waiters.end_first_places(now);
        let ticket = self.waiters.oldest_match(entry, self.fifo(), |_| true)?;
        let waiter = self.waiters.get(ticket)?;
        let given =
            Given { slot: NONE, entry, property_control: self.attributes.property_control, fails_from: None };
        (waiter.takes_at_once() && !given.is_too_long(&waiter.request)).then_some(ticket)
    }
}

impl Waiter {
    /// True if it takes a message that is not persistent outside units of work, and its handle remembers
    /// nothing of it.
    fn takes_at_once(&self) -> bool {
        let Self { request, party, .. } = self;
        let Request { action, memo, grouping, only_looks, .. } = request;
        let is_at_once = match action {
            Action::Take(syncpoint) => !syncpoint.is_within(false),
            Action::Reserve(_, which) => !which.sets_aside(false),
            Action::Browse => false,
        };
        is_at_once
            && !only_looks
            && memo.is_none()
            && grouping.is_none()
            && !request.is_selecting()
            && !party.courses.are_used()
            && !party.has_ended()
    }
}
