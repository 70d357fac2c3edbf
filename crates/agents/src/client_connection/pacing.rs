//! Which requests wait while the log runs short of room, and what may go on meanwhile.
//!
//! A put that must be logged is left at the front of the connection's input until there is room; a put that needs no
//! log, because its message is non-persistent, runs, in a unit of work or outside. What arrives on the same connection
//! behind a put that waits, waits with it: requests of one connection are run in the order they came, so no message of one
//! putter ever overtakes another of the same priority on its queue, whatever their persistence, and a commit never
//! overtakes a put of its unit. For the same reason a put waits while the message of the one before it, in the same
//! conversation, is on its way to a getter without the log: that getter may end, and the message come back. A program that wants its non-persistent messages, or its gets, to go on beside held-back
//! puts uses another connection; one thread of calls per connection does so anyway.

use channel::client::{Put, Request, Target};
use channel::{Frame, Kind};
use mqi::Persistence;

use super::{ClientConnection, Number};

/// For what a put waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldBack {
    /// Room in the log.
    ForRoom,
    /// The getter of the message put before it in this conversation.
    ForGetter(Number),
}

impl ClientConnection {
    /// For what a request had better wait.
    pub(super) fn must_wait(&mut self, frame: &Frame<'_>) -> Option<HeldBack> {
        if !matches!(frame.header.kind, Kind::Put | Kind::Put1) {
            return None;
        }
        let number = frame.header.conversation;
        if self.awaits_getter(number) {
            return Some(HeldBack::ForGetter(number));
        }
        (self.queue_manager.paces() && self.puts_to_log(frame)).then_some(HeldBack::ForRoom)
    }

    /// Whether a message that this conversation put is on its way to a getter without the log.
    pub(super) fn awaits_getter(&self, number: Number) -> bool {
        let conversation = self.conversations.get(usize::from(number.0)).and_then(Option::as_deref);
        conversation.and_then(|one| one.connection.as_ref()).is_some_and(|verbs| verbs.is_handing())
    }

    /// Whether a put has something to log, as far as that is known before it is run. One that will be refused has not.
    fn puts_to_log(&mut self, frame: &Frame<'_>) -> bool {
        let request = Request::decode(frame, self.agreed.message_bytes_max, &mut self.descriptor);
        let Ok(Request::Put(Put { target, .. })) = request else { return false };
        let persistence = self.descriptor.persistence;
        let Some(verbs) =
            self.conversation(frame.header.conversation).and_then(|one| one.connection.as_ref())
        else {
            return false;
        };
        match (persistence, target) {
            (Persistence::Persistent, _) => true,
            (Persistence::NotPersistent, _) => false,
            (Persistence::AsQueueDefault, Target::Handle(handle)) => verbs.defaults_to_persistent(handle),
            (Persistence::AsQueueDefault, Target::Object(object)) => {
                verbs.defaults_to_persistent_by_name(&object)
            }
        }
    }
}
