//! The verbs over sockets.

use crate::place::{BOTH, Place, SOON, get, open, persistent, put, volatile, within_time};
use crate::proxy::Proxy;
use client::StopMode;
use mqi::{
    AttributeValue, CloseOptions, GetFlags, GetOptions, Listen, MessageDescriptor, ObjectDescriptor,
    ObjectHandle, OpenOptions, PutFlags, PutOptions, Reason, Selector, Text, Verbs, Wait,
};
use std::time::{Duration, Instant};

#[test]
fn a_message_goes_there_and_back_over_tcp_and_the_local_socket() {
    let place = Place::new();
    let by_rings = client::Connection::connect(client::Options::to(place.rings())).unwrap();
    for mut connection in [place.connect(), place.connect_locally(), by_rings] {
        let handle = open(&mut connection, "A", BOTH);
        for mut sent in [persistent(), volatile()] {
            connection.put(handle, &mut sent, &mut PutOptions::default(), "hello".into()).unwrap();
            assert!(!sent.message_id.is_none());
            let mut descriptor = MessageDescriptor::default();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = connection.get(handle, &mut descriptor, &mut options, 3).unwrap_err();
            assert_eq!((got, options.returned_length), (Reason::TRUNCATED_MSG_FAILED, 5));
            let mut descriptor = MessageDescriptor::default();
            let got = connection.get(handle, &mut descriptor, &mut options, 100).unwrap();
            assert_eq!((&got.body[..], got.data_length), (&b"hello"[..], 5));
            assert_eq!(got.resolved_queue_name, "A");
            assert_eq!((descriptor.message_id, descriptor.persistence), (sent.message_id, sent.persistence));
            assert_eq!(descriptor.put_date, sent.put_date);
        }
        connection.disconnect().unwrap();
        assert_eq!(put(&mut connection, handle, PutFlags::EMPTY, "x"), Err(Reason::HCONN_ERROR));
    }
}

#[test]
fn what_this_side_can_see_is_refused_without_a_round_trip() {
    let place = Place::new();
    let mut connection = place.connect();
    let output = open(&mut connection, "A", OpenOptions::OUTPUT);
    let input = open(&mut connection, "A", OpenOptions::INPUT_SHARED);
    let got = |connection: &mut client::Connection, handle, flags| get(connection, handle, flags, Wait::No);
    assert_eq!(put(&mut connection, input, PutFlags::EMPTY, "x"), Err(Reason::NOT_OPEN_FOR_OUTPUT));
    assert_eq!(put(&mut connection, ObjectHandle(9), PutFlags::EMPTY, "x"), Err(Reason::HOBJ_ERROR));
    assert_eq!(got(&mut connection, output, GetFlags::EMPTY), Err(Reason::NOT_OPEN_FOR_INPUT));
    assert_eq!(got(&mut connection, input, GetFlags::BROWSE_FIRST), Err(Reason::NOT_OPEN_FOR_BROWSE));
    assert_eq!(connection.inquire(input, &[]), Err(Reason::NOT_OPEN_FOR_INQUIRE));
    connection.close(input, CloseOptions::EMPTY).unwrap();
    assert_eq!(got(&mut connection, input, GetFlags::EMPTY), Err(Reason::HOBJ_ERROR));
    let mut options = place.options();
    options.limits.message_bytes_max = 1000;
    let mut narrow = client::Connection::connect(options).unwrap();
    let output = open(&mut narrow, "A", OpenOptions::OUTPUT);
    assert_eq!(
        put(&mut narrow, output, PutFlags::EMPTY, "x".repeat(1001)),
        Err(Reason::MSG_TOO_BIG_FOR_CHANNEL)
    );
    put(&mut narrow, output, PutFlags::EMPTY, "x".repeat(1000)).unwrap();
}

#[test]
fn a_body_that_is_lent_is_put_as_one_that_is_given() {
    let place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    for (length, flags) in [
        (0, PutFlags::EMPTY),
        (2048, PutFlags::EMPTY),
        (2048, PutFlags::ASYNC_RESPONSE),
        (700_000, PutFlags::EMPTY),
    ] {
        let body: Vec<u8> = (0..length).map(|place: u32| place as u8).collect();
        let (mut descriptor, mut options) = (MessageDescriptor::default(), PutOptions::with(flags));
        connection.put_lent(handle, &mut descriptor, &mut options, &body).unwrap();
        let (mut descriptor, mut options) = (MessageDescriptor::default(), GetOptions::default());
        options.wait = Wait::Milliseconds(10_000);
        let got = connection.get(handle, &mut descriptor, &mut options, 1 << 20).unwrap();
        assert_eq!(got.body, body, "{length} bytes");
    }
    let mut options = PutOptions::with(PutFlags::MD_FOR_OUTPUT_ONLY);
    let refused = connection.put_lent(handle, &mut MessageDescriptor::default(), &mut options, b"x");
    assert_eq!(refused, Err(Reason::MD_ERROR), "no message handle says what the descriptor is");
}

#[test]
fn a_body_is_lent_once_and_is_that_of_the_message_and_nothing_is_lent_by_a_call_that_fails() {
    let place = Place::new();
    let mut connection = place.connect();
    for read_ahead in [OpenOptions::EMPTY, OpenOptions::READ_AHEAD] {
        let handle = open(&mut connection, "A", BOTH | read_ahead);
        for (descriptor, lengths) in
            [(volatile(), [5, 0, 2048, 700_000]), (persistent(), [2048, 3, 30_000, 0])]
        {
            for length in lengths {
                let body: Vec<u8> = (0..length).map(|place: u32| place as u8).collect();
                let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
                connection.put(handle, &mut descriptor.clone(), &mut options, body.into()).unwrap();
            }
            for length in lengths {
                let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, SOON);
                let (mut got_descriptor, mut lent) = (MessageDescriptor::default(), Vec::new());
                let mut borrow = |body: &[u8]| lent.push(body.to_vec());
                let got = connection
                    .get_lent(handle, &mut got_descriptor, &mut options, 1 << 20, &mut borrow)
                    .unwrap();
                let expected: Vec<u8> = (0..length).map(|place| place as u8).collect();
                assert_eq!(lent, [expected], "{length} bytes");
                assert_eq!((got.body.len(), got.data_length), (0, length as usize));
                assert_eq!(options.returned_length, length as i32);
                assert_eq!(got_descriptor.persistence, descriptor.persistence);
            }
        }
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let mut borrow = |_: &[u8]| panic!("there is nothing to lend");
        let none = connection.get_lent(
            handle,
            &mut MessageDescriptor::default(),
            &mut options,
            1 << 20,
            &mut borrow,
        );
        assert_eq!(none, Err(Reason::NO_MSG_AVAILABLE));
        connection.close(handle, CloseOptions::EMPTY).unwrap();
    }
}

#[test]
fn a_message_longer_than_the_connection_carries_stays_on_its_queue_and_the_connection_lives() {
    let place = Place::new();
    let mut wide = place.connect();
    let output = open(&mut wide, "A", OpenOptions::OUTPUT);
    put(&mut wide, output, PutFlags::EMPTY, "x".repeat(5_000)).unwrap();
    for read_ahead in [OpenOptions::EMPTY, OpenOptions::READ_AHEAD] {
        let mut options = place.options();
        options.limits.message_bytes_max = 1000;
        let mut narrow = client::Connection::connect(options).unwrap();
        let handle = open(&mut narrow, "A", OpenOptions::INPUT_SHARED | OpenOptions::BROWSE | read_ahead);
        let accepting = GetFlags::ACCEPT_TRUNCATED_MSG;
        for flags in [GetFlags::EMPTY, accepting, accepting | GetFlags::BROWSE_FIRST] {
            let mut options = GetOptions { flags, ..GetOptions::default() };
            let got = narrow.get(handle, &mut MessageDescriptor::default(), &mut options, 1 << 20);
            assert_eq!(
                got.map(|got| got.body.len()),
                Err(Reason::DATA_LENGTH_ERROR),
                "{read_ahead:?} {flags:?}"
            );
            assert_eq!((options.returned_length, options.flags), (5_000, flags));
        }
        // One who has no more room itself says so, and may take a part.
        let mut options = GetOptions { flags: accepting | GetFlags::BROWSE_FIRST, ..GetOptions::default() };
        let got = narrow.get(handle, &mut MessageDescriptor::default(), &mut options, 100).unwrap();
        assert_eq!((got.body.len(), got.warning), (100, Some(Reason::TRUNCATED_MSG_ACCEPTED)));
    }
    assert_eq!(place.drain("A"), ["x".repeat(5_000)]);
}

#[test]
fn units_of_work_travel() {
    let place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, PutFlags::SYNCPOINT, "undone").unwrap();
    connection.back().unwrap();
    put(&mut connection, handle, PutFlags::SYNCPOINT, "done").unwrap();
    connection.commit().unwrap();
    put(&mut connection, handle, PutFlags::SYNCPOINT, "dropped").unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No).as_deref(), Ok("done"));
    drop(connection);
    assert_eq!(place.drain("A"), ["done"]);
}

#[test]
fn browsing_put1_inquire_and_commands() {
    let place = Place::new();
    let mut connection = place.connect();
    let object = ObjectDescriptor::queue("A".parse().unwrap());
    connection
        .put1(&object, &mut persistent(), &mut PutOptions::with(PutFlags::NO_SYNCPOINT), "one".into())
        .unwrap();
    let handle = open(&mut connection, "A", OpenOptions::BROWSE | OpenOptions::INQUIRE);
    assert_eq!(get(&mut connection, handle, GetFlags::BROWSE_FIRST, Wait::No).as_deref(), Ok("one"));
    assert_eq!(get(&mut connection, handle, GetFlags::BROWSE_NEXT, Wait::No), Err(Reason::NO_MSG_AVAILABLE));
    let depth = connection.inquire(handle, &[Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH)]).unwrap();
    assert_eq!((depth.values, depth.warning), (vec![AttributeValue::Integer(1)], None));
    // An alias has no depth of its own: it is answered, with a remark that must not be lost on the way.
    connection.command("DEFINE QALIAS(OTHER) TARGET(A)").unwrap();
    let alias = open(&mut connection, "OTHER", OpenOptions::INQUIRE);
    let depth = connection.inquire(alias, &[Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH)]).unwrap();
    let undefined = AttributeValue::Integer(mqi::constants::MQIAV_NOT_APPLICABLE);
    assert_eq!((depth.values, depth.warning), (vec![undefined], Some(Reason::SELECTOR_NOT_FOR_TYPE)));
    let response = connection.command("DISPLAY QLOCAL(*)").unwrap();
    assert!(response.text.contains("QUEUE(A)") && response.text.contains("QUEUE(B)"), "{}", response.text);
    let statistics = connection.statistics().unwrap();
    assert!(!statistics.counters.is_empty());
}

#[test]
fn puts_without_a_reply_arrive_in_order_and_failures_are_told() {
    let place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", OpenOptions::OUTPUT);
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    for number in 0..1000 {
        connection.put_async(handle, &persistent(), &options, number.to_string().into()).unwrap();
    }
    let status = connection.status().unwrap();
    assert_eq!((status.puts, status.failures), (1000, 0));
    let response = place.connect().command("ALTER QLOCAL(A) PUT(DISABLED)").unwrap();
    assert!(!response.failed);
    connection.put_async(handle, &persistent(), &options, "x".into()).unwrap();
    let in_unit = PutOptions::with(PutFlags::SYNCPOINT);
    connection.put_async(handle, &persistent(), &in_unit, "x".into()).unwrap();
    assert_eq!(connection.commit(), Err(Reason::BACKED_OUT));
    let status = connection.status().unwrap();
    assert_eq!((status.puts, status.failures, status.reason), (0, 2, Some(Reason::PUT_INHIBITED)));
    let all: Vec<_> = (0..1000).map(|number| number.to_string()).collect();
    assert_eq!(place.drain("A"), all);
    // A put with MQPMO_ASYNC_RESPONSE is on its way when the call returns.
    let response = place.connect().command("ALTER QLOCAL(A) PUT(ENABLED)").unwrap();
    assert!(!response.failed);
    put(&mut connection, handle, PutFlags::ASYNC_RESPONSE | PutFlags::NO_SYNCPOINT, "now").unwrap();
    let mut getter = place.connect();
    let input = open(&mut getter, "A", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut getter, input, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("now"));
}

#[test]
fn a_round_trip_costs_one_write_and_a_unit_of_work_little_more() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let address = client::Address::Tcp { host: "127.0.0.1".into(), port: proxy.port() };
    let mut connection = client::Connection::connect(client::Options::to(address)).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    let before = proxy.requests();
    for _ in 0..50 {
        put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "x".repeat(2048)).unwrap();
        get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).unwrap();
    }
    assert_eq!(proxy.requests() - before, 100);
    let before = proxy.requests();
    for _ in 0..20 {
        for _ in 0..10 {
            let flags = PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE;
            put(&mut connection, handle, flags, "x".repeat(2048)).unwrap();
        }
        connection.commit().unwrap();
    }
    // One each, and what the flusher sent ahead while this thread was not let run.
    let writes = proxy.requests() - before;
    assert!((20..100).contains(&writes), "{writes} writes for 20 units of work of 10 messages");
}

#[test]
fn a_message_that_cannot_be_read_is_the_end_of_the_connection_and_of_no_message_before_it() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    // A length of a text that goes beyond the message.
    proxy.spoil_answers(b"\x08SPOILED!", b"\xF8SPOILED!");
    let mut putter = place.connect();
    let output = open(&mut putter, "A", OpenOptions::OUTPUT);
    for read_ahead in [OpenOptions::EMPTY, OpenOptions::READ_AHEAD] {
        for format in ["GOOD", "SPOILED!"] {
            let mut descriptor = MessageDescriptor { format: Text::truncated(format), ..volatile() };
            let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            putter.put(output, &mut descriptor, &mut options, format.into()).unwrap();
        }
        let address = client::Address::Tcp { host: "127.0.0.1".into(), port: proxy.port() };
        let mut connection = client::Connection::connect(client::Options::to(address)).unwrap();
        let handle = open(&mut connection, "A", OpenOptions::INPUT_SHARED | read_ahead);
        for expected in [Ok("GOOD"), Err(Reason::CONNECTION_BROKEN), Err(Reason::CONNECTION_BROKEN)] {
            let got = get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON);
            assert_eq!(got.as_deref(), expected.as_ref().copied(), "{read_ahead:?}");
        }
    }
}

#[test]
fn a_burst_of_puts_arrives_though_its_program_does_nothing_more() {
    let place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", OpenOptions::OUTPUT);
    let mut getter = place.connect();
    let input = open(&mut getter, "A", OpenOptions::INPUT_SHARED);
    for round in 0..5 {
        for number in 0..100 {
            let flags = PutFlags::ASYNC_RESPONSE | PutFlags::NO_SYNCPOINT;
            put(&mut connection, handle, flags, format!("{round}:{number}")).unwrap();
        }
        for number in 0..100 {
            let got = get(&mut getter, input, GetFlags::NO_SYNCPOINT, SOON);
            assert_eq!(got, Ok(format!("{round}:{number}")));
        }
        std::thread::sleep(Duration::from_millis(round * 20));
    }
    drop(connection);
}

#[test]
fn a_large_message_goes_there_and_back() {
    let place = Place::new();
    let mut administrator = place.connect();
    for text in [
        "ALTER QLOCAL(A) MAXMSGL(104857600)\nALTER QMGR MAXMSGL(104857600)",
        "ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MAXMSGL(104857600)",
    ] {
        let response = administrator.command(text).unwrap();
        assert!(!response.failed, "{}", response.text);
    }
    drop(administrator);
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", BOTH);
    let body: bytes::Bytes =
        (0..20_000_000_u32).map(|number| (number % 253) as u8).collect::<Vec<_>>().into();
    for mut descriptor in [volatile(), persistent()] {
        connection.put(handle, &mut descriptor, &mut PutOptions::default(), body.clone()).unwrap();
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, 100 << 20).unwrap();
        assert!(got.body == body);
    }
}

#[test]
fn a_broken_connection_is_told_where_it_is_not_made_again() {
    let mut place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", BOTH);
    let waiter = std::thread::spawn(move || {
        let got = get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        (got, put(&mut connection, handle, PutFlags::EMPTY, "x"))
    });
    std::thread::sleep(Duration::from_millis(100));
    place.stop();
    let (got, put) = within_time(move || waiter.join().unwrap());
    let is_end = |reason| {
        matches!(
            reason,
            Reason::CONNECTION_BROKEN
                | Reason::Q_MGR_STOPPING
                | Reason::Q_MGR_QUIESCING
                | Reason::CONNECTION_STOPPING
        )
    };
    assert!(got.is_err_and(is_end));
    assert!(put.is_err_and(is_end));
}

#[test]
fn a_queue_manager_is_ended_over_a_connection() {
    let mut place = Place::new();
    client::Channel::connect(place.options()).unwrap().stop(StopMode::Immediate).unwrap();
    place.stop();
    assert!(client::Connection::connect(place.options()).is_err());
}

/// As one whose consumers are all suspended. The queue manager says nothing to who has asked for nothing.
#[test]
fn one_who_listens_to_nothing_keeps_its_link_and_sees_it_break() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut options = client::Options::to(format!("127.0.0.1:{}", proxy.port()).parse().unwrap());
    options.limits.heartbeat_milliseconds = 1_000;
    let mut connection = client::Connection::connect(options).unwrap();
    // Longer than a silent queue manager is trusted to be there.
    assert!(matches!(connection.listen(&[], 0, Some(Duration::from_millis(4_500))), Ok(None)));
    let handle = open(&mut connection, "A", BOTH);
    let wake = connection.waker();
    let listening = std::thread::spawn(move || {
        let heard = connection.listen(&[], 0, None);
        (connection, heard)
    });
    std::thread::sleep(Duration::from_millis(1_500));
    wake();
    let (mut connection, heard) = within_time(move || listening.join().unwrap());
    assert!(matches!(heard, Ok(None)), "{heard:?}");
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "x").unwrap();
    proxy.swallow_answers();
    let began = Instant::now();
    assert_eq!(
        connection.listen(&[], 0, Some(Duration::from_secs(25))).err(),
        Some(Reason::CONNECTION_BROKEN)
    );
    assert!(began.elapsed() < Duration::from_secs(20));
}
