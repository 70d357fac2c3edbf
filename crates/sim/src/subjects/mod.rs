//! What is tortured.
//!
//! Lives here: [`Log`], the storage alone under the smallest manager of queues; [`Toy`], a queue manager of a few lines over a journal, right unless told to be wrong in one of the ways of
//! [`Flaw`]: it shows that the torture finds what it must find.

mod log;
mod toy;

pub use log::Log;
pub use toy::{Flaw, Toy};
