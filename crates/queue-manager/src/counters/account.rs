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
pub(crate) struct Tallies {
    /// All who use the queue together.
    pub(crate) traffic: Option<Arc<Traffic>>,
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
pub(crate) struct QueueAccount {
    pub(crate) id: ObjectId,
    /// The queue, for messages about it when it is gone.
    pub(crate) described: Vec<Parameter>,
    pub(crate) figures: Mutex<Figures>,
}

/// Counts since the last report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) totals: Totals<TRAFFIC>,
    pub(crate) opens: u64,
    pub(crate) opened: Option<Moment>,
    pub(crate) closed: Option<Moment>,
    pub(crate) put: [Sizes; 2],
    pub(crate) got: [Sizes; 2],
    pub(crate) browsed: [Sizes; 2],
    pub(crate) waited: [Waited; 2],
    /// Handles that have the queue open.
    pub(crate) handles: u64,
}

/// The shortest and the longest message; none at all when the longest is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) shortest: Option<u64>,
    pub(crate) longest: u64,
}

impl Sizes {
    fn add(&mut self, bytes: u64) {
        self.shortest = Some(self.shortest.map_or(bytes, |shortest| shortest.min(bytes)));
        self.longest = self.longest.max(bytes);
    }
}

/// For how long messages were on a queue, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waited {
    pub(crate) messages: u64,
    pub(crate) micros: u64,
    pub(crate) shortest: u64,
    pub(crate) longest: u64,
}

impl QueueAccount {
    pub(crate) fn note_opened(&self, now: Moment) {
        let mut figures = self.figures.lock();
        figures.opens += 1;
        figures.handles += 1;
        figures.opened.get_or_insert(now);
    }

    pub(crate) fn note_closed(&self, now: Moment) {
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
    pub(crate) fn take(&self) -> Option<Figures> {
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

    pub(crate) fn mean(&self) -> u64 {
        self.micros.checked_div(self.messages).unwrap_or(0)
    }
}
