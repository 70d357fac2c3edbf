//! Memory that a device takes directly: [`AlignedBuffer`].
//!
//! `unsafe` here is for one thing: viewing whole aligned pages as a run of bytes.
//!
//! Always: `length <= pages.len() * BLOCK_ALIGNMENT`, and every byte of every page is initialised.

#[cfg(test)]
mod tests;

/// Alignment in memory, offset and length of a direct write: the largest page the common devices ask for.
pub const BLOCK_ALIGNMENT: usize = 4096;

/// A growable byte buffer whose start is aligned to [`BLOCK_ALIGNMENT`].
#[derive(Clone, Default)]
pub struct AlignedBuffer {
    pages: Vec<Page>,
    length: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(4096))]
struct Page([u8; BLOCK_ALIGNMENT]);

const _: () = assert!(size_of::<Page>() == BLOCK_ALIGNMENT && align_of::<Page>() == BLOCK_ALIGNMENT);

impl AlignedBuffer {
    /// An empty buffer that takes `bytes` without growing.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { pages: Vec::with_capacity(bytes.div_ceil(BLOCK_ALIGNMENT)), length: 0 }
    }

    /// A buffer of `length` zero bytes.
    #[must_use]
    pub fn zeroed(length: usize) -> Self {
        let mut buffer = Self::default();
        buffer.resize_zeroed(length);
        buffer
    }

    /// The bytes held.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.all()[..self.length]
    }

    /// The bytes held, to change in place.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        let length = self.length;
        &mut self.all_mut()[..length]
    }

    /// Number of bytes held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if it holds no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Number of bytes that fit before it allocates.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.pages.capacity() * BLOCK_ALIGNMENT
    }

    /// Adds `bytes` at the end.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        let start = self.length;
        let end = start + bytes.len();
        self.ensure_pages(end);
        self.all_mut()[start..end].copy_from_slice(bytes);
        self.length = end;
    }

    /// Cuts to `length`, or extends to it with zeros.
    pub fn resize_zeroed(&mut self, length: usize) {
        if length > self.length {
            let start = self.length;
            self.ensure_pages(length);
            self.all_mut()[start..length].fill(0);
        }
        self.length = length;
    }

    /// Extends with zeros to the next multiple of `multiple`, and tells how many were added.
    ///
    /// # Panics
    /// When `multiple` is zero.
    pub fn pad_to_multiple(&mut self, multiple: usize) -> usize {
        let padded = self.length.next_multiple_of(multiple);
        let added = padded - self.length;
        self.resize_zeroed(padded);
        added
    }

    /// Forgets the bytes and keeps the memory.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Gives back memory beyond `bytes`, as far as it is not in use.
    pub fn shrink_to(&mut self, bytes: usize) {
        let pages = bytes.max(self.length).div_ceil(BLOCK_ALIGNMENT);
        self.pages.truncate(pages);
        self.pages.shrink_to(pages);
    }

    fn ensure_pages(&mut self, bytes: usize) {
        let pages = bytes.div_ceil(BLOCK_ALIGNMENT);
        if pages > self.pages.len() {
            self.pages.resize(pages, Page([0; BLOCK_ALIGNMENT]));
        }
    }

    #[allow(unsafe_code)]
    fn all(&self) -> &[u8] {
        let bytes = self.pages.len() * BLOCK_ALIGNMENT;
        // SAFETY: `Page` is `repr(C)` around `[u8; 4096]` with size 4096 (asserted above), so the vector's
        // `pages.len()` elements are `bytes` contiguous, initialised bytes without padding; `u8` has no
        // alignment or validity requirement; the borrow of `self` keeps them alive and unchanged.
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast::<u8>(), bytes) }
    }

    #[allow(unsafe_code)]
    fn all_mut(&mut self) -> &mut [u8] {
        let bytes = self.pages.len() * BLOCK_ALIGNMENT;
        // SAFETY: as in `all`; the exclusive borrow of `self` makes this the only view, and any byte
        // pattern written through it is a valid `Page`.
        unsafe { std::slice::from_raw_parts_mut(self.pages.as_mut_ptr().cast::<u8>(), bytes) }
    }
}

impl std::fmt::Debug for AlignedBuffer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "AlignedBuffer({} bytes)", self.length)
    }
}
