//! Contradictions of the other end to the protocol or to the own books.

use super::numbers::{BatchNumber, Chain, Line, Sequence};

/// A word or a number of the other end that contradicts the protocol or the own books. The channel ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A message that is not the next.
    #[error(
        "a message has sequence number {told}, and {expected} comes next: end the channel and start it again"
    )]
    Sequence {
        /// The next one by the own books.
        expected: Sequence,
        /// The one that was told.
        told: Sequence,
    },
    /// A batch that is not the next.
    #[error("batch {told} was named, and {expected} comes next: end the channel and start it again")]
    Batch {
        /// The next one by the own books.
        expected: BatchNumber,
        /// The one that was told.
        told: BatchNumber,
    },
    /// A batch of another length than it says.
    #[error(
        "a batch says that it has {told} messages, and {counted} arrived: end the channel and start it again"
    )]
    Count {
        /// The messages that arrived.
        counted: u32,
        /// The messages that were told.
        told: u32,
    },
    /// A batch of other messages than it says.
    #[error(
        "batch {batch} has chain {told}, and the messages that arrived make {folded}: start the channel again"
    )]
    Chain {
        /// The batch.
        batch: BatchNumber,
        /// The chain of the messages that arrived.
        folded: Chain,
        /// The chain that was told.
        told: Chain,
    },
    /// A line that is not the one of this channel.
    #[error("line {told} was named, and this end keeps {kept}: one of both ends was restored from a backup")]
    Line {
        /// The line that is kept, 0 for none.
        kept: Line,
        /// The line that was told.
        told: Line,
    },
    /// More messages in a batch than were agreed.
    #[error("a batch has more than the {most} messages that were agreed")]
    TooMany {
        /// The most that were agreed.
        most: u32,
    },
    /// A frame that has no place at this point.
    #[error("{0}")]
    OutOfPlace(&'static str),
}
