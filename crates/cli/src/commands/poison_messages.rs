//! Messages that a command cannot work on, set aside: on the backout queue of their queue, else on the
//! dead-letter queue with a header that says why.
//!
//! Always: a message is set aside in the unit of work that got it, with its context as it was.

use bytes::Bytes;
use formats::headers::{Chain, DeadLetterHeader, Header, Place};
use mqi::constants::{MQCA_BACKOUT_REQ_Q_NAME, MQCA_DEAD_LETTER_Q_NAME};
use mqi::{
    AttributeValue, CloseOptions, Encoding, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectName,
    ObjectType, OpenOptions, PutApplicationType, PutFlags, PutOptions, Reason, Selector, Text, Verbs,
};

/// The character set of headers that commands write.
const UTF_8: i32 = 1208;

/// The place of a message, and the cause that brings it aside.
pub(super) struct PoisonMessages<'a> {
    /// The queue that it was got from.
    pub(super) queue: ObjectName,
    /// The handle that it was got with, opened to save its context; none puts it aside with a new context.
    pub(super) handle: Option<ObjectHandle>,
    /// The queue manager of that queue.
    pub(super) queue_manager: &'a str,
    /// The reason or feedback of the dead-letter header.
    pub(super) feedback: i32,
    /// The command that sets it aside.
    pub(super) program: &'static str,
}

impl PoisonMessages<'_> {
    /// Puts a message on the backout queue of its queue, else on the dead-letter queue, within the unit of
    /// work; returns the queue that has it now.
    ///
    /// # Errors
    /// The queue that did not take it, and the reason; `UNKNOWN_OBJECT_NAME` without a queue where there is
    /// neither.
    pub(super) fn put(
        &self,
        verbs: &mut dyn Verbs,
        descriptor: &MessageDescriptor,
        body: &Bytes,
    ) -> Result<ObjectName, (ObjectName, Reason)> {
        let mut refused = (ObjectName::BLANK, Reason::UNKNOWN_OBJECT_NAME);
        let backout = inquired(verbs, &ObjectDescriptor::queue(self.queue), MQCA_BACKOUT_REQ_Q_NAME);
        if let Some(backout) = backout {
            match self.put_on(verbs, backout, descriptor.clone(), body.clone()) {
                Ok(()) => return Ok(backout),
                Err(reason) => refused = (backout, reason),
            }
        }
        let Some(dead) = dead_letter_queue(verbs) else { return Err(refused) };
        let failed = |reason| (dead, reason);
        let (descriptor, body) = self.dead_letter(descriptor, body).map_err(failed)?;
        self.put_on(verbs, dead, descriptor, body).map_err(failed)?;
        Ok(dead)
    }

    fn put_on(
        &self,
        verbs: &mut dyn Verbs,
        queue: ObjectName,
        mut descriptor: MessageDescriptor,
        body: Bytes,
    ) -> Result<(), Reason> {
        let flags = PutFlags::SYNCPOINT | PutFlags::SYNC_RESPONSE | PutFlags::FAIL_IF_QUIESCING;
        let context = if self.handle.is_some() { PutFlags::PASS_ALL_CONTEXT } else { PutFlags::EMPTY };
        let mut options = PutOptions { context: self.handle, ..PutOptions::with(flags | context) };
        verbs.put1(&ObjectDescriptor::queue(queue), &mut descriptor, &mut options, body)
    }

    /// The message behind a header that says why it is there.
    pub(super) fn dead_letter(
        &self,
        descriptor: &MessageDescriptor,
        body: &Bytes,
    ) -> Result<(MessageDescriptor, Bytes), Reason> {
        let header = DeadLetterHeader {
            reason: self.feedback,
            destination_queue: Text::truncated(self.queue.as_str()),
            destination_queue_manager: Text::truncated(self.queue_manager),
            following: Place::of(descriptor),
            put_application_type: PutApplicationType::UNIX,
            put_application_name: Text::truncated(self.program),
            put_date: descriptor.put_date,
            put_time: descriptor.put_time,
        };
        let chain = Chain {
            headers: vec![Header::DeadLetter(header)],
            place: Place::of(descriptor),
            data: body.clone(),
        };
        let (place, body) = chain.write(Encoding::NATIVE, UTF_8)?;
        let mut dead = descriptor.clone();
        place.describe(&mut dead);
        Ok((dead, body))
    }
}

/// DEADQ of the queue manager, if it has one.
pub(super) fn dead_letter_queue(verbs: &mut dyn Verbs) -> Option<ObjectName> {
    let manager = ObjectDescriptor { object_type: ObjectType::QueueManager, ..ObjectDescriptor::default() };
    inquired(verbs, &manager, MQCA_DEAD_LETTER_Q_NAME)
}

/// The name that an attribute of an object has, if it has one and tells it.
fn inquired(verbs: &mut dyn Verbs, object: &ObjectDescriptor, attribute: i32) -> Option<ObjectName> {
    let handle = verbs.open(object, OpenOptions::INQUIRE).ok()?.handle;
    let inquired = verbs.inquire(handle, &[Selector(attribute)]);
    let _ = verbs.close(handle, CloseOptions::EMPTY);
    match inquired.ok()?.values.into_iter().next()? {
        AttributeValue::Text(name) => {
            name.trim_end().parse().ok().filter(|name: &ObjectName| !name.is_blank())
        }
        AttributeValue::Integer(_) => None,
    }
}
