//! DISPLAY: rows of attributes, made from definitions and from the running engine.

use std::sync::Arc;

use mqi::constants::*;
use mqi::{NamePattern, ObjectName, OpenOptions};
use objects::attributes;
use objects::messages::{self, MessageRow};
use objects::mqsc::{
    ChannelInstances, ConnectionAnswers, Display, EntityChoice, Names, Page, RuleMatch, Target,
};
use objects::{
    Attribute, Definition, Family, Message, ObjectType, Response, Row, StatusType, Subject, Value,
};
use storage::Lsn;

use super::in_order::InOrder;
use super::live::{ConnectionState, HandleState, UnitState};
use super::log::LogStatus;
use super::values::{count, date, external_identifier, may_be_recovered, names, shown_identifier, time};
use super::{in_doubt, others, subscription};
use crate::Gated;
use crate::authority::Granted;
use crate::authority::commands::{self, Reach};
use crate::catalogue::Object;
use crate::engine::Engine;
use crate::ground::place::connection_name;
use crate::queue::Queue;
use crate::queue::state::QueueState;

/// DISPLAY.
pub(super) fn display(engine: &Engine, granted: &Granted<'_>, display: &Display) -> Gated<Response> {
    let need = engine.catalogue.absence_need();
    let reach = Reach::of(&engine.door, granted);
    let mut answer = Answer {
        display,
        reach,
        rows: Vec::new(),
        fields: 0,
        is_cut: false,
        last: String::new(),
        is_full: false,
        need,
    };
    let nothing = match &display.target {
        Target::Objects { family: Family::Queue, names: Names::Objects(names), object_type } => {
            answer.queues(engine, names, *object_type);
            no_queue(names, display.is_conditional())
        }
        Target::Objects { family, names, object_type } => {
            answer.others(engine, *family, names, *object_type);
            nothing_matches(display, *family, names)
        }
        Target::QueueManagerStatus => {
            answer.queue_manager_status(engine);
            let name = engine.catalogue.manager().definition.name().to_string();
            Message::new(&messages::OBJECT_NOT_FOUND, ["Queue manager".to_owned(), name])
        }
        Target::QueueManager => {
            answer.queue_manager(engine);
            let name = engine.catalogue.manager().definition.name().to_string();
            Message::new(&messages::OBJECT_NOT_FOUND, ["Queue manager".to_owned(), name])
        }
        Target::QueueStatus { names, kind: StatusType::QueueHandle } => {
            answer.queue_handles(engine, names);
            Message::new(&messages::NO_HANDLES, [names])
        }
        Target::QueueStatus { names, .. } => {
            answer.queue_status(engine, names);
            no_queue(names, display.is_conditional())
        }
        Target::TopicStatus { topics, kind } => {
            answer.topic_status(engine, topics, *kind);
            match display.target.is_generic() || display.filter.is_some() {
                true => Message::new(&messages::NOTHING_MATCHES, ["topic string", &**topics]),
                false => Message::new(&messages::OBJECT_NOT_FOUND, ["Topic string", &**topics]),
            }
        }
        Target::SubscriptionStatus { names } => {
            answer.subscription_status(engine, names);
            nothing_matches(display, Family::Subscription, names)
        }
        Target::PublishSubscribe { of } => {
            answer.publish_subscribe(engine, *of);
            Message::new(
                &messages::NOTHING_MATCHES,
                ["queue manager of a hierarchy", display.target.keyword()],
            )
        }
        Target::ChannelStatus { names, instances } => {
            match instances {
                ChannelInstances::Current => answer.channel_status(engine, names),
                ChannelInstances::Saved => answer.channel_states(engine, names),
            }
            Message::new(&messages::NOTHING_MATCHES, ["instance of a channel".to_owned(), names.to_string()])
        }
        Target::ChannelRules { profile, matching } => {
            answer.channel_rules(engine, display, profile, *matching)
        }
        Target::ListenerStatus { names } => {
            answer.listener_status(engine, names);
            nothing_of_listeners(names)
        }
        Target::AuthorityRecords(choice) => {
            answer.authority_records(engine, choice);
            let wanted = choice.profile.as_deref().unwrap_or("*");
            Message::new(&messages::NOTHING_MATCHES, ["authority record", wanted])
        }
        Target::EntityAuthority(choice) => answer.entity_authority(engine, choice),
        Target::Route { queue, queue_manager } => {
            answer.route(engine, *queue, *queue_manager);
            Message::new(&messages::NOTHING_MATCHES, ["route", queue.as_str()])
        }
        Target::AuthorityService => {
            answer.authority_service();
            Message::new(&messages::NOTHING_MATCHES, ["authority service", "*"])
        }
        Target::Connections { identifiers, answers } => {
            answer.connections(engine, identifiers, *answers);
            answer.units_in_doubt(engine, identifiers, *answers);
            Message::new(&messages::CONNECTION_NOT_FOUND, [identifiers])
        }
    };
    let need = answer.need.max(answer.reach.need());
    if answer.rows.is_empty()
        && let Some(refused) = answer.reach.take_refused()
    {
        return Gated::new(need, refused);
    }
    let is_verdict = matches!(
        display.target,
        Target::ChannelRules { matching: RuleMatch::RunCheck, .. }
            | Target::EntityAuthority(EntityChoice { check: Some(_), .. })
    );
    let messages = match (answer.is_cut, answer.rows.len()) {
        (true, shown) => vec![Message::new(&messages::ANSWER_CUT, [shown])],
        (false, _) if is_verdict => vec![nothing],
        (false, 0) => vec![nothing],
        (false, _) => Vec::new(),
    };
    let nagging = nagging(engine);
    let page_ends = answer.is_full.then(|| Message::new(&messages::PAGE_ENDS, [answer.last]));
    let messages = messages.into_iter().chain(nagging).chain(page_ends).collect();
    Gated::new(need, Response { rows: answer.rows, messages })
}

/// The warnings that each display repeats: doors that the queue manager is meant to have closed.
fn nagging(engine: &Engine) -> impl Iterator<Item = Message> {
    let manager = engine.catalogue.manager();
    let is_judging = engine.door.is_judging();
    let has_no_rules = is_judging && !engine.judges_channels();
    let has_no_passwords = is_judging && manager.definition.text(MQCA_CONN_AUTH).trim().is_empty();
    [
        (engine.host.is_exposed(), &messages::EXPOSED),
        (has_no_rules, &messages::RULES_OFF),
        (has_no_passwords, &messages::PASSWORDS_OFF),
    ]
    .into_iter()
    .filter(|(is_so, _)| *is_so)
    .map(|(_, row)| Message::new(row, [engine.name]))
}

/// A queue that was named and is not there is an error; that a pattern or a condition fits none is an answer.
pub(super) fn no_queue(names: &NamePattern, has_condition: bool) -> Message {
    if names.is_generic() || has_condition {
        Message::new(&messages::NO_QUEUE_MATCHES, [names])
    } else {
        Message::new(&messages::OBJECT_NOT_FOUND, ["Queue".to_owned(), names.to_string()])
    }
}

fn nothing_of_listeners(names: &NamePattern) -> Message {
    Message::new(&messages::NOTHING_MATCHES, ["running listener".to_owned(), names.to_string()])
}

fn nothing_matches(display: &Display, family: Family, names: &Names) -> Message {
    let is_search = names.is_generic() || display.is_conditional();
    match is_search {
        true => Message::new(&messages::NOTHING_MATCHES, [family.noun().to_lowercase(), names.to_string()]),
        false => Message::new(&messages::OBJECT_NOT_FOUND, [family.noun().to_owned(), names.to_string()]),
    }
}

pub(crate) struct Answer<'display> {
    display: &'display Display,
    /// The objects that it may tell of.
    pub(super) reach: Reach<'display>,
    rows: Vec<Row>,
    /// Number of attributes of all rows.
    fields: usize,
    /// True if the answer was cut at its greatest size.
    is_cut: bool,
    /// The name of the last object shown, where a page was asked for.
    last: String,
    /// True if the page that was asked for is full, and more match.
    is_full: bool,
    need: Lsn,
}

/// Most attributes one answer holds: all of 6,500 queues, or name, type and two more of 100,000. With its
/// text and its JSON that is some 100 MB.
const FIELDS_MAX: usize = 400_000;

impl Answer<'_> {
    fn queues(&mut self, engine: &Engine, names: &NamePattern, object_type: Option<ObjectType>) {
        let shown = self.display.attributes(Subject::Object(ObjectType::LocalQueue));
        let shows_state = shown.iter().any(|row| is_live(row));
        for object in matching(engine, names, &self.display.page) {
            if self.is_cut || self.is_full {
                break;
            }
            let name = object.name();
            if object_type.is_some_and(|wanted| wanted != object.object_type()) {
                continue;
            }
            let current = object.current();
            if !self.reach.has(commands::of_definition(&current.definition)) {
                continue;
            }
            self.need = self.need.max(current.need);
            // A definition alone depends on no message, and is told while the disk stalls.
            let state = object.queue().filter(|_| shows_state).map(|queue| queue.status(engine));
            self.need = self.need.max(state.map_or(Lsn::ZERO, |state| state.need));
            let subject = Subject::Object(object.object_type());
            self.add_named(name.as_str(), subject, &messages::QUEUE_DETAILS, |row| {
                current.definition.value(row).or_else(|| live_value(row, &state.unwrap_or_default()))
            });
        }
    }

    fn others(&mut self, engine: &Engine, family: Family, names: &Names, object_type: Option<ObjectType>) {
        let objects: Vec<_> = match names.single() {
            Some(name) => {
                let spaces = family.name_spaces().into_iter();
                spaces.filter_map(|space| engine.catalogue.find_defined(space, name).0).collect()
            }
            None => engine.catalogue.all_defined(family),
        };
        self.need = self.need.max(others::need_of(&objects));
        for object in objects {
            let current = object.current();
            let found = current.definition.object_type();
            if self.is_cut || self.is_full {
                break;
            }
            let name = current.definition.shown_name();
            let is_wanted = object_type.is_none_or(|wanted| wanted == found);
            if !is_wanted || self.display.page.is_behind(name) || !names.matches(&current.definition) {
                continue;
            }
            if !self.reach.has(commands::of_definition(&current.definition)) {
                continue;
            }
            let shown = subscription::shown(engine, &current.definition);
            self.add_named(name, Subject::Object(found), others::heading(family), |row| shown.value(row));
        }
    }

    fn queue_manager_status(&mut self, engine: &Engine) {
        let manager = engine.catalogue.manager();
        self.need = self.need.max(manager.need);
        let connections = engine.connections().len();
        let command_queue = MQCA_COMMAND_INPUT_Q_NAME;
        let row = attributes::by_selector(ObjectType::QueueManager, command_queue);
        let served = row.and_then(|row| manager.definition.value(row)).and_then(|name| {
            let object = engine.catalogue.find(&name.as_text()?.parse().ok()?).object?;
            Some(object.queue()?.status(engine).input_handles > 0)
        });
        let initiates = engine.message_channels.initiates();
        let served = served.map(|by_program| by_program || engine.is_served_by_command_server());
        let subject = Subject::Status(StatusType::QueueManager);
        let log = LogStatus::of(engine);
        let seats = engine.message_channels.seats_taken();
        let number = |seats: usize| count(u32::try_from(seats).unwrap_or(u32::MAX));
        self.add(subject, &messages::QUEUE_MANAGER_STATUS_DETAILS, |row| {
            Some(match row.keyword {
                "QMNAME" => Value::from(manager.definition.name()),
                "CHINIT" if initiates => Value::Integer(MQSVC_STATUS_RUNNING),
                "CMDSERV" if served == Some(true) => Value::Integer(MQSVC_STATUS_RUNNING),
                "ACTCHL" => count(seats.limits.active_max),
                "CONNS" => number(connections),
                "CURCHL" => number(seats.current),
                "MAXCHL" => count(seats.limits.current_max),
                "RUNCHL" => number(seats.active),
                "HOSTNAME" => Value::from(engine.host.machine().as_str()),
                "STARTDA" => Value::from(engine.started.date().as_str()),
                "STARTTI" => Value::from(engine.started.time().as_str()),
                "STATUS" if engine.is_quiescing() => Value::Integer(MQQMSTA_QUIESCING),
                keyword => log.value(keyword).unwrap_or_else(|| row.default_value()),
            })
        });
    }

    fn queue_manager(&mut self, engine: &Engine) {
        let current = engine.catalogue.manager();
        self.need = self.need.max(current.need);
        let subject = Subject::Object(ObjectType::QueueManager);
        self.add(subject, &messages::QUEUE_MANAGER_DETAILS, |row| current.definition.value(row));
    }

    fn queue_status(&mut self, engine: &Engine, names: &NamePattern) {
        let log = LogStatus::of(engine);
        let manager = engine.catalogue.manager();
        for object in matching(engine, names, &self.display.page) {
            if self.is_cut || self.is_full {
                break;
            }
            let Some(queue) = object.queue() else { continue };
            let name = object.name();
            if !self.reach.has(commands::queue(*name)) {
                continue;
            }
            let state = queue.status(engine);
            let current = object.current();
            self.need = self.need.max(state.need).max(current.need);
            let subject = Subject::Status(StatusType::Queue);
            self.add_named(name.as_str(), subject, &messages::QUEUE_STATUS_DETAILS, |row| {
                match row.keyword {
                    "MEDIALOG" if may_be_recovered(&current.definition, &manager.definition) => {
                        Some(log.media_extent())
                    }
                    "MEDIALOG" => Some(row.default_value()),
                    _ => queue_status_value(row, name, &state),
                }
            });
        }
    }

    fn queue_handles(&mut self, engine: &Engine, names: &NamePattern) {
        for connection in engine.connections() {
            self.need = self.need.max(connection.need);
            for handle in &connection.handles {
                let Some(queue) = handle.queue.filter(|queue| names.matches(queue.as_str())) else {
                    continue;
                };
                if !self.reach.has(commands::queue(queue)) {
                    continue;
                }
                self.add(Subject::Status(StatusType::QueueHandle), &messages::QUEUE_STATUS_DETAILS, |row| {
                    queue_handle_value(row, &queue, handle, &connection)
                });
            }
        }
    }

    fn connections(&mut self, engine: &Engine, identifiers: &str, answers: ConnectionAnswers) {
        let manager = engine.catalogue.manager();
        let name = *manager.definition.name();
        for connection in engine.connections() {
            if !mqi::pattern::matches(identifiers, &shown_identifier(connection.identifier)) {
                continue;
            }
            self.need = self.need.max(connection.need);
            if answers != ConnectionAnswers::Handles {
                let subject = Subject::Status(StatusType::Connection);
                self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                    connection_value(row, &name, &connection)
                });
            }
            if answers != ConnectionAnswers::Connection {
                for handle in &connection.handles {
                    let subject = Subject::Status(StatusType::ConnectionHandle);
                    self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                        connection_handle_value(row, &name, handle, &connection)
                    });
                }
            }
        }
    }

    /// Units of work that belong to no connection, in the place of one.
    fn units_in_doubt(&mut self, engine: &Engine, identifiers: &str, answers: ConnectionAnswers) {
        if !mqi::pattern::matches(identifiers, &in_doubt::no_connection()) {
            return;
        }
        let name = *engine.catalogue.manager().definition.name();
        let (units, need) = in_doubt::in_doubt(engine);
        self.needs(need);
        for unit in units {
            if answers != ConnectionAnswers::Handles {
                let subject = Subject::Status(StatusType::Connection);
                self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                    in_doubt::unit_value(row, &name, &unit)
                });
            }
            if answers != ConnectionAnswers::Connection {
                for message in &unit.messages {
                    let subject = Subject::Status(StatusType::PreparedMessage);
                    self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                        in_doubt::message_value(row, &name, &unit, message)
                    });
                }
            }
        }
    }

    /// Raises the position that must be durable before the outside may read the answer.
    pub(crate) fn needs(&mut self, need: Lsn) {
        self.need = self.need.max(need);
    }

    /// Adds the row of a channel authentication record that was chosen otherwise than by its values.
    pub(super) fn add_chosen(&mut self, rule: &Definition) {
        let display = Display { selection: Vec::new(), ..self.display.clone() };
        let subject = Subject::Object(ObjectType::ChannelRule);
        let heading = &messages::CHANNEL_RULE_DETAILS;
        self.rows.extend(display.row(subject, heading, |row| rule.rule_value(row)));
    }

    /// Adds a row unless the filter says no.
    pub(crate) fn add(
        &mut self,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) {
        if let Some(row) = self.display.row(subject, heading, value) {
            self.push(row);
        }
    }

    /// Adds a row as `add` does, unless the page that was asked for is full.
    fn add_named(
        &mut self,
        name: &str,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) {
        let page = &self.display.page;
        let Some(row) = self.display.row(subject, heading, value) else { return };
        if page.ends_before(name, self.rows.len(), &self.last) {
            self.is_full = true;
            return;
        }
        if page.limit.is_some() {
            name.clone_into(&mut self.last);
        }
        self.push(row);
    }

    fn push(&mut self, row: Row) {
        if self.fields >= FIELDS_MAX {
            self.is_cut = true;
            return;
        }
        self.fields += row.fields.len();
        self.rows.push(row);
    }
}

/// A queue of the catalogue.
type FoundQueue = Arc<Object<Arc<Queue>>>;

/// The queues that a pattern means and no earlier page has, by name.
pub(super) fn matching(
    engine: &Engine,
    names: &NamePattern,
    page: &Page,
) -> impl Iterator<Item = FoundQueue> + use<> {
    let queues = match names {
        NamePattern::Exact(name) => engine.catalogue.find(name).object.into_iter().collect(),
        NamePattern::Prefix(_) => engine.catalogue.unordered(),
    };
    let named = queues.into_iter().map(|queue| (*queue.name(), queue));
    let wanted = named.filter(|(name, _)| names.matches(name.as_str()) && !page.is_behind(name.as_str()));
    wanted.collect::<InOrder<_, _>>()
}

/// The attributes of a queue that only the running engine knows.
/// Tells if an attribute of a queue follows from its messages and handles.
fn is_live(row: &Attribute) -> bool {
    live_value(row, &QueueState::default()).is_some()
}

fn live_value(row: &Attribute, state: &QueueState) -> Option<Value> {
    match row.identifier_number() {
        MQIA_CURRENT_Q_DEPTH => Some(count(state.depth)),
        MQIA_OPEN_INPUT_COUNT => Some(count(state.input_handles)),
        MQIA_OPEN_OUTPUT_COUNT => Some(count(state.output_handles)),
        _ => None,
    }
}

/// Greater ages and times than this are shown as this.
const FIGURE_MAX: u32 = 999_999_999;

fn queue_status_value(row: &Attribute, name: &ObjectName, state: &QueueState) -> Option<Value> {
    let is_monitored = state.monitoring != MQMON_OFF;
    Some(match row.keyword {
        "QUEUE" => Value::from(name),
        "TYPE" => Value::Integer(MQIACF_Q_STATUS),
        "MONQ" => Value::Integer(state.monitoring),
        // The queue keeps these anyway, so they are shown whatever MONQ says.
        "LGETDATE" => date(state.last_get),
        "LGETTIME" => time(state.last_get),
        "LPUTDATE" => date(state.last_put),
        "LPUTTIME" => time(state.last_put),
        "QTIME" if !is_monitored => row.default_value(),
        "MSGAGE" => count(state.oldest_age.unwrap_or(0).min(FIGURE_MAX)),
        "QTIME" => match state.time_on_queue {
            None => row.default_value(),
            Some(times) => {
                let number =
                    |micros: u64| i32::try_from(micros.min(u64::from(FIGURE_MAX))).unwrap_or(i32::MAX);
                Value::Integers([number(times.0), number(times.1)].into())
            }
        },
        "DELAYED" => count(state.delayed),
        "DAMAGED" => count(state.damaged),
        "CURFSIZE" => count(state.megabytes),
        "CURMAXFS" => state.megabytes_max.map_or(Value::Integer(-1), count),
        "UNCOM" => count(state.uncommitted),
        _ => return live_value(row, state),
    })
}

fn queue_handle_value(
    row: &Attribute,
    queue: &ObjectName,
    handle: &HandleState,
    connection: &ConnectionState,
) -> Option<Value> {
    let has = |options: OpenOptions| Value::Integer(i32::from(handle.options.contains(options)));
    let input = if handle.options.contains(OpenOptions::INPUT_EXCLUSIVE) {
        MQQSO_EXCLUSIVE
    } else if handle.options.contains(OpenOptions::INPUT_SHARED)
        || handle.options.contains(OpenOptions::INPUT_AS_Q_DEF)
    {
        MQQSO_SHARED
    } else {
        MQQSO_NO
    };
    Some(match row.keyword {
        "QUEUE" => Value::from(queue),
        "TYPE" => Value::Integer(MQIACF_Q_HANDLE),
        "BROWSE" => has(OpenOptions::BROWSE),
        "HSTATE" => handle_state(handle),
        "INPUT" => Value::Integer(input),
        "INQUIRE" => has(OpenOptions::INQUIRE),
        "OUTPUT" => has(OpenOptions::OUTPUT),
        "SET" => has(OpenOptions::SET),
        _ => return application_value(row, connection),
    })
}

fn connection_value(row: &Attribute, manager: &ObjectName, connection: &ConnectionState) -> Option<Value> {
    let (state, began, logged, position) = match &connection.unit {
        UnitState::None => (MQUOWST_NONE, None, None, None),
        UnitState::Active { began, logged, position, .. } => {
            (MQUOWST_ACTIVE, Some(*began), *logged, *position)
        }
    };
    Some(match row.keyword {
        "EXTCONN" => external_identifier(manager),
        "TYPE" => Value::Integer(MQIACF_CONN_INFO_CONN),
        "EXTURID" => Value::from(in_doubt::shown_external("", &[], &[]).as_str()),
        "QMURID" => {
            let UnitState::Active { name: Some(name), .. } = connection.unit else {
                return Some(row.default_value());
            };
            Value::from(in_doubt::shown_unit(name).as_str())
        }
        "UOWLOG" => {
            let shown = position.map(|position| format!("{:016x}", position.0)).unwrap_or_default();
            Value::from(shown.as_str())
        }
        "UNITS" => count(connection.units_beside),
        "UOWLOGDA" => date(logged),
        "UOWLOGTI" => time(logged),
        "UOWMSGS" => match &connection.unit {
            UnitState::None => Value::Integer(0),
            UnitState::Active { messages, .. } => count(*messages),
        },
        "UOWQS" => match &connection.unit {
            UnitState::None => row.default_value(),
            UnitState::Active { queues, .. } => names(queues),
        },
        "UOWSTATE" => Value::Integer(state),
        "UOWSTDA" => date(began),
        "UOWSTTI" => time(began),
        "URTYPE" => Value::Integer(MQUOWT_Q_MGR),
        _ => return application_value(row, connection),
    })
}

fn connection_handle_value(
    row: &Attribute,
    manager: &ObjectName,
    handle: &HandleState,
    connection: &ConnectionState,
) -> Option<Value> {
    Some(match row.keyword {
        "EXTCONN" => external_identifier(manager),
        "TYPE" => Value::Integer(MQIACF_CONN_INFO_HANDLE),
        "OBJNAME" => Value::from(&handle.object),
        "OBJTYPE" => Value::Integer(family_of(handle.object_type)),
        "HSTATE" => handle_state(handle),
        "OPENOPTS" => Value::Integer(handle.options.bits()),
        _ => return application_value(row, connection),
    })
}

/// The kind of object, with one kind for queues of every type.
fn family_of(object_type: i32) -> i32 {
    match object_type {
        MQOT_LOCAL_Q | MQOT_ALIAS_Q | MQOT_MODEL_Q | MQOT_REMOTE_Q => MQOT_Q,
        other => other,
    }
}

/// Returns an attribute of the program behind a connection or a handle.
fn application_value(row: &Attribute, connection: &ConnectionState) -> Option<Value> {
    Some(match row.keyword {
        "CONN" => Value::from(shown_identifier(connection.identifier).as_str()),
        "APPLTAG" => Value::from(connection.application.as_str()),
        "APPLTYPE" => Value::Integer(MQAT_USER),
        "CHANNEL" => Value::from(connection.channel.as_str()),
        "CONNAME" => Value::from(connection_name(&connection.origin).as_str()),
        "PID" => Value::Integer(connection.process),
        "TID" => Value::Integer(connection.thread),
        "USERID" => Value::from(connection.user.as_str()),
        _ => return None,
    })
}

fn handle_state(handle: &HandleState) -> Value {
    Value::Integer(if handle.active { MQHSTATE_ACTIVE } else { MQHSTATE_INACTIVE })
}
