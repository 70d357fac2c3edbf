//! Administration commands, executed on the catalogue.
//!
//! Lives here: what each command may and does, in the families of `objects::commands`. `definition` and
//! `others` define, alter and delete, `queue`, `topic`, `subscription`, `connection`, `listener`, `log` and
//! `manager` do the rest, `in_doubt` is about units of work that belong to no connection, `display` answers
//! questions, `live` has the states of the running engine that displays show.
//! Lives elsewhere: the language and the answers (`objects`), the set of objects (`catalogue`).
//!
//! Always: a command is done or refused as a whole, and the answer is gated like any other: by its own
//! record, and by every fact it tells.

mod answer;
mod channel;
mod channel_rule;
mod channel_state;
mod channel_status;
mod common_status;
mod connection;
mod definition;
mod display;
mod in_doubt;
mod in_order;
mod known_logins;
mod listener;
pub mod live;
mod log;
mod manager;
mod missing;
mod open_rules;
mod others;
mod queue;
mod route;
mod subscription;
mod topic;
mod values;

pub(crate) use answer::refused_growth;
use definition::Secrets;
pub(crate) use display::Answer;
pub use objects::{Command, Response};
pub(crate) use queue::Moving;
use queues::gate::{BehindGate, Gated};

use objects::messages;
use objects::{Message, ObjectType};
use security::Principal;

use crate::Issuer;
use crate::authority::Granted;
use crate::engine::Engine;
use crate::instrumentation::{Changer, subject};

impl Engine {
    /// Executes a command, and tells of it and of what it changed, as far as the queue manager is to.
    pub(crate) fn execute(&self, issuer: &Issuer, command: &Command) -> Gated<Response> {
        let granted = match self.directory.door.admit(&issuer.principal, command) {
            Ok(granted) => granted,
            Err(refused) => return refused,
        };
        let events = self.directory.catalogue.manager().attributes.events;
        let subject = subject(command).filter(|_| events.configuration);
        let before = subject.as_ref().and_then(|subject| self.directory.definition(subject));
        let secrets = match Secrets::of(self, command) {
            Ok(secrets) => secrets,
            Err(refused) => return refused,
        };
        let response = execute(self, &granted, issuer, command);
        if !response.value().is_ok() {
            return response;
        }
        let response = secrets.keep(self, response);
        if matches!(command, Command::Alter(alter) if alter.object_type == ObjectType::QueueManager) {
            self.collect();
        }
        let need = response.need();
        if let Some(subject) = &subject {
            let after = self.directory.definition(subject);
            self.directory.tell_change(Changer::Command(issuer), before.as_ref(), after.as_ref(), need);
        }
        self.directory.tell_of_command(events.command, issuer, command, need);
        response
    }
}

/// Executes a command that was granted to its issuer.
fn execute(engine: &Engine, granted: &Granted<'_>, issuer: &Issuer, command: &Command) -> Gated<Response> {
    granted.must_be_for_command(&issuer.principal, command);
    run(engine, granted, issuer, command).and_needs(granted.need())
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

fn run(engine: &Engine, granted: &Granted<'_>, issuer: &Issuer, command: &Command) -> Gated<Response> {
    match command {
        Command::Define(define) => definition::define(engine, issuer, define).changed(|answer| {
            let answer = answer.naming_kept(&define.settings);
            engine.naming_missing(define.object_type, define.name.as_str(), &define.settings, answer)
        }),
        Command::Alter(alter) => definition::alter(engine, &issuer.principal, alter).changed(|answer| {
            let answer = answer.naming_kept(&alter.settings);
            let answer =
                engine.naming_missing(alter.object_type, alter.name.as_str(), &alter.settings, answer);
            engine.with_logins_refused_by(alter, answer)
        }),
        Command::Delete(delete) => definition::delete(engine, &issuer.principal, delete),
        Command::Clear(clear) => queue::clear(engine, &issuer.principal, clear),
        Command::ClearTopic(clear) => topic::clear(engine, clear),
        Command::Display(display) => display::display(engine, granted, display)
            .changed(|answer| engine.with_warnings(issuer, display, answer)),
        Command::ResetStatistics(names, part) => {
            queue::reset_statistics(engine, granted, names, part.as_ref())
        }
        Command::Move(moved) => queue::move_messages(engine, &issuer.principal, moved),
        Command::Recover(recover) => queue::recover(engine, recover),
        Command::StopConnection(identifier) => connection::stop(engine, identifier),
        Command::StartChannel(start) => channel::start(engine, start),
        Command::StopChannel(stop) => channel::stop(engine, stop),
        Command::PingChannel(ping) => channel::ping(engine, ping),
        Command::ResetChannel(reset) => engine.reset_channel(reset),
        Command::ResolveChannel(resolve) => engine.resolve_channel(resolve),
        Command::StartInitiator => channel::initiate(engine, true),
        Command::StopInitiator => channel::initiate(engine, false),
        Command::SetChannelRule(set) => channel_rule::set(engine, &issuer.principal, set)
            .changed(|answer| engine.with_logins_refused_on(&set.profile, answer)),
        Command::StartListener(step) => listener::start(engine, step),
        Command::StopListener(step) => listener::stop(engine, step),
        Command::Resolve(resolve) => connection::resolve(engine, issuer, resolve),
        Command::Absent(absent) => {
            let name = format!("{} {}", absent.command.verb, absent.command.subject);
            let reason = absent.command.missing.reason().to_owned();
            let row =
                if absent.command.finds_nothing() { &messages::FOUND_NONE } else { &messages::NOT_AVAILABLE };
            let message = Message::new(row, [name, reason]);
            Gated::new(engine.directory.catalogue.absence_need(), Response::message(message))
        }
        Command::SetAuthority(set) => engine.set_authority_records(set, &issuer.principal),
        Command::DeleteAuthority(records) => engine.delete_authority_records(records, &issuer.principal),
        Command::ResetQueueManager(reset) => manager::reset(engine, *reset),
        Command::RefreshQueueManager(refresh) => manager::refresh(engine, issuer, refresh),
        Command::RefreshSecurity(refreshing) => manager::refresh_security(engine, *refreshing),
        Command::PingQueueManager => {
            let manager = engine.directory.catalogue.manager();
            let message = Message::new(&messages::QUEUE_MANAGER_ANSWERS, [manager.definition.name()]);
            Gated::new(manager.need, Response::message(message))
        }
    }
}
