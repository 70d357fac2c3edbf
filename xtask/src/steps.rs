//! Running steps one after another, each with its time and its outcome.
//!
//! Always: a failed step does not keep the later ones from running, and the last lines tell everything.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// How a step that did not fail ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ok,
    /// It could not be done here and need not be.
    Skipped,
}

/// One thing to do, under the name it is reported by.
pub(crate) struct Step<'a> {
    name: String,
    work: Box<dyn FnOnce() -> Result<Verdict> + 'a>,
}

impl<'a> Step<'a> {
    pub(crate) fn new(name: impl Into<String>, work: impl FnOnce() -> Result<Verdict> + 'a) -> Self {
        Self { name: name.into(), work: Box::new(work) }
    }
}

/// Runs every step and prints the table of outcomes.
pub(crate) fn run(steps: Vec<Step<'_>>) -> ExitCode {
    let started = Instant::now();
    let mut outcomes: Vec<(String, Duration, &str)> = Vec::new();
    for step in steps {
        println!("\n== {}", step.name);
        let step_started = Instant::now();
        let outcome = (step.work)();
        let elapsed = step_started.elapsed();
        let verdict = match outcome {
            Ok(Verdict::Ok) => "ok",
            Ok(Verdict::Skipped) => "skipped",
            Err(error) => {
                println!("{error:#}");
                "FAILED"
            }
        };
        println!("== {}: {verdict} after {}", step.name, seconds(elapsed));
        outcomes.push((step.name, elapsed, verdict));
    }
    let width = outcomes.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    println!();
    for (name, elapsed, verdict) in &outcomes {
        println!("{name:<width$}  {:>9}  {verdict}", seconds(*elapsed));
    }
    println!("{:<width$}  {:>9}", "total", seconds(started.elapsed()));
    if outcomes.iter().any(|(.., verdict)| *verdict == "FAILED") {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Runs a program in the root of the project, its output going where ours goes.
pub(crate) fn program(root: &Path, command_line: &[&str], environment: &[(&str, &str)]) -> Result<Verdict> {
    let [program, arguments @ ..] = command_line else { bail!("no program to run") };
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root)
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{}` ended with {status}", command_line.join(" "));
    }
    Ok(Verdict::Ok)
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
