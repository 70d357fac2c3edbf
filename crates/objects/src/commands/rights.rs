//! Authority records as commands name and choose them, and their text.
//!
//! Lives elsewhere: reading them from text and from messages (`authority`).

use std::fmt;

use mqi::ObjectName;
use security::authority::{EntityName, ObjectType, Scope, Set};

use crate::value::quoted;

/// Most users and groups that one command names: each is a record of the log.
pub const ENTITIES_MAX: usize = 100;

/// The records that SET and DELETE AUTHREC are about, one for each user and group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorityRecords {
    /// The type of the objects.
    pub object_type: ObjectType,
    /// The objects.
    pub scope: Scope,
    /// The users and groups.
    pub entities: Vec<EntityName>,
}

/// SET AUTHREC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAuthority {
    /// The records.
    pub records: AuthorityRecords,
    /// The authorities that are added; an empty set makes a record that gives nothing.
    pub add: Option<Set>,
    /// The authorities that are taken away before.
    pub remove: Option<Set>,
}

/// The choice among authority records that DISPLAY AUTHREC makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorityChoice {
    /// The profile, or the name of an object; none for every profile.
    pub profile: Option<Box<str>>,
    /// The type; none for every type.
    pub object_type: Option<ObjectType>,
    /// The user or group; none for all.
    pub entity: Option<EntityName>,
    /// The comparison of profile and entity.
    pub matching: Matching,
}

/// The comparison that DISPLAY AUTHREC makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Profiles that match the name; the entity itself.
    Profile,
    /// The same, and the records of the groups that the user is in.
    Membership,
    /// The very profile, and the entity itself.
    Exact,
    /// Profiles that the profile, taken as a pattern, stands for. Of binary form; MQSC has it from us.
    Wildcard,
}

impl Matching {
    /// The word for each.
    pub(super) const WORDS: [(&'static str, Self); 4] = [
        ("PROFILE", Self::Profile),
        ("MEMBERSHIP", Self::Membership),
        ("EXACT", Self::Exact),
        ("WILDCARD", Self::Wildcard),
    ];

    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, matching)| *matching == self);
        found.expect("each has a word").0
    }
}

impl AuthorityRecords {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = quoted(&self.scope.to_string());
        write!(formatter, " PROFILE({profile}) OBJTYPE({})", self.object_type.keyword())?;
        for is_group in [false, true] {
            let names = self.entities.iter().filter(|entity| entity.is_group == is_group);
            let names: Vec<String> = names.map(|entity| quoted(&entity.name)).collect();
            if !names.is_empty() {
                let keyword = if is_group { "GROUP" } else { "PRINCIPAL" };
                write!(formatter, " {keyword}({})", names.join(","))?;
            }
        }
        Ok(())
    }
}

impl SetAuthority {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.records.write(formatter)?;
        for (keyword, set) in [("AUTHADD", self.add), ("AUTHRMV", self.remove)] {
            if let Some(set) = set {
                write!(formatter, " {keyword}({set})")?;
            }
        }
        Ok(())
    }
}

impl AuthorityChoice {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(profile) = &self.profile {
            write!(formatter, " PROFILE({})", quoted(profile))?;
        }
        if let Some(object_type) = self.object_type {
            write!(formatter, " OBJTYPE({})", object_type.keyword())?;
        }
        if let Some(entity) = &self.entity {
            write!(formatter, " {}({})", entity.keyword(), quoted(&entity.name))?;
        }
        match self.matching {
            Matching::Profile => Ok(()),
            matching => write!(formatter, " MATCH({})", matching.word()),
        }
    }
}

pub(super) fn write_entity_authority(
    (entity, object_type, name): (&EntityName, ObjectType, &ObjectName),
    formatter: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(formatter, " {}({})", entity.keyword(), quoted(&entity.name))?;
    write!(formatter, " OBJTYPE({})", object_type.keyword())?;
    if name.is_blank() { Ok(()) } else { write!(formatter, " OBJNAME({})", quoted(name.as_str())) }
}
