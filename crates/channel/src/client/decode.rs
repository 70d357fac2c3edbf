//! From bytes to requests and replies.

use std::time::Duration;

use super::branch::{BRANCH_BYTES_LEAST, BranchCall, take_branch, take_branch_list};
use super::delta_reader::RESOLVED_QUEUE_NAME;
use super::{
    CommandResponse, Credit, DeltaReader, ForHandle, Get, Message, Put, Reply, Request, Statistics, StopMode,
    Target,
};
use crate::body_cache::{BodyCache, is_shared};
use crate::descriptor::{take_descriptor, take_object, take_subscription};
use crate::{Credentials, Error, FieldSet, Flags, Frame, Hello, Kind, Preamble, Refused, Welcome};
use mqi::{
    AttributeValue, CloseOptions, GetFlags, GetOptions, Inquired, MatchOptions, MessageDescriptor,
    MessageHandle, MessageToken, ObjectHandle, ObjectName, ObjectType, OpenOptions, Opened, PutAction,
    PutFlags, PutObject, PutOptions, PutStatus, Reason, RequestOptions, Selector, SubscribeOptions,
    Subscribed, Wait,
};
use wire::assembly::check_length;
use wire::fields::{Fields, number};

/// Says whether the payload of a Credit has the terms with which a handle begins anew. One that is cut has
/// none.
#[must_use]
pub fn begins_anew(credit: &[u8]) -> bool {
    const TERMS_PRESENT_AT: usize = 12;
    credit.get(TERMS_PRESENT_AT).is_some_and(|present| present & WITH_TERMS != 0)
}

/// The bit of a Credit that says that its terms follow.
const WITH_TERMS: u8 = 1;

impl<'a> Request<'a> {
    /// Reads the request of a frame. Put, Get and a Credit with terms leave their descriptor in
    /// `descriptor`. Fields that a later release appended are skipped.
    ///
    /// # Errors
    /// When a field is cut or cannot have its value, a message is longer than agreed, or the frame is not a
    /// request.
    pub fn decode(
        frame: &Frame<'a>,
        message_bytes_max: u32,
        descriptor: &mut MessageDescriptor,
    ) -> Result<Self, Error> {
        let kind = frame.header.kind;
        if !matches!(kind, Kind::Put | Kind::Put1) {
            return Self::decode_other(frame, message_bytes_max, descriptor);
        }
        let read = |fields: &mut Fields<'a>| take_descriptor(fields, descriptor, FieldSet::ALL);
        put(Fields::of(frame.payload), kind, message_bytes_max, read).map(Self::Put)
    }

    /// Reads a request that is no put. Apart, so that the many kinds cost a put nothing.
    #[inline(never)]
    fn decode_other(
        frame: &Frame<'a>,
        message_bytes_max: u32,
        descriptor: &mut MessageDescriptor,
    ) -> Result<Self, Error> {
        let mut fields = Fields::of(frame.payload);
        let request = match frame.header.kind {
            Kind::Get => {
                let handle = ObjectHandle(fields.i32("handle")?);
                Self::Get(terms(&mut fields, handle, descriptor)?)
            }
            Kind::Fragment => return Ok(Self::Fragment(fields.rest())),
            Kind::Command => {
                let is_in_parts = frame.header.flags.contains(Flags::IN_PARTS);
                let first_line = is_in_parts.then(|| fields.u32("number of the first line")).transpose()?;
                let length = fields.u32("length of the command")?;
                let text = fields.rest();
                check_length(length, text.len(), message_bytes_max)?;
                return Ok(Self::Command { first_line, length, text });
            }
            Kind::Credit => {
                let handle = ObjectHandle(fields.i32("handle")?);
                let messages = fields.u32("messages")?;
                let bytes = fields.u32("bytes")?;
                let present = fields.u8("terms")?;
                let (with_terms, reserves_all, is_called) =
                    (present & WITH_TERMS != 0, present & 2 != 0, present & 4 != 0);
                let terms = with_terms.then(|| terms(&mut fields, handle, descriptor)).transpose()?;
                Self::Credit(Credit { handle, messages, bytes, terms, reserves_all, is_called })
            }
            Kind::Heartbeat => Self::Heartbeat,
            Kind::Disconnect => Self::Disconnect,
            Kind::Begin => Self::Begin {
                instance: fields.array("client instance")?,
                generation: fields.u64("generation")?,
                options: fields.i32("connect options")?,
            },
            Kind::End => Self::End,
            Kind::Open => {
                let options = OpenOptions::from_bits(fields.i32("open options")?);
                Self::Open { object: take_object(&mut fields)?, options }
            }
            Kind::Close => Self::Close {
                handle: ObjectHandle(fields.i32("handle")?),
                options: CloseOptions::from_bits(fields.i32("close options")?),
            },
            Kind::Cancel => Self::Cancel { get: crate::RequestNumber(fields.u32("get")?) },
            Kind::Confirm => {
                Self::Confirm { handle: ObjectHandle(fields.i32("handle")?), through: fields.u32("through")? }
            }
            Kind::Release => Self::Release { handle: ObjectHandle(fields.i32("handle")?) },
            Kind::Commit => Self::Commit { number: fields.u64("commit number")? },
            Kind::Back => Self::Back,
            Kind::Inquire => {
                let handle = ObjectHandle(fields.i32("handle")?);
                let selectors = (0..fields.count(4, "selectors")?)
                    .map(|_| fields.i32("selector").map(Selector))
                    .collect::<Result<_, _>>()?;
                Self::Inquire { handle, selectors }
            }
            Kind::Set => {
                let handle = ObjectHandle(fields.i32("handle")?);
                let values = (0..fields.count(9, "values")?)
                    .map(|_| Ok((Selector(fields.i32("selector")?), value(&mut fields)?)))
                    .collect::<Result<_, wire::Error>>()?;
                Self::Set { handle, values }
            }
            Kind::Subscribe => {
                let queue = optional_handle(&mut fields, "queue")?;
                let mut descriptor = Box::new(take_subscription(&mut fields)?);
                let has_user = descriptor.options.contains(SubscribeOptions::ALTERNATE_USER_AUTHORITY);
                // A client of an earlier release names no user.
                if has_user && !fields.ahead().is_empty() {
                    descriptor.alternate_user_identifier = fields.fixed_text("alternate user identifier")?;
                }
                Self::Subscribe { descriptor, queue }
            }
            Kind::RequestPublications => Self::RequestPublications {
                subscription: ObjectHandle(fields.i32("handle")?),
                action: fields.i32("action")?,
                options: RequestOptions::from_bits(fields.i32("request options")?),
            },
            Kind::Status => Self::Status,
            Kind::Stop => Self::Stop { mode: StopMode::from_number(fields.u8("stop mode")?)? },
            Kind::Statistics => Self::Statistics,
            Kind::Figures => Self::Figures,
            Kind::Branch => {
                Self::Branch { call: BranchCall::take(&mut fields)?, branch: take_branch(&mut fields)? }
            }
            Kind::ListBranches => Self::ListBranches(take_branch_list(&mut fields)?),
            Kind::PreparedMessage => Self::PreparedMessage {
                branch: take_branch(&mut fields)?,
                place: fields.u32("place")?,
                bytes_max: fields.u32("most bytes")?,
            },
            kind => return Err(Error::Unexpected { kind, why: "it is not a request of a client" }),
        };
        Ok(request)
    }
}

/// Reads a put, of which another reads the descriptor.
fn put<'a>(
    mut fields: Fields<'a>,
    kind: Kind,
    message_bytes_max: u32,
    descriptor: impl FnOnce(&mut Fields<'a>) -> Result<(), wire::Error>,
) -> Result<Put<'a>, Error> {
    let target = match kind {
        Kind::Put => Target::Handle(ObjectHandle(fields.i32("handle")?)),
        _ => Target::Object(Box::new(take_object(&mut fields)?)),
    };
    let mut options = PutOptions::with(PutFlags::from_bits(fields.i32("put options")?));
    let present = fields.u8("put fields")?;
    if present >= 16 {
        return Err(Error::field("put fields", Reason::PMO_ERROR));
    }
    // Most puts have none of them.
    if present != 0 {
        if present & 1 != 0 {
            options.context = Some(ObjectHandle(fields.i32("context handle")?));
        }
        if present & 2 != 0 {
            options.action = PutAction::from_code(number(&mut fields, "action")?)
                .map_err(|reason| Error::field("action", reason))?;
        }
        if present & 4 != 0 {
            options.publication_level = number(&mut fields, "publication level")?;
        }
        if present & 8 != 0 {
            options.delivery_delay = Duration::from_millis(fields.u64("delivery delay")?);
        }
    }
    descriptor(&mut fields)?;
    let length = fields.u32("length of the message")?;
    let body = fields.rest();
    check_length(length, body.len(), message_bytes_max)?;
    Ok(Put { target, options, length, body })
}

fn terms(
    fields: &mut Fields<'_>,
    handle: ObjectHandle,
    descriptor: &mut MessageDescriptor,
) -> Result<Get, Error> {
    let mut options = GetOptions::with(GetFlags::from_bits(fields.i32("get options")?), Wait::No);
    let present = fields.u8("get fields")?;
    if present >= 32 || present & 3 == 3 {
        return Err(Error::field("get fields", Reason::GMO_ERROR));
    }
    let bytes_max = fields.u32("most bytes of the message")?;
    options.wait = match present & 3 {
        0 => Wait::No,
        1 => Wait::Milliseconds(fields.u32("wait interval")?),
        _ => Wait::Unlimited,
    };
    if present & 4 != 0 {
        options.match_options = MatchOptions::from_bits(fields.i32("match options")?);
    }
    if present & 8 != 0 {
        options.message_token = MessageToken(fields.array("message token")?);
    }
    if present & 16 != 0 {
        options.message_handle = MessageHandle(fields.u64("message handle")?.cast_signed());
    }
    take_descriptor(fields, descriptor, FieldSet::ALL)?;
    Ok(Get { handle, options, bytes_max })
}

fn value(fields: &mut Fields<'_>) -> Result<AttributeValue, wire::Error> {
    match fields.u8("kind of value")? {
        0 => fields.i32("value").map(AttributeValue::Integer),
        1 => fields.long_text("value").map(AttributeValue::from),
        _ => Err(wire::Error::Field { field: "kind of value", reason: Reason::SELECTOR_ERROR }),
    }
}

fn optional_handle(
    fields: &mut Fields<'_>,
    field: &'static str,
) -> Result<Option<ObjectHandle>, wire::Error> {
    match fields.u8(field)? {
        0 => Ok(None),
        1 => fields.i32(field).map(|handle| Some(ObjectHandle(handle))),
        _ => Err(wire::Error::Field { field, reason: Reason::HOBJ_ERROR }),
    }
}

fn warning(fields: &mut Fields<'_>) -> Result<Option<Reason>, wire::Error> {
    let code = number(fields, "warning")?;
    Ok((code != 0).then(|| Reason::from_code(code)))
}

/// Most bytes of the properties of a message on its way, as MAXPROPL allows at most.
const PROPERTIES_BYTES_MAX: u32 = 100 << 20;

/// Most bytes of a message on its way to a getter: its properties do not count as part of it.
#[must_use]
pub fn with_properties(flags: Flags, message_bytes_max: u32) -> u32 {
    let most = if flags.contains(Flags::PROPERTIES) { PROPERTIES_BYTES_MAX } else { 0 };
    message_bytes_max.saturating_add(most)
}

/// Reads a message, of which others read the name of its queue and its descriptor.
fn message<'a>(
    mut fields: Fields<'a>,
    flags: Flags,
    message_bytes_max: u32,
    queue_name: impl FnOnce(&mut Fields<'a>) -> Result<ObjectName, wire::Error>,
    descriptor: impl FnOnce(&mut Fields<'a>) -> Result<(), wire::Error>,
) -> Result<Message<'a>, Error> {
    let warning = warning(&mut fields)?;
    let data_length = fields.u32("length of the message")?;
    let resolved_queue_name = queue_name(&mut fields)?;
    let message_token = MessageToken(fields.array("message token")?);
    descriptor(&mut fields)?;
    let length = fields.u32("length returned")?;
    let body = fields.rest();
    check_length(length, body.len(), with_properties(flags, message_bytes_max))?;
    let for_handle = match (flags.contains(Flags::FILLS_HANDLE), flags.contains(Flags::PROPERTIES)) {
        (false, _) => ForHandle::Nothing,
        (true, false) => ForHandle::NoProperties,
        (true, true) => ForHandle::Header,
    };
    Ok(Message { warning, data_length, resolved_queue_name, message_token, for_handle, length, body })
}

/// Reads a message with its descriptor.
fn message_with<'a>(
    fields: Fields<'a>,
    flags: Flags,
    message_bytes_max: u32,
    descriptor: &mut MessageDescriptor,
) -> Result<Message<'a>, Error> {
    let queue_name = |fields: &mut Fields<'a>| fields.object_name(RESOLVED_QUEUE_NAME);
    let descriptor = |fields: &mut Fields<'a>| take_descriptor(fields, descriptor, FieldSet::ALL);
    message(fields, flags, message_bytes_max, queue_name, descriptor)
}

/// Reads the addressee of a message that comes by credit, and its number.
///
/// # Errors
/// When the frame does not say so.
pub fn delivered_to(frame: &Frame<'_>) -> Result<(ObjectHandle, u32), Error> {
    taken_to(&mut Fields::of(frame.payload))
}

fn taken_to(fields: &mut Fields<'_>) -> Result<(ObjectHandle, u32), Error> {
    Ok((ObjectHandle(fields.i32("handle")?), fields.u32("number of the delivery")?))
}

/// Reads the same of a message that is read as it came, or refuses one that is to be
/// [parted](BodyCache::part) from its body first.
fn taken_whole_to(fields: &mut Fields<'_>, frame: &Frame<'_>) -> Result<(ObjectHandle, u32), Error> {
    if is_shared(frame) {
        let why = "what is kept of it was not put together with it";
        return Err(Error::Unexpected { kind: frame.header.kind, why });
    }
    taken_to(fields)
}

impl DeltaReader {
    /// Reads a message, whether it came by credit or answers a get; its descriptor is
    /// [here](Self::descriptor) then.
    ///
    /// # Errors
    /// As of a reply.
    pub fn read<'a>(&mut self, frame: &Frame<'a>, message_bytes_max: u32) -> Result<Message<'a>, Error> {
        let mut fields = Fields::of(frame.payload);
        if frame.header.kind == Kind::Delivered {
            taken_whole_to(&mut fields, frame)?;
        }
        let Self { queue_name, described } = self;
        let (name, descriptor) =
            (|fields: &mut _| queue_name.take(fields), |fields: &mut _| described.take(fields));
        message(fields, frame.header.flags, message_bytes_max, name, descriptor)
    }

    /// Reads a put, by handle or by name; its descriptor is [here](Self::descriptor) then.
    ///
    /// # Errors
    /// As of a request.
    pub fn read_put<'a>(&mut self, frame: &Frame<'a>, message_bytes_max: u32) -> Result<Put<'a>, Error> {
        let described = &mut self.described;
        put(Fields::of(frame.payload), frame.header.kind, message_bytes_max, |fields| described.take(fields))
    }
}

impl<'a> Reply<'a> {
    /// Reads the reply of a frame. A message leaves its descriptor in `descriptor`; a put changes there what
    /// it filled in.
    ///
    /// # Errors
    /// As of a request.
    pub fn decode(
        frame: &Frame<'a>,
        message_bytes_max: u32,
        descriptor: &mut MessageDescriptor,
    ) -> Result<Self, Error> {
        let mut fields = Fields::of(frame.payload);
        let header = frame.header;
        if header.flags.contains(Flags::FAILED) {
            let reason = Reason::from_code(fields.i32("reason")?);
            let data_length = fields.u32("length of the message")?;
            return Ok(Self::Failed { reason, data_length });
        }
        let reply = match header.kind {
            Kind::Got => {
                return message_with(fields, header.flags, message_bytes_max, descriptor).map(Self::Got);
            }
            Kind::Delivered => {
                let (handle, number) = taken_whole_to(&mut fields, frame)?;
                let message = message_with(fields, header.flags, message_bytes_max, descriptor)?;
                return Ok(Self::Delivered { handle, number, message });
            }
            Kind::Fragment => return Ok(Self::Fragment(fields.rest())),
            Kind::CommandDone | Kind::StatisticsTold | Kind::FiguresTold => {
                let length = fields.u32("length of the answer")?;
                let part = fields.rest();
                // An answer is not a message: a queue manager with many objects may say more than one may
                // hold.
                check_length(length, part.len(), u32::MAX / 4)?;
                return Ok(Self::Long { length, part });
            }
            Kind::Refused => return Refused::decode(fields.rest()).map(Self::Refused),
            Kind::PutDone => {
                let warning = warning(&mut fields)?;
                let resolved_queue_name = fields.object_name("resolved queue name")?;
                let resolved_queue_manager_name = fields.queue_manager_name("resolved queue manager name")?;
                if !header.flags.contains(Flags::BRIEF) {
                    take_descriptor(&mut fields, descriptor, FieldSet::FILLED_BY_PUT)?;
                }
                Self::PutDone { warning, resolved_queue_name, resolved_queue_manager_name }
            }
            Kind::Heartbeat => Self::Heartbeat,
            Kind::Closed => Self::Closed { warning: warning(&mut fields)? },
            Kind::Begun => {
                let known = fields.u8("last commit known")? != 0;
                let number = fields.u64("last commit")?;
                Self::Begun { last_commit: known.then_some(number) }
            }
            Kind::Opened => {
                let handle = ObjectHandle(fields.i32("handle")?);
                let object_name = fields.object_name("object name")?;
                let resolved_queue_name = fields.object_name("resolved queue name")?;
                let resolved_queue_manager_name = fields.queue_manager_name("resolved queue manager name")?;
                let left_open = fields.u8("what options left open")?;
                let is_topic = left_open & 4 != 0;
                let topic_string = is_topic.then(|| fields.long_text("topic string")).transpose()?;
                Self::Opened(Opened {
                    handle,
                    object_name,
                    resolved_queue_name,
                    resolved_queue_manager_name,
                    topic_string: topic_string.map(str::to_owned),
                    puts_asynchronously: left_open & 1 != 0,
                    reads_ahead: left_open & 2 != 0,
                })
            }
            Kind::Inquired => {
                let warning = warning(&mut fields)?;
                let values =
                    (0..fields.count(5, "values")?).map(|_| value(&mut fields)).collect::<Result<_, _>>()?;
                Self::Inquired(Inquired { values, warning })
            }
            Kind::Subscribed => Self::Subscribed(Box::new(Subscribed {
                subscription: ObjectHandle(fields.i32("handle")?),
                queue: optional_handle(&mut fields, "queue")?,
                queue_name: fields.object_name("queue name")?,
                topic_string: fields.long_text("topic string")?.to_owned(),
                is: take_subscription(&mut fields)?,
                reads_ahead: fields.u8("what options left open")? & 2 != 0,
            })),
            Kind::PublicationsRequested => Self::PublicationsRequested(fields.u32("publications")?),
            Kind::BranchAnswered => Self::Branch { code: fields.i32("answer")? },
            Kind::BranchesListed => {
                let count = fields.count(BRANCH_BYTES_LEAST, "branches")?;
                Self::Branches((0..count).map(|_| take_branch(&mut fields)).collect::<Result<_, _>>()?)
            }
            Kind::StatusTold => Self::Status(PutStatus {
                puts: fields.u32("puts")?,
                warnings: fields.u32("warnings")?,
                failures: fields.u32("failures")?,
                reason: warning(&mut fields)?,
                object: PutObject {
                    object_type: match fields.i32("object type")? {
                        0 => None,
                        code => Some(ObjectType::from_code(code)),
                    },
                    object_name: fields.object_name("object name")?,
                    object_queue_manager_name: fields.queue_manager_name("object queue manager name")?,
                    resolved_object_name: fields.object_name("resolved object name")?,
                    resolved_queue_manager_name: fields.queue_manager_name("resolved queue manager name")?,
                },
            }),
            Kind::Ended
            | Kind::Cancelled
            | Kind::Confirmed
            | Kind::Released
            | Kind::Committed
            | Kind::BackedOut
            | Kind::SetDone
            | Kind::Stopping => Self::Done,
            kind => return Err(Error::Unexpected { kind, why: "it is not a reply of a queue manager" }),
        };
        Ok(reply)
    }
}

/// Reads a message or a put by those before it, and compares: it must be what is read without them, or the
/// same error.
fn read_by_others(frame: &Frame<'_>, seen: &mut DeltaReader, descriptor: &mut MessageDescriptor) {
    if matches!(frame.header.kind, Kind::Put | Kind::Put1) {
        let read = seen.read_put(frame, 1 << 20);
        let alone = match Request::decode(frame, 1 << 20, descriptor) {
            Ok(Request::Put(put)) => Ok(put),
            Ok(request) => panic!("a put reads as {request:?}"),
            Err(error) => Err(error),
        };
        assert_eq!(read, alone, "by those before it and alone");
        if read.is_ok() {
            assert_eq!(seen.descriptor(), descriptor, "by those before it and alone");
        }
        return;
    }
    let is_message = matches!(frame.header.kind, Kind::Got | Kind::Delivered);
    if !is_message || frame.header.flags.contains(Flags::FAILED) {
        return;
    }
    let read = seen.read(frame, 1 << 20);
    let alone = match Reply::decode(frame, 1 << 20, descriptor) {
        Ok(Reply::Got(message) | Reply::Delivered { message, .. }) => Ok(message),
        Ok(reply) => panic!("a message reads as {reply:?}"),
        Err(error) => Err(error),
    };
    assert_eq!(read, alone, "by those before it and alone");
    if read.is_ok() {
        assert_eq!(seen.descriptor(), descriptor, "by those before it and alone");
    }
}

/// Runs every decoder over bytes from anywhere; for fuzzing. None of them may panic. True when the bytes are
/// frames that one side may send, the last perhaps not whole.
pub fn decode_any(bytes: &[u8]) -> bool {
    let _ = Preamble::of(bytes);
    let _ = CommandResponse::decode(bytes);
    let _ = Statistics::decode(bytes);
    let (mut descriptor, mut seen) = (MessageDescriptor::default(), DeltaReader::default());
    let (mut kept, mut head) = (BodyCache::default(), Vec::new());
    let mut rest = bytes.strip_prefix(&crate::preamble::MAGIC[..]).unwrap_or(bytes);
    let (mut is_said, mut frames) = (true, 0);
    loop {
        let frame = match Frame::decode(rest, 1 << 20) {
            Ok(Some(frame)) => frame,
            end => return is_said && frames > 0 && end.is_ok(),
        };
        let question = match frame.header.kind {
            Kind::Hello => Hello::decode(frame.payload).map(drop),
            Kind::Identify => Credentials::decode(frame.payload).map(drop),
            Kind::Welcome => Welcome::decode(frame.payload).map(drop),
            _ => Request::decode(&frame, 1 << 20, &mut descriptor).map(drop),
        };
        let answer = Reply::decode(&frame, 1 << 20, &mut descriptor);
        read_by_others(&frame, &mut seen, &mut descriptor);
        let is_parted = match kept.part(&frame) {
            Ok(Some(parted)) => {
                head.clear();
                parted.write(&mut head);
                let length = parted.body().len();
                matches!(Frame::decode(&head, u32::MAX), Ok(Some(head)) if seen
                    .read(&head, 1 << 20)
                    .is_ok_and(|message| message.body.is_empty() && message.length as usize == length))
            }
            Ok(None) => question.is_ok() || answer.is_ok(),
            Err(_) => false,
        };
        is_said &= is_parted;
        frames += 1;
        rest = rest.get(frame.bytes()..).unwrap_or_default();
    }
}
