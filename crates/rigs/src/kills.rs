//! R3: the server is killed, at random moments under load and in its recovery, and at exact system calls.
//!
//! A case is a kill and the audit of everything acknowledged after the restart. Some kills fall on the start
//! that follows another kill. The audit empties the queues, so what comes back in a later case was
//! resurrected.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use platform::simulated::Random;
use testing::history::Recorder;

use super::installation::{Broken, Installation, Running};
use super::load::{self, Load, Work};
use super::{Outcome, Size};

/// Small enough that the log is gone around and checkpoints are taken all the time.
const SETTINGS: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 3\nsecondary_extents = 3\n\
    [checkpoint]\ninterval_seconds = 1\n";
/// Cases on one data directory, before a fresh one is taken.
const CASES_A_DIRECTORY: u64 = 100;
/// Messages of different loads have different numbers.
const SEQUENCES_A_LOAD: u64 = 1 << 20;
/// A load that was to be killed by a system call and made this many calls a client never makes that system
/// call.
const CALLS_MAX: u64 = 400;
/// Longest wait for the system call.
const EXACT_WAIT: Duration = Duration::from_secs(4);
/// Most tries of another system call after one never came.
const EXACT_TRIES: u32 = 20;

/// System calls, and up to which occurrence in a thread each is worth a kill.
const SYSTEM_CALLS: [(&str, u64); 10] = [
    ("pwrite64", 80),
    ("pwrite64", 12),
    ("fsync", 10),
    ("rename", 6),
    ("unlink", 4),
    ("open", 12),
    ("pread64", 40),
    ("ftruncate", 1),
    ("sendto", 60),
    ("recvfrom", 60),
];

/// Kills at random moments.
#[must_use]
pub fn at_random(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut torture = Torture::new(ferry, folder, size.seed, "R3-random");
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let done = torture.case(case, Torture::random_case);
        outcome.case(&format!("kill {case} of seed {}", size.seed), done);
    }
    torture.tell(&mut outcome);
    outcome
}

/// Kills at exact system calls, as far as `strace` can be had.
#[must_use]
pub fn at_system_calls(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    if let Err(why) = check_strace() {
        return Outcome::skipped(why);
    }
    let mut torture = Torture::new(ferry, folder, size.seed, "R3-exact");
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let done = torture.case(case, Torture::exact_case);
        outcome.case(&format!("exact kill {case} of seed {}", size.seed), done);
    }
    torture.tell(&mut outcome);
    outcome
}

fn check_strace() -> Result<(), String> {
    let tried = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=rename", "true"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match tried {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("strace may not trace here".to_owned()),
        Err(_) => Err("strace (package strace)".to_owned()),
    }
}

struct Torture {
    ferry: PathBuf,
    folder: PathBuf,
    random: Random,
    place: Option<(Installation, Running)>,
    directories: u64,
    loads: u64,
    messages: u64,
    starts: Vec<Duration>,
    /// System calls that killed, with their number in a start.
    hits: std::collections::BTreeMap<&'static str, u64>,
    hits_in_start: u64,
}

impl Torture {
    fn new(ferry: &Path, folder: &Path, seed: u64, concern: &str) -> Self {
        Self {
            ferry: ferry.to_owned(),
            folder: folder.to_owned(),
            random: Random::stream(seed, concern),
            place: None,
            directories: 0,
            loads: 0,
            messages: 0,
            starts: Vec::new(),
            hits: std::collections::BTreeMap::new(),
            hits_in_start: 0,
        }
    }

    /// Does a case on the running server and leaves a running, audited one behind. After a failure the
    /// directory is left for inspection.
    fn case(
        &mut self,
        case: u64,
        kill: fn(&mut Self, &Installation, Running, &Recorder) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let due = case.is_multiple_of(CASES_A_DIRECTORY);
        let (installation, server) = match self.place.take() {
            Some(place) if !due => place,
            _ => self.fresh()?,
        };
        let recorder = load::recorder();
        kill(self, &installation, server, &recorder)?;
        recorder.restart();
        let server = installation.start()?;
        self.starts.push(server.took);
        let verdict = load::audit(&server, &recorder)
            .map_err(|problem| format!("{problem}\n  in {}", installation.folder().display()))?;
        self.messages += verdict.acknowledged;
        self.place = Some((installation, server));
        Ok(())
    }

    fn fresh(&mut self) -> Result<(Installation, Running), Broken> {
        self.directories += 1;
        let data = self.folder.join(format!("data-{}", self.directories));
        let installation = Installation::create(&self.ferry, &data, SETTINGS)?;
        let server = installation.start()?;
        load::define(&mut server.connect("define")?)?;
        Ok((installation, server))
    }

    fn random_case(
        &mut self,
        installation: &Installation,
        server: Running,
        recorder: &Recorder,
    ) -> Result<(), Broken> {
        let moment = Duration::from_micros(self.random.below(90_000));
        self.load_and_kill(server, recorder, |_, _| thread::sleep(moment))?;
        // Recovery is killed as well, once or twice, and under load again.
        while self.random.percent(25) {
            recorder.restart();
            let mut child = installation.start_command().stdout(Stdio::null()).spawn();
            let child = child.as_mut().map_err(|error| error.to_string())?;
            thread::sleep(Duration::from_micros(self.random.below(25_000)));
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
        }
        if self.random.percent(20) {
            recorder.restart();
            let server = installation.start()?;
            let moment = Duration::from_micros(self.random.below(60_000));
            self.load_and_kill(server, recorder, |_, _| thread::sleep(moment))?;
        }
        Ok(())
    }

    fn exact_case(
        &mut self,
        installation: &Installation,
        server: Running,
        recorder: &Recorder,
    ) -> Result<(), Broken> {
        // Something for the recovery to do.
        let moment = Duration::from_micros(self.random.between(10_000, 60_000));
        self.load_and_kill(server, recorder, |_, _| thread::sleep(moment))?;
        for _ in 0..EXACT_TRIES {
            recorder.restart();
            let (call, occurrences) = *self.random.pick(&SYSTEM_CALLS);
            let occurrence = self.random.between(1, occurrences);
            let arguments = [
                "-f".to_owned(),
                "-qq".to_owned(),
                "-o".to_owned(),
                "/dev/null".to_owned(),
                "-e".to_owned(),
                format!("trace={call}"),
                "-e".to_owned(),
                format!("inject={call}:signal=KILL:when={occurrence}"),
            ];
            let mut came = false;
            match installation.start_by(installation.start_command_under("strace", &arguments)) {
                Err(ended) if ended.said.contains("SIGKILL") => {
                    came = true;
                    self.hits_in_start += 1;
                }
                Err(ended) => return Err(ended.said),
                Ok(server) => self.load_and_kill(server, recorder, |server, load| {
                    came = server.ends_within(EXACT_WAIT, || load.has_ended());
                })?,
            }
            if came {
                *self.hits.entry(call).or_default() += 1;
                return Ok(());
            }
        }
        Err(format!("none of {EXACT_TRIES} system calls came"))
    }

    /// Puts and gets until `moment` is over, then kills if that is still needed, and waits for the clients.
    fn load_and_kill(
        &mut self,
        mut server: Running,
        recorder: &Recorder,
        moment: impl FnOnce(&mut Running, &Load),
    ) -> Result<(), Broken> {
        self.loads += 1;
        let work = Work {
            putters: 4,
            getters: 4,
            calls_max: CALLS_MAX,
            sequence: self.loads * SEQUENCES_A_LOAD,
            large: 2,
            // The log is small, and many open units fill it.
            room_may_lack: true,
            first_client: u32::try_from(self.loads % 100 * 8).expect("it is small"),
        };
        let load = Load::start(server.port(), work, recorder, &mut self.random);
        moment(&mut server, &load);
        server.kill();
        load.end()
    }

    fn tell(mut self, outcome: &mut Outcome) {
        self.starts.sort();
        let half = self.starts.get(self.starts.len() / 2).copied().unwrap_or_default();
        let longest = self.starts.last().copied().unwrap_or_default();
        outcome.note(format!(
            "{} loads, {} messages acknowledged and audited, starts after kills {half:.0?} in the middle, {longest:.0?} at most",
            self.loads, self.messages
        ));
        if !self.hits.is_empty() {
            let hits: Vec<String> = self.hits.iter().map(|(call, count)| format!("{call} {count}")).collect();
            outcome.note(format!("killed at {}; {} of them in a start", hits.join(", "), self.hits_in_start));
        }
    }
}
