//! Numbers of calls, and of bytes that they carry.

use platform::sync::atomic::{AtomicU64, Ordering};

/// One number, or several of a kind, among all that are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    first: usize,
    width: usize,
}

impl Count {
    const fn then(self, width: usize) -> Self {
        Self { first: self.first + self.width, width }
    }

    const fn end(self) -> usize {
        self.first + self.width
    }
}

/// Of messages that are not persistent and of those that are.
const BOTH: usize = 2;

/// Kinds of object, by their MQOT_ values.
pub(crate) const KINDS: usize = 13;

pub(crate) const PUTS: Count = Count { first: 0, width: BOTH };
pub(crate) const PUTS_FAILED: Count = PUTS.then(1);
pub(crate) const PUT1S: Count = PUTS_FAILED.then(BOTH);
pub(crate) const PUT1S_FAILED: Count = PUT1S.then(1);
pub(crate) const PUT_BYTES: Count = PUT1S_FAILED.then(BOTH);
pub(crate) const GETS: Count = PUT_BYTES.then(BOTH);
pub(crate) const GETS_FAILED: Count = GETS.then(1);
pub(crate) const GET_BYTES: Count = GETS_FAILED.then(BOTH);
pub(crate) const BROWSES: Count = GET_BYTES.then(BOTH);
pub(crate) const BROWSES_FAILED: Count = BROWSES.then(1);
pub(crate) const BROWSE_BYTES: Count = BROWSES_FAILED.then(BOTH);
/// What is counted of a queue.
pub(crate) const TRAFFIC: usize = BROWSE_BYTES.end();

pub(crate) const OPENS: Count = BROWSE_BYTES.then(KINDS);
pub(crate) const OPENS_FAILED: Count = OPENS.then(KINDS);
pub(crate) const CLOSES: Count = OPENS_FAILED.then(KINDS);
pub(crate) const CLOSES_FAILED: Count = CLOSES.then(KINDS);
pub(crate) const INQUIRES: Count = CLOSES_FAILED.then(KINDS);
pub(crate) const INQUIRES_FAILED: Count = INQUIRES.then(KINDS);
pub(crate) const SETS: Count = INQUIRES_FAILED.then(KINDS);
pub(crate) const SETS_FAILED: Count = SETS.then(KINDS);
pub(crate) const COMMITS: Count = SETS_FAILED.then(1);
pub(crate) const COMMITS_FAILED: Count = COMMITS.then(1);
pub(crate) const BACKOUTS: Count = COMMITS_FAILED.then(1);
/// What is counted of a connection.
pub(crate) const CALLS: usize = BACKOUTS.end();

/// Numbers that go up.
#[derive(Debug)]
pub(crate) struct Counters<const COUNT: usize>([AtomicU64; COUNT]);

/// Numbers as they were at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Totals<const COUNT: usize>([u64; COUNT]);

/// A message that was put, got or browsed, or a call that did not do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    Done(Verb, Message),
    Failed(Verb),
}

/// How messages come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Put,
    Put1,
    Get,
    Browse,
}

/// What is counted of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) persistent: bool,
    pub(crate) bytes: u64,
}

impl Verb {
    /// Messages, their bytes, and calls that failed.
    const fn counts(self) -> (Count, Count, Count) {
        match self {
            Self::Put => (PUTS, PUT_BYTES, PUTS_FAILED),
            Self::Put1 => (PUT1S, PUT_BYTES, PUT1S_FAILED),
            Self::Get => (GETS, GET_BYTES, GETS_FAILED),
            Self::Browse => (BROWSES, BROWSE_BYTES, BROWSES_FAILED),
        }
    }
}

impl Passed {
    /// What goes up by how much.
    fn changes(self) -> impl Iterator<Item = (usize, u64)> {
        let changes = match self {
            Self::Done(verb, Message { persistent, bytes }) => {
                let (messages, all_bytes, _) = verb.counts();
                let kind = usize::from(persistent);
                [Some((messages.first + kind, 1)), Some((all_bytes.first + kind, bytes))]
            }
            Self::Failed(verb) => [Some((verb.counts().2.first, 1)), None],
        };
        changes.into_iter().flatten()
    }
}

impl<const COUNT: usize> Default for Counters<COUNT> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl<const COUNT: usize> Counters<COUNT> {
    /// One more of a kind; of a kind that nobody knows, of the first.
    pub(crate) fn add(&self, count: Count, kind: usize) {
        let place = if kind < count.width { kind } else { 0 };
        self.0[count.first + place].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn pass(&self, passed: Passed) {
        for (place, more) in passed.changes() {
            self.0[place].fetch_add(more, Ordering::Relaxed);
        }
    }

    pub(crate) fn totals(&self) -> Totals<COUNT> {
        Totals(std::array::from_fn(|place| self.0[place].load(Ordering::Relaxed)))
    }

    /// What was counted since this was asked for last.
    pub(crate) fn take(&self) -> Totals<COUNT> {
        Totals(std::array::from_fn(|place| self.0[place].swap(0, Ordering::Relaxed)))
    }
}

impl<const COUNT: usize> Default for Totals<COUNT> {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

impl<const COUNT: usize> Totals<COUNT> {
    pub(crate) fn pass(&mut self, passed: Passed) {
        for (place, more) in passed.changes() {
            self.0[place] += more;
        }
    }

    pub(crate) fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(one, other)| *one += other);
    }

    /// How many more these are than those before.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self(std::array::from_fn(|place| self.0[place].saturating_sub(before.0[place])))
    }

    pub(crate) fn of(&self, count: Count) -> &[u64] {
        &self.0[count.first..count.end()]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|number| *number == 0)
    }
}
