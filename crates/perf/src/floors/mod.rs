//! Floors of the machine: the cost, without any queue manager, of sending a byte and having it back, of
//! making a block durable, and of copying memory. A figure beside them shows how far it is from what the
//! machine can do.
//!
//! Lives here: measuring them all, and showing them. Lives elsewhere: each of them (`ping_pong`,
//! `forced_write`, `memory`).

mod forced_write;
mod memory;
mod ping_pong;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::latency::Summary;
use crate::report::{self, Column, Row};
use forced_write::Way;
pub(crate) use ping_pong::pair;

/// Time for each floor for a result that carries them: half a second for all of them together.
pub const TIME: Duration = Duration::from_millis(80);

/// A forced write as short as there is.
const SHORT_BYTES: usize = 4 << 10;

/// One as long as the log has them.
const LONG_BYTES: usize = 1 << 20;

/// Blocks forced one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Forced {
    /// Bytes of a block.
    pub(crate) block_bytes: usize,
    /// Microseconds of one.
    pub(crate) time: Summary,
    /// They went past the cache.
    pub(crate) is_direct: bool,
}

impl Forced {
    pub(crate) fn bytes_per_second(self) -> f64 {
        self.block_bytes as f64 / self.time.mean * 1e6
    }
}

/// Forces blocks on the disk of a directory for so long, as the log does it: past the cache, or through it
/// where the file system refuses that.
///
/// # Errors
/// When the directory takes no file.
pub(crate) fn force(directory: &Path, block_bytes: usize, time: Duration) -> Result<Forced> {
    let write = |way| {
        forced_write::measure(directory, way, block_bytes, time)
            .with_context(|| format!("cannot measure forced writes in {}", directory.display()))
    };
    if let Some(time) = write(Way::Direct)? {
        return Ok(Forced { block_bytes, time, is_direct: true });
    }
    let time = write(Way::Synced)?.context("the file system does not write")?;
    Ok(Forced { block_bytes, time, is_direct: false })
}

/// Times in microseconds, and how fast memory is copied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floors {
    /// One byte there and back over TCP on this machine, a thread at each end.
    pub ping_pong_1_byte_us: Summary,
    /// The same with 2 KiB each way.
    pub ping_pong_2_kib_us: Summary,
    /// 4 KiB written past the cache and forced in one call; none where the file system refuses it.
    pub direct_write_us: Option<Summary>,
    /// 4 KiB written, then `fdatasync`.
    pub fdatasync_us: Summary,
    /// Bytes a second, forced 1 MiB at a time, the most that the log writes in one go; none in runs before it
    /// was measured.
    pub forced_bytes_per_second: Option<f64>,
    /// Bytes a second, 2 KiB at a time: within the processor's caches.
    pub copy_2_kib_bytes_per_second: f64,
    /// Bytes a second, 64 MiB at a time: outside them.
    pub copy_64_mib_bytes_per_second: f64,
}

impl Floors {
    /// Measures each for so long; the forced writes go to a file in `directory`, which is removed.
    ///
    /// # Errors
    /// When there is no socket to be had, or the directory takes no file.
    pub fn measure(directory: &Path, time: Duration) -> Result<Self> {
        let ping_pong = |bytes| ping_pong::measure(bytes, time).context("cannot measure ping-pong over TCP");
        let write = |way, block_bytes| {
            forced_write::measure(directory, way, block_bytes, time)
                .with_context(|| format!("cannot measure forced writes in {}", directory.display()))
        };
        Ok(Self {
            ping_pong_1_byte_us: ping_pong(1)?,
            ping_pong_2_kib_us: ping_pong(2 << 10)?,
            direct_write_us: write(Way::Direct, SHORT_BYTES)?,
            fdatasync_us: write(Way::Synced, SHORT_BYTES)?.context("the file system does not write")?,
            forced_bytes_per_second: match write(Way::Direct, LONG_BYTES)? {
                None => write(Way::Synced, LONG_BYTES)?,
                direct => direct,
            }
            .map(|time| LONG_BYTES as f64 / time.mean * 1e6),
            copy_2_kib_bytes_per_second: memory::measure(2 << 10, time),
            copy_64_mib_bytes_per_second: memory::measure(64 << 20, time),
        })
    }
}

impl fmt::Display for Floors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "TCP ping-pong 1 B {:.1} µs, 2 KiB {:.1} µs; 4 KiB forced {}, fdatasync {:.1} µs, 1 MiB at a time {}; copy {:.1} GB/s, of 64 MiB {:.1} GB/s",
            self.ping_pong_1_byte_us.p50,
            self.ping_pong_2_kib_us.p50,
            self.direct_write_us
                .map_or_else(|| "not possible directly".to_owned(), |time| format!("{:.1} µs", time.p50)),
            self.fdatasync_us.p50,
            self.forced_bytes_per_second
                .map_or_else(|| "not measured".to_owned(), |rate| format!("{:.2} GB/s", rate / 1e9)),
            self.copy_2_kib_bytes_per_second / 1e9,
            self.copy_64_mib_bytes_per_second / 1e9,
        )
    }
}

/// The measurement of `ferry bench floors`.
#[derive(Clone, Debug, Serialize)]
pub struct FloorsWorkload {
    /// The disk that takes the forced writes.
    pub directory: PathBuf,
    /// Time of each floor in one repetition.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
}

impl fmt::Display for FloorsWorkload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "floors of the machine, forced writes in {}, {} x {:.1} s for each",
            self.directory.display(),
            self.repetitions,
            self.measure.as_secs_f64()
        )
    }
}

impl report::Workload for FloorsWorkload {
    const BENCH: &'static str = "floors";
    const COLUMNS: &'static [Column] = &[
        Column::new("ping_pong_1_byte_p50_us", "ping-pong 1 B: p50 µs", 1),
        Column::new("ping_pong_1_byte_p99_us", " p99 µs", 1),
        Column::new("ping_pong_2_kib_p50_us", "2 KiB: p50 µs", 1),
        Column::new("ping_pong_2_kib_p99_us", " p99 µs", 1),
        Column::new("direct_write_p50_us", "4 KiB direct: p50 µs", 1),
        Column::new("direct_write_p99_us", " p99 µs", 1),
        Column::new("fdatasync_p50_us", "fdatasync: p50 µs", 1),
        Column::new("fdatasync_p99_us", " p99 µs", 1),
        Column::new("forced_gb_per_second", "1 MiB forced GB/s", 2),
        Column::new("copy_2_kib_gb_per_second", "copy GB/s", 1),
        Column::new("copy_64_mib_gb_per_second", "64 MiB GB/s", 1),
    ];

    fn repetitions(&self) -> usize {
        self.repetitions
    }
}

impl FloorsWorkload {
    /// Measures them all once.
    ///
    /// # Errors
    /// As [`Floors::measure`].
    pub fn repetition(&self) -> Result<Option<Row>> {
        let floors = Floors::measure(&self.directory, self.measure)?;
        let [one, more, synced] =
            [floors.ping_pong_1_byte_us, floors.ping_pong_2_kib_us, floors.fdatasync_us];
        let direct = floors.direct_write_us;
        let values = vec![
            Some(one.p50),
            Some(one.p99),
            Some(more.p50),
            Some(more.p99),
            direct.map(|time| time.p50),
            direct.map(|time| time.p99),
            Some(synced.p50),
            Some(synced.p99),
            floors.forced_bytes_per_second.map(|rate| rate / 1e9),
            Some(floors.copy_2_kib_bytes_per_second / 1e9),
            Some(floors.copy_64_mib_bytes_per_second / 1e9),
        ];
        Ok(Some(Row { values, more: json!({ "floors": floors }) }))
    }
}

#[cfg(test)]
impl Floors {
    /// Floors of a machine that is never busy: 20 µs for a byte there and back, 100 µs for a forced write.
    pub(crate) fn by_hand() -> Self {
        let each = |us: f64| Summary { mean: us, p50: us, p99: us, p99_9: us, max: us };
        Self {
            ping_pong_1_byte_us: each(20.0),
            ping_pong_2_kib_us: each(22.0),
            direct_write_us: Some(each(100.0)),
            fdatasync_us: each(150.0),
            forced_bytes_per_second: Some(1e9),
            copy_2_kib_bytes_per_second: 2e10,
            copy_64_mib_bytes_per_second: 1e10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floor_is_measured_and_nothing_is_left_behind() {
        let directory = std::env::temp_dir().join(format!("ferry-floors-test-{}", std::process::id()));
        std::fs::create_dir(&directory).expect("a directory");
        let floors = Floors::measure(&directory, Duration::from_millis(5)).expect("it can be measured");
        let left = std::fs::read_dir(&directory).expect("it is there").count();
        std::fs::remove_dir_all(&directory).expect("it is ours");
        assert_eq!(left, 0);
        // How fast it is, is the machine's business.
        assert!(floors.ping_pong_1_byte_us.p50 > 0.0 && floors.ping_pong_2_kib_us.p50 > 0.0, "{floors}");
        assert!(floors.fdatasync_us.p50 > 0.0 && floors.forced_bytes_per_second > Some(0.0), "{floors}");
        let copies = [floors.copy_2_kib_bytes_per_second, floors.copy_64_mib_bytes_per_second];
        assert!(copies.iter().all(|rate| *rate > 0.0), "{floors}");
    }

    #[test]
    fn floors_are_read_as_they_were_written_and_so_are_earlier_ones() {
        let floors = Floors::by_hand();
        let text = serde_json::to_string(&floors).expect("it is data");
        let read: Floors = serde_json::from_str(&text).expect("and read again");
        assert_eq!(read.to_string(), floors.to_string());
        let mut earlier: serde_json::Value = serde_json::from_str(&text).expect("it is data");
        earlier.as_object_mut().expect("with names").remove("forced_bytes_per_second");
        let read: Floors = serde_json::from_value(earlier).expect("runs of before it was measured are read");
        assert_eq!(read.forced_bytes_per_second, None);
    }

    #[test]
    fn a_directory_that_takes_no_file_is_named() {
        let missing = Path::new("/proc/no-such-directory");
        let said = format!("{:#}", Floors::measure(missing, Duration::from_millis(1)).expect_err("no file"));
        assert!(said.contains("forced writes in /proc/no-such-directory"), "{said}");
    }
}
