//! The points in which a configuration opens a queue manager further than another.
//!
//! Lives here: rules that are off, records that refuse no more, users that get the rights of administrators.
//! Lives elsewhere: asking the administrator whether that is meant, the names of administrators.
//!
//! Always: a point that both have is none; a configuration that only narrows has none.

use std::collections::BTreeSet;
use std::fmt;

use mqi::constants::*;
use security::authority::Set;

use super::Configuration;
use crate::attributes;
use crate::definition::Definition;
use crate::object_type::Family;

/// A point in which a queue manager would be opened further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The definition, or the setting.
    pub what: String,
    /// The effect.
    pub why: &'static str,
}

impl fmt::Display for Opening {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.what, self.why)
    }
}

/// Rights on the queue manager that let their user act as others.
pub const WIDE_OF_MANAGER: Set =
    Set::ALTUSR.with(Set::SETID).with(Set::SETALL).with(Set::CHG).with(Set::SYSTEM);

const MAPS_TO_ADMINISTRATOR: &str = "programs come in as an administrator";

impl Configuration {
    /// The points in which another configuration opens the queue manager further than this one.
    /// `is_administrator` tells the names of administrators.
    pub fn openings_to(&self, wanted: &Self, is_administrator: &dyn Fn(&str) -> bool) -> Vec<Opening> {
        let mut openings = wanted.openings(is_administrator);
        let present = self.openings(is_administrator);
        openings.retain(|opening| !present.contains(opening));
        let kept: BTreeSet<_> = wanted.refusals().into_iter().map(|(refusal, _)| refusal).collect();
        let gone = self.refusals().into_iter().filter(|(refusal, _)| !kept.contains(refusal));
        openings.extend(gone.map(|(_, what)| Opening { what, why: "a record that refuses is gone" }));
        openings.into_iter().collect()
    }

    /// The users that channels and records of channel rules have partners act as.
    pub fn acting_users(&self) -> BTreeSet<String> {
        let users = self.objects.values().filter_map(|definition| {
            attributes::by_pcf(definition.object_type(), MQCACH_MCA_USER_ID)?;
            Some(definition.text(MQCACH_MCA_USER_ID).trim().to_owned())
        });
        users.filter(|user| !user.is_empty()).collect()
    }

    fn openings(&self, is_administrator: &dyn Fn(&str) -> bool) -> BTreeSet<Opening> {
        let mut openings = BTreeSet::new();
        let mut open = |what: String, why| openings.extend([Opening { what, why }]);
        if self.manager.integer(MQIA_CHLAUTH_RECORDS) == MQCHLA_DISABLED {
            open("CHLAUTH(DISABLED)".to_owned(), "no rule says which partners may use a channel");
        }
        if self.manager.text(MQCA_CONN_AUTH).trim().is_empty() {
            open("CONNAUTH(' ')".to_owned(), "passwords are not looked at");
        }
        for definition in self.objects.values() {
            let object_type = definition.object_type();
            let has = |number| attributes::by_pcf(object_type, number).is_some();
            let family = object_type.family();
            let what = || format!("{} {}", family.keyword(), definition.shown_name());
            let user =
                if has(MQCACH_MCA_USER_ID) { definition.text(MQCACH_MCA_USER_ID) } else { String::new() };
            let acts_as_administrator = !user.is_empty() && is_administrator(&user);
            match family {
                Family::Authentication
                    if has(MQIA_CHECK_CLIENT_BINDING)
                        && definition.integer(MQIA_CHECK_CLIENT_BINDING) == MQCHK_NONE =>
                {
                    open(format!("{} CHCKCLNT(NONE)", what()), "a wrong password is let in like a right one");
                }
                Family::Channel if acts_as_administrator => {
                    open(format!("{} MCAUSER({user})", what()), MAPS_TO_ADMINISTRATOR);
                }
                Family::ChannelRule => {
                    if definition.integer(MQIACH_WARNING) == MQWARN_YES {
                        open(shown(definition), "those that the rule refuses are let in");
                    }
                    if acts_as_administrator {
                        open(shown(definition), MAPS_TO_ADMINISTRATOR);
                    }
                }
                _ => {}
            }
        }
        for (command, set) in self.authorities.on_manager() {
            if WIDE_OF_MANAGER.without(set) != WIDE_OF_MANAGER {
                open(command.to_string(), "its users act as others, or change rights");
            }
        }
        openings
    }

    /// Each refusal of a record, with the record.
    fn refusals(&self) -> Vec<((String, Box<str>), String)> {
        let mut refusals = Vec::new();
        for definition in self.objects.values() {
            let is_rule = definition.object_type().family() == Family::ChannelRule;
            if !is_rule || definition.integer(MQIACH_WARNING) == MQWARN_YES {
                continue;
            }
            let key = definition.shown_name().to_owned();
            let list = match definition.integer(MQIACF_CHLAUTH_TYPE) {
                MQCAUT_BLOCKUSER => definition.texts(MQCACH_MCA_USER_ID_LIST),
                MQCAUT_BLOCKADDR => definition.texts(MQCACH_CONNECTION_NAME_LIST),
                _ if definition.integer(MQIACH_USER_SOURCE) == MQUSRC_NOACCESS => Box::from([Box::from("")]),
                _ => continue,
            };
            refusals.extend(list.iter().map(|one| ((key.clone(), one.clone()), shown(definition))));
        }
        refusals
    }
}

/// A record as the command that sets it begins, with the partner it is about.
fn shown(record: &Definition) -> String {
    super::set_again(record).without_secrets().to_string()
}
