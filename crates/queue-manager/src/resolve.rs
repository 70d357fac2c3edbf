//! From the name a program gives to the queue it means.

use std::sync::Arc;

use mqi::{ObjectDescriptor, ObjectType as Kind, Reason};
use objects::{ObjectType, TargetType};
use storage::Lsn;

use crate::catalogue::{Defined, Object};
use crate::engine::Engine;
use crate::queue::Queue;

/// What a name leads to.
pub(crate) enum Resolved {
    /// A local queue, and the object of the name given.
    Queue { opened: Arc<Object<Arc<Queue>>>, queue: Arc<Queue> },
    /// A model: opening it makes a queue.
    Model(Arc<Object<Arc<Queue>>>),
    /// The queue manager itself.
    Manager,
    /// A process or a namelist.
    Defined(Arc<Defined>),
}

impl Engine {
    /// Resolves an object descriptor. The position is what must be durable before the answer, found or not, may be
    /// known outside.
    pub(crate) fn resolve(&self, object: &ObjectDescriptor) -> (Lsn, Result<Resolved, Reason>) {
        let other = object.object_queue_manager_name;
        if !other.is_blank() && other != self.name {
            return (Lsn::ZERO, Err(Reason::UNKNOWN_REMOTE_Q_MGR));
        }
        match object.object_type {
            Kind::Queue => self.resolve_queue(object),
            Kind::QueueManager => {
                let is_own =
                    object.object_name.is_blank() || object.object_name.as_str() == self.name.as_str();
                let resolved = if is_own { Ok(Resolved::Manager) } else { Err(Reason::UNKNOWN_OBJECT_NAME) };
                (self.catalogue.manager().need, resolved)
            }
            Kind::Namelist => self.resolve_defined(ObjectType::Namelist, object),
            Kind::Process => self.resolve_defined(ObjectType::Process, object),
            Kind::Topic => (self.catalogue.absence_need(), Err(Reason::UNKNOWN_OBJECT_NAME)),
            Kind::Other(_) => (Lsn::ZERO, Err(Reason::OBJECT_TYPE_ERROR)),
        }
    }

    fn resolve_defined(
        &self,
        object_type: ObjectType,
        object: &ObjectDescriptor,
    ) -> (Lsn, Result<Resolved, Reason>) {
        let name = object.object_name.as_str();
        let (found, need) = self.catalogue.find_defined(object_type.name_space(), name);
        (need, found.map(Resolved::Defined).ok_or(Reason::UNKNOWN_OBJECT_NAME))
    }

    fn resolve_queue(&self, object: &ObjectDescriptor) -> (Lsn, Result<Resolved, Reason>) {
        let found = self.catalogue.find(&object.object_name);
        let Some(opened) = found.object else {
            return (found.need, Err(Reason::UNKNOWN_OBJECT_NAME));
        };
        match opened.object_type() {
            ObjectType::LocalQueue => {
                let queue = Arc::clone(opened.queue().expect("a local queue has the engine's part"));
                (found.need, Ok(Resolved::Queue { opened, queue }))
            }
            ObjectType::ModelQueue => (found.need, Ok(Resolved::Model(opened))),
            ObjectType::AliasQueue => {
                let (need, queue) = self.resolve_alias(&opened);
                (need.max(found.need), queue.map(|queue| Resolved::Queue { opened, queue }))
            }
            // Nothing carries messages to another queue manager yet.
            ObjectType::RemoteQueue => (found.need, Err(Reason::UNKNOWN_REMOTE_Q_MGR)),
            _ => (found.need, Err(Reason::UNKNOWN_OBJECT_NAME)),
        }
    }

    fn resolve_alias(&self, alias: &Object<Arc<Queue>>) -> (Lsn, Result<Arc<Queue>, Reason>) {
        let current = alias.current();
        let target =
            current.attributes.target.filter(|_| current.attributes.target_type == TargetType::Queue);
        let Some(target) = target else { return (current.need, Err(Reason::ALIAS_BASE_Q_TYPE_ERROR)) };
        let found = self.catalogue.find(&target);
        let queue = match found.object {
            None => Err(Reason::UNKNOWN_ALIAS_BASE_Q),
            Some(base) => base.queue().cloned().ok_or(Reason::ALIAS_BASE_Q_TYPE_ERROR),
        };
        (found.need, queue)
    }
}
