//! Open files that programs started by this process inherit.

use std::fs;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::io::{FdFlags, fcntl_setfd};

/// The last of the three that every program has: input, output, errors.
const LAST_OF_EVERY_PROGRAM: RawFd = 2;

/// Keeps programs started from now on from inheriting open files of this process, except input, output and
/// errors. The parent of this process may have left a file open in it, perhaps a pipe whose other end waits
/// until every copy is closed.
///
/// Where the system does not show what is open, they find what they would have.
pub fn keep_from_programs() {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|number| *number > LAST_OF_EVERY_PROGRAM) {
        #[allow(unsafe_code)]
        // SAFETY: not -1, and it was open a moment ago. It is used for one call, which reads and writes
        // nothing and gives no number away: of one that another thread closed since, the system says so, and
        // one opened since is not for other programs either.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        // Refused of one that was closed since, as that of this list is.
        let _ = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
    }
}
