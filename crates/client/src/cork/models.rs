//! Every order in which requests can be corked while the flusher looks away, with the memory of the language
//! and not that of one machine. `cargo xtask test --only models` runs them.

use super::*;
use platform::sync::atomic::AtomicUsize;
use platform::sync::loom::{self, thread};
use std::sync::Arc;

/// So many cork a request each at a link that is watched and empty while the flusher looks away. Afterwards
/// the link is watched once: by the flusher that did not look away after all, or by the one that was told.
fn is_watched_once(programs: usize) {
    let (link, told) = (Arc::new(Cork::new(0)), Arc::new(AtomicUsize::new(0)));
    link.leave_corked(link.lock(), || ());
    let programs = Vec::from_iter((0..programs).map(|_| {
        let (link, told) = (Arc::clone(&link), Arc::clone(&told));
        thread::spawn(move || {
            let mut writer = link.lock();
            *writer += 1;
            link.leave_corked(writer, || {
                told.fetch_add(1, Ordering::AcqRel);
            });
        })
    }));
    let has_left = link.leave_unwatched(|requests| *requests == 0);
    programs.into_iter().for_each(|program| program.join().expect("it ends"));
    assert_eq!(told.load(Ordering::Acquire) + usize::from(!has_left), 1, "flushers that watch");
}

#[test]
fn what_is_corked_while_the_flusher_looks_away_is_watched_once() {
    loom::model(|| is_watched_once(1));
}

#[test]
fn what_two_cork_while_the_flusher_looks_away_is_watched_once() {
    loom::model(|| is_watched_once(2));
}
