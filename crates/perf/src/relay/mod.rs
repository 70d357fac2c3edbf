//! Request/reply through a program that only copies: the cost on this machine of as many round trips, with
//! any queue manager or broker in between.
//!
//! Lives here: the workload, and showing its result. Lives elsewhere: the clients that ask and answer
//! (`ends`), each a thread with a socket of its own that it waits at; the relay (`between`), one thread that
//! reads what has come and writes each message to its receiver, without looking at anything else.
//!
//! Always: each request has its reply, or nothing is reported.

mod between;
mod ends;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde_json::json;

use crate::floors::pair;
use crate::latency::{Latencies, Summary};
use crate::processor;
use crate::report::{self, Column, Row};
use between::Between;

/// The workload to measure.
#[derive(Clone, Debug, Serialize)]
pub struct RelayWorkload {
    /// Threads that ask.
    pub requesters: usize,
    /// Threads that answer.
    pub responders: usize,
    /// Requests that each who asks has under way.
    pub window: usize,
    /// Bytes of request and of reply, at least 16.
    pub bytes: usize,
    /// Time before it is measured.
    pub warm_up: Duration,
    /// Time of one repetition.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
}

impl fmt::Display for RelayWorkload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "request/reply through a program that only copies, {} requesters with {} under way, {} responders, {} B, tcp, {} x {:.0} s",
            self.requesters,
            self.window,
            self.responders,
            self.bytes,
            self.repetitions,
            self.measure.as_secs_f64()
        )
    }
}

impl report::Workload for RelayWorkload {
    const BENCH: &'static str = "relay";
    const COLUMNS: &'static [Column] = &[
        Column::new("round_trips_per_second", "round trips/s", 0),
        Column::new("mean_us", " mean µs", 1),
        Column::new("p50_us", "  p50 µs", 1),
        Column::new("p99_us", "   p99 µs", 1),
        Column::new("p99_9_us", "p99.9 µs", 1),
        Column::new("relay_cpu_us", "relay CPU µs", 2),
        Column::new("client_cpu_us", "client CPU µs", 2),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// The result of one run.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Round trips a second.
    pub rate: f64,
    /// Their latency.
    pub latency: Summary,
    /// Processor time of the relay for each, in microseconds.
    pub relay_us: f64,
    /// That of those who ask and answer.
    pub client_us: f64,
    /// Round trips that were measured.
    pub accounted: u64,
    /// Seconds that it was measured.
    pub seconds: f64,
}

/// A message begins with the number of who asked and that of the request.
const HEAD_BYTES: usize = 16;

/// Bytes read from a socket at once.
const READ_BYTES: usize = 64 << 10;

/// The phase of a run.
#[derive(Debug)]
struct Phase(AtomicU8);

impl Phase {
    const WARMING_UP: u8 = 0;
    const MEASURED: u8 = 1;
    const ENDING: u8 = 2;

    fn is_measured(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::MEASURED
    }

    fn is_ending(&self) -> bool {
        self.0.load(Ordering::Relaxed) == Self::ENDING
    }

    fn goes_to(&self, phase: u8) {
        self.0.store(phase, Ordering::Relaxed);
    }
}

impl RelayWorkload {
    /// Runs it once, as a row of the bench.
    ///
    /// # Errors
    /// As [`Self::measured`].
    pub fn repetition(&self, interrupt: &AtomicBool) -> Result<Option<Row>> {
        Ok(self.measured(interrupt)?.map(|found| {
            let latency = found.latency;
            let times = [latency.mean, latency.p50, latency.p99, latency.p99_9];
            let values = [&[found.rate], &times[..], &[found.relay_us, found.client_us]].concat();
            let more = json!({"seconds": found.seconds, "accounted": found.accounted});
            Row { values: values.into_iter().map(Some).collect(), more }
        }))
    }

    /// Runs it once; finds nothing where no reply came while it was measured.
    ///
    /// # Errors
    /// When sockets are not to be had, or a request has not had its reply.
    pub fn measured(&self, interrupt: &AtomicBool) -> Result<Option<Found>> {
        ensure!(self.bytes >= HEAD_BYTES, "a message has at least {HEAD_BYTES} bytes");
        ensure!(
            self.requesters > 0 && self.responders > 0 && self.window > 0,
            "somebody asks, somebody answers, and there is a request under way"
        );
        let phase = Arc::new(Phase(AtomicU8::new(Phase::WARMING_UP)));
        let ready = Arc::new(Barrier::new(self.requesters + 1));
        let mut between = Between::new(self.requesters, self.bytes)?;
        let mut ends = Vec::new();
        for _ in 0..self.requesters + self.responders {
            let (end, other) = pair().context("cannot connect within this machine")?;
            between.take(other)?;
            ends.push(end);
        }
        let answering: Vec<_> = ends
            .split_off(self.requesters)
            .into_iter()
            .map(|end| {
                let bytes = self.bytes;
                thread::spawn(move || ends::answer(end, bytes))
            })
            .collect();
        let asking: Vec<_> = (0_u64..)
            .zip(ends)
            .map(|(number, end)| {
                let (workload, phase, ready) = (self.clone(), phase.clone(), ready.clone());
                thread::spawn(move || {
                    ready.wait();
                    ends::ask(end, number, &workload, &phase)
                })
            })
            .collect();
        let (tell, told) = std::sync::mpsc::channel();
        let copying = thread::spawn(move || {
            let told = tell.send(rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs());
            told.map_err(anyhow::Error::from).and_then(|()| between.run())
        });
        let relay = told.recv().context("the relay did not start")?;
        let used = || (processor::own(), processor::of_thread(relay).unwrap_or_default());
        let sleep = |time: Duration| {
            let until = Instant::now() + time;
            while Instant::now() < until && !interrupt.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10).min(until.saturating_duration_since(Instant::now())));
            }
        };
        ready.wait();
        sleep(self.warm_up);
        let (begun, before) = (Instant::now(), used());
        phase.goes_to(Phase::MEASURED);
        sleep(self.measure);
        phase.goes_to(Phase::ENDING);
        let (seconds, after) = (begun.elapsed().as_secs_f64(), used());
        let mut latencies = Latencies::default();
        for thread in asking {
            latencies
                .add(&thread.join().expect("who asks does not panic").context("a request was not answered")?);
        }
        for thread in answering {
            thread.join().expect("who answers does not panic").context("nobody could answer")?;
        }
        copying.join().expect("the relay does not panic")?;
        let accounted = latencies.count();
        let each = |used: Duration| used.as_secs_f64() * 1e6 / accounted as f64;
        let (all, relay) = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
        Ok(latencies.summary().map(|latency| Found {
            rate: accounted as f64 / seconds,
            latency,
            relay_us: each(relay),
            client_us: each(all.saturating_sub(relay)),
            accounted,
            seconds,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_of_every_client_has_its_reply_however_many_are_under_way() {
        let interrupt = AtomicBool::new(false);
        for (requesters, responders, window, bytes) in [(1, 1, 1, 16), (5, 2, 3, 2048), (3, 4, 40, 30_000)] {
            let workload = RelayWorkload {
                requesters,
                responders,
                window,
                bytes,
                warm_up: Duration::from_millis(5),
                measure: Duration::from_millis(500),
                repetitions: 1,
            };
            let row = workload.repetition(&interrupt).expect("all is answered").expect("something came back");
            let values: Vec<f64> = row.values.into_iter().flatten().collect();
            assert_eq!(values.len(), <RelayWorkload as report::Workload>::COLUMNS.len());
            assert!(values.iter().all(|value| *value > 0.0), "{values:?}");
        }
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        let none = RelayWorkload {
            requesters: 1,
            responders: 0,
            window: 1,
            bytes: 2048,
            warm_up: Duration::ZERO,
            measure: Duration::ZERO,
            repetitions: 1,
        };
        let short = RelayWorkload { responders: 1, bytes: HEAD_BYTES - 1, ..none };
        for (workload, said) in [(none, "somebody answers"), (short, "at least 16 bytes")] {
            let error = workload.repetition(&AtomicBool::new(false)).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
