//! Small Debian systems, each in a folder, and programs that run in them as on a machine of their own.

use crate::package::facts::{output, say};
use crate::package::tree;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tools that this needs.
const TOOLS: [&str; 3] = ["mmdebstrap", "unshare", "ip"];

/// The packages beside the least that a Debian system has: those that ours depend on.
const INCLUDED: &str = "systemd-standalone-sysusers,systemd-standalone-tmpfiles";

/// A system, until this is dropped.
pub(super) struct System(PathBuf);

/// Why there is no system on this machine, if that is so.
pub(super) fn missing() -> Option<String> {
    if output(Command::new("id").arg("--user")).ok().as_deref() != Some("0") {
        return Some("a Debian system in a folder is made by root only".to_owned());
    }
    let absent = TOOLS.iter().find(|tool| Command::new(tool).arg("--version").output().is_err());
    absent.map(|tool| format!("{tool} is not installed (apt-get install mmdebstrap util-linux iproute2)"))
}

impl System {
    /// A new one. The archive that it comes from is made once, in the folder of what is built.
    pub(super) fn new(root: &Path, out: &Path, name: &str) -> Result<Self> {
        let packed = root.join("target/debian.tar");
        if !packed.exists() {
            say("making a small Debian system");
            let release = fs::read_to_string("/etc/os-release").context("cannot read /etc/os-release")?;
            let suite = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
            let suite = suite.context("/etc/os-release names no VERSION_CODENAME")?.trim_matches('"');
            let beside = packed.with_extension("tar.new.tar");
            let mut make = Command::new("mmdebstrap");
            make.args(["--variant=minbase", &format!("--include={INCLUDED}"), suite]).arg(&beside);
            output(&mut make)?;
            fs::rename(&beside, &packed)?;
        }
        let folder = out.join("systems").join(name);
        tree::empty(&folder)?;
        output(
            Command::new("tar").arg("--extract").arg("--file").arg(&packed).arg("--directory").arg(&folder),
        )?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A command that runs a script of the shell in it, with processes and a network of its own. Processes
    /// that the script starts end with it.
    pub(super) fn command(&self, script: &str) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", "sh", "-euc"]);
        command
            .arg("ip link set lo up; mount -t proc proc \"$0/proc\"; exec chroot \"$0\" /bin/sh -euc \"$1\"");
        command.arg(&self.0).arg(script);
        command.env_clear().env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        command.env("LC_ALL", "C.UTF-8").env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    /// Runs a script that must succeed; its output.
    pub(super) fn run(&self, script: &str) -> Result<String> {
        let mut command = self.command(script);
        let done = command.output().context("cannot start unshare")?;
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        if !done.status.success() {
            bail!("in the system, `{script}` failed:\n{text}{}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(text.trim_end().to_owned())
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // What is left takes room and nothing else.
        let _ = fs::remove_dir_all(&self.0);
    }
}
