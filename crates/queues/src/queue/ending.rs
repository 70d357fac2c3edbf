//! Opening, clearing, altering and the end of a queue.

use std::sync::Arc;

use mqi::{ObjectName, Reason};
use objects::{DeliverySequence, QueueAttributes};
use storage::{Lsn, Purpose, Record, Sequence};

use super::entry::{EntryState, NONE, Slot};
use super::groups::Groups;
use super::order::Order;
use super::state::Messages;
use super::waiters::Ticket;
use super::{Queue, State};
use crate::queue::party::Party;
use crate::queue::state::{Busy, Cleared};
use crate::queues::Queues;
use crate::{Gated, Outcome};

/// Most messages cleared with one record.
const CLEAR_BATCH: usize = 1000;

/// Use of a queue by a handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Gets: `Some(true)` alone, `Some(false)` with others.
    pub input: Option<bool>,
    /// True for a handle that puts.
    pub output: bool,
    /// Shares marks with other browsers.
    pub co_operates: bool,
}

impl Queue {
    /// Counts a handle in; refuses one that must be alone, or that another wants to be alone. True for the
    /// first that gets.
    pub fn enter(&self, wanted: Use) -> Outcome<bool> {
        let mut state = self.lock();
        let refusal = match wanted.input {
            _ if state.deleted => Some(Reason::UNKNOWN_OBJECT_NAME),
            Some(_) if state.exclusive => Some(Reason::OBJECT_IN_USE),
            Some(true) if state.input_handles > 0 => Some(Reason::OBJECT_IN_USE),
            Some(false) if !self.attributes().shareable && state.input_handles > 0 => {
                Some(Reason::OBJECT_IN_USE)
            }
            _ => None,
        };
        if let Some(reason) = refusal {
            return Gated::new(state.last_change, Err(reason));
        }
        if let Some(exclusive) = wanted.input {
            state.input_handles += 1;
            state.exclusive = exclusive;
        }
        state.output_handles += u32::from(wanted.output);
        state.co_operating += u32::from(wanted.co_operates);
        state.handles += 1;
        Gated::free(Ok(wanted.input.is_some() && state.input_handles == 1))
    }

    /// Counts a handle out.
    pub fn leave(&self, queues: &Queues, used: Use) {
        let mut state = self.lock();
        if used.input.is_some() {
            state.input_handles -= 1;
            state.exclusive = false;
            // Its program may have seen an empty queue a moment before messages came.
            self.note_if_lacking(&mut state);
        }
        state.output_handles -= u32::from(used.output);
        state.co_operating -= u32::from(used.co_operates);
        if used.co_operates && state.co_operating == 0 {
            state.marks.end_co_operation();
        }
        state.handles -= 1;
        Self::release(queues, state);
    }

    /// Takes changed attributes into use; a caller that feels them depends on the record at `need`.
    pub(crate) fn alter(&self, attributes: QueueAttributes, need: Lsn) {
        let mut state = self.lock();
        state.last_change = state.last_change.max(need);
        let fifo = attributes.delivery_sequence == DeliverySequence::Fifo;
        let (get_inhibited, requires_unit) = (attributes.get_inhibited, attributes.requires_unit);
        state.consequences = self.consequences(&attributes);
        state.watch(&attributes, &self.this);
        state.attributes = Arc::new(attributes);
        self.attributes.store(Arc::clone(&state.attributes));
        if fifo != state.fifo() {
            state.reorder(fifo);
        }
        if get_inhibited {
            self.end_waits(&mut state, Reason::GET_INHIBITED);
        }
        if requires_unit {
            // It is closed when this changes; a get that came between is not given what it may not take.
            let need = state.last_change;
            for waiter in state.waiters.take_if(|waiter| waiter.request.action.takes_outside_unit()) {
                waiter.complete(Gated::new(need, Err(Reason::UNIT_OF_WORK_NOT_STARTED)));
            }
        }
    }

    fn end_waits(&self, state: &mut State, reason: Reason) {
        let need = state.last_change;
        for link in state.waiters.tickets_of(|waiter| waiter.request.outlasts_inhibition) {
            state.waiters.shut_out(link);
        }
        for waiter in state.waiters.take_if(|waiter| !waiter.request.outlasts_inhibition) {
            state.inhibited.push(Arc::clone(&waiter.party));
            waiter.complete(Gated::new(need, Err(reason)));
        }
    }

    /// Ends a wait if the alias that it goes through refuses it by now; returns the alias, the reason, and
    /// the position that this depends on. A wait that outlasts an inhibition is shut out by it instead, and
    /// let in after it.
    pub fn meet_alias(
        self: &Arc<Self>,
        queues: &Queues,
        ticket: Ticket,
    ) -> Option<(ObjectName, Reason, Lsn)> {
        let mut state = self.lock();
        let waiter = state.waiters.get(ticket)?;
        let name = *waiter.request.alias.as_ref()?.name();
        let Some((reason, need)) = waiter.request.refused_by_alias() else {
            if waiter.is_shut_out {
                self.look_again(&mut state, queues, ticket);
                Self::release(queues, state);
            }
            return None;
        };
        if waiter.request.is_shut_out_by(reason) {
            state.waiters.shut_out(ticket);
            return None;
        }
        state.waiters.remove(ticket)?.complete(Gated::new(need, Err(reason)));
        Some((name, reason, need))
    }

    /// Gets may not be inhibited any more: those that waited for that look again, in the order in which they
    /// began to wait.
    pub fn let_in(self: &Arc<Self>, queues: &Queues) {
        let mut state = self.lock();
        if state.attributes.get_inhibited {
            return;
        }
        for ticket in state.waiters.tickets_of(|waiter| waiter.is_shut_out) {
            self.look_again(&mut state, queues, ticket);
        }
        Self::release(queues, state);
    }

    /// Takes the parties whose waits an inhibition of gets has ended since the last call, and the
    /// position that this depends on.
    pub fn take_inhibited(&self) -> (Vec<Arc<Party>>, Lsn) {
        let mut state = self.lock();
        (std::mem::take(&mut state.inhibited), state.last_change)
    }

    /// Removes every message, as CLEAR QLOCAL does: not while units of work hold some, nor while it is open.
    pub fn clear(&self, queues: &Queues) -> Result<Cleared, Busy> {
        let mut cleared = Cleared { messages: 0, need: Lsn::ZERO };
        loop {
            let (sequences, persistent) = {
                let mut state = self.lock();
                state.busy(Messages::Purge)?;
                state.readmit_damaged();
                state.first_messages(CLEAR_BATCH)
            };
            if sequences.is_empty() {
                cleared.need = cleared.need.max(self.last_change());
                return Ok(cleared);
            }
            let room = Record::Remove { queue: self.id, sequences: &persistent }.reserved_bytes();
            let mut reservation = queues.reserve(room, Purpose::Drain).map_err(Busy::Refused)?;
            let mut state = self.lock();
            state.busy(Messages::Purge)?;
            let (now_first, persistent) = state.first_messages(sequences.len());
            if now_first != sequences {
                continue;
            }
            let slots: Vec<Slot> = now_first.into_iter().map(|(slot, _)| slot).collect();
            if !persistent.is_empty() {
                let record = Record::Remove { queue: self.id, sequences: &persistent };
                cleared.need =
                    cleared.need.max(queues.ground.storage.append(&record, None, &mut reservation).need);
            }
            if cleared.messages == 0 {
                state.note_queue_purged(queues);
            }
            state.note_purged(queues, sequences.len());
            for slot in slots {
                match state.slab[slot].state {
                    EntryState::Delayed => state.take_delayed(slot, EntryState::Reserved),
                    _ => state.unlink(slot, EntryState::Reserved),
                }
                state.count_out(slot);
                let need = cleared.need.max(state.slab[slot].need);
                state.finish(&queues.ground, slot, need);
                cleared.messages += 1;
            }
        }
    }

    /// Ends the queue: waiters are refused, messages go. Their bytes are free once the log is durable past
    /// the record that `log` appends. A program that closes its temporary queue ends it in spite of other
    /// users.
    pub fn retire(
        &self,
        queues: &Queues,
        messages: Option<Messages>,
        log: &mut dyn FnMut() -> Lsn,
    ) -> Result<(), Busy> {
        let mut state = self.lock();
        if let Some(messages) = messages {
            state.busy(messages)?;
        }
        let need = log();
        state.deleted = true;
        state.last_change = state.last_change.max(need);
        let waiters = state.waiters.take_if(|_| true);
        let slots: Vec<_> = state.slab.slots().collect();
        if messages.is_some() && !slots.is_empty() {
            state.note_queue_purged(queues);
        }
        state.note_purged(queues, slots.len());
        state.order = Order::new(state.fifo());
        state.indexes = [None, None, None];
        state.texts = Vec::new();
        state.landmarks.clear();
        state.groups = Groups::new(state.hash_seed);
        state.expiring.clear();
        state.later = None;
        state.cold.clear();
        state.damaged.clear();
        state.told.clear();
        for slot in slots {
            state.finish(&queues.ground, slot, need);
        }
        (state.depth, state.uncommitted) = (0, 0);
        state.watch = None;
        state.measured = None;
        for waiter in waiters {
            waiter.complete(Gated::new(need, Err(Reason::Q_DELETED)));
        }
        queues.forget(self.id);
        Ok(())
    }
}

impl State {
    /// Why the queue cannot be cleared or ended now.
    pub(super) fn busy(&self, messages: Messages) -> Result<(), Busy> {
        if self.handles > 0 {
            Err(Busy::Open { handles: self.handles })
        } else if self.uncommitted > 0 {
            Err(Busy::Uncommitted { messages: self.uncommitted })
        } else if messages == Messages::Keep && self.depth > 0 {
            Err(Busy::NotEmpty { messages: self.depth })
        } else {
            Ok(())
        }
    }

    fn reorder(&mut self, fifo: bool) {
        let mut slots = Vec::with_capacity(self.order.count());
        while self.order.first() != NONE {
            let slot = self.order.first();
            self.unlink(slot, EntryState::Reserved);
            slots.push(slot);
        }
        self.order = Order::new(fifo);
        self.landmarks.clear();
        slots.sort_by_key(|slot| self.slab[*slot].sequence);
        for slot in slots {
            self.link(slot);
        }
    }

    /// The first messages, those that are delivered later last, and the sequences of the persistent ones
    /// among them.
    fn first_messages(&self, count: usize) -> (Vec<(Slot, u64)>, Vec<Sequence>) {
        let (mut all, mut persistent) = (Vec::new(), Vec::new());
        for slot in self.available().chain(self.delayed()).take(count) {
            let entry = &self.slab[slot];
            all.push((slot, entry.sequence));
            if entry.persistent {
                persistent.push(Sequence(entry.sequence));
            }
        }
        (all, persistent)
    }
}
