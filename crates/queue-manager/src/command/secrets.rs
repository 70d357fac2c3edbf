//! Secrets that commands bring, which the host keeps apart from definitions.
//!
//! Lives here: the secrets of an object that a command keeps or forgets, and the answer when the host cannot.
//! Lives elsewhere: the sign in the definition (`objects::secrets`), the files (the host).
//!
//! Always: the host is asked after the change and before the answer, so that a command that is refused leaves
//! the secret that is there, and one that is answered has kept its own. A definition with the sign and
//! without its secret is possible, after a restore on another machine; the sign then means that it is to be
//! given again.

use mqi::ObjectName;
use objects::{Command, Definition, Family, Message, ObjectType, Response, Value, messages, secrets};

use super::answer::answer;
use crate::Gated;
use crate::engine::Engine;
use crate::ground::request::{Carried, Request, SecretChanges};

/// The changes of secrets that belong to a command.
pub(crate) struct Secrets(Option<SecretChanges>);

impl Secrets {
    /// The changes of a command that is about to be executed, or its refusal.
    pub(crate) fn of(engine: &Engine, command: &Command) -> Result<Self, Gated<Response>> {
        if command.brings_secret() && !engine.host.keeps_secrets() {
            let why = "the process of the queue manager keeps no secrets";
            let message = Message::new(&messages::SECRETS_REFUSED, [why]);
            return Err(answer(engine.catalogue.absence_need(), message));
        }
        Ok(Self(changes(engine, command)))
    }

    /// Has the host make the changes of a command that was executed; its answer.
    pub(crate) fn keep(self, engine: &Engine, response: Gated<Response>) -> Gated<Response> {
        let Some(changes) = self.0 else { return response };
        let object = format!("{} {}", changes.family.keyword(), changes.name);
        let keywords: Vec<&str> = changes.changes.iter().map(|(keyword, _)| *keyword).collect();
        match engine.host.request(&Request::KeepSecrets(changes)) {
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
    if !matches!(family, Family::QueueManager | Family::Authentication | Family::Channel) {
        return None;
    }
    let kept = || {
        let space = family.types().next()?.name_space();
        let name = name.parse::<ObjectName>().ok()?;
        Some(engine.catalogue.find_defined(space, name.as_str()).0?.current().definition.clone())
    };
    let before = match family {
        Family::QueueManager => Some(engine.catalogue.manager().definition.clone()),
        _ => kept(),
    };
    let had = before.as_ref().map(signed).unwrap_or_default();
    let given = |keyword: &str| {
        let setting = command.settings().iter().find(|setting| setting.attribute.keyword == keyword);
        setting.and_then(|setting| setting.secret()).map(str::to_owned)
    };
    // DEFINE and DELETE leave none of those before; ALTER leaves those that it does not name.
    let keywords: Vec<&'static str> = match command {
        Command::Define(define) => secrets::of(define.object_type).map(|row| row.keyword).collect(),
        Command::Alter(alter) => secrets::of(alter.object_type)
            .map(|row| row.keyword)
            .filter(|keyword| given(keyword).is_some())
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
    let sign = Value::from(secrets::SIGN);
    let is_signed = |row: &&objects::Attribute| definition.value(row).as_ref() == Some(&sign);
    secrets::of(object_type).filter(is_signed).map(|row| row.keyword).collect()
}
