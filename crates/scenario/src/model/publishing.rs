//! Publications: what each subscriber is given, and whether all that must be can be served.

use mqi::{
    AccountingToken, CorrelationId, Expiry, MessageId, ObjectDescriptor, ObjectType, OpenOptions,
    Persistence, Priority, PutFlags, PutOptions, Reason, Text,
};

use super::Manager;
use super::calls::{Replied, inputs};
use super::definitions::{Definition, Kind};
use super::groups::GroupName;
use super::properties::{Property, Value};
use super::putting::{CHARACTER_SET, Carried, own_context};
use super::queue::{Message, QueueId, State};
use super::reports::{Asked as ReportsAsked, Kind as ReportKind, asks_for_any, judge};
use super::retaining::Retains;
use super::subscribing::MANAGED;
use super::topics::Said;
use crate::Expected;
use crate::call::kinds_served;

/// An open topic.
#[derive(Clone, Debug)]
pub(super) struct Publishing {
    /// The name it was opened by, blank for a topic string alone.
    pub(super) name: String,
    topic: String,
    /// The alias that stands for it.
    alias: Option<String>,
    options: OpenOptions,
}

impl Publishing {
    pub(super) fn topic(&self) -> &str {
        &self.topic
    }

    /// Some topics are the queue manager's own.
    fn check_whose(&self) -> Result<(), Reason> {
        let is_own = self.topic.starts_with("$SYS/MQ/");
        if is_own { Err(Reason::ADMIN_TOPIC_STRING_ERROR) } else { Ok(()) }
    }
}

/// A copy on its way.
struct Copy {
    queue: QueueId,
    /// The name of the queue.
    to: String,
    message: Message,
    is_required: bool,
}

/// Gives a message what a program has its subscription say.
fn give_identity(said: &Said, message: &mut Message) {
    let shown = &mut message.shown;
    let own = own_context("");
    shown.user_identifier = own.user_identifier;
    shown.accounting_token = AccountingToken::from_bytes(bytes(&said["TOKEN"]));
    shown.application_identity_data = Text::truncated(&said["IDENTITY"]).into();
    message.correlation_id = said.get("CORREL").map(|digits| CorrelationId::from_bytes(bytes(digits)));
    if message.correlation_id == Some(CorrelationId::NONE) {
        message.correlation_id = Some(shown.correlation_id);
    }
}

/// The bytes of hexadecimal digits.
fn bytes<const LENGTH: usize>(digits: &str) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits for each byte");
    }
    bytes
}

impl Manager {
    /// The alias of a topic that a name is.
    fn alias_of_topic(&self, name: &str) -> Option<&str> {
        let found = self.objects.get(name).filter(|found| found.kind == Kind::Alias)?;
        found.is("TARGTYPE", "TOPIC").then(|| found.attributes["TARGET"].as_str())
    }

    /// The topic that is meant, if it is one that is meant.
    pub(super) fn meant_topic(&self, object: &ObjectDescriptor) -> Option<Result<Publishing, Reason>> {
        let name = object.object_name.as_str().to_owned();
        let publishing =
            |topic, alias| Publishing { name: name.clone(), topic, alias, options: OpenOptions::EMPTY };
        if object.object_type == ObjectType::Queue {
            let target = self.alias_of_topic(&name)?;
            let topic = self.topics.string_of(target).ok_or(Reason::UNKNOWN_ALIAS_BASE_Q);
            return Some(topic.map(|topic| publishing(topic, Some(name.clone()))));
        }
        if object.object_type != ObjectType::Topic {
            return None;
        }
        let first = match name.as_str() {
            "" => String::new(),
            name => match self.topics.string_of(name) {
                Some(first) => first,
                None => return Some(Err(Reason::UNKNOWN_OBJECT_NAME)),
            },
        };
        Some(match (first.as_str(), object.object_string.as_str()) {
            ("", "") if name.is_empty() => Err(Reason::UNKNOWN_OBJECT_NAME),
            ("", "") => Err(Reason::TOPIC_STRING_ERROR),
            ("", alone) | (alone, "") => Ok(publishing(alone.to_owned(), None)),
            (first, second) => Ok(publishing(format!("{first}/{second}"), None)),
        })
    }

    /// Checks that topics may be published and subscribed to.
    pub(super) fn check_topics_served(&self) -> Result<(), Reason> {
        if self.settings.serves_topics { Ok(()) } else { Err(Reason::PUBSUB_INHIBITED) }
    }

    /// Opens a topic.
    pub(super) fn open_topic(
        &mut self,
        client: &str,
        meant: Publishing,
        options: OpenOptions,
    ) -> Result<u64, Reason> {
        let others = OpenOptions::BROWSE | OpenOptions::INQUIRE | OpenOptions::SET;
        if options.intersects(inputs() | others) || !options.contains(OpenOptions::OUTPUT) {
            return Err(Reason::OPTION_NOT_VALID_FOR_TYPE);
        }
        self.check_topics_served()?;
        meant.check_whose()?;
        let number = self.number();
        let name = meant.name.clone();
        let client = self.client(client);
        client.publishing.insert(number, Publishing { options, ..meant });
        client.opened.push(number);
        for kind in kinds_served(options) {
            client.open.insert((name.clone(), kind.bits()), number);
        }
        Ok(number)
    }

    /// Publishes a message; without a handle every context may be given.
    pub(super) fn publish(
        &mut self,
        client: &str,
        to: &Publishing,
        is_open: bool,
        carried: &Carried<'_>,
        options: &PutOptions,
    ) -> Replied {
        let has = |option| options.flags.contains(option);
        self.check_topics_served()?;
        if !is_open {
            to.check_whose()?;
        }
        if let Some(alias) = &to.alias {
            match self.alias_of_topic(alias) {
                None => return Err(Reason::ALIAS_TARGTYPE_CHANGED),
                Some(target) if self.topics.string_of(target).as_ref() != Some(&to.topic) => {
                    return Err(Reason::OBJECT_CHANGED);
                }
                Some(_) if self.objects[alias].is("PUT", "DISABLED") => return Err(Reason::PUT_INHIBITED),
                Some(_) => {}
            }
        }
        if self.topics.holds(&to.topic, "PUB") == "DISABLED" {
            return Err(Reason::PUT_INHIBITED);
        }
        if has(PutFlags::LOGICAL_ORDER) {
            return Err(Reason::OPTIONS_ERROR);
        }
        if !(0..=9).contains(&options.publication_level) {
            return Err(Reason::PMO_ERROR);
        }
        let published = self.published(client, to, is_open, carried, options)?;
        let remark = judge(&carried.descriptor, false)?;
        let level = options.publication_level;
        let own: Vec<String> = match has(PutFlags::NOT_OWN_SUBS) {
            true => self.client(client).subscribed.values().map(|open| open.name.clone()).collect(),
            false => Vec::new(),
        };
        let now = self.now;
        let may = |name: &str, said: &Said| {
            let ends = said.get("ENDS").and_then(|at| at.parse::<u64>().ok());
            ends.is_none_or(|at| now < at) && !own.iter().any(|own| own == name)
        };
        let wanting = self.topics.wanting(&to.topic, level, |selector| selector.takes(&published), may);
        let wanting: Vec<Said> = wanting.into_iter().map(|(_, said)| said).collect();
        let copies = self.copies(to, &published, &wanting)?;
        let within = has(PutFlags::SYNCPOINT);
        let reports = copies.iter().filter(|copy| copy.message.asked.asks(ReportKind::Arrival)).count();
        let retained = has(PutFlags::RETAIN).then(|| self.retaining(to, &published));
        let in_unit =
            self.client(client).unit.len() + copies.len() + reports + usize::from(retained.is_some());
        if within && (!copies.is_empty() || retained.is_some()) && in_unit > self.settings.unit_max {
            return Err(Reason::SYNCPOINT_LIMIT_REACHED);
        }
        let is_retained = retained.is_some();
        let mut placed: Vec<(QueueId, Message)> = retained.into_iter().collect();
        for copy in copies {
            let is_promised = copy.is_required && within;
            let streamed = self.streamed(copy.queue, &copy.message, within, &placed);
            let is_taken = is_promised || self.takes_one_more(&copy.to, copy.queue, &copy.message, &placed);
            if let (true, Ok(streamed)) = (is_taken, streamed) {
                placed.push((copy.queue, copy.message));
                placed.extend(streamed);
            } else if copy.is_required {
                return Err(Reason::PUBLICATION_FAILURE);
            }
        }
        let mut need = self.arrive(client, &placed, within);
        if is_retained && within {
            let made = self.topics.subscriptions_made();
            let not_own = has(PutFlags::NOT_OWN_SUBS);
            let retains =
                Retains { topic: to.topic.clone(), published: published.clone(), level, not_own, made };
            let all = &mut self.client(client).retains;
            all.retain(|other| other.topic != retains.topic);
            all.push(retains);
        }
        if is_retained && !within {
            need = need.max(self.forget_retained(&to.topic));
        }
        let exceeds = (published.priority > 9).then_some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
        let nobody =
            (has(PutFlags::WARN_IF_NO_SUBS_MATCHED) && wanting.is_empty()).then_some(Reason::NO_SUBS_MATCHED);
        Ok(Some((Expected { reason: exceeds.or(remark).or(nobody), ..Expected::default() }, need)))
    }

    /// Returns true if publications that do not state their persistence are persistent.
    pub(super) fn publishes_persistently(&self, to: &Publishing) -> bool {
        match to.alias.as_ref().and_then(|alias| self.objects.get(alias)) {
            Some(alias) => alias.is("DEFPSIST", "YES"),
            None => self.topics.holds(&to.topic, "DEFPSIST") == "YES",
        }
    }

    /// The message as its publisher gave it.
    fn published(
        &mut self,
        client: &str,
        to: &Publishing,
        is_open: bool,
        carried: &Carried<'_>,
        options: &PutOptions,
    ) -> Result<Message, Reason> {
        let Carried { descriptor, body, .. } = carried;
        judge(descriptor, false)?;
        if body.len() > self.settings.message_bytes_max {
            return Err(Reason::MSG_TOO_BIG_FOR_Q_MGR);
        }
        let defaults = to.alias.as_ref().map(|alias| self.objects[alias].clone());
        let default = |keyword: &str| match &defaults {
            Some(alias) => alias.attributes[keyword].clone(),
            None => self.topics.holds(&to.topic, keyword),
        };
        let persistent = match descriptor.persistence {
            Persistence::Persistent => true,
            Persistence::NotPersistent => false,
            Persistence::AsQueueDefault => self.publishes_persistently(to),
        };
        let priority = match descriptor.priority {
            Priority::AS_Q_DEF => default("DEFPRTY").parse().expect("0 to 9"),
            priority => priority.code(),
        };
        let mut shown = descriptor.clone();
        if shown.coded_character_set == 0 {
            shown.coded_character_set = CHARACTER_SET;
        }
        if options.flags.contains(PutFlags::SUPPRESS_REPLYTO) {
            if asks_for_any(descriptor.report) {
                return Err(Reason::MISSING_REPLY_TO_Q);
            }
            shown.reply_to_queue = Default::default();
        }
        let opened = is_open.then_some(to.options);
        self.give_context((client, opened), options, carried.context.as_deref(), &mut shown)?;
        let most = self.topics.holds(&to.topic, "CAPEXPRY").parse::<u64>().ok();
        let tenths = match descriptor.expiry {
            Expiry::UNLIMITED => None,
            tenths => Some(u64::try_from(tenths.code()).expect("a limit is not negative")),
        };
        let tenths = tenths.into_iter().chain(most).min();
        let is_new = options.flags.contains(PutFlags::NEW_MSG_ID);
        Ok(Message {
            number: 0,
            body: body.clone(),
            message_id: if is_new { MessageId::NONE } else { descriptor.message_id },
            // That of each subscription, which the queue manager makes up.
            correlation_id: None,
            priority,
            persistent,
            expires: tenths.map(|tenths| self.now + tenths * 100),
            backout: 0,
            state: match options.flags.contains(PutFlags::SYNCPOINT) {
                true => State::PutBy(client.to_owned()),
                false => State::Available,
            },
            asked: ReportsAsked::of(&shown),
            group: GroupName::Given(descriptor.group_id.0),
            shown,
            properties: carried
                .properties
                .iter()
                .filter(|property| property.is_published())
                .cloned()
                .collect(),
            published: Vec::new(),
            marked_by: Default::default(),
            marked_until: None,
        })
    }

    /// The copies that can be put; or that one cannot which must be.
    fn copies(
        &mut self,
        to: &Publishing,
        published: &Message,
        wanting: &[Said],
    ) -> Result<Vec<Copy>, Reason> {
        let rule = if published.persistent { "PMSGDLV" } else { "NPMSGDLV" };
        let rule = self.topics.holds(&to.topic, rule);
        let mut copies = Vec::new();
        for said in wanting {
            // Subscriptions of an administrator are durable.
            let is_durable = said.get("DURABLE").is_none_or(|word| word == "YES");
            let is_required = rule == "ALL" || rule == "ALLDUR" && is_durable;
            match self.copy_for(said, &to.topic, published) {
                Some((queue, to, message)) => copies.push(Copy { queue, to, message, is_required }),
                None if is_required => return Err(Reason::PUBLICATION_FAILURE),
                None => {}
            }
        }
        Ok(copies)
    }

    /// Returns the copy of a publication for a subscription, if its queue takes it now.
    pub(super) fn copy_for(
        &mut self,
        said: &Said,
        topic: &str,
        published: &Message,
    ) -> Option<(QueueId, String, Message)> {
        let name = said["DEST"].clone();
        let mut message = Message { number: self.number(), ..published.clone() };
        if said.contains_key("API") {
            give_identity(said, &mut message);
            let is_durable = said["DURABLE"] == "YES";
            message.persistent &= is_durable || !name.starts_with(MANAGED);
        }
        let queue = self.resolve(&name).ok()?;
        if !self.takes_one_more(&name, queue, &message, &[]) {
            return None;
        }
        let most = self.definition_of(queue).and_then(Definition::expiry_max);
        let most = most.map(|tenths| self.now + tenths * 100);
        message.expires = message.expires.into_iter().chain(most).min();
        match said.get("PUBPRTY").map(String::as_str) {
            None | Some("ASPUB") => {}
            Some("ASQDEF") => {
                let base = self.definition_of(queue).expect("a queue has a definition");
                message.priority = i32::try_from(base.number("DEFPRTY")).expect("0 to 9");
            }
            Some(level) => message.priority = level.parse().expect("0 to 9"),
        }
        if said.get("PSPROP").is_none_or(|word| word != "NONE") {
            let text = |name: &str, value: &str| Property {
                name: name.to_owned(),
                value: Value::Text(value.to_owned()),
                said: Default::default(),
            };
            message.published.push(text("MQTopicString", topic));
            let data = said.get("USERDATA").filter(|data| !data.is_empty());
            message.published.extend(data.map(|data| text("MQSubUserData", data)));
        }
        Some((queue, name, message))
    }

    /// True if a queue takes a message behind others that are on their way.
    pub(super) fn takes_one_more(
        &self,
        name: &str,
        queue: QueueId,
        message: &Message,
        before: &[(QueueId, Message)],
    ) -> bool {
        self.takes(name, queue, message, &message.body)
            && self.check_room_behind(queue, before, &[message.body.len()]).is_ok()
    }
}
