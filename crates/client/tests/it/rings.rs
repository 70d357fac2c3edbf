//! Connections by rings in shared memory.

use crate::place::{BOTH, Place, SOON, each_thread_gets_its_own, get, open, put, within_time};
use client::{Address, Channel, Connection, Options};
use mqi::{GetFlags, OpenOptions, PutFlags, Reason, Wait};

#[test]
fn threads_share_rings_and_each_gets_its_own() {
    let place = Place::new();
    let channel = Channel::connect(Options::to(place.rings())).unwrap();
    each_thread_gets_its_own(&channel, |thread, round| format!("{thread}:{round}").repeat(round * 5 + 1));
}

#[test]
fn what_is_much_longer_than_a_lane_goes_through_both_ways() {
    let place = Place::new();
    let mut connection = Connection::connect(Options::to(place.rings())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    for length in [100_000, 131_072, 3_000_001, 4 << 20] {
        let body: String = ('a'..='z').cycle().take(length).collect();
        put(&mut connection, handle, PutFlags::NO_SYNCPOINT, body.clone()).unwrap();
        let got = get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).unwrap();
        assert!(got == body, "{length} bytes come back as they were");
    }
}

/// Bytes come out of a lane by words, so that less than a word of a frame can be left in it when others are
/// behind it: a reader that made no room for a word ended the connection.
#[test]
fn frames_that_end_anywhere_within_a_word_come_whole() {
    let place = Place::new();
    let mut connection = Connection::connect(Options::to(place.rings())).unwrap();
    let handle = open(&mut connection, "A", OpenOptions::OUTPUT);
    let lengths = [60_000, 65_400, 70_000, 300_000].into_iter().flat_map(|length| length..length + 17);
    let bodies: Vec<String> = lengths.map(|length| "x".repeat(length)).collect();
    for body in &bodies {
        put(&mut connection, handle, PutFlags::NO_SYNCPOINT, body.clone()).unwrap();
    }
    let ahead = open(&mut connection, "A", OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD);
    for body in &bodies {
        let got = get(&mut connection, ahead, GetFlags::NO_SYNCPOINT, SOON);
        assert!(got.as_ref() == Ok(body), "{} bytes: {:?}", body.len(), got.err());
    }
}

#[test]
fn the_end_of_the_queue_manager_ends_a_wait() {
    let mut place = Place::new();
    let mut connection = Connection::connect(Options::to(place.rings())).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    let waiting =
        std::thread::spawn(move || get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited));
    std::thread::sleep(std::time::Duration::from_millis(50));
    place.stop();
    let reason = within_time(move || waiting.join().unwrap()).unwrap_err();
    assert!(matches!(reason, Reason::CONNECTION_BROKEN | Reason::Q_MGR_STOPPING), "{reason}");
    let Address::Rings(path) = place.rings() else { panic!("rings have a path") };
    assert!(!path.exists());
}

#[test]
fn where_no_rings_are_offered_the_socket_is_taken() {
    let place = Place::new();
    let mut options = Options::to(Address::Rings("/no/such/rings".into()));
    assert!(Connection::connect(options.clone()).is_err());
    options.addresses.push(place.socket());
    let mut connection = Connection::connect(options).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "by the socket").unwrap();
}
