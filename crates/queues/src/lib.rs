//! The floor of the engine: queues, units of work, and the time, log, memory and proofs that they stand on.
//!
//! Lives here: a queue and its messages (`queue`, `message`, `grouping`), what stands or falls together
//! (`unit_of_work`), room in the log (`room`), messages that pass the log by (`hand_over`), the gate in front
//! of every answer (`gate`), and their ground (`ground`). [`Queues`] has them together.
//!
//! Lives elsewhere: names, definitions, rights, programs, commands and the verbs (`queue-manager`), bytes
//! that last (`storage`).
//!
//! Always: nothing here names a program or a name that a program uses. The rest of the queue manager is
//! called only through [`Services`](queue::services::Services). `queue-manager` is the only crate that
//! depends on this one; hosts and agents get what it hands on.

pub mod by_token;
pub mod clients;
pub mod counters;
pub mod gate;
pub mod ground;
pub mod grouping;
pub mod hand_over;
pub mod message;
pub mod object;
#[cfg(feature = "planted")]
pub mod planted;
pub mod queue;
mod queues;
pub mod room;
pub mod state_objects;
pub mod unit_of_work;

pub use gate::{Gated, Outcome};
pub use queues::{Queues, StartFindings};
