//! A conversation that the queue manager ends under a link that is whole, and one that it must not end.

use crate::place::{BOTH, Place, get, open, put, reconnecting_to, within_time};
use crate::proxy::Proxy;
use client::Channel;
use mqi::{GetFlags, PutFlags, Reason, Verbs, Wait};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes of the payload of a Begin, towards its end: the generation, behind the instance.
const GENERATION_BYTES: usize = 8;
/// At its end: what is to be accounted for.
const OPTIONS_BYTES: usize = 4;

/// Ends the conversation whose login and Begin these are, as one that is newer by one does.
fn usurp(port: u16, hello: &[u8], begin: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut answer = [0; 4096];
    stream.write_all(hello).unwrap();
    assert!(stream.read(&mut answer).unwrap() > 0);
    let mut begin = begin.to_vec();
    let lowest = begin.len() - OPTIONS_BYTES - GENERATION_BYTES;
    begin[lowest] += 1;
    stream.write_all(&begin).unwrap();
    assert!(stream.read(&mut answer).unwrap() > 0);
    stream
}

#[test]
fn a_beginning_left_on_an_earlier_link_does_not_end_the_conversation_when_it_comes() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let channel = Channel::connect(reconnecting_to(proxy.port())).unwrap();
    proxy.delay_requests();
    let beginning = std::thread::spawn(move || channel.conversation());
    proxy.wait_until_held();
    proxy.cut_off_clients();
    let mut connection = within_time(move || beginning.join().unwrap()).unwrap();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, PutFlags::SYNCPOINT, "kept").unwrap();
    proxy.deliver_delayed();
    connection.commit().unwrap();
    assert_eq!(get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).as_deref(), Ok("kept"));
}

#[test]
fn a_conversation_that_was_ended_begins_again_on_its_link_and_leaves_the_others_alone() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let channel = Channel::connect(reconnecting_to(proxy.port())).unwrap();
    let mut connection = channel.conversation().unwrap();
    let [hello, begin] = proxy.written().try_into().expect("a login and a beginning");
    let mut neighbour = channel.conversation().unwrap();
    let theirs = open(&mut neighbour, "B", BOTH);
    put(&mut neighbour, theirs, PutFlags::SYNCPOINT, "untouched").unwrap();

    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, PutFlags::SYNCPOINT, "first").unwrap();
    connection.commit().unwrap();
    put(&mut connection, handle, PutFlags::SYNCPOINT, "lost").unwrap();
    let usurper = usurp(place.port(), &hello, &begin);
    assert_eq!(connection.commit(), Err(Reason::BACKED_OUT), "as with a broken link");
    drop(usurper);
    put(&mut connection, handle, PutFlags::SYNCPOINT, "second").unwrap();
    connection.commit().unwrap();

    neighbour.commit().unwrap();
    assert_eq!(proxy.connections(), 1, "all over the one link");
    // The numbers on it are not mixed up.
    let mut third = channel.conversation().unwrap();
    open(&mut third, "A", BOTH);
    drop((connection, neighbour, third));
    assert_eq!(place.drain("A"), ["first", "second"]);
    assert_eq!(place.drain("B"), ["untouched"]);
}

#[test]
fn a_put_that_an_ended_conversation_refused_is_made_in_the_next() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let channel = Channel::connect(reconnecting_to(proxy.port())).unwrap();
    let mut connection = channel.conversation().unwrap();
    let [hello, begin] = proxy.written().try_into().expect("a login and a beginning");
    let handle = open(&mut connection, "A", BOTH);
    let _usurper = usurp(place.port(), &hello, &begin);
    put(&mut connection, handle, PutFlags::NO_SYNCPOINT, "once").unwrap();
    assert_eq!(place.drain("A"), ["once"]);
}

#[test]
fn disconnecting_with_a_lost_unit_of_work_leaves_the_link_to_the_others() {
    let place = Place::new();
    let proxy = Proxy::to(place.port());
    let channel = Channel::connect(reconnecting_to(proxy.port())).unwrap();
    let mut connection = channel.conversation().unwrap();
    let handle = open(&mut connection, "A", BOTH);
    put(&mut connection, handle, PutFlags::SYNCPOINT, "lost").unwrap();
    proxy.cut();
    assert_eq!(put(&mut connection, handle, PutFlags::SYNCPOINT, "lost too"), Err(Reason::BACKED_OUT));
    assert_eq!(connection.disconnect(), Err(Reason::BACKED_OUT));
    drop(connection);
    let mut next = channel.conversation().unwrap();
    let handle = open(&mut next, "A", BOTH);
    put(&mut next, handle, PutFlags::NO_SYNCPOINT, "kept").unwrap();
    assert_eq!(proxy.connections(), 1, "the link after the cut is still the one");
    assert_eq!(place.drain("A"), ["kept"]);
}

#[test]
fn dropping_what_has_disconnected_leaves_its_number_to_who_has_it_now() {
    let place = Place::new();
    let channel = place.channel();
    let mut first = channel.conversation().unwrap();
    first.disconnect().unwrap();
    let mut second = channel.conversation().unwrap();
    drop(first);
    let put = within_time(move || {
        let handle = open(&mut second, "A", BOTH);
        put(&mut second, handle, PutFlags::NO_SYNCPOINT, "heard")
    });
    assert_eq!(put, Ok(()));
}
