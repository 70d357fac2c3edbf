//! Gets that choose by a selector.
//!
//! A selector judges one message after the other, so a get may have to look at all of a deep queue. The lock
//! is given back after a slice of them; the get is seated meanwhile, in no row, and what arrives at a place
//! it has passed is noted for it. Messages that are not in memory are read back by a job, many at a time.
//!
//! A selector that asks for an identifier, by `JMSCorrelationID = 'x'` among what must hold, judges the
//! messages that may have it and no others: an index by that text finds them (`texts`), however deep the
//! queue.
//!
//! Always: the first message that is selected is found as if the queue had been locked throughout.

use std::sync::Arc;

use mqi::properties::Synonym;
use platform::Monotonic;
use selector::Key;
use storage::ReadError;

use super::entry::{Entry, EntryState, NONE, Slot};
use super::order::Position;
use super::request::{Cursor, Request, Start};
use super::texts::{Place, Said, TextIndex};
use super::waiters::{Ticket, Waiter};
use super::{Queue, SEARCHED_DEPTH_MAX, State};
use crate::message::Payload;
use crate::queues::Queues;

/// Messages judged before the lock is given back: some 100 µs of work.
const JUDGED_MAX: usize = 256;

/// Messages passed by for other reasons before the lock is given back.
const PASSED_MAX: usize = 4096;

/// Progress of a seated get's search.
#[derive(Debug)]
pub(super) struct Scan {
    ticket: Ticket,
    at: Option<Cursor>,
    /// Messages that arrived where it has been.
    missed: Vec<(Position, Slot, u64)>,
}

/// Result of a slice of the search.
pub(super) enum Slice {
    /// This message is selected.
    Found(Slot),
    /// None is.
    Nothing,
    /// This one is not in memory; before it there is nothing.
    Unread(Slot, Option<Cursor>),
    /// There are more to look at.
    More(Option<Cursor>),
}

impl Request {
    /// True if a selector decides. A get of the message under the cursor, or of the next of a group, takes
    /// that message regardless of its selector.
    pub(super) fn is_selecting(&self) -> bool {
        let is_led = self.grouping.as_ref().is_some_and(|grouping| grouping.next.is_some());
        self.selector.is_some() && self.start != Start::AtCursor && !is_led
    }

    /// True if the selector, if there is one, takes a message.
    fn selects(&self, entry: &Entry, payload: &Payload) -> bool {
        self.selector
            .as_ref()
            .is_none_or(|selector| payload.is_selected_on_queue(selector, entry.queue_fields()))
    }

    /// The identifier that its selector asks for, where an index finds messages for it.
    fn text_key(&self) -> Option<Key<'_>> {
        let selector = self.selector.as_ref().filter(|_| self.is_selecting() && self.grouping.is_none())?;
        selector.key()
    }

    /// True if a waiting get would take a message, or might, if it is not in memory.
    pub(super) fn may_select(&self, entry: &Entry) -> bool {
        entry.payload.as_ref().is_none_or(|payload| self.selects(entry, payload))
    }
}

impl Queue {
    /// Seats a selecting get that has more to look at, `at` being where it is.
    pub(super) fn seat_scan(
        self: &Arc<Self>,
        state: &mut State,
        mut waiter: Box<Waiter>,
        at: Option<Cursor>,
    ) -> Result<Ticket, Box<Waiter>> {
        waiter.is_scanning = true;
        let ticket = self.seat(state, waiter)?;
        state.scans.push(Scan { ticket, at, missed: Vec::new() });
        Ok(ticket)
    }

    /// Starts the search of a selecting get from its beginning; a connection that has ended does not search.
    pub(super) fn scan_anew(self: &Arc<Self>, state: &mut State, queues: &Queues, waiter: Box<Waiter>) {
        waiter.party.forget_wait(waiter.series.token);
        let at = waiter.request.beginning();
        match self.seat_scan(state, waiter, at) {
            Ok(ticket) => {
                let queue = Arc::clone(self);
                queues.leave_job(move |queues| queue.scan(queues, ticket));
            }
            Err(waiter) => waiter.abandon(),
        }
    }

    /// Looks on for a seated get until its outcome is known or messages must be read back.
    pub(super) fn scan(self: &Arc<Self>, queues: &Queues, ticket: Ticket) {
        loop {
            let mut state = self.lock();
            let now = queues.ground.now();
            match state.slice_for(ticket, now) {
                None => return,
                Some(Slice::More(_)) => {}
                Some(Slice::Unread(slot, _)) => {
                    let queue = Arc::clone(self);
                    let sequence = state.slab[slot].sequence;
                    queues.leave_job(move |queues| queue.read_and_scan(queues, ticket, slot, sequence));
                    return;
                }
                Some(Slice::Found(slot)) => {
                    self.end_scan(&mut state, queues, ticket, Some(slot), now);
                    Self::release(queues, state);
                    return;
                }
                Some(Slice::Nothing) => {
                    self.end_scan(&mut state, queues, ticket, None, now);
                    Self::release(queues, state);
                    return;
                }
            }
        }
    }

    /// The job: reads messages from `slot` on, then looks on.
    fn read_and_scan(self: &Arc<Self>, queues: &Queues, ticket: Ticket, slot: Slot, sequence: u64) {
        let wanted = self.lock().to_read_from(slot, sequence);
        let mut damage = None;
        for wanted in wanted {
            let result = queues.ground.storage.read(wanted.location);
            let mut state = self.lock();
            let restored = match result {
                Ok(stored) => {
                    state.restore(&queues.ground, wanted, &stored).map_err(|error| error.to_string())
                }
                Err(ReadError::Moved(_)) if !state.is_at(wanted) => Ok(()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(reason) = restored {
                damage = Some((wanted, reason));
                break;
            }
        }
        // What cannot be read cannot be judged. One that was read ahead is met again if none before it is
        // selected.
        if let Some((wanted, reason)) = damage.filter(|(wanted, _)| wanted.slot == slot) {
            let mut state = self.lock();
            let reached = (wanted.slot, wanted.sequence);
            if self.refuse_damaged_there(&mut state, &queues.ground, ticket, reached, &reason) {
                state.scans.retain(|scan| scan.ticket != ticket);
                Self::release(queues, state);
                return;
            }
        }
        self.scan(queues, ticket);
    }

    fn end_scan(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        ticket: Ticket,
        found: Option<Slot>,
        now: Monotonic,
    ) {
        state.scans.retain(|scan| scan.ticket != ticket);
        let Some(mut waiter) = state.waiters.remove(ticket) else { return };
        waiter.is_scanning = false;
        let mut slot = state.or_locked(found.unwrap_or(NONE), &waiter.request, now);
        if slot == NONE {
            slot = state.find_damaged(&waiter.request);
        }
        self.serve(state, queues, slot, waiter, now);
    }
}

impl Request {
    /// Where looking begins: behind the cursor for a browser that goes on.
    pub(super) fn beginning(&self) -> Option<Cursor> {
        match (self.start, &self.grouping) {
            (Start::AfterCursor, Some(grouping)) if grouping.in_order => grouping.after,
            (Start::AfterCursor, _) => self.cursor(),
            (Start::First | Start::AtCursor, _) => None,
        }
    }
}

impl State {
    /// The index by text that a request needs is there; takes a slice of the work if not.
    pub(super) fn prepare_text(&mut self, request: &Request) -> bool {
        let Some(Key { synonym, .. }) = request.text_key() else { return true };
        let place = match self.texts.iter().position(|index| index.synonym() == synonym) {
            Some(place) => place,
            None if self.order.count() <= SEARCHED_DEPTH_MAX => return true,
            None => {
                self.texts.push(TextIndex::new(synonym, self.hash_seed, self.order.first()));
                self.texts.len() - 1
            }
        };
        for _ in 0..JUDGED_MAX {
            let Some(slot) = self.texts[place].building else { return true };
            let next = self.order.after(&self.slab, slot);
            let (at, said) = (self.place_of(slot), self.said(synonym, slot));
            let index = &mut self.texts[place];
            index.building = (next != NONE).then_some(next);
            index.insert(at, &said);
        }
        self.texts[place].building.is_none()
    }

    fn place_of(&self, slot: Slot) -> Place {
        let Position { rank, sequence } = Position::of(&self.slab[slot], self.fifo());
        (rank, sequence, slot)
    }

    fn said(&self, synonym: Synonym, slot: Slot) -> Said {
        let entry = &self.slab[slot];
        let Some(payload) = &entry.payload else { return Said::Unknown };
        payload.text_on_queue(synonym, &entry.correlation_id).map_or(Said::Nothing, Said::Text)
    }

    /// Takes a message that was linked into the indexes by text.
    pub(super) fn note_text(&mut self, slot: Slot) {
        let at = self.place_of(slot);
        for place in 0..self.texts.len() {
            let is_to_come = self.texts[place].building.is_some_and(|next| at >= self.place_of(next));
            if !is_to_come {
                let said = self.said(self.texts[place].synonym(), slot);
                self.texts[place].insert(at, &said);
            }
        }
    }

    /// Takes a message that is about to be unlinked out of them.
    pub(super) fn forget_text(&mut self, slot: Slot) {
        let (at, following) = (self.place_of(slot), self.order.after(&self.slab, slot));
        for index in &mut self.texts {
            if index.building == Some(slot) {
                index.building = (following != NONE).then_some(following);
            }
            index.remove(at);
        }
    }

    /// A message that was read is known from now on.
    pub(super) fn learn_text(&mut self, slot: Slot) {
        let at = self.place_of(slot);
        for place in 0..self.texts.len() {
            if self.texts[place].lacks(at) {
                let said = self.said(self.texts[place].synonym(), slot);
                self.texts[place].remove(at);
                self.texts[place].insert(at, &said);
            }
        }
    }

    /// The index that finds messages for a request, and the texts it asks for.
    fn text_index<'a>(&self, request: &'a Request) -> Option<(&TextIndex, [&'a str; 2])> {
        if self.texts.is_empty() {
            return None;
        }
        let Key { synonym, text, bytes } = request.text_key()?;
        let is_built = |index: &&TextIndex| index.synonym() == synonym && index.building.is_none();
        Some((self.texts.iter().find(is_built)?, [text, bytes]))
    }

    /// Looks at the messages behind `at` that may have one of the texts.
    fn look_by_text(
        &self,
        request: &Request,
        (index, texts): (&TextIndex, [&str; 2]),
        mut at: Option<Cursor>,
        now: Monotonic,
    ) -> Slice {
        for _ in 0..JUDGED_MAX {
            let after = at.map(|at| (at.position.rank, at.position.sequence));
            let Some(slot) = index.next(texts, after) else { return Slice::Nothing };
            let entry = &self.slab[slot];
            if self.fits(request, slot, now) {
                let Some(payload) = &entry.payload else { return Slice::Unread(slot, at) };
                if request.selects(entry, payload) {
                    return Slice::Found(slot);
                }
            }
            at = Some(self.cursor_on(slot));
        }
        Slice::More(at)
    }

    /// Looks at a slice of the queue behind `at`.
    pub(super) fn look(&self, request: &Request, mut at: Option<Cursor>, now: Monotonic) -> Slice {
        if let Some(key) = self.text_index(request) {
            return self.look_by_text(request, key, at, now);
        }
        let mut slot = match at {
            None => self.order.first(),
            Some(cursor) => self.after_cursor(cursor),
        };
        let (mut judged, mut passed) = (0, 0);
        while slot != NONE {
            if judged == JUDGED_MAX || passed == PASSED_MAX {
                return Slice::More(at);
            }
            let entry = &self.slab[slot];
            if self.fits(request, slot, now) {
                let Some(payload) = &entry.payload else { return Slice::Unread(slot, at) };
                if request.selects(entry, payload) {
                    return Slice::Found(slot);
                }
                judged += 1;
            }
            passed += 1;
            at = Some(self.cursor_on(slot));
            slot = self.order.after(&self.slab, slot);
        }
        Slice::Nothing
    }

    /// Looks on for a seated get; none when its wait is over.
    fn slice_for(&mut self, ticket: Ticket, now: Monotonic) -> Option<Slice> {
        let Some(waiter) = self.waiters.get(ticket) else {
            self.scans.retain(|scan| scan.ticket != ticket);
            return None;
        };
        let index = self.scans.iter().position(|scan| scan.ticket == ticket)?;
        let mut scan = self.scans.swap_remove(index);
        let slice = self.look_at_missed(&waiter.request, &mut scan, now).unwrap_or_else(|| {
            let slice = self.look(&waiter.request, scan.at, now);
            if let Slice::More(at) | Slice::Unread(_, at) = slice {
                scan.at = at;
            }
            slice
        });
        self.scans.push(scan);
        Some(slice)
    }

    /// Looks at what arrived behind the place a get has reached: it comes before all that is still to be
    /// looked at.
    fn look_at_missed(&self, request: &Request, scan: &mut Scan, now: Monotonic) -> Option<Slice> {
        let beginning = request.beginning();
        scan.missed.sort_unstable_by(|one, other| other.cmp(one));
        while let Some((position, slot, sequence)) = scan.missed.last().copied() {
            let entry = self.slab.get_if(slot, sequence).filter(|entry| {
                entry.state == EntryState::Available
                    && entry.deadline > now
                    && beginning.is_none_or(|cursor| position > cursor.position)
                    && self.fits(request, slot, now)
            });
            if let Some(entry) = entry {
                let Some(payload) = &entry.payload else { return Some(Slice::Unread(slot, scan.at)) };
                if request.selects(entry, payload) {
                    return Some(Slice::Found(slot));
                }
            }
            scan.missed.pop();
        }
        None
    }

    /// Restarts the searches for groups: a message of a group may make others ready, wherever they are.
    fn begin_grouped_scans_anew(&mut self) {
        for scan in &mut self.scans {
            let request = self.waiters.get(scan.ticket).map(|waiter| &waiter.request);
            if let Some(request) = request.filter(|request| request.grouping.is_some()) {
                scan.at = request.beginning();
                scan.missed.clear();
            }
        }
    }

    /// Notes a message that was linked, for gets that have passed its place.
    pub(super) fn note_for_scans(&mut self, slot: Slot) {
        let fifo = self.fifo();
        if self.slab[slot].member_place().is_some() {
            self.begin_grouped_scans_anew();
        }
        let entry = &self.slab[slot];
        let position = Position::of(entry, fifo);
        for scan in &mut self.scans {
            if scan.at.is_some_and(|at| position <= at.position) {
                scan.missed.push((position, slot, entry.sequence));
            }
        }
    }
}
