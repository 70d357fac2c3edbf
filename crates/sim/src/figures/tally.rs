//! The counts of a figure.

use scenario::random::Coverage;

use crate::torture::{Features, Problem};

/// A case that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// Number of the case.
    pub case: u64,
    /// Description of the case.
    pub what: String,
    /// Everything that must not be.
    pub problems: Vec<String>,
}

/// The counts of a figure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases tried.
    pub cases: u64,
    /// Cases that failed.
    pub failures: Vec<Failure>,
    /// Cases after at least one operation within a unit of work.
    pub units: u64,
    /// Cases after the log began anew in used space.
    pub laps: u64,
    /// Cases after a checkpoint.
    pub checkpoints: u64,
    /// Cases after a message was spilled.
    pub spills: u64,
    /// Cases after a body went to the log in fragments.
    pub large: u64,
    /// Cases after a message was handed to a waiting getter without the log.
    pub handed: u64,
    /// Cases after one on its way so was taken back.
    pub taken_back: u64,
    /// Cases after a unit of work was prepared.
    pub prepared: u64,
    /// Cases after a put was refused for lack of room while the log had its first extent alone.
    pub refused_early: u64,
    /// Cases after one was refused when it had others.
    pub refused_late: u64,
    /// Cases in which a figure of damage met what a single copy cannot tell from a torn tail.
    pub tails: u64,
    /// Messages that a start knew to be damaged.
    pub told_at_start: u64,
    /// Messages that were damaged and that an image gave back.
    pub given_back: u64,
    /// Cases in which a bit that flipped cost the message that it was in, and nothing else.
    pub alone: u64,
    /// Cases in which a start was led back to an image that the subject took on its own.
    pub led_back: u64,
    /// Coverage of random calls, where a figure makes them.
    pub coverage: Coverage,
    /// A number that two runs share only if they did the same.
    pub digest: u64,
    seed: u64,
    next: u64,
    only: Option<u64>,
}

impl Tally {
    /// Counts a case that failed before its workload was done.
    pub(super) fn fail(&mut self, what: &str, problem: &Problem) {
        if self.next(Features::default()) {
            self.judge(|| what.to_owned(), vec![problem.to_string()]);
        }
    }

    /// Counts only this case of the next seed; the others are passed over.
    #[must_use]
    pub fn only(case: Option<u64>) -> Self {
        Self { only: case, ..Self::default() }
    }

    /// A seed begins: its cases are counted from 1.
    pub fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.next = 0;
        self.note(seed);
    }

    /// The next case; false when it is to be passed over.
    pub fn next(&mut self, features: Features) -> bool {
        self.next += 1;
        if self.only.is_some_and(|only| only != self.next) {
            return false;
        }
        self.cases += 1;
        self.units += u64::from(features.units);
        self.laps += u64::from(features.laps);
        self.checkpoints += u64::from(features.checkpoints);
        self.spills += u64::from(features.spills);
        self.large += u64::from(features.large);
        self.handed += u64::from(features.handed);
        self.taken_back += u64::from(features.taken_back);
        self.prepared += u64::from(features.prepared);
        self.refused_early += u64::from(features.refused_early);
        self.refused_late += u64::from(features.refused_late);
        true
    }

    /// The case failed, unless there are no problems.
    pub fn judge(&mut self, what: impl FnOnce() -> String, problems: Vec<String>) {
        self.note(problems.len() as u64);
        if !problems.is_empty() {
            self.failures.push(Failure { seed: self.seed, case: self.next, what: what(), problems });
        }
    }

    /// Mixes something that happened into the digest.
    pub fn note(&mut self, word: u64) {
        self.digest = (self.digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
}
