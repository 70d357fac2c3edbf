//! Calls that make no sense, verb by verb, over every kind of connection. Each is refused with the reason of
//! the interface, and does no harm.
//!
//! The calls are made from tables: a verb that is added is added once, and is then tried with every handle
//! and every unknown bit of its options.

use bytes::Bytes;
use callbacks::{Connection, Description, Operation};
use mqi::properties::{
    BufferToHandleOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
    HandleToBufferOptions, InquirePropertyFlags, InquirePropertyOptions, PropertyDescriptor, PropertyValue,
    SetPropertyOptions,
};
use mqi::{
    AttributeValue, Characters, CloseOptions, GetFlags, GetOptions, Listen, MatchOptions, MessageDescriptor,
    MessageFlags, MessageHandle, ObjectHandle, OpenOptions, PutFlags, PutOptions, Reason, ReportOptions,
    Selector, StatusType, Verbs, Wait, constants,
};

use crate::support::*;

const FOR_ALL: OpenOptions = OpenOptions::INPUT_SHARED
    .union(OpenOptions::OUTPUT)
    .union(OpenOptions::BROWSE)
    .union(OpenOptions::INQUIRE)
    .union(OpenOptions::SET);

/// The result of each verb.
type Refusals = Vec<(&'static str, Result<(), Reason>)>;

fn put_with(
    verbs: &mut dyn Verbs,
    handle: ObjectHandle,
    flags: PutFlags,
    descriptor: MessageDescriptor,
) -> Result<(), Reason> {
    let (mut descriptor, mut options) = (descriptor, PutOptions::with(flags));
    verbs.put(handle, &mut descriptor, &mut options, Bytes::from_static(b"no"))?;
    options.warning.map_or(Ok(()), Err)
}

fn get_with(
    verbs: &mut dyn Verbs,
    handle: ObjectHandle,
    flags: GetFlags,
    matching: MatchOptions,
) -> Result<(), Reason> {
    let mut options = GetOptions { match_options: matching, ..any(flags, Wait::No) };
    verbs.get(handle, &mut MessageDescriptor::default(), &mut options, 100).map(drop)
}

fn registered<V: Listen + Send + 'static>(
    connection: &Connection<V>,
    operation: Operation,
    handle: ObjectHandle,
) -> Result<(), Reason> {
    let description = Description::consumer(|_, _| {});
    let options = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let descriptor = MessageDescriptor::default();
    connection.callback(operation, Some(description), handle, &descriptor, &options)
}

/// Every verb that goes through the handle of an object.
fn through<V: Listen + Send + 'static>(connection: &mut Connection<V>, handle: ObjectHandle) -> Refusals {
    let inhibited = (Selector(constants::MQIA_INHIBIT_PUT), AttributeValue::Integer(1));
    let (flags, matching) = (GetFlags::NO_SYNCPOINT, MatchOptions::EMPTY);
    vec![
        ("MQPUT", put_with(connection, handle, PutFlags::NO_SYNCPOINT, MessageDescriptor::default())),
        ("MQGET", get_with(connection, handle, flags, matching)),
        ("MQGET to browse", get_with(connection, handle, GetFlags::BROWSE_FIRST, matching)),
        ("MQGET to unlock", get_with(connection, handle, GetFlags::UNLOCK, matching)),
        ("MQINQ", connection.inquire(handle, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]).map(drop)),
        ("MQSET", connection.set(handle, &[inhibited])),
        ("MQCB", registered(connection, Operation::REGISTER, handle)),
        ("MQCLOSE", connection.close(handle, CloseOptions::EMPTY).map(drop)),
    ]
}

fn expect(refusals: Refusals, expected: Reason, what: &str) {
    for (verb, found) in refusals {
        assert_eq!(found, Err(expected), "{verb}: {what}");
    }
}

/// The queue is as it was, and the connection can be used.
fn expect_no_harm<V: Listen + Send + 'static>(connection: &mut Connection<V>) {
    put(connection, "A", "all is well");
    assert_eq!(get(connection, "A"), Ok("all is well".to_owned()));
    assert_eq!(get(connection, "A"), Err(Reason::NO_MSG_AVAILABLE));
}

struct Handles;

impl OnEvery for Handles {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut other = bench.embedded();
        let theirs = (0..9).map(|_| open_queue(&mut other, "A", FOR_ALL)).last().unwrap();
        let closed = open_queue(&mut connection, "A", FOR_ALL);
        connection.close(closed, CloseOptions::EMPTY).unwrap();
        for (what, handle) in [
            ("no handle", ObjectHandle(constants::MQHO_NONE)),
            ("an unusable one", ObjectHandle(constants::MQHO_UNUSABLE_HOBJ)),
            ("the least number", ObjectHandle(i32::MIN)),
            ("the greatest number", ObjectHandle(i32::MAX)),
            ("one that was closed", closed),
            ("one of another connection", theirs),
        ] {
            expect(through(&mut connection, handle), Reason::HOBJ_ERROR, what);
        }
        let mut theirs = through(&mut Connection::new(bench.embedded()), theirs);
        theirs.retain(|(_, found)| *found != Err(Reason::HOBJ_ERROR));
        assert_eq!(theirs, [], "a third connection has it neither");
        expect_no_harm(&mut connection);
    }
}

#[test]
fn a_handle_of_nothing_is_refused_by_every_verb() {
    on_every("DEFINE QLOCAL(A)", || Handles);
}

struct Ended;

impl OnEvery for Ended {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", FOR_ALL);
        connection.disconnect().unwrap();
        let mut refusals = through(&mut connection, handle);
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let mut descriptor = MessageDescriptor::default();
        let put1 = connection.put1(&queue("A"), &mut descriptor, &mut options, Bytes::new());
        let characters = Characters { ccsid: 819, bytes: b"x" };
        refusals.extend([
            ("MQOPEN", connection.open(&queue("A"), FOR_ALL).map(drop)),
            ("MQPUT1", put1),
            ("MQBEGIN", connection.begin().map(drop)),
            ("MQCMIT", connection.commit()),
            ("MQBACK", connection.back()),
            ("MQSTAT", connection.stat(StatusType::AsyncError).map(drop)),
            ("MQXCNVC", connection.convert_characters(0, characters, 1208, 9).map(drop)),
            ("MQCRTMH", connection.message_handles().map(drop)),
            ("MQCTL to stop", connection.control(Operation::STOP, 0).map(drop)),
            ("MQCTL to start", connection.control(Operation::START, 0).map(drop)),
            ("MQDISC", connection.disconnect()),
        ]);
        expect(refusals, Reason::HCONN_ERROR, "the connection has ended");
    }
}

#[test]
fn a_connection_that_has_ended_is_refused_by_every_verb() {
    on_every("DEFINE QLOCAL(A)", || Ended);
}

/// The bits of options that have no name.
fn unknown(known: i32) -> impl Iterator<Item = i32> {
    (0..32).map(|bit| 1_i32 << bit).filter(move |bit| known & bit == 0)
}

/// Calls a verb with an unknown bit in its options.
type Try<V> = fn(&mut Connection<V>, ObjectHandle, i32) -> Result<(), Reason>;

struct Options;

impl OnEvery for Options {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", FOR_ALL);
        let rows: [(&str, i32, Reason, Try<V>); 8] = [
            ("MQOPEN", OpenOptions::KNOWN.bits(), Reason::OPTIONS_ERROR, |connection, _, bit| {
                connection.open(&queue("A"), FOR_ALL | OpenOptions::from_bits(bit)).map(drop)
            }),
            ("MQCLOSE", CloseOptions::KNOWN.bits(), Reason::OPTIONS_ERROR, |connection, handle, bit| {
                connection.close(handle, CloseOptions::from_bits(bit)).map(drop)
            }),
            ("MQPUT", PutFlags::KNOWN.bits(), Reason::OPTIONS_ERROR, |connection, handle, bit| {
                put_with(connection, handle, PutFlags::from_bits(bit), MessageDescriptor::default())
            }),
            ("MQPUT1", PutFlags::KNOWN.bits(), Reason::OPTIONS_ERROR, |connection, _, bit| {
                let mut options = PutOptions::with(PutFlags::from_bits(bit));
                let mut descriptor = MessageDescriptor::default();
                connection.put1(&queue("A"), &mut descriptor, &mut options, Bytes::new())
            }),
            (
                "MQGET",
                GetFlags::KNOWN.bits() | constants::MQGMO_WAIT,
                Reason::OPTIONS_ERROR,
                |connection, handle, bit| {
                    get_with(connection, handle, GetFlags::from_bits(bit), MatchOptions::EMPTY)
                },
            ),
            (
                "what MQGET matches",
                MatchOptions::KNOWN.bits(),
                Reason::MATCH_OPTIONS_ERROR,
                |connection, handle, bit| {
                    get_with(connection, handle, GetFlags::NO_SYNCPOINT, MatchOptions::from_bits(bit))
                },
            ),
            (
                "message flags",
                MessageFlags::KNOWN.bits() | !constants::MQMF_REJECT_UNSUP_MASK,
                Reason::MSG_FLAGS_ERROR,
                |connection, handle, bit| {
                    let message_flags = MessageFlags::from_bits(bit);
                    let descriptor = MessageDescriptor { message_flags, ..MessageDescriptor::default() };
                    put_with(connection, handle, PutFlags::NO_SYNCPOINT, descriptor)
                },
            ),
            (
                "report options",
                ReportOptions::KNOWN.bits()
                    | !(constants::MQRO_REJECT_UNSUP_MASK | constants::MQRO_ACCEPT_UNSUP_IF_XMIT_MASK),
                Reason::REPORT_OPTIONS_ERROR,
                |connection, handle, bit| {
                    let report = ReportOptions::from_bits(bit);
                    let descriptor = MessageDescriptor { report, ..MessageDescriptor::default() };
                    put_with(connection, handle, PutFlags::NO_SYNCPOINT, descriptor)
                },
            ),
        ];
        for (what, known, expected, refused) in rows {
            let mut tried = 0;
            for bit in unknown(known) {
                assert_eq!(refused(&mut connection, handle, bit), Err(expected), "{what} with {bit:#x}");
                tried += 1;
            }
            assert!(tried > 0, "{what}: every bit has a name");
        }
        let known = 0xFF7;
        for bit in unknown(known) {
            let characters = Characters { ccsid: 819, bytes: b"x" };
            let refused = connection.convert_characters(bit, characters, 1208, 9);
            assert_eq!(refused, Err(Reason::OPTIONS_ERROR), "MQXCNVC with {bit:#x}");
        }
        expect_no_harm(&mut connection);
    }
}

#[test]
fn a_bit_of_nothing_is_refused_by_every_verb_with_options() {
    on_every("DEFINE QLOCAL(A)", || Options);
}

/// Every verb of message handles, with a bit beside the options that it needs.
fn on_message_handle(connection: &mut dyn Verbs, handle: MessageHandle, bit: i32) -> Refusals {
    let mut handles = connection.message_handles().unwrap();
    let mut inquiry = InquirePropertyOptions {
        flags: InquirePropertyFlags::from_bits(bit),
        ..InquirePropertyOptions::default()
    };
    let (descriptor, value) = (PropertyDescriptor::default(), PropertyValue::Int32(7));
    let in_header = HandleToBufferOptions::PROPERTIES_IN_MQRFH2 | HandleToBufferOptions::from_bits(bit);
    let mut described = MessageDescriptor::default();
    vec![
        (
            "MQSETMP",
            handles
                .set_property(handle, SetPropertyOptions::from_bits(bit), "a", descriptor, &value)
                .map(drop),
        ),
        ("MQINQMP", handles.inquire_property(handle, &mut inquiry, "a", 100).map(drop)),
        (
            "MQBUFMH",
            handles
                .buffer_to_handle(
                    handle,
                    BufferToHandleOptions::from_bits(bit),
                    &mut described.clone(),
                    Bytes::new(),
                )
                .map(drop),
        ),
        ("MQMHBUF", handles.handle_to_buffer(handle, in_header, "%", &mut described, 100, &mut 0).map(drop)),
        ("MQDLTMP", handles.delete_property(handle, DeletePropertyOptions::from_bits(bit), "a").map(drop)),
        ("MQDLTMH", handles.delete_message_handle(&mut { handle }, DeleteHandleOptions::from_bits(bit))),
    ]
}

fn create(connection: &mut dyn Verbs) -> MessageHandle {
    let mut handles = connection.message_handles().unwrap();
    handles.create_message_handle(CreateHandleOptions::EMPTY).unwrap()
}

fn delete(connection: &mut dyn Verbs, handle: &mut MessageHandle) -> Result<(), Reason> {
    connection.message_handles().unwrap().delete_message_handle(handle, DeleteHandleOptions::EMPTY)
}

struct MessageHandles;

impl OnEvery for MessageHandles {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut own = create(&mut connection);
        let deleted = create(&mut connection);
        delete(&mut connection, &mut { deleted }).unwrap();
        let mut other = bench.embedded();
        let theirs = create(&mut other);
        for (what, handle) in [
            ("no handle", MessageHandle::NONE),
            ("an unusable one", MessageHandle::UNUSABLE),
            ("one that was deleted", deleted),
            ("one of another connection", theirs),
        ] {
            expect(on_message_handle(&mut connection, handle, 0), Reason::HMSG_ERROR, what);
        }
        // A bit that none of the sets has.
        for bit in unknown(0xFFFF) {
            let what = format!("with {bit:#x}");
            expect(on_message_handle(&mut connection, own, bit), Reason::OPTIONS_ERROR, &what);
            let mut handles = connection.message_handles().unwrap();
            let created = handles.create_message_handle(CreateHandleOptions::from_bits(bit));
            assert_eq!(created, Err(Reason::OPTIONS_ERROR), "MQCRTMH {what}");
        }
        assert_eq!(delete(&mut connection, &mut own), Ok(()), "it is there still");
        expect_no_harm(&mut connection);
    }
}

#[test]
fn message_handles_of_nothing_and_bits_of_nothing_are_refused() {
    on_every("DEFINE QLOCAL(A)", || MessageHandles);
}
