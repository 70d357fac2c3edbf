//! The sending end of a message channel.
//!
//! Always: a batch is prepared before its end leaves, no more batches are in doubt than were agreed, and
//! nothing is numbered before the receiver has confirmed the line.

use std::num::NonZeroU64;
use std::time::Duration;

use super::batch::{Facts, Filling};
use super::frame::{EndOfBatch, Position, Resume};
use super::in_doubt::{LineEnd, SenderState, Verdict, judge};
use super::negotiate::Terms;
use super::numbers::{BatchNumber, Line, Mark, Sequence};
use super::violation::Violation;

/// The part of its life that the sending end is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// A Position is awaited.
    Binding,
    /// A new line is to be named.
    Beginning,
    /// The Position that confirms a new line is awaited.
    Asking,
    Running,
    /// No more messages are taken; the batches in doubt are awaited.
    Ending,
    Ended,
}

/// The machine: its books are the log's, and its calls say what comes next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sending {
    terms: Terms,
    books: SenderState,
    phase: Phase,
    filling: Filling,
}

impl Sending {
    /// Begins with the books that the log has.
    #[must_use]
    pub fn new(terms: Terms, books: SenderState) -> Self {
        let filling = Filling::after(books.confirmed);
        Self { terms, books, phase: Phase::Binding, filling }
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The state of this end that the log keeps, as far as its changes were carried out.
    #[must_use]
    pub fn books(&self) -> &SenderState {
        &self.books
    }

    /// Hears the receiver's Position. The caller settles the prepared batches as the verdict says; then it
    /// resumes, begins the new line, or ends the channel.
    ///
    /// # Errors
    /// When none is awaited.
    pub fn hear_position(&mut self, theirs: &Position) -> Result<Verdict, Violation> {
        let is_answer = match self.phase {
            Phase::Binding => false,
            Phase::Asking => true,
            _ => return Err(Violation::OutOfPlace("a Position arrived where none is awaited")),
        };
        let verdict = judge(&self.books, theirs, is_answer);
        match verdict {
            Verdict::GoOn { last, .. } => {
                (self.books.confirmed, self.phase) = (last, Phase::Running);
                self.books.prepared.clear();
                self.filling = Filling::after(last);
            }
            Verdict::NewLine { commits, .. } => {
                if let Some(last) = commits.checked_sub(1).and_then(|index| self.books.prepared.get(index)) {
                    self.books.confirmed = *last;
                }
                self.books.prepared.clear();
                self.phase = Phase::Beginning;
            }
            Verdict::Stop(_) => self.phase = Phase::Ended,
        }
        Ok(verdict)
    }

    /// Begins the line that the last verdict asked for; one that was not used keeps the number that RESET
    /// gave it. The caller defines it in the log with the end of the
    /// line before, which this returns, and sends [`resume`](Self::resume) once that is durable.
    ///
    /// # Panics
    /// When no verdict asked for it.
    pub fn begin_line(&mut self, line: Line) -> Option<LineEnd> {
        assert_eq!(self.phase, Phase::Beginning, "a new line begins by a verdict");
        if self.books.is_used {
            self.books.before = Some(LineEnd { line: self.books.line, mark: self.books.confirmed });
        }
        let Mark { sequence, .. } = self.books.confirmed;
        // SEQWRAP may have been altered since.
        let fits = self.books.confirmed.is_start() && sequence < self.terms.highest;
        let keeps = line == self.books.line && !self.books.is_used && fits;
        let start = if keeps { self.books.confirmed } else { Mark::START };
        self.books = SenderState {
            line,
            confirmed: start,
            before: self.books.before,
            replaces: self.books.replaces,
            resolved: self.books.resolved,
            ..SenderState::default()
        };
        self.phase = Phase::Asking;
        self.filling = Filling::after(start);
        self.books.before
    }

    /// The Resume to send.
    #[must_use]
    pub fn resume(&self) -> Resume {
        let Mark { batch, sequence, .. } = self.books.confirmed;
        Resume {
            line: self.books.line,
            is_new: self.phase == Phase::Asking,
            batch: batch.next(),
            sequence: sequence.next(self.terms.highest),
        }
    }

    /// Ends batches by limits of this end's own, which may be tighter than those that the ends agreed on.
    pub fn limit_batches(&mut self, agreed: &Terms, messages_max: u32, bytes_max: Option<u64>) {
        let bytes = [agreed.batch_bytes_max, bytes_max.and_then(NonZeroU64::new)];
        self.terms.batch_messages_max = agreed.batch_messages_max.min(messages_max.max(1));
        self.terms.batch_bytes_max = bytes.into_iter().flatten().min();
    }

    /// True once both ends are at the same place of the same line.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Ending)
    }

    /// True while a message may be taken: not before the receiver is there, nor where the batch is full and
    /// cannot end.
    #[must_use]
    pub fn may_take(&self) -> bool {
        self.phase == Phase::Running && !self.filling.is_full(&self.terms)
    }

    /// Takes a message into the batch; its sequence number.
    ///
    /// # Panics
    /// When none may be taken.
    pub fn take(&mut self, facts: Facts<'_>, now: Duration) -> Sequence {
        assert!(self.is_bound(), "a message is numbered where both ends are at the same place");
        self.filling.take(facts, self.terms.highest, now)
    }

    /// Messages in the batch that is being filled.
    #[must_use]
    pub fn filled(&self) -> u32 {
        self.filling.messages()
    }

    /// Bytes that the batch being filled takes yet, to within its last message.
    #[must_use]
    pub fn bytes_left(&self) -> u64 {
        self.filling.bytes_left(&self.terms)
    }

    /// The sequence number of the last message taken.
    #[must_use]
    pub fn last_sequence(&self) -> Sequence {
        self.filling.last()
    }

    /// Batches in doubt.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.books.prepared.len()
    }

    /// True when the batch should end now and may. `idle` says that no message is there.
    #[must_use]
    pub fn is_end_due(&self, now: Duration, idle: bool, interval: Duration) -> bool {
        let has_room = self.books.prepared.len() < usize::from(self.terms.in_flight_max);
        let is_ending = self.phase == Phase::Ending && self.filling.messages() > 0;
        self.is_bound() && has_room && (is_ending || self.filling.is_due(&self.terms, now, idle, interval))
    }

    /// When the batch is due if nothing more happens.
    #[must_use]
    pub fn due_at(&self, idle: bool, interval: Duration) -> Option<Duration> {
        self.filling.due_at(idle, interval)
    }

    /// Ends the batch: the caller prepares the unit of work by it, and sends it once that is durable.
    ///
    /// # Panics
    /// When the batch is empty or the window is full.
    pub fn end_batch(&mut self) -> Prepare {
        assert!(self.filling.messages() > 0, "an empty batch has no end");
        assert!(self.books.prepared.len() < usize::from(self.terms.in_flight_max), "the window has room");
        let before = self.books.prepared.back().copied().unwrap_or(self.books.confirmed);
        let mark = self.filling.end(before);
        let first = self.filling.first();
        let end = EndOfBatch { mark, messages: self.filling.messages() };
        self.books.prepared.push_back(mark);
        let uses_line = !std::mem::replace(&mut self.books.is_used, true);
        if uses_line {
            // They were of the line before.
            (self.books.resolved, self.books.replaces) = (None, Line::NONE);
        }
        self.filling = Filling::after(mark);
        Prepare { first, end, uses_line }
    }

    /// Hears that a batch, and all before it, are committed there; so many of the oldest are committed here.
    ///
    /// # Errors
    /// When it is none that is in doubt, or the ends are not at one place: before its Position the partner
    /// has not shown that it has the batches.
    pub fn hear_done(&mut self, batch: BatchNumber) -> Result<usize, Violation> {
        self.judge_bound()?;
        let index = self.find(batch)?;
        self.books.confirmed = self.books.prepared[index];
        self.books.prepared.drain(..=index);
        Ok(index + 1)
    }

    /// Hears that a batch is backed out there, and none behind it is taken: the caller backs out the open
    /// unit, then so many of the batches in doubt, newest first. The channel is at its end.
    ///
    /// # Errors
    /// When it is none that is in doubt, and not the one that is being filled, or the ends are not at one
    /// place.
    pub fn hear_refused(&mut self, batch: BatchNumber) -> Result<usize, Violation> {
        self.judge_bound()?;
        let next = self.books.prepared.back().copied().unwrap_or(self.books.confirmed).batch.next();
        let index = if batch == next { self.books.prepared.len() } else { self.find(batch)? };
        let count = self.books.prepared.len() - index;
        self.books.prepared.truncate(index);
        self.phase = Phase::Ended;
        Ok(count)
    }

    fn judge_bound(&self) -> Result<(), Violation> {
        let answer = "an answer to a batch arrived before the Position that it follows";
        if self.is_bound() { Ok(()) } else { Err(Violation::OutOfPlace(answer)) }
    }

    fn find(&self, batch: BatchNumber) -> Result<usize, Violation> {
        let index = self.books.prepared.iter().position(|mark| mark.batch == batch);
        index.ok_or_else(|| Violation::Batch { expected: self.books.confirmed.batch.next(), told: batch })
    }

    /// Takes no more messages: the batch ends, and the channel when nothing is in doubt.
    pub fn stop(&mut self) {
        self.phase = if self.is_bound() { Phase::Ending } else { Phase::Ended };
    }

    /// True when a stop is carried out.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let is_empty = self.filling.messages() == 0 && self.books.prepared.is_empty();
        self.phase == Phase::Ended || (self.phase == Phase::Ending && is_empty)
    }
}

/// A batch that ended: its unit of work is prepared by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepare {
    /// The sequence number of its first message.
    pub first: Sequence,
    /// The frame to send once it is durable.
    pub end: EndOfBatch,
    /// True for the first batch of a line: that it is used is logged before.
    pub uses_line: bool,
}
