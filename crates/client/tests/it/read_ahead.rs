//! Read-ahead is an ordinary get, only sooner.

use crate::place::{BOTH, Place, SOON, get, open, persistent, put, reconnecting_to, volatile, within_time};
use crate::proxy::Proxy;
use client::{Connection, ReadAhead};
use mqi::{
    AttributeValue, CloseOptions, CorrelationId, GetFlags, GetOptions, Getter, GroupId, Listen, MatchOptions,
    MessageDescriptor, MessageFlags, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags, PutOptions,
    Reason, Selector, SubscribeOptions, SubscriptionDescriptor, Verbs, Wait, constants,
};
use std::time::{Duration, Instant};

fn fill(place: &Place, descriptor: &MessageDescriptor, count: usize) {
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", OpenOptions::OUTPUT);
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    for number in 0..count {
        connection.put_async(handle, descriptor, &options, number.to_string().into()).unwrap();
    }
    assert_eq!(connection.status().unwrap().puts as usize, count);
}

fn reader(place: &Place, messages: u32) -> (Connection, ObjectHandle) {
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", BOTH);
    connection.read_ahead(handle, ReadAhead { messages, bytes: 1 << 20 }).unwrap();
    (connection, handle)
}

#[test]
fn all_messages_come_once_in_order_and_then_none() {
    let place = Place::new();
    for descriptor in [volatile(), persistent()] {
        fill(&place, &descriptor, 500);
        let (mut connection, handle) = reader(&place, 20);
        for number in 0..500 {
            let got = get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No);
            assert_eq!(got, Ok(number.to_string()));
        }
        let began = Instant::now();
        let none = get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::Milliseconds(200));
        assert_eq!(none, Err(Reason::NO_MSG_AVAILABLE));
        assert!(began.elapsed() >= Duration::from_millis(200));
        put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "late").unwrap();
        assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("late"));
    }
}

#[test]
fn the_order_stays_when_persistent_messages_change_how_gets_are_made() {
    let place = Place::new();
    let (mut connection, handle) = reader(&place, 20);
    let mut expected = 0..;
    for (descriptor, count) in [
        (volatile(), 10),
        (persistent(), 3),
        (volatile(), 1),
        (persistent(), 30),
        (volatile(), 30),
        (persistent(), 9),
    ] {
        let mut writer = place.connect();
        let output = open(&mut writer, "A", OpenOptions::OUTPUT);
        let numbers: Vec<_> = expected.by_ref().take(count).map(|number: usize| number.to_string()).collect();
        for number in &numbers {
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            writer.put_async(output, &descriptor, &options, number.clone().into()).unwrap();
        }
        assert_eq!(writer.status().unwrap().failures, 0);
        for number in numbers {
            assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON), Ok(number));
        }
    }
    // Nothing is left reserved for a connection that has gone, and nothing comes twice.
    drop(connection);
    assert_eq!(place.drain("A"), Vec::<String>::new());
}

#[test]
fn once_gets_are_made_plainly_nothing_that_came_ahead_is_kept_from_others() {
    let place = Place::new();
    fill(&place, &persistent(), 20);
    let (mut connection, handle) = reader(&place, 20);
    // Those that came ahead before that are used up: four, and those that were asked for when three of them
    // were taken.
    for number in 0..7 {
        let got = get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No);
        assert_eq!(got, Ok(number.to_string()));
    }
    let rest: Vec<_> = (7..20).map(|number| number.to_string()).collect();
    assert_eq!(place.drain("A"), rest);
}

/// DEFREADA says it where the options do not, and whether they may. What came ahead and is not persistent is
/// gone from the queue.
#[test]
fn the_queue_says_whether_messages_come_ahead_where_the_options_leave_it_open() {
    let place = Place::new();
    let plain = OpenOptions::INPUT_SHARED;
    for (default, options, is_ahead) in [
        ("YES", plain, true),
        ("YES", plain | OpenOptions::NO_READ_AHEAD, false),
        ("NO", plain, false),
        ("NO", plain | OpenOptions::READ_AHEAD, true),
        ("DISABLED", plain | OpenOptions::READ_AHEAD, false),
    ] {
        let mut connection = place.connect();
        let altered = connection.command(&format!("ALTER QLOCAL(A) DEFREADA({default})")).unwrap();
        assert!(!altered.failed, "{}", altered.text);
        fill(&place, &volatile(), 3);
        let handle = open(&mut connection, "A", options);
        assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("0"));
        let left = place.drain("A").len();
        assert_eq!(left, if is_ahead { 0 } else { 2 }, "DEFREADA({default}) {options:?}");
    }
}

#[test]
fn a_queue_whose_messages_are_read_ahead_can_be_opened_for_browsing_alone() {
    let place = Place::new();
    fill(&place, &volatile(), 2);
    for (default, options) in [
        ("YES", OpenOptions::BROWSE),
        ("YES", OpenOptions::BROWSE | OpenOptions::READ_AHEAD),
        ("NO", OpenOptions::BROWSE | OpenOptions::READ_AHEAD),
    ] {
        let case = format!("DEFREADA({default}) {options:?}");
        let mut connection = place.connect();
        let altered = connection.command(&format!("ALTER QLOCAL(A) DEFREADA({default})")).unwrap();
        assert!(!altered.failed, "{}", altered.text);
        let opened = connection.open(&ObjectDescriptor::queue("A".parse().unwrap()), options).expect(&case);
        assert!(!opened.reads_ahead, "{case}");
        for (flag, body) in [(GetFlags::BROWSE_FIRST, "0"), (GetFlags::BROWSE_NEXT, "1")] {
            let got = get(&mut connection, opened.handle, GetFlags::NO_SYNCPOINT | flag, Wait::No);
            assert_eq!(got.as_deref(), Ok(body), "{case}");
        }
        let got = get(&mut connection, opened.handle, GetFlags::NO_SYNCPOINT, Wait::No);
        assert_eq!(got, Err(Reason::NOT_OPEN_FOR_INPUT), "{case}");
    }
}

/// A managed queue has DEFREADA from its model, and MQSUB says what it says of it.
#[test]
fn the_model_of_a_managed_queue_says_whether_messages_come_ahead() {
    let place = Place::new();
    let plain = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    for (default, options, is_ahead) in [
        ("YES", plain, true),
        ("YES", plain | SubscribeOptions::NO_READ_AHEAD, false),
        ("NO", plain, false),
        ("NO", plain | SubscribeOptions::READ_AHEAD, true),
        ("DISABLED", plain | SubscribeOptions::READ_AHEAD, false),
    ] {
        let mut connection = place.connect();
        let defined = connection
            .command(&format!(
                "DEFINE QMODEL(MANAGED) DEFTYPE(TEMPDYN) SHARE DEFSOPT(SHARED) DEFREADA({default}) REPLACE; \
                 DEFINE TOPIC(AHEAD) TOPICSTR('ahead') MNDURMDL(MANAGED) REPLACE"
            ))
            .unwrap();
        assert!(!defined.failed, "{}", defined.text);
        let subscribed = connection.subscribe(&SubscriptionDescriptor::to("ahead", options), None).unwrap();
        assert_eq!(subscribed.reads_ahead, is_ahead, "DEFREADA({default}) {options:?}");
        let (queue, managed) = (subscribed.queue_name.to_string(), subscribed.queue.unwrap());
        let mut other = place.connect();
        let output = open(&mut other, &queue, OpenOptions::OUTPUT);
        let options_of_put = PutOptions::with(PutFlags::NO_SYNCPOINT);
        for number in 0..3 {
            other.put_async(output, &volatile(), &options_of_put, number.to_string().into()).unwrap();
        }
        assert_eq!(other.status().unwrap().puts, 3);
        assert_eq!(get(&mut connection, managed, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("0"));
        let left = place.drain(&queue).len();
        assert_eq!(left, if is_ahead { 0 } else { 2 }, "DEFREADA({default}) {options:?}");
    }
}

/// Nobody else gets from its queue, so nothing waits there that it could be sent.
#[test]
fn a_subscriber_that_keeps_up_has_many_publications_come_ahead() {
    const BURST: usize = 1100;
    let place = Place::new();
    let mut subscriber = place.connect();
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::READ_AHEAD;
    let subscribed = subscriber.subscribe(&SubscriptionDescriptor::to("burst", options), None).unwrap();
    let managed = subscribed.queue.unwrap();
    let mut publisher = place.connect();
    let topic = publisher.open(&ObjectDescriptor::topic("burst"), OpenOptions::OUTPUT).unwrap().handle;
    let mut publish = || {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        for number in 0..BURST {
            publisher.put_async(topic, &volatile(), &options, number.to_string().into()).unwrap();
        }
        assert_eq!(publisher.status().unwrap().failures, 0);
    };
    for _ in 0..12 {
        publish();
        for number in 0..BURST {
            let got = get(&mut subscriber, managed, GetFlags::NO_SYNCPOINT, SOON);
            assert_eq!(got, Ok(number.to_string()));
        }
    }
    publish();
    let mut other = place.connect();
    let queue = open(&mut other, subscribed.queue_name.as_ref(), OpenOptions::INQUIRE);
    // Up to half of what may come ahead was taken since credit was last granted.
    let began = Instant::now();
    loop {
        let depth = other.inquire(queue, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]).unwrap().values;
        let AttributeValue::Integer(depth) = depth[0] else { panic!("a depth is a number: {depth:?}") };
        if depth as usize <= BURST - 512 {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{depth} of {BURST} are left on the queue");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_reader_that_takes_its_time_leaves_to_others_what_it_does_not_need_soon() {
    let place = Place::new();
    fill(&place, &persistent(), 20);
    let (mut connection, handle) = reader(&place, 128);
    let first = get(&mut connection, handle, GetFlags::SYNCPOINT, SOON);
    assert_eq!(first.as_deref(), Ok("0"));
    // The next may be on its way.
    let rest = place.drain("A");
    assert!(rest.len() >= 18, "only {rest:?} are left");
    assert!(rest.iter().eq(&(1..20).map(|number| number.to_string()).collect::<Vec<_>>()[19 - rest.len()..]));
}

#[test]
fn a_reader_of_many_in_a_unit_has_as_many_come_ahead_and_one_of_few_does_not() {
    let place = Place::new();
    fill(&place, &persistent(), 40);
    let (mut few, handle) = reader(&place, 128);
    for number in 0..8 {
        assert_eq!(get(&mut few, handle, GetFlags::SYNCPOINT, SOON), Ok(number.to_string()));
        few.commit().unwrap();
    }
    let (mut many, many_handle) = reader(&place, 128);
    // At most one lies with the reader of few.
    for _ in 0..8 {
        get(&mut many, many_handle, GetFlags::SYNCPOINT, SOON).unwrap();
    }
    many.commit().unwrap();
    get(&mut many, many_handle, GetFlags::SYNCPOINT, SOON).unwrap();
    // Eight were got in one unit, so four to eight of what is left are on their way to it.
    let left = place.drain("A").len();
    assert!((40 - 8 - 9 - 1 - 8..=40 - 8 - 9 - 2).contains(&left), "{left} are left");
}

/// Messages that were sent for good would be lost with the handle.
#[test]
fn a_close_waits_for_messages_that_came_ahead_and_cannot_go_back() {
    let place = Place::new();
    fill(&place, &volatile(), 3);
    let (mut connection, handle) = reader(&place, 20);
    let next = |connection: &mut Connection| get(connection, handle, GetFlags::NO_SYNCPOINT, Wait::No);
    assert_eq!(next(&mut connection).as_deref(), Ok("0"));
    let quiesces = |connection: &mut Connection| connection.close(handle, CloseOptions::QUIESCE);
    assert_eq!(quiesces(&mut connection), Ok(Some(Reason::READ_AHEAD_MSGS)));
    // From now on others are given what comes.
    fill(&place, &volatile(), 1);
    assert_eq!(place.drain("A"), ["0"]);
    let named = |connection: &mut Connection, correlation_id| {
        let mut descriptor = MessageDescriptor { correlation_id, ..MessageDescriptor::default() };
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        options.match_options = MatchOptions::MATCH_CORREL_ID;
        connection.get(handle, &mut descriptor, &mut options, 100).map(|got| got.data_length)
    };
    assert_eq!(named(&mut connection, CorrelationId([7; 24])), Err(Reason::HOBJ_QUIESCED));
    assert_eq!(next(&mut connection).as_deref(), Ok("1"));
    assert_eq!(quiesces(&mut connection), Ok(Some(Reason::READ_AHEAD_MSGS)));
    assert_eq!(next(&mut connection).as_deref(), Ok("2"));
    assert_eq!(next(&mut connection), Err(Reason::HOBJ_QUIESCED_NO_MSGS));
    assert_eq!(quiesces(&mut connection), Ok(None));
    assert_eq!(next(&mut connection), Err(Reason::HOBJ_ERROR));
}

#[test]
fn a_close_gives_back_what_only_waits_to_be_taken() {
    let place = Place::new();
    fill(&place, &persistent(), 10);
    let (mut connection, handle) = reader(&place, 20);
    for number in 0..4 {
        assert_eq!(get(&mut connection, handle, GetFlags::SYNCPOINT, SOON), Ok(number.to_string()));
    }
    assert_eq!(connection.close(handle, CloseOptions::QUIESCE), Ok(None));
    connection.commit().unwrap();
    assert_eq!(place.drain("A").len(), 6);
}

#[test]
fn a_get_that_does_not_wait_finds_messages_whose_bodies_are_still_on_disk() {
    let mut place = Place::new();
    fill(&place, &persistent(), 100);
    place.stop();
    place.start();
    let (mut connection, handle) = reader(&place, 30);
    for number in 0..100 {
        let got = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
        assert_eq!(got, Ok(number.to_string()));
    }
    connection.commit().unwrap();
    let none = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
    assert_eq!(none, Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn inside_units_of_work_what_was_not_taken_stays() {
    let place = Place::new();
    fill(&place, &persistent(), 100);
    let (mut connection, handle) = reader(&place, 30);
    for number in 0..10 {
        let got = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
        assert_eq!(got, Ok(number.to_string()));
        if number % 5 == 4 {
            connection.commit().unwrap();
        }
    }
    get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No).unwrap();
    get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No).unwrap();
    connection.back().unwrap();
    // Everything from the tenth on again, in order, and what is left goes back when the connection is
    // dropped.
    for number in 10..15 {
        let got = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
        assert_eq!(got, Ok(number.to_string()));
    }
    connection.commit().unwrap();
    drop(connection);
    let rest: Vec<_> = (15..100).map(|number| number.to_string()).collect();
    assert_eq!(place.drain("A"), rest);
}

#[test]
fn what_a_dropped_connection_had_taken_has_been_backed_out_and_what_came_ahead_has_not() {
    let place = Place::new();
    fill(&place, &persistent(), 4);
    let (mut connection, handle) = reader(&place, 4);
    for _ in 0..2 {
        get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No).unwrap();
    }
    drop(connection);
    let mut other = place.connect();
    let handle = open(&mut other, "A", BOTH);
    let counts = [(); 4].map(|()| {
        let (mut descriptor, mut options) =
            (MessageDescriptor::default(), GetOptions::with(GetFlags::NO_SYNCPOINT, SOON));
        other.get(handle, &mut descriptor, &mut options, 100).unwrap();
        descriptor.backout_count
    });
    assert_eq!(counts, [1, 1, 0, 0]);
}

#[test]
fn a_disconnect_commits_what_was_taken_and_a_close_gives_back_the_rest() {
    let place = Place::new();
    fill(&place, &persistent(), 10);
    let (mut connection, handle) = reader(&place, 8);
    for _ in 0..3 {
        get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No).unwrap();
    }
    connection.close(handle, CloseOptions::EMPTY).unwrap();
    let again = open(&mut connection, "A", BOTH);
    assert_eq!(get(&mut connection, again, GetFlags::SYNCPOINT, Wait::No).as_deref(), Ok("3"));
    connection.disconnect().unwrap();
    let rest: Vec<_> = (4..10).map(|number| number.to_string()).collect();
    assert_eq!(place.drain("A"), rest);
}

#[test]
fn another_way_of_getting_gives_back_what_came_the_first_way() {
    let place = Place::new();
    fill(&place, &persistent(), 6);
    let (mut connection, handle) = reader(&place, 4);
    assert_eq!(get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No).as_deref(), Ok("0"));
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("1"));
    connection.back().unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("2"));
    drop(connection);
    assert_eq!(place.drain("A"), ["0", "3", "4", "5"]);
}

#[test]
fn what_was_sent_for_good_is_used_up_before_messages_are_got_another_way() {
    let place = Place::new();
    fill(&place, &volatile(), 3);
    let (mut connection, handle) = reader(&place, 4);
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("0"));
    for _ in 0..2 {
        let in_unit = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
        assert_eq!(in_unit, Err(Reason::OPTIONS_CHANGED), "it would not be in the unit");
    }
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("1"));
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("2"));
    assert_eq!(get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No), Err(Reason::NO_MSG_AVAILABLE));
    fill(&place, &volatile(), 1);
    assert_eq!(get(&mut connection, handle, GetFlags::SYNCPOINT, SOON).as_deref(), Ok("0"));
}

#[test]
fn what_was_sent_for_good_is_got_as_before_also_over_a_new_connection() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    fill(&place, &volatile(), 3);
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    connection.read_ahead(handle, ReadAhead { messages: 4, bytes: 1 << 20 }).unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("0"));
    // Behind all that comes by credit.
    connection.status().unwrap();
    proxy.cut();
    for _ in 0..2 {
        let in_unit = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
        assert_eq!(in_unit, Err(Reason::OPTIONS_CHANGED));
    }
    for body in ["1", "2"] {
        assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok(body));
    }
    assert_eq!(get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn several_readers_share_a_queue_and_every_message_comes_once() {
    let place = Place::new();
    fill(&place, &persistent(), 400);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (mut connection, handle) = reader(&place, 10);
            std::thread::spawn(move || {
                let mut got = Vec::new();
                loop {
                    match get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::Milliseconds(300)) {
                        Ok(body) => got.push(body.parse::<usize>().unwrap()),
                        Err(Reason::NO_MSG_AVAILABLE) => break,
                        Err(reason) => panic!("{reason}"),
                    }
                    if got.len() % 7 == 0 {
                        connection.commit().unwrap();
                    }
                }
                connection.commit().unwrap();
                connection.disconnect().unwrap();
                got
            })
        })
        .collect();
    let mut all = within_time(move || {
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    all.sort_unstable();
    assert_eq!(all, (0..400).collect::<Vec<_>>());
}

#[test]
fn what_stops_the_stream_is_told_and_it_begins_again() {
    let place = Place::new();
    let (mut connection, handle) = reader(&place, 4);
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No), Err(Reason::NO_MSG_AVAILABLE));
    place.connect().command("ALTER QLOCAL(A) GET(DISABLED)").unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON), Err(Reason::GET_INHIBITED));
    place.connect().command("ALTER QLOCAL(A) GET(ENABLED)").unwrap();
    fill(&place, &volatile(), 1);
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("0"));
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "too long").unwrap();
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, SOON);
    let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, 3);
    assert_eq!((got, options.returned_length), (Err(Reason::TRUNCATED_MSG_FAILED), 8));
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("too long"));
}

/// A stream that begins anew has the queue manager give back what was not confirmed to it.
#[test]
fn what_a_unit_of_work_took_stays_in_it_when_the_stream_stops_and_begins_again() {
    let place = Place::new();
    let (mut connection, handle) = reader(&place, 4);
    let with_room = |connection: &mut Connection, bytes_max| {
        let mut options = GetOptions::with(GetFlags::SYNCPOINT, SOON);
        let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, bytes_max);
        got.map(|got| String::from_utf8(got.body.to_vec()).unwrap())
    };
    for body in ["a", "too long", "c"] {
        put(&mut connection, handle, PutFlags::NO_SYNCPOINT, body).unwrap();
    }
    assert_eq!(with_room(&mut connection, 3).as_deref(), Ok("a"));
    assert_eq!(with_room(&mut connection, 3), Err(Reason::TRUNCATED_MSG_FAILED));
    assert_eq!(with_room(&mut connection, 100).as_deref(), Ok("too long"));
    place.connect().command("ALTER QLOCAL(A) GET(DISABLED)").unwrap();
    let mut next = with_room(&mut connection, 100);
    if next.as_deref() == Ok("c") {
        // It was on its way already.
        next = with_room(&mut connection, 100);
    } else {
        place.connect().command("ALTER QLOCAL(A) GET(ENABLED)").unwrap();
        assert_eq!(with_room(&mut connection, 100).as_deref(), Ok("c"));
    }
    assert_eq!(next, Err(Reason::GET_INHIBITED));
    connection.commit().unwrap();
    drop(connection);
    place.connect().command("ALTER QLOCAL(A) GET(ENABLED)").unwrap();
    assert_eq!(place.drain("A"), Vec::<String>::new());
}

/// As programs do that ask for any message: the descriptor of the next get is that of the last message.
#[test]
fn what_a_get_does_not_match_may_differ_from_the_get_before() {
    let place = Place::new();
    fill(&place, &volatile(), 3);
    let (mut connection, handle) = reader(&place, 4);
    let mut descriptor = MessageDescriptor::default();
    for body in ["0", "1", "2"] {
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, SOON);
        options.match_options = MatchOptions::EMPTY;
        let got = connection.get(handle, &mut descriptor, &mut options, 100).map(|got| got.body);
        assert_eq!(got.as_deref(), Ok(body.as_bytes()));
        assert!(!descriptor.message_id.is_none());
    }
}

#[test]
fn a_get_by_another_sequence_number_is_not_given_what_came_for_the_one_before() {
    let place = Place::new();
    let (mut connection, handle) = reader(&place, 4);
    for (number, body) in [(1, "first"), (1, "first again"), (2, "second")] {
        let group = MessageDescriptor {
            group_id: GroupId([7; 24]).into(),
            message_flags: MessageFlags::MSG_IN_GROUP,
            message_sequence_number: number,
            ..persistent()
        };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        connection.put(handle, &mut group.clone(), &mut options, body.into()).unwrap();
    }
    let mut by_number = |number| {
        let mut options = GetOptions::with(GetFlags::SYNCPOINT, SOON);
        options.match_options = MatchOptions::MATCH_MSG_SEQ_NUMBER;
        let mut wanted =
            MessageDescriptor { message_sequence_number: number, ..MessageDescriptor::default() };
        connection.get(handle, &mut wanted, &mut options, 100).map(|got| got.body)
    };
    assert_eq!(by_number(1).as_deref(), Ok(&b"first"[..]));
    assert_eq!(by_number(2).as_deref(), Ok(&b"second"[..]));
    assert_eq!(by_number(1).as_deref(), Ok(&b"first again"[..]));
}

/// Only the length of one that is too long comes ahead.
#[test]
fn what_fits_of_a_message_that_is_too_long_is_shown_with_its_descriptor() {
    let place = Place::new();
    let (mut connection, handle) = reader(&place, 4);
    let correlation_id = CorrelationId([7; 24]);
    let mut descriptor = MessageDescriptor { correlation_id, ..persistent() };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    connection.put(handle, &mut descriptor, &mut options, "too long".into()).unwrap();
    for flags in [GetFlags::SYNCPOINT, GetFlags::NO_SYNCPOINT, GetFlags::NO_SYNCPOINT] {
        let (mut got, mut options) = (MessageDescriptor::default(), GetOptions::with(flags, SOON));
        options.match_options = MatchOptions::EMPTY;
        let mut shown = Vec::new();
        let mut borrow = |body: &[u8]| shown.extend_from_slice(body);
        let outcome = connection.get_lent(handle, &mut got, &mut options, 3, &mut borrow);
        assert_eq!((outcome, options.returned_length), (Err(Reason::TRUNCATED_MSG_FAILED), 8));
        assert_eq!((&shown[..], got.correlation_id), (&b"too"[..], correlation_id));
    }
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("too long"));
}

/// A consumer that is given up when a message is too long for it has what it was called with before.
#[test]
fn what_a_consumer_took_stays_in_the_unit_of_work_when_the_next_message_is_too_long() {
    let place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", BOTH);
    for body in ["a", "too long"] {
        put(&mut connection, handle, PutFlags::NO_SYNCPOINT, body).unwrap();
    }
    let getter = Getter {
        handle,
        descriptor: MessageDescriptor::default(),
        options: GetOptions::with(GetFlags::SYNCPOINT, Wait::Unlimited),
        bytes_max: 3,
    };
    let mut next = || {
        let heard = connection.listen(std::slice::from_ref(&getter), 0, Some(Duration::from_secs(10)));
        heard.unwrap().expect("something came").got.map(|got| got.body)
    };
    assert_eq!(next().as_deref(), Ok(&b"a"[..]));
    assert_eq!(next(), Err(Reason::TRUNCATED_MSG_FAILED));
    connection.listen(&[], 0, Some(Duration::ZERO)).unwrap();
    connection.commit().unwrap();
    drop(connection);
    assert_eq!(place.drain("A"), ["too long"]);
}

/// Puts messages of which three of four are on the disk, each with its number.
fn fill_beyond_memory(place: &Place, count: u64) {
    let mut putter = place.connect();
    let to = open(&mut putter, "A", OpenOptions::OUTPUT);
    for number in 0..count {
        let mut body = vec![0; 8 << 10];
        body[..8].copy_from_slice(&number.to_le_bytes());
        putter.put_async(to, &volatile(), &PutOptions::default(), body.into()).unwrap();
    }
    putter.disconnect().unwrap();
}

/// The number of the next message there is.
fn next_number(connection: &mut Connection, handle: ObjectHandle, flags: GetFlags) -> Option<u64> {
    let mut options = GetOptions::with(flags, Wait::No);
    let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, 8 << 10);
    got.ok().map(|got| u64::from_le_bytes(got.body[..8].try_into().unwrap()))
}

#[test]
fn what_is_read_back_while_a_reader_gives_up_is_not_lost() {
    const MESSAGES: u64 = 4_000;
    let place = Place::with("[memory]\nbudget = \"8 MiB\"\n");
    fill_beyond_memory(&place, MESSAGES);
    let (mut connection, handle) = reader(&place, 128);
    for number in 0..MESSAGES {
        assert_eq!(next_number(&mut connection, handle, GetFlags::NO_SYNCPOINT), Some(number));
    }
    assert_eq!(next_number(&mut connection, handle, GetFlags::NO_SYNCPOINT), None);
}

/// Gets all there is, fifty in a unit of work.
fn drain((mut connection, handle): (Connection, ObjectHandle)) -> Vec<u64> {
    let mut got = Vec::new();
    while let Some(number) = next_number(&mut connection, handle, GetFlags::SYNCPOINT) {
        got.push(number);
        if got.len() % 50 == 0 {
            connection.commit().unwrap();
        }
    }
    connection.commit().unwrap();
    got
}

#[test]
fn each_of_several_readers_that_do_not_wait_gets_in_order_what_is_on_the_disk() {
    const MESSAGES: u64 = 4_000;
    let place = Place::with("[memory]\nbudget = \"8 MiB\"\n");
    fill_beyond_memory(&place, MESSAGES);
    let readers: Vec<_> = (0..4).map(|_| reader(&place, 128)).collect();
    let all: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let readers: Vec<_> = readers.into_iter().map(|reader| scope.spawn(move || drain(reader))).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    for got in &all {
        assert!(got.is_sorted(), "{got:?}");
    }
    let mut together: Vec<u64> = all.concat();
    together.sort_unstable();
    assert_eq!(together, (0..MESSAGES).collect::<Vec<_>>());
}

/// Gets with a buffer of so many bytes, cutting what does not fit: the body, the whole length, and whether it
/// was cut.
fn get_cut(
    connection: &mut Connection,
    handle: ObjectHandle,
    flags: GetFlags,
    bytes_max: usize,
) -> Result<(String, usize, bool), Reason> {
    let mut options = GetOptions::with(flags | GetFlags::ACCEPT_TRUNCATED_MSG, Wait::No);
    let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, bytes_max)?;
    let is_cut = got.warning == Some(Reason::TRUNCATED_MSG_ACCEPTED);
    assert_eq!(options.returned_length as usize, got.body.len());
    Ok((String::from_utf8(got.body.to_vec()).unwrap(), got.data_length, is_cut))
}

/// The bodies are one byte long, so none is cut.
#[test]
fn a_buffer_of_another_length_gives_nothing_back_also_where_messages_may_be_cut() {
    for descriptor in [volatile(), persistent()] {
        let place = Place::new();
        fill(&place, &descriptor, 4);
        let (mut one, handle) = reader(&place, 4);
        let (mut other, other_handle) = reader(&place, 4);
        assert_eq!(get_cut(&mut one, handle, GetFlags::NO_SYNCPOINT, 100), Ok(("0".into(), 1, false)));
        let brief = Wait::Milliseconds(50);
        let wait = |other: &mut Connection| get(other, other_handle, GetFlags::NO_SYNCPOINT, brief);
        assert_eq!(wait(&mut other), Err(Reason::NO_MSG_AVAILABLE), "the others came ahead");
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        one.put(handle, &mut descriptor.clone(), &mut options, "4".into()).unwrap();
        assert_eq!(get(&mut other, other_handle, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("4"));
        assert_eq!(wait(&mut other), Err(Reason::NO_MSG_AVAILABLE));
        for (body, bytes_max) in [("1", 50), ("2", 200), ("3", 1)] {
            let got = get_cut(&mut one, handle, GetFlags::NO_SYNCPOINT, bytes_max);
            assert_eq!(got, Ok((body.into(), 1, false)));
            assert_eq!(wait(&mut other), Err(Reason::NO_MSG_AVAILABLE), "{body} goes to nobody else");
        }
    }
}

#[test]
fn a_message_that_came_for_a_longer_buffer_is_cut_to_a_shorter_one() {
    for descriptor in [volatile(), persistent()] {
        for flags in [GetFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT] {
            let place = Place::new();
            let (mut connection, handle) = reader(&place, 4);
            for number in 0..4 {
                let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
                let body = format!("{number} is long");
                connection.put(handle, &mut descriptor.clone(), &mut options, body.into()).unwrap();
            }
            let mut cut = |bytes_max| get_cut(&mut connection, handle, flags, bytes_max);
            assert_eq!(cut(100), Ok(("0 is long".into(), 9, false)));
            assert_eq!(cut(4), Ok(("1 is".into(), 9, true)));
            assert_eq!(cut(100), Ok(("2 is long".into(), 9, false)));
            let mut shown = Vec::new();
            let mut options = GetOptions::with(flags | GetFlags::ACCEPT_TRUNCATED_MSG, Wait::No);
            let mut borrow = |body: &[u8]| shown.extend_from_slice(body);
            let mut got = MessageDescriptor::default();
            let got = connection.get_lent(handle, &mut got, &mut options, 1, &mut borrow).unwrap();
            assert_eq!(got.warning, Some(Reason::TRUNCATED_MSG_ACCEPTED));
            assert_eq!([&got.body[..], &shown[..]].concat(), b"3");
            assert_eq!((got.data_length, options.returned_length), (9, 1));
            connection.commit().unwrap();
            drop(connection);
            assert_eq!(place.drain("A"), Vec::<String>::new());
        }
    }
}

#[test]
fn a_message_that_was_cut_on_its_way_goes_back_for_a_longer_buffer_or_waits_for_a_short_one() {
    for (descriptor, whole) in
        [(persistent(), Ok(("1 is long".into(), 9, false))), (volatile(), Err(Reason::OPTIONS_CHANGED))]
    {
        let place = Place::new();
        let (mut connection, handle) = reader(&place, 4);
        for number in 0..3 {
            let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            let body = format!("{number} is long");
            connection.put(handle, &mut descriptor.clone(), &mut options, body.into()).unwrap();
        }
        let mut cut = |bytes_max| get_cut(&mut connection, handle, GetFlags::NO_SYNCPOINT, bytes_max);
        assert_eq!(cut(4), Ok(("0 is".into(), 9, true)));
        assert_eq!(cut(100), whole);
        let next = if whole.is_ok() { "2" } else { "1" };
        assert_eq!(cut(1), Ok((next.into(), 9, true)));
    }
}
