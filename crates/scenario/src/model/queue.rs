//! A queue: its messages in order of arrival.

use std::collections::BTreeSet;

use bytes::Bytes;
use mqi::{CorrelationId, MessageDescriptor, MessageId};

use super::groups::GroupName;
use super::properties::Property;
use super::reports::Asked;
use super::{Time, Version};

/// Identity of a queue: two of the same name, one after the other, are different queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueueId(pub(super) u64);

/// A message on a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// Its number: later ones arrived later.
    pub(super) number: u64,
    pub(super) body: Bytes,
    pub(super) message_id: MessageId,
    /// None when the queue manager made it up.
    pub(super) correlation_id: Option<CorrelationId>,
    /// As its putter said it, which may be too high.
    pub(super) priority: i32,
    pub(super) persistent: bool,
    pub(super) expires: Option<Time>,
    pub(super) backout: i32,
    pub(super) state: State,
    pub(super) asked: Asked,
    /// Further fields that its getter is shown, as far as they are known.
    pub(super) shown: Box<MessageDescriptor>,
    pub(super) group: GroupName,
    /// The properties that it carries before its body.
    pub(super) properties: Vec<Property>,
    /// Properties that describe it as a publication.
    pub(super) published: Vec<Property>,
    /// The handles that have marked it for themselves.
    pub(super) marked_by: BTreeSet<u64>,
    /// Until when it is marked for those that co-operate.
    pub(super) marked_until: Option<Time>,
}

/// State of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Available,
    /// A unit of work put it.
    PutBy(String),
    /// A unit of work got it.
    GotBy(String),
    /// A handle that browses has locked it.
    LockedBy(u64),
}

/// The beginning of the names of clients that stand for units of work that are prepared.
pub(super) const PREPARED: &str = "prepared ";

/// A unit of work that is prepared, as a restart brings it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prepared {
    pub(super) name: String,
    /// Its effects on messages that outlive restarts.
    pub(super) unit: Vec<(QueueId, u64, bool)>,
}

/// Returns true for the client that stands for a unit that is prepared.
fn is_prepared(client: &str) -> bool {
    client.starts_with(PREPARED)
}

impl State {
    /// A message of a unit of work is one of another.
    pub(super) fn is_now_of(&mut self, unit: &str) {
        if let Self::PutBy(client) | Self::GotBy(client) = self {
            unit.clone_into(client);
        }
    }
}

/// A local queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Queue {
    pub(super) messages: Vec<Message>,
    /// True if only arrival counts, not priority.
    pub(super) fifo: bool,
    /// Version that an observer of the queue depends on.
    pub(super) changed: Version,
    /// When its last trigger message was made, or it was.
    pub(super) triggered_at: Time,
}

/// A place in a queue: messages leave from the smallest.
pub(super) type Place = (i32, u64);

/// Messages that a get asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) message_id: Option<MessageId>,
    pub(super) correlation_id: Option<CorrelationId>,
    pub(super) group_id: Option<[u8; 24]>,
    pub(super) sequence: Option<i32>,
    pub(super) offset: Option<i32>,
    /// The message of a token; none has the number 0.
    pub(super) token: Option<u64>,
}

impl Wanted {
    /// True if the identifiers agree; logical order chooses by nothing else.
    pub(super) fn names(&self, message: &Message) -> bool {
        self.message_id.is_none_or(|id| id == message.message_id)
            && self.correlation_id.is_none_or(|id| Some(id) == message.correlation_id)
            && self.group_id.is_none_or(|id| message.group == GroupName::Given(id))
            && self.token.is_none_or(|number| number == message.number)
    }

    pub(super) fn is(&self, message: &Message) -> bool {
        let (sequence, offset) = message.part();
        self.names(message)
            && self.sequence.is_none_or(|wanted| wanted == sequence)
            && self.offset.is_none_or(|wanted| wanted == offset)
    }
}

impl Queue {
    pub(super) fn new(fifo: bool, now: Time) -> Self {
        Self { messages: Vec::new(), fifo, changed: 0, triggered_at: now }
    }

    /// Returns the state after a restart: persistent messages, except those of units of work that do not
    /// stand yet; messages got by such units are there. Units that are prepared hold theirs.
    pub(super) fn after_restart(&self) -> Self {
        let falls = |state: &State| matches!(state, State::PutBy(client) if !is_prepared(client));
        self.left(|message| message.persistent && !falls(&message.state))
    }

    /// Returns the state after an orderly end, for a queue whose messages need not be persistent to survive
    /// it. No unit of work is open then.
    pub(super) fn after_orderly_end(&self) -> Self {
        self.left(|_| true)
    }

    fn left(&self, stands: impl Fn(&Message) -> bool) -> Self {
        let available = |message: &Message| Message {
            state: match &message.state {
                State::PutBy(client) | State::GotBy(client) if is_prepared(client) => message.state.clone(),
                _ => State::Available,
            },
            marked_by: BTreeSet::new(),
            marked_until: None,
            ..message.clone()
        };
        Self {
            messages: self.messages.iter().filter(|message| stands(message)).map(available).collect(),
            fifo: self.fifo,
            changed: 0,
            triggered_at: 0,
        }
    }

    pub(super) fn place(&self, message: &Message) -> Place {
        (if self.fifo { 0 } else { 9 - message.priority.min(9) }, message.number)
    }

    pub(super) fn message(&mut self, number: u64) -> &mut Message {
        let found = self.messages.iter_mut().find(|message| message.number == number);
        found.expect("the message is on the queue")
    }

    pub(super) fn remove(&mut self, number: u64) {
        self.messages.retain(|message| message.number != number);
    }

    /// Messages that count towards MAXDEPTH: those put, committed or not, and not got, committed or not.
    pub(super) fn depth(&self) -> usize {
        self.messages.iter().filter(|message| !matches!(message.state, State::GotBy(_))).count()
    }

    /// Messages in units of work.
    pub(super) fn uncommitted(&self) -> usize {
        let is_in_unit = |message: &&Message| matches!(message.state, State::PutBy(_) | State::GotBy(_));
        self.messages.iter().filter(is_in_unit).count()
    }
}
