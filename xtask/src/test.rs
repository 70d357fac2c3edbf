//! `cargo xtask test`: set-up, the checks, the test suites, then the gates.
//!
//! A gate is a program that judges the whole: a torture run, a run of real processes under `kill -9`.
//! Add one by adding a row to [`GATES`].
//!
//! Always: tests wait much and gates of the simulation compute, so that these run beside those. What has a
//! time of its own to keep runs last, without them.

use crate::steps::{self, Stage, Step, Verdict};
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
    place: Place,
}

/// Where a step stands among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Beside the checks: a build of a folder of its own, so that gates beside the tests find it built.
    BesideChecks,
    /// In the row of the tests.
    AfterTests,
    /// Beside the tests, on the processors that they leave idle. A gate that builds in their folder comes
    /// late, since one build waits for the other.
    BesideTests,
    /// When these have ended: clocks and other programs judge it.
    Last,
    BesideLast,
}

/// Sizes of the gates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Size {
    Quick,
    #[default]
    Full,
    Long,
}

/// Builds programs of gates. Built for one gate alone, each would take other features of shared libraries
/// than the next one, and everything were built again.
struct Build {
    name: &'static str,
    proves: &'static str,
    command: &'static str,
    /// The folder of the programs.
    folder: &'static str,
    place: Place,
}

/// Every build, before the gates at its place.
const BUILDS: &[Build] = &[
    Build {
        name: "programs",
        proves: "those of gates that compute are built and optimised",
        command: "cargo build --quiet --profile torture --package sim --package rigs
            --bin torture --bin concurrency --bin processes",
        folder: "target/torture/",
        place: Place::BesideChecks,
    },
    Build {
        name: "decoders",
        proves: "the program that has all of them is built, from what the tests are built from",
        // The example, which flows take, has crates of others built with the features that tests ask for.
        command: "cargo build --quiet --workspace --bin fuzz-gate --example instructions",
        folder: "target/debug/",
        place: Place::AfterTests,
    },
];

/// Runs each subject in the schedules of 80 seeds. A program that is optimised for it takes longer to build
/// than the tests take to run without. The command has no library: with it, crates of others have the
/// features that the tests have built them with.
const SCHEDULES: &str =
    "test --quiet --lib --package sim --package cli --features sim/shuttle -- schedules::";

/// Every gate, in the order they run at their places.
const GATES: &[Gate] = &[
    Gate {
        name: "torture",
        proves: "nothing acknowledged is lost, torn or doubled, however a simulated machine fails",
        command: "target/torture/torture",
        full: "",
        quick: "--gate quick",
        long: "--minutes 3",
        place: Place::BesideTests,
    },
    Gate {
        name: "planted-faults",
        proves: "the judge of histories finds each fault put into the engine on purpose, and none where there is none",
        // Of all packages, so that crates of others have the features that the tests have built them with.
        command: "cargo test --quiet --workspace --features sim/planted,server/planted --test planted
            -- --skip processes::",
        full: "",
        quick: "",
        long: "",
        place: Place::AfterTests,
    },
    Gate {
        name: "threads",
        proves: "what threads at one queue were told has an order that a queue of a few lines would give",
        command: "target/torture/concurrency",
        full: "",
        quick: "--cases 50",
        long: "--cases 4000",
        place: Place::BesideTests,
    },
    Gate {
        name: "schedules",
        proves: "nor does it matter in which order threads take their steps, where two or three of them meet; and a fault put there on purpose is found",
        command: "cargo",
        full: SCHEDULES,
        quick: SCHEDULES,
        long: "run --quiet --profile torture --package sim --features shuttle --bin schedules -- --cases 100000",
        place: Place::AfterTests,
    },
    Gate {
        name: "bridges",
        proves: "a message that leaves by a bridge arrives once, whichever of the bridge and both queue managers is killed",
        // A workspace of its own, whose programs stand beside those that the tests were run with.
        command: "cargo test --quiet --locked --manifest-path bridges/Cargo.toml --target-dir target",
        full: "",
        quick: "",
        long: "",
        place: Place::AfterTests,
    },
    Gate {
        name: "processes",
        proves: "nor when the program itself is killed, loses its power, its disk space or its line to another, or its clock is set; a killed program leaves nothing",
        // With the program that the tests were run with.
        command: "target/torture/processes --ferry target/debug/ferry",
        full: "",
        quick: "--quick",
        long: "",
        place: Place::Last,
    },
    Gate {
        name: "replay",
        proves: "seeds of earlier tortures still do the same each time, in one process as in another",
        command: "target/torture/torture --replay perf/results/torture.csv",
        full: "",
        quick: "--percent 0.1",
        long: "--percent 10",
        place: Place::BesideTests,
    },
    Gate {
        name: "models",
        proves: "small parts that threads share without a lock hold in every order of their steps",
        // The command has no library, and is there for its features, as in `SCHEDULES`.
        command: "cargo test --quiet --lib --package cli
            --package storage --package queues --package transport --package server --package client
            --package callbacks --package agents
            --features storage/loom,queues/loom,transport/loom,server/loom,client/loom,callbacks/loom,agents/loom
            -- models::",
        full: "",
        quick: "",
        long: "",
        place: Place::BesideTests,
    },
    Gate {
        name: "flows",
        proves: "messages and commands enter the source files that ARCHITECTURE.md names, in its order",
        command: "cargo xtask flow --check",
        full: "",
        quick: "",
        long: "",
        place: Place::AfterTests,
    },
    Gate {
        name: "rows",
        proves: "requirements of published reports are shown by the commands that their rows name",
        command: "cargo xtask rows",
        // Rows that changed. A sample of thirty, three minutes at most, joins them once one was seen whole.
        full: "--sample 0",
        quick: "--sample 0",
        long: "--sample 120",
        place: Place::Last,
    },
    Gate {
        name: "compatible",
        proves: "programs of kept releases work with those of this tree, both ways",
        command: "cargo xtask compatible --kept",
        full: "",
        quick: "",
        long: "",
        place: Place::Last,
    },
    Gate {
        name: "hostile-bytes",
        proves: "no decoder panics on bytes from outside",
        command: "target/debug/fuzz-gate",
        // It runs beside those that wait, so that more time costs none.
        full: "--seconds 100",
        quick: "--seconds 20",
        long: "--seconds 3000",
        place: Place::BesideLast,
    },
];

/// Names of the steps before the gates.
const SET_UP: &str = "set-up";
const TESTS: &str = "tests";

/// Options of the command line.
#[derive(Default)]
pub(crate) struct TestOptions {
    size: Size,
    list: bool,
    /// The steps to run, all where there are none.
    only: Vec<String>,
}

impl TestOptions {
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
    place: Place,
}

/// Runs the steps that were asked for; says last what was left undone and what failed.
pub(crate) fn run(root: &Path, options: &TestOptions) -> Result<ExitCode> {
    let stages = stages(root, options)?;
    if options.list {
        steps_of(&stages).for_each(|step| println!("{}", step.name()));
        return Ok(ExitCode::SUCCESS);
    }
    steps::begin_run();
    let outcomes = steps::run_all(stages);
    if options.size == Size::Full {
        times::keep(root, &outcomes)?;
        println!("the times are in {}", times::TIMES);
    }
    steps::print_left_undone();
    steps::print_failures(&outcomes);
    Ok(steps::exit_code(&outcomes))
}

/// The steps that were asked for, at their places.
fn stages<'a>(root: &'a Path, options: &TestOptions) -> Result<Vec<Stage<'a>>> {
    let mut checks = Stage { row: check::steps(root), beside: Vec::new() };
    let is_asked_for = options.only.iter().any(|name| name == SET_UP);
    if options.is_whole() || is_asked_for {
        // It waits for others' servers; the checks need nothing of it.
        checks.beside.push(Step::new(SET_UP, move || setup::run(root)));
    }
    checks.beside.push(check::spelling(root));
    let (mut tests, mut last) = (Stage::default(), Stage::default());
    let programs = plan(options.size);
    let builds = |build: &Build, name: &String| {
        programs.iter().any(|planned| planned.name == name && planned.command[0].starts_with(build.folder))
    };
    let needed: Vec<&str> = BUILDS
        .iter()
        .filter(|build| options.only.iter().any(|name| builds(build, name)))
        .map(|build| build.name)
        .collect();
    for Planned { name, proves, command, place } in programs {
        let shown = if options.list { format!("\n    {}", command.join(" ")) } else { String::new() };
        let step = Step::new(format!("{name}: {proves}{shown}"), move || program(root, &command));
        let row = match place {
            Place::BesideChecks => &mut checks.beside,
            Place::AfterTests => &mut tests.row,
            Place::BesideTests => &mut tests.beside,
            Place::Last => &mut last.row,
            Place::BesideLast => &mut last.beside,
        };
        row.push(step);
    }
    let mut stages = vec![checks, tests, last];
    let is_known = |name: &str| steps_of(&stages).any(|step| step.short_name() == name);
    if let Some(unknown) = options.only.iter().find(|name| !is_known(name)) {
        bail!("no step is called \"{unknown}\"; `cargo xtask test --list` shows them");
    }
    let is_asked_for = |step: &Step<'_>| {
        let name = step.short_name();
        options.only.is_empty() || options.only.iter().any(|only| only == name) || needed.contains(&name)
    };
    for stage in &mut stages {
        stage.row.retain(is_asked_for);
        stage.beside.retain(is_asked_for);
    }
    Ok(stages)
}

fn steps_of<'s, 'a>(stages: &'s [Stage<'a>]) -> impl Iterator<Item = &'s Step<'a>> {
    stages.iter().flat_map(|stage| stage.row.iter().chain(&stage.beside))
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
    let mut plan = vec![Planned {
        name: TESTS,
        proves: "every crate's own tests",
        command: words("cargo xtask suites"),
        place: Place::AfterTests,
    }];
    plan.extend(BUILDS.iter().map(|build| {
        let Build { name, proves, command, place, .. } = *build;
        Planned { name, proves, command: words(command), place }
    }));
    plan.extend(GATES.iter().map(|gate| {
        let more = match size {
            Size::Quick => gate.quick,
            Size::Full => gate.full,
            Size::Long => gate.long,
        };
        let command = [words(gate.command), words(more)].concat();
        Planned { name: gate.name, proves: gate.proves, command, place: gate.place }
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
        let stages = stages(root, &TestOptions::parse(arguments)?)?;
        Ok(steps_of(&stages).map(|step| step.short_name().to_owned()).collect())
    }

    #[test]
    fn a_gate_alone_comes_with_the_build_of_its_program_and_no_other_step() {
        assert_eq!(names(&["--only", "torture"]).unwrap(), ["programs", "torture"]);
        assert_eq!(names(&["--only", "hostile-bytes"]).unwrap(), ["decoders", "hostile-bytes"]);
        assert_eq!(names(&["--only", "models", "tidy"]).unwrap(), ["tidy", "models"]);
        assert_eq!(names(&["--only", "models", "--quick"]).unwrap(), ["models"]);
        assert_eq!(names(&["--only", "set-up", "tidy"]).unwrap(), ["tidy", "set-up"]);
        assert!(names(&["--only", "models", "tortures"]).is_err());
        assert!(names(&["--only", "--quick"]).is_err());
        assert!(names(&["--small"]).is_err());
    }

    #[test]
    fn a_whole_run_sets_up_checks_tests_and_judges_and_a_quick_one_does_without_set_up() {
        let whole = names(&[]).unwrap();
        let mut quick = names(&["--quick"]).unwrap();
        assert!(!quick.iter().any(|step| step == "set-up"));
        quick.insert(whole.iter().position(|step| step == "set-up").unwrap(), "set-up".to_owned());
        assert_eq!(quick, whole);
        assert_eq!(names(&["--long"]).unwrap(), whole);
    }

    #[test]
    fn gates_of_a_program_run_once_it_is_built_and_those_that_clocks_judge_with_no_test_beside_them() {
        let stages = stages(Path::new("/"), &TestOptions::default()).unwrap();
        let names =
            |row: &[Step<'_>]| row.iter().map(|step| step.short_name().to_owned()).collect::<Vec<_>>();
        let [checks, tests, last] = &*stages else { panic!("there are three stages") };
        assert_eq!(
            (&*names(&checks.row)[3], &*names(&checks.beside)),
            ("lint", &["set-up", "spelling", "programs"].map(str::to_owned)[..])
        );
        assert_eq!((&*names(&tests.row)[0], &*names(&tests.beside)[0]), ("tests", "torture"));
        assert!(names(&last.row).contains(&"processes".to_owned()));
        // A program that is not built yet would be one of an earlier commit.
        for planned in plan(Size::Full) {
            let build = BUILDS.iter().find(|build| planned.command[0].starts_with(build.folder));
            let is_later = |build: &Build| {
                matches!(planned.place, Place::Last | Place::BesideLast)
                    || build.place == Place::BesideChecks
                    || planned.place == build.place
            };
            assert!(build.is_none_or(is_later), "{}", planned.name);
        }
    }
}
