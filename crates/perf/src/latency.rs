//! Latencies: recorded by each client for itself, joined at the end.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// The longest time told apart from longer ones.
const NANOSECONDS_MAX: u64 = 600_000_000_000;

/// Latencies in nanoseconds, three significant digits.
#[derive(Clone, Debug)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, NANOSECONDS_MAX, 3).expect("the bounds are valid"))
    }
}

impl Latencies {
    /// Takes one down.
    pub fn record(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1));
    }

    /// Joins another client's.
    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("both have the same bounds");
    }

    /// Returns their number.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// Summarizes them; none for none, which a histogram has at zero.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        if self.count() == 0 {
            return None;
        }
        let microseconds = |nanoseconds: f64| nanoseconds / 1e3;
        let at = |quantile| microseconds(self.0.value_at_quantile(quantile) as f64);
        Some(Summary {
            mean: microseconds(self.0.mean()),
            p50: at(0.5),
            p99: at(0.99),
            p99_9: at(0.999),
            max: microseconds(self.0.max() as f64),
        })
    }
}

/// Latencies as they go from one process to another: each with how often it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counts(Vec<(u64, u64)>);

impl From<Latencies> for Counts {
    fn from(latencies: Latencies) -> Self {
        let recorded = latencies.0.iter_recorded();
        Self(recorded.map(|step| (step.value_iterated_to(), step.count_at_value())).collect())
    }
}

impl From<Counts> for Latencies {
    fn from(counts: Counts) -> Self {
        let mut latencies = Self::default();
        for (nanoseconds, count) in counts.0 {
            latencies.0.saturating_record_n(nanoseconds, count);
        }
        latencies
    }
}

/// Latencies in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// Half are at most this.
    pub p50: f64,
    /// 99 % are at most this.
    pub p99: f64,
    /// 99.9 % are at most this.
    pub p99_9: f64,
    /// The longest.
    pub max: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_all_clients_together() {
        let (mut one, mut two) = (Latencies::default(), Latencies::default());
        (1..=50).for_each(|millisecond| one.record(Duration::from_millis(millisecond)));
        (51..=100).for_each(|millisecond| two.record(Duration::from_millis(millisecond)));
        one.add(&two);
        let summary = one.summary().expect("there are some");
        assert_eq!(one.count(), 100);
        assert!((summary.p50 - 50_000.0).abs() < 100.0, "{summary:?}");
        assert!((summary.p99 - 99_000.0).abs() < 200.0, "{summary:?}");
        assert!((summary.mean - 50_500.0).abs() < 100.0, "{summary:?}");
    }

    #[test]
    fn of_nothing_there_is_no_time_and_not_none_at_all() {
        assert_eq!(Latencies::default().summary(), None);
    }

    #[test]
    fn latencies_are_the_same_in_another_process() {
        let mut latencies = Latencies::default();
        (1..=1000).for_each(|microseconds| latencies.record(Duration::from_micros(microseconds * 7)));
        latencies.record(Duration::from_secs(3));
        let text = serde_json::to_string(&Counts::from(latencies.clone())).expect("they are data");
        let there = Latencies::from(serde_json::from_str::<Counts>(&text).expect("and read again"));
        let summary = |of: &Latencies| of.summary().expect("there are some");
        let (here, there_summary) = (summary(&latencies), summary(&there));
        assert_eq!(there.count(), 1001);
        assert_eq!((here.p50, here.p99, here.max), (there_summary.p50, there_summary.p99, there_summary.max));
    }
}
