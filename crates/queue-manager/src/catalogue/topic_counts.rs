//! Counts of topics that figures are made of, which outlive the handles and subscriptions that counted.
//!
//! Lives here: the seats of these topics. Lives elsewhere: counting (`passed`), and what is in use
//! (`topic_figures`).
//!
//! Always: nothing is kept of a topic that no pattern names, and there are no more seats than the bound. A
//! topic takes a seat by a publication that went out, by a subscription or by a topic object, never by a
//! refusal; it gives the seat up when it has left the topic tree. What a seat shows never falls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use figures::Topic;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use mqi::pattern::chooses;
use platform::sync::Mutex;

use crate::passed::Passed;

/// The topics and subscriptions that have figures of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicsWatched {
    /// Patterns of topic strings, as [`chooses`] reads them.
    pub topics: Vec<String>,
    /// Most topics at one time.
    pub topics_max: usize,
    /// Patterns of the names of subscriptions.
    pub subscriptions: Vec<String>,
    /// Most subscriptions: the first by name.
    pub subscriptions_max: usize,
}

impl TopicsWatched {
    /// True if a topic is to have figures; the root of the tree has no name to show them by.
    pub(crate) fn has_topic(&self, topic: &str) -> bool {
        !topic.is_empty() && chooses(&self.topics, topic)
    }
}

/// A topic as a look at the queue manager finds it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TopicUse {
    /// The counts of the handles and subscriptions that are there.
    pub(crate) figures: Topic,
    /// True if a topic object is there.
    pub(crate) is_defined: bool,
}

impl TopicUse {
    /// True if it may take a seat: a handle that publishes nothing is no reason.
    fn takes_seat(&self) -> bool {
        let Topic { subscribers, published, received, .. } = self.figures;
        self.is_defined || subscribers + published + received > 0
    }
}

/// Topics with figures, and the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownTopics {
    /// The topics with a seat, by name.
    pub topics: Vec<(Arc<str>, Topic)>,
    /// The number of topics in use that found none.
    pub left_out: usize,
    /// True if a topic found none, also one that is in use no more.
    pub is_full: bool,
}

/// The seats.
#[derive(Debug, Default)]
pub(crate) struct TopicCounts {
    watched: OnceLock<TopicsWatched>,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    seats: HashMap<Arc<str>, Seat, FixedState>,
    /// True if the last topic that came found no seat since the last look.
    is_full: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    /// The counts of handles and subscriptions that are gone.
    ended: Topic,
    /// The figures that were shown last.
    shown: Topic,
    /// True if the last look did not find the topic in the tree. One look is no proof: a handle is in no list
    /// for a moment while it is closed.
    is_missing: bool,
}

impl TopicCounts {
    /// Keeps counts from now on, for good.
    pub(crate) fn watch(&self, watched: TopicsWatched) {
        // The first caller decides.
        let _ = self.watched.set(watched);
    }

    /// The topics and subscriptions that figures are made of; none without any.
    pub(crate) fn watched(&self) -> Option<&TopicsWatched> {
        self.watched.get()
    }

    /// Keeps the publications by a handle that is closed.
    #[inline]
    pub(crate) fn keep_published(&self, topic: &str, passed: &Passed) {
        if let Some(watched) = self.watched.get() {
            self.keep(watched, topic, passed, |ended| {
                (&mut ended.published, &mut ended.last_published_micros)
            });
        }
    }

    /// Keeps the deliveries to a subscription that has ended.
    pub(crate) fn keep_received(&self, topic: &str, passed: &Passed) {
        if let Some(watched) = self.watched.get() {
            self.keep(watched, topic, passed, |ended| (&mut ended.received, &mut ended.last_received_micros));
        }
    }

    fn keep(
        &self,
        watched: &TopicsWatched,
        topic: &str,
        passed: &Passed,
        place: impl FnOnce(&mut Topic) -> (&mut u64, &mut u64),
    ) {
        if passed.messages() == 0 || !watched.has_topic(topic) {
            return;
        }
        let mut table = self.table.lock();
        if let Some(seat) = table.seat(topic, watched.topics_max) {
            let (messages, last) = place(&mut seat.ended);
            *messages += passed.messages();
            *last = (*last).max(passed.last_micros());
        }
    }

    /// The counts kept of each topic. A look reads it first: what ends later is found missing, not twice.
    pub(crate) fn ended(&self) -> HashMap<Arc<str>, Topic, FixedState> {
        self.table.lock().seats.iter().map(|(topic, seat)| (Arc::clone(topic), seat.ended)).collect()
    }

    /// Seats the topics that were found, takes the seats of those that are neither found nor left just now,
    /// and shows all.
    pub(crate) fn settle(
        &self,
        topics_max: usize,
        ended: &HashMap<Arc<str>, Topic, FixedState>,
        found: &BTreeMap<String, TopicUse>,
        left: &BTreeSet<Arc<str>>,
    ) -> ShownTopics {
        let mut table = self.table.lock();
        table.seats.retain(|topic, seat| {
            let is_there = found.contains_key(&**topic) || left.contains(topic);
            let stays = is_there || !seat.is_missing;
            seat.is_missing = !is_there;
            stays
        });
        let comes = found.iter().filter(|(_, found)| found.takes_seat());
        let left_out = comes.filter(|(topic, _)| table.seat(topic, topics_max).is_none()).count();
        let is_full = std::mem::take(&mut table.is_full);
        let shown = table.seats.iter_mut().map(|(topic, seat)| {
            let now = found.get(&**topic).map(|found| found.figures).unwrap_or_default();
            let before = ended.get(topic).copied().unwrap_or_default();
            (Arc::clone(topic), seat.show(&before, &now))
        });
        let topics: BTreeMap<_, _> = shown.collect();
        ShownTopics { topics: topics.into_iter().collect(), left_out, is_full }
    }
}

impl Table {
    fn seat(&mut self, topic: &str, topics_max: usize) -> Option<&mut Seat> {
        if !self.seats.contains_key(topic) {
            if self.seats.len() >= topics_max {
                self.is_full = true;
                return None;
            }
            self.seats.insert(topic.into(), Seat::default());
        }
        self.seats.get_mut(topic)
    }
}

impl Seat {
    /// Figures of now, where counts are no lower than they were shown.
    fn show(&mut self, ended: &Topic, now: &Topic) -> Topic {
        let shown = self.shown;
        let last = |shown: u64, ended: u64, now: u64| shown.max(ended).max(now);
        self.shown = Topic {
            publishers: now.publishers,
            subscribers: now.subscribers,
            published: shown.published.max(ended.published + now.published),
            received: shown.received.max(ended.received + now.received),
            last_published_micros: last(
                shown.last_published_micros,
                ended.last_published_micros,
                now.last_published_micros,
            ),
            last_received_micros: last(
                shown.last_received_micros,
                ended.last_received_micros,
                now.last_received_micros,
            ),
        };
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use objects::Moment;

    fn counts(topics_max: usize) -> TopicCounts {
        let counts = TopicCounts::default();
        let topics = vec!["shown/*".to_owned()];
        counts.watch(TopicsWatched { topics, topics_max, ..TopicsWatched::default() });
        counts
    }

    fn passed(messages: u64) -> Passed {
        let passed = Passed::default();
        (0..messages).for_each(|_| passed.count(Moment(7)));
        passed
    }

    fn published(messages: u64) -> TopicUse {
        TopicUse {
            figures: Topic { published: messages, publishers: 1, ..Topic::default() },
            is_defined: false,
        }
    }

    /// The publications of each topic that a look shows.
    fn look(
        counts: &TopicCounts,
        max: usize,
        found: &[(&str, TopicUse)],
        left: &[&str],
    ) -> Vec<(String, u64)> {
        let found = found.iter().map(|(topic, found)| ((*topic).to_owned(), *found)).collect();
        let left = left.iter().map(|topic| Arc::from(*topic)).collect();
        let seated = counts.settle(max, &counts.ended(), &found, &left);
        seated.topics.iter().map(|(topic, figures)| (topic.to_string(), figures.published)).collect()
    }

    #[test]
    fn a_topic_that_no_pattern_names_and_a_handle_without_publications_take_no_seat() {
        let counts = counts(10);
        counts.keep_published("other/a", &passed(3));
        counts.keep_published("shown/a", &passed(0));
        assert_eq!(look(&counts, 10, &[("shown/b", published(0))], &["shown/a", "other/a"]), []);
        counts.keep_published("shown/a", &passed(2));
        assert_eq!(look(&counts, 10, &[], &["shown/a"]), [("shown/a".to_owned(), 2)]);
        let unwatched = TopicCounts::default();
        unwatched.keep_published("shown/a", &passed(2));
        assert!(unwatched.ended().is_empty());
    }

    #[test]
    fn there_are_no_more_seats_than_the_bound_and_who_has_one_keeps_it() {
        let counts = counts(2);
        counts.keep_published("shown/y", &passed(1));
        let found = [("shown/a", published(5)), ("shown/b", published(6))];
        let (of_y, of_a) = (("shown/y".to_owned(), 1), ("shown/a".to_owned(), 5));
        assert_eq!(look(&counts, 2, &found, &["shown/y"]), [of_a, of_y]);
        counts.keep_published("shown/z", &passed(1));
        let found: BTreeMap<_, _> = found.map(|(topic, found)| (topic.to_owned(), found)).into();
        let seated = counts.settle(2, &counts.ended(), &found, &BTreeSet::new());
        assert_eq!((seated.left_out, seated.is_full, seated.topics.len()), (1, true, 2));
        // The seat of a topic that has left the tree is free at the look after the next.
        let seated = counts.settle(2, &counts.ended(), &found, &BTreeSet::new());
        let names: Vec<_> = seated.topics.iter().map(|(topic, _)| topic.to_string()).collect();
        assert_eq!((names, seated.left_out), (vec!["shown/a".to_owned(), "shown/b".to_owned()], 0));
    }

    #[test]
    fn a_count_does_not_fall_while_a_handle_is_closed() {
        let counts = counts(10);
        let topic = "shown/a";
        assert_eq!(look(&counts, 10, &[(topic, published(9))], &[]), [(topic.to_owned(), 9)]);
        // Its handle is in no list any more, and is not kept yet.
        assert_eq!(look(&counts, 10, &[], &[]), [(topic.to_owned(), 9)]);
        let before = counts.ended();
        counts.keep_published(topic, &passed(9));
        // A look that began before it was kept.
        let left = BTreeSet::from([Arc::from(topic)]);
        let seated = counts.settle(10, &before, &BTreeMap::new(), &left);
        assert_eq!(seated.topics[0].1.published, 9);
        counts.keep_published(topic, &passed(1));
        assert_eq!(look(&counts, 10, &[], &[topic]), [(topic.to_owned(), 10)]);
        assert_eq!(counts.ended()[topic].last_published_micros, 7_000_000);
    }
}
