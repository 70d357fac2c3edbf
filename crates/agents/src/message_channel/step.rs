//! A step of an end: its surroundings, and what keeps it from going on.

use mqi::Reason;
use objects::ChannelAttributes;
use platform::Monotonic;
use queue_manager::{ChannelRun, Connection, QueueManager};

use super::output::OutgoingFrame;
use crate::gate::Replies;

/// A failure, or a word to the partner after which nothing follows.
#[derive(Debug)]
pub(super) enum StepError {
    /// The next try may work.
    Failed(Reason, String),
    /// A person has to look.
    Halted(Reason, String),
    /// Another queue manager answers than the one with which batches are in doubt: words for a person here,
    /// and those for the partner.
    OtherPartner { text: String, told: String },
    /// The partner contradicts itself or the protocol.
    Violation(channel::message::Violation),
}

impl From<channel::message::Violation> for StepError {
    fn from(violation: channel::message::Violation) -> Self {
        Self::Violation(violation)
    }
}

/// The surroundings of a step.
pub(super) struct StepContext<'a> {
    pub(super) manager: &'a QueueManager,
    pub(super) connection: &'a mut Connection,
    pub(super) attributes: &'a ChannelAttributes,
    pub(super) run: &'a ChannelRun,
    pub(super) replies: &'a mut Replies<OutgoingFrame>,
    pub(super) now: Monotonic,
    /// The time of the last sign of the partner.
    pub(super) heard_at: Monotonic,
}

impl<'a> StepContext<'a> {
    pub(super) fn new(
        manager: &'a QueueManager,
        run: &'a ChannelRun,
        connection: &'a mut Connection,
        replies: &'a mut Replies<OutgoingFrame>,
        heard_at: Option<Monotonic>,
    ) -> Self {
        let now = manager.now();
        let heard_at = heard_at.unwrap_or(now);
        Self { manager, connection, attributes: run.attributes(), run, replies, now, heard_at }
    }
}
