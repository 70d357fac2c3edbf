//! `cargo xtask test`: the test suites, then the gates.
//!
//! A gate is a program that judges the whole: a torture run, a run of real processes under `kill -9`.
//! Add one by adding a row to [`GATES`].

use crate::steps::{self, Step};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::ExitCode;

/// A program that ends with success or failure, with what it is given for a full and for a quick run.
struct Gate {
    name: &'static str,
    /// Its proof, in a few words.
    proves: &'static str,
    /// The words of the command, with white space between them.
    command: &'static str,
    /// More words, for a full run and for a quick one.
    full: &'static str,
    quick: &'static str,
}

/// Builds the programs of gates. Built for one gate alone, each would take other features of shared libraries
/// than the next one, and everything were built again.
const PROGRAMS: &str = "cargo build --quiet --profile torture --package sim --package fuzz
    --bin torture --bin concurrency --bin processes --bin fuzz-gate";

/// Every gate, in the order they run.
const GATES: &[Gate] = &[
    Gate {
        name: "torture",
        proves: "nothing acknowledged is lost, torn or doubled, however a simulated machine fails",
        command: "target/torture/torture",
        full: "",
        quick: "--gate quick",
    },
    Gate {
        name: "planted-faults",
        proves: "the judge of histories finds each fault put into the engine on purpose, and none where there is none",
        command: "cargo test --quiet --package sim --package server --features sim/planted,server/planted
            -- planted::",
        full: "",
        quick: "",
    },
    Gate {
        name: "threads",
        proves: "what threads at one queue were told has an order that a queue of a few lines would give",
        command: "target/torture/concurrency",
        full: "",
        quick: "--cases 50",
    },
    Gate {
        name: "models",
        proves: "small parts that threads share without a lock hold in every order of their steps",
        command: "cargo test --quiet --lib
            --package storage --package queue-manager --package transport --package server --package client
            --package callbacks --package agents
            --features storage/loom,queue-manager/loom,transport/loom,server/loom,client/loom,callbacks/loom,agents/loom
            -- models::",
        full: "",
        quick: "",
    },
    Gate {
        name: "schedules",
        proves: "nor does it matter in which order threads take their steps, where two or three of them meet",
        command: "cargo run --quiet --profile torture --package sim --features shuttle --bin schedules --",
        full: "",
        quick: "--cases 1000",
    },
    Gate {
        name: "schedules-tests",
        proves: "schedules chosen one by one find a fault put there on purpose, and the same seed finds it again",
        command: "cargo test --quiet --profile torture --lib --package sim --features shuttle -- schedules::",
        full: "",
        quick: "",
    },
    Gate {
        name: "processes",
        proves: "nor when the program itself is killed, loses its power, its disk space or its line to another, or its clock is set; a killed program leaves nothing",
        // With the program that the tests were run with.
        command: "target/torture/processes --ferry target/debug/ferry",
        full: "",
        quick: "--quick",
    },
    Gate {
        name: "replay",
        proves: "seeds of earlier tortures still do the same each time, in one process as in another",
        command: "target/torture/torture --replay perf/results/torture.csv",
        full: "",
        quick: "--percent 0.1",
    },
    Gate {
        name: "flows",
        proves: "messages and commands enter the source files that ARCHITECTURE.md names, in its order",
        command: "cargo xtask flow --check",
        full: "",
        quick: "",
    },
    Gate {
        name: "compatible",
        proves: "programs of kept releases work with those of this tree, both ways",
        command: "cargo xtask compatible --kept",
        full: "",
        quick: "",
    },
    Gate {
        name: "hostile-bytes",
        proves: "no decoder panics on bytes from outside",
        command: "target/torture/fuzz-gate",
        full: "--seconds 60",
        quick: "--seconds 5",
    },
];

/// Options of the command line.
#[derive(Default)]
pub(crate) struct Options {
    quick: bool,
    list: bool,
    only: Option<String>,
}

impl Options {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match (*argument, arguments.as_slice()) {
                ("--quick", _) => options.quick = true,
                ("--list", _) => options.list = true,
                ("--only", [name, ..]) => {
                    options.only = Some((*name).to_owned());
                    arguments.next();
                }
                ("--only", []) => bail!("--only needs the name of a step; --list shows them"),
                (other, _) => bail!(
                    "`cargo xtask test` does not know \"{other}\"; it takes --quick, --list, --only NAME"
                ),
            }
        }
        Ok(options)
    }
}

/// A step: its name, what it proves, its command line.
type Planned = (&'static str, &'static str, Vec<&'static str>);

/// Runs the steps that were asked for.
pub(crate) fn run(root: &Path, options: &Options) -> Result<ExitCode> {
    let plan = plan(options)?;
    if options.list {
        for (name, proves, command) in plan {
            println!("{name}: {proves}\n    {}", command.join(" "));
        }
        return Ok(ExitCode::SUCCESS);
    }
    Ok(steps::run(steps_of(root, plan)))
}

/// Every step at its full size.
pub(crate) fn steps(root: &Path) -> Result<Vec<Step<'_>>> {
    Ok(steps_of(root, plan(&Options::default())?))
}

fn steps_of(root: &Path, plan: Vec<Planned>) -> Vec<Step<'_>> {
    plan.into_iter()
        .map(|(name, proves, command)| {
            Step::new(format!("{name}: {proves}"), move || steps::program(root, &command, &[]))
        })
        .collect()
}

fn plan(options: &Options) -> Result<Vec<Planned>> {
    let mut plan = vec![
        ("tests", "every crate's own tests", words("cargo test --quiet --no-fail-fast --workspace")),
        ("programs", "those of the gates are built", words(PROGRAMS)),
    ];
    plan.extend(GATES.iter().map(|gate| {
        let sizes = if options.quick { gate.quick } else { gate.full };
        (gate.name, gate.proves, [words(gate.command), words(sizes)].concat())
    }));
    if let Some(only) = &options.only {
        let needs_programs = |command: &[&str]| command[0].starts_with("target/");
        let is_gate_of_programs =
            plan.iter().any(|(name, _, command)| name == only && needs_programs(command));
        plan.retain(|(name, ..)| name == only || (is_gate_of_programs && *name == "programs"));
        if plan.is_empty() {
            bail!("no step is called \"{only}\"; `cargo xtask test --list` shows them");
        }
    }
    Ok(plan)
}

fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_alone_comes_with_the_build_of_its_program_and_no_other_step() {
        let names = |only: &str| -> Vec<&str> {
            let options = Options { only: Some(only.to_owned()), ..Options::default() };
            plan(&options).unwrap().into_iter().map(|(name, ..)| name).collect()
        };
        assert_eq!(names("torture"), ["programs", "torture"]);
        assert_eq!(names("models"), ["models"]);
        assert!(plan(&Options { only: Some("tortures".to_owned()), ..Options::default() }).is_err());
    }
}
