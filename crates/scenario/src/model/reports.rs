//! Reports, and what a descriptor may say.
//!
//! A report is a message like any other, put where the message it is about says, at the same moment and
//! within the same unit of work. What its queue refuses is gone: the model knows no dead-letter queue.

use bytes::Bytes;
use mqi::{
    CorrelationId, Feedback, MessageDescriptor, MessageId, MessageType, PutApplicationType, Rare, Reason,
    ReportOptions, Text, constants,
};

use super::queue::{Message, QueueId, State};
use super::{Manager, Time};

/// Kind of a report, as its lowest option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Arrival = 0x100,
    Delivery = 0x800,
    Expiration = 0x20_0000,
}

/// Report options of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    options: i32,
    reply_to: String,
}

const EXCEPTION: i32 = 0x100_0000;
const KINDS: [i32; 4] = [Kind::Arrival as i32, Kind::Delivery as i32, Kind::Expiration as i32, EXCEPTION];
const PAN_NAN_ACTIVITY: i32 = 0x7;
const PASS_CORRELATION_ID: i32 = 0x40;
const PASS_MESSAGE_ID: i32 = 0x80;
const PASS_DISCARD_AND_EXPIRY: i32 = 0x4000;
const DISCARD: i32 = 0x800_0000;
/// Every option there is, but for the bits that say how much data goes along.
const OTHERS: i32 = 0x800_40C7;
/// Options nobody knows are refused here, and only remarked on elsewhere.
const REFUSED_WHEN_UNKNOWN: i32 = 0x101C_0000 | 0x0003_FF00;
/// The same for message flags.
const FLAGS_REFUSED_WHEN_UNKNOWN: i32 = 0x000F_FFE0;

impl Asked {
    pub(super) fn of(descriptor: &MessageDescriptor) -> Self {
        let reply_to = descriptor.reply_to_queue.as_str().to_owned();
        Self { options: descriptor.report.bits(), reply_to }
    }

    pub(super) fn asks(&self, kind: Kind) -> bool {
        self.options & kind as i32 != 0
    }
}

/// True if any report is asked for.
pub(super) fn asks_for_any(options: ReportOptions) -> bool {
    let options = options.bits();
    KINDS.iter().any(|kind| options & kind != 0) || options & PAN_NAN_ACTIVITY != 0
}

/// Why a descriptor is refused; otherwise a remark on it, if one is due.
pub(super) fn judge(descriptor: &MessageDescriptor, in_order: bool) -> Result<Option<Reason>, Reason> {
    let message_type = descriptor.message_type.code();
    if !(1..=999_999_999).contains(&message_type) {
        return Err(Reason::MSG_TYPE_ERROR);
    }
    let options = descriptor.report.bits();
    let asks = asks_for_any(descriptor.report);
    if (asks || message_type == 1) && descriptor.reply_to_queue.is_blank() {
        return Err(Reason::MISSING_REPLY_TO_Q);
    }
    let mut known = OTHERS;
    for kind in KINDS {
        known |= 7 * kind;
        // Some data only with the report, all data only with some.
        let (report, some, all) = (options & kind, options & (2 * kind), options & (4 * kind));
        if some != 0 && report == 0 || all != 0 && some == 0 {
            return Err(Reason::REPORT_OPTIONS_ERROR);
        }
    }
    let unknown = options & !known;
    if unknown & REFUSED_WHEN_UNKNOWN != 0 {
        return Err(Reason::REPORT_OPTIONS_ERROR);
    }
    if !(0..=999_999_999).contains(&descriptor.feedback.code()) {
        return Err(Reason::FEEDBACK_ERROR);
    }
    if descriptor.message_flags.bits() & FLAGS_REFUSED_WHEN_UNKNOWN != 0 {
        return Err(Reason::MSG_FLAGS_ERROR);
    }
    // In logical order nobody looks at the place that is given.
    if !in_order && !(1..=999_999_999).contains(&descriptor.message_sequence_number) {
        return Err(Reason::MSG_SEQ_NUMBER_ERROR);
    }
    if !in_order && !(0..=999_999_999).contains(&descriptor.offset) {
        return Err(Reason::OFFSET_ERROR);
    }
    Ok((unknown != 0).then_some(Reason::UNKNOWN_REPORT_OPTION))
}

impl Manager {
    /// Puts the report of a kind about a message, if it asks for one, in the client's unit of work if the
    /// message is in one. Where it is now, and its copy if it has one.
    pub(super) fn report(&mut self, kind: Kind, about: &Message, within: Option<&str>) -> Vec<QueueId> {
        let Asked { options, reply_to } = &about.asked;
        let bit = kind as i32;
        if options & bit == 0 {
            return Vec::new();
        }
        let body = match (options & (2 * bit), options & (4 * bit)) {
            (_, all) if all != 0 => about.body.clone(),
            (some, _) if some != 0 => about.body.slice(..about.body.len().min(100)),
            _ => Bytes::new(),
        };
        let queue = self.resolve(reply_to).ok().filter(|queue| self.takes(reply_to, *queue, about, &body));
        let Some(queue) = queue else { return Vec::new() };
        let passes_expiry = options & PASS_DISCARD_AND_EXPIRY != 0 && kind != Kind::Expiration;
        let expires: Option<Time> = about.expires.filter(|_| passes_expiry);
        let correlation_id = if options & PASS_CORRELATION_ID != 0 {
            about.correlation_id
        } else {
            // One that the queue manager made up is not known here.
            (about.message_id != MessageId::NONE).then(|| CorrelationId::from_bytes(about.message_id.0))
        };
        let report = Message {
            number: self.number(),
            body,
            message_id: if options & PASS_MESSAGE_ID != 0 { about.message_id } else { MessageId::NONE },
            correlation_id,
            priority: about.priority,
            persistent: about.persistent,
            expires,
            backout: 0,
            state: within.map_or(State::Available, |client| State::PutBy(client.to_owned())),
            asked: Asked::default(),
            shown: Box::new(self.shown_in_report(kind, about, *options)),
            group: about.group,
            properties: Vec::new(),
            published: Vec::new(),
            marked_by: Default::default(),
            marked_until: None,
        };
        let Ok(copy) = self.streamed(queue, &report, within.is_some(), &[]) else { return Vec::new() };
        let put: Vec<(QueueId, Message)> = [(queue, report)].into_iter().chain(copy).collect();
        let queues = put.iter().map(|(queue, _)| *queue).collect();
        put.into_iter().for_each(|(queue, report)| self.put_report(queue, report, within));
        queues
    }

    fn put_report(&mut self, queue: QueueId, report: Message, within: Option<&str>) {
        let is_trigger = self.is_trigger(queue, report.priority);
        if let Some(client) = within {
            let number = report.number;
            self.client(client).unit.push((queue, number, true));
            if is_trigger {
                self.client(client).triggers.push(queue);
            }
        }
        self.queue(queue).messages.push(report);
        if is_trigger && within.is_none() {
            self.due.push(queue);
        }
    }

    /// The descriptor of a report, as far as it is known.
    fn shown_in_report(&self, kind: Kind, about: &Message, options: i32) -> MessageDescriptor {
        let discards = options & PASS_DISCARD_AND_EXPIRY != 0 && options & DISCARD != 0;
        let about_length = i32::try_from(about.body.len()).expect("a short message");
        MessageDescriptor {
            report: ReportOptions::from_bits(if discards { DISCARD } else { 0 }),
            message_type: MessageType::REPORT,
            feedback: Feedback(match kind {
                Kind::Arrival => constants::MQFB_COA,
                Kind::Delivery => constants::MQFB_COD,
                Kind::Expiration => constants::MQFB_EXPIRATION,
            }),
            reply_to_queue: Rare::USUAL,
            put_application_type: PutApplicationType(constants::MQAT_QMGR),
            application_origin_data: Text::BLANK,
            original_length: if about.is_segment() { about_length } else { constants::MQOL_UNDEFINED },
            ..(*about.shown).clone()
        }
    }

    /// True if a queue takes a report or another message of the queue manager's own.
    pub(super) fn takes(&self, name: &str, queue: QueueId, about: &Message, body: &Bytes) -> bool {
        let base = self.definition_of(queue).expect("a queue has a definition");
        let allowed = !self.objects[name].is("PUT", "DISABLED") && !base.is("PUT", "DISABLED");
        allowed
            && !(about.persistent && base.temporary)
            && body.len() <= base.number("MAXMSGL")
            && self.check_room(queue, &[body.len()]).is_ok()
    }
}
