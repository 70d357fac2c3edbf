//! The reason codes that a program can be given today: the marks of `facts/reason_marks.txt`.
//!
//! Lives here: reading them. Lives elsewhere: whether they are true of the sources (`tidy::marks`), and that
//! every reason which is given was provoked (`scenario/tests/it/coverage.rs`).
//!
//! Always: every reason code has one mark.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// The file, relative to the root of the project.
pub(crate) const PATH: &str = "crates/mqi/facts/reason_marks.txt";

/// Mark of a reason: it can be given today, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A verb gives it. One that no scenario provokes names a test that does: its file and its function.
    Given { test: Option<(String, String)> },
    /// No verb gives it, but a message or a library may name it.
    Told(String),
    /// Its cause is not yet supported.
    NotYet(String),
    /// Its cause does not exist in FerryMQ.
    Never(String),
}

impl Mark {
    /// As a reader of the reference sees it.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Given { .. } => "yes".to_owned(),
            Self::Told(why) => format!("no: {why}"),
            Self::NotYet(why) => format!("not yet: {why}"),
            Self::Never(why) => format!("never: {why}"),
        }
    }
}

/// The mark of each reason code by its name without `MQRC_`.
pub(crate) fn read(root: &Path) -> Result<BTreeMap<String, Mark>> {
    let text = std::fs::read_to_string(root.join(PATH)).with_context(|| format!("cannot read {PATH}"))?;
    let mut marks = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, mark)) = mark(line) else {
            bail!(
                "{PATH}:{number}: expected NAME | given, NAME | given | FILE::TEST, or NAME | told, not yet or never | WHY"
            );
        };
        if marks.insert(name.clone(), mark).is_some() {
            bail!("{PATH}:{number}: {name} is marked twice");
        }
    }
    Ok(marks)
}

fn mark(line: &str) -> Option<(String, Mark)> {
    let mut parts = line.splitn(3, '|').map(str::trim);
    let (name, mark, rest) = (parts.next()?, parts.next()?, parts.next().map(str::to_owned));
    let mark = match (mark, rest) {
        ("given", None) => Mark::Given { test: None },
        ("given", Some(test)) => {
            let (path, name) = test.split_once("::")?;
            Mark::Given { test: Some((path.to_owned(), name.to_owned())) }
        }
        ("told", Some(why)) => Mark::Told(why),
        ("not yet", Some(why)) => Mark::NotYet(why),
        ("never", Some(why)) => Mark::Never(why),
        _ => return None,
    };
    Some((name.to_owned(), mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_says_how_it_is_shown_or_why_it_is_not() {
        for (line, words) in [
            ("Q_FULL | given", Some("yes")),
            ("X | given | crates/a/tests/it/b.rs::c", Some("yes")),
            ("X | not yet | clusters", Some("not yet: clusters")),
            ("X | told | only in event messages", Some("no: only in event messages")),
            ("X | not yet", None),
            ("X | perhaps | later", None),
            ("X", None),
        ] {
            assert_eq!(mark(line).map(|(_, mark)| mark.words()).as_deref(), words, "{line}");
        }
    }
}
