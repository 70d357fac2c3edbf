//! From lines to statements: comments left out, continued lines joined, `;` as an end.
//!
//! Always: every byte of a statement knows the line and column it came from.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::secrets;

/// A statement with its continued lines joined, and where its parts came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) text: String,
    /// Ascending by start; the first starts at 0.
    pieces: Vec<Piece>,
}

/// A stretch of a statement that came from one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it begins in the statement, in bytes.
    start: usize,
    /// Its line, counted from 0.
    line: usize,
    /// Where it begins in that line, in bytes.
    offset: usize,
}

impl Joined {
    /// The first line, counted from 1.
    pub(super) fn first_line(&self) -> usize {
        self.pieces.first().map_or(1, |piece| piece.line + 1)
    }

    /// The line, counted from 0, and the byte in it that a byte of the statement came from. The end of a
    /// piece belongs to that piece, so that an error at the end points behind the last word.
    pub(super) fn origin(&self, offset: usize) -> (usize, usize) {
        let index = self.pieces.partition_point(|piece| piece.start <= offset).saturating_sub(1);
        self.pieces.get(index).map_or((0, 0), |piece| (piece.line, piece.offset + (offset - piece.start)))
    }

    fn push(&mut self, text: &str, line: usize, offset: usize) {
        self.pieces.push(Piece { start: self.text.len(), line, offset });
        self.text.push_str(text);
    }

    /// The part of the statement between two of its bytes, as a statement of its own.
    fn part(&self, from: usize, to: usize) -> Self {
        let mut part = Self { text: self.text[from..to].to_owned(), pieces: Vec::new() };
        let (line, offset) = self.origin(from);
        part.pieces.push(Piece { start: 0, line, offset });
        let inside = self.pieces.iter().filter(|piece| piece.start > from && piece.start < to);
        part.pieces.extend(inside.map(|piece| Piece { start: piece.start - from, ..*piece }));
        part
    }
}

/// The statements of a script.
pub(super) fn join(lines: &[&str]) -> Vec<Joined> {
    let mut statements = Vec::new();
    let mut current: Option<Joined> = None;
    let mut reading = Reading::default();
    for (number, line) in lines.iter().enumerate() {
        let Some(content) = reading.take(line) else { continue };
        let mut joined = current.take().unwrap_or_else(|| Joined { text: String::new(), pieces: Vec::new() });
        joined.push(&line[content.clone()], number, content.start);
        if reading.is_continued() {
            current = Some(joined);
        } else {
            split_at_semicolons(&joined, &mut statements);
        }
    }
    if let Some(joined) = current {
        split_at_semicolons(&joined, &mut statements);
    }
    statements
}

/// The lines of a script with an asterisk for each letter of a secret, which may go on over several lines.
pub(super) fn masked(lines: &[&str], statements: &[Joined]) -> Vec<String> {
    let places = |joined: &Joined| -> Vec<(usize, usize)> {
        secrets::places(&joined.text).into_iter().flatten().map(|byte| joined.origin(byte)).collect()
    };
    let secret: BTreeSet<(usize, usize)> = statements.iter().flat_map(places).collect();
    let mask = |(number, line): (usize, &&str)| -> String {
        let letters = line.char_indices();
        let shown = letters.map(|(at, letter)| if secret.contains(&(number, at)) { '*' } else { letter });
        // Comments are no part of a statement.
        secrets::masked(&shown.collect::<String>()).into_owned()
    };
    lines.iter().enumerate().map(mask).collect()
}

/// The state between two lines of a script: for reading one line at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    continuation: Option<Continuation>,
    /// The next line begins inside a quoted text.
    quoted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continuation {
    /// `+`.
    AtFirstCharacter,
    /// `-`.
    AtFirstColumn,
}

impl Reading {
    /// Reads the next line.
    pub fn line(&mut self, line: &str) {
        self.take(line);
    }

    /// Returns true if a statement goes on behind the last line read.
    pub fn is_continued(self) -> bool {
        self.continuation.is_some()
    }

    /// Reads the next line. Returns the part of it that belongs to a statement, in bytes.
    fn take(&mut self, line: &str) -> Option<Range<usize>> {
        if self.says_nothing(line) {
            return None;
        }
        let start = match self.continuation.take() {
            Some(Continuation::AtFirstColumn) => 0,
            _ => line.len() - line.trim_start().len(),
        };
        let (end, is_quoted) = before_comment(line, self.quoted);
        let text = line[..end].trim_end();
        let (text, continuation) = match text.as_bytes().last() {
            _ if end < line.len() => (text, None),
            Some(b'+') => (&text[..text.len() - 1], Some(Continuation::AtFirstCharacter)),
            Some(b'-') => (&text[..text.len() - 1], Some(Continuation::AtFirstColumn)),
            _ => (text, None),
        };
        self.quoted = is_quoted && continuation.is_some();
        self.continuation = continuation;
        Some(start.min(text.len())..text.len())
    }

    /// Returns true for a comment and a blank line. Within a statement only an asterisk in the first column
    /// makes a comment: further in it may be its next word, as the name of `DISPLAY QUEUE(+`. No statement
    /// begins with one.
    fn says_nothing(self, line: &str) -> bool {
        let content = line.trim_start();
        content.is_empty() || line.starts_with('*') || (content.starts_with('*') && !self.is_continued())
    }
}

/// The end of a line without the comment that follows a `;` outside quotes, and whether the line ends inside
/// a quoted text. `is_quoted` says the same of the line before.
fn before_comment(line: &str, mut is_quoted: bool) -> (usize, bool) {
    for (index, byte) in line.bytes().enumerate() {
        match byte {
            b'\'' => is_quoted = !is_quoted,
            b';' if !is_quoted && line[index + 1..].trim_start().starts_with('*') => {
                return (index + 1, false);
            }
            _ => {}
        }
    }
    (line.len(), is_quoted)
}

fn split_at_semicolons(joined: &Joined, statements: &mut Vec<Joined>) {
    let mut start = 0;
    let mut quoted = false;
    let mut keep = |from: usize, to: usize| {
        if !joined.text[from..to].trim().is_empty() {
            statements.push(joined.part(from, to));
        }
    };
    for (index, byte) in joined.text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b';' if !quoted => {
                keep(start, index);
                start = index + 1;
            }
            _ => {}
        }
    }
    keep(start, joined.text.len());
}
