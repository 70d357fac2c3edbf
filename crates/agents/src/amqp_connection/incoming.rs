//! Messages that come by links: each is put, and its outcome told when the gate lets it through.

use amqp::engine::Part;
use amqp::outcome::DeliveryState;
use amqp::{Condition, DecodeError, ErrorField, Fault, Scope, Transfer};
use bytes::Bytes;
use formats::properties::amqp::Incoming;
use mqi::{MessageDescriptor, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions, Reason};
use platform::{Monotonic, WallTime};
use queue_manager::{Connection, Gated, Outcome, Placement, PutDone, PutForRoom, PutTarget, RoomWait};

use super::AmqpConnection;
use super::address::{Names, made_by, model_for, target};
use super::held::{MayWait, WholeMessage};
use super::link::{Kind, Link, Takes};
use super::owner::{LinkId, Owner};
use super::pending::Pending;
use super::transaction::{Transaction, TransactionId, unknown};
use crate::agent::Close;
use crate::arriving;

/// Messages that a client may send by a link before it is given more credit: enough for one that waits for
/// no outcome, and a bound on what is under way.
const CREDIT: u32 = 512;

/// Credit for requests to a coordinator, and for calls on branches: a client declares the next transaction
/// behind the discharge of the one before.
const REQUEST_CREDIT: u32 = 8;

impl AmqpConnection {
    pub(super) fn transfer(
        &mut self,
        channel: u16,
        transfer: &Transfer<'_>,
        part: &Part<'_>,
    ) -> Result<(), Close> {
        self.wants_credit = true;
        let Some(id) = self.link_at(channel, transfer.handle).map(|link| link.owner.id) else {
            return Ok(());
        };
        if part.is_aborted {
            self.forget_arriving(id);
            return Ok(());
        }
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get_mut(&id) else {
            return Ok(());
        };
        if part.is_first {
            receiving.format = transfer.message_format.unwrap_or(0);
            receiving.arriving_in = match transfer.state.map(|state| DeliveryState::decode(state.0)) {
                Some(Ok(DeliveryState::Transactional(state))) => {
                    Some(TransactionId::of(state.txn_id).unwrap_or(TransactionId(0)))
                }
                Some(Ok(_)) | None => None,
                // It may be of a transaction, and must not stand without that.
                Some(Err(error)) => {
                    let text = error.to_string();
                    return self.end_by(Fault::new(Scope::Session(channel), Condition::DecodeError, text));
                }
            };
        }
        if part.is_last && receiving.arriving.is_empty() {
            self.take_part(id, part, part.payload);
            return Ok(());
        }
        // One message is always let in; several that are under way share the bound.
        let is_first = receiving.arriving.is_empty();
        let after = self.arriving_bytes + part.payload.len();
        if !(is_first && self.arriving_bytes == 0) && after > self.limits.arriving_bytes_max {
            let text = "the parts of messages that are under way are more than this connection may have";
            let error = ErrorField::new(Condition::ResourceLimitExceeded, text);
            self.end_link(channel, transfer.handle, &error);
            return Ok(());
        }
        if !receiving.arriving.push(&self.queue_manager, part.payload) {
            let error = ErrorField::new(Condition::ResourceLimitExceeded, arriving::NO_ROOM);
            self.end_link(channel, transfer.handle, &error);
            return Ok(());
        }
        self.arriving_bytes = after;
        if part.is_last {
            let message = receiving.arriving.take();
            self.arriving_bytes -= message.len();
            self.take_part(id, part, &message);
        }
        Ok(())
    }

    pub(super) fn end_link_of(&mut self, id: LinkId, error: &ErrorField) {
        if let Some(Owner { channel, handle, .. }) = self.links.get(&id).map(|link| link.owner) {
            self.end_link(channel, handle, error);
        }
    }

    /// Ends links by which nothing more of a half-sent message comes while others need its room.
    pub(super) fn give_up_arriving(&mut self, now: Monotonic) {
        let overdue = |link: &mut Link| match &mut link.kind {
            Kind::Receiving(receiving) => receiving.arriving.is_overdue(now).then_some(link.owner),
            Kind::Sending(_) => None,
        };
        let given_up: Vec<Owner> = self.links.values_mut().filter_map(overdue).collect();
        for Owner { channel, handle, .. } in given_up {
            let error = ErrorField::new(Condition::ResourceLimitExceeded, arriving::STALLED);
            self.end_link(channel, handle, &error);
            self.inbox.wake();
        }
    }

    /// Takes a message whose last part this is.
    fn take_part(&mut self, id: LinkId, part: &Part<'_>, message: &[u8]) {
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get_mut(&id) else { return };
        let (transaction, format) = (receiving.arriving_in.take(), receiving.format);
        let Part { delivery_id, is_settled, .. } = *part;
        self.take_message(id, &WholeMessage { delivery_id, is_settled, transaction, format, message });
    }

    /// Puts a message that is whole, or carries it out as the request that it is.
    pub(super) fn carry_out_message(&mut self, id: LinkId, whole: &WholeMessage<'_>, may_wait: MayWait) {
        let &WholeMessage { delivery_id, is_settled, transaction, format, message } = whole;
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get(&id) else { return };
        let takes = receiving.takes;
        match takes {
            Takes::Requests => return self.coordinate(id, delivery_id, message),
            Takes::BranchCalls => return self.call_branch(id, &whole.part(), transaction, format, message),
            Takes::ForHandle | Takes::ByAddress => {}
        }
        let mut within = None;
        if let Some(name) = transaction {
            within = self.transactions.get_mut(name).map(|transaction| (name, transaction));
            if within.is_none() {
                return self.refuse_message(id, delivery_id, unknown());
            }
        }
        if format != 0 {
            doomed(within, Reason::FORMAT_ERROR);
            let text = format!("the message-format {format} is not known here; messages of AMQP have 0");
            let error = ErrorField::new(Condition::NotImplemented, text);
            return match is_settled {
                true => self.end_link_of(id, &error),
                false => self.refuse_message(id, delivery_id, error),
            };
        }
        let manager = &self.queue_manager;
        let names = Names::of(manager);
        let incoming = match message {
            [] => Err(DecodeError::Missing("body")),
            message => Incoming::of(message, || manager.wall().0 / 1000, |name, at| names.queue(name, at)),
        };
        if let Ok(Incoming { asks: Some(text), descriptor, .. }) = &incoming {
            self.identifiers.note(descriptor.message_id, (*text).to_owned());
        }
        let Some(link) = self.links.get_mut(&id) else { return };
        let session = self.sessions.get_mut(&link.owner.channel);
        let verbs = session.and_then(|session| session.connection.as_mut());
        let answer = match (incoming, verbs, link.handle) {
            (Err(error), ..) => {
                let error = Box::new(ErrorField::new(Condition::DecodeError, error.to_string()));
                let transaction = doomed(within, Reason::FORMAT_ERROR);
                Ok(Gated::free(Pending::Refused { delivery_id, transaction, error }))
            }
            (Ok(incoming), Some(verbs), Some(handle)) => {
                put(verbs, &Destination::Handle(handle), incoming, delivery_id, may_wait, within)
            }
            (Ok(incoming), Some(verbs), None) if takes == Takes::ByAddress => {
                let address = incoming.to.unwrap_or_default();
                match names.object(address, incoming.is_to_topic).and_then(target) {
                    Ok(object) => {
                        let model = model_for(self.terms.as_ref(), &object);
                        let by_model = model.map(|model| made_by(model, &object));
                        let to = Destination::Named { object: &object, by_model: by_model.as_ref() };
                        put(verbs, &to, incoming, delivery_id, may_wait, within)
                    }
                    Err(reason) => Ok(refused(delivery_id, within, reason)),
                }
            }
            _ => Ok(refused(delivery_id, within, Reason::HOBJ_ERROR)),
        };
        let answer = match answer {
            Ok(answer) => answer.and_needs(names.need()),
            Err(wait) => return self.keep(id, whole, Some(wait)),
        };
        if !is_settled {
            link.replies.push(answer);
            self.list(id);
        }
    }

    /// Gives credit to links that have little left, and window to sessions.
    pub(super) fn renew_credit(&mut self) {
        let wants_credit = std::mem::take(&mut self.wants_credit);
        if !self.paused.take_ended() && !wants_credit {
            return;
        }
        for (channel, session) in &self.sessions {
            for (handle, id) in &session.links {
                let Some(link) = self.links.get(id) else { continue };
                let Kind::Receiving(receiving) = &link.kind else { continue };
                if !link.is_attached || self.paused.holds(*id) || !receiving.held.is_empty() {
                    continue;
                }
                let most = match receiving.takes {
                    Takes::Requests | Takes::BranchCalls => REQUEST_CREDIT,
                    Takes::ForHandle | Takes::ByAddress => CREDIT,
                };
                let Some(known) = self.engine.link_mut(*channel, *handle) else { continue };
                if known.receiving.credit <= most / 2 {
                    known.receiving.credit = most;
                    self.engine.put_credit(&mut self.greeting, *channel, *handle);
                }
            }
            if self.engine.session(*channel).is_some_and(amqp::engine::Session::wants_window) {
                self.engine.put_window(&mut self.greeting, *channel);
            }
        }
    }
}

impl AmqpConnection {
    /// Gives links whose messages find no room the credit of one message, by which they ask again.
    pub(super) fn ask_for_room(&mut self, now: Monotonic) {
        let links = &self.links;
        for id in self.paused.due(now, |link| links.contains_key(&link)) {
            let Some(Owner { channel, handle, .. }) = self.links.get(&id).map(|link| link.owner) else {
                continue;
            };
            if let Some(known) = self.engine.link_mut(channel, handle)
                && known.receiving.credit == 0
            {
                known.receiving.credit = 1;
                self.engine.put_credit(&mut self.greeting, channel, handle);
                self.inbox.wake();
            }
        }
    }
}

/// Dooms the transaction of a message that is not put; its name.
pub(super) fn doomed(
    within: Option<(TransactionId, &mut Transaction)>,
    reason: Reason,
) -> Option<TransactionId> {
    let (name, transaction) = within?;
    transaction.doom(Gated::free(reason));
    Some(name)
}

/// Refuses a message, and dooms the transaction that it is of.
fn refused(
    delivery_id: u32,
    within: Option<(TransactionId, &mut Transaction)>,
    reason: Reason,
) -> Gated<Pending> {
    let transaction = doomed(within, reason);
    Gated::free(Pending::Put { delivery_id, transaction, result: Err(reason) })
}

/// The place where a message goes.
enum Destination<'a> {
    /// The handle of its link.
    Handle(ObjectHandle),
    /// The object that it names. A queue that is not there may be made from a model.
    Named { object: &'a ObjectDescriptor, by_model: Option<&'a ObjectDescriptor> },
}

impl Destination<'_> {
    /// Puts a message: to the object, and where that fails to a queue that is made for it.
    fn put(
        &self,
        verbs: &mut Connection,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
        placement: Placement<'_>,
    ) -> Outcome<PutDone> {
        let mut put =
            |target, body: Bytes| verbs.put_placed(target, descriptor, options, body.into(), placement);
        let (object, by_model) = match *self {
            Self::Handle(handle) => return put(PutTarget::Handle(handle), body),
            Self::Named { object, by_model: None } => return put(PutTarget::Object(object), body),
            Self::Named { object, by_model: Some(by_model) } => (object, by_model),
        };
        let done = put(PutTarget::Object(object), body.clone());
        let need = done.need();
        let refusal = match done.split() {
            Ok(done) => return done.map(Ok),
            Err(refusal) => refusal,
        };
        match put(PutTarget::Object(by_model), body).and_needs(need).split() {
            Ok(done) => done.map(Ok),
            // It was something else that failed.
            Err(_) => refusal.map(Err),
        }
    }

    /// The same as the target of a put.
    fn target(&self) -> PutTarget<'_> {
        match self {
            Self::Handle(handle) => PutTarget::Handle(*handle),
            Self::Named { object, .. } => PutTarget::Object(object),
        }
    }
}

/// The wait of a message that found no room, as far as it may wait.
fn wait_of(verbs: &Connection, put: &PutForRoom<'_>, may_wait: MayWait) -> Option<RoomWait> {
    match may_wait {
        MayWait::Full => put.wait(verbs),
        MayWait::Rest(wait) => wait.again(),
        MayWait::None => None,
    }
}

/// Puts a message, within a transaction if it is of one. That is doomed where it fails.
///
/// # Errors
/// The wait of one that found no room and may wait for it: nothing has happened.
fn put(
    verbs: &mut Connection,
    to: &Destination<'_>,
    incoming: Incoming<'_>,
    delivery_id: u32,
    may_wait: MayWait,
    within: Option<(TransactionId, &mut Transaction)>,
) -> Result<Gated<Pending>, RoomWait> {
    let (unit, in_unit) = match &within {
        Some((_, transaction)) => (Some(&transaction.unit), PutFlags::SYNCPOINT),
        None => (None, PutFlags::NO_SYNCPOINT),
    };
    let flags = in_unit | PutFlags::FAIL_IF_QUIESCING;
    let body = Bytes::from(incoming.body);
    let (target, descriptor, body_length) = (to.target(), &incoming.descriptor, body.len());
    let deliver_at = incoming.due.map(|due| WallTime(due.saturating_mul(1000)));
    let put = to.put(verbs, descriptor, &PutOptions::with(flags), body, Placement { unit, deliver_at });
    let asked = PutForRoom { target, descriptor, flags, unit, body_length };
    if put.lacks_room()
        && let Some(wait) = wait_of(verbs, &asked, may_wait)
    {
        return Err(wait);
    }
    let Some((name, transaction)) = within else {
        return Ok(put.map(move |result| Pending::Put {
            delivery_id,
            transaction: None,
            result: result.map(drop),
        }));
    };
    let of = move |result| Pending::Put { delivery_id, transaction: Some(name), result };
    Ok(match put.split() {
        Ok(done) => done.map(move |_| of(Ok(()))),
        Err(reason) => {
            transaction.doom(reason.clone());
            reason.map(move |reason| of(Err(reason)))
        }
    })
}
