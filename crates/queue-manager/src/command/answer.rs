//! Answers of commands in one message.

use std::fmt;

use mqi::constants::MQCA_CONN_AUTH;
use mqi::{ObjectName, Reason};
use objects::mqsc::Target;
use objects::{Message, ObjectType, Response, messages};
use queues::gate::Gated;
use queues::ground::growth::{Growth, GrowthRefusal};
use queues::queue::state::Busy;
use storage::Lsn;

use crate::catalogue::ChangeError;
use crate::engine::Engine;

pub(super) fn busy_refusal(
    engine: &Engine,
    verb: &str,
    object_type: ObjectType,
    name: &ObjectName,
    busy: Busy,
    uncommitted: &'static messages::MessageRow,
) -> Gated<Response> {
    let queue = engine.directory.catalogue.find(name).object;
    let need = queue
        .and_then(|object| object.queue().map(|queue| queue.status(&engine.queues).need))
        .unwrap_or_default();
    let counted = |row, count: u32| answer(need, Message::new(row, [name.to_string(), count.to_string()]));
    match busy {
        Busy::Open { handles } => open_refusal(object_type, name, handles, need),
        Busy::NotEmpty { messages } => counted(&messages::QUEUE_NOT_EMPTY, messages),
        Busy::Uncommitted { messages } => counted(uncommitted, messages),
        Busy::Refused(reason) => failed(verb, object_type, name.as_str(), reason, need),
    }
}

pub(super) fn open_refusal(
    object_type: ObjectType,
    name: &ObjectName,
    handles: u32,
    need: Lsn,
) -> Gated<Response> {
    let inserts = [object_type.noun().to_owned(), name.to_string(), handles.to_string()];
    answer(need, Message::new(&messages::OBJECT_OPEN, inserts))
}

pub(super) fn change_failed(
    engine: &Engine,
    verb: &str,
    object_type: ObjectType,
    name: &ObjectName,
    error: ChangeError,
) -> Gated<Response> {
    if let ChangeError::NotAuthorized(denied) = &error {
        return engine.refuse_lent(denied);
    }
    let found = engine.directory.catalogue.find(name);
    let need = observed(engine, &error, found.need);
    refusal(verb, object_type, name.as_str(), error, need)
}

/// The position that must be durable for a refusal: the objects that a bound counted may not be durable yet.
pub(super) fn observed(engine: &Engine, error: &ChangeError, need: Lsn) -> Lsn {
    if matches!(error, ChangeError::Beyond(_)) { engine.ground().storage.appended() } else { need }
}

/// The answer to a change that the catalogue refused.
pub(super) fn refusal(
    verb: &str,
    object_type: ObjectType,
    name: &str,
    error: ChangeError,
    need: Lsn,
) -> Gated<Response> {
    let named = |row| answer(need, Message::new(row, [object_type.noun(), name]));
    match error {
        ChangeError::Exists(_) => named(&messages::OBJECT_EXISTS),
        ChangeError::NotFound => named(&messages::OBJECT_NOT_FOUND),
        ChangeError::OtherType { found: other, .. } => {
            let inserts = [name.to_owned(), other.full_keyword(), object_type.full_keyword()];
            answer(need, Message::new(&messages::OBJECT_OF_OTHER_TYPE, inserts))
        }
        ChangeError::Setting(error) => failed(verb, object_type, name, error, need),
        error @ (ChangeError::TopicString { .. }
        | ChangeError::AmqpName { .. }
        | ChangeError::Subscription(_)
        | ChangeError::ReplacesDynamic(_)
        | ChangeError::DynamicTransmission
        | ChangeError::Multicast
        | ChangeError::AboveSetting { .. }
        | ChangeError::NotAuthorized(_)) => failed(verb, object_type, name, error, need),
        ChangeError::Beyond(refused) => {
            answer(need, refused_growth(command_on(verb, object_type, name), &refused))
        }
        ChangeError::OutOfSpace(error) => {
            let reason =
                if verb == "DELETE" { Reason::RESOURCE_PROBLEM } else { Reason::STORAGE_MEDIUM_FULL };
            let reason = format!("{reason}: {error}");
            failed(verb, object_type, name, reason, need)
        }
    }
}

pub(super) fn failed(
    verb: &str,
    object_type: ObjectType,
    name: &str,
    why: impl fmt::Display,
    need: Lsn,
) -> Gated<Response> {
    let command = command_on(verb, object_type, name);
    answer(need, Message::new(&messages::COMMAND_FAILED, [command, why.to_string()]))
}

fn command_on(verb: &str, object_type: ObjectType, name: &str) -> String {
    match object_type {
        ObjectType::QueueManager => format!("{verb} QMGR"),
        object_type => format!("{verb} {}({name})", object_type.keyword()),
    }
}

/// The message for a command that would make one thing more than a bound allows.
pub(crate) fn refused_growth(command: String, refusal: &GrowthRefusal) -> Message {
    let reason = Reason::RESOURCE_PROBLEM;
    Message::new(&messages::COMMAND_FAILED, [command, format!("{reason}: {refusal}")])
        .with_reason(reason.code())
}

pub(super) fn done(
    row: &'static messages::MessageRow,
    object_type: ObjectType,
    name: &str,
    need: Lsn,
) -> Gated<Response> {
    answer(need, Message::new(row, [object_type.noun(), name]))
}

pub(super) fn answer(need: Lsn, message: Message) -> Gated<Response> {
    Gated::new(need, Response::message(message))
}

/// The warnings with an answer, and the position that must be durable for them: each answer names the doors
/// that the queue manager is meant to have closed; one about the queue manager itself says what its users have
/// almost used up, and the attributes that a setting keeps from their effect.
pub(super) fn warnings(engine: &Engine, target: &Target) -> (Vec<Message>, Lsn) {
    let doors = open_doors(engine);
    let Target::QueueManager = target else { return (doors, Lsn::ZERO) };
    let ledger = &engine.directory.catalogue.ledger;
    ledger.measure(Growth::RetainedPublications, engine.broker.retained_count());
    let near = ledger.near();
    let need = if near.is_empty() { Lsn::ZERO } else { engine.ground().storage.appended() };
    let near = near.iter().map(|near| Message::new(&messages::GROWTH_NEAR, near.inserts()));
    let above =
        engine.above_settings().map(|inserts| Message::new(&messages::ATTRIBUTE_ABOVE_SETTING, inserts));
    ([doors, near.collect(), above.collect()].concat(), need)
}

/// A warning for each door that is open beyond loopback, or once requests are judged.
fn open_doors(engine: &Engine) -> Vec<Message> {
    let manager = engine.directory.catalogue.manager();
    let is_judging = engine.directory.door.is_judging();
    let has_no_rules = is_judging && !engine.judges_channels();
    let has_no_passwords = is_judging && manager.definition.text(MQCA_CONN_AUTH).trim().is_empty();
    [
        (engine.ground().host.is_exposed(), &messages::EXPOSED),
        (has_no_rules, &messages::RULES_OFF),
        (has_no_passwords, &messages::PASSWORDS_OFF),
    ]
    .into_iter()
    .filter(|(is_so, _)| *is_so)
    .map(|(_, row)| Message::new(row, [engine.directory.name]))
    .collect()
}
