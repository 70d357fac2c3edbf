//! Messages of both sides, and the bounds of both directions.

use bytes::Bytes;
use formats::properties::Property;
use mqi::MessageDescriptor;
use mqi::properties::PropertyValue;

/// Most headers of a message, in either direction.
pub const HEADERS_MAX: usize = 1_000;

/// Most bytes of the value of a header that goes out.
pub const VALUE_BYTES_MAX: usize = 64 * 1024;

/// Most bridges that a message may pass: a longer way is a circle.
pub const HOPS_MAX: u8 = 64;

/// A message of the interface.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The descriptor, which describes the body.
    pub descriptor: MessageDescriptor,
    /// Properties, without those of the bridge itself.
    pub properties: Vec<Property>,
    /// The body behind the properties.
    pub body: Bytes,
    /// The bridge's own notes on the message.
    pub trail: Trail,
}

/// Notes of a bridge on a message between two foreign systems, kept in properties of the folder `ferry`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// Bridges that the message passed.
    pub hops: u8,
    /// The key by which a foreign system chose a partition.
    pub key: Option<Bytes>,
    /// True if the foreign message had no value at all: a tombstone of Kafka.
    pub is_null: bool,
    /// The address for an answer, where it is longer than the descriptor takes.
    pub reply_to: Option<String>,
}

/// A message of a foreign system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignMessage {
    /// The key that chooses a partition or a part of the subject.
    pub key: Option<Bytes>,
    /// The body; none for a tombstone.
    pub body: Option<Bytes>,
    /// Headers, in their order.
    pub headers: Vec<Header>,
    /// Fields of its own.
    pub native: NativeFields,
}

/// A header.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its value: text or bytes where the system has nothing else.
    pub value: PropertyValue,
}

/// An identifier of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identifier {
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Bytes),
}

/// Native fields. One that the system has not is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeFields {
    /// The identifier of the message.
    pub message_id: Option<Identifier>,
    /// The identifier of the message that this one belongs to.
    pub correlation_id: Option<Identifier>,
    /// The address for an answer.
    pub reply_to: Option<String>,
    /// True if it outlives a restart.
    pub is_durable: Option<bool>,
    /// The priority.
    pub priority: Option<u8>,
    /// Milliseconds for which it lives; at or below zero it is expired.
    pub lifetime: Option<i64>,
    /// Milliseconds from 1970 to its creation.
    pub created: Option<i64>,
    /// The type of the body.
    pub content_type: Option<String>,
}
