//! The names of JMS that the interface knows: each stands for a field of the descriptor, a property of a folder, or
//! what the two make together.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::identifier;
use super::value::{PropertyType, PropertyValue, View};
use crate::message_descriptor::put_milliseconds;
use crate::{MessageDescriptor, Persistence};

/// A name of JMS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Synonym {
    /// `JMSCorrelationID`: `jms.Cid`, otherwise the correlation identifier.
    CorrelationId,
    /// `JMSDeliveryMode`: whether the message is persistent.
    DeliveryMode,
    /// `JMSDestination`: `jms.Dst`.
    Destination,
    /// `JMSExpiration`: `jms.Exp`, otherwise zero.
    Expiration,
    /// `JMSMessageID`: the message identifier.
    MessageId,
    /// `JMSPriority`: the priority.
    Priority,
    /// `JMSRedelivered`: whether the message was backed out before.
    Redelivered,
    /// `JMSReplyTo`: `jms.Rto`, otherwise the reply queue as a URI.
    ReplyTo,
    /// `JMSTimestamp`: when the message was put, in milliseconds since 1970.
    Timestamp,
    /// `JMSType`: `mcd.Type`, with `mcd.Set` and `mcd.Fmt` where they are given.
    Type,
    /// `JMSXAppID`: the program that put the message.
    ApplicationId,
    /// `JMSXDeliveryCount`: which delivery this is, from 1.
    DeliveryCount,
    /// `JMSXGroupID`: `jms.Gid`, otherwise the group identifier.
    GroupId,
    /// `JMSXGroupSeq`: `jms.Seq`, otherwise the place in the group.
    GroupSequence,
    /// `JMSXUserID`: the user who caused the message.
    UserId,
}

/// Name, meaning, type, and the property a program sets by that name where it may.
const ROWS: &[(&str, Synonym, PropertyType, Option<&str>)] = &[
    ("JMSCorrelationID", Synonym::CorrelationId, PropertyType::Text, Some("jms.Cid")),
    ("JMSDeliveryMode", Synonym::DeliveryMode, PropertyType::Int32, None),
    ("JMSDestination", Synonym::Destination, PropertyType::Text, None),
    ("JMSExpiration", Synonym::Expiration, PropertyType::Int64, None),
    ("JMSMessageID", Synonym::MessageId, PropertyType::Text, None),
    ("JMSPriority", Synonym::Priority, PropertyType::Int32, None),
    ("JMSRedelivered", Synonym::Redelivered, PropertyType::Boolean, None),
    ("JMSReplyTo", Synonym::ReplyTo, PropertyType::Text, Some("jms.Rto")),
    ("JMSTimestamp", Synonym::Timestamp, PropertyType::Int64, None),
    ("JMSType", Synonym::Type, PropertyType::Text, Some("mcd.Type")),
    ("JMSXAppID", Synonym::ApplicationId, PropertyType::Text, None),
    ("JMSXDeliveryCount", Synonym::DeliveryCount, PropertyType::Int32, None),
    ("JMSXGroupID", Synonym::GroupId, PropertyType::Text, Some("jms.Gid")),
    ("JMSXGroupSeq", Synonym::GroupSequence, PropertyType::Int32, Some("jms.Seq")),
    ("JMSXUserID", Synonym::UserId, PropertyType::Text, None),
];

/// Properties of folders that are known by a name of JMS.
const OF_FOLDERS: &[(&str, Synonym)] = &[
    ("jms.Cid", Synonym::CorrelationId),
    ("jms.Dlv", Synonym::DeliveryMode),
    ("jms.Dst", Synonym::Destination),
    ("jms.Exp", Synonym::Expiration),
    ("jms.Gid", Synonym::GroupId),
    ("jms.Pri", Synonym::Priority),
    ("jms.Rto", Synonym::ReplyTo),
    ("jms.Seq", Synonym::GroupSequence),
    ("jms.Tms", Synonym::Timestamp),
    ("mcd.Type", Synonym::Type),
];

/// Asks for a property of a folder by its full name.
pub type Lookup<'a, 'b> = &'b dyn Fn(&str) -> Option<&'a PropertyValue>;

impl Synonym {
    /// Finds the meaning of a name; names are case-sensitive.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    /// The name of JMS by which a property of a folder is known, if it is known by one.
    #[must_use]
    pub fn of_property(full: &str) -> Option<Self> {
        OF_FOLDERS.iter().find(|row| row.0 == full).map(|row| row.1)
    }

    /// The name in JMS.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its type as a property.
    #[must_use]
    pub fn kind(self) -> PropertyType {
        self.row().2
    }

    /// The property that is set when a program sets this name; none for what only the queue manager sets.
    #[must_use]
    pub fn settable_as(self) -> Option<&'static str> {
        self.row().3
    }

    /// Says whether its text may be that of 24 bytes, which other texts name as well.
    #[must_use]
    pub fn is_identifier(self) -> bool {
        matches!(self, Self::CorrelationId | Self::MessageId | Self::GroupId)
    }

    /// Its value as a selector compares it; a message that says nothing about it has none.
    #[must_use]
    pub fn view<'a>(self, descriptor: &'a MessageDescriptor, property: Lookup<'a, '_>) -> View<'a> {
        let of_folder = |name: &str| property(name).map(PropertyValue::view);
        let text = |text: &'a str| if text.is_empty() { View::Null } else { View::Text(Cow::Borrowed(text)) };
        match self {
            Self::CorrelationId => {
                of_folder("jms.Cid").unwrap_or_else(|| of_bytes(descriptor.correlation_id.as_bytes()))
            }
            Self::DeliveryMode => View::Text(Cow::Borrowed(match descriptor.persistence {
                Persistence::Persistent => "PERSISTENT",
                Persistence::NotPersistent | Persistence::AsQueueDefault => "NON_PERSISTENT",
            })),
            Self::Destination => of_folder("jms.Dst").unwrap_or(View::Null),
            Self::Expiration => of_folder("jms.Exp").unwrap_or(View::Exact(0)),
            Self::MessageId => of_bytes(descriptor.message_id.as_bytes()),
            Self::Priority => View::Exact(i64::from(descriptor.priority.code())),
            Self::Redelivered => View::Boolean(descriptor.backout_count > 0),
            Self::ReplyTo => of_folder("jms.Rto").unwrap_or_else(|| reply_to(descriptor)),
            Self::Timestamp => of_folder("jms.Tms").unwrap_or_else(|| {
                put_milliseconds(descriptor.put_date.as_bytes(), descriptor.put_time.as_bytes())
                    .map_or(View::Null, View::Exact)
            }),
            Self::Type => message_type(property),
            Self::ApplicationId => text(descriptor.put_application_name.as_str()),
            Self::DeliveryCount => View::Exact(i64::from(descriptor.backout_count) + 1),
            Self::GroupId => of_folder("jms.Gid").unwrap_or_else(|| of_bytes(descriptor.group_id.as_bytes())),
            Self::GroupSequence => of_folder("jms.Seq")
                .unwrap_or_else(|| View::Exact(i64::from(descriptor.message_sequence_number))),
            Self::UserId => text(descriptor.user_identifier.as_str()),
        }
    }

    /// Its value as a property; `None` where the message says nothing about it.
    #[must_use]
    pub fn value<'a>(
        self,
        descriptor: &'a MessageDescriptor,
        property: Lookup<'a, '_>,
    ) -> Option<PropertyValue> {
        if self == Self::DeliveryMode {
            let is_persistent = descriptor.persistence == Persistence::Persistent;
            return Some(PropertyValue::Int32(if is_persistent { 2 } else { 1 }));
        }
        match (self.view(descriptor, property), self.kind()) {
            (View::Null, _) => None,
            (View::Boolean(value), _) => Some(PropertyValue::Boolean(value)),
            (View::Exact(number), PropertyType::Int32) => {
                i32::try_from(number).ok().map(PropertyValue::Int32)
            }
            (View::Exact(number), _) => Some(PropertyValue::Int64(number)),
            (View::Approximate(number), _) => Some(PropertyValue::Float64(number)),
            (View::Text(text), _) => Some(PropertyValue::Text(text.into_owned())),
            (View::Bytes(bytes), _) => Some(PropertyValue::Bytes(bytes.into_owned().into())),
        }
    }

    fn row(self) -> &'static (&'static str, Self, PropertyType, Option<&'static str>) {
        ROWS.iter().find(|row| row.1 == self).expect("every name of JMS has a row")
    }
}

/// The text of an identifier; none of one that is not set.
fn of_bytes(bytes: &[u8; 24]) -> View<'static> {
    if bytes.iter().all(|byte| *byte == 0) {
        return View::Null;
    }
    View::Text(Cow::Owned(identifier::text_of(bytes)))
}

fn reply_to(descriptor: &MessageDescriptor) -> View<'static> {
    if descriptor.reply_to_queue.is_blank() {
        return View::Null;
    }
    View::Text(Cow::Owned(format!(
        "queue://{}/{}",
        descriptor.reply_to_queue_manager.as_str(),
        descriptor.reply_to_queue.as_str()
    )))
}

fn message_type<'a>(property: Lookup<'a, '_>) -> View<'a> {
    let Some(kind) = property("mcd.Type") else { return View::Null };
    match (property("mcd.Set"), property("mcd.Fmt")) {
        (None, None) => kind.view(),
        (set, format) => {
            let set = set.map(PropertyValue::written).unwrap_or_default();
            let mut text = format!("mcd:///{set}/{}", kind.written());
            if let Some(format) = format {
                let _ = write!(text, "?format={}", format.written());
            }
            View::Text(Cow::Owned(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Synonym;
    use crate::properties::{PropertyValue, View};
    use crate::{CorrelationId, MessageDescriptor};

    #[test]
    fn a_property_of_the_folder_stands_before_the_descriptor() {
        let descriptor =
            MessageDescriptor { correlation_id: CorrelationId::from_bytes([0xAB; 24]), ..Default::default() };
        let of_descriptor = Synonym::CorrelationId.view(&descriptor, &|_| None);
        assert_eq!(of_descriptor, View::Text(format!("ID:{}", "ab".repeat(24)).into()));
        let own = PropertyValue::Text("mine".to_owned());
        let of_folder = Synonym::CorrelationId.view(&descriptor, &|name| (name == "jms.Cid").then_some(&own));
        assert_eq!(of_folder, View::Text("mine".into()));
        assert_eq!(Synonym::Type.view(&descriptor, &|_| None), View::Null);
        assert_eq!(Synonym::DeliveryMode.value(&descriptor, &|_| None), Some(PropertyValue::Int32(1)));
    }

    #[test]
    fn every_name_leads_back_to_itself() {
        for (name, synonym, ..) in super::ROWS {
            assert_eq!(Synonym::by_name(name), Some(*synonym));
            assert_eq!(synonym.name(), *name);
        }
        for (full, synonym) in super::OF_FOLDERS {
            assert_eq!(Synonym::of_property(full), Some(*synonym));
        }
        for settable in super::ROWS.iter().filter_map(|row| row.3) {
            assert!(Synonym::of_property(settable).is_some(), "{settable}");
        }
        assert_eq!(Synonym::by_name("jmsPriority"), None);
    }
}
