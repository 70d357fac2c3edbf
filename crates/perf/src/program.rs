//! The program that is measured, and which build of it that is.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// Tells one build of a program from another: a checksum of its file. A version would not do, since it stays
/// the same from one change to the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Build(String);

impl Build {
    /// That of a program with this file.
    #[must_use]
    pub fn of(file: &[u8]) -> Self {
        Self(format!("{:08x}", crc32c::crc32c(file)))
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
    /// The one that is running.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn running() -> Result<Self> {
        Self::at(std::env::current_exe().context("this program does not know its file")?)
    }

    /// The one with this file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn at(path: PathBuf) -> Result<Self> {
        let file = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self { path, build: Build::of(&file) })
    }
}
