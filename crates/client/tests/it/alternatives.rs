//! Connections that were made by one of several entries of a table go on by any of them.

use crate::place::{BOTH, Place, open, put, reconnecting_to, within_time};
use crate::proxy::Proxy;
use client::{Address, Alternative, Connection, Delay, Limits, Options};
use mqi::{GetFlags, ObjectHandle, OpenOptions, PutFlags, Reason, Wait};
use std::time::{Duration, Instant};

fn entry(name: &str, port: u16) -> Alternative {
    Alternative {
        name: name.to_owned(),
        weight: 0,
        is_preferred: true,
        addresses: vec![Address::Tcp { host: "127.0.0.1".into(), port }],
        limits: Limits::default(),
        compression: client::CompressionOffer::default(),
        tls: None,
    }
}

/// To the first of these, and again to any.
fn by(entries: Vec<Alternative>) -> Options {
    Options { addresses: entries[0].addresses.clone(), alternatives: entries, ..reconnecting_to(0) }
}

fn connected(options: Options) -> (Connection, ObjectHandle) {
    let mut connection = Connection::connect(options).unwrap();
    let queue = open(&mut connection, "A", BOTH);
    (connection, queue)
}

fn put_one(connection: &mut Connection, queue: ObjectHandle) -> Result<(), Reason> {
    put(connection, queue, PutFlags::NO_SYNCPOINT, "x")
}

#[test]
fn a_program_goes_on_at_another_entry_when_its_own_leads_nowhere() {
    let (mut first, second) = (Place::new(), Place::named("QM2", ""));
    let (mut connection, queue) =
        connected(by(vec![entry("ONE", first.port()), entry("TWO", second.port())]));
    put_one(&mut connection, queue).unwrap();
    first.stop();
    let (put, name) =
        within_time(move || (put_one(&mut connection, queue), connection.channel().queue_manager()));
    assert_eq!((put, name.as_str()), (Ok(()), "QM2"));
    assert_eq!(second.drain("A"), ["x"]);
}

#[test]
fn a_getter_that_waits_waits_on_at_another_entry() {
    let (mut first, second) = (Place::new(), Place::named("QM2", ""));
    let (mut connection, queue) =
        connected(by(vec![entry("ONE", first.port()), entry("TWO", second.port())]));
    let waiting = std::thread::spawn(move || {
        crate::place::get(&mut connection, queue, GetFlags::SYNCPOINT, Wait::Unlimited)
    });
    std::thread::sleep(Duration::from_millis(100));
    first.stop();
    let mut putter = second.connect();
    let target = open(&mut putter, "A", OpenOptions::OUTPUT);
    put_one(&mut putter, target).unwrap();
    assert_eq!(within_time(move || waiting.join().unwrap()).as_deref(), Ok("x"));
}

#[test]
fn a_program_that_returns_to_its_own_queue_manager_passes_over_the_others() {
    let (mut first, second) = (Place::new(), Place::named("QM2", ""));
    // The other comes first by name.
    let mut options = by(vec![entry("TWO", first.port()), entry("ONE", second.port())]);
    let how = options.reconnect.as_mut().unwrap();
    how.same_queue_manager = true;
    let (mut connection, queue) = connected(options);
    first.stop();
    let putting =
        std::thread::spawn(move || (put_one(&mut connection, queue), connection.channel().queue_manager()));
    std::thread::sleep(Duration::from_millis(200));
    first.start();
    let (put, name) = within_time(move || putting.join().unwrap());
    assert_eq!((put, name.as_str()), (Ok(()), "QM1"));
    assert_eq!((first.drain("A").len(), second.drain("A").len()), (1, 0));
}

#[test]
fn entries_that_refuse_do_not_end_the_attempts_of_one_that_may_answer_later() {
    let (mut first, second) = (Place::new(), Place::named("QM2", ""));
    // Only the first bears the name; the second refuses for that.
    let options = by(vec![entry("ONE", first.port()), entry("TWO", second.port())]).queue_manager("QM1");
    let (mut connection, queue) = connected(options);
    first.stop();
    let putting = std::thread::spawn(move || put_one(&mut connection, queue));
    std::thread::sleep(Duration::from_millis(200));
    first.start();
    assert_eq!(within_time(move || putting.join().unwrap()), Ok(()));
}

#[test]
fn a_name_that_no_entry_leads_to_any_more_ends_the_attempts() {
    let mut first = Place::new();
    let others = [Place::named("QM2", ""), Place::named("QM3", "")];
    let port = first.port();
    let proxy = Proxy::to(port);
    let entries = vec![entry("ONE", others[0].port()), entry("TWO", others[1].port())];
    let address = Address::Tcp { host: "127.0.0.1".into(), port: proxy.port() };
    let options = Options { addresses: vec![address], ..by(entries) }.queue_manager("QM1");
    let (mut connection, queue) = connected(options);
    first.stop();
    let put = within_time(move || put_one(&mut connection, queue));
    assert_eq!(put, Err(Reason::Q_MGR_NAME_ERROR));
}

/// The queue managers that a program comes to which is cut off so often.
fn visited(is_preferred: bool, weight: u32, cuts: usize) -> Vec<String> {
    let places = [Place::new(), Place::named("QM2", "")];
    let proxies = places.each_ref().map(|place| Proxy::to(place.port()));
    let entries = ["ONE", "TWO"].into_iter().zip(&proxies);
    let entries =
        entries.map(|(name, proxy)| Alternative { is_preferred, weight, ..entry(name, proxy.port()) });
    let (mut connection, queue) = connected(by(entries.collect()));
    let visited = (0..cuts).map(|_| {
        proxies.iter().for_each(Proxy::cut);
        std::thread::sleep(Duration::from_millis(20));
        let _ = put_one(&mut connection, queue);
        connection.channel().queue_manager()
    });
    visited.collect()
}

#[test]
fn entries_with_weights_are_drawn_anew_at_each_break() {
    let visited = visited(false, 1, 40);
    for name in ["QM1", "QM2"] {
        assert!(visited.iter().any(|visited| visited == name), "{name} of {visited:?}");
    }
}

#[test]
fn a_process_with_affinity_stays_with_one_order_and_one_without_weights_with_the_first_name() {
    let preferred = visited(true, 1, 10);
    assert!(preferred.iter().all(|name| *name == preferred[0]), "{preferred:?}");
    assert_eq!(visited(false, 0, 3), ["QM1"; 3]);
}

#[test]
fn the_pauses_of_the_options_come_before_each_attempt() {
    let mut place = Place::new();
    let fixed = Duration::from_millis(400);
    let delay = Delay { fixed, random_max: Duration::ZERO };
    let mut options = reconnecting_to(place.port());
    options.reconnect_delays = vec![Delay { fixed: Duration::from_millis(10), ..delay }, delay];
    let (mut connection, queue) = connected(options);
    // The client begins anew as soon as it sees the end of the connection.
    let began = Instant::now();
    place.stop();
    let putting = std::thread::spawn(move || put_one(&mut connection, queue));
    std::thread::sleep(Duration::from_millis(100));
    place.start();
    assert_eq!(within_time(move || putting.join().unwrap()), Ok(()));
    // The first attempt found nobody.
    assert!(began.elapsed() >= fixed, "{:?}", began.elapsed());
}
