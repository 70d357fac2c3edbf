//! The structures as Rust sees them: `crates/capi/src/layout`.

use super::initial::Initial;
use super::interface::{Function, Initials, Interface, Structure};
use crate::generated::{File, NOTICE};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

/// Header in the fact tables, module of the layouts, and what the module holds.
const MODULES: [(&str, &str, &str); 4] = [
    ("cmqc", "core", "Structures that the calls take, and headers that go before a body."),
    ("cmqcfc", "commands", "Structures of commands in binary form."),
    ("cmqxc", "channels", "The definition of a channel."),
    ("cmqxc|cmqzc", "exits", "Structures of exits and installable services."),
];

pub(super) fn files(interface: &Interface) -> Result<Vec<File>> {
    let header_known = |header: &str| MODULES.iter().any(|(known, ..)| *known == header);
    if let Some(structure) = interface.structures.iter().find(|structure| !header_known(&structure.header)) {
        bail!("structure {} belongs to header {}, which has no module", structure.name, structure.header);
    }
    let mut files = vec![
        file("types", types(interface)?),
        file("functions", functions(interface)),
        File { path: "crates/capi/tests/it/described.rs".into(), text: described(interface) },
    ];
    for (header, module, summary) in MODULES {
        let mut body = String::new();
        for structure in interface.structures.iter().filter(|structure| structure.header == header) {
            body.push_str(&declared(structure)?);
        }
        let mut uses = "use super::*;\n".to_owned();
        for (word, path) in [("offset_of!", "std::mem::offset_of"), ("null_mut()", "std::ptr::null_mut")] {
            if body.contains(word) {
                let _ = writeln!(uses, "use {path};");
            }
        }
        files.push(file(module, introduction(summary, &uses) + &body));
    }
    Ok(files)
}

fn file(module: &str, text: String) -> File {
    File { path: format!("crates/capi/src/layout/{module}.rs"), text }
}

fn introduction(summary: &str, uses: &str) -> String {
    format!("//! {summary}\n//!\n//! {NOTICE}\n\n{uses}\n")
}

fn types(interface: &Interface) -> Result<String> {
    let mut text = introduction(
        "Elementary types, arrays, handles and pointers.",
        "use super::*;\nuse std::ffi::c_void;\n",
    );
    for row in &interface.types {
        let definition = match row.definition.as_str() {
            // With its parameters in `functions`.
            "fnptr" => continue,
            function if interface.functions.iter().any(|known| known.is_type && known.name == function) => {
                format!("Option<{function}>")
            }
            definition => type_of(definition).with_context(|| format!("{}: {definition}", row.name))?,
        };
        let _ = writeln!(text, "pub type {} = {definition};", row.name);
    }
    Ok(text)
}

/// A C type in Rust. Characters are bytes: what they mean is a matter of a character set, not of their sign.
fn type_of(c_type: &str) -> Result<String> {
    if let Some(pointed) = c_type.strip_suffix('*') {
        let pointed = if pointed == "void" { "c_void".to_owned() } else { type_of(pointed)? };
        return Ok(format!("*mut {pointed}"));
    }
    if let Some((element, length)) = c_type.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        let length: usize = length.parse()?;
        return Ok(format!("[{}; {length}]", type_of(element)?));
    }
    Ok(match c_type {
        "char" | "unsigned char" => "u8",
        "signed char" => "i8",
        "short" => "i16",
        "unsigned short" => "u16",
        "int" => "i32",
        "unsigned int" => "u32",
        "long" => "i64",
        "unsigned long" => "u64",
        "float" => "f32",
        "double" => "f64",
        name if !name.contains(' ') => name,
        other => bail!("{other} has no counterpart"),
    }
    .to_owned())
}

fn functions(interface: &Interface) -> String {
    let mut text = introduction(
        "Types of the functions that programs and exits supply or are handed.",
        "use super::*;\n",
    );
    for function in interface.functions.iter().filter(|function| function.is_type) {
        text.push_str(&function_type(function));
    }
    text
}

fn function_type(function: &Function) -> String {
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|parameter| format!("{}: {}", parameter.name, parameter.c_type))
        .collect();
    format!("pub type {} = unsafe extern \"C\" fn({});\n", function.name, parameters.join(", "))
}

fn declared(structure: &Structure) -> Result<String> {
    let name = &structure.name;
    let mut text = format!("\n#[derive(Clone, Copy, Debug)]\n#[repr(C)]\npub struct {name} {{\n");
    let mut version = structure.fields.first().map_or(0, |field| field.version);
    for field in &structure.fields {
        if field.version != version {
            version = field.version;
            let _ = writeln!(text, "    // From version {version} on.");
        }
        let _ = writeln!(text, "    pub {}: {},", field.name, type_of(&field.c_type)?);
    }
    text.push_str("}\n\n");
    for initials in &structure.initials {
        text.push_str(&constant(structure, initials)?);
    }
    text.push_str(&versioned(structure)?);
    let _ = writeln!(
        text,
        "const _: () = assert!(size_of::<{name}>() == {} && align_of::<{name}>() == {});",
        structure.size, structure.alignment
    );
    Ok(text)
}

/// Returns the initial values of the structure, as a constant with the name that follows the structure's in
/// C.
fn constant(structure: &Structure, initials: &Initials) -> Result<String> {
    let name = &structure.name;
    let suffix = initials
        .name
        .strip_prefix(&format!("{name}_"))
        .with_context(|| format!("{} does not begin with {name}", initials.name))?;
    let mut text = format!(
        "impl {name} {{\n    /// `{}` in C.\n    pub const {suffix}: Self = Self {{\n",
        initials.name
    );
    let mut inside = "";
    for (field, value) in &initials.values {
        let (outer, own) = field.split_once('.').unwrap_or(("", field));
        if outer != inside {
            if !inside.is_empty() {
                text.push_str("},\n");
            }
            if !outer.is_empty() {
                let field = structure.fields.iter().find(|field| field.name == outer);
                let held = &field.with_context(|| format!("{name} has no field {outer}"))?.c_type;
                let _ = writeln!(text, "{outer}: {held} {{");
            }
            inside = outer;
        }
        let _ = writeln!(text, "{own}: {},", expression(value));
    }
    if !inside.is_empty() {
        text.push_str("},\n");
    }
    text.push_str("    };\n}\n\n");
    Ok(text)
}

fn expression(value: &Initial) -> String {
    match value {
        Initial::Null => "null_mut()".to_owned(),
        Initial::NoFunction => "None".to_owned(),
        Initial::Number(number) => number.to_string(),
        Initial::Numbers(numbers) => format!("{numbers:?}"),
        Initial::Character(character) => format!("b'{}'", character.escape_ascii()),
        Initial::Zeros(count) => format!("[0; {count}]"),
        Initial::Text(text) => match text.first() {
            Some(0) if text.iter().all(|byte| *byte == 0) => format!("[0; {}]", text.len()),
            _ => format!("*b\"{}\"", text.escape_ascii()),
        },
    }
}

fn versioned(structure: &Structure) -> Result<String> {
    let says_its_version =
        structure.fields.iter().any(|field| field.name == "Version" && field.c_type == "MQLONG");
    if structure.versions.is_empty() || !says_its_version {
        return Ok(String::new());
    }
    let name = &structure.name;
    let identifier = match structure.identifier() {
        Some(identifier) => format!("Some(*b\"{}\")", identifier.escape_ascii()),
        None if structure.fields.iter().any(|field| field.name == "StrucId")
            && structure.initials.is_empty() =>
        {
            // Without initial values the identifier is the constant of its own.
            format!("Some(identifier(mqi::constants::{name}_STRUC_ID))")
        }
        None => "None".to_owned(),
    };
    let mut versions = String::new();
    for version in &structure.versions {
        let _ = write!(versions, "Version {{ number: {}, length: {} }},", version.number, version.length);
    }
    Ok(format!(
        "impl Versioned for {name} {{\n    const NAME: &'static str = \"{name}\";\n    \
         const IDENTIFIER: Option<[u8; 4]> = {identifier};\n    \
         const VERSION_OFFSET: usize = offset_of!(Self, Version);\n    \
         const VERSIONS: &'static [Version] = &[{versions}];\n}}\n\n"
    ))
}

/// Returns the test source of the compiler's layout of the structures, for comparison with the tables.
fn described(interface: &Interface) -> String {
    let mut text = introduction(
        "The compiler's layout of the structures, for the tests to compare with the tables.",
        "use crate::layouts::{Described, describe};\nuse capi::layout::*;\n",
    );
    text.push_str("pub(crate) fn structures() -> Vec<Described> {\n    vec![\n");
    for structure in &interface.structures {
        let name = &structure.name;
        let prefix = format!("{name}_");
        let constants = structure.initials.iter().filter_map(|initials| initials.name.strip_prefix(&prefix));
        let constants = constants.collect::<Vec<_>>().join(", ");
        let fields: Vec<&str> = structure.fields.iter().map(|field| field.name.as_str()).collect();
        let _ = writeln!(text, "describe!({name}, [{constants}], [{}]),", fields.join(", "));
    }
    text.push_str("    ]\n}\n");
    text
}
