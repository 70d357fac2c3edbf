//! The number of messages that end with the process, kept where the next start finds it.
//!
//! A count that is right at every moment would cost each put and get a write, so the housekeeping thread
//! counts once a second and writes when the number is another. The file is written and not flushed: it
//! outlives the process, and after a power cut it may be older, which its time says.
//!
//! Lives elsewhere: reading it after an end that was not in order (`runtime_state`).

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use platform::Monotonic;
use platform::os::private;
use serde::{Deserialize, Serialize};

/// Time between two counts.
const COUNTED_EVERY: Duration = Duration::from_secs(1);

/// Time after which a number that is the same is written again, so that its time is not an old one.
const WRITTEN_EVERY: Duration = Duration::from_secs(60);

/// Bytes of the file, always the same: one write replaces all of it.
const FILE_BYTES: usize = 256;

/// A number of messages, and its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// When the run that counted was ready, in UTC.
    pub since: String,
    /// The time of the count, in UTC.
    pub at: String,
    /// Messages on local queues that are not persistent.
    pub not_persistent: u64,
}

impl Counted {
    /// The one in a file.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
    }

    fn encoded(&self) -> [u8; FILE_BYTES] {
        let text = serde_json::to_string(self).expect("plain fields");
        let mut bytes = [b' '; FILE_BYTES];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        bytes[FILE_BYTES - 1] = b'\n';
        bytes
    }
}

/// Counts while a queue manager runs.
#[derive(Debug)]
pub(crate) struct Counting {
    /// None where the system gave no file: then the next start says that nothing is known.
    file: Option<fs::File>,
    since: String,
    counted_at: Option<Monotonic>,
    written: Option<(u64, Monotonic)>,
}

impl Counting {
    /// Counting of the run that is ready at this time. The file of another run is written over.
    pub(crate) fn begin(path: &Path, since: String) -> Self {
        let file = private::create(path).ok();
        Self { file, since, counted_at: None, written: None }
    }

    /// Counts if it is time to; `at` is the time in UTC.
    pub(crate) fn look(&mut self, now: Monotonic, at: impl FnOnce() -> String, count: impl FnOnce() -> u64) {
        if self.counted_at.is_some_and(|last| now < last.after(COUNTED_EVERY)) {
            return;
        }
        self.counted_at = Some(now);
        let not_persistent = count();
        let is_known = |(last, at): (u64, Monotonic)| last == not_persistent && now < at.after(WRITTEN_EVERY);
        if self.written.is_some_and(is_known) {
            return;
        }
        let counted = Counted { since: self.since.clone(), at: at(), not_persistent };
        if self.file.as_ref().is_some_and(|file| file.write_all_at(&counted.encoded(), 0).is_ok()) {
            self.written = Some((not_persistent, now));
        }
    }
}
