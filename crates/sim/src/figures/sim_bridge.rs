//! SIM-BRIDGE: pipes between a queue manager and models of other systems, while links are cut, processes are
//! killed, stopped and doubled, and both sides crash; then mended.

use bridge::model::{Case, Planted, is_exactly_once, pairs, simulate};

use super::{Figure, Tally};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A case is a seed, which is dealt to one pair of a system and a direction.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimBridge;

impl Figure for SimBridge {
    fn id(&self) -> &'static str {
        "SIM-BRIDGE"
    }

    /// It brings its own queue manager.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let pairs = pairs();
        let (system, direction) = pairs[(seed % pairs.len() as u64) as usize];
        let case = Case { system, direction, seed, planted: Planted::Nothing };
        let verdict = guarded(|| Ok(simulate(case)));
        if !tally.next(Features::default()) {
            return;
        }
        let text = || format!("{system:?} {direction:?}");
        let problems = match verdict {
            Err(Problem::Ended(what) | Problem::Wrong(what)) => vec![what],
            Ok(verdict) => {
                tally.note(verdict.digest);
                let holds = verdict.holds(is_exactly_once(system, direction));
                if holds { Vec::new() } else { vec![format!("{verdict:?}")] }
            }
        };
        tally.judge(text, problems);
    }
}
