//! Replies that wait at the gate, and their way into frames.

use crate::gate::{self, Way};
use crate::streams::Delivery;
use bytes::Bytes;
use channel::client::{Described, ForHandle, delivered, fragment, got, long_reply, put_done};
use channel::{Conversation, Flags, Header, Kind, Outlet, Reply, RequestNumber, client};
use formats::headers::Place;
use formats::properties;
use mqi::Reason;
use queue_manager::{CommandHold, GotDescriptor, GotMessage, PutDone, Receipt};
use std::sync::Arc;
use wire::Output;

/// One reply.
#[derive(Debug)]
pub(super) enum Pending {
    /// One that is a few fields.
    Plain { kind: Kind, request: RequestNumber, reply: Reply<'static> },
    /// A message was put.
    Put { request: RequestNumber, done: PutDone, is_brief: bool },
    /// A message was got.
    Got { request: RequestNumber, message: GotMessage },
    /// A message comes by credit.
    Delivered { request: RequestNumber, delivery: Delivery, message: GotMessage },
    /// A long answer of the host.
    Long { kind: Kind, request: RequestNumber, content: Bytes, told: Arc<Told> },
    /// A part of the answer to a command text, with the room that it takes.
    Part { request: RequestNumber, content: Bytes, hold: Arc<CommandHold>, is_last: bool },
}

/// Output that did not fit the frames sent so far.
#[derive(Debug)]
pub(super) struct Rest {
    request: RequestNumber,
    bytes: Bytes,
    last: Last,
}

/// Action once the last byte of a reply was written.
#[derive(Debug, Default)]
enum Last {
    #[default]
    Nothing,
    /// A message was handed over without the log: its putter is answered.
    Receipt(Receipt),
    /// The room of a part is given back.
    Room(Arc<CommandHold>),
    /// An answer of the host has been told.
    Told(Arc<Told>),
}

/// Stands for a long answer of the host as long as that is held.
#[derive(Debug)]
pub(super) struct Told;

impl Pending {
    pub(super) fn done(kind: Kind, request: RequestNumber) -> Self {
        Self::Plain { kind, request, reply: Reply::Done }
    }

    pub(super) fn failed(kind: Kind, request: RequestNumber, reason: Reason) -> Self {
        Self::Plain { kind, request, reply: Reply::Failed { reason, data_length: 0 } }
    }

    pub(super) fn of(kind: Kind, request: RequestNumber, result: Result<Reply<'static>, Reason>) -> Self {
        let reply = result.unwrap_or_else(|reason| Reply::Failed { reason, data_length: 0 });
        Self::Plain { kind, request, reply }
    }
}

/// The way of replies to a client: the output, and how much of it may be used.
pub(super) struct ClientWay<'a> {
    pub(super) outlet: Outlet<'a>,
    pub(super) fragment_bytes: usize,
    /// Bytes of output beyond which no more is encoded until some were written.
    pub(super) output_bytes_max: usize,
    /// Messages that read-ahead brought.
    pub(super) delivered: u64,
}

impl Way for ClientWay<'_> {
    fn begin_turn(&mut self) {
        self.outlet.bodies.begin_turn();
    }

    fn is_turn_over(&self) -> bool {
        self.outlet.bodies.is_turn_over()
    }

    fn is_full(&self) -> bool {
        self.outlet.output.len() > self.output_bytes_max
    }
}

impl gate::Pending for Pending {
    type Way<'a> = ClientWay<'a>;
    type Owner = Conversation;
    type Rest = Rest;

    fn encode(&mut self, conversation: Conversation, way: &mut ClientWay<'_>) -> Option<Rest> {
        let ClientWay { outlet, fragment_bytes, delivered: count, .. } = way;
        let fragment_bytes = *fragment_bytes;
        let (request, rest, last) = match self {
            Self::Plain { kind, request, reply } => {
                reply.encode(outlet.output.cork(), Header::new(*kind, conversation, *request));
                return None;
            }
            Self::Put { request, done, is_brief } => {
                put_done(
                    outlet.output.cork(),
                    Header::new(Kind::PutDone, conversation, *request),
                    done.warning,
                    &done.resolved_queue_name,
                    &done.resolved_queue_manager_name,
                    (!*is_brief).then_some(&*done.descriptor),
                );
                return None;
            }
            Self::Got { request, message } => {
                let receipt = message.receipt.take();
                if receipt.as_ref().is_some_and(|receipt| !receipt.begin()) {
                    // Its conversation ended before: the message is logged and may be with somebody else.
                    let mut failed = Self::failed(Kind::Got, *request, Reason::CONNECTION_BROKEN);
                    return failed.encode(conversation, way);
                }
                let head = head(message);
                let body = std::mem::take(&mut message.body);
                let descriptor = described(&message.descriptor);
                let rest =
                    got(outlet.output, conversation, *request, &head, descriptor, body, fragment_bytes);
                (*request, rest, receipt.map_or(Last::Nothing, Last::Receipt))
            }
            Self::Delivered { request, delivery, message } => {
                *count += 1;
                let flags = if delivery.is_reserved { Flags::RESERVED } else { Flags::NONE };
                let header = Header::new(Kind::Delivered, conversation, *request).with(flags);
                let head = head(message);
                let body = std::mem::take(&mut message.body);
                let (place, descriptor) =
                    ((delivery.handle, delivery.number), described(&message.descriptor));
                let rest = delivered(outlet, header, place, &head, descriptor, body, fragment_bytes);
                (*request, rest, Last::Nothing)
            }
            Self::Long { kind, request, content, told } => {
                let header = Header::new(*kind, conversation, *request);
                let content = std::mem::take(content);
                let rest = long_reply(outlet.output, header, content, fragment_bytes);
                (*request, rest, Last::Told(Arc::clone(told)))
            }
            Self::Part { request, content, hold, is_last } => {
                let flags = if *is_last { Flags::NONE } else { Flags::IN_PARTS };
                let header = Header::new(Kind::CommandDone, conversation, *request).with(flags);
                let content = std::mem::take(content);
                let rest = long_reply(outlet.output, header, content, fragment_bytes);
                (*request, rest, Last::Room(Arc::clone(hold)))
            }
        };
        if rest.is_empty() {
            last.when_written(outlet.output);
            return None;
        }
        Some(Rest { request, bytes: rest, last })
    }

    fn go_on(rest: &mut Rest, conversation: Conversation, way: &mut ClientWay<'_>) -> bool {
        fragment(way.outlet.output, conversation, rest.request, &mut rest.bytes, way.fragment_bytes);
        let is_left = !rest.bytes.is_empty();
        if !is_left {
            std::mem::take(&mut rest.last).when_written(way.outlet.output);
        }
        is_left
    }
}

impl Last {
    /// The last byte is in the output.
    fn when_written(self, output: &mut Output) {
        match self {
            Self::Nothing => {}
            Self::Receipt(receipt) => output.when_written(move || receipt.delivered()),
            Self::Room(hold) => output.when_written(move || drop(hold)),
            Self::Told(told) => output.when_written(move || drop(told)),
        }
    }
}

/// The descriptor of a message: for copies of a publication, which differ little, it is written once.
fn described(descriptor: &GotDescriptor) -> Described<'_> {
    match descriptor.written_once(channel::descriptor::written) {
        Some((common, correlation_id)) => Described::Written { common, correlation_id },
        None => Described::Whole(descriptor),
    }
}

fn head(message: &mut GotMessage) -> client::Message<'static> {
    let for_handle = for_handle(message);
    client::Message {
        warning: message.warning,
        data_length: message.data_length as u32,
        resolved_queue_name: message.resolved_queue_name,
        message_token: message.message_token,
        for_handle,
        length: message.body.len() as u32,
        body: &[],
    }
}

/// Puts the properties for the getter's message handle before the message.
fn for_handle(message: &mut GotMessage) -> ForHandle {
    let Some(folders) = message.properties.take() else { return ForHandle::Nothing };
    if folders.is_empty() {
        return ForHandle::NoProperties;
    }
    let before = properties::put_before(folders.into_vec(), &Place::of(&message.descriptor), &message.body);
    let (place, body) = before.expect("a header of folders can stand before any body");
    place.describe(&mut message.descriptor);
    message.body = body;
    ForHandle::Header
}
