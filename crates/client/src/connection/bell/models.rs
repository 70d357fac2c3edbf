//! Every order in which a bell can ring while a listener begins, sleeps or reads, with the memory of the
//! language and not that of one machine. `cargo xtask test --only models` runs them. No wait has a limit
//! here: a lost ring is waited for without end, which is a deadlock, and reported.

use super::*;
use crate::inbox::Arrived;
use crate::lead::models::{Link, REQUEST};
use platform::sync::Condvar;
use platform::sync::explore;
use platform::sync::loom::{self, thread};

/// One of the mailboxes of a link; its server answers the ringer.
type AtLink = (Arc<Link>, usize);

impl Place for AtLink {
    fn rouse(&self) {
        let (link, waiter) = self;
        link.inboxes[*waiter].rouse();
        link.answer(&[*waiter]);
    }
}

/// Listens until the bell rings.
fn listen(bell: &Bell<AtLink>, link: &Arc<Link>, waiter: usize) {
    bell.wait_at((Arc::clone(link), waiter));
    link.wait_until(waiter, |arrived: &mut Arrived| {
        while arrived.take(REQUEST).is_some() {}
        bell.take()
    });
    bell.wait_no_more();
}

#[test]
fn a_ring_ends_the_wait_it_meets_or_the_next() {
    loom::model(|| {
        let (link, bell) = (Link::shared_by(1), Arc::new(Bell::default()));
        let ringer = {
            let bell = Arc::clone(&bell);
            thread::spawn(move || bell.ring())
        };
        listen(&bell, &link, 0);
        ringer.join().expect("it ends");
    });
}

/// The listener sleeps: its neighbour has the socket, and reads the frame that wakes it.
#[test]
fn a_ring_reaches_a_thread_that_another_reads_for() {
    explore(|| {
        let (link, bell) = (Link::shared_by(2), Arc::new(Bell::default()));
        let neighbour = {
            let link = Arc::clone(&link);
            thread::spawn(move || link.wait(1))
        };
        let ringer = {
            let (link, bell) = (Arc::clone(&link), Arc::clone(&bell));
            thread::spawn(move || {
                bell.ring();
                link.answer(&[1]);
            })
        };
        listen(&bell, &link, 0);
        ringer.join().expect("it ends");
        neighbour.join().expect("it ends");
    });
}

/// Two waits, two rings, of which the second is after the first was heard.
#[test]
fn each_wait_is_ended_by_a_ring_of_its_own() {
    explore(|| {
        let (link, bell) = (Link::shared_by(1), Arc::new(Bell::default()));
        let heard = Arc::new((Mutex::new(false), Condvar::new()));
        let ringer = {
            let (bell, heard) = (Arc::clone(&bell), Arc::clone(&heard));
            thread::spawn(move || {
                bell.ring();
                let mut was_heard = heard.0.lock();
                while !*was_heard {
                    heard.1.wait(&mut was_heard);
                }
                drop(was_heard);
                bell.ring();
            })
        };
        listen(&bell, &link, 0);
        *heard.0.lock() = true;
        heard.1.notify_one();
        listen(&bell, &link, 0);
        ringer.join().expect("it ends");
    });
}
