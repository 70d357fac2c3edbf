//! Errors as fields of performatives and of outcomes.

use crate::error::Condition;
use crate::types::write::{Composite, put_map, put_string, put_symbol};

/// An error as a field of a performative or of an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorField {
    /// The condition.
    pub condition: Condition,
    /// The words.
    pub text: String,
    /// The field at fault, for clients that look for it; with the condition of an invalid field.
    pub invalid_field: Option<&'static str>,
}

/// The descriptor of an error.
pub const ERROR: u64 = 0x1D;

impl ErrorField {
    /// An error with its words.
    pub fn new(condition: Condition, text: impl Into<String>) -> Self {
        Self { condition, text: text.into(), invalid_field: None }
    }

    /// Appends it.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut fields = Composite::begin(out, ERROR);
        fields.put(|out| put_symbol(out, self.condition.symbol()));
        fields.put(|out| put_string(out, &self.text));
        if let Some(field) = self.invalid_field {
            fields.put(|out| {
                put_map(out, 1, |out| {
                    put_symbol(out, "invalid-field");
                    put_symbol(out, field);
                });
            });
        }
        fields.end();
    }
}
