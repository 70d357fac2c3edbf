//! Subscriptions of programs: what MQSUB answers, and what becomes of a subscription and of its queue.
//!
//! A managed queue is an object under a name that no scenario can write; which name it has at the engine does
//! not matter.

use std::collections::BTreeMap;

use mqi::{
    CloseOptions, ObjectDescriptor, ObjectName, OpenOptions, Reason, RequestOptions, SubscribeOptions,
    SubscriptionDescriptor, constants,
};

use super::calls::{Handle, Replied};
use super::definitions::{Definition, Kind};
use super::queue::QueueId;
use super::topics::{Said, fixed_part};
use super::{Manager, Version};
use crate::Expected;
use crate::call::OF_SUBSCRIPTION;

/// Beginning of the names of managed queues in the model.
pub(super) const MANAGED: &str = "~";

/// Template of subscriptions, which is none itself.
const DEFAULT_SUBSCRIPTION: &str = "SYSTEM.DEFAULT.SUB";

/// An open subscription.
#[derive(Clone, Debug)]
pub(super) struct Subscribed {
    /// The name by which the topics have it.
    pub(super) name: String,
    is_durable: bool,
}

/// Why a descriptor makes no sense.
fn check(wanted: &SubscriptionDescriptor) -> Result<(), Reason> {
    let has = |option: SubscribeOptions| wanted.options.contains(option);
    let any = |options: SubscribeOptions| wanted.options.intersects(options);
    let ways = SubscribeOptions::CREATE | SubscribeOptions::ALTER | SubscribeOptions::RESUME;
    let pairs = [
        SubscribeOptions::NEW_PUBLICATIONS_ONLY | SubscribeOptions::PUBLICATIONS_ON_REQUEST,
        SubscribeOptions::ANY_USERID | SubscribeOptions::FIXED_USERID,
        SubscribeOptions::WILDCARD_CHAR | SubscribeOptions::WILDCARD_TOPIC,
        SubscribeOptions::NO_READ_AHEAD | SubscribeOptions::READ_AHEAD,
    ];
    let has_group = !wanted.correlation_id.is_none() && has(SubscribeOptions::SET_CORREL_ID);
    let is_lone = has(SubscribeOptions::GROUP_SUB) && (!has_group || has(SubscribeOptions::MANAGED));
    let is_for_new = has(SubscribeOptions::NEW_PUBLICATIONS_ONLY) && !has(SubscribeOptions::CREATE);
    let is_unknown = !wanted.options.unknown().is_empty();
    if !any(ways) || pairs.into_iter().any(has) || is_lone || is_for_new || is_unknown {
        return Err(Reason::OPTIONS_ERROR);
    }
    let named = SubscribeOptions::DURABLE | SubscribeOptions::ALTER | SubscribeOptions::RESUME;
    if any(named) && wanted.name.is_empty() {
        return Err(Reason::SUB_NAME_ERROR);
    }
    let others = [constants::MQPRI_PRIORITY_AS_PUBLISHED, constants::MQPRI_PRIORITY_AS_Q_DEF];
    if !(0..=9).contains(&wanted.priority) && !others.contains(&wanted.priority) {
        return Err(Reason::PRIORITY_ERROR);
    }
    if (0..=9).contains(&wanted.level) { Ok(()) } else { Err(Reason::SD_ERROR) }
}

/// Reads a program's subscription into the keywords of a definition.
fn said_of(wanted: &SubscriptionDescriptor, ends: Option<u64>) -> Said {
    let has = |option: SubscribeOptions| wanted.options.contains(option);
    let mut said = Said::new();
    let mut say = |keyword: &str, value: String| said.insert(keyword.to_owned(), value);
    say("API", "YES".to_owned());
    say("USERDATA", wanted.user_data.clone());
    say(
        "PUBPRTY",
        match wanted.priority {
            constants::MQPRI_PRIORITY_AS_PUBLISHED => "ASPUB".to_owned(),
            constants::MQPRI_PRIORITY_AS_Q_DEF => "ASQDEF".to_owned(),
            level => level.to_string(),
        },
    );
    say("ENDS", ends.map(|at| at.to_string()).unwrap_or_default());
    if has(SubscribeOptions::SET_CORREL_ID) {
        say("CORREL", wanted.correlation_id.to_string());
    }
    let has_identity = has(SubscribeOptions::SET_IDENTITY_CONTEXT);
    let token = if has_identity { wanted.accounting_token } else { Default::default() };
    let identity = if has_identity { wanted.application_identity_data.to_string() } else { String::new() };
    say("TOKEN", token.to_string());
    say("IDENTITY", identity);
    said
}

impl Manager {
    /// MQSUB, with the handle of the program's own queue if it has one.
    pub(super) fn subscribe(
        &mut self,
        client: &str,
        name: ObjectName,
        wanted: &SubscriptionDescriptor,
        own: Option<u64>,
    ) -> Replied {
        check(wanted)?;
        self.check_topics_served()?;
        let has = |option: SubscribeOptions| wanted.options.contains(option);
        let resumes = has(SubscribeOptions::RESUME) && !has(SubscribeOptions::ALTER);
        let is_given_queue = has(SubscribeOptions::MANAGED) || resumes && own.is_none();
        let more = if is_given_queue { 2 } else { 1 };
        if self.client(client).open_objects() + more > self.settings.handles_max {
            return Err(Reason::HANDLE_NOT_AVAILABLE);
        }
        let destination = self.own_queue(client, wanted, own)?;
        let key = self.known_subscription(&wanted.name);
        let creates = has(SubscribeOptions::CREATE);
        let uses = wanted.options.intersects(SubscribeOptions::RESUME | SubscribeOptions::ALTER);
        if wanted.name == DEFAULT_SUBSCRIPTION {
            return Err(if uses { Reason::INVALID_SUBSCRIPTION } else { Reason::SUB_ALREADY_EXISTS });
        }
        let (key, need) = match key {
            None if !creates => return Err(Reason::NO_SUBSCRIPTION),
            Some(_) if !uses => return Err(Reason::SUB_ALREADY_EXISTS),
            Some(key) => {
                let topic = self.wanted_topic(wanted)?;
                let need = self.use_subscription(&key, wanted, topic, destination)?;
                (key, need)
            }
            None => {
                let topic = self.wanted_topic(wanted)?.ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
                let (key, need) = self.make_subscription(wanted, topic, destination)?;
                let without =
                    SubscribeOptions::NEW_PUBLICATIONS_ONLY | SubscribeOptions::PUBLICATIONS_ON_REQUEST;
                let said = self.topics.subscription(&key).expect("it was made").clone();
                let given = match wanted.options.intersects(without) {
                    true => Ok((0, 0)),
                    false => self.give_retained(&said),
                };
                match given {
                    Ok((_, given)) => (key, need.max(given)),
                    Err(reason) => {
                        self.end_subscription(&key);
                        return Err(reason);
                    }
                }
            }
        };
        let said = self.topics.subscription(&key).expect("it was found or made").clone();
        if is_given_queue {
            self.open_queue_of(client, name, &said)?;
        }
        self.hold_subscription(client, name, key, &said);
        let facts = [
            ("topic", said["TOPICSTR"].clone()),
            ("user-data", said.get("USERDATA").cloned().unwrap_or_default()),
            ("selector", said.get("SELECTOR").cloned().unwrap_or_default()),
            ("level", said.get("SUBLEVEL").cloned().unwrap_or_else(|| "1".to_owned())),
        ];
        let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(Some((Expected { facts, ..Expected::default() }, need)))
    }

    /// The queue of the program that the publications go to.
    fn own_queue(
        &mut self,
        client: &str,
        wanted: &SubscriptionDescriptor,
        own: Option<u64>,
    ) -> Result<Option<String>, Reason> {
        if wanted.options.contains(SubscribeOptions::MANAGED) {
            return Ok(None);
        }
        let Some(own) = own else {
            let makes = wanted.options.contains(SubscribeOptions::CREATE);
            return if makes { Err(Reason::HOBJ_ERROR) } else { Ok(None) };
        };
        let queue = self.client(client).handles.get(&own).map(|handle| handle.queue);
        let queue = queue.ok_or(Reason::HOBJ_ERROR)?;
        let found = self.objects.iter().find(|(_, definition)| definition.queue == Some(queue));
        let (name, definition) = found.ok_or(Reason::Q_DELETED)?;
        if definition.temporary && wanted.options.contains(SubscribeOptions::DURABLE) {
            return Err(Reason::INVALID_DESTINATION);
        }
        Ok(Some(name.clone()))
    }

    /// The subscription of a name; one whose time is over is gone.
    fn known_subscription(&mut self, name: &str) -> Option<String> {
        let said = self.topics.subscription(name)?;
        let is_over = said.get("ENDS").and_then(|at| at.parse().ok()).is_some_and(|at: u64| at <= self.now);
        if !is_over || self.is_subscribed(name) {
            return Some(name.to_owned());
        }
        self.end_subscription(name);
        None
    }

    /// Ends the subscriptions that are overdue and not in use.
    pub(super) fn end_overdue_subscriptions(&mut self) {
        for name in self.topics.subscription_names() {
            let _left = self.known_subscription(&name);
        }
    }

    /// The topics that are asked for, if that is said.
    fn wanted_topic(&self, wanted: &SubscriptionDescriptor) -> Result<Option<String>, Reason> {
        let says = wanted.options.intersects(SubscribeOptions::CREATE | SubscribeOptions::ALTER);
        let object = wanted.object_name.as_str();
        if !says || object.is_empty() && wanted.object_string.is_empty() {
            return Ok(None);
        }
        let first = match object {
            "" => String::new(),
            object => self.topics.string_of(object).ok_or(Reason::UNKNOWN_OBJECT_NAME)?,
        };
        Ok(Some(match (first.as_str(), wanted.object_string.as_str()) {
            ("", alone) | (alone, "") => alone.to_owned(),
            (first, second) => format!("{first}/{second}"),
        }))
    }

    fn make_subscription(
        &mut self,
        wanted: &SubscriptionDescriptor,
        topic: String,
        destination: Option<String>,
    ) -> Result<(String, Version), Reason> {
        let has = |option: SubscribeOptions| wanted.options.contains(option);
        let yes_no = |is: bool| if is { "YES" } else { "NO" }.to_owned();
        let schema = if has(SubscribeOptions::WILDCARD_CHAR) { "CHAR" } else { "TOPIC" };
        let place = fixed_part(&topic, schema);
        if self.topics.holds(&place, "SUB") == "DISABLED" {
            return Err(Reason::SUB_INHIBITED);
        }
        let is_durable = has(SubscribeOptions::DURABLE);
        if is_durable && self.topics.holds(&place, "DURSUB") == "NO" {
            return Err(Reason::DURABILITY_NOT_ALLOWED);
        }
        let ends = self.end_of(wanted);
        let mut said = said_of(wanted, ends);
        said.insert("TOPICSTR".to_owned(), topic);
        said.insert("WSCHEMA".to_owned(), schema.to_owned());
        said.insert("DURABLE".to_owned(), yes_no(is_durable));
        said.insert("GROUP".to_owned(), yes_no(has(SubscribeOptions::GROUP_SUB)));
        said.insert("REQONLY".to_owned(), yes_no(has(SubscribeOptions::PUBLICATIONS_ON_REQUEST)));
        said.insert("SELECTOR".to_owned(), wanted.selection_string.trim().to_owned());
        said.insert("SUBLEVEL".to_owned(), wanted.level.to_string());
        said.insert("DEST".to_owned(), destination.unwrap_or_default());
        if has(SubscribeOptions::GROUP_SUB) && self.topics.has_in_group(&said) {
            return Err(Reason::DUPLICATE_GROUP_SUB);
        }
        let number = self.number();
        let name = if wanted.name.is_empty() { format!("{MANAGED}{number}") } else { wanted.name.clone() };
        if has(SubscribeOptions::MANAGED) {
            let queue = format!("{MANAGED}{number}");
            self.make_managed(&queue, is_durable);
            said.insert("DEST".to_owned(), queue);
        }
        self.topics.add_subscription(&name, said);
        let need = self.note();
        Ok((name, if is_durable { need } else { 0 }))
    }

    fn end_of(&self, wanted: &SubscriptionDescriptor) -> Option<u64> {
        // Definitions count in seconds.
        let tenths = wanted.expiry.limit().map(u64::from)?;
        Some(self.now / 1_000 * 1_000 + tenths.div_ceil(10) * 1_000)
    }

    fn make_managed(&mut self, name: &str, is_durable: bool) {
        let mut definition = Definition::managed();
        definition.temporary = !is_durable;
        self.objects.insert(name.to_owned(), definition);
        self.make_queue(name);
    }

    /// Takes a subscription into use, changed as far as that is asked for.
    fn use_subscription(
        &mut self,
        key: &str,
        wanted: &SubscriptionDescriptor,
        topic: Option<String>,
        destination: Option<String>,
    ) -> Result<Version, Reason> {
        let has = |option: SubscribeOptions| wanted.options.contains(option);
        if self.is_subscribed(key) {
            return Err(Reason::SUBSCRIPTION_IN_USE);
        }
        let found = self.topics.subscription(key).expect("it was found").clone();
        let is = |keyword: &str, value: &str| found.get(keyword).is_some_and(|found| found == value);
        // Those of an administrator are durable, and have a queue that is named.
        let alters = has(SubscribeOptions::ALTER);
        if alters && has(SubscribeOptions::DURABLE) == is("DURABLE", "NO") {
            return Err(Reason::DURABILITY_NOT_ALTERABLE);
        }
        if alters && has(SubscribeOptions::MANAGED) != found["DEST"].starts_with(MANAGED) {
            return Err(Reason::DEST_CLASS_NOT_ALTERABLE);
        }
        let is_there = |queue: &String| self.resolve(queue) == self.resolve(&found["DEST"]);
        let stays = match destination.as_ref().is_none_or(is_there) {
            true => Ok(0),
            false => Err(Reason::INVALID_DESTINATION),
        };
        if !has(SubscribeOptions::CREATE) && !has(SubscribeOptions::ALTER) {
            return stays;
        }
        let selection = wanted.selection_string.trim();
        let level = found.get("SUBLEVEL").map_or("1", String::as_str);
        if topic.is_some_and(|topic| topic != found["TOPICSTR"]) {
            return Err(Reason::TOPIC_NOT_ALTERABLE);
        }
        if !selection.is_empty() && !is("SELECTOR", selection) {
            return Err(Reason::SELECTOR_NOT_ALTERABLE);
        }
        if level != wanted.level.to_string() {
            return Err(Reason::SUBLEVEL_NOT_ALTERABLE);
        }
        if !has(SubscribeOptions::ALTER) {
            return stays;
        }
        let moves = destination.as_ref().is_some_and(|queue| !is("DEST", queue));
        let is_grouped = is("GROUP", "YES");
        let other_group = is_grouped && (moves || !is("CORREL", &wanted.correlation_id.to_string()));
        if is_grouped != has(SubscribeOptions::GROUP_SUB) || other_group {
            return Err(Reason::GROUPING_NOT_ALTERABLE);
        }
        let ends = self.end_of(wanted);
        let mut altered = found;
        altered.extend(said_of(wanted, ends));
        altered.extend(destination.map(|queue| ("DEST".to_owned(), queue)));
        self.topics.add_subscription(key, altered);
        Ok(self.note())
    }

    /// Gives the client a handle of the queue of a subscription, under the name of that.
    fn open_queue_of(&mut self, client: &str, name: ObjectName, said: &Said) -> Result<(), Reason> {
        let destination = said["DEST"].as_str();
        let number = if destination.starts_with(MANAGED) {
            let queue = self.objects[destination].queue.expect("a managed queue is a local one");
            let number = self.number();
            let caller = self.client(client);
            caller.handles.insert(number, Handle::to_get(destination, queue));
            caller.opened.push(number);
            self.taken_from(queue);
            number
        } else {
            let queue = ObjectDescriptor::queue(destination.parse().expect("a name that was written"));
            let options = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::BROWSE | OpenOptions::INQUIRE;
            let names = self.client(client).open.clone();
            let number = self.open(client, &queue, options).map_err(|_| Reason::INVALID_DESTINATION)?;
            // It is not the one that its own name means.
            self.client(client).open = names;
            number
        };
        for kind in [OpenOptions::INPUT_AS_Q_DEF, OpenOptions::BROWSE] {
            self.client(client).open.insert((name.as_str().to_owned(), kind.bits()), number);
        }
        Ok(())
    }

    /// Gives the client the handle of a subscription.
    fn hold_subscription(&mut self, client: &str, name: ObjectName, key: String, said: &Said) {
        let is_durable = said.get("DURABLE").is_none_or(|word| word == "YES");
        let number = self.number();
        let caller = self.client(client);
        caller.subscribed.insert(number, Subscribed { name: key, is_durable });
        caller.opened.push(number);
        caller.open.insert((name.as_str().to_owned(), OF_SUBSCRIPTION), number);
    }

    /// MQCLOSE of a subscription.
    pub(super) fn unsubscribe(&mut self, client: &str, name: &str, options: CloseOptions) -> Replied {
        let number = self.client(client).open.remove(&(name.to_owned(), OF_SUBSCRIPTION));
        let number = number.ok_or(Reason::HOBJ_ERROR)?;
        super::opening::check_close(options)?;
        let Subscribed { name: key, is_durable } = self.client(client).subscribed[&number].clone();
        let deleting = CloseOptions::DELETE | CloseOptions::DELETE_PURGE;
        if options.intersects(deleting) || options.contains(CloseOptions::KEEP_SUB) && !is_durable {
            return Err(Reason::OPTION_NOT_VALID_FOR_TYPE);
        }
        self.client(client).subscribed.remove(&number);
        let need = match !is_durable || options.contains(CloseOptions::REMOVE_SUB) {
            true => self.end_subscription(&key),
            false => 0,
        };
        self.done(if is_durable { need } else { 0 })
    }

    /// MQSUBRQ.
    pub(super) fn request(
        &mut self,
        client: &str,
        name: &str,
        action: i32,
        options: RequestOptions,
    ) -> Replied {
        if !options.unknown().is_empty() {
            return Err(Reason::OPTIONS_ERROR);
        }
        if action != constants::MQSR_ACTION_PUBLICATION {
            return Err(Reason::ACTION_ERROR);
        }
        let open = self.client(client).open.get(&(name.to_owned(), OF_SUBSCRIPTION)).copied();
        let key = open.map(|open| self.client(client).subscribed[&open].name.clone());
        let said = self.topics.subscription(&key.ok_or(Reason::HOBJ_ERROR)?).cloned();
        let (given, need) = self.give_retained(&said.ok_or(Reason::NO_SUBSCRIPTION)?)?;
        if given == 0 {
            return Err(Reason::NO_RETAINED_MSG);
        }
        let facts = vec![("publications".to_owned(), given.to_string())];
        Ok(Some((Expected { facts, ..Expected::default() }, need)))
    }

    /// A client's subscriptions end with its connection, but for those that last.
    pub(super) fn end_subscriptions(&mut self, client: &str) {
        let open: BTreeMap<u64, Subscribed> = std::mem::take(&mut self.client(client).subscribed);
        for subscribed in open.into_values().filter(|subscribed| !subscribed.is_durable) {
            self.end_subscription(&subscribed.name);
        }
    }

    /// A subscription is gone, and its managed queue with it.
    pub(super) fn end_subscription(&mut self, key: &str) -> Version {
        if let Some(said) = self.topics.remove_subscription(key) {
            self.end_managed(&said["DEST"]);
        }
        self.note()
    }

    fn end_managed(&mut self, queue: &str) {
        let found = self.objects.get(queue).filter(|_| queue.starts_with(MANAGED));
        if let Some(queue) = found.and_then(|definition| definition.queue) {
            self.remove_queue(queue);
        }
    }

    /// True if a program uses a subscription.
    pub(super) fn is_subscribed(&self, key: &str) -> bool {
        let mut all = self.clients.values().flat_map(|client| client.subscribed.values());
        all.any(|subscribed| subscribed.name == key)
    }
}

impl Handle {
    fn to_get(name: &str, queue: QueueId) -> Self {
        Self {
            name: name.to_owned(),
            queue,
            options: OpenOptions::INPUT_AS_Q_DEF | OpenOptions::BROWSE,
            exclusive: false,
            is_creator: false,
            cursor: None,
            courses: Default::default(),
            courses_before: Default::default(),
            saved: None,
            selector: None,
            puts_asynchronously: false,
        }
    }
}

impl Definition {
    /// A managed queue.
    pub(super) fn managed() -> Self {
        let mut definition = Self::plain(Kind::Local);
        definition.dynamic = true;
        for (keyword, value) in [("MAXDEPTH", "999999999"), ("MAXMSGL", "104857600")] {
            definition.attributes.insert(keyword.to_owned(), value.to_owned());
        }
        definition
    }
}
