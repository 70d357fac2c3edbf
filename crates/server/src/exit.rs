//! The end of a process that is a queue manager's own, by its own decision, and its exit codes.

use std::path::PathBuf;

use crate::errors;

/// The exit code of a process that ended by its own decision.
pub const FAILED: i32 = 70;

/// The exit code of a process that was told twice to end.
pub const CUT_OFF: i32 = 130;

/// Ends the process: going on could harm messages. What was acknowledged is in the log.
pub(crate) fn end_by_own_decision(what: &str, record: impl FnOnce() -> Option<PathBuf>) -> ! {
    match record() {
        Some(path) => errors::say(format!("{what}\nfirst-failure record: {}", path.display())),
        None => errors::say(what),
    }
    std::process::exit(FAILED);
}
