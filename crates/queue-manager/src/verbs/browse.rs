//! Locks, marks and tokens of gets.

use mqi::{GetFlags, GetOptions, MessageDescriptor, MessageToken, OpenOptions, Reason, Wait};
use queues::gate::{Gated, Outcome};
use queues::queue::Queue;
use queues::queue::got_message::GotMessage;
use queues::queue::token::Token;

use super::ask::Ask;
use crate::connection::{Connection, Target};

/// Options that mark messages, take marks off or ask for messages without.
const MARKS: GetFlags = GetFlags::MARK_BROWSE_HANDLE
    .union(GetFlags::MARK_BROWSE_CO_OP)
    .union(GetFlags::UNMARK_BROWSE_HANDLE)
    .union(GetFlags::UNMARK_BROWSE_CO_OP)
    .union(GetFlags::UNMARKED_BROWSE_MSG);

/// Options about whole groups and messages, which single messages are not marked by.
const WHOLE: GetFlags = GetFlags::LOGICAL_ORDER
    .union(GetFlags::COMPLETE_MSG)
    .union(GetFlags::ALL_MSGS_AVAILABLE)
    .union(GetFlags::ALL_SEGMENTS_AVAILABLE);

/// True for options about locks and marks, which most gets have not.
pub(super) fn concerns_marks(flags: GetFlags) -> bool {
    flags.intersects(GetFlags::LOCK.union(MARKS))
}

/// The options about locks and marks, when they make sense together and for this handle.
pub(super) fn looking(flags: GetFlags, browses: bool, opened: OpenOptions) -> Result<GetFlags, Reason> {
    let asked = flags & GetFlags::LOCK.union(MARKS);
    let shared = GetFlags::MARK_BROWSE_CO_OP | GetFlags::UNMARK_BROWSE_CO_OP;
    let own = GetFlags::MARK_BROWSE_HANDLE | GetFlags::UNMARK_BROWSE_HANDLE;
    let marks = flags.intersects(MARKS);
    let contradicts = !browses
        || marks && (flags.contains(GetFlags::LOCK) || flags.intersects(WHOLE))
        || flags.contains(shared)
        || flags.contains(own)
        || flags.intersects(shared) && !opened.contains(OpenOptions::CO_OP);
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(asked) }
}

/// Returns the message that a get asks for by its token. Such a get never waits: the message has been there
/// already.
pub(super) fn token(options: &GetOptions, queue: &Queue) -> Result<Token, Reason> {
    match options.wait {
        Wait::No => Ok(Token::of(&options.message_token, queue.id)),
        Wait::Milliseconds(_) | Wait::Unlimited => Err(Reason::MSG_TOKEN_ERROR),
    }
}

impl Connection {
    /// MQGET with MQGMO_UNLOCK: the message this handle has locked is there for all again. Returns no
    /// message.
    pub(super) fn unlock(&self, ask: &Ask<'_>) -> Outcome<GotMessage> {
        let others = ask.options.flags.without(GetFlags::UNLOCK | GetFlags::NO_SYNCPOINT);
        let checked = self.usable(false).and_then(|()| {
            if others.is_empty() && ask.options.wait == Wait::No && ask.unit.is_none() {
                self.handle(ask.handle)
            } else {
                Err(Reason::OPTIONS_ERROR)
            }
        });
        let found = match checked {
            Ok(found) => found,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let Target::Queue { queue, .. } = &found.target else {
            return Gated::free(Err(Reason::NOT_OPEN_FOR_BROWSE));
        };
        if queue.is_deleted() {
            return Gated::new(queue.last_change(), Err(Reason::Q_DELETED));
        }
        let was_locked = found.memo.as_ref().is_some_and(|memo| queue.unlock(&self.engine.queues, memo));
        Gated::free(Ok(GotMessage {
            arrived: Default::default(),
            descriptor: MessageDescriptor::default().into(),
            body: bytes::Bytes::new(),
            data_length: 0,
            warning: (!was_locked).then_some(Reason::NO_MSG_LOCKED),
            resolved_queue_name: queue.name,
            message_token: MessageToken::NONE,
            properties: None,
            wanted: None,
            segments: None,
            receipt: None,
            waits_on: false,
            has_failed_enough: false,
        }))
    }
}
