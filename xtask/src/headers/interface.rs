//! The tables of structures, functions and types, joined.

use super::initial::Initial;
use crate::facts::{self, Constant};
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeSet;
use std::path::Path;

/// Everything a header declares.
pub(super) struct Interface {
    pub(super) constants: Vec<Constant>,
    /// Names that are told of numbers with several.
    pub(super) preferred: BTreeSet<String>,
    /// Functions that tell names beside those of whole groups, and a name that each tells.
    pub(super) name_functions: Vec<[String; 2]>,
    /// In an order in which each uses only earlier ones by value.
    pub(super) structures: Vec<Structure>,
    pub(super) functions: Vec<Function>,
    pub(super) types: Vec<Type>,
}

pub(super) struct Structure {
    pub(super) name: String,
    pub(super) header: String,
    pub(super) size: usize,
    pub(super) alignment: usize,
    /// Each version, and how long the structure is in it; none where it does not say its version.
    pub(super) versions: Vec<Version>,
    pub(super) fields: Vec<Field>,
    pub(super) initials: Vec<Initials>,
}

#[derive(Clone, Copy)]
pub(super) struct Version {
    pub(super) number: i32,
    pub(super) length: usize,
}

pub(super) struct Field {
    pub(super) name: String,
    pub(super) c_type: String,
    pub(super) offset: usize,
    /// The version that brought it.
    pub(super) version: i32,
}

/// Initial values of a structure, under the name of their macro.
pub(super) struct Initials {
    pub(super) name: String,
    /// One for each field; fields of a structure inside are named through a dot.
    pub(super) values: Vec<(String, Initial)>,
}

pub(super) struct Function {
    pub(super) name: String,
    pub(super) header: String,
    /// True if it is the type of functions that a program or an exit supplies or is handed, rather than a
    /// function.
    pub(super) is_type: bool,
    pub(super) parameters: Vec<Parameter>,
}

pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) c_type: String,
}

pub(super) struct Type {
    pub(super) name: String,
    pub(super) definition: String,
    pub(super) header: String,
}

impl Interface {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let structures = structures(root)?;
        let types = facts::rows(root, "mqi_types")?
            .into_iter()
            .map(|[name, definition, header]| Type { name, definition, header })
            .collect();
        let (constants, preferred) = (facts::constants(root)?, facts::preferred_names(root)?);
        let name_functions = facts::name_functions(root)?;
        let is_constant = |name: &String| constants.iter().any(|constant| constant.name == *name);
        if let Some(name) = preferred.iter().find(|name| !is_constant(name)) {
            bail!("mqi_preferred_names.csv has {name}, which is no constant");
        }
        if let Some([_, name]) = name_functions.iter().find(|[_, name]| !is_constant(name)) {
            bail!("mqi_name_functions.csv has {name}, which is no constant");
        }
        Ok(Self {
            constants,
            preferred,
            name_functions,
            structures: by_use(structures)?,
            functions: functions(root)?,
            types,
        })
    }
}

impl Structure {
    /// The four characters it starts with.
    pub(super) fn identifier(&self) -> Option<&[u8]> {
        let (field, value) = self.initials.first()?.values.first()?;
        (field == "StrucId").then_some(())?;
        match value {
            Initial::Text(text) => Some(text),
            _ => None,
        }
    }
}

fn structures(root: &Path) -> Result<Vec<Structure>> {
    let mut structures = Vec::new();
    for [name, header, size, alignment, versions] in facts::rows(root, "mqi_struct_sizes")? {
        let versions = versions.split_whitespace().map(version).collect::<Result<_>>()?;
        structures.push(Structure {
            size: number(&size)?,
            alignment: number(&alignment)?,
            versions,
            name,
            header,
            fields: Vec::new(),
            initials: Vec::new(),
        });
    }
    for [owner, name, c_type, offset, _size, version] in facts::rows(root, "mqi_structs")? {
        let (offset, version) = (number(&offset)?, number(&version)?);
        named(&mut structures, &owner)?.fields.push(Field { name, c_type, offset, version });
    }
    for [macro_name, owner, field, c_type, value] in facts::rows(root, "mqi_defaults")? {
        let value =
            Initial::parse(&c_type, &value).with_context(|| format!("{macro_name}, {field}: {value}"))?;
        let initials = &mut named(&mut structures, &owner)?.initials;
        if initials.last().is_none_or(|last| last.name != macro_name) {
            initials.push(Initials { name: macro_name, values: Vec::new() });
        }
        if let Some(last) = initials.last_mut() {
            last.values.push((field, value));
        }
    }
    Ok(structures)
}

fn named<'a>(structures: &'a mut [Structure], name: &str) -> Result<&'a mut Structure> {
    structures
        .iter_mut()
        .find(|structure| structure.name == name)
        .with_context(|| format!("no size of {name}"))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.parse().map_err(|_| anyhow!("\"{text}\" is no number"))
}

/// Reads `v2=364`.
fn version(text: &str) -> Result<Version> {
    let parts = text.strip_prefix('v').and_then(|rest| rest.split_once('='));
    let (version, length) = parts.with_context(|| format!("\"{text}\" is no version and length"))?;
    Ok(Version { number: number(version)?, length: number(length)? })
}

/// Puts a structure after those it holds, and keeps the order of the table otherwise.
fn by_use(structures: Vec<Structure>) -> Result<Vec<Structure>> {
    let names: Vec<String> = structures.iter().map(|structure| structure.name.clone()).collect();
    let mut ordered: Vec<Structure> = Vec::new();
    let mut waiting = structures;
    while !waiting.is_empty() {
        let is_ready = |structure: &Structure| {
            structure.fields.iter().all(|field| {
                !names.contains(&field.c_type) || ordered.iter().any(|earlier| earlier.name == field.c_type)
            })
        };
        let Some(next) = waiting.iter().position(is_ready) else {
            bail!("{} holds itself", waiting[0].name);
        };
        let next = waiting.remove(next);
        ordered.push(next);
    }
    Ok(ordered)
}

fn functions(root: &Path) -> Result<Vec<Function>> {
    let mut functions: Vec<Function> = Vec::new();
    for [name, header, position, c_type, parameter] in facts::rows(root, "mqi_functions")? {
        if functions.last().is_none_or(|last| last.name != name) {
            let (is_type, header) = match header.strip_prefix("typedef:") {
                Some(header) => (true, header.to_owned()),
                None => (false, header),
            };
            functions.push(Function { name, header, is_type, parameters: Vec::new() });
        }
        let Some(function) = functions.last_mut() else { continue };
        function.parameters.push(Parameter { name: parameter, c_type });
        if function.parameters.len() != number::<usize>(&position)? {
            bail!("{}: parameter {position} is out of place", function.name);
        }
    }
    Ok(functions)
}
