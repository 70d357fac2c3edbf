//! Topic objects and subscriptions: what holds for a topic, and which subscriptions want what is published there.
//!
//! Written from the rules as a person reads them: there is no tree, every object and every subscription is looked at each
//! time. The model knows wildcards for levels and subscriptions with a queue of this queue manager.

use std::collections::BTreeMap;

use super::Unmodelled;
use super::definitions::Word;
use super::selecting::Selector;

/// What a definition says, by keyword.
pub(super) type Said = BTreeMap<String, String>;

/// Topic objects, and subscriptions in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Topics {
    objects: BTreeMap<String, Said>,
    subscriptions: Vec<(String, Said)>,
}

/// Attributes of topic objects that the model knows, each with what holds where nobody says anything.
const OF_TOPICS: [(&str, &str); 12] = [
    ("TOPICSTR", ""),
    ("DESCR", ""),
    ("PUB", "ENABLED"),
    ("SUB", "ENABLED"),
    ("DURSUB", "YES"),
    ("DEFPSIST", "NO"),
    ("DEFPRTY", "0"),
    ("NPMSGDLV", "ALLAVAIL"),
    ("PMSGDLV", "ALLDUR"),
    ("USEDLQ", "YES"),
    ("WILDCARD", "PASSTHRU"),
    ("CAPEXPRY", "NOLIMIT"),
];

/// Attributes of subscriptions that the model knows.
const OF_SUBSCRIPTIONS: [&str; 9] =
    ["TOPICSTR", "TOPICOBJ", "DEST", "USERDATA", "PUBPRTY", "PSPROP", "SELECTOR", "SUBLEVEL", "REQONLY"];

/// Which of the two a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Topic,
    Subscription,
}

/// A command about a topic object or a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TopicCommand {
    Define { replace: bool, said: Said },
    Alter { said: Said },
    Delete,
}

/// What came of such a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Created,
    Changed,
    Deleted,
    Exists,
    NotFound,
    Failed,
    Malformed,
}

impl Subject {
    pub(super) fn of(word: &str) -> Option<Self> {
        match word {
            "TOPIC" => Some(Self::Topic),
            "SUB" => Some(Self::Subscription),
            _ => None,
        }
    }

    fn knows(self, keyword: &str) -> bool {
        match self {
            Self::Topic => OF_TOPICS.iter().any(|(known, _)| *known == keyword),
            Self::Subscription => OF_SUBSCRIPTIONS.contains(&keyword),
        }
    }
}

impl TopicCommand {
    /// Reads what stands behind the name.
    pub(super) fn read(subject: Subject, verb: &str, words: Vec<Word>) -> Result<Self, Unmodelled> {
        let unknown = || Unmodelled::change("a change of other kinds of object");
        let (mut replace, mut said) = (false, Said::new());
        for (keyword, value) in words {
            match value {
                None if keyword == "REPLACE" => replace = true,
                Some(value) if subject.knows(&keyword) => {
                    said.insert(keyword, value);
                }
                _ => return Err(unknown()),
            }
        }
        if said.get("SELECTOR").is_some_and(|text| !text.is_empty() && Selector::read(text).is_none()) {
            return Err(unknown());
        }
        match verb {
            "DEFINE" => Ok(Self::Define { replace, said }),
            "ALTER" if !replace => Ok(Self::Alter { said }),
            "DELETE" if !replace && said.is_empty() => Ok(Self::Delete),
            _ => Err(unknown()),
        }
    }
}

fn levels(topic: &str) -> Vec<&str> {
    topic.split('/').collect()
}

/// Whether a topic is at a place or below it.
fn is_at_or_below(topic: &str, place: &str) -> bool {
    levels(topic).starts_with(&levels(place))
}

/// Whether the levels of a topic are those that a pattern asks for.
fn fits(pattern: &[&str], topic: &[&str]) -> bool {
    match pattern.split_first() {
        None => topic.is_empty(),
        Some((&"#", rest)) => (0..=topic.len()).any(|taken| fits(rest, &topic[taken..])),
        Some((level, rest)) => topic
            .split_first()
            .is_some_and(|(found, left)| (*level == "+" || level == found) && fits(rest, left)),
    }
}

impl Topics {
    /// Does what a command says.
    pub(super) fn command(&mut self, subject: Subject, name: &str, command: TopicCommand) -> Done {
        match (subject, command) {
            (Subject::Topic, TopicCommand::Define { replace, said }) => {
                self.define_topic(name, replace, said)
            }
            (Subject::Subscription, TopicCommand::Define { replace, said }) => {
                self.define_subscription(name, replace, said)
            }
            // Where an object stands, and what a subscription is about, is said once.
            (_, TopicCommand::Alter { said })
                if ["TOPICSTR", "TOPICOBJ", "SELECTOR", "SUBLEVEL", "REQONLY"]
                    .iter()
                    .any(|fixed| said.contains_key(*fixed)) =>
            {
                Done::Malformed
            }
            (subject, TopicCommand::Alter { said }) => match self.find(subject, name) {
                Some(found) => {
                    found.extend(said);
                    Done::Changed
                }
                None => Done::NotFound,
            },
            (_, TopicCommand::Delete) if self.find(subject, name).is_none() => Done::NotFound,
            (Subject::Topic, TopicCommand::Delete) => {
                self.objects.remove(name);
                Done::Deleted
            }
            (Subject::Subscription, TopicCommand::Delete) => {
                self.subscriptions.retain(|(known, _)| known != name);
                Done::Deleted
            }
        }
    }

    fn find(&mut self, subject: Subject, name: &str) -> Option<&mut Said> {
        match subject {
            Subject::Topic => self.objects.get_mut(name),
            Subject::Subscription => {
                self.subscriptions.iter_mut().find(|(known, _)| known == name).map(|(_, said)| said)
            }
        }
    }

    fn define_topic(&mut self, name: &str, replace: bool, said: Said) -> Done {
        let place = said.get("TOPICSTR").cloned().unwrap_or_default();
        let is_held = self.objects.iter().any(|(other, held)| other != name && held["TOPICSTR"] == place);
        if place.is_empty() || is_held {
            return Done::Failed;
        }
        if self.objects.contains_key(name) && !replace {
            return Done::Exists;
        }
        self.objects.insert(name.to_owned(), said);
        Done::Created
    }

    fn define_subscription(&mut self, name: &str, replace: bool, mut said: Said) -> Done {
        let of_string = said.get("TOPICSTR").cloned().unwrap_or_default();
        let whole = match said.remove("TOPICOBJ").filter(|object| !object.is_empty()) {
            None => of_string,
            Some(object) => match self.string_of(&object) {
                None => return Done::Failed,
                Some(first) if of_string.is_empty() => first,
                Some(first) => format!("{first}/{of_string}"),
            },
        };
        if whole.is_empty() || said.get("DEST").is_none_or(String::is_empty) {
            return Done::Failed;
        }
        said.insert("TOPICSTR".to_owned(), whole);
        match self.find(Subject::Subscription, name) {
            Some(_) if !replace => return Done::Exists,
            Some(existing) => *existing = said,
            None => self.subscriptions.push((name.to_owned(), said)),
        }
        Done::Created
    }

    /// The topic string of an object.
    pub(super) fn string_of(&self, object: &str) -> Option<String> {
        self.objects.get(object).map(|said| said["TOPICSTR"].clone())
    }

    /// What holds for a topic: what the nearest object says that says anything.
    pub(super) fn holds(&self, topic: &str, keyword: &str) -> String {
        let above = self.objects.values().filter(|said| is_at_or_below(topic, &said["TOPICSTR"]));
        let saying = above.filter(|said| said.get(keyword).is_some_and(|value| value != "ASPARENT"));
        let nearest = saying.max_by_key(|said| levels(&said["TOPICSTR"]).len());
        let (_, otherwise) = OF_TOPICS.iter().find(|(known, _)| *known == keyword).expect("it is known");
        nearest.map_or_else(|| (*otherwise).to_owned(), |said| said[keyword].clone())
    }

    /// The subscriptions that want a publication, the first made first; `takes` says what their selectors do.
    pub(super) fn wanting(&self, topic: &str, level: i32, takes: impl Fn(&Selector) -> bool) -> Vec<Said> {
        let is_blocking = |said: &&Said| said.get("WILDCARD").is_some_and(|word| word == "BLOCK");
        let blocking = self.objects.values().filter(is_blocking).map(|said| &said["TOPICSTR"]);
        let blocking = blocking.filter(|place| is_at_or_below(topic, place));
        let reaches_from = blocking.map(|place| levels(place).len()).max().unwrap_or(0);
        let wants = |said: &&Said| {
            let pattern = levels(&said["TOPICSTR"]);
            let wild = pattern.iter().position(|level| ["+", "#"].contains(level));
            let selector = said.get("SELECTOR").filter(|text| !text.is_empty());
            fits(&pattern, &levels(topic))
                && wild.is_none_or(|before| before >= reaches_from)
                && said.get("REQONLY").is_none_or(|word| word == "NO")
                && selector.is_none_or(|text| takes(&Selector::read(text).expect("it was read before")))
        };
        let level_of = |said: &Said| said.get("SUBLEVEL").map_or(1, |text| text.parse().unwrap_or(1));
        let found: Vec<&Said> = self.subscriptions.iter().map(|(_, said)| said).filter(wants).collect();
        let front: Option<i32> =
            found.iter().map(|said| level_of(said)).filter(|found| *found <= level).max();
        found.into_iter().filter(|said| Some(level_of(said)) == front).cloned().collect()
    }
}
