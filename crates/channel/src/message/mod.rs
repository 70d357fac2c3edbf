//! Message channels between queue managers: once and once only.
//!
//! Lives here: the frames of both ends ([`frame`]), their numbers ([`numbers`]), the terms that they agree on
//! ([`negotiate`]), when a batch ends ([`batch`]), the one decision after a break ([`in_doubt`]), and both
//! machines ([`Sending`], [`Receiving`]): events in, actions out.
//!
//! Lives elsewhere: the verbs that carry the actions out (`agents`), what is durable of them
//! (`queue-manager`).
//!
//! Always: the receiver's last batch and chain decide on messages in doubt; the numbers of a line only grow;
//! input from the other end is judged before it has any effect. `models` explores every order of both
//! machines, their logs and the link between them, by these very functions.

pub mod batch;
pub mod frame;
pub mod in_doubt;
pub mod negotiate;
pub mod numbers;
mod receiving;
mod sending;
mod violation;

#[cfg(test)]
mod models;
#[cfg(test)]
mod tests;

pub use batch::{Facts, Filling};
pub use frame::{
    BatchDone, BatchRefused, EndOfBatch, Ending, Generation, How, Introduction, MessageHead, Position,
    Resume, Role, Waiting, opens_channel,
};
pub use in_doubt::{Contradiction, Finding, LineEnd, Resolved, SenderState, Verdict};
pub use negotiate::{Disagreement, Offer, Terms};
pub use numbers::{BatchNumber, Chain, Line, Mark, Sequence};
pub use receiving::{ReceiverState, Receiving, Resumed};
pub use sending::{Prepare, Sending};
pub use violation::Violation;
