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
    /// Those that failed.
    pub failures: u64,
    /// How long they took.
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
