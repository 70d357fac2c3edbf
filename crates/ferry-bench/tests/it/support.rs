//! Running `ferry`, which runs the program that is tested.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A copy of `ferry`, and a folder for it.
pub(crate) struct Ferry {
    program: PathBuf,
    directory: tempfile::TempDir,
}

/// The words of a command.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ferry {
    pub(crate) fn new() -> Self {
        Self::of(&crate::ferry())
    }

    /// The copy with this path.
    pub(crate) fn of(program: &Path) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Self { program: program.to_owned(), directory }
    }

    pub(crate) fn data(&self) -> &Path {
        self.directory.path()
    }

    /// A command that is not started yet. The environment of the person who runs the tests is left out.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.data()).stdin(Stdio::null());
        for variable in ["FERRY_CONNECT", "FERRY_QMGR", "NO_COLOR", "COLUMNS"] {
            command.env_remove(variable);
        }
        // Nobody can listen on port 0, so that none of the queue managers of the machine is found.
        command.env("FERRY_DATA", self.data()).env("FERRY_PORT", "0");
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().expect("ferry runs");
        Said {
            code: output.status.code().expect("ferry ends by itself"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs a command that must succeed; what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "ferry {arguments:?}: {}{}", said.stdout, said.stderr);
        said.stdout
    }
}
