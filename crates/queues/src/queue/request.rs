//! The demands of a getter.

use std::sync::Arc;

use formats::convert::Target;
use mqi::{GetFlags, MessageDescriptor, ObjectName, Reason};
use platform::sync::Mutex;
use selector::Selector;
use storage::Lsn;

use super::Queue;
use super::browse_lock::Locked;
use super::entry::{Entry, Slot};
use super::groups::Readiness;
use super::lists::Kind;
use super::marks::Owner;
use super::order::Position;
use super::token::Token;
use crate::counters::account::Tallies;
use crate::grouping::Current;
use crate::message::context::Saved;
use crate::message::extension;
use crate::message::presentation::Asked;
use crate::object::Object;
use crate::queue::getter::Reserve;
use crate::queue::party::Party;
use crate::unit_of_work::slot::UnitSlot;

/// Fields of the descriptor that a message must agree with; none means any message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// The message identifier.
    pub message_id: Option<[u8; 24]>,
    /// The correlation identifier.
    pub correlation_id: Option<[u8; 24]>,
    /// The group identifier.
    pub group_id: Option<[u8; 24]>,
    /// The place in the group.
    pub message_sequence_number: Option<i32>,
    /// The offset of the segment.
    pub offset: Option<i32>,
    /// The one message of a token.
    pub token: Option<Token>,
}

impl Criteria {
    pub(crate) fn matches(&self, entry: &Entry) -> bool {
        let agrees = |wanted: &Option<[u8; 24]>, kind: Kind| match wanted {
            Some(wanted) => kind.key(entry) == Some(wanted),
            None => true,
        };
        let place = entry.group.as_ref().map(|group| &group.place);
        agrees(&self.correlation_id, Kind::Correlation)
            && agrees(&self.message_id, Kind::Message)
            && agrees(&self.group_id, Kind::Group)
            && self
                .message_sequence_number
                .is_none_or(|wanted| wanted == place.map_or(1, |place| place.sequence_number))
            && self.offset.is_none_or(|wanted| wanted == place.map_or(0, |place| place.offset))
            && self.token.is_none_or(|token| token.sequence == entry.sequence)
    }

    /// The most selective identifier asked for, which an index can find; none when a token finds the message.
    pub(crate) fn key(&self) -> Option<(Kind, [u8; 24])> {
        if self.token.is_some() {
            return None;
        }
        let keyed = |kind, key: Option<[u8; 24]>| key.map(|key| (kind, key));
        keyed(Kind::Message, self.message_id)
            .or_else(|| keyed(Kind::Correlation, self.correlation_id))
            .or_else(|| keyed(Kind::Group, self.group_id))
    }

    /// True if it asks for a message by an identifier or a token.
    pub(crate) fn names_one(&self) -> bool {
        self.token.is_some() || self.key().is_some()
    }

    /// True if the identifiers agree; logical order chooses by nothing else.
    pub(crate) fn names(&self, entry: &Entry) -> bool {
        Self { message_sequence_number: None, offset: None, ..*self }.matches(entry)
    }

    pub(crate) fn is_any(&self) -> bool {
        *self == Self::default()
    }
}

/// Relation of a get to the unit of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syncpoint {
    /// In a unit of work.
    Within,
    /// In a unit of work if the message is persistent.
    WithinIfPersistent,
    /// Outside units of work.
    Outside,
}

impl Syncpoint {
    pub(crate) fn is_within(self, persistent: bool) -> bool {
        match self {
            Self::Within => true,
            Self::WithinIfPersistent => persistent,
            Self::Outside => false,
        }
    }
}

/// Where a getter begins to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the first message.
    First,
    /// Behind the cursor.
    AfterCursor,
    /// At the message under the cursor.
    AtCursor,
}

/// Fate of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Takes the message.
    Take(Syncpoint),
    /// It is set aside until the connection says that its application has it.
    Reserve(Syncpoint, Reserve),
    /// Leaves the message there.
    Browse,
}

impl Action {
    /// True if a message may leave its queue by it outside units of work. What is set aside for a link is
    /// judged when the link takes it.
    pub(crate) fn takes_outside_unit(self) -> bool {
        match self {
            Self::Browse | Self::Reserve(_, Reserve::ForLink) => false,
            Self::Reserve(_, Reserve::NoneForLink) => true,
            Self::Take(syncpoint) | Self::Reserve(syncpoint, Reserve::All | Reserve::Persistent) => {
                syncpoint != Syncpoint::Within
            }
        }
    }
}

/// Demands of a get on groups and segments.
#[derive(Clone, Copy, Debug)]
pub struct Grouping {
    /// In logical order.
    pub in_order: bool,
    /// Only whole logical messages, their segments joined.
    pub joins: bool,
    /// Messages that must be there before one is given out.
    pub readiness: Readiness,
    /// Where the handle is, in logical order: no other message will do.
    pub next: Option<Current>,
    /// Behind which head a browse in logical order goes on.
    pub after: Option<Cursor>,
}

/// One get as the queue sees it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The criteria of the message.
    pub criteria: Criteria,
    /// The number of the handle.
    pub handle: i32,
    /// The unit of work that it takes its message in, where it is one beside a connection.
    pub unit: Option<Arc<UnitSlot>>,
    /// Its demands on groups and segments, if any.
    pub grouping: Option<Box<Grouping>>,
    /// The fate of the message.
    pub action: Action,
    /// The place where the search begins.
    pub start: Start,
    /// True if it is only to learn that a message is there.
    pub only_looks: bool,
    /// Options about locks and marks.
    pub looking: GetFlags,
    /// Most bytes of the body.
    pub bytes_max: usize,
    /// True if a body that is longer may be cut.
    pub accept_truncated: bool,
    /// True if the get fails while the queue manager quiesces.
    pub fail_if_quiescing: bool,
    /// True for a link's: while gets are inhibited there is nothing for it, and it waits on.
    pub outlasts_inhibition: bool,
    /// The handle's memory, when it has a cursor or keeps the context.
    pub memo: Option<Arc<HandleMemo>>,
    /// The alias it goes through, if its queue was opened by one: that may inhibit gets as well, or lead
    /// elsewhere by now.
    pub alias: Option<Arc<Object<Arc<Queue>>>>,
    /// The name that the getter is told.
    pub resolved_queue_name: ObjectName,
    /// Counters of the get, if any.
    pub tallies: Option<Box<Tallies>>,
    /// In which form it wants the message's properties.
    pub properties: Asked,
    /// Target of the body's conversion.
    pub conversion: Option<Target>,
    /// The character set of the extension of the descriptor before the body; none for a getter that wants
    /// none.
    pub extension: Option<i32>,
    /// Selector that a message must pass besides the criteria, when the handle was opened with one.
    pub selector: Option<Arc<Selector>>,
}

impl Request {
    /// Bytes that this getter is given before the body of a message with this descriptor.
    pub(crate) fn extension_length(&self, descriptor: &MessageDescriptor) -> usize {
        if self.extension.is_some() { extension::length(descriptor) } else { 0 }
    }

    /// The slot of the unit of work that it takes a message in, if it takes it within one; that of its
    /// connection, unless it names another.
    #[inline]
    pub(crate) fn unit<'a>(&'a self, party: &'a Party) -> &'a Arc<UnitSlot> {
        self.unit.as_ref().unwrap_or(&party.unit)
    }

    /// Returns the reason for its getter of a unit of work that admits nothing more. A unit beside the
    /// connection may end while a get waits in it; the connection goes on.
    #[cold]
    pub(crate) fn refused_in_unit(&self, reason: Reason) -> Reason {
        let is_over = self.unit.is_some() && reason == Reason::CONNECTION_BROKEN;
        if is_over { Reason::UOW_NOT_AVAILABLE } else { reason }
    }

    /// True if this getter looks for such a message, as far as the message itself decides.
    pub(crate) fn looks_for(&self, entry: &Entry) -> bool {
        match &self.grouping {
            Some(grouping) if grouping.in_order => self.criteria.names(entry),
            _ => self.criteria.matches(entry),
        }
    }

    /// Returns the reason for which the alias no longer leads to its queue, and the position that must be
    /// durable before the outside may learn of that.
    #[inline]
    pub(crate) fn refused_by_alias(&self) -> Option<(Reason, Lsn)> {
        self.alias.as_ref().and_then(|alias| self.refused_by(alias))
    }

    /// Returns the reason for which this alias no longer leads to the queue.
    #[inline(never)]
    fn refused_by(&self, alias: &Object<Arc<Queue>>) -> Option<(Reason, Lsn)> {
        let current = alias.current();
        if !current.leads_to(&self.resolved_queue_name) {
            return Some((Reason::OBJECT_CHANGED, current.need));
        }
        current.attributes.get_inhibited.then_some((Reason::GET_INHIBITED, current.need))
    }

    /// Returns true if it waits on although gets are refused for this reason.
    pub(crate) fn is_shut_out_by(&self, reason: Reason) -> bool {
        self.outlasts_inhibition && reason == Reason::GET_INHIBITED
    }

    pub(crate) fn cursor(&self) -> Option<Cursor> {
        self.memo.as_ref().and_then(|memo| memo.state.lock().cursor)
    }
}

/// State that a handle keeps between gets; a hand-off writes it from another thread.
#[derive(Debug)]
pub struct HandleMemo {
    /// Owner of this handle's marks.
    pub owner: Owner,
    /// True if it saves the context of messages got.
    pub saves_context: bool,
    /// True if it may browse.
    pub browses: bool,
    /// True if it shares marks with other handles.
    pub co_operates: bool,
    /// The part that gets change.
    pub state: Mutex<MemoState>,
}

/// The changing part of a handle's memory.
#[derive(Debug, Default)]
pub struct MemoState {
    /// The browse cursor.
    pub cursor: Option<Cursor>,
    /// The context of the last message got.
    pub context: Option<Box<Saved>>,
    /// The message that only this handle sees.
    pub(crate) locked: Option<Locked>,
    /// True if the handle is closed; a closed handle locks nothing any more.
    pub(crate) is_closed: bool,
}

/// A browse cursor: a position, not a lock on the message there.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    pub(crate) position: Position,
    /// Where the message was, or a message before it: a place to start looking that may be out of date.
    pub(crate) hint: Slot,
    /// The sequence of the message in `hint`.
    pub(crate) hint_sequence: u64,
    /// Where the message under the cursor is, if there is one.
    pub(crate) message: Option<Slot>,
}
