//! Messages that are not persistent and outlive an orderly end: those of a queue with NPMCLASS(HIGH).
//!
//! They are gathered when every connection has ended, and come back at the next start as if they had never left: at their places,
//! with the life they had left. Where memory is short they come back to the spill files.

use std::sync::Arc;

use mqi::{CorrelationId, GroupId, MessageId, Persistence};
use objects::NonPersistentClass;
use storage::{KeptMessage, MessageHead, StoredMessage};

use super::Queue;
use super::entry::{EntryState, Slot};
use crate::ground::Ground;
use crate::message::{Payload, encoding};

impl Queue {
    /// Returns the messages to keep, in the order of arrival.
    pub fn to_keep(&self) -> Vec<(Slot, u64)> {
        if self.attributes().non_persistent_class != NonPersistentClass::High {
            return Vec::new();
        }
        let state = self.lock();
        let is_kept = |slot: &Slot| {
            let entry = &state.slab[*slot];
            !entry.persistent && matches!(entry.state, EntryState::Available | EntryState::Delayed)
        };
        let kept = state.slab.slots().filter(is_kept);
        let mut kept: Vec<_> = kept.map(|slot| (slot, state.slab[slot].sequence)).collect();
        kept.sort_unstable_by_key(|(_, sequence)| *sequence);
        kept
    }

    /// A message with what must be known of it at the next start. Blocks. None when it cannot be read, which the error log says.
    pub fn keep(&self, ground: &Ground, slot: Slot, sequence: u64) -> Option<KeptMessage> {
        let payload = self.fetch(ground, slot, sequence)?;
        let state = self.lock();
        let entry = state.slab.get_if(slot, sequence)?;
        Some(KeptMessage {
            head: self.head_of(ground, entry, state.deliver_at(slot)),
            backout_count: entry.backout_count,
            message: StoredMessage { descriptor: payload.encoded().into(), body: payload.body.clone() },
        })
    }
}

/// The message in memory that was kept.
pub(crate) fn payload_of(
    head: &MessageHead,
    message: StoredMessage,
) -> Result<Arc<Payload>, encoding::DecodeError> {
    let (mut descriptor, rights) = encoding::decode(&message.descriptor)?;
    descriptor.message_id = MessageId(head.message_id);
    descriptor.correlation_id = CorrelationId(head.correlation_id);
    descriptor.group_id = GroupId(head.group_id).into();
    descriptor.persistence = Persistence::NotPersistent;
    Ok(Arc::new(Payload::new(descriptor, message.body).with_report_rights(rights)))
}
