//! States of deliveries.

use crate::error::DecodeError;
use crate::error_field::ErrorField;
use crate::performative::composites;
use crate::types::field::Raw;
use crate::types::read::described_list;
use crate::types::value::{Descriptor, Value};
use crate::types::write::{Composite, put_binary, put_boolean};

/// The descriptor of an accepted delivery.
pub const ACCEPTED: u64 = 0x24;

/// The descriptor of a rejected delivery.
pub const REJECTED: u64 = 0x25;

/// The descriptor of a released delivery.
pub const RELEASED: u64 = 0x26;

/// The descriptor of what a declared transaction is called.
const DECLARED: u64 = 0x33;

/// The symbols of the outcomes that a source here may have.
pub const OUTCOMES: &[&str] =
    &["amqp:accepted:list", "amqp:rejected:list", "amqp:released:list", "amqp:modified:list"];

composites! {
    /// Says how much of a delivery has come.
    Received 0x23 "amqp:received:list" {
        /// The section.
        section_number: must u32,
        /// The byte in it.
        section_offset: must u64,
        /// Nothing more.
        none: raw Raw<'a>,
    }
    /// The message was not taken for what it is.
    Rejected 0x25 "amqp:rejected:list" {
        /// Why.
        error: raw Raw<'a>,
    }
    /// The message was not handled, and may be different next time.
    Modified 0x27 "amqp:modified:list" {
        /// Says whether the delivery counts as failed.
        delivery_failed: or bool = false,
        /// Says whether the message must not come by this link again.
        undeliverable_here: or bool = false,
        /// Annotations of the message from now on.
        message_annotations: raw Raw<'a>,
    }
    /// The state of a delivery within a transaction.
    Transactional 0x34 "amqp:transactional-state:list" {
        /// The transaction.
        txn_id: must &'a [u8],
        /// The outcome that it has when that is committed.
        outcome: raw Raw<'a>,
    }
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DeliveryState<'a> {
    /// Some of it has come.
    Received(Received<'a>),
    /// The message is taken.
    Accepted,
    /// The message was not taken for what it is.
    Rejected(Rejected<'a>),
    /// The message was not handled.
    Released,
    /// The message was not handled, and may be different next time.
    Modified(Modified<'a>),
    /// Part of a transaction.
    Transactional(Transactional<'a>),
}

impl<'a> DeliveryState<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// When it is none that there is, or has a fault.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let (descriptor, items, _) = described_list(bytes)?;
        Ok(match descriptor {
            Descriptor::Code(Received::CODE) | Descriptor::Name(Received::SYMBOL) => {
                Self::Received(Received::of(items)?)
            }
            Descriptor::Code(ACCEPTED) | Descriptor::Name("amqp:accepted:list") => Self::Accepted,
            Descriptor::Code(Rejected::CODE) | Descriptor::Name(Rejected::SYMBOL) => {
                Self::Rejected(Rejected::of(items)?)
            }
            Descriptor::Code(RELEASED) | Descriptor::Name("amqp:released:list") => Self::Released,
            Descriptor::Code(Modified::CODE) | Descriptor::Name(Modified::SYMBOL) => {
                Self::Modified(Modified::of(items)?)
            }
            Descriptor::Code(Transactional::CODE) | Descriptor::Name(Transactional::SYMBOL) => {
                Self::Transactional(Transactional::of(items)?)
            }
            _ => return Err(DecodeError::Unexpected),
        })
    }
}

/// Appends the state of an accepted delivery.
#[inline]
pub fn put_accepted(out: &mut Vec<u8>) {
    Composite::begin(out, ACCEPTED).end();
}

/// Appends the state of a delivery whose message was not handled.
pub fn put_released(out: &mut Vec<u8>) {
    Composite::begin(out, RELEASED).end();
}

/// Appends the state of a rejected delivery.
pub fn put_rejected(out: &mut Vec<u8>, error: &ErrorField) {
    let mut fields = Composite::begin(out, REJECTED);
    fields.put(|out| error.write(out));
    fields.end();
}

/// Appends the state of a rejected delivery whose receiver knows the reason.
pub fn put_rejected_alone(out: &mut Vec<u8>) {
    Composite::begin(out, REJECTED).end();
}

/// Appends the outcome of a delivery that counts as failed.
pub fn put_modified_failed(out: &mut Vec<u8>) {
    let mut fields = Composite::begin(out, Modified::CODE);
    fields.put(|out| put_boolean(out, true));
    fields.end();
}

/// Appends the state of a message that declared a transaction.
pub fn put_declared(out: &mut Vec<u8>, txn_id: &[u8]) {
    let mut fields = Composite::begin(out, DECLARED);
    fields.put(|out| put_binary(out, txn_id));
    fields.end();
}

/// Appends a state within a transaction.
pub fn put_transactional(out: &mut Vec<u8>, txn_id: &[u8], outcome: impl FnOnce(&mut Vec<u8>)) {
    let mut fields = Composite::begin(out, Transactional::CODE);
    fields.put(|out| put_binary(out, txn_id));
    fields.put(outcome);
    fields.end();
}

/// The condition and the words of an error that came.
#[must_use]
pub fn error_text(error: Raw<'_>) -> (&str, &str) {
    let Ok((_, mut items, _)) = described_list(error.0) else { return ("", "") };
    let mut next = || items.next().as_ref().and_then(Value::text).unwrap_or_default();
    (next(), next())
}
