//! A put outside units of work whose message goes to a waiting getter without the log (decision 0010).
//!
//! Lives here: the conditions on puts and getters, and the fate of the entry. Lives elsewhere: the decision
//! (`hand_over`).
//!
//! Always: a message handed over is on no list, has no location and counts in the depth and as uncommitted,
//! so the queue is neither cleared nor deleted under it; it keeps the room for its record until it is
//! decided.

use std::sync::{Arc, Weak};

use platform::Monotonic;
use storage::Lsn;

use super::arrival::{Facts, Logged};
use super::entry::{Entry, EntryState, Slot};
use super::request::{Action, Request, Syncpoint};
use super::waiters::Waiter;
use super::{Queue, State};
use crate::ground::decision::Decision;
use crate::hand_over::{HandOver, Receipt, Side};
use crate::message::report_kind::Asked;
use crate::queue::party::Party;
use crate::queues::Queues;
use crate::{Gated, Outcome};

/// A message that is handed over, and the content of its record.
#[derive(Debug)]
pub(crate) struct Handed {
    queue: Arc<Queue>,
    slot: Slot,
    sequence: u64,
    facts: Facts,
    logged: Box<Logged>,
}

/// A persistent message that is offered to waiting getters.
pub(super) struct Offer {
    /// Content of its record; none once it was handed over.
    pub(super) logged: Option<Box<Logged>>,
    /// First waiter for it, once that is known and taken out.
    pub(super) first: Option<Box<Waiter>>,
}

impl Queue {
    /// Hands a message that is on no list to the oldest getter it satisfies, if both may do without the log.
    /// None when it must be logged, and that getter is the first it is offered to then.
    pub(super) fn hand_over(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        facts: Facts,
        offer: &mut Offer,
        (putter, now): (&Arc<Party>, Monotonic),
    ) -> Option<Arc<Decision>> {
        let entry = &state.slab[slot];
        let may_do_without_log = offer.logged.as_ref().is_some_and(|logged| !logged.has_fragments())
            && !entry.reports.contains(Asked::DELIVERY)
            && entry.group.is_none()
            && entry.deadline > now
            && putter.completions.tells_of_delivery();
        if !may_do_without_log {
            return None;
        }
        offer.first = state.take_waiter_for(slot, now);
        let waiter = offer.first.as_ref()?;
        let entry = &state.slab[slot];
        let getter = Arc::clone(&waiter.party);
        let qualifies = waiter.request.action == Action::Take(Syncpoint::Outside)
            && (waiter.request.memo.is_none() || !waiter.request.concerns_locks())
            && waiter.request.grouping.is_none()
            && !getter.courses.are_used()
            && fits(entry, &waiter.request)
            && getter.completions.tells_of_delivery()
            && !queues.ground.storage.has_failed()
            && Side::join_both(&putter.side, &getter.side);
        if !qualifies {
            return None;
        }
        let logged = offer.logged.take()?;
        let handed = Handed { queue: Arc::clone(self), slot, sequence: entry.sequence, facts, logged };
        let over = HandOver::new(queues, (putter, &getter), handed);
        // A thread that ends the getter takes this list after the mark; so it is either refused here or taken
        // back there.
        let is_noted = {
            let mut noted = getter.handed.lock();
            let goes_on = !getter.has_ended();
            if goes_on {
                noted.push(Arc::downgrade(&over));
            }
            goes_on
        };
        if !is_noted {
            offer.logged = Some(over.abandon());
            return None;
        }
        let mut got = self.copy_of(state, slot, &waiter.request, now, None);
        let decision = over.decision();
        got.receipt = Some(Receipt(over));
        state.slab[slot].state = EntryState::HandedOver;
        state.uncommitted += 1;
        // Those that stood before it on the queue must not be seen later than it.
        offer.first.take()?.complete(Gated::new(state.last_change, Ok(got)));
        Some(decision)
    }
}

/// True if a message is no longer than its getter takes, whatever the form of its properties.
fn fits(entry: &Entry, request: &Request) -> bool {
    let in_front = entry.payload.as_ref().map_or(0, |payload| request.extension_length(&payload.descriptor));
    entry.body_length as usize + in_front <= request.bytes_max
}

impl Queue {
    /// True if a put outside units of work had better wait a moment: it would be the only message here, and a
    /// getter is about to come.
    pub(crate) fn expects_getter(&self) -> bool {
        let state = self.lock();
        state.slab.used() == 0 && state.waiters.expect_getter()
    }

    /// True if a getter waits.
    pub(crate) fn has_waiter(&self) -> bool {
        self.lock().waiters.count() > 0
    }

    /// A put is about to be made that waited for a getter: notes it where none came.
    pub(crate) fn end_expectation(&self) {
        let mut state = self.lock();
        if state.waiters.count() == 0 {
            state.waiters.was_in_vain();
        }
    }
}

impl Handed {
    pub(crate) fn into_logged(self) -> Box<Logged> {
        self.logged
    }

    /// The getter has it.
    pub(crate) fn deliver(self, queues: &Queues) {
        let mut state = self.queue.lock();
        if state.holds(self.slot, self.sequence) {
            assert!(state.slab[self.slot].state == EntryState::HandedOver, "what is handed over stays so");
            state.count_out(self.slot);
            state.uncommitted -= 1;
            state.counters.handed_over += 1;
            let leaving = state.slab[self.slot].leaving();
            state.was_got(&queues.ground, leaving, queues.ground.world.clock.wall_roughly());
            state.finish(&queues.ground, self.slot, Lsn::ZERO);
        }
        Queue::release(queues, state);
    }

    /// The getter does not get it: it is logged at its sequence and offered to others. Returns the need of
    /// its record.
    pub(crate) fn take_back(mut self, queues: &Queues) -> Lsn {
        let queue = &self.queue;
        let mut state = queue.lock();
        if !state.holds(self.slot, self.sequence) {
            return state.last_change;
        }
        assert!(state.slab[self.slot].state == EntryState::HandedOver, "what is handed over stays so");
        let (_, need) =
            queue.append_put(&mut state, &queues.ground, self.slot, self.facts, &mut self.logged, None);
        state.uncommitted -= 1;
        state.counters.taken_back += 1;
        state.last_change = state.last_change.max(need);
        if queues.ground.memory.is_over() {
            state.mark_cold(self.slot);
        }
        queue.arrive(&mut state, queues, self.slot, queues.ground.now());
        let reported = Queue::release(queues, state);
        need.max(reported)
    }
}

/// The hand-overs noted with a getter, those that are over left out.
pub(crate) type Noted = Vec<Weak<HandOver>>;

/// An answer that waits until a hand-over is decided.
pub(super) fn answer(decision: Arc<Decision>) -> Outcome<()> {
    Gated::free(Ok(())).and_awaits(decision)
}
