//! Cuts power, rots files and fails calls, counts what happens and says how to replay what failed. There are
//! as many figures at a time as the machine has processors.

mod replay;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Parser;
use sim::figures::{
    self, Ahead, AutomaticImages, Bits, Effort, Figure, Mqi, R1, R2, R6, R7, R8, R10, R11Restore, R12, R18,
    Report, Sim, SimAmqp, SimBridge, Tally,
};
use sim::subjects::{Engine, Log, Toy};
use sim::torture::Maker;
use sim::traces::{self, Trace};
use testing::results::{self, Line};

/// Cuts power, rots files and fails calls of a queue manager on a simulated machine.
#[derive(Debug, Parser)]
struct Options {
    /// The figure: R1, R2, …, IMAGES, BITS, SIM, AHEAD or MQI; all of them unless given.
    #[arg(long)]
    id: Option<String>,
    /// Subject of the torture: log, engine or toy; log and engine unless given.
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
    /// Do a share of the seeds recorded in this file again, in two processes, and compare what they did; and
    /// with the traces kept beside the file.
    #[arg(long, conflicts_with_all = ["seeds", "cases", "minutes", "case", "gate"])]
    replay: Option<PathBuf>,
    /// Share of them.
    #[arg(long, default_value_t = 1.0, requires = "replay")]
    percent: f64,
    /// Print what each of these seeds comes to, given as figure-subject-seed.
    #[arg(long, num_args = 1.., hide = true)]
    digests: Vec<String>,
    /// Do one case of the seed, and show everything about it.
    #[arg(long)]
    case: Option<u64>,
    /// Print which calls were made at random, and how they were answered.
    #[arg(long)]
    coverage: bool,
    /// Add a line for each figure to this file.
    #[arg(long)]
    results: Option<PathBuf>,
    /// Commit to record there.
    #[arg(long, default_value = "unknown")]
    commit: String,
    /// Code to record beside the traces; found out from the repository unless given.
    #[arg(long)]
    code: Option<String>,
}

/// Cases of each figure in the gate, and by default.
const GATE_CASES: [(&str, u64); 16] = [
    ("R1", 20_000),
    ("R2", 2_000),
    ("R6", 1_000),
    ("IMAGES", 600),
    ("BITS", 400),
    ("R7", 750),
    ("R8", 500),
    ("R18", 100),
    ("R10", 100),
    ("R11-restore", 100),
    ("R12", 500),
    ("SIM", 300),
    ("SIM-AMQP", 200),
    ("SIM-BRIDGE", 10_000),
    ("AHEAD", 300),
    ("MQI", 50_000),
];
/// No figure of the gate takes longer: many times what the longest takes with a processor to itself, since
/// the gate runs beside tests that go first.
const GATE_TIME: Duration = Duration::from_secs(900);
/// From so many cases on, the shares of what the cases had met must be right.
const SHARES_FROM: u64 = 10_000;
/// From so many cases on, images must have been there often enough.
const LED_BACK_FROM: u64 = 100;
/// The same of disks that are full.
const REFUSED_FROM: u64 = 100;
/// From so many calls at random on, every verb and option must have been among them.
const CALLS_FROM: u64 = 50_000;
/// Traces kept of a run.
const TRACES_MAX: usize = 20;
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
        return replay::digests(&options.digests);
    }
    if let Some(recorded) = &options.replay {
        return replay::replay(recorded, options.percent);
    }
    let makers = makers(options.subject.as_deref())?;
    let figures = figures_named(options.id.as_deref())?;
    let all = makers.iter().flat_map(|maker| figures.iter().map(move |figure| (&**figure, &**maker)));
    let suiting = Mutex::new(all.filter(|(figure, maker)| figure.suits(*maker)));
    let failed = Mutex::new(false);
    let run_some = || -> Result<()> {
        loop {
            let next = suiting.lock().expect("no thread panics with it").next();
            let Some((figure, maker)) = next else { return Ok(()) };
            let report = figures::run(figure, maker, &effort(figure, &options), progress(figure, maker));
            let mut failed = failed.lock().expect("no thread panics with it");
            *failed |= show(figure, maker, &options, &report);
            if let Some(path) = options.results.as_deref().filter(|_| options.case.is_none()) {
                keep(path, figure, maker, &options, &report)?;
            }
        }
    };
    // A figure takes one processor, and they need nothing of each other.
    testing::threads::on_every_processor(run_some).into_iter().collect::<Result<()>>()?;
    Ok(if failed.into_inner()? { ExitCode::FAILURE } else { ExitCode::SUCCESS })
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
        Box::new(AutomaticImages),
        Box::new(Bits),
        Box::new(R7),
        Box::new(R8),
        Box::new(R18),
        Box::new(R10),
        Box::new(R11Restore),
        Box::new(R12),
        Box::new(Sim),
        Box::new(SimAmqp),
        Box::new(SimBridge),
        Box::new(Ahead),
        Box::new(Mqi),
    ];
    let Some(id) = id else { return Ok(all) };
    let known: Vec<&str> = all.iter().map(|figure| figure.id()).collect();
    let known = known.join(", ");
    let is_meant = |name: &str| name == id || name.strip_prefix(id).is_some_and(|rest| rest.starts_with('-'));
    let meant: Vec<_> = all.into_iter().filter(|figure| is_meant(figure.id())).collect();
    if meant.is_empty() {
        bail!("there is no figure {id}; there are {known}");
    }
    Ok(meant)
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

/// Returns the shares of cases, and the calls of the MQI, that a figure must reach to prove anything, as far
/// as it missed them.
fn shares_missed(figure: &dyn Figure, maker: &dyn Maker, tally: &Tally) -> Vec<String> {
    if figure.id() == "MQI" && tally.cases >= CALLS_FROM {
        let missed = tally.coverage.missed().into_iter();
        return missed.map(|name| format!("{name} was not called, though it is said to be")).collect();
    }
    if figure.id() == "IMAGES" && tally.cases >= LED_BACK_FROM && tally.led_back * 3 < tally.cases {
        return vec!["fewer than a third of the cases were led back to an image".to_owned()];
    }
    if figure.id() == "R8" && maker.name() != "toy" && tally.cases >= REFUSED_FROM {
        let met = [("with its first extent alone", tally.refused_early), ("with others", tally.refused_late)];
        let missed = met.into_iter().filter(|(_, cases)| cases * 10 < tally.cases);
        return missed
            .map(|(when, _)| format!("fewer than 10% of the cases had met a put refused by a full disk when the log was there {when}"))
            .collect();
    }
    let is_of_units = figure.id() == "R2" && maker.name() == "engine" && tally.cases >= SHARES_FROM;
    if is_of_units && tally.prepared * 20 < tally.cases {
        return vec!["fewer than 5% of the cases had met a prepared unit of work".to_owned()];
    }
    if figure.id() != "R1" || maker.name() == "toy" || tally.cases < SHARES_FROM {
        return Vec::new();
    }
    // The log alone hands nothing over.
    let by_engine = if maker.name() == "engine" { 5 } else { 0 };
    let wanted = [
        ("units of work", tally.units, 50),
        ("a lap of the log", tally.laps, 5),
        ("a checkpoint", tally.checkpoints, 5),
        ("spilled messages", tally.spills, 5),
        ("fragmented bodies", tally.large, 5),
        ("a message handed over without the log", tally.handed, by_engine),
        ("a hand-over taken back", tally.taken_back, by_engine),
        ("a prepared unit of work", tally.prepared, by_engine),
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
    let Report { tally, seeds, replayed, strayed, traces: _, seconds } = report;
    let share = |count: u64| count * 100 / tally.cases.max(1);
    if std::io::stderr().is_terminal() {
        eprint!("\r");
    }
    println!(
        "{} {}: {} cases of {seeds} seeds, {} failures, {seconds:.1} s; {}% with units of work, {}% after a lap, {}% after a \
         checkpoint, {}% with spill, {}% with fragments, {}% after a hand-over, {}% after one taken back, {}% after a unit was prepared; {replayed} seeds replayed, {} strayed{}{}{}{}{}{}",
        figure.id(),
        maker.name(),
        tally.cases,
        tally.failures.len(),
        share(tally.units),
        share(tally.laps),
        share(tally.checkpoints),
        share(tally.spills),
        share(tally.large),
        share(tally.handed),
        share(tally.taken_back),
        share(tally.prepared),
        strayed.len(),
        if tally.given_back > 0 {
            format!("; {} messages given back", tally.given_back)
        } else {
            String::new()
        },
        if tally.told_at_start > 0 {
            format!("; {} damaged messages known at a start", tally.told_at_start)
        } else {
            String::new()
        },
        if figure.id() == "BITS" {
            format!("; {} cost one message alone", tally.alone)
        } else {
            String::new()
        },
        if tally.led_back > 0 { format!("; {} led back to an image", tally.led_back) } else { String::new() },
        if figure.id() == "R8" {
            let (early, late) = (share(tally.refused_early), share(tally.refused_late));
            format!("; {early}% after a put refused with the first extent alone, {late}% with others")
        } else {
            String::new()
        },
        if tally.tails > 0 { format!("; {} damaged tails", tally.tails) } else { String::new() },
    );
    if options.coverage {
        print!("{}", tally.coverage);
    }
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

/// Adds a line to the results, and what some of the seeds came to to the traces.
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
    results::add(path, &line)?;
    let code = options.code.clone().unwrap_or_else(traces::code);
    let traces = report.traces.iter().take(TRACES_MAX);
    let traces = traces.map(|(seed, trace)| Trace {
        id: line.id.to_owned(),
        seed: *seed,
        trace: *trace,
        code: code.clone(),
    });
    traces::add(&traces::beside(path), &traces.collect::<Vec<_>>())
}
