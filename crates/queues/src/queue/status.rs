//! The state of a queue for commands and MQINQ, and changes from the catalogue.

use std::sync::Arc;

use objects::Usage;
use platform::WallTime;
use storage::Lsn;

use super::{Queue, State};
use crate::counters::account::Leaving;
use crate::counters::figures::queue_calls;
use crate::ground::Ground;
use crate::ground::time::moment;
use crate::object::{Current, LocalQueue};
use crate::queue::state::QueueState;
use crate::queues::Queues;

impl LocalQueue for Arc<Queue> {
    fn attributes_changed(&self, current: &Current) {
        self.alter(current.attributes.clone(), current.need);
    }
}

impl Queue {
    /// Use counts.
    pub fn counters(&self) -> QueueCounters {
        let state = self.lock();
        QueueCounters { passed: state.landmarks.passed(), ..state.counters }
    }

    /// Its figures but for the handles that browse it.
    pub fn figures(&self) -> figures::Queue {
        let traffic = self.traffic_counted().map(|traffic| traffic.counters().totals());
        let state = self.lock();
        let total = state.measured_total();
        figures::Queue {
            depth: state.depth.into(),
            input_handles: state.input_handles.into(),
            output_handles: state.output_handles.into(),
            puts: state.counters.puts,
            gets: state.counters.gets,
            expired: total.expired,
            purged: total.purged,
            puts_backed_out: total.puts_backed_out,
            gets_backed_out: total.gets_backed_out,
            not_queued: total.not_queued,
            waited: total.waited.messages,
            waited_micros: total.waited.micros,
            ..traffic.as_ref().map(queue_calls).unwrap_or_default()
        }
    }

    /// Returns its figures with its stock, and the position that must be durable before the outside may learn
    /// of them. Messages that have expired count until they are removed.
    pub fn observe(&self, ground: &Ground) -> (figures::Queue, Lsn) {
        let figures = self.figures();
        let state = self.lock();
        let micros = |at: Option<WallTime>| at.map_or(0, |at| u64::try_from(at.0).unwrap_or_default());
        let figures = figures::Queue {
            depth_max: state.attributes.depth_max.into(),
            bytes: state.slab.bytes(),
            uncommitted: state.uncommitted.into(),
            oldest_seconds: state.oldest_age(ground).unwrap_or_default().into(),
            last_put_micros: micros(state.last_put),
            last_get_micros: micros(state.last_got),
            is_transmission: state.attributes.usage == Usage::Transmission,
            ..figures
        };
        (figures, state.last_change)
    }

    /// Messages on it, those that have expired included.
    pub fn depth(&self) -> u32 {
        self.lock().depth
    }

    /// Messages on it that end with the process, those of open units of work included.
    pub fn not_persistent(&self) -> u32 {
        self.lock().slab.not_persistent()
    }

    /// Returns its state, without expired messages.
    pub fn status(self: &Arc<Self>, queues: &Queues) -> QueueState {
        self.expire(queues);
        let state = self.lock();
        let (monitoring, time_on_queue) = state.monitored();
        QueueState {
            monitoring,
            time_on_queue,
            depth: state.depth,
            uncommitted: state.uncommitted,
            damaged: state.told.len() as u32,
            delayed: state.delayed_count(),
            megabytes: u32::try_from(state.slab.bytes().div_ceil(1 << 20)).unwrap_or(u32::MAX),
            megabytes_max: state.attributes.store_megabytes_max,
            input_handles: state.input_handles,
            output_handles: state.output_handles,
            handles: state.handles,
            oldest_age: state.oldest_age(&queues.ground),
            last_put: state.last_put.map(moment),
            last_get: state.last_got.map(moment),
            need: state.last_change,
        }
    }
}

/// Use counts of a queue since the queue manager started.
///
/// A restart begins them anew, so that telling them tells nothing a crash could undo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueCounters {
    /// Messages put, those of units of work that are still open and those that were backed out included.
    pub puts: u64,
    /// Messages got, likewise; browsing is not counted.
    pub gets: u64,
    /// Persistent messages among them that went to a waiting getter without the log.
    pub handed_over: u64,
    /// Persistent messages that were on their way so when their getter ended, and went to the log after all.
    pub taken_back: u64,
    /// Messages that were passed to find the places of others, which came back or were committed before the
    /// last.
    pub passed: u64,
}

impl State {
    pub(super) fn was_put(&mut self, at: WallTime) {
        self.last_put = Some(at);
        self.counters.puts += 1;
        if self.watch.is_some() {
            self.notice(true, at);
        }
    }

    pub(super) fn was_got(&mut self, ground: &Ground, leaving: Leaving, at: WallTime) {
        self.last_got = Some(at);
        self.counters.gets += 1;
        if self.measured.is_some() {
            self.measure_got(ground, leaving);
        }
        if self.watch.is_some() {
            self.notice(false, at);
        }
    }

    /// Seconds since the oldest available message arrived.
    fn oldest_age(&self, ground: &Ground) -> Option<u32> {
        let oldest = self.order.heads().map(|slot| self.slab[slot].arrived_second).min()?;
        Some(u32::try_from(i64::from(ground.second()) - i64::from(oldest)).unwrap_or(0))
    }
}
