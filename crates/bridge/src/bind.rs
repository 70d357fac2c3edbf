//! The part of a bind that both machines have: seat, conversation, connection, question, books.
//!
//! ```text
//! down ── wait ──> seat ──> conversation ──> connection ──> question ──> books ──> bound
//!   ^                                                                                │
//!   └───────────────────── a break, or another process took the seat ────────────────┘
//! ```
//!
//! Always: the conversation of the former holder is ended before its foreign session is, and both before the
//! foreign side is asked; the books are read last. A process that was stopped anywhere on this way and wakes
//! up either fails at the books, since a later conversation ended its own, or has an answer that no later
//! holder can have changed. Read before the answer, books would be older than it, and an end that went on
//! would look like one that was restored.

use std::time::Duration;

use channel::message::Line;

use crate::digest::digest;
use crate::exchange::{Books, Call, Event, Foreign, Last, Local, SourceFacts, Stop};
use crate::refusal::Backoff;
use crate::seat::{Contest, Seat};
use crate::state::PipeState;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BindPhase {
    /// Nothing is connected; the next try comes at this time.
    Down(Duration),
    Seating,
    Beginning,
    Connecting,
    Asking,
    Reading(Told),
    Bound,
    Stopped,
}

/// The machine of a pipe. Its host drives it by [`step`](Self::step) alone.
pub trait Machine {
    /// Hears an event. Returns the calls that the host makes, in their order.
    fn step(&mut self, event: Event, now: Duration) -> Vec<Call> {
        let mut calls = Vec::new();
        match event {
            Event::Broken(_) | Event::StateDiffers if !self.is_stopped() => self.break_off(now, &mut calls),
            Event::Start if self.is_stopped() => {
                self.begin();
                self.hear(Event::Start, now, &mut calls);
            }
            Event::End => self.end(&mut calls),
            event => self.hear(event, now, &mut calls),
        }
        self.advance(now, &mut calls);
        calls
    }

    /// Gets ready to bind, where it was stopped.
    fn begin(&mut self);

    /// Hears an event that is not the same for all machines.
    fn hear(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>);

    /// Gives both sides up, to bind anew after a wait; to stop, where it is ending.
    fn break_off(&mut self, now: Duration, calls: &mut Vec<Call>);

    /// Begins to end.
    fn end(&mut self, calls: &mut Vec<Call>);

    /// Goes on as far as nothing has to be awaited.
    fn advance(&mut self, now: Duration, calls: &mut Vec<Call>);

    /// When the machine is to hear [`Event::Tick`] if nothing happens before.
    fn due_at(&self) -> Option<Duration>;

    /// The part that binds.
    fn bind(&self) -> &Bind;

    /// The state as the last bind or commit left it; none where the service keeps none.
    fn state(&self) -> Option<&PipeState>;

    /// Returns true once it is stopped, by a person, for a person, or before its start.
    fn is_stopped(&self) -> bool {
        self.bind().is_stopped()
    }
}

/// The part of a machine that binds.
#[derive(Clone, Debug)]
pub struct Bind {
    host: String,
    random: [u8; 16],
    seat: Option<Seat>,
    contest: Contest,
    backoff: Backoff,
    phase: BindPhase,
    question: Option<Foreign>,
}

/// The answer of the foreign side to the question of the bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// There was no question.
    Nothing,
    /// Its last batch.
    Last(Last),
    /// The source.
    Source(SourceFacts),
}

/// The words of both sides, once they are connected.
#[derive(Debug)]
pub(crate) struct Bound {
    /// The words of this side.
    pub(crate) books: Books,
    /// The words of the other side.
    pub(crate) told: Told,
}

enum Step {
    Calls(Vec<Call>),
    Bound(Bound),
    /// The event is none of a bind.
    Other,
}

impl Bind {
    /// Begins, stopped. The question is asked at each bind.
    pub(crate) fn new(host: String, random: [u8; 16], question: Option<Foreign>) -> Self {
        Self {
            host,
            random,
            seat: None,
            contest: Contest::default(),
            backoff: Backoff::default(),
            phase: BindPhase::Stopped,
            question,
        }
    }

    /// A line that was never used: of bytes drawn by this process, and of its epoch.
    pub(crate) fn fresh_line(&self) -> Line {
        let epoch = self.seat.as_ref().map_or(0, |seat| seat.epoch).to_be_bytes();
        let hash = digest(&[b"line", &self.random, &epoch]);
        let line = u64::from_be_bytes(hash[..8].try_into().expect("eight bytes"));
        Line(line.max(1))
    }

    pub(crate) fn is_bound(&self) -> bool {
        self.phase == BindPhase::Bound
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.phase == BindPhase::Stopped
    }

    /// When the next try is due; none unless nothing is connected.
    pub(crate) fn due_at(&self) -> Option<Duration> {
        match self.phase {
            BindPhase::Down(until) => Some(until),
            _ => None,
        }
    }

    /// Notes that a batch went through.
    pub(crate) fn prosper(&mut self) {
        self.backoff.reset();
    }

    /// Gives everything up, to begin anew after a wait.
    pub(crate) fn break_off(&mut self, now: Duration) -> Call {
        self.phase = BindPhase::Down(now.saturating_add(self.backoff.wait()));
        Call::Reset
    }

    /// Gives everything up until a person acts.
    pub(crate) fn stop(&mut self) {
        self.phase = BindPhase::Stopped;
    }

    /// Hears an event of a bind. Returns the words of both sides at its end.
    pub(crate) fn hear(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) -> Option<Bound> {
        match self.step(event, now) {
            Step::Calls(more) => calls.extend(more),
            Step::Bound(bound) => return Some(bound),
            Step::Other => {}
        }
        None
    }

    fn step(&mut self, event: Event, now: Duration) -> Step {
        let local = |call| Step::Calls(vec![Call::Local(call)]);
        match (self.phase, event) {
            (BindPhase::Stopped, Event::Start) => {
                (self.phase, self.contest) = (BindPhase::Seating, Contest::default());
                local(Local::TakeSeat)
            }
            (BindPhase::Down(until), Event::Tick) if now >= until => {
                self.phase = BindPhase::Seating;
                local(Local::TakeSeat)
            }
            (BindPhase::Down(_), _) => Step::Calls(Vec::new()),
            (BindPhase::Seating, Event::SeatTaken { seat, former }) => self.take_seat(seat, former, now),
            (BindPhase::Beginning, Event::Begun) => {
                self.phase = BindPhase::Connecting;
                let epoch = self.seat.as_ref().map_or(0, |seat| seat.epoch);
                Step::Calls(vec![Call::Foreign(Foreign::Connect { epoch })])
            }
            (BindPhase::Connecting, Event::Connected) => match &self.question {
                Some(question) => {
                    self.phase = BindPhase::Asking;
                    Step::Calls(vec![Call::Foreign(question.clone())])
                }
                None => self.read(Told::Nothing),
            },
            (BindPhase::Asking, Event::Last(last)) => self.read(Told::Last(last)),
            (BindPhase::Asking, Event::Source(facts)) => self.read(Told::Source(facts)),
            (BindPhase::Reading(told), Event::Books(books)) => {
                self.phase = BindPhase::Bound;
                Step::Bound(Bound { books, told })
            }
            _ => Step::Other,
        }
    }

    fn read(&mut self, told: Told) -> Step {
        self.phase = BindPhase::Reading(told);
        Step::Calls(vec![Call::Local(Local::ReadBooks)])
    }

    fn take_seat(&mut self, seat: Seat, former: Option<Seat>, now: Duration) -> Step {
        // A seat that this process had, and another one took since.
        let other = former.filter(|former| {
            former.host != self.host && self.seat.as_ref().is_some_and(|own| own.epoch != former.epoch)
        });
        if let Some(other) = other
            && self.contest.note(now)
        {
            self.phase = BindPhase::Stopped;
            let stop = Stop::Contest { ours: self.host.clone(), theirs: other.host };
            return Step::Calls(vec![Call::Reset, Call::Stop(stop)]);
        }
        let begin = Local::Begin { instance: seat.instance(), generation: seat.epoch };
        self.seat = Some(seat);
        self.phase = BindPhase::Beginning;
        Step::Calls(vec![Call::Local(begin)])
    }
}

/// Set-ups for the tests of machines.
#[cfg(test)]
pub(crate) mod set_up {
    use super::*;

    pub(crate) const NOW: Duration = Duration::from_secs(1_000);

    /// Takes a machine through its bind, with the answer of the other side. Returns the calls that the books
    /// bring about.
    pub(crate) fn bind(machine: &mut dyn Machine, answer: Event, books: Books) -> Vec<Call> {
        let seat = Seat::next(None, [2; 16], "host:1");
        let seat = Event::SeatTaken { seat, former: None };
        let mut calls = Vec::new();
        for event in [Event::Start, seat, Event::Begun, Event::Connected, answer, Event::Books(books)] {
            calls = machine.step(event, NOW);
        }
        calls
    }
}
