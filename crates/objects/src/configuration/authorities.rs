//! The authority records of a configuration, and the commands that lead from some to others.

use std::collections::BTreeMap;

use mqi::constants::{
    MQCACF_AUTH_PROFILE_NAME, MQCACF_ENTITY_NAME, MQIACF_AUTHORIZATION_LIST, MQIACF_ENTITY_TYPE,
    MQIACF_OBJECT_TYPE, MQZAET_GROUP,
};
use security::authority::{EntityName, ObjectType, Scope, Set};

use crate::attributes::{self, Attribute, StatusType, Subject};
use crate::mqsc::{AuthorityRecords, Command, SetAuthority};
use crate::value::Value;

/// The objects and the entity of a record. The type stands first, so that records of a type come together.
pub(super) type Key = (ObjectType, Scope, EntityName);

/// Authority records by what they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Authorities(BTreeMap<Key, Set>);

/// The command that makes a record as it is.
pub(super) fn shown(key: &Key, set: Set) -> Command {
    change(key, Some(set), None)
}

impl Authorities {
    /// Adds a record as a display shows it. One that is not understood is of a later release, and left out.
    pub(super) fn add(&mut self, shown: impl Fn(&'static Attribute) -> Option<Value>) {
        let subject = Subject::Status(StatusType::AuthorityRecord);
        let of =
            |number| attributes::of(subject).find(|row| row.identifier_number() == number).and_then(&shown);
        let read = || {
            let object_type = ObjectType::by_number(of(MQIACF_OBJECT_TYPE)?.as_integer()?)?;
            let scope = Scope::parse(object_type, of(MQCACF_AUTH_PROFILE_NAME)?.as_text()?).ok()?;
            let is_group = of(MQIACF_ENTITY_TYPE)?.as_integer()? == MQZAET_GROUP;
            let name = of(MQCACF_ENTITY_NAME)?.as_text()?.into();
            let set = match of(MQIACF_AUTHORIZATION_LIST)? {
                Value::Integers(numbers) => numbers
                    .iter()
                    .filter_map(|number| object_type.numbered(*number))
                    .fold(Set::EMPTY, Set::with),
                _ => Set::EMPTY,
            };
            Some(((object_type, scope, EntityName { is_group, name }), set))
        };
        self.0.extend(read());
    }

    /// Adds a record as a queue manager keeps it.
    pub(super) fn keep(&mut self, key: Key, set: Set) {
        self.0.insert(key, set);
    }

    /// Every record.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Key, Set)> {
        self.0.iter().map(|(key, set)| (key, *set))
    }

    pub(super) fn set(&mut self, command: &SetAuthority) {
        for key in keys(&command.records) {
            let set = self.0.entry(key).or_default();
            *set = set.without(command.remove.unwrap_or_default()).with(command.add.unwrap_or_default());
        }
    }

    /// Deletes records; false when one is not there.
    pub(super) fn delete(&mut self, records: &AuthorityRecords) -> bool {
        keys(records).filter(|key| self.0.remove(key).is_none()).count() == 0
    }

    /// Only the records that others have as well.
    pub(super) fn keep_those_of(&mut self, others: &Self) {
        self.0.retain(|key, _| others.0.contains_key(key));
    }

    /// The commands that make those of a choice.
    pub(super) fn script(&self, is_chosen: impl Fn(&Key) -> bool) -> impl Iterator<Item = Command> {
        self.0.iter().filter(move |(key, _)| is_chosen(key)).map(|(key, set)| change(key, Some(*set), None))
    }

    /// The commands that lead from these records to others; those that are not wanted are deleted or stay.
    pub(super) fn changes_to(&self, wanted: &Self, deletes: bool) -> Vec<Command> {
        let gone = self.0.keys().filter(|key| deletes && !wanted.0.contains_key(*key));
        let mut commands: Vec<Command> = gone.map(|key| Command::DeleteAuthority(records(key))).collect();
        for (key, set) in &wanted.0 {
            match self.0.get(key) {
                None => commands.push(change(key, Some(*set), None)),
                Some(present) if present == set => {}
                Some(present) => {
                    let only = |set: Set| (!set.is_empty()).then_some(set);
                    let (added, removed) = (set.without(*present), present.without(*set));
                    commands.push(change(key, only(added), only(removed)));
                }
            }
        }
        commands
    }
}

fn keys(records: &AuthorityRecords) -> impl Iterator<Item = Key> {
    let AuthorityRecords { object_type, scope, entities } = records;
    entities.iter().map(|entity| (*object_type, *scope, entity.clone()))
}

fn records((object_type, scope, entity): &Key) -> AuthorityRecords {
    AuthorityRecords { object_type: *object_type, scope: *scope, entities: vec![entity.clone()] }
}

fn change(key: &Key, add: Option<Set>, remove: Option<Set>) -> Command {
    Command::SetAuthority(SetAuthority { records: records(key), add, remove })
}
