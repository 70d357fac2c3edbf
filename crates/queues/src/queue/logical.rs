//! Gets that ask something of groups and segments: which message is theirs, and when a message that arrives
//! makes one so.
//!
//! - **In logical order** a handle in the middle of a group or logical message gets the next of it, or waits
//!   for that. Otherwise it gets the first, in the order of the queue, of the heads of groups and the
//!   messages that belong to none (see `groups`).
//! - **In physical order** it gets the first message of which enough is ready: its logical message, or its
//!   group.
//! - **Joined**, a logical message is where its first segment is.
//!
//! A message of a group that arrives is linked before any getter is served, as it may make others ready.
//! Candidates are the longest waiting getter that takes the message as it is, and getters that its group now
//! serves; the one that waits longest is served first, and so on.

use std::sync::Arc;

use platform::Monotonic;

use super::delivery::Delivered;
use super::entry::{Entry, EntryState, NONE, Slot};
use super::groups::Readiness;
use super::order::Position;
use super::request::{Action, Grouping, Request, Start};
use super::waiters::Ticket;
use super::{Queue, State};
use crate::ground::time::NEVER;
use crate::message::group_place::{Key, is_head, is_segment};
use crate::queues::Queues;

impl Request {
    /// True if a browse that goes on has this position still before it.
    pub(super) fn is_behind(&self, position: Position) -> bool {
        self.beginning().is_none_or(|cursor| position > cursor.position)
    }
}

impl State {
    /// True if enough of a message's group is there to give it to a getter that is not in the middle of it.
    pub(super) fn is_ready(&self, grouping: &Grouping, entry: &Entry) -> bool {
        let (Some(place), Some(key)) = (entry.member_place(), entry.group_key()) else { return true };
        let begins = match (grouping.in_order, grouping.joins) {
            (true, _) => is_head(place),
            (false, true) => place.offset == 0,
            (false, false) => true,
        };
        // What a group without a gap passes over is not given out as a part of it.
        let counts = || {
            let first = self.groups.at(&key, place.sequence_number, place.offset);
            first.is_some_and(|first| self.slab[first].sequence == entry.sequence)
        };
        begins
            && (grouping.readiness == Readiness::First && !grouping.in_order
                || self.groups.is_ready(&key, place.sequence_number, grouping.readiness) && counts())
    }

    /// The first available message for a get that asks something of groups.
    pub(super) fn find_grouped(&self, request: &Request, grouping: &Grouping, now: Monotonic) -> Slot {
        if request.start == Start::AtCursor {
            return self.at_cursor_ready(request, grouping, now);
        }
        if let Some(next) = &grouping.next {
            let slot = self.groups.at(&next.key, next.sequence_number, next.offset);
            let fits = |slot: &Slot| {
                self.slab[*slot].deadline > now
                    && self.may_follow(grouping, *slot)
                    && !self.marks.hide(*slot, request, now)
            };
            return slot.filter(fits).unwrap_or(NONE);
        }
        let may_be_searched = grouping.in_order && request.criteria.key().is_none();
        if !may_be_searched {
            return self.find_from(request, now);
        }
        let fits = |slot: Slot| self.fits(request, slot, now);
        let after = request.beginning();
        let after_position = after.map(|cursor| cursor.position);
        let head = self.groups.first_head(grouping.readiness, after_position, fits);
        let lone = self.first_lone(after, head.map(|(position, _)| position), fits);
        lone.or_else(|| head.map(|(_, slot)| slot)).unwrap_or(NONE)
    }

    /// As any get, but behind the head that a browse in logical order has reached.
    fn find_from(&self, request: &Request, now: Monotonic) -> Slot {
        let Some(after) = request.beginning().filter(|_| request.start == Start::AfterCursor) else {
            return self.find_physical(request, now);
        };
        let mut slot = self.after_cursor(after);
        while slot != NONE && !self.fits(request, slot, now) {
            slot = self.order.after(&self.slab, slot);
        }
        slot
    }

    /// The first message that belongs to no group and stands before a position.
    fn first_lone(
        &self,
        after: Option<super::request::Cursor>,
        before: Option<Position>,
        fits: impl Fn(Slot) -> bool,
    ) -> Option<Slot> {
        if self.order.count() == self.groups.members() {
            return None;
        }
        let mut slot = match after {
            None => self.order.first(),
            Some(cursor) => self.after_cursor(cursor),
        };
        while slot != NONE {
            let entry = &self.slab[slot];
            if before.is_some_and(|before| Position::of(entry, self.fifo()) > before) {
                return None;
            }
            if entry.member_place().is_none() && fits(slot) {
                return Some(slot);
            }
            slot = self.order.after(&self.slab, slot);
        }
        None
    }

    /// True if the next message of a group may be given to the getter in the middle of it.
    fn may_follow(&self, grouping: &Grouping, slot: Slot) -> bool {
        let entry = &self.slab[slot];
        let (Some(place), Some(key)) = (entry.member_place(), entry.group_key()) else { return false };
        let begins = place.offset == 0 || !grouping.joins;
        begins && self.groups.is_ready(&key, place.sequence_number, grouping.readiness)
    }

    /// True if a message that the getter's own handle has locked, and that is therefore in no group's count,
    /// may be given to it.
    pub(super) fn may_be_unlocked(&self, request: &Request, entry: &Entry) -> bool {
        let Some(grouping) = request.grouping.as_deref().filter(|_| request.start != Start::AtCursor) else {
            return true;
        };
        let member = entry.member_place().zip(entry.group_key());
        match (member, &grouping.next) {
            (None, next) => next.is_none(),
            (Some((place, key)), Some(next)) => {
                let place = (place.sequence_number, place.offset);
                !grouping.joins && key == next.key && place == (next.sequence_number, next.offset)
            }
            (Some((place, _)), None) => grouping.readiness == Readiness::First && is_head(place),
        }
    }

    fn at_cursor_ready(&self, request: &Request, grouping: &Grouping, now: Monotonic) -> Slot {
        let slot = self.at_cursor(request, now);
        if slot == NONE || !grouping.joins {
            return slot;
        }
        let entry = &self.slab[slot];
        match (entry.member_place(), entry.group_key()) {
            // Who asks for it joined is told that it is not where it begins.
            (Some(place), Some(key)) if is_segment(place) && place.offset == 0 => {
                let is_whole = self.groups.is_ready(&key, place.sequence_number, Readiness::Message);
                if is_whole { slot } else { NONE }
            }
            _ => slot,
        }
    }

    /// True if a message that came to this place of a group serves a waiting getter.
    fn is_served_by(&self, request: &Request, arrived: (Key, i32), now: Monotonic) -> bool {
        let Some(grouping) = &request.grouping else { return false };
        let (key, number) = arrived;
        if let Some(next) = &grouping.next {
            return next.key == key && self.find_grouped(request, grouping, now) != NONE;
        }
        let is_theirs = |slot: Slot| {
            let entry = &self.slab[slot];
            let in_sight = match request.start {
                Start::AfterCursor => request.is_behind(Position::of(entry, self.fifo())),
                Start::First | Start::AtCursor => true,
            };
            in_sight && self.fits(request, slot, now) && request.may_select(entry)
        };
        if grouping.in_order {
            return self.groups.at(&key, 1, 0).is_some_and(is_theirs);
        }
        let of_message = (grouping.readiness != Readiness::Group).then_some(number);
        self.groups.slots(&key, of_message).any(is_theirs)
    }
}

impl Queue {
    /// Makes a message of a group available and serves waiting getters, while some ask for groups.
    pub(super) fn arrive_in_group(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        now: Monotonic,
    ) {
        let entry = &state.slab[slot];
        let (sequence, deadline) = (entry.sequence, entry.deadline);
        let key = entry.group_key().expect("a member has a group");
        let arrived = (key, entry.member_place().expect("a member has a place").sequence_number);
        state.link(slot);
        if deadline != NEVER {
            state.want_tick(&queues.ground, self.id, super::expiry::tick_for(deadline));
        }
        loop {
            let fifo = state.fifo();
            let there = state.slab.get_if(slot, sequence);
            let there = there.filter(|entry| entry.state == EntryState::Available && entry.deadline > now);
            let sees = |request: &Request| !state.marks.hide(slot, request, now);
            let as_it_is = there.and_then(|entry| state.waiters.oldest_match(entry, fifo, sees));
            let by_group = state.waiters.oldest_grouping(|request| state.is_served_by(request, arrived, now));
            match (as_it_is, by_group) {
                (None, None) => return,
                (Some(ticket), None) => self.offer(state, queues, slot, ticket, now),
                (None, Some(ticket)) => self.look_again(state, queues, ticket),
                (Some(one), Some(other)) if one.number < other.number => {
                    self.offer(state, queues, slot, one, now);
                }
                (Some(_), Some(ticket)) => self.look_again(state, queues, ticket),
            }
        }
    }

    /// Gives an available message to a waiter that takes it as it is.
    fn offer(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        ticket: Ticket,
        now: Monotonic,
    ) {
        let Some(waiter) = state.waiters.remove(ticket) else { return };
        if waiter.request.action != Action::Browse {
            state.unlink(slot, EntryState::Reserved);
        }
        let is_browse = waiter.request.action == Action::Browse;
        let delivered = self.hand_off(state, queues, slot, waiter, now);
        if delivered == Delivered::Kept && !is_browse {
            state.link(slot);
        }
    }
}
