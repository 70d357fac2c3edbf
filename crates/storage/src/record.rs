//! The content of the log: one [`Record`] for each thing that must outlive the process.
//!
//! A single operation outside syncpoint is one record without a unit: it commits itself. Within a unit,
//! effects stand when its `Commit` is in the log. Large bodies go ahead as fragments (see
//! [`crate::Storage::append_body`]) and the put names them.

use crate::copies::Copies;
use crate::input::Input;
use crate::log::record::{encoded_length, put_length};
use crate::space::cost;
use crate::{Lsn, ObjectId, Sequence, UnitId};

/// A body longer than this goes ahead in fragments; a put record carries at most this inline.
pub const INLINE_BODY_BYTES_MAX: usize = 64 << 10;

/// Bytes of the body that one fragment takes: with its headers exactly 64 KiB.
pub const FRAGMENT_BYTES: usize = (64 << 10) - 96;

/// Most log space of a record without content of variable length: a get, a commit, a delete.
pub const RESERVED_SMALL: u64 = 4096;

/// Most messages that one backout record names; more are named by several.
pub const RETURNED_MAX: usize = 2000;

/// Log space to reserve for the record that ends a unit of work: once when it begins, and with each message
/// it gets. So a commit, or the records of a backout ([`RETURNED_MAX`] messages each), always have room: a
/// message takes 20 bytes, and its share of the pages of a full record two more.
pub const RESERVED_END: u64 = 4096 + 96;
/// See [`RESERVED_END`].
pub const RESERVED_END_EACH: u64 = 24;

/// Most log space of a put with its body, inline or in fragments; reserve it before any lock.
#[must_use]
pub fn reserved_for_put(descriptor_length: usize, body_length: usize) -> u64 {
    if body_length <= INLINE_BODY_BYTES_MAX {
        return cost(put_length(descriptor_length, body_length));
    }
    let fragments = body_length.div_ceil(FRAGMENT_BYTES);
    fragments as u64 * (64 << 10) + cost(put_length(descriptor_length, fragments * 8))
}

/// Facts of a message that restart and the indexes must know without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageHead {
    /// The queue it is on.
    pub queue: ObjectId,
    /// Its place of arrival there.
    pub sequence: Sequence,
    /// 0 (lowest) to 9.
    pub priority: u8,
    /// Flags of the reports that the message asks for, known before it is read; the engine gives the bits
    /// their meaning.
    pub reports: u8,
    /// When it expires, in microseconds of the time of day; `i64::MAX` for never.
    pub expires_at: i64,
    /// Message identifier.
    pub message_id: [u8; 24],
    /// Correlation identifier.
    pub correlation_id: [u8; 24],
    /// Group identifier.
    pub group_id: [u8; 24],
    /// Its place in that group.
    pub group: GroupHead,
    /// When it may be delivered at the earliest, in microseconds of the time of day; 0 for at once.
    pub deliver_at: i64,
}

/// The place of a message in its group and its logical message; all zero when it belongs to none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupHead {
    /// Flags of the message in its group; the engine gives the bits their meaning. With no bit set, the rest
    /// means nothing and is not kept.
    pub flags: u8,
    /// Number of the logical message in its group.
    pub sequence_number: i32,
    /// Where in the logical message it begins.
    pub offset: i32,
    /// Bytes of the logical message that this one covers.
    pub length: i32,
    /// Feedback of a report, which tells it from the message it is about and from other reports; else zero.
    pub feedback: i32,
}

impl GroupHead {
    /// Bytes in the log or a segment besides its flags.
    pub(crate) const BYTES: usize = 16;

    /// All but the flags.
    pub(crate) fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (place, number) in
            bytes.chunks_exact_mut(4).zip([self.sequence_number, self.offset, self.length, self.feedback])
        {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// Reads all but the flags, which came before.
    pub(crate) fn decode(flags: u8, input: &mut Input<'_>) -> Option<Self> {
        let mut number = || input.u32().map(u32::cast_signed);
        Some(Self {
            flags,
            sequence_number: number()?,
            offset: number()?,
            length: number()?,
            feedback: number()?,
        })
    }
}

/// Where a put record finds the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// Within the record.
    Inline(&'a [u8]),
    /// In fragments appended before, in order.
    Fragments {
        /// Positions that [`crate::Storage::append_body`] returned.
        at: &'a [Lsn],
        /// Bytes of the whole body.
        length: u64,
    },
}

/// A commit as its client knows it, so that a repeated one can be answered as the first was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientCommit {
    /// The client instance.
    pub instance: [u8; 16],
    /// Counted by that instance.
    pub number: u64,
}

/// The end of a batch as the channel counts it that received it, or sent it and was told that it arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelCommit {
    /// The object that keeps the state of the channel.
    pub sync_object: ObjectId,
    /// The fold of all its batches so far.
    pub chain: u64,
    /// The number of the batch.
    pub batch: u64,
    /// The sequence number of its last message.
    pub sequence: u32,
}

/// The party that counts a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counterpart {
    /// A client instance.
    Client(ClientCommit),
    /// A message channel.
    Channel(ChannelCommit),
}

/// A batch of a message channel that is in doubt until the other side confirms it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelBatch {
    /// The object that keeps the state of the channel.
    pub sync_object: ObjectId,
    /// The number of the batch.
    pub batch: u64,
    /// The sequence number of its first message.
    pub first_sequence: u32,
    /// The sequence number of its last message.
    pub last_sequence: u32,
    /// The fold of all batches up to and with this one.
    pub chain: u64,
}

/// A branch of a transaction that an outside coordinator decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch<'a> {
    /// When it was prepared, in microseconds of the time of day.
    pub prepared_at: i64,
    /// The format of the identifier.
    pub format: i32,
    /// The part that all branches of the transaction share; at most [`Branch::PART_BYTES_MAX`] bytes.
    pub global: &'a [u8],
    /// The part of this branch; at most [`Branch::PART_BYTES_MAX`] bytes.
    pub qualifier: &'a [u8],
    /// The user that prepared it; at most [`Branch::USER_BYTES_MAX`] bytes.
    pub user: &'a [u8],
}

impl Branch<'_> {
    /// Most bytes of a part of the identifier.
    pub const PART_BYTES_MAX: usize = 64;
    /// Most bytes of the user's name.
    pub const USER_BYTES_MAX: usize = 64;
}

/// The purpose for which a unit of work was prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreparedFor<'a> {
    /// A batch of a message channel.
    Channel(ChannelBatch),
    /// A branch of a transaction.
    Branch(Branch<'a>),
}

/// One entry of the recovery log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// A persistent message was put.
    Put {
        /// The unit it belongs to, if any.
        unit: Option<UnitId>,
        /// The head that restart needs.
        head: MessageHead,
        /// The descriptor as the engine encodes it.
        descriptor: &'a [u8],
        /// The body.
        body: Body<'a>,
    },
    /// Persistent messages were put together.
    PutMany {
        /// The unit they belong to, if any.
        unit: Option<UnitId>,
        /// The messages, and what they have in common.
        copies: Copies<'a>,
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
        /// Number of puts and gets of the unit.
        records: u32,
        /// The position of its first record.
        first: Lsn,
        /// The party that counts it, if one does, and its count.
        counterpart: Option<Counterpart>,
    },
    /// A unit of work is prepared: only a decision ends it, neither the end of its connection nor a restart.
    Prepare {
        /// The unit.
        unit: UnitId,
        /// The number of puts and gets that its records say.
        records: u32,
        /// The position of its first record.
        first: Lsn,
        /// The purpose.
        purpose: PreparedFor<'a>,
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

impl Record<'_> {
    /// Log space to reserve for this record: enough for the case that it is forced alone.
    #[must_use]
    pub fn reserved_bytes(&self) -> u64 {
        cost(encoded_length(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_unit_sets_aside_covers_the_records_that_back_it_out() {
        for count in (0..200).chain((200..3 * RETURNED_MAX).step_by(37)).chain([RETURNED_MAX, 10_000]) {
            let returned = vec![(ObjectId(1), Sequence(1), 1); count];
            let unit = UnitId { epoch: 1, counter: 1 };
            let one = |returned| Record::Backout { unit, returned }.reserved_bytes();
            let needed: u64 =
                if count == 0 { one(&[]) } else { returned.chunks(RETURNED_MAX).map(one).sum() };
            let aside = RESERVED_END + RESERVED_END_EACH * count as u64;
            assert!(needed <= aside, "{count} messages: {needed} of {aside}");
        }
    }
}
