//! `cargo xtask sanitize`: the tests under tools that watch every access to memory.
//!
//! Miri interprets what has `unsafe` and needs nothing of the system; ThreadSanitizer watches the threads of
//! what locks and waits. Both come with a nightly toolchain of their own, take long, and are in no gate. What
//! neither can see: `transport/src/input.rs`, whose one `unsafe` is after a system call that Miri does not
//! know, and memory weaker than that of this machine, which is for the models
//! (`docs/internals/concurrency.md`).
//!
//! Always: a toolchain that is absent is reported as SKIPPED, which is not a pass.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Result, bail};

use crate::steps::{self, Step, Verdict};

/// Tests that Miri runs: a package, and its arguments.
const INTERPRETED: &[(&str, &[&str])] = &[
    // The rest of it is files and clocks of the system.
    ("platform", &["block::"]),
    // The codecs have no `unsafe`; this is where they cut and join the buffers of others.
    ("wire", &["assembly::"]),
];

/// Options of Miri: tests ask for the time.
const MIRI_FLAGS: &str = "-Zmiri-disable-isolation";

/// Tests that ThreadSanitizer watches: a package, and its arguments. Tests with a machine that loses its
/// power a thousand times have one thread, and would take hours; the tests of `cli` start processes of their
/// own, which are not built so.
const WATCHED: &[(&str, &[&str])] = &[
    ("storage", &["--lib"]),
    ("queues", &["--lib"]),
    ("queue-manager", &["--lib"]),
    ("queue-manager", &["--test", "it", "--", "threads::"]),
    ("transport", &["--lib", "--tests"]),
    ("client", &["--lib", "--tests"]),
    ("callbacks", &["--tests"]),
    ("server", &["--lib"]),
    // It keeps a signal back until the thread next calls the C library, which one that waits in a system call
    // of our own does not: a process that is told to end by one goes on.
    ("server", &["--test", "it", "--", "--skip", "processes::"]),
    ("sim", &["--lib", "--", "concurrent::"]),
];

/// The standard library is built with it, or what it orders would not be seen; the machine has to be named
/// for that.
const WATCHED_TARGET: &str = "x86_64-unknown-linux-gnu";

/// Runs what was asked for, or both.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let (interprets, watches) = match options {
        [] => (true, true),
        ["--miri"] => (true, false),
        ["--thread"] => (false, true),
        ["--thread", package] if is_watched(package) => (false, true),
        ["--thread", package] => {
            let watched = Vec::from_iter(WATCHED.iter().map(|(package, _)| *package));
            bail!(
                "no tests of \"{package}\" are run under ThreadSanitizer; those of {} are",
                watched.join(", ")
            )
        }
        other => {
            bail!(
                "`cargo xtask sanitize` does not know \"{}\"; it takes --miri, --thread or --thread PACKAGE",
                other.join(" ")
            )
        }
    };
    // One package at a time is built and done in minutes; all of them take an hour on two processors.
    let only = options.get(1);
    let mut plan = Vec::new();
    if interprets {
        plan.extend(INTERPRETED.iter().map(|(package, tests)| {
            Step::new(format!("miri: {package}"), move || interpret(root, package, tests))
        }));
    }
    if watches {
        let chosen = WATCHED.iter().filter(|(package, _)| only.is_none_or(|only| only == package));
        plan.extend(chosen.map(|(package, tests)| {
            let name = format!("thread: {package} {}", tests.join(" "));
            Step::new(name, move || watch(root, package, tests))
        }));
    }
    Ok(steps::run(plan))
}

fn is_watched(package: &str) -> bool {
    WATCHED.iter().any(|(watched, _)| *watched == package)
}

fn interpret(root: &Path, package: &str, tests: &[&str]) -> Result<Verdict> {
    if !succeeds(&["cargo", "+nightly", "miri", "--version"]) {
        return Ok(absent("miri"));
    }
    let command = ["cargo", "+nightly", "miri", "test", "--quiet", "--lib", "--package", package, "--"];
    steps::program(root, &[&command, tests].concat(), &[("MIRIFLAGS", MIRI_FLAGS)])
}

fn watch(root: &Path, package: &str, tests: &[&str]) -> Result<Verdict> {
    let source = Command::new("rustc").args(["+nightly", "--print", "sysroot"]).output();
    let has_source = source.is_ok_and(|output| {
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && Path::new(&sysroot).join("lib/rustlib/src/rust/library").is_dir()
    });
    if !has_source {
        return Ok(absent("rust-src"));
    }
    let command = [
        "cargo",
        "+nightly",
        "test",
        "--quiet",
        "-Zbuild-std",
        "--target",
        WATCHED_TARGET,
        // Its artefacts are of use to nothing else.
        "--target-dir",
        "target/thread",
        "--package",
        package,
    ];
    steps::program(root, &[&command, tests].concat(), &[("RUSTFLAGS", "-Zsanitizer=thread")])
}

fn absent(component: &str) -> Verdict {
    println!(
        "SKIPPED: `rustup toolchain install nightly --profile minimal -c {component}` brings what it needs"
    );
    Verdict::Skipped
}

fn succeeds(command_line: &[&str]) -> bool {
    let mut command = Command::new(command_line[0]);
    command.args(&command_line[1..]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
