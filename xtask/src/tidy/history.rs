//! Facts that tidy checks take from git; a tree without its history has none.

use std::path::Path;
use std::process::Command;

use crate::steps;

/// Most characters of a commit's subject.
const SUBJECT_MAX: usize = 72;

/// Commits made after this moment are judged; the rule is not older.
const SUBJECTS_SINCE: &str = "2026-11-25T23:30:00+00:00";

/// The output of a git command, or nothing where there is no git, no history or no such object.
pub(super) fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

pub(super) fn check_subjects(root: &Path, faults: &mut Vec<String>) {
    let since = format!("--since={SUBJECTS_SINCE}");
    match git(root, &["log", "--no-merges", "--format=%h %s", &since]) {
        Some(log) => judge_subjects(&log, faults),
        None => steps::say_skipped("subjects of commits: git knows no history here"),
    }
}

/// Judges lines "abbreviated-hash subject".
fn judge_subjects(log: &str, faults: &mut Vec<String>) {
    for (commit, subject) in log.lines().filter_map(|line| line.split_once(' ')) {
        let length = subject.chars().count();
        if length > SUBJECT_MAX {
            faults.push(format!(
                "commit {commit}: its subject has {length} characters where at most {SUBJECT_MAX} are allowed: say \
                 in the subject what changes and in the body why (\"{subject}\")"
            ));
        }
    }
}

/// A line as it was added: path and number from 1.
pub(super) type Added = (String, usize);

/// The lines that a difference without context adds.
pub(super) fn added_lines(difference: &str) -> Vec<Added> {
    let mut added = Vec::new();
    let mut path = "";
    for line in difference.lines() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            path = name;
        } else if let Some(range) = line.strip_prefix("@@ ").and_then(|rest| rest.split(' ').nth(1)) {
            let (start, count) =
                range.trim_start_matches('+').split_once(',').unwrap_or_else(|| (&range[1..], "1"));
            let (Ok(start), Ok(count)) = (start.parse::<usize>(), count.parse::<usize>()) else { continue };
            added.extend((start..start + count).map(|number| (path.to_owned(), number)));
        }
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_of_73_characters_is_a_fault() {
        let mut faults = Vec::new();
        judge_subjects(&format!("abc {}\ndef {}\n", "é".repeat(72), "f".repeat(73)), &mut faults);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("commit def: its subject has 73"), "{faults:?}");
    }

    #[test]
    fn added_lines_are_read_from_the_heads_of_a_difference() {
        let difference = "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -1 +1,2 @@ fn a\n-a\n+b\n+c\n@@ -9,2 +10 @@\n";
        let expected = [("x.rs".to_owned(), 1), ("x.rs".to_owned(), 2), ("x.rs".to_owned(), 10)];
        assert_eq!(added_lines(difference), expected);
    }
}
