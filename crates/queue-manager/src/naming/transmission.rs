//! Messages on a transmission queue: in front of each stands a header that says where it goes, with its own descriptor.
//!
//! What the descriptor of the message on the transmission queue says is the queue manager's: a new identifier, correlated
//! with the message's own, and no report of arrival or delivery, which are due at the other end.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::{Chain, DescriptorExtension, Header, Place, TransmissionHeader};
use mqi::{
    CorrelationId, Encoding, GroupId, MessageDescriptor, MessageFlags, Reason, ReportOptions, Text, constants,
};

use crate::engine::Engine;
use crate::message::Payload;
use crate::naming::way::Elsewhere;
use crate::queue::arrival::{Arrival, Facts};

/// The character set of headers when the queue manager's own has no table.
const UTF_8: i32 = 1208;

/// The most bytes that stand in front of a message: the transmission header and the extension of its descriptor.
pub(crate) const HEADER_BYTES_MAX: usize = 428 + constants::MQMDE_LENGTH_2;

/// How many bytes stand in front of a message with this descriptor.
pub(crate) fn header_bytes(descriptor: &MessageDescriptor) -> usize {
    let extension = if needs_extension(descriptor) { constants::MQMDE_LENGTH_2 } else { 0 };
    HEADER_BYTES_MAX - constants::MQMDE_LENGTH_2 + extension
}

impl Engine {
    /// A message as it waits on a transmission queue.
    pub(crate) fn for_transmission(&self, to: &Elsewhere, arrival: Arrival) -> Result<Arrival, Reason> {
        let Arrival { payload, facts, .. } = arrival;
        let (descriptor, body) =
            self.with_transmission_header(to, &payload.descriptor, &payload.body, &facts)?;
        Ok(Arrival::new(Arc::new(Payload::new(descriptor, body)), facts))
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
        if needs_extension(message) {
            headers.push(Header::DescriptorExtension(DescriptorExtension {
                following: Place::of(message),
                flags: 0,
                group_id: message.group_id,
                message_sequence_number: message.message_sequence_number,
                offset: message.offset,
                message_flags: message.message_flags,
                original_length: message.original_length,
            }));
        }
        let chain = Chain { headers, place: Place::of(message), data: body.clone() };
        let (place, body) = self.write_headers(&chain)?;
        let default = MessageDescriptor::default();
        let mut descriptor = MessageDescriptor {
            report: ReportOptions::from_bits(
                message.report.bits() & !constants::MQRO_ACCEPT_UNSUP_IF_XMIT_MASK,
            ),
            message_id: self.identifiers.next(),
            correlation_id: CorrelationId(message.message_id.0),
            group_id: GroupId::NONE,
            message_sequence_number: default.message_sequence_number,
            offset: default.offset,
            message_flags: MessageFlags::EMPTY,
            original_length: default.original_length,
            ..message.clone()
        };
        place.describe(&mut descriptor);
        self.own_origin().fill_origin(&mut descriptor, facts.put_at);
        Ok((descriptor, body))
    }

    /// Headers and data in the queue manager's own character set.
    pub(crate) fn write_headers(&self, chain: &Chain) -> Result<(Place, Bytes), Reason> {
        let ccsid = self.catalogue.manager().attributes.coded_character_set;
        chain.write(Encoding::NATIVE, ccsid).or_else(|_| chain.write(Encoding::NATIVE, UTF_8))
    }
}

/// Whether the descriptor says what only its second version can.
fn needs_extension(descriptor: &MessageDescriptor) -> bool {
    let default = MessageDescriptor::default();
    !descriptor.group_id.is_none()
        || descriptor.message_sequence_number != default.message_sequence_number
        || descriptor.offset != default.offset
        || !descriptor.message_flags.is_empty()
        || descriptor.original_length != default.original_length
}

/// The message that one on a transmission queue carries; none when it carries none that can be read.
pub(crate) fn carried(payload: &Payload) -> Option<Payload> {
    let mut place = Place::of(&payload.descriptor);
    let mut body = payload.body.clone();
    if !place.is(constants::MQFMT_XMIT_Q_HEADER) {
        return None;
    }
    let (header, length) = formats::headers::first(&place, &body).ok()??;
    let Header::Transmission(header) = header else { return None };
    let mut descriptor = header.descriptor;
    body = body.slice(length..);
    place = Place::of(&descriptor);
    if let Ok(Some((Header::DescriptorExtension(extension), length))) = formats::headers::first(&place, &body)
    {
        descriptor.group_id = extension.group_id;
        descriptor.message_sequence_number = extension.message_sequence_number;
        descriptor.offset = extension.offset;
        descriptor.message_flags = extension.message_flags;
        descriptor.original_length = extension.original_length;
        extension.following.describe(&mut descriptor);
        body = body.slice(length..);
    }
    Some(Payload::new(descriptor, body))
}
