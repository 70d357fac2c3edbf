//! Running steps, each with its time and its outcome: one after another, or in two rows side by side.
//!
//! Always: a failed step does not keep the later ones from running, and the last lines tell everything. Steps
//! beside others get the processors that these leave idle, and each of their lines begins with their name.

use crate::{processor, tools};
use anyhow::{Context, Result, bail};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The word that begins a report of something left undone, which is not a pass.
const SKIPPED: &str = "SKIPPED";

/// Reports of things left undone that are repeated at the end; far more than there are tools to miss.
const SKIPPED_MAX: usize = 100;

/// Lines kept of what a step printed about a failure.
const FAILURE_LINES_MAX: usize = 80;

/// Lines kept behind one that says that something failed, for the reason.
const REASON_LINES: usize = 4;

/// Characters kept of a line about a failure.
const FAILURE_LINE_MAX: usize = 300;

/// Reports of things left undone, of all steps, where they are wanted at the end.
static LEFT_UNDONE: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// The step that a thread runs.
#[derive(Default)]
struct RunningStep {
    /// Its name, where it runs beside others.
    beside: Option<String>,
    /// Time of processors that its programs had.
    processor: Duration,
    /// Lines about a failure.
    failure: Vec<String>,
}

thread_local! {
    static RUNNING: RefCell<RunningStep> = RefCell::default();
}

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
    work: Box<dyn FnOnce() -> Result<Verdict> + Send + 'a>,
}

impl<'a> Step<'a> {
    pub(crate) fn new(name: impl Into<String>, work: impl FnOnce() -> Result<Verdict> + Send + 'a) -> Self {
        Self { name: name.into(), work: Box::new(work) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn short_name(&self) -> &str {
        short(&self.name)
    }
}

/// Steps in one row, and those that run beside them; the next stage begins when both rows have ended.
#[derive(Default)]
pub(crate) struct Stage<'a> {
    pub(crate) row: Vec<Step<'a>>,
    pub(crate) beside: Vec<Step<'a>>,
}

/// The name of a step without the words about it.
pub(crate) fn short(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// Name, time and verdict of a step that ran.
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) elapsed: Duration,
    /// Time of processors, of the programs that it ran too.
    pub(crate) processor: Duration,
    pub(crate) verdict: &'static str,
    /// Lines kept about its failure, the error last.
    pub(crate) failure: Vec<String>,
}

const FAILED: &str = "FAILED";

/// Runs a program when the others leave a processor idle.
const AFTER_OTHERS: [&str; 3] = ["nice", "-n", "10"];

/// Runs every step and prints the table of outcomes.
pub(crate) fn run(steps: Vec<Step<'_>>) -> ExitCode {
    exit_code(&run_all(vec![Stage { row: steps, beside: Vec::new() }]))
}

pub(crate) fn exit_code(outcomes: &[Outcome]) -> ExitCode {
    if outcomes.iter().any(|outcome| outcome.verdict == FAILED) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Begins a run of many steps: reports of things left undone and of failures are kept for its end, and builds
/// leave no files for the next ones, which take as much room as the programs.
pub(crate) fn begin_run() {
    *left_undone() = Some(Vec::new());
}

/// Prints once more what was left undone.
pub(crate) fn print_left_undone() {
    let left_undone = left_undone().take().unwrap_or_default();
    if left_undone.is_empty() {
        println!("\nnothing was {SKIPPED}");
        return;
    }
    println!("\nleft undone, which is not a pass:");
    left_undone.iter().for_each(|line| println!("{line}"));
}

/// Prints once more what tells of failures: of a long output the end is read first.
pub(crate) fn print_failures(outcomes: &[Outcome]) {
    for outcome in outcomes.iter().filter(|outcome| outcome.verdict == FAILED) {
        println!("\n{FAILED}: {}", short(&outcome.name));
        outcome.failure.iter().for_each(|line| println!("    {line}"));
    }
}

/// Reports that something was left undone, and why.
pub(crate) fn say_skipped(why: &str) {
    let line = format!("{SKIPPED}: {why}");
    println!("{line}");
    keep_left_undone(&line);
}

fn left_undone() -> std::sync::MutexGuard<'static, Option<Vec<String>>> {
    LEFT_UNDONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Keeps a line that reports something left undone, unless it is there.
fn keep_left_undone(line: &str) {
    let mut left_undone = left_undone();
    let Some(left_undone) = left_undone.as_mut() else { return };
    let line = line.trim();
    if left_undone.len() < SKIPPED_MAX
        && reports_skipped(line)
        && !left_undone.iter().any(|other| other == line)
    {
        left_undone.push(line.to_owned());
    }
}

/// Recognises a report: a line that begins with the word, or with one name before it, as in "R1: SKIPPED".
pub(crate) fn reports_skipped(line: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    let named = line.split_once(": ").filter(|(name, _)| is_name(name)).map(|(_, report)| report);
    line.starts_with(SKIPPED) || named.is_some_and(|report| report.starts_with(SKIPPED))
}

/// Finds the lines of a program that tell of a failure: what a test runner prints between `failures:` and its
/// result, and lines that say FAILED with the reason below.
#[derive(Default)]
struct FailureLines {
    /// Lines that still belong to what began.
    left: usize,
}

impl FailureLines {
    fn has(&mut self, line: &str) -> bool {
        if line.starts_with("test result:") {
            self.left = 0;
            return line.contains(FAILED);
        }
        if line == "failures:" {
            self.left = FAILURE_LINES_MAX;
        } else if line.contains(FAILED) {
            self.left = self.left.max(1 + REASON_LINES);
        }
        let is_of_backtrace = {
            let rest = line.trim_start();
            rest.starts_with("at ") || rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(": ")
        };
        if self.left == 0 || line.is_empty() || is_of_backtrace {
            return false;
        }
        self.left -= 1;
        true
    }
}

/// Runs every step, prints the table of outcomes and returns it.
pub(crate) fn run_all(stages: Vec<Stage<'_>>) -> Vec<Outcome> {
    let started = Instant::now();
    let mut outcomes = Vec::new();
    for Stage { row, beside } in stages {
        let run_beside = || -> Vec<_> { beside.into_iter().map(|step| run_one(step, true)).collect() };
        thread::scope(|scope| {
            let beside = scope.spawn(run_beside);
            outcomes.extend(row.into_iter().map(|step| run_one(step, false)));
            outcomes.extend(beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        });
    }
    let width = outcomes.iter().map(|outcome| outcome.name.len()).max().unwrap_or(0);
    println!("\n{:<width$}  {:>9}  {:>9}", "STEP", "TIME", "PROCESSOR");
    for Outcome { name, elapsed, processor, verdict, .. } in &outcomes {
        println!("{name:<width$}  {:>9}  {:>9}  {verdict}", seconds(*elapsed), seconds(*processor));
    }
    let processor = outcomes.iter().map(|outcome| outcome.processor).sum();
    println!("{:<width$}  {:>9}  {:>9}", "total", seconds(started.elapsed()), seconds(processor));
    outcomes
}

fn run_one(step: Step<'_>, is_beside: bool) -> Outcome {
    let Step { name, work } = step;
    println!("\n== {name}");
    let beside = is_beside.then(|| short(&name).to_owned());
    RUNNING.replace(RunningStep { beside, ..RunningStep::default() });
    let (started, before) = (Instant::now(), processor::of_thread());
    let outcome = work();
    let elapsed = started.elapsed();
    let RunningStep { processor, mut failure, .. } = RUNNING.take();
    let processor = processor + processor::of_thread().saturating_sub(before);
    let verdict = match outcome {
        Ok(Verdict::Ok) => "ok",
        Ok(Verdict::Skipped) => "skipped",
        Err(error) => {
            println!("{error:#}");
            failure.push(format!("{error:#}"));
            FAILED
        }
    };
    println!("== {name}: {verdict} after {}", seconds(elapsed));
    Outcome { name, elapsed, processor, verdict, failure }
}

/// Runs a program in the root of the project, its output going where ours goes.
pub(crate) fn program(root: &Path, command_line: &[&str], environment: &[(&str, &str)]) -> Result<Verdict> {
    let beside = RUNNING.with_borrow(|running| running.beside.clone());
    let line = if beside.is_some() { [&AFTER_OTHERS, command_line].concat() } else { command_line.to_vec() };
    let [program, arguments @ ..] = &*line else { bail!("no program to run") };
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root);
    command.env("PATH", tools::search_path(root));
    let is_run_of_many = left_undone().is_some();
    if is_run_of_many {
        command.env("CARGO_INCREMENTAL", "0");
    }
    let before = beside.map(|name| format!("{name}| ")).unwrap_or_default();
    let child = if is_run_of_many { spawn_and_read(&mut command, &before) } else { command.spawn() };
    let status = child.and_then(|mut child| {
        let processor = processor::of_ended(child.id());
        RUNNING.with_borrow_mut(|running| running.processor += processor);
        child.wait()
    });
    let status = status.with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{}` ended with {status}", command_line.join(" "));
    }
    Ok(Verdict::Ok)
}

/// Starts a program, passes its output on to its end, and keeps the lines that are wanted at the end.
fn spawn_and_read(command: &mut Command, before: &str) -> std::io::Result<Child> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let failure = Mutex::new(Vec::new());
    thread::scope(|scope| {
        scope.spawn(|| errors.map(|errors| pass_on(errors, standard(std::io::stderr()), before, &failure)));
        if let Some(output) = output {
            pass_on(output, standard(std::io::stdout()), before, &failure);
        }
    });
    RUNNING.with_borrow_mut(|running| {
        running.failure.extend(failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
        running.failure.truncate(FAILURE_LINES_MAX);
    });
    Ok(child)
}

/// Where lines go: nowhere in the tests of this module, whose reports a run of all tests would take for its
/// own.
fn standard(stream: impl Write + Send + 'static) -> Box<dyn Write> {
    if cfg!(test) { Box::new(std::io::sink()) } else { Box::new(stream) }
}

/// Copies lines with these words before each until the end, whatever becomes of the reader of ours, and keeps
/// those about a failure.
fn pass_on(from: impl Read, mut to: impl Write, before: &str, failure: &Mutex<Vec<String>>) {
    let mut from = BufReader::new(from);
    let mut line = before.as_bytes().to_vec();
    let mut failure_lines = FailureLines::default();
    while from.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        // The program must not stand still because nobody reads what it prints.
        let _ = to.write_all(&line).and_then(|()| to.flush());
        let text = String::from_utf8_lossy(&line[before.len()..]);
        keep_left_undone(&text);
        let mut failure = failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if failure_lines.has(text.trim_end()) && failure.len() < FAILURE_LINES_MAX {
            failure.push(text.trim_end().chars().take(FAILURE_LINE_MAX).collect());
        }
        line.truncate(before.len());
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_begins_with_the_word_or_with_a_name_before_it() {
        for (line, expected) in [
            ("SKIPPED: no disk", true),
            ("R1: SKIPPED, no strace", true),
            ("Error: SKIPPED: the rig needs root", true),
            ("nothing was SKIPPED", false),
            ("it says: SKIPPED", false),
            ("skipped: one", false),
        ] {
            assert_eq!(reports_skipped(line), expected, "{line}");
        }
    }

    #[test]
    fn reports_of_these_tests_are_not_those_of_a_run_of_all_tests() {
        let test = "what_a_step_or_its_program_skips_is_kept_once_and_a_failure_is_told_with_its_reason";
        let run = Command::new(std::env::current_exe().unwrap()).arg(test).output().unwrap();
        let said = [run.stdout, run.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
        assert!(said.contains("1 passed") && !said.contains(SKIPPED) && !said.contains(FAILED), "{said}");
    }

    #[test]
    fn what_a_step_or_its_program_skips_is_kept_once_and_a_failure_is_told_with_its_reason() {
        begin_run();
        let sh = |script: &'static str| move || program(Path::new("/"), &["sh", "-c", script], &[]);
        let row = vec![
            Step::new("prints", sh("echo one; echo 'SKIPPED: no disk'; echo 'R1: SKIPPED, no strace' >&2")),
            Step::new("again", sh("echo 'SKIPPED: no disk'; echo 'a::planted FAILED'")),
            Step::new("itself", || {
                say_skipped("no typos");
                Ok(Verdict::Skipped)
            }),
            Step::new(
                "tests: all",
                sh("cat <<END
failures:

---- a::b stdout ----
the thread panicked
  12: core::panic
            at lib.rs:1

failures:
    a::b

test result: FAILED. 1 passed; 1 failed
another program, all of it right
FAILED case 1 of seed 2
  a message was lost
END
exit 3"),
            ),
        ];
        let beside = vec![Step::new(
            "beside: others",
            sh("echo 'c::d FAILED'; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 4"),
        )];
        let outcomes = run_all(vec![Stage { row, beside }]);
        let mut left_undone = left_undone().take().unwrap();
        left_undone.sort();
        assert_eq!(left_undone, ["R1: SKIPPED, no strace", "SKIPPED: no disk", "SKIPPED: no typos"]);
        let verdicts: Vec<_> = outcomes.iter().map(|outcome| outcome.verdict).collect();
        assert_eq!(verdicts, ["ok", "ok", "skipped", "FAILED", "FAILED"]);
        let [.., beside] = &*outcomes else { panic!("there are five") };
        assert_eq!(beside.failure[0], "c::d FAILED");
        assert!(beside.failure[1].starts_with("`sh -c echo") && beside.failure.len() == 2);
        assert!(beside.processor > Duration::ZERO && outcomes[2].processor < beside.processor);
        assert_eq!(exit_code(&outcomes), ExitCode::FAILURE);
        assert_eq!(exit_code(&outcomes[..3]), ExitCode::SUCCESS);
        let failure = &outcomes[3].failure;
        let (error, lines) = failure.split_last().unwrap();
        assert!(error.ends_with("ended with exit status: 3"), "{error}");
        assert_eq!(
            lines,
            [
                "failures:",
                "---- a::b stdout ----",
                "the thread panicked",
                "failures:",
                "    a::b",
                "test result: FAILED. 1 passed; 1 failed",
                "FAILED case 1 of seed 2",
                "  a message was lost",
            ]
        );
    }
}
