//! Every order in which threads of a program can start, suspend, resume and stop the calling of consumers and
//! make calls of their own, in the memory model of the language, not of one machine. `cargo xtask test --only
//! models` runs them. Nothing here ends by itself: a thread that is not told waits for ever, and that
//! deadlock is reported.

mod listener;
mod orders;

use std::sync::Arc;

use platform::sync::explore;
use platform::sync::loom::thread::JoinHandle;

use super::*;
use crate::CallType;
use listener::{Listener, Queue};

/// A connection with a consumer that counts its messages, and stops with the last.
fn connection() -> (Arc<Queue>, Connection<Listener>) {
    let queue = Arc::<Queue>::default();
    let connection = Connection::new(Listener(Arc::clone(&queue)));
    let counts = Arc::clone(&queue);
    let description = Description::consumer(move |inside, called| {
        if called.context.call_type == CallType::MessageRemoved {
            counts.change(|messages| messages.taken += 1);
            if counts.is_last() {
                inside.control(Operation::STOP, 0).expect("it may");
            }
        }
    });
    let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
    let register = Operation::REGISTER;
    let registered = connection.callback(register, Some(description), ObjectHandle(1), &descriptor, &options);
    registered.expect("it is one");
    (queue, connection)
}

/// One thread that controls the connection.
fn controls(
    connection: &Connection<Listener>,
    operation: Operation,
) -> JoinHandle<Result<Option<Reason>, Reason>> {
    let connection = connection.clone();
    thread::spawn(move || connection.control(operation, 0))
}

fn control(connection: &Connection<Listener>, operation: Operation) {
    assert_eq!(connection.control(operation, 0), Ok(None), "{operation:?}");
}

#[test]
fn a_message_that_comes_at_any_moment_is_taken_before_a_stop_that_waits_for_it() {
    explore(|| {
        let (queue, connection) = connection();
        let putter = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || queue.change(|messages| messages.here += 1))
        };
        control(&connection, Operation::START);
        queue.wait(1);
        control(&connection, Operation::STOP);
        putter.join().expect("it ends");
        assert_eq!(connection.clone().disconnect(), Ok(()));
    });
}

#[test]
fn two_who_stop_both_hear_of_the_end() {
    explore(|| {
        let (_, connection) = connection();
        control(&connection, Operation::START);
        let other = controls(&connection, Operation::STOP);
        control(&connection, Operation::STOP);
        assert_eq!(other.join().expect("it ends"), Ok(None));
        // Nobody has the connection any more.
        assert_eq!(connection.clone().commit(), Err(listener::ANSWER));
    });
}

#[test]
fn who_suspends_hears_of_it_though_another_resumes() {
    explore(|| {
        let (_, connection) = connection();
        control(&connection, Operation::START);
        let other = controls(&connection, Operation::RESUME);
        control(&connection, Operation::SUSPEND);
        assert_eq!(other.join().expect("it ends"), Ok(None));
        control(&connection, Operation::STOP);
        assert_eq!(connection.clone().commit(), Err(listener::ANSWER));
    });
}

#[test]
fn a_start_does_not_begin_before_the_thread_that_was_stopped_has_ended() {
    explore(|| {
        let (_, connection) = connection();
        control(&connection, Operation::START);
        control(&connection, Operation::SUSPEND);
        let other = controls(&connection, Operation::START);
        control(&connection, Operation::STOP);
        let refused = [Reason::OPERATION_NOT_ALLOWED, Reason::HCONN_ASYNC_ACTIVE];
        match other.join().expect("it ends") {
            Ok(None) => control(&connection, Operation::STOP),
            Err(reason) if refused.contains(&reason) => {}
            started => panic!("{started:?}"),
        }
        assert_eq!(connection.clone().commit(), Err(listener::ANSWER));
    });
}

#[test]
fn a_stop_is_not_undone_by_a_start_that_is_refused() {
    explore(|| {
        let (queue, connection) = connection();
        control(&connection, Operation::START);
        let other = {
            let (queue, connection) = (Arc::clone(&queue), connection.clone());
            thread::spawn(move || {
                control(&connection, Operation::STOP);
                // Should the calls have begun again by now, it ends them.
                queue.change(|messages| (messages.here, messages.last) = (1, 1));
            })
        };
        let ended = connection.control(Operation::START_WAIT, 0);
        let refused = [Reason::OPERATION_NOT_ALLOWED, Reason::HCONN_ASYNC_ACTIVE];
        assert!(matches!(&ended, Ok(None)) || refused.map(Err).contains(&ended), "{ended:?}");
        other.join().expect("it ends");
        assert_eq!(connection.clone().commit(), Err(listener::ANSWER));
    });
}

#[test]
fn a_call_and_a_start_wait_for_each_other() {
    explore(|| {
        let (_, connection) = connection();
        let caller = {
            let mut connection = connection.clone();
            thread::spawn(move || connection.commit())
        };
        control(&connection, Operation::START);
        let called = caller.join().expect("it ends");
        assert!(called == Err(listener::ANSWER) || called == Err(Reason::HCONN_ASYNC_ACTIVE), "{called:?}");
        control(&connection, Operation::STOP);
    });
}

#[test]
fn a_call_while_suspended_and_the_resumption_wait_for_each_other() {
    explore(|| {
        let (queue, connection) = connection();
        control(&connection, Operation::START);
        control(&connection, Operation::SUSPEND);
        let caller = {
            let mut connection = connection.clone();
            thread::spawn(move || connection.commit())
        };
        control(&connection, Operation::RESUME);
        queue.change(|messages| messages.here += 1);
        queue.wait(1);
        let called = caller.join().expect("it ends");
        assert!(called == Err(listener::ANSWER) || called == Err(Reason::HCONN_ASYNC_ACTIVE), "{called:?}");
        control(&connection, Operation::STOP);
    });
}

/// The thread that calls consumers ends, or it would be waited for.
#[test]
fn the_last_to_go_ends_the_calls() {
    explore(|| {
        let (_, connection) = connection();
        control(&connection, Operation::START);
        let other = {
            let connection = connection.clone();
            thread::spawn(move || drop(connection))
        };
        drop(connection);
        other.join().expect("it ends");
    });
}

#[test]
fn a_call_begun_before_the_consumer_that_suspended_has_returned_waits_for_that() {
    explore(|| {
        let queue = Arc::<Queue>::default();
        let connection = Connection::new(Listener(Arc::clone(&queue)));
        let counts = Arc::clone(&queue);
        let description = Description::consumer(move |inside, called| {
            if called.context.call_type == CallType::MessageRemoved {
                inside.control(Operation::SUSPEND, 0).expect("it may");
                counts.change(|messages| messages.taken += 1);
            }
        });
        let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
        let register = Operation::REGISTER;
        let registered =
            connection.callback(register, Some(description), ObjectHandle(1), &descriptor, &options);
        registered.expect("it is one");
        queue.change(|messages| messages.here += 1);
        control(&connection, Operation::START);
        queue.wait(1);
        assert_eq!(connection.clone().commit(), Err(listener::ANSWER));
        control(&connection, Operation::STOP);
    });
}
