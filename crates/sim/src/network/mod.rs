//! A queue manager, its agents and its clients, with the links between them, in one thread from one seed.
//!
//! ```text
//! Program ──frames──▶ Link ──bytes──▶ ClientConnection ──verbs──▶ QueueManager ──▶ simulated disk
//!         ◀─────────      ◀────────  (release, gated)
//! ```
//!
//! A scheduler draws who does something next: a program makes a call, some bytes of a link arrive, an agent reads or releases,
//! the log is driven, a job is run (perhaps late), time passes. Links are cut at any byte, and what was on its way may
//! still arrive after the program is back under its old instance; the power fails and any part of what was being written survives.
//!
//! Two phases. First *safety*, under faults: every program notes what it asked and was told. Then everything is *healed*:
//! no faults any more, and within a bound every program must end its work and the queues be emptied. The whole history goes
//! to the checker.
//!
//! Queue managers with message channels between them are in `channels`.
//!
//! Beside that, many programs that read one queue ahead of need while others put there, without faults
//! (`ahead`).
//!
//! Clients of AMQP are such programs as well (`amqp`), beside those of client channels or alone.
//!
//! Lives here: links (`link`), a program as the scheduler sees it (`party`), programs that speak frames (`program`), the machine with the queue manager (`server`), what
//! the seed draws (`plan`) and the scheduler ([`simulate`]).
//! Lives elsewhere: the judge ([`testing::history`]), counting seeds ([`crate::figures`]).
//!
//! Always: the same seed gives the same trace.

mod ahead;
mod amqp;
mod channels;
mod link;
mod party;
mod plan;
mod program;
mod run;
mod server;
#[cfg(test)]
mod tests;
mod wake;

pub use ahead::{Reading, simulate_readers};
pub use channels::{Relay, simulate_channels, simulate_restore};
pub use run::{Course, simulate, simulate_amqp};
