//! A program that makes no call while its queue manager starts again finds every call working.

use crate::place::{BOTH, Place, get, open, persistent, put, reconnecting_to, volatile, within_time};
use crate::proxy::Proxy;
use bytes::Bytes;
use client::{Address, Connection, Options, ReadAhead};
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    PutFlags, PutOptions, Reason, RequestOptions, StatusType, SubscribeOptions, SubscriptionDescriptor,
    Verbs, Wait,
};

const ASYNCHRONOUSLY: PutFlags = PutFlags::NO_SYNCPOINT.union(PutFlags::ASYNC_RESPONSE);

/// A connection that has called, and makes no call while the queue manager starts again.
struct Idle {
    place: Place,
    connection: Connection,
    queue: ObjectHandle,
}

impl Idle {
    fn over(options: impl Fn(&Place) -> Options) -> Self {
        let place = Place::new();
        let mut connection = Connection::connect(options(&place)).unwrap();
        let queue = open(&mut connection, "A", BOTH);
        put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "before").unwrap();
        Self { place, connection, queue }
    }

    fn new() -> Self {
        Self::over(|place| reconnecting_to(place.port()))
    }

    fn restart(&mut self) {
        self.place.stop();
        self.place.start();
    }

    fn get(&mut self, flags: GetFlags) -> Result<String, Reason> {
        get(&mut self.connection, self.queue, flags, Wait::No)
    }
}

/// The reconnecting options of a local place.
fn locally(address: Address) -> Options {
    Options { addresses: vec![address], ..reconnecting_to(0) }
}

#[test]
fn an_idle_program_puts_gets_and_commits_after_a_restart_over_every_kind_of_socket() {
    let ways: [fn(&Place) -> Options; 3] = [
        |place| reconnecting_to(place.port()),
        |place| locally(place.socket()),
        |place| locally(place.rings()),
    ];
    for (way, options) in ways.into_iter().enumerate() {
        let mut idle = Idle::over(options);
        idle.restart();
        assert_eq!(put(&mut idle.connection, idle.queue, PutFlags::NO_SYNCPOINT, "put"), Ok(()), "way {way}");
        idle.restart();
        assert_eq!(idle.get(GetFlags::NO_SYNCPOINT).as_deref(), Ok("before"), "way {way}");
        idle.restart();
        assert_eq!(put(&mut idle.connection, idle.queue, PutFlags::SYNCPOINT, "in unit"), Ok(()));
        assert_eq!(idle.connection.commit(), Ok(()), "way {way}");
        assert_eq!(idle.place.drain("A"), ["put", "in unit"], "way {way}");
    }
}

#[test]
fn an_idle_program_puts_by_name_and_publishes_after_a_restart() {
    let mut idle = Idle::new();
    let topic = ObjectDescriptor::topic("news");
    let publisher = idle.connection.open(&topic, OpenOptions::OUTPUT).unwrap().handle;
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    idle.restart();
    let by_name = ObjectDescriptor::queue("B".parse().unwrap());
    let put = idle.connection.put1(&by_name, &mut persistent(), &mut options, "by name".into());
    assert_eq!(put, Ok(()));
    idle.restart();
    assert_eq!(idle.connection.put(publisher, &mut volatile(), &mut options, "published".into()), Ok(()));
    idle.restart();
    assert_eq!(idle.connection.put1(&topic, &mut volatile(), &mut options, "published".into()), Ok(()));
    assert_eq!(idle.place.drain("B"), ["by name"]);
}

#[test]
fn asynchronous_puts_of_an_idle_program_are_made_after_a_restart_and_none_is_told_as_lost() {
    let mut idle = Idle::new();
    for round in 0..2 {
        idle.restart();
        for _ in 0..3 {
            put(&mut idle.connection, idle.queue, ASYNCHRONOUSLY, format!("round {round}")).unwrap();
        }
        let status = idle.connection.stat(StatusType::AsyncError).unwrap();
        assert_eq!((status.put_success_count, status.put_failure_count), (3, 0), "round {round}");
    }
    assert_eq!(idle.place.drain("A").len(), 7);
}

#[test]
fn a_message_that_came_ahead_of_an_idle_program_is_got_again_after_a_restart() {
    let mut idle = Idle::new();
    put(&mut idle.connection, idle.queue, PutFlags::NO_SYNCPOINT, "second").unwrap();
    idle.connection.read_ahead(idle.queue, ReadAhead::default()).unwrap();
    assert_eq!(idle.get(GetFlags::NO_SYNCPOINT).as_deref(), Ok("before"));
    // The second is here, reserved.
    idle.restart();
    assert_eq!(idle.get(GetFlags::NO_SYNCPOINT).as_deref(), Ok("second"));
    assert_eq!(idle.get(GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn messages_that_were_sent_for_good_before_the_end_are_given_to_a_program_that_was_idle_meanwhile() {
    let mut idle = Idle::new();
    idle.place.drain("A");
    idle.connection.read_ahead(idle.queue, ReadAhead::default()).unwrap();
    let mut putter = idle.place.connect();
    let target = open(&mut putter, "A", OpenOptions::OUTPUT);
    let options = &mut PutOptions::with(PutFlags::NO_SYNCPOINT);
    putter.put(target, &mut volatile(), options, "first".into()).unwrap();
    assert_eq!(idle.get(GetFlags::NO_SYNCPOINT).as_deref(), Ok("first"));
    // Credit is left, and nobody reads the socket.
    putter.put(target, &mut volatile(), options, "on its way".into()).unwrap();
    drop(putter);
    std::thread::sleep(std::time::Duration::from_millis(100));
    idle.restart();
    put(&mut idle.connection, idle.queue, PutFlags::NO_SYNCPOINT, "behind").unwrap();
    assert_eq!(idle.get(GetFlags::NO_SYNCPOINT).as_deref(), Ok("on its way"));
    assert_eq!(idle.get(GetFlags::NO_SYNCPOINT).as_deref(), Ok("behind"));
}

#[test]
fn an_idle_program_removes_queues_and_asks_for_publications_after_a_restart() {
    let mut idle = Idle::new();
    idle.place.connect().command("DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)").unwrap();
    let model = ObjectDescriptor::queue("MODEL".parse().unwrap());
    let dynamic = idle.connection.open(&model, BOTH).unwrap();
    let descriptor = SubscriptionDescriptor {
        object_string: "news".into(),
        options: SubscribeOptions::CREATE
            | SubscribeOptions::MANAGED
            | SubscribeOptions::PUBLICATIONS_ON_REQUEST,
        ..SubscriptionDescriptor::default()
    };
    let subscription = idle.connection.subscribe(&descriptor, None).unwrap().subscription;
    idle.restart();
    let asked = idle.connection.request_publications(subscription, 1, RequestOptions::EMPTY);
    assert_eq!(asked, Err(Reason::NO_RETAINED_MSG), "there is none, and the subscription is");
    idle.restart();
    let removed = idle.connection.close(dynamic.handle, CloseOptions::DELETE);
    assert_eq!(removed, Ok(None));
    let shown = idle.place.connect().command(&format!("DISPLAY QLOCAL({})", dynamic.object_name)).unwrap();
    assert!(shown.rows.is_empty(), "{}", shown.text);
    idle.restart();
    assert!(!idle.connection.command("DISPLAY QMGR").unwrap().failed);
}

#[test]
fn the_unit_of_work_of_an_idle_program_is_told_as_backed_out_by_its_end() {
    let mut idle = Idle::new();
    for disconnects in [false, true] {
        put(&mut idle.connection, idle.queue, PutFlags::SYNCPOINT, "lost").unwrap();
        idle.restart();
        let ended = if disconnects { idle.connection.disconnect() } else { idle.connection.commit() };
        assert_eq!(ended, Err(Reason::BACKED_OUT));
    }
    assert_eq!(idle.place.drain("A"), ["before"]);
}

#[test]
fn an_idle_program_whose_queue_manager_is_away_is_answered_once_it_is_back() {
    let mut idle = Idle::new();
    idle.place.stop();
    let Idle { mut place, mut connection, queue } = idle;
    let putting = std::thread::spawn(move || put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "after"));
    std::thread::sleep(std::time::Duration::from_millis(200));
    place.start();
    assert_eq!(within_time(move || putting.join().unwrap()), Ok(()));
    assert_eq!(place.drain("A"), ["before", "after"]);
}

#[test]
fn every_conversation_of_a_socket_that_was_cut_while_all_were_idle_goes_on() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let channel = client::Channel::connect(reconnecting_to(proxy.port())).unwrap();
    let mut conversations: Vec<_> = (0..4)
        .map(|_| {
            let mut connection = channel.conversation().unwrap();
            let queue = open(&mut connection, "A", OpenOptions::OUTPUT);
            (connection, queue)
        })
        .collect();
    for round in 0..3 {
        proxy.cut();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let putting = conversations.into_iter().map(|(mut connection, queue)| {
            std::thread::spawn(move || {
                (put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "x"), connection, queue)
            })
        });
        let putting: Vec<_> = putting.collect();
        conversations =
            within_time(move || putting.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>())
                .into_iter()
                .map(|(put, connection, queue)| {
                    assert_eq!(put, Ok(()), "round {round}");
                    (connection, queue)
                })
                .collect();
    }
    assert_eq!(place.drain("A").len(), 12);
}

#[test]
fn a_conversation_that_was_stopped_on_a_socket_that_stays_puts_and_gets_on() {
    let place = Place::new();
    let channel = client::Channel::connect(reconnecting_to(place.port()).application("stopped")).unwrap();
    let mut connection = channel.conversation().unwrap();
    let queue = open(&mut connection, "A", BOTH);
    put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "before").unwrap();
    let mut administrator = place.connect();
    let mut stop = || {
        let shown = administrator.command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'stopped') CONN").unwrap();
        let (_, identifier) = shown.rows[0].iter().find(|(name, _)| name == "CONN").unwrap().clone();
        // With it the link stays.
        let neighbour = channel.conversation().unwrap();
        let stopped = administrator.command(&format!("STOP CONN({identifier})")).unwrap();
        assert!(!stopped.failed, "{}", stopped.text);
        neighbour
    };
    let neighbour = stop();
    assert_eq!(put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "after"), Ok(()));
    drop(neighbour);
    let neighbour = stop();
    assert_eq!(get(&mut connection, queue, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("before"));
    drop(neighbour);
    put(&mut connection, queue, PutFlags::SYNCPOINT, "lost").unwrap();
    let _neighbour = stop();
    assert_eq!(connection.commit(), Err(Reason::BACKED_OUT));
    assert_eq!(place.drain("A"), ["after"]);
}

#[test]
fn a_program_that_does_not_reconnect_is_told_of_the_break() {
    let mut place = Place::new();
    let mut connection = place.connect();
    let queue = open(&mut connection, "A", BOTH);
    place.stop();
    place.start();
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = connection.get(queue, &mut MessageDescriptor::default(), &mut options, 100);
    assert!(matches!(got, Err(Reason::CONNECTION_BROKEN | Reason::Q_MGR_STOPPING)), "{got:?}");
    let body: Bytes = "x".into();
    let put = connection.put(queue, &mut volatile(), &mut PutOptions::with(PutFlags::NO_SYNCPOINT), body);
    assert!(matches!(put, Err(Reason::CONNECTION_BROKEN | Reason::Q_MGR_STOPPING)), "{put:?}");
}
