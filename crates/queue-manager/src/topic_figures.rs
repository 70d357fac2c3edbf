//! The figures of topics and subscriptions that settings name.
//!
//! Lives here: what handles, subscriptions and topic objects say of them at one moment. Lives elsewhere: the
//! counts of those that are gone (`catalogue::topic_counts`), the rows (`figures`), DISPLAY
//! (`command::topic`).
//!
//! Always: a topic counts what its own topic string leads to, as DISPLAY TPSTATUS does: a subscription with
//! wildcards counts at the string that it was made with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use mqi::constants::{MQCA_TOPIC_STRING, MQIACF_SUB_TYPE};
use mqi::pattern::chooses;
use objects::attributes::{self, Subject};
use objects::{Definition, Family, ObjectType};
use storage::Lsn;

use crate::catalogue::topic_counts::{TopicUse, TopicsWatched};
use crate::command::live::{HandleState, SubscriptionOverview, TopicsOverview};
use crate::engine::Engine;
use crate::passed::micros_of;

/// A look at the topics that figures are made of.
pub(crate) struct TopicLook<'a> {
    watched: &'a TopicsWatched,
    /// The counts kept of each before the look began.
    ended: HashMap<Arc<str>, figures::Topic, FixedState>,
    found: BTreeMap<String, TopicUse>,
}

impl<'a> TopicLook<'a> {
    /// Begins one, before handles are looked at; none where nothing is named.
    pub(crate) fn begin(engine: &'a Engine) -> Option<Self> {
        let counts = engine.directory.catalogue.topic_counts();
        let watched = counts.watched()?;
        Some(Self { watched, ended: counts.ended(), found: BTreeMap::new() })
    }

    /// Notes an open handle.
    pub(crate) fn note(&mut self, handle: &HandleState) {
        let Some(publishes) = &handle.publishes else { return };
        if let Some(found) = self.of(&publishes.topic) {
            let figures = &mut found.figures;
            figures.publishers += 1;
            figures.published += publishes.messages;
            figures.last_published_micros = figures.last_published_micros.max(micros_of(publishes.last));
        }
    }

    /// Looks at topic objects and subscriptions, and returns the figures with the position that they depend
    /// on.
    pub(crate) fn finish(mut self, engine: &Engine) -> (Lsn, TopicsOverview) {
        let catalogue = &engine.directory.catalogue;
        let mut need = catalogue.topics().need;
        for object in catalogue.all_defined(Family::Topic) {
            let current = object.current();
            need = need.max(current.need);
            if let Some(found) = self.of(&current.definition.text(MQCA_TOPIC_STRING)) {
                found.is_defined = true;
            }
        }
        let kinds = attributes::by_keyword(Subject::Object(ObjectType::Subscription), "SUBTYPE");
        let kind_of = |definition: &Definition| {
            kinds.and_then(|row| row.word_text(definition.integer(MQIACF_SUB_TYPE))).unwrap_or_default()
        };
        let (mut subscriptions, mut subscriptions_in_all) = (Vec::new(), 0);
        for defined in catalogue.standing_subscriptions() {
            let current = defined.current();
            let (definition, name) = (&current.definition, current.definition.shown_name());
            let topic = definition.topic_string();
            let is_chosen = chooses(&self.watched.subscriptions, name);
            if !is_chosen && !self.watched.has_topic(&topic) {
                continue;
            }
            need = need.max(current.need);
            let passed = catalogue.passed_to(&defined);
            let figures =
                passed.map_or_else(figures::Subscription::default, |passed| figures::Subscription {
                    messages: passed.messages(),
                    last_message_micros: passed.last_micros(),
                });
            if let Some(found) = self.of(&topic) {
                let of_topic = &mut found.figures;
                of_topic.subscribers += 1;
                of_topic.received += figures.messages;
                of_topic.last_received_micros =
                    of_topic.last_received_micros.max(figures.last_message_micros);
            }
            subscriptions_in_all += usize::from(is_chosen);
            if is_chosen && subscriptions.len() < self.watched.subscriptions_max {
                subscriptions.push(SubscriptionOverview {
                    name: name.to_owned(),
                    identifier: *definition.name(),
                    kind: kind_of(definition),
                    topic,
                    figures,
                });
            }
        }
        let tree_life = catalogue.manager().attributes.tree_life;
        let left: BTreeSet<_> =
            engine.broker.left_places.shown(engine.ground().now(), tree_life).into_iter().collect();
        let counts = catalogue.topic_counts();
        let seated = counts.settle(self.watched.topics_max, &self.ended, &self.found, &left);
        (need, TopicsOverview { topics: seated, subscriptions, subscriptions_in_all })
    }

    /// A topic, if it is to have figures.
    fn of(&mut self, topic: &str) -> Option<&mut TopicUse> {
        self.watched.has_topic(topic).then(|| self.found.entry(topic.to_owned()).or_default())
    }
}
