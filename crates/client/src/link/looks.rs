//! The end of a link that comes while no call waits.
//!
//! No thread reads an idle socket, so a call that is about to send looks at it first. A request that was not
//! sent can be sent over another link; the outcome of a request sent to a closed socket is unknown.
//!
//! Always: a busy link is looked at at most once a tick of the system's coarse clock. A look is a system
//! call, and reading that clock is none.

use super::Link;
use crate::inbox::Inbox;
use platform::sync::atomic::{AtomicU64, Ordering};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;

/// The tick of the last look that found the socket open, in nanoseconds.
#[derive(Debug)]
pub(super) struct Looks(AtomicU64);

impl Default for Looks {
    fn default() -> Self {
        Self(AtomicU64::new(0))
    }
}

fn tick() -> u64 {
    let now = clock_gettime(ClockId::MonotonicCoarse);
    (now.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(now.tv_nsec as u64)
}

impl Link {
    /// Looks whether the server has closed the socket. Files all that it sent before, then breaks the link.
    pub(crate) fn notices_end(self: &Arc<Self>, inbox: &Arc<Inbox>) -> bool {
        let tick = tick();
        if self.looks.0.load(Ordering::Relaxed) == tick {
            return false;
        }
        if self.socket.is_closed_there() {
            // Without a deadline this ends with the link alone.
            return self.wait_until(inbox, None, |_| None::<()>).is_err();
        }
        // Not before: another thread that asks meanwhile looks too.
        self.looks.0.store(tick, Ordering::Relaxed);
        false
    }

    /// Like [`notices_end`](Self::notices_end), but returns false while bytes are corked: the socket was
    /// looked at for the first of them.
    pub(crate) fn notices_end_if_idle(self: &Arc<Self>, inbox: &Arc<Inbox>) -> bool {
        let is_idle = self.writer.try_lock().is_some_and(|writer| writer.output.is_empty());
        is_idle && self.notices_end(inbox)
    }
}
