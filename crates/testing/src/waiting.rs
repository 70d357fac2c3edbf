//! Waits for the work of other threads and processes.

use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything takes that is going to happen, on a machine that does other things as well.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Between two looks.
const LOOK_EACH: Duration = Duration::from_millis(2);

/// Waits until it is so.
///
/// # Panics
/// When it is not within [`PATIENCE`].
#[track_caller]
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "not within {PATIENCE:?}: {what}");
        thread::sleep(LOOK_EACH);
    }
}
