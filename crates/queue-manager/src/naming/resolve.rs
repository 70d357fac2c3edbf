//! From the name a program gives to the queue or topic it means.
//!
//! Lives here: aliases, definitions of remote queues, which queue manager a message is for and on which
//! transmission queue it waits, the object that rights are asked on. Lives elsewhere: what is remembered of
//! the way (`way`), what a message on a transmission queue looks like (`transmission`).
//!
//! Always: an alias of a queue manager lends nothing and is passed over where rights are asked. The name of
//! the queue manager is looked up once: what is judged is what the way goes on from.

use std::sync::Arc;

use mqi::{ObjectDescriptor, ObjectName, ObjectType as Kind, QueueManagerName, Reason};
use objects::{DefinitionType, ObjectType, Remote, TargetType, Usage};
use queues::queue::Queue;
use security::{Object as AskedObject, ObjectKind};
use storage::Lsn;

use crate::catalogue::{Defined, Object};
use crate::directory::Directory;
use crate::naming::topic::NamedTopic;
use crate::naming::trail::{Rule, SeenObject, Trail};
use crate::naming::way::{Elsewhere, Step, Steps, Way};

type Definition = Arc<Object<Arc<Queue>>>;

/// Target of a name.
pub(crate) enum Resolved {
    /// A local queue.
    Queue(ResolvedQueue),
    /// A model: opening it makes a queue.
    Model(Definition),
    /// The queue manager itself.
    Manager,
    /// A process or a namelist.
    Defined(Arc<Defined>),
    /// A topic.
    Topic(NamedTopic),
}

/// A local queue, and how a name leads there.
pub(crate) struct ResolvedQueue {
    /// The first definition on the way, which gives a message the values that its putter leaves open.
    pub(crate) opened: Definition,
    /// The queue that takes the messages.
    pub(crate) queue: Arc<Queue>,
    /// None when it was opened by its own name.
    pub(crate) way: Option<Arc<Way>>,
}

/// An object descriptor, and the queue manager that it means.
pub(crate) struct Meaning<'a> {
    pub(crate) object: &'a ObjectDescriptor,
    manager: Manager,
    /// The position that must be durable before an answer that rests on the alias, or on its absence, may be
    /// known outside.
    need: Lsn,
}

/// The queue manager of a name.
enum Manager {
    /// This one, by its name or by none; that of an object that is no queue.
    Own,
    /// Another, with the definition of its name here: a transmission queue, none, or one that leads
    /// nowhere.
    Other(Option<Definition>),
    /// The one that an alias stands for.
    Behind(Alias),
}

/// An alias of a queue manager, as it was when it was looked up.
struct Alias {
    definition: Definition,
    step: Step,
    stands_for: ObjectName,
}

impl Directory {
    /// The meaning of a name.
    #[inline]
    pub(crate) fn meaning<'a>(&self, object: &'a ObjectDescriptor, trail: &mut impl Trail) -> Meaning<'a> {
        let manager = object.object_queue_manager_name;
        if manager.is_blank() || manager == self.name || object.object_type != Kind::Queue {
            return Meaning { object, manager: Manager::Own, need: Lsn::ZERO };
        }
        let found = self.catalogue.find(&manager.into());
        let mut need = found.need;
        let object_found = found.object.filter(|object| self.may_be_way(object, &mut need));
        trail.look(Rule::QueueManager, &manager.into(), || object_found.as_ref().map(seen));
        let alias = object_found.as_ref().and_then(Alias::of);
        let manager = alias.map_or(Manager::Other(object_found), Manager::Behind);
        Meaning { object, manager, need }
    }

    /// True for an object that stands where the name of a queue manager is looked up; another is passed over.
    /// A dynamic queue does not, since a program chose its name. Where there is a default transmission queue,
    /// a transmission queue or an alias of a queue manager stands there alone: another object of that name
    /// has nothing to do with the queue manager, and keeps no message from it.
    fn may_be_way(&self, object: &Definition, need: &mut Lsn) -> bool {
        let Some(queue) = object.queue() else {
            return Alias::of(object).is_some() || !self.has_default_way(need);
        };
        let attributes = queue.attributes();
        attributes.definition_type == DefinitionType::Predefined
            && (attributes.usage == Usage::Transmission || !self.has_default_way(need))
    }

    fn has_default_way(&self, need: &mut Lsn) -> bool {
        let manager = self.catalogue.manager();
        *need = manager.need.max(*need);
        manager.attributes.default_transmission_queue.is_some()
    }

    /// The object that a request for a name asks rights on.
    ///
    /// # Errors
    /// When there is no such kind of object.
    pub(crate) fn asked_by<'a>(&self, meaning: &Meaning<'a>) -> Result<AskedObject<'a>, Reason> {
        let Manager::Behind(alias) = &meaning.manager else {
            return self.door.object_asked(meaning.object);
        };
        Ok(if alias.stands_for == ObjectName::from(self.name) {
            AskedObject::named(ObjectKind::Queue, meaning.object.object_name)
        } else {
            AskedObject::named(ObjectKind::RemoteQueueManager, alias.stands_for)
        })
    }

    /// Resolves an object descriptor. The position must be durable before the answer, found or not, may be
    /// known outside.
    pub(crate) fn resolve(&self, object: &ObjectDescriptor) -> (Lsn, Result<Resolved, Reason>) {
        self.resolve_by(object, &mut ())
    }

    /// The same, with its steps noted.
    pub(crate) fn resolve_by(
        &self,
        object: &ObjectDescriptor,
        trail: &mut impl Trail,
    ) -> (Lsn, Result<Resolved, Reason>) {
        let meaning = self.meaning(object, trail);
        self.resolve_meaning(&meaning, trail)
    }

    /// Goes on from the meaning of a name.
    pub(crate) fn resolve_meaning(
        &self,
        meaning: &Meaning<'_>,
        trail: &mut impl Trail,
    ) -> (Lsn, Result<Resolved, Reason>) {
        let object = meaning.object;
        let manager = object.object_queue_manager_name;
        let is_own = manager.is_blank() || manager == self.name;
        match object.object_type {
            Kind::Queue => match &meaning.manager {
                Manager::Own => self.resolve_queue(object, trail),
                _ if object.object_name == ObjectName::BLANK => (Lsn::ZERO, Err(Reason::REMOTE_Q_NAME_ERROR)),
                Manager::Other(found) => self.resolve_elsewhere(object, found.as_ref(), meaning.need, trail),
                Manager::Behind(alias) => {
                    let mut need = meaning.need;
                    let resolved = self.resolve_alias_of_manager(alias, object, &mut need, trail);
                    (need, resolved.map(Resolved::Queue))
                }
            },
            _ if !is_own => (Lsn::ZERO, Err(Reason::UNKNOWN_OBJECT_Q_MGR)),
            Kind::QueueManager => {
                let is_own =
                    object.object_name.is_blank() || object.object_name.as_str() == self.name.as_str();
                let resolved = if is_own { Ok(Resolved::Manager) } else { Err(Reason::UNKNOWN_OBJECT_NAME) };
                (self.catalogue.manager().need, resolved)
            }
            Kind::Namelist => self.resolve_defined(ObjectType::Namelist, object),
            Kind::Process => self.resolve_defined(ObjectType::Process, object),
            Kind::Topic => {
                let (need, target) = self.resolve_topic(object);
                (need, target.map(Resolved::Topic))
            }
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

    fn resolve_queue(
        &self,
        object: &ObjectDescriptor,
        trail: &mut impl Trail,
    ) -> (Lsn, Result<Resolved, Reason>) {
        let found = self.catalogue.find(&object.object_name);
        trail.look(Rule::Asked, &object.object_name, || found.object.as_ref().map(seen));
        let Some(opened) = found.object else {
            return (found.need, Err(Reason::UNKNOWN_OBJECT_NAME));
        };
        if opened.object_type() == ObjectType::ModelQueue {
            return (found.need, Ok(Resolved::Model(opened)));
        }
        let mut need = found.need;
        if opened.current().attributes.target_type == TargetType::Topic {
            let (observed, target) = self.resolve_alias_of_topic(opened);
            return (need.max(observed), target.map(Resolved::Topic));
        }
        let resolved = self.follow(opened, Steps::default(), &mut need, trail);
        (need, resolved.map(Resolved::Queue))
    }

    /// A queue of another queue manager: one whose name is that of a transmission queue, or of nothing here.
    fn resolve_elsewhere(
        &self,
        object: &ObjectDescriptor,
        found: Option<&Definition>,
        mut need: Lsn,
        trail: &mut impl Trail,
    ) -> (Lsn, Result<Resolved, Reason>) {
        let manager = object.object_queue_manager_name;
        let opened = match found {
            None => self.default_transmission_queue(&mut need, trail),
            Some(found) => match found.object_type() {
                ObjectType::RemoteQueue | ObjectType::ModelQueue => Err(Reason::UNKNOWN_REMOTE_Q_MGR),
                _ => transmission_queue(Arc::clone(found)),
            },
        };
        let resolved = opened.map(|(opened, queue)| {
            let elsewhere = Elsewhere { queue: object.object_name, queue_manager: manager };
            let by_manager = Some((ObjectKind::RemoteQueueManager, manager.into()));
            let way = Way { steps: Steps::default(), elsewhere: Some(elsewhere), by_manager };
            Resolved::Queue(ResolvedQueue { opened, queue, way: Some(Arc::new(way)) })
        });
        (need, resolved)
    }

    /// A queue of the queue manager that `alias` stands for, which may be this one.
    fn resolve_alias_of_manager(
        &self,
        alias: &Alias,
        object: &ObjectDescriptor,
        need: &mut Lsn,
        trail: &mut impl Trail,
    ) -> Result<ResolvedQueue, Reason> {
        let manager = alias.stands_for;
        let opened = Arc::clone(&alias.definition);
        let mut steps = Steps::default();
        steps.push(alias.step.clone());
        if manager == ObjectName::from(self.name) {
            let found = self.catalogue.find(&object.object_name);
            trail.look(Rule::OwnName, &object.object_name, || found.object.as_ref().map(seen));
            *need = found.need.max(*need);
            let target = found.object.ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
            let resolved = self.follow(target, steps, need, trail)?;
            let way = resolved.way.as_deref().expect("there is one step at least").clone();
            let by_manager = Some((ObjectKind::Queue, object.object_name));
            let way = Some(Arc::new(Way { by_manager, ..way }));
            return Ok(ResolvedQueue { opened, way, ..resolved });
        }
        let remote = alias.step.remote.as_ref().expect("it is the definition of a remote queue");
        let queue = self.transmission_queue_of(remote, manager, need, trail)?;
        let elsewhere = Elsewhere { queue: object.object_name, queue_manager: name_of(manager)? };
        let by_manager = Some((ObjectKind::RemoteQueueManager, manager));
        let way = Way { steps, elsewhere: Some(elsewhere), by_manager };
        Ok(ResolvedQueue { opened, queue, way: Some(Arc::new(way)) })
    }

    /// From a definition to the local queue it leads to.
    fn follow(
        &self,
        opened: Definition,
        mut steps: Steps,
        need: &mut Lsn,
        trail: &mut impl Trail,
    ) -> Result<ResolvedQueue, Reason> {
        if let Some(queue) = opened.queue() {
            let queue = Arc::clone(queue);
            let way = (!steps.is_empty()).then(|| Arc::new(Way { steps, elsewhere: None, by_manager: None }));
            return Ok(ResolvedQueue { opened, queue, way });
        }
        let step = Step::of(&opened);
        let (target, remote) = (step.target, step.remote.clone());
        steps.push(step);
        if let Some(remote) = remote {
            let (queue, elsewhere) = self.leave(&remote, need, trail)?;
            let way = Way { steps, elsewhere: Some(elsewhere), by_manager: None };
            return Ok(ResolvedQueue { opened, queue, way: Some(Arc::new(way)) });
        }
        let target = target.ok_or(Reason::ALIAS_BASE_Q_TYPE_ERROR)?;
        let found = self.catalogue.find(&target);
        trail.look(Rule::Target, &target, || found.object.as_ref().map(seen));
        *need = found.need.max(*need);
        let base = found.object.ok_or(Reason::UNKNOWN_ALIAS_BASE_Q)?;
        match base.object_type() {
            ObjectType::LocalQueue | ObjectType::RemoteQueue => {
                let resolved = self.follow(base, steps, need, trail)?;
                Ok(ResolvedQueue { opened, ..resolved })
            }
            _ => Err(Reason::ALIAS_BASE_Q_TYPE_ERROR),
        }
    }

    /// Where the local definition of a remote queue leads.
    fn leave(
        &self,
        remote: &Remote,
        need: &mut Lsn,
        trail: &mut impl Trail,
    ) -> Result<(Arc<Queue>, Elsewhere), Reason> {
        let queue = remote.queue.ok_or(Reason::REMOTE_Q_NAME_ERROR)?;
        let manager = remote.queue_manager.filter(|name| *name != ObjectName::from(self.name));
        let manager = manager.ok_or(Reason::UNKNOWN_REMOTE_Q_MGR)?;
        let takes = self.transmission_queue_of(remote, manager, need, trail)?;
        Ok((takes, Elsewhere { queue, queue_manager: name_of(manager)? }))
    }

    /// The transmission queue that a definition names; else the one with the queue manager's name; else the default.
    fn transmission_queue_of(
        &self,
        remote: &Remote,
        manager: ObjectName,
        need: &mut Lsn,
        trail: &mut impl Trail,
    ) -> Result<Arc<Queue>, Reason> {
        let name = remote.transmission_queue.unwrap_or(manager);
        let found = self.catalogue.find(&name);
        let is_named = remote.transmission_queue.is_some();
        let rule = if is_named { Rule::TransmissionQueue } else { Rule::SameName };
        *need = found.need.max(*need);
        let object_found = found.object.filter(|object| is_named || self.may_be_way(object, need));
        trail.look(rule, &name, || object_found.as_ref().map(seen));
        let queue = match object_found {
            Some(object) => transmission_queue(object),
            None if is_named => Err(Reason::UNKNOWN_XMIT_Q),
            None => self.default_transmission_queue(need, trail),
        };
        queue.map(|(_, queue)| queue)
    }

    /// DEFXMITQ.
    fn default_transmission_queue(
        &self,
        need: &mut Lsn,
        trail: &mut impl Trail,
    ) -> Result<(Definition, Arc<Queue>), Reason> {
        let manager = self.catalogue.manager();
        *need = manager.need.max(*need);
        let name = manager.attributes.default_transmission_queue.ok_or(Reason::UNKNOWN_REMOTE_Q_MGR)?;
        let found = self.catalogue.find(&name);
        trail.look(Rule::Default, &name, || found.object.as_ref().map(seen));
        *need = found.need.max(*need);
        let object = found.object.ok_or(Reason::UNKNOWN_DEF_XMIT_Q)?;
        transmission_queue(object).map_err(|reason| match reason {
            Reason::XMIT_Q_TYPE_ERROR => Reason::DEF_XMIT_Q_TYPE_ERROR,
            _ => Reason::DEF_XMIT_Q_USAGE_ERROR,
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

/// A queue on which messages for other queue managers wait, if the object is one.
fn transmission_queue(object: Definition) -> Result<(Definition, Arc<Queue>), Reason> {
    let queue = object.queue().cloned().ok_or(Reason::XMIT_Q_TYPE_ERROR)?;
    match queue.attributes().usage {
        Usage::Transmission => Ok((object, queue)),
        Usage::Normal => Err(Reason::XMIT_Q_USAGE_ERROR),
    }
}

fn name_of(manager: ObjectName) -> Result<QueueManagerName, Reason> {
    manager.as_str().parse().map_err(|_| Reason::UNKNOWN_REMOTE_Q_MGR)
}

/// The part of a definition that leads on, for a display.
fn seen(definition: &Definition) -> SeenObject {
    let current = definition.current();
    SeenObject {
        object_type: definition.object_type(),
        target: current.attributes.target,
        remote: current.attributes.remote.as_deref().cloned(),
        takes_puts: !current.attributes.put_inhibited,
    }
}
