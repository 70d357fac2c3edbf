//! The frames of a message channel, behind the header of every frame.
//!
//! ```text
//! ChannelHello, ChannelWelcome
//!     oldest version 2 | newest version 2 | role 1 | start 8 | connection 8
//!     BATCHSZ 4 | BATCHLIM 4 | MAXMSGL 4 | HBINT 4 | SEQWRAP 4 | in flight 1 | NPMSPEED 1
//!     CCSID 4 | encoding 4 | channel | queue manager | its identifier | product (short texts)
//!     COMPMSG | COMPHDR (lists of 1 each)
//! Position      line 8 (0: none) | batch 8 | sequence 4 | chain 8 | flags 1: 1 a RESET is wanted
//! Resume        line 8 | batch 8 | sequence 4 | flags 1: 1 it is new
//! Message       parts 1 | [queue, queue manager] | hops 1 | descriptor | length of the whole 4 | body
//!               parts: 1 another destination than the last message's; 2 is left for the remaining reach
//! EndOfBatch    batch 8 | sequence 4 | chain 8 | messages 4
//! BatchDone     batch 8 | microseconds 4
//! BatchRefused  batch 8 | sequence 4 | reason 4 | text (short text)
//! Waiting       sequence 4 | reason 4 | tries left 4
//! StopChannel, EndChannel   how 1 | reason 4 | retry 1 | text (short text)
//! Ask, Answer   nothing;  Ping, Pong   bytes
//! ```
//!
//! Always: bytes behind the last field are skipped, but for frames that end with a body.

use bytes::Bytes;
use mqi::constants::{MQ_CHANNEL_NAME_LENGTH, MQ_Q_MGR_IDENTIFIER_LENGTH};
use mqi::{MessageDescriptor, ObjectName, QueueManagerName, Reason};
use wire::assembly::check_length;
use wire::fields::{Fields, put_i32, put_short, put_short_text, put_u16, put_u32, put_u64};
use wire::{Assembly, Output};

use super::negotiate::Offer;
use super::numbers::{BatchNumber, Chain, Line, Mark, Sequence};
use crate::client::body as put_body;
use crate::descriptor::{put_descriptor, take_descriptor};
use crate::frame::{COUNTED_BYTES, FRAGMENT_BYTES, HEAD_BYTES_MAX, begin, finish};
use crate::login::{Compressions, VERSIONS};
use crate::{Conversation, Error, FieldSet, Flags, Frame, Header, Kind, RequestNumber, Versions, preamble};

/// Longest frame once both ends know each other: a fragment of a body and the longest head.
pub const FRAME_BYTES_MAX: u32 = FRAGMENT_BYTES as u32 + HEAD_BYTES_MAX + COUNTED_BYTES;
/// Most bytes of a ping, as DATALEN allows.
pub const PING_BYTES_MAX: usize = 32_768;
/// Most bytes of the name and version of a product.
pub const PRODUCT_BYTES_MAX: usize = 64;

/// Says whether a connection begins as a message channel does, and not as a client; none while too few bytes
/// are there to tell.
#[must_use]
pub fn opens_channel(bytes: &[u8]) -> Option<bool> {
    const KIND_AT: usize = preamble::MAGIC.len() + 4;
    let kind = bytes.get(KIND_AT)?;
    Some(bytes.starts_with(&preamble::MAGIC) && *kind == Kind::ChannelHello as u8)
}

/// The end of a channel that a queue manager is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It sends messages.
    Sender,
    /// It receives messages.
    Receiver,
}

/// Orders the calls of one queue manager: the newer one stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation {
    /// The number of its start.
    pub start: u64,
    /// The number of the connection in that start.
    pub connection: u64,
}

/// The first words of each end: ChannelHello of the one that calls, ChannelWelcome of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Introduction {
    /// The versions that it speaks; one in the answer.
    pub versions: Versions,
    /// The end that it is.
    pub role: Role,
    /// Orders its calls.
    pub generation: Generation,
    /// The terms that it offers.
    pub offer: Offer,
    /// The character set of the queue manager.
    pub coded_character_set: i32,
    /// The encoding of its machine.
    pub encoding: i32,
    /// The channel.
    pub channel: String,
    /// The queue manager.
    pub queue_manager: QueueManagerName,
    /// Its identifier, which is another when it is made anew.
    pub identifier: String,
    /// The program that runs it, with its version.
    pub product: String,
    /// Compressions of bodies that it can do.
    pub body_compressions: Compressions,
    /// Compressions of heads that it can do.
    pub head_compressions: Compressions,
}

impl Introduction {
    /// Appends the frame: of the one that calls behind the preamble.
    pub fn encode(&self, kind: Kind, out: &mut Vec<u8>) {
        if kind == Kind::ChannelHello {
            out.extend_from_slice(&preamble::MAGIC);
        }
        let start = begin_plain(out, kind, 0);
        put_u16(out, self.versions.least);
        put_u16(out, self.versions.most);
        out.push(match self.role {
            Role::Sender => SENDER,
            Role::Receiver => RECEIVER,
        });
        put_u64(out, self.generation.start);
        put_u64(out, self.generation.connection);
        put_u32(out, self.offer.batch_messages_max);
        put_u32(out, self.offer.batch_kilobytes_max);
        put_u32(out, self.offer.message_bytes_max);
        put_u32(out, self.offer.heartbeat_seconds);
        put_u32(out, self.offer.wrap);
        out.push(self.offer.in_flight_max);
        out.push(u8::from(self.offer.is_fast));
        put_i32(out, self.coded_character_set);
        put_i32(out, self.encoding);
        put_short_text(out, &self.channel);
        put_short(out, self.queue_manager.as_bytes());
        put_short_text(out, &self.identifier);
        put_short_text(out, &self.product);
        self.body_compressions.put(out);
        self.head_compressions.put(out);
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When no version is common, a field is cut, longer than it may be, or has a value it cannot have, or
    /// the queue manager has no name or no identifier.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        let versions = Versions { least: fields.u16("oldest version")?, most: fields.u16("newest version")? };
        if VERSIONS.common(versions).is_none() {
            return Err(Error::Version { theirs: versions, ours: VERSIONS });
        }
        let role = match fields.u8("role")? {
            SENDER => Role::Sender,
            RECEIVER => Role::Receiver,
            _ => return Err(Error::field("role", Reason::OPTIONS_ERROR)),
        };
        let generation = Generation {
            start: fields.u64("number of the start")?,
            connection: fields.u64("number of the connection")?,
        };
        let offer = Offer {
            batch_messages_max: fields.u32("batch size")?,
            batch_kilobytes_max: fields.u32("batch limit")?,
            message_bytes_max: fields.u32("most bytes of a message")?,
            heartbeat_seconds: fields.u32("heartbeat interval")?,
            wrap: fields.u32("highest sequence number")?,
            in_flight_max: fields.u8("batches in flight")?,
            is_fast: fields.u8("speed of non-persistent messages")? != 0,
        };
        if !offer.is_valid() {
            return Err(Error::field("terms of the channel", Reason::CHANNEL_CONFIG_ERROR));
        }
        let introduction = Self {
            versions,
            role,
            generation,
            offer,
            coded_character_set: fields.i32("character set")?,
            encoding: fields.i32("encoding")?,
            channel: bounded(&mut fields, "channel name", MQ_CHANNEL_NAME_LENGTH)?,
            queue_manager: fields.queue_manager_name("queue manager name")?,
            identifier: bounded(&mut fields, "queue manager identifier", MQ_Q_MGR_IDENTIFIER_LENGTH)?,
            product: bounded(&mut fields, "product", PRODUCT_BYTES_MAX)?,
            body_compressions: Compressions::decode(&mut fields, "compressions of bodies")?,
            head_compressions: Compressions::decode(&mut fields, "compressions of heads")?,
        };
        // The log keeps a line for each partner by both, and none is for nobody.
        if introduction.queue_manager.is_blank() {
            return Err(Error::field("queue manager name", Reason::OBJECT_Q_MGR_NAME_ERROR));
        }
        if introduction.identifier.trim().is_empty() {
            return Err(Error::field("queue manager identifier", Reason::CHANNEL_CONFIG_ERROR));
        }
        Ok(introduction)
    }
}

const SENDER: u8 = 1;
const RECEIVER: u8 = 2;

/// A text with a length of its own bound.
fn bounded(fields: &mut Fields<'_>, field: &'static str, bytes_max: usize) -> Result<String, Error> {
    let text = fields.short_text(field)?;
    Error::check_length(field, text.len(), bytes_max)?;
    Ok(text.to_owned())
}

fn begin_plain(out: &mut Vec<u8>, kind: Kind, request: u32) -> usize {
    begin(out, Header::new(kind, Conversation::CONNECTION, RequestNumber(request)))
}

/// The receiver's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// Its line; none when it knows none.
    pub line: Line,
    /// The last batch that it committed.
    pub last: Mark,
    /// True when a person wants a new line.
    pub wants_reset: bool,
}

/// The batch that the sender sends next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resume {
    /// The line.
    pub line: Line,
    /// True when it begins.
    pub is_new: bool,
    /// The next batch.
    pub batch: BatchNumber,
    /// The sequence number of its first message.
    pub sequence: Sequence,
}

/// The end of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EndOfBatch {
    /// Its number, the sequence number of its last message, the chain up to it.
    pub mark: Mark,
    /// Its messages.
    pub messages: u32,
}

/// A batch is committed, and all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchDone {
    /// The batch.
    pub batch: BatchNumber,
    /// Microseconds from the end of the batch to this answer.
    pub microseconds: u32,
}

/// A batch is backed out, and none behind it is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRefused {
    /// The batch.
    pub batch: BatchNumber,
    /// The message that can be put nowhere.
    pub sequence: Sequence,
    /// Why.
    pub reason: Reason,
    /// The reason in words.
    pub text: String,
}

/// A message is tried again before more are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The message; 0 for one outside batches.
    pub sequence: Sequence,
    /// Why it could not be put.
    pub reason: Reason,
    /// Tries that are left.
    pub tries_left: u32,
}

/// The way in which a channel ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// The batch ends and is answered first.
    Quiesce,
    /// At once.
    Force,
}

/// The end of a channel, asked for or told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The manner.
    pub how: How,
    /// Why; none for an orderly end.
    pub reason: Reason,
    /// True when the caller may try again by itself.
    pub retries: bool,
    /// The reason in words.
    pub text: String,
}

impl Position {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin_plain(out, Kind::Position, 0);
        put_u64(out, self.line.0);
        put_mark(out, &self.last);
        out.push(u8::from(self.wants_reset));
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut, or a line that is not known has batches.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        let (line, last) = (Line(fields.u64("line")?), take_mark(&mut fields)?);
        if line == Line::NONE && last != Mark::START {
            return Err(Error::field("line", Reason::CONNECTION_ERROR));
        }
        Ok(Self { line, last, wants_reset: fields.u8("flags of the position")? & 1 != 0 })
    }
}

impl Resume {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin_plain(out, Kind::Resume, 0);
        put_u64(out, self.line.0);
        put_u64(out, self.batch.0);
        put_u32(out, self.sequence.0);
        out.push(u8::from(self.is_new));
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            line: Line(fields.u64("line")?),
            batch: BatchNumber(fields.u64("batch")?),
            sequence: Sequence(fields.u32("sequence number")?),
            is_new: fields.u8("flags of the resume")? & 1 != 0,
        })
    }
}

impl EndOfBatch {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin_plain(out, Kind::EndOfBatch, self.mark.sequence.0);
        put_mark(out, &self.mark);
        put_u32(out, self.messages);
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self { mark: take_mark(&mut fields)?, messages: fields.u32("messages of the batch")? })
    }
}

impl BatchDone {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin_plain(out, Kind::BatchDone, 0);
        put_u64(out, self.batch.0);
        put_u32(out, self.microseconds);
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self { batch: BatchNumber(fields.u64("batch")?), microseconds: fields.u32("microseconds")? })
    }
}

impl BatchRefused {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin_plain(out, Kind::BatchRefused, self.sequence.0);
        put_u64(out, self.batch.0);
        put_u32(out, self.sequence.0);
        put_i32(out, self.reason.code());
        put_short_text(out, &self.text);
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            batch: BatchNumber(fields.u64("batch")?),
            sequence: Sequence(fields.u32("sequence number")?),
            reason: Reason::from_code(fields.i32("reason")?),
            text: fields.short_text("text")?.to_owned(),
        })
    }
}

impl Waiting {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = begin_plain(out, Kind::Waiting, self.sequence.0);
        put_u32(out, self.sequence.0);
        put_i32(out, self.reason.code());
        put_u32(out, self.tries_left);
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        Ok(Self {
            sequence: Sequence(fields.u32("sequence number")?),
            reason: Reason::from_code(fields.i32("reason")?),
            tries_left: fields.u32("tries left")?,
        })
    }
}

impl Ending {
    /// Appends the frame, a StopChannel or an EndChannel.
    pub fn encode(&self, kind: Kind, out: &mut Vec<u8>) {
        let start = begin_plain(out, kind, 0);
        out.push(match self.how {
            How::Quiesce => QUIESCE,
            How::Force => FORCE,
        });
        put_i32(out, self.reason.code());
        out.push(u8::from(self.retries));
        put_short_text(out, &self.text);
        finish(out, start, 0);
    }

    /// Reads the payload.
    ///
    /// # Errors
    /// When a field is cut or has a value it cannot have.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        let how = match fields.u8("way to end")? {
            QUIESCE => How::Quiesce,
            FORCE => How::Force,
            _ => return Err(Error::field("way to end", Reason::OPTIONS_ERROR)),
        };
        Ok(Self {
            how,
            reason: Reason::from_code(fields.i32("reason")?),
            retries: fields.u8("retry")? != 0,
            text: fields.short_text("text")?.to_owned(),
        })
    }
}

const QUIESCE: u8 = 0;
const FORCE: u8 = 1;

/// Appends a frame without fields of its own: Ask, Answer, or the bytes of Ping and Pong.
pub fn put_plain(kind: Kind, bytes: &[u8], out: &mut Vec<u8>) {
    let start = begin_plain(out, kind, 0);
    out.extend_from_slice(bytes);
    finish(out, start, 0);
}

fn put_mark(out: &mut Vec<u8>, mark: &Mark) {
    put_u64(out, mark.batch.0);
    put_u32(out, mark.sequence.0);
    put_u64(out, mark.chain.0);
}

fn take_mark(fields: &mut Fields<'_>) -> Result<Mark, Error> {
    Ok(Mark {
        batch: BatchNumber(fields.u64("batch")?),
        sequence: Sequence(fields.u32("sequence number")?),
        chain: Chain(fields.u64("chain")?),
    })
}

/// A queue of a queue manager, as a transmission header names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Destination {
    /// The queue.
    pub queue: ObjectName,
    /// The queue manager.
    pub queue_manager: QueueManagerName,
}

/// A message before its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageHead {
    /// Its sequence number; 0 outside batches.
    pub sequence: Sequence,
    /// Its destination; none for that of the last message.
    pub destination: Option<Destination>,
    /// Queue managers that it has passed.
    pub hops: u8,
}

/// The bit of the parts that says that a destination follows.
const WITH_DESTINATION: u8 = 1;

/// A message that arrives, or as much of it as its first frame has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// All before the descriptor.
    pub head: MessageHead,
    /// Bytes of the whole body.
    pub length: u32,
    /// The bytes of the body that are here.
    pub body: &'a [u8],
}

impl MessageHead {
    /// Appends the message, whole or its first part of so many bytes; returns the part that is left for
    /// fragments.
    pub fn encode(
        &self,
        descriptor: &MessageDescriptor,
        body: Bytes,
        fragment_bytes: usize,
        out: &mut Output,
    ) -> Bytes {
        let cork = out.cork();
        let flags = if self.sequence == Sequence(0) { Flags::FAST } else { Flags::NONE };
        let number = RequestNumber(self.sequence.0);
        let header = Header::new(Kind::Message, Conversation::CONNECTION, number).with(flags);
        let start = begin(cork, header);
        match &self.destination {
            Some(destination) => {
                cork.push(WITH_DESTINATION);
                put_short(cork, destination.queue.as_bytes());
                put_short(cork, destination.queue_manager.as_bytes());
            }
            None => cork.push(0),
        }
        cork.push(self.hops);
        put_descriptor(cork, descriptor, FieldSet::ALL);
        put_body(out, start, body, fragment_bytes)
    }
}

impl<'a> Message<'a> {
    /// Reads a message, and its descriptor into `descriptor`.
    ///
    /// # Errors
    /// When a field is cut or has a value it cannot have, or the body is longer than agreed.
    pub fn decode(
        frame: &Frame<'a>,
        message_bytes_max: u32,
        descriptor: &mut MessageDescriptor,
    ) -> Result<Self, Error> {
        let mut fields = Fields::of(frame.payload);
        let parts = fields.u8("parts of the message")?;
        if parts & !WITH_DESTINATION != 0 {
            return Err(Error::field("parts of the message", Reason::OPTIONS_ERROR));
        }
        let destination = match parts & WITH_DESTINATION {
            0 => None,
            _ => Some(Destination {
                queue: fields.object_name("queue")?,
                queue_manager: fields.queue_manager_name("queue manager")?,
            }),
        };
        let hops = fields.u8("hops")?;
        take_descriptor(&mut fields, descriptor, FieldSet::ALL)?;
        let length = fields.u32("length of the message")?;
        let body = fields.rest();
        check_length(length, body.len(), message_bytes_max)?;
        let sequence = Sequence(frame.header.request.0);
        let is_fast = frame.header.flags.contains(Flags::FAST);
        if is_fast != (sequence == Sequence(0)) {
            return Err(Error::field("sequence number", Reason::CONNECTION_ERROR));
        }
        Ok(Self { head: MessageHead { sequence, destination, hops }, length, body })
    }
}

/// Reads any frame as each end of a channel would, and the beginning of a connection before it: for hostile
/// bytes.
///
/// # Errors
/// The first that is met.
pub fn decode_any(bytes: &[u8]) -> Result<usize, Error> {
    const MESSAGE_BYTES_MAX: u32 = 1 << 20;
    let mut rest = match opens_channel(bytes) {
        Some(true) => &bytes[preamble::MAGIC.len()..],
        _ => bytes,
    };
    let mut frames = 0;
    let mut descriptor = MessageDescriptor::default();
    let mut assembly: Option<Assembly<RequestNumber>> = None;
    while let Some(frame) = Frame::decode(rest, FRAME_BYTES_MAX)? {
        match frame.header.kind {
            Kind::ChannelHello | Kind::ChannelWelcome => drop(Introduction::decode(frame.payload)?),
            Kind::Position => drop(Position::decode(frame.payload)?),
            Kind::Resume => drop(Resume::decode(frame.payload)?),
            Kind::EndOfBatch => drop(EndOfBatch::decode(frame.payload)?),
            Kind::BatchDone => drop(BatchDone::decode(frame.payload)?),
            Kind::BatchRefused => drop(BatchRefused::decode(frame.payload)?),
            Kind::Waiting => drop(Waiting::decode(frame.payload)?),
            Kind::StopChannel | Kind::EndChannel => drop(Ending::decode(frame.payload)?),
            Kind::Message => {
                let message = Message::decode(&frame, MESSAGE_BYTES_MAX, &mut descriptor)?;
                if (message.body.len() as u32) < message.length {
                    let owner = frame.header.request;
                    let begun = Assembly::begin(owner, message.length, message.body, MESSAGE_BYTES_MAX)?;
                    assembly = Some(begun);
                }
            }
            Kind::Fragment => match &mut assembly {
                Some(begun) => {
                    if begun.add(frame.header.request, frame.payload)?.is_some() {
                        assembly = None;
                    }
                }
                None => {
                    return Err(Error::Unexpected { kind: Kind::Fragment, why: "no body is on its way" });
                }
            },
            _ => {}
        }
        frames += 1;
        rest = &rest[frame.bytes()..];
    }
    Ok(frames)
}
