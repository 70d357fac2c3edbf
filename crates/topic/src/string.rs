//! Topic strings: levels with a slash between each two.
//!
//! Always: every level counts, an empty one too, so that `/price` is another topic than `price`; wildcards
//! have no meaning in the topic of a publication or of a topic object, where they are characters like others.

use std::fmt;
use std::sync::Arc;

/// The longest topic string, in bytes: that of the interface (`MQ_TOPIC_STR_LENGTH`).
pub const LENGTH_MAX: usize = 10_240;

/// Separates levels.
pub(crate) const SEPARATOR: char = '/';

/// Why a text is no topic string.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The string is empty.
    #[error("the topic string is empty; name a topic")]
    Empty,
    /// The string is too long.
    #[error("the topic string has {0} bytes and at most {LENGTH_MAX} are possible; shorten it")]
    TooLong(usize),
    /// The string has a character that no topic has.
    #[error("the topic string has a null character at byte {0}; leave it out")]
    Null(usize),
    /// An escape character in front of what needs none.
    #[error(
        "`%` at byte {0} of the topic string is not followed by `*`, `?` or `%`; write `%%` for the character itself"
    )]
    Escape(usize),
}

/// The name of a topic. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TopicString(Arc<str>);

impl TopicString {
    /// Takes a text for the string of a topic.
    ///
    /// # Errors
    /// When it is empty, too long, or has a null character.
    pub fn new(text: &str) -> Result<Self, Error> {
        check(text).map(|()| Self(text.into()))
    }

    /// Takes a text for it that was found to be one, and shares it.
    pub(crate) fn sharing(checked: &Arc<str>) -> Self {
        Self(Arc::clone(checked))
    }

    /// Joins a topic object's string and a text beside it; either may be empty.
    ///
    /// ```
    /// # use topic::TopicString;
    /// let joined = TopicString::joined("Football", "Scores")?;
    /// assert_eq!(joined.as_str(), "Football/Scores");
    /// # Ok::<(), topic::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for one text.
    pub fn joined(of_object: &str, beside: &str) -> Result<Self, Error> {
        match (of_object, beside) {
            ("", alone) | (alone, "") => Self::new(alone),
            (first, second) => Self::new(&format!("{first}{SEPARATOR}{second}")),
        }
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its levels, from the root's child on.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        levels(&self.0)
    }
}

/// The levels of a text; the root, whose text is empty, has none.
pub(crate) fn levels(text: &str) -> impl Iterator<Item = &str> {
    text.split(SEPARATOR).take(if text.is_empty() { 0 } else { usize::MAX })
}

pub(crate) fn check(text: &str) -> Result<(), Error> {
    if text.is_empty() {
        Err(Error::Empty)
    } else if text.len() > LENGTH_MAX {
        Err(Error::TooLong(text.len()))
    } else {
        text.find('\0').map_or(Ok(()), |at| Err(Error::Null(at)))
    }
}

impl fmt::Display for TopicString {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for TopicString {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, LENGTH_MAX, TopicString};

    #[test]
    fn every_level_counts() {
        for (text, levels) in
            [("price", vec!["price"]), ("/price", vec!["", "price"]), ("a//b/", vec!["a", "", "b", ""])]
        {
            let topic = TopicString::new(text).expect("a topic string");
            assert_eq!(topic.levels().collect::<Vec<_>>(), levels, "{text}");
        }
    }

    #[test]
    fn an_object_and_a_text_are_joined_with_a_separator() {
        for (object, text, joined) in [
            ("Football/Scores", "", "Football/Scores"),
            ("", "Football/Scores", "Football/Scores"),
            ("Football", "Scores", "Football/Scores"),
            ("Football", "/Scores", "Football//Scores"),
            ("/Football", "Scores", "/Football/Scores"),
        ] {
            assert_eq!(TopicString::joined(object, text).expect("a topic string").as_str(), joined);
        }
    }

    #[test]
    fn what_is_no_topic_is_refused() {
        assert_eq!(TopicString::new(""), Err(Error::Empty));
        assert_eq!(TopicString::joined("", ""), Err(Error::Empty));
        assert_eq!(TopicString::new("a\0"), Err(Error::Null(1)));
        let half = "x".repeat(LENGTH_MAX / 2);
        assert_eq!(TopicString::joined(&half, &half), Err(Error::TooLong(LENGTH_MAX + 1)));
    }
}
