//! Queues that outgrow memory.

use mqi::{GetFlags, GetOptions, MessageDescriptor, Reason, Wait};
use queue_manager::{Ask, Get, WaitToken};

use crate::support::*;

fn body(number: usize) -> String {
    format!("{number:08} {}", "x".repeat(2000))
}

#[test]
fn a_deep_queue_leaves_memory_and_comes_back_in_order() {
    for persistent in [false, true] {
        let bench = Bench::with(small_memory(), 3);
        let at_start = bench.manager.figures().memory_used();
        bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        for number in 0..3000 {
            let put =
                one.connection.put(queue, &message(persistent), &Default::default(), body(number).into());
            if number % 50 == 0 {
                bench.open(put).unwrap();
                bench.keep_house();
            }
        }
        let used = bench.manager.figures().memory_used();
        assert!(used < 2 << 20, "{used} bytes for {} of bodies", 3000 * 2009);
        let mut waited = 0;
        for number in 0..3000 {
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let any = MessageDescriptor::default();
            let before = bench.host.jobs.load(std::sync::atomic::Ordering::Relaxed);
            let got = one.get_with(queue, &any, &options, 10_000).unwrap();
            assert_eq!(text(&got), body(number), "persistent {persistent}");
            if number % 50 == 0 {
                bench.keep_house();
            }
            waited += bench.host.jobs.load(std::sync::atomic::Ordering::Relaxed) - before;
        }
        assert!(waited > 0 && waited < 200, "reading ahead spares most waits: {waited}");
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
        assert_eq!(bench.manager.figures().memory_used(), at_start);
    }
}

fn evicted(bench: &Bench) -> (Session, mqi::ObjectHandle) {
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT | BROWSE);
    for number in 0..1500 {
        let put = one.connection.put(queue, &message(true), &Default::default(), body(number).into());
        if number % 20 == 0 {
            bench.open(put).unwrap();
            bench.keep_house();
        }
    }
    (one, queue)
}

#[test]
fn a_get_that_is_cancelled_while_it_reads_gives_the_message_back() {
    let bench = Bench::with(small_memory(), 4);
    let (mut one, queue) = evicted(&bench);
    let any = MessageDescriptor::default();
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let mut next = 0;
    let token = loop {
        match one.connection.get(Ask::new(queue, &any, &options, 10_000, WaitToken(77))) {
            Get::Waiting => break WaitToken(77),
            Get::Done(got) => {
                assert_eq!(text(&bench.open(got).unwrap()), body(next));
                bench.keep_house();
                next += 1;
            }
        }
    };
    assert!(one.connection.cancel(token));
    bench.run_jobs();
    assert_eq!(one.outcomes.0.lock().len(), 0);
    assert_eq!(one.get(queue), Ok(body(next)), "at its place");
    assert!(matches!(
        one.connection.get(Ask::new(queue, &any, &options, 10_000, WaitToken(78))),
        Get::Waiting | Get::Done(_)
    ));
    drop(one);
    bench.run_jobs();
    let left = bench.depth("Q");
    assert!(left >= 1500 - next as i32 - 2, "{left}");
}

#[test]
fn browsing_reads_back_what_was_evicted() {
    let bench = Bench::with(small_memory(), 5);
    let (mut one, queue) = evicted(&bench);
    let any = MessageDescriptor::default();
    let options = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::No);
    for number in 0..1500 {
        let got = one.get_with(queue, &any, &options, 10_000).unwrap();
        assert_eq!(text(&got), body(number));
    }
    assert_eq!(one.get_with(queue, &any, &options, 10_000).unwrap_err(), Reason::NO_MSG_AVAILABLE);
    assert_eq!(bench.depth("Q"), 1500);
    assert!(bench.manager.figures().memory_used() < 3 << 20);
}

#[test]
fn a_reply_on_a_deep_queue_is_got_without_reading_it_back() {
    let bench = Bench::with(small_memory(), 6);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for number in 0..1500 {
        one.put(queue, false, &body(number));
    }
    for number in 0..100 {
        let descriptor =
            MessageDescriptor { correlation_id: mqi::CorrelationId::from_bytes([7; 24]), ..message(false) };
        let put = one.connection.put(queue, &descriptor, &Default::default(), body(number).into());
        bench.open(put).unwrap();
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        match one.connection.get(Ask::new(queue, &descriptor, &options, 10_000, WaitToken(1))) {
            Get::Done(got) => assert_eq!(text(&bench.open(got).unwrap()), body(number)),
            Get::Waiting => panic!("reply {number} was read back"),
        }
    }
}
