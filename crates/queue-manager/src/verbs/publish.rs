//! MQPUT and MQPUT1 to a topic: what is filled in before subscriptions are looked for.
//!
//! What a publisher leaves open is as the topic has it (DEFPSIST, DEFPRTY), or as the alias that it opened; no publication
//! lives longer than CAPEXPRY. The message it is answered is the one that it published: the copies of subscribers
//! have their own correlation identifiers.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties;
use mqi::{
    Expiry, MessageDescriptor, MessageFlags, ObjectName, OpenOptions, Persistence, Priority,
    PutApplicationType, PutFlags, PutOptions, QueueManagerName, Reason, constants,
};
use storage::Lsn;
use topic::{ExpiryCap, LEVEL_MAX, Resolved, Response, Scope};

use super::grouped_put::without_extension;
use super::put::{check_descriptor, data_length};
use crate::catalogue::ManagerCurrent;
use crate::connection::Connection;
use crate::message::{Payload, SharedDescriptor, context, presentation};
use crate::publishing::{Publication, Retention, TopicTarget, check_topics_served};
use crate::queue::status::moment;
use crate::reports::kind;
use crate::{Gated, Outcome, PutDone};

/// A topic to publish to, and how it was opened.
pub(super) struct Publishing<'a> {
    pub(super) target: &'a TopicTarget,
    /// What holds of the queue manager for all of the call.
    pub(super) manager: &'a ManagerCurrent,
    pub(super) options: OpenOptions,
}

/// What a publication has that its publisher leaves open.
pub(super) struct Defaults {
    pub(super) persistent: bool,
    priority: u8,
    /// Nobody waits for what becomes of it.
    pub(super) asynchronous: bool,
}

/// Below this the queue manager tells of itself.
const OF_THE_MANAGER: &str = "$SYS/MQ/";

impl Connection {
    /// Whether this program may publish to a topic.
    pub(super) fn may_publish(
        &self,
        target: &TopicTarget,
        manager: &ManagerCurrent,
    ) -> Result<(), (Lsn, Reason)> {
        check_topics_served(manager)?;
        let is_own = self.conversation.origin.application_type == PutApplicationType::QMGR;
        match target.topic.as_str().starts_with(OF_THE_MANAGER) && !is_own {
            true => Err((Lsn::ZERO, Reason::ADMIN_TOPIC_STRING_ERROR)),
            false => Ok(()),
        }
    }

    /// Publishes to a topic, once it is known that the queue manager serves topics.
    pub(super) fn publish(
        &self,
        to: &Publishing<'_>,
        source: context::Source,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Outcome<PutDone> {
        let engine = &self.engine;
        let retains = options.flags.contains(PutFlags::RETAIN);
        let _nobody_subscribes = retains.then(|| engine.retaining.read());
        let topics = engine.catalogue.topics();
        let heard = to.target.heard(&topics);
        let resolved = &heard.resolved;
        if let Err((need, reason)) = to.target.check() {
            return Gated::new(need, Err(reason));
        }
        if !resolved.publish {
            return Gated::new(topics.need, Err(Reason::PUT_INHIBITED));
        }
        let mut published = match self.publication(to, resolved, source, descriptor, options, body) {
            Ok(published) => published,
            Err(reason) => return Gated::new(topics.need, Err(reason)),
        };
        let unit = options.flags.contains(PutFlags::SYNCPOINT).then_some(&self.conversation);
        let told = &published.payload.descriptor;
        let exceeds = told.priority.exceeds_maximum().then_some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
        // Judged before, so what is left is a remark at most.
        let unknown = kind::check(told.report, false).ok().flatten();
        let mut done = PutDone {
            descriptor: SharedDescriptor::of(&published.payload),
            resolved_queue_name: ObjectName::BLANK,
            resolved_queue_manager_name: QueueManagerName::BLANK,
            warning: exceeds.or(unknown),
        };
        // What is kept from subscribers is the publisher's still.
        let is_as_given = told.message_flags == descriptor.message_flags
            && told.reply_to_queue == descriptor.reply_to_queue;
        if !is_as_given {
            done.descriptor.reply_to_queue = descriptor.reply_to_queue;
            done.descriptor.message_flags = descriptor.message_flags;
        }
        if let Some(given) = given_to_subscribers(&published.payload) {
            published.payload = Arc::new(given);
        }
        let warns = options.flags.contains(PutFlags::WARN_IF_NO_SUBS_MATCHED);
        engine.publish(&published, to.target, (&heard, topics.need), unit).map(|put| {
            put.map(|matched| {
                to.target.passed.count(published.at);
                if warns && matched.0 == 0 {
                    done.warning.get_or_insert(Reason::NO_SUBS_MATCHED);
                }
                done
            })
        })
    }

    /// What a publication is that does not say it, by this way.
    pub(super) fn published_by_default(&self, target: &TopicTarget) -> Defaults {
        let topics = self.engine.catalogue.topics();
        defaults(target, topics.tree.resolved(&target.topic))
    }

    /// The message with every field of its descriptor filled.
    fn publication(
        &self,
        to: &Publishing<'_>,
        resolved: &Resolved,
        source: context::Source,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Result<Publication, Reason> {
        let engine = &self.engine;
        // A topic has no order of groups that a handle could be at.
        if options.flags.contains(PutFlags::LOGICAL_ORDER) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let level = u8::try_from(options.publication_level).ok().filter(|level| *level <= LEVEL_MAX);
        let level = level.ok_or(Reason::PMO_ERROR)?;
        let manager = to.manager;
        let mut payload = Payload::new(descriptor.clone(), body);
        without_extension(&mut payload)?;
        let Payload { descriptor: filled, body, .. } = &mut payload;
        check_descriptor(filled, false, false)?;
        if data_length(filled, body, &manager.attributes)? > manager.attributes.message_bytes_max as usize {
            return Err(Reason::MSG_TOO_BIG_FOR_Q_MGR);
        }
        let defaults = defaults(to.target, resolved);
        let persistent = match filled.persistence {
            Persistence::Persistent => true,
            Persistence::NotPersistent => false,
            Persistence::AsQueueDefault => defaults.persistent,
        };
        filled.persistence = if persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        if filled.priority == Priority::AS_Q_DEF {
            filled.priority = Priority::new(defaults.priority);
        }
        self.fill_identifiers(filled, options.flags);
        if options.flags.contains(PutFlags::SUPPRESS_REPLYTO) {
            (filled.reply_to_queue, filled.reply_to_queue_manager) =
                (ObjectName::BLANK, QueueManagerName::BLANK);
        }
        self.fill_reply_to(filled)?;
        if let ExpiryCap::Tenths(most) = resolved.expiry_cap {
            filled.expiry = Expiry::tenths(filled.expiry.limit().map_or(most, |limit| limit.min(most)));
        }
        if filled.coded_character_set == constants::MQCCSI_Q_MGR {
            filled.coded_character_set = manager.attributes.coded_character_set;
        }
        filled.backout_count = 0;
        // Each copy is a message of its own, which no queue splits.
        filled.message_flags.remove(MessageFlags::SEGMENTATION_ALLOWED);
        let now = engine.world.clock.wall();
        self.fill_context(filled, source, to.options, options, now)?;
        let scope = match options.flags.contains(PutFlags::SCOPE_QMGR) {
            true => Scope::QueueManager,
            false => resolved.publication_scope,
        };
        let not_to = options.flags.contains(PutFlags::NOT_OWN_SUBS).then_some(self.conversation.id);
        let retention = match options.flags.contains(PutFlags::RETAIN) {
            true => Retention::IsToBe,
            false => Retention::None,
        };
        let (topic, payload) = (to.target.topic.clone(), Arc::new(payload));
        Ok(Publication { topic, payload, at: moment(now), level, scope, not_to, retention })
    }
}

/// The message without the properties that are kept from subscribers, when it has such.
fn given_to_subscribers(published: &Payload) -> Option<Payload> {
    if !presentation::may_have(&published.descriptor) {
        return None;
    }
    let (place, body) = properties::published(&Place::of(&published.descriptor), &published.body)?;
    let mut descriptor = published.descriptor.clone();
    place.describe(&mut descriptor);
    Some(Payload::new(descriptor, body))
}

fn defaults(target: &TopicTarget, resolved: &Resolved) -> Defaults {
    match target.alias.as_ref().map(|alias| alias.current()) {
        Some(alias) => Defaults {
            persistent: alias.attributes.default_persistent,
            priority: alias.attributes.default_priority,
            asynchronous: alias.attributes.default_put_asynchronous,
        },
        None => Defaults {
            persistent: resolved.default_persistent,
            priority: resolved.default_priority,
            asynchronous: resolved.default_response == Response::Asynchronous,
        },
    }
}
