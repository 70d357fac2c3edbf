//! The machine of a pipe IN: messages of the foreign system go to queues here.
//!
//! With SERVICE(NORMAL) the foreign position and the messages are in one unit of work, which compares the
//! state first:
//!
//! ```text
//! subscribe behind the position ─> put … put ─> state put, commit ─> acknowledge
//! ```
//!
//! Where the foreign system has transactions and no positions, the messages are in a branch: it is prepared,
//! the transaction there takes the messages off with the number of the batch, then the branch is committed. A
//! foreign FerryMQ needs no machine of its own: the one for OUT works with both sides exchanged.
//!
//! Lives here: the bind and the course of units. Lives elsewhere: positions ([`position`]).
//!
//! Always: nothing is acknowledged before the unit that has it is durable. A gap between the position and the
//! oldest message that is there stops the pipe.

pub mod position;
#[cfg(test)]
mod tests;

use std::time::Duration;

use channel::message::{BatchNumber, Facts, Line, Mark};

use crate::batch::{Fill, Limits};
use crate::bind::{Bind, Bound, Machine, Told};
use crate::exchange::{Books, Call, DeadLetterUnit, Event, Foreign, Local, Receipt, SourceFacts, Stop};
use crate::refusal::Refusal;
use crate::settlement::{self, Settlement};
use crate::state::{PipeState, Position};
use crate::system::Source;
use position::{Course, Judgement};

/// Time after which a position that moved without messages is put.
pub const IDLE_POSITION_TIME: Duration = Duration::from_secs(60);

/// Settings of the machine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Host and process, for the seat.
    pub host: String,
    /// Bytes drawn by this process: new lines are made of them.
    pub random: [u8; 16],
    /// The way from the foreign system: any but [`Source::Branch`].
    pub source: Source,
    /// True for SERVICE(HIGH): no state, and messages are acknowledged after their put.
    pub is_high: bool,
    /// Limits of a unit.
    pub limits: Limits,
    /// Messages that may be on the way: at most 2,048.
    pub prefetch: u32,
    /// USEDLQ.
    pub uses_dead_letters: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Not bound, or stopped.
    Binding,
    Settling(Box<Settlement>),
    Naming(Option<u64>),
    Running,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A unit of work is being committed.
    Committing,
    Preparing,
    /// Prepared; the foreign commit is awaited.
    ForeignCommitting,
}

/// A unit of work, or the branch of a batch.
#[derive(Clone, Debug)]
struct Unit {
    fill: Fill,
    /// Messages to acknowledge with it, in their order.
    receipts: Vec<u64>,
    /// Messages whose room for prefetching comes free with it.
    credit: u32,
    course: Course,
}

/// The machine.
#[derive(Clone, Debug)]
pub struct Inbound {
    settings: Settings,
    bind: Bind,
    phase: Phase,
    state: Option<PipeState>,
    /// The unit that is being filled.
    filling: Option<Unit>,
    /// The unit that is out, with the state that it leaves.
    out: Option<(Unit, Stage, Option<PipeState>)>,
    /// The last commit, for idle positions.
    committed_at: Duration,
    backouts: u32,
    is_ending: bool,
}

impl Inbound {
    /// Begins, stopped: the first event is [`Event::Start`].
    ///
    /// # Panics
    /// For [`Source::Branch`], where the outbound machine works with exchanged sides.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        assert_ne!(settings.source, Source::Branch, "the outbound machine works there, with exchanged sides");
        let question = match settings.source {
            _ if settings.is_high => None,
            Source::Positions { .. } => Some(Foreign::AskSource),
            Source::Transaction => Some(Foreign::AskLast),
            Source::Recent | Source::Branch => None,
        };
        let bind = Bind::new(settings.host.clone(), settings.random, question);
        Self {
            settings,
            bind,
            phase: Phase::Binding,
            state: None,
            filling: None,
            out: None,
            committed_at: Duration::ZERO,
            backouts: 0,
            is_ending: false,
        }
    }

    fn hear_bind(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        let Some(Bound { books, told }) = self.bind.hear(event, now, calls) else { return };
        self.committed_at = now;
        match told {
            Told::Source(facts) => self.begin_source(facts, books, calls),
            Told::Last(last) => {
                let fresh = self.bind.fresh_line();
                let (settlement, step) = Settlement::begin(books, last, fresh, false);
                self.phase = Phase::Settling(Box::new(settlement));
                self.go_on(step, now, calls);
            }
            Told::Nothing if self.settings.is_high => self.subscribe(None, Course::High, calls),
            Told::Nothing => self.bind_recent(books, calls),
        }
    }

    fn hear_settlement(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        let Phase::Settling(settlement) = &mut self.phase else { return };
        let step = settlement.step(event);
        self.go_on(step, now, calls);
    }

    fn go_on(&mut self, step: settlement::Step, now: Duration, calls: &mut Vec<Call>) {
        match step {
            settlement::Step::Calls(more) => calls.extend(more),
            settlement::Step::Done { calls: more, state, backouts } => {
                calls.extend(more);
                (self.state, self.backouts) = (Some(state), backouts);
                self.committed_at = now;
                self.subscribe(None, Course::None, calls);
            }
            settlement::Step::Stop(stop) => self.stop(stop, calls),
        }
    }

    fn hear_running(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        match event {
            Event::StatePut => {
                if let Phase::Naming(from) = self.phase {
                    let course = Course::of(self.state.as_ref(), self.settings.source);
                    self.subscribe(from, course, calls);
                }
            }
            Event::BackedOut => self.backouts = self.backouts.saturating_sub(1),
            Event::Received(receipt) if self.phase == Phase::Running => {
                self.hear_received(receipt, now, calls)
            }
            Event::Committed => self.hear_end(Stage::Committing, now, calls),
            Event::Prepared(_) if self.backouts == 0 => self.hear_prepared(calls),
            Event::ForeignCommitted(_) => self.hear_end(Stage::ForeignCommitting, now, calls),
            Event::Refused { refusal, .. } => {
                // A refused commit there took nothing off: the branch goes back by the next settlement.
                drop(refusal);
                self.break_off(now, calls);
            }
            _ => {}
        }
    }

    fn bind_recent(&mut self, books: Books, calls: &mut Vec<Call>) {
        self.state = books.state;
        if self.state.is_some() {
            let course = Course::of(self.state.as_ref(), self.settings.source);
            return self.subscribe(None, course, calls);
        }
        let state = PipeState { position: Position::Recent(Default::default()), ..PipeState::default() };
        self.put_state(state, None, calls);
    }

    fn begin_source(&mut self, facts: SourceFacts, books: Books, calls: &mut Vec<Call>) {
        self.state = books.state;
        match position::judge_source(self.state.as_ref().map(|state| &state.position), &facts) {
            Ok(position::Beginning::Behind(last)) => {
                let course = Course::of(self.state.as_ref(), self.settings.source);
                self.subscribe(Some(last + 1), course, calls);
            }
            Ok(position::Beginning::Oldest) => {
                let position = Position::Source { identity: facts.identity, last: None };
                let state = PipeState { position, ..self.state.clone().unwrap_or_default() };
                self.put_state(state, Some(facts.oldest), calls);
            }
            Err(stop) => self.stop(stop, calls),
        }
    }

    fn put_state(&mut self, state: PipeState, from: Option<u64>, calls: &mut Vec<Call>) {
        let expected = self.state.take();
        self.state = Some(state.clone());
        self.phase = Phase::Naming(from);
        calls.push(Call::Local(Local::PutState { expected, state }));
    }

    fn subscribe(&mut self, from: Option<u64>, course: Course, calls: &mut Vec<Call>) {
        self.phase = Phase::Running;
        self.filling = Some(self.unit_after(course));
        calls.push(Call::Foreign(Foreign::Subscribe { from }));
        calls.push(Call::Foreign(Foreign::Credit { messages: self.settings.prefetch.clamp(1, 2048) }));
    }

    fn unit_after(&self, course: Course) -> Unit {
        let fill = Fill::after(Mark::START, &self.settings.limits);
        Unit { fill, receipts: Vec::new(), credit: 0, course }
    }

    /// The branch of the unit that is being filled; none where units are units of work.
    fn branch(&self) -> Option<(Line, BatchNumber)> {
        if self.settings.is_high || self.settings.source != Source::Transaction {
            return None;
        }
        let out = self.out.as_ref().and_then(|(_, _, state)| state.as_ref());
        let state = out.or(self.state.as_ref())?;
        Some((state.line, state.last.batch.next()))
    }

    fn hear_received(&mut self, receipt: Receipt, now: Duration, calls: &mut Vec<Call>) {
        let branch = self.branch();
        let Some(unit) = &mut self.filling else { return };
        unit.credit += 1;
        let out = self.out.as_ref().map(|(unit, ..)| &unit.course);
        match unit.course.judge(&receipt, out) {
            Judgement::New => {}
            Judgement::Known { is_durable } => {
                if is_durable {
                    calls.push(Call::Foreign(Foreign::Acknowledge { receipt: receipt.receipt }));
                } else {
                    unit.receipts.push(receipt.receipt);
                }
                return;
            }
            Judgement::Control => return,
            Judgement::Stop(stop) => return self.stop(stop, calls),
            Judgement::NoPosition => return self.break_off(now, calls),
        }
        unit.fill.take(Facts { identifier: &[0; 24], bytes: receipt.bytes }, false, now);
        unit.receipts.push(receipt.receipt);
        let (line, batch) = branch.unwrap_or_default();
        match receipt.refusal.map(|refusal| refusal.under(self.settings.uses_dead_letters)) {
            None => calls.push(Call::Local(Local::Put { receipt: receipt.receipt, branch })),
            Some(Refusal::Permanent { reason, .. }) => {
                let (index, unit) = (receipt.receipt, DeadLetterUnit::Batch);
                calls.push(Call::Local(Local::DeadLetter { line, batch, index, place: None, reason, unit }));
            }
            Some(Refusal::Transient(_)) => self.break_off(now, calls),
        }
    }

    fn hear_prepared(&mut self, calls: &mut Vec<Call>) {
        let Some((unit, stage, Some(state))) = &mut self.out else { return };
        if *stage == Stage::Preparing {
            *stage = Stage::ForeignCommitting;
            let accepts = unit.receipts.iter().map(|receipt| Foreign::Acknowledge { receipt: *receipt });
            calls.extend(accepts.map(Call::Foreign));
            calls.push(Call::Foreign(Foreign::Commit { line: state.line, mark: state.last }));
        }
    }

    /// Hears that the unit that is out went through.
    fn hear_end(&mut self, expected: Stage, now: Duration, calls: &mut Vec<Call>) {
        let Some((unit, stage, state)) = self.out.take() else { return };
        if stage != expected {
            self.out = Some((unit, stage, state));
            return;
        }
        match (expected, &state) {
            (Stage::ForeignCommitting, Some(state)) => {
                calls.push(Call::Local(Local::Commit { line: state.line, batch: state.last.batch }));
            }
            _ => {
                let from =
                    if unit.course.is_cumulative() { unit.receipts.len().saturating_sub(1) } else { 0 };
                let receipts = unit.receipts.iter().skip(from);
                calls.extend(
                    receipts.map(|receipt| Call::Foreign(Foreign::Acknowledge { receipt: *receipt })),
                );
            }
        }
        if unit.credit > 0 {
            calls.push(Call::Foreign(Foreign::Credit { messages: unit.credit }));
        }
        if !self.settings.is_high {
            self.state = state;
        }
        self.committed_at = now;
        self.bind.prosper();
    }

    fn end_unit(&mut self, calls: &mut Vec<Call>) {
        let Some(unit) = self.filling.take() else { return };
        let next = unit.course.next();
        if self.settings.is_high {
            calls.push(Call::Local(Local::CommitUnit { expected: None, state: None }));
            self.out = Some((unit, Stage::Committing, None));
        } else {
            let expected = self.state.clone().expect("a bound pipe has a state");
            if let Some((line, batch)) = self.branch() {
                // The chain of a branch of puts has no messages: only what a branch has got comes back from
                // it.
                let mark = Fill::after(expected.last, &self.settings.limits).end(expected.last);
                let state = expected.with_batch(mark, Position::None);
                let prepared = state.clone();
                calls.push(Call::Local(Local::Prepare { line, batch, expected, state, clears_notes: false }));
                self.out = Some((unit, Stage::Preparing, Some(prepared)));
            } else {
                let mut state = expected.clone();
                state.position = unit.course.position();
                let (expected, put) = (Some(expected), Some(state.clone()));
                calls.push(Call::Local(Local::CommitUnit { expected, state: put }));
                self.out = Some((unit, Stage::Committing, Some(state)));
            }
        }
        self.filling = Some(self.unit_after(next));
    }

    fn close(&mut self, calls: &mut Vec<Call>) {
        self.drop_units();
        self.bind.stop();
        self.phase = Phase::Binding;
        calls.push(Call::Reset);
    }

    fn stop(&mut self, stop: Stop, calls: &mut Vec<Call>) {
        self.close(calls);
        calls.push(Call::Stop(stop));
    }

    fn drop_units(&mut self) {
        (self.filling, self.out, self.state, self.backouts) = (None, None, None, 0);
    }
}

impl Machine for Inbound {
    fn begin(&mut self) {
        (self.phase, self.is_ending) = (Phase::Binding, false);
    }

    fn hear(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        match self.phase {
            Phase::Binding => self.hear_bind(event, now, calls),
            Phase::Settling(_) => self.hear_settlement(event, now, calls),
            Phase::Naming(_) | Phase::Running => self.hear_running(event, now, calls),
        }
    }

    fn break_off(&mut self, now: Duration, calls: &mut Vec<Call>) {
        if self.is_ending {
            return self.close(calls);
        }
        self.drop_units();
        self.phase = Phase::Binding;
        calls.push(self.bind.break_off(now));
    }

    fn end(&mut self, _: &mut Vec<Call>) {
        self.is_ending = true;
    }

    fn advance(&mut self, now: Duration, calls: &mut Vec<Call>) {
        if self.is_ending && self.phase != Phase::Running && !self.bind.is_stopped() {
            return self.close(calls);
        }
        if self.phase != Phase::Running || self.out.is_some() {
            return;
        }
        let Some(unit) = &self.filling else { return };
        let has_receipts = !unit.receipts.is_empty();
        let is_idle_due =
            unit.course.is_ahead() && now >= self.committed_at.saturating_add(IDLE_POSITION_TIME);
        let is_due =
            has_receipts && (self.is_ending || unit.fill.messages() == 0 || unit.fill.is_due(now, true));
        if is_due || is_idle_due {
            self.end_unit(calls);
        } else if self.is_ending && !has_receipts {
            self.close(calls);
        } else if unit.credit > 0 && !has_receipts {
            // Only what was known or of the system's own came: its room comes free at once.
            let messages = unit.credit;
            if let Some(unit) = &mut self.filling {
                unit.credit = 0;
            }
            calls.push(Call::Foreign(Foreign::Credit { messages }));
        }
    }

    fn due_at(&self) -> Option<Duration> {
        let idle = || {
            let is_ahead = self.filling.as_ref().is_some_and(|unit| unit.course.is_ahead());
            is_ahead.then(|| self.committed_at.saturating_add(IDLE_POSITION_TIME))
        };
        let of_unit = || self.filling.as_ref().and_then(|unit| unit.fill.due_at(true));
        let is_free = self.phase == Phase::Running && self.out.is_none();
        self.bind.due_at().or_else(|| if is_free { of_unit().or_else(idle) } else { None })
    }

    fn bind(&self) -> &Bind {
        &self.bind
    }

    fn state(&self) -> Option<&PipeState> {
        self.state.as_ref()
    }
}
