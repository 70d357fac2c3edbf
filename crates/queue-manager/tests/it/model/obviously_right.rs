//! A queue manager as a list of messages and a list of waits: slow, and easy to believe.

use mqi::{GetFlags, Reason};

/// A message to be put.
#[derive(Clone, Debug)]
pub(super) struct Put {
    pub(super) priority: u8,
    pub(super) correlation: u8,
    pub(super) persistent: bool,
    pub(super) expiry_tenths: Option<u32>,
    /// So many milliseconds before anybody is given it.
    pub(super) delay: Option<u64>,
    pub(super) length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Available,
    /// Committed, and delivered later.
    Delayed,
    /// By a unit of work.
    PutBy(usize),
    GotBy(usize),
    /// Set aside for a session.
    HeldBy(usize),
}

/// The end of a message that is set aside.
#[derive(Clone, Copy, Debug)]
pub(super) enum Settling {
    Take,
    /// Within a unit of work beside a session.
    TakeWithin(usize),
    GiveBack,
    GiveBackCounted,
}

#[derive(Clone, Debug)]
struct Message {
    number: u64,
    queue: usize,
    put: Put,
    state: State,
    deadline: Option<u64>,
    /// Before this nobody is given it.
    due: Option<u64>,
    /// Not known after a crash that may have taken the record of a backout.
    backouts: Option<u32>,
}

#[derive(Clone, Debug)]
struct Waiting {
    session: usize,
    token: u64,
    queue: usize,
    correlation: u8,
    flags: GetFlags,
    deadline: Option<u64>,
}

/// Rank and arrival of the message under a cursor.
type Position = (u8, u64);

pub(super) type Got = Result<(String, Option<u32>), Reason>;

/// The whole queue manager.
pub(super) struct Model {
    now: u64,
    next: u64,
    depth_max: usize,
    messages: Vec<Message>,
    waiting: Vec<Waiting>,
    sessions: usize,
    /// The numbers of the messages of each unit of work: first of those of sessions, then of those beside
    /// them, two for each.
    units: Vec<Vec<u64>>,
    /// Units beside sessions that are open, in the order in which they were opened.
    beside: Vec<usize>,
    /// Messages set aside, by their tokens, in the order in which they were.
    held: Vec<(u64, u64)>,
    /// For each session and queue.
    cursors: Vec<[Option<(Position, bool)>; 2]>,
    outcomes: Vec<Vec<(u64, Got)>>,
}

impl Message {
    fn position(&self) -> Position {
        let rank = if self.queue == 0 { 9 - self.put.priority } else { 0 };
        (rank, self.number)
    }

    /// When a message that is delivered later becomes like any other: at its time, or at the end of its life.
    fn leaves(&self) -> Option<u64> {
        self.due.map(|due| self.deadline.map_or(due, |deadline| due.min(deadline)))
    }

    fn body(&self) -> String {
        body(self.number, self.put.length)
    }

    fn got(&self) -> Got {
        Ok((self.body(), self.backouts))
    }
}

fn body(number: u64, length: usize) -> String {
    format!("{number:08}{}", "z".repeat(length))
}

impl Model {
    pub(super) fn new(sessions: usize, depth_max: usize) -> Self {
        Self {
            now: 0,
            next: 0,
            depth_max,
            messages: Vec::new(),
            waiting: Vec::new(),
            sessions,
            units: vec![Vec::new(); 3 * sessions],
            beside: Vec::new(),
            held: Vec::new(),
            cursors: vec![[None; 2]; sessions],
            outcomes: vec![Vec::new(); sessions],
        }
    }

    pub(super) fn depth(&self, queue: usize) -> usize {
        let counts = |message: &&Message| message.queue == queue && !matches!(message.state, State::GotBy(_));
        self.messages.iter().filter(counts).count()
    }

    pub(super) fn take_outcomes(&mut self, session: usize) -> Vec<(u64, Got)> {
        std::mem::take(&mut self.outcomes[session])
    }

    pub(super) fn put(
        &mut self,
        queue: usize,
        put: &Put,
        unit: Option<usize>,
    ) -> (String, Result<(), Reason>) {
        self.next += 1;
        let body = body(self.next, put.length);
        if self.depth(queue) >= self.depth_max {
            return (body, Err(Reason::Q_FULL));
        }
        self.messages.push(Message {
            number: self.next,
            queue,
            put: put.clone(),
            state: unit.map_or(State::Available, State::PutBy),
            deadline: put.expiry_tenths.map(|tenths| self.now + u64::from(tenths) * 100),
            due: put.delay.map(|delay| self.now + delay),
            backouts: Some(0),
        });
        match unit {
            Some(unit) => self.units[unit].push(self.next),
            None => self.stand(self.next),
        }
        (body, Ok(()))
    }

    pub(super) fn open_beside(&mut self, unit: usize) {
        self.beside.push(unit);
    }

    pub(super) fn reserve(&mut self, session: usize, queue: usize, correlation: u8, token: u64) -> Got {
        let number = self.first(queue, correlation, None).ok_or(Reason::NO_MSG_AVAILABLE)?;
        self.held.push((token, number));
        let message = self.message(number);
        message.state = State::HeldBy(session);
        message.got()
    }

    /// The token of one of the messages that are set aside for a session, if there are any.
    pub(super) fn held_token(&mut self, session: usize, which: usize) -> Option<u64> {
        let mut tokens = self.held.clone();
        tokens.retain(|(_, number)| self.message(*number).state == State::HeldBy(session));
        let (token, _) = tokens.get(which % tokens.len().max(1))?;
        Some(*token)
    }

    pub(super) fn settle(&mut self, token: u64, how: Settling) {
        let index = self.held.iter().position(|(other, _)| *other == token).expect("it is set aside");
        let (_, number) = self.held.remove(index);
        match how {
            Settling::Take => self.remove(number),
            Settling::TakeWithin(unit) => {
                let unit = self.sessions + unit;
                self.message(number).state = State::GotBy(unit);
                self.units[unit].push(number);
            }
            Settling::GiveBack => self.arrive(number),
            Settling::GiveBackCounted => {
                let message = self.message(number);
                message.backouts = message.backouts.map(|count| count + 1);
                self.arrive(number);
            }
        }
    }

    pub(super) fn get(&mut self, session: usize, queue: usize, correlation: u8, flags: GetFlags) -> Got {
        let number = self.first(queue, correlation, None).ok_or(Reason::NO_MSG_AVAILABLE)?;
        self.give(number, session, flags)
    }

    pub(super) fn wait(
        &mut self,
        session: usize,
        queue: usize,
        correlation: u8,
        flags: GetFlags,
        milliseconds: Option<u32>,
        token: u64,
    ) {
        let deadline = milliseconds.map(|milliseconds| self.now + u64::from(milliseconds));
        self.waiting.push(Waiting { session, token, queue, correlation, flags, deadline });
    }

    /// Ends the last wait of a session.
    pub(super) fn cancel(&mut self, session: usize) -> Option<u64> {
        let index = self.waiting.iter().rposition(|waiting| waiting.session == session)?;
        Some(self.waiting.remove(index).token)
    }

    pub(super) fn browse(&mut self, session: usize, queue: usize, correlation: u8, first: bool) -> Got {
        let after = if first { None } else { self.cursors[session][queue].map(|(position, _)| position) };
        let number = self.first(queue, correlation, after).ok_or(Reason::NO_MSG_AVAILABLE)?;
        let message = self.message(number);
        let (position, got) = (message.position(), message.got());
        self.cursors[session][queue] = Some((position, true));
        got
    }

    pub(super) fn take_under_cursor(&mut self, session: usize, queue: usize, flags: GetFlags) -> Got {
        let Some((position, true)) = self.cursors[session][queue] else {
            return Err(Reason::NO_MSG_UNDER_CURSOR);
        };
        let there = self.messages.iter().find(|message| {
            message.queue == queue && message.position() == position && message.state == State::Available
        });
        let number = there.map(|message| message.number).ok_or(Reason::NO_MSG_UNDER_CURSOR)?;
        self.cursors[session][queue] = Some((position, false));
        self.give(number, session, flags)
    }

    pub(super) fn commit(&mut self, unit: usize) {
        for number in self.take_unit(unit) {
            match self.message(number).state {
                State::PutBy(_) => self.stand(number),
                State::GotBy(_) => self.remove(number),
                _ => panic!("a message of a unit of work belongs to it"),
            }
        }
    }

    /// Takes the messages of a unit of work that ends, in the order of delivery: a waiting getter gets the
    /// first.
    fn take_unit(&mut self, unit: usize) -> Vec<u64> {
        self.beside.retain(|other| *other != unit);
        let mut numbers = std::mem::take(&mut self.units[unit]);
        numbers.sort_by_key(|number| self.message(*number).position());
        numbers
    }

    pub(super) fn back(&mut self, unit: usize) {
        for number in self.take_unit(unit) {
            match self.message(number).state {
                State::PutBy(_) => self.remove(number),
                State::GotBy(_) => {
                    let message = self.message(number);
                    message.backouts = message.backouts.map(|count| count + 1);
                    self.arrive(number);
                }
                _ => panic!("a message of a unit of work belongs to it"),
            }
        }
    }

    pub(super) fn end(&mut self, session: usize) {
        self.waiting.retain(|waiting| waiting.session != session);
        self.back(session);
        let first = self.sessions + 2 * session;
        let beside: Vec<usize> =
            self.beside.iter().copied().filter(|unit| (first..first + 2).contains(unit)).collect();
        beside.into_iter().for_each(|unit| self.back(unit));
        for (token, number) in self.held.clone() {
            if self.message(number).state == State::HeldBy(session) {
                self.settle(token, Settling::GiveBack);
            }
        }
        self.cursors[session] = [None; 2];
    }

    pub(super) fn pass(&mut self, milliseconds: u64) {
        self.now += milliseconds;
        let now = self.now;
        let (over, rest) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|waiting| waiting.deadline.is_some_and(|deadline| deadline <= now));
        self.waiting = rest;
        let over: Vec<Waiting> = over;
        for waiting in over {
            self.outcomes[waiting.session].push((waiting.token, Err(Reason::NO_MSG_AVAILABLE)));
        }
        let come = |message: &&Message| {
            message.state == State::Delayed && message.leaves().is_some_and(|leaves| leaves <= now)
        };
        let mut due: Vec<Message> = self.messages.iter().filter(come).cloned().collect();
        due.sort_by_key(|message| (message.leaves(), message.queue, message.position()));
        due.into_iter().for_each(|message| self.arrive(message.number));
        self.expire();
    }

    pub(super) fn crash(&mut self) {
        self.messages.retain(|message| message.put.persistent && !matches!(message.state, State::PutBy(_)));
        for message in &mut self.messages {
            let is_later = message.leaves().is_some_and(|leaves| leaves > self.now);
            message.state = if is_later { State::Delayed } else { State::Available };
            message.backouts = message.backouts.filter(|count| *count == 0);
        }
        self.waiting.clear();
        self.units.iter_mut().for_each(Vec::clear);
        self.beside.clear();
        self.held.clear();
        self.cursors.iter_mut().for_each(|cursors| *cursors = [None; 2]);
        self.outcomes.iter_mut().for_each(Vec::clear);
        self.expire();
    }

    /// A message that was put stands: it waits for its time, if that is still to come.
    fn stand(&mut self, number: u64) {
        let now = self.now;
        let message = self.message(number);
        match message.leaves() {
            Some(leaves) if leaves > now => message.state = State::Delayed,
            _ => self.arrive(number),
        }
    }

    fn message(&mut self, number: u64) -> &mut Message {
        self.messages.iter_mut().find(|message| message.number == number).expect("the message is there")
    }

    fn remove(&mut self, number: u64) {
        self.messages.retain(|message| message.number != number);
    }

    fn expire(&mut self) {
        let now = self.now;
        self.messages.retain(|message| {
            message.state != State::Available || message.deadline.is_none_or(|deadline| deadline > now)
        });
    }

    /// The first available message that fits, after a position.
    fn first(&self, queue: usize, correlation: u8, after: Option<Position>) -> Option<u64> {
        self.messages
            .iter()
            .filter(|message| message.queue == queue && message.state == State::Available)
            .filter(|message| correlation == 0 || message.put.correlation == correlation)
            .filter(|message| after.is_none_or(|after| message.position() > after))
            .min_by_key(|message| message.position())
            .map(|message| message.number)
    }

    fn give(&mut self, number: u64, session: usize, flags: GetFlags) -> Got {
        let message = self.message(number);
        let got = message.got();
        let within = flags == GetFlags::SYNCPOINT
            || (flags == GetFlags::SYNCPOINT_IF_PERSISTENT && message.put.persistent);
        if within {
            message.state = State::GotBy(session);
            self.units[session].push(number);
        } else {
            self.remove(number);
        }
        got
    }

    /// A message becomes available: the oldest wait it fits has it.
    fn arrive(&mut self, number: u64) {
        self.message(number).state = State::Available;
        self.expire();
        let Some(message) = self.messages.iter().find(|message| message.number == number) else { return };
        let fits = |waiting: &Waiting| {
            waiting.queue == message.queue
                && (waiting.correlation == 0 || waiting.correlation == message.put.correlation)
        };
        if let Some(index) = self.waiting.iter().position(fits) {
            let waiting = self.waiting.remove(index);
            let got = self.give(number, waiting.session, waiting.flags);
            self.outcomes[waiting.session].push((waiting.token, got));
        }
    }
}
