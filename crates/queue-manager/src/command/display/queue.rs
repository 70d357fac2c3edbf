//! DISPLAY of queues, of their status and of the handles that have them open.

use mqi::constants::*;
use mqi::{NamePattern, ObjectName, OpenOptions};
use objects::{Attribute, Message, ObjectType, StatusType, Subject, Value, messages};
use queues::queue::state::QueueState;
use storage::Lsn;

use super::connection::{application_value, handle_key, handle_state};
use super::{Answer, matching, no_queue};
use crate::authority::commands;
use crate::command::live::{ConnectionState, HandleState};
use crate::command::log::LogStatus;
use crate::command::values::{count, date, may_be_recovered, time};
use crate::engine::Engine;

impl Answer<'_> {
    pub(super) fn queues(
        &mut self,
        engine: &Engine,
        names: &NamePattern,
        object_type: Option<ObjectType>,
    ) -> Message {
        let shown = self.display.attributes(Subject::Object(ObjectType::LocalQueue));
        let shows_state = shown.iter().any(|row| is_live(row));
        for object in matching(engine, names, &self.display.page) {
            let name = object.name();
            if !self.has_turn(|| name.as_str()) {
                break;
            }
            if object_type.is_some_and(|wanted| wanted != object.object_type()) {
                continue;
            }
            let current = object.current();
            if !self.reach.has(commands::of_definition(&current.definition)) {
                continue;
            }
            self.need = self.need.max(current.need);
            // A definition alone depends on no message, and is told while the disk stalls.
            let state = object.queue().filter(|_| shows_state).map(|queue| queue.status(&engine.queues));
            self.need = self.need.max(state.map_or(Lsn::ZERO, |state| state.need));
            let subject = Subject::Object(object.object_type());
            self.add(subject, &messages::QUEUE_DETAILS, |row| {
                current.definition.value(row).or_else(|| live_value(row, &state.unwrap_or_default()))
            });
        }
        no_queue(names, self.display.is_conditional())
    }

    pub(super) fn queue_status(&mut self, engine: &Engine, names: &NamePattern) -> Message {
        let log = LogStatus::of(engine);
        let manager = engine.directory.catalogue.manager();
        for object in matching(engine, names, &self.display.page) {
            let Some(queue) = object.queue() else { continue };
            let name = object.name();
            if !self.has_turn(|| name.as_str()) {
                break;
            }
            if !self.reach.has(commands::queue(*name)) {
                continue;
            }
            let state = queue.status(&engine.queues);
            let current = object.current();
            self.need = self.need.max(state.need).max(current.need);
            let subject = Subject::Status(StatusType::Queue);
            self.add(subject, &messages::QUEUE_STATUS_DETAILS, |row| match row.keyword {
                "MEDIALOG" if may_be_recovered(&current.definition, &manager.definition) => {
                    Some(log.media_extent())
                }
                "MEDIALOG" => Some(row.default_value()),
                _ => queue_status_value(row, name, &state),
            });
        }
        no_queue(names, self.display.is_conditional())
    }

    pub(super) fn queue_handles(&mut self, engine: &Engine, names: &NamePattern) -> Message {
        for connection in engine.connections() {
            self.need = self.need.max(connection.need);
            for (index, handle) in connection.handles.iter().enumerate() {
                let Some(queue) = handle.queue.filter(|queue| names.matches(queue.as_str())) else {
                    continue;
                };
                if !self.has_turn(|| handle_key(&connection, index)) {
                    continue;
                }
                if !self.reach.has(commands::queue(queue)) {
                    continue;
                }
                self.add(Subject::Status(StatusType::QueueHandle), &messages::QUEUE_STATUS_DETAILS, |row| {
                    queue_handle_value(row, &queue, handle, &connection)
                });
            }
        }
        Message::new(&messages::NO_HANDLES, [names])
    }
}

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
        "CURMAXFS" => count(state.megabytes_max),
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
