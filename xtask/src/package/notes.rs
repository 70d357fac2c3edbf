//! Notes of a build: the parts of the changelog about its version, and about what changed since.

use super::facts::Facts;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Name of the file.
pub(super) const FILE: &str = "NOTES.md";

/// Heading of the changes that no release has.
const UNRELEASED: &str = "Unreleased";

/// The notes of this build.
pub(super) fn of(root: &Path, facts: &Facts) -> Result<String> {
    notes(&changes(root)?, &facts.version, &facts.commit)
}

/// Says whether the build has changes that no release has.
pub(super) fn has_unreleased_changes(root: &Path) -> Result<bool> {
    Ok(section(&changes(root)?, UNRELEASED).is_some_and(|section| !section.text.is_empty()))
}

fn changes(root: &Path) -> Result<String> {
    fs::read_to_string(root.join("CHANGELOG.md")).context("cannot read CHANGELOG.md")
}

fn notes(changes: &str, version: &str, commit: &str) -> Result<String> {
    let released =
        section(changes, version).with_context(|| format!("CHANGELOG.md has no heading \"## {version}\""))?;
    let unreleased = section(changes, UNRELEASED).filter(|section| !section.text.is_empty());
    Ok(match unreleased {
        None => format!("# FerryMQ {}\n\n{}\n", released.heading, released.text),
        Some(unreleased) => format!(
            "# FerryMQ {version} and changes since, commit {commit}\n\n## Changes since {version}\n\n{}\n\n## {}\n\n{}\n",
            unreleased.text, released.heading, released.text
        ),
    })
}

/// A part of the changelog.
struct Section<'a> {
    heading: &'a str,
    text: String,
}

/// The part under a heading that begins with this word.
fn section<'a>(changes: &'a str, word: &str) -> Option<Section<'a>> {
    let heading = |line: &'a str| {
        let heading = line.strip_prefix("## ")?;
        let rest = heading.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with([',', ' '])).then_some(heading)
    };
    let mut lines = changes.lines();
    let heading = lines.by_ref().find_map(heading)?;
    let text: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    Some(Section { heading, text: text.join("\n").trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASED: &str =
        "## 0.1.10\n\n- ten\n\n## 0.1.1, 2026-11-26\n\n### Added\n\n- one\n\n## 0.1.0\n\n- none\n";

    #[test]
    fn notes_are_the_part_of_the_changelog_about_the_version() {
        for changes in [RELEASED.to_owned(), format!("# Changelog\n\n## Unreleased\n\n{RELEASED}")] {
            let notes = |version| notes(&changes, version, "abc");
            assert_eq!(notes("0.1.1").unwrap(), "# FerryMQ 0.1.1, 2026-11-26\n\n### Added\n\n- one\n");
            assert_eq!(notes("0.1.10").unwrap(), "# FerryMQ 0.1.10\n\n- ten\n");
            let error = notes("0.2.0").unwrap_err().to_string();
            assert!(error.contains("## 0.2.0"), "{error}");
        }
    }

    #[test]
    fn notes_of_a_build_after_a_release_begin_with_the_changes_since() {
        let changes = format!("# Changelog\n\n## Unreleased\n\n### Added\n\n- new\n\n{RELEASED}");
        let expected = "# FerryMQ 0.1.10 and changes since, commit abc\n\n## Changes since 0.1.10\n\n### Added\n\n\
                        - new\n\n## 0.1.10\n\n- ten\n";
        assert_eq!(notes(&changes, "0.1.10", "abc").unwrap(), expected);
    }
}
