//! Commands about what there is not: read as far as it takes to know which they are.

use super::values::Between;
use super::{Fault, Parsed, Parser};
use crate::mqsc::absent::{ABSENT, Absent, AbsentCommand, Naming};
use crate::mqsc::lexer::{Token, TokenKind};

impl Parser<'_> {
    /// Takes the rest of a command if it is one of those; the verb is taken already.
    pub(super) fn absent(&mut self, verb: &str) -> Parsed<Option<Absent>> {
        let Some(Token { kind: TokenKind::Word(word), .. }) = self.peek() else { return Ok(None) };
        let is_meant = |row: &&AbsentCommand| {
            row.verb == verb && (row.subject == word || row.synonyms.contains(&word.as_str()))
        };
        let Some(command) = ABSENT.iter().find(is_meant) else { return Ok(None) };
        self.next += 1;
        let has_name = self.peek_is(&TokenKind::Open);
        let name = match command.naming {
            Naming::Required => Some(self.content(command.subject)?.text),
            Naming::Optional if has_name => Some(self.content(command.subject)?.text),
            Naming::Optional | Naming::None => None,
        };
        let from = self.here().start;
        self.skip_parameters()?;
        let rest = self.text[from.min(self.text.len())..].trim().to_owned();
        Ok(Some(Absent { command, name, rest }))
    }

    /// The second words of such commands.
    pub(super) fn absent_subjects(&self, verb: &str) -> Vec<&'static str> {
        ABSENT.iter().filter(|row| row.verb == verb).map(|row| row.subject).collect()
    }

    /// A verb all of whose commands are such, with another second word.
    pub(super) fn not_a_subject(&self, verb: &str) -> Fault {
        let words = self.absent_subjects(verb);
        let written = self.written().to_ascii_uppercase();
        self.unexpected(&format!("what to {}", verb.to_ascii_lowercase())).expect(&written, words)
    }

    /// Takes words, each with a value in parentheses or without, to the end.
    fn skip_parameters(&mut self) -> Parsed<()> {
        while self.peek().is_some() {
            let is_word = |token: &Token| matches!(token.kind, TokenKind::Word(_));
            if !self.peek().is_some_and(is_word) {
                return Err(self.unexpected("a parameter"));
            }
            let word = self.written().to_ascii_uppercase();
            self.next += 1;
            if self.peek_is(&TokenKind::Open) {
                self.content_of(&word, Between::CommasOrBlanks)?;
            }
        }
        Ok(())
    }
}
