//! A client of AMQP that sends to one queue and waits for the outcome of each message.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use amqp::DeliveryState;
use amqp::frame::{Frame, FrameType, Protocol, put_frame};
use amqp::performative::{Attach, Begin, Open, Performative, Transfer};
use amqp::sections::{DATA, Header};
use amqp::terminus::Target;
use amqp::types::Raw;
use amqp::types::write::{Composite, put_binary, put_boolean, put_descriptor};

use crate::installation::Broken;

const HANDLE: u32 = 0;
const WINDOW: u32 = 1_000;
const FRAME_BYTES_MAX: u32 = 1 << 20;

/// A connection with one link, which leads to a queue.
pub(super) struct Sender {
    stream: TcpStream,
    /// Bytes that came and are no whole frame yet.
    bytes: Vec<u8>,
    sent: u32,
    /// The number of messages up to which it may send.
    sends_until: u32,
}

/// News of a frame.
enum News {
    Credit(u32),
    Outcome(bool),
    Other,
}

fn broken(error: impl std::fmt::Display) -> Broken {
    format!("AMQP: {error}")
}

impl Sender {
    pub(super) fn open(port: u16, queue: &str, patience: Duration) -> Result<Self, Broken> {
        let stream = TcpStream::connect(("127.0.0.1", port)).map_err(broken)?;
        stream.set_read_timeout(Some(patience)).map_err(broken)?;
        let mut sender = Self { stream, bytes: Vec::new(), sent: 0, sends_until: 0 };
        sender.stream.write_all(&Protocol::Amqp.header()).map_err(broken)?;
        sender.say(Open { container_id: "quotas", ..Open::default() })?;
        sender.say(Begin { incoming_window: WINDOW, outgoing_window: WINDOW, ..Begin::default() })?;
        let mut target = Vec::new();
        Target { address: Some(queue), ..Target::default() }.write(&mut target);
        let target = Some(Raw(&target));
        let initial_delivery_count = Some(0);
        sender.say(Attach {
            name: "quotas",
            handle: HANDLE,
            target,
            initial_delivery_count,
            ..Attach::default()
        })?;
        Ok(sender)
    }

    fn say<'a>(&mut self, performative: impl Into<Performative<'a>>) -> Result<(), Broken> {
        let mut bytes = Vec::new();
        performative.into().put(&mut bytes, 0);
        self.stream.write_all(&bytes).map_err(broken)
    }

    /// Sends a message and waits for its outcome: true if it was accepted.
    pub(super) fn send(&mut self, is_durable: bool, body: &[u8]) -> Result<bool, Broken> {
        while self.sent >= self.sends_until {
            if let News::Credit(until) = self.next()? {
                self.sends_until = until;
            }
        }
        let tag = self.sent.to_be_bytes();
        let (delivery_id, delivery_tag) = (Some(self.sent), Some(&tag[..]));
        let transfer = Transfer { handle: HANDLE, delivery_id, delivery_tag, ..Transfer::default() };
        let mut bytes = Vec::new();
        put_frame(&mut bytes, FrameType::Amqp, 0, |out| {
            transfer.write(out);
            let mut header = Composite::begin(out, Header::CODE);
            header.put(|out| put_boolean(out, is_durable));
            header.end();
            put_descriptor(out, DATA);
            put_binary(out, body);
        });
        self.stream.write_all(&bytes).map_err(broken)?;
        self.sent += 1;
        loop {
            match self.next()? {
                News::Outcome(is_accepted) => return Ok(is_accepted),
                News::Credit(until) => self.sends_until = until,
                News::Other => {}
            }
        }
    }

    /// The next frame.
    fn next(&mut self) -> Result<News, Broken> {
        loop {
            if self.bytes.starts_with(b"AMQP") && self.bytes.len() >= 8 {
                self.bytes.drain(..8);
            }
            let frame = Frame::decode(&self.bytes, FRAME_BYTES_MAX).map_err(broken)?;
            if let Some(frame) = frame {
                let news = if frame.body.is_empty() { News::Other } else { news_of(frame.body)? };
                let length = frame.bytes;
                self.bytes.drain(..length);
                return Ok(news);
            }
            let mut more = [0; 4096];
            match self.stream.read(&mut more).map_err(broken)? {
                0 => return Err("AMQP: the connection ended".to_owned()),
                count => self.bytes.extend_from_slice(&more[..count]),
            }
        }
    }
}

fn news_of(body: &[u8]) -> Result<News, Broken> {
    let (performative, _) = Performative::decode(body).map_err(broken)?;
    Ok(match performative {
        Performative::Flow(flow) if flow.handle == Some(HANDLE) => {
            News::Credit(flow.delivery_count.unwrap_or(0).wrapping_add(flow.link_credit.unwrap_or(0)))
        }
        Performative::Disposition(told) => {
            let state = told.state.map(|state| DeliveryState::decode(state.0)).transpose().map_err(broken)?;
            News::Outcome(state == Some(DeliveryState::Accepted))
        }
        Performative::Detach(_) | Performative::End(_) | Performative::Close(_) => {
            return Err(format!("AMQP: the link ended: {performative:?}"));
        }
        _ => News::Other,
    })
}
