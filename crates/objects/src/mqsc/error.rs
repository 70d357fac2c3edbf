//! Errors of a statement: the problem, its place, and what would be right.

use std::fmt;

use crate::harmless::is_harmful;
use crate::messages::{self, Message};

/// A statement that is no command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line of the script, counted from 1.
    pub line: usize,
    /// The character in that line, counted from 1.
    pub column: usize,
    /// Characters that are wrong; at least 1, also at the end of a line.
    pub length: usize,
    /// The line as it was given, with an asterisk for each letter of a secret.
    pub source: String,
    /// The problem: a sentence without its full stop.
    pub problem: String,
    /// The words that would do here; empty when it is not a matter of a few words.
    pub expected: Vec<String>,
    /// Advice, when there is more to say: a sentence.
    pub hint: Option<String>,
}

/// Everything that is wrong with a script; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxErrors(pub Vec<SyntaxError>);

/// Most words an error lists beside a hint; beyond that the nearest is enough.
const LISTED_MAX: usize = 10;

/// Most words an error lists without a hint: all commands and all subjects of one, and not all attributes.
const LISTED_ALONE_MAX: usize = 40;

/// Most characters of a line that an error repeats to either side of the fault.
const CONTEXT_MAX: usize = 60;

impl SyntaxError {
    /// The line with a caret under each character that is wrong, both indented.
    pub fn pointer(&self) -> String {
        let characters: Vec<char> = self
            .source
            .chars()
            .map(|character| if is_harmful(character) { ' ' } else { character })
            .collect();
        let start = (self.column - 1).min(characters.len());
        let end = (start + self.length).min(characters.len()).max(start);
        let from = start.saturating_sub(CONTEXT_MAX);
        let to = (end.min(start + CONTEXT_MAX) + CONTEXT_MAX).min(characters.len());
        let carets = (end - start).clamp(1, CONTEXT_MAX);
        let mut text = String::from("     ");
        text.extend(&characters[from..to]);
        text.push_str("\n     ");
        text.extend(std::iter::repeat_n(' ', start - from));
        text.extend(std::iter::repeat_n('^', carets));
        text
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Line {}, column {}: {}.\n{}",
            self.line,
            self.column,
            self.problem,
            self.pointer()
        )?;
        if let Some(hint) = &self.hint {
            write!(formatter, "\n     {hint}")?;
        }
        let listed_max = if self.hint.is_some() { LISTED_MAX } else { LISTED_ALONE_MAX };
        let (first, others) = match self.expected.as_slice() {
            [] => return Ok(()),
            words if words.len() > listed_max => return Ok(()),
            [first, others @ ..] => (first, others),
        };
        write!(formatter, "\n     Expected {first}")?;
        for (index, word) in others.iter().enumerate() {
            let separator = if index + 1 == others.len() { " or " } else { ", " };
            write!(formatter, "{separator}{word}")?;
        }
        formatter.write_str(".")
    }
}

impl std::error::Error for SyntaxError {}

impl From<SyntaxError> for Message {
    fn from(error: SyntaxError) -> Self {
        Self::new(&messages::SYNTAX_ERROR, [error])
    }
}

impl fmt::Display for SyntaxErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            error.fmt(formatter)?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxErrors {}

/// The word nearest to one that was mistyped, if one is near enough to be meant.
pub(super) fn nearest<'words>(
    word: &str,
    candidates: impl Iterator<Item = &'words str>,
) -> Option<&'words str> {
    /// Longer words are no keyword with a slip in it.
    const LENGTH_MAX: usize = 24;
    if word.len() > LENGTH_MAX || !word.is_ascii() {
        return None;
    }
    let slips_max = (word.len() / 3).clamp(1, 3);
    candidates
        .map(|candidate| (distance(word.as_bytes(), candidate.as_bytes()), candidate))
        .filter(|(slips, _)| *slips <= slips_max)
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// Returns how many characters must be added, removed, replaced or exchanged with their neighbour to get from
/// one word to the other.
fn distance(from: &[u8], to: &[u8]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, from_byte) in from.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, to_byte) in to.iter().enumerate() {
            let replaced = last[column] + usize::from(from_byte != to_byte);
            let mut least = replaced.min(last[column + 1] + 1).min(current[column] + 1);
            let exchanged =
                row > 0 && column > 0 && *from_byte == to[column - 1] && from[row - 1] == *to_byte;
            if exchanged {
                least = least.min(before_last[column - 1] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[to.len()]
}
