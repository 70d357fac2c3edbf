//! A put of a conversation that waits for room on its queue, as it is kept.

use crate::arriving::Room;
use bytes::Bytes;
use channel::client::Target;
use channel::{Flags, RequestNumber};
use mqi::{MessageDescriptor, PutOptions};
use queue_manager::RoomWait;

/// A put that waits.
#[derive(Debug)]
pub(super) struct HeldPut {
    pub(super) request: RequestNumber,
    pub(super) flags: Flags,
    pub(super) target: Target,
    pub(super) descriptor: Box<MessageDescriptor>,
    pub(super) options: Box<PutOptions>,
    pub(super) body: Bytes,
    pub(super) wait: RoomWait,
    /// Room in memory for a body that came in fragments.
    pub(super) room: Option<Room>,
}
