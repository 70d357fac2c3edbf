//! Verbs at random beside the model: no answer may differ.
//!
//! A seed writes a course of steps in the language of the scenarios: several clients put, get, browse, open
//! and close, end units of work, inquire and set; commands change the queues under them; time passes; the
//! queue manager is restarted and loses its power. The engine and the model do each step, and each answer is
//! compared. A course that shows a difference is made as short as it can be and printed as a scenario.
//!
//! Lives here: [`attempt`]. `words` and `topics` write the steps, `coverage` tells what they were.
//! Lives elsewhere: what may be answered (`model`), comparing (`crash`).

mod coverage;
mod topics;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use platform::simulated::Random;
use queue_manager::Settings;

use super::crash::{Course, Stop};
use super::{Call, EngineWorld, Step, StepKind, parse};
pub use coverage::{Coverage, WARNINGS, passed};
use words::Line;

/// Result of a course.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// Calls and commands made, and told of.
    pub calls: u64,
    /// Their coverage.
    pub coverage: Coverage,
    /// The difference, and the shortest scenario found that shows it.
    pub difference: Option<String>,
}

/// Does the course of a seed; one that fails is made shorter with at most so many tries.
#[must_use]
pub fn attempt(settings: &Settings, seed: u64, steps: usize, shrinks_max: usize) -> Attempt {
    let mut random = Random::stream(seed, "verbs");
    let prelude = words::PRELUDE.iter().map(|command| Line::Command((*command).to_owned()));
    let mut lines: Vec<Line> = prelude.collect();
    let theme = words::Theme::of(&mut random);
    lines.extend(theme.opening(&mut random));
    lines.extend((0..steps).map(|_| words::line(&mut random, &theme)));
    let mut attempt = Attempt::default();
    if let Err((at, what)) = go(settings, seed, &lines, &mut attempt) {
        lines.truncate(at + 1);
        let (lines, what) = shortest(settings, seed, lines, what, shrinks_max);
        attempt.difference = Some(format!("{what}\n{}", scenario(&lines)));
    }
    attempt
}

/// Does the steps; where and why not all of them, if so.
fn go(settings: &Settings, seed: u64, lines: &[Line], attempt: &mut Attempt) -> Result<(), (usize, String)> {
    let mut course = Course::new(EngineWorld::new(settings.clone(), seed));
    let mut last: BTreeMap<String, Call> = BTreeMap::new();
    let mut connected = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let kind = match line {
            Line::Command(text) => {
                attempt.calls += 1;
                attempt.coverage.commanded(text);
                StepKind::Command { text: text.clone(), answer: None }
            }
            Line::Step(text) => parse::step(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}")),
        };
        let step = Step { line: at, kind };
        // Who waits in a call makes no other.
        if let StepKind::Call { client, call } = &step.kind
            && !course.waits(client)
        {
            last.insert(client.clone(), (**call).clone());
            if connected.insert(client.clone()) {
                attempt.coverage.connected();
            }
        }
        course.step(&step).map_err(|stop| (at, stop.to_string()))?;
        for (client, reason) in course.take_told() {
            attempt.calls += 1;
            let Some(call) = last.get(&client) else { continue };
            attempt.coverage.count(call, reason);
            if matches!(call, Call::Disconnect) {
                connected.remove(&client);
            }
        }
        if matches!(step.kind, StepKind::Restart | StepKind::Crash) {
            connected.clear();
        }
    }
    course.audit().map_err(|stop| (lines.len().saturating_sub(1), stop.to_string()))
}

/// Leaves out what is not needed for a difference.
fn shortest(
    settings: &Settings,
    seed: u64,
    mut lines: Vec<Line>,
    mut what: String,
    shrinks_max: usize,
) -> (Vec<Line>, String) {
    let mut tries = 0;
    let mut piece = lines.len().div_ceil(2);
    while piece > 0 && tries < shrinks_max {
        let mut at = 0;
        while at < lines.len() && tries < shrinks_max {
            tries += 1;
            let mut fewer = lines.clone();
            fewer.drain(at..(at + piece).min(lines.len()));
            match go(settings, seed, &fewer, &mut Attempt::default()) {
                Err((end, difference)) => {
                    fewer.truncate(end + 1);
                    (lines, what) = (fewer, difference);
                }
                Ok(()) => at += piece,
            }
        }
        piece = if piece == 1 { 0 } else { piece.div_ceil(2) };
    }
    (lines, what)
}

/// The steps as a scenario.
fn scenario(lines: &[Line]) -> String {
    let mut text = String::from("## A difference");
    let mut block = "";
    for line in lines {
        let (wanted, content) = match line {
            Line::Command(command) => ("mqsc", command),
            Line::Step(step) => ("mqi", step),
        };
        if wanted != block {
            let end = if block.is_empty() { "" } else { "\n```" };
            text.push_str(&format!("{end}\n\n```{wanted}"));
            block = wanted;
        }
        text.push('\n');
        text.push_str(content);
    }
    text + "\n```"
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(_, what) => formatter.write_str(what),
            Self::Unmodelled(kind) => write!(formatter, "the model does not know {kind}"),
        }
    }
}
