//! The numbered requirements of five published reports, each with its state and the commands that show it:
//! `ferry report rows`.
//!
//! Lives here: reading `perf/requirements.toml` and judging its form. Lives elsewhere: running the commands
//! (`xtask`), the published figures and our page beside them (`reports`).
//!
//! Always: a row that holds names a command, and any other says what it lacks.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

const FILE: &str = "perf/requirements.toml";

const ROWS: &str = include_str!("../../../../perf/requirements.toml");

/// Rows of each report, which are numbered without a gap.
const REPORTS: [(&str, usize); 5] = [("S1", 68), ("S2", 84), ("S3", 97), ("S4", 58), ("S5", 47)];

/// Most bytes of a text of a row: a person reads it in a table.
const TEXT_BYTES_MAX: usize = 1000;

/// The degree to which a requirement is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The commands show all that is asked.
    Works,
    /// A kept figure of a quiet machine shows it, and the commands measure it again.
    Measured,
    /// The commands show it with something in the place of what this machine lacks.
    StandIn,
    /// Some of it is there.
    Part,
    /// This machine lacks what would show it.
    NotShown,
    /// A decision says why it is not done.
    Declined,
    /// It is not there.
    Open,
}

impl State {
    /// Every state, those that hold first.
    pub const ALL: [Self; 7] =
        [Self::Works, Self::Measured, Self::StandIn, Self::Part, Self::NotShown, Self::Declined, Self::Open];

    /// Returns true if a row of this state counts as met.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, Self::Works | Self::Measured | Self::StandIn)
    }

    /// The word in the file and in the table.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Measured => "measured",
            Self::StandIn => "stand-in",
            Self::Part => "part",
            Self::NotShown => "not-shown",
            Self::Declined => "declined",
            Self::Open => "open",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}

/// The kind of thing that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Something that programs or administrators can do.
    Function,
    /// A parameter of a configuration.
    Setting,
    /// A property of speed or size.
    Property,
    /// Something that administrators see or advice they get.
    Administration,
    /// A way of measuring.
    Method,
    /// A table or chart.
    Exhibit,
    /// A fault of another product that ours must not have.
    Lesson,
}

/// A requirement.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The report and a number in it.
    pub id: String,
    /// The kind of thing that is asked for.
    pub kind: Kind,
    /// The requirement, in our words.
    pub asks: String,
    /// The degree to which it is met.
    pub state: State,
    /// Commands that show it, in the root of the project.
    #[serde(default)]
    pub shown: Vec<String>,
    /// The file with the kept figure.
    pub figure: Option<String>,
    /// The part that is not there, or the thing that another stands in for.
    pub lacks: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    row: Vec<Row>,
}

/// The requirements of the project, in the order of their numbers.
///
/// # Errors
/// When the file is wrong, with each fault of it.
pub fn rows() -> Result<Vec<Row>> {
    parse(ROWS)
}

/// The rows of a text.
fn parse(text: &str) -> Result<Vec<Row>> {
    let table: Table = toml::from_str(text).with_context(|| format!("cannot read {FILE}"))?;
    let mut faults: Vec<String> = table.row.iter().filter_map(fault).collect();
    faults.extend(misnumbered(&table.row));
    if !faults.is_empty() {
        bail!("{FILE}: {}", faults.join("; "));
    }
    Ok(table.row)
}

/// The first thing that is wrong with a row.
fn fault(row: &Row) -> Option<String> {
    let Row { id, state, .. } = row;
    let of = |what: &str| Some(format!("{id} {what}"));
    if texts(row).any(|text| !is_line(text)) {
        return of(
            "has a text that is empty, is longer than 1000 bytes, or has a control character: write one line",
        );
    }
    if state.holds() && row.shown.is_empty() {
        return of(&format!(
            "is {state} without a command: name one that shows it, or give it another state"
        ));
    }
    if matches!(state, State::Open | State::NotShown) && !row.shown.is_empty() {
        return of(&format!("is {state} and has a command: a row that a command shows in part is `part`"));
    }
    if matches!(state, State::Works | State::Measured) == row.lacks.is_some() {
        return of(match row.lacks {
            Some(_) => "lacks something and counts as whole: it is `part` or `stand-in`",
            None => "is not whole and does not say what it lacks: add `lacks`",
        });
    }
    if (*state == State::Measured) != row.figure.is_some() {
        return of("names the file of a kept figure if it is `measured`, and only then");
    }
    row.shown.iter().find_map(|command| wrong_command(command)).and_then(of)
}

fn texts(row: &Row) -> impl Iterator<Item = &String> {
    row.shown.iter().chain([&row.asks]).chain(&row.lacks).chain(&row.figure)
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= TEXT_BYTES_MAX && !text.contains(char::is_control)
}

/// The fault of a command: it must be of this project, and must fail where it does not show the row.
fn wrong_command(command: &str) -> Option<&'static str> {
    match command.split_whitespace().collect::<Vec<_>>()[..] {
        ["cargo", "test", ..] if !command.contains(" -- --exact ") => {
            Some("runs tests without naming them whole: end with -- --exact NAME...")
        }
        ["cargo", "test" | "xtask", ..] => None,
        ["ferry", ..] if !command.contains("grep ") => {
            Some("has a command of ferry whose output nothing looks at: search it with grep")
        }
        ["ferry", ..] => None,
        _ => Some("has a command that is not of this project: begin with cargo test, cargo xtask or ferry"),
    }
}

/// Faults of the order and the number of rows.
fn misnumbered(rows: &[Row]) -> Vec<String> {
    let expected =
        REPORTS.iter().flat_map(|(report, count)| (1..=*count).map(move |n| format!("{report}-{n:02}")));
    let expected: Vec<String> = expected.collect();
    let different = expected.iter().zip(rows).find(|(id, row)| **id != row.id);
    match different {
        Some((id, row)) => vec![format!("{} stands where {id} belongs", row.id)],
        None if rows.len() != expected.len() => {
            vec![format!("there are {} rows of {}", rows.len(), expected.len())]
        }
        None => Vec::new(),
    }
}

/// Number of rows in each state.
#[must_use]
pub fn counts(rows: &[Row]) -> BTreeMap<State, usize> {
    let mut counts: BTreeMap<State, usize> = State::ALL.iter().map(|state| (*state, 0)).collect();
    for row in rows {
        *counts.entry(row.state).or_default() += 1;
    }
    counts
}
