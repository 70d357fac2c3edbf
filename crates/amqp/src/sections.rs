//! The sections of a message, found in one pass.
//!
//! ```text
//! header | delivery-annotations | message-annotations | properties | application-properties | body | footer
//!                                 '------------------- the bare message -------------------'
//! body: data …  or  amqp-sequence …  or  amqp-value  or nothing
//! ```
//!
//! Always: every byte of a message belongs to one section; all of it was checked: fields as they were read,
//! all else by a walk.

use wire::Fields as Bytes;

use crate::error::DecodeError;
use crate::performative::composites;
use crate::types::field::{Raw, Symbol, Timestamp};
use crate::types::read::{list, next_value, one};
use crate::types::scalar::descriptor;
use crate::types::value::{Descriptor, Entries, Value};

composites! {
    /// The header of a message: facts for its carriers.
    Header 0x70 "amqp:header:list" {
        /// Says whether it is to outlast a failure.
        durable: or bool = false,
        /// Its priority.
        priority: or u8 = 4,
        /// Milliseconds that it lives.
        ttl: may u32,
        /// True if it was not delivered to any client before.
        first_acquirer: or bool = false,
        /// Times that it was delivered in vain.
        delivery_count: or u32 = 0,
        /// Nothing more.
        none: raw Raw<'a>,
    }
    /// The properties of a message.
    Properties 0x73 "amqp:properties:list" {
        /// Its identifier.
        message_id: raw Raw<'a>,
        /// The user that made it.
        user_id: may &'a [u8],
        /// The address it is for.
        to: may &'a str,
        /// Its subject.
        subject: may &'a str,
        /// The address for an answer.
        reply_to: may &'a str,
        /// The identifier of what it belongs to.
        correlation_id: raw Raw<'a>,
        /// The type of its content.
        content_type: may Symbol<'a>,
        /// The encoding of its content.
        content_encoding: may Symbol<'a>,
        /// When it expires.
        absolute_expiry_time: may Timestamp,
        /// When it was made.
        creation_time: may Timestamp,
        /// The group it belongs to.
        group_id: may &'a str,
        /// Its place there.
        group_sequence: may u32,
        /// The group for an answer.
        reply_to_group_id: may &'a str,
    }
}

const DELIVERY_ANNOTATIONS: u64 = 0x71;
const MESSAGE_ANNOTATIONS: u64 = 0x72;
const APPLICATION_PROPERTIES: u64 = 0x74;

/// The descriptor of a section of a body that is bytes.
pub const DATA: u64 = 0x75;

/// The descriptor of a section of a body that is a list.
pub const SEQUENCE: u64 = 0x76;

/// The descriptor of a body that is a value.
pub const VALUE: u64 = 0x77;

const FOOTER: u64 = 0x78;

/// The names of the sections, from the header's descriptor on.
const NAMES: [&str; 9] = [
    Header::SYMBOL,
    "amqp:delivery-annotations:map",
    "amqp:message-annotations:map",
    Properties::SYMBOL,
    "amqp:application-properties:map",
    "amqp:data:binary",
    "amqp:amqp-sequence:list",
    "amqp:amqp-value:*",
    "amqp:footer:map",
];

/// The kind of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// No body.
    #[default]
    None,
    /// Bytes, in one section or several.
    Data,
    /// Lists, in one section or several.
    Sequence,
    /// A value.
    Value,
}

/// The sections of a message, each as its bytes with its descriptor; empty where it is not there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sections<'a> {
    /// The header.
    pub header: &'a [u8],
    /// Annotations for the next hop.
    pub delivery_annotations: &'a [u8],
    /// Annotations of the message.
    pub message_annotations: &'a [u8],
    /// Properties.
    pub properties: &'a [u8],
    /// Properties of the application.
    pub application_properties: &'a [u8],
    /// The sections of the body.
    pub body: &'a [u8],
    /// The kind of the body.
    pub body_kind: BodyKind,
    /// The footer.
    pub footer: &'a [u8],
    header_fields: Header<'a>,
    property_fields: Properties<'a>,
}

/// A section of a body: what stands before its content, and that. Of a text the content is its characters, of
/// another value its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The bytes before the content.
    pub head: &'a [u8],
    /// The content.
    pub content: &'a [u8],
    /// Says whether the content is the characters of a text.
    pub is_text: bool,
}

impl<'a> Sections<'a> {
    /// Finds the sections of a message.
    ///
    /// # Errors
    /// The fault of the bytes: an encoding, the order of sections, a body of two kinds, a key that is there
    /// twice.
    pub fn of(message: &'a [u8]) -> Result<Self, DecodeError> {
        let mut sections = Self::default();
        let mut rest = message;
        let mut last = 0;
        while !rest.is_empty() {
            let (code, head) = head_of(rest)?;
            let (content, behind) = content_of(code, &rest[head..])?;
            let own = &rest[..rest.len() - behind.len()];
            rest = behind;
            let is_body = (DATA..=VALUE).contains(&code);
            if is_body && (DATA..=VALUE).contains(&last) {
                if code != last {
                    return Err(DecodeError::BodyKinds);
                }
                if code == VALUE {
                    return Err(DecodeError::SectionOrder);
                }
                let begin = message.len() - behind.len() - own.len() - sections.body.len();
                sections.body = &message[begin..message.len() - behind.len()];
                continue;
            }
            if code <= last {
                return Err(DecodeError::SectionOrder);
            }
            last = code;
            sections.note(code, own, content)?;
        }
        Ok(sections)
    }

    fn note(&mut self, code: u64, own: &'a [u8], content: Value<'a>) -> Result<(), DecodeError> {
        match (code, content) {
            (Header::CODE, Value::List(items)) => {
                self.header_fields = Header::of(items)?;
                self.header = own;
            }
            (Properties::CODE, Value::List(items)) => {
                self.property_fields = Properties::of(items)?;
                self.properties = own;
            }
            (DELIVERY_ANNOTATIONS, Value::Map(entries)) => {
                entries.check_keys()?;
                self.delivery_annotations = own;
            }
            (MESSAGE_ANNOTATIONS, Value::Map(entries)) => {
                entries.check_keys()?;
                self.message_annotations = own;
            }
            (APPLICATION_PROPERTIES, Value::Map(entries)) => {
                entries.check_keys()?;
                self.application_properties = own;
            }
            (FOOTER, Value::Map(entries)) => {
                entries.check_keys()?;
                self.footer = own;
            }
            (DATA, Value::Binary(_)) => (self.body, self.body_kind) = (own, BodyKind::Data),
            (SEQUENCE, Value::List(_)) => (self.body, self.body_kind) = (own, BodyKind::Sequence),
            (VALUE, value) => {
                if let Value::Map(entries) = value {
                    entries.check_keys()?;
                }
                (self.body, self.body_kind) = (own, BodyKind::Value);
            }
            _ => return Err(DecodeError::Unexpected),
        }
        Ok(())
    }

    /// The header; that of a message without one has the defaults.
    #[must_use]
    pub fn header(&self) -> &Header<'a> {
        &self.header_fields
    }

    /// The properties.
    #[must_use]
    pub fn properties(&self) -> &Properties<'a> {
        &self.property_fields
    }

    /// The annotations of the message.
    #[must_use]
    pub fn message_annotations(&self) -> Entries<'a> {
        map_of(self.message_annotations)
    }

    /// The properties of the application.
    #[must_use]
    pub fn application_properties(&self) -> Entries<'a> {
        map_of(self.application_properties)
    }

    /// The sections of the body.
    #[must_use]
    pub fn parts(&self) -> Parts<'a> {
        Parts(self.body)
    }
}

/// The sections of a body, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a>(&'a [u8]);

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let (code, head) = section_head(self.0)?;
        let mut rest = Bytes::of(&self.0[head..]);
        let content = next_value(&mut rest).ok()?;
        let (own, behind) = self.0.split_at(self.0.len() - rest.ahead().len());
        self.0 = behind;
        let (content, is_text) = match content {
            Value::Binary(bytes) if code == DATA => (bytes, false),
            Value::String(text) => (text.as_bytes(), true),
            _ => (&own[head..], false),
        };
        let head = &own[..own.len() - content.len()];
        Some(Part { head, content, is_text })
    }
}

/// The number of the section at the front of the bytes, and the length of the descriptor that says it; none
/// where no section begins there.
#[must_use]
pub fn section_head(bytes: &[u8]) -> Option<(u64, usize)> {
    head_of(bytes).ok()
}

fn head_of(bytes: &[u8]) -> Result<(u64, usize), DecodeError> {
    let mut rest = Bytes::of(bytes);
    if rest.u8("constructor")? != 0 {
        return Err(DecodeError::Unexpected);
    }
    let code = match descriptor(&mut rest)? {
        Descriptor::Code(code) => code,
        Descriptor::Name(name) => {
            let place = NAMES.iter().position(|known| *known == name).ok_or(DecodeError::Unexpected)?;
            Header::CODE + place as u64
        }
    };
    if (Header::CODE..=FOOTER).contains(&code) {
        Ok((code, bytes.len() - rest.ahead().len()))
    } else {
        Err(DecodeError::Unexpected)
    }
}

/// The content of a section, and the bytes behind it. Fields are checked as they are read; all else is walked
/// over here.
fn content_of(code: u64, bytes: &[u8]) -> Result<(Value<'_>, &[u8]), DecodeError> {
    match code {
        Header::CODE | Properties::CODE => list(bytes).map(|(items, behind)| (Value::List(items), behind)),
        _ => one(bytes),
    }
}

/// The value of bytes that were walked over.
fn walked(bytes: &[u8]) -> Result<Value<'_>, DecodeError> {
    next_value(&mut Bytes::of(bytes))
}

fn map_of(section: &[u8]) -> Entries<'_> {
    match head_of(section).and_then(|(_, head)| walked(&section[head..])) {
        Ok(Value::Map(entries)) => entries,
        _ => Entries::EMPTY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::write::{put_binary, put_descriptor, put_list, put_map, put_string, put_uint};

    fn section(out: &mut Vec<u8>, code: u64, content: impl FnOnce(&mut Vec<u8>)) {
        put_descriptor(out, code);
        content(out);
    }

    /// Sections of these numbers, each with a content that fits it.
    fn message(codes: &[u64]) -> Vec<u8> {
        let mut out = Vec::new();
        for code in codes {
            section(&mut out, *code, |out| match *code {
                DATA => put_binary(out, b"bytes"),
                SEQUENCE => put_list(out, 1, |out| put_uint(out, 7)),
                VALUE => put_string(out, "text"),
                Header::CODE | Properties::CODE => put_list(out, 0, |_| ()),
                _ => put_map(out, 0, |_| ()),
            });
        }
        out
    }

    #[test]
    fn sections_are_found_in_their_order() {
        let bytes = message(&[0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x75, 0x78]);
        let sections = Sections::of(&bytes).unwrap();
        assert_eq!(sections.body_kind, BodyKind::Data);
        let parts: Vec<_> = sections.parts().collect();
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|part| part.content == b"bytes" && part.head == [0, 0x53, 0x75, 0xA0, 5]));
        let all = [
            sections.header,
            sections.delivery_annotations,
            sections.message_annotations,
            sections.properties,
            sections.application_properties,
            sections.body,
            sections.footer,
        ]
        .concat();
        assert_eq!(all, bytes, "every byte belongs to one section");
    }

    #[test]
    fn a_text_is_told_from_other_values() {
        let bytes = message(&[VALUE]);
        let part = Sections::of(&bytes).unwrap().parts().next().unwrap();
        assert_eq!((part.content, part.is_text), (&b"text"[..], true));
        let mut bytes = Vec::new();
        section(&mut bytes, VALUE, |out| put_uint(out, 7));
        let part = Sections::of(&bytes).unwrap().parts().next().unwrap();
        assert_eq!((part.content, part.is_text), (&[0x52, 7][..], false));
    }

    #[test]
    fn sections_out_of_order_and_bodies_of_two_kinds_are_refused() {
        for (codes, error) in [
            (&[0x73, 0x72][..], DecodeError::SectionOrder),
            (&[0x70, 0x70], DecodeError::SectionOrder),
            (&[0x75, 0x73], DecodeError::SectionOrder),
            (&[0x78, 0x75], DecodeError::SectionOrder),
            (&[0x77, 0x77], DecodeError::SectionOrder),
            (&[0x75, 0x77], DecodeError::BodyKinds),
            (&[0x76, 0x75], DecodeError::BodyKinds),
            (&[0x79], DecodeError::Unexpected),
        ] {
            assert_eq!(Sections::of(&message(codes)).err(), Some(error), "{codes:02x?}");
        }
        assert!(Sections::of(&message(&[0x76, 0x76])).is_ok());
        assert!(Sections::of(&[]).is_ok(), "a message may be empty");
    }

    #[test]
    fn a_property_of_another_type_is_refused() {
        let mut bytes = Vec::new();
        section(&mut bytes, Properties::CODE, |out| {
            put_list(out, 2, |out| {
                put_uint(out, 1);
                put_string(out, "the user is binary");
            });
        });
        assert_eq!(Sections::of(&bytes).err(), Some(DecodeError::Field("user_id")));
    }
}
