//! R8: the disk fills up while clients are at work, and has room again later.
//!
//! Puts are refused and nothing else is: gets, commits and backouts go on, the subject does not fail, and when there is room it puts
//! again without a restart. What was acknowledged survives a power cut at any moment of it, and a restart on the full disk
//! succeeds or says that it needs room, and changes nothing.
//!
//! In every second seed the disk is full when the log has the extents that it always has, in the others as soon as it has the first.
//! With that alone, which is being filled, no checkpoint frees anything: where the disk takes no other, a get may be refused in the
//! end. Commits and backouts may not.

use platform::simulated::{CrashPolicy, Random};

use super::{Figure, Tally};
use crate::torture::{
    Features, Life, Maker, Past, Problem, Put, Refusal, Shape, Survivor, Workload, guarded,
};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R8;

/// Power cuts tried of each workload.
const CUTS: usize = 6;
/// Most that the disk has left when it begins to fill up.
const ROOM_BYTES_MAX: u64 = 3 << 20;
/// The same where it is too little for a second extent.
const ROOM_EARLY_BYTES_MAX: u64 = 512 << 10;

impl Figure for R8 {
    fn id(&self) -> &'static str {
        "R8"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "R8");
        let mut life = match guarded(|| Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))) {
            Ok(life) => life,
            Err(problem) => return fail(tally, "at the first start", &problem),
        };
        let is_early = !seed.is_multiple_of(2);
        if !is_early {
            life.subject().housekeep();
        }
        let disk = life.machine().disk.clone();
        let used: u64 = disk.files().iter().map(|(_, length)| length).sum();
        let room = random.below(if is_early { ROOM_EARLY_BYTES_MAX } else { ROOM_BYTES_MAX });
        let capacity = used + room;
        if is_early {
            life.fill_early(capacity);
        } else {
            disk.set_capacity(Some(capacity));
        }
        let shape = Shape { steps: random.between(100, 300), ..Shape::lapping(&mut random) };
        let shape = if random.percent(50) { Shape { gets: 25, ..shape } } else { shape };
        let worked = guarded(|| life.work(Workload::new(shape, Random::stream(seed, "workload"))));
        tally.note(disk.trace_digest());
        if let Err(problem) = worked {
            return fail(tally, "at work on a disk that fills up", &problem);
        }
        let images = life.images();
        for _ in 0..CUTS.min(images.len()) {
            let (image, past) = random.pick(&images);
            let policy = CrashPolicy::random(&mut random);
            let cut = image.crash(&mut random, policy);
            let entropy = random.next_u64();
            if tally.next(past.features) {
                let problems = restart_full(maker, cut, capacity, past, entropy);
                tally.judge(|| format!("cut by {policy:?} with {capacity} bytes of disk"), problems);
            }
        }
        disk.set_capacity(None);
        if tally.next(life.present().features) {
            let healed = guarded(|| heal(&mut life));
            tally.judge(
                || "after there was room again".to_owned(),
                healed.err().iter().map(ToString::to_string).collect(),
            );
        }
    }
}

/// Starts on the full disk, and where that needs room, once there is some.
fn restart_full(
    maker: &dyn Maker,
    cut: platform::simulated::SimulatedDisk,
    capacity: u64,
    past: &Past,
    entropy: u64,
) -> Vec<String> {
    cut.set_capacity(Some(capacity));
    match Survivor::start(maker, cut.clone(), entropy) {
        Ok(survivor) => return survivor.judge(past).problems,
        Err(Problem::Ended(refusal)) if refusal.contains("no room") => {}
        Err(problem) => return vec![problem.to_string()],
    }
    cut.set_capacity(None);
    match Survivor::start(maker, cut, entropy) {
        Ok(survivor) => survivor.judge(past).problems,
        Err(problem) => vec![format!("after a refusal for lack of room: {problem}")],
    }
}

/// With room again a put succeeds, after the housekeeping that finds the room.
fn heal(life: &mut Life) -> Result<(), Problem> {
    life.settle()?;
    let subject = life.subject();
    let put = Put { queue: 0, priority: 4, persistent: true, in_unit: false, body: vec![7; 10_000] };
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

fn fail(tally: &mut Tally, what: &str, problem: &Problem) {
    if tally.next(Features::default()) {
        tally.judge(|| what.to_owned(), vec![problem.to_string()]);
    }
}
