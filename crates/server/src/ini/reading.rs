//! From the text of a `qm.ini` to its keys, each with its stanza and line.

use super::table::{self, StanzaRow};
use crate::configuration::Fault;

/// Most bytes of the file: a thousand times those of one that is usual.
pub const FILE_BYTES_MAX: usize = 4 << 20;

/// Most bytes of one line, the longest path and its key included.
pub const LINE_BYTES_MAX: usize = 8 << 10;

/// A key with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'text> {
    pub(super) stanza: &'static StanzaRow,
    /// Counts the stanzas of the file.
    pub(super) number: usize,
    pub(super) key: &'text str,
    pub(super) value: &'text str,
    /// Its line, counted from one.
    pub(super) line: usize,
}

/// The stanza that the lines belong to.
enum Within {
    /// None has begun yet.
    Nothing,
    /// One that is not known: its keys are not judged.
    Unknown,
    Stanza(&'static StanzaRow),
}

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Vec<Entry<'_>>, Vec<Fault>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut faults = Vec::new();
    let mut begun: Vec<(&'static StanzaRow, usize)> = Vec::new();
    let mut within = Within::Nothing;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.len() > FILE_BYTES_MAX {
        let what = format!("the file has more than {} MiB", FILE_BYTES_MAX >> 20);
        return Err(vec![Fault { line: 1, what }]);
    }
    for (index, source) in text.lines().enumerate() {
        let line = index + 1;
        let mut wrong = |what: String| faults.push(Fault { line, what });
        if source.len() > LINE_BYTES_MAX {
            wrong(format!("the line has {} bytes, and at most {LINE_BYTES_MAX} are allowed", source.len()));
            continue;
        }
        if let Some(at) = source.find(|character: char| character.is_control() && character != '\t') {
            let code = source[at..].chars().next().map_or(0, u32::from);
            wrong(format!("character {} of the line is the control character U+{code:04X}", at + 1));
            continue;
        }
        let content = source.trim();
        if content.is_empty() || content.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = content.strip_suffix(':').filter(|name| !name.contains('=')) {
            within = match begin(name.trim(), &begun) {
                Ok(stanza) => {
                    begun.push((stanza, line));
                    Within::Stanza(stanza)
                }
                Err(what) => {
                    wrong(what);
                    Within::Unknown
                }
            };
            continue;
        }
        let Some((key, value)) = content.split_once('=') else {
            wrong(format!("\"{content}\" is neither a stanza (Name:) nor a key with its value (Key=value)"));
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        match within {
            Within::Nothing => wrong(format!("{key} stands in no stanza: begin with one, such as Log:")),
            Within::Unknown => {}
            Within::Stanza(stanza) if value.is_empty() => {
                wrong(format!("{} {key} has no value: write {key}=value or leave the line out", stanza.name));
            }
            Within::Stanza(stanza) => {
                let number = begun.len();
                let same =
                    |earlier: &&Entry<'_>| earlier.number == number && earlier.key.eq_ignore_ascii_case(key);
                match entries.iter().rev().find(same) {
                    Some(earlier) => wrong(format!(
                        "{} {key} is given twice, first on line {}: leave one out",
                        stanza.name, earlier.line
                    )),
                    None => entries.push(Entry { stanza, number, key, value, line }),
                }
            }
        }
    }
    if faults.is_empty() { Ok(entries) } else { Err(faults) }
}

/// The stanza that begins, which may come once unless it describes one of several things.
fn begin(name: &str, begun: &[(&'static StanzaRow, usize)]) -> Result<&'static StanzaRow, String> {
    let stanza = table::stanza(name)?;
    match begun.iter().find(|(earlier, _)| earlier.name == stanza.name) {
        Some((_, line)) if !stanza.repeats => {
            Err(format!("the stanza {} is there twice, first on line {line}: make one of both", stanza.name))
        }
        _ => Ok(stanza),
    }
}
