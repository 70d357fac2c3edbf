//! Rules for the messages on a dead-letter queue, and their handler.
//!
//! Lives here: the table of rules (`rules`), a dead letter and its header (`letter`), the handler that
//! goes through the queue (`handler`), and the letters that it put elsewhere (`recent`). Lives elsewhere: the
//! header's bytes (`formats`), the verbs (`mqi`), the command (`cli`).
//!
//! Always: a letter leaves the dead-letter queue in the unit of work that puts it where it goes.

pub mod handler;
pub mod letter;
mod recent;
pub mod rules;

pub use handler::{Done, Handler, Obstacle, Outcome};
pub use letter::Letter;
pub use rules::{Action, Pattern, Rule, RulesTable};
