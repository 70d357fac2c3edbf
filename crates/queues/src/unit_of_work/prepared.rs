//! Units of work that are prepared: they wait for a decision, even after their connection has ended.
//!
//! Lives here: preparing one, deciding one, and what a checkpoint says of them. Lives elsewhere: the table
//! that owns them (`registry`), what a restart makes of them (`restart`).
//!
//! ```text
//! in the snapshot:  epoch u32 | counter u64 | first record u64 | purpose u8, then by purpose
//! 1, a batch of a channel:  sync object u64 | batch u64 | first sequence number u32 | last u32 | chain u64
//!     2, a branch:  time u64 | format u32 | lengths of global part, qualifier and user u8 each | these parts
//! count u32, count times:  queue u64 | sequence u64 | u8, 1 when it was got
//! ```
//!
//! Always: from its Prepare record to the record of its end a unit is in the table, and every checkpoint of
//! that time lists its puts and gets. So the log behind it is free, and what it put is moved like any
//! message.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use mqi::branch::BranchId;
use mqi::{ObjectName, Reason};
use objects::{Trigger, TriggerKind};
use platform::WallTime;
use platform::sync::{Mutex, MutexGuard};
use storage::record::{Branch, ChannelBatch, ChannelCommit, Counterpart, PreparedFor};
use storage::{Lsn, ObjectId, OpenError, RESERVED_END, RESERVED_END_EACH, Record, ResolvedBranch, UnitId};

use super::slot::UnitSlot;
use super::{Effect, Operation, RESERVED_TO_PREPARE, Trace, Unit, Work};
use crate::ground::events;
use crate::ground::growth::{Growth, GrowthRefusal};
use crate::queue::entry::Slot;
use crate::queue::party::Party;
use crate::queues::Queues;
use crate::{Gated, Outcome};

/// Most units that are prepared at a time: each keeps some 4 KiB of the log for its end. Branches have a
/// bound below it, so that a batch of a channel finds a place.
pub(crate) const PREPARED_MAX: usize = 10_000;

/// The part of the log that is kept at most for the ends of branches, which may never come.
const PART_OF_LOG_FOR_BRANCHES: u64 = 4;

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
    /// Its puts appear, its gets are gone. A channel counts the batch by that.
    Commit,
    /// Its puts are gone, its gets return.
    BackOut,
}

/// The end of a unit of work that was to be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It ended as decided.
    AsDecided,
    /// A person had decided it before.
    ByHand(ResolvedBranch),
}

/// The reason for which a person cannot decide a unit of work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotResolved {
    /// None of this name is prepared.
    #[error("no unit of work of this number is prepared: it ended, or never was")]
    Unknown,
    /// The unit is a batch of a channel.
    #[error("it is batch {} of a channel: RESOLVE CHANNEL decides it, with the numbers of the channel", .0.batch)]
    OfChannel(ChannelBatch),
    /// The unit was decided by hand before.
    #[error("a person decided it before: it is remembered until it is forgotten")]
    Decided,
    /// There is no room for what is to be remembered.
    #[error(
        "there is no room for what is to be remembered of it ({0}); forget some that were decided by hand"
    )]
    NoRoom(Reason),
    /// As many are remembered as a bound allows.
    #[error("{reason}: {0}", reason = Reason::RESOURCE_PROBLEM)]
    Beyond(#[from] GrowthRefusal),
}

/// A unit of work that is prepared, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedUnit {
    /// Its name.
    pub name: UnitId,
    /// The purpose.
    pub purpose: PreparedPurpose,
    /// When it was prepared, in microseconds of the time of day; not known of a batch that a restart found.
    pub since: Option<i64>,
    /// The position of its first record.
    pub first: Lsn,
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
    /// Its identifier.
    pub message_id: [u8; 24],
    /// Its correlation identifier.
    pub correlation_id: [u8; 24],
    /// Bytes of its body.
    pub bytes: u32,
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

    /// The purpose as a record has it.
    pub fn of_record(purpose: &PreparedFor<'_>) -> Self {
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
    pub fn decode<'a>(mut take: impl FnMut(usize) -> Result<&'a [u8], OpenError>) -> Result<Self, OpenError> {
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
pub struct Listed {
    /// The queue.
    pub queue: ObjectId,
    /// The sequence number of the message there.
    pub sequence: u64,
    /// True if it was got, false if it was put.
    pub is_got: bool,
}

impl Listed {
    /// That of an operation of a unit that is at hand.
    pub fn of(operation: &Operation) -> Self {
        let Operation { queue, sequence, effect, .. } = operation;
        Self { queue: queue.id, sequence: *sequence, is_got: *effect == Effect::Got }
    }
}

/// A put or get of a unit that is prepared, and the place of its message.
#[derive(Clone, Copy, Debug)]
struct Held {
    listed: Listed,
    slot: Slot,
    /// True when a restart keeps it.
    lasts: bool,
}

/// A unit of work in the table of those that are prepared.
#[derive(Debug)]
pub struct Prepared {
    /// Its name.
    pub name: UnitId,
    /// Its purpose.
    pub purpose: PreparedPurpose,
    first: Lsn,
    /// When it was prepared, if that is known.
    since: Option<WallTime>,
    /// The position that must be durable before a caller learns that it is prepared.
    need: Lsn,
    /// The user for whose bounds a branch counts; blank for none.
    maker: Box<str>,
    held: Vec<Held>,
    /// Taken by the decision; locked until the end has taken effect, so that no thread learns before that it
    /// has ended.
    work: Mutex<Option<Work>>,
}

impl Prepared {
    /// One that a restart found.
    pub fn found(
        queues: &Queues,
        (name, purpose, first): (UnitId, PreparedPurpose, Lsn),
        mut operations: Vec<Operation>,
        has_lasting_triggers: impl Fn(&Trigger) -> bool,
    ) -> Arc<Self> {
        // As the unit had them when it was prepared.
        operations.sort_by_key(|operation| operation.queue.id);
        for operation in operations.iter_mut().filter(|operation| operation.effect == Effect::Put) {
            operation.effect = effect_of_found(operation, &has_lasting_triggers);
        }
        let gets = operations.iter().filter(|operation| operation.effect == Effect::Got).count();
        let end = queues.ground.reserve_under_lock(kept_for_end(gets));
        let since = queues.ground.world.clock.wall();
        let records = operations.len() as u32;
        let trace = Trace { name, since, first: Some(first), records, end, for_triggers: None };
        let work = Work { operations, trace: Some(trace), ..Work::default() };
        let (prepared_at, maker) = match &purpose {
            PreparedPurpose::Channel(_) => (None, String::new()),
            PreparedPurpose::Branch(branch) => {
                let user = String::from_utf8_lossy(&branch.user).into_owned();
                (Some(WallTime(branch.prepared_at)), user)
            }
        };
        Self::new(name, purpose, (first, Lsn::ZERO, prepared_at), &maker, work)
    }

    fn new(
        name: UnitId,
        purpose: PreparedPurpose,
        (first, need, since): (Lsn, Lsn, Option<WallTime>),
        maker: &str,
        work: Work,
    ) -> Arc<Self> {
        let held = work.operations.iter().map(|operation| {
            let (mut lasts, slot) = (false, operation.slot);
            operation.queue.look(|state| lasts = state.is_persistent(slot));
            Held { listed: Listed::of(operation), slot, lasts }
        });
        let held = held.collect();
        let (maker, work) = (maker.into(), Mutex::new(Some(work)));
        Arc::new(Self { name, purpose, first, since, need, maker, held, work })
    }

    /// The position that must be durable before a caller learns that it is prepared.
    pub fn need(&self) -> Lsn {
        self.need
    }

    /// When it was prepared; not known of a batch that a restart found.
    pub fn since(&self) -> Option<WallTime> {
        self.since
    }

    /// The time for which it has waited for its decision, by the time of day; none where it is not known when
    /// it was prepared, or the clock was set back.
    pub fn waits(&self, now: WallTime) -> Option<Duration> {
        let micros = now.0.checked_sub(self.since?.0)?;
        u64::try_from(micros).ok().map(Duration::from_micros)
    }

    /// The number of its puts and gets.
    pub fn messages(&self) -> usize {
        self.held.len()
    }

    /// The number of them, where it is a branch.
    pub(super) fn messages_as_branch(&self) -> u64 {
        match self.purpose {
            PreparedPurpose::Channel(_) => 0,
            PreparedPurpose::Branch(_) => self.held.len() as u64,
        }
    }

    /// The queues of its puts and gets.
    pub fn queues(&self) -> BTreeSet<ObjectId> {
        let mut queues = BTreeSet::new();
        let mut last = None;
        for Held { listed, .. } in &self.held {
            if last != Some(listed.queue) {
                last = Some(listed.queue);
                queues.insert(listed.queue);
            }
        }
        queues
    }

    /// One of its puts and gets in their order, and the place of its message.
    pub fn message(&self, index: usize) -> Option<(Listed, Slot)> {
        self.held.get(index).map(|held| (held.listed, held.slot))
    }

    /// One of its gets, by its place among them, and the place of its message.
    pub(crate) fn got(&self, place: u32) -> Option<(Listed, Slot)> {
        let gets = self.held.iter().filter(|held| held.listed.is_got);
        gets.map(|held| (held.listed, held.slot)).nth(usize::try_from(place).ok()?)
    }

    /// The messages of the batch that it is prepared as: not the dead letters that its unit of work also got.
    pub fn batch_messages(&self, batch: &ChannelBatch) -> u32 {
        let gets = self.held.iter().filter(|held| held.listed.is_got).count();
        // Behind the wrap of the numbers the gets are all that is known.
        let numbered = batch.last_sequence.checked_sub(batch.first_sequence).map(|span| span + 1);
        numbered.unwrap_or_else(|| u32::try_from(gets).unwrap_or(u32::MAX))
    }

    /// The identifier by which its coordinator names it, where it is a branch that has one.
    pub fn branch_id(&self) -> Option<BranchId> {
        match &self.purpose {
            PreparedPurpose::Channel(_) => None,
            PreparedPurpose::Branch(PreparedBranch { format, global, qualifier, .. }) => {
                BranchId::new(*format, global, qualifier).ok()
            }
        }
    }

    /// The user that prepared it, where it is a branch.
    pub fn user(&self) -> &[u8] {
        match &self.purpose {
            PreparedPurpose::Channel(_) => &[],
            PreparedPurpose::Branch(branch) => &branch.user,
        }
    }

    /// Bytes of the log that are kept for its end, where it is a branch.
    pub(super) fn kept_as_branch(&self) -> u64 {
        match self.purpose {
            PreparedPurpose::Channel(_) => 0,
            PreparedPurpose::Branch(_) => {
                kept_for_end(self.held.iter().filter(|held| held.listed.is_got).count())
            }
        }
    }

    /// The user for whose bounds it counts, where it is a branch.
    pub fn maker_of_branch(&self) -> Option<&str> {
        matches!(self.purpose, PreparedPurpose::Branch(_)).then_some(&*self.maker)
    }

    /// The operations and the room to end it; none when that is done.
    pub(super) fn work(&self) -> MutexGuard<'_, Option<Work>> {
        self.work.lock()
    }

    /// Its part of a checkpoint.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.name.epoch.to_le_bytes());
        bytes.extend(self.name.counter.to_le_bytes());
        bytes.extend(self.first.0.to_le_bytes());
        self.purpose.encode(bytes);
        let lasting = self.held.iter().filter(|held| held.lasts).map(|held| held.listed);
        bytes.extend((lasting.clone().count() as u32).to_le_bytes());
        for Listed { queue, sequence, is_got } in lasting {
            bytes.extend(queue.0.to_le_bytes());
            bytes.extend(sequence.to_le_bytes());
            bytes.push(if is_got { GOT } else { 0 });
        }
    }
}

/// Bytes that the end of a unit with so many gets takes of the log.
fn kept_for_end(gets: usize) -> u64 {
    RESERVED_END + RESERVED_END_EACH * gets as u64
}

/// The effect of a put that a restart found: a trigger message that is not in the unit itself is due when
/// the unit ends.
fn effect_of_found(put: &Operation, has_lasting_triggers: impl Fn(&Trigger) -> bool) -> Effect {
    let attributes = put.queue.attributes();
    let Some(trigger) = &attributes.trigger else { return Effect::Put };
    let is_within = trigger.kind == TriggerKind::Every && has_lasting_triggers(trigger);
    let mut counts = false;
    put.queue.look(|state| counts = state.may_trigger(put.slot));
    if counts && !is_within { Effect::PutAndTrigger } else { Effect::Put }
}

impl Queues {
    /// Prepares the unit of work of a connection; its name, or none when it did nothing. The connection goes
    /// on with an empty one.
    pub fn prepare_unit(
        &self,
        party: &Party,
        maker: &str,
        purpose: PreparedPurpose,
    ) -> Outcome<Option<UnitId>> {
        // A message that a wait is given would enter a batch whose sender does not know of it.
        if matches!(purpose, PreparedPurpose::Channel(_)) && !party.waits.lock().is_empty() {
            return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
        }
        self.prepare_slot(&party.unit, maker, purpose, || party.courses.end_unit(true))
    }

    /// Prepares the unit of work of a slot, and tells when it is taken out of that; its name, or none when it
    /// did nothing. A unit that is refused stays.
    pub(crate) fn prepare_slot(
        &self,
        slot: &UnitSlot,
        maker: &str,
        purpose: PreparedPurpose,
        taken: impl FnOnce(),
    ) -> Outcome<Option<UnitId>> {
        if !purpose.fits() {
            return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
        }
        if let Err(refused) = self.check_channel(&purpose) {
            return refused;
        }
        let is_branch = matches!(purpose, PreparedPurpose::Branch(_));
        let ledger = &self.ledger;
        let (work, kept) = {
            let mut unit = slot.lock();
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
            if is_branch && !self.has_log_for_branch(&unit) {
                return Gated::free(Err(Reason::RESOURCE_PROBLEM));
            }
            if is_branch && !self.has_place_for_messages(&unit) {
                return Gated::new(self.ground.storage.appended(), Err(Reason::RESOURCE_PROBLEM));
            }
            // A branch waits for a coordinator that may never come. Batches of channels have the rest.
            if is_branch && ledger.take(Growth::PreparedBranches, maker).is_err() {
                return Gated::new(self.ground.storage.appended(), Err(Reason::RESOURCE_PROBLEM));
            }
            taken();
            let kept = unit.take_room_to_prepare();
            (unit.take(), kept)
        };
        if work.operations.is_empty() {
            if is_branch {
                ledger.give_back(Growth::PreparedBranches, maker);
            }
            return self.commit(work, None).map(|done| done.map(|()| None));
        }
        let Work { operations, trace, mut need, gathered, to_retain: _ } = self.with_triggers(work);
        let mut room = kept.unwrap_or_else(|| self.ground.reserve_under_lock(RESERVED_TO_PREPARE));
        let _effects = self.effects.read();
        // A unit of which nothing outlives a restart is logged all the same: it was promised.
        let mut trace = trace.unwrap_or_else(|| {
            let mut unit = Unit::default();
            unit.begin(self, &mut room);
            unit.trace.take().expect("it was begun")
        });
        if let Some(gathered) = gathered {
            let logged = gathered.append(&self.ground, &mut trace, false);
            logged.tell_places();
            need = need.max(logged.need());
        }
        let first = trace.first.unwrap_or_else(|| self.ground.storage.appended());
        trace.first = Some(first);
        let (name, records) = (trace.name, trace.records);
        let record = Record::Prepare { unit: name, records, first, purpose: purpose.as_record() };
        need = need.max(self.ground.storage.append(&record, None, &mut room).need);
        // From here on a checkpoint may move what it put, and only from here on: the record comes first.
        for operation in operations.iter().filter(|operation| operation.effect != Effect::Got) {
            operation.queue.set_prepared(operation.slot);
        }
        let work = Work { operations, trace: Some(trace), need, ..Work::default() };
        let since = Some(self.ground.world.clock.wall());
        let prepared = Prepared::new(name, purpose, (first, need, since), maker, work);
        self.units.prepare(prepared);
        Gated::new(need, Ok(Some(name)))
    }

    /// True if the log keeps enough for others when it keeps what the end of this branch takes.
    fn has_log_for_branch(&self, unit: &Unit) -> bool {
        let gets = unit.operations.iter().filter(|operation| operation.effect == Effect::Got).count();
        let log = &self.ground.settings.storage;
        let extents = log.primary_extents.saturating_add(log.secondary_extents);
        let most = u64::from(extents) * log.extent_bytes / PART_OF_LOG_FOR_BRANCHES;
        self.units.kept_for_branches() + kept_for_end(gets) <= most
    }

    /// True if prepared branches may have the messages of this one besides; else the error log tells why not.
    fn has_place_for_messages(&self, unit: &Unit) -> bool {
        let most = self.ground.settings.branches.prepared_messages_max;
        let (now, more) = (self.units.messages_of_branches(), unit.operations.len() as u64);
        let has_place = now + more <= most;
        if !has_place {
            let told = format!(
                "prepared branches have {now} messages, and {more} more exceed xa.prepared_messages_max ({most}): decide \
                 some by RESOLVE INDOUBT, or raise the setting"
            );
            self.ground.host.event(&events::GROWTH_REFUSED.with([told]));
        }
        has_place
    }

    /// Returns the units of work that are prepared. The absence of one may be known only when its end is
    /// durable.
    pub fn prepared_units(&self) -> Gated<Vec<PreparedUnit>> {
        let (all, ended) = self.units.prepared();
        let need = all.iter().map(|unit| unit.need).max().unwrap_or_default().max(ended);
        let list = all.iter().map(|unit| PreparedUnit {
            name: unit.name,
            purpose: unit.purpose.clone(),
            since: unit.since.map(|since| since.0),
            first: unit.first,
            messages: unit.held.iter().map(|held| self.unit_message(held.listed, held.slot)).collect(),
        });
        Gated::new(need, list.collect())
    }

    /// A put or get of a unit, as it is listed.
    pub fn unit_message(&self, listed: Listed, slot: Slot) -> PreparedMessage {
        let queue = self.find(listed.queue);
        let mut message = PreparedMessage {
            queue: queue.as_ref().map(|queue| queue.name),
            sequence: listed.sequence,
            is_put: !listed.is_got,
            message_id: [0; 24],
            correlation_id: [0; 24],
            bytes: 0,
        };
        if let Some(queue) = queue {
            queue.look(|state| {
                if let Some(entry) = state.entry(slot, listed.sequence) {
                    message.message_id = entry.message_id;
                    message.correlation_id = entry.correlation_id;
                    message.bytes = entry.body_length;
                }
            });
        }
        message
    }

    /// Ends a branch that is prepared, as its coordinator decides. One that is not known was ended before, or
    /// never was.
    pub fn settle(&self, name: UnitId, decision: Decision) -> Outcome<Settled> {
        self.settle_if(name, decision, |purpose| matches!(purpose, PreparedPurpose::Branch(_)))
    }

    /// Ends a batch of a channel, by the channel alone. Committed, the channel counts it as confirmed.
    pub fn settle_batch(&self, name: UnitId, decision: Decision) -> Outcome<()> {
        let settled =
            self.settle_if(name, decision, |purpose| matches!(purpose, PreparedPurpose::Channel(_)));
        settled.map(|settled| settled.map(drop))
    }

    fn settle_if(
        &self,
        name: UnitId,
        decision: Decision,
        is_theirs: impl FnOnce(&PreparedPurpose) -> bool,
    ) -> Outcome<Settled> {
        let Some(unit) = self.units.find_prepared(name).0 else { return self.ended_before(name) };
        if !is_theirs(&unit.purpose) {
            return Gated::new(unit.need, Err(Reason::UOW_NOT_AVAILABLE));
        }
        let mut work = unit.work();
        let Some(work) = work.take() else {
            return self.ended_before(name);
        };
        Gated::new(self.end_prepared(&unit, work, decision), Ok(Settled::AsDecided))
    }

    /// Ends a unit that is prepared; returns the position that must be durable before a caller learns of it.
    pub(super) fn end_prepared(&self, unit: &Prepared, work: Work, decision: Decision) -> Lsn {
        if let Some(maker) = unit.maker_of_branch() {
            self.ledger.give_back(Growth::PreparedBranches, maker);
        }
        match (decision, &unit.purpose) {
            (Decision::Commit, PreparedPurpose::Branch(_)) => self.commit_prepared(work, None),
            (Decision::Commit, PreparedPurpose::Channel(batch)) => {
                let ChannelBatch { sync_object, batch, last_sequence: sequence, chain, .. } = *batch;
                self.commit_prepared(work, Some(ChannelCommit { sync_object, chain, batch, sequence }))
            }
            (Decision::BackOut, PreparedPurpose::Branch(_)) => self.back_out_prepared(work, true),
            // A batch that the other side did not take was not given out.
            (Decision::BackOut, PreparedPurpose::Channel(_)) => self.back_out_prepared(work, false),
        }
    }

    /// A batch needs the object that keeps the state of its channel.
    fn check_channel<T>(&self, purpose: &PreparedPurpose) -> Result<(), Outcome<T>> {
        let PreparedPurpose::Channel(batch) = purpose else { return Ok(()) };
        self.state_objects.lock().check_sync(batch.sync_object)
    }

    fn commit_prepared(&self, work: Work, channel: Option<ChannelCommit>) -> Lsn {
        let Work { operations, trace, need, .. } = self.with_triggers(work);
        let trace = trace.expect("what is prepared is named");
        let unit = trace.name;
        let effects = self.effects.read();
        let need = need.max(self.append_commit(trace, channel.map(Counterpart::Channel)));
        let mut due = Vec::new();
        for run in operations.chunk_by(|one, other| Arc::ptr_eq(&one.queue, &other.queue)) {
            due.append(&mut self.commit_on_queue(run, need));
        }
        self.units.close(unit, need);
        drop(effects);
        need.max(self.report(due))
    }
}
