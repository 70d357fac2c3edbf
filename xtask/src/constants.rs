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

/// Numbers of ours are above this one, and the interface has none there.
const OURS_FROM: i32 = 20_000;

/// Makes the files of `mqi::constants` and `mqi::ours`.
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
    files.push(File { path: "crates/mqi/src/constants/names.rs".into(), text: names(&rows) });
    files.push(File { path: "crates/mqi/src/ours.rs".into(), text: ours(&facts::rows(root, "ours")?)? });
    Ok(files)
}

/// The numbers of ours, each used once: two meanings of one number would be told apart by nothing.
fn ours(rows: &[[String; 3]]) -> Result<String> {
    let mut text = format!(
        "//! Numbers of commands, parameters and values of ours, beyond those that the interface gives.\n//!\n//! {}\n\n",
        crate::generated::NOTICE
    );
    let mut last = OURS_FROM;
    for [number, name, meaning] in rows {
        let number: i32 = number.parse().with_context(|| format!("{name} = {number}"))?;
        if number <= last {
            bail!(
                "{name} has number {number}, and the row before it {last}: numbers ascend from {OURS_FROM}"
            );
        }
        last = number;
        let _ = writeln!(text, "/// {meaning}.\npub const {name}: i32 = {number};");
    }
    Ok(text)
}

/// The numbers by name, in order of the names.
fn names(rows: &[Constant]) -> String {
    let mut names: Vec<&str> =
        rows.iter().filter(|row| is_number(&row.c_type)).map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    let mut text = format!(
        "//! The numbers of the interface by name.\n//!\n//! {}\n\n/// Name and number, in order of the names.\n\
         pub(super) static NUMBERS: &[(&str, i32)] = &[\n",
        crate::generated::NOTICE
    );
    for name in names {
        let _ = writeln!(text, "    (\"{name}\", super::{name}),");
    }
    text.push_str("];\n");
    text
}

fn is_number(c_type: &str) -> bool {
    matches!(c_type, "MQLONG" | "MQHCONN" | "MQHOBJ")
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
    let mut files = modules.clone();
    files.push("names");
    files.sort_unstable();
    for file in files {
        let _ = writeln!(text, "mod {file};");
    }
    text.push('\n');
    for module in &modules {
        let _ = writeln!(text, "pub use {module}::*;");
    }
    text.push_str(
        "\n/// The number of a constant by its name, such as `MQGMO_WAIT`; none for a text, for bytes and for a name that \
         there\n/// is not.\n#[must_use]\npub fn number_of(name: &str) -> Option<i32> {\n    \
         let at = names::NUMBERS.binary_search_by_key(&name, |(name, _)| name).ok()?;\n    \
         names::NUMBERS.get(at).map(|(_, number)| *number)\n}\n\n\
         /// The names of a number among those that begin so, in order; looks at every constant.\n\
         pub fn names_of(number: i32, prefix: &str) -> impl Iterator<Item = &'static str> {\n    \
         let named = names::NUMBERS.iter().filter(move |(_, known)| *known == number);\n    \
         named.map(|(name, _)| *name).filter(move |name| name.starts_with(prefix))\n}\n",
    );
    text
}

fn declaration(row: &Constant) -> Result<String> {
    let name = &row.name;
    let value = &row.value;
    Ok(match row.c_type.as_str() {
        c_type if is_number(c_type) => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_ours_is_used_once() {
        let row = |number: &str, name: &str| [number.to_owned(), name.to_owned(), "Something".to_owned()];
        let text = ours(&[row("20001", "ONE"), row("20003", "TWO")]).unwrap();
        assert!(text.ends_with(
            "/// Something.\npub const ONE: i32 = 20001;\n/// Something.\npub const TWO: i32 = 20003;\n"
        ));
        let twice = ours(&[row("20001", "ONE"), row("20001", "TWO")]).unwrap_err().to_string();
        assert!(twice.starts_with("TWO has number 20001"), "{twice}");
        assert!(ours(&[row("258", "LOW")]).is_err(), "the interface has numbers there");
    }
}
