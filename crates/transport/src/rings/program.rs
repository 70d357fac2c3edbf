//! A program's end of a connection by rings, which can wait.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use platform::sync::Mutex;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};
use rustix::time::Timespec;

use super::lane::{Consumer, Producer};
use super::memory::Mapping;
use super::{End, Ends, LAYOUT, ring_bell};
use crate::inheritance::NotInherited;

/// Pause of a writer that finds no room: about as long as a queue manager needs for a lane full of messages.
/// It gets no bell, since the thread that would take it from the socket may be another one, which waits for
/// messages.
const ROOM_PAUSE: Duration = Duration::from_micros(50);

/// Bells taken from the socket at once.
const BELLS_MAX: usize = 64;

/// A connection. Sending and receiving may happen from different threads; two that do the same take turns.
pub struct Program {
    /// Before the memory, which is noted with it.
    stream: NotInherited<UnixStream>,
    incoming: Mutex<Consumer<Arc<Mapping>>>,
    outgoing: Mutex<Producer<Arc<Mapping>>>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Program").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl Program {
    /// Takes the memory that the queue manager offers on this socket.
    ///
    /// # Errors
    /// When it offers none, or such as is not understood, within this time.
    pub fn accept(stream: UnixStream, within: Duration) -> io::Result<Self> {
        let stream = NotInherited::new(stream);
        stream.set_read_timeout(Some(within))?;
        let memory = offered(&stream)?;
        stream.set_read_timeout(None)?;
        let mapping = Mapping::of(memory)?;
        let (start, bytes) = mapping.extent();
        let stream = stream.with_memory(start, bytes);
        let ends = Ends::new(mapping, End::Program);
        Ok(Self { stream, incoming: Mutex::new(ends.incoming), outgoing: Mutex::new(ends.outgoing) })
    }

    /// The socket.
    pub fn stream(&self) -> &UnixStream {
        &self.stream
    }

    /// Takes what has come; `WouldBlock` when nothing has, or nothing comes within the socket's timeout if it
    /// may wait. Nothing is the end of the connection, which a caller that does not wait is not told of.
    ///
    /// # Errors
    /// When nothing comes, and what the system says of the socket.
    ///
    /// # Panics
    /// When the buffer is shorter than a word.
    pub fn receive(&self, buffer: &mut [u8], may_wait: bool) -> io::Result<usize> {
        assert!(buffer.len() >= size_of::<u64>(), "what is taken out is taken by words");
        let mut incoming = self.incoming.lock();
        loop {
            let bytes = self.take(&mut incoming, buffer)?;
            if bytes > 0 {
                return Ok(bytes);
            }
            if !may_wait {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            if !incoming.falls_asleep() {
                continue;
            }
            let bells = rustix::net::recv(&*self.stream, &mut [0; BELLS_MAX], RecvFlags::empty());
            incoming.wakes_up();
            match bells {
                // What was put in before the end counts.
                Ok((_, 0)) => return self.take(&mut incoming, buffer),
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn take(&self, incoming: &mut Consumer<Arc<Mapping>>, buffer: &mut [u8]) -> io::Result<usize> {
        let moved = incoming.read(buffer)?;
        if moved.wakes {
            ring_bell(self.stream.as_fd())?;
        }
        Ok(moved.bytes)
    }

    /// Puts in as much of the pieces as there is room for, once there is any; `WouldBlock` when there is none
    /// within this time.
    ///
    /// # Errors
    /// When there is no room, or no other end that makes any.
    pub fn send(&self, pieces: &[IoSlice<'_>], within: Duration) -> io::Result<usize> {
        let mut outgoing = self.outgoing.lock();
        let mut until = None;
        loop {
            let moved = outgoing.write(pieces)?;
            if moved.wakes {
                ring_bell(self.stream.as_fd())?;
            }
            if moved.bytes > 0 {
                return Ok(moved.bytes);
            }
            let now = Instant::now();
            if now >= *until.get_or_insert(now + within) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.check_other_end()?;
            thread::sleep(ROOM_PAUSE);
        }
    }

    /// Fails if nothing is there that makes room. Not asked by reading: bells that nothing took may lie
    /// before the end.
    fn check_other_end(&self) -> io::Result<()> {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        match poll(&mut [PollFd::new(&*self.stream, PollFlags::RDHUP)], Some(&at_once)) {
            Ok(0) | Err(Errno::INTR) => Ok(()),
            Ok(_) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for Program {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// The memory that comes with the first byte.
fn offered(stream: &UnixStream) -> io::Result<OwnedFd> {
    let mut layout = [0];
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut room);
    let into = &mut [IoSliceMut::new(&mut layout)];
    let received = rustix::net::recvmsg(stream, into, &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    let memory = ancillary.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    match memory {
        Some(memory) if received.bytes == 1 && layout[0] == LAYOUT => Ok(memory),
        _ => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "the queue manager offers no rings that are known here",
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, IoSlice, Write};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    use super::Program;
    use crate::rings::{Held, Served};

    /// A program whose lane is full, and the socket of the queue manager that takes nothing.
    fn held_up() -> (Program, UnixStream, Served) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let bells = OwnedFd::from(theirs.try_clone().unwrap()).into();
        theirs.set_nonblocking(true).unwrap();
        let served = Served::offer(mio::net::UnixStream::from_std(theirs), &Held::default()).unwrap();
        let program = Program::accept(ours, Duration::from_secs(10)).unwrap();
        while program.send(&[IoSlice::new(&[7; 4096])], Duration::ZERO).is_ok() {}
        (program, bells, served)
    }

    #[test]
    fn one_who_waits_for_room_sees_the_end_behind_a_bell_that_nobody_took() {
        for bells in [&[][..], &[0], &[0; 3]] {
            let (program, mut socket, _served) = held_up();
            socket.write_all(bells).unwrap();
            socket.shutdown(std::net::Shutdown::Write).unwrap();
            // One who waits in vain for room is told so by another kind.
            let sent = program.send(&[IoSlice::new(&[7])], Duration::from_secs(60));
            assert_eq!(sent.unwrap_err().kind(), ErrorKind::BrokenPipe, "{bells:?}");
        }
    }

    #[test]
    fn one_who_waits_for_room_waits_on_while_the_other_end_is_there() {
        let (program, mut socket, _served) = held_up();
        socket.write_all(&[0]).unwrap();
        let sent = program.send(&[IoSlice::new(&[7])], Duration::from_millis(20));
        assert_eq!(sent.unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}
