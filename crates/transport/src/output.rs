//! What waits to be written to a connection.

use std::collections::VecDeque;
use std::io::{self, IoSlice};

use bytes::{Bytes, BytesMut};

use crate::socket::Socket;

/// Most pieces one system call writes: enough for thirty messages with their headers.
pub const SLICES_MAX: usize = 64;

/// From this size on a body is written from where it is; below, a copy is cheaper than a piece of its own.
const BORROW_BYTES_MIN: usize = 1 << 10;

/// A cork buffer that grew beyond this is given back once it is empty.
const KEEP_BYTES_MAX: usize = 256 << 10;

/// Bytes that wait to be written, in order. The reactor writes from where they are and says how many went.
pub trait Outgoing {
    /// Bytes waiting.
    fn pending(&self) -> usize;
    /// Notes the first pieces, at most as many as `slices` holds; returns how many.
    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize;
    /// The first `bytes` are written.
    fn written(&mut self, bytes: usize);
}

/// What one attempt to write left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flushed {
    /// Nothing.
    All,
    /// Some; the kernel takes no more now.
    Blocked,
}

/// Writes until all is written or the kernel takes no more.
pub(crate) fn flush(socket: &mut Socket, output: &mut impl Outgoing) -> io::Result<Flushed> {
    while output.pending() > 0 {
        let outcome = {
            let mut slices = [IoSlice::new(&[]); SLICES_MAX];
            let count = output.gather(&mut slices);
            socket.write_vectored(&slices[..count])
        };
        match outcome {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => output.written(written),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Flushed::Blocked),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Flushed::All)
}

/// The plain [`Outgoing`]: small pieces are copied together, large ones are kept as they are.
#[derive(Debug, Default)]
pub struct Cork {
    closed: VecDeque<Bytes>,
    open: BytesMut,
    pending: usize,
}

impl Cork {
    /// Copies bytes to the end.
    pub fn append(&mut self, bytes: &[u8]) {
        self.open.extend_from_slice(bytes);
        self.pending += bytes.len();
    }

    /// Adds bytes to the end, without a copy when they are many.
    pub fn push(&mut self, bytes: Bytes) {
        if bytes.len() < BORROW_BYTES_MIN {
            return self.append(&bytes);
        }
        if !self.open.is_empty() {
            self.closed.push_back(self.open.split().freeze());
        }
        self.pending += bytes.len();
        self.closed.push_back(bytes);
    }
}

impl Outgoing for Cork {
    fn pending(&self) -> usize {
        self.pending
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        let pieces = self.closed.iter().map(AsRef::as_ref).chain([self.open.as_ref()]);
        let mut count = 0;
        for (slice, piece) in slices.iter_mut().zip(pieces.filter(|piece: &&[u8]| !piece.is_empty())) {
            *slice = IoSlice::new(piece);
            count += 1;
        }
        count
    }

    fn written(&mut self, bytes: usize) {
        self.pending -= bytes;
        let mut left = bytes;
        while let Some(first) = self.closed.front_mut() {
            if left < first.len() {
                bytes::Buf::advance(first, left);
                return;
            }
            left -= first.len();
            self.closed.pop_front();
        }
        bytes::Buf::advance(&mut self.open, left);
        if self.open.is_empty() && self.open.capacity() > KEEP_BYTES_MAX {
            self.open = BytesMut::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_their_order_and_lose_exactly_what_was_written() {
        let mut cork = Cork::default();
        cork.append(b"head");
        cork.push(Bytes::from(vec![7; 5000]));
        cork.append(b"tail");
        cork.push(Bytes::from_static(b"small"));
        let mut whole = b"head".to_vec();
        whole.extend([7; 5000]);
        whole.extend(b"tailsmall");
        for step in [1, 3, 10, 4990, 2, 6] {
            assert_eq!(contents(&cork), whole);
            assert_eq!(cork.pending(), whole.len());
            cork.written(step);
            whole.drain(..step);
        }
        assert_eq!(contents(&cork), b"l");
    }

    #[test]
    fn one_gather_takes_at_most_its_slices() {
        let mut cork = Cork::default();
        for _ in 0..100 {
            cork.push(Bytes::from(vec![1; 2000]));
        }
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        assert_eq!(cork.gather(&mut slices), SLICES_MAX);
    }

    fn contents(cork: &Cork) -> Vec<u8> {
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        let count = cork.gather(&mut slices);
        slices[..count].iter().flat_map(|slice| slice.to_vec()).collect()
    }
}
