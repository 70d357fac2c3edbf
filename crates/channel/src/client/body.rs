//! The body of a message that is put.

use bytes::Bytes;

/// A body, and whose it is.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// It may be kept as it is.
    Kept(Bytes),
    /// It is the caller's, and copied.
    Lent(&'a [u8]),
}

impl Body<'_> {
    /// How long it is, in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Kept(bytes) => bytes.len(),
            Self::Lent(bytes) => bytes.len(),
        }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Bytes> for Body<'_> {
    fn from(bytes: Bytes) -> Self {
        Self::Kept(bytes)
    }
}
