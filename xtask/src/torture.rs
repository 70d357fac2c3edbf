//! `cargo xtask torture`: builds the tortures of `sim` and keeps their results.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

/// Where the results of all times are kept.
const RESULTS: &str = "perf/results/torture.csv";

/// Figures done to real processes, and whether the simulation has them as well.
const OF_PROCESSES: [(&str, bool); 5] =
    [("R3", false), ("R4", false), ("R8", true), ("R18", true), ("R20", false)];

/// Runs what the options name and has it add its lines to the results. Without a figure it is the simulation.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<ExitCode> {
    let commit = Command::new("git")
        .args(["describe", "--always", "--dirty", "--exclude=*"])
        .current_dir(root)
        .output()
        .context("cannot start git")?;
    let commit = String::from_utf8_lossy(&commit.stdout).trim().to_owned();
    let results = ["--results", RESULTS, "--commit", &commit];
    let (histories, schedules) = of_threads(options);
    if histories || schedules {
        let mut succeeded = true;
        if histories {
            let run = ["run", "--package", "sim", "--bin", "concurrency", "--"];
            succeeded &= cargo(root, &run, options, &results)?;
        }
        if schedules {
            let run = ["run", "--package", "sim", "--features", "shuttle", "--bin", "schedules", "--"];
            succeeded &= cargo(root, &run, options, &results)?;
        }
        return Ok(if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let (simulated, real) = layers(options);
    let mut succeeded = true;
    if simulated {
        succeeded &= cargo(root, &["run", "--package", "sim", "--bin", "torture", "--"], options, &results)?;
    }
    if real {
        succeeded &= cargo(root, &["build", "--package", "cli", "--bin", "ferry"], &[], &[])?;
        let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
        let ferry = format!("{target}/torture/ferry");
        let run = ["run", "--package", "sim", "--bin", "processes", "--", "--ferry", &ferry];
        succeeded &= cargo(root, &run, options, &results)?;
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
    use super::{layers, of_threads};

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
