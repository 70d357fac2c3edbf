//! Memory that a device takes directly: [`AlignedBuffer`].

/// Alignment in memory, offset and length of a direct write: the largest page the common devices ask for.
pub const BLOCK_ALIGNMENT: usize = 4096;

/// A growable byte buffer whose start is aligned to [`BLOCK_ALIGNMENT`].
#[derive(Default)]
pub struct AlignedBuffer {
    blocks: Vec<Page>,
    length: usize,
}

#[derive(Clone, Copy)]
#[repr(align(4096))]
struct Page([u8; BLOCK_ALIGNMENT]);

impl std::fmt::Debug for AlignedBuffer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "AlignedBuffer({} bytes)", self.length)
    }
}
