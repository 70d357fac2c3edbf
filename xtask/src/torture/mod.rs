//! `cargo xtask torture`: builds the tortures of `sim` and `rigs`, and keeps their results where that is
//! asked for.
//!
//! Always: without `--record` no file of the repository changes, so that the results of a run by the way do
//! not end up in somebody's next change.

mod options;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use options::{Asked, Program, Request};

/// Where the results of all times are kept.
const RESULTS: &str = "perf/results/torture.csv";

/// Figures done to real processes, and whether the simulation has them as well.
const OF_PROCESSES: [(&str, bool); 24] = [
    ("M2", false),
    ("O2", false),
    ("R3", false),
    ("R4", false),
    ("R8", true),
    ("R13", false),
    ("R14", false),
    ("R15", false),
    ("R16", false),
    ("R17", false),
    ("R18", true),
    ("R19", false),
    ("R20", false),
    ("S3", false),
    ("S4", false),
    ("S5", false),
    ("S6", false),
    ("S7", false),
    ("S8", false),
    ("S9", false),
    ("S10", false),
    ("S12", false),
    ("S13", false),
    ("S16", false),
];

/// Runs what the words name, and has it add its lines to the results where they say so. Without a figure it
/// is the simulation.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<ExitCode> {
    let asked = match Request::read(words)? {
        Request::Help => {
            print!("{}", options::help());
            return Ok(ExitCode::SUCCESS);
        }
        Request::Run(asked) => asked,
    };
    let code = run_figures(root, &asked)?;
    if !asked.records {
        println!("not recorded; with --record the lines are added to {RESULTS}");
    }
    Ok(code)
}

fn run_figures(root: &Path, asked: &Asked<'_>) -> Result<ExitCode> {
    let programs = programs(asked);
    let options = asked.words(&programs)?;
    let commit = crate::results::commit(root)?;
    let results = ["--results", RESULTS, "--commit", &commit];
    let results = if asked.records { &results[..] } else { &[] };
    let mut succeeded = true;
    for program in programs {
        let ferry = ferry();
        let run: &[&str] = match program {
            Program::Simulation => &["run", "--package", "sim", "--bin", "torture", "--"],
            Program::Histories => &["run", "--package", "sim", "--bin", "concurrency", "--"],
            Program::Schedules => {
                &["run", "--package", "sim", "--features", "shuttle", "--bin", "schedules", "--"]
            }
            Program::Processes => {
                // The library is what programs in C load.
                for build in [
                    ["build", "--package", "cli", "--bin", "ferry"].as_slice(),
                    &["build", "--package", "capi", "--lib"],
                ] {
                    anyhow::ensure!(
                        cargo(root, build, &[], &[])?,
                        "cargo {} failed; nothing was run",
                        build.join(" ")
                    );
                }
                &["run", "--package", "rigs", "--bin", "processes", "--", "--ferry", &ferry]
            }
        };
        succeeded &= cargo(root, run, &options, results)?;
    }
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where the program that is tortured is built.
fn ferry() -> String {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    format!("{target}/torture/ferry")
}

fn cargo(root: &Path, what: &[&str], options: &[&str], results: &[&str]) -> Result<bool> {
    let (verb, rest) = what.split_first().context("no verb")?;
    let status = Command::new("cargo")
        .args([verb, "--quiet", "--profile", "torture"])
        .args(rest)
        .args(options)
        .args(results)
        .current_dir(root)
        .status()
        .context("cannot start cargo")?;
    Ok(status.success())
}

/// Chooses the programs that do the run.
fn programs(asked: &Asked<'_>) -> Vec<Program> {
    let Some(id) = asked.value("--id") else { return vec![Program::Simulation] };
    let (figure, layer) = id.split_once('-').map_or((id, None), |(figure, layer)| (figure, Some(layer)));
    if figure == "R9" {
        return match layer {
            None => vec![Program::Histories, Program::Schedules],
            Some(layer) if layer.starts_with("schedules") => vec![Program::Schedules],
            Some(_) => vec![Program::Histories],
        };
    }
    if figure == "R11" {
        return match layer {
            None => vec![Program::Simulation, Program::Processes],
            Some("restore") => vec![Program::Simulation],
            Some(_) => vec![Program::Processes],
        };
    }
    let Some((_, both)) = OF_PROCESSES.iter().find(|(name, _)| *name == figure) else {
        return vec![Program::Simulation];
    };
    // A subject or a single case are of the simulation, a layer is of real processes.
    let only_simulated = asked.value("--subject").is_some() || asked.value("--case").is_some();
    match (*both && layer.is_none(), only_simulated) {
        (true, true) => vec![Program::Simulation],
        (true, false) => vec![Program::Simulation, Program::Processes],
        (false, _) => vec![Program::Processes],
    }
}

#[cfg(test)]
mod tests {
    use super::Program::{Histories, Processes, Schedules, Simulation};
    use super::{Request, programs};

    #[test]
    fn a_figure_names_its_programs() {
        for (words, expected) in [
            (&[][..], &[Simulation][..]),
            (&["--id", "R1"], &[Simulation]),
            (&["--id", "R3", "--cases", "9"], &[Processes]),
            (&["--id", "R3-exact"], &[Processes]),
            (&["--id", "R8"], &[Simulation, Processes]),
            (&["--id=R8-ext4"], &[Processes]),
            (&["--id", "R13", "--cases", "9"], &[Processes]),
            (&["--id", "O2"], &[Processes]),
            (&["--id", "S4-shipped"], &[Processes]),
            (&["--id", "R8", "--subject", "engine"], &[Simulation]),
            (&["--id", "R9"], &[Histories, Schedules]),
            (&["--id", "R11"], &[Simulation, Processes]),
            (&["--id", "R11-restore", "--seeds", "9"], &[Simulation]),
            (&["--id", "R11-chain"], &[Processes]),
            (&["--cases", "9", "--id", "R9-histories"], &[Histories]),
            (&["--id", "R9-schedules-wait-put"], &[Schedules]),
        ] {
            let Ok(Request::Run(asked)) = Request::read(words) else { panic!("{words:?} is a run") };
            assert_eq!(programs(&asked), expected, "{words:?}");
        }
    }
}
