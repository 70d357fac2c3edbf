//! R6 with images: a file of the store rots, and with an image and the log since nothing is lost. What a
//! queue manager that starts cannot read it gives back by RECOVER QLOCAL; one that does not start is led back
//! to the image. Without an image it says which of its messages are gone, as everywhere in R6.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::Disk;
use platform::simulated::{CrashPolicy, Images, Machine, Random, Rot, SimulatedDisk, Survival};
use storage::copy;
use storage::images::{self, Within};

use super::{AtRest, draw, names, out_of_place};
use crate::figures::Tally;
use crate::torture::{Life, Maker, Past, Problem, Shape, Survivor, Workload, guarded};

/// Of so many percent of the seeds the log is kept, and an image taken between two workloads.
const SEEDS_PERCENT: u8 = 30;
/// Of so many percent of the damages the image is there still.
const IMAGE_PERCENT: u8 = 75;
/// Damages tried on what one seed left.
const DAMAGES: usize = 8;

pub(super) fn run(maker: &dyn Maker, seed: u64, tally: &mut Tally) {
    let mut random = Random::stream(seed, "R6 with images");
    let Some(maker) = maker.keeping_its_log() else { return };
    if !random.percent(SEEDS_PERCENT) {
        return;
    }
    let life = match guarded(|| lived(&*maker, seed, &mut random)) {
        Ok(life) => life,
        Err(problem) => {
            if tally.next(crate::torture::Features::default()) {
                tally.judge(|| "at work, with an image".to_owned(), vec![problem.to_string()]);
            }
            return;
        }
    };
    tally.note(life.machine().disk.trace_digest());
    let (past, left) = (life.present(), life.machine().disk.image());
    drop(life);
    for _ in 0..DAMAGES {
        let disk = left.crash(&mut random, CrashPolicy::surviving(Survival::Everything));
        let case = Case { maker: &*maker, past: &past, has_image: random.percent(IMAGE_PERCENT) };
        let (drawn, entropy) = (drawn_in_store(&disk, &mut random), random.next_u64());
        let Some((path, rot)) = drawn.filter(|(path, rot)| disk.rot(path, *rot)) else { continue };
        if !tally.next(past.features) {
            continue;
        }
        let judged = guarded(|| Ok(case.judged(&disk, &path, entropy)));
        let Judged { problems, given_back } =
            judged.unwrap_or_else(|problem| Judged::of(vec![problem.to_string()]));
        tally.given_back += given_back;
        let beside = if case.has_image { "beside an image" } else { "without an image" };
        tally.judge(|| format!("{rot:?} of {} {beside}", path.display()), problems);
    }
}

/// Work, an image, and work again.
fn lived(maker: &dyn Maker, seed: u64, random: &mut Random) -> Result<Life, Problem> {
    let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
    life.machine().disk.keep_images(Images::None);
    life.work(Workload::new(Shape::lapping(random), Random::new(random.next_u64())))?;
    life.settle()?;
    let world = life.machine().world();
    images::take(&world.disk, world.clock.wall(), &mut |_| Ok(()))
        .map_err(|error| Problem::Wrong(error.to_string()))?;
    life.work(Workload::new(Shape::lapping(random), Random::new(random.next_u64())))?;
    life.settle()?;
    Ok(life)
}

/// The only image there is.
fn image_in(disk: &Arc<dyn Disk>) -> Within {
    let found = images::list(&**disk).expect("a healthy disk");
    Within::new(Arc::clone(disk), images::path(found[0]))
}

/// A segment of the store, and what befalls it.
fn drawn_in_store(disk: &SimulatedDisk, random: &mut Random) -> Option<(PathBuf, Rot)> {
    let is_segment = |path: &PathBuf| {
        path.starts_with("store") && path.extension().is_some_and(|extension| extension == "seg")
    };
    let segments: Vec<_> = disk.files().into_iter().filter(|(path, _)| is_segment(path)).collect();
    if segments.is_empty() {
        return None;
    }
    let (path, length) = random.pick(&segments).clone();
    Some((path, draw(length, random)))
}

/// Result of a case.
#[derive(Default)]
struct Judged {
    problems: Vec<String>,
    /// Messages that were damaged and came back.
    given_back: u64,
}

impl Judged {
    fn of(problems: Vec<String>) -> Self {
        Self { problems, given_back: 0 }
    }
}

struct Case<'a> {
    maker: &'a dyn Maker,
    past: &'a Past,
    has_image: bool,
}

impl Case<'_> {
    fn judged(&self, disk: &SimulatedDisk, path: &Path, entropy: u64) -> Judged {
        if !self.has_image {
            let world = Machine::with_disk(disk.clone(), entropy).world();
            for generation in images::list(&*world.disk).expect("a healthy disk") {
                images::remove(&*world.disk, generation).expect("a healthy disk");
            }
        }
        match Survivor::start(self.maker, disk.clone(), entropy) {
            Ok(survivor) => self.recovered(survivor),
            Err(Problem::Ended(refusal)) if names(&refusal, path) => match self.has_image {
                true => Judged::of(self.led_back(disk, entropy)),
                false => Judged::default(),
            },
            Err(problem) => Judged::of(vec![format!("the start does not name the file: {problem}")]),
        }
    }

    /// Judges the recovery of messages while the queue manager is at work.
    fn recovered(&self, mut survivor: Survivor) -> Judged {
        let mut problems = self.differences(&survivor);
        let damaged = survivor.found().iter().flatten().filter(|found| found.is_err()).count();
        let refusals = survivor.recover();
        problems.extend(self.differences(&survivor));
        match self.has_image {
            true => problems.extend(self.lost(&survivor)),
            false if damaged > 0 && refusals.is_empty() => {
                problems.push("messages are damaged, there is no image, and nobody is told".to_owned());
            }
            false => {}
        }
        let given_back = if self.has_image { damaged as u64 } else { 0 };
        Judged { problems, given_back }
    }

    /// Judges a restart from the image.
    fn led_back(&self, disk: &SimulatedDisk, entropy: u64) -> Vec<String> {
        let world = Machine::with_disk(disk.clone(), entropy).world();
        if let Err(error) = copy::recover(&*world.disk, &image_in(&world.disk), &mut |_| {}) {
            return vec![format!("the image does not help: {error}")];
        }
        match Survivor::start(self.maker, disk.clone(), entropy) {
            Ok(survivor) => {
                let mut problems = self.differences(&survivor);
                problems.extend(self.lost(&survivor));
                problems
            }
            Err(problem) => vec![format!("recovered from the image: {problem}")],
        }
    }

    fn differences(&self, survivor: &Survivor) -> Vec<String> {
        AtRest { maker: self.maker, past: self.past.clone(), last_write: None }
            .differences(survivor, out_of_place)
    }

    /// Every message is to be there whole.
    fn lost(&self, survivor: &Survivor) -> Vec<String> {
        let damaged = survivor.found().iter().flatten().filter_map(|found| found.as_ref().err());
        damaged.map(|refusal| format!("there is an image, and a message is not back: {refusal:?}")).collect()
    }
}
