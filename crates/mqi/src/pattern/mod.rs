//! Generic names: `DEV.*` stands for every name that begins with `DEV.`.
//!
//! MQSC and the administration commands allow one asterisk, as the last character.

use crate::name::{NameError, ObjectName};
use std::fmt;
use std::str::FromStr;

/// A name, or the beginning of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamePattern {
    /// Exactly this name.
    Exact(ObjectName),
    /// Every name that begins so; blank for all names.
    Prefix(ObjectName),
}

impl NamePattern {
    /// Every name.
    pub const ALL: Self = Self::Prefix(ObjectName::BLANK);

    /// True if the pattern matches a name.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Exact(wanted) => wanted.as_str() == name,
            Self::Prefix(beginning) => name.starts_with(beginning.as_str()),
        }
    }

    /// True if the pattern can match more than one name.
    #[must_use]
    pub const fn is_generic(&self) -> bool {
        matches!(self, Self::Prefix(_))
    }
}

/// True if a pattern with one trailing asterisk, or none, matches a text of any kind.
///
/// ```
/// use mqi::pattern::matches;
/// assert!(matches("DEV.*", "DEV.QUEUE.1"));
/// assert!(!matches("DEV.*", "SYSTEM.DEV."));
/// ```
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => text.starts_with(beginning),
        None => text == pattern,
    }
}

/// True if a list of patterns chooses a name: the last that matches decides, and one behind `!` leaves out.
///
/// ```
/// let patterns = ["*".to_owned(), "!SYSTEM.*".to_owned()];
/// assert!(mqi::pattern::chooses(&patterns, "ORDERS"));
/// assert!(!mqi::pattern::chooses(&patterns, "SYSTEM.ADMIN.COMMAND.QUEUE"));
/// assert!(!mqi::pattern::chooses(&[], "ORDERS"));
/// ```
#[must_use]
pub fn chooses(patterns: &[String], name: &str) -> bool {
    let decides = |pattern: &&String| matches(pattern.strip_prefix('!').unwrap_or(pattern), name);
    patterns.iter().rev().find(decides).is_some_and(|pattern| !pattern.starts_with('!'))
}

impl FromStr for NamePattern {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let text = text.trim_end_matches(' ');
        match text.strip_suffix('*') {
            Some(beginning) => Ok(Self::Prefix(beginning.parse()?)),
            None => Ok(Self::Exact(text.parse()?)),
        }
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(name) => name.fmt(formatter),
            Self::Prefix(beginning) => write!(formatter, "{beginning}*"),
        }
    }
}

#[cfg(test)]
mod tests;
