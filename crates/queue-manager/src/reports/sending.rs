//! Where a report goes: to the reply queue, else to the dead-letter queue, else nowhere.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::{Chain, DeadLetterHeader, Header, Place};
use formats::properties;
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectName, Persistence, PutFlags, Reason, ReportOptions, Text,
};
use objects::{DefinitionType, QueueAttributes};
use platform::WallTime;
use queues::gate::BehindGate;
use queues::ground::events;
use queues::message::report::{DESCRIPTOR_BYTES_MAX, IN_FRONT_BYTES, Report};
use queues::message::report_kind;
use queues::message::{Payload, ReportRights, presentation};
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Facts, Life, Placing};
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::gathering::Beginnings;
use security::{Asked, Principal, Use};
use storage::{Purpose, Reservation};

use crate::authority::Granted;
use crate::directory::Directory;
use crate::naming::resolve::{Meaning, Resolved, ResolvedQueue};
use crate::naming::transmission;
use crate::naming::way::{Elsewhere, Way};

/// Fate of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It is on a queue, or there is none that takes it, which the error log says.
    Settled,
    /// The unit of work it belonged to has ended.
    UnitEnded,
}

/// Room in the log for a message that is put together with others whose bodies end alike, also on the
/// dead-letter queue.
pub(crate) fn room_beside(body: &Bytes, beginnings: &mut Beginnings) -> u64 {
    match beginnings.of(body) {
        Some(beginning) => beginning.room(DESCRIPTOR_BYTES_MAX) + IN_FRONT_BYTES as u64,
        None => Report::room(body.len()),
    }
}

impl Directory {
    /// Puts a report where it belongs.
    pub(crate) fn send(&self, report: Report, whose: &mut Whose, room: &mut Option<Reservation>) -> Sent {
        let refusal = match self.reply(&report, whose, room) {
            Ok(()) => return Sent::Settled,
            Err(Reason::BACKED_OUT) => return Sent::UnitEnded,
            Err(refusal) => refusal,
        };
        if report.descriptor.report.contains(ReportOptions::DISCARD_MSG) {
            return Sent::Settled;
        }
        let reply_to = report.reply_to.clone();
        let feedback = report.descriptor.feedback;
        let kept = self.keep_dead(report, refusal, whose, room);
        if kept == Err(Reason::BACKED_OUT) {
            return Sent::UnitEnded;
        }
        if let Err(second) = kept {
            self.ground().host.event(&events::REPORT_DROPPED.with([
                format!("{feedback:?}"),
                reply_to.object_name.to_string(),
                reply_to.object_queue_manager_name.to_string(),
                refusal.to_string(),
                second.to_string(),
            ]));
        }
        Sent::Settled
    }

    /// Puts a report on the queue that its message names, once that is judged. The name has one meaning for
    /// both, and a right that was changed in between has both done again: what was judged is what is used.
    pub(crate) fn reply(
        &self,
        report: &Report,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        loop {
            let generation = self.door.generation();
            let meaning = self.meaning(&report.reply_to, &mut ());
            self.may_reply(report, &meaning)?;
            let granted = self.door.authorize_own_put(&report.reply_to)?;
            let found = self.queue_for(&granted, report, &meaning);
            if self.door.generation() == generation {
                let (queue, elsewhere) = found?;
                return self.put_report_on(&queue, elsewhere, report, whose, room);
            }
        }
    }

    /// Judges a report as if the user of the message that it is about put it: a putter names the queue, and
    /// has no message put where it could put none. A name makes no administrator: the message says if the
    /// login of one put it.
    fn may_reply(&self, report: &Report, meaning: &Meaning<'_>) -> Result<(), Reason> {
        if !self.door.is_judging() || report.rights == ReportRights::OF_QUEUE_MANAGER {
            return Ok(());
        }
        // Recorded when the message was put, with the user whose right is missing.
        if report.rights.are_none() {
            return Err(Reason::NOT_AUTHORIZED);
        }
        let named = report.descriptor.user_identifier;
        let user = if report.rights.are_of_administrator() {
            Principal::of_administrators_message(named)
        } else {
            self.door.user_of_message(named)
        };
        self.may_be_replied_to(&user, meaning)
    }

    /// Judges reports to a queue as a put by this user.
    fn may_be_replied_to(&self, user: &Principal, meaning: &Meaning<'_>) -> Result<(), Reason> {
        let asked = Asked::new(self.asked_by(meaning)?, Use::Put(PutFlags::NO_SYNCPOINT));
        self.door.authorize(user, asked).map(drop).map_err(|(_, reason)| reason)
    }

    /// Judges the login that puts a message in the name of another, as each channel does, or for others: the
    /// reports about the message also need its right to the reply-to queue. It is known now alone, so the
    /// verdict stays with the message.
    pub(crate) fn rights_of_reports(&self, by: &Principal, descriptor: &MessageDescriptor) -> ReportRights {
        if !report_kind::may_be_reported(descriptor) || !self.door.is_judging() {
            return ReportRights::OF_USER;
        }
        match self.may_be_replied_to(by, &self.meaning(&descriptor.reply_to(), &mut ())) {
            Ok(()) => ReportRights::OF_USER,
            Err(_) => ReportRights::NONE,
        }
    }

    /// Puts a report, or another message of the queue manager's own, that its queue refused on the
    /// dead-letter queue.
    pub(crate) fn keep_dead(
        &self,
        report: Report,
        refusal: Reason,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        let letter = self.dead_letter(report, refusal)?;
        self.put_report(&letter, &letter.reply_to, whose, room)
    }

    /// True if the dead-letter queue takes such a message, refused for this reason, now.
    pub(crate) fn keeps_dead(&self, report: Report, refusal: Reason) -> bool {
        let is_kept = || {
            let letter = self.dead_letter(report, refusal)?;
            let granted = self.door.authorize_own_put(&letter.reply_to)?;
            let (queue, _) = self.queue_for(&granted, &letter, &self.meaning(&letter.reply_to, &mut ()))?;
            self.ensure_duplicates(&queue, &Payload::new(letter.descriptor, letter.body))
        };
        is_kept().is_ok()
    }

    /// Makes the dead letter of a message that its queue refused.
    fn dead_letter(&self, report: Report, refusal: Reason) -> Result<Report, Reason> {
        let manager = self.catalogue.manager();
        let dead = manager.attributes.dead_letter_queue.ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
        let Report { mut descriptor, mut body, reply_to, may_trigger, is_promised, rights, .. } = report;
        // Letters are read by programs of the interface, which are given no message in AMQP's form.
        if let Ok((place, known)) = properties::without_kept_form(&Place::of(&descriptor), &body) {
            place.describe(&mut descriptor);
            body = known;
        }
        let header = DeadLetterHeader {
            reason: refusal.code(),
            destination_queue: Text::truncated(reply_to.object_name.as_str()),
            destination_queue_manager: Text::truncated(reply_to.object_queue_manager_name.as_str()),
            following: Place::of(&descriptor),
            put_application_type: descriptor.put_application_type,
            put_application_name: descriptor.put_application_name,
            put_date: descriptor.put_date,
            put_time: descriptor.put_time,
        };
        let place = Place::of(&descriptor);
        let chain = Chain { headers: vec![Header::DeadLetter(header)], place, data: body };
        let (place, body) = self.write_headers(&chain)?;
        place.describe(&mut descriptor);
        Ok(Report {
            descriptor,
            body,
            reply_to: ObjectDescriptor::queue(dead),
            may_trigger,
            is_promised,
            is_streamed: true,
            has_room_for_copy: false,
            is_body_shared: false,
            deliver_at: 0,
            rights,
        })
    }

    pub(crate) fn put_report(
        &self,
        report: &Report,
        to: &ObjectDescriptor,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        let granted = self.door.authorize_own_put(to)?;
        let (queue, elsewhere) = self.queue_for(&granted, report, &self.meaning(to, &mut ()))?;
        self.put_report_on(&queue, elsewhere, report, whose, room)
    }

    /// Puts a report on the queue that was found for it.
    pub(crate) fn put_report_on(
        &self,
        queue: &Arc<Queue>,
        elsewhere: Option<Elsewhere>,
        report: &Report,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        let mut arrival = self.arrival_of(report);
        arrival.facts.may_trigger = report.may_trigger;
        arrival.facts.is_promised = report.is_promised;
        let Facts { life, put_at, .. } = arrival.facts;
        arrival.facts.life = life.delivered_at(report.deliver_at, put_at);
        if let Some(elsewhere) = elsewhere {
            arrival = self.for_transmission(&elsewhere, arrival)?;
        }
        let stream = queue.attributes().stream.clone().filter(|_| report.is_streamed);
        let Some(stream) = stream else {
            return queue.put(&self.queues, arrival, Placing::beside(whose, room)).into_inner();
        };
        let copy = if report.is_promised {
            self.copy_of_promised(&stream, &arrival.payload)
        } else {
            self.copy_for(&stream, &arrival.payload)?
        };
        // Before the message is put, which must not be there without a copy that must be.
        let mut room_for_copy = match &copy {
            Some(copy) if stream.must_duplicate => self.room_for_duplicate(report, copy, whose, room)?,
            _ => None,
        };
        queue.put(&self.queues, arrival, Placing::beside(whose, room)).into_inner()?;
        if let Some(mut copy) = copy {
            copy.is_promised = stream.must_duplicate;
            let _ = self.put_report(&copy, &copy.reply_to, whose, &mut room_for_copy);
        }
        Ok(())
    }

    /// Reserves room in the log for a mandatory copy, if it is persistent: out of its original's room, where
    /// that has it.
    fn room_for_duplicate(
        &self,
        report: &Report,
        copy: &Report,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<Option<Reservation>, Reason> {
        if copy.descriptor.persistence != Persistence::Persistent {
            return Ok(None);
        }
        let bytes = match whose.gathering() {
            Some(gathered) => room_beside(&copy.body, &mut gathered.beginnings),
            None => Report::room(copy.body.len()),
        };
        match room {
            Some(room) if report.has_room_for_copy && room.left() >= bytes => Ok(Some(room.split(bytes))),
            _ => match self.queues.reserve(bytes, Purpose::Drain) {
                Err(_) if report.is_promised => Ok(None),
                reserved => reserved.map(Some),
            },
        }
    }

    /// Sets room in the log aside for a report, and for the copy of it that must be.
    pub(crate) fn reserve_for(&self, report: &mut Report) -> Result<Reservation, Reason> {
        report.has_room_for_copy = report.is_streamed
            && self.queue_named(&report.reply_to).is_ok_and(|(queue, _)| must_duplicate(&queue));
        let copies = 1 + u64::from(report.has_room_for_copy);
        self.queues.reserve(copies * Report::room(report.body.len()), Purpose::Fill)
    }

    /// A message of the queue manager's own that arrives now.
    fn arrival_of(&self, report: &Report) -> Arrival {
        let (descriptor, body) = (report.descriptor.clone(), report.body.clone());
        let payload = if report.is_body_shared {
            Payload::sharing(descriptor, body)
        } else {
            Payload::new(descriptor, body)
        };
        let payload = Arc::new(payload.with_report_rights(report.rights));
        self.arrival_at(self.ground().world.clock.wall(), payload)
    }

    /// One that arrives at this time.
    pub(crate) fn arrival_at(&self, put_at: WallTime, payload: Arc<Payload>) -> Arrival {
        let descriptor = &payload.descriptor;
        let facts = Facts {
            persistent: descriptor.persistence == Persistence::Persistent,
            priority: descriptor.priority.level().unwrap_or_default(),
            life: Life::of(self.ground(), descriptor.expiry, put_at),
            put_at,
            may_trigger: true,
            is_streamed: false,
            requires_unit: false,
            fires: false,
            is_promised: false,
            uses_spare: true,
            hops: 0,
        };
        Arrival::new(payload, facts)
    }

    /// The queue of a name, if it takes this report, and where the report goes from there.
    pub(crate) fn queue_for(
        &self,
        granted: &Granted<'_>,
        report: &Report,
        meaning: &Meaning<'_>,
    ) -> Result<(Arc<Queue>, Option<Elsewhere>), Reason> {
        self.door.must_be_own_put(granted, meaning.object);
        let data_length = if presentation::may_have(&report.descriptor) {
            presentation::data_length(&Place::of(&report.descriptor), &report.body)
        } else {
            report.body.len()
        };
        let (queue, way) = self.queue_meant(meaning)?;
        let elsewhere = way.and_then(|way| way.elsewhere);
        if report.is_promised {
            suits(&queue.attributes(), elsewhere.as_ref(), &report.descriptor, data_length)?
        } else {
            let lengths = (report.body.len(), data_length);
            self.ensure_takes(&queue, elsewhere.as_ref(), &report.descriptor, lengths)?;
        }
        Ok((queue, elsewhere))
    }

    /// The queue of a name, and the way there if it has another name, by which a message may go now.
    pub(crate) fn queue_named(
        &self,
        to: &ObjectDescriptor,
    ) -> Result<(Arc<Queue>, Option<Arc<Way>>), Reason> {
        self.queue_meant(&self.meaning(to, &mut ()))
    }

    /// The same, by the meaning of the name.
    fn queue_meant(&self, meaning: &Meaning<'_>) -> Result<(Arc<Queue>, Option<Arc<Way>>), Reason> {
        if meaning.object.object_name == ObjectName::BLANK {
            return Err(Reason::UNKNOWN_OBJECT_NAME);
        }
        let found = self.resolve_meaning(meaning, &mut ()).1?;
        let Resolved::Queue(ResolvedQueue { queue, way, .. }) = found else {
            return Err(Reason::OBJECT_TYPE_ERROR);
        };
        way.as_ref().map_or(Ok(None), |way| way.check()).map_err(|(_, reason)| reason)?;
        Ok((queue, way))
    }

    /// Checks that a queue takes a message of this length, with its properties and without, now.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) fn ensure_takes(
        &self,
        queue: &Arc<Queue>,
        elsewhere: Option<&Elsewhere>,
        descriptor: &MessageDescriptor,
        (length, data_length): (usize, usize),
    ) -> Result<(), Reason> {
        suits(&queue.attributes(), elsewhere, descriptor, data_length)?;
        let in_front = elsewhere.map_or(0, |_| transmission::header_bytes(descriptor));
        queue.would_refuse(&self.queues, length + in_front).map_or(Ok(()), Err)
    }
}

/// True if a queue takes no message without a copy for its stream queue.
pub(crate) fn must_duplicate(queue: &Queue) -> bool {
    queue.attributes().stream.as_ref().is_some_and(|stream| stream.must_duplicate)
}

/// Checks that only the state of a queue with these attributes can refuse a message of this length without
/// its properties.
///
/// # Errors
/// The reason for refusing it.
pub(crate) fn suits(
    attributes: &QueueAttributes,
    elsewhere: Option<&Elsewhere>,
    descriptor: &MessageDescriptor,
    data_length: usize,
) -> Result<(), Reason> {
    let is_persistent = descriptor.persistence == Persistence::Persistent;
    if is_persistent && attributes.definition_type == DefinitionType::TemporaryDynamic {
        return Err(Reason::PERSISTENT_NOT_ALLOWED);
    }
    let in_front = elsewhere.map_or(0, |_| transmission::header_bytes(descriptor));
    if data_length + in_front > attributes.message_bytes_max as usize {
        return Err(Reason::MSG_TOO_BIG_FOR_Q);
    }
    Ok(())
}
