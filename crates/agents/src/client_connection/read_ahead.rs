//! Read-ahead: credit in the frames of a client, and the messages that it brings.
//!
//! Lives here: the terms that a Credit may have, and the frame that a delivery becomes. Lives elsewhere: the
//! course of a stream (`streams`).

use super::Sink;
use super::conversation::Conversation;
use super::pending::Pending;
use super::token::Wait;
use crate::streams::{Beginning, Delivers, Delivery, Wanted};
use channel::client::Credit;
use channel::{Conversation as Number, Kind, Reply, RequestNumber};
use mqi::{GetFlags, MessageDescriptor, ObjectHandle, Reason};
use queue_manager::{Gated, GotMessage, Outcome, Reserve, WaitToken};
use storage::Lsn;

impl Delivers for Pending {
    /// The request that began the stream: deliveries carry its number.
    type Label = RequestNumber;

    fn token(conversation: Number, stream: u16, number: u32) -> WaitToken {
        Wait::Delivery { conversation, stream, number }.token()
    }

    fn delivered(request: RequestNumber, delivery: Delivery, came: Result<GotMessage, Reason>) -> Self {
        match came {
            Ok(message) if message.warning == Some(Reason::TRUNCATED_MSG_FAILED) => {
                let data_length = message.data_length as u32;
                let reply = Reply::Failed { reason: Reason::TRUNCATED_MSG_FAILED, data_length };
                Self::Plain { kind: Kind::Delivered, request, reply }
            }
            Ok(message) => Self::Delivered { request, delivery, message },
            Err(reason) => Self::failed(Kind::Delivered, request, reason),
        }
    }

    fn delivery(&self) -> Option<Delivery> {
        match self {
            Self::Delivered { delivery, .. } => Some(*delivery),
            Self::Plain { .. }
            | Self::Put { .. }
            | Self::Got { .. }
            | Self::Long { .. }
            | Self::Part { .. } => None,
        }
    }
}

impl Conversation {
    /// Adds to what may come to a handle; with how it is got, begins anew. Completions must have been
    /// drained.
    pub(super) fn credit(
        &mut self,
        request: RequestNumber,
        credit: Credit,
        descriptor: &MessageDescriptor,
    ) -> Result<(), Reason> {
        let Credit { handle, messages, bytes, terms, reserves_all, is_called } = credit;
        let Some(terms) = terms else {
            return self.streams.add(handle, messages, bytes);
        };
        self.release_stream(handle);
        let (options, flags) = (&terms.options, terms.options.flags);
        let names_place = options.browses() || flags.contains(GetFlags::MSG_UNDER_CURSOR);
        let is_either = flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
        if names_place || options.concern_groups() || is_either && !reserves_all {
            return Err(Reason::OPTIONS_ERROR);
        }
        let is_in_unit = flags.contains(GetFlags::SYNCPOINT) || is_either;
        let wanted = Wanted {
            options: terms.options,
            bytes_max: terms.bytes_max as usize,
            descriptor: descriptor.clone(),
        };
        self.streams.begin(Beginning {
            handle,
            label: request,
            wanted,
            browses: false,
            which: if is_in_unit || reserves_all { Reserve::All } else { Reserve::Persistent },
            is_in_unit,
            is_called: is_called && !is_either,
            is_first_awaited: !reserves_all,
            messages,
            bytes,
        })
    }

    /// Says whether a stream has credit and is not waiting.
    pub(super) fn can_deliver(&self) -> bool {
        self.connection.is_some() && self.streams.have_credit()
    }

    /// Gets for every stream with credit until it waits or `most` messages were got, and sends what it may at
    /// once; how many it got.
    pub(super) fn deliver(&mut self, most: usize, sink: Option<&mut Sink<'_>>) -> usize {
        let Some(connection) = &mut self.connection else { return 0 };
        self.streams.deliver(connection, &mut self.replies, most, sink)
    }

    /// Gets the next message for every stream that was given one since the last release.
    pub(super) fn go_on(&mut self) {
        if let Some(connection) = &mut self.connection {
            self.streams.go_on(connection, &mut self.replies);
        }
    }

    /// A wait of a stream has brought something.
    pub(super) fn delivered(&mut self, stream: u16, number: u32, outcome: Outcome<GotMessage>) {
        self.streams.delivered(&mut self.replies, stream, number, outcome);
    }

    /// Ends the waits of streams that have found a message, with that message.
    pub(super) fn conclude_streams(&mut self) {
        if let Some(connection) = &mut self.connection {
            self.streams.conclude(connection);
        }
    }

    /// Returns true if a wait of a stream is over and its outcome has not come.
    pub(super) fn awaits_outcome(&self) -> bool {
        // The waits of a connection that was ended elsewhere are over without an outcome.
        self.streams.await_outcome()
            && self.connection.as_ref().is_some_and(|connection| !connection.has_ended())
    }

    /// Answers a request behind all that streams are about to bring; refused when so many wait for that.
    pub(super) fn mark(&mut self, kind: Kind, request: RequestNumber, marks_max: usize) {
        let answer = Pending::done(kind, request);
        if let Err(reason) = self.streams.mark(&mut self.replies, answer, marks_max) {
            self.push_failed(kind, request, reason);
        }
    }

    /// The application has the messages up to `through`. Returns the position that the log must reach for
    /// that to stand.
    pub(super) fn confirm(&mut self, handle: ObjectHandle, through: u32) -> Result<Lsn, Gated<Reason>> {
        let Some(connection) = &mut self.connection else {
            return Err(Gated::free(Reason::HOBJ_ERROR));
        };
        self.streams.confirm(connection, handle, through)
    }

    /// Ends the gets of a stream. One that `keeps` still gets the message that is being read for it.
    pub(super) fn end_wait(&mut self, handle: ObjectHandle, keeps: bool) {
        if let Some(connection) = &mut self.connection {
            self.streams.end_wait(connection, handle, keeps);
        }
    }

    /// Takes into the unit of work what its program has, though it never said so, where all was sent.
    pub(super) fn take_unconfirmed(&mut self) {
        if let Some(connection) = self.connection.as_mut().filter(|_| self.replies.is_empty()) {
            self.streams.take_unconfirmed(connection);
        }
    }

    /// Ends the stream of a handle.
    pub(super) fn release_stream(&mut self, handle: ObjectHandle) {
        if let Some(connection) = &mut self.connection {
            self.streams.release(connection, &mut self.replies, handle);
        }
    }

    /// Ends all streams.
    pub(super) fn end_streams(&mut self) {
        if let Some(connection) = &mut self.connection {
            self.streams.end(connection, &mut self.replies);
        }
    }

    /// Backs out the unit of work, and gives back what it has not taken.
    fn back_out(&mut self) -> Option<Outcome<()>> {
        let connection = self.connection.as_mut()?;
        Some(self.streams.back_out(connection, &mut self.replies))
    }

    /// Backs the unit of work out, and forgets that puts failed in it. A branch is not backed out so: they
    /// fail its end.
    pub(super) fn back_out_unit(&mut self) -> Option<Outcome<()>> {
        match self.back_out()?.split() {
            Ok(done) => {
                self.puts.take_unit_failure();
                Some(done.map(Ok))
            }
            Err(refused) => Some(refused.map(Err)),
        }
    }
}
