//! Patterns in which `*` stands for any characters, wherever it is: channel names, names of partners, host
//! names.
//!
//! Lives elsewhere: profiles of authorities, whose `*` ends at a dot (`profile`).
//!
//! Always: matching takes time by the product of both lengths at most, and no memory.

#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};
use std::fmt;

/// Most bytes of a pattern: a host name has at most 253, a name of the family 48.
pub const LENGTH_MAX: usize = 264;

/// A text with any number of `*`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wildcard {
    text: String,
}

impl Wildcard {
    /// Takes a pattern; none when it is empty or longer than [`LENGTH_MAX`].
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        (!text.is_empty() && text.len() <= LENGTH_MAX).then(|| Self { text: text.to_owned() })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Tells if it can match several texts.
    #[must_use]
    pub fn is_generic(&self) -> bool {
        self.text.contains('*')
    }

    /// Tells if it matches every text.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.text.bytes().all(|byte| byte == b'*')
    }

    /// Tells if a text is one of those that are meant.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        matches(self.text.as_bytes(), text.as_bytes(), b'*', |pattern, byte| pattern == byte)
    }

    /// True if the pattern matches a text, in letters of any case.
    #[must_use]
    pub fn matches_any_case(&self, text: &str) -> bool {
        let is_same = |pattern: u8, byte: u8| pattern.eq_ignore_ascii_case(&byte);
        matches(self.text.as_bytes(), text.as_bytes(), b'*', is_same)
    }

    /// The order of patterns that match the same text, the most specific first: those without `*`, then those
    /// with more other characters, then those with fewer `*`, then those whose first `*` comes later.
    #[must_use]
    pub fn by_specificity(&self, other: &Self) -> Ordering {
        let key = |pattern: &Self| {
            let stars = pattern.stars().count();
            (stars > 0, Reverse(pattern.text.len() - stars), stars)
        };
        let places = || other.stars().cmp(self.stars());
        key(self).cmp(&key(other)).then_with(places).then_with(|| self.text.cmp(&other.text))
    }

    /// The places of each `*`.
    fn stars(&self) -> impl Iterator<Item = usize> {
        self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'*').map(|(at, _)| at)
    }
}

impl fmt::Display for Wildcard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

/// Matches a pattern in which one byte stands for any bytes. Goes back to the last such byte alone: an
/// earlier one that took more would not find more.
pub(crate) fn matches(pattern: &[u8], text: &[u8], any: u8, is_same: impl Fn(u8, u8) -> bool) -> bool {
    let (mut at, mut taken) = (0, 0);
    let mut last_star = None;
    while taken < text.len() {
        match pattern.get(at) {
            Some(byte) if *byte == any => {
                at += 1;
                last_star = Some((at, taken));
            }
            Some(byte) if is_same(*byte, text[taken]) => {
                at += 1;
                taken += 1;
            }
            _ => {
                let Some((after, from)) = last_star else { return false };
                at = after;
                taken = from + 1;
                last_star = Some((after, taken));
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == any)
}
