//! R6: a file rots while nobody looks, or a sector of it cannot be read any more. A start gives everything,
//! or says of each message that cannot be read that it cannot, or refuses and names the file. It never gives
//! a wrong byte, and never fewer messages in silence.
//!
//! Each message that cannot be read is answered once, in its place, to the browser or the getter that reaches
//! it, and told of once; all others are given. That holds as well where a start, or the checkpoint that had
//! to use the log again, met it first. Some files rot while the subject works on.
//!
//! One thing a single copy cannot tell: damage to the last write of the log, or a log file put back to what
//! it was before its last writes, looks like a write that a power loss cut off. Such cases must leave an
//! earlier state whole, and are counted apart (`tails`).
//!
//! Lives elsewhere: what an image gives back (`images`).

mod images;

use std::path::{Path, PathBuf};

use platform::simulated::{
    CrashPolicy, Images, Operation, OperationKind, Random, Rot, SimulatedDisk, Survival,
};
use testing::history::{MessageIdentity, body};

use super::{Figure, Tally};
use crate::torture::{
    Found, Life, Maker, Past, Problem, QUEUES, Refusal, Shape, Survivor, Workload, guarded,
};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct R6;

/// Of so many percent of the seeds files rot while the subject works, one in each of so many lives.
const AT_WORK_PERCENT: u8 = 25;
const LIVES_AT_WORK: usize = 6;
/// Damages tried on what one workload left.
const DAMAGES: usize = 12;
/// Sectors made unreadable after those.
const UNREADABLE: usize = 3;
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
        let lived = || {
            guarded(|| {
                let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
                life.machine().disk.keep_images(Images::None);
                life.machine().disk.keep_versions();
                life.machine().disk.keep_operations();
                life.work(Workload::new(shape.clone(), Random::stream(seed, "workload")))?;
                life.settle()?;
                Ok(life)
            })
        };
        let is_at_work = random.percent(AT_WORK_PERCENT);
        for _ in 0..if is_at_work { LIVES_AT_WORK } else { 1 } {
            match lived() {
                Ok(life) if is_at_work => at_work(maker, life, &mut random, tally),
                Ok(life) => at_rest(maker, life, seed, &mut random, tally),
                Err(problem) => {
                    if tally.next(crate::torture::Features::default()) {
                        tally.judge(|| "at work".to_owned(), vec![problem.to_string()]);
                    }
                }
            }
        }
        images::run(maker, seed, tally);
    }
}

fn at_rest(maker: &dyn Maker, life: Life, seed: u64, random: &mut Random, tally: &mut Tally) {
    let disk = life.machine().disk.clone();
    tally.note(disk.trace_digest());
    let rest = AtRest { maker, past: life.present(), last_write: last_write(&disk.operations()) };
    let image = disk.image();
    drop(life);
    let mut of_sectors = Random::stream(seed, "R6 sectors");
    for damage in 0..DAMAGES + UNREADABLE {
        let is_sector = damage >= DAMAGES;
        let random = if is_sector { &mut of_sectors } else { &mut *random };
        let survival = if random.percent(50) { Survival::Everything } else { Survival::Nothing };
        let rotten = image.crash(random, CrashPolicy::surviving(survival));
        let (path, length, mut rot) = drawn(&rotten, random);
        if is_sector {
            rot = Rot::Unreadable(block_of(length, random));
        }
        let entropy = random.next_u64();
        let is_got = entropy.is_multiple_of(2);
        if !rotten.rot(&path, rot) || !tally.next(rest.past.features) {
            continue;
        }
        let problems = rest.problems(rotten, (&path, rot), (entropy, is_got), tally);
        tally.judge(|| format!("{rot:?} of {} ({length} bytes)", path.display()), problems);
    }
}

/// A file rots, and the log is used again and again.
fn at_work(maker: &dyn Maker, mut life: Life, random: &mut Random, tally: &mut Tally) {
    let disk = life.machine().disk.clone();
    let (path, length, rot) = drawn(&disk, random);
    let rots = life.rot(&path, rot);
    let workload = Workload::new(Shape::lapping(random), Random::new(random.next_u64()));
    let worked = guarded(|| life.work(workload).and_then(|()| life.settle()));
    tally.note(disk.trace_digest());
    let rest = AtRest { maker, past: life.present(), last_write: last_write(&disk.operations()) };
    let policy = CrashPolicy::surviving(Survival::Nothing);
    let entropy = random.next_u64();
    let is_got = entropy.is_multiple_of(2);
    // Drawn for a case that is passed over as well, so that those after it do the same alone.
    let rotten = disk.image().crash(random, policy);
    drop(life);
    if !rots || !tally.next(rest.past.features) {
        return;
    }
    let problems = match worked {
        Ok(()) => rest.problems(rotten, (&path, rot), (entropy, is_got), tally),
        Err(Problem::Ended(refusal)) if names(&refusal, &path) => Vec::new(),
        Err(problem) => vec![problem.to_string()],
    };
    tally.judge(|| format!("{rot:?} of {} ({length} bytes) at work", path.display()), problems);
}

/// A file of the disk, its length, and what may befall it.
fn drawn(disk: &SimulatedDisk, random: &mut Random) -> (PathBuf, u64, Rot) {
    let files = disk.files();
    let (path, length) = random.pick(&files).clone();
    let rot = draw(length, random);
    (path, length, rot)
}

/// Where the last block of the log went.
#[derive(Debug)]
struct LastWrite {
    path: PathBuf,
    from: u64,
    to: u64,
}

/// A file that is given a new place gets another page at its beginning, in a durable write too, and no block
/// by that.
fn last_write(operations: &[Operation]) -> Option<LastWrite> {
    let is_block =
        |operation: &&Operation| operation.kind == OperationKind::WriteDurable && operation.offset > 0;
    let write = operations.iter().rev().find(is_block)?;
    Some(LastWrite { path: write.path.clone(), from: write.offset, to: write.offset + write.length })
}

/// One damage that can happen to a file of this length.
fn draw(length: u64, random: &mut Random) -> Rot {
    let block = |random: &mut Random| block_of(length, random);
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

/// The beginning of files is where most of what they say is.
fn block_of(length: u64, random: &mut Random) -> u64 {
    let blocks = length.div_ceil(BLOCK_BYTES).max(1);
    if random.percent(40) { random.below(blocks.min(40)) } else { random.below(blocks) }
}

struct AtRest<'a> {
    maker: &'a dyn Maker,
    past: Past,
    last_write: Option<LastWrite>,
}

impl AtRest<'_> {
    /// The fault found when it starts, and is browsed or got empty.
    fn problems(
        &self,
        disk: SimulatedDisk,
        (path, rot): (&Path, Rot),
        (entropy, is_got): (u64, bool),
        tally: &mut Tally,
    ) -> Vec<String> {
        let start = if is_got { Survivor::start_and_drain } else { Survivor::start };
        let survivor = match start(self.maker, disk, entropy) {
            Ok(survivor) => survivor,
            Err(Problem::Ended(refusal)) if names(&refusal, path) => return Vec::new(),
            // A file from yesterday is whole in itself; what it speaks of and is not there any more is what
            // can be named.
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
        tally.told_at_start += survivor.told_at_start();
        let mut differences = self.differences(&survivor, out_of_order);
        let unread = survivor.found().iter().flatten().filter(|found| found.is_err()).count() as u64;
        if let Some(told) = survivor.told() {
            let passed_over = survivor.found().iter().flatten().filter_map(|found| found.as_ref().err());
            let passed_over = passed_over.filter(|refusal| **refusal != Refusal::SetAside);
            differences
                .extend(passed_over.map(|refusal| format!("answered as nobody is to be: {refusal:?}")));
            if told != unread {
                differences
                    .push(format!("{unread} messages cannot be read, and {told} times it told of one"));
            }
        }
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
    fn differences(
        &self,
        survivor: &Survivor,
        wrong: fn(&[Found], &[MessageIdentity]) -> Option<String>,
    ) -> Vec<String> {
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
            differences.extend(wrong(found, &expected).map(|what| format!("Q{queue}: {what}")));
        }
        differences
    }

    fn looks_like_a_torn_tail(&self, path: &Path, rot: Rot) -> bool {
        let Some(last) = self.last_write.as_ref().filter(|last| last.path == path) else { return false };
        let hit = |block: u64| (block + 1) * BLOCK_BYTES > last.from && block * BLOCK_BYTES < last.to;
        match rot {
            Rot::FlipBit(bit) => hit(bit / 8 / BLOCK_BYTES),
            Rot::ZeroBlock(block)
            | Rot::Unreadable(block)
            | Rot::OldBlock { block, .. }
            | Rot::Misdirect(_, block) => hit(block),
            Rot::SwapBlocks(one, other) => hit(one) || hit(other),
            Rot::RollBack { .. } => true,
            Rot::Truncate(_) => false,
        }
    }

    /// Blocks that were swapped may have been a torn tail and the body of a message.
    fn is_an_earlier_state(&self, survivor: &Survivor) -> bool {
        let earlier = Past { floor: 0, events: Vec::new(), ..self.past.clone() };
        survivor.may_be_of(&earlier)
    }
}

/// The first message that is neither in its place nor one of the damaged. Of a damaged one it is not always
/// told where it was.
fn out_of_place(found: &[Found], expected: &[MessageIdentity]) -> Option<String> {
    let mut damaged = found.iter().filter(|found| found.is_err()).count();
    let mut readable = found.iter().flatten().peekable();
    for expected in expected {
        if readable.next_if(|bytes| body::identity(bytes) == Some(*expected)).is_some() {
            continue;
        }
        let Some(left) = damaged.checked_sub(1) else {
            let given = readable.peek().map(|bytes| body::identity(bytes));
            return Some(format!("{given:?} for {expected:?}"));
        };
        damaged = left;
    }
    None
}

/// The first message that is not in its place, where there is as many as there should be. One that cannot be
/// read is in the place of what it was.
fn out_of_order(found: &[Found], expected: &[MessageIdentity]) -> Option<String> {
    let mut pairs = found.iter().zip(expected);
    let wrong = pairs.find_map(|(found, expected)| {
        let given = found.as_ref().ok().map(|bytes| body::identity(bytes));
        given.filter(|given| *given != Some(*expected)).map(|given| (given, expected))
    });
    wrong.map(|(given, expected)| format!("{given:?} for {expected:?}"))
}

/// True if a refusal names the file that was damaged.
fn names(refusal: &str, path: &Path) -> bool {
    path.file_name().is_some_and(|name| refusal.contains(&*name.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_message_may_be_told_of_elsewhere_and_no_other_may_be_missing() {
        let (bodies, identities): (Vec<_>, Vec<_>) =
            (1..=3).map(|sequence| body::make(1, sequence, 40)).unzip();
        let whole = |place: usize| Ok(bodies[place].clone());
        let damaged = || Err(Refusal::SetAside);
        for (found, is_right) in [
            (vec![whole(0), whole(1), whole(2)], true),
            (vec![whole(0), damaged(), whole(2)], true),
            (vec![whole(0), whole(2), damaged()], true),
            (vec![whole(1), whole(0), whole(2)], false),
            (vec![whole(0), whole(0), damaged()], false),
        ] {
            assert_eq!(out_of_place(&found, &identities).is_none(), is_right, "{found:?}");
        }
    }

    #[test]
    fn a_damaged_message_is_told_of_in_its_place() {
        let (bodies, identities): (Vec<_>, Vec<_>) =
            (1..=3).map(|sequence| body::make(1, sequence, 40)).unzip();
        let whole = |place: usize| Ok(bodies[place].clone());
        let damaged = || Err(Refusal::SetAside);
        for (found, is_right) in [
            (vec![whole(0), whole(1), whole(2)], true),
            (vec![whole(0), damaged(), whole(2)], true),
            (vec![whole(0), whole(2), damaged()], false),
            (vec![damaged(), whole(1), damaged()], true),
            (vec![whole(1), whole(0), whole(2)], false),
            (vec![whole(0), whole(0), damaged()], false),
        ] {
            assert_eq!(out_of_order(&found, &identities).is_none(), is_right, "{found:?}");
        }
    }
}
