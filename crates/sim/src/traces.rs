//! The results of seeds of recorded runs, so that a later run of a seed can be compared with the first.
//!
//! A trace is the digest of everything a seed did. It follows from the seed and from the code under
//! `crates/`, whose hash is kept beside it: the same code must give the same trace, on any machine. Other
//! code may give another, and usually does.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

const COLUMNS: &str = "id,seed,trace,code";
const NAME: &str = "traces.csv";
/// Text of the column for code that is not committed, or not in a repository.
pub const UNKNOWN_CODE: &str = "unknown";

/// Result of a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The figure and what it was done to.
    pub id: String,
    /// The seed.
    pub seed: u64,
    /// The digest.
    pub trace: u64,
    /// The code that it was, as [`code`] names it.
    pub code: String,
}

/// Where the traces of the runs in a file of results are.
#[must_use]
pub fn beside(results: &Path) -> PathBuf {
    results.with_file_name(NAME)
}

/// Names the code under `crates/`: two that have one name are the same.
#[must_use]
pub fn code() -> String {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").arg("-C").arg(env!("CARGO_MANIFEST_DIR")).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let changed = git(&["status", "--porcelain", "--", ".."]);
    match changed.as_deref() {
        Some("") => {
            git(&["rev-parse", "--short=12", "HEAD:crates"]).unwrap_or_else(|| UNKNOWN_CODE.to_owned())
        }
        _ => UNKNOWN_CODE.to_owned(),
    }
}

/// Adds traces.
///
/// # Errors
/// When the file cannot be written.
pub fn add(path: &Path, traces: &[Trace]) -> Result<()> {
    let failed = || format!("cannot write {}", path.display());
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(failed)?;
    let mut text = String::new();
    if file.metadata().with_context(failed)?.len() == 0 {
        text = format!("{COLUMNS}\n");
    }
    for Trace { id, seed, trace, code } in traces {
        text.push_str(&format!("{id},{seed},{trace:016x},{code}\n"));
    }
    file.write_all(text.as_bytes()).with_context(failed)
}

/// The traces kept in the file; none when there is no file.
///
/// # Errors
/// When it cannot be read, or a line is none of ours.
pub fn kept(path: &Path) -> Result<Vec<Trace>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().skip(1);
    lines.map(|line| parse(line).with_context(|| format!("not a trace: {line}"))).collect()
}

fn parse(line: &str) -> Option<Trace> {
    let [id, seed, trace, code] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
    Some(Trace {
        id: id.to_owned(),
        seed: seed.parse().ok()?,
        trace: u64::from_str_radix(trace, 16).ok()?,
        code: code.to_owned(),
    })
}

/// Number of seeds with the recorded result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Recorded of this code, and the same.
    pub own_same: u64,
    /// Recorded of this code, and another: a fault.
    pub own_other: u64,
    /// Recorded of other code, and the same.
    pub foreign_same: u64,
    /// Recorded of other code, and another, as is to be expected.
    pub foreign_other: u64,
}

impl Agreement {
    /// A seed came to this; whether that is right.
    pub fn count(&mut self, recorded: &Trace, code: &str, trace: u64) -> bool {
        let is_own = recorded.code == code && code != UNKNOWN_CODE;
        let count = match (is_own, recorded.trace == trace) {
            (true, true) => &mut self.own_same,
            (true, false) => &mut self.own_other,
            (false, true) => &mut self.foreign_same,
            (false, false) => &mut self.foreign_other,
        };
        *count += 1;
        !is_own || recorded.trace == trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(trace: u64, code: &str) -> Trace {
        Trace { id: "R1-log".to_owned(), seed: 100, trace, code: code.to_owned() }
    }

    #[test]
    fn what_is_added_is_kept() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = beside(&folder.path().join("torture.csv"));
        assert_eq!(kept(&path).expect("no file is no trace"), []);
        let traces = [trace(7, "abc"), trace(u64::MAX, UNKNOWN_CODE)];
        for one in &traces {
            add(&path, std::slice::from_ref(one)).expect("a line is added");
        }
        assert_eq!(kept(&path).expect("the file is read"), traces);
    }

    #[test]
    fn only_the_same_code_must_do_the_same() {
        for (recorded, code, trace_now, is_right) in [
            (trace(7, "abc"), "abc", 7, true),
            (trace(7, "abc"), "abc", 8, false),
            (trace(7, "abc"), "def", 8, true),
            (trace(7, UNKNOWN_CODE), UNKNOWN_CODE, 8, true),
        ] {
            assert_eq!(
                Agreement::default().count(&recorded, code, trace_now),
                is_right,
                "{recorded:?} {code}"
            );
        }
    }
}
