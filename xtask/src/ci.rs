//! `cargo xtask ci`: the checks, then every test and gate, with the time of each step kept.
//!
//! Always: a row is kept for each step that ran, failed ones too; what was skipped and what failed is printed
//! last.

use crate::steps::{self, Outcome};
use crate::{check, results, test};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The times of the steps, one row each.
const TIMES: &str = "perf/results/ci.csv";

const HEAD: &str = "date,commit,step,seconds,verdict";

/// Rows kept, the newest: some fifty runs.
const ROWS_MAX: usize = 1_000;

/// Runs all steps, or those whose names are given.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let mut steps = check::steps(root);
    steps.extend(test::steps(root)?);
    match options {
        [] => {}
        ["--only", names @ ..] if !names.is_empty() => {
            steps.retain(|step| names.contains(&step.short_name()))
        }
        _ => bail!("`cargo xtask ci` takes nothing, or --only with names of steps"),
    }
    if steps.is_empty() {
        bail!("no step has such a name: `cargo xtask test --list` shows those of the tests");
    }
    let (date, commit) = (today()?, results::commit(root)?);
    steps::keep_reports();
    let outcomes = steps::run_all(steps);
    let path = root.join(TIMES);
    let earlier = std::fs::read_to_string(&path).unwrap_or_default();
    std::fs::write(&path, with_rows(&earlier, &date, &commit, &outcomes))
        .with_context(|| format!("cannot write {TIMES}"))?;
    println!("the times are in {TIMES}");
    steps::print_left_undone();
    steps::print_failures(&outcomes);
    Ok(steps::exit_code(&outcomes))
}

fn today() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%F"]).output().context("cannot start date")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The rows so far and these, without the oldest where they are too many.
fn with_rows(earlier: &str, date: &str, commit: &str, outcomes: &[Outcome]) -> String {
    let new = outcomes.iter().map(|Outcome { name, elapsed, verdict, .. }| {
        let step = steps::short(name);
        format!("{date},{commit},{step},{:.1},{verdict}", elapsed.as_secs_f64())
    });
    let rows: Vec<String> = earlier.lines().skip(1).map(str::to_owned).chain(new).collect();
    let newest = &rows[rows.len().saturating_sub(ROWS_MAX)..];
    std::iter::once(HEAD).chain(newest.iter().map(String::as_str)).map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn outcome(name: &str, milliseconds: u64, verdict: &'static str) -> Outcome {
        Outcome {
            name: name.to_owned(),
            elapsed: Duration::from_millis(milliseconds),
            verdict,
            failure: Vec::new(),
        }
    }

    #[test]
    fn each_step_has_a_row_behind_the_earlier_ones_and_the_oldest_go() {
        let outcomes = [outcome("tests: every crate, and more", 1_240, "ok"), outcome("tidy", 40, "FAILED")];
        let first = with_rows("", "2026-11-26", "abc", &outcomes);
        assert_eq!(
            first,
            "date,commit,step,seconds,verdict\n2026-11-26,abc,tests,1.2,ok\n2026-11-26,abc,tidy,0.0,FAILED\n"
        );
        let mut text = first;
        for _ in 0..ROWS_MAX {
            text = with_rows(&text, "2026-11-27", "def", &outcomes[..1]);
        }
        assert_eq!(text.lines().count(), ROWS_MAX + 1);
        assert!(text.starts_with("date,") && !text.contains("abc"), "{}", &text[..200]);
    }
}
