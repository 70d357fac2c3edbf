//! Units of work that belong to no connection: those that are prepared, and branches that a person decided.
//!
//! Lives here: their rows of DISPLAY CONN, and RESOLVE INDOUBT with their number. Lives elsewhere: what
//! becomes of them (`unit_of_work::prepared`, `unit_of_work::by_hand`).

use mqi::ObjectName;
use mqi::branch::BranchId;
use mqi::constants::*;
use objects::attributes::UNIT_STATES_BY_HAND;
use objects::mqsc::{KEY_END, Resolution};
use objects::{Attribute, Message, Moment, Response, Value, messages};
use platform::WallTime;
use queues::gate::{BehindGate, Gated};
use queues::ground::time::moment;
use queues::unit_of_work::prepared::{Decision, NotResolved, PreparedMessage, PreparedPurpose};
use storage::{Lsn, UnitId};

use super::answer::answer;
use super::live::UNIT_QUEUES_MAX;
use super::values::{count, date, external_identifier, names, shown_identifier, time};
use crate::engine::Engine;
use crate::instrumentation::Issuer;

/// EXTURID of a unit of work that no outside coordinator decides.
pub(super) const NO_EXTERNAL: &str = "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]";

/// A unit of work that belongs to no connection.
#[derive(Debug)]
pub(super) struct InDoubt {
    name: UnitId,
    state: i32,
    /// The identifier that its coordinator gave it, of a branch.
    external: Option<BranchId>,
    since: Option<Moment>,
    user: String,
    channel: String,
    pub(super) messages: Vec<PreparedMessage>,
}

/// The identifier that is shown as that of their connection.
pub(super) fn no_connection() -> String {
    shown_identifier(0)
}

/// The key of a unit, behind those of all connections.
pub(super) fn key_of(unit: &InDoubt) -> String {
    format!("~{:010}.{:020}{KEY_END}", unit.name.epoch, unit.name.counter)
}

/// The number of a unit as it is shown: m.n.
pub(super) fn shown_unit(name: UnitId) -> String {
    format!("{}.{}", name.epoch, name.counter)
}

/// All of them, oldest first, and the position that must be durable before a caller learns of them.
pub(super) fn in_doubt(engine: &Engine) -> (Vec<InDoubt>, Lsn) {
    let (prepared, resolved) = (engine.queues.prepared_units(), engine.queues.resolved_by_hand());
    let need = prepared.need().max(resolved.need());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut units = Vec::new();
    for unit in prepared.into_inner() {
        let (external, user, channel) = match unit.purpose {
            PreparedPurpose::Channel(batch) => {
                let table = engine.queues.state_objects.lock();
                let channel = table.sync(batch.sync_object).map(|(sync, _)| sync.channel.clone());
                (None, String::new(), channel.unwrap_or_default())
            }
            PreparedPurpose::Branch(branch) => {
                let external = BranchId::new(branch.format, &branch.global, &branch.qualifier).ok();
                (external, text(&branch.user), String::new())
            }
        };
        let since = unit.since.map(|since| moment(WallTime(since)));
        let (name, messages, state) = (unit.name, unit.messages, MQUOWST_PREPARED);
        units.push(InDoubt { name, state, external, since, user, channel, messages });
    }
    for branch in resolved.into_inner() {
        let [committed, backed_out] = UNIT_STATES_BY_HAND;
        units.push(InDoubt {
            name: branch.unit,
            state: if branch.is_committed { committed } else { backed_out },
            external: BranchId::new(branch.format, &branch.global, &branch.qualifier).ok(),
            since: Some(moment(WallTime(branch.prepared_at))),
            user: text(&branch.user),
            channel: String::new(),
            messages: Vec::new(),
        });
    }
    units.sort_by_key(|unit| unit.name);
    (units, need)
}

/// The value of an attribute of DISPLAY CONN TYPE(CONN).
pub(super) fn unit_value(row: &Attribute, manager: &ObjectName, unit: &InDoubt) -> Option<Value> {
    Some(match row.keyword {
        "CONN" => Value::from(no_connection().as_str()),
        "EXTCONN" => external_identifier(manager),
        "TYPE" => Value::Integer(MQIACF_CONN_INFO_CONN),
        "APPLTYPE" if unit.external.is_none() => Value::Integer(MQAT_CHANNEL_INITIATOR),
        "CHANNEL" => Value::from(unit.channel.as_str()),
        "EXTURID" => match &unit.external {
            Some(branch) => Value::from(branch.to_string().as_str()),
            None => Value::from(NO_EXTERNAL),
        },
        "QMURID" => Value::from(shown_unit(unit.name).as_str()),
        "UOWMSGS" => count(u32::try_from(unit.messages.len()).unwrap_or(u32::MAX)),
        "UOWQS" => {
            let mut queues: Vec<_> = unit.messages.iter().filter_map(|message| message.queue).collect();
            queues.sort_unstable();
            queues.dedup();
            queues.truncate(UNIT_QUEUES_MAX);
            names(&queues)
        }
        "UOWSTATE" => Value::Integer(unit.state),
        "UOWSTDA" => date(unit.since),
        "UOWSTTI" => time(unit.since),
        "URTYPE" => Value::Integer(if unit.external.is_some() { MQUOWT_XA } else { MQUOWT_Q_MGR }),
        "USERID" => Value::from(unit.user.as_str()),
        _ => row.default_value(),
    })
}

/// The value of an attribute of DISPLAY CONN TYPE(HANDLE) about a message of a unit.
pub(super) fn message_value(
    row: &Attribute,
    manager: &ObjectName,
    unit: &InDoubt,
    message: &PreparedMessage,
) -> Option<Value> {
    let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
    Some(match row.keyword {
        "CONN" => Value::from(no_connection().as_str()),
        "EXTCONN" => external_identifier(manager),
        "TYPE" => Value::Integer(MQIACF_CONN_INFO_HANDLE),
        "QMURID" => Value::from(shown_unit(unit.name).as_str()),
        "OBJNAME" => message.queue.as_ref().map_or_else(|| row.default_value(), Value::from),
        "MSGOP" => Value::Integer(i32::from(!message.is_put)),
        "MSGID" => Value::from(digits(&message.message_id).as_str()),
        "CORRELID" => Value::from(digits(&message.correlation_id).as_str()),
        "MSGLEN" => Value::Integer(i32::try_from(message.bytes).unwrap_or(i32::MAX)),
        _ => return None,
    })
}

/// RESOLVE INDOUBT with the number of a unit.
pub(super) fn resolve(
    engine: &Engine,
    issuer: &Issuer,
    shown: &str,
    resolution: Resolution,
) -> Gated<Response> {
    let parts = shown.split_once('.');
    let name = parts.and_then(|(epoch, counter)| {
        Some(UnitId { epoch: epoch.parse().ok()?, counter: counter.parse().ok()? })
    });
    let refused = |need, why: &str| answer(need, Message::new(&messages::UNIT_NOT_RESOLVED, [shown, why]));
    let Some(name) = name else { return refused(Lsn::ZERO, "it is no number of a unit") };
    let decide = |decision, done: &str| {
        let maker = engine.directory.door.maker(&issuer.principal);
        let by = issuer.principal.name();
        let new_identifier = || engine.directory.catalogue.new_identifier();
        let resolved = engine.queues.resolve_by_hand(name, decision, by, &maker, new_identifier);
        let need = resolved.need();
        match resolved.into_inner() {
            Ok(()) => answer(need, Message::new(&messages::UNIT_RESOLVED, [shown, done])),
            Err(why) => {
                let is_beyond = matches!(why, NotResolved::Beyond(_));
                let message = Message::new(&messages::UNIT_NOT_RESOLVED, [shown, &why.to_string()]);
                let code = mqi::Reason::RESOURCE_PROBLEM.code();
                answer(need, if is_beyond { message.with_reason(code) } else { message })
            }
        }
    };
    match resolution {
        Resolution::Commit => decide(Decision::Commit, "committed"),
        Resolution::Backout => decide(Decision::BackOut, "backed out"),
        Resolution::Forget => {
            let forgotten = engine.queues.forget_by_hand(name);
            let need = forgotten.need();
            match forgotten.into_inner() {
                Ok(()) => answer(need, Message::new(&messages::UNIT_FORGOTTEN, [shown])),
                Err(mqi::Reason::UOW_NOT_AVAILABLE) => refused(need, "no person decided it"),
                Err(reason) => refused(need, &reason.to_string()),
            }
        }
    }
}
