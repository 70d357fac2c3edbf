//! Deterministic simulation, the recorder and checker, the model, the torture figures.
//!
//! Lives here: [`history`], which records what clients were told and judges whether it can be true.
//!
//! Lives elsewhere: the machine that misbehaves (`platform::simulated`).
//!
//! Always: the same seed gives the same run; a run that failed replays from the one command it printed.

pub mod history;
