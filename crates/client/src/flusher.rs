//! Sees to it that nothing stays corked: one thread for each process, started by the first put that is not
//! sent at once. A child of a process has none of its parent's threads, and starts its own.
//!
//! A put without a reply may stay in the buffer so that the next calls of a busy program go out with it.
//! Should there be no next call, it is sent from here after a moment. The thread sleeps while there is
//! nothing to watch.

use crate::link::Link;
use crate::process::OfProcess;
use platform::sync::{Condvar, Mutex};
use std::sync::{Arc, Once, Weak};
use std::time::Duration;

/// Interval between looks at links with corked puts; a link that has not moved since the last look is
/// flushed.
const LOOK: Duration = Duration::from_millis(1);

/// Looks without anything corked after which a link is no longer watched, so that a busy one is not handed
/// over for each put.
const IDLE_LOOKS: u32 = 20;

static FLUSHER: OfProcess<Running> = OfProcess::new();

/// The flusher of a process, and whether its thread was started.
struct Running {
    flusher: Flusher<Link>,
    start: Once,
}

/// A link as it is watched. What is asked here must not hold the flusher up, which others wait for.
pub(crate) trait Corked {
    /// Sends output corked since the last look; true if anything is corked. Makes one attempt, and none while
    /// another thread writes.
    fn flush_stale(&self) -> bool;

    /// The flusher looks away; false when something was corked meanwhile.
    fn leave_unwatched(&self) -> bool;

    /// The last owner has dropped it: its remaining output is sent by a thread for which no caller waits.
    fn end_elsewhere(self)
    where
        Self: Sized;
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
            let is_watched = if link.flush_stale() {
                watched.idle_looks = 0;
                true
            } else {
                watched.idle_looks += 1;
                watched.idle_looks < self.idle_looks_max || !link.leave_unwatched()
            };
            // Its program may have given it up meanwhile.
            match Arc::into_inner(link) {
                Some(link) => {
                    link.end_elsewhere();
                    false
                }
                None => is_watched,
            }
        });
        self.links.lock().append(&mut looked_at);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;

#[cfg(test)]
mod tests {
    use super::*;

    /// A link that its program gives up while the flusher looks at it.
    struct GivenUp {
        by_program: Mutex<Option<Arc<Self>>>,
        ended_elsewhere: Arc<Mutex<u32>>,
    }

    impl Corked for GivenUp {
        fn flush_stale(&self) -> bool {
            self.by_program.lock().take();
            true
        }

        fn leave_unwatched(&self) -> bool {
            true
        }

        fn end_elsewhere(self) {
            *self.ended_elsewhere.lock() += 1;
        }
    }

    #[test]
    fn a_link_that_is_given_up_while_the_flusher_looks_is_ended_by_another() {
        let ended_elsewhere = Arc::new(Mutex::new(0));
        let link =
            Arc::new(GivenUp { by_program: Mutex::new(None), ended_elsewhere: Arc::clone(&ended_elsewhere) });
        *link.by_program.lock() = Some(Arc::clone(&link));
        let flusher = Flusher::new(IDLE_LOOKS);
        flusher.watch(Arc::downgrade(&link));
        flusher.turn(|| drop(link));
        assert_eq!(*ended_elsewhere.lock(), 1);
        assert!(flusher.links.lock().is_empty());
    }
}
