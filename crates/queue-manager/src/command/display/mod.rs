//! DISPLAY: rows of attributes, made from definitions and from the running engine.
//!
//! Lives here: the answer, and the rows of queues, objects, connections and the queue manager. Lives
//! elsewhere: the rows of other targets, in the files of their commands.
//!
//! Always: a target adds its rows itself, and says that there are none.

mod connection;
mod manager;
mod object;
mod queue;

use std::collections::BTreeMap;
use std::sync::Arc;

use mqi::NamePattern;
use objects::attributes::Attribute;
use objects::messages::{self, MessageRow};
use objects::mqsc::{ChannelInstances, Display, EntityChoice, Names, Page, RuleMatch, Target, name_of_key};
use objects::{Definition, Family, Message, ObjectType, Response, Row, StatusType, Subject, Value};
use queues::gate::Gated;
use queues::queue::Queue;
use storage::Lsn;

use super::answer::warnings;
use super::in_order::InOrder;
use crate::authority::Granted;
use crate::authority::commands::Reach;
use crate::catalogue::Object;
use crate::engine::Engine;

/// DISPLAY.
pub(super) fn display(engine: &Engine, granted: &Granted<'_>, display: &Display) -> Gated<Response> {
    let page = &display.page;
    let mut answer = Answer {
        display,
        reach: Reach::of(&engine.directory.door, granted),
        rows: Vec::new(),
        fields: 0,
        bytes: 0,
        key: String::new(),
        sorts_more: false,
        last: page.last_name().unwrap_or_default().to_owned(),
        end: None,
        need: engine.directory.catalogue.absence_need(),
    };
    let nothing = answer.fill(engine);
    if answer.sorts_more && answer.end.is_none() {
        answer.end = Some(End::OfPart);
    }
    let need = answer.need.max(answer.reach.need());
    if answer.rows.is_empty()
        && let Some(refused) = answer.reach.take_refused()
    {
        return Gated::new(need, refused);
    }
    let is_verdict = matches!(
        display.target,
        Target::ChannelRules { matching: RuleMatch::RunCheck, .. }
            | Target::EntityAuthority(EntityChoice { check: Some(_), .. })
    );
    let rest = (answer.end == Some(End::OfPart)).then(|| answer.key.as_str().into());
    let is_nothing = answer.rows.is_empty() && answer.end.is_none() && !page.has_shown();
    let cut =
        (answer.end == Some(End::Cut)).then(|| Message::new(&messages::ANSWER_CUT, [answer.rows.len()]));
    let nothing = (cut.is_none() && (is_verdict || is_nothing)).then_some(nothing);
    // Once, behind the last part.
    let (nagging, told) = match rest {
        Some(_) => (Vec::new(), Lsn::ZERO),
        None => warnings(engine, &display.target),
    };
    let page_ends =
        (answer.end == Some(End::OfPage)).then(|| Message::new(&messages::PAGE_ENDS, [answer.last]));
    let messages = cut.into_iter().chain(nothing).chain(nagging).chain(page_ends).collect();
    Gated::new(need.max(told), Response { rows: answer.rows, messages, rest })
}

/// The answer as it is made.
pub(crate) struct Answer<'display> {
    pub(super) display: &'display Display,
    /// The objects that it may tell of.
    pub(super) reach: Reach<'display>,
    rows: Vec<Row>,
    /// Number of attributes of all rows.
    fields: usize,
    /// Bytes of all rows on their way to a program, about.
    bytes: usize,
    /// The key of the thing that has its turn, or had the last one.
    key: String,
    /// The name in the key of the last row, where a page was asked for.
    last: String,
    /// True if more things follow than were sorted.
    sorts_more: bool,
    /// Why the answer takes no more.
    end: Option<End>,
    need: Lsn,
}

/// Why an answer takes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It has its greatest size.
    Cut,
    /// The page that was asked for is full, and more match.
    OfPage,
    /// The part is full, and more may match.
    OfPart,
}

/// Most attributes an answer has that is not made in parts: all of 6,500 queues, or name, type and two more
/// of 100,000. With its text and its JSON that is some 100 MB.
const FIELDS_MAX: usize = 400_000;

/// Most things without an order of their own that one part sorts.
const SORTED_MAX: usize = 1_024;

impl Answer<'_> {
    /// Adds the rows of the target; returns the message that there are none, or the verdict of a check.
    fn fill(&mut self, engine: &Engine) -> Message {
        match &self.display.target {
            Target::Objects { family: Family::Queue, names: Names::Objects(names), object_type } => {
                self.queues(engine, names, *object_type)
            }
            Target::Objects { family, names, object_type } => {
                self.objects(engine, *family, names, *object_type)
            }
            Target::QueueManagerStatus => self.queue_manager_status(engine),
            Target::QueueManager => self.queue_manager(engine),
            Target::QueueStatus { names, kind: StatusType::QueueHandle } => self.queue_handles(engine, names),
            Target::QueueStatus { names, .. } => self.queue_status(engine, names),
            Target::TopicStatus { topics, kind } => self.topic_status(engine, topics, *kind),
            Target::SubscriptionStatus { names } => self.subscription_status(engine, names),
            Target::PublishSubscribe { of } => self.publish_subscribe(engine, *of),
            Target::ChannelStatus { names, instances: ChannelInstances::Current } => {
                self.channel_status(engine, names)
            }
            Target::ChannelStatus { names, instances: ChannelInstances::Saved } => {
                self.channel_states(engine, names)
            }
            Target::ChannelRules { profile, matching } => self.channel_rules(engine, profile, *matching),
            Target::ListenerStatus { names } => self.listener_status(engine, names),
            Target::AuthorityRecords(choice) => self.authority_records(engine, choice),
            Target::EntityAuthority(choice) => self.entity_authority(engine, choice),
            Target::Route { queue, queue_manager } => self.route(engine, *queue, *queue_manager),
            Target::AuthorityService => self.authority_service(),
            Target::Connections { identifiers, answers } => self.connections(engine, identifiers, *answers),
        }
    }

    /// The message that no object of a family has these names.
    pub(super) fn nothing_matches(&self, family: Family, names: &Names) -> Message {
        let is_search = names.is_generic() || self.display.is_conditional();
        if is_search {
            Message::new(&messages::NOTHING_MATCHES, [family.noun().to_lowercase(), names.to_string()])
        } else {
            Message::new(&messages::OBJECT_NOT_FOUND, [family.noun().to_owned(), names.to_string()])
        }
    }

    /// Raises the position that must be durable before the outside may read the answer.
    pub(crate) fn needs(&mut self, need: Lsn) {
        self.need = self.need.max(need);
    }

    /// Gives the next thing its turn; false where an earlier page or part had it, or this one takes no more.
    /// A target with many things asks for each, in the order of their keys; a key begins with the name, and
    /// differs from all others of the target.
    pub(crate) fn has_turn<K: AsRef<str>>(&mut self, key: impl FnOnce() -> K) -> bool {
        if self.end.is_some() {
            return false;
        }
        let (key, page) = (key(), &self.display.page);
        let key = key.as_ref();
        if page.has_passed(key) {
            return false;
        }
        if page.part.as_ref().is_some_and(|part| self.bytes >= part.room) {
            self.end = Some(End::OfPart);
            return false;
        }
        key.clone_into(&mut self.key);
        true
    }

    /// The first of so many things that no earlier page or part had; their keys ascend.
    pub(super) fn first_due(&self, things: usize, key: impl Fn(usize) -> String) -> usize {
        let (mut first, mut end) = (0, things);
        while first < end {
            let middle = first.midpoint(end);
            if self.display.page.has_passed(&key(middle)) { first = middle + 1 } else { end = middle }
        }
        first
    }

    /// Returns true if no thing has a turn any more.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Things in the order of their keys: of many, where the answer is made in parts, those that come first.
    pub(crate) fn in_order<T>(&mut self, things: impl Iterator<Item = (String, T)>) -> Vec<(String, T)> {
        let page = &self.display.page;
        let most = page.part.as_ref().map_or(usize::MAX, |_| SORTED_MAX);
        let mut first = BTreeMap::new();
        let mut is_whole = true;
        for (key, thing) in things.filter(|(key, _)| !page.has_passed(key)) {
            first.insert(key, thing);
            if first.len() > most {
                first.pop_last();
                is_whole = false;
            }
        }
        self.sorts_more = !is_whole;
        first.into_iter().collect()
    }

    /// Adds the row of a channel authentication record that was chosen otherwise than by its values.
    pub(super) fn add_chosen(&mut self, rule: &Definition) {
        let display = Display { selection: Vec::new(), ..self.display.clone() };
        let subject = Subject::Object(ObjectType::ChannelRule);
        let heading = &messages::CHANNEL_RULE_DETAILS;
        self.rows.extend(display.row(subject, heading, |row| rule.rule_value(row)));
    }

    /// Adds a row of the thing that has its turn, unless the filter says no, or the page that was asked for
    /// is full.
    pub(crate) fn add(
        &mut self,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) {
        let Some(row) = self.display.row(subject, heading, value) else { return };
        let page = &self.display.page;
        let name = name_of_key(&self.key);
        if page.ends_before(name, self.rows.len(), &self.last) {
            self.end = Some(End::OfPage);
            return;
        }
        if self.fields >= FIELDS_MAX {
            self.end = Some(End::Cut);
            return;
        }
        if page.limit.is_some() {
            name.clone_into(&mut self.last);
        }
        self.fields += row.fields.len();
        if page.part.is_some() {
            self.bytes += row.weight();
        }
        self.rows.push(row);
    }
}

/// A queue that was named and is not there is an error; that a pattern or a condition fits none is an answer.
pub(super) fn no_queue(names: &NamePattern, has_condition: bool) -> Message {
    if names.is_generic() || has_condition {
        Message::new(&messages::NO_QUEUE_MATCHES, [names])
    } else {
        Message::new(&messages::OBJECT_NOT_FOUND, ["Queue".to_owned(), names.to_string()])
    }
}

/// A queue of the catalogue.
type FoundQueue = Arc<Object<Arc<Queue>>>;

/// The queues that a pattern means and no earlier page has, by name.
pub(super) fn matching(
    engine: &Engine,
    names: &NamePattern,
    page: &Page,
) -> impl Iterator<Item = FoundQueue> + use<> {
    let queues = match names {
        NamePattern::Exact(name) => engine.directory.catalogue.find(name).object.into_iter().collect(),
        NamePattern::Prefix(_) => engine.directory.catalogue.unordered(),
    };
    let named = queues.into_iter().map(|queue| (*queue.name(), queue));
    let wanted = named.filter(|(name, _)| names.matches(name.as_str()) && !page.has_passed(name.as_str()));
    wanted.collect::<InOrder<_, _>>()
}
