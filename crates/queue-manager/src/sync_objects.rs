//! The state that a message channel keeps towards a partner.
//!
//! Lives here: defining it, reading it, forgetting it. Lives elsewhere: the batch that is confirmed last,
//! which is in the record of the batch's own commit (`unit_of_work::commit`).
//!
//! Always: a channel tells its partner of a line only after its object is durable. An object stays when the
//! definition of its channel goes, so that one that is defined again goes on. A line that began with a
//! certificate goes on with that name in it alone. Of two connections that change one state, which each has
//! read, the later is refused.

use std::collections::BTreeMap;

use mqi::Reason;
use objects::ChannelKind;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::state_objects::{BatchInDoubt, ChannelState, KeptChannel};
use queues::unit_of_work::Unit;
use queues::unit_of_work::prepared::{Decision, PreparedPurpose};
use security::cover::Encryption;
use storage::record::{ChannelCommit, Counterpart};
use storage::{Direction, ObjectId, Purpose, RESERVED_END, Record, StateObject, SyncObject};

use crate::engine::Engine;
use crate::message_channels::{CallRefusal, ChannelCall};

/// The name in the certificate of a partner, as a line remembers it; blank without one. The beginning of a
/// name that is too long stands for it.
#[must_use]
pub fn certificate_name(encryption: &Encryption) -> String {
    let names = encryption.certificate();
    let mut name = names.map(|names| names.subject.without_serial_number().to_string()).unwrap_or_default();
    name.truncate(name.floor_char_boundary(SyncObject::CERTIFICATE_BYTES_MAX));
    name
}

impl Engine {
    /// Judges the certificate of a partner by the lines that the channel has with one of its QMID, which is a
    /// claim. A line without a certificate goes on with any.
    ///
    /// # Errors
    /// When a line began with another.
    pub(crate) fn judge_line(&self, call: &ChannelCall<'_>, kind: ChannelKind) -> Result<(), CallRefusal> {
        let direction = if kind.sends() { Direction::Sends } else { Direction::Receives };
        let shown = certificate_name(call.encryption);
        let table = self.queues.state_objects.lock();
        let mut known = None;
        for object in table.syncs() {
            let Some((sync, _)) = table.sync(object) else { continue };
            let is_of_partner = sync.channel == call.channel
                && sync.direction == direction
                && sync.partner_identifier == call.partner_identifier;
            if !is_of_partner || sync.certificate.is_empty() {
                continue;
            }
            if sync.certificate == shown {
                return Ok(());
            }
            known = Some(sync.certificate.clone());
        }
        known.map_or(Ok(()), |known| {
            Err(CallRefusal::OtherCertificate {
                channel: call.channel.to_owned(),
                partner: call.partner.to_owned(),
                names: Box::new([known, shown]),
            })
        })
    }

    /// Defines the state of a channel: of an object that is there, with the state that the caller has read,
    /// or a new one.
    pub(crate) fn define_sync(
        &self,
        known: Option<(ObjectId, &SyncObject)>,
        sync: SyncObject,
    ) -> Outcome<ObjectId> {
        if !sync.fits() {
            return Gated::free(Err(Reason::CHANNEL_CONFIG_ERROR));
        }
        let object = StateObject::Sync(sync);
        let (mut room, definition) = match self.queues.reserve_for_state(&object) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        // Not under the lock of the table; one that is not used is never given again.
        let new = known.map_or_else(|| self.directory.catalogue.new_identifier(), |(id, _)| id);
        let mut table = self.queues.state_objects.lock();
        match known {
            Some((id, read)) => match table.sync(id) {
                None => return Gated::new(table.absence_need(), Err(Reason::UNKNOWN_OBJECT_NAME)),
                Some((there, need)) if there != read => return Gated::new(need, Err(Reason::OBJECT_CHANGED)),
                Some(_) => {}
            },
            None => {
                if let Some(need) = table.alike(&object) {
                    return Gated::new(need, Err(Reason::OBJECT_CHANGED));
                }
                if table.is_full(&object) {
                    return Gated::free(Err(Reason::RESOURCE_PROBLEM));
                }
            }
        }
        let record = Record::Define { object: new, definition: &definition };
        let need = self.ground().storage.append(&record, None, &mut room).need;
        table.define(new, object, need);
        Gated::new(need, Ok(new))
    }

    /// Defines the state of a channel that begins a line, with the number before its first message. A crash
    /// between both leaves a line that counts from 1, and the sender says its number again.
    pub(crate) fn begin_line(
        &self,
        known: Option<(ObjectId, &SyncObject)>,
        sync: SyncObject,
        before_first: u32,
    ) -> Outcome<ObjectId> {
        let defined = self.define_sync(known, sync);
        let Ok(object) = *defined.value() else { return defined };
        let counted = self.queues.state_objects.lock().confirmed(object).map_or(0, |(last, _)| last.sequence);
        if counted == before_first {
            return defined;
        }
        let start = ChannelCommit { sync_object: object, chain: 0, batch: 0, sequence: before_first };
        let confirmed = self.confirm_line(start).and_needs(defined.need());
        confirmed.changed(|done| done.map(|()| object))
    }

    /// Backs out the batches of a channel from this one on, newest first: its partner takes none of them.
    pub(crate) fn back_out_batches(&self, object: ObjectId, from: u64) {
        let (prepared, _) = self.queues.units.prepared();
        let of_channel = |purpose: &PreparedPurpose| match purpose {
            PreparedPurpose::Channel(batch) if batch.sync_object == object && batch.batch >= from => {
                Some(batch.batch)
            }
            PreparedPurpose::Channel(_) | PreparedPurpose::Branch(_) => None,
        };
        let mut refused: Vec<_> =
            prepared.iter().filter_map(|unit| of_channel(&unit.purpose).zip(Some(unit.name))).collect();
        refused.sort_unstable_by_key(|(batch, _)| std::cmp::Reverse(*batch));
        for (_, unit) in refused {
            let _ = self.queues.settle_batch(unit, Decision::BackOut);
        }
    }

    /// Sets the numbers of a line that no batch has used: a batch before its first, which moves nothing.
    pub(crate) fn confirm_line(&self, start: ChannelCommit) -> Outcome<()> {
        if let Err(refused) = self.queues.state_objects.lock().check_sync(start.sync_object) {
            return refused;
        }
        let mut room = match self.queues.reserve(RESERVED_END, Purpose::Drain) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let mut unit = Unit::default();
        unit.begin(&self.queues, &mut room);
        self.broker.commit(unit.take(), Some(Counterpart::Channel(start)))
    }

    /// Forgets the state of a channel, unless a batch of it is in doubt.
    pub(crate) fn forget_sync(&self, id: ObjectId) -> Outcome<()> {
        let record = Record::Delete { object: id };
        let mut room = match self.queues.reserve(record.reserved_bytes(), Purpose::Drain) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let mut table = self.queues.state_objects.lock();
        if table.sync(id).is_none() {
            return Gated::new(table.absence_need(), Err(Reason::UNKNOWN_OBJECT_NAME));
        }
        let (prepared, _) = self.queues.units.prepared();
        let is_of_channel = |purpose: &PreparedPurpose| match purpose {
            PreparedPurpose::Channel(batch) => batch.sync_object == id,
            PreparedPurpose::Branch(_) => false,
        };
        if let Some(unit) = prepared.iter().find(|unit| is_of_channel(&unit.purpose)) {
            return Gated::new(unit.need(), Err(Reason::OBJECT_IN_USE));
        }
        let need = self.ground().storage.append(&record, None, &mut room).need;
        table.remove(id, need);
        Gated::new(need, Ok(()))
    }

    /// The state of every channel, by identifier.
    pub(crate) fn channel_states(&self) -> Gated<Vec<ChannelState>> {
        let table = self.queues.state_objects.lock();
        let mut need = table.absence_need();
        let states = table.syncs().into_iter().filter_map(|object| {
            let (sync, defined) = table.sync(object)?;
            let confirmed = table.confirmed(object);
            need = need.max(defined).max(confirmed.map_or(defined, |(_, need)| need));
            Some(ChannelState { object, sync: sync.clone(), confirmed: confirmed.map(|(commit, _)| commit) })
        });
        let states = states.collect();
        Gated::new(need, states)
    }

    /// The state of every channel towards each partner, with its batches in doubt, by identifier.
    pub(crate) fn kept_channels(&self) -> Gated<Vec<KeptChannel>> {
        // Before the states: a batch that is confirmed meanwhile is not missed by both.
        let (prepared, mut need) = self.queues.units.prepared();
        let mut in_doubt = BTreeMap::<ObjectId, Vec<BatchInDoubt>>::new();
        for unit in prepared {
            let PreparedPurpose::Channel(batch) = unit.purpose else { continue };
            need = need.max(unit.need());
            let messages = unit.batch_messages(&batch);
            let found = BatchInDoubt { unit: unit.name, batch, messages };
            in_doubt.entry(batch.sync_object).or_default().push(found);
        }
        in_doubt.values_mut().for_each(|batches| batches.sort_by_key(|found| found.batch.batch));
        let states = self.channel_states();
        let need = need.max(states.need());
        let kept = states.into_inner().into_iter().map(|state| {
            let in_doubt = in_doubt.remove(&state.object).unwrap_or_default();
            KeptChannel { state, in_doubt }
        });
        Gated::new(need, kept.collect())
    }
}
