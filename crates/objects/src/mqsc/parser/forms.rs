//! The form of each command.

use mqi::ObjectName;

use super::values::words_of;
use super::{Fault, Parsed, Parser};
use crate::attributes::{self, StatusType};
use crate::mqsc::command::{
    Alter, Clear, ClearTopic, Command, ConnectionAnswers, Define, Delete, Display, Move, Recover, Relation,
    Resolution, Resolve, Setting, Shown, Target,
};
use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::name::{Name, Names};
use crate::object_type::{Family, ObjectType};

/// The first word of a statement and its abbreviations.
const VERBS: &[(&str, &[&str])] = &[
    ("DEFINE", &["DEF"]),
    ("ALTER", &["ALT"]),
    ("DELETE", &["DEL"]),
    ("DISPLAY", &["DIS", "DISP"]),
    ("CLEAR", &[]),
    ("MOVE", &[]),
    ("RECOVER", &[]),
    ("PING", &[]),
    ("START", &["STA"]),
    ("STOP", &[]),
    ("RESET", &[]),
    ("REFRESH", &["REF"]),
    ("RESOLVE", &["RES"]),
    ("RESUME", &[]),
    ("SUSPEND", &[]),
    ("SET", &[]),
    ("PURGE", &[]),
];

/// Subjects of DISPLAY besides objects.
const DISPLAYED: &[(&str, &[&str])] = &[
    ("QMGR", &[]),
    ("QMSTATUS", &[]),
    ("QSTATUS", &["QS"]),
    ("TPSTATUS", &["TPS"]),
    ("SBSTATUS", &["SBS"]),
    ("PUBSUB", &[]),
    ("CONN", &[]),
];

impl Parser<'_> {
    pub(super) fn command(&mut self) -> Parsed<Command> {
        let verbs: Vec<&str> = VERBS.iter().map(|(word, _)| *word).collect();
        let verb = self.word_of("a command", &verbs, |word| {
            VERBS
                .iter()
                .find(|(keyword, synonyms)| *keyword == word || synonyms.contains(&word))
                .map(|(keyword, _)| *keyword)
        })?;
        if let Some(absent) = self.absent(verb)? {
            return Ok(Command::Absent(absent));
        }
        let command = match verb {
            "DEFINE" => Command::Define(self.define()?),
            "ALTER" => Command::Alter(self.alter()?),
            "DELETE" => Command::Delete(self.delete()?),
            "DISPLAY" => Command::Display(self.display()?),
            "CLEAR" if self.is_word("TOPICSTR") => Command::ClearTopic(self.clear_topic()?),
            "CLEAR" => Command::Clear(self.clear()?),
            "MOVE" => Command::Move(self.move_messages()?),
            "RECOVER" => Command::Recover(self.recover()?),
            "STOP" if self.is_word("CONN") => Command::StopConnection(self.stop_connection()?),
            "RESOLVE" if self.is_word("INDOUBT") => Command::Resolve(self.resolve()?),
            "PING" => {
                self.word_of("QMGR", &["QMGR", "CHANNEL"], |word| (word == "QMGR").then_some(()))?;
                Command::PingQueueManager
            }
            "RESET" if self.peek_is(&TokenKind::Word("QSTATS".into())) => {
                self.next += 1;
                Command::ResetStatistics(self.name_pattern("QSTATS")?)
            }
            "RESET" if self.is_word("QMGR") => self.reset_queue_manager()?,
            "REFRESH" if self.is_word("QMGR") => self.refresh_queue_manager()?,
            verb => return Err(self.not_a_subject(verb)),
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
        let types = self.object_types(|object_type| object_type != ObjectType::QueueManager)?;
        let name = self.object_name(types[0])?;
        let object_type = self.one_type("DEFINE", &types)?;
        let mut define = Define { object_type, name, replace: false, like: None, settings: Vec::new() };
        let mut replacement_said = false;
        while self.peek().is_some() {
            if self.takes_type(object_type)? {
                continue;
            }
            let Some(token) = self.peek() else { break };
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
                    define.like = Some(self.name_of_type("LIKE", object_type)?);
                }
                _ => self.add_setting(
                    (object_type, Change::Define),
                    &["LIKE", "NOREPLACE", "REPLACE"],
                    &mut define.settings,
                )?,
            }
        }
        Ok(define)
    }

    fn alter(&mut self) -> Parsed<Alter> {
        let types = self.object_types(|_| true)?;
        let name = match types[0] {
            ObjectType::QueueManager => Name::Object(ObjectName::BLANK),
            object_type => self.object_name(object_type)?,
        };
        let object_type = self.one_type("ALTER", &types)?;
        let mut alter = Alter { object_type, name, force: false, settings: Vec::new() };
        let mut force_said = false;
        while self.peek().is_some() {
            if self.takes_type(object_type)? {
                continue;
            }
            let Some(token) = self.peek() else { break };
            match &token.kind {
                TokenKind::Word(word) if word == "FORCE" || word == "NOFORCE" => {
                    if std::mem::replace(&mut force_said, true) {
                        return Err(self.repeated("FORCE or NOFORCE"));
                    }
                    alter.force = word == "FORCE";
                    self.next += 1;
                }
                _ => self.add_setting((object_type, Change::Alter), &["FORCE"], &mut alter.settings)?,
            }
        }
        Ok(alter)
    }

    fn delete(&mut self) -> Parsed<Delete> {
        let types = self.object_types(|object_type| object_type != ObjectType::QueueManager)?;
        let name = self.object_name(types[0])?;
        let family = types[0].family();
        let object_type = (types.len() == 1).then_some(types[0]);
        let mut delete = Delete { family, object_type, name, purge: false, ignore_missing: false };
        let words: &[&str] = match types[0] {
            ObjectType::LocalQueue => &["PURGE", "NOPURGE", "IGNSTATE", "AUTHREC"],
            _ if family == Family::Channel => &["CHLTYPE", "CHLTABLE", "IGNSTATE", "AUTHREC"],
            _ => &["IGNSTATE", "AUTHREC"],
        };
        while self.peek().is_some() {
            let word = self.word_of("an option of DELETE", words, |word| {
                words.iter().find(|option| **option == word).copied()
            })?;
            match word {
                "IGNSTATE" => {
                    delete.ignore_missing = self.one_of("IGNSTATE", &[("NO", false), ("YES", true)])?
                }
                // There are no authorities to remove or to keep.
                "AUTHREC" => self.one_of("AUTHREC", &[("NO", ()), ("YES", ())])?,
                "CHLTABLE" => {
                    let client = ObjectType::ClientConnectionChannel;
                    let table = [("QMGRTAB", None), ("CLNTTAB", Some(client))];
                    delete.object_type = self.one_of("CHLTABLE", &table)?.or(delete.object_type);
                }
                "CHLTYPE" => delete.object_type = Some(self.subtype_in("CHLTYPE", &types)?),
                word => delete.purge = word == "PURGE",
            }
        }
        Ok(delete)
    }

    fn clear(&mut self) -> Parsed<Clear> {
        self.object_types(|object_type| object_type == ObjectType::LocalQueue)?;
        Ok(Clear { name: self.name("QLOCAL")? })
    }

    /// Takes TOPICSTR(topic) CLRTYPE(RETAINED): nothing else of a topic can be cleared. There are no other
    /// queue managers that SCOPE could mean.
    fn clear_topic(&mut self) -> Parsed<ClearTopic> {
        const WORDS: [&str; 2] = ["CLRTYPE", "SCOPE"];
        self.next += 1;
        let content = self.content("TOPICSTR")?;
        let topic = content.text.trim_end_matches(' ');
        if topic.is_empty() {
            return Err(Fault::new(content.span, "TOPICSTR needs a topic string between the parentheses"));
        }
        let mut is_type_said = false;
        while self.peek().is_some() {
            let word =
                self.word_of("CLRTYPE", &WORDS, |word| WORDS.iter().find(|known| **known == word).copied())?;
            match word {
                "CLRTYPE" => {
                    self.one_of(word, &[("RETAINED", ())])?;
                    is_type_said = true;
                }
                word => self.one_of(word, &[("LOCAL", ()), ("GLOBAL", ())])?,
            }
        }
        match is_type_said {
            true => Ok(ClearTopic { topic: topic.into() }),
            false => Err(self.unexpected("CLRTYPE(RETAINED)")),
        }
    }

    fn move_messages(&mut self) -> Parsed<Move> {
        self.object_types(|object_type| object_type == ObjectType::LocalQueue)?;
        let from = self.name("QLOCAL")?;
        let to_word = |word: &str| (word == "TOQLOCAL").then_some(());
        self.word_of("TOQLOCAL", &["TOQLOCAL"], to_word)?;
        let to = self.name("TOQLOCAL")?;
        let mut add = false;
        if self.peek().is_some() {
            self.word_of("TYPE", &["TYPE"], |word| (word == "TYPE").then_some(()))?;
            add = self.one_of("TYPE", &[("MOVE", false), ("ADD", true)])?;
        }
        Ok(Move { from, to, add })
    }

    fn recover(&mut self) -> Parsed<Recover> {
        self.object_types(|object_type| object_type == ObjectType::LocalQueue)?;
        Ok(Recover { name: self.name("QLOCAL")? })
    }

    fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: TokenKind::Word(word), .. }) if word == wanted)
    }

    fn stop_connection(&mut self) -> Parsed<String> {
        self.next += 1;
        let identifier = self.connection_identifier("CONN")?;
        if self.is_word("EXTCONN") {
            self.next += 1;
            // It is the same for all connections of a queue manager.
            self.content("EXTCONN")?;
        }
        Ok(identifier)
    }

    fn resolve(&mut self) -> Parsed<Resolve> {
        self.next += 1;
        let identifier = self.connection_identifier("INDOUBT")?;
        self.word_of("ACTION", &["ACTION"], |word| (word == "ACTION").then_some(()))?;
        let actions = [("COMMIT", Resolution::Commit), ("BACKOUT", Resolution::Backout)];
        let resolution = self.one_of("ACTION", &actions)?;
        Ok(Resolve { identifier, resolution })
    }

    /// Takes `(IDENTIFIER)`, which names one connection.
    fn connection_identifier(&mut self, of: &str) -> Parsed<String> {
        let content = self.content(of)?;
        let identifier = content.text.trim().to_ascii_uppercase();
        let is_hexadecimal = identifier.bytes().all(|byte| byte.is_ascii_hexdigit());
        if identifier.is_empty() || identifier.len() > 16 || !is_hexadecimal {
            let problem = format!("{of} names one connection by up to sixteen hexadecimal digits");
            return Err(Fault::new(content.span, problem).hint("DISPLAY CONN(*) shows the connections."));
        }
        Ok(identifier)
    }

    fn display(&mut self) -> Parsed<Display> {
        let target = self.target()?;
        let mut display = Display { target, selection: Vec::new(), filter: None, shown: Shown::Usual };
        self.look_ahead_for_type(&mut display.target)?;
        let mut listed = Vec::new();
        let mut all = false;
        while let Some(token) = self.peek() {
            let TokenKind::Word(word) = token.kind.clone() else {
                return Err(self.unexpected("an attribute"));
            };
            let has_value = self.tokens.get(self.next + 1).is_some_and(|token| token.kind == TokenKind::Open);
            if !has_value && let Some(group) = group(&display.target, &word) {
                self.next += 1;
                listed.extend(group.iter().filter(|keyword| display.target.attribute(keyword).is_some()));
                continue;
            }
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
                (word, true) if is_type_word(&display.target, word) => {
                    self.next += 1;
                    self.answer_type(&mut display.target)?;
                }
                (_, true) => {
                    let setting = self.selection(&display.target)?;
                    display.selection.extend(setting);
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
            matches!(&pair[0].kind, TokenKind::Word(word) if is_type_word(target, word))
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
        let families = || Family::all().filter(|family| *family != Family::QueueManager);
        let mut words: Vec<&str> = families().map(Family::keyword).collect();
        words.extend(DISPLAYED.iter().map(|(word, _)| *word));
        words.extend(Family::Queue.types().map(ObjectType::keyword));
        words.extend(self.absent_subjects("DISPLAY"));
        let displayed = |word: &str| {
            DISPLAYED.iter().find(|(keyword, synonyms)| *keyword == word || synonyms.contains(&word))
        };
        let queue = |word: &str| ObjectType::from_keyword(word).find(|found| found.is_queue());
        let family = |word: &str| {
            let family = Family::from_keyword(word).filter(|family| *family != Family::QueueManager);
            queue(word)
                .map(|queue| (Family::Queue, Some(queue)))
                .or_else(|| family.map(|family| (family, None)))
        };
        let (word, objects) = self.word_of("what to display", &words, |word| {
            let displayed = displayed(word).map(|(keyword, _)| (*keyword, None));
            displayed
                .or_else(|| family(word).map(|(family, queue)| (family.keyword(), Some((family, queue)))))
        })?;
        if let Some((family, object_type)) = objects {
            let names = match family {
                Family::Subscription => self.subscription_names()?,
                _ => Names::Objects(self.name_pattern(object_type.map_or(word, ObjectType::keyword))?),
            };
            return Ok(Target::Objects { family, names, object_type });
        }
        Ok(match word {
            "QMGR" => Target::QueueManager,
            "QMSTATUS" => Target::QueueManagerStatus,
            "QSTATUS" => Target::QueueStatus { names: self.name_pattern(word)?, kind: StatusType::Queue },
            "TPSTATUS" => {
                let topics = self.content(word)?.text.trim_end_matches(' ').into();
                Target::TopicStatus { topics, kind: StatusType::Topic }
            }
            "SBSTATUS" => Target::SubscriptionStatus { names: self.subscription_names()? },
            "PUBSUB" => Target::PublishSubscribe { of: Relation::All },
            _ => {
                let identifiers = self.connection_pattern()?;
                Target::Connections { identifiers, answers: ConnectionAnswers::Connection }
            }
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
            Target::Objects { family, object_type, .. } => {
                let subtyped = family.types().filter_map(|found| Some((found.subtype()?, Some(found))));
                let words: Vec<_> = subtyped.chain([("ALL", None)]).collect();
                let wanted = self.one_of(family.selector().unwrap_or("TYPE"), &words)?;
                *object_type = wanted.or(*object_type);
            }
            Target::QueueStatus { kind, .. } => {
                *kind = self
                    .one_of("TYPE", &[("QUEUE", StatusType::Queue), ("HANDLE", StatusType::QueueHandle)])?;
            }
            Target::TopicStatus { kind, .. } => {
                *kind = self.one_of(
                    "TYPE",
                    &[
                        ("TOPIC", StatusType::Topic),
                        ("SUB", StatusType::TopicSubscription),
                        ("PUB", StatusType::TopicPublisher),
                    ],
                )?;
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
            Target::PublishSubscribe { of } => *of = self.one_of("TYPE", Relation::WORDS)?,
            Target::QueueManager | Target::QueueManagerStatus | Target::SubscriptionStatus { .. } => {
                return Err(self.unexpected("an attribute name alone"));
            }
        }
        Ok(())
    }

    pub(super) fn displayed_attribute(&mut self, target: &Target) -> Parsed<&'static attributes::Attribute> {
        let subjects = target.subjects();
        let mut words: Vec<&str> =
            subjects.iter().flat_map(|subject| attributes::of(*subject)).flat_map(words_of).collect();
        words.extend(["ALL", "WHERE"]);
        words.sort_unstable();
        words.dedup();
        let expectation = format!("an attribute of {}", target.keyword());
        self.word_of(&expectation, &words, |word| target.attribute(word))
    }

    /// The types that the next word can mean; never empty.
    fn object_types(&mut self, allowed: impl Fn(ObjectType) -> bool) -> Parsed<Vec<ObjectType>> {
        let mut words: Vec<&str> =
            ObjectType::all().filter(|object_type| allowed(*object_type)).map(ObjectType::keyword).collect();
        words.dedup();
        self.word_of("a type of object", &words, |word| {
            let types: Vec<_> = ObjectType::from_keyword(word).filter(|found| allowed(*found)).collect();
            (!types.is_empty()).then_some(types)
        })
    }

    /// The one type that a statement is about, told by CHLTYPE and the like wherever it stands.
    fn one_type(&mut self, verb: &str, types: &[ObjectType]) -> Parsed<ObjectType> {
        let [first, _, ..] = types else { return Ok(types[0]) };
        let selector = first.family().selector().expect("types of one word have a selector");
        let is_selector = |pair: &[Token]| {
            matches!(&pair[0].kind, TokenKind::Word(word) if word == selector || word == "TYPE")
                && pair[1].kind == TokenKind::Open
        };
        let Some(distance) = self.tokens[self.next..].windows(2).position(is_selector) else {
            let keyword = first.keyword();
            let problem =
                format!("{verb} {keyword} needs {selector}, which decides what attributes there are");
            return Err(Fault::new(self.end(), problem).expect("", [selector]));
        };
        let here = self.next;
        self.next += distance + 1;
        let object_type = self.subtype_in(selector, types)?;
        self.next = here;
        Ok(object_type)
    }

    /// Takes the CHLTYPE that [`Self::one_type`] has read, if it stands here.
    fn takes_type(&mut self, object_type: ObjectType) -> Parsed<bool> {
        let Some(selector) = object_type.family().selector() else { return Ok(false) };
        let is_here = matches!(
            self.peek(),
            Some(Token { kind: TokenKind::Word(word), .. }) if word == selector || word == "TYPE"
        );
        if !is_here {
            return Ok(false);
        }
        let at = self.here();
        self.next += 1;
        let types: Vec<_> = object_type.family().types().collect();
        if self.subtype_in(selector, &types)? != object_type {
            return Err(Fault::new(at, format!("{selector} is given twice")));
        }
        Ok(true)
    }

    fn subtype_in(&mut self, selector: &str, types: &[ObjectType]) -> Parsed<ObjectType> {
        let words: Vec<_> = types.iter().filter_map(|found| Some((found.subtype()?, *found))).collect();
        self.one_of(selector, &words)
    }

    /// Takes `(WORD)`, one of a few.
    pub(super) fn one_of<T: Copy>(&mut self, of: &str, words: &[(&str, T)]) -> Parsed<T> {
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
        of: (ObjectType, Change),
        others: &[&str],
        settings: &mut Vec<Setting>,
    ) -> Parsed<()> {
        let at = self.here();
        let setting = self.setting(of, others)?;
        if settings.iter().any(|earlier| earlier.attribute == setting.attribute) {
            return Err(Fault::new(at, format!("{} is given twice", setting.attribute.keyword)));
        }
        settings.push(setting);
        Ok(())
    }

    pub(super) fn repeated(&self, what: &str) -> Fault {
        Fault::new(self.here(), format!("{what} is given twice"))
    }
}

/// Objects are made or changed: some attributes are given only when an object is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Define,
    Alter,
}

/// Returns true if a word in front of parentheses says which type is displayed.
fn is_type_word(target: &Target, word: &str) -> bool {
    match target {
        Target::Objects { family: Family::Queue, .. } => word == "TYPE" || word == "QTYPE",
        Target::Objects { family, .. } => {
            family.selector().is_some_and(|selector| word == selector || word == "TYPE")
        }
        Target::QueueStatus { .. }
        | Target::TopicStatus { .. }
        | Target::PublishSubscribe { .. }
        | Target::Connections { .. } => word == "TYPE",
        Target::QueueManager | Target::QueueManagerStatus | Target::SubscriptionStatus { .. } => false,
    }
}

/// Attributes that a word stands for.
fn group(target: &Target, word: &str) -> Option<&'static [&'static str]> {
    match (target, word) {
        (Target::QueueStatus { .. }, "MONITOR") => {
            Some(&["LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME"])
        }
        (Target::QueueManagerStatus, "LOG") => Some(&attributes::LOG_ATTRIBUTES),
        _ => None,
    }
}
