//! Counts of what is to be mended bit by bit: they only fall.
//!
//! Lines and files of tests count for their words and not for the form of their code. A file is in a room, a
//! file or folder right under `src` of a crate whose rooms have an order; an arrow leads from a file to each
//! other file that it takes a name from (`imports`). An arrow up is counted twice: once for its two rooms,
//! once for its two files, since a pair of rooms goes only with the last of its files.
//!
//! The counts are kept in `xtask/src/tidy/ratchet.csv`, a row for each check and place. A count above its row
//! is a fault. One below it is printed; `cargo xtask tidy --lower` writes it down. Code that moves between
//! places may take its count along by an edit of the rows, so long as the sum of the check is not above the
//! smallest ever committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use super::history::{added_lines, git};
use super::imports::Graph;
use super::lexer::code_of;
use super::sources::{SourceFile, Sources, is_test};
use super::{forms, words};

const PATH: &str = "xtask/src/tidy/ratchet.csv";

const HEAD: &str = "\
# Counts that only fall, kept by `cargo xtask tidy`; `cargo xtask tidy --lower` writes lower ones.
check,place,count
";

/// Earlier versions of the counts that are read to see that no sum rose: enough for any branch.
const VERSIONS_READ_MAX: usize = 50;

/// Places shown of a count that rose.
const SHOWN_MAX: usize = 10;

/// Modules of a crate whose types may share a name: with more of them a reader no longer knows which one is
/// meant.
const MODULES_SHARING_MAX: usize = 3;

/// The checks, each with the thing that it counts.
const CHECKS: &[(&str, &str)] = &[
    (
        "openings",
        "documentation lines that open with a word of a question, such as what or which, or with those",
    ),
    (
        "people",
        "lines with words for people without a role: say the caller, the putter, the getter, the administrator",
    ),
    ("wide-comments", "lines on which a comment is wider than code may be, 110 characters"),
    ("circles", "files in circles of imports, through re-exports"),
    ("arrows-up", "arrows from a room to one above it; xtask/src/tidy/rooms.rs has the order"),
    ("file-arrows-up", "arrows from a file to one in a room above its own"),
    ("public-methods", "public functions of the types through which hosts reach the engine"),
    ("tuple-parameters", "parameters that are patterns of tuples: name the tuple, or pass its parts"),
    ("match-bool", "places with `match` on a truth value: say `if`"),
    (
        "shared-names",
        "names that types in more than three modules of a crate share: name each for what it is",
    ),
];

/// Findings of every check by check and place; each names a file with a line, a file, or an arrow.
type Findings = BTreeMap<(&'static str, String), Vec<Finding>>;

struct Finding {
    what: String,
    /// The line it stands on, for a finding that stands on one.
    line: Option<(String, usize)>,
}

impl Finding {
    fn at(path: &str, line: usize) -> Self {
        Self { what: format!("{path}:{line}"), line: Some((path.to_owned(), line)) }
    }
}

type Counts = BTreeMap<(String, String), usize>;

/// Compares every count with its row, or writes the rows that are lower.
pub(super) fn check(root: &Path, sources: &Sources, is_lower: bool, faults: &mut Vec<String>) -> Result<()> {
    let findings = find(root, sources, faults)?;
    let text = std::fs::read_to_string(root.join(PATH)).unwrap_or_default();
    let recorded = parse(&text)?;
    judge_versions(root, &recorded, faults)?;
    let counts = count(&findings);
    let rose = report(&counts, &recorded);
    for row in &rose {
        let most = recorded.get(row).copied().unwrap_or(0);
        let found = findings.iter().find(|((check, place), _)| *check == row.0 && *place == row.1);
        let found = found.map(|(_, found)| found.as_slice()).unwrap_or_default();
        let (_, what) = CHECKS.iter().find(|(check, _)| *check == row.0).context("a check without a row")?;
        faults.push(format!(
            "{}: {} {what}; {PATH} allows {most}. {}",
            row.1,
            found.len(),
            new_ones(root, found)
        ));
    }
    if is_lower {
        std::fs::write(root.join(PATH), print(&lowered(&counts, &recorded, text.is_empty())))?;
        println!("wrote {PATH}");
    }
    Ok(())
}

fn find(root: &Path, sources: &Sources, faults: &mut Vec<String>) -> Result<Findings> {
    let mut findings = Findings::new();
    let mut add_lines = |check: &'static str, path: &str, lines: Vec<usize>| {
        let found = lines.into_iter().map(|line| Finding::at(path, line));
        findings.entry((check, place_of(path))).or_default().extend(found);
    };
    for file in sources.files() {
        add_lines("openings", &file.path, words::opened_badly(file));
        add_lines("people", &file.path, words::with_people(&file.text));
        add_lines("wide-comments", &file.path, words::too_wide(file));
    }
    for (path, text) in super::paths::documents(root)? {
        add_lines("people", &path, words::with_people(&text));
    }
    let mut folders: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for file in sources.files().iter().filter(|file| !is_test(&file.path)) {
        let code = code_of(&file.text);
        add_lines("tuple-parameters", &file.path, forms::tuple_parameters(&code));
        add_lines("match-bool", &file.path, forms::matches_on_bool(&code));
        folders.entry(place_of(&file.path)).or_default().push((file, code));
    }
    for (folder, files) in folders {
        findings.entry(("shared-names", folder.clone())).or_default().extend(shared_names(&files));
        let graph = Graph::read(&folder, &files);
        let plain = |what: String| Finding { what, line: None };
        let circles = graph.in_circles().into_iter().map(str::to_owned);
        let up = graph.arrows_up(&folder, faults).unwrap_or_default();
        findings.entry(("circles", folder.clone())).or_default().extend(circles.map(plain));
        findings.entry(("arrows-up", folder.clone())).or_default().extend(up.of_rooms.into_iter().map(plain));
        findings
            .entry(("file-arrows-up", folder.clone()))
            .or_default()
            .extend(up.of_files.into_iter().map(plain));
        if folder == forms::DOORS_IN {
            add_doors(&files, &mut findings);
        }
    }
    Ok(findings)
}

/// Names that the types of too many modules of a crate share, each with those modules.
fn shared_names(files: &[(&SourceFile, String)]) -> Vec<Finding> {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (file, code) in files {
        for (_, name) in forms::declared_types(code) {
            places.entry(name).or_default().insert(&file.path);
        }
    }
    let shared = places.into_iter().filter(|(_, paths)| paths.len() > MODULES_SHARING_MAX);
    shared
        .map(|(name, paths)| {
            let paths: Vec<&str> = paths.into_iter().collect();
            Finding { what: format!("{name} ({})", paths.join(" ")), line: None }
        })
        .collect()
}

/// Adds the public functions of each door of the engine; the door is the place.
fn add_doors(files: &[(&SourceFile, String)], findings: &mut Findings) {
    for (file, code) in files {
        for door in forms::DOORS {
            let found =
                forms::public_functions(code, door).into_iter().map(|line| Finding::at(&file.path, line));
            findings.entry(("public-methods", (*door).to_owned())).or_default().extend(found);
        }
    }
}

/// The crate or the folder that a count belongs to.
fn place_of(path: &str) -> String {
    let mut folders = path.split('/');
    match (folders.next(), folders.next()) {
        (Some("crates"), Some(name)) if !name.contains('.') => format!("crates/{name}"),
        (Some(folder), Some(_)) => folder.to_owned(),
        _ => ".".to_owned(),
    }
}

fn count(findings: &Findings) -> Counts {
    let counts =
        findings.iter().map(|((check, place), found)| (((*check).to_owned(), place.clone()), found.len()));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// Prints each check with its sum and by how much it fell; returns the rows that rose.
fn report(counts: &Counts, recorded: &Counts) -> Vec<(String, String)> {
    println!("counts that only fall:");
    for (check, what) in CHECKS {
        let (now, before) = (sum(counts, check), sum(recorded, check));
        let change = match before.cmp(&now) {
            std::cmp::Ordering::Greater => {
                format!("fell by {}; `cargo xtask tidy --lower` records it", before - now)
            }
            std::cmp::Ordering::Equal => "as recorded".to_owned(),
            std::cmp::Ordering::Less => format!("ROSE by {}", now - before),
        };
        println!("  {now:>5}  {what} ({change})");
    }
    let rose = counts.iter().filter(|(row, count)| **count > recorded.get(*row).copied().unwrap_or(0));
    rose.map(|(row, _)| row.clone()).collect()
}

fn sum(counts: &Counts, check: &str) -> usize {
    counts.iter().filter(|((row, _), _)| row == check).map(|(_, count)| count).sum()
}

/// The findings on lines that were added since the counts were last recorded; all of them where none is.
fn new_ones(root: &Path, found: &[Finding]) -> String {
    let recorded_by = git(root, &["log", "-1", "--format=%H", "--", PATH]).unwrap_or_default();
    let base = if recorded_by.trim().is_empty() { "HEAD" } else { recorded_by.trim() };
    let difference =
        git(root, &["diff", "--unified=0", "--no-color", "--no-ext-diff", base]).unwrap_or_default();
    let added: BTreeSet<_> = added_lines(&difference).into_iter().collect();
    let unknown = git(root, &["ls-files", "--others", "--exclude-standard"]).unwrap_or_default();
    let unknown: BTreeSet<&str> = unknown.lines().collect();
    let is_new = |line: &(String, usize)| added.contains(line) || unknown.contains(line.0.as_str());
    let new: Vec<&str> = found
        .iter()
        .filter(|finding| finding.line.as_ref().is_some_and(is_new))
        .map(|finding| finding.what.as_str())
        .collect();
    let (title, shown) = match new.as_slice() {
        [] => ("They are", found.iter().map(|finding| finding.what.as_str()).collect()),
        new => ("Mend the new ones", new.to_vec()),
    };
    let rest = shown.len().saturating_sub(SHOWN_MAX);
    let more = if rest > 0 { format!(", and {rest} more") } else { String::new() };
    format!("{title}: {}{more}", shown[..shown.len() - rest].join(", "))
}

/// The sum of no check may be above the smallest of the versions that were committed.
fn judge_versions(root: &Path, recorded: &Counts, faults: &mut Vec<String>) -> Result<()> {
    let most = format!("-{VERSIONS_READ_MAX}");
    let commits = git(root, &["log", &most, "--format=%H", "--", PATH]).unwrap_or_default();
    let mut versions = Vec::new();
    for commit in commits.lines() {
        if let Some(text) = git(root, &["show", &format!("{commit}:{PATH}")]) {
            versions.push(parse(&text).with_context(|| format!("{PATH} at {commit}"))?);
        }
    }
    for (check, _) in CHECKS {
        let now = sum(recorded, check);
        let least = versions.iter().map(|version| sum(version, check)).filter(|sum| *sum > 0).min();
        if let Some(least) = least.filter(|least| *least < now) {
            faults.push(format!(
                "{PATH}: {check} has a sum of {now} and had one of {least}: the sum only falls"
            ));
        }
    }
    Ok(())
}

/// The smaller of count and row; with no rows at all, the counts.
fn lowered(counts: &Counts, recorded: &Counts, is_first: bool) -> Counts {
    if is_first {
        return counts.clone();
    }
    let lower = recorded.iter().filter_map(|(row, most)| Some((row.clone(), *counts.get(row)?.min(most))));
    lower.collect()
}

fn parse(text: &str) -> Result<Counts> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| {
        let [check, place, count] = line.split(',').collect::<Vec<_>>()[..] else {
            anyhow::bail!("{PATH}: \"{line}\" is no row of check, place and count");
        };
        let count = count.parse().with_context(|| format!("{PATH}: {line}"))?;
        Ok(((check.to_owned(), place.to_owned()), count))
    })
    .collect()
}

fn print(counts: &Counts) -> String {
    let mut text = HEAD.to_owned();
    for ((check, place), count) in counts {
        let _ = writeln!(text, "{check},{place},{count}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(&str, &str, usize)]) -> Counts {
        rows.iter()
            .map(|(check, place, count)| (((*check).to_owned(), (*place).to_owned()), *count))
            .collect()
    }

    #[test]
    fn a_count_that_rises_is_reported_even_while_another_falls() {
        let recorded = counts(&[("openings", "crates/a", 5), ("openings", "crates/b", 5)]);
        let rose = |now: &[(&str, &str, usize)]| report(&counts(now), &recorded).len();
        assert_eq!(rose(&[("openings", "crates/a", 5), ("openings", "crates/b", 5)]), 0);
        assert_eq!(rose(&[("openings", "crates/a", 1)]), 0);
        assert_eq!(rose(&[("openings", "crates/a", 1), ("openings", "crates/b", 6)]), 1);
        assert_eq!(rose(&[("people", "crates/a", 1)]), 1, "a place without a row has none to spend");
    }

    #[test]
    fn rows_are_lowered_and_never_raised() {
        let recorded = counts(&[("circles", "a", 5), ("circles", "b", 5), ("circles", "c", 5)]);
        let now = counts(&[("circles", "a", 3), ("circles", "b", 9), ("people", "d", 1)]);
        assert_eq!(lowered(&now, &recorded, false), counts(&[("circles", "a", 3), ("circles", "b", 5)]));
        assert_eq!(lowered(&now, &Counts::new(), true), now);
    }

    #[test]
    fn rows_are_read_as_they_are_written_and_a_broken_one_is_an_error() {
        let rows = counts(&[("circles", "crates/a", 5), ("people", ".", 1)]);
        assert_eq!(parse(&print(&rows)).unwrap(), rows);
        assert!(parse("check,place,count\ncircles,crates/a\n").is_err());
        assert!(parse("check,place,count\ncircles,crates/a,many\n").is_err());
    }

    #[test]
    fn a_sum_above_one_that_was_committed_is_a_fault_and_a_move_between_places_is_none() {
        let root = tempfile::tempdir().unwrap();
        let run = |arguments: &[&str]| assert!(git(root.path(), arguments).is_some(), "{arguments:?}");
        let faults_of = |rows: &Counts| {
            let mut faults = Vec::new();
            judge_versions(root.path(), rows, &mut faults).unwrap();
            faults
        };
        let high = counts(&[("openings", "crates/a", 9)]);
        let low = counts(&[("openings", "crates/a", 4)]);
        assert_eq!(faults_of(&high), Vec::<String>::new(), "without a history nothing is known");
        run(&["init", "--quiet"]);
        std::fs::create_dir_all(root.path().join(PATH).parent().unwrap()).unwrap();
        for rows in [&high, &low] {
            std::fs::write(root.path().join(PATH), print(rows)).unwrap();
            run(&["add", "."]);
            run(&[
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b.example",
                "commit",
                "--quiet",
                "--message",
                "Count",
            ]);
        }
        assert_eq!(faults_of(&high).len(), 1);
        assert_eq!(faults_of(&counts(&[("openings", "crates/a", 1), ("openings", "crates/b", 3)])).len(), 0);
    }

    #[test]
    fn a_name_is_shared_by_the_types_of_more_than_three_modules() {
        let file = |at: usize| SourceFile { path: format!("crates/a/src/{at}.rs"), text: String::new() };
        let files: Vec<SourceFile> = (0..5).map(file).collect();
        let codes = [
            "struct Kind;\nstruct Error;\n",
            "enum Kind {}\ntype Kind = u8;\nenum Error {}\n",
            "pub enum Kind {}\n",
            "trait Error {}\n",
            "pub(crate) enum Error {}\n",
        ];
        let read: Vec<_> = files.iter().zip(codes.map(str::to_owned)).collect();
        let shared: Vec<String> = shared_names(&read).into_iter().map(|finding| finding.what).collect();
        assert_eq!(
            shared,
            ["Error (crates/a/src/0.rs crates/a/src/1.rs crates/a/src/3.rs crates/a/src/4.rs)"]
        );
    }

    #[test]
    fn a_place_is_a_crate_a_folder_or_the_root() {
        for (path, expected) in [
            ("crates/cli/src/main.rs", "crates/cli"),
            ("crates/README.md", "crates"),
            ("docs/reference/ferry.md", "docs"),
            ("README.md", "."),
        ] {
            assert_eq!(place_of(path), expected, "{path}");
        }
    }
}
