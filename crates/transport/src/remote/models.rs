//! Every order in which a reactor can fall asleep while others have news for it, in the memory model of the
//! language, not of one machine. `cargo xtask test --only models` runs them.

use std::sync::Arc;

use platform::Parker;
use platform::sync::{Mutex, explore, loom};

use super::{ConnectionId, Rouse, Shared, Wake};

impl Rouse for Arc<Parker> {
    fn rouse(&self) {
        self.unpark();
    }
}

/// A reactor that turns until it has seen so much news of a connection.
fn turns(shared: &Shared<Arc<Parker>>, wake: &Wake<Arc<Parker>>, news: &Mutex<u32>, all: u32) {
    let mut seen = 0;
    let mut noted = Vec::new();
    while seen < all {
        noted.clear();
        shared.take(&mut noted);
        for _ in &noted {
            wake.taken();
            seen = *news.lock();
        }
        if seen < all && !shared.is_pending() && shared.may_sleep() {
            shared.waker.park();
            shared.awake();
        }
    }
}

#[test]
fn news_of_a_connection_wakes_a_reactor_however_it_falls_asleep() {
    explore(|| {
        let shared = Arc::new(Shared::new(Parker::new()));
        let id = ConnectionId { slot: 0, generation: 0 };
        let wake = Arc::new(Wake::new(id, Arc::clone(&shared)));
        let news = Arc::new(Mutex::new(0));
        let teller = {
            let (wake, news) = (Arc::clone(&wake), Arc::clone(&news));
            loom::thread::spawn(move || {
                for _ in 0..2 {
                    *news.lock() += 1;
                    wake.wake();
                }
            })
        };
        turns(&shared, &wake, &news, 2);
        teller.join().expect("it ends");
    });
}

#[test]
fn of_two_who_have_news_none_is_forgotten() {
    explore(|| {
        let shared = Arc::new(Shared::new(Parker::new()));
        let id = ConnectionId { slot: 0, generation: 0 };
        let wake = Arc::new(Wake::new(id, Arc::clone(&shared)));
        let news = Arc::new(Mutex::new(0));
        let tellers = [(); 2].map(|()| {
            let (wake, news) = (Arc::clone(&wake), Arc::clone(&news));
            loom::thread::spawn(move || {
                *news.lock() += 1;
                wake.wake();
            })
        });
        turns(&shared, &wake, &news, 2);
        for teller in tellers {
            teller.join().expect("it ends");
        }
    });
}
