//! Calls on branches: a transaction of this connection is prepared as one, and any is decided by its
//! identifier.
//!
//! Lives here: the calls and their answers. Lives elsewhere: their bytes (`formats`), the discharge of what
//! is prepared (`transactions`).
//!
//! Always: an answer goes out when what it shows is durable.

use amqp::engine::Part;
use amqp::{Condition, ErrorField};
use bytes::Bytes;
use formats::properties::amqp::Incoming;
use formats::properties::amqp::branch_calls::{BranchCall, BranchCallMessage};
use mqi::branch::{
    BRANCHES_LISTED_MAX, BranchCommit, BranchId, BranchList, BranchPrepared, BranchRefusal, XA_OK, XA_RDONLY,
};
use mqi::{PutFlags, PutOptions, Reason};
use queue_manager::{Connection, Gated, Placement, PutTarget};

use super::AmqpConnection;
use super::address::{Names, target};
use super::errors;
use super::incoming::doomed;
use super::owner::{LinkId, Owner};
use super::pending::{CallAnswer, Pending};
use super::transaction::{TransactionId, unknown};

impl AmqpConnection {
    /// Carries out a call on a branch.
    pub(super) fn call_branch(
        &mut self,
        id: LinkId,
        part: &Part<'_>,
        within: Option<TransactionId>,
        format: u32,
        message: &[u8],
    ) {
        let refused = |condition, text: &str| Err(ErrorField::new(condition, text.to_owned()));
        let understood = match BranchCallMessage::decode(message) {
            Ok(_) if format != 0 => {
                refused(Condition::NotImplemented, "a message to $xa has the message-format 0")
            }
            Ok(came) => match (came.call, within) {
                (BranchCall::Prepare(_), _) if part.is_settled => refused(
                    Condition::InvalidField,
                    "prepare is answered by the outcome of its message: send it unsettled",
                ),
                (BranchCall::Prepare(branch), Some(transaction)) => {
                    return self.prepare(id, part.delivery_id, transaction, &branch, &came);
                }
                (BranchCall::Prepare(_), None) => refused(
                    Condition::InvalidField,
                    "prepare is sent within the transaction that it is to prepare",
                ),
                (_, Some(_)) => {
                    refused(Condition::InvalidField, "only prepare is sent to $xa within a transaction")
                }
                (_, None) if came.reply_to.is_none() => {
                    refused(Condition::InvalidField, "a message to $xa needs a reply-to for its answer")
                }
                (_, None) => Ok(came),
            },
            Err(error) => refused(Condition::InvalidField, &error.to_string()),
        };
        match understood {
            Ok(came) => self.decide(id, part, came),
            Err(error) => self.refuse_call(id, part, within, error),
        }
    }

    /// Refuses a call, and dooms the transaction in which it came: its client meant more by it.
    fn refuse_call(&mut self, id: LinkId, part: &Part<'_>, within: Option<TransactionId>, error: ErrorField) {
        let open = within.and_then(|name| Some((name, self.transactions.get_mut(name)?)));
        let transaction = doomed(open, Reason::FORMAT_ERROR);
        if part.is_settled {
            return self.end_link_of(id, &error);
        }
        let (delivery_id, error) = (part.delivery_id, Box::new(error));
        self.push(id, Gated::free(Pending::Refused { delivery_id, transaction, error }));
    }

    fn push(&mut self, id: LinkId, answer: Gated<Pending>) {
        if let Some(link) = self.links.get_mut(&id) {
            link.replies.push(answer);
        }
        self.list(id);
    }

    /// Prepares a transaction. Its client hears by the outcome of its message, and by an answer if it asks
    /// for one: libraries tell their programs of success where a transaction is gone and nothing was sent.
    fn prepare(
        &mut self,
        id: LinkId,
        delivery_id: u32,
        name: TransactionId,
        branch: &BranchId,
        came: &BranchCallMessage<'_>,
    ) {
        self.drain();
        let is_half_sent = self.is_half_sent(name);
        let Some(mut transaction) = self.transactions.remove(name) else {
            return self.refuse_message(id, delivery_id, unknown());
        };
        if is_half_sent {
            transaction.doom(Gated::free(Reason::INCOMPLETE_MSG));
        }
        let outcome = if let Some(reason) = transaction.doomed.clone() {
            // It stays, to be discharged, and never stands.
            self.transactions.put_back(name, transaction);
            reason.map(|reason| Err(errors::of_doomed(reason)))
        } else {
            let session = self.links.get(&id).and_then(|link| self.sessions.get_mut(&link.owner.channel));
            let Some(verbs) = session.and_then(|session| session.connection.as_mut()) else { return };
            let (unit, rest) = transaction.with(());
            let (left, outcome) = verbs.branches().prepare_unit(unit, branch);
            self.transactions.note_prepared(name, rest.with(left).1);
            outcome.map(|prepared| match prepared {
                Ok(BranchPrepared::Prepared) => Ok(()),
                Ok(BranchPrepared::ReadOnly) => Err((XA_RDONLY, errors::of_read_only())),
                Err(refusal) => Err((refusal.code(), errors::of_branch(refusal))),
            })
        };
        let answer = came.reply_to.map(|to| {
            let code = outcome.clone().map(|prepared| prepared.map_or_else(|(code, _)| code, |()| XA_OK));
            code.beside((to, came)).map(|(code, (to, came))| Pending::Called {
                delivery_id: None,
                answer: CallAnswer { to: to.to_owned(), message: came.answer(code, &[]) },
            })
        });
        self.push(
            id,
            outcome.map(move |prepared| match prepared {
                Ok(()) => Pending::Put { delivery_id, transaction: Some(name), result: Ok(()) },
                Err((_, error)) => {
                    Pending::Refused { delivery_id, transaction: Some(name), error: Box::new(error) }
                }
            }),
        );
        if let Some(answer) = answer {
            self.push(id, answer);
        }
    }

    /// Carries out a call whose answer is a message.
    fn decide(&mut self, id: LinkId, part: &Part<'_>, came: BranchCallMessage<'_>) {
        let session = self.links.get(&id).and_then(|link| self.sessions.get_mut(&link.owner.channel));
        let Some(verbs) = session.and_then(|session| session.connection.as_mut()) else { return };
        let delivery_id = (!part.is_settled).then_some(part.delivery_id);
        let called = carry_out(verbs, came.call).beside(came).map(move |((result, branches), came)| {
            let to = came.reply_to.unwrap_or_default().to_owned();
            Pending::Called {
                delivery_id,
                answer: CallAnswer { to, message: came.answer(result, &branches) },
            }
        });
        self.push(id, called);
    }

    /// Sends the answer to a call, and tells its client how that went.
    pub(super) fn answer_call(&mut self, owner: Owner, delivery_id: Option<u32>, answer: CallAnswer) {
        let names = Names::of(&self.queue_manager);
        let session = self.sessions.get_mut(&owner.channel);
        let Some(verbs) = session.and_then(|session| session.connection.as_mut()) else { return };
        let manager = &self.queue_manager;
        let CallAnswer { to, message } = answer;
        let message = Incoming::of(&message, || manager.wall().0 / 1000, |_, _| None);
        let put = match (names.object(&to, false).and_then(target), message) {
            (Ok(object), Ok(incoming)) => {
                // Transactions come to an end while the queue manager quiesces, too.
                let options = PutOptions { flags: PutFlags::NO_SYNCPOINT, ..PutOptions::default() };
                let body = Bytes::from(incoming.body).into();
                let to = PutTarget::Object(&object);
                verbs.put_placed(to, &incoming.descriptor, &options, body, Placement::default())
            }
            (Err(reason), _) => Gated::free(Err(reason)),
            (_, Err(_)) => Gated::free(Err(Reason::FORMAT_ERROR)),
        };
        let put = put.and_needs(names.need());
        let Some(delivery_id) = delivery_id else { return };
        self.push(
            owner.id,
            put.map(move |put| Pending::Put { delivery_id, transaction: None, result: put.map(drop) }),
        );
    }
}

/// Makes a call whose answer is a number, or branches.
fn carry_out(verbs: &mut Connection, call: BranchCall) -> Gated<(i32, Vec<BranchId>)> {
    let mut thread = verbs.branches();
    let done = match call {
        BranchCall::Commit(branch) => thread.commit(&branch, BranchCommit::TwoPhase),
        BranchCall::BackOut(branch) => thread.back_out(&branch),
        BranchCall::Forget(branch) => thread.forget(&branch),
        BranchCall::Recover(after) => {
            let list = BranchList { after, most: BRANCHES_LISTED_MAX, ..BranchList::default() };
            return thread.list(&list).map(|listed| match listed {
                Ok(branches) => (XA_OK, branches),
                Err(refusal) => (refusal.code(), Vec::new()),
            });
        }
        // It is carried out within its transaction.
        BranchCall::Prepare(_) => Gated::free(Err(BranchRefusal::Protocol)),
    };
    done.map(|done| (done.map_or_else(BranchRefusal::code, |()| XA_OK), Vec::new()))
}
