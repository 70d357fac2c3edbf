//! Dead letters: messages that the other side of a pipe refuses, and the reports on them.
//!
//! Always: dead letters are on the queue manager that defines the pipe, in the unit of work of their batch
//! where it has one. A report goes to the queue manager that the message is from, whose queues its sender
//! knows.

use formats::headers::{DeadLetterHeader, Place};
use mqi::{ObjectDescriptor, ObjectName, PutApplicationType, PutFlags, PutOptions, Text, Verbs, constants};

use super::{Failure, Outgoing, Sendable, report};
use crate::mapping::envelope;
use crate::refusal::DeadReason;

/// The place of dead letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetters {
    /// The queue; none where a pipe holds instead.
    pub queue: Option<ObjectName>,
    /// The name that they have for the side that refused them: that of the bridge.
    pub bridge: String,
}

impl DeadLetters {
    /// Puts a message with a dead-letter header. `way` says whether it is part of the unit of work.
    pub(super) fn put(
        &self,
        verbs: &mut dyn Verbs,
        message: &Outgoing,
        reason: DeadReason,
        way: PutFlags,
    ) -> Result<(), Failure> {
        let hold = |text: &str| Failure::Broken(text.to_owned());
        let Some(queue) = self.queue else {
            return Err(hold("a message is refused and there is no dead-letter queue: set DEADQ"));
        };
        let (descriptor, body, destination) = match &message.form {
            Ok(Sendable { destination, descriptor, body, .. }) => (descriptor, body, destination.as_str()),
            Err(_) => (&message.got, &message.got_body, ""),
        };
        let header = DeadLetterHeader {
            reason: reason.0,
            destination_queue: Text::truncated(destination),
            destination_queue_manager: Text::truncated(&self.bridge),
            following: Place::of(descriptor),
            put_application_type: PutApplicationType(constants::MQAT_DEFAULT),
            put_application_name: Text::truncated("ferry-bridge"),
            put_date: descriptor.put_date,
            put_time: descriptor.put_time,
        };
        let (mut descriptor, body) = envelope::dead_letter(descriptor, body, header)
            .map_err(|refusal| Failure::Broken(refusal.to_string()))?;
        let flags = way | PutFlags::SYNC_RESPONSE | PutFlags::SET_ALL_CONTEXT | PutFlags::FAIL_IF_QUIESCING;
        let queue_descriptor = ObjectDescriptor::queue(queue);
        let put = verbs.put1(&queue_descriptor, &mut descriptor, &mut PutOptions::with(flags), body);
        put.map_err(|reason| Failure::of(&format!("cannot put a dead letter on {queue}"), reason))
    }
}

/// Puts the exception report on a message, where it asks for one.
pub(super) fn put_report(
    verbs: &mut dyn Verbs,
    message: &Outgoing,
    reason: DeadReason,
    way: PutFlags,
) -> Result<(), Failure> {
    let (about, body) = match &message.form {
        Ok(Sendable { plain, .. }) => (&plain.descriptor, &plain.body),
        Err(_) => (&message.got, &message.got_body),
    };
    let Some(report) = report::exception(about, body, reason) else { return Ok(()) };
    let report::ExceptionReport { queue, mut descriptor, body, flags } = report;
    let mut options = PutOptions::with(way | PutFlags::SYNC_RESPONSE | flags);
    match verbs.put1(&queue, &mut descriptor, &mut options, body) {
        // A report that cannot be put holds nothing up: the dead letter is there.
        Err(reason) if reason.ends_connection() => {
            Err(Failure::of(&format!("cannot put a report on {}", queue.object_name), reason))
        }
        _ => Ok(()),
    }
}
