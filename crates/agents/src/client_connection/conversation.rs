//! One conversation: an application's connection to the engine, and the replies on their way to it.

use super::inbox::Wait;
use super::pending::{Pending, Rest};
use super::read_ahead::Stream;
use bytes::BytesMut;
use channel::client::Put;
use channel::{Assembly, Conversation as Number, Flags, Kind, Outlet, Reply, RequestNumber};
use mqi::{MessageDescriptor, PutFlags, PutOptions, Reason};
use queue_manager::{AsyncPuts, Connection, Gated, GotMessage, Outcome};
use std::collections::VecDeque;
use storage::{Durable, Lsn};

/// Frames one conversation sends before the next has its turn.
const FRAMES_PER_TURN: usize = 64;

/// What came of a turn at the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Nothing is left.
    Empty,
    /// The next reply must wait for the log.
    Gated(Lsn),
    /// The next reply must wait until a message is with its getter.
    Awaits,
    /// There is more to send.
    More,
}

/// A body that arrives in fragments, and what is to be done with it.
#[derive(Debug)]
pub(super) struct Arriving {
    pub(super) assembly: Assembly,
    pub(super) purpose: Purpose,
}

/// What a body is for.
#[derive(Debug)]
pub(super) enum Purpose {
    Put {
        flags: Flags,
        target: channel::client::Target,
        options: Box<PutOptions>,
        descriptor: Box<MessageDescriptor>,
    },
    Command,
}

impl Purpose {
    /// Whether what it is for is part of the unit of work.
    pub(super) fn is_in_unit(&self) -> bool {
        matches!(self, Self::Put { options, .. } if options.flags.contains(PutFlags::SYNCPOINT))
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

/// One conversation.
pub(super) struct Conversation {
    pub(super) number: Number,
    /// The verbs; `None` once it has ended and only replies are left to send.
    pub(super) connection: Option<Connection>,
    /// Names its commits.
    pub(super) instance: [u8; 16],
    pub(super) replies: VecDeque<Gated<Pending>>,
    pub(super) sending: Option<Rest>,
    /// Requests that wait, as frames in their order.
    pub(super) aside: BytesMut,
    /// The body on its way in.
    pub(super) arriving: Option<Arriving>,
    /// The request whose fragments are passed over, because it was refused at its first frame.
    pub(super) refused: Option<RequestNumber>,
    /// What became of puts without a reply.
    pub(super) puts: AsyncPuts,
    /// Gets that wait.
    pub(super) waiting_gets: usize,
    /// Those among them whose program is called with the answer, and may compute until then.
    pub(super) listening: Vec<RequestNumber>,
    /// The request that is answered when the queue manager quiesces.
    pub(super) watch: Option<RequestNumber>,
    /// Requests that jobs will answer, beside others.
    pub(super) by_jobs: Vec<RequestNumber>,
    /// Handles that messages come to before they are asked for.
    pub(super) streams: Vec<Stream>,
    pub(super) streams_begun: u16,
    /// Marks that are answered when no stream waits for a message that is being read any more.
    pub(super) marks: Vec<RequestNumber>,
    /// Whether the connection has it on its list of those with something to send.
    pub(super) is_listed: bool,
}

/// Where replies are sent.
pub(super) struct Sink<'a> {
    pub(super) proof: Durable,
    pub(super) outlet: Outlet<'a>,
    pub(super) fragment_bytes: usize,
    /// Bytes of output beyond which no more is encoded until some were written.
    pub(super) output_bytes_max: usize,
}

impl Sink<'_> {
    /// Whether more may be encoded in this turn.
    fn has_room(&self) -> bool {
        self.outlet.output.len() <= self.output_bytes_max && !self.outlet.bodies.is_turn_over()
    }
}

/// Sends a reply at once where none is before it and nothing holds it back; else it waits for its turn.
pub(super) fn send_or_keep(
    mut reply: Gated<Pending>,
    number: Number,
    (replies, sending): (&mut VecDeque<Gated<Pending>>, &mut Option<Rest>),
    sink: Option<&mut Sink<'_>>,
) {
    let is_next = replies.is_empty() && sending.is_none();
    match sink.filter(|sink| is_next && sink.has_room()) {
        Some(Sink { proof, outlet, fragment_bytes, .. }) if let Some(pending) = reply.opened(*proof) => {
            *sending = pending.encode(number, outlet, *fragment_bytes);
        }
        _ => replies.push_back(reply),
    }
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
            replies: VecDeque::new(),
            sending: None,
            aside: BytesMut::new(),
            arriving: None,
            refused: None,
            puts: AsyncPuts::default(),
            waiting_gets: 0,
            listening: Vec::new(),
            watch: None,
            by_jobs: Vec::new(),
            streams: Vec::new(),
            streams_begun: 0,
            marks: Vec::new(),
            is_listed: false,
        }
    }

    pub(super) fn push(&mut self, reply: Gated<Pending>) {
        self.replies.push_back(reply);
    }

    /// A reply that depends on nothing but those before it.
    pub(super) fn push_free(&mut self, reply: Pending) {
        self.replies.push_back(Gated::free(reply));
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
        self.push(outcome.map(move |result| match result {
            Ok(message) => Pending::Got { request, message: message.converted() },
            Err(reason) => Pending::failed(Kind::Got, request, reason),
        }));
    }

    /// A get waits no more.
    pub(super) fn has_waited(&mut self, get: RequestNumber) {
        self.waiting_gets = self.waiting_gets.saturating_sub(1);
        self.listening.retain(|listening| *listening != get);
    }

    /// Answers who wants to know that the queue manager quiesces, if it does.
    pub(super) fn answer_watch(&mut self) {
        let quiescing = self.connection.as_ref().map(Connection::check_quiescing);
        if quiescing == Some(Err(Reason::Q_MGR_QUIESCING))
            && let Some(request) = self.watch.take()
        {
            self.push_failed(Kind::Cancelled, request, Reason::Q_MGR_QUIESCING);
        }
    }

    /// Whether its program sits in a call until we answer.
    pub(super) fn is_awaited(&self) -> bool {
        self.waiting_gets > self.listening.len() || !self.by_jobs.is_empty()
    }

    /// Whether anything is left to send.
    pub(super) fn has_output(&self) -> bool {
        self.sending.is_some() || !self.replies.is_empty()
    }

    /// Takes back replies that have not been sent.
    pub(super) fn withdraw(&mut self, is_withdrawn: impl Fn(&Pending) -> bool) {
        let replies = self.replies.drain(..).filter_map(|reply| reply.unless(&is_withdrawn));
        self.replies = replies.collect();
    }

    /// Sends in order what the gate lets through: a few frames, or one fragment of a large body.
    pub(super) fn turn(&mut self, sink: &mut Sink<'_>) -> Turn {
        let Sink { proof, outlet, fragment_bytes, .. } = sink;
        let (proof, fragment_bytes) = (*proof, *fragment_bytes);
        if let Some(rest) = &mut self.sending {
            if !rest.send(self.number, outlet.output, fragment_bytes) {
                self.sending = None;
            }
            return if self.has_output() { Turn::More } else { Turn::Empty };
        }
        let mut sent = 0;
        let mut turn = Turn::Empty;
        outlet.bodies.begin_turn();
        for reply in &mut self.replies {
            if sent == FRAMES_PER_TURN || outlet.bodies.is_turn_over() {
                turn = Turn::More;
                break;
            }
            let Some(pending) = reply.opened(proof) else {
                turn = if reply.awaits_getter() { Turn::Awaits } else { Turn::Gated(reply.need()) };
                break;
            };
            self.sending = pending.encode(self.number, outlet, fragment_bytes);
            sent += 1;
            if self.sending.is_some() {
                turn = Turn::More;
                break;
            }
        }
        self.replies.drain(..sent);
        turn
    }

    pub(super) fn token(&self, request: RequestNumber) -> queue_manager::WaitToken {
        Wait::Get { conversation: self.number, request: request.0 }.token()
    }
}
