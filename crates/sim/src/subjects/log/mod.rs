//! The storage alone, under the smallest manager of queues that uses all of it.
//!
//! Bodies are kept in memory only until the log is durable past them, so that almost every message is read
//! back from log, segment or spill file.

mod queues;
mod replay;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use platform::World;
use storage::record::Body;
use storage::{
    Appended, Copies, CopiesWriter, Durable, EntryToken, Fatal, INLINE_BODY_BYTES_MAX, Location, Lsn,
    NewCopy, Observer, OutOfSpace, Purpose, RESERVED_SMALL, Record, Reservation, Sequence, Settings, Storage,
    UnitId, reserved_for_put,
};

use crate::torture::{Answer, Counters, Found, Maker, Put, Refusal, StartFailure, Subject};
use queues::{Entry, Held, Place, Queues, View, head};
use replay::{Replay, Replayed, object, queue_of};

/// Makes managers over the storage alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Log;

/// Small, so that the log begins anew soon.
fn settings() -> Settings {
    Settings {
        extent_bytes: 1 << 20,
        primary_extents: 2,
        secondary_extents: 2,
        spill_bytes_max: 64 << 20,
        ..Settings::default()
    }
}

impl Maker for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn create(&self, world: &World) -> Result<(), StartFailure> {
        Storage::create(world, &settings()).map_err(|error| StartFailure(error.to_string()))
    }

    fn open(&self, world: &World) -> Result<Box<dyn Subject>, StartFailure> {
        let mut replay = Replay::default();
        let storage = Storage::open(world, &settings(), Arc::new(Deaf), &mut replay)
            .map_err(|error| StartFailure(error.to_string()))?;
        Ok(Box::new(Running::new(storage, replay)))
    }
}

/// Nobody listens: the torture asks.
struct Deaf;

impl Observer for Deaf {
    fn log_has_work(&self) {}
    fn durable(&self, _: Durable) {}
    fn slow_io(&self, _: &str, _: usize, _: u64) {}
    fn failed(&self, _: &Fatal) {}
}

#[derive(Debug)]
struct Unit {
    id: UnitId,
    records: u32,
    /// The position of its first record or fragment.
    first: Option<Lsn>,
    /// Space for its end.
    end: Reservation,
    touched: Vec<(usize, Place)>,
}

struct Running {
    storage: Storage,
    queues: RefCell<Queues>,
    units: BTreeMap<u32, Unit>,
    unit_next: u64,
    spills: u64,
    revoked: Vec<u32>,
}

impl Running {
    fn new(storage: Storage, replay: Replay) -> Self {
        let mut queues = Queues { sequences: replay.sequences, ..Queues::default() };
        for ((queue, sequence), Replayed { priority, location }) in replay.messages {
            let entry = Entry {
                token: EntryToken(0),
                location,
                body: None,
                persistent: true,
                need: Lsn::ZERO,
                held: Held::No,
            };
            let token = queues.insert(queue_of(queue), (9 - priority, sequence), entry);
            storage.adopt(queue, token, location);
        }
        Self {
            storage,
            queues: RefCell::new(queues),
            units: BTreeMap::new(),
            unit_next: 1,
            spills: 0,
            revoked: Vec::new(),
        }
    }

    /// A second try after a checkpoint, as a queue manager does before it refuses.
    fn reserve(&mut self, bytes: u64, purpose: Purpose) -> Result<Reservation, OutOfSpace> {
        self.storage.reserve(bytes, purpose).or_else(|_| {
            let _ = self.storage.prepare();
            self.take_checkpoint();
            self.storage.reserve(bytes, purpose)
        })
    }

    fn unit(&mut self, client: u32) -> Result<&mut Unit, OutOfSpace> {
        if !self.units.contains_key(&client) {
            let end = self.reserve(RESERVED_SMALL, Purpose::Drain)?;
            let id = self.storage.unit(self.unit_next);
            self.unit_next += 1;
            self.units.insert(client, Unit { id, records: 0, first: None, end, touched: Vec::new() });
        }
        Ok(self.units.get_mut(&client).expect("just made"))
    }

    fn try_put(&mut self, client: u32, put: &Put) -> Result<Lsn, Refusal> {
        let no_room = |_: OutOfSpace| Refusal::NoRoom;
        let sequence = Sequence(self.queues.get_mut().sequences[put.queue]);
        let place = (9 - put.priority, sequence);
        let held = if put.in_unit { Held::PutBy(client) } else { Held::No };
        let mut entry = Entry {
            token: EntryToken(0),
            location: Location::Log(Lsn::ZERO),
            body: None,
            persistent: put.persistent,
            need: Lsn::ZERO,
            held,
        };
        if !put.persistent {
            entry.location = self.storage.spill(b"descriptor", &put.body).map_err(no_room)?;
            self.spills += 1;
            if put.in_unit {
                self.unit(client).map_err(no_room)?.touched.push((put.queue, place));
            }
            self.queues.get_mut().sequences[put.queue] += 1;
            self.queues.get_mut().insert(put.queue, place, entry);
            return Ok(Lsn::ZERO);
        }
        let descriptor: &[u8] = b"descriptor";
        let mut reservation = self
            .reserve(reserved_for_put(descriptor.len(), put.body.len()) + RESERVED_SMALL, Purpose::Fill)
            .map_err(no_room)?;
        let unit = if put.in_unit { Some(self.unit(client).map_err(no_room)?.id) } else { None };
        let fragments = if put.body.len() > INLINE_BODY_BYTES_MAX {
            self.storage.append_body(&Bytes::copy_from_slice(&put.body), &mut reservation)
        } else {
            Vec::new()
        };
        let head = head(put.queue, put.priority, sequence);
        let body = match fragments.as_slice() {
            [] => Body::Inline(&put.body),
            at => Body::Fragments { at, length: put.body.len() as u64 },
        };
        let queues = self.queues.get_mut();
        queues.sequences[put.queue] += 1;
        entry.body = Some(put.body.clone());
        let token = queues.insert(put.queue, place, entry);
        let (at, need) = match put.body.len().is_multiple_of(3) {
            true => self.append_copy(
                unit,
                &NewCopy { head: &head, descriptor, beginning: &[], has_end: true },
                body,
                (token, &mut reservation),
            ),
            false => {
                let record = Record::Put { unit, head, descriptor, body };
                let Appended { at, need } = self.storage.append(&record, Some(token), &mut reservation);
                (at, need)
            }
        };
        let queues = self.queues.get_mut();
        let entry = queues.at(put.queue, place);
        entry.location = Location::Log(at);
        entry.need = need;
        if let Some(unit) = self.units.get_mut(&client).filter(|_| put.in_unit) {
            unit.records += 1;
            unit.first = unit.first.or_else(|| fragments.first().copied()).or(Some(at));
            unit.touched.push((put.queue, place));
            return Ok(Lsn::ZERO);
        }
        queues.changed[put.queue] = need;
        Ok(need)
    }

    /// Logs a put as that of a publication: in a record that has room for others.
    fn append_copy(
        &self,
        unit: Option<UnitId>,
        copy: &NewCopy<'_>,
        body: Body<'_>,
        (token, reservation): (EntryToken, &mut Reservation),
    ) -> (Lsn, Lsn) {
        let mut writer = CopiesWriter::default();
        writer.add(copy);
        let content = writer.finish(body);
        let copies = Copies::read(&content).expect("what was written is read");
        let offset = copies.iter().next().expect("there is one").offset;
        let Appended { at, need } = self.storage.append_many(unit, &copies, &[token], reservation);
        (Lsn(at.0 + offset), need)
    }

    fn try_get(&mut self, client: u32, queue: usize, in_unit: bool) -> Answer<Option<Vec<u8>>> {
        let queues = self.queues.get_mut();
        let first = queues.entries[queue].iter().find(|(_, entry)| entry.held == Held::No);
        let Some((place, entry)) = first else {
            return Answer { need: queues.changed[queue].0, result: Ok(None) };
        };
        let (place, persistent, seen) = (*place, entry.persistent, entry.need);
        let body = match body_of(&self.storage, entry) {
            Ok(body) => body,
            Err(refusal) => return Answer { need: 0, result: Err(refusal) },
        };
        let refused = Answer { need: 0, result: Err(Refusal::NoRoom) };
        let Ok(mut reservation) = self.reserve(RESERVED_SMALL, Purpose::Drain) else { return refused };
        // The reservation may have taken a checkpoint, which may have moved the message.
        let location = self.queues.get_mut().at(queue, place).location;
        let mut need = seen;
        if in_unit {
            let Ok(id) = self.unit(client).map(|unit| unit.id) else { return refused };
            let unit = self.units.get_mut(&client).expect("just made");
            if persistent {
                let record = Record::Get { unit: Some(id), queue: object(queue), sequence: place.1 };
                let at = self.storage.append(&record, None, &mut reservation).at;
                unit.records += 1;
                unit.first = unit.first.or(Some(at));
            }
            unit.touched.push((queue, place));
            self.queues.get_mut().at(queue, place).held = Held::GotBy(client);
        } else {
            if persistent {
                let record = Record::Get { unit: None, queue: object(queue), sequence: place.1 };
                need = need.max(self.storage.append(&record, None, &mut reservation).need);
            }
            let queues = self.queues.get_mut();
            queues.remove(queue, place);
            queues.changed[queue] = queues.changed[queue].max(need);
            self.storage.release(location, need);
        }
        Answer { need: need.0, result: Ok(Some(body)) }
    }

    fn end(&mut self, client: u32, commit: bool) -> Answer<()> {
        let Some(mut unit) = self.units.remove(&client) else { return Answer { need: 0, result: Ok(()) } };
        let mut need = Lsn::ZERO;
        if let Some(first) = unit.first {
            let record = if commit {
                Record::Commit { unit: unit.id, records: unit.records, first, counterpart: None }
            } else {
                Record::Backout { unit: unit.id, returned: &[] }
            };
            need = self.storage.append(&record, None, &mut unit.end).need;
        }
        for (queue, place) in unit.touched {
            let queues = self.queues.get_mut();
            need = need.max(if commit { queues.at(queue, place).need } else { Lsn::ZERO });
            let was_put = matches!(queues.at(queue, place).held, Held::PutBy(_));
            if was_put == commit {
                let entry = queues.at(queue, place);
                entry.held = Held::No;
                if commit {
                    entry.need = entry.need.max(need);
                }
            } else {
                let gone = queues.remove(queue, place);
                self.storage.release(gone.location, need);
            }
            if commit {
                queues.changed[queue] = queues.changed[queue].max(need);
            }
        }
        Answer { need: if commit { need.0 } else { 0 }, result: Ok(()) }
    }

    fn take_checkpoint(&mut self) -> bool {
        let view = View {
            queues: &self.queues,
            oldest_unit: self.units.values().filter_map(|unit| unit.first).min(),
            appended: self.storage.appended(),
        };
        self.storage.checkpoint(&view).is_ok()
    }

    /// Drops bodies that can be read back.
    fn forget_bodies(&mut self, durable: Lsn) {
        for entry in self.queues.get_mut().entries.iter_mut().flat_map(BTreeMap::values_mut) {
            if entry.need <= durable {
                entry.body = None;
            }
        }
    }
}

fn body_of(storage: &Storage, entry: &Entry) -> Result<Vec<u8>, Refusal> {
    if let Some(body) = &entry.body {
        return Ok(body.clone());
    }
    let message = storage.read(entry.location).map_err(|error| Refusal::Damaged(error.to_string()))?;
    if message.descriptor != b"descriptor"[..] {
        return Err(Refusal::Damaged("the descriptor is another one".to_owned()));
    }
    Ok(message.body.to_vec())
}

impl Subject for Running {
    fn put(&mut self, client: u32, put: &Put) -> Answer<()> {
        match self.try_put(client, put) {
            Ok(need) => Answer { need: need.0, result: Ok(()) },
            Err(refusal) => Answer { need: 0, result: Err(refusal) },
        }
    }

    fn get(&mut self, client: u32, queue: usize, in_unit: bool) -> Answer<Option<Vec<u8>>> {
        self.try_get(client, queue, in_unit)
    }

    fn commit(&mut self, client: u32) -> Answer<()> {
        self.end(client, true)
    }

    fn backout(&mut self, client: u32) -> Answer<()> {
        self.end(client, false)
    }

    fn durable(&self) -> u64 {
        self.storage.durable().lsn().0
    }

    fn drive(&mut self) -> u64 {
        let durable = self.storage.drive().lsn();
        self.forget_bodies(durable);
        durable.0
    }

    fn checkpoint(&mut self, in_any_case: bool) -> bool {
        (in_any_case || self.storage.checkpoint_due()) && self.take_checkpoint()
    }

    fn housekeep(&mut self) {
        let _ = self.storage.prepare();
        self.checkpoint(false);
        let allowed = self.storage.oldest_unit_allowed();
        let long = |unit: &Unit| unit.first.is_some_and(|first| first < allowed);
        let ended: Vec<u32> =
            self.units.iter().filter(|(_, unit)| long(unit)).map(|(client, _)| *client).collect();
        for client in &ended {
            self.end(*client, false);
        }
        self.revoked.extend(ended);
    }

    fn revoked(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.revoked)
    }

    fn failure(&self) -> Option<String> {
        self.storage.failure().map(|failure| failure.to_string())
    }

    fn contents(&mut self, queue: usize) -> Vec<Found> {
        let queues = self.queues.borrow();
        queues.entries[queue].values().map(|entry| body_of(&self.storage, entry)).collect()
    }

    fn counters(&self) -> Counters {
        let settings = settings();
        let used_once = settings.extent_bytes * u64::from(settings.primary_extents);
        Counters { laps: self.storage.appended().0 / used_once, spills: self.spills, damaged: None }
    }
}
