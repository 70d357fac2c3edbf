//! Attributes of objects as the inquire call names and returns them.

use crate::{Text, constants};
use std::fmt;

/// Names an attribute: an `MQIA_` number for an integer, an `MQCA_` number for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selector(pub i32);

impl Selector {
    /// True if the attribute is an integer.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self.0, constants::MQIA_FIRST..=constants::MQIA_LAST)
    }

    /// True if the attribute is a text.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self.0, constants::MQCA_FIRST..=constants::MQCA_LAST)
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// A number.
    Integer(i32),
    /// A text, without padding.
    Text(String),
}

impl From<i32> for AttributeValue {
    fn from(value: i32) -> Self {
        Self::Integer(value)
    }
}

impl From<&str> for AttributeValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl<const N: usize> From<Text<N>> for AttributeValue {
    fn from(value: Text<N>) -> Self {
        Self::Text(value.as_str().to_owned())
    }
}

impl fmt::Display for AttributeValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(formatter),
            Self::Text(value) => formatter.write_str(value),
        }
    }
}
