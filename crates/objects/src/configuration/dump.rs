//! Definitions as the script that makes them again.
//!
//! Always: run in its order on a new queue manager, a dump of all objects makes the same definitions.

use std::fmt::Write as _;

use mqi::constants::MQCACH_CHANNEL_NAME;
use mqi::{NamePattern, ObjectName};
use security::authority;

use super::records::set_again;
use super::{Configuration, authorities, name_of};
use crate::attributes::{self, Access};
use crate::definition::Definition;
use crate::harmless::harmless;
use crate::moment::Moment;
use crate::mqsc::{Alter, Command, Define, Name, Replace, STATEMENT_BYTES_MAX, SetChannelRule, Setting};
use crate::object_type::ObjectType;
use crate::secrets;

/// A choice of definitions and the form of their text.
#[derive(Clone, Debug)]
pub struct Dump {
    /// The first line, without its asterisk.
    pub heading: String,
    /// The types of objects; all when there is none.
    pub types: Vec<ObjectType>,
    /// The names of objects, and the profiles of records; all when there is none. The queue manager's own
    /// definition has no name of its own.
    pub names: Option<NamePattern>,
    /// The authority records among these.
    pub authorities: Records,
    /// Writes every attribute instead of those that differ from the default object's.
    pub all_attributes: bool,
    /// The lines of a command.
    pub layout: Layout,
}

/// The treatment of the authority records for the types and names of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Records {
    /// They are left out.
    LeftOut,
    /// They follow the objects.
    Included,
    /// They alone are written.
    Alone,
}

/// The lines that a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One for each attribute.
    AttributeALine,
    /// One.
    OneLine,
    /// One for the object and one for its attributes.
    TwoLines,
}

impl Default for Dump {
    fn default() -> Self {
        Self {
            heading:
                "Made by ferry config dump: run on a new queue manager, it makes the definitions of this one."
                    .to_owned(),
            types: Vec::new(),
            names: None,
            authorities: Records::Included,
            all_attributes: false,
            layout: Layout::AttributeALine,
        }
    }
}

impl Dump {
    fn has(&self, definition: &Definition) -> bool {
        let is_named = match definition.object_type() {
            ObjectType::ChannelRule => self.has_name(&definition.text(MQCACH_CHANNEL_NAME)),
            _ => self.has_name(definition.shown_name()),
        };
        self.authorities != Records::Alone && self.has_type(definition.object_type()) && is_named
    }

    fn has_name(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.matches(name))
    }

    /// Records stand for the type of their objects: those for queues for queues of every type.
    fn has_record(&self, (object_type, scope, _): &authorities::Key) -> bool {
        let keyword = |of: &ObjectType| match of {
            ObjectType::ClientConnectionChannel => authority::ObjectType::ClientConnection.keyword(),
            of => of.family().keyword(),
        };
        let is_of_type =
            self.types.is_empty() || self.types.iter().any(|of| keyword(of) == object_type.keyword());
        self.authorities != Records::LeftOut && is_of_type && self.has_name(&scope.to_string())
    }

    fn has_type(&self, object_type: ObjectType) -> bool {
        self.types.is_empty() || self.types.contains(&object_type)
    }
}

impl Configuration {
    /// The script that makes all of it on a new queue manager.
    pub fn script(&self) -> String {
        self.dump(&Dump::default())
    }

    /// The script that makes what a dump chooses.
    pub fn dump(&self, dump: &Dump) -> String {
        let mut script = format!("* {}\n", dump.heading);
        if dump.types.is_empty() && dump.names.is_none() {
            for name in &self.left_out {
                let _ = writeln!(script, "* Left out, since no command makes it: {}", harmless(name));
            }
        }
        let has_manager = dump.has_type(ObjectType::QueueManager)
            && dump.names.is_none()
            && dump.authorities != Records::Alone;
        let dumped =
            self.in_order().map(|(_, definition)| definition).filter(|definition| dump.has(definition));
        for definition in has_manager.then_some(&self.manager).into_iter().chain(dumped) {
            for row in secrets::of(definition.object_type()) {
                if definition.stored(row) != row.default_value() {
                    let object =
                        format!("{} {}", definition.object_type().keyword(), definition.shown_name());
                    let (keyword, object) = (row.keyword, harmless(object.trim_end()));
                    let _ = writeln!(script, "* Left out, since it is a secret: {keyword} of {object}");
                }
            }
        }
        if has_manager {
            let fresh = Definition::new(ObjectType::QueueManager, ObjectName::BLANK, Moment::default());
            let settings = dump.settings(&fresh, &self.manager);
            if !settings.is_empty() {
                let (object_type, name) = (ObjectType::QueueManager, Name::Object(ObjectName::BLANK));
                let alter = Alter { object_type, name, force: false, settings };
                write(&Command::Alter(alter), dump.layout, &mut script);
            }
        }
        for (_, definition) in self.in_order().filter(|(_, definition)| dump.has(definition)) {
            for command in self.statements(definition, dump) {
                write(&command, dump.layout, &mut script);
            }
        }
        let records = self.authorities.script(|key| dump.has_record(key));
        records.for_each(|command| write(&command, dump.layout, &mut script));
        script
    }

    /// The command that makes an object, and those that give it what would make that one too long.
    fn statements(&self, definition: &Definition, dump: &Dump) -> Vec<Command> {
        let object_type = definition.object_type();
        if object_type.family().is_record() {
            return vec![set_again(definition)];
        }
        let settings = dump.settings(&self.given(definition), definition);
        let mut define =
            Define { object_type, name: name_of(definition), replace: Replace::Yes, like: None, settings };
        let whole = Command::Define(define.clone());
        if whole.to_string().len() <= STATEMENT_BYTES_MAX {
            return vec![whole];
        }
        let (fixed, alterable): (Vec<_>, Vec<_>) =
            define.settings.into_iter().partition(|setting| setting.attribute.access == Access::Definable);
        // What an object needs to be accepted is short or comes first.
        let (long, short): (Vec<_>, Vec<_>) = alterable
            .into_iter()
            .partition(|setting| setting.value.as_text().is_some_and(|text| text.len() > 1_000));
        define.settings = fixed.into_iter().chain(short).collect();
        let name = define.name.clone();
        let alter = |setting| {
            let settings = vec![setting];
            Command::Alter(Alter { object_type, name: name.clone(), force: false, settings })
        };
        let others: Vec<Command> = long.into_iter().map(alter).collect();
        std::iter::once(Command::Define(define)).chain(others).collect()
    }
}

impl Dump {
    /// The settings of a definition: all, or those that are not given to it anyway.
    fn settings(&self, given: &Definition, definition: &Definition) -> Vec<Setting> {
        if !self.all_attributes {
            return given.differences(definition).unwrap_or_default();
        }
        attributes::stored(definition.object_type())
            .filter(|row| row.is_settable() && !row.is_secret)
            .map(|attribute| Setting { attribute, value: definition.stored(attribute) })
            .collect()
    }
}

/// Appends a command.
fn write(command: &Command, layout: Layout, script: &mut String) {
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
    for (index, Setting { attribute, value }) in settings.iter().enumerate() {
        script.push_str(match layout {
            Layout::AttributeALine => " +\n       ",
            Layout::TwoLines if index == 0 => " +\n       ",
            Layout::TwoLines | Layout::OneLine => " ",
        });
        value.write_mqsc(attribute, script);
    }
    script.push('\n');
}
