//! R8: the disk fills up while clients are at work, by bytes or by files, and has room again later.
//!
//! Puts are refused and nothing else is: gets, commits and backouts go on, the subject does not fail, every
//! queue can be emptied, and when there is room it puts again without a restart. What was acknowledged
//! survives a power cut at any moment of it, and a restart on the full disk succeeds or says that it needs
//! room, and changes nothing.
//!
//! In every second seed the disk is full when the log has the extents that it always has, in the others as
//! soon as it has the first. With that alone, which is being filled, no checkpoint frees anything: where the
//! disk takes no other, a get may be refused in the end. Commits and backouts may not.
//!
//! Lives elsewhere: a log that is full on a disk that is not (`refused_puts`), and one of small extents that
//! is emptied by single gets (`emptied`).

use platform::simulated::{CrashPolicy, Images, Random, SimulatedDisk};

use super::full_disk::Limit;
use super::{Figure, Tally, emptied, refused_puts};
use crate::torture::{Life, Maker, Past, Problem, Put, Refusal, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R8;

/// Power cuts tried of each workload.
const CUTS: usize = 6;

impl Figure for R8 {
    fn id(&self) -> &'static str {
        "R8"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "R8");
        let mut life = match guarded(|| Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))) {
            Ok(life) => life,
            Err(problem) => return tally.fail("at the first start", &problem),
        };
        let is_early = !seed.is_multiple_of(2);
        if !is_early {
            life.subject().housekeep();
        }
        let disk = life.machine().disk.clone();
        let limit = Limit::draw(&disk, is_early, &mut random);
        limit.set(&disk);
        if is_early {
            life.note_full_early();
        }
        let shape = Shape { steps: random.between(100, 300), ..Shape::lapping(&mut random) };
        let shape = if random.percent(50) { Shape { gets: 25, ..shape } } else { shape };
        let worked = guarded(|| life.work(Workload::new(shape, Random::stream(seed, "workload"))));
        tally.note(disk.trace_digest());
        if let Err(problem) = worked {
            return tally.fail("at work on a disk that fills up", &problem);
        }
        let images = life.images();
        for _ in 0..CUTS.min(images.len()) {
            let (image, past) = random.pick(&images);
            let policy = CrashPolicy::random(&mut random);
            let cut = image.crash(&mut random, policy);
            let entropy = random.next_u64();
            if tally.next(past.features) {
                let problems = restart_full(maker, cut, limit, past, entropy);
                tally.judge(|| format!("cut by {policy:?} on a disk of {limit:?}"), problems);
            }
        }
        disk.keep_images(Images::None);
        if !is_early && tally.next(life.features()) {
            let emptied = guarded(|| life.empty());
            tally.judge(
                || format!("emptied on a disk of {limit:?}"),
                emptied.err().iter().map(ToString::to_string).collect(),
            );
        }
        Limit::lift(&disk);
        if tally.next(life.features()) {
            let healed = guarded(|| heal(&mut life));
            tally.judge(
                || "after there was room again".to_owned(),
                healed.err().iter().map(ToString::to_string).collect(),
            );
        }
        drop(life);
        refused_puts::run(maker, seed, tally);
        emptied::run(maker, seed, tally);
    }
}

/// Starts on the full disk, and where that needs room, once there is some.
fn restart_full(
    maker: &dyn Maker,
    cut: SimulatedDisk,
    limit: Limit,
    past: &Past,
    entropy: u64,
) -> Vec<String> {
    limit.set(&cut);
    match Survivor::start(maker, cut.clone(), entropy) {
        Ok(survivor) => return survivor.judge(past).problems,
        Err(Problem::Ended(refusal)) if refusal.contains("no room") => {}
        Err(problem) => return vec![problem.to_string()],
    }
    Limit::lift(&cut);
    match Survivor::start(maker, cut, entropy) {
        Ok(survivor) => survivor.judge(past).problems,
        Err(problem) => vec![format!("after a refusal for lack of room: {problem}")],
    }
}

/// With room again a put succeeds, after the housekeeping that finds the room.
fn heal(life: &mut Life) -> Result<(), Problem> {
    life.settle()?;
    let subject = life.subject();
    let put = Put {
        queue: 0,
        priority: 4,
        persistent: true,
        in_unit: false,
        body: vec![7; 10_000],
        is_later: false,
    };
    for _ in 0..20 {
        subject.housekeep();
        subject.checkpoint(true);
        let answer = subject.put(99, &put);
        match answer.result {
            Ok(()) => return Ok(()),
            Err(Refusal::NoRoom) => {}
            Err(refusal) => return Err(Problem::Wrong(format!("a put was answered {refusal:?}"))),
        }
    }
    Err(Problem::Wrong("puts are refused for lack of room although there is some".to_owned()))
}
