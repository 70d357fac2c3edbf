//! R8 with small extents: the log fills on a full disk, then every message is got alone.
//!
//! Each get needs room for a record, so checkpoints must free extents all the time, and each of them writes a
//! segment where the disk takes no other. Gets go on until every queue is empty, and puts go on within a
//! second of room.
//!
//! Lives elsewhere: the figure in which units of work and power cuts are (`r8`).

use std::time::Duration;

use platform::simulated::{Images, Random};

use super::Tally;
use super::full_disk::Limit;
use crate::torture::{Life, Maker, Problem, QUEUES, Step, guarded};

/// The client that puts, and the one that gets.
const PUTTER: u32 = 1;
const GETTER: u32 = 2;
/// Messages that are there when the disk fills up: they take more than one extent, and some are in the store.
const BEFORE: (u64, u64) = (400, 3_000);
/// Most puts that fill the log: more than it holds.
const PUTS_MAX: u64 = 6_000;
const BODY_BYTES: (u64, u64) = (200, 1_000);
/// Calls between two times that the host does its housekeeping.
const CALLS_A_TICK: u64 = 20;
/// Time between these.
const TICK: Duration = Duration::from_millis(10);
/// Gets between two tries of the putter, which puts whenever it can, and how many it puts then.
const GETS_A_TRY: u64 = 50;
const PUTS_A_TRY: u64 = 5;
/// With room, a second is not over when the put is tried that must succeed.
const TICKS_OF_HEALING: u32 = 9;
const TICK_OF_HEALING: Duration = Duration::from_millis(100);

/// The message that is got next.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// The oldest, so that one segment of the store after the other is empty.
    OldestFirst,
    /// By priority, from any queue: every segment keeps some to the end.
    Scattered,
}

pub(super) fn run(maker: &dyn Maker, seed: u64, tally: &mut Tally) {
    let Some(maker) = maker.of_small_extents() else { return };
    let mut random = Random::stream(seed, "R8 emptied");
    let order = *random.pick(&[Order::OldestFirst, Order::Scattered]);
    let (mut life, limit) = match guarded(|| filled(&*maker, seed, order, &mut random)) {
        Ok(full) => full,
        Err(problem) => return tally.fail("at work until a log of small extents is full", &problem),
    };
    tally.note(life.machine().disk.trace_digest());
    if tally.next(life.features()) {
        let done = guarded(|| emptied(&mut life, order, &mut random));
        tally.judge(
            || format!("a log of small extents, emptied {order:?} on a disk of {limit:?}"),
            done.err().iter().map(ToString::to_string).collect(),
        );
    }
}

fn put(order: Order, random: &mut Random) -> Step {
    let length = random.between(BODY_BYTES.0, BODY_BYTES.1);
    let (queue, priority) = match order {
        Order::OldestFirst => (0, 4),
        Order::Scattered => (random.index(QUEUES), *random.pick(&[0, 4, 4, 9])),
    };
    Step::Put {
        client: PUTTER,
        queue,
        priority,
        persistent: true,
        in_unit: false,
        length: usize::try_from(length).expect("fits"),
        is_later: false,
    }
}

fn tick(life: &mut Life) -> Result<(), Problem> {
    life.machine().clock.advance(TICK);
    life.step(Step::Housekeep)
}

/// Puts until the disk is full and one is refused. By bytes in every second seed, by files in the others.
fn filled(maker: &dyn Maker, seed: u64, order: Order, random: &mut Random) -> Result<(Life, Limit), Problem> {
    let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
    life.machine().disk.keep_images(Images::None);
    life.step(Step::Housekeep)?;
    let before = random.between(BEFORE.0, BEFORE.1);
    let mut limit = None;
    for number in 0..PUTS_MAX {
        if number == before {
            let now = Limit::present(&life.machine().disk, seed.is_multiple_of(2));
            now.set(&life.machine().disk);
            limit = Some(now);
        }
        life.step(put(order, random))?;
        if number % CALLS_A_TICK == 0 {
            tick(&mut life)?;
        }
        if let Some(limit) = limit.filter(|_| life.refused_puts() > 0) {
            return Ok((life, limit));
        }
    }
    Err(Problem::Wrong("the log has room without end".to_owned()))
}

fn emptied(life: &mut Life, order: Order, random: &mut Random) -> Result<(), Problem> {
    let mut got = 0;
    loop {
        let full = Vec::from_iter((0..QUEUES).filter(|queue| life.has_messages(*queue)));
        if full.is_empty() {
            break;
        }
        life.step(Step::Get { client: GETTER, queue: *random.pick(&full), in_unit: false })
            .map_err(|problem| Problem::Wrong(format!("get {got}: {problem}")))?;
        got += 1;
        if got % CALLS_A_TICK == 0 {
            tick(life)?;
        }
        if got % GETS_A_TRY == 0 {
            for _ in 0..PUTS_A_TRY {
                life.step(put(order, random))?;
            }
        }
    }
    Limit::lift(&life.machine().disk);
    for _ in 0..TICKS_OF_HEALING {
        life.machine().clock.advance(TICK_OF_HEALING);
        life.step(Step::Housekeep)?;
    }
    let refused = life.refused_puts();
    life.step(put(order, random))?;
    if life.refused_puts() > refused {
        let after = TICK_OF_HEALING * TICKS_OF_HEALING;
        return Err(Problem::Wrong(format!("a put is refused {after:?} after there was room")));
    }
    life.settle()
}
