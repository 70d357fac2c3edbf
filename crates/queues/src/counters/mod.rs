//! Numbers of calls, and of bytes that they carry.
//!
//! Lives here: the numbers, those of a connection (`calls`) and of one on one queue (`account`), the choice
//! of what is counted (`collecting`), and the figures of a queue made of them (`figures`). Lives elsewhere:
//! the calls that count (`verbs::call_counts`, `queue::party`), the messages and topics that tell the numbers
//! (`accounting`).
//!
//! Always: numbers only go up.

pub mod account;
pub mod calls;
pub mod collecting;
pub mod figures;

use mqi::Reason;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicU64, Ordering};

/// One number, or several of a kind, among all that are counted.
#[derive(Clone, Copy, Debug)]
pub struct Count {
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

/// Messages put by MQPUT.
pub const PUTS: Count = Count { first: 0, width: BOTH };
/// Calls of MQPUT that failed.
pub const PUTS_FAILED: Count = PUTS.then(1);
/// Messages put by MQPUT1.
pub const PUT1S: Count = PUTS_FAILED.then(BOTH);
/// Calls of MQPUT1 that failed.
pub const PUT1S_FAILED: Count = PUT1S.then(1);
/// Bytes put.
pub const PUT_BYTES: Count = PUT1S_FAILED.then(BOTH);
/// Messages got.
pub const GETS: Count = PUT_BYTES.then(BOTH);
/// Gets that failed.
pub const GETS_FAILED: Count = GETS.then(1);
/// Bytes got.
pub const GET_BYTES: Count = GETS_FAILED.then(BOTH);
/// Messages browsed.
pub const BROWSES: Count = GET_BYTES.then(BOTH);
/// Browses that failed.
pub const BROWSES_FAILED: Count = BROWSES.then(1);
/// Bytes browsed.
pub const BROWSE_BYTES: Count = BROWSES_FAILED.then(BOTH);
/// Gets and browses that failed for one of two reasons: there was no message, or it was too long.
pub(crate) const GETS_WITHOUT: Count = BROWSE_BYTES.then(1);
pub(crate) const GETS_TRUNCATED: Count = GETS_WITHOUT.then(1);
pub(crate) const BROWSES_WITHOUT: Count = GETS_TRUNCATED.then(1);
pub(crate) const BROWSES_TRUNCATED: Count = BROWSES_WITHOUT.then(1);
/// Other calls on a queue.
pub const QUEUE_OPENS: Count = BROWSES_TRUNCATED.then(1);
/// Handles closed.
pub const QUEUE_CLOSES: Count = QUEUE_OPENS.then(1);
/// Calls of MQINQ.
pub const QUEUE_INQUIRES: Count = QUEUE_CLOSES.then(1);
/// Calls of MQSET.
pub const QUEUE_SETS: Count = QUEUE_INQUIRES.then(1);
/// Number of counts of a queue.
pub(crate) const TRAFFIC: usize = QUEUE_SETS.end();

/// Calls of MQOPEN, by kind of object.
pub const OPENS: Count = QUEUE_SETS.then(KINDS);
/// Calls of MQOPEN that failed.
pub const OPENS_FAILED: Count = OPENS.then(KINDS);
/// Calls of MQCLOSE.
pub const CLOSES: Count = OPENS_FAILED.then(KINDS);
/// Calls of MQCLOSE that failed.
pub const CLOSES_FAILED: Count = CLOSES.then(KINDS);
/// Calls of MQINQ.
pub const INQUIRES: Count = CLOSES_FAILED.then(KINDS);
/// Calls of MQINQ that failed.
pub const INQUIRES_FAILED: Count = INQUIRES.then(KINDS);
/// Calls of MQSET.
pub const SETS: Count = INQUIRES_FAILED.then(KINDS);
/// Calls of MQSET that failed.
pub const SETS_FAILED: Count = SETS.then(KINDS);
/// Calls of MQCMIT.
pub const COMMITS: Count = SETS_FAILED.then(1);
/// Calls of MQCMIT that failed.
pub const COMMITS_FAILED: Count = COMMITS.then(1);
/// Calls of MQBACK.
pub const BACKOUTS: Count = COMMITS_FAILED.then(1);
/// Puts to topics, which are among the puts as well.
pub const TOPIC_PUTS: Count = BACKOUTS.then(BOTH);
/// Publications that failed.
pub const TOPIC_PUTS_FAILED: Count = TOPIC_PUTS.then(1);
/// Bytes published.
pub const TOPIC_PUT_BYTES: Count = TOPIC_PUTS_FAILED.then(BOTH);
/// Number of counts of a connection.
pub const CALLS: usize = TOPIC_PUT_BYTES.end();

/// Numbers that go up.
#[derive(Debug)]
pub struct Counters<const COUNT: usize>([AtomicU64; COUNT]);

/// Numbers as they were at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals<const COUNT: usize>([u64; COUNT]);

/// A message that was put, got or browsed, or a call that did not do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// It moved a message.
    Done(Verb, Message),
    /// It failed.
    Failed(Verb, Why),
}

/// The reasons of failed calls that are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No message was there.
    NoMessage,
    /// The message was longer than the buffer.
    Truncated,
    /// Any other reason.
    Other,
}

impl From<Reason> for Why {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::NO_MSG_AVAILABLE => Self::NoMessage,
            Reason::TRUNCATED_MSG_FAILED => Self::Truncated,
            _ => Self::Other,
        }
    }
}

/// Direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// MQPUT.
    Put,
    /// MQPUT1.
    Put1,
    /// MQGET that takes a message.
    Get,
    /// MQGET that browses.
    Browse,
    /// A put to a topic, by a handle or by name.
    Publish,
}

/// Facts of a message that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// True if it is persistent.
    pub persistent: bool,
    /// Bytes of its body.
    pub bytes: u64,
}

impl Verb {
    /// Messages, their bytes, and calls that failed.
    const fn counts(self) -> (Count, Count, Count) {
        match self {
            Self::Put => (PUTS, PUT_BYTES, PUTS_FAILED),
            Self::Put1 => (PUT1S, PUT_BYTES, PUT1S_FAILED),
            Self::Get => (GETS, GET_BYTES, GETS_FAILED),
            Self::Browse => (BROWSES, BROWSE_BYTES, BROWSES_FAILED),
            Self::Publish => (TOPIC_PUTS, TOPIC_PUT_BYTES, TOPIC_PUTS_FAILED),
        }
    }

    /// The count of calls that failed for a reason that is counted apart.
    const fn failed_for(self, why: Why) -> Option<Count> {
        match (self, why) {
            (Self::Get, Why::NoMessage) => Some(GETS_WITHOUT),
            (Self::Get, Why::Truncated) => Some(GETS_TRUNCATED),
            (Self::Browse, Why::NoMessage) => Some(BROWSES_WITHOUT),
            (Self::Browse, Why::Truncated) => Some(BROWSES_TRUNCATED),
            _ => None,
        }
    }
}

impl Passed {
    /// Counts to raise, each with its amount.
    fn changes(self) -> impl Iterator<Item = (usize, u64)> {
        let changes = match self {
            Self::Done(verb, Message { persistent, bytes }) => {
                let (messages, all_bytes, _) = verb.counts();
                let kind = usize::from(persistent);
                [Some((messages.first + kind, 1)), Some((all_bytes.first + kind, bytes))]
            }
            Self::Failed(verb, why) => {
                [Some((verb.counts().2.first, 1)), verb.failed_for(why).map(|count| (count.first, 1))]
            }
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
    /// Counts one more of a kind; an unknown kind counts as the first.
    pub fn add(&self, count: Count, kind: usize) {
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
}

/// Calls on a queue, which only go up, and those of them that statistics have told.
#[derive(Debug, Default)]
pub struct Traffic {
    counters: Counters<TRAFFIC>,
    told: Mutex<Totals<TRAFFIC>>,
}

impl Traffic {
    /// The counts of messages.
    pub fn counters(&self) -> &Counters<TRAFFIC> {
        &self.counters
    }

    /// The calls since statistics were told last; they count as told.
    pub fn take(&self) -> Totals<TRAFFIC> {
        let mut told = self.told.lock();
        let all = self.counters.totals();
        let since = all.since(&told);
        *told = all;
        since
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

    /// Adds other counts.
    pub fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(&others.0).for_each(|(one, other)| *one += other);
    }

    /// Returns the increase of each count since an earlier reading.
    pub fn since(&self, before: &Self) -> Self {
        Self(std::array::from_fn(|place| self.0[place].saturating_sub(before.0[place])))
    }

    /// The cells of a count.
    pub fn of(&self, count: Count) -> &[u64] {
        &self.0[count.first..count.end()]
    }

    /// True if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|number| *number == 0)
    }
}
