//! Turns in a file: a line of JSON each, with all that a figure needs to be believed, and read again for the
//! page.
//!
//! Lives elsewhere: writing a line (`perf::rows`), the page of the lines (`page`).
//!
//! Always: a turn that was cut short is no turn, and not kept.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use perf::machine::Machine;
use perf::program::Build;
use perf::request_reply::Units;
use perf::rows::{self, Rows, Seen};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::figures::Figures;
use crate::points::{Point, Run};

/// The file's name, without its ending.
pub(crate) const NAME: &str = "peers";

/// The side whose turn it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Whose {
    Theirs,
    Ours,
    /// Ours, with a socket for each client.
    Apart,
    /// A program that only copies.
    Relay,
}

/// The figures of a turn; each of the two halves of one way is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// The broker that ours was beside, or that it was the turn of.
    pub(crate) peer: String,
    pub(crate) peer_version: String,
    /// The guarantee of its settings.
    pub(crate) guarantee: String,
    pub(crate) workload: String,
    pub(crate) whose: Whose,
    /// Number of the turn among those of this side at this point.
    pub(crate) turn: usize,
    pub(crate) settings: Settings,
    #[serde(flatten)]
    pub(crate) figures: Figures,
}

/// Settings, those too that the workload's name does not tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    #[serde(flatten)]
    pub(crate) point: Point,
    /// Clients that answer, where any do.
    pub(crate) responders: Option<u32>,
    /// The units of work of ours.
    pub(crate) units: Units,
    #[serde(flatten)]
    pub(crate) run: Run,
}

/// A line of the file.
#[derive(Debug, Deserialize)]
pub(crate) struct Kept {
    #[serde(flatten)]
    pub(crate) turn: Turn,
    pub(crate) machine: Machine,
    /// Of ours.
    pub(crate) version: String,
    pub(crate) build: Build,
    pub(crate) when: String,
}

/// A point that was not reported: what was kept of it before does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refused {
    pub(crate) peer: String,
    pub(crate) peer_version: String,
    pub(crate) workload: String,
    /// Why.
    pub(crate) refused: String,
}

impl Refused {
    fn is_of(&self, turn: &Turn) -> bool {
        self.peer == turn.peer && self.workload == turn.workload
    }
}

impl Kept {
    /// Returns true if both may be turns of one comparison.
    fn goes_with(&self, other: &Self) -> bool {
        let is_one_point = self.turn.peer == other.turn.peer && self.turn.workload == other.turn.workload;
        !is_one_point || (self.build == other.build && self.turn.settings.run == other.turn.settings.run)
    }
}

/// The content of a directory.
#[derive(Debug, Default)]
pub(crate) struct All {
    /// Of points that were reported.
    pub(crate) turns: Vec<Kept>,
    pub(crate) refused: Vec<Refused>,
}

/// Keeps that a point was not reported.
pub(crate) fn keep_refused(
    rows: &mut Rows,
    refused: &Refused,
    machine: &Machine,
    build: &Build,
) -> Result<()> {
    let mut line = serde_json::to_value(refused)?;
    rows::stamp(&mut line, machine, build);
    rows.keep(&line)
}

/// Keeps a turn.
pub(crate) fn keep(rows: &mut Rows, turn: &Turn, machine: &Machine, build: &Build) -> Result<()> {
    let mut line = serde_json::to_value(turn)?;
    rows::stamp(&mut line, machine, build);
    rows.keep(&line)
}

/// Reads the turns in a directory, each once. Of a point that was measured in several ways, or that was once
/// reported and once not, the latest holds.
pub(crate) fn read(directory: &Path) -> Result<All> {
    let path = directory.join(format!("{NAME}.jsonl"));
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut all, mut seen) = (All::default(), Seen::default());
    for (number, line) in (1..).zip(text.lines()) {
        let place = || format!("{}:{number} is not a turn", path.display());
        let line: Value = serde_json::from_str(line).with_context(place)?;
        if !seen.is_new(&line) {
            continue;
        }
        if line["refused"].is_null() {
            let kept: Kept = serde_json::from_value(line).with_context(place)?;
            all.refused.retain(|refused| !refused.is_of(&kept.turn));
            all.turns.retain(|earlier| earlier.goes_with(&kept));
            all.turns.push(kept);
        } else {
            let refused: Refused = serde_json::from_value(line).with_context(place)?;
            all.turns.retain(|kept| !refused.is_of(&kept.turn));
            all.refused.push(refused);
        }
    }
    Ok(all)
}
