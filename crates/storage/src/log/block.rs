//! The header of one block of the log. A block is what one force writes.
//!
//! ```text
//! offset  bytes
//!      0      4  magic "FBLK"
//!      4      4  crc32c of all other bytes of the header, seeded
//!      8      8  position of the block
//!     16      4  epoch
//!     20      4  number of records
//!     24      8  index: counts blocks since the queue manager was made
//!     32      4  bytes of records after the header
//!     36      4  crc of the previous block's header
//!     40      8  how far the log was durable when this block was submitted
//!     48      8  nonce of the epoch; where a block is restated its position, where an epoch begins zero
//!     56      4  flags: 1 = begins an epoch, 2 = restates an earlier block
//! 60      4  claim: crc32c of the fields from 8 to 60, seeded with the queue manager's identity and the
//! position
//!     64      …  records, one after the other; then zeros to the next page
//! ```
//!
//! The seed is the epoch's nonce and the position. Blocks with a flag must verify before a nonce is known:
//! theirs is the queue manager's identity and the position. Records in a restating block keep their old
//! positions and seed. The crc of what verifies is the same for all blocks of a start, since it covers the
//! claim: what a block has of the one before tells by which start that was written, and the index the rest.
//! The claim verifies without the nonce, and an ordinary header gives the nonce: when the block that began an
//! epoch is lost, whole blocks after it still tell that there was one.

use platform::BLOCK_ALIGNMENT;

use crate::checksum::Seed;
use crate::input::Input;
use crate::log::record::set;

pub(crate) const HEADER_BYTES: usize = 64;
const MAGIC: u32 = u32::from_le_bytes(*b"FBLK");
const FLAG_EPOCH: u32 = 1;
const FLAG_RESTATES: u32 = 2;

/// Whole pages that `length` bytes need.
pub(crate) fn in_pages(length: usize) -> u64 {
    length.next_multiple_of(BLOCK_ALIGNMENT) as u64
}

/// Why a block is not an ordinary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Records of the engine.
    Ordinary,
    /// One epoch record, written alone.
    Epoch,
    /// The records of an earlier block, said again by a restart.
    Restates,
}

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) at: u64,
    pub(crate) epoch: u32,
    pub(crate) records: u32,
    pub(crate) index: u64,
    pub(crate) used: u32,
    pub(crate) previous: u32,
    pub(crate) durable: u64,
    pub(crate) restates: u64,
    /// Of an ordinary block.
    pub(crate) nonce: u64,
    pub(crate) kind: Kind,
}

/// Seeds that verify headers: the identity of the queue manager, and the nonce of the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seeds {
    pub(crate) identity: Seed,
    pub(crate) epoch: Seed,
}

impl Header {
    /// Bytes of the whole block in the log.
    pub(crate) fn length(&self) -> u64 {
        in_pages(HEADER_BYTES + self.used as usize)
    }

    /// Where the next block begins, unless that is in the next extent.
    pub(crate) fn end(&self) -> u64 {
        self.at + self.length()
    }

    fn seed(kind: Kind, seeds: Seeds) -> Seed {
        match kind {
            Kind::Ordinary => seeds.epoch,
            Kind::Epoch | Kind::Restates => seeds.identity,
        }
    }

    /// The bytes of the header, and its checksum.
    pub(crate) fn encode(&self, seeds: Seeds) -> ([u8; HEADER_BYTES], u32) {
        let flags = match self.kind {
            Kind::Ordinary => 0,
            Kind::Epoch => FLAG_EPOCH,
            Kind::Restates => FLAG_RESTATES,
        };
        let mut bytes = [0; HEADER_BYTES];
        set(&mut bytes, 0, MAGIC.to_le_bytes());
        set(&mut bytes, 8, self.at.to_le_bytes());
        set(&mut bytes, 16, self.epoch.to_le_bytes());
        set(&mut bytes, 20, self.records.to_le_bytes());
        set(&mut bytes, 24, self.index.to_le_bytes());
        set(&mut bytes, 32, self.used.to_le_bytes());
        set(&mut bytes, 36, self.previous.to_le_bytes());
        set(&mut bytes, 40, self.durable.to_le_bytes());
        let word = if self.kind == Kind::Ordinary { self.nonce } else { self.restates };
        set(&mut bytes, 48, word.to_le_bytes());
        set(&mut bytes, 56, flags.to_le_bytes());
        let claim = seeds.identity.checksum(self.at, [&bytes[0..4], &bytes[8..60]]);
        set(&mut bytes, 60, claim.to_le_bytes());
        let sum = Self::seed(self.kind, seeds).checksum(self.at, [&bytes[0..4], &bytes[8..]]);
        set(&mut bytes, 4, sum.to_le_bytes());
        (bytes, sum)
    }

    /// Reads the header of the block at `at`, and its checksum; `None` when there is none that verifies.
    #[deny(clippy::indexing_slicing)]
    pub(crate) fn decode(bytes: &[u8], at: u64, seeds: Seeds) -> Option<(Self, u32)> {
        let bytes = bytes.get(..HEADER_BYTES)?;
        let (header, sum, _) = Self::fields(bytes, at)?;
        let expected = Self::seed(header.kind, seeds).checksum(at, [bytes.get(0..4)?, bytes.get(8..)?]);
        (expected == sum).then_some((header, sum))
    }

    /// Reads the header of a block at `at` of any epoch, whose nonce need not be known.
    #[deny(clippy::indexing_slicing)]
    pub(crate) fn claimed(bytes: &[u8], at: u64, identity: Seed) -> Option<Self> {
        let bytes = bytes.get(..HEADER_BYTES)?;
        let (header, _, claim) = Self::fields(bytes, at)?;
        let expected = identity.checksum(at, [bytes.get(0..4)?, bytes.get(8..60)?]);
        (expected == claim).then_some(header)
    }

    /// Reads a header with its own claim of a position: of a file that was used again, or is another than its
    /// name says.
    #[deny(clippy::indexing_slicing)]
    pub(crate) fn claimed_anywhere(bytes: &[u8], identity: Seed) -> Option<Self> {
        let mut input = Input::new(bytes);
        input.take(8)?;
        Self::claimed(bytes, input.u64()?, identity)
    }

    /// The fields, the checksum and the claim, neither of them looked at.
    fn fields(bytes: &[u8], at: u64) -> Option<(Self, u32, u32)> {
        let mut input = Input::new(bytes);
        if input.u32()? != MAGIC {
            return None;
        }
        let sum = input.u32()?;
        if input.u64()? != at {
            return None;
        }
        let (epoch, records, index, used) = (input.u32()?, input.u32()?, input.u64()?, input.u32()?);
        let (previous, durable, word, flags) = (input.u32()?, input.u64()?, input.u64()?, input.u32()?);
        let kind = match flags {
            0 => Kind::Ordinary,
            FLAG_EPOCH => Kind::Epoch,
            FLAG_RESTATES => Kind::Restates,
            _ => return None,
        };
        let (restates, nonce) = if kind == Kind::Ordinary { (0, word) } else { (word, 0) };
        // Both speak of what was before.
        if durable > at || restates > at {
            return None;
        }
        let header = Self { at, epoch, records, index, used, previous, durable, restates, nonce, kind };
        Some((header, sum, input.u32()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::Secret;

    fn seeds() -> Seeds {
        Seeds { identity: Seed::of_queue_manager(&[7; 16], Secret(7)), epoch: Seed::of_nonce(99) }
    }

    fn header(kind: Kind) -> Header {
        Header {
            at: 8192,
            epoch: 3,
            records: 2,
            index: 17,
            used: 500,
            previous: 0xABCD,
            durable: 4096,
            restates: 0,
            nonce: 0,
            kind,
        }
    }

    #[test]
    fn a_header_decodes_to_what_was_encoded_only_where_it_belongs() {
        for kind in [Kind::Ordinary, Kind::Epoch, Kind::Restates] {
            let (bytes, sum) = header(kind).encode(seeds());
            assert_eq!(Header::decode(&bytes, 8192, seeds()), Some((header(kind), sum)));
            assert_eq!(Header::decode(&bytes, 4096, seeds()), None, "at another position");
        }
    }

    #[test]
    fn an_ordinary_block_of_another_nonce_is_dead_and_an_epoch_block_is_not() {
        let later = Seeds { epoch: Seed::of_nonce(100), ..seeds() };
        let (ordinary, _) = header(Kind::Ordinary).encode(seeds());
        assert_eq!(Header::decode(&ordinary, 8192, later), None);
        let (epoch, _) = header(Kind::Epoch).encode(seeds());
        assert!(Header::decode(&epoch, 8192, later).is_some());
        for (identity, secret) in [([8; 16], 7), ([7; 16], 8)] {
            let other = Seeds { identity: Seed::of_queue_manager(&identity, Secret(secret)), ..seeds() };
            assert_eq!(Header::decode(&epoch, 8192, other), None, "of another queue manager, or forged");
            assert_eq!(Header::claimed(&ordinary, 8192, other.identity), None, "the same of a claim");
        }
        assert!(Header::claimed(&ordinary, 8192, seeds().identity).is_some());
    }

    #[test]
    fn no_flipped_bit_goes_unnoticed() {
        let (bytes, _) = header(Kind::Ordinary).encode(seeds());
        for bit in 0..HEADER_BYTES * 8 {
            let mut damaged = bytes;
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Header::decode(&damaged, 8192, seeds()), None, "bit {bit}");
        }
    }
}
