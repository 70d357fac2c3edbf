//! The processes that a run kills, and starts again on their data.
//!
//! Always: each is a group of processes of its own, of which all are killed; databases run as an ordinary
//! user, on a socket in the folder of their data.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::judge::{PIECE, PIECES};
use super::packages::Packages;
use crate::dev::{port_told, without_settings};

/// The user that databases run as where the run is root's: they refuse root.
const NOBODY: u32 = 65_534;

/// Objects of a queue manager.
const OBJECTS: &str = "ALTER QMGR CONNAUTH(' ')
DEFINE QLOCAL(MONEY) MAXDEPTH(100000)
DEFINE QLOCAL(RECEIPTS) MAXDEPTH(999999)
DEFINE CHANNEL(XA.APP) CHLTYPE(SVRCONN)
SET CHLAUTH(XA.APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)
";

/// A branch that was left before it was prepared keeps its money for so long. Its transaction manager does
/// not know of it after a kill.
const IDLE: &str = "xa.idle_seconds=1";

/// A folder that goes with its owner.
pub(super) struct TemporaryFolder {
    path: PathBuf,
    is_kept: bool,
}

impl TemporaryFolder {
    pub(super) fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(Self { path, is_kept: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves it to a person.
    pub(super) fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.path.clone()
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // It is in the folder for such things.
            let _left = fs::remove_dir_all(&self.path);
        }
    }
}

/// A process that runs, or was killed.
pub(super) struct Server {
    start: Box<dyn Fn() -> Result<Child>>,
    running: Option<Child>,
    port: u16,
}

impl Server {
    fn started(port: u16, start: impl Fn() -> Result<Child> + 'static) -> Result<Self> {
        let running = Some(start()?);
        Ok(Self { start: Box::new(start), running, port })
    }

    /// The port at which it listens; 0 for a database.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Ends all its processes at once.
    pub(super) fn kill(&mut self) -> Result<()> {
        let Some(mut running) = self.running.take() else { return Ok(()) };
        let group = format!("-{}", running.id());
        let status = Command::new("kill").args(["-KILL", "--", &group]).status()?;
        ensure!(status.success(), "kill {group}: {status}");
        running.wait()?;
        Ok(())
    }

    /// Starts it again.
    pub(super) fn start_again(&mut self) -> Result<()> {
        self.running = Some((self.start)()?);
        Ok(())
    }

    /// A queue manager with queues for money, and a client channel.
    pub(super) fn queue_manager(prefix: &Path, folder: &Path, name: &'static str) -> Result<Self> {
        let data = folder.join("queues");
        let program = prefix.join("bin/ferry");
        let ferry = move |words: &[&str]| {
            let mut command = Command::new(&program);
            without_settings(&mut command);
            command.args(words).env("FERRY_DATA", &data);
            command
        };
        // The same port after each start, since the text for xa_open names it.
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let port_text = port.to_string();
        let create = ["qmgr", "create", name, "--port", &port_text, "--set", "log.extent_size=\"16 MiB\""];
        succeed(ferry(&create).args(["--set", IDLE]), "")?;
        let start = {
            let ferry = ferry.clone();
            let errors = folder.join(format!("{name}.errors"));
            move || {
                let file = fs::File::options().create(true).append(true).open(&errors)?;
                let mut command = ferry(&["qmgr", "start", name, "-o", "json"]);
                let mut child =
                    command.stdout(Stdio::piped()).stderr(file).process_group(0).spawn().context("ferry")?;
                port_told(&mut child).with_context(|| format!("{name} does not start"))?;
                Ok(child)
            }
        };
        let server = Self::started(port, start)?;
        succeed(&mut ferry(&["mqsc", name]), OBJECTS)?;
        Ok(server)
    }

    /// PostgreSQL with money in rows, and the text for its switch.
    pub(super) fn postgres(packages: &Packages, folder: &Path) -> Result<(Self, String)> {
        let place = folder.join("postgres");
        let data = place.join("data");
        own(&place)?;
        let server = packages.server.clone();
        let libraries = join(&packages.libraries());
        let mut init = ordinary(&server.with_file_name("initdb"), &place, &libraries);
        init.args(["--auth=trust", "--username=ferry", "--no-locale", "-D"]).arg(&data);
        succeed(&mut init, "")?;
        let command = move |words: &[&str]| {
            let mut command = ordinary(&server, &place, &libraries);
            command.args(words).arg("-D").arg(&data);
            command
        };
        let mut alone = command(&["--single", "-j"]);
        succeed(alone.arg("postgres"), &schema(";\n\n"))?;
        let sockets = folder.join("postgres");
        let text = format!("host={} user=ferry dbname=postgres", sockets.display());
        let errors = folder.join("postgres.errors");
        let start = move || {
            let file = fs::File::options().create(true).append(true).open(&errors)?;
            let mut command = command(&["-h", "", "-c", "max_prepared_transactions=200"]);
            command.arg("-k").arg(&sockets).stdout(Stdio::null()).stderr(file).process_group(0);
            // Parts of the one before may hold its memory for a moment.
            for _ in 0..50 {
                let mut child = command.spawn().context("postgres")?;
                thread::sleep(Duration::from_millis(200));
                if child.try_wait()?.is_none() {
                    return Ok(child);
                }
            }
            anyhow::bail!("postgres does not start")
        };
        Ok((Self::started(0, start)?, text))
    }

    /// MariaDB with money in rows, and the text for its switch.
    pub(super) fn mariadb(packages: &Packages, folder: &Path) -> Result<(Self, String)> {
        let place = folder.join("mariadb");
        let data = place.join("data");
        let socket = place.join("socket");
        own(&place)?;
        own(&data)?;
        own(&data.join("mysql"))?;
        let shared = packages.shared().join("mysql");
        let libraries = join(&packages.libraries());
        let server = packages.server.clone();
        let command = {
            let (shared, data) = (shared.clone(), data);
            move || {
                let mut command = ordinary(&server, &place, &libraries);
                command.args(["--no-defaults", "--skip-networking", "--skip-grant-tables"]);
                command.arg(format!("--lc-messages-dir={}", shared.display()));
                command.arg(format!("--datadir={}", data.display()));
                command
            }
        };
        let mut system = "USE mysql;\n".to_owned();
        for file in ["mysql_system_tables.sql", "mysql_system_tables_data.sql"] {
            let path = shared.join(file);
            system.push_str(&fs::read_to_string(&path).with_context(|| path.display().to_string())?);
        }
        let schema = format!("{system}\nCREATE DATABASE ferry;\nUSE ferry;\n{}", schema(";\n"));
        succeed(command().arg("--bootstrap"), &schema)?;
        let text = format!("{} ferry ferry", socket.display());
        let errors = folder.join("mariadb.errors");
        let start = move || {
            let file = fs::File::options().create(true).append(true).open(&errors)?;
            let mut command = command();
            command.arg(format!("--socket={}", socket.display()));
            command.stdout(Stdio::null()).stderr(file).process_group(0);
            command.spawn().context("mariadbd")
        };
        Ok((Self::started(0, start)?, text))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.kill();
    }
}

/// Tables with money, for both databases. `end` ends a command.
fn schema(end: &str) -> String {
    let rows: Vec<_> = (0..PIECES).map(|number| format!("({number}, {PIECE})")).collect();
    [
        "CREATE TABLE account (number INT PRIMARY KEY, amount BIGINT NOT NULL)",
        "CREATE TABLE receipt (transfer BIGINT PRIMARY KEY, amount BIGINT NOT NULL)",
        &format!("INSERT INTO account VALUES {}", rows.join(", ")),
    ]
    .map(|command| format!("{command}{end}"))
    .concat()
}

/// Makes a folder that is the ordinary user's.
fn own(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    if is_root()? {
        chown(folder, Some(NOBODY), Some(NOBODY))?;
    }
    Ok(())
}

fn is_root() -> Result<bool> {
    Ok(fs::metadata("/proc/self")?.uid() == 0)
}

/// A program that an ordinary user runs.
fn ordinary(program: &Path, folder: &Path, libraries: &str) -> Command {
    let mut command = Command::new(program);
    if is_root().unwrap_or_default() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.env("LD_LIBRARY_PATH", libraries).current_dir(folder);
    command
}

fn join(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(":")
}

/// Runs a program to its end with an input.
fn succeed(command: &mut Command, input: &str) -> Result<()> {
    let name = command.get_program().display().to_string();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| name.clone())?;
    let mut to = child.stdin.take().context("it takes no input")?;
    let input = input.to_owned();
    // Beside the reading of its output, which may fill before it has read all.
    let writer = thread::spawn(move || std::io::Write::write_all(&mut to, input.as_bytes()));
    let output = child.wait_with_output()?;
    let written = writer.join();
    let told = [output.stdout, output.stderr].concat();
    ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&told).trim());
    ensure!(matches!(written, Ok(Ok(()))), "{name} did not read its input");
    Ok(())
}
