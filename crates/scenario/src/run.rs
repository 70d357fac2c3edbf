//! Running the steps of a scenario against anything that can make calls.

use std::time::Duration;

use super::call::describe;
use super::{Call, Expected, Reply, Scenario, StepKind};

/// A world in which a scenario runs: a queue manager and the clients that talk to it.
pub trait Actors {
    /// Executes a command; the answer as text, and whether it succeeded.
    fn command(&mut self, text: &str) -> (String, bool);
    /// The client makes a call; it is connected if it is not.
    fn call(&mut self, client: &str, call: &Call);
    /// The outcome of the client's last call. With `patience`, waits until there is one (letting time pass if
    /// need be); without, only looks. Each outcome is given once.
    fn outcome(&mut self, client: &str, patience: bool) -> Option<Reply>;
    /// Longest delay of a step: none where time passes only in steps.
    fn lateness(&self) -> Duration {
        Duration::ZERO
    }
    /// Lets time pass.
    fn pass(&mut self, time: Duration);
    /// Begins to end the queue manager: clients go on, and nobody else is let in.
    fn quiesce(&mut self);
    /// Ends the queue manager, in order or not, and starts it again; clients are gone.
    fn restart(&mut self, in_order: bool);
}

/// A step that did not go as written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, \"{title}\": {what}")]
pub struct Failure {
    /// Title of the scenario.
    pub title: String,
    /// Number of the line.
    pub line: usize,
    /// Expected and found.
    pub what: String,
}

/// Runs one scenario.
///
/// # Errors
/// The first step that does not go as written.
pub fn run(scenario: &Scenario, actors: &mut dyn Actors) -> Result<(), Failure> {
    // The client whose last call no later line has spoken of yet: it must have gone well.
    let mut unspoken: Option<(String, usize)> = None;
    for step in &scenario.steps {
        let fail = |line: usize, what: String| Failure { title: scenario.title.clone(), line, what };
        let answers = matches!(&step.kind, StepKind::Expect { client, .. }
            if unspoken.as_ref().is_some_and(|(other, _)| other == client));
        if let Some((client, line)) = unspoken.take()
            && !answers
            && let Some(reply) = actors.outcome(&client, false)
            && let Some(what) = Expected::default().difference(&reply)
        {
            return Err(fail(line, format!("expected ok, found {what}")));
        }
        match &step.kind {
            StepKind::Command { text, answer } => {
                check_command(actors, text, answer.as_deref()).map_err(|what| fail(step.line, what))?;
            }
            StepKind::Call { client, call } => {
                actors.call(client, call);
                unspoken = Some((client.clone(), step.line));
            }
            StepKind::Expect { client, expected } => {
                check_outcome(actors, client, expected).map_err(|what| fail(step.line, what))?;
            }
            StepKind::Pass(time) => actors.pass(*time),
            StepKind::Quiesce => actors.quiesce(),
            StepKind::Restart => actors.restart(true),
            StepKind::Crash => actors.restart(false),
        }
    }
    match unspoken {
        Some((client, line)) => check_outcome(actors, &client, &Expected::default())
            .map_err(|what| Failure { title: scenario.title.clone(), line, what }),
        None => Ok(()),
    }
}

fn check_command(actors: &mut dyn Actors, text: &str, answer: Option<&str>) -> Result<(), String> {
    let (found, succeeded) = actors.command(text);
    match answer {
        Some(expected) if found.contains(expected) => Ok(()),
        Some(expected) => Err(format!("expected an answer with `{expected}`, found:\n{found}")),
        None if succeeded => Ok(()),
        None => Err(format!("`{text}` was refused:\n{found}")),
    }
}

fn check_outcome(actors: &mut dyn Actors, client: &str, expected: &Expected) -> Result<(), String> {
    if expected.waiting {
        return match actors.outcome(client, false) {
            None => Ok(()),
            Some(reply) => Err(format!("{client}: expected to be waiting, found {}", describe(&reply))),
        };
    }
    let mut reply = actors.outcome(client, true).ok_or_else(|| format!("{client} has no call under way"))?;
    let mut expected = expected.clone();
    expected.forgive(&mut reply, actors.lateness());
    match expected.difference(&reply) {
        None => Ok(()),
        Some(found) => Err(format!("{client}: expected {expected:?}, found {found}")),
    }
}
