//! DEFINE, ALTER and DELETE of queues and of the queue manager; `others` does so with other objects.
//!
//! Lives here too: the secrets of an object that a command keeps or forgets, and the answer when the host
//! cannot. The sign in the definition is of `objects::secrets`, the files are the host's.
//!
//! Always: the host is asked after the change and before the answer, so that a command that is refused leaves
//! the secret that is there, and one that is answered has kept its own.

use std::sync::Arc;

use mqi::ObjectName;
use mqi::constants::{
    MQCA_BASE_OBJECT_NAME, MQCA_XMIT_Q_NAME, MQIA_SHAREABILITY, MQIA_USAGE, MQQA_NOT_SHAREABLE,
    MQUS_TRANSMISSION,
};
use objects::mqsc::{Alter, Command, Define, Delete, Name};
use objects::{Definition, Family, Message, ObjectType, Response, Setting, Value, attributes, messages};
use queues::gate::Gated;
use queues::ground::request::{Carried, Request, SecretChanges};
use queues::queue::Queue;
use queues::queue::state::Busy;
use security::{Command as Verb, Object as AskedObject, Principal};
use storage::Lsn;

use super::answer::{answer, busy_refusal, change_failed, done, failed, open_refusal};
use super::live::Messages;
use super::others;
use crate::Issuer;
use crate::authority::{Denied, commands};
use crate::catalogue::{ChangeError, Existing, Lifetime, Object, RemoveError};
use crate::engine::Engine;

/// DEFINE.
pub(super) fn define(engine: &Engine, issuer: &Issuer, define: &Define) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let Define { object_type, name, .. } = define;
    let Some(name) = name.object() else { return others::define(engine, issuer, define) };
    if !object_type.is_queue() {
        return others::define(engine, issuer, define);
    }
    let model = match like(engine, define) {
        Ok(model) => model,
        Err(refusal) => return refusal,
    };
    let now = engine.time_of_day();
    let mut definition = model.copy(*name, now);
    definition.set_maker(&engine.directory.door.maker(&issuer.principal));
    if let Err(error) = definition.define(&define.settings, now) {
        return failed("DEFINE", *object_type, name.as_str(), error, catalogue.absence_need());
    }
    if define.replaces()
        && let Some(object) = catalogue.find(name).object
        && object.object_type() == *object_type
        && let Some(refusal) = refusal_while_open(engine, &object, &definition)
    {
        return refusal;
    }
    let existing = if define.replaces() { Existing::Replace } else { Existing::Refuse };
    let mut lent = Lsn::ZERO;
    let made = catalogue.define_if(
        definition,
        existing,
        Lifetime::Logged,
        |before, after| {
            // It would stay what it is: its maker keeps its rights, and a temporary one ends with its maker.
            if before.is_some_and(Definition::is_dynamic) {
                return Err(ChangeError::ReplacesDynamic(*name));
            }
            let object = commands::named(*object_type, &define.name);
            engine.may_still(&issuer.principal, object, commands::verb_of(define), &mut lent)?;
            engine.may_lend(&issuer.principal, before, after, &mut lent)
        },
        |id, current| engine.directory.new_queue(id, current),
    );
    match made {
        Ok(changed) => {
            engine.changed(&changed.object);
            done(&messages::OBJECT_CREATED, *object_type, name.as_str(), changed.need.max(lent))
        }
        Err(error) => change_failed(engine, "DEFINE", *object_type, name, error),
    }
}

/// ALTER.
pub(super) fn alter(engine: &Engine, author: &Principal, alter: &Alter) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let Alter { object_type, name, settings, .. } = alter;
    let now = engine.time_of_day();
    if *object_type == ObjectType::QueueManager {
        let name = *catalogue.manager().definition.name();
        let mut lent = Lsn::ZERO;
        let altered = catalogue.alter_manager(|definition| {
            engine.may_still(author, AskedObject::MANAGER, Verb::Alter, &mut lent)?;
            let before = definition.clone();
            definition.alter(settings, now)?;
            within_ceilings(engine, settings, definition)?;
            engine.may_lend(author, Some(&before), definition, &mut lent)
        });
        return match altered {
            Ok(need) => {
                engine.queues.follow_quota(|| catalogue.manager().attributes.quota);
                answer(need.max(lent), Message::new(&messages::QUEUE_MANAGER_CHANGED, [name]))
            }
            Err(error) => change_failed(engine, "ALTER", *object_type, &name, error),
        };
    }
    let Some(name) = name.object().filter(|_| object_type.is_queue()) else {
        return others::alter(engine, author, alter);
    };
    if let Some(object) = catalogue.find(name).object
        && object.object_type() == *object_type
        && let wanted = altered(&object, settings)
        && (!alter.force || changes_unit(&object, &wanted))
        && let Some(refusal) = refusal_while_open(engine, &object, &wanted)
    {
        return refusal;
    }
    let mut lent = Lsn::ZERO;
    let altered = catalogue.alter(name, Some(*object_type), |definition| {
        engine.may_still(author, commands::queue(*name), Verb::Alter, &mut lent)?;
        let before = definition.clone();
        definition.alter(settings, now)?;
        let is_transmission = |of: &Definition| of.integer(MQIA_USAGE) == MQUS_TRANSMISSION;
        if before.is_dynamic() && !is_transmission(&before) && is_transmission(definition) {
            return Err(ChangeError::DynamicTransmission);
        }
        engine.may_lend(author, Some(&before), definition, &mut lent)
    });
    match altered {
        Ok(changed) => {
            engine.changed(&changed.object);
            done(&messages::OBJECT_CHANGED, *object_type, name.as_str(), changed.need.max(lent))
        }
        Err(error) => change_failed(engine, "ALTER", *object_type, name, error),
    }
}

/// A reason why a queue stays.
enum Kept {
    Used(Busy),
    Denied(Box<Denied>),
}

/// DELETE.
pub(super) fn delete(engine: &Engine, author: &Principal, delete: &Delete) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let (Some(object_type), Some(name)) =
        (delete.object_type.filter(|object_type| object_type.is_queue()), delete.name.object())
    else {
        return others::delete(engine, author, delete);
    };
    let purge = if delete.purge { Messages::Purge } else { Messages::Keep };
    if let Some(queue) = catalogue.find(name).object.as_ref().and_then(|object| object.queue()) {
        queue.expire(&engine.queues);
    }
    let mut judged = Lsn::ZERO;
    let removed = catalogue.remove(name, Some(object_type), |object, log| {
        let still = engine.may_still(author, commands::queue(*name), Verb::Delete, &mut judged);
        still.map_err(Kept::Denied)?;
        match object.queue() {
            Some(queue) => queue.retire(&engine.queues, Some(purge), log).map_err(Kept::Used),
            None => match handles_on(engine, name) {
                0 => {
                    log();
                    Ok(())
                }
                handles => Err(Kept::Used(Busy::Open { handles })),
            },
        }
    });
    match removed {
        Ok(need) => done(&messages::OBJECT_DELETED, object_type, name.as_str(), need.max(judged)),
        Err(RemoveError::Change(ChangeError::NotFound)) if delete.ignore_missing => {
            done(&messages::OBJECT_ABSENT, object_type, name.as_str(), catalogue.absence_need())
        }
        Err(RemoveError::Change(error)) => change_failed(engine, "DELETE", object_type, name, error),
        Err(RemoveError::Refused(Kept::Denied(denied))) => engine.refuse_lent(&denied),
        Err(RemoveError::Refused(Kept::Used(busy))) => {
            let uncommitted = &messages::QUEUE_PURGE_UNCOMMITTED;
            busy_refusal(engine, "DELETE", object_type, name, busy, uncommitted)
        }
    }
}

/// The definition that gives the values not said: that of LIKE, or the type's default object.
fn like(engine: &Engine, define: &Define) -> Result<Definition, Gated<Response>> {
    let object_type = define.object_type;
    let name = define.like.as_ref().and_then(Name::object).copied().unwrap_or_else(|| {
        let default = object_type.default_object().and_then(|name| name.parse().ok());
        default.expect("types that DEFINE takes have a default object")
    });
    let found = engine.directory.catalogue.find(&name);
    match found.object {
        Some(object) if object.object_type() == object_type => Ok(object.current().definition.clone()),
        Some(object) => {
            let error = ChangeError::OtherType { name, found: object.object_type() };
            Err(change_failed(engine, "DEFINE", object_type, &name, error))
        }
        // Else a default object that was deleted could not be defined again, nor anything of its type.
        None if define.like.is_none() && define.name == name.as_str() => {
            Ok(Definition::new(object_type, name, engine.time_of_day()))
        }
        None => {
            let message =
                Message::new(&messages::LIKE_NOT_FOUND, [object_type.noun().to_owned(), name.to_string()]);
            Err(answer(found.need, message))
        }
    }
}

/// Checks that no attribute that a command sets is above the setting of `ferry.toml` for the same.
fn within_ceilings(
    engine: &Engine,
    settings: &[Setting],
    definition: &Definition,
) -> Result<(), ChangeError> {
    for ceiling in engine.ground().settings.ceilings() {
        let value = definition.integer(ceiling.selector.0);
        let is_set = settings.iter().any(|setting| setting.attribute.keyword == ceiling.keyword);
        if is_set && value.unsigned_abs() > ceiling.most {
            return Err(ChangeError::AboveSetting { ceiling, value });
        }
    }
    Ok(())
}

/// Returns the definition with the settings applied; settings that do not fit are skipped, and refused when
/// they are applied for good.
fn altered(object: &Object<Arc<Queue>>, settings: &[Setting]) -> Definition {
    let mut definition = object.current().definition.clone();
    for setting in settings {
        let _ = definition.set(setting.attribute, setting.value.clone());
    }
    definition
}

/// A refusal when programs have the object open and the change would be felt by them: a queue that can no
/// longer be shared, another use of it, units of work that it requires or not, another target of an alias.
fn refusal_while_open(
    engine: &Engine,
    object: &Object<Arc<Queue>>,
    wanted: &Definition,
) -> Option<Gated<Response>> {
    let current = object.current();
    let value = |definition: &Definition, selector| {
        attributes::by_selector(object.object_type(), selector).and_then(|row| definition.value(row))
    };
    let changes = |selector| value(&current.definition, selector) != value(wanted, selector);
    let (handles, need) = match object.queue() {
        Some(queue) => {
            let state = queue.status(&engine.queues);
            let changes_unit = changes_unit(object, wanted);
            let becomes_exclusive = changes(MQIA_SHAREABILITY)
                && value(wanted, MQIA_SHAREABILITY) == Some(Value::Integer(MQQA_NOT_SHAREABLE));
            let felt_by_input = if becomes_exclusive { state.input_handles } else { 0 };
            let felt_by_all = if changes(MQIA_USAGE) || changes_unit { state.handles } else { 0 };
            (felt_by_input.max(felt_by_all), state.need)
        }
        None if changes(MQCA_BASE_OBJECT_NAME) || changes(MQCA_XMIT_Q_NAME) => {
            (handles_on(engine, object.name()), current.need)
        }
        None => (0, current.need),
    };
    (handles > 0).then(|| open_refusal(object.object_type(), object.name(), handles, need))
}

/// True if programs would have to put and get in another relation to units of work. FORCE changes that for
/// none that has the queue open.
fn changes_unit(object: &Object<Arc<Queue>>, wanted: &Definition) -> bool {
    let holds = matches!(object.object_type(), ObjectType::LocalQueue | ObjectType::ModelQueue);
    holds && object.current().definition.requires_unit() != wanted.requires_unit()
}

/// Counts the handles that were opened by this name.
fn handles_on(engine: &Engine, name: &ObjectName) -> u32 {
    let handles = engine.connections().flat_map(|connection| connection.handles);
    u32::try_from(handles.filter(|handle| handle.object == *name).count()).unwrap_or(u32::MAX)
}

/// The changes of secrets that belong to a command.
pub(crate) struct Secrets(Option<SecretChanges>);

impl Secrets {
    /// The changes of a command that is about to be executed, or its refusal.
    pub(crate) fn of(engine: &Engine, command: &Command) -> Result<Self, Gated<Response>> {
        if command.brings_secret() && !engine.ground().host.keeps_secrets() {
            let why = "the process of the queue manager keeps no secrets";
            let message = Message::new(&messages::SECRETS_REFUSED, [why]);
            return Err(answer(engine.directory.catalogue.absence_need(), message));
        }
        Ok(Self(changes(engine, command)))
    }

    /// Has the host make the changes of a command that was executed; its answer.
    pub(crate) fn keep(self, engine: &Engine, response: Gated<Response>) -> Gated<Response> {
        let Some(changes) = self.0 else { return response };
        let object = format!("{} {}", changes.family.keyword(), changes.name);
        let keywords: Vec<&str> = changes.changes.iter().map(|(keyword, _)| *keyword).collect();
        match engine.ground().host.request(&Request::KeepSecrets(changes)) {
            Carried::Refused(why) => {
                let inserts = [object.trim_end().to_owned(), keywords.join(", "), why];
                answer(response.need(), Message::new(&messages::SECRETS_NOT_KEPT, inserts))
            }
            _ => response,
        }
    }
}

fn changes(engine: &Engine, command: &Command) -> Option<SecretChanges> {
    let (family, name) = match command {
        Command::Define(define) => (define.object_type.family(), define.name.as_str()),
        Command::Alter(alter) => (alter.object_type.family(), alter.name.as_str()),
        Command::Delete(delete) => (delete.family, delete.name.as_str()),
        _ => return None,
    };
    if !matches!(family, Family::QueueManager | Family::Authentication | Family::Channel | Family::Bridge) {
        return None;
    }
    let kept = || {
        let space = family.types().next()?.name_space();
        let name = name.parse::<ObjectName>().ok()?;
        Some(engine.directory.catalogue.find_defined(space, name.as_str()).0?.current().definition.clone())
    };
    let before = match family {
        Family::QueueManager => Some(engine.directory.catalogue.manager().definition.clone()),
        _ => kept(),
    };
    let had = before.as_ref().map(signed).unwrap_or_default();
    let given = |keyword: &str| {
        let setting = command.settings().iter().find(|setting| setting.attribute.keyword == keyword);
        setting.and_then(|setting| setting.secret()).map(str::to_owned)
    };
    // A bridge that leads elsewhere loses its password.
    let is_lost = |keyword: &str| {
        let mut after = before.clone()?;
        after.alter(command.settings(), engine.time_of_day()).ok()?;
        Some(had.contains(&keyword) && !signed(&after).contains(&keyword))
    };
    // DEFINE and DELETE leave none of those before; ALTER leaves those that it does not name.
    let keywords: Vec<&'static str> = match command {
        Command::Define(define) => objects::secrets::of(define.object_type).map(|row| row.keyword).collect(),
        Command::Alter(alter) => objects::secrets::of(alter.object_type)
            .map(|row| row.keyword)
            .filter(|keyword| given(keyword).is_some() || is_lost(keyword).unwrap_or_default())
            .collect(),
        _ => had.clone(),
    };
    let forgotten =
        had.iter().filter(|keyword| matches!(command, Command::Define(_)) && !keywords.contains(keyword));
    let changes: Vec<(&'static str, Option<String>)> = keywords
        .iter()
        .chain(forgotten)
        .map(|keyword| (*keyword, given(keyword).filter(|secret| !secret.is_empty())))
        .filter(|(keyword, secret)| secret.is_some() || had.contains(keyword))
        .collect();
    (!changes.is_empty()).then(|| SecretChanges { family, name: name.to_owned(), changes })
}

/// The attributes of a definition whose secrets are kept.
fn signed(definition: &Definition) -> Vec<&'static str> {
    let object_type: ObjectType = definition.object_type();
    let sign = Value::from(objects::secrets::SIGN);
    let is_signed = |row: &&objects::Attribute| definition.value(row).as_ref() == Some(&sign);
    objects::secrets::of(object_type).filter(is_signed).map(|row| row.keyword).collect()
}
