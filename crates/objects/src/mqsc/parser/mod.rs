//! From words to a command.
//!
//! Lives here: reading tokens one after the other, and saying what was expected where. The forms of the
//! commands are in `forms`, conditions in `conditions`, values and names in `values`, commands about absent
//! things in `absent`.

mod absent;
mod conditions;
mod forms;
mod managing;
mod values;

use std::ops::Range;

use super::STATEMENT_BYTES_MAX;
use super::command::Command;
use super::error::{SyntaxError, nearest};
use super::lexer::{Token, TokenKind, tokens};
use super::lines::Joined;

/// Reads one statement; `lines` are those of its script, for errors to show.
pub(super) fn statement(joined: &Joined, lines: &[&str]) -> Result<Command, SyntaxError> {
    let fault = |fault: Fault| fault.locate(joined, lines);
    if joined.text.len() > STATEMENT_BYTES_MAX {
        let problem = format!(
            "the statement has {} bytes where at most {STATEMENT_BYTES_MAX} are allowed",
            joined.text.len()
        );
        return Err(fault(Fault::new(0..1, problem)));
    }
    let tokens = tokens(&joined.text).map_err(|unclosed| {
        fault(
            Fault::new(unclosed.offset..unclosed.offset + 1, "this quote is not closed")
                .hint("Write '' for a quote inside quoted text."),
        )
    })?;
    let mut parser = Parser { text: &joined.text, tokens: without_idle_commas(tokens), next: 0 };
    let command = parser.command().map_err(fault)?;
    Ok(command)
}

/// The words without those commas that say no more than a blank: all but one between two values.
fn without_idle_commas(tokens: Vec<Token>) -> Vec<Token> {
    let mut depth = 0_usize;
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let follows_comma = kept.last().is_some_and(|last| last.kind == TokenKind::Comma);
        match token.kind {
            TokenKind::Comma => {
                let follows_value =
                    kept.last().is_some_and(|last| !matches!(last.kind, TokenKind::Open | TokenKind::Comma));
                if depth == 0 || !follows_value {
                    continue;
                }
            }
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if follows_comma {
                    kept.pop();
                }
            }
            TokenKind::Word(_) | TokenKind::Quoted(_) => {}
        }
        kept.push(token);
    }
    kept
}

/// A problem, by its place in the statement.
#[derive(Debug)]
struct Fault {
    span: Range<usize>,
    problem: String,
    expected: Vec<String>,
    hint: Option<String>,
}

type Parsed<T> = Result<T, Fault>;

impl Fault {
    fn new(span: Range<usize>, problem: impl Into<String>) -> Self {
        Self { span, problem: problem.into(), expected: Vec::new(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says which words would do, and which of them was likely meant by the one that stands there.
    fn expect<'words>(mut self, written: &str, words: impl IntoIterator<Item = &'words str>) -> Self {
        let words: Vec<&str> = words.into_iter().collect();
        if self.hint.is_none() {
            self.hint =
                nearest(written, words.iter().copied()).map(|nearest| format!("Did you mean {nearest}?"));
        }
        self.expected = words.into_iter().map(str::to_owned).collect();
        self
    }

    fn locate(self, joined: &Joined, lines: &[&str]) -> SyntaxError {
        let (line, offset) = joined.origin(self.span.start);
        let source = lines.get(line).copied().unwrap_or_default();
        let before = source.get(..offset).unwrap_or(source);
        let length = joined.text.get(self.span).unwrap_or_default().chars().count();
        SyntaxError {
            line: line + 1,
            column: before.chars().count() + 1,
            length: length.max(1),
            source: source.to_owned(),
            problem: self.problem,
            expected: self.expected,
            hint: self.hint,
        }
    }
}

struct Parser<'text> {
    text: &'text str,
    tokens: Vec<Token>,
    next: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn peek_is(&self, kind: &TokenKind) -> bool {
        self.peek().is_some_and(|token| token.kind == *kind)
    }

    /// Takes the next token if it is this sign.
    fn accept(&mut self, kind: &TokenKind) -> bool {
        let is_there = self.peek_is(kind);
        self.next += usize::from(is_there);
        is_there
    }

    /// The place behind the last token, where something is missing.
    fn end(&self) -> Range<usize> {
        let end = self.tokens.last().map_or(self.text.len(), |token| token.span.end);
        end..end
    }

    /// The place of the next token, or of the end.
    fn here(&self) -> Range<usize> {
        self.peek().map_or_else(|| self.end(), |token| token.span.clone())
    }

    /// The next token as it was written.
    fn written(&self) -> &str {
        self.peek().map_or("", |token| &self.text[token.span.clone()])
    }

    /// A fault at the next token, which is not what was expected.
    fn unexpected(&self, expectation: &str) -> Fault {
        match self.peek() {
            Some(_) => {
                Fault::new(self.here(), format!("{} stands where {expectation} was expected", self.written()))
            }
            None => Fault::new(self.end(), format!("the statement ends where {expectation} was expected")),
        }
    }

    /// Takes the next word, which must be one that `meaning` knows.
    fn word_of<T>(
        &mut self,
        expectation: &str,
        words: &[&str],
        meaning: impl Fn(&str) -> Option<T>,
    ) -> Parsed<T> {
        let written = match self.peek() {
            Some(Token { kind: TokenKind::Word(word), .. }) => word.clone(),
            _ => return Err(self.unexpected(expectation).expect("", words.iter().copied())),
        };
        match meaning(&written) {
            Some(meaning) => {
                self.next += 1;
                Ok(meaning)
            }
            None => Err(self.unexpected(expectation).expect(&written, words.iter().copied())),
        }
    }

    fn open(&mut self, after: &str) -> Parsed<()> {
        if self.accept(&TokenKind::Open) {
            return Ok(());
        }
        Err(self.unexpected(&format!("( after {after}")))
    }

    fn close(&mut self, of: &str) -> Parsed<()> {
        if self.accept(&TokenKind::Close) {
            return Ok(());
        }
        let mut fault = self.unexpected(&format!(") after the value of {of}"));
        if matches!(self.peek(), Some(Token { kind: TokenKind::Word(_) | TokenKind::Quoted(_), .. })) {
            fault = fault.hint("Put text with blanks or quotes in it between single quotes: 'like this'.");
        }
        Err(fault)
    }
}
