//! The switches by which a transaction manager drives a resource manager, of the names that those of the
//! family have.
//!
//! Always: the layout is that of the X/Open specification (`xa_switch_t`, `XID`), with `long` of 64 bits; a
//! panic does not cross the border; nothing behind the lengths of an XID is read.

#![allow(unsafe_code, reason = "symbols that a program finds by name, and what it gives them")]
#![allow(non_upper_case_globals, reason = "the names are those of the interface")]

use std::ffi::{c_char, c_int, c_long};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mqi::branch::{BranchCommit, BranchEnd, BranchPrepared, BranchRefusal, BranchStart, XA_OK};

use super::association;
use super::dynamic::{Dynamic, NotFound};
use super::string::{Opening, OpeningError, TEXT_BYTES_MAX};
use super::xid::{Xid, branch_at};
use crate::places::log;

/// Calls that do not wait are not offered.
const XAER_ASYNC: c_int = -2;
/// A call that was made where it must not be.
const XAER_PROTO: c_int = -6;

const TMNOFLAGS: c_long = 0;
const TMREGISTER: c_long = 0x0000_0001;
const TMMIGRATE: c_long = 0x0010_0000;
const TMJOIN: c_long = 0x0020_0000;
const TMENDRSCAN: c_long = 0x0080_0000;
const TMSTARTRSCAN: c_long = 0x0100_0000;
const TMSUSPEND: c_long = 0x0200_0000;
const TMSUCCESS: c_long = 0x0400_0000;
const TMRESUME: c_long = 0x0800_0000;
const TMNOWAIT: c_long = 0x1000_0000;
const TMFAIL: c_long = 0x2000_0000;
const TMONEPHASE: c_long = 0x4000_0000;
const TMASYNC: c_long = 0x8000_0000;

/// Opening and closing.
type OfResource = unsafe extern "C" fn(*const c_char, c_int, c_long) -> c_int;
/// Function that acts on a branch of a transaction.
type OfBranch = unsafe extern "C" fn(*const Xid, c_int, c_long) -> c_int;

/// `xa_switch_t`.
#[repr(C)]
pub struct Switch {
    name: [u8; 32],
    flags: c_long,
    version: c_long,
    open: OfResource,
    close: OfResource,
    start: OfBranch,
    end: OfBranch,
    rollback: OfBranch,
    prepare: OfBranch,
    commit: OfBranch,
    recover: unsafe extern "C" fn(*mut Xid, c_long, c_int, c_long) -> c_int,
    forget: OfBranch,
    complete: extern "C" fn(*mut c_int, *mut c_int, c_int, c_long) -> c_int,
}

impl Switch {
    const fn with(flags: c_long, open: OfResource) -> Self {
        const NAME: &[u8] = b"MQSeries_XA_RMI";
        let mut name = [0; 32];
        let (first, _) = name.split_at_mut(NAME.len());
        first.copy_from_slice(NAME);
        Self {
            name,
            flags,
            version: 0,
            open,
            close,
            start,
            end,
            rollback,
            prepare,
            commit,
            recover,
            forget,
            complete,
        }
    }
}

/// For a transaction manager that tells of each of its transactions.
#[unsafe(no_mangle)]
pub static MQRMIXASwitch: Switch = Switch::with(TMNOFLAGS, open);
/// For one that is told of work when it begins (dynamic registration).
#[unsafe(no_mangle)]
pub static MQRMIXASwitchDynamic: Switch = Switch::with(TMREGISTER, open_dynamic);

/// Makes a call and returns its number.
fn answer(call: impl FnOnce() -> Result<c_int, BranchRefusal>) -> c_int {
    // What a panic leaves behind is lost with its connection.
    let answer = catch_unwind(AssertUnwindSafe(call)).unwrap_or(Err(BranchRefusal::Failed));
    answer.unwrap_or_else(BranchRefusal::code)
}

/// Refuses flags that a call does not have. A call that is not to wait has a number of its own.
fn check_flags(flags: c_long, allowed: c_long) -> Result<(), c_int> {
    if flags & TMASYNC != 0 {
        return Err(XAER_ASYNC);
    }
    if flags & !allowed != 0 { Err(BranchRefusal::Invalid.code()) } else { Ok(()) }
}

/// Reads a text with the NUL behind it; none for null.
///
/// # Safety
/// It is null, or a text that ends with a NUL.
unsafe fn text_at(text: *const c_char) -> Option<Result<String, OpeningError>> {
    if text.is_null() {
        return None;
    }
    let mut bytes = Vec::new();
    for place in 0..TEXT_BYTES_MAX {
        // SAFETY: no byte before it was the NUL, so it is of the text or the NUL itself.
        match unsafe { text.add(place).read() }.cast_unsigned() {
            0 => return Some(String::from_utf8(bytes).map_err(|_| OpeningError::NotText)),
            byte => bytes.push(byte),
        }
    }
    Some(Err(OpeningError::TooLong))
}

unsafe extern "C" fn open(text: *const c_char, resource: c_int, flags: c_long) -> c_int {
    // SAFETY: as the specification has it.
    unsafe { open_by(text, resource, flags, |_| Ok(None)) }
}

unsafe extern "C" fn open_dynamic(text: *const c_char, resource: c_int, flags: c_long) -> c_int {
    let find = |opening: &Opening| Dynamic::find(opening.library.as_deref()).map(Some);
    // SAFETY: as the specification has it.
    unsafe { open_by(text, resource, flags, find) }
}

/// Opens, with the functions of a transaction manager that `find` finds, if it is to be told of work.
///
/// # Safety
/// The text is null, or ends with a NUL.
unsafe fn open_by(
    text: *const c_char,
    resource: c_int,
    flags: c_long,
    find: impl FnOnce(&Opening) -> Result<Option<Dynamic>, NotFound>,
) -> c_int {
    if let Err(code) = check_flags(flags, TMNOFLAGS) {
        return code;
    }
    answer(|| {
        // SAFETY: as the specification has it.
        let text = unsafe { text_at(text) }.ok_or(BranchRefusal::Invalid)?;
        let opening = text.and_then(|text| Opening::parse(&text)).map_err(|error| {
            log::note(&error.to_string());
            BranchRefusal::Invalid
        })?;
        let dynamic = find(&opening).map_err(|error| {
            log::note(&error.to_string());
            BranchRefusal::Failed
        })?;
        association::open(resource, &opening, dynamic).map(|()| XA_OK)
    })
}

/// Succeeds without action where nothing is open.
unsafe extern "C" fn close(_text: *const c_char, resource: c_int, flags: c_long) -> c_int {
    match check_flags(flags, TMNOFLAGS) {
        Err(code) => code,
        Ok(()) => answer(|| association::close(resource).map(|()| XA_OK)),
    }
}

unsafe extern "C" fn start(branch: *const Xid, resource: c_int, flags: c_long) -> c_int {
    if let Err(code) = check_flags(flags, TMJOIN | TMRESUME | TMNOWAIT) {
        return code;
    }
    answer(|| {
        let how = match flags & !TMNOWAIT {
            TMNOFLAGS => BranchStart::New,
            TMJOIN => BranchStart::Join,
            TMRESUME => BranchStart::Resume,
            _ => return Err(BranchRefusal::Invalid),
        };
        // SAFETY: as the specification has it.
        let branch = unsafe { branch_at(branch) }?;
        association::check_no_consumer(resource)?;
        association::call(resource, |branches| branches.start_branch(&branch, how))?;
        association::note_within(resource, true);
        Ok(XA_OK)
    })
}

unsafe extern "C" fn end(branch: *const Xid, resource: c_int, flags: c_long) -> c_int {
    if let Err(code) = check_flags(flags, TMSUSPEND | TMMIGRATE | TMSUCCESS | TMFAIL) {
        return code;
    }
    answer(|| {
        const MIGRATES: c_long = TMSUSPEND | TMMIGRATE;
        let how = match flags {
            TMSUCCESS => BranchEnd::Success,
            TMFAIL => BranchEnd::Fail,
            TMSUSPEND => BranchEnd::Suspend,
            MIGRATES => BranchEnd::Migrate,
            _ => return Err(BranchRefusal::Invalid),
        };
        // SAFETY: as the specification has it.
        let branch = unsafe { branch_at(branch) }?;
        association::check_no_consumer(resource)?;
        let ended = association::call(resource, |branches| branches.end_branch(&branch, how));
        if matches!(ended, Ok(()) | Err(BranchRefusal::RolledBack(_) | BranchRefusal::Lost)) {
            association::note_within(resource, false);
        }
        ended.map(|()| XA_OK)
    })
}

unsafe extern "C" fn rollback(branch: *const Xid, resource: c_int, flags: c_long) -> c_int {
    match check_flags(flags, TMNOFLAGS) {
        Err(code) => code,
        Ok(()) => answer(|| {
            // SAFETY: as the specification has it.
            let branch = unsafe { branch_at(branch) }?;
            association::call(resource, |branches| branches.back_out_branch(&branch)).map(|()| XA_OK)
        }),
    }
}

unsafe extern "C" fn prepare(branch: *const Xid, resource: c_int, flags: c_long) -> c_int {
    match check_flags(flags, TMNOFLAGS) {
        Err(code) => code,
        Ok(()) => answer(|| {
            // SAFETY: as the specification has it.
            let branch = unsafe { branch_at(branch) }?;
            let prepared = association::call(resource, |branches| branches.prepare_branch(&branch));
            prepared.map(BranchPrepared::code)
        }),
    }
}

unsafe extern "C" fn commit(branch: *const Xid, resource: c_int, flags: c_long) -> c_int {
    if let Err(code) = check_flags(flags, TMONEPHASE | TMNOWAIT) {
        return code;
    }
    answer(|| {
        let is_one_phase = flags & TMONEPHASE != 0;
        let how = if is_one_phase { BranchCommit::OnePhase } else { BranchCommit::TwoPhase };
        // SAFETY: as the specification has it.
        let branch = unsafe { branch_at(branch) }?;
        association::call(resource, |branches| branches.commit_branch(&branch, how)).map(|()| XA_OK)
    })
}

unsafe extern "C" fn recover(branches: *mut Xid, count: c_long, resource: c_int, flags: c_long) -> c_int {
    if let Err(code) = check_flags(flags, TMSTARTRSCAN | TMENDRSCAN) {
        return code;
    }
    answer(|| {
        let most = usize::try_from(count).map_err(|_| BranchRefusal::Invalid)?;
        if branches.is_null() && most > 0 {
            return Err(BranchRefusal::Invalid);
        }
        let begins = flags & TMSTARTRSCAN != 0;
        let found = association::recover(resource, most, begins)?;
        if flags & TMENDRSCAN != 0 {
            association::end_scan(resource);
        }
        for (place, branch) in found.iter().enumerate() {
            // SAFETY: there is room for so many, as the specification has it.
            unsafe { branches.add(place).write_unaligned(Xid::of(branch)) };
        }
        Ok(found.len() as c_int)
    })
}

unsafe extern "C" fn forget(branch: *const Xid, resource: c_int, flags: c_long) -> c_int {
    match check_flags(flags, TMNOFLAGS) {
        Err(code) => code,
        Ok(()) => answer(|| {
            // SAFETY: as the specification has it.
            let branch = unsafe { branch_at(branch) }?;
            association::call(resource, |branches| branches.forget_branch(&branch)).map(|()| XA_OK)
        }),
    }
}

extern "C" fn complete(_handle: *mut c_int, _value: *mut c_int, _resource: c_int, _flags: c_long) -> c_int {
    XAER_PROTO
}
