//! The authority records of the queue manager: kept by identifier as the log has them, and as a snapshot
//! that requests are judged by.
//!
//! Lives here: the records and the snapshot, and the part that a checkpoint keeps. Lives elsewhere: the rules
//! (`security::authority`), asking them and changing records by command (`rights`), their bytes (`storage`).
//!
//! Always: a record of the log is appended under the lock of the table, so that a checkpoint has both the
//! record and the entry, or neither; the snapshot is there before its generation is, so that a handle that
//! finds no newer generation need not look at it.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use objects::Definition;
use objects::mqsc::AuthorityRecords;
use platform::sync::atomic::{AtomicU64, Ordering};
use platform::sync::{Mutex, MutexGuard};
use security::authority::{self, Authorities, Authority, Entity, EntityName, ObjectType, Scope, Set};
use storage::{AuthorityKey, AuthorityRecord, Lsn, ObjectId, StateObject};

use super::types::{of_definition, type_of};

/// The records at one moment.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    pub(super) authorities: Authorities,
    /// True since there was a user, a key or a record: until then nothing is judged.
    pub(super) is_judging: bool,
    /// The position of the last change: every verdict inherits that need.
    pub(super) need: Lsn,
    /// The number of changes, those of definitions that verdicts rest on among them.
    pub(super) generation: u64,
}

impl Rules {
    pub(crate) fn authorities(&self) -> &Authorities {
        &self.authorities
    }

    pub(crate) fn need(&self) -> Lsn {
        self.need
    }

    pub(crate) fn is_judging(&self) -> bool {
        self.is_judging
    }
}

/// A record as the table has it.
#[derive(Clone, Debug)]
struct Kept {
    id: ObjectId,
    authorities: u32,
    maker: Box<str>,
}

/// The records of one profile, by user or group.
type OfProfile = HashMap<EntityName, Kept, FixedState>;

/// The records as the log has them.
#[derive(Debug, Default)]
pub(crate) struct Table {
    ids: BTreeMap<ObjectId, AuthorityKey>,
    /// By the number of the type, and by profile: an object that ends takes those of its name along.
    records: HashMap<i32, HashMap<Box<str>, OfProfile, FixedState>, FixedState>,
    judging: Option<(ObjectId, i64)>,
}

impl Table {
    /// A record is defined, anew or again.
    pub(crate) fn define(&mut self, id: ObjectId, record: AuthorityRecord) {
        self.remove(id);
        let AuthorityRecord { key, authorities, maker } = record;
        let profiles = self.records.entry(key.object_type).or_default();
        let records = profiles.entry(key.profile.clone()).or_default();
        if let Some(before) = records.insert(named_entity(&key), Kept { id, authorities, maker }) {
            self.ids.remove(&before.id);
        }
        self.ids.insert(id, key);
    }

    /// Requests are judged from now on.
    pub(crate) fn begin_judging(&mut self, id: ObjectId, since: i64) {
        self.judging = Some((id, since));
    }

    /// A record is gone. One that is not known does nothing.
    pub(crate) fn remove(&mut self, id: ObjectId) {
        let Some(key) = self.ids.remove(&id) else { return };
        let Some(profiles) = self.records.get_mut(&key.object_type) else { return };
        let Some(records) = profiles.get_mut(&key.profile) else { return };
        records.remove(&named_entity(&key));
        if records.is_empty() {
            profiles.remove(&key.profile);
        }
    }

    /// The identifier of a record.
    pub(crate) fn id(&self, key: &AuthorityKey) -> Option<ObjectId> {
        self.get(key).map(|kept| kept.id)
    }

    /// True since requests are judged.
    pub(crate) fn is_judging(&self) -> bool {
        self.judging.is_some()
    }

    fn get(&self, key: &AuthorityKey) -> Option<&Kept> {
        self.records.get(&key.object_type)?.get(&key.profile)?.get(&named_entity(key))
    }

    /// The user that made a record, blank for an administrator; none where the record is not there.
    pub(crate) fn maker(&self, key: &AuthorityKey) -> Option<&str> {
        self.get(key).map(|kept| &*kept.maker)
    }

    /// The maker of each record.
    pub(crate) fn makers(&self) -> impl Iterator<Item = &str> {
        self.ids.values().filter_map(|key| self.maker(key))
    }

    /// An object is gone, and the records for its very name with it. Generic profiles stay. Returns the
    /// makers of those records.
    pub(crate) fn object_deleted(&mut self, definition: &Definition) -> Vec<Box<str>> {
        let Some((object_type, name)) = named(definition) else { return Vec::new() };
        let profiles = self.records.get_mut(&object_type.number());
        let Some(gone) = profiles.and_then(|profiles| profiles.remove(name)) else { return Vec::new() };
        let gone = gone.into_values().map(|kept| {
            self.ids.remove(&kept.id);
            kept.maker
        });
        gone.collect()
    }

    fn objects(&self) -> impl Iterator<Item = (ObjectId, StateObject)> {
        let records = self.ids.iter().map(|(id, key)| {
            let kept = self.get(key).expect("an identifier is that of a record");
            let (authorities, maker) = (kept.authorities, kept.maker.clone());
            (*id, StateObject::Authority(AuthorityRecord { key: key.clone(), authorities, maker }))
        });
        records.chain(self.judging.map(|(id, since)| (id, StateObject::Judging(since))))
    }

    fn authorities(&self) -> Authorities {
        let mut authorities = Authorities::default();
        for key in self.ids.values() {
            // One that does not fit was written by a later release.
            if let Some(((object_type, scope), kept)) = parts(key).zip(self.get(key)) {
                let set = set_of(object_type, kept.authorities);
                let _ = authorities.set(authority::Record { object_type, scope, entity: entity(key), set });
            }
        }
        authorities
    }
}

/// The records, for changes and for judgement.
#[derive(Debug)]
pub(crate) struct Book {
    table: Mutex<Table>,
    rules: ArcSwap<Rules>,
    generation: AtomicU64,
}

impl Book {
    /// The records as restart found them.
    pub(crate) fn new(table: Table) -> Self {
        let rules = Rules {
            authorities: table.authorities(),
            is_judging: table.judging.is_some(),
            need: Lsn::ZERO,
            generation: 1,
        };
        Self { table: Mutex::new(table), rules: ArcSwap::from_pointee(rules), generation: AtomicU64::new(1) }
    }

    /// The number of changes so far: a verdict of the same number holds.
    #[inline]
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    pub(crate) fn rules(&self) -> Guard<Arc<Rules>> {
        self.rules.load()
    }

    /// The table for a checkpoint, as its other state objects.
    pub(crate) fn objects(&self) -> Vec<(ObjectId, StateObject)> {
        self.table.lock().objects().collect()
    }

    /// A definition that verdicts rest on was changed: handles are judged again.
    pub(crate) fn definition_changed(&self) {
        let _table = self.table.lock();
        let rules = self.rules.load();
        if rules.is_judging {
            let (authorities, need) = (rules.authorities.clone(), rules.need);
            self.publish(authorities, need, true);
        }
    }

    /// The table, to be changed. The rules change under its lock.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock()
    }

    /// Publishes other rules; called under the lock of the table.
    pub(crate) fn publish(&self, authorities: Authorities, need: Lsn, is_judging: bool) {
        let before = self.rules.load();
        let generation = before.generation + 1;
        let need = need.max(before.need);
        self.rules.store(Arc::new(Rules { authorities, is_judging, need, generation }));
        self.generation.store(generation, Ordering::Release);
    }

    /// An object is removed: `append` has its record in the log. Returns the makers of the authority records
    /// that went with it.
    pub(crate) fn object_removed(
        &self,
        definition: &Definition,
        append: &mut dyn FnMut() -> Lsn,
    ) -> (Lsn, Vec<Box<str>>) {
        let mut table = self.table.lock();
        let need = append();
        let makers = table.object_deleted(definition);
        if !makers.is_empty()
            && let Some((object_type, name)) = named(definition)
        {
            let rules = self.rules.load();
            let mut authorities = rules.authorities.clone();
            authorities.object_deleted(object_type, name);
            self.publish(authorities, need, rules.is_judging);
        }
        (need, makers)
    }
}

/// The type and name of the records that are for an object alone.
fn named(definition: &Definition) -> Option<(ObjectType, &str)> {
    let object_type = type_of(of_definition(definition).kind)?;
    Some((object_type, definition.name().as_str()))
}

pub(crate) fn keys(records: &AuthorityRecords) -> impl Iterator<Item = AuthorityKey> {
    let AuthorityRecords { object_type, scope, entities } = records;
    let profile = scope.to_string();
    entities.iter().map(move |entity| AuthorityKey {
        object_type: object_type.number(),
        profile: profile.as_str().into(),
        is_group: entity.is_group,
        entity: entity.name.clone(),
    })
}

/// The type and the objects of a record.
fn parts(key: &AuthorityKey) -> Option<(ObjectType, Scope)> {
    let object_type = ObjectType::by_number(key.object_type)?;
    Some((object_type, Scope::parse(object_type, &key.profile).ok()?))
}

fn named_entity(key: &AuthorityKey) -> EntityName {
    EntityName { is_group: key.is_group, name: key.entity.clone() }
}

pub(crate) fn entity(key: &AuthorityKey) -> Entity<'_> {
    if key.is_group { Entity::Group(&key.entity) } else { Entity::User(&key.entity) }
}

/// A set as the log has it: bit n for the authority of number n.
pub(crate) fn bits(set: Set) -> u32 {
    set.iter().fold(0, |bits, authority| bits | 1 << authority.number())
}

fn set_of(object_type: ObjectType, bits: u32) -> Set {
    let is_set = |authority: &&Authority| bits & 1 << authority.number() != 0;
    let all = Authority::ALL.iter().filter(is_set).fold(Set::EMPTY, |set, one| set.with(one.set()));
    // What does not fit was written by a later release.
    all.without(all.without(object_type.fitting()))
}

#[cfg(test)]
mod tests {
    use super::{Authority, ObjectType, bits, set_of};

    #[test]
    fn a_set_comes_back_from_its_bits_and_each_authority_has_its_own() {
        for object_type in ObjectType::all() {
            let set = object_type.fitting();
            assert_eq!(set_of(object_type, bits(set)), set, "{object_type:?}");
        }
        let numbers: Vec<i32> = Authority::ALL.iter().map(|authority| authority.number()).collect();
        assert!(numbers.iter().all(|number| (1..32).contains(number)));
        let mut unique = numbers.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), numbers.len());
    }
}
