//! Administration commands, executed on the catalogue.
//!
//! Lives here: what each command may and does; `change` defines, alters, deletes and clears queues, `running` moves messages
//! and ends connections and units of work, `managing` has the queue manager tell of itself, `media` gives damaged messages back, `others`
//! does so with other objects, `subscriptions` with what subscriptions ask of the topic tree, `topics` shows that tree, `display` answers questions, `log_status` tells of the recovery log, `live` says what all of them ask of the running engine.
//! Lives elsewhere: the language and the answers (`objects`), the set of objects (`catalogue`).
//!
//! Always: a command is done or refused as a whole, and the answer is gated like any other: by its own record, and by
//! every fact it tells.

mod change;
mod display;
pub mod live;
mod log_status;
mod managing;
mod media;
mod others;
mod running;
mod subscriptions;
mod topics;

pub(crate) use display::connection_identifier;
pub use objects::{Command, Response};
pub(crate) use running::Moving;

use objects::Message;
use objects::messages;
use security::Principal;

use crate::authority::Granted;
use crate::engine::Engine;
use crate::{Gated, Issuer};

/// Executes a command that was granted to its issuer.
pub(crate) fn execute(
    engine: &Engine,
    granted: &Granted<'_>,
    issuer: &Issuer,
    command: &Command,
) -> Gated<Response> {
    granted.must_be_for_command(&issuer.principal, command);
    run(engine, issuer, command).and_needs(granted.need())
}

/// Begins to move messages, which was granted to the issuer of the command.
pub(crate) fn begin_moving(
    engine: &Engine,
    granted: &Granted<'_>,
    principal: &Principal,
    command: &Command,
) -> Option<Result<Moving, Gated<Response>>> {
    let Command::Move(moved) = command else { return None };
    granted.must_be_for_command(principal, command);
    Some(Moving::begin(engine, moved))
}

fn run(engine: &Engine, issuer: &Issuer, command: &Command) -> Gated<Response> {
    match command {
        Command::Define(define) => change::define(engine, define),
        Command::Alter(alter) => change::alter(engine, alter),
        Command::Delete(delete) => change::delete(engine, delete),
        Command::Clear(clear) => change::clear(engine, clear),
        Command::ClearTopic(clear) => topics::clear(engine, clear),
        Command::Display(display) => display::display(engine, display),
        Command::ResetStatistics(names) => display::reset_statistics(engine, names),
        Command::Move(moved) => running::move_messages(engine, moved),
        Command::Recover(recover) => media::recover(engine, recover),
        Command::StopConnection(identifier) => running::stop(engine, identifier),
        Command::Resolve(resolve) => running::resolve(engine, resolve),
        Command::Absent(absent) => {
            let name = format!("{} {}", absent.command.verb, absent.command.subject);
            let reason = absent.command.missing.reason().to_owned();
            let row = match absent.command.finds_nothing() {
                true => &messages::FOUND_NONE,
                false => &messages::NOT_AVAILABLE,
            };
            let message = Message::new(row, [name, reason]);
            Gated::new(engine.catalogue.absence_need(), Response::message(message))
        }
        Command::ResetQueueManager(reset) => managing::reset(engine, *reset),
        Command::RefreshQueueManager(refresh) => managing::refresh(engine, issuer, refresh),
        Command::PingQueueManager => {
            let manager = engine.catalogue.manager();
            let message = Message::new(&messages::QUEUE_MANAGER_ANSWERS, [manager.definition.name()]);
            Gated::new(manager.need, Response::message(message))
        }
    }
}
