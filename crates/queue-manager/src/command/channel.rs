//! START, STOP, PING, RESET and RESOLVE CHANNEL, START and STOP CHINIT.
//!
//! Lives here: server connections, and the commands on message channels that need no state that lasts. Lives
//! elsewhere: RESET and RESOLVE (`channel_state`), displays (`channel_status`).

use mqi::ObjectName;
use mqi::ours::CHANNEL_STOPPED;
use objects::mqsc::{PingChannel, StartChannel, StopChannel, StopChannelMode};
use objects::{ChannelAttributes, Family, Message, ObjectType, Response, Value, messages};
use queues::gate::{BehindGate, Gated};
use queues::ground::request::{Carried, Request};
use storage::Lsn;

use super::answer::{answer, refusal};
use crate::catalogue::ChangeError;
use crate::engine::Engine;
use crate::instances::is_of_clients;
use crate::message_channels::{ChannelAsk, Standing, Stopping};

/// A channel that commands act on.
pub(super) enum Found {
    /// Clients come by it.
    OfClients,
    /// A channel between queue managers.
    Message(Box<ChannelAttributes>),
}

/// Finds a channel by name, with the position that must be durable before the outside may learn of it.
pub(super) fn find(engine: &Engine, verb: &str, name: &ObjectName) -> Result<(Found, Lsn), Gated<Response>> {
    let kind = ObjectType::ServerConnectionChannel;
    let (channel, need) = engine.directory.catalogue.find_defined(kind.name_space(), name.as_str());
    let Some(channel) = channel else {
        return Err(refusal(verb, kind, name.as_str(), ChangeError::NotFound, need));
    };
    if is_of_clients(channel.object_type()) {
        return Ok((Found::OfClients, need));
    }
    match ChannelAttributes::of(&channel.current().definition) {
        Some(attributes) => Ok((Found::Message(Box::new(attributes)), need)),
        None => Err(not_run(verb, channel.object_type(), need)),
    }
}

/// The refusal for a channel of a type that nothing runs.
fn not_run(verb: &str, object_type: ObjectType, need: Lsn) -> Gated<Response> {
    let why = format!(
        "channels with CHLTYPE({}) can be defined but not run yet",
        object_type.subtype().unwrap_or_default()
    );
    answer(need, Message::new(&messages::NOT_AVAILABLE, [format!("{verb} CHANNEL"), why]))
}

/// A message channel of this name.
pub(super) fn find_message_channel(
    engine: &Engine,
    verb: &str,
    name: &ObjectName,
) -> Result<(ChannelAttributes, Lsn), Gated<Response>> {
    match find(engine, verb, name)? {
        (Found::Message(attributes), need) => Ok((*attributes, need)),
        (Found::OfClients, need) => {
            let why = "it is for channels between queue managers, and clients come by this one".to_owned();
            Err(answer(need, Message::new(&messages::NOT_AVAILABLE, [format!("{verb} CHANNEL"), why])))
        }
    }
}

/// START CHANNEL.
pub(super) fn start(engine: &Engine, start: &StartChannel) -> Gated<Response> {
    let name = &start.name;
    let (attributes, need) = match find(engine, "START", name) {
        Ok((Found::Message(attributes), need)) => (attributes, need),
        Ok((Found::OfClients, need)) => {
            engine.instances.open(name);
            return answer(need, Message::new(&messages::CHANNEL_STARTED, [name]));
        }
        Err(refused) => return refused,
    };
    let not_started = |why: String| {
        let inserts = [name.to_string(), why];
        answer(need, Message::new(&messages::CHANNEL_NOT_STARTED, inserts))
    };
    if !engine.ground().host.runs_channels() {
        return not_started("the process of the queue manager runs no message channels".to_owned());
    }
    if engine.is_quiescing() {
        return not_started("the queue manager ends".to_owned());
    }
    // A channel that ends by a STOP stays stopped: it can be started once it has ended.
    let is_active = engine.message_channels.schedule(name).standing == Standing::Active;
    let noted = if is_active { Ok(Lsn::ZERO) } else { engine.note_stopped(name, false) };
    let need = match noted {
        Ok(noted) => need.max(noted),
        Err(error) => {
            return not_started(format!("it was stopped, and the log does not take the change: {error}"));
        }
    };
    if !attributes.calls() && attributes.kind.is_called() {
        engine.message_channels.open(*name);
        return answer(need, Message::new(&messages::CHANNEL_STARTED, [name]));
    }
    if let Err((_, why)) = engine.directory.call_terms(&attributes) {
        return not_started(why);
    }
    let is_new = engine.message_channels.start(*name);
    if !is_new && !start.ignores_state {
        return answer(need, Message::new(&messages::CHANNEL_RUNS, [name]));
    }
    let inserts = [name.to_string(), attributes.connection_name.to_string()];
    answer(need, Message::new(&messages::CHANNEL_CALLS, inserts))
}

/// STOP CHANNEL.
pub(super) fn stop(engine: &Engine, stop: &StopChannel) -> Gated<Response> {
    let name = &stop.name;
    let (found, need) = match find(engine, "STOP", name) {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let mut noted = Ok(Lsn::ZERO);
    let ended = match found {
        Found::OfClients => engine.instances.stop(name, stop.stays_open, stop.address.as_deref()),
        Found::Message(_) => {
            let standing =
                if stop.stays_open || stop.is_partial() { Standing::Inactive } else { Standing::Stopped };
            let ask = match stop.mode {
                StopChannelMode::Quiesce => ChannelAsk::Quiesce,
                StopChannelMode::Force => ChannelAsk::Force,
                StopChannelMode::Terminate => ChannelAsk::Terminate,
            };
            if !stop.is_partial() {
                noted = engine.note_stopped(name, standing == Standing::Stopped);
            }
            let before = engine.message_channels.schedule(name).standing;
            let partner = stop.queue_manager.as_ref().map(|partner| partner.as_str());
            let how = Stopping { ask, standing, partner, address: stop.address.as_deref() };
            let ended = engine.message_channels.stop(name, &how);
            let changes_nothing = before == standing && matches!(noted, Ok(Lsn::ZERO));
            let was_idle = changes_nothing || stop.is_partial();
            if ended == 0 && was_idle && !stop.ignores_state {
                return answer(need, Message::new(&messages::CHANNEL_NOT_ACTIVE, [name]));
            }
            ended
        }
    };
    let stopped = Message::new(&messages::CHANNEL_STOPPED, [name.to_string(), ended.to_string()]);
    match noted {
        Ok(noted) => answer(need.max(noted), stopped),
        // The command holds, though the log lacks the room to keep it.
        Err(error) => answer(need, stopped).changed(|mut response| {
            let inserts = [name.to_string(), error.to_string()];
            response.messages.push(Message::new(&messages::CHANNEL_STOP_NOT_KEPT, inserts));
            response
        }),
    }
}

/// Has the connections of a message channel follow its definition, which a command changed, and adds to the
/// answer what they follow.
pub(super) fn followed(
    engine: &Engine,
    object_type: ObjectType,
    name: &str,
    answer: Gated<Response>,
) -> Gated<Response> {
    if object_type.name_space() != ObjectType::SenderChannel.name_space() {
        return answer;
    }
    let Some(attributes) = engine.directory.message_channel(name).0 else { return answer };
    let Some((at_once, later)) = engine.message_channels.follow(&attributes) else { return answer };
    answer.changed(|mut response| {
        let rows = [(&messages::CHANNEL_FOLLOWS, at_once), (&messages::CHANNEL_FOLLOWS_LATER, later)];
        let rows = rows.into_iter().filter(|(_, keywords)| !keywords.is_empty());
        let told = rows.map(|(row, keywords)| Message::new(row, [name.to_owned(), keywords.join(", ")]));
        response.messages.extend(told);
        response
    })
}

impl Engine {
    /// Keeps the word of a command that a channel is stopped, or is not any more; the position of the record.
    fn note_stopped(&self, channel: &ObjectName, is_stopped: bool) -> Result<Lsn, ChangeError> {
        let space = ObjectType::SenderChannel.name_space();
        let Some(defined) = self.directory.catalogue.find_defined(space, channel.as_str()).0 else {
            return Ok(Lsn::ZERO);
        };
        let wanted = i32::from(is_stopped);
        if defined.current().definition.integer(CHANNEL_STOPPED) == wanted {
            return Ok(Lsn::ZERO);
        }
        self.directory.catalogue.alter_other(space, channel.as_str(), defined.object_type(), |definition| {
            definition.set_internal(CHANNEL_STOPPED, Value::Integer(wanted));
            Ok(())
        })
    }

    /// Keeps the channels stopped that a command had stopped before the restart.
    pub(crate) fn stop_channels_again(&self) {
        for channel in self.directory.catalogue.all_defined(Family::Channel) {
            let current = channel.current();
            let definition = &current.definition;
            if ChannelAttributes::of(definition).is_some() && definition.integer(CHANNEL_STOPPED) == 1 {
                self.message_channels.stay_stopped(*definition.name());
            }
        }
    }
}

/// PING CHANNEL. Blocks until the partner answered, or did not.
pub(super) fn ping(engine: &Engine, ping: &PingChannel) -> Gated<Response> {
    let name = &ping.name;
    let (attributes, need) = match find_message_channel(engine, "PING", name) {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let failed =
        |why: String| answer(need, Message::new(&messages::CHANNEL_NOT_PINGED, [name.to_string(), why]));
    if let Err((_, why)) = engine.directory.call_terms(&attributes) {
        return failed(why);
    }
    if !engine.ground().host.runs_channels() || engine.is_quiescing() {
        return failed("the queue manager runs no message channels now".to_owned());
    }
    let number = match engine.message_channels.ping(attributes, ping.bytes) {
        Ok(Some(number)) => number,
        Ok(None) => return answer(need, Message::new(&messages::CHANNEL_RUNS, [name])),
        Err(full) => return failed(full.to_string()),
    };
    let carried = engine.ground().host.request(&Request::AwaitPing(number));
    // One that the host gave up has no other caller, and its place is for the next.
    engine.message_channels.forget_ping(number);
    match carried {
        Carried::Pinged(micros) => {
            let inserts = [name.to_string(), micros.to_string()];
            answer(need, Message::new(&messages::CHANNEL_PINGED, inserts))
        }
        Carried::Refused(why) => failed(why),
        other => unreachable!("{other:?} answers no ping"),
    }
}

/// START and STOP CHINIT.
pub(super) fn initiate(engine: &Engine, starts: bool) -> Gated<Response> {
    let need = engine.directory.catalogue.absence_need();
    engine.message_channels.stop_initiator(!starts);
    let does = if starts { "start" } else { "no longer start" };
    answer(need, Message::new(&messages::CHANNEL_INITIATOR, [does]))
}
