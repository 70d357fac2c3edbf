//! Cuts power, rots files and fails calls, counts what happens and says how to replay what failed.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use platform::Entropy as _;
use platform::os::OsEntropy;
use platform::simulated::Random;
use sim::figures::{self, Effort, Figure, R1, R2, R6, R7, R8, R18, Report, Sim, Tally};
use sim::results::{self, Line, Recorded};
use sim::subjects::{Engine, Log, Toy};
use sim::torture::Maker;

/// Cuts power, rots files and fails calls of a queue manager on a simulated machine.
#[derive(Debug, Parser)]
struct Options {
    /// The figure: R1, R2, … or SIM; all of them unless given.
    #[arg(long)]
    id: Option<String>,
    /// What is tortured: log, engine or toy; log and engine unless given.
    #[arg(long)]
    subject: Option<String>,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after so many seeds.
    #[arg(long)]
    seeds: Option<u64>,
    /// Stop after so many cases.
    #[arg(long)]
    cases: Option<u64>,
    /// Stop after so much time.
    #[arg(long)]
    minutes: Option<f64>,
    /// Do the sizes of the gate: 20,000 cases of R1, fewer of the others; a tenth of them with `quick`.
    #[arg(long, value_parser = ["full", "quick"], conflicts_with_all = ["seeds", "cases", "minutes", "case"])]
    gate: Option<String>,
    /// Do a share of the seeds recorded in this file again, in two processes, and compare what they did.
    #[arg(long, conflicts_with_all = ["seeds", "cases", "minutes", "case", "gate"])]
    replay: Option<PathBuf>,
    /// Which share of them.
    #[arg(long, default_value_t = 1.0, requires = "replay")]
    percent: f64,
    /// Print what each of these seeds comes to, given as figure-subject-seed.
    #[arg(long, num_args = 1.., hide = true)]
    digests: Vec<String>,
    /// Do one case of the seed, and show everything about it.
    #[arg(long)]
    case: Option<u64>,
    /// Add a line for each figure to this file.
    #[arg(long)]
    results: Option<PathBuf>,
    /// What to write there as the commit.
    #[arg(long, default_value = "unknown")]
    commit: String,
}

/// What the figures do in the gate, and when nobody says how much.
const GATE_CASES: [(&str, u64); 7] =
    [("R1", 20_000), ("R2", 4_000), ("R6", 2_000), ("R7", 1_500), ("R8", 500), ("R18", 200), ("SIM", 600)];
/// No figure of the gate takes longer.
const GATE_TIME: Duration = Duration::from_secs(90);
/// From so many cases on, the shares of what the cases had met must be right.
const SHARES_FROM: u64 = 10_000;
/// Seeds given to one process of a replay.
const SEEDS_A_PROCESS: usize = 16;
/// Seeds looked at for how many cases one has.
const SEEDS_OF_MEAN: u64 = 8;
/// No replay goes on for longer, however many seeds were recorded.
const REPLAY_TIME: Duration = Duration::from_secs(40);
/// Failures shown of a figure.
const SHOWN_MAX: usize = 5;
/// Problems shown of a failure when it was not asked for alone.
const PROBLEMS_MAX: usize = 4;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    // A panic is a failed case and is shown with it; only a case done alone shows where it came from.
    if options.case.is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    if !options.digests.is_empty() {
        return digests(&options.digests);
    }
    if let Some(recorded) = &options.replay {
        return replay(recorded, options.percent);
    }
    let mut failed = false;
    for maker in makers(options.subject.as_deref())? {
        for figure in figures_named(options.id.as_deref())? {
            if !figure.suits(&*maker) {
                continue;
            }
            let report =
                figures::run(&*figure, &*maker, &effort(&*figure, &options), progress(&*figure, &*maker));
            failed |= show(&*figure, &*maker, &options, &report);
            if let Some(path) = options.results.as_deref().filter(|_| options.case.is_none()) {
                keep(path, &*figure, &*maker, &options, &report)?;
            }
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn makers(name: Option<&str>) -> Result<Vec<Box<dyn Maker>>> {
    let all: Vec<Box<dyn Maker>> = vec![Box::new(Log), Box::new(Engine), Box::new(Toy::default())];
    match name {
        None => Ok(all.into_iter().filter(|maker| maker.name() != "toy").collect()),
        Some(name) => match all.into_iter().find(|maker| maker.name() == name) {
            Some(maker) => Ok(vec![maker]),
            None => bail!("there is no subject {name}; there are log, engine and toy"),
        },
    }
}

fn figures_named(id: Option<&str>) -> Result<Vec<Box<dyn Figure>>> {
    let all: Vec<Box<dyn Figure>> = vec![
        Box::new(R1),
        Box::new(R2),
        Box::new(R6),
        Box::new(R7),
        Box::new(R8),
        Box::new(R18),
        Box::new(Sim),
    ];
    let Some(id) = id else { return Ok(all) };
    let known: Vec<&str> = all.iter().map(|figure| figure.id()).collect();
    let known = known.join(", ");
    match all.into_iter().find(|figure| figure.id() == id) {
        Some(figure) => Ok(vec![figure]),
        None => bail!("there is no figure {id}; there are {known}"),
    }
}

fn effort(figure: &dyn Figure, options: &Options) -> Effort {
    let asked = options.seeds.is_some() || options.cases.is_some() || options.minutes.is_some();
    let time = options.minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    let gate = GATE_CASES.iter().find(|(id, _)| *id == figure.id()).map_or(1_000, |(_, cases)| *cases);
    let gate = if options.gate.as_deref() == Some("quick") { gate / 10 } else { gate };
    Effort {
        seed: options.seed,
        seeds: options.seeds,
        cases: if asked { options.cases } else { Some(gate) },
        time: if asked { time } else { Some(GATE_TIME) },
        only: options.case,
    }
}

/// What a run of R1 must have met often enough to prove anything, and has not.
fn shares_missed(figure: &dyn Figure, maker: &dyn Maker, tally: &Tally) -> Vec<String> {
    if figure.id() != "R1" || maker.name() == "toy" || tally.cases < SHARES_FROM {
        return Vec::new();
    }
    let wanted = [
        ("units of work", tally.units, 50),
        ("a lap of the log", tally.laps, 5),
        ("a checkpoint", tally.checkpoints, 5),
        ("spilled messages", tally.spills, 5),
        ("fragmented bodies", tally.large, 5),
    ];
    let missed = wanted.into_iter().filter(|(_, count, percent)| count * 100 < percent * tally.cases);
    missed.map(|(what, _, percent)| format!("fewer than {percent}% of the cases had met {what}")).collect()
}

/// Shows the counts while they grow, to a person.
fn progress(figure: &dyn Figure, maker: &dyn Maker) -> impl FnMut(&Tally) {
    let title = format!("{} {}", figure.id(), maker.name());
    let shows = std::io::stderr().is_terminal();
    move |tally| {
        if shows {
            eprint!("\r{title}: {} cases, {} failures ", tally.cases, tally.failures.len());
        }
    }
}

/// Prints what came of it; tells whether anything failed.
fn show(figure: &dyn Figure, maker: &dyn Maker, options: &Options, report: &Report) -> bool {
    let Report { tally, seeds, replayed, strayed, seconds } = report;
    let share = |count: u64| count * 100 / tally.cases.max(1);
    if std::io::stderr().is_terminal() {
        eprint!("\r");
    }
    println!(
        "{} {}: {} cases of {seeds} seeds, {} failures, {seconds:.1} s; {}% with units of work, {}% after a lap, {}% after a \
         checkpoint, {}% with spill, {}% with fragments; {replayed} seeds replayed, {} strayed{}",
        figure.id(),
        maker.name(),
        tally.cases,
        tally.failures.len(),
        share(tally.units),
        share(tally.laps),
        share(tally.checkpoints),
        share(tally.spills),
        share(tally.large),
        strayed.len(),
        if tally.tails > 0 { format!("; {} damaged tails", tally.tails) } else { String::new() },
    );
    let problems_max = if options.case.is_some() { usize::MAX } else { PROBLEMS_MAX };
    for failure in tally.failures.iter().take(SHOWN_MAX) {
        println!("  FAILED case {} of seed {}: {}", failure.case, failure.seed, failure.what);
        for problem in failure.problems.iter().take(problems_max) {
            println!("    {problem}");
        }
        println!(
            "    replay: cargo xtask torture --id {} --subject {} --seed {} --case {}",
            figure.id(),
            maker.name(),
            failure.seed,
            failure.case,
        );
    }
    for seed in strayed {
        println!("  FAILED seed {seed} gave another trace the second time");
    }
    let missed = shares_missed(figure, maker, tally);
    for share in &missed {
        println!("  FAILED {share}");
    }
    !tally.failures.is_empty() || !strayed.is_empty() || !missed.is_empty()
}

/// Adds a line to the results.
fn keep(
    path: &Path,
    figure: &dyn Figure,
    maker: &dyn Maker,
    options: &Options,
    report: &Report,
) -> Result<()> {
    let line = Line {
        id: &format!("{}-{}", figure.id(), maker.name()),
        seed: options.seed,
        cases: report.tally.cases,
        failures: (report.tally.failures.len() + report.strayed.len()) as u64,
        seconds: report.seconds,
        commit: &options.commit,
    };
    results::add(path, &line)
}

/// Does a share of the recorded seeds again, here and in another process at the same time. Whatever depends on the
/// process, such as addresses and hash seeds, must leave no trace.
fn replay(recorded: &Path, percent: f64) -> Result<ExitCode> {
    let chosen = chosen_seeds(&results::recorded(recorded)?, percent)?;
    let begun = Instant::now();
    let mut strayed = 0;
    let mut replayed = 0;
    for seeds in chosen.chunks(SEEDS_A_PROCESS) {
        if begun.elapsed() > REPLAY_TIME {
            println!("replay: stopped after {REPLAY_TIME:?} with {replayed} of {} seeds", chosen.len());
            break;
        }
        let other = Command::new(std::env::current_exe()?)
            .arg("--digests")
            .args(seeds)
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the other process")?;
        let here = seeds.iter().map(|seed| digest_of(seed)).collect::<Result<Vec<u64>>>()?;
        let output = other.wait_with_output().context("the other process")?;
        let there = String::from_utf8(output.stdout)?;
        let there: Vec<&str> = there.lines().collect();
        if there.len() != here.len() {
            bail!("the other process did {} of {} seeds: {}", there.len(), here.len(), output.status);
        }
        for ((seed, here), there) in seeds.iter().zip(here).zip(there) {
            replayed += 1;
            if format!("{here:016x}") != there {
                strayed += 1;
                println!("  FAILED {seed} did {here:016x} here and {there} in another process");
            }
        }
    }
    println!(
        "replay: {replayed} recorded seeds done in two processes, {strayed} strayed, {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    Ok(if strayed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Seeds at random of every recorded run of a simulated figure.
fn chosen_seeds(recorded: &[Recorded], percent: f64) -> Result<Vec<String>> {
    let mut bytes = [0; 8];
    OsEntropy.fill(&mut bytes);
    let mut random = Random::new(u64::from_le_bytes(bytes));
    let mut chosen = Vec::new();
    for run in recorded {
        let Some((figure, subject)) = run.id.split_once('-') else { continue };
        if GATE_CASES.iter().all(|(id, _)| *id != figure) || makers(Some(subject)).is_err() {
            continue;
        }
        // How many seeds a run had was not kept; it follows from how many cases the first ones have.
        let mut tally = Tally::default();
        for seed in run.seed..run.seed + SEEDS_OF_MEAN {
            tally.begin(seed);
            figures_named(Some(figure))?[0].run(&*makers(Some(subject))?[0], seed, &mut tally);
        }
        let seeds = (run.cases * SEEDS_OF_MEAN / tally.cases.max(1)).max(1);
        let share = (seeds as f64 * percent / 100.0).ceil() as u64;
        chosen.extend((0..share).map(|_| format!("{}-{}", run.id, run.seed + random.below(seeds))));
    }
    random.shuffle(&mut chosen);
    Ok(chosen)
}

fn digests(seeds: &[String]) -> Result<ExitCode> {
    for seed in seeds {
        println!("{:016x}", digest_of(seed)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// What a seed comes to, named by figure, subject and number.
fn digest_of(seed: &str) -> Result<u64> {
    let mut parts = seed.splitn(3, '-');
    let (Some(figure), Some(subject), Some(number)) = (parts.next(), parts.next(), parts.next()) else {
        bail!("{seed} is no figure-subject-seed");
    };
    let (figures, makers) = (figures_named(Some(figure))?, makers(Some(subject))?);
    Ok(figures::digest(&*figures[0], &*makers[0], number.parse()?))
}
