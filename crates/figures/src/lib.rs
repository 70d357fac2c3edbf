//! Figures of a queue manager: classes, types and elements, one row each.
//!
//! Lives here: the rows, with name, unit, kind and the value that two readings give; the readings, as plain
//! numbers; the published elements that have no row, each with the reason; the reference page made of both.
//! Lives elsewhere: taking a reading and publishing the rows below `$SYS/MQ` (`server`), counting
//! (`queue-manager`).
//!
//! Always: a row knows no queue, clock, file or protocol, so any printer can print it.

mod left_out;
pub mod metrics;
mod readings;
mod reference;
mod row;
mod rows;
#[cfg(test)]
mod tests;

pub use left_out::{LEFT_OUT, LeftOut};
pub use readings::{
    Average, Both, Calls, Channel, FORCE_BOUNDS, Log, Manager, Process, Processor, Queue, Room, Subscription,
    SubscriptionMarks, Topic, Traffic, Units,
};
pub use reference::reference;
pub use row::{Class, Counting, Element, Elements, Source, Type, Unit};
pub use rows::CLASSES;
