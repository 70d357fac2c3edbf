//! Loops around calls that may do less than asked: interrupted, short, or at the end of the file.

use std::io;

use rustix::io::Errno;

/// Repeats `write(done)` until `length` bytes went, each time from how many are done.
///
/// After a short write the next starts at the last multiple of `granule` below, since a direct write has to
/// be aligned; the bytes between are written twice, with the same content.
pub(super) fn write_fully(
    length: usize,
    granule: usize,
    mut write: impl FnMut(usize) -> Result<usize, Errno>,
) -> io::Result<()> {
    let mut done = 0;
    while done < length {
        match write(done) {
            Ok(count) if done + count >= length => return Ok(()),
            Ok(count) => {
                let next = (done + count) / granule * granule;
                if next == done {
                    return Err(io::Error::new(
                        io::ErrorKind::WriteZero,
                        format!("the device took {count} of {} bytes and no more", length - done),
                    ));
                }
                done = next;
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Repeats `read(done)` until `length` bytes came; `UnexpectedEof` when the file ends first.
pub(super) fn read_fully(
    length: usize,
    mut read: impl FnMut(usize) -> Result<usize, Errno>,
) -> io::Result<()> {
    let mut done = 0;
    while done < length {
        match read(done) {
            Ok(0) => {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("the file ends after {done} of {length} bytes"),
                ));
            }
            Ok(count) => done += count,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Repeats a call that a signal interrupted before it did anything.
pub(super) fn uninterrupted<T>(mut call: impl FnMut() -> Result<T, Errno>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            other => return other.map_err(Into::into),
        }
    }
}

/// Adds to an error what was being done to which file; the kind stays, so callers can still tell lack of
/// space.
pub(super) fn naming(doing: &str, path: &std::path::Path) -> impl FnOnce(io::Error) -> io::Error {
    let text = format!("cannot {doing} {}", path.display());
    move |error| io::Error::new(error.kind(), format!("{text}: {error}"))
}
