//! Every order in which a get can begin to wait for room while others give room back, with the memory of the
//! language and not that of one machine. `cargo xtask test --only models` runs them. Housekeeping, which
//! looks again after a while, is not there.

use std::sync::Arc;

use platform::sync::atomic::AtomicU64;
use platform::sync::loom::{self, thread};

use super::*;

/// Room in the log as far as this matters, with nothing that orders it.
struct Log {
    free: AtomicU64,
    parked: Parked<()>,
    /// Gets that were given room after they waited.
    served: AtomicU64,
}

impl Log {
    fn with_room_for(free: u64) -> Arc<Self> {
        let parked = Parked::default();
        Arc::new(Self { free: AtomicU64::new(free), parked, served: AtomicU64::new(0) })
    }

    fn reserve(&self) -> Option<()> {
        let less = |free: u64| free.checked_sub(1);
        self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok().map(drop)
    }

    fn serve(&self) {
        Parked::<()>::made_room();
        while self.parked.served(|()| self.reserve()).is_some() {
            self.served.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn give_back(&self) {
        self.free.fetch_add(1, Ordering::Relaxed);
        self.serve();
    }

    /// A get, as far as it needs room. Whether it had some at once.
    fn get(&self) -> bool {
        let room = self.reserve();
        if room.is_some() && self.parked.is_empty() {
            return true;
        }
        // Others came first.
        if room.is_some() {
            self.free.fetch_add(1, Ordering::Relaxed);
        }
        self.parked.note(());
        self.serve();
        false
    }
}

#[test]
fn a_get_that_waits_for_room_is_served_by_any_caller_that_gives_some_back() {
    loom::model(|| {
        let log = Log::with_room_for(0);
        let giver = {
            let log = Arc::clone(&log);
            thread::spawn(move || log.give_back())
        };
        let at_once = log.get();
        giver.join().expect("it ends");
        let served = log.served.load(Ordering::Relaxed);
        assert_eq!((u64::from(at_once) + served, log.free.load(Ordering::Relaxed)), (1, 0));
        assert!(log.parked.is_empty(), "it does not wait beside room");
    });
}

#[test]
fn one_who_stands_back_for_those_who_came_first_keeps_no_room_from_them() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| {
        let log = Log::with_room_for(1);
        let getters = [(); 2].map(|()| {
            let log = Arc::clone(&log);
            thread::spawn(move || u64::from(log.get()))
        });
        let mine = u64::from(log.get());
        let at_once: u64 = getters.map(|getter| getter.join().expect("it ends")).into_iter().sum();
        let served = log.served.load(Ordering::Relaxed);
        assert_eq!((mine + at_once + served, log.free.load(Ordering::Relaxed)), (1, 0), "the room is used");
    });
}
