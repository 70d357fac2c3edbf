//! Branches in doubt where a former holder is fenced: the last batch of the foreign side decides on them.
//!
//! ```text
//! judge ──> commit what is there, back out the rest ──> done
//!    │
//!    └──> new line: state put ──> begun there ──> ask again ──> read the books again ──> judge
//! ```
//!
//! Lives here: the questions and their answers. Lives elsewhere: the decision (`channel::message::in_doubt`).
//!
//! Always: a new line is durable in the state before it is begun there, so that the first batch of it is
//! never one of a line that the foreign side does not know.

use std::collections::VecDeque;

use channel::message::in_doubt::judge;
use channel::message::{Line, Mark, Position as LastBatch, Verdict};

use crate::exchange::{Books, Call, Event, Foreign, Last, Local, PreparedBranch, Stop};
use crate::state::{PipeState, Position};

#[derive(Clone, Debug, PartialEq, Eq)]
enum SettlementPhase {
    /// The last batch is awaited, behind the beginning of a line.
    Asking,
    /// The books are awaited, to be compared with this answer.
    Reading(Last),
    /// The state with a new line is being put.
    Naming,
    /// The new line is being begun there.
    Beginning,
}

/// A settlement that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settlement {
    phase: SettlementPhase,
    state: Option<PipeState>,
    branches: Vec<PreparedBranch>,
    fresh: Line,
    is_record_evictable: bool,
    backouts: u32,
}

/// The next step.
#[derive(Debug)]
pub(crate) enum Step {
    /// Calls to make.
    Calls(Vec<Call>),
    /// Everything is settled, once the calls are made.
    Done {
        calls: Vec<Call>,
        state: PipeState,
        /// Branches that are backed out, whose answers come yet.
        backouts: u32,
    },
    /// A person has to look.
    Stop(Stop),
}

impl Settlement {
    /// Begins with the books and the word of the foreign side. The fresh line is used if there has to be a
    /// new one.
    pub(crate) fn begin(books: Books, last: Last, fresh: Line, is_record_evictable: bool) -> (Self, Step) {
        let Books { state, branches, .. } = books;
        let phase = SettlementPhase::Asking;
        let mut settlement = Self { phase, state, branches, fresh, is_record_evictable, backouts: 0 };
        let step = settlement.settle(last, false);
        (settlement, step)
    }

    pub(crate) fn step(&mut self, event: Event) -> Step {
        match (&self.phase, event) {
            (SettlementPhase::Asking, Event::Last(last)) => {
                // As at the bind, the books are to be as young as the answer.
                self.phase = SettlementPhase::Reading(last);
                Step::Calls(vec![Call::Local(Local::ReadBooks)])
            }
            (SettlementPhase::Reading(last), Event::Books(books)) => {
                let last = *last;
                (self.state, self.branches) = (books.state, books.branches);
                self.settle(last, true)
            }
            (SettlementPhase::Naming, Event::StatePut) => {
                let line = self.state.as_ref().map(|state| state.line).unwrap_or_default();
                self.phase = SettlementPhase::Beginning;
                Step::Calls(vec![Call::Foreign(Foreign::BeginLine { line })])
            }
            (SettlementPhase::Beginning, Event::LineBegun) => {
                self.phase = SettlementPhase::Asking;
                Step::Calls(vec![Call::Foreign(Foreign::AskLast)])
            }
            (_, Event::BackedOut) => {
                self.backouts = self.backouts.saturating_sub(1);
                Step::Calls(Vec::new())
            }
            _ => Step::Calls(Vec::new()),
        }
    }

    fn settle(&mut self, last: Last, is_answer: bool) -> Step {
        let Last::Batch(theirs) = last else {
            return Step::Stop(Stop::Untold);
        };
        let state = self.state.clone().unwrap_or_default();
        if let Some(stop) = unaccounted(&state, &self.branches) {
            return Step::Stop(stop);
        }
        let marks: VecDeque<Mark> = self.branches.iter().map(|branch| branch.mark).collect();
        let has_forgotten = theirs.is_none() && state.is_used && marks.is_empty();
        if has_forgotten && self.is_record_evictable {
            return Step::Calls(vec![self.name_line(&state, self.fresh)]);
        }
        let (line, last) = theirs.unwrap_or_default();
        let theirs = LastBatch { line, last, wants_reset: false };
        match judge(&state.in_doubt(marks.clone()), &theirs, is_answer) {
            Verdict::GoOn { commits, .. } => {
                let (state, calls) = self.finish(state, &marks, commits);
                Step::Done { calls, state, backouts: self.backouts }
            }
            Verdict::NewLine { commits, keeps, finding } => {
                let (state, mut calls) = self.finish(state, &marks, commits);
                if !finding.is_empty() {
                    calls.push(Call::Tell(finding));
                }
                match keeps {
                    // It is in the state, and was never begun there.
                    Some(line) => {
                        self.phase = SettlementPhase::Beginning;
                        self.state = Some(state);
                        calls.push(Call::Foreign(Foreign::BeginLine { line }));
                    }
                    None => calls.push(self.name_line(&state, self.fresh)),
                }
                Step::Calls(calls)
            }
            Verdict::Stop(contradiction) => Step::Stop(Stop::Contradiction(Box::new(contradiction))),
        }
    }

    /// Commits the oldest branches, and backs the rest out, newest first.
    fn finish(
        &mut self,
        mut state: PipeState,
        marks: &VecDeque<Mark>,
        commits: usize,
    ) -> (PipeState, Vec<Call>) {
        let mut calls = Vec::new();
        let branches = std::mem::take(&mut self.branches);
        let (there, not_there) = branches.split_at(commits);
        for (branch, mark) in there.iter().zip(marks) {
            calls.push(Call::Local(Local::Commit { line: branch.line, batch: branch.mark.batch }));
            state = state.with_batch(*mark, Position::None);
        }
        for branch in not_there.iter().rev() {
            self.backouts += 1;
            calls.push(Call::Local(Local::BackOut { line: branch.line, batch: branch.mark.batch }));
        }
        (state, calls)
    }

    fn name_line(&mut self, state: &PipeState, line: Line) -> Call {
        let expected = self.state.take();
        let state = state.with_line(line);
        self.state = Some(state.clone());
        self.phase = SettlementPhase::Naming;
        Call::Local(Local::PutState { expected, state })
    }
}

/// A prepared branch that the state does not account for.
pub(crate) fn unaccounted(state: &PipeState, branches: &[PreparedBranch]) -> Option<Stop> {
    let mut expected = state.last.batch.next();
    for branch in branches {
        if (branch.line, branch.mark.batch) != (state.line, expected) {
            let line = if branch.line == state.line { "its line" } else { "another line" };
            return Some(Stop::Branch { batch: branch.mark.batch, last: state.last.batch, line });
        }
        expected = expected.next();
    }
    None
}
