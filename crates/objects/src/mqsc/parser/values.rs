//! Names, values and attributes inside a command.

use std::ops::Range;

use mqi::{NamePattern, ObjectName};

use super::{Fault, Parsed, Parser};
use crate::attributes::{self, Access, Attribute, Kind, Subject};
use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::name::{Name, Names};
use crate::mqsc::setting::{Change, Setting};
use crate::object_type::{Family, ObjectType};
use crate::value::{Value, ValueError};

/// The content of parentheses.
pub(crate) struct Content {
    /// The parts between commas.
    pub(crate) parts: Vec<String>,
    /// The parts with commas between them.
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
    /// It was written outside quotes, and so folded to capitals.
    pub(crate) folded: bool,
}

/// Separators of values in parentheses. Where there is one value, a blank is more likely part of a text that
/// lacks its quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    Commas,
    CommasOrBlanks,
}

impl Parser<'_> {
    /// Takes `(text)`. Words separated by commas count as one text: `(128_BIT,192_BIT)`.
    pub(crate) fn content(&mut self, of: &str) -> Parsed<Content> {
        self.content_of(of, Between::Commas)
    }

    pub(crate) fn content_of(&mut self, of: &str, between: Between) -> Parsed<Content> {
        self.open(of)?;
        let start = self.here().start;
        let mut content =
            Content { parts: Vec::new(), text: String::new(), span: start..start, folded: true };
        loop {
            match self.peek() {
                Some(Token { kind: TokenKind::Word(word), span }) => {
                    content.parts.push(word.clone());
                    content.span.end = span.end;
                }
                Some(Token { kind: TokenKind::Quoted(text), span }) => {
                    content.parts.push(text.clone());
                    content.span.end = span.end;
                    content.folded = false;
                }
                _ => break,
            }
            self.next += 1;
            if !self.accept(&TokenKind::Comma) && between == Between::Commas {
                break;
            }
        }
        content.text = content.parts.join(",");
        self.close(of)?;
        if content.span.is_empty() {
            // Nothing between the parentheses: point at them.
            content.span = start.saturating_sub(1)..start + 1;
        }
        Ok(content)
    }

    /// Takes `(name)` of an object of this type, or ` SUBID(digits)` of a subscription.
    pub(crate) fn object_name(&mut self, object_type: ObjectType) -> Parsed<Name> {
        if object_type == ObjectType::Subscription
            && let Some(digits) = self.subscription_identifier()?
        {
            return Ok(Name::SubscriptionIdentifier(digits));
        }
        self.name_of_type(object_type.keyword(), object_type)
    }

    /// Takes `(name)`, with the characters and the length that names of this type have.
    pub(crate) fn name_of_type(&mut self, of: &str, object_type: ObjectType) -> Parsed<Name> {
        let length_max = object_type.name_length_max();
        if object_type.family() == Family::Subscription {
            let content = self.content(of)?;
            let text = content.text.trim_end_matches(' ');
            let problem = match text.len() {
                0 => format!("{of} needs a name between the parentheses"),
                length if length > length_max => {
                    format!("{of} takes at most {length_max} bytes, this is {length}")
                }
                _ if text.chars().any(char::is_control) => {
                    format!("{of} takes text without control characters")
                }
                _ => return Ok(Name::Subscription(text.into())),
            };
            return Err(Fault::new(content.span, problem));
        }
        let before = self.next;
        let name = self.name(of)?;
        if name.as_str().len() > length_max {
            let span = self.tokens[before + 1].span.clone();
            let noun = object_type.noun().to_lowercase();
            let problem = format!("the name of a {noun} has at most {length_max} characters");
            return Err(Fault::new(span, problem));
        }
        Ok(Name::Object(name))
    }

    /// Takes what DISPLAY SUB is about.
    pub(crate) fn subscription_names(&mut self) -> Parsed<Names> {
        if let Some(digits) = self.subscription_identifier()? {
            return Ok(Names::SubscriptionIdentifier(digits));
        }
        let content = self.content("SUB")?;
        let text = content.text.trim_end_matches(' ');
        if text.is_empty() {
            let problem = "SUB needs a name between the parentheses, or the beginning of one and *";
            return Err(Fault::new(content.span, problem));
        }
        Ok(Names::Subscriptions(text.into()))
    }

    /// Takes `SUBID(digits)` if it stands here.
    fn subscription_identifier(&mut self) -> Parsed<Option<ObjectName>> {
        let is_here =
            matches!(self.peek(), Some(Token { kind: TokenKind::Word(word), .. }) if word == "SUBID");
        if !is_here {
            return Ok(None);
        }
        self.next += 1;
        let content = self.content("SUBID")?;
        let digits = content.text.trim().to_ascii_uppercase();
        let is_whole =
            digits.len() == ObjectName::LENGTH_MAX && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let name = is_whole.then(|| digits.parse().ok()).flatten();
        name.map(Some).ok_or_else(|| {
            Fault::new(content.span, "SUBID takes the 48 hexadecimal digits of a subscription's identifier")
        })
    }

    /// Takes `(name)`.
    pub(crate) fn name(&mut self, of: &str) -> Parsed<ObjectName> {
        let content = self.content(of)?;
        let name: ObjectName = content.text.parse().map_err(|error| name_fault(&content, &error))?;
        if name.is_blank() {
            return Err(Fault::new(content.span, format!("{of} needs a name between the parentheses")));
        }
        Ok(name)
    }

    /// Takes `(name)` or `(NAM*)`.
    pub(crate) fn name_pattern(&mut self, of: &str) -> Parsed<NamePattern> {
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
    pub(crate) fn setting(
        &mut self,
        (object_type, change): (ObjectType, Change),
        others: &[&str],
    ) -> Parsed<Setting> {
        let attribute = self.settable((object_type, change), others)?;
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
    pub(crate) fn value(&mut self, attribute: &Attribute) -> Parsed<Value> {
        let between = if attribute.is_list() { Between::CommasOrBlanks } else { Between::Commas };
        let content = self.content_of(attribute.keyword, between)?;
        let may_be_empty = matches!(attribute.kind, Kind::Texts { .. } | Kind::Names { .. });
        if content.parts.is_empty() && !may_be_empty {
            let keyword = attribute.keyword;
            let fault = Fault::new(content.span, format!("{keyword} needs a value"));
            return Err(if attribute.is_textual() {
                fault.hint(format!("Write {keyword}(' ') for blank."))
            } else {
                fault.hint(format!("It takes {}.", attribute.kind.expectation()))
            });
        }
        self.value_in(attribute, &content)
    }

    pub(crate) fn value_in(&self, attribute: &Attribute, content: &Content) -> Parsed<Value> {
        let text = match attribute.kind {
            Kind::Text { .. } => content.text.clone(),
            Kind::Name { .. } => content.text.trim().to_owned(),
            _ => content.text.trim().to_ascii_uppercase(),
        };
        let value = if attribute.is_list() {
            Value::from_mqsc_list(attribute, &content.parts)
        } else {
            Value::from_mqsc(attribute, &text)
        };
        value.map_err(|error| {
            let words: &[_] = match attribute.kind {
                Kind::Choice { words } | Kind::Words { words, .. } => words,
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

    fn settable(
        &self,
        (object_type, change): (ObjectType, Change),
        others: &[&str],
    ) -> Parsed<&'static Attribute> {
        let subject = Subject::Object(object_type);
        let can_be_set = |row: &Attribute| match change {
            Change::Define => row.is_settable(),
            Change::Alter => row.access == Access::Alterable,
        };
        let settable = || attributes::of(subject).filter(|row| can_be_set(row));
        let words = || settable().flat_map(|row| words_of(row)).chain(others.iter().copied());
        let Some(Token { kind: TokenKind::Word(word), .. }) = self.peek() else {
            return Err(self.unexpected("an attribute").expect("", words()));
        };
        if let Some(attribute) = settable().find(|row| row.answers_to(word)) {
            return Ok(attribute);
        }
        if let Some(row) = attributes::by_keyword(subject, word) {
            let problem = if row.is_settable() {
                format!("{word} is given when the object is defined and cannot be altered")
            } else {
                format!("{word} is set by the queue manager and cannot be given")
            };
            return Err(Fault::new(self.here(), problem));
        }
        let elsewhere: Vec<String> = ObjectType::all()
            .filter(|other| attributes::by_keyword(Subject::Object(*other), word).is_some())
            .map(ObjectType::full_keyword)
            .collect();
        let mut fault =
            Fault::new(self.here(), format!("{word} is not an attribute of {}", object_type.full_keyword()));
        if !elsewhere.is_empty() {
            fault = fault.hint(format!("It is an attribute of {}.", elsewhere.join(" and ")));
        }
        Err(fault.expect(word, words()))
    }
}

/// The words that set a row: both of a switch.
pub(crate) fn words_of(row: &Attribute) -> Vec<&'static str> {
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
