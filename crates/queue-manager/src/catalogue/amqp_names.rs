//! The names by which clients of AMQP find queues and topics beside their own (AMQPNAME).
//!
//! Lives here: the index from such a name to its object. Lives elsewhere: the form of the names (`objects`),
//! the definitions they are attributes of (`mod`, `defined`).
//!
//! Always: a name leads to one object, which has it in its definition. The index follows the changes under
//! their lock and is read without one. The name of a queue is never looked up in it: none can be there.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use mqi::{ObjectDescriptor, ObjectName};
use objects::{Definition, ObjectType};
use platform::sync::atomic::{AtomicU64, Ordering};
use storage::Lsn;

use super::shards::{Hasher, Named, Shards};

/// A name, and the object that it leads to.
struct Entry {
    name: Box<str>,
    object_type: ObjectType,
    object: ObjectName,
    /// The topic string of a topic.
    topic: Option<Box<str>>,
}

/// The index.
pub(super) struct AmqpNames {
    entries: Shards<Entry>,
    /// Position that must be durable before the outside may learn what a name leads to, or that it leads to
    /// nothing: the last change.
    changed: AtomicU64,
}

impl Entry {
    fn of(definition: &Definition) -> Option<Self> {
        let name = definition.amqp_name();
        if name.is_empty() {
            return None;
        }
        let object_type = definition.object_type();
        let topic = (object_type == ObjectType::Topic).then(|| definition.topic_string().into());
        Some(Self { name: name.into(), object_type, object: *definition.name(), topic })
    }

    fn is_of(&self, definition: &Definition) -> bool {
        self.object == *definition.name() && self.object_type == definition.object_type()
    }

    fn descriptor(&self) -> ObjectDescriptor {
        match &self.topic {
            Some(topic) => ObjectDescriptor::topic(&**topic),
            None => ObjectDescriptor::queue(self.object),
        }
    }
}

impl Named for Entry {
    type Name<'a> = &'a str;

    fn is_called(&self, name: Self::Name<'_>) -> bool {
        *self.name == *name
    }

    fn hash_of_name(&self, hasher: &Hasher) -> u64 {
        hasher.hash_one(&*self.name)
    }
}

impl AmqpNames {
    /// The names in definitions that a restart found.
    pub(super) fn new<'definition>(definitions: impl Iterator<Item = &'definition Definition>) -> Self {
        let entries = definitions.filter_map(Entry::of).map(Arc::new);
        Self { entries: Shards::new(entries), changed: AtomicU64::new(0) }
    }

    /// The object that a name leads to, and the position that must be durable before the outside may learn
    /// of it or of its absence.
    pub(super) fn find(&self, name: &str) -> (Option<ObjectDescriptor>, Lsn) {
        let found = self.entries.get(name).map(|entry| entry.descriptor());
        (found, Lsn(self.changed.load(Ordering::Acquire)))
    }

    /// The type and the name of another object that has the name of a definition.
    pub(super) fn other_holder(&self, definition: &Definition) -> Option<(ObjectType, ObjectName)> {
        let name = definition.amqp_name();
        if name.is_empty() {
            return None;
        }
        let entry = self.entries.get(name).filter(|entry| !entry.is_of(definition))?;
        Some((entry.object_type, entry.object))
    }

    /// Follows a change of a definition, from the one before to the one after.
    pub(super) fn follow(&self, before: Option<&Definition>, after: Option<&Definition>, need: Lsn) {
        let (old, new) = (before.and_then(Entry::of), after.and_then(Entry::of));
        let led =
            |entry: &Option<Entry>| entry.as_ref().map(|entry| (entry.name.clone(), entry.topic.clone()));
        if led(&old) == led(&new) {
            return;
        }
        // Before the change can be seen: what is read then is told behind the log.
        self.changed.fetch_max(need.0, Ordering::Release);
        if let Some(old) = old {
            self.entries.remove(&old.name);
        }
        if let Some(new) = new {
            self.entries.insert(Arc::new(new));
        }
    }
}
