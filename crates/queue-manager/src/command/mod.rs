//! Administration commands, executed on the catalogue.
//!
//! Lives here: what each command may and does; `change` defines, alters, deletes and clears, `display` answers
//! questions, `live` says what both ask of the running engine.
//! Lives elsewhere: the language and the answers (`objects`), the set of objects (`catalogue`).
//!
//! Always: a command is done or refused as a whole, and the answer is gated like any other: by its own record, and by
//! every fact it tells.

mod change;
mod display;
pub mod live;
#[cfg(test)]
mod tests;

pub use objects::{Command, Response};

use objects::Message;
use objects::messages;

use crate::Gated;
use live::Running;

/// Executes a command.
pub fn execute<E: Running>(engine: &E, command: &Command) -> Gated<Response> {
    match command {
        Command::Define(define) => change::define(engine, define),
        Command::Alter(alter) => change::alter(engine, alter),
        Command::Delete(delete) => change::delete(engine, delete),
        Command::Clear(clear) => change::clear(engine, clear),
        Command::Display(display) => display::display(engine, display),
        Command::PingQueueManager => {
            let manager = engine.catalogue().manager();
            let message = Message::new(&messages::QUEUE_MANAGER_ANSWERS, [manager.definition.name()]);
            Gated::new(manager.need, Response::message(message))
        }
    }
}
