//! The queue manager's end of a connection by rings, which never waits.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::sync::Arc;

use bytes::BytesMut;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags};

use super::{End, Ends, LAYOUT, memory, ring_bell};
use crate::received::Received;

/// Most connections by rings that a listener has at one time: 130 MiB of memory. Others go by the socket.
const SERVED_MAX: usize = 512;

/// Bells that make no sense at once: each answers an asking, and a socket holds a quarter as many that come
/// one by one.
const BELLS_MAX: usize = 1024;

/// Counts the connections by rings.
#[derive(Debug, Default)]
pub struct Held(Arc<()>);

impl Held {
    /// A place for one more, if there is any. Asked for by one thread alone.
    fn place(&self) -> io::Result<Arc<()>> {
        let taken = Arc::strong_count(&self.0) - 1;
        if taken < SERVED_MAX { Ok(Arc::clone(&self.0)) } else { Err(io::ErrorKind::QuotaExceeded.into()) }
    }
}

/// A connection, whose socket does not block.
pub struct Served {
    stream: mio::net::UnixStream,
    ends: Ends,
    /// The socket may have something to read: bells, or its end.
    is_rung: bool,
    /// Its end may be behind the bells, and no event would tell of it again.
    end_announced: bool,
    _place: Arc<()>,
}

impl std::fmt::Debug for Served {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Served").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl Served {
    /// Makes the memory for a program that has connected, and passes it on.
    ///
    /// # Errors
    /// When there are too many, the system gives no memory, or the program is gone.
    pub fn offer(stream: mio::net::UnixStream, held: &Held) -> io::Result<Self> {
        let place = held.place()?;
        let memory = memory::make()?;
        let mut ends = Ends::new(memory::Mapping::of(&memory)?, End::QueueManager);
        // Until it is looked at, a bell is wanted.
        ends.incoming.falls_asleep();
        let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut room);
        let descriptors = [memory.as_fd()];
        ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
        rustix::net::sendmsg(&stream, &[IoSlice::new(&[LAYOUT])], &mut ancillary, SendFlags::NOSIGNAL)?;
        Ok(Self { stream, ends, is_rung: true, end_announced: false, _place: place })
    }

    /// The socket, for a poll that waits for bells.
    pub(crate) fn stream(&self) -> &mio::net::UnixStream {
        &self.stream
    }

    pub(crate) fn stream_mut(&mut self) -> &mut mio::net::UnixStream {
        &mut self.stream
    }

    /// The kernel says that something has come to the socket, perhaps its end.
    pub(crate) fn hears_bell(&mut self, announces_end: bool) {
        self.is_rung = true;
        self.end_announced |= announces_end;
    }

    /// Returns true if bytes have come.
    pub(crate) fn has_some(&self) -> bool {
        self.ends.incoming.has_some()
    }

    /// From now on a bell is wanted; false when bytes have come, and none is.
    pub(crate) fn falls_asleep(&mut self) -> bool {
        self.ends.incoming.falls_asleep()
    }

    /// Needs no bell, as a thread looks.
    pub(crate) fn wakes_up(&mut self) {
        self.ends.incoming.wakes_up();
    }

    /// Takes what has come, behind what the buffer holds, at most `room` bytes.
    pub(crate) fn receive(&mut self, buffer: &mut BytesMut, room: usize) -> io::Result<Received> {
        if let Some(bytes) = self.take(buffer, room)? {
            return Ok(Received::Some(bytes));
        }
        if !std::mem::take(&mut self.is_rung) || !self.has_ended()? {
            return Ok(Received::Nothing);
        }
        self.is_rung = true;
        // What was put in before the end counts.
        Ok(self.take(buffer, room)?.map_or(Received::End, Received::Some))
    }

    fn take(&mut self, buffer: &mut BytesMut, room: usize) -> io::Result<Option<usize>> {
        let begun = buffer.len();
        buffer.resize(begun + room.min(self.ends.incoming.bytes_max()?), 0);
        let moved = self.ends.incoming.read(&mut buffer[begun..])?;
        buffer.truncate(begun + moved.bytes);
        if moved.wakes {
            ring_bell(self.stream.as_fd())?;
        }
        Ok((moved.bytes > 0).then_some(moved.bytes))
    }

    /// Takes the bells; whether the program has ended the connection, which is behind all of them.
    fn has_ended(&self) -> io::Result<bool> {
        let (mut bells, mut rung) = ([0; BELLS_MAX], 0);
        while rung < BELLS_MAX {
            match rustix::net::recv(&self.stream, &mut bells, RecvFlags::DONTWAIT) {
                Ok((_, 0)) => return Ok(true),
                Ok((_, more)) => rung += more,
                Err(rustix::io::Errno::AGAIN) => return Ok(false),
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            if rung < BELLS_MAX && !self.end_announced {
                return Ok(false);
            }
        }
        Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the program has rung {rung} bells at once, for which nobody asked, and is disconnected"),
        ))
    }

    /// Puts in as much of the pieces as there is room for; `WouldBlock` when there is none, and then a bell
    /// comes.
    pub(crate) fn write(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut moved = self.ends.outgoing.write(pieces)?;
        if moved.bytes == 0 && self.ends.outgoing.ask_for_room()? {
            moved = self.ends.outgoing.write(pieces)?;
        }
        if moved.wakes {
            ring_bell(self.stream.as_fd())?;
        }
        if moved.bytes == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(moved.bytes) }
    }

    /// Says that nothing more will be sent.
    pub(crate) fn shut_down(&self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write};

    use bytes::BytesMut;
    use mio::net::UnixStream;

    use super::{BELLS_MAX, Held, SERVED_MAX, Served};
    use crate::received::Received;

    /// Receives from a program that has sent these bells and is gone.
    fn after(bells: &[u8]) -> std::io::Result<Received> {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut served = Served::offer(ours, &Held::default()).unwrap();
        theirs.write_all(bells).unwrap();
        theirs.shutdown(std::net::Shutdown::Write).unwrap();
        served.hears_bell(true);
        served.receive(&mut BytesMut::new(), 64)
    }

    /// The kernel tells of both by one event.
    #[test]
    fn the_end_is_seen_behind_the_bells() {
        for bells in [0, 1, 100] {
            assert_eq!(after(&vec![0; bells]).unwrap(), Received::End, "{bells}");
        }
    }

    #[test]
    fn one_who_rings_without_end_is_disconnected() {
        assert_eq!(after(&[0; 2 * BELLS_MAX]).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn a_place_that_is_given_up_is_given_again() {
        let held = Held::default();
        let mut places: Vec<_> = (0..SERVED_MAX).map(|_| held.place().unwrap()).collect();
        assert!(held.place().is_err());
        places.pop();
        assert!(held.place().is_ok());
    }
}
