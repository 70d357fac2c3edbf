//! R7: the n-th call on the disk fails, once or from then on, for n = 1, 2, 3 … until the run is not touched
//! any more.
//!
//! At work: what was acknowledged is there after the power is cut; and when only the process ends, so that
//! the next one reads from memory what a failed flush never made stable, what that next one showed is there
//! after the power is cut under it. Half of these runs are on a file system that refuses direct writes, where
//! that is so for the log as well. At a restart: it succeeds or says why not, and the next one, with nothing
//! failing, is right.

use platform::simulated::{
    CrashPolicy, DiskImage, Failure, Fault, OperationKind, Random, Repeat, SimulatedDisk,
};

use super::{Figure, Tally};
use crate::torture::{Features, Life, Maker, Past, Problem, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R7;

/// More calls of one kind than any of these runs makes: a run that is touched this often does not end.
const CALLS_MAX: u64 = 2000;
/// The first calls are tried one by one; later ones with growing steps, so that one seed does not take all
/// the time.
const CALLS_EACH: u64 = 24;

impl Figure for R7 {
    fn id(&self) -> &'static str {
        "R7"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "R7");
        let plan = Plan {
            maker,
            seed,
            shape: Shape::varied(&mut random).waiting(&mut random),
            kind: *random.pick(&OperationKind::ALL),
            failure: *random.pick(&Failure::ALL),
            repeat: if random.percent(50) { Repeat::Once } else { Repeat::Sticky },
        };
        match seed % 4 {
            0 => plan.each(|nth| plan.at_restart(nth, &mut random, tally)),
            1 => plan.each(|nth| plan.at_creation(nth, tally)),
            _ => plan.each(|nth| plan.at_work(nth, &mut random, tally)),
        }
    }
}

struct Plan<'a> {
    maker: &'a dyn Maker,
    seed: u64,
    shape: Shape,
    kind: OperationKind,
    failure: Failure,
    repeat: Repeat,
}

impl Plan<'_> {
    /// Tries one call after the other until none is touched.
    fn each(&self, mut touched: impl FnMut(u64) -> bool) {
        let mut nth = 1;
        while nth < CALLS_MAX && touched(nth) {
            nth += 1 + nth / CALLS_EACH;
        }
    }

    fn fault(&self, nth: u64) -> Fault {
        Fault { kind: Some(self.kind), nth, failure: self.failure, repeat: self.repeat }
    }

    fn what(&self, when: &str, nth: u64) -> String {
        format!("{when}, call {nth} of kind {:?} fails with {:?}, {:?}", self.kind, self.failure, self.repeat)
    }

    fn workload(&self) -> Workload {
        Workload::new(self.shape.clone(), Random::stream(self.seed, "workload"))
    }

    /// Runs the workload; true if the fault struck.
    fn at_work(&self, nth: u64, random: &mut Random, tally: &mut Tally) -> bool {
        let mut life = match guarded(|| {
            Life::new(self.maker, self.seed).map_err(|failure| Problem::Ended(failure.0))
        }) {
            Ok(life) => life,
            Err(problem) => {
                self.judge(tally, Features::default(), "at the first start", nth, vec![problem.to_string()]);
                return false;
            }
        };
        let disk = life.machine().disk.clone();
        disk.refuse_direct_writes(self.seed % 8 >= 4);
        disk.plan(self.fault(nth));
        let worked = guarded(|| life.work(self.workload()).and_then(|()| life.settle()));
        tally.note(disk.trace_digest());
        if disk.failures() == 0 {
            return false;
        }
        let past = life.present();
        let image = disk.image();
        let mut problems = Vec::new();
        if let Err(problem @ Problem::Wrong(_)) = worked {
            problems.push(problem.to_string());
        }
        // The subject's handles close before its successor starts.
        drop(life);
        let policy = CrashPolicy::random(random);
        problems.extend(started(self.maker, image.crash(random, policy), &past, random).0);
        problems.extend(self.ended_and_cut(&image, &past, random));
        self.judge(tally, past.features, "at work", nth, problems);
        true
    }

    /// The process ends, the next one starts on the same running machine, and then the power is cut.
    fn ended_and_cut(&self, image: &DiskImage, past: &Past, random: &mut Random) -> Vec<String> {
        let (mut problems, shown) = started(self.maker, image.restarted(), past, random);
        let Some(shown) = shown else { return problems };
        let policy = CrashPolicy::random(random);
        let cut = shown.machine().disk.crash(random, policy);
        match Survivor::start(self.maker, cut, random.next_u64()) {
            Ok(survivor) if survivor.found() == shown.found() => {}
            Ok(_) => {
                problems.push("what a restart had shown was not there after the power was cut".to_owned())
            }
            Err(problem) => problems.push(format!("after a restart and a power cut: {problem}")),
        }
        problems
    }

    fn at_restart(&self, nth: u64, random: &mut Random, tally: &mut Tally) -> bool {
        let lived = guarded(|| {
            let mut life = Life::new(self.maker, self.seed).map_err(|failure| Problem::Ended(failure.0))?;
            life.work(self.workload())?;
            Ok(life)
        });
        let life = match lived {
            Ok(life) => life,
            Err(problem) => {
                self.judge(tally, Features::default(), "before the restart", nth, vec![problem.to_string()]);
                return false;
            }
        };
        let past = life.present();
        let policy = CrashPolicy::random(&mut Random::stream(self.seed, "crash"));
        let disk = life.machine().disk.crash(&mut Random::stream(self.seed, "survivors"), policy);
        disk.plan(self.fault(nth));
        let result = Survivor::start(self.maker, disk.clone(), self.seed);
        tally.note(disk.trace_digest());
        if disk.failures() == 0 {
            return false;
        }
        let mut problems = Vec::new();
        match result {
            Ok(survivor) => {
                // What could not be read by plan is no loss: the next start reads it.
                if survivor.found().iter().flatten().all(Result::is_ok) {
                    problems.extend(survivor.judge(&past).problems);
                }
            }
            Err(Problem::Ended(_)) => {}
            Err(problem) => problems.push(problem.to_string()),
        }
        problems.extend(self.ended_and_cut(&disk.image(), &past, random));
        self.judge(tally, past.features, "at a restart", nth, problems);
        true
    }

    /// A queue manager that could not be made can be made again, or was made.
    fn at_creation(&self, nth: u64, tally: &mut Tally) -> bool {
        let disk = SimulatedDisk::new(self.seed);
        disk.plan(self.fault(nth));
        let machine = platform::simulated::Machine::with_disk(disk.clone(), self.seed);
        let made = guarded(|| Ok(self.maker.create(&machine.world())));
        if disk.failures() == 0 {
            return false;
        }
        disk.clear_plan();
        let problems = match made {
            Err(problem) => vec![problem.to_string()],
            Ok(_) => {
                let again = guarded(|| Ok(self.maker.create(&machine.world())));
                let opened = guarded(|| {
                    let opened = self.maker.open(&machine.world());
                    opened.map(drop).map_err(|failure| Problem::Ended(failure.0))
                });
                opened
                    .err()
                    .map(|problem| format!("made again with {again:?}, then: {problem}"))
                    .into_iter()
                    .collect()
            }
        };
        self.judge(tally, Features::default(), "at creation", nth, problems);
        true
    }

    fn judge(&self, tally: &mut Tally, features: Features, when: &str, nth: u64, problems: Vec<String>) {
        if tally.next(features) {
            tally.judge(|| self.what(when, nth), problems);
        }
    }
}

/// Starts on a disk with nothing failing and judges.
fn started(
    maker: &dyn Maker,
    disk: SimulatedDisk,
    past: &Past,
    random: &mut Random,
) -> (Vec<String>, Option<Survivor>) {
    match Survivor::start(maker, disk, random.next_u64()) {
        Ok(survivor) => (survivor.judge(past).problems, Some(survivor)),
        Err(problem) => (vec![problem.to_string()], None),
    }
}
