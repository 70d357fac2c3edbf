//! Messages on a transmission queue: in front of each stands a header that says where it goes, with its own
//! descriptor.
//!
//! The descriptor of the message on the transmission queue is the queue manager's: it has a new identifier,
//! is correlated with the message's own, and asks for no report of arrival or delivery, which are due at the
//! other end.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::{Chain, Header, Place, TransmissionHeader};
use formats::properties::amqp::kept;
use mqi::{
    AccountingToken, CorrelationId, Encoding, MessageDescriptor, MessageFlags, ObjectName, QueueManagerName,
    Rare, Reason, ReportOptions, Text, constants,
};
use queues::message::report::IN_FRONT_BYTES;
use queues::message::{Payload, ReportRights, extension};
use queues::queue::arrival::{Arrival, Facts};
use queues::queue::got_message::GotMessage;

use crate::directory::Directory;
use crate::naming::way::Elsewhere;

/// Bytes by which a message with this descriptor grows: those in front of it, and names of queue managers
/// in it.
pub(crate) fn header_bytes(descriptor: &MessageDescriptor) -> usize {
    let names = if kept::is_kept(&Place::of(descriptor)) { kept::NAMES_BYTES_MAX } else { 0 };
    IN_FRONT_BYTES - constants::MQMDE_LENGTH_2 + extension::length(descriptor) + names
}

impl Directory {
    /// A message as it waits on a transmission queue.
    pub(crate) fn for_transmission(&self, to: &Elsewhere, arrival: Arrival) -> Result<Arrival, Reason> {
        let Arrival { payload, facts, .. } = arrival;
        let (descriptor, body) =
            self.with_transmission_header(to, &payload.descriptor, &payload.body, &facts)?;
        let wrapped = Payload::new(descriptor, body).with_report_rights(payload.report_rights);
        Ok(Arrival::new(Arc::new(wrapped), facts))
    }

    pub(crate) fn with_transmission_header(
        &self,
        to: &Elsewhere,
        message: &MessageDescriptor,
        body: &Bytes,
        facts: &Facts,
    ) -> Result<(MessageDescriptor, Bytes), Reason> {
        let mut headers = vec![Header::Transmission(Box::new(TransmissionHeader {
            remote_queue: Text::truncated(to.queue.as_str()),
            remote_queue_manager: Text::truncated(to.queue_manager.as_str()),
            descriptor: message.clone(),
        }))];
        if extension::is_needed(message) {
            headers.push(extension::header(message));
        }
        let place = Place::of(message);
        let is_first_hop = facts.hops == 0;
        let named = is_first_hop && kept::is_kept(&place);
        let named = named.then(|| kept::named_at(body, self.ground().settings.name.as_str())).flatten();
        let chain = Chain { headers, place, data: named.map_or_else(|| body.clone(), Bytes::from) };
        let (place, body) = self.write_headers(&chain)?;
        let default = MessageDescriptor::default();
        let mut descriptor = MessageDescriptor {
            report: due_here(message.report),
            message_id: self.identifiers.next(),
            correlation_id: CorrelationId(message.message_id.0),
            group_id: Rare::USUAL,
            message_sequence_number: default.message_sequence_number,
            offset: default.offset,
            message_flags: MessageFlags::EMPTY,
            original_length: default.original_length,
            ..message.clone()
        };
        place.describe(&mut descriptor);
        if facts.hops > 0 {
            descriptor.accounting_token = token_of(facts.hops);
        }
        self.own_origin().fill_origin(&mut descriptor, facts.put_at);
        Ok((descriptor, body))
    }

    /// Headers and data in the queue manager's own character set.
    pub(crate) fn write_headers(&self, chain: &Chain) -> Result<(Place, Bytes), Reason> {
        let ccsid = self.catalogue.manager().attributes.coded_character_set;
        extension::write(chain, Encoding::NATIVE, ccsid)
    }
}

/// The message that one on a transmission queue carries; none when it carries none that can be read.
pub(crate) fn carried(payload: &Payload) -> Option<Payload> {
    let (_, descriptor, body) = taken_off(&payload.descriptor, &payload.body)?;
    let rights = rights_of_carried((&payload.descriptor, payload.report_rights), &descriptor);
    Some(Payload::new(descriptor, body).with_report_rights(rights))
}

/// A message on a transmission queue, without the headers in front of it.
#[derive(Clone, Debug)]
pub struct Transmission {
    /// The queue that it is for.
    pub queue: ObjectName,
    /// The queue manager that it is for.
    pub queue_manager: QueueManagerName,
    /// The queue managers that it has passed, this one included.
    pub hops: u8,
    /// Its own descriptor; the expiry says the time that is left.
    pub descriptor: MessageDescriptor,
    /// Its body.
    pub body: Bytes,
    /// Rights of the reports about it.
    pub(crate) rights: ReportRights,
}

impl Transmission {
    /// The message that one from a transmission queue carries; none when it carries none that can be read, or
    /// none with names.
    #[must_use]
    pub fn carried_by(got: &GotMessage) -> Option<Self> {
        let (header, mut descriptor, body) = taken_off(&got.descriptor, &got.body)?;
        let rights = rights_of_carried((&got.descriptor, got.descriptor.report_rights()), &descriptor);
        descriptor.expiry = got.descriptor.expiry;
        Some(Self {
            queue: header.remote_queue.try_into().ok()?,
            queue_manager: header.remote_queue_manager.try_into().ok()?,
            hops: hops_of(got.descriptor.accounting_token),
            descriptor,
            body,
            rights,
        })
    }

    /// Most queue managers that a message may pass: a longer way is a circle.
    pub const HOPS_MAX: u8 = 64;
}

/// The first bytes of an accounting token that counts queue managers: how many bytes follow, and a mark.
const HOPS_MARK: [u8; 10] = *b"\x0AFerryHops";

/// The accounting token of a message that has passed so many queue managers.
fn token_of(hops: u8) -> AccountingToken {
    let mut token = [0; 32];
    token[..HOPS_MARK.len()].copy_from_slice(&HOPS_MARK);
    token[HOPS_MARK.len()] = hops;
    token[31] = constants::MQACTT_USER;
    AccountingToken(token)
}

/// The queue managers that a message on a transmission queue has passed: this one alone, unless it came by a
/// channel.
fn hops_of(token: AccountingToken) -> u8 {
    let hops = token.0[HOPS_MARK.len()];
    if token == token_of(hops) { hops } else { 0 }
}

/// The reports that a message asks for, without those that are due at the other end.
fn due_here(options: ReportOptions) -> ReportOptions {
    ReportOptions::from_bits(options.bits() & !constants::MQRO_ACCEPT_UNSUP_IF_XMIT_MASK)
}

/// The rights of reports about a message that one on a transmission queue carries, as its own descriptor
/// names user and reply-to queue. This queue manager has both descriptors name the same, and ask for the same
/// reports: where they differ, a program wrote the header, and reports are not for it to address.
fn rights_of_carried(outer: (&MessageDescriptor, ReportRights), carried: &MessageDescriptor) -> ReportRights {
    let (outer, rights) = outer;
    let is_same = outer.user_identifier == carried.user_identifier
        && outer.reply_to_queue == carried.reply_to_queue
        && outer.reply_to_queue_manager == carried.reply_to_queue_manager
        && outer.report == due_here(carried.report);
    if is_same { rights } else { ReportRights::NONE }
}

/// The header of a message on a transmission queue, and the message that it carries.
fn taken_off(
    outer: &MessageDescriptor,
    body: &Bytes,
) -> Option<(Box<TransmissionHeader>, MessageDescriptor, Bytes)> {
    let mut place = Place::of(outer);
    let mut body = body.clone();
    if !place.is(constants::MQFMT_XMIT_Q_HEADER) {
        return None;
    }
    let (header, length) = formats::headers::first(&place, &body).ok()??;
    let Header::Transmission(header) = header else { return None };
    let mut descriptor = header.descriptor.clone();
    body = body.slice(length..);
    place = Place::of(&descriptor);
    if let Ok(Some((Header::DescriptorExtension(extension), length))) = formats::headers::first(&place, &body)
    {
        descriptor.group_id = extension.group_id.into();
        descriptor.message_sequence_number = extension.message_sequence_number;
        descriptor.offset = extension.offset;
        descriptor.message_flags = extension.message_flags;
        descriptor.original_length = extension.original_length;
        extension.following.describe(&mut descriptor);
        body = body.slice(length..);
    }
    Some((header, descriptor, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_asks_for_reports_which_were_not_judged_with_its_message_has_none() {
        let asked = ReportOptions::COA | ReportOptions::EXCEPTION_WITH_FULL_DATA;
        let carried = MessageDescriptor { report: asked, ..MessageDescriptor::default() };
        for (report, expected) in [
            (ReportOptions::EXCEPTION_WITH_FULL_DATA, ReportRights::OF_USER),
            (ReportOptions::EMPTY, ReportRights::NONE),
            (ReportOptions::EXCEPTION, ReportRights::NONE),
            (ReportOptions::EXPIRATION, ReportRights::NONE),
        ] {
            let outer = MessageDescriptor { report, ..carried.clone() };
            let found = rights_of_carried((&outer, ReportRights::OF_USER), &carried);
            assert_eq!(found, expected, "{report:?}");
        }
    }
}
