//! AHEAD: many programs have the messages of one queue come ahead of need, while others put there; each gets
//! them in order.

use super::{Figure, Tally};
use crate::network::{Reading, simulate_readers};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead;

impl Figure for Ahead {
    fn id(&self) -> &'static str {
        "AHEAD"
    }

    /// It brings its own queue manager.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let reading = match guarded(|| Ok(simulate_readers(seed))) {
            Ok(reading) => reading,
            Err(Problem::Ended(what) | Problem::Wrong(what)) => {
                Reading { problems: vec![what], ..Reading::default() }
            }
        };
        let features = Features { spills: reading.spilled > 0, ..Features::default() };
        if !tally.next(features) {
            return;
        }
        tally.note(reading.digest);
        let Reading { readers, read, stopped, kept, plain, ended, .. } = reading;
        let text = || {
            format!(
                "{readers} readers, {read} messages, {stopped} streams stopped and {kept} messages used up then, {ended} \
                 ended, {plain} plain gets"
            )
        };
        tally.judge(text, reading.problems);
    }
}
