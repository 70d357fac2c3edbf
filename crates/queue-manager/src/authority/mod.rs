//! The door of authority.
//!
//! Lives here: judging a request, the proof that it was granted, and the record of a refusal. Lives
//! elsewhere: principals and requests (`security`), and the takers of the proof: `connection` (a connection,
//! a handle), `naming::dynamic` (a dynamic or managed queue), `subscriptions`, `verbs::put` and
//! `verbs::publish` (by name), `reports::sending` (messages of the queue manager's own), `command`.
//!
//! Always: only [`Door::authorize`] makes a [`Granted`], with two exceptions. The queue of a subscription has
//! its proof from the proof of the subscription, and a command about several objects judges each by itself
//! (`commands`). A name is judged before anything is looked up by it. A refused request changes nothing.
//!
//! Until there is a user, a key or an authority record every request is granted (`book`). Then logins of
//! administrators pass, and the records judge the others ([`Judge`]). Handles remember the request that they
//! were opened by (`right`), and are judged again when records, or definitions that verdicts rest on, have
//! changed. Messages of the queue manager itself (trigger messages, events) pass as those of a part of it,
//! under any rules, and a report once the user of its message may put it. Objects that a restart makes anew
//! are no requests and pass no door.

mod book;
pub(crate) mod commands;
mod denied;
mod parts;
pub(crate) mod right;
mod types;

pub(crate) use book::{Book, Rules, Table, bits, entity, keys};
pub(crate) use denied::{Denied, Refused};
pub(crate) use types::{kind_of_record, type_of};

use std::sync::{Arc, Weak};

use mqi::{
    CloseOptions, ObjectDescriptor, ObjectName, ObjectType as Kind, OpenOptions, PutFlags, QueueManagerName,
    Reason, SubscribeOptions, Text,
};
use platform::World;
use queues::gate::{BehindGate, Outcome};
use queues::ground::explanation::Explanation;
use queues::ground::host::{Host, Refusal};
use security::{Asked, Identity, Object, ObjectKind, Part, Principal, Use, check_name};
use storage::Lsn;

use right::Right;

/// The maker of things of a user without a name.
const NAMELESS: &str = "nobody";

/// The rules by which requests are judged.
pub trait Authority: Send + Sync {
    /// Judges a request, without a look at the state of queues. The outcome needs the position of the last
    /// change of the rules.
    fn judge(&self, principal: &Principal, asked: &Asked<'_>) -> Outcome<()>;
}

/// The judge of requests by records, which knows the definitions there are.
pub(crate) trait Judge: Send + Sync {
    /// Judges a request that no login of an administrator makes for itself.
    fn judge(
        &self,
        rules: &Rules,
        principal: &Principal,
        asked: &Asked<'_>,
    ) -> (Lsn, Result<(), Box<Explanation>>);
    /// Tells of a refusal, not before the position is durable.
    fn tell_refused(&self, principal: &Principal, asked: &Asked<'_>, need: Lsn);
}

/// The proof that a request was granted.
///
/// Nothing outside the door can make one:
///
/// ```compile_fail,E0451
/// use queue_manager::Granted;
/// use security::{Asked, Object, Principal, Use};
///
/// let asked = Asked::new(Object::MANAGER, Use::Connect);
/// let need = storage::Lsn::ZERO;
/// let principal = Principal::of_process();
/// let (generation, stands_for, is_by_object, of_another) = (0, None, false, "");
/// let forged =
///     Granted { principal, asked, need, generation, stands_for, is_by_object, of_another };
/// ```
#[derive(Debug)]
#[must_use = "a request is granted for something to be done"]
pub struct Granted<'a> {
    principal: Principal,
    asked: Asked<'a>,
    need: Lsn,
    /// The rules by which it was judged, by their number.
    generation: u64,
    /// The request that is judged again, for the queue of a subscription: that for the subscription.
    stands_for: Option<Asked<'a>>,
    /// Says whether nothing was judged so far: each object that the request meets is, by itself.
    is_by_object: bool,
    /// The name of the subscription of another user that it is for; empty for all else.
    of_another: &'a str,
}

/// The door of one queue manager.
pub(crate) struct Door {
    /// Rules that a host brings in place of the records.
    rules: Option<Arc<dyn Authority>>,
    /// The records.
    pub(crate) book: Arc<Book>,
    records: Weak<dyn Judge>,
    host: Arc<dyn Host>,
    world: World,
    /// The name of the queue manager.
    name: QueueManagerName,
    /// The part that puts the messages that the queue manager makes itself.
    message_making: Principal,
}

impl Door {
    pub(crate) fn new(
        (rules, book): (Option<Arc<dyn Authority>>, Arc<Book>),
        (records, host): (Weak<dyn Judge>, Arc<dyn Host>),
        world: &World,
        name: QueueManagerName,
    ) -> Self {
        let message_making = Principal::of_part(Part::MessageMaking);
        Self { rules, book, records, host, world: world.clone(), name, message_making }
    }

    /// The number of the rules: a verdict by the same number still holds.
    #[inline]
    pub(crate) fn generation(&self) -> u64 {
        self.book.generation()
    }

    /// Judges a request. A refusal is recorded.
    ///
    /// # Errors
    /// The reason, and the position that must be durable before it may be known outside.
    pub(crate) fn authorize<'a>(
        &self,
        principal: &Principal,
        asked: Asked<'a>,
    ) -> Result<Granted<'a>, (Lsn, Reason)> {
        let Judged { need, generation, verdict } = self.judge(principal, &asked);
        match verdict {
            Ok(()) => Ok(Granted::new(principal, asked, (need, generation))),
            Err(refused) => {
                let reason = refused.reason;
                self.record(principal, &asked, &refused, need);
                Err((need, reason))
            }
        }
    }

    /// Judges a granted request again: what it is about was found only now. A refusal is recorded.
    ///
    /// # Errors
    /// The reason, and the position that must be durable before it may be known outside.
    pub(crate) fn judge_granted(&self, granted: &Granted<'_>) -> Result<(), (Lsn, Reason)> {
        self.authorize(&granted.principal, granted.asked).map(drop)
    }

    /// Judges granted requests again, under the lock of the change that they are for. Returns the position
    /// that must be durable before the change may be known outside.
    ///
    /// # Errors
    /// The request that is refused by now. [`Door::refuse_lost`] records it once that lock is free.
    pub(crate) fn judge_under_lock<'g>(
        &self,
        all: impl IntoIterator<Item = &'g Granted<'g>>,
    ) -> Result<Lsn, Lost<'g>> {
        let mut needed = Lsn::ZERO;
        for granted in all {
            let Judged { need, verdict, .. } = self.judge(&granted.principal, &granted.asked);
            needed = needed.max(need);
            verdict.map_err(|refused| Lost { granted, refused, need })?;
        }
        Ok(needed)
    }

    /// The same where the rules have changed since they were granted.
    ///
    /// # Errors
    /// The request that is refused by now.
    pub(crate) fn judge_changed_under_lock<'g>(
        &self,
        all: impl IntoIterator<Item = &'g Granted<'g>>,
    ) -> Result<Lsn, Lost<'g>> {
        let generation = self.generation();
        self.judge_under_lock(all.into_iter().filter(|granted| !granted.is_judged(generation)))
    }

    /// Records that a granted request is refused by now. Returns the position that must be durable before
    /// that may be known outside, and the reason. Called without locks.
    #[cold]
    pub(crate) fn refuse_lost(&self, Lost { granted, refused, need }: &Lost<'_>) -> (Lsn, Reason) {
        self.record(&granted.principal, &granted.asked, refused, *need);
        (*need, refused.reason)
    }

    /// Judges the end of a subscription that was found, and a new one of its name for the topic of the
    /// request, which was granted for using it.
    ///
    /// # Errors
    /// The reason, and the position that must be durable before it may be known outside.
    pub(crate) fn judge_new_for(
        &self,
        granted: &Granted<'_>,
        id: &ObjectName,
        name: &str,
    ) -> Result<(), (Lsn, Reason)> {
        let Granted { principal, asked, .. } = granted;
        let Use::Subscribe { options, .. } = asked.used else { return Ok(()) };
        let options = options.without(SubscribeOptions::RESUME);
        let makes = Asked { used: Use::Subscribe { options, subscription: "" }, ..*asked };
        let _makes = self.authorize(principal, makes)?;
        let ends = Use::Close { options: CloseOptions::REMOVE_SUB, is_maker: false };
        let found = Object::texted(ObjectKind::Subscription, *id, name);
        self.authorize(principal, Asked { object: found, used: ends, ..*asked }).map(drop)
    }

    /// Judges a request, and records nothing.
    pub(crate) fn judge(&self, principal: &Principal, asked: &Asked<'_>) -> Judged {
        // Read first: by the time the rules are, there may be newer ones, and the verdict is given again.
        let generation = self.book.generation();
        let rules = self.book.rules();
        let free = |verdict: Result<(), Reason>| Judged {
            need: Lsn::ZERO,
            generation,
            verdict: verdict.map_err(Refused::without_explanation),
        };
        match (principal.part(), asked.alternate_user) {
            // An answer goes where the user of the command may put one.
            (Some(Part::CommandServer), Some(named)) => {
                return self.judge(&self.user_of_message(named), &asked.by_that_user());
            }
            (Some(part), _) => return free(parts::judge(part, asked)),
            (None, _) => {}
        }
        // A name that no record could mean is that of no user, also for callers that may act for others.
        if asked.alternate_user.is_some_and(|user| check_name(user.as_str()).is_err()) {
            return free(Err(Reason::NOT_AUTHORIZED));
        }
        if let Some(own) = &self.rules {
            let judged = own.judge(principal, asked);
            return Judged { need: judged.need(), ..free(judged.into_inner()) };
        }
        let is_free = !rules.is_judging || principal.is_administrator() && asked.alternate_user.is_none();
        let Some(records) = (!is_free).then(|| self.records.upgrade()).flatten() else {
            return free(if is_free { Ok(()) } else { Err(Reason::NOT_AUTHORIZED) });
        };
        let (need, verdict) = records.judge(&rules, principal, asked);
        let verdict =
            verdict.map_err(|why| Refused { reason: Reason::NOT_AUTHORIZED, explanation: Some(why) });
        Judged { need, generation, verdict }
    }

    /// The user that a message names: the one user whose messages carry this UserIdentifier, if there is one.
    pub(crate) fn user_of_message(&self, identifier: Text<12>) -> Principal {
        let whole = self.host.user_of_identifier(identifier.as_str().trim_end());
        let principal = whole.and_then(|name| Principal::new(&name, Identity::Message).ok());
        principal.unwrap_or_else(|| Principal::of_message(identifier))
    }

    /// Tells if each request that this user makes for itself is granted without a look at the records.
    pub(crate) fn is_free(&self, principal: &Principal) -> bool {
        self.rules.is_none() && (!self.book.rules().is_judging || principal.is_administrator())
    }

    /// The user for whose bounds a thing counts that a principal makes; blank where only the bounds for all
    /// do: for administrators, for parts of the queue manager, and for everybody until requests are judged.
    /// A character that no line of text has is a question mark, so that the name can be kept and shown.
    pub(crate) fn maker(&self, principal: &Principal) -> String {
        if principal.part().is_some() || self.is_free(principal) {
            return String::new();
        }
        let name = principal.name().trim_end_matches(' ');
        let shown = name.chars().map(|one| if one.is_control() { '?' } else { one });
        if name.is_empty() { NAMELESS.to_owned() } else { shown.collect() }
    }

    /// Tells if logins and requests are judged: there was a user, a key or an authority record.
    pub(crate) fn is_judging(&self) -> bool {
        self.rules.is_some() || self.book.rules().is_judging
    }

    /// Judges a put that the queue manager itself makes by the name of a queue.
    ///
    /// # Errors
    /// The reason.
    pub(crate) fn authorize_own_put<'a>(&self, to: &'a ObjectDescriptor) -> Result<Granted<'a>, Reason> {
        let asked = Asked::new(self.object_asked(to)?, Use::Put(PutFlags::NO_SYNCPOINT));
        self.authorize(&self.message_making, asked).map_err(|(_, reason)| reason)
    }

    /// Stops the process when the grant is not for such a put to this object.
    pub(crate) fn must_be_own_put(&self, granted: &Granted<'_>, to: &ObjectDescriptor) {
        let object = self.object_asked(to);
        let is_right = object.is_ok_and(|object| object == granted.asked.object);
        assert!(is_right, "{granted:?} is not for a put to {}", to.object_name);
        let Object { kind, name, .. } = granted.asked.object;
        granted.must_put(&self.message_making, (kind, &name));
    }

    /// Refuses a request that the principal may not make under any rules, and records that.
    #[cold]
    pub(crate) fn refuse(&self, principal: &Principal, asked: &Asked<'_>) -> Reason {
        let refused = Refused::without_explanation(Reason::NOT_AUTHORIZED);
        self.record(principal, asked, &refused, Lsn::ZERO);
        Reason::NOT_AUTHORIZED
    }

    /// Records a refusal, and tells of it. Returns its number. Called without locks.
    #[cold]
    pub(crate) fn record(&self, user: &Principal, asked: &Asked<'_>, refused: &Refused, need: Lsn) -> u64 {
        let mut options = asked.used.to_string();
        if let Some(alternate) = &asked.alternate_user {
            options.push_str(&format!(" for user {}", alternate.as_str().escape_debug()));
        }
        let id = self.world.entropy.next_u64();
        let id = self.host.audit(&Refusal {
            id,
            at: self.world.clock.wall(),
            user: user.clone(),
            object: asked.object.to_string(),
            options,
            reason: refused.reason,
            explanation: refused.explanation.as_deref().cloned(),
            login: None,
        });
        if let Some(records) = self.records.upgrade() {
            records.tell_refused(user, asked, need);
        }
        id
    }

    /// The object that a descriptor names, without a look whether it is there: an alias of a queue manager
    /// counts as the queue manager that it is called ([`Meaning`](crate::naming::resolve::Meaning) passes it
    /// over).
    ///
    /// # Errors
    /// When there is no such kind of object.
    pub(crate) fn object_asked<'a>(&self, object: &'a ObjectDescriptor) -> Result<Object<'a>, Reason> {
        let manager = object.object_queue_manager_name;
        let is_own = manager.is_blank() || manager == self.name;
        let name = object.object_name;
        match object.object_type {
            Kind::Queue if is_own => Ok(Object::named(ObjectKind::Queue, name)),
            Kind::Queue => Ok(Object::named(ObjectKind::RemoteQueueManager, manager.into())),
            Kind::QueueManager => Ok(Object::MANAGER),
            Kind::Namelist => Ok(Object::named(ObjectKind::Namelist, name)),
            Kind::Process => Ok(Object::named(ObjectKind::Process, name)),
            Kind::Topic => Ok(Object::texted(ObjectKind::Topic, name, &object.object_string)),
            Kind::Other(_) if is_own => Err(Reason::OBJECT_TYPE_ERROR),
            Kind::Other(_) => Err(Reason::UNKNOWN_OBJECT_Q_MGR),
        }
    }
}

/// A granted request that is refused by the time of the change that it is for.
pub(crate) struct Lost<'g> {
    granted: &'g Granted<'g>,
    refused: Refused,
    need: Lsn,
}

/// The judgement of one request.
pub(crate) struct Judged {
    /// The position that must be durable before the verdict may be known outside.
    pub(crate) need: Lsn,
    /// The number of the rules.
    pub(crate) generation: u64,
    pub(crate) verdict: Result<(), Refused>,
}

impl<'a> Granted<'a> {
    fn new(principal: &Principal, asked: Asked<'a>, (need, generation): (Lsn, u64)) -> Self {
        let principal = principal.clone();
        Self { principal, asked, need, generation, stands_for: None, is_by_object: false, of_another: "" }
    }

    /// The right that a handle has by this grant, to be judged again when the rules change. The handle that
    /// made its queue has all rights as long as it is open.
    pub(crate) fn right(&self) -> Right {
        match self.asked.used {
            Use::Make { .. } => Right::of_maker(),
            _ => Right::of(self.stands_for.as_ref().unwrap_or(&self.asked), self.of_another, self.generation),
        }
    }

    /// The principal that it was granted to.
    pub(crate) fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The position that must be durable before an effect of the grant may be known outside.
    #[must_use]
    pub fn need(&self) -> Lsn {
        self.need
    }

    /// True where it was judged by rules of this number.
    #[inline]
    pub(crate) fn is_judged(&self, generation: u64) -> bool {
        self.generation == generation
    }

    /// Makes the same request for another object.
    pub(crate) fn of_object(&self, object: Object<'a>) -> Asked<'a> {
        Asked { object, ..self.asked }
    }

    /// Stops the process when the grant is for another request.
    pub(crate) fn must_be(&self, principal: &Principal, asked: &Asked<'_>) {
        assert!(self.principal == *principal && self.asked == *asked, "{self:?} is not for {asked:?}");
    }

    /// Stops the process when the grant is not for a handle to this object, with these options.
    pub(crate) fn must_open(
        &self,
        principal: &Principal,
        (kind, name): (ObjectKind, &ObjectName),
        options: OpenOptions,
    ) {
        let is_right = match self.asked.used {
            Use::Open(granted) | Use::Make { options: granted, .. } => {
                granted == options && self.is_for(kind, name)
            }
            Use::Subscribe { .. } => kind == ObjectKind::Subscription,
            Use::Connect
            | Use::Put(_)
            | Use::Close { .. }
            | Use::Receive
            | Use::Command(_)
            | Use::Lend { .. } => false,
        };
        assert!(self.principal == *principal && is_right, "{self:?} is not for a handle to {kind:?} {name}");
    }

    fn is_for(&self, kind: ObjectKind, name: &ObjectName) -> bool {
        let is_named = || self.asked.object.name == *name || kind == ObjectKind::QueueManager;
        self.asked.object.kind == kind && is_named()
    }

    /// True where the rights of an alternate user were judged.
    pub(crate) fn is_for_another(&self) -> bool {
        self.asked.alternate_user.is_some()
    }

    /// True for the grant of a dynamic queue that a program asks for.
    pub(crate) fn makes_queue(&self) -> bool {
        matches!(self.asked.used, Use::Make { .. })
    }

    /// Stops the process when the grant is not for making this queue. A subscription may make one that is
    /// looked after for it.
    pub(crate) fn must_make(&self, name: &ObjectName, is_managed: bool) {
        let is_right = match self.asked.used {
            Use::Make { .. } => self.is_for(ObjectKind::Queue, name),
            Use::Subscribe { .. } => is_managed,
            Use::Connect
            | Use::Open(_)
            | Use::Put(_)
            | Use::Close { .. }
            | Use::Receive
            | Use::Command(_)
            | Use::Lend { .. } => false,
        };
        assert!(is_right, "{self:?} is not for making queue {name}");
    }

    /// Stops the process when the grant is not for a put of this user by the name of this object.
    pub(crate) fn must_put(&self, principal: &Principal, (kind, name): (ObjectKind, &ObjectName)) {
        let is_put = self.principal == *principal && matches!(self.asked.used, Use::Put(_));
        assert!(is_put && self.is_for(kind, name), "{self:?} is not for a put to {kind:?} {name}");
    }

    /// The grant for a subscription that was found by its name: for its own topics, of which the request may
    /// say nothing. `of_another` is the name of one that is another user's.
    pub(crate) fn to_subscription<'b>(
        &self,
        topics: &'b str,
        wildcards: SubscribeOptions,
        of_another: &'b str,
    ) -> Granted<'b>
    where
        'a: 'b,
    {
        const WILDCARDS: SubscribeOptions =
            SubscribeOptions::WILDCARD_CHAR.union(SubscribeOptions::WILDCARD_TOPIC);
        let Use::Subscribe { options, subscription } = self.asked.used else {
            unreachable!("{self:?} is for a subscription");
        };
        let options = options.without(WILDCARDS) | (wildcards & WILDCARDS);
        let object = Object::texted(ObjectKind::Topic, ObjectName::BLANK, topics);
        let asked = Asked { object, used: Use::Subscribe { options, subscription }, ..self.asked };
        let granted = Granted::new(&self.principal, asked, (self.need, self.generation));
        Granted { of_another, ..granted }
    }

    /// The grant to open the queue that is looked after for a subscription, which comes with the
    /// subscription.
    pub(crate) fn for_managed_queue(&self, name: ObjectName, options: OpenOptions) -> Self {
        self.must_make(&name, true);
        let asked = Asked::new(Object::named(ObjectKind::Queue, name), Use::Open(options));
        let granted = Self::new(&self.principal, asked, (self.need, self.generation));
        Self { stands_for: Some(self.asked), of_another: self.of_another, ..granted }
    }
}
