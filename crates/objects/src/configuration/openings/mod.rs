//! The points in which a configuration opens a queue manager further than another.
//!
//! Lives here: rules that are off, records that refuse no more, rights that everybody or a program gets.
//! Lives elsewhere: a point (`finder`), rules without a proof (`rules`), definitions that ask for less than
//! before (`lowered`), asking the administrator whether that is meant, the names of administrators.
//!
//! Always: a point that both have is none; a configuration that only narrows has none.

mod finder;
mod lowered;
mod rules;

pub use finder::Opening;

use mqi::ours::{BRIDGE_TLS, LISTENER_TLS};
use std::collections::BTreeSet;
use std::net::IpAddr;

use mqi::constants::*;
use security::authority::{NOBODY, Scope, Set};
use security::profile::Profile;

use finder::{Finder, has, shown};

use super::Configuration;
use super::authorities::Key;
use crate::attributes;
use crate::attributes::{BRIDGE_TLS_NO, LISTENER_TLS_ALLOWED, LISTENER_TLS_NO};
use crate::definition::Definition;
use crate::object_type::Family;

/// Rights on the queue manager that let their user act as others, or make objects of every type.
pub const WIDE_OF_MANAGER: Set =
    Set::ALTUSR.with(Set::SETID).with(Set::SETALL).with(Set::CHG).with(Set::SYSTEM).with(Set::CRT);

/// Rights on every object of a type that everybody may have.
const HARMLESS: Set = Set::DSP.with(Set::INQ);

/// Rights that change objects, or the contexts of messages: on every object of a type they are those of an
/// administrator.
const CHANGING: Set = Set::CHG
    .with(Set::CRT)
    .with(Set::DLT)
    .with(Set::CLR)
    .with(Set::CTRL)
    .with(Set::CTRLX)
    .with(Set::SETID)
    .with(Set::SETALL);

/// The topic object whose rights every topic takes.
const BASE_TOPIC: &str = "SYSTEM.BASE.TOPIC";

/// The first qualifier of the names of the system's objects.
const SYSTEM: &str = "SYSTEM";

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
        openings.extend(gone.map(|(_, what)| Opening::asking(what, "a record that refuses is gone")));
        openings.extend(self.lowered_by(wanted));
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
        let mut finder = Finder { configuration: self, openings: BTreeSet::new() };
        finder.look_at_manager();
        self.objects.values().for_each(|definition| finder.look_at(definition, is_administrator));
        self.authorities.all().for_each(|(key, set)| finder.look_at_rights(key, set));
        finder.openings
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

impl Finder<'_> {
    fn look_at_manager(&mut self) {
        let manager = &self.configuration.manager;
        if manager.integer(MQIA_CHLAUTH_RECORDS) == MQCHLA_DISABLED {
            self.open("CHLAUTH(DISABLED)", "no rule says which partners may use a channel");
        }
        if manager.text(MQCA_CONN_AUTH).trim().is_empty() {
            self.open("CONNAUTH(' ')", "passwords are not looked at");
        }
        if manager.integer(MQIA_CHANNEL_AUTO_DEF) == MQCHAD_ENABLED {
            self.open("CHAD(ENABLED)", "partners make channels here by connecting");
        }
    }

    fn look_at(&mut self, definition: &Definition, is_administrator: &dyn Fn(&str) -> bool) {
        let family = definition.object_type().family();
        let what = || format!("{} {}", family.keyword(), definition.shown_name());
        let has = |number| has(definition, number);
        let user = if has(MQCACH_MCA_USER_ID) { definition.text(MQCACH_MCA_USER_ID) } else { String::new() };
        let acts_as_administrator = !user.is_empty() && is_administrator(&user);
        match family {
            Family::Authentication
                if has(MQIA_CHECK_CLIENT_BINDING)
                    && definition.integer(MQIA_CHECK_CLIENT_BINDING) == MQCHK_NONE =>
            {
                let what = format!("{} CHCKCLNT(NONE)", what());
                self.open(what, "a wrong password is let in like a right one");
            }
            Family::Channel | Family::Pipe if acts_as_administrator => {
                self.open(format!("{} MCAUSER({user})", what()), MAPS_TO_ADMINISTRATOR);
            }
            Family::Listener
                if [LISTENER_TLS_NO, LISTENER_TLS_ALLOWED].contains(&definition.integer(LISTENER_TLS))
                    && !is_of_this_machine(&definition.text(MQCACH_IP_ADDRESS)) =>
            {
                self.open(what(), "programs of other machines are served without encryption");
            }
            Family::Listener if !is_of_this_machine(&definition.text(MQCACH_IP_ADDRESS)) => {
                self.add(what(), "programs of other machines reach its port", true);
            }
            Family::Bridge
                if definition.integer(BRIDGE_TLS) == BRIDGE_TLS_NO
                    && !leads_to_this_machine(&definition.text(MQCACH_CONNECTION_NAME)) =>
            {
                self.open(what(), "messages and a password leave this machine without encryption");
            }
            Family::ChannelRule => {
                if definition.integer(MQIACH_WARNING) == MQWARN_YES {
                    self.open(shown(definition), "those that the rule refuses are let in");
                }
                if acts_as_administrator {
                    self.open(shown(definition), MAPS_TO_ADMINISTRATOR);
                }
                self.look_at_map(definition);
                if rules::is_list(definition) {
                    self.look_at_list(definition);
                }
            }
            _ => {}
        }
    }

    fn look_at_rights(&mut self, key: &Key, set: Set) {
        let (object_type, scope, entity) = key;
        let has_any = |wide: Set| wide.without(set) != wide;
        let command = || super::authorities::shown(key, set).to_string();
        let is_everybody = entity.is_group && &*entity.name == NOBODY;
        match scope {
            _ if *object_type == security::authority::ObjectType::QueueManager => {
                if has_any(WIDE_OF_MANAGER) {
                    self.open(command(), "its users act as others, or change rights");
                }
            }
            Scope::Class if set.contains(Set::CRT) => {
                self.open(command(), "its users make objects of the type, under any name");
            }
            Scope::Class => {}
            Scope::Names(profile)
                if is_everybody
                    && *object_type == security::authority::ObjectType::Topic
                    && profile.to_string() == BASE_TOPIC
                    && has_any(Set::PUB.with(Set::SUB)) =>
            {
                self.open(command(), "everybody that connects publishes or subscribes to every topic");
            }
            Scope::Names(profile) => {
                let profile = profile.to_string();
                let is_beyond_harmless = is_everybody && !set.without(HARMLESS).is_empty();
                let why = match (is_of_all(&profile), is_of_system(&profile)) {
                    (true, _) if is_beyond_harmless => {
                        "everybody that connects has the right on every object of the type"
                    }
                    (true, _) if has_any(CHANGING) => {
                        "its users change every object of the type, or act as others there"
                    }
                    (false, true) if is_beyond_harmless => {
                        "everybody that connects has the right on objects of the system"
                    }
                    (false, true) if has_any(CHANGING) => {
                        "its users change objects of the system, or act as others there"
                    }
                    _ => return,
                };
                self.open(command(), why);
            }
        }
    }
}

/// Says if a profile begins with what stands for any letters: `**`, `*`, `*.**`, `?*.**`.
fn is_of_all(profile: &str) -> bool {
    profile.starts_with(['*', '?'])
}

/// Says if a profile has objects of the system among its own: its first qualifier matches theirs.
fn is_of_system(profile: &str) -> bool {
    let first = profile.split_once('.').and_then(|(first, _)| first.parse::<Profile>().ok());
    first.is_some_and(|first| first.matches(SYSTEM))
}

/// Says if every address of a bridge, each a host with or without a port, is one of this machine.
fn leads_to_this_machine(addresses: &str) -> bool {
    let host = |address: &str| address.split('(').next().unwrap_or_default().trim().to_owned();
    let is_of_this = |host: String| is_of_this_machine(&host) || host.eq_ignore_ascii_case("localhost");
    addresses.split(',').map(host).all(is_of_this)
}

fn is_of_this_machine(address: &str) -> bool {
    address.trim().parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}
