//! What DISPLAY QMSTATUS and DISPLAY QSTATUS tell of the recovery log.
//!
//! Lives here: each figure as the value of an attribute. Lives elsewhere: the figures (`storage::log_state`, `storage::images`).
//!
//! Always: what needs the disk is read only where it is shown, and once for an answer.

use std::cell::OnceCell;

use mqi::constants::{MQLOGTYPE_CIRCULAR, MQLOGTYPE_LINEAR};
use objects::Value;
use storage::{LogKind, LogState, Lsn};

use crate::engine::Engine;

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
        self.state.get_or_init(|| self.engine.storage.log_state())
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
