//! DISPLAY QMGR and QMSTATUS.

use mqi::constants::*;
use objects::{Message, ObjectType, StatusType, Subject, Value, attributes, messages};

use super::Answer;
use crate::command::log::LogStatus;
use crate::command::values::count;
use crate::engine::Engine;

impl Answer<'_> {
    pub(super) fn queue_manager_status(&mut self, engine: &Engine) -> Message {
        let manager = engine.directory.catalogue.manager();
        self.need = self.need.max(manager.need);
        let connections = engine.conversations.lock().len();
        let command_queue = MQCA_COMMAND_INPUT_Q_NAME;
        let row = attributes::by_selector(ObjectType::QueueManager, command_queue);
        let served = row.and_then(|row| manager.definition.value(row)).and_then(|name| {
            let object = engine.directory.catalogue.find(&name.as_text()?.parse().ok()?).object?;
            Some(object.queue()?.status(&engine.queues).input_handles > 0)
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
                "HOSTNAME" => Value::from(engine.ground().host.machine().as_str()),
                "STARTDA" => Value::from(engine.started.date().as_str()),
                "STARTTI" => Value::from(engine.started.time().as_str()),
                "STATUS" if engine.is_quiescing() => Value::Integer(MQQMSTA_QUIESCING),
                keyword => log.value(keyword).unwrap_or_else(|| row.default_value()),
            })
        });
        not_found(engine)
    }

    pub(super) fn queue_manager(&mut self, engine: &Engine) -> Message {
        let current = engine.directory.catalogue.manager();
        self.need = self.need.max(current.need);
        let subject = Subject::Object(ObjectType::QueueManager);
        self.add(subject, &messages::QUEUE_MANAGER_DETAILS, |row| current.definition.value(row));
        not_found(engine)
    }
}

fn not_found(engine: &Engine) -> Message {
    let name = engine.directory.catalogue.manager().definition.name().to_string();
    Message::new(&messages::OBJECT_NOT_FOUND, ["Queue manager".to_owned(), name])
}
