//! A pipe on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bridge::Machine;
use bridge::host::dead_letters::DeadLetters;
use bridge::host::ferry::Ferry;
use bridge::host::local::{LocalSide, Settings};
use bridge::host::pipe::{DeadLetterSide, Pipe, PipeFigures};
use bridge::outbound::high::HighOutbound;
use bridge::outbound::{self, Outbound};
use bridge::system::System;
use client::Options;

use crate::definitions::{Direction, PipeDefinition};
use crate::door::ClientDoor;

/// Longest wait in one piece: so soon an end is noticed.
const SLICE: Duration = Duration::from_millis(500);

/// The ways of a pipe to both sides.
#[derive(Clone, Debug)]
pub struct Ways {
    /// To its own queue manager.
    pub local: Options,
    /// To the other one.
    pub foreign: Options,
}

/// The standing of a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Both sides are connected.
    Running,
    /// It tries again, for this reason.
    Retrying(String),
    /// It waits for a person, for this reason.
    Stopped(String),
}

/// Takes what there is to tell of a pipe: its standing each time that it changes, and its figures at its end.
pub type Tell = Arc<dyn Fn(&str, &Standing) + Send + Sync>;

/// A pipe that runs, until this is dropped.
pub struct RunningPipe {
    /// Its definition.
    pub definition: PipeDefinition,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<PipeFigures>>,
}

impl RunningPipe {
    /// Starts a pipe.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(definition: PipeDefinition, ways: Ways, host: String, tell: Tell) -> std::io::Result<Self> {
        let ends = Arc::<AtomicBool>::default();
        let (of_thread, flag) = (definition.clone(), Arc::clone(&ends));
        let thread = std::thread::Builder::new()
            .name(format!("pipe {}", definition.name))
            .spawn(move || run(&of_thread, ways, host, &flag, &tell))?;
        Ok(Self { definition, ends, thread: Some(thread) })
    }

    /// Asks it to end: the batch that is out is finished first.
    pub fn ask_to_end(&self) {
        self.ends.store(true, Ordering::Release);
    }

    /// Returns true once its thread is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for RunningPipe {
    fn drop(&mut self) {
        self.ask_to_end();
        // One that panicked has said so.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn run(definition: &PipeDefinition, ways: Ways, host: String, ends: &AtomicBool, tell: &Tell) -> PipeFigures {
    let began = Instant::now();
    let now = || began.elapsed();
    let mut pipe = pipe_of(definition, ways, host, |machine| machine);
    let (mut told, mut is_ending) = (None, false);
    pipe.start(now());
    loop {
        if ends.load(Ordering::Acquire) && !is_ending {
            is_ending = true;
            pipe.end(now());
        }
        pipe.work(&now);
        let standing = standing_of(&pipe);
        if standing != told {
            standing.iter().for_each(|standing| tell(&definition.name, standing));
            told = standing;
        }
        if pipe.is_stopped() {
            return pipe.figures();
        }
        let left = pipe.due_at().map_or(SLICE, |due| due.saturating_sub(now()));
        if !pipe.wait(left.min(SLICE), &now) {
            std::thread::sleep(left.min(SLICE));
        }
    }
}

fn standing_of(pipe: &Pipe) -> Option<Standing> {
    if let Some(reason) = pipe.stop_reason() {
        return Some(Standing::Stopped(reason.to_owned()));
    }
    match pipe.last_failure() {
        None if pipe.is_bound() => Some(Standing::Running),
        None => None,
        Some(_) if pipe.is_bound() => Some(Standing::Running),
        Some(failure) => Some(Standing::Retrying(failure.to_owned())),
    }
}

/// The machine of a definition: the one for OUT in both directions, since branches are at the queue manager
/// that messages are taken from.
fn machine_of(definition: &PipeDefinition, host: String, random: [u8; 16]) -> Box<dyn Machine> {
    let limits = definition.limits;
    let uses_dead_letters = definition.dead_letters.is_some();
    if definition.is_high {
        return Box::new(HighOutbound::new(host, random, limits, uses_dead_letters));
    }
    Box::new(Outbound::new(outbound::Settings {
        host,
        random,
        delivery: System::Ferry.row().delivery,
        limits,
        uses_dead_letters,
        is_record_evictable: false,
    }))
}

/// The pipe of a definition, stopped. `wrap` may put a machine around its machine.
#[must_use]
pub fn pipe_of(
    definition: &PipeDefinition,
    ways: Ways,
    host: String,
    wrap: impl FnOnce(Box<dyn Machine>) -> Box<dyn Machine>,
) -> Pipe {
    let random = random();
    let machine = wrap(machine_of(definition, host.clone(), random));
    let PipeDefinition { key, direction, is_high, idle_max, .. } = *definition;
    let dead_letters = DeadLetters { queue: definition.dead_letters, bridge: definition.bridge.name.clone() };
    let is_out = direction == Direction::Out;
    let (from, to) = if is_out { (ways.local, ways.foreign) } else { (ways.foreign, ways.local) };
    let settings = Settings {
        key,
        host,
        random,
        queue: definition.source,
        destination: definition.destination.clone(),
        dead_letters: is_out.then(|| dead_letters.clone()),
        is_high,
    };
    let taken = LocalSide::new(settings, Box::new(ClientDoor::new(from)));
    let driver = Ferry::new(Box::new(ClientDoor::new(to)), key, idle_max, is_high);
    let driver = driver.with_user(definition.put_as);
    let (driver, side) = match (direction, is_high) {
        (Direction::Out, _) => (driver, DeadLetterSide::Taken),
        (Direction::In, false) => (driver.with_dead_letters(dead_letters), DeadLetterSide::Put),
        (Direction::In, true) => (driver.with_dead_letters(dead_letters), DeadLetterSide::PutAtOnce),
    };
    Pipe::new(machine, taken, Box::new(driver), side)
}

/// Bytes that cannot be guessed.
fn random() -> [u8; 16] {
    let mut bytes = [0; 16];
    let mut filled = 0;
    while filled < bytes.len() {
        match rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => panic!("the operating system gives no random bytes: {error}"),
        }
    }
    bytes
}
