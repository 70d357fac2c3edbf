//! Conditions of DISPLAY: WHERE, and attributes with the value they must have.

use mqi::constants::MQSUBTYPE_ALL;

use super::choices;
use super::display::{Target, is_chosen_by};
use crate::attributes::{Attribute, Kind};
use crate::mqsc::filter::{Filter, Operator};
use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::parser::{Content, Fault, Parsed, Parser};
use crate::mqsc::setting::Setting;
use crate::value::Value;

impl Parser<'_> {
    /// Takes `SUBTYPE(ADMIN)`: an attribute and the value that all things shown must have; nothing for ALL.
    pub(super) fn selection(&mut self, target: &Target) -> Parsed<Option<Setting>> {
        let attribute = self.displayed_attribute(target)?;
        if target.describes(attribute.keyword) {
            let value = self.value(attribute)?;
            return Ok(Some(Setting { attribute, value }));
        }
        if is_chosen_by(target, attribute.keyword) {
            return Ok(Some(choices::by_text(attribute, &self.content(attribute.keyword)?.text)));
        }
        let Kind::Choice { words } = attribute.kind else {
            let problem = format!("{} stands alone, without a value", attribute.keyword);
            return Err(Fault::new(self.here(), problem)
                .hint(format!("To choose by its value, write WHERE({} EQ value).", attribute.keyword)));
        };
        let all = [("ALL", MQSUBTYPE_ALL)];
        let words: Vec<_> = words.iter().map(|word| (word.text, word.value)).chain(all).collect();
        let value = self.one_of(attribute.keyword, &words)?;
        let is_all = attribute.word_text(value).is_none();
        Ok((!is_all).then_some(Setting { attribute, value: Value::Integer(value) }))
    }

    pub(super) fn filter(&mut self, target: &Target) -> Parsed<Filter> {
        self.open("WHERE")?;
        let attribute = self.displayed_attribute(target)?;
        self.accept(&TokenKind::Comma);
        let at = self.here();
        let operators = Operator::ALL.map(Operator::keyword);
        let operator = self.word_of("a comparison", &operators, |word| {
            Operator::ALL.into_iter().find(|operator| operator.keyword() == word)
        })?;
        self.accept(&TokenKind::Comma);
        if let Some(hint) = why_not(attribute, operator) {
            let problem = format!("{} cannot be applied to {}", operator.keyword(), attribute.keyword);
            return Err(Fault::new(at, problem).hint(hint));
        }
        let operand = self.operand_of_any(target, attribute, operator)?;
        self.close("WHERE")?;
        Ok(Filter { keyword: attribute.keyword, operator, operand })
    }

    /// A value that the attribute has in any of the subjects: in each its words may be others.
    fn operand_of_any(
        &mut self,
        target: &Target,
        attribute: &Attribute,
        operator: Operator,
    ) -> Parsed<Value> {
        let place = self.next;
        self.operand(attribute, operator).or_else(|fault| {
            let mut operands = target.attributes_named(attribute.keyword).map(|attribute| {
                self.next = place;
                self.operand(attribute, operator)
            });
            operands.find_map(Result::ok).ok_or(fault)
        })
    }

    fn operand(&mut self, attribute: &Attribute, operator: Operator) -> Parsed<Value> {
        let (mut text, mut span) = match self.peek() {
            Some(Token { kind: TokenKind::Word(text) | TokenKind::Quoted(text), span }) => {
                (text.clone(), span.clone())
            }
            _ => return Err(self.unexpected(&format!("a value to compare {} with", attribute.keyword))),
        };
        self.next += 1;
        // A list of words is one value here as in ALTER.
        while let [
            Token { kind: TokenKind::Comma, .. },
            Token { kind: TokenKind::Word(word), span: last },
            ..,
        ] = &self.tokens[self.next..]
        {
            text.push(',');
            text.push_str(word);
            span.end = last.end;
            self.next += 2;
        }
        match attribute.kind {
            Kind::Words { .. } => self.operand_word(attribute, text, span),
            // Anything may be compared with a text: a pattern is no name, and a date is no long text.
            Kind::Text { .. }
            | Kind::Name { .. }
            | Kind::Bytes { .. }
            | Kind::Texts { .. }
            | Kind::Names { .. } => {
                let is_misplaced =
                    text.find('*').is_some_and(|place| operator.is_pattern() && place + 1 < text.len());
                if is_misplaced {
                    return Err(Fault::new(span, "* stands at the end of a pattern only"));
                }
                Ok(Value::from(text.as_str()))
            }
            // Any number may be compared with a number: GT 10 is fair where values end at 9.
            Kind::Integer { .. } if text.parse::<i32>().is_ok() => {
                Ok(Value::Integer(text.parse().unwrap_or_default()))
            }
            Kind::Switch { on, off } if text == "YES" || text == "NO" => {
                Ok(Value::Integer(attribute.word_value(if text == "YES" { on } else { off }).unwrap_or(0)))
            }
            _ => self.value_in(attribute, &Content { parts: vec![text.clone()], text, span, folded: true }),
        }
    }

    /// The number of one word of a list.
    fn operand_word(
        &self,
        attribute: &Attribute,
        text: String,
        span: std::ops::Range<usize>,
    ) -> Parsed<Value> {
        let content = Content { parts: vec![text.clone()], text, span, folded: true };
        let value = self.value_in(attribute, &content)?;
        let first = value.as_integers().and_then(|numbers| numbers.first().copied());
        Ok(first.map_or(value, Value::Integer))
    }
}

/// Why a comparison makes no sense for an attribute.
fn why_not(attribute: &Attribute, operator: Operator) -> Option<&'static str> {
    let is_number = matches!(attribute.kind, Kind::Integer { .. });
    let is_word_list = matches!(attribute.kind, Kind::Words { .. });
    if attribute.is_list() {
        return match operator.is_membership() {
            false => Some("Lists are asked for what they contain: CT, EX, CTG and EXG."),
            true if is_word_list && operator.is_pattern() => Some("Words are asked for with CT and EX."),
            true => None,
        };
    }
    if operator.is_membership() {
        Some("Only lists contain something; this is compared with EQ or NE.")
    } else if operator.is_pattern() && !attribute.is_textual() {
        Some("LK and NL compare text with a pattern; this is compared with EQ or NE.")
    } else if operator.is_order() && !attribute.is_textual() && !is_number {
        Some("Words have no order; they are compared with EQ or NE.")
    } else {
        None
    }
}
