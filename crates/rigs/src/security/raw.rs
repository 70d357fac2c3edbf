//! A client of bare frames, which says what no client would.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use channel::client::Target;
use channel::{Conversation, Flags, Frame, Hello, Kind, Output, Request, RequestNumber};
use mqi::{MessageDescriptor, ObjectDescriptor, PutFlags, PutOptions};

use super::super::installation::Broken;
use super::secured::{SILENCE_MAX, opening, socket};

/// The one conversation.
const CONVERSATION: Conversation = Conversation(1);

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The request is done.
    Done,
    /// It failed for this reason.
    Failed(i32),
    /// The connection is closed; the words it was refused with, if there were any.
    Closed(String),
}

/// A frame that came.
#[derive(Debug)]
struct Came {
    kind: u8,
    flags: u8,
    /// The number of its request.
    request: u32,
    payload: Vec<u8>,
}

/// A connection of bare frames.
pub(super) struct Raw {
    socket: TcpStream,
    input: Vec<u8>,
    requests: u32,
}

impl Raw {
    /// Says Hello, and begins a conversation if it is let in.
    pub(super) fn log_in(port: u16, hello: &Hello) -> Result<Self, Broken> {
        let mut raw = Self { socket: socket(port)?, input: Vec::new(), requests: 0 };
        raw.send(&opening(hello))?;
        match raw.frame()? {
            Some(frame) if frame.kind == Kind::Welcome as u8 => {}
            other => return Err(format!("the Hello is answered with {other:?}")),
        }
        let begin = Request::Begin { instance: [0; 16], generation: 0, options: 0 };
        match raw.ask(&begin)? {
            Answer::Done => Ok(raw),
            other => Err(format!("the conversation does not begin: {other:?}")),
        }
    }

    /// Sends bytes; a queue manager that has closed already takes no more of them.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        match self.socket.write_all(bytes) {
            Err(error) if !matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {
                Err(error.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Makes a request that has no body, and waits for its answer.
    pub(super) fn ask(&mut self, request: &Request<'_>) -> Result<Answer, Broken> {
        let mut bytes = Vec::new();
        self.requests += 1;
        request.encode(&mut bytes, CONVERSATION, RequestNumber(self.requests), Flags::NONE);
        self.send(&bytes)?;
        self.answer()
    }

    /// A put to a queue by name, whose body is said to be so long, and of which these bytes come.
    pub(super) fn put(&mut self, queue: &str, whole: u32, body: &[u8]) -> Vec<u8> {
        self.requests += 1;
        let header = channel::Header::new(Kind::Put1, CONVERSATION, RequestNumber(self.requests));
        let target = Target::Object(Box::new(ObjectDescriptor::queue(queue.parse().expect("a name"))));
        let (descriptor, options) = (MessageDescriptor::default(), PutOptions::with(PutFlags::NO_SYNCPOINT));
        let mut out = Output::default();
        channel::client::put(&mut out, header, &target, &descriptor, &options, bytes::Bytes::new(), 1 << 16);
        let mut frame = out.cork().clone();
        let end = frame.len() - 4;
        frame[end..].copy_from_slice(&whole.to_le_bytes());
        frame.extend_from_slice(body);
        with_length(frame)
    }

    /// The next piece of the body of the last put.
    pub(super) fn fragment(&self, piece: &[u8]) -> Vec<u8> {
        fragment(self.requests, piece)
    }

    /// Waits for the answer of the last request.
    pub(super) fn answer(&mut self) -> Result<Answer, Broken> {
        let begun = Instant::now();
        while begun.elapsed() < SILENCE_MAX {
            let Some(Came { kind, flags, request, payload }) = self.frame()? else {
                return Ok(Answer::Closed(String::new()));
            };
            if kind == Kind::Refused as u8 {
                let text = payload.get(8..).unwrap_or_default();
                return Ok(Answer::Closed(String::from_utf8_lossy(text).into_owned()));
            }
            if request != self.requests {
                continue;
            }
            if Flags(flags).contains(Flags::FAILED) {
                let reason = payload.first_chunk().ok_or("a failed reply has no reason")?;
                return Ok(Answer::Failed(i32::from_le_bytes(*reason)));
            }
            return Ok(Answer::Done);
        }
        Err("no answer".to_owned())
    }

    /// True if the connection is closed within this time.
    pub(super) fn is_closed_within(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < time {
            match self.frame() {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
        false
    }

    /// The next frame that comes; none once it is closed.
    fn frame(&mut self) -> Result<Option<Came>, Broken> {
        loop {
            if let Ok(Some(length)) = Frame::length(&self.input, u32::MAX)
                && self.input.len() >= length
            {
                let frame: Vec<u8> = self.input.drain(..length).collect();
                let request = u32::from_le_bytes([frame[8], frame[9], frame[10], frame[11]]);
                let payload = frame[12..].to_vec();
                return Ok(Some(Came { kind: frame[4], flags: frame[5], request, payload }));
            }
            let mut bytes = [0; 16 << 10];
            match self.socket.read(&mut bytes) {
                Ok(0) => return Ok(None),
                Ok(read) => self.input.extend_from_slice(&bytes[..read]),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(None),
                Err(error) => return Err(format!("nothing comes: {error}")),
            }
        }
    }
}

/// A piece of the body of a request.
pub(super) fn fragment(request: u32, piece: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    Request::Heartbeat.encode(&mut frame, CONVERSATION, RequestNumber(request), Flags::NONE);
    frame[4] = Kind::Fragment as u8;
    frame.extend_from_slice(piece);
    with_length(frame)
}

/// The same frame with the length that it has.
fn with_length(mut frame: Vec<u8>) -> Vec<u8> {
    let counted = frame.len() as u32 - 4;
    frame[..4].copy_from_slice(&counted.to_le_bytes());
    frame
}
