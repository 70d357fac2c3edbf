//! Figures of a repetition, the same for every broker.

use std::sync::OnceLock;
use std::time::Duration;

use perf::flushes::Disk;
use perf::latency::Latencies;
use perf::processor::{self, UsedByAll};
use perf::report::median;
use serde::{Deserialize, Serialize};

use crate::broker::Broker;

/// Of one repetition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// Round trips, messages or deliveries a second.
    pub(crate) rate: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// Processor time of the broker for each.
    #[serde(rename = "broker_cpu_us")]
    pub(crate) broker_us: f64,
    /// Processor time of the clients for each.
    #[serde(rename = "client_cpu_us")]
    pub(crate) client_us: f64,
    /// Flushes of the disk for each; none where it does not count them.
    pub(crate) flushes: Option<f64>,
}

/// The disk that holds the directory of every broker; none where it counts no flushes.
pub(crate) fn disk() -> Option<&'static Disk> {
    static DISK: OnceLock<Option<Disk>> = OnceLock::new();
    DISK.get_or_init(|| Disk::of(&std::env::temp_dir())).as_ref()
}

/// Counters at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    broker: UsedByAll,
    /// Clients in this process.
    own: Duration,
    /// Clients in others.
    apart: UsedByAll,
    flushes: Option<u64>,
}

/// Processor time of broker and clients, and flushes of the disk, between two moments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    broker: Duration,
    clients: Duration,
    flushes: Option<u64>,
}

impl Moment {
    /// With clients in this process and in these.
    pub(crate) fn now(broker: &dyn Broker, clients: &[u32]) -> Self {
        Self {
            broker: UsedByAll::of(broker.processes()),
            own: processor::own(),
            apart: UsedByAll::of(clients.iter().copied()),
            flushes: disk().and_then(Disk::flushes),
        }
    }

    pub(crate) fn since(&self, before: &Self) -> Usage {
        Usage {
            broker: self.broker.since(&before.broker),
            clients: self.own.saturating_sub(before.own) + self.apart.since(&before.apart),
            flushes: self.flushes.zip(before.flushes).and_then(|(after, before)| after.checked_sub(before)),
        }
    }
}

impl Usage {
    /// Returns the figures for so many messages in so long; none if there were none, or it took longer than
    /// it was measured.
    pub(crate) fn figures(self, count: u64, elapsed: Duration, latencies: &Latencies) -> Option<Figures> {
        let summary = latencies.summary().filter(|_| count > 0)?;
        let each = |time: Duration| time.as_secs_f64() * 1e6 / count as f64;
        Some(Figures {
            rate: count as f64 / elapsed.as_secs_f64(),
            p50_us: summary.p50,
            p99_us: summary.p99,
            broker_us: each(self.broker),
            client_us: each(self.clients),
            flushes: self.flushes.map(|flushes| flushes as f64 / count as f64),
        })
    }
}

/// The middle of these figures, each for itself, with the lowest and the highest rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Median {
    pub(crate) figures: Figures,
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
}

impl Median {
    /// None of none.
    pub(crate) fn of(all: &[Figures]) -> Option<Self> {
        let rates = || all.iter().map(|figures| figures.rate);
        let middle = |pick: fn(&Figures) -> f64| median(all.iter().map(pick).collect());
        let flushes: Option<Vec<f64>> = all.iter().map(|figures| figures.flushes).collect();
        Some(Self {
            lowest: rates().reduce(f64::min)?,
            highest: rates().reduce(f64::max)?,
            figures: Figures {
                rate: middle(|figures| figures.rate)?,
                p50_us: middle(|figures| figures.p50_us)?,
                p99_us: middle(|figures| figures.p99_us)?,
                broker_us: middle(|figures| figures.broker_us)?,
                client_us: middle(|figures| figures.client_us)?,
                flushes: flushes.and_then(median),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_took_longer_than_it_was_measured_there_are_no_figures() {
        let usage = Usage { broker: Duration::ZERO, clients: Duration::ZERO, flushes: None };
        let mut latencies = Latencies::default();
        assert_eq!(usage.figures(7, Duration::from_secs(1), &latencies), None, "no batch came to its end");
        latencies.record(Duration::from_micros(100));
        assert_eq!(usage.figures(0, Duration::from_secs(1), &latencies), None);
        assert!(usage.figures(7, Duration::from_secs(1), &latencies).is_some());
    }

    #[test]
    fn the_middle_of_an_even_number_is_between_two() {
        let of = |rate: f64| Figures {
            rate,
            p50_us: 1.0,
            p99_us: rate,
            broker_us: 0.0,
            client_us: 0.0,
            flushes: Some(rate * 2.0),
        };
        let median = Median::of(&[4.0, 1.0, 3.0, 2.0].map(of)).expect("there are some");
        assert_eq!((median.figures.rate, median.lowest, median.highest), (2.5, 1.0, 4.0));
        assert_eq!((median.figures.p99_us, median.figures.flushes), (2.5, Some(5.0)));
        let uncounted = Figures { flushes: None, ..of(1.0) };
        let median = Median::of(&[of(1.0), uncounted]).expect("there are some");
        assert_eq!(median.figures.flushes, None, "a middle of some is none of all");
        assert_eq!(Median::of(&[]), None);
    }
}
