//! The process of a broker: in a directory of its own, on a port of its own, ended with all that it started.
//!
//! Always: it ends when this is dropped, and when this program is gone, however it went (`setpriv
//! --pdeathsig`).

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use perf::belongings::{Group, Place};

/// A broker that does not listen within this does not start; a virtual machine that must warm up does.
const PATIENCE: Duration = Duration::from_secs(90);

/// Interval between looks if it listens.
const INTERVAL: Duration = Duration::from_millis(50);

/// Lines of its last output that are shown when it does not start.
const LINES_SHOWN: usize = 8;

/// A directory of one's own below the directory for temporary files; it goes when this is dropped.
pub(crate) fn directory(name: &str) -> Result<Place> {
    let path = std::env::temp_dir().join(format!("ferry-peers-{}-{name}", std::process::id()));
    Place::directory(path.clone()).with_context(|| format!("cannot create {}", path.display()))
}

/// A port of this machine that nobody listens on.
pub(crate) fn free_port() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("there is no free port")?;
    Ok(listener.local_addr()?)
}

/// A process and those it started.
#[derive(Debug)]
pub(crate) struct Process {
    group: Group,
    log: PathBuf,
}

impl Process {
    /// Starts a program with these arguments and variables; what it says goes to a file in `directory`.
    pub(crate) fn start(
        program: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
        directory: &Path,
    ) -> Result<Self> {
        let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
        let log = directory.join(format!("{name}.output"));
        let output = File::create(&log).with_context(|| format!("cannot create {}", log.display()))?;
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "KILL", "--"])
            .arg(program)
            .args(arguments)
            .envs(variables.iter().copied())
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        let group = Group::start(&mut command)
            .with_context(|| format!("cannot run setpriv (util-linux) with {}", program.display()))?;
        Ok(Self { group, log })
    }

    /// Waits until it listens.
    pub(crate) fn wait_listening(&mut self, address: SocketAddr) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        while TcpStream::connect_timeout(&address, PATIENCE).is_err() {
            if let Some(status) = self.group.leader.try_wait()? {
                bail!("it ended with {status}:\n{}", self.last_words());
            }
            if Instant::now() > until {
                bail!("it does not listen after {PATIENCE:?}:\n{}", self.last_words());
            }
            std::thread::sleep(INTERVAL);
        }
        Ok(())
    }

    /// The last lines of what it said.
    pub(crate) fn last_words(&self) -> String {
        let text = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n")
    }

    /// It and those it started.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let group = self.group.leader.id();
        let Ok(entries) = fs::read_dir("/proc") else { return vec![group] };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
            .filter(|process| group_of(*process) == Some(group))
            .collect()
    }
}

/// The process group of a process.
fn group_of(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may itself contain blanks and brackets; state and parent stand before the group.
    text.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_started_ends_with_it() {
        let place = directory("test").expect("a directory");
        let script = "sleep 600 & echo $! > child; wait";
        let process =
            Process::start(Path::new("/bin/sh"), &["-c", script], &[], place.path()).expect("a shell");
        let path = place.path().join("child");
        let until = Instant::now() + Duration::from_secs(20);
        let child: u32 = loop {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if let Ok(child) = text.trim().parse() {
                break child;
            }
            assert!(Instant::now() < until, "the shell says nothing");
            std::thread::sleep(Duration::from_millis(10));
        };
        assert!(process.processes().contains(&child));
        drop(process);
        // An orphan that is killed stays a while until somebody takes note.
        while group_of(child).is_some() && !is_dead(child) {
            assert!(Instant::now() < until, "it lives on");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn is_dead(process: u32) -> bool {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        text.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
    }
}
