//! Scenarios with the power cut between any two steps, and within any of them.
//!
//! The engine and the model go through a scenario side by side. At each place of it the power is cut on a
//! copy of the engine's disk; the engine that starts there does the rest of the scenario, beside every model
//! that a crash may leave, and then gives out all it has. An answer that none of the models left gives is a
//! failure.
//!
//! Two moments of each step are tried: *between* it and the next, when all of its answers are known, and
//! *within* it, when its effects are on their way to the disk and nobody was told of them.
//!
//! Lives here: going on after crashes, comparing; in `alone`, steps that the model does not know. Lives
//! elsewhere: what may be answered (`model`), the engine's world (`engine`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use mqi::Reason;
use platform::simulated::{CrashPolicy, Random, Survival};
use queue_manager::Settings;

mod alone;
#[cfg(test)]
mod tests;

use super::call::describe;
use super::model::{Manager, Unmodelled, question};
use super::run::Actors;
use super::{Call, EngineWorld, Failure, Scenario, Step, StepKind};

/// Kinds of step whose answers the model does not judge: they change nothing that it has, so the rest of
/// their scenario is.
pub const NOT_JUDGED: [&str; 12] = [
    "DISPLAY QSTATUS",
    "DISPLAY CONN",
    "DISPLAY PUBSUB",
    "DISPLAY of several queues",
    "DISPLAY of other kinds of object",
    "DISPLAY of other system objects",
    "changes of objects that no message meets",
    "commands about what is not there",
    "inquire of other attributes",
    "gets from other system queues",
    "changes of event queues",
    "calls on message handles",
];

/// Kinds of step that the model does not know: from such a step on, a scenario is done without it.
pub const NOT_MODELLED: &[&str] = &[
    "an open with a selector",
    "a change of other kinds of object",
    "ALTER QMGR",
    "other system objects",
    "attribute CLUSTER",
    "attribute PROPCTL",
    "attribute USAGE",
    "attribute STATQ",
    "MOVE QLOCAL",
    "RESOLVE INDOUBT",
    "an open of another queue manager's queue",
    "a message handle of a put or a get",
    "a put of properties",
    "a put with an extension of the descriptor",
    "an open of another kind of object",
    "a dynamic queue of an odd name",
    "a set of other attributes",
    "consumers of a queue manager that quiesces",
];

/// Crashes of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crashes {
    /// Places, between or within steps, at which the power was cut, each once: another seed has something
    /// else survive.
    pub pairs: u64,
    /// Answers not judged, by kind of question.
    pub not_judged: BTreeMap<String, u64>,
    /// Steps that were done without the model, by the kind that it did not know: the power is cut there, too,
    /// and what is left must start and give out all it has, but nobody says what that is.
    pub uncompared: BTreeMap<String, u64>,
}

/// Why a course ended before its scenario did.
pub(super) enum Stop {
    Wrong(usize, String),
    Unmodelled(String),
}

/// The engine and what it may be, side by side.
pub(super) struct Course {
    world: EngineWorld,
    /// Possible states of the engine: one model until a crash leaves several.
    models: Vec<Manager>,
    /// Clients whose last call nobody has seen the outcome of.
    asked: BTreeSet<String>,
    not_judged: BTreeMap<String, u64>,
    /// Clients with the reasons they were given, none for success, since [`take_told`](Self::take_told) was
    /// last called.
    told: Vec<(String, Option<Reason>)>,
}

/// Share of the power cuts that nothing not yet durable survives, in percent; of the others chance chooses.
const NOTHING_SURVIVES_PERCENT: u8 = 50;
/// Gets from one queue in the audit, which is more than any scenario leaves on it.
const AUDIT_GETS_MAX: usize = 1_000;

/// Runs a scenario with crashes everywhere.
///
/// # Errors
/// The first answer that nothing allows.
pub fn run_with_crashes(scenario: &Scenario, settings: &Settings, seed: u64) -> Result<Crashes, Failure> {
    run_in(EngineWorld::new(settings.clone(), seed), scenario, seed)
}

fn run_in(world: EngineWorld, scenario: &Scenario, seed: u64) -> Result<Crashes, Failure> {
    let mut crashes = Crashes::default();
    let mut random = Random::stream(seed, "crashes");
    let mut course = Course::new(world);
    let fail = |line: usize, what: String| Failure { title: scenario.title.clone(), line, what };
    for (index, step) in scenario.steps.iter().enumerate() {
        let rest = &scenario.steps[index + 1..];
        course.world.watch_disk();
        let done = course.begin(step).and_then(|()| {
            course.crash_and_go_on(&scenario.title, step, "within", rest, &mut random, &mut crashes)?;
            course.end(step)?;
            course.crash_and_go_on(&scenario.title, step, "after", rest, &mut random, &mut crashes)
        });
        match done {
            Ok(()) => {}
            Err(Stop::Wrong(line, what)) => return Err(fail(line, what)),
            Err(Stop::Unmodelled(kind)) => {
                let left = &scenario.steps[index..];
                *crashes.uncompared.entry(kind).or_default() += left.len() as u64;
                crashes.not_judged = std::mem::take(&mut course.not_judged);
                course.world.do_alone(left, &mut random, &mut crashes);
                return Ok(crashes);
            }
        }
    }
    match course.audit() {
        Ok(()) => {}
        Err(Stop::Wrong(line, what)) => return Err(fail(line, what)),
        Err(Stop::Unmodelled(kind)) => unreachable!("the audit makes calls that the model knows, not {kind}"),
    }
    crashes.not_judged = course.not_judged;
    Ok(crashes)
}

impl Course {
    pub(super) fn new(world: EngineWorld) -> Self {
        Self {
            world,
            models: vec![Manager::default()],
            asked: BTreeSet::new(),
            not_judged: BTreeMap::new(),
            told: Vec::new(),
        }
    }

    /// Does a step without any power cut.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), Stop> {
        self.begin(step)?;
        self.end(step)
    }

    /// Takes the clients with the reasons they were given, none for success, since the last call.
    pub(super) fn take_told(&mut self) -> Vec<(String, Option<Reason>)> {
        std::mem::take(&mut self.told)
    }

    /// True if a client's last call still waits for a message.
    pub(super) fn waits(&self, client: &str) -> bool {
        self.models.iter().any(|model| model.waits(client))
    }

    /// Does a step up to the moment at which somebody is told of it.
    fn begin(&mut self, step: &Step) -> Result<(), Stop> {
        let wrong = |what| Stop::Wrong(step.line, what);
        match &step.kind {
            StepKind::Command { text, .. } => self.command(text, step.line),
            StepKind::Call { client, call } => self.call(client, call).map_err(|stop| stop.at(step.line)),
            StepKind::Expect { client, .. } => {
                let client = client.clone();
                self.tell(&client).map_err(wrong)?;
                // Nobody may come who ends the wait; its time does.
                match self.models.first().and_then(|model| model.wait_left(&client)) {
                    Some(left) => {
                        self.pass(left);
                        self.tell(&client).map_err(wrong)
                    }
                    None => Ok(()),
                }
            }
            StepKind::Pass(time) => {
                self.pass(*time);
                Ok(())
            }
            StepKind::Quiesce => {
                self.world.quiesce();
                self.models.iter_mut().for_each(Manager::quiesce);
                Ok(())
            }
            StepKind::Restart => {
                self.world.restart(true);
                self.models = std::mem::take(&mut self.models).into_iter().map(Manager::stopped).collect();
                self.asked.clear();
                Ok(())
            }
            StepKind::Crash => {
                self.world.restart(false);
                self.models = self.models.iter().flat_map(Manager::crashed).collect();
                self.asked.clear();
                Ok(())
            }
        }
    }

    /// Gives their answers to the clients that ask by this step.
    fn end(&mut self, step: &Step) -> Result<(), Stop> {
        match &step.kind {
            StepKind::Call { client, .. } => self.tell(client).map_err(|what| Stop::Wrong(step.line, what)),
            StepKind::Command { .. } => {
                self.models.iter_mut().for_each(Manager::tell_all_commands);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn pass(&mut self, time: std::time::Duration) {
        self.world.pass(time);
        self.models =
            std::mem::take(&mut self.models).into_iter().flat_map(|model| model.passed(time)).collect();
    }

    fn command(&mut self, text: &str, line: usize) -> Result<(), Stop> {
        let mut answers = Vec::new();
        for model in &mut self.models {
            match model.command(text) {
                Ok(answer) => answers.push(answer),
                Err(unknown) => {
                    known_as_unknown(&unknown).map_err(|what| Stop::Wrong(line, what))?;
                    if !unknown.only_asks {
                        return Err(Stop::Unmodelled(unknown.kind));
                    }
                    self.world.command(text);
                    *self.not_judged.entry(unknown.kind).or_default() += 1;
                    return Ok(());
                }
            }
        }
        let (found, succeeded) = self.world.command(text);
        let mut agrees = answers.iter().map(|answer| {
            answer.succeeded == succeeded && answer.contains.iter().all(|text| found.contains(text))
        });
        self.models.retain(|_| agrees.next().expect("an answer for each model"));
        if self.models.is_empty() {
            answers.dedup();
            return Err(Stop::Wrong(line, format!("`{text}`: allowed are {answers:?}, found:\n{found}")));
        }
        Ok(())
    }

    fn call(&mut self, client: &str, call: &Call) -> Result<(), Stop> {
        self.tell(client).map_err(|what| Stop::Wrong(0, what))?;
        // A program that waits in a call makes no other.
        if self.waits(client) {
            return Ok(());
        }
        for model in &mut self.models {
            if let Err(unknown) = model.call(client, call) {
                known_as_unknown(&unknown).map_err(|what| Stop::Wrong(0, what))?;
                return Err(Stop::Unmodelled(unknown.kind));
            }
        }
        if let Some(kind) = question(call) {
            let unknown = Unmodelled { kind: kind.clone(), only_asks: true };
            known_as_unknown(&unknown).map_err(|what| Stop::Wrong(0, what))?;
            *self.not_judged.entry(kind).or_default() += 1;
        }
        if matches!(call, Call::Handle(_)) && self.models.iter().any(|model| model.is_unjudged(client)) {
            *self.not_judged.entry("calls on message handles".to_owned()).or_default() += 1;
        }
        self.world.call(client, call);
        self.asked.insert(client.to_owned());
        Ok(())
    }

    /// Compares the outcome of a client's last call, if it has one, with what the models allow.
    fn tell(&mut self, client: &str) -> Result<(), String> {
        if !self.asked.contains(client) {
            return Ok(());
        }
        let found = self.world.outcome(client, false);
        let mut allowed = BTreeSet::new();
        self.models.retain_mut(|model| {
            let expected = model.told(client);
            let agrees = match (&expected, &found) {
                (None, None) => true,
                (Some(None), Some(_)) => true,
                (Some(Some(expected)), Some(found)) => expected.difference(found).is_none(),
                _ => false,
            };
            allowed.insert(match (&expected, &found) {
                (Some(Some(expected)), Some(found)) => expected.told_apart(found),
                (expected, _) => format!("{expected:?}"),
            });
            agrees
        });
        if let Some(found) = &found {
            self.asked.remove(client);
            self.told.push((client.to_owned(), found.reason()));
        }
        if self.models.is_empty() {
            let found = found.as_ref().map_or_else(|| "no outcome yet".to_owned(), describe);
            let allowed: Vec<String> = allowed.into_iter().collect();
            return Err(format!("{client} was told {found}; allowed are:\n  {}", allowed.join("\n  ")));
        }
        Ok(())
    }

    /// Cuts the power, on a copy, several times, and does the rest of the scenario with what is left.
    fn crash_and_go_on(
        &mut self,
        title: &str,
        step: &Step,
        moment: &str,
        rest: &[Step],
        random: &mut Random,
        crashes: &mut Crashes,
    ) -> Result<(), Stop> {
        let images = self.world.disk_images(moment == "within");
        if images.is_empty() {
            return Ok(());
        }
        crashes.pairs += 1;
        let image = random.pick(&images);
        let policy = if random.percent(NOTHING_SURVIVES_PERCENT) {
            CrashPolicy::surviving(Survival::Nothing)
        } else {
            CrashPolicy::random(random)
        };
        let after = Self {
            world: self.world.after_power_cut(image.crash(random, policy), random.next_u64()),
            models: self.left_by_crash(step, moment),
            asked: BTreeSet::new(),
            not_judged: BTreeMap::new(),
            told: Vec::new(),
        };
        match after.go_on(rest) {
            Ok(()) | Err(Stop::Unmodelled(_)) => Ok(()),
            Err(Stop::Wrong(line, what)) => {
                let place = format!("{moment} the step of line {} ({policy:?})", step.line);
                Err(Stop::Wrong(line, format!("\"{title}\", power cut {place}: {what}")))
            }
        }
    }

    /// Returns the states that a power cut may leave. Within an orderly end and the start after it, the
    /// messages that such an end keeps may be there, too.
    fn left_by_crash(&self, step: &Step, moment: &str) -> Vec<Manager> {
        let mut left: Vec<Manager> = self.models.iter().flat_map(Manager::crashed).collect();
        if moment == "within" && matches!(step.kind, StepKind::Restart) {
            left.extend(self.models.iter().cloned());
        }
        left
    }

    fn go_on(mut self, rest: &[Step]) -> Result<(), Stop> {
        for step in rest {
            self.step(step)?;
        }
        self.audit()
    }

    /// Everybody is told, and all that is on the queues is got and compared.
    pub(super) fn audit(&mut self) -> Result<(), Stop> {
        let wrong = |what: String| Stop::Wrong(0, format!("at the end: {what}"));
        for client in self.asked.clone() {
            self.tell(&client).map_err(wrong)?;
        }
        let queues: BTreeSet<String> = self.models.iter().flat_map(Manager::local_queues).collect();
        for queue in queues {
            // Some queues give nothing outside units of work.
            let within = self.models.iter().any(|model| model.requires_unit(&queue));
            let how = if within { " syncpoint" } else { "" };
            let get = Call::parse(&format!("get {queue}{how}")).expect("a get of a queue");
            for _ in 0..AUDIT_GETS_MAX {
                self.call("the audit", &get)?;
                let outcome = self.peek("the audit");
                self.tell("the audit").map_err(|what| wrong(format!("{queue}: {what}")))?;
                if !matches!(outcome, Some(true)) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// True if a client's last call is about to be given a message.
    fn peek(&self, client: &str) -> Option<bool> {
        self.models.iter().map(|model| model.has_message_for(client)).max()
    }
}

impl Stop {
    fn at(self, line: usize) -> Self {
        match self {
            Self::Wrong(0, what) => Self::Wrong(line, what),
            other => other,
        }
    }
}

/// That the model does not know a step is a failure, unless the step is on the lists.
fn known_as_unknown(unknown: &Unmodelled) -> Result<(), String> {
    let (list, name) =
        if unknown.only_asks { (&NOT_JUDGED[..], "NOT_JUDGED") } else { (NOT_MODELLED, "NOT_MODELLED") };
    if list.contains(&unknown.kind.as_str()) {
        return Ok(());
    }
    Err(format!("{unknown}: teach it in scenario/model, or name the kind \"{}\" in {name}", unknown.kind))
}

impl Crashes {
    /// Steps that were done without the model.
    #[must_use]
    pub fn steps_uncompared(&self) -> u64 {
        self.uncompared.values().sum()
    }

    /// Adds what was done with another scenario.
    pub fn add(&mut self, other: Self) {
        self.pairs += other.pairs;
        for (sum, more) in
            [(&mut self.not_judged, other.not_judged), (&mut self.uncompared, other.uncompared)]
        {
            for (kind, count) in more {
                *sum.entry(kind).or_default() += count;
            }
        }
    }
}

impl fmt::Display for Crashes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pairs, not_judged, uncompared } = self;
        write!(formatter, "{pairs} pairs of scenario and crash point")?;
        for (kind, count) in not_judged {
            write!(formatter, "; NOT JUDGED {count} answers of {kind}")?;
        }
        for (kind, count) in uncompared {
            write!(formatter, "; WITHOUT THE MODEL {count} steps from {kind} on")?;
        }
        write!(formatter, "; {} steps without the model in all", self.steps_uncompared())
    }
}
