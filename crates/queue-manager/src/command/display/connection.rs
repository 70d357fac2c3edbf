//! DISPLAY CONN: connections, their handles, and units of work that belong to none.

use mqi::ObjectName;
use mqi::constants::*;
use objects::mqsc::{ConnectionAnswers, KEY_END};
use objects::{Attribute, Message, StatusType, Subject, Value, messages};
use queues::ground::place::connection_name;

use super::Answer;
use crate::command::in_doubt;
use crate::command::live::{ConnectionState, HandleState, UnitState};
use crate::command::values::{count, date, external_identifier, names, shown_identifier, time};
use crate::engine::Engine;

impl Answer<'_> {
    pub(super) fn connections(
        &mut self,
        engine: &Engine,
        identifiers: &str,
        answers: ConnectionAnswers,
    ) -> Message {
        let manager = engine.directory.catalogue.manager();
        let name = *manager.definition.name();
        for connection in engine.connections() {
            if !mqi::pattern::matches(identifiers, &shown_identifier(connection.identifier)) {
                continue;
            }
            self.need = self.need.max(connection.need);
            let has_turn = self.has_turn(|| connection_key(&connection));
            if self.is_over() {
                break;
            }
            if answers != ConnectionAnswers::Handles && has_turn {
                let subject = Subject::Status(StatusType::Connection);
                self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                    connection_value(row, &name, &connection)
                });
            }
            if answers != ConnectionAnswers::Connection {
                for (index, handle) in connection.handles.iter().enumerate() {
                    if !self.has_turn(|| handle_key(&connection, index)) {
                        continue;
                    }
                    let subject = Subject::Status(StatusType::ConnectionHandle);
                    self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                        connection_handle_value(row, &name, handle, &connection)
                    });
                }
            }
        }
        self.units_in_doubt(engine, identifiers, answers);
        Message::new(&messages::CONNECTION_NOT_FOUND, [identifiers])
    }

    fn units_in_doubt(&mut self, engine: &Engine, identifiers: &str, answers: ConnectionAnswers) {
        if !mqi::pattern::matches(identifiers, &in_doubt::no_connection()) {
            return;
        }
        let name = *engine.directory.catalogue.manager().definition.name();
        let (units, need) = in_doubt::in_doubt(engine);
        self.needs(need);
        for unit in &units {
            if self.is_over() {
                break;
            }
            let key = unit.key();
            let has_turn = self.has_turn(|| &key);
            if answers != ConnectionAnswers::Handles && has_turn {
                let subject = Subject::Status(StatusType::Connection);
                self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                    in_doubt::unit_value(engine, row, &name, unit)
                });
            }
            // One unit of many is asked for by its number: nobody goes through the messages of the others.
            let is_asked_for = self.display.admits("QMURID", &in_doubt::shown_number(unit));
            if answers == ConnectionAnswers::Connection || !is_asked_for {
                continue;
            }
            let messages = unit.messages();
            let key_of = |index: usize| format!("{key}{index:08X}");
            for index in self.first_due(messages.count(), key_of)..messages.count() {
                if !self.has_turn(|| key_of(index)) {
                    break;
                }
                let Some(message) = messages.message(engine, index) else { continue };
                let subject = Subject::Status(StatusType::PreparedMessage);
                self.add(subject, &messages::CONNECTION_DETAILS, |row| {
                    in_doubt::message_value(row, &name, unit, &message)
                });
            }
        }
    }
}

/// The key of a connection.
fn connection_key(connection: &ConnectionState) -> String {
    format!("{}{KEY_END}", shown_identifier(connection.identifier))
}

/// The key of a handle, behind that of its connection.
pub(super) fn handle_key(connection: &ConnectionState, index: usize) -> String {
    format!("{}{index:08X}", connection_key(connection))
}

fn connection_value(row: &Attribute, manager: &ObjectName, connection: &ConnectionState) -> Option<Value> {
    let (state, began) = match &connection.unit {
        UnitState::None => (MQUOWST_NONE, None),
        UnitState::Active { began, .. } => (MQUOWST_ACTIVE, Some(*began)),
    };
    Some(match row.keyword {
        "EXTCONN" => external_identifier(manager),
        "TYPE" => Value::Integer(MQIACF_CONN_INFO_CONN),
        "EXTURID" => {
            let shown = connection.branch.as_ref().map(ToString::to_string);
            Value::from(shown.as_deref().unwrap_or(in_doubt::NO_EXTERNAL))
        }
        "QMURID" => {
            let UnitState::Active { name: Some(name), .. } = connection.unit else {
                return Some(row.default_value());
            };
            Value::from(in_doubt::shown_unit(name).as_str())
        }
        "UNITS" => count(connection.units_beside),
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
        "URTYPE" => Value::Integer(if connection.branch.is_some() { MQUOWT_XA } else { MQUOWT_Q_MGR }),
        keyword => return connection.unit.log_value(keyword).or_else(|| application_value(row, connection)),
    })
}

impl UnitState {
    /// The value of an attribute about its place in the log; none for any other attribute.
    pub(in crate::command) fn log_value(&self, keyword: &str) -> Option<Value> {
        let (logged, position) = match self {
            Self::None => (None, None),
            Self::Active { logged, position, .. } => (*logged, *position),
        };
        Some(match keyword {
            "UOWLOG" => {
                let shown = position.map(|position| format!("{:016x}", position.0)).unwrap_or_default();
                Value::from(shown.as_str())
            }
            "UOWLOGDA" => date(logged),
            "UOWLOGTI" => time(logged),
            _ => return None,
        })
    }
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
pub(super) fn application_value(row: &Attribute, connection: &ConnectionState) -> Option<Value> {
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

pub(super) fn handle_state(handle: &HandleState) -> Value {
    Value::Integer(if handle.active { MQHSTATE_ACTIVE } else { MQHSTATE_INACTIVE })
}
