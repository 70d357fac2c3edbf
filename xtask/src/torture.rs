//! `cargo xtask torture`: builds the tortures of `sim`, and keeps their results where that is asked for.
//!
//! Always: without `--record` no file of the repository changes, so that the results of a run by the way do not end up in
//! somebody's next change.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

/// Where the results of all times are kept.
const RESULTS: &str = "perf/results/torture.csv";

/// Figures done to real processes, and whether the simulation has them as well.
const OF_PROCESSES: [(&str, bool); 5] =
    [("R3", false), ("R4", false), ("R8", true), ("R18", true), ("R20", false)];

/// Has the lines added to the results.
const RECORD: &str = "--record";

/// Runs what the options name, and has it add its lines to the results where they say so. Without a figure it is the
/// simulation.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let (records, options) = split_record(options);
    let code = run_figures(root, &options, records)?;
    if !records {
        println!("not recorded; with {RECORD} the lines are added to {RESULTS}");
    }
    Ok(code)
}

/// Whether the lines are to be kept, and the options of the tortures themselves.
fn split_record<'a>(options: &[&'a str]) -> (bool, Vec<&'a str>) {
    let rest = Vec::from_iter(options.iter().copied().filter(|option| *option != RECORD));
    (rest.len() < options.len(), rest)
}

/// The commit that is checked out, and whether anything but results has changed since.
fn commit(root: &Path) -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git").args(arguments).current_dir(root).output();
        let output = output.context("cannot start git")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let name = git(&["rev-parse", "--short", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--", ".", ":!perf/results"])?;
    Ok(if changes.is_empty() { name } else { format!("{name}-dirty") })
}

fn run_figures(root: &Path, options: &[&str], records: bool) -> Result<ExitCode> {
    let commit = commit(root)?;
    let results = ["--results", RESULTS, "--commit", &commit];
    let results = if records { &results[..] } else { &[] };
    let (histories, schedules) = of_threads(options);
    if histories || schedules {
        let mut succeeded = true;
        if histories {
            let run = ["run", "--package", "sim", "--bin", "concurrency", "--"];
            succeeded &= cargo(root, &run, options, results)?;
        }
        if schedules {
            let run = ["run", "--package", "sim", "--features", "shuttle", "--bin", "schedules", "--"];
            succeeded &= cargo(root, &run, options, results)?;
        }
        return Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let (simulated, real) = layers(options);
    let mut succeeded = true;
    if simulated {
        succeeded &= cargo(root, &["run", "--package", "sim", "--bin", "torture", "--"], options, results)?;
    }
    if real {
        succeeded &= cargo(root, &["build", "--package", "cli", "--bin", "ferry"], &[], &[])?;
        let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
        let ferry = format!("{target}/torture/ferry");
        let run = ["run", "--package", "sim", "--bin", "processes", "--", "--ferry", &ferry];
        succeeded &= cargo(root, &run, options, results)?;
    }
    Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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

/// Whether histories of threads at one queue are meant, and whether threads in chosen schedules.
fn of_threads(options: &[&str]) -> (bool, bool) {
    let id = options.iter().skip_while(|option| **option != "--id").nth(1);
    let mut parts = id.map_or("", |id| *id).split('-');
    match (parts.next(), parts.next()) {
        (Some("R9"), None) => (true, true),
        (Some("R9"), Some(layer)) => (layer != "schedules", layer == "schedules"),
        _ => (false, false),
    }
}

/// Whether the simulation is meant, and whether real processes are.
fn layers(options: &[&str]) -> (bool, bool) {
    let after = |wanted: &str| options.iter().skip_while(|option| **option != wanted).nth(1);
    let Some(id) = after("--id") else { return (true, false) };
    let figure = id.split('-').next().unwrap_or(id);
    let Some((_, both)) = OF_PROCESSES.iter().find(|(name, _)| *name == figure) else { return (true, false) };
    let names_a_layer = figure != *id;
    // A subject or a single case are of the simulation, a layer is of real processes.
    let only_simulated = *both && (after("--subject").is_some() || after("--case").is_some());
    (*both && !names_a_layer, !only_simulated)
}

#[cfg(test)]
mod tests {
    use super::{layers, of_threads, split_record};

    #[test]
    fn results_are_kept_where_that_is_asked_for() {
        for (options, expected) in [
            (&["--id", "R1"][..], (false, vec!["--id", "R1"])),
            (&["--id", "R1", "--record", "--seeds", "9"], (true, vec!["--id", "R1", "--seeds", "9"])),
        ] {
            assert_eq!(split_record(options), expected, "{options:?}");
        }
    }

    #[test]
    fn a_figure_names_its_layers() {
        for (options, expected) in [
            (&[][..], (true, false)),
            (&["--id", "R1"], (true, false)),
            (&["--id", "R3", "--cases", "9"], (false, true)),
            (&["--id", "R3-exact"], (false, true)),
            (&["--id", "R8"], (true, true)),
            (&["--id", "R8-ext4"], (false, true)),
            (&["--id", "R8", "--subject", "engine"], (true, false)),
        ] {
            assert_eq!(layers(options), expected, "{options:?}");
        }
    }

    #[test]
    fn threads_are_a_figure_of_their_own() {
        for (options, expected) in [
            (&[][..], (false, false)),
            (&["--id", "R1"], (false, false)),
            (&["--id", "R9"], (true, true)),
            (&["--cases", "9", "--id", "R9-histories"], (true, false)),
            (&["--id", "R9-schedules-wait-put"], (false, true)),
        ] {
            assert_eq!(of_threads(options), expected, "{options:?}");
        }
    }
}
