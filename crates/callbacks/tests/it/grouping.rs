//! Consumers that ask something of groups and segments, and of messages that come ahead.

use bytes::Bytes;
use callbacks::{Connection, Description, Operation};
use mqi::{
    GetFlags, GetOptions, GroupId, Listen, MatchOptions, MessageDescriptor, MessageFlags, OpenOptions,
    Persistence, PutFlags, PutOptions, Reason, Verbs, Wait, constants,
};

use crate::support::*;

/// Puts a message at its place in the one group there is: its number, or where it begins.
fn put_in_group(verbs: &mut dyn Verbs, body: &str, (number, offset): (i32, i32), flags: MessageFlags) {
    let mut descriptor = MessageDescriptor {
        group_id: GroupId([7; 24]).into(),
        message_sequence_number: number,
        offset,
        message_flags: flags,
        persistence: Persistence::Persistent,
        ..MessageDescriptor::default()
    };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    verbs.put1(&queue("A"), &mut descriptor, &mut options, Bytes::copy_from_slice(body.as_bytes())).unwrap();
}

const MEMBER: MessageFlags = MessageFlags::MSG_IN_GROUP;
const LAST: MessageFlags = MessageFlags::LAST_MSG_IN_GROUP;

struct InOrder;

impl OnEvery for InOrder {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        let whole_groups = GetFlags::LOGICAL_ORDER | GetFlags::ALL_MSGS_AVAILABLE | GetFlags::SYNCPOINT;
        let consumer = Description::consumer(move |inside, called| {
            let told = told(&called);
            let is_last = told.body.as_ref().is_some_and(|body| body == "third");
            drop(teller.send(told));
            if is_last {
                inside.commit().unwrap();
            }
        });
        register(&connection, handle, consumer, whole_groups);
        control(&connection, Operation::START);
        put_in_group(&mut putter, "third", (3, 0), LAST);
        put_in_group(&mut putter, "second", (2, 0), MEMBER);
        calls.expect_none();
        assert_eq!(get(&mut putter, "A"), Ok("third".into()), "nothing is set aside");
        put_in_group(&mut putter, "third", (3, 0), LAST);
        put_in_group(&mut putter, "first", (1, 0), MEMBER);
        for body in ["first", "second", "third"] {
            calls.expect_message(body);
        }
        put(&mut putter, "A", "alone");
        calls.expect_message("alone");
        control(&connection, Operation::STOP);
        connection.back().unwrap();
        assert_eq!(get(&mut putter, "A"), Ok("alone".into()));
        assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn a_group_comes_to_its_consumer_when_it_is_whole_and_in_its_order() {
    on_every("DEFINE QLOCAL(A)", || InOrder);
}

struct Joined;

impl OnEvery for Joined {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        register(&connection, handle, Description::consumer(telling(teller)), GetFlags::COMPLETE_MSG);
        control(&connection, Operation::START);
        put_in_group(&mut putter, "end", (1, 10), MessageFlags::LAST_SEGMENT);
        calls.expect_none();
        put_in_group(&mut putter, "beginning ", (1, 0), MessageFlags::SEGMENT);
        let context = calls.expect_message("beginning end");
        assert_eq!((context.data_length, context.buffer_length), (13, 13));
        control(&connection, Operation::STOP);
        assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn a_message_in_segments_comes_to_its_consumer_whole() {
    on_every("DEFINE QLOCAL(A)", || Joined);
}

struct TwoConsumers;

impl OnEvery for TwoConsumers {
    /// A get through the handle within another consumer moves it on in the group.
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        let other = open_queue(&mut connection, "B", OpenOptions::INPUT_SHARED);
        register(&connection, handle, Description::consumer(telling(teller)), GetFlags::LOGICAL_ORDER);
        let getter = Description::consumer(move |inside, _| {
            let mut options = any(GetFlags::LOGICAL_ORDER, Wait::Milliseconds(5_000));
            let got = inside.get(handle, &mut MessageDescriptor::default(), &mut options, 100);
            assert_eq!(got.unwrap().body, "second");
        });
        register(&connection, other, getter, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        put_in_group(&mut putter, "first", (1, 0), MEMBER);
        calls.expect_message("first");
        put(&mut putter, "B", "get it");
        calls.expect_none();
        put_in_group(&mut putter, "second", (2, 0), LAST);
        put(&mut putter, "A", "alone");
        calls.expect_message("alone");
        control(&connection, Operation::STOP);
    }
}

#[test]
fn a_consumer_goes_on_where_its_handle_is() {
    on_every("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)", || TwoConsumers);
}

struct Browsing;

impl OnEvery for Browsing {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", OpenOptions::BROWSE);
        put_in_group(&mut putter, "second", (2, 0), LAST);
        put_in_group(&mut putter, "first", (1, 0), MEMBER);
        let in_order = GetFlags::BROWSE_NEXT | GetFlags::LOGICAL_ORDER;
        register(&connection, handle, Description::consumer(telling(teller)), in_order);
        control(&connection, Operation::START);
        calls.expect_message("first");
        calls.expect_message("second");
        control(&connection, Operation::STOP);
        assert_eq!(get(&mut putter, "A"), Ok("second".into()));
    }
}

#[test]
fn a_browsing_consumer_is_shown_groups_in_their_order() {
    on_every("DEFINE QLOCAL(A)", || Browsing);
}

struct Refused;

impl OnEvery for Refused {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
        let register = |options: &GetOptions| {
            let consumer = Some(Description::consumer(|_, _| {}));
            let descriptor = MessageDescriptor::default();
            connection.callback(Operation::REGISTER, consumer, handle, &descriptor, options)
        };
        let if_persistent = GetFlags::COMPLETE_MSG | GetFlags::SYNCPOINT_IF_PERSISTENT;
        assert_eq!(register(&any(if_persistent, Wait::No)), Err(Reason::OPTIONS_ERROR));
        let at_offset = GetOptions {
            match_options: MatchOptions::MATCH_OFFSET,
            ..GetOptions::with(GetFlags::COMPLETE_MSG, Wait::No)
        };
        assert_eq!(register(&at_offset), Err(Reason::MATCH_OPTIONS_ERROR));
        assert_eq!(register(&any(GetFlags::COMPLETE_MSG | GetFlags::SYNCPOINT, Wait::No)), Ok(()));
    }
}

#[test]
fn what_contradicts_itself_is_refused_to_a_consumer_of_groups() {
    on_every("DEFINE QLOCAL(A)", || Refused);
}

/// With the last of what came ahead the consumer is told that nothing more has.
#[test]
fn a_consumer_is_told_when_nothing_that_came_ahead_is_left() {
    let bench = Bench::new("DEFINE QLOCAL(A)");
    let mut putter = bench.embedded();
    for (options, expected) in [
        (OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD, constants::MQCBCF_READA_BUFFER_EMPTY),
        (OpenOptions::INPUT_SHARED, constants::MQCBCF_NONE),
    ] {
        for number in 0..10 {
            put(&mut putter, "A", &number.to_string());
        }
        let mut connection = Connection::new(bench.client(true));
        let (teller, calls) = calls();
        let handle = open_queue(&mut connection, "A", options);
        register(&connection, handle, Description::consumer(telling(teller)), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        let flags: Vec<i32> = (0..10).map(|_| calls.next().context.flags).collect();
        control(&connection, Operation::STOP);
        assert_eq!(flags.last(), Some(&expected), "{flags:?}");
        connection.disconnect().unwrap();
    }
}
