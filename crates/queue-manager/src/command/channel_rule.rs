//! SET CHLAUTH and DISPLAY CHLAUTH.
//!
//! Lives elsewhere: the records as rules (`channel_rules`), the verdict on a login (`security`).
//!
//! Always: a record is in the catalogue if it is among the rules in force, and under one key.

use mqi::constants::*;
use mqi::ours::GUARD;
use mqi::{ObjectName, Reason};
use objects::mqsc::{KEY_END, RuleAction, RuleMatch, SetChannelRule};
use objects::{
    ChannelKind, Definition, Family, Message, ObjectType, Response, Setting, Subject, Value, messages,
};
use queues::gate::Gated;
use queues::ground::host::Event;
use security::channel_rules::{self, Action, Check, MQADMIN, Map, Mapped, Partner, Record, Rule, UserSource};
use security::wildcard::Wildcard;
use security::{Asked, Command as Verb, Object, Principal, Use};
use storage::Lsn;

use super::answer::{answer, observed};
use super::display::Answer;
use crate::catalogue::{ChangeError, Existing, LOGINS_JUDGED, Lifetime, RULES_MADE, system_definitions};
use crate::channel_rules::{RuleError, RulesInForce, record_of};
use crate::engine::Engine;

/// A reason why SET CHLAUTH changed nothing, or not all.
enum Refused {
    Rule(RuleError),
    Change(ChangeError),
    /// The words and the reason code.
    Form(String, i32),
    /// The record is about this administrator, and its author is none.
    Administrator(String),
}

/// A change that was made.
struct Done {
    need: Lsn,
    warning: Option<Message>,
}

impl From<RuleError> for Refused {
    fn from(error: RuleError) -> Self {
        Self::Rule(error)
    }
}

impl From<channel_rules::RuleError> for Refused {
    fn from(error: channel_rules::RuleError) -> Self {
        Self::Rule(error.into())
    }
}

impl From<ChangeError> for Refused {
    fn from(error: ChangeError) -> Self {
        Self::Change(error)
    }
}

/// SET CHLAUTH.
pub(super) fn set(engine: &Engine, author: &Principal, set: &SetChannelRule) -> Gated<Response> {
    let action = match set.action {
        RuleAction::RemoveAll => None,
        RuleAction::Add => Some(Action::Add),
        RuleAction::Replace => Some(Action::Replace),
        RuleAction::Remove => Some(Action::Remove),
    };
    let (done, mut need) = {
        let _changing = engine.channel_rules.changing.lock();
        let done = match action {
            None => remove_all(engine, author, set),
            Some(action) => change(engine, author, set, action),
        };
        let before = engine.channel_rules.current().need();
        // A removal of several may have got some way.
        let need = done
            .as_ref()
            .map_or_else(|_| before.max(engine.directory.catalogue.absence_need()), |done| done.need);
        engine.read_channel_rules(need);
        (done, before)
    };
    let (why, code) = match done {
        Ok(Done { need, warning }) => {
            let current = engine.channel_rules.current();
            let is_of_profile = |record: &&Record| record.channel.as_str() == &*set.profile;
            let count = current.rules().records().iter().filter(is_of_profile).count();
            let inserts = [set.profile.to_string(), count.to_string()];
            let done = Message::new(&messages::CHANNEL_RULES_SET, inserts);
            let messages = [Some(done), warning].into_iter().flatten().collect();
            return Gated::new(need, Response { rows: Vec::new(), messages, rest: None });
        }
        Err(Refused::Administrator(user)) => {
            let asked = Asked::new(Object::MANAGER, Use::Command(Verb::Set));
            let code = engine.directory.door.refuse(author, &asked).code();
            let why = format!(
                "the record names {user}, an administrator: only the login of an administrator sets, changes or \
                 removes it"
            );
            (why, code)
        }
        Err(Refused::Rule(error)) => (error.to_string(), error.code()),
        Err(Refused::Change(ChangeError::NotAuthorized(denied))) => return engine.refuse_lent(&denied),
        Err(Refused::Change(error @ ChangeError::Beyond(_))) => {
            need = observed(engine, &error, need);
            let reason = Reason::RESOURCE_PROBLEM;
            (format!("{reason}: {error}"), reason.code())
        }
        Err(Refused::Change(error)) => (error.to_string(), MQRCCF_COMMAND_FAILED),
        Err(Refused::Form(why, code)) => (why, code),
    };
    let command = format!("SET CHLAUTH({})", set.profile);
    answer(need, Message::new(&messages::CHANNEL_RULE_REFUSED, [command, why]).with_reason(code))
}

/// Refuses a command about an administrator that no administrator's login gives: the right to change the
/// queue manager makes no administrator, and lifts none of the rules about them.
fn may_name<'a>(
    engine: &Engine,
    principal: &Principal,
    mut records: impl Iterator<Item = &'a Record>,
) -> Result<(), Refused> {
    if engine.directory.door.is_free(principal) {
        return Ok(());
    }
    let named = records.find_map(|record| administrator_of(engine, record));
    named.map_or(Ok(()), |user| Err(Refused::Administrator(user)))
}

/// An administrator that a record is about.
fn administrator_of(engine: &Engine, record: &Record) -> Option<String> {
    let is_one = |user: &str| user == MQADMIN || engine.ground().host.is_administrator(user);
    match &record.rule {
        Rule::Map(Map { source: UserSource::Map(user), .. }) => is_one(user).then(|| user.clone()),
        Rule::BlockUsers(users) => users.iter().find(|user| is_one(user)).cloned(),
        Rule::Map(_) | Rule::BlockAddresses(_) => None,
    }
}

/// The value of TYPE of a rule, as far as it can be about an administrator.
fn rule_type(rule: &Rule) -> i32 {
    match rule {
        Rule::BlockAddresses(_) => MQCAUT_BLOCKADDR,
        Rule::BlockUsers(_) => MQCAUT_BLOCKUSER,
        Rule::Map(map) => match map.partner {
            Mapped::Certificate { .. } => MQCAUT_SSLPEERMAP,
            Mapped::User(_) => MQCAUT_USERMAP,
            Mapped::QueueManager(_) => MQCAUT_QMGRMAP,
            Mapped::Any => MQCAUT_ADDRESSMAP,
        },
    }
}

/// The warning of a record that gives the user of an administrator, and makes none.
fn unproved_administrator(engine: &Engine, record: &Record) -> Option<Message> {
    let Rule::Map(map) = &record.rule else { return None };
    let UserSource::Map(user) = &map.source else { return None };
    let adopts = engine.conn_auth().is_ok_and(|terms| terms.adopts);
    let is_told = engine.ground().host.is_administrator(user) && !map.can_prove(adopts);
    let inserts = || [record.to_string(), user.clone()];
    is_told.then(|| Message::new(&messages::RULE_PROVES_NOTHING, inserts()))
}

/// Adds, replaces or removes one record, or entries of its list.
fn change(
    engine: &Engine,
    author: &Principal,
    set: &SetChannelRule,
    action: Action,
) -> Result<Done, Refused> {
    let mut wanted = definition_of(engine, set, action)?;
    wanted.set_maker(&engine.directory.door.maker(author));
    let record = record_of(&wanted)?;
    let current = engine.channel_rules.current();
    let own = current.rules().records().iter();
    let replaced = own.filter(|own| action != Action::Add && own.is_for_same(&record));
    may_name(engine, author, [&record].into_iter().chain(replaced))?;
    let key = current.key_of(&record);
    let mut rules = current.rules().clone();
    rules.set(record.clone(), action)?;
    if action != Action::Remove {
        record.check_names()?;
    }
    let warning = if action == Action::Remove { None } else { unproved_administrator(engine, &record) };
    let left = rules.records().iter().find(|own| own.is_for_same(&record));
    let need = keep(engine, author, set, Change { action, wanted, key, left })?;
    Ok(Done { need, warning })
}

/// A change of one record.
struct Change<'a> {
    action: Action,
    wanted: Definition,
    /// The key of the record that there is.
    key: Option<&'a str>,
    /// The record after the change.
    left: Option<&'a Record>,
}

/// Makes a change of one record in the catalogue.
fn keep(
    engine: &Engine,
    author: &Principal,
    set: &SetChannelRule,
    Change { action, wanted, key, left }: Change<'_>,
) -> Result<Lsn, Refused> {
    let mut lent = Lsn::ZERO;
    let Some(key) = key else {
        let need = engine.directory.catalogue.define_other_if(
            wanted,
            Existing::Refuse,
            Lifetime::Logged,
            |before, after| may_change(engine, author, before, after, &mut lent),
        )?;
        return Ok(need.max(lent));
    };
    let space = ObjectType::ChannelRule.name_space();
    let Some(left) = left else {
        let removed =
            engine.directory.catalogue.remove_other_if(space, key, Some(ObjectType::ChannelRule), || {
                Ok(engine.may_still(author, Object::MANAGER, Verb::Set, &mut lent)?)
            });
        return Ok(removed?.max(lent));
    };
    let present = engine.directory.catalogue.find_defined(space, key).0.ok_or(ChangeError::NotFound)?;
    let present = present.current();
    let changed = match action {
        Action::Replace => wanted.with_key_of(&present.definition),
        Action::Add | Action::Remove => {
            let mut changed = present.definition.clone();
            let settings = settings_of_list(left, set);
            changed.apply(&settings, engine.time_of_day()).map_err(ChangeError::from)?;
            changed
        }
    };
    let made = engine.directory.catalogue.define_other_if(
        changed,
        Existing::Replace,
        Lifetime::Logged,
        |before, after| may_change(engine, author, before, after, &mut lent),
    )?;
    Ok(made.max(lent))
}

/// Judges the command and the record that it makes, under the lock of the change.
fn may_change(
    engine: &Engine,
    author: &Principal,
    before: Option<&Definition>,
    after: &Definition,
    need: &mut Lsn,
) -> Result<(), ChangeError> {
    engine.may_still(author, Object::MANAGER, Verb::Set, need)?;
    engine.may_lend(author, before, after, need)
}

/// The definition that a command describes. To remove a record its partner is enough.
fn definition_of(engine: &Engine, set: &SetChannelRule, action: Action) -> Result<Definition, Refused> {
    let mut settings = set.all_settings();
    if action == Action::Remove {
        let is_about_partner = |setting: &Setting| {
            let number = setting.attribute.identifier_number();
            ![MQIACH_USER_SOURCE, MQCACH_MCA_USER_ID, MQIA_CHECK_CLIENT_BINDING, MQIACH_WARNING]
                .contains(&number)
        };
        settings.retain(is_about_partner);
        let row = objects::attributes::by_pcf(ObjectType::ChannelRule, MQIACH_USER_SOURCE);
        let attribute = row.expect("records have it");
        if ![MQCAUT_BLOCKADDR, MQCAUT_BLOCKUSER].contains(&set.rule_type) {
            settings.push(Setting { attribute, value: Value::Integer(MQUSRC_CHANNEL) });
        }
    }
    let made = Definition::channel_rule(&settings, engine.time_of_day());
    Ok(made.map_err(ChangeError::from)?)
}

/// The settings of a record of which the list is another now.
fn settings_of_list(record: &Record, set: &SetChannelRule) -> Vec<Setting> {
    let (number, entries): (i32, Vec<Box<str>>) = match &record.rule {
        Rule::BlockAddresses(addresses) => {
            (MQCACH_CONNECTION_NAME_LIST, addresses.iter().map(|entry| entry.to_string().into()).collect())
        }
        Rule::BlockUsers(users) => {
            (MQCACH_MCA_USER_ID_LIST, users.iter().map(|user| user.as_str().into()).collect())
        }
        Rule::Map(_) => return Vec::new(),
    };
    let list = objects::attributes::by_pcf(ObjectType::ChannelRule, number).expect("records have it");
    let others = set.settings.iter().filter(|setting| setting.attribute.identifier_number() != number);
    let entries = Setting { attribute: list, value: Value::Texts(entries.into()) };
    others.cloned().chain([entries]).collect()
}

/// Removes every record of a type for a profile. Those that let partners in go first: a crash in between
/// closes more than was meant, and never less.
fn remove_all(engine: &Engine, author: &Principal, set: &SetChannelRule) -> Result<Done, Refused> {
    let current = engine.channel_rules.current();
    let is_of_command = |record: &&Record| {
        record.channel.as_str() == &*set.profile && rule_type(&record.rule) == set.rule_type
    };
    may_name(engine, author, current.rules().records().iter().filter(is_of_command))?;
    if let Some(setting) = set.settings.first() {
        let keyword = setting.attribute.keyword;
        let why = format!("ACTION(REMOVEALL) takes the whole of a type away; leave {keyword} out");
        return Err(Refused::Form(why, MQRCCF_PARM_CONFLICT));
    }
    let is_meant = |definition: &Definition| {
        definition.text(MQCACH_CHANNEL_NAME) == *set.profile
            && definition.integer(MQIACF_CHLAUTH_TYPE) == set.rule_type
    };
    let mut meant: Vec<_> = engine.directory.catalogue.all_defined(Family::ChannelRule);
    meant.retain(|found| is_meant(&found.current().definition));
    meant.sort_by_key(|found| found.current().definition.integer(MQIACH_USER_SOURCE) == MQUSRC_NOACCESS);
    let mut need = engine.channel_rules.current().need();
    for found in meant {
        let current = found.current();
        let definition = &current.definition;
        let space = ObjectType::ChannelRule.name_space();
        let removed =
            engine.directory.catalogue.remove_other_if(space, definition.shown_name(), None, || {
                Ok(engine.may_still(author, Object::MANAGER, Verb::Set, &mut need)?)
            })?;
        need = need.max(removed);
    }
    Ok(Done { need, warning: None })
}

impl Engine {
    /// Has logins judged by the records of the catalogue as they are now.
    ///
    /// # Panics
    /// When a record of the catalogue is none: each was checked before it was logged.
    fn read_channel_rules(&self, need: Lsn) {
        self.take_channel_rules(need).unwrap_or_else(|error| panic!("a record that was set: {error}"));
    }

    /// Makes the records that every queue manager has, on one that an earlier release made without, and takes
    /// all over. Where the log has no room now, the next start makes them.
    ///
    /// # Errors
    /// When a record is none that this release makes.
    pub(crate) fn complete_channel_rules(&self) -> Result<(), RuleError> {
        let manager = self.directory.catalogue.manager();
        if manager.definition.integer(GUARD) < RULES_MADE && self.make_channel_rules().is_err() {
            let why = "the log has no room for the records of channels; they are made at the next start";
            self.ground().host.event(&Event::new("FRY5023W", vec![why.to_owned()]));
        }
        // Where the log has no room now, the next start makes the mark.
        if manager.definition.integer(GUARD) == LOGINS_JUDGED {
            drop(self.begin_judging());
        }
        let records = self.directory.catalogue.all_defined(Family::ChannelRule);
        self.take_channel_rules(records.iter().map(|record| record.current().need).max().unwrap_or_default())
    }

    fn make_channel_rules(&self) -> Result<(), ChangeError> {
        let definitions = system_definitions(self.time_of_day());
        let records = definitions.into_iter().filter(|found| found.object_type() == ObjectType::ChannelRule);
        for record in records {
            match self.directory.catalogue.define_other(record, Existing::Refuse, Lifetime::Logged) {
                Ok(_) | Err(ChangeError::Exists(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.directory.catalogue.alter_manager(|definition| {
            definition.set_internal(GUARD, Value::Integer(RULES_MADE));
            Ok(())
        })?;
        Ok(())
    }

    /// Understands the records of the catalogue.
    ///
    /// # Errors
    /// When one is none that this release makes.
    pub(crate) fn take_channel_rules(&self, need: Lsn) -> Result<(), RuleError> {
        let mut found = self.directory.catalogue.all_defined(Family::ChannelRule);
        found.sort_unstable_by_key(|record| record.id());
        let records: Vec<_> = found.iter().map(|record| record.current().definition.clone()).collect();
        self.channel_rules.take(&records, need)
    }
}

impl Answer<'_> {
    /// DISPLAY CHLAUTH: adds the records that are meant; returns the verdict, or says that there are none.
    pub(super) fn channel_rules(&mut self, engine: &Engine, profile: &str, matching: RuleMatch) -> Message {
        let current = engine.channel_rules.current();
        self.needs(current.need());
        if matching == RuleMatch::RunCheck {
            return match self.run_check(engine, profile, &current) {
                Ok(message) => message,
                Err((why, code)) => {
                    let command = format!("DISPLAY CHLAUTH({profile})");
                    Message::new(&messages::CHANNEL_RULE_REFUSED, [command, why]).with_reason(code)
                }
            };
        }
        let asked = Wildcard::new(profile).expect("a profile has characters, and few of them");
        for found in engine.directory.catalogue.all_defined(Family::ChannelRule) {
            let definition = found.current();
            if !self.has_turn(|| format!("{}{KEY_END}", definition.definition.shown_name())) {
                continue;
            }
            let own = definition.definition.text(MQCACH_CHANNEL_NAME);
            let is_meant = match matching {
                RuleMatch::Exact => own == profile,
                RuleMatch::All => meets(&asked, &own),
                RuleMatch::Generic | RuleMatch::RunCheck => asked.matches(&own),
            };
            if is_meant {
                let subject = Subject::Object(ObjectType::ChannelRule);
                let rule = &definition.definition;
                self.add(subject, &messages::CHANNEL_RULE_DETAILS, |row| rule.rule_value(row));
            }
        }
        Message::new(&messages::NOTHING_MATCHES, ["channel authentication record", profile])
    }

    /// MATCH(RUNCHECK): judges a login that the command describes, as the login itself is judged.
    fn run_check(
        &mut self,
        engine: &Engine,
        profile: &str,
        current: &RulesInForce,
    ) -> Result<Message, (String, i32)> {
        if !engine.judges_channels() {
            return Err((
                "CHLAUTH of the queue manager is DISABLED: no record is about a login".to_owned(),
                MQRCCF_CHLAUTH_DISABLED,
            ));
        }
        let display = self.display;
        let said = |number: i32| {
            let is_meant = |setting: &&Setting| setting.attribute.identifier_number() == number;
            display.selection.iter().find(is_meant).and_then(|setting| setting.value.as_text())
        };
        let refuse = |why: &str| Err((why.to_owned(), MQRCCF_CHLAUTH_RUNCHECK_ERROR));
        if display
            .selection
            .iter()
            .any(|setting| setting.attribute.identifier_number() == MQIACF_CHLAUTH_TYPE)
        {
            return refuse("MATCH(RUNCHECK) asks every type of record; leave TYPE out, or give TYPE(ALL)");
        }
        let partner = match (said(MQCACH_CLIENT_USER_ID), said(MQCA_REMOTE_Q_MGR_NAME)) {
            (Some(asserted), None) => Partner::Program { asserted, adopted: None, is_proved: false },
            (None, Some(name)) => Partner::QueueManager(name),
            _ => return refuse("MATCH(RUNCHECK) needs the partner: CLNTUSER or QMNAME, one of them"),
        };
        let Some(address) = said(MQCACH_CONNECTION_NAME) else {
            return refuse("MATCH(RUNCHECK) needs ADDRESS, in numbers");
        };
        let terms = engine.conn_auth().map_err(|error| (error.to_string(), MQRCCF_COMMAND_FAILED))?;
        let check = Check {
            channel: profile,
            channel_user: &engine.channel_user(profile),
            address,
            partner,
            subject: said(MQCACH_SSL_PEER_NAME),
            issuer: said(MQCA_SSL_CERT_ISSUER_NAME),
            check: terms.client,
            is_administrator: &|user| engine.ground().host.is_administrator(user),
        };
        let judged = current.rules().run_check(&check);
        let judgement = judged.map_err(|error| (error.to_string(), error.code()))?;
        let decided = [judgement.blocking, judgement.mapping];
        let shown = decided.into_iter().flatten().chain(judgement.warnings.iter().copied()).next();
        if let Some(key) = shown.and_then(|record| current.key_of(record)) {
            let space = ObjectType::ChannelRule.name_space();
            if let Some(found) = engine.directory.catalogue.find_defined(space, key).0 {
                self.add_chosen(&found.current().definition);
            }
        }
        Ok(match judgement.user {
            Ok(user) => Message::new(&messages::LOGIN_WOULD_PASS, [profile, &user]),
            Err(refusal) => {
                Message::new(&messages::LOGIN_WOULD_FAIL, [profile.to_owned(), refusal.to_string()])
            }
        })
    }
}

/// Says if one of two profiles stands for the text of the other.
fn meets(asked: &Wildcard, own: &str) -> bool {
    asked.matches(own) || Wildcard::new(own).is_some_and(|own| own.matches(asked.as_str()))
}

impl Engine {
    /// CHLAUTH of the queue manager: logins are judged by the records.
    pub(crate) fn judges_channels(&self) -> bool {
        self.directory.catalogue.manager().definition.integer(MQIA_CHLAUTH_RECORDS) == MQCHLA_ENABLED
    }

    /// MCAUSER of a channel that programs or partners come by; blank where it has none, or is not there.
    pub(crate) fn channel_user(&self, channel: &str) -> String {
        let Ok(name) = channel.parse::<ObjectName>() else { return String::new() };
        let space = ObjectType::ServerConnectionChannel.name_space();
        let found = self.directory.catalogue.find_defined(space, name.as_str()).0;
        let found = found.filter(|found| {
            let kind = found.object_type();
            crate::instances::is_of_clients(kind) || ChannelKind::of(kind).is_some()
        });
        found.map_or_else(String::new, |found| {
            found.current().definition.text(MQCACH_MCA_USER_ID).trim().to_owned()
        })
    }
}
