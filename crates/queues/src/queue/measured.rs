//! Measurements of a queue that its attributes, or the queue manager's, ask for: monitoring (MONQ),
//! statistics (STATQ), accounting (ACCTQ).
//!
//! Lives here: times on the queue, the depths between which it goes, and the fate of messages that are never
//! got. Lives elsewhere: counting calls of programs (`counters`).
//!
//! A queue of which nothing is measured has no [`Measured`], and pays one look for one at each message.

use std::sync::Arc;

use super::entry::{EntryState, Slot};
use super::{Queue, State};
use crate::counters::Traffic;
use crate::counters::account::{Leaving, QueueAccount, Tallies, Waited};
use crate::counters::collecting::Noted;
use crate::ground::Ground;
use crate::queues::Queues;

/// Measurements wanted of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measuring {
    /// MONQ, in words that the queue manager's value is no part of any more.
    pub monitoring: i32,
    /// STATQ.
    pub statistics: bool,
    /// ACCTQ.
    pub accounting: bool,
    /// Its figures are told in another form than statistics messages.
    pub watched: bool,
}

/// Measurements of one queue.
#[derive(Debug)]
pub(super) struct Measured {
    wanted: Measuring,
    /// The mean of the last few times on the queue, and that of more, in microseconds.
    recent: Option<(u64, u64)>,
    period: Period,
    total: Total,
}

/// Totals of a queue since it is measured: each number only goes up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) waited: Waited,
    pub(crate) not_queued: u64,
    pub(crate) expired: u64,
    /// Times that a command emptied it.
    pub(crate) purged: u64,
    pub(crate) puts_backed_out: u64,
    pub(crate) gets_backed_out: u64,
}

/// Measurements of a queue since the last report of statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// The least depth.
    pub depth_lowest: u32,
    /// The greatest depth.
    pub depth_highest: u32,
    /// Times on the queue, of messages that are not persistent and of those that are.
    pub waited: [Waited; 2],
    /// Messages that went straight to a waiting getter, and never stood on the queue.
    pub not_queued: u64,
    /// Messages that expired.
    pub expired: u64,
    /// Messages that a command removed, or that went with their queue.
    pub purged: u64,
}

/// One message weighs so much in the two means of times on a queue.
const WEIGHTS: (u64, u64) = (8, 128);

impl Measuring {
    fn is_idle(self) -> bool {
        self == Self::default()
    }
}

impl Measured {
    fn new(wanted: Measuring, depth: u32) -> Self {
        Self { wanted, recent: None, period: Period::beginning(depth), total: Total::default() }
    }

    fn was_on_queue(&mut self, leaving: Leaving, micros: u64) {
        self.period.waited[usize::from(leaving.persistent)].add(micros);
        self.total.waited.add(micros);
        let mixed = |mean: u64, weight: u64| (mean * (weight - 1) + micros) / weight;
        self.recent = Some(match self.recent {
            None => (micros, micros),
            Some((few, many)) => (mixed(few, WEIGHTS.0), mixed(many, WEIGHTS.1)),
        });
    }
}

impl Period {
    fn beginning(depth: u32) -> Self {
        Self { depth_lowest: depth, depth_highest: depth, ..Self::default() }
    }
}

impl State {
    /// A message was got.
    pub(super) fn measure_got(&mut self, ground: &Ground, leaving: Leaving) {
        if let Some(measured) = &mut self.measured
            && let Some(micros) = leaving.arrived.micros_until(ground.now())
        {
            measured.was_on_queue(leaving, micros);
        }
    }

    pub(super) fn measure_depth(&mut self) {
        if let Some(Measured { period, .. }) = self.measured.as_deref_mut() {
            period.depth_highest = period.depth_highest.max(self.depth);
            period.depth_lowest = period.depth_lowest.min(self.depth);
        }
    }

    /// Notes that a message put this moment went to a waiting getter, unless it stands on the queue.
    pub(super) fn note_not_queued(&mut self, slot: Slot, sequence: u64) {
        if self.measured.is_some() {
            let entry = self.slab.get_if(slot, sequence);
            if !entry.is_some_and(|entry| entry.state == EntryState::Available)
                && let Some(measured) = self.measured.as_deref_mut()
            {
                measured.period.not_queued += 1;
                measured.total.not_queued += 1;
            }
        }
    }

    /// Counts messages that expired.
    pub(super) fn note_expired(&mut self, queues: &Queues, messages: usize) {
        queues.collecting.note(Noted::Expired, messages);
        if let Some(measured) = self.measured.as_deref_mut() {
            measured.period.expired += messages as u64;
            measured.total.expired += messages as u64;
        }
    }

    /// Counts messages that a command removed, or that were deleted with their queue.
    pub(super) fn note_purged(&mut self, queues: &Queues, messages: usize) {
        queues.collecting.note(Noted::Purged, messages);
        if let Some(measured) = self.measured.as_deref_mut() {
            measured.period.purged += messages as u64;
        }
    }

    /// A command emptied the queue, or it went with its messages.
    pub(super) fn note_queue_purged(&mut self, queues: &Queues) {
        queues.collecting.note(Noted::QueuePurged, 1);
        self.note_in_total(|total| total.purged += 1);
    }

    /// Notes something in what is measured of the queue, if anything is.
    pub(super) fn note_in_total(&mut self, note: impl FnOnce(&mut Total)) {
        if let Some(measured) = self.measured.as_deref_mut() {
            note(&mut measured.total);
        }
    }

    /// Returns the totals since the queue is measured; zeros for one that is not.
    pub(super) fn measured_total(&self) -> Total {
        self.measured.as_ref().map_or_else(Total::default, |measured| measured.total)
    }

    /// The level of monitoring, an MQMON_ value, and the means of times on the queue.
    pub(super) fn monitored(&self) -> (i32, Option<(u64, u64)>) {
        self.measured.as_ref().map_or((0, None), |measured| (measured.wanted.monitoring, measured.recent))
    }
}

impl Queue {
    /// The counters of its traffic, with a connection's account of it.
    pub fn tallies(&self, account: Option<&Arc<QueueAccount>>) -> Tallies {
        Tallies { traffic: self.traffic_counted(), account: account.map(Arc::clone) }
    }

    /// Counts the traffic of this queue, or stops counting.
    pub(crate) fn count_traffic(&self, is_counted: bool) {
        if self.traffic.load().is_some() != is_counted {
            self.traffic.store(is_counted.then(Arc::default));
        }
    }

    /// Its traffic counters, if it is counted.
    pub fn traffic_counted(&self) -> Option<Arc<Traffic>> {
        self.traffic.load_full()
    }

    /// Sets the measurements wanted from now on; `change` makes them from the present ones.
    pub fn measure(&self, change: impl FnOnce(Measuring) -> Measuring) {
        let mut state = self.lock();
        let depth = state.depth;
        let wanted =
            change(state.measured.as_ref().map_or_else(Measuring::default, |measured| measured.wanted));
        let had_statistics = state.measured.as_ref().is_some_and(|measured| measured.wanted.statistics);
        self.count_traffic(wanted.statistics || wanted.watched);
        if let Some(traffic) = self.traffic_counted().filter(|_| wanted.statistics && !had_statistics) {
            // What was counted before is nothing that statistics tell.
            traffic.take();
        }
        match &mut state.measured {
            _ if wanted.is_idle() => state.measured = None,
            Some(measured) => {
                if !measured.wanted.statistics && wanted.statistics {
                    measured.period = Period::beginning(depth);
                }
                if measured.wanted.monitoring == 0 {
                    measured.recent = None;
                }
                measured.wanted = wanted;
            }
            none => *none = Some(Box::new(Measured::new(wanted, depth))),
        }
    }

    /// Returns the measurements wanted of it.
    pub fn measuring(&self) -> Measuring {
        self.lock().measured.as_ref().map_or_else(Measuring::default, |measured| measured.wanted)
    }

    /// Takes the measurements since the last call, if statistics want them.
    pub fn take_period(&self) -> Option<Period> {
        let mut state = self.lock();
        let depth = state.depth;
        let measured = state.measured.as_mut().filter(|measured| measured.wanted.statistics)?;
        Some(std::mem::replace(&mut measured.period, Period::beginning(depth)))
    }
}
