//! The requests and answers of clients, and the check that a queue manager with its promises can have given
//! them.
//!
//! Lives here: [`Event`] (one line of a history), [`Recorder`] (takes them down, to memory or as JSON lines
//! that several processes write and one reads), [`body`] (message bodies that carry their own identity) and
//! [`check`], the judge of promises P1 to P3 and P5.
//!
//! Lives elsewhere: who makes the calls. Simulation, real processes and the performance harness all write the
//! same events.
//!
//! Always: the checker needs no model of timing. A call whose outcome its caller never learned may have
//! happened or not; everything else is certain, and what is certain must hold.

pub mod body;
pub mod checker;
mod event;
mod recorder;

pub use checker::{Class, Fault, Verdict, check};
pub use event::{Action, Event, Happening, MessageIdentity, Outcome};
pub use recorder::{HistoryError, Recorder, RunningCall, read_lines};
