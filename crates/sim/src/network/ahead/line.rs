//! A program's end of its link: logs in, opens the queue, and tells replies from messages that come ahead.

use bytes::{Buf, BytesMut};
use channel::client::{Reply, Request};
use channel::{Conversation, Flags, Frame, Header, Hello, Kind, Output, RequestNumber};
use mqi::{MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence, Reason};
use testing::history::{MessageIdentity, body};

use super::super::link::{Link, PROGRAM, take};

pub(super) const CONVERSATION: Conversation = Conversation(1);

/// The longest frame that may come.
const BYTES_MAX: u32 = 1 << 20;

/// The things that a program is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A message; with the number of its delivery when it came ahead.
    Message { came: Came, delivery: Option<(u32, RequestNumber)> },
    /// No more messages come to this credit.
    Ended { credit: RequestNumber, reason: Reason },
    /// The thing asked for is done, or is not.
    Answer(RequestNumber, Result<(), Reason>),
}

/// A message as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Came {
    pub(super) message: MessageIdentity,
    pub(super) priority: u8,
    pub(super) is_persistent: bool,
    pub(super) is_reserved: bool,
}

pub(super) struct Line {
    number: u32,
    input: BytesMut,
    pub(super) output: Output,
    requests: u32,
    handle: Option<ObjectHandle>,
}

impl Line {
    pub(super) fn new(number: u32) -> Self {
        let mut output = Output::default();
        let hello = Hello {
            application: format!("{PROGRAM}{number}"),
            user: "simulation".to_owned(),
            process: number,
            ..Hello::default()
        };
        output.cork().extend_from_slice(&channel::preamble::MAGIC);
        hello.encode(output.cork());
        Self { number, input: BytesMut::new(), output, requests: 0, handle: None }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn is_open(&self) -> bool {
        self.handle.is_some()
    }

    /// The queue.
    pub(super) fn handle(&self) -> ObjectHandle {
        self.handle.expect("nothing is asked before the queue is open")
    }

    pub(super) fn request(&mut self) -> RequestNumber {
        self.requests += 1;
        RequestNumber(self.requests)
    }

    pub(super) fn ask(&mut self, request: &Request<'_>, flags: Flags) -> RequestNumber {
        let number = self.request();
        request.encode(self.output.cork(), CONVERSATION, number, flags);
        number
    }

    /// Sends what the link takes; how many bytes that are.
    pub(super) fn send(&mut self, link: &mut Link) -> u64 {
        let bytes = take(&mut self.output, link.to_server.room());
        link.to_server.send(&bytes);
        bytes.len() as u64
    }

    pub(super) fn arrive(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
    }

    /// The next thing that the program is told, if it is here. An error is something that no queue manager
    /// may say.
    pub(super) fn next(&mut self) -> Result<Option<Told>, String> {
        loop {
            let input = self.input.split();
            let decoded = Frame::decode(&input, BYTES_MAX).map_err(|error| error.to_string())?;
            let Some(frame) = decoded else {
                self.input = input;
                return Ok(None);
            };
            let length = frame.bytes();
            let told = self.told(&frame)?;
            let mut rest = input;
            rest.advance(length);
            self.input = rest;
            if told.is_some() {
                return Ok(told);
            }
        }
    }

    fn told(&mut self, frame: &Frame<'_>) -> Result<Option<Told>, String> {
        let Header { kind, request, flags, .. } = frame.header;
        match kind {
            Kind::Heartbeat => {
                self.ask(&Request::Heartbeat, Flags::NONE);
                return Ok(None);
            }
            Kind::Welcome => {
                let instance = [u8::try_from(self.number).expect("few"); 16];
                self.ask(&Request::Begin { instance, generation: 1, options: 0 }, Flags::NONE);
                return Ok(None);
            }
            _ => {}
        }
        let mut descriptor = MessageDescriptor::default();
        let reply = Reply::decode(frame, BYTES_MAX, &mut descriptor);
        let reply = reply.map_err(|error| format!("{:?}: {error}", frame.header))?;
        let (message, delivery) = match reply {
            Reply::Begun { .. } => {
                let object = ObjectDescriptor::queue("Q0".parse().expect("a name"));
                let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
                self.ask(&Request::Open { object, options }, Flags::NONE);
                return Ok(None);
            }
            Reply::Opened(opened) => {
                self.handle = Some(opened.handle);
                return Ok(None);
            }
            Reply::Delivered { number, message, .. } => (message, Some((number, request))),
            Reply::Got(message) => (message, None),
            Reply::Failed { reason, .. } if kind == Kind::Delivered => {
                return Ok(Some(Told::Ended { credit: request, reason }));
            }
            Reply::Failed { reason, .. } => return Ok(Some(Told::Answer(request, Err(reason)))),
            Reply::Done | Reply::PutDone { .. } => return Ok(Some(Told::Answer(request, Ok(())))),
            other => return Err(format!("program {} was told {other:?}", self.number)),
        };
        let identity = body::identity(message.body).ok_or("a body that nobody put")?;
        let priority = u8::try_from(descriptor.priority.code()).map_err(|error| error.to_string())?;
        let is_persistent = descriptor.persistence == Persistence::Persistent;
        let is_reserved = flags.contains(Flags::RESERVED);
        let came = Came { message: identity, priority, is_persistent, is_reserved };
        Ok(Some(Told::Message { came, delivery }))
    }
}
