//! MQI: verbs and commands at random on the engine beside the model; a case is a call.

use std::time::Duration;

use queue_manager::Settings;
use scenario::random::{self, Attempt};

use super::{Figure, Tally};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A seed is a course of `STEPS` steps on a queue manager of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mqi;

/// Steps of a course; those of a client that waits in a call make none.
const STEPS: usize = 400;
/// Tries at making a course shorter that failed.
const SHRINKS_MAX: usize = 400;

impl Mqi {
    /// Settings of its queue managers.
    pub fn settings() -> Settings {
        Settings {
            name: "RANDOM".parse().expect("a name"),
            memory_budget_bytes: 1 << 20,
            handles_max: 256,
            uncommitted_messages_max: 10_000,
            connections_max: 100,
            storage: storage::Settings { extent_bytes: 1 << 20, ..storage::Settings::default() },
            checkpoint_interval: Duration::from_millis(200),
            growth: queue_manager::GrowthBounds::default(),
            branches: queue_manager::BranchBounds::default(),
            hold: queue_manager::HOLD,
        }
    }
}

impl Figure for Mqi {
    fn id(&self) -> &'static str {
        "MQI"
    }

    /// It brings its own queue manager.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let attempt = match guarded(|| Ok(random::attempt(&Self::settings(), seed, STEPS, SHRINKS_MAX))) {
            Ok(attempt) => attempt,
            Err(Problem::Ended(what) | Problem::Wrong(what)) => {
                Attempt { difference: Some(what), ..Attempt::default() }
            }
        };
        let units = attempt.coverage.calls.contains_key("MQCMIT");
        let mut is_wanted = false;
        for _ in 0..attempt.calls.max(1) {
            is_wanted = tally.next(Features { units, ..Features::default() });
        }
        for (reason, count) in &attempt.coverage.reasons {
            tally.note(reason.code().unsigned_abs().into());
            tally.note(*count);
        }
        if is_wanted {
            tally
                .judge(|| "a difference from the model".to_owned(), attempt.difference.into_iter().collect());
        }
        tally.coverage.add(attempt.coverage);
    }
}
