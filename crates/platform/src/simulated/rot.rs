//! Damage that comes without a crash: bits that flip, blocks that go elsewhere, files from yesterday.

use super::SECTOR_BYTES;
use super::content::Content;
use super::inode::Inode;

/// One kind of damage to a file at rest. Blocks are counted in units of 4096 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rot {
    /// One bit, counted from the start of the file.
    FlipBit(u64),
    /// A block reads as zeros.
    ZeroBlock(u64),
    /// Two blocks have changed places.
    SwapBlocks(u64, u64),
    /// The first block's bytes went over the second; the first kept what it held.
    Misdirect(u64, u64),
    /// A block holds what it held that many versions ago.
    OldBlock {
        /// Number of the block.
        block: u64,
        /// Number of versions to go back.
        back: usize,
    },
    /// The whole file is as it was that many versions ago.
    RollBack {
        /// Number of versions to go back.
        back: usize,
    },
    /// The file ends here.
    Truncate(u64),
    /// A block cannot be read until it is written again.
    Unreadable(u64),
}

const BLOCK_BYTES: u64 = 4096;

impl Rot {
    /// Damages the file; tells whether any byte changed or cannot be read any more.
    pub(super) fn apply(self, inode: &mut Inode) -> bool {
        let before = inode.current.to_vec();
        let Some(after) = self.damaged(&inode.current, &inode.versions) else { return false };
        let changed = matches!(self, Self::Unreadable(_)) || after.to_vec() != before;
        inode.current = after.clone();
        inode.durable = after;
        inode.pending.clear();
        changed
    }

    fn damaged(self, content: &Content, versions: &[Content]) -> Option<Content> {
        let mut damaged = content.clone();
        match self {
            Self::FlipBit(bit) => {
                let mut byte = [0];
                content.read(&mut byte, bit / 8).ok()?;
                damaged.write(&[byte[0] ^ (1 << (bit % 8))], bit / 8);
            }
            Self::ZeroBlock(block) => {
                let zeros = vec![0; block_at(content, block)?.len()];
                damaged.write(&zeros, block * BLOCK_BYTES);
            }
            Self::SwapBlocks(one, other) => {
                write_block(&mut damaged, other, &block_at(content, one)?);
                write_block(&mut damaged, one, &block_at(content, other)?);
            }
            Self::Misdirect(from, to) => {
                block_at(content, to)?;
                write_block(&mut damaged, to, &block_at(content, from)?);
            }
            Self::OldBlock { block, back } => {
                let old = version(versions, back)?;
                write_block(&mut damaged, block, &block_at(old, block)?);
            }
            Self::RollBack { back } => damaged = version(versions, back)?.clone(),
            Self::Truncate(length) if length < content.length() => damaged.set_length(length),
            Self::Truncate(_) => return None,
            Self::Unreadable(block) => {
                block_at(content, block)?;
                let sectors = BLOCK_BYTES / SECTOR_BYTES as u64;
                (block * sectors..(block + 1) * sectors).for_each(|sector| damaged.make_unreadable(sector));
            }
        }
        Some(damaged)
    }
}

fn version(versions: &[Content], back: usize) -> Option<&Content> {
    versions.len().checked_sub(back + 1).map(|index| &versions[index])
}

fn block_at(content: &Content, block: u64) -> Option<Vec<u8>> {
    let offset = block.checked_mul(BLOCK_BYTES)?;
    let length = content.length().checked_sub(offset)?.min(BLOCK_BYTES);
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    content.read(&mut bytes, offset).ok()?;
    (!bytes.is_empty()).then_some(bytes)
}

/// Writes a block without extending the file.
fn write_block(content: &mut Content, block: u64, bytes: &[u8]) {
    let offset = block * BLOCK_BYTES;
    let room = usize::try_from(content.length().saturating_sub(offset)).unwrap_or(usize::MAX);
    content.write(&bytes[..bytes.len().min(room)], offset);
}
