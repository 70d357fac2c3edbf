//! The reading half of a link: bytes gathered until frames are whole.

use crate::socket::Socket;
use channel::{Error, Frame};
use std::io;
use std::time::{Duration, Instant};
use transport::spin::{SPIN_MAX, Spin, give_way};

/// Bytes asked for at once: several messages of common size, and small enough to stay in a near cache.
const READ_BYTES: usize = 64 * 1024;

/// Least room of a read: rings give nothing out into less than a word.
const ROOM_BYTES_MIN: usize = size_of::<u64>();

/// A timeout of at least this much that the socket has already is kept for a longer wait, until it runs out
/// once: calls with a deadline and calls without alternate, and telling the socket each time costs as much as
/// a small write.
const TIMEOUT_KEPT_MIN: Duration = Duration::from_millis(20);

/// Result of asking the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// Bytes.
    Some,
    /// None in the time given.
    None,
    /// The other side has closed.
    End,
}

/// The reading half.
#[derive(Debug)]
pub(crate) struct Reader {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    spin: Spin,
    /// The timeout the socket has.
    timeout: Option<Duration>,
    /// True if the last read that waited timed out.
    ran_out: bool,
    /// True if the last read filled its buffer, up to less than a word.
    is_full: bool,
}

impl Reader {
    pub(crate) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, Into::into);
        Self {
            buffer: vec![0; READ_BYTES],
            start: 0,
            end: 0,
            spin: Spin::new(processors),
            timeout: None,
            ran_out: false,
            is_full: false,
        }
    }

    /// The next whole frame, and how many bytes to pass over once it is used.
    pub(crate) fn frame(&self, frame_bytes_max: u32) -> Result<Option<Frame<'_>>, Error> {
        Frame::decode(&self.buffer[self.start..self.end], frame_bytes_max)
    }

    /// Passes over bytes.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.buffer.len() > 16 * READ_BYTES {
                self.buffer.truncate(READ_BYTES);
                self.buffer.shrink_to_fit();
            }
        }
    }

    /// True if more input is likely to be there: the last read filled its buffer.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Reads what there is without waiting.
    pub(crate) fn poll(&mut self, socket: &Socket, frame_bytes_max: u32) -> io::Result<Read> {
        self.receive(socket, frame_bytes_max, false)
    }

    /// Reads, spinning for a moment where that has paid, then waiting at most `timeout`, perhaps less.
    pub(crate) fn read(
        &mut self,
        socket: &Socket,
        frame_bytes_max: u32,
        timeout: Option<Duration>,
    ) -> io::Result<Read> {
        let start = Instant::now();
        let is_spinning = self.spin.worth_it(start);
        if is_spinning {
            let (mut now, mut step) = (start, Duration::ZERO);
            while now - start < SPIN_MAX {
                let read = self.poll(socket, frame_bytes_max)?;
                let then = std::mem::replace(&mut now, Instant::now());
                step = step.max(now - then);
                if read != Read::None {
                    self.spin.spun(true, step, now);
                    return Ok(read);
                }
                give_way();
            }
            self.spin.spun(false, step, now);
        }
        if timeout != self.timeout && !self.may_keep(timeout) {
            socket.set_read_timeout(timeout)?;
            self.timeout = timeout;
        }
        let read = self.receive(socket, frame_bytes_max, true)?;
        self.ran_out = read == Read::None;
        if read == Read::Some {
            self.spin.slept(start.elapsed());
        }
        Ok(read)
    }

    /// True if the socket's present timeout will do for a wait that may be longer.
    fn may_keep(&self, wanted: Option<Duration>) -> bool {
        !self.ran_out
            && self
                .timeout
                .is_some_and(|has| has >= TIMEOUT_KEPT_MIN && wanted.is_none_or(|wanted| has <= wanted))
    }

    fn receive(&mut self, socket: &Socket, frame_bytes_max: u32, may_wait: bool) -> io::Result<Read> {
        self.make_room(frame_bytes_max);
        let received = socket.receive(&mut self.buffer[self.end..], may_wait);
        self.is_full = false;
        match received {
            Ok(0) => Ok(Read::End),
            Ok(bytes) => {
                self.end += bytes;
                self.is_full = self.buffer.len() - self.end < ROOM_BYTES_MIN;
                Ok(Read::Some)
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {
                    Ok(Read::None)
                }
                _ => Err(error),
            },
        }
    }

    /// Makes room behind what is there: for the rest of the frame that has begun, or for a usual read.
    fn make_room(&mut self, frame_bytes_max: u32) {
        let begun = Frame::length(&self.buffer[self.start..self.end], frame_bytes_max);
        let wanted = begun.ok().flatten().unwrap_or_default().max(READ_BYTES);
        if self.buffer.len() - self.start < wanted || self.buffer.len() - self.end < ROOM_BYTES_MIN {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            // Of a frame that is nearly here, less than a word may be left.
            let needed = wanted.max(self.end + ROOM_BYTES_MIN);
            if self.buffer.len() < needed {
                self.buffer.resize(needed, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;
    use transport::inheritance::NotInherited;

    #[test]
    fn a_read_that_left_no_room_says_that_there_is_more() {
        let (mut server, ours) = UnixStream::pair().unwrap();
        let (socket, mut reader) = (Socket::Unix(NotInherited::new(ours)), Reader::new());
        server.write_all(&vec![0; READ_BYTES + 1]).unwrap();
        for is_full in [true, false] {
            assert_eq!(reader.poll(&socket, 1 << 20).unwrap(), Read::Some);
            assert_eq!(reader.is_full(), is_full);
            reader.consume(reader.end - reader.start);
        }
        assert_eq!(reader.poll(&socket, 1 << 20).unwrap(), Read::None);
        assert!(!reader.is_full());
    }

    #[test]
    fn there_is_room_for_a_word_behind_whatever_has_come() {
        for start in [0, 1, 100, READ_BYTES - 9] {
            for end in (READ_BYTES - 9..=READ_BYTES).chain([start]) {
                let mut reader = Reader::new();
                (reader.start, reader.end) = (start, end);
                reader.buffer.fill(7);
                reader.make_room(1 << 20);
                let kept = &reader.buffer[reader.start..reader.end];
                assert_eq!((kept.len(), kept.iter().all(|byte| *byte == 7)), (end - start, true));
                assert!(reader.buffer.len() - reader.end >= ROOM_BYTES_MIN, "{start} to {end}");
            }
        }
    }
}
