//! A message as its getter is given it.
//!
//! Lives here: joining its segments, giving its properties their form, converting its body. Lives elsewhere:
//! the choice of its parts (`given`), its descriptor (`message::got`), the choice of the form
//! (`message::presentation`).

use bytes::{Bytes, BytesMut};
use formats::convert;
use formats::headers::Place;
use mqi::{Encoding, Got, MessageToken, ObjectName, Reason, constants};

use crate::gate::{BehindGate, Outcome};
use crate::ground::time::Arrived;
use crate::hand_over::Receipt;
use crate::message::presentation::Form;
use crate::message::{GotDescriptor, extension};

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
    /// Token that names it while it is there.
    pub message_token: MessageToken,
    /// The folders of its properties for the getter's message handle; none when the handle is not to be
    /// filled.
    pub properties: Option<Box<[String]>>,
    /// When it arrived on the queue.
    pub arrived: Arrived,
    /// None when it is given as it is.
    pub wanted: Option<Box<Wanted>>,
    /// Segments to join into the body.
    pub segments: Option<Box<Segments>>,
    /// With a message that was handed over without the log: to be told when the getter's connection has the
    /// bytes.
    pub receipt: Option<Receipt>,
    /// True if its getter, which takes several, waits for the next already.
    pub waits_on: bool,
    /// True once its backout count has reached BOTHRESH of its queue.
    pub has_failed_enough: bool,
}

/// The segments of a message, and the most bytes that are wanted of it.
#[derive(Clone, Debug)]
pub struct Segments {
    pub(crate) all: Vec<Segment>,
    pub(crate) bytes_max: usize,
}

/// A piece of a message that is joined from segments.
#[derive(Clone, Debug)]
pub struct Segment {
    pub(crate) data: Bytes,
    /// Its length in the message; missing bytes are zeros.
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

/// Further demands of a getter on a message.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The form of its properties; none when it is as it is.
    pub(crate) form: Option<Form>,
    /// Target of a conversion.
    pub(crate) conversion: Option<convert::Target>,
    /// The character set of the extension of the descriptor; none for a getter that wants none.
    pub(crate) extension: Option<i32>,
    /// The most bytes the getter takes.
    pub(crate) bytes_max: usize,
}

impl GotMessage {
    /// Makes the result of MQGET, besides the descriptor.
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

    /// Makes the result of a look: there is such a message, without its content.
    pub(crate) fn seen(self) -> Self {
        Self { body: Bytes::new(), data_length: 0, wanted: None, ..self }
    }

    /// Makes the message its getter asked for: joined (MQGMO_COMPLETE_MSG), its properties in their form, its
    /// body converted (MQGMO_CONVERT), the extension of its descriptor in front. A host calls this before it
    /// shows the message: here no lock is held, and a long message delays no other call. A body that cannot
    /// be converted comes with a warning.
    #[must_use]
    pub fn converted(mut self) -> Self {
        self.convert();
        self
    }

    /// Converts the message in place.
    pub fn convert(&mut self) {
        if let Some(segments) = self.segments.take() {
            self.body = segments.joined();
        }
        let Some(Wanted { form, conversion, extension, bytes_max }) =
            self.wanted.take().map(|wanted| *wanted)
        else {
            return;
        };
        let in_front = if extension.is_some() { extension::length(&self.descriptor) } else { 0 };
        if let Some(form) = form {
            let presented = form.present(&Place::of(&self.descriptor), &self.body);
            presented.place.describe(&mut self.descriptor);
            self.properties = presented.folders.map(Vec::into_boxed_slice);
            self.data_length = presented.body.len();
            self.body = presented.body;
            self.body.truncate(bytes_max);
        }
        if let Some(target) = conversion {
            let most = bytes_max.saturating_sub(in_front);
            let convert::Converted { place, body, warning } =
                convert::body(&Place::of(&self.descriptor), &self.body, target, most);
            place.describe(&mut self.descriptor);
            self.data_length = body.len();
            self.body = body;
            self.warning = warning.or(self.warning);
        }
        if let Some(ccsid) = extension.filter(|_| in_front > 0) {
            let own = convert::Target { encoding: Encoding::NATIVE, coded_character_set: ccsid };
            let target = conversion.filter(|_| self.warning.is_none()).unwrap_or(own);
            self.extend(target, bytes_max);
        }
    }

    /// Puts the extension of the descriptor before the body. One that cannot be written is left out.
    fn extend(&mut self, target: convert::Target, bytes_max: usize) {
        let body = self.body.clone();
        if let Ok((place, body)) = extension::put_before(&self.descriptor, body, target) {
            place.describe(&mut self.descriptor);
            self.data_length += constants::MQMDE_LENGTH_2;
            self.body = body;
            self.body.truncate(bytes_max);
        }
    }
}

/// A fact about a message that the account of credit needs before the gate of the message opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditUse {
    /// A message with a body of so many bytes.
    Message {
        /// Bytes of its body.
        bytes: usize,
        /// True if the message is in the log.
        is_persistent: bool,
    },
    /// A message that is too long for the program's buffer, and stays on its queue.
    TooLong,
    /// No message is left.
    Nothing,
    /// The get failed otherwise.
    Failed,
}

impl Outcome<GotMessage> {
    /// Converts the message where it lies, if that was asked for.
    pub fn convert(&mut self) {
        if let Ok(message) = self.value_mut() {
            message.convert();
        }
    }

    /// Tells what came.
    pub fn credit_use(&self) -> CreditUse {
        match self.value() {
            Ok(message) if message.warning == Some(Reason::TRUNCATED_MSG_FAILED) => CreditUse::TooLong,
            Ok(message) => CreditUse::Message {
                bytes: message.body.len(),
                is_persistent: message.descriptor.is_persistent(),
            },
            Err(Reason::NO_MSG_AVAILABLE) => CreditUse::Nothing,
            Err(_) => CreditUse::Failed,
        }
    }

    /// Tells the bytes that its body takes in memory.
    pub fn body_bytes(&self) -> usize {
        self.value().as_ref().map_or(0, |message| message.body.len())
    }

    /// Tells whether the wait that brought it goes on.
    pub fn waits_on(&self) -> bool {
        self.value().as_ref().is_ok_and(|message| message.waits_on)
    }
}
