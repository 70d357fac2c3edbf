//! A command that shows a row, and its run.
//!
//! Always: tests are run by the programs that a run of all tests has built; a command of `ferry` runs in a
//! folder of its own, which is removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::dev::without_settings;
use crate::{steps, suites, tools};

/// Time after which a command has failed.
pub(super) const COMMAND_TIME: Duration = Duration::from_secs(120);

/// The exit code of `timeout` for a command that it ended.
const ENDED_BY_TIMEOUT: i32 = 124;

/// Lines of a command that fails which are shown.
const LINES_SHOWN: usize = 20;

/// The test that runs scenarios, and the name in its environment by which it chooses them.
const SCENARIOS: &str = "scenarios::every_scenario_holds_on_the_engine";
const SCENARIO: &str = "FERRY_SCENARIO";

/// A program of tests: a package, and its library (`lib`), its tests from outside (`it`), or a program of it.
type Program = (String, String);

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Tests by their whole names.
    Tests { program: Program, names: Vec<String> },
    /// Scenarios whose file or heading has a text.
    Scenario(String),
    /// A line for bash.
    Line(String),
    /// Another chore of xtask, which has its own time and needs.
    Chore,
}

/// The end of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Shown,
    /// It is run by itself.
    Left,
    /// A tool or a right is missing.
    Skipped(String),
    /// The time that it was given was over, which is less than any command may take.
    Late,
    Failed(String),
}

impl Shown {
    pub(crate) fn parse(command: &str) -> Result<Self> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        Ok(match words[..] {
            ["cargo", "test", "-p", package, "--test", "it", "--", "--exact", ref tests @ ..] => {
                Self::Tests { program: (package.to_owned(), "it".to_owned()), names: names(tests) }
            }
            ["cargo", "test", "-p", package, "--lib", "--", "--exact", ref tests @ ..] => {
                Self::Tests { program: (package.to_owned(), "lib".to_owned()), names: names(tests) }
            }
            ["cargo", "test", "-p", package, "--bin", name, "--", "--exact", ref tests @ ..] => {
                Self::Tests { program: (package.to_owned(), name.to_owned()), names: names(tests) }
            }
            ["cargo", "xtask", "scenario", ..] => {
                let title = command.split_once('"').and_then(|(_, rest)| rest.strip_suffix('"'));
                Self::Scenario(title.with_context(|| format!("no scenario in quotes: {command}"))?.to_owned())
            }
            ["cargo", "xtask", ..] => Self::Chore,
            ["ferry", ..] => Self::Line(command.to_owned()),
            _ => bail!(
                "cannot run \"{command}\": write cargo test -p PACKAGE --test it|--lib|--bin NAME -- --exact NAME..., \
                 cargo xtask scenario \"TEXT\", or a line that begins with ferry"
            ),
        })
    }

    /// The program of tests that it needs.
    fn program(&self) -> Option<Program> {
        match self {
            Self::Tests { program, .. } => Some(program.clone()),
            Self::Scenario(_) => Some(("scenario".to_owned(), "it".to_owned())),
            Self::Line(_) | Self::Chore => None,
        }
    }

    /// Runs it for so long at most.
    pub(crate) fn run(&self, root: &Path, programs: &Programs, time: Duration) -> Result<Outcome> {
        let time = time.min(COMMAND_TIME);
        match self {
            Self::Tests { program, names } => tests(root, programs, program, names, None, time),
            Self::Scenario(title) => {
                let program = ("scenario".to_owned(), "it".to_owned());
                tests(root, programs, &program, &[SCENARIOS.to_owned()], Some(title), time)
            }
            Self::Line(line) => self::line(root, line, time),
            Self::Chore => Ok(Outcome::Left),
        }
    }
}

/// Programs of tests, by package and kind.
#[derive(Debug, Default)]
pub(crate) struct Programs(BTreeMap<Program, PathBuf>);

impl Programs {
    /// Builds what commands need: with the whole workspace as a run of all tests does, whose programs are
    /// there then, or their packages alone.
    pub(crate) fn build<'a>(
        root: &Path,
        commands: impl Iterator<Item = &'a Shown>,
        is_whole: bool,
    ) -> Result<Self> {
        let mut packages = BTreeSet::new();
        for command in commands {
            match command {
                Shown::Line(_) => packages.extend(["cli".to_owned(), "ferry-bench".to_owned()]),
                other => packages.extend(other.program().map(|(package, _)| package)),
            }
        }
        if packages.is_empty() {
            return Ok(Self::default());
        }
        // Those without tests from outside have no target of that name.
        let mut chosen = vec!["--tests"];
        if is_whole {
            chosen.push("--workspace");
        } else {
            chosen.extend(packages.iter().flat_map(|package| ["--package", package]));
        }
        let suites = suites::build(root, &chosen)?.into_iter();
        Ok(Self(suites.map(|suite| ((suite.package, suite.kind), suite.executable)).collect()))
    }
}

/// Runs tests, all of which must be there and pass.
fn tests(
    root: &Path,
    programs: &Programs,
    program: &Program,
    names: &[String],
    scenario: Option<&str>,
    time: Duration,
) -> Result<Outcome> {
    let (package, kind) = program;
    let Some(path) = programs.0.get(program) else { bail!("{package} has no program of tests \"{kind}\"") };
    let mut command = within(time);
    command.arg(path).args(["--exact", "--nocapture"]).args(names);
    command
        .current_dir(root.join("crates").join(package))
        .env("CARGO_MANIFEST_DIR", root.join("crates").join(package));
    command.envs(scenario.map(|scenario| (SCENARIO, scenario)));
    let output = command.output().context("cannot start timeout")?;
    let said = said(&output);
    let passed = said.lines().find_map(passed);
    Ok(match passed {
        _ if is_late(&output, time) => Outcome::Late,
        _ if !output.status.success() => Outcome::Failed(last_lines(&said)),
        Some(passed) if passed == names.len() => skipped(&said).map_or(Outcome::Shown, Outcome::Skipped),
        _ => Outcome::Failed(format!("{} of {} tests ran", passed.unwrap_or(0), names.len())),
    })
}

/// Number of tests that passed, of the line with the result.
fn passed(line: &str) -> Option<usize> {
    line.strip_prefix("test result: ok. ")?.split_once(" passed")?.0.parse().ok()
}

/// Another command that is ended after this time.
fn within(time: Duration) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-k", "5"]).arg(time.as_secs_f64().to_string());
    command
}

/// Says whether a command was ended before the time that any may take.
fn is_late(output: &Output, time: Duration) -> bool {
    time < COMMAND_TIME && output.status.code() == Some(ENDED_BY_TIMEOUT)
}

/// Runs a line of bash beside the programs of the project, in a folder of its own.
fn line(root: &Path, line: &str, time: Duration) -> Result<Outcome> {
    let folder = root.join("target/rows").join(std::process::id().to_string());
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let path = tools::search_path(root);
    let path = format!("{}:{}", root.join("target/debug").display(), path.to_string_lossy());
    let mut command = within(time);
    command.args(["bash", "-e", "-o", "pipefail", "-c", line]);
    without_settings(&mut command);
    let output = command.current_dir(&folder).env("PATH", path).output().context("cannot start timeout")?;
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let said = said(&output);
    if output.status.success() {
        return Ok(Outcome::Shown);
    }
    Ok(if is_late(&output, time) { Outcome::Late } else { Outcome::Failed(last_lines(&said)) })
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// The report of a test that it left something undone.
fn skipped(said: &str) -> Option<String> {
    said.lines().find(|line| steps::reports_skipped(line)).map(str::to_owned)
}

fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n")
}

#[cfg(test)]
mod tests_of_commands {
    use super::*;

    #[test]
    fn each_kind_of_command_is_understood_and_another_is_refused() {
        let tests = Shown::parse("cargo test -p server --test it -- --exact a::b c").unwrap();
        let program = ("server".to_owned(), "it".to_owned());
        assert_eq!(tests, Shown::Tests { program, names: vec!["a::b".to_owned(), "c".to_owned()] });
        assert_eq!(
            Shown::parse("cargo xtask scenario \"A full queue\"").unwrap(),
            Shown::Scenario("A full queue".to_owned())
        );
        let of_program = Shown::parse("cargo test -p cli --bin ferry -- --exact a::b").unwrap();
        let program = ("cli".to_owned(), "ferry".to_owned());
        assert_eq!(of_program, Shown::Tests { program, names: vec!["a::b".to_owned()] });
        assert_eq!(Shown::parse("cargo xtask interop jms").unwrap(), Shown::Chore);
        let line = "ferry bench rr | grep forces";
        assert_eq!(Shown::parse(line).unwrap(), Shown::Line(line.to_owned()));
        for wrong in
            ["cargo test -p server", "cargo test --workspace", "rm -r x", "cargo xtask scenario full"]
        {
            assert!(Shown::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_line_whose_output_lacks_what_it_should_have_fails_and_leaves_nothing_behind() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(
            line(root.path(), "echo forces > a; grep forces a", COMMAND_TIME).unwrap(),
            Outcome::Shown
        );
        for wrong in ["echo rates | grep forces", "false; true", "false | cat", "exit 3"] {
            assert!(matches!(line(root.path(), wrong, COMMAND_TIME).unwrap(), Outcome::Failed(_)), "{wrong}");
        }
        // Where less time was left than a command may take, its end shows nothing.
        let short = Duration::from_millis(50);
        assert_eq!(line(root.path(), "sleep 5", short).unwrap(), Outcome::Late);
        assert!(matches!(line(root.path(), "exit 1", short).unwrap(), Outcome::Failed(_)));
        assert_eq!(fs::read_dir(root.path().join("target/rows")).unwrap().count(), 0);
    }

    #[test]
    fn a_test_that_is_not_run_or_skips_its_work_does_not_count_as_shown() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("crates/some");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("it");
        let program = ("some".to_owned(), "it".to_owned());
        let run = |script: &str| {
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(&path, mode).unwrap();
            let programs = Programs([(program.clone(), path.clone())].into());
            tests(root.path(), &programs, &program, &["a::b".to_owned()], None, COMMAND_TIME).unwrap()
        };
        assert_eq!(run("echo 'test result: ok. 1 passed; 0 failed'"), Outcome::Shown);
        assert_eq!(
            run("echo 'test result: ok. 0 passed; 0 failed'"),
            Outcome::Failed("0 of 1 tests ran".to_owned())
        );
        assert_eq!(
            run("echo 'SKIPPED: it needs root'; echo 'test result: ok. 1 passed; 0 failed'"),
            Outcome::Skipped("SKIPPED: it needs root".to_owned())
        );
        assert!(matches!(run("echo lost; exit 101"), Outcome::Failed(why) if why == "lost"));
    }
}
