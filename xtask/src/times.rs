//! The times of the steps of whole runs, kept in `perf/results/ci.csv`.
//!
//! Always: a row is kept for each step that ran, failed ones too.

use crate::results;
use crate::steps::{self, Outcome};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// The file, one row for each step.
pub(crate) const TIMES: &str = "perf/results/ci.csv";

/// Seconds by the clock, and seconds of processors, which other work on the machine changes less.
const HEAD: &str = "date,commit,step,seconds,verdict,processor";

/// Rows kept, the newest: some fifty runs.
const ROWS_MAX: usize = 1_000;

/// Adds rows for the steps of a run.
pub(crate) fn keep(root: &Path, outcomes: &[Outcome]) -> Result<()> {
    let (date, commit) = (today()?, results::commit(root)?);
    let path = root.join(TIMES);
    let earlier = std::fs::read_to_string(&path).unwrap_or_default();
    let text = with_rows(&earlier, &date, &commit, outcomes);
    std::fs::write(&path, text).with_context(|| format!("cannot write {TIMES}"))
}

fn today() -> Result<String> {
    let output = Command::new("date").args(["-u", "+%F"]).output().context("cannot start date")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The rows so far and these, without the oldest where they are too many.
fn with_rows(earlier: &str, date: &str, commit: &str, outcomes: &[Outcome]) -> String {
    let new = outcomes.iter().map(|Outcome { name, elapsed, processor, verdict, .. }| {
        let (step, seconds, processor) = (steps::short(name), elapsed.as_secs_f64(), processor.as_secs_f64());
        format!("{date},{commit},{step},{seconds:.1},{verdict},{processor:.1}")
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
            processor: Duration::from_millis(2 * milliseconds),
            verdict,
            failure: Vec::new(),
        }
    }

    #[test]
    fn each_step_has_a_row_behind_the_earlier_ones_and_the_oldest_go() {
        let outcomes = [outcome("tests: every crate, and more", 1_240, "ok"), outcome("tidy", 40, "FAILED")];
        let earlier = "date,commit,step,seconds,verdict\n2026-11-25,aaa,tidy,0.1,ok\n";
        let first = with_rows(earlier, "2026-11-26", "abc", &outcomes);
        assert_eq!(
            first,
            "date,commit,step,seconds,verdict,processor\n2026-11-25,aaa,tidy,0.1,ok\n2026-11-26,abc,tests,1.2,ok,2.5\n\
             2026-11-26,abc,tidy,0.0,FAILED,0.1\n"
        );
        let mut text = first;
        for _ in 0..ROWS_MAX {
            text = with_rows(&text, "2026-11-27", "def", &outcomes[..1]);
        }
        assert_eq!(text.lines().count(), ROWS_MAX + 1);
        assert!(text.starts_with("date,") && !text.contains("abc"), "{}", &text[..200]);
    }
}
