//! Subscriptions: those of programs, the managed queues of subscriptions, and the users of each.
//!
//! Lives here: making, finding and removing them. What a descriptor says and a definition keeps is in
//! `definition`, terms of those that links keep in `lapse`.
//! Lives elsewhere: the handles and the checks of the verb (`verbs::subscribe`), commands
//! (`command::others`).
//!
//! A subscription is a definition like that of an administrator, with the queue it has. A managed queue is
//! made from the model that holds at the topic, before its subscription, and goes after it: one that a crash
//! leaves alone goes at the next start.
//!
//! Always: a subscription is used by one handle at a time, or by several if it is shared, and no other caller
//! removes it meanwhile; one that is not durable goes with its last handle, and its queue with it.

mod definition;
pub(crate) mod lapse;

use mqi::ours::SUBSCRIPTION_RIGHT;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use mqi::constants::*;
use mqi::{ObjectDescriptor, ObjectName, Reason, SubscribeOptions, SubscriptionDescriptor};
use objects::{Definition, DefinitionType, Family, ObjectType, Value};
use queues::counters::collecting::Noted;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::growth::Growth;
use queues::queue::Queue;
use security::{Asked, Object, ObjectKind, Part, Principal, Use};
use storage::Lsn;
use topic::{Pattern, Subscription, SubscriptionId};

use crate::authority::Granted;
use crate::begun::Begun;
use crate::broker::Broker;
use crate::catalogue::{
    ChangeError, Current, Defined, Destination, Existing, Lifetime, MANAGED_DURABLE, Subscriber,
    end_of_subscription, subscriber_of, topics_of,
};
use crate::naming::dynamic::{MANAGED_NONDURABLE, make_from_model};
use crate::naming::resolve::Resolved;
use crate::naming::way::descriptor_of;
use crate::subscriptions::lapse::LinkTerms;

/// Digits of a subscription's identifier in the name of its queue: they tell it from all others of the queue
/// manager.
const UNIQUE_DIGITS: usize = 24;

/// A subscription that a program uses.
#[derive(Debug)]
pub(crate) struct OpenSubscription {
    /// Its identifier.
    pub(crate) id: ObjectName,
    /// The name by which the catalogue has it.
    name: String,
    pub(crate) is_durable: bool,
    /// It, as a program sees it.
    pub(crate) descriptor: SubscriptionDescriptor,
    pub(crate) topic_string: String,
    /// The queue that is looked after for it.
    pub(crate) managed: Option<Arc<Queue>>,
    /// The connection that uses it by this.
    pub(crate) user: u64,
}

impl OpenSubscription {
    /// The name by which the catalogue has it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The options a program used, with those that the subscription has in place of those that say how it is.
    pub(crate) fn options_for(&self, used: SubscribeOptions) -> SubscribeOptions {
        used.without(definition::SHOWN) | self.descriptor.options
    }
}

/// Subscription that a program asks for.
pub(crate) struct Wanted<'a> {
    pub(crate) descriptor: &'a SubscriptionDescriptor,
    /// The queue it names; none for a managed one, or that which is there.
    pub(crate) destination: Option<ObjectDescriptor>,
    pub(crate) user: &'a str,
    /// The connection that asks.
    pub(crate) connection: u64,
    /// The proof that it may.
    pub(crate) granted: &'a Granted<'a>,
    /// The proof for the queue that it names.
    pub(crate) queue_granted: Option<&'a Granted<'a>>,
    /// True for one that several use at a time.
    pub(crate) is_shared: bool,
    /// The client whose own publications it leaves out.
    pub(crate) excludes: Option<&'a str>,
    /// Another topic or selector begins it anew.
    pub(crate) begins_anew: bool,
    /// The terms of a link that keeps it; none for those that it has.
    pub(crate) terms: Option<LinkTerms>,
}

impl Wanted<'_> {
    fn has(&self, option: SubscribeOptions) -> bool {
        self.descriptor.options.contains(option)
    }

    /// The requests that were granted for it, to be judged again under the lock of the change.
    fn all_granted(&self) -> impl Iterator<Item = &Granted<'_>> {
        self.queue_granted.into_iter().chain([self.granted])
    }
}

/// Keeps the time of a subscription from beginning as long as it is there.
pub struct SubscriptionHold {
    broker: Arc<Broker>,
    id: ObjectName,
    name: String,
}

impl SubscriptionHold {
    /// A hold of a subscription that is in use.
    pub(crate) fn new(broker: Arc<Broker>, open: &OpenSubscription) -> Self {
        broker.subscribed.lock().hold(&open.id);
        Self { broker, id: open.id, name: open.name.clone() }
    }

    /// The identifier of the subscription.
    #[must_use]
    pub fn id(&self) -> ObjectName {
        self.id
    }

    /// Says whether the subscription is gone, and nothing is held.
    #[must_use]
    pub fn is_vain(&self) -> bool {
        let (found, _) =
            self.broker.directory.catalogue.find_defined(ObjectType::Subscription.name_space(), &self.name);
        found.is_none_or(|found| *found.current().definition.name() != self.id)
    }
}

impl Drop for SubscriptionHold {
    fn drop(&mut self) {
        self.broker.subscribed.lock().let_go(&self.id);
        self.broker.begin_lapse(&self.name);
    }
}

impl std::fmt::Debug for SubscriptionHold {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SubscriptionHold").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Broker {
    /// Returns the subscription of a name, and the position that must be durable before the outside may learn
    /// of it or of its absence. An expired one is gone.
    pub(crate) fn find_subscription(&self, name: &str) -> (Option<Definition>, Lsn) {
        if name.is_empty() || Some(name) == ObjectType::Subscription.default_object() {
            return (None, Lsn::ZERO);
        }
        let (found, need) =
            self.directory.catalogue.find_defined(ObjectType::Subscription.name_space(), name);
        let Some(found) = found.map(|found| found.current().definition.clone()) else { return (None, need) };
        let is_over = end_of_subscription(&found).is_some_and(|end| self.directory.time_of_day() >= end);
        if !is_over || !self.claim(found.name(), 0, false) {
            return (Some(found), need);
        }
        let removed = self.remove_subscription(&self.opened(&found, 0));
        self.release(found.name(), 0);
        let need = need.max(removed.need());
        (removed.value().is_err().then_some(found), need)
    }

    /// Subscriptions whose time is over go, but for those that a program uses: these when it is asked again.
    pub(crate) fn end_subscriptions(&self) {
        let is_used = |identifier: &ObjectName| self.subscribed.lock().is_needed(identifier);
        for name in self.directory.catalogue.ended_subscriptions(self.directory.time_of_day(), is_used) {
            // Nobody is told of it, so nobody waits for its record.
            let _gone = self.find_subscription(&name);
            self.begin_lapse(&name);
        }
    }

    /// Begins the time of a subscription that ends after its last use, if that is over. One without a time
    /// ends at once.
    pub(crate) fn begin_lapse(&self, name: &str) {
        let space = ObjectType::Subscription.name_space();
        let (found, _) = self.directory.catalogue.find_defined(space, name);
        let Some(found) = found.map(|found| found.current().definition.clone()) else { return };
        let Some(lapse) = LinkTerms::of(&found).and_then(|terms| terms.lapse) else { return };
        let runs = found.integer(MQIACF_EXPIRY) != MQEI_UNLIMITED;
        if runs || self.subscribed.lock().is_needed(found.name()) {
            return;
        }
        let begun =
            self.directory.catalogue.alter_other(space, name, ObjectType::Subscription, |definition| {
                if definition.name() != found.name() {
                    return Err(ChangeError::NotFound);
                }
                definition.apply(&[], self.directory.time_of_day()).expect("nothing is set");
                definition.set_internal(MQIACF_EXPIRY, Value::Integer(lapse.tenths()));
                Ok(())
            });
        // Without room in the log the next tick begins it.
        if begun.is_ok() && lapse.seconds == 0 {
            let _ended = self.find_subscription(name);
        }
    }

    /// The hexadecimal digits of an identifier never given before.
    pub(crate) fn new_subscription_identifier(&self) -> ObjectName {
        let digits: String =
            self.directory.identifiers.next().0.iter().map(|byte| format!("{byte:02X}")).collect();
        digits.parse().expect("hexadecimal digits make a name")
    }

    /// Makes a subscription, in use from the start.
    pub(crate) fn make_subscription(
        &self,
        wanted: &Wanted<'_>,
        pattern: &Pattern,
    ) -> (Lsn, Result<OpenSubscription, Reason>) {
        let topics = self.directory.catalogue.topics();
        let resolved = topics.tree.resolved_for(pattern);
        let is_durable = wanted.has(SubscribeOptions::DURABLE);
        if !resolved.subscribe {
            return (topics.need, Err(Reason::SUB_INHIBITED));
        }
        if is_durable && !resolved.durable_subscriptions {
            return (topics.need, Err(Reason::DURABILITY_NOT_ALLOWED));
        }
        let id = self.new_subscription_identifier();
        let mut definition = match definition::define(id, &self.directory, wanted, pattern) {
            Ok(definition) => definition,
            Err(reason) => return (Lsn::ZERO, Err(reason)),
        };
        if wanted.has(SubscribeOptions::GROUP_SUB) && self.is_in_group(&definition) {
            return (topics.need, Err(Reason::DUPLICATE_GROUP_SUB));
        }
        definition.set_maker(&self.directory.door.maker(wanted.granted.principal()));
        let mut need = topics.need;
        // Before its queue is made: one that is refused leaves nothing in the log.
        if is_durable
            && self.directory.catalogue.ledger.check(Growth::Subscriptions, definition.maker()).is_err()
        {
            return (self.ground().storage.appended(), Err(Reason::RESOURCE_PROBLEM));
        }
        if wanted.has(SubscribeOptions::MANAGED) {
            match self.make_managed(&mut definition, pattern, wanted.granted) {
                (observed, Ok(())) => need = need.max(observed),
                (observed, Err(reason)) => return (need.max(observed), Err(reason)),
            }
        }
        if let Some(holder) =
            self.directory.holder_of_right(&definition.text(MQCACF_SUB_USER_ID), &definition)
        {
            definition.set_internal(SUBSCRIPTION_RIGHT, Value::from(holder.as_str()));
        }
        self.claim(&id, wanted.connection, wanted.is_shared);
        let lifetime = if is_durable { Lifetime::Logged } else { Lifetime::ThisRun };
        let mut judged = Ok(need);
        let made = self.directory.catalogue.define_other_if(
            definition.clone(),
            Existing::Refuse,
            lifetime,
            |_, _| {
                judged = self.directory.door.judge_changed_under_lock(wanted.all_granted());
                // Whatever is said here: the refusal is told below.
                if judged.is_ok() { Ok(()) } else { Err(ChangeError::NotFound) }
            },
        );
        let open = self.opened(&definition, wanted.connection);
        match (made, judged) {
            (Ok(logged), Ok(judged)) => (need.max(logged).max(judged), Ok(open)),
            (_, Err(lost)) => {
                self.drop_managed(&open);
                self.release(&id, wanted.connection);
                let (seen, reason) = self.directory.door.refuse_lost(&lost);
                (need.max(seen), Err(reason))
            }
            (Err(error), Ok(_)) => {
                self.drop_managed(&open);
                self.release(&id, wanted.connection);
                let reason = match error {
                    ChangeError::Exists(_) => Reason::SUB_ALREADY_EXISTS,
                    ChangeError::OutOfSpace(_) => Reason::STORAGE_MEDIUM_FULL,
                    ChangeError::Beyond(_) => Reason::RESOURCE_PROBLEM,
                    _ => Reason::UNEXPECTED_ERROR,
                };
                // The subscriptions that were counted may not be durable yet.
                (need.max(self.ground().storage.appended()), Err(reason))
            }
        }
    }

    /// Takes a subscription that is there into use, changed as far as that is asked for.
    pub(crate) fn use_subscription(
        &self,
        wanted: &Wanted<'_>,
        pattern: Option<&Pattern>,
        found: &Definition,
    ) -> (Lsn, Result<OpenSubscription, Reason>) {
        let id = *found.name();
        if !self.claim(&id, wanted.connection, wanted.is_shared) {
            return (Lsn::ZERO, Err(Reason::SUBSCRIPTION_IN_USE));
        }
        // Until it was claimed, others could change and remove it.
        let (now, need) = self.find_subscription(&wanted.descriptor.name);
        let used = match now.filter(|now| *now.name() == id) {
            None => (need, Err(Reason::NO_SUBSCRIPTION)),
            // It may be there since the request was judged, or be another's since then.
            Some(now) => match self.directory.door.judge_granted(wanted.granted) {
                Ok(()) => self.take_over(wanted, pattern, &now),
                Err((need, reason)) => (need, Err(reason)),
            },
        };
        if used.1.is_err() {
            self.release(&id, wanted.connection);
        }
        used
    }

    /// Ends a subscription without users, and makes another of its name, in use from the start.
    pub(crate) fn replace_subscription(
        &self,
        wanted: &Wanted<'_>,
        pattern: &Pattern,
        found: &Definition,
    ) -> (Lsn, Result<OpenSubscription, Reason>) {
        let id = *found.name();
        // The use that is taken here is the only one, which keeps others out until the end.
        if !self.claim(&id, wanted.connection, false) {
            return (Lsn::ZERO, Err(Reason::SUBSCRIPTION_IN_USE));
        }
        if let Err((need, reason)) =
            self.directory.door.judge_new_for(wanted.granted, &id, found.shown_name())
        {
            self.release(&id, wanted.connection);
            return (need, Err(reason));
        }
        let removed = self.remove_subscription(&self.opened(found, wanted.connection));
        self.release(&id, wanted.connection);
        let need = removed.need();
        match removed.into_inner() {
            // Another was faster; what it made is looked at as what is there.
            Err(reason) => (need, Err(reason)),
            Ok(()) => {
                let (made, open) = self.make_subscription(wanted, pattern);
                (need.max(made), open)
            }
        }
    }

    fn take_over(
        &self,
        wanted: &Wanted<'_>,
        pattern: Option<&Pattern>,
        found: &Definition,
    ) -> (Lsn, Result<OpenSubscription, Reason>) {
        if let Err(reason) = definition::agrees(wanted, pattern, found) {
            return (Lsn::ZERO, Err(reason));
        }
        if let Some(need) = self.lost_managed(found) {
            return (need, Err(Reason::INVALID_DESTINATION));
        }
        let alters = wanted.has(SubscribeOptions::ALTER);
        if !alters && let Some(need) = self.is_elsewhere(found, wanted.destination.as_ref()) {
            return (need, Err(Reason::INVALID_DESTINATION));
        }
        let terms = LinkTerms::changed(wanted.terms, found);
        if !alters && terms.is_none() && !definition::passes_to(wanted, found) {
            return (Lsn::ZERO, Ok(self.opened(found, wanted.connection)));
        }
        let mut refused = None;
        let mut lost = None;
        let holder = self.directory.holder_of_right(wanted.user, found);
        let space = ObjectType::Subscription.name_space();
        let name = found.shown_name();
        let changed =
            self.directory.catalogue.alter_other(space, name, ObjectType::Subscription, |definition| {
                // A command may have given it to another user since the request was judged.
                if let Err(refused) = self.directory.door.judge_under_lock(wanted.all_granted()) {
                    lost = Some(refused);
                    return Err(ChangeError::NotFound);
                }
                let mut altered = definition.clone();
                let done = if alters {
                    definition::describe(&mut altered, &self.directory, wanted)
                } else {
                    definition::pass_to(&mut altered, wanted.user)
                };
                match done {
                    Ok(()) => {
                        if let Some(terms) = terms {
                            terms.keep(&mut altered);
                        }
                        if let Some(holder) = &holder {
                            altered.set_internal(SUBSCRIPTION_RIGHT, Value::from(holder.as_str()));
                        }
                        *definition = altered;
                    }
                    Err(reason) => refused = Some(reason),
                }
                Ok(())
            });
        if let Some(lost) = lost {
            let (need, reason) = self.directory.door.refuse_lost(&lost);
            return (need, Err(reason));
        }
        match (changed, refused) {
            (Ok(need), None) => {
                let (now, _) = self.directory.catalogue.find_defined(space, name);
                let now = now.map(|now| self.opened(&now.current().definition, wanted.connection));
                (need, now.ok_or(Reason::NO_SUBSCRIPTION))
            }
            (Err(ChangeError::OutOfSpace(_)), None) => (Lsn::ZERO, Err(Reason::STORAGE_MEDIUM_FULL)),
            (changed, refused) => {
                (changed.unwrap_or_default(), Err(refused.unwrap_or(Reason::UNEXPECTED_ERROR)))
            }
        }
    }

    /// Returns the position on which the absence of a subscription's managed queue depends, where an
    /// administrator has deleted it.
    fn lost_managed(&self, definition: &Definition) -> Option<Lsn> {
        let destination = definition.name_in(MQCACF_DESTINATION).filter(|_| is_managed(definition))?;
        let found = self.directory.catalogue.find(&destination);
        let is_there = found.object.is_some_and(|object| object.queue().is_some());
        (!is_there).then_some(found.need)
    }

    /// Returns the position that must be durable for refusing a subscription whose queue is not the one a
    /// program names; none where it is.
    fn is_elsewhere(&self, definition: &Definition, named: Option<&ObjectDescriptor>) -> Option<Lsn> {
        let named = named?;
        let (need, resolved) = self.directory.resolve(&Destination::of(definition)?.descriptor());
        match resolved {
            Ok(Resolved::Queue(found)) if descriptor_of(&found.queue, found.way.as_deref()) == *named => None,
            _ => Some(need),
        }
    }

    /// The queue that a subscription was given.
    pub(crate) fn provided_queue(&self, open: &OpenSubscription) -> (Lsn, Option<ObjectDescriptor>) {
        let space = ObjectType::Subscription.name_space();
        let (found, need) = self.directory.catalogue.find_defined(space, &open.name);
        let destination = found.and_then(|found| Destination::of(&found.current().definition));
        (need, destination.map(|destination| destination.descriptor()))
    }

    /// Notes that a program takes a subscription into use now.
    pub(crate) fn note_use(&self, open: &OpenSubscription) {
        let (found, _) =
            self.directory.catalogue.find_defined(ObjectType::Subscription.name_space(), &open.name);
        if let Some(passed) = found.and_then(|found| self.directory.catalogue.passed_to(&found)) {
            passed.take(self.directory.time_of_day());
        }
    }

    /// A program uses a subscription no longer; one that is not durable goes with the last.
    pub(crate) fn leave_subscription(&self, open: &OpenSubscription) {
        if open.is_durable {
            self.release(&open.id, open.user);
            return self.begin_lapse(&open.name);
        }
        if self.subscribed.lock().leave_to_others(&open.id, open.user) {
            // It is in nobody's way: without a record there is no room that could be missing.
            drop(self.remove_subscription(open));
            self.release(&open.id, open.user);
        }
    }

    /// Ends a subscription, which the caller uses or has claimed, and then the queue that was looked after
    /// for it.
    pub(crate) fn remove_subscription(&self, open: &OpenSubscription) -> Outcome<()> {
        let space = ObjectType::Subscription.name_space();
        let (found, observed) = self.directory.catalogue.find_defined(space, &open.name);
        if found.is_none_or(|found| *found.current().definition.name() != open.id) {
            return Gated::new(observed, Err(Reason::NO_SUBSCRIPTION));
        }
        match self.directory.catalogue.remove_other(space, &open.name, Some(ObjectType::Subscription)) {
            Ok(need) => {
                self.directory
                    .queues
                    .collecting
                    .note(if open.is_durable { Noted::EndedDurable } else { Noted::EndedBrief }, 1);
                self.leave_place(&open.topic_string);
                self.drop_managed(open);
                Gated::new(need, Ok(()))
            }
            Err(_) => Gated::new(observed, Err(Reason::RESOURCE_PROBLEM)),
        }
    }

    /// Puts the publications retained for a subscription on its queue; returns their number. Where they are
    /// not in memory a job has yet to read them.
    pub(crate) fn request_retained(&self, open: &OpenSubscription) -> Begun<u32> {
        let (need, standing) = self.standing(open);
        let Some(standing) = standing else {
            return Begun::Done(Gated::new(need, Err(Reason::NO_SUBSCRIPTION)));
        };
        self.give_retained(standing).then(move |given| given.and_needs(need))
    }

    /// Makes a subscription by its definition, and puts the publications retained for it on its queue. Blocks
    /// where they are not in memory.
    pub(crate) fn make_with_retained(
        &self,
        definition: &Definition,
        make: impl FnOnce() -> Result<Lsn, ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        let nobody_retains = self.retaining.write();
        let need = make()?;
        let name = definition.shown_name();
        let (made, _) = self.directory.catalogue.find_defined(ObjectType::Subscription.name_space(), name);
        let Some(standing) = made.and_then(|made| standing(&made)) else { return Ok(need) };
        let given = self.give_retained(standing);
        drop(nobody_retains);
        // That something could not be given does not undo the subscription.
        Ok(need.max(given.finish(self).need()))
    }

    /// A subscription as it is in use now; none when it is gone.
    fn standing(&self, open: &OpenSubscription) -> (Lsn, Option<Subscription<Subscriber>>) {
        let space = ObjectType::Subscription.name_space();
        let (found, need) = self.directory.catalogue.find_defined(space, &open.name);
        let found = found.filter(|found| *found.current().definition.name() == open.id);
        (need, found.and_then(|found| standing(&found)))
    }

    /// Takes the use of a subscription, unless another has it that does not share it.
    pub(crate) fn claim(&self, id: &ObjectName, connection: u64, is_shared: bool) -> bool {
        self.subscribed.lock().claim(id, connection, is_shared)
    }

    /// Gives the use of a subscription by a connection up.
    pub(crate) fn release(&self, id: &ObjectName, connection: u64) {
        self.subscribed.lock().release(id, connection);
    }

    /// Removes queues that were made for durable subscriptions which a crash kept from being made, or which
    /// it did not keep from going.
    pub(crate) fn forget_orphans(&self) {
        let subscriptions = self.directory.catalogue.all_defined(Family::Subscription);
        let destinations =
            subscriptions.iter().map(|found| found.current().definition.name_in(MQCACF_DESTINATION));
        let kept: HashSet<ObjectName, FixedState> = destinations.flatten().collect();
        let is_managed = |queue: &Arc<Queue>| {
            queue.name.as_str().starts_with(MANAGED_DURABLE)
                && queue.attributes().definition_type == DefinitionType::PermanentDynamic
        };
        for queue in self.queues.all().into_iter().filter(is_managed) {
            if !kept.contains(&queue.name) {
                self.drop_queue(&queue);
            }
        }
    }

    /// Makes the queue that is looked after for a new subscription, and has its definition say so.
    pub(crate) fn make_managed(
        &self,
        definition: &mut Definition,
        pattern: &Pattern,
        granted: &Granted<'_>,
    ) -> (Lsn, Result<(), Reason>) {
        let topics = self.directory.catalogue.topics();
        let resolved = topics.tree.resolved_for(pattern);
        let is_durable = definition.integer(MQIACF_DURABLE_SUBSCRIPTION) == MQSUB_DURABLE_YES;
        let (lifetime, model, prefix) = if is_durable {
            (Lifetime::Logged, resolved.durable_model, MANAGED_DURABLE)
        } else {
            (Lifetime::ThisRun, resolved.nondurable_model, MANAGED_NONDURABLE)
        };
        let id = definition.name().as_str();
        let name = format!("{prefix}{}", &id[id.len() - UNIQUE_DIGITS..]);
        let name: ObjectName = name.parse().expect("digits behind a name make a name");
        let found = self.directory.catalogue.find(&model);
        let Some(model) = found.object.filter(|object| object.object_type() == ObjectType::ModelQueue) else {
            return (found.need.max(topics.need), Err(Reason::INVALID_DESTINATION));
        };
        let is_brief = model.current().attributes.definition_type == DefinitionType::TemporaryDynamic;
        if is_durable && is_brief {
            return (found.need.max(topics.need), Err(Reason::INVALID_DESTINATION));
        }
        let make = |id, current: &Current| self.directory.new_queue(id, current);
        match make_from_model(&self.directory, granted, &model, name, lifetime, make) {
            Ok(made) => {
                definition.set_internal(MQCACF_DESTINATION, Value::from(&name));
                definition.set_internal(MQCACF_DESTINATION_Q_MGR, Value::from(""));
                (made.need, Ok(()))
            }
            Err(ChangeError::OutOfSpace(_)) => (found.need, Err(Reason::STORAGE_MEDIUM_FULL)),
            Err(_) => (found.need, Err(Reason::UNEXPECTED_ERROR)),
        }
    }

    /// Makes the managed queue of a subscription that a command makes.
    pub(crate) fn make_managed_by_command(&self, definition: &mut Definition) -> (Lsn, Result<(), Reason>) {
        let Ok(pattern) = topics_of(definition) else {
            return (Lsn::ZERO, Err(Reason::TOPIC_STRING_ERROR));
        };
        // The command was granted as a whole.
        let name = definition.shown_name().to_owned();
        let used = Use::Subscribe { options: SubscribeOptions::CREATE, subscription: &name };
        let subscription = Asked::new(Object::named(ObjectKind::Subscription, *definition.name()), used);
        match self.directory.door.authorize(&Principal::of_part(Part::CommandExecution), subscription) {
            Ok(granted) => self.make_managed(definition, &pattern, &granted),
            Err((need, reason)) => (need, Err(reason)),
        }
    }

    /// The queue of a subscription that is gone, or did not come to be, goes too.
    pub(crate) fn drop_managed_of(&self, definition: &Definition) {
        self.drop_managed(&self.opened(definition, 0));
    }

    /// True if another subscription of the same group is about the same topics.
    fn is_in_group(&self, definition: &Definition) -> bool {
        let others = self.directory.catalogue.all_defined(Family::Subscription);
        others.iter().any(|other| definition::is_double_in_group(definition, &other.current().definition))
    }

    fn drop_managed(&self, open: &OpenSubscription) {
        if let Some(queue) = &open.managed {
            self.drop_queue(queue);
        }
    }

    /// Ends a managed queue, with its messages and in spite of open handles.
    fn drop_queue(&self, queue: &Arc<Queue>) {
        let removed = self.directory.catalogue.remove(&queue.name, None, |object, log| {
            if object.queue().is_some_and(|other| Arc::ptr_eq(other, queue)) {
                queue.retire(&self.queues, None, log).map_err(|_| ())
            } else {
                Err(())
            }
        });
        // Without room for the record it is there until the next start.
        drop(removed);
    }

    fn opened(&self, definition: &Definition, user: u64) -> OpenSubscription {
        let destination = definition.name_in(MQCACF_DESTINATION);
        let queue = destination
            .filter(|_| is_managed(definition))
            .and_then(|name| self.directory.catalogue.find(&name).object);
        OpenSubscription {
            id: *definition.name(),
            name: definition.shown_name().to_owned(),
            is_durable: definition.integer(MQIACF_DURABLE_SUBSCRIPTION) == MQSUB_DURABLE_YES,
            descriptor: definition::shown(definition),
            topic_string: definition.topic_string(),
            managed: queue.and_then(|object| object.queue().cloned()),
            user,
        }
    }
}

/// True if the queue of a subscription is managed.
fn is_managed(definition: &Definition) -> bool {
    definition.integer(MQIACF_DESTINATION_CLASS) == MQDC_MANAGED
}

/// The subscription that a definition is, as far as giving it something goes.
fn standing(found: &Defined) -> Option<Subscription<Subscriber>> {
    let current = found.current();
    let pattern = topics_of(&current.definition).ok()?;
    let subscriber = subscriber_of(&current.definition).ok()?;
    Some(Subscription::new(SubscriptionId(found.id().0), pattern, subscriber))
}
