//! The file that keeps what every torture came to: a line for each run of a figure.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

const COLUMNS: &str = "id,seed,cases,failures,seconds,date,commit";

/// A run of a figure.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// The figure and what it was done to.
    pub id: &'a str,
    /// The first seed.
    pub seed: u64,
    /// Cases tried.
    pub cases: u64,
    /// Number of failures.
    pub failures: u64,
    /// Their duration.
    pub seconds: f64,
    /// Of which commit.
    pub commit: &'a str,
}

/// Adds a line to the results.
///
/// # Errors
/// When the file cannot be written.
pub fn add(path: &Path, line: &Line<'_>) -> Result<()> {
    let failed = || format!("cannot write {}", path.display());
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).with_context(failed)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(failed)?;
    if file.metadata().with_context(failed)?.len() == 0 {
        writeln!(file, "{COLUMNS}").with_context(failed)?;
    }
    let Line { id, seed, cases, failures, seconds, commit } = line;
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d");
    writeln!(file, "{id},{seed},{cases},{failures},{seconds:.1},{date},{commit}").with_context(failed)
}

/// A run as it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The figure and what it was done to.
    pub id: String,
    /// The first seed.
    pub seed: u64,
    /// Cases tried.
    pub cases: u64,
}

/// The runs kept in the file.
///
/// # Errors
/// When it cannot be read, or a line is none of ours.
pub fn recorded(path: &Path) -> Result<Vec<Recorded>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().skip(1);
    lines.map(|line| parse(line).with_context(|| format!("not a line of results: {line}"))).collect()
}

fn parse(line: &str) -> Option<Recorded> {
    let mut columns = line.split(',');
    let id = columns.next()?.to_owned();
    Some(Recorded { id, seed: columns.next()?.parse().ok()?, cases: columns.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_read_back() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("torture.csv");
        for seed in [7, 8] {
            let line = Line { id: "R1-log", seed, cases: 20, failures: 0, seconds: 1.25, commit: "abc" };
            add(&path, &line).expect("a line is added");
        }
        let expected = [7, 8].map(|seed| Recorded { id: "R1-log".to_owned(), seed, cases: 20 });
        assert_eq!(recorded(&path).expect("the file is read"), expected);
    }
}
