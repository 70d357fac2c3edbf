//! `cargo xtask instructions`: instructions for each operation of the hot paths, compared with those
//! recorded.
//!
//! A count does not depend on how busy the machine is, so that a slowdown shows where clocks only show noise.
//! It says nothing of caches and of waiting; `ferry bench` measures those. Counted by valgrind, which runs
//! the program on a processor of its own: instructions of the program alone, none of the kernel.
//!
//! Always: a tool that is absent is reported as SKIPPED, which is not a pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::steps;

/// File of the recorded counts.
const RECORDED: &str = "perf/instructions.csv";

/// The program that does the operations, built as releases are, and where it is then.
///
/// Without link-time optimisation, what is inlined depends on how a crate is divided into units of code: a
/// function that no put calls, added to its crate, changed the count of a put by 4 %.
const BUILD: &[&str] =
    &["cargo", "build", "--quiet", "--release", "--package", "perf", "--example", "instructions"];
const PROGRAM: &str = "target/release/examples/instructions";

/// Repetitions of the two runs whose difference counts.
const FEW: u64 = 320;
const MANY: u64 = 1_600;

/// Most that a count may be above the recorded one, in percent: what a compiler shuffles without a reason.
const TOLERANCE_PERCENT: f64 = 1.0;

const HEAD: &str = "\
# Instructions for each operation, counted by `cargo xtask instructions --record`; without --record it compares.
operation,instructions
";

/// Counts, and compares or records.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let is_record = match options {
        [] => false,
        ["--record"] => true,
        other => bail!("`cargo xtask instructions` does not know \"{}\"; it takes --record", other.join(" ")),
    };
    if !has_valgrind() {
        println!("SKIPPED: valgrind is not installed (on Debian: apt-get install valgrind)");
        return Ok(ExitCode::SUCCESS);
    }
    // What is inlined in an incremental build depends on the builds before it.
    steps::program(root, BUILD, &[("CARGO_INCREMENTAL", "0")])?;
    let counts = operations(root)?
        .into_iter()
        .map(|name| Ok((name.clone(), count(root, &name)?)))
        .collect::<Result<Vec<_>>>()?;
    if is_record {
        let mut text = HEAD.to_owned();
        for (name, count) in &counts {
            writeln!(text, "{name},{count:.0}")?;
            println!("{name:<16} {count:>9.0}");
        }
        std::fs::write(root.join(RECORDED), text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = std::fs::read_to_string(root.join(RECORDED))
        .with_context(|| format!("cannot read {RECORDED}; --record makes it"))?;
    Ok(if compare(&counts, &recorded(&text)?) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

fn operations(root: &Path) -> Result<Vec<String>> {
    let output = Command::new(root.join(PROGRAM)).arg("list").output().context("cannot start the program")?;
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Instructions for one operation: what many repetitions take beyond few.
fn count(root: &Path, operation: &str) -> Result<f64> {
    let (few, many) = (total(root, operation, FEW)?, total(root, operation, MANY)?);
    Ok(many.saturating_sub(few) as f64 / (MANY - FEW) as f64)
}

fn total(root: &Path, operation: &str, repetitions: u64) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(root.join(PROGRAM))
        .args([operation, &repetitions.to_string()])
        .output()
        .context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{operation} failed under valgrind:\n{said}");
    }
    collected(&said).with_context(|| format!("valgrind does not say what it counted:\n{said}"))
}

/// The number in callgrind's line "Collected : 123".
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

fn recorded(text: &str) -> Result<BTreeMap<String, f64>> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| {
        let (name, count) = line.split_once(',').with_context(|| format!("{RECORDED}: {line}"))?;
        Ok((name.to_owned(), count.parse().with_context(|| format!("{RECORDED}: {line}"))?))
    })
    .collect()
}

/// Prints each operation beside what was recorded; whether all are as good.
fn compare(counts: &[(String, f64)], recorded: &BTreeMap<String, f64>) -> bool {
    println!("{:<16} {:>12} {:>12} {:>9}", "OPERATION", "INSTRUCTIONS", "RECORDED", "CHANGE");
    let mut is_as_good = true;
    for (name, count) in counts {
        let Some(before) = recorded.get(name) else {
            println!("{name:<16} {count:>12.0}  not recorded: cargo xtask instructions --record");
            is_as_good = false;
            continue;
        };
        let change = (count - before) / before * 100.0;
        let verdict = if change > TOLERANCE_PERCENT {
            is_as_good = false;
            "  SLOWER: mend it, or record it and say in the change what it buys"
        } else if change < -TOLERANCE_PERCENT {
            "  faster: record it"
        } else {
            ""
        };
        println!("{name:<16} {count:>12.0} {before:>12.0} {change:>+8.1}%{verdict}");
    }
    is_as_good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_more_than_was_recorded_is_a_failure() {
        let before = recorded("# about\noperation,instructions\nput,1000\nget,500\n").unwrap();
        let counts = |put, get| [("put".to_owned(), put), ("get".to_owned(), get)];
        assert!(compare(&counts(1_009.0, 300.0), &before));
        assert!(!compare(&counts(1_011.0, 500.0), &before), "more than one in a hundred");
        assert!(!compare(&[("new".to_owned(), 1.0)], &before), "an operation that was not recorded");
        assert!(recorded("operation,instructions\nput\n").is_err());
    }

    #[test]
    fn the_count_is_read_from_what_valgrind_says() {
        let said = "==7== \n==7== Events    : Ir\n==7== Collected : 123456\n==7== \n";
        assert_eq!(collected(said), Some(123_456));
        assert_eq!(collected("==7== nothing"), None);
    }
}
