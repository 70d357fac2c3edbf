//! The queues of each initiation queue.
//!
//! Lives elsewhere: the trigger messages that go there (`triggers`).

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use mqi::ObjectName;
use objects::QueueAttributes;
use platform::sync::RwLock;
use queues::queue::Queue;

/// Queues by the initiation queue that they name. A queue that names another meanwhile, or is gone, is
/// removed when it is next met.
#[derive(Debug, Default)]
pub(crate) struct Initiation {
    queues: RwLock<BTreeMap<ObjectName, Vec<Weak<Queue>>>>,
}

impl Initiation {
    pub(crate) fn note(&self, initiation_queue: ObjectName, queue: &Arc<Queue>) {
        let mut queues = self.queues.write();
        let named = queues.entry(initiation_queue).or_default();
        named.retain(|other| other.strong_count() > 0);
        if !named.iter().any(|other| other.as_ptr() == Arc::as_ptr(queue)) {
            named.push(Arc::downgrade(queue));
        }
    }

    /// The queues whose trigger messages go to this one, in the order in which they were made.
    pub(crate) fn of(&self, initiation_queue: &ObjectName) -> Vec<Arc<Queue>> {
        let queues = self.queues.read();
        let Some(named) = queues.get(initiation_queue) else { return Vec::new() };
        let mut found: Vec<_> = named.iter().filter_map(Weak::upgrade).collect();
        drop(queues);
        found.retain(|queue| goes_to(&queue.attributes(), initiation_queue));
        found.sort_unstable_by_key(|queue| queue.id);
        found
    }
}

fn goes_to(attributes: &QueueAttributes, initiation_queue: &ObjectName) -> bool {
    let trigger = attributes.trigger.as_ref();
    trigger.is_some_and(|trigger| trigger.initiation_queue.as_ref() == Some(initiation_queue))
}
