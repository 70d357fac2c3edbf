//! `cargo xtask check`: what can be judged without running the program.

use crate::steps::{self, Step, Verdict};
use crate::{generated, tidy, tools};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Runs every check.
pub(crate) fn run(root: &Path) -> ExitCode {
    let mut steps = steps(root);
    steps.push(spelling(root));
    steps::run(steps)
}

/// The checks that need nothing but the tools of Rust.
pub(crate) fn steps(root: &Path) -> Vec<Step<'_>> {
    vec![
        Step::new("format", move || steps::program(root, &["cargo", "fmt", "--all", "--check"], &[])),
        Step::new("generated files", move || generated_files_are_current(root)),
        Step::new("tidy", move || tidy::check(root, false).map(|()| Verdict::Ok)),
        Step::new("lint", move || {
            let lint = [
                "cargo",
                "clippy",
                "--quiet",
                "--keep-going",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ];
            steps::program(root, &lint, &[])
        }),
        Step::new("documentation", move || {
            let build = [
                "cargo",
                "doc",
                "--quiet",
                "--keep-going",
                "--workspace",
                "--no-deps",
                "--document-private-items",
            ];
            steps::program(
                root,
                &build,
                &[("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links")],
            )
        }),
    ]
}

/// The check of spelling, by a tool that people may not have.
pub(crate) fn spelling(root: &Path) -> Step<'_> {
    Step::new("spelling", move || if_installed(root, "typos", &["typos"]))
}

fn generated_files_are_current(root: &Path) -> Result<Verdict> {
    let stale: Vec<String> = generated::files(root)?
        .into_iter()
        .filter(|file| std::fs::read_to_string(root.join(&file.path)).ok().as_deref() != Some(&*file.text))
        .map(|file| file.path)
        .collect();
    if !stale.is_empty() {
        bail!("not as their tables say: {}; run `cargo xtask generate`", stale.join(", "));
    }
    Ok(Verdict::Ok)
}

/// Runs a tool people may not have; its absence is said, and is no failure.
fn if_installed(root: &Path, tool: &str, command_line: &[&str]) -> Result<Verdict> {
    let mut version = Command::new(tool);
    version.arg("--version").env("PATH", tools::search_path(root));
    let present = version.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !present {
        steps::say_skipped(&format!("{tool} is not installed (the set-up of `cargo xtask test` brings it)"));
        return Ok(Verdict::Skipped);
    }
    steps::program(root, command_line, &[])
}
