//! Rings in shared memory, between a reactor and programs of this machine.

use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::{Buf, BytesMut};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};
use transport::rings::Program;
use transport::{Limits, Listener};

use crate::lines::{Running, eventually, loopback, receive, send, serve};

const PATIENCE: Duration = Duration::from_secs(10);

/// A reactor that offers rings, and listens on TCP.
struct Place {
    directory: tempfile::TempDir,
    running: Running,
}

impl Place {
    fn with(limits: Limits) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let rings = Listener::rings(&directory.path().join("rings")).unwrap();
        Self { running: serve(limits, vec![loopback(), rings], vec![]), directory }
    }

    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("rings")
    }

    fn connect(&self) -> Wire {
        let stream = UnixStream::connect(self.path()).unwrap();
        Wire { program: Arc::new(Program::accept(stream, PATIENCE).unwrap()), taken: BytesMut::new() }
    }
}

/// A program's end as a stream of bytes.
#[derive(Clone)]
struct Wire {
    program: Arc<Program>,
    /// Bytes that have come and were not asked for yet.
    taken: BytesMut,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken.is_empty() {
            let mut into = [0; 4096];
            let bytes = self.program.receive(&mut into, true)?;
            self.taken.extend_from_slice(&into[..bytes]);
        }
        let bytes = self.taken.len().min(buffer.len());
        self.taken.split_to(bytes).copy_to_slice(&mut buffer[..bytes]);
        Ok(bytes)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.program.send(&[IoSlice::new(bytes)], PATIENCE)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the end of a connection, which a bell that the reactor had yet to take turns into a reset.
fn end_of(read: io::Result<usize>) -> io::Result<usize> {
    read.or_else(|error| if error.kind() == ErrorKind::ConnectionReset { Ok(0) } else { Err(error) })
}

#[test]
fn frames_come_back_over_rings() {
    let place = Place::new();
    let mut wire = place.connect();
    for length in [0, 1, 2048, 70_000, 1_500_000] {
        let body = vec![u8::try_from(length % 251).unwrap(); length];
        send(&mut wire, &body);
        assert_eq!(receive(&mut wire), body);
    }
    let path = place.path();
    drop(place.running);
    assert!(!path.exists(), "the path goes with the listener");
    let end = end_of(wire.read(&mut [0; 1]));
    assert_eq!(end.unwrap(), 0, "the end of the reactor is the end of the connection");
}

#[test]
fn many_who_pause_and_many_who_do_not_are_served_beside_others() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for number in 0..24_u8 {
            let mut wire = place.connect();
            scope.spawn(move || {
                for turn in 0..200_u8 {
                    if number % 2 == 0 && turn % 16 == 0 {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    let body = vec![number ^ turn; usize::from(turn) * 50];
                    send(&mut wire, &body);
                    assert_eq!(receive(&mut wire), body);
                }
            });
        }
        let mut tcp = place.running.connect();
        for turn in 0..200_u8 {
            send(&mut tcp, &[turn; 100]);
            assert_eq!(receive(&mut tcp), [turn; 100]);
        }
    });
    eventually("all end", || place.running.facts.closed.load(Ordering::SeqCst) == 25);
}

#[test]
fn one_who_does_not_read_is_not_read_until_the_backlog_is_gone() {
    let place = Place::with(Limits { backlog_bytes_max: 64 << 10, ..Limits::default() });
    let mut wire = place.connect();
    let mut reader = wire.clone();
    let frames = 2_000;
    let writer = std::thread::spawn(move || {
        for number in 0..frames {
            send(&mut wire, &vec![u8::try_from(number % 256).unwrap(); 16 << 10]);
        }
    });
    std::thread::sleep(Duration::from_millis(100));
    assert!(place.running.facts.order.lock().len() < frames, "the reactor stopped reading");
    for number in 0..frames {
        let body = receive(&mut reader);
        assert_eq!((body.len(), body[0]), (16 << 10, u8::try_from(number % 256).unwrap()));
    }
    writer.join().unwrap();
}

#[test]
fn frames_sent_before_the_end_are_all_taken() {
    let place = Place::new();
    let mut wire = place.connect();
    let mut many = Vec::new();
    for _ in 0..1_000 {
        send(&mut many, b"taken");
    }
    wire.write_all(&many).unwrap();
    wire.program.stream().shutdown(std::net::Shutdown::Write).unwrap();
    eventually("the connection ends", || place.running.facts.closed.load(Ordering::SeqCst) == 1);
    assert_eq!(place.running.facts.order.lock().len(), 1_000);
}

#[test]
fn the_last_answer_comes_before_the_end() {
    let place = Place::new();
    for _ in 0..50 {
        let mut wire = place.connect();
        let mut bytes = Vec::new();
        send(&mut bytes, b"bye");
        bytes.extend([9; 50_000]);
        wire.write_all(&bytes).unwrap();
        assert_eq!(receive(&mut wire), b"bye");
        assert_eq!(wire.read(&mut [0; 1]).unwrap(), 0);
    }
    eventually("all end", || place.running.facts.closed.load(Ordering::SeqCst) == 50);
}

#[test]
fn who_offers_no_rings_is_found_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let running = serve(Limits::default(), vec![loopback(), Listener::unix(&path).unwrap()], vec![]);
    let stream = UnixStream::connect(&path).unwrap();
    let error = Program::accept(stream, Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock, "an ordinary socket says nothing by itself");
    let (ours, mut theirs) = UnixStream::pair().unwrap();
    theirs.write_all(&[1]).unwrap();
    let error = Program::accept(ours, PATIENCE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "a byte without memory");
    drop(running);
}

/// The memory of a connection as one has it who keeps to no rule, and the socket.
fn taken(place: &Place) -> (File, UnixStream) {
    let stream = UnixStream::connect(place.path()).unwrap();
    let mut byte = [0];
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut room);
    let into = &mut [IoSliceMut::new(&mut byte)];
    rustix::net::recvmsg(&stream, into, &mut ancillary, RecvFlags::CMSG_CLOEXEC).unwrap();
    let memory = ancillary.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    (memory.expect("memory comes with the first byte").into(), stream)
}

#[test]
fn an_end_right_behind_a_bell_is_seen() {
    let place = Place::new();
    let ends: Vec<_> = (0..200)
        .map(|_| {
            let (_memory, mut stream) = taken(&place);
            stream.write_all(&[0]).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            stream
        })
        .collect();
    eventually("all end", || place.running.facts.closed.load(Ordering::SeqCst) == ends.len());
}

#[test]
fn the_memory_keeps_its_size() {
    let place = Place::new();
    let (memory, _stream) = taken(&place);
    let length = memory.metadata().unwrap().len();
    for other in [0, length / 2, length * 2] {
        assert!(memory.set_len(other).is_err(), "{other}");
    }
}

/// One word in the memory that makes no sense ends the connection, and that one alone.
#[test]
fn who_scribbles_is_disconnected_and_nobody_else() {
    let place = Place::new();
    let mut honest = place.connect();
    for (what, word, value) in [
        ("a tail beyond the lane", 0, 1_000_000_u64 << 1),
        ("an empty record", 0, 8 << 1),
        ("all ones", 0, u64::MAX),
    ] {
        let (memory, mut stream) = taken(&place);
        memory.write_all_at(&value.to_ne_bytes(), word * 8).unwrap();
        stream.write_all(&[0]).unwrap();
        end_of(stream.read_to_end(&mut Vec::new())).expect(what);
        send(&mut honest, what.as_bytes());
        assert_eq!(receive(&mut honest), what.as_bytes());
    }
    eventually("all end", || place.running.facts.closed.load(Ordering::SeqCst) == 3);
}

/// Random words at random places, with and without bells: the reactor lives, and others are served.
#[test]
fn scribbles_of_one_harm_nobody_else() {
    let place = Place::new();
    let mut honest = place.connect();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for turn in 0..200_u64 {
        let (memory, mut stream) = taken(&place);
        let words = memory.metadata().unwrap().len() / 8;
        for _ in 0..50 {
            // The positions are hit as often as all the rest; and small numbers as often as large ones.
            let word = if next() % 2 == 0 { next() % 4 * 16 } else { next() % words };
            let value = if next() % 2 == 0 { next() } else { next() % 1_000 };
            memory.write_all_at(&value.to_ne_bytes(), word * 8).unwrap();
            // It may have been disconnected by now.
            let _ = stream.write_all(&[0]);
        }
        let body = turn.to_ne_bytes();
        send(&mut honest, &body);
        assert_eq!(receive(&mut honest), body);
    }
    eventually("all end", || place.running.facts.closed.load(Ordering::SeqCst) == 200);
}
