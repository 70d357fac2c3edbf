//! A transaction: a unit of work beside the connections of sessions, which any session may put and take in.
//!
//! Always: one that ends without a discharge is backed out, and what was given to it goes back. One that was
//! prepared takes nothing more, and waits for its decision by whichever connection.

use std::collections::BTreeMap;

use amqp::outcome::{DeliveryState, put_accepted, put_modified_failed, put_rejected_alone, put_released};
use amqp::{Condition, ErrorField};
use mqi::Reason;
use queue_manager::{Begun, Connection, Gated, PreparedWork, QueueManager, UnitOfWork, WaitToken};
use storage::Lsn;

use super::owner::LinkId;

/// Names a transaction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TransactionId(pub(super) u64);

impl TransactionId {
    /// The name as its client has it; none for one that is no name of ours.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(u64::from_be_bytes).map(Self)
    }

    pub(super) fn bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }
}

/// A delivery whose outcome is carried out when its transaction ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Later {
    pub(super) channel: u16,
    pub(super) link: LinkId,
    pub(super) number: u32,
    pub(super) way_back: WayBack,
}

/// The outcome of a message that went, as it was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// The receiver has it.
    Accepted,
    /// It goes elsewhere.
    Rejected,
    /// It is back in its place.
    Released,
    /// The same, and counts as failed.
    Failed,
}

impl Settled {
    pub(super) fn put(self, out: &mut Vec<u8>) {
        match self {
            Self::Accepted => put_accepted(out),
            Self::Rejected => put_rejected_alone(out),
            Self::Released => put_released(out),
            Self::Failed => put_modified_failed(out),
        }
    }
}

/// The way of a message that its receiver did not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayBack {
    /// To its place, as if it had not been given out.
    Unchanged,
    /// To its place, with a backout count that is higher by one.
    Counted,
    /// To the backout queue or the dead-letter queue; to its place where neither takes it.
    Aside {
        /// It counts as failed where it goes to its place.
        counts: bool,
    },
}

impl WayBack {
    /// The way by an outcome other than acceptance; without one it is the default outcome.
    pub(super) fn of(outcome: Option<&DeliveryState<'_>>) -> Self {
        match outcome {
            Some(DeliveryState::Released) => Self::Unchanged,
            Some(DeliveryState::Rejected(_)) => Self::Aside { counts: true },
            Some(DeliveryState::Modified(modified)) => match modified {
                modified if modified.undeliverable_here => Self::Aside { counts: true },
                modified if modified.delivery_failed => Self::Counted,
                _ => Self::Unchanged,
            },
            _ => Self::Counted,
        }
    }

    /// The outcome that its receiver is told.
    pub(super) fn outcome(self) -> Settled {
        match self {
            Self::Unchanged => Settled::Released,
            Self::Counted => Settled::Failed,
            Self::Aside { .. } => Settled::Rejected,
        }
    }

    /// Sends a message on its way; the position of the log that its outcome depends on.
    pub(super) fn go(self, verbs: &mut Connection, manager: &QueueManager, token: WaitToken) -> Lsn {
        match self {
            Self::Unchanged => verbs.give_back(token),
            Self::Counted => verbs.give_back_counted(token),
            Self::Aside { counts } => match verbs.begin_to_move_aside(token, counts) {
                Begun::Done(moved) => return moved.need(),
                // Until the job has moved it, it is set aside still.
                Begun::Reads(rest) => manager.leave(move |manager| drop(rest.finish(manager))),
            },
        }
        Lsn::ZERO
    }
}

/// A transaction, with its unit of work or what is left of that.
pub(super) struct Transaction<U = UnitOfWork> {
    pub(super) unit: U,
    /// The coordinator that declared it.
    coordinator: LinkId,
    /// The reason of the first that failed in it.
    pub(super) doomed: Option<Gated<Reason>>,
    pub(super) later: Vec<Later>,
    /// Links whose messages were accepted in it.
    accepted_by: Vec<LinkId>,
}

impl<U> Transaction<U> {
    /// The same with something else in the place of its unit of work.
    pub(super) fn with<V>(self, unit: V) -> (U, Transaction<V>) {
        let Self { unit: before, coordinator, doomed, later, accepted_by } = self;
        (before, Transaction { unit, coordinator, doomed, later, accepted_by })
    }

    /// The links whose messages have an outcome in it.
    pub(super) fn receivers(&self) -> impl Iterator<Item = LinkId> {
        self.accepted_by.iter().copied().chain(self.later.iter().map(|later| later.link))
    }
}

impl Transaction {
    /// Notes that a message of a link was accepted in it.
    pub(super) fn note_accepted(&mut self, link: LinkId) {
        if self.accepted_by.last() != Some(&link) {
            self.accepted_by.push(link);
        }
    }

    /// Marks it to be backed out at its discharge, for this reason.
    pub(super) fn doom(&mut self, reason: Gated<Reason>) {
        self.doomed.get_or_insert(reason);
    }
}

/// The transactions of a connection.
#[derive(Default)]
pub(super) struct Transactions {
    open: BTreeMap<TransactionId, Transaction>,
    /// Prepared ones, until their discharge.
    prepared: BTreeMap<TransactionId, Transaction<PreparedWork>>,
    last: u64,
}

impl Transactions {
    pub(super) fn get_mut(&mut self, id: TransactionId) -> Option<&mut Transaction> {
        self.open.get_mut(&id)
    }

    /// Takes out those of coordinators that are gone, to be backed out. Those that are prepared go on waiting
    /// without their unit of work here.
    pub(super) fn take_unless(
        &mut self,
        is_there: impl Fn(LinkId) -> bool,
    ) -> Vec<Transaction<Option<UnitOfWork>>> {
        let open = self.open.extract_if(.., |_, transaction| !is_there(transaction.coordinator));
        let open = open.map(|(_, transaction)| {
            let (unit, rest) = transaction.with(());
            rest.with(Some(unit)).1
        });
        let prepared = self.prepared.extract_if(.., |_, transaction| !is_there(transaction.coordinator));
        open.chain(prepared.map(|(_, transaction)| transaction.with(None).1)).collect()
    }

    /// Marks all to be backed out at their discharge.
    pub(super) fn doom_all(&mut self, reason: Reason) {
        self.open.values_mut().for_each(|transaction| transaction.doom(Gated::free(reason)));
    }

    /// Begins one of a coordinator.
    pub(super) fn begin(&mut self, coordinator: LinkId, unit: UnitOfWork) -> TransactionId {
        self.last += 1;
        let id = TransactionId(self.last);
        self.open.insert(
            id,
            Transaction { unit, coordinator, doomed: None, later: Vec::new(), accepted_by: Vec::new() },
        );
        id
    }

    /// Takes one out, to be ended or prepared.
    pub(super) fn remove(&mut self, id: TransactionId) -> Option<Transaction> {
        self.open.remove(&id)
    }

    /// Puts one back that was taken out and goes on.
    pub(super) fn put_back(&mut self, id: TransactionId, transaction: Transaction) {
        self.open.insert(id, transaction);
    }

    /// Notes one that was prepared.
    pub(super) fn note_prepared(&mut self, id: TransactionId, transaction: Transaction<PreparedWork>) {
        self.prepared.insert(id, transaction);
    }

    /// Takes one out that was prepared, to be ended.
    pub(super) fn remove_prepared(&mut self, id: TransactionId) -> Option<Transaction<PreparedWork>> {
        self.prepared.remove(&id)
    }
}

/// The error for a transaction that is not there.
pub(super) fn unknown() -> ErrorField {
    ErrorField::new(Condition::UnknownTransaction, "there is no such transaction, or it has ended")
}
