//! Elementary types, arrays, handles and pointers.

use super::super::interface::Interface;
use super::{heading, place_of};
use anyhow::{Context, Result};
use std::fmt::Write as _;

/// Returns the words that everything else is written with; the first header defines them for all.
pub(super) fn prelude(header: &str) -> String {
    if header != "cmqc" {
        return String::new();
    }
    "#include <stddef.h>\n\n/* How functions are called, and what makes a pointer */\n\n#define MQENTRY\n#define MQPOINTER *\n\n"
        .to_owned()
}

/// Every type of a header but those of functions; a structure is named, as yet without its fields, where its
/// pointer is.
pub(super) fn declared(header: &str, interface: &Interface) -> Result<String> {
    let mut text = String::new();
    for row in interface.types.iter().filter(|row| place_of(&row.name, &row.header) == header) {
        let is_function =
            |name: &str| interface.functions.iter().any(|known| known.is_type && known.name == name);
        if is_function(&row.name) || is_function(&row.definition) {
            continue;
        }
        let pointed = row.definition.strip_suffix('*');
        if let Some(structure) = pointed.filter(|pointed| is_structure(interface, pointed)) {
            let _ = writeln!(text, "typedef struct tag{structure} {structure};");
        }
        let _ = match (pointed, row.definition.split_once('[')) {
            (Some(pointed), _) => writeln!(text, "typedef {pointed} MQPOINTER {};", row.name),
            (None, Some((element, length))) => writeln!(text, "typedef {element} {}[{length};", row.name),
            (None, None) => writeln!(text, "typedef {} {};", row.definition, row.name),
        };
    }
    if text.is_empty() {
        return Ok(text);
    }
    text.push('\n');
    Ok(heading("Types") + &text)
}

fn is_structure(interface: &Interface, name: &str) -> bool {
    interface.structures.iter().any(|structure| structure.name == name)
}

/// A declaration of a field: arrays have their length behind the name.
pub(super) fn field(c_type: &str, name: &str) -> Result<(String, String)> {
    match c_type.split_once('[') {
        None => Ok((c_type.to_owned(), name.to_owned())),
        Some((element, rest)) => {
            let length = rest.strip_suffix(']').with_context(|| format!("{c_type} {name}"))?;
            Ok((element.to_owned(), format!("{name}[{length}]")))
        }
    }
}
