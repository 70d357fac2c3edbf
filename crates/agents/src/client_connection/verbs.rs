//! From requests to verbs.

use super::conversation::{Arriving, Conversation, Purpose, put_target};
use super::holding::RefusedPut;
use super::pending::Pending;
use super::token::Wait;
use super::{ClientConnection, Close};
use crate::arriving::Room;
use crate::streams::DELIVERIES_PER_TURN;
use channel::client::{self, Put, Target};
use channel::{
    Assembly, Conversation as Number, Error, Flags, Frame, Header, Kind, Refusals, Reply, Request,
    RequestNumber,
};
use mqi::branch::BranchId;
use mqi::{
    AccountingChoice, Body, CloseOptions, MessageDescriptor, ObjectHandle, PutFlags, PutOptions, Reason,
};
use queue_manager::{
    Ask, AsyncPuts, Begun, ConnectRequest, Connection, Get, GetPurpose, Outcome, PreparedAsk, PutForRoom,
    RoomWait, connection,
};
use std::sync::Arc;
use storage::Lsn;
use storage::record::ClientCommit;
use wire::Fields;

/// True for the frames that begin a call of a program; the others serve read-ahead or the connection.
fn is_call(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Heartbeat | Kind::Fragment | Kind::Credit | Kind::Confirm | Kind::Release | Kind::Cancel
    )
}

impl ClientConnection {
    /// Runs one request.
    pub(super) fn run(&mut self, frame: &Frame<'_>) -> Result<(), Close> {
        let header = frame.header;
        if matches!(header.kind, Kind::Put | Kind::Put1) {
            self.progress.messages += 1;
            return self.put(frame);
        }
        self.progress.messages += u64::from(is_call(header.kind));
        let request = match Request::decode(frame, self.agreed.message_bytes_max, &mut self.descriptor) {
            Ok(request) => request,
            Err(error) => return self.refuse_request(header, error),
        };
        match request {
            Request::Heartbeat => return Ok(()),
            Request::Disconnect => return Err(Close::Disconnected),
            Request::Begin { instance, generation, options } => {
                return self.begin(header, (instance, generation), options);
            }
            Request::Stop { mode } => return self.stop(header, mode),
            _ => {}
        }
        if self.conversation(header.conversation).is_none() {
            return self.refuse_conversation(header);
        }
        match request {
            Request::Fragment(fragment) => return self.fragment(header, fragment),
            Request::Command { first_line, length, text } => {
                return self.command_part(header, first_line, length, text);
            }
            Request::Statistics => self.statistics(header),
            Request::Figures => self.figures(header),
            Request::End => self.end(header),
            Request::Back => self.back(header),
            Request::Close { handle, options } => self.close_handle(header, handle, options),
            Request::Release { .. } if header.flags.contains(Flags::KEEPS) => {
                let waits_max = self.limits.waits_max;
                self.with(header, |conversation| {
                    conversation.mark(Kind::Released, header.request, waits_max)
                });
            }
            Request::Release { handle } => {
                self.with(header, |conversation| {
                    conversation.release_stream(handle);
                    conversation.push_free(Pending::done(Kind::Released, header.request));
                });
            }
            Request::Get(get) => self.get(header, &get),
            Request::Cancel { get: RequestNumber(0) } if header.flags.contains(Flags::LISTENS) => {
                self.with(header, |conversation| {
                    conversation.watch = Some(header.request);
                    conversation.answer_watch();
                });
            }
            Request::Cancel { get: RequestNumber(0) } => self.mark(header),
            Request::Cancel { get } => self.cancel(header, get),
            Request::Credit(credit) => self.grant(header, credit),
            Request::Confirm { handle, through } => {
                self.with(header, |conversation| conversation.run_confirm(header, handle, through));
            }
            Request::Commit { number } => {
                self.with(header, |conversation| conversation.run_commit(header, number));
            }
            Request::Status => {
                self.with(header, |conversation| conversation.tell_status(header));
            }
            Request::Branch { call, branch } => {
                self.drain();
                self.with(header, |conversation| conversation.call_branch(header, call, &branch));
            }
            Request::PreparedMessage { branch, place, bytes_max } => {
                self.prepared_message(header, &branch, place, bytes_max);
            }
            Request::ListBranches(list) => {
                self.with(header, |conversation| conversation.list_branches(header, &list));
            }
            Request::Open { object, options } => {
                self.with(header, |conversation| {
                    let outcome = conversation.connection.as_mut().map(|verbs| verbs.open(&object, options));
                    conversation.answer(header, Kind::Opened, outcome, Reply::Opened);
                });
            }
            Request::Subscribe { descriptor, queue } => {
                let reply = |subscribed| Reply::Subscribed(Box::new(subscribed));
                self.begin_reading(header, Kind::Subscribed, reply, |verbs| {
                    verbs.begin_to_subscribe(&descriptor, queue)
                });
            }
            Request::RequestPublications { subscription, action, options } => {
                let (kind, reply) = (Kind::PublicationsRequested, Reply::PublicationsRequested);
                self.begin_reading(header, kind, reply, |verbs| {
                    verbs.begin_to_request(subscription, action, options)
                });
            }
            Request::Inquire { handle, selectors } => {
                self.with(header, |conversation| {
                    let outcome =
                        conversation.connection.as_mut().map(|verbs| verbs.inquire(handle, &selectors));
                    conversation.answer(header, Kind::Inquired, outcome, Reply::Inquired);
                });
            }
            Request::Set { handle, values } => {
                self.with(header, |conversation| {
                    let outcome = conversation.connection.as_mut().map(|verbs| verbs.set(handle, &values));
                    conversation.answer(header, Kind::SetDone, outcome, |()| Reply::Done);
                });
            }
            // These are seen to above.
            Request::Put(_)
            | Request::Heartbeat
            | Request::Disconnect
            | Request::Begin { .. }
            | Request::Stop { .. } => {}
        }
        Ok(())
    }

    /// Runs a verb that may have to read from the disk, and answers it: at once, or when a job has read.
    fn begin_reading<T: 'static>(
        &mut self,
        header: Header,
        kind: Kind,
        reply: fn(T) -> Reply<'static>,
        verb: impl FnOnce(&mut Connection) -> Begun<T>,
    ) {
        if !self.has_room_for_job(header) {
            let refusal = |conversation: &mut Conversation| {
                conversation.push_failed(kind, header.request, Reason::RESOURCE_PROBLEM);
            };
            self.with(header, refusal);
            return;
        }
        let begun = self.with(header, |conversation| conversation.connection.as_mut().map(verb));
        let outcome = match begun.flatten() {
            None => None,
            Some(Begun::Done(outcome)) => Some(outcome),
            Some(Begun::Reads(rest)) => {
                let (ticket, inbox) = (self.await_job(header), Arc::clone(&self.inbox));
                return self.queue_manager.leave(move |queue_manager| {
                    let outcome = rest.finish(queue_manager);
                    let request = ticket.request;
                    let answer = outcome.map(move |result| Pending::of(kind, request, result.map(reply)));
                    inbox.answer(ticket, answer);
                });
            }
        };
        self.with(header, |conversation| conversation.answer(header, kind, outcome, reply));
    }

    fn get(&mut self, header: Header, get: &client::Get) {
        let is_room = get.options.wait == mqi::Wait::No || self.waits < self.limits.waits_max;
        let descriptor = std::mem::take(&mut self.descriptor);
        // Nothing longer than was agreed is sent, whatever is asked for.
        let bytes_max = get.bytes_max.min(self.agreed.message_bytes_max) as usize;
        let is_waiting = self.with(header, |conversation| {
            let token = conversation.token(header.request);
            let Some(verbs) = conversation.connection.as_mut().filter(|_| is_room) else {
                conversation.push_failed(Kind::Got, header.request, Reason::RESOURCE_PROBLEM);
                return false;
            };
            let purpose = if header.flags.contains(Flags::LOOK) { GetPurpose::Look } else { GetPurpose::Get };
            let ask = Ask::new(get.handle, &descriptor, &get.options, bytes_max, token);
            match verbs.get(Ask { purpose, ..ask }) {
                Get::Done(outcome) => {
                    conversation.push_got(header.request, outcome);
                    false
                }
                Get::Waiting => {
                    conversation.waiting_gets += 1;
                    if header.flags.contains(Flags::LOOK) || header.flags.contains(Flags::LISTENS) {
                        conversation.listening.push(header.request);
                    }
                    true
                }
            }
        });
        self.descriptor = descriptor;
        self.waits += usize::from(is_waiting.unwrap_or_default());
    }

    /// Gives a copy of a message that a branch has got.
    fn prepared_message(&mut self, header: Header, branch: &BranchId, place: u32, bytes_max: u32) {
        let is_room = self.waits < self.limits.waits_max;
        let bytes_max = bytes_max.min(self.agreed.message_bytes_max) as usize;
        let is_waiting = self.with(header, |conversation| {
            let token = conversation.token(header.request);
            let Some(verbs) = conversation.connection.as_mut().filter(|_| is_room) else {
                conversation.push_failed(Kind::Got, header.request, Reason::RESOURCE_PROBLEM);
                return false;
            };
            match verbs.branches().prepared_message(PreparedAsk { branch, place, bytes_max, token }) {
                Get::Done(outcome) => {
                    conversation.push_got(header.request, outcome);
                    false
                }
                Get::Waiting => {
                    conversation.waiting_gets += 1;
                    true
                }
            }
        });
        self.waits += usize::from(is_waiting.unwrap_or_default());
    }

    fn cancel(&mut self, header: Header, get: RequestNumber) {
        let was_waiting = self.with(header, |conversation| {
            let token = conversation.token(get);
            let was_waiting = conversation.connection.as_mut().is_some_and(|verbs| verbs.cancel(token));
            if was_waiting {
                conversation.has_waited(get);
                conversation.push_failed(Kind::Got, get, Reason::NO_MSG_AVAILABLE);
            }
            if !header.flags.contains(Flags::NO_REPLY) {
                conversation.push_free(Pending::done(Kind::Cancelled, header.request));
            }
            was_waiting
        });
        self.waits = self.waits.saturating_sub(usize::from(was_waiting.unwrap_or_default()));
    }

    /// Cancels nothing: the answer marks a place behind all that there is to deliver, also behind a message
    /// that is being read from the disk for it. Were that one given back, another getter could be given it
    /// behind those that follow it.
    fn mark(&mut self, header: Header) {
        let waits_max = self.limits.waits_max;
        self.with(header, |conversation| conversation.mark(Kind::Cancelled, header.request, waits_max));
    }

    fn grant(&mut self, header: Header, mut credit: client::Credit) {
        if let Some(terms) = &mut credit.terms {
            terms.bytes_max = terms.bytes_max.min(self.agreed.message_bytes_max);
        }
        self.has_streams = true;
        self.drain();
        let is_refused = self.refused.contains(Refusals::READ_AHEAD);
        let descriptor = std::mem::take(&mut self.descriptor);
        self.with(header, |conversation| {
            let granted = if is_refused {
                Err(Reason::FUNCTION_NOT_SUPPORTED)
            } else {
                conversation.credit(header.request, credit, &descriptor)
            };
            if let Err(reason) = granted {
                conversation.push_failed(Kind::Delivered, header.request, reason);
            }
        });
        self.descriptor = descriptor;
    }

    /// Returns true if a request that ends or marks waits of streams must itself wait, for the outcome of a
    /// wait that another thread has decided. The request runs only after that: a message given out for good
    /// has no place to return to, so it goes to the client in front of the answer.
    pub(super) fn awaits_outcome(&mut self, frame: &Frame<'_>) -> bool {
        let header = frame.header;
        let is_listening = header.flags.contains(Flags::LISTENS);
        if !self.has_streams {
            return false;
        }
        let Ok(named) = Fields::of(frame.payload).i32("handle") else { return false };
        let is_cancel = header.kind == Kind::Cancel;
        let only_adds = header.kind == Kind::Credit && !client::begins_anew(frame.payload);
        if only_adds || is_cancel && (named != 0 || is_listening) {
            return false;
        }
        self.drain();
        let awaits = self.with(header, |conversation| {
            if conversation.awaits_outcome() {
                return true;
            }
            if is_cancel {
                conversation.deliver(DELIVERIES_PER_TURN, None);
                conversation.conclude_streams();
            } else {
                conversation.end_wait(ObjectHandle(named), header.flags.contains(Flags::KEEPS));
            }
            conversation.awaits_outcome()
        });
        awaits == Some(true)
    }

    fn close_handle(&mut self, header: Header, handle: ObjectHandle, options: CloseOptions) {
        self.drain();
        self.with(header, |conversation| {
            conversation.release_stream(handle);
            let outcome = conversation.connection.as_mut().map(|verbs| verbs.close(handle, options));
            conversation.answer(header, Kind::Closed, outcome, |warning| Reply::Closed { warning });
        });
    }

    /// Begins a conversation, or begins one again whose number was used by one that ended.
    fn begin(
        &mut self,
        header: Header,
        (instance, generation): ([u8; 16], u64),
        options: i32,
    ) -> Result<(), Close> {
        let number = header.conversation;
        if self.numbered(number)?.connection.is_some() {
            return Err(
                Error::Unexpected { kind: Kind::Begin, why: "the conversation has begun before" }.into()
            );
        }
        let request = |accounting| ConnectRequest {
            accounting,
            application: self.application.clone(),
            origin: self.peer.origin.clone(),
            channel: self.channel,
            process: self.process,
            instance,
            generation,
            principal: self.principal.clone(),
            completions: self.inbox.clone(),
        };
        let outcome = match AccountingChoice::of_options(options) {
            Ok(accounting) => self.queue_manager.connect(request(accounting)),
            Err(reason) => queue_manager::Gated::free(Err(reason)),
        };
        // The connection may be used before its client may hear of it: what it answers waits behind this
        // reply.
        let (begun, last_commit) = connection::begin(outcome);
        if begun.is_none()
            && self.queue_manager.channels().is_instance_of_another(&instance, &self.principal, self.channel)
        {
            let text = format!(
                "conversation {} begins under a client instance that another user, or a program by another channel, \
                 uses: begin under an instance of its own",
                number.0
            );
            return Err(Close::Refused { reason: Reason::NOT_AUTHORIZED, text });
        }
        let conversation = self.numbered(number)?;
        conversation.push_outcome(Kind::Begun, header.request, last_commit, |last_commit| Reply::Begun {
            last_commit,
        });
        conversation.connection = begun;
        conversation.instance = instance;
        conversation.by_jobs.clear();
        self.forget_texts(number);
        let conversation = self.numbered(number)?;
        // The program before it under this number may have left these, and this one numbers its requests as
        // that one did.
        conversation.puts = AsyncPuts::default();
        conversation.puts_wait = false;
        conversation.refused = None;
        self.list(number);
        Ok(())
    }

    /// The conversation of a number that may be used, whether or not it has begun.
    pub(super) fn numbered(&mut self, number: Number) -> Result<&mut Conversation, Close> {
        if number == Number::CONNECTION || number.0 > self.agreed.conversations_max {
            let text = format!(
                "conversation {} is out of bounds: 1 to {} were agreed",
                number.0, self.agreed.conversations_max
            );
            return Err(Close::Refused { reason: Reason::MAX_CONNS_LIMIT_REACHED, text });
        }
        let place = usize::from(number.0);
        if self.conversations.len() <= place {
            self.conversations.resize_with(place + 1, || None);
        }
        Ok(self.conversations[place].get_or_insert_with(|| Box::new(Conversation::new(number))))
    }

    fn end(&mut self, header: Header) {
        self.drain();
        let mut given_up = 0;
        let waits = self.with(header, |conversation| {
            conversation.end_streams();
            conversation.by_jobs.clear();
            if let Some(arriving) = conversation.arriving.take() {
                given_up = arriving.assembly.length();
            }
            let waits = std::mem::take(&mut conversation.waiting_gets);
            conversation.listening.clear();
            conversation.watch = None;
            if conversation.puts.take_unit_failure()
                && let Some(verbs) = &mut conversation.connection
            {
                let outcome = verbs.back();
                conversation.push(
                    outcome.map(move |_| Pending::failed(Kind::Ended, header.request, Reason::BACKED_OUT)),
                );
                conversation.connection = None;
                return waits;
            }
            let outcome = conversation.connection.take().map(Connection::disconnect);
            conversation.answer(header, Kind::Ended, outcome, |()| Reply::Done);
            waits
        });
        self.forget_texts(header.conversation);
        self.waits = self.waits.saturating_sub(waits.unwrap_or_default());
        self.arriving_bytes = self.arriving_bytes.saturating_sub(given_up);
        self.inbox.forget(|token| Wait::of(token).conversation() == header.conversation);
    }

    fn back(&mut self, header: Header) {
        self.drain();
        self.with(header, |conversation| {
            let outcome = conversation.back_out_unit();
            conversation.answer(header, Kind::BackedOut, outcome, |()| Reply::Done);
        });
    }

    /// Runs a put, which is read beside the fields of the one before it. A callee that keeps its body copies
    /// it.
    fn put(&mut self, frame: &Frame<'_>) -> Result<(), Close> {
        let header = frame.header;
        // Used where it was read: moving it out would copy it.
        let mut read = self.puts_seen.read_put(frame, self.agreed.message_bytes_max);
        let put = match &mut read {
            Ok(put) => put,
            Err(error) => return self.refuse_request(header, error.clone()),
        };
        let number = header.conversation;
        let conversation = self.conversations.get_mut(usize::from(number.0)).and_then(Option::as_deref_mut);
        let Some(conversation) = conversation.filter(|conversation| conversation.connection.is_some()) else {
            return self.refuse_conversation(header);
        };
        let descriptor = self.puts_seen.descriptor();
        if put.body.len() < put.length as usize {
            let purpose = Purpose::of_put(put, header.flags, descriptor);
            return self.begin_assembly(header, put.length, put.body, purpose);
        }
        let Put { target, options, body, .. } = put;
        let heading = (header.request, header.flags);
        conversation.run_put(heading, target, descriptor, options, Body::Lent(body), None);
        if conversation.held_put.is_some() {
            self.held_puts += 1;
        }
        self.list(number);
        Ok(())
    }

    pub(super) fn begin_assembly(
        &mut self,
        header: Header,
        length: u32,
        first: &[u8],
        purpose: Purpose,
    ) -> Result<(), Close> {
        let arriving = self.arriving_bytes;
        let is_full = arriving > 0 && arriving + length as usize > self.limits.arriving_bytes_max;
        let is_taken = length <= self.agreed.message_bytes_max;
        let room = if is_full || !is_taken { None } else { Room::take(&self.queue_manager, length as usize) };
        if is_taken && room.is_none() {
            let conversation = self.conversation(header.conversation);
            let verbs = conversation.and_then(|conversation| conversation.connection.as_ref());
            let takes_unit = verbs.is_some_and(|verbs| purpose.takes_unit(verbs));
            self.refuse_body(header, Reason::RESOURCE_PROBLEM, takes_unit);
            return Ok(());
        }
        let message_bytes_max = self.agreed.message_bytes_max;
        let Some(conversation) = self.conversation(header.conversation) else {
            return Ok(());
        };
        if conversation.arriving.is_some() {
            let why = "the body before it is not whole";
            return Err(Error::Unexpected { kind: header.kind, why }.into());
        }
        let begun = Assembly::begin(header.request, length, first, message_bytes_max);
        let assembly = begun.map_err(Error::from)?;
        let Some(room) = room else { return Ok(()) };
        conversation.arriving = Some(Arriving { assembly, purpose, room });
        self.arriving_bytes += length as usize;
        Ok(())
    }

    /// Answers a request that is not run; what follows of its body, if it has one, is passed over.
    pub(super) fn refuse_body(&mut self, header: Header, reason: Reason, takes_unit: bool) {
        self.with(header, |conversation| {
            conversation.refused = Some(header.request);
            if header.flags.contains(Flags::NO_REPLY) {
                conversation.puts.refuse(reason, takes_unit);
            } else {
                conversation.push_failed(answer_to(header.kind), header.request, reason);
            }
        });
    }

    fn fragment(&mut self, header: Header, fragment: &[u8]) -> Result<(), Close> {
        let Some(conversation) = self.conversation(header.conversation) else {
            return Ok(());
        };
        if conversation.refused == Some(header.request) {
            return Ok(());
        }
        let Some(arriving) = &mut conversation.arriving else {
            return Err(Error::Unexpected { kind: Kind::Fragment, why: "no body is on its way" }.into());
        };
        let Some(body) = arriving.assembly.add(header.request, fragment).map_err(Error::from)? else {
            return Ok(());
        };
        let Some(Arriving { purpose, room, .. }) = conversation.arriving.take() else { return Ok(()) };
        let length = body.len();
        match purpose {
            Purpose::Put { flags, target, mut options, descriptor } => {
                let is_held = self.with(header, |conversation| {
                    let heading = (header.request, flags);
                    conversation.run_put(heading, &target, &descriptor, &mut options, body.into(), None);
                    conversation.held_put.as_mut().map(|held| held.room = Some(room)).is_some()
                });
                if is_held == Some(true) {
                    // Its bytes count until it is made.
                    self.held_puts += 1;
                    return Ok(());
                }
            }
            Purpose::Command { first_line, hold } => self.command(header, first_line, &body, hold),
        }
        self.arriving_bytes = self.arriving_bytes.saturating_sub(length);
        Ok(())
    }

    /// Answers a request whose fields were wrong, when the connection can go on.
    fn refuse_request(&mut self, header: Header, error: Error) -> Result<(), Close> {
        let Some(reason) = error.of_request() else {
            return Err(error.into());
        };
        if self.conversation(header.conversation).is_none() {
            // There is nobody to tell.
            return Err(error.into());
        }
        // Nobody can tell what it would have put.
        self.refuse_body(header, reason, true);
        Ok(())
    }

    /// Answers a request of a conversation that has not begun or has ended.
    fn refuse_conversation(&mut self, header: Header) -> Result<(), Close> {
        if header.conversation == Number::CONNECTION {
            let why = "it belongs to a conversation";
            return Err(Error::Unexpected { kind: header.kind, why }.into());
        }
        let place = usize::from(header.conversation.0);
        let Some(Some(conversation)) = self.conversations.get_mut(place) else {
            let why = "its conversation has not begun";
            return Err(Error::Unexpected { kind: header.kind, why }.into());
        };
        if !header.flags.contains(Flags::NO_REPLY) && header.kind != Kind::Fragment {
            conversation.push_failed(answer_to(header.kind), header.request, Reason::HCONN_ERROR);
        }
        self.list(header.conversation);
        Ok(())
    }
}

impl Conversation {
    /// Queues what a verb answered; without a connection there was no verb.
    fn answer<T>(
        &mut self,
        header: Header,
        kind: Kind,
        outcome: Option<Outcome<T>>,
        reply: impl Fn(T) -> Reply<'static> + Copy + 'static,
    ) {
        match outcome {
            Some(outcome) => self.push_outcome(kind, header.request, outcome, reply),
            None => self.push_failed(kind, header.request, Reason::HCONN_ERROR),
        }
    }

    pub(super) fn run_put(
        &mut self,
        heading: (RequestNumber, Flags),
        target: &Target,
        descriptor: &MessageDescriptor,
        options: &mut PutOptions,
        body: Body<'_>,
        waited: Option<&RoomWait>,
    ) {
        if !self.connection.as_ref().is_some_and(PutForRoom::may_be_held) {
            return self.make_put(heading, target, descriptor, options, body, |_, _| false);
        }
        let again = body.clone();
        self.make_put(heading, target, descriptor, options, body, |conversation, options| {
            conversation.hold(RefusedPut { heading, target, descriptor, options, body: again }, waited)
        });
    }

    /// Makes a put. One that finds no room is kept by `keep`, if that may be.
    fn make_put(
        &mut self,
        (request, flags): (RequestNumber, Flags),
        target: &Target,
        descriptor: &MessageDescriptor,
        options: &mut PutOptions,
        body: Body<'_>,
        keep: impl FnOnce(&mut Self, &PutOptions) -> bool,
    ) {
        let Some(verbs) = &mut self.connection else {
            return;
        };
        if flags.contains(Flags::NO_REPLY) {
            let is_in_unit = options.flags.contains(PutFlags::SYNCPOINT);
            if !is_in_unit {
                // To the engine a put that nobody waits for is an asynchronous one, whatever its options say.
                options.flags.remove(PutFlags::SYNC_RESPONSE);
                options.flags.insert(PutFlags::ASYNC_RESPONSE);
            }
            let outcome = match target {
                Target::Handle(handle) => verbs.put_without_reply(*handle, descriptor, options, body),
                Target::Object(object) => {
                    let put = verbs.put1(object, descriptor, options, body.into_bytes());
                    put.map(|put| put.map(|done| done.warning))
                }
            };
            if outcome.lacks_room() && keep(self, options) {
                return;
            }
            let Some(verbs) = &mut self.connection else { return };
            let takes_unit = || verbs.takes_unit(put_target(target), descriptor, options);
            self.puts.keep(outcome, takes_unit, || match target {
                Target::Handle(handle) => verbs.put_object(*handle),
                Target::Object(object) => verbs.put1_object(object),
            });
            return;
        }
        let body = body.into_bytes();
        let outcome = match target {
            Target::Handle(handle) => verbs.put(*handle, descriptor, options, body),
            Target::Object(object) => verbs.put1(object, descriptor, options, body),
        };
        if outcome.lacks_room() && keep(self, options) {
            return;
        }
        self.puts_wait = outcome.awaits_getter() || outcome.need() > Lsn::ZERO;
        let is_brief = flags.contains(Flags::BRIEF);
        self.push(outcome.map(move |result| match result {
            Ok(done) => Pending::Put { request, done, is_brief },
            Err(reason) => Pending::failed(Kind::PutDone, request, reason),
        }));
    }

    fn tell_status(&mut self, header: Header) {
        let Some(verbs) = &self.connection else {
            return self.push_failed(Kind::StatusTold, header.request, Reason::HCONN_ERROR);
        };
        let told = verbs.put_status(&mut self.puts);
        self.push(
            told.map(move |status| Pending::of(Kind::StatusTold, header.request, Ok(Reply::Status(status)))),
        );
    }

    fn run_commit(&mut self, header: Header, number: u64) {
        if self.puts.is_unit_failed() {
            // Puts whose callers were not told fail the unit of work they were part of.
            let outcome = self.back_out_unit();
            let outcome = outcome.map(|outcome| outcome.map(|done| done.and(Err(Reason::BACKED_OUT))));
            return self.answer(header, Kind::Committed, outcome, |()| Reply::Done);
        }
        let client = (number != 0 && self.instance != [0; 16])
            .then_some(ClientCommit { instance: self.instance, number });
        let outcome = self.connection.as_mut().map(|verbs| verbs.commit(client));
        self.answer(header, Kind::Committed, outcome, |()| Reply::Done);
    }

    fn run_confirm(&mut self, header: Header, handle: ObjectHandle, through: u32) {
        let is_silent = header.flags.contains(Flags::NO_REPLY);
        let request = header.request;
        let reply = match self.confirm(handle, through) {
            Ok(need) => queue_manager::Gated::new(need, Pending::done(Kind::Confirmed, request)),
            Err(reason) => {
                if is_silent {
                    self.puts.fail_unit();
                }
                reason.map(move |reason| Pending::failed(Kind::Confirmed, request, reason))
            }
        };
        if !is_silent {
            self.push(reply);
        }
    }
}

/// The kind that answers a request of this kind.
fn answer_to(kind: Kind) -> Kind {
    match kind {
        Kind::Put1 => Kind::PutDone,
        kind => Kind::from_number(kind as u8 | 0x80).unwrap_or(Kind::Refused),
    }
}
