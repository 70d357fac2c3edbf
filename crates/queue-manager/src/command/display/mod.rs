//! DISPLAY: rows of attributes, made from definitions and from the running engine.
//!
//! Lives here: the answer, and the rows of queues, objects, connections and the queue manager. Lives elsewhere:
//! the rows of other targets, in the files of their commands.
//!
//! Always: a target adds its rows itself, and says that there are none.

mod connection;
mod manager;
mod object;
mod queue;

use std::sync::Arc;

use mqi::NamePattern;
use objects::attributes::Attribute;
use objects::messages::{self, MessageRow};
use objects::mqsc::{ChannelInstances, Display, EntityChoice, Names, Page, RuleMatch, Target};
use objects::{Definition, Family, Message, ObjectType, Response, Row, StatusType, Subject, Value};
use storage::Lsn;

use super::in_order::InOrder;
use crate::Gated;
use crate::authority::Granted;
use crate::authority::commands::Reach;
use crate::catalogue::Object;
use crate::engine::Engine;
use crate::queue::Queue;

/// DISPLAY.
pub(super) fn display(engine: &Engine, granted: &Granted<'_>, display: &Display) -> Gated<Response> {
    let need = engine.catalogue.absence_need();
    let reach = Reach::of(&engine.door, granted);
    let mut answer = Answer {
        display,
        reach,
        rows: Vec::new(),
        fields: 0,
        is_cut: false,
        last: String::new(),
        is_full: false,
        need,
    };
    let nothing = answer.fill(engine);
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
    let messages = match (answer.is_cut, answer.rows.len()) {
        (true, shown) => vec![Message::new(&messages::ANSWER_CUT, [shown])],
        (false, _) if is_verdict => vec![nothing],
        (false, 0) => vec![nothing],
        (false, _) => Vec::new(),
    };
    let nagging = engine.host.is_exposed().then(|| Message::new(&messages::EXPOSED, [engine.name]));
    let page_ends = answer.is_full.then(|| Message::new(&messages::PAGE_ENDS, [answer.last]));
    let messages = messages.into_iter().chain(nagging).chain(page_ends).collect();
    Gated::new(need, Response { rows: answer.rows, messages })
}

/// The answer as it is made.
pub(crate) struct Answer<'display> {
    pub(super) display: &'display Display,
    /// The objects that it may tell of.
    pub(super) reach: Reach<'display>,
    rows: Vec<Row>,
    /// Number of attributes of all rows.
    fields: usize,
    /// True if the answer was cut at its greatest size.
    is_cut: bool,
    /// The name of the last object shown, where a page was asked for.
    last: String,
    /// True if the page that was asked for is full, and more match.
    is_full: bool,
    need: Lsn,
}

/// Most attributes one answer holds: all of 6,500 queues, or name, type and two more of 100,000. With its
/// text and its JSON that is some 100 MB.
const FIELDS_MAX: usize = 400_000;

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
        match is_search {
            true => {
                Message::new(&messages::NOTHING_MATCHES, [family.noun().to_lowercase(), names.to_string()])
            }
            false => Message::new(&messages::OBJECT_NOT_FOUND, [family.noun().to_owned(), names.to_string()]),
        }
    }

    /// Raises the position that must be durable before the outside may read the answer.
    pub(crate) fn needs(&mut self, need: Lsn) {
        self.need = self.need.max(need);
    }

    /// Adds the row of a channel authentication record that was chosen otherwise than by its values.
    pub(super) fn add_chosen(&mut self, rule: &Definition) {
        let display = Display { selection: Vec::new(), ..self.display.clone() };
        let subject = Subject::Object(ObjectType::ChannelRule);
        let heading = &messages::CHANNEL_RULE_DETAILS;
        self.rows.extend(display.row(subject, heading, |row| rule.rule_value(row)));
    }

    /// Adds a row unless the filter says no.
    pub(crate) fn add(
        &mut self,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) {
        if let Some(row) = self.display.row(subject, heading, value) {
            self.push(row);
        }
    }

    /// Adds a row as `add` does, unless the page that was asked for is full.
    fn add_named(
        &mut self,
        name: &str,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) {
        let page = &self.display.page;
        let Some(row) = self.display.row(subject, heading, value) else { return };
        if page.ends_before(name, self.rows.len(), &self.last) {
            self.is_full = true;
            return;
        }
        if page.limit.is_some() {
            name.clone_into(&mut self.last);
        }
        self.push(row);
    }

    fn push(&mut self, row: Row) {
        if self.fields >= FIELDS_MAX {
            self.is_cut = true;
            return;
        }
        self.fields += row.fields.len();
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
        NamePattern::Exact(name) => engine.catalogue.find(name).object.into_iter().collect(),
        NamePattern::Prefix(_) => engine.catalogue.unordered(),
    };
    let named = queues.into_iter().map(|queue| (*queue.name(), queue));
    let wanted = named.filter(|(name, _)| names.matches(name.as_str()) && !page.is_behind(name.as_str()));
    wanted.collect::<InOrder<_, _>>()
}
