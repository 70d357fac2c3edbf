//! What has arrived for one conversation.

use ::channel::client::{ForHandle, Message, Reply, with_properties};
use ::channel::{Assembly, Error, Flags, Header, Kind, RequestNumber};
use bytes::Bytes;
use mqi::{
    Inquired, MessageDescriptor, MessageToken, ObjectHandle, ObjectName, Opened, Put, PutStatus, Reason,
    Subscribed,
};
use platform::sync::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;

/// Most emptied boxes that are kept for a conversation: about as many messages as lie in its mailbox when it looks.
const SPARE_MAX: usize = 32;

/// The mailbox of a conversation: filled by whichever thread reads the socket.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    arrived: Mutex<Arrived>,
    /// Told when something arrived, or somebody has to read on.
    pub(crate) changed: Condvar,
}

/// What is in a mailbox.
#[derive(Debug, Default)]
pub(crate) struct Arrived {
    pub(crate) replies: VecDeque<(RequestNumber, Answer)>,
    pub(crate) deliveries: VecDeque<Delivery>,
    /// Whether its owner sleeps on `changed` and has not been told.
    pub(crate) is_asleep: bool,
    /// Whether it was told, and has not noticed, that something arrived.
    pub(crate) is_told: bool,
    /// A long body some of which is here.
    arriving: Option<(Assembly, Destination)>,
    /// For the messages to come.
    spare: Boxes,
}

/// A reply, owned.
#[derive(Debug)]
pub(crate) enum Answer {
    Failed { reason: Reason, data_length: u32 },
    Done,
    Closed(Option<Reason>),
    Begun { last_commit: Option<u64> },
    Opened(Box<Opened>),
    PutDone(PutDone),
    Got(Box<Got>),
    Inquired(Inquired),
    Subscribed(Box<Subscribed>),
    PublicationsRequested(u32),
    Status(PutStatus),
    Long(Bytes),
}

/// What a put filled in.
#[derive(Debug)]
pub(crate) struct PutDone {
    pub(crate) put: Put,
    /// `None` when the program did not want it.
    pub(crate) descriptor: Option<Box<MessageDescriptor>>,
}

/// A message, in a box: it goes from hand to hand until its program takes it.
#[derive(Debug, Default)]
pub(crate) struct Got {
    pub(crate) warning: Option<Reason>,
    pub(crate) data_length: u32,
    pub(crate) resolved_queue_name: ObjectName,
    pub(crate) message_token: MessageToken,
    pub(crate) descriptor: MessageDescriptor,
    /// What the getter's message handle is given.
    pub(crate) for_handle: ForHandle,
    pub(crate) body: Bytes,
}

/// Boxes whose messages were taken: they are what is kept, for messages that go from hand to hand in them.
pub(crate) type Boxes = Vec<Box<Got>>;

/// A message that came by credit, or word that no more will.
#[derive(Debug)]
pub(crate) enum Delivery {
    Message { handle: ObjectHandle, number: u32, is_reserved: bool, message: Box<Got> },
    Ended { credit: RequestNumber, reason: Reason, data_length: u32 },
}

/// Where a body goes once it is whole.
#[derive(Debug)]
enum Destination {
    Reply(RequestNumber, Box<Got>),
    Delivery { handle: ObjectHandle, number: u32, is_reserved: bool, message: Box<Got> },
    Long(RequestNumber),
}

impl Inbox {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Arrived> {
        self.arrived.lock()
    }

    /// Has its owner look into it again, should it sleep.
    pub(crate) fn rouse(&self) {
        // Whoever is between its look and its sleep holds the lock, so this comes before or after both.
        drop(self.lock());
        self.changed.notify_all();
    }
}

impl Arrived {
    /// The answer to a request, if it is here.
    pub(crate) fn take(&mut self, request: RequestNumber) -> Option<Answer> {
        let index = self.replies.iter().position(|(number, _)| *number == request)?;
        self.replies.remove(index).map(|(_, answer)| answer)
    }

    /// Whether the answer to a request is here.
    pub(crate) fn has(&self, request: RequestNumber) -> bool {
        self.replies.iter().any(|(number, _)| *number == request)
    }

    /// Keeps boxes whose messages were taken, but for those that are too many.
    pub(crate) fn keep(&mut self, emptied: &mut Boxes) {
        emptied.truncate(SPARE_MAX.saturating_sub(self.spare.len()));
        self.spare.append(emptied);
    }

    /// Files a reply, whose descriptor, if it has one, stands in `next`; true when something is now whole that was not before. The
    /// box of a message is filed with it, and another is next.
    pub(crate) fn file(
        &mut self,
        header: Header,
        reply: Reply<'_>,
        next: &mut Box<Got>,
        message_bytes_max: u32,
    ) -> Result<bool, Error> {
        let request = header.request;
        let answer = match reply {
            Reply::Failed { reason, data_length } if header.kind == Kind::Delivered => {
                self.deliveries.push_back(Delivery::Ended { credit: request, reason, data_length });
                return Ok(true);
            }
            Reply::Failed { reason, data_length } => Answer::Failed { reason, data_length },
            Reply::Done => Answer::Done,
            Reply::Closed { warning } => Answer::Closed(warning),
            Reply::Begun { last_commit } => Answer::Begun { last_commit },
            Reply::Opened(opened) => Answer::Opened(Box::new(opened)),
            Reply::PutDone { warning, resolved_queue_name, resolved_queue_manager_name } => {
                let is_brief = header.flags.contains(Flags::BRIEF);
                let descriptor = (!is_brief).then(|| Box::new(next.descriptor.clone()));
                let put = Put { warning, resolved_queue_name, resolved_queue_manager_name };
                Answer::PutDone(PutDone { put, descriptor })
            }
            Reply::Inquired(inquired) => Answer::Inquired(inquired),
            Reply::Subscribed(subscribed) => Answer::Subscribed(subscribed),
            Reply::PublicationsRequested(publications) => Answer::PublicationsRequested(publications),
            Reply::Status(status) => Answer::Status(status),
            Reply::Got(message) => {
                let (length, body) = (message.length, message.body);
                let got = self.boxed(&message, next);
                let most = with_properties(header.flags, message_bytes_max);
                return self.body(header, Destination::Reply(request, got), length, body, most);
            }
            Reply::Delivered { handle, number, message } => {
                let (length, body) = (message.length, message.body);
                let is_reserved = header.flags.contains(Flags::RESERVED);
                let message = self.boxed(&message, next);
                let destination = Destination::Delivery { handle, number, is_reserved, message };
                let most = with_properties(header.flags, message_bytes_max);
                return self.body(header, destination, length, body, most);
            }
            Reply::Long { length, part } => {
                return self.body(header, Destination::Long(request), length, part, u32::MAX / 4);
            }
            Reply::Fragment(fragment) => {
                let Some((assembly, _)) = &mut self.arriving else {
                    return Err(Error::Unexpected { kind: header.kind, why: "no body is on its way" });
                };
                let Some(body) = assembly.add(request, fragment)? else {
                    return Ok(false);
                };
                if let Some((_, destination)) = self.arriving.take() {
                    self.deliver(destination, body);
                }
                return Ok(true);
            }
            Reply::Heartbeat | Reply::Refused(_) => return Ok(false),
        };
        self.replies.push_back((request, answer));
        Ok(true)
    }

    /// A message whose body is not here yet, in the box that has its descriptor.
    fn boxed(&mut self, message: &Message<'_>, next: &mut Box<Got>) -> Box<Got> {
        let mut got = std::mem::replace(next, self.spare.pop().unwrap_or_default());
        got.warning = message.warning;
        got.data_length = message.data_length;
        got.resolved_queue_name = message.resolved_queue_name;
        got.message_token = message.message_token;
        got.for_handle = message.for_handle;
        got
    }

    fn body(
        &mut self,
        header: Header,
        destination: Destination,
        length: u32,
        first: &[u8],
        bytes_max: u32,
    ) -> Result<bool, Error> {
        if first.len() == length as usize {
            self.deliver(destination, Bytes::copy_from_slice(first));
            return Ok(true);
        }
        if self.arriving.is_some() {
            return Err(Error::Unexpected { kind: header.kind, why: "the body before it is not whole" });
        }
        self.arriving = Some((Assembly::begin(header.request, length, first, bytes_max)?, destination));
        Ok(false)
    }

    fn deliver(&mut self, destination: Destination, body: Bytes) {
        match destination {
            Destination::Reply(request, mut got) => {
                got.body = body;
                self.replies.push_back((request, Answer::Got(got)));
            }
            Destination::Delivery { handle, number, is_reserved, mut message } => {
                message.body = body;
                self.deliveries.push_back(Delivery::Message { handle, number, is_reserved, message });
            }
            Destination::Long(request) => self.replies.push_back((request, Answer::Long(body))),
        }
    }
}
