//! Prototypes, and the types of functions that programs and exits supply or are handed.

use super::super::interface::{Function, Interface};
use super::{heading, place_of};
use std::fmt::Write as _;

/// Types of functions, each with its pointer.
pub(super) fn types(header: &str, interface: &Interface) -> String {
    let mut text = String::new();
    for function in of(header, interface).filter(|function| function.is_type) {
        let _ = write!(text, "typedef {}", signature(function));
        let pointers = interface.types.iter().filter(|row| row.definition == function.name);
        for pointer in pointers {
            let _ = write!(text, "typedef {} MQPOINTER {};\n\n", function.name, pointer.name);
        }
    }
    if text.is_empty() { text } else { heading("Types of functions") + &text }
}

pub(super) fn prototypes(header: &str, interface: &Interface) -> String {
    let mut text = String::new();
    for function in of(header, interface).filter(|function| !function.is_type) {
        text.push_str(&signature(function));
        text.push('\n');
    }
    if text.is_empty() { text } else { heading("Functions") + &text }
}

fn of<'a>(header: &str, interface: &'a Interface) -> impl Iterator<Item = &'a Function> {
    interface.functions.iter().filter(move |function| place_of(&function.name, &function.header) == header)
}

/// A line to a parameter. What a call has to tell, it tells through parameters.
fn signature(function: &Function) -> String {
    let width = function.parameters.iter().map(|parameter| parameter.c_type.len()).max().unwrap_or(0);
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|parameter| format!("   {:width$}  {}", parameter.c_type, parameter.name))
        .collect();
    format!("void MQENTRY {} (\n{});\n", function.name, parameters.join(",\n"))
}
