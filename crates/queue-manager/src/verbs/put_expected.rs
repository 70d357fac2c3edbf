//! Facts about a put before it is made: whether its message lasts, and whether a getter is about to come.

use std::sync::Arc;

use mqi::{Persistence, PutFlags};
use objects::ObjectType;
use queues::hand_over::ExpectedGetter;
use queues::queue::Queue;

use crate::catalogue::Object;
use crate::connection::{Connection, Target};
use crate::naming::resolve::{Resolved, ResolvedQueue};
use crate::publishing::TopicTarget;
use crate::verbs::put::PutTarget;

impl Connection {
    /// Returns true for a message that is persistent by its descriptor or its target; none if the target
    /// that it leaves that to does not exist.
    #[must_use]
    pub fn is_persistent(&self, target: PutTarget<'_>, said: Persistence) -> Option<bool> {
        match (said, target) {
            (Persistence::Persistent, _) => Some(true),
            (Persistence::NotPersistent, _) => Some(false),
            (Persistence::AsQueueDefault, PutTarget::Handle(handle)) => {
                self.handle(handle).ok().map(|found| match &found.target {
                    Target::Queue { opened, queue, .. } => default_persistent(opened, queue),
                    Target::Topic(target) => self.published_by_default(target).persistent,
                    _ => false,
                })
            }
            (Persistence::AsQueueDefault, PutTarget::Object(object)) => {
                self.engine.directory.resolve(object).1.ok().map(|resolved| match resolved {
                    Resolved::Queue(ResolvedQueue { opened, queue, .. }) => {
                        default_persistent(&opened, &queue)
                    }
                    // One made for it is taken for one of persistent messages.
                    Resolved::Model(_) => true,
                    Resolved::Topic(named) => self.published_by_default(&TopicTarget::of(named)).persistent,
                    Resolved::Manager | Resolved::Defined(_) => false,
                })
            }
        }
    }

    /// The getter that a put outside units of work had better wait for, if one is about to come. The put may
    /// be made at any time: it waits with its caller, and nothing of it has happened.
    #[must_use]
    pub fn expects_getter(
        &self,
        target: PutTarget<'_>,
        said: Persistence,
        flags: PutFlags,
    ) -> Option<ExpectedGetter> {
        let is_answered = !flags.contains(PutFlags::SYNCPOINT) && !flags.contains(PutFlags::ASYNC_RESPONSE);
        if !is_answered
            || !self.engine.queues.waits_for_getters()
            || self.is_persistent(target, said) != Some(true)
        {
            return None;
        }
        match target {
            PutTarget::Handle(handle) => match &self.handle(handle).ok()?.target {
                Target::Queue { queue, .. } => ExpectedGetter::at(&self.engine.queues, queue),
                _ => None,
            },
            PutTarget::Object(object) => match self.engine.directory.resolve(object).1.ok()? {
                Resolved::Queue(ResolvedQueue { queue, .. }) => {
                    ExpectedGetter::at(&self.engine.queues, &queue)
                }
                _ => None,
            },
        }
    }
}

/// DEFPSIST of the object opened, the first on the way to the queue.
fn default_persistent(opened: &Object<Arc<Queue>>, queue: &Queue) -> bool {
    match opened.object_type() {
        ObjectType::LocalQueue => queue.attributes().default_persistent,
        _ => opened.current().attributes.default_persistent,
    }
}
