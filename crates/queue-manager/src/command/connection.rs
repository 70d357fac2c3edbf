//! STOP CONN and RESOLVE INDOUBT; DISPLAY CONN is in `display`.

use objects::mqsc::{Resolution, Resolve};
use objects::{Message, Response, messages};
use queues::gate::Gated;

use super::answer::answer;
use super::in_doubt;
use super::live::UnitState;
use super::values::shown_identifier;
use crate::engine::Engine;
use crate::instrumentation::Issuer;

/// STOP CONN.
pub(super) fn stop(engine: &Engine, identifier: &str) -> Gated<Response> {
    let need = engine.directory.catalogue.absence_need();
    let stopped = number(identifier).is_some_and(|number| engine.stop_connection(number));
    let row = if stopped { &messages::CONNECTION_STOPPED } else { &messages::CONNECTION_NOT_FOUND };
    answer(need, Message::new(row, [identifier]))
}

/// RESOLVE INDOUBT.
pub(super) fn resolve(engine: &Engine, issuer: &Issuer, resolve: &Resolve) -> Gated<Response> {
    let need = engine.directory.catalogue.absence_need();
    let Resolve { identifier, resolution } = resolve;
    if identifier.contains(['.', ':']) {
        return in_doubt::resolve(engine, issuer, identifier, *resolution);
    }
    let mut connections = engine.connections();
    let found =
        number(identifier).and_then(|number| connections.find(|connection| connection.identifier == number));
    let Some(found) = found else {
        return answer(need, Message::new(&messages::CONNECTION_NOT_FOUND, [identifier]));
    };
    let name = shown_identifier(found.identifier);
    let refused = |why: &str| {
        let command = format!("RESOLVE INDOUBT({name})");
        answer(found.need, Message::new(&messages::COMMAND_FAILED, [command, why.to_owned()]))
    };
    match (&found.unit, resolution) {
        (_, Resolution::Forget) => {
            refused("only the decision about a unit of work that was prepared is forgotten, by its number")
        }
        (UnitState::None, _) => refused("the connection has no unit of work open"),
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
