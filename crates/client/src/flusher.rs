//! Sees to it that nothing stays corked: one thread for each process, started by the first put that is not sent at
//! once. A child of a process has none of its parent's threads, and starts its own.
//!
//! A put without a reply may stay in the buffer so that the next calls of a busy program go out with it. Should
//! there be no next call, it is sent from here after a moment. The thread sleeps while there is nothing to watch.

use crate::link::Link;
use crate::process::OfProcess;
use platform::sync::{Condvar, Mutex};
use std::sync::{Arc, Once, Weak};
use std::time::Duration;

/// How often links with corked puts are looked at; one that has not moved since the last look is flushed.
const LOOK: Duration = Duration::from_millis(1);

/// Looks without anything corked after which a link is no longer watched, so that a busy one is not handed over
/// for each put.
const IDLE_LOOKS: u32 = 20;

static FLUSHER: OfProcess<Running> = OfProcess::new();

/// The flusher of a process, and whether its thread was started.
struct Running {
    flusher: Flusher<Link>,
    start: Once,
}

/// A link as it is watched. What is asked here must not hold the flusher up, which others wait for.
pub(crate) trait Corked {
    /// Sends what has been corked since the last look; whether anything is corked. One attempt, and none while somebody else
    /// writes.
    fn flush_stale(&self) -> bool;

    /// The flusher looks away; false when something was corked meanwhile.
    fn leave_unwatched(&self) -> bool;
}

struct Flusher<L> {
    links: Mutex<Vec<Watched<L>>>,
    appeared: Condvar,
    idle_looks_max: u32,
}

struct Watched<L> {
    link: Weak<L>,
    idle_looks: u32,
}

/// Watches a link from now on; called once until the link says it is no longer watched.
pub(crate) fn watch(link: Weak<Link>) {
    let running = FLUSHER.get(|| Running { flusher: Flusher::new(IDLE_LOOKS), start: Once::new() });
    running.flusher.watch(link);
    running.start.call_once(|| {
        let running = Arc::clone(&running);
        // Without the thread puts leave with the next call; that is all that is lost.
        let _ = std::thread::Builder::new().name("ferry-flusher".to_owned()).spawn(move || {
            loop {
                running.flusher.turn(|| std::thread::sleep(LOOK));
            }
        });
    });
}

impl<L: Corked> Flusher<L> {
    fn new(idle_looks_max: u32) -> Self {
        Self { links: Mutex::default(), appeared: Condvar::new(), idle_looks_max }
    }

    fn watch(&self, link: Weak<L>) {
        self.links.lock().push(Watched { link, idle_looks: 0 });
        self.appeared.notify_one();
    }

    /// Waits until there is something to watch, and looks at it after a pause.
    fn turn(&self, pause: impl FnOnce()) {
        let mut links = self.links.lock();
        while links.is_empty() {
            self.appeared.wait(&mut links);
        }
        let mut looked_at = std::mem::take(&mut *links);
        drop(links);
        pause();
        looked_at.retain_mut(|watched| {
            let Some(link) = watched.link.upgrade() else {
                return false;
            };
            if link.flush_stale() {
                watched.idle_looks = 0;
                return true;
            }
            watched.idle_looks += 1;
            watched.idle_looks < self.idle_looks_max || !link.leave_unwatched()
        });
        self.links.lock().append(&mut looked_at);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
