//! Errors of a selector: the fault, its place, and what would be right.

use mqi::Reason;

use crate::program::{DEPTH_MAX, LENGTH_MAX};

/// Why a text is not a selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {character}, {}: {fault}", quoted(.word))]
pub struct Error {
    /// Where the word begins, in bytes from the start of the text.
    pub position: usize,
    /// That place in characters, from 1.
    pub character: usize,
    /// The word at which reading stopped; empty at the end of the text.
    pub word: String,
    /// The fault.
    pub fault: Fault,
}

/// A fault of a selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The text is longer than the interface allows.
    #[error("a selector has at most {LENGTH_MAX} bytes, this one has {0}")]
    TooLong(usize),
    /// Parentheses, NOT or signs are nested too deep.
    #[error("nested more than {DEPTH_MAX} deep")]
    TooDeep,
    /// A character that begins no word.
    #[error("this character begins no word of a selector{0}")]
    Character(&'static str),
    /// A text without its closing quote.
    #[error("the closing {0} is missing")]
    Unclosed(char),
    /// A number that is none.
    #[error("{0}")]
    Number(&'static str),
    /// Bytes that are not pairs of hexadecimal digits after 0x.
    #[error("bytes are written as \"0x\" and pairs of hexadecimal digits, such as \"0x0AFF\"")]
    Bytes,
    /// Another word was due.
    #[error("expected {0}")]
    Expected(&'static str),
    /// An operand of a type the operator does not take.
    #[error("{0}")]
    Type(&'static str),
    /// An escape that is not one character.
    #[error("ESCAPE takes one character in single quotes")]
    Escape,
    /// The name cannot be that of a property.
    #[error("this cannot be the name of a property: see the rules for names (MQRC_PROPERTY_NAME_ERROR)")]
    Name,
    /// The name is of the message's body, which only an extended selection provider could read.
    #[error(
        "selection by the content of a message is not available; only properties and Root.MQMD. can be named"
    )]
    Content,
}

impl Error {
    pub(crate) fn new(text: &str, position: usize, length: usize, fault: Fault) -> Self {
        let character = text[..position].chars().count() + 1;
        Self { position, character, word: text[position..position + length].to_owned(), fault }
    }

    /// The reason a verb gives for it.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self.fault {
            Fault::Content => Reason::SELECTION_NOT_AVAILABLE,
            Fault::TooLong(_) => Reason::SELECTION_STRING_ERROR,
            _ => Reason::SELECTOR_SYNTAX_ERROR,
        }
    }
}

fn quoted(word: &str) -> String {
    if word.is_empty() { "where the text ends".to_owned() } else { format!("'{word}'") }
}
