//! From lines to statements: comments left out, continued lines joined, `;` as an end.
//!
//! Always: every byte of a statement knows the line and column it came from.

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
    let mut current: Option<(Joined, Continuation)> = None;
    for (number, line) in lines.iter().enumerate() {
        if says_nothing(line, current.is_some()) {
            continue;
        }
        let (mut joined, from_first_column) = match current.take() {
            Some((joined, continuation)) => (joined, continuation == Continuation::AtFirstColumn),
            None => (Joined { text: String::new(), pieces: Vec::new() }, false),
        };
        let skipped = if from_first_column { 0 } else { line.len() - line.trim_start().len() };
        let (content, continuation) = split_continuation(line);
        joined.push(content.get(skipped..).unwrap_or_default(), number, skipped);
        match continuation {
            Some(continuation) => current = Some((joined, continuation)),
            None => split_at_semicolons(&joined, &mut statements),
        }
    }
    if let Some((joined, _)) = current {
        split_at_semicolons(&joined, &mut statements);
    }
    statements
}

/// Returns true if a statement goes on behind this line; `is_continued` says the same of the line before.
pub(super) fn continues(line: &str, is_continued: bool) -> bool {
    if says_nothing(line, is_continued) { is_continued } else { split_continuation(line).1.is_some() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Continuation {
    /// `+`.
    AtFirstCharacter,
    /// `-`.
    AtFirstColumn,
}

/// Returns true for a comment and a blank line. Within a statement only an asterisk in the first column makes
/// a comment: further in it may be its next word, as the name of `DISPLAY QUEUE(+`. No statement begins with
/// one.
fn says_nothing(line: &str, is_continued: bool) -> bool {
    let content = line.trim_start();
    content.is_empty() || line.starts_with('*') || (content.starts_with('*') && !is_continued)
}

fn split_continuation(line: &str) -> (&str, Option<Continuation>) {
    let content = line.trim_end();
    if let Some(content) = content.strip_suffix('+') {
        (content, Some(Continuation::AtFirstCharacter))
    } else if let Some(content) = content.strip_suffix('-') {
        (content, Some(Continuation::AtFirstColumn))
    } else {
        (content, None)
    }
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
