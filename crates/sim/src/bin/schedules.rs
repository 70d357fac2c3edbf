//! R9: threads of the engine in schedules chosen one by one.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Parser;
use sim::options::Run;
use sim::schedules::{SUBJECTS, Subject};

/// Name under which results are kept, with the subject behind it.
const ID: &str = "R9-schedules";
/// After so many failures of one subject the rest is no news.
const FAILURES_MAX: u64 = 3;
/// Schedules between two looks at the time.
const BATCH: u64 = 200;

/// Has threads of the engine meet at one queue, in one schedule for each seed, and judges what they were
/// told.
#[derive(Debug, Parser)]
struct Options {
    /// The figure or one of its subjects, as `R9-schedules-wait-put`.
    #[arg(long, default_value = ID)]
    id: String,
    /// Number of schedules of all subjects together.
    #[arg(long, visible_alias = "seeds", default_value_t = 10_000)]
    cases: u64,
    #[command(flatten)]
    run: Run,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let subjects = chosen(&options.id)?;
    let each = options.cases.div_ceil(subjects.len() as u64);
    let began = Instant::now();
    let mut failed = false;
    for (index, subject) in subjects.iter().enumerate() {
        let share = options.run.minutes.map(|minutes| minutes * (index + 1) as f64 / subjects.len() as f64);
        let until = share.map(|minutes| began + Duration::from_secs_f64(minutes * 60.0));
        failed |= run(subject, each, until, &options.run)? > 0;
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn chosen(id: &str) -> Result<Vec<Subject>> {
    let named = id.strip_prefix(ID).and_then(|rest| rest.strip_prefix('-'));
    if id == ID || id == "R9" {
        return Ok(SUBJECTS.to_vec());
    }
    match SUBJECTS.iter().find(|subject| Some(subject.name) == named) {
        Some(subject) => Ok(vec![*subject]),
        None => {
            let names: Vec<_> = SUBJECTS.iter().map(|subject| format!("{ID}-{}", subject.name)).collect();
            bail!("this program does {ID} and {}, not {id}", names.join(", "))
        }
    }
}

/// Runs one subject; how many of its schedules failed.
fn run(subject: &Subject, cases: u64, until: Option<Instant>, kept: &Run) -> Result<u64> {
    let first = kept.seed;
    let id = format!("{ID}-{}", subject.name);
    let began = Instant::now();
    let (mut next, mut failures) = (first, 0);
    let end = first + cases;
    while next < end && failures < FAILURES_MAX && until.is_none_or(|until| Instant::now() < until) {
        let batch = end.min(next + BATCH);
        match subject.run(next..batch) {
            None => next = batch,
            Some(failure) => {
                failures += 1;
                println!("  FAILED schedule of seed {}: {}", failure.seed, failure.problem);
                println!(
                    "    the same again: cargo xtask torture --id {id} --seed {} --cases 1",
                    failure.seed
                );
                next = failure.seed + 1;
            }
        }
    }
    let (seconds, cases) = (began.elapsed().as_secs_f64(), next - first);
    println!("{id}: {cases} schedules from seed {first}, {failures} failures, {seconds:.1} s");
    kept.keep(&id, cases, failures, seconds)?;
    Ok(failures)
}
