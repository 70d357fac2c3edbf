//! Messages put and messages got, told by a count and a sum.
//!
//! A body begins with its putter's number (four bytes) and its own (eight), both little-endian. A body of
//! JSON has them behind its first name, as twelve characters of six bits each, four and eight.

use anyhow::{Context as _, Result, ensure};

/// A body says who put it as what: four and eight bytes.
pub const BODY_BYTES_MIN: usize = 12;

/// The beginning of a body of JSON, the mark behind it. No putter has a number that begins so.
pub(crate) const JSON_HEAD: &str = "{\"mark\":\"";

/// The largest numbers that a mark in JSON has room for.
#[cfg(test)]
pub(crate) const PUTTER_MAX: u32 = (1 << 24) - 1;
#[cfg(test)]
pub(crate) const SEQUENCE_MAX: u64 = (1 << 48) - 1;

/// Six bits as a character that JSON needs no escape for.
const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// The place of the mark in a body of JSON; none in another.
fn json_mark(body: &[u8]) -> Option<std::ops::Range<usize>> {
    let place = JSON_HEAD.len()..JSON_HEAD.len() + BODY_BYTES_MIN;
    (body.starts_with(JSON_HEAD.as_bytes()) && body.len() >= place.end).then_some(place)
}

fn write_digits(digits: &mut [u8], mut number: u64) {
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number % 64) as usize];
        number /= 64;
    }
}

fn read_digits(digits: &[u8]) -> Result<u64> {
    digits.iter().try_fold(0, |number, digit| {
        let value = DIGITS.iter().position(|known| known == digit);
        Ok(number * 64 + value.context("a mark in JSON has another character")? as u64)
    })
}

/// Writes who put a body, and as what, at its head.
pub fn mark(body: &mut [u8], putter: u32, sequence: u64) {
    if let Some(place) = json_mark(body) {
        let (of_putter, own) = body[place].split_at_mut(4);
        write_digits(of_putter, putter.into());
        write_digits(own, sequence);
        return;
    }
    body[..4].copy_from_slice(&putter.to_le_bytes());
    body[4..BODY_BYTES_MIN].copy_from_slice(&sequence.to_le_bytes());
}

/// Returns the number of a body's putter, and its own.
///
/// # Errors
/// When it is too short to say so.
pub fn mark_of(body: &[u8]) -> Result<(u32, u64)> {
    if let Some(place) = json_mark(body) {
        let (of_putter, own) = body[place].split_at(4);
        return Ok((u32::try_from(read_digits(of_putter)?)?, read_digits(own)?));
    }
    ensure!(body.len() >= BODY_BYTES_MIN, "a message has {} bytes and no mark", body.len());
    Ok((u32::from_le_bytes(body[..4].try_into()?), u64::from_le_bytes(body[4..BODY_BYTES_MIN].try_into()?)))
}

/// A set of messages: their number, and a sum that another set of as many is most unlikely to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Their number.
    pub count: u64,
    sum: u64,
}

impl Tally {
    /// Adds a message that was put.
    pub fn add(&mut self, putter: u32, sequence: u64) {
        // The finaliser of SplitMix64: one bit of difference changes half of all bits.
        let mut mixed = sequence ^ (u64::from(putter) << 40);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.count += 1;
        self.sum = self.sum.wrapping_add(mixed ^ (mixed >> 31));
    }

    /// Adds what others had.
    pub fn join(&mut self, other: Self) {
        self.count += other.count;
        self.sum = self.sum.wrapping_add(other.sum);
    }

    /// Adds a message that was got; `last` has the last sequence of each putter that this getter saw.
    ///
    /// # Errors
    /// When its length is another, nobody put it, or it came after one that was put later.
    pub fn take(&mut self, body: &[u8], length: usize, last: &mut [Option<u64>]) -> Result<()> {
        ensure!(body.len() == length, "a message has {} bytes instead of {length}", body.len());
        let (putter, sequence) = mark_of(body)?;
        let before = last.get_mut(putter as usize).context("a message nobody put")?;
        ensure!(
            before.is_none_or(|before| before < sequence),
            "message {sequence} of putter {putter} came after its message {before:?}: nothing is reported"
        );
        *before = Some(sequence);
        self.add(putter, sequence);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_tells_a_lost_and_a_doubled_message_apart_from_none() {
        let of = |messages: &[(u32, u64)]| {
            let mut tally = Tally::default();
            messages.iter().for_each(|(putter, sequence)| tally.add(*putter, *sequence));
            tally
        };
        let put = of(&[(0, 0), (0, 1), (1, 0)]);
        assert_eq!(put, of(&[(1, 0), (0, 1), (0, 0)]));
        assert_ne!(put, of(&[(0, 0), (0, 0), (1, 0)]), "one lost, one doubled");
        assert_ne!(put, of(&[(0, 0), (1, 1), (0, 1)]), "another one");
        assert_ne!(put, of(&[(0, 0), (0, 1)]));
    }

    #[test]
    fn a_message_out_of_order_is_refused() {
        let body = |sequence: u64| {
            let mut body = vec![0; 16];
            body[4..12].copy_from_slice(&sequence.to_le_bytes());
            body
        };
        let (mut tally, mut last) = (Tally::default(), vec![None]);
        tally.take(&body(0), 16, &mut last).expect("the first");
        tally.take(&body(2), 16, &mut last).expect("another getter has the one before");
        tally.take(&body(1), 16, &mut last).expect_err("put before the one that came before");
    }
}
