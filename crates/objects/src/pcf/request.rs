//! A message of a program to what it asks for.

use mqi::ObjectName;
use mqi::constants::*;

use super::families::{Action, FamilyRow, meaning};
use super::parameters::{
    Parameters, Read, Refusal, missing, name_identifier, refusal, unknown_parameter, wrong_value,
};
use super::structure::{Content, Message, Parameter};
use crate::commands::{self, Alter, Command, Define, Delete, Display, Replace, Shown, Target};
use crate::mqsc::name::Name;
use crate::object_type::{Family, ObjectType};

/// The request in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A command, to be answered in full.
    Command(Command),
    /// The names of objects alone.
    Names(Names),
    /// A command in text.
    Escape(String),
}

/// A question for names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The question that finds the objects.
    pub command: Command,
    pub(super) names: i32,
    pub(super) types: Option<i32>,
}

/// Reads the request in a message.
pub fn request(message: &Message) -> Result<Request, Refusal> {
    let header = message.header;
    if header.kind != MQCFT_COMMAND && header.kind != MQCFT_COMMAND_XR {
        return Err(refusal(MQRCCF_CFH_TYPE_ERROR));
    }
    if header.sequence != 1 {
        return Err(refusal(MQRCCF_CFH_MSG_SEQ_NUMBER_ERR));
    }
    if header.control != MQCFC_LAST {
        return Err(refusal(MQRCCF_CFH_CONTROL_ERROR));
    }
    let mut given = Parameters { rest: message.parameters.clone() };
    let asked = match meaning(header.command) {
        Some((Action::Inquire, row)) => Request::Command(Command::Display(given.inquire(row)?)),
        Some((Action::InquireNames, row)) => given.inquire_names(row)?,
        Some((Action::Create, row)) => Request::Command(Command::Define(given.create(row)?)),
        Some((Action::Copy, row)) => Request::Command(Command::Define(given.copy(row)?)),
        Some((Action::Change, row)) => Request::Command(Command::Alter(given.change(row)?)),
        Some((Action::Delete, row)) => Request::Command(Command::Delete(given.delete(row)?)),
        None => given.other(header.command)?,
    };
    match given.rest.first() {
        Some(left) => Err(unknown_parameter(left)),
        None => Ok(asked),
    }
}

impl Parameters {
    fn create(&mut self, row: &FamilyRow) -> Read<Define> {
        let object_type = self.one_type(row)?;
        let name = self.new_name(object_type, name_identifier(row.family))?;
        let replace = if self.is_said(MQIACF_REPLACE)? { Replace::Yes } else { Replace::Unsaid };
        Ok(Define { object_type, name, replace, like: None, settings: self.settings(object_type)? })
    }

    fn copy(&mut self, row: &FamilyRow) -> Read<Define> {
        let object_type = self.one_type(row)?;
        let like = Some(self.name(row.family, row.from)?);
        let name = self.new_name(object_type, row.to)?;
        let replace = if self.is_said(MQIACF_REPLACE)? { Replace::Yes } else { Replace::Unsaid };
        Ok(Define { object_type, name, replace, like, settings: self.settings(object_type)? })
    }

    fn change(&mut self, row: &FamilyRow) -> Read<Alter> {
        let object_type = self.one_type(row)?;
        let name = self.name(row.family, name_identifier(row.family))?;
        let force = self.is_said(MQIACF_FORCE)?;
        Ok(Alter { object_type, name, force, settings: self.settings(object_type)? })
    }

    fn delete(&mut self, row: &FamilyRow) -> Read<Delete> {
        let family = row.family;
        let mut object_type = self.subtype(row)?;
        let name = self.name(family, name_identifier(family))?;
        let purge = self.is_said(MQIACF_PURGE)?;
        let ignore_missing = self.is_said(MQIACF_IGNORE_STATE)?;
        // The records for its name alone go with an object.
        if !matches!(self.integer(MQIACF_REMOVE_AUTHREC)?, None | Some(MQRAR_YES)) {
            return Err(wrong_value(MQIACF_REMOVE_AUTHREC));
        }
        if family == Family::Channel && self.integer(MQIACH_CHANNEL_TABLE)? == Some(MQCHTAB_CLNTCONN) {
            object_type = Some(ObjectType::ClientConnectionChannel);
        }
        // The type of queue may be left out: a local queue is meant.
        if family == Family::Queue && object_type.is_none() {
            object_type = Some(ObjectType::LocalQueue);
        }
        Ok(Delete { family, object_type, name, purge, ignore_missing })
    }

    fn inquire(&mut self, row: &FamilyRow) -> Read<Display> {
        let family = row.family;
        let object_type = self.asked_type(row)?;
        let names = self.names(family)?;
        self.display(Target::Objects { family, names, object_type }, row.attributes)
    }

    /// The type of the objects that are asked for; none for all. No cluster adds objects to those that are
    /// here, so a question for objects of clusters alone finds none.
    fn asked_type(&mut self, row: &FamilyRow) -> Read<Option<ObjectType>> {
        let of_clusters = match row.family {
            Family::Queue => Some((MQIA_Q_TYPE, MQQT_CLUSTER)),
            Family::Topic => Some((MQIA_TOPIC_TYPE, MQTOPT_CLUSTER)),
            _ => None,
        };
        if let Some((identifier, of_clusters)) = of_clusters {
            self.integer(MQIACF_CLUSTER_INFO)?;
            let are_meant = |given: &Parameter| {
                given.identifier == identifier && given.content == Content::Integer(of_clusters)
            };
            if self.rest.iter().any(are_meant) {
                return Err(refusal(row.unknown));
            }
        }
        if row.family == Family::Topic {
            return match self.integer(MQIA_TOPIC_TYPE)? {
                None | Some(MQTOPT_LOCAL | MQTOPT_ALL) => Ok(None),
                Some(_) => Err(wrong_value(MQIA_TOPIC_TYPE)),
            };
        }
        if row.family == Family::Listener {
            // Each listener is of TCP.
            return match self.integer(MQIACH_XMIT_PROTOCOL_TYPE)? {
                None | Some(MQXPT_ALL | MQXPT_TCP) => Ok(None),
                Some(MQXPT_LU62 | MQXPT_NETBIOS | MQXPT_SPX) => Err(refusal(row.unknown)),
                Some(_) => Err(wrong_value(MQIACH_XMIT_PROTOCOL_TYPE)),
            };
        }
        row.subtype.map_or(Ok(None), |_| self.subtype(row))
    }

    fn inquire_names(&mut self, row: &FamilyRow) -> Read<Request> {
        let object_type = self.asked_type(row)?;
        let names = self.names(row.family)?;
        let target = Target::Objects { family: row.family, names, object_type };
        let command = Command::Display(Display::question(target, Shown::Listed(Vec::new()), None));
        Ok(Request::Names(Names { command, names: row.names, types: row.types }))
    }

    /// Commands that are not about objects of a family.
    fn other(&mut self, command: i32) -> Read<Request> {
        match command {
            MQCMD_ESCAPE => self.escape().map(Request::Escape),
            MQCMD_CHANGE_Q_MGR => {
                let object_type = ObjectType::QueueManager;
                let force = self.is_said(MQIACF_FORCE)?;
                let name = Name::Object(ObjectName::BLANK);
                let alter = Alter { object_type, name, force, settings: self.settings(object_type)? };
                Ok(Request::Command(Command::Alter(alter)))
            }
            command => commands::read(command, self).map(Request::Command),
        }
    }

    fn escape(&mut self) -> Read<String> {
        let kind = self.integer(MQIACF_ESCAPE_TYPE)?.ok_or_else(|| missing(MQIACF_ESCAPE_TYPE))?;
        if kind != MQET_MQSC {
            let parameter = Some(MQIACF_ESCAPE_TYPE);
            return Err(Refusal { reason: MQRCCF_ESCAPE_TYPE_ERROR, parameter });
        }
        self.text(MQCACF_ESCAPE_TEXT)?.ok_or_else(|| missing(MQCACF_ESCAPE_TEXT))
    }
}
