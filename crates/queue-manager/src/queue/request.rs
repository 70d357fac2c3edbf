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

/// Fields of the descriptor that a message must agree with; none means any message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Criteria {
    pub(crate) message_id: Option<[u8; 24]>,
    pub(crate) correlation_id: Option<[u8; 24]>,
    pub(crate) group_id: Option<[u8; 24]>,
    pub(crate) message_sequence_number: Option<i32>,
    pub(crate) offset: Option<i32>,
    /// The one message of a token.
    pub(crate) token: Option<Token>,
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
pub(crate) enum Syncpoint {
    Within,
    WithinIfPersistent,
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
pub(crate) enum Start {
    First,
    AfterCursor,
    AtCursor,
}

/// Fate of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Take(Syncpoint),
    /// It is set aside until the connection says that its application has it.
    Reserve(Syncpoint, Reserve),
    Browse,
}

/// Demands of a get on groups and segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouping {
    /// In logical order.
    pub(crate) in_order: bool,
    /// Only whole logical messages, their segments joined.
    pub(crate) joins: bool,
    /// Messages that must be there before one is given out.
    pub(crate) readiness: Readiness,
    /// Where the handle is, in logical order: no other message will do.
    pub(crate) next: Option<Current>,
    /// Behind which head a browse in logical order goes on.
    pub(crate) after: Option<Cursor>,
}

/// One get as the queue sees it.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) criteria: Criteria,
    /// The number of the handle.
    pub(crate) handle: i32,
    /// Its demands on groups and segments, if any.
    pub(crate) grouping: Option<Box<Grouping>>,
    pub(crate) action: Action,
    pub(crate) start: Start,
    /// True if it is only to learn that a message is there.
    pub(crate) only_looks: bool,
    /// Options about locks and marks.
    pub(crate) looking: GetFlags,
    pub(crate) bytes_max: usize,
    pub(crate) accept_truncated: bool,
    pub(crate) fail_if_quiescing: bool,
    /// True for a link's: while gets are inhibited there is nothing for it, and it waits on.
    pub(crate) outlasts_inhibition: bool,
    /// The handle's memory, when it has a cursor or keeps the context.
    pub(crate) memo: Option<Arc<HandleMemo>>,
    /// The alias it goes through, if its queue was opened by one: that may inhibit gets as well, or lead
    /// elsewhere by now.
    pub(crate) alias: Option<Arc<Object<Arc<Queue>>>>,
    pub(crate) resolved_queue_name: ObjectName,
    /// Counters of the get, if any.
    pub(crate) tallies: Option<Box<Tallies>>,
    /// In which form it wants the message's properties.
    pub(crate) properties: Asked,
    /// Target of the body's conversion.
    pub(crate) conversion: Option<Target>,
    /// The character set of the extension of the descriptor before the body; none for a getter that wants
    /// none.
    pub(crate) extension: Option<i32>,
    /// Selector that a message must pass besides the criteria, when the handle was opened with one.
    pub(crate) selector: Option<Arc<Selector>>,
}

impl Request {
    /// Bytes that this getter is given before the body of a message with this descriptor.
    pub(crate) fn extension_length(&self, descriptor: &MessageDescriptor) -> usize {
        if self.extension.is_some() { extension::length(descriptor) } else { 0 }
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
pub(crate) struct HandleMemo {
    /// Owner of this handle's marks.
    pub(crate) owner: Owner,
    pub(crate) saves_context: bool,
    pub(crate) browses: bool,
    /// True if it shares marks with other handles.
    pub(crate) co_operates: bool,
    pub(crate) state: Mutex<MemoState>,
}

/// The changing part of a handle's memory.
#[derive(Debug, Default)]
pub(crate) struct MemoState {
    pub(crate) cursor: Option<Cursor>,
    pub(crate) context: Option<Box<Saved>>,
    /// The message that only this handle sees.
    pub(crate) locked: Option<Locked>,
    /// True if the handle is closed; a closed handle locks nothing any more.
    pub(crate) is_closed: bool,
}

/// A browse cursor: a position, not a lock on the message there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    pub(crate) position: Position,
    /// Where the message was, or a message before it: a place to start looking that may be out of date.
    pub(crate) hint: Slot,
    /// The sequence of the message in `hint`.
    pub(crate) hint_sequence: u64,
    /// Where the message under the cursor is, if there is one.
    pub(crate) message: Option<Slot>,
}
