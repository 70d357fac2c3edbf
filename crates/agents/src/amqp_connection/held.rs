//! Messages that came by a link and wait, as they are kept.
//!
//! Lives elsewhere: their waits, and their end (`holding`).

use std::collections::VecDeque;

use amqp::engine::Part;
use bytes::Bytes;
use queue_manager::RoomWait;

use super::transaction::TransactionId;

/// A message that is whole.
#[derive(Debug)]
pub(super) struct WholeMessage<'a> {
    pub(super) delivery_id: u32,
    /// True if its client wants to hear nothing of it.
    pub(super) is_settled: bool,
    /// The transaction that it is of.
    pub(super) transaction: Option<TransactionId>,
    /// The message-format that it says.
    pub(super) format: u32,
    pub(super) message: &'a [u8],
}

/// A message that waits.
#[derive(Debug)]
pub(super) struct HeldMessage {
    delivery_id: u32,
    is_settled: bool,
    pub(super) transaction: Option<TransactionId>,
    format: u32,
    pub(super) message: Bytes,
}

/// The messages of a link that wait, in their order.
#[derive(Debug, Default)]
pub(super) struct HeldMessages {
    pub(super) messages: VecDeque<HeldMessage>,
    /// The room that the first waits for; none once it may be there.
    pub(super) wait: Option<RoomWait>,
}

/// Time for which a message may wait for room.
pub(super) enum MayWait {
    /// All that its queue lets it have.
    Full,
    /// The rest of a wait.
    Rest(RoomWait),
    /// No time.
    None,
}

impl WholeMessage<'_> {
    /// The same as its part of a delivery.
    pub(super) fn part(&self) -> Part<'_> {
        Part {
            delivery_id: self.delivery_id,
            is_first: true,
            is_last: true,
            is_aborted: false,
            is_settled: self.is_settled,
            payload: self.message,
        }
    }
}

impl HeldMessage {
    pub(super) fn whole(&self) -> WholeMessage<'_> {
        let Self { delivery_id, is_settled, transaction, format, ref message } = *self;
        WholeMessage { delivery_id, is_settled, transaction, format, message }
    }
}

impl HeldMessages {
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(super) fn keep(&mut self, whole: &WholeMessage<'_>) -> usize {
        let WholeMessage { delivery_id, is_settled, transaction, format, message } = *whole;
        let message = Bytes::copy_from_slice(message);
        self.messages.push_back(HeldMessage { delivery_id, is_settled, transaction, format, message });
        whole.message.len()
    }
}
