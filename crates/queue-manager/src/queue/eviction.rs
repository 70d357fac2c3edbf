//! Bodies leaving memory when the budget is used up.
//!
//! Messages that arrive while memory is short are the ones evicted: they stand at the end of a deep queue and are
//! needed last, except for the very latest, which may be got by their identifiers at once. A persistent body is dropped once the log is durable past its record, since it is read from there;
//! a non-persistent one is first written to a spill file. A shallow queue is left alone: its messages are about to
//! be got.

use std::sync::Arc;

use storage::Location;

use super::entry::{EntryState, Slot};
use super::{Queue, State};
use crate::engine::Engine;
use crate::message::{Payload, encoding};

/// What a queue may keep in memory although the budget is used up; not honoured at twice the budget.
const SHALLOW_BYTES: u64 = 256 << 10;

/// Of the messages that arrived while memory was short, so many stay: replies lie among many others only until
/// whoever waits for them asks.
const LATEST_MESSAGES: usize = 32;

/// Messages spilled at a time.
const SPILL_BATCH: usize = 64;

/// A payload to be written to a spill file.
struct Spilling {
    slot: Slot,
    sequence: u64,
    payload: Arc<Payload>,
}

impl Queue {
    /// Evicts what may be evicted while the budget is used up.
    pub(super) fn shed(&self, engine: &Engine) {
        let spilling = self.lock().evict(engine);
        if spilling.is_empty() {
            return;
        }
        let mut spilled = Vec::with_capacity(spilling.len());
        for message in spilling {
            let descriptor = encoding::encode(&message.payload.descriptor);
            // No room for the spill file: the messages stay in memory, and the next put tries again.
            let Ok(location) = engine.storage.spill(&descriptor, &message.payload.body) else { break };
            spilled.push((message.slot, message.sequence, location));
        }
        let mut state = self.lock();
        for (slot, sequence, location) in spilled {
            state.dropped_to(engine, slot, sequence, location);
        }
    }
}

impl State {
    /// Notes that a message arrived, or was read back, while memory was short. One on its way to a getter without the log has
    /// its bytes nowhere else, and needs them if it is taken back.
    pub(super) fn mark_cold(&mut self, slot: Slot) {
        if let Some(entry) = self.slab.get(slot).filter(|entry| entry.state != EntryState::HandedOver) {
            self.cold.push_back((slot, entry.sequence));
        }
    }

    /// Drops payloads that can be had again; returns those that must be written first.
    fn evict(&mut self, engine: &Engine) -> Vec<Spilling> {
        let mut spilling = Vec::new();
        let durable = engine.storage.durable().lsn();
        let mut leaving = 0;
        while let Some(&(slot, sequence)) = self.cold.front() {
            let gone = self.slab.get_if(slot, sequence).is_none_or(|entry| entry.payload.is_none());
            if gone {
                self.cold.pop_front();
                continue;
            }
            let (floor, latest) =
                if engine.memory.is_twice_over() { (0, 0) } else { (SHALLOW_BYTES, LATEST_MESSAGES) };
            let is_spared = self.cold.len() <= latest || self.resident_bytes - leaving <= floor;
            if !engine.memory.is_over() || is_spared {
                break;
            }
            let entry = &mut self.slab[slot];
            match entry.location {
                Some(Location::Log(_)) if entry.need > durable => break,
                Some(_) => {
                    let payload = entry.payload.take();
                    self.forget_payload(engine, payload.as_deref());
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
    fn dropped_to(&mut self, engine: &Engine, slot: Slot, sequence: u64, location: Location) {
        let still_there = self.slab.get_if(slot, sequence).is_some_and(|entry| entry.location.is_none());
        if !still_there {
            engine.storage.release(location, storage::Lsn::ZERO);
            return;
        }
        let entry = &mut self.slab[slot];
        entry.location = Some(location);
        let payload = entry.payload.take();
        self.forget_payload(engine, payload.as_deref());
    }
}
