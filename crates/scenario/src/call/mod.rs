//! One call of a scenario, what came of it, and what was expected.
//!
//! | verb | words that may follow |
//! |---|---|
//! | `put QUEUE BODY` | `folder "TEXT"` (several) `original-handle HANDLE` `new-handle HANDLE` `action MQACTP_REPLY` `persistent` `nonpersistent` `priority N` `expiry 5s` `message-id TEXT` `correlation-id TEXT` `reply-to QUEUE` `syncpoint` `level N` |
//! | `put1 QUEUE BODY` | the same, and `type MQOT_TOPIC` `string "TEXT"` |
//! | `get QUEUE` | `handle HANDLE` `wait 5s` `wait forever` `syncpoint` `message-id TEXT` `correlation-id TEXT` `buffer N` `accept-truncated` `under-cursor` `token` (that of the message this client was shown or given last) |
//! | `unlock QUEUE` | |
//! | `browse QUEUE first`, `next` or `here` (the message under the cursor) | `message-id TEXT` `correlation-id TEXT` `buffer N` `wait 5s` `token` |
//! | `open QUEUE input`, `output`, `browse`, `inquire`, `set` (several with `+`) | `exclusive` `shared` `dynamic NAME` `selector "TEXT"` `type MQOT_NAMELIST` `string "TEXT"` `manager NAME` `alternate-user NAME`; `nothing` instead of what for |
//! | `close QUEUE` | `delete` `purge`, or options by name |
//! | `subscribe NAME "TOPIC"` | `create` `resume` `alter` `durable` `managed`, other options by name; `into QUEUE` `topic OBJECT` `name "TEXT"` `user-data "TEXT"` `selector "TEXT"` `level N` `priority N` `expiry 5s` `correlation-id TEXT` `token TEXT` `identity-data TEXT`. Gets from NAME are from the managed queue; the subscription's name is NAME, too, unless it is said |
//! | `unsubscribe NAME` | `keep` `remove`: MQCLOSE of the subscription, and not of its queue |
//! | `request NAME` | `action N` and options by name: MQSUBRQ |
//! | `begin` `commit` `back` `disconnect` | |
//! | `connect` | `+MQCNO_ACCOUNTING_…` |
//! | `stat` | `reconnection`, `reconnection-error` |
//! | `inquire QUEUE` | `depth`, `inputs`, `outputs`, `maximum-depth`, or a selector such as `MQIA_INHIBIT_PUT` |
//! | `set QUEUE` | pairs of a selector and a value: `MQIA_INHIBIT_PUT MQQA_PUT_INHIBITED MQCA_TRIGGER_DATA "text"` |
//!
//! `BODY` is `"text"` or `2048 bytes`. A queue is opened by the first call that needs it and stays open. Any
//! option and any field of the descriptor may be given by its name as well: see [`fields`](super::fields). A
//! put or a get says that it is outside a unit of work unless it says where it is; with `+MQPMO_NONE` or
//! `+MQGMO_NONE` it says nothing. The handle is chosen by the words of [`through`](super::through).
//!
//! | result | meaning |
//! |---|---|
//! | `ok` | it succeeded |
//! | `field NAME VALUE` (several) | a message with these fields: see `structures` |
//! | `"text"` or `2048 bytes` | this message, further words: `folder "TEXT"` (several) `priority N` `backout N` `persistent` `nonpersistent` `correlation-id TEXT` `length N` `md.FIELD VALUE` |
//! | `2033` or `MQRC_NO_MSG_AVAILABLE` | this reason; after a message it is a warning: `"fir" length 5 2079` |
//! | `7`, a constant or `"text"` after `inquire` | this value |
//! | `topic "TEXT" user-data "TEXT" selector "TEXT" level "N" priority "N"` after `subscribe` | the subscription is so |
//! | `publications "N"` after `request` | so many come |
//! | `puts N warnings N failures N` after `stat` | these counts, those left out being 0; `object NAME QUEUE` is what the reason is about |
//! | `waiting` | no outcome yet |

mod reading;
mod subscribing;

use std::time::Duration;

use bytes::Bytes;
use mqi::{
    AccountingChoice, AttributeValue, CloseOptions, CorrelationId, GetFlags, GetOptions, MatchOptions,
    MessageDescriptor, MessageToken, ObjectDescriptor, ObjectHandle, ObjectName, ObjectType, OpenOptions,
    Opened, Persistence, PutOptions, Reason, RequestOptions, Selector, Status, StatusType, Subscribed,
    SubscriptionDescriptor, Wait,
};

use super::characters::Conversion;
use super::consuming::{Consume, Control};
use super::fields::FieldExpected;
use super::handles::{self, HandleCall, Naming};
use super::structures::{self, StructureExpected};
use super::through::{OpenHandles, Through};
pub(super) use reading::{Word, Words, duration};

/// A call as a client makes it, in the interface's own terms.
#[derive(Clone, Debug)]
pub enum Call {
    /// MQOPEN; later calls on the object use its handle.
    Open {
        /// The object.
        object: Box<ObjectDescriptor>,
        /// Options of the call.
        options: OpenOptions,
    },
    /// MQCLOSE of what was opened under the name.
    Close {
        /// The object.
        name: ObjectName,
        /// Options of the call.
        options: CloseOptions,
    },
    /// MQPUT.
    Put {
        /// The object.
        name: ObjectName,
        /// The descriptor.
        descriptor: Box<MessageDescriptor>,
        /// The options.
        options: PutOptions,
        /// The body.
        body: Bytes,
    },
    /// MQPUT1.
    Put1 {
        /// The object.
        object: Box<ObjectDescriptor>,
        /// The descriptor.
        descriptor: Box<MessageDescriptor>,
        /// The options.
        options: PutOptions,
        /// The body.
        body: Bytes,
    },
    /// MQGET, destructive or browsing.
    Get {
        /// The object.
        name: ObjectName,
        /// Values to match.
        descriptor: Box<MessageDescriptor>,
        /// The options.
        options: GetOptions,
        /// The buffer.
        bytes_max: usize,
    },
    /// MQSET.
    Set {
        /// The object.
        name: ObjectName,
        /// Attributes with their new values.
        values: Vec<(Selector, AttributeValue)>,
    },
    /// MQSUB; later calls on the name use the handle of the subscription or of its managed queue.
    Subscribe {
        /// The scenario's name for it.
        name: ObjectName,
        /// The subscription wanted.
        descriptor: Box<SubscriptionDescriptor>,
        /// The program's own queue.
        into: Option<ObjectName>,
    },
    /// MQCLOSE of a subscription.
    Unsubscribe {
        /// The scenario's name for it.
        name: ObjectName,
        /// Options of the call.
        options: CloseOptions,
    },
    /// MQSUBRQ.
    Request {
        /// The scenario's name for the subscription.
        name: ObjectName,
        /// The action wanted.
        action: i32,
        /// Options of the call.
        options: RequestOptions,
    },
    /// MQBEGIN.
    Begin,
    /// Has the unit of work prepared, as a coordinator would by a protocol that offers it.
    Prepare,
    /// The coordinator decides the unit that was prepared first.
    Decide {
        /// True to commit it, false to back it out.
        commits: bool,
    },
    /// MQCMIT.
    Commit,
    /// MQBACK.
    Back,
    /// MQSTAT.
    Stat(StatusType),
    /// MQCONNX, which ends the connection there was.
    Connect(AccountingChoice),
    /// MQDISC.
    Disconnect,
    /// A call on a message handle.
    Handle(Box<HandleCall>),
    /// MQXCNVC.
    Convert(Box<Conversion>),
    /// MQCB and MQCTL: a consumer is called with messages until it stops.
    Consume {
        /// The get that the consumer is for.
        get: Box<Self>,
        /// Its registration.
        asked: Consume,
    },
    /// MQCTL without a consumer.
    Control(Control),
    /// A put or a get that names message handles.
    Naming {
        /// The call without them.
        call: Box<Self>,
        /// The handles that it names.
        naming: Naming,
    },
    /// A call through handles that the scenario names.
    Through {
        /// The call without them.
        call: Box<Self>,
        /// The handles that it names.
        through: Through,
    },
    /// MQINQ of one attribute.
    Inquire {
        /// The object.
        name: ObjectName,
        /// The attribute.
        selector: Selector,
    },
}

impl Call {
    /// Options with which the queue must be open for this call, if it needs one.
    #[must_use]
    pub fn needs_open(&self) -> Option<(ObjectName, OpenOptions)> {
        match self {
            Self::Put { name, .. } => Some((*name, OpenOptions::OUTPUT)),
            Self::Get { name, options, .. }
                if is_browse(options.flags) || options.flags.contains(GetFlags::UNLOCK) =>
            {
                Some((*name, OpenOptions::BROWSE))
            }
            Self::Get { name, .. } => Some((*name, OpenOptions::INPUT_AS_Q_DEF)),
            Self::Inquire { name, .. } => Some((*name, OpenOptions::INQUIRE)),
            Self::Set { name, .. } => Some((*name, OpenOptions::SET)),
            Self::Subscribe { into, .. } => into.map(|queue| (queue, OpenOptions::INPUT_AS_Q_DEF)),
            Self::Naming { call, .. } | Self::Consume { get: call, .. } => call.needs_open(),
            _ => None,
        }
    }

    /// The object of a call on one.
    #[must_use]
    pub fn object(&self) -> Option<ObjectName> {
        match self.plain() {
            Self::Open { object, .. } | Self::Put1 { object, .. } => Some(object.object_name),
            Self::Close { name, .. }
            | Self::Put { name, .. }
            | Self::Get { name, .. }
            | Self::Set { name, .. }
            | Self::Subscribe { name, .. }
            | Self::Unsubscribe { name, .. }
            | Self::Request { name, .. }
            | Self::Inquire { name, .. } => Some(*name),
            Self::Consume { get, .. } => get.object(),
            _ => None,
        }
    }

    /// The call without the handles it names.
    #[must_use]
    pub fn plain(&self) -> &Self {
        match self {
            Self::Naming { call, .. } | Self::Through { call, .. } => call.plain(),
            call => call,
        }
    }

    /// True if it may wait for a message; all others end as soon as their work is done.
    #[must_use]
    pub fn may_wait(&self) -> bool {
        match self.plain() {
            Self::Get { options, .. } => options.wait != Wait::No,
            Self::Consume { .. } => true,
            _ => false,
        }
    }
}

fn is_browse(flags: GetFlags) -> bool {
    flags.contains(GetFlags::BROWSE_FIRST)
        || flags.contains(GetFlags::BROWSE_NEXT)
        || flags.contains(GetFlags::BROWSE_MSG_UNDER_CURSOR)
        || flags.contains(GetFlags::MSG_UNDER_CURSOR)
}

/// The kinds of call that a queue opened so serves, each as the options that a call of that kind opens with.
pub(super) fn kinds_served(options: OpenOptions) -> impl Iterator<Item = OpenOptions> {
    let input = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::INPUT_SHARED | OpenOptions::INPUT_EXCLUSIVE;
    let kinds = [
        OpenOptions::INPUT_AS_Q_DEF,
        OpenOptions::OUTPUT,
        OpenOptions::BROWSE,
        OpenOptions::INQUIRE,
        OpenOptions::SET,
    ];
    kinds.into_iter().filter(move |kind| {
        options.contains(*kind) || *kind == OpenOptions::INPUT_AS_Q_DEF && options.bits() & input.bits() != 0
    })
}

/// The kind of call under which the handle of a subscription is kept: no open serves it.
pub(super) const OF_SUBSCRIPTION: i32 = 0;

/// Keeps the handles of a subscription under its name.
pub(super) fn keep_subscribed(handles: &mut OpenHandles, name: ObjectName, subscribed: &Subscribed) {
    handles.insert((name, OF_SUBSCRIPTION), subscribed.subscription);
    if let Some(queue) = subscribed.queue {
        for kind in [OpenOptions::INPUT_AS_Q_DEF, OpenOptions::BROWSE] {
            handles.insert((name, kind.bits()), queue);
        }
    }
}

/// The handle of a subscription by its name in the scenario.
pub(super) fn subscription(handles: &OpenHandles, name: ObjectName) -> ObjectHandle {
    handles.get(&(name, OF_SUBSCRIPTION)).copied().unwrap_or(ObjectHandle::NONE)
}

/// Makes the reply of MQSUBRQ.
pub(super) fn requested(publications: u32) -> Reply {
    Reply::Facts { facts: vec![("publications".to_owned(), publications.to_string())], reason: None }
}

/// Makes the reply of a subscribe call.
pub(super) fn facts_of(subscribed: &Subscribed) -> Reply {
    let Subscribed { is, topic_string, .. } = subscribed;
    let facts = [
        ("topic", topic_string.clone()),
        ("user-data", is.user_data.clone()),
        ("selector", is.selection_string.clone()),
        ("level", is.level.to_string()),
        ("priority", is.priority.to_string()),
    ];
    let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Reply::Facts { facts, reason: None }
}

/// The name by which later calls of a scenario mean what was opened: a dynamic queue's own, or the one that
/// was asked for.
pub(super) fn name_in_scenario(asked: &ObjectDescriptor, opened: &Opened) -> ObjectName {
    match asked.object_type {
        ObjectType::Queue => opened.object_name,
        _ => asked.object_name,
    }
}

/// The options of a get that asks for the message a client was shown last by its token, which a scenario
/// cannot write down.
pub(super) fn with_token(mut options: GetOptions, last: MessageToken) -> GetOptions {
    if options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN) {
        options.message_token = last;
    }
    options
}

/// Result of a call.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It succeeded.
    Done,
    /// It returned a message.
    Message {
        /// Token that names it while it is there.
        token: MessageToken,
        /// Its descriptor.
        descriptor: Box<MessageDescriptor>,
        /// As much of it as was asked for.
        body: Bytes,
        /// Its length.
        data_length: usize,
        /// A warning beside it.
        warning: Option<Reason>,
    },
    /// A consumer was given messages, each a reply of its own.
    Messages {
        /// The messages in order.
        messages: Vec<Self>,
        /// Why there were no more, unless it had had enough; or why it was refused.
        reason: Option<Reason>,
    },
    /// It returned a value.
    Value(AttributeValue),
    /// It told what became of puts, or of a reconnection.
    Status(Box<Status>),
    /// It filled in facts, each under its name.
    Facts {
        /// The facts.
        facts: Vec<(String, String)>,
        /// Why it was refused nevertheless, or a warning.
        reason: Option<Reason>,
    },
    /// It was refused.
    Refused(Reason),
}

impl Reply {
    /// Token of the last message that it gave, if any.
    pub(super) fn last_token(&self) -> Option<MessageToken> {
        match self {
            Self::Message { token, .. } => Some(*token),
            Self::Messages { messages, .. } => messages.last().and_then(Self::last_token),
            _ => None,
        }
    }

    /// The reason of a refusal or of a warning.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Done | Self::Value(_) | Self::Status(_) => None,
            Self::Message { warning, .. } => *warning,
            Self::Facts { reason, .. } => *reason,
            Self::Messages { messages, reason } => reason.filter(|_| messages.is_empty()),
            Self::Refused(reason) => Some(*reason),
        }
    }
}

/// Result that a scenario expects of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// A message with this body.
    pub body: Option<Bytes>,
    /// Messages with these, in order.
    pub messages: Vec<Self>,
    /// Its priority.
    pub priority: Option<i32>,
    /// Its backout count.
    pub backout: Option<i32>,
    /// Its persistence.
    pub persistence: Option<Persistence>,
    /// Its correlation identifier.
    pub correlation_id: Option<CorrelationId>,
    /// Its whole length.
    pub length: Option<usize>,
    /// The folders of the header that the body comes behind.
    pub folders: Vec<String>,
    /// Fields that were filled in.
    pub facts: Vec<(String, String)>,
    /// The reason of a refusal, or of a warning beside a message.
    pub reason: Option<Reason>,
    /// Other fields of its descriptor.
    pub fields: Vec<FieldExpected>,
    /// Structure in a message that the queue manager made.
    pub structure: Vec<StructureExpected>,
    /// The value inquired.
    pub value: Option<AttributeValue>,
    /// The body is cut in the header before it, of which nothing is said.
    pub(super) is_cut_in_header: bool,
    /// Number of puts that succeeded, were warned about and failed.
    pub counts: Option<Counts>,
    /// No outcome yet.
    pub waiting: bool,
}

/// Counts of MQSTAT.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Puts that succeeded.
    pub puts: u32,
    /// Puts with a warning.
    pub warnings: u32,
    /// Puts that failed.
    pub failures: u32,
    /// The object and the queue it led to, of the put whose reason is told.
    pub objects: Option<(ObjectName, ObjectName)>,
}

impl Counts {
    fn agrees(&self, status: &Status) -> bool {
        let Status { put_success_count, put_warning_count, put_failure_count, object, .. } = status;
        let counted = (*put_success_count, *put_warning_count, *put_failure_count);
        let named = (object.object_name, object.resolved_object_name);
        counted == (self.puts, self.warnings, self.failures)
            && self.objects.is_none_or(|expected| expected == named)
    }
}

impl Expected {
    /// Takes times that differ by up to `late`, as if nothing had been late.
    pub(super) fn forgive(&mut self, reply: &mut Reply, late: Duration) {
        self.structure.iter_mut().for_each(|expected| expected.forgive(late));
        if let Reply::Message { descriptor, .. } = reply {
            self.fields.iter().for_each(|field| field.forgive(descriptor, late));
        }
    }

    /// Describes the difference of `reply`, if there is one.
    #[must_use]
    pub fn difference(&self, reply: &Reply) -> Option<String> {
        let agrees = match reply {
            Reply::Done => *self == Self::default(),
            Reply::Value(value) => self.value.as_ref() == Some(value),
            Reply::Status(status) => {
                self.reason == status.reason
                    && self.counts.as_ref().is_some_and(|counts| counts.agrees(status))
            }
            Reply::Refused(reason) => {
                self.body.is_none()
                    && self.value.is_none()
                    && self.facts.is_empty()
                    && self.reason == Some(*reason)
            }
            Reply::Messages { messages, reason } => {
                self.body.is_none()
                    && self.reason == *reason
                    && self.messages.len() == messages.len()
                    && self.messages.iter().zip(messages).all(|(one, found)| one.difference(found).is_none())
            }
            Reply::Facts { facts, reason } => {
                self.body.is_none()
                    && self.reason == *reason
                    && self.facts.iter().all(|expected| facts.contains(expected))
            }
            Reply::Message { descriptor, body, data_length, warning, .. } => {
                let (folders, data) = match self.folders.is_empty() {
                    true => (Vec::new(), body.clone()),
                    false => handles::folders_of(descriptor, body),
                };
                let is_body = match self.structure.is_empty() {
                    true if self.is_cut_in_header => true,
                    true => self.body.as_ref() == Some(&data),
                    false => {
                        let found = structures::found(descriptor, &data);
                        self.structure.iter().all(|expected| expected.agrees(&found))
                    }
                };
                is_body
                    && (self.is_cut_in_header || self.folders == folders)
                    && self.reason == *warning
                    && self.priority.is_none_or(|expected| descriptor.priority.code() == expected)
                    && self.backout.is_none_or(|expected| descriptor.backout_count == expected)
                    && self.persistence.is_none_or(|expected| descriptor.persistence == expected)
                    && self.correlation_id.is_none_or(|expected| descriptor.correlation_id == expected)
                    && self.length.is_none_or(|expected| *data_length == expected)
                    && self.fields.iter().all(|expected| expected.agrees(descriptor))
            }
        };
        if agrees {
            return None;
        }
        let mut found = describe(reply);
        if let Reply::Message { descriptor, body, .. } = reply {
            for folder in handles::folders_of(descriptor, body).0 {
                found.push_str(&format!(" folder \"{folder}\""));
            }
            if !self.structure.is_empty() {
                for (name, value) in structures::found(descriptor, body) {
                    found.push_str(&format!(" field {name} \"{value}\""));
                }
            }
            for field in &self.fields {
                found.push(' ');
                found.push_str(&field.found(descriptor));
            }
        }
        Some(found)
    }
}

impl Expected {
    /// Shows the expectation beside the reply: of a descriptor only the fields that differ.
    pub(super) fn told_apart(&self, found: &Reply) -> String {
        let fields = match found {
            Reply::Message { descriptor, .. } => {
                self.fields.iter().filter(|field| !field.agrees(descriptor)).cloned().collect()
            }
            _ => Vec::new(),
        };
        let shown = match found {
            Reply::Message { descriptor, .. } => {
                fields.iter().map(|field| field.found(descriptor)).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        format!("{:?} found {shown}", Self { fields, ..self.clone() })
    }
}

/// A reply as a scenario would write it.
#[must_use]
pub fn describe(reply: &Reply) -> String {
    match reply {
        Reply::Done => "ok".to_owned(),
        Reply::Value(AttributeValue::Integer(value)) => value.to_string(),
        Reply::Value(AttributeValue::Text(text)) => format!("\"{text}\""),
        Reply::Status(status) => format!(
            "puts {} warnings {} failures {} object {} {} {:?}",
            status.put_success_count,
            status.put_warning_count,
            status.put_failure_count,
            status.object.object_name,
            status.object.resolved_object_name,
            status.reason,
        ),
        Reply::Refused(reason) => reason.to_string(),
        Reply::Facts { facts, reason } => {
            let facts = facts.iter().map(|(name, value)| format!("{name} \"{value}\""));
            let reason = reason.iter().map(Reason::to_string);
            facts.chain(reason).collect::<Vec<_>>().join(" ")
        }
        Reply::Messages { messages, reason } => {
            let reason = reason.iter().map(Reason::to_string);
            messages.iter().map(describe).chain(reason).collect::<Vec<_>>().join("; ")
        }
        Reply::Message { descriptor, body, data_length, warning, .. } => {
            let shown = match std::str::from_utf8(body) {
                Ok(text) if body.len() <= 60 => format!("\"{text}\""),
                _ => format!("{} bytes", body.len()),
            };
            let warning = warning.map(|reason| format!(" {reason}")).unwrap_or_default();
            format!(
                "{shown} priority {} backout {} correlation-id {} {} length {data_length}{warning}",
                descriptor.priority.code(),
                descriptor.backout_count,
                descriptor.correlation_id,
                if descriptor.persistence == Persistence::Persistent {
                    "persistent"
                } else {
                    "nonpersistent"
                },
            )
        }
    }
}
