//! One link: what it has to say, its messages, and its handle of the interface.
//!
//! Always: a message that goes is set aside for its link until its outcome is known; those without one go
//! back when the link ends.

use std::collections::BTreeMap;

use amqp::engine;
use mqi::{CloseOptions, GetFlags, GetOptions, MatchOptions, MessageDescriptor, ObjectHandle, Reason, Wait};
use queue_manager::{Connection, Gated, GotMessage, Outcome, Reserve};
use storage::Lsn;

use super::deliveries::Deliveries;
use super::held::HeldMessages;
use super::owner::{LinkId, Owner};
use super::pending::{Pending, Sink};
use super::session::Session;
use super::transaction::TransactionId;
use crate::arriving::Parts;
use crate::gate::Replies;
use crate::streams::{Beginning, DELIVERIES_PER_TURN, Streams, WAITING_BYTES_MAX, Wanted};

/// Most deliveries of a link that are not settled.
pub(super) const UNSETTLED_MAX: usize = 32_767;

/// Messages that a link is given ahead of their outcomes when it begins: so few that several links share what
/// little there is, so many that a link by itself is not slowed down.
const AHEAD_FIRST: usize = 16;

/// The number of the only stream that a link has.
const STREAM: u16 = 1;

/// A link.
pub(super) struct Link {
    pub(super) owner: Owner,
    pub(super) replies: Replies<Pending>,
    pub(super) is_listed: bool,
    /// Says whether its attach was answered.
    pub(super) is_attached: bool,
    /// The handle of the interface, once the attach is answered.
    pub(super) handle: Option<ObjectHandle>,
    /// The handle of its subscription, and whether that outlasts it.
    pub(super) subscription: Option<(ObjectHandle, bool)>,
    /// Says whether it ends, and only what it still has to say is left.
    pub(super) is_ending: bool,
    /// Its client's detach, if that came before its attach was answered; says whether its terminus ends.
    pub(super) detach: Option<bool>,
    pub(super) kind: Kind,
}

/// The kind of a link.
pub(super) enum Kind {
    /// Messages go to the client.
    Sending(SendingLink),
    /// Messages come from the client.
    Receiving(ReceivingLink),
}

/// A link by which messages come.
pub(super) struct ReceivingLink {
    pub(super) takes: Takes,
    /// The parts of a message that is not whole.
    pub(super) arriving: Parts,
    /// The transaction that it belongs to.
    pub(super) arriving_in: Option<TransactionId>,
    /// The message-format that it says.
    pub(super) format: u32,
    /// Messages that are whole and wait.
    pub(super) held: HeldMessages,
}

/// The use of messages that come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// They are put to the link's handle.
    ForHandle,
    /// They say themselves where they go.
    ByAddress,
    /// They are requests to the coordinator of transactions.
    Requests,
    /// They are calls on branches of transactions that others coordinate.
    BranchCalls,
}

impl Takes {
    /// True if messages are put.
    pub(super) fn is_of_messages(self) -> bool {
        matches!(self, Self::ForHandle | Self::ByAddress)
    }
}

impl ReceivingLink {
    pub(super) fn of(takes: Takes) -> Self {
        Self {
            takes,
            arriving: Parts::default(),
            arriving_in: None,
            format: 0,
            held: HeldMessages::default(),
        }
    }
}

/// A link by which messages go.
pub(super) struct SendingLink {
    pub(super) streams: Streams<Pending>,
    /// Says whether messages stay where they are.
    browses: bool,
    /// Says whether messages go settled: they are taken before they leave.
    is_settled: bool,
    /// Deliveries that were sent and are not settled.
    pub(super) unsettled: usize,
    /// Most messages that are set aside for it.
    pub(super) ahead: usize,
    /// Says whether it was held to that since the last tick.
    pub(super) is_held: bool,
    /// Says whether its client wants its credit used up.
    pub(super) drains: bool,
    /// Says whether its stream has ended for that.
    pub(super) is_ended: bool,
    /// Says whether the answer to that is on its way.
    pub(super) is_answered: bool,
}

impl SendingLink {
    pub(super) fn new(owner: Owner, browses: bool, is_settled: bool) -> Self {
        Self {
            streams: Streams::of(owner),
            browses,
            is_settled,
            unsettled: 0,
            ahead: AHEAD_FIRST,
            is_held: false,
            drains: false,
            is_ended: false,
            is_answered: false,
        }
    }

    /// Messages that may come beside those that are set aside, by the client's credit.
    fn allowance(&mut self, credit: u32) -> u32 {
        let reserved = self.streams.reserved();
        let on_the_way = reserved.saturating_sub(self.unsettled);
        let credit = (credit as usize).saturating_sub(on_the_way);
        let most = if self.drains { UNSETTLED_MAX } else { self.ahead.min(UNSETTLED_MAX) };
        let room = most.saturating_sub(reserved);
        self.is_held |= room < credit;
        credit.min(room) as u32
    }

    /// Has as many messages come as the client's credit and the bound of the link let.
    pub(super) fn grant(&mut self, connection: &mut Connection, credit: u32) {
        if !self.is_ended {
            let messages = self.allowance(credit);
            self.streams.set_credit(connection, messages);
        }
    }

    /// More may come ahead from now on: those that came are used up.
    pub(super) fn grow(&mut self) {
        if std::mem::take(&mut self.is_held) {
            self.ahead = (self.ahead * 2).min(UNSETTLED_MAX);
        }
    }
}

impl Link {
    pub(super) fn new(owner: Owner, kind: Kind) -> Self {
        let replies = Replies::of(owner);
        Self {
            owner,
            replies,
            is_listed: false,
            is_attached: false,
            handle: None,
            subscription: None,
            is_ending: false,
            detach: None,
            kind,
        }
    }

    /// The transaction of a message that is on its way in.
    pub(super) fn arriving_in(&self) -> Option<TransactionId> {
        match &self.kind {
            Kind::Receiving(receiving) => receiving.arriving_in,
            Kind::Sending(_) => None,
        }
    }

    /// Returns the number of answers that wait, and the bytes of their bodies.
    pub(super) fn replies(&self) -> (usize, usize) {
        (self.replies.len(), self.replies.bytes())
    }

    fn can_deliver(&self) -> bool {
        let Kind::Sending(sending) = &self.kind else { return false };
        !self.is_ending && sending.streams.have_credit()
    }

    pub(super) fn has_output(&self) -> bool {
        !self.replies.is_empty()
    }

    /// Notes that it is about to be listed; false where it has nothing to say or is listed.
    pub(super) fn enlist(&mut self) -> bool {
        self.has_output() && !std::mem::replace(&mut self.is_listed, true)
    }

    /// Says whether the rest of a message waits for the window of the client, and all behind it.
    pub(super) fn is_shut(&self, engine: &engine::Connection) -> bool {
        self.replies.is_sending() && !has_window(engine, self.owner.channel)
    }

    /// Hears whether the client wants its credit used up. Its newest word is the one that counts: the answer
    /// to an earlier one that has not left would use up what was granted since.
    pub(super) fn hear_drain(&mut self, drains: bool) {
        let Kind::Sending(sending) = &mut self.kind else { return };
        if std::mem::take(&mut sending.is_answered) {
            sending.streams.forget_marks();
            self.replies.withdraw(|pending| matches!(pending, Pending::Drained));
        }
        (sending.drains, sending.is_ended) = (drains, false);
    }

    /// A link by which messages go, and its handle, until it ends.
    pub(super) fn sending(&mut self) -> Option<(&mut SendingLink, ObjectHandle)> {
        match (&mut self.kind, self.handle) {
            (Kind::Sending(sending), Some(handle)) if !self.is_ending => Some((sending, handle)),
            _ => None,
        }
    }

    /// Begins to have messages come from a handle.
    pub(super) fn begin_stream(&mut self, handle: ObjectHandle, bytes_max: usize) {
        self.handle = Some(handle);
        let Kind::Sending(sending) = &mut self.kind else { return };
        let browsing = if sending.browses { GetFlags::BROWSE_NEXT } else { GetFlags::EMPTY };
        let options = GetOptions {
            flags: GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING | browsing,
            wait: Wait::Unlimited,
            match_options: MatchOptions::EMPTY,
            ..GetOptions::default()
        };
        let begun = sending.streams.begin(Beginning {
            handle,
            label: (),
            wanted: Wanted { options, bytes_max, descriptor: MessageDescriptor::default() },
            which: if sending.is_settled { Reserve::NoneForLink } else { Reserve::ForLink },
            browses: sending.browses,
            is_in_unit: false,
            is_called: false,
            is_first_awaited: false,
            messages: 0,
            bytes: 0,
        });
        begun.expect("the first stream of a link has room");
    }

    /// A wait has brought something.
    pub(super) fn delivered(&mut self, number: u32, outcome: Outcome<GotMessage>) {
        if let Kind::Sending(sending) = &mut self.kind {
            sending.streams.delivered(&mut self.replies, STREAM, number, outcome);
        }
    }

    /// Has messages come where some came since the last release.
    pub(super) fn go_on(&mut self, sessions: &mut BTreeMap<u16, Session>) {
        let channel = self.owner.channel;
        let Kind::Sending(sending) = &mut self.kind else { return };
        let connection = sessions.get_mut(&channel).and_then(|session| session.connection.as_mut());
        if let Some(connection) = connection {
            sending.streams.go_on(connection, &mut self.replies);
        }
    }

    /// Gives back what is set aside, and closes the handle. The answer, if there is one, tells whether the
    /// terminus ends as well.
    pub(super) fn close(
        &mut self,
        connection: &mut Connection,
        deliveries: &mut Deliveries,
        answer: Option<bool>,
    ) {
        self.is_ending = true;
        if let (Kind::Sending(sending), Some(handle)) = (&mut self.kind, self.handle) {
            // A message that was sent in part ends with its link.
            self.replies = Replies::of(self.owner);
            sending.streams.release(connection, &mut self.replies, handle);
            deliveries.forget_link(self.owner.channel, self.owner.id);
        }
        let closed = self.handle.take().map(|handle| connection.close(handle, CloseOptions::EMPTY));
        let is_over = answer.unwrap_or(false);
        let ended = self.subscription.take().map(|(subscription, is_durable)| match (is_durable, is_over) {
            (true, true) => removed(connection, subscription),
            (true, false) => connection.close(subscription, CloseOptions::KEEP_SUB),
            (false, _) => connection.close(subscription, CloseOptions::EMPTY),
        });
        let Some(is_closed) = answer else { return };
        let need = closed.map_or(Lsn::ZERO, |closed| closed.need());
        let ended = ended.unwrap_or_else(|| Gated::free(Ok(None))).and_needs(need);
        self.replies.push(ended.map(move |ended| Pending::Detached { is_closed, refusal: ended.err() }));
    }
}

/// Removes a durable subscription with its handle. Where it is refused, others use it or its user may not,
/// the handle goes alone.
fn removed(connection: &mut Connection, subscription: ObjectHandle) -> Outcome<Option<Reason>> {
    match connection.close(subscription, CloseOptions::REMOVE_SUB).split() {
        Ok(removed) => removed.map(Ok),
        Err(refusal) => {
            let kept = connection.close(subscription, CloseOptions::KEEP_SUB);
            refusal.and_needs(kept.need()).map(Err)
        }
    }
}

/// Says whether the client of a session takes one more transfer.
pub(super) fn has_window(engine: &engine::Connection, channel: u16) -> bool {
    engine.session(channel).is_none_or(|session| session.outgoing_room() > 0)
}

/// Lets messages come where there is credit, and sends them; true when some had no turn. Links whose client
/// lets nothing through have bytes of their own, so that they keep nothing from the others.
pub(super) fn deliver(
    links: &mut BTreeMap<LinkId, Link>,
    sessions: &mut BTreeMap<u16, Session>,
    listed: &mut Vec<LinkId>,
    sink: &mut Sink<'_>,
) -> bool {
    let mut left = DELIVERIES_PER_TURN;
    let mut is_held = false;
    let (mut open_bytes, mut shut_bytes) = (0, 0);
    for (id, link) in links {
        let has_window = has_window(sink.way.engine(), link.owner.channel);
        let waiting_bytes = if has_window { &mut open_bytes } else { &mut shut_bytes };
        // What cannot leave would keep messages from others.
        if !has_window && (!link.replies.is_empty() || *waiting_bytes > WAITING_BYTES_MAX) {
            *waiting_bytes += link.replies.bytes();
            continue;
        }
        if *waiting_bytes > WAITING_BYTES_MAX {
            is_held |= link.can_deliver();
            continue;
        }
        let Link { kind: Kind::Sending(sending), owner, replies, is_ending: false, .. } = link else {
            continue;
        };
        if !sending.streams.have_credit() {
            continue;
        }
        let session = sessions.get_mut(&owner.channel);
        let Some(connection) = session.and_then(|session| session.connection.as_mut()) else { continue };
        // What waits is sent in turns of its own, behind what came before it.
        let direct = (has_window && replies.is_empty()).then_some(&mut *sink);
        let delivered = sending.streams.deliver(connection, replies, left, direct);
        left = left.saturating_sub(delivered);
        is_held |= sending.streams.have_credit();
        *waiting_bytes += replies.bytes();
        if link.enlist() {
            listed.push(*id);
        }
    }
    is_held
}
