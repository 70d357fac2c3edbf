//! A queue manager of one's own: a process in a temporary directory, killed and started again at will.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

/// Its name.
pub const NAME: &str = "BENCH";

/// A queue manager that does not start within this does not start.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running queue manager in a directory of its own; both go when this is dropped.
#[derive(Debug)]
pub struct ServerProcess {
    ferry: PathBuf,
    data: PathBuf,
    child: Child,
    ready: Ready,
    slowed_by: Option<Duration>,
    /// From starting the process to its word that it is ready.
    pub started_in: Duration,
}

/// What `ferry qmgr start -o json` says when it is ready.
#[derive(Clone, Debug, Deserialize)]
pub struct Ready {
    /// The process.
    pub process: u32,
    /// Where it listens: `host:port`, and the path of its local socket.
    pub listens: Vec<String>,
}

impl ServerProcess {
    /// Creates and starts a queue manager with these settings (`ferry.toml`) below this directory, by the program
    /// `ferry`.
    ///
    /// # Errors
    /// When it cannot be created or does not start.
    pub fn start(ferry: &Path, directory: &Path, settings: &str) -> Result<Self> {
        Self::start_slowed(ferry, directory, settings, None)
    }

    /// The same; each of its writes to a file takes so much longer.
    ///
    /// # Errors
    /// When it cannot be created or does not start.
    pub fn start_slowed(
        ferry: &Path,
        directory: &Path,
        settings: &str,
        slowed_by: Option<Duration>,
    ) -> Result<Self> {
        let data = temporary_directory(directory)?;
        let started = Self::start_in(ferry, &data, settings, slowed_by);
        if started.is_err() {
            // Nobody has it who would remove it.
            let _ = std::fs::remove_dir_all(&data);
        }
        started
    }

    fn start_in(ferry: &Path, data: &Path, settings: &str, slowed_by: Option<Duration>) -> Result<Self> {
        let settings_path = data.join("settings.toml");
        std::fs::write(&settings_path, settings).context("cannot write the settings")?;
        let create = Command::new(ferry)
            .args(["qmgr", "create", NAME, "--settings"])
            .arg(&settings_path)
            .arg("--data")
            .arg(data)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", ferry.display()))?;
        if !create.status.success() {
            bail!("the queue manager cannot be created: {}", String::from_utf8_lossy(&create.stderr).trim());
        }
        let (child, ready, started_in) = launch(ferry, data, slowed_by)?;
        Ok(Self { ferry: ferry.to_owned(), data: data.to_owned(), child, ready, slowed_by, started_in })
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

    /// Where its files are.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Ends it as a power cut would end the process: without a last word.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> Result<()> {
        self.kill_slowed();
        self.child.kill().context("cannot kill the queue manager")?;
        self.child.wait().context("cannot wait for the queue manager")?;
        Ok(())
    }

    /// Before what slows it down, which it would outlive.
    fn kill_slowed(&self) {
        let process = i32::try_from(self.ready.process).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(process) = process.filter(|_| self.slowed_by.is_some()) {
            // It may be dead already.
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
    }

    /// Bytes of log a restart would replay, as the log of the dead queue manager says.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log_to_replay(&self) -> Result<u64> {
        let show = Command::new(&self.ferry)
            .args(["log", "show", NAME, "--count", "0", "-o", "json", "--data"])
            .arg(&self.data)
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
        (self.child, self.ready, self.started_in) = launch(&self.ferry, &self.data, self.slowed_by)?;
        Ok(())
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill_slowed();
        // It may be dead already; a directory that cannot be removed is in the temporary directory.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.data);
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

fn launch(ferry: &Path, data: &Path, slowed_by: Option<Duration>) -> Result<(Child, Ready, Duration)> {
    let begun = Instant::now();
    let mut child = slowed_by
        .map_or_else(|| Command::new(ferry), |by| slowed(ferry, by))
        .args(["qmgr", "start", NAME, "--ends-with-input", "-o", "json", "--data"])
        .arg(data)
        // Held open until this process is gone, however it goes.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // Ctrl-C is for the bench, which then still needs its queue manager to account for all messages.
        .process_group(0)
        .spawn()
        .with_context(|| match slowed_by {
            None => format!("cannot run {}", ferry.display()),
            Some(_) => "cannot run strace, by which writes are slowed down".to_owned(),
        })?;
    let output = child.stdout.take().context("the queue manager has no output")?;
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
        Some(Ok(ready)) => Ok((child, ready, started_in)),
        said => {
            let _ = child.kill();
            let _ = child.wait();
            bail!("the queue manager did not start: {said:?}");
        }
    }
}

pub(crate) fn temporary_directory(below: &Path) -> Result<PathBuf> {
    // Two started in one process at one time must not meet.
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = below.join(format!("ferry-bench-{}-{number}", std::process::id()));
    std::fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
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
