//! The subjects of the torture.
//!
//! Lives here: [`Engine`], the queue manager through its verbs; [`Log`], the storage alone under the smallest
//! manager of queues; [`Toy`], a queue manager of a few lines over a journal, right unless told to be wrong
//! in one of the ways of [`Flaw`]: it shows that the torture finds what it must find.

mod engine;
mod log;
mod toy;

pub use engine::Engine;
pub(crate) use engine::Listener;
pub use log::Log;
pub use toy::{Flaw, Toy};
