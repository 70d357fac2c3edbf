//! Every order in which requests can be corked while the flusher looks, falls asleep or looks away, with the
//! memory of the language and not that of one machine. `cargo xtask test --only models` runs them. Only the
//! flusher sends here: output that it forgets is waited for without end, which is a deadlock, and reported.

use super::*;
use crate::cork::Cork;
use platform::sync::atomic::{AtomicUsize, Ordering};
use platform::sync::explore;
use platform::sync::loom::thread;
use std::sync::Arc;

/// A link whose server takes what it is sent.
struct Corking {
    flusher: Arc<Flusher<Self>>,
    writer: Cork<Written>,
    sent: AtomicUsize,
}

#[derive(Default)]
struct Written {
    requests: usize,
    is_stale: bool,
}

impl Corking {
    fn new(flusher: &Arc<Flusher<Self>>) -> Arc<Self> {
        let writer = Cork::new(Written::default());
        Arc::new(Self { flusher: Arc::clone(flusher), writer, sent: AtomicUsize::new(0) })
    }

    fn cork(self: &Arc<Self>) {
        let mut writer = self.writer.lock();
        writer.requests += 1;
        self.writer.leave_corked(writer, || self.flusher.watch(Arc::downgrade(self)));
    }

    /// A call that waits takes along what is corked.
    fn call(&self) {
        let mut writer = self.writer.lock();
        writer.is_stale = false;
        let requests = std::mem::take(&mut writer.requests) + 1;
        self.sent.fetch_add(requests, Ordering::AcqRel);
    }

    fn sent(&self) -> usize {
        self.sent.load(Ordering::Acquire)
    }
}

impl Corked for Corking {
    fn flush_stale(&self) -> bool {
        let Some(mut writer) = self.writer.try_lock() else {
            return true;
        };
        if writer.requests == 0 {
            return false;
        }
        if std::mem::replace(&mut writer.is_stale, true) {
            self.sent.fetch_add(std::mem::take(&mut writer.requests), Ordering::AcqRel);
        }
        true
    }

    fn leave_unwatched(&self) -> bool {
        self.writer.leave_unwatched(|writer| writer.requests == 0)
    }

    fn end_elsewhere(self) {}
}

/// Looks until that much was sent. Only a thread that corks wakes a flusher that has looked away.
fn flush(flusher: &Flusher<Corking>, links: &[Arc<Corking>], all: usize) {
    let mut looks = 0;
    while links.iter().map(|link| link.sent()).sum::<usize>() < all {
        flusher.turn(|| {
            looks += 1;
            // Others come first only when it has looked in vain for a while: every order of the first looks
            // is tried.
            if looks > 4 {
                thread::yield_now();
            }
        });
    }
}

#[test]
fn what_is_corked_leaves_though_the_flusher_was_about_to_look_away() {
    explore(|| {
        let flusher = Arc::new(Flusher::new(1));
        let link = Corking::new(&flusher);
        let program = {
            let link = Arc::clone(&link);
            thread::spawn(move || {
                link.cork();
                link.call();
                link.cork();
            })
        };
        flush(&flusher, &[Arc::clone(&link)], 3);
        program.join().expect("it ends");
    });
}

#[test]
fn of_two_who_cork_none_is_forgotten_and_the_link_is_watched_once() {
    explore(|| {
        let flusher = Arc::new(Flusher::new(1));
        let link = Corking::new(&flusher);
        let programs = [(); 2].map(|()| {
            let link = Arc::clone(&link);
            thread::spawn(move || link.cork())
        });
        flush(&flusher, &[Arc::clone(&link)], 2);
        for program in programs {
            program.join().expect("it ends");
        }
        assert!(flusher.links.lock().len() <= 1);
    });
}

#[test]
fn a_link_that_appears_while_another_is_looked_at_is_looked_at_next() {
    explore(|| {
        let flusher = Arc::new(Flusher::new(1));
        let links = [(); 2].map(|()| Corking::new(&flusher));
        let programs = links.clone().map(|link| thread::spawn(move || link.cork()));
        flush(&flusher, &links, 2);
        for program in programs {
            program.join().expect("it ends");
        }
    });
}
