//! Figures of a queue manager: how much there is, and how much was done.
//!
//! Lives elsewhere: figures of the log (`log`), counters (`queues::counters`), their rows and names (the
//! crate `figures`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mqi::ObjectName;
use platform::sync::atomic::Ordering;
use queues::gate::Gated;
use queues::ground::growth::Growth;
use queues::queue::status::QueueCounters;

use super::QueueManager;
use crate::catalogue::topic_counts::TopicsWatched;
use crate::command::live::Overview;
use crate::engine::Engine;
use crate::publishing::retained;

/// The figures of a queue manager.
#[derive(Clone, Copy, Debug)]
pub struct Figures<'manager>(&'manager QueueManager);

impl QueueManager {
    /// Figures of queues, calls, topics and memory.
    #[must_use]
    pub const fn figures(&self) -> Figures<'_> {
        Figures(self)
    }
}

impl Figures<'_> {
    const fn engine(&self) -> &Arc<Engine> {
        self.0.engine()
    }

    /// The things of a kind that a user made and that are still there; without a user, those of all.
    pub fn growth(&self, growth: Growth, maker: Option<&str>) -> u64 {
        self.engine().directory.catalogue.ledger.count(growth, maker)
    }

    /// The number of messages on local queues that this start found, before it put any of its own.
    #[must_use]
    pub fn messages_found(&self) -> u64 {
        self.engine().messages_found.load(Ordering::Relaxed)
    }

    /// The number of messages on local queues that end with the process, those of open units of work
    /// included. Retained publications are left out: they are the last words of topics, and most are
    /// published again by each start.
    #[must_use]
    pub fn messages_not_persistent(&self) -> u64 {
        let queues = self.engine().queues.all();
        let counted = queues.iter().filter(|queue| queue.name.as_str() != retained::QUEUE);
        counted.map(|queue| u64::from(queue.not_persistent())).sum()
    }

    /// Use counts of each local queue.
    #[must_use]
    pub fn queue_counters(&self) -> Vec<(ObjectName, QueueCounters)> {
        self.engine().queues.all().iter().map(|queue| (queue.name, queue.counters())).collect()
    }

    /// Bytes of message bodies in memory, and what goes with them.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.engine().ground().memory.used()
    }

    /// Counts the calls of all programs from now on for [`Self::call_counts`], or does so no more.
    pub fn watch_calls(&self, is_watched: bool) {
        self.engine().watch_calls(is_watched);
    }

    /// Counts of the calls of all programs, where they are counted; with `deliveries` also of the
    /// publications that subscriptions were given, which looks at each subscription. With `takes_marks` the
    /// most and the fewest since the call before, which begin anew; else the numbers of now in their place.
    #[must_use]
    pub fn call_counts(&self, deliveries: bool, takes_marks: bool) -> figures::Calls {
        self.engine().call_counts(deliveries, takes_marks)
    }

    /// Counts and measures these queues from now on for [`Self::queue_figures`], and others no more.
    pub fn watch_queues(&self, names: &BTreeSet<ObjectName>) {
        self.engine().watch_queues(names);
    }

    /// Keeps the counts of these topics from now on, and shows them and these subscriptions in
    /// [`Self::overview`]. Once, when the queue manager starts.
    pub fn watch_topics(&self, watched: TopicsWatched) {
        self.engine().directory.catalogue.topic_counts().watch(watched);
    }

    /// The figures of these queues, without those that do not exist.
    #[must_use]
    pub fn queue_figures(&self, names: &BTreeSet<ObjectName>) -> BTreeMap<ObjectName, figures::Queue> {
        self.engine().queue_figures(names)
    }

    /// Looks at queues, channels and units of work at one moment.
    pub fn overview(&self) -> Gated<Overview> {
        self.engine().overview()
    }

    /// The names of the local queues.
    #[must_use]
    pub fn queue_names(&self) -> Vec<ObjectName> {
        self.engine().queues.all().iter().map(|queue| queue.name).collect()
    }

    /// True if a topic has any subscription. The answer may rest on records that are not durable: its only
    /// effect outside is a publication, which waits for them.
    #[must_use]
    pub fn is_subscribed(&self, topic: &str) -> bool {
        let topic = topic::TopicString::new(topic);
        topic.is_ok_and(|topic| {
            !self.engine().directory.catalogue.topics().tree.subscribers(&topic).is_empty()
        })
    }

    /// Number of connections that are still there.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.engine().conversations.lock().len()
    }
}
