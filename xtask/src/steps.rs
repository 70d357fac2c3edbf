//! Running steps one after another, each with its time and its outcome.
//!
//! Always: a failed step does not keep the later ones from running, and the last lines tell everything.

use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The word that begins a report of something left undone, which is not a pass.
const SKIPPED: &str = "SKIPPED";

/// Reports of things left undone that are repeated at the end; far more than there are tools to miss.
const SKIPPED_MAX: usize = 100;

/// Reports of things left undone, where they are wanted at the end.
static LEFT_UNDONE: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Verdict on a step that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    pub(crate) fn short_name(&self) -> &str {
        short(&self.name)
    }
}

/// The name of a step without the words about it.
pub(crate) fn short(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// Name, time and verdict of a step that ran.
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) elapsed: Duration,
    pub(crate) verdict: &'static str,
}

const FAILED: &str = "FAILED";

/// Runs every step and prints the table of outcomes.
pub(crate) fn run(steps: Vec<Step<'_>>) -> ExitCode {
    exit_code(&run_all(steps))
}

pub(crate) fn exit_code(outcomes: &[Outcome]) -> ExitCode {
    if outcomes.iter().any(|outcome| outcome.verdict == FAILED) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Keeps what the steps from here on report as left undone, for [`print_left_undone`].
pub(crate) fn keep_left_undone() {
    *left_undone() = Some(Vec::new());
}

/// Prints once more what was left undone.
pub(crate) fn print_left_undone() {
    let kept = left_undone().take().unwrap_or_default();
    if kept.is_empty() {
        println!("\nnothing was {SKIPPED}");
        return;
    }
    println!("\nleft undone, which is not a pass:");
    kept.iter().for_each(|line| println!("{line}"));
}

/// Reports that something was left undone, and why.
pub(crate) fn say_skipped(why: &str) {
    let line = format!("{SKIPPED}: {why}");
    println!("{line}");
    keep(&line);
}

fn left_undone() -> std::sync::MutexGuard<'static, Option<Vec<String>>> {
    LEFT_UNDONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Keeps a line that reports something left undone, unless it is there.
fn keep(line: &str) {
    let mut kept = left_undone();
    let Some(kept) = kept.as_mut().filter(|kept| kept.len() < SKIPPED_MAX) else { return };
    let line = line.trim();
    if line.contains(SKIPPED) && !kept.iter().any(|other| other == line) {
        kept.push(line.to_owned());
    }
}

/// Runs every step, prints the table of outcomes and returns it.
pub(crate) fn run_all(steps: Vec<Step<'_>>) -> Vec<Outcome> {
    let started = Instant::now();
    let mut outcomes = Vec::new();
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
                FAILED
            }
        };
        println!("== {}: {verdict} after {}", step.name, seconds(elapsed));
        outcomes.push(Outcome { name: step.name, elapsed, verdict });
    }
    let width = outcomes.iter().map(|outcome| outcome.name.len()).max().unwrap_or(0);
    println!();
    for Outcome { name, elapsed, verdict } in &outcomes {
        println!("{name:<width$}  {:>9}  {verdict}", seconds(*elapsed));
    }
    println!("{:<width$}  {:>9}", "total", seconds(started.elapsed()));
    outcomes
}

/// Runs a program in the root of the project, its output going where ours goes.
pub(crate) fn program(root: &Path, command_line: &[&str], environment: &[(&str, &str)]) -> Result<Verdict> {
    let [program, arguments @ ..] = command_line else { bail!("no program to run") };
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root);
    let is_kept = left_undone().is_some();
    let status = if is_kept { status_while_reading(&mut command) } else { command.status() };
    let status = status.with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{}` ended with {status}", command_line.join(" "));
    }
    Ok(Verdict::Ok)
}

/// Runs a program, passes its output on, and keeps the lines that report something left undone.
fn status_while_reading(command: &mut Command) -> std::io::Result<std::process::ExitStatus> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| errors.map(|errors| pass_on(errors, std::io::stderr())));
        if let Some(output) = output {
            pass_on(output, std::io::stdout());
        }
    });
    child.wait()
}

/// Copies lines until the end, whatever becomes of the reader of ours.
fn pass_on(from: impl Read, mut to: impl Write) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        // The program must not stand still because nobody reads what it prints.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        keep(&String::from_utf8_lossy(&line));
        line.clear();
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_or_its_program_skips_is_kept_once_and_a_failure_is_a_failure() {
        keep_left_undone();
        let sh = |script: &'static str| move || program(Path::new("/"), &["sh", "-c", script], &[]);
        let outcomes = run_all(vec![
            Step::new("prints", sh("echo one; echo 'SKIPPED: no disk'; echo 'R1: SKIPPED, no strace' >&2")),
            Step::new("again", sh("echo 'SKIPPED: no disk'")),
            Step::new("itself", || {
                say_skipped("no typos");
                Ok(Verdict::Skipped)
            }),
            Step::new("fails", sh("exit 3")),
        ]);
        let mut kept = left_undone().take().unwrap();
        kept.sort();
        assert_eq!(kept, ["R1: SKIPPED, no strace", "SKIPPED: no disk", "SKIPPED: no typos"]);
        let verdicts: Vec<_> = outcomes.iter().map(|outcome| outcome.verdict).collect();
        assert_eq!(verdicts, ["ok", "ok", "skipped", "FAILED"]);
        assert_eq!(exit_code(&outcomes), ExitCode::FAILURE);
        assert_eq!(exit_code(&outcomes[..3]), ExitCode::SUCCESS);
    }
}
