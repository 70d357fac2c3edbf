//! Every order in which a thread can fall asleep while there is work for it or the end comes, with the memory
//! of the language and not that of one machine. `cargo xtask test --only models` runs them.

use std::sync::Arc;

use platform::sync::atomic::AtomicU64;
use platform::sync::explore;
use platform::sync::loom::{self, thread};

use super::*;

/// A thread that writes what is appended, and where one may wait for what it has written.
#[derive(Default)]
struct Writer {
    end: End,
    bell: Parker,
    appended: AtomicU64,
    written: AtomicU64,
    wrote: Parker,
}

impl Writer {
    fn run(&self) {
        self.end.work_until(&self.bell, || {
            let appended = self.appended.load(Ordering::Acquire);
            if appended == self.written.load(Ordering::Relaxed) {
                return Then::Sleeps;
            }
            self.written.store(appended, Ordering::Release);
            self.wrote.unpark();
            Then::GoesOn
        });
    }

    fn append(&self) {
        self.appended.fetch_add(1, Ordering::AcqRel);
        self.bell.unpark();
    }

    fn wait(&self) {
        while self.written.load(Ordering::Acquire) < self.appended.load(Ordering::Acquire) {
            self.wrote.park();
        }
    }
}

fn begin() -> (Arc<Writer>, thread::JoinHandle<()>) {
    let writer = Arc::<Writer>::default();
    let runs = Arc::clone(&writer);
    (writer, thread::spawn(move || runs.run()))
}

#[test]
fn a_thread_that_falls_asleep_hears_of_the_end() {
    loom::model(|| {
        let (writer, thread) = begin();
        writer.end.come(&[&writer.bell]);
        thread.join().expect("it ends");
    });
}

#[test]
fn work_that_comes_as_a_thread_falls_asleep_is_done_and_then_the_end_is_heard_of() {
    loom::model(|| {
        let (writer, thread) = begin();
        writer.append();
        writer.wait();
        writer.end.come(&[&writer.bell]);
        thread.join().expect("it ends");
        assert_eq!(writer.written.load(Ordering::Acquire), 1);
    });
}

#[test]
fn an_end_that_comes_while_others_ring_is_heard_of() {
    explore(|| {
        let (writer, thread) = begin();
        let other = {
            let writer = Arc::clone(&writer);
            thread::spawn(move || writer.append())
        };
        writer.end.come(&[&writer.bell]);
        thread.join().expect("it ends");
        other.join().expect("it ends");
    });
}
