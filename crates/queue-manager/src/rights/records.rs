//! Changes of authority records by command.
//!
//! Always: each record is in the log before its effect can be seen; a command changes all that it names, or
//! nothing.

use std::sync::Arc;

use mqi::Reason;
use objects::mqsc::{AuthorityRecords, SetAuthority};
use security::authority;
use storage::{AuthorityKey, AuthorityRecord, ObjectId, Purpose, Record, Reservation, StateObject};

use crate::authority::{bits, entity, keys};
use crate::engine::Engine;
use crate::gate::Gated;

/// Why records were not changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum BookError {
    /// The record is not one that there can be.
    #[error(transparent)]
    Record(#[from] authority::Error),
    /// No such record exists.
    #[error("there is no such record")]
    Absent(AuthorityKey),
    /// The log has no room.
    #[error("the recovery log has no room: free some, or make it larger")]
    NoRoom(Reason),
}

impl Engine {
    /// SET AUTHREC: the number of records that were set.
    pub(super) fn set_authority(&self, set: &SetAuthority) -> Gated<Result<usize, BookError>> {
        let keys: Vec<AuthorityKey> = keys(&set.records).collect();
        let (ids, mut room) = match self.reserve_for_records(&keys) {
            Ok(reserved) => reserved,
            Err(reason) => return Gated::free(Err(BookError::NoRoom(reason))),
        };
        let AuthorityRecords { object_type, scope, .. } = set.records;
        let book = &self.door.book;
        let mut table = book.lock();
        let rules = Arc::clone(&book.rules());
        let mut authorities = rules.authorities().clone();
        let mut changed = Vec::with_capacity(keys.len());
        for (key, new) in keys.into_iter().zip(&ids) {
            let before = authorities.get(object_type, &scope, entity(&key)).unwrap_or_default();
            let after = before.without(set.remove.unwrap_or_default()).with(set.add.unwrap_or_default());
            let record = authority::Record { object_type, scope, entity: entity(&key), set: after };
            if let Err(error) = authorities.set(record) {
                return Gated::new(rules.need(), Err(error.into()));
            }
            let id = table.id(&key).unwrap_or(*new);
            changed.push((id, AuthorityRecord { key, authorities: bits(after) }));
        }
        let mut need = rules.need();
        let mut append = |id: ObjectId, object: &StateObject| {
            let definition = object.encode();
            let record = Record::Define { object: id, definition: &definition };
            need = need.max(self.storage.append(&record, None, &mut room).need);
        };
        let since = self.world.clock.wall().0;
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
        drop(table);
        let need = need.max(self.rights_changed(Some(object_type)));
        Gated::new(need, Ok(count))
    }

    /// DELETE AUTHREC: the number of records that were deleted, all or none.
    pub(super) fn delete_authority(&self, records: &AuthorityRecords) -> Gated<Result<usize, BookError>> {
        let keys: Vec<AuthorityKey> = keys(records).collect();
        let each = Record::Delete { object: ObjectId(0) }.reserved_bytes();
        let mut room = match self.reserve(each * keys.len() as u64, Purpose::Drain) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(BookError::NoRoom(reason))),
        };
        let book = &self.door.book;
        let mut table = book.lock();
        let rules = Arc::clone(&book.rules());
        if let Some(absent) = keys.iter().find(|key| table.id(key).is_none()) {
            return Gated::new(rules.need(), Err(BookError::Absent(absent.clone())));
        }
        let mut authorities = rules.authorities().clone();
        let mut need = rules.need();
        for key in &keys {
            let Some(id) = table.id(key) else { continue };
            need = need.max(self.storage.append(&Record::Delete { object: id }, None, &mut room).need);
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
        let book = &self.door.book;
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
            let since = self.world.clock.wall().0;
            let definition = StateObject::Judging(since).encode();
            let record = Record::Define { object: ids[0], definition: &definition };
            need = need.max(self.storage.append(&record, None, &mut room).need);
            table.begin_judging(ids[0], since);
            book.publish(rules.authorities().clone(), need, true);
        }
        drop(table);
        self.rights_changed(None);
        self.tell_open_rules();
        Gated::new(need, Ok(()))
    }

    /// Identifiers and room for records of these keys, and for the mark that requests are judged. An
    /// identifier that is not used is never given again.
    fn reserve_for_records(&self, keys: &[AuthorityKey]) -> Result<(Vec<ObjectId>, Reservation), Reason> {
        let bytes = |object: StateObject| {
            let definition = object.encode();
            Record::Define { object: ObjectId(0), definition: &definition }.reserved_bytes()
        };
        let records = keys
            .iter()
            .map(|key| StateObject::Authority(AuthorityRecord { key: key.clone(), authorities: 0 }));
        let wanted = records.map(bytes).sum::<u64>() + bytes(StateObject::Judging(0));
        let room = self.reserve(wanted, Purpose::Drain)?;
        let ids = (0..=keys.len()).map(|_| self.catalogue.new_identifier()).collect();
        Ok((ids, room))
    }
}
