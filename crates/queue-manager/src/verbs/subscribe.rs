//! MQSUB: making subscriptions, and finding them again.
//!
//! Lives here: what the descriptor may say, and the handles. Lives elsewhere: the definition that a
//! subscription is (`subscriptions`), what comes of it (`publishing`).
//!
//! A subscription that is not durable is never in the log: it ends with its handle. A durable one is found
//! again by its name, by one program at a time. A link shares one with others, durable or not, and leaves out
//! what its own client publishes.

use std::sync::Arc;

use mqi::constants::{
    MQOT_TOPIC, MQPRI_PRIORITY_AS_PUBLISHED, MQPRI_PRIORITY_AS_Q_DEF, MQSR_ACTION_PUBLICATION,
};
use mqi::{
    ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, Opened, Reason, RequestOptions,
    SubscribeOptions, Subscribed, SubscriptionDescriptor, Text,
};
use objects::attributes::CLIENT_IDENTIFIER_MAX;
use objects::{DefinitionType, ObjectType};
use queues::counters::collecting::Noted;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::queue::ending::Use as QueueUse;
use security::{Asked, Object as AskedObject, ObjectKind, Use};
use storage::Lsn;
use topic::{LEVEL_MAX, Pattern, TopicString, Wildcards};

use crate::Begun;
use crate::authority::Granted;
use crate::connection::{Connection, Handle, Target};
use crate::conversation::Registration;
use crate::naming::way::descriptor_of;
use crate::publishing::{Patience, check_topics_served};
use crate::subscriptions::lapse::LinkTerms;
use crate::subscriptions::{OpenSubscription, SubscriptionHold, Wanted};

/// The manner of a link's subscription, which MQSUB has no options for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkSubscription {
    /// Several use it at a time, each message going to one of them. It ends with the last unless it is
    /// durable.
    pub is_shared: bool,
    /// Publications of the client that makes it are left out ([`Connection::set_client`]).
    pub excludes_own: bool,
    /// True to end a subscription of another topic or selector that has no users, and to begin it anew.
    pub begins_anew: bool,
    /// The terms on which its link keeps it; none for those that it has.
    pub terms: Option<LinkTerms>,
}

impl LinkTerms {
    /// The terms on which links keep the subscription of a name, with the position that they depend on; none
    /// for a subscription that no link keeps.
    #[must_use]
    pub fn kept(connection: &Connection, subscription: &str) -> (Lsn, Option<Self>) {
        let space = ObjectType::Subscription.name_space();
        let (found, need) = connection.engine.directory.catalogue.find_defined(space, subscription);
        (need, found.and_then(|found| Self::of(&found.current().definition)))
    }
}

impl SubscriptionHold {
    /// Keeps the time of the subscription of a handle from beginning, also when the handle is closed.
    #[must_use]
    pub fn of(connection: &Connection, subscription: ObjectHandle) -> Option<Self> {
        match connection.handle(subscription).map(|found| &found.target) {
            Ok(Target::Subscription(open)) => Some(Self::new(Arc::clone(&connection.engine.broker), open)),
            _ => None,
        }
    }
}

/// Says whether a subscription is there, and for another topic or with another selector.
fn is_another(refusal: Reason) -> bool {
    matches!(refusal, Reason::TOPIC_NOT_ALTERABLE | Reason::SELECTOR_NOT_ALTERABLE)
}

/// The proofs that a subscription may be made or used.
#[derive(Clone, Copy)]
struct Proofs<'a> {
    granted: &'a Granted<'a>,
    /// For the queue that the program names.
    of_queue: Option<&'a Granted<'a>>,
}

/// Origin of a program's subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The call made it.
    Made,
    /// The call found it.
    Found,
}

impl Connection {
    /// MQSUB. Without MANAGED its publications go to the queue of a handle. Blocks where retained
    /// publications are not in memory.
    pub fn subscribe(
        &mut self,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Outcome<Subscribed> {
        let engine = Arc::clone(&self.engine);
        self.subscribe_counted(wanted, queue, Patience::WaitsForDisk, LinkSubscription::default())
            .finish(&engine.broker)
    }

    /// MQSUB for a link, for a caller that may not wait for the disk. Under an existing name with another
    /// use, or at the moment in which its last sharers leave, it is refused with 2429.
    pub fn begin_to_subscribe_for_link(
        &mut self,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
        of_link: LinkSubscription,
    ) -> Begun<Subscribed> {
        self.subscribe_counted(wanted, queue, Patience::None, of_link)
    }

    /// Names the client that acts by this connection: subscriptions of the client that leave out its own
    /// publications are not given the publications from now on.
    ///
    /// # Errors
    /// 2102 when the identifier is longer than a subscription keeps.
    pub fn set_client(&mut self, identifier: &str) -> Result<(), Reason> {
        if identifier.len() > CLIENT_IDENTIFIER_MAX {
            return Err(Reason::RESOURCE_PROBLEM);
        }
        self.client = Some(identifier).filter(|identifier| !identifier.is_empty()).map(Arc::from);
        Ok(())
    }

    /// MQSUB for a caller that may not wait for the disk. A subscription stands in any case, before retained
    /// publications are read for it.
    pub fn begin_to_subscribe(
        &mut self,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Begun<Subscribed> {
        self.subscribe_counted(wanted, queue, Patience::None, LinkSubscription::default())
    }

    fn subscribe_counted(
        &mut self,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
        patience: Patience,
        of_link: LinkSubscription,
    ) -> Begun<Subscribed> {
        let begun = self.subscribe_with(wanted, queue, patience, of_link);
        if let Begun::Done(done) = &begun
            && done.value().is_err()
        {
            self.note(Noted::NotSubscribed);
        }
        begun
    }

    fn subscribe_with(
        &mut self,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
        patience: Patience,
        of_link: LinkSubscription,
    ) -> Begun<Subscribed> {
        let handles = if opens_queue(wanted.options, queue) { 2 } else { 1 };
        let checked = self
            .usable(wanted.options.contains(SubscribeOptions::FAIL_IF_QUIESCING))
            .and_then(|()| check(wanted))
            .and_then(|()| self.check_link(of_link, &wanted.name))
            .map_err(|reason| (Lsn::ZERO, reason))
            .and_then(|()| check_topics_served(&self.engine.directory.catalogue.manager()))
            .and_then(|()| {
                let destination = self.room_for_handles(handles);
                let destination = destination.and_then(|()| self.destination(wanted.options, queue));
                destination.map_err(|reason| (Lsn::ZERO, reason))
            });
        let destination = match checked {
            Ok(destination) => destination,
            Err((need, reason)) => return Begun::Done(Gated::new(need, Err(reason))),
        };
        let judged = self.granted_to_subscribe(wanted).and_then(|granted| {
            let of_queue = self.granted_to_receive(wanted, destination.as_ref())?;
            Ok((granted, of_queue))
        });
        let (granted, of_queue) = match judged {
            Ok(judged) => judged,
            Err((need, reason)) => return Begun::Done(Gated::new(need, Err(reason))),
        };
        let options = wanted.options;
        let without = SubscribeOptions::NEW_PUBLICATIONS_ONLY | SubscribeOptions::PUBLICATIONS_ON_REQUEST;
        let may_be_given = options.contains(SubscribeOptions::CREATE) && !options.intersects(without);
        let engine = Arc::clone(&self.engine);
        let nobody_retains = may_be_given.then(|| engine.broker.retaining.write());
        let proofs = Proofs { granted: &granted, of_queue: of_queue.as_ref() };
        let (need, found) = self.find_or_make(wanted, destination.as_ref(), proofs, of_link);
        let need = need.max(granted.need()).max(of_queue.as_ref().map_or(Lsn::ZERO, Granted::need));
        let (open, origin) = match found {
            Ok((open, origin)) => {
                self.note_subscribed(origin, &open, options);
                (Arc::new(open), origin)
            }
            Err(reason) => return Begun::Done(Gated::new(need, Err(reason))),
        };
        if origin == Origin::Found {
            let of_another = if self.owns(&open, wanted) { "" } else { open.name() };
            let granted = granted.to_subscription(&open.topic_string, open.descriptor.options, of_another);
            return Begun::Done(self.hold(&open, wanted, queue, &granted).and_needs(need));
        }
        if !may_be_given {
            return Begun::Done(self.hold(&open, wanted, queue, &granted).and_needs(need));
        }
        let given = engine.broker.request_retained(&open);
        drop(nobody_retains);
        match given {
            Begun::Reads(_) if patience == Patience::None => {
                let held = self.hold(&open, wanted, queue, &granted).and_needs(need);
                match held.value() {
                    Ok(_) => given.then(|given| held.and_needs(given.need())),
                    Err(_) => Begun::Done(held),
                }
            }
            given => {
                let given = given.finish(&engine.broker);
                Begun::Done(self.hold_if_given(&open, wanted, queue, given, &granted).and_needs(need))
            }
        }
    }

    /// Judges a subscription by its topic. With ALTERNATE_USER_AUTHORITY the rights of the other user count,
    /// for its queue, too.
    fn granted_to_subscribe<'a>(
        &self,
        wanted: &'a SubscriptionDescriptor,
    ) -> Result<Granted<'a>, (Lsn, Reason)> {
        let object = AskedObject::texted(ObjectKind::Topic, wanted.object_name, &wanted.object_string);
        let used = Use::Subscribe { options: wanted.options, subscription: &wanted.name };
        let principal = &self.conversation.principal;
        let asked = Asked::new(object, used).for_user(alternate_user(wanted));
        self.engine.directory.door.authorize(principal, asked)
    }

    /// Judges the queue that a subscription is to have, if it names one. A managed queue comes with it.
    fn granted_to_receive<'a>(
        &self,
        wanted: &SubscriptionDescriptor,
        destination: Option<&'a ObjectDescriptor>,
    ) -> Result<Option<Granted<'a>>, (Lsn, Reason)> {
        let Some(destination) = destination else { return Ok(None) };
        let meaning = self.engine.directory.meaning(destination, &mut ());
        self.granted(&meaning, Use::Receive, alternate_user(wanted)).map(Some)
    }

    /// True for a subscription that belongs to the user of this call.
    fn owns(&self, open: &OpenSubscription, wanted: &SubscriptionDescriptor) -> bool {
        let space = ObjectType::Subscription.name_space();
        let (found, _) = self.engine.directory.catalogue.find_defined(space, open.name());
        let user = alternate_user(wanted).filter(|user| !user.is_blank());
        let principal = &self.conversation.principal;
        found.is_some_and(|found| {
            self.engine.directory.is_subscription_of(&found.current().definition, principal, user)
        })
    }

    /// Counts how a program came by a subscription.
    fn note_subscribed(&self, origin: Origin, open: &OpenSubscription, options: SubscribeOptions) {
        match (origin, open.is_durable) {
            (Origin::Made, true) => self.note(Noted::MadeDurable),
            (Origin::Made, false) => self.note(Noted::MadeBrief),
            (Origin::Found, true) if options.contains(SubscribeOptions::ALTER) => self.note(Noted::Altered),
            (Origin::Found, true) => self.note(Noted::Resumed),
            (Origin::Found, false) => {}
        }
    }

    /// Gives the program handles of a subscription that was made for it, which ends if none of its retained
    /// publications can be had.
    fn hold_if_given(
        &mut self,
        open: &Arc<OpenSubscription>,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
        given: Outcome<u32>,
        granted: &Granted<'_>,
    ) -> Outcome<Subscribed> {
        let need = given.need();
        match given.into_inner() {
            Err(reason @ (Reason::RETAINED_NOT_DELIVERED | Reason::RETAINED_MSG_Q_ERROR)) => {
                // Others share it by now, who are given what is published from now on.
                let ended = if self.engine.broker.subscribed.lock().claim_end(&open.id) {
                    self.engine.broker.remove_subscription(open).need()
                } else {
                    Lsn::ZERO
                };
                self.engine.broker.release(&open.id, open.user);
                Gated::new(need.max(ended), Err(reason))
            }
            _ => self.hold(open, wanted, queue, granted).and_needs(need),
        }
    }

    /// MQSUBRQ: how many publications that were retained are on their way to a subscription. Blocks where
    /// they are not in memory.
    pub fn request_publications(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Outcome<u32> {
        self.begin_to_request(subscription, action, options).finish(&self.engine.broker)
    }

    /// MQSUBRQ for a caller that may not wait for the disk.
    pub fn begin_to_request(
        &self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Begun<u32> {
        let begun = self.request_uncounted(subscription, action, options);
        let is_refused = matches!(&begun, Begun::Done(done) if done.value().is_err());
        self.note(if is_refused { Noted::NotRequested } else { Noted::Requested });
        begun
    }

    fn request_uncounted(
        &self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Begun<u32> {
        let checked = self.usable(options.contains(RequestOptions::FAIL_IF_QUIESCING)).and_then(|()| {
            match options.unknown().is_empty() {
                false => Err(Reason::OPTIONS_ERROR),
                true if action != MQSR_ACTION_PUBLICATION => Err(Reason::ACTION_ERROR),
                true => self.handle(subscription),
            }
        });
        let usable = checked.map_err(|reason| (Lsn::ZERO, reason)).and_then(|found| {
            self.may_use(found)?;
            Ok(&found.target)
        });
        let open = match usable {
            Err((need, reason)) => return Begun::Done(Gated::new(need, Err(reason))),
            Ok(Target::Subscription(open)) => open,
            Ok(_) => return Begun::Done(Gated::free(Err(Reason::HOBJ_ERROR))),
        };
        let answer = |given: Outcome<u32>| {
            given.map(|given| match given {
                Ok(0) => Err(Reason::NO_RETAINED_MSG),
                given => given,
            })
        };
        self.engine.broker.request_retained(open).then(answer)
    }

    /// The subscription as it is now, in use by this connection from now on.
    fn find_or_make(
        &self,
        descriptor: &SubscriptionDescriptor,
        destination: Option<&ObjectDescriptor>,
        proofs: Proofs<'_>,
        of_link: LinkSubscription,
    ) -> (Lsn, Result<(OpenSubscription, Origin), Reason>) {
        let engine = &self.engine;
        let options = descriptor.options;
        let (found, need) = engine.broker.find_subscription(&descriptor.name);
        let alternate_user = alternate_user(descriptor).filter(|user| !user.is_blank());
        let wanted = Wanted {
            descriptor,
            destination: destination.cloned(),
            user: alternate_user
                .as_ref()
                .map_or_else(|| self.conversation.principal.name(), |user| user.as_str()),
            connection: self.conversation.party.id,
            granted: proofs.granted,
            queue_granted: proofs.of_queue,
            is_shared: of_link.is_shared,
            excludes: self.client.as_deref().filter(|_| of_link.excludes_own),
            begins_anew: of_link.begins_anew,
            terms: of_link.terms,
        };
        let creates = options.contains(SubscribeOptions::CREATE);
        let uses_existing = options.intersects(SubscribeOptions::RESUME | SubscribeOptions::ALTER);
        // What definitions begin with is nobody's to use.
        if uses_existing && ObjectType::Subscription.default_object() == Some(descriptor.name.as_str()) {
            return (need, Err(Reason::INVALID_SUBSCRIPTION));
        }
        if found.is_none() && !creates {
            return (need, Err(Reason::NO_SUBSCRIPTION));
        }
        if found.is_some() && !uses_existing {
            return (need, Err(Reason::SUB_ALREADY_EXISTS));
        }
        let (observed, pattern) = self.pattern(descriptor);
        let need = need.max(observed);
        let mut origin = if found.is_some() { Origin::Found } else { Origin::Made };
        let (done, open) = match (found, pattern) {
            (_, Err(reason)) => (need, Err(reason)),
            (Some(found), Ok(pattern)) => {
                let (done, used) = engine.broker.use_subscription(&wanted, pattern.as_ref(), &found);
                match (used, pattern) {
                    (Err(reason), Some(pattern)) if wanted.begins_anew && is_another(reason) => {
                        origin = Origin::Made;
                        let (made, open) = engine.broker.replace_subscription(&wanted, &pattern, &found);
                        (done.max(made), open)
                    }
                    (used, _) => (done, used),
                }
            }
            (None, Ok(Some(pattern))) => engine.broker.make_subscription(&wanted, &pattern),
            (None, Ok(None)) => (need, Err(Reason::UNKNOWN_OBJECT_NAME)),
        };
        (need.max(done), open.map(|open| (open, origin)))
    }

    /// The manner of a link: what several share has a name, and own publications are those of a known client.
    fn check_link(&self, of_link: LinkSubscription, name: &str) -> Result<(), Reason> {
        if of_link.is_shared && name.is_empty() {
            Err(Reason::SUB_NAME_ERROR)
        } else if of_link.excludes_own && self.client.is_none() {
            Err(Reason::OPTIONS_ERROR)
        } else {
            Ok(())
        }
    }

    /// The topics a descriptor asks for; none when it leaves that to the subscription there is.
    fn pattern(&self, wanted: &SubscriptionDescriptor) -> (Lsn, Result<Option<Pattern>, Reason>) {
        let says_topic = wanted.options.intersects(SubscribeOptions::CREATE | SubscribeOptions::ALTER);
        if !says_topic || (wanted.object_name.is_blank() && wanted.object_string.is_empty()) {
            return (Lsn::ZERO, Ok(None));
        }
        let (first, need) = if wanted.object_name.is_blank() {
            (Some(String::new()), Lsn::ZERO)
        } else {
            self.engine.directory.topic_string_of(&wanted.object_name)
        };
        let Some(first) = first else { return (need, Err(Reason::UNKNOWN_OBJECT_NAME)) };
        let wildcards = if wanted.options.contains(SubscribeOptions::WILDCARD_CHAR) {
            Wildcards::Characters
        } else {
            Wildcards::Levels
        };
        let whole = TopicString::joined(&first, &wanted.object_string);
        let pattern = whole.and_then(|whole| Pattern::new(whole.as_str(), wildcards));
        (need, pattern.map(Some).map_err(|_| Reason::TOPIC_STRING_ERROR))
    }

    /// The queue a subscription is to have, when it is not the queue manager's to make one.
    fn destination(
        &self,
        options: SubscribeOptions,
        queue: Option<ObjectHandle>,
    ) -> Result<Option<ObjectDescriptor>, Reason> {
        if options.contains(SubscribeOptions::MANAGED) {
            return Ok(None);
        }
        let Some(queue) = queue else {
            // One that is found again keeps the queue it has.
            let makes = options.contains(SubscribeOptions::CREATE);
            return if makes { Err(Reason::HOBJ_ERROR) } else { Ok(None) };
        };
        let Target::Queue { queue, way, .. } = &self.handle(queue)?.target else {
            return Err(Reason::HOBJ_ERROR);
        };
        if queue.is_deleted() {
            return Err(Reason::Q_DELETED);
        }
        let is_temporary = queue.attributes().definition_type == DefinitionType::TemporaryDynamic;
        if is_temporary && options.contains(SubscribeOptions::DURABLE) {
            return Err(Reason::INVALID_DESTINATION);
        }
        Ok(Some(descriptor_of(queue, way.as_deref())))
    }

    /// Gives the program handles of a subscription that is in use by it.
    fn hold(
        &mut self,
        open: &Arc<OpenSubscription>,
        wanted: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
        granted: &Granted<'_>,
    ) -> Outcome<Subscribed> {
        let opened = if opens_queue(wanted.options, queue) {
            self.open_queue_of(open, wanted, granted)
        } else {
            (Lsn::ZERO, Ok(None))
        };
        let (need, queue) = match opened {
            (need, Ok(queue)) => (need, queue),
            (need, Err(reason)) => {
                self.engine.broker.leave_subscription(open);
                return Gated::new(need, Err(reason));
            }
        };
        let number = self.next_number();
        let registration = Registration {
            handle: number,
            object: ObjectName::BLANK,
            object_type: MQOT_TOPIC,
            options: OpenOptions::EMPTY,
            queue: None,
            used: QueueUse::default(),
            memo: None,
            account: None,
            is_creator: false,
            subscription: Some(Arc::clone(open)),
            topic: None,
            right: None,
        };
        let mut registrations = self.conversation.registrations.lock();
        if self.conversation.party.has_ended() {
            drop(registrations);
            self.engine.close(&registration);
            return Gated::free(Err(Reason::CONNECTION_BROKEN));
        }
        registrations.push(registration);
        drop(registrations);
        let target = Target::Subscription(Arc::clone(open));
        self.add_handle(number, Handle::new(OpenOptions::EMPTY, target), granted);
        self.engine.broker.note_use(open);
        let subscribed = Subscribed {
            subscription: ObjectHandle(number),
            queue: queue.as_ref().map(|queue| queue.handle),
            queue_name: queue.as_ref().map_or(ObjectName::BLANK, |queue| queue.object_name),
            is: SubscriptionDescriptor {
                options: open.options_for(wanted.options),
                ..open.descriptor.clone()
            },
            topic_string: open.topic_string.clone(),
            reads_ahead: queue.is_some_and(|queue| queue.reads_ahead),
        };
        Gated::new(need, Ok(subscribed))
    }

    /// Opens the queue of a subscription: the one that the queue manager looks after for it, or the one it
    /// was given.
    fn open_queue_of(
        &mut self,
        open: &OpenSubscription,
        wanted: &SubscriptionDescriptor,
        granted: &Granted<'_>,
    ) -> (Lsn, Result<Option<Opened>, Reason>) {
        let (found, object) = match &open.managed {
            Some(queue) => (Lsn::ZERO, Some(ObjectDescriptor::queue(queue.name))),
            None => self.engine.broker.provided_queue(open),
        };
        let Some(mut object) = object else { return (found, Err(Reason::INVALID_DESTINATION)) };
        let mut how = Subscribed::QUEUE_OPTIONS;
        if let Some(user) = alternate_user(wanted).filter(|_| open.managed.is_none()) {
            object.alternate_user_identifier = user;
            how.insert(OpenOptions::ALTERNATE_USER_AUTHORITY);
        }
        for (asked, opens) in [
            (SubscribeOptions::READ_AHEAD, OpenOptions::READ_AHEAD),
            (SubscribeOptions::NO_READ_AHEAD, OpenOptions::NO_READ_AHEAD),
        ] {
            if wanted.options.contains(asked) {
                how.insert(opens);
            }
        }
        let opened = match &open.managed {
            Some(queue) => match self
                .usable(how.contains(OpenOptions::FAIL_IF_QUIESCING))
                .and_then(|()| self.room_for_handle())
            {
                Ok(()) => {
                    let granted = granted.for_managed_queue(queue.name, how);
                    let found = self.look_up(&self.engine.directory.meaning(&object, &mut ()), how);
                    self.open_found(found, &object, how, None, &granted)
                }
                Err(reason) => Gated::free(Err(reason)),
            },
            None => self.open_uncounted(&object, how),
        };
        let need = found.max(opened.need());
        let opened = opened.into_inner().map_err(|reason| match reason {
            Reason::NOT_AUTHORIZED
            | Reason::HANDLE_NOT_AVAILABLE
            | Reason::Q_MGR_STOPPING
            | Reason::CONNECTION_BROKEN => reason,
            // Deleted, taken by somebody for itself, or elsewhere: there is nothing to get from.
            _ => Reason::INVALID_DESTINATION,
        });
        (need, opened.map(Some))
    }
}

/// The user whose rights count for the subscription, and its owner, where that is not the caller.
fn alternate_user(wanted: &SubscriptionDescriptor) -> Option<Text<12>> {
    let is_other = wanted.options.contains(SubscribeOptions::ALTERNATE_USER_AUTHORITY);
    is_other.then_some(wanted.alternate_user_identifier)
}

/// True if a program that subscribes so is given a handle of the subscription's queue, since it has none of
/// its own.
fn opens_queue(options: SubscribeOptions, queue: Option<ObjectHandle>) -> bool {
    let resumes = options.contains(SubscribeOptions::RESUME) && !options.contains(SubscribeOptions::ALTER);
    options.contains(SubscribeOptions::MANAGED) || resumes && queue.is_none()
}

/// Checks that a descriptor makes sense.
fn check(wanted: &SubscriptionDescriptor) -> Result<(), Reason> {
    let options = wanted.options;
    let both = |one: SubscribeOptions, other: SubscribeOptions| options.contains(one | other);
    let ways = SubscribeOptions::CREATE | SubscribeOptions::RESUME | SubscribeOptions::ALTER;
    let is_group_named = options.contains(SubscribeOptions::SET_CORREL_ID)
        && !wanted.correlation_id.is_none()
        && !options.contains(SubscribeOptions::MANAGED);
    // Beside ALTER, RESUME says nothing more.
    let contradicts = !options.intersects(ways)
        || (options.contains(SubscribeOptions::NEW_PUBLICATIONS_ONLY)
            && !options.contains(SubscribeOptions::CREATE))
        || both(SubscribeOptions::NEW_PUBLICATIONS_ONLY, SubscribeOptions::PUBLICATIONS_ON_REQUEST)
        || both(SubscribeOptions::FIXED_USERID, SubscribeOptions::ANY_USERID)
        || both(SubscribeOptions::WILDCARD_CHAR, SubscribeOptions::WILDCARD_TOPIC)
        || both(SubscribeOptions::READ_AHEAD, SubscribeOptions::NO_READ_AHEAD)
        || (options.contains(SubscribeOptions::GROUP_SUB) && !is_group_named)
        || !options.unknown().is_empty();
    let needs_name = SubscribeOptions::DURABLE | SubscribeOptions::RESUME | SubscribeOptions::ALTER;
    let is_priority = (0..=9).contains(&wanted.priority)
        || [MQPRI_PRIORITY_AS_PUBLISHED, MQPRI_PRIORITY_AS_Q_DEF].contains(&wanted.priority);
    if contradicts {
        Err(Reason::OPTIONS_ERROR)
    } else if options.intersects(needs_name) && wanted.name.is_empty() {
        Err(Reason::SUB_NAME_ERROR)
    } else if !is_priority {
        Err(Reason::PRIORITY_ERROR)
    } else if !(0..=i32::from(LEVEL_MAX)).contains(&wanted.level) {
        Err(Reason::SD_ERROR)
    } else {
        Ok(())
    }
}
