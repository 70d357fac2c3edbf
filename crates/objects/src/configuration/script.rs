//! The configuration that a script makes of another.
//!
//! Lives here: the order in which a script's definitions take effect, the commands that are left out.
//! Lives elsewhere: reading the script (`mqsc`), the commands that lead to the result (`configuration`).
//!
//! Always: a script that is wrong in one line makes nothing, and the error names that line.

use std::collections::BTreeMap;

use mqi::constants::MQCACF_SUB_NAME;

use super::authorities::Authorities;
use super::records::{Unset, set_rule};
use super::{Configuration, NO_IDENTIFIER, SYSTEM, is_system, key_of};
use crate::definition::{Definition, SettingError};
use crate::moment::Moment;
use crate::mqsc::{Alter, Command, Define, Name, Replace, Setting};
use crate::object_type::{NameSpace, ObjectType};
use crate::value::Value;

/// A command of a script, and the line that it begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Its line, counted from 1.
    pub line: usize,
    /// The command.
    pub command: Command,
}

/// Why a script makes no configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ScriptError {
    /// The line of the command that is wrong.
    pub line: usize,
    /// Its fault.
    pub problem: Problem,
}

/// The fault of a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Its object is not there.
    #[error("{0} names an object that is not defined, here or before this line")]
    Absent(String),
    /// The object of its LIKE is neither there nor made by the script.
    #[error("{0}: the object of LIKE is not defined")]
    LikeAbsent(String),
    /// An object of its name is of another type.
    #[error("{command}: {name} is a {found}", found = .found.full_keyword())]
    OtherType {
        /// The command.
        command: String,
        /// The object.
        name: String,
        /// Its type.
        found: ObjectType,
    },
    /// Its values do not fit.
    #[error("{command}: {source}")]
    Setting {
        /// The command.
        command: String,
        /// Why.
        source: SettingError,
    },
}

/// Returns why a command of a script is left out of a configuration; none for one that belongs there.
pub fn reason_left_out(command: &Command) -> Option<&'static str> {
    match command {
        Command::Define(_)
        | Command::Alter(_)
        | Command::Delete(_)
        | Command::SetAuthority(_)
        | Command::SetChannelRule(_)
        | Command::DeleteAuthority(_) => None,
        Command::Clear(_)
        | Command::ClearTopic(_)
        | Command::Move(_)
        | Command::Recover(_)
        | Command::Resolve(_)
        | Command::ResetStatistics(..)
        | Command::ResetChannel(_)
        | Command::ResolveChannel(_)
        | Command::ResetQueueManager(_) => Some("it defines nothing; run it with ferry mqsc"),
        Command::Absent(absent) => Some(absent.command.missing.reason()),
        command if command.is_question() => Some("it asks and defines nothing"),
        Command::RefreshQueueManager(_) | Command::RefreshSecurity(_) => Some("it defines nothing"),
        _ => Some("it starts or stops something and defines nothing"),
    }
}

/// The reason why a script does not delete an object of the system, unless it defines another in its place.
pub fn reason_it_stays(command: &Command, script: &[ScriptLine]) -> Option<&'static str> {
    let Command::Delete(delete) = command else { return None };
    let name = delete.name.to_string();
    let is_defined = |line: &ScriptLine| match &line.command {
        Command::Define(define) => define.name.as_str() == name,
        _ => false,
    };
    let stays = name.starts_with(SYSTEM) && !script.iter().any(is_defined);
    stays.then_some("system objects stay; ferry mqsc deletes one")
}

type Key = (NameSpace, String);

impl Configuration {
    /// Returns the configuration that a script makes of this one. LIKE may name an object that a later line
    /// defines; DELETE of an object that is not there changes nothing.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn after(&self, script: &[ScriptLine]) -> Result<Self, ScriptError> {
        let mut changed = self.clone();
        let mut later: BTreeMap<Key, usize> = BTreeMap::new();
        for (index, line) in script.iter().enumerate() {
            if let Command::Define(define) = &line.command {
                later.insert(key(define.object_type, define.name.as_str()), index);
            }
        }
        let mut waiting: Vec<&ScriptLine> = Vec::new();
        for (index, line) in script.iter().enumerate() {
            let defined_later = |key: &Key| later.get(key).is_some_and(|at| *at > index);
            let named = key_of(&line.command);
            let is_behind = waiting.iter().any(|before| key_of(&before.command) == named);
            if is_behind || changed.like_missing(&line.command).is_some_and(|key| defined_later(&key)) {
                waiting.push(line);
                continue;
            }
            changed.run(line)?;
            changed.run_waiting(&mut waiting)?;
        }
        match waiting.first() {
            // Two that are to be like each other, in a circle.
            Some(line) => Err(line.wrong(Problem::LikeAbsent(line.command.without_secrets().to_string()))),
            None => Ok(changed),
        }
    }

    /// Returns the configuration that a script makes of this one if only its objects are wanted, and the
    /// system objects.
    ///
    /// # Errors
    /// As [`Configuration::after`].
    pub fn only(&self, script: &[ScriptLine]) -> Result<Self, ScriptError> {
        let changed = self.after(script)?;
        let mut said = self.clone();
        said.objects.retain(|_, definition| is_system(definition));
        said.authorities = Authorities::default();
        let said = said.after(script)?;
        let objects = changed.objects.into_iter().filter(|(key, _)| said.objects.contains_key(key)).collect();
        let mut authorities = changed.authorities;
        authorities.keep_those_of(&said.authorities);
        Ok(Self { objects, authorities, ..changed })
    }

    /// Returns true for a command of the script that made this configuration whose NOREPLACE left alone what
    /// was there.
    pub fn has_kept(&self, line: &ScriptLine) -> bool {
        self.kept.iter().any(|(at, command)| *at == line.line && *command == line.command)
    }

    /// Returns true if NOREPLACE leaves alone what is there.
    fn keeps(&self, define: &Define) -> bool {
        let key = key(define.object_type, define.name.as_str());
        define.replace == Replace::No && self.objects.contains_key(&key)
    }

    /// The object that a definition is to be like and that is not there.
    fn like_missing(&self, command: &Command) -> Option<Key> {
        let Command::Define(define) = command else { return None };
        let like = define.like.as_ref().filter(|_| !self.keeps(define))?;
        let key = key(define.object_type, like.as_str());
        (!self.objects.contains_key(&key)).then_some(key)
    }

    /// Runs those that waited for an object and wait no longer, in their order.
    fn run_waiting(&mut self, waiting: &mut Vec<&ScriptLine>) -> Result<(), ScriptError> {
        loop {
            let is_ready = |index: &usize| {
                let line = waiting[*index];
                let named = key_of(&line.command);
                let is_first = waiting[..*index].iter().all(|before| key_of(&before.command) != named);
                is_first && self.like_missing(&line.command).is_none()
            };
            let Some(ready) = (0..waiting.len()).find(is_ready) else { return Ok(()) };
            let line = waiting.remove(ready);
            self.run(line)?;
        }
    }

    fn run(&mut self, line: &ScriptLine) -> Result<(), ScriptError> {
        let command = &line.command;
        if reason_left_out(command).is_some() {
            return Ok(());
        }
        let text = || command.without_secrets().to_string();
        let setting = |source| line.wrong(Problem::Setting { command: text(), source });
        let other_type = |found: &Definition| {
            let (name, found) = (found.shown_name().to_owned(), found.object_type());
            line.wrong(Problem::OtherType { command: text(), name, found })
        };
        match command {
            Command::Define(define) if self.keeps(define) => {
                self.kept.push((line.line, command.clone()));
                return Ok(());
            }
            Command::Define(define) => {
                let definition = match self.like(define) {
                    Like::Fresh(definition) => definition,
                    Like::Other(found) => return Err(other_type(found)),
                    Like::Absent => return Err(line.wrong(Problem::LikeAbsent(text()))),
                };
                let mut definition = definition;
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
                let key = key(alter.object_type, alter.name.as_str());
                let Some(definition) = self.objects.get_mut(&key) else {
                    return Err(line.wrong(Problem::Absent(text())));
                };
                if definition.object_type() != alter.object_type {
                    return Err(other_type(definition));
                }
                definition.alter(&alter.settings, Moment::default()).map_err(setting)?;
            }
            Command::Delete(delete) => {
                let key = (delete.name_space(), delete.name.to_string());
                let present = self.objects.get(&key);
                let found = present.map(Definition::object_type);
                if let (Some(present), Some(wanted)) = (present, delete.object_type)
                    && found != Some(wanted)
                {
                    return Err(other_type(present));
                }
                self.objects.remove(&key);
                self.forced.remove(&key);
                if delete.purge {
                    self.purged.insert(key)
                } else {
                    self.purged.remove(&key)
                };
            }
            Command::SetAuthority(set) => self.authorities.set(set),
            // Records that are not there are deleted already.
            Command::DeleteAuthority(records) => drop(self.authorities.delete(records)),
            Command::SetChannelRule(set) => match set_rule(&mut self.objects, set) {
                // Records that are not there are removed already.
                Ok(()) | Err(Unset::Absent) => {}
                Err(Unset::Setting(source)) => return Err(setting(source)),
            },
            // Left out above.
            _ => {}
        }
        if let (Command::Alter(Alter { force: true, .. }), Some(key)) = (command, key_of(command)) {
            self.forced.insert(key);
        }
        self.note_secrets(command);
        Ok(())
    }

    /// Notes the secrets that a command gives to its object, or takes from it.
    fn note_secrets(&mut self, command: &Command) {
        let Some(key) = key_of(command) else { return };
        let kept = match command {
            Command::Alter(_) => self.secrets.remove(&key).unwrap_or_default(),
            _ => Vec::new(),
        };
        let given: Vec<Setting> =
            command.settings().iter().filter(|setting| setting.secret().is_some()).cloned().collect();
        let is_given = |old: &Setting| given.iter().any(|new| new.attribute == old.attribute);
        let mut secrets: Vec<Setting> = kept.into_iter().filter(|old| !is_given(old)).collect();
        secrets.extend(given);
        if !secrets.is_empty() {
            self.secrets.insert(key, secrets);
        }
    }

    /// The definition that DEFINE begins with.
    fn like(&self, define: &Define) -> Like<'_> {
        let object_type = define.object_type;
        let name = define.name.object().copied();
        let name = name.unwrap_or_else(|| NO_IDENTIFIER.parse().unwrap_or_default());
        let like = define.like.as_ref().map(Name::as_str).or_else(|| object_type.default_object());
        let model = like.and_then(|like| self.objects.get(&key(object_type, like)));
        match model {
            Some(model) if model.object_type() != object_type => Like::Other(model),
            Some(model) => Like::Fresh(model.copy(name, Moment::default())),
            None if define.like.is_some() => Like::Absent,
            None => Like::Fresh(Definition::new(object_type, name, Moment::default())),
        }
    }
}

/// The object that gives a definition its values.
enum Like<'a> {
    /// A copy of it under the new name.
    Fresh(Definition),
    /// A definition of another type.
    Other(&'a Definition),
    /// No definition.
    Absent,
}

impl ScriptLine {
    fn wrong(&self, problem: Problem) -> ScriptError {
        ScriptError { line: self.line, problem }
    }
}

fn key(object_type: ObjectType, name: &str) -> Key {
    (object_type.name_space(), name.to_owned())
}
