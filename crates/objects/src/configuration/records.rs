//! Records in a configuration: SET makes them, and SET removes them.

use std::collections::BTreeMap;

use mqi::constants::*;

use crate::attributes::{self, Access};
use crate::commands::making_channel_rule;
use crate::definition::{Definition, SettingError};
use crate::moment::Moment;
use crate::mqsc::{Command, RuleAction, SetChannelRule, Setting};
use crate::object_type::{NameSpace, ObjectType};
use crate::value::Value;

/// The attributes that are lists, to which ACTION(ADD) adds and from which ACTION(REMOVE) takes.
const LISTS: [i32; 2] = [MQCACH_CONNECTION_NAME_LIST, MQCACH_MCA_USER_ID_LIST];

/// The command that makes a record as it is, in the place of one for the same partner.
pub(super) fn set_again(record: &Definition) -> Command {
    let settings = attributes::stored(record.object_type())
        .filter(|row| row.is_settable())
        .filter_map(|attribute| {
            let value = record.value(attribute)?;
            let is_needed =
                attribute.identifier_number() == MQIACF_CHLAUTH_TYPE || value != attribute.default_value();
            is_needed.then_some(Setting { attribute, value })
        })
        .collect();
    Command::SetChannelRule(making_channel_rule(settings))
}

/// The command that removes a record.
pub(super) fn remove(record: &Definition) -> Command {
    let Command::SetChannelRule(set) = set_again(record) else { unreachable!("it sets a record") };
    let is_needed = |setting: &Setting| {
        let is_list = LISTS.contains(&setting.attribute.identifier_number());
        is_list || setting.attribute.access == Access::Definable
    };
    let settings = set.settings.into_iter().filter(is_needed).collect();
    Command::SetChannelRule(SetChannelRule { action: RuleAction::Remove, settings, ..set })
}

/// A reason why SET changes no record.
pub(super) enum Unset {
    /// A value does not fit.
    Setting(SettingError),
    /// The record is not there.
    Absent,
}

/// Does what SET CHLAUTH says, as far as texts tell records apart.
pub(super) fn set_rule(
    objects: &mut BTreeMap<(NameSpace, String), Definition>,
    set: &SetChannelRule,
) -> Result<(), Unset> {
    let space = ObjectType::ChannelRule.name_space();
    let record = Definition::channel_rule(&set.all_settings(), Moment::default()).map_err(Unset::Setting)?;
    let key = (space, record.shown_name().to_owned());
    match set.action {
        RuleAction::Replace => {
            objects.insert(key, record);
        }
        RuleAction::Add => {
            let merged = match objects.get(&key) {
                Some(present) => with_lists(record, present, |own, other| {
                    let new = own.iter().filter(|entry| !other.contains(entry));
                    other.iter().chain(new).cloned().collect()
                }),
                None => record,
            };
            objects.insert(key, merged);
        }
        RuleAction::Remove => {
            let present = objects.remove(&key).ok_or(Unset::Absent)?;
            let left = with_lists(present, &record, |own, gone| {
                own.iter().filter(|entry| !gone.contains(entry)).cloned().collect()
            });
            if LISTS.iter().any(|list| !left.texts(*list).is_empty()) {
                objects.insert(key, left);
            }
        }
        RuleAction::RemoveAll => objects.retain(|(own, _), present| {
            *own != space
                || present.text(MQCACH_CHANNEL_NAME) != *set.profile
                || present.integer(MQIACF_CHLAUTH_TYPE) != set.rule_type
        }),
    }
    Ok(())
}

/// A record with lists that are made of its own and of those of another.
fn with_lists(
    mut record: Definition,
    other: &Definition,
    made: impl Fn(&[Box<str>], &[Box<str>]) -> Box<[Box<str>]>,
) -> Definition {
    for list in LISTS {
        let entries = made(&record.texts(list), &other.texts(list));
        record.set_internal(list, Value::Texts(entries));
    }
    record
}
