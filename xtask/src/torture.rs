//! `cargo xtask torture`: builds the torture of `sim` and keeps its results.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

/// Where the results of all times are kept.
const RESULTS: &str = "perf/results/torture.csv";

/// Runs it with these options and has it add its lines to the results.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let commit = Command::new("git")
        .args(["describe", "--always", "--dirty", "--exclude=*"])
        .current_dir(root)
        .output()
        .context("cannot start git")?;
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--profile", "torture", "--package", "sim", "--bin", "torture", "--"])
        .args(options)
        .args(["--results", RESULTS, "--commit", &commit])
        .current_dir(root)
        .status()
        .context("cannot start cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
