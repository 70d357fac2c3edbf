//! The places that the bytes of a record are written to.

/// A place for the bytes of a record.
pub(crate) trait Output {
    fn put(&mut self, bytes: &[u8]);
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
