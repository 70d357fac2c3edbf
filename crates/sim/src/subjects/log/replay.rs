//! The knowledge of a restart: the messages of checkpoint and segments, and the records of the log since.

use std::collections::BTreeMap;

use storage::{
    Location, LoggedRecord, Lsn, ObjectId, OpenError, Record, Recovered, Restarted, Sequence, StoredHead,
    UnitId,
};

use crate::torture::QUEUES;

/// Queue and sequence: what a message is known by in the log.
type Key = (ObjectId, Sequence);

#[derive(Clone, Copy, Debug)]
pub(super) struct Replayed {
    pub(super) priority: u8,
    pub(super) location: Location,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    Put(Key, Replayed),
    Get(Key),
}

/// Knowledge of a restart from checkpoint, segments and log.
#[derive(Debug, Default)]
pub(super) struct Replay {
    replay_from: Lsn,
    pub(super) messages: BTreeMap<Key, Replayed>,
    units: BTreeMap<UnitId, Vec<Effect>>,
    pub(super) sequences: [u64; QUEUES],
}

impl Restarted for Replay {
    fn begin(&mut self, recovered: &Recovered) -> Result<(), OpenError> {
        self.replay_from = recovered.replay_from;
        if let Some(snapshot) = &recovered.snapshot {
            let words = snapshot
                .chunks_exact(8)
                .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
            self.sequences = words
                .collect::<Vec<_>>()
                .try_into()
                .map_err(|_| OpenError::Other("the snapshot is not one of ours".to_owned()))?;
        }
        Ok(())
    }

    fn stored(&mut self, stored: &StoredHead) {
        let head = stored.head;
        self.note_sequence((head.queue, head.sequence));
        let replayed = Replayed { priority: head.priority, location: stored.location };
        self.messages.insert((head.queue, head.sequence), replayed);
    }

    fn logged(&mut self, logged: LoggedRecord<'_>) -> Result<(), OpenError> {
        match &logged.record {
            Record::Put { unit, head, .. } => {
                let key = (head.queue, head.sequence);
                self.note_sequence(key);
                let replayed = Replayed { priority: head.priority, location: Location::Log(logged.at) };
                self.effect(*unit, Effect::Put(key, replayed));
            }
            Record::PutMany { unit, copies } => {
                for copy in copies.iter() {
                    let key = (copy.head.queue, copy.head.sequence);
                    self.note_sequence(key);
                    let location = Location::Log(Lsn(logged.at.0 + copy.offset));
                    let replayed = Replayed { priority: copy.head.priority, location };
                    self.effect(*unit, Effect::Put(key, replayed));
                }
            }
            Record::Get { unit, queue, sequence } => self.effect(*unit, Effect::Get((*queue, *sequence))),
            Record::Commit { unit, records, first, .. } => {
                let effects = self.units.remove(unit).unwrap_or_default();
                if *first >= self.replay_from && effects.len() != *records as usize {
                    return Err(OpenError::Other(format!(
                        "{unit:?} has {} of {records} records",
                        effects.len()
                    )));
                }
                effects.into_iter().for_each(|effect| self.apply(effect));
            }
            Record::Backout { unit, .. } => drop(self.units.remove(unit)),
            other => return Err(OpenError::Other(format!("{other:?} was never logged"))),
        }
        Ok(())
    }
}

impl Replay {
    fn effect(&mut self, unit: Option<UnitId>, effect: Effect) {
        match unit {
            Some(unit) => self.units.entry(unit).or_default().push(effect),
            None => self.apply(effect),
        }
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            // A message found in a segment as well is the same message.
            Effect::Put(key, replayed) => drop(self.messages.entry(key).or_insert(replayed)),
            Effect::Get(key) => drop(self.messages.remove(&key)),
        }
    }

    fn note_sequence(&mut self, (queue, sequence): Key) {
        let next = &mut self.sequences[queue_of(queue)];
        *next = (*next).max(sequence.0 + 1);
    }
}

/// Objects are numbered from 1.
pub(super) fn object(queue: usize) -> ObjectId {
    ObjectId(queue as u64 + 1)
}

pub(super) fn queue_of(object: ObjectId) -> usize {
    usize::try_from(object.0).expect("few objects") - 1
}
