//! The body of a message that is put.

use bytes::Bytes;
use std::ops::Deref;

/// A body, and whose it is.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// It may be kept as it is.
    Kept(Bytes),
    /// It is the caller's; a callee that keeps it copies it.
    Lent(&'a [u8]),
}

impl Body<'_> {
    /// The body to keep.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        match self {
            Self::Kept(bytes) => bytes,
            Self::Lent(bytes) => Bytes::copy_from_slice(bytes),
        }
    }
}

impl Deref for Body<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Kept(bytes) => bytes,
            Self::Lent(bytes) => bytes,
        }
    }
}

impl From<Bytes> for Body<'_> {
    fn from(bytes: Bytes) -> Self {
        Self::Kept(bytes)
    }
}
