//! Fields of the message descriptor that have a property's name: `Root.MQMD.Priority` and its relatives.
//!
//! Lives here: the names, their types, and how a field is read and set as a property.
//! Lives elsewhere: the names of JMS, which may stand for a field or for a property of a folder (`synonym`).

use std::borrow::Cow;

use bytes::Bytes;

use super::value::{PropertyType, PropertyValue, View};
use crate::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, Persistence, Priority, PutApplicationType, Reason, ReportOptions,
};

/// Beginning of every name of a descriptor field.
pub const PREFIX: &str = "Root.MQMD.";

/// Reader and writer of a field of the descriptor.
enum Access {
    Number(fn(&MessageDescriptor) -> i32, fn(&mut MessageDescriptor, i32) -> Result<(), Reason>),
    Text(fn(&MessageDescriptor) -> &str, fn(&mut MessageDescriptor, &str) -> bool),
    Bytes(fn(&MessageDescriptor) -> &[u8], fn(&mut MessageDescriptor, &[u8]) -> bool),
}

struct Row {
    name: &'static str,
    access: Access,
}

/// A field of the descriptor, known by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DescriptorField(u8);

macro_rules! number {
    ($name:literal, $field:ident, $read:expr, $write:expr) => {
        Row {
            name: $name,
            access: Access::Number(
                |descriptor| $read(&descriptor.$field),
                |descriptor, value| {
                    descriptor.$field = $write(value)?;
                    Ok(())
                },
            ),
        }
    };
}

macro_rules! text {
    ($name:literal, $field:ident) => {
        Row {
            name: $name,
            access: Access::Text(
                |descriptor| descriptor.$field.as_str(),
                |descriptor, text| text.parse().map(|text| descriptor.$field = text).is_ok(),
            ),
        }
    };
}

macro_rules! bytes {
    ($name:literal, $field:ident, $kind:ident) => {
        Row {
            name: $name,
            access: Access::Bytes(
                |descriptor| descriptor.$field.as_bytes(),
                |descriptor, bytes| match bytes.try_into() {
                    Ok(bytes) => {
                        descriptor.$field = $kind::from_bytes(bytes).into();
                        true
                    }
                    Err(_) => false,
                },
            ),
        }
    };
}

/// One row for each field, in the order of the structure.
const ROWS: &[Row] = &[
    number!("Report", report, |field: &ReportOptions| field.bits(), |value| Ok(ReportOptions::from_bits(
        value
    ))),
    number!("MsgType", message_type, |field: &MessageType| field.code(), |value| Ok(MessageType(value))),
    number!("Expiry", expiry, |field: &Expiry| field.code(), Expiry::from_code),
    number!("Feedback", feedback, |field: &Feedback| field.code(), |value| Ok(Feedback(value))),
    number!("Encoding", encoding, |field: &Encoding| field.code(), |value| Ok(Encoding(value))),
    number!("CodedCharSetId", coded_character_set, |field: &i32| *field, Ok),
    text!("Format", format),
    number!("Priority", priority, |field: &Priority| field.code(), Priority::from_code),
    number!("Persistence", persistence, |field: &Persistence| field.code(), Persistence::from_code),
    bytes!("MsgId", message_id, MessageId),
    bytes!("CorrelId", correlation_id, CorrelationId),
    number!("BackoutCount", backout_count, |field: &i32| *field, Ok),
    text!("ReplyToQ", reply_to_queue),
    text!("ReplyToQMgr", reply_to_queue_manager),
    text!("UserIdentifier", user_identifier),
    bytes!("AccountingToken", accounting_token, AccountingToken),
    text!("ApplIdentityData", application_identity_data),
    number!("PutApplType", put_application_type, |field: &PutApplicationType| field.code(), |value| Ok(
        PutApplicationType(value)
    )),
    text!("PutApplName", put_application_name),
    text!("PutDate", put_date),
    text!("PutTime", put_time),
    text!("ApplOriginData", application_origin_data),
    bytes!("GroupId", group_id, GroupId),
    number!("MsgSeqNumber", message_sequence_number, |field: &i32| *field, Ok),
    number!("Offset", offset, |field: &i32| *field, Ok),
    number!("MsgFlags", message_flags, |field: &MessageFlags| field.bits(), |value| {
        Ok(MessageFlags::from_bits(value))
    }),
    number!("OriginalLength", original_length, |field: &i32| *field, Ok),
];

impl DescriptorField {
    /// The field a full name such as `Root.MQMD.Priority` stands for; names are case-sensitive.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let field = name.strip_prefix(PREFIX)?;
        ROWS.iter().position(|row| row.name == field).map(|index| Self(index as u8))
    }

    /// Every field.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len()).map(|index| Self(index as u8))
    }

    /// The full name.
    #[must_use]
    pub fn name(self) -> String {
        format!("{PREFIX}{}", self.row().name)
    }

    /// Its type as a property.
    #[must_use]
    pub fn kind(self) -> PropertyType {
        match self.row().access {
            Access::Number(..) => PropertyType::Int32,
            Access::Text(..) => PropertyType::Text,
            Access::Bytes(..) => PropertyType::Bytes,
        }
    }

    /// Its value as a selector compares it; texts without the padding of the structure.
    #[must_use]
    pub fn view(self, descriptor: &MessageDescriptor) -> View<'_> {
        match self.row().access {
            Access::Number(read, _) => View::Exact(i64::from(read(descriptor))),
            Access::Text(read, _) => View::Text(Cow::Borrowed(read(descriptor))),
            Access::Bytes(read, _) => View::Bytes(Cow::Borrowed(read(descriptor))),
        }
    }

    /// Its value as a property.
    #[must_use]
    pub fn value(self, descriptor: &MessageDescriptor) -> PropertyValue {
        match self.row().access {
            Access::Number(read, _) => PropertyValue::Int32(read(descriptor)),
            Access::Text(read, _) => PropertyValue::Text(read(descriptor).to_owned()),
            Access::Bytes(read, _) => PropertyValue::Bytes(Bytes::copy_from_slice(read(descriptor))),
        }
    }

    /// Sets the field.
    ///
    /// # Errors
    /// `MQRC_PROPERTY_TYPE_ERROR` for a value of another type, `MQRC_PROPERTY_VALUE_TOO_BIG` for a text
    /// longer than the field and bytes of another length, or the reason a put would give for the number.
    pub fn set(self, descriptor: &mut MessageDescriptor, value: &PropertyValue) -> Result<(), Reason> {
        match (&self.row().access, value) {
            (Access::Number(_, write), PropertyValue::Int32(number)) => write(descriptor, *number),
            (Access::Text(_, write), PropertyValue::Text(text)) => fitting(write(descriptor, text)),
            (Access::Bytes(_, write), PropertyValue::Bytes(bytes)) => fitting(write(descriptor, bytes)),
            _ => Err(Reason::PROPERTY_TYPE_ERROR),
        }
    }

    fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }
}

fn fitting(fits: bool) -> Result<(), Reason> {
    if fits { Ok(()) } else { Err(Reason::PROPERTY_VALUE_TOO_BIG) }
}

#[cfg(test)]
mod tests {
    use super::{DescriptorField, PREFIX};
    use crate::properties::{PropertyType, PropertyValue, View};
    use crate::{MessageDescriptor, Priority, Reason, constants};

    #[test]
    fn every_field_of_the_structure_has_a_name_and_a_type() {
        let table = include_str!("../../facts/mqi_defaults.csv");
        let fields = table.lines().filter_map(|line| line.strip_prefix("MQMD_DEFAULT,MQMD,"));
        let mut seen = 0;
        for (field, kind) in fields.map(|line| {
            let mut columns = line.split(',');
            (columns.next().unwrap(), columns.next().unwrap())
        }) {
            if matches!(field, "StrucId" | "Version") {
                continue;
            }
            seen += 1;
            let found = DescriptorField::by_name(&format!("{PREFIX}{field}")).expect(field);
            let expected = match kind {
                "MQLONG" => PropertyType::Int32,
                kind if kind.starts_with("MQCHAR") => PropertyType::Text,
                _ => PropertyType::Bytes,
            };
            assert_eq!(found.kind(), expected, "{field}");
        }
        assert_eq!(seen, DescriptorField::all().count());
    }

    #[test]
    fn a_field_reads_as_it_was_set() {
        let mut descriptor = MessageDescriptor::default();
        let before = descriptor.clone();
        for field in DescriptorField::all() {
            let value = field.value(&descriptor);
            field.set(&mut descriptor, &value).expect("a field takes its own value");
        }
        assert_eq!(descriptor, before);
        let priority = DescriptorField::by_name("Root.MQMD.Priority").unwrap();
        assert_eq!(priority.set(&mut descriptor, &PropertyValue::Int32(7)), Ok(()));
        assert_eq!(descriptor.priority, Priority::new(7));
        assert_eq!(priority.view(&descriptor), View::Exact(7));
        assert_eq!(priority.set(&mut descriptor, &PropertyValue::Int64(7)), Err(Reason::PROPERTY_TYPE_ERROR));
        assert_eq!(priority.set(&mut descriptor, &PropertyValue::Int32(-9)), Err(Reason::PRIORITY_ERROR));
        assert_eq!(DescriptorField::by_name("Root.MQMD.priority"), None);
        assert_eq!(descriptor.expiry.code(), constants::MQEI_UNLIMITED);
    }
}
