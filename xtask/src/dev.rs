//! A queue manager of `ferry dev` that a run starts for its programs.
//!
//! Lives here: start, the port that it tells, and the end. Lives elsewhere: its objects and programs
//! (`interop::served`, `compatible`).
//!
//! Always: it ends with its owner.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Seconds after which an orderly end has failed.
const STOP_SECONDS: &str = "60";

/// A queue manager that runs, killed when this is dropped.
pub(crate) struct DevQueueManager {
    child: Child,
    prefix: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) port: u16,
}

impl DevQueueManager {
    /// Starts the program of an installation with a folder that may have data, on a port, 0 for any. Its
    /// errors go to a file beside the folder.
    pub(crate) fn start(prefix: &Path, data: &Path, port: u16) -> Result<Self> {
        let program = prefix.join("bin/ferry");
        let errors = data.with_extension("errors");
        if let Some(folder) = errors.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let file = fs::File::create(&errors).with_context(|| errors.display().to_string())?;
        let mut command = Command::new(&program);
        without_settings(&mut command);
        command.args(["dev", "--port", &port.to_string(), "-o", "json"]).env("FERRY_DATA", data);
        let child = command.stdout(Stdio::piped()).stderr(file).spawn();
        let child = child.with_context(|| format!("cannot start {}", program.display()))?;
        let mut started = Self { child, prefix: prefix.to_owned(), data: data.to_owned(), port: 0 };
        match port_told(&mut started.child) {
            Ok(port) => started.port = port,
            Err(error) => {
                let said = fs::read_to_string(&errors).unwrap_or_default();
                bail!("{} did not start a queue manager: {error}: {}", program.display(), said.trim());
            }
        }
        Ok(started)
    }

    /// The number of the process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends it at once, as a crash does.
    pub(crate) fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Ends it in order, by the command of its own release.
    pub(crate) fn stop(mut self) -> Result<()> {
        let mut stop = Command::new("timeout");
        stop.args(["-s", "KILL", STOP_SECONDS]).arg(self.prefix.join("bin/ferry")).arg("stop");
        without_settings(&mut stop);
        let said = stop.arg("--data").arg(&self.data).output()?;
        ensure!(
            said.status.success(),
            "`ferry stop` failed: {}",
            String::from_utf8_lossy(&said.stderr).trim()
        );
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for DevQueueManager {
    fn drop(&mut self) {
        // It may have ended by itself, and its data are of no further use.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Keeps a person's own settings from a program of a run.
pub(crate) fn without_settings(command: &mut Command) {
    for variable in ["FERRY_DATA", "FERRY_CONNECT", "FERRY_QMGR", "FERRY_CONTEXT", "FERRY_CHANNEL"] {
        command.env_remove(variable);
    }
}

/// The port that the first line of a queue manager's output names.
pub(crate) fn port_told(child: &mut Child) -> Result<u16> {
    let output = child.stdout.take().context("its output cannot be read")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    port_of(&line).with_context(|| format!("its first line is {line:?}"))
}

/// The port of the first address that the line of a queue manager's start names.
fn port_of(ready: &str) -> Option<u16> {
    let ready: serde_json::Value = serde_json::from_str(ready).ok()?;
    let addresses = ready["listens"].as_array()?.iter().filter_map(serde_json::Value::as_str);
    addresses
        .filter(|address| !address.contains('/'))
        .find_map(|address| address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    /// An installation whose program is a script.
    fn installed(script: &str) -> tempfile::TempDir {
        let prefix = tempfile::tempdir().unwrap();
        let program = prefix.path().join("bin/ferry");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        prefix
    }

    #[test]
    fn the_port_is_that_of_the_address_which_is_no_socket() {
        let ready = r#"{"listens":["/tmp/q/socket","127.0.0.1:24141"]}"#;
        assert_eq!(port_of(ready), Some(24141));
        assert_eq!(port_of("Queue manager started"), None);
    }

    #[test]
    fn a_queue_manager_that_does_not_start_is_told_with_its_errors() {
        let prefix = installed("echo 'FRY0001E: no room' >&2");
        let failed = DevQueueManager::start(prefix.path(), &prefix.path().join("data"), 0);
        let words = failed.err().unwrap().to_string();
        assert!(words.contains("bin/ferry") && words.contains("FRY0001E: no room"), "{words}");
    }

    #[test]
    fn a_queue_manager_ends_in_order_by_its_own_command_or_with_its_owner() {
        // The program listens until its folder has the word to stop.
        let prefix = installed(
            "if [ \"$1\" = stop ]; then : > \"$3/stop\"; exit 0; fi\n\
             mkdir -p \"$FERRY_DATA\"\n\
             echo '{\"listens\":[\"127.0.0.1:'$((20000 + $3))'\"]}'\n\
             while [ ! -e \"$FERRY_DATA/stop\" ]; do sleep 0.05; done",
        );
        let data = prefix.path().join("data");
        let served = DevQueueManager::start(prefix.path(), &data, 7).unwrap();
        assert_eq!(served.port, 20007);
        served.stop().unwrap();
        assert!(data.join("stop").exists(), "it was told to stop");
        fs::remove_file(data.join("stop")).unwrap();
        let dropped = DevQueueManager::start(prefix.path(), &data, 8).unwrap();
        let process = PathBuf::from(format!("/proc/{}", dropped.process()));
        assert!(process.exists());
        drop(dropped);
        assert!(!process.exists(), "it ends with its owner");
    }
}
