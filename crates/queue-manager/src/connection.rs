//! An application's connection: its handles, its unit of work, and the verbs.
//!
//! Lives here: the types of the verbs, and the table of handles. Lives elsewhere: what each verb does
//! (`verbs`), the part of a connection that other threads reach (`conversation`).
//!
//! One conversation has one `Connection` and calls it from one thread at a time. Verbs never block: a get
//! that must wait, be it for a message or only for one to be read back from the disk, answers
//! [`Get::Waiting`](crate::Get::Waiting) and its outcome comes through `Completions`.

use std::fmt;
use std::sync::Arc;

use mqi::{MessageId, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, QueueManagerName, Reason};
use queues::counters::account::QueueAccount;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::SharedDescriptor;
use queues::message::identifiers::Taken;
use queues::queue::Queue;
use queues::queue::request::HandleMemo;
use queues::unit_of_work::slot::UnitSlot;
use security::{Asked, Object as AskedObject, ObjectKind, Use};
use selector::Selector;
use storage::Lsn;

use crate::authority::Granted;
use crate::authority::commands::kind_of;
use crate::authority::right::{Recorded, Right};
use crate::catalogue::{Defined, Object};
use crate::conversation::Conversation;
use crate::engine::Engine;
use crate::naming::way::{Way, asked_as};
use crate::publishing::TopicTarget;
use crate::subscriptions::OpenSubscription;

/// Fields that a put fills in for its caller.
#[derive(Clone, Debug)]
pub struct PutDone {
    /// The descriptor as MQPUT returns it: identifiers, priority, persistence, date and time.
    pub descriptor: SharedDescriptor,
    /// Where it went.
    pub resolved_queue_name: ObjectName,
    /// On which queue manager.
    pub resolved_queue_manager_name: QueueManagerName,
    /// A warning that travels with the result (2049, for example).
    pub warning: Option<Reason>,
}

/// One application connection. Dropping it ends it: waits are cancelled, the open unit of work is backed out.
pub struct Connection {
    pub(crate) engine: Arc<Engine>,
    pub(crate) conversation: Arc<Conversation>,
    handles: Vec<(i32, Handle)>,
    next_handle: i32,
    identifiers: Taken,
    /// The place of the unit of work in which it puts and gets: its own, or that of a branch.
    pub(crate) unit: Arc<UnitSlot>,
    /// The client that publishes, for subscriptions that leave out its own.
    pub(crate) client: Option<Arc<str>>,
}

/// An open object.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) options: OpenOptions,
    pub(crate) target: Target,
    /// Cursor and saved context, for handles that have them.
    pub(crate) memo: Option<Arc<HandleMemo>>,
    /// Account of its use by its connection.
    pub(crate) account: Option<Arc<QueueAccount>>,
    /// Selector of the messages that a get through it may return.
    pub(crate) selector: Option<Arc<Selector>>,
    /// True if puts whose options leave the response to the object are asynchronous.
    pub(crate) puts_asynchronously: bool,
    /// True where its queue was made from a model for it.
    pub(crate) made_its_queue: bool,
    /// The right by which it is open.
    pub(crate) right: Right,
}

impl Handle {
    /// One that remembers nothing.
    pub(crate) fn new(options: OpenOptions, target: Target) -> Self {
        Self {
            options,
            target,
            memo: None,
            account: None,
            selector: None,
            puts_asynchronously: false,
            made_its_queue: false,
            right: Right::default(),
        }
    }
}

/// Target of a handle.
#[derive(Clone)]
pub(crate) enum Target {
    /// A local queue, and the object by whose name it was opened.
    Queue { opened: Arc<Object<Arc<Queue>>>, queue: Arc<Queue>, way: Option<Arc<Way>> },
    /// The definition of a remote queue, and not that queue.
    Definition(Arc<Object<Arc<Queue>>>),
    /// The queue manager.
    Manager,
    /// A process or a namelist.
    Defined(Arc<Defined>),
    /// A topic.
    Topic(Arc<TopicTarget>),
    /// A subscription.
    Subscription(Arc<OpenSubscription>),
}

impl Target {
    /// The object, as rights are asked for it.
    fn asked_as(&self) -> (ObjectKind, ObjectName) {
        match self {
            Self::Queue { opened, way, .. } => asked_as(opened.name(), way.as_deref()),
            Self::Definition(object) => (ObjectKind::Queue, *object.name()),
            Self::Manager => (ObjectKind::QueueManager, ObjectName::BLANK),
            Self::Defined(found) => (kind_of(found.object_type()), *found.current().definition.name()),
            Self::Topic(topic) => (ObjectKind::Topic, topic.object),
            Self::Subscription(open) => (ObjectKind::Subscription, open.id),
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "Connection({} {})",
            self.conversation.party.id, self.conversation.party.application
        )
    }
}

impl Connection {
    pub(crate) fn new(engine: Arc<Engine>, conversation: Arc<Conversation>, granted: &Granted<'_>) -> Self {
        granted.must_be(&conversation.principal, &Asked::new(AskedObject::MANAGER, Use::Connect));
        let (handles, identifiers) = (Vec::new(), Taken::default());
        let unit = Arc::clone(&conversation.party.unit);
        Self { engine, conversation, handles, next_handle: 1, identifiers, unit, client: None }
    }

    /// The number by which displays know this connection.
    #[must_use]
    pub fn identifier(&self) -> u64 {
        self.conversation.party.id
    }

    /// True if it has ended: every call is refused as broken.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.conversation.party.has_ended()
    }

    /// True if a message that this connection put is still on its way to a getter, without the log.
    #[must_use]
    pub fn is_handing(&self) -> bool {
        self.conversation.party.side.is_putting()
    }

    /// True if a message that was handed to this connection without the log is still on its way to it.
    #[must_use]
    pub fn is_being_handed(&self) -> bool {
        self.conversation.party.side.is_getting()
    }

    /// The number of the last commit known of this client instance (rule 24), if one is remembered: gated as
    /// the answer to that commit was.
    pub fn last_commit(&self) -> Gated<Option<u64>> {
        match self.engine.queues.clients.lock().last(&self.conversation.instance) {
            Some((number, need)) => Gated::new(need, Some(number)),
            None => Gated::free(None),
        }
    }

    /// Checks that calls may go on: the connection was not ended from elsewhere, and the queue manager does
    /// not stop.
    pub(crate) fn usable(&self, fail_if_quiescing: bool) -> Result<(), Reason> {
        if self.conversation.party.has_ended() {
            return Err(Reason::CONNECTION_BROKEN);
        }
        self.engine.ground().quiescing(fail_if_quiescing)
    }

    /// The handle of a number.
    pub(crate) fn handle(&self, handle: ObjectHandle) -> Result<&Handle, Reason> {
        let index = self.handles.binary_search_by_key(&handle.0, |(number, _)| *number);
        index.map(|index| &self.handles[index].1).map_err(|_| Reason::HOBJ_ERROR)
    }

    /// Refuses the use of a handle whose right was taken away since it was opened.
    ///
    /// # Errors
    /// 2035, and the position that must be durable before it may be known outside.
    #[inline]
    pub(crate) fn may_use(&self, handle: &Handle) -> Result<(), (Lsn, Reason)> {
        if handle.right.is_judged(self.engine.directory.door.generation()) {
            Ok(())
        } else {
            self.engine.judge_again(&self.conversation.principal, &handle.right, Recorded::Yes)
        }
    }

    /// True if puts through a handle whose options leave the response to the object are asynchronous.
    #[must_use]
    pub fn puts_asynchronously(&self, handle: ObjectHandle) -> bool {
        self.handle(handle).is_ok_and(|open| open.puts_asynchronously)
    }

    /// Returns true if a temporary queue of this name ends with one of its handles.
    #[must_use]
    pub fn has_made(&self, queue: &ObjectName) -> bool {
        let registrations = self.conversation.registrations.lock();
        registrations.iter().any(|registration| registration.is_creator && registration.object == *queue)
    }

    /// An identifier for a message that this connection puts.
    pub(crate) fn next_message_id(&self) -> MessageId {
        self.engine.directory.identifiers.next_of(&self.identifiers)
    }

    /// Tells of a call on an open queue that was refused, if the queue manager is to.
    #[cold]
    pub(crate) fn tell_inhibited(&self, name: ObjectName, reason: Reason, need: Lsn) {
        self.tell_refused(&ObjectDescriptor::queue(name), reason, need);
    }

    /// Tells of an open or a put by name that was refused, if the queue manager is to.
    #[cold]
    pub(crate) fn tell_refused(&self, object: &ObjectDescriptor, reason: Reason, need: Lsn) {
        self.engine.directory.tell_refused(&self.conversation.party.origin, object, reason, need);
    }

    /// Checks that one more object may be opened.
    pub(crate) fn room_for_handle(&self) -> Result<(), Reason> {
        self.room_for_handles(1)
    }

    /// Checks that so many more objects may be opened.
    pub(crate) fn room_for_handles(&self, more: usize) -> Result<(), Reason> {
        let attribute = self.engine.directory.catalogue.manager().attributes.handles_max;
        let handles_max = attribute.min(self.engine.ground().settings.handles_max) as usize;
        if self.handles.len() + more > handles_max { Err(Reason::HANDLE_NOT_AVAILABLE) } else { Ok(()) }
    }

    /// The number the next handle will have: ascending, so that a number is not soon given to another object.
    pub(crate) fn next_number(&mut self) -> i32 {
        if self.next_handle == i32::MAX {
            self.next_handle = self.handles.len() as i32 + 1;
        }
        while self.handle(ObjectHandle(self.next_handle)).is_ok() {
            self.next_handle += 1;
        }
        self.next_handle
    }

    pub(crate) fn add_handle(&mut self, number: i32, handle: Handle, granted: &Granted<'_>) {
        let (kind, name) = handle.target.asked_as();
        granted.must_open(&self.conversation.principal, (kind, &name), handle.options);
        let right = match &handle.target {
            Target::Topic(topic) if topic.alias.is_some() => granted.right().by_alias(topic.name),
            _ => granted.right(),
        };
        let mut registrations = self.conversation.registrations.lock();
        let registration = registrations.iter_mut().rev().find(|one| one.handle == number);
        if let Some(registration) = registration {
            registration.right = Some(right.clone());
        }
        drop(registrations);
        let handle = Handle { made_its_queue: granted.makes_queue(), right, ..handle };
        let index = self.handles.partition_point(|(other, _)| *other < number);
        self.handles.insert(index, (number, handle));
        self.next_handle = number + 1;
    }

    pub(crate) fn remove_handle(&mut self, handle: ObjectHandle) -> Result<Handle, Reason> {
        let index = self.handles.binary_search_by_key(&handle.0, |(number, _)| *number);
        index.map(|index| self.handles.remove(index).1).map_err(|_| Reason::HOBJ_ERROR)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.engine.end_conversation(&self.conversation);
    }
}

/// Parts a connection, which may be used at once, from the number of its last commit, which is gated as its
/// beginning is: its verbs' answers wait behind that.
pub fn begin(connected: Outcome<Connection>) -> (Option<Connection>, Outcome<Option<u64>>) {
    let need = connected.need();
    match connected.into_inner() {
        Ok(connection) => {
            let last_commit = connection.last_commit().and_needs(need).changed(Ok);
            (Some(connection), last_commit)
        }
        Err(reason) => (None, Gated::new(need, Err(reason))),
    }
}
