//! Short texts of a bounded width, kept inline: formats, user identifiers, application names.
//!
//! In C structures they are blank-padded character arrays; here the padding is not part of the value.
//!
//! Always: valid UTF-8, at most `N` bytes, no trailing blank, no NUL; behind the text its field is zeros.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// A text of at most `N` bytes (`N` at most 255).
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    length: u8,
    bytes: [u8; N],
}

/// Why a text does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" has {length} bytes where at most {length_max} fit")]
pub struct TextError {
    /// The text given.
    pub text: String,
    /// Its length.
    pub length: usize,
    /// Longest length allowed.
    pub length_max: usize,
}

impl<const N: usize> Text<N> {
    /// No text at all: what a field of blanks stands for.
    pub const BLANK: Self = Self { length: 0, bytes: [0; N] };
    /// Most bytes it can hold.
    pub const LENGTH_MAX: usize = N;

    /// Takes as much of a text as fits, cut between characters.
    #[must_use]
    pub fn truncated(text: &str) -> Self {
        let text = until_nul(text);
        let mut end = text.len().min(N);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self::fitting(&text[..end])
    }

    /// Takes a field as C programs fill it: up to the first NUL or the width, trailing blanks dropped.
    ///
    /// Bytes that are not UTF-8 become `?`, one for one, so that nothing grows.
    #[must_use]
    #[inline]
    pub fn from_padded(field: &[u8]) -> Self {
        // Most fields are left as they are declared.
        if field.first().is_none_or(|byte| *byte == 0) { Self::BLANK } else { Self::from_filled(field) }
    }

    fn from_filled(field: &[u8]) -> Self {
        let field = field[..field.len().min(N)].split(|byte| *byte == 0).next().unwrap_or_default();
        if let Ok(text) = std::str::from_utf8(field) {
            return Self::fitting(text);
        }
        let mut bytes = [0; N];
        let mut length = 0;
        for chunk in field.utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            bytes[length..length + valid.len()].copy_from_slice(valid);
            length += valid.len();
            let invalid = chunk.invalid().len();
            bytes[length..length + invalid].fill(b'?');
            length += invalid;
        }
        Self::fitting(std::str::from_utf8(&bytes[..length]).unwrap_or_default())
    }

    /// Takes a field that is full of visible ASCII characters; none when it is not.
    #[must_use]
    pub fn filled(field: [u8; N]) -> Option<Self> {
        let length = u8::try_from(N).ok()?;
        field.iter().all(u8::is_ascii_graphic).then_some(Self { length, bytes: field })
    }

    /// Takes bytes that are the text of a field as it is kept here: visible ASCII characters and blanks, the
    /// last of them no blank. None when they are not, or are too many.
    #[must_use]
    pub fn exact(text: &[u8]) -> Option<Self> {
        let length = u8::try_from(text.len()).ok()?;
        let mut bytes = [0; N];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        // Over the whole field, whose width the compiler knows: what stands behind the text is not counted.
        let plain: u8 = bytes.iter().map(|byte| u8::from(matches!(byte, b' '..=b'~'))).sum();
        (plain == length && text.last() != Some(&b' ')).then_some(Self { length, bytes })
    }

    /// The field as C programs expect it: full width, padded with blanks.
    #[must_use]
    pub fn to_padded(&self) -> [u8; N] {
        let mut field = [b' '; N];
        field[..usize::from(self.length)].copy_from_slice(self.as_bytes());
        field
    }

    /// The text without padding.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The text's bytes without padding.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// True if there is no text.
    #[must_use]
    #[inline]
    pub fn is_blank(&self) -> bool {
        self.length == 0
    }

    /// For a text known to fit.
    fn fitting(text: &str) -> Self {
        const { assert!(N <= u8::MAX as usize) };
        let text = text.trim_end_matches(' ');
        let mut bytes = [0; N];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { length: text.len() as u8, bytes }
    }
}

fn until_nul(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

impl<const N: usize> FromStr for Text<N> {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let trimmed = until_nul(text).trim_end_matches(' ');
        if trimmed.len() > N {
            return Err(TextError { text: trimmed.to_owned(), length: trimmed.len(), length_max: N });
        }
        Ok(Self::fitting(trimmed))
    }
}

impl<const N: usize> TryFrom<&str> for Text<N> {
    type Error = TextError;

    fn try_from(text: &str) -> Result<Self, TextError> {
        text.parse()
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::BLANK
    }
}

impl<const N: usize> PartialEq for Text<N> {
    /// As whole fields, whose width the compiler knows.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.bytes == other.bytes
    }
}

impl<const N: usize> Eq for Text<N> {}

impl<const N: usize> PartialEq<str> for Text<N> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl<const N: usize> PartialEq<&str> for Text<N> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<const N: usize> PartialOrd for Text<N> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Ord for Text<N> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl<const N: usize> Hash for Text<N> {
    /// As the `str` hashes, so that a map can be asked with one.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl<const N: usize> Borrow<str> for Text<N> {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> AsRef<str> for Text<N> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

#[cfg(test)]
mod tests;
