//! The topic tree: topic objects and subscriptions, as one snapshot.
//!
//! Always: a clone stays as it was, even if the other changes. A clone and a change cost as much as the
//! change touches.

use std::sync::Arc;

use crate::attributes::{Resolved, TopicObject};
use crate::characters::Characters;
use crate::levels::Levels;
use crate::objects::Objects;
use crate::subscription::{Found, Subscription, SubscriptionId};
use crate::{Pattern, TopicString};

/// The first level of topics that queue managers tell of themselves, and the beginning of those below it.
const OF_MANAGERS: &str = "$SYS";
const BELOW_MANAGERS: &str = "$SYS/";

/// Topic objects and subscriptions at one moment. `K` is what a subscription's owner keeps with it.
#[derive(Debug)]
pub struct Tree<K> {
    objects: Objects,
    levels: Levels<Arc<Subscription<K>>>,
    characters: Characters<Arc<Subscription<K>>>,
    subscriptions: usize,
    youngest: SubscriptionId,
    generation: u64,
}

impl<K> Default for Tree<K> {
    fn default() -> Self {
        Self {
            objects: Objects::default(),
            levels: Levels::default(),
            characters: Characters::default(),
            subscriptions: 0,
            youngest: SubscriptionId(0),
            generation: 0,
        }
    }
}

impl<K> Clone for Tree<K> {
    fn clone(&self) -> Self {
        Self {
            objects: self.objects.clone(),
            levels: self.levels.clone(),
            characters: self.characters.clone(),
            subscriptions: self.subscriptions,
            youngest: self.youngest,
            generation: self.generation,
        }
    }
}

impl<K> Tree<K> {
    /// A tree with nothing in it but a root with the usual properties.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of changes that led to it: a finding in a tree of the same number holds in this one.
    #[must_use]
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// Number of topic objects.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.objects.count()
    }

    /// Number of subscriptions.
    #[must_use]
    pub const fn subscriptions(&self) -> usize {
        self.subscriptions
    }

    /// The last subscription that was made, whether or not it is still there; zero where there was none.
    #[must_use]
    pub const fn youngest(&self) -> SubscriptionId {
        self.youngest
    }

    /// Returns the properties of a topic, with or without an object there.
    #[must_use]
    pub fn resolved(&self, topic: &TopicString) -> &Arc<Resolved> {
        self.objects.resolved(topic.as_str())
    }

    /// Returns the properties of the root.
    #[must_use]
    pub fn resolved_root(&self) -> &Arc<Resolved> {
        self.objects.resolved("")
    }

    /// Returns the properties of the place where a subscription's wildcards begin, or of its topic if it has
    /// none.
    #[must_use]
    pub fn resolved_for(&self, pattern: &Pattern) -> &Arc<Resolved> {
        self.objects.resolved(pattern.fixed_part())
    }

    /// The topic objects at a place and above, the nearest first, to the root. What a queue manager tells of
    /// itself, below `$SYS`, has none of the root's.
    pub fn objects_above<'a>(&'a self, place: &'a str) -> impl Iterator<Item = &'a TopicObject> {
        let is_own = place == OF_MANAGERS || place.starts_with(BELOW_MANAGERS);
        let above = move |place: &&'a str| {
            let before = place.rfind('/').map_or("", |at| &place[..at]);
            let is_last = place.is_empty() || is_own && before.is_empty();
            (!is_last).then_some(before)
        };
        std::iter::successors(Some(place), above).filter_map(|place| self.objects.at(place))
    }

    /// The object at a place; its text is empty for the root.
    #[must_use]
    pub fn object(&self, place: &str) -> Option<&TopicObject> {
        self.objects.at(place)
    }

    /// A subscription, by its pattern and name.
    #[must_use]
    pub fn subscription(&self, pattern: &Pattern, id: SubscriptionId) -> Option<&Arc<Subscription<K>>> {
        match pattern.is_of_levels() {
            true => self.levels.get(pattern, id),
            false => self.characters.get(pattern, id),
        }
    }

    /// The subscriptions a publication to a topic is for, the first made first.
    #[must_use]
    pub fn subscribers(&self, topic: &TopicString) -> Vec<Arc<Subscription<K>>> {
        let blocked = self.resolved(topic).blocked_above;
        let mut found = Found::new();
        self.levels.find(topic.as_str(), blocked, &mut found);
        self.characters.find(topic.as_str(), blocked, &mut found);
        found.into_values().cloned().collect()
    }

    /// Returns true if a subscription with this pattern gets publications to a topic.
    #[must_use]
    pub fn reaches(&self, pattern: &Pattern, topic: &TopicString) -> bool {
        let blocked = self.resolved(topic).blocked_above;
        pattern.fixed_levels().is_none_or(|fixed| fixed >= blocked) && pattern.matches(topic)
    }

    /// Puts a topic object at a place, instead of the one there; its text is empty for the root.
    pub fn set_object(&mut self, place: &str, object: TopicObject) {
        self.generation += 1;
        self.objects.set(place, object);
    }

    /// Takes the topic object at a place away.
    pub fn remove_object(&mut self, place: &str) -> Option<Arc<TopicObject>> {
        self.generation += 1;
        self.objects.remove(place)
    }

    /// Adds a subscription. One of its name that is there has to be removed before.
    pub fn subscribe(&mut self, subscription: impl Into<Arc<Subscription<K>>>) {
        let subscription = subscription.into();
        let (pattern, id) = (subscription.pattern.clone(), subscription.id);
        self.generation += 1;
        self.subscriptions += 1;
        self.youngest = self.youngest.max(id);
        match pattern.is_of_levels() {
            true => self.levels.insert(&pattern, id, subscription),
            false => self.characters.insert(&pattern, id, subscription),
        }
    }

    /// Removes a subscription.
    pub fn unsubscribe(&mut self, pattern: &Pattern, id: SubscriptionId) -> Option<Arc<Subscription<K>>> {
        let removed = match pattern.is_of_levels() {
            true => self.levels.remove(pattern, id),
            false => self.characters.remove(pattern, id),
        };
        self.generation += 1;
        self.subscriptions -= usize::from(removed.is_some());
        removed
    }
}
