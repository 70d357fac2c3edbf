//! DISPLAY: the parts that all displays have in common. The words that follow are with their families.

use mqi::ours::{PAGE_AFTER, PAGE_LIMIT};
use std::fmt;

use mqi::constants::*;
use mqi::{NamePattern, ObjectName, QueueManagerName};

use super::choices::{self, OpenType};
use super::page::{LIMIT_MAX, Page, Part};
use super::rights::{AuthorityChoice, EntityChoice};
use crate::attributes::{self, Attribute, Kind, StatusType, Subject};
use crate::messages::MessageRow;
use crate::mqsc::filter::Filter;
use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::name::Names;
use crate::mqsc::parser::{Fault, Parsed, Parser, words_of};
use crate::mqsc::setting::{Setting, write_settings};
use crate::object_type::{Family, ObjectType};
use crate::pcf::parameters::{
    Parameters, Read, Refusal, compared_text, operator_of, refusal, unknown_parameter, wrong_value,
};
use crate::pcf::structure::{Content, Parameter};
use crate::response::{Field, Row};
use crate::value::{Value, quoted};

/// DISPLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// The things shown.
    pub target: Target,
    /// The choice among them, by attributes that must have these values: `SUBTYPE(ADMIN)`.
    pub selection: Vec<Setting>,
    /// The choice among handles of queues, or among queues by their handles.
    pub open_type: OpenType,
    /// The choice among them, by a condition.
    pub filter: Option<Filter>,
    /// The part of them that is shown.
    pub page: Page,
    /// The attributes shown of each.
    pub shown: Shown,
}

/// The subject of DISPLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Objects of any type of a family, or of one type.
    Objects {
        /// Their family.
        family: Family,
        /// Their names.
        names: Names,
        /// Their type.
        object_type: Option<ObjectType>,
    },
    /// The queue manager.
    QueueManager,
    /// The running state of the queue manager.
    QueueManagerStatus,
    /// The status of local queues.
    QueueStatus {
        /// Their names.
        names: NamePattern,
        /// Of the queue, or of each handle that has it open.
        kind: StatusType,
    },
    /// The status of places in the topic tree.
    TopicStatus {
        /// Their topic strings: one, blank for the root, or with wildcards for levels.
        topics: Box<str>,
        /// Of the place, or of each of its subscriptions or publishers.
        kind: StatusType,
    },
    /// The status of subscriptions.
    SubscriptionStatus {
        /// Their names.
        names: Names,
    },
    /// The state of publish/subscribe, here and with the queue managers of a hierarchy.
    PublishSubscribe {
        /// Of which of these.
        of: Relation,
    },
    /// The status of instances of channels.
    ChannelStatus {
        /// The names of the channels.
        names: NamePattern,
        /// The instances that are meant.
        instances: ChannelInstances,
    },
    /// The status of running listeners.
    ListenerStatus {
        /// Their names.
        names: NamePattern,
    },
    /// Channel authentication records.
    ChannelRules {
        /// The channels: a name, or a pattern with `*`.
        profile: Box<str>,
        /// The records of them that are meant.
        matching: RuleMatch,
    },
    /// Connections.
    Connections {
        /// The identifier, or its beginning and an asterisk.
        identifiers: String,
        /// The parts that are shown of each.
        answers: ConnectionAnswers,
    },
    /// Records of rights.
    AuthorityRecords(AuthorityChoice),
    /// The rights of a user or group on an object.
    EntityAuthority(EntityChoice),
    /// The service that judges.
    AuthorityService,
    /// The way that a message takes from a name.
    Route {
        /// The queue, as a program would open it.
        queue: ObjectName,
        /// The queue manager; blank for this one.
        queue_manager: QueueManagerName,
    },
}

/// The attributes that DISPLAY shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing was said: all of a single object, name and type of several.
    Usual,
    /// All.
    All,
    /// The attributes with these keywords, besides name and type.
    Listed(Vec<&'static str>),
}

/// The instances that DISPLAY CHSTATUS tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelInstances {
    /// The instances that are there.
    Current,
    /// The state that is kept towards each partner.
    Saved,
}

/// Relations between queue managers that publish for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Any of these.
    All,
    /// This queue manager itself.
    Local,
    /// The one above it in a hierarchy.
    Parent,
    /// One below it.
    Child,
}

impl Relation {
    /// The word for each.
    pub(super) const WORDS: &[(&str, Self)] =
        &[("ALL", Self::All), ("LOCAL", Self::Local), ("PARENT", Self::Parent), ("CHILD", Self::Child)];

    /// Returns true if the queue manager itself is meant.
    pub fn has_local(self) -> bool {
        matches!(self, Self::All | Self::Local)
    }
}

/// MATCH of DISPLAY CHLAUTH: the records shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleMatch {
    /// Records of the profiles that the question stands for: its asterisks stand for any text.
    Generic,
    /// Records of exactly this profile.
    Exact,
    /// Records of the profiles that match the question, or that it stands for.
    All,
    /// The record that decides about a login that is described, and the verdict on that.
    RunCheck,
}

impl RuleMatch {
    /// The word for each.
    pub(super) const WORDS: &[(&str, Self)] = &[
        ("GENERIC", Self::Generic),
        ("EXACT", Self::Exact),
        ("ALL", Self::All),
        ("RUNCHECK", Self::RunCheck),
    ];
}

/// The parts of each connection that DISPLAY CONN tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionAnswers {
    /// The connection.
    Connection,
    /// Its open handles.
    Handles,
    /// Both.
    All,
}

impl ConnectionAnswers {
    /// The kinds of status this asks for.
    pub fn kinds(self) -> &'static [StatusType] {
        match self {
            Self::Connection => &[StatusType::Connection],
            Self::Handles => &[StatusType::ConnectionHandle, StatusType::PreparedMessage],
            Self::All => &[StatusType::Connection, StatusType::ConnectionHandle, StatusType::PreparedMessage],
        }
    }
}

impl Target {
    /// The subjects whose attributes may be asked for.
    pub fn subjects(&self) -> Vec<Subject> {
        match self {
            Self::Objects { object_type: Some(object_type), .. } => vec![Subject::Object(*object_type)],
            Self::Objects { family, .. } => family.types().map(Subject::Object).collect(),
            Self::QueueManager => vec![Subject::Object(ObjectType::QueueManager)],
            Self::QueueManagerStatus => vec![Subject::Status(StatusType::QueueManager)],
            Self::QueueStatus { kind, .. } | Self::TopicStatus { kind, .. } => vec![Subject::Status(*kind)],
            Self::SubscriptionStatus { .. } => vec![Subject::Status(StatusType::Subscription)],
            Self::PublishSubscribe { .. } => vec![Subject::Status(StatusType::PublishSubscribe)],
            Self::ListenerStatus { .. } => vec![Subject::Status(StatusType::Listener)],
            Self::ChannelStatus { .. } => vec![Subject::Status(StatusType::Channel)],
            Self::AuthorityRecords(_) => vec![Subject::Status(StatusType::AuthorityRecord)],
            Self::EntityAuthority(_) => vec![Subject::Status(StatusType::EntityAuthority)],
            Self::AuthorityService => vec![Subject::Status(StatusType::AuthorityService)],
            Self::Route { .. } => vec![Subject::Status(StatusType::Route)],
            Self::ChannelRules { .. } => vec![Subject::Object(ObjectType::ChannelRule)],
            Self::Connections { answers, .. } => {
                answers.kinds().iter().copied().map(Subject::Status).collect()
            }
        }
    }

    /// The attribute a keyword names here, in the first subject that has it.
    pub fn attribute(&self, keyword: &str) -> Option<&'static Attribute> {
        self.attributes_named(keyword).next()
    }

    /// The attributes a keyword names here, one for each subject that has it: they may take different words,
    /// as SSLCAUTH does for channels of different types.
    pub(super) fn attributes_named(&self, keyword: &str) -> impl Iterator<Item = &'static Attribute> {
        self.subjects().into_iter().filter_map(move |subject| attributes::by_keyword(subject, keyword))
    }

    /// Returns true for a keyword whose value names the partner that `MATCH(RUNCHECK)` judges, instead of an
    /// attribute to be shown.
    pub(super) fn describes(&self, keyword: &str) -> bool {
        let words = ["ADDRESS", "CLNTUSER", "QMNAME", "SSLPEER", "SSLCERTI"];
        matches!(self, Self::ChannelRules { .. }) && words.contains(&keyword)
    }

    /// Returns true if the answer has an order by names, of which a part can be asked for.
    pub fn has_pages(&self) -> bool {
        match self {
            Self::Objects { family, .. } => *family != Family::ChannelRule,
            Self::QueueStatus { kind, .. } => *kind == StatusType::Queue,
            _ => false,
        }
    }

    /// Returns true if several objects can be meant.
    pub fn is_generic(&self) -> bool {
        match self {
            Self::Objects { names, .. } => names.is_generic(),
            Self::QueueStatus { names, .. } | Self::ListenerStatus { names } => names.is_generic(),
            // A profile that is named has any number of records, of which the usual attributes are shown.
            Self::ChannelStatus { .. } | Self::ChannelRules { .. } => true,
            Self::TopicStatus { topics, .. } => topics.split('/').any(|level| level == "+" || level == "#"),
            Self::SubscriptionStatus { names } => names.is_generic(),
            Self::Connections { identifiers, .. } => identifiers.ends_with('*'),
            Self::QueueManager
            | Self::QueueManagerStatus
            | Self::PublishSubscribe { .. }
            | Self::AuthorityRecords(_)
            | Self::EntityAuthority(_)
            | Self::AuthorityService
            | Self::Route { .. } => false,
        }
    }
}

impl Display {
    /// A question without a choice by attributes.
    pub(crate) fn question(target: Target, shown: Shown, filter: Option<Filter>) -> Self {
        let open_type = OpenType::All;
        Self { target, selection: Vec::new(), open_type, filter, page: Page::default(), shown }
    }

    /// Returns true if it chooses among the things of its target.
    pub fn is_conditional(&self) -> bool {
        self.filter.is_some() || !self.selection.is_empty() || self.open_type != OpenType::All
    }

    /// The same question for a page; none where it asks for a part already, or answers have no pages.
    #[must_use]
    pub fn in_page(&self, page: Page) -> Option<Self> {
        let is_whole = self.page == Page::default();
        let has_many = self.target.is_generic() && self.target.has_pages();
        (is_whole && has_many).then(|| Self { page, ..self.clone() })
    }

    /// The same question for a part of the answer.
    #[must_use]
    pub fn in_part(&self, part: Part) -> Self {
        Self { page: self.page.in_part(part), ..self.clone() }
    }

    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DISPLAY {}", self.target.keyword())?;
        match &self.target {
            Target::QueueManager | Target::QueueManagerStatus | Target::AuthorityService => {}
            Target::Route { queue, queue_manager } => {
                write!(formatter, "({})", quoted(queue.as_str()))?;
                if !queue_manager.is_blank() {
                    write!(formatter, " QMNAME({})", quoted(queue_manager.as_str()))?;
                }
            }
            Target::AuthorityRecords(choice) => choice.write(formatter)?,
            Target::EntityAuthority(choice) => choice.write(formatter)?,
            Target::SubscriptionStatus { names } => write_names(names, formatter)?,
            Target::ListenerStatus { names } => write!(formatter, "({})", quoted(&names.to_string()))?,
            Target::ChannelStatus { names, instances } => {
                write!(formatter, "({})", quoted(&names.to_string()))?;
                if *instances == ChannelInstances::Saved {
                    formatter.write_str(" SAVED")?;
                }
            }
            Target::Objects { family, names, object_type } => {
                write_names(names, formatter)?;
                if let (Some(selector), Some(word)) =
                    (family.selector(), object_type.and_then(ObjectType::subtype))
                {
                    write!(formatter, " {selector}({word})")?;
                }
            }
            Target::QueueStatus { names, kind } => {
                write!(formatter, "({})", quoted(&names.to_string()))?;
                if *kind == StatusType::QueueHandle {
                    formatter.write_str(" TYPE(HANDLE)")?;
                }
            }
            Target::TopicStatus { topics, kind } => {
                write!(formatter, "({})", quoted(topics))?;
                match kind {
                    StatusType::TopicSubscription => formatter.write_str(" TYPE(SUB)")?,
                    StatusType::TopicPublisher => formatter.write_str(" TYPE(PUB)")?,
                    _ => {}
                }
            }
            Target::PublishSubscribe { of } => {
                let (word, _) =
                    Relation::WORDS.iter().find(|(_, relation)| relation == of).expect("each has one");
                if *of != Relation::All {
                    write!(formatter, " TYPE({word})")?;
                }
            }
            Target::ChannelRules { profile, matching } => {
                write!(formatter, "({})", quoted(profile))?;
                let (word, _) =
                    RuleMatch::WORDS.iter().find(|(_, known)| known == matching).expect("each has one");
                if *matching != RuleMatch::Generic {
                    write!(formatter, " MATCH({word})")?;
                }
            }
            Target::Connections { identifiers, answers } => {
                write!(formatter, "({identifiers})")?;
                match answers {
                    ConnectionAnswers::Connection => {}
                    ConnectionAnswers::Handles => formatter.write_str(" TYPE(HANDLE)")?,
                    ConnectionAnswers::All => formatter.write_str(" TYPE(ALL)")?,
                }
            }
        }
        write_settings(&self.selection, formatter)?;
        if self.open_type != OpenType::All {
            let word = OpenType::WORDS.iter().find(|(_, open_type)| *open_type == self.open_type);
            write!(formatter, " OPENTYPE({})", word.expect("each has one").0)?;
        }
        if let Some(filter) = &self.filter {
            write_filter(filter, &self.target, formatter)?;
        }
        self.page.write(formatter)?;
        match &self.shown {
            Shown::Usual => Ok(()),
            Shown::All => formatter.write_str(" ALL"),
            Shown::Listed(keywords) => {
                keywords.iter().try_for_each(|keyword| write!(formatter, " {keyword}"))
            }
        }
    }

    /// Returns the attributes of a subject that an answer shows, in order: those that identify the object,
    /// then those asked for and those the filter looked at.
    pub fn attributes(&self, subject: Subject) -> Vec<&'static Attribute> {
        let identity = attributes::identity_count(subject);
        let filtered = self.filter.as_ref().map(|filter| filter.keyword);
        let named = |row: &&Attribute| {
            filtered == Some(row.keyword)
                || matches!(&self.shown, Shown::Listed(keywords) if keywords.contains(&row.keyword))
        };
        attributes::of(subject)
            .enumerate()
            .filter(|(index, row)| {
                *index < identity
                    || filtered == Some(row.keyword)
                    || self.selection.iter().any(|setting| setting.attribute.keyword == row.keyword)
                    || match &self.shown {
                        Shown::All => true,
                        Shown::Usual => !self.target.is_generic(),
                        Shown::Listed(keywords) => keywords.contains(&row.keyword),
                    }
            })
            .map(|(_, row)| row)
            .chain(attributes::asked(subject).filter(named))
            .collect()
    }

    /// False if the condition is on this attribute and its value does not satisfy it: then nothing that has
    /// the value is shown.
    pub fn admits(&self, keyword: &str, value: &Value) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.keyword != keyword || filter.matches(value))
    }

    /// Returns the row of something that has these values; nothing when the filter says no. Without the
    /// attribute that is compared nothing is shown.
    pub fn row(
        &self,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) -> Option<Row> {
        let compared = |keyword| attributes::by_keyword(subject, keyword).and_then(&value);
        if let Some(filter) = &self.filter {
            compared(filter.keyword).filter(|value| filter.matches(value))?;
        }
        let is_selected =
            |setting: &Setting| choices::chooses(setting, compared(setting.attribute.keyword).as_ref());
        if !self.selection.iter().all(is_selected) || !self.open_type.chooses(compared) {
            return None;
        }
        let shown = self.attributes(subject).into_iter();
        let fields = shown.filter_map(|attribute| value(attribute).map(|value| Field { attribute, value }));
        Some(Row { heading, fields: fields.collect() })
    }
}

impl Parser<'_> {
    pub(super) fn display(&mut self) -> Parsed<Display> {
        let target = self.target()?;
        let mut display = Display::question(target, Shown::Usual, None);
        self.look_ahead_for_type(&mut display.target)?;
        let mut listed = Vec::new();
        let mut all = false;
        while let Some(token) = self.peek() {
            let TokenKind::Word(word) = token.kind.clone() else {
                return Err(self.unexpected("an attribute").expect("", shown_words(&display.target)));
            };
            let has_value = self.tokens.get(self.next + 1).is_some_and(|token| token.kind == TokenKind::Open);
            if !has_value && let Some(group) = group(&display.target, &word) {
                self.next += 1;
                listed.extend(group.iter().filter(|keyword| display.target.attribute(keyword).is_some()));
                continue;
            }
            if !has_value && self.takes_instances(&mut display.target, &word) {
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
                ("OPENTYPE", true) if matches!(display.target, Target::QueueStatus { .. }) => {
                    self.next += 1;
                    display.open_type = self.one_of("OPENTYPE", &OpenType::WORDS)?;
                }
                (word, true) if self.takes_page(&display.target, word, &mut display.page)? => {}
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

    /// Takes `AFTER(name)` or `LIMIT(number)` where one of them stands.
    pub(super) fn takes_page(&mut self, target: &Target, word: &str, page: &mut Page) -> Parsed<bool> {
        if !target.has_pages() {
            return Ok(false);
        }
        let is_repeated = match word {
            "AFTER" => page.after.is_some(),
            "LIMIT" => page.limit.is_some(),
            _ => return Ok(false),
        };
        if is_repeated {
            return Err(self.repeated(word));
        }
        self.next += 1;
        let content = self.content(word)?;
        let text = content.text.trim_end_matches(' ');
        if word == "AFTER" {
            if text.is_empty() || text.chars().any(char::is_control) {
                return Err(Fault::new(content.span, "AFTER needs the name where the page before it ends"));
            }
            page.after = Some(text.into());
        } else {
            let number = text.parse().ok().filter(|number| (1..=LIMIT_MAX).contains(number));
            let fault = || Fault::new(content.span, format!("LIMIT takes a number from 1 to {LIMIT_MAX}"));
            page.limit = Some(number.ok_or_else(fault)?);
        }
        Ok(true)
    }

    /// Takes CURRENT, SAVED or SHORT of DISPLAY CHSTATUS, the last for the usual attributes.
    fn takes_instances(&mut self, target: &mut Target, word: &str) -> bool {
        let Target::ChannelStatus { instances, .. } = target else { return false };
        match word {
            "CURRENT" => *instances = ChannelInstances::Current,
            "SAVED" => *instances = ChannelInstances::Saved,
            "SHORT" => {}
            _ => return false,
        }
        self.next += 1;
        true
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

    pub(super) fn displayed_attribute(&mut self, target: &Target) -> Parsed<&'static Attribute> {
        let expectation = format!("an attribute of {}", target.keyword());
        self.word_of(&expectation, &shown_words(target), |word| target.attribute(word))
    }
}

/// The words that may follow the subject of a display.
fn shown_words(target: &Target) -> Vec<&'static str> {
    let subjects = target.subjects();
    let mut words: Vec<&str> =
        subjects.iter().flat_map(|subject| attributes::of(*subject)).flat_map(words_of).collect();
    words.extend(["ALL", "WHERE"]);
    words.sort_unstable();
    words.dedup();
    words
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
        Target::ChannelRules { .. } => word == "MATCH",
        Target::Route { .. } => word == "QMNAME",
        Target::QueueManager
        | Target::QueueManagerStatus
        | Target::SubscriptionStatus { .. }
        | Target::ListenerStatus { .. }
        | Target::ChannelStatus { .. }
        | Target::AuthorityRecords(_)
        | Target::EntityAuthority(_)
        | Target::AuthorityService => false,
    }
}

/// Attributes that a word stands for; those that the target does not have are left out.
fn group(target: &Target, word: &str) -> Option<&'static [&'static str]> {
    Some(match (target, word) {
        (Target::QueueStatus { .. }, "MONITOR") => {
            &["LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME"]
        }
        (Target::ChannelStatus { .. }, "MONITOR") => {
            &["COMPRATE", "COMPTIME", "EXITTIME", "MONCHL", "NETTIME", "XBATCHSZ", "XQMSGSA", "XQTIME"]
        }
        (Target::QueueManagerStatus, "LOG") => &attributes::LOG_ATTRIBUTES,
        (Target::QueueManager, "SYSTEM") => choices::SYSTEM,
        (Target::QueueManager, "EVENT") => choices::EVENT,
        (Target::QueueManager, "CHINIT") => choices::CHINIT,
        (Target::QueueManager, "CLUSTER") => choices::CLUSTER,
        (Target::QueueManager, "PUBSUB") => choices::PUBSUB,
        (Target::QueueManager, "VERSION") => &["VERSION"],
        (Target::Objects { family: Family::Subscription, .. }, "SUMMARY") => {
            &["DEST", "DESTCORL", "DESTQMGR", "SUB", "SUBID", "SUBTYPE", "TOPICSTR"]
        }
        // No cluster adds queues to those that are here.
        (Target::Objects { family: Family::Queue, .. }, "CLUSINFO") => &[],
        _ => return None,
    })
}

/// Returns true for an attribute whose text in parentheses chooses the things shown.
pub(super) fn is_chosen_by(target: &Target, keyword: &str) -> bool {
    match target {
        Target::Objects { family: Family::Queue | Family::Topic, .. } => choices::is_of_clusters(keyword),
        Target::ChannelStatus { .. } => matches!(keyword, "XMITQ" | "CONNAME"),
        _ => false,
    }
}

fn write_names(names: &Names, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match names {
        Names::SubscriptionIdentifier(digits) => write!(formatter, " SUBID({digits})"),
        names => write!(formatter, "({})", quoted(&names.to_string())),
    }
}

fn write_filter(filter: &Filter, target: &Target, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut attributes = target.attributes_named(filter.keyword);
    let fitting = attributes.find(|attribute| filter.operand.check(attribute).is_ok());
    // What is only compared with may be beyond what the attribute can have.
    let attribute = fitting.or_else(|| target.attribute(filter.keyword)).ok_or(fmt::Error)?;
    let operand = match (&filter.operand, attribute.kind) {
        (Value::Integer(_), _) | (_, Kind::Words { .. }) => filter.operand.shown(attribute),
        (operand, _) => quoted(&operand.shown(attribute)),
    };
    write!(formatter, " WHERE({} {} {operand})", filter.keyword, filter.operator.keyword())
}

impl Parameters {
    /// A question with the list of attributes wanted and the condition, if there are any.
    pub(crate) fn display(&mut self, target: Target, attributes: i32) -> Read<Display> {
        let shown = match self.take(attributes) {
            None => Shown::All,
            Some(Content::Integers(wanted)) if wanted.contains(&MQIACF_ALL) => Shown::All,
            Some(Content::Integers(wanted)) => {
                let mut listed = Vec::new();
                for identifier in wanted {
                    match choices::group_word(identifier).and_then(|word| group(&target, word)) {
                        Some(group) => {
                            listed.extend(group.iter().filter(|keyword| target.attribute(keyword).is_some()));
                        }
                        None => {
                            let unknown =
                                Refusal { reason: MQRC_SELECTOR_ERROR, parameter: Some(identifier) };
                            listed.push(row_of(&target, identifier).ok_or(unknown)?.keyword);
                        }
                    }
                }
                Shown::Listed(listed)
            }
            Some(content) => {
                return Err(unknown_parameter(&Parameter { identifier: attributes, content }));
            }
        };
        let filter = self.filter(&target)?;
        let mut display = Display::question(target, shown, filter);
        display.open_type = self.open_type(&display.target)?;
        display.selection = self.selection(&display.target)?;
        display.page = self.page(&display.target)?;
        Ok(display)
    }

    /// The handles of queues that a message asks for.
    fn open_type(&mut self, target: &Target) -> Read<OpenType> {
        if !matches!(target, Target::QueueStatus { .. }) {
            return Ok(OpenType::All);
        }
        match self.integer(MQIACF_OPEN_TYPE)? {
            None | Some(MQQSOT_ALL) => Ok(OpenType::All),
            Some(MQQSOT_INPUT) => Ok(OpenType::Input),
            Some(MQQSOT_OUTPUT) => Ok(OpenType::Output),
            Some(_) => Err(wrong_value(MQIACF_OPEN_TYPE)),
        }
    }

    /// The page that a message asks for.
    pub(super) fn page(&mut self, target: &Target) -> Read<Page> {
        if !target.has_pages() {
            return Ok(Page::default());
        }
        let after = self.text(PAGE_AFTER)?.map(|text| text.trim_end_matches(' ').into());
        let limit = match self.integer(PAGE_LIMIT)? {
            None => None,
            Some(number) => {
                let number = u32::try_from(number).ok().filter(|number| (1..=LIMIT_MAX).contains(number));
                Some(number.ok_or_else(|| wrong_value(PAGE_LIMIT))?)
            }
        };
        Ok(Page { after, limit, part: None })
    }

    fn filter(&mut self, target: &Target) -> Read<Option<Filter>> {
        let is_filter = |parameter: &Parameter| {
            matches!(
                parameter.content,
                Content::IntegerFilter(..) | Content::TextFilter(..) | Content::BytesFilter(..)
            )
        };
        let Some(index) = self.rest.iter().position(is_filter) else { return Ok(None) };
        let parameter = self.rest.remove(index);
        if self.rest.iter().any(is_filter) {
            return Err(refusal(MQRCCF_TOO_MANY_FILTERS));
        }
        let row = row_of(target, parameter.identifier).ok_or_else(|| unknown_parameter(&parameter))?;
        let (operator, operand, wrong) = match &parameter.content {
            Content::IntegerFilter(operator, value) => {
                (*operator, Value::Integer(*value), MQRCCF_CFIF_OPERATOR_ERROR)
            }
            Content::TextFilter(operator, text) => {
                (*operator, Value::from(text.as_str()), MQRCCF_CFSF_OPERATOR_ERROR)
            }
            Content::BytesFilter(operator, bytes) => {
                (*operator, Value::from(compared_text(row, bytes).as_str()), MQRCCF_CFBF_OPERATOR_ERROR)
            }
            _ => return Err(unknown_parameter(&parameter)),
        };
        let refused = Refusal { reason: wrong, parameter: Some(parameter.identifier) };
        let operator = operator_of(operator).ok_or(refused)?;
        Ok(Some(Filter { keyword: row.keyword, operator, operand }))
    }

    /// Takes the rest, which must be attributes that choose among subscriptions, or among instances of
    /// channels.
    fn selection(&mut self, target: &Target) -> Read<Vec<Setting>> {
        let mut selection = Vec::new();
        let choosing: &[i32] = match target {
            Target::ChannelStatus { .. } => &[MQIACH_CHANNEL_TYPE],
            _ => &[MQIACF_SUB_TYPE, MQIACF_DURABLE_SUBSCRIPTION],
        };
        let texts: &[i32] = match target {
            Target::ChannelStatus { .. } => &[MQCACH_XMIT_Q_NAME, MQCACH_CONNECTION_NAME],
            Target::Objects { family: Family::Queue, .. } => &[MQCA_CLUSTER_NAME, MQCA_CLUSTER_NAMELIST],
            _ => &[],
        };
        for identifier in texts.iter().copied() {
            let Some(attribute) = row_of(target, identifier) else { continue };
            let text = self.text(identifier)?;
            selection.extend(text.map(|text| choices::by_text(attribute, &text)));
        }
        for identifier in choosing.iter().copied() {
            let Some(attribute) = row_of(target, identifier) else { continue };
            match self.integer(identifier)? {
                None | Some(MQSUBTYPE_ALL) => {}
                Some(value) => selection.push(Setting { attribute, value: Value::Integer(value) }),
            }
        }
        Ok(selection)
    }
}

/// The row of an attribute, by its number, in the first subject that has it.
fn row_of(target: &Target, identifier: i32) -> Option<&'static Attribute> {
    let subjects = target.subjects().into_iter();
    let rows = subjects.flat_map(|subject| attributes::of(subject).chain(attributes::asked(subject)));
    rows.into_iter().find(|row| row.identifier_number() == identifier)
}
