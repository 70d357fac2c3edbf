//! The first step of `cargo xtask test`: brings the tools that later steps need and say SKIPPED without.
//!
//! Always: a tool that cannot be had is no failure here. Packages of the system are installed by root alone,
//! where there is `apt-get`; other tools go to a folder below `target`, which later steps search first.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::steps::{self, Verdict};
use crate::tools::{FOLDER, is_there};

/// Programs, the packages of Debian that have them, and their use.
const PACKAGED: &[(&[&str], &[&str], &str)] = &[
    (&["c++"], &["g++"], "compiles the headers as C++ too"),
    (
        &["qemu-storage-daemon", "fusermount3"],
        &["qemu-utils", "qemu-system-common", "fuse3"],
        "cuts the power of a device; needs root, FUSE and loop devices besides",
    ),
    (&["strace", "faketime"], &["strace", "faketime"], "kills at system calls, and steps of the clock"),
    (&["valgrind"], &["valgrind"], "follows the flows of messages"),
];

const TYPOS: &str = "typos==1.52.0";

/// Installs what is missing and can be had.
pub(crate) fn run(root: &Path) -> Result<Verdict> {
    let missing: Vec<_> = PACKAGED
        .iter()
        .filter(|(programs, ..)| !programs.iter().all(|program| is_there(root, program)))
        .collect();
    for (programs, _, why) in &missing {
        println!("missing of {}: {why}", programs.join(" and "));
    }
    let installs = installs_packages();
    if !missing.is_empty() && !installs {
        println!("only root installs packages, by apt-get");
    }
    if !missing.is_empty() && installs && did(root, &["apt-get", "update", "-qq"]) {
        for (_, packages, _) in missing {
            did(root, &[&["apt-get", "install", "-y", "-qq"], *packages].concat());
        }
    }
    if !is_there(root, "typos") && did(root, &["python3", "-m", "venv", FOLDER]) {
        let pip = format!("{FOLDER}/bin/pip");
        did(root, &[&pip, "install", "--quiet", TYPOS]);
    }
    Ok(Verdict::Ok)
}

fn installs_packages() -> bool {
    let user = Command::new("id").arg("-u").output().map(|output| output.stdout).unwrap_or_default();
    let has_apt = Command::new("apt-get").arg("--version").stdout(Stdio::null()).status().is_ok();
    user.trim_ascii() == b"0" && has_apt
}

/// Runs a program; its failure is told and no more.
fn did(root: &Path, command_line: &[&str]) -> bool {
    println!("set-up: {}", command_line.join(" "));
    let run = steps::program(root, command_line, &[("DEBIAN_FRONTEND", "noninteractive")]);
    run.inspect_err(|error| println!("{error:#}: what needs it will be skipped")).is_ok()
}
