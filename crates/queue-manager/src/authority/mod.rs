//! The door of authority.
//!
//! Lives here: judging a request, the proof that it was granted, and the record of a refusal. Lives
//! elsewhere: principals and requests (`security`), and the takers of the proof: `connection` (a connection,
//! a handle), `naming::dynamic` (a dynamic or managed queue), `subscriptions`, `verbs::put` and
//! `verbs::publish` (by name), `reports::sending` (messages of the queue manager's own), `command`.
//!
//! Always: nothing but [`Door::authorize`] makes a [`Granted`], but for the queue of a subscription, whose
//! proof comes of that of the subscription, and for a command about several objects, of which each is judged
//! by itself (`commands`). A name is judged before anything is looked up by it, and a refused request changes
//! nothing.
//!
//! Without rules every request is granted. Messages that the queue manager itself makes (reports, trigger
//! messages, events) pass as those of a part of it, whatever the rules say. What a restart makes anew is no
//! request and passes no door.

pub(crate) mod commands;
mod parts;

use std::sync::Arc;

use mqi::{
    ObjectDescriptor, ObjectName, ObjectType as Kind, OpenOptions, PutFlags, QueueManagerName, Reason,
};
use platform::World;
use security::{Asked, Object, ObjectKind, Part, Principal, Use};
use storage::Lsn;

use crate::gate::Outcome;
use crate::ground::host::{Host, Refusal};

/// The rules by which requests are judged.
pub trait Authority: Send + Sync {
    /// Judges a request, without a look at the state of queues. The outcome needs the position of the last
    /// change of the rules.
    fn judge(&self, principal: &Principal, asked: &Asked<'_>) -> Outcome<()>;
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
/// let forged = Granted { principal: Principal::of_process(), asked, need, is_by_object: false };
/// ```
#[derive(Debug)]
#[must_use = "a request is granted for something to be done"]
pub struct Granted<'a> {
    principal: Principal,
    asked: Asked<'a>,
    need: Lsn,
    /// Says whether nothing was judged so far: each object that the request meets is, by itself.
    is_by_object: bool,
}

/// The door of one queue manager.
pub(crate) struct Door {
    /// The rules by which requests are judged; without them each is granted.
    rules: Option<Arc<dyn Authority>>,
    host: Arc<dyn Host>,
    world: World,
    /// The name of the queue manager.
    name: QueueManagerName,
    /// The part that puts the messages that the queue manager makes itself.
    message_making: Principal,
}

impl Door {
    pub(crate) fn new(
        rules: Option<Arc<dyn Authority>>,
        host: Arc<dyn Host>,
        world: &World,
        name: QueueManagerName,
    ) -> Self {
        let message_making = Principal::of_part(Part::MessageMaking);
        Self { rules, host, world: world.clone(), name, message_making }
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
        let (need, judged) = self.judge(principal, &asked);
        match judged {
            Ok(()) => Ok(Granted { principal: principal.clone(), asked, need, is_by_object: false }),
            Err(reason) => {
                self.record(principal, &asked, reason);
                Err((need, reason))
            }
        }
    }

    /// Judges a request, and records nothing.
    fn judge(&self, principal: &Principal, asked: &Asked<'_>) -> (Lsn, Result<(), Reason>) {
        let judged = match (principal.part(), &self.rules) {
            (Some(part), _) => Outcome::free(parts::judge(part, asked)),
            (None, Some(rules)) => rules.judge(principal, asked),
            (None, None) => Outcome::free(Ok(())),
        };
        (judged.need(), judged.into_inner())
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

    /// Refuses a request that is not the principal's to make, whatever the rules say, and records that.
    #[cold]
    pub(crate) fn refuse(&self, principal: &Principal, asked: &Asked<'_>) -> Reason {
        self.record(principal, asked, Reason::NOT_AUTHORIZED);
        Reason::NOT_AUTHORIZED
    }

    /// Records a refusal. Returns its number.
    #[cold]
    fn record(&self, user: &Principal, asked: &Asked<'_>, reason: Reason) -> u64 {
        let mut options = asked.used.to_string();
        if let Some(alternate) = &asked.alternate_user {
            options.push_str(&format!(" for user {}", alternate.as_str().escape_debug()));
        }
        let id = self.world.entropy.next_u64();
        self.host.audit(&Refusal {
            id,
            at: self.world.clock.wall(),
            user: user.clone(),
            object: asked.object.to_string(),
            options,
            reason,
        });
        id
    }

    /// The object that a descriptor names, without a look whether it is there.
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

impl<'a> Granted<'a> {
    /// The position that must be durable before an effect of the grant may be known outside.
    #[must_use]
    pub fn need(&self) -> Lsn {
        self.need
    }

    /// The same grant, of which the effects need this position as well.
    pub(crate) fn and_needs(self, other: Lsn) -> Self {
        Self { need: self.need.max(other), ..self }
    }

    /// The same request for another object.
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
            Use::Connect | Use::Put(_) | Use::Close { .. } | Use::Receive | Use::Command(_) => false,
        };
        assert!(self.principal == *principal && is_right, "{self:?} is not for a handle to {kind:?} {name}");
    }

    fn is_for(&self, kind: ObjectKind, name: &ObjectName) -> bool {
        let is_named = || self.asked.object.name == *name || kind == ObjectKind::QueueManager;
        self.asked.object.kind == kind && is_named()
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
            | Use::Command(_) => false,
        };
        assert!(is_right, "{self:?} is not for making queue {name}");
    }

    /// Stops the process when the grant is not for a put of this user by the name of this object.
    pub(crate) fn must_put(&self, principal: &Principal, (kind, name): (ObjectKind, &ObjectName)) {
        let is_put = self.principal == *principal && matches!(self.asked.used, Use::Put(_));
        assert!(is_put && self.is_for(kind, name), "{self:?} is not for a put to {kind:?} {name}");
    }

    /// The grant to open the queue that is looked after for a subscription, which comes with the
    /// subscription.
    pub(crate) fn for_managed_queue(&self, name: ObjectName, options: OpenOptions) -> Granted<'static> {
        self.must_make(&name, true);
        let asked = Asked::new(Object::named(ObjectKind::Queue, name), Use::Open(options));
        Granted { principal: self.principal.clone(), asked, need: self.need, is_by_object: false }
    }
}
