//! Protected messages to and from `openssl cms`.
//!
//! Lives here: the number of messages, and the proof that they went. Lives elsewhere: the messages
//! (`protect/src/tests/openssl.rs`, which sends a few with every test run).
//!
//! Always: a program that is not installed is a failure: a run that shows nothing is no pass.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Messages each way.
const MESSAGES: usize = 200;

/// Runs the tests with so many messages.
pub(super) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    if let [other, ..] = options {
        bail!("`cargo xtask interop cms` does not know \"{other}\"; it takes no options");
    }
    let output = Command::new("cargo")
        .args(["test", "--package", "protect", "--lib", "--", "--nocapture", "tests::openssl::"])
        .env("FERRY_CMS_MESSAGES", MESSAGES.to_string())
        .current_dir(root)
        .output()
        .context("cargo cannot be started")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let told: Vec<&str> = printed.lines().filter(|line| is_result(line)).collect();
    told.iter().for_each(|line| println!("{line}"));
    if !output.status.success() {
        eprint!("{printed}{}", String::from_utf8_lossy(&output.stderr));
        return Ok(ExitCode::FAILURE);
    }
    if !told.iter().any(|line| line.starts_with(&format!("{MESSAGES} messages of ours"))) {
        bail!("no message went: install openssl 3, and run it again");
    }
    Ok(ExitCode::SUCCESS)
}

/// True for lines that tell of messages, of tests, or of the program.
fn is_result(line: &str) -> bool {
    line.contains(" messages of ours") || line.starts_with("test tests::") || line.contains("OpenSSL")
}
