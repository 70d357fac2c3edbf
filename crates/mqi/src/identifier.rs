//! Identifiers a message carries: fixed runs of bytes in which all zeros means "none".

use std::fmt;

/// Defines an identifier of a fixed number of bytes.
macro_rules! identifier {
    ($(#[$meta:meta])* $name:ident, $length:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $length]);

        impl $name {
            /// Length in bytes.
            pub const LENGTH: usize = $length;
            /// All zeros: no identifier.
            pub const NONE: Self = Self([0; $length]);

            /// Takes the bytes as they are.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; $length]) -> Self {
                Self(bytes)
            }

            /// The bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $length] {
                &self.0
            }

            /// True if this is the identifier that names nothing.
            #[must_use]
            pub fn is_none(&self) -> bool {
                *self == Self::NONE
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::NONE
            }
        }

        impl From<[u8; $length]> for $name {
            fn from(bytes: [u8; $length]) -> Self {
                Self(bytes)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(&self.0, formatter)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hex(&self.0, formatter)
            }
        }

        impl std::str::FromStr for $name {
            type Err = HexError;

            fn from_str(text: &str) -> Result<Self, HexError> {
                let mut bytes = [0; $length];
                read_hex(text, &mut bytes)?;
                Ok(Self(bytes))
            }
        }
    };
}

identifier! {
    /// Tells one message from every other.
    MessageId, 24
}
identifier! {
    /// Ties a message to another, most often a reply to its request.
    CorrelationId, 24
}
identifier! {
    /// The group or logical message a message is part of.
    GroupId, 24
}
identifier! {
    /// Account that is charged for the work a message causes.
    AccountingToken, 32
}
identifier! {
    /// Where one particular message sits on one particular queue.
    MessageToken, 16
}

impl From<MessageId> for CorrelationId {
    /// Correlates a reply with the identifier of its request.
    fn from(identifier: MessageId) -> Self {
        Self(identifier.0)
    }
}

impl From<CorrelationId> for MessageId {
    fn from(identifier: CorrelationId) -> Self {
        Self(identifier.0)
    }
}

/// Why a text is not an identifier in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HexError {
    /// The text has too few or too many digits.
    #[error("{found} hexadecimal digits given where {expected} are needed")]
    Length {
        /// Digits the identifier has.
        expected: usize,
        /// Digits that were given.
        found: usize,
    },
    /// A character is not a hexadecimal digit.
    #[error("'{character}' is not a hexadecimal digit")]
    Digit {
        /// The character in the way.
        character: char,
    },
}

fn write_hex(bytes: &[u8], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for byte in bytes {
        write!(formatter, "{byte:02X}")?;
    }
    Ok(())
}

fn read_hex(text: &str, bytes: &mut [u8]) -> Result<(), HexError> {
    let found = text.chars().count();
    if found != bytes.len() * 2 {
        return Err(HexError::Length { expected: bytes.len() * 2, found });
    }
    for (index, character) in text.chars().enumerate() {
        let digit = character.to_digit(16).ok_or(HexError::Digit { character })?;
        bytes[index / 2] = bytes[index / 2] << 4 | digit as u8;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{CorrelationId, HexError, MessageId};

    #[test]
    fn an_identifier_reads_back_from_what_it_prints() {
        let mut bytes = [0; 24];
        bytes[0] = 0xAB;
        bytes[23] = 7;
        let identifier = MessageId::from_bytes(bytes);
        assert_eq!(identifier.to_string(), format!("AB{}07", "00".repeat(22)));
        assert_eq!(identifier.to_string().parse(), Ok(identifier));
        assert_eq!(CorrelationId::from(identifier).as_bytes(), identifier.as_bytes());
        assert!(MessageId::NONE.is_none() && !identifier.is_none());
    }

    #[test]
    fn a_text_that_is_not_hexadecimal_is_refused_by_name() {
        assert_eq!("AB".parse::<MessageId>(), Err(HexError::Length { expected: 48, found: 2 }));
        assert_eq!("é".repeat(48).parse::<MessageId>(), Err(HexError::Digit { character: 'é' }));
    }
}
