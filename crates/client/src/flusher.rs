//! Sees to it that nothing stays corked: one thread for the process, started by the first put that is not sent at
//! once.
//!
//! A put without a reply may stay in the buffer so that the next calls of a busy program go out with it. Should
//! there be no next call, it is sent from here after a moment. The thread sleeps while there is nothing to watch.

use crate::link::Link;
use platform::sync::{Condvar, Mutex};
use std::sync::{OnceLock, Weak};
use std::time::Duration;

/// How often links with corked puts are looked at; one that has not moved since the last look is flushed.
const LOOK: Duration = Duration::from_millis(1);

/// Looks without anything corked after which a link is no longer watched, so that a busy one is not handed over
/// for each put.
const IDLE_LOOKS: u32 = 20;

static FLUSHER: OnceLock<Flusher> = OnceLock::new();

#[derive(Default)]
struct Flusher {
    links: Mutex<Vec<Watched>>,
    appeared: Condvar,
}

struct Watched {
    link: Weak<Link>,
    idle_looks: u32,
}

/// Watches a link from now on; called once until the link says it is no longer watched.
pub(crate) fn watch(link: Weak<Link>) {
    let mut is_new = false;
    let flusher = FLUSHER.get_or_init(|| {
        is_new = true;
        Flusher::default()
    });
    flusher.links.lock().push(Watched { link, idle_looks: 0 });
    flusher.appeared.notify_one();
    if is_new {
        // Without the thread puts leave with the next call; that is all that is lost.
        let _ = std::thread::Builder::new().name("ferry-flusher".to_owned()).spawn(|| run(flusher));
    }
}

fn run(flusher: &'static Flusher) {
    loop {
        let mut links = flusher.links.lock();
        while links.is_empty() {
            flusher.appeared.wait(&mut links);
        }
        let mut looked_at = std::mem::take(&mut *links);
        drop(links);
        std::thread::sleep(LOOK);
        looked_at.retain_mut(|watched| {
            let Some(link) = watched.link.upgrade() else {
                return false;
            };
            if link.flush_stale() {
                watched.idle_looks = 0;
                return true;
            }
            watched.idle_looks += 1;
            watched.idle_looks < IDLE_LOOKS || !link.leave_unwatched()
        });
        flusher.links.lock().append(&mut looked_at);
    }
}
