//! A PostgreSQL of Debian for a run, with data of its own on a port of its own.
//!
//! Always: it runs as an ordinary user, and ends with its owner, with its data.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The folder of Debian's versions.
const VERSIONS: &str = "/usr/lib/postgresql";

/// A user that every system has, for a run as root: PostgreSQL does not run as that.
const ORDINARY: [&str; 5] = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"];

/// The longest that a start may take.
const START: Duration = Duration::from_secs(60);

/// Transactions that may be prepared at a time.
const PREPARED_MAX: u32 = 200;

/// A database that runs; it is ended, and its data removed, when this is dropped.
pub(super) struct Postgres {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Postgres {
    /// Starts one; the reason where it is not installed.
    pub(super) fn start() -> Result<Result<Self, String>> {
        let Some(programs) = programs() else {
            return Ok(Err("there is no PostgreSQL: `apt-get install postgresql`".to_owned()));
        };
        let mut make = Command::new("mktemp");
        let made = make.args(["-d", "-t", "ferry-postgres.XXXXXX"]).output().context("mktemp")?;
        let folder = PathBuf::from(String::from_utf8(made.stdout)?.trim());
        let is_root = belongs_to_root(&folder)?;
        if is_root {
            run(Command::new("chown").arg("nobody:nogroup").arg(&folder))?;
        }
        let data = folder.join("data");
        let initdb = ["--auth=trust", "--username=ferry", "--no-locale", "--encoding=UTF8"];
        run(as_ordinary(is_root, &programs.join("initdb")).args(initdb).arg("-D").arg(&data))?;
        let port = free_port()?;
        let mut server = as_ordinary(is_root, &programs.join("postgres"));
        server.arg("-D").arg(&data).args(["-p", &port.to_string()]);
        let prepared = format!("max_prepared_transactions={PREPARED_MAX}");
        for setting in ["listen_addresses=127.0.0.1", "unix_socket_directories=", &prepared] {
            server.args(["-c", setting]);
        }
        let log = std::fs::File::create(folder.join("log"))?;
        let child = server.stdout(Stdio::null()).stderr(log).current_dir("/").spawn();
        let started = Self { child: child.context("postgres cannot be started")?, folder, port };
        let until = Instant::now() + START;
        while !started.answers(&programs) {
            if Instant::now() > until {
                let said = std::fs::read_to_string(started.folder.join("log")).unwrap_or_default();
                bail!("PostgreSQL does not answer: {said}");
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(Ok(started))
    }

    fn answers(&self, programs: &Path) -> bool {
        let mut ask = Command::new(programs.join("pg_isready"));
        ask.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        ask.status().is_ok_and(|status| status.success())
    }

    /// The address for programs in Java.
    pub(super) fn url(&self) -> String {
        format!("jdbc:postgresql://127.0.0.1:{}/postgres?user=ferry", self.port)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // It ends its processes by SIGINT; killed, it would leave them for a moment.
        let _told = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        let _ended = self.child.wait();
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

/// The programs of the newest version that is installed.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir(VERSIONS).ok()?.flatten();
    let number = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    let newest =
        versions.map(|entry| entry.path()).filter(|path| number(path).is_some()).max_by_key(number)?;
    let programs = newest.join("bin");
    programs.join("initdb").exists().then_some(programs)
}

/// True for a run as root, which owns the folder that it made.
fn belongs_to_root(folder: &Path) -> Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(std::fs::metadata(folder).with_context(|| folder.display().to_string())?.uid() == 0)
}

fn as_ordinary(is_root: bool, program: &Path) -> Command {
    let mut command = Command::new(if is_root { Path::new(ORDINARY[0]) } else { program });
    if is_root {
        command.args(&ORDINARY[1..]).arg(program);
    }
    command.current_dir("/");
    command
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    if output.status.success() {
        return Ok(());
    }
    bail!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim())
}

fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
