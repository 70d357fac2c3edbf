//! R6: a file rots while nobody looks. A start gives everything, or says of each message that cannot be read that it cannot, or
//! refuses and names the file. It never gives a wrong byte, and never fewer messages in silence.
//!
//! One thing a single copy cannot tell: damage to the last write of the log, or a log file put back to what it was before
//! its last writes, looks like a write that a power loss cut off. Such cases must leave an earlier state whole, and are counted
//! apart (`tails`).

use std::path::{Path, PathBuf};

use platform::simulated::{CrashPolicy, Operation, OperationKind, Random, Rot, SimulatedDisk, Survival};

use super::{Figure, Tally};
use crate::history::body;
use crate::torture::{Life, Maker, Past, Problem, QUEUES, Shape, Survivor, Workload, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R6;

/// Damages tried on what one workload left.
const DAMAGES: usize = 12;
const BLOCK_BYTES: u64 = 4096;

impl Figure for R6 {
    fn id(&self) -> &'static str {
        "R6"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "R6");
        let shape = match seed % 3 {
            0 => Shape::varied(&mut random),
            1 => Shape::long(&mut random),
            _ => Shape::lapping(&mut random),
        };
        let lived = guarded(|| {
            let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
            life.machine().disk.keep_versions();
            life.machine().disk.keep_operations();
            life.work(Workload::new(shape, Random::stream(seed, "workload")))?;
            life.settle()?;
            Ok(life)
        });
        let life = match lived {
            Ok(life) => life,
            Err(problem) => {
                if tally.next(crate::torture::Features::default()) {
                    tally.judge(|| "at work".to_owned(), vec![problem.to_string()]);
                }
                return;
            }
        };
        let disk = life.machine().disk.clone();
        tally.note(disk.trace_digest());
        let rest = AtRest { maker, past: life.present(), last_write: last_write(&disk.operations()) };
        let image = disk.image();
        drop(life);
        for _ in 0..DAMAGES {
            let survival = if random.percent(50) { Survival::Everything } else { Survival::Nothing };
            let rotten = image.crash(&mut random, CrashPolicy::surviving(survival));
            let files = rotten.files();
            let (path, length) = random.pick(&files).clone();
            let rot = draw(length, &mut random);
            let entropy = random.next_u64();
            if !rotten.rot(&path, rot) || !tally.next(rest.past.features) {
                continue;
            }
            let problems = rest.problems(rotten, &path, rot, entropy, tally);
            tally.judge(|| format!("{rot:?} of {} ({length} bytes)", path.display()), problems);
        }
    }
}

/// Where the last durable write of the log went.
#[derive(Debug)]
struct LastWrite {
    path: PathBuf,
    from: u64,
    to: u64,
}

fn last_write(operations: &[Operation]) -> Option<LastWrite> {
    let write = operations.iter().rev().find(|operation| operation.kind == OperationKind::WriteDurable)?;
    Some(LastWrite { path: write.path.clone(), from: write.offset, to: write.offset + write.length })
}

/// One damage that can happen to a file of this length.
fn draw(length: u64, random: &mut Random) -> Rot {
    let blocks = length.div_ceil(BLOCK_BYTES).max(1);
    // The beginning of files is where most of what they say is.
    let block = |random: &mut Random| {
        if random.percent(40) { random.below(blocks.min(40)) } else { random.below(blocks) }
    };
    let back = usize::try_from(random.between(1, 6)).expect("small");
    match random.below(8) {
        0 | 1 => {
            let byte = block(random) * BLOCK_BYTES + random.below(BLOCK_BYTES);
            Rot::FlipBit(byte.min(length.saturating_sub(1)) * 8 + random.below(8))
        }
        2 => Rot::ZeroBlock(block(random)),
        3 => Rot::SwapBlocks(block(random), block(random)),
        4 => Rot::Misdirect(block(random), block(random)),
        5 => Rot::OldBlock { block: block(random), back },
        6 => Rot::RollBack { back },
        _ => Rot::Truncate(random.below(length.max(1))),
    }
}

struct AtRest<'a> {
    maker: &'a dyn Maker,
    past: Past,
    last_write: Option<LastWrite>,
}

impl AtRest<'_> {
    fn problems(
        &self,
        disk: SimulatedDisk,
        path: &Path,
        rot: Rot,
        entropy: u64,
        tally: &mut Tally,
    ) -> Vec<String> {
        let survivor = match Survivor::start(self.maker, disk, entropy) {
            Ok(survivor) => survivor,
            Err(Problem::Ended(refusal)) if names(&refusal, path) => return Vec::new(),
            // A file from yesterday is whole in itself; what it speaks of and is not there any more is what can be named.
            Err(Problem::Ended(refusal))
                if matches!(rot, Rot::RollBack { .. } | Rot::OldBlock { .. })
                    && refusal.contains(".seg is missing") =>
            {
                return Vec::new();
            }
            Err(Problem::Ended(refusal)) => {
                return vec![format!("the refusal does not name the file: {refusal}")];
            }
            Err(problem) => return vec![problem.to_string()],
        };
        let differences = self.differences(&survivor);
        if differences.is_empty() {
            return Vec::new();
        }
        if self.looks_like_a_torn_tail(path, rot) && self.is_an_earlier_state(&survivor) {
            tally.tails += 1;
            return Vec::new();
        }
        differences
    }

    /// Every message in its place, itself or known to be damaged.
    fn differences(&self, survivor: &Survivor) -> Vec<String> {
        let mut differences = Vec::new();
        for (queue, found) in survivor.found().iter().enumerate().take(QUEUES) {
            let expected = self.past.model.committed(queue);
            if found.len() != expected.len() {
                differences.push(format!(
                    "Q{queue} has {} messages of {} and says nothing",
                    found.len(),
                    expected.len()
                ));
                continue;
            }
            for (found, expected) in found.iter().zip(expected) {
                if let Ok(bytes) = found
                    && body::identity(bytes) != Some(expected)
                {
                    differences.push(format!("Q{queue} gives {:?} for {expected:?}", body::identity(bytes)));
                }
            }
        }
        differences
    }

    fn looks_like_a_torn_tail(&self, path: &Path, rot: Rot) -> bool {
        let Some(last) = self.last_write.as_ref().filter(|last| last.path == path) else { return false };
        let hit = |block: u64| (block + 1) * BLOCK_BYTES > last.from && block * BLOCK_BYTES < last.to;
        match rot {
            Rot::FlipBit(bit) => hit(bit / 8 / BLOCK_BYTES),
            Rot::ZeroBlock(block) | Rot::OldBlock { block, .. } | Rot::Misdirect(_, block) => hit(block),
            Rot::SwapBlocks(one, other) => hit(one) || hit(other),
            Rot::RollBack { .. } => true,
            Rot::Truncate(_) => false,
        }
    }

    fn is_an_earlier_state(&self, survivor: &Survivor) -> bool {
        let earlier = Past { floor: 0, events: Vec::new(), ..self.past.clone() };
        survivor.judge_state(&earlier).is_empty()
    }
}

/// Whether a refusal names the file that was damaged.
fn names(refusal: &str, path: &Path) -> bool {
    path.file_name().is_some_and(|name| refusal.contains(&*name.to_string_lossy()))
}
