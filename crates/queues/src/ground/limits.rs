//! Attributes of the queue manager that queues and units of work look up in the middle of a call.
//!
//! Lives elsewhere: the definition that they are from (`catalogue`).
//!
//! Always: they follow the definition, in the order of its changes.

use std::time::Duration;

use objects::QueueManagerAttributes;
use platform::sync::atomic::{AtomicU64, Ordering};

/// A mark interval of this many milliseconds never ends; MARKINT is below it.
const NO_END: u64 = u64::MAX;

/// The values of MAXUMSGS, MARKINT and TRIGINT.
#[derive(Debug)]
pub struct Limits {
    /// The setting above which MAXUMSGS has no effect.
    uncommitted_ceiling: u32,
    uncommitted_max: AtomicU64,
    mark_interval_millis: AtomicU64,
    trigger_interval_millis: AtomicU64,
}

impl Limits {
    /// The limits of a queue manager whose definition is not known yet.
    pub fn below(uncommitted_ceiling: u32) -> Self {
        Self {
            uncommitted_ceiling,
            uncommitted_max: AtomicU64::new(u64::from(uncommitted_ceiling)),
            mark_interval_millis: AtomicU64::new(NO_END),
            trigger_interval_millis: AtomicU64::new(0),
        }
    }

    /// Takes the values of a definition into use.
    pub fn follow(&self, attributes: &QueueManagerAttributes) {
        let uncommitted_max = attributes.uncommitted_max.min(self.uncommitted_ceiling);
        self.uncommitted_max.store(u64::from(uncommitted_max), Ordering::Release);
        let mark_interval = attributes.browse_mark_interval.map(|interval| interval.as_millis() as u64);
        self.mark_interval_millis.store(mark_interval.unwrap_or(NO_END), Ordering::Release);
        self.trigger_interval_millis.store(u64::from(attributes.trigger_interval), Ordering::Release);
    }

    /// MAXUMSGS: the most uncommitted messages of a unit of work.
    #[inline]
    pub fn uncommitted_max(&self) -> usize {
        self.uncommitted_max.load(Ordering::Acquire) as usize
    }

    /// MARKINT: the time after which marks of co-operating browsers lapse; none when they do not.
    pub fn mark_interval(&self) -> Option<Duration> {
        let millis = self.mark_interval_millis.load(Ordering::Acquire);
        (millis != NO_END).then(|| Duration::from_millis(millis))
    }

    /// TRIGINT: the time after which a queue with messages makes a trigger message of type FIRST again.
    pub fn trigger_interval(&self) -> Duration {
        Duration::from_millis(self.trigger_interval_millis.load(Ordering::Acquire))
    }
}
