//! The judge: whether a history can come from a queue manager that keeps its promises.
//!
//! Lives here: [`check`], which turns a history into calls (`calls`), units of work and messages with their
//! fates (`fates`), and looks for what must not be: the fate of single messages and units (`messages`), order
//! (`order`), depth (`depth`).
//!
//! Always: time grows with the length of the history, times a logarithm; no search.

mod calls;
mod depth;
mod fates;
mod messages;
mod order;

#[cfg(test)]
mod tests;

use std::fmt;

use super::Event;

/// Kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A put was confirmed, and the message is not there.
    Lost,
    /// A message was given out twice.
    Duplicated,
    /// A message was given out that was never put, was backed out, or is not committed yet.
    Phantom,
    /// A get was confirmed, and the message came back with a restart.
    Resurrected,
    /// A part of a unit of work stands.
    Torn,
    /// A later message of a putter came before an earlier one that was there.
    Inverted,
    /// The body is not the one that was put.
    Corrupted,
    /// The queue says it has a number of messages that it cannot have.
    Depth,
    /// The history itself is wrong: the same message put twice, an outcome without a call.
    Misrecorded,
}

/// One thing that must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of which kind.
    pub class: Class,
    /// Description: the message, unit or queue, and the reason.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}: {}", self.class, self.text)
    }
}

/// Verdict on a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Everything that must not be.
    pub faults: Vec<Fault>,
    /// Messages whose put was tried.
    pub tried: u64,
    /// Messages whose put or commit was confirmed.
    pub acknowledged: u64,
    /// Messages given out for good.
    pub delivered: u64,
    /// Messages whose caller never learned whether they were put, and that were given out.
    pub recovered: u64,
    /// Calls whose outcome is unknown.
    pub unknown: u64,
}

impl Verdict {
    /// True if there is no fault.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// Number of faults of a class.
    #[must_use]
    pub fn count(&self, class: Class) -> usize {
        self.faults.iter().filter(|fault| fault.class == class).count()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { faults, tried, acknowledged, delivered, recovered, unknown } = self;
        write!(
            formatter,
            "{tried} messages tried, {acknowledged} acknowledged, {delivered} delivered, {recovered} recovered, \
             {unknown} calls unknown, {} faults",
            faults.len(),
        )?;
        for fault in faults.iter().take(FAULTS_SHOWN_MAX) {
            write!(formatter, "\n  {fault}")?;
        }
        Ok(())
    }
}

/// Enough to see the pattern; a broken disk can make one for every message.
const FAULTS_SHOWN_MAX: usize = 20;

/// Judges a history. The events may be in any order; their times count, and within one time their places.
#[must_use]
pub fn check(events: &[Event]) -> Verdict {
    let mut faults = Vec::new();
    let history = calls::History::of(events, &mut faults);
    let fates = fates::Fates::of(&history, &mut faults);
    messages::check(&history, &fates, &mut faults);
    order::check(&history, &fates, &mut faults);
    depth::check(&history, &fates, &mut faults);
    let count = |wanted: &dyn Fn(&fates::Message<'_>) -> bool| {
        fates.messages.iter().filter(|message| wanted(message)).count() as u64
    };
    Verdict {
        faults,
        tried: fates.messages.len() as u64,
        acknowledged: count(&|message| matches!(message.put, fates::PutFate::Present { .. })),
        delivered: count(&|message| message.is_consumed()),
        recovered: count(&|message| message.put.is_uncertain() && message.is_consumed()),
        unknown: history.calls.iter().filter(|call| call.is_unknown()).count() as u64,
    }
}
