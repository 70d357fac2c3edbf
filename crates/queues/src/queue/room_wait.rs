//! A put that waits for room on its queue: FULLACT(HOLD).
//!
//! Lives here: the time for which a put that found no room may wait. Lives elsewhere: the wait, which is that
//! of the put's host.
//!
//! Always: nothing of the put has happened while it waits; one that no other connection can make room for
//! does not wait.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;

use super::Queue;
use super::party::Party;
use crate::queues::Queues;
use crate::unit_of_work::slot::UnitSlot;

/// Time before a put that found its room taken by another looks again: what it does in vain costs as much
/// as a put.
const AGAIN_AFTER: Duration = Duration::from_millis(10);

/// The connection and the unit of work of a put.
pub struct PutOrigin<'a> {
    /// The connection.
    pub party: &'a Arc<Party>,
    /// The unit of work that it puts in.
    pub unit: Option<&'a Arc<UnitSlot>>,
    /// True if the put is refused once the queue manager quiesces.
    pub fail_if_quiescing: bool,
}

/// The room that a put waits for.
#[derive(Clone)]
pub struct RoomWait {
    queues: Arc<Queues>,
    queue: Arc<Queue>,
    party: Arc<Party>,
    /// Bytes of the message, as MAXFSIZE counts them.
    bytes: u64,
    fail_if_quiescing: bool,
    until: Monotonic,
    /// The time of the next look for room.
    looks_at: Monotonic,
}

impl RoomWait {
    /// The room that a put with a body of this length had better wait for. None if there is room, if its
    /// queue lets no put wait, or if only the putter could make room.
    pub fn at(
        queues: &Arc<Queues>,
        queue: &Arc<Queue>,
        origin: &PutOrigin<'_>,
        body_length: usize,
    ) -> Option<Self> {
        let bytes = queue.room_that_others_can_make(queues, origin, body_length)?;
        let now = queues.ground.now();
        Some(Self {
            queues: Arc::clone(queues),
            queue: Arc::clone(queue),
            party: Arc::clone(origin.party),
            bytes,
            fail_if_quiescing: origin.fail_if_quiescing,
            until: now.after(queues.ground.settings.hold),
            looks_at: now,
        })
    }

    /// True while the put had better wait. Once it is over the put runs, and is refused if there is no room.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        let now = self.queues.ground.now();
        let goes_on = now < self.until
            && !self.party.has_ended()
            && self.queues.ground.quiescing(self.fail_if_quiescing).is_ok();
        goes_on && (now < self.looks_at || self.queue.holds_put_of(&self.queues, self.bytes))
    }

    /// The rest of the wait of a put whose room another took. None once it is over, or where puts wait no
    /// more.
    #[must_use]
    pub fn again(self) -> Option<Self> {
        let now = self.queues.ground.now();
        (now < self.until && self.queue.attributes().holds_puts)
            .then(|| Self { looks_at: now.after(AGAIN_AFTER), ..self })
    }
}

impl fmt::Debug for RoomWait {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RoomWait({})", self.queue.name)
    }
}
