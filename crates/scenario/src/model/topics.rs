//! Topic objects and subscriptions: what holds for a topic, and which subscriptions want what is published
//! there.
//!
//! Written from the rules as a person reads them: there is no tree, every object and every subscription is
//! looked at each time. The model knows wildcards for levels and subscriptions with a queue of this queue
//! manager.

use std::collections::BTreeMap;

use super::Unmodelled;
use super::definitions::Word;
use super::queue::Message;
use super::selecting::Selector;

/// Attributes of a definition, by keyword.
pub(super) type Said = BTreeMap<String, String>;

/// Topic objects, and subscriptions in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Topics {
    objects: BTreeMap<String, Said>,
    subscriptions: Vec<(String, Said)>,
    /// Number of subscriptions made before each.
    made_as: BTreeMap<String, u64>,
    made: u64,
}

/// Attributes of topic objects that the model knows, each with what holds where nobody says anything.
const OF_TOPICS: [(&str, &str); 13] = [
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
    ("CUSTOM", ""),
];

/// Attributes of subscriptions that the model knows.
const OF_SUBSCRIPTIONS: [&str; 9] =
    ["TOPICSTR", "TOPICOBJ", "DEST", "USERDATA", "PUBPRTY", "PSPROP", "SELECTOR", "SUBLEVEL", "REQONLY"];

/// Kind of object of a command.
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

/// Result of such a command.
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

/// True if a topic is at a place or below it.
fn is_at_or_below(topic: &str, place: &str) -> bool {
    levels(topic).starts_with(&levels(place))
}

/// True if the levels of a topic fit a pattern.
fn fits(pattern: &[&str], topic: &[&str]) -> bool {
    match pattern.split_first() {
        None => topic.is_empty(),
        Some((&"#", rest)) => (0..=topic.len()).any(|taken| fits(rest, &topic[taken..])),
        Some((level, rest)) => topic
            .split_first()
            .is_some_and(|(found, left)| (*level == "+" || level == found) && fits(rest, left)),
    }
}

/// True if a topic fits a pattern of characters.
fn fits_characters(pattern: &[u8], topic: &[u8]) -> bool {
    match pattern.split_first() {
        None => topic.is_empty(),
        Some((b'*', rest)) => (0..=topic.len()).any(|taken| fits_characters(rest, &topic[taken..])),
        Some((wanted, rest)) => topic
            .split_first()
            .is_some_and(|(found, left)| (*wanted == b'?' || wanted == found) && fits_characters(rest, left)),
    }
}

/// True if a subscription is about a topic.
fn is_about(said: &Said, topic: &str) -> bool {
    let pattern = &said["TOPICSTR"];
    match said.get("WSCHEMA").is_some_and(|word| word == "CHAR") {
        true => fits_characters(pattern.as_bytes(), topic.as_bytes()),
        false => fits(&levels(pattern), &levels(topic)),
    }
}

/// True if the selector of a subscription, if it has one, takes a message.
pub(super) fn selects(said: &Said, message: &Message) -> bool {
    let selector = said.get("SELECTOR").filter(|text| !text.is_empty());
    selector.is_none_or(|text| Selector::read(text).expect("it was read before").takes(message))
}

/// Number of levels before the first wildcard, if there is one.
fn first_wildcard(topic: &str, is_of_characters: bool) -> Option<usize> {
    match is_of_characters {
        true => topic.find(['*', '?']).map(|at| topic[..at].matches('/').count()),
        false => levels(topic).iter().position(|level| ["+", "#"].contains(level)),
    }
}

fn fixed_levels(said: &Said) -> Option<usize> {
    first_wildcard(&said["TOPICSTR"], said.get("WSCHEMA").is_some_and(|word| word == "CHAR"))
}

/// The place where what holds for a subscription is said: before its first wildcard.
pub(super) fn fixed_part(topic: &str, schema: &str) -> String {
    match first_wildcard(topic, schema == "CHAR") {
        None => topic.to_owned(),
        Some(before) => levels(topic)[..before].join("/"),
    }
}

/// Identity of a group, for a subscription that belongs to one.
fn group(said: &Said) -> Option<(&String, &String)> {
    said.get("GROUP").is_some_and(|word| word == "YES").then(|| (&said["DEST"], &said["CORREL"]))
}

/// Returns an object's own value, CAPEXPRY also within CUSTOM.
fn says<'a>(said: &'a Said, keyword: &str) -> Option<&'a str> {
    let own = said.get(keyword).map(String::as_str).filter(|value| *value != "ASPARENT");
    let custom = || said.get("CUSTOM").and_then(|custom| in_custom(custom, "CAPEXPRY"));
    own.or_else(|| if keyword == "CAPEXPRY" { custom() } else { None })
}

/// Returns the value behind a keyword in a text of keywords and values.
pub(super) fn in_custom<'a>(custom: &'a str, keyword: &str) -> Option<&'a str> {
    let words = custom.split(')').filter_map(|word| word.trim().split_once('('));
    words.into_iter().find(|(name, _)| *name == keyword).map(|(_, value)| value.trim())
}

/// True if CUSTOM has an invalid value.
fn is_custom_wrong(said: &Said) -> bool {
    let expiry = said.get("CUSTOM").and_then(|custom| in_custom(custom, "CAPEXPRY"));
    expiry.is_some_and(|value| value.parse::<u32>().map_or(true, |tenths| tenths == 0))
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
                unreachable!("one that is there goes with its queue")
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
        if place.is_empty() || is_held || is_custom_wrong(&said) {
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
            None => self.make_subscription(name, said),
        }
        Done::Created
    }

    fn make_subscription(&mut self, name: &str, said: Said) {
        self.made_as.insert(name.to_owned(), self.made);
        self.made += 1;
        self.subscriptions.push((name.to_owned(), said));
    }

    /// Number of subscriptions made.
    pub(super) fn subscriptions_made(&self) -> u64 {
        self.made
    }

    /// True if a subscription was made when so many had been.
    pub(super) fn was_made_after(&self, name: &str, made: u64) -> bool {
        self.made_as[name] >= made
    }

    /// The names of all subscriptions.
    pub(super) fn subscription_names(&self) -> Vec<String> {
        self.subscriptions.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Attributes of a subscription.
    pub(super) fn subscription(&self, name: &str) -> Option<&Said> {
        self.subscriptions.iter().find(|(known, _)| known == name).map(|(_, said)| said)
    }

    /// Adds a subscription, or has one say something else.
    pub(super) fn add_subscription(&mut self, name: &str, said: Said) {
        match self.find(Subject::Subscription, name) {
            Some(existing) => *existing = said,
            None => self.make_subscription(name, said),
        }
    }

    /// Takes a subscription away.
    pub(super) fn remove_subscription(&mut self, name: &str) -> Option<Said> {
        let at = self.subscriptions.iter().position(|(known, _)| known == name)?;
        Some(self.subscriptions.remove(at).1)
    }

    /// True if there is a subscription of the same group to the same topics.
    pub(super) fn has_in_group(&self, said: &Said) -> bool {
        let mut others = self.subscriptions.iter().map(|(_, other)| other);
        others.any(|other| {
            group(other).is_some() && group(other) == group(said) && {
                ["TOPICSTR", "SUBLEVEL"].into_iter().all(|keyword| other.get(keyword) == said.get(keyword))
            }
        })
    }

    /// Returns the state after a restart.
    pub(super) fn after_restart(&self) -> Self {
        let mut left = self.clone();
        left.subscriptions.retain(|(_, said)| said.get("DURABLE").is_none_or(|word| word == "YES"));
        left
    }

    /// The topic string of an object.
    pub(super) fn string_of(&self, object: &str) -> Option<String> {
        self.objects.get(object).map(|said| said["TOPICSTR"].clone())
    }

    /// Returns the value in force for a topic: that of the nearest object with one.
    pub(super) fn holds(&self, topic: &str, keyword: &str) -> String {
        let above = self.objects.values().filter(|said| is_at_or_below(topic, &said["TOPICSTR"]));
        let saying = above.filter_map(|said| Some((said, says(said, keyword)?)));
        let nearest = saying.max_by_key(|(said, _)| levels(&said["TOPICSTR"]).len());
        let (_, otherwise) = OF_TOPICS.iter().find(|(known, _)| *known == keyword).expect("it is known");
        nearest.map_or_else(|| (*otherwise).to_owned(), |(_, value)| value.to_owned())
    }

    /// True if publications to a topic are for a subscription: one with wildcards does not see below a place
    /// that blocks them.
    pub(super) fn reaches(&self, said: &Said, topic: &str) -> bool {
        let is_blocking = |said: &&Said| said.get("WILDCARD").is_some_and(|word| word == "BLOCK");
        let blocking = self.objects.values().filter(is_blocking).map(|said| &said["TOPICSTR"]);
        let blocking = blocking.filter(|place| is_at_or_below(topic, place));
        let reaches_from = blocking.map(|place| levels(place).len()).max().unwrap_or(0);
        is_about(said, topic) && fixed_levels(said).is_none_or(|before| before >= reaches_from)
    }

    /// The subscriptions that want a publication, the first made first; `takes` says what their selectors do,
    /// `may` which of them may be given it at all.
    pub(super) fn wanting(
        &self,
        topic: &str,
        level: i32,
        takes: impl Fn(&Selector) -> bool,
        may: impl Fn(&str, &Said) -> bool,
    ) -> Vec<(String, Said)> {
        let wants = |said: &Said| {
            let selector = said.get("SELECTOR").filter(|text| !text.is_empty());
            self.reaches(said, topic)
                && said.get("REQONLY").is_none_or(|word| word == "NO")
                && selector.is_none_or(|text| takes(&Selector::read(text).expect("it was read before")))
        };
        let level_of = |said: &Said| said.get("SUBLEVEL").map_or(1, |text| text.parse().unwrap_or(1));
        let allowed = self.subscriptions.iter().filter(|(name, said)| may(name, said));
        let found: Vec<&(String, Said)> = allowed.filter(|(_, said)| wants(said)).collect();
        let front: Option<i32> =
            found.iter().map(|(_, said)| level_of(said)).filter(|found| *found <= level).max();
        let found: Vec<&(String, Said)> =
            found.into_iter().filter(|(_, said)| Some(level_of(said)) == front).collect();
        let says_more = |one: &Said, other: &Said| match (fixed_levels(one), fixed_levels(other)) {
            (one, Some(other)) => one.is_none_or(|one| one > other),
            (_, None) => false,
        };
        let first_of = |(_, said): &&(String, Said)| {
            let all = || found.iter().map(|(_, other)| other);
            let rivals = || all().filter(|other| group(other) == group(said));
            let best = rivals().find(|one| rivals().all(|other| !says_more(other, one)));
            group(said).is_none() || best.is_some_and(|best| std::ptr::eq(best, said))
        };
        found.iter().copied().filter(first_of).cloned().collect()
    }
}
