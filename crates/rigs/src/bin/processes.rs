//! Tortures the `ferry` it is given, and the programs at work with it: kills, power cuts, full disks, cut
//! lines, clocks, start times.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use rigs::{
    Outcome, Size, bound, channels, clocks, full, health, kills, limits, many_clients, power, quotas,
    security, slow_disk, slow_readers, soak, starts,
};
use testing::results::{self, Line};

/// Tortures a `ferry` on this machine.
#[derive(Debug, Parser)]
struct Options {
    /// The figure, or a layer of it: R3, R3-random, R3-exact, …; all of them unless given.
    #[arg(long)]
    id: Option<String>,
    /// The program.
    #[arg(long)]
    ferry: PathBuf,
    /// Where the choices come from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of cases of each layer; the gate's number unless given.
    #[arg(long, visible_alias = "seeds")]
    cases: Option<u64>,
    /// Begin no case after so much time, for each layer.
    #[arg(long)]
    minutes: Option<f64>,
    /// Do a tenth of the gate's cases.
    #[arg(long)]
    quick: bool,
    /// Where the files of the queue managers go; a temporary directory unless given.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Add a line for each layer to this file.
    #[arg(long)]
    results: Option<PathBuf>,
    /// Commit to record there.
    #[arg(long, default_value = "unknown")]
    commit: String,
}

/// A way of torturing, and how many cases of it are the gate's.
type Layer = (&'static str, u64, fn(&std::path::Path, &std::path::Path, Size) -> Outcome);

const LAYERS: [Layer; 36] = [
    ("M2", 1, quotas::held),
    ("O2", 0, health::probes),
    ("R3-random", 30, kills::at_random),
    ("R3-exact", 10, kills::at_system_calls),
    ("R4-ext4", 20, power::cuts),
    ("R8-ext4", 8, full::disks),
    ("R11-pair", 4, channels::between_two),
    ("R11-chain", 1, channels::in_a_chain),
    ("R11-ring", 1, channels::in_a_ring),
    ("R11-idle", 0, channels::idle),
    ("R11-full", 0, channels::full_beside_good),
    ("R13-kills", 20, bound::kills),
    ("R13-scribbles", 20, bound::scribbles),
    ("R14", 0, soak::hours),
    ("R15", 0, many_clients::connections),
    ("R16", 0, slow_readers::subscribers),
    ("R17", 0, limits::of_the_system),
    ("R18-faketime", 3, clocks::steps),
    ("R19", 0, slow_disk::disks),
    ("R20", 0, starts::times),
    ("S3", 200, security::rude::frames),
    ("S4-short", 0, security::strangers::in_two_seconds),
    ("S4-shipped", 0, security::strangers::in_ten_seconds),
    ("S5", 1, security::sizes::too_long),
    ("S6-taken", 2, security::changes::rights_taken),
    ("S7", 0, security::logins::guesses),
    ("S8", 0, security::covers::handshakes),
    ("S8-rotation", 0, security::changes::keys_rotated),
    ("S9", 0, security::secrets::canaries),
    ("S10", 0, security::lines::injected),
    ("S12", 1, security::bounds::at_the_limit),
    ("S13", 0, security::complexity::growth),
    ("S16-few", 1, security::returns::few),
    ("S16-floods", 0, security::floods::a_minute),
    ("S16-floods-short", 1, security::floods::some_seconds),
    ("S16-many", 0, security::returns::five_hundred),
];

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let ferry = options.ferry.canonicalize().with_context(|| options.ferry.display().to_string())?;
    let chosen: Vec<&Layer> = LAYERS.iter().filter(|(id, ..)| is_meant(options.id.as_deref(), id)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = LAYERS.iter().map(|(id, ..)| *id).collect();
        bail!("there is no such figure; there are {}", known.join(", "));
    }
    let mut failed = false;
    for (id, gate, torture) in chosen {
        let cases = options.cases.unwrap_or_else(|| if options.quick { gate.div_ceil(10) } else { *gate });
        if cases == 0 {
            // Too long for the gate: it is done when it is asked for.
            println!("{id}: SKIPPED, which is not a pass: ask for it with --id {id} --cases 1");
            continue;
        }
        let temporary = tempfile::Builder::new().prefix("ferry-torture-").tempdir()?;
        let folder = options.folder.as_deref().unwrap_or_else(|| temporary.path());
        let begun = Instant::now();
        let until = options.minutes.map(|minutes| begun + Duration::from_secs_f64(minutes * 60.0));
        let outcome = torture(&ferry, folder, Size { seed: options.seed, cases, until });
        let seconds = begun.elapsed().as_secs_f64();
        show(id, &outcome, seconds);
        failed |= !outcome.failures.is_empty();
        if !outcome.failures.is_empty() && options.folder.is_none() {
            println!("  files kept in {}", temporary.keep().display());
        }
        if let Some(path) = options.results.as_deref().filter(|_| outcome.cases > 0) {
            let line = Line {
                id,
                seed: options.seed,
                cases: outcome.cases,
                failures: outcome.failures.len() as u64,
                seconds,
                commit: &options.commit,
            };
            results::add(path, &line)?;
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// True if `--id` means this layer: by its name, or by the figure it belongs to.
fn is_meant(asked: Option<&str>, id: &str) -> bool {
    asked.is_none_or(|asked| id == asked || id.strip_prefix(asked).is_some_and(|rest| rest.starts_with('-')))
}

fn show(id: &str, outcome: &Outcome, seconds: f64) {
    if outcome.cases > 0 || outcome.skipped.is_none() {
        println!("{id}: {} cases, {} failures, {seconds:.1} s", outcome.cases, outcome.failures.len());
    }
    for note in &outcome.notes {
        println!("  {note}");
    }
    for failure in &outcome.failures {
        println!("  FAILED {failure}");
    }
    if let Some(what) = &outcome.skipped {
        println!("{id}: SKIPPED, which is not a pass: it needs {what}");
    }
}
