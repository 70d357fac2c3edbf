//! Moves and copies of messages between queues, and the handling of dead letters, over any connection.
//!
//! Lives here: the plan of a move (`Plan`) and its execution in units of work (`run`); the rules for
//! messages on a dead-letter queue and their handler ([`dead_letters`]).
//! Lives elsewhere: the verbs (`mqi`), the commands (`cli`).
//!
//! Always: a message leaves its queue in the unit of work that puts it on the other one, so that each is at
//! one place; descriptor, properties and context stay as they are.

pub mod dead_letters;
mod moving;

pub use moving::{BATCH_MAX, Go, MESSAGE_BYTES_MAX, Moved, MovesError, Plan, run};
