//! Every order in which a queue manager can end while reactors fall asleep and others have wishes, with the
//! memory of the language and not that of one machine. `cargo xtask test --only models` runs them.

use std::sync::Arc;

use platform::Parker;
use platform::sync::explore;
use platform::sync::loom::thread;

use super::*;

impl Wakes for Arc<Parker> {
    fn wake(&self) {
        self.unpark();
    }
}

type Ended = Ending<Arc<Parker>>;

/// A reactor that turns until the end: the phases that it saw.
fn turns(ending: &Arc<Ended>, sleep: &Arc<Parker>) -> thread::JoinHandle<Vec<Phase>> {
    let (ending, sleep) = (Arc::clone(ending), Arc::clone(sleep));
    thread::spawn(move || {
        let mut seen = Vec::new();
        loop {
            seen.push(ending.phase());
            if seen.last() == Some(&Phase::Ends) {
                return seen;
            }
            sleep.park();
        }
    })
}

fn attended(reactors: usize) -> (Arc<Ended>, Vec<Arc<Parker>>) {
    let (ending, sleeps) = (Arc::<Ended>::default(), Vec::from_iter((0..reactors).map(|_| Parker::new())));
    ending.attend(sleeps.clone());
    (ending, sleeps)
}

#[test]
fn a_reactor_that_falls_asleep_sees_every_end_and_no_phase_after_a_later_one() {
    explore(|| {
        let (ending, sleeps) = attended(1);
        let reactor = turns(&ending, &sleeps[0]);
        for phase in [Phase::Refuses, Phase::Finishes, Phase::Ends] {
            ending.enter(phase);
        }
        assert!(reactor.join().expect("it ends").is_sorted());
    });
}

#[test]
fn all_reactors_end() {
    explore(|| {
        let (ending, sleeps) = attended(2);
        let reactors = Vec::from_iter(sleeps.iter().map(|sleep| turns(&ending, sleep)));
        ending.enter(Phase::Ends);
        for reactor in reactors {
            reactor.join().expect("it ends");
        }
    });
}

#[test]
fn of_two_wishes_the_keeper_hears_one_and_then_of_the_more_urgent() {
    explore(|| {
        let (ending, _) = attended(0);
        let wishes = [Mode::Quiesce, Mode::Preemptive].map(|mode| {
            let ending = Arc::clone(&ending);
            thread::spawn(move || ending.ask(mode, "a model"))
        });
        let (heard, _) = ending.wait();
        for wish in wishes {
            wish.join().expect("it ends");
        }
        let more_urgent = ending.more_urgent_than(heard).map(|(mode, _)| mode);
        assert_eq!(more_urgent.unwrap_or(heard), Mode::Preemptive);
    });
}
