//! A local queue: its messages in order, its indexes, its waiting getters.
//!
//! Lives here: the queue's lock and what it guards; which message comes first, or next, or matches. Lives
//! elsewhere: a message arriving (`arrival`) and being given out (`delivery`), finding the place of one that
//! comes back among others (`landmarks`), bodies leaving memory (`eviction`) and coming back (`read_back`) or
//! not (`damage`), messages that pass the queue (`passing`), messages handed over without the log
//! (`handing`), what an orderly end keeps (`keeping`), the times of messages that are delivered later
//! (`later`), what comes of time (`expiry`) and of the queue (`ending`).
//!
//! Always: a message's place is its position (rank, sequence); available messages, and only they, are linked
//! in the order of delivery and in the indexes; when the lock is released, no waiter matches an available
//! message; nothing is read from or written to a file under the lock.

pub mod arrival;
pub mod arrived_before;
pub(crate) mod aside;
mod browse_lock;
mod damage;
pub mod delivery;
pub mod due;
pub mod durable;
pub mod ending;
pub mod entry;
mod eviction;
mod expiry;
pub mod getter;
mod given;
pub mod got_message;
pub mod groups;
pub(crate) mod handing;
mod holding;
mod index;
pub(crate) mod keeping;
mod landmarks;
mod later;
mod lists;
mod logical;
pub mod lying;
pub mod marks;
pub mod measured;
mod mending;
mod moving;
mod order;
mod parking;
pub mod party;
mod passing;
pub mod performance;
pub mod prepared_copies;
mod read_back;
mod replayed;
pub mod request;
pub mod room_wait;
mod selecting;
mod series;
pub mod services;
mod spare;
pub mod state;
pub mod status;
mod taking;
mod texts;
mod together;
pub mod token;
pub(crate) mod waiters;
pub(crate) mod watch;
mod whole;

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock, Weak};

use arc_swap::{ArcSwap, ArcSwapOption};
use mqi::ObjectName;
use objects::{DeliverySequence, QueueAttributes};
use platform::sync::{Mutex, MutexGuard};
use platform::{Monotonic, WallTime};
use storage::{Lsn, ObjectId};

use crate::counters::Traffic;
use crate::ground::Ground;
use crate::ground::stored::Stored;
use crate::ground::time::NEVER;
use crate::queue::due::Due;
use crate::queue::party::Party;
use crate::queues::Queues;
use entry::{EntryState, NONE, Slab, Slot};
use groups::{Groups, Member};
use index::Index;
use landmarks::Landmarks;
use later::Later;
use lists::Kind;
use marks::Marks;
use measured::Measured;
use order::{Order, Position};
use request::{Cursor, Request, Start};
use selecting::Scan;
use status::QueueCounters;
use texts::TextIndex;
use token::Token;
use waiters::Waiters;
use watch::{Consequences, Counted, Watch};

/// Messages an index takes in at a time, between which the queue is unlocked: some 100 µs of work.
const INDEX_SLICE: usize = 2048;

/// A queue with no more available messages than this is searched rather than indexed.
const SEARCHED_DEPTH_MAX: usize = 32;

/// A queue that holds messages.
#[derive(Debug)]
pub struct Queue {
    this: Weak<Self>,
    /// Its identifier.
    pub id: ObjectId,
    /// Its name.
    pub name: ObjectName,
    attributes: ArcSwap<QueueAttributes>,
    /// Traffic counters, while it is counted.
    pub(crate) traffic: ArcSwapOption<Traffic>,
    /// The user that made it by opening a model: this user has every right on it.
    maker: OnceLock<Box<str>>,
    state: Mutex<State>,
}

/// State under a queue's lock.
#[derive(Debug)]
pub(crate) struct State {
    /// The queue's attributes, for the holder of the lock: others read them from a published snapshot.
    attributes: Arc<QueueAttributes>,
    slab: Slab,
    order: Order,
    indexes: [Option<Index>; 3],
    /// Indexes by texts that selectors ask for; none for most queues.
    texts: Vec<TextIndex>,
    landmarks: Landmarks,
    groups: Groups,
    waiters: Waiters,
    /// Gets that look through the queue by a selector, a slice at a time.
    scans: Vec<Scan>,
    next_sequence: u64,
    /// Messages put, even if not committed, and not got, even if that is not committed.
    depth: u32,
    /// Messages put or got in units of work that are still open.
    uncommitted: u32,
    /// Puts of units of work that are prepared: a checkpoint moves them like messages that are committed.
    prepared: BTreeSet<Slot>,
    /// Position to which the log must be durable before the absence of a message may be known outside.
    last_change: Lsn,
    /// Available messages that expire.
    expiring: BTreeSet<(Monotonic, Slot)>,
    /// Messages that are delivered later; nothing for most queues.
    later: Option<Box<Later>>,
    /// Memory that this queue's payloads take.
    resident_bytes: u64,
    /// Messages that arrived while memory was short: the first to be evicted.
    cold: VecDeque<(Slot, u64)>,
    /// Messages that were read back, oldest first.
    read_back: VecDeque<(Slot, u64)>,
    /// Persistent messages that were backed out, which a checkpoint must know.
    returned: BTreeSet<Slot>,
    /// Messages set aside because they cannot be read back.
    damaged: BTreeSet<Slot>,
    /// Messages that failed too often stay until then, since no queue took one of them.
    failing_stay_until: Monotonic,
    /// Sequences of the messages whose damage was reported.
    told: BTreeSet<u64>,
    /// When housekeeping will look here.
    tick_at: Monotonic,
    handles: u32,
    input_handles: u32,
    output_handles: u32,
    exclusive: bool,
    /// Handles that share marks.
    co_operating: u32,
    /// Marks of browsers.
    marks: Marks,
    deleted: bool,
    last_put: Option<WallTime>,
    last_got: Option<WallTime>,
    counters: QueueCounters,
    hash_seed: u64,
    /// Where what RESET QSTATS and events tell is counted from.
    counted: Counted,
    /// Triggers and events that its attributes ask for; none for most queues.
    watch: Option<Box<Watch>>,
    /// Measurements; none for most queues.
    measured: Option<Box<Measured>>,
    /// When a trigger message was last made; at first, when this run began.
    triggered_at: Monotonic,
    /// Consequences of the last change of attributes.
    consequences: Consequences,
    /// Parties whose waits an inhibition of gets has ended, until they are told.
    inhibited: Vec<Arc<Party>>,
    /// Work for the thread that lets the lock go.
    due: Vec<Due>,
}

impl Queue {
    /// An empty queue.
    pub fn new(
        id: ObjectId,
        name: ObjectName,
        attributes: QueueAttributes,
        (hash_seed, now): (u64, Monotonic),
    ) -> Arc<Self> {
        let fifo = attributes.delivery_sequence == DeliverySequence::Fifo;
        let attributes = Arc::new(attributes);
        let mut state = State {
            attributes: Arc::clone(&attributes),
            slab: Slab::default(),
            order: Order::new(fifo),
            indexes: [None, None, None],
            texts: Vec::new(),
            landmarks: Landmarks::default(),
            groups: Groups::new(hash_seed),
            waiters: Waiters::new(hash_seed),
            scans: Vec::new(),
            next_sequence: 1,
            depth: 0,
            uncommitted: 0,
            prepared: BTreeSet::new(),
            last_change: Lsn::ZERO,
            failing_stay_until: Monotonic::default(),
            expiring: BTreeSet::new(),
            later: None,
            resident_bytes: 0,
            cold: VecDeque::new(),
            read_back: VecDeque::new(),
            returned: BTreeSet::new(),
            damaged: BTreeSet::new(),
            told: BTreeSet::new(),
            tick_at: NEVER,
            handles: 0,
            input_handles: 0,
            output_handles: 0,
            exclusive: false,
            co_operating: 0,
            marks: Marks::default(),
            deleted: false,
            last_put: None,
            last_got: None,
            counters: QueueCounters::default(),
            hash_seed,
            counted: Counted::from(now),
            watch: None,
            measured: None,
            triggered_at: now,
            consequences: Consequences::default(),
            inhibited: Vec::new(),
            due: Vec::new(),
        };
        Arc::new_cyclic(|this| {
            state.watch(&attributes, this);
            let attributes = ArcSwap::new(attributes);
            let traffic = ArcSwapOption::empty();
            let (maker, state) = (OnceLock::new(), Mutex::new(state));
            Self { this: Weak::clone(this), id, name, attributes, traffic, maker, state }
        })
    }

    /// Notes the user that made it by opening a model.
    pub fn made_by(&self, user: &str) {
        let _ = self.maker.set(user.into());
    }

    /// True for the user that made it by opening a model.
    pub fn is_made_by(&self, user: &str) -> bool {
        !user.is_empty() && self.maker.get().is_some_and(|maker| **maker == *user)
    }

    fn arc(&self) -> Arc<Self> {
        self.this.upgrade().expect("the caller holds the queue")
    }

    /// The attributes in force.
    pub fn attributes(&self) -> arc_swap::Guard<Arc<QueueAttributes>> {
        self.attributes.load()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        let state = self.state.lock();
        assert!(state.due.is_empty(), "the last owner of a queue reports what is due");
        state
    }

    /// Lets the lock go after messages were, or may have been, given out, and does what fell due meanwhile.
    /// The caller's report of its own delivery depends on the position returned.
    fn release(queues: &Queues, mut state: MutexGuard<'_, State>) -> Lsn {
        if state.due.is_empty() {
            return Lsn::ZERO;
        }
        let due = std::mem::take(&mut state.due);
        drop(state);
        queues.report(due)
    }

    /// The lock, once the index that this request needs is there. Indexes are built in slices, so that no get
    /// holds others up.
    fn lock_indexed(&self, request: &Request) -> MutexGuard<'_, State> {
        loop {
            let mut state = self.state.lock();
            if state.prepare_index(request) && (request.selector.is_none() || state.prepare_text(request)) {
                return state;
            }
            MutexGuard::bump(&mut state);
        }
    }

    /// Returns the position that proves the absence of a message.
    pub fn last_change(&self) -> Lsn {
        self.lock().last_change
    }

    /// Counts its messages among those on all queues from now on.
    pub(crate) fn count_in(&self, stored: &Arc<Stored>) {
        self.lock().slab.count_in(stored);
    }

    /// True if it is gone; handles may still lead to it.
    pub fn is_deleted(&self) -> bool {
        self.lock().deleted
    }
}

impl State {
    fn fifo(&self) -> bool {
        self.order.fifo
    }

    /// Makes an entry available: links it at its position.
    fn link(&mut self, slot: Slot) {
        self.link_behind(slot, NONE);
    }

    /// Links a message behind a known available message.
    fn link_behind(&mut self, slot: Slot, before: Slot) {
        let fifo = self.fifo();
        self.slab[slot].state = EntryState::Available;
        self.order.insert_behind(&mut self.slab, &mut self.landmarks, slot, before);
        for index in self.indexes.iter_mut().flatten() {
            index.insert(&mut self.slab, &mut self.landmarks, fifo, slot);
        }
        if self.slab[slot].group.is_some()
            && let Some(member) = Member::of(&self.slab[slot], slot, fifo)
        {
            self.groups.insert(&member);
        }
        let deadline = self.slab[slot].deadline;
        if deadline != NEVER {
            self.expiring.insert((deadline, slot));
        }
        if !self.texts.is_empty() {
            self.note_text(slot);
        }
        if !self.scans.is_empty() {
            self.note_for_scans(slot);
        }
    }

    /// Takes an available entry out of the order and the indexes; the caller says what it is now.
    fn unlink(&mut self, slot: Slot, state: EntryState) {
        assert!(self.slab[slot].state == EntryState::Available, "only available messages are linked");
        let fifo = self.fifo();
        if self.indexes.iter().any(Option::is_some) {
            let following = self.order.after(&self.slab, slot);
            for index in self.indexes.iter_mut().flatten() {
                index.remove(&mut self.slab, fifo, slot, following);
            }
        }
        if !self.texts.is_empty() {
            self.forget_text(slot);
        }
        if self.slab[slot].group.is_some()
            && let Some(member) = Member::of(&self.slab[slot], slot, fifo)
        {
            self.groups.remove(&member);
        }
        self.order.remove(&mut self.slab, slot);
        let deadline = self.slab[slot].deadline;
        if deadline != NEVER {
            self.expiring.remove(&(deadline, slot));
        }
        self.slab[slot].state = state;
        if self.order.count() == 0 {
            self.indexes = [None, None, None];
            self.texts = Vec::new();
        }
    }

    /// True if the index that a request needs is there; takes a slice of the work if not.
    fn prepare_index(&mut self, request: &Request) -> bool {
        let Some((kind, _)) = request.criteria.key() else { return true };
        let place = kind as usize - 1;
        if self.indexes[place].is_none() {
            if self.order.count() <= SEARCHED_DEPTH_MAX {
                return true;
            }
            self.indexes[place] = Some(Index::new(kind, self.hash_seed, self.order.first()));
        }
        let (order, slab, landmarks) = (&self.order, &mut self.slab, &mut self.landmarks);
        let index = self.indexes[place].as_mut().expect("the index was made");
        index.build(slab, landmarks, order.fifo, INDEX_SLICE, |slab, slot| order.after(slab, slot))
    }

    /// The first available message that a request asks for.
    fn find(&self, request: &Request, now: Monotonic) -> Slot {
        match &request.grouping {
            Some(grouping) => self.find_grouped(request, grouping, now),
            None => self.find_physical(request, now),
        }
    }

    /// Finds the request's message in physical order.
    fn find_physical(&self, request: &Request, now: Monotonic) -> Slot {
        let after = match request.start {
            Start::First => None,
            Start::AfterCursor => request.cursor(),
            Start::AtCursor => return self.at_cursor(request, now),
        };
        if let Some(token) = request.criteria.token {
            return self.find_named(token, request, after, now);
        }
        let fits = |slot: Slot| self.fits(request, slot, now);
        match request.criteria.key().map(|(kind, key)| (kind, key, &self.indexes[kind as usize - 1])) {
            Some((kind, key, Some(index))) => self.find_in_chain(index, kind, &key, after, fits),
            _ => {
                let mut slot = match after {
                    None => self.order.first(),
                    Some(cursor) => self.after_cursor(cursor),
                };
                while slot != NONE && !fits(slot) {
                    slot = self.order.after(&self.slab, slot);
                }
                slot
            }
        }
    }

    /// The available message of a token, if a request would be given it.
    fn find_named(&self, token: Token, request: &Request, after: Option<Cursor>, now: Monotonic) -> Slot {
        let Some(entry) = self.slab.get_if(token.slot, token.sequence) else { return NONE };
        let position = Position::of(entry, self.fifo());
        let fits = entry.state == EntryState::Available
            && after.is_none_or(|cursor| position > cursor.position)
            && self.fits(request, token.slot, now);
        if fits { token.slot } else { NONE }
    }

    /// True if a request asks for an available message, and may have it.
    fn fits(&self, request: &Request, slot: Slot, now: Monotonic) -> bool {
        let entry = &self.slab[slot];
        entry.deadline > now
            && (request.looking.is_empty() || !self.marks.hide(slot, request, now))
            && match &request.grouping {
                None => request.criteria.matches(entry),
                Some(grouping) => request.looks_for(entry) && self.is_ready(grouping, entry),
            }
    }

    /// The message after the one that is to be given out, where some gets are to be given that.
    #[cfg(feature = "planted")]
    fn after_the_right_one(&self, slot: Slot, request: &Request) -> Slot {
        let skips = slot != NONE && request.criteria.is_any() && request.start == Start::First;
        if !skips || !storage::planted::strikes(storage::planted::Fault::SwappedOrder) {
            return slot;
        }
        let next = self.order.after(&self.slab, slot);
        if next == NONE { slot } else { next }
    }

    fn find_in_chain(
        &self,
        index: &Index,
        kind: Kind,
        key: &[u8; 24],
        after: Option<Cursor>,
        fits: impl Fn(Slot) -> bool,
    ) -> Slot {
        let fifo = self.fifo();
        let passed =
            |slot: Slot| after.is_some_and(|cursor| Position::of(&self.slab[slot], fifo) <= cursor.position);
        for rank in self.order.ranks() {
            if after.is_some_and(|cursor| rank < cursor.position.rank) {
                continue;
            }
            let mut slot = index.first(&self.slab, fifo, key, rank);
            if let Some(hint) = after.and_then(|cursor| self.hint(cursor)).filter(|hint| {
                let entry = &self.slab[*hint];
                kind.key(entry) == Some(key) && Position::rank_of(entry, fifo) == rank
            }) {
                slot = hint;
            }
            while slot != NONE && (passed(slot) || !fits(slot)) {
                slot = kind.links(&self.slab[slot]).next;
            }
            if slot != NONE {
                return slot;
            }
        }
        NONE
    }

    /// The message a cursor's hint names, if it is still available and comes no later than the cursor's
    /// place. Where the order of delivery has been changed since it may come later, and what lies between
    /// would be passed over.
    fn hint(&self, cursor: Cursor) -> Option<Slot> {
        let entry = self.slab.get_if(cursor.hint, cursor.hint_sequence)?;
        let is_reached = Position::of(entry, self.fifo()) <= cursor.position;
        (entry.state == EntryState::Available && is_reached).then_some(cursor.hint)
    }

    fn after_cursor(&self, cursor: Cursor) -> Slot {
        let Some(mut slot) = self.hint(cursor) else {
            return self.order.after_position(&self.slab, cursor.position);
        };
        while slot != NONE && Position::of(&self.slab[slot], self.fifo()) <= cursor.position {
            slot = self.order.after(&self.slab, slot);
        }
        slot
    }

    fn at_cursor(&self, request: &Request, now: Monotonic) -> Slot {
        let Some(cursor) = request.cursor() else { return NONE };
        let Some(slot) = cursor.message else { return NONE };
        let is_there = self.slab.get_if(slot, cursor.position.sequence).is_some_and(|entry| {
            entry.state == EntryState::Available
                && entry.deadline > now
                && !self.marks.hide(slot, request, now)
        });
        if is_there { slot } else { NONE }
    }

    /// A cursor on an available message.
    fn cursor_on(&self, slot: Slot) -> Cursor {
        let entry = &self.slab[slot];
        let position = Position::of(entry, self.fifo());
        Cursor { position, hint: slot, hint_sequence: entry.sequence, message: Some(slot) }
    }

    /// Returns the place of the cursor when its message leaves: the message before it is where to start
    /// looking.
    fn cursor_leaving(&self, slot: Slot) -> Cursor {
        let position = Position::of(&self.slab[slot], self.fifo());
        let before = self.order.before(&self.slab, slot);
        let hint_sequence = if before == NONE { 0 } else { self.slab[before].sequence };
        Cursor { position, hint: before, hint_sequence, message: None }
    }

    /// Asks housekeeping to come by, unless it will come sooner anyway.
    fn want_tick(&mut self, ground: &Ground, id: ObjectId, at: Monotonic) {
        if at < self.tick_at {
            self.tick_at = at;
            ground.timers.want(at, id, &*ground.host);
        }
    }
}
