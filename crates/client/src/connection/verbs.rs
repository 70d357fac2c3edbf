//! The verbs over a channel.

use super::administration::refusal;
use super::opening::Borrow;
use super::read_ahead::Stream;
use super::unheard::Unheard;
use super::{Connection, Handle, Role, Unanswered};
use crate::inbox::{Answer, PutDone};
use crate::mailboxes::Broken;
use ::channel::client::{self, Target};
use ::channel::descriptor::copy_fields;
use ::channel::{FieldSet, Flags, Header, Kind, Refusals, Request};
use bytes::Bytes;
use formats::properties::handle;
use mqi::branch::Branches;
use mqi::properties::MessageHandles;
use mqi::{
    AttributeValue, Body, Characters, CloseOptions, GetFlags, GetOptions, Got, Inquired, MatchOptions,
    MessageDescriptor, MessageHandle, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, Opened,
    PutFlags, PutOptions, PutStatus, QueueManagerName, Reason, RequestOptions, Selector, Status, StatusType,
    Subscribed, SubscriptionDescriptor, Verbs, constants,
};
use std::borrow::Cow;

/// The character set that programs here work in.
const NATIVE_CCSID: i32 = 1208;

/// True if a handle may get messages.
pub(super) fn gets(options: OpenOptions) -> bool {
    options.intersects(OpenOptions::INPUT_AS_Q_DEF | OpenOptions::INPUT_SHARED | OpenOptions::INPUT_EXCLUSIVE)
}

/// True if no message that comes ahead can fit a get with these options.
fn is_never_ahead(options: &GetOptions) -> bool {
    options.flags.intersects(GetFlags::MSG_UNDER_CURSOR | GetFlags::SYNCPOINT_IF_PERSISTENT)
        || options.concern_groups()
        || options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN)
}

impl Connection {
    /// Puts without waiting for the outcome: failures are told by [`status`](Self::status), and fail the
    /// commit of the unit of work they were in. The message leaves with the next call that waits, with
    /// [`flush`](Self::flush), when many have gathered, or after a millisecond or two.
    ///
    /// # Errors
    /// Faults that this side can see: the handle, the length, a unit of work that was lost.
    pub fn put_async(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        if let Some(mut prepared) = self.message_handles.for_put(descriptor, options, &body)? {
            let body = std::mem::take(&mut prepared.body);
            return self.put_async(handle, &prepared.descriptor, &prepared.options, body);
        }
        let put = self.put_async_to(
            |connection| connection.target_of_put(handle),
            descriptor,
            options,
            body.into(),
        );
        put.map(drop)
    }

    /// Puts asynchronously to the target that `target_of` finds, and finds again after a reconnect. True if
    /// it goes out with others that were corked before.
    fn put_async_to(
        &mut self,
        target_of: impl Fn(&mut Self) -> Result<Target, Reason>,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Body<'_>,
    ) -> Result<bool, Reason> {
        let mut target = target_of(self)?;
        self.check_put(options, &body)?;
        while self.is_lost() || self.channel.reconnects() && self.link.notices_end_if_idle(&self.inbox) {
            self.reconnect()?;
            target = target_of(self)?;
            self.check_put(options, &body)?;
        }
        let (number, request) = (self.number, self.next_request());
        let header = Header::new(kind_of_put(&target), number, request).with(Flags::NO_REPLY);
        let fragment_bytes = self.link.limits().fragment_bytes();
        let options = self.with_context(options)?;
        // Counted before it is sent: a put whose link breaks under it may or may not have happened.
        let is_in_unit = options.flags.contains(PutFlags::SYNCPOINT);
        self.note_unheard(&target, is_in_unit);
        self.unit.is_open |= is_in_unit;
        let streams = self.row.put(request);
        let (said, what) = (&mut self.said, (&target, descriptor));
        let corked = self.link.cork_of(streams, |output| {
            let joins = !output.is_empty();
            (joins, said.put(output, header, what, &options, body, fragment_bytes))
        });
        let sent = corked.and_then(|(joins, rest)| match rest.is_empty() {
            true => Ok(joins),
            false => self.link.send_rest(number, request, rest).map(|()| joins),
        });
        match sent {
            Ok(joins) => Ok(joins),
            Err(Broken) => self.reconnect().map(|()| false),
        }
    }

    /// MQSTAT: what became of puts without a reply since it was last asked. Answered when those that
    /// succeeded will survive a restart.
    ///
    /// # Errors
    /// When the connection broke and is not made again.
    pub fn status(&mut self) -> Result<PutStatus, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let answer = self.ask_again(|connection| connection.ask_plainly(&Request::Status))?;
        let Answer::Status(status) = answer else {
            return Err(refusal(&answer));
        };
        (self.unheard, self.unheard_in_unit) = Default::default();
        let lost = std::mem::take(&mut self.lost);
        let failures = status.failures.saturating_add(lost.failures);
        // The first failure is told of.
        let told = if lost.failures > 0 { lost } else { status };
        Ok(PutStatus { failures, reason: told.reason, object: told.object, ..status })
    }

    fn target_of_put(&mut self, handle: ObjectHandle) -> Result<Target, Reason> {
        let handle = self.usable(handle)?;
        if !handle.options.contains(OpenOptions::OUTPUT) {
            return Err(Reason::NOT_OPEN_FOR_OUTPUT);
        }
        Ok(Target::Handle(handle.server))
    }

    /// Options with the handle of a context as the queue manager numbers it.
    fn with_context<'a>(&mut self, options: &'a PutOptions) -> Result<Cow<'a, PutOptions>, Reason> {
        let Some(handle) = options.context else { return Ok(Cow::Borrowed(options)) };
        let context = Some(self.handle(handle).map_err(|_| Reason::CONTEXT_HANDLE_ERROR)?.server);
        Ok(Cow::Owned(PutOptions { context, ..options.clone() }))
    }

    /// Refuses logical order on a connection that reconnects: the queue manager forgets a handle's place in a
    /// group with the link, so it could not go on there.
    pub(super) fn check_order(&self, is_in_order: bool) -> Result<(), Reason> {
        if is_in_order && self.channel.reconnects() { Err(Reason::RECONNECT_INCOMPATIBLE) } else { Ok(()) }
    }

    fn check_put(&self, options: &PutOptions, body: &Body<'_>) -> Result<(), Reason> {
        self.check_order(options.flags.contains(PutFlags::LOGICAL_ORDER))?;
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        if body.len() > self.link.limits().message_bytes_max as usize {
            return Err(Reason::MSG_TOO_BIG_FOR_CHANNEL);
        }
        if options.flags.contains(PutFlags::SYNCPOINT) && self.unit.is_lost {
            return Err(Reason::BACKED_OUT);
        }
        Ok(())
    }

    /// Puts to what `target` finds, which it does again after a reconnect.
    fn put_to(
        &mut self,
        target: impl Fn(&mut Self) -> Result<Target, Reason>,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: &Body<'_>,
    ) -> Result<(), Reason> {
        let is_in_unit = options.flags.contains(PutFlags::SYNCPOINT);
        loop {
            let target = target(self)?;
            self.check_put(options, body)?;
            match self.try_put(&target, descriptor, options, body.clone())? {
                Ok(Answer::PutDone(done)) => {
                    self.unit.is_open |= is_in_unit;
                    fill_put(done, descriptor, options);
                    return Ok(());
                }
                Ok(answer) => return Err(refusal(&answer)),
                Err(unanswered) => {
                    // In a unit of work the outcome is known: whatever was done is undone.
                    let had_unit = is_in_unit && self.unit.is_open;
                    self.reconnect()?;
                    if had_unit {
                        return Err(Reason::BACKED_OUT);
                    }
                    if unanswered == Unanswered::Unknown && !is_in_unit {
                        return Err(Reason::CALL_INTERRUPTED);
                    }
                }
            }
        }
    }

    fn try_put(
        &mut self,
        target: &Target,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Body<'_>,
    ) -> Result<Result<Answer, Unanswered>, Reason> {
        if self.is_lost_by_now() {
            return Ok(Err(Unanswered::NotDone));
        }
        let options = self.with_context(options)?;
        let (number, request) = (self.number, self.next_request());
        let kind = kind_of_put(target);
        let header = Header::new(kind, number, request);
        let fragment_bytes = self.link.limits().fragment_bytes();
        let (said, what) = (&mut self.said, (target, descriptor));
        let answer = self
            .link
            .send(|output| said.put(output, header, what, &options, body, fragment_bytes))
            .and_then(|rest| self.link.send_rest(number, request, rest))
            .and_then(|()| self.link.wait(&self.inbox, request));
        Ok(self.answered(answer))
    }

    /// A get that is a round trip.
    pub(super) fn get_plainly(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Got, Reason> {
        let is_in_unit = options.flags.intersects(GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT);
        // Nothing is lost by asking again: a message taken into a unit of work is back on its queue, and the
        // first message looked at is still the first.
        let is_repeatable = (is_in_unit && !options.flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT))
            || options.flags.contains(GetFlags::BROWSE_FIRST);
        loop {
            if is_in_unit && self.unit.is_lost {
                return Err(Reason::BACKED_OUT);
            }
            let server = self.handle(handle)?.server;
            let bytes_max = u32::try_from(bytes_max).unwrap_or(u32::MAX);
            let get = self.link.get(server, options.clone(), bytes_max);
            let answer = self.ask(|output, conversation, request| {
                client::get(output.cork(), conversation, request, &get, descriptor);
            });
            let unanswered = match answer {
                Ok(Answer::Got(letters)) => match self.answered_with(letters, descriptor, options, borrow) {
                    Some(got) => {
                        let got = got?;
                        self.unit.is_open |= is_in_unit;
                        return Ok(got);
                    }
                    None => Unanswered::Unknown,
                },
                Ok(Answer::Failed { reason, data_length }) => {
                    if reason == Reason::TRUNCATED_MSG_FAILED {
                        options.returned_length = data_length as i32;
                    }
                    return Err(reason);
                }
                Ok(answer) => return Err(refusal(&answer)),
                Err(unanswered) => unanswered,
            };
            let had_unit = is_in_unit && self.unit.is_open;
            self.reconnect()?;
            if had_unit {
                return Err(Reason::BACKED_OUT);
            }
            if unanswered == Unanswered::Unknown && !is_repeatable {
                return Err(Reason::CONNECTION_BROKEN);
            }
        }
    }

    /// Gets a message; a reader is lent its body, where it can be.
    fn get_any(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Got, Reason> {
        let is_browsing = options.browses();
        let open = self.usable(handle)?;
        if is_browsing && !open.options.contains(OpenOptions::BROWSE) {
            return Err(Reason::NOT_OPEN_FOR_BROWSE);
        }
        let is_unlocking = options.flags.contains(GetFlags::UNLOCK);
        if !is_browsing && !is_unlocking && !gets(open.options) {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        }
        let is_ahead = open.stream.is_some();
        self.check_order(options.flags.contains(GetFlags::LOGICAL_ORDER))?;
        self.forget_look(handle);
        if options.message_handle != MessageHandle::NONE {
            self.lent = self.message_handles.for_get(options)?;
        }
        self.pace.called();
        let is_ahead = is_ahead && !is_browsing && !is_unlocking;
        let asked = options.flags;
        let most = self.link.limits().message_bytes_max as usize;
        let is_narrow = bytes_max > most;
        if is_narrow {
            // What the program has room for is not cut because the connection has not.
            options.flags.remove(GetFlags::ACCEPT_TRUNCATED_MSG);
        }
        let bytes_max = bytes_max.min(most);
        let got = if is_ahead && is_never_ahead(options) {
            self.give_back_ahead(handle)
                .and_then(|()| self.get_plainly(handle, descriptor, options, bytes_max, borrow))
        } else if is_ahead {
            match self.get_ahead(handle, descriptor, options, bytes_max, borrow) {
                // Only its length came ahead; what fits of it, and its descriptor, are had where it is,
                // unless it is here.
                Err(Reason::TRUNCATED_MSG_FAILED) if !self.has_ahead(handle) => {
                    self.get_plainly(handle, descriptor, options, bytes_max, borrow)
                }
                got => got,
            }
        } else {
            self.get_plainly(handle, descriptor, options, bytes_max, borrow)
        };
        self.lent = None;
        options.flags = asked;
        match got {
            Err(Reason::TRUNCATED_MSG_FAILED) if is_narrow => Err(Reason::DATA_LENGTH_ERROR),
            got => got,
        }
    }

    fn put_message(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Body<'_>,
    ) -> Result<(), Reason> {
        let puts_asynchronously = self.handle(handle).is_ok_and(|open| open.puts_asynchronously);
        let said = options.answered_as(puts_asynchronously);
        if self.is_asynchronous(&said) {
            let joins =
                self.put_async_to(|connection| connection.target_of_put(handle), descriptor, &said, body)?;
            let Self { pace, handles, .. } = self;
            let is_followed = pace.put(joins, || has_messages(handles));
            // Inside a unit of work nobody can see it before the commit that takes it along.
            let may_wait = is_followed || options.flags.contains(PutFlags::SYNCPOINT);
            return if may_wait { Ok(()) } else { self.send_puts() };
        }
        self.put_to(|connection| connection.target_of_put(handle), descriptor, options, &body)
    }

    /// Sends puts without a reply. Those that meet a broken link are counted as lost, which is told by
    /// [`status`](Self::status) alone.
    fn send_puts(&mut self) -> Result<(), Reason> {
        match self.flush_soon() {
            Ok(()) => Ok(()),
            Err(_) => self.reconnect(),
        }
    }

    /// True if a put is to be made without waiting for its outcome.
    fn is_asynchronous(&self, options: &PutOptions) -> bool {
        options.is_asynchronous() && !self.link.welcome.refused.contains(Refusals::ASYNCHRONOUS_PUT)
    }
}

/// True if messages are here that the program has not asked for yet.
fn has_messages(handles: &[Option<Handle>]) -> bool {
    handles.iter().flatten().any(|handle| handle.stream.as_ref().is_some_and(Stream::has_messages))
}

fn kind_of_put(target: &Target) -> Kind {
    match target {
        Target::Handle(_) => Kind::Put,
        Target::Object(_) => Kind::Put1,
    }
}

fn fill_put(done: PutDone, descriptor: &mut MessageDescriptor, options: &mut PutOptions) {
    if let Some(filled) = done.descriptor {
        copy_fields(&filled, descriptor, FieldSet::FILLED_BY_PUT);
    }
    done.put.returned(options);
}

impl Verbs for Connection {
    fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Result<Opened, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let request = Request::Open { object: object.clone(), options };
        let mut may_be_second = false;
        let answer = self.ask_again(|connection| {
            let answer = connection.ask_plainly(&request);
            may_be_second |= matches!(answer, Err(Unanswered::Unknown));
            answer
        })?;
        let answer = if may_be_second { self.opened_again(object, answer)? } else { answer };
        let Answer::Opened(opened) = answer else {
            return Err(refusal(&answer));
        };
        let place = self.keep(Handle {
            object: object.clone(),
            options,
            server: opened.handle,
            refused: None,
            name: opened.object_name,
            stream: None,
            puts_asynchronously: opened.puts_asynchronously,
            role: Role::Object,
        });
        let handle = ObjectHandle(place as i32 + 1);
        if let Some(window) = self.channel.read_ahead(super::ReadAhead::default())
            && opened.reads_ahead
        {
            self.read_ahead(handle, window)?;
        }
        Ok(Opened { handle, ..*opened })
    }

    fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Result<Option<Reason>, Reason> {
        let removing = CloseOptions::DELETE | CloseOptions::DELETE_PURGE | CloseOptions::REMOVE_SUB;
        let refused = self.usable(handle).err().filter(|_| self.known(handle).is_ok());
        if let Some(reason) = refused.filter(|_| options.intersects(removing)) {
            return Err(reason);
        }
        self.known(handle)?;
        let place = handle.0 as usize - 1;
        self.forget_listened(handle);
        if refused.is_some() {
            // There is nothing at the queue manager to be closed.
            if let Some(closed) = self.handles[place].take() {
                self.forget_role(&closed);
            }
            return Ok(None);
        }
        if options.contains(CloseOptions::QUIESCE) && self.quiesce_ahead(handle)? {
            return Ok(Some(Reason::READ_AHEAD_MSGS));
        }
        let ask = |connection: &mut Self| {
            // Not earlier: giving back messages read ahead may have made the link again, and the number is
            // another there.
            let server = connection.handle(handle)?.server;
            // Taken into the unit of work before the queue manager gives the rest back.
            connection.confirm_unit();
            Ok((server, connection.ask_plainly(&Request::Close { handle: server, options })))
        };
        let (mut server, mut closed) = ask(self)?;
        while matches!(closed, Err(Unanswered::NotDone)) && options.intersects(removing) {
            self.reconnect()?;
            (server, closed) = ask(self)?;
        }
        match closed {
            Ok(Answer::Closed(warning)) => {
                if let Some(Some(mut closed)) = self.handles.get_mut(place).map(Option::take) {
                    self.forget_role(&closed);
                    if let Some(stream) = &mut closed.stream {
                        stream.lose(&self.inbox, server);
                    }
                }
                Ok(warning)
            }
            Ok(answer) => Err(refusal(&answer)),
            Err(_) => {
                // The queue manager closed it with the link; a queue to be deleted may still be there.
                if let Some(closed) = self.handles[place].take() {
                    self.forget_role(&closed);
                }
                self.reconnect()?;
                if options.intersects(removing) {
                    return Err(Reason::CONNECTION_BROKEN);
                }
                Ok(None)
            }
        }
    }

    fn subscribe(
        &mut self,
        descriptor: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Result<Subscribed, Reason> {
        self.subscribe_to(descriptor, queue)
    }

    fn request_publications(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Result<u32, Reason> {
        self.request(subscription, action, options)
    }

    fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        let prepared = self.message_handles.for_put(descriptor, options, &body)?;
        handle::put(prepared, descriptor, options, body, |descriptor, options, body| {
            self.put_message(handle, descriptor, options, body.into())
        })
    }

    fn put_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: &[u8],
    ) -> Result<(), Reason> {
        if options.uses_message_handles() {
            return self.put(handle, descriptor, options, Bytes::copy_from_slice(body));
        }
        self.put_message(handle, descriptor, options, Body::Lent(body))
    }

    fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        let target = |_: &mut Self| Ok(Target::Object(Box::new(object.clone())));
        let prepared = self.message_handles.for_put(descriptor, options, &body)?;
        handle::put(prepared, descriptor, options, body, |descriptor, options, body| {
            if self.is_asynchronous(options) {
                self.put_async_to(target, descriptor, options, body.into())?;
                return if options.flags.contains(PutFlags::SYNCPOINT) { Ok(()) } else { self.send_puts() };
            }
            self.put_to(target, descriptor, options, &body.into())
        })
    }

    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
    ) -> Result<Got, Reason> {
        self.get_any(handle, descriptor, options, bytes_max, &mut None)
    }

    fn get_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut dyn FnMut(&[u8]),
    ) -> Result<Got, Reason> {
        let mut borrow: Option<Borrow<'_>> = Some(borrow);
        let mut got = self.get_any(handle, descriptor, options, bytes_max, &mut borrow)?;
        if let Some(borrow) = borrow {
            borrow(&std::mem::take(&mut got.body));
        }
        Ok(got)
    }

    fn begin(&mut self) -> Result<Option<Reason>, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        self.ends_its_units()?;
        if self.unit.is_open {
            return Err(Reason::UOW_IN_PROGRESS);
        }
        Ok(Some(Reason::NO_EXTERNAL_PARTICIPANTS))
    }

    fn commit(&mut self) -> Result<(), Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        self.ends_its_units()?;
        if std::mem::take(&mut self.unit.is_lost) {
            // What was put without a reply went with it and is told by this.
            return Err(Reason::BACKED_OUT);
        }
        self.confirm_unit();
        let number = self.committed + 1;
        match self.ask_plainly(&Request::Commit { number }) {
            Ok(Answer::Done) => {
                self.committed = number;
                self.unit = super::Unit::default();
                self.unheard_in_unit = Unheard::default();
                Ok(())
            }
            Ok(answer) => {
                let reason = refusal(&answer);
                if reason == Reason::BACKED_OUT {
                    self.unit = super::Unit::default();
                    self.unheard_in_unit = Unheard::default();
                    self.restart_unit_streams();
                }
                Err(reason)
            }
            Err(unanswered) => {
                // It may have been executed: another under its number would pass for done.
                self.committed = number;
                let was_open = std::mem::take(&mut self.unit).is_open;
                let puts = self.unheard_in_unit.take();
                let outcome = match self.return_to_server() {
                    Err(reason) => Err(reason),
                    Ok(_) if !was_open => Ok(()),
                    Ok(Some(last)) if last >= number => Ok(()),
                    // The queue manager remembers this conversation and not this commit, or never heard of
                    // it.
                    Ok(Some(_)) => Err(Reason::BACKED_OUT),
                    Ok(None) if unanswered == Unanswered::NotDone => Err(Reason::BACKED_OUT),
                    Ok(None) => Err(Reason::CALL_INTERRUPTED),
                };
                self.unit = super::Unit::default();
                if outcome.is_err() {
                    self.note_lost_puts(puts);
                }
                outcome
            }
        }
    }

    fn back(&mut self) -> Result<(), Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        self.ends_its_units()?;
        if std::mem::take(&mut self.unit.is_lost) {
            return Ok(());
        }
        self.confirm_unit();
        match self.ask_plainly(&Request::Back) {
            Ok(Answer::Done) => {
                self.unit = super::Unit::default();
                self.unheard_in_unit = Unheard::default();
                self.restart_unit_streams();
                Ok(())
            }
            Ok(answer) => Err(refusal(&answer)),
            Err(_) => {
                // The link took the unit of work with it, which is what was asked for.
                self.reconnect()?;
                self.unit = super::Unit::default();
                Ok(())
            }
        }
    }

    fn on_branches(&mut self, call: &mut dyn FnMut(&mut dyn Branches)) -> Result<(), Reason> {
        if !self.offers_branches() {
            return Err(Reason::FUNCTION_NOT_SUPPORTED);
        }
        call(self);
        Ok(())
    }

    fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Result<Inquired, Reason> {
        if !self.usable(handle)?.options.contains(OpenOptions::INQUIRE) {
            return Err(Reason::NOT_OPEN_FOR_INQUIRE);
        }
        let answer = self.ask_again(|connection| {
            let server = connection.handle(handle).map_or(ObjectHandle::NONE, |open| open.server);
            connection.ask_plainly(&Request::Inquire { handle: server, selectors: selectors.to_vec() })
        })?;
        match answer {
            Answer::Inquired(inquired) => Ok(inquired),
            answer => self.handle(handle).and_then(|_| Err(refusal(&answer))),
        }
    }

    fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Result<(), Reason> {
        if !self.usable(handle)?.options.contains(OpenOptions::SET) {
            return Err(Reason::NOT_OPEN_FOR_SET);
        }
        let answer = self.ask_again(|connection| {
            let server = connection.handle(handle).map_or(ObjectHandle::NONE, |open| open.server);
            connection.ask_plainly(&Request::Set { handle: server, values: values.to_vec() })
        })?;
        match answer {
            Answer::Done => Ok(()),
            answer => self.handle(handle).and_then(|_| Err(refusal(&answer))),
        }
    }

    fn stat(&mut self, what: StatusType) -> Result<Status, Reason> {
        let failed = self.reconnection.map(|(cause, failure)| match what {
            StatusType::ReconnectionError => failure,
            StatusType::Reconnection | StatusType::AsyncError => cause,
        });
        match what {
            StatusType::AsyncError => self.status().map(Status::from),
            StatusType::Reconnection | StatusType::ReconnectionError => Ok(Status::of_reconnection(failed)),
        }
    }

    fn convert_characters(
        &mut self,
        options: i32,
        from: Characters<'_>,
        to_ccsid: i32,
        bytes_max: usize,
    ) -> Result<Bytes, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let named = |ccsid| if ccsid == constants::MQCCSI_Q_MGR { NATIVE_CCSID } else { ccsid };
        let (source, target) = (named(from.ccsid), named(to_ccsid));
        formats::convert::characters(options, source, from.bytes, target, bytes_max).map(Bytes::from)
    }

    fn message_handles(&mut self) -> Result<Box<dyn MessageHandles>, Reason> {
        if self.has_ended { Err(Reason::HCONN_ERROR) } else { Ok(Box::new(self.message_handles.clone())) }
    }

    fn disconnect(&mut self) -> Result<(), Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let is_lost = self.is_lost_by_now();
        let has_lost_unit = self.unit.is_lost || is_lost && self.unit.is_open;
        if has_lost_unit || is_lost {
            // The conversation on the link of now is ended too, or its number would not be free.
            self.leave();
            self.has_ended = true;
            return if has_lost_unit { Err(Reason::BACKED_OUT) } else { Ok(()) };
        }
        self.confirm_unit();
        let answer = self.ask_plainly(&Request::End);
        self.has_ended = true;
        self.link.forget(self.number, true);
        match answer {
            Ok(Answer::Done) => Ok(()),
            Ok(answer) => Err(refusal(&answer)),
            Err(_) if self.unit.is_open => Err(Reason::CONNECTION_BROKEN),
            // There was nothing to commit: it has ended, one way or the other.
            Err(_) => Ok(()),
        }
    }
}

impl Connection {
    /// The object and queue manager names a handle stands for.
    ///
    /// # Errors
    /// When there is no such handle.
    pub fn object(&mut self, handle: ObjectHandle) -> Result<(ObjectName, QueueManagerName), Reason> {
        let handle = self.known(handle)?;
        Ok((handle.name, handle.object.object_queue_manager_name))
    }
}
