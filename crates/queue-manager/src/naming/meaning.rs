//! The meaning of a name: what rights are asked for when a queue is named with a queue manager.
//!
//! Lives here: passing over an alias of a queue manager, which lends nothing. Lives elsewhere: the way on from
//! there (`resolve`), and the verdict (`authority`).
//!
//! Always: the name of the queue manager is looked up once. What is judged is what `resolve` goes on from.

use std::sync::Arc;

use mqi::{ObjectDescriptor, ObjectName, ObjectType as Kind, Reason};
use objects::ObjectType;
use security::{Object as AskedObject, ObjectKind};
use storage::Lsn;

use crate::catalogue::Object;
use crate::engine::Engine;
use crate::naming::resolve::seen;
use crate::naming::trail::{Rule, Trail};
use crate::naming::way::Step;
use crate::queue::Queue;

type Definition = Arc<Object<Arc<Queue>>>;

/// An object descriptor, and the queue manager that it means.
pub(crate) struct Meaning<'a> {
    pub(super) object: &'a ObjectDescriptor,
    pub(super) manager: Manager,
    /// The position that must be durable before an answer that rests on the alias, or on its absence, may be
    /// known outside.
    pub(super) need: Lsn,
}

/// The queue manager of a name.
pub(super) enum Manager {
    /// This one, by its name or by none; that of an object that is no queue.
    Own,
    /// Another, with the definition of its name here: a transmission queue, nothing, or one that leads nowhere.
    Other(Option<Definition>),
    /// The one that an alias stands for.
    Behind(Alias),
}

/// An alias of a queue manager, as it was when it was looked up.
pub(super) struct Alias {
    pub(super) definition: Definition,
    pub(super) step: Step,
    pub(super) stands_for: ObjectName,
}

impl Engine {
    /// The meaning of a name.
    #[inline]
    pub(crate) fn meaning<'a>(&self, object: &'a ObjectDescriptor, trail: &mut impl Trail) -> Meaning<'a> {
        let manager = object.object_queue_manager_name;
        if manager.is_blank() || manager == self.name || object.object_type != Kind::Queue {
            return Meaning { object, manager: Manager::Own, need: Lsn::ZERO };
        }
        let found = self.catalogue.find(&manager.into());
        trail.look(Rule::QueueManager, &manager.into(), || found.object.as_ref().map(seen));
        let alias = found.object.as_ref().and_then(Alias::of);
        let manager = alias.map_or(Manager::Other(found.object), Manager::Behind);
        Meaning { object, manager, need: found.need }
    }

    /// The object that a request for a name asks rights on.
    ///
    /// # Errors
    /// When there is no such kind of object.
    pub(crate) fn asked_by<'a>(&self, meaning: &Meaning<'a>) -> Result<AskedObject<'a>, Reason> {
        let Manager::Behind(alias) = &meaning.manager else {
            return self.door.object_asked(meaning.object);
        };
        Ok(match alias.stands_for == ObjectName::from(self.name) {
            true => AskedObject::named(ObjectKind::Queue, meaning.object.object_name),
            false => AskedObject::named(ObjectKind::RemoteQueueManager, alias.stands_for),
        })
    }
}

impl Meaning<'_> {
    /// The name of the queue here that is named without an alias of a queue manager.
    pub(crate) fn queue_here(&self) -> Option<ObjectName> {
        let is_here = self.object.object_type == Kind::Queue && matches!(self.manager, Manager::Own);
        is_here.then_some(self.object.object_name)
    }
}

impl Alias {
    /// The alias of a queue manager that a definition is: that of a remote queue which names no queue.
    fn of(definition: &Definition) -> Option<Self> {
        if definition.object_type() != ObjectType::RemoteQueue {
            return None;
        }
        let step = Step::of(definition);
        let remote = step.remote.as_ref().filter(|remote| remote.queue.is_none())?;
        let stands_for = remote.queue_manager?;
        Some(Self { definition: Arc::clone(definition), step, stands_for })
    }
}
