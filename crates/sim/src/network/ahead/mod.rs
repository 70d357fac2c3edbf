//! Many programs that have the messages of one queue come ahead of need, while others put there.
//!
//! Readers are granted credit, take what came, in units of work or outside, stop their streams and get
//! plainly between, and begin anew, as clients do. None of them backs out, ends or changes what it asks for,
//! so each must be given the messages of one putter and priority in order, and all together every message
//! once. Bodies leave memory and are read back by jobs that come late.
//!
//! Lives here: the scheduler and the judge. A program of either kind is in `reader` and `putter`, its line in
//! `line`.
//!
//! Always: the same seed gives the same trace.

mod line;
mod putter;
mod reader;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use platform::simulated::Random;

use self::line::Line;
use self::putter::Putter;
use self::reader::{Read, Reader, Stops};
use super::link::{Link, Protocol};
use super::server::Server;

/// Turns in which everything must have been read.
const TURNS_MAX: u64 = 400_000;

/// The outcome of a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Everything that must not be.
    pub problems: Vec<String>,
    /// A number that two runs share only if they did the same.
    pub digest: u64,
    /// Programs that read.
    pub readers: u64,
    /// Messages that were read.
    pub read: u64,
    /// Streams that were stopped.
    pub stopped: u64,
    /// Messages that came to stopped streams and were used up after that.
    pub kept: u64,
    /// Messages that were got plainly.
    pub plain: u64,
    /// Streams that ended at a message too long for their buffers.
    pub ended: u64,
    /// Bytes of bodies that left memory.
    pub spilled: u64,
}

/// A program with its link.
struct Program {
    line: Line,
    link: Link,
    task: Task,
}

enum Task {
    Read(Reader),
    Put(Putter),
}

/// Runs a seed.
#[must_use]
pub fn simulate_readers(seed: u64) -> Reading {
    simulate_stops(seed, Stops::Keep)
}

pub(super) fn simulate_stops(seed: u64, stops: Stops) -> Reading {
    let mut reading = Reading::default();
    match Scene::new(seed, stops).and_then(|mut scene| scene.run(&mut reading)) {
        Ok(()) => {}
        Err(problem) => reading.problems.push(problem),
    }
    reading
}

struct Scene {
    turns: Random,
    bytes: Random,
    server: Server,
    programs: Vec<Program>,
    digest: u64,
}

impl Scene {
    fn new(seed: u64, stops: Stops) -> Result<Self, String> {
        let mut plan = Random::stream(seed, "plan");
        let mut server = Server::new(seed, false)?;
        let (readers, putters) = (plan.between(2, 12), plan.between(1, 3));
        let persistent = *plan.pick(&[0, 50, 90, 100]);
        let mut programs = Vec::new();
        for number in 1..=readers + putters {
            let random = Random::stream(seed, &format!("program {number}"));
            let task = match number <= readers {
                true => Task::Read(Reader::new(random, stops)),
                false => Task::Put(Putter::new(random, plan.between(20, 150), persistent)),
            };
            let number = u32::try_from(number).expect("few");
            server.accept(number.into(), Protocol::Channel);
            programs.push(Program { line: Line::new(number), link: Link::default(), task });
        }
        let (turns, bytes) = (Random::stream(seed, "turns"), Random::stream(seed, "bytes"));
        Ok(Self { turns, bytes, server, programs, digest: seed })
    }

    fn run(&mut self, reading: &mut Reading) -> Result<(), String> {
        let mut turns = 0;
        while !self.is_over() {
            turns += 1;
            if turns > TURNS_MAX {
                let stuck: Vec<String> = self.programs.iter().map(Program::describe).collect();
                return Err(format!("not all was read in {TURNS_MAX} turns: {stuck:?}"));
            }
            self.turn()?;
        }
        self.tell(reading);
        self.judge(&mut reading.problems);
        Ok(())
    }

    /// True if all that was put has been read, and no unit of work is open.
    fn is_over(&self) -> bool {
        let (mut put, mut read, mut are_done) = (0, 0, true);
        for program in &self.programs {
            match &program.task {
                Task::Put(putter) => {
                    put += putter.stand.len();
                    are_done &= putter.is_done();
                }
                Task::Read(reader) => {
                    read += reader.read.len();
                    are_done &= !reader.has_unit();
                }
            }
        }
        // One that came twice is found by the judge.
        are_done && read >= put
    }

    fn turn(&mut self) -> Result<(), String> {
        let what = self.turns.below(23);
        let index = self.turns.index(self.programs.len());
        let program = &mut self.programs[index];
        let id = u64::from(program.line.number());
        let count = match what {
            0..=4 => program.act()?,
            5..=9 => self.server.receive(id, &mut program.link, &mut self.bytes)?,
            10..=13 => self.server.release(id, &mut program.link, &mut self.bytes),
            14 => {
                self.server.go_on(id);
                0
            }
            15..=18 => {
                let bytes = program.link.to_client.arrive(&mut self.bytes);
                program.hear(&bytes)?;
                bytes.len() as u64
            }
            19 | 20 => {
                self.server.drive();
                0
            }
            21 => u64::from(self.server.run_job()),
            _ => {
                let milliseconds = self.turns.between(1, 40);
                self.server.pass(Duration::from_millis(milliseconds), &mut BTreeMap::new(), &mut self.bytes);
                milliseconds
            }
        };
        let word = what ^ (id << 8) ^ (count << 32);
        self.digest = (self.digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        match self.server.failure() {
            None => Ok(()),
            Some(failure) => Err(format!("the queue manager failed: {failure}")),
        }
    }

    fn readers(&self) -> impl Iterator<Item = (u32, &Reader)> {
        self.programs.iter().filter_map(|program| match &program.task {
            Task::Read(reader) => Some((program.line.number(), reader)),
            Task::Put(_) => None,
        })
    }

    fn tell(&self, reading: &mut Reading) {
        reading.digest = self.digest ^ self.server.disk_digest();
        reading.spilled = self.server.statistics().spill_bytes;
        for (_, reader) in self.readers() {
            reading.readers += 1;
            reading.read += reader.read.len() as u64;
            reading.stopped += reader.stopped;
            reading.kept += reader.kept;
            reading.plain += reader.plain;
            reading.ended += reader.ended;
        }
    }

    /// Each message once, and those of one putter and priority in order wherever they went.
    fn judge(&self, problems: &mut Vec<String>) {
        let mut left: BTreeSet<(u32, u64)> = BTreeSet::new();
        for program in &self.programs {
            if let Task::Put(putter) = &program.task {
                left.extend(putter.stand.iter().map(|message| (message.putter, message.sequence)));
            }
        }
        for (number, reader) in self.readers() {
            let mut last: BTreeMap<(u32, u8), u64> = BTreeMap::new();
            for Read { message, priority } in &reader.read {
                if !left.remove(&(message.putter, message.sequence)) {
                    problems
                        .push(format!("reader {number} was given {message:?} again, or it was never put"));
                }
                let before = last.insert((message.putter, *priority), message.sequence);
                if before.is_some_and(|before| before >= message.sequence) {
                    let before = before.unwrap_or_default();
                    problems.push(format!("reader {number} was given {message:?} after {before}"));
                }
            }
        }
        if !left.is_empty() {
            problems.push(format!("nobody was given {left:?}"));
        }
    }
}

impl Program {
    /// Makes a call if it has one to make, and sends what it can; how many bytes that were.
    fn act(&mut self) -> Result<u64, String> {
        if self.line.is_open() {
            match &mut self.task {
                Task::Read(reader) => reader.act(&mut self.line),
                Task::Put(putter) => putter.act(&mut self.line),
            }
        }
        Ok(self.line.send(&mut self.link))
    }

    fn hear(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.line.arrive(bytes);
        while let Some(told) = self.line.next()? {
            match &mut self.task {
                Task::Read(reader) => reader.hear(&mut self.line, told)?,
                Task::Put(putter) => putter.hear(told)?,
            }
        }
        Ok(())
    }

    fn describe(&self) -> String {
        let number = self.line.number();
        match &self.task {
            Task::Read(reader) => format!("{number}: {}", reader.describe()),
            Task::Put(putter) => format!("{number}: {} put", putter.stand.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_reading() {
        for seed in 0..3 {
            let reading = simulate_readers(seed);
            assert_eq!(reading, simulate_readers(seed));
            assert_ne!(reading.digest, simulate_readers(seed + 100).digest);
        }
    }

    #[test]
    fn each_of_many_readers_is_given_the_messages_of_a_putter_in_order() {
        let mut met = Reading::default();
        for seed in 0..40 {
            let reading = simulate_readers(seed);
            assert_eq!(reading.problems, Vec::<String>::new(), "seed {seed}");
            met.readers = met.readers.max(reading.readers);
            met.read += reading.read;
            met.stopped += reading.stopped;
            met.kept += reading.kept;
            met.plain += reading.plain;
            met.ended += reading.ended;
            met.spilled += reading.spilled;
        }
        assert!(met.readers > 8 && met.read > 2_000 && met.spilled > 0, "{met:?}");
        assert!(met.stopped > 100 && met.kept > 50 && met.plain > 100 && met.ended > 50, "{met:?}");
    }

    /// In each a message was read for a reader with a short buffer, while another was given the next.
    #[test]
    fn a_message_that_was_read_for_a_short_buffer_came_behind_later_ones() {
        for seed in [1298, 2167, 2341, 2898, 4051, 4894, 6132, 6844, 8287, 8739, 9089, 9948] {
            assert_eq!(simulate_readers(seed).problems, Vec::<String>::new(), "seed {seed}");
        }
    }

    /// The control: what goes back comes after what others were given meanwhile, and that is seen.
    #[test]
    fn readers_that_give_back_what_they_have_reserved_are_found_out() {
        let is_inverted = |seed| {
            let problems = simulate_stops(seed, Stops::GiveBack).problems;
            problems.iter().any(|problem| problem.contains("after"))
        };
        assert!((0..20).any(is_inverted));
    }
}
