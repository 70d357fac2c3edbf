//! Foreign systems, a queue manager, and processes between them, as models: a world that a seed drives.
//!
//! A case is a system, a direction and a seed. An application puts messages at one side while links are cut,
//! processes are killed, stopped and woken, a second process takes the pipe, and both sides crash. Calls of a
//! cut link may yet arrive, as those of a process that was stopped between two instructions. Then everything
//! is mended, the pipe runs until nothing is left, and the verdict counts messages: lost, doubled, or twice
//! dead letters.
//!
//! Lives here: the models and the verdict. Lives elsewhere: the machines, which run unchanged; faults are
//! planted in the steps between them ([`Planted`]), and each has to be found.
//!
//! Always: the same case gives the same course.

mod case;
mod dice;
mod inward;
mod kafka;
mod links;
mod outward;
mod queue_manager;
#[cfg(test)]
mod tests;
mod world;

pub use case::{Case, Direction, Planted, Verdict, is_exactly_once, pairs};
pub use world::{course, simulate};
