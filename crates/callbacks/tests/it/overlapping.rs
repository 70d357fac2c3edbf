//! Requests that other threads make while a callback runs, and requests of callbacks that nobody waits for.

use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::support::{
    Bench, GLANCE, OnEvery, PATIENCE, calls, control, on_every, open_queue, put, register, telling, told,
};
use callbacks::{CallType, CallbackOptions, Called, Connection, Consuming, Description, Operation};
use mqi::{CloseOptions, GetFlags, GetOptions, Listen, MessageDescriptor, OpenOptions, Reason, Verbs};

const INPUT: OpenOptions = OpenOptions::INPUT_SHARED;

/// A consumer that passes each message on, goes on for a while, and then makes a request.
fn passing(
    mut then: impl FnMut(&mut dyn Consuming) + Send + 'static,
) -> (impl FnMut(&mut dyn Consuming, Called<'_>) + Send, Receiver<()>) {
    let (teller, passed) = channel();
    let consumer = move |inside: &mut dyn Consuming, called: Called<'_>| {
        if called.message.is_some() {
            teller.send(()).unwrap();
            thread::sleep(GLANCE);
            then(inside);
        }
    };
    (consumer, passed)
}

struct Resumed;

impl OnEvery for Resumed {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", INPUT);
        let (consumer, passed) = passing(|inside| inside.control(Operation::SUSPEND, 0).unwrap());
        register(&connection, handle, Description::consumer(consumer), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        for body in ["first", "second", "third"] {
            put(&mut bench.embedded(), "A", body);
            passed.recv_timeout(PATIENCE).expect(body);
            control(&connection, Operation::RESUME);
        }
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_resumption_that_a_consumer_has_passed_on_comes_after_its_suspension() {
    on_every("DEFINE QLOCAL(A)", || Resumed);
}

struct NotUndone;

impl OnEvery for NotUndone {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        for (of_thread, of_consumer) in
            [(Operation::SUSPEND, Operation::RESUME), (Operation::STOP, Operation::START)]
        {
            let handle = open_queue(&mut connection, "A", INPUT);
            let (teller, answers) = channel();
            let (consumer, passed) =
                passing(move |inside| teller.send(inside.control(of_consumer, 0)).unwrap());
            register(&connection, handle, Description::consumer(consumer), GetFlags::NO_SYNCPOINT);
            control(&connection, Operation::START);
            put(&mut bench.embedded(), "A", "first");
            passed.recv_timeout(PATIENCE).unwrap();
            control(&connection, of_thread);
            assert_eq!(answers.try_recv(), Ok(Ok(())), "{of_consumer:?}");
            assert_eq!(connection.commit(), Ok(()), "after {of_thread:?}");
            connection.close(handle, CloseOptions::EMPTY).unwrap();
            control(&connection, Operation::STOP);
        }
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_consumer_undoes_no_request_of_another_thread() {
    on_every("DEFINE QLOCAL(A)", || NotUndone);
}

struct StartedAgain;

impl OnEvery for StartedAgain {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", INPUT);
        let (teller, calls) = calls();
        let stopping = move |inside: &mut dyn Consuming, called: Called<'_>| {
            if called.message.is_some() {
                inside.control(Operation::STOP, 0).unwrap();
            }
            teller.send(told(&called)).unwrap();
            thread::sleep(GLANCE);
        };
        let description = Description::consumer(stopping).with(CallbackOptions::STOP_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        for body in ["first", "second", "third"] {
            put(&mut bench.embedded(), "A", body);
            calls.expect_message(body);
            control(&connection, Operation::START);
            calls.expect_call(CallType::Stop, None);
        }
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_start_waits_for_the_end_of_a_stop() {
    on_every("DEFINE QLOCAL(A)", || StartedAgain);
}

struct OutOfReach;

impl OnEvery for OutOfReach {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", INPUT);
        let (teller, calls) = calls();
        let mut clone = Some(connection.clone());
        let consumer = move |_: &mut dyn Consuming, called: Called<'_>| {
            if let Some(connection) = &mut clone {
                for operation in [
                    Operation::START,
                    Operation::START_WAIT,
                    Operation::SUSPEND,
                    Operation::RESUME,
                    Operation::STOP,
                ] {
                    let refused = Connection::control(connection, operation, 0);
                    assert_eq!(refused, Err(Reason::CALL_IN_PROGRESS), "{operation:?}");
                }
                assert_eq!(connection.disconnect(), Err(Reason::CALL_IN_PROGRESS));
                let refused = connection.commit();
                let busy = [Err(Reason::CALL_IN_PROGRESS), Err(Reason::HCONN_ASYNC_ACTIVE)];
                assert!(busy.contains(&refused), "{refused:?}");
            }
            if called.message.is_some() {
                clone = None;
            }
            teller.send(told(&called)).unwrap();
        };
        let around = CallbackOptions::REGISTER_CALL;
        register(&connection, handle, Description::consumer(consumer).with(around), GetFlags::NO_SYNCPOINT);
        calls.expect_call(CallType::Register, None);
        control(&connection, Operation::START);
        put(&mut bench.embedded(), "A", "first");
        calls.expect_message("first");
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_callback_that_uses_a_clone_of_its_connection_does_not_wait_for_itself() {
    on_every("DEFINE QLOCAL(A)", || OutOfReach);
}

struct NotStarted;

impl OnEvery for NotStarted {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", INPUT);
        let (teller, calls) = calls();
        let starting = move |inside: &mut dyn Consuming, called: Called<'_>| {
            if called.context.call_type == CallType::Register {
                for operation in [Operation::START, Operation::SUSPEND, Operation::RESUME] {
                    let refused = inside.control(operation, 0);
                    assert_eq!(refused, Err(Reason::OPERATION_NOT_ALLOWED), "{operation:?}");
                }
            }
            teller.send(told(&called)).unwrap();
        };
        let description = Description::consumer(starting).with(CallbackOptions::REGISTER_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        calls.expect_call(CallType::Register, None);
        control(&connection, Operation::START);
        put(&mut bench.embedded(), "A", "first");
        calls.expect_message("first");
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_callback_does_not_start_calls_that_are_stopped() {
    on_every("DEFINE QLOCAL(A)", || NotStarted);
}

struct StoppedByAnother;

impl OnEvery for StoppedByAnother {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let [handle, other] = [(); 2].map(|()| open_queue(&mut connection, "A", INPUT));
        let (teller, calls) = calls();
        let stops = telling(teller.clone());
        let mut suspends = stops;
        let suspending = move |inside: &mut dyn Consuming, called: Called<'_>| {
            if called.message.is_some() {
                inside.control(Operation::SUSPEND, 0).unwrap();
            }
            suspends(inside, called);
        };
        let description = Description::consumer(suspending).with(CallbackOptions::STOP_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        put(&mut bench.embedded(), "A", "first");
        assert_eq!(connection.control(Operation::START_WAIT, 0), Ok(Some(Reason::CONNECTION_SUSPENDED)));
        calls.expect_message("first");
        // Nobody calls consumers now; the callback stops them from within a call of the program.
        let stopping = move |inside: &mut dyn Consuming, called: Called<'_>| {
            assert_eq!(inside.control(Operation::RESUME, 0), Err(Reason::OPERATION_NOT_ALLOWED));
            inside.control(Operation::STOP, 0).unwrap();
            teller.send(told(&called)).unwrap();
        };
        let description = Description::consumer(stopping).with(CallbackOptions::REGISTER_CALL);
        let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
        connection.callback(Operation::REGISTER, Some(description), other, &descriptor, &options).unwrap();
        calls.expect_call(CallType::Register, None);
        assert_eq!(calls.expect_call(CallType::Stop, None).handle, handle);
        assert_eq!(connection.control(Operation::RESUME, 0), Err(Reason::OPERATION_NOT_ALLOWED));
        calls.expect_none();
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_stop_by_a_callback_that_the_program_called_is_told_of() {
    on_every("DEFINE QLOCAL(A)", || StoppedByAnother);
}
