//! The table of reason codes: numbers from the constants, meanings from `facts/reason_texts.txt`, marks from
//! `facts/reason_marks.txt` (`marks`).
//!
//! A code without a text of its own gets a plain sentence derived from its name.

use crate::facts;
use crate::generated::{File, NOTICE};
use crate::marks::{self, Mark};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// One reason code as the generated files need it.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) code: i32,
    pub(crate) text: String,
    pub(crate) action: String,
    pub(crate) mark: Mark,
    /// A later name for a code that already has one.
    pub(crate) alias: bool,
}

/// Every reason code in ascending order.
pub(crate) fn rows(root: &Path) -> Result<Vec<Row>> {
    let mut texts = texts(root)?;
    let mut marks = marks::read(root)?;
    let mut rows = Vec::new();
    let mut named_codes = std::collections::BTreeSet::new();
    for constant in facts::constants(root)? {
        let Some(name) = constant.name.strip_prefix("MQRC_") else { continue };
        let code: i32 = constant.value.parse().with_context(|| constant.name.clone())?;
        let (text, action) = texts.remove(name).unwrap_or_else(|| derived(name));
        let mark = marks.remove(name).with_context(|| {
            format!("{} has no line for {name}: say whether a program can be given it", marks::PATH)
        })?;
        rows.push(Row { name: name.to_owned(), code, text, action, mark, alias: !named_codes.insert(code) });
    }
    if let Some(name) = marks.keys().next() {
        bail!("{} marks {name}, which is not a reason code", marks::PATH);
    }
    if let Some(name) = texts.keys().next() {
        bail!("reason_texts.txt describes {name}, which is not a reason code");
    }
    rows.sort_by_key(|row| (row.code, row.alias));
    Ok(rows)
}

/// The generated half of `mqi::reason`.
pub(crate) fn table(root: &Path) -> Result<File> {
    let rows = rows(root)?;
    let mut text =
        format!("//! The rows of the reason table.\n//!\n//! {NOTICE}\n\nuse super::{{Reason, Row}};\n\n");
    text.push_str("impl Reason {\n");
    for row in &rows {
        let _ = write!(text, "/// {}\npub const {}: Self = Self({});\n", row.text, row.name, row.code);
    }
    text.push_str("}\n\n/// Ascending by code; a second name of a code follows the first.\npub(super) const ROWS: &[Row] = &[\n");
    for row in &rows {
        let _ = writeln!(
            text,
            "Row {{ reason: Reason::{}, name: \"MQRC_{}\", text: {:?}, action: {:?} }},",
            row.name, row.name, row.text, row.action
        );
    }
    text.push_str("];\n\n/// Every distinct reason, ascending.\npub(super) const DISTINCT: &[Reason] = &[\n");
    for row in rows.iter().filter(|row| !row.alias) {
        let _ = writeln!(text, "Reason::{},", row.name);
    }
    text.push_str("];\n");
    Ok(File { path: "crates/mqi/src/reason/table.rs".into(), text })
}

/// The reference page.
pub(crate) fn page(root: &Path) -> Result<File> {
    let rows = rows(root)?;
    let mut text = format!(
        "# Reason codes\n\n<!-- {NOTICE} -->\n\n\
         Every call ends with a completion code and a reason. `ferry explain 2033` prints the row of\n\
         one. The numbers and names are those of the message queue interface. The list includes codes that no call of\n\
         FerryMQ returns today, because a program or a partner may pass them on. A scenario or test provokes each code that a\n\
         call returns.\n\n\
         | code | name | meaning | what to do | given by a call |\n|---:|---|---|---|---|\n"
    );
    for row in &rows {
        let Row { code, name, text: meaning, action, mark, .. } = row;
        let mark = mark.words();
        let _ = writeln!(text, "| {code} | `MQRC_{name}` | {meaning} | {action} | {mark} |");
    }
    Ok(File { path: "docs/reference/reasons.md".into(), text })
}

/// Lines of `NAME | meaning | what to do`; blank lines and lines that start with `#` are for the reader.
fn texts(root: &Path) -> Result<BTreeMap<String, (String, String)>> {
    let path = root.join("crates/mqi/facts/reason_texts.txt");
    let content =
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut texts = BTreeMap::new();
    for (number, line) in content.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.splitn(3, '|').map(str::trim);
        let (Some(name), Some(text), Some(action)) = (parts.next(), parts.next(), parts.next()) else {
            bail!("{}:{}: expected NAME | meaning | what to do", path.display(), number + 1);
        };
        if texts.insert(name.to_owned(), (text.to_owned(), action.to_owned())).is_some() {
            bail!("{}:{}: {name} is described twice", path.display(), number + 1);
        }
    }
    Ok(texts)
}

/// A plain sentence for a code nobody has described yet.
fn derived(name: &str) -> (String, String) {
    let words: Vec<String> = name.split('_').map(expanded).collect();
    let phrase = words.join(" ");
    let text = match name.strip_suffix("_ERROR") {
        Some(_) => format!("Not valid: {}.", phrase.trim_end_matches(" error")),
        None => format!("The queue manager reports: {phrase}."),
    };
    (text, "Look at the call that gave this code and at the error log of the queue manager.".to_owned())
}

/// Abbreviations in the names of constants and the words behind them.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("ALT", "alternative"),
    ("APPL", "application"),
    ("ATTR", "attribute"),
    ("ATTRS", "attributes"),
    ("AUTH", "authority"),
    ("CERT", "certificate"),
    ("CHAR", "character"),
    ("CMD", "command"),
    ("CONN", "connection"),
    ("CONV", "conversion"),
    ("CORREL", "correlation"),
    ("DEF", "default"),
    ("DEFS", "definitions"),
    ("DEST", "destination"),
    ("DISC", "disconnect"),
    ("ENC", "encoding"),
    ("ENV", "environment"),
    ("ERR", "error"),
    ("EXCL", "exclusive"),
    ("HDR", "header"),
    ("ID", "identifier"),
    ("IDENT", "identity"),
    ("INT", "integer"),
    ("MCAST", "multicast"),
    ("MGR", "manager"),
    ("MSG", "message"),
    ("MSGS", "messages"),
    ("PARM", "parameter"),
    ("PRECONN", "pre-connect"),
    ("PROP", "property"),
    ("PROPS", "properties"),
    ("PROV", "provider"),
    ("PUB", "publication"),
    ("PUBSUB", "publish/subscribe"),
    ("Q", "queue"),
    ("REC", "record"),
    ("RECOV", "recovery"),
    ("RECS", "records"),
    ("REQD", "required"),
    ("RES", "resolved"),
    ("SERV", "service"),
    ("SRC", "source"),
    ("STRUC", "structure"),
    ("SUB", "subscription"),
    ("SUBS", "subscriptions"),
    ("TARGTYPE", "target type"),
    ("UOW", "unit of work"),
    ("VAL", "validation"),
    ("XMIT", "transmission"),
];

/// Parts of names that stay as they are.
const ACRONYMS: &[&str] = &[
    "AIR", "AMQP", "ASID", "AXIS", "BMHO", "BNO", "BO", "CBD", "CCDT", "CCSID", "CCSIDS", "CD", "CF", "CFBF",
    "CFBS", "CFGR", "CFH", "CFIF", "CFIL", "CFIN", "CFSF", "CFSL", "CFST", "CICS", "CMHO", "CNO", "COD",
    "CSP", "CTLO", "DB2", "DBCS", "DH", "DLH", "DMHO", "DMPO", "EPH", "GMO", "HBAG", "HCONFIG", "HCONN",
    "HMSG", "HOBJ", "HTTPS", "IIH", "IMPO", "JMS", "JSSE", "LDAP", "MD", "MDE", "MHBO", "MQSC", "OCSP", "OD",
    "PCF", "PD", "PMO", "RAS", "RFH", "RMH", "SCO", "SD", "SMPO", "SNI", "SOAP", "SRO", "SSL", "STS", "TM",
    "TMC", "UCS2", "URL", "WIH", "WXP", "XA", "XCF", "XEPO", "XQH", "XR",
];

/// One part of a constant's name as a sentence would have it.
fn expanded(word: &str) -> String {
    if ACRONYMS.contains(&word) {
        return word.to_owned();
    }
    match ABBREVIATIONS.iter().find(|(abbreviation, _)| *abbreviation == word) {
        Some((_, meaning)) => (*meaning).to_owned(),
        None => word.to_lowercase(),
    }
}
