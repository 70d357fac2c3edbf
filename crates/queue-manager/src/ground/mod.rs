//! The ground of the engine: what its parts stand on, and what names none of them.
//!
//! Lives here: settings, time, timers, jobs, the account of memory, and the doors to the host.
//! Lives elsewhere: the parts (`queue`, `message`, `unit_of_work`, `verbs`, `command`).

pub(crate) mod decision;
pub(crate) mod events;
pub(crate) mod explanation;
pub(crate) mod host;
pub(crate) mod jobs;
pub(crate) mod login;
pub(crate) mod memory;
pub(crate) mod request;
pub(crate) mod settings;
pub(crate) mod time;
pub(crate) mod timers;
pub(crate) mod turn;
