//! R8 without a full disk: a unit of work keeps the log until puts are refused, and no timer takes a
//! checkpoint.
//!
//! When the unit ends, or stays open and is backed out for that, puts go on within a second. What was put is
//! there.

use std::time::Duration;

use platform::simulated::{Images, Random};

use super::Tally;
use crate::torture::{Life, Maker, Problem, Step, guarded};

/// The client whose unit keeps the log, and the one that fills it.
const HOLDER: u32 = 1;
const FILLER: u32 = 2;
/// Most puts that fill the log: more than it holds.
const PUTS_MAX: u64 = 3_000;
/// The unit begins after fewer puts than these.
const BEFORE_MAX: u64 = 80;
const BODY_BYTES: usize = 4_000;
/// A second is not over when the put is tried that must succeed.
const TICKS: u32 = 9;
const TICK: Duration = Duration::from_millis(100);

/// The end of the unit.
#[derive(Clone, Copy, Debug)]
enum UnitEnd {
    Commit,
    Backout,
    /// The queue manager backs it out.
    Revoked,
}

pub(super) fn run(maker: &dyn Maker, seed: u64, tally: &mut Tally) {
    let Some(maker) = maker.without_timer() else { return };
    let mut random = Random::stream(seed, "R8 refused puts");
    let mut life = match guarded(|| filled(&*maker, seed, &mut random)) {
        Ok(life) => life,
        Err(problem) => return tally.fail("at work until the log is full", &problem),
    };
    let end = *random.pick(&[UnitEnd::Commit, UnitEnd::Backout, UnitEnd::Revoked]);
    tally.note(life.machine().disk.trace_digest());
    if tally.next(life.features()) {
        let done = guarded(|| goes_on(&mut life, end));
        tally.judge(
            || format!("a unit that kept the log: {end:?}"),
            done.err().iter().map(ToString::to_string).collect(),
        );
    }
}

fn put(client: u32, queue: usize, in_unit: bool, length: usize) -> Step {
    Step::Put { client, queue, priority: 4, persistent: true, in_unit, length, is_later: false }
}

/// Puts and gets of one client behind a unit of work of another, until a put is refused.
fn filled(maker: &dyn Maker, seed: u64, random: &mut Random) -> Result<Life, Problem> {
    let mut life = Life::new(maker, seed).map_err(|failure| Problem::Ended(failure.0))?;
    life.machine().disk.keep_images(Images::None);
    life.step(Step::Housekeep)?;
    let (begin, in_units) = (random.below(BEFORE_MAX), random.percent(50));
    for number in 0..PUTS_MAX {
        if number == begin {
            for _ in 0..random.between(1, 20) {
                life.step(put(HOLDER, 0, true, BODY_BYTES / 4))?;
            }
        }
        life.step(put(FILLER, 1, in_units, BODY_BYTES))?;
        let is_refused = life.refused_puts() > 0;
        if !is_refused {
            life.step(Step::Get { client: FILLER, queue: 1, in_unit: in_units })?;
        }
        life.step(Step::Commit { client: FILLER })?;
        if is_refused {
            return Ok(life);
        }
    }
    Err(Problem::Wrong("the log has room without end".to_owned()))
}

fn goes_on(life: &mut Life, end: UnitEnd) -> Result<(), Problem> {
    match end {
        UnitEnd::Commit => life.step(Step::Commit { client: HOLDER })?,
        UnitEnd::Backout => life.step(Step::Backout { client: HOLDER })?,
        UnitEnd::Revoked => {}
    }
    for _ in 0..TICKS {
        life.machine().clock.advance(TICK);
        life.step(Step::Housekeep)?;
    }
    let refused = life.refused_puts();
    life.step(put(FILLER, 1, false, BODY_BYTES))?;
    if life.refused_puts() > refused {
        let after = TICK * TICKS;
        return Err(Problem::Wrong(format!("a put is refused {after:?} after the unit that kept the log")));
    }
    life.empty()
}
