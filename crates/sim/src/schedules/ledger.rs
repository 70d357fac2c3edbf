//! The knowledge of a scene's actors about each message, and the check that the queues agree.

use std::collections::{BTreeMap, BTreeSet};

use parking_lot::Mutex;

/// Identity of a message: every put makes another.
pub(super) type Number = u32;

/// Known progress of a message. Later ones are greater: knowledge is not forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// Somebody was asked to put it.
    MayCome,
    /// The answer was: it is there.
    Here,
    /// Somebody was asked to commit its get.
    MayGo,
    /// Somebody was told that it is his.
    Gone,
    /// The answer was: it never came.
    Never,
}

#[derive(Clone, Copy, Debug)]
struct Fate {
    known: Known,
    is_persistent: bool,
    expires: bool,
}

/// Knowledge of all messages at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    fates: BTreeMap<Number, Fate>,
    /// Gets under way that take a message without being asked again.
    takers: usize,
    /// Puts and gets of units of work of which a commit is under way.
    commits: Vec<(Vec<Number>, Vec<Number>)>,
}

/// Present knowledge. Its lock is a leaf that no schedule switches at, so that a note and its event are one
/// step.
#[derive(Debug, Default)]
pub(super) struct Ledger(Mutex<Moment>);

impl Ledger {
    pub(super) fn moment(&self) -> Moment {
        self.0.lock().clone()
    }

    pub(super) fn is_asked_to_put(&self, number: Number, is_persistent: bool, expires: bool) {
        let fate = Fate { known: Known::MayCome, is_persistent, expires };
        let other = self.0.lock().fates.insert(number, fate);
        assert!(other.is_none(), "message {number} is put once");
    }

    pub(super) fn note(&self, number: Number, known: Known) {
        let mut moment = self.0.lock();
        let fate = moment.fates.get_mut(&number);
        let fate = fate.unwrap_or_else(|| panic!("message {number} was never put"));
        let follows = match known {
            Known::MayCome => false,
            Known::Here => fate.known != Known::Never,
            Known::MayGo | Known::Gone => fate.known < known,
            Known::Never => fate.known == Known::MayCome,
        };
        assert!(follows, "message {number} is told to be {known:?}, it was {:?}", fate.known);
        fate.known = fate.known.max(known);
    }

    /// Another get is under way that takes its message at once.
    pub(super) fn a_taker_comes(&self) {
        self.0.lock().takers += 1;
    }

    pub(super) fn a_taker_goes(&self, with: Option<Number>) {
        self.0.lock().takers -= 1;
        if let Some(number) = with {
            self.note(number, Known::Gone);
        }
    }

    pub(super) fn a_commit_begins(&self, puts: &[Number], gets: &[Number]) {
        gets.iter().for_each(|number| self.note(*number, Known::MayGo));
        self.0.lock().commits.push((puts.to_vec(), gets.to_vec()));
    }

    pub(super) fn a_commit_is_answered(&self, puts: &[Number], gets: &[Number]) {
        self.0.lock().commits.retain(|(other, others)| other != puts || others != gets);
        puts.iter().for_each(|number| self.note(*number, Known::Here));
        gets.iter().for_each(|number| self.note(*number, Known::Gone));
    }

    pub(super) fn a_commit_is_refused(&self, puts: &[Number], gets: &[Number]) {
        let mut moment = self.0.lock();
        moment.commits.retain(|(other, others)| other != puts || others != gets);
        for number in gets {
            moment.fates.get_mut(number).expect("it was put").known = Known::Here;
        }
    }

    pub(super) fn a_unit_is_backed_out(&self, puts: &[Number]) {
        puts.iter().for_each(|number| self.note(*number, Known::Never));
    }
}

impl Moment {
    /// Panics unless exactly those messages are there that must be, now that nothing is under way.
    pub(super) fn agrees(&self, there: &[Number]) {
        let there = distinct(there);
        for (number, fate) in &self.fates {
            let is_there = there.contains(number);
            let right = match fate.known {
                Known::Here => is_there || fate.expires,
                Known::Gone | Known::Never => !is_there,
                Known::MayCome | Known::MayGo => panic!("message {number} is {fate:?} at the end"),
            };
            assert!(right, "message {number} is {fate:?}, and {}", word(is_there));
        }
        assert!(there.iter().all(|number| self.fates.contains_key(number)), "of {there:?} not all were put");
    }

    /// Panics unless those messages could be there after the power was lost at this moment.
    pub(super) fn agrees_after_loss_of_power(&self, there: &[Number]) {
        let there = distinct(there);
        let mut missing = Vec::new();
        for (number, fate) in &self.fates {
            let is_there = there.contains(number);
            match fate.known {
                Known::Here if fate.is_persistent && !is_there && !fate.expires => missing.push(*number),
                Known::Gone | Known::Never => assert!(!is_there, "message {number} is {fate:?}, and there"),
                _ => {}
            }
            assert!(fate.is_persistent || !is_there, "message {number} was not to outlive a restart");
        }
        assert!(
            missing.len() <= self.takers,
            "{missing:?} were promised and are missing, while {} were taking one",
            self.takers
        );
        assert!(there.iter().all(|number| self.fates.contains_key(number)), "of {there:?} not all were put");
        self.are_whole(&there);
    }

    /// Of a unit of work whose commit was under way everything stands or nothing.
    fn are_whole(&self, there: &BTreeSet<Number>) {
        if self.takers > 0 {
            return;
        }
        for (puts, gets) in &self.commits {
            let stands = |number: &&Number| self.fates[*number].is_persistent;
            let untouched = |number: &&Number| self.fates[*number].known <= Known::Here;
            let came = puts.iter().filter(stands).filter(untouched).map(|number| there.contains(number));
            let went = gets.iter().filter(stands).map(|number| !there.contains(number));
            let stood: BTreeSet<bool> = came.chain(went).collect();
            assert!(
                stood.len() < 2,
                "the unit of work that put {puts:?} and got {gets:?} is torn: {there:?}"
            );
        }
    }
}

fn distinct(there: &[Number]) -> BTreeSet<Number> {
    let distinct: BTreeSet<Number> = there.iter().copied().collect();
    assert_eq!(distinct.len(), there.len(), "some are there twice: {there:?}");
    distinct
}

fn word(is_there: bool) -> &'static str {
    if is_there { "there" } else { "not there" }
}
