//! The control process: a child of this one that tells figures over HTTP.
//!
//! Lives here: its start, its restarts, its end. Lives elsewhere: everything that it does (`control`).
//!
//! Always: the queue manager does not depend on it. It ends with this process: its standard input does.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use objects::messages::{CONTROL_ENDED, CONTROL_GIVEN_UP, CONTROL_STARTED};
use platform::sync::atomic::{AtomicU8, Ordering};
use platform::sync::{Condvar, Mutex};

use crate::configuration::ServiceAddress;
use crate::errors::ErrorLog;

/// The pauses before the next start: longer each time.
const PAUSES: [u64; 6] = [1, 2, 4, 8, 16, 30];

/// A process that ran for so long ended by chance: the next pause is the first again.
const RAN_WELL: Duration = Duration::from_secs(60);

/// Ends within [`ENDS_WITHIN`] after which there is no next start.
const ENDS_MAX: usize = 10;

/// The time in which ends count.
const ENDS_WITHIN: Duration = Duration::from_secs(600);

/// Longest wait for the process to end by itself.
const END_PATIENCE: Duration = Duration::from_secs(2);

/// Most bytes of the line in which it says where it listens.
const LINE_BYTES_MAX: u64 = 1 << 10;

/// The standing of the control process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Standing {
    /// None is wanted.
    Unwanted,
    /// It runs.
    Runs,
    /// It ended, and will be started again.
    Restarts,
    /// It ended too often.
    GivenUp,
}

/// The standing as it is now, and the address.
#[derive(Debug, Default)]
pub(crate) struct Standings {
    now: AtomicU8,
    address: Mutex<Option<String>>,
}

impl Standings {
    pub(crate) fn now(&self) -> Standing {
        match self.now.load(Ordering::Relaxed) {
            0 => Standing::Unwanted,
            1 => Standing::Runs,
            2 => Standing::Restarts,
            _ => Standing::GivenUp,
        }
    }

    fn set(&self, standing: Standing) {
        self.now.store(standing as u8, Ordering::Relaxed);
    }

    /// The address that it listens at, once it said so.
    pub(crate) fn address(&self) -> Option<String> {
        self.address.lock().clone()
    }
}

/// The command that runs the control process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlCommand {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl ControlCommand {
    /// Adds an address to listen at.
    pub(crate) fn listening(&self, address: ServiceAddress) -> Self {
        let address = match address {
            ServiceAddress::Auto | ServiceAddress::Nowhere => "auto".to_owned(),
            ServiceAddress::At(address) => address.to_string(),
        };
        let mut command = self.clone();
        command.arguments.extend(["--listen".into(), address.into()]);
        command
    }
}

/// The process being kept, until this is dropped.
pub(crate) struct Keeping {
    end: Arc<EndSignal>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct EndSignal {
    ends: Mutex<bool>,
    changed: Condvar,
}

impl EndSignal {
    /// Sleeps; true when the end has come.
    fn sleep(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut ends = self.ends.lock();
        while !*ends {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.changed.wait_for(&mut ends, left);
        }
        *ends
    }
}

impl Keeping {
    /// Starts the process, and starts it again when it ends.
    pub(crate) fn start(
        command: ControlCommand,
        name: String,
        standings: Arc<Standings>,
        errors: ErrorLog,
    ) -> std::io::Result<Self> {
        let end = Arc::<EndSignal>::default();
        standings.set(Standing::Restarts);
        let keeper = Keeper { command, name, standings, errors, end: Arc::clone(&end) };
        let thread =
            std::thread::Builder::new().name("ferry-control".to_owned()).spawn(move || keeper.keep())?;
        Ok(Self { end, thread: Some(thread) })
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        *self.end.ends.lock() = true;
        self.end.changed.notify_all();
        // One that panicked has said so.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

struct Keeper {
    command: ControlCommand,
    name: String,
    standings: Arc<Standings>,
    errors: ErrorLog,
    end: Arc<EndSignal>,
}

/// The pause between two looks at the process.
const LOOK: Duration = Duration::from_millis(100);

impl Keeper {
    fn keep(&self) {
        let mut schedule = Schedule::default();
        loop {
            let began = Instant::now();
            let ended = self.run();
            *self.standings.address.lock() = None;
            let Some(why) = ended else { return };
            match schedule.next(Instant::now(), began.elapsed()) {
                Some(pause) => {
                    self.standings.set(Standing::Restarts);
                    self.errors.write(&CONTROL_ENDED, [self.name.clone(), why, pause.as_secs().to_string()]);
                    if self.end.sleep(pause) {
                        return;
                    }
                }
                None => {
                    self.standings.set(Standing::GivenUp);
                    let minutes = ENDS_WITHIN.as_secs() / 60;
                    let inserts = [self.name.clone(), ENDS_MAX.to_string(), minutes.to_string()];
                    self.errors.write(&CONTROL_GIVEN_UP, inserts);
                    return;
                }
            }
        }
    }

    /// Runs it once: the reason for its end, or none when the queue manager ends.
    fn run(&self) -> Option<String> {
        let (mut child, input) = match self.spawn() {
            Ok(started) => started,
            Err(error) => return Some(format!("it does not start: {error}")),
        };
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Some(words(status)),
                Ok(None) => {}
                Err(error) => return Some(error.to_string()),
            }
            if self.end.sleep(LOOK) {
                end(&mut child, input);
                return None;
            }
        }
    }

    fn spawn(&self) -> std::io::Result<(Child, Option<ChildStdin>)> {
        let mut child = Command::new(&self.command.program)
            .args(&self.command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (name, standings, errors, process) =
            (self.name.clone(), Arc::clone(&self.standings), self.errors.clone(), child.id());
        // It says where it listens once it does; a thread of its own waits for that, and ends with it.
        std::thread::Builder::new().name("ferry-control-says".to_owned()).spawn(move || {
            let mut line = String::new();
            let Some(output) = output else { return };
            let mut output = BufReader::new(output.take(LINE_BYTES_MAX));
            if output.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
                let address = line.trim().to_owned();
                errors.write(&CONTROL_STARTED, [name, process.to_string(), address.clone()]);
                *standings.address.lock() = Some(address);
                standings.set(Standing::Runs);
            }
            // It says nothing else; reading on lets it not fail at that.
            let _ = std::io::copy(&mut output.into_inner().into_inner(), &mut std::io::sink());
        })?;
        Ok((child, input))
    }
}

/// Ends the process: by the end of its input, else by force.
fn end(child: &mut Child, input: Option<ChildStdin>) {
    drop(input);
    let until = Instant::now() + END_PATIENCE;
    while Instant::now() < until {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

fn words(status: ExitStatus) -> String {
    status.to_string()
}

/// The ends of the process, and the pause after each.
#[derive(Default)]
struct Schedule {
    ends: VecDeque<Instant>,
    pauses: usize,
}

impl Schedule {
    /// The pause after an end; none when there were too many.
    fn next(&mut self, now: Instant, ran: Duration) -> Option<Duration> {
        while self.ends.front().is_some_and(|end| now.duration_since(*end) >= ENDS_WITHIN) {
            self.ends.pop_front();
        }
        self.ends.push_back(now);
        if self.ends.len() >= ENDS_MAX {
            return None;
        }
        if ran >= RAN_WELL {
            self.pauses = 0;
        }
        let pause = PAUSES[self.pauses.min(PAUSES.len() - 1)];
        self.pauses += 1;
        Some(Duration::from_secs(pause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_ten_ends_in_ten_minutes_are_the_last() {
        let begun = Instant::now();
        let mut schedule = Schedule::default();
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        let pauses: Vec<Option<u64>> = (0..10)
            .map(|end| schedule.next(at(end * 40), Duration::ZERO).map(|pause| pause.as_secs()))
            .collect();
        let expected = [1, 2, 4, 8, 16, 30, 30, 30, 30].map(Some);
        assert_eq!(pauses, [&expected[..], &[None]].concat());
    }

    #[test]
    fn one_that_ran_well_begins_with_the_first_pause_and_old_ends_do_not_count() {
        let begun = Instant::now();
        let mut schedule = Schedule::default();
        let at = |minutes: u64| begun + Duration::from_secs(60 * minutes);
        for end in 0..40 {
            assert_eq!(schedule.next(at(2 * end), RAN_WELL), Some(Duration::from_secs(1)), "end {end}");
        }
    }
}
