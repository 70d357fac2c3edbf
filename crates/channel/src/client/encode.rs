//! From requests and replies to bytes.

use super::branch::{put_branch, put_branch_list};
use super::{Credit, DeltaWriter, Described, ForHandle, Get, Message, Reply, Request, Target};
use crate::body_cache::Outlet;
use crate::body_cache::SHARED_BYTES;
use crate::descriptor::{DESCRIPTOR_BYTES_MAX, put_descriptor, put_object, put_subscription, put_written};
use crate::frame::{HEADER_BYTES, begin, finish};
use crate::{Conversation, FieldSet, Flags, Header, Kind, RequestNumber};
use bytes::Bytes;
use mqi::{
    AttributeValue, Body, GetOptions, MatchOptions, MessageDescriptor, MessageHandle, ObjectHandle,
    ObjectName, ObjectType, PutAction, PutOptions, QueueManagerName, Reason, SubscribeOptions, Wait,
};
use wire::Output;
use wire::fields::{
    Gathered, NUMBER_BYTES_MAX, put_i32, put_long_text, put_number, put_short, put_u32, put_u64,
};
use wire::output::{COPY_BYTES_MAX, SHARED_COPY_BYTES_MAX};

/// Appends a body to the frame that began at `start`, as much as one frame takes; what remains goes in
/// fragments.
pub(crate) fn body(out: &mut Output, start: usize, body: Bytes, fragment_bytes: usize) -> Bytes {
    body_copied_up_to(out, start, body, fragment_bytes, COPY_BYTES_MAX)
}

fn body_copied_up_to(
    out: &mut Output,
    start: usize,
    mut body: Bytes,
    fragment_bytes: usize,
    most: usize,
) -> Bytes {
    put_u32(out.cork(), body.len() as u32);
    let rest = if body.len() > fragment_bytes { body.split_off(fragment_bytes) } else { Bytes::new() };
    finish(out.cork(), start, body.len());
    out.body_copied_up_to(body, most);
    rest
}

/// Writes a body that may be the caller's. A short one is copied from where it is.
fn body_of_put(out: &mut Output, start: usize, message: Body<'_>, fragment_bytes: usize) -> Bytes {
    if message.len() > COPY_BYTES_MAX.min(fragment_bytes) {
        return body(out, start, message.into_bytes(), fragment_bytes);
    }
    let cork = out.cork();
    put_u32(cork, message.len() as u32);
    finish(cork, start, message.len());
    cork.extend_from_slice(&message);
    Bytes::new()
}

/// Appends the next fragment of what [`put`], [`got`] or another left over.
pub fn fragment(
    out: &mut Output,
    conversation: Conversation,
    request: RequestNumber,
    rest: &mut Bytes,
    fragment_bytes: usize,
) {
    let next = rest.split_to(rest.len().min(fragment_bytes));
    let start = begin(out.cork(), Header::new(Kind::Fragment, conversation, request));
    finish(out.cork(), start, next.len());
    out.body(next);
}

/// Appends a put, whole or its first part; returns what is left for fragments.
pub fn put<'a>(
    out: &mut Output,
    header: Header,
    target: &Target,
    descriptor: &MessageDescriptor,
    options: &PutOptions,
    message: impl Into<Body<'a>>,
    fragment_bytes: usize,
) -> Bytes {
    let start = put_head(out.cork(), header, target, options);
    put_descriptor(out.cork(), descriptor, FieldSet::ALL);
    body_of_put(out, start, message.into(), fragment_bytes)
}

impl DeltaWriter {
    /// Writes a put, by its difference from the last put.
    pub fn put<'a>(
        &mut self,
        out: &mut Output,
        header: Header,
        (target, descriptor): (&Target, &MessageDescriptor),
        options: &PutOptions,
        message: impl Into<Body<'a>>,
        fragment_bytes: usize,
    ) -> Bytes {
        let message = message.into();
        let copied = if message.len() <= COPY_BYTES_MAX { message.len() } else { 0 };
        out.cork().reserve(PUT_HEAD_BYTES_MAX + DESCRIPTOR_BYTES_MAX + 4 + copied);
        let start = put_head(out.cork(), header, target, options);
        self.put_descriptor(out.cork(), descriptor);
        body_of_put(out, start, message, fragment_bytes)
    }
}

/// Most bytes of what stands before the descriptor of a put by handle.
const PUT_HEAD_BYTES_MAX: usize = HEADER_BYTES + 4 + 4 + 1 + 4 + 2 * NUMBER_BYTES_MAX + 8;

/// The level of a publication that says none.
const LEVEL_DEFAULT: i32 = 9;

/// Begins the frame of a put with all that stands before its descriptor; where it begins.
#[inline]
fn put_head(cork: &mut Vec<u8>, header: Header, target: &Target, options: &PutOptions) -> usize {
    let start = cork.len();
    let mut front = Gathered::<PUT_HEAD_BYTES_MAX>::default();
    front.put(header.to_bytes());
    match target {
        Target::Handle(handle) => front.put(handle.0.to_le_bytes()),
        Target::Object(object) => {
            cork.extend_from_slice(front.as_bytes());
            front = Gathered::default();
            put_object(cork, object);
        }
    }
    front.put(options.flags.bits().to_le_bytes());
    let is_plain = options.context.is_none()
        & (options.action == PutAction::New)
        & (options.publication_level == LEVEL_DEFAULT)
        & options.delivery_delay.is_zero();
    if is_plain {
        front.put([0]);
    } else {
        put_rare_fields(&mut front, options);
    }
    cork.extend_from_slice(front.as_bytes());
    start
}

/// Puts the fields that few puts have, and before them a byte that says which.
#[inline(never)]
fn put_rare_fields(front: &mut Gathered<PUT_HEAD_BYTES_MAX>, options: &PutOptions) {
    let has_action = options.action != PutAction::New;
    let has_level = options.publication_level != LEVEL_DEFAULT;
    let is_delayed = !options.delivery_delay.is_zero();
    front.put([u8::from(options.context.is_some())
        | u8::from(has_action) << 1
        | u8::from(has_level) << 2
        | u8::from(is_delayed) << 3]);
    if let Some(context) = options.context {
        front.put(context.0.to_le_bytes());
    }
    if has_action {
        front.put_number(options.action.code());
    }
    if has_level {
        front.put_number(options.publication_level);
    }
    if is_delayed {
        // Rounded up, so that no message comes too early.
        let milliseconds = options.delivery_delay.as_nanos().div_ceil(1_000_000);
        front.put(u64::try_from(milliseconds).unwrap_or(u64::MAX).to_le_bytes());
    }
}

/// Appends a get.
pub fn get(
    out: &mut Vec<u8>,
    conversation: Conversation,
    request: RequestNumber,
    get: &Get,
    descriptor: &MessageDescriptor,
) {
    get_with(out, Header::new(Kind::Get, conversation, request), get, descriptor);
}

/// Appends a get whose header says more of it.
pub fn get_with(out: &mut Vec<u8>, header: Header, get: &Get, descriptor: &MessageDescriptor) {
    let start = begin(out, header);
    put_i32(out, get.handle.0);
    put_terms(out, &get.options, get.bytes_max, descriptor);
    finish(out, start, 0);
}

fn put_terms(out: &mut Vec<u8>, options: &GetOptions, bytes_max: u32, descriptor: &MessageDescriptor) {
    let wait = match options.wait {
        Wait::No => 0,
        Wait::Milliseconds(_) => 1,
        Wait::Unlimited => 2,
    };
    let usual = MatchOptions::MATCH_MSG_ID | MatchOptions::MATCH_CORREL_ID;
    let present = wait
        | u8::from(options.match_options != usual) << 2
        | u8::from(options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN)) << 3
        | u8::from(options.message_handle != MessageHandle::NONE) << 4;
    put_i32(out, options.flags.bits());
    out.push(present);
    put_u32(out, bytes_max);
    if let Wait::Milliseconds(milliseconds) = options.wait {
        put_u32(out, milliseconds);
    }
    if present & 4 != 0 {
        put_i32(out, options.match_options.bits());
    }
    if present & 8 != 0 {
        out.extend_from_slice(options.message_token.as_bytes());
    }
    if present & 16 != 0 {
        put_u64(out, options.message_handle.0.cast_unsigned());
    }
    put_descriptor(out, descriptor, FieldSet::READ_BY_GET);
}

/// Appends a credit; the descriptor says what to match and counts only with terms.
pub fn credit(
    out: &mut Vec<u8>,
    conversation: Conversation,
    request: RequestNumber,
    credit: &Credit,
    descriptor: &MessageDescriptor,
) {
    let start = begin(out, Header::new(Kind::Credit, conversation, request));
    put_i32(out, credit.handle.0);
    put_u32(out, credit.messages);
    put_u32(out, credit.bytes);
    let (with_terms, reserves_all) = (u8::from(credit.terms.is_some()), u8::from(credit.reserves_all));
    out.push(with_terms | reserves_all << 1 | u8::from(credit.is_called) << 2);
    if let Some(terms) = &credit.terms {
        put_terms(out, &terms.options, terms.bytes_max, descriptor);
    }
    finish(out, start, 0);
}

/// Appends a command; returns what is left for fragments. With the number of its first line its answer comes
/// in parts.
pub fn command(
    out: &mut Output,
    conversation: Conversation,
    request: RequestNumber,
    first_line: Option<u32>,
    text: Bytes,
    fragment_bytes: usize,
) -> Bytes {
    let flags = if first_line.is_some() { Flags::IN_PARTS } else { Flags::NONE };
    let start = begin(out.cork(), Header::new(Kind::Command, conversation, request).with(flags));
    if let Some(first_line) = first_line {
        put_u32(out.cork(), first_line);
    }
    body(out, start, text, fragment_bytes)
}

impl Request<'_> {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Heartbeat => Kind::Heartbeat,
            Self::Disconnect => Kind::Disconnect,
            Self::Fragment(_) => Kind::Fragment,
            Self::Begin { .. } => Kind::Begin,
            Self::End => Kind::End,
            Self::Open { .. } => Kind::Open,
            Self::Close { .. } => Kind::Close,
            Self::Put(put) => match put.target {
                Target::Handle(_) => Kind::Put,
                Target::Object(_) => Kind::Put1,
            },
            Self::Get(_) => Kind::Get,
            Self::Cancel { .. } => Kind::Cancel,
            Self::Credit(_) => Kind::Credit,
            Self::Confirm { .. } => Kind::Confirm,
            Self::Release { .. } => Kind::Release,
            Self::Commit { .. } => Kind::Commit,
            Self::Back => Kind::Back,
            Self::Inquire { .. } => Kind::Inquire,
            Self::Set { .. } => Kind::Set,
            Self::Subscribe { .. } => Kind::Subscribe,
            Self::RequestPublications { .. } => Kind::RequestPublications,
            Self::Status => Kind::Status,
            Self::Command { .. } => Kind::Command,
            Self::Stop { .. } => Kind::Stop,
            Self::Statistics => Kind::Statistics,
            Self::Figures => Kind::Figures,
            Self::Branch { .. } => Kind::Branch,
            Self::ListBranches(_) => Kind::ListBranches,
            Self::PreparedMessage { .. } => Kind::PreparedMessage,
        }
    }

    /// Appends a request that has neither body nor descriptor; those have functions of their own.
    ///
    /// # Panics
    /// For a request that has one.
    pub fn encode(
        &self,
        out: &mut Vec<u8>,
        conversation: Conversation,
        request: RequestNumber,
        flags: Flags,
    ) {
        let start = begin(out, Header::new(self.kind(), conversation, request).with(flags));
        match self {
            Self::Heartbeat
            | Self::Disconnect
            | Self::End
            | Self::Back
            | Self::Status
            | Self::Statistics
            | Self::Figures => {}
            Self::Branch { call, branch } => {
                call.put(out);
                put_branch(out, branch);
            }
            Self::ListBranches(list) => put_branch_list(out, list),
            Self::PreparedMessage { branch, place, bytes_max } => {
                put_branch(out, branch);
                put_u32(out, *place);
                put_u32(out, *bytes_max);
            }
            Self::Begin { instance, generation, options } => {
                out.extend_from_slice(instance);
                put_u64(out, *generation);
                put_i32(out, *options);
            }
            Self::Open { object, options } => {
                put_i32(out, options.bits());
                put_object(out, object);
            }
            Self::Close { handle, options } => {
                put_i32(out, handle.0);
                put_i32(out, options.bits());
            }
            Self::Cancel { get } => put_u32(out, get.0),
            Self::Confirm { handle, through } => {
                put_i32(out, handle.0);
                put_u32(out, *through);
            }
            Self::Release { handle } => put_i32(out, handle.0),
            Self::Commit { number } => put_u64(out, *number),
            Self::Inquire { handle, selectors } => {
                put_i32(out, handle.0);
                put_u32(out, selectors.len() as u32);
                for selector in selectors {
                    put_i32(out, selector.0);
                }
            }
            Self::Set { handle, values } => {
                put_i32(out, handle.0);
                put_u32(out, values.len() as u32);
                for (selector, value) in values {
                    put_i32(out, selector.0);
                    put_value(out, value);
                }
            }
            Self::Subscribe { descriptor, queue } => {
                put_optional_handle(out, *queue);
                put_subscription(out, descriptor);
                if descriptor.options.contains(SubscribeOptions::ALTERNATE_USER_AUTHORITY) {
                    put_short(out, descriptor.alternate_user_identifier.as_bytes());
                }
            }
            Self::RequestPublications { subscription, action, options } => {
                put_i32(out, subscription.0);
                put_i32(out, *action);
                put_i32(out, options.bits());
            }
            Self::Stop { mode } => out.push(mode.number()),
            Self::Fragment(_) | Self::Put(_) | Self::Get(_) | Self::Credit(_) | Self::Command { .. } => {
                unreachable!("a request with a body or a descriptor has a function of its own")
            }
        }
        finish(out, start, 0);
    }
}

fn put_optional_handle(out: &mut Vec<u8>, handle: Option<ObjectHandle>) {
    out.push(u8::from(handle.is_some()));
    if let Some(handle) = handle {
        put_i32(out, handle.0);
    }
}

fn put_value(out: &mut Vec<u8>, value: &AttributeValue) {
    match value {
        AttributeValue::Integer(value) => {
            out.push(0);
            put_i32(out, *value);
        }
        AttributeValue::Text(value) => {
            out.push(1);
            put_long_text(out, value);
        }
    }
}

fn put_warning(out: &mut Vec<u8>, warning: Option<Reason>) {
    put_number(out, warning.map_or(0, Reason::code));
}

/// Appends the answer to a put; the descriptor is left out of a brief one.
pub fn put_done(
    out: &mut Vec<u8>,
    header: Header,
    warning: Option<Reason>,
    resolved_queue_name: &ObjectName,
    resolved_queue_manager_name: &QueueManagerName,
    descriptor: Option<&MessageDescriptor>,
) {
    let header = if descriptor.is_none() { header.with(Flags::BRIEF) } else { header };
    let start = begin(out, header);
    put_warning(out, warning);
    put_short(out, resolved_queue_name.as_bytes());
    put_short(out, resolved_queue_manager_name.as_bytes());
    if let Some(descriptor) = descriptor {
        put_descriptor(out, descriptor, FieldSet::FILLED_BY_PUT);
    }
    finish(out, start, 0);
}

/// Appends a message that was got, whole or its first part; returns what is left for fragments.
pub fn got<'a>(
    out: &mut Output,
    conversation: Conversation,
    request: RequestNumber,
    message: &Message<'_>,
    descriptor: impl Into<Described<'a>>,
    content: Bytes,
    fragment_bytes: usize,
) -> Bytes {
    let mut front = Front::default();
    let header = Header::new(Kind::Got, conversation, request).with(flags_of(message.for_handle));
    front.put(header.to_bytes());
    put_message(out, front, message, descriptor.into(), content, fragment_bytes)
}

/// Appends a message that comes by credit to a handle under a number; as [`got`]. The header says whether it
/// is reserved.
pub fn delivered<'a>(
    Outlet { output: out, bodies }: &mut Outlet<'_>,
    header: Header,
    (handle, number): (ObjectHandle, u32),
    message: &Message<'_>,
    descriptor: impl Into<Described<'a>>,
    content: Bytes,
    fragment_bytes: usize,
) -> Bytes {
    let descriptor = descriptor.into();
    let header = header.with(flags_of(message.for_handle));
    // Copies of a publication have a body that others of this connection may be sent.
    let shared = match descriptor {
        Described::Written { common, correlation_id } if content.len() <= fragment_bytes => {
            bodies.share(header.conversation, common, &content).map(|shared| (shared, common, correlation_id))
        }
        _ => None,
    };
    let mut front = Front::default();
    front.put(header.with(if shared.is_some() { Flags::SHARED } else { Flags::NONE }).to_bytes());
    front.put(handle.0.to_le_bytes());
    front.put(number.to_le_bytes());
    let Some((shared, common, correlation_id)) = shared else {
        return put_message(out, front, message, descriptor, content, fragment_bytes);
    };
    front.put(shared.to_bytes());
    put_own(&mut front, message);
    front.put(correlation_id.0);
    let start = out.cork().len();
    out.cork().extend_from_slice(front.as_bytes());
    if shared.follows() {
        out.cork().extend_from_slice(common);
        finish(out.cork(), start, content.len());
        out.body_copied_up_to(content, SHARED_COPY_BYTES_MAX);
    } else {
        finish(out.cork(), start, 0);
    }
    Bytes::new()
}

fn flags_of(for_handle: ForHandle) -> Flags {
    match for_handle {
        ForHandle::Nothing => Flags::NONE,
        ForHandle::NoProperties => Flags::FILLS_HANDLE,
        ForHandle::Header => Flags::FILLS_HANDLE.and(Flags::PROPERTIES),
    }
}

/// Part of a message's frame before its descriptor.
type Front = Gathered<FRONT_BYTES_MAX>;

/// Most bytes of it: handle and number, what is said of a shared body, warning and length, the queue's name,
/// the token, the correlation identifier where the body is shared.
const FRONT_BYTES_MAX: usize =
    HEADER_BYTES + 8 + SHARED_BYTES + NUMBER_BYTES_MAX + 4 + 1 + ObjectName::LENGTH_MAX + 16 + 24;

/// Writes the fields that no message shares with others.
#[inline]
fn put_own(front: &mut Front, message: &Message<'_>) {
    front.put_number(message.warning.map_or(0, Reason::code));
    front.put(message.data_length.to_le_bytes());
    front.put_short(message.resolved_queue_name.as_bytes());
    front.put(message.message_token.0);
}

/// Appends a message whose frame begins with `front`, whole or its first part; returns what is left for
/// fragments.
fn put_message(
    out: &mut Output,
    mut front: Front,
    message: &Message<'_>,
    descriptor: Described<'_>,
    content: Bytes,
    fragment_bytes: usize,
) -> Bytes {
    put_own(&mut front, message);
    // What copies of a publication share of a descriptor is written once; they share the body, too.
    let copied_most = match descriptor {
        Described::Whole(_) => COPY_BYTES_MAX,
        Described::Written { .. } => SHARED_COPY_BYTES_MAX,
    };
    // Room is looked for once, that of a body that is copied with the rest.
    let copied = if content.len() <= copied_most { content.len() } else { 0 };
    let cork = out.cork();
    cork.reserve(FRONT_BYTES_MAX + DESCRIPTOR_BYTES_MAX + 4 + copied);
    let start = cork.len();
    cork.extend_from_slice(front.as_bytes());
    match descriptor {
        Described::Whole(descriptor) => {
            put_descriptor(cork, descriptor, FieldSet::ALL);
        }
        Described::Written { common, correlation_id } => put_written(cork, common, correlation_id),
    }
    body_copied_up_to(out, start, content, fragment_bytes, copied_most)
}

/// Appends the answer to a command or the statistics; returns what is left for fragments.
pub fn long_reply(out: &mut Output, header: Header, content: Bytes, fragment_bytes: usize) -> Bytes {
    let start = begin(out.cork(), header);
    body(out, start, content, fragment_bytes)
}

impl Reply<'_> {
    /// Appends a reply of this kind that has neither body nor descriptor.
    ///
    /// # Panics
    /// For a reply that has one.
    pub fn encode(&self, out: &mut Vec<u8>, header: Header) {
        let header = if matches!(self, Self::Failed { .. }) { header.with(Flags::FAILED) } else { header };
        let start = begin(out, header);
        match self {
            Self::Heartbeat | Self::Done => {}
            Self::Closed { warning } => put_warning(out, *warning),
            Self::Failed { reason, data_length } => {
                put_i32(out, reason.code());
                put_u32(out, *data_length);
            }
            Self::Begun { last_commit } => {
                out.push(u8::from(last_commit.is_some()));
                put_u64(out, last_commit.unwrap_or_default());
            }
            Self::Opened(opened) => {
                put_i32(out, opened.handle.0);
                put_short(out, opened.object_name.as_bytes());
                put_short(out, opened.resolved_queue_name.as_bytes());
                put_short(out, opened.resolved_queue_manager_name.as_bytes());
                let topic_string = opened.topic_string.as_deref();
                let left_open = u8::from(opened.puts_asynchronously) | u8::from(opened.reads_ahead) << 1;
                out.push(left_open | u8::from(topic_string.is_some()) << 2);
                if let Some(topic_string) = topic_string {
                    put_long_text(out, topic_string);
                }
            }
            Self::Inquired(inquired) => {
                put_warning(out, inquired.warning);
                put_u32(out, inquired.values.len() as u32);
                for value in &inquired.values {
                    put_value(out, value);
                }
            }
            Self::Subscribed(subscribed) => {
                put_i32(out, subscribed.subscription.0);
                put_optional_handle(out, subscribed.queue);
                put_short(out, subscribed.queue_name.as_bytes());
                put_long_text(out, &subscribed.topic_string);
                put_subscription(out, &subscribed.is);
                out.push(u8::from(subscribed.reads_ahead) << 1);
            }
            Self::Branch { code } => put_i32(out, *code),
            Self::Branches(branches) => {
                put_u32(out, branches.len() as u32);
                branches.iter().for_each(|branch| put_branch(out, branch));
            }
            Self::PublicationsRequested(publications) => put_u32(out, *publications),
            Self::Status(status) => {
                put_u32(out, status.puts);
                put_u32(out, status.warnings);
                put_u32(out, status.failures);
                put_warning(out, status.reason);
                put_i32(out, status.object.object_type.map_or(0, ObjectType::code));
                put_short(out, status.object.object_name.as_bytes());
                put_short(out, status.object.object_queue_manager_name.as_bytes());
                put_short(out, status.object.resolved_object_name.as_bytes());
                put_short(out, status.object.resolved_queue_manager_name.as_bytes());
            }
            Self::Refused(_)
            | Self::Fragment(_)
            | Self::PutDone { .. }
            | Self::Got(_)
            | Self::Delivered { .. }
            | Self::Long { .. } => {
                unreachable!("a reply with a body or a descriptor has a function of its own")
            }
        }
        finish(out, start, 0);
    }
}
