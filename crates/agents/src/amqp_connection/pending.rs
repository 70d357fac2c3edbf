//! Answers of links that wait at the gate, and their way into frames.

use amqp::engine::{self, Role, TransferHead};
use amqp::outcome::{put_accepted, put_declared, put_rejected, put_transactional};
use bytes::Bytes;
use formats::properties::{self, amqp::Outgoing};
use mqi::{CorrelationId, Reason};
use queue_manager::{GotMessage, WaitToken};
use std::collections::BTreeMap;
use wire::Output;

use super::attachment::{At, Attachment};
use super::deliveries::{Deliveries, Unsettled};
use super::errors;
use super::identifiers::Identifiers;
use super::owner::{LinkId, Owner, token};
use super::paused::Paused;
use super::transaction::{Settled, TransactionId};
use crate::gate::{self, Way};
use crate::streams::{Delivers, Delivery};

/// Most bytes of a transfer before its payload: numbers at their longest, and the name of a delivery.
const TRANSFER_BYTES_MAX: usize = 64;

/// The place where links send what they have to say.
pub(super) type Sink<'a> = gate::Sink<'a, Pending>;

/// One answer.
#[derive(Debug)]
pub(super) enum Pending {
    /// An attach was carried out, or refused.
    Attached(Result<At, Reason>),
    /// A message goes, or the reason why none does.
    Delivered { number: u32, came: Result<GotMessage, Reason> },
    /// All that is there was sent, and credit is to be used up.
    Drained,
    /// The outcome of a message that came.
    Put { delivery_id: u32, transaction: Option<TransactionId>, result: Result<(), Reason> },
    /// A transaction was declared.
    Declared { delivery_id: u32, transaction: TransactionId },
    /// A transaction was discharged, or backed out for a reason.
    Discharged { delivery_id: u32, result: Result<(), Reason> },
    /// A call on a branch was carried out: its answer goes to another address. None hears of the call's
    /// outcome where it came settled.
    Called { delivery_id: Option<u32>, answer: CallAnswer },
    /// A message that came was refused for the fault of its bytes.
    Refused { delivery_id: u32, transaction: Option<TransactionId>, error: Box<amqp::ErrorField> },
    /// The outcome of a message that went is known here.
    Confirmed { delivery_id: u32, transaction: Option<TransactionId>, outcome: Settled },
    /// The link is detached; says whether its terminus ends, and why that was refused.
    Detached { is_closed: bool, refusal: Option<Reason> },
}

/// The answer to a call on a branch: a message, and its address.
#[derive(Debug, Default)]
pub(super) struct CallAnswer {
    pub(super) to: String,
    pub(super) message: Vec<u8>,
}

/// Something that becomes known at the output, and that is acted on when the output was filled.
#[derive(Debug)]
pub(super) enum News {
    /// The attach of a link was answered.
    Attached(Owner, At),
    /// The transfer was refused.
    Refused(Owner),
    /// A link gets nothing any more.
    Failed(Owner, Reason),
    /// A message was to go without credit, and goes back.
    Returned(Owner, u32),
    /// A message was to go that has failed too often.
    Failing(Owner, u32),
    /// A message was to go that has more bytes than its receiver takes: so many.
    TooLong(Owner, usize),
    /// A message was sent settled.
    Left(Owner, u32),
    /// A message was sent, or begun, that is to be settled.
    Sent(Owner),
    /// All credit was used up.
    Drained(Owner),
    /// A link is detached.
    Gone(Owner),
    /// A call on a branch was carried out, and its answer goes out.
    Called(Owner, Option<u32>, CallAnswer),
}

/// The rest of a message on its way.
#[derive(Debug)]
pub(super) struct Rest {
    /// The number of the delivery on its link, until the first part is sent: only then does its session
    /// number it, so that deliveries leave in the order of those numbers.
    unsent: Option<u32>,
    is_settled: bool,
    /// The pieces of the message.
    pieces: [Bytes; 3],
}

/// The way of answers to a client.
pub(super) struct AmqpWay<'a> {
    output: &'a mut Output,
    engine: &'a mut engine::Connection,
    deliveries: &'a mut Deliveries,
    attachments: &'a mut BTreeMap<LinkId, Attachment>,
    identifiers: &'a Identifiers,
    news: &'a mut Vec<News>,
    paused: &'a mut Paused,
    output_bytes_max: usize,
    /// Messages that were begun.
    sent: u64,
    /// Accepted messages whose disposition was not written: a session's channel, the first and the last.
    accepted: Option<(u16, u32, u32)>,
}

impl<'a> AmqpWay<'a> {
    pub(super) fn new(
        output: &'a mut Output,
        engine: &'a mut engine::Connection,
        deliveries: &'a mut Deliveries,
        (attachments, identifiers): (&'a mut BTreeMap<LinkId, Attachment>, &'a Identifiers),
        news: &'a mut Vec<News>,
        paused: &'a mut Paused,
        output_bytes_max: usize,
    ) -> Self {
        let (sent, accepted) = (0, None);
        Self {
            output,
            engine,
            deliveries,
            attachments,
            identifiers,
            news,
            paused,
            output_bytes_max,
            sent,
            accepted,
        }
    }

    /// The messages that were begun by this way.
    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    pub(super) fn engine(&self) -> &engine::Connection {
        self.engine
    }

    /// Joins an accepted message with those before it; they become one frame.
    fn accept(&mut self, channel: u16, delivery_id: u32) {
        match &mut self.accepted {
            Some((of, _, last)) if *of == channel && last.wrapping_add(1) == delivery_id => {
                *last = delivery_id
            }
            _ => {
                self.flush();
                self.accepted = Some((channel, delivery_id, delivery_id));
            }
        }
    }

    /// Writes the disposition of a delivery by itself.
    fn tell(&mut self, channel: u16, (role, delivery_id): (Role, u32), put: impl FnOnce(&mut Vec<u8>)) {
        self.flush();
        let mut state = Vec::new();
        put(&mut state);
        let range = (role, delivery_id, delivery_id);
        self.engine.put_disposition(self.output.cork(), channel, range, true, Some(&state));
    }

    /// Writes the disposition of accepted messages.
    pub(super) fn flush(&mut self) {
        let Some((channel, first, last)) = self.accepted.take() else { return };
        let mut state = Vec::with_capacity(4);
        put_accepted(&mut state);
        let range = (Role::Receiver, first, last);
        self.engine.put_disposition(self.output.cork(), channel, range, true, Some(&state));
    }

    /// Begins a delivery, and sends as much of it as may be sent now.
    fn deliver(&mut self, owner: Owner, number: u32, message: &mut GotMessage) -> Option<Rest> {
        let is_settled = self.is_settled(owner);
        // It is cut to what its receiver takes, and still on its queue.
        if message.warning == Some(Reason::TRUNCATED_MSG_FAILED) {
            self.news.push(News::TooLong(owner, message.data_length));
            return None;
        }
        if message.has_failed_enough && !is_settled {
            self.news.push(News::Failing(owner, number));
            return None;
        }
        let body = std::mem::take(&mut message.body);
        let asked = |id: &CorrelationId| self.attachments.get(&owner.id)?.filters.text(id);
        let known = |id: &CorrelationId| asked(id).or_else(|| self.identifiers.text(id));
        let Outgoing { head, body, tail } = properties::outgoing(&message.descriptor, &body, &known);
        let payload = head.len() + body.len() + tail.len();
        let most = self.attachments.get(&owner.id).and_then(|attachment| attachment.peer_bytes_max);
        if most.is_some_and(|most| payload as u64 > most) {
            self.news.push(News::TooLong(owner, payload));
            return None;
        }
        let link = self.engine.link_mut(owner.channel, owner.handle);
        if !link.is_some_and(|link| link.sending.deliver(is_settled)) {
            self.news.push(News::Returned(owner, number));
            return None;
        }
        self.news.push(if is_settled { News::Left(owner, number) } else { News::Sent(owner) });
        if payload <= self.room() && self.count_transfer(owner) {
            self.put_transfer(owner, Some(number), is_settled, (payload, false));
            self.output.cork().extend_from_slice(&head);
            self.output.body(body);
            self.output.body(tail);
            return None;
        }
        let pieces = [head.into(), body, tail];
        let mut rest = Rest { unsent: Some(number), is_settled, pieces };
        self.send_part(owner, &mut rest).then_some(rest)
    }

    /// Bytes of payload that a transfer has room for.
    fn room(&self) -> usize {
        self.engine.frame_bytes_max() - TRANSFER_BYTES_MAX
    }

    /// Counts a transfer where the client's window takes one.
    fn count_transfer(&mut self, owner: Owner) -> bool {
        self.engine.session_mut(owner.channel).is_some_and(engine::Session::count_transfer)
    }

    fn is_settled(&self, owner: Owner) -> bool {
        self.attachments.get(&owner.id).is_some_and(|attachment| attachment.is_settled)
    }

    /// Sends the next part of a message; true when more is left.
    fn send_part(&mut self, owner: Owner, rest: &mut Rest) -> bool {
        if self.engine.session(owner.channel).is_none() {
            return false;
        }
        if !self.count_transfer(owner) {
            return true;
        }
        let left: usize = rest.pieces.iter().map(Bytes::len).sum();
        let payload = left.min(self.room());
        let more = payload < left;
        self.put_transfer(owner, rest.unsent.take(), rest.is_settled, (payload, more));
        let mut wanted = payload;
        for piece in &mut rest.pieces {
            let taken = piece.split_to(piece.len().min(wanted));
            wanted -= taken.len();
            self.output.body(taken);
        }
        more
    }

    /// Writes a transfer up to its payload of so many bytes, and whether more of the message follows. The
    /// first of a message has its number on the link, and takes one of its session.
    fn put_transfer(
        &mut self,
        owner: Owner,
        unsent: Option<u32>,
        is_settled: bool,
        (payload, more): (usize, bool),
    ) {
        let Some(session) = self.engine.session_mut(owner.channel) else { return };
        let delivery = unsent.map(|number| (session.begin_delivery(), number));
        self.sent += u64::from(delivery.is_some());
        let tag = delivery.map(|(_, number)| number.to_be_bytes());
        if let Some((delivery_id, number)) = delivery
            && !is_settled
        {
            self.deliveries.push(owner.channel, Unsettled { delivery_id, link: owner.id, number });
        }
        let head = TransferHead {
            handle: owner.handle,
            delivery: delivery.zip(tag.as_ref()).map(|((id, _), tag)| (id, &tag[..])),
            is_settled,
            more,
        };
        head.put(self.output.cork(), owner.channel, payload);
    }
}

/// Appends an outcome, within a transaction if it is of one.
fn within(out: &mut Vec<u8>, transaction: Option<TransactionId>, outcome: impl FnOnce(&mut Vec<u8>)) {
    match transaction {
        Some(transaction) => put_transactional(out, &transaction.bytes(), outcome),
        None => outcome(out),
    }
}

impl Pending {
    /// A message that was refused.
    pub(super) fn put_refused(delivery_id: u32, reason: Reason) -> Self {
        Self::Put { delivery_id, transaction: None, result: Err(reason) }
    }

    pub(super) fn discharged(delivery_id: u32, result: Result<(), Reason>) -> Self {
        Self::Discharged { delivery_id, result }
    }
}

impl Way for AmqpWay<'_> {
    fn begin_turn(&mut self) {}

    fn is_turn_over(&self) -> bool {
        false
    }

    fn is_full(&self) -> bool {
        self.output.len() > self.output_bytes_max
    }
}

impl gate::Pending for Pending {
    type Way<'a> = AmqpWay<'a>;
    type Owner = Owner;
    type Rest = Rest;

    fn encode(&mut self, owner: Owner, way: &mut AmqpWay<'_>) -> Option<Rest> {
        let Owner { channel, handle, .. } = owner;
        match self {
            Self::Put { delivery_id, transaction: None, result: Ok(()) } => {
                way.paused.hear(owner.id, Ok(()));
                way.accept(channel, *delivery_id);
            }
            Self::Discharged { delivery_id, result: Ok(()) } => way.accept(channel, *delivery_id),
            Self::Put { delivery_id, transaction, result } => {
                way.paused.hear(owner.id, *result);
                let about = way.attachments.get(&owner.id).and_then(Attachment::about).map(str::to_owned);
                let outcome = |out: &mut Vec<u8>| match result {
                    Ok(()) => put_accepted(out),
                    Err(reason) => put_rejected(out, &errors::error_about(*reason, about.as_deref())),
                };
                way.tell(channel, (Role::Receiver, *delivery_id), |out| within(out, *transaction, outcome));
            }
            Self::Discharged { delivery_id, result: Err(reason) } => {
                let error = errors::of_discharge(*reason);
                way.tell(channel, (Role::Receiver, *delivery_id), |out| put_rejected(out, &error));
            }
            Self::Declared { delivery_id, transaction } => {
                let id = transaction.bytes();
                way.tell(channel, (Role::Receiver, *delivery_id), |out| put_declared(out, &id));
            }
            Self::Called { delivery_id, answer } => {
                way.news.push(News::Called(owner, *delivery_id, std::mem::take(answer)));
            }
            Self::Refused { delivery_id, transaction, error } => {
                let outcome = |out: &mut Vec<u8>| put_rejected(out, error);
                way.tell(channel, (Role::Receiver, *delivery_id), |out| within(out, *transaction, outcome));
            }
            Self::Delivered { number, came: Ok(message) } => return way.deliver(owner, *number, message),
            Self::Delivered { came: Err(reason), .. } => way.news.push(News::Failed(owner, *reason)),
            Self::Attached(result) => {
                way.flush();
                let attachment = way.attachments.get(&owner.id)?;
                attachment.answer(way.engine, way.output.cork(), owner, result.as_ref().map_err(|why| *why));
                match result {
                    Ok(at) => way.news.push(News::Attached(owner, at.clone())),
                    Err(_) => way.news.push(News::Refused(owner)),
                }
            }
            Self::Drained => {
                if let Some(link) = way.engine.link_mut(channel, handle) {
                    link.sending.use_up();
                    link.sending.drain = true;
                    way.engine.put_credit(way.output.cork(), channel, handle);
                }
                if let Some(link) = way.engine.link_mut(channel, handle) {
                    link.sending.drain = false;
                }
                way.news.push(News::Drained(owner));
            }
            Self::Confirmed { delivery_id, transaction, outcome } => {
                way.tell(channel, (Role::Sender, *delivery_id), |out| {
                    within(out, *transaction, |out| outcome.put(out))
                });
            }
            Self::Detached { is_closed, refusal } => {
                way.flush();
                let about = || way.attachments.get(&owner.id).and_then(Attachment::about);
                let error = refusal.map(|reason| errors::error_about(reason, about()));
                way.engine.put_detach(way.output.cork(), (channel, handle), *is_closed, error.as_ref());
                way.news.push(News::Gone(owner));
            }
        }
        None
    }

    fn go_on(rest: &mut Rest, owner: Owner, way: &mut AmqpWay<'_>) -> bool {
        way.send_part(owner, rest)
    }
}

impl Delivers for Pending {
    type Label = ();

    fn token(owner: Owner, _: u16, number: u32) -> WaitToken {
        token(owner.id, number)
    }

    fn delivered((): (), delivery: Delivery, came: Result<GotMessage, Reason>) -> Self {
        Self::Delivered { number: delivery.number, came }
    }

    fn delivery(&self) -> Option<Delivery> {
        match self {
            Self::Delivered { number, came: Ok(_) } => {
                Some(Delivery { handle: mqi::ObjectHandle(0), number: *number, is_reserved: true })
            }
            _ => None,
        }
    }
}
