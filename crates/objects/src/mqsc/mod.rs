//! The language in which an administrator asks for things.
//!
//! Lives here: text to [`Command`]. `lines` joins continued lines into statements, `lexer` cuts a statement
//! into words, `parser` reads them.
//! Lives elsewhere: the form of each command, and its text (`commands`), the attributes that exist
//! (`attributes`), doing what is asked (`queue-manager`).
//!
//! Always: no text makes the parser panic, and an error names a place in the text that was given, also when
//! the statement was continued over several lines.
//!
//! The language: one statement a line, or more with `;` between them. `+` at the end of a line continues it
//! at the first character of the next, `-` at its first column. A line that begins with `*` is a comment,
//! within a continued statement only in the first column, and so is the rest of a line behind `;` that begins
//! with `*`. Text outside quotes is folded to capitals; inside
//! `'…'` it stays as it is, and `''` is one quote. A comma outside quotes is as good as a blank, and a blank
//! between the values of a list as good as a comma.

mod error;
pub(crate) mod filter;
pub(crate) mod lexer;
mod lines;
pub(crate) mod name;
pub(crate) mod parser;
pub(crate) mod setting;
#[cfg(test)]
mod tests;

use std::cell::LazyCell;
use std::collections::VecDeque;

use crate::commands;
pub use crate::commands::{
    Absent, AbsentCommand, Alter, AuthorityChoice, AuthorityRecords, ChannelInstances, CheckedRequest, Clear,
    ClearTopic, Command, ConnectionAnswers, Define, Delete, Display, ENTITIES_MAX, EntityChoice, KEY_END,
    ListenerStep, LogStep, Matching, Missing, Move, OpenType, Page, Part, PingChannel, Recover, Refresh,
    Refreshed, Refreshing, Relation, Replace, Reset, ResetChannel, Resolution, Resolve, ResolveChannel,
    RuleAction, RuleMatch, SetAuthority, SetChannelRule, Shown, StartChannel, StopChannel, StopChannelMode,
    Target, Work, name_of_key,
};
pub use error::{SyntaxError, SyntaxErrors};
pub use filter::{Filter, Operator};
pub use lines::Reading;
pub use name::{Name, Names};
pub use parser::STATEMENT_BYTES_MAX;
pub use setting::Setting;

/// One statement of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The line it begins on, counted from 1.
    pub line: usize,
    /// The statement with its continued lines joined.
    pub text: String,
    /// The command, or its errors.
    pub command: Result<Command, SyntaxError>,
}

/// Reads a script. Each statement comes with its command or its error, so that a wrong one does not hide the
/// rest.
pub fn statements(source: &str) -> Vec<Statement> {
    // Editors put it before a text in UTF-8, where it says nothing and nobody sees it.
    let source = source.strip_prefix('\u{FEFF}').unwrap_or(source);
    let lines: Vec<&str> = source.lines().collect();
    let statements = lines::join(&lines);
    let shown = LazyCell::new(|| lines::masked(&lines, &statements));
    let without_secrets = |error: SyntaxError| {
        let source = shown.get(error.line - 1).cloned().unwrap_or_default();
        SyntaxError { source, ..error }
    };
    statements
        .iter()
        .map(|joined| Statement {
            line: joined.first_line(),
            command: parser::statement(joined, &lines, commands::command).map_err(without_secrets),
            text: joined.text.trim().to_owned(),
        })
        .collect()
}

/// The statements of a script, each read when it is its turn: a long script is never held in another form.
#[derive(Debug)]
pub struct Statements {
    source: Box<str>,
    /// The byte that is read next, and its line, counted from 0.
    next: (usize, usize),
    waiting: VecDeque<Statement>,
}

impl Statements {
    /// The statements of a text whose first line has this number, counted from 1.
    pub fn of(source: &str, first_line: usize) -> Self {
        Self { source: source.into(), next: (0, first_line.saturating_sub(1)), waiting: VecDeque::new() }
    }

    /// Bytes of the text that are not read yet.
    pub fn left(&self) -> usize {
        self.source.len() - self.next.0
    }

    /// Reads a line and those that continue it.
    fn read(&mut self) {
        let (start, before) = self.next;
        let (mut end, mut lines) = (start, 0);
        let mut reading = Reading::default();
        for line in self.source[start..].split_inclusive('\n') {
            end += line.len();
            lines += 1;
            reading
                .line(line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line)));
            if !reading.is_continued() {
                break;
            }
        }
        self.next = (end, before + lines);
        self.waiting.extend(statements(&self.source[start..end]).into_iter().map(|statement| Statement {
            line: statement.line + before,
            text: statement.text,
            command: statement.command.map_err(|error| SyntaxError { line: error.line + before, ..error }),
        }));
    }
}

impl Iterator for Statements {
    type Item = Statement;

    fn next(&mut self) -> Option<Statement> {
        while self.waiting.is_empty() && self.left() > 0 {
            self.read();
        }
        self.waiting.pop_front()
    }
}

/// Reads a script of which every statement must be right.
pub fn parse(source: &str) -> Result<Vec<Command>, SyntaxErrors> {
    let mut commands = Vec::new();
    let mut errors = Vec::new();
    for statement in statements(source) {
        match statement.command {
            Ok(command) => commands.push(command),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(commands) } else { Err(SyntaxErrors(errors)) }
}

/// Returns true if the last line typed so far asks to be continued.
pub fn is_continued(source: &str) -> bool {
    let mut reading = Reading::default();
    source.lines().for_each(|line| reading.line(line));
    reading.is_continued()
}

/// Returns true for a line that ends the input: END, EXIT, QUIT or STOP, with or without a `;`.
pub fn is_end(line: &str) -> bool {
    let word = line.trim().trim_end_matches(';').trim_end();
    ["END", "EXIT", "QUIT", "STOP"].iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// The words that can stand at the end of an unfinished statement, for completion; those that begin with what
/// is typed of the last one.
pub fn completions(unfinished: &str) -> Vec<String> {
    let word_start = unfinished.rfind([' ', '(', ')', ',', '\'', ';', '\n']).map_or(0, |index| index + 1);
    let (before, begun) = unfinished.split_at(word_start);
    // A word that nothing accepts makes the parser say what it would accept.
    let is_inside = before.matches('(').count() > before.matches(')').count();
    let probe = format!("{before}\u{1}{}", if is_inside { ")" } else { "" });
    let begun = begun.to_ascii_uppercase();
    match statements(&probe).pop().map(|statement| statement.command) {
        Some(Err(error)) => error.expected.into_iter().filter(|word| word.starts_with(&begun)).collect(),
        Some(Ok(_)) | None => Vec::new(),
    }
}
