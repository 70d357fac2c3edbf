//! The mailbox of one conversation.

use crate::letters::{Letters, TOGETHER_BYTES_MAX};
use ::channel::client::{Reply, delivered_to, with_properties};
use ::channel::{Assembly, Error, Flags, Frame, Header, Kind, RequestNumber};
use bytes::Bytes;
use mqi::{Inquired, MessageDescriptor, ObjectHandle, Opened, Put, PutStatus, Reason, Subscribed};
use platform::sync::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;

/// The mailbox of a conversation: filled by whichever thread reads the socket.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    arrived: Mutex<Arrived>,
    /// Notified when mail arrived, or when a thread has to read on.
    pub(crate) changed: Condvar,
}

/// Content of a mailbox.
#[derive(Debug, Default)]
pub(crate) struct Arrived {
    pub(crate) replies: VecDeque<(RequestNumber, Answer)>,
    /// Messages that came by credit, for each handle; nearly always there is one.
    delivered: Vec<(ObjectHandle, Letters)>,
    /// Word that no more will come.
    endings: Vec<Ending>,
    /// True if its owner sleeps on `changed` and has not been told.
    pub(crate) is_asleep: bool,
    /// True if its owner was told of an arrival, and has not noticed yet.
    pub(crate) is_told: bool,
    /// A long body some of which is here.
    arriving: Option<(Assembly, Destination)>,
}

/// A reply, owned.
#[derive(Debug)]
pub(crate) enum Answer {
    Failed {
        reason: Reason,
        data_length: u32,
    },
    Done,
    Closed(Option<Reason>),
    Begun {
        last_commit: Option<u64>,
    },
    Opened(Box<Opened>),
    PutDone(PutDone),
    Got(Letters),
    Inquired(Inquired),
    Subscribed(Box<Subscribed>),
    PublicationsRequested(u32),
    Status(PutStatus),
    /// The number of an answer to a call on a branch.
    Branch(i32),
    Branches(Vec<mqi::branch::BranchId>),
    Long(Bytes),
    /// A part of a long answer; more follow.
    Part(Bytes),
}

/// Results of a put.
#[derive(Debug)]
pub(crate) struct PutDone {
    pub(crate) put: Put,
    /// `None` when the program did not want it.
    pub(crate) descriptor: Option<Box<MessageDescriptor>>,
}

/// Nothing more comes for a credit, and why; with the length of a message that was too long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    credit: RequestNumber,
    pub(crate) reason: Reason,
    pub(crate) data_length: u32,
}

/// Where a body goes once it is whole.
#[derive(Debug)]
enum Destination {
    Message(Addressee, Letters),
    Long(RequestNumber),
    Part(RequestNumber),
}

/// Addressee of a message.
#[derive(Clone, Copy, Debug)]
enum Addressee {
    /// The get with this number.
    Getter(RequestNumber),
    /// The handle that gave credit for it.
    Stream(ObjectHandle),
}

impl Inbox {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Arrived> {
        self.arrived.lock()
    }

    /// Makes its owner look into it again, should it sleep.
    pub(crate) fn rouse(&self) {
        // A thread between its look and its sleep holds the lock, so this comes before or after both.
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

    /// True if the answer to a request is here.
    pub(crate) fn has(&self, request: RequestNumber) -> bool {
        self.replies.iter().any(|(number, _)| *number == request)
    }

    /// Moves what came by credit for a handle behind what is there already; how many messages.
    pub(crate) fn move_delivered(&mut self, to: ObjectHandle, letters: &mut Letters) -> u32 {
        let Some((_, delivered)) = self.delivered.iter_mut().find(|(handle, _)| *handle == to) else {
            return 0;
        };
        let count = delivered.count();
        if count > 0 {
            letters.append(delivered);
        }
        count
    }

    /// A handle is closed or gives its credit back: what came for it was moved.
    pub(crate) fn forget(&mut self, handle: ObjectHandle) {
        self.delivered.retain(|(other, _)| *other != handle);
    }

    /// Word that nothing more comes for a credit, if it is here.
    pub(crate) fn take_ending(&mut self, credit: RequestNumber) -> Option<Ending> {
        let place = self.endings.iter().position(|ending| ending.credit == credit)?;
        Some(self.endings.remove(place))
    }

    /// Files a reply that is no message; true when something is now whole that was not before. What a put
    /// filled in stands in `filled`.
    pub(crate) fn file(
        &mut self,
        header: Header,
        reply: Reply<'_>,
        filled: &MessageDescriptor,
    ) -> Result<bool, Error> {
        let request = header.request;
        let answer = match reply {
            Reply::Failed { reason, data_length } if header.kind == Kind::Delivered => {
                self.endings.push(Ending { credit: request, reason, data_length });
                return Ok(true);
            }
            Reply::Failed { reason, data_length } => Answer::Failed { reason, data_length },
            Reply::Done => Answer::Done,
            Reply::Closed { warning } => Answer::Closed(warning),
            Reply::Begun { last_commit } => Answer::Begun { last_commit },
            Reply::Opened(opened) => Answer::Opened(Box::new(opened)),
            Reply::PutDone { warning, resolved_queue_name, resolved_queue_manager_name } => {
                let is_brief = header.flags.contains(Flags::BRIEF);
                let descriptor = (!is_brief).then(|| Box::new(filled.clone()));
                let put = Put { warning, resolved_queue_name, resolved_queue_manager_name };
                Answer::PutDone(PutDone { put, descriptor })
            }
            Reply::Inquired(inquired) => Answer::Inquired(inquired),
            Reply::Subscribed(subscribed) => Answer::Subscribed(subscribed),
            Reply::PublicationsRequested(publications) => Answer::PublicationsRequested(publications),
            Reply::Status(status) => Answer::Status(status),
            Reply::Branch { code } => Answer::Branch(code),
            Reply::Branches(branches) => Answer::Branches(branches),
            Reply::Long { length, part } => {
                let has_more = header.kind == Kind::CommandDone && header.flags.contains(Flags::IN_PARTS);
                let destination =
                    if has_more { Destination::Part(request) } else { Destination::Long(request) };
                return self.body(header, destination, length, part, u32::MAX / 4);
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
            Reply::Heartbeat | Reply::Refused(_) | Reply::Got(_) | Reply::Delivered { .. } => {
                return Ok(false);
            }
        };
        self.replies.push_back((request, answer));
        Ok(true)
    }

    /// Files a message as it came; true when all of it is here.
    pub(crate) fn file_message(&mut self, frame: &Frame<'_>, message_bytes_max: u32) -> Result<bool, Error> {
        let header = frame.header;
        let to = match header.kind {
            Kind::Delivered => Addressee::Stream(delivered_to(frame)?.0),
            _ => Addressee::Getter(header.request),
        };
        if frame.payload.len() <= TOGETHER_BYTES_MAX {
            match to {
                Addressee::Stream(handle) => self.delivered_to(handle).push(frame),
                Addressee::Getter(request) => {
                    let mut letters = Letters::default();
                    letters.push(frame);
                    self.replies.push_back((request, Answer::Got(letters)));
                }
            }
            return Ok(true);
        }
        let reply = Reply::decode(frame, message_bytes_max, &mut MessageDescriptor::default())?;
        let (Reply::Got(message) | Reply::Delivered { message, .. }) = reply else {
            return Err(Error::Unexpected { kind: header.kind, why: "it is not a message" });
        };
        let (head, first) = frame.payload.split_at(frame.payload.len() - message.body.len());
        let letters = Letters::without_body(&Frame { payload: head, ..*frame });
        let most = with_properties(header.flags, message_bytes_max);
        self.body(header, Destination::Message(to, letters), message.length, first, most)
    }

    /// Files messages that came by credit for a handle, all of them.
    pub(crate) fn file_delivered(&mut self, to: ObjectHandle, letters: &mut Letters) {
        self.delivered_to(to).append(letters);
    }

    /// Messages that came by credit for a handle.
    fn delivered_to(&mut self, to: ObjectHandle) -> &mut Letters {
        let place = self.delivered.iter().position(|(handle, _)| *handle == to).unwrap_or_else(|| {
            self.delivered.push((to, Letters::default()));
            self.delivered.len() - 1
        });
        &mut self.delivered[place].1
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
            Destination::Message(to, mut letters) => {
                letters.attach(body);
                match to {
                    Addressee::Stream(handle) => self.delivered_to(handle).append(&mut letters),
                    Addressee::Getter(request) => self.replies.push_back((request, Answer::Got(letters))),
                }
            }
            Destination::Long(request) => self.replies.push_back((request, Answer::Long(body))),
            Destination::Part(request) => self.replies.push_back((request, Answer::Part(body))),
        }
    }
}
