//! Every order in which appending, writing and waiting threads can meet at a log, with the memory of the
//! language and not that of one machine. `cargo xtask test --only models` runs them.

use std::sync::atomic::AtomicU64 as Unseen;

use platform::Parker;
use platform::sync::loom::{self, thread};

use super::tests::{log_in_memory, promise, put};
use super::*;

/// Wake-ups: the thread that writes the log sleeps on one, a thread that waits for durability on the other.
/// No thread looks again after a while.
#[derive(Default)]
struct Bells {
    work: Parker,
    durable: Parker,
}

impl Observer for Bells {
    fn log_has_work(&self) {
        self.work.unpark();
    }

    fn durable(&self, _: Durable) {
        self.durable.unpark();
    }

    fn slow_io(&self, _: &str, _: usize, _: u64) {}

    fn failed(&self, failure: &Fatal) {
        panic!("{failure}");
    }
}

fn log() -> (Arc<Log>, Arc<Bells>) {
    let bells = Arc::new(Bells::default());
    (Arc::new(log_in_memory(1, 64 << 10, Arc::clone(&bells) as Arc<dyn Observer>)), bells)
}

/// Acts as the server's thread for the log: writes waiting records, sleeps when there are none, until
/// `is_over`.
fn write(log: &Log, bells: &Bells, is_over: impl Fn() -> bool) {
    while !is_over() {
        if log.appended() > log.durable().lsn() {
            log.drive();
        } else {
            bells.work.park();
        }
    }
}

/// Words of stack of a thread of a model: encoding a block takes more than the tool gives by itself.
const STACK_WORDS: usize = 32 << 10;

fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> thread::JoinHandle<T> {
    thread::Builder::new().stack_size(STACK_WORDS).spawn(work).expect("a thread of a model")
}

fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.max_branches = 20_000;
    // Most orders that matter need few interruptions; more are too many to try.
    builder.preemption_bound = Some(2);
    let model = Arc::new(model);
    builder.check(move || {
        let model = Arc::clone(&model);
        spawn(move || model()).join().expect("it ends");
    });
}

#[test]
fn whatever_is_appended_is_written_and_who_waits_is_told() {
    explore(|| {
        let (log, bells) = log();
        let done = Arc::new(Unseen::new(0));
        let client = {
            let (log, bells, done) = (Arc::clone(&log), Arc::clone(&bells), Arc::clone(&done));
            spawn(move || {
                let mut promise = promise(&log);
                for sequence in 0..2 {
                    let need = put(&log, &mut promise, sequence, b"x").need;
                    assert!(log.appended() >= need);
                    while log.durable().lsn() < need {
                        bells.durable.park();
                    }
                }
                done.store(1, Ordering::Relaxed);
                bells.work.unpark();
            })
        };
        write(&log, &bells, || done.load(Ordering::Relaxed) == 1);
        client.join().expect("it ends");
    });
}

#[test]
fn of_two_who_append_to_an_idle_log_one_wakes_its_writer() {
    explore(|| {
        let (log, bells) = log();
        let needs = Arc::new([Unseen::new(0), Unseen::new(0)]);
        let clients = [0, 1].map(|client| {
            let (log, bells, needs) = (Arc::clone(&log), Arc::clone(&bells), Arc::clone(&needs));
            spawn(move || {
                let need = put(&log, &mut promise(&log), client as u64, b"x").need;
                needs[client].store(need.0, Ordering::Relaxed);
                // The writer ends when both are durable: the last thread wakes it to look.
                if needs.iter().all(|need| need.load(Ordering::Relaxed) > 0) {
                    bells.work.unpark();
                }
            })
        });
        write(&log, &bells, || {
            let durable = log.durable().lsn().0;
            needs.iter().map(|need| need.load(Ordering::Relaxed)).all(|need| need > 0 && need <= durable)
        });
        for client in clients {
            client.join().expect("it ends");
        }
    });
}

#[test]
fn a_driver_finds_its_record_durable_also_where_another_wrote_it() {
    explore(|| {
        let (log, _) = log();
        let other = {
            let log = Arc::clone(&log);
            spawn(move || {
                let need = put(&log, &mut promise(&log), 1, b"x").need;
                assert!(log.drive_to(need));
                assert!(log.durable().lsn() >= need);
            })
        };
        let need = put(&log, &mut promise(&log), 2, b"y").need;
        log.drive();
        assert!(log.drive_to(need));
        assert!(log.durable().lsn() >= need);
        other.join().expect("it ends");
    });
}
