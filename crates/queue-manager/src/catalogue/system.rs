//! The objects every queue manager has from the start: `system.mqsc` read.

use mqi::ObjectName;
use mqi::constants::{MQ_Q_MGR_IDENTIFIER_LENGTH, MQCA_CONN_AUTH, MQCA_Q_MGR_IDENTIFIER, MQCACF_SUB_NAME};
use mqi::ours::GUARD;
use objects::configuration::Configuration;
use objects::mqsc::{self, Command, Define, Name};
use objects::{Definition, Moment, ObjectType, Value};

const SOURCE: &str = include_str!("system.mqsc");

/// The system objects that queue managers made by release 0.1.0 do not have.
const ADDED: &[&str] = &[
    "SYSTEM.AMQP.COMMAND.QUEUE",
    "SYSTEM.AMQP.SERVICE",
    "SYSTEM.AUTH.DATA.QUEUE",
    "SYSTEM.BROKER.INTER.BROKER.COMMUNICATIONS",
    "SYSTEM.CHLAUTH.DATA.QUEUE",
    "SYSTEM.CICS.INITIATION.QUEUE",
    "SYSTEM.DEFAULT.BRIDGE",
    "SYSTEM.DEFAULT.PIPE",
    "SYSTEM.DOTNET.XARECOVERY.QUEUE",
    "SYSTEM.FERRY.BRIDGE.STATE",
    "SYSTEM.INTERNAL.REPLY.QUEUE",
    "SYSTEM.INTERNAL.REQUEST.QUEUE",
    "SYSTEM.PROTECTION.ERROR.QUEUE",
    "SYSTEM.PROTECTION.POLICY.QUEUE",
    "SYSTEM.REST.REPLY.QUEUE",
    "SYSTEM.SELECTION.EVALUATION.QUEUE",
    "SYSTEM.SELECTION.VALIDATION.QUEUE",
];

/// The identifier of the subscription that gives DEFINE SUB its values.
const DEFAULT_SUBSCRIPTION: &str = "000000000000000000000000000000000000000000000000";

/// The definitions of the system objects, in the order in which they are made.
///
/// # Panics
/// When the script does not hold what it should, which a test would have told.
pub fn system_definitions(now: Moment) -> Vec<Definition> {
    let commands = mqsc::parse(SOURCE).unwrap_or_else(|errors| panic!("{errors}"));
    commands
        .into_iter()
        .map(|command| match command {
            Command::Define(define) => definition(&define, now),
            Command::SetChannelRule(set) => {
                let made = Definition::channel_rule(&set.all_settings(), now);
                made.unwrap_or_else(|error| panic!("{set:?}: {error}"))
            }
            other => panic!("{other} defines nothing"),
        })
        .collect()
}

/// The definitions of a new queue manager.
#[must_use]
pub fn fresh_definitions() -> Configuration {
    let mut fresh = Configuration::default();
    let manager = manager_definition(ObjectName::BLANK, Moment::default());
    system_definitions(Moment::default()).into_iter().chain([manager]).for_each(|one| fresh.keep(one));
    fresh
}

/// The definitions of those system objects that queue managers of an earlier release lack: of those that
/// `is_there` says are missing.
pub(super) fn added_definitions(now: Moment, is_there: impl Fn(&str) -> bool) -> Vec<Definition> {
    let missing: Vec<&str> = ADDED.iter().copied().filter(|name| !is_there(name)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let is_missing = |definition: &Definition| missing.contains(&definition.shown_name());
    system_definitions(now).into_iter().filter(is_missing).collect()
}

fn definition(define: &Define, now: Moment) -> Definition {
    let name = match &define.name {
        Name::Object(name) => *name,
        _ => DEFAULT_SUBSCRIPTION.parse().expect("digits make a name"),
    };
    let mut definition = Definition::new(define.object_type, name, now);
    let applied = definition.apply(&define.settings, now);
    applied.unwrap_or_else(|error| panic!("{}: {error}", define.name));
    if define.object_type == ObjectType::Subscription {
        definition.set_internal(MQCACF_SUB_NAME, Value::from(define.name.as_str()));
    }
    definition
}

/// GUARD once the records of channels were made.
pub(crate) const RULES_MADE: i32 = 1;

/// GUARD of a queue manager whose logins an earlier release judged: it had a mark of its own for that.
pub(crate) const LOGINS_JUDGED: i32 = 2;

/// The object that judges credentials in a new queue manager.
const CONN_AUTH: &str = "SYSTEM.DEFAULT.AUTHINFO.IDPWOS";

/// The definition of a new queue manager.
pub(super) fn manager_definition(name: ObjectName, now: Moment) -> Definition {
    let mut definition = Definition::new(ObjectType::QueueManager, name, now);
    // Name and time of making, as the family has it; a long name is cut so that the whole time stays.
    let suffix = format!("_{}_{}", now.date(), now.time());
    let name_length = name.as_str().len().min(MQ_Q_MGR_IDENTIFIER_LENGTH - suffix.len());
    let identifier = format!("{}{suffix}", &name.as_str()[..name_length]);
    definition.set_internal(MQCA_Q_MGR_IDENTIFIER, Value::from(identifier.as_str()));
    definition.set_internal(MQCA_CONN_AUTH, Value::from(CONN_AUTH));
    definition.set_internal(GUARD, Value::Integer(RULES_MADE));
    definition
}
