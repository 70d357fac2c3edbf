//! Addresses as channel rules write them: one address, or a pattern of parts with `*` and ranges.
//!
//! Lives here: patterns of IPv4 and IPv6 addresses, the order of those that match the same address, and pairs
//! of ranges that cross. Lives elsewhere: host names (`wildcard`), and asking the network for them.
//!
//! ```text
//! 192.0.2.1     192.0.2.*     192.0.*     192.*.2     192.0.2.1-8     *
//! 2001:DB8::1   2001:DB8:0:0:0:*          2001:DB8:0:0:0:0:0:0-8
//! ```
//!
//! Always: an IPv4 address that comes mapped into IPv6 is judged as the IPv4 address that it is.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use mqi::constants::{MQRCCF_IPADDR_ERROR, MQRCCF_IPADDR_RANGE_ERROR};

/// Most bytes of a pattern: eight ranges of four digits each, and their colons, have 79.
const LENGTH_MAX: usize = 79;

/// A reason why a text is no pattern of addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The form is not that of an address.
    #[error(
        "\"{text}\" is no address: write an IPv4 or IPv6 address whose parts are numbers, ranges such as 1-8, or *, \
         and leave parts out only at one *"
    )]
    Form {
        /// The text that was given.
        text: String,
    },
    /// A range ends before it begins, or where.
    #[error(
        "the range {first}-{last} in the address \"{text}\" must go from a smaller number to a larger one"
    )]
    Range {
        /// The text that was given.
        text: String,
        /// The number before the hyphen.
        first: String,
        /// The number behind it.
        last: String,
    },
}

impl AddressError {
    /// Refuses a text, shown cut and without characters that act on a terminal.
    fn form(text: &str) -> Self {
        Self::Form { text: text.chars().take(LENGTH_MAX).flat_map(char::escape_debug).collect() }
    }

    /// The reason code that answers a command.
    #[must_use]
    pub const fn code(&self) -> i32 {
        match self {
            Self::Form { .. } => MQRCCF_IPADDR_ERROR,
            Self::Range { .. } => MQRCCF_IPADDR_RANGE_ERROR,
        }
    }
}

/// The numbers that one part of an address may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Part {
    first: u16,
    last: u16,
    /// Written with a hyphen, or left open by `*`.
    is_range: bool,
}

impl Part {
    const fn one(number: u16) -> Self {
        Self { first: number, last: number, is_range: false }
    }

    const fn contains(self, number: u16) -> bool {
        self.first <= number && number <= self.last
    }

    const fn covers(self, other: Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }

    const fn meets(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    const fn width(self) -> u16 {
        self.last - self.first
    }
}

/// The kinds of addresses, with what differs in their text.
#[derive(Clone, Copy)]
struct Form {
    separator: char,
    parts: usize,
    number_max: u16,
    radix: u32,
    digits_max: usize,
}

const IPV4: Form = Form { separator: '.', parts: 4, number_max: 0xFF, radix: 10, digits_max: 3 };
const IPV6: Form = Form { separator: ':', parts: 8, number_max: u16::MAX, radix: 16, digits_max: 4 };

/// An address, or several that a pattern stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `*`
    All,
    /// Addresses of IPv4.
    V4(V4),
    /// Addresses of IPv6.
    V6(V6),
}

/// Parts of an IPv4 address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct V4([Part; 4]);

/// Parts of an IPv6 address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct V6([Part; 8]);

/// The network that an address belongs to for all that is counted by address: an IPv4 address itself, and the
/// 64 bits of an IPv6 address that name a network, in which a machine has any number of addresses. All
/// addresses of loopback are one: each program of the machine may connect from any of them.
#[must_use]
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address if address.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        address @ IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from(u128::from(address) & !u128::from(u64::MAX)).into(),
    }
}

impl Pattern {
    /// The pattern of one address.
    #[must_use]
    pub fn exactly(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(V4(address.octets().map(|octet| Part::one(octet.into())))),
            IpAddr::V6(address) => Self::V6(V6(address.segments().map(Part::one))),
        }
    }

    /// Tells if an address is one of those that are meant.
    #[must_use]
    pub fn matches(&self, address: IpAddr) -> bool {
        let is_in = |parts: &[Part], numbers: &[u16]| {
            parts.iter().zip(numbers).all(|(part, number)| part.contains(*number))
        };
        match (self, address.to_canonical()) {
            (Self::All, _) => true,
            (Self::V4(own), IpAddr::V4(address)) => is_in(&own.0, &address.octets().map(u16::from)),
            (Self::V4(_), IpAddr::V6(_)) => false,
            // A pattern of IPv6 may cover addresses that are mapped.
            (Self::V6(own), IpAddr::V4(address)) => is_in(&own.0, &address.to_ipv6_mapped().segments()),
            (Self::V6(own), IpAddr::V6(address)) => is_in(&own.0, &address.segments()),
        }
    }

    /// The address that alone is meant; none when there can be several.
    #[must_use]
    pub fn single(&self) -> Option<IpAddr> {
        if self.parts().iter().any(|part| part.width() > 0) {
            return None;
        }
        match self {
            Self::All => None,
            Self::V4(own) => Some(Ipv4Addr::from(own.0.map(|part| part.first as u8)).into()),
            Self::V6(own) => Some(Ipv6Addr::from(own.0.map(|part| part.first)).into()),
        }
    }

    /// The order of patterns that match the same address, the narrowest first: the first part in which they
    /// differ decides; IPv4 comes before IPv6 that covers it, and `*` last.
    #[must_use]
    pub fn by_specificity(&self, other: &Self) -> Ordering {
        let kind = |pattern: &Self| match pattern {
            Self::V4(_) => 0,
            Self::V6(_) => 1,
            Self::All => 2,
        };
        kind(self)
            .cmp(&kind(other))
            .then_with(|| self.widths().cmp(other.widths()))
            .then_with(|| self.firsts().cmp(other.firsts()))
    }

    /// Tells if a range of one and a range of the other overlap and neither covers the other, in patterns
    /// that match a common address: which of them is more specific could then not be said.
    #[must_use]
    pub fn crosses(&self, other: &Self) -> bool {
        let (own, other) = (self.parts(), other.parts());
        let pairs = || own.iter().zip(other);
        own.len() == other.len()
            && pairs().all(|(own, other)| own.meets(*other))
            && pairs().any(|(own, other)| !own.covers(*other) && !other.covers(*own))
    }

    fn parts(&self) -> &[Part] {
        match self {
            Self::All => &[],
            Self::V4(own) => &own.0,
            Self::V6(own) => &own.0,
        }
    }

    fn widths(&self) -> impl Iterator<Item = u16> {
        self.parts().iter().map(|part| part.width())
    }

    fn firsts(&self) -> impl Iterator<Item = u16> {
        self.parts().iter().map(|part| part.first)
    }
}

impl FromStr for Pattern {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if text == "*" {
            return Ok(Self::All);
        }
        if text.len() > LENGTH_MAX {
            return Err(AddressError::form(text));
        }
        if let Ok(address) = text.parse::<Ipv6Addr>() {
            return Ok(Self::exactly(address.into()));
        }
        if text.contains(':') {
            let parts = if text.contains("::") { shortened(text)? } else { parts::<8>(text, text, IPV6)? };
            return Ok(mapped(&parts).map_or(Self::V6(V6(parts)), |parts| Self::V4(V4(parts))));
        }
        if text.contains('.') {
            Ok(Self::V4(V4(parts(text, text, IPV4)?)))
        } else {
            Err(AddressError::form(text))
        }
    }
}

/// Takes an IPv6 pattern with `::` apart, which may have ranges but no `*`: both leave parts open.
fn shortened(text: &str) -> Result<[Part; 8], AddressError> {
    let form = || AddressError::form(text);
    let (before, after) = text.split_once("::").ok_or_else(form)?;
    if text.contains('*') || after.contains("::") {
        return Err(form());
    }
    let count = |side: &str| if side.is_empty() { 0 } else { side.split(':').count() };
    let zeros =
        8_usize.checked_sub(count(before) + count(after)).filter(|zeros| *zeros > 0).ok_or_else(form)?;
    let sides = [before.to_owned(), ["0"].repeat(zeros).join(":"), after.to_owned()];
    let whole: Vec<String> = sides.into_iter().filter(|side| !side.is_empty()).collect();
    parts(&whole.join(":"), text, IPV6)
}

/// Takes a pattern apart. One that has fewer parts than an address has one `*`, which stands for those left
/// out; where it has several, that is the one at the end.
fn parts<const PARTS: usize>(text: &str, given: &str, form: Form) -> Result<[Part; PARTS], AddressError> {
    let wrong = || AddressError::form(given);
    let open = Part { first: 0, last: form.number_max, is_range: true };
    let written: Vec<&str> = text.split(form.separator).collect();
    let missing = form.parts.checked_sub(written.len()).ok_or_else(wrong)?;
    let stars = written.iter().filter(|part| **part == "*").count();
    let wide = match (missing, stars) {
        (0, _) => None,
        (_, 1) => written.iter().position(|part| *part == "*"),
        _ if written.last() == Some(&"*") => Some(written.len() - 1),
        _ => return Err(wrong()),
    };
    let mut parts = [open; PARTS];
    let mut at = 0;
    for (index, part) in written.iter().enumerate() {
        if *part != "*" {
            parts[at] = numbers(part, given, form)?;
        }
        at += if wide == Some(index) { missing + 1 } else { 1 };
    }
    Ok(parts)
}

/// Takes one part, a number or a range of them.
fn numbers(part: &str, given: &str, form: Form) -> Result<Part, AddressError> {
    let wrong = || AddressError::form(given);
    let number = |digits: &str| {
        let is_number = (1..=form.digits_max).contains(&digits.len())
            && digits.chars().all(|digit| digit.is_digit(form.radix));
        let number = is_number.then(|| u16::from_str_radix(digits, form.radix).ok()).flatten();
        number.filter(|number| *number <= form.number_max).ok_or_else(wrong)
    };
    let Some((first, last)) = part.split_once('-') else { return Ok(Part::one(number(part)?)) };
    let range = Part { first: number(first)?, last: number(last)?, is_range: true };
    if range.first >= range.last {
        let (first, last) = (first.to_owned(), last.to_owned());
        return Err(AddressError::Range { text: given.to_owned(), first, last });
    }
    Ok(range)
}

/// The IPv4 pattern that an IPv6 pattern writes as mapped addresses; none when it writes others, or ranges
/// that no parts of IPv4 stand for.
fn mapped(parts: &[Part; 8]) -> Option<[Part; 4]> {
    let prefix = [0, 0, 0, 0, 0, 0xFFFF].map(Part::one);
    if parts[..6] != prefix {
        return None;
    }
    let open = Part { first: 0, last: 0xFF, is_range: true };
    let mut octets = [open; 4];
    for (pair, part) in octets.chunks_exact_mut(2).zip(&parts[6..]) {
        if part.width() == 0 {
            pair[0] = Part::one(part.first >> 8);
            pair[1] = Part::one(part.first & 0xFF);
        } else if part.width() != u16::MAX {
            return None;
        }
    }
    Some(octets)
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self {
            Self::All => return formatter.write_str("*"),
            Self::V4(_) => IPV4,
            Self::V6(_) => IPV6,
        };
        let number = |formatter: &mut fmt::Formatter<'_>, number: u16| {
            if form.radix == 16 { write!(formatter, "{number:X}") } else { write!(formatter, "{number}") }
        };
        for (index, part) in self.parts().iter().enumerate() {
            if index > 0 {
                write!(formatter, "{}", form.separator)?;
            }
            if part.width() == form.number_max {
                formatter.write_str("*")?;
                continue;
            }
            number(formatter, part.first)?;
            if part.is_range {
                formatter.write_str("-")?;
                number(formatter, part.last)?;
            }
        }
        Ok(())
    }
}
