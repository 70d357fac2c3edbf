//! The queue manager that programs of a run go to.
//!
//! Always: it ends with the run, and begins with empty data.

use anyhow::{Context, Result, bail};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::table::prepare;
use super::tokens::TokenServer;

/// A queue manager for the programs, which ends with this.
pub(super) struct Served {
    program: Child,
    pub(super) prefix: PathBuf,
    pub(super) data: PathBuf,
    pub(super) port: u16,
    /// The stand-in for a token server, or the reason why there is none.
    pub(super) tokens: Result<TokenServer, String>,
}

impl Served {
    pub(super) fn start(prefix: &Path, data: &Path) -> Result<Self> {
        // What an earlier run left is not what this one is about.
        let _absent = std::fs::remove_dir_all(data);
        let program = Self::spawn(prefix, data)?;
        let tokens = Err("no program of this run takes tokens".to_owned());
        let mut served = Self { program, prefix: prefix.to_owned(), data: data.to_owned(), port: 0, tokens };
        served.hear_port()?;
        Ok(served)
    }

    fn spawn(prefix: &Path, data: &Path) -> Result<Child> {
        Command::new(prefix.join("bin/ferry"))
            .args(["dev", "--port", &free_port(), "-o", "json"])
            .env("FERRY_DATA", data)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", prefix.join("bin/ferry").display()))
    }

    fn hear_port(&mut self) -> Result<()> {
        let output = self.program.stdout.take().context("its output cannot be read")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        self.port = port_of(&line).with_context(|| format!("ferry dev said {line:?}"))?;
        Ok(())
    }

    /// Starts it again with a line of its settings replaced by another.
    pub(super) fn start_again(&mut self, (line, other): (&str, &str)) -> Result<()> {
        self.program.kill()?;
        self.program.wait()?;
        let path = self.data.join("QM1/ferry.toml");
        let settings = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        if !settings.contains(line) {
            bail!("{} has no line {line:?}", path.display());
        }
        std::fs::write(&path, settings.replace(line, other))?;
        self.program = Self::spawn(&self.prefix, &self.data)?;
        self.hear_port()
    }

    /// Runs commands, all of which must succeed.
    pub(super) fn define(&self, commands: &str) -> Result<()> {
        let script = self.data.join("interop.mqsc");
        // Samples give users and passwords of their own, which are no users here.
        std::fs::write(&script, format!("ALTER QMGR CONNAUTH(' ')\n{commands}"))?;
        let mut ferry = Command::new(self.prefix.join("bin/ferry"));
        ferry.args(["mqsc", "-f"]).arg(&script).env("FERRY_DATA", &self.data);
        prepare(&mut ferry).map_err(|why| anyhow::anyhow!("the objects of the samples: {why}"))
    }

    /// A program that loads the library, for a limited time; over the network when it is to.
    pub(super) fn command(&self, program: &Path, over_the_network: bool) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "60"]).arg(program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib64")).env("FERRY_DATA", &self.data);
        if over_the_network {
            command
                .env("MQ_CONNECT_TYPE", "CLIENT")
                .env("MQSERVER", format!("SYSTEM.DEF.SVRCONN/TCP/{}", self.host()));
        }
        command
    }

    /// The most memory that the queue manager has taken so far, in MiB.
    pub(super) fn memory_mib_max(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.program.id()))?;
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = most.and_then(|most| most.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        kib.map(|kib| kib / 1024).context("the process does not tell how much memory it took")
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1({})", self.port)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, and its data are of no further use.
        let _ended = self.program.kill();
        let _ended = self.program.wait();
    }
}

/// The port that samples go to when nobody tells them another, if it is free; any port otherwise.
fn free_port() -> String {
    const USUAL: u16 = 1414;
    let is_free = std::net::TcpListener::bind(("127.0.0.1", USUAL)).is_ok();
    if is_free { USUAL } else { 0 }.to_string()
}

/// The port of the first address that the line of a queue manager's start names.
pub(crate) fn port_of(ready: &str) -> Option<u16> {
    let ready: serde_json::Value = serde_json::from_str(ready).ok()?;
    let addresses = ready["listens"].as_array()?.iter().filter_map(serde_json::Value::as_str);
    addresses
        .filter(|address| !address.contains('/'))
        .find_map(|address| address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::port_of;

    #[test]
    fn the_port_is_that_of_the_address_which_is_no_socket() {
        let ready = r#"{"listens":["/tmp/q/socket","127.0.0.1:24141"]}"#;
        assert_eq!(port_of(ready), Some(24141));
        assert_eq!(port_of("Queue manager started"), None);
    }
}
