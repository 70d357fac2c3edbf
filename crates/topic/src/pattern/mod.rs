//! Patterns of subscriptions: one topic, or wildcards of one of two kinds.
//!
//! - **Levels** (`MQSO_WILDCARD_TOPIC`): `+` alone in a level stands for one level, `#` alone for any number,
//!   none included. Beside other characters of a level both are characters like others.
//! - **Characters** (`MQSO_WILDCARD_CHAR`): `?` stands for one character, `*` for any number, none included,
//!   and a slash is a character like others. `%` before `*`, `?` or `%` makes it a plain character.
//!
//! Lives elsewhere: finding all patterns that fit a topic (`levels`, `characters`).

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use crate::string::{self, Error, SEPARATOR, TopicString};

/// Takes away the meaning of a wildcard for characters.
const ESCAPE: char = '%';

/// The wildcards that a pattern may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wildcards {
    /// `+` and `#`, for whole levels.
    #[default]
    Levels,
    /// `?` and `*`, for characters.
    Characters,
}

/// The topics a subscription wants. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    text: Arc<str>,
    wildcards: Wildcards,
    reach: Reach,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Reach {
    /// One topic.
    One(TopicString),
    /// As many as fit; so many levels stand before the first wildcard.
    Many { fixed_levels: u32 },
}

/// A pattern's demand on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level<'a> {
    Exact(&'a str),
    One,
    Many,
}

/// A piece of a pattern of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    One,
    Many,
}

impl Pattern {
    /// Takes a text for a pattern.
    ///
    /// # Errors
    /// When it could be no topic's string either, or escapes what needs no escape.
    pub fn new(text: &str, wildcards: Wildcards) -> Result<Self, Error> {
        string::check(text)?;
        let whole: Arc<str> = text.into();
        let reach = match wildcards {
            Wildcards::Levels => {
                match text.split(SEPARATOR).position(|level| !matches!(level_of(level), Level::Exact(_))) {
                    Some(before) => Reach::Many { fixed_levels: count(before) },
                    None => Reach::One(TopicString::sharing(&whole)),
                }
            }
            Wildcards::Characters => match &parts(text)?[..] {
                [Part::Text(only)] if *only == *text => Reach::One(TopicString::sharing(&whole)),
                [Part::Text(only)] => Reach::One(TopicString::new(only)?),
                [Part::Text(before), ..] => {
                    Reach::Many { fixed_levels: count(before.matches(SEPARATOR).count()) }
                }
                _ => Reach::Many { fixed_levels: 0 },
            },
        };
        Ok(Self { text: whole, wildcards, reach })
    }

    /// Its text, as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the wildcards that it may have.
    #[must_use]
    pub const fn wildcards(&self) -> Wildcards {
        self.wildcards
    }

    /// The one topic it means, when it has no wildcard.
    #[must_use]
    pub const fn topic(&self) -> Option<&TopicString> {
        match &self.reach {
            Reach::One(topic) => Some(topic),
            Reach::Many { .. } => None,
        }
    }

    /// Returns true if a topic matches.
    #[must_use]
    pub fn matches(&self, topic: &TopicString) -> bool {
        match (&self.reach, self.wildcards) {
            (Reach::One(only), _) => only == topic,
            (Reach::Many { .. }, Wildcards::Levels) => {
                let levels: Vec<_> = self.levels().collect();
                let topic: Vec<_> = topic.levels().collect();
                fits(
                    &levels,
                    &topic,
                    |level| *level == Level::Many,
                    |level, text| match level {
                        Level::Exact(wanted) => wanted == text,
                        Level::One | Level::Many => true,
                    },
                )
            }
            (Reach::Many { .. }, Wildcards::Characters) => {
                let mut steps = Vec::new();
                for part in self.parts() {
                    match part {
                        Part::Text(text) => steps.extend(text.chars().map(Step::Exact)),
                        Part::One => steps.push(Step::One),
                        Part::Many => steps.push(Step::Many),
                    }
                }
                let topic: Vec<_> = topic.as_str().chars().collect();
                fits(
                    &steps,
                    &topic,
                    |step| *step == Step::Many,
                    |step, character| match step {
                        Step::Exact(wanted) => wanted == character,
                        Step::One | Step::Many => true,
                    },
                )
            }
        }
    }

    /// Returns true if more levels stand before its first wildcard than before that of another; a pattern
    /// without wildcards says most.
    #[must_use]
    pub fn says_more_than(&self, other: &Self) -> bool {
        match (self.fixed_levels(), other.fixed_levels()) {
            (None, Some(_)) => true,
            (None | Some(_), None) => false,
            (Some(one), Some(other)) => one > other,
        }
    }

    /// Returns true if it is found by its levels, and false if by its characters.
    pub(crate) fn is_of_levels(&self) -> bool {
        self.wildcards == Wildcards::Levels || self.topic().is_some()
    }

    /// The place of the tree where its wildcards begin, or its topic if it has none.
    #[must_use]
    pub fn fixed_part(&self) -> &str {
        match &self.reach {
            Reach::One(topic) => topic.as_str(),
            Reach::Many { fixed_levels: 0 } => "",
            Reach::Many { fixed_levels } => {
                let end = self.text.match_indices(SEPARATOR).nth(*fixed_levels as usize - 1);
                end.map_or("", |(at, _)| &self.text[..at])
            }
        }
    }

    /// Returns the number of levels before the first wildcard; none for one topic.
    pub(crate) fn fixed_levels(&self) -> Option<u32> {
        match &self.reach {
            Reach::One(_) => None,
            Reach::Many { fixed_levels } => Some(*fixed_levels),
        }
    }

    /// Its levels; `#` next to `#` says nothing more.
    pub(crate) fn levels(&self) -> impl Iterator<Item = Level<'_>> {
        let (text, may_be_wild) = match &self.reach {
            Reach::One(topic) => (topic.as_str(), false),
            Reach::Many { .. } => (self.as_str(), true),
        };
        let mut was_many = false;
        text.split(SEPARATOR)
            .map(move |level| if may_be_wild { level_of(level) } else { Level::Exact(level) })
            .filter(move |level| {
                let is_many = *level == Level::Many;
                let is_again = is_many && was_many;
                was_many = is_many;
                !is_again
            })
    }

    /// Its pieces as a pattern of characters; `*` next to `*` says nothing more.
    pub(crate) fn parts(&self) -> Vec<Part> {
        parts(&self.text).expect("it was read when the pattern was made")
    }
}

/// A pattern's demand on a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Exact(char),
    One,
    Many,
}

fn level_of(text: &str) -> Level<'_> {
    match text {
        "+" => Level::One,
        "#" => Level::Many,
        _ => Level::Exact(text),
    }
}

fn parts(pattern: &str) -> Result<Vec<Part>, Error> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut characters = pattern.char_indices();
    while let Some((at, character)) = characters.next() {
        let wild = match character {
            ESCAPE => match characters.next() {
                Some((_, escaped @ ('*' | '?' | ESCAPE))) => {
                    text.push(escaped);
                    continue;
                }
                _ => return Err(Error::Escape(at)),
            },
            '?' => Part::One,
            '*' => Part::Many,
            _ => {
                text.push(character);
                continue;
            }
        };
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        if wild != Part::Many || parts.last() != Some(&Part::Many) {
            parts.push(wild);
        }
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

/// Returns true if a sequence matches a pattern. Where the pattern allows any number, as few as possible are
/// taken at first, and one more each time the rest does not fit. Only the last such place has to be tried
/// again.
fn fits<P, T>(
    pattern: &[P],
    sequence: &[T],
    is_many: impl Fn(&P) -> bool,
    fits_one: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut asked, mut at) = (0, 0);
    let mut again = None;
    while at < sequence.len() {
        match pattern.get(asked) {
            Some(step) if is_many(step) => {
                asked += 1;
                again = Some((asked, at));
            }
            Some(step) if fits_one(step, &sequence[at]) => (asked, at) = (asked + 1, at + 1),
            _ => {
                let Some((after, taken)) = again else { return false };
                again = Some((after, taken + 1));
                (asked, at) = (after, taken + 1);
            }
        }
    }
    pattern[asked..].iter().all(is_many)
}

fn count(levels: usize) -> u32 {
    u32::try_from(levels).expect("a topic string has fewer levels than bytes")
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(formatter)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} by {:?}", self.text, self.wildcards)
    }
}
