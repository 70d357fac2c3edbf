//! `cargo xtask peers`: builds what compares other brokers with ours, and ours, and compares.
//!
//! Outside `test` and `check`: it installs brokers, and what it measures holds for a machine with nothing
//! else to do.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::steps;

/// Both as a user has them.
const BUILD: &[&str] =
    &["cargo", "build", "--quiet", "--release", "--package", "cli", "--package", "perf-peers"];

const PROGRAM: &str = "target/release/perf-peers";

/// Builds both and runs the comparison with these options.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    steps::program(root, BUILD, &[])?;
    let command_line: Vec<&str> = std::iter::once(PROGRAM).chain(options.iter().copied()).collect();
    steps::program(root, &command_line, &[])?;
    Ok(ExitCode::SUCCESS)
}
