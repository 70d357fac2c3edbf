//! Calls that ask to fail while the queue manager quiesces do, and consumers that ask for it are told and get
//! no more messages.

use callbacks::{CallType, CallbackOptions, Connection, ConsumerState, Consuming, Description, Operation};
use mqi::constants::{MQCTLO_FAIL_IF_QUIESCING, MQHO_NONE};
use mqi::{GetFlags, Listen, MessageDescriptor, ObjectHandle, OpenOptions, Reason, Verbs, Wait};

use crate::support::*;

const INPUT: OpenOptions = OpenOptions::INPUT_SHARED;
const FAILING: GetFlags = GetFlags::NO_SYNCPOINT.union(GetFlags::FAIL_IF_QUIESCING);
const NONE: ObjectHandle = ObjectHandle(MQHO_NONE);

/// Has the queue manager quiesce; the connections there are keep it from ending.
fn quiesce(bench: &Bench, witness: &mut server::embedded::Connection) {
    bench.manager.server().stop(server::Mode::Quiesce);
    let quiesces = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        let opened = witness.open(&queue("A"), OpenOptions::INQUIRE | OpenOptions::FAIL_IF_QUIESCING);
        opened == Err(Reason::Q_MGR_QUIESCING)
    });
    assert!(quiesces);
}

fn registered<V: Listen + Send + 'static>(
    connection: &Connection<V>,
    handle: ObjectHandle,
    description: Description,
    flags: GetFlags,
) -> Result<(), Reason> {
    let options = any(flags, Wait::Unlimited);
    let descriptor = MessageDescriptor::default();
    connection.callback(Operation::REGISTER, Some(description), handle, &descriptor, &options)
}

struct Starting;

impl OnEvery for Starting {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (teller, calls) = calls();
        let handle = open_queue(&mut connection, "A", INPUT);
        register(&connection, handle, Description::consumer(telling(teller)), GetFlags::NO_SYNCPOINT);
        for operation in [Operation::START, Operation::SUSPEND, Operation::RESUME, Operation::STOP] {
            assert_eq!(connection.control(operation, MQCTLO_FAIL_IF_QUIESCING), Ok(None), "{operation:?}");
        }
        quiesce(bench, &mut witness);
        for operation in [Operation::START, Operation::START_WAIT] {
            let refused = connection.control(operation, MQCTLO_FAIL_IF_QUIESCING);
            assert_eq!(refused, Err(Reason::Q_MGR_QUIESCING), "{operation:?}");
        }
        // Who does not ask for it goes on.
        control(&connection, Operation::START);
        put(&mut witness, "A", "first");
        calls.expect_message("first");
        let done = connection.control(Operation::SUSPEND, MQCTLO_FAIL_IF_QUIESCING);
        assert_eq!(done, Ok(None), "what pauses is done");
        let refused = connection.control(Operation::RESUME, MQCTLO_FAIL_IF_QUIESCING);
        assert_eq!(refused, Err(Reason::Q_MGR_QUIESCING));
        put(&mut witness, "A", "second");
        calls.expect_none();
        control(&connection, Operation::RESUME);
        calls.expect_message("second");
        assert_eq!(
            connection.control(Operation::STOP, MQCTLO_FAIL_IF_QUIESCING),
            Ok(None),
            "what ends is done"
        );
        connection.disconnect().unwrap();
    }
}

#[test]
fn consumers_are_not_started_while_the_queue_manager_quiesces_if_that_is_asked_for() {
    on_every("DEFINE QLOCAL(A)", || Starting);
}

struct Registering;

impl OnEvery for Registering {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let handle = open_queue(&mut connection, "A", INPUT);
        let other = open_queue(&mut connection, "A", INPUT);
        let failing = |description: Description| description.with(CallbackOptions::FAIL_IF_QUIESCING);
        let consumer = || Description::consumer(|_, _| {});
        let flags = GetFlags::NO_SYNCPOINT;
        assert_eq!(registered(&connection, handle, failing(consumer()), flags), Ok(()));
        quiesce(bench, &mut witness);
        for (handle, description) in
            [(other, failing(consumer())), (NONE, failing(Description::event_handler(|_, _| {})))]
        {
            let refused = registered(&connection, handle, description, flags);
            assert_eq!(refused, Err(Reason::Q_MGR_QUIESCING));
        }
        // The get of a consumer is made later, and it is the consumer that is told.
        assert_eq!(registered(&connection, other, consumer(), FAILING), Ok(()));
        connection.disconnect().unwrap();
    }
}

#[test]
fn nothing_is_registered_while_the_queue_manager_quiesces_if_that_is_asked_for() {
    on_every("DEFINE QLOCAL(A)", || Registering);
}

/// Consumers that are called on a thread of their own or on that of the program.
struct Telling {
    waits: bool,
}

impl OnEvery for Telling {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (of_consumers, consumers) = calls();
        let (of_events, events) = calls();
        register(&connection, NONE, Description::event_handler(telling(of_events)), GetFlags::EMPTY);
        for name in ["A", "B"] {
            let handle = open_queue(&mut connection, name, INPUT);
            let consumer = Description::consumer(telling(of_consumers.clone()));
            register(&connection, handle, consumer.with(CallbackOptions::EVENT_CALL), FAILING);
        }
        put(&mut witness, "A", "first");
        let waiting = connection.clone();
        let waits = self.waits;
        let started = std::thread::spawn(move || {
            let operation = if waits { Operation::START_WAIT } else { Operation::START };
            waiting.control(operation, MQCTLO_FAIL_IF_QUIESCING)
        });
        consumers.expect_message("first");
        quiesce(bench, &mut witness);
        let mut told = [(); 2].map(|()| {
            let context = consumers.expect_call(CallType::Event, Some(Reason::Q_MGR_QUIESCING));
            assert_eq!(context.state, ConsumerState::Suspended);
            context.handle
        });
        told.sort_unstable_by_key(|handle| handle.0);
        assert_ne!(told[0], told[1], "each of them once");
        let context = events.expect_call(CallType::Event, Some(Reason::Q_MGR_QUIESCING));
        assert_eq!((context.state, context.handle), (ConsumerState::None, NONE));
        events.expect_none();
        let expected = if waits { Err(Reason::NO_CALLBACKS_ACTIVE) } else { Ok(None) };
        assert_eq!(started.join().unwrap(), expected);
        put(&mut witness, "A", "second");
        consumers.expect_none();
        control(&connection, Operation::STOP);
        assert_eq!(get(&mut witness, "A"), Ok("second".into()));
        connection.disconnect().unwrap();
    }
}

#[test]
fn consumers_that_ask_for_it_are_told_once_that_the_queue_manager_quiesces() {
    on_every("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)", || Telling { waits: false });
}

#[test]
fn a_start_that_waits_returns_when_the_queue_manager_quiesces_and_all_consumers_ask_for_that() {
    on_every("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)", || Telling { waits: true });
}

struct GoingOn;

impl OnEvery for GoingOn {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (of_consumers, consumers) = calls();
        let (of_events, events) = calls();
        register(&connection, NONE, Description::event_handler(telling(of_events)), GetFlags::EMPTY);
        let handle = open_queue(&mut connection, "A", INPUT);
        register(&connection, handle, Description::consumer(telling(of_consumers)), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        put(&mut witness, "A", "first");
        consumers.expect_message("first");
        quiesce(bench, &mut witness);
        let context = events.expect_call(CallType::Event, Some(Reason::Q_MGR_QUIESCING));
        assert_eq!((context.state, context.handle), (ConsumerState::None, NONE));
        put(&mut witness, "A", "second");
        consumers.expect_message("second");
        for operation in [Operation::STOP, Operation::START] {
            control(&connection, operation);
        }
        put(&mut witness, "A", "third");
        consumers.expect_message("third");
        events.expect_none();
        connection.disconnect().unwrap();
    }
}

#[test]
fn event_handlers_are_told_once_that_the_queue_manager_quiesces_and_consumers_that_do_not_ask_go_on() {
    on_every("DEFINE QLOCAL(A)", || GoingOn);
}

struct Busy;

impl OnEvery for Busy {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (of_events, events) = calls();
        register(&connection, NONE, Description::event_handler(telling(of_events)), GetFlags::EMPTY);
        let handle = open_queue(&mut connection, "A", INPUT);
        let putting = |inside: &mut dyn Consuming, _: callbacks::Called<'_>| put(inside, "A", "again");
        register(&connection, handle, Description::consumer(putting), GetFlags::NO_SYNCPOINT);
        for _ in 0..10 {
            put(&mut witness, "A", "first");
        }
        control(&connection, Operation::START);
        quiesce(bench, &mut witness);
        events.expect_call(CallType::Event, Some(Reason::Q_MGR_QUIESCING));
        events.expect_none();
        connection.disconnect().unwrap();
    }
}

#[test]
fn event_handlers_are_told_that_the_queue_manager_quiesces_while_consumers_have_no_pause() {
    on_every("DEFINE QLOCAL(A)", || Busy);
}

struct Paused;

impl OnEvery for Paused {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (of_events, events) = calls();
        register(&connection, NONE, Description::event_handler(telling(of_events)), GetFlags::EMPTY);
        let handle = open_queue(&mut connection, "A", INPUT);
        let operation = Operation::REGISTER.and(Operation::SUSPEND);
        let (descriptor, options) = (MessageDescriptor::default(), any(FAILING, Wait::Unlimited));
        let consumer = Some(Description::consumer(|_, _| {}));
        connection.callback(operation, consumer, handle, &descriptor, &options).unwrap();
        control(&connection, Operation::START);
        quiesce(bench, &mut witness);
        events.expect_call(CallType::Event, Some(Reason::Q_MGR_QUIESCING));
        events.expect_none();
        connection.disconnect().unwrap();
    }
}

#[test]
fn event_handlers_are_told_that_the_queue_manager_quiesces_while_all_consumers_are_suspended() {
    on_every("DEFINE QLOCAL(A)", || Paused);
}

struct NotStarted;

impl OnEvery for NotStarted {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (of_events, events) = calls();
        register(&connection, NONE, Description::event_handler(telling(of_events)), GetFlags::EMPTY);
        quiesce(bench, &mut witness);
        let context = events.expect_call(CallType::Event, Some(Reason::Q_MGR_QUIESCING));
        assert_eq!((context.state, context.handle), (ConsumerState::None, NONE));
        // Nor when consumers begin to be called.
        let handle = open_queue(&mut connection, "A", INPUT);
        register(&connection, handle, Description::consumer(|_, _| {}), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        events.expect_none();
        connection.disconnect().unwrap();
    }
}

#[test]
fn event_handlers_are_told_that_the_queue_manager_quiesces_while_no_consumers_are_started() {
    on_every("DEFINE QLOCAL(A)", || NotStarted);
}

struct FromWithin;

impl OnEvery for FromWithin {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut witness = bench.embedded();
        let (teller, calls) = calls();
        let handle = open_queue(&mut connection, "A", INPUT);
        let other = open_queue(&mut connection, "A", INPUT);
        let stopping = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
            let description = Description::consumer(|_, _| {}).with(CallbackOptions::FAIL_IF_QUIESCING);
            let (descriptor, options) = (MessageDescriptor::default(), any(FAILING, Wait::Unlimited));
            let done = inside.callback(Operation::REGISTER, Some(description), other, &descriptor, &options);
            assert_eq!(done, Err(Reason::Q_MGR_QUIESCING));
            assert_eq!(inside.control(Operation::STOP, MQCTLO_FAIL_IF_QUIESCING), Ok(()));
            let refused = inside.control(Operation::START, MQCTLO_FAIL_IF_QUIESCING);
            assert_eq!(refused, Err(Reason::Q_MGR_QUIESCING), "the stop stands");
            teller.send(told(&called)).unwrap();
        };
        register(&connection, handle, Description::consumer(stopping), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        quiesce(bench, &mut witness);
        put(&mut witness, "A", "first");
        calls.expect_message("first");
        control(&connection, Operation::STOP);
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_consumer_is_refused_the_same_while_the_queue_manager_quiesces() {
    on_every("DEFINE QLOCAL(A)", || FromWithin);
}
