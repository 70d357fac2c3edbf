//! R12: two queue managers under one coordinator, and any of the three stops at any moment.

use super::{Figure, Tally};
use crate::coordinated::{StopPlan, run};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A case is a seed: first each moment of a transaction, then others at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct R12;

impl Figure for R12 {
    fn id(&self) -> &'static str {
        "R12"
    }

    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let plan = StopPlan::of(seed);
        let ran = guarded(|| Ok::<_, Problem>(run(&plan)));
        match ran {
            Ok((past, problems)) => {
                let prepared = past.recovered > 0;
                if tally.next(Features { units: true, prepared, ..Features::default() }) {
                    tally.note(
                        u64::from(past.stops) << 32
                            | u64::from(past.recovered) << 16
                            | u64::from(past.committed),
                    );
                    tally.judge(|| format!("{plan:?}"), problems);
                }
            }
            Err(problem) => tally.fail("the case itself", &problem),
        }
    }
}
