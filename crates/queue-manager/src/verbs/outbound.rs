//! Messages on their way from a transmission queue into a channel.
//!
//! Lives here: the header taken off, the body converted, and the facts that the channel counts before the
//! gate of the message opens. Lives elsewhere: headers (`naming::transmission`), batches (`agents`).
//!
//! Always: of a message behind its gate nothing is told but these facts.

use std::fmt;
use std::sync::Arc;

use formats::convert;
use formats::headers::Place;
use mqi::{MessageFlags, Reason, constants};
use platform::Monotonic;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::queue::got_message::GotMessage;

use crate::engine::Engine;
use crate::naming::transmission::Transmission;
use crate::reports::traced::{ActivityReport, ChannelPlace};
use crate::verbs::arrive::DeadLetter;

/// The queue manager whose channels tell their activities.
#[derive(Clone)]
pub struct Tracer(pub(crate) Arc<Engine>);

impl fmt::Debug for Tracer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tracer({})", self.0.directory.name)
    }
}

/// The needs of a partner.
#[derive(Clone, Debug)]
pub struct Outbound {
    /// The form that bodies are converted to; none where they go as they are.
    pub convert_to: Option<convert::Target>,
    /// Most bytes of a message.
    pub bytes_max: usize,
    /// The queue manager that sends, and the channel as activities tell it; none where no activity is told.
    pub traces: Option<(Tracer, ChannelPlace)>,
}

/// The facts about what a get of a channel came to, told before the gate opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelUse {
    /// A message to send.
    Message {
        /// Its own identifier.
        message_id: [u8; 24],
        /// Bytes of its body as it is sent.
        bytes: usize,
        /// True if the message is in the log.
        is_persistent: bool,
        /// Microseconds that it was on the transmission queue: to a second where that is not monitored.
        waited: u32,
    },
    /// A message that cannot be sent.
    Undeliverable {
        /// True if the message is in the log.
        is_persistent: bool,
    },
    /// No message came.
    Nothing,
    /// The get failed.
    Failed,
}

/// A message that a channel got.
#[derive(Debug)]
pub enum Going {
    /// One to send.
    Message(Box<Transmission>),
    /// One that cannot be sent, and why.
    Letter(Box<DeadLetter>),
}

impl Outbound {
    /// Makes a message that a channel got ready to be sent, and tells what the channel counts.
    pub fn make_ready(
        &self,
        got: Outcome<GotMessage>,
        now: Monotonic,
    ) -> (ChannelUse, Gated<Result<Going, Reason>>, Option<ActivityReport>) {
        let mut report = None;
        let going = got.changed(|got| got.map(|message| going(message, self, now, &mut report)));
        let used = match going.value() {
            Ok((_, used)) => *used,
            Err(Reason::NO_MSG_AVAILABLE) => ChannelUse::Nothing,
            Err(_) => ChannelUse::Failed,
        };
        (used, going.changed(|going| going.map(|(going, _)| going)), report)
    }
}

fn going(
    message: GotMessage,
    to: &Outbound,
    now: Monotonic,
    report: &mut Option<ActivityReport>,
) -> (Going, ChannelUse) {
    let waited = message.arrived.micros_about(now);
    let message = message.converted();
    let is_persistent = message.descriptor.is_persistent();
    let letter =
        |letter: DeadLetter| (Going::Letter(Box::new(letter)), ChannelUse::Undeliverable { is_persistent });
    let Some(mut carried) = Transmission::carried_by(&message) else {
        return letter(DeadLetter {
            reason: constants::MQFB_XMIT_Q_MSG_ERROR,
            queue: message.resolved_queue_name,
            queue_manager: mqi::QueueManagerName::BLANK,
            descriptor: (*message.descriptor).clone(),
            rights: Some(message.descriptor.report_rights()),
            body: message.body,
        });
    };
    let refused = |carried: Transmission, reason: i32| {
        let Transmission { queue, queue_manager, descriptor, body, rights, .. } = carried;
        DeadLetter { reason, queue, queue_manager, descriptor, body, rights: Some(rights) }
    };
    let is_segment = carried.descriptor.message_flags.contains(MessageFlags::SEGMENT);
    if let Some(target) = to.convert_to.filter(|_| !is_segment) {
        let place = Place::of(&carried.descriptor);
        let converted = convert::body(&place, &carried.body, target, to.bytes_max);
        match converted.warning {
            // What has no format is bytes to everybody.
            Some(Reason::FORMAT_ERROR) if place.is(constants::MQFMT_NONE) => {}
            Some(reason) => return letter(refused(carried, reason.code())),
            None => {
                converted.place.describe(&mut carried.descriptor);
                carried.body = converted.body;
            }
        }
    }
    if let Some((Tracer(engine), place)) = &to.traces {
        let queue = message.resolved_queue_name;
        let told = engine.directory.trace_sending(place, queue, &mut carried);
        *report = told.map(|told| ActivityReport(Box::new(told)));
    }
    if carried.body.len() > to.bytes_max {
        return letter(refused(carried, Reason::MSG_TOO_BIG_FOR_CHANNEL.code()));
    }
    let used = ChannelUse::Message {
        message_id: carried.descriptor.message_id.0,
        bytes: carried.body.len(),
        is_persistent,
        waited: u32::try_from(waited).unwrap_or(u32::MAX),
    };
    (Going::Message(Box::new(carried)), used)
}
