//! Values from bytes that are walked over, and fields from bytes that are checked as they are read.

use wire::Fields;

use super::bounds::MAP_PAIRS_MAX;
use super::codes::{self, ARRAY_1, ARRAY_4, DESCRIBED, LIST_0, LIST_1, LIST_4, MAP_1, MAP_4, NULL};
use super::scalar::{descriptor, element_constructor, scalar, size_and_count};
use super::value::{Descriptor, Entries, Items, Value};
use super::walk::walk;
use crate::error::DecodeError;

impl<'a> Items<'a> {
    /// The next value, and its bytes.
    pub(crate) fn next_with_bytes(&mut self) -> Option<(Value<'a>, &'a [u8])> {
        self.left = self.left.checked_sub(1)?;
        let mut rest = Fields::of(self.rest);
        let read = match self.element {
            Some(code) => value(&mut rest, code),
            None => next_value(&mut rest),
        };
        let own = &self.rest[..self.rest.len() - rest.ahead().len()];
        self.rest = rest.rest();
        // What was walked over reads; of anything else nothing more does.
        if read.is_err() {
            self.left = 0;
        }
        Some((read.ok()?, own))
    }

    /// The next value of a list that was not walked over, and its bytes. A value that is made of others is
    /// walked over first; any other is checked as it is read.
    #[inline]
    pub(crate) fn next_checked(&mut self) -> Result<(Value<'a>, &'a [u8]), DecodeError> {
        let left = self.left.checked_sub(1).ok_or(DecodeError::Cut)?;
        let (value, behind) = one(self.rest)?;
        let own = &self.rest[..self.rest.len() - behind.len()];
        (self.rest, self.left) = (behind, left);
        Ok((value, own))
    }

    /// Says whether there is no next value, or nothing as one, which is passed over. Most fields are so, and
    /// cost no more than this.
    #[inline]
    pub(crate) fn pass_nothing(&mut self) -> bool {
        match (self.left.checked_sub(1), self.rest) {
            (None, _) => true,
            (Some(left), [NULL, behind @ ..]) => {
                (self.rest, self.left) = (behind, left);
                true
            }
            _ => false,
        }
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        self.next_with_bytes().map(|(value, _)| value)
    }
}

impl<'a> Entries<'a> {
    /// The value of a key that is a text.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.into_iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// The pairs, each with its bytes.
    pub fn with_bytes(mut self) -> impl Iterator<Item = (Value<'a>, Value<'a>, &'a [u8])> {
        std::iter::from_fn(move || {
            let before = self.bytes();
            let (key, value) = self.next()?;
            Some((key, value, &before[..before.len() - self.bytes().len()]))
        })
    }

    /// Checks that no key is there twice, for which all are held at once.
    ///
    /// # Errors
    /// When one is, or there are too many.
    pub fn check_keys(&self) -> Result<(), DecodeError> {
        if self.len() > MAP_PAIRS_MAX {
            return Err(DecodeError::Pairs);
        }
        let mut keys: Vec<Key<'a>> = self.with_bytes().map(|(key, _, pair)| Key::of(&key, pair)).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) { Err(DecodeError::KeyTwice) } else { Ok(()) }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Value<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?, self.0.next()?))
    }
}

/// A key of a map, to compare: numbers of one type are equal however they are encoded, and values that are
/// made of others if their bytes are.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Text(&'a str),
    Number(u8, i128),
    Bytes(u8, &'a [u8]),
}

impl<'a> Key<'a> {
    /// The key at the front of the bytes of its pair.
    fn of(value: &Value<'a>, pair: &'a [u8]) -> Self {
        let tag = match value {
            Value::Ubyte(_) => 1,
            Value::Ushort(_) => 2,
            Value::Uint(_) => 3,
            Value::Ulong(_) => 4,
            Value::Byte(_) => 5,
            Value::Short(_) => 6,
            Value::Int(_) => 7,
            Value::Long(_) => 8,
            Value::Boolean(_) => 9,
            Value::Timestamp(_) => 10,
            _ => 0,
        };
        match *value {
            Value::String(text) => Self::Text(text),
            Value::Symbol(text) => Self::Bytes(1, text.as_bytes()),
            Value::Binary(bytes) => Self::Bytes(2, bytes),
            Value::Boolean(is) => Self::Number(tag, is.into()),
            Value::Timestamp(at) => Self::Number(tag, at.into()),
            _ => match value.integer() {
                Some(number) => Self::Number(tag, number),
                None => Self::Bytes(3, walk(pair).map_or(pair, |length| &pair[..length])),
            },
        }
    }
}

/// Reads the value at the front of `bytes`, all of which is walked over; the bytes behind it.
///
/// # Errors
/// The fault of the bytes.
#[inline]
pub fn one(bytes: &[u8]) -> Result<(Value<'_>, &[u8]), DecodeError> {
    let mut rest = Fields::of(bytes);
    let code = rest.u8("constructor")?;
    if codes::has_parts(code) {
        let length = walk(bytes)?;
        let (own, behind) = bytes.split_at(length);
        return Ok((next_value(&mut Fields::of(own))?, behind));
    }
    // Reading a value that is made of no others checks all of it.
    let value = scalar(&mut rest, code)?;
    Ok((value, rest.rest()))
}

/// Reads the descriptor and the list of fields at the front of `bytes`; the bytes behind them. The fields
/// are not walked over: they are checked one by one as they are read.
pub(crate) fn described_list(bytes: &[u8]) -> Result<(Descriptor<'_>, Items<'_>, &[u8]), DecodeError> {
    let mut rest = Fields::of(bytes);
    let descriptor = announced(&mut rest)?;
    let (items, behind) = list(rest.ahead())?;
    Ok((descriptor, items, behind))
}

/// Reads the list at the front of `bytes`, whose values are not walked over; the bytes behind it.
pub(crate) fn list(bytes: &[u8]) -> Result<(Items<'_>, &[u8]), DecodeError> {
    let mut rest = Fields::of(bytes);
    match rest.u8("constructor")? {
        code @ (LIST_1 | LIST_4) => {
            let (size, left) = size_and_count(&mut rest, code)?;
            let items = Items { rest: rest.take(size, "values")?, left, element: None };
            // A value has at least its constructor.
            if left as usize > size { Err(DecodeError::Size) } else { Ok((items, rest.rest())) }
        }
        LIST_0 => Ok((Items::EMPTY, rest.rest())),
        _ => Err(DecodeError::Unexpected),
    }
}

/// Reads the descriptor at the front of `bytes`, of which the rest may be missing.
pub(crate) fn descriptor_ahead(bytes: &[u8]) -> Result<Descriptor<'_>, DecodeError> {
    announced(&mut Fields::of(bytes))
}

fn announced<'a>(rest: &mut Fields<'a>) -> Result<Descriptor<'a>, DecodeError> {
    if rest.u8("constructor")? != DESCRIBED {
        return Err(DecodeError::Unexpected);
    }
    descriptor(rest)
}

/// Passes over the value at the front of `bytes`; its bytes, and those behind it.
///
/// # Errors
/// The fault of the bytes.
pub fn pass_over(bytes: &[u8]) -> Result<(&[u8], &[u8]), DecodeError> {
    Ok(bytes.split_at(walk(bytes)?))
}

/// The next value of bytes that were walked over.
pub(crate) fn next_value<'a>(rest: &mut Fields<'a>) -> Result<Value<'a>, DecodeError> {
    let code = rest.u8("constructor")?;
    value(rest, code)
}

fn value<'a>(rest: &mut Fields<'a>, code: u8) -> Result<Value<'a>, DecodeError> {
    match code {
        DESCRIBED => {
            let descriptor = descriptor(rest)?;
            let (own, behind) = pass_over(rest.ahead())?;
            *rest = Fields::of(behind);
            Ok(Value::Described(descriptor, own))
        }
        LIST_1 | LIST_4 | MAP_1 | MAP_4 => {
            let (size, left) = size_and_count(rest, code)?;
            let items = Items { rest: rest.take(size, "values")?, left, element: None };
            Ok(match code {
                LIST_1 | LIST_4 => Value::List(items),
                _ => Value::Map(Entries(items)),
            })
        }
        ARRAY_1 | ARRAY_4 => {
            let (size, left) = size_and_count(rest, code)?;
            let mut own = Fields::of(rest.take(size, "elements")?);
            let element = Some(element_constructor(&mut own)?);
            Ok(Value::Array(Items { rest: own.rest(), left, element }))
        }
        _ => scalar(rest, code),
    }
}
