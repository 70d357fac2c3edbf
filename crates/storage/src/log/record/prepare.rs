//! The record of a unit of work that is prepared, after its header.
//!
//! ```text
//! offset  bytes
//!      0      1  purpose: 1 batch of a channel, 2 branch of a transaction
//!      1      3  zero
//!      4      4  number of puts and gets
//!      8      8  position of the first record
//!
//! a batch of a channel, the object that keeps the channel's state in the header:
//!     16      8  number
//!     24      4  sequence number of the first message
//!     28      4  sequence number of the last message
//!     32      8  chain
//!
//! a branch of a transaction, object zero:
//!     16      8  time of day
//!     24      4  format of the identifier
//!     28      1  length of its global part, at most 64
//!     29      1  length of its qualifier, at most 64
//!     30      1  length of the user, at most 64
//!     31      1  zero
//!     32      …  global part, qualifier, user
//! ```

use super::output::{Output, set};
use crate::input::Input;
use crate::record::{Branch, ChannelBatch, PreparedFor};
use crate::{Lsn, ObjectId, Record, UnitId};

const OF_CHANNEL: u8 = 1;
const OF_BRANCH: u8 = 2;

const HEAD_BYTES: usize = 16;
const BATCH_BYTES: usize = 24;
const BRANCH_HEAD_BYTES: usize = 16;

pub(super) fn encoded_length(purpose: &PreparedFor<'_>) -> usize {
    HEAD_BYTES
        + match purpose {
            PreparedFor::Channel(_) => BATCH_BYTES,
            PreparedFor::Branch(branch) => {
                BRANCH_HEAD_BYTES + branch.global.len() + branch.qualifier.len() + branch.user.len()
            }
        }
}

/// # Panics
/// When a part of a branch is longer than it may be: the engine refuses such a branch.
pub(super) fn encode(records: u32, first: Lsn, purpose: &PreparedFor<'_>, out: &mut impl Output) {
    let mut head = [0; HEAD_BYTES];
    head[0] = match purpose {
        PreparedFor::Channel(_) => OF_CHANNEL,
        PreparedFor::Branch(_) => OF_BRANCH,
    };
    set(&mut head, 4, records.to_le_bytes());
    set(&mut head, 8, first.0.to_le_bytes());
    out.put(&head);
    match purpose {
        PreparedFor::Channel(batch) => {
            let mut bytes = [0; BATCH_BYTES];
            set(&mut bytes, 0, batch.batch.to_le_bytes());
            set(&mut bytes, 8, batch.first_sequence.to_le_bytes());
            set(&mut bytes, 12, batch.last_sequence.to_le_bytes());
            set(&mut bytes, 16, batch.chain.to_le_bytes());
            out.put(&bytes);
        }
        PreparedFor::Branch(branch) => {
            let Branch { prepared_at, format, global, qualifier, user } = branch;
            let mut bytes = [0; BRANCH_HEAD_BYTES];
            set(&mut bytes, 0, prepared_at.to_le_bytes());
            set(&mut bytes, 8, format.to_le_bytes());
            bytes[12] = length(global, Branch::PART_BYTES_MAX);
            bytes[13] = length(qualifier, Branch::PART_BYTES_MAX);
            bytes[14] = length(user, Branch::USER_BYTES_MAX);
            out.put(&bytes);
            [global, qualifier, user].into_iter().for_each(|part| out.put(part));
        }
    }
}

fn length(part: &[u8], most: usize) -> u8 {
    assert!(part.len() <= most, "a part of a branch has at most {most} bytes");
    part.len() as u8
}

#[deny(clippy::indexing_slicing)]
pub(super) fn decode<'a>(mut input: Input<'a>, unit: UnitId, object: ObjectId) -> Option<Record<'a>> {
    let kind = input.u8()?;
    input.take(3)?;
    let (records, first) = (input.u32()?, input.lsn()?);
    let purpose = match kind {
        OF_CHANNEL => PreparedFor::Channel(ChannelBatch {
            sync_object: object,
            batch: input.u64()?,
            first_sequence: input.u32()?,
            last_sequence: input.u32()?,
            chain: input.u64()?,
        }),
        OF_BRANCH if object == ObjectId(0) => PreparedFor::Branch(decode_branch(&mut input)?),
        _ => return None,
    };
    input.end()?;
    Some(Record::Prepare { unit, records, first, purpose })
}

#[deny(clippy::indexing_slicing)]
fn decode_branch<'a>(input: &mut Input<'a>) -> Option<Branch<'a>> {
    let (prepared_at, format) = (input.i64()?, input.u32()?.cast_signed());
    let (global, qualifier, user, _) = (input.u8()?, input.u8()?, input.u8()?, input.u8()?);
    let mut part = |length: u8, most: usize| match usize::from(length) {
        length if length <= most => input.take(length),
        _ => None,
    };
    let (global, qualifier) =
        (part(global, Branch::PART_BYTES_MAX)?, part(qualifier, Branch::PART_BYTES_MAX)?);
    let user = part(user, Branch::USER_BYTES_MAX)?;
    Some(Branch { prepared_at, format, global, qualifier, user })
}
