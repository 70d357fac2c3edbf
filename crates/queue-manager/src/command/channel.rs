//! START and STOP CHANNEL, DISPLAY CHSTATUS, of channels that clients come by.

use mqi::constants::{MQCHS_RUNNING, MQCHS_STOPPING, MQCHT_AMQP};
use mqi::{NamePattern, ObjectName};
use objects::mqsc::StopChannel;
use objects::{Message, ObjectType, Response, StatusType, Subject, Value, messages};
use storage::Lsn;

use super::definition::{answer, refusal};
use super::display::{Answer, date, time};
use crate::Gated;
use crate::authority::commands;
use crate::catalogue::ChangeError;
use crate::engine::Engine;
use crate::instances::is_of_clients;

/// START CHANNEL.
pub(super) fn start(engine: &Engine, name: &ObjectName) -> Gated<Response> {
    match find(engine, "START", name) {
        Ok(need) => {
            engine.instances.open(name);
            answer(need, Message::new(&messages::CHANNEL_STARTED, [name]))
        }
        Err(refused) => refused,
    }
}

/// STOP CHANNEL.
pub(super) fn stop(engine: &Engine, stop: &StopChannel) -> Gated<Response> {
    match find(engine, "STOP", &stop.name) {
        Ok(need) => {
            let ended = engine.instances.stop(&stop.name, stop.stays_open, stop.address.as_deref());
            let inserts = [stop.name.to_string(), ended.to_string()];
            answer(need, Message::new(&messages::CHANNEL_STOPPED, inserts))
        }
        Err(refused) => refused,
    }
}

/// A channel of clients with this name: what must be durable before anyone outside hears of it.
fn find(engine: &Engine, verb: &str, name: &ObjectName) -> Result<Lsn, Gated<Response>> {
    let kind = ObjectType::ServerConnectionChannel;
    match engine.catalogue.find_defined(kind.name_space(), name.as_str()) {
        (Some(channel), need) if is_of_clients(channel.object_type()) => Ok(need),
        (Some(_), need) => {
            let why = "message channels can be defined but not run yet";
            let inserts = [format!("{verb} CHANNEL"), why.to_owned()];
            Err(answer(need, Message::new(&messages::NOT_AVAILABLE, inserts)))
        }
        (None, need) => Err(refusal(verb, kind, name.as_str(), ChangeError::NotFound, need)),
    }
}

impl Answer<'_> {
    pub(super) fn channel_status(&mut self, engine: &Engine, names: &NamePattern) {
        for (instance, is_ending) in engine.instances.states() {
            let is_meant = names.matches(instance.channel.as_str());
            if !is_meant || !self.reach.has(commands::channel(instance.channel)) {
                continue;
            }
            let subject = Subject::Status(StatusType::Channel);
            self.add(subject, &messages::CHANNEL_STATUS_DETAILS, |row| {
                Some(match row.keyword {
                    "CHANNEL" => Value::from(&instance.channel),
                    "CHLTYPE" if instance.object_type == ObjectType::AmqpChannel => {
                        Value::Integer(MQCHT_AMQP)
                    }
                    "AMQPKA" => Value::Integer(instance.silence_seconds_max?),
                    "CLIENTID" if instance.object_type != ObjectType::AmqpChannel => return None,
                    "CLIENTID" => Value::from(&*instance.client),
                    "CHSTADA" => date(Some(instance.began)),
                    "CHSTATI" => time(Some(instance.began)),
                    "CONNAME" => Value::from(&*instance.address),
                    "MCAUSER" => Value::from(&*instance.user),
                    "RAPPLTAG" => Value::from(&*instance.application),
                    "STATUS" => Value::Integer(if is_ending { MQCHS_STOPPING } else { MQCHS_RUNNING }),
                    _ => row.default_value(),
                })
            });
        }
    }
}
