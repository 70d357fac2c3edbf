//! The values of a definition, as bytes: in the form in which they are stored.
//!
//! There may be 100,000 definitions, of which few are looked at, so they are kept small and read when they
//! are asked. Lives elsewhere: bytes that may be wrong (`encoding`), the values that exist (the attribute
//! tables).
//!
//! Always: ascending by number, each once.

use std::ops::Range;

use crate::attributes::Number;
use crate::value::Value;

pub(super) const TAG_INTEGER: u8 = 1;
pub(super) const TAG_TEXT: u8 = 2;
pub(super) const TAG_INTEGERS: u8 = 3;
pub(super) const TAG_TEXTS: u8 = 4;

/// The number of an attribute and a tag are before each value.
const HEAD: usize = 3;

/// The values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values(Box<[u8]>);

impl Values {
    /// The values in these bytes, which were found to be right.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The bytes they are kept as.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of values.
    pub(super) fn count(&self) -> usize {
        self.places().count()
    }

    /// The value of an attribute.
    pub(super) fn get(&self, number: Number) -> Option<Value> {
        self.find(number).ok().map(|place| value(&self.0[place]))
    }

    /// The text of an attribute; none when it has none.
    pub(super) fn text(&self, number: Number) -> Option<&str> {
        let bytes = &self.0[self.find(number).ok()?];
        (bytes[HEAD - 1] == TAG_TEXT).then(|| text_at(bytes, HEAD))
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Number, Value)> {
        self.places().map(|(number, place)| (number, value(&self.0[place])))
    }

    /// Gives an attribute a value.
    pub(super) fn set(&mut self, number: Number, value: Value) {
        let place = self.find(number).unwrap_or_else(|place| place..place);
        self.splice(place, &written(number, value));
    }

    /// Takes the value of an attribute away.
    pub(super) fn remove(&mut self, number: Number) {
        if let Ok(place) = self.find(number) {
            self.splice(place, &[]);
        }
    }

    fn splice(&mut self, place: Range<usize>, by: &[u8]) {
        self.0 = [&self.0[..place.start], by, &self.0[place.end..]].concat().into_boxed_slice();
    }

    /// Where the value of an attribute is, or would be.
    fn find(&self, wanted: Number) -> Result<Range<usize>, usize> {
        for (number, place) in self.places() {
            if number >= wanted {
                return if number == wanted { Ok(place) } else { Err(place.start) };
            }
        }
        Err(self.0.len())
    }

    fn places(&self) -> impl Iterator<Item = (Number, Range<usize>)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let bytes = self.0.get(next..).filter(|bytes| !bytes.is_empty())?;
            let place = next..next + length(bytes);
            next = place.end;
            Some((Number(u16_at(bytes, 0)), place))
        })
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn text_at(bytes: &[u8], at: usize) -> &str {
    let text = &bytes[at + 2..at + 2 + usize::from(u16_at(bytes, at))];
    std::str::from_utf8(text).expect("a text was written")
}

/// Returns the bytes of the first of these values.
fn length(bytes: &[u8]) -> usize {
    let count = || usize::from(u16_at(bytes, HEAD));
    match bytes[HEAD - 1] {
        TAG_INTEGER => HEAD + 4,
        TAG_TEXT => HEAD + 2 + count(),
        TAG_INTEGERS => HEAD + 2 + 4 * count(),
        _ => (0..count()).fold(HEAD + 2, |at, _| at + 2 + usize::from(u16_at(bytes, at))),
    }
}

/// Returns the value in these bytes.
fn value(bytes: &[u8]) -> Value {
    let integer = |at: &[u8]| i32::from_le_bytes(at.try_into().expect("four bytes are a number"));
    match bytes[HEAD - 1] {
        TAG_INTEGER => Value::Integer(integer(&bytes[HEAD..])),
        TAG_TEXT => Value::Text(text_at(bytes, HEAD).into()),
        TAG_INTEGERS => Value::Integers(bytes[HEAD + 2..].chunks_exact(4).map(integer).collect()),
        _ => {
            let mut at = HEAD + 2;
            let mut next = || {
                let text = text_at(bytes, at);
                at += 2 + text.len();
                text.into()
            };
            Value::Texts((0..u16_at(bytes, HEAD)).map(|_| next()).collect())
        }
    }
}

/// A value as its bytes.
fn written(number: Number, value: Value) -> Vec<u8> {
    let mut bytes = number.0.to_le_bytes().to_vec();
    match value {
        Value::Integer(value) => {
            bytes.push(TAG_INTEGER);
            bytes.extend(value.to_le_bytes());
        }
        Value::Text(text) => {
            bytes.push(TAG_TEXT);
            push_text(&text, &mut bytes);
        }
        Value::Integers(numbers) => {
            bytes.push(TAG_INTEGERS);
            bytes.extend(bounded_u16(numbers.len()).to_le_bytes());
            numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        Value::Texts(texts) => {
            bytes.push(TAG_TEXTS);
            bytes.extend(bounded_u16(texts.len()).to_le_bytes());
            texts.iter().for_each(|text| push_text(text, &mut bytes));
        }
    }
    bytes
}

fn push_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend(bounded_u16(text.len()).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn bounded_u16(length: usize) -> u16 {
    u16::try_from(length).expect("texts and lists are bounded by their rows")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i32>().prop_map(Value::Integer),
            ".{0,9}".prop_map(|text| Value::Text(text.into())),
            proptest::collection::vec(any::<i32>(), 0..4).prop_map(|numbers| Value::Integers(numbers.into())),
            proptest::collection::vec(".{0,5}", 0..4)
                .prop_map(|texts| Value::Texts(texts.into_iter().map(Into::into).collect())),
        ]
    }

    proptest! {
        #[test]
        fn values_are_those_of_a_map(changes in proptest::collection::vec((0_u16..9, proptest::option::of(any_value())), 0..40)) {
            let (mut values, mut map) = (Values::default(), BTreeMap::new());
            for (number, change) in changes {
                match change {
                    Some(value) => {
                        values.set(Number(number), value.clone());
                        map.insert(Number(number), value);
                    }
                    None => {
                        values.remove(Number(number));
                        map.remove(&Number(number));
                    }
                }
                prop_assert_eq!(values.get(Number(number)), map.get(&Number(number)).cloned());
                let text = map.get(&Number(number)).and_then(Value::as_text);
                prop_assert_eq!(values.text(Number(number)), text);
                prop_assert_eq!(values.count(), map.len());
                prop_assert_eq!(values.iter().collect::<BTreeMap<_, _>>(), map.clone());
                prop_assert!(values.iter().map(|(number, _)| number).is_sorted());
            }
        }
    }
}
