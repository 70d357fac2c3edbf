//! Messages of which a part has come.
//!
//! Lives here: the room that each takes of all connections' together, of every protocol, and the time without
//! progress after which it is given up. Lives elsewhere: the bound (`queue_manager::ArrivingRoom`), refusals
//! (each agent).
//!
//! Always: room is taken before the bytes are kept, and given back with them.

use std::time::Duration;

use platform::Monotonic;
use queue_manager::manager::arriving_room;
use queue_manager::{ArrivingRoom, QueueManager};

use crate::agent::Close;
use crate::patience::time_unchanged;

/// Longest time without progress for a message that keeps room while there is little: a client that has left
/// without a word is one, and all that it kept is back within half a minute.
const STALL_SECONDS_MAX: u16 = 20;

/// The words for a client whose message finds no room.
pub(crate) const NO_ROOM: &str =
    "messages that are half sent take all the room that there is for them; send it again later";

/// The words for a client whose message is given up.
pub(crate) const STALLED: &str =
    "nothing of a half sent message came for 20 seconds, and others need the room; send it again";

/// The end of a connection whose half-sent message is given up.
pub(crate) fn unfinished() -> Close {
    Close::Unfinished { what: "a message whose room others need", seconds: STALL_SECONDS_MAX }
}

/// The room of a message.
#[derive(Debug)]
pub(crate) struct Room {
    taken: ArrivingRoom,
    /// Time since which so many bytes of it have been here.
    unchanged: Option<(Monotonic, u64)>,
}

impl Room {
    /// Room for so many bytes; none where there is too little.
    pub(crate) fn take(manager: &QueueManager, bytes: usize) -> Option<Self> {
        let mut taken = arriving_room(manager);
        taken.take(bytes).then_some(Self { taken, unchanged: None })
    }

    /// Takes room for so many bytes more; false where there is too little.
    #[must_use]
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        self.taken.take(bytes)
    }

    /// Says whether it has brought nothing for too long while there is little room: `came` is how much is
    /// here.
    pub(crate) fn is_overdue(&mut self, now: Monotonic, came: usize) -> bool {
        let came = self.taken.is_short().then_some(came as u64);
        let most = Duration::from_secs(u64::from(STALL_SECONDS_MAX));
        time_unchanged(&mut self.unchanged, now, came).is_some_and(|time| time >= most)
    }
}

/// A message without a length known from the start.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    bytes: Vec<u8>,
    room: Option<Room>,
}

impl Parts {
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes the next part; false where there is no room.
    #[must_use]
    pub(crate) fn push(&mut self, manager: &QueueManager, part: &[u8]) -> bool {
        let needed = self.bytes.len() + part.len();
        let more = needed.saturating_sub(self.bytes.capacity());
        if more > 0 {
            // Twice as much as before, so that a byte is moved but a few times; less where there is no room.
            let double = self.bytes.capacity().max(more);
            let Some(grown) = [double, more].into_iter().find(|bytes| self.grow(manager, *bytes)) else {
                return false;
            };
            self.bytes.reserve_exact(self.bytes.capacity() + grown - self.bytes.len());
        }
        self.bytes.extend_from_slice(part);
        true
    }

    fn grow(&mut self, manager: &QueueManager, bytes: usize) -> bool {
        match &mut self.room {
            Some(room) => room.grow(bytes),
            None => {
                self.room = Room::take(manager, bytes);
                self.room.is_some()
            }
        }
    }

    /// The message, which is whole. Its room is free for others.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(self).bytes
    }

    pub(crate) fn is_overdue(&mut self, now: Monotonic) -> bool {
        let came = self.bytes.len();
        self.room.as_mut().is_some_and(|room| room.is_overdue(now, came))
    }
}
