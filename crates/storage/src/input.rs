//! Reading little-endian fields from bytes that may be anything.

use crate::{Lsn, ObjectId, Sequence};

/// The rest of some bytes. Every take is checked; nothing panics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn remaining(self) -> usize {
        self.0.len()
    }

    /// Nothing if anything is left.
    pub(crate) fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    pub(crate) fn lsn(&mut self) -> Option<Lsn> {
        self.u64().map(Lsn)
    }

    pub(crate) fn object(&mut self) -> Option<ObjectId> {
        self.u64().map(ObjectId)
    }

    pub(crate) fn sequence(&mut self) -> Option<Sequence> {
        self.u64().map(Sequence)
    }
}
