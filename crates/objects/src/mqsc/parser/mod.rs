//! From words to a command.
//!
//! Lives here: reading tokens one after the other, and saying what was expected where; `values` reads values
//! and names.
//! Lives elsewhere: the forms of the commands (`commands`).

mod values;

use std::ops::Range;

use super::error::{SyntaxError, nearest};
use super::lexer::{Token, TokenKind, tokens};
use super::lines::Joined;
use crate::secrets;
pub(crate) use values::{Between, Content, words_of};

/// Most bytes of one statement, continued lines joined: the interface's own limit.
pub const STATEMENT_BYTES_MAX: usize = mqi::constants::MQ_COMMAND_MQSC_LENGTH;

/// Reads one statement; `lines` are those of its script, for errors to show.
pub(super) fn statement<T>(
    joined: &Joined,
    lines: &[&str],
    command: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
) -> Result<T, SyntaxError> {
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
    command(&mut parser).map_err(fault)
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
pub(crate) struct Fault {
    span: Range<usize>,
    problem: String,
    expected: Vec<String>,
    hint: Option<String>,
}

pub(crate) type Parsed<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(span: Range<usize>, problem: impl Into<String>) -> Self {
        Self { span, problem: problem.into(), expected: Vec::new(), hint: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says which words would do, and which of them was likely meant by the one that stands there.
    pub(crate) fn expect<'words>(
        mut self,
        written: &str,
        words: impl IntoIterator<Item = &'words str>,
    ) -> Self {
        let words: Vec<&str> = words.into_iter().collect();
        if self.hint.is_none() {
            self.hint =
                nearest(written, words.iter().copied()).map(|nearest| format!("Did you mean {nearest}?"));
        }
        self.expected = words.into_iter().map(str::to_owned).collect();
        self
    }

    pub(super) fn locate(self, joined: &Joined, lines: &[&str]) -> SyntaxError {
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

pub(crate) struct Parser<'text> {
    pub(crate) text: &'text str,
    pub(crate) tokens: Vec<Token>,
    pub(crate) next: usize,
}

impl Parser<'_> {
    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    pub(crate) fn peek_is(&self, kind: &TokenKind) -> bool {
        self.peek().is_some_and(|token| token.kind == *kind)
    }

    /// Returns true if the next token is this word.
    pub(crate) fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: TokenKind::Word(word), .. }) if word == wanted)
    }

    /// Takes the next token if it is this sign.
    pub(crate) fn accept(&mut self, kind: &TokenKind) -> bool {
        let is_there = self.peek_is(kind);
        self.next += usize::from(is_there);
        is_there
    }

    /// The place behind the last token, where something is missing.
    pub(crate) fn end(&self) -> Range<usize> {
        let end = self.tokens.last().map_or(self.text.len(), |token| token.span.end);
        end..end
    }

    /// The place of the next token, or of the end.
    pub(crate) fn here(&self) -> Range<usize> {
        self.peek().map_or_else(|| self.end(), |token| token.span.clone())
    }

    /// The next token as it was written.
    pub(crate) fn written(&self) -> &str {
        self.peek().map_or("", |token| &self.text[token.span.clone()])
    }

    /// A fault at the next token, which is not what was expected.
    pub(crate) fn unexpected(&self, expectation: &str) -> Fault {
        match self.peek() {
            Some(Token { span, .. }) => {
                let is_secret = secrets::places(self.text)
                    .iter()
                    .any(|place| place.start < span.end && span.start < place.end);
                let written = if is_secret { secrets::SIGN } else { self.written() };
                Fault::new(self.here(), format!("{written} stands where {expectation} was expected"))
            }
            None => Fault::new(self.end(), format!("the statement ends where {expectation} was expected")),
        }
    }

    /// Takes the next word, which must be one that `meaning` knows.
    pub(crate) fn word_of<T>(
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

    pub(crate) fn open(&mut self, after: &str) -> Parsed<()> {
        if self.accept(&TokenKind::Open) {
            return Ok(());
        }
        Err(self.unexpected(&format!("( after {after}")))
    }

    pub(crate) fn close(&mut self, of: &str) -> Parsed<()> {
        if self.accept(&TokenKind::Close) {
            return Ok(());
        }
        let mut fault = self.unexpected(&format!(") after the value of {of}"));
        if matches!(self.peek(), Some(Token { kind: TokenKind::Word(_) | TokenKind::Quoted(_), .. })) {
            fault = fault.hint("Put text with blanks or quotes in it between single quotes: 'like this'.");
        }
        Err(fault)
    }

    /// Takes `(WORD)`, one of a few.
    pub(crate) fn one_of<T: Copy>(&mut self, of: &str, words: &[(&str, T)]) -> Parsed<T> {
        let content = self.content(of)?;
        let written = content.text.trim().to_ascii_uppercase();
        let found = words.iter().find(|(word, _)| *word == written).map(|(_, meaning)| *meaning);
        found.ok_or_else(|| {
            Fault::new(content.span, format!("{of} does not take {written}"))
                .expect(&written, words.iter().map(|(word, _)| *word))
        })
    }

    /// Takes the word of an option, which may come once: `said` has those that came before.
    pub(crate) fn option<'word>(
        &mut self,
        expectation: &str,
        words: &[&'word str],
        said: &mut Vec<&'word str>,
    ) -> Parsed<&'word str> {
        let known = |word: &str| words.iter().find(|known| **known == word).copied();
        let word = self.word_of(expectation, words, known)?;
        if said.contains(&word) {
            return Err(self.repeated(word));
        }
        said.push(word);
        Ok(word)
    }

    pub(crate) fn repeated(&self, what: &str) -> Fault {
        Fault::new(self.here(), format!("{what} is given twice"))
    }
}
