//! Dynamic registration: the transaction manager hears of work when it begins.
//!
//! Lives here: the two functions of the transaction manager, `ax_reg` and `ax_unreg`, found in the library
//! that AXLIB names, else in the program. Lives elsewhere: when they are called (`association`).

#![allow(unsafe_code, reason = "functions of the program, found by name")]

use std::ffi::{CString, c_char, c_int, c_long, c_void};

use mqi::branch::{BranchId, BranchStart};

use super::xid::Xid;

/// The thread joins a branch.
const TM_JOIN: c_int = 2;
/// The thread resumes one.
const TM_RESUME: c_int = 1;
/// The thread begins one, or works outside.
const TM_OK: c_int = 0;
/// The format of an identifier that names no branch: the thread works outside.
const NO_BRANCH: c_long = -1;

type Register = unsafe extern "C" fn(c_int, *mut Xid, c_long) -> c_int;
type Unregister = unsafe extern "C" fn(c_int, c_long) -> c_int;

/// `RTLD_LAZY` on Linux.
const RTLD_LAZY: c_int = 1;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The functions of a transaction manager.
#[derive(Clone, Copy)]
pub(super) struct Dynamic {
    register: Register,
    unregister: Unregister,
}

/// The functions are not there, in words for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotFound {
    #[error(
        "AXLIB {0} in the text for xa_open cannot be loaded; name a library that the loader finds, or give its path"
    )]
    Library(String),
    #[error("the transaction manager has no function {0}; name its library by AXLIB in the text for xa_open")]
    Function(&'static str),
}

/// The answer of a transaction manager to work that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Registered {
    /// In a branch.
    In(BranchId, BranchStart),
    /// In none: the program ends its unit of work itself.
    Outside,
    /// Refused.
    Refused,
}

impl Dynamic {
    /// Finds both functions.
    pub(super) fn find(library: Option<&str>) -> Result<Self, NotFound> {
        let handle = match library {
            None => std::ptr::null_mut(),
            Some(name) => {
                let refused = || NotFound::Library(name.to_owned());
                let path = CString::new(name).map_err(|_| refused())?;
                // SAFETY: a text that ends with a NUL. The library is never unloaded.
                let handle = unsafe { dlopen(path.as_ptr(), RTLD_LAZY) };
                if handle.is_null() {
                    return Err(refused());
                }
                handle
            }
        };
        let function = |name: &'static str, symbol: &CString| {
            // SAFETY: the handle is of a library that is loaded, or of the program and all it has loaded.
            let found = unsafe { dlsym(handle, symbol.as_ptr()) };
            if found.is_null() { Err(NotFound::Function(name)) } else { Ok(found) }
        };
        let register = function("ax_reg", &c"ax_reg".to_owned())?;
        let unregister = function("ax_unreg", &c"ax_unreg".to_owned())?;
        // SAFETY: the specification gives the functions of these names these types.
        Ok(unsafe {
            Self {
                register: std::mem::transmute::<*mut c_void, Register>(register),
                unregister: std::mem::transmute::<*mut c_void, Unregister>(unregister),
            }
        })
    }

    /// Tells the transaction manager that work begins.
    pub(super) fn register(self, resource: c_int) -> Registered {
        let mut xid = Xid::NONE;
        // SAFETY: there is room for an identifier, as the specification has it.
        let answer = unsafe { (self.register)(resource, &raw mut xid, 0) };
        let how = match answer {
            TM_OK if xid.format() == NO_BRANCH => return Registered::Outside,
            TM_OK => BranchStart::New,
            TM_JOIN => BranchStart::Join,
            TM_RESUME => BranchStart::Resume,
            _ => return Registered::Refused,
        };
        xid.branch().map_or(Registered::Refused, |branch| Registered::In(branch, how))
    }

    /// Tells it that a unit of work outside branches has ended.
    pub(super) fn unregister(self, resource: c_int) {
        // SAFETY: as the specification has it. The answer changes nothing: the work has ended.
        let _ = unsafe { (self.unregister)(resource, 0) };
    }
}
