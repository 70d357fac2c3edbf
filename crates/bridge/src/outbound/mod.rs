//! The machine of a pipe OUT with SERVICE(NORMAL): messages of a connector queue go to the foreign system.
//!
//! A batch is a branch of our log. It is prepared, with the state in it, before the foreign side can show it,
//! and settled by the number of the batch that the foreign side has:
//!
//! ```text
//! get b ─> send (in a foreign transaction) ─> prepare b ─> foreign commit, or send and confirms ─> commit b
//!                                                │
//!                                        a break here leaves b in doubt: bind, settle
//! ```
//!
//! Lives here: batches and their course. Lives elsewhere: the bind (`bind`), the settlement of branches after
//! it (`settle`), SERVICE(HIGH) ([`high`]).
//!
//! Always: at most one batch is prepared; a prepared branch is backed out only where a former holder is
//! fenced, or where the foreign side refused the batch in this conversation.

mod course;
pub mod high;
mod settle;
#[cfg(test)]
mod tests;

use std::time::Duration;

use channel::message::{BatchNumber, Mark};
use mqi::MessageId;

use crate::batch::{Fill, Limits};
use crate::bind::{Bind, Bound, Machine};
use crate::exchange::{Call, Event, Foreign, Local, Stop};
use crate::refusal::{DeadReason, Search};
use crate::settlement::Settlement;
use crate::state::{Note, PipeState, Position};
use crate::system::Delivery;

/// Settings of the machine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Host and process, for the seat.
    pub host: String,
    /// Bytes drawn by this process: new lines are made of them.
    pub random: [u8; 16],
    /// The way to the foreign system.
    pub delivery: Delivery,
    /// Limits of a batch.
    pub limits: Limits,
    /// USEDLQ.
    pub uses_dead_letters: bool,
    /// True where the foreign side may forget its record of the last batch by limits of its own (NATS). While
    /// nothing is in doubt, a new line begins then.
    pub is_record_evictable: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Not bound, or stopped.
    Binding,
    /// Fenced: branches are settled by the number of the foreign side.
    Settling(Box<Settlement>),
    /// Not fenced: the first state is being put.
    Naming,
    Running,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Filling,
    Preparing,
    /// Prepared; confirms of single messages are awaited.
    Confirming,
    /// Prepared; the foreign commit is awaited.
    Committing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Waiting,
    Sent,
    Safe,
    /// A dead letter as soon as the batch is prepared.
    Condemned(DeadReason),
    /// Its dead letter is being put in a unit of its own.
    Noting,
    Dead,
}

#[derive(Clone, Debug)]
struct Item {
    identifier: MessageId,
    /// Its place among the persistent messages of the branch; none for others.
    place: Option<u32>,
    status: Status,
}

#[derive(Clone, Debug)]
struct Batch {
    number: BatchNumber,
    before: Mark,
    fill: Fill,
    items: Vec<Item>,
    places: u32,
    stage: Stage,
    is_getting: bool,
    /// The state once it is committed; that of the prepare.
    state: Option<PipeState>,
}

impl Batch {
    fn after(before: Mark, limits: &Limits) -> Self {
        Self {
            number: before.batch.next(),
            before,
            fill: Fill::after(before, limits),
            items: Vec::new(),
            places: 0,
            stage: Stage::Filling,
            is_getting: false,
            state: None,
        }
    }

    fn mark(&self) -> Mark {
        self.fill.end(self.before)
    }

    fn live(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.status != Status::Dead)
    }

    fn is_settled(&self) -> bool {
        self.items.iter().all(|item| matches!(item.status, Status::Safe | Status::Dead))
    }
}

/// The machine.
#[derive(Clone, Debug)]
pub struct Outbound {
    settings: Settings,
    bind: Bind,
    phase: Phase,
    state: Option<PipeState>,
    notes: Vec<Note>,
    current: Option<Batch>,
    next: Option<Batch>,
    search: Search,
    /// True while the queue has no message that could be got.
    is_idle: bool,
    is_ending: bool,
    /// Foreign transactions given up whose answer is awaited: answers before it are of former messages.
    aborts: u32,
    /// Branches backed out whose answer is awaited: answers before it are of former batches.
    backouts: u32,
}

impl Outbound {
    /// Begins, stopped: the first event is [`Event::Start`].
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let bind = Bind::new(settings.host.clone(), settings.random, Some(Foreign::AskLast));
        Self {
            settings,
            bind,
            phase: Phase::Binding,
            state: None,
            notes: Vec::new(),
            current: None,
            next: None,
            search: Search::default(),
            is_idle: false,
            is_ending: false,
            aborts: 0,
            backouts: 0,
        }
    }

    /// Returns true while a batch is prepared.
    #[must_use]
    pub fn is_in_doubt(&self) -> bool {
        let is_prepared = |batch: &Batch| matches!(batch.stage, Stage::Confirming | Stage::Committing);
        self.current.as_ref().is_some_and(is_prepared)
    }

    fn hear_bind(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        if let Some(Bound { books, told }) = self.bind.hear(event, now, calls) {
            self.hear_bound(books, told, now, calls);
        }
    }

    fn hear_running(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        match event {
            Event::StatePut if self.phase == Phase::Naming => self.phase = Phase::Running,
            Event::BackedOut => self.backouts = self.backouts.saturating_sub(1),
            Event::Aborted => self.aborts = self.aborts.saturating_sub(1),
            Event::Arrived => self.is_idle = false,
            Event::Got { batch, messages, is_idle } if self.backouts == 0 => {
                self.hear_got(batch, messages, is_idle, now, calls);
            }
            Event::Prepared(batch) if self.backouts == 0 => self.hear_prepared(batch, calls),
            Event::Noted { batch, index } => self.hear_noted(batch, index),
            Event::Acknowledged { batch, index } if self.aborts == 0 => {
                self.set_status(batch, index, Status::Sent, Status::Safe);
            }
            Event::Refused { batch, index, refusal } if self.aborts == 0 => {
                self.hear_refused(batch, index, refusal, now, calls);
            }
            Event::ForeignCommitted(batch) if self.aborts == 0 => self.hear_committed(batch, calls),
            // Answers to what was given up, and events that are not for this machine.
            _ => {}
        }
    }

    fn stop(&mut self, stop: Stop, calls: &mut Vec<Call>) {
        self.drop_batches();
        self.rest();
        calls.extend([Call::Reset, Call::Stop(stop)]);
    }

    /// Stops until the next start.
    fn rest(&mut self) {
        self.bind.stop();
        self.phase = Phase::Binding;
    }

    fn drop_batches(&mut self) {
        (self.current, self.next) = (None, None);
        (self.is_idle, self.aborts, self.backouts) = (false, 0, 0);
        self.state = None;
    }

    /// The highest publishing identifier of committed batches.
    fn published(&self) -> u64 {
        match self.state.as_ref().map(|state| &state.position) {
            Some(Position::Published(published)) => published.last,
            _ => 0,
        }
    }

    fn bound_state(&self) -> &PipeState {
        self.state.as_ref().expect("a bound pipe has a state")
    }
}

impl Machine for Outbound {
    fn begin(&mut self) {
        (self.phase, self.is_ending) = (Phase::Binding, false);
    }

    fn hear(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        match self.phase {
            Phase::Binding => self.hear_bind(event, now, calls),
            Phase::Settling(_) => self.hear_settlement(event, calls),
            Phase::Naming | Phase::Running => self.hear_running(event, now, calls),
        }
    }

    fn break_off(&mut self, now: Duration, calls: &mut Vec<Call>) {
        self.drop_batches();
        if self.is_ending {
            self.rest();
            calls.push(Call::Reset);
            return;
        }
        self.phase = Phase::Binding;
        calls.push(self.bind.break_off(now));
    }

    fn end(&mut self, calls: &mut Vec<Call>) {
        self.is_ending = true;
        if self.phase != Phase::Running && !self.bind.is_stopped() {
            self.drop_batches();
            self.rest();
            calls.push(Call::Reset);
        }
    }

    fn advance(&mut self, now: Duration, calls: &mut Vec<Call>) {
        while self.phase == Phase::Running && self.go_on_with_batches(now, calls) {}
    }

    fn due_at(&self) -> Option<Duration> {
        let of_batch = self.current.as_ref().filter(|batch| batch.stage == Stage::Filling);
        self.bind.due_at().or_else(|| of_batch?.fill.due_at(self.is_idle))
    }

    fn bind(&self) -> &Bind {
        &self.bind
    }

    fn state(&self) -> Option<&PipeState> {
        self.state.as_ref()
    }
}

fn local(calls: &mut Vec<Call>, call: Local) {
    calls.push(Call::Local(call));
}

fn foreign(calls: &mut Vec<Call>, call: Foreign) {
    calls.push(Call::Foreign(call));
}
