//! A queue before a restart and after it: what a checkpoint asks, and how recovered messages come in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use platform::Monotonic;
use storage::{EntryToken, KeptMessage, Location, Lsn, MessageHead};

use super::arrived_before::{ArrivedBefore, BothClocks};
use super::entry::{Entry, EntryState, GroupPart, Links, Slab, Slot};
use super::keeping::payload_of;
use super::replayed::Replayed;
use super::{Queue, State};
use crate::ground::time::NEVER;
use crate::message::Payload;
use crate::message::encoding::DecodeError;
use crate::message::report_kind::Asked;
use crate::queues::Queues;

impl Queue {
    /// True when storage knows the right place of a message that is committed or prepared.
    pub fn is_live(&self, slot: Slot, at: Location) -> bool {
        let state = self.lock();
        let stands = |entry: &Entry| entry.state != EntryState::Uncommitted || state.prepared.contains(&slot);
        state.slab.get(slot).is_some_and(|entry| entry.location == Some(at) && stands(entry))
    }

    /// The unit of work that put this message is prepared.
    pub(crate) fn set_prepared(&self, slot: Slot) {
        self.lock().prepared.insert(slot);
    }

    /// Takes note that a message moved; no when it was consumed meanwhile.
    pub fn relocate(&self, slot: Slot, from: Location, to: Location) -> bool {
        let mut state = self.lock();
        let is_there = state.slab.get(slot).is_some_and(|entry| entry.location == Some(from));
        if is_there {
            state.slab[slot].location = Some(to);
        }
        is_there
    }

    /// The next sequence, and the backout counts of persistent messages.
    pub fn durable_state(&self) -> (u64, Vec<(u64, u32)>) {
        let state = self.lock();
        let returned = state.returned.iter().map(|slot| {
            let entry = &state.slab[*slot];
            (entry.sequence, entry.backout_count)
        });
        (state.next_sequence, returned.collect())
    }

    /// Takes in the messages that a restart found. Returns the slots of messages in units that are prepared,
    /// which are on no list.
    pub fn fill(self: &Arc<Self>, queues: &Queues, recovered: Recovered) -> BTreeMap<u64, Slot> {
        let mut state = self.lock();
        let Recovered { slab, next_sequence, by_sequence, damaged, backout_counts: _, in_doubt, later } =
            recovered;
        let time_of_day = queues.ground.world.clock.wall();
        let now = queues.ground.now();
        let clocks = BothClocks::new(now, time_of_day);
        let mut held = BTreeMap::new();
        state.next_sequence = next_sequence;
        state.depth = slab.used() as u32;
        state.slab = slab;
        let by_sequence = by_sequence.into_ordered();
        let at_once = by_sequence.iter().filter(|(sequence, _)| !later.contains_key(sequence));
        let entries = at_once.map(|(_, slot)| &state.slab[*slot]);
        let puts = entries.filter(|entry| entry.deadline > now).map(|entry| entry.arrived_second);
        let mut arrived = ArrivedBefore::new(clocks.second_of_time(time_of_day.0), puts);
        for (sequence, slot) in by_sequence {
            let deliver_at = later.get(&sequence).copied().unwrap_or(0);
            let entry = &mut state.slab[slot];
            entry.arrived_second = match deliver_at {
                0 if entry.deadline <= now => arrived.latest(),
                0 => arrived.next(entry.arrived_second),
                // It came to its place at its time, or will.
                time => clocks.second_of_time(time.min(time_of_day.0)),
            };
            let has_returned = entry.backout_count > 0;
            let (location, persistent) = (entry.location, entry.persistent);
            let deadline = entry.deadline;
            if let Some(payload) = &entry.payload {
                let bytes = payload.bytes();
                state.resident_bytes += bytes;
                queues.ground.memory.add(bytes);
            }
            // What is got has come to its time, also where the clock has been set back since.
            let is_later = deliver_at > time_of_day.0 && in_doubt.get(&sequence) != Some(&true);
            if is_later {
                state.delay(&queues.ground, slot, deliver_at);
            }
            match in_doubt.get(&sequence) {
                None if is_later => {
                    self.waits_for_time(&mut state, queues, slot, now);
                }
                None => state.link(slot),
                Some(is_got) => {
                    held.insert(sequence, slot);
                    state.hold_in_doubt(slot, *is_got);
                }
            }
            if has_returned && persistent {
                state.returned.insert(slot);
            }
            if deadline != NEVER {
                state.want_tick(&queues.ground, self.id, super::expiry::tick_for(deadline));
            }
            let Some(location) = location else { continue };
            queues.ground.storage.adopt(self.id, EntryToken(u64::from(slot)), location);
            if damaged.contains(&sequence)
                && let Err(error) = queues.ground.storage.read(location)
            {
                self.note_damaged(&mut state, &queues.ground, slot, &error.to_string());
            }
        }
        state.watch(&self.attributes(), &self.this);
        state.begin_service(queues.ground.world.clock.wall());
        held
    }
}

impl State {
    /// Holds a message that a restart found in a prepared unit of work: it is not delivered.
    fn hold_in_doubt(&mut self, slot: Slot, is_got: bool) {
        self.uncommitted += 1;
        if is_got {
            self.slab[slot].state = EntryState::Locked;
            self.depth -= 1;
        } else {
            self.slab[slot].state = EntryState::Uncommitted;
            self.prepared.insert(slot);
        }
    }

    /// The unit of work that put this message has ended.
    #[inline]
    pub(super) fn forget_prepared(&mut self, slot: Slot) {
        if !self.prepared.is_empty() {
            self.prepared.remove(&slot);
        }
    }
}

/// Times of a message that a restart found, in the time of this run.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Its expiry.
    pub deadline: Monotonic,
    /// Its put, as its descriptor has it: see [`BothClocks::second_of_put`].
    pub put_second: i32,
}

/// The messages of one queue during a restart.
#[derive(Debug, Default)]
pub struct Recovered {
    slab: Slab,
    by_sequence: Replayed,
    next_sequence: u64,
    /// Messages of which the store has only a mark.
    damaged: BTreeSet<u64>,
    /// Backout counts at the checkpoint, of messages that are still to come.
    backout_counts: BTreeMap<u64, u32>,
    /// Messages of units of work that are prepared; true for one that was got.
    in_doubt: BTreeMap<u64, bool>,
    /// Times of messages that are delivered later.
    later: BTreeMap<u64, i64>,
}

impl Recovered {
    /// A put is replayed; one that is known already stays as it is.
    pub fn put(&mut self, head: &MessageHead, location: Location, body_length: u64, times: Times) {
        self.take_in(head, true, (Some(location), None), body_length, times);
    }

    /// A message that no log holds was kept over an orderly end: it is in memory, or somewhere else by now.
    pub fn put_kept(
        &mut self,
        kept: KeptMessage,
        location: Option<Location>,
        times: Times,
    ) -> Result<(), DecodeError> {
        let KeptMessage { head, backout_count, message } = kept;
        let body_length = message.body.len() as u64;
        let payload = match location {
            Some(_) => None,
            None => Some(payload_of(&head, message)?),
        };
        if let Some(slot) = self.take_in(&head, false, (location, payload), body_length, times) {
            self.slab[slot].backout_count = backout_count;
        }
        Ok(())
    }

    /// Takes a message in, unless it is known already.
    fn take_in(
        &mut self,
        head: &MessageHead,
        persistent: bool,
        (location, payload): (Option<Location>, Option<Arc<Payload>>),
        body_length: u64,
        times: Times,
    ) -> Option<Slot> {
        let sequence = head.sequence.0;
        self.next_sequence = self.next_sequence.max(sequence + 1);
        if self.by_sequence.get(sequence).is_some() {
            return None;
        }
        if head.deliver_at != 0 {
            self.later.insert(sequence, head.deliver_at);
        }
        let group =
            (head.group_id != [0; 24]).then(|| Box::new(GroupPart::of_head(head.group_id, head.group)));
        let slot = self.slab.insert(Entry {
            message_id: head.message_id,
            correlation_id: head.correlation_id,
            sequence,
            need: Lsn::ZERO,
            deadline: times.deadline,
            location,
            payload,
            group,
            body_length: body_length as u32,
            backout_count: self.backout_counts.remove(&sequence).unwrap_or(0),
            arrived_second: times.put_second,
            arrived_parts: 0,
            order: Links::NONE,
            by_message: Links::NONE,
            by_correlation: Links::NONE,
            priority: head.priority.min(9),
            state: EntryState::Reserved,
            persistent,
            reports: Asked::from_bits(head.reports),
            indexed: 0,
        });
        self.by_sequence.insert(sequence, slot);
        Some(slot)
    }

    /// Messages on the queue, without those that units in doubt have got.
    pub fn depth(&self) -> u64 {
        let got = self.in_doubt.values().filter(|is_got| **is_got).count() as u64;
        self.by_sequence.len() as u64 - got
    }

    /// A message was put, or got, by a unit of work that is prepared. False when it is not there.
    pub fn hold(&mut self, sequence: u64, is_got: bool) -> bool {
        let is_there = self.by_sequence.get(sequence).is_some();
        if is_there {
            self.in_doubt.insert(sequence, is_got);
        }
        is_there
    }

    /// A message that was put is known to be damaged.
    pub fn set_damaged(&mut self, sequence: u64) {
        self.damaged.insert(sequence);
    }

    /// A message is gone; one that is not known has been gone before.
    pub fn remove(&mut self, sequence: u64) {
        self.next_sequence = self.next_sequence.max(sequence + 1);
        if let Some(slot) = self.by_sequence.remove(sequence) {
            self.slab.remove(slot);
            self.later.remove(&sequence);
        }
    }

    /// A message has this backout count when it comes in.
    pub fn expect_backout_count(&mut self, sequence: u64, count: u32) {
        self.backout_counts.insert(sequence, count);
    }

    /// A message has this backout count from now on.
    pub fn set_backout_count(&mut self, sequence: u64, count: u32) {
        if let Some(slot) = self.by_sequence.get(sequence) {
            self.slab[slot].backout_count = count;
        }
    }

    /// No sequence below this is given again.
    pub fn begin_after(&mut self, next_sequence: u64) {
        self.next_sequence = self.next_sequence.max(next_sequence);
    }
}
