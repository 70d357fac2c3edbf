//! Structures and what they start with.

use super::super::initial::Initial;
use super::super::interface::{Initials, Interface, Structure};
use super::{constants, heading, place_of, types};
use anyhow::{Context, Result};
use std::fmt::Write as _;

/// Every structure of a header, each followed by its initial values.
pub(super) fn declared(header: &str, interface: &Interface) -> Result<String> {
    let mut text = String::new();
    for structure in interface.structures.iter().filter(|row| place_of(&row.name, &row.header) == header) {
        text.push_str(&declaration(structure, interface)?);
        for initials in &structure.initials {
            text.push_str(&initial_values(structure, initials, interface)?);
        }
    }
    if text.is_empty() { Ok(text) } else { Ok(heading("Structures") + &text) }
}

fn declaration(structure: &Structure, interface: &Interface) -> Result<String> {
    let mut text = format!("/* {}: {} */\n\n", structure.name, lengths(structure));
    text.push_str(&types::of_structure(structure, interface));
    let _ = writeln!(text, "struct tag{} {{", structure.name);
    let first = structure.fields.first().map_or(0, |field| field.version);
    let declared = (structure.fields.iter().map(|field| types::field(&field.c_type, &field.name)))
        .collect::<Result<Vec<_>>>()?;
    let width = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
    let type_width = width(&mut declared.iter().map(|(c_type, _)| c_type.len()));
    let name_width = width(&mut declared.iter().map(|(_, name)| name.len())) + 1;
    for (field, (c_type, name)) in structure.fields.iter().zip(declared) {
        let since = if field.version == first {
            String::new()
        } else {
            format!(", from version {} on", field.version)
        };
        let name = format!("{name};");
        let _ =
            writeln!(text, "   {c_type:type_width$}  {name:name_width$}  /* at {}{since} */", field.offset);
    }
    text.push_str("};\n\n");
    Ok(text)
}

/// Its length, by version where it has any.
fn lengths(structure: &Structure) -> String {
    let mut text = format!("{} bytes", structure.size);
    if let [_, _, ..] = structure.versions.as_slice() {
        let versions: Vec<String> = structure
            .versions
            .iter()
            .map(|version| format!("{} in version {}", version.length, version.number))
            .collect();
        let _ = write!(text, "; {}", versions.join(", "));
    }
    text
}

/// The macro that stands between the braces of an initialiser, a line to a field.
fn initial_values(structure: &Structure, initials: &Initials, interface: &Interface) -> Result<String> {
    let mut lines = Vec::new();
    let mut rest = initials.values.as_slice();
    while let Some((field, value)) = rest.first() {
        let Some((outer, _)) = field.split_once('.') else {
            lines.push(expression(structure, field, value, interface));
            rest = &rest[1..];
            continue;
        };
        let prefix = format!("{outer}.");
        let count = rest.iter().take_while(|(field, _)| field.starts_with(&prefix)).count();
        let (inside, after) = rest.split_at(count);
        let inside: Vec<(&str, &Initial)> =
            inside.iter().map(|(field, value)| (&field[prefix.len()..], value)).collect();
        lines.push(held(structure, outer, &inside, interface)?);
        rest = after;
    }
    Ok(format!("#define {} {}\n\n", initials.name, lines.join(", \\\n   ")))
}

/// A structure inside: by its own macro where it starts with that, and value by value otherwise.
fn held(
    outer: &Structure,
    field: &str,
    values: &[(&str, &Initial)],
    interface: &Interface,
) -> Result<String> {
    let row =
        outer.fields.iter().find(|known| known.name == field).with_context(|| format!("no field {field}"))?;
    let held = interface.structures.iter().find(|known| known.name == row.c_type);
    let held = held.with_context(|| format!("{} is no structure", row.c_type))?;
    let own = held.initials.iter().find(|own| {
        own.values.iter().map(|(field, value)| (field.as_str(), value)).eq(values.iter().copied())
    });
    Ok(match own {
        Some(own) => format!("{{{}}}", own.name),
        None => {
            let values: Vec<String> =
                values.iter().map(|(field, value)| expression(held, field, value, interface)).collect();
            format!("{{{}}}", values.join(", "))
        }
    })
}

fn expression(structure: &Structure, field: &str, value: &Initial, interface: &Interface) -> String {
    match value {
        Initial::Null | Initial::NoFunction => "NULL".to_owned(),
        Initial::Number(number) => named_number(structure, field, *number, interface),
        Initial::Numbers(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            format!("{{{}}}", numbers.join(","))
        }
        Initial::Character(code) => constants::character(*code),
        Initial::Zeros(_) => "{0}".to_owned(),
        Initial::Text(text) => named_text(structure, field, text, interface)
            .map_or_else(|| characters(text), |name| format!("{{{name}_ARRAY}}")),
    }
}

/// A version and the character set of programs by their names, other numbers as they are.
fn named_number(structure: &Structure, field: &str, number: i64, interface: &Interface) -> String {
    let value = number.to_string();
    let is_named = |name: &str| interface.constants.iter().any(|row| row.name == name && row.value == value);
    let version = format!("{}_VERSION_{number}", structure.name);
    if field == "Version" && is_named(&version) {
        version
    } else if field.ends_with("CCSID") && is_named("MQCCSI_APPL") {
        "MQCCSI_APPL".to_owned()
    } else {
        value
    }
}

/// An identifier and the format of nothing by their names.
fn named_text(structure: &Structure, field: &str, text: &[u8], interface: &Interface) -> Option<String> {
    let name = match field {
        "StrucId" => format!("{}_STRUC_ID", structure.name),
        "Format" => "MQFMT_NONE".to_owned(),
        _ => return None,
    };
    interface.constants.iter().any(|row| row.name == name && row.value.as_bytes() == text).then_some(name)
}

/// Text for an array of characters. C++ wants room for the zero after a string, so text without one is
/// written out.
fn characters(text: &[u8]) -> String {
    let end = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    match String::from_utf8(text[..end].to_vec()) {
        Ok(words) if end < text.len() => format!("{{\"{}\"}}", words.escape_default()),
        _ => format!("{{{}}}", constants::characters(text)),
    }
}
