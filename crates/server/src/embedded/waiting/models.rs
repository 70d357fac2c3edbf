//! Every order in which outcomes and calls to look up can come to a listener, with the memory of the language
//! and not that of one machine. `cargo xtask test --only models` runs them. No wait has a limit here.

use mqi::Reason;
use platform::sync::explore;
use platform::sync::loom::thread;
use queue_manager::Gated;

use super::*;

const TOKEN: WaitToken = WaitToken(1);

fn completes(inbox: &Arc<Inbox>) -> thread::JoinHandle<()> {
    let inbox = Arc::clone(inbox);
    thread::spawn(move || inbox.complete(TOKEN, Gated::free(Err(Reason::NO_MSG_AVAILABLE))))
}

fn wakes(inbox: &Arc<Inbox>) -> thread::JoinHandle<()> {
    let inbox = Arc::clone(inbox);
    thread::spawn(move || inbox.wake())
}

#[test]
fn one_who_listens_has_the_outcome_and_is_told_to_look_up() {
    explore(|| {
        let inbox = Arc::new(Inbox::new(&Arc::default()));
        let others = [completes(&inbox), wakes(&inbox)];
        let (mut has_come, mut was_woken) = (false, false);
        while !(has_come && was_woken) {
            has_come |= inbox.take(TOKEN).is_some();
            if !(has_come && was_woken) {
                was_woken |= !inbox.sleep(None);
            }
        }
        for other in others {
            other.join().expect("it ends");
        }
    });
}

#[test]
fn a_wait_for_an_outcome_keeps_the_call_to_look_up_for_the_next() {
    explore(|| {
        let inbox = Arc::new(Inbox::new(&Arc::default()));
        let others = [completes(&inbox), wakes(&inbox)];
        drop(inbox.wait(TOKEN));
        while inbox.sleep(None) {}
        for other in others {
            other.join().expect("it ends");
        }
    });
}
