//! Marks that browsers leave on messages, so that they need not look at them again.
//!
//! A handle's own mark says that it has seen the message. The mark of co-operating handles says that one of
//! them has, and lapses after MARKINT, so that a message is not lost sight of with the browser that was to
//! pass it on. Neither changes what a getter is given.
//!
//! Always: a mark is of a message that is on the queue; none outlives the handles it is of, nor a get of its
//! message, even one that is backed out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mqi::{GetFlags, Reason};
use platform::Monotonic;

use super::entry::Slot;
use super::request::{HandleMemo, Request};
use super::{Queue, State};
use crate::ground::time::NEVER;
use crate::queue::delivery::Delivered;
use crate::queues::Queues;

/// A handle, for what is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The connection.
    pub connection: u64,
    /// The handle.
    pub handle: i32,
}

/// The marks of one queue.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    messages: BTreeMap<Slot, Marked>,
    /// When marks of co-operating handles lapse.
    lapsing: BTreeSet<(Monotonic, Slot)>,
}

/// The marks on one message.
#[derive(Debug, Default)]
struct Marked {
    /// Time at which the mark of the co-operating handles lapses, if there is one.
    co_operating: Option<Monotonic>,
    /// Owners whose own marks are on it.
    owners: Vec<Owner>,
}

impl Marks {
    /// True if a request does not want to see a message because it is marked.
    pub(crate) fn hide(&self, slot: Slot, request: &Request, now: Monotonic) -> bool {
        if !request.looking.contains(GetFlags::UNMARKED_BROWSE_MSG) {
            return false;
        }
        let (Some(memo), Some(marked)) = (&request.memo, self.messages.get(&slot)) else { return false };
        marked.owners.contains(&memo.owner) || memo.co_operates && marked.is_shared(now)
    }

    /// True if no message has a mark.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// A message is got, or gone.
    pub(crate) fn forget(&mut self, slot: Slot) {
        if let Some(marked) = self.messages.remove(&slot) {
            self.forget_lapse(marked.co_operating, slot);
        }
    }

    /// The last handle that shares marks is closed.
    pub(crate) fn end_co_operation(&mut self) {
        self.lapsing.clear();
        self.messages.retain(|_, marked| {
            marked.co_operating = None;
            !marked.owners.is_empty()
        });
    }

    /// A handle is closed.
    fn end(&mut self, owner: Owner) {
        self.messages.retain(|_, marked| {
            marked.owners.retain(|other| *other != owner);
            marked.co_operating.is_some() || !marked.owners.is_empty()
        });
    }

    /// When the next mark lapses.
    pub(crate) fn next_lapse(&self) -> Option<Monotonic> {
        self.lapsing.first().map(|(at, _)| *at)
    }

    /// A message whose shared mark has lapsed.
    fn take_lapsed(&mut self, now: Monotonic) -> Option<Slot> {
        let (at, slot) = *self.lapsing.first()?;
        (at <= now).then(|| self.unshare(slot)).map(|_| slot)
    }

    fn share(&mut self, slot: Slot, until: Monotonic) {
        self.unshare(slot);
        self.messages.entry(slot).or_default().co_operating = Some(until);
        if until != NEVER {
            self.lapsing.insert((until, slot));
        }
    }

    /// Takes the mark of co-operating handles off; whether there was one.
    fn unshare(&mut self, slot: Slot) -> bool {
        let Some(marked) = self.messages.get_mut(&slot) else { return false };
        let until = marked.co_operating.take();
        if marked.owners.is_empty() {
            self.messages.remove(&slot);
        }
        self.forget_lapse(until, slot);
        until.is_some()
    }

    fn forget_lapse(&mut self, until: Option<Monotonic>, slot: Slot) {
        if let Some(until) = until {
            self.lapsing.remove(&(until, slot));
        }
    }
}

impl Marked {
    fn is_shared(&self, now: Monotonic) -> bool {
        self.co_operating.is_some_and(|until| until > now)
    }
}

impl Queue {
    /// Marks a message that is about to be shown to a browser, or takes marks off, as it asks.
    pub(super) fn mark(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        request: &Request,
        now: Monotonic,
    ) -> Result<(), Reason> {
        let (asks, Some(memo)) = (|flag| request.looking.contains(flag), &request.memo) else {
            return Ok(());
        };
        if request.looking.is_empty() {
            return Ok(());
        }
        if memo.is_closed() {
            return Err(Reason::HOBJ_ERROR);
        }
        let marked = state.marks.messages.get(&slot);
        if asks(GetFlags::MARK_BROWSE_CO_OP) {
            if marked.is_some_and(|marked| marked.is_shared(now)) {
                return Err(Reason::MSG_MARKED_BROWSE_CO_OP);
            }
            let interval = queues.ground.limits.mark_interval();
            let until = interval.map_or(NEVER, |interval| now.after(interval));
            state.marks.share(slot, until);
            if until != NEVER {
                state.want_tick(&queues.ground, self.id, until);
            }
        }
        if asks(GetFlags::MARK_BROWSE_HANDLE) {
            let owners = &mut state.marks.messages.entry(slot).or_default().owners;
            if !owners.contains(&memo.owner) {
                owners.push(memo.owner);
            }
        }
        if asks(GetFlags::UNMARK_BROWSE_HANDLE)
            && let Some(marked) = state.marks.messages.get_mut(&slot)
        {
            marked.owners.retain(|owner| *owner != memo.owner);
            if marked.co_operating.is_none() && marked.owners.is_empty() {
                state.marks.messages.remove(&slot);
            }
        }
        if asks(GetFlags::UNMARK_BROWSE_CO_OP) && state.marks.unshare(slot) {
            self.offer_to_browsers(state, queues, slot, now);
        }
        Ok(())
    }

    /// Shows messages whose marks have lapsed to browsers that wait.
    pub(super) fn lapse_marks(self: &Arc<Self>, queues: &Queues, now: Monotonic) {
        let mut state = self.lock();
        while let Some(slot) = state.marks.take_lapsed(now) {
            self.offer_to_browsers(&mut state, queues, slot, now);
        }
        Self::release(queues, state);
    }

    /// Shows an available message to browsers that wait for one without a mark, or look for one.
    fn offer_to_browsers(self: &Arc<Self>, state: &mut State, queues: &Queues, slot: Slot, now: Monotonic) {
        if state.slab.is_available(slot, now) {
            state.note_for_scans(slot);
        }
        while state.slab.is_available(slot, now)
            && let Some(waiter) = state.take_waiter_for(slot, now)
        {
            if self.hand_off(state, queues, slot, waiter, now) == Delivered::Taken {
                return;
            }
        }
    }

    /// A handle is closed: its lock and its marks end.
    pub fn let_go(self: &Arc<Self>, queues: &Queues, memo: &HandleMemo) {
        let mut state = self.lock();
        memo.state.lock().is_closed = true;
        state.marks.end(memo.owner);
        self.release_lock(&mut state, queues, memo, queues.ground.now());
        Self::release(queues, state);
    }
}
