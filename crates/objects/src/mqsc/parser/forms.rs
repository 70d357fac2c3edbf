//! The form of each command.

use mqi::ObjectName;

use super::values::words_of;
use super::{Fault, Parsed, Parser};
use crate::attributes::{self, Attribute, Kind, StatusType};
use crate::mqsc::command::{
    Alter, Clear, Command, ConnectionAnswers, Define, Delete, Display, Setting, Shown, Target,
};
use crate::mqsc::filter::{Filter, Operator};
use crate::mqsc::lexer::{Token, TokenKind};
use crate::object_type::ObjectType;
use crate::value::Value;

#[derive(Clone, Copy)]
enum Verb {
    Define,
    Alter,
    Delete,
    Display,
    Clear,
    Ping,
}

/// The first word of a statement and its abbreviations.
const VERBS: &[(Verb, &str, &[&str])] = &[
    (Verb::Define, "DEFINE", &["DEF"]),
    (Verb::Alter, "ALTER", &["ALT"]),
    (Verb::Delete, "DELETE", &["DEL"]),
    (Verb::Display, "DISPLAY", &["DIS", "DISP"]),
    (Verb::Clear, "CLEAR", &[]),
    (Verb::Ping, "PING", &[]),
];

/// What DISPLAY can be about besides the types of queue.
const DISPLAYED: &[(&str, &[&str])] =
    &[("QUEUE", &["Q"]), ("QMGR", &[]), ("QSTATUS", &["QS"]), ("CONN", &[])];

impl Parser<'_> {
    pub(super) fn command(&mut self) -> Parsed<Command> {
        let verbs: Vec<&str> = VERBS.iter().map(|(_, word, _)| *word).collect();
        let verb = self.word_of("a command", &verbs, |word| {
            VERBS
                .iter()
                .find(|(_, keyword, synonyms)| *keyword == word || synonyms.contains(&word))
                .map(|(verb, _, _)| *verb)
        })?;
        let command = match verb {
            Verb::Define => Command::Define(self.define()?),
            Verb::Alter => Command::Alter(self.alter()?),
            Verb::Delete => Command::Delete(self.delete()?),
            Verb::Display => Command::Display(self.display()?),
            Verb::Clear => Command::Clear(self.clear()?),
            Verb::Ping => {
                self.word_of("QMGR", &["QMGR"], |word| (word == "QMGR").then_some(()))?;
                Command::PingQueueManager
            }
        };
        match self.peek() {
            Some(_) => {
                Err(Fault::new(self.here(), format!("{} follows the end of the command", self.written()))
                    .hint("Put the next command on a line of its own, or after a semicolon."))
            }
            None => Ok(command),
        }
    }

    fn define(&mut self) -> Parsed<Define> {
        let object_type = self.object_type(ObjectType::is_queue)?;
        let name = self.name(object_type.keyword())?;
        let mut define = Define { object_type, name, replace: false, like: None, settings: Vec::new() };
        let mut replacement_said = false;
        while let Some(token) = self.peek() {
            match &token.kind {
                TokenKind::Word(word) if word == "REPLACE" || word == "NOREPLACE" => {
                    if std::mem::replace(&mut replacement_said, true) {
                        return Err(self.repeated("REPLACE or NOREPLACE"));
                    }
                    define.replace = word == "REPLACE";
                    self.next += 1;
                }
                TokenKind::Word(word) if word == "LIKE" => {
                    if define.like.is_some() {
                        return Err(self.repeated("LIKE"));
                    }
                    self.next += 1;
                    define.like = Some(self.name("LIKE")?);
                }
                _ => {
                    self.add_setting(object_type, &["LIKE", "NOREPLACE", "REPLACE"], &mut define.settings)?
                }
            }
        }
        Ok(define)
    }

    fn alter(&mut self) -> Parsed<Alter> {
        let object_type = self.object_type(|_| true)?;
        let name = match object_type {
            ObjectType::QueueManager => ObjectName::BLANK,
            _ => self.name(object_type.keyword())?,
        };
        let mut alter = Alter { object_type, name, force: false, settings: Vec::new() };
        let mut force_said = false;
        while let Some(token) = self.peek() {
            match &token.kind {
                TokenKind::Word(word) if word == "FORCE" || word == "NOFORCE" => {
                    if std::mem::replace(&mut force_said, true) {
                        return Err(self.repeated("FORCE or NOFORCE"));
                    }
                    alter.force = word == "FORCE";
                    self.next += 1;
                }
                _ => self.add_setting(object_type, &["FORCE"], &mut alter.settings)?,
            }
        }
        Ok(alter)
    }

    fn delete(&mut self) -> Parsed<Delete> {
        let object_type = self.object_type(ObjectType::is_queue)?;
        let name = self.name(object_type.keyword())?;
        let mut delete = Delete { object_type, name, purge: false, ignore_missing: false };
        let purgeable = object_type == ObjectType::LocalQueue;
        let words: &[&str] = if purgeable { &["PURGE", "NOPURGE", "IGNSTATE"] } else { &["IGNSTATE"] };
        while self.peek().is_some() {
            let word = self.word_of("an option of DELETE", words, |word| {
                words.iter().find(|option| **option == word).copied()
            })?;
            match word {
                "IGNSTATE" => {
                    delete.ignore_missing = self.one_of("IGNSTATE", &[("NO", false), ("YES", true)])?
                }
                word => delete.purge = word == "PURGE",
            }
        }
        Ok(delete)
    }

    fn clear(&mut self) -> Parsed<Clear> {
        self.object_type(|object_type| object_type == ObjectType::LocalQueue)?;
        Ok(Clear { name: self.name("QLOCAL")? })
    }

    fn display(&mut self) -> Parsed<Display> {
        let mut display = Display { target: self.target()?, filter: None, shown: Shown::Usual };
        self.look_ahead_for_type(&mut display.target)?;
        let mut listed = Vec::new();
        let mut all = false;
        while let Some(token) = self.peek() {
            let TokenKind::Word(word) = token.kind.clone() else {
                return Err(self.unexpected("an attribute"));
            };
            let has_value = self.tokens.get(self.next + 1).is_some_and(|token| token.kind == TokenKind::Open);
            match (word.as_str(), has_value) {
                ("WHERE", _) => {
                    if display.filter.is_some() {
                        return Err(self.repeated("WHERE"));
                    }
                    self.next += 1;
                    display.filter = Some(self.filter(&display.target)?);
                }
                ("ALL", false) => {
                    all = true;
                    self.next += 1;
                }
                ("MONITOR", false) if matches!(display.target, Target::QueueStatus { .. }) => {
                    self.next += 1;
                    listed.extend(
                        MONITORED.iter().filter(|keyword| display.target.attribute(keyword).is_some()),
                    );
                }
                ("TYPE" | "QTYPE", true) => {
                    self.next += 1;
                    self.answer_type(&mut display.target)?;
                }
                _ => listed.push(self.displayed_attribute(&display.target)?.keyword),
            }
        }
        display.shown = match (all, listed.is_empty()) {
            (true, _) => Shown::All,
            (false, true) => Shown::Usual,
            (false, false) => Shown::Listed(listed),
        };
        Ok(display)
    }

    /// TYPE decides which attributes there are, and may stand behind them.
    fn look_ahead_for_type(&mut self, target: &mut Target) -> Parsed<()> {
        let is_type = |pair: &[Token]| {
            matches!(&pair[0].kind, TokenKind::Word(word) if word == "TYPE" || word == "QTYPE")
                && pair[1].kind == TokenKind::Open
        };
        let Some(distance) = self.tokens[self.next..].windows(2).position(is_type) else { return Ok(()) };
        let here = self.next;
        self.next += distance + 1;
        self.answer_type(target)?;
        self.next = here;
        Ok(())
    }

    fn target(&mut self) -> Parsed<Target> {
        let types = ObjectType::all().filter(|object_type| object_type.is_queue());
        let words: Vec<&str> =
            DISPLAYED.iter().map(|(word, _)| *word).chain(types.map(ObjectType::keyword)).collect();
        let object_type = |word: &str| ObjectType::from_keyword(word).filter(|found| found.is_queue());
        let word = self.word_of("what to display", &words, |word| {
            let displayed =
                DISPLAYED.iter().find(|(keyword, synonyms)| *keyword == word || synonyms.contains(&word));
            displayed.map(|(keyword, _)| *keyword).or_else(|| object_type(word).map(ObjectType::keyword))
        })?;
        Ok(match word {
            "QMGR" => Target::QueueManager,
            "QSTATUS" => Target::QueueStatus { names: self.name_pattern(word)?, kind: StatusType::Queue },
            "CONN" => {
                let identifiers = self.connection_pattern()?;
                Target::Connections { identifiers, answers: ConnectionAnswers::Connection }
            }
            _ => Target::Queues { names: self.name_pattern(word)?, object_type: object_type(word) },
        })
    }

    /// Takes `(identifier)` of a connection: sixteen hexadecimal digits, or fewer and an asterisk.
    fn connection_pattern(&mut self) -> Parsed<String> {
        const DIGITS: usize = 16;
        let content = self.content("CONN")?;
        let pattern = content.text.trim().to_ascii_uppercase();
        let digits = pattern.strip_suffix('*').unwrap_or(&pattern);
        let is_generic = digits.len() < pattern.len();
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hexadecimal && (digits.len() == DIGITS || is_generic && digits.len() < DIGITS) {
            return Ok(pattern);
        }
        Err(Fault::new(content.span, "CONN takes a connection's sixteen hexadecimal digits, or fewer and *"))
    }

    fn answer_type(&mut self, target: &mut Target) -> Parsed<()> {
        match target {
            Target::Queues { object_type, .. } => {
                let queues = ObjectType::all().filter(|object_type| object_type.is_queue());
                let mut words: Vec<_> = queues.map(|queue| (queue.keyword(), Some(queue))).collect();
                words.push(("ALL", None));
                let wanted = self.one_of("TYPE", &words)?;
                *object_type = wanted.or(*object_type);
            }
            Target::QueueStatus { kind, .. } => {
                *kind = self
                    .one_of("TYPE", &[("QUEUE", StatusType::Queue), ("HANDLE", StatusType::QueueHandle)])?;
            }
            Target::Connections { answers, .. } => {
                *answers = self.one_of(
                    "TYPE",
                    &[
                        ("CONN", ConnectionAnswers::Connection),
                        ("HANDLE", ConnectionAnswers::Handles),
                        ("ALL", ConnectionAnswers::All),
                    ],
                )?;
            }
            Target::QueueManager => return Err(self.unexpected("an attribute name alone")),
        }
        Ok(())
    }

    fn filter(&mut self, target: &Target) -> Parsed<Filter> {
        self.open("WHERE")?;
        let attribute = self.displayed_attribute(target)?;
        let at = self.here();
        let operators = Operator::ALL.map(Operator::keyword);
        let operator = self.word_of("a comparison", &operators, |word| {
            Operator::ALL.into_iter().find(|operator| operator.keyword() == word)
        })?;
        let is_text = matches!(attribute.kind, Kind::Text { .. } | Kind::Name { .. });
        let is_number = matches!(attribute.kind, Kind::Integer { .. });
        if operator.is_pattern() && !is_text || operator.is_order() && !is_text && !is_number {
            let problem = format!("{} cannot be applied to {}", operator.keyword(), attribute.keyword);
            let hint = match operator.is_pattern() {
                true => "LK and NL compare text with a pattern; this is compared with EQ or NE.",
                false => "Words have no order; they are compared with EQ or NE.",
            };
            return Err(Fault::new(at, problem).hint(hint));
        }
        let operand = self.operand(attribute, operator)?;
        self.close("WHERE")?;
        Ok(Filter { keyword: attribute.keyword, operator, operand })
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
            // Anything may be compared with a text: a pattern is no name, and a date is no long text.
            Kind::Text { .. } | Kind::Name { .. } => {
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
            _ => self.value_in(attribute, &super::values::Content { text, span, folded: true }),
        }
    }

    fn displayed_attribute(&mut self, target: &Target) -> Parsed<&'static Attribute> {
        let subjects = target.subjects();
        let mut words: Vec<&str> =
            subjects.iter().flat_map(|subject| attributes::of(*subject)).flat_map(words_of).collect();
        words.extend(["ALL", "WHERE"]);
        words.sort_unstable();
        words.dedup();
        let expectation = format!("an attribute of {}", target.keyword());
        self.word_of(&expectation, &words, |word| target.attribute(word))
    }

    fn object_type(&mut self, allowed: impl Fn(ObjectType) -> bool) -> Parsed<ObjectType> {
        let types: Vec<&str> =
            ObjectType::all().filter(|object_type| allowed(*object_type)).map(ObjectType::keyword).collect();
        self.word_of("a type of object", &types, |word| {
            ObjectType::from_keyword(word).filter(|object_type| allowed(*object_type))
        })
    }

    /// Takes `(WORD)`, one of a few.
    fn one_of<T: Copy>(&mut self, of: &str, words: &[(&str, T)]) -> Parsed<T> {
        let content = self.content(of)?;
        let written = content.text.trim().to_ascii_uppercase();
        let found = words.iter().find(|(word, _)| *word == written).map(|(_, meaning)| *meaning);
        found.ok_or_else(|| {
            Fault::new(content.span, format!("{of} does not take {written}"))
                .expect(&written, words.iter().map(|(word, _)| *word))
        })
    }

    fn add_setting(
        &mut self,
        object_type: ObjectType,
        others: &[&str],
        settings: &mut Vec<Setting>,
    ) -> Parsed<()> {
        let at = self.here();
        let setting = self.setting(object_type, others)?;
        if settings.iter().any(|earlier| earlier.attribute == setting.attribute) {
            return Err(Fault::new(at, format!("{} is given twice", setting.attribute.keyword)));
        }
        settings.push(setting);
        Ok(())
    }

    fn repeated(&self, what: &str) -> Fault {
        Fault::new(self.here(), format!("{what} is given twice"))
    }
}

/// What MONITOR adds to a display of queue status.
const MONITORED: [&str; 5] = ["LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MSGAGE"];
