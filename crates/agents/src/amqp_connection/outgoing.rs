//! Messages that go by links: credit, outcomes, drain.

use amqp::outcome::DeliveryState;
use amqp::{Condition, Disposition, ErrorField, Fault, Flow, Scope};
use mqi::{ObjectHandle, Reason};
use queue_manager::{Connection, Gated, LapseFrom, QueueManager, SubscriptionHold, UnitOfWork};
use storage::Lsn;

use super::attachment::{At, Attachment};
use super::deliveries::Unsettled;
use super::link::{Kind, Link, SendingLink, has_window};
use super::owner::{LinkId, Owner, token};
use super::pending::{News, Pending};
use super::session::Session;
use super::subscription_life::{Holds, SubscriptionLife};
use super::transaction::{Later, Settled, Transaction, TransactionId, WayBack, unknown};
use super::{AmqpConnection, errors};
use crate::agent::Close;
use crate::streams::DELIVERIES_PER_TURN;

/// Most drains of a link that wait: one, since the next is the same.
const MARKS_MAX: usize = 1;

impl AmqpConnection {
    /// Hears of a client's windows, and of the credit of a link.
    pub(super) fn flow(&mut self, channel: u16, flow: &Flow<'_>) {
        if let Some(handle) = flow.handle {
            self.drain();
            let drains = flow.drain;
            if let Some(link) = self.link_at(channel, handle)
                && matches!(link.kind, Kind::Sending(_))
            {
                link.hear_drain(drains);
                let id = link.owner.id;
                self.grant(id);
            }
        }
        if flow.echo {
            match flow.handle {
                Some(handle) if self.link_at(channel, handle).is_some_and(|link| link.is_attached) => {
                    self.engine.put_credit(&mut self.greeting, channel, handle);
                }
                _ => self.engine.put_window(&mut self.greeting, channel),
            }
        }
    }

    /// Has as many messages come by a link as may.
    pub(super) fn grant(&mut self, id: LinkId) {
        let Some(link) = self.links.get_mut(&id) else { return };
        let Owner { channel, handle, .. } = link.owner;
        let Some(credit) = self.engine.link_mut(channel, handle).map(|link| link.sending.credit) else {
            return;
        };
        let session = self.sessions.get_mut(&channel);
        let connection = session.and_then(|session| session.connection.as_mut());
        if let (Some((sending, _)), Some(connection)) = (link.sending(), connection) {
            sending.grant(connection, credit);
        }
    }

    /// Ends the streams of links whose clients want their credit used up, once all that is there has come.
    pub(super) fn drain_links(&mut self) {
        let drains = |link: &Link| matches!(&link.kind, Kind::Sending(sending) if sending.drains);
        let draining: Vec<LinkId> =
            self.links.values().filter(|link| drains(link)).map(|link| link.owner.id).collect();
        for id in draining {
            self.drain_link(id);
            self.list(id);
        }
    }

    fn drain_link(&mut self, id: LinkId) {
        let is_full = self.is_full();
        let Some(link) = self.links.get_mut(&id) else { return };
        let channel = link.owner.channel;
        let session = self.sessions.get_mut(&channel);
        let Some(connection) = session.and_then(|session| session.connection.as_mut()) else { return };
        let may_get = !is_full && (link.replies.is_empty() || has_window(&self.engine, channel));
        let Link { kind: Kind::Sending(sending), handle: Some(handle), replies, is_ending: false, .. } = link
        else {
            return;
        };
        if !sending.is_ended {
            if !may_get && sending.streams.have_credit() {
                return;
            }
            sending.streams.deliver(connection, replies, DELIVERIES_PER_TURN, None);
            if sending.streams.have_credit() {
                return;
            }
            sending.streams.end_wait(connection, *handle, true);
            sending.is_ended = true;
        }
        // An outcome that another thread is about to leave comes before the answer.
        if sending.streams.await_outcome() && !connection.has_ended() {
            return;
        }
        if sending.streams.mark(replies, Pending::Drained, MARKS_MAX).is_ok() {
            (sending.drains, sending.is_answered) = (false, true);
        }
    }

    /// Hears of the states of deliveries.
    pub(super) fn disposition(&mut self, channel: u16, told: &Disposition<'_>) -> Result<(), Close> {
        // Of its own deliveries a client has nothing to say: they are settled here first.
        if !told.is_receiver {
            return Ok(());
        }
        let state = match told.state.map(|state| DeliveryState::decode(state.0)).transpose() {
            Ok(state) => state,
            Err(error) => {
                let fault = Fault::new(Scope::Session(channel), Condition::DecodeError, error.to_string());
                return self.end_by(fault);
            }
        };
        if !told.settled && matches!(state, None | Some(DeliveryState::Received(_))) {
            return Ok(());
        }
        self.drain();
        let mut of_links: Vec<LinkId> = Vec::new();
        for delivery in self.deliveries.take(channel, told.first, told.last.unwrap_or(told.first)) {
            if let Err(error) = self.settle(channel, delivery, state.as_ref(), told.settled) {
                return self.end_by(Fault::new(Scope::Session(channel), error.condition, error.text));
            }
            if of_links.last() != Some(&delivery.link) {
                of_links.push(delivery.link);
            }
        }
        for id in of_links {
            if let Some(Link { kind: Kind::Sending(sending), .. }) = self.links.get_mut(&id)
                && sending.unsettled == 0
            {
                sending.grow();
            }
            self.grant(id);
            self.list(id);
        }
        Ok(())
    }

    fn settle(
        &mut self,
        channel: u16,
        delivery: Unsettled,
        state: Option<&DeliveryState<'_>>,
        is_settled: bool,
    ) -> Result<(), ErrorField> {
        let Unsettled { delivery_id, link: id, number } = delivery;
        let Some(link) = self.links.get_mut(&id) else { return Ok(()) };
        let session = self.sessions.get_mut(&channel);
        let Some(connection) = session.and_then(|session| session.connection.as_mut()) else { return Ok(()) };
        let Kind::Sending(sending) = &mut link.kind else { return Ok(()) };
        sending.unsettled = sending.unsettled.saturating_sub(1);
        if !sending.streams.settle(number) {
            return Ok(());
        }
        let default = self.attachments.get(&id).and_then(Attachment::default_outcome);
        let is_final = |state: &&DeliveryState<'_>| !matches!(state, DeliveryState::Received(_));
        let state = state.filter(is_final).or(default.as_ref());
        let mut transaction = None;
        let (outcome, need) = match state {
            Some(DeliveryState::Transactional(within)) => {
                let name = TransactionId::of(within.txn_id);
                let Some(unit) = name.and_then(|name| self.transactions.get_mut(name)) else {
                    connection.give_back(token(id, number));
                    return Err(unknown());
                };
                transaction = name;
                let decoded = within.outcome.map(|outcome| DeliveryState::decode(outcome.0)).transpose();
                let faulty =
                    |error: amqp::DecodeError| ErrorField::new(Condition::DecodeError, error.to_string());
                let outcome = decoded.map_err(faulty)?;
                carry_out_within(connection, unit, (channel, delivery), outcome.as_ref().or(default.as_ref()))
            }
            state => {
                let asked = (id, number, link.handle, state);
                match carry_out(connection, &self.queue_manager, asked) {
                    Ok(carried) => carried,
                    // It would be accepted outside transactions for ever: the link ends instead.
                    Err(refused) => {
                        sending.is_ended = true;
                        if let Some(handle) = link.handle {
                            sending.streams.end_wait(connection, handle, false);
                        }
                        connection.give_back(token(id, number));
                        let failed = move |reason| Pending::Delivered { number, came: Err(reason) };
                        link.replies.push(refused.map(failed));
                        return Ok(());
                    }
                }
            }
        };
        if !is_settled {
            link.replies.push(Gated::new(need, Pending::Confirmed { delivery_id, transaction, outcome }));
        }
        Ok(())
    }

    /// Does what became known at the output; true if there was something.
    pub(super) fn act_on_news(&mut self) -> bool {
        let news = std::mem::take(&mut self.news);
        let acted = !news.is_empty();
        for one in news {
            self.act_on(one);
        }
        acted
    }

    fn act_on(&mut self, news: News) {
        match news {
            News::Attached(owner, at) => {
                let bytes_max = self.limits.channel.message_bytes_max as usize;
                let peer_max = self.attachments.get(&owner.id).and_then(Attachment::taken_bytes_max);
                let bytes_max = peer_max.map_or(bytes_max, |most| bytes_max.min(most));
                let Some(link) = self.links.get_mut(&owner.id) else { return };
                link.is_attached = true;
                match at {
                    At::Object(opened) => link.begin_stream(opened.handle, bytes_max),
                    At::Subscription(subscribed, lasting) => {
                        let (subscription, is_durable) =
                            (subscribed.subscription, lasting != SubscriptionLife::WithLink);
                        link.subscription = Some((subscription, is_durable));
                        if let Some(session) = self.sessions.get_mut(&owner.channel) {
                            hold(session, &mut self.holds, subscription, lasting);
                        }
                        if let Some(queue) = subscribed.queue {
                            link.begin_stream(queue, bytes_max);
                        }
                    }
                    At::Nothing => {}
                }
                if link.is_ending {
                    let session = self.sessions.get_mut(&owner.channel);
                    if let Some(connection) = session.and_then(|session| session.connection.as_mut()) {
                        let detach = link.detach;
                        link.close(connection, &mut self.deliveries, detach);
                    }
                    self.list(owner.id);
                    return;
                }
                self.wants_credit = true;
                self.grant(owner.id);
            }
            News::Refused(owner) => {
                if let Some(session) = self.sessions.get_mut(&owner.channel)
                    && session.links.get(&owner.handle) == Some(&owner.id)
                {
                    session.links.remove(&owner.handle);
                }
                // A detach of its client that came meanwhile is answered by the one with the reason.
                self.forget(owner.id);
            }
            News::Failed(owner, reason) => {
                let about = self.attachments.get(&owner.id).and_then(Attachment::about);
                let error = errors::error_about(reason, about);
                self.drop_link(owner.channel, owner.handle);
                let place = (owner.channel, owner.handle);
                self.engine.put_detach(&mut self.greeting, place, reason == Reason::Q_DELETED, Some(&error));
            }
            News::Returned(owner, number) => self.with_sending(owner, |sending, connection| {
                if sending.streams.settle(number) {
                    connection.give_back(token(owner.id, number));
                }
            }),
            News::Left(owner, number) => {
                self.with_sending(owner, |sending, _| {
                    sending.streams.settle(number);
                });
                self.grant(owner.id);
            }
            News::TooLong(owner, bytes) => self.end_too_long(owner, bytes),
            News::Failing(owner, number) => self.move_aside(owner, number),
            News::Sent(owner) => {
                self.with_sending(owner, |sending, _| sending.unsettled += 1);
            }
            News::Drained(owner) => {
                self.with_sending(owner, |sending, _| {
                    (sending.is_ended, sending.is_answered) = (false, false)
                });
                self.grant(owner.id);
            }
            News::Gone(owner) => self.forget(owner.id),
            News::Called(owner, delivery_id, answer) => self.answer_call(owner, delivery_id, answer),
        }
    }

    fn with_sending(&mut self, owner: Owner, act: impl FnOnce(&mut SendingLink, &mut Connection)) {
        let session = self.sessions.get_mut(&owner.channel);
        let connection = session.and_then(|session| session.connection.as_mut());
        if let Some(Link { kind: Kind::Sending(sending), .. }) = self.links.get_mut(&owner.id)
            && let Some(connection) = connection
        {
            act(sending, connection);
        }
    }

    /// Ends a link whose next message is longer than its client takes. The message goes back.
    fn end_too_long(&mut self, owner: Owner, bytes: usize) {
        let most = self.attachments.get(&owner.id).and_then(|attachment| attachment.peer_bytes_max);
        let text = format!(
            "the next message has {bytes} bytes and the max-message-size of this receiver is {}; it stays for \
             receivers that take more",
            most.unwrap_or_default()
        );
        self.drop_link(owner.channel, owner.handle);
        let error = ErrorField::new(Condition::MessageSizeExceeded, text);
        let place = (owner.channel, owner.handle);
        self.engine.put_detach(&mut self.greeting, place, true, Some(&error));
    }

    /// Moves a message aside that has failed too often.
    fn move_aside(&mut self, owner: Owner, number: u32) {
        let manager = self.queue_manager.clone();
        self.with_sending(owner, |sending, connection| {
            if sending.streams.settle(number) {
                WayBack::Aside { counts: false }.go(connection, &manager, token(owner.id, number));
            }
        });
        self.grant(owner.id);
    }

    fn forget(&mut self, id: LinkId) {
        self.links.remove(&id);
        self.attachments.remove(&id);
    }

    /// Lets more come ahead by links that were held back and whose clients settle nothing meanwhile.
    pub(super) fn grow_ahead(&mut self) {
        let mut grown = Vec::new();
        for link in self.links.values_mut() {
            if let Some((sending, _)) = link.sending()
                && sending.is_held
            {
                sending.grow();
                grown.push(link.owner.id);
            }
        }
        grown.into_iter().for_each(|id| self.grant(id));
    }
}

/// Keeps a subscription from ending before the session or the connection does, where it is to last so long.
fn hold(session: &mut Session, holds: &mut Holds, subscription: ObjectHandle, lasting: SubscriptionLife) {
    let from = lasting.terms().and_then(|terms| terms.lapse).map(|lapse| lapse.from);
    let holds = match from {
        Some(LapseFrom::Session) => &mut session.holds,
        Some(LapseFrom::Connection) => holds,
        Some(LapseFrom::Link) | None => return,
    };
    let held = session.connection.as_ref().and_then(|verbs| SubscriptionHold::of(verbs, subscription));
    held.into_iter().for_each(|hold| holds.take(hold));
}

/// Carries out the outcome of a delivery within a transaction: an acceptance at once, another when it ends.
fn carry_out_within(
    connection: &mut Connection,
    transaction: &mut Transaction,
    (channel, delivery): (u16, Unsettled),
    outcome: Option<&DeliveryState<'_>>,
) -> (Settled, Lsn) {
    let Unsettled { link, number, .. } = delivery;
    if outcome != Some(&DeliveryState::Accepted) {
        let way_back = WayBack::of(outcome);
        transaction.later.push(Later { channel, link, number, way_back });
        return (way_back.outcome(), Lsn::ZERO);
    }
    let token = token(link, number);
    let taken = connection.take_reserved(token, Some(&transaction.unit));
    let need = taken.need();
    let Err(reason) = taken.split() else {
        transaction.note_accepted(link);
        return (Settled::Accepted, need);
    };
    transaction.doom(reason);
    connection.give_back(token);
    (Settled::Released, need)
}

/// Carries out the outcome of a delivery; what it comes to, and the position of the log that it depends on.
/// A message that cannot be taken goes back.
///
/// # Errors
/// 2232 where the message can be taken within a transaction alone: it is still set aside.
fn carry_out(
    connection: &mut Connection,
    manager: &QueueManager,
    (id, number, handle, state): (LinkId, u32, Option<ObjectHandle>, Option<&DeliveryState<'_>>),
) -> Result<(Settled, Lsn), Gated<Reason>> {
    let token = token(id, number);
    if state != Some(&DeliveryState::Accepted) {
        let way_back = WayBack::of(state);
        return Ok((way_back.outcome(), way_back.go(connection, manager, token)));
    }
    let taken = connection.take_reserved(token, None);
    let need = taken.need();
    match taken.split() {
        Ok(_) => return Ok((Settled::Accepted, need)),
        Err(reason) if handle.is_some_and(|handle| UnitOfWork::is_required(connection, handle)) => {
            return Err(reason);
        }
        Err(_) => connection.give_back(token),
    }
    Ok((Settled::Released, need))
}
