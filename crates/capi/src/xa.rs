//! The switches by which a transaction manager drives a resource manager (XA), of the name that those of the
//! family have.
//!
//! Lives here: what a transaction manager finds and what it is answered. Lives elsewhere: nothing yet: no
//! unit of work can be one of its branches, so opening is refused, and every other function answers that it
//! was called without that.
//!
//! Always: the layout is that of the X/Open specification (`xa_switch_t`, `XID` by its address alone);
//! nothing is read or written through what the functions are given.

#![allow(unsafe_code, reason = "symbols that a program finds by name")]
#![allow(non_upper_case_globals, reason = "the names are those of the interface")]

use std::ffi::{c_char, c_int, c_long, c_void};

/// An error of the resource manager: what opening it is answered.
const XAER_RMERR: c_int = -3;
/// A function that was called where it must not be.
const XAER_PROTO: c_int = -6;

/// `TMNOFLAGS`, and `TMREGISTER` for one that would register by itself.
const TMNOFLAGS: c_long = 0;
const TMREGISTER: c_long = 1;

/// Opening and closing.
type OfResource = extern "C" fn(*const c_char, c_int, c_long) -> c_int;
/// Function that acts on a branch of a transaction.
type OfBranch = extern "C" fn(*const c_void, c_int, c_long) -> c_int;

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
    recover: extern "C" fn(*mut c_void, c_long, c_int, c_long) -> c_int,
    forget: OfBranch,
    complete: extern "C" fn(*mut c_int, *mut c_int, c_int, c_long) -> c_int,
}

impl Switch {
    const fn with(flags: c_long) -> Self {
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
            start: of_branch,
            end: of_branch,
            rollback: of_branch,
            prepare: of_branch,
            commit: of_branch,
            recover,
            forget: of_branch,
            complete,
        }
    }
}

/// For a transaction manager that tells of each of its transactions.
#[unsafe(no_mangle)]
pub static MQRMIXASwitch: Switch = Switch::with(TMNOFLAGS);
/// For one that is told.
#[unsafe(no_mangle)]
pub static MQRMIXASwitchDynamic: Switch = Switch::with(TMREGISTER);

extern "C" fn open(_information: *const c_char, _resource: c_int, _flags: c_long) -> c_int {
    XAER_RMERR
}

/// Succeeds without action: no resource is open.
extern "C" fn close(_information: *const c_char, _resource: c_int, _flags: c_long) -> c_int {
    0
}

extern "C" fn of_branch(_branch: *const c_void, _resource: c_int, _flags: c_long) -> c_int {
    XAER_PROTO
}

extern "C" fn recover(_branches: *mut c_void, _count: c_long, _resource: c_int, _flags: c_long) -> c_int {
    XAER_PROTO
}

extern "C" fn complete(_handle: *mut c_int, _value: *mut c_int, _resource: c_int, _flags: c_long) -> c_int {
    XAER_PROTO
}
