//! The numbers of one connection on one queue, and of all who use the queue.

use std::sync::Arc;

use objects::Moment;
use objects::pcf::Parameter;
use platform::sync::Mutex;
use storage::ObjectId;

use super::{Message, Passed, TRAFFIC, Totals, Traffic, Verb};
use crate::ground::time::Arrived;

/// Counters of the traffic of a queue.
#[derive(Clone, Debug, Default)]
pub struct Tallies {
    /// All who use the queue together.
    pub traffic: Option<Arc<Traffic>>,
    /// The connection by itself.
    pub(crate) account: Option<Arc<QueueAccount>>,
}

/// Facts to keep of a message that was got.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaving {
    pub(crate) arrived: Arrived,
    pub(crate) persistent: bool,
    pub(crate) bytes: u32,
}

/// Counts of one connection on one queue.
#[derive(Debug)]
pub struct QueueAccount {
    /// The queue.
    pub id: ObjectId,
    /// The queue, for messages about it when it is gone.
    pub described: Vec<Parameter>,
    /// Its figures since the last report.
    pub figures: Mutex<Figures>,
}

/// Counts since the last report.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Counts of calls, messages and bytes.
    pub totals: Totals<TRAFFIC>,
    /// Handles opened.
    pub opens: u64,
    /// Time of the first open.
    pub opened: Option<Moment>,
    /// Time of the last close.
    pub closed: Option<Moment>,
    /// Lengths of messages put, not persistent and persistent.
    pub put: [Sizes; 2],
    /// Lengths of messages got.
    pub got: [Sizes; 2],
    /// Lengths of messages browsed.
    pub browsed: [Sizes; 2],
    /// Times that messages got had been on the queue.
    pub waited: [Waited; 2],
    /// Handles that have the queue open.
    pub handles: u64,
}

/// The shortest and the longest message; none at all when the longest is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// Bytes of the shortest message, if there was one.
    pub shortest: Option<u64>,
    /// Bytes of the longest message.
    pub longest: u64,
}

impl Sizes {
    fn add(&mut self, bytes: u64) {
        self.shortest = Some(self.shortest.map_or(bytes, |shortest| shortest.min(bytes)));
        self.longest = self.longest.max(bytes);
    }
}

/// For how long messages were on a queue, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waited {
    /// Messages got.
    pub messages: u64,
    pub(crate) micros: u64,
    /// The shortest time.
    pub shortest: u64,
    /// The longest time.
    pub longest: u64,
}

impl QueueAccount {
    /// A handle was opened.
    pub fn note_opened(&self, now: Moment) {
        let mut figures = self.figures.lock();
        figures.opens += 1;
        figures.handles += 1;
        figures.opened.get_or_insert(now);
    }

    /// A handle was closed.
    pub fn note_closed(&self, now: Moment) {
        let mut figures = self.figures.lock();
        figures.handles = figures.handles.saturating_sub(1);
        figures.closed = Some(now);
    }

    pub(crate) fn pass(&self, passed: Passed) {
        let mut figures = self.figures.lock();
        figures.totals.pass(passed);
        if let Passed::Done(verb, Message { persistent, bytes }) = passed {
            let sizes = match verb {
                Verb::Put | Verb::Put1 | Verb::Publish => &mut figures.put,
                Verb::Get => &mut figures.got,
                Verb::Browse => &mut figures.browsed,
            };
            sizes[usize::from(persistent)].add(bytes);
        }
    }

    pub(crate) fn note_waited(&self, persistent: bool, micros: u64) {
        self.figures.lock().waited[usize::from(persistent)].add(micros);
    }

    /// Takes the counts to report, if there are any; counting begins anew.
    pub fn take(&self) -> Option<Figures> {
        let mut figures = self.figures.lock();
        let is_used = figures.opens > 0 || figures.closed.is_some() || !figures.totals.is_empty();
        let kept = Figures { handles: figures.handles, ..Figures::default() };
        let taken = std::mem::replace(&mut *figures, kept);
        is_used.then_some(taken)
    }
}

impl Waited {
    pub(crate) fn add(&mut self, micros: u64) {
        self.shortest = if self.messages == 0 { micros } else { self.shortest.min(micros) };
        self.longest = self.longest.max(micros);
        self.messages += 1;
        self.micros = self.micros.saturating_add(micros);
    }

    /// The mean time.
    pub fn mean(&self) -> u64 {
        self.micros.checked_div(self.messages).unwrap_or(0)
    }
}
