//! Messages that came and wait for room on their queue (FULLACT(HOLD)).
//!
//! A message is put, and where it finds no room but may wait, it stays with its link until there is some, or
//! its time is over. What comes by the link behind it waits with it, and so does a request that ends the
//! transaction that it is of. The link is given no credit meanwhile; other links go on.
//!
//! Always: what is kept has a bound for a connection, beyond which no more is read from its client. A link
//! or a session that its client ends has its messages put, or refused, at once.

use amqp::transaction::{Discharge, Request};
use mqi::Reason;
use queue_manager::{Gated, RoomWait};

use super::AmqpConnection;
use super::held::{HeldMessage, MayWait, WholeMessage};
use super::link::{Kind, Link, Takes};
use super::owner::LinkId;
use super::transaction::TransactionId;

/// Most bytes of messages that wait on one connection before no more is read from it.
const HELD_BYTES_MAX: usize = 1 << 20;

impl AmqpConnection {
    /// Takes a message that is whole: it is carried out, or waits behind others.
    pub(super) fn take_message(&mut self, id: LinkId, whole: &WholeMessage<'_>) {
        self.progress.messages += 1;
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get(&id) else { return };
        let is_behind = !receiving.held.is_empty()
            || self.held_messages > 0
                && ended_by(whole, receiving.takes).is_some_and(|transaction| self.holds_of(transaction));
        if is_behind { self.keep(id, whole, None) } else { self.carry_out_message(id, whole, MayWait::Full) }
    }

    /// Keeps a message that waits: for room, or behind others.
    pub(super) fn keep(&mut self, id: LinkId, whole: &WholeMessage<'_>, wait: Option<RoomWait>) {
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get_mut(&id) else { return };
        self.held_bytes += receiving.held.keep(whole);
        self.held_messages += 1;
        if wait.is_some() {
            receiving.held.wait = wait;
        }
    }

    /// True if a link has a message of this transaction that waits.
    fn holds_of(&self, transaction: TransactionId) -> bool {
        let messages = self.links.values().filter_map(|link| match &link.kind {
            Kind::Receiving(receiving) if receiving.takes.is_of_messages() => Some(&receiving.held.messages),
            _ => None,
        });
        messages.flatten().any(|held| held.transaction == Some(transaction))
    }

    /// True while so much waits that no more is read.
    pub(super) fn holds_much(&self) -> bool {
        self.held_bytes > HELD_BYTES_MAX
    }

    /// Carries out what waited and need not wait any more.
    pub(super) fn resume_held(&mut self) {
        if self.held_messages == 0 {
            return;
        }
        let has_held =
            |link: &Link| matches!(&link.kind, Kind::Receiving(receiving) if !receiving.held.is_empty());
        let links: Vec<LinkId> =
            self.links.iter().filter(|(_, link)| has_held(link)).map(|(id, _)| *id).collect();
        for id in links {
            while let Some((held, wait)) = self.next_held(id) {
                let may_wait = wait.map_or(MayWait::Full, MayWait::Rest);
                self.carry_out_held(id, &held, may_wait);
            }
        }
    }

    /// Takes the first message of a link out, if it need not wait any more.
    fn next_held(&mut self, id: LinkId) -> Option<(HeldMessage, Option<RoomWait>)> {
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get(&id) else { return None };
        let (takes, held) = (receiving.takes, &receiving.held);
        if held.wait.as_ref().is_some_and(RoomWait::is_awaited) {
            return None;
        }
        let ends = ended_by(&held.messages.front()?.whole(), takes);
        if ends.is_some_and(|transaction| self.holds_of(transaction)) {
            return None;
        }
        self.take_first(id)
    }

    fn take_first(&mut self, id: LinkId) -> Option<(HeldMessage, Option<RoomWait>)> {
        let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get_mut(&id) else {
            return None;
        };
        let message = receiving.held.messages.pop_front()?;
        self.held_bytes -= message.message.len();
        self.held_messages -= 1;
        self.wants_credit |= receiving.held.is_empty();
        Some((message, receiving.held.wait.take()))
    }

    /// Carries out a message that waited; one that waits again is the first of its link as before.
    fn carry_out_held(&mut self, id: LinkId, held: &HeldMessage, may_wait: MayWait) {
        self.carry_out_message(id, &held.whole(), may_wait);
        if let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get_mut(&id)
            && receiving.held.wait.is_some()
        {
            receiving.held.messages.rotate_right(1);
        }
    }

    /// Carries out everything of a link that its client ends: what finds no room is refused.
    pub(super) fn flush_held(&mut self, id: LinkId) {
        while let Some((held, _)) = self.take_first(id) {
            self.carry_out_message(id, &held.whole(), MayWait::None);
        }
    }

    /// Gives up what waits at a link that ends by a fault, and with it the transactions that it is of.
    pub(super) fn forget_held(&mut self, id: LinkId) {
        while let Some((held, _)) = self.take_first(id) {
            if let Some(transaction) = held.transaction.and_then(|name| self.transactions.get_mut(name)) {
                transaction.doom(Gated::free(Reason::BACKED_OUT));
            }
        }
    }
}

/// The transaction that a message ends or prepares, if it is a request that does.
fn ended_by(whole: &WholeMessage<'_>, takes: Takes) -> Option<TransactionId> {
    match takes {
        Takes::Requests => match Request::decode(whole.message) {
            Ok(Request::Discharge(Discharge { txn_id, .. })) => TransactionId::of(txn_id),
            Ok(Request::Declare(_)) | Err(_) => None,
        },
        Takes::BranchCalls => whole.transaction,
        Takes::ForHandle | Takes::ByAddress => None,
    }
}
