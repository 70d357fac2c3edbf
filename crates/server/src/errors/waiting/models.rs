//! Every order in which events can be noted while their writer falls asleep, with the memory of the language
//! and not that of one machine. `cargo xtask test --only models` runs them. No wait has a limit here: an
//! event or an end that is not heard of leaves the writer asleep, which is a deadlock, and reported.

use std::sync::Arc;

use platform::sync::explore;
use platform::sync::loom::{self, thread};

use super::*;

/// Writes until the end: how many events it took, and how many were lost.
fn writes(waiting: &Arc<Waiting<u32>>) -> thread::JoinHandle<(usize, u64)> {
    let waiting = Arc::clone(waiting);
    thread::spawn(move || {
        let mut all = (0, 0);
        while waiting.wait(Duration::MAX) {
            let (events, lost) = waiting.take();
            all = (all.0 + events.len(), all.1 + lost);
        }
        all
    })
}

#[test]
fn what_was_noted_before_the_end_is_written() {
    explore(|| {
        let waiting = Arc::new(Waiting::new(8));
        let writer = writes(&waiting);
        let other = {
            let waiting = Arc::clone(&waiting);
            thread::spawn(move || waiting.note(1))
        };
        waiting.note(2);
        other.join().expect("it ends");
        waiting.end();
        assert_eq!(writer.join().expect("it ends"), (2, 0));
    });
}

#[test]
fn an_event_is_written_before_the_next_is_noted_or_the_end_comes() {
    loom::model(|| {
        let waiting = Arc::new(Waiting::new(8));
        let writer = {
            let waiting = Arc::clone(&waiting);
            thread::spawn(move || {
                let mut events = 0;
                // Nothing else wakes it.
                while events < 1 {
                    assert!(waiting.wait(Duration::MAX), "the end has not come");
                    events += waiting.take().0.len();
                }
            })
        };
        waiting.note(1);
        writer.join().expect("it ends");
    });
}

#[test]
fn what_is_lost_for_want_of_room_is_counted() {
    loom::model(|| {
        let waiting = Arc::new(Waiting::new(1));
        let writer = writes(&waiting);
        (0..3).for_each(|event| waiting.note(event));
        waiting.end();
        let (events, lost) = writer.join().expect("it ends");
        assert_eq!(events as u64 + lost, 3);
    });
}
