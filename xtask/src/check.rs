//! `cargo xtask check`: what can be judged without running the program.

use crate::steps::{self, Step, Verdict};
use crate::{generated, tidy, tools};
use anyhow::{Context as _, Result, bail};
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
        Step::new("documentation", move || documentation(root)),
        Step::new("lint of bridges", move || bridges(root)),
    ]
}

/// The format and the lint of the workspace of bridges, which has a lock file of its own.
fn bridges(root: &Path) -> Result<Verdict> {
    let folder = root.join("bridges");
    steps::program(&folder, &["cargo", "fmt", "--check"], &[])?;
    let lint = ["cargo", "clippy", "--quiet", "--locked", "--all-targets", "--", "-D", "warnings"];
    steps::program(&folder, &lint, &[])
}

/// Builds the documentation of every crate from what the lint has checked: by the program that checked it,
/// and with the examples, for which crates of others have the features that tests ask for. Otherwise every
/// crate of ours, and some of others, would be checked once more.
fn documentation(root: &Path) -> Result<Verdict> {
    const BUILD: [&str; 10] = [
        "cargo",
        "doc",
        "--quiet",
        "--keep-going",
        "--workspace",
        "--no-deps",
        "--document-private-items",
        "--lib",
        "--bins",
        "--examples",
    ];
    let checker = lint_program(root)?;
    steps::program(
        root,
        &BUILD,
        &[
            ("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"),
            ("RUSTC_WORKSPACE_WRAPPER", &checker),
            // The words behind `--` in the command of the lint, as `cargo clippy` passes them on.
            ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"),
        ],
    )
}

/// The path of the program that `cargo clippy` runs in place of the compiler.
fn lint_program(root: &Path) -> Result<String> {
    let mut ask = Command::new("rustc");
    ask.args(["--print", "sysroot"]).current_dir(root).env("PATH", tools::search_path(root));
    let output = ask.output().context("cannot ask rustc for its folder")?;
    let sysroot = String::from_utf8(output.stdout).context("the folder of rustc is no text")?;
    Ok(format!("{}/bin/clippy-driver", sysroot.trim()))
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
