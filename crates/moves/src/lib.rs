//! Moves and copies of messages between queues, over any connection.
//!
//! Lives here: the plan of a move (`Plan`) and its execution in units of work (`run`).
//! Lives elsewhere: the verbs (`mqi`), the command (`cli`), moves that rules ask for (`dead-letters`).
//!
//! Always: a message leaves its queue in the unit of work that puts it on the other one, so that each is at
//! one place; descriptor, properties and context stay as they are.

mod moving;

pub use moving::{BATCH_MAX, Go, MESSAGE_BYTES_MAX, Moved, MovesError, Plan, run};
