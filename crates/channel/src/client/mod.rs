//! The frames between a client and a queue manager once the login is done.
//!
//! Lives here: the requests and replies and their bytes. Lives elsewhere: what they do (`agents`).
//!
//! Always: decode of encode is the same again; a request that is well framed and badly filled fails alone.

mod administration;
mod branch;
mod decode;
mod delta_reader;
mod delta_writer;
mod described;
mod encode;
mod reply;
mod request;
#[cfg(test)]
mod tests;

pub use administration::{CommandMessage, CommandResponse, Counter, ObjectStatistics, Statistics, StopMode};
pub use branch::BranchCall;
pub use decode::{begins_anew, decode_any, delivered_to, with_properties};
pub use delta_reader::DeltaReader;
pub use delta_writer::DeltaWriter;
pub use described::Described;
pub(crate) use encode::body;
pub use encode::{command, credit, delivered, fragment, get, get_with, got, long_reply, put, put_done};
pub use mqi::PutStatus;
pub use reply::{ForHandle, Message, Reply};
pub use request::{Credit, Get, Put, Request, Target};
