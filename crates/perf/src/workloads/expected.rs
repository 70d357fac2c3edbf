//! Expected time of a campaign: said before it begins, and its progress while it runs.

use std::collections::BTreeSet;
use std::time::Duration;

use super::file::{Times, Variant, Workload};
use crate::jms::Api;
use crate::one_way::GETTING_MAX;
use crate::target::Place;

/// A queue manager started and ended, with the floors of the machine before it.
const START: Duration = Duration::from_millis(1500);

/// Queues made and removed, clients connected and told to end.
const AROUND: Duration = Duration::from_millis(250);

/// Java started, and its clients connected.
const JAVA: Duration = Duration::from_secs(3);

/// A message that lies on a queue while others pass, put and purged.
const LYING: Duration = Duration::from_micros(20);

/// Halves of one way, warming up and measured, the second of which ends when all is got.
const HALVES: u32 = 2;

/// Parts of a repetition beside another load: its peak, the foreground alone, and both.
const PARTS: u32 = 3;

impl Variant {
    /// Returns the time that one run of it takes.
    pub(super) fn expected(&self, times: Times) -> Duration {
        let api = self.workload.api();
        let once = api.warm_up(times.warm_up, times.measure) + times.measure;
        AROUND
            + if api == Api::Jms { JAVA } else { Duration::ZERO }
            + match &self.workload {
                Workload::RequestReply(workload) => once + LYING.mul_f64(workload.preloaded as f64),
                Workload::OneWay(workload) if workload.gets_slower() => once * (1 + GETTING_MAX),
                Workload::OneWay(_) => once * HALVES,
                Workload::Publish(_) => once,
                Workload::Beside(_) => once * PARTS,
            }
    }
}

/// Returns the time of these runs, each of them or all of a place together with a queue manager of their own.
pub(super) fn of_runs<'a>(
    runs: impl Iterator<Item = &'a Variant> + Clone,
    times: Times,
    starts_anew: bool,
) -> Duration {
    let places: BTreeSet<Place> = runs.clone().map(|variant| variant.place).collect();
    let starts: u32 = match starts_anew {
        true => runs.clone().map(|variant| u32::from(variant.place.queue_managers)).sum(),
        false => places.iter().map(|place| u32::from(place.queue_managers)).sum(),
    };
    runs.map(|variant| variant.expected(times)).sum::<Duration>() + START * starts
}

/// A time as one says it who does not know it exactly.
pub(crate) fn about(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 60 {
        0 => format!("about {seconds} s"),
        minutes @ 1..60 => format!("about {minutes} min"),
        minutes => format!("about {} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_said_by_its_size() {
        let said = [40, 600, 3600 + 43 * 60 + 20].map(|seconds| about(Duration::from_secs(seconds)));
        assert_eq!(said, ["about 40 s", "about 10 min", "about 1 h 43 min"]);
    }
}
