//! When the connection breaks, the program goes on, and is told what became of its work.

use crate::place::{BOTH, Place, SOON, get, open, persistent, put, reconnecting_to, within_time};
use crate::proxy::Proxy;
use bytes::Bytes;
use client::{Connection, ReadAhead, Reconnect};
use mqi::{
    CloseOptions, GetFlags, GetOptions, Getter, Listen, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    ObjectType, OpenOptions, PutFlags, PutOptions, Reason, StatusType, SubscribeOptions,
    SubscriptionDescriptor, Verbs, Wait,
};
use std::time::{Duration, Instant};

#[test]
fn handles_outlive_the_connection() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    // So that the numbers of the queue manager and of the program differ after the reconnect.
    let first = open(&mut connection, "B", BOTH);
    let handle = open(&mut connection, "A", BOTH);
    connection.close(first, CloseOptions::EMPTY).unwrap();
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "before").unwrap();
    proxy.cut();
    let again = put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "unknown");
    assert!(matches!(again, Ok(()) | Err(Reason::CALL_INTERRUPTED)));
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "after").unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("before"));
}

#[test]
fn who_reconnects_neither_puts_nor_gets_in_logical_order() {
    let place = Place::new();
    let mut connection = Connection::connect(reconnecting_to(place.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    for asynchronous in [PutFlags::EMPTY, PutFlags::ASYNC_RESPONSE] {
        let refused = put(&mut connection, handle, PutFlags::LOGICAL_ORDER | asynchronous, "x");
        assert_eq!(refused, Err(Reason::RECONNECT_INCOMPATIBLE));
    }
    let refused = get(&mut connection, handle, GetFlags::LOGICAL_ORDER, Wait::No);
    assert_eq!(refused, Err(Reason::RECONNECT_INCOMPATIBLE));
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "x").unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::ALL_MSGS_AVAILABLE, Wait::No).as_deref(), Ok("x"));
}

#[test]
fn a_unit_of_work_that_was_lost_is_told_by_its_next_call() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    for end in 0..3 {
        put(&mut connection, handle, PutFlags::SYNCPOINT, "lost").unwrap();
        proxy.cut();
        match end {
            0 => {
                let next = put(&mut connection, handle, PutFlags::SYNCPOINT, "lost too");
                assert_eq!(next, Err(Reason::BACKED_OUT));
                assert_eq!(connection.commit(), Err(Reason::BACKED_OUT));
            }
            1 => {
                let next = get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::No);
                assert_eq!(next, Err(Reason::BACKED_OUT));
                connection.back().unwrap();
            }
            _ => {
                let answer = connection.commit();
                // Whether the commit was sent before the cut was seen decides what can be known.
                assert!(matches!(answer, Err(Reason::BACKED_OUT | Reason::CALL_INTERRUPTED)), "{answer:?}");
            }
        }
        put(&mut connection, handle, PutFlags::SYNCPOINT, "kept").unwrap();
        connection.commit().unwrap();
    }
    drop(connection);
    assert_eq!(place.drain("A"), ["kept", "kept", "kept"]);
}

#[test]
fn a_commit_whose_answer_was_lost_is_resolved() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, PutFlags::SYNCPOINT, "first").unwrap();
    connection.commit().unwrap();
    for (is_executed, expected) in [(true, Ok(())), (false, Err(Reason::BACKED_OUT))] {
        put(&mut connection, handle, PutFlags::SYNCPOINT, format!("{is_executed}")).unwrap();
        if is_executed {
            proxy.swallow_answers();
        } else {
            proxy.withhold_requests();
        }
        let committing = std::thread::spawn(move || {
            let answer = connection.commit();
            (connection, answer)
        });
        proxy.wait_until_held();
        proxy.cut();
        let (returned, answer) = within_time(move || committing.join().unwrap());
        assert_eq!(answer, expected);
        connection = returned;
    }
    put(&mut connection, handle, PutFlags::SYNCPOINT, "last").unwrap();
    connection.commit().unwrap();
    drop(connection);
    assert_eq!(place.drain("A"), ["first", "true", "last"]);
}

#[test]
fn a_unit_of_work_does_not_pass_for_an_empty_one_whose_answer_was_lost() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    proxy.swallow_answers();
    let committing = std::thread::spawn(move || {
        let answer = connection.commit();
        (connection, answer)
    });
    proxy.wait_until_held();
    proxy.cut();
    let (mut connection, answer) = within_time(move || committing.join().unwrap());
    assert_eq!(answer, Ok(()), "there was nothing in it");
    put(&mut connection, handle, PutFlags::SYNCPOINT, "lost").unwrap();
    proxy.cut();
    assert_eq!(connection.commit(), Err(Reason::BACKED_OUT));
    put(&mut connection, handle, PutFlags::SYNCPOINT, "kept").unwrap();
    connection.commit().unwrap();
    drop(connection);
    assert_eq!(place.drain("A"), ["kept"]);
}

#[test]
fn one_that_is_not_let_in_again_leaves_its_neighbours_their_link() {
    let place = Place::with("[limits]\nconnections_max = 8\n");
    let proxy = Proxy::to(place.port());
    let channel = client::Channel::connect(reconnecting_to(proxy.port())).unwrap();
    let [mut one, mut other] = [(); 2].map(|()| channel.conversation().unwrap());
    let handle = open(&mut one, "A", BOTH);
    let others = open(&mut other, "B", BOTH);
    proxy.cut();
    // While they are away others take all places, and give one back.
    let strangers = place.channel();
    let mut taken = Vec::new();
    let until = Instant::now() + Duration::from_millis(500);
    within_time(move || {
        while Instant::now() < until {
            taken.extend(strangers.conversation().ok());
        }
        taken.pop().unwrap().disconnect().unwrap();
        let first = get(&mut one, handle, GetFlags::NO_SYNCPOINT, Wait::No);
        assert!(matches!(first, Err(Reason::NO_MSG_AVAILABLE | Reason::CONNECTION_BROKEN)), "{first:?}");
        put(&mut one, handle, PutFlags::SYNCPOINT, "kept").unwrap();
        let refused = get(&mut other, others, GetFlags::NO_SYNCPOINT, Wait::No);
        assert_eq!(refused, Err(Reason::RECONNECT_FAILED));
        assert_eq!(one.commit(), Ok(()));
        taken.pop().unwrap().disconnect().unwrap();
        put(&mut other, others, PutFlags::NO_SYNCPOINT, "let in").unwrap();
    });
}

#[test]
fn a_handle_whose_queue_is_taken_meanwhile_is_told_so_until_it_is_free() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let exclusive = OpenOptions::INPUT_EXCLUSIVE;
    let [taken, closed] = ["A", "B"].map(|queue| open(&mut connection, queue, exclusive));
    proxy.cut();
    let mut other = place.connect();
    // The queue manager has yet to notice.
    let take = |queue: &str, other: &mut Connection| {
        let object = ObjectDescriptor::queue(queue.parse().unwrap());
        (0..100_000).find_map(|_| other.open(&object, exclusive).ok()).unwrap().handle
    };
    let [held, _held] = ["A", "B"].map(|queue| take(queue, &mut other));
    let get_next = |connection: &mut Connection| get(connection, taken, GetFlags::NO_SYNCPOINT, Wait::No);
    // The call that finds the link broken may be answered so.
    let told = std::iter::from_fn(|| Some(get_next(&mut connection)));
    let told = told.take(3).find(|told| *told != Err(Reason::CONNECTION_BROKEN));
    assert_eq!(told, Some(Err(Reason::OBJECT_IN_USE)));
    assert_eq!(get_next(&mut connection), Err(Reason::OBJECT_IN_USE), "still");
    assert_eq!(connection.close(closed, CloseOptions::EMPTY), Ok(None), "nothing is left of it");
    assert_eq!(connection.close(closed, CloseOptions::EMPTY), Err(Reason::HOBJ_ERROR));
    other.close(held, CloseOptions::EMPTY).unwrap();
    assert_eq!(get_next(&mut connection), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_model_queue_whose_opening_is_not_answered_makes_one_queue() {
    let place = Place::new();
    let mut administrator = place.connect();
    let lost = Err(Reason::CONNECTION_BROKEN);
    for (kind, dynamic, expected) in
        [("PERMDYN", "MADE.*", lost), ("PERMDYN", "MADE.ONE", lost), ("TEMPDYN", "MADE.*", Ok(()))]
    {
        let defined =
            administrator.command(&format!("DEFINE QMODEL(MODEL) DEFTYPE({kind}) REPLACE")).unwrap();
        assert!(!defined.failed, "{}", defined.text);
        let proxy = Proxy::to(place.port());
        let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
        let model = ObjectDescriptor {
            dynamic_queue_name: mqi::Text::truncated(dynamic),
            ..ObjectDescriptor::queue("MODEL".parse().unwrap())
        };
        proxy.swallow_answers();
        let opening = std::thread::spawn(move || {
            let opened = connection.open(&model, BOTH).map(drop);
            (connection, opened)
        });
        proxy.wait_until_held();
        proxy.cut();
        let (_connection, opened) = within_time(move || opening.join().unwrap());
        assert_eq!(opened, expected, "{kind} {dynamic}");
        let shown = administrator.command("DISPLAY QLOCAL(MADE.*)").unwrap();
        assert_eq!(shown.rows.len(), 1, "{kind} {dynamic}: {}", shown.text);
        let name = &shown.rows[0].iter().find(|(name, _)| name == "QUEUE").unwrap().1;
        if kind == "PERMDYN" {
            administrator.command(&format!("DELETE QLOCAL({name})")).unwrap();
        }
    }
}

#[test]
fn a_put_whose_outcome_is_not_known_is_answered_so() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    proxy.swallow_answers();
    let putting = std::thread::spawn(move || {
        let answer = put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "once");
        (connection, answer)
    });
    proxy.wait_until_held();
    proxy.cut();
    let (mut connection, answer) = within_time(move || putting.join().unwrap());
    assert_eq!(answer, Err(Reason::CALL_INTERRUPTED));
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("once"));
}

#[test]
fn puts_without_a_reply_that_may_be_lost_are_told_by_status() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    proxy.withhold_requests();
    for _ in 0..3 {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        connection.put_async(handle, &persistent(), &options, "x".into()).unwrap();
    }
    connection.flush().unwrap();
    proxy.wait_until_held();
    proxy.cut();
    let status = within_time(move || connection.status()).unwrap();
    assert_eq!((status.puts, status.failures, status.reason), (0, 3, Some(Reason::CONNECTION_BROKEN)));
    assert_eq!(status.object.object_type, Some(ObjectType::Queue));
    assert_eq!(status.object.object_name, "A");
}

#[test]
fn the_first_of_the_puts_without_a_reply_that_may_be_lost_is_the_one_that_is_named() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    connection.put_async(handle, &persistent(), &options, "known".into()).unwrap();
    assert_eq!(connection.status().unwrap().puts, 1);
    proxy.withhold_requests();
    let by_name = ObjectDescriptor::queue("B".parse().unwrap());
    let mut asynchronous = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::ASYNC_RESPONSE);
    connection.put1(&by_name, &mut persistent(), &mut asynchronous, "x".into()).unwrap();
    connection.put_async(handle, &persistent(), &options, "x".into()).unwrap();
    connection.flush().unwrap();
    proxy.wait_until_held();
    proxy.cut();
    let status = within_time(move || connection.status()).unwrap();
    assert_eq!(status.failures, 2);
    assert_eq!(status.object.object_name, "B");
}

#[test]
fn a_waiting_getter_waits_on_at_the_next_start_of_the_queue_manager() {
    let mut place = Place::new();
    let mut connection = Connection::connect(reconnecting_to(place.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    let mut ahead = Connection::connect(reconnecting_to(place.port())).unwrap();
    let other = open(&mut ahead, "B", BOTH);
    ahead.read_ahead(other, ReadAhead::default()).unwrap();
    let waiters = [
        std::thread::spawn(move || get(&mut connection, handle, GetFlags::SYNCPOINT, Wait::Unlimited)),
        std::thread::spawn(move || get(&mut ahead, other, GetFlags::SYNCPOINT, Wait::Unlimited)),
    ];
    std::thread::sleep(Duration::from_millis(100));
    place.stop();
    std::thread::sleep(Duration::from_millis(100));
    place.start();
    let mut putter = place.connect();
    for queue in ["A", "B"] {
        let handle = open(&mut putter, queue, OpenOptions::OUTPUT);
        put(&mut putter, handle, PutFlags::NO_SYNCPOINT, queue).unwrap();
    }
    let got = within_time(move || waiters.map(|waiter| waiter.join().unwrap()));
    assert_eq!(got, [Ok("A".to_owned()), Ok("B".to_owned())]);
}

#[test]
fn read_ahead_goes_on_over_a_new_connection_and_nothing_comes_twice_or_never() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut putter = place.connect();
    let target = open(&mut putter, "A", OpenOptions::OUTPUT);
    for number in 0..300 {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        putter.put_async(target, &persistent(), &options, number.to_string().into()).unwrap();
    }
    assert_eq!(putter.status().unwrap().failures, 0);
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    connection.read_ahead(handle, ReadAhead { messages: 16, bytes: 1 << 20 }).unwrap();
    let all = within_time(move || {
        let (mut all, mut unit) = (Vec::new(), Vec::new());
        let mut calls = 0;
        while all.len() < 300 {
            calls += 1;
            if calls % 41 == 0 {
                proxy.cut();
            }
            let is_full = unit.len() == 10;
            let outcome = if is_full {
                connection.commit().map(|()| None)
            } else {
                get(&mut connection, handle, GetFlags::SYNCPOINT, SOON).map(Some)
            };
            match outcome {
                Ok(Some(body)) => unit.push(body),
                Ok(None) => all.append(&mut unit),
                Err(Reason::BACKED_OUT) => {
                    unit.clear();
                    connection.back().unwrap();
                }
                Err(reason) => panic!("{reason}"),
            }
        }
        all
    });
    assert_eq!(all, (0..300).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[test]
fn conversations_of_a_channel_return_together_over_one_socket() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let channel = client::Channel::connect(reconnecting_to(proxy.port())).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let mut connection = channel.conversation().unwrap();
            let handle = open(&mut connection, "A", BOTH);
            // A first commit that was never answered could not be told from one forgotten.
            put(&mut connection, handle, PutFlags::SYNCPOINT, "x").unwrap();
            connection.commit().unwrap();
            std::thread::spawn(move || {
                let mut kept = 1;
                while kept < 50 {
                    let put = put(&mut connection, handle, PutFlags::SYNCPOINT, "x");
                    match put.and_then(|()| connection.commit()) {
                        Ok(()) => kept += 1,
                        Err(Reason::BACKED_OUT) => connection.back().unwrap(),
                        Err(reason) => panic!("{reason}"),
                    }
                }
            })
        })
        .collect();
    for _ in 0..5 {
        std::thread::sleep(Duration::from_millis(15));
        proxy.cut();
    }
    within_time(move || threads.into_iter().for_each(|thread| thread.join().unwrap()));
    assert_eq!(place.drain("A").len(), 200);
}

#[test]
fn giving_up_is_told() {
    let mut place = Place::new();
    let mut options = reconnecting_to(place.port());
    options.reconnect = Some(Reconnect {
        pause_min: Duration::from_millis(5),
        pause_max: Duration::from_millis(20),
        give_up_after: Duration::from_millis(200),
        ..Reconnect::default()
    });
    let mut connection = Connection::connect(options).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    place.stop();
    let answer = put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "x");
    assert_eq!(answer, Err(Reason::RECONNECT_FAILED));
}

#[test]
fn a_subscription_whose_queue_is_full_is_there_again_after_a_reconnect() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let mut publisher = Connection::connect(reconnecting_to(place.port())).unwrap();
    publisher.command("ALTER QLOCAL(A) MAXDEPTH(1)").unwrap();
    let object = ObjectDescriptor::topic("reconnected");
    let mut retained = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
    publisher.put1(&object, &mut persistent(), &mut retained, Bytes::from_static(b"retained")).unwrap();
    let own = open(&mut connection, "A", BOTH);
    let wanted = SubscriptionDescriptor::to("reconnected", SubscribeOptions::CREATE);
    connection.subscribe(&wanted, Some(own)).unwrap();
    proxy.cut();
    for body in ["retained", "new"] {
        // The call that finds the link broken may be answered so.
        let got = (0..3).find_map(|_| get(&mut connection, own, GetFlags::NO_SYNCPOINT, SOON).ok());
        assert_eq!(got.as_deref(), Some(body));
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        publisher.put1(&object, &mut persistent(), &mut options, Bytes::from_static(b"new")).unwrap();
    }
}

#[test]
fn subscriptions_are_there_again_after_a_reconnect() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let mut publisher = Connection::connect(reconnecting_to(place.port())).unwrap();
    let own = open(&mut connection, "A", BOTH);
    let both = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    let of = |name: &str, options| SubscriptionDescriptor {
        name: name.to_owned(),
        ..SubscriptionDescriptor::to("reconnected", options)
    };
    // With an option that is for making it alone.
    let lasting = both | SubscribeOptions::DURABLE | SubscribeOptions::NEW_PUBLICATIONS_ONLY;
    let durable = connection.subscribe(&of("durable", lasting), None).unwrap();
    let passing = connection.subscribe(&of("", both), None).unwrap();
    let into_own = connection.subscribe(&of("", SubscribeOptions::CREATE), Some(own)).unwrap();
    proxy.cut();
    // The first call that needs the link makes it again.
    let first = get(&mut connection, own, GetFlags::NO_SYNCPOINT, Wait::No);
    assert!(matches!(first, Err(Reason::NO_MSG_AVAILABLE | Reason::CONNECTION_BROKEN)), "{first:?}");
    let object = ObjectDescriptor::topic("reconnected");
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    publisher.put1(&object, &mut persistent(), &mut options, Bytes::from_static(b"x")).unwrap();
    for queue in [durable.queue.unwrap(), passing.queue.unwrap(), own] {
        assert_eq!(get(&mut connection, queue, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("x"));
    }
    for subscription in [durable.subscription, passing.subscription, into_own.subscription] {
        connection.close(subscription, CloseOptions::REMOVE_SUB).unwrap();
    }
    let mut warned = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::WARN_IF_NO_SUBS_MATCHED);
    publisher.put1(&object, &mut persistent(), &mut warned, Bytes::new()).unwrap();
    assert_eq!(warned.warning, Some(Reason::NO_SUBS_MATCHED));
}

#[test]
fn a_subscription_whose_program_has_closed_its_queue_goes_on_after_a_reconnect() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let mut other = Connection::connect(reconnecting_to(place.port())).unwrap();
    let waiting = open(&mut connection, "B", OpenOptions::INPUT_SHARED);
    let create = SubscribeOptions::CREATE;
    for (name, options) in [("", create), ("durable", create | SubscribeOptions::DURABLE)] {
        let own = open(&mut connection, "A", OpenOptions::BROWSE);
        let wanted = SubscriptionDescriptor {
            name: name.to_owned(),
            ..SubscriptionDescriptor::to("reconnected", options)
        };
        connection.subscribe(&wanted, Some(own)).unwrap();
        connection.close(own, CloseOptions::EMPTY).unwrap();
    }
    let alone = open(&mut other, "A", OpenOptions::INPUT_EXCLUSIVE);
    proxy.cut();
    // The first call that needs the link makes it again.
    let first = get(&mut connection, waiting, GetFlags::NO_SYNCPOINT, Wait::No);
    assert!(matches!(first, Err(Reason::NO_MSG_AVAILABLE | Reason::CONNECTION_BROKEN)), "{first:?}");
    let object = ObjectDescriptor::topic("reconnected");
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    other.put1(&object, &mut persistent(), &mut options, Bytes::from_static(b"x")).unwrap();
    for expected in [Ok("x"), Ok("x"), Err(&Reason::NO_MSG_AVAILABLE)] {
        let got = get(&mut other, alone, GetFlags::NO_SYNCPOINT, Wait::No);
        assert_eq!(got.as_deref(), expected);
    }
}

#[test]
fn a_subscription_resumed_without_its_durability_is_resumed_after_a_reconnect() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let mut publisher = Connection::connect(reconnecting_to(place.port())).unwrap();
    let waiting = open(&mut connection, "B", OpenOptions::INPUT_SHARED);
    let of = |options| SubscriptionDescriptor {
        name: "lasting".to_owned(),
        ..SubscriptionDescriptor::to("reconnected", options)
    };
    let made = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let subscribed = connection.subscribe(&of(made), None).unwrap();
    connection.close(subscribed.subscription, CloseOptions::EMPTY).unwrap();
    let resumed = connection.subscribe(&of(SubscribeOptions::RESUME), None).unwrap();
    proxy.cut();
    // The first call that needs the link makes it again.
    let first = get(&mut connection, waiting, GetFlags::NO_SYNCPOINT, Wait::No);
    assert!(matches!(first, Err(Reason::NO_MSG_AVAILABLE | Reason::CONNECTION_BROKEN)), "{first:?}");
    let object = ObjectDescriptor::topic("reconnected");
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    publisher.put1(&object, &mut persistent(), &mut options, Bytes::from_static(b"x")).unwrap();
    let queue = resumed.queue.unwrap();
    assert_eq!(get(&mut connection, queue, GetFlags::NO_SYNCPOINT, SOON).as_deref(), Ok("x"));
    connection.close(resumed.subscription, CloseOptions::REMOVE_SUB).unwrap();
}

#[test]
fn what_a_resumed_subscription_is_given_to_get_from_outlives_the_connection() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let mut publisher = Connection::connect(reconnecting_to(place.port())).unwrap();
    publisher.command("DEFINE SUB('GIVEN') TOPICSTR('reconnected') DEST(A)").unwrap();
    let wanted = SubscriptionDescriptor {
        name: "GIVEN".to_owned(),
        ..SubscriptionDescriptor::to("", SubscribeOptions::RESUME | SubscribeOptions::DURABLE)
    };
    let given = connection.subscribe(&wanted, None).unwrap();
    let queue = given.queue.unwrap();
    let object = ObjectDescriptor::topic("reconnected");
    for is_subscribed in [true, false] {
        proxy.cut();
        let _ = get(&mut connection, queue, GetFlags::NO_SYNCPOINT, Wait::No);
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        publisher.put1(&object, &mut persistent(), &mut options, Bytes::from_static(b"x")).unwrap();
        for flags in [GetFlags::BROWSE_FIRST, GetFlags::NO_SYNCPOINT] {
            assert_eq!(get(&mut connection, queue, flags, SOON).as_deref(), Ok("x"));
        }
        if is_subscribed {
            // The handle of the queue stays open.
            connection.close(given.subscription, CloseOptions::EMPTY).unwrap();
        }
    }
}

#[test]
fn a_close_that_waits_for_what_came_ahead_closes_its_own_queue_on_the_new_link() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    // So that the queue manager gives the handle another number next time, and the old one to the other.
    let first = open(&mut connection, "B", BOTH);
    let ahead = open(&mut connection, "A", BOTH | OpenOptions::READ_AHEAD);
    let other = open(&mut connection, "B", BOTH);
    connection.close(first, CloseOptions::EMPTY).unwrap();
    proxy.cut();
    assert_eq!(connection.close(ahead, CloseOptions::QUIESCE), Ok(None));
    assert_eq!(put(&mut connection, other, PutFlags::NO_SYNCPOINT, "still open"), Ok(()));
}

#[test]
fn puts_without_a_reply_that_a_commit_covered_are_not_told_as_lost() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    for _ in 0..3 {
        let options = PutOptions::with(PutFlags::SYNCPOINT);
        connection.put_async(handle, &persistent(), &options, "x".into()).unwrap();
    }
    connection.commit().unwrap();
    proxy.cut();
    let status = within_time(move || connection.status()).unwrap();
    assert_eq!((status.failures, status.reason), (0, None));
    assert_eq!(place.drain("A").len(), 3);
}

const ASYNCHRONOUSLY: PutFlags = PutFlags::NO_SYNCPOINT.union(PutFlags::ASYNC_RESPONSE);
const ASYNCHRONOUSLY_IN_UNIT: PutFlags = PutFlags::SYNCPOINT.union(PutFlags::ASYNC_RESPONSE);

/// MQSTAT's report: puts that succeeded, puts that failed, and the reason.
fn told_of_puts(connection: &mut Connection) -> (u32, u32, Option<Reason>) {
    let status = connection.stat(StatusType::AsyncError).unwrap();
    (status.put_success_count, status.put_failure_count, status.reason)
}

#[test]
fn asynchronous_puts_that_went_with_the_connection_are_told_once_and_those_behind_are_made() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, ASYNCHRONOUSLY, "before").unwrap();
    assert_eq!(told_of_puts(&mut connection), (1, 0, None));
    proxy.withhold_requests();
    for _ in 0..3 {
        put(&mut connection, handle, ASYNCHRONOUSLY, "lost").unwrap();
    }
    connection.flush().unwrap();
    proxy.wait_until_held();
    proxy.cut();
    connection = within_time(move || {
        let inquired = connection.open(&ObjectDescriptor::queue("A".parse().unwrap()), OpenOptions::INQUIRE);
        assert!(inquired.is_ok(), "{inquired:?}");
        put(&mut connection, handle, ASYNCHRONOUSLY, "behind").unwrap();
        connection
    });
    assert_eq!(told_of_puts(&mut connection), (1, 3, Some(Reason::CONNECTION_BROKEN)));
    assert_eq!(told_of_puts(&mut connection), (0, 0, None));
    assert_eq!(place.drain("A"), ["before", "behind"]);
}

#[test]
fn the_object_of_a_later_failure_is_not_told_with_the_reason_of_puts_that_went_with_the_connection() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let [handle, inhibited] = ["A", "B"].map(|name| open(&mut connection, name, OpenOptions::OUTPUT));
    let altered = place.connect().command("ALTER QLOCAL(B) PUT(DISABLED)").unwrap();
    assert!(!altered.failed, "{}", altered.text);
    proxy.withhold_requests();
    put(&mut connection, handle, ASYNCHRONOUSLY, "lost").unwrap();
    connection.flush().unwrap();
    proxy.wait_until_held();
    proxy.cut();
    connection = within_time(move || {
        open(&mut connection, "A", OpenOptions::INQUIRE);
        connection
    });
    put(&mut connection, inhibited, ASYNCHRONOUSLY, "refused").unwrap();
    let status = connection.stat(StatusType::AsyncError).unwrap();
    assert_eq!((status.put_failure_count, status.reason), (2, Some(Reason::CONNECTION_BROKEN)));
    assert_eq!(status.object.object_name, "A", "of the put that was lost");
    put(&mut connection, inhibited, ASYNCHRONOUSLY, "refused").unwrap();
    let status = connection.stat(StatusType::AsyncError).unwrap();
    assert_eq!((status.put_failure_count, status.reason), (1, Some(Reason::PUT_INHIBITED)));
    assert_eq!(status.object.object_name.as_str(), "B");
}

#[test]
fn an_asynchronous_put_that_meets_the_break_succeeds_and_is_told_by_status() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    for round in 0..20_u32 {
        proxy.cut();
        for put_of_round in 0..5 {
            let answer = put(&mut connection, handle, ASYNCHRONOUSLY, "x");
            assert_eq!(answer, Ok(()), "put {put_of_round} of round {round}");
        }
        let (made, lost, reason) = told_of_puts(&mut connection);
        assert_eq!(made + lost, 5, "round {round}");
        assert_eq!(reason, (lost > 0).then_some(Reason::CONNECTION_BROKEN));
        let there = place.drain("A").len() as u32;
        assert!((made..=5).contains(&there), "{there} of which {made} were told");
    }
}

#[test]
fn asynchronous_puts_of_a_unit_of_work_that_went_with_the_connection_are_told() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, ASYNCHRONOUSLY_IN_UNIT, "kept").unwrap();
    connection.commit().unwrap();
    assert_eq!(told_of_puts(&mut connection), (1, 0, None));
    for is_noticed_before in [false, true] {
        for _ in 0..3 {
            put(&mut connection, handle, ASYNCHRONOUSLY_IN_UNIT, "lost").unwrap();
        }
        connection.flush().unwrap();
        proxy.cut();
        connection = within_time(move || {
            if is_noticed_before {
                open(&mut connection, "B", OpenOptions::INQUIRE);
                let next = put(&mut connection, handle, ASYNCHRONOUSLY_IN_UNIT, "lost too");
                assert_eq!(next, Err(Reason::BACKED_OUT));
            }
            assert_eq!(connection.commit(), Err(Reason::BACKED_OUT));
            connection
        });
        assert_eq!(told_of_puts(&mut connection), (0, 3, Some(Reason::CONNECTION_BROKEN)));
        put(&mut connection, handle, ASYNCHRONOUSLY_IN_UNIT, "kept").unwrap();
        connection.commit().unwrap();
        assert_eq!(told_of_puts(&mut connection), (1, 0, None));
    }
    assert_eq!(place.drain("A"), ["kept", "kept", "kept"]);
}

/// Takes the next message into the unit of work; how often it was backed out before.
fn heard_in_unit(connection: &mut Connection, handle: ObjectHandle, events: &mut Vec<Reason>) -> i32 {
    let getter = Getter {
        handle,
        descriptor: MessageDescriptor::default(),
        options: GetOptions::with(GetFlags::SYNCPOINT, Wait::Unlimited),
        bytes_max: 100,
    };
    loop {
        match connection.listen(std::slice::from_ref(&getter), 0, Some(Duration::from_secs(10))).unwrap() {
            Some(heard) => {
                assert_eq!(heard.got.unwrap().body, "once");
                return heard.descriptor.backout_count;
            }
            None => events.push(connection.event().expect("a message or an event")),
        }
    }
}

#[test]
fn a_unit_of_work_of_one_who_listens_that_was_lost_is_told_and_its_message_comes_again() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    for commits_at_once in [false, true] {
        let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
        let (input, output) =
            (open(&mut connection, "A", OpenOptions::INPUT_SHARED), open(&mut connection, "B", BOTH));
        let mut putter = place.connect();
        let other = open(&mut putter, "A", OpenOptions::OUTPUT);
        put(&mut putter, other, PutFlags::NO_SYNCPOINT, "once").unwrap();
        // The queue manager remembers the conversation.
        put(&mut connection, output, PutFlags::SYNCPOINT, "kept").unwrap();
        connection.commit().unwrap();
        let mut events = Vec::new();
        assert_eq!(heard_in_unit(&mut connection, input, &mut events), 0);
        put(&mut connection, output, PutFlags::SYNCPOINT, "lost").unwrap();
        assert_eq!(events, []);
        proxy.cut();
        within_time(move || {
            if !commits_at_once {
                let next = put(&mut connection, output, PutFlags::SYNCPOINT, "lost too");
                assert_eq!(next, Err(Reason::BACKED_OUT));
            }
            assert_eq!(connection.commit(), Err(Reason::BACKED_OUT));
            assert_eq!(heard_in_unit(&mut connection, input, &mut events), 1);
            assert_eq!(events, [Reason::RECONNECTING, Reason::RECONNECTED]);
            put(&mut connection, output, PutFlags::SYNCPOINT, "kept").unwrap();
            connection.commit().unwrap();
            connection.disconnect().unwrap();
        });
        assert_eq!(place.drain("B"), ["kept", "kept"]);
        assert_eq!(place.drain("A"), [""; 0]);
    }
}

type Told = (Result<Option<Result<Bytes, Reason>>, Reason>, Option<Reason>);

/// Listens to one handle for so long; what is heard, and what event there is to be told.
fn listener(
    mut connection: Connection,
    handle: ObjectHandle,
    flags: GetFlags,
) -> impl FnMut(Duration) -> Told {
    let getter = Getter {
        handle,
        descriptor: MessageDescriptor::default(),
        options: GetOptions::with(flags, Wait::Unlimited),
        bytes_max: 100,
    };
    move |limit| {
        let heard = connection.listen(std::slice::from_ref(&getter), 0, Some(limit));
        (heard.map(|heard| heard.map(|heard| heard.got.map(|got| got.body))), connection.event())
    }
}

#[test]
fn one_who_listens_goes_on_when_the_link_breaks_while_it_takes_a_message() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let mut connection = Connection::connect(reconnecting_to(proxy.port())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    let mut listen = listener(connection, handle, GetFlags::NO_SYNCPOINT);
    // From now on messages come; what takes them is held up.
    let (silence, _) = listen(Duration::from_millis(100));
    assert!(matches!(silence, Ok(None)), "{silence:?}");
    proxy.withhold_requests();
    let mut putter = place.connect();
    let output = open(&mut putter, "A", OpenOptions::OUTPUT);
    put(&mut putter, output, PutFlags::NO_SYNCPOINT, "once").unwrap();
    let listening = std::thread::spawn(move || {
        let told: Vec<_> = (0..3).map(|_| listen(Duration::from_secs(10))).collect();
        told
    });
    proxy.wait_until_held();
    proxy.cut();
    let told = within_time(move || listening.join().unwrap());
    assert!(matches!(&told[0], (Ok(None), Some(Reason::RECONNECTING))), "{told:?}");
    assert!(matches!(&told[1], (Ok(None), Some(Reason::RECONNECTED))), "{told:?}");
    assert!(matches!(&told[2], (Ok(Some(Ok(body))), _) if body == "once"), "{told:?}");
}

#[test]
fn one_who_listens_by_browsing_goes_on_when_its_conversation_is_ended() {
    let place = Place::new();
    let channel = client::Channel::connect(reconnecting_to(place.port()).application("browser")).unwrap();
    let mut connection = channel.conversation().unwrap();
    let handle = open(&mut connection, "A", OpenOptions::BROWSE);
    let mut listen = listener(connection, handle, GetFlags::BROWSE_NEXT);
    let (silence, _) = listen(Duration::from_millis(100));
    assert!(matches!(silence, Ok(None)), "{silence:?}");
    // With it the link stays.
    let _neighbour = {
        let mut administrator = place.connect();
        let shown = administrator.command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'browser') CONN").unwrap();
        let (_, identifier) = shown.rows[0].iter().find(|(name, _)| name == "CONN").unwrap().clone();
        let neighbour = channel.conversation().unwrap();
        let stopped = administrator.command(&format!("STOP CONN({identifier})")).unwrap();
        assert!(!stopped.failed, "{}", stopped.text);
        neighbour
    };
    let told = within_time(move || (0..2).map(|_| listen(Duration::from_secs(10))).collect::<Vec<_>>());
    assert!(matches!(&told[0], (Ok(None), Some(Reason::RECONNECTING))), "{told:?}");
    assert!(matches!(&told[1], (Ok(None), Some(Reason::RECONNECTED))), "{told:?}");
}
