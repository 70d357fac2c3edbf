//! The bridge and both queue managers, killed between each two calls of a pipe.
//!
//! The bridge is a process of this test program ([`a_bridge_that_kills`]): its pipe is the one that ships,
//! and the machine of it is wrapped by one that counts what it hears, and kills at a number.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bridge::exchange::{Call, Event};
use bridge::state::PipeState;
use bridge::{Bind, Machine};
use client::{Address, Options};
use ferry_bridge::definitions::{self, Direction, Selection};
use ferry_bridge::door::ClientDoor;
use ferry_bridge::running::{Ways, pipe_of};
use mqi::OpenOptions;
use rustix::process::{Pid, Signal, kill_process};

use crate::installation::{
    Bridge, Installation, PATIENCE, Pair, arrives_at, eventually, get, open, put, put_on, taken_from,
};

/// More steps than a bind and a batch have.
const STEPS_MAX: u32 = 60;

/// One step of so many is tried; with `FERRY_STEPS=all`, each.
const SAMPLE: u32 = 4;

/// Messages of a case: more than a batch has.
const MESSAGES: u32 = 3;

/// Fewest steps of a bind and of two batches.
const STEPS_MIN: u32 = 12;

/// Time after which a pipe whose messages have arrived has no other step.
const SETTLED: Duration = Duration::from_millis(300);

/// The process that is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Bridge,
    Source,
    Target,
}

impl Victim {
    /// The queue manager that it is.
    fn among(self, pair: &mut Pair, way: Direction) -> Option<&mut Installation> {
        match (self, way) {
            (Self::Bridge, _) => None,
            (Self::Source, Direction::Out) | (Self::Target, Direction::In) => Some(&mut pair.left),
            (Self::Source, Direction::In) | (Self::Target, Direction::Out) => Some(&mut pair.right),
        }
    }
}

/// Kills a process when its machine hears for the so-manieth time.
struct Killing {
    machine: Box<dyn Machine>,
    left: Option<u32>,
    victim: Pid,
}

impl Machine for Killing {
    fn step(&mut self, event: Event, now: Duration) -> Vec<Call> {
        let calls = self.machine.step(event, now);
        self.left = self.left.map(|left| left.saturating_sub(1));
        // Its calls are not made yet.
        if self.left.take_if(|left| *left == 0).is_some() {
            kill_process(self.victim, Signal::KILL).expect("the victim is there");
        }
        calls
    }

    fn begin(&mut self) {
        self.machine.begin();
    }

    fn hear(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        self.machine.hear(event, now, calls);
    }

    fn break_off(&mut self, now: Duration, calls: &mut Vec<Call>) {
        self.machine.break_off(now, calls);
    }

    fn end(&mut self, calls: &mut Vec<Call>) {
        self.machine.end(calls);
    }

    fn advance(&mut self, now: Duration, calls: &mut Vec<Call>) {
        self.machine.advance(now, calls);
    }

    fn due_at(&self) -> Option<Duration> {
        self.machine.due_at()
    }

    fn bind(&self) -> &Bind {
        self.machine.bind()
    }

    fn state(&self) -> Option<&PipeState> {
        self.machine.state()
    }
}

/// The process of a case, by the arguments in its environment.
#[test]
#[ignore = "a process of the tests below"]
fn a_bridge_that_kills() {
    let argument = |name: &str| std::env::var(format!("FERRY_CASE_{name}")).expect("an argument of the case");
    let own = i32::try_from(std::process::id()).unwrap();
    let victim = argument("VICTIM").parse().unwrap_or(own);
    let folder = std::path::PathBuf::from(argument("FOLDER"));
    let local = Options::to(Address::Unix(folder.join("socket"))).application("ferry-bridge");
    let foreign = Options::to(argument("FOREIGN").parse().unwrap()).application("ferry-bridge");
    let read = definitions::read(&mut ClientDoor::new(local.clone()), &Selection::default()).unwrap();
    let left = argument("STEP").parse().ok();
    let victim = Pid::from_raw(victim).unwrap();
    let ways = Ways { local, foreign };
    let host = format!("case:{own}");
    let mut pipe = pipe_of(&read.pipes[0], ways, host, |machine| Box::new(Killing { machine, left, victim }));
    let began = Instant::now();
    let now = || began.elapsed();
    pipe.start(now());
    while !pipe.is_stopped() {
        pipe.work(&now);
        let most = pipe.due_at().map_or(Duration::from_millis(50), |due| due.saturating_sub(now()));
        if !pipe.wait(most, &now) {
            std::thread::sleep(most);
        }
    }
    panic!("the pipe is stopped: {:?}", pipe.stop_reason());
}

/// The process of a case.
struct Killer(Child);

impl Killer {
    fn start(pair: &Pair, step: u32, victim: Option<u32>) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "steps::a_bridge_that_kills", "--ignored", "--nocapture"]);
        let victim = victim.map_or_else(String::new, |victim| victim.to_string());
        let foreign = format!("127.0.0.1:{}", pair.right.port);
        let folder = pair.left.folder().display().to_string();
        for (name, value) in
            [("STEP", step.to_string()), ("VICTIM", victim), ("FOREIGN", foreign), ("FOLDER", folder)]
        {
            command.env(format!("FERRY_CASE_{name}"), value);
        }
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap())
    }

    fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Killer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a case. Returns false if the step was not reached.
fn kill_at(pair: &mut Pair, way: Direction, step: u32, victim: Victim) -> bool {
    let said = format!("{way:?} {victim:?} {step}");
    let bodies: Vec<String> = (0..MESSAGES).map(|number| format!("{said}.{number}")).collect();
    {
        let mut connection = pair.source(way).connect();
        let to = open(&mut connection, put_on(way), OpenOptions::OUTPUT);
        bodies.iter().for_each(|body| drop(put(&mut connection, to, body.as_bytes()).unwrap()));
    }
    let process = victim.among(pair, way).map(|installation| installation.process_id());
    let mut killer = Killer::start(pair, step, process);
    let until = Instant::now() + PATIENCE;
    let mut arrived_at = None;
    let is_reached = loop {
        if let Some(killed) = victim.among(pair, way).and_then(Installation::if_killed) {
            killed.kill_and_start();
            break true;
        }
        if killer.is_over() {
            break true;
        }
        if pair.target(way).try_depth(arrives_at(way)) == Some(MESSAGES.into()) {
            let arrived_at = *arrived_at.get_or_insert_with(Instant::now);
            // Then it waits for messages, and hears of no other step.
            if arrived_at.elapsed() > SETTLED {
                break false;
            }
        }
        assert!(Instant::now() < until, "{said}: nothing happens");
        std::thread::sleep(Duration::from_millis(10));
    };
    let _bridge = killer.is_over().then(|| Bridge::start(&pair.left));
    let mut connection = pair.target(way).connect();
    let from = open(&mut connection, arrives_at(way), OpenOptions::INPUT_SHARED);
    for body in &bodies {
        let (_, arrived) =
            get(&mut connection, from, PATIENCE).unwrap_or_else(|| panic!("{said}: {body} is lost"));
        assert_eq!(String::from_utf8_lossy(&arrived), *body);
    }
    let source = pair.source(way);
    eventually("nothing is left or in doubt", || (source.depth(taken_from(way)) == 0).then_some(()));
    assert_eq!(get(&mut connection, from, Duration::ZERO), None, "{said}: one is doubled");
    is_reached
}

fn kill_at_steps(way: Direction) {
    let is_sample = std::env::var("FERRY_STEPS").is_err();
    let mut pair = Pair::of(way, "BATCHSZ(2)");
    for (place, victim) in [Victim::Bridge, Victim::Source, Victim::Target].into_iter().enumerate() {
        let (first, by) = if is_sample { (1 + place as u32, SAMPLE) } else { (1, 1) };
        // The last one is not reached: nothing was left out.
        let not_reached =
            (first..STEPS_MAX).step_by(by as usize).find(|step| !kill_at(&mut pair, way, *step, victim));
        let steps = not_reached.expect("a pipe waits for messages at last");
        assert!(steps >= STEPS_MIN, "{victim:?}: a bind and two batches have {steps} steps");
        println!("{way:?} {victim:?}: killed at up to {steps} steps");
    }
    assert_eq!(pair.left.depth("DLQ"), 0);
}

#[test]
fn messages_that_go_out_are_there_once_after_a_kill_at_each_step() {
    kill_at_steps(Direction::Out);
}

#[test]
fn messages_that_come_in_are_there_once_after_a_kill_at_each_step() {
    kill_at_steps(Direction::In);
}
