//! Everything that is defined on one queue manager, as a script that makes it again and as the differences to
//! another.
//!
//! Lives here: the set of definitions, the commands that lead from one set to another.
//! Lives elsewhere: asking a queue manager for its definitions, and having commands run.
//!
//! Always: running the script on a new queue manager, and then asking it, gives the same set again; running
//! the commands from one set to another on the first gives the second.

mod authorities;
mod records;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mqi::ObjectName;
use mqi::constants::{
    MQBACF_DESTINATION_CORREL_ID, MQBACF_SUB_ID, MQCACF_DESTINATION, MQCACF_SUB_NAME, MQCACH_CHANNEL_NAME,
    MQDC_MANAGED, MQIA_DEFINITION_TYPE, MQIACF_DESTINATION_CLASS, MQIACF_SUB_TYPE, MQQDT_PREDEFINED,
    MQSUBTYPE_ADMIN,
};

use authorities::Authorities;

use crate::attributes::{self, Access, Attribute, Subject};
use crate::definition::{Definition, MANAGED_QUEUES, SettingError};
use crate::moment::Moment;
use crate::mqsc::{Alter, Command, Define, Delete, Name, STATEMENT_BYTES_MAX, SetChannelRule, Setting};
use crate::object_type::{Family, NameSpace, ObjectType};
use crate::value::Value;
use records::{Unset, remove, set_again, set_rule};

/// The definitions of one queue manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    manager: Definition,
    objects: BTreeMap<(NameSpace, String), Definition>,
    authorities: Authorities,
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

/// Why a command of a script does not belong in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It defines nothing.
    #[error(
        "{0} defines nothing: a configuration has DEFINE, ALTER, DELETE, SET AUTHREC and SET CHLAUTH only"
    )]
    NotADefinition(String),
    /// It is about an object that is not there.
    #[error("{0} names an object that is not defined")]
    Absent(String),
    /// Its values do not fit.
    #[error("{command}: {source}")]
    Setting {
        /// The command.
        command: String,
        /// Why.
        source: SettingError,
    },
}

/// The name that stands for all system objects.
const SYSTEM: &str = "SYSTEM.";

/// Replaces a subscription's identifier, which is given anew with each.
const NO_IDENTIFIER: &str = "000000000000000000000000000000000000000000000000";

impl Default for Configuration {
    fn default() -> Self {
        let manager = Definition::new(ObjectType::QueueManager, ObjectName::BLANK, Moment::default());
        let (objects, authorities) = (BTreeMap::new(), Authorities::default());
        Self { manager, objects, authorities, left_out: Vec::new() }
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
            if row.is_settable() {
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

    /// Returns the configuration that a script makes of this one.
    pub fn after(&self, commands: &[Command]) -> Result<Self, ScriptError> {
        let mut changed = self.clone();
        commands.iter().try_for_each(|command| changed.run(command))?;
        Ok(changed)
    }

    /// Returns the configuration that a script makes of this one if only its objects are wanted, and the
    /// system objects.
    pub fn only(&self, commands: &[Command]) -> Result<Self, ScriptError> {
        let changed = self.after(commands)?;
        let mut said = self.clone();
        said.objects.retain(|_, definition| is_system(definition));
        said.authorities = Authorities::default();
        let said = said.after(commands)?;
        let objects = changed.objects.into_iter().filter(|(key, _)| said.objects.contains_key(key)).collect();
        let mut authorities = changed.authorities;
        authorities.keep_those_of(&said.authorities);
        Ok(Self { objects, authorities, ..changed })
    }

    /// The commands that lead from this configuration to another.
    pub fn changes_to(&self, wanted: &Self, unwanted: Unwanted) -> Vec<Command> {
        let mut commands = Vec::new();
        if let Some(settings) = self.manager.differences(&wanted.manager) {
            let name = Name::Object(ObjectName::BLANK);
            commands.push(Command::Alter(Alter {
                object_type: ObjectType::QueueManager,
                name,
                force: false,
                settings,
            }));
        }
        for key in self.objects.keys().filter(|key| !wanted.objects.contains_key(*key)) {
            if unwanted == Unwanted::Delete && !is_system(&self.objects[key]) {
                commands.push(delete(&self.objects[key]));
            }
        }
        for (key, definition) in wanted.in_order() {
            match self.objects.get(key) {
                Some(present) if present.object_type() == definition.object_type() => {
                    commands.extend(wanted.change(present, definition));
                }
                Some(present) => {
                    commands.push(delete(present));
                    commands.push(wanted.define(definition, false));
                }
                None => commands.push(wanted.define(definition, false)),
            }
        }
        commands.extend(self.authorities.changes_to(&wanted.authorities, unwanted == Unwanted::Delete));
        commands
    }

    /// The script that makes all of it on a new queue manager.
    pub fn script(&self) -> String {
        let mut script = String::from(
            "* Made by ferry config dump: run on a new queue manager, it makes the definitions of this one.\n",
        );
        for name in &self.left_out {
            let _ = writeln!(script, "* Left out, since no command makes it: {name}");
        }
        let fresh = Definition::new(ObjectType::QueueManager, ObjectName::BLANK, Moment::default());
        let settings = fresh.differences(&self.manager).unwrap_or_default();
        if !settings.is_empty() {
            let name = Name::Object(ObjectName::BLANK);
            let object_type = ObjectType::QueueManager;
            write(&Command::Alter(Alter { object_type, name, force: false, settings }), &mut script);
        }
        for (_, definition) in self.in_order() {
            for command in self.statements(definition) {
                write(&command, &mut script);
            }
        }
        self.authorities.script().for_each(|command| write(&command, &mut script));
        script
    }

    /// The command that makes an object, and those that give it what would make that one too long.
    fn statements(&self, definition: &Definition) -> Vec<Command> {
        let whole = self.define(definition, true);
        if whole.to_string().len() <= STATEMENT_BYTES_MAX {
            return vec![whole];
        }
        let Command::Define(mut define) = whole else { return vec![whole] };
        let (fixed, alterable): (Vec<_>, Vec<_>) =
            define.settings.into_iter().partition(|setting| setting.attribute.access == Access::Definable);
        // What an object needs to be accepted is short or comes first.
        let (long, short): (Vec<_>, Vec<_>) = alterable
            .into_iter()
            .partition(|setting| setting.value.as_text().is_some_and(|text| text.len() > 1_000));
        define.settings = fixed.into_iter().chain(short).collect();
        let (object_type, name) = (define.object_type, define.name.clone());
        let alter = |setting| {
            let settings = vec![setting];
            Command::Alter(Alter { object_type, name: name.clone(), force: false, settings })
        };
        let others: Vec<Command> = long.into_iter().map(alter).collect();
        std::iter::once(Command::Define(define)).chain(others).collect()
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
        let replace = replace || is_default(definition);
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
        let object_type = wanted.object_type();
        Some(Command::Alter(Alter { object_type, name: name_of(wanted), force: false, settings }))
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

    fn run(&mut self, command: &Command) -> Result<(), ScriptError> {
        let setting = |source| ScriptError::Setting { command: command.to_string(), source };
        let absent = || ScriptError::Absent(command.to_string());
        match command {
            Command::Define(define) => {
                let object_type = define.object_type;
                let name = define.name.object().copied();
                let name = name.unwrap_or_else(|| NO_IDENTIFIER.parse().unwrap_or_default());
                let like = define.like.as_ref().map(Name::as_str).or_else(|| object_type.default_object());
                let like = like.map(|like| (object_type.name_space(), like.to_owned()));
                let model = like.and_then(|key| self.objects.get(&key));
                let mut definition = match (model, &define.like) {
                    (Some(model), _) => model.copy(name, Moment::default()),
                    (None, None) => Definition::new(object_type, name, Moment::default()),
                    (None, Some(_)) => return Err(absent()),
                };
                if let Name::Subscription(text) = &define.name {
                    definition.set_internal(MQCACF_SUB_NAME, Value::from(&**text));
                }
                definition.define(&define.settings, Moment::default()).map_err(setting)?;
                self.insert(definition);
            }
            Command::Alter(alter) if alter.object_type == ObjectType::QueueManager => {
                self.manager.alter(&alter.settings, Moment::default()).map_err(setting)?;
            }
            Command::Alter(alter) => {
                let key = (alter.object_type.name_space(), alter.name.to_string());
                let definition = self.objects.get_mut(&key).ok_or_else(absent)?;
                definition.alter(&alter.settings, Moment::default()).map_err(setting)?;
            }
            Command::Delete(delete) => {
                let key = (delete.name_space(), delete.name.to_string());
                if self.objects.remove(&key).is_none() && !delete.ignore_missing {
                    return Err(absent());
                }
            }
            Command::SetAuthority(set) => self.authorities.set(set),
            Command::DeleteAuthority(records) => {
                if !self.authorities.delete(records) {
                    return Err(absent());
                }
            }
            Command::SetChannelRule(set) => {
                set_rule(&mut self.objects, set).map_err(|unset| match unset {
                    Unset::Setting(source) => setting(source),
                    Unset::Absent => absent(),
                })?
            }
            other => return Err(ScriptError::NotADefinition(other.to_string())),
        }
        Ok(())
    }
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

fn delete(definition: &Definition) -> Command {
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
        purge: false,
        ignore_missing: false,
    })
}

/// Appends a command, an attribute a line.
fn write(command: &Command, script: &mut String) {
    let (head, settings) = match command {
        Command::Define(define) => {
            let head = Command::Define(Define { settings: Vec::new(), ..define.clone() });
            (head, &define.settings)
        }
        Command::Alter(alter) => {
            let head = Command::Alter(Alter { settings: Vec::new(), ..alter.clone() });
            (head, &alter.settings)
        }
        Command::SetChannelRule(set) => {
            let head = Command::SetChannelRule(SetChannelRule { settings: Vec::new(), ..set.clone() });
            (head, &set.settings)
        }
        other => {
            let _ = writeln!(script, "{other}");
            return;
        }
    };
    let _ = write!(script, "{head}");
    for Setting { attribute, value } in settings {
        script.push_str(" +\n       ");
        value.write_mqsc(attribute, script);
    }
    script.push('\n');
}

#[cfg(test)]
mod tests;
