//! Bytes on their way out of a connection: small frames gathered in one buffer, large bodies beside it.
//!
//! Always: what [`Output::slices`] shows, in order, is what the frames are; a body is never copied here
//! unless it is so small that a copy costs less than another piece to write.

use bytes::Bytes;
use std::collections::VecDeque;
use std::fmt;
use std::io::IoSlice;

/// Bodies up to this many bytes are copied into the buffer: one piece is sent without a list of pieces, which
/// the kernel would copy and check entry by entry, and that costs more than the copy of a page.
pub const COPY_BYTES_MAX: usize = 4096;

/// Bytes up to which a body that other connections are sent, too, is copied. Such a body stays in the nearest
/// cache while it is sent to one after the other; a copy for each would be written to memory and read from
/// there.
pub const SHARED_COPY_BYTES_MAX: usize = 1024;

/// Once so many bytes at the front of the buffer were written, the rest is moved up.
const COMPACT_BYTES: usize = 256 * 1024;

/// An action for when everything before it was written; dropped when that never happens.
struct Mark {
    /// Where it stands among all bytes that ever went through.
    at: u64,
    then: Box<dyn FnOnce() + Send>,
}

impl fmt::Debug for Mark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Mark({})", self.at)
    }
}

/// Frames waiting to be written.
#[derive(Debug, Default)]
pub struct Output {
    /// Gathered frames and heads of frames.
    cork: Vec<u8>,
    /// Bytes of `cork` that were written.
    written: usize,
    /// Bodies, each with the place in `cork` it goes before.
    bodies: VecDeque<(usize, Bytes)>,
    /// Bytes of `bodies`.
    body_bytes: usize,
    /// Bytes that were ever written.
    written_in_all: u64,
    marks: VecDeque<Mark>,
}

impl Output {
    /// The buffer to encode frames into.
    #[inline]
    pub fn cork(&mut self) -> &mut Vec<u8> {
        &mut self.cork
    }

    /// Appends a body behind what the buffer holds.
    #[inline]
    pub fn body(&mut self, body: Bytes) {
        self.body_copied_up_to(body, COPY_BYTES_MAX);
    }

    /// Appends a body; copies it where it has at most so many bytes.
    #[inline]
    pub fn body_copied_up_to(&mut self, body: Bytes, most: usize) {
        if body.len() <= most {
            self.cork.extend_from_slice(&body);
        } else {
            self.body_bytes += body.len();
            self.bodies.push_back((self.cork.len(), body));
        }
    }

    /// Has something done once all bytes that are here now were written. If they never are, what `then` holds
    /// is dropped.
    pub fn when_written(&mut self, then: impl FnOnce() + Send + 'static) {
        let at = self.written_in_all + self.len() as u64;
        self.marks.push_back(Mark { at, then: Box::new(then) });
    }

    /// Appends the first `count` bytes that wait to `to`, and fewer where fewer wait.
    pub fn copy_front(&self, mut count: usize, to: &mut Vec<u8>) {
        let mut push = |bytes: &[u8]| {
            let taken = count.min(bytes.len());
            to.extend_from_slice(&bytes[..taken]);
            count -= taken;
        };
        let mut from = self.written;
        for (place, body) in &self.bodies {
            push(&self.cork[from..*place]);
            push(body);
            from = *place;
        }
        push(&self.cork[from..]);
    }

    /// Forgets `count` bytes from the front, whose content `to` holds at its end in another form: what was to
    /// be done once they were written is done once that is.
    ///
    /// # Panics
    /// When more is handed on than waited.
    pub fn hand_on(&mut self, count: usize, to: &mut Self) {
        assert!(count <= self.len(), "more bytes are handed on than waited");
        self.forget(count);
        self.written_in_all += count as u64;
        let at = to.written_in_all + to.len() as u64;
        while let Some(mark) = self.marks.pop_front_if(|mark| mark.at <= self.written_in_all) {
            to.marks.push_back(Mark { at, then: mark.then });
        }
    }

    /// Bytes that were ever written, to see progress.
    #[must_use]
    pub fn written_in_all(&self) -> u64 {
        self.written_in_all
    }

    /// Bytes that wait.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.cork.len() - self.written + self.body_bytes
    }

    /// Returns true if no bytes wait.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `slices` with the next bytes to write, in order; how many it filled. With no body waiting one
    /// slice is everything.
    pub fn slices<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let mut filled = 0;
        let mut from = self.written;
        let mut push = |bytes: &'a [u8]| {
            if bytes.is_empty() {
                return true;
            }
            let Some(slot) = slices.get_mut(filled) else {
                return false;
            };
            *slot = IoSlice::new(bytes);
            filled += 1;
            true
        };
        for (place, body) in &self.bodies {
            if !push(&self.cork[from..*place]) || !push(body) {
                return filled;
            }
            from = *place;
        }
        push(&self.cork[from..]);
        filled
    }

    /// Returns all waiting output as one run of bytes, for a caller that does not write it to a socket.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut slices = vec![IoSlice::new(&[]); 2 * self.bodies.len() + 1];
        let filled = self.slices(&mut slices);
        slices[..filled].iter().flat_map(|slice| slice.iter().copied()).collect()
    }

    /// Forgets `count` bytes from the front: they were written.
    ///
    /// # Panics
    /// When more was written than waited, which no socket does.
    pub fn advance(&mut self, count: usize) {
        assert!(count <= self.len(), "more bytes were written than waited");
        self.forget(count);
        self.written_in_all += count as u64;
        while let Some(mark) = self.marks.pop_front_if(|mark| mark.at <= self.written_in_all) {
            (mark.then)();
        }
    }

    fn forget(&mut self, mut count: usize) {
        while let Some((place, body)) = self.bodies.front_mut() {
            let before = *place - self.written;
            if count < before {
                break;
            }
            self.written = *place;
            count -= before;
            let taken = count.min(body.len());
            bytes::Buf::advance(body, taken);
            self.body_bytes -= taken;
            count -= taken;
            if !body.is_empty() {
                return;
            }
            self.bodies.pop_front();
        }
        self.written += count;
        if self.written == self.cork.len() && self.bodies.is_empty() {
            self.cork.clear();
            self.written = 0;
            // One burst must not keep its memory for the life of the connection.
            if self.cork.capacity() > 4 * COMPACT_BYTES {
                self.cork.shrink_to(COMPACT_BYTES);
            }
        } else if self.written > COMPACT_BYTES {
            self.compact();
        }
    }

    /// Forgets everything: the connection is gone.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn compact(&mut self) {
        self.cork.drain(..self.written);
        for (place, _) in &mut self.bodies {
            *place -= self.written;
        }
        self.written = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(output: &Output, limit: usize) -> Vec<u8> {
        let mut slices = [IoSlice::new(&[]); 4];
        let filled = output.slices(&mut slices);
        let mut bytes: Vec<u8> = slices[..filled].iter().flat_map(|slice| slice.to_vec()).collect();
        bytes.truncate(limit);
        bytes
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_was_encoded(
            pieces in prop::collection::vec((any::<bool>(), 0_usize..5000), 0..30),
            steps in prop::collection::vec(1_usize..7000, 1..20),
        ) {
            let mut output = Output::default();
            let mut expected = Vec::new();
            let mut received = Vec::new();
            let mut steps = steps.iter().cycle();
            for (index, (is_body, length)) in pieces.iter().enumerate() {
                let piece = vec![index as u8; *length];
                expected.extend_from_slice(&piece);
                if *is_body {
                    let most = [COPY_BYTES_MAX, SHARED_COPY_BYTES_MAX][index % 2];
                    output.body_copied_up_to(Bytes::from(piece), most);
                } else {
                    output.cork().extend_from_slice(&piece);
                }
                if index % 3 == 0 {
                    let bytes = written(&output, *steps.next().unwrap());
                    output.advance(bytes.len());
                    received.extend(bytes);
                }
            }
            while !output.is_empty() {
                let bytes = written(&output, *steps.next().unwrap());
                prop_assert!(!bytes.is_empty());
                output.advance(bytes.len());
                received.extend(bytes);
            }
            prop_assert_eq!(received, expected);
            prop_assert_eq!(written(&output, 10).len(), 0);
        }
    }

    #[test]
    fn a_mark_is_reached_with_the_last_byte_before_it() {
        let reached = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let reach = |output: &mut Output| {
            let reached = std::sync::Arc::clone(&reached);
            output.when_written(move || {
                reached.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            });
        };
        let count = || reached.load(std::sync::atomic::Ordering::Relaxed);
        let mut output = Output::default();
        output.cork().extend_from_slice(&[1; 10]);
        output.body(Bytes::from(vec![2; 5000]));
        reach(&mut output);
        output.cork().extend_from_slice(&[3; 10]);
        reach(&mut output);
        output.advance(5009);
        assert_eq!(count(), 0, "a byte is missing");
        output.advance(1);
        assert_eq!(count(), 1);
        output.clear();
        assert_eq!(count(), 1, "what is not written is not reached");
    }

    #[test]
    fn bytes_that_are_handed_on_take_their_marks_along() {
        let reached = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (mut plain, mut other) = (Output::default(), Output::default());
        plain.cork().extend_from_slice(&[1; 10]);
        plain.body(Bytes::from(vec![2; 5000]));
        plain.when_written({
            let reached = std::sync::Arc::clone(&reached);
            move || reached.store(true, std::sync::atomic::Ordering::Relaxed)
        });
        plain.cork().extend_from_slice(&[3; 4]);
        let mut front = Vec::new();
        plain.copy_front(12, &mut front);
        assert_eq!(front, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2]);
        other.cork().extend_from_slice(&[9; 3]);
        plain.hand_on(5010, &mut other);
        let is_reached = || reached.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!((plain.to_vec(), is_reached()), (vec![3; 4], false), "nothing was written yet");
        other.advance(2);
        assert!(!is_reached(), "a byte of the other form is missing");
        other.advance(1);
        assert!(is_reached());
    }

    #[test]
    fn a_long_backlog_is_moved_up() {
        let mut output = Output::default();
        output.cork().extend_from_slice(&vec![1; COMPACT_BYTES + 10]);
        output.body(Bytes::from(vec![2; 5000]));
        output.advance(COMPACT_BYTES + 5);
        assert_eq!(output.cork.len(), 5);
        assert_eq!(output.len(), 5005);
    }
}
