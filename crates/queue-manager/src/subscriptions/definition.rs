//! The subscription that a program describes, and the definition that keeps it.

use mqi::constants::*;
use mqi::ours::{EXCLUDED_CLIENT, SHARED_SUBSCRIPTION};
use mqi::{CorrelationId, Expiry, ObjectName, Reason, SubscribeOptions, SubscriptionDescriptor, Text};
use objects::{Definition, ObjectType, Value, attributes};
use selector::Selector;
use topic::{Pattern, Wildcards};

use super::Wanted;
use crate::catalogue::{correlation_of, token_of};
use crate::directory::Directory;

/// Options that a definition keeps as they are.
const KEPT: SubscribeOptions = SubscribeOptions::GROUP_SUB.union(SubscribeOptions::SET_CORREL_ID);

/// Options that say how a subscription is, and not what is to be done with it now.
pub(super) const SHOWN: SubscribeOptions = KEPT
    .union(SubscribeOptions::DURABLE)
    .union(SubscribeOptions::MANAGED)
    .union(SubscribeOptions::ANY_USERID)
    .union(SubscribeOptions::FIXED_USERID)
    .union(SubscribeOptions::PUBLICATIONS_ON_REQUEST)
    .union(SubscribeOptions::WILDCARD_CHAR)
    .union(SubscribeOptions::WILDCARD_TOPIC)
    .union(SubscribeOptions::SCOPE_QMGR);

/// The definition of a new subscription, but for a managed queue.
pub(super) fn define(
    id: ObjectName,
    directory: &Directory,
    wanted: &Wanted<'_>,
    pattern: &Pattern,
) -> Result<Definition, Reason> {
    let mut definition = Definition::new(ObjectType::Subscription, id, directory.time_of_day());
    let of = wanted.descriptor;
    let class = choice(wanted.has(SubscribeOptions::MANAGED), MQDC_MANAGED, MQDC_PROVIDED);
    let durable = choice(wanted.has(SubscribeOptions::DURABLE), MQSUB_DURABLE_YES, MQSUB_DURABLE_NO);
    let on_request = wanted.has(SubscribeOptions::PUBLICATIONS_ON_REQUEST);
    let request = choice(on_request, MQRU_PUBLISH_ON_REQUEST, MQRU_PUBLISH_ALL);
    let selection = of.selection_string.trim_matches(' ');
    if !selection.is_empty() {
        Selector::parse(selection).map_err(|error| error.reason())?;
    }
    // Without a topic object there is nothing else than the whole.
    let (given, whole) = if of.object_name.is_blank() {
        (pattern.as_str(), "")
    } else {
        (of.object_string.as_str(), pattern.as_str())
    };
    for (identifier, value, refusal) in [
        (MQCACF_SUB_NAME, Value::from(of.name.as_str()), Reason::SUB_NAME_ERROR),
        (MQCA_TOPIC_NAME, Value::from(&of.object_name), Reason::OBJECT_NAME_ERROR),
        (MQCA_TOPIC_STRING, Value::from(given), Reason::TOPIC_STRING_ERROR),
        (MQCACF_TOPIC, Value::from(whole), Reason::TOPIC_STRING_ERROR),
        (MQCACF_SUB_SELECTOR, Value::from(selection), Reason::SELECTION_STRING_ERROR),
        (MQIACF_DESTINATION_CLASS, class, Reason::UNEXPECTED_ERROR),
        (MQIACF_DURABLE_SUBSCRIPTION, durable, Reason::UNEXPECTED_ERROR),
        (MQIACF_REQUEST_ONLY, request, Reason::UNEXPECTED_ERROR),
        (MQIACF_WILDCARD_SCHEMA, schema(pattern), Reason::UNEXPECTED_ERROR),
        (MQIACF_SUB_TYPE, Value::Integer(MQSUBTYPE_API), Reason::UNEXPECTED_ERROR),
        (MQIACF_SUB_LEVEL, Value::Integer(of.level), Reason::SD_ERROR),
        (SHARED_SUBSCRIPTION, Value::Integer(wanted.is_shared.into()), Reason::UNEXPECTED_ERROR),
        (EXCLUDED_CLIENT, Value::from(wanted.excludes.unwrap_or_default()), Reason::UNEXPECTED_ERROR),
    ] {
        keep(&mut definition, identifier, value, refusal)?;
    }
    describe(&mut definition, directory, wanted)?;
    if let Some(terms) = wanted.terms {
        terms.keep(&mut definition);
    }
    Ok(definition)
}

/// Takes over the fields that a program sets each time it makes or alters a subscription.
pub(super) fn describe(
    definition: &mut Definition,
    directory: &Directory,
    wanted: &Wanted<'_>,
) -> Result<(), Reason> {
    let of = wanted.descriptor;
    definition.apply(&[], directory.time_of_day()).map_err(|_| Reason::UNEXPECTED_ERROR)?;
    pass_to(definition, wanted.user)?;
    let user = choice(wanted.has(SubscribeOptions::ANY_USERID), MQVU_ANY_USER, MQVU_FIXED_USER);
    let scope = choice(wanted.has(SubscribeOptions::SCOPE_QMGR), MQTSCOPE_QMGR, MQTSCOPE_ALL);
    keep(definition, MQIACF_VARIABLE_USER_ID, user, Reason::UNEXPECTED_ERROR)?;
    keep(definition, MQIACF_SUBSCRIPTION_SCOPE, scope, Reason::UNEXPECTED_ERROR)?;
    keep(definition, MQCACF_SUB_USER_DATA, Value::from(of.user_data.as_str()), Reason::SUB_USER_DATA_ERROR)?;
    keep(definition, MQIACF_PUB_PRIORITY, Value::Integer(of.priority), Reason::PRIORITY_ERROR)?;
    keep(definition, MQIACF_EXPIRY, Value::Integer(of.expiry.code()), Reason::EXPIRY_ERROR)?;
    let mut options = SubscribeOptions::from_bits(definition.integer(MQIACF_SUB_OPTIONS));
    options.insert(of.options & KEPT);
    keep(definition, MQIACF_SUB_OPTIONS, Value::Integer(options.bits()), Reason::OPTIONS_ERROR)?;
    if wanted.has(SubscribeOptions::SET_CORREL_ID) {
        let digits = hexadecimal(&of.correlation_id.0);
        keep(definition, MQBACF_DESTINATION_CORREL_ID, Value::from(digits.as_str()), Reason::SD_ERROR)?;
    }
    if wanted.has(SubscribeOptions::SET_IDENTITY_CONTEXT) {
        let digits = hexadecimal(&of.accounting_token.0);
        keep(definition, MQBACF_ACCOUNTING_TOKEN, Value::from(digits.as_str()), Reason::SD_ERROR)?;
        let data = Value::from(of.application_identity_data.as_str());
        keep(definition, MQCACF_APPL_IDENTITY_DATA, data, Reason::SD_ERROR)?;
    }
    if let Some(destination) = &wanted.destination {
        let name = Value::from(&destination.object_name);
        keep(definition, MQCACF_DESTINATION, name, Reason::HOBJ_ERROR)?;
        let manager = Value::from(destination.object_queue_manager_name.as_str());
        keep(definition, MQCACF_DESTINATION_Q_MGR, manager, Reason::HOBJ_ERROR)?;
    }
    Ok(())
}

/// True if using a subscription again gives it another user.
pub(super) fn passes_to(wanted: &Wanted<'_>, found: &Definition) -> bool {
    found.integer(MQIACF_SUB_TYPE) == MQSUBTYPE_API && found.text(MQCACF_SUB_USER_ID) != wanted.user
}

/// Makes a subscription that of a user, whose messages have the usual context.
pub(super) fn pass_to(definition: &mut Definition, user: &str) -> Result<(), Reason> {
    let user: Text<12> = Text::truncated(user);
    keep(definition, MQCACF_SUB_USER_ID, Value::from(user.as_str()), Reason::UNEXPECTED_ERROR)?;
    let none = Value::from(hexadecimal(&[0; 32]).as_str());
    keep(definition, MQBACF_ACCOUNTING_TOKEN, none, Reason::UNEXPECTED_ERROR)?;
    keep(definition, MQCACF_APPL_IDENTITY_DATA, Value::from(""), Reason::UNEXPECTED_ERROR)
}

/// Checks that a program may use a subscription as it describes it.
pub(super) fn agrees(
    wanted: &Wanted<'_>,
    pattern: Option<&Pattern>,
    found: &Definition,
) -> Result<(), Reason> {
    let of = wanted.descriptor;
    let is_durable = found.integer(MQIACF_DURABLE_SUBSCRIPTION) == MQSUB_DURABLE_YES;
    let is_managed = found.integer(MQIACF_DESTINATION_CLASS) == MQDC_MANAGED;
    let is_fixed = found.integer(MQIACF_VARIABLE_USER_ID) == MQVU_FIXED_USER;
    let user: Text<12> = Text::truncated(wanted.user);
    // A name is that of a shared subscription, or that of one that is not.
    if (found.integer(SHARED_SUBSCRIPTION) != 0) != wanted.is_shared {
        return Err(Reason::SUBSCRIPTION_IN_USE);
    }
    if is_fixed && found.text(MQCACF_SUB_USER_ID) != user.as_str() {
        return Err(Reason::IDENTITY_MISMATCH);
    }
    // MQSO_RESUME takes both as they are.
    if wanted.has(SubscribeOptions::ALTER) {
        if is_durable != wanted.has(SubscribeOptions::DURABLE) {
            return Err(Reason::DURABILITY_NOT_ALTERABLE);
        }
        if is_managed != wanted.has(SubscribeOptions::MANAGED) {
            return Err(Reason::DEST_CLASS_NOT_ALTERABLE);
        }
    }
    // MQSO_RESUME alone says nothing of topic, selector and level either.
    if !of.options.intersects(SubscribeOptions::CREATE | SubscribeOptions::ALTER) {
        return Ok(());
    }
    let topic = found.topic_string();
    let is_other_topic = |pattern: &Pattern| {
        topic != pattern.as_str()
            || Value::Integer(found.integer(MQIACF_WILDCARD_SCHEMA)) != schema(pattern)
                && pattern.topic().is_none()
    };
    let selection = of.selection_string.trim_matches(' ');
    if pattern.is_some_and(is_other_topic) {
        Err(Reason::TOPIC_NOT_ALTERABLE)
    } else if found.text(EXCLUDED_CLIENT) != wanted.excludes.unwrap_or_default() {
        // The own publications left out are a part of the selection.
        Err(Reason::SELECTOR_NOT_ALTERABLE)
    } else if (!selection.is_empty() || wanted.begins_anew) && found.text(MQCACF_SUB_SELECTOR) != selection {
        Err(Reason::SELECTOR_NOT_ALTERABLE)
    } else if found.integer(MQIACF_SUB_LEVEL) != of.level {
        Err(Reason::SUBLEVEL_NOT_ALTERABLE)
    } else if wanted.has(SubscribeOptions::ALTER) && regroups(wanted, found) {
        Err(Reason::GROUPING_NOT_ALTERABLE)
    } else {
        Ok(())
    }
}

/// True if a change would move a subscription to another group, or in or out of one.
fn regroups(wanted: &Wanted<'_>, found: &Definition) -> bool {
    let is_grouped = is_grouped(found);
    let moves = wanted.destination.as_ref().is_some_and(|destination| {
        found.text(MQCACF_DESTINATION) != destination.object_name.as_str()
            || found.text(MQCACF_DESTINATION_Q_MGR) != destination.object_queue_manager_name.as_str()
    });
    is_grouped != wanted.has(SubscribeOptions::GROUP_SUB)
        || is_grouped && (moves || correlation_of(found) != Some(wanted.descriptor.correlation_id))
}

/// True if a subscription belongs to the group of those with its queue, level and correlation identifier.
pub(super) fn is_grouped(definition: &Definition) -> bool {
    let options = SubscribeOptions::from_bits(definition.integer(MQIACF_SUB_OPTIONS));
    options.contains(SubscribeOptions::GROUP_SUB)
}

/// True if two subscriptions of one group are about the same topics.
pub(super) fn is_double_in_group(one: &Definition, other: &Definition) -> bool {
    let texts = [MQCACF_DESTINATION, MQCACF_DESTINATION_Q_MGR, MQBACF_DESTINATION_CORREL_ID];
    is_grouped(other)
        && one.topic_string() == other.topic_string()
        && one.integer(MQIACF_SUB_LEVEL) == other.integer(MQIACF_SUB_LEVEL)
        && texts.into_iter().all(|text| one.text(text) == other.text(text))
}

/// A subscription as a program sees it.
pub(super) fn shown(definition: &Definition) -> SubscriptionDescriptor {
    SubscriptionDescriptor {
        options: options_of(definition),
        object_name: ObjectName::BLANK,
        object_string: definition.topic_string(),
        alternate_user_identifier: Text::BLANK,
        name: definition.text(MQCACF_SUB_NAME),
        user_data: definition.text(MQCACF_SUB_USER_DATA),
        selection_string: definition.text(MQCACF_SUB_SELECTOR),
        correlation_id: correlation_of(definition).unwrap_or(CorrelationId::NONE),
        priority: definition.integer(MQIACF_PUB_PRIORITY),
        expiry: Expiry::from_code(definition.integer(MQIACF_EXPIRY)).unwrap_or(Expiry::UNLIMITED),
        accounting_token: token_of(definition),
        application_identity_data: Text::truncated(&definition.text(MQCACF_APPL_IDENTITY_DATA)),
        level: definition.integer(MQIACF_SUB_LEVEL),
    }
}

/// The options that a program would give to make a subscription as it is.
fn options_of(definition: &Definition) -> SubscribeOptions {
    let is = |attribute, value| definition.integer(attribute) == value;
    let either = |is: bool, option, other| if is { option } else { other };
    let none = SubscribeOptions::EMPTY;
    [
        either(is(MQIACF_DURABLE_SUBSCRIPTION, MQSUB_DURABLE_YES), SubscribeOptions::DURABLE, none),
        either(is(MQIACF_DESTINATION_CLASS, MQDC_MANAGED), SubscribeOptions::MANAGED, none),
        either(
            is(MQIACF_VARIABLE_USER_ID, MQVU_ANY_USER),
            SubscribeOptions::ANY_USERID,
            SubscribeOptions::FIXED_USERID,
        ),
        either(
            is(MQIACF_REQUEST_ONLY, MQRU_PUBLISH_ON_REQUEST),
            SubscribeOptions::PUBLICATIONS_ON_REQUEST,
            none,
        ),
        either(
            is(MQIACF_WILDCARD_SCHEMA, MQWS_CHAR),
            SubscribeOptions::WILDCARD_CHAR,
            SubscribeOptions::WILDCARD_TOPIC,
        ),
        either(is(MQIACF_SUBSCRIPTION_SCOPE, MQTSCOPE_QMGR), SubscribeOptions::SCOPE_QMGR, none),
    ]
    .into_iter()
    .fold(SubscribeOptions::from_bits(definition.integer(MQIACF_SUB_OPTIONS)), SubscribeOptions::union)
}

fn schema(pattern: &Pattern) -> Value {
    choice(pattern.wildcards() == Wildcards::Characters, MQWS_CHAR, MQWS_TOPIC)
}

fn choice(is: bool, number: i32, other: i32) -> Value {
    Value::Integer(if is { number } else { other })
}

/// Gives an attribute a value that came from a program.
fn keep(definition: &mut Definition, identifier: i32, value: Value, refusal: Reason) -> Result<(), Reason> {
    let number = u16::try_from(identifier).ok().map(attributes::Number);
    let row = number.and_then(|number| attributes::by_number(ObjectType::Subscription, number));
    value.check(row.expect("subscriptions have it")).map_err(|_| refusal)?;
    definition.set_internal(identifier, value);
    Ok(())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
