use std::sync::atomic::AtomicU32;

use platform::sync::atomic::{AtomicU64 as Scheduled, Ordering::SeqCst};
use shuttle::thread;

use super::*;

/// Two threads that add one each, in two steps.
fn add_carelessly() {
    let sum = Arc::new(Scheduled::new(0));
    let adders = [(); 2].map(|()| {
        let sum = Arc::clone(&sum);
        thread::spawn(move || sum.store(sum.load(SeqCst) + 1, SeqCst))
    });
    for adder in adders {
        adder.join().expect("it ends");
    }
    assert_eq!(sum.load(SeqCst), 2, "an addition got lost");
}

#[test]
fn a_fault_is_found_and_its_seed_gives_it_again() {
    let failure = run(0..1000, |_| add_carelessly()).expect("some order loses an addition");
    let again = run(failure.seed..failure.seed + 1, |_| add_carelessly());
    assert_eq!(again, Some(failure.clone()));
    assert!(run(0..failure.seed, |_| add_carelessly()).is_none(), "it was the first");
}

#[test]
fn every_seed_is_run_once() {
    let count = Arc::new(AtomicU32::new(0));
    let runs = Arc::clone(&count);
    let failure = run(5..55, move |_| {
        runs.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!((failure, count.load(Ordering::Relaxed)), (None, 50));
}

/// Schedules of each subject; the program `schedules` runs as many as it is told to.
const SCHEDULES: u64 = 80;

#[test]
fn every_subject_holds_in_some_schedules() {
    let subjects = Mutex::new(SUBJECTS.iter());
    testing::threads::on_every_processor(|| {
        loop {
            let Some(subject) = subjects.lock().next() else { return };
            let failure = subject.run(0..SCHEDULES);
            let name = subject.name;
            let again = failure.as_ref().map_or(0, |failure| failure.seed);
            assert_eq!(
                failure, None,
                "cargo xtask torture --id R9-schedules-{name} --seed {again} --cases 1"
            );
        }
    });
}
