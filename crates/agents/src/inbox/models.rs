//! Every order in which outcomes can arrive while the thread that gives them out looks and sleeps, with the
//! memory of the language and not that of one machine. `cargo xtask test --only models` runs them. Only a
//! kept wake-up ends its sleep: an outcome without one is waited for without end, which is a deadlock, and
//! reported.

use platform::Parker;
use platform::sync::explore;
use platform::sync::loom::{self, thread};
use queue_manager::Gated;

use super::*;

/// Sleep of the host's thread.
struct Bell(Arc<Parker>);

impl Wake for Bell {
    fn wake(&self) {
        self.0.unpark();
    }
}

fn inbox() -> (Arc<Inbox<()>>, Arc<Parker>) {
    let parker = Parker::new();
    (Arc::new(Inbox::new(Arc::new(Bell(Arc::clone(&parker))))), parker)
}

fn completes(inbox: &Arc<Inbox<()>>, tokens: Vec<u64>) -> thread::JoinHandle<()> {
    let inbox = Arc::clone(inbox);
    thread::spawn(move || {
        for token in tokens {
            inbox.complete(WaitToken(token), Gated::free(Err(mqi::Reason::NO_MSG_AVAILABLE)));
        }
    })
}

/// Takes what there is, and sleeps while there is nothing, until so much has come; what came, in order of the
/// tokens.
fn takes(inbox: &Inbox<()>, parker: &Parker, all: usize) -> Vec<u64> {
    let (mut arrived, mut tokens) = (Arrived::default(), Vec::new());
    loop {
        inbox.take(&mut arrived);
        tokens.extend(arrived.outcomes.drain(..).map(|(token, _)| token.0));
        if tokens.len() >= all {
            tokens.sort_unstable();
            return tokens;
        }
        parker.park();
    }
}

#[test]
fn every_outcome_is_taken_once_from_each_that_brings_it() {
    explore(|| {
        let (inbox, parker) = inbox();
        let others = [completes(&inbox, vec![1]), completes(&inbox, vec![2])];
        assert_eq!(takes(&inbox, &parker, 2), [1, 2]);
        others.into_iter().for_each(|other| other.join().expect("it ends"));
    });
}

#[test]
fn outcomes_that_come_one_after_the_other_are_taken() {
    loom::model(|| {
        let (inbox, parker) = inbox();
        let other = completes(&inbox, vec![1, 2]);
        assert_eq!(takes(&inbox, &parker, 2), [1, 2]);
        other.join().expect("it ends");
    });
}

#[test]
fn who_sleeps_hears_that_a_conversation_was_ended() {
    loom::model(|| {
        let (inbox, parker) = inbox();
        let administrator = {
            let inbox = Arc::clone(&inbox);
            thread::spawn(move || inbox.stopped())
        };
        while !inbox.is_stopped() {
            parker.park();
        }
        administrator.join().expect("it ends");
    });
}
