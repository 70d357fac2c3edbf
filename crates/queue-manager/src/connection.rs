//! An application's connection: its handles, its unit of work, and the verbs.
//!
//! Lives here: the types of the verbs, and the table of handles. Lives elsewhere: what each verb does (`verbs`), the
//! part of a connection that other threads reach (`conversation`).
//!
//! One conversation has one `Connection` and calls it from one thread at a time. Verbs never block: a get that
//! must wait, be it for a message or only for one to be read back from the disk, answers [`Get::Waiting`] and its
//! outcome comes through `Completions`.

use std::fmt;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use formats::convert;
use formats::headers::Place;
use mqi::{Got, MessageId, MessageToken, ObjectHandle, ObjectName, OpenOptions, QueueManagerName, Reason};
use selector::Selector;
use storage::Reservation;

use crate::accounting::QueueAccount;
use crate::catalogue::{Defined, Object};
use crate::conversation::Conversation;
use crate::engine::Engine;
use crate::message::identifiers::Taken;
use crate::message::presentation::Form;
use crate::message::{GotDescriptor, SharedDescriptor};
use crate::publishing::TopicTarget;
use crate::queue::Queue;
use crate::queue::measured::Arrived;
use crate::queue::request::HandleMemo;
use crate::subscriptions::OpenSubscription;
use crate::way::Way;
use crate::{Gated, Outcome, Receipt};

/// Names one waiting get of a connection; chosen by the caller, unique among its waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitToken(pub u64);

/// Names the waits of a getter that takes several messages, one after the other: each by the number after that of the one before.
/// Where it must wait, and nobody else has its queue open to get from, it goes on waiting when it was given one ([`GotMessage::waits_on`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The wait for the next message.
    pub token: WaitToken,
    /// How many messages it takes.
    pub messages: u32,
    /// How many bytes their bodies have, to within the last.
    pub bytes: u64,
}

impl From<WaitToken> for Series {
    /// That of one message.
    fn from(token: WaitToken) -> Self {
        Self { token, messages: 1, bytes: u64::MAX }
    }
}

impl Series {
    /// What is left of it after a message with a body of so many bytes.
    pub(crate) fn after(self, body_bytes: usize) -> Option<Self> {
        let token = WaitToken(self.token.0.wrapping_add(1));
        let (messages, bytes) =
            (self.messages.saturating_sub(1), self.bytes.saturating_sub(body_bytes as u64));
        (messages > 0 && bytes > 0).then_some(Self { token, messages, bytes })
    }
}

/// What a wait has come to that is to go on no longer than needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concluded {
    /// It has found nothing, and goes on.
    HasNothing,
    /// It has found a message that is being read, and ends with it; without it when that is gone by then.
    Reads,
    /// It is over, and its outcome on its way, unless the connection was ended.
    IsOver,
}

/// A message given to a getter.
#[derive(Clone, Debug)]
pub struct GotMessage {
    /// The descriptor as MQGET returns it, backout count included.
    pub descriptor: GotDescriptor,
    /// The body, cut to the getter's length when that was accepted.
    pub body: Bytes,
    /// The whole length of the message.
    pub data_length: usize,
    /// A warning that travels with the result: 2079, or 2080, after which the message is still where it was.
    pub warning: Option<Reason>,
    /// The queue it came from.
    pub resolved_queue_name: ObjectName,
    /// What names it as long as it is there.
    pub message_token: MessageToken,
    /// The folders of its properties for the getter's message handle; none when the handle is not to be filled.
    pub properties: Option<Box<[String]>>,
    /// When it arrived on the queue.
    pub(crate) arrived: Arrived,
    /// None when it is given as it is.
    pub(crate) wanted: Option<Box<Wanted>>,
    /// What the body is to be joined from.
    pub(crate) segments: Option<Box<Segments>>,
    /// With a message that was handed over without the log: to be told when the getter's connection has the bytes.
    pub receipt: Option<Receipt>,
    /// Whether its getter, which takes several, waits for the next already.
    pub waits_on: bool,
}

/// The segments of a message, and the most bytes that are wanted of it.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    pub(crate) all: Vec<Segment>,
    pub(crate) bytes_max: usize,
}

/// A piece of a message that is joined from segments.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) data: Bytes,
    /// How much of the message it is; what it has less is zeros.
    pub(crate) length: usize,
}

impl Segments {
    /// The first bytes of the message.
    pub(crate) fn joined(&self) -> Bytes {
        let most = self.bytes_max.min(self.all.iter().map(|segment| segment.length).sum());
        let mut body = BytesMut::with_capacity(most);
        for Segment { data, length } in &self.all {
            let end = (body.len() + length).min(most);
            body.extend_from_slice(&data[..data.len().min(end - body.len())]);
            body.resize(end, 0);
        }
        body.freeze()
    }
}

/// What the getter of a message wants of it besides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The form of its properties; none when it is as it is.
    pub(crate) form: Option<Form>,
    /// What it is to be converted to.
    pub(crate) conversion: Option<convert::Target>,
    /// The most bytes the getter takes.
    pub(crate) bytes_max: usize,
}

impl GotMessage {
    /// What MQGET tells of it besides the descriptor.
    #[must_use]
    pub fn into_got(self) -> Got {
        Got {
            body: self.body,
            data_length: self.data_length,
            warning: self.warning,
            resolved_queue_name: self.resolved_queue_name,
            message_token: self.message_token,
        }
    }

    /// That there is such a message, for who only looks, and nothing of what it says.
    pub(crate) fn seen(self) -> Self {
        Self { body: Bytes::new(), data_length: 0, wanted: None, ..self }
    }

    /// The message as its getter asked for it: joined (MQGMO_COMPLETE_MSG), its properties in their form, its body converted
    /// (MQGMO_CONVERT). A host calls this before it shows the message: here no lock is held, and a long message delays
    /// nobody else. What cannot be converted comes with a warning.
    #[must_use]
    pub fn converted(mut self) -> Self {
        self.convert();
        self
    }

    /// The same where it lies.
    pub fn convert(&mut self) {
        if let Some(segments) = self.segments.take() {
            self.body = segments.joined();
        }
        let Some(Wanted { form, conversion, bytes_max }) = self.wanted.take().map(|wanted| *wanted) else {
            return;
        };
        if let Some(form) = form {
            let presented = form.present(&Place::of(&self.descriptor), &self.body);
            presented.place.describe(&mut self.descriptor);
            self.properties = presented.folders.map(Vec::into_boxed_slice);
            self.data_length = presented.body.len();
            self.body = presented.body;
            self.body.truncate(bytes_max);
        }
        let Some(target) = conversion else { return };
        let convert::Converted { place, body, warning } =
            convert::body(&Place::of(&self.descriptor), &self.body, target, bytes_max);
        place.describe(&mut self.descriptor);
        self.data_length = body.len();
        self.body = body;
        self.warning = warning.or(self.warning);
    }
}

/// What a put fills in for its caller.
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

/// What a get answers at once.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is looked into at once: a box costs more than the move")]
pub enum Get {
    /// The message, or a refusal.
    Done(Outcome<GotMessage>),
    /// Nothing yet: the outcome goes to `Completions` under the caller's token, also when no wait was asked for.
    Waiting,
}

/// Which messages read-ahead only reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserve {
    /// All: they are taken into a unit of work later.
    All,
    /// The persistent ones: others may be lost with their connection, so they are taken at once.
    Persistent,
}

/// One application connection. Dropping it ends it: waits are cancelled, the open unit of work is backed out.
pub struct Connection {
    pub(crate) engine: Arc<Engine>,
    pub(crate) conversation: Arc<Conversation>,
    handles: Vec<(i32, Handle)>,
    next_handle: i32,
    identifiers: Taken,
    /// Room for the record of the next get, kept when a get turned out not to need it.
    pub(crate) room_for_get: Option<Reservation>,
}

/// An open object.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) options: OpenOptions,
    pub(crate) target: Target,
    /// Cursor and saved context, for handles that have them.
    pub(crate) memo: Option<Arc<HandleMemo>>,
    /// Where what is done through it is counted for its connection.
    pub(crate) account: Option<Arc<QueueAccount>>,
    /// Which messages a get through it may return.
    pub(crate) selector: Option<Arc<Selector>>,
    /// Whether nobody waits for a put whose options leave that to the object.
    pub(crate) puts_asynchronously: bool,
}

impl Handle {
    /// One that remembers nothing.
    pub(crate) fn new(options: OpenOptions, target: Target) -> Self {
        Self { options, target, memo: None, account: None, selector: None, puts_asynchronously: false }
    }
}

/// What a handle leads to.
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

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Connection({} {})", self.conversation.id, self.conversation.application)
    }
}

impl Connection {
    pub(crate) fn new(engine: Arc<Engine>, conversation: Arc<Conversation>) -> Self {
        let (handles, identifiers) = (Vec::new(), Taken::default());
        Self { engine, conversation, handles, next_handle: 1, identifiers, room_for_get: None }
    }

    /// The number by which displays know this connection.
    #[must_use]
    pub fn identifier(&self) -> u64 {
        self.conversation.id
    }

    /// Whether it is at its end: every call is answered so.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.conversation.has_ended()
    }

    /// Whether a message that this connection put is still on its way to a getter, without the log.
    #[must_use]
    pub fn is_handing(&self) -> bool {
        self.conversation.side.is_putting()
    }

    /// Whether a message that was handed to this connection without the log is still on its way to it.
    #[must_use]
    pub fn is_being_handed(&self) -> bool {
        self.conversation.side.is_getting()
    }

    /// The number of the last commit known of this client instance (rule 24), if one is remembered: gated as the
    /// answer to that commit was.
    pub fn last_commit(&self) -> Gated<Option<u64>> {
        match self.engine.clients.lock().last(&self.conversation.instance) {
            Some((number, need)) => Gated::new(need, Some(number)),
            None => Gated::free(None),
        }
    }

    /// Whether calls go on: the connection was not ended from elsewhere, the queue manager does not stop.
    pub(crate) fn usable(&self, fail_if_quiescing: bool) -> Result<(), Reason> {
        if self.conversation.has_ended() {
            return Err(Reason::CONNECTION_BROKEN);
        }
        self.engine.quiescing(fail_if_quiescing)
    }

    /// The handle of a number.
    pub(crate) fn handle(&self, handle: ObjectHandle) -> Result<&Handle, Reason> {
        let index = self.handles.binary_search_by_key(&handle.0, |(number, _)| *number);
        index.map(|index| &self.handles[index].1).map_err(|_| Reason::HOBJ_ERROR)
    }

    /// Whether nobody waits for a put through a handle whose options leave that to the object.
    #[must_use]
    pub fn puts_asynchronously(&self, handle: ObjectHandle) -> bool {
        self.handle(handle).is_ok_and(|open| open.puts_asynchronously)
    }

    /// An identifier for a message that this connection puts.
    pub(crate) fn next_message_id(&self) -> MessageId {
        self.engine.identifiers.next_of(&self.identifiers)
    }

    /// Whether one more object may be opened.
    pub(crate) fn room_for_handle(&self) -> Result<(), Reason> {
        self.room_for_handles(1)
    }

    /// Whether so many more objects may be opened.
    pub(crate) fn room_for_handles(&self, more: usize) -> Result<(), Reason> {
        let attribute = self.engine.catalogue.manager().attributes.handles_max;
        let handles_max = attribute.min(self.engine.settings.handles_max) as usize;
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

    pub(crate) fn add_handle(&mut self, number: i32, handle: Handle) {
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
        self.conversation.end(&self.engine);
    }
}
