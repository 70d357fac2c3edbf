//! The content of a bag: values with their selectors.

use crate::layout::MQHBAG;
use bytes::Bytes;
use mqi::Reason;
use mqi::constants::*;
use std::ops::RangeInclusive;

/// A text, and the character set its bytes are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Characters {
    pub(crate) bytes: Bytes,
    pub(crate) ccsid: i32,
}

/// Comparison of a filter: an `MQCFOP_` value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operator(i32);

/// Operators for numbers and bytes; texts have patterns besides.
const COMPARISONS: [i32; 8] = [
    MQCFOP_LESS,
    MQCFOP_EQUAL,
    MQCFOP_GREATER,
    MQCFOP_NOT_LESS,
    MQCFOP_NOT_EQUAL,
    MQCFOP_NOT_GREATER,
    MQCFOP_CONTAINS,
    MQCFOP_EXCLUDES,
];
const PATTERNS: [i32; 4] = [MQCFOP_LIKE, MQCFOP_NOT_LIKE, MQCFOP_CONTAINS_GEN, MQCFOP_EXCLUDES_GEN];

impl Operator {
    /// One that compares numbers or bytes.
    ///
    /// # Errors
    /// `MQRC_FILTER_OPERATOR_ERROR`.
    pub(crate) fn of_values(code: i32) -> Result<Self, Reason> {
        COMPARISONS.contains(&code).then_some(Self(code)).ok_or(Reason::FILTER_OPERATOR_ERROR)
    }

    /// One that compares texts.
    ///
    /// # Errors
    /// `MQRC_FILTER_OPERATOR_ERROR`.
    pub(crate) fn of_texts(code: i32) -> Result<Self, Reason> {
        if PATTERNS.contains(&code) { Ok(Self(code)) } else { Self::of_values(code) }
    }

    /// Makes the operator of a message, without a check of its meaning.
    pub(super) fn as_sent(code: i32) -> Self {
        Self(code)
    }

    pub(crate) fn code(self) -> i32 {
        self.0
    }
}

/// A value of a bag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Integer(i32),
    Integer64(i64),
    Text(Characters),
    Bytes(Bytes),
    IntegerFilter(Operator, i32),
    TextFilter(Operator, Characters),
    BytesFilter(Operator, Bytes),
    /// Another bag, by its handle.
    Bag(MQHBAG),
}

impl Value {
    /// An `MQITEM_` value.
    pub(crate) fn kind(&self) -> i32 {
        match self {
            Self::Integer(_) => MQITEM_INTEGER,
            Self::Integer64(_) => MQITEM_INTEGER64,
            Self::Text(_) => MQITEM_STRING,
            Self::Bytes(_) => MQITEM_BYTE_STRING,
            Self::IntegerFilter(..) => MQITEM_INTEGER_FILTER,
            Self::TextFilter(..) => MQITEM_STRING_FILTER,
            Self::BytesFilter(..) => MQITEM_BYTE_STRING_FILTER,
            Self::Bag(_) => MQITEM_BAG,
        }
    }

    /// The selectors that a value of this kind can have where selectors are checked.
    pub(super) fn selectors(&self) -> RangeInclusive<i32> {
        match self {
            Self::Integer(_) | Self::Integer64(_) | Self::IntegerFilter(..) => MQIA_FIRST..=MQIA_LAST,
            Self::Text(_) | Self::TextFilter(..) => MQCA_FIRST..=MQCA_LAST,
            Self::Bytes(_) | Self::BytesFilter(..) => MQBA_FIRST..=MQBA_LAST,
            Self::Bag(_) => MQGA_FIRST..=MQGA_LAST,
        }
    }
}

/// A value with its selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) selector: i32,
    pub(crate) value: Value,
}
