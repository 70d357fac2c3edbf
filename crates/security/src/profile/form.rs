//! The form of a profile, matching, and the order of profiles that match the same name.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::wildcard;
use mqi::name::{LENGTH_MAX, is_name_byte};

/// A reason why a text is no profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The text has no character.
    #[error("a profile is not blank; write ** for every name")]
    Blank,
    /// The text is longer than a name can be.
    #[error("the profile has {length} characters where at most {LENGTH_MAX} are allowed")]
    TooLong {
        /// The number of characters.
        length: usize,
    },
    /// A character is not allowed.
    #[error(
        "the profile \"{profile}\" has {character:?} at position {position}; profiles are made of A-Z a-z 0-9 . _ / % \
         and ? *"
    )]
    Character {
        /// The profile as it was given.
        profile: String,
        /// The character in the way.
        character: char,
        /// Its place, counted from 1.
        position: usize,
    },
    /// Two asterisks that are no qualifier of their own, or stand there twice.
    #[error("the profile \"{profile}\" may have ** once, as a whole qualifier between dots")]
    Asterisks {
        /// The profile as it was given.
        profile: String,
    },
}

/// One step of a profile, numbered so that those that can match several texts sort in front of characters.
pub(crate) mod token {
    /// The profile ends.
    pub(crate) const END: u8 = 0;
    /// `**`
    pub(crate) const QUALIFIERS: u8 = 1;
    /// `*`
    pub(crate) const CHARACTERS: u8 = 2;
    /// `?`
    pub(crate) const CHARACTER: u8 = 3;
}

/// Most tokens of a profile, its end among them.
const TOKENS_MAX: usize = LENGTH_MAX + 1;

/// A name, or several that a profile stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Profile {
    /// The steps, and zeros behind them. The dots beside `**` belong to it and have no steps of their own.
    pub(super) tokens: [u8; TOKENS_MAX],
}

impl Profile {
    /// Every name.
    #[must_use]
    pub const fn all() -> Self {
        let mut tokens = [token::END; TOKENS_MAX];
        tokens[0] = token::QUALIFIERS;
        Self { tokens }
    }

    /// Tells if it can match several names.
    #[must_use]
    pub fn is_generic(&self) -> bool {
        self.steps().iter().any(|step| *step <= token::CHARACTER)
    }

    /// The profile of one name; none when the text is no name.
    #[must_use]
    pub fn exact(name: &str) -> Option<Self> {
        let mut tokens = [token::END; TOKENS_MAX];
        tokens.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
        let is_name = !name.is_empty() && name.len() <= LENGTH_MAX && name.bytes().all(is_name_byte);
        is_name.then_some(Self { tokens })
    }

    /// Tells if a name is one of those that are meant.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let (steps, name) = (self.steps(), name.as_bytes());
        let Some(at) = steps.iter().position(|step| *step == token::QUALIFIERS) else {
            return qualifiers(steps).count() == qualifiers(name).count() && begins(steps, name);
        };
        let (before, after) = (&steps[..at], &steps[at + 1..]);
        let asked = part_count(before) + part_count(after);
        asked <= qualifiers(name).count() && begins(before, name) && ends(after, name)
    }

    /// The order of profiles that match the same name, the most specific first. Names come before all others;
    /// from the left, a character beats `?`, that beats the end, that beats `*`, that beats `**`.
    #[must_use]
    pub fn by_specificity(&self, other: &Self) -> Ordering {
        let ranks = |profile: &Self| profile.tokens.map(rank);
        let names = (self.is_generic(), other.is_generic());
        names.0.cmp(&names.1).then_with(|| ranks(self).cmp(&ranks(other))).then_with(|| self.cmp(other))
    }

    /// The characters in front of the first step that can match several texts.
    pub(super) fn beginning(&self) -> &[u8] {
        let length = self.tokens.iter().position(|step| *step <= token::CHARACTER).unwrap_or(TOKENS_MAX);
        &self.tokens[..length]
    }

    /// The steps without the end.
    fn steps(&self) -> &[u8] {
        let end = self.tokens.iter().position(|step| *step == token::END).unwrap_or(TOKENS_MAX);
        &self.tokens[..end]
    }
}

/// The place of a step among those that differ: the end beats `*`, since it leaves less open.
const fn rank(step: u8) -> u8 {
    match step {
        token::CHARACTER => 1,
        token::END => 2,
        token::CHARACTERS => 3,
        token::QUALIFIERS => 4,
        _ => 0,
    }
}

fn qualifiers(name: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    name.split(|byte| *byte == b'.')
}

/// The number of qualifiers beside `**`; there are none where there are no steps.
fn part_count(steps: &[u8]) -> usize {
    if steps.is_empty() { 0 } else { qualifiers(steps).count() }
}

/// Tells if the first qualifiers of a name are those of the steps.
fn begins(steps: &[u8], name: &[u8]) -> bool {
    steps.is_empty() || qualifiers(steps).zip(qualifiers(name)).all(|(steps, own)| fits(steps, own))
}

/// Tells if the last qualifiers of a name are those of the steps.
fn ends(steps: &[u8], name: &[u8]) -> bool {
    let pairs = qualifiers(steps).rev().zip(qualifiers(name).rev());
    steps.is_empty() || { pairs }.all(|(steps, own)| fits(steps, own))
}

/// Matches one qualifier.
fn fits(steps: &[u8], qualifier: &[u8]) -> bool {
    wildcard::matches(steps, qualifier, token::CHARACTERS, |step, byte| {
        step == byte || step == token::CHARACTER
    })
}

impl FromStr for Profile {
    type Err = ProfileError;

    fn from_str(text: &str) -> Result<Self, ProfileError> {
        if text.is_empty() {
            return Err(ProfileError::Blank);
        }
        if text.len() > LENGTH_MAX {
            return Err(ProfileError::TooLong { length: text.chars().count() });
        }
        let is_allowed = |character: char| {
            matches!(character, '?' | '*') || u8::try_from(character).is_ok_and(is_name_byte)
        };
        if let Some((index, character)) = text.chars().enumerate().find(|(_, one)| !is_allowed(*one)) {
            let profile = text.escape_debug().to_string();
            return Err(ProfileError::Character { profile, character, position: index + 1 });
        }
        let asterisks = || ProfileError::Asterisks { profile: text.to_owned() };
        // An empty qualifier beside ** at an end would be lost in the steps.
        if text.starts_with(".**") || text.ends_with("**.") {
            return Err(asterisks());
        }
        let mut tokens = [token::END; TOKENS_MAX];
        let mut length = 0;
        let mut push = |step: u8| {
            tokens[length] = step;
            length += 1;
        };
        let mut needs_dot = false;
        let mut has_qualifiers = false;
        for qualifier in text.split('.') {
            if qualifier == "**" {
                if has_qualifiers {
                    return Err(asterisks());
                }
                has_qualifiers = true;
                push(token::QUALIFIERS);
                needs_dot = false;
                continue;
            }
            if qualifier.contains("**") {
                return Err(asterisks());
            }
            if needs_dot {
                push(b'.');
            }
            qualifier.bytes().for_each(|byte| {
                push(match byte {
                    b'*' => token::CHARACTERS,
                    b'?' => token::CHARACTER,
                    byte => byte,
                });
            });
            needs_dot = true;
        }
        Ok(Self { tokens })
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.steps();
        let mut text = String::with_capacity(LENGTH_MAX);
        for (index, step) in steps.iter().enumerate() {
            match *step {
                token::QUALIFIERS => {
                    let is_first = index == 0;
                    let is_last = index + 1 == steps.len();
                    text.push_str(if is_first { "**" } else { ".**" });
                    text.push_str(if is_last { "" } else { "." });
                }
                token::CHARACTERS => text.push('*'),
                token::CHARACTER => text.push('?'),
                byte => text.push(char::from(byte)),
            }
        }
        formatter.pad(&text)
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Profile({self})")
    }
}
