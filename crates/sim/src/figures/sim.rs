//! SIM: the engine with its agents, clients and links, while links break at any byte and the power fails; then healed.
//! SIM-AMQP: the same with clients of AMQP among them, or alone.

use super::{Figure, Tally};
use crate::network::{Course, simulate, simulate_amqp};
use crate::torture::{Maker, Problem, guarded};

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sim;

impl Figure for Sim {
    fn id(&self) -> &'static str {
        "SIM"
    }

    /// It brings its own queue manager.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        judge(tally, || simulate(seed));
    }
}

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimAmqp;

impl Figure for SimAmqp {
    fn id(&self) -> &'static str {
        "SIM-AMQP"
    }

    /// It brings its own queue manager.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        judge(tally, || simulate_amqp(seed));
    }
}

/// Simulates a seed and judges it.
fn judge(tally: &mut Tally, simulate: impl FnOnce() -> Course) {
    let course = match guarded(|| Ok(simulate())) {
        Ok(course) => course,
        Err(Problem::Ended(what) | Problem::Wrong(what)) => {
            Course { problems: vec![what], ..Course::default() }
        }
    };
    if !tally.next(course.features) {
        return;
    }
    tally.note(course.digest);
    let text = || format!("{} cuts, {} crashes; {}", course.cuts, course.crashes, course.verdict);
    tally.judge(text, course.problems.clone());
}
