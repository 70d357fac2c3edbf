//! R2: the power fails again while a restart is under way, up to three times; the outcome is that of one
//! undisturbed restart.
//!
//! One exception: where the first crash left a sector that cannot be read, a write of the disturbed restart
//! may make it readable again, and with it the last write before the crash, which nobody was told of. Such an
//! outcome must be right in itself.

use platform::simulated::{CrashPolicy, DiskImage, Images, Machine, Random, SimulatedDisk};

use super::{Figure, Tally};
use crate::torture::{Life, Maker, Past, Problem, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R2;

/// Crashes of the workload whose restart is disturbed.
const CRASHES: usize = 4;
/// Most disturbances of a restart in a row.
const DEPTH_MAX: u32 = 3;

impl Figure for R2 {
    fn id(&self) -> &'static str {
        "R2"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "R2");
        let shape = match seed % 3 {
            0 => Shape::small(&mut random),
            1 => Shape::long(&mut random),
            _ => Shape::lapping(&mut random),
        };
        let shape = shape.waiting(&mut random).preparing(&mut random);
        let worked = guarded(|| {
            let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
            life.work(Workload::new(shape, Random::stream(seed, "workload")))?;
            Ok(life)
        });
        let mut life = match worked {
            Ok(life) => life,
            Err(problem) => {
                if tally.next(crate::torture::Features::default()) {
                    tally.judge(|| "at work".to_owned(), vec![problem.to_string()]);
                }
                return;
            }
        };
        tally.note(life.machine().disk.trace_digest());
        let images = life.images();
        for _ in 0..CRASHES.min(images.len()) {
            let (image, past) = random.pick(&images);
            let policy = CrashPolicy::random(&mut random);
            let crashed = image.crash(&mut random, policy).image();
            match Survivor::start(maker, crashed.without_crash(), seed) {
                Ok(reference) => {
                    let unreadable = crashed.without_crash().has_unreadable();
                    let disturbed = Disturbed { maker, past, reference: &reference, unreadable };
                    disturbed.restart(&crashed, 1, &mut random, tally);
                }
                Err(problem) => {
                    if tally.next(past.features) {
                        tally.judge(|| format!("{policy:?}, undisturbed"), vec![problem.to_string()]);
                    }
                }
            }
        }
    }
}

struct Disturbed<'a> {
    maker: &'a dyn Maker,
    past: &'a Past,
    reference: &'a Survivor,
    /// True if the first crash left a sector that cannot be read.
    unreadable: bool,
}

impl Disturbed<'_> {
    /// Restarts, crashes at every changing call of it, and restarts each of those.
    fn restart(&self, crashed: &DiskImage, depth: u32, random: &mut Random, tally: &mut Tally) {
        // A decision about what is in doubt would be another past.
        let Ok(images) = images_of_start(self.maker, crashed.without_crash(), random.next_u64()) else {
            return;
        };
        let mut deeper = None;
        for (boundary, image) in &images {
            let policy = CrashPolicy::random(random);
            let again = image.crash(random, policy).image();
            let entropy = random.next_u64();
            if tally.next(self.past.features) {
                let what = || format!("disturbed {depth} times, last at call {boundary} by {policy:?}");
                tally.judge(what, self.problems(&again, entropy));
            }
            if random.percent(30) {
                deeper = Some(again);
            }
        }
        if depth < DEPTH_MAX
            && let Some(again) = deeper
        {
            self.restart(&again, depth + 1, random, tally);
        }
    }

    fn problems(&self, again: &DiskImage, entropy: u64) -> Vec<String> {
        match Survivor::start(self.maker, again.without_crash(), entropy) {
            Err(problem) => vec![problem.to_string()],
            Ok(survivor) => {
                let mut problems = survivor.judge(self.past).problems;
                if !self.unreadable && survivor.found() != self.reference.found() {
                    let counts = |survivor: &Survivor| -> Vec<usize> {
                        survivor.found().iter().map(Vec::len).collect()
                    };
                    let (now, then) = (counts(&survivor), counts(self.reference));
                    problems.push(format!(
                        "the outcome is not that of one undisturbed restart: {now:?} messages are there, {then:?} were",
                    ));
                }
                problems
            }
        }
    }
}

/// Starts a subject, which changes nothing but by its start, and leaves it: the disk at each changing call.
fn images_of_start(
    maker: &dyn Maker,
    disk: SimulatedDisk,
    seed: u64,
) -> Result<Vec<(u64, DiskImage)>, Problem> {
    guarded(|| {
        disk.keep_images(Images::Every);
        let machine = Machine::with_disk(disk, seed);
        let _started = maker.open(&machine.world()).map_err(|failure| Problem::Ended(failure.0))?;
        Ok(machine.disk.take_images())
    })
}
