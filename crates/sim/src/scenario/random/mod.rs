//! Verbs at random beside the model: no answer may differ.
//!
//! A seed writes a course of steps in the language of the scenarios: several clients put, get, browse, open and close, end units
//! of work, inquire and set; commands change the queues under them; time passes; the queue manager is restarted and loses its
//! power. The engine and the model do each step, and each answer is compared. A course that shows a difference is made as short
//! as it can be and printed as a scenario.
//!
//! Lives here: [`attempt`], [`Coverage`], which tells what the courses did. `words` writes the steps.
//! Lives elsewhere: what may be answered (`model`), comparing (`crash`).

mod words;

use std::collections::BTreeMap;
use std::fmt;

use mqi::Reason;
use platform::simulated::Random;
use queue_manager::Settings;

use super::crash::{Course, Stop};
use super::{EngineWorld, Step, StepKind, parse};
use words::Line;

/// Which words the calls had and how they were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// For a verb with a word: how often it succeeded, with or without a warning, and how often it was refused.
    pub words: BTreeMap<String, [u64; 2]>,
    /// How often each reason was told.
    pub reasons: BTreeMap<Reason, u64>,
}

/// What came of a course.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// Calls and commands made, and told of.
    pub calls: u64,
    /// What they were.
    pub coverage: Coverage,
    /// What was wrong, and the shortest scenario found that shows it.
    pub difference: Option<String>,
}

/// Does the course of a seed; one that fails is made shorter with at most so many tries.
#[must_use]
pub fn attempt(settings: &Settings, seed: u64, steps: usize, shrinks_max: usize) -> Attempt {
    let mut random = Random::stream(seed, "verbs");
    let prelude = words::PRELUDE.iter().map(|command| Line::Command((*command).to_owned()));
    let mut lines: Vec<Line> = prelude.collect();
    lines.extend((0..steps).map(|_| words::line(&mut random)));
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
    let mut last: BTreeMap<String, &str> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let kind = match line {
            Line::Command(text) => {
                attempt.calls += 1;
                attempt.coverage.count(text, None);
                StepKind::Command { text: text.clone(), answer: None }
            }
            Line::Step(text) => parse::step(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}")),
        };
        if let (StepKind::Call { client, .. }, Line::Step(text)) = (&kind, line) {
            last.insert(client.clone(), text);
        }
        course.step(&Step { line: at, kind }).map_err(|stop| (at, stop.to_string()))?;
        for (client, reason) in course.take_told() {
            attempt.calls += 1;
            if let Some(text) = last.get(&client) {
                attempt.coverage.count(text.split_once(": ").map_or(*text, |(_, call)| call), reason);
            }
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

impl Coverage {
    /// Counts a call for its verb and for each word that says how.
    fn count(&mut self, call: &str, reason: Option<Reason>) {
        let refused = reason.is_some_and(|reason| !WARNINGS.contains(&reason));
        let mut words = call.split_whitespace();
        let verb = words.next().unwrap_or_default();
        if let Some(reason) = reason {
            *self.reasons.entry(reason).or_default() += 1;
        }
        let said = words.filter(|word| says_how(word)).map(|word| format!("{verb} {word}"));
        for words in said.chain([verb.to_owned()]) {
            self.words.entry(words).or_default()[usize::from(refused)] += 1;
        }
    }

    /// Adds what other courses did.
    pub fn add(&mut self, other: Self) {
        for (word, [succeeded, refused]) in other.words {
            let sum = self.words.entry(word).or_default();
            sum[0] += succeeded;
            sum[1] += refused;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }
}

/// Reasons of calls that did what they should.
const WARNINGS: [Reason; 4] = [
    Reason::TRUNCATED_MSG_ACCEPTED,
    Reason::PRIORITY_EXCEEDS_MAXIMUM,
    Reason::UNKNOWN_REPORT_OPTION,
    Reason::NO_EXTERNAL_PARTICIPANTS,
];

/// Whether a word is an option, a field, a keyword or an attribute, and not a name, a body or a number.
fn says_how(word: &str) -> bool {
    word.starts_with(['+', 'm'])
        || word.starts_with("MQI")
        || word.starts_with("MQC")
        || word
            .chars()
            .all(|character| character.is_ascii_lowercase() || character == '-' || character == '+')
            && word.len() > 1
}

impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:<44} {:>9} {:>9}", "call", "done", "refused")?;
        for (words, [done, refused]) in &self.words {
            writeln!(formatter, "{words:<44} {done:>9} {refused:>9}")?;
        }
        writeln!(formatter, "reason")?;
        for (reason, count) in &self.reasons {
            writeln!(formatter, "{reason:<44} {count:>9}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(_, what) => formatter.write_str(what),
            Self::Unmodelled(kind) => write!(formatter, "the model does not know {kind}"),
        }
    }
}
