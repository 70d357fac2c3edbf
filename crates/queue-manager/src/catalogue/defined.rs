//! Objects that are no queues: their definitions by kind and name.
//!
//! Lives here: finding, defining, altering and removing them, as `mod` does it for queues.
//! Lives elsewhere: the parts that act by such a definition.
//!
//! Always: as for queues, each change is in the log before it can be seen.

use std::fmt;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use arc_swap::ArcSwap;
use mqi::constants::MQCA_TOPIC_STRING;
use objects::{Definition, Family, NameSpace, ObjectType};
use platform::sync::atomic::Ordering;
use storage::{Lsn, ObjectId, Purpose, Record};

use super::shards::{Hasher, Named};
use super::{Catalogue, ChangeError, Existing, Lifetime, LocalQueue, counted, topics};

/// A defined object that is no queue.
pub struct Defined {
    id: ObjectId,
    lifetime: Lifetime,
    current: ArcSwap<DefinedCurrent>,
}

/// Definition of such an object at one moment.
#[derive(Clone, Debug)]
pub struct DefinedCurrent {
    /// All of it.
    pub definition: Definition,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

impl Defined {
    pub(super) fn new(id: ObjectId, definition: Definition, need: Lsn, lifetime: Lifetime) -> Self {
        Self { id, lifetime, current: ArcSwap::from_pointee(DefinedCurrent { definition, need }) }
    }

    /// Its identifier.
    pub fn id(&self) -> ObjectId {
        self.id
    }

    /// Lifetime: a logged object survives a restart.
    pub fn lifetime(&self) -> Lifetime {
        self.lifetime
    }

    /// Its definition now.
    pub fn current(&self) -> Arc<DefinedCurrent> {
        self.current.load_full()
    }

    /// Its type, for life.
    pub fn object_type(&self) -> ObjectType {
        self.current.load().definition.object_type()
    }
}

impl fmt::Debug for Defined {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let current = self.current();
        let name = current.definition.shown_name();
        write!(formatter, "{} {name} ({})", current.definition.object_type().keyword(), self.id.0)
    }
}

impl Named for Defined {
    /// The space of its name, and what a person calls it.
    type Name<'a> = (NameSpace, &'a str);

    fn is_called(&self, name: Self::Name<'_>) -> bool {
        name_of(&self.current.load().definition) == name
    }

    fn hash_of_name(&self, hasher: &Hasher) -> u64 {
        hasher.hash_one(name_of(&self.current.load().definition))
    }
}

fn name_of(definition: &Definition) -> (NameSpace, &str) {
    (definition.object_type().name_space(), definition.shown_name())
}

impl<Q: LocalQueue> Catalogue<Q> {
    /// Returns the object of a name, other than a queue, and the position that must be durable before the
    /// outside may learn of it or of its absence.
    pub fn find_defined(&self, space: NameSpace, name: &str) -> (Option<Arc<Defined>>, Lsn) {
        let object = self.defined.get((space, name));
        let need = object.as_ref().map_or_else(|| self.absence_need(), |object| object.current().need);
        (object, need)
    }

    /// Every object of a family that is not queues, by name.
    pub fn all_defined(&self, family: Family) -> Vec<Arc<Defined>> {
        let mut named: Vec<_> = self
            .defined
            .values()
            .into_iter()
            .filter(|object| object.object_type().family() == family)
            .map(|object| (object.current().definition.shown_name().to_owned(), object.object_type(), object))
            .collect();
        named.sort_unstable_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
        named.into_iter().map(|(_, _, object)| object).collect()
    }

    /// Makes an object that is no queue, or gives an existing one all its attributes anew.
    pub fn define_other(
        &self,
        definition: Definition,
        existing: Existing,
        lifetime: Lifetime,
    ) -> Result<Lsn, ChangeError> {
        self.define_other_if(definition, existing, lifetime, |_, _| Ok(()))
    }

    /// The same where `check` agrees, which is given the definition that there was and the finished one.
    pub fn define_other_if(
        &self,
        definition: Definition,
        existing: Existing,
        lifetime: Lifetime,
        check: impl FnOnce(Option<&Definition>, &Definition) -> Result<(), ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        let mut changes = self.changes.lock();
        self.check_topic_string(&definition)?;
        topics::check(&definition)?;
        let name = *definition.name();
        if let Some(object) = self.defined.get(name_of(&definition)) {
            let found = object.object_type();
            if found != definition.object_type() {
                return Err(ChangeError::OtherType { name, found });
            }
            if existing == Existing::Refuse {
                return Err(ChangeError::Exists(name));
            }
            let before = object.current();
            let definition = definition.replacing(&before.definition);
            check(Some(&before.definition), &definition)?;
            self.check_amqp_name(&definition)?;
            let need = self.log_definition(object.id, &definition, object.lifetime)?;
            if object.lifetime == Lifetime::Logged {
                counted::follow(&self.ledger, &before.definition, &definition);
            }
            let told = (Some(&before.definition), Some(&definition));
            self.topics.follow(&mut changes.topics, object.id, told, need);
            self.amqp_names.follow(told.0, told.1, need);
            object.current.store(Arc::new(DefinedCurrent { definition, need }));
            return Ok(need);
        }
        check(None, &definition)?;
        self.check_amqp_name(&definition)?;
        let id = changes.next_id;
        let need = self.log_new(id, &definition, lifetime)?;
        changes.next_id = ObjectId(id.0 + 1);
        self.topics.follow(&mut changes.topics, id, (None, Some(&definition)), need);
        self.amqp_names.follow(None, Some(&definition), need);
        self.defined.insert(Arc::new(Defined::new(id, definition, need, lifetime)));
        Ok(need)
    }

    /// Changes the attributes of an object that is no queue.
    pub fn alter_other(
        &self,
        space: NameSpace,
        name: &str,
        object_type: ObjectType,
        change: impl FnOnce(&mut Definition) -> Result<(), ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        let mut changes = self.changes.lock();
        let object = self.defined.get((space, name));
        let object = object.ok_or(ChangeError::NotFound)?;
        let before = object.current();
        let mut definition = before.definition.clone();
        if definition.object_type() != object_type {
            let found = definition.object_type();
            return Err(ChangeError::OtherType { name: *definition.name(), found });
        }
        change(&mut definition)?;
        topics::check(&definition)?;
        self.check_amqp_name(&definition)?;
        let need = self.log_definition(object.id, &definition, object.lifetime)?;
        let told = (Some(&before.definition), Some(&definition));
        self.topics.follow(&mut changes.topics, object.id, told, need);
        self.amqp_names.follow(told.0, told.1, need);
        object.current.store(Arc::new(DefinedCurrent { definition, need }));
        Ok(need)
    }

    /// Removes an object that is no queue.
    pub fn remove_other(
        &self,
        space: NameSpace,
        name: &str,
        object_type: Option<ObjectType>,
    ) -> Result<Lsn, ChangeError> {
        self.remove_other_if(space, name, object_type, || Ok(()))
    }

    /// The same where `check` agrees, under the lock that removes it.
    pub fn remove_other_if(
        &self,
        space: NameSpace,
        name: &str,
        object_type: Option<ObjectType>,
        check: impl FnOnce() -> Result<(), ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        let mut changes = self.changes.lock();
        let object = self.defined.get((space, name)).ok_or(ChangeError::NotFound)?;
        let found = object.object_type();
        if object_type.is_some_and(|wanted| wanted != found) {
            return Err(ChangeError::OtherType { name: *object.current().definition.name(), found });
        }
        check()?;
        let record = Record::Delete { object: object.id };
        let mut room = match object.lifetime {
            Lifetime::Logged => Some(self.log.reserve(&record, Purpose::Drain)?),
            Lifetime::ThisRun => None,
        };
        let need = self.log.removed(&object.current().definition, &mut || {
            room.as_mut().map_or(Lsn::ZERO, |room| self.log.append(&record, room))
        });
        self.removed.fetch_max(need.0, Ordering::Release);
        let current = object.current();
        let told = (Some(&current.definition), None);
        self.topics.follow(&mut changes.topics, object.id, told, need);
        self.amqp_names.follow(told.0, told.1, need);
        if object.lifetime == Lifetime::Logged {
            counted::give_back(&self.ledger, &object.current().definition);
        }
        self.defined.remove((space, name));
        Ok(need)
    }

    /// A place in the topic tree has one topic object.
    fn check_topic_string(&self, definition: &Definition) -> Result<(), ChangeError> {
        if definition.object_type() != ObjectType::Topic {
            return Ok(());
        }
        let wanted = definition.text(MQCA_TOPIC_STRING);
        let holder = self.all_defined(Family::Topic).into_iter().find(|topic| {
            let current = topic.current();
            current.definition.name() != definition.name()
                && !wanted.is_empty()
                && current.definition.text(MQCA_TOPIC_STRING) == wanted
        });
        match holder {
            Some(topic) => Err(ChangeError::TopicString { topic: *topic.current().definition.name() }),
            None => Ok(()),
        }
    }
}
