//! From Markdown to steps.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use super::call::{Call, Expected, duration};

/// One scenario: a heading and the steps below it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The heading.
    pub title: String,
    /// The line of the heading.
    pub line: usize,
    /// Steps, in order.
    pub steps: Vec<Step>,
}

/// One step and where it stands.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line in the file.
    pub line: usize,
    /// Kind of the step.
    pub kind: StepKind,
}

/// Kind of a step.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A command and, perhaps, a text its answer must contain.
    Command {
        /// The command.
        text: String,
        /// Text that the answer contains; without it the command must succeed.
        answer: Option<String>,
    },
    /// A client makes a call.
    Call {
        /// The client.
        client: String,
        /// The call.
        call: Box<Call>,
    },
    /// The client's last call ends so.
    Expect {
        /// The client.
        client: String,
        /// The expected result.
        expected: Box<Expected>,
    },
    /// Time passes.
    Pass(Duration),
    /// The queue manager begins to end, and waits for its clients.
    Quiesce,
    /// The queue manager ends in order and starts again.
    Restart,
    /// The queue manager ends without order and starts again.
    Crash,
}

/// A line that is not a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ScenarioError {
    /// Where.
    pub line: usize,
    /// Description of the fault.
    pub reason: String,
}

/// Kind of text that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Prose,
    Commands,
    Calls,
    Other,
}

/// Reads the scenarios of all Markdown files of a folder, each with its file's name, in the order of the
/// names.
///
/// # Errors
/// When the folder or a file cannot be read, or the first line that is not understood.
pub fn read_folder(folder: &Path) -> io::Result<Vec<(String, Scenario)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    let mut scenarios = Vec::new();
    for name in names {
        let text = fs::read_to_string(folder.join(&name))?;
        let parsed = parse(&text).map_err(|error| io::Error::other(format!("{name}, {error}")))?;
        scenarios.extend(parsed.into_iter().map(|scenario| (name.clone(), scenario)));
    }
    Ok(scenarios)
}

/// Reads the scenarios of a file.
///
/// # Errors
/// The first line that is not understood.
pub fn parse(text: &str) -> Result<Vec<Scenario>, ScenarioError> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    let mut block = Block::Prose;
    for (line, content) in (1..).zip(text.lines()) {
        let error = |reason: String| ScenarioError { line, reason };
        let content = content.trim();
        if let Some(language) = content.strip_prefix("```") {
            block = match (block, language) {
                (Block::Prose, "mqsc") => Block::Commands,
                (Block::Prose, "mqi") => Block::Calls,
                (Block::Prose, _) => Block::Other,
                (_, _) => Block::Prose,
            };
            continue;
        }
        if block == Block::Prose {
            if let Some(title) = content.strip_prefix("## ") {
                scenarios.push(Scenario { title: title.to_owned(), line, steps: Vec::new() });
            }
            continue;
        }
        if block == Block::Other || content.is_empty() {
            continue;
        }
        let scenario =
            scenarios.last_mut().ok_or_else(|| error("a step before the first heading".to_owned()))?;
        if block == Block::Commands {
            add_command(&mut scenario.steps, line, content).map_err(error)?;
        } else {
            let kind = step(content, &scenario.steps).map_err(error)?;
            scenario.steps.push(Step { line, kind });
        }
    }
    Ok(scenarios)
}

fn add_command(steps: &mut Vec<Step>, line: usize, content: &str) -> Result<(), String> {
    let Some(expected) = content.strip_prefix("-> ") else {
        steps.push(Step { line, kind: StepKind::Command { text: content.to_owned(), answer: None } });
        return Ok(());
    };
    match steps.last_mut() {
        Some(Step { kind: StepKind::Command { answer, .. }, .. }) => {
            *answer = Some(expected.to_owned());
            Ok(())
        }
        _ => Err("an answer without a command".to_owned()),
    }
}

pub(super) fn step(content: &str, earlier: &[Step]) -> Result<StepKind, String> {
    let (who, what) = content.split_once(':').ok_or("a step begins with who and a colon")?;
    let what = what.trim();
    match (who, what) {
        ("clock", after) => {
            let after = after.strip_prefix('+').ok_or("the clock goes forward: clock: +5s")?;
            Ok(StepKind::Pass(duration(after)?))
        }
        ("manager", "quiesce") => Ok(StepKind::Quiesce),
        ("manager", "restart") => Ok(StepKind::Restart),
        ("manager", "crash") => Ok(StepKind::Crash),
        ("manager", other) => Err(format!("a manager quiesces, restarts or crashes, not {other}")),
        (client, what) => {
            let client = client.to_owned();
            match what.strip_prefix("->") {
                Some(result) => {
                    let expected = Expected::parse(result, last_call(earlier, &client))?;
                    Ok(StepKind::Expect { client, expected: Box::new(expected) })
                }
                None => Ok(StepKind::Call { client, call: Box::new(Call::parse(what)?) }),
            }
        }
    }
}

fn last_call<'a>(steps: &'a [Step], who: &str) -> Option<&'a Call> {
    steps.iter().rev().find_map(|step| match &step.kind {
        StepKind::Call { client, call } if client == who => Some(&**call),
        _ => None,
    })
}
