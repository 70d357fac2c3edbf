//! Attributes that a command gives a value.

use std::fmt;

use crate::attributes::Attribute;
use crate::value::Value;

/// An attribute and the value it shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The attribute's row.
    pub attribute: &'static Attribute,
    /// Its new value, one the row accepts.
    pub value: Value,
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
