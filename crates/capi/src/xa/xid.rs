//! Identifiers of branches as C programs lay them out.
//!
//! Always: nothing behind the lengths of an XID is read.

#![allow(unsafe_code, reason = "identifiers lie in the program's memory")]

use std::ffi::c_long;

use mqi::branch::{BranchId, BranchRefusal, PART_BYTES_MAX};

/// `XID`, an identifier as C programs lay it out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Xid {
    format: c_long,
    global_length: c_long,
    qualifier_length: c_long,
    /// Both parts, one behind the other.
    data: [u8; 2 * PART_BYTES_MAX],
}

impl Xid {
    /// That of no branch.
    pub(super) const NONE: Self =
        Self { format: -1, global_length: 0, qualifier_length: 0, data: [0; 2 * PART_BYTES_MAX] };

    pub(super) fn format(&self) -> c_long {
        self.format
    }

    /// That of a branch.
    pub(super) fn of(branch: &BranchId) -> Self {
        let (global, qualifier) = (branch.global(), branch.qualifier());
        let mut data = [0; 2 * PART_BYTES_MAX];
        data[..global.len()].copy_from_slice(global);
        data[global.len()..global.len() + qualifier.len()].copy_from_slice(qualifier);
        Self {
            format: branch.format().into(),
            global_length: global.len() as c_long,
            qualifier_length: qualifier.len() as c_long,
            data,
        }
    }

    /// The branch that it names.
    pub(super) fn branch(&self) -> Result<BranchId, BranchRefusal> {
        // SAFETY: it is one of ours.
        unsafe { branch_at(self) }
    }
}

/// Reads an identifier.
///
/// # Safety
/// It is null, or an `XID` of which as many bytes are there as its lengths say.
pub(super) unsafe fn branch_at(branch: *const Xid) -> Result<BranchId, BranchRefusal> {
    if branch.is_null() {
        return Err(BranchRefusal::Invalid);
    }
    // SAFETY: the numbers stand before everything else; they need not be aligned.
    let (format, global, qualifier) = unsafe {
        (
            (&raw const (*branch).format).read_unaligned(),
            (&raw const (*branch).global_length).read_unaligned(),
            (&raw const (*branch).qualifier_length).read_unaligned(),
        )
    };
    let within = |length: c_long| {
        usize::try_from(length).ok().filter(|length| *length <= PART_BYTES_MAX).ok_or(BranchRefusal::Invalid)
    };
    let (global, qualifier) = (within(global)?, within(qualifier)?);
    let mut data = [0; 2 * PART_BYTES_MAX];
    // SAFETY: so many bytes are there, by the promise; both lengths together are no more than `data` has.
    unsafe {
        let from = (&raw const (*branch).data).cast::<u8>();
        from.copy_to_nonoverlapping(data.as_mut_ptr(), global + qualifier);
    }
    let format = i32::try_from(format).map_err(|_| BranchRefusal::Invalid)?;
    BranchId::new(format, &data[..global], &data[global..global + qualifier])
}
