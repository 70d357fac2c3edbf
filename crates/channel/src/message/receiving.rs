//! The receiving end of a message channel.
//!
//! Always: a batch is committed with its number, and only if number, count, sequence and chain are the next
//! by the own books.

use std::time::Duration;

use super::batch::{Facts, Filling};
use super::frame::{EndOfBatch, Position, Resume};
use super::in_doubt::LineEnd;
use super::negotiate::Terms;
use super::numbers::{BatchNumber, Line, Mark, Sequence};
use super::violation::Violation;

/// The receiver's books towards one partner, as its log has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReceiverState {
    /// The line; none for a channel that never heard of this partner.
    pub line: Line,
    /// The last batch that is committed.
    pub last: Mark,
    /// True when a person asked for a new line.
    pub wants_reset: bool,
}

/// The part of its life that the receiving end is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// A Resume is awaited.
    Bound,
    Running,
    Ended,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Receiving {
    terms: Terms,
    books: ReceiverState,
    phase: Phase,
    filling: Filling,
}

/// The answer to a Resume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// Messages come.
    Running,
    /// A new line: it is defined in the log with the end of the line before, and told by a Position once that
    /// is durable.
    NewLine {
        /// The line.
        line: Line,
        /// The end of the one before; none when there was none.
        before: Option<LineEnd>,
        /// The place before its first message.
        begins: Mark,
    },
    /// The line is known, and only told again.
    Again,
}

impl Receiving {
    /// Begins with the state that the log keeps of this end.
    #[must_use]
    pub fn new(terms: Terms, books: ReceiverState) -> Self {
        Self { terms, books, phase: Phase::Bound, filling: Filling::after(books.last) }
    }

    /// The state that the log keeps of this end.
    #[must_use]
    pub fn books(&self) -> &ReceiverState {
        &self.books
    }

    /// The Position to send, once it is durable.
    #[must_use]
    pub fn position(&self) -> Position {
        let ReceiverState { line, last, wants_reset } = self.books;
        Position { line, last, wants_reset }
    }

    /// Hears the sender's Resume.
    ///
    /// # Errors
    /// When it does not continue the Position, or messages come already.
    pub fn hear_resume(&mut self, resume: &Resume) -> Result<Resumed, Violation> {
        if self.phase != Phase::Bound {
            return Err(self.refuse(Violation::OutOfPlace("a Resume arrived while messages come")));
        }
        let line = resume.line;
        // The sender says the number with which a new line begins.
        let begins = Mark::start_behind(resume.sequence.before_first());
        let next = if resume.is_new { begins } else { self.books.last };
        let expected = (next.batch.next(), next.sequence.next(self.terms.highest));
        if line == Line::NONE || (!resume.is_new && line != self.books.line) {
            return Err(self.refuse(Violation::Line { kept: self.books.line, told: line }));
        }
        if resume.batch != expected.0 {
            return Err(self.refuse(Violation::Batch { expected: expected.0, told: resume.batch }));
        }
        if resume.sequence != expected.1 {
            return Err(self.refuse(Violation::Sequence { expected: expected.1, told: resume.sequence }));
        }
        if !resume.is_new {
            self.phase = Phase::Running;
            return Ok(Resumed::Running);
        }
        if line == self.books.line {
            if !self.books.last.is_start() {
                let told = line;
                return Err(self.refuse(Violation::Line { kept: self.books.line, told }));
            }
            if !self.books.wants_reset && self.books.last == begins {
                return Ok(Resumed::Again);
            }
        }
        let before = (self.books.line != Line::NONE && !self.books.last.is_start())
            .then_some(LineEnd { line: self.books.line, mark: self.books.last });
        self.books = ReceiverState { line, last: begins, ..ReceiverState::default() };
        self.filling = Filling::after(begins);
        Ok(Resumed::NewLine { line, before, begins })
    }

    /// Hears a message of the batch, which is put in the unit of work.
    ///
    /// # Errors
    /// When it is not the next, or one more than a batch may have.
    pub fn hear_message(&mut self, sequence: Sequence, facts: Facts<'_>) -> Result<(), Violation> {
        self.judge_running()?;
        let expected = self.filling.last().next(self.terms.highest);
        if sequence != expected {
            return Err(self.refuse(Violation::Sequence { expected, told: sequence }));
        }
        let most = self.terms.batch_messages_max;
        if self.filling.messages() >= most {
            return Err(self.refuse(Violation::TooMany { most }));
        }
        self.filling.take(facts, self.terms.highest, Duration::ZERO);
        Ok(())
    }

    /// Hears a message outside batches.
    ///
    /// # Errors
    /// When such were not agreed.
    pub fn hear_fast(&mut self) -> Result<(), Violation> {
        self.judge_running()?;
        if !self.terms.is_fast {
            return Err(self.refuse(Violation::OutOfPlace("a fast message arrived, and NPMSPEED is NORMAL")));
        }
        Ok(())
    }

    /// Hears the end of the batch: the caller commits the unit of work with this mark, and answers once that
    /// is durable.
    ///
    /// # Errors
    /// When number, count, sequence or chain are not those of the messages that arrived.
    pub fn hear_end(&mut self, end: &EndOfBatch) -> Result<Mark, Violation> {
        self.judge_running()?;
        let mark = self.filling.end(self.books.last);
        let fault = if end.mark.batch != mark.batch {
            Some(Violation::Batch { expected: mark.batch, told: end.mark.batch })
        } else if end.messages != self.filling.messages() || end.messages == 0 {
            Some(Violation::Count { counted: self.filling.messages(), told: end.messages })
        } else if end.mark.sequence != mark.sequence {
            Some(Violation::Sequence { expected: mark.sequence, told: end.mark.sequence })
        } else if end.mark.chain != mark.chain {
            Some(Violation::Chain { batch: mark.batch, folded: mark.chain, told: end.mark.chain })
        } else {
            None
        };
        if let Some(fault) = fault {
            return Err(self.refuse(fault));
        }
        self.books.last = mark;
        self.filling = Filling::after(mark);
        Ok(mark)
    }

    /// The sequence number of the last message that arrived in a batch.
    #[must_use]
    pub fn last_sequence(&self) -> Sequence {
        self.filling.last()
    }

    /// Messages of the batch that arrived so far.
    #[must_use]
    pub fn filled(&self) -> u32 {
        self.filling.messages()
    }

    /// True while messages may come.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// A message can be put nowhere: the batch is backed out and refused, and nothing behind it is taken.
    pub fn give_up(&mut self) -> BatchNumber {
        self.phase = Phase::Ended;
        self.books.last.batch.next()
    }

    fn judge_running(&mut self) -> Result<(), Violation> {
        if self.phase == Phase::Running {
            return Ok(());
        }
        Err(self.refuse(Violation::OutOfPlace("a message or the end of a batch arrived before a Resume")))
    }

    /// Nothing is heard after a violation.
    fn refuse(&mut self, violation: Violation) -> Violation {
        self.phase = Phase::Ended;
        violation
    }
}
