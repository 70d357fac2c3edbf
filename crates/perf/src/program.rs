//! The program that is measured, and which build of it that is.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// Tells one build from another: a checksum of the program and of the one that measures it. A version would
/// not do, since it stays the same from one change to the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Build(String);

impl Build {
    /// That of programs with these bytes.
    #[must_use]
    pub fn of(programs: &[u8]) -> Self {
        Self(format!("{:08x}", crc32c::crc32c(programs)))
    }
}

impl std::fmt::Display for Build {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A program that runs queue managers and clients.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// The build of it.
    pub build: Build,
}

impl Program {
    /// `ferry`, beside the program that is running.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn ferry() -> Result<Self> {
        let running = std::env::current_exe().context("this program does not know its file")?;
        Self::at(running.with_file_name("ferry"))
    }

    /// The one with this file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn at(path: PathBuf) -> Result<Self> {
        let mut programs = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        // A build from before it was a program of its own has none.
        programs.extend(fs::read(path.with_file_name("ferry-bench")).unwrap_or_default());
        Ok(Self { path, build: Build::of(&programs) })
    }
}
