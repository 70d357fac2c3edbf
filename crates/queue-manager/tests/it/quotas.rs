//! Quotas of queues and of the queue manager where several threads, channels and reports put.

#![expect(clippy::disallowed_methods, reason = "a thread for each putter")]

use mqi::{PutFlags, Reason};

use crate::support::*;

/// Puts until one is refused; the number that was not, and the reason.
fn fill(bench: &Bench, queue: &str, body: &str) -> (usize, Reason) {
    let mut session = bench.connect();
    let handle = session.open(queue, OUTPUT);
    let mut count = 0;
    loop {
        match session.try_put(handle, &message(false), PutFlags::NO_SYNCPOINT, body) {
            Ok(_) => count += 1,
            Err(reason) => return (count, reason),
        }
    }
}

#[test]
fn no_thread_passes_the_quota_of_a_queue_by_a_byte() {
    const BODY: usize = 1_000;
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) QUOTA(100)");
    let body = "x".repeat(BODY);
    let filled: Vec<(usize, Reason)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| fill(&bench, "Q", &body))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(filled.iter().all(|(_, reason)| *reason == Reason::Q_SPACE_NOT_AVAILABLE), "{filled:?}");
    let all: usize = filled.iter().map(|(count, _)| count).sum();
    assert_eq!(all, 100 * 1024 / (BODY + 512));
}
