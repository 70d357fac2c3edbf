//! Objects and their attributes, and commands read from text.

use std::collections::BTreeMap;

use super::Unmodelled;
use super::queue::QueueId;
use super::topics::{Subject, TopicCommand, in_custom};

/// Kind of a queue's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Local,
    Alias,
    Model,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) kind: Kind,
    /// By keyword.
    pub(super) attributes: BTreeMap<String, String>,
    /// A temporary dynamic queue: it does not outlive its queue manager's run.
    pub(super) temporary: bool,
    /// A queue made from a model.
    pub(super) dynamic: bool,
    /// The queue, of a local one.
    pub(super) queue: Option<QueueId>,
}

/// Where attributes not said come from.
const DEFAULTS: [(&str, Kind); 3] = [
    ("SYSTEM.DEFAULT.LOCAL.QUEUE", Kind::Local),
    ("SYSTEM.DEFAULT.ALIAS.QUEUE", Kind::Alias),
    ("SYSTEM.DEFAULT.MODEL.QUEUE", Kind::Model),
];

/// Local queues that every queue manager has.
pub(super) const LOCAL_QUEUES_FROM_THE_START: [&str; 3] =
    ["SYSTEM.DEFAULT.LOCAL.QUEUE", "SYSTEM.DEAD.LETTER.QUEUE", "SYSTEM.ADMIN.STATISTICS.QUEUE"];

/// An attribute: its keyword, what it may be, and its value at first in a local queue, an alias and a model.
type Row = (&'static str, Values, [Option<&'static str>; 3]);

enum Values {
    Text,
    Number {
        max: u64,
    },
    /// From 1 on, or the word for no limit.
    Limit {
        max: u64,
    },
    /// From 20 to 267,386,880, or DEFAULT.
    Megabytes,
    OneOf(&'static [&'static str]),
    /// Said without a value: the keyword, or the keyword with NO before it.
    Switch,
}

use Values::{Limit, Megabytes, Number, OneOf, Switch, Text};

/// Values of an attribute that switches events; the events go to queues that the model does not have.
const EVENTS: &[&str] = &["ENABLED", "DISABLED"];

#[rustfmt::skip]
const ATTRIBUTES: [Row; 42] = [
    ("ACCTQ", OneOf(&["QMGR", "ON", "OFF"]), [Some("QMGR"), None, Some("QMGR")]),
    ("CAPEXPRY", Limit { max: 999_999_999 }, [Some("NOLIMIT"); 3]),
    ("CUSTOM", Text, [Some(""); 3]),
    ("DEFPRESP", OneOf(&["SYNC", "ASYNC"]), [Some("SYNC"); 3]),
    ("DEFPRTY", Number { max: 9 }, [Some("0"); 3]),
    ("DEFPSIST", OneOf(&["NO", "YES"]), [Some("NO"); 3]),
    ("DEFREADA", OneOf(&["NO", "YES", "DISABLED"]), [Some("NO"); 3]),
    ("DEFSOPT", OneOf(&["SHARED", "EXCL"]), [Some("SHARED"), None, Some("EXCL")]),
    ("DEFTYPE", OneOf(&["TEMPDYN", "PERMDYN"]), [None, None, Some("TEMPDYN")]),
    ("DESCR", Text, [Some(""); 3]),
    ("FULLACT", OneOf(&["REASON", "HOLD"]), [Some("REASON"), None, Some("REASON")]),
    ("GET", OneOf(&["ENABLED", "DISABLED"]), [Some("ENABLED"); 3]),
    ("HARDENBO", Switch, [Some("YES"), None, Some("YES")]),
    ("IMGRCOVQ", OneOf(&["QMGR", "YES", "NO"]), [Some("QMGR"), None, Some("QMGR")]),
    ("INITQ", Text, [Some(""), None, Some("")]),
    ("MAXDEPTH", Number { max: 999_999_999 }, [Some("5000"), None, Some("5000")]),
    ("MAXFSIZE", Megabytes, [Some("DEFAULT"), None, Some("DEFAULT")]),
    ("MAXMSGL", Number { max: 104_857_600 }, [Some("4194304"), None, Some("4194304")]),
    ("MONQ", OneOf(&["QMGR", "OFF", "LOW", "MEDIUM", "HIGH"]), [Some("QMGR"), None, Some("QMGR")]),
    ("MSGDLVSQ", OneOf(&["PRIORITY", "FIFO"]), [Some("PRIORITY"), None, Some("PRIORITY")]),
    ("NPMCLASS", OneOf(&["NORMAL", "HIGH"]), [Some("NORMAL"), None, Some("NORMAL")]),
    ("PROCESS", Text, [Some(""), None, Some("")]),
    ("PUT", OneOf(&["ENABLED", "DISABLED"]), [Some("ENABLED"); 3]),
    ("QDEPTHHI", Number { max: 100 }, [Some("80"), None, Some("80")]),
    ("QDEPTHLO", Number { max: 100 }, [Some("20"), None, Some("20")]),
    ("QDPHIEV", OneOf(EVENTS), [Some("DISABLED"), None, Some("DISABLED")]),
    ("QDPLOEV", OneOf(EVENTS), [Some("DISABLED"), None, Some("DISABLED")]),
    ("QDPMAXEV", OneOf(EVENTS), [Some("ENABLED"), None, Some("ENABLED")]),
    ("QSVCIEV", OneOf(&["HIGH", "OK", "NONE"]), [Some("NONE"), None, Some("NONE")]),
    ("QSVCINT", Number { max: 999_999_999 }, [Some("999999999"), None, Some("999999999")]),
    ("QUOTA", Limit { max: 999_999_999 }, [Some("NOLIMIT"), None, Some("NOLIMIT")]),
    ("SHARE", Switch, [Some("YES"), None, Some("NO")]),
    ("STREAMQ", Text, [Some(""), None, Some("")]),
    ("STRMQOS", OneOf(&["BESTEF", "MUSTDUP"]), [Some("BESTEF"), None, Some("BESTEF")]),
    ("SYNCREQ", OneOf(&["NO", "YES"]), [Some("NO"), None, Some("NO")]),
    ("TARGET", Text, [None, Some(""), None]),
    ("TARGTYPE", OneOf(&["QUEUE", "TOPIC"]), [None, Some("QUEUE"), None]),
    ("TRIGDATA", Text, [Some(""), None, Some("")]),
    ("TRIGDPTH", Number { max: 999_999_999 }, [Some("1"), None, Some("1")]),
    ("TRIGGER", Switch, [Some("NO"), None, Some("NO")]),
    ("TRIGMPRI", Number { max: 9 }, [Some("0"), None, Some("0")]),
    ("TRIGTYPE", OneOf(&["NONE", "FIRST", "EVERY", "DEPTH"]), [Some("FIRST"), None, Some("FIRST")]),
];

/// Kinds of object that the model does not have.
const OTHER_OBJECTS: [&str; 23] = [
    "QREMOTE", "PROCESS", "NAMELIST", "CHANNEL", "CHL", "LISTENER", "SERVICE", "TOPIC", "SUB", "AUTHINFO",
    "COMMINFO", "QMSTATUS", "CHSTATUS", "LSSTATUS", "TPSTATUS", "SVSTATUS", "CLUSQMGR", "TCLUSTER",
    "APSTATUS", "POLICY", "CHLAUTH", "BRIDGE", "PIPE",
];

/// Types among them that no message and no handle of a queue or a topic meets.
const OF_NO_CONCERN: [&str; 9] =
    ["NAMELIST", "CHANNEL", "CHL", "LISTENER", "SERVICE", "AUTHINFO", "COMMINFO", "BRIDGE", "PIPE"];

/// Commands that change nothing, since they are about what there is not.
const ABSENT_VERBS: [&str; 5] = ["START", "STOP", "SET", "REFRESH", "RESET"];

/// The objects of a new queue manager; its local queues have no messages' place yet.
pub(super) fn from_the_start() -> BTreeMap<String, Definition> {
    let more = LOCAL_QUEUES_FROM_THE_START.map(|name| (name, Kind::Local));
    let make = |(name, kind): (&str, Kind)| (name.to_owned(), Definition::plain(kind));
    DEFAULTS.into_iter().chain(more).map(make).collect()
}

impl Kind {
    /// The definition that gives what a DEFINE of this kind does not say.
    pub(super) fn default_name(self) -> &'static str {
        DEFAULTS.iter().find(|(_, kind)| *kind == self).map(|(name, _)| *name).expect("every kind has one")
    }

    fn of(word: &str) -> Option<Self> {
        match word {
            "QLOCAL" => Some(Self::Local),
            "QALIAS" => Some(Self::Alias),
            "QMODEL" => Some(Self::Model),
            _ => None,
        }
    }
}

impl Definition {
    pub(super) fn plain(kind: Kind) -> Self {
        let value = |row: &Row| row.2[kind as usize].map(|value| (row.0.to_owned(), value.to_owned()));
        Self {
            kind,
            attributes: ATTRIBUTES.iter().filter_map(value).collect(),
            temporary: false,
            dynamic: false,
            queue: None,
        }
    }

    pub(super) fn is(&self, keyword: &str, value: &str) -> bool {
        self.attributes.get(keyword).is_some_and(|found| found == value)
    }

    /// A number; the defaults and `read` see to it that there is one.
    pub(super) fn number(&self, keyword: &str) -> usize {
        self.attributes[keyword].parse().expect("a number was checked when it was read")
    }

    /// The longest expiry in tenths of a second: CAPEXPRY, or that in CUSTOM.
    pub(super) fn expiry_max(&self) -> Option<u64> {
        self.limit("CAPEXPRY")?.parse().ok()
    }

    /// A limit, its own or that in CUSTOM.
    pub(super) fn limit(&self, keyword: &str) -> Option<&str> {
        let own = self.attributes.get(keyword).filter(|value| *value != "NOLIMIT").map(String::as_str);
        own.or_else(|| in_custom(self.attributes.get("CUSTOM")?, keyword))
    }

    /// True if its attributes do not agree: CUSTOM has an invalid limit, a low mark is above its high mark,
    /// or it streams to itself.
    pub(super) fn is_wrong(&self, name: &str) -> bool {
        if self.is("STREAMQ", name) {
            return true;
        }
        if self.kind != Kind::Alias && self.number("QDEPTHLO") > self.number("QDEPTHHI") {
            return true;
        }
        let custom = |keyword| self.attributes.get("CUSTOM").and_then(|custom| in_custom(custom, keyword));
        if self.kind != Kind::Alias
            && custom("FULLACT").is_some_and(|value| !["REASON", "HOLD"].contains(&value))
        {
            return true;
        }
        if self.kind != Kind::Alias && custom("SYNCREQ").is_some_and(|value| !["NO", "YES"].contains(&value))
        {
            return true;
        }
        let is_wrong = |value: &str| value != "NOLIMIT" && !value.parse::<u64>().is_ok_and(|most| most > 0);
        custom("CAPEXPRY").is_some_and(is_wrong)
            || self.kind != Kind::Alias && custom("QUOTA").is_some_and(is_wrong)
    }

    /// True if programs put and get in units of work alone: SYNCREQ, or that in CUSTOM.
    pub(super) fn requires_unit(&self) -> bool {
        let custom = self.attributes.get("CUSTOM").and_then(|custom| in_custom(custom, "SYNCREQ"));
        self.is("SYNCREQ", "YES") || self.is("SYNCREQ", "NO") && custom == Some("YES")
    }

    pub(super) fn fifo(&self) -> bool {
        self.is("MSGDLVSQ", "FIFO")
    }
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Define {
        kind: Kind,
        name: String,
        like: Option<String>,
        replace: bool,
        settings: Settings,
    },
    Alter {
        kind: Kind,
        name: String,
        force: bool,
        settings: Settings,
    },
    Delete {
        kind: Kind,
        name: String,
        purge: bool,
    },
    Clear {
        name: String,
    },
    /// Forgets the publication retained for a topic.
    ClearTopic {
        topic: String,
    },
    Display {
        kind: Option<Kind>,
        name: String,
        keywords: Vec<String>,
    },
    /// A command about a process definition.
    Process {
        name: String,
        command: ProcessCommand,
    },
    /// A command about a topic object or a subscription.
    Topics {
        subject: Subject,
        name: String,
        command: TopicCommand,
    },
    /// The messages of a queue are read, and given back if need be.
    Recover {
        name: String,
    },
    /// The queue manager's own attributes are changed.
    AlterManager {
        settings: Settings,
    },
    /// A value that its attribute cannot have.
    Malformed,
}

pub(super) type Settings = Vec<(String, String)>;

/// A change of a process definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProcessCommand {
    Define(Settings),
    Alter(Settings),
    Delete,
}

impl ProcessCommand {
    /// The command of such a verb, if it is one that changes.
    fn read(verb: &str, rest: &[Word]) -> Option<Self> {
        let said =
            || rest.iter().map(|(keyword, value)| (keyword.clone(), value.clone().unwrap_or_default()));
        match verb {
            "DEFINE" => Some(Self::Define(said().collect())),
            "ALTER" => Some(Self::Alter(said().collect())),
            "DELETE" => Some(Self::Delete),
            _ => None,
        }
    }
}

/// A keyword and what stands behind it in brackets.
pub(super) type Word = (String, Option<String>);

impl Command {
    /// Reads a command.
    pub(super) fn read(text: &str) -> Result<Self, Unmodelled> {
        let mut words = words(text).into_iter();
        let unknown = |kind: String| Unmodelled { only_asks: kind.starts_with("DISPLAY"), kind };
        let (verb, _) = words.next().unwrap_or_default();
        let (object, name) = words.next().unwrap_or_default();
        let rest: Vec<Word> = words.collect();
        let kind = Kind::of(&object);
        if ABSENT_VERBS.contains(&verb.as_str()) {
            return Err(Unmodelled::question("commands about what is not there"));
        }
        if let ("PROCESS", Some(name)) = (object.as_str(), &name)
            && let Some(command) = ProcessCommand::read(&verb, &rest)
        {
            return Ok(Self::Process { name: name.clone(), command });
        }
        if let (Some(subject), Some(name)) = (Subject::of(&object), &name)
            && ["DEFINE", "ALTER", "DELETE"].contains(&verb.as_str())
            && !name.starts_with("SYSTEM.")
        {
            let command = TopicCommand::read(subject, &verb, rest)?;
            return Ok(Self::Topics { subject, name: name.clone(), command });
        }
        if let ("CLEAR", "TOPICSTR", Some(topic)) = (verb.as_str(), object.as_str(), &name) {
            return Ok(Self::ClearTopic { topic: topic.clone() });
        }
        if OTHER_OBJECTS.contains(&object.as_str()) {
            return Err(match verb.as_str() {
                "DISPLAY" => Unmodelled::question("DISPLAY of other kinds of object"),
                _ if OF_NO_CONCERN.contains(&object.as_str()) => {
                    Unmodelled::question("changes of objects that no message meets")
                }
                _ => Unmodelled::change("a change of other kinds of object"),
            });
        }
        if ("ALTER", "QMGR") == (verb.as_str(), object.as_str()) {
            let said = rest.into_iter().map(|(keyword, value)| (keyword, value.unwrap_or_default()));
            return Ok(Self::AlterManager { settings: said.collect() });
        }
        let name = name.ok_or_else(|| unknown(format!("{verb} {object}")))?;
        let is_system = name.starts_with("SYSTEM.") && !from_the_start().contains_key(&name);
        if is_system {
            let is_trigger_set = rest.iter().any(|(keyword, _)| keyword == "TRIGGER");
            let is_of_no_concern = verb == "CLEAR" || verb == "ALTER" && !is_trigger_set;
            if is_of_no_concern && name.starts_with("SYSTEM.ADMIN.") && name.ends_with(".EVENT") {
                return Err(Unmodelled::question("changes of event queues"));
            }
            return Err(match verb.as_str() {
                "DISPLAY" => Unmodelled::question("DISPLAY of other system objects"),
                _ => Unmodelled::change("other system objects"),
            });
        }
        match (verb.as_str(), kind) {
            ("DEFINE", Some(kind)) => define(kind, name, rest),
            ("ALTER", Some(kind)) => alter(kind, name, rest),
            ("DELETE", Some(kind)) => {
                match rest.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>()[..] {
                    [] => Ok(Self::Delete { kind, name, purge: false }),
                    ["PURGE"] => Ok(Self::Delete { kind, name, purge: true }),
                    _ => Err(unknown(format!("DELETE with {rest:?}"))),
                }
            }
            ("RECOVER", Some(Kind::Local)) if rest.is_empty() => Ok(Self::Recover { name }),
            ("RECOVER", _) => Ok(Self::Malformed),
            ("CLEAR", Some(Kind::Local)) if rest.is_empty() => Ok(Self::Clear { name }),
            ("DISPLAY", _) if kind.is_some() || object == "QUEUE" => {
                if name.contains('*') || rest.iter().any(|(_, value)| value.is_some()) {
                    return Err(unknown("DISPLAY of several queues".to_owned()));
                }
                let keywords = rest.into_iter().map(|(keyword, _)| keyword).collect();
                Ok(Self::Display { kind, name, keywords })
            }
            _ => Err(unknown(format!("{verb} {object}"))),
        }
    }
}

fn define(kind: Kind, name: String, words: Vec<Word>) -> Result<Command, Unmodelled> {
    let (mut like, mut replace, mut left) = (None, false, Vec::new());
    for word in words {
        match word {
            (keyword, Some(value)) if keyword == "LIKE" => like = Some(value),
            (keyword, None) if keyword == "REPLACE" => replace = true,
            (keyword, None) if keyword == "NOREPLACE" => replace = false,
            other => left.push(other),
        }
    }
    let settings = settings(kind, left)?;
    Ok(settings.map_or(Command::Malformed, |settings| Command::Define {
        kind,
        name,
        like,
        replace,
        settings,
    }))
}

fn alter(kind: Kind, name: String, mut words: Vec<Word>) -> Result<Command, Unmodelled> {
    let count = words.len();
    words.retain(|word| *word != ("FORCE".to_owned(), None));
    let force = words.len() < count;
    let settings = settings(kind, words)?;
    Ok(settings.map_or(Command::Malformed, |settings| Command::Alter { kind, name, force, settings }))
}

/// The settings, or nothing when one has a value that it cannot have.
fn settings(kind: Kind, words: Vec<Word>) -> Result<Option<Settings>, Unmodelled> {
    let mut settings = Settings::new();
    for (word, value) in words {
        let switched =
            word.strip_prefix("NO").filter(|keyword| value.is_none() && row(kind, keyword).is_some());
        let (keyword, value) = match (switched, value) {
            (Some(keyword), _) => (keyword.to_owned(), "NO".to_owned()),
            (None, Some(value)) => (word, value),
            (None, None) => (word, "YES".to_owned()),
        };
        let row = row(kind, &keyword);
        let (_, values, _) = row.ok_or_else(|| Unmodelled::change(format!("attribute {keyword}")))?;
        let fits = match values {
            Text | Switch => true,
            Number { max } => value.parse::<u64>().is_ok_and(|number| number <= *max),
            Limit { max } => {
                value == "NOLIMIT" || value.parse::<u64>().is_ok_and(|number| (1..=*max).contains(&number))
            }
            Megabytes => {
                value == "DEFAULT"
                    || value.parse::<u64>().is_ok_and(|number| (20..=267_386_880).contains(&number))
            }
            OneOf(choices) => choices.contains(&value.as_str()),
        };
        if !fits {
            return Ok(None);
        }
        settings.push((keyword, value));
    }
    Ok(Some(settings))
}

fn row(kind: Kind, keyword: &str) -> Option<&'static Row> {
    static ROWS: [Row; 42] = ATTRIBUTES;
    ROWS.iter().find(|(known, _, values)| *known == keyword && values[kind as usize].is_some())
}

/// The words of a command: keywords in capitals, values as MQSC folds them.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|character: char| character.is_whitespace() || character == '(');
        let (keyword, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let keyword = keyword.to_ascii_uppercase();
        let (value, behind) = match behind.trim_start().strip_prefix('(') {
            Some(inside) => {
                let (value, behind) = value(inside);
                (Some(value), behind)
            }
            None => (None, behind),
        };
        words.push((keyword, value));
        rest = behind.trim_start();
    }
    words
}

/// A value up to its closing bracket, and what comes behind.
fn value(inside: &str) -> (String, &str) {
    let inside = inside.trim_start();
    if let Some(quoted) = inside.strip_prefix('\'') {
        let mut value = String::new();
        let mut rest = quoted;
        while let Some((before, behind)) = rest.split_once('\'') {
            value.push_str(before);
            rest = behind;
            match rest.strip_prefix('\'') {
                Some(behind) => {
                    value.push('\'');
                    rest = behind;
                }
                None => break,
            }
        }
        return (value, rest.split_once(')').map_or("", |(_, behind)| behind));
    }
    let (value, behind) = inside.split_once(')').unwrap_or((inside, ""));
    (value.trim().to_ascii_uppercase(), behind)
}
