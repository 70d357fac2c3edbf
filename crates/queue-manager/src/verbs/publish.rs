//! MQPUT and MQPUT1 to a topic: what is filled in before subscriptions are looked for.
//!
//! Fields that a publisher leaves open come from the topic (DEFPSIST, DEFPRTY), or from the alias that it
//! opened; no publication lives longer than CAPEXPRY. The publisher is answered with the message that it
//! published: the copies of subscribers have their own correlation identifiers.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties;
use mqi::{
    Body, Expiry, MessageDescriptor, MessageFlags, ObjectName, Persistence, Priority, PutFlags, PutOptions,
    QueueManagerName, Rare, Reason, ReportOptions, constants,
};
use platform::WallTime;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::time::moment;
use queues::message::report_kind;
use queues::message::{Payload, ReportRights, SharedDescriptor, context, presentation};
use security::ObjectKind;
use storage::Lsn;
use topic::{ExpiryCap, LEVEL_MAX, Resolved, Response, Scope};

use super::descriptor::check_descriptor;
use super::grouped_put::{may_have_extension, without_extension};
use super::length::data_length;
use super::put_request::PutRequest;
use super::right::Right;
use super::told::{Told, show_as_given};
use crate::catalogue::ManagerCurrent;
use crate::connection::Connection;
use crate::publishing::{TopicTarget, check_topics_served};
use queues::message::publication::{Publication, Reach, Retention};

/// A topic to publish to, and how it was opened.
pub(super) struct Publishing<'a> {
    pub(super) target: &'a TopicTarget,
    /// State of the queue manager for all of the call.
    pub(super) manager: &'a ManagerCurrent,
    /// The proof that it may be published to.
    pub(super) right: Right<'a>,
}

/// Values of a publication that its publisher leaves open.
pub(super) struct Defaults {
    pub(super) persistent: bool,
    priority: u8,
    /// The put is asynchronous.
    pub(super) asynchronous: bool,
}

/// Below this the queue manager tells of itself.
const OF_THE_MANAGER: &str = "$SYS/MQ/";

impl Connection {
    /// Checks that this program may publish to a topic.
    pub(super) fn may_publish(
        &self,
        target: &TopicTarget,
        manager: &ManagerCurrent,
    ) -> Result<(), (Lsn, Reason)> {
        check_topics_served(manager)?;
        if target.topic.as_str().starts_with(OF_THE_MANAGER) && !self.conversation.party.is_own() {
            Err((Lsn::ZERO, Reason::ADMIN_TOPIC_STRING_ERROR))
        } else {
            Ok(())
        }
    }

    /// Publishes to a topic, once it is known that the queue manager serves topics.
    pub(super) fn publish<T: Told>(
        &self,
        to: &Publishing<'_>,
        source: context::Source,
        request: &PutRequest<'_>,
        mut body: Body<'_>,
    ) -> Outcome<T> {
        let PutRequest { descriptor, options, .. } = *request;
        if let Right::Name(granted) = to.right {
            granted.must_put(&self.conversation.principal, (ObjectKind::Topic, &to.target.object));
        }
        let engine = &self.engine;
        let retains = options.flags.contains(PutFlags::RETAIN);
        let _nobody_subscribes = retains.then(|| engine.broker.retaining.read());
        let (heard, seen) = to.target.heard(&engine.directory.catalogue);
        if let Err((need, reason)) = to.target.check() {
            return Gated::new(need, Err(reason));
        }
        if !heard.resolved.publish {
            return Gated::new(seen, Err(Reason::PUT_INHIBITED));
        }
        if let Err(reason) = check_options(options) {
            return Gated::new(seen, Err(reason));
        }
        if heard.subscriptions.is_empty() && !retains {
            let told = self.publish_unheard(to, &heard.resolved, source, descriptor, options, body);
            return Gated::new(seen, told);
        }
        let reach = self.reach(&heard.resolved, options);
        let unit = request.unit(self.unit_slot());
        // What is retained follows the end of the unit at once, which nobody sees to for one that is
        // prepared.
        if retains && unit.is_some() && self.is_in_branch() {
            return Gated::new(seen, Err(Reason::UOW_NOT_AVAILABLE));
        }
        let heard_at = (&*heard, seen);
        let is_alone = !retains && unit.is_none() && request.is_at_once() && !may_have_extension(descriptor);
        // Read once: the way through the engine is taken for each publication.
        let broker = &*engine.broker;
        let hearer = is_alone.then(|| broker.lone_hearer(heard_at, &reach, descriptor)).flatten();
        let mut was_refused = false;
        if let Some(hearer) = hearer {
            let mut payload = Payload::in_place(descriptor, Bytes::new());
            let own = Payload::own(&mut payload);
            let put_at = match self.fill(own, to, &heard.resolved, source, options, &mut body) {
                Ok(put_at) => put_at,
                Err(reason) => return Gated::new(seen, Err(reason)),
            };
            let told = tell(&own.descriptor, descriptor, &engine.directory.name, || {
                SharedDescriptor::copied(&own.descriptor)
            });
            if broker.make_lone(own, &body, to.target, &hearer) {
                let at = moment(put_at);
                match broker.put_lone(payload, (put_at, at), to.target, &hearer) {
                    Some(need) => {
                        to.target.passed.count(at);
                        return Gated::new(need.max(seen), Ok(told));
                    }
                    None => was_refused = true,
                }
            }
        }
        let mut payload = Payload::in_place(descriptor, Bytes::new());
        let own = Payload::own(&mut payload);
        let put_at = match self.fill(own, to, &heard.resolved, source, options, &mut body) {
            Ok(put_at) => put_at,
            Err(reason) => return Gated::new(seen, Err(reason)),
        };
        own.body = body.into_bytes();
        let mut told: T = tell(&payload.descriptor, descriptor, &self.engine.directory.name, || {
            SharedDescriptor::of(&payload)
        });
        let payload = given_to_subscribers(&payload).map_or(payload, Arc::new);
        let retention = if retains { Retention::IsToBe } else { Retention::None };
        let topic = to.target.topic.clone();
        let deliver_at = request.due(put_at);
        let maker = if retains {
            engine.directory.door.maker(&self.conversation.principal).into()
        } else {
            Box::default()
        };
        let at = moment(put_at);
        let published = Publication { topic, payload, at, reach, retention, deliver_at, maker };
        broker.publish(&published, to.target, heard_at, unit, was_refused).changed(|put| {
            put.map(|matched| {
                to.target.passed.count(published.at);
                if matched.0 == 0 && options.flags.contains(PutFlags::WARN_IF_NO_SUBS_MATCHED) {
                    told.remark(Reason::NO_SUBS_MATCHED);
                }
                told
            })
        })
    }

    /// Answers a publication without hearers that is not retained, and counts it: nothing is made of it
    /// except the publisher's result, if that is shown.
    fn publish_unheard<T: Told>(
        &self,
        to: &Publishing<'_>,
        resolved: &Resolved,
        source: context::Source,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        mut body: Body<'_>,
    ) -> Result<T, Reason> {
        let (mut told, put_at): (T, WallTime) = if T::SHOWS_DESCRIPTOR || !fills_freely(source, descriptor) {
            let mut payload = Payload::in_place(descriptor, Bytes::new());
            let put_at = self.fill(Payload::own(&mut payload), to, resolved, source, options, &mut body)?;
            (
                tell(&payload.descriptor, descriptor, &self.engine.directory.name, || {
                    SharedDescriptor::of(&payload)
                }),
                put_at,
            )
        } else {
            judge(descriptor, &body, to.manager)?;
            let shown = || SharedDescriptor::copied(descriptor);
            (
                tell(descriptor, descriptor, &self.engine.directory.name, shown),
                self.engine.ground().world.clock.wall_roughly(),
            )
        };
        to.target.passed.count(moment(put_at));
        if options.flags.contains(PutFlags::WARN_IF_NO_SUBS_MATCHED) {
            told.remark(Reason::NO_SUBS_MATCHED);
        }
        Ok(told)
    }

    /// Returns the default values of a publication that goes this way.
    pub(super) fn published_by_default(&self, target: &TopicTarget) -> Defaults {
        let topics = self.engine.directory.catalogue.topics();
        defaults(target, topics.tree.resolved(&target.topic))
    }

    /// Returns the range of subscribers that the options, which were checked, let a publication reach.
    fn reach(&self, resolved: &Resolved, options: &PutOptions) -> Reach {
        let level = u8::try_from(options.publication_level).unwrap_or(LEVEL_MAX);
        let scope = if options.flags.contains(PutFlags::SCOPE_QMGR) {
            Scope::QueueManager
        } else {
            resolved.publication_scope
        };
        let not_to = options.flags.contains(PutFlags::NOT_OWN_SUBS).then_some(self.conversation.party.id);
        Reach { level, scope, not_to, from: self.client.clone() }
    }

    /// Fills every field of the descriptor of a message that has no body yet; returns the time of the put. An
    /// extension of the descriptor before the body is taken into the fields.
    fn fill(
        &self,
        payload: &mut Payload,
        to: &Publishing<'_>,
        resolved: &Resolved,
        source: context::Source,
        options: &PutOptions,
        body: &mut Body<'_>,
    ) -> Result<WallTime, Reason> {
        let engine = &self.engine;
        if may_have_extension(&payload.descriptor) {
            payload.body = body.clone().into_bytes();
            without_extension(payload)?;
            *body = std::mem::take(&mut payload.body).into();
        }
        let filled = &mut payload.descriptor;
        judge(filled, body, to.manager)?;
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
            if report_kind::asks_for_any(filled.report) {
                return Err(Reason::MISSING_REPLY_TO_Q);
            }
            (filled.reply_to_queue, filled.reply_to_queue_manager) = (Rare::USUAL, Rare::USUAL);
        }
        self.fill_reply_to(filled)?;
        if let ExpiryCap::Tenths(most) = resolved.expiry_cap {
            filled.expiry = Expiry::tenths(filled.expiry.limit().map_or(most, |limit| limit.min(most)));
        }
        if filled.coded_character_set == constants::MQCCSI_Q_MGR {
            filled.coded_character_set = to.manager.attributes.coded_character_set;
        }
        filled.backout_count = 0;
        // Each copy is a message of its own, which no queue splits.
        filled.message_flags.remove(MessageFlags::SEGMENTATION_ALLOWED);
        let now = engine.ground().world.clock.wall();
        self.fill_context(filled, source, to.right.options(), options, now)?;
        // The copies name the users of their subscriptions, so the publisher is judged by its login.
        let principal = &self.conversation.principal;
        let is_of_login = source == context::Source::Default && principal.is_administrator();
        if is_of_login && !to.right.is_for_another() {
            payload.report_rights = ReportRights::OF_ADMINISTRATOR;
        } else if filled.report != ReportOptions::EMPTY {
            payload.report_rights = engine.directory.rights_of_reports(principal, filled);
        }
        Ok(now)
    }
}

/// Checks that the options may be those of a publication.
#[inline]
fn check_options(options: &PutOptions) -> Result<(), Reason> {
    // A topic has no order of groups that a handle could be at.
    if options.flags.contains(PutFlags::LOGICAL_ORDER) {
        Err(Reason::OPTIONS_ERROR)
    } else if (0..=i32::from(LEVEL_MAX)).contains(&options.publication_level) {
        Ok(())
    } else {
        Err(Reason::PMO_ERROR)
    }
}

/// Checks that a message may be published as it is, as far as that depends on itself.
fn judge(descriptor: &MessageDescriptor, body: &[u8], manager: &ManagerCurrent) -> Result<(), Reason> {
    check_descriptor(descriptor, false, false)?;
    let attributes = &manager.attributes;
    // Topics are of version 7 themselves.
    if data_length(descriptor, body, attributes, || true)? > attributes.message_bytes_max as usize {
        Err(Reason::MSG_TOO_BIG_FOR_Q_MGR)
    } else {
        Ok(())
    }
}

/// True if no field that is filled in for a publisher could be refused.
fn fills_freely(source: context::Source, descriptor: &MessageDescriptor) -> bool {
    matches!(source, context::Source::Default | context::Source::None)
        && descriptor.reply_to_queue.is_blank()
        && !may_have_extension(descriptor)
}

/// Returns the publisher's result for a message, with its own values where those are kept from subscribers.
fn tell<T: Told>(
    filled: &MessageDescriptor,
    given: &MessageDescriptor,
    own: &QueueManagerName,
    shown: impl FnOnce() -> SharedDescriptor,
) -> T {
    let exceeds = filled.priority.exceeds_maximum().then_some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
    // Judged before, so what is left is a remark at most.
    let unknown = report_kind::check(filled.report, false).ok().flatten();
    let nowhere = (ObjectName::BLANK, QueueManagerName::BLANK);
    let mut told = T::of(shown, nowhere, exceeds.or(unknown));
    if T::SHOWS_DESCRIPTOR && filled.reply_to_queue != given.reply_to_queue {
        told.show(|shown| shown.reply_to_queue.clone_from(&given.reply_to_queue));
    }
    show_as_given(&mut told, given, filled, own);
    told
}

/// The message without the properties that are kept from subscribers, when it has such.
fn given_to_subscribers(published: &Payload) -> Option<Payload> {
    if !presentation::may_have(&published.descriptor) {
        return None;
    }
    let (place, body) = properties::published(&Place::of(&published.descriptor), &published.body)?;
    let mut descriptor = published.descriptor.clone();
    place.describe(&mut descriptor);
    Some(Payload::new(descriptor, body).with_report_rights(published.report_rights))
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
