//! R13: a program bound to the queue manager of its machine is killed, or writes over what it shares with it,
//! while four others work.
//!
//! A case is a kill of the C program `program.c` at a random moment: in a unit of work, in a wait, in its
//! connect call. Within a second its unit of work has been backed out, its connection, handles and temporary
//! queue are gone; the tokens that it moved between two queues are all there, once each. Or it is a program
//! that writes random words over the memory of its rings until it is killed. The others' long calls are
//! judged at the end, and so is the number of sockets the server has open and of rings it has mapped; files
//! of its log come and go.
//!
//! Always: what takes long is a fault unless a witness, which writes to the same disk by itself, waited for
//! the disk at the same time; then as much is taken off as it waited, and the result tells of it.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags,
    PutOptions, Reason, Verbs as _, Wait,
};
use platform::simulated::Random;

use super::installation::{Broken, Installation, Running};
use super::load::command;
use super::witness::{self, Span, Witness};
use super::{Outcome, Size};

/// The program, in C.
const SOURCE: &str = include_str!("program.c");
/// The name that the library is linked with, before an installation gives each copy its own.
const LIBRARY: &str = "libferrymq_mqi.so";
/// Slow writes of the log are named by its error log from where the witness calls one slow.
const SETTINGS: &str = "[log]\nextent_size = \"8 MiB\"\nprimary_extents = 3\nslow_io_microseconds = 100000\n";
/// Identifier of a slow write in the error log.
const SLOW_WRITE: &str = "FRY6729W";
const QUEUES: [&str; 2] = ["BOUND.LEFT", "BOUND.RIGHT"];
const TOKENS: u32 = 64;
/// Queues of those that work on, and whether their messages are persistent and in units of work.
const WORKERS: [(&str, &str); 4] =
    [("BOUND.WORK.1", "0"), ("BOUND.WORK.2", "0"), ("BOUND.WORK.3", "1"), ("BOUND.WORK.4", "1")];
/// Time after which a dead program's leftovers are gone; no other program is delayed for longer.
const LIMIT: Duration = Duration::from_secs(1);
/// Longest work of the program after its first unit of work.
const WORK_MAX_MICROSECONDS: u64 = 20_000;
/// Within this it is in its start or its connect call.
const START_MAX_MICROSECONDS: u64 = 8_000;
/// Longer than any program of ours takes to begin.
const BEGIN_MAX: Duration = Duration::from_secs(10);

/// Kills the program at random moments.
#[must_use]
pub fn kills(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    torture(ferry, folder, size, Victim::Moves)
}

/// Has the program write over the memory it shares, until it is killed.
#[must_use]
pub fn scribbles(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    torture(ferry, folder, size, Victim::Scribbles)
}

/// Work of the program that is killed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Victim {
    Moves,
    Scribbles,
}

fn torture(ferry: &Path, folder: &Path, size: Size, victim: Victim) -> Outcome {
    let program = match BoundProgram::compile(ferry, folder) {
        Ok(program) => program,
        Err(why) => return Outcome::skipped(why),
    };
    let mut outcome = Outcome::default();
    match Torture::begin(ferry, folder, &program, size.seed) {
        Ok(mut torture) => {
            for case in size.numbers() {
                let done = torture.kill(&program, victim, case);
                outcome.case(&format!("kill {case} of seed {}", size.seed), done);
            }
            torture.end(&mut outcome);
        }
        Err(problem) => outcome.case("the beginning", Err(problem)),
    }
    outcome
}

/// The compiled program, and the folder of the library it loads.
struct BoundProgram {
    path: PathBuf,
    libraries: PathBuf,
}

impl BoundProgram {
    /// Compiles it with our headers, for the library that was built with `ferry`; what is not here to do
    /// that.
    fn compile(ferry: &Path, folder: &Path) -> Result<Self, String> {
        let library = ["libcapi.so", "deps/libcapi.so"].map(|name| ferry.with_file_name(name));
        let library = library.iter().find(|path| path.is_file());
        let library = library.ok_or("the library beside ferry (cargo build -p capi, of the same profile)")?;
        let (libraries, path) = (folder.join("lib64"), folder.join("bound"));
        let prepared = std::fs::create_dir_all(&libraries)
            .and_then(|()| std::fs::copy(library, libraries.join(LIBRARY)))
            .and_then(|_| std::fs::write(folder.join("bound.c"), SOURCE));
        prepared.map_err(|error| format!("a folder to compile in: {}: {error}", folder.display()))?;
        let compiled = Command::new("cc")
            .args(["-std=gnu11", "-pthread", "-Wall", "-Wextra", "-Werror", "-I"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/include"))
            .arg(folder.join("bound.c"))
            .arg(libraries.join(LIBRARY))
            .arg("-o")
            .arg(&path)
            .output()
            .map_err(|error| format!("a C compiler (cc: {error})"))?;
        if compiled.status.success() {
            return Ok(Self { path, libraries });
        }
        // The program is ours: that it does not compile is a fault and no lack of this machine.
        panic!("cc refuses program.c: {}", String::from_utf8_lossy(&compiled.stderr));
    }

    fn command(&self, installation: &Installation, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.args(arguments).env_clear().env("FERRY_DATA", installation.data());
        command.env("LD_LIBRARY_PATH", &self.libraries).env("MQ_CONNECT_TYPE", "STANDARD").current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    }
}

/// One that works on.
struct Worker {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(mut command: Command) -> Result<Self, Broken> {
        let mut child = command.spawn().map_err(|error| format!("a worker: {error}"))?;
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut worker = Self { child, output };
        match worker.line()?.as_str() {
            "begun" => Ok(worker),
            said => Err(format!("a worker said {said:?}")),
        }
    }

    fn line(&mut self) -> Result<String, Broken> {
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| format!("what a worker says: {error}"))?;
        Ok(line.trim_end().to_owned())
    }

    /// Ends it; what it did.
    fn end(mut self) -> Result<Worked, Broken> {
        drop(self.child.stdin.take());
        let said = self.line()?;
        Worked::read(&said).ok_or_else(|| format!("a worker ended with {said:?}"))
    }
}

/// Work that a worker did.
#[derive(Debug, Default, PartialEq, Eq)]
struct Worked {
    calls: u64,
    longest: Duration,
    /// The calls that took longer than [`LIMIT`].
    slow: Vec<Span>,
}

impl Worked {
    /// Reads `BEGIN-END… CALLS LONGEST`, in microseconds.
    fn read(said: &str) -> Option<Self> {
        let microseconds = |text: &str| text.parse().ok().map(Duration::from_micros);
        let words: Vec<&str> = said.split(' ').collect();
        let [slow @ .., calls, longest] = &words[..] else { return None };
        let slow = slow.iter().map(|word| {
            let (begin, end) = word.split_once('-')?;
            Some(Span { begin: microseconds(begin)?, end: microseconds(end)? })
        });
        let slow = slow.collect::<Option<_>>()?;
        Some(Self { calls: calls.parse().ok()?, longest: microseconds(longest)?, slow })
    }

    fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            longest: self.longest.max(other.longest),
            slow: [self.slow, other.slow].concat(),
        }
    }
}

/// Judges what took longer than it may: how much of it is neither the disk's nor within the limit.
fn judge(what: &str, took: Duration, of_the_disk: Duration) -> Result<(), Broken> {
    if took.saturating_sub(of_the_disk) <= LIMIT {
        return Ok(());
    }
    Err(format!(
        "{what} took {took:.1?}, and the disk kept its witness waiting for {of_the_disk:.1?} of that"
    ))
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It has ended, or is of no more use.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Torture {
    installation: Installation,
    server: Running,
    connection: Connection,
    workers: Vec<Worker>,
    random: Random,
    /// Open files and sockets of the server before the first kill.
    open: Open,
    witness: Witness,
    /// Longest time until nothing was left of a program.
    slowest: Duration,
    /// Kills before the first unit of work was committed.
    early: u64,
    /// Times that were too long because of the disk, in the order of events.
    excused: Vec<(Duration, Duration)>,
}

impl Torture {
    fn begin(ferry: &Path, folder: &Path, program: &BoundProgram, seed: u64) -> Result<Self, Broken> {
        let installation = Installation::create(ferry, &folder.join("data"), SETTINGS)?;
        let server = installation.start()?;
        let mut connection = server.connect("audit")?;
        for queue in QUEUES.iter().chain(WORKERS.iter().map(|(queue, _)| queue)).chain(&["BOUND.EMPTY"]) {
            command(&mut connection, &format!("DEFINE QLOCAL({queue})"))?;
        }
        command(&mut connection, "DEFINE QLOCAL(BOUND.SCRIBBLED) MAXDEPTH(999999999)")?;
        put_tokens(&mut connection).map_err(|reason| format!("the tokens: {reason}"))?;
        let witness = Witness::start(folder)?;
        let limit = LIMIT.as_micros().to_string();
        let workers: Result<Vec<Worker>, Broken> = WORKERS
            .iter()
            .map(|(queue, persists)| {
                Worker::start(program.command(&installation, &[queue, persists, &limit]))
            })
            .collect();
        Ok(Self {
            workers: workers?,
            random: Random::stream(seed, "R13-kills"),
            open: Open::of(&server),
            installation,
            server,
            connection,
            witness,
            slowest: Duration::ZERO,
            early: 0,
            excused: Vec::new(),
        })
    }

    /// Judges what took longer than it may, and notes what the disk is to blame for.
    fn judge(&mut self, what: &str, span: Span) -> Result<(), Broken> {
        let (took, of_the_disk) = (span.length(), self.witness.disk_took(span));
        judge(what, took, of_the_disk)?;
        self.excused.push((took, of_the_disk));
        Ok(())
    }

    /// Starts the program, kills it, and waits until nothing is left of it.
    fn kill(&mut self, program: &BoundProgram, kind: Victim, case: u64) -> Result<(), Broken> {
        let seed = self.random.below(u64::from(u32::MAX) / 2).to_string();
        let mut command = match kind {
            Victim::Moves => program.command(&self.installation, &[&seed]),
            Victim::Scribbles => program.command(&self.installation, &["scribbles", &seed]),
        };
        let mut victim = command.spawn().map_err(|error| error.to_string())?;
        let in_its_start = kind == Victim::Moves && self.random.percent(20);
        if in_its_start {
            self.early += 1;
            thread::sleep(Duration::from_micros(self.random.below(START_MAX_MICROSECONDS)));
        } else {
            let mut said = String::new();
            let output = victim.stdout.take().expect("it is piped");
            let begun = Instant::now();
            let read = BufReader::new(output).read_line(&mut said);
            if read.is_err() || said != "begun\n" || begun.elapsed() > BEGIN_MAX {
                let _ = victim.kill();
                return Err(format!("the program said {said:?}, {:?} after its start", begun.elapsed()));
            }
            thread::sleep(Duration::from_micros(self.random.below(WORK_MAX_MICROSECONDS)));
        }
        victim.kill().and_then(|()| victim.wait()).map_err(|error| error.to_string())?;
        let killed = witness::now();
        loop {
            let left = self.left()?;
            let since = Span { begin: killed, end: witness::now() };
            if !left.is_empty() {
                let of_the_disk = self.witness.disk_took(since);
                judge(&format!("{left}, which kill {case} left,"), since.length(), of_the_disk)?;
                thread::sleep(Duration::from_millis(1));
                continue;
            }
            if since.length() > LIMIT {
                self.judge(&format!("the end of everything that kill {case} left"), since)?;
            }
            self.slowest = self.slowest.max(since.length());
            break;
        }
        if let Some(position) = self
            .workers
            .iter_mut()
            .position(|worker| worker.child.try_wait().is_ok_and(|ended| ended.is_some()))
        {
            let said = self.workers[position].line()?;
            return Err(format!("the worker at {} has ended: {said}", WORKERS[position].0));
        }
        Ok(())
    }

    /// Describes the leftovers of a program that was killed; empty when there are none.
    fn left(&mut self) -> Result<String, Broken> {
        let (mut left, mut depth) = (Vec::new(), 0);
        for queue in QUEUES {
            let shown = command(
                &mut self.connection,
                &format!("DISPLAY QSTATUS({queue}) CURDEPTH UNCOM IPPROCS OPPROCS"),
            )?;
            depth += number(&shown, "CURDEPTH").unwrap_or_default();
            left.extend(
                ["UNCOM", "IPPROCS", "OPPROCS"]
                    .iter()
                    .filter(|name| number(&shown, name) != Some(0))
                    .map(|name| format!("{name} of {queue}")),
            );
        }
        let connections = command(&mut self.connection, "DISPLAY CONN(*) APPLTAG")?;
        let bound = connections.matches("APPLTAG(bound").count();
        if bound != WORKERS.len() {
            left.push(format!("{bound} connections of programs, and {} work", WORKERS.len()));
        }
        let queues = command(&mut self.connection, "DISPLAY QLOCAL(BOUND.*)")?;
        if queues.contains("BOUND.TEMPORARY.") {
            left.push("a temporary queue".to_owned());
        }
        if left.is_empty() && depth != i64::from(TOKENS) {
            left.push(format!("{depth} tokens of {TOKENS}"));
        }
        Ok(left.join(", "))
    }

    /// Judges the others, the tokens and the server.
    fn end(mut self, outcome: &mut Outcome) {
        let left = Open::of(&self.server);
        let mut worked = Worked::default();
        for worker in std::mem::take(&mut self.workers) {
            match worker.end() {
                Ok(done) => worked = worked.and(done),
                Err(problem) => outcome.failures.push(problem),
            }
        }
        for call in &worked.slow {
            outcome.failures.extend(self.judge("a call of another program", *call).err());
        }
        let before = &self.open;
        if left.sockets > before.sockets || left.rings > before.rings {
            outcome.failures.push(format!("the server has {left:?} open, and had {before:?} before"));
        }
        match tokens(&mut self.connection) {
            Ok(found) if found == (0..TOKENS).collect() => {}
            Ok(found) => outcome.failures.push(format!("the tokens at the end are {found:?}")),
            Err(problem) => outcome.failures.push(problem),
        }
        outcome.note(format!(
            "all was gone {:.1?} after a kill at the latest; {} kills in the start; {} calls of the others, the longest {:.1?}",
            self.slowest, self.early, worked.calls, worked.longest
        ));
        outcome.note(format!(
            "the longest write of the witness of the disk took {:.1?}; the error log names {} slow writes of the log",
            self.witness.longest(),
            self.server.error_log().matches(SLOW_WRITE).count()
        ));
        for (took, of_the_disk) in &self.excused {
            outcome.note(format!(
                "not ours: of {took:.1?} that something took, the disk kept its witness waiting for {of_the_disk:.1?}"
            ));
        }
        if let Err(problem) = self.server.stop() {
            outcome.failures.push(problem);
        }
    }
}

/// The number in a display, such as `UNCOM(2)`; NO is none.
fn number(shown: &str, name: &str) -> Option<i64> {
    let (_, rest) = shown.split_once(&format!(" {name}("))?;
    let (value, _) = rest.split_once(')')?;
    if value == "NO" { Some(0) } else { value.parse().ok() }
}

/// Open files and sockets of a server's connections.
#[derive(Debug)]
struct Open {
    sockets: usize,
    /// Memory it shares with programs.
    rings: usize,
}

impl Open {
    fn of(server: &Running) -> Self {
        let process = format!("/proc/{}", server.process());
        let files = std::fs::read_dir(format!("{process}/fd")).into_iter().flatten().flatten();
        let targets = files.filter_map(|file| std::fs::read_link(file.path()).ok());
        let sockets = targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count();
        let maps = std::fs::read_to_string(format!("{process}/maps")).unwrap_or_default();
        Self { sockets, rings: maps.lines().filter(|line| line.contains("ferry-rings")).count() }
    }
}

/// Puts the tokens, every other one persistent.
fn put_tokens(connection: &mut Connection) -> Result<(), Reason> {
    let queue = ObjectDescriptor::queue(QUEUES[0].parse().expect("a name"));
    for token in 0..TOKENS {
        let persistence = if token % 2 == 0 { Persistence::Persistent } else { Persistence::NotPersistent };
        let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        connection.put1(&queue, &mut descriptor, &mut options, Bytes::from(token.to_string()))?;
    }
    Ok(())
}

/// Takes all tokens; a failure if one is there twice.
fn tokens(connection: &mut Connection) -> Result<BTreeSet<u32>, Broken> {
    let mut found = BTreeSet::new();
    for queue in QUEUES {
        let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
        let opened = connection
            .open(&object, OpenOptions::INPUT_SHARED)
            .map_err(|reason| format!("{queue}: {reason}"))?;
        loop {
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = connection.get(opened.handle, &mut MessageDescriptor::default(), &mut options, 64);
            let token = match got {
                Ok(got) => std::str::from_utf8(&got.body).ok().and_then(|text| text.parse().ok()),
                Err(Reason::NO_MSG_AVAILABLE) => break,
                Err(reason) => return Err(format!("{queue}: {reason}")),
            };
            let token: u32 = token.ok_or_else(|| format!("{queue}: a message that is no token"))?;
            if !found.insert(token) {
                return Err(format!("token {token} is there twice"));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Duration, Span, Worked, judge};

    #[test]
    fn a_worker_tells_its_calls_and_which_of_them_took_long() {
        let quick = Worked { calls: 7, longest: Duration::from_micros(9), slow: Vec::new() };
        assert_eq!(Worked::read("7 9"), Some(quick));
        let slow = Span { begin: Duration::from_secs(1), end: Duration::from_millis(2_500) };
        let told = Worked::read("1000000-2500000 7 1500000").unwrap();
        assert_eq!((told.longest, &told.slow[..]), (slow.length(), &[slow][..]));
        for wrong in ["FAILED MQPUT: MQRC_Q_FULL", "7", "7 9 10", "1-x 7 9", ""] {
            assert_eq!(Worked::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_takes_long_beside_a_quick_disk_is_a_fault() {
        let time = Duration::from_millis;
        for (took, of_the_disk, is_right) in [
            (1_000, 0, true),
            (1_060, 0, false),
            (1_060, 1_030, true),
            (2_100, 1_000, false),
            (900, 2_000, true),
        ] {
            assert_eq!(judge("it", time(took), time(of_the_disk)).is_ok(), is_right, "{took}");
        }
    }
}
