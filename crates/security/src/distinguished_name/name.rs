//! A certificate's name from its parts, and as text.
//!
//! Lives here: the parts in the order of the certificate, the faults that keep a name from matching, and its
//! text. Lives elsewhere: reading DER (the crates of TLS), patterns (`pattern`).

use super::attribute::AttributeType;
use std::fmt;

/// Most attributes that a name keeps; a certificate that fits into a handshake of 12 KiB has fewer of use.
pub const NAME_ATTRIBUTES_MAX: usize = 64;

/// A value that its bytes do not give: not UTF-8, PrintableString or IA5String, or bytes that break its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// A reason why a name matches no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A value is no text of a kind that is read.
    #[error("the value of {attribute} is no UTF8String, PrintableString or IA5String")]
    Unreadable {
        /// The attribute's word or identifier.
        attribute: String,
    },
    /// A value has a control character, NUL among them.
    #[error("the value of {attribute} has a control character")]
    ControlCharacter {
        /// The attribute's word.
        attribute: String,
    },
    /// An attribute stands twice that a name has once.
    #[error("{attribute} stands there more than once")]
    Repeated {
        /// The attribute's word.
        attribute: &'static str,
    },
    /// There are too many attributes.
    #[error("there are more than {NAME_ATTRIBUTES_MAX} attributes")]
    TooMany,
}

/// The name of a certificate, of its subject or of its issuer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Attributes that a pattern can name, in the order of the certificate.
    attributes: Vec<(AttributeType, String)>,
    /// Attributes that none can, with their object identifiers.
    others: Vec<(String, String)>,
    fault: Option<Fault>,
}

impl Name {
    /// A name without attributes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the certificate's serial number, as its bytes stand there; patterns write it in pairs of digits,
    /// such as `4C:D0:49`.
    pub fn add_serial_number(&mut self, number: &[u8]) {
        let pairs: Vec<String> = number.iter().map(|byte| format!("{byte:02X}")).collect();
        self.add_attribute(AttributeType::SerialNumber, &pairs.join(":"));
    }

    /// Adds the next attribute of the certificate, by its object identifier in figures and dots.
    pub fn add(&mut self, identifier: &str, value: Result<&str, Unreadable>) {
        let attribute = AttributeType::by_identifier(identifier);
        match (attribute, value) {
            (Some(attribute), Ok(value)) => self.add_attribute(attribute, value),
            (None, Ok(value)) => {
                if self.has_room() {
                    self.others.push((identifier.to_owned(), value.to_owned()));
                }
            }
            (attribute, Err(Unreadable)) => {
                let attribute = attribute.map_or(identifier, |attribute| attribute.word()).to_owned();
                self.fault.get_or_insert(Fault::Unreadable { attribute });
            }
        }
    }

    /// Adds the next attribute, by its type.
    pub fn add_attribute(&mut self, attribute: AttributeType, value: &str) {
        if value.chars().any(char::is_control) {
            let attribute = attribute.word().to_owned();
            self.fault.get_or_insert(Fault::ControlCharacter { attribute });
        }
        if !attribute.repeats() && self.values(attribute).next().is_some() {
            let attribute = attribute.word();
            self.fault.get_or_insert(Fault::Repeated { attribute });
        }
        if self.has_room() {
            self.attributes.push((attribute, value.to_owned()));
        }
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.attributes.len() + self.others.len() < NAME_ATTRIBUTES_MAX;
        if !has_room {
            self.fault.get_or_insert(Fault::TooMany);
        }
        has_room
    }

    /// The name that the bearer keeps in its next certificate: without the serial number of this one.
    #[must_use]
    pub fn without_serial_number(&self) -> Self {
        let mut name = self.clone();
        name.attributes.retain(|(attribute, _)| *attribute != AttributeType::SerialNumber);
        name
    }

    /// The fault that keeps the name from matching any pattern; none when it is well formed.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Tells if a pattern of all attributes of the other name matches this one; none does where a name has a
    /// fault, or the other has no attribute that a pattern can name.
    #[must_use]
    pub fn has_all_of(&self, other: &Self) -> bool {
        let is_sound = self.fault.is_none() && other.fault.is_none();
        is_sound
            && !other.attributes.is_empty()
            && AttributeType::all().all(|attribute| {
                let mut values = self.values(attribute);
                other
                    .values(attribute)
                    .all(|asked| values.next().is_some_and(|value| value.eq_ignore_ascii_case(asked)))
            })
    }

    /// The values of a type, in the order of the certificate.
    pub fn values(&self, attribute: AttributeType) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(move |(own, _)| *own == attribute).map(|(_, value)| value.as_str())
    }
}

/// Writes a value so that a pattern reads it back, and so that no character acts on a terminal.
pub(super) fn write_value(value: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_quoted = value.starts_with(' ') || value.ends_with(' ') || value.is_empty();
    if is_quoted {
        formatter.write_str("\"")?;
    }
    for character in value.chars() {
        match character {
            '\\' | '*' | '"' | ',' | ';' => write!(formatter, "\\{character}")?,
            character if character.is_control() => write!(formatter, "\\{{{:x}}}", u32::from(character))?,
            character => write!(formatter, "{character}")?,
        }
    }
    if is_quoted { formatter.write_str("\"") } else { Ok(()) }
}

impl fmt::Display for Name {
    /// The attributes by their types, in the order that decides between patterns; those of one type in the
    /// order of the certificate; then those that no pattern names.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for attribute in AttributeType::all() {
            for value in self.values(attribute) {
                write!(formatter, "{separator}{}=", attribute.word())?;
                write_value(value, formatter)?;
                separator = ",";
            }
        }
        for (identifier, value) in &self.others {
            write!(formatter, "{separator}OID.{identifier}=")?;
            write_value(value, formatter)?;
            separator = ",";
        }
        Ok(())
    }
}
