//! Retained publications: the last of each topic, on a queue that no scenario can name.

use mqi::Reason;

use super::commands::{NOTHING_RETAINED, RETAINED_CLEARED};
use super::properties::{Property, Value};
use super::publishing::Publishing;
use super::queue::{Message, QueueId, State};
use super::reports::Asked;
use super::subscribing::MANAGED;
use super::topics::Said;
use super::{Manager, Version};

/// A publication that a unit of work retains.
#[derive(Clone, Debug)]
pub(super) struct Retains {
    pub(super) topic: String,
    pub(super) published: Message,
    pub(super) level: i32,
    /// True if it is kept from the publisher's own subscriptions.
    pub(super) not_own: bool,
    /// Number of subscriptions made before it was put.
    pub(super) made: u64,
}

impl Manager {
    /// Adds to a unit of work what it retains for subscriptions that were made after that was put, the last
    /// of each topic; the topics.
    pub(super) fn serve_latecomers(&mut self, client: &str) -> Vec<String> {
        let all = std::mem::take(&mut self.client(client).retains);
        let topics = all.iter().map(|retains| retains.topic.clone()).collect();
        for retains in all {
            let Retains { topic, published, level, not_own, made } = retains;
            let own: Vec<String> = match not_own {
                true => self.client(client).subscribed.values().map(|open| open.name.clone()).collect(),
                false => Vec::new(),
            };
            let now = self.now;
            if published.expires.is_some_and(|at| at <= now) {
                continue;
            }
            let may = |name: &str, said: &Said| {
                let ends = said.get("ENDS").and_then(|at| at.parse::<u64>().ok());
                ends.is_none_or(|at| now < at) && !own.iter().any(|own| own == name)
            };
            let wanting = self.topics.wanting(&topic, level, |selector| selector.takes(&published), may);
            let mut placed: Vec<(QueueId, Message)> = Vec::new();
            for (name, said) in wanting {
                if !self.topics.was_made_after(&name, made) {
                    continue;
                }
                let Some((queue, to, message)) = self.copy_for(&said, &topic, &published) else { continue };
                let Ok(streamed) = self.streamed(queue, &message, false, &placed) else { continue };
                if self.takes_one_more(&to, queue, &message, &placed) {
                    placed.push((queue, message));
                    placed.extend(streamed);
                }
            }
            self.arrive(client, &placed, true);
        }
        topics
    }

    /// The queue of retained publications.
    fn retained_queue(&self) -> QueueId {
        self.objects[&retained_name()].queue.expect("it is there from the start")
    }

    /// The message that is put so that a publication is retained.
    pub(super) fn retaining(&mut self, to: &Publishing, published: &Message) -> (QueueId, Message) {
        let mut message = Message { number: self.number(), asked: Asked::default(), ..published.clone() };
        message.published = vec![topic_property(to.topic())];
        (self.retained_queue(), message)
    }

    /// Removes publications retained for a topic before the present one.
    pub(super) fn forget_retained(&mut self, topic: &str) -> Version {
        let standing = self.retained_of(|of| of == topic);
        let queue = self.retained_queue();
        let last = standing.last().map(|message| message.number);
        let is_over = |message: &Message| {
            message.state == State::Available
                && message.published == [topic_property(topic)]
                && last.is_some_and(|last| message.number < last)
        };
        if !self.queues[&queue].messages.iter().any(is_over) {
            return 0;
        }
        self.queue(queue).messages.retain(|message| !is_over(message));
        self.note()
    }

    /// Forgets what is retained for a topic; the answer to who asks for that.
    pub(super) fn clear_topic(&mut self, topic: &str) -> &'static str {
        let is_over = |message: &Message| {
            message.state == State::Available && message.published == [topic_property(topic)]
        };
        let is_there = !self.retained_of(|of| of == topic).is_empty();
        let queue = self.retained_queue();
        self.queue(queue).messages.retain(|message| !is_over(message));
        if is_there { RETAINED_CLEARED } else { NOTHING_RETAINED }
    }

    /// Gives a subscription that an administrator made what was retained for it, unless it asks for that.
    pub(super) fn welcome(&mut self, said: &Said) {
        // A crash may leave it without any.
        self.note();
        if said.get("REQONLY").is_none_or(|word| word == "NO") {
            let _whatever = self.give_retained(said);
        }
    }

    /// Puts what is retained for a subscription on its queue: how many, and what must be durable when that is
    /// told. Refused when none of it is taken.
    pub(super) fn give_retained(&mut self, said: &Said) -> Result<(u32, Version), Reason> {
        let mut standing: Vec<Message> = Vec::new();
        for message in self.retained_of(|topic| self.topics.reaches(said, topic)) {
            standing.retain(|other| other.published != message.published);
            standing.push(message);
        }
        let (mut given, mut refused, mut need) = (0, 0, 0);
        for retained in standing {
            let Value::Text(topic) = &retained.published[0].value else { continue };
            let topic = topic.clone();
            let published = Message { published: Vec::new(), ..retained };
            if !super::topics::selects(said, &published) {
                continue;
            }
            let Some((queue, name, mut message)) = self.copy_for(said, &topic, &published) else {
                refused += 1;
                continue;
            };
            if said.get("PSPROP").is_none_or(|word| word != "NONE") {
                let is_retained = Property {
                    name: "MQIsRetained".to_owned(),
                    value: Value::Truth(true),
                    said: Default::default(),
                };
                // Behind the topic.
                message.published.insert(1, is_retained);
            }
            if self.takes_one_more(&name, queue, &message, &[]) {
                need = need.max(self.arrive("", &[(queue, message)], false));
                given += 1;
            } else {
                refused += 1;
            }
        }
        if given == 0 && refused > 0 { Err(Reason::RETAINED_NOT_DELIVERED) } else { Ok((given, need)) }
    }

    /// The messages that are retained for topics, the first published first.
    fn retained_of(&self, is_meant: impl Fn(&str) -> bool) -> Vec<Message> {
        let now = self.now;
        let messages = self.queues[&self.retained_queue()].messages.iter();
        let there = messages
            .filter(|message| message.state == State::Available && message.expires.is_none_or(|at| now < at));
        let mut found: Vec<Message> = there
            .filter(|message| match &message.published[..] {
                [Property { value: Value::Text(topic), .. }] => is_meant(topic),
                _ => false,
            })
            .cloned()
            .collect();
        found.sort_by_key(|message| message.number);
        found
    }
}

/// Name of the queue of retained publications in the model.
pub(super) fn retained_name() -> String {
    format!("{MANAGED}retained")
}

fn topic_property(topic: &str) -> Property {
    Property {
        name: "MQTopicString".to_owned(),
        value: Value::Text(topic.to_owned()),
        said: Default::default(),
    }
}
