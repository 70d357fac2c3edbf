//! Input that came while a message waited to be put, within the room that half-sent messages have.

use bytes::BytesMut;
use queue_manager::QueueManager;

use crate::arriving::Room;

/// Bytes that each connection keeps beside the room that half-sent messages have: most sockets hold fewer.
const KEPT_BESIDE: usize = 8 << 20;

/// Input that came while a message waited.
#[derive(Debug, Default)]
pub(super) struct KeptInput {
    pub(super) bytes: BytesMut,
    /// Room among half-sent messages, for so many of the bytes.
    room: Option<(Room, usize)>,
}

impl KeptInput {
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes input over; false where there is no room for it.
    #[must_use]
    pub(super) fn take(&mut self, manager: &QueueManager, input: &mut BytesMut) -> bool {
        let wanted = (self.bytes.len() + input.len()).saturating_sub(KEPT_BESIDE);
        let taken = match &mut self.room {
            Some((room, bytes)) => {
                let is_taken = wanted <= *bytes || room.grow(wanted - *bytes);
                *bytes = (*bytes).max(wanted);
                is_taken
            }
            None if wanted == 0 => true,
            None => {
                self.room = Room::take(manager, wanted).map(|room| (room, wanted));
                self.room.is_some()
            }
        };
        self.bytes.extend_from_slice(input);
        input.clear();
        taken
    }

    /// Takes back the bytes that are left, and gives room back that they do not need.
    pub(super) fn leave(&mut self, bytes: BytesMut) {
        if bytes.len() <= KEPT_BESIDE {
            self.room = None;
        }
        self.bytes = bytes;
    }
}
