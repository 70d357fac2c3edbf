use platform::simulated::{CrashPolicy, Random};

use super::*;
use crate::subjects::{Flaw, Toy};

/// Problems of some crashes of one long and one small life.
fn problems(maker: &dyn Maker, seed: u64) -> Vec<String> {
    let mut random = Random::stream(seed, "test");
    let shape = if random.percent(50) { Shape::small(&mut random) } else { Shape::long(&mut random) };
    let workload = Workload::new(shape, Random::stream(seed, "workload"));
    let mut life = Life::new(maker, seed).unwrap();
    if let Err(problem) = guarded(|| life.work(workload)) {
        return vec![problem.to_string()];
    }
    let mut problems = Vec::new();
    let images = life.images();
    for _ in 0..8 {
        let Some((image, past)) = images.get(random.index(images.len().max(1))) else { break };
        let policy = CrashPolicy::random(&mut random);
        match Survivor::start(maker, image.crash(&mut random, policy), seed + 1) {
            Ok(survivor) => problems.extend(survivor.judge(past).problems),
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    problems
}

#[test]
fn a_subject_that_is_right_is_found_right() {
    let found: Vec<String> = (0..60).flat_map(|seed| problems(&Toy::default(), seed)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_flaw_is_found() {
    for flaw in Flaw::ALL {
        let toy = Toy { flaw: Some(flaw) };
        let caught = (0..60).any(|seed| !problems(&toy, seed).is_empty());
        assert!(caught, "{flaw:?} was not found");
    }
}

#[test]
fn a_life_goes_on_after_a_crash() {
    let toy = Toy::default();
    let mut random = Random::stream(1, "test");
    let mut life = Life::new(&toy, 1).unwrap();
    for generation in 0..4 {
        let shape = Shape::long(&mut random);
        life.work(Workload::new(shape, Random::stream(generation, "workload"))).unwrap();
        let (image, past) = life.images().pop().unwrap();
        let policy = CrashPolicy::random(&mut random);
        let survivor = Survivor::start(&toy, image.crash(&mut random, policy), 100 + generation).unwrap();
        let judged = survivor.judge(&past);
        assert!(judged.problems.is_empty(), "{judged:#?}");
        life = survivor.revive(&past);
    }
}
