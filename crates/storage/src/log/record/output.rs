//! The places that the bytes of a record are written to.
//!
//! Lives here: [`Output`], and [`set`] for a field of a head that has a fixed length.

/// A place for the bytes of a record.
pub(crate) trait Output {
    fn put(&mut self, bytes: &[u8]);
}

/// Writes a field at its place in a head of fixed length. Both lengths are known to the compiler, which makes
/// plain stores of it; a copy between slices would be a call for each field.
///
/// # Panics
/// When the head ends before the field does.
#[inline(always)]
pub(crate) fn set<const N: usize>(head: &mut [u8], at: usize, field: [u8; N]) {
    *head[at..].first_chunk_mut().expect("a field lies within its head") = field;
}

impl Output for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Output for platform::AlignedBuffer {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
