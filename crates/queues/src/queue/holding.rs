//! Puts that find no room: the reason, and the one that could make some.

use std::sync::Arc;

use mqi::Reason;

use super::Queue;
use super::entry::{Slot, size_of_message};
use super::room_wait::PutOrigin;
use crate::queues::Queues;
use crate::unit_of_work::Effect;

impl Queue {
    /// Why a message with a body of this length would be refused at this moment.
    pub fn would_refuse(self: &Arc<Self>, queues: &Queues, body_length: usize) -> Option<Reason> {
        let bytes = size_of_message(body_length);
        let (mut state, refusal) = self.lock_for_put(queues, bytes);
        if refusal == Some(Reason::Q_FULL) {
            self.note_full(&mut state);
        }
        Self::release(queues, state);
        refusal
    }

    /// True if puts that find no room wait here, and one of so many bytes finds none.
    pub(crate) fn holds_put_of(self: &Arc<Self>, queues: &Queues, bytes: u64) -> bool {
        let (state, refusal) = self.lock_for_put(queues, bytes);
        let is_full = matches!(refusal, Some(Reason::Q_FULL | Reason::Q_SPACE_NOT_AVAILABLE));
        let holds = is_full && state.attributes.holds_puts;
        Self::release(queues, state);
        holds
    }

    /// The bytes that a put with a body of this length waits for, if it had better wait: messages of others
    /// are in its way, and none that it has got itself and may give up alone.
    #[cold]
    pub(crate) fn room_that_others_can_make(
        self: &Arc<Self>,
        queues: &Queues,
        origin: &PutOrigin<'_>,
        body_length: usize,
    ) -> Option<u64> {
        let bytes = size_of_message(body_length);
        if !self.holds_put_of(queues, bytes) {
            return None;
        }
        let mut own = Vec::new();
        let branch =
            origin.unit.filter(|unit| !origin.party.units().iter().any(|its| Arc::ptr_eq(its, unit)));
        for unit in origin.party.units().iter().chain(branch) {
            for operation in unit.lock().operations.iter().filter(|one| std::ptr::eq(&*one.queue, &**self)) {
                match operation.effect {
                    Effect::Got => return None,
                    Effect::Put | Effect::PutAndTrigger => own.push((operation.slot, operation.sequence)),
                }
            }
        }
        if origin.party.held.lock().values().any(|held| Arc::ptr_eq(&held.queue, self)) {
            return None;
        }
        self.has_room_beside(&own, bytes).then_some(bytes)
    }

    /// True if so many bytes have room beside these messages alone.
    fn has_room_beside(&self, own: &[(Slot, u64)], bytes: u64) -> bool {
        let state = self.lock();
        let entries = own.iter().filter_map(|(slot, sequence)| state.slab.get_if(*slot, *sequence));
        let (count, taken) = entries.fold((0, 0), |(count, taken), entry| {
            (count + 1_u32, taken + size_of_message(entry.body_length as usize))
        });
        count < state.attributes.depth_max && taken + bytes <= state.attributes.bytes_max
    }
}
