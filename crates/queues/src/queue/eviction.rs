//! Bodies leaving memory when the budget is used up.
//!
//! Messages that arrive while memory is short are the ones evicted: they stand at the end of a deep queue and
//! are needed last, except for the very latest, which may be got by their identifiers at once. A persistent
//! body is dropped once the log is durable past its record, since it is read from there; a non-persistent one
//! is first written to a spill file. A shallow queue is left alone: its messages are about to be got.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use storage::Location;

use super::entry::{EntryState, Slab, Slot};
use super::{Queue, State};
use crate::ground::Ground;
use crate::message::Payload;

/// Bytes that a queue may keep in memory although the budget is used up; not honoured at twice the budget.
const SHALLOW_BYTES: u64 = 256 << 10;

/// Number of latest messages that stay in memory, of those that arrived while it was short: a reply is among
/// many others only until its requester asks for it.
const LATEST_MESSAGES: usize = 32;

/// Messages spilled at a time.
const SPILL_BATCH: usize = 64;

/// Notes of messages that are gone may be as many as the messages, and these more.
const GONE_MAX: usize = 1024;

/// A payload to be written to a spill file.
struct Spilling {
    slot: Slot,
    sequence: u64,
    payload: Arc<Payload>,
}

impl Queue {
    /// Evicts payloads while the budget is used up.
    pub(super) fn shed(&self, ground: &Ground) {
        let spilling = self.lock().evict(ground);
        if spilling.is_empty() {
            return;
        }
        let mut spilled = Vec::with_capacity(spilling.len());
        for message in spilling {
            let descriptor = message.payload.encoded();
            // No room for the spill file: the messages stay in memory, and the next put tries again.
            let Ok(location) = ground.storage.spill(&descriptor, &message.payload.body) else { break };
            spilled.push((message.slot, message.sequence, location));
        }
        let mut state = self.lock();
        for (slot, sequence, location) in spilled {
            state.dropped_to(ground, slot, sequence, location);
        }
    }
}

impl State {
    /// Notes that a message arrived, or was read back, while memory was short. One on its way to a getter
    /// without the log has its bytes nowhere else, and needs them if it is taken back.
    pub(super) fn mark_cold(&mut self, slot: Slot) {
        if let Some(entry) = self.slab.get(slot).filter(|entry| entry.state != EntryState::HandedOver) {
            self.cold.push_back((slot, entry.sequence));
            forget_gone(&mut self.cold, &self.slab);
        }
    }

    /// Makes a message that was set aside and is back available to eviction, which passed it over meanwhile.
    pub(super) fn may_drop_again(&mut self, ground: &Ground, slot: Slot, sequence: u64) {
        let entry = self.slab.get_if(slot, sequence);
        let Some(entry) = entry.filter(|entry| entry.is_reported() && entry.payload.is_some()) else {
            return;
        };
        if entry.location.is_some() {
            self.read_back.push_back((slot, sequence));
            self.drop_read_back(ground);
        }
        if ground.memory.is_over() {
            self.mark_cold(slot);
        }
    }

    /// Drops payloads that can be had again; returns those that must be written first.
    fn evict(&mut self, ground: &Ground) -> Vec<Spilling> {
        let mut spilling = Vec::new();
        let durable = ground.storage.durable().lsn();
        let mut leaving = 0;
        while let Some(&(slot, sequence)) = self.cold.front() {
            let entry = self.slab.get_if(slot, sequence);
            if entry.is_none_or(|entry| entry.payload.is_none() || entry.is_kept_for_report()) {
                self.cold.pop_front();
                continue;
            }
            let (floor, latest) =
                if ground.memory.is_twice_over() { (0, 0) } else { (SHALLOW_BYTES, LATEST_MESSAGES) };
            let is_spared = self.cold.len() <= latest || self.resident_bytes - leaving <= floor;
            if !ground.memory.is_over() || is_spared {
                break;
            }
            let entry = &mut self.slab[slot];
            match entry.location {
                Some(Location::Log(_)) if entry.need > durable => break,
                Some(_) => {
                    let payload = entry.payload.take();
                    payload.iter().for_each(|payload| self.forget_payload(ground, payload));
                }
                // Its record is still to come.
                None if entry.persistent => break,
                None => {
                    let payload = Arc::clone(entry.payload.as_ref().expect("checked above"));
                    leaving += payload.bytes();
                    spilling.push(Spilling { slot, sequence, payload });
                }
            }
            self.cold.pop_front();
            if spilling.len() == SPILL_BATCH {
                break;
            }
        }
        spilling
    }

    /// A payload was written to a spill file.
    fn dropped_to(&mut self, ground: &Ground, slot: Slot, sequence: u64, location: Location) {
        let entry = self.slab.get_if(slot, sequence);
        let may_leave = entry.is_some_and(|entry| entry.location.is_none() && !entry.is_kept_for_report());
        if !may_leave {
            ground.storage.release(location, storage::Lsn::ZERO);
            return;
        }
        let entry = &mut self.slab[slot];
        entry.location = Some(location);
        let payload = entry.payload.take();
        payload.iter().for_each(|payload| self.forget_payload(ground, payload));
    }
}

/// Forgets messages that have left, when they are most of what is noted. Those behind one that stays are not
/// come across otherwise.
fn forget_gone(cold: &mut VecDeque<(Slot, u64)>, slab: &Slab) {
    if cold.len() <= 2 * slab.used() + GONE_MAX {
        return;
    }
    let mut known = BTreeSet::new();
    cold.retain(|(slot, sequence)| {
        slab.get_if(*slot, *sequence).is_some_and(|entry| entry.payload.is_some())
            && known.insert((*slot, *sequence))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::entry::{Entry, NONE};

    fn entry(sequence: u64) -> Entry {
        let payload = Payload::new(mqi::MessageDescriptor::default(), bytes::Bytes::new());
        Entry {
            sequence,
            state: EntryState::Available,
            payload: Some(Arc::new(payload)),
            ..Entry::free(NONE)
        }
    }

    #[test]
    fn notes_of_messages_that_are_gone_behind_one_that_stays_are_bounded() {
        let (mut slab, mut cold) = (Slab::default(), VecDeque::new());
        let stays = slab.insert(entry(0));
        cold.push_back((stays, 0));
        for sequence in 1..100_000 {
            let slot = slab.insert(entry(sequence));
            cold.push_back((slot, sequence));
            // Noted again, as one that was set aside and is back.
            cold.push_back((stays, 0));
            forget_gone(&mut cold, &slab);
            slab.remove(slot);
            assert!(cold.len() <= 2 * slab.used() + GONE_MAX + 4, "{} notes", cold.len());
        }
        assert_eq!(cold.front(), Some(&(stays, 0)));
    }
}
