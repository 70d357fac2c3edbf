//! AMQP 0-9-1, as RabbitMQ speaks it: one channel on a connection, methods by number, a message in three
//! frames.

use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Context as _, Result, bail, ensure};

use crate::socket::{Received, Socket};

const METHOD: u8 = 1;
const HEADER: u8 = 2;
const BODY: u8 = 3;
const FRAME_END: u8 = 0xCE;

/// Type, channel and length before a frame's payload.
const FRAME_HEAD_BYTES: usize = 7;

/// The longest frame this client takes, which the broker is told.
const FRAME_BYTES_MAX: u32 = 128 << 10;

/// Class and method, as the specification numbers them.
pub(crate) type Method = (u16, u16);

const CONNECTION_START: Method = (10, 10);
const CONNECTION_START_OK: Method = (10, 11);
const CONNECTION_TUNE: Method = (10, 30);
const CONNECTION_TUNE_OK: Method = (10, 31);
const CONNECTION_OPEN: Method = (10, 40);
const CONNECTION_OPEN_OK: Method = (10, 41);
const CONNECTION_CLOSE: Method = (10, 50);
const CHANNEL_OPEN: Method = (20, 10);
const CHANNEL_OPEN_OK: Method = (20, 11);
const CHANNEL_CLOSE: Method = (20, 40);
const EXCHANGE_DECLARE: Method = (40, 10);
const EXCHANGE_DECLARE_OK: Method = (40, 11);
const QUEUE_DECLARE: Method = (50, 10);
const QUEUE_DECLARE_OK: Method = (50, 11);
const QUEUE_BIND: Method = (50, 20);
const QUEUE_BIND_OK: Method = (50, 21);
const BASIC_QOS: Method = (60, 10);
const BASIC_QOS_OK: Method = (60, 11);
const BASIC_CONSUME: Method = (60, 20);
const BASIC_CONSUME_OK: Method = (60, 21);
const BASIC_PUBLISH: Method = (60, 40);
const BASIC_DELIVER: Method = (60, 60);
const BASIC_ACK: Method = (60, 80);
const BASIC_NACK: Method = (60, 120);
const CONFIRM_SELECT: Method = (85, 10);
const CONFIRM_SELECT_OK: Method = (85, 11);

/// Of properties: who is to be answered, that a message must last, and what the broker says of it.
const HAS_REPLY_TO: u16 = 1 << 9;
const HAS_DELIVERY_MODE: u16 = 1 << 12;
const HAS_HEADERS: u16 = 1 << 13;
const PERSISTENT: u8 = 2;

/// A word of the broker, in places of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A message, with the number it is acknowledged by.
    Delivery {
        tag: u64,
        reply_to: Option<Range<usize>>,
        body: Range<usize>,
    },
    /// Everything put up to this number is confirmed.
    Confirmed {
        tag: u64,
        several: bool,
    },
    /// Another method, with where its arguments are.
    Method(Method, Range<usize>),
    Heartbeat,
}

/// The way a queue keeps its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueKind {
    /// In memory, gone with the broker.
    Transient,
    /// In a log that is forced, durable.
    Quorum,
    /// For one connection, gone with it.
    Exclusive,
}

/// A connection and its channel.
#[derive(Debug)]
pub(crate) struct Amqp091Connection {
    socket: Socket,
}

impl Amqp091Connection {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let mut connection = Self { socket: Socket::connect(address)? };
        connection.socket.output().extend_from_slice(b"AMQP\x00\x00\x09\x01");
        connection.socket.flush()?;
        connection.expect(CONNECTION_START)?;
        let mut start = Arguments::default();
        start.long(0).short_string("PLAIN").long_string(b"\0guest\0guest").short_string("en_US");
        connection.call_on(0, CONNECTION_START_OK, &start, CONNECTION_TUNE)?;
        let mut tune = Arguments::default();
        // Channels, bytes of a frame, no heartbeats.
        tune.short(1).long(FRAME_BYTES_MAX).short(0);
        write_method(connection.socket.output(), 0, CONNECTION_TUNE_OK, &tune.0);
        let mut open = Arguments::default();
        open.short_string("/").short_string("").octet(0);
        connection.call_on(0, CONNECTION_OPEN, &open, CONNECTION_OPEN_OK)?;
        let mut channel = Arguments::default();
        channel.short_string("");
        connection.call(CHANNEL_OPEN, &channel, CHANNEL_OPEN_OK)?;
        Ok(connection)
    }

    /// Has what is put confirmed.
    pub(crate) fn confirm_puts(&mut self) -> Result<()> {
        let mut arguments = Arguments::default();
        arguments.octet(0);
        self.call(CONFIRM_SELECT, &arguments, CONFIRM_SELECT_OK).map(drop)
    }

    /// Declares a queue; how many messages are on it.
    pub(crate) fn declare(&mut self, queue: &str, kind: QueueKind) -> Result<u64> {
        const DURABLE: u8 = 2;
        const EXCLUSIVE: u8 = 4;
        let mut arguments = Arguments::default();
        arguments.short(0).short_string(queue);
        match kind {
            QueueKind::Transient => arguments.octet(0).long(0),
            QueueKind::Exclusive => arguments.octet(EXCLUSIVE).long(0),
            QueueKind::Quorum => {
                let mut table = Arguments::default();
                table.short_string("x-queue-type").octet(b'S').long_string(b"quorum");
                arguments.octet(DURABLE).long_string(&table.0)
            }
        };
        let answer = self.call(QUEUE_DECLARE, &arguments, QUEUE_DECLARE_OK)?;
        // The name, then messages and consumers.
        let counts = answer.len().checked_sub(8).context("a queue without counts")?;
        Ok(u64::from(u32::from_be_bytes(answer[counts..counts + 4].try_into()?)))
    }

    /// Declares an exchange that gives what it is sent to every queue bound to it.
    pub(crate) fn declare_fan_out(&mut self, exchange: &str) -> Result<()> {
        let mut arguments = Arguments::default();
        arguments.short(0).short_string(exchange).short_string("fanout").octet(0).long(0);
        self.call(EXCHANGE_DECLARE, &arguments, EXCHANGE_DECLARE_OK).map(drop)
    }

    pub(crate) fn bind(&mut self, queue: &str, exchange: &str) -> Result<()> {
        let mut arguments = Arguments::default();
        arguments.short(0).short_string(queue).short_string(exchange).short_string("").octet(0).long(0);
        self.call(QUEUE_BIND, &arguments, QUEUE_BIND_OK).map(drop)
    }

    /// Begins to be given messages, at most so many that are not acknowledged; none for no acknowledgements
    /// at all.
    pub(crate) fn consume(&mut self, queue: &str, ahead: Option<u16>) -> Result<()> {
        const NO_ACK: u8 = 2;
        if let Some(ahead) = ahead {
            let mut arguments = Arguments::default();
            arguments.long(0).short(ahead).octet(0);
            self.call(BASIC_QOS, &arguments, BASIC_QOS_OK)?;
        }
        let mut arguments = Arguments::default();
        let flags = if ahead.is_none() { NO_ACK } else { 0 };
        arguments.short(0).short_string(queue).short_string("").octet(flags).long(0);
        self.call(BASIC_CONSUME, &arguments, BASIC_CONSUME_OK).map(drop)
    }

    pub(crate) fn output(&mut self) -> &mut Vec<u8> {
        self.socket.output()
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.socket.flush()
    }

    /// Returns the broker's next word; none when it has said nothing for a moment.
    pub(crate) fn next(&mut self) -> Result<Option<Received<'_, Said>>> {
        self.socket.next(parse)
    }

    /// Returns the broker's next word if it is here already.
    pub(crate) fn here(&mut self) -> Result<Option<Received<'_, Said>>> {
        self.socket.here(parse)
    }

    fn call(&mut self, method: Method, arguments: &Arguments, answer: Method) -> Result<Vec<u8>> {
        self.call_on(1, method, arguments, answer)
    }

    /// Calls a method and waits for its answer, whose arguments it returns.
    fn call_on(
        &mut self,
        channel: u16,
        method: Method,
        arguments: &Arguments,
        answer: Method,
    ) -> Result<Vec<u8>> {
        write_method(self.socket.output(), channel, method, &arguments.0);
        self.socket.flush()?;
        self.expect(answer)
    }

    fn expect(&mut self, answer: Method) -> Result<Vec<u8>> {
        loop {
            let Some(Received { parsed, frame, .. }) = self.next()? else { continue };
            match parsed {
                Said::Method(method, arguments) if method == answer => return Ok(frame[arguments].to_vec()),
                Said::Heartbeat => {}
                other => bail!("{other:?} came where {answer:?} was due"),
            }
        }
    }
}

/// Arguments of a method in the order of the specification.
#[derive(Debug, Default)]
struct Arguments(Vec<u8>);

impl Arguments {
    fn octet(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    fn short(&mut self, value: u16) -> &mut Self {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }

    fn long(&mut self, value: u32) -> &mut Self {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }

    fn short_string(&mut self, text: &str) -> &mut Self {
        short_string(&mut self.0, text.as_bytes());
        self
    }

    fn long_string(&mut self, text: &[u8]) -> &mut Self {
        self.long(text.len() as u32);
        self.0.extend_from_slice(text);
        self
    }
}

fn short_string(output: &mut Vec<u8>, text: &[u8]) {
    // Names here are short.
    output.push(text.len() as u8);
    output.extend_from_slice(text);
}

/// Writes a frame whose payload is written by `payload`.
fn write_frame(output: &mut Vec<u8>, kind: u8, channel: u16, payload: impl FnOnce(&mut Vec<u8>)) {
    output.push(kind);
    output.extend_from_slice(&channel.to_be_bytes());
    let length_at = output.len();
    output.extend_from_slice(&[0; 4]);
    payload(output);
    let length = (output.len() - length_at - 4) as u32;
    output[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
    output.push(FRAME_END);
}

fn write_method(output: &mut Vec<u8>, channel: u16, method: Method, arguments: &[u8]) {
    write_frame(output, METHOD, channel, |output| {
        output.extend_from_slice(&method.0.to_be_bytes());
        output.extend_from_slice(&method.1.to_be_bytes());
        output.extend_from_slice(arguments);
    });
}

/// Where a message goes and what is said with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Publication<'a> {
    pub(crate) exchange: &'a [u8],
    /// A queue's name where the exchange has none.
    pub(crate) key: &'a [u8],
    pub(crate) reply_to: Option<&'a [u8]>,
    pub(crate) persistent: bool,
}

/// Writes a message to be put.
pub(crate) fn write_publish(output: &mut Vec<u8>, publication: Publication<'_>, body: &[u8]) {
    write_frame(output, METHOD, 1, |output| {
        output.extend_from_slice(&BASIC_PUBLISH.0.to_be_bytes());
        output.extend_from_slice(&BASIC_PUBLISH.1.to_be_bytes());
        output.extend_from_slice(&[0, 0]);
        short_string(output, publication.exchange);
        short_string(output, publication.key);
        output.push(0);
    });
    write_frame(output, HEADER, 1, |output| {
        output.extend_from_slice(&BASIC_PUBLISH.0.to_be_bytes());
        output.extend_from_slice(&[0, 0]);
        output.extend_from_slice(&(body.len() as u64).to_be_bytes());
        let mut flags = 0;
        flags |= if publication.persistent { HAS_DELIVERY_MODE } else { 0 };
        flags |= if publication.reply_to.is_some() { HAS_REPLY_TO } else { 0 };
        output.extend_from_slice(&flags.to_be_bytes());
        if publication.persistent {
            output.push(PERSISTENT);
        }
        if let Some(reply_to) = publication.reply_to {
            short_string(output, reply_to);
        }
    });
    // A frame has a head and an end beside its payload.
    for piece in body.chunks(FRAME_BYTES_MAX as usize - FRAME_HEAD_BYTES - 1) {
        write_frame(output, BODY, 1, |output| output.extend_from_slice(piece));
    }
}

/// Writes that a message, or all up to it, need not be kept.
pub(crate) fn write_acknowledgement(output: &mut Vec<u8>, tag: u64, several: bool) {
    let mut arguments = [0; 9];
    arguments[..8].copy_from_slice(&tag.to_be_bytes());
    arguments[8] = u8::from(several);
    write_method(output, 1, BASIC_ACK, &arguments);
}

/// A frame: its kind, where its payload is, and where the next begins.
fn frame(bytes: &[u8], start: usize) -> Result<Option<(u8, Range<usize>, usize)>> {
    let Some(head) = bytes.get(start..start + FRAME_HEAD_BYTES) else { return Ok(None) };
    let length = u32::from_be_bytes([head[3], head[4], head[5], head[6]]);
    ensure!(length <= FRAME_BYTES_MAX, "a frame of {length} bytes");
    let payload = start + FRAME_HEAD_BYTES..start + FRAME_HEAD_BYTES + length as usize;
    let Some(end) = bytes.get(payload.end) else { return Ok(None) };
    ensure!(*end == FRAME_END, "a frame that does not end where it says");
    Ok(Some((head[0], payload.clone(), payload.end + 1)))
}

/// Reads the broker's next word and its length: a method's frame, or those of a message; none while part is
/// missing.
fn parse(bytes: &[u8]) -> Result<Option<(Said, usize)>> {
    let Some((kind, payload, after)) = frame(bytes, 0)? else { return Ok(None) };
    if kind != METHOD {
        return Ok(Some((Said::Heartbeat, after)));
    }
    let method = (short(bytes, payload.start)?, short(bytes, payload.start + 2)?);
    let arguments = payload.start + 4..payload.end;
    let said = match method {
        BASIC_DELIVER => return delivery(bytes, arguments, after),
        BASIC_ACK => Said::Confirmed {
            tag: long_long(bytes, arguments.start)?,
            several: bytes.get(arguments.start + 8) == Some(&1),
        },
        BASIC_NACK => bail!("the broker did not take a message"),
        CONNECTION_CLOSE | CHANNEL_CLOSE => {
            let text = string(bytes, arguments.start + 2)?;
            bail!("the broker refuses: {}", String::from_utf8_lossy(&bytes[text]))
        }
        other => Said::Method(other, arguments),
    };
    Ok(Some((said, after)))
}

/// A message: its method, its header, its body in one frame, which those of the usual sizes are.
fn delivery(bytes: &[u8], arguments: Range<usize>, after: usize) -> Result<Option<(Said, usize)>> {
    let consumer = string(bytes, arguments.start)?;
    let tag = long_long(bytes, consumer.end)?;
    let Some((HEADER, header, after)) = frame(bytes, after)? else { return Ok(None) };
    let size = long_long(bytes, header.start + 4)?;
    let reply_to = reply_to(bytes, header.start + 12)?;
    if size == 0 {
        return Ok(Some((Said::Delivery { tag, reply_to, body: after..after }, after)));
    }
    let Some((BODY, body, after)) = frame(bytes, after)? else { return Ok(None) };
    ensure!(body.len() as u64 == size, "a message of {size} bytes in several frames: use a smaller size");
    Ok(Some((Said::Delivery { tag, reply_to, body }, after)))
}

/// Finds the queue for the reply, among the properties from here on.
fn reply_to(bytes: &[u8], start: usize) -> Result<Option<Range<usize>>> {
    let flags = short(bytes, start)?;
    if flags & HAS_REPLY_TO == 0 {
        return Ok(None);
    }
    let known = HAS_REPLY_TO | HAS_DELIVERY_MODE | HAS_HEADERS;
    ensure!(flags & !known == 0, "a message with properties that nobody gave it");
    let mut at = start + 2;
    if flags & HAS_HEADERS != 0 {
        // A table, which the broker adds to what it delivers again.
        at += 4 + usize::from(short(bytes, at)?) * 0x1_0000 + usize::from(short(bytes, at + 2)?);
    }
    at += usize::from(flags & HAS_DELIVERY_MODE != 0);
    Ok(Some(string(bytes, at)?))
}

const CUT: &str = "a frame that ends early";

fn short(bytes: &[u8], at: usize) -> Result<u16> {
    Ok(u16::from_be_bytes(bytes.get(at..at + 2).context(CUT)?.try_into()?))
}

fn long_long(bytes: &[u8], at: usize) -> Result<u64> {
    Ok(u64::from_be_bytes(bytes.get(at..at + 8).context(CUT)?.try_into()?))
}

fn string(bytes: &[u8], at: usize) -> Result<Range<usize>> {
    let length = usize::from(*bytes.get(at).context(CUT)?);
    ensure!(bytes.len() > at + length, CUT);
    Ok(at + 1..at + 1 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A delivery as the broker writes one: what was put, with another method before it.
    fn delivered(publication: Publication<'_>, body: &[u8]) -> Vec<u8> {
        let mut put = Vec::new();
        write_publish(&mut put, publication, body);
        let (_, _, header) = frame(&put, 0).expect("it is right").expect("it is whole");
        let mut arguments = Arguments::default();
        arguments.short_string("tag").long(0).long(7).octet(0).short_string("").short_string("q");
        let mut frames = Vec::new();
        write_method(&mut frames, 1, BASIC_DELIVER, &arguments.0);
        frames.extend_from_slice(&put[header..]);
        frames
    }

    #[test]
    fn a_message_is_read_when_all_of_its_frames_are_there() {
        for (reply_to, persistent) in
            [(None, false), (Some(b"back".as_slice()), true), (Some(b"back"), false)]
        {
            let frames = delivered(Publication { key: b"q", reply_to, persistent, exchange: b"" }, b"body");
            let (said, length) = parse(&frames).expect("it is right").expect("it is whole");
            let Said::Delivery { tag, reply_to: found, body } = said else { panic!("no delivery") };
            assert_eq!((tag, length, &frames[body]), (7, frames.len(), b"body".as_slice()));
            assert_eq!(found.map(|range| &frames[range]), reply_to);
            for cut in 0..frames.len() {
                assert_eq!(parse(&frames[..cut]).expect("so far"), None, "cut at {cut}");
            }
        }
    }

    #[test]
    fn confirmations_and_refusals_are_told() {
        let mut frames = Vec::new();
        write_acknowledgement(&mut frames, 12, true);
        let (said, length) = parse(&frames).expect("it is right").expect("it is whole");
        assert_eq!((said, length), (Said::Confirmed { tag: 12, several: true }, frames.len()));
        let mut refusal = Arguments::default();
        refusal.short(404).short_string("no queue").short(0).short(0);
        let mut frames = Vec::new();
        write_method(&mut frames, 1, CHANNEL_CLOSE, &refusal.0);
        let error = parse(&frames).expect_err("a refusal").to_string();
        assert!(error.contains("no queue"), "{error}");
        parse(&[METHOD, 0, 1, 0, 0, 0, 1, 0, 0]).expect_err("no end of a frame");
        parse(&[METHOD, 0, 1, 0xFF, 0, 0, 0]).expect_err("a frame without end");
    }
}
