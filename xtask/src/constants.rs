//! The constants of the interface as Rust, one file for each C header they belong to.

use crate::facts::{self, Constant};
use crate::generated::File;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::Path;

/// Header in the fact table, module in `mqi::constants`, and what the module holds.
const MODULES: [(&str, &str, &str); 6] = [
    ("cmqc", "core", "Constants of the calls, structures, objects and reason codes."),
    ("cmqcfc", "commands", "Constants of programmable commands, events and statistics."),
    ("cmqxc", "exits", "Constants of channels and exits."),
    ("cmqxc|cmqzc", "services", "Constants shared by exits and installable services."),
    ("cmqpsc", "publish_subscribe", "Names and values of publish/subscribe command messages."),
    ("cmqbc", "bags", "Constants of the administration (bag) calls."),
];

/// Makes the files of `mqi::constants`.
pub(crate) fn files(root: &Path) -> Result<Vec<File>> {
    let rows = facts::constants(root)?;
    if let Some(row) = rows.iter().find(|row| !MODULES.iter().any(|(header, ..)| *header == row.header)) {
        bail!("constant {} belongs to header {}, which has no module", row.name, row.header);
    }
    let mut files = vec![File { path: "crates/mqi/src/constants/mod.rs".into(), text: module_root() }];
    for (header, module, summary) in MODULES {
        let mut text = format!("//! {summary}\n//!\n//! {}\n\n", crate::generated::NOTICE);
        for row in rows.iter().filter(|row| row.header == header) {
            text.push_str(&declaration(row)?);
        }
        files.push(File { path: format!("crates/mqi/src/constants/{module}.rs"), text });
    }
    Ok(files)
}

fn module_root() -> String {
    let mut text = format!(
        "//! Every named value of the message queue interface, under the name C programs know it by.\n//!\n//! {}\n\n\
         #![expect(missing_docs, reason = \"the name is the documentation; meanings live with the typed forms\")]\n\
         #![expect(non_upper_case_globals, reason = \"names are those of the interface\")]\n\n",
        crate::generated::NOTICE
    );
    let mut modules: Vec<&str> = MODULES.iter().map(|(_, module, _)| *module).collect();
    modules.sort_unstable();
    for module in &modules {
        let _ = writeln!(text, "mod {module};");
    }
    text.push('\n');
    for module in &modules {
        let _ = writeln!(text, "pub use {module}::*;");
    }
    text
}

fn declaration(row: &Constant) -> Result<String> {
    let name = &row.name;
    let value = &row.value;
    Ok(match row.c_type.as_str() {
        "MQLONG" | "MQHCONN" | "MQHOBJ" => {
            let number: i32 = value.parse().with_context(|| format!("{name} = {value}"))?;
            format!("pub const {name}: i32 = {number};\n")
        }
        "MQHMSG" => {
            let number: i64 = value.parse().with_context(|| format!("{name} = {value}"))?;
            format!("pub const {name}: i64 = {number};\n")
        }
        "int-length" => {
            let number: usize = value.parse().with_context(|| format!("{name} = {value}"))?;
            format!("pub const {name}: usize = {number};\n")
        }
        "char" => {
            let number: u8 = value.parse().with_context(|| format!("{name} = {value}"))?;
            format!("pub const {name}: u8 = {number};\n")
        }
        "string" | "charv-initialiser(string)" => format!("pub const {name}: &str = {value:?};\n"),
        "bytes" => {
            let length = value.len() / 4;
            if *value != "\\x00".repeat(length) {
                bail!("{name}: only runs of zero bytes are expected, found {value}");
            }
            format!("pub const {name}: [u8; {length}] = [0; {length}];\n")
        }
        other => bail!("{name}: unknown C type {other}"),
    })
}
