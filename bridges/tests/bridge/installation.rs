//! Queue managers and bridges as processes, and connections to them.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use client::{Connection, Options};
use ferry_bridge::definitions::Direction;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, Reason, Verbs as _, Wait,
};
use serde_json::Value;
use tempfile::TempDir;

/// No step takes longer, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The program of the queue manager, which is built beside this one.
fn ferry() -> PathBuf {
    let beside = Path::new(env!("CARGO_BIN_EXE_ferry-bridge")).with_file_name("ferry");
    assert!(beside.exists(), "{} is not there: build it with `cargo build -p cli` first", beside.display());
    beside
}

/// A queue manager with a data directory of its own, and a port that stays.
pub(crate) struct Installation {
    data: TempDir,
    name: &'static str,
    pub(crate) port: u16,
    process: Option<Process>,
}

struct Process {
    child: Child,
    /// Held, so that it can go on talking.
    _output: BufReader<ChildStdout>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Installation {
    /// Creates a queue manager and starts it.
    pub(crate) fn new(name: &'static str) -> Self {
        let data = tempfile::tempdir().unwrap();
        // Free a moment ago; nothing else takes it for as long as a test runs.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut installation = Self { data, name, port, process: None };
        let sets = ["--set", "log.extent_size=4 MiB", "--set", "log.primary_extents=3"];
        installation.run(&[&["qmgr", "create", name], &sets[..]].concat());
        installation.start();
        installation
    }

    /// Runs a command of `ferry` that must succeed.
    pub(crate) fn run(&self, arguments: &[&str]) {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.data.path().join(self.name)
    }

    pub(crate) fn start(&mut self) {
        let port = self.port.to_string();
        let mut command = self.command(&["qmgr", "start", self.name, "-o", "json", "--port", &port]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        if serde_json::from_str::<Value>(&line).is_err() {
            let _ = child.stderr.take().unwrap().read_to_string(&mut line);
            panic!("{} does not start: {line}", self.name);
        }
        self.process = Some(Process { child, _output: output });
    }

    /// Ends it as `kill -9` does, and starts it again.
    pub(crate) fn kill_and_start(&mut self) {
        self.kill();
        self.start();
    }

    pub(crate) fn kill(&mut self) {
        self.process = None;
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.as_ref().expect("it runs").child.id()
    }

    /// Itself, if its process has ended.
    pub(crate) fn if_killed(&mut self) -> Option<&mut Self> {
        let ended = self.process.as_mut()?.child.try_wait().unwrap();
        ended.map(|_| self)
    }

    /// Runs a command of `ferry`.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(ferry());
        command.args(arguments).current_dir("/").stdin(Stdio::null()).env("FERRY_DATA", self.data.path());
        for variable in ["FERRY_CONNECT", "FERRY_QMGR"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn try_connect(&self) -> Option<Connection> {
        let address = format!("127.0.0.1:{}", self.port).parse().unwrap();
        Connection::connect(Options::to(address).application("test").alone()).ok()
    }

    /// Connects by the socket in its folder, as an administrator.
    pub(crate) fn connect_locally(&self) -> Connection {
        let address = client::Address::Unix(self.folder().join("socket"));
        Connection::connect(Options::to(address).application("test").alone()).unwrap()
    }

    pub(crate) fn connect(&self) -> Connection {
        eventually("the queue manager answers", || self.try_connect())
    }

    /// Runs commands that must succeed.
    pub(crate) fn define(&self, commands: &[&str]) {
        let mut connection = self.connect_locally();
        for command in commands {
            let response = connection.command(command).unwrap();
            assert!(!response.failed, "{command}: {}", response.text);
        }
    }

    /// The values of an attribute in a display.
    pub(crate) fn shown(&self, command: &str, keyword: &str) -> Vec<String> {
        let response = self.connect().command(command).unwrap();
        let rows = response.rows.iter();
        let values = rows.filter_map(|row| row.iter().find(|(name, _)| name == keyword));
        values.map(|(_, value)| value.trim_matches(['\'', ' ']).to_owned()).collect()
    }

    pub(crate) fn depth(&self, queue: &str) -> u64 {
        eventually("the queue manager shows a depth", || self.try_depth(queue))
    }

    /// The depth of a queue; none while the queue manager is not there.
    pub(crate) fn try_depth(&self, queue: &str) -> Option<u64> {
        let command = format!("DISPLAY QLOCAL({queue}) CURDEPTH");
        let rows = self.try_connect()?.command(&command).ok()?.rows;
        rows.iter().flatten().find(|(name, _)| name == "CURDEPTH")?.1.trim().parse().ok()
    }
}

/// A bridge process, killed when this is dropped.
pub(crate) struct Bridge {
    child: Child,
    lines: Option<std::sync::mpsc::Receiver<String>>,
    /// The lines that were read, for a search after something that must not be among them.
    pub(crate) said: String,
}

impl Bridge {
    fn command(left: &Installation) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferry-bridge"));
        command.arg("--qmgr").arg(left.name).arg("--folder").arg(left.folder()).stdin(Stdio::null());
        command
    }

    pub(crate) fn start(left: &Installation) -> Self {
        Self::of(&mut Self::command(left))
    }

    /// The process of a command.
    pub(crate) fn of(command: &mut Command) -> Self {
        Self { child: command.spawn().unwrap(), lines: None, said: String::new() }
    }

    /// Starts it with more arguments. Its lines are read.
    pub(crate) fn heard(left: &Installation, arguments: &[&std::ffi::OsStr]) -> Self {
        let mut child = Self::command(left).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (lines, read) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            // The test may be over.
            output.lines().map_while(Result::ok).for_each(|line| drop(lines.send(line)));
        });
        Self { child, lines: Some(read), said: String::new() }
    }

    /// Starts it with a file or folder of keys. Its lines are read.
    pub(crate) fn with_keys(left: &Installation, keys: &Path) -> Self {
        Self::heard(left, &["--keys".as_ref(), keys.as_os_str()])
    }

    /// Waits until it says this.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let lines = self.lines.as_ref().expect("its lines are read");
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = lines.recv_timeout(left) else { panic!("not said: {text}\n{}", self.said) };
            self.said += &line;
            self.said.push('\n');
            if line.contains(text) {
                return;
            }
        }
    }

    /// Ends it as SIGTERM does.
    pub(crate) fn end(mut self) -> std::process::ExitStatus {
        let id = i32::try_from(self.child.id()).unwrap();
        let told = Command::new("kill").arg(id.to_string()).status().unwrap();
        assert!(told.success());
        assert!(told.success());
        let began = Instant::now();
        let status = eventually("the bridge ends", || self.child.try_wait().unwrap());
        // Beyond it the pipes are left to the next start.
        assert!(began.elapsed() < Duration::from_secs(8), "the pipes did not end by themselves");
        status
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two queue managers and the definitions of a bridge from the first to the second.
pub(crate) struct Pair {
    pub(crate) left: Installation,
    pub(crate) right: Installation,
}

/// The queue that programs put to.
pub(crate) fn put_on(direction: Direction) -> &'static str {
    if direction == Direction::Out { "THERE" } else { "LEAVING" }
}

/// The queue that the pipe takes messages from.
pub(crate) fn taken_from(direction: Direction) -> &'static str {
    if direction == Direction::Out { "K1" } else { "LEAVING" }
}

/// The queue that messages arrive at.
pub(crate) fn arrives_at(direction: Direction) -> &'static str {
    if direction == Direction::Out { "IN" } else { "ARRIVED" }
}

impl Pair {
    /// Messages for the remote queue THERE on the left arrive on the queue IN on the right.
    pub(crate) fn new(pipe: &str) -> Self {
        let (left, right) = (Installation::new("LEFT"), Installation::new("RIGHT"));
        right.define(&["DEFINE QLOCAL(IN) MAXDEPTH(100000)", "DEFINE QLOCAL(SMALL) MAXMSGL(10)"]);
        let bridge = format!("DEFINE BRIDGE(K1) CONNAME('127.0.0.1({})') TLS(NO)", right.port);
        left.define(&[
            "DEFINE QLOCAL(K1) USAGE(XMITQ) MAXDEPTH(100000)",
            "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(K1)",
            "DEFINE QREMOTE(TOOSMALL) RNAME(SMALL) RQMNAME(K1)",
            "DEFINE QREMOTE(NOWHERE) RNAME(ABSENT) RQMNAME(K1)",
            "DEFINE QLOCAL(DLQ)",
            "ALTER QMGR DEADQ(DLQ)",
            &bridge,
            &format!("DEFINE PIPE(K1.OUT) BRIDGE(K1) QUEUE(K1) FOREIGN('*') {pipe}"),
        ]);
        Self { left, right }
    }

    /// Messages for the queue LEAVING on the right arrive on the queue ARRIVED on the left.
    pub(crate) fn inward(pipe: &str) -> Self {
        let (left, right) = (Installation::new("LEFT"), Installation::new("RIGHT"));
        right.define(&["DEFINE QLOCAL(LEAVING) MAXDEPTH(100000)"]);
        let bridge = format!("DEFINE BRIDGE(K1) CONNAME('127.0.0.1({})') TLS(NO)", right.port);
        left.define(&[
            "DEFINE QLOCAL(ARRIVED) MAXDEPTH(100000)",
            "DEFINE QLOCAL(DLQ)",
            "ALTER QMGR DEADQ(DLQ)",
            &bridge,
            &format!("DEFINE PIPE(K1.IN) BRIDGE(K1) DIRECT(IN) QUEUE(ARRIVED) FOREIGN('LEAVING') {pipe}"),
        ]);
        Self { left, right }
    }

    /// A pair whose pipe has this direction.
    pub(crate) fn of(direction: Direction, pipe: &str) -> Self {
        if direction == Direction::Out { Self::new(pipe) } else { Self::inward(pipe) }
    }

    /// The queue manager that messages are taken from.
    pub(crate) fn source(&self, direction: Direction) -> &Installation {
        if direction == Direction::Out { &self.left } else { &self.right }
    }

    /// The queue manager that they arrive at.
    pub(crate) fn target(&self, direction: Direction) -> &Installation {
        if direction == Direction::Out { &self.right } else { &self.left }
    }
}

pub(crate) fn open(connection: &mut Connection, queue: &str, options: OpenOptions) -> ObjectHandle {
    let queue = ObjectDescriptor::queue(queue.parse().unwrap());
    connection.open(&queue, options).unwrap().handle
}

pub(crate) fn put(
    connection: &mut Connection,
    to: ObjectHandle,
    body: &[u8],
) -> Result<MessageDescriptor, Reason> {
    let mut descriptor =
        MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
    connection.put(to, &mut descriptor, &mut options, body.to_vec().into())?;
    Ok(descriptor)
}

/// Gets a message, waiting for it at the most for so long.
pub(crate) fn get(
    connection: &mut Connection,
    from: ObjectHandle,
    wait: Duration,
) -> Option<(MessageDescriptor, Vec<u8>)> {
    let mut descriptor = MessageDescriptor::default();
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::from(wait));
    match connection.get(from, &mut descriptor, &mut options, 1 << 20) {
        Ok(got) => Some((descriptor, got.body.to_vec())),
        Err(Reason::NO_MSG_AVAILABLE) => None,
        Err(reason) => panic!("{reason}"),
    }
}

/// Returns what there is as soon as it is there.
pub(crate) fn eventually<T>(what: &str, mut is_there: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = is_there() {
            return found;
        }
        assert!(Instant::now() < until, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Puts a message on a queue, and gets it from another as it was put.
pub(crate) fn passes(
    from: &mut Connection,
    put_on: &str,
    to: &mut Connection,
    arrives_at: &str,
    body: &[u8],
) {
    let put_on = open(from, put_on, OpenOptions::OUTPUT);
    let sent = put(from, put_on, body).unwrap();
    let arrives_at = open(to, arrives_at, OpenOptions::INPUT_SHARED);
    let (arrived, got) = get(to, arrives_at, PATIENCE).expect("it arrives");
    assert_eq!(got, body);
    let told = |descriptor: &MessageDescriptor| {
        let MessageDescriptor { message_id, persistence, put_date, put_time, .. } = descriptor.clone();
        (message_id, persistence, put_date, put_time)
    };
    assert_eq!(told(&arrived), told(&sent));
    for (connection, handle) in [(from, put_on), (to, arrives_at)] {
        connection.close(handle, CloseOptions::EMPTY).unwrap();
    }
}
