//! Every order in which a link can break while conversations begin, wait, sleep and read, with the memory of
//! the language and not that of one machine. `cargo xtask test --only models` runs them. No answer ever comes
//! here: a thread that does not learn of the end sleeps for ever, which is a deadlock, and reported.

use super::*;
use crate::lead::Lead;
use platform::sync::Condvar;
use platform::sync::explore;
use platform::sync::loom::{self, thread};

/// A link to a server that says nothing.
#[derive(Default)]
struct Silent {
    mailboxes: Mailboxes,
    lead: Option<Lead<()>>,
    /// The socket: true at its end; and its reader.
    is_shut: Mutex<bool>,
    changed: Condvar,
}

impl Silent {
    fn new() -> Arc<Self> {
        Arc::new(Self { lead: Some(Lead::new(())), ..Self::default() })
    }

    fn break_off(&self) -> Broken {
        self.mailboxes.break_off(|| {
            *self.is_shut.lock() = true;
            self.changed.notify_all();
        })
    }

    /// Reads until the end of the socket.
    fn read(&self) {
        let mut is_shut = self.is_shut.lock();
        while !*is_shut {
            self.changed.wait(&mut is_shut);
        }
        drop(is_shut);
        self.break_off();
    }

    /// Waits for an answer.
    fn wait(&self, inbox: &Arc<Inbox>) {
        let mut waiter = self.lead.as_ref().expect("it was made with one").waiter(inbox);
        loop {
            let mut arrived = inbox.lock();
            if self.mailboxes.look(&mut arrived, |_| None::<()>).is_err() {
                return;
            }
            if waiter.turn_or_sleep(arrived, None).is_some() {
                self.read();
                return;
            }
        }
    }

    fn converse(self: &Arc<Self>) -> thread::JoinHandle<()> {
        let link = Arc::clone(self);
        thread::spawn(move || {
            let (_, inbox) = link.mailboxes.register(9).expect("there is room");
            link.wait(&inbox);
        })
    }
}

#[test]
fn a_conversation_that_begins_as_the_link_breaks_hears_of_it() {
    loom::model(|| {
        let link = Silent::new();
        let conversation = link.converse();
        link.break_off();
        conversation.join().expect("it ends");
    });
}

#[test]
fn who_reads_and_who_sleeps_hear_of_the_end() {
    explore(|| {
        let link = Silent::new();
        let conversations = [link.converse(), link.converse()];
        link.break_off();
        conversations.into_iter().for_each(|conversation| conversation.join().expect("it ends"));
    });
}

/// No thread reads: a writer that reads in passing has the turn.
#[test]
fn a_sleeper_hears_of_the_end_from_the_first_that_finds_it() {
    explore(|| {
        let link = Silent::new();
        let turn = link.lead.as_ref().and_then(Lead::try_turn);
        let sleeper = link.converse();
        let other = {
            let link = Arc::clone(&link);
            thread::spawn(move || link.break_off())
        };
        link.break_off();
        other.join().expect("it ends");
        // What one of them has begun to tell, the other does not wait for.
        sleeper.join().expect("it ends");
        drop(turn);
        assert!(link.mailboxes.is_broken());
    });
}
