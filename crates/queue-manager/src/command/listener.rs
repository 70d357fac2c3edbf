//! START and STOP LISTENER, DISPLAY LSSTATUS: requests to the host, and what it answers.

use mqi::constants::{
    MQCACH_LISTENER_DESC, MQIACH_LISTENER_CONTROL, MQSVC_CONTROL_MANUAL, MQSVC_STATUS_RUNNING,
};
use mqi::{NamePattern, ObjectName};
use objects::mqsc::{ListenerStep, Name};
use objects::{
    Definition, Family, ListenerAttributes, Message, ObjectType, Response, StatusType, Subject, Value,
    messages,
};
use queues::gate::Gated;
use queues::ground::request::{Carried, ListenerState, Request};
use storage::Lsn;

use super::answer::{answer, refusal};
use super::display::Answer;
use super::values::{count, date, time};
use crate::authority::commands;
use crate::catalogue::ChangeError;
use crate::engine::Engine;

/// START LISTENER.
pub(super) fn start(engine: &Engine, step: &ListenerStep) -> Gated<Response> {
    let ListenerStep { name, ignore_state } = step;
    let (definition, need) = match find(engine, "START", name) {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    if engine.is_quiescing() {
        let inserts = [name.to_string(), "the queue manager ends".to_owned()];
        return answer(need, Message::new(&messages::LISTENER_NOT_STARTED, inserts));
    }
    let carried = engine.ground().host.request(&Request::StartListener(ListenerAttributes::new(&definition)));
    answer(need, told(name, carried, *ignore_state))
}

/// STOP LISTENER.
pub(super) fn stop(engine: &Engine, step: &ListenerStep) -> Gated<Response> {
    let ListenerStep { name, ignore_state } = step;
    match find(engine, "STOP", name) {
        Ok((_, need)) => {
            let carried = engine.ground().host.request(&Request::StopListener(*name));
            answer(need, told(name, carried, *ignore_state))
        }
        Err(refused) => refused,
    }
}

/// Returns the definition of a listener, and the position that must be durable before the outside may learn
/// of it.
fn find(engine: &Engine, verb: &str, name: &ObjectName) -> Result<(Definition, Lsn), Gated<Response>> {
    let kind = ObjectType::Listener;
    match engine.directory.catalogue.find_defined(kind.name_space(), name.as_str()) {
        (Some(listener), need) => Ok((listener.current().definition.clone(), need)),
        (None, need) => Err(refusal(verb, kind, name.as_str(), ChangeError::NotFound, need)),
    }
}

/// The message of an outcome. Where the state is to be ignored, one that is as asked already is no error.
fn told(name: &ObjectName, carried: Carried, ignore_state: bool) -> Message {
    let name = name.to_string();
    match carried {
        Carried::Ran(address) if ignore_state => Message::new(&messages::LISTENER_STARTED, [name, address]),
        Carried::RunsNot if ignore_state => Message::new(&messages::LISTENER_STOPPED, [name]),
        Carried::Listens(address) => Message::new(&messages::LISTENER_STARTED, [name, address]),
        Carried::Ran(address) => Message::new(&messages::LISTENER_RUNS, [name, address]),
        Carried::Stopped => Message::new(&messages::LISTENER_STOPPED, [name]),
        Carried::RunsNot => Message::new(&messages::LISTENER_NOT_RUNNING, [name]),
        Carried::Pinged(_) | Carried::Refreshed | Carried::Kept => unreachable!("it is about listeners"),
        Carried::Refused(why) => Message::new(&messages::LISTENER_NOT_STARTED, [name, why]),
    }
}

/// The state of a listener, if it runs.
fn running(engine: &Engine, name: &str) -> Option<ListenerState> {
    engine.ground().host.listeners().into_iter().find(|state| state.attributes.name.as_str() == name)
}

impl Engine {
    /// The refusal to delete a listener that runs.
    pub(super) fn listener_in_use(&self, name: &str, need: Lsn) -> Option<Gated<Response>> {
        let state = running(self, name)?;
        let inserts = [name.to_owned(), state.address.to_string()];
        Some(answer(need, Message::new(&messages::LISTENER_RUNS, inserts)))
    }

    /// Tells the host that a listener, which does not run, was deleted.
    pub(super) fn forget_listener(&self, object_type: ObjectType, name: &Name) {
        if let (ObjectType::Listener, Name::Object(name)) = (object_type, name) {
            self.ground().host.request(&Request::StopListener(*name));
        }
    }

    /// Applies its changed definition to a listener, before the command is answered. One that does not run
    /// stays so, and its host hears whether it is to run with the queue manager.
    pub(super) fn follow_listener(&self, object_type: ObjectType, name: &str) {
        if object_type != ObjectType::Listener {
            return;
        }
        let Some(listener) = self.directory.catalogue.find_defined(object_type.name_space(), name).0 else {
            return;
        };
        let attributes = ListenerAttributes::new(&listener.current().definition);
        // One that cannot follow is told of in the error log: the change of the definition stands.
        self.ground().host.request(&Request::ChangeListener(attributes));
    }

    /// Starts the listeners that start with the queue manager; the names of those that cannot, and why.
    pub(crate) fn start_listeners(&self) -> Vec<(ObjectName, String)> {
        let mut failed = Vec::new();
        for listener in self.directory.catalogue.all_defined(Family::Listener) {
            let attributes = ListenerAttributes::new(&listener.current().definition);
            if !attributes.starts_with_manager {
                continue;
            }
            let name = attributes.name;
            if let Carried::Refused(why) = self.ground().host.request(&Request::StartListener(attributes)) {
                failed.push((name, why));
            }
        }
        failed
    }
}

impl Answer<'_> {
    pub(super) fn listener_status(&mut self, engine: &Engine, names: &NamePattern) -> Message {
        let space = ObjectType::Listener.name_space();
        let mut listeners = engine.ground().host.listeners();
        listeners.sort_unstable_by_key(|state| state.attributes.name);
        for ListenerState { attributes, address, started } in listeners {
            if !self.has_turn(|| attributes.name.as_str()) {
                continue;
            }
            let is_meant = names.matches(attributes.name.as_str());
            if !is_meant || !self.reach.has(commands::listener(attributes.name)) {
                continue;
            }
            let (listener, need) = engine.directory.catalogue.find_defined(space, attributes.name.as_str());
            self.needs(need);
            let current = listener.map(|listener| listener.current());
            let definition = current.as_ref().map(|current| &current.definition);
            let control =
                definition.map_or(MQSVC_CONTROL_MANUAL, |found| found.integer(MQIACH_LISTENER_CONTROL));
            let described = definition.map(|found| found.text(MQCACH_LISTENER_DESC)).unwrap_or_default();
            let subject = Subject::Status(StatusType::Listener);
            self.add(subject, &messages::LISTENER_STATUS_DETAILS, |row| {
                Some(match row.keyword {
                    "LISTENER" => Value::from(&attributes.name),
                    "BACKLOG" => count(attributes.backlog.unwrap_or(0)),
                    "CONTROL" => Value::Integer(control),
                    "DESCR" => Value::from(described.as_str()),
                    "IPADDR" => Value::from(address.ip().to_string().as_str()),
                    "PID" => count(engine.ground().host.process()),
                    "PORT" => count(address.port().into()),
                    "STARTDA" => date(Some(started)),
                    "STARTTI" => time(Some(started)),
                    "STATUS" => Value::Integer(MQSVC_STATUS_RUNNING),
                    _ => row.default_value(),
                })
            });
        }
        Message::new(&messages::NOTHING_MATCHES, ["running listener".to_owned(), names.to_string()])
    }
}
