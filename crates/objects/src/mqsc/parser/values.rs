//! Names, values and attributes inside a command.

use std::ops::Range;

use mqi::{NamePattern, ObjectName};

use super::{Fault, Parsed, Parser};
use crate::attributes::{self, Access, Attribute, Kind, Subject};
use crate::mqsc::command::Setting;
use crate::mqsc::lexer::{Token, TokenKind};
use crate::object_type::ObjectType;
use crate::value::{Value, ValueError};

/// What stood between parentheses.
pub(super) struct Content {
    pub(super) text: String,
    pub(super) span: Range<usize>,
    /// Whether it was written outside quotes, and so folded to capitals.
    pub(super) folded: bool,
}

impl Parser<'_> {
    /// Takes `(text)`. Words separated by commas count as one text: `(128_BIT,192_BIT)`.
    pub(super) fn content(&mut self, of: &str) -> Parsed<Content> {
        self.open(of)?;
        let start = self.here().start;
        let mut content = Content { text: String::new(), span: start..start, folded: true };
        loop {
            match self.peek() {
                Some(Token { kind: TokenKind::Word(word), span }) => {
                    content.text.push_str(word);
                    content.span.end = span.end;
                }
                Some(Token { kind: TokenKind::Quoted(text), span }) => {
                    content.text.push_str(text);
                    content.span.end = span.end;
                    content.folded = false;
                }
                _ => break,
            }
            self.next += 1;
            if !self.accept(&TokenKind::Comma) {
                break;
            }
            content.text.push(',');
        }
        self.close(of)?;
        if content.span.is_empty() {
            // Nothing between the parentheses: point at them.
            content.span = start.saturating_sub(1)..start + 1;
        }
        Ok(content)
    }

    /// Takes `(name)`.
    pub(super) fn name(&mut self, of: &str) -> Parsed<ObjectName> {
        let content = self.content(of)?;
        let name: ObjectName = content.text.parse().map_err(|error| name_fault(&content, &error))?;
        if name.is_blank() {
            return Err(Fault::new(content.span, format!("{of} needs a name between the parentheses")));
        }
        Ok(name)
    }

    /// Takes `(name)` or `(NAM*)`.
    pub(super) fn name_pattern(&mut self, of: &str) -> Parsed<NamePattern> {
        let content = self.content(of)?;
        let pattern: NamePattern = content.text.parse().map_err(|error| name_fault(&content, &error))?;
        match pattern {
            NamePattern::Exact(name) if name.is_blank() => Err(Fault::new(
                content.span,
                format!("{of} needs a name between the parentheses, or the beginning of one and *"),
            )),
            pattern => Ok(pattern),
        }
    }

    /// Takes an attribute that DEFINE and ALTER can set, and its value.
    pub(super) fn setting(&mut self, object_type: ObjectType, others: &[&str]) -> Parsed<Setting> {
        let attribute = self.settable(object_type, others)?;
        let word = self.written().to_ascii_uppercase();
        let span = self.here();
        self.next += 1;
        if matches!(attribute.kind, Kind::Switch { .. }) {
            let value = attribute.word_value(&word).map(Value::Integer);
            let value = value.ok_or_else(|| Fault::new(span, format!("{word} is not a value")))?;
            if self.peek_is(&TokenKind::Open) {
                return Err(Fault::new(self.here(), format!("{word} stands alone, without a value")));
            }
            return Ok(Setting { attribute, value });
        }
        let value = self.value(attribute)?;
        Ok(Setting { attribute, value })
    }

    /// Takes `(value)` of an attribute.
    pub(super) fn value(&mut self, attribute: &Attribute) -> Parsed<Value> {
        let content = self.content(attribute.keyword)?;
        self.value_in(attribute, &content)
    }

    pub(super) fn value_in(&self, attribute: &Attribute, content: &Content) -> Parsed<Value> {
        let text = match attribute.kind {
            Kind::Text { .. } => content.text.clone(),
            Kind::Name { .. } => content.text.trim().to_owned(),
            _ => content.text.trim().to_ascii_uppercase(),
        };
        Value::from_mqsc(attribute, &text).map_err(|error| {
            let words: &[_] = match attribute.kind {
                Kind::Choice { words } => words,
                _ => &[],
            };
            let written = if content.text.len() <= 40 { content.text.as_str() } else { "this text" };
            let problem = match &error {
                ValueError::NotAccepted { keyword, .. } if text.is_empty() => {
                    format!("{keyword} needs a value")
                }
                ValueError::NotAccepted { keyword, .. } => format!("{keyword} does not take {written}"),
                error => error.to_string(),
            };
            let fault = Fault::new(content.span.clone(), problem);
            if words.is_empty() {
                match error {
                    ValueError::NotAccepted { expected, .. } => fault.hint(format!("It takes {expected}.")),
                    _ => fault,
                }
            } else {
                fault.expect(&text, words.iter().map(|word| word.text))
            }
        })
    }

    fn settable(&self, object_type: ObjectType, others: &[&str]) -> Parsed<&'static Attribute> {
        let subject = Subject::Object(object_type);
        let settable = || attributes::of(subject).filter(|row| row.access == Access::Alterable);
        let words = || settable().flat_map(|row| words_of(row)).chain(others.iter().copied());
        let Some(Token { kind: TokenKind::Word(word), .. }) = self.peek() else {
            return Err(self.unexpected("an attribute").expect("", words()));
        };
        if let Some(attribute) = settable().find(|row| row.answers_to(word)) {
            return Ok(attribute);
        }
        if attributes::by_keyword(subject, word).is_some() {
            let problem = format!("{word} is set by the queue manager and cannot be given");
            return Err(Fault::new(self.here(), problem));
        }
        let elsewhere: Vec<&str> = ObjectType::all()
            .filter(|other| attributes::by_keyword(Subject::Object(*other), word).is_some())
            .map(ObjectType::keyword)
            .collect();
        let mut fault =
            Fault::new(self.here(), format!("{word} is not an attribute of {}", object_type.keyword()));
        if !elsewhere.is_empty() {
            fault = fault.hint(format!("It is an attribute of {}.", elsewhere.join(" and ")));
        }
        Err(fault.expect(word, words()))
    }
}

/// The words that set a row: both of a switch.
pub(super) fn words_of(row: &Attribute) -> Vec<&'static str> {
    match row.kind {
        Kind::Switch { on, off } => vec![on, off],
        _ => vec![row.keyword],
    }
}

fn name_fault(content: &Content, error: &mqi::NameError) -> Fault {
    let fault = Fault::new(content.span.clone(), error.to_string());
    if content.text.starts_with('"') {
        return fault.hint("Names that are not all capitals stand between single quotes: 'like.this'.");
    }
    fault
}
