//! The messages of a pipe on SYSTEM.FERRY.BRIDGE.STATE: its seat, its state, and its record at another
//! FerryMQ.
//!
//! ```text
//! correlation identifier:  key of the pipe 16 | SEAT, STAT or LAST 4 | slot u32
//! message identifier of a state:  batch u64 | sequence u32 | chain u64 | zeros 4
//! ```
//!
//! A state has two messages, in slots 0 and 1: the state behind the last batch and the one before it. The
//! branch of the next batch takes the older one and puts the new state in its place. So the last committed
//! state is on the queue also while a batch is in doubt, to be read by the next bind.
//!
//! Always: the new state is in slot `batch mod 2`. A branch that has taken the older state keeps every other
//! holder from preparing a batch.

use bytes::Bytes;
use channel::message::{BatchNumber, Chain, Mark, Sequence};
use mqi::{
    CorrelationId, GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageId, ObjectDescriptor,
    ObjectHandle, OpenOptions, Persistence, PutFlags, PutOptions, Reason, Text, Verbs, Wait, constants,
};

use crate::state::PipeKey;

/// The queue.
pub(super) const STATE_QUEUE: &str = "SYSTEM.FERRY.BRIDGE.STATE";

/// Most bytes of a record: those of a state with as many identifiers as one may have.
const RECORD_BYTES_MAX: usize = 128 * 1024;

/// The name of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordName {
    Seat,
    /// A state, by its slot.
    State(u8),
    /// The last batch of a pipe of another queue manager.
    There,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) identifier: MessageId,
    pub(super) text: String,
}

/// The slot of the state behind a batch.
pub(super) fn slot_of(batch: BatchNumber) -> u8 {
    u8::from(!batch.0.is_multiple_of(2))
}

/// The identifier of the state behind a mark.
pub(super) fn identifier_of(mark: Mark) -> MessageId {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&mark.batch.0.to_be_bytes());
    bytes[8..12].copy_from_slice(&mark.sequence.0.to_be_bytes());
    bytes[12..20].copy_from_slice(&mark.chain.0.to_be_bytes());
    MessageId(bytes)
}

/// The mark in the identifier of a state.
pub(super) fn mark_of(identifier: &MessageId) -> Mark {
    let word = |at: usize| u64::from_be_bytes(identifier.0[at..at + 8].try_into().expect("eight bytes"));
    let sequence = identifier.0[8..12].try_into().expect("four bytes");
    Mark {
        batch: BatchNumber(word(0)),
        sequence: Sequence(u32::from_be_bytes(sequence)),
        chain: Chain(word(12)),
    }
}

/// The queue of records, open on a conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records {
    handle: ObjectHandle,
    key: PipeKey,
}

impl Records {
    pub(super) fn open(verbs: &mut dyn Verbs, key: PipeKey) -> Result<Self, Reason> {
        let options = OpenOptions::INPUT_SHARED
            | OpenOptions::BROWSE
            | OpenOptions::OUTPUT
            | OpenOptions::FAIL_IF_QUIESCING;
        let queue = ObjectDescriptor::queue(STATE_QUEUE.parse().expect("the name of a queue"));
        Ok(Self { handle: verbs.open(&queue, options)?.handle, key })
    }

    /// Its correlation identifier.
    pub(super) fn correlation(&self, name: RecordName) -> CorrelationId {
        let (word, slot) = match name {
            RecordName::Seat => (b"SEAT", 0),
            RecordName::State(slot) => (b"STAT", slot),
            RecordName::There => (b"LAST", 0),
        };
        let mut bytes = [0; 24];
        bytes[..16].copy_from_slice(&self.key.0);
        bytes[16..20].copy_from_slice(word);
        bytes[23] = slot;
        CorrelationId(bytes)
    }

    /// Reads a record and leaves it.
    pub(super) fn read(&self, verbs: &mut dyn Verbs, name: RecordName) -> Result<Option<Record>, Reason> {
        self.get(verbs, name, GetFlags::BROWSE_FIRST)
    }

    /// Takes a record in the unit of work.
    pub(super) fn take(&self, verbs: &mut dyn Verbs, name: RecordName) -> Result<Option<Record>, Reason> {
        self.get(verbs, name, GetFlags::SYNCPOINT)
    }

    fn get(&self, verbs: &mut dyn Verbs, name: RecordName, way: GetFlags) -> Result<Option<Record>, Reason> {
        let mut descriptor =
            MessageDescriptor { correlation_id: self.correlation(name), ..MessageDescriptor::default() };
        let mut options = GetOptions::with(way | GetFlags::FAIL_IF_QUIESCING, Wait::No);
        options.match_options = MatchOptions::MATCH_CORREL_ID;
        match verbs.get(self.handle, &mut descriptor, &mut options, RECORD_BYTES_MAX) {
            // Bytes that are no text are no record, and are refused by their reader.
            Ok(got) => Ok(Some(Record {
                identifier: descriptor.message_id,
                text: String::from_utf8_lossy(&got.body).into_owned(),
            })),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(reason),
        }
    }

    /// Puts a record in the unit of work.
    pub(super) fn put(
        &self,
        verbs: &mut dyn Verbs,
        name: RecordName,
        identifier: MessageId,
        text: &str,
    ) -> Result<(), Reason> {
        let mut descriptor = MessageDescriptor {
            message_id: identifier,
            correlation_id: self.correlation(name),
            persistence: Persistence::Persistent,
            format: Text::truncated(constants::MQFMT_STRING),
            coded_character_set: 1208,
            ..MessageDescriptor::default()
        };
        let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::SYNC_RESPONSE);
        verbs.put(self.handle, &mut descriptor, &mut options, Bytes::copy_from_slice(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identifier_of_a_state_has_its_mark() {
        for (batch, sequence, chain) in [(0, 0, 0), (7, 340, u64::MAX), (u64::MAX / 2, u32::MAX, 1)] {
            let mark = Mark { batch: BatchNumber(batch), sequence: Sequence(sequence), chain: Chain(chain) };
            assert_eq!(mark_of(&identifier_of(mark)), mark);
        }
        assert_eq!((slot_of(BatchNumber(4)), slot_of(BatchNumber(5))), (0, 1));
    }
}
