//! Every order in which threads on one socket can wait, read for each other and leave, with the memory of the
//! language and not that of one machine. `cargo xtask test --only models` runs them. No wait has a limit
//! here: a forgotten thread sleeps for ever, which is a deadlock, and reported.

use super::*;
use crate::inbox::Answer;
use channel::RequestNumber;
use platform::sync::Condvar;
use platform::sync::explore;
use platform::sync::loom::{self, thread};
use std::collections::VecDeque;

/// The request that every thread waits for.
pub(crate) const REQUEST: RequestNumber = RequestNumber(1);

/// The other side of a socket: addressees of the next answers.
#[derive(Default)]
struct Server {
    answers: Mutex<VecDeque<usize>>,
    came: Condvar,
}

/// The reading half: the answers read so far.
type Reader = usize;

/// One socket and the mailboxes that share it.
pub(crate) struct Link {
    server: Server,
    lead: Lead<Reader>,
    pub(crate) inboxes: Vec<Arc<Inbox>>,
    /// Requests that were made and not sent, and those that were sent.
    requests: Mutex<(usize, usize)>,
}

impl Link {
    pub(crate) fn shared_by(count: usize) -> Arc<Self> {
        let inboxes = (0..count).map(|_| Arc::default()).collect();
        Arc::new(Self { server: Server::default(), lead: Lead::new(0), inboxes, requests: Mutex::default() })
    }

    pub(crate) fn answer(&self, waiters: &[usize]) {
        self.server.answers.lock().extend(waiters);
        self.server.came.notify_one();
    }

    /// Files what there is, or the first to come, and what came while that was filed; those it is for are to
    /// be told.
    fn read(&self, reader: &mut Reader, told: &mut Told, may_wait: bool) {
        self.file(reader, may_wait, told);
        self.file(reader, false, told);
    }

    fn file(&self, reader: &mut Reader, may_wait: bool, told: &mut Told) {
        let mut answers = self.server.answers.lock();
        while answers.is_empty() && may_wait {
            self.server.came.wait(&mut answers);
        }
        let answers = std::mem::take(&mut *answers);
        *reader += answers.len();
        for waiter in answers {
            let inbox = &self.inboxes[waiter];
            let mut arrived = inbox.lock();
            arrived.replies.push_back((REQUEST, Answer::Done));
            self.lead.tell(inbox, arrived, told);
        }
    }

    fn request(&self) {
        let mut requests = self.requests.lock();
        requests.0 += 1;
        let may_wait = self.lead.defer();
        drop(requests);
        if !may_wait {
            self.flush();
        }
    }

    fn flush(&self) {
        let mut requests = self.requests.lock();
        requests.1 += std::mem::take(&mut requests.0);
    }

    pub(crate) fn wait(&self, waiter: usize) {
        self.wait_until(waiter, |arrived| arrived.take(REQUEST).is_some());
    }

    /// Waits until something is found in the mailbox.
    pub(crate) fn wait_until(&self, waiter: usize, look: impl Fn(&mut Arrived) -> bool) {
        let inbox = &self.inboxes[waiter];
        let mut waiter = self.lead.waiter(inbox);
        loop {
            let mut arrived = inbox.lock();
            if look(&mut arrived) {
                break;
            }
            if let Some((turn, told)) = waiter.turn_or_sleep(arrived, None) {
                self.read(turn, told, true);
            } else if waiter.take_due() {
                self.flush();
            }
        }
        if waiter.leave() {
            self.flush();
        }
    }

    /// Checks that no thread is left behind, and that everything was read.
    fn has_ended_with(&self, read: usize) {
        let state = self.lead.state.lock();
        assert_eq!((state.reader, state.asleep.len(), state.coming), (Some(read), 0, 0));
        assert_eq!((state.told, state.due), (0, None));
    }
}

fn waits(link: &Arc<Link>, waiter: usize) -> thread::JoinHandle<()> {
    let link = Arc::clone(link);
    thread::spawn(move || link.wait(waiter))
}

#[test]
fn of_two_that_wait_each_gets_its_own_also_when_the_other_reads() {
    loom::model(|| {
        let link = Link::shared_by(2);
        let waiter = waits(&link, 1);
        link.answer(&[0]);
        link.answer(&[1]);
        link.wait(0);
        waiter.join().expect("it ends");
        link.has_ended_with(2);
    });
}

#[test]
fn one_who_leaves_has_another_read_on() {
    explore(|| {
        let link = Link::shared_by(3);
        let waiters = [waits(&link, 1), waits(&link, 2)];
        link.answer(&[0]);
        link.wait(0);
        link.answer(&[2]);
        link.answer(&[1]);
        waiters.into_iter().for_each(|waiter| waiter.join().expect("it ends"));
        link.has_ended_with(3);
    });
}

#[test]
fn those_who_were_woken_together_leave_one_behind_who_reads() {
    explore(|| {
        let link = Link::shared_by(3);
        let waiters = [waits(&link, 1), waits(&link, 2)];
        link.answer(&[0, 1]);
        link.wait(0);
        link.answer(&[2]);
        waiters.into_iter().for_each(|waiter| waiter.join().expect("it ends"));
        link.has_ended_with(3);
    });
}

/// It may push aside the thread that woke it, and be done before that one goes on.
#[test]
fn one_who_is_told_by_a_reader_that_leaves_can_read_on_at_once() {
    loom::model(|| {
        let link = Link::shared_by(2);
        let other = {
            let link = Arc::clone(&link);
            thread::spawn(move || {
                let inbox = &link.inboxes[1];
                let mut waiter = link.lead.waiter(inbox);
                let arrived = inbox.lock();
                if arrived.has(REQUEST) {
                    return;
                }
                if let Some((turn, told)) = waiter.turn_or_sleep(arrived, None) {
                    link.read(turn, told, true);
                } else if inbox.lock().has(REQUEST) {
                    assert!(link.lead.try_turn().is_some(), "who told it has left");
                }
            })
        };
        link.answer(&[0, 1]);
        link.wait(0);
        other.join().expect("it ends");
        link.has_ended_with(2);
    });
}

#[test]
fn a_writer_that_read_in_passing_leaves_nobody_asleep() {
    loom::model(|| {
        let link = Link::shared_by(1);
        let waiter = waits(&link, 0);
        if let Some(mut turn) = link.lead.try_turn() {
            link.read(&mut turn, &mut Told::default(), false);
        }
        link.answer(&[0]);
        waiter.join().expect("it ends");
        link.has_ended_with(1);
    });
}

#[test]
fn a_request_that_waits_for_others_is_sent_by_the_last_of_them() {
    explore(|| {
        let link = Link::shared_by(3);
        let ask = |link: &Link, waiter| {
            link.wait(waiter);
            link.request();
        };
        let waiters = [1, 2].map(|waiter| {
            let link = Arc::clone(&link);
            thread::spawn(move || ask(&link, waiter))
        });
        link.answer(&[0, 1, 2]);
        ask(&link, 0);
        waiters.into_iter().for_each(|waiter| waiter.join().expect("it ends"));
        assert_eq!(*link.requests.lock(), (0, 3), "none is left");
        link.has_ended_with(3);
    });
}

#[test]
fn a_request_made_while_nobody_is_about_to_come_does_not_wait() {
    loom::model(|| {
        let link = Link::shared_by(2);
        let waiter = waits(&link, 1);
        link.request();
        assert_eq!(*link.requests.lock(), (0, 1));
        link.answer(&[1]);
        waiter.join().expect("it ends");
        link.has_ended_with(1);
    });
}

/// As after a timeout, a bell or a broken socket.
#[test]
fn one_who_gives_up_hands_on_what_it_was_woken_for() {
    explore(|| {
        let link = Link::shared_by(2);
        let waiter = waits(&link, 1);
        let gives_up = {
            let link = Arc::clone(&link);
            thread::spawn(move || {
                let inbox = &link.inboxes[0];
                let mut waiter = link.lead.waiter(inbox);
                // It has to sleep once, or to read once.
                if let Some((turn, told)) = waiter.turn_or_sleep(inbox.lock(), None) {
                    link.read(turn, told, false);
                }
            })
        };
        {
            let _arrived = link.inboxes[0].lock();
            link.inboxes[0].changed.notify_all();
        }
        link.answer(&[0, 1]);
        waiter.join().expect("it ends");
        gives_up.join().expect("it ends");
        link.has_ended_with(2);
    });
}
