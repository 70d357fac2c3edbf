//! Messages in memory: what is shared between the queue, its getters and the log.
//!
//! Lives here: [`Payload`], the descriptor and body of one message, and how a getter's copy is made from it.
//! Lives elsewhere: the descriptor as bytes (`encoding`), the form of its properties for a getter
//! (`presentation`), its fields as a header (`extension`), what a put fills in (`context`, `identifiers`),
//! what a queue keeps of a message whose payload is evicted (`queue::entry`), the message that a getter is
//! given (`queue::got_message`).

pub mod context;
pub mod encoding;
pub mod extension;
mod got;
pub mod group_place;
pub mod identifiers;
pub mod presentation;
pub mod publication;
pub mod report;
pub mod report_kind;
mod report_rights;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::{self, Property};
use mqi::properties::{Synonym, View};
use mqi::{CorrelationId, Expiry, MessageDescriptor};
use platform::Monotonic;
use selector::Selector;

use crate::ground::time::NEVER;
use encoding::Encoded;
use got::Written;
pub use got::{GotDescriptor, SharedDescriptor};
use presentation::{Form, Front};
pub use report_rights::ReportRights;

/// Fields of a message that its queue keeps: they change there, or differ between copies that share a
/// payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueFields<'a> {
    pub(crate) correlation_id: &'a [u8; 24],
    pub(crate) backout_count: u32,
    pub(crate) deadline: Monotonic,
}

/// Descriptor and body of one message, shared by all holders; or of copies of a publication, which differ
/// only in their correlation identifiers. Those are with their entries.
#[derive(Clone, Debug)]
pub struct Payload {
    /// The descriptor.
    pub descriptor: MessageDescriptor,
    /// The body.
    pub body: Bytes,
    /// True if several messages share the body, which then counts by itself.
    is_body_shared: bool,
    /// True if several messages share it, each with a correlation identifier of its own.
    is_common: bool,
    /// True if it is a command whose context was made here, for an administrator's login. In memory alone: a
    /// message that is read back is judged by its user's records.
    pub is_of_administrator: bool,
    /// Rights of the reports about it.
    pub report_rights: ReportRights,
    /// Header of properties before the body, as seen when the payload was made.
    front: Option<Front>,
    /// Apart, so that the messages of which nothing is made are smaller.
    made: OnceLock<Box<Made>>,
}

/// The part of a payload that is made when it is first asked for.
#[derive(Clone, Debug, Default)]
struct Made {
    /// Hosts' encoding of its descriptor, if it is common and was encoded.
    written: OnceLock<Written>,
    /// Log's encoding of its descriptor, if it is common and was logged.
    encoded: OnceLock<Encoded>,
    /// The properties its headers carry, read when they are first asked for.
    properties: OnceLock<Vec<Property>>,
}

/// Memory that a payload takes besides its body.
const OVERHEAD_BYTES: usize = size_of::<Payload>() + 48;

impl Payload {
    /// A message that has its body for itself.
    #[inline]
    pub fn new(descriptor: MessageDescriptor, body: Bytes) -> Self {
        Self {
            descriptor,
            body,
            is_body_shared: false,
            is_common: false,
            is_of_administrator: false,
            report_rights: ReportRights::OF_USER,
            front: None,
            made: OnceLock::new(),
        }
    }

    /// One that is filled where it stays, by [`own`](Self::own): it is half a kilobyte, which every move
    /// would copy. A function of its own, since inlined into a long one it is made on the stack and moved
    /// from there.
    #[inline(never)]
    pub fn in_place(descriptor: &MessageDescriptor, body: Bytes) -> Arc<Self> {
        Arc::new(Self::new(descriptor.clone(), body))
    }

    /// One that nobody else has yet.
    #[inline]
    pub fn own(payload: &mut Arc<Self>) -> &mut Self {
        Arc::get_mut(payload).expect("nobody else has the message yet")
    }

    /// Gives the reports about it these rights: those of the message that it was made from.
    pub fn with_report_rights(self, report_rights: ReportRights) -> Self {
        Self { report_rights, ..self }
    }

    /// One of whose properties this was seen.
    pub fn seen(descriptor: MessageDescriptor, body: Bytes, front: Option<Front>) -> Self {
        Self { front, ..Self::new(descriptor, body) }
    }

    /// Gives it its body, of whose properties this was seen.
    #[inline]
    pub fn body_seen(&mut self, body: Bytes, front: Option<Front>) {
        (self.body, self.front) = (body, front);
    }

    /// One with a body of [`Memory::shared`](crate::ground::memory::Memory::shared), which other payloads have as well.
    pub fn sharing(descriptor: MessageDescriptor, body: Bytes) -> Self {
        Self { is_body_shared: true, ..Self::new(descriptor, body) }
    }

    /// Makes a payload for several messages, with the header of properties that was seen.
    pub fn common(descriptor: MessageDescriptor, body: Bytes, front: Option<Front>) -> Self {
        Self { is_common: true, front, ..Self::sharing(descriptor, body) }
    }

    /// The encoding of its descriptor, with the rights of the reports about it.
    pub(crate) fn encoded(&self) -> Encoded {
        encoding::encode(&self.descriptor, self.report_rights)
    }

    /// Returns the descriptor's encoding for the log.
    pub(crate) fn to_log(&self) -> LoggedDescriptor {
        LoggedDescriptor((!self.is_common).then(|| self.encoded()))
    }

    /// True if other messages have the same body.
    pub fn is_body_shared(&self) -> bool {
        self.is_body_shared
    }

    /// Returns the header in front of the body that a getter is not given in this form, if it was seen
    /// before.
    #[inline]
    pub(crate) fn left_out(&self, form: Form) -> Option<&Front> {
        self.front.as_ref().filter(|front| front.is_left_out(form))
    }

    fn made(&self) -> &Made {
        self.made.get_or_init(Box::default)
    }

    /// True if a selector takes the message. Headers that cannot be read have no properties.
    pub fn is_selected_by(&self, selector: &Selector) -> bool {
        self.is_selected_as(selector, &self.descriptor)
    }

    /// True if a selector takes the message as it is on a queue, with its backout count and its own
    /// correlation identifier.
    pub(crate) fn is_selected_on_queue(&self, selector: &Selector, fields: QueueFields<'_>) -> bool {
        if fields.backout_count == 0 && !self.is_common {
            return self.is_selected_by(selector);
        }
        let mut descriptor = self.descriptor.clone();
        descriptor.correlation_id = CorrelationId(*fields.correlation_id);
        descriptor.backout_count = i32::try_from(fields.backout_count).unwrap_or(i32::MAX);
        self.is_selected_as(selector, &descriptor)
    }

    /// The text of an identifier by its name in JMS, as a selector sees it of a message on a queue, which has
    /// this correlation identifier there.
    pub(crate) fn text_on_queue(&self, synonym: Synonym, correlation_id: &[u8; 24]) -> Option<String> {
        let read;
        // Not kept: an index asks once for each message, however many there are.
        let properties = match self.made.get().and_then(|made| made.properties.get()) {
            Some(properties) => properties,
            None => {
                read = properties::read(&Place::of(&self.descriptor), &self.body).unwrap_or_default();
                &read
            }
        };
        let lookup = |name: &str| {
            properties.iter().find(|property| property.name == name).map(|property| &property.value)
        };
        let of_copy;
        let descriptor = if self.is_common {
            let correlation_id = CorrelationId(*correlation_id);
            of_copy = MessageDescriptor { correlation_id, ..self.descriptor.clone() };
            &of_copy
        } else {
            &self.descriptor
        };
        match synonym.view(descriptor, &lookup) {
            View::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    fn is_selected_as(&self, selector: &Selector, descriptor: &MessageDescriptor) -> bool {
        let properties: &[Property] = if selector.needs_properties() {
            self.made().properties.get_or_init(|| {
                properties::read(&Place::of(&self.descriptor), &self.body).unwrap_or_default()
            })
        } else {
            &[]
        };
        let lookup = |name: &str| {
            properties.iter().find(|property| property.name == name).map(|property| &property.value)
        };
        selector.matches(&selector::Message { descriptor, properties: &lookup })
    }

    /// The message that has this correlation identifier on its queue.
    pub(crate) fn of_copy(self: &Arc<Self>, correlation_id: &[u8; 24]) -> Arc<Self> {
        if !self.is_common {
            return Arc::clone(self);
        }
        let correlation_id = CorrelationId(*correlation_id);
        let descriptor = MessageDescriptor { correlation_id, ..self.descriptor.clone() };
        let sharing = Self::sharing(descriptor, self.body.clone()).with_report_rights(self.report_rights);
        Arc::new(Self { front: self.front, ..sharing })
    }

    /// Bytes that it counts against the memory budget. A common payload counts for each message that has it,
    /// so that a queue with many of them is known to take memory.
    pub(crate) fn bytes(&self) -> u64 {
        let body = if self.is_body_shared { 0 } else { self.body.len() };
        (OVERHEAD_BYTES + self.descriptor.bytes_beside() + body) as u64
    }
}

/// Descriptor of one message for the log; none for a descriptor of several messages, which is kept with the
/// rest that they share.
#[derive(Debug)]
pub(crate) struct LoggedDescriptor(Option<Encoded>);

impl LoggedDescriptor {
    /// The bytes for a message with this payload.
    pub(crate) fn bytes<'a>(&'a self, payload: &'a Payload) -> &'a [u8] {
        match &self.0 {
            Some(bytes) => bytes,
            None => payload.made().encoded.get_or_init(|| payload.encoded()),
        }
    }
}

/// Returns the descriptor and body for a getter: the descriptor as put, with the changes by time and
/// backouts, and the body, both without the part in front that is left out.
pub(crate) fn for_getter(
    mut payload: Arc<Payload>,
    fields: QueueFields<'_>,
    now: Monotonic,
    left_out: Option<Front>,
) -> (GotDescriptor, Bytes) {
    let mut is_described = left_out.is_none();
    let mut body = match Arc::get_mut(&mut payload) {
        Some(own) => {
            if let Some(front) = left_out.filter(|_| !own.is_common) {
                front.following.describe(&mut own.descriptor);
                is_described = true;
            }
            std::mem::take(&mut own.body)
        }
        None => payload.body.clone(),
    };
    let backout_count = i32::try_from(fields.backout_count).unwrap_or(i32::MAX);
    let expiry = remaining(fields.deadline, now);
    let is_as_put = (payload.descriptor.backout_count, payload.descriptor.expiry) == (backout_count, expiry);
    let mut descriptor = GotDescriptor::of_copy(payload, fields.correlation_id);
    if !is_as_put {
        descriptor.backout_count = backout_count;
        descriptor.expiry = expiry;
    }
    if let Some(front) = left_out {
        bytes::Buf::advance(&mut body, front.length());
        if !is_described {
            descriptor.leave_front_out(front.following);
        }
    }
    (descriptor, body)
}

/// Returns the time until a deadline, in a descriptor's unit: tenths of a second, at least one.
pub fn remaining(deadline: Monotonic, now: Monotonic) -> Expiry {
    if deadline == NEVER {
        return Expiry::UNLIMITED;
    }
    let tenths = deadline.since(now).as_millis().div_ceil(100);
    Expiry::tenths(u32::try_from(tenths).unwrap_or(u32::MAX))
}

/// When a message put now with this expiry is worth nothing any more.
pub(crate) fn deadline(expiry: Expiry, now: Monotonic) -> Monotonic {
    expiry.limit().map_or(NEVER, |tenths| now.after(Duration::from_millis(u64::from(tenths) * 100)))
}

#[cfg(test)]
mod tests {
    use super::{Payload, deadline, remaining};
    use mqi::Expiry;
    use platform::Monotonic;
    use std::time::Duration;

    #[test]
    fn a_payload_stays_small() {
        assert!(size_of::<Payload>() <= 320, "a payload has {} bytes", size_of::<Payload>());
    }

    #[test]
    fn expiry_counts_down_in_tenths_of_a_second() {
        let put = Monotonic(5_000_000_000);
        let end = deadline(Expiry::tenths(20), put);
        for (later_ms, left) in [(0, 20), (50, 20), (100, 19), (1_999, 1), (2_000, 1)] {
            let now = put.after(Duration::from_millis(later_ms));
            assert_eq!(remaining(end, now), Expiry::tenths(left), "{later_ms} ms later");
        }
        assert_eq!(remaining(deadline(Expiry::UNLIMITED, put), put), Expiry::UNLIMITED);
    }
}
