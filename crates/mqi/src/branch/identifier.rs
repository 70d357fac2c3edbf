//! The identifier of a branch (XID).

use std::fmt;
use std::str::FromStr;

use super::BranchRefusal;

/// Most bytes of the global part, and of the qualifier.
pub const PART_BYTES_MAX: usize = 64;

/// The identifier of a branch: a format, a part that all branches of the transaction share, and a part of its
/// own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchId {
    format: i32,
    /// Zeros behind the length, so that equal parts compare equal.
    global: [u8; PART_BYTES_MAX],
    qualifier: [u8; PART_BYTES_MAX],
    global_length: u8,
    qualifier_length: u8,
}

impl BranchId {
    /// The identifier of these parts.
    ///
    /// # Errors
    /// `Invalid` where the format is negative, the global part has not 1 to 64 bytes, or the qualifier more
    /// than 64.
    pub fn new(format: i32, global: &[u8], qualifier: &[u8]) -> Result<Self, BranchRefusal> {
        if format < 0 || global.is_empty() {
            return Err(BranchRefusal::Invalid);
        }
        let (global, global_length) = part(global)?;
        let (qualifier, qualifier_length) = part(qualifier)?;
        Ok(Self { format, global, qualifier, global_length, qualifier_length })
    }

    /// The format.
    #[must_use]
    pub const fn format(&self) -> i32 {
        self.format
    }

    /// The part that all branches of the transaction share.
    #[must_use]
    pub fn global(&self) -> &[u8] {
        &self.global[..usize::from(self.global_length)]
    }

    /// The part of this branch.
    #[must_use]
    pub fn qualifier(&self) -> &[u8] {
        &self.qualifier[..usize::from(self.qualifier_length)]
    }

    /// As commands take it: `1:61:62`, format, global part and qualifier in hexadecimal digits.
    #[must_use]
    pub fn typed(&self) -> String {
        let digits = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
        format!("{:X}:{}:{}", self.format, digits(self.global()), digits(self.qualifier()))
    }
}

fn part(bytes: &[u8]) -> Result<([u8; PART_BYTES_MAX], u8), BranchRefusal> {
    let mut part = [0; PART_BYTES_MAX];
    part.get_mut(..bytes.len()).ok_or(BranchRefusal::Invalid)?.copy_from_slice(bytes);
    Ok((part, bytes.len() as u8))
}

impl fmt::Debug for BranchId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Reads what [`BranchId::typed`] gives.
impl FromStr for BranchId {
    type Err = BranchRefusal;

    fn from_str(text: &str) -> Result<Self, BranchRefusal> {
        let parts: Vec<_> = text.split(':').collect();
        let [format, global, qualifier] = parts[..] else { return Err(BranchRefusal::Invalid) };
        if !format.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(BranchRefusal::Invalid);
        }
        let format = i32::from_str_radix(format, 16).map_err(|_| BranchRefusal::Invalid)?;
        Self::new(format, &of_digits(global)?, &of_digits(qualifier)?)
    }
}

/// The bytes of pairs of hexadecimal digits.
fn of_digits(digits: &str) -> Result<Vec<u8>, BranchRefusal> {
    let digit = |byte: u8| char::from(byte).to_digit(16).ok_or(BranchRefusal::Invalid);
    let pairs = digits.as_bytes().chunks(2).map(|pair| match *pair {
        [high, low] => Ok((digit(high)? << 4 | digit(low)?) as u8),
        _ => Err(BranchRefusal::Invalid),
    });
    pairs.collect()
}

/// As DISPLAY CONN shows it: `XA_FORMATID[00000001] XA_GTRID[61] XA_BQUAL[62]`, in hexadecimal digits.
impl fmt::Display for BranchId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "XA_FORMATID[{:08X}] XA_GTRID[", self.format)?;
        self.global().iter().try_for_each(|byte| write!(formatter, "{byte:02X}"))?;
        formatter.write_str("] XA_BQUAL[")?;
        self.qualifier().iter().try_for_each(|byte| write!(formatter, "{byte:02X}"))?;
        formatter.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_out_of_bounds_are_no_identifier() {
        let (short, long) = ([7; 64], [7; 65]);
        let given: [(i32, &[u8], &[u8]); 5] =
            [(-1, b"a", b"b"), (i32::MIN, b"a", b"b"), (1, b"", b"b"), (1, &long, b""), (1, b"a", &long)];
        for (format, global, qualifier) in given {
            assert_eq!(BranchId::new(format, global, qualifier), Err(BranchRefusal::Invalid));
        }
        let whole = BranchId::new(0, &short, &short).unwrap();
        assert_eq!((whole.global(), whole.qualifier()), (&short[..], &short[..]));
        assert_eq!(BranchId::new(0, b"a", b"").unwrap().qualifier(), b"");
    }

    #[test]
    fn a_part_that_ends_in_zeros_is_another_part() {
        assert_ne!(BranchId::new(1, b"a", b"").unwrap(), BranchId::new(1, b"a\0", b"").unwrap());
        assert_ne!(BranchId::new(1, b"ab", b"").unwrap(), BranchId::new(1, b"a", b"b").unwrap());
    }

    #[test]
    fn commands_take_it_in_three_parts_and_nothing_else() {
        let read = "7:7472616e:74776F".parse::<BranchId>();
        assert_eq!(read, BranchId::new(7, b"tran", b"two"));
        assert_eq!(read.unwrap().typed(), "7:7472616E:74776F");
        assert_eq!("46525942:01:".parse::<BranchId>(), BranchId::new(0x4652_5942, b"\x01", b""));
        let long = format!("1:{}:", "61".repeat(65));
        for wrong in
            ["", "7", "7:61", "7::62", "7:6:62", "+7:61:62", "80000000:61:", ":61:", "7:6g:", "7:é:", &long]
        {
            assert_eq!(wrong.parse::<BranchId>(), Err(BranchRefusal::Invalid), "{wrong}");
        }
    }

    #[test]
    fn it_is_shown_in_hexadecimal_digits() {
        let shown = BranchId::new(0x4652_5942, b"\x01z", b"\xFF").unwrap().to_string();
        assert_eq!(shown, "XA_FORMATID[46525942] XA_GTRID[017A] XA_BQUAL[FF]");
    }
}
