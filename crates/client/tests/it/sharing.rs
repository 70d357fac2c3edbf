//! Several conversations over one socket, each with a thread of its own.

use crate::place::{BOTH, Place, SOON, each_thread_gets_its_own, get, open, put, volatile, within_time};
use client::{Connection, Options};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions,
    SubscribeOptions, SubscriptionDescriptor, Verbs, Wait,
};
use std::time::{Duration, Instant};

#[test]
fn threads_wait_side_by_side_and_each_gets_its_own() {
    let place = Place::new();
    each_thread_gets_its_own(&place.channel(), |thread, round| format!("{thread}:{round}"));
}

#[test]
fn one_who_waits_long_does_not_hold_the_others() {
    let place = Place::new();
    let channel = place.channel();
    let mut waiting = channel.conversation().unwrap();
    let handle = open(&mut waiting, "A", BOTH);
    let waiter = std::thread::spawn(move || get(&mut waiting, handle, GetFlags::NO_SYNCPOINT, SOON));
    std::thread::sleep(Duration::from_millis(50));
    let mut other = channel.conversation().unwrap();
    let handle = open(&mut other, "B", BOTH);
    let began = Instant::now();
    for _ in 0..200 {
        // Nothing that a disk holds.
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        other.put(handle, &mut volatile(), &mut options, "x".into()).unwrap();
        get(&mut other, handle, GetFlags::NO_SYNCPOINT, Wait::No).unwrap();
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let target = open(&mut other, "A", OpenOptions::OUTPUT);
    put(&mut other, target, PutFlags::NO_SYNCPOINT, "at last").unwrap();
    assert_eq!(within_time(move || waiter.join().unwrap()).as_deref(), Ok("at last"));
}

#[test]
fn both_sides_may_send_much_at_once() {
    let place = Place::new();
    let mut connection = place.connect();
    let handle = open(&mut connection, "A", BOTH);
    let body = bytes::Bytes::from(vec![1; 500_000]);
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    for _ in 0..40 {
        connection.put_async(handle, &volatile(), &options, body.clone()).unwrap();
    }
    assert_eq!(connection.status().unwrap().puts, 40);
    let credit = client::ReadAhead { messages: 1000, bytes: u32::MAX };
    connection.read_ahead(handle, credit).unwrap();
    within_time(move || {
        let other = open(&mut connection, "B", OpenOptions::OUTPUT);
        for round in 0..40 {
            // The server sends all it has as soon as the first get grants credit; meanwhile this side sends
            // too.
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, SOON);
            let got =
                connection.get(handle, &mut MessageDescriptor::default(), &mut options, 1 << 20).unwrap();
            assert_eq!(got.body.len(), 500_000, "round {round}");
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            for _ in 0..2 {
                connection.put_async(other, &volatile(), &options, body.clone()).unwrap();
            }
        }
        assert_eq!(connection.status().unwrap().puts, 80);
    });
}

#[test]
fn numbers_of_ended_conversations_are_used_again() {
    let place = Place::new();
    let mut options = place.options();
    options.limits.conversations_max = 2;
    let channel = client::Channel::connect(options).unwrap();
    let mut first = channel.conversation().unwrap();
    let _second = channel.conversation().unwrap();
    assert!(channel.conversation().is_err());
    first.disconnect().unwrap();
    channel.conversation().unwrap();
}

fn is_same(one: &Connection, other: &Connection) -> bool {
    std::sync::Arc::ptr_eq(one.channel(), other.channel())
}

#[test]
fn connections_share_a_socket_as_far_as_the_channel_allows() {
    let place = Place::new();
    let many: Vec<_> = (0..12).map(|_| place.connect()).collect();
    assert!(many[..10].iter().all(|one| is_same(one, &many[0])), "SHARECNV is 10 unless it is changed");
    assert!(!is_same(&many[0], &many[10]) && is_same(&many[10], &many[11]));

    let alone = Connection::connect(place.options().alone()).unwrap();
    let other_program = Connection::connect(place.options().application("other")).unwrap();
    assert!(many.iter().all(|one| !is_same(one, &alone) && !is_same(one, &other_program)));
}

#[test]
fn a_channel_that_shares_nothing_gives_each_a_socket() {
    let place = Place::new();
    for shared in [0, 1] {
        let altered = place
            .connect()
            .command(&format!("ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) SHARECNV({shared})"))
            .unwrap();
        assert!(!altered.failed, "{}", altered.text);
        let (one, other) = (place.connect(), place.connect());
        assert!(!is_same(&one, &other), "{shared}");
    }
}

#[test]
fn those_who_connect_together_share_the_socket_that_the_first_opens() {
    let place = Place::new();
    let options = place.options().application("together");
    let threads: Vec<_> = (0..10)
        .map(|_| {
            let options = options.clone();
            std::thread::spawn(move || Connection::connect(options).unwrap())
        })
        .collect();
    let many: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(many.iter().all(|one| is_same(one, &many[0])));
}

#[test]
fn a_connection_that_is_dropped_makes_room_for_another() {
    let place = Place::new();
    let mut kept = place.connect();
    for round in 0..30 {
        let dropped = place.connect();
        assert!(is_same(&kept, &dropped), "{round}");
        drop(dropped);
        // The word that it has ended comes before the answer to what is asked after it.
        let handle = open(&mut kept, "A", BOTH);
        kept.close(handle, mqi::CloseOptions::EMPTY).unwrap();
    }
}

#[test]
fn a_broken_socket_is_not_shared_any_more() {
    let mut place = Place::new();
    let one = place.connect();
    place.stop();
    place.start();
    let mut other = place.connect();
    assert!(!is_same(&one, &other));
    open(&mut other, "A", BOTH);
}

#[test]
fn connections_that_return_to_find_less_shared_get_sockets_of_their_own() {
    let mut place = Place::new();
    let options = place.options().reconnecting(client::Reconnect::default());
    let mut many: Vec<_> = (0..3).map(|_| Connection::connect(options.clone()).unwrap()).collect();
    let handles: Vec<_> = many.iter_mut().map(|one| open(one, "A", BOTH)).collect();
    let altered = many[0].command("ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) SHARECNV(1)").unwrap();
    assert!(!altered.failed, "{}", altered.text);
    place.stop();
    place.start();
    for (one, handle) in many.iter_mut().zip(handles) {
        let mut wanted = MessageDescriptor::default();
        let mut options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        let got = one.get(handle, &mut wanted, &mut options, 100).map(|got| got.body);
        assert_eq!(got, Err(mqi::Reason::NO_MSG_AVAILABLE));
    }
    assert!(!is_same(&many[0], &many[1]) && !is_same(&many[0], &many[2]) && !is_same(&many[1], &many[2]));
}

/// The body of a publication: of its own length and all of its own bytes.
fn publication(number: usize) -> Vec<u8> {
    vec![number as u8; 100 + number * 97 % 5000]
}

#[test]
fn each_subscriber_of_a_socket_gets_every_publication_as_it_was_put() {
    const PUBLICATIONS: usize = 500;
    let place = Place::new();
    for to in [place.options(), Options::to(place.rings()).application("test")] {
        let topic = "sharing";
        let subscribers: Vec<_> = (0..6)
            .map(|subscriber| {
                let mut connection = Connection::connect(to.clone()).unwrap();
                let options =
                    SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::READ_AHEAD;
                let subscribed =
                    connection.subscribe(&SubscriptionDescriptor::to(topic, options), None).unwrap();
                let queue = subscribed.queue.unwrap();
                std::thread::spawn(move || {
                    for number in 0..PUBLICATIONS {
                        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, SOON);
                        let (mut descriptor, mut lent) = (MessageDescriptor::default(), Vec::new());
                        let mut borrow = |bytes: &[u8]| lent = bytes.to_vec();
                        let most = 1 << 20;
                        if subscriber % 2 == 0 {
                            let got = connection.get(queue, &mut descriptor, &mut options, most).unwrap();
                            lent = got.body.to_vec();
                        } else {
                            connection
                                .get_lent(queue, &mut descriptor, &mut options, most, &mut borrow)
                                .unwrap();
                        }
                        assert!(lent == publication(number), "subscriber {subscriber}, {number}");
                    }
                })
            })
            .collect();
        let mut publisher = Connection::connect(to.application("publisher")).unwrap();
        let topic = publisher.open(&ObjectDescriptor::topic(topic), OpenOptions::OUTPUT).unwrap().handle;
        for number in 0..PUBLICATIONS {
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            publisher.put_async(topic, &volatile(), &options, publication(number).into()).unwrap();
        }
        assert_eq!(publisher.status().unwrap().puts, PUBLICATIONS as u32);
        within_time(move || subscribers.into_iter().for_each(|thread| thread.join().unwrap()));
    }
}
