//! R1: the power fails at every place of small workloads and at random places of long ones; any part of what
//! was under way survives.

use std::collections::BTreeSet;

use platform::simulated::{CrashPolicy, DiskImage, Random, Survival};

use super::{Figure, Tally};
use crate::torture::{Life, Maker, Past, Problem, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R1;

/// Images with at most so many unstable units are tried with every subset of them.
const UNITS_EXHAUSTIVE_MAX: usize = 4;
/// Draws for an image of a small workload with more.
const DRAWS_SMALL: usize = 10;
/// Images of a long workload that are tried, and draws for each.
const IMAGES_LONG: usize = 24;
const DRAWS_LONG: usize = 2;

impl Figure for R1 {
    fn id(&self) -> &'static str {
        "R1"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "R1");
        let mut life = match guarded(|| Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))) {
            Ok(life) => life,
            Err(problem) => return fail(tally, seed, "the first start", &problem),
        };
        let generations = random.between(1, 3);
        for generation in 1..=generations {
            let small = seed % 4 < 2;
            let shape = match seed % 4 {
                0 | 1 => Shape::small(&mut random),
                2 => Shape::long(&mut random),
                _ if seed % 8 == 3 => Shape::storing(&mut random),
                _ => Shape::lapping(&mut random),
            };
            let shape = shape.waiting(&mut random).preparing(&mut random);
            let shape = shape.delaying(&mut Random::stream(seed, &format!("delays {generation}")));
            let workload = Workload::new(shape, Random::stream(seed, &format!("workload {generation}")));
            if let Err(problem) = guarded(|| life.work(workload)) {
                return fail(tally, seed, &format!("at work in life {generation}"), &problem);
            }
            tally.note(life.machine().disk.trace_digest());
            let images = life.images();
            if images.is_empty() {
                return;
            }
            if small {
                for (image, past) in &images {
                    crash_small(maker, seed, (image, past), &mut random, tally);
                }
            } else {
                for _ in 0..IMAGES_LONG {
                    let (image, past) = random.pick(&images);
                    let policies: Vec<CrashPolicy> =
                        (0..DRAWS_LONG).map(|_| CrashPolicy::random(&mut random)).collect();
                    crash(maker, seed, (image, past), &policies, &mut random, tally);
                }
            }
            let (image, past) = random.pick(&images);
            let disk = image.crash(&mut random.clone(), CrashPolicy::random(&mut random));
            match Survivor::start(maker, disk, seed ^ (generation << 32)) {
                Ok(survivor) => life = survivor.revive(past),
                Err(problem) => {
                    return fail(tally, seed, &format!("the restart after life {generation}"), &problem);
                }
            }
        }
    }
}

fn crash_small(
    maker: &dyn Maker,
    seed: u64,
    image: (&DiskImage, &Past),
    random: &mut Random,
    tally: &mut Tally,
) {
    let units = image.0.units();
    let mut policies: Vec<CrashPolicy> = Vec::new();
    if units <= UNITS_EXHAUSTIVE_MAX {
        policies.extend((0..1 << units).map(|index| CrashPolicy::surviving(Survival::Index(index))));
    } else {
        policies.extend([Survival::Nothing, Survival::Everything].map(CrashPolicy::surviving));
        policies.extend((0..DRAWS_SMALL).map(|_| CrashPolicy::random(random)));
    }
    crash(maker, seed, image, &policies, random, tally);
}

/// Crashes one image in several ways, each distinct one a case.
fn crash(
    maker: &dyn Maker,
    seed: u64,
    (image, past): (&DiskImage, &Past),
    policies: &[CrashPolicy],
    random: &mut Random,
    tally: &mut Tally,
) {
    let mut tried = BTreeSet::new();
    for policy in policies {
        let disk = image.crash(random, *policy);
        if !tried.insert(disk.fate()) || !tally.next(past.features) {
            continue;
        }
        let problems = match Survivor::start(maker, disk, seed ^ 0x5EED) {
            Ok(survivor) => survivor.judge(past).problems,
            Err(problem) => vec![problem.to_string()],
        };
        tally.judge(|| format!("{policy:?} after {} events", past.events.len()), problems);
    }
}

/// A life that cannot go on is a case that failed.
fn fail(tally: &mut Tally, seed: u64, what: &str, problem: &Problem) {
    if tally.next(crate::torture::Features::default()) {
        tally.judge(|| format!("seed {seed}: {what}"), vec![problem.to_string()]);
    }
}
