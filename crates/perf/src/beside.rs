//! One request/reply workload beside another: latency of a lone client at a queue manager that is half busy.
//!
//! Each repetition measures the peak of the background, the foreground alone, and then the foreground while
//! the background asks at a fixed share of that peak; drift of the machine is the same in all three.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde_json::json;

use crate::access::Access;
use crate::machine::Machine;
use crate::report::{self, Column, Output, Row, Workload as _};
use crate::request_reply::{self, Mode, Units};

/// The workload to measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BesideWorkload {
    /// The clients whose latency counts.
    pub foreground: request_reply::RequestReplyWorkload,
    /// The clients that keep the queue manager busy meanwhile.
    pub background: request_reply::RequestReplyWorkload,
    /// Per cent of its peak that the background asks at.
    pub load_percent: u32,
    /// Repetitions.
    pub repetitions: usize,
}

impl fmt::Display for BesideWorkload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}) beside {} % of ({})", self.foreground, self.load_percent, self.background)
    }
}

impl report::Workload for BesideWorkload {
    const BENCH: &'static str = "beside";
    const COLUMNS: &'static [Column] = &[
        Column::new("background_peak_per_second", "background peak/s", 0),
        Column::new("alone_per_second", "alone: trips/s", 0),
        Column::new("alone_p50_us", "p50 µs", 1),
        Column::new("alone_p99_us", " p99 µs", 1),
        Column::new("background_per_second", "background/s", 0),
        Column::new("beside_per_second", "beside: trips/s", 0),
        Column::new("beside_p50_us", "p50 µs", 1),
        Column::new("beside_p99_us", " p99 µs", 1),
        Column::new("beside_p99_9_us", "p99.9 µs", 1),
        Column::new("ratio", "of alone", 2),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// The clients in front, or those behind.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// Clients that ask.
    pub requesters: usize,
    /// Requests that each has under way; those of one unit of work where they are in units.
    pub window: usize,
    /// Their messages are persistent; those behind are in units of work then.
    pub persistent: bool,
}

impl Side {
    fn workload(self, bytes: usize, units: Units) -> request_reply::RequestReplyWorkload {
        request_reply::RequestReplyWorkload {
            requesters: self.requesters,
            responders: units.responders_for(self.requesters),
            bytes,
            persistent: self.persistent,
            units,
            mode: Mode::Pipelined,
            window: self.window,
            ..request_reply::RequestReplyWorkload::of_one_pair()
        }
    }
}

/// Runs the workload and prints what it finds.
///
/// # Errors
/// When a client fails or a message is missing.
pub fn run(
    access: &Arc<dyn Access>,
    workload: &BesideWorkload,
    machine: &Machine,
    output: &Output,
    interrupt: &AtomicBool,
) -> Result<()> {
    workload.check()?;
    report::repeat(output, workload, machine, interrupt, || workload.repetition(access, interrupt))
}

/// The background runs so much longer at both ends of what is measured.
const MARGIN: Duration = Duration::from_millis(500);

impl BesideWorkload {
    /// These in front of those, who ask at so many per cent of their peak.
    #[must_use]
    pub fn new(foreground: Side, background: Side, bytes: usize, load_percent: u32) -> Self {
        let units = if background.persistent { Units::All } else { Units::None };
        Self {
            foreground: foreground.workload(bytes, Units::None),
            background: background.workload(bytes, units),
            load_percent,
            repetitions: 1,
        }
    }

    /// Each part of a repetition takes so long.
    pub fn run_for(&mut self, warm_up: Duration, measure: Duration) {
        for side in [&mut self.foreground, &mut self.background] {
            (side.warm_up, side.measure) = (warm_up, measure);
        }
    }

    /// The queue manager is reached so.
    pub fn reach(&mut self, access: &str) {
        for side in [&mut self.foreground, &mut self.background] {
            access.clone_into(&mut side.access);
        }
    }

    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// When it makes no sense, with what it should be.
    pub fn check(&self) -> Result<()> {
        self.foreground.check()?;
        self.background.check()?;
        ensure!((1..=100).contains(&self.load_percent), "a load is 1 to 100 per cent of the peak");
        Ok(())
    }

    /// Requests a second that the background is to make, where it makes so many at its peak.
    #[must_use]
    pub fn asked(&self, peak: f64) -> u32 {
        ((peak * f64::from(self.load_percent) / 100.0) as u32).max(1)
    }

    /// Runs one repetition; none when nothing was measured before the end.
    ///
    /// # Errors
    /// When a client fails or a message is missing.
    pub fn repetition(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Option<Row>> {
        let Some(peak) = self.background.repetition(access, interrupt).context("the background alone")?
        else {
            return Ok(None);
        };
        let Some(alone) = self.foreground.repetition(access, interrupt).context("the foreground alone")?
        else {
            return Ok(None);
        };
        let peak = value(&peak, "round_trips_per_second");
        let rate = self.asked(peak.unwrap_or(0.0));
        // It begins before the foreground warms up, and is measured while that is.
        let background = request_reply::RequestReplyWorkload {
            rate: Some(rate),
            warm_up: MARGIN + self.foreground.warm_up,
            measure: self.foreground.measure + MARGIN,
            ..self.background.clone()
        };
        let (beside, busy) = thread::scope(|scope| {
            let busy = scope.spawn(|| background.repetition(access, interrupt));
            thread::sleep(MARGIN);
            let beside = self.foreground.repetition(access, interrupt);
            (beside, busy.join().expect("the background does not panic"))
        });
        let beside = beside.context("the foreground beside the background");
        let busy = busy.context("the background beside it")?;
        let (Some(beside), Some(busy)) = (beside?, busy) else { return Ok(None) };
        let rates = [&alone, &beside].map(|row| value(row, "round_trips_per_second"));
        let ratio = rates[0].zip(rates[1]).map(|(alone, beside)| beside / alone);
        Ok(Some(Row {
            values: vec![
                peak,
                rates[0],
                value(&alone, "p50_us"),
                value(&alone, "p99_us"),
                value(&busy, "round_trips_per_second"),
                rates[1],
                value(&beside, "p50_us"),
                value(&beside, "p99_us"),
                value(&beside, "p99_9_us"),
                ratio,
            ],
            more: json!({"background_asked_per_second": rate, "background_p99_us": value(&busy, "p99_us")}),
        }))
    }
}

/// Returns the value of a repetition of request/reply under this name.
fn value(row: &Row, name: &str) -> Option<f64> {
    let place = request_reply::RequestReplyWorkload::COLUMNS.iter().position(|column| column.name == name)?;
    row.values[place]
}
