//! Requests to the coordinator of transactions: each is the value of a message.

use crate::error::DecodeError;
use crate::performative::composites;
use crate::sections::{BodyKind, Sections};
use crate::types::field::Raw;
use crate::types::read::described_list;
use crate::types::value::Descriptor;

composites! {
    /// Begins a transaction.
    Declare 0x31 "amqp:declare:list" {
        /// The name of a transaction that spans several resources.
        global_id: raw Raw<'a>,
    }
    /// Ends a transaction.
    Discharge 0x32 "amqp:discharge:list" {
        /// The transaction.
        txn_id: must &'a [u8],
        /// Says whether it is to be backed out.
        fail: or bool = false,
    }
}

/// A request to the coordinator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request<'a> {
    /// Begin a transaction.
    Declare(Declare<'a>),
    /// End one.
    Discharge(Discharge<'a>),
}

impl<'a> Request<'a> {
    /// Reads the message that it is.
    ///
    /// # Errors
    /// When it is none, or has a fault.
    pub fn decode(message: &'a [u8]) -> Result<Self, DecodeError> {
        let sections = Sections::of(message)?;
        let part = sections.parts().next().filter(|_| sections.body_kind == BodyKind::Value);
        let (descriptor, items, _) = described_list(part.ok_or(DecodeError::Unexpected)?.content)?;
        match descriptor {
            Descriptor::Code(Declare::CODE) | Descriptor::Name(Declare::SYMBOL) => {
                Declare::of(items).map(Self::Declare)
            }
            Descriptor::Code(Discharge::CODE) | Descriptor::Name(Discharge::SYMBOL) => {
                Discharge::of(items).map(Self::Discharge)
            }
            _ => Err(DecodeError::Unexpected),
        }
    }
}
