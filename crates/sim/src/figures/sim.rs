//! SIM: the engine with its agents, clients and links, while links break at any byte and the power fails; then healed.

use super::{Figure, Tally};
use crate::network::simulate;
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
        let course = match guarded(|| Ok(simulate(seed))) {
            Ok(course) => course,
            Err(Problem::Ended(what) | Problem::Wrong(what)) => {
                crate::network::Course { problems: vec![what], ..Default::default() }
            }
        };
        if !tally.next(course.features) {
            return;
        }
        tally.note(course.digest);
        let text = || format!("{} cuts, {} crashes; {}", course.cuts, course.crashes, course.verdict);
        tally.judge(text, course.problems.clone());
    }
}
