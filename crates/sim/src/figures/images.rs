//! IMAGES: a queue manager takes media images on its own while it works, and the power fails at any place,
//! while one is taken, too. What a start finds is judged as in R1. In most cases manifest and store are lost
//! besides, and the start is led back to an image: with the log since it must find the same, whichever of the
//! images that count it is.
//!
//! Lives elsewhere: images that somebody takes, and files that rot (`r6::images`).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use platform::Disk;
use platform::simulated::{CrashPolicy, Machine, Random, SimulatedDisk};
use storage::copy;
use storage::images::{self, Within};

use super::{Figure, Tally};
use crate::torture::{Features, Life, Maker, Past, Problem, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct AutomaticImages;

/// Workloads of a seed. After each so much time passes that an image is due once something is logged.
const WORKLOADS: u64 = 4;
const INTERVAL: Duration = Duration::from_secs(60);
/// Power cuts of what they left.
const CUTS: usize = 24;
/// In so many percent of them nothing but the power is lost.
const POWER_ALONE_PERCENT: u8 = 25;

impl Figure for AutomaticImages {
    fn id(&self) -> &'static str {
        "IMAGES"
    }

    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.taking_images().is_some()
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let Some(maker) = maker.taking_images() else { return };
        let mut random = Random::stream(seed, "automatic images");
        let mut life = match guarded(|| lived(&*maker, seed, &mut random)) {
            Ok(life) => life,
            Err(problem) => {
                if tally.next(Features::default()) {
                    tally.judge(|| "at work".to_owned(), vec![problem.to_string()]);
                }
                return;
            }
        };
        tally.note(life.machine().disk.trace_digest());
        let left = life.images();
        drop(life);
        for _ in 0..CUTS {
            let (image, past) = random.pick(&left);
            let policy = CrashPolicy::random(&mut random);
            let disk = image.crash(&mut random, policy);
            let (entropy, loses_store) = (random.next_u64(), !random.percent(POWER_ALONE_PERCENT));
            let chosen = images::list(&disk).expect("a healthy disk");
            let chosen = Some(chosen).filter(|found| loses_store && !found.is_empty());
            let chosen = chosen.map(|found| *random.pick(&found));
            if !tally.next(past.features) {
                continue;
            }
            tally.led_back += u64::from(chosen.is_some());
            let judged = guarded(|| Ok(problems(&*maker, disk, past, chosen, entropy)));
            let problems = judged.unwrap_or_else(|problem| vec![problem.to_string()]);
            tally.judge(
                || format!("{policy:?} after {} events, image {chosen:?}", past.events.len()),
                problems,
            );
        }
    }
}

/// Work, with images in between.
fn lived(maker: &dyn Maker, seed: u64, random: &mut Random) -> Result<Life, Problem> {
    let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
    for workload in 0..WORKLOADS {
        let shape = if random.percent(50) { Shape::varied(random) } else { Shape::storing(random) };
        life.work(Workload::new(shape, Random::stream(seed, &format!("workload {workload}"))))?;
        life.machine().clock.advance(INTERVAL);
    }
    Ok(life)
}

/// Returns the faults that a start finds, led back to an image if one is chosen.
fn problems(
    maker: &dyn Maker,
    disk: SimulatedDisk,
    past: &Past,
    chosen: Option<u64>,
    entropy: u64,
) -> Vec<String> {
    if let Some(generation) = chosen {
        let world = Machine::with_disk(disk.clone(), entropy).world();
        lose_all_but_log_and_images(&*world.disk);
        let image = Within::new(Arc::clone(&world.disk), images::path(generation));
        if let Err(error) = copy::recover(&*world.disk, &image, &mut |_| {}) {
            return vec![format!("the image does not help: {error}")];
        }
    }
    match Survivor::start(maker, disk, entropy) {
        Ok(survivor) => survivor.judge(past).problems,
        Err(problem) => vec![problem.to_string()],
    }
}

fn lose_all_but_log_and_images(disk: &dyn Disk) {
    let store = Path::new("store");
    let segments = disk.list(store).expect("a healthy disk").into_iter().map(|name| store.join(name));
    let manifests = ["manifest.0", "manifest.1"].map(|name| Path::new(name).to_owned());
    for path in segments.chain(manifests) {
        // A young queue manager has one manifest.
        let _absent = disk.remove(&path);
    }
}
