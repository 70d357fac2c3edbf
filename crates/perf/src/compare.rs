//! Two builds side by side: each runs the same workload in turns, and their ratio is told with its spread.
//!
//! Lives here: the order of turns, reading the runs of each build, the ratio.
//! Lives elsewhere: the runs, made by `ferry bench run` of each build, clients and queue manager alike.
//!
//! Always: a ratio is of two runs of one turn, which the machine treated about alike.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::program::{Build, Program};
use crate::progress::{self, Bar};
use crate::report::{median, number, range_of_median};
use crate::rows::{self, Rows};
use crate::workloads::WorkloadFile;

/// Settings of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// The programs: the one that is compared with, and the one that is compared.
    pub builds: [PathBuf; 2],
    /// Time that each point runs before it is measured.
    pub warm_up: Duration,
    /// Time that it is measured in one turn.
    pub measure: Duration,
    /// Turns of each build.
    pub turns: usize,
    /// First, middle and last along each list only.
    pub quick: bool,
    /// Where each comparison is kept, in [`BENCH`]`.jsonl`; a report shows those of its directory.
    pub results: Option<PathBuf>,
}

/// The name of comparisons among results.
pub(crate) const BENCH: &str = "compare";

/// The processor time of the queue manager, which is compared beside the main figure where a bench tells it.
const SERVER_TIME: &str = "server_cpu_us";

/// Figures of each point in one run, by the label of the point and the figure's name.
type Figures = BTreeMap<(String, String), f64>;

/// The two builds at one point of a workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The workload.
    pub workload: String,
    /// The point.
    pub variant: String,
    /// The figure, such as `round_trips_per_second`.
    pub metric: String,
    /// The middle of each build's figures.
    pub medians: [f64; 2],
    /// The middle of the ratios of the second to the first, turn by turn.
    pub ratio: f64,
    /// Bounds of that middle: right 19 times of 20 with six turns or more; none of a single turn.
    pub range: Option<(f64, f64)>,
    /// Turns that both builds finished.
    pub turns: usize,
}

impl Compared {
    /// Compares figures turn by turn.
    fn of(workload: &str, variant: &str, metric: &str, turns: &[[f64; 2]]) -> Option<Self> {
        let of = |build: usize| median(turns.iter().map(|turn| turn[build]).collect());
        let ratios: Vec<f64> = turns.iter().map(|[first, second]| second / first).collect();
        Some(Self {
            workload: workload.to_owned(),
            variant: variant.to_owned(),
            metric: metric.to_owned(),
            medians: [of(0)?, of(1)?],
            ratio: median(ratios.clone())?,
            range: range_of_median(&ratios),
            turns: turns.len(),
        })
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.medians.map(|median| number(median, usize::from(median < 1000.0) * 2));
        write!(formatter, "{} {}: {first} and {second} {}", self.workload, self.variant, self.metric)?;
        write!(formatter, ", ratio {:.3}", self.ratio)?;
        match self.range {
            Some((low, high)) => write!(formatter, ", between {low:.3} and {high:.3}")?,
            None => write!(formatter, ", spread unknown of one turn")?,
        }
        write!(formatter, " ({} turns)", self.turns)
    }
}

/// Runs both builds in turns; a point that a build does not finish in a turn is left out of that turn.
///
/// The workload goes to the builds as it was `typed`: a name, or the path of a file.
///
/// # Errors
/// When a program cannot be read or run, or both are the same build.
pub fn run(
    (typed, file): (&str, &WorkloadFile),
    options: &Options,
    interrupt: &AtomicBool,
) -> Result<Vec<Compared>> {
    if let Some(why) = file.not_yet() {
        bail!("{} cannot be run yet: {why}", file.name);
    }
    ensure!(options.turns > 0, "there must be a turn: --repeat 1 or more");
    let [first, second] = options.builds.each_ref().map(|path| Program::at(path.clone()));
    let builds = [first?, second?];
    ensure!(
        builds[0].build != builds[1].build,
        "both programs are build {}: name two builds, such as target/release/ferry of two worktrees",
        builds[0].build
    );
    let columns = file.variants().first().context("the workload has no point")?.workload.columns();
    let of_server = columns.iter().map(|column| column.name).filter(|name| *name == SERVER_TIME);
    let metrics: Vec<&str> = std::iter::once(columns[0].name).chain(of_server).collect();
    let bar = Bar::of(options.turns as u64, "turns");
    let mut turns = Vec::new();
    for turn in 0..options.turns {
        let mut figures = [Figures::new(), Figures::new()];
        for build in order(turn) {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            figures[build] = figures_of(&builds[build], typed, &metrics, options)?;
        }
        bar.done(turn as u64 + 1);
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        turns.push(figures);
    }
    drop(bar);
    let labels = file.variants().iter().map(|variant| variant.label.as_str());
    let of_label = |label| {
        let (metrics, turns) = (&metrics, &turns);
        metrics
            .iter()
            .filter_map(move |metric| Compared::of(&file.name, label, metric, &pairs(turns, label, metric)))
    };
    let compared: Vec<Compared> = labels.flat_map(of_label).collect();
    if let Some(directory) = &options.results {
        keep(directory, &builds, &compared)?;
    }
    Ok(compared)
}

/// Keeps comparisons behind those that are there.
fn keep(directory: &Path, [first, second]: &[Program; 2], compared: &[Compared]) -> Result<()> {
    let mut rows = Rows::behind(directory, BENCH)?;
    let machine = Machine::of(&std::env::temp_dir());
    for compared in compared {
        let builds = [&first.build, &second.build];
        let mut line = json!({"bench": BENCH, "builds": builds, "compared": compared});
        rows::stamp(&mut line, &machine, &second.build);
        rows.keep(&line)?;
    }
    Ok(())
}

/// Order of the builds in a turn; the other goes first in the next, so that neither has the warmer machine.
fn order(turn: usize) -> [usize; 2] {
    if turn.is_multiple_of(2) { [0, 1] } else { [1, 0] }
}

/// The figures of a point in each turn that both builds finished.
fn pairs(turns: &[[Figures; 2]], label: &str, metric: &str) -> Vec<[f64; 2]> {
    let label = &(label.to_owned(), metric.to_owned());
    let both = |[first, second]: &[Figures; 2]| Some([*first.get(label)?, *second.get(label)?]);
    turns.iter().filter_map(both).filter(|[first, _]| *first > 0.0).collect()
}

/// Has a build run the workload once.
fn figures_of(program: &Program, workload: &str, metrics: &[&str], options: &Options) -> Result<Figures> {
    let Program { path, build } = program;
    progress::say(&format!("build {build} of {}", path.display()));
    let seconds = |time: Duration| format!("{}ms", time.as_millis());
    let mut command = Command::new(path);
    command.args(["bench", "run", workload, "-o", "json", "--repeat", "1"]);
    command.args(["--time", &seconds(options.measure), "--warm-up", &seconds(options.warm_up)]);
    if options.quick {
        command.arg("--quick");
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start {}", path.display()))?;
    let figures = figures_in(&String::from_utf8_lossy(&output.stdout), metrics);
    ensure!(
        output.status.success() || !figures.is_empty(),
        "{} bench run {workload} ended with {}; run it by itself to see why",
        path.display(),
        output.status
    );
    Ok(figures)
}

/// The figures of each point in what `ferry bench run -o json` prints.
fn figures_in(printed: &str, metrics: &[&str]) -> Figures {
    let lines = printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of_line = |line: Value| {
        let label = line["variant"].as_str().map(ToOwned::to_owned);
        let figure = |metric: &&str| Some(((label.clone()?, (*metric).to_owned()), line[*metric].as_f64()?));
        metrics.iter().filter_map(figure).collect::<Vec<_>>()
    };
    lines.flat_map(of_line).collect()
}

/// The builds in words, for the head of a report.
///
/// # Errors
/// When one cannot be read.
pub fn describe(builds: &[PathBuf; 2]) -> Result<String> {
    let build = |path: &PathBuf| -> Result<Build> { Ok(Program::at(path.clone())?.build) };
    let [first, second] = builds;
    Ok(format!(
        "build {} ({}), then build {} ({})",
        build(first)?,
        first.display(),
        build(second)?,
        second.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_of_runs_of_one_turn_and_has_the_spread_of_its_turns() {
        // A slow minute halves both figures of the second turn, and leaves their ratio.
        let turns = [[100.0, 110.0], [50.0, 55.0], [100.0, 120.0], [100.0, 90.0]];
        let compared = Compared::of("w", "a=1", "m_per_second", &turns).expect("there are turns");
        assert!((compared.ratio - 1.1).abs() < 1e-9, "{compared}");
        let (low, high) = compared.range.expect("there are several");
        assert!((low - 0.9).abs() < 1e-9 && (high - 1.2).abs() < 1e-9, "{compared}");
        assert_eq!(
            compared.to_string(),
            "w a=1: 100.00 and 100.00 m_per_second, ratio 1.100, between 0.900 and 1.200 (4 turns)"
        );
        let single = Compared::of("w", "a=1", "m", &turns[..1]).expect("there is one");
        assert!(single.to_string().contains("spread unknown"), "{single}");
        assert_eq!(Compared::of("w", "a=1", "m", &[]), None);
    }

    #[test]
    fn each_build_goes_first_every_other_turn() {
        assert_eq!([order(0), order(1), order(2)], [[0, 1], [1, 0], [0, 1]]);
    }

    #[test]
    fn a_point_that_one_build_did_not_finish_is_left_out_of_that_turn() {
        let printed = "noise\n{\"variant\":\"a=1\",\"rate\":5.0}\n{\"variant\":\"a=2\"}\n{\"claim\":\"x\"}\n";
        let figures = figures_in(printed, &["rate", "time"]);
        assert_eq!(figures, Figures::from([(("a=1".to_owned(), "rate".to_owned()), 5.0)]));
        let turns = [[figures.clone(), figures.clone()], [figures, Figures::new()]];
        assert_eq!(pairs(&turns, "a=1", "rate"), [[5.0, 5.0]]);
        assert_eq!(pairs(&turns, "a=2", "rate"), Vec::<[f64; 2]>::new());
        assert_eq!(pairs(&turns, "a=1", "time"), Vec::<[f64; 2]>::new());
    }

    #[test]
    fn a_build_is_not_compared_with_itself() {
        let file = crate::workloads::find("s1-preloaded").expect("it comes with the program");
        let running = std::env::current_exe().expect("it has a file");
        let options = Options {
            builds: [running.clone(), running],
            warm_up: Duration::ZERO,
            measure: Duration::from_millis(1),
            turns: 1,
            quick: true,
            results: None,
        };
        let said = run(("s1-preloaded", &file), &options, &AtomicBool::new(false))
            .expect_err("one build")
            .to_string();
        assert!(said.starts_with("both programs are build "), "{said}");
    }
}
