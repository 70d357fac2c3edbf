//! Deterministic simulation: the engine on a machine that fails as a seed says, and the torture figures.
//!
//! Lives here: [`torture`], which cuts the power of something with queues on a simulated machine and compares
//! what is there afterwards with a model; the [`subjects`] it does that to; [`network`], the queue manager
//! with its agents, clients and links in one thread; several threads at one queue ([`concurrent`]) and the
//! search for an order that explains what they were told ([`linear`]); two queue managers under one
//! transaction manager ([`coordinated`]); the [`figures`] that count how often
//! it was done, and the [`traces`] of seeds; with their features, `planted` faults of the engine and
//! `schedules` of its threads.
//!
//! Lives elsewhere: the machine that misbehaves (`platform::simulated`); the recorder and the judges of
//! histories (`testing`); scenarios and their model (`scenario`); tortures of the program itself (`rigs`).
//!
//! Always: the same seed gives the same run; a run that failed replays from the one command it printed.

pub mod concurrent;
pub mod coordinated;
pub mod figures;
pub mod linear;
pub mod network;
pub mod options;
#[cfg(feature = "planted")]
pub mod planted;
#[cfg(feature = "shuttle")]
pub mod schedules;
pub mod subjects;
pub mod torture;
pub mod traces;
