//! The results of programs, as a table.

use anyhow::{Context, Result};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The result of a program.
#[derive(PartialEq, Eq)]
pub(super) enum Verdict {
    Ran,
    /// So many tests of it passed, and none failed.
    Passed(usize),
    /// It does, and this says what that shows and what not.
    RanWith(&'static str),
    /// It does not, and why not is known.
    NotYet(&'static str),
    NotInstalled(String),
    /// It could not be had where the run is about it: no pass.
    NotShown(String),
    Failed(String),
}

/// The results of all of them.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<(String, Verdict)>,
}

impl Table {
    pub(super) fn add(&mut self, name: impl Into<String>, verdict: Verdict) {
        self.rows.push((name.into(), verdict));
    }

    pub(super) fn print(&self) -> ExitCode {
        let width = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (name, verdict) in &self.rows {
            let told = match verdict {
                Verdict::Ran => "ran".to_owned(),
                Verdict::Passed(tests) => format!("{tests} passed"),
                Verdict::RanWith(what) => format!("ran {what}"),
                Verdict::NotYet(why) => format!("not yet: {why}"),
                Verdict::NotInstalled(why) => format!("not installed: {why}"),
                Verdict::NotShown(why) => format!("NOT SHOWN: {why}"),
                Verdict::Failed(why) => format!("FAILED: {why}"),
            };
            println!("{name:width$}  {told}");
        }
        let count = |is: fn(&Verdict) -> bool| self.rows.iter().filter(|(_, verdict)| is(verdict)).count();
        let failed = count(|verdict| matches!(verdict, Verdict::Failed(_)));
        let ran = count(|verdict| matches!(verdict, Verdict::Ran | Verdict::RanWith(_) | Verdict::Passed(_)));
        let passed = |(_, verdict): &(String, Verdict)| match verdict {
            Verdict::Passed(tests) => *tests,
            _ => 0,
        };
        let tests: usize = self.rows.iter().map(passed).sum();
        let tests = if tests == 0 { String::new() } else { format!(", {tests} tests passed") };
        println!("{ran} of {} ran, {failed} failed{tests}", self.rows.len());
        let not_shown = count(|verdict| matches!(verdict, Verdict::NotShown(_)));
        if failed + not_shown == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs a step of an installation; the last line of what it says when it fails.
pub(super) fn prepare(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(told.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it does not say why").to_owned())
}

/// The last lines of what a program said.
pub(super) fn tail(output: &std::process::Output) -> String {
    let all = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&all).into_owned();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}

/// Makes an empty folder for a binding.
pub(super) fn emptied(folder: &Path) -> Result<()> {
    let _absent = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
