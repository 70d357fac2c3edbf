//! The ends of a link: a source, a target, or the coordinator of transactions.

use crate::error::DecodeError;
use crate::performative::composites;
use crate::types::field::{Fields, Raw, Symbol, Symbols};
use crate::types::read::described_list;
use crate::types::value::Descriptor;

#[cfg(test)]
mod tests;

composites! {
    /// A source of messages.
    Source 0x28 "amqp:source:list" {
        /// Its address.
        address: may &'a str,
        /// Says what of it lasts: 0 nothing, 1 that it is there, 2 the state of deliveries too.
        durable: or u32 = 0,
        /// Says when it begins to expire.
        expiry_policy: or Symbol<'a> = Symbol("session-end"),
        /// Seconds until it expires from then on.
        timeout: or u32 = 0,
        /// Says whether it is to be made.
        dynamic: or bool = false,
        /// Properties of the node that is to be made.
        dynamic_node_properties: may Fields<'a>,
        /// Says whether messages are moved from it or copied.
        distribution_mode: may Symbol<'a>,
        /// The messages that are wanted.
        filter: may Fields<'a>,
        /// The outcome of deliveries that are left without one.
        default_outcome: raw Raw<'a>,
        /// Outcomes that deliveries may have.
        outcomes: may Symbols<'a>,
        /// Extensions.
        capabilities: may Symbols<'a>,
    }
    /// A target of messages.
    Target 0x29 "amqp:target:list" {
        /// Its address.
        address: may &'a str,
        /// Says what of it lasts.
        durable: or u32 = 0,
        /// Says when it begins to expire.
        expiry_policy: or Symbol<'a> = Symbol("session-end"),
        /// Seconds until it expires from then on.
        timeout: or u32 = 0,
        /// Says whether it is to be made.
        dynamic: or bool = false,
        /// Properties of the node that is to be made.
        dynamic_node_properties: may Fields<'a>,
        /// Extensions.
        capabilities: may Symbols<'a>,
    }
    /// The coordinator of transactions.
    Coordinator 0x30 "amqp:coordinator:list" {
        /// Ways of transactions that are wanted.
        capabilities: may Symbols<'a>,
    }
}

/// The end of a link to which messages go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetEnd<'a> {
    /// A node.
    Node(Target<'a>),
    /// The coordinator.
    Coordinator(Coordinator<'a>),
}

impl<'a> TargetEnd<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// When it is none that there is, or has a fault.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let (descriptor, items, _) = described_list(bytes)?;
        match descriptor {
            Descriptor::Code(Target::CODE) | Descriptor::Name(Target::SYMBOL) => {
                Target::of(items).map(Self::Node)
            }
            Descriptor::Code(Coordinator::CODE) | Descriptor::Name(Coordinator::SYMBOL) => {
                Coordinator::of(items).map(Self::Coordinator)
            }
            _ => Err(DecodeError::Unexpected),
        }
    }
}

impl<'a> Source<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// When it is none, or has a fault.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let (descriptor, items, _) = described_list(bytes)?;
        match descriptor {
            Descriptor::Code(Self::CODE) | Descriptor::Name(Self::SYMBOL) => Self::of(items),
            _ => Err(DecodeError::Unexpected),
        }
    }
}
