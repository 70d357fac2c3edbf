//! Values of headers and values of properties, and the header that says the types of all.
//!
//! ```text
//! ferry-types: usr.size=i4;usr.raw=bytes;usr.note=line
//! ferry-property-1: usr.odd-name;1;0;22;i4;7          name; support; context; copy options; type; value
//! ```
//!
//! Always: a type that is named and does not fit its value is left aside, and the value is what it is
//! without.

use bytes::Bytes;
use formats::properties::Property;
use mqi::properties::{CopyOptions, PropertyDescriptor, PropertyType, PropertyValue};

use super::form::HeaderKind;

/// Words for types. The type of text without a word of its own is `string`.
const WORDS: [(&str, PropertyType); 10] = [
    ("string", PropertyType::Text),
    ("boolean", PropertyType::Boolean),
    ("bytes", PropertyType::Bytes),
    ("i1", PropertyType::Int8),
    ("i2", PropertyType::Int16),
    ("i4", PropertyType::Int32),
    ("i8", PropertyType::Int64),
    ("r4", PropertyType::Float32),
    ("r8", PropertyType::Float64),
    ("null", PropertyType::Null),
];

/// The word for text that has its control characters and outer blanks as `%` and two digits.
const LINE: &str = "line";

fn word(kind: PropertyType) -> &'static str {
    WORDS.iter().find(|(_, known)| *known == kind).map_or("string", |row| row.0)
}

fn kind(word: &str) -> Option<PropertyType> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
}

/// A value as a header, and the word for its type where the header does not say it.
pub(super) fn to_header(value: &PropertyValue, headers: HeaderKind) -> (PropertyValue, Option<&'static str>) {
    match (headers, value) {
        (HeaderKind::Typed, _) => (value.clone(), None),
        (HeaderKind::Bytes, PropertyValue::Text(text)) => (of_text(text), None),
        (HeaderKind::Bytes, PropertyValue::Null) => (PropertyValue::Null, None),
        // Bytes that are text by chance need the word.
        (HeaderKind::Bytes, PropertyValue::Bytes(bytes)) => {
            let is_text = std::str::from_utf8(bytes).is_ok();
            (value.clone(), is_text.then(|| word(PropertyType::Bytes)))
        }
        (HeaderKind::Bytes, other) => (of_text(&other.written()), Some(word(other.kind()))),
        (HeaderKind::Line, PropertyValue::Text(text)) if is_line(text) => (value.clone(), None),
        (HeaderKind::Line, PropertyValue::Text(text)) => (PropertyValue::Text(line_of(text)), Some(LINE)),
        (HeaderKind::Line, other) => (PropertyValue::Text(other.written()), Some(word(other.kind()))),
    }
}

fn of_text(text: &str) -> PropertyValue {
    PropertyValue::Bytes(Bytes::copy_from_slice(text.as_bytes()))
}

/// The value of a header, with the word that is told for its type.
pub(super) fn of_header(value: &PropertyValue, told: Option<&str>, headers: HeaderKind) -> PropertyValue {
    if headers == HeaderKind::Typed {
        return value.clone();
    }
    let text = match value {
        PropertyValue::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if told.is_none() => return PropertyValue::Text(text.to_owned()),
            Ok(text) => text,
            Err(_) => return value.clone(),
        },
        PropertyValue::Text(text) => text,
        other => return other.clone(),
    };
    let plain = || PropertyValue::Text(text.to_owned());
    match (told, told.and_then(kind), value) {
        (Some(LINE), ..) => of_line(text).map_or_else(plain, PropertyValue::Text),
        (_, Some(PropertyType::Bytes), PropertyValue::Bytes(_)) => value.clone(),
        (_, Some(kind), _) => PropertyValue::read(text, kind).unwrap_or_else(|_| plain()),
        _ => plain(),
    }
}

/// The types of properties, as the text of a header.
#[derive(Debug, Default)]
pub(super) struct Types(String);

impl Types {
    pub(super) fn put(&mut self, property: &str, word: &str) {
        if !self.0.is_empty() {
            self.0.push(';');
        }
        self.0.push_str(property);
        self.0.push('=');
        self.0.push_str(word);
    }

    pub(super) fn text(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(self.0.as_str())
    }

    /// The word for a property in the text of a header.
    pub(super) fn find<'t>(text: &'t str, property: &str) -> Option<&'t str> {
        text.split(';').find_map(|entry| entry.strip_prefix(property)?.strip_prefix('='))
    }
}

/// A property as the text of one header.
pub(super) fn whole(property: &Property) -> String {
    let PropertyDescriptor { support, is_user_context, copy } = property.descriptor;
    let kind = match &property.foreign_type {
        Some(word) => format!("?{word}"),
        None => word(property.value.kind()).to_owned(),
    };
    let value = line_of(&property.value.written());
    format!(
        "{};{support};{};{};{kind};{value}",
        line_of(&property.name),
        u8::from(is_user_context),
        copy.bits()
    )
}

/// Reads such a property; none for a text that is not as this release writes it.
pub(super) fn of_whole(text: &str) -> Option<Property> {
    let mut parts = text.splitn(6, ';');
    let name = of_line(parts.next()?)?;
    if !formats::properties::folder::can_carry(&name) {
        return None;
    }
    let number = |part: Option<&str>| part?.parse::<i32>().ok();
    let (support, context, copy) = (number(parts.next())?, number(parts.next())?, number(parts.next())?);
    let descriptor = PropertyDescriptor::from_codes(0, support, context, copy).ok()?;
    let (word, value) = (parts.next()?, of_line(parts.next()?)?);
    let (foreign_type, kind) = match word.strip_prefix('?') {
        Some(word) => (Some(word.to_owned()), PropertyType::Text),
        None => (None, kind(word)?),
    };
    let is_copy = CopyOptions::from_bits(copy).unknown().is_empty();
    let value = PropertyValue::read(&value, kind).ok().filter(|_| is_copy)?;
    Some(Property { name, value, descriptor, foreign_type })
}

/// Returns true if a text is one line that comes back as it is: no control characters, and no outer blanks,
/// which readers trim.
fn is_line(text: &str) -> bool {
    text.trim() == text && !text.chars().any(char::is_control)
}

/// A text in one line, with `%` and two digits for each byte of what a line cannot have, `;`, and `%` itself.
pub(super) fn line_of(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let inner = text.trim();
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    let within = start..start + inner.len();
    for (at, character) in text.char_indices() {
        if within.contains(&at) && !character.is_control() && !matches!(character, '%' | ';') {
            line.push(character);
        } else {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| line.push_str(&format!("%{byte:02X}")));
        }
    }
    line
}

/// The text of such a line; none where a `%` is not followed by two digits.
pub(super) fn of_line(line: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(line.len());
    let mut rest = line.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let digits = rest.get(..2)?;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((digit(digits[0])? * 16 + digit(digits[1])?) as u8);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_type_that_does_not_fit_leaves_the_text() {
        let text = |text: &str| PropertyValue::Text(text.to_owned());
        for (value, told, expected) in [
            (text("7"), Some("i4"), PropertyValue::Int32(7)),
            (text("seven"), Some("i4"), text("seven")),
            (text("7"), Some("none"), text("7")),
            (text("%0"), Some(LINE), text("%0")),
            (text("%0A"), Some(LINE), text("\n")),
            (of_text("7"), Some("i4"), PropertyValue::Int32(7)),
            (
                PropertyValue::Bytes(Bytes::from_static(&[0xFF])),
                Some("i4"),
                PropertyValue::Bytes(Bytes::from_static(&[0xFF])),
            ),
            (PropertyValue::Int64(1), Some("i4"), PropertyValue::Int64(1)),
        ] {
            assert_eq!(of_header(&value, told, HeaderKind::Bytes), expected, "{value:?} {told:?}");
        }
    }

    proptest! {
        #[test]
        fn every_text_is_a_line_and_back(text in "\\PC{0,20}|[ \t\r\n%;a]{0,12}") {
            let line = line_of(&text);
            prop_assert!(is_line(&line) && !line.contains(';'));
            prop_assert_eq!(of_line(&line), Some(text));
        }
    }
}
