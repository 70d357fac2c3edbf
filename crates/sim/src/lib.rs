//! Deterministic simulation, the rigs, the torture figures.
//!
//! Lives here: [`rig`], which cuts the power of a real file system; [`processes`], which tortures the shipped program itself; [`traces`], which keep what
//! seeds did; [`torture`], which cuts the power of something with queues on a simulated machine and compares
//! what is there afterwards with a model; the [`subjects`] it does that to; [`network`], the queue manager
//! with its agents, clients and links in one thread; several threads at one queue ([`concurrent`]) and the
//! search for an order that explains what they were told ([`linear`]); and the [`figures`] that count how
//! often it was done.
//!
//! Lives elsewhere: the machine that misbehaves (`platform::simulated`); the recorder and the judge of
//! histories (`testing`); the verbs' behaviour as Markdown that runs, and its model (`scenario`).
//!
//! Always: the same seed gives the same run; a run that failed replays from the one command it printed.

pub mod concurrent;
pub mod figures;
pub mod linear;
pub mod network;
pub mod options;
#[cfg(feature = "planted")]
pub mod planted;
pub mod processes;
pub mod rig;
#[cfg(feature = "shuttle")]
pub mod schedules;
pub mod subjects;
pub mod torture;
pub mod traces;
