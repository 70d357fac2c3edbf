//! Every order in which threads can be left to be woken while the thread that wakes them falls asleep or
//! ends, with the memory of the language and not that of one machine. `cargo xtask test --only models` runs
//! them.

use platform::sync::explore;
use platform::sync::loom::{self, thread};

use super::*;

/// A getter of outcomes: each is noted first, then it is left to be woken, as an inbox does it.
#[derive(Default)]
struct Getter {
    come: Mutex<u32>,
    sleeper: Arc<Sleeper>,
}

impl Getter {
    fn give(&self, waking: &Waking) {
        *self.come.lock() += 1;
        waking.leave(&self.sleeper);
    }

    fn wait_for(&self, count: u32) {
        while *self.come.lock() < count {
            self.sleeper.sleep(None);
        }
    }
}

fn begin() -> (Arc<Waking>, Arc<Getter>, thread::JoinHandle<()>) {
    let (waking, getter) = (Arc::<Waking>::default(), Arc::<Getter>::default());
    let works = Arc::clone(&waking);
    (waking, getter, thread::spawn(move || works.work()))
}

#[test]
fn what_comes_again_while_its_getter_is_being_woken_wakes_it_too() {
    let mut builder = loom::model::Builder::new();
    // With two interruptions nobody comes between the wake-up and the look who is left.
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let (waking, getter, thread) = begin();
        let gives = {
            let (waking, getter) = (Arc::clone(&waking), Arc::clone(&getter));
            thread::spawn(move || {
                getter.give(&waking);
                getter.give(&waking);
            })
        };
        getter.wait_for(2);
        gives.join().expect("it ends");
        waking.end();
        thread.join().expect("it ends");
    });
}

#[test]
fn who_is_left_as_the_end_comes_is_woken() {
    explore(|| {
        let (waking, getter, thread) = begin();
        let ends = {
            let waking = Arc::clone(&waking);
            thread::spawn(move || waking.end())
        };
        waking.leave(&getter.sleeper);
        getter.sleeper.sleep(None);
        ends.join().expect("it ends");
        thread.join().expect("it ends");
    });
}
