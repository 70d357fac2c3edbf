//! The outcome of a figure on real processes.

use std::time::Instant;

use super::installation::Broken;
use crate::disk::device::RigError;

/// Extent of a figure's run, and the seed of its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Where the choices come from.
    pub seed: u64,
    /// Number of cases.
    pub cases: u64,
    /// No case begins later.
    pub until: Option<Instant>,
}

impl Size {
    /// The numbers of the cases, while there is time for more.
    pub fn numbers(self) -> impl Iterator<Item = u64> {
        (0..self.cases).take_while(move |_| self.until.is_none_or(|until| Instant::now() < until))
    }
}

/// The counts of a figure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Cases tried.
    pub cases: u64,
    /// Failures, each with its case.
    pub failures: Vec<String>,
    /// Further notes for a reader of the result.
    pub notes: Vec<String>,
    /// Why nothing, or not everything, was tried.
    pub skipped: Option<String>,
}

impl Outcome {
    /// Nothing was tried, for want of this.
    #[must_use]
    pub fn skipped(what: impl Into<String>) -> Self {
        Self { skipped: Some(what.into()), ..Self::default() }
    }

    /// A case was tried.
    pub fn case(&mut self, name: &str, result: Result<(), String>) {
        self.cases += 1;
        if let Err(problem) = result {
            eprintln!("FAILED {name}: {problem}");
            self.failures.push(format!("{name}: {problem}"));
        }
    }

    /// A case was tried that tells something when it holds. Where the machine lacks something, the cases
    /// before it count all the same.
    pub(super) fn tried(&mut self, name: &str, result: Result<String, Lack>) {
        match result {
            Ok(note) => {
                self.note(note);
                self.case(name, Ok(()));
            }
            Err(Lack::Broken(problem)) => self.case(name, Err(problem)),
            Err(Lack::OfMachine(what)) => self.skipped = Some(what),
        }
    }

    /// Something worth telling.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

/// The reason why a case has no good end.
pub(super) enum Lack {
    /// The machine lacks something, which is no fault.
    OfMachine(String),
    Broken(Broken),
}

impl From<Broken> for Lack {
    fn from(problem: Broken) -> Self {
        Self::Broken(problem)
    }
}

impl From<RigError> for Lack {
    fn from(error: RigError) -> Self {
        match error {
            RigError::Unavailable(what) => Self::OfMachine(what),
            error => Self::Broken(error.to_string()),
        }
    }
}
