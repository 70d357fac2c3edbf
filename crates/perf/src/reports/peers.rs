//! Turns of ours beside today's brokers, as `cargo xtask peers --results` keeps them.
//!
//! Always: a ratio is of turns that were measured together, by one build and for one time each; the latest
//! such turns count.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::report::median;

/// The file in a directory of results.
const FILE: &str = "peers.jsonl";

/// Most bytes of it: one of today has two million.
const BYTES_MAX: u64 = 64 << 20;

/// Turns kept in the file.
#[derive(Clone, Debug, Default)]
pub struct Peers(Vec<Turn>);

/// One turn; those that were refused have no rate.
#[derive(Clone, Debug, Deserialize)]
struct Turn {
    workload: String,
    peer: String,
    #[serde(default)]
    whose: String,
    rate: Option<f64>,
    build: String,
    when: String,
    #[serde(default)]
    settings: Value,
}

/// Our rate divided by that of a broker.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Beside {
    pub(super) peer: String,
    pub(super) ratio: f64,
}

impl Peers {
    /// The turns that a directory keeps.
    ///
    /// # Errors
    /// When there are none, or a line is not that of a turn, with the file and the line.
    pub fn read(directory: &Path) -> Result<Self> {
        let path = directory.join(FILE);
        let none = || format!("cannot read {}: cargo xtask peers --results makes it", path.display());
        let length = fs::metadata(&path).with_context(none)?.len();
        anyhow::ensure!(length <= BYTES_MAX, "{} has more than {BYTES_MAX} bytes", path.display());
        let text = fs::read_to_string(&path).with_context(none)?;
        let turns = text.lines().enumerate().map(|(number, line)| {
            let place = || format!("{}:{} is not a turn", path.display(), number + 1);
            serde_json::from_str(line).with_context(place)
        });
        Ok(Self(turns.collect::<Result<_>>()?))
    }

    /// The day of the last turn; none where there is none.
    pub(super) fn last_day(&self) -> Option<&str> {
        self.0.iter().map(|turn| turn.when.as_str()).max().map(|when| when.get(..10).unwrap_or(when))
    }

    /// Our rate beside each broker at a workload, the broker that comes nearest first.
    pub(super) fn beside(&self, workload: &str) -> Vec<Beside> {
        let mut by_peer: BTreeMap<&str, Vec<&Turn>> = BTreeMap::new();
        for turn in self.0.iter().filter(|turn| turn.workload == workload && turn.rate.is_some()) {
            by_peer.entry(&turn.peer).or_default().push(turn);
        }
        let ratio = |(peer, turns): (&str, Vec<&Turn>)| {
            let last = turns.iter().max_by_key(|turn| &turn.when)?;
            let rate = |whose: &str| {
                let alike = turns.iter().filter(|turn| {
                    turn.whose == whose && turn.build == last.build && turn.settings == last.settings
                });
                median(alike.filter_map(|turn| turn.rate).collect())
            };
            let theirs = rate("theirs").filter(|rate| *rate > 0.0)?;
            Some(Beside { peer: peer.to_owned(), ratio: rate("ours")? / theirs })
        };
        let mut beside: Vec<Beside> = by_peer.into_iter().filter_map(ratio).collect();
        beside.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
        beside
    }
}
