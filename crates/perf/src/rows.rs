//! Runs in a file, a line of JSON each.
//!
//! Lives here: how a line is written, and what every line says beside what its run found.
//! Lives elsewhere: taking up the runs of a campaign again (`workloads::kept`), reading runs for a page
//! (`reports::results`).
//!
//! Always: a line is whole or is given up; a reader meanwhile sees whole lines.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::program::Build;

/// Ending of a file of runs, behind the name of what was run.
pub(crate) const EXTENSION: &str = "jsonl";

/// A file of runs that is open for more of them.
#[derive(Debug)]
pub struct Rows {
    file: File,
    path: PathBuf,
}

impl Rows {
    /// Where runs of this name are in a directory, which is made where it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn path(directory: &Path, name: &str) -> Result<PathBuf> {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make the directory {}", directory.display()))?;
        Ok(directory.join(format!("{name}.{EXTENSION}")))
    }

    /// Appends behind the runs that are there. A line that was not written to its end, since its writer was
    /// killed, is given up.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn behind(directory: &Path, name: &str) -> Result<Self> {
        let path = Self::path(directory, name)?;
        let file = appended(&path).with_context(|| cannot_keep(&path))?;
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        file.set_len(whole(&text) as u64).with_context(|| format!("cannot mend {}", path.display()))?;
        Ok(Self { file, path })
    }

    /// Keeps a run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, line: &Value) -> Result<()> {
        // One write, so that a reader meanwhile sees whole lines.
        let written = self.file.write_all(format!("{}\n", brief(line.clone())).as_bytes());
        written.with_context(|| cannot_keep(&self.path))
    }
}

fn cannot_keep(path: &Path) -> String {
    format!("cannot keep results in {}", path.display())
}

/// Returns the bytes of it that are whole lines.
pub(crate) fn whole(text: &[u8]) -> usize {
    text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// A file that is written at its end, made where it is not there.
pub(crate) fn appended(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Reads a file; nothing where there is none.
pub(crate) fn text_of(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Adds the common part of every line: the run's identifier, its machine and program, and when it ended.
pub fn stamp(line: &mut Value, machine: &Machine, build: &Build) {
    line["id"] = id().into();
    line["machine"] = json!(machine);
    line["version"] = env!("CARGO_PKG_VERSION").into();
    line["build"] = json!(build);
    line["when"] = jiff::Timestamp::now().to_string().into();
}

/// Returns an identifier that no other run has.
fn id() -> String {
    let mut bytes = [0; 8];
    match rustix::rand::getrandom(&mut bytes[..], rustix::rand::GetRandomFlags::empty()) {
        Ok(_) => format!("{:016x}", u64::from_le_bytes(bytes)),
        // Nobody else has this process at this moment.
        Err(_) => format!("{:x}-{:x}", std::process::id(), jiff::Timestamp::now().as_nanosecond()),
    }
}

/// Lines that were seen, so that a run that was kept twice counts once.
#[derive(Debug, Default)]
pub struct Seen(BTreeSet<String>);

impl Seen {
    /// Returns true if this run is there for the first time. A run without an identifier is identified by its
    /// whole line.
    pub fn is_new(&mut self, line: &Value) -> bool {
        self.0.insert(line["id"].as_str().map_or_else(|| line.to_string(), ToOwned::to_owned))
    }
}

/// The same with fractions of six digits: nothing is measured better, and the rows of a full report are to
/// stay small.
fn brief(mut value: Value) -> Value {
    match &mut value {
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().and_then(|number| format!("{number:.5e}").parse::<f64>().ok());
            short.map_or(value, Value::from)
        }
        Value::Array(values) => values.drain(..).map(brief).collect(),
        Value::Object(fields) => {
            std::mem::take(fields).into_iter().map(|(name, value)| (name, brief(value))).collect()
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_behind_those_that_are_there_and_a_torn_line_is_given_up() {
        let directory = std::env::temp_dir().join(format!("ferry-rows-test-{}", std::process::id()));
        let keep = |run: u64| {
            Rows::behind(&directory, "rr")
                .and_then(|mut rows| rows.keep(&json!({"run": run})))
                .expect("kept");
        };
        let path = directory.join("rr.jsonl");
        keep(1);
        fs::write(&path, fs::read_to_string(&path).expect("it is there") + "{\"run\": 2, \"ra")
            .expect("torn");
        keep(3);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "{\"run\":1}\n{\"run\":3}\n");
        fs::remove_dir_all(&directory).expect("it is ours");
    }
}
