//! Results that are kept: the commit they belong to.

use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// The commit that is checked out, and whether anything but results has changed since.
pub(crate) fn commit(root: &Path) -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git").args(arguments).current_dir(root).output();
        let output = output.context("cannot start git")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let name = git(&["rev-parse", "--short", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--", ".", ":!perf/results"])?;
    Ok(if changes.is_empty() { name } else { format!("{name}-dirty") })
}
