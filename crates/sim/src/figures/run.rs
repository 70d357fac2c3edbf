//! Seeds until enough.

use std::time::Duration;

use platform::Clock;
use platform::os::OsClock;

use super::{Figure, Tally};
use crate::torture::Maker;

/// Bounds of a run: the first reached ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Where the seeds start.
    pub seed: u64,
    /// So many seeds.
    pub seeds: Option<u64>,
    /// So many cases.
    pub cases: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
    /// Only this case, of the first seed.
    pub only: Option<u64>,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The counts.
    pub tally: Tally,
    /// Seeds done.
    pub seeds: u64,
    /// Seeds done twice to see that the same comes of the same.
    pub replayed: u64,
    /// Seeds of which something else came the second time.
    pub strayed: Vec<u64>,
    /// The digests of the others that were done twice.
    pub traces: Vec<(u64, u64)>,
    /// Seconds it took.
    pub seconds: f64,
}

/// One seed in so many is done twice.
const REPLAY_EVERY: u64 = 100;
/// After so many failures the rest is no news.
const FAILURES_MAX: usize = 50;

/// Does seeds until it is enough. `progress` is told the counts after every seed.
pub fn run(
    figure: &dyn Figure,
    maker: &dyn Maker,
    effort: &Effort,
    mut progress: impl FnMut(&Tally),
) -> Report {
    let start = OsClock.now();
    let mut report = Report {
        tally: Tally::only(effort.only),
        seeds: 0,
        replayed: 0,
        strayed: Vec::new(),
        traces: Vec::new(),
        seconds: 0.0,
    };
    loop {
        let seed = effort.seed + report.seeds;
        report.tally.begin(seed);
        figure.run(maker, seed, &mut report.tally);
        if report.seeds.is_multiple_of(REPLAY_EVERY) && effort.only.is_none() {
            report.replayed += 1;
            let trace = digest(figure, maker, seed);
            if trace == digest(figure, maker, seed) {
                report.traces.push((seed, trace));
            } else {
                report.strayed.push(seed);
            }
        }
        report.seeds += 1;
        progress(&report.tally);
        let elapsed = OsClock.now().since(start);
        report.seconds = elapsed.as_secs_f64();
        let enough = effort.only.is_some()
            || report.tally.failures.len() >= FAILURES_MAX
            || effort.seeds.is_some_and(|seeds| report.seeds >= seeds)
            || effort.cases.is_some_and(|cases| report.tally.cases >= cases)
            || effort.time.is_some_and(|time| elapsed >= time);
        if enough {
            return report;
        }
    }
}

/// A number that two runs of a seed share only if they did the same.
pub fn digest(figure: &dyn Figure, maker: &dyn Maker, seed: u64) -> u64 {
    let mut tally = Tally::default();
    tally.begin(seed);
    figure.run(maker, seed, &mut tally);
    tally.digest
}
