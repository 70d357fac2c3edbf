//! CLEAR, MOVE and RECOVER QLOCAL, RESET QSTATS; DISPLAY QSTATUS is in `display`.

use std::sync::Arc;

use mqi::constants::*;
use mqi::{NamePattern, ObjectName};
use objects::mqsc::{Clear, Move, Page, Part, Recover};
use objects::{Attribute, Field, Message, ObjectType, Response, Row, StatusType, Value, messages};
use queues::gate::{BehindGate, Gated};
use queues::queue::Queue;
use queues::queue::state::{Busy, Cleared};
use security::{Command as Verb, Principal};
use storage::Lsn;

use super::answer::{answer, busy_refusal, change_failed, failed, refusal};
use super::display::{matching, no_queue};
use super::live::Recovered;
use super::values::count;
use super::values::may_be_recovered;
use crate::authority::commands::{self, Reach};
use crate::authority::{Denied, Granted};
use crate::catalogue::{ChangeError, Object};
use crate::engine::Engine;

type Found = Arc<Object<Arc<Queue>>>;

/// MOVE QLOCAL.
pub(super) fn move_messages(engine: &Engine, author: &Principal, moved: &Move) -> Gated<Response> {
    let mut moving = match Moving::begin(engine, moved) {
        Ok(moving) => moving,
        Err(refused) => return refused,
    };
    loop {
        if let Some(response) = moving.go_on(engine, author) {
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
        let state = queue(&moving.target).status(&engine.queues);
        if from == to {
            return Err(moving.refused("both are the same queue".to_owned(), state.need));
        }
        if !add && state.depth > 0 {
            let why = format!("{to} has messages, {}, and TYPE(ADD) was not said", state.depth);
            return Err(moving.refused(why, state.need));
        }
        Ok(moving)
    }

    /// Moves some messages; the answer when no more are there, or the rest is not moved. The mover is judged
    /// anew for each portion: a right that is taken away leaves the rest where it is.
    pub(crate) fn go_on(&mut self, engine: &Engine, author: &Principal) -> Option<Gated<Response>> {
        if let Err(denied) = self.may_go_on(engine, author) {
            let refused = engine.refuse_lent(&denied);
            let rest = self.refused("the right to move them is gone".to_owned(), self.moved.need);
            return Some(refused.and_needs(rest.need()).changed(|mut refused| {
                if self.moved.messages > 0 {
                    refused.messages.extend(rest.into_inner().messages);
                }
                refused
            }));
        }
        let source = queue(&self.source);
        match source.move_some(&engine.queues, queue(&self.target)) {
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
                let need = self.moved.need.max(source.status(&engine.queues).need);
                Some(self.refused(why(busy), need))
            }
        }
    }

    fn may_go_on(&mut self, engine: &Engine, author: &Principal) -> Result<(), Box<Denied>> {
        let (from, to) = (commands::queue(*self.source.name()), commands::queue(*self.target.name()));
        engine.may_still(author, from, Verb::Move, &mut self.moved.need)?;
        engine.may_still(author, to, Verb::MoveTo, &mut self.moved.need)
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
    let found = engine.directory.catalogue.find(name);
    let refused = |error| refusal("MOVE", ObjectType::LocalQueue, name.as_str(), error, found.need);
    match found.object {
        None => Err(refused(ChangeError::NotFound)),
        Some(object) if object.queue().is_some() => Ok(object),
        Some(object) => Err(refused(ChangeError::OtherType { name: *name, found: object.object_type() })),
    }
}

/// CLEAR QLOCAL.
pub(super) fn clear(engine: &Engine, author: &Principal, clear: &Clear) -> Gated<Response> {
    let name = &clear.name;
    let found = engine.directory.catalogue.find(name);
    let Some(object) = found.object else {
        return change_failed(engine, "CLEAR", ObjectType::LocalQueue, name, ChangeError::NotFound);
    };
    let Some(queue) = object.queue() else {
        let error = ChangeError::OtherType { name: *name, found: object.object_type() };
        return change_failed(engine, "CLEAR", ObjectType::LocalQueue, name, error);
    };
    // Judged for the queue that was found: a later one of its name finds this one without messages.
    let mut judged = found.need;
    if let Err(denied) = engine.may_still(author, commands::queue(*name), Verb::Clear, &mut judged) {
        return engine.refuse_lent(&denied);
    }
    match queue.clear(&engine.queues) {
        Ok(cleared) => {
            let inserts = [name.to_string(), cleared.messages.to_string()];
            answer(cleared.need.max(judged), Message::new(&messages::QUEUE_CLEARED, inserts))
        }
        Err(busy) => {
            let uncommitted = &messages::QUEUE_UNCOMMITTED;
            busy_refusal(engine, "CLEAR", ObjectType::LocalQueue, name, busy, uncommitted)
        }
    }
}

/// RECOVER QLOCAL.
pub(super) fn recover(engine: &Engine, Recover { name }: &Recover) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let found = catalogue.find(name);
    let kind = ObjectType::LocalQueue;
    let refused = |error| refusal("RECOVER", kind, name.as_str(), error, found.need);
    let Some(object) = found.object else { return refused(ChangeError::NotFound) };
    let Some(queue) = object.queue() else {
        return refused(ChangeError::OtherType { name: *name, found: object.object_type() });
    };
    let current = object.current();
    if !may_be_recovered(&current.definition, &catalogue.manager().definition) {
        let of_manager = current.definition.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) == MQIMGRCOV_AS_Q_MGR;
        let whose = if of_manager { "the queue manager" } else { "the queue" };
        let why = format!("IMGRCOVQ of {whose} says NO");
        return failed("RECOVER", kind, name.as_str(), why, found.need);
    }
    let recovered = match mend(engine, queue) {
        Ok(recovered) => recovered,
        Err(why) => return failed("RECOVER", kind, name.as_str(), why, found.need),
    };
    let (read, given_back) = (recovered.read.to_string(), recovered.given_back.to_string());
    if recovered.missing == 0 {
        let inserts = [name.to_string(), read, given_back];
        return answer(recovered.need, Message::new(&messages::QUEUE_RECOVERED, inserts));
    }
    let why = if recovered.reasons.is_empty() {
        "there is no image that has them".to_owned()
    } else {
        recovered.reasons.join("; ")
    };
    let inserts = [name.to_string(), given_back, recovered.missing.to_string(), why];
    answer(recovered.need, Message::new(&messages::QUEUE_NOT_RECOVERED, inserts))
}

/// RESET QSTATS.
pub(super) fn reset_statistics(
    engine: &Engine,
    granted: &Granted<'_>,
    names: &NamePattern,
    part: Option<&Part>,
) -> Gated<Response> {
    let mut reach = Reach::of(&engine.directory.door, granted);
    let mut need = engine.directory.catalogue.absence_need();
    let mut rows: Vec<Row> = Vec::new();
    let (mut bytes, mut last, mut rest) = (0, None, None);
    let page = Page { part: part.cloned(), ..Page::default() };
    for object in matching(engine, names, &page) {
        if part.is_some_and(|part| bytes >= part.room) {
            rest = last;
            break;
        }
        last = Some(object.name().as_str().into());
        let Some(queue) = object.queue().filter(|_| reach.has(commands::queue(*object.name()))) else {
            continue;
        };
        need = need.max(queue.status(&engine.queues).need).max(object.current().need);
        let figures = queue.reset_figures(engine.ground().now());
        let number = |value: u64| Value::Integer(i32::try_from(value).unwrap_or(i32::MAX));
        let value = |row: &Attribute| match row.identifier_number() {
            MQIA_HIGH_Q_DEPTH => count(figures.depth_highest),
            MQIA_MSG_ENQ_COUNT => number(figures.enqueued),
            MQIA_MSG_DEQ_COUNT => number(figures.dequeued),
            MQIA_TIME_SINCE_RESET => number(figures.seconds),
            _ => Value::from(object.name()),
        };
        let shown = StatusType::QueueStatistics.rows().iter();
        let fields = shown.map(|attribute| Field { attribute, value: value(attribute) }).collect();
        let row = Row { heading: &messages::QUEUE_STATISTICS_DETAILS, fields };
        bytes += row.weight();
        rows.push(row);
    }
    let is_nothing = rows.is_empty() && rest.is_none() && !page.has_shown();
    let messages = if is_nothing { vec![no_queue(names, false)] } else { Vec::new() };
    Gated::new(need.max(reach.need()), Response { rows, messages, rest })
}

/// Gives the messages of a queue back that cannot be read, as far as they are found.
fn mend(engine: &Engine, queue: &Arc<Queue>) -> Result<Recovered, String> {
    let (read, hurt) = queue.hurt(engine.ground());
    let mut recovered = Recovered { read, ..Recovered::default() };
    if !hurt.is_empty() {
        let mended = engine.ground().storage.mend(engine, &hurt);
        // Those that moved before something went wrong are whole as well.
        queue.readmit_mended(&engine.queues, &hurt);
        let mended = mended.map_err(|error| error.to_string())?;
        recovered.given_back = mended.messages;
        recovered.missing = mended.missing.len() as u64;
        recovered.reasons = mended.reasons;
    }
    recovered.need = queue.last_change();
    Ok(recovered)
}
