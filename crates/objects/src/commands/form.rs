//! The form of a command and of a question: the words, the number, the length of the work, and the readers of
//! both forms. A family has one for each of its commands.

use crate::mqsc::parser::{Parsed, Parser};
use crate::pcf::parameters::{Parameters, Read};

use super::display::{Display, Target};

/// The time that the work of a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Others may wait for it.
    Short,
    /// Longer than others should wait: it moves messages, or reads the disk.
    Long,
    /// Long where it shows which media images there are, and the log is kept.
    OfImages,
}

/// The facts about a command that do not depend on its parameters.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// Its first word.
    pub(super) verb: &'static str,
    /// Its second word.
    pub(super) subject: &'static str,
    /// Other spellings of the second word.
    pub(super) synonyms: &'static [&'static str],
    /// The time that it takes.
    pub(super) work: Work,
    /// Its number in binary form; zero for a command that comes within an Escape.
    pub(super) number: i32,
}

/// A command that is not about definitions.
pub(super) struct Form<T> {
    pub(super) head: Head,
    /// Reads the text that follows the two words.
    pub(super) text: fn(&mut Parser<'_>) -> Parsed<T>,
    /// Reads the parameters of a message.
    pub(super) read: fn(&mut Parameters) -> Read<T>,
}

/// A subject of DISPLAY besides definitions.
pub(super) struct Question {
    /// The word that follows DISPLAY.
    pub(super) keyword: &'static str,
    /// Other spellings of it.
    pub(super) synonyms: &'static [&'static str],
    /// The time that the answer takes.
    pub(super) work: Work,
    /// The number of the question.
    pub(super) number: i32,
    /// Reads the names that follow the word.
    pub(super) text: fn(&mut Parser<'_>) -> Parsed<Target>,
    /// Reads the parameters of a message.
    pub(super) read: fn(&mut Parameters) -> Read<Display>,
}

impl Head {
    /// Returns true for the second word, in any spelling.
    pub(super) fn is_subject(&self, word: &str) -> bool {
        self.subject == word || self.synonyms.contains(&word)
    }
}

impl Question {
    /// Returns true for the word, in any spelling.
    pub(super) fn is_meant(&self, word: &str) -> bool {
        self.keyword == word || self.synonyms.contains(&word)
    }
}
