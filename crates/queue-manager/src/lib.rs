//! The engine: queues, units of work, name resolution, commands, the verbs.
//!
//! Lives here: everything a queue manager decides. Verbs run on the caller's own thread under one small lock per
//! object. The engine never spawns, sleeps, opens a socket or asks the operating system for time; disk, clock and
//! entropy are handed in, and whoever runs it (reactor, application, simulator) is its [`Host`].
//!
//! Lives elsewhere: bytes that last (`storage`), frames (`channel`, `agents`), threads and sockets (the hosts).
//!
//! Always: an operation appends its record before its effect is visible; what leaves is [`Gated`] by the position
//! it depends on; locks are taken in the order queue, unit of work, log, connection output.

mod accounting;
mod administration;
mod begun;
pub mod catalogue;
mod checkpoint;
mod clients;
pub mod command;
pub mod connection;
mod conversation;
mod course;
mod decode;
mod engine;
mod events;
pub mod gate;
mod grouping;
mod hand_over;
pub mod host;
mod housekeeping;
mod images;
mod instrumentation;
mod jobs;
mod keeping;
mod kept_queue;
pub mod manager;
mod memory;
mod message;
mod own_message;
mod passed;
mod places;
#[cfg(feature = "planted")]
mod planted;
mod publishing;
mod queue;
mod reports;
mod resolve;
mod restart;
mod room;
mod streaming;
mod subscriptions;
mod timers;
mod transmission;
mod triggers;
mod turn;
mod unit_of_work;
mod verbs;
mod way;

pub use accounting::{Both, CallCounts};
pub use begun::{Begun, Rest};
pub use connection::{Concluded, Connection, Get, GotMessage, PutDone, Reserve, Series, WaitToken};
pub use course::Course;
pub use decode::decode_any;
pub use gate::{Gated, Outcome};
pub use hand_over::Receipt;
pub use host::{Completions, Event, Host, Job};
pub use instrumentation::{Came, Issuer};
pub use manager::{ConnectRequest, CreateError, QueueManager, Quiesce, Settings, StartError};
pub use message::{GotDescriptor, SharedDescriptor};
pub use queue::status::QueueCounters;
pub use verbs::status::AsyncPuts;
