//! Calls of consumers, and their contexts.

use callbacks::{CallType, CallbackOptions, Connection, ConsumerState, Consuming, Description, Operation};
use mqi::{
    AttributeValue, CloseOptions, CompletionCode, GetFlags, GetOptions, Listen, MatchOptions,
    MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Reason, Selector,
    SubscribeOptions, SubscriptionDescriptor, Verbs, Wait, constants,
};

use crate::support::*;

const INPUT: OpenOptions = OpenOptions::INPUT_SHARED;
const BROWSE: OpenOptions = OpenOptions::BROWSE;

/// Makes a test of a body that is generic over the connection.
macro_rules! on_every {
    ($(#[$meta:meta])* $name:ident, $mqsc:expr, |$bench:ident, $connection:ident| $body:block) => {
        $(#[$meta])*
        #[test]
        fn $name() {
            struct Test;
            impl OnEvery for Test {
                fn run<V: Listen + Send + 'static>(self, $bench: &Bench, mut $connection: Connection<V>) $body
            }
            on_every($mqsc, || Test);
        }
    };
}

on_every!(
    messages_come_to_their_consumers_in_order,
    "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put(&mut putter, "A", "first");
        put_as(&mut putter, "A", "second", Persistence::Persistent);
        for name in ["A", "B"] {
            let handle = open_queue(&mut connection, name, INPUT);
            register(
                &connection,
                handle,
                Description::consumer(telling(teller.clone())),
                GetFlags::NO_SYNCPOINT,
            );
        }
        calls.expect_none();
        control(&connection, Operation::START);
        let context = calls.expect_message("first");
        assert_eq!((context.call_type, context.completion), (CallType::MessageRemoved, CompletionCode::Ok));
        calls.expect_message("second");
        put(&mut putter, "B", "third");
        calls.expect_message("third");
        put_as(&mut putter, "A", "fourth", Persistence::Persistent);
        calls.expect_message("fourth");
        control(&connection, Operation::STOP);
        put(&mut putter, "A", "fifth");
        calls.expect_none();
        assert_eq!(get(&mut putter, "A"), Ok("fifth".into()));
        assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE));
        connection.disconnect().unwrap();
    }
);

on_every!(consumers_take_turns, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)", |bench, connection| {
    let (teller, calls) = calls();
    let mut putter = bench.embedded();
    for number in 0..3 {
        put(&mut putter, "A", &format!("a{number}"));
        put(&mut putter, "B", &format!("b{number}"));
    }
    for name in ["A", "B"] {
        let handle = open_queue(&mut connection, name, INPUT);
        register(&connection, handle, Description::consumer(telling(teller.clone())), GetFlags::NO_SYNCPOINT);
    }
    control(&connection, Operation::START);
    let mut seen: Vec<String> =
        (0..6).map(|_| String::from_utf8(calls.next().body.unwrap().to_vec()).unwrap()).collect();
    let of = |queue: char, seen: &[String]| -> Vec<String> {
        seen.iter().filter(|body| body.starts_with(queue)).cloned().collect()
    };
    assert_eq!(of('a', &seen), ["a0", "a1", "a2"]);
    assert_eq!(of('b', &seen), ["b0", "b1", "b2"]);
    // Neither is served to its end before the other begins.
    seen.truncate(3);
    assert!(seen.iter().any(|body| body.starts_with('a')) && seen.iter().any(|body| body.starts_with('b')));
});

on_every!(
    a_consumer_commits_what_it_was_given_and_nothing_else,
    "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(OUT)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put_as(&mut putter, "A", "good", Persistence::Persistent);
        put_as(&mut putter, "A", "bad", Persistence::Persistent);
        put_as(&mut putter, "B", "untouched", Persistence::Persistent);
        let (a, b) = (open_queue(&mut connection, "A", INPUT), open_queue(&mut connection, "B", INPUT));
        let handling = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
            let message = called.message.unwrap();
            let is_good = &message.body[..] == b"good";
            if is_good {
                put(connection, "OUT", "done");
                connection.commit().unwrap();
            } else {
                connection.back().unwrap();
                connection.control(Operation::STOP, 0).unwrap();
            }
            teller.send(told(&called)).unwrap();
        };
        register(&connection, a, Description::consumer(handling), GetFlags::SYNCPOINT);
        // Never called before the other stops everything: what is on its queue is in no unit of work.
        let (other, _) = crate::support::calls();
        let options = any(GetFlags::SYNCPOINT, Wait::Unlimited);
        let suspended = Operation::REGISTER.and(Operation::SUSPEND);
        connection
            .callback(
                suspended,
                Some(Description::consumer(telling(other))),
                b,
                &MessageDescriptor::default(),
                &options,
            )
            .unwrap();
        control(&connection, Operation::START);
        calls.expect_message("good");
        calls.expect_message("bad");
        control(&connection, Operation::STOP);
        assert_eq!(get(&mut putter, "OUT"), Ok("done".into()));
        assert_eq!(get(&mut putter, "A"), Ok("bad".into()));
        assert_eq!(get(&mut putter, "B"), Ok("untouched".into()));
    }
);

on_every!(a_browser_is_shown_each_message_once_and_takes_none, "DEFINE QLOCAL(A)", |bench, connection| {
    let (teller, calls) = calls();
    let mut putter = bench.embedded();
    put(&mut putter, "A", "first");
    let handle = open_queue(&mut connection, "A", BROWSE);
    register(&connection, handle, Description::consumer(telling(teller)), GetFlags::BROWSE_NEXT);
    control(&connection, Operation::START);
    let context = calls.expect_message("first");
    assert_eq!(context.call_type, CallType::MessageNotRemoved);
    put(&mut putter, "A", "second");
    calls.expect_message("second");
    control(&connection, Operation::STOP);
    put(&mut putter, "A", "third");
    control(&connection, Operation::START);
    calls.expect_message("third");
    control(&connection, Operation::STOP);
    assert_eq!(get(&mut putter, "A"), Ok("first".into()));
});

on_every!(a_message_too_long_is_cut_if_that_is_accepted, "DEFINE QLOCAL(A)", |bench, connection| {
    let (teller, calls) = calls();
    let mut putter = bench.embedded();
    put(&mut putter, "A", "rather long");
    let handle = open_queue(&mut connection, "A", INPUT);
    let description = Description::consumer(telling(teller)).of_at_most(6);
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::ACCEPT_TRUNCATED_MSG;
    register(&connection, handle, description, flags);
    control(&connection, Operation::START);
    let context = calls.expect_message("rather");
    assert_eq!(context.completion, CompletionCode::Warning);
    assert_eq!(context.reason, Some(Reason::TRUNCATED_MSG_ACCEPTED));
    assert_eq!((context.data_length, context.buffer_length), (11, 6));
    control(&connection, Operation::STOP);
    assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE));
});

on_every!(
    a_message_too_long_suspends_its_consumer_until_it_is_resumed,
    "DEFINE QLOCAL(A)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put(&mut putter, "A", "rather long");
        let handle = open_queue(&mut connection, "A", INPUT);
        let description = Description::consumer(telling(teller)).of_at_most(6);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        let context = calls.expect_message("rather");
        assert_eq!(context.call_type, CallType::MessageNotRemoved);
        assert_eq!(context.reason, Some(Reason::TRUNCATED_MSG_FAILED));
        assert_eq!((context.data_length, context.buffer_length), (11, 6));
        assert_eq!(context.state, ConsumerState::SuspendedUserAction);
        put(&mut putter, "A", "short");
        calls.expect_none();
        assert_eq!(get(&mut putter, "A"), Ok("rather long".into()));
        control(&connection, Operation::SUSPEND);
        let options = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        connection
            .callback(Operation::RESUME, None, handle, &MessageDescriptor::default(), &options)
            .unwrap();
        control(&connection, Operation::RESUME);
        calls.expect_message("short");
        control(&connection, Operation::STOP);
    }
);

on_every!(
    a_message_too_long_is_removed_by_its_token_from_within_its_consumer,
    "DEFINE QLOCAL(A)",
    |bench, connection| {
        let mut putter = bench.embedded();
        let flags = [
            GetFlags::NO_SYNCPOINT,
            GetFlags::SYNCPOINT,
            GetFlags::BROWSE_NEXT,
            GetFlags::NO_SYNCPOINT | GetFlags::COMPLETE_MSG,
        ];
        for flags in flags {
            let (teller, told) = std::sync::mpsc::channel();
            for body in ["short", "rather long"] {
                put(&mut putter, "A", body);
            }
            let handle = open_queue(&mut connection, "A", INPUT | OpenOptions::BROWSE);
            let removing = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
                let Some(message) = called.message else { return };
                if called.context.call_type == CallType::MessageNotRemoved {
                    let mut options = GetOptions {
                        match_options: MatchOptions::MATCH_MSG_TOKEN,
                        message_token: message.options.message_token,
                        ..GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No)
                    };
                    let mut descriptor = MessageDescriptor::default();
                    let got = inside.get(handle, &mut descriptor, &mut options, 100).unwrap();
                    let is_same = descriptor.message_id == message.descriptor.message_id;
                    teller.send((got.body, message.options.returned_length, is_same)).unwrap();
                }
            };
            register(&connection, handle, Description::consumer(removing).of_at_most(6), flags);
            control(&connection, Operation::START);
            if flags == GetFlags::BROWSE_NEXT {
                assert_eq!(told.recv_timeout(PATIENCE).unwrap(), ("short".into(), 5, true));
            }
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), ("rather long".into(), 6, true), "{flags:?}");
            control(&connection, Operation::STOP);
            connection.commit().unwrap();
            connection.close(handle, CloseOptions::EMPTY).unwrap();
            assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE), "{flags:?}");
        }
        connection.disconnect().unwrap();
    }
);

on_every!(
    a_queue_that_is_inhibited_is_told_of_and_served_again,
    "DEFINE QLOCAL(A) GET(DISABLED)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", INPUT);
        let description = Description::consumer(telling(teller)).with(CallbackOptions::EVENT_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        let context = calls.expect_call(CallType::Event, Some(Reason::GET_INHIBITED));
        assert_eq!(context.state, ConsumerState::SuspendedTemporary);
        put(&mut putter, "A", "at last");
        bench.manager.command("ALTER QLOCAL(A) GET(ENABLED)").unwrap();
        calls.expect_call(CallType::Event, Some(Reason::GET_ENABLED));
        calls.expect_message("at last");
        control(&connection, Operation::STOP);
    }
);

on_every!(
    who_goes_when_its_queue_is_served_again_leaves_the_message_there,
    "DEFINE QLOCAL(A) GET(DISABLED)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", INPUT);
        let leaving = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
            if called.context.reason == Some(Reason::GET_ENABLED) {
                let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
                connection.callback(Operation::DEREGISTER, None, handle, &descriptor, &options).unwrap();
            }
            teller.send(told(&called)).unwrap();
        };
        let description = Description::consumer(leaving).with(CallbackOptions::EVENT_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        calls.expect_call(CallType::Event, Some(Reason::GET_INHIBITED));
        put(&mut putter, "A", "first");
        bench.manager.command("ALTER QLOCAL(A) GET(ENABLED)").unwrap();
        calls.expect_call(CallType::Event, Some(Reason::GET_ENABLED));
        calls.expect_none();
        control(&connection, Operation::STOP);
        assert_eq!(get(&mut putter, "A"), Ok("first".into()));
    }
);

on_every!(
    what_was_read_ahead_comes_once_and_in_order_also_when_gets_are_inhibited_meanwhile,
    "DEFINE QLOCAL(A)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", INPUT | OpenOptions::READ_AHEAD);
        let flags = GetFlags::NO_SYNCPOINT;
        register(&connection, handle, Description::consumer(telling(teller)), flags);
        for number in 0..40 {
            put(&mut putter, "A", &number.to_string());
        }
        control(&connection, Operation::START);
        calls.expect_message("0");
        bench.manager.command("ALTER QLOCAL(A) GET(DISABLED)").unwrap();
        for number in 40..60 {
            put(&mut putter, "A", &number.to_string());
        }
        std::thread::sleep(3 * GLANCE);
        bench.manager.command("ALTER QLOCAL(A) GET(ENABLED)").unwrap();
        for number in 1..60 {
            calls.expect_message(&number.to_string());
        }
        calls.expect_none();
        control(&connection, Operation::STOP);
    }
);

on_every!(
    a_browser_is_shown_what_came_before_its_connection_was_suspended,
    "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let browsed = open_queue(&mut connection, "B", OpenOptions::BROWSE);
        register(&connection, browsed, Description::consumer(telling(teller.clone())), GetFlags::BROWSE_NEXT);
        let handle = open_queue(&mut connection, "A", INPUT);
        let mut arriving = bench.embedded();
        let suspending = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
            put(&mut arriving, "B", "shown");
            std::thread::sleep(GLANCE);
            connection.control(Operation::SUSPEND, 0).unwrap();
            teller.send(told(&called)).unwrap();
        };
        register(&connection, handle, Description::consumer(suspending), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        std::thread::sleep(GLANCE);
        put(&mut putter, "A", "first");
        calls.expect_message("first");
        calls.expect_none();
        control(&connection, Operation::SUSPEND);
        control(&connection, Operation::RESUME);
        calls.expect_message("shown");
        control(&connection, Operation::STOP);
    }
);

on_every!(
    a_consumer_hears_when_nothing_has_come_for_as_long_as_it_waits,
    "DEFINE QLOCAL(A)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let handle = open_queue(&mut connection, "A", INPUT);
        let description = Description::consumer(telling(teller));
        let options = any(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(50));
        let descriptor = MessageDescriptor::default();
        connection.callback(Operation::REGISTER, Some(description), handle, &descriptor, &options).unwrap();
        control(&connection, Operation::START);
        calls.expect_call(CallType::Event, Some(Reason::NO_MSG_AVAILABLE));
        calls.expect_call(CallType::Event, Some(Reason::NO_MSG_AVAILABLE));
        put(&mut putter, "A", "here");
        let mut told = calls.next();
        while told.body.is_none() {
            told = calls.next();
        }
        assert_eq!(&told.body.unwrap()[..], b"here");
        control(&connection, Operation::STOP);
    }
);

on_every!(the_end_of_the_queue_manager_is_an_event, "DEFINE QLOCAL(A)", |bench, connection| {
    let (teller, calls) = calls();
    let handle = open_queue(&mut connection, "A", INPUT);
    let (of_consumer, stops) = crate::support::calls();
    let consumer = Description::consumer(telling(of_consumer)).with(CallbackOptions::STOP_CALL);
    register(&connection, handle, consumer, GetFlags::NO_SYNCPOINT);
    let none = mqi::ObjectHandle(constants::MQHO_NONE);
    register(&connection, none, Description::event_handler(telling(teller)), GetFlags::EMPTY);
    control(&connection, Operation::START);
    bench.manager.server().stop(server::Mode::Immediate);
    let told = calls.next();
    assert_eq!(told.context.call_type, CallType::Event);
    let reasons = [Reason::Q_MGR_STOPPING, Reason::CONNECTION_BROKEN, Reason::CONNECTION_STOPPING];
    assert!(reasons.contains(&told.context.reason.unwrap()), "{told:?}");
    assert_eq!(told.context.state, ConsumerState::Stopped);
    let stop = stops.expect_call(CallType::Stop, told.context.reason);
    assert_eq!((stop.completion, stop.state), (CompletionCode::Failed, ConsumerState::Stopped));
    control(&connection, Operation::STOP);
});

on_every!(
    a_managed_queue_is_inquired_and_consumed_through_its_handle,
    "DEFINE TOPIC(T) TOPICSTR('t')",
    |bench, connection| {
        let (teller, calls) = calls();
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let made = connection.subscribe(&SubscriptionDescriptor::to("t", options), None).unwrap();
        let queue = made.queue.unwrap();
        let inquired = connection.inquire(queue, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]);
        assert_eq!(inquired.unwrap().values, [AttributeValue::Integer(0)]);
        register(&connection, queue, Description::consumer(telling(teller)), GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        let (mut descriptor, mut options) =
            (MessageDescriptor::default(), PutOptions::with(PutFlags::NO_SYNCPOINT));
        let topic = ObjectDescriptor::topic("t");
        bench.embedded().put1(&topic, &mut descriptor, &mut options, "published".into()).unwrap();
        calls.expect_message("published");
        control(&connection, Operation::STOP);
    }
);

on_every!(closing_the_handle_ends_its_consumer, "DEFINE QLOCAL(A)", |bench, connection| {
    let (teller, calls) = calls();
    let mut putter = bench.embedded();
    let handle = open_queue(&mut connection, "A", INPUT);
    let ending = CallbackOptions::DEREGISTER_CALL.and(CallbackOptions::REGISTER_CALL);
    let closing = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
        teller.send(told(&called)).unwrap();
        if called.message.is_some() {
            connection.close(handle, CloseOptions::EMPTY).unwrap();
        }
    };
    register(&connection, handle, Description::consumer(closing).with(ending), GetFlags::NO_SYNCPOINT);
    calls.expect_call(CallType::Register, None);
    put(&mut putter, "A", "first");
    put(&mut putter, "A", "second");
    control(&connection, Operation::START);
    calls.expect_message("first");
    let context = calls.expect_call(CallType::Deregister, None);
    assert_eq!(context.handle.0, constants::MQHO_UNUSABLE_HOBJ);
    control(&connection, Operation::STOP);
    assert_eq!(get(&mut putter, "A"), Ok("second".into()));
});

on_every!(
    only_persistent_messages_are_in_the_unit_of_work_if_that_is_asked_for,
    "DEFINE QLOCAL(A)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put(&mut putter, "A", "may go");
        put_as(&mut putter, "A", "may not", Persistence::Persistent);
        let handle = open_queue(&mut connection, "A", INPUT);
        let flags = GetFlags::SYNCPOINT_IF_PERSISTENT;
        register(&connection, handle, Description::consumer(telling(teller)), flags);
        control(&connection, Operation::START);
        calls.expect_message("may go");
        calls.expect_message("may not");
        control(&connection, Operation::STOP);
        connection.back().unwrap();
        assert_eq!(get(&mut putter, "A"), Ok("may not".into()));
        assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE));
    }
);

on_every!(
    a_consumer_of_one_message_is_suspended_when_that_is_gone,
    "DEFINE QLOCAL(A)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put(&mut putter, "A", "first");
        put(&mut putter, "A", "second");
        let handle = open_queue(&mut connection, "A", INPUT | BROWSE);
        let mut options = any(GetFlags::BROWSE_NEXT, Wait::No);
        for _ in 0..2 {
            connection.get(handle, &mut MessageDescriptor::default(), &mut options, 100).unwrap();
        }
        options.flags = GetFlags::NO_SYNCPOINT;
        options.match_options = MatchOptions::MATCH_MSG_TOKEN;
        let description = Description::consumer(telling(teller)).with(CallbackOptions::EVENT_CALL);
        let descriptor = MessageDescriptor::default();
        connection.callback(Operation::REGISTER, Some(description), handle, &descriptor, &options).unwrap();
        control(&connection, Operation::START);
        calls.expect_message("second");
        let context = calls.expect_call(CallType::Event, Some(Reason::MSG_TOKEN_ERROR));
        assert_eq!(context.state, ConsumerState::Suspended);
        control(&connection, Operation::STOP);
        assert_eq!(get(&mut putter, "A"), Ok("first".into()));
    }
);

on_every!(what_comes_ahead_comes_once_and_in_order, "DEFINE QLOCAL(A)", |bench, connection| {
    let (teller, calls) = calls();
    let mut putter = bench.embedded();
    for number in 0..200 {
        let persistence = if number % 3 == 0 { Persistence::Persistent } else { Persistence::NotPersistent };
        put_as(&mut putter, "A", &number.to_string(), persistence);
    }
    let handle = open_queue(&mut connection, "A", INPUT | OpenOptions::READ_AHEAD);
    let committing = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
        connection.commit().unwrap();
        teller.send(told(&called)).unwrap();
    };
    register(&connection, handle, Description::consumer(committing), GetFlags::SYNCPOINT);
    control(&connection, Operation::START);
    for number in 0..100 {
        calls.expect_message(&number.to_string());
    }
    control(&connection, Operation::SUSPEND);
    control(&connection, Operation::RESUME);
    for number in 100..200 {
        calls.expect_message(&number.to_string());
    }
    control(&connection, Operation::STOP);
    assert_eq!(get(&mut putter, "A"), Err(Reason::NO_MSG_AVAILABLE));
});

on_every!(a_consumer_that_panics_takes_its_connection_with_it, "DEFINE QLOCAL(A)", |bench, connection| {
    let mut putter = bench.embedded();
    let handle = open_queue(&mut connection, "A", INPUT);
    let panicking = |_: &mut dyn Consuming, _: callbacks::Called<'_>| {
        std::panic::resume_unwind(Box::new("a consumer that panics"));
    };
    register(&connection, handle, Description::consumer(panicking), GetFlags::SYNCPOINT);
    put(&mut putter, "A", "first");
    control(&connection, Operation::START);
    let refused = (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        connection.commit().err().filter(|reason| *reason != Reason::HCONN_ASYNC_ACTIVE)
    });
    assert_eq!(refused, Some(Reason::HCONN_ERROR));
    assert_eq!(connection.control(Operation::STOP, 0), Ok(None));
    // What it had in its unit of work is back.
    let got = (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        get(&mut putter, "A").ok()
    });
    assert_eq!(got.as_deref(), Some("first"));
});

on_every!(
    what_comes_ahead_outside_the_unit_of_work_beside_what_is_in_it_comes_once,
    "DEFINE QLOCAL(A) MSGDLVSQ(FIFO)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put_as(&mut putter, "A", "kept", Persistence::Persistent);
        for number in 0..20 {
            put(&mut putter, "A", &number.to_string());
        }
        let handle = open_queue(&mut connection, "A", INPUT | OpenOptions::READ_AHEAD);
        let mut is_first = true;
        let backing_out = move |connection: &mut dyn Consuming, called: callbacks::Called<'_>| {
            if std::mem::take(&mut is_first) {
                // What comes ahead is here by then.
                std::thread::sleep(GLANCE);
                connection.back().unwrap();
            }
            teller.send(told(&called)).unwrap();
        };
        let flags = GetFlags::SYNCPOINT_IF_PERSISTENT;
        register(&connection, handle, Description::consumer(backing_out), flags);
        control(&connection, Operation::START);
        calls.expect_message("kept");
        let mut bodies: Vec<_> = (0..21).map(|_| calls.next().body.unwrap()).collect();
        calls.expect_none();
        bodies.retain(|body| &body[..] != b"kept");
        let expected: Vec<_> = (0..20).map(|number| number.to_string()).collect();
        assert_eq!(bodies, expected);
        control(&connection, Operation::STOP);
    }
);

on_every!(the_time_a_consumer_was_stopped_is_none_it_has_waited, "DEFINE QLOCAL(A)", |bench, connection| {
    let (teller, calls) = calls();
    let mut putter = bench.embedded();
    let handle = open_queue(&mut connection, "A", INPUT);
    let options = any(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(200));
    let descriptor = MessageDescriptor::default();
    let description = Some(Description::consumer(telling(teller)));
    connection.callback(Operation::REGISTER, description, handle, &descriptor, &options).unwrap();
    control(&connection, Operation::START);
    for (pause, go_on) in [(Operation::SUSPEND, Operation::RESUME), (Operation::STOP, Operation::START)] {
        std::thread::sleep(GLANCE);
        control(&connection, pause);
        std::thread::sleep(2 * GLANCE);
        put(&mut putter, "A", "meanwhile");
        control(&connection, go_on);
        calls.expect_message("meanwhile");
    }
    control(&connection, Operation::STOP);
});

on_every!(
    a_consumer_hears_that_nothing_has_come_however_much_comes_for_others,
    "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        let busy = open_queue(&mut connection, "A", INPUT);
        let again = |connection: &mut dyn Consuming, _: callbacks::Called<'_>| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            put(connection, "A", "again");
        };
        register(&connection, busy, Description::consumer(again), GetFlags::NO_SYNCPOINT);
        let silent = open_queue(&mut connection, "B", INPUT);
        let options = any(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(50));
        let descriptor = MessageDescriptor::default();
        let description = Some(Description::consumer(telling(teller)));
        connection.callback(Operation::REGISTER, description, silent, &descriptor, &options).unwrap();
        for _ in 0..3 {
            put(&mut putter, "A", "first");
        }
        control(&connection, Operation::START);
        calls.expect_call(CallType::Event, Some(Reason::NO_MSG_AVAILABLE));
        calls.expect_call(CallType::Event, Some(Reason::NO_MSG_AVAILABLE));
        control(&connection, Operation::STOP);
    }
);

on_every!(
    starts_and_stops_are_told_to_consumers_and_the_end_of_the_connection_to_all,
    "DEFINE QLOCAL(A)",
    |_bench, connection| {
        let (of_consumer, consumer) = calls();
        let (of_events, events) = calls();
        let each = CallbackOptions::REGISTER_CALL
            .and(CallbackOptions::START_CALL)
            .and(CallbackOptions::STOP_CALL)
            .and(CallbackOptions::DEREGISTER_CALL);
        let handle = open_queue(&mut connection, "A", INPUT);
        let none = mqi::ObjectHandle(constants::MQHO_NONE);
        let handler = Description::event_handler(telling(of_events)).with(each);
        register(&connection, none, handler, GetFlags::EMPTY);
        let description = Description::consumer(telling(of_consumer)).with(each);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        connection.disconnect().unwrap();
        for call_type in [CallType::Register, CallType::Start, CallType::Stop, CallType::Deregister] {
            consumer.expect_call(call_type, None);
        }
        for call_type in [CallType::Register, CallType::Deregister] {
            events.expect_call(call_type, None);
        }
        consumer.expect_none();
        events.expect_none();
    }
);

on_every!(
    a_consumer_of_a_start_is_told_of_its_stop_also_where_it_ends_while_calls_are_suspended,
    "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)",
    |_bench, connection| {
        let each = CallbackOptions::REGISTER_CALL
            .and(CallbackOptions::START_CALL)
            .and(CallbackOptions::STOP_CALL)
            .and(CallbackOptions::DEREGISTER_CALL);
        let (of_started, started) = calls();
        let (of_late, late) = calls();
        let (of_closed, closed) = calls();
        let one = open_queue(&mut connection, "A", INPUT);
        let other = open_queue(&mut connection, "B", INPUT);
        let third = open_queue(&mut connection, "B", INPUT);
        register(
            &connection,
            one,
            Description::consumer(telling(of_started)).with(each),
            GetFlags::NO_SYNCPOINT,
        );
        register(
            &connection,
            third,
            Description::consumer(telling(of_closed)).with(each),
            GetFlags::NO_SYNCPOINT,
        );
        control(&connection, Operation::START);
        control(&connection, Operation::SUSPEND);
        // Registered while none is called, it hears of no start.
        register(
            &connection,
            other,
            Description::consumer(telling(of_late)).with(each),
            GetFlags::NO_SYNCPOINT,
        );
        let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
        for handle in [one, other] {
            connection.callback(Operation::DEREGISTER, None, handle, &descriptor, &options).unwrap();
        }
        connection.close(third, CloseOptions::EMPTY).unwrap();
        for calls in [&started, &closed] {
            for call_type in [CallType::Register, CallType::Start, CallType::Stop, CallType::Deregister] {
                calls.expect_call(call_type, None);
            }
            calls.expect_none();
        }
        for call_type in [CallType::Register, CallType::Deregister] {
            late.expect_call(call_type, None);
        }
        late.expect_none();
    }
);

on_every!(
    who_closes_its_handle_is_told_so_also_when_another_has_its_number_by_then,
    "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)",
    |bench, connection| {
        let (teller, calls) = calls();
        let mut putter = bench.embedded();
        put(&mut putter, "A", "first");
        put(&mut putter, "B", "second");
        let handle = open_queue(&mut connection, "A", INPUT);
        let of_other = teller.clone();
        let exchanging = move |inside: &mut dyn Consuming, called: callbacks::Called<'_>| {
            teller.send(told(&called)).unwrap();
            if called.message.is_none() {
                return;
            }
            inside.close(handle, CloseOptions::EMPTY).unwrap();
            let mut other = open_queue(inside, "B", INPUT);
            // A client gives the number again when it has come round.
            for _ in 0..300 {
                if other != handle {
                    inside.close(other, CloseOptions::EMPTY).unwrap();
                    other = open_queue(inside, "B", INPUT);
                }
            }
            let description = Some(Description::consumer(telling(of_other.clone())));
            let options = any(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
            let descriptor = MessageDescriptor::default();
            inside.callback(Operation::REGISTER, description, other, &descriptor, &options).unwrap();
        };
        let description = Description::consumer(exchanging).with(CallbackOptions::DEREGISTER_CALL);
        register(&connection, handle, description, GetFlags::NO_SYNCPOINT);
        control(&connection, Operation::START);
        calls.expect_message("first");
        calls.expect_call(CallType::Deregister, None);
        calls.expect_message("second");
        control(&connection, Operation::STOP);
    }
);
