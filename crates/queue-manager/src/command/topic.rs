//! DISPLAY TPSTATUS, SBSTATUS and PUBSUB, and CLEAR TOPICSTR: the topic tree, with its publishers and
//! subscribers.
//!
//! A place is in the tree as long as a topic object, a subscription, an open handle or a retained publication
//! is there or below, and as TREELIFE says after a program used it last. A subscription with wildcards is at
//! the place that its topic string names as it is written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mqi::constants::*;
use objects::mqsc::{ClearTopic, KEY_END, Names, Relation};
use objects::{Attribute, Definition, Family, Message, Response, StatusType, Subject, Value, messages};
use queues::gate::Gated;
use storage::Lsn;
use topic::{Delivery, ExpiryCap, Pattern, Resolved, Response as Answered, Scope, TopicString, Wildcards};

use super::answer::answer;
use super::display::Answer;
use super::live::{Publishes, Subscribes};
use super::others;
use super::values::{count, date, time};
use crate::authority::commands;
use crate::engine::Engine;

/// CLEAR TOPICSTR.
pub(super) fn clear(engine: &Engine, clear: &ClearTopic) -> Gated<Response> {
    let topic = &*clear.topic;
    match engine.broker.clear_retained(topic) {
        Ok(Some(need)) => {
            engine.broker.leave_place(topic);
            answer(need, Message::new(&messages::RETAINED_CLEARED, [topic]))
        }
        Ok(None) => {
            let (_, need) = engine.broker.is_retained(topic);
            answer(need, Message::new(&messages::NOTHING_RETAINED, [topic]))
        }
        Err(reason) => {
            let inserts = [format!("CLEAR TOPICSTR({topic})"), reason.to_string()];
            answer(
                engine.directory.catalogue.absence_need(),
                Message::new(&messages::COMMAND_FAILED, inserts),
            )
        }
    }
}

/// Places that a command names.
enum Meant<'a> {
    One(&'a str),
    All(Pattern),
}

/// Level below which the queue manager publishes about itself. A display shows it only by its name, and not
/// beside the programs' topics.
const OWN: &str = "$SYS";

/// True if a topic string begins with the level below which the queue manager publishes about itself.
fn is_own(topics: &str) -> bool {
    topics.split('/').next() == Some(OWN)
}

impl<'a> Meant<'a> {
    fn of(topics: &'a str) -> Self {
        let pattern = Pattern::new(topics, Wildcards::Levels).ok();
        pattern.filter(|pattern| pattern.topic().is_none()).map_or(Self::One(topics), Self::All)
    }

    fn has(&self, place: &str) -> bool {
        match (self, TopicString::new(place)) {
            (Self::One(only), _) => *only == place,
            (Self::All(pattern), Ok(topic)) => {
                pattern.matches(&topic) && (is_own(pattern.as_str()) || !is_own(place))
            }
            // The root is no level.
            (Self::All(pattern), Err(_)) => pattern.as_str() == "#",
        }
    }
}

/// Content of a place in the topic tree.
#[derive(Default)]
struct Here {
    publishers: u32,
    subscriptions: u32,
    is_retained: bool,
}

/// The open handles that have to do with topics, each with its connection's whole identifier.
struct Handles {
    /// Each with its key.
    publishing: Vec<(String, Publishes, Value)>,
    subscribed: Vec<(Subscribes, Value)>,
    need: Lsn,
}

impl Handles {
    fn of(engine: &Engine) -> Self {
        let name = *engine.directory.catalogue.manager().definition.name();
        let mut all = Self { publishing: Vec::new(), subscribed: Vec::new(), need: Lsn::ZERO };
        for connection in engine.connections() {
            let identifier = crate::directory::connection_identifier(&name, connection.identifier);
            let digits: String = identifier.iter().map(|byte| format!("{byte:02X}")).collect();
            let identifier = Value::from(digits.as_str());
            all.need = all.need.max(connection.need);
            for (index, handle) in connection.handles.into_iter().enumerate() {
                let key = |topic: &str| format!("{topic}{KEY_END}{digits}{index:08X}");
                let publishing =
                    handle.publishes.map(|publishes| (key(&publishes.topic), publishes, identifier.clone()));
                all.publishing.extend(publishing);
                all.subscribed.extend(handle.subscribes.map(|subscribes| (subscribes, identifier.clone())));
            }
        }
        all
    }
}

impl Answer<'_> {
    pub(super) fn topic_status(&mut self, engine: &Engine, topics: &str, kind: StatusType) -> Message {
        let meant = Meant::of(topics);
        let handles = Handles::of(engine);
        self.needs(handles.need.max(engine.directory.catalogue.topics().need));
        match kind {
            StatusType::TopicPublisher => self.publishers(&meant, &handles),
            StatusType::TopicSubscription => {
                let is_meant = |definition: &Definition| meant.has(&definition.topic_string());
                self.subscriptions(engine, kind, &handles, is_meant);
            }
            _ => self.places(engine, &meant, &handles),
        }
        if self.display.target.is_generic() || self.display.filter.is_some() {
            Message::new(&messages::NOTHING_MATCHES, ["topic string", topics])
        } else {
            Message::new(&messages::OBJECT_NOT_FOUND, ["Topic string", topics])
        }
    }

    pub(super) fn subscription_status(&mut self, engine: &Engine, names: &Names) -> Message {
        let handles = Handles::of(engine);
        self.needs(handles.need.max(engine.directory.catalogue.topics().need));
        let is_meant = |definition: &Definition| names.matches(definition);
        self.subscriptions(engine, StatusType::Subscription, &handles, is_meant);
        self.nothing_matches(Family::Subscription, names)
    }

    fn publishers(&mut self, meant: &Meant<'_>, handles: &Handles) {
        let meant = handles.publishing.iter().filter(|(_, publishes, _)| meant.has(&publishes.topic));
        let found = self.in_order(meant.map(|(key, publishes, by)| (key.clone(), (publishes, by))));
        for (key, (publishes, connection)) in found {
            if !self.has_turn(|| key) {
                continue;
            }
            if !self.reach.has(commands::place(&publishes.topic)) {
                continue;
            }
            let subject = Subject::Status(StatusType::TopicPublisher);
            self.add(subject, &messages::TOPIC_STATUS_DETAILS, |row| {
                Some(match row.keyword {
                    "TPSTATUS" => Value::from(publishes.topic.as_str()),
                    "TYPE" => Value::Integer(MQIACF_TOPIC_PUB),
                    "ACTCONN" => connection.clone(),
                    "LPUBDATE" => date(publishes.last),
                    "LPUBTIME" => time(publishes.last),
                    "NUMPUBS" => number(publishes.messages),
                    _ => return None,
                })
            });
        }
    }

    fn subscriptions(
        &mut self,
        engine: &Engine,
        kind: StatusType,
        handles: &Handles,
        is_meant: impl Fn(&Definition) -> bool,
    ) {
        let mut found = engine.directory.catalogue.standing_subscriptions();
        found.retain(|subscription| is_meant(&subscription.current().definition));
        self.needs(others::need_of(&found));
        let heading = match kind {
            StatusType::Subscription => &messages::SUBSCRIPTION_STATUS_DETAILS,
            _ => &messages::TOPIC_STATUS_DETAILS,
        };
        for subscription in found {
            let current = subscription.current();
            let definition = &current.definition;
            if !self.has_turn(|| format!("{}{KEY_END}", definition.shown_name())) {
                continue;
            }
            let has_right = match kind {
                StatusType::Subscription => self.reach.has(commands::of_definition(definition)),
                _ => self.reach.has(commands::place(&definition.topic_string())),
            };
            if !has_right {
                continue;
            }
            let passed = engine.directory.catalogue.passed_to(&subscription);
            let last = passed.as_ref().and_then(|passed| passed.last());
            let mut users = handles.subscribed.iter();
            let user = users.find(|(subscribes, _)| subscribes.identifier == *definition.name());
            let taken = passed.as_ref().and_then(|passed| passed.taken());
            self.add(Subject::Status(kind), heading, |row| {
                Some(match row.keyword {
                    "SUB" => Value::from(definition.text(MQCACF_SUB_NAME).as_str()),
                    "TPSTATUS" | "TOPICSTR" => Value::from(definition.topic_string().as_str()),
                    "TYPE" => Value::Integer(MQIACF_TOPIC_SUB),
                    "SUBID" => Value::from(definition.name()),
                    "ACTCONN" => {
                        user.map_or_else(|| row.default_value(), |(_, connection)| connection.clone())
                    }
                    "DURABLE" => Value::Integer(definition.integer(MQIACF_DURABLE_SUBSCRIPTION)),
                    "LMSGDATE" => date(last),
                    "LMSGTIME" => time(last),
                    "NUMMSGS" => number(passed.as_ref().map_or(0, |passed| passed.messages())),
                    "RESMDATE" => date(taken),
                    "RESMTIME" => time(taken),
                    "SUBTYPE" => Value::Integer(definition.integer(MQIACF_SUB_TYPE)),
                    "SUBUSER" => Value::from(definition.text(MQCACF_SUB_USER_ID).as_str()),
                    _ => return None,
                })
            });
        }
    }

    /// Shows the state of publish/subscribe here; there are no other queue managers of a hierarchy.
    pub(super) fn publish_subscribe(&mut self, engine: &Engine, of: Relation) -> Message {
        let nothing = Message::new(
            &messages::NOTHING_MATCHES,
            ["queue manager of a hierarchy", self.display.target.keyword()],
        );
        if !of.has_local() {
            return nothing;
        }
        let used = self.used(engine, None, &Handles::of(engine));
        let places: BTreeSet<&str> = used.keys().flat_map(|place| with_those_above(place)).collect();
        let name = *engine.directory.catalogue.manager().definition.name();
        let subscriptions: u32 = used.values().map(|here| here.subscriptions).sum();
        let subject = Subject::Status(StatusType::PublishSubscribe);
        self.add(subject, &messages::PUBLISH_SUBSCRIBE_DETAILS, |row| {
            Some(match row.keyword {
                "QMNAME" => Value::from(&name),
                "SUBCOUNT" => count(subscriptions),
                "TPCOUNT" => number(places.len() as u64),
                _ => row.default_value(),
            })
        });
        nothing
    }

    /// Returns the places that are or were in use, each with its content. The retained publication is looked
    /// up for one place, where one is meant.
    fn used(&mut self, engine: &Engine, only: Option<&str>, handles: &Handles) -> BTreeMap<String, Here> {
        let catalogue = &engine.directory.catalogue;
        let mut used: BTreeMap<String, Here> = BTreeMap::new();
        let objects = catalogue.all_defined(Family::Topic);
        let subscriptions = engine.directory.catalogue.standing_subscriptions();
        let standing = catalogue.topics().need.max(handles.need);
        self.needs(standing.max(others::need_of(&objects)).max(others::need_of(&subscriptions)));
        for object in &objects {
            used.entry(object.current().definition.text(MQCA_TOPIC_STRING)).or_default();
        }
        for subscription in &subscriptions {
            let place = subscription.current().definition.topic_string();
            used.entry(place).or_default().subscriptions += 1;
        }
        for (_, publishes, _) in &handles.publishing {
            used.entry(publishes.topic.clone()).or_default().publishers += 1;
        }
        let (retained, need) = match only {
            Some(only) => {
                let (is_retained, need) = engine.broker.is_retained(only);
                (is_retained.then(|| only.to_owned()).into_iter().collect(), need)
            }
            None => engine.broker.retained_topics(),
        };
        self.needs(need);
        for topic in retained {
            used.entry(topic).or_default().is_retained = true;
        }
        let tree_life = engine.directory.catalogue.manager().attributes.tree_life;
        for place in engine.broker.left_places.shown(engine.ground().now(), tree_life) {
            used.entry(place.to_string()).or_default();
        }
        used
    }

    fn places(&mut self, engine: &Engine, meant: &Meant<'_>, handles: &Handles) {
        let only = match meant {
            Meant::One(only) => Some(*only),
            Meant::All(_) => None,
        };
        let used = self.used(engine, only, handles);
        let topics = engine.directory.catalogue.topics();
        let mut places: BTreeSet<&str> = used.keys().flat_map(|place| with_those_above(place)).collect();
        places.retain(|place| meant.has(place));
        let nobody = Here::default();
        for place in places {
            if !self.has_turn(|| place) {
                continue;
            }
            if !self.reach.has(commands::place(place)) {
                continue;
            }
            let resolved = match TopicString::new(place) {
                Ok(topic) => Arc::clone(topics.tree.resolved(&topic)),
                Err(_) => Arc::clone(topics.tree.resolved_root()),
            };
            let object = topics.tree.object(place).map(|object| object.name);
            let here = used.get(place).unwrap_or(&nobody);
            self.add(Subject::Status(StatusType::Topic), &messages::TOPIC_STATUS_DETAILS, |row| {
                Some(match row.keyword {
                    "TPSTATUS" => Value::from(place),
                    "ADMIN" => object.map_or_else(|| row.default_value(), |name| Value::from(&name)),
                    "PUBCOUNT" => count(here.publishers),
                    "SUBCOUNT" => count(here.subscriptions),
                    "RETAINED" if here.is_retained => Value::Integer(MQQSO_YES),
                    _ => resolved_value(row, &resolved),
                })
            });
        }
    }
}

/// A place and all above it, the root included.
fn with_those_above(place: &str) -> impl Iterator<Item = &str> {
    let above = place.match_indices('/').map(|(at, _)| &place[..at]);
    above.chain(["", place])
}

fn number(messages: u64) -> Value {
    Value::Integer(i32::try_from(messages).unwrap_or(i32::MAX))
}

/// Returns an attribute in force at a place, as a display shows it.
fn resolved_value(row: &Attribute, resolved: &Resolved) -> Value {
    let either = |is: bool, yes: i32, no: i32| Value::Integer(if is { yes } else { no });
    match row.identifier_number() {
        MQIA_CAP_EXPIRY => match resolved.expiry_cap {
            ExpiryCap::NoLimit => Value::Integer(-1),
            ExpiryCap::Tenths(tenths) => count(tenths),
        },
        MQIA_DEF_PUT_RESPONSE_TYPE => {
            let is_asynchronous = resolved.default_response == Answered::Asynchronous;
            either(is_asynchronous, MQPRT_ASYNC_RESPONSE, MQPRT_SYNC_RESPONSE)
        }
        MQIA_DEF_PRIORITY => count(resolved.default_priority.into()),
        MQIA_TOPIC_DEF_PERSISTENCE => {
            either(resolved.default_persistent, MQPER_PERSISTENT, MQPER_NOT_PERSISTENT)
        }
        MQIA_DURABLE_SUB => {
            either(resolved.durable_subscriptions, MQSUB_DURABLE_ALLOWED, MQSUB_DURABLE_INHIBITED)
        }
        MQCA_MODEL_DURABLE_Q => Value::from(&resolved.durable_model),
        MQCA_MODEL_NON_DURABLE_Q => Value::from(&resolved.nondurable_model),
        MQIA_NPM_DELIVERY => delivery(resolved.nonpersistent_delivery),
        MQIA_PM_DELIVERY => delivery(resolved.persistent_delivery),
        MQIA_INHIBIT_PUB => either(resolved.publish, MQTA_PUB_ALLOWED, MQTA_PUB_INHIBITED),
        MQIA_INHIBIT_SUB => either(resolved.subscribe, MQTA_SUB_ALLOWED, MQTA_SUB_INHIBITED),
        MQIA_PUB_SCOPE => scope(resolved.publication_scope),
        MQIA_SUB_SCOPE => scope(resolved.subscription_scope),
        MQIA_USE_DEAD_LETTER_Q => either(resolved.use_dead_letter_queue, MQUSEDLQ_YES, MQUSEDLQ_NO),
        _ => row.default_value(),
    }
}

fn delivery(to: Delivery) -> Value {
    Value::Integer(match to {
        Delivery::All => MQDLV_ALL,
        Delivery::AllDurable => MQDLV_ALL_DUR,
        Delivery::AllAvailable => MQDLV_ALL_AVAIL,
    })
}

fn scope(reach: Scope) -> Value {
    Value::Integer(match reach {
        Scope::QueueManager => MQSCOPE_QMGR,
        Scope::All => MQSCOPE_ALL,
    })
}
