//! `cargo xtask rows`: runs the commands that show requirements of published reports.
//!
//! Lives here: which rows are run, and the bound on their time. Lives elsewhere: running a command (`shown`),
//! the names of its tests (`tidy`), rows and their form (`perf::requirements`, printed by `ferry report
//! rows`).
//!
//! Always: a row that changed is run to its end; one of the sample that no time is left for is reported as
//! SKIPPED, which is not a pass.

pub(crate) mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::steps;
use crate::tidy::sample;
use shown::{COMMAND_TIME, Outcome, Programs, Shown};

/// The file of the rows.
pub(crate) const FILE: &str = "perf/requirements.toml";

/// Rows of one sample, and the time after which none of them goes on.
const SAMPLE_ROWS: usize = 30;
const SAMPLE_TIME: Duration = Duration::from_secs(180);

/// The part of a row that is needed to run it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) state: String,
    #[serde(default)]
    pub(crate) shown: Vec<String>,
    /// Everything else, by which a change is noticed.
    #[serde(flatten)]
    rest: toml::Table,
}

#[derive(Deserialize)]
struct Table {
    row: Vec<Row>,
}

pub(crate) fn read(text: &str) -> Result<Vec<Row>> {
    let table: Table = toml::from_str(text).with_context(|| format!("cannot read {FILE}"))?;
    Ok(table.row)
}

/// Rows that are asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct RowsOptions {
    sample: Option<usize>,
    seed: Option<u64>,
    is_all: bool,
    named: BTreeSet<String>,
}

impl RowsOptions {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().and_then(|value| value.parse::<u64>().ok());
                value.with_context(|| format!("{argument} needs a whole number"))
            };
            match *argument {
                "--all" => options.is_all = true,
                "--sample" => options.sample = Some(number()?.try_into()?),
                "--seed" => options.seed = Some(number()?),
                name if name.starts_with('S') => {
                    options.named.insert(name.to_owned());
                }
                other => bail!(
                    "`cargo xtask rows` does not know \"{other}\"; it takes --sample ROWS, --seed NUMBER, --all, or rows such as S1-01"
                ),
            }
        }
        Ok(options)
    }
}

/// Runs the commands of rows.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let options = RowsOptions::parse(arguments)?;
    let rows = read(&std::fs::read_to_string(root.join(FILE))?)?;
    if let Some(unknown) = options.named.iter().find(|id| !rows.iter().any(|row| row.id == **id)) {
        bail!("there is no row {unknown}; `ferry report rows` shows them");
    }
    let plan = Plan::new(root, &options, rows)?;
    let rows: Vec<&Row> = plan.needed.iter().chain(&plan.sample).collect();
    let commands: BTreeSet<&str> = rows.iter().flat_map(|row| &row.shown).map(String::as_str).collect();
    let parsed = commands.iter().map(|command| Ok((*command, Shown::parse(command)?)));
    let parsed: BTreeMap<&str, Shown> = parsed.collect::<Result<_>>()?;
    let programs = Programs::build(root, parsed.values(), options.named.is_empty())?;
    Run { root, programs, parsed, done: BTreeMap::new() }.all(&plan)
}

/// Rows to run: those that must be, and a sample of the others.
#[derive(Debug, Default)]
struct Plan {
    needed: Vec<Row>,
    sample: Vec<Row>,
}

impl Plan {
    fn new(root: &Path, options: &RowsOptions, mut rows: Vec<Row>) -> Result<Self> {
        rows.retain(|row| !row.shown.is_empty());
        if options.is_all || !options.named.is_empty() {
            rows.retain(|row| options.is_all || options.named.contains(&row.id));
            return Ok(Self { needed: rows, sample: Vec::new() });
        }
        let before = earlier(root)?;
        let (needed, others) = changed(rows, before.as_deref());
        let seed = options.seed.map_or_else(|| seed_of_commit(root), Ok)?;
        let count = options.sample.unwrap_or(SAMPLE_ROWS);
        let places = sample::chosen(others.len(), count, seed);
        let sample: Vec<Row> = places.into_iter().map(|place| others[place].clone()).collect();
        println!("{} rows that changed, {} of the others by --seed {seed}", needed.len(), sample.len());
        Ok(Self { needed, sample })
    }
}

/// The rows that differ from what was before, and the others. Where there was no file, none changed.
fn changed(rows: Vec<Row>, before: Option<&[Row]>) -> (Vec<Row>, Vec<Row>) {
    rows.into_iter().partition(|row| before.is_some_and(|before| !before.contains(row)))
}

/// The rows of the commit with which changes are compared: where this branch left the main branch, or the
/// commit before on the main branch itself.
fn earlier(root: &Path) -> Result<Option<Vec<Row>>> {
    let Ok(head) = git(root, &["rev-parse", "HEAD"]) else { return Ok(None) };
    let base = git(root, &["merge-base", "HEAD", "main"]).unwrap_or_else(|_| head.clone());
    let base = if base == head { "HEAD^".to_owned() } else { base };
    let Ok(text) = git(root, &["show", &format!("{base}:{FILE}")]) else { return Ok(None) };
    read(&text).map(Some)
}

/// A number that another commit has another of, so that runs of commits take all rows in time.
fn seed_of_commit(root: &Path) -> Result<u64> {
    let head = git(root, &["rev-parse", "HEAD"])?;
    let digits = head.get(..8).context("git names no commit")?;
    Ok(u64::from_str_radix(digits, 16)?)
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output =
        Command::new("git").args(arguments).current_dir(root).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Commands that are run, each once.
struct Run<'a> {
    root: &'a Path,
    programs: Programs,
    parsed: BTreeMap<&'a str, Shown>,
    done: BTreeMap<&'a str, Outcome>,
}

impl<'a> Run<'a> {
    fn all(mut self, plan: &'a Plan) -> Result<ExitCode> {
        let mut failed = Vec::new();
        for row in &plan.needed {
            failed.extend(self.row(row, None)?.is_failed.then(|| row.id.clone()));
        }
        let until = Instant::now() + SAMPLE_TIME;
        let mut left = Vec::new();
        for row in &plan.sample {
            let end = self.row(row, Some(until))?;
            failed.extend(end.is_failed.then(|| row.id.clone()));
            left.extend(end.is_late.then_some(row.id.as_str()));
        }
        if !left.is_empty() {
            steps::say_skipped(&format!("rows that no time was left for: {}", left.join(" ")));
        }
        if failed.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        println!("FAILED rows: {}; give each another state, or mend what shows it", failed.join(" "));
        Ok(ExitCode::FAILURE)
    }

    /// Runs the commands of a row, none beyond this moment.
    fn row(&mut self, row: &'a Row, until: Option<Instant>) -> Result<End> {
        let begun = Instant::now();
        let mut end = End::default();
        for command in &row.shown {
            let outcome = match self.done.get(command.as_str()) {
                Some(outcome) => outcome.clone(),
                None => {
                    let time =
                        until.map_or(COMMAND_TIME, |until| until.saturating_duration_since(Instant::now()));
                    self.begin(command, time)?
                }
            };
            match &outcome {
                Outcome::Shown => {}
                Outcome::Left => println!("{}: left to itself: {command}", row.id),
                Outcome::Skipped(why) => steps::say_skipped(&format!("row {}: {why}", row.id)),
                Outcome::Late => end.is_late = true,
                Outcome::Failed(why) => {
                    end.is_failed = true;
                    println!("FAILED {}: {command}\n{why}", row.id);
                }
            }
            self.done.insert(command, outcome);
        }
        let verdict = match (end.is_failed, end.is_late) {
            (true, _) => "FAILED",
            (false, true) => "left undone",
            (false, false) => "ok",
        };
        println!("{} {} {verdict} after {:.1} s", row.id, row.state, begun.elapsed().as_secs_f64());
        Ok(end)
    }

    /// Runs a command if there is time for it.
    fn begin(&self, command: &str, time: Duration) -> Result<Outcome> {
        if time.is_zero() {
            return Ok(Outcome::Late);
        }
        self.parsed[command].run(self.root, &self.programs, time)
    }
}

/// The end of a row.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    is_failed: bool,
    /// A command was not run to its end for want of time.
    is_late: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, state: &str, command: &str) -> Row {
        let text =
            format!("[[row]]\nid = \"{id}\"\nstate = \"{state}\"\nasks = \"all\"\nshown = [\"{command}\"]");
        read(&text).unwrap().remove(0)
    }

    #[test]
    fn a_row_whose_state_words_or_commands_differ_has_changed() {
        let before = [
            row("S1-01", "works", "ferry a"),
            row("S1-02", "part", "ferry b"),
            row("S1-03", "works", "ferry c"),
        ];
        let mut reworded = row("S1-03", "works", "ferry c");
        reworded.rest.insert("asks".to_owned(), "more".into());
        let rows = vec![row("S1-01", "works", "ferry a"), row("S1-02", "works", "ferry b"), reworded];
        let (needed, others) = changed(rows.clone(), Some(&before));
        let ids = |rows: &[Row]| rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
        assert_eq!(
            (ids(&needed), ids(&others)),
            (vec!["S1-02".into(), "S1-03".into()], vec!["S1-01".into()])
        );
        assert_eq!(changed(rows, None).0, [], "where there was no file none has changed");
    }

    #[test]
    fn what_is_no_option_is_refused() {
        let options = RowsOptions::parse(&["--sample", "3", "--seed", "7"]).unwrap();
        assert_eq!((options.sample, options.seed), (Some(3), Some(7)));
        assert_eq!(RowsOptions::parse(&["S1-01", "S1-01"]).unwrap().named.len(), 1);
        for wrong in [&["--sample"][..], &["--seed", "x"], &["--sample", "-1"], &["rows"]] {
            assert!(RowsOptions::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
