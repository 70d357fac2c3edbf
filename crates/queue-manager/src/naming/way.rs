//! The way from the name that a program opened to the queue that takes its messages.
//!
//! Lives here: the definitions passed, and whether they still lead there. Lives elsewhere: how the way is
//! found (`resolve`).

use std::sync::Arc;

use mqi::{ObjectDescriptor, ObjectName, OpenOptions, QueueManagerName, Reason};
use objects::{Remote, TargetType};
use queues::queue::Queue;
use security::ObjectKind;
use smallvec::SmallVec;
use storage::Lsn;

use crate::catalogue::{Current, Object};

/// The definitions passed: an alias of a queue manager, an alias, the definition of a remote queue.
pub(crate) type Steps = SmallVec<[Step; 2]>;

/// Way from a name to a queue that has another name, or to another queue manager.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) steps: Steps,
    /// Where the messages go from the transmission queue; none when the queue is meant itself.
    pub(crate) elsewhere: Option<Elsewhere>,
    /// The object by which rights were asked for, where it began at the name of a queue manager: then only
    /// puts are possible.
    pub(crate) by_manager: Option<(ObjectKind, ObjectName)>,
}

/// A queue of another queue manager.
#[derive(Clone, Copy)]
pub(crate) struct Elsewhere {
    pub(crate) queue: ObjectName,
    pub(crate) queue_manager: QueueManagerName,
}

/// A definition passed, and its target then.
#[derive(Clone)]
pub(crate) struct Step {
    definition: Arc<Object<Arc<Queue>>>,
    /// The queue that an alias stands for.
    pub(crate) target: Option<ObjectName>,
    /// Where a remote queue is.
    pub(crate) remote: Option<Arc<Remote>>,
}

impl Step {
    pub(crate) fn of(definition: &Arc<Object<Arc<Queue>>>) -> Self {
        let current = definition.current();
        let remote = current.attributes.remote.clone();
        Self { definition: Arc::clone(definition), target: target(&current), remote }
    }
}

/// The object by which a queue was opened, as rights are asked for it: the first definition, an alias of a
/// queue manager passed over, or another queue manager's name.
pub(crate) fn asked_as(opened: &ObjectName, way: Option<&Way>) -> (ObjectKind, ObjectName) {
    way.and_then(|way| way.by_manager).unwrap_or((ObjectKind::Queue, *opened))
}

impl Way {
    /// True if an open may ask for this at its end: a queue elsewhere cannot be got from, inquired or set.
    pub(crate) fn allows(&self, options: OpenOptions) -> bool {
        let input = OpenOptions::INPUT_AS_Q_DEF
            | OpenOptions::INPUT_SHARED
            | OpenOptions::INPUT_EXCLUSIVE
            | OpenOptions::BROWSE;
        let gets = options.intersects(input) && (self.elsewhere.is_some() || self.by_manager.is_some());
        let asks = options.intersects(OpenOptions::INQUIRE | OpenOptions::SET) && self.by_manager.is_some();
        !gets && !asks
    }

    /// Checks that a message may go this way now, and returns its longest life by the definitions passed.
    pub(crate) fn check(&self) -> Result<Option<u32>, (Lsn, Reason)> {
        let mut expiry_max: Option<u32> = None;
        for step in &self.steps {
            let current = step.definition.current();
            if target(&current) != step.target || current.attributes.remote != step.remote {
                return Err((current.need, Reason::OBJECT_CHANGED));
            }
            if current.attributes.put_inhibited {
                return Err((current.need, Reason::PUT_INHIBITED));
            }
            expiry_max = match (expiry_max, current.attributes.expiry_max) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
        }
        Ok(expiry_max)
    }
}

fn target(current: &Current) -> Option<ObjectName> {
    current.attributes.target.filter(|_| current.attributes.target_type == TargetType::Queue)
}

/// A queue that is open, as what is put to it names it.
pub(crate) fn descriptor_of(queue: &Queue, way: Option<&Way>) -> ObjectDescriptor {
    match way.and_then(|way| way.elsewhere) {
        None => ObjectDescriptor::queue(queue.name),
        Some(elsewhere) => ObjectDescriptor {
            object_queue_manager_name: elsewhere.queue_manager,
            ..ObjectDescriptor::queue(elsewhere.queue)
        },
    }
}
