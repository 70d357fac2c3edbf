//! `fuzz-gate [--seconds N] [--seed N] [TARGET…]`: mutations of the corpus at every target for a set time.

mod mutation;

use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use fuzz::{TARGETS, Target};
use platform::simulated::random::Random;

struct Options {
    seconds: u64,
    seed: u64,
    targets: Vec<Target>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failures) => {
            eprintln!("{failures} targets failed");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("fuzz-gate: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options> {
    let mut options = Options { seconds: 60, seed: 1, targets: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Result<u64> {
            let value = arguments.next().with_context(|| format!("{argument} needs a number"))?;
            value.parse().with_context(|| format!("{argument} needs a number, not {value}"))
        };
        match argument.as_str() {
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            name => match TARGETS.iter().find(|(target, _)| *target == name) {
                Some(target) => options.targets.push(*target),
                None => bail!("no target is called {name}; these are: {}", names()),
            },
        }
    }
    if options.targets.is_empty() {
        options.targets.extend(TARGETS);
    }
    Ok(options)
}

fn names() -> String {
    TARGETS.map(|(name, _)| name).join(" ")
}

/// Runs the targets one after the other, each for its share of the time; how many failed.
fn run(options: &Options) -> Result<usize> {
    let share = Duration::from_secs(options.seconds) / u32::try_from(options.targets.len())?;
    // The input that breaks a decoder is what matters, not the backtrace of each.
    panic::set_hook(Box::new(|_| {}));
    let mut failures = 0;
    for (name, target) in &options.targets {
        let corpus = corpus(name)?;
        let mut random = Random::stream(options.seed, name);
        let started = Instant::now();
        match torment(*target, &corpus, &mut random, started + share) {
            Ok(runs) => println!("{name}: {runs} inputs from {} seeds, no fault", corpus.len()),
            Err(input) => {
                failures += 1;
                let kept = keep(name, &input)?;
                println!("{name}: FAILED; the input is {}", kept.display());
            }
        }
    }
    Ok(failures)
}

/// Feeds the corpus, then mutations of it until `until`; the count, or the first input that made the target
/// panic.
fn torment(
    target: fn(&[u8]),
    corpus: &[Vec<u8>],
    random: &mut Random,
    until: Instant,
) -> Result<u64, Vec<u8>> {
    let survives = |input: &[u8]| panic::catch_unwind(|| target(input)).is_ok();
    let mut runs = 0;
    for input in corpus {
        if !survives(input) {
            return Err(input.clone());
        }
        runs += 1;
    }
    while Instant::now() < until {
        for _ in 0..100 {
            let mut input = random.pick(corpus).clone();
            mutation::mutate(&mut input, &corpus[random.index(corpus.len())], random);
            if !survives(&input) {
                return Err(input);
            }
            runs += 1;
        }
    }
    Ok(runs)
}

fn folder(kind: &str, target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(kind).join(target)
}

/// The seeds of a target, in the order of their names, so that a run repeats.
fn corpus(target: &str) -> Result<Vec<Vec<u8>>> {
    let folder = folder("corpus", target);
    let entries =
        std::fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    if paths.is_empty() {
        bail!("{} holds no seeds", folder.display());
    }
    paths.iter().map(|path| Ok(std::fs::read(path)?)).collect()
}

fn keep(target: &str, input: &[u8]) -> Result<PathBuf> {
    let folder = folder("artifacts", target);
    std::fs::create_dir_all(&folder)?;
    let path = folder
        .join(format!("{:08x}", input.iter().fold(0_u32, |sum, byte| sum.rotate_left(5) ^ u32::from(*byte))));
    std::fs::write(&path, input)?;
    Ok(path)
}
