//! The scheduler: the order of actors and accidents.

use std::collections::BTreeMap;
use std::time::Duration;

use platform::simulated::Random;
use testing::history::{Class, Happening, Verdict, check};

use super::amqp::program::AmqpProgram;
use super::link::{Link, LinkId};
use super::party::{Goal, History, Party, Stage};
use super::plan::{Plan, Turn};
use super::program::Program;
use super::server::Server;
use crate::torture::Features;

/// Turns without a call or an outcome after which nothing more is expected, once there are no faults any
/// more: a message of the longest takes fewer, in the shortest frames and by the smallest window.
const IDLE_TURNS_MAX: u64 = 100_000;
/// Turns in which everything must have ended then, so that nothing goes to and fro for ever.
const HEALED_TURNS_MAX: u64 = 4_000_000;

/// Result of a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Everything that must not be.
    pub problems: Vec<String>,
    /// A number that two runs share only if they did the same.
    pub digest: u64,
    /// Situations that the queue manager met.
    pub features: Features,
    /// Links that were cut.
    pub cuts: u64,
    /// Power cuts.
    pub crashes: u64,
    /// Units of work that the queue manager backed out.
    pub revoked: u64,
    /// Commits in doubt that turned out to stand, that did not, and that were repeated.
    pub resolved: [u64; 3],
    /// The checker's verdict on the history.
    pub verdict: Verdict,
}

struct Network {
    plan: Plan,
    /// Separate streams, so that one concern's draws do not shift another's.
    turns: Random,
    faults: Random,
    bytes: Random,
    server: Server,
    links: BTreeMap<LinkId, Link>,
    links_made: LinkId,
    programs: Vec<Box<dyn Party>>,
    history: History,
    course: Course,
}

/// Runs a seed.
#[must_use]
pub fn simulate(seed: u64) -> Course {
    simulate_plan(seed, Plan::new(&mut Random::stream(seed, "plan")))
}

/// Runs a seed with clients of AMQP among the programs, or alone.
#[must_use]
pub fn simulate_amqp(seed: u64) -> Course {
    let plan = Plan::new(&mut Random::stream(seed, "plan"));
    simulate_plan(seed, plan.with_amqp(&mut Random::stream(seed, "amqp")))
}

pub(super) fn simulate_plan(seed: u64, plan: Plan) -> Course {
    // Programs of the interface know the bodies of messages alone.
    let attributes = if plan.amqp > 0 { "PROPCTL(NONE)" } else { "" };
    let server = match Server::with_queues(seed, plan.disk_lies, attributes) {
        Ok(server) => server,
        Err(problem) => return Course { problems: vec![problem], ..Course::default() },
    };
    let mut network = Network {
        turns: Random::stream(seed, "turns"),
        faults: Random::stream(seed, "faults"),
        bytes: Random::stream(seed, "bytes"),
        server,
        links: BTreeMap::new(),
        links_made: 0,
        programs: Vec::new(),
        history: History::default(),
        course: Course::default(),
        plan,
    };
    for number in 1..=network.plan.programs {
        let random = Random::stream(seed, &format!("program {number}"));
        network.join(number, random, Goal::Work, number <= network.plan.amqp);
    }
    let run = network.run(seed);
    network.course.problems.extend(run.err());
    network.judged()
}

impl Network {
    /// Faults, then none, then everything is got.
    fn run(&mut self, seed: u64) -> Result<(), String> {
        self.server.set_slow(self.plan.is_slow);
        for _ in 0..self.plan.turns {
            self.befall()?;
            self.turn()?;
        }
        self.plan = self.plan.healed();
        self.server.set_slow(false);
        self.programs.iter_mut().for_each(|program| program.set_goal(Goal::Finish));
        self.until_all_are_gone("everything was healed")?;
        let random = Random::stream(seed, "drain");
        self.join(1_000, random, Goal::Drain(0), self.plan.is_drained_by_amqp);
        self.until_all_are_gone("the queues were to be emptied")
    }

    fn join(&mut self, number: u32, random: Random, goal: Goal, by_amqp: bool) {
        let habits = self.plan.habits;
        self.programs.push(match by_amqp {
            true => Box::new(AmqpProgram::new(number, habits, random, goal)),
            false => Box::new(Program::new(number, habits, random, goal)),
        });
    }

    fn until_all_are_gone(&mut self, since: &str) -> Result<(), String> {
        let (mut calls, mut idle) = (self.history.0.len(), 0);
        for turn in 1..=HEALED_TURNS_MAX {
            self.turn()?;
            idle = if self.history.0.len() == calls { idle + 1 } else { 0 };
            calls = self.history.0.len();
            if idle == IDLE_TURNS_MAX {
                return Err(self.stuck(&format!("{idle} idle turns, {turn} after {since}")));
            }
            let are_gone = self.programs.iter().all(|program| program.stage() == Stage::Gone);
            if are_gone && self.links.is_empty() {
                let left = self.server.connections();
                return if left == 0 {
                    Ok(())
                } else {
                    Err(format!("{left} connections outlive their programs"))
                };
            }
        }
        Err(self.stuck(&format!("{HEALED_TURNS_MAX} turns after {since}")))
    }

    /// The programs that have not ended, and when.
    fn stuck(&self, when: &str) -> String {
        let stuck = self.programs.iter().filter(|program| program.stage() != Stage::Gone);
        let stuck: Vec<String> = stuck.map(|program| program.describe()).collect();
        format!("{when}: {stuck:?}, {} links", self.links.len())
    }

    fn turn(&mut self) -> Result<(), String> {
        let turn = self.plan.turn(&mut self.turns);
        let (who, what) = match turn {
            Turn::Call => self.call(),
            Turn::Hear => self.hear()?,
            Turn::Receive | Turn::Release => self.serve(turn)?,
            Turn::Drive => {
                self.server.drive();
                (0, 0)
            }
            Turn::Job => (0, u64::from(self.server.run_job())),
            Turn::Time => {
                let milliseconds = self.turns.between(1, 300);
                self.server.pass(Duration::from_millis(milliseconds), &mut self.links, &mut self.bytes);
                (0, milliseconds)
            }
        };
        self.note(turn as u64 ^ (who << 8) ^ (what << 32));
        for number in self.server.take_revoked() {
            self.course.revoked += 1;
            let theirs = self.programs.iter_mut().filter(|program| program.number() == number);
            theirs.for_each(|program| program.revoke());
        }
        let server = &self.server;
        self.links.retain(|link, _| {
            self.programs.iter().any(|program| program.link() == Some(*link)) || server.links().contains(link)
        });
        match self.server.failure() {
            None => Ok(()),
            Some(failure) => Err(format!("the queue manager failed: {failure}")),
        }
    }

    fn note(&mut self, word: u64) {
        let digest = &mut self.course.digest;
        *digest = (*digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    fn call(&mut self) -> (u64, u64) {
        let index = self.turns.index(self.programs.len());
        let program = &mut self.programs[index];
        if program.stage() == Stage::Away {
            self.links_made += 1;
            self.links.insert(self.links_made, Link::default());
            self.server.accept(self.links_made, program.protocol());
            program.connect(self.links_made);
        }
        if let Some(link) = program.link().and_then(|link| self.links.get_mut(&link)) {
            program.turn(link, self.course.crashes, &mut self.history);
        }
        (index as u64, self.history.0.len() as u64)
    }

    fn hear(&mut self) -> Result<(u64, u64), String> {
        let index = self.turns.index(self.programs.len());
        let program = &mut self.programs[index];
        let Some(link) = program.link().and_then(|link| self.links.get_mut(&link)) else { return Ok((0, 0)) };
        if link.to_client.is_over() {
            program.lose_link(&mut self.history);
            return Ok((index as u64, 0));
        }
        let bytes = link.to_client.arrive(&mut self.bytes);
        program.hear(&bytes, self.course.crashes, &mut self.history)?;
        Ok((index as u64, bytes.len() as u64))
    }

    fn serve(&mut self, turn: Turn) -> Result<(u64, u64), String> {
        let ids = self.server.links();
        if ids.is_empty() {
            return Ok((0, 0));
        }
        let id = *self.turns.pick(&ids);
        let link = self.links.get_mut(&id).expect("a link stays as long as an end of it");
        let count = if turn == Turn::Receive {
            self.server.receive(id, link, &mut self.bytes)?
        } else {
            self.server.release(id, link, &mut self.bytes)
        };
        Ok((id, count))
    }

    /// Perhaps a link breaks, or the power fails.
    fn befall(&mut self) -> Result<(), String> {
        if self.faults.below(10_000) < self.plan.cuts {
            let index = self.faults.index(self.programs.len());
            let program = &mut self.programs[index];
            if let Some(link) = program.link().and_then(|link| self.links.get_mut(&link)) {
                link.cut(&mut self.faults);
                program.lose_link(&mut self.history);
                self.course.cuts += 1;
            }
        }
        if self.faults.below(10_000) < self.plan.crashes {
            self.note_features();
            for link in self.links.values_mut() {
                link.cut(&mut self.faults);
            }
            for program in &mut self.programs {
                program.lose_link(&mut self.history);
            }
            self.note(self.server.disk_digest());
            self.server.crash(&mut self.faults)?;
            self.server.set_slow(self.plan.is_slow);
            self.links.clear();
            self.course.crashes += 1;
            self.history.note(0, 0, Happening::Restart);
        }
        Ok(())
    }

    fn note_features(&mut self) {
        let statistics = self.server.statistics();
        let features = &mut self.course.features;
        features.units |= self.plan.habits.in_units > 0;
        features.laps |= self.server.has_lapped();
        features.checkpoints |= statistics.checkpoints > 0;
        features.spills |= statistics.spill_bytes > 0;
        features.large |= self.plan.habits.large > 0;
        let (handed, taken_back) = self.server.hand_overs();
        features.handed |= handed;
        features.taken_back |= taken_back;
    }

    fn judged(mut self) -> Course {
        self.note_features();
        self.note(self.server.disk_digest());
        self.note(self.history.0.len() as u64);
        let mut course = self.course;
        course.verdict = check(&self.history.0);
        if self.plan.amqp > 0 {
            // A link is given messages before its program knows of them, so a later one may come to another
            // program first, and the earlier one go back when the link breaks.
            course.verdict.faults.retain(|fault| fault.class != Class::Inverted);
        }
        course.problems.extend(course.verdict.faults.iter().map(ToString::to_string));
        for program in &self.programs {
            (0..3).for_each(|index| course.resolved[index] += program.resolved()[index]);
        }
        course
    }
}
