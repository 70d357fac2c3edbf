//! Everything that is defined on one queue manager, as a script that makes it again and as the differences to
//! another.
//!
//! Lives here: the set of definitions, the commands that lead from one set to another, the set that a script
//! makes of another (`script`), a set as text (`dump`).
//! Lives elsewhere: asking a queue manager for its definitions, and having commands run.
//!
//! Always: running the script on a new queue manager, and then asking it, gives the same set again; running
//! the commands from one set to another on the first gives the second.

mod authorities;
pub mod dump;
mod lost;
pub mod openings;
mod records;
pub mod script;

use std::collections::{BTreeMap, BTreeSet};

use mqi::ObjectName;
use mqi::constants::{
    MQBACF_DESTINATION_CORREL_ID, MQBACF_SUB_ID, MQCACF_DESTINATION, MQCACF_SUB_NAME, MQCACH_CHANNEL_NAME,
    MQDC_MANAGED, MQIA_DEFINITION_TYPE, MQIACF_DESTINATION_CLASS, MQIACF_SUB_TYPE, MQQDT_PREDEFINED,
    MQSUBTYPE_ADMIN,
};

use authorities::Authorities;
use security::authority::{self, Entity, EntityName};

use crate::attributes::{self, Access, Attribute, Subject};
use crate::definition::{Definition, MANAGED_QUEUES};
use crate::moment::Moment;
use crate::mqsc::{Alter, AuthorityRecords, Command, Define, Delete, Name, Replace, Setting};
use crate::object_type::{Family, NameSpace, ObjectType};
use crate::secrets::SIGN;
use crate::value::Value;
use records::{remove, set_again};

/// The definitions of one queue manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    manager: Definition,
    objects: BTreeMap<(NameSpace, String), Definition>,
    authorities: Authorities,
    /// The secrets that a script gives to objects; those that a queue manager keeps, it does not tell.
    secrets: BTreeMap<(NameSpace, String), Vec<Setting>>,
    /// The objects that a script alters with FORCE.
    forced: BTreeSet<(NameSpace, String)>,
    /// The queues that a script deletes with PURGE.
    purged: BTreeSet<(NameSpace, String)>,
    /// The commands of a script, with their lines, whose NOREPLACE leaves alone what is there.
    kept: Vec<(usize, Command)>,
    /// Objects that no command makes: queues made from models, subscriptions of programs.
    left_out: Vec<String>,
}

/// A part of a configuration that one question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The objects of a family.
    Objects(Family),
    /// The authority records.
    Authorities,
}

/// The treatment of objects that are not wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwanted {
    /// They stay.
    Keep,
    /// They are deleted; system objects stay.
    Delete,
}

/// The name that stands for all system objects.
const SYSTEM: &str = "SYSTEM.";

/// Replaces a subscription's identifier, which is given anew with each.
const NO_IDENTIFIER: &str = "000000000000000000000000000000000000000000000000";

impl Default for Configuration {
    fn default() -> Self {
        let manager = Definition::new(ObjectType::QueueManager, ObjectName::BLANK, Moment::default());
        Self {
            manager,
            objects: BTreeMap::new(),
            authorities: Authorities::default(),
            secrets: BTreeMap::new(),
            forced: BTreeSet::new(),
            purged: BTreeSet::new(),
            kept: Vec::new(),
            left_out: Vec::new(),
        }
    }
}

impl Configuration {
    /// The questions whose answers, all together, are a configuration.
    pub fn questions() -> impl Iterator<Item = (Part, String)> {
        let question = |family: Family| match family {
            Family::QueueManager => "DISPLAY QMGR ALL".to_owned(),
            Family::Subscription => "DISPLAY SUB(*) SUBTYPE(ALL) ALL".to_owned(),
            Family::ChannelRule => "DISPLAY CHLAUTH(*) ALL".to_owned(),
            family => format!("DISPLAY {}(*) ALL", family.keyword()),
        };
        let objects = Family::all().map(move |family| (Part::Objects(family), question(family)));
        objects.chain([(Part::Authorities, "DISPLAY AUTHREC ALL".to_owned())])
    }

    /// Adds an object or a record as a display shows it: `shown` gives the value of each attribute.
    pub fn add(&mut self, part: Part, shown: impl Fn(&'static Attribute) -> Option<Value>) {
        match part {
            Part::Objects(family) => self.add_object(family, shown),
            Part::Authorities => self.authorities.add(shown),
        }
    }

    /// Adds a definition as a queue manager keeps it; the queue manager's own is one.
    pub fn keep(&mut self, definition: Definition) {
        let is_rule = definition.object_type() == ObjectType::ChannelRule;
        self.insert(if is_rule { definition.keyed() } else { definition });
    }

    /// Adds an authority record as a queue manager keeps it.
    pub fn keep_authority(&mut self, record: authority::Record<'_>) {
        let authority::Record { object_type, scope, entity, set } = record;
        let entity = match entity {
            Entity::User(name) => EntityName { is_group: false, name: name.into() },
            Entity::Group(name) => EntityName { is_group: true, name: name.into() },
        };
        self.authorities.keep((object_type, scope, entity), set);
    }

    /// Tells if there is an authority record.
    pub fn has_authorities(&self) -> bool {
        self.authorities.all().next().is_some()
    }

    fn add_object(&mut self, family: Family, shown: impl Fn(&'static Attribute) -> Option<Value>) {
        let Some(object_type) = type_of(family, &shown) else { return };
        let rows = || attributes::of(Subject::Object(object_type));
        let name = rows().next().and_then(&shown).and_then(|name| name.as_text().map(str::to_owned));
        let name = name.unwrap_or_default();
        let object_name = match family {
            Family::Subscription => NO_IDENTIFIER,
            Family::QueueManager | Family::ChannelRule => "",
            _ => &name,
        };
        let mut definition =
            Definition::new(object_type, object_name.parse().unwrap_or_default(), Moment::default());
        for row in rows() {
            let Some(value) = shown(row) else { continue };
            let made_by_us = match row.identifier_number() {
                MQIA_DEFINITION_TYPE if row.access == Access::Stored => {
                    value == Value::Integer(MQQDT_PREDEFINED)
                }
                MQIACF_SUB_TYPE => value == Value::Integer(MQSUBTYPE_ADMIN),
                _ => true,
            };
            // The queue of a subscription is made with it, and left out with it.
            if !made_by_us && name.starts_with(MANAGED_QUEUES) {
                return;
            }
            if !made_by_us {
                self.left_out.push(format!("{} {name}", object_type.keyword()));
                return;
            }
            if row.is_secret && value == Value::from(SIGN) {
                definition.note_secret(row);
            } else if row.is_settable() {
                // A value that is not one of the attribute's is that of a later release.
                let _ = definition.set(row, value);
            }
        }
        if family == Family::ChannelRule {
            definition = definition.keyed();
        }
        if family == Family::Subscription {
            definition.set_internal(MQCACF_SUB_NAME, Value::from(name.as_str()));
            // Its identifier stands for its messages where nothing else was said, and is given anew with it.
            let of = |number| attributes::by_pcf(object_type, number).and_then(&shown);
            if of(MQBACF_DESTINATION_CORREL_ID) == of(MQBACF_SUB_ID) {
                definition.set_internal(MQBACF_DESTINATION_CORREL_ID, Value::from(NO_IDENTIFIER));
            }
            if definition.integer(MQIACF_DESTINATION_CLASS) == MQDC_MANAGED {
                // Its queue is made anew with it.
                definition.set_internal(MQCACF_DESTINATION, Value::from(""));
            }
        }
        self.insert(definition);
    }

    /// The commands that lead from this configuration to another. Those of which a part is lost for good come
    /// last, so that a refusal before them leaves nothing changed.
    pub fn changes_to(&self, wanted: &Self, unwanted: Unwanted) -> Vec<Command> {
        let (mut commands, mut last, mut purges) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(settings) = self.manager.differences(&wanted.manager) {
            commands.push(wanted.alter(&wanted.manager, settings));
        }
        commands.extend(self.amqp_names_given_up(wanted, unwanted));
        // Adds the deletion of an object, and the command that follows it.
        let mut add_deletion = |commands: &mut Vec<Command>,
                                key: &(NameSpace, String),
                                present: &Definition,
                                follower: Option<Command>| {
            let is_purge = present.object_type() == ObjectType::LocalQueue && wanted.purged.contains(key);
            let deletion = delete(present, is_purge);
            let commands = match self.loses(&deletion) {
                true if is_purge => &mut purges,
                true => &mut last,
                false => commands,
            };
            commands.extend([deletion].into_iter().chain(follower));
        };
        for (key, present) in self.objects.iter().filter(|(key, _)| !wanted.objects.contains_key(*key)) {
            if unwanted == Unwanted::Delete && !is_system(present) {
                add_deletion(&mut commands, key, present, None);
            }
        }
        for (key, definition) in wanted.in_order() {
            match self.objects.get(key) {
                Some(present) if present.object_type() == definition.object_type() => {
                    commands.extend(wanted.change(present, definition));
                }
                Some(present) => {
                    add_deletion(&mut commands, key, present, Some(wanted.define(definition, false)));
                }
                None => commands.push(wanted.define(definition, false)),
            }
        }
        let authorities = self.authorities.changes_to(&wanted.authorities, unwanted == Unwanted::Delete);
        // The records for its name alone go with an object: those that go too are deleted before it.
        let is_behind = |command: &Command| goes_with(command, &last) || goes_with(command, &purges);
        let is_first = |command: &Command| {
            let goes = goes_with(command, &commands) || is_behind(command);
            goes && matches!(command, Command::DeleteAuthority(_))
        };
        let (first, authorities): (Vec<_>, Vec<_>) = authorities.into_iter().partition(is_first);
        let (behind, before): (Vec<_>, Vec<_>) = authorities.into_iter().partition(is_behind);
        commands.splice(0..0, first);
        commands.extend(before);
        commands.extend(last);
        for (key, given) in &wanted.secrets {
            let present = self.find(key);
            // A blank takes away what is there.
            let is_change = |setting: &&Setting| {
                let is_kept =
                    present.is_some_and(|found| found.stored(setting.attribute) == Value::from(SIGN));
                setting.secret() != Some("") || is_kept
            };
            let given: Vec<Setting> = given.iter().filter(is_change).cloned().collect();
            if !given.is_empty() {
                wanted.give_secrets(key, given, &mut commands);
            }
        }
        commands.extend(purges);
        commands.extend(behind);
        commands
    }

    /// The commands by which objects give up names in AMQP that others are to have: each leads to one object.
    fn amqp_names_given_up(&self, wanted: &Self, unwanted: Unwanted) -> Vec<Command> {
        let named = |(key, definition): (&'_ (NameSpace, String), &'_ Definition)| {
            let name = definition.amqp_name();
            (!name.is_empty()).then(|| (name.to_owned(), key.clone()))
        };
        let later: BTreeMap<String, (NameSpace, String)> = wanted.objects.iter().filter_map(named).collect();
        let goes = |key: &(NameSpace, String), present: &Definition| {
            let becomes = wanted.objects.get(key).map(Definition::amqp_name);
            let is_deleted = || unwanted == Unwanted::Delete && !is_system(present);
            becomes.map_or_else(is_deleted, |name| name != present.amqp_name())
        };
        let given_up = self.objects.iter().filter(|(key, present)| {
            later.get(present.amqp_name()).is_some_and(|holder| holder != *key) && goes(key, present)
        });
        given_up
            .filter_map(|(_, present)| {
                let subject = Subject::Object(present.object_type());
                let attribute = attributes::by_keyword(subject, "AMQPNAME")?;
                Some(wanted.alter(present, vec![Setting { attribute, value: Value::from("") }]))
            })
            .collect()
    }

    /// The definition in a place; the queue manager's in its own.
    fn find(&self, key: &(NameSpace, String)) -> Option<&Definition> {
        let manager = || (key.0 == ObjectType::QueueManager.name_space()).then_some(&self.manager);
        self.objects.get(key).or_else(manager)
    }

    /// Has commands give an object the secrets of a script: always, since the present ones cannot be
    /// compared. An object that is there gets them by a command of their own, behind all others.
    fn give_secrets(&self, key: &(NameSpace, String), given: Vec<Setting>, commands: &mut Vec<Command>) {
        let is_making = |command: &&mut Command| {
            matches!(command, Command::Define(_)) && key_of(command).as_ref() == Some(key)
        };
        let making = commands.iter_mut().find(is_making);
        let settings = match making {
            Some(Command::Define(define)) => &mut define.settings,
            _ => {
                let Some(definition) = self.find(key) else { return };
                commands.push(self.alter(definition, given));
                return;
            }
        };
        settings.extend(given);
    }

    /// The commands that make the objects of some changes, and no others, what they are here again.
    pub fn undoing(&self, changes: &[Command], present: &Self) -> Vec<Command> {
        let changed: Vec<_> = changes.iter().filter_map(place_of).collect();
        let back = present.changes_to(&self.to_undo(changes), Unwanted::Delete);
        let is_changed = |command: &Command| place_of(command).is_some_and(|place| changed.contains(&place));
        back.into_iter().filter(|command| is_changed(command) || goes_with(command, changes)).collect()
    }

    /// The objects that give others their values first.
    fn in_order(&self) -> impl Iterator<Item = (&(NameSpace, String), &Definition)> {
        let defaults = self.objects.iter().filter(|(_, definition)| is_default(definition));
        defaults.chain(self.objects.iter().filter(|(_, definition)| !is_default(definition)))
    }

    fn define(&self, definition: &Definition, replace: bool) -> Command {
        let object_type = definition.object_type();
        if object_type.family().is_record() {
            return set_again(definition);
        }
        let given = self.given(definition);
        let settings = given.differences(definition).unwrap_or_default();
        let replace = if replace || is_default(definition) { Replace::Yes } else { Replace::Unsaid };
        Command::Define(Define { object_type, name: name_of(definition), replace, like: None, settings })
    }

    /// Returns the command that makes one definition of another: it alters the object, or replaces it.
    fn change(&self, present: &Definition, wanted: &Definition) -> Option<Command> {
        let settings = present.differences(wanted)?;
        if wanted.object_type().family().is_record() {
            return Some(set_again(wanted));
        }
        if settings.iter().any(|setting| setting.attribute.access == Access::Definable) {
            // A default object takes what is not said from itself as it stands.
            let said = |define| Command::Define(Define { settings: settings.clone(), ..define });
            return Some(match self.define(wanted, true) {
                Command::Define(define) if is_default(wanted) => said(define),
                command => command,
            });
        }
        Some(self.alter(wanted, settings))
    }

    fn alter(&self, definition: &Definition, settings: Vec<Setting>) -> Command {
        let object_type = definition.object_type();
        let name = match object_type {
            ObjectType::QueueManager => Name::Object(ObjectName::BLANK),
            _ => name_of(definition),
        };
        let force = self.forced.contains(&(object_type.name_space(), name.to_string()));
        Command::Alter(Alter { object_type, name, force, settings })
    }

    /// Returns the definition that DEFINE gives an object without any settings.
    fn given(&self, definition: &Definition) -> Definition {
        let object_type = definition.object_type();
        let fresh = || Definition::new(object_type, *definition.name(), Moment::default());
        if is_default(definition) {
            return fresh();
        }
        let default = object_type.default_object().map(|name| (object_type.name_space(), name.to_owned()));
        let default = default.and_then(|key| self.objects.get(&key));
        default.map_or_else(fresh, |default| default.copy(*definition.name(), Moment::default()))
    }

    fn insert(&mut self, definition: Definition) {
        if definition.object_type() == ObjectType::QueueManager {
            self.manager = definition;
        } else {
            let key = (definition.object_type().name_space(), definition.shown_name().to_owned());
            self.objects.insert(key, definition);
        }
    }
}

/// The definition that a command is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Object((NameSpace, String)),
    Authority(AuthorityRecords),
}

/// The place of the definition that a command is about.
fn place_of(command: &Command) -> Option<Place> {
    Some(match command {
        Command::SetAuthority(set) => Place::Authority(set.records.clone()),
        Command::DeleteAuthority(records) => Place::Authority(records.clone()),
        command => Place::Object(key_of(command)?),
    })
}

/// Returns true for a command about an authority record that goes with an object which others delete.
fn goes_with(command: &Command, others: &[Command]) -> bool {
    let Some(Place::Authority(AuthorityRecords { scope, .. })) = place_of(command) else { return false };
    let name = scope.to_string();
    others.iter().any(|other| matches!(other, Command::Delete(delete) if delete.name.as_str() == name))
}

/// The place of the object that a definition is about.
fn key_of(command: &Command) -> Option<(NameSpace, String)> {
    Some(match command {
        Command::Define(define) => (define.object_type.name_space(), define.name.to_string()),
        Command::Alter(alter) => (alter.object_type.name_space(), alter.name.to_string()),
        Command::Delete(delete) => (delete.name_space(), delete.name.to_string()),
        _ => return None,
    })
}

fn type_of(family: Family, shown: &impl Fn(&'static Attribute) -> Option<Value>) -> Option<ObjectType> {
    let first = family.types().next()?;
    if first.subtype().is_none() {
        return Some(first);
    }
    let row = attributes::of(Subject::Object(first)).nth(1)?;
    let subtype = shown(row)?.as_integer();
    family.types().find(|found| found.subtype_value() == subtype)
}

/// Says if a queue manager has an object from the start. Records for every channel count as such: they close
/// what no other record opens.
fn is_system(definition: &Definition) -> bool {
    match definition.object_type() {
        ObjectType::ChannelRule => {
            let profile = definition.text(MQCACH_CHANNEL_NAME);
            profile == "*" || profile.starts_with(SYSTEM)
        }
        _ => definition.shown_name().starts_with(SYSTEM),
    }
}

fn is_default(definition: &Definition) -> bool {
    definition.object_type().default_object() == Some(definition.shown_name())
}

fn name_of(definition: &Definition) -> Name {
    match definition.object_type() {
        ObjectType::Subscription => Name::Subscription(definition.shown_name().into()),
        _ => Name::Object(*definition.name()),
    }
}

fn delete(definition: &Definition, purge: bool) -> Command {
    let object_type = definition.object_type();
    let family = object_type.family();
    if family.is_record() {
        return remove(definition);
    }
    let is_told = family == Family::Queue || object_type == ObjectType::ClientConnectionChannel;
    Command::Delete(Delete {
        family,
        object_type: is_told.then_some(object_type),
        name: name_of(definition),
        purge,
        ignore_missing: false,
    })
}

#[cfg(test)]
mod tests;
