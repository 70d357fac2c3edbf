//! The state of a connection as its server has it: headers, login, sessions, links, windows and credit.
//!
//! Lives here: the course of a connection (`connection`) and what arrives ([`Event`]). `session` counts
//! transfers and deliveries, `link` counts credit, `output` appends frames. Lives elsewhere: what a terminus
//! or a message is, and the decision that a delivery is settled (`agents`).
//!
//! A client numbers its channels and handles, and is answered by the same numbers.
//!
//! Always: an event is only told of frames that the protocol allows where they came; a body is never copied
//! here. Of a session or link that ended by a fault nothing is told until its peer ends it, too.

mod connection;
mod link;
mod output;
mod session;

#[cfg(test)]
mod tests;

pub use connection::{Connection, Event, Limits, Stage, Step};
pub use link::{CREDIT_MAX, Link, Part, Receiving, Role, Sending, TAG_BYTES_MAX};
pub use output::TransferHead;
pub use session::{INCOMING_WINDOW, Session};
