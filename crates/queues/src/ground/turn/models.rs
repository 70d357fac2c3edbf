//! Every order in which two can want the same turn. `cargo xtask test --only models` runs them.

use std::sync::Arc;

use platform::sync::atomic::{AtomicU64, Ordering};
use platform::sync::loom::{self, thread};

use super::Turn;

#[test]
fn one_at_a_time_has_it_and_sees_what_the_one_before_did() {
    loom::model(|| {
        let (turn, done) = (Arc::new(Turn::default()), Arc::new(AtomicU64::new(0)));
        // Two steps that nobody may come between, with nothing to order them but the turn.
        let work = |turn: &Turn, done: &AtomicU64| {
            let has_it = turn.take();
            if has_it {
                done.store(done.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                turn.end();
            }
            u64::from(has_it)
        };
        let other = {
            let (turn, done) = (Arc::clone(&turn), Arc::clone(&done));
            thread::spawn(move || work(&turn, &done) + work(&turn, &done))
        };
        let mine = work(&turn, &done);
        let all = mine + other.join().expect("it ends");
        assert_eq!(done.load(Ordering::Relaxed), all, "nobody came between");
        assert!(all > 0, "somebody had it");
        assert!(turn.take(), "nobody has it at the end");
    });
}
