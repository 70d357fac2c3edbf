//! Authority records as commands name and choose them, and their text.
//!
//! Lives elsewhere: reading them from text and from messages (`authority`).

use std::fmt;

use mqi::{ObjectName, OpenOptions, SubscribeOptions};
use security::authority::{EntityName, ObjectType, Scope, Set};
use security::{Command, Use};

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
    /// The records of a user, and those of the groups that the user is in.
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

/// A request in one word, which DISPLAY ENTAUTH has judged with RUNCHECK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedRequest {
    /// The word.
    pub word: &'static str,
    /// The use of the object.
    pub used: Use<'static>,
}

impl CheckedRequest {
    /// All of them: calls first, then commands.
    pub const ALL: &'static [Self] = &[
        Self::new("CONNECT", Use::Connect),
        Self::open("PUT", OpenOptions::OUTPUT),
        Self::open("GET", OpenOptions::INPUT_AS_Q_DEF),
        Self::open("BROWSE", OpenOptions::BROWSE),
        Self::open("INQ", OpenOptions::INQUIRE),
        Self::open("SET", OpenOptions::SET),
        Self::open("PASSID", OpenOptions::OUTPUT.union(OpenOptions::PASS_IDENTITY_CONTEXT)),
        Self::open("PASSALL", OpenOptions::OUTPUT.union(OpenOptions::PASS_ALL_CONTEXT)),
        Self::open("SETID", OpenOptions::OUTPUT.union(OpenOptions::SET_IDENTITY_CONTEXT)),
        Self::open("SETALL", OpenOptions::OUTPUT.union(OpenOptions::SET_ALL_CONTEXT)),
        Self::open("PUB", OpenOptions::OUTPUT),
        Self::new("SUB", Use::Subscribe { options: SubscribeOptions::CREATE, subscription: "" }),
        Self::new("RESUME", Use::Subscribe { options: SubscribeOptions::RESUME, subscription: "" }),
        Self::new("DEFINE", Use::Command(Command::Define)),
        Self::new("ALTER", Use::Command(Command::Alter)),
        Self::new("DELETE", Use::Command(Command::Delete)),
        Self::new("DISPLAY", Use::Command(Command::Display)),
        Self::new("CLEAR", Use::Command(Command::Clear)),
        Self::new("START", Use::Command(Command::Start)),
        Self::new("STOP", Use::Command(Command::Stop)),
        Self::new("RESET", Use::Command(Command::Reset)),
        Self::new("RESOLVE", Use::Command(Command::Resolve)),
    ];

    const fn new(word: &'static str, used: Use<'static>) -> Self {
        Self { word, used }
    }

    const fn open(word: &'static str, options: OpenOptions) -> Self {
        Self::new(word, Use::Open(options))
    }

    /// The request of a word, in any case of letters.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|request| request.word.eq_ignore_ascii_case(word)).copied()
    }
}

/// The rights of a user or group on an object, as DISPLAY ENTAUTH asks for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityChoice {
    /// The user or group.
    pub entity: EntityName,
    /// The type of the object.
    pub object_type: ObjectType,
    /// Its name; blank for the queue manager.
    pub name: ObjectName,
    /// The request of that user that is judged as well, as if it came. MQSC has it from us.
    pub check: Option<CheckedRequest>,
}

impl EntityChoice {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, object_type, name, check } = self;
        write!(formatter, " {}({})", entity.keyword(), quoted(&entity.name))?;
        write!(formatter, " OBJTYPE({})", object_type.keyword())?;
        if !name.is_blank() {
            write!(formatter, " OBJNAME({})", quoted(name.as_str()))?;
        }
        check.map_or(Ok(()), |check| write!(formatter, " RUNCHECK({})", check.word))
    }
}
