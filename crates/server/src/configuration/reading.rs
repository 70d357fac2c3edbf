//! From text to values: every key is taken by its row, what is left over is a fault.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::Spanned;
use toml::de::DeTable;

use super::nearest::nearest;
use super::table::rows;
use super::value::Setting;
use super::{Configuration, Fault};

/// The tables of a file while their values are taken.
pub(super) struct Reader<'a> {
    text: &'a str,
    root: DeTable<'a>,
    faults: Vec<Fault>,
}

pub(super) fn read(text: &str) -> Result<Configuration, Vec<Fault>> {
    let root = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        let what = match error.message() {
            DUPLICATE => duplicate(text, line),
            other => other.to_owned(),
        };
        vec![Fault { line, what }]
    })?;
    let mut reader = Reader { text, root: root.into_inner(), faults: Vec::new() };
    reader.refuse_unknown();
    let configuration = Configuration::fill(&mut reader);
    if reader.faults.is_empty() {
        return Ok(configuration);
    }
    reader.faults.sort_by_key(|fault| fault.line);
    Err(reader.faults)
}

/// The error of the parser for a section or key that the text has twice.
const DUPLICATE: &str = "duplicate key";

/// Names the section or key of a line, and the line that has it already.
fn duplicate(text: &str, line: usize) -> String {
    let mut section = "";
    let mut first = BTreeMap::new();
    for (number, words) in (1..=line).zip(text.lines()) {
        let header = words.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let key = words.split_once('=').map_or("", |(key, _)| key.trim());
        let place = match header {
            Some((name, _)) => {
                section = name.trim();
                (section, "")
            }
            None if key.is_empty() || key.starts_with('#') => continue,
            None => (section, key),
        };
        let earlier = *first.entry(place).or_insert(number);
        if number < line || earlier == line {
            continue;
        }
        return match place {
            (section, "") => format!(
                "the section [{section}] is there already, on line {earlier}: write its settings into that one"
            ),
            ("", key) => format!("{key} is set already, on line {earlier}: keep one of the two"),
            (section, key) => {
                format!("{section}.{key} is set already, on line {earlier}: keep one of the two")
            }
        };
    }
    "a section or setting is there twice: keep one of the two".to_owned()
}

/// Where in a text the value of a setting stands, in bytes; none where it does not have it or is no TOML.
#[must_use]
pub fn place_of(text: &str, section: &str, key: &str) -> Option<Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    Some(root.get_ref().get(section)?.get_ref().as_table()?.get(key)?.span())
}

impl Reader<'_> {
    /// The value of a setting; none when the file does not have it or has it wrong.
    pub(super) fn take<T: Setting>(&mut self, section: &str, key: &str, bounds: &T::Bounds) -> Option<T> {
        let value = self.root.get(section)?.get_ref().as_table()?.get(key)?;
        match T::read(value.get_ref(), bounds) {
            Ok(read) => Some(read),
            Err(allowed) => {
                let written = self.text.get(value.span()).unwrap_or_default();
                let what = format!("{section}.{key} = {written} is not right: it must be {allowed}");
                self.faults.push(Fault { line: line_of(self.text, value.span().start), what });
                None
            }
        }
    }

    fn refuse_unknown(&mut self) {
        let rows = rows();
        let sections: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
        for (name, value) in &self.root {
            let line = line_of(self.text, name.span().start);
            let section: &str = name.get_ref();
            let Some(row) = rows.iter().find(|row| row.name == section) else {
                let of_section = rows.iter().find(|row| row.settings.iter().any(|it| it.key == section));
                let hint = match of_section {
                    Some(row) => format!(": it belongs into the section [{}]", row.name),
                    None => did_you_mean(section, sections.iter().copied(), "sections"),
                };
                let what = format!("there is no section or setting {section}{hint}");
                self.faults.push(Fault { line, what });
                continue;
            };
            let Some(table) = value.get_ref().as_table() else {
                let what = format!("{section} is a section: write [{section}] on a line of its own");
                self.faults.push(Fault { line, what });
                continue;
            };
            for key in table.keys() {
                self.faults.extend(unknown_key(self.text, section, key, row));
            }
        }
    }
}

fn unknown_key(
    text: &str,
    section: &str,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    row: &super::table::SectionRow,
) -> Option<Fault> {
    let word: &str = key.get_ref();
    if row.settings.iter().any(|setting| setting.key == word) {
        return None;
    }
    let hint = did_you_mean(word, row.settings.iter().map(|setting| setting.key), "settings there");
    let what = format!("there is no setting {section}.{word}{hint}");
    Some(Fault { line: line_of(text, key.span().start), what })
}

fn did_you_mean<'a>(word: &str, candidates: impl Iterator<Item = &'a str> + Clone, kind: &str) -> String {
    match nearest(word, candidates.clone()) {
        Some(candidate) => format!(": did you mean {candidate}?"),
        None => format!("; the {kind} are {}", candidates.collect::<Vec<_>>().join(", ")),
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}
