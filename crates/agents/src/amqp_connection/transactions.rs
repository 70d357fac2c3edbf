//! Requests to a coordinator: transactions begin and end.
//!
//! Always: a transaction in which something failed is backed out at its discharge, and its client is told the
//! reason. The discharge of one that was prepared is the decision of its coordinator.

use std::collections::BTreeMap;

use amqp::{Condition, ErrorField, transaction};
use mqi::Reason;
use mqi::branch::BranchRefusal;
use queue_manager::{Decision, Gated, PreparedWork, QueueManager};
use storage::Lsn;

use super::AmqpConnection;
use super::errors;
use super::owner::{LinkId, token};
use super::pending::Pending;
use super::session::Session;
use super::transaction::{Later, Transaction, TransactionId, WayBack, unknown};

impl AmqpConnection {
    /// Carries out a request to a coordinator.
    pub(super) fn coordinate(&mut self, id: LinkId, delivery_id: u32, message: &[u8]) {
        let request = match transaction::Request::decode(message) {
            Ok(request) => request,
            Err(error) => {
                let error = ErrorField::new(Condition::DecodeError, error.to_string());
                return self.refuse_message(id, delivery_id, error);
            }
        };
        let answer = match request {
            transaction::Request::Declare(_) => self.declare(id, delivery_id),
            transaction::Request::Discharge(discharge) => {
                let Some(transaction) = TransactionId::of(discharge.txn_id) else {
                    return self.refuse_message(id, delivery_id, unknown());
                };
                if self.is_half_sent(transaction) {
                    return self.break_off(id, transaction);
                }
                if let Some(prepared) = self.transactions.remove_prepared(transaction) {
                    self.drain();
                    let (sessions, manager) = (&mut self.sessions, &self.queue_manager);
                    let answer = discharge_prepared(prepared, discharge.fail, delivery_id, sessions, manager);
                    return self.answer_request(id, answer);
                }
                let Some(transaction) = self.transactions.remove(transaction) else {
                    return self.refuse_message(id, delivery_id, unknown());
                };
                self.drain();
                let end = (transaction, discharge.fail, delivery_id);
                discharge_of(end, &mut self.sessions, &self.queue_manager)
            }
        };
        self.answer_request(id, answer);
    }

    fn answer_request(&mut self, id: LinkId, answer: Gated<Pending>) {
        if let Some(link) = self.links.get_mut(&id) {
            link.replies.push(answer);
        }
        self.list(id);
    }

    fn declare(&mut self, id: LinkId, delivery_id: u32) -> Gated<Pending> {
        let Some(channel) = self.links.get(&id).map(|link| link.owner.channel) else {
            return Gated::free(Pending::put_refused(delivery_id, Reason::HOBJ_ERROR));
        };
        let session = self.sessions.get_mut(&channel);
        let opened = match session.and_then(|session| session.connection.as_mut()) {
            Some(verbs) => verbs.open_unit(),
            None => Err(Reason::HCONN_ERROR),
        };
        match opened {
            Ok(unit) => {
                let transaction = self.transactions.begin(id, unit);
                Gated::free(Pending::Declared { delivery_id, transaction })
            }
            Err(reason) => Gated::free(Pending::put_refused(delivery_id, reason)),
        }
    }

    /// Says whether a message of a transaction is on its way in.
    pub(super) fn is_half_sent(&self, transaction: TransactionId) -> bool {
        self.links.values().any(|link| link.arriving_in() == Some(transaction))
    }

    /// Ends a coordinator whose client discharges what it is still sending, and the transaction with it.
    fn break_off(&mut self, id: LinkId, transaction: TransactionId) {
        let gone = self.transactions.remove(transaction);
        self.back_out_all(gone);
        let prepared = self.transactions.remove_prepared(transaction);
        self.back_out_all(prepared.map(|prepared| prepared.with(()).1));
        let Some(owner) = self.links.get(&id).map(|link| link.owner) else { return };
        let text = "a transaction was discharged while a message of it was half sent";
        let error = ErrorField::new(Condition::TransactionRollback, text);
        self.drop_link(owner.channel, owner.handle);
        self.engine.put_detach(&mut self.greeting, (owner.channel, owner.handle), true, Some(&error));
    }

    /// Backs out those of a coordinator that ends.
    pub(super) fn back_out_of(&mut self, id: LinkId) {
        let gone = self.transactions.take_unless(|coordinator| coordinator != id);
        self.back_out_all(gone);
    }

    /// Backs out transactions that end without a discharge.
    pub(super) fn back_out_all<U>(&mut self, gone: impl IntoIterator<Item = Transaction<U>>) {
        for Transaction { unit, later, .. } in gone {
            drop(unit);
            carry_out_later(later, false, &mut self.sessions, &self.queue_manager);
        }
    }

    pub(super) fn refuse_message(&mut self, id: LinkId, delivery_id: u32, error: ErrorField) {
        if let Some(link) = self.links.get_mut(&id) {
            let (transaction, error) = (None, Box::new(error));
            link.replies.push(Gated::free(Pending::Refused { delivery_id, transaction, error }));
        }
        self.list(id);
    }
}

/// Commits a transaction or backs it out, and carries out the outcomes that waited for that.
fn discharge_of(
    (transaction, fails, delivery_id): (Transaction, bool, u32),
    sessions: &mut BTreeMap<u16, Session>,
    manager: &QueueManager,
) -> Gated<Pending> {
    let Transaction { unit, doomed, later, .. } = transaction;
    let commits = !fails && doomed.is_none();
    let ended = if commits { unit.commit() } else { unit.back() };
    let mut need = ended.need();
    let (ended, is_committed) = match ended.split() {
        Ok(done) => (done.map(move |()| Pending::discharged(delivery_id, Ok(()))), commits),
        Err(reason) => (reason.map(move |reason| Pending::discharged(delivery_id, Err(reason))), false),
    };
    need = need.max(carry_out_later(later, is_committed, sessions, manager));
    match doomed.filter(|_| !fails) {
        Some(reason) => {
            reason.and_needs(need).map(move |reason| Pending::discharged(delivery_id, Err(reason)))
        }
        None => ended.and_needs(need),
    }
}

/// Decides a transaction that was prepared, and carries out the outcomes that waited for that.
fn discharge_prepared(
    transaction: Transaction<PreparedWork>,
    fails: bool,
    delivery_id: u32,
    sessions: &mut BTreeMap<u16, Session>,
    manager: &QueueManager,
) -> Gated<Pending> {
    let Transaction { unit, later, .. } = transaction;
    let settled = unit.settle(if fails { Decision::BackOut } else { Decision::Commit });
    let need = settled.need();
    let (answer, is_committed) = match settled.split() {
        Ok(done) => (done.map(move |()| Pending::discharged(delivery_id, Ok(()))), !fails),
        Err(refusal) => (refusal.map(move |refusal| refused(delivery_id, refusal)), false),
    };
    answer.and_needs(need.max(carry_out_later(later, is_committed, sessions, manager)))
}

fn refused(delivery_id: u32, refusal: BranchRefusal) -> Pending {
    let error = Box::new(errors::of_branch(refusal));
    Pending::Refused { delivery_id, transaction: None, error }
}

/// Carries out the outcomes that waited for the end of a transaction; the position of the log that they
/// depend on.
fn carry_out_later(
    later: Vec<Later>,
    is_committed: bool,
    sessions: &mut BTreeMap<u16, Session>,
    manager: &QueueManager,
) -> Lsn {
    let mut need = Lsn::ZERO;
    for Later { channel, link, number, way_back } in later {
        let session = sessions.get_mut(&channel);
        if let Some(verbs) = session.and_then(|session| session.connection.as_mut()) {
            let way_back = if is_committed { way_back } else { WayBack::Counted };
            need = need.max(way_back.go(verbs, manager, token(link, number)));
        }
    }
    need
}
