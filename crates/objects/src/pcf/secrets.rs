//! Commands in binary form, as they may be shown.

use mqi::constants::MQCACF_ESCAPE_TEXT;

use super::structure::{Content, Parameter};
use crate::object_type::ObjectType;
use crate::secrets::{SIGN, of, signed};

/// The parameters of a command in binary form with the sign in the place of each secret.
pub fn without_secrets(parameters: &[Parameter]) -> Vec<Parameter> {
    let rows: Vec<i32> = ObjectType::definable().flat_map(of).map(|row| row.identifier_number()).collect();
    let shown = |parameter: &Parameter| match &parameter.content {
        Content::Text(text) if rows.contains(&parameter.identifier) && !text.trim().is_empty() => {
            Parameter::text(parameter.identifier, SIGN)
        }
        Content::Text(text) if parameter.identifier == MQCACF_ESCAPE_TEXT => {
            Parameter::text(parameter.identifier, signed(text))
        }
        _ => parameter.clone(),
    };
    parameters.iter().map(shown).collect()
}
