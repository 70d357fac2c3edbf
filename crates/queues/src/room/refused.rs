//! Persistent puts and definitions that were refused because the log has no room.
//!
//! Lives elsewhere: making room for them (`refused_puts`).

use std::time::Duration;

use platform::Monotonic;
use platform::sync::Mutex;

/// Shortest time between two events: under a steady load puts may be refused and go on many times a second.
const TOLD_AGAIN: Duration = Duration::from_secs(60);

/// The state of refused puts.
#[derive(Debug, Default)]
pub struct RefusedPuts {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Time at which puts began to be refused; none while they are accepted.
    since: Option<Monotonic>,
    told: Option<Monotonic>,
}

impl RefusedPuts {
    /// Returns true unless puts were refused and there was no room for them since.
    pub fn is_empty(&self) -> bool {
        self.state.lock().since.is_none()
    }

    /// Puts are refused at this moment; since when they are.
    pub fn note(&self, now: Monotonic) -> Monotonic {
        *self.state.lock().since.get_or_insert(now)
    }

    /// Forgets them: there is room.
    pub fn forget(&self) {
        self.state.lock().since = None;
    }

    /// Returns true if the error log is to report it now.
    pub fn is_to_tell(&self, now: Monotonic) -> bool {
        let mut state = self.state.lock();
        let is_to_tell = state.told.is_none_or(|told| now.since(told) >= TOLD_AGAIN);
        if is_to_tell {
            state.told = Some(now);
        }
        is_to_tell
    }
}
