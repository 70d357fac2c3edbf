//! Events about queues that fill up, are full, have emptied, and about how soon messages are got.
//!
//! Each switches itself off, by an attribute of the queue, and the ones that may come next on: high → low and
//! full, low → high and full, full → low; service interval high → ok, ok → high.

use std::sync::Arc;

use mqi::constants::*;
use objects::pcf::Parameter;
use objects::{ObjectType, Value, attributes};
use queues::queue::Queue;
use queues::queue::performance::Performance;
use storage::Lsn;

use super::{Event, PERFORMANCE_EVENTS};
use crate::directory::Directory;

/// The reason code of an event.
const fn reason(what: Performance) -> i32 {
    match what {
        Performance::DepthHigh => MQRC_Q_DEPTH_HIGH,
        Performance::DepthLow => MQRC_Q_DEPTH_LOW,
        Performance::QueueFull => MQRC_Q_FULL,
        Performance::ServiceIntervalHigh => MQRC_Q_SERVICE_INTERVAL_HIGH,
        Performance::ServiceIntervalOk => MQRC_Q_SERVICE_INTERVAL_OK,
    }
}

/// Event switches to turn off and on.
const fn switches(what: Performance) -> &'static [(i32, i32)] {
    match what {
        Performance::DepthHigh => &[
            (MQIA_Q_DEPTH_HIGH_EVENT, MQEVR_DISABLED),
            (MQIA_Q_DEPTH_LOW_EVENT, MQEVR_ENABLED),
            (MQIA_Q_DEPTH_MAX_EVENT, MQEVR_ENABLED),
        ],
        Performance::DepthLow => &[
            (MQIA_Q_DEPTH_LOW_EVENT, MQEVR_DISABLED),
            (MQIA_Q_DEPTH_HIGH_EVENT, MQEVR_ENABLED),
            (MQIA_Q_DEPTH_MAX_EVENT, MQEVR_ENABLED),
        ],
        Performance::QueueFull => {
            &[(MQIA_Q_DEPTH_MAX_EVENT, MQEVR_DISABLED), (MQIA_Q_DEPTH_LOW_EVENT, MQEVR_ENABLED)]
        }
        Performance::ServiceIntervalHigh => &[(MQIA_Q_SERVICE_INTERVAL_EVENT, MQQSIE_OK)],
        Performance::ServiceIntervalOk => &[(MQIA_Q_SERVICE_INTERVAL_EVENT, MQQSIE_HIGH)],
    }
}

impl Directory {
    /// Reports a performance event of a queue, if the queue manager is to. Called without any lock.
    pub(crate) fn tell_performance(&self, queue: &Arc<Queue>, what: Performance, need: Lsn) -> Lsn {
        // Events about the queue of these events would have no end.
        let is_wanted = queue.name.as_str() != PERFORMANCE_EVENTS;
        if !is_wanted || !self.catalogue.manager().attributes.events.performance {
            queue.forget_notice(what);
            return Lsn::ZERO;
        }
        let figures = queue.reset_figures(self.ground().now());
        let number = |value: u64| i32::try_from(value).unwrap_or(i32::MAX);
        let parameters = vec![
            self.named_queue_manager(),
            Parameter::text(MQCA_BASE_OBJECT_NAME, queue.name.as_str()),
            Parameter::integer(MQIA_TIME_SINCE_RESET, number(figures.seconds)),
            Parameter::integer(MQIA_HIGH_Q_DEPTH, number(u64::from(figures.depth_highest))),
            Parameter::integer(MQIA_MSG_ENQ_COUNT, number(figures.enqueued)),
            Parameter::integer(MQIA_MSG_DEQ_COUNT, number(figures.dequeued)),
        ];
        // Switched first, so that the getter of the event finds it so.
        let switched = self.switch_attributes(queue, switches(what));
        let event = Event::new(PERFORMANCE_EVENTS, MQCMD_PERFM_EVENT, reason(what), parameters);
        self.tell_event(&event, need.max(switched)).max(switched)
    }

    /// Changes attributes of a queue that change by themselves. Without room in the log they stay as they
    /// are.
    pub(crate) fn switch_attributes(&self, queue: &Queue, switches: &[(i32, i32)]) -> Lsn {
        let changed = self.catalogue.alter(&queue.name, Some(ObjectType::LocalQueue), |definition| {
            for (selector, value) in switches {
                let row = attributes::by_selector(ObjectType::LocalQueue, *selector);
                definition.set(row.expect("a local queue has this"), Value::Integer(*value))?;
            }
            Ok(())
        });
        changed.map_or(Lsn::ZERO, |changed| changed.need)
    }
}
