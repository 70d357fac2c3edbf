//! Elementary types, arrays, handles and pointers.

use super::super::interface::{Interface, Structure, Type};
use super::{heading, place_of};
use anyhow::{Context, Result};

/// Returns the words that everything else is written with; the first header defines them for all.
pub(super) fn prelude(header: &str) -> String {
    if header != "cmqc" {
        return String::new();
    }
    "#include <stddef.h>\n\n/* How functions are called, and what makes a pointer */\n\n#define MQENTRY\n#define MQPOINTER *\n\n"
        .to_owned()
}

/// Every type of a header but those of functions and of its structures. A structure of a later header is
/// named here, as yet without its fields, where its pointer is.
pub(super) fn declared(header: &str, interface: &Interface) -> String {
    let mut text = String::new();
    for row in interface.types.iter().filter(|row| place_of(&row.name, &row.header) == header) {
        let is_function =
            |name: &str| interface.functions.iter().any(|known| known.is_type && known.name == name);
        if is_function(&row.name) || is_function(&row.definition) {
            continue;
        }
        let pointed = pointed_structure(interface, row);
        if pointed.is_some_and(|structure| place_of(&structure.name, &structure.header) == header) {
            continue;
        }
        if let Some(structure) = pointed.filter(|structure| row.definition == format!("{}*", structure.name))
        {
            text.push_str(&named(structure));
        }
        text.push_str(&declaration(row));
    }
    if text.is_empty() {
        return text;
    }
    text.push('\n');
    heading("Types") + &text
}

/// The name of a structure and its pointers, for the place before its fields. Its name is left out where an
/// earlier header has it.
pub(super) fn of_structure(structure: &Structure, interface: &Interface) -> String {
    let header = place_of(&structure.name, &structure.header);
    let pointers: Vec<&Type> = (interface.types.iter())
        .filter(|row| pointed_structure(interface, row).is_some_and(|pointed| pointed.name == structure.name))
        .collect();
    let is_here = |row: &&&Type| place_of(&row.name, &row.header) == header;
    let mut text =
        if pointers.first().is_none_or(|first| is_here(&first)) { named(structure) } else { String::new() };
    for row in pointers.iter().filter(is_here) {
        text.push_str(&declaration(row));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn named(structure: &Structure) -> String {
    format!("typedef struct tag{0} {0};\n", structure.name)
}

fn declaration(row: &Type) -> String {
    match (row.definition.strip_suffix('*'), row.definition.split_once('[')) {
        (Some(pointed), _) => format!("typedef {pointed} MQPOINTER {};\n", row.name),
        (None, Some((element, length))) => format!("typedef {element} {}[{length};\n", row.name),
        (None, None) => format!("typedef {} {};\n", row.definition, row.name),
    }
}

/// The structure that a pointer leads to, by as many steps as it takes.
fn pointed_structure<'a>(interface: &'a Interface, row: &Type) -> Option<&'a Structure> {
    let pointed = row.definition.strip_suffix('*')?;
    let structure = interface.structures.iter().find(|structure| structure.name == pointed);
    structure.or_else(|| {
        let step = interface.types.iter().find(|row| row.name == pointed)?;
        pointed_structure(interface, step)
    })
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
