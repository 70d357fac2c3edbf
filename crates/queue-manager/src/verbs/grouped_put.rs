//! Puts of messages in groups and of segments, and messages that are split because they are too long.
//!
//! A message that may be split and is longer than its queue, or the queue manager, takes is put as segments
//! of a whole number of 16 bytes, all of them or none. The headers before its data stay together in the
//! first.

use std::sync::Arc;

use formats::headers::{self, Chain, Fault, Header, HeaderError, Place};
use mqi::{GroupId, MessageDescriptor, MessageFlags, MessageType, ObjectHandle, PutFlags, Reason, constants};
use queues::gate::{Gated, Outcome};
use queues::grouping::{Calls, GROUP_NUMBER_MAX, Manner};
use queues::message::Payload;
use queues::message::group_place::{self, Key};
use queues::message::report::IN_FRONT_BYTES;
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Facts};
use queues::unit_of_work::slot::UnitSlot;
use storage::GroupHead;

use super::length::check_length;
use crate::connection::Connection;
use crate::naming::transmission;
use crate::naming::way::Elsewhere;

/// Divisor of the length of each segment that the queue manager makes.
const SEGMENT_STEP_BYTES: usize = 16;

/// The format of a message with an extension of its descriptor in front.
const EXTENSION: &[u8] = constants::MQFMT_MD_EXTENSION.as_bytes().trim_ascii_end();

/// Move of a handle's course by a put.
#[derive(Clone, Copy)]
pub(super) struct Step {
    handle: ObjectHandle,
    key: Option<Key>,
    place: GroupHead,
    manner: Manner,
}

/// Returns a put's options that all messages of a group must share.
pub(super) fn manner(flags: PutFlags, persistent: bool) -> Manner {
    Manner {
        in_order: flags.contains(PutFlags::LOGICAL_ORDER),
        within_unit: flags.contains(PutFlags::SYNCPOINT),
        persistent,
    }
}

/// Takes the fields of groups and segments from an extension of the descriptor before the body (MQMDE), which
/// programs with the first version of the descriptor put there. An extension beside fields in the descriptor
/// itself is data, and so is one of another version, or in an unknown character set or encoding.
#[inline]
pub(super) fn without_extension(payload: &mut Payload) -> Result<(), Reason> {
    if may_have_extension(&payload.descriptor) { take_extension(payload) } else { Ok(()) }
}

/// True if an extension of the descriptor may stand before the body.
#[inline]
pub(super) fn may_have_extension(descriptor: &MessageDescriptor) -> bool {
    descriptor.format.as_bytes() == EXTENSION
}

#[cold]
fn take_extension(payload: &mut Payload) -> Result<(), Reason> {
    let Payload { descriptor: filled, body, .. } = payload;
    let extension = match headers::first(&Place::of(filled), body) {
        Ok(Some((Header::DescriptorExtension(extension), _))) => extension,
        Err(HeaderError {
            fault: Fault::Version(_) | Fault::CharacterSet(_) | Fault::Encoding(_), ..
        })
        | Ok(_) => return Ok(()),
        Err(error) => return Err(error.reason()),
    };
    let default = MessageDescriptor::default();
    let is_default = filled.group_id.is_none()
        && filled.message_sequence_number == default.message_sequence_number
        && filled.offset == default.offset
        && filled.message_flags == default.message_flags
        && filled.original_length == default.original_length;
    if !is_default {
        return Ok(());
    }
    filled.group_id = extension.group_id.into();
    filled.message_sequence_number = extension.message_sequence_number;
    filled.offset = extension.offset;
    filled.message_flags = extension.message_flags;
    filled.original_length = extension.original_length;
    extension.following.describe(filled);
    *body = body.slice(constants::MQMDE_LENGTH_2..);
    Ok(())
}

impl Connection {
    /// Gives a message for which groups play a part its place in one, or in none; a remark when it does not
    /// go on where its handle is.
    pub(super) fn number(
        &self,
        handle: Option<ObjectHandle>,
        filled: &mut MessageDescriptor,
        length: usize,
        manner: Manner,
    ) -> Result<Option<Reason>, Reason> {
        let courses = &self.conversation.party.courses;
        let course = handle.map(|handle| courses.of(handle.0, Calls::Puts)).unwrap_or_default();
        let numbered = course.number(filled, manner)?;
        numbered.fill(filled, length, || GroupId(self.next_message_id().0))
    }

    /// Returns the move of its handle by this put, if there is one.
    pub(super) fn step(&self, handle: ObjectHandle, arrival: &Arrival, flags: PutFlags) -> Option<Step> {
        let Payload { descriptor, body, .. } = &*arrival.payload;
        let manner = manner(flags, arrival.facts.persistent);
        let moves =
            manner.in_order || !descriptor.group_id.is_none() || self.conversation.party.courses.are_used();
        moves.then(|| {
            let place = group_place::place_of(descriptor, body.len());
            let key = Key { group_id: descriptor.group_id.0, feedback: place.feedback };
            Step { handle, key: group_place::is_member(&place).then_some(key), place, manner }
        })
    }

    /// The put succeeded.
    pub(super) fn go(&self, step: Step) {
        let Step { handle, key, place, manner } = step;
        self.conversation.party.courses.note((handle.0, Calls::Puts), key, &place, manner, None);
    }

    /// True if a message that no queue takes as it is was let through because it may be split.
    pub(super) fn is_too_long(&self, queue: &Queue, is_leaving: bool, arrival: &Arrival) -> bool {
        let Payload { descriptor, body, .. } = &*arrival.payload;
        let in_front = if is_leaving { transmission::header_bytes(descriptor) } else { 0 };
        body.len() + in_front > self.segment_bytes_max(queue)
    }

    fn segment_bytes_max(&self, queue: &Queue) -> usize {
        let manager_max = self.engine.directory.catalogue.manager().attributes.message_bytes_max;
        queue.attributes().message_bytes_max.min(manager_max) as usize
    }

    /// Puts a message that is too long in segments: all of them, or none.
    pub(super) fn put_in_segments(
        &self,
        queue: &Arc<Queue>,
        elsewhere: Option<&Elsewhere>,
        arrival: &Arrival,
        unit: Option<&Arc<UnitSlot>>,
    ) -> Outcome<()> {
        let is_alone = unit.is_some() || self.conversation.party.unit.lock().operations.is_empty();
        if arrival.facts.persistent && !is_alone {
            return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
        }
        let in_front = if elsewhere.is_some() { IN_FRONT_BYTES } else { 0 };
        let segments = self.segments(queue, in_front, arrival);
        let segments = match elsewhere {
            None => segments,
            Some(elsewhere) => segments.and_then(|segments| {
                let wrapped =
                    segments.into_iter().map(|one| self.engine.directory.for_transmission(elsewhere, one));
                wrapped.collect()
            }),
        };
        match segments {
            Ok(segments) => self.engine.directory.put_together(queue, segments, unit),
            Err(reason) => Gated::free(Err(reason)),
        }
    }

    fn segments(&self, queue: &Queue, in_front: usize, arrival: &Arrival) -> Result<Vec<Arrival>, Reason> {
        let Arrival { payload, facts, .. } = arrival;
        let Payload { descriptor, body, report_rights, .. } = &**payload;
        let most = self.segment_bytes_max(queue).saturating_sub(in_front);
        let most = most / SEGMENT_STEP_BYTES * SEGMENT_STEP_BYTES;
        let chain = Chain::read(&Place::of(descriptor), body).ok();
        let headers = chain.as_ref().map_or(0, |chain| body.len() - chain.data.len());
        if most == 0 || headers > most {
            let manager_max = self.engine.directory.catalogue.manager().attributes.message_bytes_max;
            return check_length(body.len(), in_front, &queue.attributes(), manager_max).map(|()| Vec::new());
        }
        let format = chain.map_or(descriptor.format, |chain| chain.place.format);
        let ends = !descriptor.message_flags.contains(MessageFlags::SEGMENT)
            || descriptor.message_flags.contains(MessageFlags::LAST_SEGMENT);
        let whole_flags =
            MessageFlags::from_bits(descriptor.message_flags.bits() & !MessageFlags::LAST_SEGMENT.bits());
        let count = body.len().div_ceil(most);
        let segments = (0..count).map(|index| {
            let from = index * most;
            let part = body.slice(from..body.len().min(from + most));
            let is_last = ends && index + 1 == count;
            let last = if is_last { MessageFlags::LAST_SEGMENT } else { MessageFlags::EMPTY };
            let length = i32::try_from(part.len()).unwrap_or(i32::MAX);
            let mut of_segment = MessageDescriptor {
                offset: descriptor.offset.saturating_add(i32::try_from(from).unwrap_or(i32::MAX)),
                message_flags: whole_flags | MessageFlags::SEGMENT | last,
                original_length: length,
                ..descriptor.clone()
            };
            if index > 0 {
                of_segment.message_id = self.next_message_id();
                of_segment.format = format;
            }
            let segment = Payload::new(of_segment, part).with_report_rights(*report_rights);
            Arrival::new(Arc::new(segment), Facts { ..*facts })
        });
        let segments: Vec<Arrival> = segments.collect();
        let end = segments.last().map_or(0, |last| {
            let Payload { descriptor, body, .. } = &*last.payload;
            descriptor.offset.saturating_add(i32::try_from(body.len()).unwrap_or(i32::MAX))
        });
        let is_report = descriptor.message_type == MessageType::REPORT;
        if end > GROUP_NUMBER_MAX || (is_report && descriptor.message_flags.contains(MessageFlags::SEGMENT)) {
            // A part of a report about a segment would not say what it is about.
            return Err(Reason::MSG_TOO_BIG_FOR_Q);
        }
        Ok(segments)
    }
}
