//! The wait of a put for room on its queue, after it was refused for lack of it.

use std::sync::Arc;

use mqi::{MessageDescriptor, PutFlags};
use queues::queue::room_wait::{PutOrigin, RoomWait};

use crate::connection::{Connection, Target};
use crate::naming::resolve::{Resolved, ResolvedQueue};
use crate::naming::transmission;
use crate::naming::way::Way;
use crate::verbs::put::PutTarget;
use crate::verbs::unit::UnitOfWork;

/// A put that found no room, as it was made.
#[derive(Clone, Copy)]
pub struct PutForRoom<'a> {
    /// Its target.
    pub target: PutTarget<'a>,
    /// The descriptor of its message.
    pub descriptor: &'a MessageDescriptor,
    /// Its options.
    pub flags: PutFlags,
    /// The unit of work that it was in, if that is one beside the connection.
    pub unit: Option<&'a UnitOfWork>,
    /// Length of its body.
    pub body_length: usize,
}

impl PutForRoom<'_> {
    /// False if no put waits for room on its queue, whatever the queue.
    #[inline]
    #[must_use]
    pub fn may_be_held(connection: &Connection) -> bool {
        connection.engine.queues.holds_puts()
    }

    /// The room that it had better wait for: its queue has FULLACT(HOLD) and no room, and others may make
    /// some. It may be made at any time: it waits with its caller, and nothing of it has happened. A part of
    /// the queue manager waits for none.
    #[must_use]
    pub fn wait(&self, connection: &Connection) -> Option<RoomWait> {
        let party = &connection.conversation.party;
        if party.is_own() {
            return None;
        }
        let is_elsewhere = |way: Option<&Way>| way.is_some_and(|way| way.elsewhere.is_some());
        let (queue, goes_elsewhere) = match self.target {
            PutTarget::Handle(handle) => match &connection.handle(handle).ok()?.target {
                Target::Queue { queue, way, .. } => (Arc::clone(queue), is_elsewhere(way.as_deref())),
                _ => return None,
            },
            PutTarget::Object(object) => match connection.engine.directory.resolve(object).1.ok()? {
                Resolved::Queue(ResolvedQueue { queue, way, .. }) => {
                    let goes_elsewhere = is_elsewhere(way.as_deref());
                    (queue, goes_elsewhere)
                }
                _ => return None,
            },
        };
        let in_front = if goes_elsewhere { transmission::header_bytes(self.descriptor) } else { 0 };
        let own = connection.unit_slot();
        let is_within = self.flags.contains(PutFlags::SYNCPOINT);
        let origin = PutOrigin {
            party,
            unit: is_within.then(|| self.unit.map_or(own, UnitOfWork::slot)),
            fail_if_quiescing: self.flags.contains(PutFlags::FAIL_IF_QUIESCING),
        };
        RoomWait::at(&connection.engine.queues, &queue, &origin, self.body_length + in_front)
    }
}
