//! Copies of messages for another queue: STREAMQ, STRMQOS.
//!
//! Message and copy are put in one unit of work: that of the program, or, outside, one of the queue manager's
//! own. The copy is the message with all its identifiers, but asks for no reports. With STRMQOS(BESTEF) a
//! copy that its queue refuses is left out; with MUSTDUP the put is refused for the same reason. Every put is
//! copied: by programs, in segments, by the queue manager itself. A copy is not copied again; messages that
//! MOVE QLOCAL moves were copied when they came.

use std::sync::Arc;

use mqi::{Expiry, ObjectDescriptor, Reason, ReportOptions};
use objects::Stream;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::Payload;
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Placing};
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::slot::UnitSlot;
use storage::{Purpose, Reservation};

use crate::directory::Directory;

/// Copies of messages that are put together.
#[derive(Default)]
pub(crate) struct Copies {
    pub(crate) messages: Vec<Report>,
    must: bool,
    room: Option<Reservation>,
}

impl Directory {
    /// Puts a message on a queue that has a stream queue, the copy there, and the report of its arrival if it
    /// asks for one.
    pub(crate) fn put_streamed(
        &self,
        queue: &Arc<Queue>,
        arrival: Arrival,
        unit: Option<&Arc<UnitSlot>>,
    ) -> Outcome<()> {
        let stream = queue.attributes().stream.clone();
        let Some(stream) = stream else { return Gated::free(Err(Reason::OBJECT_CHANGED)) };
        let must = stream.must_duplicate;
        let mut copy = match self.copy_for(&stream, &arrival.payload) {
            Ok(copy) => copy,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let persistent = arrival.facts.persistent;
        let room = |message: &mut Report| persistent.then(|| self.reserve_for(message)).transpose();
        let mut room_for_copy = match copy.as_mut().map_or(Ok(None), room) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let left = arrival.payload.descriptor.expiry;
        let mut report = Kind::Arrival
            .is_asked(arrival.payload.descriptor.report)
            .then(|| self.report_about(Kind::Arrival, &arrival.payload, left));
        let mut room_for_report = match report.as_mut().map_or(Ok(None), room) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let operations = 1 + usize::from(copy.is_some()) + usize::from(report.is_some());
        let (mut whose, put) = match unit {
            Some(unit) => {
                let whose = Whose::current(unit);
                (whose, queue.put(&self.queues, arrival, Placing::within(unit, operations)))
            }
            None => {
                let mut whose = Whose::own();
                let put = queue.put(&self.queues, arrival, Placing::beside(&mut whose, &mut None));
                (whose, put)
            }
        };
        let need = put.need();
        if let Err(reason) = put.into_inner() {
            return Gated::new(need, Err(reason));
        }
        if let Some(mut copy) = copy {
            // What the program's unit of work has taken cannot be taken out alone.
            copy.is_promised = must && unit.is_some();
            let copied = self.put_report(&copy, &copy.reply_to, &mut whose, &mut room_for_copy);
            if let Err(reason) = copied
                && must
                && unit.is_none()
            {
                self.queues.back_out_own(whose);
                return Gated::new(need, Err(reason));
            }
        }
        if let Some(report) = report {
            // A unit that was backed out meanwhile has no message to report on.
            let _ = self.send(report, &mut whose, &mut room_for_report);
        }
        self.queues.commit_own(whose).and_needs(need)
    }

    /// The copies of messages that are put together, and room in the log for them.
    pub(crate) fn copies_for(&self, queue: &Queue, arrivals: &[Arrival]) -> Result<Copies, Reason> {
        let stream = queue.attributes().stream.clone();
        let mut copies = Copies::default();
        let Some(stream) = stream else { return Ok(copies) };
        copies.must = stream.must_duplicate;
        for Arrival { payload, facts, .. } in arrivals.iter().filter(|arrival| arrival.facts.is_streamed) {
            let Some(copy) = self.copy_for(&stream, payload)? else { continue };
            if facts.persistent {
                let more = self.queues.reserve(Report::room(copy.body.len()), Purpose::Fill)?;
                match &mut copies.room {
                    None => copies.room = Some(more),
                    Some(room) => room.absorb(more),
                }
            }
            copies.messages.push(copy);
        }
        Ok(copies)
    }

    /// Puts copies in the unit of work of their originals. With MUSTDUP the first refused copy refuses all,
    /// which only a unit of the queue manager's own can undo: a copy in a program's unit is not taken out
    /// alone.
    pub(crate) fn put_copies(&self, mut copies: Copies, whose: &mut Whose) -> Result<(), Reason> {
        let is_promised = copies.must && matches!(whose, Whose::Of { .. });
        for copy in &mut copies.messages {
            copy.is_promised = is_promised;
            let put = self.put_report(copy, &copy.reply_to, whose, &mut copies.room);
            if copies.must && !is_promised {
                put?;
            }
        }
        Ok(())
    }

    /// The copy of a message, if its queue takes it now. None when it may be left out; a reason when it may
    /// not.
    pub(crate) fn copy_for(&self, stream: &Stream, original: &Payload) -> Result<Option<Report>, Reason> {
        match self.copy_if_taken(stream, original, false) {
            Err(reason) if stream.must_duplicate => Err(reason),
            taken => Ok(taken.ok()),
        }
    }

    /// The copy of a message whose queue takes it although that is full or allows no puts by now, as its
    /// stream queue then does the copy that must be. None when that may be left out, or can be put nowhere
    /// any more.
    pub(crate) fn copy_of_promised(&self, stream: &Stream, original: &Payload) -> Option<Report> {
        self.copy_if_taken(stream, original, stream.must_duplicate).ok()
    }

    /// Checks that the stream queue of a queue takes a copy of this message now, where it must have a copy of
    /// every put.
    ///
    /// # Errors
    /// Why it does not.
    pub(crate) fn ensure_duplicates(&self, queue: &Queue, message: &Payload) -> Result<(), Reason> {
        let stream = queue.attributes().stream.clone().filter(|stream| stream.must_duplicate);
        stream.map_or(Ok(()), |stream| self.copy_for(&stream, message).map(drop))
    }

    fn copy_if_taken(
        &self,
        stream: &Stream,
        original: &Payload,
        is_promised: bool,
    ) -> Result<Report, Reason> {
        let to = ObjectDescriptor::queue(stream.queue);
        let mut descriptor = original.descriptor.clone();
        descriptor.report = ReportOptions::EMPTY;
        let mut copy = Report {
            descriptor,
            body: original.body.clone(),
            reply_to: to,
            may_trigger: true,
            is_promised,
            is_streamed: false,
            has_room_for_copy: false,
            is_body_shared: false,
            deliver_at: 0,
            rights: original.report_rights,
        };
        let granted = self.door.authorize_own_put(&copy.reply_to)?;
        let (queue, _) = self.queue_for(&granted, &copy, &self.meaning(&copy.reply_to, &mut ()))?;
        if let Some(most) = queue.attributes().expiry_max {
            let expiry = copy.descriptor.expiry;
            copy.descriptor.expiry = Expiry::tenths(expiry.limit().map_or(most, |limit| limit.min(most)));
        }
        Ok(copy)
    }
}
