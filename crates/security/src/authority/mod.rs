//! Records of authorities, and the verdict on a request.
//!
//! Lives here: authorities and sets (`set`), the types of objects (`table`, made from
//! `facts/authorities.csv`, and `object_type`), records and verdicts. Lives elsewhere: the authorities that a
//! call needs (`needs`), profiles (`profile`), the groups of a user, the snapshot that a running queue
//! manager asks (`queue-manager`).
//!
//! Always: the authorities of a user, of each of its groups and of the group `nobody` add up; of the records
//! of one of them the most specific profile alone counts; a name never makes an administrator.

mod object_type;
mod set;
mod table;
#[cfg(test)]
mod tests;

pub use set::{Authority, Set};
pub use table::ObjectType;

use crate::letters::is_harmful;
use crate::profile::{self, Index, Profile};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::fmt;
use std::sync::Arc;

/// Most records; each has some hundred bytes.
pub const RECORDS_MAX: usize = 1_000_000;
/// Most bytes of the name of a user or group.
pub const ENTITY_LENGTH_MAX: usize = 64;
/// The group that every user is in.
pub const NOBODY: &str = "nobody";
/// The group whose users are administrators, once a login has proved them.
pub const ADMINISTRATORS: &str = "ferrymq";
/// The name under which the queue manager itself has its records.
const SELF: &str = "SELF";
/// The profile that stands for a type of objects rather than for names.
const CLASS: &str = "@CLASS";

/// A user or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity<'a> {
    /// A user.
    User(&'a str),
    /// A group.
    Group(&'a str),
}

/// The name of a user or a group that is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityName {
    /// A group, else a user.
    pub is_group: bool,
    /// The name, exactly as it was given.
    pub name: Box<str>,
}

impl EntityName {
    /// The name of a user.
    #[must_use]
    pub fn user(name: &str) -> Self {
        Self { is_group: false, name: name.into() }
    }

    /// The name of a group.
    #[must_use]
    pub fn group(name: &str) -> Self {
        Self { is_group: true, name: name.into() }
    }

    /// The entity as records see it.
    #[must_use]
    pub fn as_entity(&self) -> Entity<'_> {
        if self.is_group { Entity::Group(&self.name) } else { Entity::User(&self.name) }
    }

    /// The keyword of MQSC in front of the name.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        if self.is_group { "GROUP" } else { "PRINCIPAL" }
    }

    /// Tells if a user or a group can have the name.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        is_possible(&self.name)
    }
}

fn is_possible(name: &str) -> bool {
    (1..=ENTITY_LENGTH_MAX).contains(&name.len()) && !name.contains(is_harmful)
}

/// The objects that a record is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Objects whose names match.
    Names(Profile),
    /// The type as a whole: `@CLASS`, for CRT.
    Class,
}

impl Scope {
    /// Takes the profile of a command. That of the queue manager may be left out, and is the same for any
    /// text.
    ///
    /// # Errors
    /// When the text is no profile.
    pub fn parse(object_type: ObjectType, text: &str) -> Result<Self, profile::ProfileError> {
        if text.eq_ignore_ascii_case(CLASS) {
            return Ok(Self::Class);
        }
        let text = if object_type == ObjectType::QueueManager { SELF } else { text };
        text.parse().map(Self::Names)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Names(profile) => profile.fmt(formatter),
            Self::Class => formatter.pad(CLASS),
        }
    }
}

/// A record: the authorities of an entity for objects of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The type of the objects.
    pub object_type: ObjectType,
    /// The objects.
    pub scope: Scope,
    /// The user or group.
    pub entity: Entity<'a>,
    /// The authorities, perhaps none.
    pub set: Set,
}

/// A reason why a record is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthorityError {
    /// Authorities do not fit the type.
    #[error("{unfit} cannot be given on {}; it has {}", object_type.keyword(), object_type.fitting())]
    Unfit {
        /// The authorities that do not fit.
        unfit: Set,
        /// The type.
        object_type: ObjectType,
    },
    /// The name of the entity cannot be that of a user or group.
    #[error(
        "the name of a user or group has 1 to {ENTITY_LENGTH_MAX} bytes, and no control characters, marks of \
         direction or letters that are not seen"
    )]
    Entity,
    /// There are too many records.
    #[error(
        "there are {RECORDS_MAX} authority records, which is the most; delete some, or use generic profiles"
    )]
    TooMany,
}

/// A caller, as records see it.
#[derive(Clone, Copy, Debug)]
pub struct Who<'a> {
    /// The user; blank for a partner without a name, which is `nobody`.
    pub user: &'a str,
    /// The groups of the user.
    pub groups: &'a [Box<str>],
    /// A login made the caller an administrator.
    pub is_administrator: bool,
}

/// A request: authorities on an object, whether there is such an object or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct What<'a> {
    /// The type of the object.
    pub object_type: ObjectType,
    /// The name of the object; that of the queue manager is not looked at.
    pub name: &'a str,
    /// The authorities that are needed.
    pub needed: Set,
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// The authorities that were needed.
    pub needed: Set,
    /// The authorities that the caller has on the object by records.
    pub had: Set,
    /// The caller is an administrator, and needs no record.
    pub is_administrator: bool,
    /// The record that gives the last authority that was needed; in a refusal the one that came nearest, if
    /// any record is for the object.
    pub deciding: Option<Record<'a>>,
}

impl Verdict<'_> {
    /// Tells if the request is granted.
    #[must_use]
    pub const fn is_granted(&self) -> bool {
        self.is_administrator || self.had.contains(self.needed)
    }

    /// The authorities that are missing.
    #[must_use]
    pub const fn missing(&self) -> Set {
        if self.is_administrator { Set::EMPTY } else { self.needed.without(self.had) }
    }
}

/// The records of one entity for one type.
#[derive(Clone, Debug, Default)]
struct Held {
    names: Index<Set>,
    class: Option<Set>,
}

impl Held {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.class.is_none()
    }

    fn get(&self, scope: &Scope) -> Option<Set> {
        match scope {
            Scope::Names(profile) => self.names.get(profile).copied(),
            Scope::Class => self.class,
        }
    }
}

type Entities = HashMap<Box<str>, Arc<Held>, FixedState>;

/// The records of one type of objects.
#[derive(Clone, Debug, Default)]
struct OfType {
    users: Entities,
    groups: Entities,
}

impl OfType {
    fn held(&self, entity: Entity<'_>) -> Option<&Held> {
        let (entities, name) = match entity {
            Entity::User(name) => (&self.users, name),
            Entity::Group(name) => (&self.groups, name),
        };
        entities.get(name).map(|held| &**held)
    }
}

/// All records. A copy shares what does not change.
#[derive(Clone, Debug)]
pub struct Authorities {
    /// By type, in the order of the types.
    types: Box<[Arc<OfType>]>,
    count: usize,
}

impl Default for Authorities {
    fn default() -> Self {
        Self { types: ObjectType::all().map(|_| Arc::default()).collect(), count: 0 }
    }
}

impl Authorities {
    /// The number of records.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Tells if there is no record.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The set of a record; none when there is no such record.
    #[must_use]
    pub fn get(&self, object_type: ObjectType, scope: &Scope, entity: Entity<'_>) -> Option<Set> {
        self.types[object_type as usize].held(entity)?.get(scope)
    }

    /// Sets a record, in the place of one for the same objects and entity; returns the set that this one had.
    ///
    /// # Errors
    /// When authorities do not fit the type, the entity has no possible name, or there are too many records.
    pub fn set(&mut self, record: Record<'_>) -> Result<Option<Set>, AuthorityError> {
        let Record { object_type, scope, entity, set } = record;
        let unfit = set.without(object_type.fitting());
        if !unfit.is_empty() {
            return Err(AuthorityError::Unfit { unfit, object_type });
        }
        let (Entity::User(name) | Entity::Group(name)) = entity;
        if !is_possible(name) {
            return Err(AuthorityError::Entity);
        }
        if self.count >= RECORDS_MAX && self.get(object_type, &scope, entity).is_none() {
            return Err(AuthorityError::TooMany);
        }
        let held = Arc::make_mut(self.entities_mut(object_type, entity).entry_ref(name).or_default());
        let before = match scope {
            Scope::Names(profile) => held.names.insert(profile, set),
            Scope::Class => held.class.replace(set),
        };
        self.count += usize::from(before.is_none());
        Ok(before)
    }

    /// Deletes a record, and returns its set; none when there is no such record.
    pub fn delete(&mut self, object_type: ObjectType, scope: &Scope, entity: Entity<'_>) -> Option<Set> {
        self.get(object_type, scope, entity)?;
        let (Entity::User(name) | Entity::Group(name)) = entity;
        let entities = self.entities_mut(object_type, entity);
        let held = Arc::make_mut(entities.get_mut(name)?);
        let set = match scope {
            Scope::Names(profile) => held.names.remove(profile),
            Scope::Class => held.class.take(),
        };
        if held.is_empty() {
            entities.remove(name);
        }
        self.count -= usize::from(set.is_some());
        set
    }

    /// Deletes every record for the very name of an object that is gone; returns their number. Generic
    /// profiles stay.
    pub fn object_deleted(&mut self, object_type: ObjectType, name: &str) -> usize {
        let Some(profile) = Profile::exact(name) else { return 0 };
        let scope = Scope::Names(profile);
        let own = &self.types[object_type as usize];
        let has = |entities: &Entities| {
            let having = entities.iter().filter(|(_, held)| held.get(&scope).is_some());
            having.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let (users, groups) = (has(&own.users), has(&own.groups));
        let users = users.iter().map(|name| Entity::User(name));
        let gone: Vec<_> = users.chain(groups.iter().map(|name| Entity::Group(name))).collect();
        gone.into_iter().filter_map(|entity| self.delete(object_type, &scope, entity)).count()
    }

    /// Every record: by type, users before groups, in the order of names.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        ObjectType::all().flat_map(|object_type| {
            let own = &self.types[object_type as usize];
            let users = sorted(&own.users).map(|(name, held)| (Entity::User(name), held));
            users.chain(sorted(&own.groups).map(|(name, held)| (Entity::Group(name), held))).flat_map(
                move |(entity, held)| {
                    let names = held.names.iter().map(|(profile, set)| (Scope::Names(*profile), *set));
                    names.chain(held.class.map(|set| (Scope::Class, set))).map(move |(scope, set)| Record {
                        object_type,
                        scope,
                        entity,
                        set,
                    })
                },
            )
        })
    }

    /// Tells if a profile other than `**` matches a name, for any entity: the name is then no free one for a
    /// dynamic queue.
    #[must_use]
    pub fn covers(&self, object_type: ObjectType, name: &str) -> bool {
        let own = &self.types[object_type as usize];
        let all = Profile::all();
        let is_covered = |held: &Arc<Held>| held.names.find(name).is_some_and(|(profile, _)| *profile != all);
        own.users.values().any(is_covered) || own.groups.values().any(is_covered)
    }

    /// The authorities that a user has on an object by records; an administrator has those as well, and no
    /// more here.
    #[must_use]
    pub fn held(&self, who: Who<'_>, object_type: ObjectType, name: &str) -> Set {
        self.counting(who, object_type, name, true).fold(Set::EMPTY, |had, record| had.with(record.set))
    }

    /// The record of one entity that counts for an object: that with the most specific profile.
    #[must_use]
    pub fn most_specific<'a>(
        &'a self,
        entity: Entity<'a>,
        object_type: ObjectType,
        name: &str,
    ) -> Option<Record<'a>> {
        let name = if object_type == ObjectType::QueueManager { SELF } else { name };
        let (profile, set) = self.types[object_type as usize].held(entity)?.names.find(name)?;
        Some(Record { object_type, scope: Scope::Names(*profile), entity, set: *set })
    }

    /// Judges a request.
    #[must_use]
    pub fn judge<'a>(&'a self, who: Who<'a>, what: What<'_>) -> Verdict<'a> {
        let What { object_type, name, needed } = what;
        let mut had = Set::EMPTY;
        let mut nearest: Option<Record<'a>> = None;
        for record in self.counting(who, object_type, name, needed.contains(Set::CRT)) {
            let new = record.set.without(had);
            had = had.with(new);
            // The last one that helps is the one that decides; the first one stands in where none does.
            if nearest.is_none() || !new.without(new.without(needed)).is_empty() {
                nearest = Some(record);
            }
        }
        Verdict { needed, had, is_administrator: who.is_administrator, deciding: nearest }
    }

    /// The records that count for a user and an object: the most specific one of the user, of each group, of
    /// `nobody`. CRT comes from the queue manager's records, which are for every type, and from those of the
    /// class; these are looked at when it matters.
    fn counting<'a>(
        &'a self,
        who: Who<'a>,
        object_type: ObjectType,
        name: &str,
        creates: bool,
    ) -> impl Iterator<Item = Record<'a>> {
        let of_manager = object_type == ObjectType::QueueManager;
        let name = if of_manager { SELF } else { name };
        let own = &self.types[object_type as usize];
        let by_name = move |entity: Entity<'a>| {
            let (profile, set) = own.held(entity)?.names.find(name)?;
            let set = if of_manager { *set } else { set.without(Set::CRT) };
            Some(Record { object_type, scope: Scope::Names(*profile), entity, set })
        };
        let by_class = move |entity: Entity<'a>| {
            let set = own.held(entity)?.class?;
            Some(Record { object_type, scope: Scope::Class, entity, set: common(set, Set::CRT) })
        };
        let manager = &self.types[ObjectType::QueueManager as usize];
        let by_manager = move |entity: Entity<'a>| {
            let (profile, set) = manager.held(entity)?.names.find(SELF)?;
            let (object_type, scope) = (ObjectType::QueueManager, Scope::Names(*profile));
            let record = Record { object_type, scope, entity, set: common(*set, Set::CRT) };
            (!of_manager && !record.set.is_empty()).then_some(record)
        };
        let creators = move || entities(who).filter(move |_| creates);
        let by_name = entities(who).filter_map(by_name);
        by_name.chain(creators().filter_map(by_class)).chain(creators().filter_map(by_manager))
    }

    fn entities_mut(&mut self, object_type: ObjectType, entity: Entity<'_>) -> &mut Entities {
        let own = Arc::make_mut(&mut self.types[object_type as usize]);
        match entity {
            Entity::User(_) => &mut own.users,
            Entity::Group(_) => &mut own.groups,
        }
    }
}

/// The entities whose records add up for a caller.
fn entities(who: Who<'_>) -> impl Iterator<Item = Entity<'_>> {
    let user = if who.user.is_empty() { NOBODY } else { who.user };
    let groups = who.groups.iter().map(|name| Entity::Group(name));
    let is_nobody = |entity: &Entity<'_>| *entity == Entity::Group(NOBODY);
    std::iter::once(Entity::User(user))
        .chain(groups.filter(move |entity| !is_nobody(entity)))
        .chain([Entity::Group(NOBODY)])
}

const fn common(one: Set, other: Set) -> Set {
    one.without(one.without(other))
}

fn sorted(entities: &Entities) -> impl Iterator<Item = (&str, &Arc<Held>)> {
    let mut sorted: Vec<_> = entities.iter().map(|(name, held)| (&**name, held)).collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    sorted.into_iter()
}
