//! A persistent message goes to a getter that waits without the log, and back to the queue when its
//! connection ends first.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Priority, PutFlags, PutOptions,
    Reason, ReportOptions, Wait,
};
use platform::simulated::Survival;
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Get, GotMessage, Outcome, PutDone, Receipt, WaitToken,
};
use storage::Lsn;

use crate::support::*;

/// Outcomes of a connection that can tell when bytes are out.
#[derive(Default)]
struct Telling {
    outcomes: Outcomes,
    decided: AtomicUsize,
}

impl Completions for Telling {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.outcomes.complete(token, outcome);
    }

    fn tells_of_delivery(&self) -> bool {
        true
    }

    fn decided(&self) {
        self.decided.fetch_add(1, Ordering::Relaxed);
    }
}

struct Peer {
    connection: Connection,
    telling: Arc<Telling>,
    handle: ObjectHandle,
}

impl Peer {
    fn new(bench: &Bench) -> Self {
        Self::selecting(bench, "")
    }

    fn selecting(bench: &Bench, selector: &str) -> Self {
        let telling = Arc::new(Telling::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "peer".to_owned(),
            origin: "here".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: principal("tester"),
            completions: telling.clone(),
        };
        let mut connection = bench.open(bench.manager.connect(request)).unwrap();
        let queue = mqi::ObjectDescriptor {
            selection_string: selector.to_owned(),
            ..mqi::ObjectDescriptor::queue("Q".parse().unwrap())
        };
        let opened = connection.open(&queue, INPUT | OUTPUT);
        let handle = bench.open(opened).unwrap().handle;
        Self { connection, telling, handle }
    }

    fn waits(&mut self, flags: GetFlags, bytes_max: usize) {
        let options = GetOptions::with(flags, Wait::Unlimited);
        let descriptor = MessageDescriptor::default();
        let got = self.connection.get(Ask::new(self.handle, &descriptor, &options, bytes_max, WaitToken(1)));
        assert!(matches!(got, Get::Waiting));
    }

    fn puts(&mut self, body: &'static str) -> Outcome<PutDone> {
        self.puts_as(PutFlags::NO_SYNCPOINT, body)
    }

    fn puts_as(&mut self, flags: PutFlags, body: &'static str) -> Outcome<PutDone> {
        self.connection.put(self.handle, &message(true), &PutOptions::with(flags), body.into())
    }

    fn outcome(&self) -> Outcome<GotMessage> {
        self.telling.outcomes.0.lock().remove(0).1
    }

    /// The message that came, which is not on its way to anybody yet.
    fn came(&self, bench: &Bench) -> (String, Option<Receipt>) {
        let mut got = bench.open(self.outcome()).unwrap();
        let receipt = got.receipt.take();
        (text(&got), receipt)
    }
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench
}

fn handed_over(bench: &Bench) -> u64 {
    let counters = bench.manager.figures().queue_counters();
    counters.iter().map(|(_, counters)| counters.handed_over).sum()
}

#[test]
fn a_message_handed_over_leaves_nothing_in_the_log() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let put = putter.puts("x");
    assert!(put.awaits_getter());
    let put = put.open(bench.manager.durable()).expect_err("the getter does not have it");
    assert_eq!(bench.depth("Q"), 1, "it is not gone yet");
    let (body, receipt) = getter.came(&bench);
    assert_eq!(body, "x");
    let receipt = receipt.unwrap();
    assert!(receipt.begin());
    assert!(put.awaits_getter());
    receipt.delivered();
    assert_eq!(putter.telling.decided.load(Ordering::Relaxed), 1);
    assert_eq!(put.open(bench.manager.durable()).map(|put| put.is_ok()).ok(), Some(true));
    assert!(!bench.manager.log().waits(), "nothing was logged");
    assert_eq!((bench.depth("Q"), handed_over(&bench)), (0, 1));
}

#[test]
fn when_the_getter_ends_first_the_message_is_logged_and_another_gets_it() {
    for begun in [false, true] {
        let bench = bench();
        let (mut putter, mut getter, mut other) = (Peer::new(&bench), Peer::new(&bench), bench.connect());
        let input = other.open("Q", INPUT);
        getter.waits(GetFlags::NO_SYNCPOINT, 100);
        let put = putter.puts("x");
        let (_, receipt) = getter.came(&bench);
        let receipt = receipt.unwrap();
        if begun {
            assert!(receipt.begin());
        }
        drop(getter);
        assert!(!receipt.begin(), "it was begun, or is taken back");
        drop(receipt);
        assert!(!put.awaits_getter());
        assert!(put.need() > bench.manager.durable().lsn(), "the answer waits for the record");
        assert_eq!(bench.open(put).map(|_| ()), Ok(()));
        let bench = if begun {
            bench
        } else {
            drop(other);
            drop(putter);
            let bench = bench.crash(Survival::Nothing);
            other = bench.connect();
            bench
        };
        let input = if begun { input } else { other.open("Q", INPUT) };
        assert_eq!(other.get(input), Ok("x".to_owned()));
        assert_eq!(handed_over(&bench), 0);
    }
}

#[test]
fn a_message_taken_back_goes_to_a_waiter_and_before_later_ones() {
    let bench = bench();
    let (mut putter, mut getter, mut next) = (Peer::new(&bench), Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let first = putter.puts("first");
    let second = next.puts("second");
    assert!(!second.awaits_getter(), "nobody else waits");
    drop(getter);
    let mut other = bench.connect();
    let input = other.open("Q", INPUT);
    assert_eq!(other.get(input), Ok("first".to_owned()), "at its sequence, whatever the log's order");
    assert_eq!(other.get(input), Ok("second".to_owned()));
    bench.open(first).unwrap();
}

#[test]
fn a_message_taken_back_comes_behind_what_its_getter_had_in_its_unit() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    let first = putter.puts("first");
    bench.open(first).unwrap();
    let (any, options) = (MessageDescriptor::default(), GetOptions::with(GetFlags::SYNCPOINT, Wait::No));
    let got = getter.connection.get(Ask::new(getter.handle, &any, &options, 100, WaitToken(7)));
    assert!(matches!(got, Get::Done(_)));
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let second = putter.puts("second");
    assert!(second.awaits_getter());
    let mut other = bench.connect();
    let input = other.open("Q", INPUT);
    let token = other.wait(input, &any, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    drop(getter);
    assert_eq!(other.outcome(token), Some(Ok("first".to_owned())), "the earliest of what came back");
    assert_eq!(other.get(input), Ok("second".to_owned()));
    bench.open(second).unwrap();
}

#[test]
fn a_message_dropped_on_its_way_comes_back_by_a_job() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let put = putter.puts("x");
    drop(getter.outcome());
    assert!(put.awaits_getter());
    bench.run_jobs();
    assert!(!put.awaits_getter());
    assert_eq!(bench.open(put).map(|_| ()), Ok(()));
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn only_a_plain_put_to_a_plain_getter_does_without_the_log() {
    let outside = GetFlags::NO_SYNCPOINT;
    for (why, put, get, bytes_max) in [
        ("a getter in a unit of work", PutFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT, 100),
        ("one if persistent", PutFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT_IF_PERSISTENT, 100),
        ("a buffer that is too small", PutFlags::NO_SYNCPOINT, outside, 0),
        ("one that accepts a part", PutFlags::NO_SYNCPOINT, outside | GetFlags::ACCEPT_TRUNCATED_MSG, 0),
        ("an asynchronous put", PutFlags::NO_SYNCPOINT | PutFlags::ASYNC_RESPONSE, outside, 100),
        ("a put in a unit of work", PutFlags::SYNCPOINT, outside, 100),
    ] {
        let bench = bench();
        let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
        getter.waits(get, bytes_max);
        let put = putter.puts_as(put, "x");
        assert!(!put.awaits_getter(), "{why}");
        bench.open(put).unwrap();
        let committed = putter.connection.commit(None);
        bench.open(committed).unwrap();
        let (_, receipt) = getter.came(&bench);
        assert!(receipt.is_none(), "{why}");
    }
}

#[test]
fn a_buffer_that_is_too_small_leaves_the_message_logged() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 1);
    let put = putter.puts("long");
    assert!(put.need() > Lsn::ZERO);
    bench.open(put).unwrap();
    let got = bench.open(getter.outcome()).unwrap();
    assert_eq!(got.warning, Some(Reason::TRUNCATED_MSG_FAILED));
    drop((putter, getter));
    assert_eq!(bench.crash(Survival::Nothing).depth("Q"), 1);
}

#[test]
fn a_getter_sees_a_handed_message_only_after_what_stood_before_it_is_durable() {
    let bench = bench();
    let (mut putter, mut getter, mut other) = (Peer::new(&bench), Peer::new(&bench), Peer::new(&bench));
    let earlier = other.puts("earlier");
    let mut consumer = bench.connect();
    let input = consumer.open("Q", INPUT);
    // Opening drove the log; what follows is not durable until somebody drives it again.
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got =
        consumer.connection.get(Ask::new(input, &MessageDescriptor::default(), &options, 100, WaitToken(9)));
    let Get::Done(got) = got else { panic!("it is in memory") };
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let put = putter.puts("x");
    assert!(put.awaits_getter());
    assert_eq!(getter.telling.outcomes.0.lock()[0].1.need(), got.need());
    assert!(got.need() > bench.manager.durable().lsn());
    bench.open(earlier).unwrap();
    drop(getter);
    bench.open(put).unwrap();
}

#[test]
fn no_connection_is_putter_and_getter_of_open_hand_overs_at_once() {
    let bench = bench();
    let (mut one, mut two, mut three) = (Peer::new(&bench), Peer::new(&bench), Peer::new(&bench));
    two.waits(GetFlags::NO_SYNCPOINT, 100);
    let first = one.puts("to two");
    assert!(first.awaits_getter());
    three.waits(GetFlags::NO_SYNCPOINT, 100);
    let chained = two.puts("to three");
    assert!(!chained.awaits_getter(), "its answer would stand before the message it is handed");
    bench.open(chained).unwrap();
    three.came(&bench);
    one.waits(GetFlags::NO_SYNCPOINT, 100);
    let back = three.puts("to one");
    assert!(!back.awaits_getter(), "the message would stand behind an answer that waits");
    bench.open(back).unwrap();
    drop(two);
    bench.open(first).unwrap();
}

#[test]
fn a_queue_is_not_cleared_under_a_message_on_its_way() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let put = putter.puts("x");
    for peer in [&mut getter, &mut putter] {
        let closed = peer.connection.close(peer.handle, mqi::CloseOptions::EMPTY);
        bench.open(closed).unwrap();
    }
    for text in ["CLEAR QLOCAL(Q)", "DELETE QLOCAL(Q) PURGE"] {
        let command = objects::mqsc::parse(text).unwrap().remove(0);
        assert!(!bench.open(bench.manager.execute(&command)).is_ok(), "{text}");
    }
    let (_, receipt) = getter.came(&bench);
    let receipt = receipt.unwrap();
    assert!(receipt.begin());
    receipt.delivered();
    bench.open(put).unwrap();
    bench.mqsc("DELETE QLOCAL(Q)");
}

#[test]
fn a_clean_end_logs_what_is_on_its_way_and_a_power_cut_keeps_no_promise_that_was_not_made() {
    for is_clean in [true, false] {
        let bench = bench();
        let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
        getter.waits(GetFlags::NO_SYNCPOINT, 100);
        let put = putter.puts("x");
        if is_clean {
            bench.manager.close();
            assert_eq!(put.open(bench.manager.durable()).map(|put| put.is_ok()).ok(), Some(true));
        } else {
            assert!(put.open(bench.manager.durable()).is_err());
        }
        assert_eq!(bench.crash(Survival::Nothing).depth("Q"), i32::from(is_clean));
    }
}

#[test]
fn a_message_whose_arrival_or_delivery_is_reported_is_logged() {
    for (report, expected_reports) in
        [(ReportOptions::COA, 1), (ReportOptions::COD, 1), (ReportOptions::EXPIRATION, 0)]
    {
        let bench = bench();
        bench.mqsc("DEFINE QLOCAL(R)");
        let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
        getter.waits(GetFlags::NO_SYNCPOINT, 100);
        let descriptor = MessageDescriptor { report, reply_to_queue: "R".parse().unwrap(), ..message(true) };
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = putter.connection.put(putter.handle, &descriptor, &options, "x".into());
        assert_eq!(put.awaits_getter(), expected_reports == 0, "{report:?}");
        let (body, receipt) = getter.came(&bench);
        assert_eq!((body.as_str(), receipt.is_some()), ("x", expected_reports == 0), "{report:?}");
        if let Some(receipt) = receipt {
            assert!(receipt.begin());
            receipt.delivered();
        }
        bench.open(put).unwrap();
        assert_eq!(bench.depth("R"), expected_reports, "{report:?}");
    }
}

#[test]
fn a_putter_that_could_not_wait_for_a_getter_has_its_message_logged() {
    let bench = bench();
    let (mut putter, mut getter) = (bench.connect(), Peer::new(&bench));
    let output = putter.open("Q", OUTPUT);
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = putter.connection.put(output, &message(true), &options, "x".into());
    assert!(!put.awaits_getter() && put.need() > bench.manager.durable().lsn());
    let (_, receipt) = getter.came(&bench);
    assert!(receipt.is_none());
}

#[test]
fn only_a_getter_that_asks_for_the_message_is_handed_it() {
    let bench = bench();
    let (mut putter, mut other, mut keyed) = (Peer::new(&bench), Peer::new(&bench), Peer::new(&bench));
    let mut selecting = Peer::selecting(&bench, "Root.MQMD.Priority = 9");
    let correlated = |byte| MessageDescriptor { correlation_id: CorrelationId([byte; 24]), ..message(true) };
    let wait = |peer: &mut Peer, descriptor: &MessageDescriptor| {
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let got = peer.connection.get(Ask::new(peer.handle, descriptor, &options, 100, WaitToken(1)));
        assert!(matches!(got, Get::Waiting));
    };
    wait(&mut other, &correlated(1));
    wait(&mut keyed, &correlated(2));
    wait(&mut selecting, &MessageDescriptor::default());
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = putter.connection.put(putter.handle, &correlated(2), &options, "to keyed".into());
    assert!(put.awaits_getter());
    let urgent = MessageDescriptor { priority: Priority::new(9), ..correlated(3) };
    let second = putter.connection.put(putter.handle, &urgent, &options, "to selecting".into());
    assert!(second.awaits_getter());
    let third = putter.connection.put(putter.handle, &correlated(4), &options, "to nobody".into());
    assert!(!third.awaits_getter());
    for (peer, expected) in [(&mut keyed, "to keyed"), (&mut selecting, "to selecting")] {
        let (body, receipt) = peer.came(&bench);
        assert_eq!(body, expected);
        let receipt = receipt.unwrap();
        assert!(receipt.begin());
        receipt.delivered();
    }
    assert!(other.telling.outcomes.0.lock().is_empty());
    for put in [put, second, third] {
        bench.open(put).unwrap();
    }
}

#[test]
fn a_message_is_converted_before_its_receipt() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::CONVERT, Wait::Unlimited);
    let wanted = MessageDescriptor { coded_character_set: 819, ..MessageDescriptor::default() };
    let got = getter.connection.get(Ask::new(getter.handle, &wanted, &options, 100, WaitToken(1)));
    assert!(matches!(got, Get::Waiting));
    let descriptor = MessageDescriptor {
        format: MessageDescriptor::string_format(),
        coded_character_set: 1208,
        ..message(true)
    };
    let put_options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = putter.connection.put(putter.handle, &descriptor, &put_options, "é".into());
    assert!(put.awaits_getter());
    let mut got = bench.open(getter.outcome()).unwrap().converted();
    assert_eq!((&got.body[..], got.descriptor.coded_character_set), (&[0xE9][..], 819));
    let receipt = got.receipt.take().unwrap();
    assert!(receipt.begin());
    receipt.delivered();
    bench.open(put).unwrap();
}

#[test]
fn a_message_on_its_way_keeps_its_bytes_although_memory_is_short() {
    let bench = Bench::with(queue_manager::Settings { memory_budget_bytes: 1, ..settings() }, 3);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 10_000);
    let body = "x".repeat(5000);
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = putter.connection.put(putter.handle, &message(true), &options, body.clone().into());
    assert!(put.awaits_getter());
    let mut next = bench.connect();
    let handle = next.open("Q", INPUT | OUTPUT);
    for _ in 0..100 {
        next.put(handle, true, &"y".repeat(5000));
        bench.keep_house();
    }
    drop(getter);
    bench.keep_house();
    assert_eq!(next.get(handle), Ok(body), "it is at its place");
    bench.open(put).unwrap();
}

#[test]
fn a_getter_that_dies_with_a_message_unread_leaves_no_memory_behind() {
    let bench = bench();
    let (mut putter, mut getter) = (Peer::new(&bench), Peer::new(&bench));
    getter.waits(GetFlags::NO_SYNCPOINT, 100);
    let put = putter.puts("x");
    let telling = Arc::downgrade(&getter.telling);
    drop(getter);
    bench.open(put).unwrap();
    assert!(telling.upgrade().is_none(), "its mailbox holds the message, which does not hold the mailbox");
}
