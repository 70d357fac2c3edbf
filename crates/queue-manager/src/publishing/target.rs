//! A topic that was opened: its string, the alias that led there, and its hearers.

use std::sync::{Arc, OnceLock};

use mqi::{ObjectName, Reason};
use objects::{Moment, ObjectType, TargetType};
use platform::sync::Mutex;
use queues::queue::Queue;
use storage::Lsn;
use topic::{Resolved, Subscription, SubscriptionId, TopicString};

use super::headers::Headers;
use crate::broker::Broker;
use crate::catalogue::{Catalogue, ManagerCurrent, Object, Subscriber, Topics};
use crate::naming::topic::NamedTopic;
use crate::passed::Passed;
use queues::message::publication::Reach;

/// A topic that was opened.
#[derive(Debug)]
pub(crate) struct TopicTarget {
    pub(crate) topic: TopicString,
    /// The name by which it was opened; blank for a topic string alone.
    pub(crate) name: ObjectName,
    /// The alias that stands for the topic, which gives a publication what its putter leaves to it.
    pub(crate) alias: Option<Arc<Object<Arc<Queue>>>>,
    /// The topic object that the alias names, or by whose name it was opened; blank for a topic string alone.
    pub(crate) object: ObjectName,
    /// Publications through this target.
    pub(crate) passed: Passed,
    /// Headers that its messages begin with.
    pub(crate) headers: Headers,
    /// Hearers of the last publication.
    heard: LastHeard,
}

/// State of a topic in the tree.
#[derive(Debug)]
pub(crate) struct Heard {
    generation: u64,
    /// Attributes in force there.
    pub(crate) resolved: Arc<Resolved>,
    /// The subscriptions that its publications are for.
    pub(crate) subscriptions: Vec<Arc<Subscription<Subscriber>>>,
    /// The last subscription that was made, to any topic.
    pub(crate) youngest: SubscriptionId,
    /// The queues of the subscriptions, in their order, each once it was found under its own name; of one
    /// that has ended an empty one, until the next publication.
    queues: Box<[OnceLock<Arc<Queue>>]>,
    /// True if all of them take every publication, as far as their own fields decide it.
    are_plain: bool,
}

impl Heard {
    fn by(topics: &Topics, topic: &TopicString) -> Self {
        let tree = &topics.tree;
        let subscriptions = tree.subscribers(topic);
        let queues = subscriptions.iter().map(|_| OnceLock::new()).collect();
        let level = subscriptions.first().map(|first| first.level);
        let are_plain = subscriptions.iter().all(|one| {
            let kept = &one.kept;
            let is_of_some = kept.has_particulars() || kept.is_grouped || kept.is_on_request || one.is_proxy;
            !is_of_some && Some(one.level) == level
        });
        Self {
            generation: tree.generation(),
            resolved: Arc::clone(tree.resolved(topic)),
            subscriptions,
            youngest: tree.youngest(),
            queues,
            are_plain,
        }
    }

    /// True if all subscriptions take every publication of this reach.
    pub(super) fn gives_all(&self, reach: &Reach) -> bool {
        let level = self.subscriptions.first().map_or(u8::MAX, |first| first.level);
        self.are_plain && reach.not_to.is_none() && level <= reach.level
    }

    /// The queue of the subscription at a place, where that is here and was found under its own name.
    pub(super) fn queue_at(&self, place: usize) -> Option<&Arc<Queue>> {
        let kept = &self.queues[place];
        kept.get().or_else(|| {
            let found = self.subscriptions[place].kept.queue.get()?;
            Some(kept.get_or_init(|| found))
        })
    }
}

/// Hearers of the last publication: the next has the same as long as the tree does not change.
#[derive(Debug, Default)]
struct LastHeard(Mutex<Option<Arc<Heard>>>);

/// Most subscriptions that are kept. More are found anew for each publication, which has more to do for them;
/// a rare publisher then does not keep many that have ended. It takes six kibibytes of each handle that
/// publishes to so many.
const HEARD_MAX: usize = 256;

impl LastHeard {
    /// Returns the present state in the tree, and the position that must be durable before the outside may
    /// learn of its effects.
    fn now(&self, topic: &TopicString, catalogue: &Catalogue<Arc<Queue>>) -> (Arc<Heard>, Lsn) {
        let mut last = self.0.lock();
        if let Some(heard) = last.as_ref()
            && let Some(need) = catalogue.topics_unchanged_since(heard.generation)
        {
            return (Arc::clone(heard), need);
        }
        let topics = catalogue.topics();
        let heard = Arc::new(Heard::by(&topics, topic));
        *last = (heard.subscriptions.len() <= HEARD_MAX).then(|| Arc::clone(&heard));
        (heard, topics.need)
    }
}

impl TopicTarget {
    /// One by which nothing was published yet.
    pub(crate) fn of(named: NamedTopic) -> Self {
        let NamedTopic { topic, name, alias, object } = named;
        let (passed, headers, heard) = (Passed::default(), Headers::default(), LastHeard::default());
        Self { topic, name, alias, object, passed, headers, heard }
    }

    /// The MQOT_ value of what was opened.
    pub(crate) fn object_type(&self) -> i32 {
        self.alias.as_ref().map_or(ObjectType::Topic, |alias| alias.object_type()).mqot()
    }

    /// Returns the hearers of a publication that goes this way now, and the position that must be durable
    /// before the outside may learn of its effects.
    pub(crate) fn heard(&self, catalogue: &Catalogue<Arc<Queue>>) -> (Arc<Heard>, Lsn) {
        self.heard.now(&self.topic, catalogue)
    }

    /// Notes the outcome of a copy's put that stands by itself; true if its queue has it.
    #[inline]
    pub(super) fn passed_to(&self, subscriber: &Subscriber, put: &Result<(), Reason>, at: Moment) -> bool {
        match put {
            Ok(()) => subscriber.passed.count(at),
            // The name may be that of another queue by now: who hears what is published this way is found
            // anew.
            Err(Reason::Q_DELETED) => {
                subscriber.queue.forget();
                *self.heard.0.lock() = None;
            }
            Err(_) => {}
        }
        put.is_ok()
    }

    /// Checks that a publication may go this way now.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), (Lsn, Reason)> {
        let Some(alias) = &self.alias else { return Ok(()) };
        let current = alias.current();
        let attributes = &current.attributes;
        if attributes.target_type != TargetType::Topic {
            Err((current.need, Reason::ALIAS_TARGTYPE_CHANGED))
        } else if attributes.target != Some(self.object) {
            Err((current.need, Reason::OBJECT_CHANGED))
        } else if attributes.put_inhibited {
            Err((current.need, Reason::PUT_INHIBITED))
        } else {
            Ok(())
        }
    }
}

impl Broker {
    /// A program's use of a topic to publish to ended; its publications stay counted.
    pub(crate) fn leave_topic(&self, target: &TopicTarget) {
        let topic = target.topic.as_str();
        self.leave_place(topic);
        self.directory.catalogue.topic_counts().keep_published(topic, &target.passed);
    }
}

/// Checks that topics may be published and subscribed to: not with PSMODE(DISABLED).
pub(crate) fn check_topics_served(manager: &ManagerCurrent) -> Result<(), (Lsn, Reason)> {
    if manager.attributes.serves_topics { Ok(()) } else { Err((manager.need, Reason::PUBSUB_INHIBITED)) }
}
