//! Counts of the calls of one connection, for statistics and accounting.
//!
//! Lives elsewhere: the counters (`counters`), and the counts of gets that wait (`queue::party`).

use std::sync::Arc;

use mqi::constants::MQOT_Q;
use mqi::{GetOptions, ObjectDescriptor, ObjectHandle, Persistence, Reason};
use objects::ObjectType;
use queues::counters::account::{QueueAccount, Tallies};
use queues::counters::calls::Pair;
use queues::counters::collecting::Noted;
use queues::counters::{
    CLOSES, CLOSES_FAILED, Count, INQUIRES, INQUIRES_FAILED, Message, OPENS, OPENS_FAILED, Passed,
    QUEUE_CLOSES, QUEUE_INQUIRES, QUEUE_OPENS, QUEUE_SETS, SETS, SETS_FAILED, Traffic, Verb,
};
use queues::gate::{BehindGate, Outcome};
use queues::queue::Queue;

use crate::PutDone;
use crate::connection::{Connection, Target};
use crate::conversation::Conversation;

/// A handle that is about to be closed: the kind of its object, and the queue's counts.
pub(crate) struct Closing {
    pub(crate) kind: usize,
    pub(crate) traffic: Option<Arc<Traffic>>,
}

impl Connection {
    fn count(&self, calls: Pair, kind: usize, is_done: bool) {
        self.conversation.party.calls.count(calls, kind, is_done);
    }

    /// The kind of object that a handle leads to.
    fn kind_of(&self, handle: ObjectHandle) -> usize {
        let kind = match self.handle(handle).map(|found| &found.target) {
            Ok(Target::Queue { .. } | Target::Definition(_)) => MQOT_Q,
            Ok(Target::Manager) => ObjectType::QueueManager.mqot(),
            Ok(Target::Defined(object)) => object.object_type().mqot(),
            Ok(Target::Topic(_)) => ObjectType::Topic.mqot(),
            Ok(Target::Subscription(_)) | Err(_) => 0,
        };
        usize::try_from(kind).unwrap_or(0)
    }

    /// Counts a call on the queue of a handle, if it leads to one.
    fn count_on_queue(&self, handle: ObjectHandle, count: Count) {
        if let Some(traffic) = self.tallies_of(handle).and_then(|tallies| tallies.traffic) {
            traffic.counters().add(count, 0);
        }
    }

    /// Counts an open, which gave a handle unless it failed.
    #[cold]
    pub(crate) fn count_open(&self, object: &ObjectDescriptor, handle: Option<ObjectHandle>) {
        let kind = usize::try_from(object.object_type.code()).unwrap_or(0);
        self.count((OPENS, OPENS_FAILED), kind, handle.is_some());
        if let Some(handle) = handle {
            self.count_on_queue(handle, QUEUE_OPENS);
        }
    }

    /// The object for [`count_close`](Self::count_close), while there is the handle.
    pub(crate) fn to_close(&self, handle: ObjectHandle) -> Option<Closing> {
        let closing = || Closing {
            kind: self.kind_of(handle),
            traffic: self.tallies_of(handle).and_then(|tallies| tallies.traffic),
        };
        self.conversation.party.calls.is_any_counted().then(closing)
    }

    #[cold]
    pub(crate) fn count_close(&self, closing: &Closing, is_done: bool) {
        self.count((CLOSES, CLOSES_FAILED), closing.kind, is_done);
        if let Some(traffic) = closing.traffic.as_ref().filter(|_| is_done) {
            traffic.counters().add(QUEUE_CLOSES, 0);
        }
    }

    #[cold]
    pub(crate) fn count_inquiry(&self, handle: ObjectHandle, is_done: bool) {
        self.count((INQUIRES, INQUIRES_FAILED), self.kind_of(handle), is_done);
        if is_done {
            self.count_on_queue(handle, QUEUE_INQUIRES);
        }
    }

    #[cold]
    pub(crate) fn count_set(&self, handle: ObjectHandle, is_done: bool) {
        self.count((SETS, SETS_FAILED), self.kind_of(handle), is_done);
        if is_done {
            self.count_on_queue(handle, QUEUE_SETS);
        }
    }

    /// Counts something that a program did and that is noted of the queue manager as a whole.
    pub(crate) fn note(&self, what: Noted) {
        if !self.conversation.party.is_own() {
            self.engine.queues.collecting.note(what, 1);
        }
    }

    /// Counts a put through a handle.
    #[cold]
    pub(crate) fn count_put(&self, handle: ObjectHandle, bytes: usize, put: &Outcome<PutDone>) {
        let tallies = self.tallies_of(handle).unwrap_or_default();
        self.conversation.party.calls.pass(&tallies, passed(Verb::Put, bytes, put));
        let is_publication = self.handle(handle).is_ok_and(|found| matches!(found.target, Target::Topic(_)));
        if is_publication {
            self.count_publication(bytes, put);
        }
    }

    /// Counts a put to a topic, which is counted as a put, too.
    fn count_publication(&self, bytes: usize, put: &Outcome<PutDone>) {
        self.conversation.party.calls.pass_alone(passed(Verb::Publish, bytes, put));
    }

    /// Counts a put by name, to a queue if it came to that.
    #[cold]
    pub(crate) fn count_put1(
        &self,
        object: &ObjectDescriptor,
        queue: Option<&Arc<Queue>>,
        bytes: usize,
        put: &Outcome<PutDone>,
    ) {
        let tallies =
            queue.map_or_else(Tallies::default, |queue| queue.tallies(self.account_of(queue).as_ref()));
        self.conversation.party.calls.pass(&tallies, passed(Verb::Put1, bytes, put));
        if object.object_type == mqi::ObjectType::Topic {
            self.count_publication(bytes, put);
        }
    }

    /// Counts a get that was refused before it came to its queue.
    #[cold]
    pub(crate) fn count_refused_get(&self, options: &GetOptions, reason: Reason) {
        let verb = if options.browses() { Verb::Browse } else { Verb::Get };
        self.conversation.party.calls.pass(&Tallies::default(), Passed::Failed(verb, reason.into()));
    }

    /// Returns the account of the connection's use of a queue, if it is to be reported.
    pub(crate) fn account_of(&self, queue: &Arc<Queue>) -> Option<Arc<QueueAccount>> {
        let Conversation { accounts, party, .. } = &*self.conversation;
        self.engine.directory.account_of(accounts, &party.calls, queue)
    }

    /// Returns the counters of gets through a handle, in a box: a request carries them only while calls are
    /// counted.
    #[inline(never)]
    pub(crate) fn tallies_for(&self, handle: ObjectHandle) -> Option<Box<Tallies>> {
        self.tallies_of(handle).map(Box::new)
    }

    /// Returns the counters of the traffic of a handle's queue.
    fn tallies_of(&self, handle: ObjectHandle) -> Option<Tallies> {
        let found = self.handle(handle).ok()?;
        match &found.target {
            Target::Queue { queue, .. } => Some(queue.tallies(found.account.as_ref())),
            Target::Definition(_)
            | Target::Manager
            | Target::Defined(_)
            | Target::Topic(_)
            | Target::Subscription(_) => None,
        }
    }
}

fn passed(verb: Verb, bytes: usize, put: &Outcome<PutDone>) -> Passed {
    match put.value() {
        Err(reason) => Passed::Failed(verb, (*reason).into()),
        Ok(done) => {
            let persistent = done.descriptor.persistence == Persistence::Persistent;
            Passed::Done(verb, Message { persistent, bytes: bytes as u64 })
        }
    }
}
