//! Deterministic simulation, the recorder and checker, the model, the torture figures.
//!
//! Lives here: [`history`], which records what clients were told and judges whether it can be true; [`scenario`], the
//! verbs' behaviour as Markdown that runs; [`rig`], which cuts the power of a real file system.
//!
//! Lives elsewhere: the machine that misbehaves (`platform::simulated`).
//!
//! Always: the same seed gives the same run; a run that failed replays from the one command it printed.

pub mod history;
pub mod rig;
pub mod scenario;
