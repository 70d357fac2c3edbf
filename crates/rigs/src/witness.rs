//! A witness of the disk: a thread that writes a block beside the files of a queue manager, again and again,
//! and remembers which writes took long.
//!
//! Lives here: how much of a time the disk was to blame for. Lives elsewhere: how long anything may take
//! (`bound`).
//!
//! Always: the witness shares nothing with the queue manager but the disk, so that what is slow by a fault of
//! ours is not slow for it; only the time is taken off in which one of its own writes was under way.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use rustix::time::{ClockId, clock_gettime};

use super::installation::Broken;

/// Bytes of each write: the smallest block of a log.
const BLOCK: [u8; 4096] = [0x57; 4096];
/// Between two writes: short beside a time that is judged, long beside a write.
const PAUSE: Duration = Duration::from_millis(10);
/// A write that takes no longer is as writes are.
const USUAL: Duration = Duration::from_millis(100);

/// The time by the clock that all programs of the machine share.
#[must_use]
pub fn now() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    // This clock begins with the machine, and its seconds have as many nanoseconds as all others.
    Duration::new(seconds.unwrap_or_default(), nanoseconds.unwrap_or_default())
}

/// From one moment of [`now`] to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first moment.
    pub begin: Duration,
    /// Its last.
    pub end: Duration,
}

impl Span {
    /// Its length.
    #[must_use]
    pub fn length(self) -> Duration {
        self.end.saturating_sub(self.begin)
    }

    /// Length of its overlap with another.
    fn shared_with(self, other: Self) -> Duration {
        Self { begin: self.begin.max(other.begin), end: self.end.min(other.end) }.length()
    }
}

/// Writes that the witness saw.
#[derive(Debug, Default)]
struct Seen {
    /// The writes that took longer than is usual.
    slow: Vec<Span>,
    /// When the write under way began.
    under_way: Option<Duration>,
    longest: Duration,
}

impl Seen {
    /// Returns the part of a time in which a slow write was under way.
    fn disk_took(&self, judged: Span, now: Duration) -> Duration {
        let under_way = self.under_way.map(|begin| Span { begin, end: now });
        let under_way = under_way.filter(|write| write.length() > USUAL);
        self.slow.iter().copied().chain(under_way).map(|write| judged.shared_with(write)).sum()
    }

    fn ends(&mut self, write: Span) {
        self.under_way = None;
        self.longest = self.longest.max(write.length());
        if write.length() > USUAL {
            self.slow.push(write);
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    seen: Mutex<Seen>,
    is_over: AtomicBool,
}

/// The thread that writes; it ends with this.
#[derive(Debug)]
pub struct Witness {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Witness {
    /// Begins to write to a file in `folder`.
    ///
    /// # Errors
    /// When there is no such file to be made.
    pub fn start(folder: &Path) -> Result<Self, Broken> {
        let path = folder.join("witness");
        let flags = rustix::fs::OFlags::DSYNC.bits().cast_signed();
        let file = OpenOptions::new().create(true).truncate(true).write(true).custom_flags(flags).open(&path);
        let file = file.map_err(|error| format!("the witness of the disk: {}: {error}", path.display()))?;
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || of_thread.write_on(&file));
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Returns the part of this time in which one of its slow writes was under way.
    #[must_use]
    pub fn disk_took(&self, judged: Span) -> Duration {
        self.shared.seen.lock().disk_took(judged, now())
    }

    /// The longest write that has ended.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.shared.seen.lock().longest
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // One that panicked has said so.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn write_on(&self, file: &File) {
        while !self.is_over.load(Ordering::Relaxed) {
            let begin = now();
            self.seen.lock().under_way = Some(begin);
            // On a disk that takes nothing more, nothing else gets far either.
            let written = file.write_all_at(&BLOCK, 0);
            self.seen.lock().ends(Span { begin, end: now() });
            if written.is_err() {
                return;
            }
            thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Seen, Span, Witness};
    use std::time::Duration;

    fn span(begin: u64, end: u64) -> Span {
        Span { begin: Duration::from_millis(begin), end: Duration::from_millis(end) }
    }

    #[test]
    fn the_disk_is_to_blame_while_a_slow_write_is_under_way() {
        let mut seen = Seen::default();
        for write in [span(0, 90), span(1_000, 2_000), span(3_000, 3_200)] {
            seen.ends(write);
        }
        for (judged, under_way, took) in [
            // A quick write excuses nothing.
            (span(0, 900), None, 0),
            (span(900, 2_100), None, 1_000),
            (span(1_500, 1_600), None, 100),
            (span(900, 3_100), None, 1_100),
            (span(5_000, 7_000), Some(6_000), 1_000),
            (span(5_000, 7_000), Some(6_950), 0),
        ] {
            seen.under_way = under_way.map(Duration::from_millis);
            let now = Duration::from_millis(7_000);
            assert_eq!(seen.disk_took(judged, now), Duration::from_millis(took), "{judged:?} {under_way:?}");
        }
        assert_eq!(seen.longest, Duration::from_secs(1));
    }

    #[test]
    fn a_witness_writes_until_it_is_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let witness = Witness::start(folder.path()).unwrap();
        while witness.longest().is_zero() {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(witness);
        assert_eq!(std::fs::metadata(folder.path().join("witness")).unwrap().len(), 4096);
    }
}
