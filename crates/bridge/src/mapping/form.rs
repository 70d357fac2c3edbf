//! Foreign systems by what a message can carry there, and the names of their destinations.
//!
//! Always: a name that the system reads as a pattern, or that has a meaning of its own there, is no
//! destination.

use crate::refusal::{DeadReason, Refusal};
use crate::system::System;

/// A form of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Records of Kafka: headers of bytes.
    Kafka,
    /// Messages of NATS: headers of text in one line.
    Nats,
    /// Messages of AMQP 0-9-1: headers with types.
    RabbitMq,
    /// Messages of AMQP 1.0: application properties with types.
    Amqp,
}

/// The value of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderKind {
    Bytes,
    /// Text of one line.
    Line,
    Typed,
}

/// Resolution of the time of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resolution {
    None,
    Seconds,
    Milliseconds,
}

/// Properties of a form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub(super) headers: HeaderKind,
    pub(super) has_identifiers: bool,
    /// True where identifiers are bytes.
    pub(super) is_binary_identifier: bool,
    pub(super) has_reply_to: bool,
    pub(super) has_durability: bool,
    pub(super) has_priority: bool,
    /// Longest time to live, in milliseconds; none where the system has none.
    pub(super) lifetime_max: Option<u64>,
    pub(super) created: Resolution,
    pub(super) has_content_type: bool,
    pub(super) has_key: bool,
    /// Longest name of a header, in bytes.
    pub(super) name_bytes_max: usize,
    /// Beginning of names that have a meaning to the system, in any case.
    pub(super) reserved: &'static str,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Kafka, Self::Nats, Self::RabbitMq, Self::Amqp];

    /// The form of a system; none for FerryMQ, which takes messages as they are.
    #[must_use]
    pub const fn of(system: System) -> Option<Self> {
        match system {
            System::Ferry => None,
            System::Kafka => Some(Self::Kafka),
            System::NatsAtomic | System::Nats => Some(Self::Nats),
            System::RabbitMqStream | System::RabbitMqQueue => Some(Self::RabbitMq),
            System::AmqpTransactions | System::Amqp => Some(Self::Amqp),
        }
    }

    pub(super) const fn traits(self) -> Traits {
        const NONE: Traits = Traits {
            headers: HeaderKind::Typed,
            has_identifiers: false,
            is_binary_identifier: false,
            has_reply_to: false,
            has_durability: false,
            has_priority: false,
            lifetime_max: None,
            created: Resolution::None,
            has_content_type: false,
            has_key: false,
            name_bytes_max: 4_095,
            reserved: "ferry-",
        };
        match self {
            Self::Kafka => Traits {
                headers: HeaderKind::Bytes,
                created: Resolution::Milliseconds,
                has_key: true,
                ..NONE
            },
            Self::Nats => Traits { headers: HeaderKind::Line, reserved: "nats-", ..NONE },
            Self::RabbitMq => Traits {
                has_identifiers: true,
                has_reply_to: true,
                has_durability: true,
                has_priority: true,
                lifetime_max: Some(u32::MAX as u64),
                created: Resolution::Seconds,
                has_content_type: true,
                name_bytes_max: 255,
                reserved: "x-",
                ..NONE
            },
            Self::Amqp => Traits {
                has_identifiers: true,
                is_binary_identifier: true,
                has_reply_to: true,
                has_durability: true,
                has_priority: true,
                lifetime_max: Some(u32::MAX as u64),
                created: Resolution::Milliseconds,
                has_content_type: true,
                reserved: "jms",
                ..NONE
            },
        }
    }

    /// Judges the name of a destination: a topic, a subject, an address, or `exchange/key`.
    ///
    /// # Errors
    /// A permanent refusal with 2085 that says what is wrong with the name.
    pub fn judge_destination(self, name: &str) -> Result<(), Refusal> {
        let fault = match self {
            Self::Kafka => kafka_fault(name),
            Self::Nats => nats_fault(name),
            Self::RabbitMq => rabbit_mq_fault(name),
            Self::Amqp => amqp_fault(name),
        };
        fault.map_or(Ok(()), |fault| {
            let shown: String = name.chars().take(64).flat_map(char::escape_debug).collect();
            let text = format!(
                "\"{shown}\" is no destination: {fault}; correct the name in the remote queue or in FOREIGN"
            );
            Err(Refusal::permanent(DeadReason::UNKNOWN_DESTINATION, text))
        })
    }
}

fn kafka_fault(name: &str) -> Option<&'static str> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    match name {
        "" | "." | ".." => Some("a topic has a name other than . and .."),
        _ if name.len() > 249 => Some("a topic has at most 249 characters"),
        _ if !name.bytes().all(is_allowed) => {
            Some("a topic has letters, digits, points, underscores and hyphens")
        }
        _ => None,
    }
}

fn nats_fault(name: &str) -> Option<&'static str> {
    let is_pattern = |token: &str| token.contains('*') || token.contains('>');
    if name.len() > 255 {
        return Some("it has more than 255 bytes");
    }
    if name.chars().any(|character| character.is_whitespace() || character.is_control()) {
        return Some("a subject has no blanks and no control characters");
    }
    if name.starts_with('$') {
        return Some("subjects that begin with $ are the system's own");
    }
    name.split('.').find_map(|token| match token {
        "" => Some("a part of the subject is empty"),
        token if is_pattern(token) => Some("* and > are for subscribers"),
        _ => None,
    })
}

fn rabbit_mq_fault(name: &str) -> Option<&'static str> {
    let (exchange, key) = name.split_once('/').unwrap_or(("", name));
    if exchange.len() > 255 || key.len() > 255 {
        return Some("an exchange and a key have at most 255 bytes each");
    }
    if name.is_empty() || name.chars().any(char::is_control) {
        return Some("it is empty, or has control characters");
    }
    let is_pattern = key.split('.').any(|word| matches!(word, "*" | "#"));
    is_pattern.then_some("* and # are for bindings")
}

fn amqp_fault(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.len() > 1_024 {
        return Some("an address has 1 to 1,024 bytes");
    }
    if name.chars().any(|character| character.is_whitespace() || character.is_control()) {
        return Some("an address has no blanks and no control characters");
    }
    let is_pattern = name.split(['.', '/']).any(|word| matches!(word, "*" | "#" | ">"));
    is_pattern.then_some("*, # and > are for subscribers")
}
