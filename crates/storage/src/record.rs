//! What the log says: one [`Record`] for each thing that must outlive the process.
//!
//! A single operation outside syncpoint is one record without a unit: it commits itself. Within a unit, effects
//! stand when its `Commit` is in the log. Large bodies go ahead as fragments (see [`crate::Storage::append_body`])
//! and the put names them.

use crate::{Lsn, ObjectId, Sequence, UnitId};

/// What restart and the indexes must know of a message without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageHead {
    /// The queue it is on.
    pub queue: ObjectId,
    /// Its place of arrival there.
    pub sequence: Sequence,
    /// 0 (lowest) to 9.
    pub priority: u8,
    /// When it expires, in microseconds of the time of day; `i64::MAX` for never.
    pub expires_at: i64,
    /// Message identifier.
    pub message_id: [u8; 24],
    /// Correlation identifier.
    pub correlation_id: [u8; 24],
    /// Group identifier.
    pub group_id: [u8; 24],
}

/// Where a put record finds the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// Within the record.
    Inline(&'a [u8]),
    /// In fragments appended before, in order.
    Fragments(&'a [Lsn]),
}

/// A commit as its client knows it, so that a repeated one can be answered as the first was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientCommit {
    /// The client instance.
    pub instance: [u8; 16],
    /// Counted by that instance.
    pub number: u64,
}

/// One entry of the recovery log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// A persistent message was put.
    Put {
        /// The unit it belongs to, if any.
        unit: Option<UnitId>,
        /// What restart must know.
        head: MessageHead,
        /// The descriptor as the engine encodes it.
        descriptor: &'a [u8],
        /// The body.
        body: Body<'a>,
    },
    /// A persistent message was got.
    Get {
        /// The unit it belongs to, if any.
        unit: Option<UnitId>,
        /// The queue.
        queue: ObjectId,
        /// The message.
        sequence: Sequence,
    },
    /// Messages left a queue without being got: expired, cleared, purged.
    Remove {
        /// The queue.
        queue: ObjectId,
        /// The messages.
        sequences: &'a [Sequence],
    },
    /// A unit of work stands.
    Commit {
        /// The unit.
        unit: UnitId,
        /// How many records it has.
        records: u32,
        /// The position of its first record.
        first: Lsn,
        /// The commit as the client counts it, if it does.
        client: Option<ClientCommit>,
    },
    /// A unit of work was backed out.
    Backout {
        /// The unit.
        unit: UnitId,
        /// The messages it had got, each with its backout count from now on.
        returned: &'a [(ObjectId, Sequence, u32)],
    },
    /// An object was defined or altered; the definition as the engine encodes it.
    Define {
        /// The object.
        object: ObjectId,
        /// Its definition.
        definition: &'a [u8],
    },
    /// An object was deleted, with the messages on it.
    Delete {
        /// The object.
        object: ObjectId,
    },
}
