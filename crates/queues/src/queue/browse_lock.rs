//! Messages that a browser has locked (MQGMO_LOCK): only its handle sees them, until it looks at another,
//! unlocks or is closed, or takes it.
//!
//! A locked message is set aside like one that read-ahead reserves: it has left the order of delivery and the
//! indexes, so that other gets cost nothing for it. Its handle remembers it, and looks at it besides what it
//! finds in the order.
//!
//! Always: a handle locks one message at most; what it has locked is `Reserved`, and in the order only while
//! it is being given to that handle.

use std::sync::Arc;

use mqi::{GetFlags, Reason};
use platform::Monotonic;

use super::delivery::{Delivered, Getter};
use super::entry::{EntryState, NONE, Slot};
use super::got_message::GotMessage;
use super::order::Position;
use super::request::{Action, Cursor, HandleMemo, Request, Start};
use super::{Queue, State};
use crate::gate::BehindGate;
use crate::queues::Queues;
use crate::{Gated, Outcome};

/// The message a handle has locked, and the one before it, where it returns without a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locked {
    slot: Slot,
    sequence: u64,
    before: Slot,
    before_sequence: u64,
}

impl HandleMemo {
    fn locked(&self) -> Option<Locked> {
        if self.browses { self.state.lock().locked } else { None }
    }

    /// True if a get that does not browse affects it: the context of the message is saved, or a message is
    /// locked.
    pub fn minds_plain_gets(&self) -> bool {
        self.saves_context || self.locked().is_some()
    }

    /// True if its handle is closed: it locks and marks nothing any more.
    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().is_closed
    }
}

impl Request {
    /// True if locks play a part in it: it asks for one, or its handle has one.
    pub(super) fn concerns_locks(&self) -> bool {
        self.memo
            .as_ref()
            .is_some_and(|memo| self.looking.contains(GetFlags::LOCK) || memo.locked().is_some())
    }
}

impl State {
    /// Returns the message that the request's handle has locked, if it fits the request and comes before
    /// `found`; else `found`.
    #[inline]
    pub(super) fn or_locked(&self, found: Slot, request: &Request, now: Monotonic) -> Slot {
        match request.memo.as_ref().and_then(|memo| memo.locked()) {
            Some(locked) => self.or_this(locked, found, request, now),
            None => found,
        }
    }

    /// Chooses between the message that the handle has locked and the one that was found.
    #[inline(never)]
    fn or_this(&self, locked: Locked, found: Slot, request: &Request, now: Monotonic) -> Slot {
        let Some(entry) = self.slab.get_if(locked.slot, locked.sequence) else { return found };
        let position = Position::of(entry, self.fifo());
        let is_in_sight = match request.start {
            Start::First => true,
            Start::AfterCursor => request.cursor().is_none_or(|cursor| position > cursor.position),
            Start::AtCursor => {
                // By the message and not by its place, which another order of delivery changes.
                let is_on =
                    |cursor: Cursor| cursor.message.is_some() && cursor.position.sequence == entry.sequence;
                request.cursor().is_some_and(is_on)
            }
        };
        let is_asked_for = is_in_sight
            && entry.deadline > now
            && request.looks_for(entry)
            && self.may_be_unlocked(request, entry)
            && request.may_select(entry)
            && !self.marks.hide(locked.slot, request, now)
            && (found == NONE || position < Position::of(&self.slab[found], self.fifo()));
        if is_asked_for { locked.slot } else { found }
    }

    /// A locked message cannot be given to its handle.
    pub(super) fn forget_lock(&self, request: &Request, slot: Slot) {
        if let Some(memo) = &request.memo {
            memo.state.lock().locked.take_if(|locked| locked.slot == slot);
        }
    }

    /// Sets the message a browser is shown aside for it.
    fn set_locked(&mut self, memo: &HandleMemo, slot: Slot) {
        let (sequence, is_linked) =
            (self.slab[slot].sequence, self.slab[slot].state == EntryState::Available);
        let before = if is_linked { self.order.before(&self.slab, slot) } else { NONE };
        let before_sequence = if before == NONE { 0 } else { self.slab[before].sequence };
        if is_linked {
            self.unlink(slot, EntryState::Reserved);
        }
        let mut state = memo.state.lock();
        state.locked = Some(Locked { slot, sequence, before, before_sequence });
        if let Some(cursor) = &mut state.cursor {
            // Where to go on from, which the message itself cannot say while it is not in the order.
            (cursor.hint, cursor.hint_sequence) = (before, before_sequence);
        }
    }

    /// The available message that was before a locked one, if it still is there.
    fn before(&self, locked: Locked) -> Slot {
        let before = self.slab.get_if(locked.before, locked.before_sequence);
        if before.is_some_and(|entry| entry.state == EntryState::Available) { locked.before } else { NONE }
    }
}

impl Queue {
    /// Gives up the lock of a handle; true if it had one.
    pub(super) fn release_lock(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        memo: &HandleMemo,
        now: Monotonic,
    ) -> bool {
        let Some(locked) = memo.state.lock().locked.take() else { return false };
        if state.holds(locked.slot, locked.sequence) {
            let before = state.before(locked);
            self.arrive_behind(state, queues, locked.slot, before, now);
        }
        true
    }

    /// A browser that finds nothing, or is about to wait, has no message locked any more.
    pub(super) fn release_lock_of(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        request: &Request,
        now: Monotonic,
    ) {
        if let Some(memo) = &request.memo
            && request.action == Action::Browse
            && !request.only_looks
            && request.start != Start::AtCursor
        {
            self.release_lock(state, queues, memo, now);
        }
    }

    /// MQGMO_UNLOCK: whether a message was locked.
    pub fn unlock(self: &Arc<Self>, queues: &Queues, memo: &HandleMemo) -> bool {
        let mut state = self.lock();
        let was_locked = self.release_lock(&mut state, queues, memo, queues.ground.now());
        Self::release(queues, state);
        was_locked
    }

    /// As [`deliver`](Self::deliver), for a handle that has a lock or asks for one.
    pub(super) fn deliver_and_lock(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let (request, now) = (getter.request, getter.now);
        let memo = request.memo.as_ref().expect("a handle that locks has a memory");
        if memo.is_closed() {
            return (Gated::free(Err(Reason::HOBJ_ERROR)), Delivered::Kept);
        }
        let locked = memo.locked();
        let own = locked.filter(|locked| locked.slot == slot && state.holds(slot, locked.sequence));
        if let Some(own) = own {
            let before = state.before(own);
            state.link_behind(slot, before);
        }
        let (outcome, mut delivered) = self.deliver_plainly(state, queues, slot, getter);
        let mut succeeded = false;
        let outcome = outcome.changed(|result| {
            succeeded = result.as_ref().is_ok_and(|got| got.warning != Some(Reason::TRUNCATED_MSG_FAILED));
            result
        });
        if !succeeded {
            if own.is_some() {
                state.set_locked(memo, slot);
            }
            return (outcome, delivered);
        }
        if request.action != Action::Browse {
            if own.is_some() {
                memo.state.lock().locked = None;
            }
            return (outcome, delivered);
        }
        match own {
            None => drop(self.release_lock(state, queues, memo, now)),
            Some(own) if !request.looking.contains(GetFlags::LOCK) => {
                memo.state.lock().locked = None;
                let before = state.before(own);
                state.unlink(slot, EntryState::Reserved);
                self.arrive_behind(state, queues, slot, before, now);
            }
            Some(_) => {}
        }
        if request.looking.contains(GetFlags::LOCK) {
            state.set_locked(memo, slot);
            delivered = Delivered::Taken;
        }
        (outcome, delivered)
    }
}
