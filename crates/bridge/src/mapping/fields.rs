//! Fields of the descriptor as headers: one row a field.
//!
//! Always: a row reads back what it writes; a text that is no value of the field is left aside.

use mqi::message_descriptor::MessageDescriptor;
use mqi::properties::PropertyValue;
use mqi::{
    AccountingToken, CorrelationId, Encoding, Feedback, GroupId, MessageFlags, MessageId, MessageType,
    Persistence, Priority, PutApplicationType, ReportOptions, Text,
};

use super::form::{Form, HeaderKind};
use super::values::{line_of, of_line};

/// A row.
pub(super) struct Field {
    /// The name of its header.
    pub(super) header: &'static str,
    /// The name that programs of JMS know it by, over AMQP 1.0.
    jms: Option<&'static str>,
    /// True if it says who put the message, when and by what: it counts from a trusted pipe alone.
    pub(super) is_context: bool,
    /// True for a number.
    is_number: bool,
    pub(super) write: fn(&MessageDescriptor) -> String,
    /// Puts the value into the descriptor; none for a text that is none.
    pub(super) read: fn(&mut MessageDescriptor, &str) -> Option<()>,
}

impl Field {
    /// The name of its header in a form.
    pub(super) fn name(&self, form: Form) -> &'static str {
        self.jms.filter(|_| form == Form::Amqp).unwrap_or(self.header)
    }

    /// Its value as a header.
    pub(super) fn value(&self, descriptor: &MessageDescriptor, form: Form) -> PropertyValue {
        let text = (self.write)(descriptor);
        match (form.traits().headers, text.parse()) {
            (HeaderKind::Typed, Ok(number)) if self.is_number => PropertyValue::Int32(number),
            (HeaderKind::Bytes, _) => PropertyValue::Bytes(line_of(&text).into_bytes().into()),
            _ => PropertyValue::Text(line_of(&text)),
        }
    }

    /// Takes the value of a header. Returns false if it is none of the field.
    pub(super) fn take(&self, descriptor: &mut MessageDescriptor, value: &PropertyValue) -> bool {
        text_of(value).and_then(|text| (self.read)(descriptor, &text)).is_some()
    }
}

/// The text of a header of ours; none for a value that is no line.
pub(super) fn text_of(value: &PropertyValue) -> Option<String> {
    match value {
        PropertyValue::Bytes(bytes) => of_line(std::str::from_utf8(bytes).ok()?),
        PropertyValue::Text(text) => of_line(text),
        PropertyValue::Int8(_)
        | PropertyValue::Int16(_)
        | PropertyValue::Int32(_)
        | PropertyValue::Int64(_) => Some(value.written()),
        _ => None,
    }
}

/// Text of a field of so many bytes.
fn text<const N: usize>(text: &str) -> Option<Text<N>> {
    text.parse().ok().filter(|read: &Text<N>| read.as_str() == text)
}

fn number(text: &str) -> Option<i32> {
    text.parse().ok()
}

macro_rules! row {
    ($header:literal, $kind:ident, $jms:expr, $is_number:literal, $write:expr, $read:expr) => {
        Field {
            header: $header,
            jms: $jms,
            is_context: row!(@$kind),
            is_number: $is_number,
            write: $write,
            read: $read,
        }
    };
    (@plain) => { false };
    (@context) => { true };
}

/// A field of text.
macro_rules! text_row {
    ($header:literal, $kind:ident, $field:ident) => {
        text_row!($header, $kind, $field, None)
    };
    ($header:literal, $kind:ident, $field:ident, $jms:expr) => {
        row!(
            $header,
            $kind,
            $jms,
            false,
            |descriptor| descriptor.$field.as_str().to_owned(),
            |descriptor, said| {
                descriptor.$field = text(said)?.into();
                Some(())
            }
        )
    };
}

/// A field that is a number.
macro_rules! number_row {
    ($header:literal, $kind:ident, $jms:expr, $write:expr, $read:expr) => {
        row!($header, $kind, $jms, true, |descriptor| $write(descriptor).to_string(), |descriptor, said| {
            let put: fn(&mut MessageDescriptor, i32) -> Option<()> = $read;
            put(descriptor, number(said)?)
        })
    };
}

/// A field of bytes, as hexadecimal digits.
macro_rules! bytes_row {
    ($header:literal, $kind:ident, $field:ident, $type:ty) => {
        row!($header, $kind, None, false, |descriptor| descriptor.$field.to_string(), |descriptor, said| {
            descriptor.$field = said.parse::<$type>().ok()?.into();
            Some(())
        })
    };
}

/// All fields but the expiry, which is a time.
pub(super) const FIELDS: [Field; 26] = [
    bytes_row!("ferry-msgid", plain, message_id, MessageId),
    bytes_row!("ferry-correlid", plain, correlation_id, CorrelationId),
    bytes_row!("ferry-group-id", plain, group_id, GroupId),
    text_row!("ferry-reply-to", plain, reply_to_queue),
    text_row!("ferry-reply-to-qmgr", plain, reply_to_queue_manager),
    text_row!("ferry-format", plain, format, Some("JMS_IBM_Format")),
    number_row!(
        "ferry-ccsid",
        plain,
        Some("JMS_IBM_Character_Set"),
        |descriptor: &MessageDescriptor| descriptor.coded_character_set,
        |descriptor, number| {
            descriptor.coded_character_set = number;
            Some(())
        }
    ),
    number_row!(
        "ferry-encoding",
        plain,
        Some("JMS_IBM_Encoding"),
        |descriptor: &MessageDescriptor| descriptor.encoding.code(),
        |descriptor, number| {
            descriptor.encoding = Encoding(number);
            Some(())
        }
    ),
    number_row!(
        "ferry-msgtype",
        plain,
        Some("JMS_IBM_MsgType"),
        |descriptor: &MessageDescriptor| descriptor.message_type.code(),
        |descriptor, number| {
            descriptor.message_type = Some(MessageType(number)).filter(|kind| kind.is_valid())?;
            Some(())
        }
    ),
    number_row!(
        "ferry-feedback",
        plain,
        Some("JMS_IBM_Feedback"),
        |descriptor: &MessageDescriptor| descriptor.feedback.code(),
        |descriptor, number| {
            descriptor.feedback = Some(Feedback(number)).filter(|feedback| feedback.is_valid())?;
            Some(())
        }
    ),
    number_row!(
        "ferry-report",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.report.bits(),
        |descriptor, number| {
            descriptor.report = ReportOptions::from_bits(number);
            Some(())
        }
    ),
    number_row!(
        "ferry-priority",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.priority.code(),
        |descriptor, number| {
            descriptor.priority = Priority::from_code(number).ok()?;
            Some(())
        }
    ),
    number_row!(
        "ferry-persistence",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.persistence.code(),
        |descriptor, number| {
            descriptor.persistence = Persistence::from_code(number).ok()?;
            Some(())
        }
    ),
    number_row!(
        "ferry-backout-count",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.backout_count,
        |descriptor, number| {
            descriptor.backout_count = number;
            Some(())
        }
    ),
    number_row!(
        "ferry-sequence",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.message_sequence_number,
        |descriptor, number| {
            descriptor.message_sequence_number = number;
            Some(())
        }
    ),
    number_row!(
        "ferry-offset",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.offset,
        |descriptor, number| {
            descriptor.offset = number;
            Some(())
        }
    ),
    number_row!(
        "ferry-flags",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.message_flags.bits(),
        |descriptor, number| {
            descriptor.message_flags = MessageFlags::from_bits(number);
            Some(())
        }
    ),
    number_row!(
        "ferry-original-length",
        plain,
        None,
        |descriptor: &MessageDescriptor| descriptor.original_length,
        |descriptor, number| {
            descriptor.original_length = number;
            Some(())
        }
    ),
    text_row!("ferry-user", context, user_identifier),
    bytes_row!("ferry-accounting-token", context, accounting_token, AccountingToken),
    text_row!("ferry-identity-data", context, application_identity_data),
    number_row!(
        "ferry-appl-type",
        context,
        None,
        |descriptor: &MessageDescriptor| descriptor.put_application_type.code(),
        |descriptor, number| {
            descriptor.put_application_type = PutApplicationType(number);
            Some(())
        }
    ),
    text_row!("ferry-appl-name", context, put_application_name, Some("JMSXAppID")),
    text_row!("ferry-put-date", context, put_date),
    text_row!("ferry-put-time", context, put_time),
    text_row!("ferry-origin-data", context, application_origin_data),
];
