//! A queue manager of one's own: a process in a temporary directory, killed and started again at will.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::belongings::{Group, Place};

/// Its name.
pub const NAME: &str = "BENCH";

/// A queue manager that does not start within this does not start.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running queue manager in a directory of its own; both go when this is dropped.
#[derive(Debug)]
pub struct ServerProcess {
    ferry: PathBuf,
    name: &'static str,
    /// Before where its files are, which goes after it.
    process: Group,
    data: Place,
    ready: Ready,
    slowed_by: Option<Duration>,
    /// From starting the process to its word that it is ready.
    pub started_in: Duration,
}

/// The word of `ferry qmgr start -o json` when it is ready.
#[derive(Clone, Debug, Deserialize)]
pub struct Ready {
    /// The process.
    pub process: u32,
    /// Where it listens: `host:port`, and the path of its local socket.
    pub listens: Vec<String>,
}

impl ServerProcess {
    /// Creates and starts a queue manager with these settings (`ferry.toml`) below this directory, by the
    /// program `ferry`.
    ///
    /// # Errors
    /// When it cannot be created or does not start.
    pub fn start(ferry: &Path, directory: &Path, settings: &str) -> Result<Self> {
        Self::start_as(NAME, ferry, directory, settings, None)
    }

    /// The same under a name of its own; each of its writes to a file takes so much longer.
    ///
    /// # Errors
    /// When it cannot be created or does not start.
    pub fn start_as(
        name: &'static str,
        ferry: &Path,
        directory: &Path,
        settings: &str,
        slowed_by: Option<Duration>,
    ) -> Result<Self> {
        Self::launch(name, ferry, Self::create(name, ferry, directory, settings)?, slowed_by)
    }

    /// Creates one that does not run yet; its directory goes when the place is dropped.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(crate) fn create(name: &str, ferry: &Path, directory: &Path, settings: &str) -> Result<Place> {
        let data = temporary_directory(directory)?;
        let settings_path = data.path().join("settings.toml");
        std::fs::write(&settings_path, settings).context("cannot write the settings")?;
        let mut create = Command::new(ferry);
        create
            .args(["qmgr", "create", name, "--settings"])
            .arg(&settings_path)
            .arg("--data")
            .arg(data.path());
        let (status, said) = Group::run(create.stdin(Stdio::null()).stdout(Stdio::null()))
            .with_context(|| format!("cannot run {}", ferry.display()))?;
        if !status.success() {
            bail!("the queue manager cannot be created: {}", said.trim());
        }
        Ok(data)
    }

    /// Starts one that was created.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn launch(
        name: &'static str,
        ferry: &Path,
        data: Place,
        slowed_by: Option<Duration>,
    ) -> Result<Self> {
        let (process, ready, started_in) = launch(name, ferry, data.path(), slowed_by)?;
        Ok(Self { ferry: ferry.to_owned(), name, process, data, ready, slowed_by, started_in })
    }

    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.ready.process
    }

    /// Where it listens.
    #[must_use]
    pub fn listens(&self) -> &[String] {
        &self.ready.listens
    }

    /// Its address on TCP.
    ///
    /// # Errors
    /// When it does not listen so.
    pub fn address(&self) -> Result<&str> {
        let address = self.ready.listens.iter().find(|text| !text.contains('/'));
        address.map(String::as_str).context("the queue manager does not listen on TCP")
    }

    /// Where its files are.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Ends it as a power cut would end the process: without a last word.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> Result<()> {
        // With what slows it down, which it would outlive.
        self.process.kill().context("cannot kill the queue manager")
    }

    /// Bytes of log a restart would replay, as the log of the dead queue manager says.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log_to_replay(&self) -> Result<u64> {
        let show = Command::new(&self.ferry)
            .args(["log", "show", self.name, "--count", "0", "-o", "json", "--data"])
            .arg(self.data.path())
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", self.ferry.display()))?;
        if !show.status.success() {
            bail!("the log cannot be read: {}", String::from_utf8_lossy(&show.stderr).trim());
        }
        let head: serde_json::Value = serde_json::from_slice(&show.stdout)?;
        head["bytes_to_replay"].as_u64().context("the log does not say how much is to be replayed")
    }

    /// Starts it again on the same directory.
    ///
    /// # Errors
    /// When it does not start.
    pub fn restart(&mut self) -> Result<()> {
        (self.process, self.ready, self.started_in) =
            launch(self.name, &self.ferry, self.data.path(), self.slowed_by)?;
        Ok(())
    }
}

/// Runs the program under one that has its writes take longer, and nothing else.
fn slowed(ferry: &Path, by: Duration) -> Command {
    let mut command = Command::new("strace");
    // Calls that are not traced do not stop.
    command.args(["-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null", "-e", "trace=pwrite64"]);
    command.args(["-e", &format!("inject=pwrite64:delay_exit={}", by.as_micros())]).arg(ferry);
    command
}

fn launch(
    name: &str,
    ferry: &Path,
    data: &Path,
    slowed_by: Option<Duration>,
) -> Result<(Group, Ready, Duration)> {
    let begun = Instant::now();
    let mut command = slowed_by.map_or_else(|| Command::new(ferry), |by| slowed(ferry, by));
    command
        .args(["qmgr", "start", name, "--ends-with-input", "-o", "json", "--data"])
        .arg(data)
        // Held open until this process is gone, however it goes.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut process = Group::start(&mut command).with_context(|| match slowed_by {
        None => format!("cannot run {}", ferry.display()),
        Some(_) => "cannot run strace, by which writes are slowed down".to_owned(),
    })?;
    let output = process.leader.stdout.take().context("the queue manager has no output")?;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(output).lines();
        // Nobody may be waiting any more; what comes after the first line is only kept from filling the pipe.
        let _ = sender.send(lines.next().transpose().ok().flatten());
        lines.for_each(drop);
    });
    let line = receiver.recv_timeout(PATIENCE).ok().flatten();
    let started_in = begun.elapsed();
    match line.as_deref().map(serde_json::from_str::<Ready>) {
        Some(Ok(ready)) => Ok((process, ready, started_in)),
        said => bail!("the queue manager did not start: {said:?}"),
    }
}

pub(crate) fn temporary_directory(below: &Path) -> Result<Place> {
    // Two started in one process at one time must not meet.
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = below.join(format!("ferry-bench-{}-{number}", std::process::id()));
    Place::directory(path.clone()).with_context(|| format!("cannot create {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_manager_that_does_not_start_leaves_no_directory() {
        let below = std::env::temp_dir().join(format!("ferry-server-process-test-{}", std::process::id()));
        std::fs::create_dir(&below).expect("a directory");
        // One program is not there, one creates nothing, one creates and does not start.
        for program in ["/nowhere/ferry", "/bin/false", "/bin/true"] {
            ServerProcess::start(Path::new(program), &below, "").expect_err("it is no queue manager");
            assert_eq!(std::fs::read_dir(&below).expect("it is there").count(), 0, "{program}");
        }
        std::fs::remove_dir(&below).expect("it is ours");
    }
}
