//! The program that reads standard output, where that is a pipe.
//!
//! Always: a wait for it ends, so that a program that reads late, or after this one has ended, is served too.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use rustix::io::ioctl_fionread;

/// The output that comes after the one before a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// Nothing: the reader may end once it has read all.
    Nothing,
    /// More: a reader that ends within this time after it has read all does not want it.
    More {
        /// The time.
        grace: Duration,
    },
}

/// Longest wait for a reader to read: one that waits for the end of this program before it reads is given the
/// rest.
const UNREAD_MAX: Duration = Duration::from_millis(200);

/// Time between two looks at a pipe that has something unread.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Waits until what was written to a pipe was read, for a short time.
///
/// # Errors
/// `BrokenPipe` when the reader has gone, and has not read all or more would follow.
pub(crate) fn wait_for_reader(output: impl AsFd, following: Following) -> io::Result<()> {
    let output = output.as_fd();
    let kind = FileType::from_raw_mode(fstat(output)?.st_mode);
    if !matches!(kind, FileType::Fifo | FileType::Socket) {
        return Ok(());
    }
    let until = Instant::now() + UNREAD_MAX;
    let mut has_gone = has_gone_within(output, Duration::ZERO)?;
    while unread(output) > 0 {
        if has_gone {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        has_gone = has_gone_within(output, left.min(LOOK_AGAIN))?;
    }
    match following {
        Following::More { grace } if has_gone || has_gone_within(output, grace)? => {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        Following::Nothing | Following::More { .. } => Ok(()),
    }
}

/// Bytes that a pipe has and its reader has not read. A socket does not tell.
fn unread(output: BorrowedFd<'_>) -> u64 {
    ioctl_fionread(output).unwrap_or(0)
}

/// Returns true once nobody can read any more.
fn has_gone_within(output: BorrowedFd<'_>, time: Duration) -> io::Result<bool> {
    let mut looked = [PollFd::from_borrowed_fd(output, PollFlags::empty())];
    let time = Timespec::try_from(time).map_err(io::Error::other)?;
    match poll(&mut looked, Some(&time)) {
        Err(rustix::io::Errno::INTR) => return Ok(false),
        polled => polled?,
    };
    Ok(looked[0].revents().intersects(PollFlags::ERR | PollFlags::HUP))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _, pipe};

    use super::*;

    const MORE: Following = Following::More { grace: Duration::from_millis(300) };

    /// Sends ten bytes, of which a reader reads so many and goes, if it does; the outcome of a wait for it.
    fn said(read: usize, goes: bool, following: Following) -> Option<io::ErrorKind> {
        let (mut reader, mut writer) = pipe().unwrap();
        writer.write_all(b"0123456789").unwrap();
        let thread = std::thread::spawn(move || {
            reader.read_exact(&mut vec![0; read]).unwrap();
            if goes { None } else { Some(reader) }
        });
        let outcome = wait_for_reader(&writer, following);
        drop(thread.join().unwrap());
        outcome.err().map(|error| error.kind())
    }

    #[test]
    fn a_reader_that_goes_before_it_has_all_breaks_the_pipe() {
        let broken = Some(io::ErrorKind::BrokenPipe);
        for (read, goes, following, expected) in [
            (4, true, MORE, broken),
            (4, true, Following::Nothing, broken),
            (0, true, Following::Nothing, broken),
            (10, true, MORE, broken),
            (10, true, Following::Nothing, None),
            (10, false, MORE, None),
            // It may read the rest when this program has ended.
            (4, false, MORE, None),
            (0, false, Following::Nothing, None),
        ] {
            assert_eq!(said(read, goes, following), expected, "{read} {goes} {following:?}");
        }
    }

    #[test]
    fn a_file_has_no_reader() {
        let file = tempfile::tempfile().unwrap();
        (&file).write_all(b"x").unwrap();
        wait_for_reader(&file, MORE).unwrap();
    }
}
