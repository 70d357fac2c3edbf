//! Facts that everything in a release shares: version, commit, time, machine; and the programs that pack it.

use anyhow::{Context, Result, bail};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// A kind of machine that packages are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// The name that the compiler has for it.
    pub(super) triple: &'static str,
    /// The name that Debian and container images have for it.
    pub(super) architecture: &'static str,
    /// The C compiler, which links as well, where it is not the usual one.
    pub(super) compiler: Option<&'static str>,
    /// The program that takes what is for debuggers alone out of a program.
    pub(super) strip: &'static str,
    /// The name that `readelf` has for it.
    pub(super) machine: &'static str,
    /// The program that runs its programs on a machine of another kind.
    pub(super) runner: Option<&'static str>,
}

/// Every machine that packages can be made for; the first is the one that is meant unless another is named.
pub(super) const TARGETS: [Target; 2] = [
    Target {
        triple: "x86_64-unknown-linux-gnu",
        architecture: "amd64",
        compiler: None,
        strip: "strip",
        machine: "X86-64",
        runner: None,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        architecture: "arm64",
        compiler: Some("aarch64-linux-gnu-gcc"),
        strip: "aarch64-linux-gnu-strip",
        machine: "AArch64",
        runner: Some("qemu-aarch64-static"),
    },
];

/// The facts of a release.
#[derive(Clone)]
pub(super) struct Facts {
    /// The version of the program.
    pub(super) version: String,
    /// The commit it is built from.
    pub(super) commit: String,
    /// The time of all files, in seconds since 1970.
    pub(super) time: u64,
    /// The machine it runs on.
    pub(super) target: Target,
}

impl Facts {
    /// Reads them of the tree as it is. The time is that of the last commit, or SOURCE_DATE_EPOCH.
    pub(super) fn of(root: &Path, target: Target) -> Result<Self> {
        let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
        let version =
            manifest["workspace"]["package"]["version"].as_str().context("Cargo.toml has no version")?;
        let time = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => output(Command::new("git").current_dir(root).args(["log", "-1", "--format=%ct"]))?,
        };
        Ok(Self {
            version: version.to_owned(),
            commit: crate::results::commit(root)?,
            time: time.trim().parse().context("SOURCE_DATE_EPOCH is no number of seconds")?,
            target,
        })
    }

    /// The moment of all files, as a date of that form.
    pub(super) fn date(&self, form: &str) -> Result<String> {
        output(Command::new("date").args(["--utc", form, "--date"]).arg(format!("@{}", self.time)))
    }

    /// A command that runs a program of the target under another name.
    pub(super) fn program_called(&self, program: &Path, name: &str) -> Command {
        match self.target.runner {
            None => {
                let mut command = Command::new(program);
                command.arg0(name);
                command
            }
            Some(runner) => {
                let mut command = Command::new(runner);
                command.args(["-0", name]).arg(program);
                command
            }
        }
    }

    /// A command that runs a program of the target.
    pub(super) fn command(&self, program: &Path) -> Command {
        match self.target.runner {
            None => Command::new(program),
            Some(runner) => {
                let mut command = Command::new(runner);
                command.arg(program);
                command
            }
        }
    }
}

/// Runs a program that must succeed; its output, without the last line's end.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// Names a step on standard error, for the person who watches.
pub(super) fn say(step: &str) {
    eprintln!("{step}");
}
