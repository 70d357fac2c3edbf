//! R9: what threads at one queue were told has an order.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Parser;
use sim::concurrent::{self, Finding, Prepared, Size};
use sim::options::Run;

/// Name under which results are kept.
const ID: &str = "R9-histories";
/// After so many failures the rest is no news.
const FAILURES_MAX: u64 = 5;
/// Histories in a hundred whose search may be given up before the whole shows too little.
const UNDECIDED_PERCENT_MAX: u64 = 20;

/// Has threads put, get, browse, commit and back out at one queue of the engine, and looks for an order that
/// explains what they were told.
#[derive(Debug, Parser)]
struct Options {
    /// The figure or its layer, for a caller that chooses the program by it.
    #[arg(long, default_value = ID)]
    id: String,
    /// Number of histories. Histories for which the search was given up are not counted as cases.
    #[arg(long, visible_alias = "seeds", default_value_t = 400)]
    cases: u64,
    #[command(flatten)]
    run: Run,
}

fn main() -> Result<ExitCode> {
    let Options { id, cases: wanted, run } = Options::parse();
    let Run { seed, minutes, .. } = run;
    if id != ID && id != "R9" {
        bail!("this program does R9 and {ID}, not {id}");
    }
    let prepared = Prepared::make();
    let began = Instant::now();
    let limit = minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    let (mut done, mut undecided, mut failures) = (0, 0, 0);
    while done < wanted && failures < FAILURES_MAX && limit.is_none_or(|limit| began.elapsed() < limit) {
        let seed = seed + done;
        done += 1;
        let finding = concurrent::run(&prepared, seed, Size::of_history(seed));
        undecided += u64::from(finding == Finding::Undecided);
        if let Finding::Wrong(problem) = finding {
            failures += 1;
            println!("  FAILED history of seed {seed}: {problem}");
            println!("    the same calls again: cargo xtask torture --id {ID} --seed {seed} --cases 1");
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let cases = done - undecided;
    println!(
        "{ID}: {cases} cases from seed {seed}, {failures} failures, {seconds:.1} s; {undecided} more undecided"
    );
    run.keep(ID, cases, failures, seconds)?;
    let shows_enough = undecided * 100 <= done * UNDECIDED_PERCENT_MAX;
    Ok(if failures == 0 && shows_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
