//! Units of work that are prepared: they wait for a decision, whatever becomes of the connection that made
//! them.
//!
//! Lives here: preparing one, deciding one, and what a checkpoint says of them. Lives elsewhere: the table
//! that owns them (`registry`), what a restart makes of them (`restart`).
//!
//! ```text
//! in the snapshot:  epoch u32 | counter u64 | first record u64 | purpose u8, then by purpose
//!     1, a batch of a channel:  sync object u64 | batch u64 | first sequence number u32 | last u32 | chain u64
//!     2, a branch:  time u64 | format u32 | lengths of global part, qualifier and user u8 each | these parts
//! count u32, count times:  queue u64 | sequence u64 | u8, 1 when it was got
//! ```
//!
//! Always: from its Prepare record to the record of its end a unit is in the table, and every checkpoint of
//! that time lists its puts and gets. So the log behind it is free, and what it put is moved like any
//! message.

use std::sync::Arc;

use mqi::{ObjectName, Reason};
use platform::sync::Mutex;
use storage::record::{Branch, ChannelBatch, ChannelCommit, Counterpart, PreparedFor};
use storage::{Lsn, ObjectId, OpenError, RESERVED_END, RESERVED_SMALL, Record, UnitId};

use super::{Effect, Operation, Trace, Unit, Work};
use crate::conversation::Conversation;
use crate::engine::Engine;
use crate::{Gated, Outcome};

/// Most units that are prepared at a time: each keeps some 4 KiB of the log for its end.
pub(crate) const PREPARED_MAX: usize = 10_000;

const OF_CHANNEL: u8 = 1;
const OF_BRANCH: u8 = 2;
const GOT: u8 = 1;

/// The purpose for which a unit of work is prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreparedPurpose {
    /// A batch of a message channel.
    Channel(ChannelBatch),
    /// A branch of a transaction that an outside coordinator decides.
    Branch(PreparedBranch),
}

/// A branch that is prepared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedBranch {
    /// When it was prepared, in microseconds of the time of day.
    pub prepared_at: i64,
    /// The format of its identifier.
    pub format: i32,
    /// The part of the identifier that all branches of the transaction share.
    pub global: Vec<u8>,
    /// The part of this branch.
    pub qualifier: Vec<u8>,
    /// The user that prepared it.
    pub user: Vec<u8>,
}

/// The end of a unit of work that is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Its puts appear, its gets are gone. A channel says how far it is by that.
    Commit(Option<ChannelCommit>),
    /// Its puts are gone, its gets return.
    BackOut,
}

/// A unit of work that is prepared, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedUnit {
    /// Its name.
    pub name: UnitId,
    /// The purpose.
    pub purpose: PreparedPurpose,
    /// Its puts and gets.
    pub messages: Vec<PreparedMessage>,
}

/// A message of a unit of work that is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreparedMessage {
    /// Its queue, if that is still there.
    pub queue: Option<ObjectName>,
    /// Its place of arrival there.
    pub sequence: u64,
    /// True when it was put; else it was got.
    pub is_put: bool,
}

impl PreparedPurpose {
    fn as_record(&self) -> PreparedFor<'_> {
        match self {
            Self::Channel(batch) => PreparedFor::Channel(*batch),
            Self::Branch(branch) => PreparedFor::Branch(Branch {
                prepared_at: branch.prepared_at,
                format: branch.format,
                global: &branch.global,
                qualifier: &branch.qualifier,
                user: &branch.user,
            }),
        }
    }

    pub(crate) fn of_record(purpose: &PreparedFor<'_>) -> Self {
        match purpose {
            PreparedFor::Channel(batch) => Self::Channel(*batch),
            PreparedFor::Branch(branch) => Self::Branch(PreparedBranch {
                prepared_at: branch.prepared_at,
                format: branch.format,
                global: branch.global.to_vec(),
                qualifier: branch.qualifier.to_vec(),
                user: branch.user.to_vec(),
            }),
        }
    }

    /// True when the log has room for each of its parts.
    fn fits(&self) -> bool {
        match self {
            Self::Channel(_) => true,
            Self::Branch(branch) => {
                branch.global.len() <= Branch::PART_BYTES_MAX
                    && branch.qualifier.len() <= Branch::PART_BYTES_MAX
                    && branch.user.len() <= Branch::USER_BYTES_MAX
            }
        }
    }

    /// Reads what [`Self::encode`] wrote, by a function that gives so many bytes.
    pub(crate) fn decode<'a>(
        mut take: impl FnMut(usize) -> Result<&'a [u8], OpenError>,
    ) -> Result<Self, OpenError> {
        let mut number = |length: usize| {
            let mut bytes = [0; 8];
            bytes[..length].copy_from_slice(take(length)?);
            Ok::<u64, OpenError>(u64::from_le_bytes(bytes))
        };
        match number(1)? as u8 {
            OF_CHANNEL => Ok(Self::Channel(ChannelBatch {
                sync_object: ObjectId(number(8)?),
                batch: number(8)?,
                first_sequence: number(4)? as u32,
                last_sequence: number(4)? as u32,
                chain: number(8)?,
            })),
            OF_BRANCH => {
                let (prepared_at, format) = (number(8)?.cast_signed(), (number(4)? as u32).cast_signed());
                let (global, qualifier, user) = (number(1)?, number(1)?, number(1)?);
                let mut part = |length: u64| take(length as usize).map(<[u8]>::to_vec);
                let (global, qualifier, user) = (part(global)?, part(qualifier)?, part(user)?);
                Ok(Self::Branch(PreparedBranch { prepared_at, format, global, qualifier, user }))
            }
            other => Err(OpenError::Other(format!(
                "the checkpoint lists a unit of work that is prepared for purpose {other}, which this program does not \
                 know; start the queue manager with the release that wrote it, or a later one"
            ))),
        }
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Channel(batch) => {
                bytes.push(OF_CHANNEL);
                bytes.extend(batch.sync_object.0.to_le_bytes());
                bytes.extend(batch.batch.to_le_bytes());
                bytes.extend(batch.first_sequence.to_le_bytes());
                bytes.extend(batch.last_sequence.to_le_bytes());
                bytes.extend(batch.chain.to_le_bytes());
            }
            Self::Branch(branch) => {
                bytes.push(OF_BRANCH);
                bytes.extend(branch.prepared_at.to_le_bytes());
                bytes.extend(branch.format.to_le_bytes());
                let parts = [&branch.global, &branch.qualifier, &branch.user];
                bytes.extend(parts.map(|part| part.len() as u8));
                parts.into_iter().for_each(|part| bytes.extend(part));
            }
        }
    }
}

/// A put or get of a unit, as it is known without the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Listed {
    pub(crate) queue: ObjectId,
    pub(crate) sequence: u64,
    pub(crate) is_got: bool,
}

/// A unit of work in the table of those that are prepared.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) name: UnitId,
    pub(crate) purpose: PreparedPurpose,
    first: Lsn,
    /// The position that must be durable before a caller learns that it is prepared.
    need: Lsn,
    listed: Vec<Listed>,
    /// Taken by the decision.
    work: Mutex<Option<Work>>,
}

impl Prepared {
    /// One that a restart found.
    pub(crate) fn found(
        engine: &Engine,
        (name, purpose, first): (UnitId, PreparedPurpose, Lsn),
        operations: Vec<Operation>,
    ) -> Arc<Self> {
        let gets = operations.iter().filter(|operation| operation.effect == Effect::Got).count();
        let bytes = RESERVED_END + storage::RESERVED_END_EACH * gets as u64;
        let end = engine.reserve_under_lock(bytes);
        let since = engine.world.clock.wall();
        let records = operations.len() as u32;
        let trace = Trace { name, since, first: Some(first), records, end, for_triggers: None };
        let work = Work { operations, trace: Some(trace), ..Work::default() };
        Self::new(name, purpose, (first, Lsn::ZERO), work)
    }

    fn new(name: UnitId, purpose: PreparedPurpose, (first, need): (Lsn, Lsn), work: Work) -> Arc<Self> {
        let persistent = |operation: &&Operation| {
            let mut is_persistent = false;
            operation.queue.look(|state| is_persistent = state.is_persistent(operation.slot));
            is_persistent
        };
        let listed = work.operations.iter().filter(persistent).map(|operation| Listed {
            queue: operation.queue.id,
            sequence: operation.sequence,
            is_got: operation.effect == Effect::Got,
        });
        let listed = listed.collect();
        Arc::new(Self { name, purpose, first, need, listed, work: Mutex::new(Some(work)) })
    }

    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.name.epoch.to_le_bytes());
        bytes.extend(self.name.counter.to_le_bytes());
        bytes.extend(self.first.0.to_le_bytes());
        self.purpose.encode(bytes);
        bytes.extend((self.listed.len() as u32).to_le_bytes());
        for Listed { queue, sequence, is_got } in &self.listed {
            bytes.extend(queue.0.to_le_bytes());
            bytes.extend(sequence.to_le_bytes());
            bytes.push(if *is_got { GOT } else { 0 });
        }
    }
}

impl Engine {
    /// Prepares the unit of work of a connection; its name, or none when it did nothing. The connection goes
    /// on with an empty one.
    pub(crate) fn prepare_unit(
        &self,
        conversation: &Conversation,
        purpose: PreparedPurpose,
    ) -> Outcome<Option<UnitId>> {
        if !purpose.fits() {
            return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
        }
        let work = {
            let lent = conversation.unit.lent();
            let mut unit = lent.lock();
            if let Err(reason) = unit.acknowledge() {
                return Gated::free(Err(reason));
            }
            // What is retained follows the end of the unit at once, which nobody sees to after a restart.
            if !unit.to_retain.is_empty() {
                return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
            }
            if !self.units.may_prepare(PREPARED_MAX) {
                return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
            }
            conversation.courses.end_unit(true);
            unit.take()
        };
        if work.operations.is_empty() {
            return self.commit(work, None).map(|done| done.map(|()| None));
        }
        let Work { operations, trace, mut need, gathered, to_retain: _ } = self.with_triggers(work);
        let mut room = self.reserve_under_lock(RESERVED_SMALL);
        let _effects = self.effects.read();
        // A unit of which nothing outlives a restart is logged all the same: it was promised.
        let mut trace = trace.unwrap_or_else(|| {
            let mut unit = Unit::default();
            unit.begin(self, &mut self.reserve_under_lock(RESERVED_END));
            unit.trace.take().expect("it was begun")
        });
        if let Some(gathered) = gathered {
            let logged = self.append_gathered(gathered, &mut trace, false);
            self.tell_places(&logged);
            need = need.max(logged.need());
        }
        let first = trace.first.unwrap_or_else(|| self.storage.appended());
        trace.first = Some(first);
        let (name, records) = (trace.name, trace.records);
        let record = Record::Prepare { unit: name, records, first, purpose: purpose.as_record() };
        need = need.max(self.storage.append(&record, None, &mut room).need);
        // From here on a checkpoint may move what it put, and only from here on: the record comes first.
        for operation in operations.iter().filter(|operation| operation.effect != Effect::Got) {
            operation.queue.set_prepared(operation.slot);
        }
        let work = Work { operations, trace: Some(trace), need, ..Work::default() };
        let prepared = Prepared::new(name, purpose, (first, need), work);
        self.units.prepare(prepared);
        Gated::new(need, Ok(Some(name)))
    }

    /// The units of work that are prepared. Nobody may learn that one is not among them before its end is
    /// durable.
    pub(crate) fn prepared_units(&self) -> Gated<Vec<PreparedUnit>> {
        let (all, ended) = self.units.prepared();
        let need = all.iter().map(|unit| unit.need).max().unwrap_or_default().max(ended);
        let list = all.iter().map(|unit| PreparedUnit {
            name: unit.name,
            purpose: unit.purpose.clone(),
            messages: unit.listed.iter().map(|listed| self.prepared_message(listed)).collect(),
        });
        Gated::new(need, list.collect())
    }

    fn prepared_message(&self, listed: &Listed) -> PreparedMessage {
        let queue = self.queue(listed.queue).map(|queue| queue.name);
        PreparedMessage { queue, sequence: listed.sequence, is_put: !listed.is_got }
    }

    /// Ends a unit of work that is prepared. One that is not known was ended before, or never was.
    pub(crate) fn settle(&self, name: UnitId, decision: Decision) -> Outcome<()> {
        let (found, ended) = self.units.find_prepared(name);
        let taken = found.as_ref().and_then(|unit| unit.work.lock().take());
        let (Some(work), Some(unit)) = (taken, found) else {
            return Gated::new(ended, Err(Reason::UOW_NOT_AVAILABLE));
        };
        let need = match decision {
            Decision::Commit(channel) => self.commit_prepared(work, channel),
            // A batch that the other side did not take was not given out.
            Decision::BackOut => {
                let counts = !matches!(unit.purpose, PreparedPurpose::Channel(_));
                self.back_out_counting(work, counts)
            }
        };
        Gated::new(need, Ok(()))
    }

    fn commit_prepared(&self, work: Work, channel: Option<ChannelCommit>) -> Lsn {
        let Work { operations, trace, need, .. } = self.with_triggers(work);
        let Trace { name: unit, first, records, mut end, .. } = trace.expect("what is prepared is named");
        let effects = self.effects.read();
        let first = first.expect("what is prepared has a first record");
        let counterpart = channel.map(Counterpart::Channel);
        let record = Record::Commit { unit, records, first, counterpart };
        let need = {
            let mut channels = channel.map(|channel| (channel, self.channels.lock()));
            let appended = self.storage.append(&record, None, &mut end).need;
            if let Some((channel, channels)) = &mut channels {
                channels.insert(channel.sync_object, *channel);
            }
            need.max(appended)
        };
        let mut due = Vec::new();
        for run in operations.chunk_by(|one, other| Arc::ptr_eq(&one.queue, &other.queue)) {
            due.append(&mut self.commit_on_queue(run, need));
        }
        self.units.close(unit, need);
        drop(effects);
        need.max(self.report(due))
    }
}
