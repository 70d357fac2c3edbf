//! Every order in which a thread can fall asleep while the log becomes durable, with the memory of the
//! language and not that of one machine. `cargo xtask test --only models` runs them.

use std::sync::Arc;

use platform::Parker;
use platform::sync::atomic::{AtomicU64, Ordering};
use platform::sync::loom::{self, thread};

use crate::embedded::Waiting;
use crate::host::Interest;
use crate::sleeping::Bell;

/// The log as far as this matters: a position stored with release and loaded with acquire.
#[derive(Default)]
struct Log(AtomicU64);

impl Log {
    fn durable(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    fn advance(&self) {
        self.0.store(1, Ordering::Release);
    }
}

#[test]
fn a_reactor_that_holds_output_does_not_sleep_past_the_write_it_waits_for() {
    loom::model(|| {
        let (log, interest, sleep) = (Arc::new(Log::default()), Arc::new(Interest::default()), Parker::new());
        let writer = {
            let (log, interest, sleep) = (Arc::clone(&log), Arc::clone(&interest), Arc::clone(&sleep));
            thread::spawn(move || {
                log.advance();
                Interest::settle();
                if interest.is_set() {
                    sleep.unpark();
                }
            })
        };
        interest.set();
        while log.durable() == 0 {
            sleep.park();
        }
        writer.join().expect("it ends");
    });
}

#[test]
fn a_thread_that_waits_for_the_log_is_woken_by_each_that_writes_it() {
    loom::model(|| {
        let (log, waiting) = (Arc::new(Log::default()), Arc::new(Waiting::default()));
        let writer = {
            let (log, waiting) = (Arc::clone(&log), Arc::clone(&waiting));
            thread::spawn(move || {
                log.advance();
                Interest::settle();
                waiting.durability.advanced();
            })
        };
        while log.durable() == 0 {
            waiting.durability.sleep_unless(|| log.durable() > 0);
        }
        writer.join().expect("it ends");
    });
}

#[test]
fn a_thread_that_waits_for_a_log_that_fails_is_told() {
    loom::model(|| {
        let waiting = Arc::new(Waiting::default());
        let writer = {
            let waiting = Arc::clone(&waiting);
            thread::spawn(move || waiting.durability.failed())
        };
        while !waiting.durability.sleep_unless(|| false) {}
        writer.join().expect("it ends");
    });
}

#[test]
fn each_ring_lets_one_through_and_the_end_all() {
    loom::model(|| {
        let bell = Arc::new(Bell::default());
        let waiters = [(); 2].map(|()| {
            let bell = Arc::clone(&bell);
            thread::spawn(move || while bell.wait() {})
        });
        bell.ring();
        bell.end();
        for waiter in waiters {
            waiter.join().expect("it ends");
        }
    });
}
