//! AMQP 1.0, as Artemis and ActiveMQ speak it: one session on a connection, a link each way, messages of one
//! frame.
//!
//! Lives here: frames, the credit of links and the window of the session. Lives elsewhere: values (`values`).

mod values;

use std::net::SocketAddr;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, Result, bail, ensure};

use crate::socket::{Received, Socket};
use values::{described, write_body, write_list};

/// Names the protocol and its version, before any frame and in both directions.
const GREETING: &[u8] = b"AMQP\x00\x01\x00\x00";

/// Length, where the body begins in words of four bytes, type and channel.
const FRAME_HEAD_BYTES: usize = 8;
const BODY_AT_WORD: u8 = 2;

/// The longest frame this client takes, which the broker is told.
const FRAME_BYTES_MAX: u32 = 1 << 20;

/// More frames than a run has: the window of the session bounds nothing on this side.
const WINDOW: u32 = i32::MAX as u32;

/// A queue is empty when nothing has come in so many looks.
const LOOKS_AT_NOTHING: u32 = 4;

/// Numbers of frames in the specification.
const OPEN: u8 = 0x10;
const BEGIN: u8 = 0x11;
const ATTACH: u8 = 0x12;
const FLOW: u8 = 0x13;
const TRANSFER: u8 = 0x14;
const DISPOSITION: u8 = 0x15;
const DETACH: u8 = 0x16;
const END: u8 = 0x17;
const CLOSE: u8 = 0x18;

const ACCEPTED: u8 = 0x24;
const SOURCE: u8 = 0x28;
const TARGET: u8 = 0x29;

/// The sections of a message that matter here.
const HEADER: u8 = 0x70;
const PROPERTIES: u8 = 0x73;
const DATA: u8 = 0x75;

/// The filter by which a link is given only what a selector takes.
const SELECTOR: &str = "apache.org:selector-filter:string";
const SELECTOR_DESCRIPTOR: u64 = 0x468C_0000_0004;

/// The numbers of this side's links.
const SENDER: u32 = 0;
const RECEIVER: u32 = 1;

/// A word of the broker, in places of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A message, with the number it is accepted by.
    Delivery { number: u32, body: Range<usize> },
    /// Messages that the broker took.
    Taken { count: u32 },
    /// Room for sending: frames in the session, messages on the link of this number of the broker's.
    Flow { window_end: u32, link: Option<(u32, Credit)> },
    /// A link of the broker's number, at which end it stands, and the longest a message may be.
    Attached { handle: u32, receives: bool },
    /// The session, which begins, and the frame that may be sent after all those of its window.
    Begun { window_end: u32 },
    /// The connection, which is open, and the longest frame the broker takes.
    Opened { frame_bytes_max: u32 },
    /// Anything that does not matter here.
    Other,
}

/// Messages that may be sent on a link: so many more than the broker had got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Credit {
    received: u32,
    more: u32,
}

/// A kind of node: it is made when it is first used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Queue,
    Topic,
}

impl Node {
    fn capability(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Topic => "topic",
        }
    }
}

/// A connection and its session, with at most one link for sending and one for receiving.
#[derive(Debug)]
pub(crate) struct Amqp10Connection {
    socket: Socket,
    frame_bytes_max: u32,
    /// The next transfer of this side, and the first that the broker has no room for.
    next_outgoing: u32,
    window_end: u32,
    /// Transfers that came.
    incoming: u32,
    /// The broker's number of the link for sending, what was sent on it, and how far that may go.
    sender: Option<u32>,
    sent: u32,
    sent_end: u32,
    /// Messages are taken without the broker's word.
    is_settled: bool,
    /// Links for receiving that there were; names must differ.
    receivers: u32,
    /// Of the link for receiving: messages that came, those that may come unasked, and when to ask again.
    received: u32,
    ahead: u32,
    asked_end: u32,
}

impl Amqp10Connection {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let mut connection = Self {
            socket: Socket::connect(address)?,
            frame_bytes_max: 0,
            next_outgoing: 0,
            window_end: 0,
            incoming: 0,
            sender: None,
            sent: 0,
            sent_end: 0,
            is_settled: false,
            receivers: 0,
            received: 0,
            ahead: 0,
            asked_end: 0,
        };
        let output = connection.socket.output();
        output.extend_from_slice(GREETING);
        write_frame(output, OPEN, |fields| {
            // A broker has one connection of each name.
            let name = format!("ferry-peers-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
            fields.text(&name).text("localhost").number(FRAME_BYTES_MAX);
        });
        write_frame(output, BEGIN, |fields| {
            fields.nothing().number(0).number(WINDOW).number(WINDOW);
        });
        connection.wait_for(|said| matches!(said, Said::Begun { .. }))?;
        Ok(connection)
    }

    /// Attaches the link for sending: to a node, or to the node that each message names. Settled messages are
    /// sent and forgotten.
    pub(crate) fn send_to(&mut self, to: Option<(Node, &str)>, is_settled: bool) -> Result<()> {
        self.is_settled = is_settled;
        write_frame(self.socket.output(), ATTACH, |fields| {
            fields.text("sender").number(SENDER).boolean(false).octet(u8::from(is_settled)).octet(0);
            fields.list(SOURCE, |_| {});
            fields.list(TARGET, |target| {
                if let Some((node, address)) = to {
                    target.text(address).number(0).nothing().nothing().nothing().nothing();
                    target.symbol(node.capability());
                }
            });
            fields.nothing().nothing().number(0);
        });
        self.wait_for(|said| matches!(said, Said::Attached { receives: true, .. }))
    }

    /// Attaches the link for receiving and waits until it is there.
    pub(crate) fn receive_from(&mut self, from: (Node, &str), is_settled: bool, ahead: u32) -> Result<()> {
        self.begin_receiving(from, None, is_settled, ahead);
        self.wait_for(|said| matches!(said, Said::Attached { receives: false, .. }))
    }

    /// Attaches the link for receiving by the next flush: what a selector takes, so many messages ahead.
    pub(crate) fn begin_receiving(
        &mut self,
        from: (Node, &str),
        selector: Option<&str>,
        is_settled: bool,
        ahead: u32,
    ) {
        let (name, (node, address)) = (format!("receiver{}", self.receivers), from);
        self.receivers += 1;
        write_frame(self.socket.output(), ATTACH, |fields| {
            fields.text(&name).number(RECEIVER).boolean(true).octet(u8::from(is_settled)).octet(0);
            fields.list(SOURCE, |source| {
                source.text(address).number(0).nothing().nothing().nothing().nothing().nothing();
                match selector {
                    Some(text) => source.map_to_described(SELECTOR, SELECTOR_DESCRIPTOR, text),
                    None => source.nothing(),
                };
                source.nothing().nothing().symbol(node.capability());
            });
            fields.list(TARGET, |_| {});
        });
        (self.received, self.ahead) = (0, ahead);
        self.ask();
    }

    /// Detaches the link for receiving by the next flush.
    pub(crate) fn end_receiving(&mut self) {
        write_frame(self.socket.output(), DETACH, |fields| {
            fields.number(RECEIVER).boolean(true);
        });
    }

    /// Lets come what may come ahead.
    fn ask(&mut self) {
        let (received, ahead) = (self.received, self.ahead);
        let (incoming, next_outgoing) = (self.incoming, self.next_outgoing);
        self.asked_end = received.wrapping_add(ahead);
        write_frame(self.socket.output(), FLOW, |fields| {
            fields.number(incoming).number(WINDOW).number(next_outgoing).number(WINDOW);
            fields.number(RECEIVER).number(received).number(ahead);
        });
    }

    /// Returns true if another message may be sent now.
    pub(crate) fn may_send(&self) -> bool {
        self.sent != self.sent_end && self.next_outgoing != self.window_end
    }

    /// Takes a message to be sent, which [`Self::may_send`] allowed.
    pub(crate) fn send(&mut self, message: Message<'_>, body: &[u8]) -> Result<()> {
        let (number, is_settled) = (self.next_outgoing, self.is_settled);
        let output = self.socket.output();
        let begin = output.len();
        write_frame(output, TRANSFER, |fields| {
            fields.number(SENDER).number(number).binary(&number.to_be_bytes()).number(0).boolean(is_settled);
        });
        message.write(output, body);
        let length = (output.len() - begin) as u32;
        ensure!(
            length <= self.frame_bytes_max,
            "a message of {} bytes does not fit a frame of this broker: use a smaller size",
            body.len()
        );
        output[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
        self.next_outgoing = number.wrapping_add(1);
        self.sent = self.sent.wrapping_add(1);
        Ok(())
    }

    /// Accepts messages from one number to another by the next flush.
    pub(crate) fn accept(&mut self, first: u32, last: u32) {
        write_frame(self.socket.output(), DISPOSITION, |fields| {
            fields.boolean(true).number(first).number(last).boolean(true).list(ACCEPTED, |_| {});
        });
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.socket.flush()
    }

    /// Returns the broker's next word, of which note was taken; none when it has said nothing for a moment.
    pub(crate) fn next(&mut self) -> Result<Option<Received<'_, Said>>> {
        self.read(true)
    }

    /// Returns the broker's next word if it is here already.
    pub(crate) fn here(&mut self) -> Result<Option<Received<'_, Said>>> {
        self.read(false)
    }

    fn read(&mut self, waits: bool) -> Result<Option<Received<'_, Said>>> {
        // What may come ahead is asked for when half of it has come, with whatever is sent next.
        if self.ahead > 1 && self.asked_end.wrapping_sub(self.received) <= self.ahead / 2 {
            self.ask();
        }
        if waits {
            self.socket.flush()?;
        }
        let next = if waits { self.socket.next(parse)? } else { self.socket.here(parse)? };
        let Some(received) = next else { return Ok(None) };
        match received.parsed {
            Said::Delivery { .. } => {
                self.incoming = self.incoming.wrapping_add(1);
                self.received = self.received.wrapping_add(1);
            }
            Said::Flow { window_end, link } => {
                self.window_end = window_end;
                if let Some((_, credit)) = link.filter(|(handle, _)| self.sender == Some(*handle)) {
                    self.sent_end = credit.received.wrapping_add(credit.more);
                }
            }
            Said::Attached { handle, receives: true } => self.sender = Some(handle),
            Said::Opened { frame_bytes_max } => self.frame_bytes_max = frame_bytes_max,
            Said::Begun { window_end } => self.window_end = window_end,
            _ => {}
        }
        Ok(Some(received))
    }

    /// Takes all that comes by the link for receiving until nothing more does; returns the number of
    /// messages. Draining a link is no way here: Artemis calls it drained when it has looked through a part
    /// of a long queue.
    pub(crate) fn take_all(&mut self) -> Result<u64> {
        let (mut count, mut looks) = (0, 0);
        while looks < LOOKS_AT_NOTHING {
            match self.next()?.map(|received| received.parsed) {
                Some(Said::Delivery { .. }) => (count, looks) = (count + 1, 0),
                Some(_) => {}
                None => looks += 1,
            }
        }
        Ok(count)
    }

    /// Sends what there is and waits for this; the broker has nothing else to say then.
    fn wait_for(&mut self, is_it: impl Fn(&Said) -> bool) -> Result<()> {
        self.socket.flush()?;
        loop {
            let Some(received) = self.next()? else { continue };
            if is_it(&received.parsed) {
                return Ok(());
            }
            let is_early = matches!(received.parsed, Said::Delivery { .. } | Said::Taken { .. });
            ensure!(!is_early, "{:?} came before anything was asked for", received.parsed);
        }
    }
}

/// The part of a message beside its body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Message<'a> {
    pub(crate) persistent: bool,
    /// Where it goes, if the link does not say so.
    pub(crate) to: Option<&'a str>,
    pub(crate) correlation: Option<&'a str>,
}

impl Message<'_> {
    fn write(self, output: &mut Vec<u8>, body: &[u8]) {
        if self.persistent {
            write_list(output, HEADER, |fields| {
                fields.boolean(true);
            });
        }
        if self.to.is_some() || self.correlation.is_some() {
            write_list(output, PROPERTIES, |fields| {
                fields.nothing().nothing();
                match self.to {
                    Some(to) => fields.text(to),
                    None => fields.nothing(),
                };
                fields.nothing().nothing();
                if let Some(correlation) = self.correlation {
                    fields.text(correlation);
                }
            });
        }
        write_body(output, DATA, body);
    }
}

/// Writes a frame whose body is a list of these fields. Anything that follows in the same frame must be added
/// to its length.
fn write_frame(output: &mut Vec<u8>, what: u8, write: impl FnOnce(&mut values::Fields<'_>)) {
    let begin = output.len();
    output.extend_from_slice(&[0, 0, 0, 0, BODY_AT_WORD, 0, 0, 0]);
    write_list(output, what, write);
    let length = (output.len() - begin) as u32;
    output[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
}

/// Reads what the broker says and how long it is; none while part of it is missing.
fn parse(bytes: &[u8]) -> Result<Option<(Said, usize)>> {
    let Some(head) = bytes.get(..FRAME_HEAD_BYTES) else { return Ok(None) };
    if head.starts_with(b"AMQP") {
        ensure!(head == GREETING, "the broker speaks another protocol: {head:?}");
        return Ok(Some((Said::Other, FRAME_HEAD_BYTES)));
    }
    let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
    ensure!((FRAME_HEAD_BYTES as u32..=FRAME_BYTES_MAX).contains(&length), "a frame of {length} bytes");
    let Some(frame) = bytes.get(..length as usize) else { return Ok(None) };
    let body = usize::from(head[4]) * 4;
    // An empty frame only says that the broker lives.
    let said = if body >= frame.len() { Said::Other } else { performative(frame, body)? };
    Ok(Some((said, frame.len())))
}

fn performative(frame: &[u8], at: usize) -> Result<Said> {
    let (what, list) = described(frame, at)?;
    let mut fields = list.fields(frame)?;
    Ok(match u8::try_from(what)? {
        OPEN => {
            let frame_bytes_max = fields.skip(2)?.number()?.unwrap_or(u32::MAX);
            Said::Opened { frame_bytes_max }
        }
        BEGIN => {
            let window = fields.skip(2)?.number()?.context("a session without a window")?;
            Said::Begun { window_end: window }
        }
        ATTACH => {
            let handle = fields.skip(1)?.number()?.context("a link without a number")?;
            Said::Attached { handle, receives: fields.is_true()? }
        }
        FLOW => {
            let next = fields.number()?.unwrap_or_default();
            let window = fields.number()?.context("a session without a window")?;
            let handle = fields.skip(2)?.number()?;
            let received = fields.number()?.unwrap_or_default();
            let credit = Credit { received, more: fields.number()?.unwrap_or_default() };
            Said::Flow { window_end: next.wrapping_add(window), link: handle.map(|handle| (handle, credit)) }
        }
        TRANSFER => {
            let number = fields.skip(1)?.number()?.context("a message without a number")?;
            ensure!(!fields.skip(3)?.is_true()?, "a message in several frames: use a smaller size");
            Said::Delivery { number, body: message_body(frame, list.content.end)? }
        }
        DISPOSITION => {
            if !fields.is_true()? {
                return Ok(Said::Other);
            }
            let first = fields.number()?.context("an outcome of no message")?;
            let last = fields.number()?.unwrap_or(first);
            fields.skip(1)?;
            let outcome = fields.next()?.context("a message without an outcome")?;
            let (outcome, _) = described(frame, outcome.start)?;
            ensure!(
                outcome == u64::from(ACCEPTED),
                "the broker did not take a message: outcome {outcome:#x}"
            );
            Said::Taken { count: last.wrapping_sub(first) + 1 }
        }
        DETACH => match fields.skip(2)?.next()? {
            Some(error) => bail!("the broker refuses: {}", words_of(frame, &error)?),
            None => Said::Other,
        },
        END | CLOSE => match fields.next()? {
            Some(error) => bail!("the broker refuses: {}", words_of(frame, &error)?),
            None => bail!("the broker ends the connection"),
        },
        _ => Said::Other,
    })
}

/// Returns the words of an error: its condition, and its description if it has one.
fn words_of(frame: &[u8], error: &values::Value) -> Result<String> {
    let mut fields = error.fields(frame)?;
    let mut words = Vec::new();
    while let Some(text) = fields.next()? {
        words.push(String::from_utf8_lossy(&frame[text.content]).into_owned());
        if words.len() == 2 {
            break;
        }
    }
    Ok(words.join(": "))
}

/// Where the body of a message is, whose sections begin here.
fn message_body(frame: &[u8], begin: usize) -> Result<Range<usize>> {
    let mut at = begin;
    while at < frame.len() {
        let (section, content) = described(frame, at)?;
        if section == u64::from(DATA) {
            ensure!(content.is_binary(), "a body that is not of bytes");
            return Ok(content.content);
        }
        at = content.content.end;
    }
    bail!("a message without a body of bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message as the broker sends one.
    fn transfer(message: Message<'_>, body: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        write_frame(&mut frame, TRANSFER, |fields| {
            fields.number(7).number(12).binary(b"tag").number(0).boolean(true);
        });
        message.write(&mut frame, body);
        let length = frame.len() as u32;
        frame[..4].copy_from_slice(&length.to_be_bytes());
        frame
    }

    #[test]
    fn a_message_is_read_when_all_of_its_frame_is_there() {
        for message in [
            Message::default(),
            Message { persistent: true, to: Some("queue"), correlation: Some("1-2") },
            Message { correlation: Some("1-2"), ..Message::default() },
        ] {
            let frame = transfer(message, b"body");
            let (said, length) = parse(&frame).expect("it is right").expect("it is whole");
            let Said::Delivery { number, body } = said else { panic!("{said:?}") };
            assert_eq!((number, &frame[body], length), (12, b"body".as_slice(), frame.len()));
            for cut in 0..frame.len() {
                assert_eq!(parse(&frame[..cut]).expect("so far"), None, "cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_said_of_links_and_messages_is_told() {
        let said = |what, write: &dyn Fn(&mut values::Fields<'_>)| {
            let mut frame = Vec::new();
            write_frame(&mut frame, what, write);
            parse(&frame).map(|parsed| parsed.expect("it is whole").0)
        };
        let accepted = said(DISPOSITION, &|fields| {
            fields.boolean(true).number(3).number(5).boolean(true).list(ACCEPTED, |_| {});
        });
        assert_eq!(accepted.expect("it is taken"), Said::Taken { count: 3 });
        let one = said(DISPOSITION, &|fields| {
            fields.boolean(true).number(3).nothing().boolean(true).list(ACCEPTED, |_| {});
        });
        assert_eq!(one.expect("it is taken"), Said::Taken { count: 1 });
        said(DISPOSITION, &|fields| {
            fields.boolean(true).number(3).nothing().boolean(true).list(ACCEPTED + 1, |_| {});
        })
        .expect_err("it is not taken");
        let flow = said(FLOW, &|fields| {
            fields.number(4).number(10).number(0).number(0).number(2).number(6).number(100);
        });
        let link = Some((2, Credit { received: 6, more: 100 }));
        assert_eq!(flow.expect("a flow"), Said::Flow { window_end: 14, link });
        let refused = said(DETACH, &|fields| {
            fields.number(0).boolean(true).list(0x1D, |error| {
                error.symbol("amqp:not-found").text("no such queue");
            });
        });
        let error = refused.expect_err("a refusal").to_string();
        assert!(error.contains("amqp:not-found: no such queue"), "{error}");
        let ended = said(DETACH, &|fields| {
            fields.number(0).boolean(true);
        });
        assert_eq!(ended.expect("the link has ended"), Said::Other);
        said(CLOSE, &|_| {}).expect_err("the end");
        parse(b"AMQP\x03\x01\x00\x00").expect_err("another protocol");
        assert_eq!(parse(&[0, 0, 0, 8, 2, 0, 0, 0]).expect("it lives"), Some((Said::Other, 8)));
    }
}
