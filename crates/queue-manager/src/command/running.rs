//! MOVE QLOCAL, STOP CONN and RESOLVE INDOUBT: what is done to messages, connections and units of work.

use std::sync::Arc;

use mqi::{ObjectName, Reason};
use objects::mqsc::{Move, Resolution, Resolve};
use objects::{Message, ObjectType, Response, messages};
use storage::Lsn;

use super::change::{answer, refusal};
use super::display::shown_identifier;
use super::live::UnitState;
use crate::Gated;
use crate::catalogue::{ChangeError, Object};
use crate::engine::Engine;
use crate::queue::Queue;
use crate::queue::state::{Busy, Cleared};

type Found = Arc<Object<Arc<Queue>>>;

/// MOVE QLOCAL.
pub(super) fn move_messages(engine: &Engine, moved: &Move) -> Gated<Response> {
    let mut moving = match Moving::begin(engine, moved) {
        Ok(moving) => moving,
        Err(refused) => return refused,
    };
    loop {
        if let Some(response) = moving.go_on(engine) {
            return response;
        }
    }
}

/// MOVE QLOCAL, under way.
pub(crate) struct Moving {
    source: Found,
    target: Found,
    moved: Cleared,
}

impl Moving {
    /// Finds the queues; or why nothing is moved.
    pub(super) fn begin(engine: &Engine, Move { from, to, add }: &Move) -> Result<Self, Gated<Response>> {
        let (source, target) = (local(engine, from)?, local(engine, to)?);
        let moving = Self { source, target, moved: Cleared { messages: 0, need: Lsn::ZERO } };
        let state = queue(&moving.target).status(engine);
        if from == to {
            return Err(moving.refused("both are the same queue".to_owned(), state.need));
        }
        if !add && state.depth > 0 {
            let why = format!("{to} has messages, {}, and TYPE(ADD) was not said", state.depth);
            return Err(moving.refused(why, state.need));
        }
        Ok(moving)
    }

    /// Moves some messages; the answer when no more are there, or the rest is not moved.
    pub(crate) fn go_on(&mut self, engine: &Engine) -> Option<Gated<Response>> {
        let source = queue(&self.source);
        match engine.move_some(source, queue(&self.target)) {
            Ok(Cleared { messages: 0, need }) => {
                let (from, to) = (self.source.name(), self.target.name());
                let inserts = [from.to_string(), to.to_string(), self.moved.messages.to_string()];
                Some(answer(self.moved.need.max(need), Message::new(&messages::QUEUE_MOVED, inserts)))
            }
            Ok(Cleared { messages, need }) => {
                self.moved.messages += messages;
                self.moved.need = self.moved.need.max(need);
                None
            }
            Err(busy) => {
                let need = self.moved.need.max(source.status(engine).need);
                Some(self.refused(why(busy), need))
            }
        }
    }

    fn refused(&self, why: String, need: Lsn) -> Gated<Response> {
        let (from, to, moved) = (self.source.name(), self.target.name(), self.moved.messages);
        let inserts = [from.to_string(), to.to_string(), moved.to_string(), why];
        answer(need, Message::new(&messages::QUEUE_NOT_MOVED, inserts))
    }
}

fn queue(found: &Object<Arc<Queue>>) -> &Arc<Queue> {
    found.queue().expect("a local queue has the engine's part")
}

fn why(busy: Busy) -> String {
    match busy {
        Busy::Open { handles } => format!("programs have it open, handles: {handles}"),
        Busy::NotEmpty { messages } => format!("it holds messages: {messages}"),
        Busy::Uncommitted { messages } => {
            format!("units of work that have not ended hold messages of it: {messages}")
        }
        Busy::Refused(reason) => reason.to_string(),
    }
}

fn local(engine: &Engine, name: &ObjectName) -> Result<Found, Gated<Response>> {
    let found = engine.catalogue.find(name);
    let refused = |error| refusal("MOVE", ObjectType::LocalQueue, name.as_str(), error, found.need);
    match found.object {
        None => Err(refused(ChangeError::NotFound)),
        Some(object) if object.queue().is_some() => Ok(object),
        Some(object) => Err(refused(ChangeError::OtherType { name: *name, found: object.object_type() })),
    }
}

/// STOP CONN.
pub(super) fn stop(engine: &Engine, identifier: &str) -> Gated<Response> {
    let need = engine.catalogue.absence_need();
    let stopped = number(identifier).is_some_and(|number| engine.stop_connection(number));
    let row = if stopped { &messages::CONNECTION_STOPPED } else { &messages::CONNECTION_NOT_FOUND };
    answer(need, Message::new(row, [identifier]))
}

/// RESOLVE INDOUBT.
pub(super) fn resolve(engine: &Engine, resolve: &Resolve) -> Gated<Response> {
    let need = engine.catalogue.absence_need();
    let Resolve { identifier, resolution } = resolve;
    let connections = engine.connections();
    let found = number(identifier)
        .and_then(|number| connections.iter().find(|connection| connection.identifier == number));
    let Some(found) = found else {
        return answer(need, Message::new(&messages::CONNECTION_NOT_FOUND, [identifier]));
    };
    let name = shown_identifier(found.identifier);
    let refused = |why: &str| {
        let command = format!("RESOLVE INDOUBT({name})");
        answer(found.need, Message::new(&messages::COMMAND_FAILED, [command, why.to_owned()]))
    };
    match (found.unit, resolution) {
        (UnitState::None, _) => refused("the connection has no unit of work open"),
        (UnitState::Prepared { .. }, _) => refused(Reason::PARTICIPANT_NOT_AVAILABLE.name()),
        (UnitState::Active { .. }, Resolution::Commit) => refused(
            "the unit of work is not prepared, so only its program knows whether it is whole; it can be backed out",
        ),
        (UnitState::Active { .. }, Resolution::Backout) => {
            if engine.back_out_unit(found.identifier) {
                answer(found.need, Message::new(&messages::UNIT_BACKED_OUT, [name]))
            } else {
                refused("the unit of work ended at this moment")
            }
        }
    }
}

/// The number of a connection from its sixteen digits.
fn number(identifier: &str) -> Option<u64> {
    u64::from_str_radix(identifier, 16).ok().filter(|_| identifier.len() <= 16)
}
