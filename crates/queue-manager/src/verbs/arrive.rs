//! Messages that a message channel brings: put where their transmission header says, or kept as dead letters.
//!
//! Lives here: destinations by the header's names, dead letters and exception reports of a channel. Lives
//! elsewhere: when each is due (`agents`), what a header says (`naming::transmission`).
//!
//! Always: a destination is opened as MQOPEN opens it, by the rights of the connection; dead letters are the
//! queue manager's own, in the unit of work of the channel; reports need the right of the channel's user to
//! the reply-to queue, now and later.

use bytes::Bytes;
use mqi::{
    CloseOptions, Feedback, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions,
    PutFlags, PutOptions, QueueManagerName, Reason, Text,
};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::message::{Payload, ReportRights};
use queues::unit_of_work::choice::Whose;
use storage::Lsn;

use crate::PutDone;
use crate::connection::Connection;
use crate::directory::Directory;
use crate::reports::Sent;
use crate::reports::traced::{ActivityReport, ChannelPlace};
use crate::verbs::put_request::PutRequest;

/// Most destinations that a channel keeps open: as many as the connections of a busy pair of queue managers
/// use in turn, and few enough to look through.
const DESTINATIONS_MAX: usize = 64;

/// A message that a channel brought.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The queue that its header names.
    pub queue: ObjectName,
    /// The queue manager that its header names.
    pub queue_manager: QueueManagerName,
    /// The queue managers that it has passed.
    pub hops: u8,
    /// Its descriptor; the expiry says the time that is left.
    pub descriptor: MessageDescriptor,
    /// Its body.
    pub body: Bytes,
}

/// A message that can be put nowhere else.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    /// The reason: an MQRC_ or MQFB_ value.
    pub reason: i32,
    /// The queue that it was for.
    pub queue: ObjectName,
    /// The queue manager of that queue.
    pub queue_manager: QueueManagerName,
    /// Its descriptor.
    pub descriptor: MessageDescriptor,
    /// Its body.
    pub body: Bytes,
    /// Rights of the reports about it, where they were judged before.
    pub(crate) rights: Option<ReportRights>,
}

impl Arrived {
    /// The letter to keep in place of this message, which was refused. Who makes it need not know why.
    pub fn dead_letter(&self, refused: &Gated<Reason>) -> Gated<DeadLetter> {
        refused.clone().changed(|reason| DeadLetter {
            reason: reason.code(),
            queue: self.queue,
            queue_manager: self.queue_manager,
            descriptor: self.descriptor.clone(),
            body: self.body.clone(),
            rights: None,
        })
    }
}

/// The destinations that a channel has open, the one used last at the end.
#[derive(Debug, Default)]
pub struct Destinations {
    open: Vec<Destination>,
    /// True for PUTAUT(CTX): each message is put by the rights of the user that it names.
    pub puts_as_context_user: bool,
    /// The channel, as activities tell it.
    by: Option<ChannelPlace>,
}

#[derive(Debug)]
struct Destination {
    queue: ObjectName,
    queue_manager: QueueManagerName,
    user: Text<12>,
    handle: ObjectHandle,
}

/// The puts of a message channel for what it brought.
#[derive(Debug)]
pub struct Arrivals<'connection>(&'connection mut Connection);

impl Connection {
    /// Puts of messages that a message channel brought.
    #[must_use]
    pub const fn arrivals(&mut self) -> Arrivals<'_> {
        Arrivals(self)
    }
}

impl Arrivals<'_> {
    /// Puts a message where its header says, with the context that it came with. A destination that was
    /// changed or deleted since it was opened is opened again, once.
    pub fn put(&mut self, to: &mut Destinations, message: &Arrived, within: bool) -> Outcome<PutDone> {
        let mut put = self.put_once(to, message, within);
        if matches!(put.value(), Err(Reason::OBJECT_CHANGED | Reason::Q_DELETED | Reason::HOBJ_ERROR)) {
            let need = put.need();
            self.close_destination(to, message);
            put = self.put_once(to, message, within).and_needs(need);
        }
        put
    }

    fn put_once(&mut self, to: &mut Destinations, message: &Arrived, within: bool) -> Outcome<PutDone> {
        let opened = self.opened_for(to, message);
        let need = opened.need();
        let handle = match opened.into_inner() {
            Ok(handle) => handle,
            Err(reason) => return Gated::new(need, Err(reason)),
        };
        let syncpoint = if within { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let options = PutOptions::with(PutFlags::SET_ALL_CONTEXT | syncpoint);
        let noting = to.by.as_ref();
        let login = &self.0.conversation.principal;
        let traced = noting.and_then(|by| {
            let Arrived { queue, queue_manager, descriptor, body, .. } = message;
            self.0.engine.directory.trace_arrival(by, login, *queue, *queue_manager, descriptor, body)
        });
        let (noted, report) = traced.unwrap_or_default();
        let body = noted.unwrap_or_else(|| message.body.clone());
        let hops = message.hops.saturating_add(1);
        let request = PutRequest { hops, ..PutRequest::new(&message.descriptor, &options) };
        let put = self.0.put_to_handle(handle, &request, body.into());
        let put = match report {
            Some(report) if put.value().is_ok() => {
                let need = put.need();
                let told = self.put_activity_report(&ActivityReport(Box::new(report)), within);
                let need = need.max(told.need());
                put.and_needs(need)
            }
            _ => put,
        };
        put.and_needs(need)
    }

    /// Puts a report of an activity, in the unit of work of the channel where the message is in it. One that no
    /// queue takes is told in the error log.
    pub fn put_activity_report(&mut self, report: &ActivityReport, within: bool) -> Outcome<()> {
        self.put_own(within, |directory, whose| match directory.send((*report.0).clone(), whose, &mut None) {
            Sent::Settled => Ok(()),
            Sent::UnitEnded => Err(Reason::BACKED_OUT),
        })
    }

    /// The handle of a destination, opened unless it is open.
    fn opened_for(&mut self, to: &mut Destinations, message: &Arrived) -> Outcome<ObjectHandle> {
        if let Some(place) = to.place_of(message) {
            let found = to.open.remove(place);
            let handle = found.handle;
            to.open.push(found);
            return Gated::free(Ok(handle));
        }
        if to.open.len() >= DESTINATIONS_MAX {
            let Destination { handle, .. } = to.open.remove(0);
            let _ = self.0.close(handle, CloseOptions::EMPTY);
        }
        let user = to.user_of(message);
        let object = ObjectDescriptor {
            object_queue_manager_name: message.queue_manager,
            // A message makes no queue: without this name a model refuses it.
            dynamic_queue_name: ObjectName::BLANK.into(),
            alternate_user_identifier: user,
            ..ObjectDescriptor::queue(message.queue)
        };
        let mut options = OpenOptions::OUTPUT | OpenOptions::SET_ALL_CONTEXT;
        if to.puts_as_context_user {
            options.insert(OpenOptions::ALTERNATE_USER_AUTHORITY);
        }
        let mut opened = self.0.open(&object, options);
        // MAXHANDS bounds what is open at a time, and no message is refused for what others left open.
        while matches!(opened.value(), Err(Reason::HANDLE_NOT_AVAILABLE)) && !to.open.is_empty() {
            let Destination { handle, .. } = to.open.remove(0);
            let _ = self.0.close(handle, CloseOptions::EMPTY);
            opened = self.0.open(&object, options);
        }
        let need = opened.need();
        let handle = opened.into_inner().map(|opened| opened.handle);
        if let Ok(handle) = handle {
            let (queue, queue_manager) = (message.queue, message.queue_manager);
            to.open.push(Destination { queue, queue_manager, user, handle });
        }
        Gated::new(need, handle)
    }

    fn close_destination(&mut self, to: &mut Destinations, message: &Arrived) {
        if let Some(place) = to.place_of(message) {
            let Destination { handle, .. } = to.open.remove(place);
            // Refused where its queue is gone, with which the handle went.
            let _ = self.0.close(handle, CloseOptions::EMPTY);
        }
    }

    /// Puts a message on the dead-letter queue, with a header that says why and where it was to go. The
    /// outcome needs what the letter needs.
    pub fn put_dead_letter(&mut self, letter: Gated<DeadLetter>, within: bool) -> Outcome<()> {
        let mut need = Lsn::ZERO;
        let kept = letter.changed(|letter| {
            let DeadLetter { reason, queue, queue_manager, descriptor, body, rights } = letter;
            let to = ObjectDescriptor {
                object_queue_manager_name: queue_manager,
                ..ObjectDescriptor::queue(queue)
            };
            let login = &self.0.conversation.principal;
            let rights =
                rights.unwrap_or_else(|| self.0.engine.directory.rights_of_reports(login, &descriptor));
            let letter = Report::of_message(descriptor, body, to).with_rights(rights);
            let kept = self.put_own(within, |directory, whose| {
                directory.keep_dead(letter, Reason::from_code(reason), whose, &mut None)
            });
            need = kept.need();
            kept.into_inner()
        });
        kept.and_needs(need)
    }

    /// Reports that a message could not be put, where its descriptor asks for that. The report goes to the
    /// reply-to queue, or is kept as a dead letter; as much of the message goes with it as is asked for. The
    /// outcome needs what the refusal needs.
    pub fn put_exception_report(
        &mut self,
        refused: &Gated<Reason>,
        descriptor: &MessageDescriptor,
        body: &Bytes,
        within: bool,
    ) -> Outcome<()> {
        let kind = Kind::Exception(Feedback(refused.value().code()));
        if !kind.is_asked(descriptor.report) {
            return Gated::free(Ok(()));
        }
        let rights = self.0.engine.directory.rights_of_reports(&self.0.conversation.principal, descriptor);
        let original = Payload::new(descriptor.clone(), body.clone()).with_report_rights(rights);
        let report = self.0.engine.directory.report_about(kind, &original, descriptor.expiry);
        self.put_own(within, |directory, whose| match directory.reply(&report, whose, &mut None) {
            Err(refusal) if refusal != Reason::BACKED_OUT => {
                directory.keep_dead(report, refusal, whose, &mut None)
            }
            put => put,
        })
        .and_needs(refused.need())
    }

    /// Puts messages of the queue manager's own, in the unit of work of this connection or in one of their
    /// own.
    fn put_own(
        &self,
        within: bool,
        put: impl FnOnce(&Directory, &mut Whose) -> Result<(), Reason>,
    ) -> Outcome<()> {
        if let Err(reason) = self.0.usable(false) {
            return Gated::free(Err(reason));
        }
        let mut whose = if within { Whose::current(&self.0.conversation.party.unit) } else { Whose::own() };
        match put(&self.0.engine.directory, &mut whose) {
            Ok(()) => self.0.engine.queues.commit_own(whose),
            Err(reason) => {
                self.0.engine.queues.back_out_own(whose);
                Gated::free(Err(reason))
            }
        }
    }
}

impl Destinations {
    /// The destinations of a channel, by PUTAUT.
    #[must_use]
    pub fn new(puts_as_context_user: bool, by: Option<ChannelPlace>) -> Self {
        Self { open: Vec::new(), puts_as_context_user, by }
    }

    fn user_of(&self, message: &Arrived) -> Text<12> {
        if self.puts_as_context_user { message.descriptor.user_identifier } else { Text::BLANK }
    }

    fn place_of(&self, message: &Arrived) -> Option<usize> {
        let user = self.user_of(message);
        self.open.iter().rposition(|open| {
            (open.queue, open.queue_manager, open.user) == (message.queue, message.queue_manager, user)
        })
    }
}
