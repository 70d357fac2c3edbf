//! Attributes that a command gives a value.

use std::fmt;

use crate::attributes::Attribute;
use crate::secrets::SIGN;
use crate::value::Value;

/// An attribute and the value it shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The attribute's row.
    pub attribute: &'static Attribute,
    /// Its new value, one the row accepts.
    pub value: Value,
}

impl Setting {
    /// The secret that the setting brings, blank to forget the one there is; none for other settings.
    pub fn secret(&self) -> Option<&str> {
        self.value.as_text().filter(|text| self.attribute.is_secret && *text != SIGN)
    }

    /// The value as a definition keeps it.
    pub(crate) fn masked(&self) -> Self {
        let is_kept = self.secret().is_some_and(|secret| !secret.is_empty());
        let value = if is_kept { Value::from(SIGN) } else { self.value.clone() };
        Self { attribute: self.attribute, value }
    }
}

/// Objects are made or changed: some attributes are given only when an object is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Define,
    Alter,
}

pub(crate) fn write_settings(settings: &[Setting], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for setting in settings {
        let mut text = String::from(" ");
        setting.value.write_mqsc(setting.attribute, &mut text);
        formatter.write_str(&text)?;
    }
    Ok(())
}
