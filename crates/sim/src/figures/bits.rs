//! BITS: a bit flips in the body of a message that waits, in the log or in the store, after an orderly end,
//! a kill or a power cut. A start gives all other messages in their places, and says of that one that it
//! cannot be read.
//!
//! Bodies of all sizes, by the message and by the bit: half of the flips are in any message, half in any
//! bit.
//!
//! Lives elsewhere: files that rot in other ways (`r6`).

use std::path::PathBuf;

use platform::simulated::{CrashPolicy, Images, Random, Rot, SimulatedDisk, Survival};

use super::{Figure, Tally};
use crate::torture::{Found, Life, Maker, Problem, QUEUES, Step, Survivor, guarded};

/// The figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bits;

/// Bits flipped, one after the other, in what one workload left.
const FLIPS: usize = 12;
/// Calls of a workload.
const CALLS: u64 = 60;
const CLIENTS: u32 = 2;
/// The longest body is between this power of two and the next.
const LENGTH_POWER_MAX: u64 = 17;
/// Bytes on each side by which a place of a body is known in a file.
const AROUND: usize = 12;

impl Figure for Bits {
    fn id(&self) -> &'static str {
        "BITS"
    }

    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut random = Random::stream(seed, "BITS");
        let end = *random.pick(&[RunEnd::Orderly, RunEnd::Killed, RunEnd::PowerCut]);
        let life = match guarded(|| lived(maker, seed, end, &mut random)) {
            Ok(life) => life,
            Err(problem) => return tally.fail("at work", &problem),
        };
        tally.note(life.machine().disk.trace_digest());
        let features = life.features();
        let survival = if end == RunEnd::PowerCut { Survival::Nothing } else { Survival::Everything };
        let left = life.machine().disk.image();
        drop(life);
        let left = |random: &mut Random| left.crash(random, CrashPolicy::surviving(survival));
        let whole = match Survivor::start(maker, left(&mut random), seed) {
            Ok(survivor) => survivor.found().to_vec(),
            Err(problem) => return tally.fail("with every bit as it was", &problem),
        };
        for _ in 0..FLIPS {
            let disk = left(&mut random);
            let Some(target) = Target::draw(&whole, &mut random) else { return };
            let places = target.places(&disk, &whole);
            let (entropy, is_got) = (random.next_u64(), random.percent(50));
            if places.is_empty() || !tally.next(features) {
                continue;
            }
            for (path, byte) in &places {
                assert!(disk.rot(path, Rot::FlipBit(byte * 8 + target.bit)), "a bit that flips is another");
            }
            let problems = target.problems(maker, disk, &whole, entropy, is_got);
            tally.alone += u64::from(problems.is_empty());
            let Target { queue, place, byte, .. } = target;
            let length = whole[queue][place].as_ref().map_or(0, Vec::len);
            tally.judge(|| format!("byte {byte} of {length} in Q{queue}, {end:?}: {places:?}"), problems);
        }
    }
}

/// The end of the run before the bit flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunEnd {
    /// With a checkpoint.
    Orderly,
    /// Everything written is there, and nothing closes the log.
    Killed,
    /// The same of everything that was made durable.
    PowerCut,
}

/// Puts and gets messages of all sizes, alone and in units of work.
fn lived(maker: &dyn Maker, seed: u64, end: RunEnd, random: &mut Random) -> Result<Life, Problem> {
    let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
    life.machine().disk.keep_images(Images::None);
    for _ in 0..random.between(CALLS / 4, CALLS) {
        let client = 1 + u32::try_from(random.below(u64::from(CLIENTS))).expect("few");
        let (queue, in_unit) = (random.index(QUEUES), random.percent(30));
        life.step(match random.below(12) {
            0 => Step::Get { client, queue, in_unit },
            1 => Step::Commit { client },
            2 => Step::Drive,
            3 if random.percent(50) => Step::Checkpoint,
            3 => Step::Housekeep,
            _ => {
                let shortest = 1 << random.between(4, LENGTH_POWER_MAX);
                let length = usize::try_from(random.between(shortest, 2 * shortest - 1)).expect("fits");
                let priority = *random.pick(&[0, 4, 4, 9]);
                Step::Put { client, queue, priority, persistent: true, in_unit, length, is_later: false }
            }
        })?;
    }
    for client in 1..=CLIENTS {
        life.step(Step::Commit { client })?;
    }
    life.settle()?;
    if end == RunEnd::Orderly {
        life.step(Step::Checkpoint)?;
        life.settle()?;
    }
    Ok(life)
}

/// The bit of a message that flips.
struct Target {
    queue: usize,
    place: usize,
    byte: usize,
    bit: u64,
}

impl Target {
    /// One of any message, or of all bits.
    fn draw(whole: &[Vec<Found>], random: &mut Random) -> Option<Self> {
        let length = |found: &Found| found.as_ref().map_or(0, Vec::len);
        let messages: Vec<(usize, usize, usize)> = (whole.iter().enumerate())
            .flat_map(|(queue, found)| {
                found.iter().enumerate().map(move |(place, found)| (queue, place, length(found)))
            })
            .collect();
        if messages.is_empty() {
            return None;
        }
        let (queue, place, byte) = if random.percent(50) {
            let (queue, place, length) = *random.pick(&messages);
            (queue, place, random.below(length as u64) as usize)
        } else {
            let all: usize = messages.iter().map(|(_, _, length)| length).sum();
            let mut byte = random.below(all as u64) as usize;
            let hit = messages.iter().find(|(_, _, length)| {
                let is_hit = byte < *length;
                byte -= if is_hit { 0 } else { *length };
                is_hit
            });
            hit.map(|(queue, place, _)| (*queue, *place, byte))?
        };
        Some(Self { queue, place, byte, bit: random.below(8) })
    }

    /// Where the byte is in any file: in each copy of it, the one that counts among them. Nowhere, if a
    /// piece of the body ends too near for it to be known.
    fn places(&self, disk: &SimulatedDisk, whole: &[Vec<Found>]) -> Vec<(PathBuf, u64)> {
        let Ok(body) = &whole[self.queue][self.place] else { return Vec::new() };
        let begin = self.byte.saturating_sub(AROUND);
        let around = &body[begin..body.len().min(self.byte + AROUND)];
        let mut places = Vec::new();
        for (path, _) in disk.files() {
            let content = disk.content(&path).unwrap_or_default();
            let mut from = 0;
            while let Some(found) = find(&content[from..], around) {
                places.push((path.clone(), (from + found + self.byte - begin) as u64));
                from += found + 1;
            }
        }
        places
    }

    /// Starts on what the flip left, twice, and compares.
    fn problems(
        &self,
        maker: &dyn Maker,
        disk: SimulatedDisk,
        whole: &[Vec<Found>],
        entropy: u64,
        is_got: bool,
    ) -> Vec<String> {
        let start = if is_got { Survivor::start_and_drain } else { Survivor::start };
        let survivor = match start(maker, disk, entropy) {
            Ok(survivor) => survivor,
            Err(problem) => return vec![problem.to_string()],
        };
        let mut problems = self.differences(&survivor, whole);
        if survivor.told().is_some_and(|told| told != 1) {
            problems.push(format!("it told of {:?} messages", survivor.told()));
        }
        if !is_got && problems.is_empty() {
            let again = survivor.machine().disk.image().without_crash();
            match Survivor::start(maker, again, entropy) {
                Ok(survivor) => problems.extend(self.differences(&survivor, whole)),
                Err(problem) => problems.push(format!("a second time: {problem}")),
            }
        }
        problems
    }

    /// Every message in its place but the one that was hit, which is known not to be what it was.
    fn differences(&self, survivor: &Survivor, whole: &[Vec<Found>]) -> Vec<String> {
        let mut differences = Vec::new();
        for (queue, (found, whole)) in survivor.found().iter().zip(whole).enumerate() {
            if found.len() != whole.len() {
                differences.push(format!("Q{queue} has {} messages of {}", found.len(), whole.len()));
                continue;
            }
            for (place, (found, whole)) in found.iter().zip(whole).enumerate() {
                let is_hit = (queue, place) == (self.queue, self.place);
                match found {
                    Err(_) if is_hit => {}
                    Ok(_) if !is_hit && found == whole => {}
                    Ok(_) => {
                        differences.push(format!("message {place} of Q{queue} is given with other bytes"))
                    }
                    Err(refusal) => differences.push(format!("message {place} of Q{queue}: {refusal:?}")),
                }
            }
        }
        differences
    }
}

fn find(content: &[u8], wanted: &[u8]) -> Option<usize> {
    content.windows(wanted.len()).position(|bytes| bytes == wanted)
}
