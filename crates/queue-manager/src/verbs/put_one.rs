//! MQPUT1: a put that opens its target for itself.
//!
//! Lives here: the name, its rights, and a queue that is made for the message. Lives elsewhere: the put
//! itself (`put`).

use std::sync::Arc;

use bytes::Bytes;
use mqi::{MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Reason};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::queue::Queue;
use security::Use;

use crate::PutDone;
use crate::connection::Connection;
use crate::naming::resolve::{Meaning, Resolved, ResolvedQueue};
use crate::publishing::TopicTarget;
use crate::verbs::publish::Publishing;
use crate::verbs::put::Destination;
use crate::verbs::put_request::PutRequest;
use crate::verbs::right::Right;

impl Connection {
    /// MQPUT1.
    pub fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Outcome<PutDone> {
        self.put_to_object(object, &PutRequest::new(descriptor, options), body)
    }

    pub(super) fn put_to_object(
        &mut self,
        object: &ObjectDescriptor,
        request: &PutRequest<'_>,
        body: Bytes,
    ) -> Outcome<PutDone> {
        let bytes = body.len();
        let mut queue_counted = None;
        let put = self.put1_uncounted(object, request, body, &mut queue_counted);
        if self.conversation.party.calls.is_any_counted() {
            self.count_put1(object, queue_counted.as_ref(), bytes, &put);
        }
        put
    }

    /// MQPUT1, with a note of the queue that the message comes to, where that is counted.
    fn put1_uncounted(
        &mut self,
        object: &ObjectDescriptor,
        request: &PutRequest<'_>,
        body: Bytes,
        to: &mut Option<Arc<Queue>>,
    ) -> Outcome<PutDone> {
        let options = request.options;
        let source = match self.may_put(options) {
            Ok(source) => source,
            Err(reason) => return Gated::free(Err(reason)),
        };
        if options.flags.contains(PutFlags::LOGICAL_ORDER) {
            return Gated::free(Err(Reason::OPTIONS_ERROR));
        }
        if !object.selection_string.is_empty() {
            return Gated::free(Err(Reason::SELECTOR_INVALID_FOR_TYPE));
        }
        let alternate_user = options
            .flags
            .contains(PutFlags::ALTERNATE_USER_AUTHORITY)
            .then_some(object.alternate_user_identifier);
        let look = |meaning: &Meaning<'_>| self.engine.directory.resolve_meaning(meaning, &mut ());
        let found = self.granted_and_found(object, Use::Put(options.flags), alternate_user, look);
        let (granted, (need, resolved)) = match found {
            Ok(found) => found,
            Err((need, reason)) => return Gated::new(need, Err(reason)),
        };
        let need = need.max(granted.need());
        let put = match resolved {
            Err(reason) => {
                self.tell_refused(object, reason, need);
                Gated::free(Err(reason))
            }
            Ok(Resolved::Queue(ResolvedQueue { opened, queue, way })) => {
                if self.conversation.party.calls.is_any_counted() {
                    *to = Some(Arc::clone(&queue));
                }
                let destination = Destination {
                    opened: &opened,
                    queue: &queue,
                    way: way.as_deref(),
                    right: Right::Name(&granted),
                    handle: None,
                };
                self.put_to(&destination, source, request, body)
            }
            Ok(Resolved::Topic(named)) => {
                let target = TopicTarget::of(named);
                let behind = match self.granted_behind_alias(&target, &granted) {
                    Ok(behind) => behind,
                    Err((observed, reason)) => return Gated::new(need.max(observed), Err(reason)),
                };
                let granted = behind.as_ref().unwrap_or(&granted);
                let manager = self.engine.directory.catalogue.manager();
                let right = Right::Name(granted);
                let publishing = Publishing { target: &target, manager: &manager, right };
                let published = match self.may_publish(&target, &manager) {
                    Ok(()) => self.publish(&publishing, source, request, body.into()),
                    Err((need, reason)) => Gated::new(need, Err(reason)),
                };
                self.engine.broker.leave_topic(&target);
                published.and_needs(granted.need())
            }
            Ok(Resolved::Model(_)) => self.put1_to_model(object, request, body),
            Ok(Resolved::Manager | Resolved::Defined(_)) => Gated::free(Err(Reason::OBJECT_TYPE_ERROR)),
        };
        put.and_needs(need)
    }

    fn put1_to_model(
        &mut self,
        object: &ObjectDescriptor,
        request: &PutRequest<'_>,
        body: Bytes,
    ) -> Outcome<PutDone> {
        let mut how = OpenOptions::OUTPUT;
        if request.options.flags.contains(PutFlags::ALTERNATE_USER_AUTHORITY) {
            how.insert(OpenOptions::ALTERNATE_USER_AUTHORITY);
        }
        let opened = self.open_uncounted(object, how);
        let need = opened.need();
        match opened.into_inner() {
            Err(reason) => Gated::new(need, Err(reason)),
            Ok(opened) => {
                let flags = request.options.flags.without(PutFlags::ALTERNATE_USER_AUTHORITY);
                let options = PutOptions { flags, ..request.options.clone() };
                let request = PutRequest { options: &options, ..*request };
                let put = self.put_uncounted(opened.handle, &request, body.into()).and_needs(need);
                let closed = self.close_uncounted(opened.handle, mqi::CloseOptions::EMPTY);
                put.and_needs(closed.need())
            }
        }
    }
}
