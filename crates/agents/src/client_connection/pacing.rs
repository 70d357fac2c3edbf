//! Which requests wait while the log runs short of room, and what may go on meanwhile.
//!
//! A put that must be logged is left at the front of the connection's input until there is room; a put that needs no
//! log, because its message is non-persistent, runs, in a unit of work or outside. What arrives on the same connection
//! behind a put that waits, waits with it: requests of one connection are run in the order they came, so no message of one
//! putter ever overtakes another of the same priority on its queue, whatever their persistence, and a commit never
//! overtakes a put of its unit. A program that wants its non-persistent messages, or its gets, to go on beside held-back
//! puts uses another connection; one thread of calls per connection does so anyway.

use channel::client::{Put, Request, Target};
use channel::{Frame, Kind};
use mqi::Persistence;

use super::ClientConnection;

impl ClientConnection {
    /// Whether a request had better wait for room in the log.
    pub(super) fn must_wait_for_room(&mut self, frame: &Frame<'_>) -> bool {
        matches!(frame.header.kind, Kind::Put | Kind::Put1)
            && self.queue_manager.paces()
            && self.puts_to_log(frame)
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
