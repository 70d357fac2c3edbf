//! Reading, writing, fairness, wake-ups and bounds.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use transport::{Limits, Listener, Place};

use crate::lines::{SHARE, eventually, loopback, receive, send, serve};

#[test]
fn frames_come_back_over_tcp_and_unix_sockets() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let running = serve(Limits::default(), vec![loopback(), Listener::unix(&path).unwrap()], vec![]);
    let mut tcp = running.connect();
    let mut unix = UnixStream::connect(&path).unwrap();
    for length in [0, 1, 2048, 70_000, 1_500_000] {
        let body = vec![u8::try_from(length % 251).unwrap(); length];
        send(&mut tcp, &body);
        send(&mut unix, &body);
        assert_eq!(receive(&mut tcp), body);
        assert_eq!(receive(&mut unix), body);
    }
    drop(running);
    assert!(!path.exists(), "the path goes with the listener");
}

#[test]
fn a_frame_may_come_byte_by_byte() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    let mut stream = running.connect();
    stream.set_nodelay(true).unwrap();
    let mut frames = Vec::new();
    send(&mut frames, b"slow");
    send(&mut frames, b"and slower");
    for byte in frames {
        stream.write_all(&[byte]).unwrap();
    }
    assert_eq!(receive(&mut stream), b"slow");
    assert_eq!(receive(&mut stream), b"and slower");
}

/// However a stream is cut: between frames, within the length of one, within short and long ones.
#[test]
fn frames_that_follow_each_other_are_cut_anywhere() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    let mut stream = running.connect();
    let mut reader = stream.try_clone().unwrap();
    let lengths = [2100, 3, 0, 40_000, 2100, 2100, 70_000, 1, 17_000];
    let bodies: Vec<Vec<u8>> =
        (0..400_usize).map(|number| vec![number as u8; lengths[number % lengths.len()]]).collect();
    let mut bytes = Vec::new();
    bodies.iter().for_each(|body| send(&mut bytes, body));
    let writer = std::thread::spawn(move || {
        let mut pieces = [1, 5_000, 65_535, 130_000, 3, 16_384, 2].into_iter().cycle();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let piece;
            (piece, rest) = rest.split_at(rest.len().min(pieces.next().unwrap()));
            stream.write_all(piece).unwrap();
        }
        stream
    });
    for (number, body) in bodies.iter().enumerate() {
        assert!(receive(&mut reader) == *body, "frame {number}");
    }
    writer.join().unwrap();
}

#[test]
fn one_who_does_not_read_is_not_read_until_the_backlog_is_gone() {
    let limits = Limits { backlog_bytes_max: 64 << 10, ..Limits::default() };
    let running = serve(limits, vec![loopback()], vec![]);
    let mut stream = running.connect();
    let mut reader = stream.try_clone().unwrap();
    let frames = 2_000;
    let writer = std::thread::spawn(move || {
        for number in 0..frames {
            send(&mut stream, &vec![u8::try_from(number % 256).unwrap(); 16 << 10]);
        }
        stream
    });
    // 32 MB are under way: far more than backlog and socket buffers hold, so the server must stall and
    // resume.
    std::thread::sleep(Duration::from_millis(100));
    assert!(running.facts.order.lock().len() < frames, "the server stopped reading");
    for number in 0..frames {
        let body = receive(&mut reader);
        assert_eq!((body.len(), body[0]), (16 << 10, u8::try_from(number % 256).unwrap()));
    }
    writer.join().unwrap();
}

#[test]
fn a_loud_connection_does_not_keep_a_quiet_one_waiting() {
    let running = serve(Limits { turn_bytes_max: 4 << 10, ..Limits::default() }, vec![loopback()], vec![]);
    let (mut loud, mut quiet) = (running.connect(), running.connect());
    send(&mut quiet, b"first");
    receive(&mut quiet);
    // Few enough for the buffers of the socket: nobody need write while the reactor is held.
    let frames = 2_000;
    let mut many = Vec::new();
    (0..frames).for_each(|_| send(&mut many, b"x"));
    let held = running.facts.hold.lock();
    loud.write_all(&many).unwrap();
    send(&mut quiet, b"let me through");
    drop(held);
    receive(&mut quiet);
    let order = running.facts.order.lock().clone();
    let of_quiet = order[1..].iter().position(|&number| number == order[0]).unwrap();
    // The loud one has a share of the turn that was held, and may come first in the turn after it.
    assert!(of_quiet <= 2 * SHARE, "served behind {of_quiet} frames of the loud one");
    std::io::copy(&mut loud.take(5 * frames), &mut std::io::sink()).unwrap();
}

#[test]
fn frames_sent_before_closing_are_all_taken() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    let mut stream = running.connect();
    let mut many = Vec::new();
    for _ in 0..1_000 {
        send(&mut many, b"taken");
    }
    stream.write_all(&many).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    eventually("the connection ends", || running.facts.closed.load(Ordering::SeqCst) == 1);
    assert_eq!(running.facts.order.lock().len(), 1_000);
}

#[test]
fn the_last_answer_arrives_although_unread_bytes_follow_the_request() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    for _ in 0..50 {
        let mut stream = running.connect();
        let mut bytes = Vec::new();
        send(&mut bytes, b"bye");
        bytes.extend([9; 200_000]);
        stream.write_all(&bytes).unwrap();
        assert_eq!(receive(&mut stream), b"bye");
        assert_eq!(stream.read(&mut [0; 1]).unwrap(), 0);
    }
    eventually("all end", || running.facts.closed.load(Ordering::SeqCst) == 50);
}

#[test]
fn wakes_from_other_threads_are_coalesced_and_not_lost() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    let mut streams: Vec<_> = (0..10).map(|_| running.connect()).collect();
    for stream in &mut streams {
        send(stream, b"here");
        receive(stream);
    }
    let (ticks, woken) = (running.facts.ticks.load(Ordering::SeqCst), &running.facts.woken);
    let before = woken.load(Ordering::SeqCst);
    let wakes = running.facts.wakes.lock().clone();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..1_000).for_each(|_| wakes.iter().for_each(|wake| wake.wake())));
        }
    });
    eventually("each is touched", || woken.load(Ordering::SeqCst) >= before + 10);
    assert!(running.facts.ticks.load(Ordering::SeqCst) - ticks < 40_000, "fewer turns than wakes");
    // A wake after the storm is not swallowed by an old note; a turn that begins after it takes all notes.
    for stream in &mut streams {
        (0..2).for_each(|_| receive_after(stream, b"settled"));
    }
    let settled = woken.load(Ordering::SeqCst);
    wakes[3].wake();
    eventually("one more", || woken.load(Ordering::SeqCst) == settled + 1);
}

#[test]
fn connections_opened_and_closed_leave_no_descriptors() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    for round in 0..20 {
        let mut streams: Vec<_> = (0..50).map(|_| running.connect()).collect();
        for stream in streams.iter_mut().step_by(2) {
            send(stream, b"hello");
            receive(stream);
        }
        drop(streams);
        let expected = (round + 1) * 50;
        eventually("all closed", || running.facts.closed.load(Ordering::SeqCst) == expected);
    }
    assert_eq!(sockets_held_on(running.address().port()), 0);
}

/// Sockets on a local port that are established, or that this process did not close after their peers did.
fn sockets_held_on(port: u16) -> usize {
    const ESTABLISHED: &str = "01";
    const CLOSE_WAIT: &str = "08";
    let suffix = format!(":{port:04X}");
    let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
    let sockets = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    sockets.filter(|of| of[1].ends_with(&suffix) && [ESTABLISHED, CLOSE_WAIT].contains(&of[3])).count()
}

#[test]
fn more_than_the_allowed_connections_are_connected_to_be_told_and_beyond_a_bound_turned_away() {
    let running = serve(Limits { connections_max: 3, ..Limits::default() }, vec![loopback()], vec![]);
    let mut kept: Vec<_> = (0..3).map(|_| running.connect()).collect();
    for stream in &mut kept {
        send(stream, b"in");
        receive(stream);
    }
    let mut told: Vec<_> = (0..16).map(|_| running.connect()).collect();
    for stream in &mut told {
        send(stream, b"in");
        receive(stream);
    }
    let places = running.facts.places.lock().clone();
    let beyond = Place::Beyond { connections_max: 3 };
    assert!(places[..3].iter().all(|place| *place == Place::Ordinary), "{places:?}");
    assert!(places[3..].iter().all(|place| *place == beyond), "{places:?}");
    let mut last = running.connect();
    assert_eq!(last.read(&mut [0; 1]).unwrap(), 0);
    assert_eq!(running.facts.refused.load(Ordering::SeqCst), 1);
    drop(told);
    kept.pop();
    eventually("room again", || running.facts.closed.load(Ordering::SeqCst) == 17);
    let mut fifth = running.connect();
    send(&mut fifth, b"in");
    assert_eq!(receive(&mut fifth), b"in");
    assert_eq!(running.facts.places.lock().last(), Some(&Place::Ordinary));
}

#[test]
fn favoured_programs_have_their_places_when_all_others_are_taken() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let limits = Limits { connections_max: 2, favoured_max: 3, ..Limits::default() };
    let running = serve(limits, vec![loopback(), Listener::unix(&path).unwrap()], vec![]);
    let served = |number: usize| eventually("served", || running.facts.places.lock().len() == number);
    let _ordinary = [(); 2].map(|()| running.connect());
    served(2);
    let mut favoured: Vec<_> = (0..4).map(|_| UnixStream::connect(&path).unwrap()).collect();
    served(6);
    let _beyond = running.connect();
    served(7);
    // The place of a favoured program that has gone is for another of them alone.
    drop(favoured.remove(0));
    eventually("gone", || running.facts.closed.load(Ordering::SeqCst) == 1);
    let _none = running.connect();
    served(8);
    let _favoured = UnixStream::connect(&path).unwrap();
    served(9);
    let beyond = Place::Beyond { connections_max: 2 };
    let mut expected = [Place::Ordinary; 9];
    [5, 6, 7].iter().for_each(|index| expected[*index] = beyond);
    assert_eq!(*running.facts.places.lock(), expected);
}

#[test]
fn connections_are_dealt_in_turn_to_several_reactors() {
    let second = serve(Limits::default(), vec![], vec![]);
    let first = serve(Limits::default(), vec![loopback()], vec![second.remote.clone()]);
    let mut streams: Vec<TcpStream> = (0..10).map(|_| first.connect()).collect();
    for stream in &mut streams {
        send(stream, b"whose?");
        receive(stream);
    }
    assert_eq!(first.facts.connected.load(Ordering::SeqCst), 5);
    assert_eq!(second.facts.connected.load(Ordering::SeqCst), 5);
}

/// The limit of descriptors is the whole process's, so the test runs in one of its own.
#[test]
fn without_descriptors_accepting_pauses_and_resumes() {
    let this = std::env::current_exe().unwrap();
    let outcome = std::process::Command::new(this)
        .args(["--ignored", "--exact", "reactor::few_descriptors", "--test-threads=1"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&outcome.stdout);
    assert!(outcome.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
#[ignore = "lowers the limit of descriptors; run by the test above"]
fn few_descriptors() {
    let running = serve(Limits::default(), vec![loopback()], vec![]);
    let mut waiting = running.connect();
    send(&mut waiting, b"in");
    receive(&mut waiting);
    // Descriptors for this side of the second connection, none for the server's.
    let hoard_from = std::fs::File::open("/dev/null").unwrap();
    let mut second = TcpStream::connect(running.address()).unwrap();
    receive_after(&mut second, b"also in");
    let resource = rustix::process::Resource::Nofile;
    let limit = rustix::process::Rlimit { current: Some(64), ..rustix::process::getrlimit(resource) };
    rustix::process::setrlimit(resource, limit).unwrap();
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    let mut hoard = Vec::new();
    while let Ok(file) = hoard_from.try_clone() {
        hoard.push(file);
    }
    socket.connect(&running.address().into()).unwrap();
    let mut third: TcpStream = socket.into();
    send(&mut third, b"and me");
    eventually("the server notices", || running.facts.refused.load(Ordering::SeqCst) > 0);
    let began = Instant::now();
    std::thread::sleep(Duration::from_millis(300));
    let refusals = running.facts.refused.load(Ordering::SeqCst);
    // It pauses for 100 ms, however long this thread had to wait for the processor.
    let pauses = usize::try_from(began.elapsed().as_millis() / 100).unwrap();
    assert!(refusals < pauses + 7, "pauses between attempts: {refusals} in {pauses}");
    hoard.clear();
    assert_eq!(receive(&mut third), b"and me");
}

fn receive_after(stream: &mut TcpStream, body: &[u8]) {
    send(stream, body);
    assert_eq!(receive(stream), body);
}
