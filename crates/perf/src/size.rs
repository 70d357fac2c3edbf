//! The disk that the recovery log needs for a rate of messages: `ferry bench size`.
//!
//! An application that runs without persistence has a rate. Here persistent messages of the same length, put
//! and got by as many threads, tell the bytes and the forced writes of the log for each; both times the rate
//! are what its disk has to do. Then blocks of that length are forced on the disk one after the other, as the
//! log does it.
//!
//! Always: bytes and forces are counted by the queue manager, not computed from the length of a message.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::Serialize;
use serde_json::json;

use crate::access::Access;
use crate::floors::{self, Forced};
use crate::one_way;
use crate::report::{self, Column, Row};
use crate::request_reply::Mode;

/// Longest block of the log as delivered.
const BLOCK_BYTES_MAX: u64 = 1 << 20;

/// Unit of a direct write.
const PAGE_BYTES: u64 = 4 << 10;

/// The rate, and the messages that it is of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizeWorkload {
    /// Messages put a second, each of which is got; where none is given it is measured first.
    pub rate: Option<u32>,
    /// Bytes of a message.
    pub bytes: usize,
    /// Threads that put, and then threads that get.
    pub threads: usize,
    /// Messages of one unit of work; none for outside units.
    pub unit: Option<u32>,
    /// Directory whose disk is measured.
    pub directory: PathBuf,
    /// Time before each measurement.
    pub warm_up: Duration,
    /// Time of each measurement.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
    /// The way to the queue manager.
    pub access: String,
}

impl fmt::Display for SizeWorkload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self
            .rate
            .map_or_else(|| "the rate of non-persistent ones".to_owned(), |rate| format!("{rate} a second"));
        write!(
            formatter,
            "the disk of the log for {rate}, {} B each{}, {} thread(s), blocks forced in {}, {}",
            self.bytes,
            self.unit.map_or(String::new(), |unit| format!(" in units of {unit}")),
            self.threads,
            self.directory.display(),
            report::ending(&self.access, self.repetitions, self.measure)
        )
    }
}

impl report::Workload for SizeWorkload {
    const BENCH: &'static str = "size";
    const COLUMNS: &'static [Column] = &[
        Column::new("messages_per_second", "messages/s", 0),
        Column::new("log_bytes", "log B each", 0),
        Column::new("forces", "forces each", 3),
        Column::new("needed_mb_per_second", "needed: MB/s", 2),
        Column::new("needed_forces_per_second", "forces/s", 0),
        Column::new("block_bytes", "block B", 0),
        Column::new("disk_p50_us", "disk: p50 µs", 1),
        Column::new("disk_p99_us", " p99 µs", 1),
        Column::new("disk_mb_per_second", "MB/s", 2),
        Column::new("disk_by_needed", "disk ÷ needed", 2),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

/// The bytes and the forced writes of a log.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Need {
    bytes_per_second: f64,
    forces_per_second: f64,
}

impl Need {
    /// Of messages at a rate, each with so many bytes and forces, those of its put and of its get.
    fn of(rate: f64, bytes: f64, forces: f64) -> Self {
        Self { bytes_per_second: rate * bytes, forces_per_second: rate * forces }
    }

    /// The length of a block: whole pages, and no more than one may have.
    fn block_bytes(self) -> u64 {
        let mean = self.bytes_per_second / self.forces_per_second.max(f64::MIN_POSITIVE);
        (mean.min(BLOCK_BYTES_MAX as f64) as u64)
            .next_multiple_of(PAGE_BYTES)
            .clamp(PAGE_BYTES, BLOCK_BYTES_MAX)
    }

    /// The rate of a disk as a multiple of the one that is needed.
    fn met_by(self, disk: Forced) -> f64 {
        disk.bytes_per_second() / self.bytes_per_second.max(f64::MIN_POSITIVE)
    }
}

impl SizeWorkload {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// When it makes no sense, with what it should be.
    pub fn check(&self) -> Result<()> {
        ensure!(self.rate != Some(0), "a rate has at least one message a second");
        self.one_way(true).check()
    }

    fn one_way(&self, persistent: bool) -> one_way::OneWayWorkload {
        one_way::OneWayWorkload {
            threads: self.threads,
            bytes: self.bytes,
            persistent,
            unit: self.unit,
            ending: crate::coordinator::Ending::Internal,
            mode: Mode::RoundTrips,
            get_mode: None,
            warm_up: self.warm_up,
            measure: self.measure,
            repetitions: 1,
            access: self.access.clone(),
        }
    }

    /// Measures once; none when nothing was measured before the end.
    ///
    /// # Errors
    /// When a client fails, a message is missing, or the directory takes no file.
    pub fn repetition(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Option<Row>> {
        let rate = match self.rate {
            Some(rate) => f64::from(rate),
            None => match self.one_way(false).repetition(access, interrupt)? {
                Some(row) => value(&row, "puts_per_second")?.min(value(&row, "gets_per_second")?),
                None => return Ok(None),
            },
        };
        let Some(row) = self.one_way(true).repetition(access, interrupt)? else { return Ok(None) };
        let both = |put, get| Ok::<_, anyhow::Error>(value(&row, put)? + value(&row, get)?);
        let (bytes, forces) = (both("put_log_bytes", "get_log_bytes")?, both("put_forces", "get_forces")?);
        let need = Need::of(rate, bytes, forces);
        let block_bytes = need.block_bytes();
        let disk = floors::force(&self.directory, block_bytes as usize, self.measure)?;
        let values = [
            rate,
            bytes,
            forces,
            need.bytes_per_second / 1e6,
            need.forces_per_second,
            block_bytes as f64,
            disk.time.p50,
            disk.time.p99,
            disk.bytes_per_second() / 1e6,
            need.met_by(disk),
        ];
        let more = json!({ "past_the_cache": disk.is_direct });
        Ok(Some(Row { values: values.map(Some).to_vec(), more }))
    }
}

/// A column of one way, which a queue manager that tells its counters always has.
fn value(row: &Row, name: &str) -> Result<f64> {
    let columns = <one_way::OneWayWorkload as report::Workload>::COLUMNS;
    let place = columns.iter().position(|column| column.name == name);
    let value = place.and_then(|place| row.values.get(place).copied().flatten());
    value.ok_or_else(|| {
        anyhow::anyhow!(
            "the queue manager does not tell {name}: connect as an administrator, or leave --connect out"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::Summary;

    fn disk(block_bytes: usize, us: f64) -> Forced {
        let time = Summary { mean: us, p50: us, p99: us, p99_9: us, max: us };
        Forced { block_bytes, time, is_direct: true }
    }

    #[test]
    fn the_block_is_what_a_force_has_in_whole_pages() {
        for (bytes, forces, expected) in [
            (2500.0, 1.0, 4096),
            (5000.0, 1.0, 8192),
            (2500.0, 0.05, 53_248),
            (1e9, 0.001, 1 << 20),
            (0.0, 0.0, 4096),
        ] {
            assert_eq!(Need::of(1000.0, bytes, forces).block_bytes(), expected, "{bytes} in {forces}");
        }
    }

    #[test]
    fn a_disk_meets_a_need_by_the_bytes_that_it_forces_in_blocks_of_that_length() {
        let need = Need::of(1000.0, 4096.0, 1.0);
        let met = need.met_by(disk(4096, 500.0));
        assert!((met - 2.0).abs() < 1e-9, "2,000 blocks a second for 1,000: {met}");
        assert!(need.met_by(disk(4096, 2000.0)) < 1.0);
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        let right = SizeWorkload {
            rate: Some(1000),
            bytes: 100,
            threads: 1,
            unit: None,
            directory: "/tmp".into(),
            warm_up: Duration::ZERO,
            measure: Duration::from_millis(1),
            repetitions: 1,
            access: String::new(),
        };
        assert!(right.check().is_ok());
        for wrong in [
            SizeWorkload { rate: Some(0), ..right.clone() },
            SizeWorkload { threads: 0, ..right.clone() },
            SizeWorkload { bytes: 1, ..right.clone() },
            SizeWorkload { unit: Some(0), ..right },
        ] {
            assert!(wrong.check().is_err(), "{wrong}");
        }
    }
}
