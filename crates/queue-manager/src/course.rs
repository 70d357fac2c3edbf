//! Commands that are executed a piece at a time, for hosts whose threads serve others meanwhile.
//!
//! Lives here: going on with one. Lives elsewhere: the work of its pieces (`command`), and the turn between
//! two of them: jobs wait in line, so a course that leaves a job for each piece delays no other job for long.
//!
//! Always: a course does not keep the engine, which may keep the job that has it.

use std::fmt;
use std::sync::Arc;

use objects::mqsc::{Display, Work};
use objects::{Attribute, Command, Response};
use storage::LogKind;

use crate::command::{Moving, begin_moving};
use crate::engine::Engine;
use crate::{Gated, Issuer, QueueManager};

/// Most objects that DISPLAY goes through while others wait: each takes a few microseconds.
const DISPLAYED_AT_ONCE_MAX: usize = 256;

/// A command under way.
pub struct Course {
    issuer: Issuer,
    command: Command,
    /// Progress of MOVE; other commands, long ones too, have one piece.
    moving: Option<Moving>,
}

impl Course {
    /// A command that nothing is done of yet.
    #[must_use]
    pub fn new(issuer: Issuer, command: Command) -> Self {
        Self { issuer, command, moving: None }
    }

    /// Returns true if a command may take longer than others should wait for it.
    #[must_use]
    pub fn is_long(command: &Command, queue_manager: &QueueManager) -> bool {
        match (command.work(), command) {
            (Work::Short, Command::Display(display)) => goes_through_many(display, queue_manager),
            (Work::Short, _) => false,
            (Work::OfImages, Command::Display(display)) => {
                goes_through_many(display, queue_manager) || asks_for_images(display, queue_manager)
            }
            (Work::OfImages | Work::Long, _) => true,
        }
    }

    /// Does a piece; the answer after the last one.
    pub fn go_on(&mut self, queue_manager: &QueueManager) -> Option<Gated<Response>> {
        let engine = queue_manager.engine();
        let moving = match &mut self.moving {
            Some(moving) => moving,
            None => match begin(engine, &self.issuer, &self.command) {
                None => return Some(engine.execute(&self.issuer, &self.command)),
                Some(Ok(moving)) => self.moving.insert(moving),
                Some(Err(refused)) => return Some(refused),
            },
        };
        let response = moving.go_on(engine)?;
        if response.value().is_ok() {
            let events = engine.catalogue.manager().attributes.events.command;
            engine.tell_of_command(events, &self.issuer, &self.command, response.need());
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
    match engine.door.admit(&issuer.principal, command) {
        Ok(granted) => begin_moving(engine, &granted, &issuer.principal, command),
        Err(refused) => Some(Err(refused)),
    }
}

/// Returns true if the answer follows from the media images there are; a circular log has none.
fn asks_for_images(display: &Display, queue_manager: &QueueManager) -> bool {
    let follows = |row: &Attribute| matches!(row.keyword, "MEDIALOG" | "MEDIASZ");
    let subjects = || display.target.subjects().into_iter();
    let is_shown = || subjects().flat_map(|subject| display.attributes(subject)).any(follows);
    queue_manager.engine().storage.log_kind() == LogKind::Linear && is_shown()
}

/// Returns true if DISPLAY looks for several objects, or connections, of which there are many.
fn goes_through_many(display: &Display, queue_manager: &QueueManager) -> bool {
    let is_many = || {
        let objects = queue_manager.engine().catalogue.all().len();
        objects.max(queue_manager.connections()) > DISPLAYED_AT_ONCE_MAX
    };
    display.target.is_generic() && is_many()
}

impl fmt::Debug for Course {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Course({})", self.command.without_secrets())
    }
}
