//! Doing recorded seeds again.
//!
//! A seed must do the same in two processes: whatever depends on the process, such as addresses and hash
//! seeds, must leave no trace. And it must do what it did when it was recorded, by the same code; other code
//! is only counted.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use platform::Entropy as _;
use platform::os::OsEntropy;
use platform::simulated::Random;
use sim::figures::{self, Tally};
use sim::traces::{self, Agreement, Trace};
use testing::results::{self, Recorded};

use super::{GATE_CASES, figures_named, makers};

/// Seeds given to one process of a replay.
const SEEDS_A_PROCESS: usize = 4;
/// Seeds looked at for how many cases one has.
const SEEDS_OF_MEAN: u64 = 2;
/// No replay goes on for longer, however many seeds were recorded.
const REPLAY_TIME: Duration = Duration::from_secs(30);
/// Most seeds of which the trace was kept: those of the code that is run come first.
const TRACES_MAX: usize = 64;

/// A seed to do again, named by figure, subject and number, and what it came to before, where that was kept.
struct Chosen {
    seed: String,
    recorded: Option<Trace>,
}

/// Does a share of the recorded seeds again, here and in another process at the same time.
pub(super) fn replay(recorded: &Path, percent: f64) -> Result<ExitCode> {
    let code = traces::code();
    let mut random = random();
    let mut chosen = chosen_traces(traces::kept(&traces::beside(recorded))?, &code, percent, &mut random);
    chosen.extend(chosen_seeds(&results::recorded(recorded)?, percent, &mut random)?);
    let begun = Instant::now();
    let (mut replayed, mut strayed) = (0, 0);
    let mut agreement = Agreement::default();
    for chosen_here in chosen.chunks(SEEDS_A_PROCESS) {
        if begun.elapsed() > REPLAY_TIME {
            println!("replay: stopped after {REPLAY_TIME:?} with {replayed} of {} seeds", chosen.len());
            break;
        }
        for (Chosen { seed, recorded }, (here, there)) in chosen_here.iter().zip(twice(chosen_here)?) {
            replayed += 1;
            if here != there {
                strayed += 1;
                println!("  FAILED {seed} did {here:016x} here and {there:016x} in another process");
            }
            if let Some(recorded) = recorded
                && !agreement.count(recorded, &code, here)
            {
                strayed += 1;
                println!(
                    "  FAILED {seed} did {here:016x} and had done {:016x} by the same code",
                    recorded.trace
                );
            }
        }
    }
    let Agreement { own_same, own_other, foreign_same, foreign_other } = agreement;
    println!(
        "replay: {replayed} recorded seeds done in two processes, {strayed} strayed, {:.1} s; the traces of {} were \
         recorded by this code, {own_same} are the same; of {} by other code, {foreign_same} are the same",
        begun.elapsed().as_secs_f64(),
        own_same + own_other,
        foreign_same + foreign_other,
    );
    Ok(if strayed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the digest of each seed here, and in another process.
fn twice(chosen: &[Chosen]) -> Result<Vec<(u64, u64)>> {
    let seeds = || chosen.iter().map(|chosen| &chosen.seed);
    let other = Command::new(std::env::current_exe()?)
        .arg("--digests")
        .args(seeds())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the other process")?;
    let here = seeds().map(|seed| digest_of(seed)).collect::<Result<Vec<u64>>>()?;
    let output = other.wait_with_output().context("the other process")?;
    let there = String::from_utf8(output.stdout)?;
    let there = there.lines().map(|line| u64::from_str_radix(line, 16)).collect::<Result<Vec<u64>, _>>()?;
    if there.len() != here.len() {
        bail!("the other process did {} of {} seeds: {}", there.len(), here.len(), output.status);
    }
    Ok(here.into_iter().zip(there).collect())
}

/// Drawn anew each time, so that in the end every seed is done again.
fn random() -> Random {
    let mut bytes = [0; 8];
    OsEntropy.fill(&mut bytes);
    Random::new(u64::from_le_bytes(bytes))
}

/// True if this program has the figure and the subject of a recorded run.
fn is_known(id: &str) -> bool {
    id.split_once('-').is_some_and(|(figure, subject)| {
        GATE_CASES.iter().any(|(known, _)| *known == figure) && makers(Some(subject)).is_ok()
    })
}

/// Seeds whose traces were kept: of this code if there are any, else of other code.
fn chosen_traces(kept: Vec<Trace>, code: &str, percent: f64, random: &mut Random) -> Vec<Chosen> {
    let (mut own, mut foreign): (Vec<Trace>, Vec<Trace>) =
        kept.into_iter().filter(|trace| is_known(&trace.id)).partition(|trace| trace.code == code);
    random.shuffle(&mut own);
    random.shuffle(&mut foreign);
    let most = (TRACES_MAX as f64 * percent.min(1.0)).ceil() as usize;
    let chosen = own.into_iter().chain(foreign).take(most);
    chosen
        .map(|trace| Chosen { seed: format!("{}-{}", trace.id, trace.seed), recorded: Some(trace) })
        .collect()
}

/// Seeds at random of every recorded run of a simulated figure.
fn chosen_seeds(recorded: &[Recorded], percent: f64, random: &mut Random) -> Result<Vec<Chosen>> {
    let mut chosen = Vec::new();
    for run in recorded.iter().filter(|run| is_known(&run.id)) {
        let Some((figure, subject)) = run.id.split_once('-') else { continue };
        // How many seeds a run had was not kept; it follows from how many cases the first ones have.
        let mut tally = Tally::default();
        for seed in run.seed..run.seed + SEEDS_OF_MEAN {
            tally.begin(seed);
            figures_named(Some(figure))?[0].run(&*makers(Some(subject))?[0], seed, &mut tally);
        }
        let seeds = (run.cases * SEEDS_OF_MEAN / tally.cases.max(1)).max(1);
        let share = (seeds as f64 * percent / 100.0).ceil() as u64;
        chosen.extend((0..share).map(|_| {
            let seed = format!("{}-{}", run.id, run.seed + random.below(seeds));
            Chosen { seed, recorded: None }
        }));
    }
    random.shuffle(&mut chosen);
    Ok(chosen)
}

/// Prints what each of these seeds comes to.
pub(super) fn digests(seeds: &[String]) -> Result<ExitCode> {
    for seed in seeds {
        println!("{:016x}", digest_of(seed)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the digest of a seed, named by figure, subject and number.
fn digest_of(seed: &str) -> Result<u64> {
    let mut parts = seed.splitn(3, '-');
    let (Some(figure), Some(subject), Some(number)) = (parts.next(), parts.next(), parts.next()) else {
        bail!("{seed} is no figure-subject-seed");
    };
    let (figures, makers) = (figures_named(Some(figure))?, makers(Some(subject))?);
    Ok(figures::digest(&*figures[0], &*makers[0], number.parse()?))
}
