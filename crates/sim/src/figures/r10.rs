//! R10: queue managers with message channels between them, while links break at any byte and the power of
//! one of them fails; then healed.

use super::{Figure, Tally};
use crate::network::{Relay, simulate_channels};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct R10;

impl Figure for R10 {
    fn id(&self) -> &'static str {
        "R10"
    }

    /// It brings its own queue managers.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let relay = match guarded(|| Ok(simulate_channels(seed))) {
            Ok(relay) => relay,
            Err(Problem::Ended(what) | Problem::Wrong(what)) => {
                Relay { problems: vec![what], ..Relay::default() }
            }
        };
        if !tally.next(Features::default()) {
            return;
        }
        tally.note(relay.digest);
        let Relay { sites, links, cuts, crashes, judged, healed_in, .. } = relay;
        let text = || {
            format!(
                "{sites} queue managers, {links} links, {cuts} cuts, {crashes} crashes; {} messages delivered, {} dead \
                 letters, {} dropped; healed in {healed_in} ms",
                judged.delivered, judged.dead, judged.dropped
            )
        };
        tally.judge(text, relay.problems);
    }
}
