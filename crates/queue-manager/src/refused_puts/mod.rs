//! Persistent puts and definitions that were refused because the log has no room: they go on as soon as they
//! can.
//!
//! A refusal logs nothing, so it makes no checkpoint due. From the first refusal on, housekeeping comes by
//! every [`RETRY`]:
//!
//! 1. It takes a checkpoint whenever one would free an extent: an open unit of work that kept the log has
//!    ended.
//! 2. After [`GRACE`] it backs out the oldest unit of work that keeps an extent from being used again, then
//!    the next oldest, until there is room.
//! 3. It stops when there is room, or when an empty log would have none either.
//!
//! Lives elsewhere: puts that are held back before they are refused (`housekeeping`), gets that wait for room
//! (`room`).
//!
//! Always: the error log says once why puts are refused, and not again within [`TOLD_AGAIN`].

mod relief;

use std::time::Duration;

use platform::Monotonic;
use platform::sync::Mutex;

/// Interval of housekeeping while puts are refused.
pub(crate) const RETRY: Duration = Duration::from_millis(100);

/// Time that the oldest unit of work has to end by itself: its own put may be the one that was refused.
const GRACE: Duration = Duration::from_millis(500);

/// Shortest time between two events: under a steady load puts may be refused and go on many times a second.
const TOLD_AGAIN: Duration = Duration::from_secs(60);

/// The state of refused puts.
#[derive(Debug, Default)]
pub(crate) struct RefusedPuts {
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
    pub(crate) fn is_empty(&self) -> bool {
        self.state.lock().since.is_none()
    }

    /// Puts are refused at this moment; since when they are.
    fn note(&self, now: Monotonic) -> Monotonic {
        *self.state.lock().since.get_or_insert(now)
    }

    fn forget(&self) {
        self.state.lock().since = None;
    }

    /// Returns true if the error log is to report it now.
    fn is_to_tell(&self, now: Monotonic) -> bool {
        let mut state = self.state.lock();
        let is_to_tell = state.told.is_none_or(|told| now.since(told) >= TOLD_AGAIN);
        if is_to_tell {
            state.told = Some(now);
        }
        is_to_tell
    }
}
