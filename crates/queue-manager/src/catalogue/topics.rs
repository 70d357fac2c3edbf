//! The topic tree as topic objects and subscriptions make it.
//!
//! Lives here: what a definition says, in the terms of the tree, and the change of the tree that follows from
//! a change of a definition. Lives elsewhere: finding subscriptions (`topic`), what a subscriber is given
//! (`publishing`).
//!
//! Always: the tree changes under the catalogue's lock, after the record of the change and after its position
//! is noted; publishers read a snapshot without a lock.

use mqi::ours::{EXCLUDED_CLIENT, LAPSE_AFTER, SUBSCRIPTION_STOPPED};
use std::collections::BTreeSet;
use std::sync::Arc;

use arc_swap::Guard;
use figures::SubscriptionMarks;
use mqi::constants::*;
use mqi::{
    AccountingToken, CorrelationId, ObjectDescriptor, ObjectName, QueueManagerName, Rare, SubscribeOptions,
    Text,
};
use objects::attributes::{LAPSES_NEVER, SUBSCRIPTION_GOES_ON};
use objects::{Definition, Family, Moment, ObjectType};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicU64, Ordering};
use selector::Selector;
use storage::{Lsn, ObjectId};
use topic::{
    Delivery, ExpiryCap, Pattern, Published, Publisher, Response, Scope, SelectionLevel, Settings,
    Subscription, SubscriptionId, TopicObject, Tree, Wildcard, Wildcards,
};

use super::{Catalogue, ChangeError, Defined, LocalQueue};
use crate::catalogue::kept_queue::KeptQueue;
use crate::catalogue::topic_counts::TopicCounts;
use crate::passed::Passed;

/// Most subscriptions that one look at the time ends: more would delay other work that is due.
const ENDED_AT_ONCE_MAX: usize = 1_000;

/// The topic object of the tree's root, whose topic string is empty.
const BASE_TOPIC: &str = "SYSTEM.BASE.TOPIC";

/// Delivery of a publication for one subscription. There may be 100,000 of them: fields that few of them use
/// are kept apart.
#[derive(Clone, Debug)]
pub struct Subscriber {
    /// The identifier of the subscription, the bytes whose digits are its name in the catalogue.
    identifier: CorrelationId,
    /// The queue that gets its publications; none when it has none yet.
    pub destination: Option<Destination>,
    /// That queue, found, where it is one of this queue manager under its own name.
    pub(crate) queue: KeptQueue,
    correlation: Correlation,
    /// True if only one of the subscriptions with its queue, level and correlation identifier is given a
    /// publication.
    pub is_grouped: bool,
    /// True if a program made it: its messages have its identity context, even if that is blank.
    pub has_identity: bool,
    /// True if it outlives the program that made it.
    pub is_durable: bool,
    /// True if the queue manager manages its queue.
    pub is_managed: bool,
    /// True if publications come only on request.
    pub is_on_request: bool,
    /// The priority of its messages.
    pub priority: SubscriberPriority,
    /// Form in which its messages name their topic and subscription.
    pub properties: PublishedProperties,
    /// The user of its messages; blank for that of the publisher.
    pub user: Text<12>,
    particulars: Option<Box<Particulars>>,
    /// Publications delivered to it since the start, for its lifetime.
    pub passed: Arc<Passed>,
}

/// Fields that few subscriptions use.
#[derive(Clone, Debug, Default)]
struct Particulars {
    ends: Option<Moment>,
    selector: Option<Arc<Selector>>,
    user_data: Box<str>,
    accounting_token: Option<AccountingToken>,
    identity_data: Option<Rare<Text<32>>>,
    /// The client whose own publications it leaves out.
    excludes: Option<Box<str>>,
}

impl Particulars {
    fn of(definition: &Definition) -> Result<Self, SubscriptionError> {
        let condition = definition.text(MQCACF_SUB_SELECTOR);
        let selector = match condition.trim_matches(' ') {
            "" => None,
            text => {
                Some(Selector::parse(text).map_err(|error| SubscriptionError::Selector(error.to_string()))?)
            }
        };
        Ok(Self {
            ends: end_of_subscription(definition),
            selector: selector.map(Arc::new),
            user_data: definition.text(MQCACF_SUB_USER_DATA).into(),
            accounting_token: said(token_of(definition), &AccountingToken::NONE),
            identity_data: said(
                Text::truncated(&definition.text(MQCACF_APPL_IDENTITY_DATA)).into(),
                &Rare::USUAL,
            ),
            excludes: said(definition.text(EXCLUDED_CLIENT).into(), &Box::default()),
        })
    }

    fn are_none(&self) -> bool {
        let Self { ends, selector, user_data, accounting_token, identity_data, excludes } = self;
        ends.is_none()
            && excludes.is_none()
            && selector.is_none()
            && user_data.is_empty()
            && accounting_token.is_none()
            && identity_data.is_none()
    }
}

/// The correlation identifier of a subscription's messages.
#[derive(Clone, Debug)]
enum Correlation {
    /// Its own identifier.
    Identifier,
    /// The correlation identifier of each publication.
    Published,
    /// This.
    Given(Box<CorrelationId>),
}

impl Subscriber {
    /// Its name in the catalogue.
    #[must_use]
    pub fn identifier(&self) -> ObjectName {
        self.identifier.to_string().parse().expect("digits make a name")
    }

    /// The correlation identifier of its messages; none for that of the publication.
    #[must_use]
    pub fn correlation_id(&self) -> Option<CorrelationId> {
        match &self.correlation {
            Correlation::Identifier => Some(self.identifier),
            Correlation::Published => None,
            Correlation::Given(given) => Some(**given),
        }
    }

    /// True if it uses fields that few do: an expiry, a selector, or data to go with its messages.
    #[must_use]
    pub fn has_particulars(&self) -> bool {
        self.particulars.is_some()
    }

    /// When it ends.
    #[must_use]
    pub fn ends(&self) -> Option<Moment> {
        self.particulars.as_ref()?.ends
    }

    /// Selector of the publications that it takes.
    #[must_use]
    pub fn selector(&self) -> Option<&Selector> {
        self.particulars.as_ref()?.selector.as_deref()
    }

    /// Returns true for a publication of the client whose own it leaves out.
    #[must_use]
    pub fn excludes(&self, publisher: Option<&str>) -> bool {
        let excluded = self.particulars.as_ref().and_then(|said| said.excludes.as_deref());
        excluded.is_some() && excluded == publisher
    }

    /// The text that goes with each of its messages.
    #[must_use]
    pub fn user_data(&self) -> &str {
        self.particulars.as_ref().map_or("", |said| &said.user_data)
    }

    /// The accounting token of its messages, where there is one.
    #[must_use]
    pub fn accounting_token(&self) -> Option<AccountingToken> {
        self.particulars.as_ref()?.accounting_token
    }

    /// The identity data of its messages, where there are any.
    #[must_use]
    pub fn identity_data(&self) -> Option<Rare<Text<32>>> {
        self.particulars.as_ref()?.identity_data.clone()
    }

    /// True if both belong to one group, provided that their levels are the same.
    #[must_use]
    pub fn is_in_group_with(&self, other: &Self) -> bool {
        self.is_grouped
            && other.is_grouped
            && self.destination == other.destination
            && self.correlation_id() == other.correlation_id()
    }
}

/// A queue that publications go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    queue: ObjectName,
    /// Where it is, unless that is this queue manager.
    manager: Option<Box<QueueManagerName>>,
}

impl Destination {
    /// The destination of a subscription, from its definition.
    #[must_use]
    pub fn of(definition: &Definition) -> Option<Self> {
        let queue = definition.name_in(MQCACF_DESTINATION)?;
        let manager = definition.name_in(MQCACF_DESTINATION_Q_MGR);
        let manager = manager.and_then(|manager| manager.as_str().parse().ok()).map(Box::new);
        Some(Self { queue, manager })
    }

    /// Returns the destination as an object descriptor.
    #[must_use]
    pub fn descriptor(&self) -> ObjectDescriptor {
        let manager = self.manager.as_deref().copied().unwrap_or(QueueManagerName::BLANK);
        ObjectDescriptor { object_queue_manager_name: manager, ..ObjectDescriptor::queue(self.queue) }
    }
}

/// PUBPRTY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubscriberPriority {
    /// The priority of the publication.
    AsPublished,
    /// The default priority of its queue.
    AsQueue,
    /// This.
    Fixed(u8),
}

/// PSPROP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublishedProperties {
    /// Not at all.
    None,
    /// By properties as if set in a message handle.
    MessageProperties,
    /// By a header that is part of the message.
    Header,
}

/// The tree, and the position that must be durable before the outside may learn of its effects.
pub struct Topics {
    /// The snapshot.
    pub tree: Guard<Arc<Tree<Subscriber>>>,
    /// The position.
    pub need: Lsn,
}

/// Why a subscription cannot stand in the tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubscriptionError {
    /// Its topic string is no pattern.
    #[error(transparent)]
    Topic(#[from] topic::Error),
    /// Its condition is none.
    #[error("SELECTOR: {0}")]
    Selector(String),
}

/// Where the tree is read.
pub(super) struct TopicTree {
    published: Published<Subscriber>,
    /// The position of the last change: grows only.
    changed: AtomicU64,
    /// The generation of the tree. A change raises it before the tree changes, so a reader that finds it
    /// unchanged may use its kept result.
    generation: AtomicU64,
    /// When subscriptions end that do so by themselves: the next to end first.
    ends: Mutex<BTreeSet<End>>,
    /// Counts of subscriptions: those that are not durable, and those that are.
    standing: [Standing; 2],
    /// Publications that subscriptions were given which are gone.
    given_before: AtomicU64,
    /// Counts that outlive handles and subscriptions.
    pub(super) counts: TopicCounts,
}

/// Count of subscriptions of a kind, with the most and the fewest since it was last asked for.
#[derive(Debug, Default)]
struct Standing {
    now: AtomicU64,
    high: AtomicU64,
    low: AtomicU64,
}

impl Standing {
    fn count(&self, more: bool) {
        let now = if more {
            self.now.fetch_add(1, Ordering::Relaxed) + 1
        } else {
            self.now.fetch_sub(1, Ordering::Relaxed) - 1
        };
        self.high.fetch_max(now, Ordering::Relaxed);
        self.low.fetch_min(now, Ordering::Relaxed);
    }

    fn marks(&self, takes: bool) -> SubscriptionMarks {
        let now = self.now.load(Ordering::Relaxed);
        if !takes {
            return SubscriptionMarks { high: now, low: now };
        }
        let high = self.high.swap(now, Ordering::Relaxed).max(now);
        SubscriptionMarks { high, low: self.low.swap(now, Ordering::Relaxed).min(now) }
    }
}

/// Returns true for a durable subscription and false for any other; none for a definition that is no
/// subscription.
fn durability(definition: &Definition) -> Option<bool> {
    let is_subscription = definition.object_type() == ObjectType::Subscription && !is_default(definition);
    is_subscription.then(|| definition.integer(MQIACF_DURABLE_SUBSCRIPTION) == MQSUB_DURABLE_YES)
}

/// When a subscription ends, and which.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct End {
    at: Moment,
    identifier: ObjectName,
    name: Box<str>,
}

/// Writer of the topic tree.
pub(super) type TopicChanges = Publisher<Subscriber>;

impl TopicTree {
    /// The tree of these objects.
    pub(super) fn new<'a>(objects: impl Iterator<Item = (ObjectId, &'a Definition)>) -> (Self, TopicChanges) {
        let mut tree = Tree::new();
        let mut ends = BTreeSet::new();
        let standing = <[Standing; 2]>::default();
        for (id, definition) in objects {
            if let Some(is_durable) = durability(definition) {
                standing[usize::from(is_durable)].count(true);
            }
            add(&mut tree, id, definition, None);
            ends.extend(end_of(definition));
        }
        let (changed, generation) = (AtomicU64::new(0), AtomicU64::new(tree.generation()));
        let changes = Publisher::new(tree);
        // What there was at the start is neither more nor less than anything.
        for standing in &standing {
            let _ = standing.marks(true);
        }
        let published = changes.published();
        let (ends, given_before) = (Mutex::new(ends), AtomicU64::new(0));
        let counts = TopicCounts::default();
        (Self { published, changed, generation, ends, standing, given_before, counts }, changes)
    }

    /// Follows a change of a definition, whose record is in the log.
    pub(super) fn follow(
        &self,
        changes: &mut TopicChanges,
        id: ObjectId,
        (before, after): (Option<&Definition>, Option<&Definition>),
        need: Lsn,
    ) {
        let Some(definition) = before.or(after) else { return };
        if !matches!(definition.object_type().family(), Family::Topic | Family::Subscription) {
            return;
        }
        self.changed.fetch_max(need.0, Ordering::Release);
        {
            let mut ends = self.ends.lock();
            if let Some(end) = before.and_then(end_of) {
                ends.remove(&end);
            }
            ends.extend(after.and_then(end_of));
        }
        match (before.and_then(durability), after.and_then(durability)) {
            (None, Some(is_durable)) => self.standing[usize::from(is_durable)].count(true),
            (Some(is_durable), None) => self.standing[usize::from(is_durable)].count(false),
            _ => {}
        }
        let ended = changes.change(|tree| {
            let passed = before.and_then(|before| take(tree, id, before));
            let ended = passed.clone().filter(|_| after.is_none_or(is_stopped));
            if let Some(ended) = &ended {
                self.given_before.fetch_add(ended.messages(), Ordering::Relaxed);
            }
            if let Some(after) = after {
                add(tree, id, after, passed);
            }
            self.generation.store(tree.generation(), Ordering::Release);
            ended
        });
        // Readers no longer find it: nothing counts twice.
        if let (Some(ended), Some(before)) = (ended, before) {
            self.counts.keep_received(&before.topic_string(), &ended);
        }
    }

    fn load(&self) -> Topics {
        let tree = self.published.load();
        Topics { tree, need: self.need() }
    }

    /// Returns the need; read after the tree that it is for.
    fn need(&self) -> Lsn {
        Lsn(self.changed.load(Ordering::Acquire))
    }
}

/// Times that deliveries are summed up at most, while subscriptions come and go.
const DELIVERED_TRIES: usize = 3;

impl<Q: LocalQueue> Catalogue<Q> {
    /// The topic tree.
    pub fn topics(&self) -> Topics {
        self.topics.load()
    }

    /// Counts of topics that outlive handles and subscriptions.
    pub(crate) fn topic_counts(&self) -> &TopicCounts {
        &self.topics.counts
    }

    /// Every subscription but the default, which stands for no program.
    pub(crate) fn standing_subscriptions(&self) -> Vec<Arc<Defined>> {
        let mut all = self.all_defined(Family::Subscription);
        let default = ObjectType::Subscription.default_object();
        all.retain(|subscription| Some(subscription.current().definition.shown_name()) != default);
        all
    }

    /// Publications given to subscriptions since the start. If the subscriptions change meanwhile, they are
    /// asked again.
    pub(crate) fn delivered(&self) -> u64 {
        let mut delivered = 0;
        for _ in 0..DELIVERED_TRIES {
            let generation = self.topics.generation.load(Ordering::Acquire);
            let standing = self.all_defined(Family::Subscription);
            let given =
                standing.iter().filter_map(|found| self.passed_to(found)).map(|passed| passed.messages());
            delivered = given.sum::<u64>() + self.topics.given_before.load(Ordering::Relaxed);
            if self.topics_unchanged_since(generation).is_some() {
                break;
            }
        }
        delivered
    }

    /// The highest and the lowest number of subscriptions since the marks were last taken: of those that are
    /// not durable, and of those that are. The call takes the marks, which begin anew, or only reads them.
    pub(crate) fn subscription_marks(&self, takes: bool) -> [SubscriptionMarks; 2] {
        std::array::from_fn(|kind| self.topics.standing[kind].marks(takes))
    }

    /// Returns the need of the topic tree if it is still of this generation: an earlier result still stands.
    pub(crate) fn topics_unchanged_since(&self, generation: u64) -> Option<Lsn> {
        let is_newest = self.topics.generation.load(Ordering::Acquire) == generation;
        is_newest.then(|| self.topics.need())
    }

    /// The names of subscriptions whose time is over, but for those in use, by their identifiers: the first
    /// to end first, and no more than a look at the time is to end.
    pub fn ended_subscriptions(&self, now: Moment, is_used: impl Fn(&ObjectName) -> bool) -> Vec<Box<str>> {
        let ends = self.topics.ends.lock();
        let over = ends.iter().take_while(|end| end.at <= now).filter(|end| !is_used(&end.identifier));
        over.take(ENDED_AT_ONCE_MAX).map(|end| end.name.clone()).collect()
    }

    /// Returns the deliveries to a subscription since the start; none for a definition that stands for none.
    pub fn passed_to(&self, subscription: &Defined) -> Option<Arc<Passed>> {
        let pattern = topics_of(&subscription.current().definition).ok()?;
        let topics = self.topics.load();
        let standing = topics.tree.subscription(&pattern, SubscriptionId(subscription.id().0))?;
        Some(Arc::clone(&standing.kept.passed))
    }
}

/// Checks that a definition can stand in the tree.
pub(super) fn check(definition: &Definition) -> Result<(), ChangeError> {
    if definition.object_type() == ObjectType::Subscription && !is_default(definition) {
        standing(ObjectId(0), definition)?;
    }
    Ok(())
}

/// Adds a definition to the tree; earlier deliveries to a subscription stay counted.
fn add(tree: &mut Tree<Subscriber>, id: ObjectId, definition: &Definition, passed: Option<Arc<Passed>>) {
    match definition.object_type() {
        ObjectType::Topic => {
            if let Some(place) = place(definition) {
                let object = TopicObject { name: *definition.name(), settings: settings(definition) };
                tree.set_object(&place, object);
            }
        }
        // One that an earlier release kept although it is no pattern has no subscribers.
        ObjectType::Subscription if !is_default(definition) && !is_stopped(definition) => {
            if let Ok(mut subscription) = standing(id, definition) {
                subscription.kept.passed = passed.unwrap_or_default();
                tree.subscribe(subscription);
            }
        }
        _ => {}
    }
}

/// Takes a definition out of the tree; returns its subscription's deliveries.
fn take(tree: &mut Tree<Subscriber>, id: ObjectId, definition: &Definition) -> Option<Arc<Passed>> {
    match definition.object_type() {
        ObjectType::Topic => {
            tree.remove_object(&place(definition)?);
            None
        }
        ObjectType::Subscription if !is_default(definition) => {
            let pattern = topics_of(definition).ok()?;
            let taken = tree.unsubscribe(&pattern, SubscriptionId(id.0))?;
            Some(Arc::clone(&taken.kept.passed))
        }
        _ => None,
    }
}

/// True for a subscription that is given nothing, since its user has lost the right.
pub fn is_stopped(definition: &Definition) -> bool {
    definition.object_type() == ObjectType::Subscription
        && definition.integer(SUBSCRIPTION_STOPPED) != SUBSCRIPTION_GOES_ON
}

/// The default subscription stands for none.
fn is_default(definition: &Definition) -> bool {
    definition.object_type().default_object() == Some(definition.shown_name())
}

/// Where a topic object stands; the default object stands nowhere.
fn place(definition: &Definition) -> Option<String> {
    let place = definition.text(MQCA_TOPIC_STRING);
    (!place.is_empty() || definition.name().as_str() == BASE_TOPIC).then_some(place)
}

fn settings(definition: &Definition) -> Settings {
    let of = |selector| definition.integer(selector);
    Settings {
        publish: choice(of(MQIA_INHIBIT_PUB), &[(MQTA_PUB_ALLOWED, true), (MQTA_PUB_INHIBITED, false)]),
        subscribe: choice(of(MQIA_INHIBIT_SUB), &[(MQTA_SUB_ALLOWED, true), (MQTA_SUB_INHIBITED, false)]),
        durable_subscriptions: choice(
            of(MQIA_DURABLE_SUB),
            &[(MQSUB_DURABLE_ALLOWED, true), (MQSUB_DURABLE_INHIBITED, false)],
        ),
        default_persistent: choice(
            of(MQIA_TOPIC_DEF_PERSISTENCE),
            &[(MQPER_PERSISTENT, true), (MQPER_NOT_PERSISTENT, false)],
        ),
        default_priority: u8::try_from(of(MQIA_DEF_PRIORITY)).ok(),
        default_response: choice(
            of(MQIA_DEF_PUT_RESPONSE_TYPE),
            &[(MQPRT_SYNC_RESPONSE, Response::Synchronous), (MQPRT_ASYNC_RESPONSE, Response::Asynchronous)],
        ),
        nonpersistent_delivery: delivery(of(MQIA_NPM_DELIVERY)),
        persistent_delivery: delivery(of(MQIA_PM_DELIVERY)),
        use_dead_letter_queue: choice(
            of(MQIA_USE_DEAD_LETTER_Q),
            &[(MQUSEDLQ_YES, true), (MQUSEDLQ_NO, false)],
        ),
        publication_scope: scope(of(MQIA_PUB_SCOPE)),
        subscription_scope: scope(of(MQIA_SUB_SCOPE)),
        expiry_cap: match definition.expiry_max() {
            -1 => Some(ExpiryCap::NoLimit),
            tenths => u32::try_from(tenths).ok().map(ExpiryCap::Tenths),
        },
        durable_model: definition.name_in(MQCA_MODEL_DURABLE_Q),
        nondurable_model: definition.name_in(MQCA_MODEL_NON_DURABLE_Q),
        wildcard: match of(MQIA_WILDCARD_OPERATION) {
            MQTA_BLOCK => Wildcard::Block,
            _ => Wildcard::PassThrough,
        },
    }
}

/// Returns the choice for a number; none when it leaves that to the place above.
fn choice<T: Copy>(number: i32, choices: &[(i32, T)]) -> Option<T> {
    choices.iter().find(|(of, _)| *of == number).map(|(_, meant)| *meant)
}

fn delivery(number: i32) -> Option<Delivery> {
    choice(
        number,
        &[
            (MQDLV_ALL, Delivery::All),
            (MQDLV_ALL_DUR, Delivery::AllDurable),
            (MQDLV_ALL_AVAIL, Delivery::AllAvailable),
        ],
    )
}

fn scope(number: i32) -> Option<Scope> {
    choice(number, &[(MQSCOPE_QMGR, Scope::QueueManager), (MQSCOPE_ALL, Scope::All)])
}

/// The topics that a subscription is about.
pub fn topics_of(definition: &Definition) -> Result<Pattern, topic::Error> {
    let wildcards = match definition.integer(MQIACF_WILDCARD_SCHEMA) {
        MQWS_CHAR => Wildcards::Characters,
        _ => Wildcards::Levels,
    };
    Pattern::new(&definition.topic_string(), wildcards)
}

fn standing(id: ObjectId, definition: &Definition) -> Result<Subscription<Subscriber>, SubscriptionError> {
    let pattern = topics_of(definition)?;
    let subscriber = subscriber_of(definition)?;
    let selection = match subscriber.selector() {
        Some(_) => SelectionLevel::Standard,
        None => SelectionLevel::None,
    };
    Ok(Subscription {
        level: u8::try_from(definition.integer(MQIACF_SUB_LEVEL)).unwrap_or(1),
        is_proxy: definition.integer(MQIACF_SUB_TYPE) == MQSUBTYPE_PROXY,
        selection,
        ..Subscription::new(SubscriptionId(id.0), pattern, subscriber)
    })
}

/// Returns the delivery for the subscription that a definition stands for.
pub fn subscriber_of(definition: &Definition) -> Result<Subscriber, SubscriptionError> {
    let identifier = identifier_of(definition);
    let particulars = Particulars::of(definition)?;
    Ok(Subscriber {
        identifier,
        destination: Destination::of(definition),
        queue: KeptQueue::default(),
        correlation: match correlation_of(definition) {
            None => Correlation::Published,
            Some(own) if own == identifier => Correlation::Identifier,
            Some(given) => Correlation::Given(Box::new(given)),
        },
        is_durable: definition.integer(MQIACF_DURABLE_SUBSCRIPTION) == MQSUB_DURABLE_YES,
        is_managed: definition.integer(MQIACF_DESTINATION_CLASS) == MQDC_MANAGED,
        is_grouped: program_options(definition).contains(SubscribeOptions::GROUP_SUB),
        has_identity: definition.integer(MQIACF_SUB_TYPE) == MQSUBTYPE_API,
        is_on_request: definition.integer(MQIACF_REQUEST_ONLY) == MQRU_PUBLISH_ON_REQUEST,
        priority: match definition.integer(MQIACF_PUB_PRIORITY) {
            MQPRI_PRIORITY_AS_Q_DEF => SubscriberPriority::AsQueue,
            number => u8::try_from(number).map_or(SubscriberPriority::AsPublished, SubscriberPriority::Fixed),
        },
        properties: match definition.integer(MQIACF_PUBSUB_PROPERTIES) {
            MQPSPROP_NONE => PublishedProperties::None,
            MQPSPROP_COMPAT | MQPSPROP_RFH2 => PublishedProperties::Header,
            _ => PublishedProperties::MessageProperties,
        },
        user: Text::truncated(&definition.text(MQCACF_SUB_USER_ID)),
        particulars: (!particulars.are_none()).then(|| Box::new(particulars)),
        passed: Arc::default(),
    })
}

/// The correlation identifier of a subscription's messages: the one that is said, or its own; none for that
/// of each publication, which a program asks for by saying that there is none.
pub fn correlation_of(definition: &Definition) -> Option<CorrelationId> {
    let given = CorrelationId(identifier(&definition.text(MQBACF_DESTINATION_CORREL_ID)));
    if !given.is_none() {
        return Some(given);
    }
    let is_said = program_options(definition).contains(SubscribeOptions::SET_CORREL_ID);
    (!is_said).then(|| identifier_of(definition))
}

/// The identifier that a subscription has for life.
fn identifier_of(definition: &Definition) -> CorrelationId {
    CorrelationId(identifier(definition.name().as_str()))
}

/// The accounting token of a subscription's messages.
pub fn token_of(definition: &Definition) -> AccountingToken {
    AccountingToken(identifier(&definition.text(MQBACF_ACCOUNTING_TOKEN)))
}

/// When a subscription ends, if it does by itself.
pub fn end_of_subscription(definition: &Definition) -> Option<Moment> {
    match definition.integer(MQIACF_EXPIRY) {
        MQEI_UNLIMITED => None,
        tenths => Some(Moment(definition.altered().0 + i64::from(tenths.unsigned_abs().div_ceil(10)))),
    }
}

/// When a definition ends, if it is a subscription that does.
fn end_of(definition: &Definition) -> Option<End> {
    let is_subscription = definition.object_type() == ObjectType::Subscription && !is_default(definition);
    // One whose time is to begin is looked at by every tick until it has begun.
    let lapses = || definition.integer(LAPSE_AFTER) != LAPSES_NEVER;
    let end = || end_of_subscription(definition).or_else(|| lapses().then_some(Moment(i64::MIN)));
    let at = is_subscription.then(end).flatten()?;
    Some(End { at, identifier: *definition.name(), name: definition.shown_name().into() })
}

fn program_options(definition: &Definition) -> SubscribeOptions {
    SubscribeOptions::from_bits(definition.integer(MQIACF_SUB_OPTIONS))
}

/// Returns the value; none where it is the default.
fn said<T: PartialEq>(what: T, nothing: &T) -> Option<T> {
    (what != *nothing).then_some(what)
}

/// The bytes that hexadecimal digits stand for; what is not there is zero.
fn identifier<const LENGTH: usize>(digits: &str) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).ok();
        *byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default();
    }
    bytes
}
