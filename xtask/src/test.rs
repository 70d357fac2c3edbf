//! `cargo xtask test`: set-up, the checks, the test suites, then the gates.
//!
//! A gate is a program that judges the whole: a torture run, a run of real processes under `kill -9`.
//! Add one by adding a row to [`GATES`].

use crate::steps::{self, Step, Verdict};
use crate::{check, setup, times};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::ExitCode;

/// A program that ends with success or failure, with the size of its work for a run.
struct Gate {
    name: &'static str,
    /// Its proof, in a few words.
    proves: &'static str,
    /// The words of the command, with white space between them.
    command: &'static str,
    /// More words, for a run that a change must pass, for a quick one, and for a long one, a night's.
    full: &'static str,
    quick: &'static str,
    long: &'static str,
}

/// Sizes of the gates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Size {
    Quick,
    #[default]
    Full,
    Long,
}

/// Builds the programs of gates. Built for one gate alone, each would take other features of shared libraries
/// than the next one, and everything were built again.
const PROGRAMS: &str = "cargo build --quiet --profile torture --package sim --package rigs --package fuzz
    --bin torture --bin concurrency --bin processes --bin fuzz-gate";

/// Every gate, in the order they run.
const GATES: &[Gate] = &[
    Gate {
        name: "torture",
        proves: "nothing acknowledged is lost, torn or doubled, however a simulated machine fails",
        command: "target/torture/torture",
        full: "",
        quick: "--gate quick",
        long: "--minutes 3",
    },
    Gate {
        name: "planted-faults",
        proves: "the judge of histories finds each fault put into the engine on purpose, and none where there is none",
        // The libraries and the integration binaries have them all; programs and examples have none.
        command: "cargo test --quiet --package sim --package server --features sim/planted,server/planted
            --lib --test it -- planted::",
        full: "",
        quick: "",
        long: "",
    },
    Gate {
        name: "threads",
        proves: "what threads at one queue were told has an order that a queue of a few lines would give",
        command: "target/torture/concurrency",
        full: "",
        quick: "--cases 50",
        long: "--cases 4000",
    },
    Gate {
        name: "models",
        proves: "small parts that threads share without a lock hold in every order of their steps",
        command: "cargo test --quiet --lib
            --package storage --package queues --package transport --package server --package client
            --package callbacks --package agents
            --features storage/loom,queues/loom,transport/loom,server/loom,client/loom,callbacks/loom,agents/loom
            -- models::",
        full: "",
        quick: "",
        long: "",
    },
    Gate {
        name: "schedules",
        proves: "nor does it matter in which order threads take their steps, where two or three of them meet",
        command: "cargo run --quiet --profile torture --package sim --features shuttle --bin schedules --",
        full: "--cases 1500",
        quick: "--cases 1000",
        long: "--cases 100000",
    },
    Gate {
        name: "schedules-tests",
        proves: "schedules chosen one by one find a fault put there on purpose, and the same seed finds it again",
        command: "cargo test --quiet --profile torture --lib --package sim --features shuttle -- schedules::",
        full: "",
        quick: "",
        long: "",
    },
    Gate {
        name: "processes",
        proves: "nor when the program itself is killed, loses its power, its disk space or its line to another, or its clock is set; a killed program leaves nothing",
        // With the program that the tests were run with.
        command: "target/torture/processes --ferry target/debug/ferry",
        full: "",
        quick: "--quick",
        long: "",
    },
    Gate {
        name: "replay",
        proves: "seeds of earlier tortures still do the same each time, in one process as in another",
        command: "target/torture/torture --replay perf/results/torture.csv",
        full: "",
        quick: "--percent 0.1",
        long: "--percent 10",
    },
    Gate {
        name: "flows",
        proves: "messages and commands enter the source files that ARCHITECTURE.md names, in its order",
        command: "cargo xtask flow --check",
        full: "",
        quick: "",
        long: "",
    },
    Gate {
        name: "rows",
        proves: "requirements of published reports are shown by the commands that their rows name",
        command: "cargo xtask rows",
        // Rows that changed. A sample of thirty, three minutes at most, joins them once one was seen whole.
        full: "--sample 0",
        quick: "--sample 0",
        long: "--sample 120",
    },
    Gate {
        name: "compatible",
        proves: "programs of kept releases work with those of this tree, both ways",
        command: "cargo xtask compatible --kept",
        full: "",
        quick: "",
        long: "",
    },
    Gate {
        name: "hostile-bytes",
        proves: "no decoder panics on bytes from outside",
        command: "target/torture/fuzz-gate",
        full: "--seconds 20",
        quick: "--seconds 5",
        long: "--seconds 600",
    },
];

/// Names of the steps before the gates.
const SET_UP: &str = "set-up";
const TESTS: &str = "tests";
const BUILD: &str = "programs";

/// Options of the command line.
#[derive(Default)]
pub(crate) struct Options {
    size: Size,
    list: bool,
    /// The steps to run, all where there are none.
    only: Vec<String>,
}

impl Options {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match *argument {
                "--quick" => options.size = Size::Quick,
                "--long" => options.size = Size::Long,
                "--list" => options.list = true,
                "--only" => {
                    let names =
                        arguments.as_slice().iter().take_while(|name| !name.starts_with("--")).count();
                    options.only.extend(arguments.by_ref().take(names).map(ToString::to_string));
                    if options.only.is_empty() {
                        bail!("--only needs names of steps; --list shows them");
                    }
                }
                other => bail!(
                    "`cargo xtask test` does not know \"{other}\"; it takes --quick, --long, --list, --only NAME..."
                ),
            }
        }
        Ok(options)
    }

    fn is_whole(&self) -> bool {
        self.size != Size::Quick && self.only.is_empty()
    }
}

/// A step that runs a program: its name, its proof, its command line.
struct Planned {
    name: &'static str,
    proves: &'static str,
    command: Vec<&'static str>,
}

/// Runs the steps that were asked for; says last what was left undone and what failed.
pub(crate) fn run(root: &Path, options: &Options) -> Result<ExitCode> {
    let steps = steps(root, options)?;
    if options.list {
        steps.iter().for_each(|step| println!("{}", step.name()));
        return Ok(ExitCode::SUCCESS);
    }
    steps::begin_run();
    let outcomes = steps::run_all(steps);
    if options.size == Size::Full {
        times::keep(root, &outcomes)?;
        println!("the times are in {}", times::TIMES);
    }
    steps::print_left_undone();
    steps::print_failures(&outcomes);
    Ok(steps::exit_code(&outcomes))
}

/// The steps that were asked for, in their order.
fn steps<'a>(root: &'a Path, options: &Options) -> Result<Vec<Step<'a>>> {
    let mut steps = Vec::new();
    let is_asked_for = options.only.iter().any(|name| name == SET_UP);
    if options.is_whole() || is_asked_for {
        steps.push(Step::new(SET_UP, move || setup::run(root)));
    }
    steps.extend(check::steps(root));
    let programs = plan(options.size);
    let is_of_programs = |name: &String| {
        programs.iter().any(|planned| planned.name == name && planned.command[0].starts_with("target/"))
    };
    let needs_build = options.only.iter().any(is_of_programs);
    for Planned { name, proves, command } in programs {
        let shown = if options.list { format!("\n    {}", command.join(" ")) } else { String::new() };
        steps.push(Step::new(format!("{name}: {proves}{shown}"), move || program(root, &command)));
    }
    let is_known = |name: &str| steps.iter().any(|step| step.short_name() == name);
    if let Some(unknown) = options.only.iter().find(|name| !is_known(name)) {
        bail!("no step is called \"{unknown}\"; `cargo xtask test --list` shows them");
    }
    let is_asked_for = |step: &Step<'_>| {
        let name = step.short_name();
        options.only.iter().any(|only| only == name) || needs_build && name == BUILD
    };
    steps.retain(|step| options.only.is_empty() || is_asked_for(step));
    Ok(steps)
}

/// Runs the program of a step. A chore of this program is run by it as it is, not built again.
fn program(root: &Path, command: &[&str]) -> Result<Verdict> {
    let ["cargo", "xtask", chore @ ..] = command else {
        return steps::program(root, command, &[]);
    };
    let this = std::env::current_exe().context("this program has no path")?;
    let this = this.to_str().context("the path of this program is no text")?;
    steps::program(root, &[&[this], chore].concat(), &[])
}

/// The tests, the build of programs, and the gates.
fn plan(size: Size) -> Vec<Planned> {
    let mut plan = vec![
        Planned { name: TESTS, proves: "every crate's own tests", command: words("cargo xtask suites") },
        Planned { name: BUILD, proves: "those of the gates are built", command: words(PROGRAMS) },
    ];
    plan.extend(GATES.iter().map(|gate| {
        let more = match size {
            Size::Quick => gate.quick,
            Size::Full => gate.full,
            Size::Long => gate.long,
        };
        let command = [words(gate.command), words(more)].concat();
        Planned { name: gate.name, proves: gate.proves, command }
    }));
    plan
}

fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Result<Vec<String>> {
        let root = Path::new("/");
        let steps = steps(root, &Options::parse(arguments)?)?;
        Ok(steps.iter().map(|step| step.short_name().to_owned()).collect())
    }

    #[test]
    fn a_gate_alone_comes_with_the_build_of_its_program_and_no_other_step() {
        assert_eq!(names(&["--only", "torture"]).unwrap(), ["programs", "torture"]);
        assert_eq!(names(&["--only", "models", "tidy"]).unwrap(), ["tidy", "models"]);
        assert_eq!(names(&["--only", "models", "--quick"]).unwrap(), ["models"]);
        assert_eq!(names(&["--only", "set-up", "tidy"]).unwrap(), ["set-up", "tidy"]);
        assert!(names(&["--only", "models", "tortures"]).is_err());
        assert!(names(&["--only", "--quick"]).is_err());
        assert!(names(&["--small"]).is_err());
    }

    #[test]
    fn a_whole_run_sets_up_checks_tests_and_judges_and_a_quick_one_does_without_set_up() {
        let whole = names(&[]).unwrap();
        let place = |name: &str| whole.iter().position(|step| step == name).unwrap();
        let order = ["set-up", "format", "lint", "tests", "programs", "torture", "flows", "hostile-bytes"];
        assert!(order.map(place).is_sorted(), "{whole:?}");
        assert_eq!(names(&["--quick"]).unwrap(), whole[1..]);
        assert_eq!(names(&["--long"]).unwrap(), whole);
    }
}
