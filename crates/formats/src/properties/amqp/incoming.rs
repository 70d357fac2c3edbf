//! A message of AMQP as a message of the interface: its descriptor, and its body in the kept form.

use amqp::sections::{BodyKind, Properties};
use amqp::{DecodeError, Sections, Value};
use mqi::{
    CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags, MessageId,
    MessageType, ObjectName, Persistence, Priority, ReportOptions, Text, constants,
};

use super::address::{self, Address};
use super::annotations::{self, DESTINATION_KIND, REPLY_KIND};
use super::folders::{self, TEXT};
use super::{identifier, kept};
use crate::headers::Place;

/// The character set of texts.
pub(super) const UTF_8: i32 = 1208;

/// A message that came.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// Its descriptor.
    pub descriptor: MessageDescriptor,
    /// Its body.
    pub body: Vec<u8>,
    /// Milliseconds since 1970 at which it is due, if it says so.
    pub due: Option<i64>,
    /// The address that it is for.
    pub to: Option<&'a str>,
    /// Says whether that is the name of a topic.
    pub is_to_topic: bool,
    /// Its identifier where that is a text and the message is a request: an answer by a program has bytes.
    pub asks: Option<&'a str>,
}

impl<'a> Incoming<'a> {
    /// Takes a message that came now, in milliseconds since 1970. Where the name in a `reply-to` is none that
    /// a queue can have, `queue_of` gives the queue that it leads to, by the name and the queue manager that
    /// stands beside it. The message keeps the address of that queue, to which any receiver can answer.
    ///
    /// # Errors
    /// The fault of its bytes.
    pub fn of(
        message: &'a [u8],
        now: impl Fn() -> i64,
        queue_of: impl Fn(&str, &str) -> Option<ObjectName>,
    ) -> Result<Self, DecodeError> {
        let sections = Sections::of(message)?;
        let annotations = sections.message_annotations();
        let due = annotations::due(&annotations, &now)?;
        let is_topic = annotations::is_topic(&annotations, REPLY_KIND);
        let said = sections.properties().reply_to;
        let renamed = said.and_then(|text| address::renamed(text, is_topic, queue_of));
        let reply_to = renamed.as_deref().or(said).map(|text| Address::of_kind(text, is_topic));
        let mut descriptor = descriptor(&sections, now, reply_to);
        set_fields(&mut descriptor, &sections);
        let place = following(&sections, &descriptor);
        let body = match renamed.as_deref() {
            None => kept::write(&sections, &place)?,
            renamed => {
                let mut written = Vec::new();
                Properties { reply_to: renamed, ..*sections.properties() }.write(&mut written);
                let mut sections = sections;
                sections.properties = &written;
                kept::write(&sections, &place)?
            }
        };
        descriptor.format = Text::truncated(kept::FORMAT.trim_end());
        descriptor.encoding = Encoding::NATIVE;
        descriptor.coded_character_set = UTF_8;
        let properties = sections.properties();
        let is_to_topic = annotations::is_topic(&annotations, DESTINATION_KIND);
        let id = properties.message_id.filter(|_| properties.reply_to.is_some()).map(|id| id.value());
        let asks = id.and_then(|id| id.text());
        Ok(Self { descriptor, body, due, to: properties.to, is_to_topic, asks })
    }
}

fn descriptor(
    sections: &Sections<'_>,
    now: impl Fn() -> i64,
    reply_to: Option<Address<'_>>,
) -> MessageDescriptor {
    let (header, properties) = (sections.header(), sections.properties());
    let mut descriptor = MessageDescriptor {
        persistence: if header.durable { Persistence::Persistent } else { Persistence::NotPersistent },
        priority: Priority::new(header.priority.min(9)),
        ..MessageDescriptor::default()
    };
    let left = properties.absolute_expiry_time.map(|at| at.0.saturating_sub(now()).max(0) as u64);
    let lives = header.ttl.map(u64::from).into_iter().chain(left).min();
    if let Some(milliseconds) = lives {
        // One whose time is over when it comes expires as soon as any does: 0 would be no limit.
        let tenths = milliseconds.div_ceil(100).max(1);
        descriptor.expiry = Expiry::tenths(u32::try_from(tenths).unwrap_or(u32::MAX));
    }
    if let Some(id) = properties.message_id {
        descriptor.message_id = MessageId(identifier::of_value(&id.value()));
    }
    if let Some(id) = properties.correlation_id {
        descriptor.correlation_id = CorrelationId(identifier::of_value(&id.value()));
    }
    if let Some((name, manager)) = reply_to.and_then(|address| address.queue())
        && !name.trim_end().is_empty()
        && name.parse::<ObjectName>().is_ok()
        && (manager.is_empty() || manager.parse::<mqi::QueueManagerName>().is_ok())
    {
        descriptor.reply_to_queue = Text::truncated(name).into();
        descriptor.reply_to_queue_manager = Text::truncated(manager).into();
        descriptor.message_type = MessageType::REQUEST;
    }
    if let (Some(group), Some(sequence @ 1..)) = (properties.group_id, properties.group_sequence)
        && let Ok(sequence) = i32::try_from(sequence)
    {
        descriptor.group_id = GroupId(identifier::of_value(&Value::String(group))).into();
        descriptor.message_sequence_number = sequence;
        descriptor.message_flags |= MessageFlags::MSG_IN_GROUP;
    }
    descriptor
}

/// The form of the payload: a text, or bytes of the application, or as the application says.
fn following(sections: &Sections<'_>, said: &MessageDescriptor) -> Place {
    let is_text_type = |name: &str| name.starts_with("text/");
    let may_be_null = folders::said_kind(sections) == Some(TEXT as i128);
    let is_text = match sections.body_kind {
        // Qpid JMS sends a TextMessage without text as null.
        BodyKind::Value => {
            sections.parts().all(|part| part.is_text || may_be_null && *part.content == [kept::NULL])
        }
        BodyKind::Data => sections.properties().content_type.is_some_and(|name| is_text_type(name.0)),
        BodyKind::None | BodyKind::Sequence => false,
    };
    let format = match is_text {
        _ if !said.format.is_blank() => said.format,
        true => Text::truncated(constants::MQFMT_STRING.trim_end()),
        false => Text::default(),
    };
    let coded_character_set = if is_text { UTF_8 } else { said.coded_character_set };
    Place { encoding: said.encoding, coded_character_set, format }
}

/// Properties of an application that set a report, and the option that each has for its number.
const REPORTS: [(&str, i32); 8] = [
    ("Report_Exception", MASK_EXCEPTION),
    ("Report_Expiration", MASK_EXPIRATION),
    ("Report_COA", MASK_ARRIVAL),
    ("Report_COD", MASK_DELIVERY),
    ("Report_PAN", constants::MQRO_PAN),
    ("Report_NAN", constants::MQRO_NAN),
    ("Report_Pass_Msg_ID", constants::MQRO_PASS_MSG_ID),
    ("Report_Pass_Correl_ID", constants::MQRO_PASS_CORREL_ID),
];

const MASK_EXCEPTION: i32 = constants::MQRO_EXCEPTION_WITH_FULL_DATA | constants::MQRO_DISCARD_MSG;
const MASK_EXPIRATION: i32 = constants::MQRO_EXPIRATION_WITH_FULL_DATA;
const MASK_ARRIVAL: i32 = constants::MQRO_COA_WITH_FULL_DATA;
const MASK_DELIVERY: i32 = constants::MQRO_COD_WITH_FULL_DATA;

/// Sets the fields of the descriptor that properties of the application name.
fn set_fields(descriptor: &mut MessageDescriptor, sections: &Sections<'_>) {
    for (key, value) in sections.application_properties() {
        let Some(name) = key.text().and_then(|key| key.strip_prefix("JMS_IBM_")) else { continue };
        let number = value.integer().and_then(|number| i32::try_from(number).ok());
        match (name, number, value.text()) {
            ("Format", _, Some(format)) => descriptor.format = Text::truncated(format.trim_end()),
            ("Character_Set", number, text) => {
                let said = number.or_else(|| text.and_then(|text| text.trim().parse().ok()));
                descriptor.coded_character_set = said.unwrap_or(descriptor.coded_character_set);
            }
            ("Encoding", Some(number), _) => descriptor.encoding = Encoding(number),
            ("MsgType", Some(number), _) => descriptor.message_type = MessageType(number),
            ("Feedback", Some(number), _) => descriptor.feedback = Feedback(number),
            ("Last_Msg_In_Group", ..) if value == Value::Boolean(true) => {
                descriptor.message_flags |= MessageFlags::LAST_MSG_IN_GROUP;
            }
            ("Report_Discard_Msg", Some(number), _) => {
                descriptor.report |= ReportOptions::from_bits(number & constants::MQRO_DISCARD_MSG);
            }
            (_, Some(number), _) => {
                if let Some((_, mask)) = REPORTS.iter().find(|(known, _)| *known == name) {
                    descriptor.report |= ReportOptions::from_bits(number & mask);
                }
            }
            _ => {}
        }
    }
}
