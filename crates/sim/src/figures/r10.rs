//! R10: queue managers with message channels between them, while links break at any byte and the power of
//! one of them fails; then healed. R11-restore: one of two is put back to a copy that was made at work.

use super::{Figure, Tally};
use crate::network::{Relay, simulate_channels, simulate_restore};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct R10;

impl Figure for R10 {
    fn id(&self) -> &'static str {
        "R10"
    }

    fn suits(&self, maker: &dyn Maker) -> bool {
        suits(maker)
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        judge(
            tally,
            || simulate_channels(seed),
            |Relay { sites, links, cuts, crashes, judged, healed_in, .. }| {
                format!(
                    "{sites} queue managers, {links} links, {cuts} cuts, {crashes} crashes; {} messages delivered, {} dead \
                 letters, {} dropped; healed in {healed_in} ms",
                    judged.delivered, judged.dead, judged.dropped
                )
            },
        );
    }
}

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct R11Restore;

impl Figure for R11Restore {
    fn id(&self) -> &'static str {
        "R11-restore"
    }

    fn suits(&self, maker: &dyn Maker) -> bool {
        suits(maker)
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        judge(
            tally,
            || simulate_restore(seed),
            |Relay { links, cuts, crashes, judged, stopped, .. }| {
                format!(
                    "{links} links, {cuts} cuts, {crashes} crashes; {} messages delivered; {stopped} channels stopped",
                    judged.delivered
                )
            },
        );
    }
}

/// Both bring queue managers of their own.
fn suits(maker: &dyn Maker) -> bool {
    maker.name() == "engine"
}

/// Simulates a seed and judges it.
fn judge(tally: &mut Tally, simulate: impl FnOnce() -> Relay, text: impl Fn(&Relay) -> String) {
    let relay = match guarded(|| Ok(simulate())) {
        Ok(relay) => relay,
        Err(Problem::Ended(what) | Problem::Wrong(what)) => {
            Relay { problems: vec![what], ..Relay::default() }
        }
    };
    if !tally.next(Features::default()) {
        return;
    }
    tally.note(relay.digest);
    let problems = relay.problems.clone();
    tally.judge(|| text(&relay), problems);
}
