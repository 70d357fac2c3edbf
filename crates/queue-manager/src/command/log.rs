//! The recovery log: the steps that RESET QMGR has it take, and what DISPLAY QMSTATUS and QSTATUS tell of it.
//!
//! Lives here: the steps, and each figure as the value of an attribute. Lives elsewhere: the figures
//! (`storage::log_state`, `storage::images`).
//!
//! Always: what needs the disk is read only where it is shown, and once for an answer.

use std::cell::OnceCell;

use mqi::constants::{MQLOGTYPE_CIRCULAR, MQLOGTYPE_LINEAR};
use objects::mqsc::LogStep;
use objects::{Message, Response, Value, messages};
use queues::gate::Gated;
use storage::{LogKind, LogState, Lsn};

use super::answer::answer;
use super::live::NotAdvanced;
use crate::engine::Engine;

/// RESET QMGR, a step of the log.
pub(super) fn step(engine: &Engine, step: LogStep) -> Gated<Response> {
    let need = engine.directory.catalogue.manager().need;
    match step {
        LogStep::Advance => advance(engine),
        LogStep::Reduce => {
            let why = "the recovery log gives extents back by itself when a checkpoint leaves more than it is to have";
            not_available(need, why)
        }
        LogStep::Archived => {
            let why = "no extent of the recovery log waits to be archived; ferry log prune removes those that no \
                       image needs";
            not_available(need, why)
        }
    }
}

fn not_available(need: Lsn, why: &str) -> Gated<Response> {
    answer(need, Message::new(&messages::NOT_AVAILABLE, ["RESET QMGR", why]))
}

/// The queue manager's definition is said again in the new extent: once that is durable nothing is written to
/// the one before, not by a restart either.
fn advance(engine: &Engine) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let (name, need) = {
        let manager = catalogue.manager();
        (manager.definition.name().to_string(), manager.need)
    };
    let begins = match engine.advance_log() {
        Ok(begins) => begins,
        Err(NotAdvanced::Circular) => {
            let inserts = ["RESET QMGR TYPE(ADVANCELOG)".to_owned(), name];
            return answer(need, Message::new(&messages::LOG_IS_CIRCULAR, inserts));
        }
        Err(NotAdvanced::OutOfSpace(why)) => {
            return answer(need, Message::new(&messages::LOG_NOT_ADVANCED, [why]));
        }
    };
    match catalogue.alter_manager(|_| Ok(())) {
        Ok(said) => answer(said, Message::new(&messages::LOG_ADVANCED, [LogState::extent_name(begins)])),
        Err(error) => answer(need, Message::new(&messages::LOG_NOT_ADVANCED, [error.to_string()])),
    }
}

/// The recovery log as one answer tells of it.
pub(super) struct LogStatus<'a> {
    engine: &'a Engine,
    state: OnceCell<LogState>,
    media_from: OnceCell<Option<Lsn>>,
}

impl<'a> LogStatus<'a> {
    pub(super) fn of(engine: &'a Engine) -> Self {
        Self { engine, state: OnceCell::new(), media_from: OnceCell::new() }
    }

    fn state(&self) -> &LogState {
        self.state.get_or_init(|| self.engine.ground().storage.log_state())
    }

    fn media_from(&self) -> Option<Lsn> {
        *self.media_from.get_or_init(|| self.engine.media_log_from())
    }

    /// MEDIALOG.
    pub(super) fn media_extent(&self) -> Value {
        extent(self.media_from())
    }

    /// The value of an attribute that is about the log; none for others.
    pub(super) fn value(&self, keyword: &str) -> Option<Value> {
        let state = self.state();
        let of_linear = |from: Lsn| extent(Some(from).filter(|_| state.kind == LogKind::Linear));
        let of_primary = |bytes: u64| {
            let primary = u64::from(state.primary_extents) * state.extent_bytes;
            number((bytes * 100).div_ceil(primary))
        };
        Some(match keyword {
            "ARCHLOG" => Value::from(""),
            "ARCHSZ" => Value::Integer(0),
            "CURRLOG" => of_linear(state.current),
            "LOGEXTSZ" => number(state.extent_bytes >> 10),
            "LOGINUSE" => of_primary(state.restart_bytes()),
            "LOGPATH" => {
                let path = state.directory.as_ref().map(|path| path.to_string_lossy().into_owned());
                Value::from(path.unwrap_or_default().as_str())
            }
            "LOGPRIM" => number(state.primary_extents.into()),
            "LOGSEC" => number(state.secondary_extents.into()),
            "LOGTYPE" => Value::Integer(match state.kind {
                LogKind::Circular => MQLOGTYPE_CIRCULAR,
                LogKind::Linear => MQLOGTYPE_LINEAR,
            }),
            "LOGUTIL" => of_primary(state.restart_bytes_mean),
            "MEDIALOG" => self.media_extent(),
            "MEDIASZ" => megabytes(self.media_from().map_or(0, |from| state.end.0.saturating_sub(from.0))),
            "RECLOG" => of_linear(state.restart_from),
            "RECSZ" => megabytes(state.restart_bytes()),
            "REUSESZ" => megabytes(state.ready_bytes),
            _ => return None,
        })
    }
}

fn extent(first: Option<Lsn>) -> Value {
    Value::from(first.map(LogState::extent_name).unwrap_or_default().as_str())
}

/// Begun ones are counted.
fn megabytes(bytes: u64) -> Value {
    number(bytes.div_ceil(1 << 20))
}

fn number(value: u64) -> Value {
    Value::Integer(i32::try_from(value).unwrap_or(i32::MAX))
}
