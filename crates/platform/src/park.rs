//! Parking of threads: [`Parker`].
//!
//! Deadlines are moments of the machine's monotonic clock ([`crate::os::OsClock`]). Under simulation no
//! thread parks: the one thread there takes the next event instead.

use std::sync::Arc;
use std::task::{Wake, Waker};

use crate::sync::{Condvar, Mutex};

use crate::os::OsClock;
use crate::{Clock, Monotonic};

/// Lets one thread sleep until another wakes it.
///
/// A wake that comes before the sleep is kept, so the sleeper does not miss it; several count as one.
#[derive(Debug, Default)]
pub struct Parker {
    woken: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    /// Makes a parker that was not woken yet.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Sleeps until [`Parker::unpark`].
    pub fn park(&self) {
        self.park_until(None);
    }

    /// Sleeps until [`Parker::unpark`] or the deadline; tells whether it was woken.
    pub fn park_until(&self, deadline: Option<Monotonic>) -> bool {
        let mut woken = self.woken.lock();
        while !*woken {
            let Some(deadline) = deadline else {
                self.changed.wait(&mut woken);
                continue;
            };
            let remaining = deadline.since(OsClock.now());
            if remaining.is_zero() {
                return false;
            }
            self.changed.wait_for(&mut woken, remaining);
        }
        *woken = false;
        true
    }

    /// Wakes the sleeper, or the next one to come.
    pub fn unpark(&self) {
        *self.woken.lock() = true;
        self.changed.notify_one();
    }

    /// This parker as a waker, for waits that store one.
    #[must_use]
    pub fn waker(self: &Arc<Self>) -> Waker {
        Waker::from(self.clone())
    }
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        self.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.unpark();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_wake_before_the_sleep_is_kept_once() {
        let parker = Parker::new();
        parker.unpark();
        parker.unpark();
        let soon = OsClock.now().after(Duration::from_millis(5));
        assert!(parker.park_until(Some(soon)));
        assert!(!parker.park_until(Some(soon)));
        assert!(OsClock.now() >= soon);
    }

    #[test]
    fn another_thread_wakes_the_sleeper() {
        let parker = Parker::new();
        let waker = parker.waker();
        let helper = std::thread::spawn(move || waker.wake());
        assert!(parker.park_until(Some(OsClock.now().after(Duration::from_secs(10)))));
        helper.join().unwrap();
    }
}
