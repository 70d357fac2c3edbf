//! Units of work that belong to no connection: those that are prepared, branches that a person decided, and
//! branches in which no connection works.
//!
//! Lives here: their rows of DISPLAY CONN, and RESOLVE INDOUBT with their number or identifier. Lives
//! elsewhere: what becomes of them (`unit_of_work::prepared`, `by_hand`, `branches`).
//!
//! Always: a unit is looked into when its row is made, and no further than that row shows: there may be a
//! million messages in doubt.

use std::sync::Arc;

use mqi::ObjectName;
use mqi::branch::BranchId;
use mqi::constants::*;
use objects::attributes::UNIT_STATES_BY_HAND;
use objects::mqsc::{KEY_END, Resolution};
use objects::{Attribute, Message, Moment, Response, Value, messages};
use platform::WallTime;
use queues::gate::{BehindGate, Gated};
use queues::ground::time::moment;
use queues::unit_of_work::Operation;
use queues::unit_of_work::branches::Branch;
use queues::unit_of_work::prepared::{
    Decision, Listed, NotResolved, Prepared, PreparedMessage, PreparedPurpose,
};
use storage::{Lsn, UnitId};

use super::answer::answer;
use super::live::{UNIT_QUEUES_MAX, UnitState};
use super::values::{count, date, external_identifier, names, shown_identifier, time};
use crate::engine::Engine;
use crate::instrumentation::Issuer;

/// EXTURID of a unit of work that no outside coordinator decides.
pub(super) const NO_EXTERNAL: &str = "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]";

/// A unit of work that belongs to no connection.
#[derive(Debug)]
pub(super) struct InDoubt {
    name: Option<UnitId>,
    state: i32,
    /// The identifier that its coordinator gave it, of a branch.
    external: Option<BranchId>,
    since: Option<Moment>,
    user: String,
    channel: String,
    held: Held,
}

/// The unit itself.
#[derive(Debug)]
enum Held {
    /// It ended.
    None,
    /// It is prepared.
    Prepared(Arc<Prepared>),
    /// It is of a branch that is not prepared, and as it was a moment ago.
    Open(Arc<Branch>, UnitState),
}

/// The puts and gets of a unit.
pub(super) enum Messages<'a> {
    /// The messages of a prepared unit.
    Prepared(&'a Prepared),
    /// The messages of any other unit.
    Of(Vec<Operation>),
}

impl Held {
    /// The number of its puts and gets.
    fn messages(&self) -> usize {
        match self {
            Self::None | Self::Open(_, UnitState::None) => 0,
            Self::Prepared(unit) => unit.messages(),
            Self::Open(_, UnitState::Active { messages, .. }) => *messages as usize,
        }
    }

    /// Names of the queues, at most [`UNIT_QUEUES_MAX`].
    fn queues(&self, engine: &Engine) -> Vec<ObjectName> {
        match self {
            Self::None | Self::Open(_, UnitState::None) => Vec::new(),
            Self::Prepared(unit) => {
                let found = unit.queues().into_iter().filter_map(|id| engine.queues.find(id));
                let mut queues: Vec<_> = found.map(|queue| queue.name).collect();
                queues.sort_unstable();
                queues.truncate(UNIT_QUEUES_MAX);
                queues
            }
            Self::Open(_, UnitState::Active { queues, .. }) => queues.clone(),
        }
    }
}

impl Messages<'_> {
    /// Their number.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Prepared(unit) => unit.messages(),
            Self::Of(operations) => operations.len(),
        }
    }

    /// One of them.
    pub(super) fn message(&self, engine: &Engine, index: usize) -> Option<PreparedMessage> {
        let (listed, slot) = match self {
            Self::Prepared(unit) => unit.message(index)?,
            Self::Of(operations) => operations.get(index).map(|one| (Listed::of(one), one.slot))?,
        };
        Some(engine.queues.unit_message(listed, slot))
    }
}

impl InDoubt {
    /// Its puts and gets.
    pub(super) fn messages(&self) -> Messages<'_> {
        match &self.held {
            Held::None => Messages::Of(Vec::new()),
            Held::Prepared(unit) => Messages::Prepared(unit),
            Held::Open(branch, _) => Messages::Of(branch.operations()),
        }
    }

    /// The key, behind those of all connections. A unit without a number is behind those with one.
    pub(super) fn key(&self) -> String {
        match (self.name, &self.external) {
            (Some(name), _) => format!("~{:010}.{:020}{KEY_END}", name.epoch, name.counter),
            (None, Some(branch)) => format!("~~{branch}{KEY_END}"),
            (None, None) => format!("~~{KEY_END}"),
        }
    }
}

/// The identifier that is shown as that of their connection.
pub(super) fn no_connection() -> String {
    shown_identifier(0)
}

/// The number of a unit as it is shown: m.n.
pub(super) fn shown_unit(name: UnitId) -> String {
    format!("{}.{}", name.epoch, name.counter)
}

/// All of them in the order of their keys, and the position that must be durable before a caller learns of
/// them.
pub(super) fn in_doubt(engine: &Engine) -> (Vec<InDoubt>, Lsn) {
    let (prepared, mut need) = engine.queues.units.prepared();
    let resolved = engine.queues.resolved_by_hand();
    need = need.max(resolved.need());
    let mut units = Vec::new();
    for unit in prepared {
        need = need.max(unit.need());
        units.push(of_prepared(engine, unit));
    }
    for branch in resolved.into_inner() {
        let [committed, backed_out] = UNIT_STATES_BY_HAND;
        units.push(InDoubt {
            name: Some(branch.unit),
            state: if branch.is_committed { committed } else { backed_out },
            external: BranchId::new(branch.format, &branch.global, &branch.qualifier).ok(),
            since: Some(moment(WallTime(branch.prepared_at))),
            user: text(&branch.user),
            channel: String::new(),
            held: Held::None,
        });
    }
    let idle = engine.queues.idle_branches();
    if !idle.is_empty() {
        // Their messages are told before their program hears that they are put.
        need = need.max(engine.ground().storage.appended());
    }
    units.extend(idle.into_iter().map(of_idle));
    units.sort_by_cached_key(InDoubt::key);
    (units, need)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn of_prepared(engine: &Engine, unit: Arc<Prepared>) -> InDoubt {
    let (external, user, channel) = match &unit.purpose {
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
    InDoubt {
        name: Some(unit.name),
        state: MQUOWST_PREPARED,
        external,
        since: unit.since().map(moment),
        user,
        channel,
        held: Held::Prepared(unit),
    }
}

/// A branch that is not prepared and in which no connection works.
fn of_idle(branch: Arc<Branch>) -> InDoubt {
    let id = branch.id;
    let unit = UnitState::of(&branch.slot).map_or(UnitState::None, |(_, unit)| unit);
    InDoubt {
        name: unit.name(),
        state: MQUOWST_ACTIVE,
        external: Some(id),
        since: Some(moment(branch.began_at)),
        user: branch.user.to_string(),
        channel: String::new(),
        held: Held::Open(branch, unit),
    }
}

/// The value of an attribute of DISPLAY CONN TYPE(CONN).
pub(super) fn unit_value(
    engine: &Engine,
    row: &Attribute,
    manager: &ObjectName,
    unit: &InDoubt,
) -> Option<Value> {
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
        "QMURID" => shown_number(unit),
        "UOWMSGS" => count(u32::try_from(unit.held.messages()).unwrap_or(u32::MAX)),
        "UOWQS" => names(&unit.held.queues(engine)),
        "UOWSTATE" => Value::Integer(unit.state),
        "UOWSTDA" => date(unit.since),
        "UOWSTTI" => time(unit.since),
        "URTYPE" => Value::Integer(if unit.external.is_some() { MQUOWT_XA } else { MQUOWT_Q_MGR }),
        "USERID" => Value::from(unit.user.as_str()),
        keyword => match &unit.held {
            Held::Open(_, open) => open.log_value(keyword).unwrap_or_else(|| row.default_value()),
            _ => row.default_value(),
        },
    })
}

/// The number of a unit as it is shown; blank for one without a record in the log.
pub(super) fn shown_number(unit: &InDoubt) -> Value {
    Value::from(unit.name.map(shown_unit).unwrap_or_default().as_str())
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
        "QMURID" => shown_number(unit),
        "OBJNAME" => message.queue.as_ref().map_or_else(|| row.default_value(), Value::from),
        "MSGOP" => Value::Integer(i32::from(!message.is_put)),
        "MSGID" => Value::from(digits(&message.message_id).as_str()),
        "CORRELID" => Value::from(digits(&message.correlation_id).as_str()),
        "MSGLEN" => Value::Integer(i32::try_from(message.bytes).unwrap_or(i32::MAX)),
        _ => return None,
    })
}

/// RESOLVE INDOUBT with the number of a unit, or the identifier of a branch.
pub(super) fn resolve(
    engine: &Engine,
    issuer: &Issuer,
    shown: &str,
    resolution: Resolution,
) -> Gated<Response> {
    let refused = |need, why: &str| answer(need, Message::new(&messages::UNIT_NOT_RESOLVED, [shown, why]));
    match meant(engine, shown) {
        Meant::Decided(name) => resolve_numbered(engine, issuer, shown, name, resolution),
        Meant::Open(branch) => end_open(engine, shown, &branch, resolution),
        Meant::Nothing(need) => refused(need, "there is no such unit of work"),
    }
}

/// The unit of work that a command means.
enum Meant {
    /// One that is prepared, or was decided by hand, if there is one of this number.
    Decided(UnitId),
    /// A branch that is not prepared.
    Open(BranchId),
    /// None, by the log up to this position.
    Nothing(Lsn),
}

fn meant(engine: &Engine, shown: &str) -> Meant {
    let queues = &engine.queues;
    if let Ok(branch) = shown.parse::<BranchId>() {
        // What is over here is in the next place.
        if queues.has_open_branch(&branch) {
            return Meant::Open(branch);
        }
        let (number, need) = queues.number_of_branch(&branch);
        return number.map_or(Meant::Nothing(need), Meant::Decided);
    }
    let number = shown.split_once('.').and_then(|(epoch, counter)| {
        Some(UnitId { epoch: epoch.parse().ok()?, counter: counter.parse().ok()? })
    });
    let Some(number) = number else { return Meant::Nothing(Lsn::ZERO) };
    queues.open_branch_numbered(number).map_or(Meant::Decided(number), Meant::Open)
}

/// RESOLVE INDOUBT with a branch that is not prepared.
fn end_open(engine: &Engine, shown: &str, branch: &BranchId, resolution: Resolution) -> Gated<Response> {
    let need = engine.directory.catalogue.absence_need();
    let refused = |why: &str| answer(need, Message::new(&messages::UNIT_NOT_RESOLVED, [shown, why]));
    match resolution {
        Resolution::Commit => refused(
            "it is not prepared, so only its transaction manager knows whether it is whole; it can be backed out",
        ),
        Resolution::Forget => refused("no person decided it"),
        Resolution::Backout if engine.queues.roll_back_by_hand(branch) => {
            answer(need, Message::new(&messages::BRANCH_BACKED_OUT, [shown]))
        }
        Resolution::Backout => refused("there is no such unit of work, or it is backed out by now"),
    }
}

/// RESOLVE INDOUBT with a unit that is prepared, or was decided by hand.
fn resolve_numbered(
    engine: &Engine,
    issuer: &Issuer,
    shown: &str,
    name: UnitId,
    resolution: Resolution,
) -> Gated<Response> {
    let refused = |need, why: &str| answer(need, Message::new(&messages::UNIT_NOT_RESOLVED, [shown, why]));
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
