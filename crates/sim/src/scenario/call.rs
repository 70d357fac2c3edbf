//! One call of a scenario, what came of it, and what was expected.
//!
//! | verb | words that may follow |
//! |---|---|
//! | `put QUEUE BODY` | `folder "TEXT"` (several) `original-handle HANDLE` `new-handle HANDLE` `action MQACTP_REPLY` `persistent` `nonpersistent` `priority N` `expiry 5s` `message-id TEXT` `correlation-id TEXT` `reply-to QUEUE` `syncpoint` |
//! | `put1 QUEUE BODY` | the same |
//! | `get QUEUE` | `handle HANDLE` `wait 5s` `wait forever` `syncpoint` `message-id TEXT` `correlation-id TEXT` `buffer N` `accept-truncated` `under-cursor` `token` (that of the message this client was shown or given last) |
//! | `unlock QUEUE` | |
//! | `browse QUEUE first`, `next` or `here` (the message under the cursor) | `message-id TEXT` `correlation-id TEXT` `buffer N` `wait 5s` `token` |
//! | `open QUEUE input`, `output`, `browse`, `inquire`, `set` (several with `+`) | `exclusive` `shared` `dynamic NAME` `selector "TEXT"` `type MQOT_NAMELIST` `manager NAME` `alternate-user NAME`; `nothing` instead of what for |
//! | `close QUEUE` | `delete` `purge`, or options by name |
//! | `begin` `commit` `back` `disconnect` | |
//! | `stat` | `reconnection` |
//! | `inquire QUEUE` | `depth`, `inputs`, `outputs`, `maximum-depth`, or a selector such as `MQIA_INHIBIT_PUT` |
//! | `set QUEUE` | pairs of a selector and a value: `MQIA_INHIBIT_PUT MQQA_PUT_INHIBITED MQCA_TRIGGER_DATA "text"` |
//!
//! `BODY` is `"text"` or `2048 bytes`. A queue is opened by the first call that needs it and stays open. Any option and
//! any field of the descriptor may be given by its name as well: see [`fields`]. The handle is chosen by the words of
//! [`through`](super::through).
//!
//! | result | meaning |
//! |---|---|
//! | `ok` | it succeeded |
//! | `field NAME VALUE` (several) | a message with these fields: see `structures` |
//! | `"text"` or `2048 bytes` | this message, further words: `folder "TEXT"` (several) `priority N` `backout N` `persistent` `nonpersistent` `correlation-id TEXT` `length N` `md.FIELD VALUE` |
//! | `2033` or `MQRC_NO_MSG_AVAILABLE` | this reason; after a message it is a warning: `"fir" length 5 2079` |
//! | `7`, a constant or `"text"` after `inquire` | this value |
//! | `puts N warnings N failures N` after `stat` | these counts, those left out being 0; `object NAME QUEUE` is what the reason is about |
//! | `waiting` | no outcome yet |

use std::time::Duration;

use bytes::Bytes;
use mqi::{
    AttributeValue, CloseOptions, CorrelationId, Expiry, GetFlags, GetOptions, MatchOptions,
    MessageDescriptor, MessageFlags, MessageId, MessageToken, ObjectDescriptor, ObjectName, ObjectType,
    OpenOptions, Opened, Persistence, Priority, PutAction, PutFlags, PutOptions, Reason, ReportOptions,
    Selector, Status, StatusType, Wait, constants,
};

use super::fields::{self, FieldExpected, identifier};
use super::handles::{self, HandleCall, Naming};
use super::structures::{self, StructureExpected};
use super::through::Through;

/// A call as a client makes it, in the interface's own terms.
#[derive(Clone, Debug)]
pub enum Call {
    /// MQOPEN; later calls on the object use its handle.
    Open {
        /// The object.
        object: Box<ObjectDescriptor>,
        /// How.
        options: OpenOptions,
    },
    /// MQCLOSE of what was opened under the name.
    Close {
        /// The object.
        name: ObjectName,
        /// How.
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
        name: ObjectName,
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
        /// What to match.
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
        /// Which attributes to what.
        values: Vec<(Selector, AttributeValue)>,
    },
    /// MQBEGIN.
    Begin,
    /// MQCMIT.
    Commit,
    /// MQBACK.
    Back,
    /// MQSTAT.
    Stat(StatusType),
    /// MQDISC.
    Disconnect,
    /// A call on a message handle.
    Handle(Box<HandleCall>),
    /// A put or a get that names message handles.
    Naming {
        /// The call without them.
        call: Box<Self>,
        /// Which it names.
        naming: Naming,
    },
    /// A call through handles that the scenario names.
    Through {
        /// The call without them.
        call: Box<Self>,
        /// Which it names.
        through: Through,
    },
    /// MQINQ of one attribute.
    Inquire {
        /// The object.
        name: ObjectName,
        /// Which.
        selector: Selector,
    },
}

impl Call {
    /// How the queue must be open for this call, if it needs one.
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
            Self::Naming { call, .. } => call.needs_open(),
            _ => None,
        }
    }

    /// The object of a call on one.
    #[must_use]
    pub fn object(&self) -> Option<ObjectName> {
        match self.plain() {
            Self::Open { object, .. } => Some(object.object_name),
            Self::Close { name, .. }
            | Self::Put { name, .. }
            | Self::Put1 { name, .. }
            | Self::Get { name, .. }
            | Self::Set { name, .. }
            | Self::Inquire { name, .. } => Some(*name),
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

/// The name by which later calls of a scenario mean what was opened: a dynamic queue's own, or the one that was asked for.
pub(super) fn name_in_scenario(asked: &ObjectDescriptor, opened: &Opened) -> ObjectName {
    match asked.object_type {
        ObjectType::Queue => opened.object_name,
        _ => asked.object_name,
    }
}

/// The options of a get that asks for the message a client was shown last by its token, which a scenario cannot write down.
pub(super) fn with_token(mut options: GetOptions, last: MessageToken) -> GetOptions {
    if options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN) {
        options.message_token = last;
    }
    options
}

/// What came of a call.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It succeeded.
    Done,
    /// It returned a message.
    Message {
        /// What names it as long as it is there.
        token: MessageToken,
        /// Its descriptor.
        descriptor: Box<MessageDescriptor>,
        /// As much of it as was asked for.
        body: Bytes,
        /// How long it is.
        data_length: usize,
        /// A warning beside it.
        warning: Option<Reason>,
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
    /// The reason of a refusal or of a warning.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Done | Self::Value(_) | Self::Status(_) => None,
            Self::Message { warning, .. } => *warning,
            Self::Facts { reason, .. } => *reason,
            Self::Refused(reason) => Some(*reason),
        }
    }
}

/// What a scenario expects of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// A message with this body.
    pub body: Option<Bytes>,
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
    /// What was filled in.
    pub facts: Vec<(String, String)>,
    /// The reason of a refusal, or of a warning beside a message.
    pub reason: Option<Reason>,
    /// Other fields of its descriptor.
    pub fields: Vec<FieldExpected>,
    /// What stands in a message that the queue manager made.
    pub structure: Vec<StructureExpected>,
    /// The value inquired.
    pub value: Option<AttributeValue>,
    /// The body is cut in the header before it, of which nothing is said.
    pub(super) is_cut_in_header: bool,
    /// How many puts succeeded, were warned about and failed.
    pub counts: Option<Counts>,
    /// No outcome yet.
    pub waiting: bool,
}

/// What MQSTAT counts.
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
    /// What is wrong with `reply`, or nothing.
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
    /// What was expected, shown beside what was found: of the fields of a descriptor those that differ.
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

/// The words of a step, taken one by one.
#[derive(Clone)]
pub(super) struct Words<'a> {
    words: std::vec::IntoIter<Word<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    Plain(&'a str),
    Quoted(&'a str),
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Result<Self, String> {
        let mut words = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('"') {
                let end = quoted.find('"').ok_or("a quote is not closed")?;
                words.push(Word::Quoted(&quoted[..end]));
                rest = quoted[end + 1..].trim_start();
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                words.push(Word::Plain(&rest[..end]));
                rest = rest[end..].trim_start();
            }
        }
        Ok(Self { words: words.into_iter() })
    }

    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        self.words.next()
    }

    /// Goes on with these words.
    pub(super) fn replace(&mut self, words: Vec<Word<'a>>) {
        self.words = words.into_iter();
    }

    pub(super) fn plain(&mut self, what: &str) -> Result<&'a str, String> {
        match self.next() {
            Some(Word::Plain(word) | Word::Quoted(word)) => Ok(word),
            None => Err(format!("{what} is missing")),
        }
    }

    fn number<N: std::str::FromStr>(&mut self, what: &str) -> Result<N, String> {
        let word = self.plain(what)?;
        word.parse().map_err(|_| format!("{what} is not a number: {word}"))
    }

    fn name(&mut self) -> Result<ObjectName, String> {
        let word = self.plain("a queue name")?;
        word.parse().map_err(|error| format!("{word}: {error}"))
    }

    fn body(&mut self) -> Result<Bytes, String> {
        match self.next() {
            Some(Word::Quoted(text)) => Ok(Bytes::copy_from_slice(text.as_bytes())),
            Some(Word::Plain(count)) => {
                let bytes = count.parse().map_err(|_| format!("not a body: {count}"))?;
                match self.next() {
                    Some(Word::Plain("bytes")) => Ok(patterned(bytes)),
                    other => Err(format!("expected `bytes`, found {other:?}")),
                }
            }
            None => Err("a body is missing".to_owned()),
        }
    }

    fn duration(&mut self, what: &str) -> Result<Duration, String> {
        duration(self.plain(what)?)
    }
}

/// `5s`, `200ms`, `2m`.
pub(super) fn duration(word: &str) -> Result<Duration, String> {
    let digits = word.find(|character: char| !character.is_ascii_digit()).unwrap_or(word.len());
    let (number, unit) = word.split_at(digits);
    let number: u64 = number.parse().map_err(|_| format!("not a duration: {word}"))?;
    match unit {
        "ms" => Ok(Duration::from_millis(number)),
        "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number * 60)),
        _ => Err(format!("not a duration (ms, s, m): {word}")),
    }
}

/// A body of so many bytes in which every place differs from its neighbours.
fn patterned(bytes: usize) -> Bytes {
    (0..bytes)
        .map(|at| u8::try_from((at * 31 + at / 251) % 251).expect("below 251"))
        .collect::<Vec<_>>()
        .into()
}

impl Call {
    /// Reads a call from the text after `CLIENT:`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut words = Words::of(text)?;
        let verb = words.plain("a verb")?;
        if let Some(call) = HandleCall::parse(verb, words.clone())? {
            return Ok(Self::Handle(Box::new(call)));
        }
        let through = Through::take(&mut words)?;
        let call = match verb {
            "put" => put(words).map(|(name, descriptor, options, body, naming)| {
                Self::Put { name, descriptor, options, body }.naming(naming)
            }),
            "put1" => put(words).map(|(name, descriptor, options, body, naming)| {
                Self::Put1 { name, descriptor, options, body }.naming(naming)
            }),
            "get" => get(words, GetFlags::EMPTY),
            "browse" => browse(words),
            "unlock" => get(words, GetFlags::UNLOCK),
            "open" => open(words),
            "close" => close(words),
            "inquire" => inquire(words),
            "set" => set(words),
            "begin" => Ok(Self::Begin),
            "commit" => Ok(Self::Commit),
            "back" => Ok(Self::Back),
            "stat" => stat(words),
            "disconnect" => Ok(Self::Disconnect),
            verb => Err(format!("no such verb: {verb}")),
        };
        call.map(|call| through.of(call))
    }

    fn naming(self, naming: Naming) -> Self {
        if naming.is_empty() { self } else { Self::Naming { call: Box::new(self), naming } }
    }
}

type PutParts = (ObjectName, Box<MessageDescriptor>, PutOptions, Bytes, Naming);

fn put(mut words: Words<'_>) -> Result<PutParts, String> {
    let name = words.name()?;
    let mut body = words.body()?;
    let mut naming = Naming::default();
    let mut folders = Vec::new();
    let mut descriptor = Box::<MessageDescriptor>::default();
    let mut options = PutOptions { flags: PutFlags::EMPTY, ..PutOptions::default() };
    while let Some(word) = words.next() {
        match word {
            Word::Plain("persistent") => descriptor.persistence = Persistence::Persistent,
            Word::Plain("nonpersistent") => descriptor.persistence = Persistence::NotPersistent,
            Word::Plain("priority") => {
                descriptor.priority =
                    Priority::from_code(words.number("a priority")?).map_err(|reason| reason.to_string())?;
            }
            Word::Plain("expiry") => {
                let tenths = words.duration("an expiry")?.as_millis() / 100;
                descriptor.expiry = Expiry::tenths(u32::try_from(tenths).map_err(|error| error.to_string())?);
            }
            Word::Plain("message-id") => {
                descriptor.message_id =
                    MessageId::from_bytes(identifier(words.plain("a message identifier")?)?);
            }
            Word::Plain("correlation-id") => {
                descriptor.correlation_id =
                    CorrelationId::from_bytes(identifier(words.plain("a correlation identifier")?)?);
            }
            Word::Plain("reply-to") => descriptor.reply_to_queue = words.name()?,
            Word::Plain("syncpoint") => options.flags |= PutFlags::SYNCPOINT,
            Word::Plain("folder") => folders.push(words.plain("a folder")?.to_owned()),
            Word::Plain("original-handle") => naming.original = Some(words.plain("a handle")?.to_owned()),
            Word::Plain("new-handle") => naming.new = Some(words.plain("a handle")?.to_owned()),
            Word::Plain("action") => {
                let action = fields::number(words.plain("an action")?)?;
                options.action = PutAction::from_code(action).map_err(|reason| reason.to_string())?;
            }
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQPMO", bits) => options.flags |= PutFlags::from_bits(bits),
                ("MQRO", bits) => descriptor.report |= ReportOptions::from_bits(bits),
                ("MQMF", bits) => descriptor.message_flags |= MessageFlags::from_bits(bits),
                _ => return Err(format!("a put does not know {word}")),
            },
            Word::Plain(word) if word.starts_with("md.") => {
                fields::set(&mut descriptor, &word[3..], words.plain("a value")?)?;
            }
            other => return Err(format!("a put does not know {other:?}")),
        }
    }
    if !options.flags.intersects(PutFlags::SYNCPOINT | PutFlags::NO_SYNCPOINT) {
        options.flags |= PutFlags::NO_SYNCPOINT;
    }
    if !folders.is_empty() {
        body = handles::with_folders(folders, &mut descriptor, &body)?;
    }
    Ok((name, descriptor, options, body, naming))
}

/// Enough for any scenario that does not ask for a buffer of its own.
const BUFFER_BYTES: usize = 4 << 20;

fn get(mut words: Words<'_>, how: GetFlags) -> Result<Call, String> {
    let name = words.name()?;
    get_from(words, name, how)
}

fn get_from(mut words: Words<'_>, name: ObjectName, how: GetFlags) -> Result<Call, String> {
    let mut descriptor = Box::<MessageDescriptor>::default();
    let mut options = GetOptions { match_options: MatchOptions::EMPTY, ..GetOptions::default() };
    let mut flags = how;
    let mut naming = Naming::default();
    let mut bytes_max = BUFFER_BYTES;
    while let Some(word) = words.next() {
        match word {
            Word::Plain("wait") => {
                options.wait = match words.plain("how long")? {
                    "forever" => Wait::Unlimited,
                    word => {
                        let milliseconds = duration(word)?.as_millis();
                        Wait::Milliseconds(u32::try_from(milliseconds).map_err(|error| error.to_string())?)
                    }
                };
            }
            Word::Plain("syncpoint") => flags |= GetFlags::SYNCPOINT,
            Word::Plain("handle") => naming.message = Some(words.plain("a handle")?.to_owned()),
            Word::Plain("message-id") => {
                descriptor.message_id =
                    MessageId::from_bytes(identifier(words.plain("a message identifier")?)?);
                options.match_options |= MatchOptions::MATCH_MSG_ID;
            }
            Word::Plain("correlation-id") => {
                descriptor.correlation_id =
                    CorrelationId::from_bytes(identifier(words.plain("a correlation identifier")?)?);
                options.match_options |= MatchOptions::MATCH_CORREL_ID;
            }
            Word::Plain("buffer") => bytes_max = words.number("a buffer length")?,
            Word::Plain("accept-truncated") => flags |= GetFlags::ACCEPT_TRUNCATED_MSG,
            Word::Plain("under-cursor") => flags |= GetFlags::MSG_UNDER_CURSOR,
            Word::Plain("token") => options.match_options |= MatchOptions::MATCH_MSG_TOKEN,
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQGMO", bits) => flags |= GetFlags::from_bits(bits),
                ("MQMO", bits) => options.match_options |= MatchOptions::from_bits(bits),
                _ => return Err(format!("a get does not know {word}")),
            },
            Word::Plain(word) if word.starts_with("md.") => {
                fields::set(&mut descriptor, &word[3..], words.plain("a value")?)?;
            }
            other => return Err(format!("a get does not know {other:?}")),
        }
    }
    let of_syncpoint = GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT | GetFlags::NO_SYNCPOINT;
    if how == GetFlags::EMPTY && !is_browse(flags) && !flags.intersects(of_syncpoint) {
        flags |= GetFlags::NO_SYNCPOINT;
    }
    options.flags = flags;
    Ok(Call::Get { name, descriptor, options, bytes_max }.naming(naming))
}

fn browse(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let how = match words.plain("`first`, `next` or `here`")? {
        "first" => GetFlags::BROWSE_FIRST,
        "next" => GetFlags::BROWSE_NEXT,
        "here" => GetFlags::BROWSE_MSG_UNDER_CURSOR,
        other => return Err(format!("browse `first`, `next` or `here`, not {other}")),
    };
    get_from(words, name, how)
}

fn open(mut words: Words<'_>) -> Result<Call, String> {
    let mut object = Box::new(ObjectDescriptor { object_name: words.name()?, ..ObjectDescriptor::default() });
    let mut options = OpenOptions::EMPTY;
    for word in words.plain("what for")?.split('+') {
        options |= match word {
            "input" => OpenOptions::INPUT_AS_Q_DEF,
            "output" => OpenOptions::OUTPUT,
            "browse" => OpenOptions::BROWSE,
            "inquire" => OpenOptions::INQUIRE,
            "set" => OpenOptions::SET,
            "nothing" => OpenOptions::EMPTY,
            other => return Err(format!("an open does not know {other}")),
        };
    }
    let without_default =
        |options: OpenOptions| OpenOptions::from_bits(options.bits() & !OpenOptions::INPUT_AS_Q_DEF.bits());
    while let Some(word) = words.next() {
        match word {
            Word::Plain("exclusive") => options = without_default(options) | OpenOptions::INPUT_EXCLUSIVE,
            Word::Plain("shared") => options = without_default(options) | OpenOptions::INPUT_SHARED,
            Word::Plain("dynamic") => {
                let name = words.plain("a name")?;
                object.dynamic_queue_name = name.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            Word::Plain("type") => {
                object.object_type = ObjectType::from_code(fields::number(words.plain("a type")?)?);
            }
            Word::Plain("manager") => {
                let name = words.plain("a queue manager")?;
                object.object_queue_manager_name =
                    name.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            Word::Plain("alternate-user") => {
                let name = words.plain("a user")?;
                object.alternate_user_identifier =
                    name.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            Word::Plain("selector") => {
                object.selection_string = words.plain("a selector")?.to_owned();
            }
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQOO", bits) => options |= OpenOptions::from_bits(bits),
                _ => return Err(format!("an open does not know {word}")),
            },
            other => return Err(format!("an open does not know {other:?}")),
        }
    }
    Ok(Call::Open { object, options })
}

fn close(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let mut options = CloseOptions::EMPTY;
    while let Some(word) = words.next() {
        options |= match word {
            Word::Plain("delete") => CloseOptions::DELETE,
            Word::Plain("purge") => CloseOptions::DELETE_PURGE,
            Word::Plain(word) if word.starts_with("+MQCO_") => {
                CloseOptions::from_bits(fields::option(&word[1..])?.1)
            }
            other => return Err(format!("a close does not know {other:?}")),
        };
    }
    Ok(Call::Close { name, options })
}

fn inquire(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let selector = Selector(match words.plain("an attribute")? {
        "depth" => constants::MQIA_CURRENT_Q_DEPTH,
        "inputs" => constants::MQIA_OPEN_INPUT_COUNT,
        "outputs" => constants::MQIA_OPEN_OUTPUT_COUNT,
        "maximum-depth" => constants::MQIA_MAX_Q_DEPTH,
        other => fields::number(other)?,
    });
    Ok(Call::Inquire { name, selector })
}

fn stat(mut words: Words<'_>) -> Result<Call, String> {
    match words.next() {
        None => Ok(Call::Stat(StatusType::AsyncError)),
        Some(Word::Plain("reconnection")) => Ok(Call::Stat(StatusType::Reconnection)),
        Some(other) => Err(format!("a stat does not know {other:?}")),
    }
}

fn set(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        let Word::Plain(selector) = word else {
            return Err(format!("a selector is missing before {word:?}"));
        };
        let selector = Selector(fields::number(selector)?);
        let value = match words.next() {
            Some(Word::Plain(word)) => AttributeValue::Integer(fields::number(word)?),
            Some(Word::Quoted(text)) => AttributeValue::from(text),
            None => return Err("a value is missing".to_owned()),
        };
        values.push((selector, value));
    }
    Ok(Call::Set { name, values })
}

impl Expected {
    /// Reads a result from the text after `->`, which depends on what was called.
    pub(super) fn parse(text: &str, of: Option<&Call>) -> Result<Self, String> {
        let mut expected = Self::default();
        let of = of.map(Call::plain);
        let inquiry = matches!(of, Some(Call::Inquire { .. }));
        let text = text.trim();
        match text {
            "ok" => return Ok(expected),
            "waiting" => return Ok(Self { waiting: true, ..expected }),
            _ => {}
        }
        if inquiry && !text.starts_with("MQRC_") {
            let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let value = match quoted {
                Some(text) => Some(AttributeValue::from(text)),
                None => fields::number(text).ok().map(AttributeValue::Integer),
            };
            if value.is_some() {
                return Ok(Self { value, ..expected });
            }
        }
        let mut words = Words::of(text)?;
        if let Some(Call::Handle(call)) = of {
            let (facts, reason) = handles::facts_expected(&mut words, call.inquires(), reason_of)?;
            return Ok(Self { facts, reason, ..expected });
        }
        if text.starts_with('"') || text.contains(" bytes") {
            expected.body = Some(words.body()?);
        }
        while let Some(word) = words.next() {
            match word {
                Word::Plain("puts") => {
                    expected.counts.get_or_insert_default().puts = words.number("how many")?;
                }
                Word::Plain("warnings") => {
                    expected.counts.get_or_insert_default().warnings = words.number("how many")?;
                }
                Word::Plain("failures") => {
                    expected.counts.get_or_insert_default().failures = words.number("how many")?;
                }
                Word::Plain("object") => {
                    expected.counts.get_or_insert_default().objects = Some((words.name()?, words.name()?));
                }
                Word::Plain("priority") => expected.priority = Some(words.number("a priority")?),
                Word::Plain("backout") => expected.backout = Some(words.number("a backout count")?),
                Word::Plain("persistent") => expected.persistence = Some(Persistence::Persistent),
                Word::Plain("nonpersistent") => expected.persistence = Some(Persistence::NotPersistent),
                Word::Plain("folder") => expected.folders.push(words.plain("a folder")?.to_owned()),
                Word::Plain("length") => expected.length = Some(words.number("a length")?),
                Word::Plain("correlation-id") => {
                    expected.correlation_id = Some(CorrelationId::from_bytes(identifier(
                        words.plain("a correlation identifier")?,
                    )?));
                }
                Word::Plain(word) if word.starts_with("md.") => {
                    expected.fields.push(FieldExpected::parse(&word[3..], words.plain("a value")?)?);
                }
                Word::Plain("field") => {
                    let (name, value) = (words.plain("a field")?, words.plain("a value")?);
                    expected.structure.push(StructureExpected::parse(name, value)?);
                }
                Word::Plain(reason) => expected.reason = Some(reason_of(reason)?),
                Word::Quoted(text) => return Err(format!("unexpected \"{text}\"")),
            }
        }
        Ok(expected)
    }
}

fn reason_of(word: &str) -> Result<Reason, String> {
    let reason = match word.parse::<i32>() {
        Ok(code) => Reason::ALL.iter().copied().find(|reason| reason.code() == code),
        Err(_) => Reason::by_name(word),
    };
    reason.ok_or_else(|| format!("no such reason: {word}"))
}
