//! One queue that is defined: its identity, and its definition at this moment.
//!
//! Lives elsewhere: the set of objects, and changes of it (`catalogue`).

use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwap;
use mqi::ObjectName;
use mqi::constants::MQIA_DEFINITION_TYPE;
use objects::{Definition, ObjectType, QueueAttributes, TargetType, Value};
use storage::{Lsn, ObjectId};

/// A defined queue. A handle holds it, and so sees at once what ALTER changes.
pub struct Object<Q> {
    id: ObjectId,
    name: ObjectName,
    object_type: ObjectType,
    lifetime: Lifetime,
    current: ArcSwap<Current>,
    queue: Option<Q>,
}

/// Lifetime of an object: in the log, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// It survives a restart.
    Logged,
    /// It is a temporary dynamic queue: gone after a restart, and never in the log.
    ThisRun,
}

/// The engine's part of a local queue, as far as the catalogue knows it.
pub trait LocalQueue: Send + Sync {
    /// Takes changed attributes of the queue into use; called in the order of the changes, after the record
    /// of each is appended. Messages that a change frees (GET enabled again) are offered to waiting getters.
    fn attributes_changed(&self, current: &Current);
}

/// Definition of an object at one moment.
#[derive(Clone, Debug)]
pub struct Current {
    /// All of it.
    pub definition: Definition,
    /// Attributes that the verbs read.
    pub attributes: QueueAttributes,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

impl<Q: LocalQueue> Object<Q> {
    /// An object with its first definition.
    pub fn new(
        id: ObjectId,
        definition: Definition,
        need: Lsn,
        lifetime: Lifetime,
        make: impl FnOnce(ObjectId, &Current) -> Q,
    ) -> Self {
        let current = Current::new(definition, need);
        let object_type = current.definition.object_type();
        let queue = (object_type == ObjectType::LocalQueue).then(|| make(id, &current));
        let name = *current.definition.name();
        Self { id, name, object_type, lifetime, current: ArcSwap::from_pointee(current), queue }
    }

    /// Returns a definition with this object's values of the fields that only the queue manager sets.
    pub fn keep_internal(&self, mut definition: Definition) -> Definition {
        if self.object_type == ObjectType::LocalQueue {
            let value = self.current.load().definition.integer(MQIA_DEFINITION_TYPE);
            definition.set_internal(MQIA_DEFINITION_TYPE, Value::Integer(value));
        }
        definition
    }

    /// Publishes a definition that depends on the log up to `need`.
    pub fn publish(&self, definition: Definition, need: Lsn) {
        let current = Arc::new(Current::new(definition, need));
        self.current.store(Arc::clone(&current));
        if let Some(queue) = &self.queue {
            queue.attributes_changed(&current);
        }
    }
}

impl<Q> Object<Q> {
    /// Its identifier.
    pub fn id(&self) -> ObjectId {
        self.id
    }

    /// Its name.
    pub fn name(&self) -> &ObjectName {
        &self.name
    }

    /// Its type, for life.
    pub fn object_type(&self) -> ObjectType {
        self.object_type
    }

    /// Lifetime: a logged object survives a restart.
    pub fn lifetime(&self) -> Lifetime {
        self.lifetime
    }

    /// Its definition now.
    pub fn current(&self) -> Arc<Current> {
        self.current.load_full()
    }

    /// The engine's part of a local queue.
    pub fn queue(&self) -> Option<&Q> {
        self.queue.as_ref()
    }
}

impl<Q> fmt::Debug for Object<Q> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} ({})", self.object_type.keyword(), self.name, self.id.0)
    }
}

impl Current {
    fn new(definition: Definition, need: Lsn) -> Self {
        Self { attributes: QueueAttributes::new(&definition), definition, need }
    }

    /// True if this is an alias of the queue; its target may have been altered since it was opened.
    pub fn leads_to(&self, queue: &ObjectName) -> bool {
        self.attributes.target_type == TargetType::Queue && self.attributes.target.as_ref() == Some(queue)
    }
}
