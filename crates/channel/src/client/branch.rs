//! Calls on branches of transactions, and their bytes.
//!
//! ```text
//! a call:    number u8 | branch
//! a list:    has a format u8 | format i32 | prefix of the global part | has a place u8 | branch | most u32
//! a branch:  format i32 | global part | qualifier
//! ```
//!
//! A list without a place has no branch there. Parts begin with their length, a byte.

use super::super::Error;
use mqi::Reason;
use mqi::branch::{BranchCommit, BranchEnd, BranchId, BranchList, BranchStart};
use wire::fields::{Fields, put_i32, put_short, put_u32};

/// A call of a coordinator on a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchCall {
    /// `xa_start`.
    Start(BranchStart),
    /// `xa_end`.
    End(BranchEnd),
    /// `xa_prepare`.
    Prepare,
    /// `xa_commit`.
    Commit(BranchCommit),
    /// `xa_rollback`.
    BackOut,
    /// `xa_forget`.
    Forget,
}

impl BranchCall {
    /// Every call, at the place of its number.
    const ALL: [Self; 12] = [
        Self::Start(BranchStart::New),
        Self::Start(BranchStart::Join),
        Self::Start(BranchStart::Resume),
        Self::End(BranchEnd::Success),
        Self::End(BranchEnd::Fail),
        Self::End(BranchEnd::Suspend),
        Self::End(BranchEnd::Migrate),
        Self::Prepare,
        Self::Commit(BranchCommit::OnePhase),
        Self::Commit(BranchCommit::TwoPhase),
        Self::BackOut,
        Self::Forget,
    ];

    /// True for the payload of a frame that prepares a branch.
    #[must_use]
    pub fn prepares(payload: &[u8]) -> bool {
        Self::take(&mut Fields::of(payload)) == Ok(Self::Prepare)
    }

    pub(super) fn put(self, out: &mut Vec<u8>) {
        let number = Self::ALL.iter().position(|call| *call == self);
        out.push(number.expect("every call is in the list") as u8);
    }

    pub(super) fn take(fields: &mut Fields<'_>) -> Result<Self, Error> {
        let number = fields.u8("call on a branch")?;
        let call = Self::ALL.get(usize::from(number)).copied();
        call.ok_or(Error::field("call on a branch", Reason::FUNCTION_NOT_SUPPORTED))
    }
}

/// Bytes of the shortest branch: its format, two lengths, and one byte of the global part.
pub(super) const BRANCH_BYTES_LEAST: usize = 7;

pub(super) fn put_branch(out: &mut Vec<u8>, branch: &BranchId) {
    put_i32(out, branch.format());
    put_short(out, branch.global());
    put_short(out, branch.qualifier());
}

pub(super) fn take_branch(fields: &mut Fields<'_>) -> Result<BranchId, Error> {
    let format = fields.i32("format of a branch")?;
    let (global, qualifier) = (fields.short("global part of a branch")?, fields.short("qualifier")?);
    BranchId::new(format, global, qualifier)
        .map_err(|_| Error::field("identifier of a branch", Reason::UOW_NOT_AVAILABLE))
}

pub(super) fn put_branch_list(out: &mut Vec<u8>, list: &BranchList) {
    out.push(u8::from(list.format.is_some()));
    put_i32(out, list.format.unwrap_or_default());
    put_short(out, &list.prefix);
    out.push(u8::from(list.after.is_some()));
    if let Some(after) = &list.after {
        put_branch(out, after);
    }
    put_u32(out, list.most);
}

pub(super) fn take_branch_list(fields: &mut Fields<'_>) -> Result<BranchList, Error> {
    let has_format = fields.u8("format asked for")? != 0;
    let format = fields.i32("format of a branch")?;
    let prefix = fields.short("prefix of the global part")?.to_vec();
    let has_place = fields.u8("place in the list")? != 0;
    let after = has_place.then(|| take_branch(fields)).transpose()?;
    let most = fields.u32("most branches")?;
    Ok(BranchList { format: has_format.then_some(format), prefix, after, most })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(global: &[u8]) -> BranchId {
        BranchId::new(7, global, b"part").unwrap()
    }

    #[test]
    fn every_call_comes_back_from_its_number_and_no_other_number_is_one() {
        for call in BranchCall::ALL {
            let mut bytes = Vec::new();
            call.put(&mut bytes);
            assert_eq!(BranchCall::take(&mut Fields::of(&bytes)), Ok(call));
        }
        assert!(BranchCall::take(&mut Fields::of(&[12])).is_err());
    }

    #[test]
    fn a_branch_and_a_list_come_back_and_cut_ones_are_refused() {
        let lists = [
            BranchList::default(),
            BranchList {
                format: Some(7),
                prefix: b"ab".to_vec(),
                after: Some(branch(&[0; 64])),
                most: u32::MAX,
            },
        ];
        for list in lists {
            let mut bytes = Vec::new();
            put_branch_list(&mut bytes, &list);
            assert_eq!(take_branch_list(&mut Fields::of(&bytes)), Ok(list));
            for end in 0..bytes.len() {
                assert!(take_branch_list(&mut Fields::of(&bytes[..end])).is_err(), "{end} bytes");
            }
        }
    }

    #[test]
    fn an_identifier_out_of_bounds_is_refused() {
        let long = [9; 65];
        let given: [(i32, &[u8], &[u8]); 3] = [(-1, b"a", b""), (1, b"", b""), (1, &long, b"")];
        for (format, global, qualifier) in given {
            let mut bytes = Vec::new();
            put_i32(&mut bytes, format);
            put_short(&mut bytes, global);
            put_short(&mut bytes, qualifier);
            let refused = take_branch(&mut Fields::of(&bytes)).unwrap_err();
            assert_eq!(refused, Error::field("identifier of a branch", Reason::UOW_NOT_AVAILABLE));
        }
    }
}
