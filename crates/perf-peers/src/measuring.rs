//! From the first warm-up to the end of what is measured, for clients that run all the while.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use perf::run::{Phase, Shared};

use crate::broker::Broker;
use crate::figures::{Moment, Usage};

/// Clients of a broker that are measured.
pub(crate) struct Measuring<'a> {
    pub(crate) broker: &'a dyn Broker,
    pub(crate) shared: &'a Shared,
    pub(crate) interrupt: &'a AtomicBool,
}

/// Where it began.
pub(crate) struct Begun {
    before: Moment,
    at: Instant,
}

impl Measuring<'_> {
    /// Has the clients warm up, and begins to measure.
    pub(crate) fn begin(&self, warm_up: Duration) -> Begun {
        self.shared.run_for(warm_up, self.interrupt, "warming up");
        let begun = Begun { before: Moment::now(self.broker, &[]), at: Instant::now() };
        self.shared.enter(Phase::Measure);
        begun
    }

    /// Measures for so long; what was used meanwhile, and how long it was. The clients go on.
    pub(crate) fn end(&self, begun: &Begun, measure: Duration, what: &'static str) -> (Usage, Duration) {
        self.shared.run_for(measure, self.interrupt, what);
        (Moment::now(self.broker, &[]).since(&begun.before), begun.at.elapsed())
    }
}
