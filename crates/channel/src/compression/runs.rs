//! RLE: runs of equal bytes.
//!
//! ```text
//! 0 to 127    so many bytes and one more follow as they are
//! 128 to 255  the byte that follows stands for so many less 125, which is 3 to 130
//! ```

/// Fewest and most bytes of a run; a shorter one costs as much as it saves.
const RUN_MIN: usize = 3;
const RUN_MAX: usize = RUN_MIN + 127;

/// Most bytes that follow as they are.
const PLAIN_MAX: usize = 128;

/// Bytes that are written in order into a slice with an end.
struct Target<'a> {
    bytes: &'a mut [u8],
    written: usize,
}

impl Target<'_> {
    /// The next `count` bytes to be written; none where there is no such room.
    fn next(&mut self, count: usize) -> Option<&mut [u8]> {
        let from = self.written;
        self.written += count;
        self.bytes.get_mut(from..self.written)
    }

    fn push_plain(&mut self, bytes: &[u8]) -> Option<()> {
        for piece in bytes.chunks(PLAIN_MAX) {
            let (head, rest) = self.next(1 + piece.len())?.split_first_mut()?;
            *head = (piece.len() - 1) as u8;
            rest.copy_from_slice(piece);
        }
        Some(())
    }
}

/// Fills `target`; how many bytes, or none where it is too short.
pub(super) fn compress(bytes: &[u8], target: &mut [u8]) -> Option<usize> {
    let mut target = Target { bytes: target, written: 0 };
    let (mut plain_from, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let run = bytes[at..].iter().take(RUN_MAX).take_while(|next| *next == byte).count();
        if run < RUN_MIN {
            at += run;
            continue;
        }
        target.push_plain(&bytes[plain_from..at])?;
        target.next(2)?.copy_from_slice(&[(128 + run - RUN_MIN) as u8, *byte]);
        at += run;
        plain_from = at;
    }
    target.push_plain(&bytes[plain_from..])?;
    Some(target.written)
}

/// Fills `target`; how many bytes, or none where it is too short or `bytes` end within a run.
pub(super) fn expand(bytes: &[u8], target: &mut [u8]) -> Option<usize> {
    let mut target = Target { bytes: target, written: 0 };
    let mut rest = bytes;
    while let Some((head, behind)) = rest.split_first() {
        let head = usize::from(*head);
        if head < PLAIN_MAX {
            let (plain, behind) = behind.split_at_checked(head + 1)?;
            target.next(plain.len())?.copy_from_slice(plain);
            rest = behind;
        } else {
            let (byte, behind) = behind.split_first()?;
            target.next(head - 128 + RUN_MIN)?.fill(*byte);
            rest = behind;
        }
    }
    Some(target.written)
}
