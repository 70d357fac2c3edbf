//! Running `ferry`: commands to their end, and queue managers that can be killed.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// The size of a log file of queue managers whose test says none: the usual four have 64 MiB each, and all of
/// that is written.
const EXTENT_SIZE: &str = "log.extent_size=4MiB";

/// A data directory, and `ferry` for it. The environment of the person who runs the tests is left out.
pub(crate) struct Ferry {
    data: PathBuf,
    /// Removes the directory at the end, if it is ours.
    _directory: Option<tempfile::TempDir>,
}

/// Output of a command.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ferry {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self { data: directory.path().to_owned(), _directory: Some(directory) }
    }

    /// With a data directory that is there already.
    pub(crate) fn at(data: &Path) -> Self {
        Self { data: data.to_owned(), _directory: None }
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// A command that is not started yet.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = ferry(arguments);
        command.current_dir(&self.data).stdin(Stdio::null()).env("FERRY_DATA", &self.data);
        if let ["qmgr", "start", name, ..] = arguments
            && !arguments.contains(&"--port")
            && self.has_usual_port(name)
        {
            command.args(["--port", "0"]);
        }
        if let ["qmgr", "create", ..] = arguments
            && !arguments.iter().any(|argument| argument.contains("extent_size") || *argument == "--settings")
        {
            command.args(["--set", EXTENT_SIZE]);
        }
        command
    }

    /// The queue manager was made without a port of its own: tests beside each other would meet there.
    fn has_usual_port(&self, name: &str) -> bool {
        let settings = self.data.join(name).join("ferry.toml");
        // A pipe has the settings for the queue manager alone, later.
        if !settings.is_file() {
            return false;
        }
        let settings = fs::read_to_string(settings).unwrap_or_default();
        settings.contains("\naddresses = [\"127.0.0.1:1414\"]\n")
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        said(&self.command(arguments).output().expect("ferry runs"))
    }

    /// Runs a command that must succeed; what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "ferry {arguments:?}: {}{}", said.stdout, said.stderr);
        said.stdout
    }

    /// Runs a command with this on its standard input.
    pub(crate) fn with_input(&self, arguments: &[&str], input: &[u8]) -> Said {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("ferry runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        // A command that fails early does not read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("ferry ends");
        writer.join().expect("the writer ends");
        said(&output)
    }

    /// Starts a queue manager and waits until it is ready.
    pub(crate) fn start(&self, arguments: &[&str]) -> Server {
        let mut child =
            self.command(arguments).args(["-o", "json"]).stdout(Stdio::piped()).spawn().expect("ferry runs");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut line).expect("a line of the queue manager");
        match serde_json::from_str(&line) {
            Ok(ready) => Server { child, ready, output },
            Err(error) => {
                let _ = child.kill();
                panic!("ferry {arguments:?} said {line:?} instead of being ready: {error}");
            }
        }
    }

    /// A queue manager to try things on.
    pub(crate) fn dev(&self) -> Server {
        self.start(&["dev", "--port", "0", "--http", "none"])
    }
}

/// A command without the environment of the person who runs the tests. Nobody can listen on port 0, so that
/// none of the queue managers of the machine is found.
pub(crate) fn ferry(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferry"));
    command.args(arguments);
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("FERRY_") {
            command.env_remove(variable);
        }
    }
    command.env_remove("NO_COLOR").env_remove("COLUMNS").env("FERRY_PORT", "0");
    command
}

/// Sends a signal to a process.
pub(crate) fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(sent.expect("kill runs").success(), "{name} to {process}");
}

fn said(output: &Output) -> Said {
    Said {
        code: output.status.code().expect("ferry ends by itself"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A queue manager that runs; it is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// Its report when it was ready.
    pub(crate) ready: Value,
    /// Held so that it can go on talking.
    output: BufReader<std::process::ChildStdout>,
}

impl Server {
    /// The port it listens on.
    pub(crate) fn port(&self) -> u16 {
        let listens = self.ready["listens"].as_array().expect("addresses");
        let address = listens.iter().filter_map(Value::as_str).find(|text| !text.contains('/')).expect("TCP");
        address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port")
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it as nothing else does: no last word, no last write.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// Waits for its end; its exit code.
    pub(crate) fn wait(mut self) -> i32 {
        let mut rest = String::new();
        while self.output.read_line(&mut rest).is_ok_and(|bytes| bytes > 0) {}
        self.child.wait().expect("it ends").code().expect("it ends by itself")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that no program has just now, below those that the system gives to connections and to port 0.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let candidate = std::process::id() * 64 + NEXT.fetch_add(1, Ordering::Relaxed);
        let port = u16::try_from(20_000 + candidate % 12_000).expect("below 32,000");
        if std::net::TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return port;
        }
    }
}
