//! Commands that are executed a piece at a time, for hosts whose threads serve others meanwhile.
//!
//! Lives here: going on with one. Lives elsewhere: the work of its pieces (`command`), and the turn between
//! two of them: jobs wait in line, so a course that leaves a job for each piece delays no other job for long.
//!
//! Always: a course does not keep the engine, which may keep the job that has it.

use std::fmt;
use std::sync::Arc;

use objects::mqsc::{Display, Target, Work};
use objects::{Attribute, Command, Response};
use queues::gate::{BehindGate, Gated};
use storage::LogKind;

use crate::command::{Moving, begin_moving};
use crate::engine::Engine;
use crate::{Came, Issuer, QueueManager};

/// Most objects that DISPLAY goes through while others wait: each takes a few microseconds.
const DISPLAYED_AT_ONCE_MAX: usize = 256;

/// A command under way.
pub struct Course {
    issuer: Issuer,
    command: Command,
    /// Progress of MOVE.
    moving: Option<Moving>,
    /// The key of the last thing in the parts of the answer so far, and the objects in them.
    after: Option<Box<str>>,
    shown: usize,
}

/// Result of a piece.
#[derive(Debug)]
pub enum Piece {
    /// More is to be done before there is an answer.
    Working,
    /// A part of the answer; more follow.
    Part(Gated<Response>),
    /// The answer, or its last part.
    Last(Gated<Response>),
}

impl Course {
    /// A command that nothing is done of yet.
    #[must_use]
    pub fn new(issuer: Issuer, command: Command) -> Self {
        Self { issuer, command, moving: None, after: None, shown: 0 }
    }

    /// The command, as it was given.
    pub fn command(&self) -> &Command {
        &self.command
    }

    /// Returns true if a command may take longer than others should wait for it.
    #[must_use]
    pub fn is_long(command: &Command, queue_manager: &QueueManager) -> bool {
        match (command.work(), command) {
            (Work::Short, Command::Display(display)) => goes_through_many(display, queue_manager),
            (Work::Short, Command::ResetStatistics(names, _)) => {
                names.is_generic() && has_many(queue_manager)
            }
            (Work::Short, _) => false,
            (Work::OfImages, Command::Display(display)) => {
                goes_through_many(display, queue_manager) || asks_for_images(display, queue_manager)
            }
            (Work::OfImages | Work::Long, _) => true,
        }
    }

    /// Does a piece. A part of an answer ends once it has so many bytes, about, on its way to a program: at
    /// least one, and of MOVE the whole.
    pub fn go_on(&mut self, queue_manager: &QueueManager, room: usize) -> Piece {
        if let Some(part) = self.command.in_part(room.max(1), self.after.take(), self.shown) {
            let response = queue_manager.engine().execute(&self.issuer, &part);
            let (rest, shown) = (response.value().rest.clone(), response.value().rows.len());
            if rest.is_none() {
                return Piece::Last(response);
            }
            self.issuer.came = Came::ForLaterPage;
            (self.after, self.shown) = (rest, self.shown + shown);
            return Piece::Part(response);
        }
        match self.move_on(queue_manager) {
            Some(response) => Piece::Last(response),
            None => Piece::Working,
        }
    }

    fn move_on(&mut self, queue_manager: &QueueManager) -> Option<Gated<Response>> {
        let engine = queue_manager.engine();
        let moving = match &mut self.moving {
            Some(moving) => moving,
            None => match begin(engine, &self.issuer, &self.command) {
                None => return Some(engine.execute(&self.issuer, &self.command)),
                Some(Ok(moving)) => self.moving.insert(moving),
                Some(Err(refused)) => return Some(refused),
            },
        };
        let response = moving.go_on(engine, &self.issuer.principal)?;
        if response.value().is_ok() {
            let events = engine.directory.catalogue.manager().attributes.events.command;
            engine.directory.tell_of_command(events, &self.issuer, &self.command, response.need());
        }
        Some(response)
    }
}

/// Begins a command that has pieces, once it is granted; none for one that has not.
fn begin(
    engine: &Arc<Engine>,
    issuer: &Issuer,
    command: &Command,
) -> Option<Result<Moving, Gated<Response>>> {
    if !matches!(command, Command::Move(_)) {
        return None;
    }
    match engine.directory.door.admit(&issuer.principal, command) {
        Ok(granted) => begin_moving(engine, &granted, &issuer.principal, command),
        Err(refused) => Some(Err(refused)),
    }
}

/// Returns true if the answer follows from the media images there are; a circular log has none.
fn asks_for_images(display: &Display, queue_manager: &QueueManager) -> bool {
    let follows = |row: &Attribute| matches!(row.keyword, "MEDIALOG" | "MEDIASZ");
    let subjects = || display.target.subjects().into_iter();
    let is_shown = || subjects().flat_map(|subject| display.attributes(subject)).any(follows);
    queue_manager.engine().ground().storage.log_kind() == LogKind::Linear && is_shown()
}

/// Returns true if DISPLAY looks for several things of which there are many.
fn goes_through_many(display: &Display, queue_manager: &QueueManager) -> bool {
    match &display.target {
        Target::AuthorityRecords(_) => {
            queue_manager.engine().directory.door.book.rules().authorities().len() > DISPLAYED_AT_ONCE_MAX
        }
        Target::PublishSubscribe { .. } => has_many(queue_manager),
        Target::Connections { .. } => has_many(queue_manager) || has_many_units(queue_manager),
        target => target.is_generic() && has_many(queue_manager),
    }
}

fn has_many(queue_manager: &QueueManager) -> bool {
    let (queues, others) = queue_manager.engine().directory.catalogue.counts();
    queues.max(others).max(queue_manager.figures().connections()) > DISPLAYED_AT_ONCE_MAX
}

/// Units of work that belong to no connection are in the answer about the connection of zeros, too.
fn has_many_units(queue_manager: &QueueManager) -> bool {
    let queues = &queue_manager.engine().queues;
    queues.units.in_doubt_is_above(DISPLAYED_AT_ONCE_MAX) || queues.open_branches() > DISPLAYED_AT_ONCE_MAX
}

impl fmt::Debug for Course {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Course({})", self.command.without_secrets())
    }
}
