//! Registering, starting, pausing, stopping; and what is refused.

use callbacks::{CallType, CallbackOptions, Connection, Consuming, Description, Operation};
use mqi::{GetFlags, GetOptions, Listen, MessageDescriptor, ObjectHandle, OpenOptions, Reason, Verbs, Wait};

use crate::support::*;

const INPUT: OpenOptions = OpenOptions::INPUT_SHARED;

struct Refusals;

impl OnEvery for Refusals {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", INPUT);
        let browser = open_queue(&mut connection, "A", OpenOptions::BROWSE);
        let descriptor = MessageDescriptor::default();
        let usual = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let consumer = || Description::consumer(|_, _| {});
        let no_function = || Description { function: None, ..consumer() };
        let other_options = |bits| consumer().with(CallbackOptions(bits));
        let flags = |flags| any(flags, Wait::Unlimited);
        let cases: Vec<(Operation, Option<Description>, ObjectHandle, GetOptions, Reason)> = vec![
            (Operation(0), Some(consumer()), handle, usual.clone(), Reason::OPERATION_ERROR),
            (Operation::START, Some(consumer()), handle, usual.clone(), Reason::OPERATION_ERROR),
            (
                Operation::REGISTER.and(Operation::DEREGISTER),
                Some(consumer()),
                handle,
                usual.clone(),
                Reason::OPERATION_ERROR,
            ),
            (Operation::REGISTER, None, handle, usual.clone(), Reason::CBD_ERROR),
            (Operation::REGISTER, Some(no_function()), handle, usual.clone(), Reason::CALLBACK_ROUTINE_ERROR),
            (Operation::REGISTER, Some(other_options(2)), handle, usual.clone(), Reason::CBD_OPTIONS_ERROR),
            (
                Operation::REGISTER,
                Some(consumer().of_at_most(-2)),
                handle,
                usual.clone(),
                Reason::MAX_MSG_LENGTH_ERROR,
            ),
            (Operation::REGISTER, Some(consumer()), ObjectHandle(99), usual.clone(), Reason::HOBJ_ERROR),
            (Operation::REGISTER, Some(consumer()), browser, usual.clone(), Reason::NOT_OPEN_FOR_INPUT),
            (
                Operation::REGISTER,
                Some(consumer()),
                handle,
                flags(GetFlags::BROWSE_NEXT),
                Reason::NOT_OPEN_FOR_BROWSE,
            ),
            (
                Operation::REGISTER,
                Some(consumer()),
                handle,
                flags(GetFlags::SYNCPOINT | GetFlags::NO_SYNCPOINT),
                Reason::OPTIONS_ERROR,
            ),
            (
                Operation::REGISTER,
                Some(consumer()),
                handle,
                flags(GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT),
                Reason::OPTIONS_ERROR,
            ),
            (
                Operation::REGISTER,
                Some(consumer()),
                handle,
                flags(GetFlags::MSG_UNDER_CURSOR),
                Reason::OPTIONS_ERROR,
            ),
            (Operation::DEREGISTER, None, handle, usual.clone(), Reason::CALLBACK_NOT_REGISTERED),
            (Operation::SUSPEND, None, handle, usual.clone(), Reason::CALLBACK_NOT_REGISTERED),
            (Operation::RESUME, None, handle, usual, Reason::CALLBACK_NOT_REGISTERED),
        ];
        for (operation, description, handle, options, reason) in cases {
            let refused = connection.callback(operation, description, handle, &descriptor, &options);
            assert_eq!(refused, Err(reason), "{operation:?}");
        }
        for (operation, options, reason) in [
            (Operation(0), 0, Reason::OPERATION_ERROR),
            (Operation::REGISTER, 0, Reason::OPERATION_ERROR),
            (Operation::START.and(Operation::STOP), 0, Reason::OPERATION_ERROR),
            (Operation::START, 0, Reason::OPERATION_ERROR),
            (Operation::START_WAIT, 0, Reason::OPERATION_ERROR),
            (Operation::SUSPEND, 0, Reason::OPERATION_NOT_ALLOWED),
            (Operation::RESUME, 0, Reason::OPERATION_NOT_ALLOWED),
            (Operation::STOP, 64, Reason::OPTIONS_ERROR),
        ] {
            assert_eq!(connection.control(operation, options), Err(reason), "{operation:?}");
        }
        assert_eq!(connection.control(Operation::STOP, 0), Ok(None), "stopped as it is");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_its_reason() {
    on_every("DEFINE QLOCAL(A)", || Refusals);
}

struct Started;

impl OnEvery for Started {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", INPUT);
        let (other, _) = crate::support::calls();
        register(&connection, handle, Description::consumer(telling(other)), GetFlags::SYNCPOINT);
        // Replaced by this one.
        register(&connection, handle, Description::consumer(telling(teller)), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        put(&mut putter, "A", "first");
        calls.expect_message("first");
        assert_eq!(connection.commit(), Err(Reason::HCONN_ASYNC_ACTIVE));
        assert_eq!(get(&mut connection, "A"), Err(Reason::HCONN_ASYNC_ACTIVE));
        assert_eq!(connection.control(Operation::START, 0), Err(Reason::HCONN_ASYNC_ACTIVE));
        assert_eq!(connection.control(Operation::START_WAIT, 0), Err(Reason::OPERATION_NOT_ALLOWED));
        let refused = connection.callback(
            Operation::SUSPEND,
            None,
            handle,
            &MessageDescriptor::default(),
            &GetOptions::default(),
        );
        assert_eq!(refused, Err(Reason::HCONN_ASYNC_ACTIVE));
        control(&connection, Operation::SUSPEND);
        put(&mut putter, "A", "second");
        calls.expect_none();
        assert_eq!(connection.commit(), Ok(()), "the connection is the program's while it is suspended");
        assert_eq!(connection.control(Operation::START, 0), Err(Reason::OPERATION_NOT_ALLOWED));
        control(&connection, Operation::RESUME);
        calls.expect_message("second");
        connection.disconnect().unwrap();
        assert_eq!(connection.commit(), Err(Reason::HCONN_ERROR));
    }
}

#[test]
fn a_started_connection_is_its_consumers_until_it_is_suspended_or_stopped() {
    on_every("DEFINE QLOCAL(A)", || Started);
}

struct Waits;

impl OnEvery for Waits {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        for body in ["one", "two", "stop"] {
            put(&mut putter, "A", body);
        }
        let handle = open_queue(&mut connection, "A", INPUT);
        let around = CallbackOptions::START_CALL.and(CallbackOptions::STOP_CALL);
        let stopping = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
            teller.send(told(&called)).unwrap();
            if called.message.is_some_and(|message| &message.body[..] == b"stop") {
                assert_eq!(connection.control(Operation::START_WAIT, 0), Err(Reason::ENVIRONMENT_ERROR));
                assert_eq!(connection.disconnect(), Err(Reason::CALL_IN_PROGRESS));
                connection.control(Operation::STOP, 0).unwrap();
            }
        };
        register(&connection, handle, Description::consumer(stopping).with(around), GetFlags::NO_SYNCPOINT);
        assert_eq!(connection.control(Operation::START_WAIT, 0), Ok(None));
        calls.expect_call(CallType::Start, None);
        for body in ["one", "two", "stop"] {
            calls.expect_message(body);
        }
        calls.expect_call(CallType::Stop, None);
        calls.expect_none();
        // A consumer that suspends itself leaves nobody to wait for.
        let suspending = move |connection: &mut dyn Consuming, _: callbacks::Called<'_>| {
            let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
            connection.callback(Operation::SUSPEND, None, handle, &descriptor, &options).unwrap();
        };
        register(&connection, handle, Description::consumer(suspending), GetFlags::NO_SYNCPOINT);
        put(&mut putter, "A", "three");
        assert_eq!(connection.control(Operation::START_WAIT, 0), Err(Reason::NO_CALLBACKS_ACTIVE));
        // One that suspends the connection gives it back to the program with a warning.
        let pausing = move |connection: &mut dyn Consuming, _: callbacks::Called<'_>| {
            connection.control(Operation::SUSPEND, 0).unwrap();
        };
        let resumed = Operation::REGISTER.and(Operation::RESUME);
        let options = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let descriptor = MessageDescriptor::default();
        let description = Some(Description::consumer(pausing));
        connection.callback(resumed, description, handle, &descriptor, &options).unwrap();
        put(&mut putter, "A", "four");
        assert_eq!(connection.control(Operation::START_WAIT, 0), Ok(Some(Reason::CONNECTION_SUSPENDED)));
        control(&connection, Operation::STOP);
    }
}

#[test]
fn a_start_that_waits_calls_consumers_until_that_ends() {
    on_every("DEFINE QLOCAL(A)", || Waits);
}

struct InUnit;

impl OnEvery for InUnit {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let mut putter = bench.embedded();
        put(&mut putter, "A", "first");
        let handle = open_queue(&mut connection, "A", INPUT);
        let options = &mut any(GetFlags::SYNCPOINT, Wait::No);
        connection.get(handle, &mut MessageDescriptor::default(), options, 100).unwrap();
        register(&connection, handle, Description::consumer(|_, _| {}), GetFlags::NO_SYNCPOINT);
        assert_eq!(connection.control(Operation::START, 0), Err(Reason::ASYNC_UOW_CONFLICT));
        connection.back().unwrap();
        control(&connection, Operation::START);
        control(&connection, Operation::STOP);
        // Stopped by a consumer that is told of the start.
        let stopping = |connection: &mut dyn Consuming, _: callbacks::Called<'_>| {
            connection.control(Operation::STOP, 0).unwrap();
        };
        let description = Description::consumer(stopping).with(CallbackOptions::START_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        assert_eq!(connection.control(Operation::START, 0), Err(Reason::CONNECTION_STOPPED));
    }
}

#[test]
fn a_start_wants_no_open_unit_of_work_and_may_be_stopped_at_once() {
    on_every("DEFINE QLOCAL(A)", || InUnit);
}

struct SuspendedFromWithin;

impl OnEvery for SuspendedFromWithin {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let handle = open_queue(&mut connection, "A", INPUT);
        let (teller, suspended) = std::sync::mpsc::channel();
        let consumer = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
            if called.message.is_some() {
                assert_eq!(inside.control(Operation::SUSPEND, 0), Ok(()));
                teller.send(()).unwrap();
                // It returns when the thread that was told has long begun to commit.
                std::thread::sleep(GLANCE);
            }
        };
        register(&connection, handle, Description::consumer(consumer), GetFlags::SYNCPOINT);
        control(&connection, Operation::START);
        put(&mut bench.embedded(), "A", "first");
        suspended.recv_timeout(PATIENCE).unwrap();
        assert_eq!(connection.commit(), Ok(()));
        control(&connection, Operation::RESUME);
        put(&mut bench.embedded(), "A", "second");
        suspended.recv_timeout(PATIENCE).unwrap();
        control(&connection, Operation::STOP);
    }
}

#[test]
fn a_thread_that_hears_from_a_consumer_of_suspended_calls_may_call_at_once() {
    on_every("DEFINE QLOCAL(A)", || SuspendedFromWithin);
}

struct NotReplaced;

impl OnEvery for NotReplaced {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let handle = open_queue(&mut connection, "A", INPUT);
        let ending = CallbackOptions::DEREGISTER_CALL;
        let (descriptor, usual) =
            (MessageDescriptor::default(), any(GetFlags::NO_SYNCPOINT, Wait::Unlimited));
        let consumer = || Description::consumer(telling(teller.clone())).with(ending);
        let other_options = || consumer().with(CallbackOptions(2));
        let browsing = any(GetFlags::BROWSE_NEXT, Wait::Unlimited);
        for (description, options, reason) in [
            (None, &usual, Reason::CBD_ERROR),
            (Some(other_options()), &usual, Reason::CBD_OPTIONS_ERROR),
            (Some(consumer()), &browsing, Reason::NOT_OPEN_FOR_BROWSE),
        ] {
            register(&connection, handle, consumer(), GetFlags::NO_SYNCPOINT);
            let refused = connection.callback(Operation::REGISTER, description, handle, &descriptor, options);
            assert_eq!(refused, Err(reason));
            calls.expect_call(CallType::Deregister, None);
            let refused = connection.callback(Operation::SUSPEND, None, handle, &descriptor, &usual);
            assert_eq!(refused, Err(Reason::CALLBACK_NOT_REGISTERED), "after {reason:?}");
        }
        put(&mut bench.embedded(), "A", "stays");
        assert_eq!(connection.control(Operation::START, 0), Err(Reason::OPERATION_ERROR));
        assert_eq!(get(&mut connection, "A"), Ok("stays".into()));
    }
}

#[test]
fn a_callback_that_cannot_be_replaced_is_registered_no_longer() {
    on_every("DEFINE QLOCAL(A)", || NotReplaced);
}

const TELLING_ALL: CallbackOptions = CallbackOptions(
    CallbackOptions::REGISTER_CALL.0
        | CallbackOptions::DEREGISTER_CALL.0
        | CallbackOptions::START_CALL.0
        | CallbackOptions::STOP_CALL.0,
);

struct ChangedFromWithin;

impl OnEvery for ChangedFromWithin {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let [handle, other] = [(); 2].map(|()| open_queue(&mut connection, "A", INPUT));
        let of_other = teller.clone();
        let changing = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
            let operation = match called.message.map(|message| &message.body[..]) {
                Some(b"register") => Operation::REGISTER.and(Operation::SUSPEND),
                Some(b"deregister") => Operation::DEREGISTER,
                _ => {
                    inside.close(other, mqi::CloseOptions::EMPTY).unwrap();
                    return;
                }
            };
            let consumer = Description::consumer(telling(of_other.clone())).with(TELLING_ALL);
            let (descriptor, options) =
                (MessageDescriptor::default(), any(GetFlags::NO_SYNCPOINT, Wait::Unlimited));
            inside.callback(operation, Some(consumer), other, &descriptor, &options).unwrap();
            // Told last, before it returns.
            teller.send(told(&called)).unwrap();
        };
        register(&connection, handle, Description::consumer(changing), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        let mut witness = bench.embedded();
        put(&mut witness, "A", "register");
        assert_eq!(calls.expect_call(CallType::Register, None).handle, other);
        calls.expect_message("register");
        assert_eq!(calls.expect_call(CallType::Start, None).handle, other);
        put(&mut witness, "A", "deregister");
        calls.expect_message("deregister");
        for call_type in [CallType::Stop, CallType::Deregister] {
            assert_eq!(calls.expect_call(call_type, None).handle, other);
        }
        put(&mut witness, "A", "register");
        calls.expect_call(CallType::Register, None);
        calls.expect_message("register");
        calls.expect_call(CallType::Start, None);
        put(&mut witness, "A", "close");
        for call_type in [CallType::Stop, CallType::Deregister] {
            assert_eq!(calls.expect_call(call_type, None).handle.0, mqi::constants::MQHO_UNUSABLE_HOBJ);
        }
        calls.expect_none();
        connection.disconnect().unwrap();
    }
}

#[test]
fn what_one_changes_from_within_another_is_told_of_when_that_has_returned() {
    on_every("DEFINE QLOCAL(A)", || ChangedFromWithin);
}

struct RegisteredAtStart;

impl OnEvery for RegisteredAtStart {
    fn run<V: Listen + Send + 'static>(self, _: &Bench, mut connection: Connection<V>) {
        let (teller, calls) = calls();
        let [handle, other] = [(); 2].map(|()| open_queue(&mut connection, "A", INPUT));
        let starting = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
            if called.context.call_type == CallType::Start {
                let consumer = Description::consumer(telling(teller.clone())).with(TELLING_ALL);
                let (descriptor, options) =
                    (MessageDescriptor::default(), any(GetFlags::NO_SYNCPOINT, Wait::Unlimited));
                inside.callback(Operation::REGISTER, Some(consumer), other, &descriptor, &options).unwrap();
            }
        };
        let consumer = Description::consumer(starting).with(CallbackOptions::START_CALL);
        register(&connection, handle, consumer, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        control(&connection, Operation::STOP);
        for call_type in [CallType::Register, CallType::Start, CallType::Stop] {
            assert_eq!(calls.expect_call(call_type, None).handle, other);
        }
        connection.disconnect().unwrap();
    }
}

#[test]
fn one_that_is_registered_at_the_start_of_another_is_told_of_the_start_once() {
    on_every("DEFINE QLOCAL(A)", || RegisteredAtStart);
}

struct StoppedWhileSuspended;

impl OnEvery for StoppedWhileSuspended {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, mut connection: Connection<V>) {
        for operation in [Operation::START, Operation::START_WAIT] {
            let (teller, calls) = calls();
            let handle = open_queue(&mut connection, "A", INPUT);
            let suspending = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
                if called.message.is_some() {
                    inside.control(Operation::SUSPEND, 0).unwrap();
                }
                teller.send(told(&called)).unwrap();
            };
            let description = Description::consumer(suspending).with(CallbackOptions::STOP_CALL);
            register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
            put(&mut bench.embedded(), "A", "first");
            let waits = operation == Operation::START_WAIT;
            let started = connection.control(operation, 0);
            assert_eq!(started, Ok(waits.then_some(Reason::CONNECTION_SUSPENDED)));
            calls.expect_message("first");
            control(&connection, Operation::STOP);
            calls.expect_call(CallType::Stop, None);
            control(&connection, Operation::STOP);
            calls.expect_none();
            connection.close(handle, mqi::CloseOptions::EMPTY).unwrap();
        }
        connection.disconnect().unwrap();
    }
}

#[test]
fn a_stop_is_told_of_where_calls_were_suspended() {
    on_every("DEFINE QLOCAL(A)", || StoppedWhileSuspended);
}
