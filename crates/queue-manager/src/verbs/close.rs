//! MQCLOSE.

use std::sync::Arc;

use mqi::{CloseOptions, ObjectHandle, Reason};
use objects::DefinitionType;
use queues::counters::collecting::Noted;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::queue::Queue;
use queues::queue::state::Busy;
use queues::queue::state::Messages;
use security::{Asked, Object, ObjectKind, Use};
use storage::Lsn;

use crate::authority::Granted;
use crate::catalogue::{ChangeError, RemoveError};
use crate::connection::{Connection, Target};
use crate::conversation::Registration;

impl Connection {
    /// MQCLOSE. The handle is gone afterwards, also when the queue could not be deleted as asked.
    /// A remark says that a group or a message, which was put or got in logical order, is not at its end.
    pub fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Outcome<Option<Reason>> {
        let closing = self.to_close(handle);
        let removes = options.contains(CloseOptions::REMOVE_SUB) && self.is_subscription(handle);
        let closed = self.close_uncounted(handle, options);
        if let Some(closing) = closing {
            self.count_close(&closing, closed.value().is_ok());
        }
        if removes && closed.value().is_err() {
            self.note(Noted::NotRemoved);
        }
        closed
    }

    pub(crate) fn close_uncounted(
        &mut self,
        handle: ObjectHandle,
        options: CloseOptions,
    ) -> Outcome<Option<Reason>> {
        if let Err(reason) = self.usable(false).and_then(|()| check(options)) {
            return Gated::free(Err(reason));
        }
        let target = match self.handle(handle) {
            Ok(found) => found.target.clone(),
            Err(reason) => return Gated::free(Err(reason)),
        };
        let of_subscriptions = options.intersects(CloseOptions::KEEP_SUB | CloseOptions::REMOVE_SUB);
        let is_right = match &target {
            Target::Subscription(open) => open.is_durable || !options.contains(CloseOptions::KEEP_SUB),
            _ => !of_subscriptions,
        };
        if !is_right {
            return Gated::free(Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
        }
        let mut need = Lsn::ZERO;
        let deletes = options.intersects(CloseOptions::DELETE | CloseOptions::DELETE_PURGE);
        if deletes {
            let kind = match &target {
                Target::Queue { queue, .. } => queue.attributes().definition_type,
                Target::Definition(_)
                | Target::Manager
                | Target::Defined(_)
                | Target::Topic(_)
                | Target::Subscription(_) => DefinitionType::Predefined,
            };
            if kind == DefinitionType::Predefined {
                return Gated::free(Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
            }
        }
        if deletes || options.contains(CloseOptions::REMOVE_SUB) {
            match self.granted_to_close(handle, &target, options) {
                Ok(granted) => need = granted.need(),
                Err((need, reason)) => return Gated::new(need, Err(reason)),
            }
        }
        if let Target::Subscription(open) = &target
            && options.contains(CloseOptions::REMOVE_SUB)
            && !self.engine.broker.subscribed.lock().claim_end(&open.id)
        {
            return Gated::new(need, Err(Reason::SUBSCRIPTION_IN_USE));
        }
        // While it is used by this handle nobody else comes by it.
        let removed = match &target {
            Target::Subscription(open) if options.contains(CloseOptions::REMOVE_SUB) => {
                Some(self.engine.broker.remove_subscription(open))
            }
            _ => None,
        };
        self.end_waits_on(&target);
        let _ = self.remove_handle(handle);
        let remark = self.conversation.party.courses.close(handle.0);
        let Some(registration) = self.take_registration(handle.0) else { return Gated::free(Ok(remark)) };
        self.engine.close(&registration);
        match target {
            Target::Queue { queue, .. } if deletes && !registration.is_creator => {
                let purge = options.contains(CloseOptions::DELETE_PURGE);
                let deleted = self.delete(&queue, if purge { Messages::Purge } else { Messages::Keep });
                deleted.changed(|deleted| deleted.map(|()| remark)).and_needs(need)
            }
            Target::Subscription(_) => {
                let removed = removed.unwrap_or_else(|| Gated::free(Ok(())));
                removed.changed(|closed| closed.map(|()| remark)).and_needs(need)
            }
            Target::Queue { .. }
            | Target::Definition(_)
            | Target::Manager
            | Target::Defined(_)
            | Target::Topic(_) => Gated::new(need, Ok(remark)),
        }
    }

    /// Judges a close that deletes a queue or removes a subscription. A refusal leaves the handle open.
    fn granted_to_close<'a>(
        &self,
        handle: ObjectHandle,
        target: &'a Target,
        options: CloseOptions,
    ) -> Result<Granted<'a>, (Lsn, Reason)> {
        let is_maker = self.handle(handle).is_ok_and(|open| open.made_its_queue);
        let object = match target {
            Target::Queue { queue, .. } => Object::named(ObjectKind::Queue, queue.name),
            Target::Subscription(open) => Object::texted(ObjectKind::Subscription, open.id, open.name()),
            Target::Definition(_) | Target::Manager | Target::Defined(_) | Target::Topic(_) => {
                Object::MANAGER
            }
        };
        let used = Use::Close { options, is_maker };
        self.engine.directory.door.authorize(&self.conversation.principal, Asked::new(object, used))
    }

    fn delete(&self, queue: &Arc<Queue>, messages: Messages) -> Outcome<()> {
        let engine = &self.engine;
        queue.expire(&engine.queues);
        let removed = engine.directory.catalogue.remove(&queue.name, None, |object, log| {
            if object.queue().is_some_and(|other| Arc::ptr_eq(other, queue)) {
                queue.retire(&engine.queues, Some(messages), log)
            } else {
                Err(Busy::Refused(Reason::Q_DELETED))
            }
        });
        let observed = queue.last_change();
        match removed {
            Ok(need) => Gated::new(need, Ok(())),
            Err(RemoveError::Refused(Busy::Open { .. })) => Gated::new(observed, Err(Reason::OBJECT_IN_USE)),
            Err(RemoveError::Refused(Busy::NotEmpty { .. } | Busy::Uncommitted { .. })) => {
                Gated::new(observed, Err(Reason::Q_NOT_EMPTY))
            }
            Err(RemoveError::Refused(Busy::Refused(reason))) => Gated::new(observed, Err(reason)),
            Err(RemoveError::Change(ChangeError::NotFound)) => Gated::new(observed, Err(Reason::Q_DELETED)),
            Err(RemoveError::Change(_)) => Gated::new(observed, Err(Reason::RESOURCE_PROBLEM)),
        }
    }

    fn is_subscription(&self, handle: ObjectHandle) -> bool {
        self.handle(handle).is_ok_and(|found| matches!(found.target, Target::Subscription(_)))
    }

    fn take_registration(&self, handle: i32) -> Option<Registration> {
        let mut registrations = self.conversation.registrations.lock();
        let index = registrations.iter().position(|registration| registration.handle == handle)?;
        Some(registrations.swap_remove(index))
    }

    /// Gets that wait on a queue end with its last handle.
    fn end_waits_on(&self, target: &Target) {
        let Target::Queue { queue, .. } = target else { return };
        let registrations = self.conversation.registrations.lock();
        let on_queue = registrations
            .iter()
            .filter(|registration| registration.queue.as_ref().is_some_and(|other| Arc::ptr_eq(other, queue)))
            .count();
        drop(registrations);
        if on_queue > 1 {
            return;
        }
        let waits: Vec<_> = {
            let waits = self.conversation.party.waits.lock();
            waits.iter().filter(|wait| Arc::ptr_eq(&wait.queue, queue)).map(|wait| wait.ticket).collect()
        };
        for ticket in waits {
            if let Some(waiter) = queue.cancel(ticket) {
                waiter.complete(Gated::free(Err(Reason::HOBJ_ERROR)));
            }
        }
    }
}

fn check(options: CloseOptions) -> Result<(), Reason> {
    let contradicts = options.contains(CloseOptions::DELETE | CloseOptions::DELETE_PURGE)
        || options.contains(CloseOptions::KEEP_SUB | CloseOptions::REMOVE_SUB)
        || !options.unknown().is_empty();
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}
