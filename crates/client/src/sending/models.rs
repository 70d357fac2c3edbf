//! Every order in which threads can want something sent while others send, with the memory of the language
//! and not that of one machine. `cargo xtask test --only models` runs them.

use super::*;
use platform::sync::explore;
use platform::sync::loom::thread;
use std::sync::Arc;

/// Requests that are corked and whether they are wanted, and those that were sent.
struct Link {
    corked: Mutex<(usize, bool)>,
    sending: Sending<usize>,
}

impl Link {
    fn new() -> Arc<Self> {
        Arc::new(Self { corked: Mutex::new((0, false)), sending: Sending::new(0) })
    }

    /// Corks; behind output that is wanted already it leaves the sending to the thread that wanted that.
    fn cork(&self) {
        if !self.wants_one_more() {
            self.send_wanted(false);
        }
    }

    fn send(&self, waits_for_turn: bool) {
        self.wants_one_more();
        self.send_wanted(waits_for_turn);
    }

    /// True if something was wanted before.
    fn wants_one_more(&self) -> bool {
        let mut corked = self.corked.lock();
        corked.0 += 1;
        std::mem::replace(&mut corked.1, true)
    }

    fn send_wanted(&self, waits_for_turn: bool) {
        let send = |sent: &mut usize| {
            self.send_all(sent);
            Ok::<(), ()>(())
        };
        self.sending.send_wanted(waits_for_turn, || self.corked.lock().1, send).expect("nothing fails");
    }

    fn send_all(&self, sent: &mut usize) {
        let mut corked = self.corked.lock();
        *sent += std::mem::take(&mut corked.0);
        corked.1 = false;
    }

    fn has_sent(&self, requests: usize) {
        assert_eq!((*self.corked.lock(), *self.sending.sender.lock()), ((0, false), requests));
    }
}

#[test]
fn what_is_left_to_one_who_sends_is_sent() {
    explore(|| {
        let link = Link::new();
        let others = [false, true].map(|waits_for_turn| {
            let link = Arc::clone(&link);
            thread::spawn(move || link.send(waits_for_turn))
        });
        link.send(false);
        others.into_iter().for_each(|other| other.join().expect("it ends"));
        link.has_sent(3);
    });
}

#[test]
fn what_is_left_to_one_who_wanted_something_before_is_sent() {
    explore(|| {
        let link = Link::new();
        let others: [fn(&Link); 2] = [Link::cork, |link| link.send(true)];
        let others = others.map(|other| {
            let link = Arc::clone(&link);
            thread::spawn(move || other(&link))
        });
        link.cork();
        others.into_iter().for_each(|other| other.join().expect("it ends"));
        link.has_sent(3);
    });
}

#[test]
fn what_is_left_to_the_flusher_is_sent() {
    explore(|| {
        let link = Link::new();
        let flusher = {
            let link = Arc::clone(&link);
            thread::spawn(move || {
                // It looks, finds nothing that is for it, and gives the turn up.
                let mut looks = 0;
                link.sending.attempt(
                    || link.corked.lock().1,
                    |sent| {
                        looks += 1;
                        if looks > 1 {
                            link.send_all(sent);
                        }
                        true
                    },
                );
            })
        };
        link.send(false);
        link.cork();
        flusher.join().expect("it ends");
        link.has_sent(2);
    });
}
