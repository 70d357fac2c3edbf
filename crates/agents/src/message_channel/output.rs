//! Frames of a channel that wait at the gate, and their way into bytes.
//!
//! Always: an end of a batch leaves once its unit of work is prepared durably, a BatchDone once the batch is
//! committed durably, a message once its putter could be answered.

use bytes::Bytes;
use channel::message::frame::Destination;
use channel::message::{BatchDone, BatchNumber, EndOfBatch, MessageHead, Sequence};
use channel::{Conversation, RequestNumber, client};
use mqi::Reason;
use platform::Monotonic;
use queue_manager::Going;
use storage::{ObjectId, UnitId};
use wire::Output;

use crate::gate::{self, Way};

const NOT_DEFINED: &str = "the state towards this partner cannot be kept: the log has no room for it, or a bound of [growth] is \
                           reached, which the error log names";
pub(super) const REPLACED: &str =
    "another connection of the channel took its place, or the queue manager ended it";
pub(super) const NOT_PREPARED: &str = "a batch cannot be prepared now: it is sent again";
const NOT_SENT: &str = "a message cannot be sent now: it is tried again";

/// One frame, or a few.
#[derive(Debug)]
pub(super) enum OutgoingFrame {
    /// Bytes that are a frame already.
    Plain(Vec<u8>),
    /// A frame that tells of a state object that was defined.
    Defined { frame: Vec<u8>, object: Result<ObjectId, Reason> },
    /// A verb without a frame of its own that failed.
    Failed(Failed),
    /// A message.
    Message { head: MessageHead, going: Result<Going, Reason> },
    /// The end of a batch that was prepared.
    End { end: EndOfBatch, unit: Option<UnitId> },
    /// The answer to a batch that was committed.
    Done { done: BatchDone, heard_at: Monotonic },
}

/// A verb that failed, in words for a person.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed {
    pub(super) reason: Reason,
    pub(super) text: &'static str,
}

/// Facts that are known once the gate has opened.
#[derive(Debug, Default)]
pub(super) struct Opened {
    /// Units of work of batches whose end was sent, by their order. At most as many as are in flight.
    pub(super) units: Vec<(BatchNumber, UnitId)>,
    /// The batches whose end was sent, with the time. At most as many as are in flight.
    pub(super) sent: Vec<(BatchNumber, Monotonic)>,
    /// The messages of the last batch whose end was sent.
    pub(super) batch_messages: Option<u32>,
    /// The state object.
    pub(super) object: Option<ObjectId>,
    /// A verb that failed.
    pub(super) failure: Option<Failed>,
    /// Messages sent.
    pub(super) messages: u64,
    /// Messages among them that are outside batches.
    pub(super) fast: u64,
    /// Batches that the receiver said are done.
    pub(super) batches: u64,
}

/// The way of frames to the partner.
pub(super) struct ChannelWay<'a> {
    pub(super) output: &'a mut Output,
    /// The destination of the last message.
    pub(super) destination: &'a mut Option<Destination>,
    pub(super) opened: &'a mut Opened,
    pub(super) now: Monotonic,
    /// Most bytes of a body in one frame.
    pub(super) fragment_bytes: usize,
    /// Bytes of output beyond which no more is encoded until some were written.
    pub(super) output_bytes_max: usize,
}

impl Way for ChannelWay<'_> {
    fn begin_turn(&mut self) {}

    fn is_turn_over(&self) -> bool {
        self.is_full()
    }

    fn is_full(&self) -> bool {
        self.output.len() > self.output_bytes_max
    }
}

/// The part of a body that did not fit.
#[derive(Debug)]
pub(super) struct Rest {
    number: RequestNumber,
    bytes: Bytes,
}

impl gate::Pending for OutgoingFrame {
    type Way<'a> = ChannelWay<'a>;
    type Owner = ();
    type Rest = Rest;

    fn encode(&mut self, (): (), way: &mut ChannelWay<'_>) -> Option<Rest> {
        // Nothing behind a failure is true any more.
        if way.opened.failure.is_some() {
            return None;
        }
        let mut fails = |reason, text| way.opened.failure = Some(Failed { reason, text });
        match self {
            Self::Plain(frame) => way.output.cork().append(frame),
            Self::Failed(Failed { reason, text }) => fails(*reason, text),
            Self::Defined { frame, object } => match object {
                Ok(object) => {
                    way.opened.object = Some(*object);
                    way.output.cork().append(frame);
                }
                Err(reason) if *reason == Reason::OBJECT_CHANGED => fails(*reason, REPLACED),
                Err(reason) => fails(*reason, NOT_DEFINED),
            },
            Self::End { end, unit } => match unit {
                Some(unit) => {
                    way.opened.units.push((end.mark.batch, *unit));
                    way.opened.sent.push((end.mark.batch, way.now));
                    way.opened.batch_messages = Some(end.messages);
                    end.encode(way.output.cork());
                }
                // A unit that did nothing has none of the messages that were sent.
                None => fails(Reason::BACKED_OUT, NOT_PREPARED),
            },
            Self::Done { done, heard_at } => {
                let own = way.now.since(*heard_at).as_micros();
                done.microseconds = u32::try_from(own).unwrap_or(u32::MAX);
                way.opened.batches += 1;
                done.encode(way.output.cork());
            }
            Self::Message { head, going } => match std::mem::replace(going, Err(Reason::NONE)) {
                Ok(Going::Message(message)) => {
                    let destination =
                        Destination { queue: message.queue, queue_manager: message.queue_manager };
                    let is_another = way.destination.replace(destination) != Some(destination);
                    let head = MessageHead {
                        destination: is_another.then_some(destination),
                        hops: message.hops,
                        ..*head
                    };
                    way.opened.messages += 1;
                    way.opened.fast += u64::from(head.sequence == Sequence(0));
                    let bytes =
                        head.encode(&message.descriptor, message.body, way.fragment_bytes, way.output);
                    let number = RequestNumber(head.sequence.0);
                    return (!bytes.is_empty()).then_some(Rest { number, bytes });
                }
                // The facts said that it can be sent.
                Ok(Going::Letter(_)) => fails(Reason::UNEXPECTED_ERROR, NOT_SENT),
                Err(reason) => fails(reason, NOT_SENT),
            },
        }
        None
    }

    fn go_on(rest: &mut Rest, (): (), way: &mut ChannelWay<'_>) -> bool {
        let (number, most) = (rest.number, way.fragment_bytes);
        client::fragment(way.output, Conversation::CONNECTION, number, &mut rest.bytes, most);
        !rest.bytes.is_empty()
    }
}

/// The bytes of one frame.
pub(super) fn frame(encode: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(&mut bytes);
    bytes
}
