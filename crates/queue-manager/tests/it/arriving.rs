//! The verbs of message channels: a series of gets in a batch, messages that arrive by the names of their
//! header, dead letters and reports.

use bytes::Bytes;
use formats::headers::{Chain, Header, Place};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, MessageFlags, ObjectDescriptor, PutFlags, PutOptions, Reason,
    ReportOptions, Text, Wait, constants,
};
use platform::simulated::Survival;
use queue_manager::{
    Arrived, Ask, Decision, Destinations, Gated, Get, GotMessage, Outcome, PreparedPurpose, Series,
    Transmission, WaitToken,
};
use storage::record::{ChannelBatch, ChannelCommit};
use storage::{Direction, ObjectId};

use crate::support::*;

const REMOTE: &str = "DEFINE QLOCAL(QM2) USAGE(XMITQ) DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2)";

fn batch(sync_object: ObjectId, batch: u64) -> PreparedPurpose {
    PreparedPurpose::Channel(ChannelBatch {
        sync_object,
        batch,
        first_sequence: 1,
        last_sequence: 3,
        chain: 7,
    })
}

/// Gets as many as are there, as a sender does; the answer is the last of the list.
fn series(one: &mut Session, queue: &str, messages: u32, token: u64) -> Result<Vec<GotMessage>, u64> {
    let handle = one.open(queue, INPUT);
    let flags = GetFlags::SYNCPOINT_IF_PERSISTENT;
    let options = GetOptions::with(flags, Wait::Unlimited);
    let mut got: Vec<Outcome<GotMessage>> = Vec::new();
    let wanted = Series { token: WaitToken(token), messages, bytes: u64::MAX };
    let descriptor = MessageDescriptor::default();
    let last = one.connection.get(Ask {
        take: Some(&mut |next| got.push(next)),
        ..Ask::new(handle, &descriptor, &options, 1 << 20, wanted)
    });
    match last {
        Get::Done(last) => got.push(last),
        Get::Waiting => {
            // Bodies that a restart left on the disk are read back.
            while let Some(job) = one.manager.take_job() {
                job.run();
            }
            let mut outcomes = one.outcomes.0.lock();
            let place = outcomes.iter().position(|(other, _)| *other == token).ok_or(token)?;
            got.push(outcomes.remove(place).1);
        }
    }
    Ok(got.into_iter().map(|outcome| open(&one.manager, outcome).unwrap()).collect())
}

fn arrived(queue: &str, queue_manager: &str, body: &'static str) -> Arrived {
    let descriptor = MessageDescriptor { user_identifier: Text::truncated("anna"), ..message(true) };
    Arrived {
        queue: queue.parse().unwrap(),
        queue_manager: queue_manager.parse().unwrap(),
        hops: 0,
        descriptor,
        body: Bytes::from_static(body.as_bytes()),
    }
}

fn put_arrived(one: &mut Session, to: &mut Destinations, message: &Arrived) -> Result<(), Reason> {
    let put = one.connection.arrivals().put(to, message, true);
    open(&one.manager, put).map(drop)
}

#[test]
fn a_series_is_got_in_order_within_the_unit_of_work_and_returns_as_one() {
    for decision in [Decision::Commit, Decision::BackOut] {
        let bench = Bench::new();
        bench.mqsc(REMOTE);
        let object =
            bench.open(bench.manager.channels().define_state(None, sync(1, Direction::Sends))).unwrap();
        let mut one = bench.connect();
        let remote = one.open("R", OUTPUT);
        for (body, persistent) in [("a", true), ("b", false), ("c", true), ("d", true)] {
            one.put(remote, persistent, body);
        }
        let got = series(&mut one, "QM2", 3, 1).unwrap();
        let carried: Vec<Transmission> =
            got.iter().map(|got| Transmission::carried_by(got).unwrap()).collect();
        let bodies: Vec<&[u8]> = carried.iter().map(|carried| &carried.body[..]).collect();
        assert_eq!(bodies, [b"a", b"b", b"c"]);
        assert_eq!((carried[0].queue.as_str(), carried[0].queue_manager.as_str()), ("THERE", "QM2"));
        assert_eq!(carried[0].hops, 0);
        let name = bench.open(one.connection.prepare(batch(object, 1))).unwrap().expect("it got something");
        assert_eq!(bench.depth("QM2"), 1, "what is in doubt is no more to be got");
        let bench = bench.crash(Survival::Nothing);
        bench.open(bench.manager.units().settle_batch(name, decision)).unwrap();
        let mut two = bench.connect();
        let mut bodies: Vec<Bytes> = Vec::new();
        for token in 1..=10 {
            let Ok(rest) = series(&mut two, "QM2", 10, token) else { break };
            bodies.extend(rest.iter().map(|got| Transmission::carried_by(got).unwrap().body));
        }
        match decision {
            Decision::Commit => assert_eq!(bodies, ["d"]),
            // The one that was not persistent had left with the crash.
            Decision::BackOut => assert_eq!(bodies, ["a", "c", "d"]),
        }
    }
}

#[test]
fn a_batch_is_not_prepared_while_a_get_could_still_bring_a_message_into_it() {
    let bench = Bench::new();
    bench.mqsc(REMOTE);
    let object = bench.open(bench.manager.channels().define_state(None, sync(1, Direction::Sends))).unwrap();
    let mut one = bench.connect();
    let mut other = bench.connect();
    let remote = other.open("R", OUTPUT);
    other.put(remote, true, "first");
    assert_eq!(series(&mut one, "QM2", 3, 1).unwrap().len(), 1);
    assert_eq!(series(&mut one, "QM2", 3, 2).unwrap_err(), 2);
    let refused = bench.open(one.connection.prepare(batch(object, 1)));
    assert_eq!(refused, Err(Reason::UOW_NOT_AVAILABLE));
    assert!(one.connection.cancel(WaitToken(2)), "it has nothing");
    assert!(bench.open(one.connection.prepare(batch(object, 1))).unwrap().is_some());
    // Where a message came first the cancel says so, and the message is in the unit.
    assert_eq!(series(&mut one, "QM2", 3, 3).unwrap_err(), 3);
    other.put(remote, true, "second");
    assert!(!one.connection.cancel(WaitToken(3)));
    let (token, outcome) = one.outcomes.0.lock().pop().unwrap();
    let got = open(&one.manager, outcome).unwrap();
    assert_eq!((token, &Transmission::carried_by(&got).unwrap().body[..]), (3, &b"second"[..]));
    assert!(bench.open(one.connection.prepare(batch(object, 2))).unwrap().is_some());
    assert_eq!(bench.open(bench.manager.units().prepared()).len(), 2);
}

#[test]
fn a_new_line_has_confirmed_nothing_before_a_restart_and_after() {
    for checkpoints in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let object =
            bench.open(bench.manager.channels().define_state(None, sync(1, Direction::Sends))).unwrap();
        let commit = |batch| ChannelCommit { sync_object: object, chain: 1, batch, sequence: 1 };
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        one.put_within(queue, true, "x");
        bench.open(one.connection.commit_batch(commit(5))).unwrap();
        let confirmed = |bench: &Bench| bench.open(bench.manager.channels().states())[0].confirmed;
        assert_eq!(confirmed(&bench), Some(commit(5)));
        // The same line, said again, keeps it.
        let read = sync(1, Direction::Sends);
        bench.open(bench.manager.channels().define_state(Some((object, &read)), read.clone())).unwrap();
        assert_eq!(confirmed(&bench), Some(commit(5)));
        let next = sync(2, Direction::Sends);
        bench.open(bench.manager.channels().define_state(Some((object, &read)), next)).unwrap();
        assert_eq!(confirmed(&bench), None);
        if checkpoints {
            bench.pass(std::time::Duration::from_secs(61));
            bench.keep_house();
        }
        drop(one);
        let bench = bench.crash(Survival::Nothing);
        assert_eq!(confirmed(&bench), None);
        assert_eq!(bench.depth("Q"), 1);
    }
}

#[test]
fn a_message_that_arrives_goes_where_an_open_of_its_names_would() {
    let bench = Bench::new();
    bench.mqsc(&format!(
        "{REMOTE} DEFINE QLOCAL(Q) DEFINE QALIAS(A) TARGET(Q) DEFINE QREMOTE(TEST.ALIAS) RQMNAME(TEST)"
    ));
    let mut one = bench.connect();
    let mut to = Destinations::default();
    for (queue, queue_manager) in [("Q", "TEST"), ("A", "TEST"), ("Q", "TEST.ALIAS"), ("Q", "TEST")] {
        put_arrived(&mut one, &mut to, &arrived(queue, queue_manager, "here")).unwrap();
    }
    for reason in [
        (arrived("NONE", "TEST", ""), Reason::UNKNOWN_OBJECT_NAME),
        (arrived("Q", "NOWHERE", ""), Reason::UNKNOWN_REMOTE_Q_MGR),
        (arrived("SYSTEM.DEFAULT.MODEL.QUEUE", "TEST", ""), Reason::DYNAMIC_Q_NAME_ERROR),
    ] {
        assert_eq!(put_arrived(&mut one, &mut to, &reason.0), Err(reason.1));
    }
    one.commit().unwrap();
    assert_eq!(bench.depth("Q"), 4);
    let queue = one.open("Q", INPUT);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = one.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
    assert_eq!(got.descriptor.user_identifier.as_str(), "anna", "with all its context");
}

#[test]
fn each_queue_manager_on_the_way_is_counted_and_a_user_cannot_take_one_off() {
    let bench = Bench::new();
    bench.mqsc(REMOTE);
    let mut one = bench.connect();
    let mut to = Destinations::default();
    let onward = Arrived { hops: 7, ..arrived("THERE", "QM2", "onward") };
    put_arrived(&mut one, &mut to, &onward).unwrap();
    one.commit().unwrap();
    let got = series(&mut one, "QM2", 1, 1).unwrap();
    let carried = Transmission::carried_by(&got[0]).unwrap();
    assert_eq!((carried.hops, &carried.body[..]), (8, &b"onward"[..]));
    let own = carried.descriptor.accounting_token;
    assert_eq!(own, mqi::AccountingToken::NONE, "the message's own token is the putter's");
    // The next put of the same connection begins anew.
    let remote = one.open("R", OUTPUT);
    one.put(remote, true, "own");
    assert_eq!(Transmission::carried_by(&series(&mut one, "QM2", 1, 2).unwrap()[0]).unwrap().hops, 0);
}

#[test]
fn a_destination_that_changed_is_opened_again_once() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q1) DEFINE QLOCAL(Q2) DEFINE QALIAS(A) TARGET(Q1)");
    let mut one = bench.connect();
    let mut to = Destinations::default();
    put_arrived(&mut one, &mut to, &arrived("A", "TEST", "1")).unwrap();
    one.commit().unwrap();
    bench.told("ALTER QALIAS(A) TARGET(Q2) FORCE");
    put_arrived(&mut one, &mut to, &arrived("A", "TEST", "2")).unwrap();
    one.commit().unwrap();
    assert_eq!((bench.depth("Q1"), bench.depth("Q2")), (1, 1));
}

#[test]
fn more_destinations_than_are_kept_open_are_reached_all_the_same() {
    let bench = Bench::new();
    let defined: Vec<String> = (0..70).map(|number| format!("DEFINE QLOCAL(Q{number})")).collect();
    bench.mqsc(&defined.join(" "));
    let mut one = bench.connect();
    let mut to = Destinations::default();
    for _ in 0..2 {
        for number in 0..70 {
            put_arrived(&mut one, &mut to, &arrived(&format!("Q{number}"), "TEST", "x")).unwrap();
        }
    }
    one.commit().unwrap();
    assert!((0..70).all(|number| bench.depth(&format!("Q{number}")) == 2));
    let handles = bench.told("DISPLAY CONN(*) TYPE(HANDLE) ALL").matches("OBJNAME(Q").count();
    assert_eq!(handles, 64);
}

#[test]
fn a_dead_letter_says_why_and_where_it_was_to_go_and_belongs_to_the_unit() {
    for commits in [true, false] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(DEAD)");
        let mut one = bench.connect();
        let letter = || {
            let refused = Gated::free(Reason::from_code(constants::MQFB_MAX_ACTIVITIES));
            arrived("GONE", "TEST", "dead").dead_letter(&refused)
        };
        let refused = one.connection.arrivals().put_dead_letter(letter(), true);
        assert_eq!(bench.open(refused), Err(Reason::UNKNOWN_OBJECT_NAME), "there is no dead-letter queue");
        bench.told("ALTER QMGR DEADQ(DEAD)");
        bench.open(one.connection.arrivals().put_dead_letter(letter(), true)).unwrap();
        if commits {
            one.commit().unwrap()
        } else {
            one.back().unwrap()
        };
        let bench = bench.crash(Survival::Nothing);
        assert_eq!(bench.depth("DEAD"), i32::from(commits));
        if commits {
            let mut two = bench.connect();
            let dead = two.open("DEAD", INPUT);
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = two.get_with(dead, &MessageDescriptor::default(), &options, 1 << 10).unwrap();
            let Chain { headers, data, .. } = Chain::read(&Place::of(&got.descriptor), &got.body).unwrap();
            let [Header::DeadLetter(header)] = &headers[..] else { panic!("{headers:?}") };
            assert_eq!(header.reason, constants::MQFB_MAX_ACTIVITIES);
            let destination = (header.destination_queue.as_str(), header.destination_queue_manager.as_str());
            assert_eq!(destination, ("GONE", "TEST"));
            assert_eq!(&data[..], b"dead");
        }
    }
}

#[test]
fn a_dead_letter_may_be_kept_before_its_reason_is_known_and_outlives_nothing() {
    for is_durable in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(DEAD) DEFINE QLOCAL(FULL) MAXDEPTH(1)");
        bench.told("ALTER QMGR DEADQ(DEAD)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let output = two.open("FULL", OUTPUT);
        let durable = bench.manager.durable();
        let filled = two.connection.put(output, &message(true), &PutOptions::default(), "x".into());
        let message = arrived("FULL", "TEST", "dead");
        let put = one.connection.arrivals().put(&mut Destinations::default(), &message, true).split();
        let refused = put.expect_err("the queue is full");
        assert!(refused.clone().open(durable).is_err(), "the put before it may be lost yet");
        let kept = one.connection.arrivals().put_dead_letter(message.dead_letter(&refused), true);
        assert!(kept.need() >= refused.need() && kept.split().is_ok());
        let committed = one.connection.commit(None);
        assert!(committed.need() > filled.need(), "the batch comes behind all that it saw");
        assert_eq!(bench.manager.durable().lsn(), durable.lsn(), "nobody drove");
        if is_durable {
            bench.open(committed).unwrap();
            assert_eq!(bench.open(refused), Reason::Q_FULL);
        }
        let bench = bench.crash(Survival::Nothing);
        assert_eq!(["FULL", "DEAD"].map(|queue| bench.depth(queue)), [i32::from(is_durable); 2]);
    }
}

#[test]
fn an_exception_is_reported_as_far_as_the_message_asks() {
    let all = ReportOptions::EXCEPTION_WITH_FULL_DATA;
    for (asked, expected) in [
        (ReportOptions::EMPTY, None),
        (ReportOptions::COA, None),
        (ReportOptions::EXCEPTION, Some(0)),
        (ReportOptions::EXCEPTION_WITH_DATA, Some(100)),
        (all, Some(200)),
    ] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(REPLIES)");
        let mut one = bench.connect();
        let about = MessageDescriptor {
            report: asked,
            reply_to_queue: "REPLIES".parse().unwrap(),
            reply_to_queue_manager: "TEST".parse().unwrap(),
            message_flags: MessageFlags::EMPTY,
            ..message(true)
        };
        let body = Bytes::from(vec![b'x'; 200]);
        let reason = Reason::Q_FULL;
        bench
            .open(one.connection.arrivals().put_exception_report(&Gated::free(reason), &about, &body, true))
            .unwrap();
        one.commit().unwrap();
        let replies = one.open("REPLIES", INPUT);
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let got = one.get_with(replies, &MessageDescriptor::default(), &options, 1 << 10);
        match expected {
            None => assert_eq!(got.unwrap_err(), Reason::NO_MSG_AVAILABLE, "{asked:?}"),
            Some(length) => {
                let got = got.unwrap();
                assert_eq!((got.body.len(), got.descriptor.feedback.0), (length, reason.code()), "{asked:?}");
            }
        }
    }
}

#[test]
fn a_message_without_the_header_of_a_transmission_queue_carries_nothing() {
    let bench = Bench::new();
    bench.mqsc(REMOTE);
    let mut one = bench.connect();
    let queue = ObjectDescriptor::queue("QM2".parse().unwrap());
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    for (format, body) in [("MQSTR", "plain"), ("MQXMIT", "too short")] {
        let descriptor = MessageDescriptor { format: format.parse().unwrap(), ..message(true) };
        let put = one.connection.put1(&queue, &descriptor, &options, Bytes::from_static(body.as_bytes()));
        bench.open(put).unwrap();
    }
    let got = series(&mut one, "QM2", 2, 1).unwrap();
    assert!(got.iter().all(|got| Transmission::carried_by(got).is_none()));
}

#[test]
fn a_batch_that_has_begun_goes_on_above_the_quota_of_the_queue_manager() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(A) DEFINE QLOCAL(B) ALTER QMGR QUOTA(1)");
    // The log is smaller than the quota.
    let of = |bytes: usize| Arrived {
        descriptor: message(false),
        ..arrived("A", "TEST", "x".repeat(bytes - 512).leak())
    };
    let (mut one, mut two, mut to) = (bench.connect(), bench.connect(), Destinations::default());
    let full = Err(Reason::STORAGE_MEDIUM_FULL);
    put_arrived(&mut one, &mut to, &of(1 << 19)).unwrap();
    put_arrived(&mut one, &mut to, &of(1 << 19)).unwrap();
    // Programs and new batches have reached the bound; a twentieth is left for this batch.
    assert_eq!(put_arrived(&mut two, &mut Destinations::default(), &of(512)), full);
    let handle = two.open("B", OUTPUT);
    let put = two.try_put(handle, &message(true), PutFlags::NO_SYNCPOINT, "").map(drop);
    assert_eq!(put, full);
    put_arrived(&mut one, &mut to, &of(40_000)).unwrap();
    assert_eq!(put_arrived(&mut one, &mut to, &of(20_000)), full);
    one.commit().unwrap();
    // Gets go on, and with room puts do.
    let input = two.open("A", INPUT);
    two.get(input).unwrap();
    two.put(handle, true, "");
    put_arrived(&mut two, &mut Destinations::default(), &of(512)).unwrap();
}
