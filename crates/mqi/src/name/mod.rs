//! Names of queues and other objects, and of queue managers.
//!
//! Always: at most 48 characters out of `A-Z a-z 0-9 . _ / %`, kept inline; a blank name means "not given".

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::Text;

/// Most characters in a name.
pub const LENGTH_MAX: usize = crate::constants::MQ_OBJECT_NAME_LENGTH;

/// True if a character may appear in a name.
#[must_use]
pub const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'/' | b'%')
}

/// Why a text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text is longer than a name can be.
    #[error("the name \"{name}\" has {length} characters where at most {LENGTH_MAX} are allowed")]
    TooLong {
        /// The name given.
        name: String,
        /// Its length.
        length: usize,
    },
    /// A character is not allowed in a name.
    #[error(
        "the name \"{name}\" has {character:?} at position {position}; names are made of A-Z a-z 0-9 . _ / %"
    )]
    Character {
        /// The name given.
        name: String,
        /// The character in the way.
        character: char,
        /// Where it stands, counted from 1.
        position: usize,
    },
}

/// Defines a kind of name; all kinds share one form and differ in what they name.
macro_rules! name {
    ($(#[$meta:meta])* $kind:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $kind {
            length: u8,
            bytes: [u8; LENGTH_MAX],
        }

        impl $kind {
            /// No name.
            pub const BLANK: Self = Self { length: 0, bytes: [0; LENGTH_MAX] };
            /// Most characters in a name.
            pub const LENGTH_MAX: usize = LENGTH_MAX;

            /// Takes a field as C programs fill it: up to the first NUL or the width, trailing blanks
            /// dropped.
            ///
            /// # Errors
            /// When what remains is not a name.
            pub fn from_padded(field: &[u8]) -> Result<Self, NameError> {
                // Most fields are left as they are declared.
                if field.first().is_none_or(|byte| *byte == 0) {
                    return Ok(Self::BLANK);
                }
                let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
                match std::str::from_utf8(&field[..end]) {
                    Ok(text) => text.parse(),
                    Err(_) => String::from_utf8_lossy(&field[..end]).parse(),
                }
            }

            /// Takes bytes that are a name without padding; none when they are not.
            #[must_use]
            pub fn exact(name: &[u8]) -> Option<Self> {
                let mut bytes = [0; LENGTH_MAX];
                bytes.get_mut(..name.len())?.copy_from_slice(name);
                // Over the whole field, whose width the compiler knows: what stands behind the name is not
                // counted.
                let allowed: u8 = bytes.iter().map(|byte| u8::from(is_name_byte(*byte))).sum();
                (usize::from(allowed) == name.len()).then_some(Self { length: allowed, bytes })
            }

            /// The field as C programs expect it: full width, padded with blanks.
            #[must_use]
            pub fn to_padded(&self) -> [u8; LENGTH_MAX] {
                let mut field = [b' '; LENGTH_MAX];
                field[..usize::from(self.length)].copy_from_slice(self.as_bytes());
                field
            }

            /// The name without padding.
            #[must_use]
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(self.as_bytes()).unwrap_or_default()
            }

            /// The name's bytes without padding.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8] {
                &self.bytes[..usize::from(self.length)]
            }

            /// True if no name was given.
            #[must_use]
            pub const fn is_blank(&self) -> bool {
                self.length == 0
            }
        }

        impl FromStr for $kind {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                let checked = checked(text)?;
                let mut bytes = [0; LENGTH_MAX];
                bytes[..checked.len()].copy_from_slice(checked);
                Ok(Self { length: checked.len() as u8, bytes })
            }
        }

        impl TryFrom<&str> for $kind {
            type Error = NameError;

            fn try_from(text: &str) -> Result<Self, NameError> {
                text.parse()
            }
        }

        impl From<$kind> for Text<LENGTH_MAX> {
            fn from(name: $kind) -> Self {
                // Every character of a name may be in a text, and none of them is a blank.
                Self::exact(name.as_bytes()).unwrap_or_default()
            }
        }

        impl TryFrom<Text<LENGTH_MAX>> for $kind {
            type Error = NameError;

            fn try_from(text: Text<LENGTH_MAX>) -> Result<Self, NameError> {
                text.as_str().parse()
            }
        }

        impl Default for $kind {
            fn default() -> Self {
                Self::BLANK
            }
        }

        impl PartialEq<str> for $kind {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $kind {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl PartialOrd for $kind {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $kind {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.as_bytes().cmp(other.as_bytes())
            }
        }

        impl Hash for $kind {
            /// As the `str` hashes, so that a map can be asked with one.
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }

        impl Borrow<str> for $kind {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl AsRef<str> for $kind {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl fmt::Debug for $kind {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), formatter)
            }
        }
    };
}

name! {
    /// The name of a queue or of another object a queue manager keeps.
    ObjectName
}
name! {
    /// The name of a queue manager, or an alias of one.
    QueueManagerName
}

impl From<QueueManagerName> for ObjectName {
    /// Queue managers are objects too: a transmission queue bears the name of the one it leads to.
    fn from(name: QueueManagerName) -> Self {
        Self { length: name.length, bytes: name.bytes }
    }
}

impl From<ObjectName> for QueueManagerName {
    /// An alias of a queue manager is defined under an object name.
    fn from(name: ObjectName) -> Self {
        Self { length: name.length, bytes: name.bytes }
    }
}

/// The bytes of a name without trailing blanks, once they are known to be one.
fn checked(text: &str) -> Result<&[u8], NameError> {
    let name = text.trim_end_matches(' ');
    if let Some((index, character)) = name
        .chars()
        .enumerate()
        .find(|(_, character)| !character.is_ascii() || !is_name_byte(*character as u8))
    {
        return Err(NameError::Character { name: name.to_owned(), character, position: index + 1 });
    }
    if name.len() > LENGTH_MAX {
        return Err(NameError::TooLong { name: name.to_owned(), length: name.len() });
    }
    Ok(name.as_bytes())
}

#[cfg(test)]
mod tests;
