//! Connections under a cover: a simple one, whose handshake is a word and whose records are bytes turned
//! over.

use std::io::{IoSlice, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::{Buf, BytesMut};
use transport::cover::SEALED_BYTES_MAX;
use transport::{Cover, CoverError, Covers, Facts, Limits, Listener, Opened};

use crate::lines::{eventually, loopback, receive, send, serve};

const GREETING: &[u8] = b"\x16shake hands";
const ANSWER: &[u8] = b"shaken";
const CLOSE: u16 = 0;

/// Records of a length and so many bytes, each turned over; a record without bytes is the end.
#[derive(Default)]
struct TurnedOver {
    is_open: bool,
}

impl Cover for TurnedOver {
    fn open(
        &mut self,
        sealed: &mut BytesMut,
        plain: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<Opened, CoverError> {
        if !self.is_open {
            if sealed.first().is_some_and(|first| *first != GREETING[0]) {
                return Ok(Opened::Bare);
            }
            if sealed.len() < GREETING.len() {
                return Ok(Opened::All);
            }
            if sealed.split_to(GREETING.len()) != GREETING {
                reply.extend_from_slice(b"no!");
                return Err(CoverError::Handshake("these are no hands".to_owned()));
            }
            reply.extend_from_slice(ANSWER);
            self.is_open = true;
            return Ok(Opened::Covered(Box::new(Facts {
                version: 0x0304,
                suite: 1,
                application: Vec::new(),
                server_name: None,
                certificates: Vec::new(),
            })));
        }
        while let Some(header) = sealed.first_chunk::<2>() {
            let length = usize::from(u16::from_le_bytes(*header));
            if length == usize::from(CLOSE) {
                return Ok(Opened::End);
            }
            if sealed.len() < 2 + length {
                break;
            }
            sealed.advance(2);
            plain.extend(sealed.split_to(length).iter().map(|byte| !byte));
        }
        Ok(Opened::All)
    }

    fn seal(&mut self, pieces: &[IoSlice<'_>], sealed: &mut BytesMut) -> Result<usize, CoverError> {
        let mut taken = 0;
        for piece in pieces {
            for part in piece.chunks(10_000) {
                if taken + part.len() > SEALED_BYTES_MAX {
                    return Ok(taken);
                }
                sealed.extend_from_slice(&u16::try_from(part.len()).unwrap().to_le_bytes());
                sealed.extend(part.iter().map(|byte| !byte));
                taken += part.len();
            }
        }
        Ok(taken)
    }

    fn close(&mut self, sealed: &mut BytesMut) {
        sealed.extend_from_slice(&CLOSE.to_le_bytes());
    }
}

struct AllTurnedOver;

impl Covers for AllTurnedOver {
    fn cover(&self) -> Box<dyn Cover> {
        Box::<TurnedOver>::default()
    }
}

fn covered() -> Listener {
    loopback().covered(Arc::new(AllTurnedOver))
}

/// The program's end of such a connection.
struct Program {
    stream: TcpStream,
    plain: Vec<u8>,
}

impl Program {
    fn shaking(mut stream: TcpStream) -> Self {
        stream.write_all(GREETING).unwrap();
        let mut answer = [0; ANSWER.len()];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(answer, ANSWER);
        Self { stream, plain: Vec::new() }
    }
}

impl Write for Program {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let part = &bytes[..bytes.len().min(30_000)];
        let mut record = u16::try_from(part.len()).unwrap().to_le_bytes().to_vec();
        record.extend(part.iter().map(|byte| !byte));
        self.stream.write_all(&record)?;
        Ok(part.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Read for Program {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.plain.is_empty() {
            let mut header = [0; 2];
            self.stream.read_exact(&mut header)?;
            self.plain.resize(usize::from(u16::from_le_bytes(header)), 0);
            self.stream.read_exact(&mut self.plain)?;
        }
        let bytes = buffer.len().min(self.plain.len());
        for (to, from) in buffer.iter_mut().zip(self.plain.drain(..bytes)) {
            *to = !from;
        }
        Ok(bytes)
    }
}

#[test]
fn frames_come_back_under_a_cover() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut program = Program::shaking(running.connect());
    for length in [1, 2048, 70_000, 1_500_000] {
        let body = vec![u8::try_from(length % 251).unwrap(); length];
        let mut frame = Vec::new();
        send(&mut frame, &body);
        std::thread::scope(|scope| {
            let mut stream = Program { stream: program.stream.try_clone().unwrap(), plain: Vec::new() };
            let frame = &frame;
            scope.spawn(move || stream.write_all(frame).unwrap());
            assert!(receive(&mut program) == body, "{length} bytes");
        });
    }
    assert_eq!(*running.facts.covered.lock(), [true]);
}

#[test]
fn records_and_the_handshake_may_come_byte_by_byte() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut stream = running.connect();
    stream.set_nodelay(true).unwrap();
    let mut bytes = GREETING.to_vec();
    for body in [&b"slow"[..], b"and slower"] {
        let mut frame = Vec::new();
        send(&mut frame, body);
        bytes.extend(u16::try_from(frame.len()).unwrap().to_le_bytes());
        bytes.extend(frame.iter().map(|byte| !byte));
    }
    for byte in bytes {
        stream.write_all(&[byte]).unwrap();
    }
    let mut answer = [0; ANSWER.len()];
    stream.read_exact(&mut answer).unwrap();
    let mut program = Program { stream, plain: Vec::new() };
    assert_eq!(receive(&mut program), b"slow");
    assert_eq!(receive(&mut program), b"and slower");
}

#[test]
fn frames_behind_the_handshake_in_one_segment_are_taken() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut stream = running.connect();
    let mut frame = Vec::new();
    send(&mut frame, b"at once");
    let mut bytes = GREETING.to_vec();
    bytes.extend(u16::try_from(frame.len()).unwrap().to_le_bytes());
    bytes.extend(frame.iter().map(|byte| !byte));
    stream.write_all(&bytes).unwrap();
    let mut answer = [0; ANSWER.len()];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(receive(&mut Program { stream, plain: Vec::new() }), b"at once");
}

#[test]
fn the_handler_is_told_of_a_program_that_does_not_encrypt() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut stream = running.connect();
    send(&mut stream, b"in the clear");
    assert_eq!(receive(&mut stream), b"in the clear");
    assert_eq!(*running.facts.covered.lock(), [false]);
}

#[test]
fn a_failed_handshake_has_a_last_word_and_a_reason() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut stream = running.connect();
    stream.write_all(b"\x16shake feet!").unwrap();
    // More than is read: without patience the end would overtake the last word.
    let _ = stream.write_all(&[9; 100_000]);
    let mut word = Vec::new();
    stream.read_to_end(&mut word).unwrap();
    assert_eq!(word, b"no!");
    drop(stream);
    eventually("the connection ends", || running.facts.closed.load(Ordering::SeqCst) == 1);
    let expected = CoverError::Handshake("these are no hands".to_owned());
    assert_eq!(*running.facts.uncovered.lock(), [expected]);
}

#[test]
fn a_connection_that_is_cut_off_is_no_end_in_order() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut program = Program::shaking(running.connect());
    send(&mut program, b"in");
    assert_eq!(receive(&mut program), b"in");
    drop(program);
    eventually("the connection ends", || running.facts.closed.load(Ordering::SeqCst) == 1);
    assert_eq!(*running.facts.uncovered.lock(), [CoverError::CutOff]);
    let mut program = Program::shaking(running.connect());
    program.stream.write_all(&CLOSE.to_le_bytes()).unwrap();
    drop(program);
    eventually("the connection ends", || running.facts.closed.load(Ordering::SeqCst) == 2);
    drop(running.connect());
    eventually("the connection ends", || running.facts.closed.load(Ordering::SeqCst) == 3);
    assert_eq!(running.facts.uncovered.lock().len(), 1, "these two ended in order");
}

#[test]
fn a_handshake_that_takes_too_long_ends_the_connection() {
    let limits = Limits { handshake_within: Duration::from_millis(50), ..Limits::default() };
    let running = serve(limits, vec![covered()], vec![]);
    let mut done = Program::shaking(running.connect());
    let mut silent = running.connect();
    let mut slow = running.connect();
    slow.write_all(&GREETING[..3]).unwrap();
    assert_eq!((silent.read(&mut [0]).unwrap(), slow.read(&mut [0]).unwrap()), (0, 0));
    let expected = CoverError::TooSlow(Duration::from_millis(50));
    eventually("both end", || running.facts.closed.load(Ordering::SeqCst) == 2);
    assert_eq!(*running.facts.uncovered.lock(), [expected.clone(), expected]);
    send(&mut done, b"still here");
    assert_eq!(receive(&mut done), b"still here");
}

#[test]
fn a_handshake_that_is_too_long_ends_the_connection() {
    let running = serve(Limits::default(), vec![loopback().covered(Arc::new(NeverShaken))], vec![]);
    let mut stream = running.connect();
    let _ = stream.write_all(&[0x16; 1 << 20]);
    drop(stream);
    eventually("it ends", || running.facts.closed.load(Ordering::SeqCst) == 1);
    assert_eq!(*running.facts.uncovered.lock(), [CoverError::TooLong]);
}

/// A cover whose handshake never has all its bytes.
struct NeverShaken;

impl Covers for NeverShaken {
    fn cover(&self) -> Box<dyn Cover> {
        Box::new(Self)
    }
}

impl Cover for NeverShaken {
    fn open(&mut self, _: &mut BytesMut, _: &mut BytesMut, _: &mut BytesMut) -> Result<Opened, CoverError> {
        Ok(Opened::All)
    }

    fn seal(&mut self, _: &[IoSlice<'_>], _: &mut BytesMut) -> Result<usize, CoverError> {
        Ok(0)
    }

    fn close(&mut self, _: &mut BytesMut) {}
}

#[test]
fn the_end_is_said_under_the_cover() {
    let running = serve(Limits::default(), vec![covered()], vec![]);
    let mut program = Program::shaking(running.connect());
    send(&mut program, b"bye");
    assert_eq!(receive(&mut program), b"bye");
    let mut rest = Vec::new();
    program.stream.read_to_end(&mut rest).unwrap();
    assert_eq!(rest, CLOSE.to_le_bytes());
}

#[test]
fn a_program_that_does_not_read_is_not_read_and_loses_nothing() {
    let limits = Limits { backlog_bytes_max: 64 << 10, ..Limits::default() };
    let running = serve(limits, vec![covered()], vec![]);
    let mut program = Program::shaking(running.connect());
    let mut stream = Program { stream: program.stream.try_clone().unwrap(), plain: Vec::new() };
    let frames = 2_000;
    let writer = std::thread::spawn(move || {
        for number in 0..frames {
            send(&mut stream, &vec![u8::try_from(number % 256).unwrap(); 16 << 10]);
        }
    });
    std::thread::sleep(Duration::from_millis(100));
    assert!(running.facts.order.lock().len() < frames, "the server stopped reading");
    for number in 0..frames {
        let body = receive(&mut program);
        assert_eq!((body.len(), body[0]), (16 << 10, u8::try_from(number % 256).unwrap()), "{number}");
    }
    writer.join().unwrap();
}
