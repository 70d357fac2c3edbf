//! One conversation: an application's connection to the engine, and the replies on their way to it.

use super::held_put::HeldPut;
use super::pending::Pending;
use super::script::Underway;
use super::token::Wait;
use crate::arriving::Room;
use crate::gate::Replies;
use crate::streams::Streams;
use bytes::BytesMut;
use channel::client::{Put, Target};
use channel::{Assembly, Conversation as Number, Flags, Kind, Reply, RequestNumber};
use mqi::{MessageDescriptor, PutOptions, Reason};
use queue_manager::{
    AsyncPuts, CommandHold, Connection, ExpectedGetter, Gated, GotMessage, Outcome, PutTarget,
};

/// A body that arrives in fragments, and what is to be done with it.
#[derive(Debug)]
pub(super) struct Arriving {
    pub(super) assembly: Assembly,
    pub(super) purpose: Purpose,
    pub(super) room: Room,
}

/// Purpose of a body.
#[derive(Debug)]
pub(super) enum Purpose {
    Put { flags: Flags, target: Target, options: Box<PutOptions>, descriptor: Box<MessageDescriptor> },
    Command { first_line: Option<u32>, hold: CommandHold },
}

impl Purpose {
    /// Returns true if its refusal fails the unit of work of a program that does not wait for it.
    pub(super) fn takes_unit(&self, verbs: &Connection) -> bool {
        match self {
            Self::Put { target, options, descriptor, .. } => {
                verbs.takes_unit(put_target(target), descriptor, options)
            }
            Self::Command { .. } => false,
        }
    }

    pub(super) fn of_put(put: &Put<'_>, flags: Flags, descriptor: &MessageDescriptor) -> Self {
        Self::Put {
            flags,
            target: put.target.clone(),
            options: Box::new(put.options.clone()),
            descriptor: Box::new(descriptor.clone()),
        }
    }
}

/// The target of a put, as the verbs have it.
pub(super) fn put_target(target: &Target) -> PutTarget<'_> {
    match target {
        Target::Handle(handle) => PutTarget::Handle(*handle),
        Target::Object(object) => PutTarget::Object(object),
    }
}

/// One conversation.
pub(super) struct Conversation {
    pub(super) number: Number,
    /// The verbs; `None` once it has ended and only replies are left to send.
    pub(super) connection: Option<Connection>,
    /// Names its commits.
    pub(super) instance: [u8; 16],
    pub(super) replies: Replies<Pending>,
    /// Requests that wait, as frames in their order.
    pub(super) aside: BytesMut,
    /// The body on its way in.
    pub(super) arriving: Option<Arriving>,
    /// The request whose fragments are passed over, because it was refused at its first frame.
    pub(super) refused: Option<RequestNumber>,
    /// Outcomes of puts without a reply.
    pub(super) puts: AsyncPuts,
    /// True if the answer to its last put waited for the log or for a getter.
    pub(super) puts_wait: bool,
    /// The getter that its next put waits for.
    pub(super) expected: Option<ExpectedGetter>,
    /// The put that waits for room on its queue.
    pub(super) held_put: Option<Box<HeldPut>>,
    /// Gets that wait.
    pub(super) waiting_gets: usize,
    /// Requests among them whose program is called with the answer, and may compute until then.
    pub(super) listening: Vec<RequestNumber>,
    /// The request that is answered when the queue manager quiesces.
    pub(super) watch: Option<RequestNumber>,
    /// Requests that jobs will answer, beside others.
    pub(super) by_jobs: Vec<RequestNumber>,
    /// Command texts that are not answered to their end.
    pub(super) texts: Vec<Underway>,
    /// Handles that messages come to before they are asked for.
    pub(super) streams: Streams<Pending>,
    /// True if the connection has it on its list of conversations with output.
    pub(super) is_listed: bool,
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.take_unconfirmed();
    }
}

impl Conversation {
    pub(super) fn new(number: Number) -> Self {
        Self {
            number,
            connection: None,
            instance: [0; 16],
            replies: Replies::of(number),
            aside: BytesMut::new(),
            arriving: None,
            refused: None,
            puts: AsyncPuts::default(),
            puts_wait: false,
            expected: None,
            held_put: None,
            waiting_gets: 0,
            listening: Vec::new(),
            watch: None,
            by_jobs: Vec::new(),
            texts: Vec::new(),
            streams: Streams::of(number),
            is_listed: false,
        }
    }

    pub(super) fn push(&mut self, reply: Gated<Pending>) {
        self.replies.push(reply);
    }

    /// A reply that depends on nothing but those before it.
    pub(super) fn push_free(&mut self, reply: Pending) {
        self.replies.push(Gated::free(reply));
    }

    pub(super) fn push_failed(&mut self, kind: Kind, request: RequestNumber, reason: Reason) {
        self.push_free(Pending::failed(kind, request, reason));
    }

    pub(super) fn push_outcome<T>(
        &mut self,
        kind: Kind,
        request: RequestNumber,
        outcome: Outcome<T>,
        reply: impl Fn(T) -> Reply<'static> + Copy + 'static,
    ) {
        self.push(outcome.map(move |result| Pending::of(kind, request, result.map(reply))));
    }

    pub(super) fn push_got(&mut self, request: RequestNumber, outcome: Outcome<GotMessage>) {
        let bytes = outcome.body_bytes();
        let reply = outcome.map(move |result| match result {
            Ok(message) => Pending::Got { request, message: message.converted() },
            Err(reason) => Pending::failed(Kind::Got, request, reason),
        });
        self.replies.push_body(reply, bytes);
    }

    /// A get waits no more.
    pub(super) fn has_waited(&mut self, get: RequestNumber) {
        self.waiting_gets = self.waiting_gets.saturating_sub(1);
        self.listening.retain(|listening| *listening != get);
    }

    /// Answers a request to be told when the queue manager quiesces, if it does.
    pub(super) fn answer_watch(&mut self) {
        let quiescing = self.connection.as_ref().map(Connection::check_quiescing);
        if quiescing == Some(Err(Reason::Q_MGR_QUIESCING))
            && let Some(request) = self.watch.take()
        {
            self.push_failed(Kind::Cancelled, request, Reason::Q_MGR_QUIESCING);
        }
    }

    /// True if its program sits in a call until we answer.
    pub(super) fn is_awaited(&self) -> bool {
        self.waiting_gets > self.listening.len() || !self.by_jobs.is_empty()
    }

    /// True if it has output left to send.
    pub(super) fn has_output(&self) -> bool {
        !self.replies.is_empty()
    }

    pub(super) fn token(&self, request: RequestNumber) -> queue_manager::WaitToken {
        Wait::Get { conversation: self.number, request: request.0 }.token()
    }
}
