//! Events that handlers are told while no consumers are called.

use std::time::Duration;

use callbacks::{
    CallType, CallbackOptions, Called, Connection, ConsumerState, Consuming, Description, Operation,
};
use client::Reconnect;
use mqi::constants::MQHO_NONE;
use mqi::{GetFlags, MessageDescriptor, ObjectHandle, OpenOptions, Reason, Verbs, Wait};

use crate::support::*;

const NONE: ObjectHandle = ObjectHandle(MQHO_NONE);

fn connected(bench: &Bench, reconnects: bool) -> Connection<client::Connection> {
    let address = bench.manager.server().address().unwrap().to_string().parse().unwrap();
    let options = client::Options::to(address).application("watched");
    let how = Reconnect {
        pause_min: Duration::from_millis(5),
        pause_max: Duration::from_millis(100),
        give_up_after: Duration::from_millis(200),
        ..Reconnect::default()
    };
    let options = if reconnects { options.reconnecting(how) } else { options };
    Connection::new(client::Connection::connect(options).unwrap())
}

/// Ends the connection that is watched.
fn end_it(bench: &Bench) {
    let mut administrator = bench.client(true);
    let shown = administrator.command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'watched') CONN").unwrap();
    let (_, identifier) = shown.rows[0].iter().find(|(name, _)| name == "CONN").unwrap().clone();
    let stopped = administrator.command(&format!("STOP CONN({identifier})")).unwrap();
    assert!(!stopped.failed, "{}", stopped.text);
}

#[test]
fn an_event_handler_is_told_of_breaks_within_calls_of_the_program_and_may_make_calls_itself() {
    let bench = Bench::new("DEFINE QLOCAL(A)");
    let mut connection = connected(&bench, true);
    let (teller, calls) = calls();
    let handler = move |inside: &mut dyn Consuming, called: Called<'_>| {
        inside.open(&queue("A"), OpenOptions::INQUIRE).unwrap();
        assert_eq!(inside.disconnect(), Err(Reason::CALL_IN_PROGRESS));
        assert_eq!(inside.control(Operation::START_WAIT, 0), Err(Reason::ENVIRONMENT_ERROR));
        teller.send(told(&called)).unwrap();
    };
    register(&connection, NONE, Description::event_handler(handler), GetFlags::EMPTY);
    for _ in 0..2 {
        end_it(&bench);
        open_queue(&mut connection, "A", OpenOptions::INQUIRE);
        for reason in [Reason::RECONNECTING, Reason::RECONNECTED] {
            let context = calls.expect_call(CallType::Event, Some(reason));
            assert_eq!((context.handle, context.state), (NONE, ConsumerState::None));
        }
    }
    calls.expect_none();
    connection.disconnect().unwrap();
}

#[test]
fn an_event_handler_is_told_of_a_break_within_a_call_that_goes_on_for_long() {
    let bench = Bench::new("DEFINE QLOCAL(A)");
    let mut connection = connected(&bench, true);
    let (teller, calls) = calls();
    register(&connection, NONE, Description::event_handler(telling(teller)), GetFlags::EMPTY);
    let handle = open_queue(&mut connection, "A", OpenOptions::INPUT_SHARED);
    let waits = std::thread::spawn(move || {
        let mut options = any(GetFlags::SYNCPOINT, Wait::Unlimited);
        connection.get(handle, &mut MessageDescriptor::default(), &mut options, 10).unwrap();
        connection.disconnect().unwrap();
    });
    // Longer than it takes until somebody looks whether the queue manager quiesces.
    std::thread::sleep(Duration::from_millis(1500));
    end_it(&bench);
    for reason in [Reason::RECONNECTING, Reason::RECONNECTED] {
        calls.expect_call(CallType::Event, Some(reason));
    }
    put(&mut bench.embedded(), "A", "x");
    waits.join().unwrap();
}

#[test]
fn an_event_handler_is_told_once_that_a_connection_cannot_be_used_any_more() {
    for (reconnects, expected) in [
        (false, &[Reason::CONNECTION_BROKEN][..]),
        (true, &[Reason::RECONNECTING, Reason::RECONNECT_FAILED][..]),
    ] {
        let bench = Bench::new("DEFINE QLOCAL(A)");
        let mut connection = connected(&bench, reconnects);
        let (teller, calls) = calls();
        let handler = Description::event_handler(telling(teller)).with(CallbackOptions::DEREGISTER_CALL);
        register(&connection, NONE, handler, GetFlags::EMPTY);
        bench.manager.server().stop(server::Mode::Preemptive);
        drop(bench);
        for _ in 0..2 {
            assert!(connection.open(&queue("A"), OpenOptions::INQUIRE).is_err());
        }
        for reason in expected {
            calls.expect_call(CallType::Event, Some(*reason));
        }
        calls.expect_none();
        connection.disconnect().unwrap();
        calls.expect_call(CallType::Deregister, None);
    }
}

#[test]
fn a_disconnect_waits_for_an_event_handler_that_is_being_told() {
    let bench = Bench::new("DEFINE QLOCAL(A)");
    let mut connection = connected(&bench, true);
    let (teller, calls) = calls();
    let slow = move |_: &mut dyn Consuming, called: Called<'_>| {
        std::thread::sleep(GLANCE);
        teller.send(told(&called)).unwrap();
    };
    let handler = Description::event_handler(slow).with(CallbackOptions::DEREGISTER_CALL);
    register(&connection, NONE, handler, GetFlags::EMPTY);
    end_it(&bench);
    open_queue(&mut connection, "A", OpenOptions::INQUIRE);
    connection.disconnect().unwrap();
    for reason in [Some(Reason::RECONNECTING), Some(Reason::RECONNECTED), None] {
        assert_eq!(calls.next().context.reason, reason);
    }
}
