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

use super::{Figure, Tally, emptied, refused_puts};
use crate::torture::{Life, Maker, Past, Problem, Put, Refusal, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R8;

/// Power cuts tried of each workload.
const CUTS: usize = 6;
/// Most that the disk has left when it begins to fill up.
const ROOM_BYTES_MAX: u64 = 3 << 20;
/// The same where it is too little for a second extent.
const ROOM_EARLY_BYTES_MAX: u64 = 512 << 10;
/// In so many percent of the seeds it runs out of files.
const FILES_PERCENT: u8 = 40;
/// Most files that the disk has left then, where the log has the extents that it always has.
const ROOM_FILES_MAX: u64 = 4;

/// Most that the disk can hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Bytes(u64),
    Files(usize),
}

impl Limit {
    fn draw(disk: &SimulatedDisk, is_early: bool, random: &mut Random) -> Self {
        let files = disk.files();
        // Drawn in any case, so that the rest of a seed is the same in both.
        let room = random.below(if is_early { ROOM_EARLY_BYTES_MAX } else { ROOM_BYTES_MAX });
        if !Random::stream(room, "R8 limit").percent(FILES_PERCENT) {
            return Self::Bytes(files.iter().map(|(_, length)| length).sum::<u64>() + room);
        }
        let left = if is_early { 0 } else { room % ROOM_FILES_MAX };
        Self::Files(files.len() + usize::try_from(left).expect("few"))
    }

    /// No byte more than the disk holds, or no file.
    pub(super) fn present(disk: &SimulatedDisk, is_of_bytes: bool) -> Self {
        let files = disk.files();
        if is_of_bytes {
            Self::Bytes(files.iter().map(|(_, length)| length).sum())
        } else {
            Self::Files(files.len())
        }
    }

    pub(super) fn set(self, disk: &SimulatedDisk) {
        match self {
            Self::Bytes(bytes) => disk.set_capacity(Some(bytes)),
            Self::Files(files) => disk.set_files_max(Some(files)),
        }
    }

    pub(super) fn lift(disk: &SimulatedDisk) {
        disk.set_capacity(None);
        disk.set_files_max(None);
    }
}

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
