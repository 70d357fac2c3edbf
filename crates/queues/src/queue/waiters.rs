//! Gets that wait for a message.
//!
//! Waiters that take any message stand in one row; those that ask for one message or correlation identifier
//! stand in a row for that key; the rest (browsers, several criteria) in a row that is searched. A message
//! looks at the heads of its rows and goes to the oldest ticket; the number of waiters does not matter.
//!
//! A getter that takes several messages at a time may stand first again for a moment when it was just given
//! one (`first_until`): so a burst goes to few programs, each of which is woken once for several messages,
//! and not to every program that waits. When the moment is over it is last.
//!
//! A getter that takes several messages one after the other ([`Series`]) is seated again after each, under
//! the name of its next wait, where no other handle gets from the queue: it need not ask for each. With
//! others it has to, and comes behind them.
//!
//! Always: a seat is taken from the beginning of the wait to its outcome, which is decided under the queue's
//! lock; a waiter whose message is being read back, or that waits for room in the log or until gets are not
//! inhibited any more, keeps its seat but stands in no row.

use std::collections::{BTreeSet, VecDeque};
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use platform::Monotonic;
use smallvec::SmallVec;
use storage::Reservation;

use super::delivery::Getter;
use super::entry::{Entry, Slot};
use super::lists::Kind;
use super::order::Position;
use super::request::{Action, Criteria, Grouping, Request, Start, Syncpoint};
use crate::queue::getter::Series;
use crate::queue::party::Party;

/// The place of a waiter.
pub(crate) type Seat = u32;

/// Ranks from here go to waiters at the end of a row, smaller ones to waiters at its front.
const RANK: u64 = 1 << 63;

const NONE: Seat = u32::MAX;

/// Most times that puts wait for a getter in vain, one after the other.
const IN_VAIN_MAX: u8 = 4;

/// One waiting get.
#[derive(Debug)]
pub struct Waiter {
    pub(crate) party: Arc<Party>,
    /// The next message it waits for, and those it takes after that.
    pub(crate) series: Series,
    /// The demands of the get.
    pub request: Request,
    /// When it gives up; never when absent.
    pub(crate) deadline: Option<Monotonic>,
    /// True if it waits for messages to arrive, not only for one to be read back.
    pub(crate) waits: bool,
    /// Room for the record of the get, from finding a message to its delivery; a wait for one holds none.
    pub(crate) reservation: Option<Reservation>,
    /// Its message is there, but not the room for its record: see [`crate::room`].
    pub(crate) lacks_room: bool,
    /// It looks through the queue by its selector.
    pub(crate) is_scanning: bool,
    /// It waits until gets are not inhibited any more.
    pub(crate) is_shut_out: bool,
    /// The segments of its message are being read back.
    pub(crate) is_joining: bool,
    /// The message being read back for it.
    pub(crate) reading: Option<(Slot, u64)>,
    /// Moment until which it comes before waiters that began earlier.
    pub(crate) first_until: Option<Monotonic>,
}

impl Waiter {
    /// The parts that a delivery is about.
    pub(super) fn getter(&mut self, now: Monotonic) -> Getter<'_> {
        let Self { party, request, series, reservation, .. } = self;
        Getter { party, request, token: series.token, reservation, now }
    }
}

/// Names one wait for good: the seat and the ticket it was taken with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub(crate) seat: Seat,
    pub(crate) number: u64,
}

#[derive(Debug)]
struct Place {
    waiter: Option<Box<Waiter>>,
    ticket: u64,
    /// Its place among all; in a row ascending.
    rank: u64,
    row: RowName,
    previous: Seat,
    next: Seat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowName {
    Nowhere,
    Any,
    Keyed(Kind, [u8; 24]),
    Searched,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    head: Seat,
    tail: Seat,
}

impl Row {
    const EMPTY: Self = Self { head: NONE, tail: NONE };
}

/// The waiting gets of one queue.
#[derive(Debug)]
pub(crate) struct Waiters {
    places: Vec<Place>,
    free: Vec<Seat>,
    next_ticket: u64,
    /// The next rank at the end, and the next at the front.
    ranks: (u64, u64),
    /// Waiters that came first, each with the end of its precedence, the earliest end first; some are gone.
    first: VecDeque<(Monotonic, Ticket)>,
    count: usize,
    any: Row,
    searched: Row,
    keyed: HashTable<(RowName, Row)>,
    hasher: FixedState,
    deadlines: BTreeSet<(Monotonic, Seat)>,
    /// Number of waiters with demands on groups.
    grouping: usize,
    /// Number of waiters whose handle has locks or marks, which may time out.
    minding_time: usize,
    /// Times that a put may yet wait in vain for a getter, until one waits here again.
    waits_for_getter: u8,
}

impl Waiters {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
            next_ticket: 1,
            ranks: (RANK, RANK - 1),
            first: VecDeque::new(),
            count: 0,
            any: Row::EMPTY,
            searched: Row::EMPTY,
            keyed: HashTable::new(),
            hasher: FixedState::with_seed(seed),
            deadlines: BTreeSet::new(),
            grouping: 0,
            minding_time: 0,
            waits_for_getter: 0,
        }
    }

    /// True if a getter outside units of work is about to come, as far as is known: none waits, but one did
    /// since puts last waited in vain a few times.
    pub(super) fn expect_getter(&self) -> bool {
        self.waits_for_getter > 0 && self.count == 0
    }

    /// A put waited for a getter that did not come.
    pub(super) fn was_in_vain(&mut self) {
        self.waits_for_getter = self.waits_for_getter.saturating_sub(1);
    }

    /// Number of waiters, including those whose message is being read back.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// True if the time decides the waiter that is given a message, or the messages that a waiter sees.
    pub(crate) fn mind_time(&self) -> bool {
        self.minding_time > 0 || !self.first.is_empty()
    }

    /// Seats a waiter; it stands in a row unless a message is being read back for it.
    pub(crate) fn insert(&mut self, waiter: Box<Waiter>) -> Ticket {
        let number = self.next_ticket;
        self.next_ticket += 1;
        let is_served =
            waiter.reading.is_some() || waiter.lacks_room || waiter.is_scanning || waiter.is_joining;
        self.grouping += usize::from(waiter.request.grouping.is_some());
        self.minding_time += usize::from(waiter.request.memo.is_some());
        if waiter.request.action == Action::Take(Syncpoint::Outside) {
            self.waits_for_getter = IN_VAIN_MAX;
        }
        let is_nowhere = is_served || waiter.is_shut_out;
        let row = if is_nowhere { RowName::Nowhere } else { row_of(&waiter.request) };
        let deadline = waiter.deadline.filter(|_| !is_served);
        // In a row that is searched the order of tickets is the order of the row.
        let first_until = waiter.first_until.filter(|_| matches!(row, RowName::Any | RowName::Keyed(..)));
        let rank = self.next_rank(first_until.is_some());
        let place = Place { waiter: Some(waiter), ticket: number, rank, row, previous: NONE, next: NONE };
        let seat = match self.free.pop() {
            Some(seat) => {
                self.places[seat as usize] = place;
                seat
            }
            None => {
                self.places.push(place);
                (self.places.len() - 1) as Seat
            }
        };
        self.count += 1;
        self.stand(seat);
        if let Some(deadline) = deadline {
            self.deadlines.insert((deadline, seat));
        }
        let ticket = Ticket { seat, number };
        if let Some(until) = first_until {
            self.first.retain(|(_, other)| other.seat != seat);
            self.first.push_back((until, ticket));
        }
        ticket
    }

    fn next_rank(&mut self, is_first: bool) -> u64 {
        let (last, first) = &mut self.ranks;
        let rank = if is_first { *first } else { *last };
        if is_first {
            *first -= 1;
        } else {
            *last += 1;
        }
        rank
    }

    /// Moves waiters at the front whose moment is over to the end.
    pub(crate) fn end_first_places(&mut self, now: Monotonic) {
        while let Some((_, ticket)) = self.first.pop_front_if(|(until, _)| *until <= now) {
            if self.get(ticket).is_none() {
                continue;
            }
            let row = self.places[ticket.seat as usize].row;
            self.leave(ticket.seat);
            let rank = self.next_rank(false);
            let place = &mut self.places[ticket.seat as usize];
            (place.rank, place.row) = (rank, row);
            self.stand(ticket.seat);
        }
    }

    /// The waiter of a ticket, if the wait is not over.
    pub(crate) fn get(&self, ticket: Ticket) -> Option<&Waiter> {
        let place = self.places.get(ticket.seat as usize)?;
        place.waiter.as_deref().filter(|_| place.ticket == ticket.number)
    }

    /// Returns the waiter for changes that do not affect its row.
    pub(crate) fn get_mut(&mut self, ticket: Ticket) -> Option<&mut Waiter> {
        let place = self.places.get_mut(ticket.seat as usize)?;
        place.waiter.as_deref_mut().filter(|_| place.ticket == ticket.number)
    }

    /// Gives the waiter of a ticket another ticket in its place, if the change of its wait succeeds; then
    /// shows it.
    pub(crate) fn renew(
        &mut self,
        ticket: Ticket,
        change: impl FnOnce(&mut Waiter, Ticket) -> bool,
    ) -> Option<&Waiter> {
        let renewed = Ticket { seat: ticket.seat, number: self.next_ticket };
        let place =
            self.places.get_mut(ticket.seat as usize).filter(|place| place.ticket == ticket.number)?;
        let waiter = place.waiter.as_deref_mut()?;
        if !change(waiter, renewed) {
            return None;
        }
        place.ticket = renewed.number;
        self.next_ticket += 1;
        Some(waiter)
    }

    /// Takes a waiter out of its row until gets are not inhibited any more.
    pub(crate) fn shut_out(&mut self, ticket: Ticket) {
        let Some(place) = self.places.get_mut(ticket.seat as usize) else { return };
        if place.ticket != ticket.number || place.row == RowName::Nowhere {
            return;
        }
        if let Some(waiter) = &mut place.waiter {
            waiter.is_shut_out = true;
            self.leave(ticket.seat);
        }
    }

    /// The waiters for which a condition holds, the longest wait first.
    pub(crate) fn tickets_of(&self, condition: impl Fn(&Waiter) -> bool) -> Vec<Ticket> {
        let all = self
            .places
            .iter()
            .enumerate()
            .filter(|(_, place)| place.waiter.as_deref().is_some_and(&condition));
        let mut tickets: Vec<Ticket> =
            all.map(|(seat, place)| Ticket { seat: seat as Seat, number: place.ticket }).collect();
        tickets.sort_by_key(|ticket| ticket.number);
        tickets
    }

    /// Ends the wait of a ticket, unless it is over.
    pub(crate) fn remove(&mut self, ticket: Ticket) -> Option<Box<Waiter>> {
        self.get(ticket)?;
        Some(self.take(ticket.seat))
    }

    fn take(&mut self, seat: Seat) -> Box<Waiter> {
        self.leave(seat);
        let waiter = self.places[seat as usize].waiter.take().expect("a seat in a row is taken");
        if let Some(deadline) = waiter.deadline {
            self.deadlines.remove(&(deadline, seat));
        }
        self.free.push(seat);
        self.count -= 1;
        self.grouping -= usize::from(waiter.request.grouping.is_some());
        self.minding_time -= usize::from(waiter.request.memo.is_some());
        waiter
    }

    /// Number of waiters with demands on groups.
    pub(crate) fn grouping(&self) -> usize {
        self.grouping
    }

    /// The oldest waiter of those that ask something of groups for which a condition holds.
    pub(crate) fn oldest_grouping(&self, condition: impl Fn(&Request) -> bool) -> Option<Ticket> {
        let mut seat = self.searched.head;
        while seat != NONE {
            let place = &self.places[seat as usize];
            let request = place.waiter.as_ref().map(|waiter| &waiter.request);
            if request.is_some_and(|request| request.grouping.is_some() && condition(request)) {
                return Some(Ticket { seat, number: place.ticket });
            }
            seat = place.next;
        }
        None
    }

    /// Takes out the oldest waiter that this message would satisfy; `sees` is true for a request whose marks
    /// do not hide it.
    pub(crate) fn take_oldest_match(
        &mut self,
        entry: &Entry,
        fifo: bool,
        sees: impl Fn(&Request) -> bool,
    ) -> Option<Box<Waiter>> {
        let oldest = self.oldest_match(entry, fifo, sees)?;
        Some(self.take(oldest.seat))
    }

    /// The oldest waiter that this message would satisfy.
    pub(crate) fn oldest_match(
        &self,
        entry: &Entry,
        fifo: bool,
        sees: impl Fn(&Request) -> bool,
    ) -> Option<Ticket> {
        let mut oldest = self.any.head;
        for name in [
            (entry.correlation_id != [0; 24])
                .then_some(RowName::Keyed(Kind::Correlation, entry.correlation_id)),
            Some(RowName::Keyed(Kind::Message, entry.message_id)),
        ]
        .into_iter()
        .flatten()
        {
            if !self.keyed.is_empty() {
                let hash = self.hash(&name);
                let head = self.keyed.find(hash, |(row, _)| *row == name).map_or(NONE, |(_, row)| row.head);
                oldest = self.older(oldest, head);
            }
        }
        let mut seat = self.searched.head;
        while seat != NONE && self.older(oldest, seat) == seat {
            let place = &self.places[seat as usize];
            let waiter = place.waiter.as_ref().expect("a seat in a row is taken");
            if accepts(&waiter.request, entry, fifo) && sees(&waiter.request) {
                oldest = seat;
                break;
            }
            seat = place.next;
        }
        let seat = oldest;
        (seat != NONE).then(|| Ticket { seat, number: self.places[seat as usize].ticket })
    }

    /// Ends the waits whose time is over.
    pub(crate) fn take_overdue(&mut self, now: Monotonic) -> Option<Box<Waiter>> {
        let &(deadline, seat) = self.deadlines.first()?;
        (deadline <= now).then(|| self.take(seat))
    }

    /// When the next wait is over.
    pub(crate) fn next_deadline(&self) -> Option<Monotonic> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Ends the waits that a condition holds for; oldest seats first.
    pub(crate) fn take_if(&mut self, condition: impl Fn(&Waiter) -> bool) -> SmallVec<[Box<Waiter>; 4]> {
        let ends = |place: &Place| place.waiter.as_deref().is_some_and(&condition);
        let mut seats: Vec<_> = (0..self.places.len())
            .filter(|index| ends(&self.places[*index]))
            .map(|index| index as Seat)
            .collect();
        seats.sort_by_key(|seat| self.places[*seat as usize].ticket);
        seats.into_iter().map(|seat| self.take(seat)).collect()
    }

    fn older(&self, one: Seat, other: Seat) -> Seat {
        match (one, other) {
            (NONE, seat) | (seat, NONE) => seat,
            _ if self.places[one as usize].rank < self.places[other as usize].rank => one,
            _ => other,
        }
    }

    fn hash(&self, name: &RowName) -> u64 {
        match name {
            RowName::Keyed(kind, key) => self.hasher.hash_one((*kind as u8, key)),
            RowName::Nowhere | RowName::Any | RowName::Searched => 0,
        }
    }

    fn stand(&mut self, seat: Seat) {
        let name = self.places[seat as usize].row;
        let mut row = match name {
            RowName::Nowhere => return,
            RowName::Any => self.any,
            RowName::Searched => self.searched,
            RowName::Keyed(..) => {
                let hash = self.hash(&name);
                self.keyed.find(hash, |(row, _)| *row == name).map_or(Row::EMPTY, |(_, row)| *row)
            }
        };
        if self.places[seat as usize].rank < RANK {
            (self.places[seat as usize].previous, self.places[seat as usize].next) = (NONE, row.head);
            match row.head {
                NONE => row.tail = seat,
                head => self.places[head as usize].previous = seat,
            }
            row.head = seat;
        } else {
            (self.places[seat as usize].previous, self.places[seat as usize].next) = (row.tail, NONE);
            match row.tail {
                NONE => row.head = seat,
                tail => self.places[tail as usize].next = seat,
            }
            row.tail = seat;
        }
        self.set_row(name, row);
    }

    fn leave(&mut self, seat: Seat) {
        let place = &mut self.places[seat as usize];
        let name = std::mem::replace(&mut place.row, RowName::Nowhere);
        let (previous, next) = (place.previous, place.next);
        let mut row = match name {
            RowName::Nowhere => return,
            RowName::Any => self.any,
            RowName::Searched => self.searched,
            RowName::Keyed(..) => {
                let hash = self.hash(&name);
                self.keyed.find(hash, |(row, _)| *row == name).expect("a waiter's row exists").1
            }
        };
        match previous {
            NONE => row.head = next,
            previous => self.places[previous as usize].next = next,
        }
        match next {
            NONE => row.tail = previous,
            next => self.places[next as usize].previous = previous,
        }
        self.set_row(name, row);
    }

    fn set_row(&mut self, name: RowName, row: Row) {
        match name {
            RowName::Nowhere => {}
            RowName::Any => self.any = row,
            RowName::Searched => self.searched = row,
            RowName::Keyed(..) => {
                let hash = self.hash(&name);
                let hasher = &self.hasher;
                match self.keyed.find_entry(hash, |(other, _)| *other == name) {
                    Ok(found) if row.head == NONE => {
                        found.remove();
                    }
                    Ok(mut found) => found.get_mut().1 = row,
                    Err(_) => {
                        self.keyed.insert_unique(hash, (name, row), |(name, _)| match name {
                            RowName::Keyed(kind, key) => hasher.hash_one((*kind as u8, key)),
                            RowName::Nowhere | RowName::Any | RowName::Searched => 0,
                        });
                    }
                }
            }
        }
    }
}

fn row_of(request: &Request) -> RowName {
    if request.action == Action::Browse || request.is_selecting() || request.grouping.is_some() {
        return RowName::Searched;
    }
    let criteria = request.criteria;
    if criteria.is_any() {
        return RowName::Any;
    }
    let Some((kind, key)) = criteria.key() else { return RowName::Searched };
    let only_this = match kind {
        Kind::Message => Criteria { message_id: Some(key), ..Criteria::default() },
        Kind::Correlation => Criteria { correlation_id: Some(key), ..Criteria::default() },
        Kind::Group | Kind::Order => return RowName::Searched,
    };
    if criteria == only_this { RowName::Keyed(kind, key) } else { RowName::Searched }
}

/// True if a waiting getter would take or look at this message.
fn accepts(request: &Request, entry: &Entry, fifo: bool) -> bool {
    // What a message of a group makes ready is found by its group.
    let is_led = |grouping: &Grouping| grouping.next.is_some() || entry.member_place().is_some();
    if request.grouping.as_deref().is_some_and(is_led) {
        return false;
    }
    let in_sight = match request.start {
        Start::First => true,
        Start::AfterCursor => request.is_behind(Position::of(entry, fifo)),
        Start::AtCursor => request.cursor().is_none_or(|cursor| Position::of(entry, fifo) > cursor.position),
    };
    in_sight && request.looks_for(entry) && request.may_select(entry)
}
