//! Defined objects by name.
//!
//! Lives here: finding an object, and the changes to the set of objects. Queues are here and in `object`, all
//! other objects in `defined`, the topic tree that some of them make in `topics`, the names that AMQP clients
//! have for some of them in `amqp_names`, what restart needs in `restore`, the objects of every queue
//! manager in `system`, MQINQ and MQSET on a definition in `inquire`.
//! Lives elsewhere: what an administrator may do (`command`), the messages (`queue`).
//!
//! Always: finding takes no lock; changes follow one another under one lock, and each is in the log before it
//! can be seen; a visible change, or the absence of an object, carries the position that must be durable
//! before the outside may learn of it; an identifier is never given twice, even after a restart.
//!
//! The objects are spread over many small tables (`shards`), so that a definition copies one of a hundred
//! entries or so and not one of a hundred thousand: dynamic queues come and go.

mod amqp_names;
mod counted;
mod defined;
#[cfg(test)]
mod durability;
mod inquire;
pub(crate) mod kept_queue;
mod log;
mod manager_current;
mod restore;
mod shards;
mod system;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub(crate) mod topic_counts;
mod topics;

pub(crate) use counted::MANAGED_DURABLE;
pub use defined::{Defined, DefinedCurrent};
pub use inquire::{inquire, set};
pub(crate) use log::DefinitionLog;
pub use log::{ObjectLog, Room};
pub use manager_current::ManagerCurrent;

pub use restore::{RestoreError, Restored};
pub(crate) use system::{LOGINS_JUDGED, RULES_MADE};
pub use system::{fresh_definitions, system_definitions};
pub use topics::{
    Destination, PublishedProperties, Subscriber, SubscriberPriority, SubscriptionError, Topics,
    correlation_of, end_of_subscription, is_stopped, subscriber_of, token_of, topics_of,
};

use std::fmt;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use arc_swap::ArcSwap;
use mqi::{ObjectDescriptor, ObjectName};
use objects::{Definition, ObjectType, SettingError};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicU64, Ordering};
use queues::ground::growth::{GrowthRefusal, Ledger};
use queues::ground::limits::Limits;
use queues::ground::settings::Ceiling;
use storage::{Lsn, ObjectId, OutOfSpace, Purpose, Record};

use crate::authority::Denied;
use amqp_names::AmqpNames;
pub use queues::object::{Current, Lifetime, LocalQueue, Object};
use shards::{Hasher, Named, Shards};
use topics::{TopicChanges, TopicTree};

/// The objects of one queue manager. `Q` is the engine's part of a local queue.
pub struct Catalogue<Q> {
    queues: Shards<Object<Q>>,
    defined: Shards<Defined>,
    manager: ArcSwap<ManagerCurrent>,
    manager_id: ObjectId,
    changes: Mutex<Changes>,
    log: Arc<dyn ObjectLog>,
    /// Counts of definitions by those who made them.
    pub(crate) ledger: Arc<Ledger>,
    /// Attributes of the queue manager for queues and units of work.
    limits: Arc<Limits>,
    /// Position that must be durable before the outside may learn that an object is absent: the last removal.
    removed: AtomicU64,
    topics: TopicTree,
    amqp_names: AmqpNames,
}

struct Changes {
    next_id: ObjectId,
    topics: TopicChanges,
}

impl<Q> Named for Object<Q> {
    type Name<'a> = &'a ObjectName;

    fn is_called(&self, name: Self::Name<'_>) -> bool {
        self.name() == name
    }

    fn hash_of_name(&self, hasher: &Hasher) -> u64 {
        hasher.hash_one(self.name())
    }
}

/// Result of looking a name up.
pub struct Found<Q> {
    /// The object, if there is one.
    pub object: Option<Arc<Object<Q>>>,
    /// Position that must be durable before the outside may learn of it, or of its absence.
    pub need: Lsn,
}

/// A change that was made.
pub struct Changed<Q> {
    /// The object as it is now.
    pub object: Arc<Object<Q>>,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

/// Why the set of objects was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// An object of this name exists.
    #[error("{0} exists")]
    Exists(ObjectName),
    /// There is an object of this name, of another type.
    #[error("{name} is a {found}", found = .found.keyword())]
    OtherType {
        /// The name.
        name: ObjectName,
        /// Type of the existing object.
        found: ObjectType,
    },
    /// REPLACE of a queue that a program made from a model.
    #[error(
        "a program made it from a model, and its maker has rights on it; DELETE QLOCAL({0}) first, then DEFINE it again"
    )]
    ReplacesDynamic(ObjectName),
    /// A queue that a program made from a model would become a transmission queue.
    #[error(
        "USAGE(XMITQ) is for queues that are defined, and a program made this one from a model; DEFINE another QLOCAL"
    )]
    DynamicTransmission,
    /// A topic object would have its publications multicast.
    #[error(
        "publications are not multicast, each subscriber gets its own; write MCAST(DISABLED) or leave it out, and let \
         subscribers of one machine share a connection"
    )]
    Multicast,
    /// An attribute would be above the setting that bounds the same.
    #[error(
        "{keyword}({value}) is above {setting} = {most} of ferry.toml; raise the setting and start the queue manager \
         again, or write {most} at most",
        keyword = .ceiling.keyword, setting = .ceiling.setting, most = .ceiling.most
    )]
    AboveSetting {
        /// The setting.
        ceiling: Ceiling,
        /// The value of the attribute.
        value: i32,
    },
    /// No object of this name exists.
    #[error("it does not exist")]
    NotFound,
    /// Another topic object has the same topic string.
    #[error("topic object {topic} has this topic string already")]
    TopicString {
        /// That object.
        topic: ObjectName,
    },
    /// Another object has the same name in AMQP.
    #[error(
        "AMQPNAME({quoted}) leads to {keyword}({holder}) already; ALTER {keyword}({holder}) AMQPNAME(' ') first, or \
         choose another name",
        quoted = objects::quoted(name), keyword = .object_type.keyword()
    )]
    AmqpName {
        /// The name.
        name: String,
        /// The type of the object that has it.
        object_type: ObjectType,
        /// That object.
        holder: ObjectName,
    },
    /// A value does not fit.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A subscription cannot be made so.
    #[error(transparent)]
    Subscription(#[from] SubscriptionError),
    /// The log has no room.
    #[error(transparent)]
    OutOfSpace(#[from] OutOfSpace),
    /// Its author may not make it, or it would lend what its author does not have.
    #[error("its author has no right to {} of {}", .0.used, .0.asked().object)]
    NotAuthorized(Box<Denied>),
    /// There are as many as a bound allows.
    #[error(transparent)]
    Beyond(#[from] GrowthRefusal),
}

impl From<Box<Denied>> for ChangeError {
    fn from(denied: Box<Denied>) -> Self {
        Self::NotAuthorized(denied)
    }
}

/// Why an object was not removed: the catalogue's reason, or that of the caller's own check.
#[derive(Debug)]
pub enum RemoveError<E> {
    /// The catalogue's.
    Change(ChangeError),
    /// The check's.
    Refused(E),
}

/// Reaction of DEFINE to an object that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Fails.
    Refuse,
    /// It gets all its attributes anew; its messages and its identifier stay.
    Replace,
}

impl<Q: LocalQueue> Catalogue<Q> {
    /// The catalogue of a queue manager as restart found it. `make` makes the engine's part of each local
    /// queue.
    pub fn new(
        restored: Restored,
        log: Arc<dyn ObjectLog>,
        ledger: Arc<Ledger>,
        limits: Arc<Limits>,
        mut make: impl FnMut(ObjectId, &Current) -> Q,
    ) -> Self {
        let (mut queues, mut defined) = (Vec::new(), Vec::new());
        let objects = restored.objects.iter().map(|(id, definition)| (*id, definition));
        let (topics, topic_changes) = TopicTree::new(objects);
        let amqp_names = AmqpNames::new(restored.objects.values());
        for (id, definition) in restored.objects {
            counted::note(&ledger, &definition);
            if definition.object_type().is_queue() {
                let object = Object::new(id, definition, Lsn::ZERO, Lifetime::Logged, &mut make);
                queues.push(Arc::new(object));
            } else {
                defined.push(Arc::new(Defined::new(id, definition, Lsn::ZERO, Lifetime::Logged)));
            }
        }
        let manager = ManagerCurrent::new(restored.manager, Lsn::ZERO);
        limits.follow(&manager.attributes);
        Self {
            queues: Shards::new(queues),
            defined: Shards::new(defined),
            manager: ArcSwap::from_pointee(manager),
            manager_id: restored.manager_id,
            changes: Mutex::new(Changes { next_id: restored.next_id, topics: topic_changes }),
            log,
            ledger,
            limits,
            removed: AtomicU64::new(0),
            topics,
            amqp_names,
        }
    }

    /// The queue of a name.
    pub fn find(&self, name: &ObjectName) -> Found<Q> {
        let object = self.lookup(name);
        let need = match &object {
            Some(object) => object.current().need,
            None => Lsn(self.removed.load(Ordering::Acquire)),
        };
        Found { object, need }
    }

    /// The object that an AMQPNAME leads to, and the position that must be durable before the outside may
    /// learn of it or of its absence.
    pub fn find_by_amqp_name(&self, name: &str) -> (Option<ObjectDescriptor>, Lsn) {
        self.amqp_names.find(name)
    }

    /// The number of queues, and of other objects.
    pub fn counts(&self) -> (usize, usize) {
        (self.queues.len(), self.defined.len())
    }

    /// Every queue, in no order.
    pub fn unordered(&self) -> Vec<Arc<Object<Q>>> {
        self.queues.values()
    }

    /// Every queue, by name.
    pub fn all(&self) -> Vec<Arc<Object<Q>>> {
        let mut objects = self.unordered();
        objects.sort_unstable_by_key(|object| *object.name());
        objects
    }

    /// An identifier that was never given, for an object that is not in the catalogue.
    pub fn new_identifier(&self) -> ObjectId {
        let mut changes = self.changes.lock();
        let id = changes.next_id;
        changes.next_id = ObjectId(id.0 + 1);
        id
    }

    /// Position that must be durable before the outside may learn that an object is absent.
    pub fn absence_need(&self) -> Lsn {
        Lsn(self.removed.load(Ordering::Acquire))
    }

    /// The queue manager's own attributes.
    pub fn manager(&self) -> arc_swap::Guard<Arc<ManagerCurrent>> {
        self.manager.load()
    }

    /// Makes a queue, or gives an existing one all its attributes anew.
    pub fn define(
        &self,
        definition: Definition,
        existing: Existing,
        lifetime: Lifetime,
        make: impl FnOnce(ObjectId, &Current) -> Q,
    ) -> Result<Changed<Q>, ChangeError> {
        self.define_if(definition, existing, lifetime, |_, _| Ok(()), make)
    }

    /// The same where `check` agrees, which is given the definition that there was and the finished one.
    pub fn define_if(
        &self,
        definition: Definition,
        existing: Existing,
        lifetime: Lifetime,
        check: impl FnOnce(Option<&Definition>, &Definition) -> Result<(), ChangeError>,
        make: impl FnOnce(ObjectId, &Current) -> Q,
    ) -> Result<Changed<Q>, ChangeError> {
        let mut changes = self.changes.lock();
        let name = *definition.name();
        if let Some(object) = self.lookup(&name) {
            check_type(&object, definition.object_type())?;
            if existing == Existing::Refuse {
                return Err(ChangeError::Exists(name));
            }
            let before = object.current();
            let definition = definition.replacing(&before.definition);
            let definition = object.keep_internal(definition);
            check(Some(&before.definition), &definition)?;
            self.check_amqp_name(&definition)?;
            let need = self.log_definition(object.id(), &definition, object.lifetime())?;
            if object.lifetime() == Lifetime::Logged {
                counted::follow(&self.ledger, &object.current().definition, &definition);
            }
            self.amqp_names.follow(Some(&before.definition), Some(&definition), need);
            object.publish(definition, need);
            return Ok(Changed { object, need });
        }
        check(None, &definition)?;
        self.check_amqp_name(&definition)?;
        let id = changes.next_id;
        let need = self.log_new(id, &definition, lifetime)?;
        changes.next_id = ObjectId(id.0 + 1);
        let object = Arc::new(Object::new(id, definition, need, lifetime, make));
        self.queues.insert(Arc::clone(&object));
        self.amqp_names.follow(None, Some(&object.current().definition), need);
        Ok(Changed { object, need })
    }

    /// Changes a queue's attributes; `change` works on a copy that takes effect when it succeeds.
    pub fn alter(
        &self,
        name: &ObjectName,
        object_type: Option<ObjectType>,
        change: impl FnOnce(&mut Definition) -> Result<(), ChangeError>,
    ) -> Result<Changed<Q>, ChangeError> {
        let _changes = self.changes.lock();
        let object = self.lookup(name).ok_or(ChangeError::NotFound)?;
        if let Some(object_type) = object_type {
            check_type(&object, object_type)?;
        }
        let before = object.current();
        let mut definition = before.definition.clone();
        change(&mut definition)?;
        self.check_amqp_name(&definition)?;
        let need = self.log_definition(object.id(), &definition, object.lifetime())?;
        self.amqp_names.follow(Some(&before.definition), Some(&definition), need);
        object.publish(definition, need);
        Ok(Changed { object, need })
    }

    /// Changes the queue manager's own attributes.
    pub fn alter_manager(
        &self,
        change: impl FnOnce(&mut Definition) -> Result<(), ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        let _changes = self.changes.lock();
        let mut definition = self.manager.load().definition.clone();
        change(&mut definition)?;
        let need = self.log_definition(self.manager_id, &definition, Lifetime::Logged)?;
        let manager = ManagerCurrent::new(definition, need);
        self.limits.follow(&manager.attributes);
        self.manager.store(Arc::new(manager));
        Ok(need)
    }

    /// Removes a queue. `check` decides, under a lock that keeps its answer true, and on yes calls the
    /// function it is given, once: that appends the record, so that no later record is about this object.
    pub fn remove<E>(
        &self,
        name: &ObjectName,
        object_type: Option<ObjectType>,
        check: impl FnOnce(&Object<Q>, &mut dyn FnMut() -> Lsn) -> Result<(), E>,
    ) -> Result<Lsn, RemoveError<E>> {
        let _changes = self.changes.lock();
        let object = self.lookup(name).ok_or(RemoveError::Change(ChangeError::NotFound))?;
        if let Some(object_type) = object_type {
            check_type(&object, object_type).map_err(RemoveError::Change)?;
        }
        let record = Record::Delete { object: object.id() };
        let is_logged = object.lifetime() == Lifetime::Logged;
        let mut room = if is_logged {
            Some(
                self.log
                    .reserve(&record, Purpose::Drain)
                    .map_err(|error| RemoveError::Change(error.into()))?,
            )
        } else {
            None
        };
        let mut need = None;
        check(&object, &mut || {
            let at = self.log.removed(&object.current().definition, &mut || {
                room.as_mut().map_or(Lsn::ZERO, |room| self.log.append(&record, room))
            });
            need = Some(at);
            at
        })
        .map_err(RemoveError::Refused)?;
        let need = need.expect("who agrees to a removal logs it");
        if is_logged {
            counted::give_back(&self.ledger, &object.current().definition);
        }
        self.removed.fetch_max(need.0, Ordering::Release);
        self.amqp_names.follow(Some(&object.current().definition), None, need);
        self.queues.remove(name);
        Ok(need)
    }

    /// A name in AMQP leads to one object.
    fn check_amqp_name(&self, definition: &Definition) -> Result<(), ChangeError> {
        let Some((object_type, holder)) = self.amqp_names.other_holder(definition) else { return Ok(()) };
        Err(ChangeError::AmqpName { name: definition.amqp_name().to_owned(), object_type, holder })
    }

    fn lookup(&self, name: &ObjectName) -> Option<Arc<Object<Q>>> {
        self.queues.get(name)
    }

    /// Logs an object that is made, and counts it.
    fn log_new(
        &self,
        object: ObjectId,
        definition: &Definition,
        lifetime: Lifetime,
    ) -> Result<Lsn, ChangeError> {
        if lifetime == Lifetime::ThisRun {
            return Ok(self.log_definition(object, definition, lifetime)?);
        }
        counted::take(&self.ledger, definition)?;
        let logged = self.log_definition(object, definition, lifetime);
        if logged.is_err() {
            counted::give_back(&self.ledger, definition);
        }
        Ok(logged?)
    }

    fn log_definition(
        &self,
        object: ObjectId,
        definition: &Definition,
        lifetime: Lifetime,
    ) -> Result<Lsn, OutOfSpace> {
        if lifetime == Lifetime::ThisRun {
            return Ok(Lsn::ZERO);
        }
        let encoded = definition.encode();
        let record = Record::Define { object, definition: &encoded };
        let mut room = self.log.reserve(&record, Purpose::Fill)?;
        Ok(self.log.append(&record, &mut room))
    }
}

impl<Q> fmt::Debug for Catalogue<Q> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = self.defined.len();
        write!(formatter, "Catalogue of {} queues and {others} other objects", self.queues.len())
    }
}

fn check_type<Q: LocalQueue>(object: &Object<Q>, wanted: ObjectType) -> Result<(), ChangeError> {
    let found = object.object_type();
    if found == wanted { Ok(()) } else { Err(ChangeError::OtherType { name: *object.name(), found }) }
}
