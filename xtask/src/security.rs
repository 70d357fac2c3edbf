//! The tables of `security` as Rust: the CipherSpecs, and the authorities that fit each type of object.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::facts;

/// The line that tells a reader where such a file comes from.
const NOTICE: &str = "Made by `cargo xtask generate` from the tables in `crates/security/facts`; change those, then\n//! run it again.";

/// Makes the tables of the crate: the path of each, and its text.
pub(crate) fn files(root: &Path) -> Result<[(&'static str, String); 2]> {
    Ok([
        ("crates/security/src/cipherspecs/table.rs", cipherspecs(root)?),
        ("crates/security/src/authority/table.rs", authorities(root)?),
    ])
}

fn cipherspecs(root: &Path) -> Result<String> {
    let mut text = format!(
        "//! Every CipherSpec, the preferred ones first.\n//!\n//! {NOTICE}\n\n\
         use super::suite::{{Cipher, CipherSpec, Protocol, Provider}};\n\npub(super) static ALL: &[CipherSpec] = &[\n"
    );
    for [name, protocol, number, cipher, provider, suite] in facts::rows_of(root, "security", "cipherspecs")?
    {
        let protocol = match &*protocol {
            "1.2" => "Tls12",
            "1.3" => "Tls13",
            other => bail!("cipherspecs: {name} has protocol {other}"),
        };
        let cipher = match &*cipher {
            "AEAD" => "Aead",
            "CBC" => "Cbc",
            "CCM" => "Ccm",
            "CCM_8" => "CcmShort",
            other => bail!("cipherspecs: {name} has cipher {other}"),
        };
        let provider = match &*provider {
            "standard" => "Standard",
            "legacy" => "Legacy",
            other => bail!("cipherspecs: {name} has provider {other}"),
        };
        let number = u16::from_str_radix(&number, 16).with_context(|| format!("cipherspecs: {name}"))?;
        writeln!(
            text,
            "CipherSpec {{ name: \"{name}\", suite: \"{suite}\", number: {number:#06X}, protocol: \
             Protocol::{protocol}, cipher: Cipher::{cipher}, provider: Provider::{provider} }},"
        )?;
    }
    text.push_str("];\n");
    Ok(text)
}

fn authorities(root: &Path) -> Result<String> {
    let rows = facts::rows_of::<5>(root, "security", "authorities")?;
    let mut text = format!(
        "//! The types of objects that have authorities, and the authorities that fit each.\n//!\n//! {NOTICE}\n\n\
         use super::set::Set;\nuse mqi::{{constants, ours}};\n\n\
         /// A type of object that authority records name.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum ObjectType {{\n"
    );
    for [object_type, mqsc, ..] in &rows {
        writeln!(text, "/// `{mqsc}`\n{object_type},")?;
    }
    text.push_str("}\n\n/// One type: its keyword, its number, and the authorities that fit it.\npub(super) struct Row {\n");
    text.push_str("pub(super) object_type: ObjectType,\npub(super) keyword: &'static str,\n");
    text.push_str("pub(super) number: i32,\npub(super) mqi: Set,\npub(super) administration: Set,\n}\n\n");
    text.push_str(
        "/// A row for each type, in the order of [`ObjectType`].\npub(super) static ROWS: &[Row] = &[\n",
    );
    for [object_type, mqsc, constant, interface, administration] in &rows {
        let table = if constant.starts_with("MQ") { "constants" } else { "ours" };
        writeln!(
            text,
            "Row {{ object_type: ObjectType::{object_type}, keyword: \"{mqsc}\", number: {table}::{constant}, mqi: \
             {}, administration: {} }},",
            set(interface),
            set(administration)
        )?;
    }
    text.push_str("];\n");
    Ok(text)
}

/// The expression of a set of authorities, given as keywords.
fn set(keywords: &str) -> String {
    let mut text = "Set::EMPTY".to_owned();
    for keyword in keywords.split_whitespace() {
        let _ = write!(text, ".with(Set::{keyword})");
    }
    text
}
