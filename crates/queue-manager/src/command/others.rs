//! DEFINE, ALTER and DELETE of objects that are no queues.

use std::sync::Arc;

use mqi::Reason;
use mqi::constants::{MQIA_MULTICAST, MQMC_ENABLED, MQMC_ONLY};
use objects::mqsc::{Alter, Define, Delete, Name};
use objects::{Definition, Family, Message, NameSpace, ObjectType, Response, Value, messages};
use queues::gate::Gated;
use queues::ground::growth::Growth;
use security::{Command as Verb, Principal};
use storage::Lsn;

use super::answer::{answer, done, failed, observed, refusal};
use super::{channel, subscription};
use crate::Issuer;
use crate::authority::commands;
use crate::catalogue::{ChangeError, Defined, Existing, Lifetime, system_definitions};
use crate::engine::Engine;

pub(super) fn define(engine: &Engine, issuer: &Issuer, define: &Define) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let Define { object_type, name, .. } = define;
    let model = match like(engine, define) {
        Ok(model) => model,
        Err(refusal) => return refusal,
    };
    let now = engine.time_of_day();
    let identifier = match name {
        Name::Object(name) => *name,
        Name::Subscription(_) | Name::SubscriptionIdentifier(_) => {
            engine.broker.new_subscription_identifier()
        }
    };
    let mut definition = model.copy(identifier, now);
    let maker = &*engine.directory.door.maker(&issuer.principal);
    definition.set_maker(maker);
    if let Name::Subscription(text) = name {
        definition.set_internal(mqi::constants::MQCACF_SUB_NAME, Value::from(&**text));
    }
    if let Err(error) = definition.define(&define.settings, now) {
        return failed("DEFINE", *object_type, name.as_str(), error, catalogue.absence_need());
    }
    if is_multicast(&definition) {
        return refused(engine, "DEFINE", *object_type, name, ChangeError::Multicast);
    }
    if *object_type == ObjectType::Subscription && !engine.directory.door.is_free(&issuer.principal) {
        subscription::give_owner(&mut definition, &define.settings, &issuer.principal);
    }
    if *object_type == ObjectType::Subscription
        && let Err(why) = subscription::settle(engine, &mut definition, &define.settings, &model)
    {
        return failed("DEFINE", *object_type, name.as_str(), why, catalogue.topics().need);
    }
    let existing = if define.replaces() { Existing::Replace } else { Existing::Refuse };
    let is_new = catalogue.find_defined(object_type.name_space(), definition.shown_name()).0.is_none();
    // Before its queue is made: one that is refused leaves nothing in the log.
    if is_new
        && *object_type == ObjectType::Subscription
        && let Err(refusal) = catalogue.ledger.check(Growth::Subscriptions, maker)
    {
        return refused(engine, "DEFINE", *object_type, name, refusal.into());
    }
    let has_new_queue = match subscription::give_queue(engine, &mut definition) {
        Ok(is_made) => is_made,
        Err(why) => return failed("DEFINE", *object_type, name.as_str(), why, catalogue.topics().need),
    };
    let mut lent = Lsn::ZERO;
    let mut make = || {
        let check = |before: Option<&Definition>, after: &Definition| {
            let object = commands::named(*object_type, name);
            engine.may_still(&issuer.principal, object, commands::verb_of(define), &mut lent)?;
            engine.may_lend(&issuer.principal, before, after, &mut lent)
        };
        catalogue.define_other_if(definition.clone(), existing, Lifetime::Logged, check)
    };
    let made = if is_new && subscription::is_given_all(&definition) {
        engine.broker.make_with_retained(&definition, make)
    } else {
        make()
    };
    match made {
        Ok(need) => {
            engine.follow_listener(*object_type, name.as_str());
            engine.topic_changed(*object_type);
            let answer = done(&messages::OBJECT_CREATED, *object_type, name.as_str(), need.max(lent));
            channel::followed(engine, *object_type, name.as_str(), answer)
        }
        Err(error) => {
            if has_new_queue {
                engine.broker.drop_managed_of(&definition);
            }
            refused(engine, "DEFINE", *object_type, name, error)
        }
    }
}

pub(super) fn alter(engine: &Engine, author: &Principal, alter: &Alter) -> Gated<Response> {
    let Alter { object_type, name, settings, .. } = alter;
    let now = engine.time_of_day();
    let space = object_type.name_space();
    let mut lent = Lsn::ZERO;
    let changed = match full_name(engine, space, name) {
        Some(known) => engine.directory.catalogue.alter_other(space, &known, *object_type, |definition| {
            engine.may_still(author, commands::named(*object_type, name), Verb::Alter, &mut lent)?;
            let before = definition.clone();
            subscription::check_alter(definition, settings)?;
            definition.alter(settings, now)?;
            // One of an earlier release may have it, and its other attributes can be altered.
            if is_multicast(definition) && !is_multicast(&before) {
                return Err(ChangeError::Multicast);
            }
            engine.may_lend(author, Some(&before), definition, &mut lent)
        }),
        None => Err(ChangeError::NotFound),
    };
    match changed {
        Ok(need) => {
            engine.follow_listener(*object_type, name.as_str());
            engine.topic_changed(*object_type);
            let answer = done(&messages::OBJECT_CHANGED, *object_type, name.as_str(), need.max(lent));
            channel::followed(engine, *object_type, name.as_str(), answer)
        }
        Err(error) => refused(engine, "ALTER", *object_type, name, error),
    }
}

pub(super) fn delete(engine: &Engine, author: &Principal, delete: &Delete) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let space = delete.name_space();
    let object_type = delete.object_type.or_else(|| delete.family.types().next());
    let object_type = object_type.expect("a family has types");
    let name = &delete.name;
    if object_type == ObjectType::Listener
        && let Some(refused) = engine.listener_in_use(name.as_str(), catalogue.absence_need())
    {
        return refused;
    }
    // Held until its definition is gone: a channel neither begins nor runs meanwhile.
    let held = match name {
        Name::Object(name) if delete.family == Family::Channel => match engine.message_channels.hold(*name) {
            Some(held) => Some(held),
            None => return answer(catalogue.absence_need(), Message::new(&messages::CHANNEL_RUNS, [name])),
        },
        _ => None,
    };
    let known = full_name(engine, space, name);
    let before = known.as_ref().and_then(|known| catalogue.find_defined(space, known).0);
    let before = before.map(|object| object.current().definition.clone());
    let subscription = before.filter(|_| object_type == ObjectType::Subscription);
    if subscription.as_ref().is_some_and(|found| !engine.broker.claim(found.name(), 0, false)) {
        let need = catalogue.topics().need;
        return failed("DELETE", object_type, name.as_str(), Reason::SUBSCRIPTION_IN_USE, need);
    }
    let mut judged = Lsn::ZERO;
    let removed = match known {
        Some(known) => catalogue.remove_other_if(space, &known, delete.object_type, || {
            let object = commands::named(object_type, name);
            Ok(engine.may_still(author, object, Verb::Delete, &mut judged)?)
        }),
        None => Err(ChangeError::NotFound),
    };
    if let (Some(_held), Name::Object(channel), Ok(_)) = (&held, name, &removed) {
        engine.message_channels.forget(channel);
        engine.instances.forget(channel);
    }
    if let Some(subscription) = subscription {
        if removed.is_ok() {
            engine.broker.leave_place(&subscription.topic_string());
            engine.broker.drop_managed_of(&subscription);
        }
        engine.broker.release(subscription.name(), 0);
    }
    match removed {
        Ok(need) => {
            engine.topic_changed(object_type);
            engine.forget_listener(object_type, name);
            done(&messages::OBJECT_DELETED, object_type, name.as_str(), need.max(judged))
        }
        Err(ChangeError::NotFound) if delete.ignore_missing => {
            done(&messages::OBJECT_ABSENT, object_type, name.as_str(), catalogue.absence_need())
        }
        Err(error) => refused(engine, "DELETE", object_type, name, error),
    }
}

/// The name under which the catalogue has an object; that of a subscription may be asked for by its
/// identifier.
fn full_name(engine: &Engine, space: NameSpace, name: &Name) -> Option<String> {
    match name {
        Name::Object(name) => Some(name.to_string()),
        Name::Subscription(text) => Some(text.to_string()),
        Name::SubscriptionIdentifier(digits) => {
            let is_meant = |object: &Arc<Defined>| object.current().definition.name() == digits;
            let object = engine.directory.catalogue.all_defined(space.family()).into_iter().find(is_meant)?;
            Some(object.current().definition.shown_name().to_owned())
        }
    }
}

/// The definition that gives the values not said.
fn like(engine: &Engine, define: &Define) -> Result<Definition, Gated<Response>> {
    let object_type = define.object_type;
    let default = object_type.default_object().expect("types that DEFINE takes have a default object");
    let name = define.like.as_ref().map_or(default, Name::as_str);
    let (object, need) = engine.directory.catalogue.find_defined(object_type.name_space(), name);
    match object.map(|object| object.current()) {
        Some(current) if current.definition.object_type() == object_type => Ok(current.definition.clone()),
        Some(current) => {
            let other = current.definition.object_type();
            let inserts = [name.to_owned(), other.full_keyword(), object_type.full_keyword()];
            Err(answer(need, Message::new(&messages::OBJECT_OF_OTHER_TYPE, inserts)))
        }
        // A default object that was deleted is defined again as every new queue manager has it.
        None if define.like.is_none() && define.name == name => {
            let now = engine.time_of_day();
            let is_it = |made: &Definition| made.object_type() == object_type && made.shown_name() == name;
            let made = system_definitions(now).into_iter().find(is_it);
            Ok(made.unwrap_or_else(|| Definition::new(object_type, name.parse().unwrap_or_default(), now)))
        }
        None => Err(answer(need, Message::new(&messages::LIKE_NOT_FOUND, [object_type.noun(), name]))),
    }
}

/// A topic object that asks for multicast.
fn is_multicast(definition: &Definition) -> bool {
    definition.object_type() == ObjectType::Topic
        && [MQMC_ENABLED, MQMC_ONLY].contains(&definition.integer(MQIA_MULTICAST))
}

fn refused(
    engine: &Engine,
    verb: &str,
    object_type: ObjectType,
    name: &Name,
    error: ChangeError,
) -> Gated<Response> {
    if let ChangeError::NotAuthorized(denied) = &error {
        return engine.refuse_lent(denied);
    }
    let (_, need) = engine.directory.catalogue.find_defined(object_type.name_space(), name.as_str());
    let need = observed(engine, &error, need);
    refusal(verb, object_type, name.as_str(), error, need)
}

/// The message that introduces an object of a family.
pub(super) fn heading(family: Family) -> &'static messages::MessageRow {
    match family {
        Family::Queue => &messages::QUEUE_DETAILS,
        Family::QueueManager => &messages::QUEUE_MANAGER_DETAILS,
        Family::Process => &messages::PROCESS_DETAILS,
        Family::Namelist => &messages::NAMELIST_DETAILS,
        Family::Channel => &messages::CHANNEL_DETAILS,
        Family::Listener => &messages::LISTENER_DETAILS,
        Family::Service => &messages::SERVICE_DETAILS,
        Family::Topic => &messages::TOPIC_DETAILS,
        Family::Subscription => &messages::SUBSCRIPTION_DETAILS,
        Family::Authentication => &messages::AUTHENTICATION_DETAILS,
        Family::CommunicationInformation => &messages::COMMUNICATION_DETAILS,
        Family::ChannelRule => &messages::CHANNEL_RULE_DETAILS,
        Family::Bridge => &messages::BRIDGE_DETAILS,
        Family::Pipe => &messages::PIPE_DETAILS,
    }
}

/// Returns the position that must be durable for a set of objects that were found.
pub(super) fn need_of(objects: &[Arc<Defined>]) -> Lsn {
    objects.iter().map(|object| object.current().need).max().unwrap_or_default()
}
