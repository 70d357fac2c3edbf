//! Changes of authority records by command.
//!
//! Always: each record is in the log before its effect can be seen; a command changes all that it names, or
//! nothing.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use mqi::Reason;
use objects::mqsc::{AuthorityRecords, SetAuthority};
use queues::gate::{BehindGate, Gated};
use queues::ground::growth::{Growth, GrowthRefusal};
use security::{Command as Verb, Object, Principal, authority};
use storage::{AuthorityKey, AuthorityRecord, Lsn, ObjectId, Purpose, Record, Reservation, StateObject};

use crate::authority::{Denied, Table, bits, entity, keys};
use crate::engine::Engine;

/// Why records were not changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum BookError {
    /// The record is not one that there can be.
    #[error(transparent)]
    Record(#[from] authority::AuthorityError),
    /// No such record exists.
    #[error("there is no such record")]
    Absent(AuthorityKey),
    /// The log has no room.
    #[error("the recovery log has no room: free some, or make it larger")]
    NoRoom(Reason),
    /// There are as many as a bound allows.
    #[error(transparent)]
    Beyond(#[from] GrowthRefusal),
    /// Its author lost the right since the command was admitted.
    #[error("its author may not change them any more")]
    Denied(Box<Denied>),
}

/// Records to be set, with their identifiers and room in the log.
pub(crate) struct NewRecords {
    set: SetAuthority,
    keys: Vec<AuthorityKey>,
    ids: Vec<ObjectId>,
    room: Reservation,
}

impl Engine {
    /// SET AUTHREC: the number of records that were set. New ones count for their author.
    pub(super) fn set_authority(
        &self,
        set: &SetAuthority,
        author: &Principal,
    ) -> Gated<Result<usize, BookError>> {
        let new = match self.prepare_records(set.clone()) {
            Ok(new) => new,
            Err(reason) => return Gated::free(Err(BookError::NoRoom(reason))),
        };
        let mut judged = Lsn::ZERO;
        let done = {
            let mut table = self.directory.door.book.lock();
            // The right that is taken away may be the one that the author gives itself again.
            match self.may_still(author, Object::MANAGER, Verb::Set, &mut judged) {
                Ok(()) => self.set_records(&mut table, new, Some(&self.directory.door.maker(author))),
                Err(denied) => Gated::new(denied.need, Err(BookError::Denied(denied))),
            }
        };
        if done.value().is_err() {
            return done;
        }
        done.and_needs(judged.max(self.rights_changed(Some(set.records.object_type))))
    }

    /// Reserves identifiers and room for records. Called without locks.
    pub(super) fn prepare_records(&self, set: SetAuthority) -> Result<NewRecords, Reason> {
        let mut keys: Vec<AuthorityKey> = keys(&set.records).collect();
        let mut named: HashSet<AuthorityKey, FixedState> = HashSet::default();
        keys.retain(|key| named.insert(key.clone()));
        let (ids, room) = self.reserve_for_records(&keys)?;
        Ok(NewRecords { set, keys, ids, room })
    }

    /// Sets records; how many. New ones count for their maker, blank for an administrator; without one they
    /// come with a queue, which is counted itself.
    pub(super) fn set_records(
        &self,
        table: &mut Table,
        NewRecords { set, keys, ids, mut room }: NewRecords,
        maker: Option<&str>,
    ) -> Gated<Result<usize, BookError>> {
        let AuthorityRecords { object_type, scope, .. } = set.records;
        let book = &self.directory.door.book;
        let rules = Arc::clone(&book.rules());
        let mut authorities = rules.authorities().clone();
        let mut changed = Vec::with_capacity(keys.len());
        for (key, new) in keys.iter().zip(&ids) {
            let before = authorities.get(object_type, &scope, entity(key)).unwrap_or_default();
            let after = before.without(set.remove.unwrap_or_default()).with(set.add.unwrap_or_default());
            let record = authority::Record { object_type, scope, entity: entity(key), set: after };
            if let Err(error) = authorities.set(record) {
                return Gated::new(rules.need(), Err(error.into()));
            }
            let id = table.id(key).unwrap_or(*new);
            let maker = table.maker(key).or(maker).unwrap_or_default().into();
            changed.push((id, AuthorityRecord { key: key.clone(), authorities: bits(after), maker }));
        }
        if let Err(refusal) = self.count_records(table, &keys, maker) {
            // The records that were counted may not be durable yet.
            return Gated::new(self.ground().storage.appended(), Err(refusal.into()));
        }
        let mut need = rules.need();
        let mut append = |id: ObjectId, object: &StateObject| {
            let definition = object.encode();
            let record = Record::Define { object: id, definition: &definition };
            need = need.max(self.ground().storage.append(&record, None, &mut room).need);
        };
        let since = self.ground().world.clock.wall().0;
        if !table.is_judging() {
            let id = *ids.last().expect("there is one more than records");
            append(id, &StateObject::Judging(since));
            table.begin_judging(id, since);
        }
        let count = changed.len();
        for (id, record) in changed {
            append(id, &StateObject::Authority(record.clone()));
            table.define(id, record);
        }
        book.publish(authorities, need, true);
        Gated::new(need, Ok(count))
    }

    /// DELETE AUTHREC: the number of records that were deleted, all or none.
    pub(super) fn delete_authority(
        &self,
        records: &AuthorityRecords,
        author: &Principal,
    ) -> Gated<Result<usize, BookError>> {
        let keys: Vec<AuthorityKey> = keys(records).collect();
        let each = Record::Delete { object: ObjectId(0) }.reserved_bytes();
        let mut room = match self.queues.reserve(each * keys.len() as u64, Purpose::Drain) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(BookError::NoRoom(reason))),
        };
        let book = &self.directory.door.book;
        let mut table = book.lock();
        let mut judged = Lsn::ZERO;
        if let Err(denied) = self.may_still(author, Object::MANAGER, Verb::Set, &mut judged) {
            return Gated::new(denied.need, Err(BookError::Denied(denied)));
        }
        let rules = Arc::clone(&book.rules());
        if let Some(absent) = keys.iter().find(|key| table.id(key).is_none()) {
            return Gated::new(rules.need(), Err(BookError::Absent(absent.clone())));
        }
        let mut authorities = rules.authorities().clone();
        let mut need = rules.need().max(judged);
        for key in &keys {
            let Some(id) = table.id(key) else { continue };
            need =
                need.max(self.ground().storage.append(&Record::Delete { object: id }, None, &mut room).need);
            let maker = table.maker(key).unwrap_or_default();
            self.directory.catalogue.ledger.give_back(Growth::AuthorityRecords, maker);
            table.remove(id);
            authorities.delete(records.object_type, &records.scope, entity(key));
        }
        book.publish(authorities, need, rules.is_judging());
        drop(table);
        let need = need.max(self.rights_changed(Some(records.object_type)));
        Gated::new(need, Ok(keys.len()))
    }

    /// Judges logins and requests from now on, for good: there is a user or a key. Does nothing when they are
    /// judged already.
    pub(crate) fn begin_judging(&self) -> Gated<Result<(), Reason>> {
        let book = &self.directory.door.book;
        if book.rules().is_judging() {
            return Gated::new(book.rules().need(), Ok(()));
        }
        let (ids, mut room) = match self.reserve_for_records(&[]) {
            Ok(reserved) => reserved,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let mut table = book.lock();
        let rules = Arc::clone(&book.rules());
        let mut need = rules.need();
        if !table.is_judging() {
            let since = self.ground().world.clock.wall().0;
            let definition = StateObject::Judging(since).encode();
            let record = Record::Define { object: ids[0], definition: &definition };
            need = need.max(self.ground().storage.append(&record, None, &mut room).need);
            table.begin_judging(ids[0], since);
            book.publish(rules.authorities().clone(), need, true);
        }
        drop(table);
        self.rights_changed(None);
        self.tell_open_rules();
        self.tell_known_logins_refused();
        Gated::new(need, Ok(()))
    }

    /// Counts the records among these that are not there yet: all, or none.
    fn count_records(
        &self,
        table: &Table,
        keys: &[AuthorityKey],
        maker: Option<&str>,
    ) -> Result<(), GrowthRefusal> {
        let ledger = &self.directory.catalogue.ledger;
        let new = keys.iter().filter(|key| table.id(key).is_none()).count();
        let Some(maker) = maker else {
            (0..new).for_each(|_| ledger.note(Growth::AuthorityRecords, ""));
            return Ok(());
        };
        for counted in 0..new {
            if let Err(refusal) = ledger.take(Growth::AuthorityRecords, maker) {
                (0..counted).for_each(|_| ledger.give_back(Growth::AuthorityRecords, maker));
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Identifiers and room for records of these keys, and for the mark that requests are judged. An
    /// identifier that is not used is never given again.
    fn reserve_for_records(&self, keys: &[AuthorityKey]) -> Result<(Vec<ObjectId>, Reservation), Reason> {
        let bytes = |object: StateObject| {
            let definition = object.encode();
            Record::Define { object: ObjectId(0), definition: &definition }.reserved_bytes()
        };
        // A record that is there keeps its maker, whose name may be the longest.
        let longest: Box<str> = "x".repeat(AuthorityRecord::ENTITY_BYTES_MAX).into();
        let records = keys.iter().map(|key| {
            let (key, maker) = (key.clone(), longest.clone());
            StateObject::Authority(AuthorityRecord { key, authorities: 0, maker })
        });
        let wanted = records.map(bytes).sum::<u64>() + bytes(StateObject::Judging(0));
        let room = self.queues.reserve(wanted, Purpose::Drain)?;
        let ids = (0..=keys.len()).map(|_| self.directory.catalogue.new_identifier()).collect();
        Ok((ids, room))
    }
}
