//! A data directory with one queue manager, and the `ferry` that runs it.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use client::{Connection, Options};
use serde_json::Value;

/// The name of the queue manager, unless there are several.
const NAME: &str = "TORTURED";
/// No start takes longer, or it hangs.
const START_MAX: Duration = Duration::from_secs(100);
/// Longest time for a program to connect to a queue manager that runs.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// A killed process is gone after so long.
const DEATH_MAX: Duration = Duration::from_secs(10);

/// Something that should have worked did not; a failure of the case.
pub type Broken = String;

/// A data directory with one queue manager.
#[derive(Clone, Debug)]
pub struct Installation {
    ferry: PathBuf,
    data: PathBuf,
    name: String,
}

impl Installation {
    /// Creates the queue manager in `data`, with these settings.
    ///
    /// # Errors
    /// The output of the command.
    pub fn create(ferry: &Path, data: &Path, settings: &str) -> Result<Self, Broken> {
        Self::create_named(NAME, ferry, data, settings)
    }

    /// The same under another name.
    ///
    /// # Errors
    /// The words of the command.
    pub fn create_named(name: &str, ferry: &Path, data: &Path, settings: &str) -> Result<Self, Broken> {
        std::fs::create_dir_all(data).map_err(|error| format!("{}: {error}", data.display()))?;
        let installation = Self { name: name.to_owned(), ..Self::at(ferry, data) };
        let mut command = installation.command(&["qmgr", "create", name]);
        command.args(as_arguments(settings));
        let output = command.output().map_err(|error| format!("{}: {error}", ferry.display()))?;
        if !output.status.success() {
            return Err(format!("qmgr create: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(installation)
    }

    /// One that is there already.
    #[must_use]
    pub fn at(ferry: &Path, data: &Path) -> Self {
        Self { ferry: ferry.to_owned(), data: data.to_owned(), name: NAME.to_owned() }
    }

    /// The data directory.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The name of the queue manager.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder of the queue manager.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.data.join(&self.name)
    }

    /// Starts the queue manager and waits until it is ready.
    ///
    /// # Errors
    /// Its output in place of being ready.
    pub fn start(&self) -> Result<Running, Broken> {
        self.start_by(self.start_command()).map_err(|ended| ended.said)
    }

    /// The command that starts it in the foreground, to be changed and given to [`Self::start_by`].
    #[must_use]
    pub fn start_command(&self) -> Command {
        self.start_command_at(0)
    }

    /// The same at this port.
    #[must_use]
    pub fn start_command_at(&self, port: u16) -> Command {
        self.command(&["qmgr", "start", &self.name, "-o", "json", "--port", &port.to_string()])
    }

    /// Starts it so that it is a child of another program, which runs the arguments that follow its own.
    #[must_use]
    pub fn start_command_under(&self, program: &str, arguments: &[String]) -> Command {
        let plain = self.start_command();
        let mut command = Command::new(program);
        command.args(arguments).arg(plain.get_program()).args(plain.get_args());
        command.env("FERRY_DATA", &self.data).stdin(Stdio::null());
        command
    }

    /// Starts the queue manager by this command and waits until it is ready, or has ended.
    ///
    /// # Errors
    /// Its output when it ended.
    pub fn start_by(&self, mut command: Command) -> Result<Running, Ended> {
        let begun = Instant::now();
        let ended = |said: String| Ended { said };
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| ended(error.to_string()))?;
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        // The end of the process closes the pipe, so this ends.
        let read = output.read_line(&mut line);
        let ready: Option<Value> = read.ok().and_then(|_| serde_json::from_str(&line).ok());
        let Some(ready) = ready else {
            let mut said = line;
            if let Some(mut errors) = child.stderr.take() {
                // What cannot be read is not shown.
                let _ = errors.read_to_string(&mut said);
            }
            let _ = child.kill();
            let status = child.wait();
            let _ = match status {
                Ok(status) => write!(said, " ({status})"),
                Err(error) => write!(said, " ({error})"),
            };
            return Err(ended(said));
        };
        let took = begun.elapsed();
        if took > START_MAX {
            return Err(ended(format!("the start took {took:?}")));
        }
        let port = ready["listens"]
            .as_array()
            .and_then(|addresses| addresses.iter().filter_map(Value::as_str).find(|text| !text.contains('/')))
            .and_then(|address| address.rsplit_once(':')?.1.parse().ok());
        let process = ready["process"].as_u64().and_then(|process| u32::try_from(process).ok());
        let health = ready["health"].as_str().map(str::to_owned);
        match (port, process) {
            (Some(port), Some(process)) => {
                Ok(Running { child, process, port, health, took, folder: self.folder(), _output: output })
            }
            _ => Err(ended(format!("{line:?} names no port or no process"))),
        }
    }

    /// A command of this installation.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.ferry);
        command.args(arguments).current_dir("/").stdin(Stdio::null());
        for variable in ["FERRY_CONNECT", "FERRY_QMGR", "NO_COLOR", "COLUMNS"] {
            command.env_remove(variable);
        }
        command.env("FERRY_DATA", &self.data);
        command
    }
}

/// Settings as `qmgr create` takes them, so that its first files are made by them.
fn as_arguments(settings: &str) -> Vec<String> {
    let mut section = "";
    let mut arguments = Vec::new();
    for line in settings.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if let Some((key, value)) = line.split_once(" = ") {
            arguments.extend(["--set".to_owned(), format!("{section}.{key}={}", value.trim_matches('"'))]);
        }
    }
    arguments
}

/// A queue manager that ended before it was ready.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its output, and the way it ended.
    pub said: String,
}

/// A queue manager that runs; killed when this is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    process: u32,
    port: u16,
    /// Address at which health is answered.
    health: Option<String>,
    /// Time from the command to being ready.
    pub took: Duration,
    folder: PathBuf,
    /// Held so that it can go on talking.
    _output: BufReader<ChildStdout>,
}

impl Running {
    /// A connection that does not come back when it breaks.
    ///
    /// # Errors
    /// When the queue manager does not answer.
    pub fn connect(&self, application: &str) -> Result<Connection, Broken> {
        connect(self.port, application)
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its process, which is not the child when it runs under another program.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Returns the address at which it answers health.
    ///
    /// # Errors
    /// It names no address.
    pub fn health(&self) -> Result<&str, Broken> {
        self.health.as_deref().ok_or_else(|| "it does not say where it answers health".to_owned())
    }

    /// True if it still runs.
    pub fn lives(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// True if it, or the program it runs under, ends within this time by itself; `hopeless` is true when it
    /// will not.
    pub fn ends_within(&mut self, time: Duration, hopeless: impl Fn() -> bool) -> bool {
        let until = Instant::now() + time;
        while self.lives() {
            if Instant::now() >= until || hopeless() {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Kills it as nothing else does: no last word, no last write.
    pub fn kill(mut self) {
        self.end();
    }

    /// Asks it to end, and waits for that.
    ///
    /// # Errors
    /// When it does not.
    pub fn stop(mut self) -> Result<(), Broken> {
        let connection = self.connect("stop")?;
        connection.channel().stop(client::StopMode::Immediate).map_err(|reason| format!("stop: {reason}"))?;
        if self.ends_within(START_MAX, || false) { Ok(()) } else { Err("it does not stop".to_owned()) }
    }

    /// The newest part of its error log.
    #[must_use]
    pub fn error_log(&self) -> String {
        std::fs::read_to_string(self.folder.join("errors/errors.log")).unwrap_or_default()
    }

    fn end(&mut self) {
        if self.lives() {
            let process = rustix::process::Pid::from_raw(self.process.cast_signed());
            if let Some(process) = process {
                // It may be ending.
                let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
            }
        }
        // A program it runs under ends when it has seen it end.
        if !self.ends_within(DEATH_MAX, || false) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
        let process = PathBuf::from(format!("/proc/{}", self.process));
        let until = Instant::now() + DEATH_MAX;
        while process.exists() && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// A connection to this port that does not come back when it breaks.
///
/// # Errors
/// Nobody answers there.
pub(super) fn connect(port: u16, application: &str) -> Result<Connection, Broken> {
    connect_at(&format!("127.0.0.1:{port}"), application)
}

/// The same at any address.
///
/// # Errors
/// Nobody answers there.
pub(super) fn connect_at(address: &str, application: &str) -> Result<Connection, Broken> {
    Connection::connect(options(address, application)?).map_err(|error| error.to_string())
}

/// The same with a socket of its own.
///
/// # Errors
/// Nobody answers there.
pub(super) fn connect_alone(port: u16, application: &str) -> Result<Connection, Broken> {
    let options = Options { is_shared: false, ..options(&format!("127.0.0.1:{port}"), application)? };
    Connection::connect(options).map_err(|error| error.to_string())
}

fn options(address: &str, application: &str) -> Result<Options, Broken> {
    let address = address.parse().map_err(|error| format!("{error}"))?;
    Ok(Options { connect_timeout: CONNECT_MAX, ..Options::to(address).application(application) })
}
