//! Messages that come before they are asked for.
//!
//! A handle is granted credit for so many messages and bytes; the queue manager sends as long as there is
//! credit, and a get takes a message that is here. The credit is small at first, and grows when a program
//! waited for lack of it (`Reach`): messages here are not available to other getters of the queue. In units
//! of work it begins with one message and comes to as many as a program takes in one unit, because messages
//! beyond that wait here for a commit. A message that may not be lost is only reserved until it is taken:
//! inside a unit of work the confirmation goes with the commit and costs nothing; outside, for a persistent
//! message, it is a round trip. So a handle that brings persistent messages outside units of work goes over
//! to plain gets (`Habit`).

use super::opening::Borrow;
use super::reach::{Habit, Reach, ReadAhead};
use super::{Connection, Unanswered};
use crate::inbox::{Answer, Arrived, Inbox};
use crate::letters::{Letters, Opened, is_reserved};
use ::channel::client::{self, Credit, DeltaReader, ForHandle};
use ::channel::{Flags, Frame, Output, Request, RequestNumber};
use bytes::Bytes;
use mqi::{
    GetFlags, GetOptions, Got, MatchOptions, MessageDescriptor, MessageHandle, ObjectHandle, Persistence,
    Reason, Wait,
};
use std::time::Instant;

/// Credit for so many messages is worth a write of its own.
const CREDIT_TO_SEND: u32 = 16;

/// A handle whose messages come by credit.
#[derive(Debug)]
pub(super) struct Stream {
    window: ReadAhead,
    reach: Reach,
    /// Terms of its gets, fixed by the first get, and the credit that carried them.
    terms: Option<(Terms, RequestNumber)>,
    /// Terms of the messages here that were sent for good, when the queue manager was told to stop or the
    /// link broke.
    left_by: Option<Terms>,
    /// Messages here, in order.
    buffer: Letters,
    /// Content of the last of them.
    seen: Box<DeltaReader>,
    /// Why no more come; with the length of the message that was too long.
    ended: Option<(Reason, u32)>,
    /// No more come, as was asked for: what is here is used up before messages are got another way.
    is_stopped: bool,
    /// Taken since credit was last granted.
    messages_taken: u32,
    bytes_taken: u32,
    /// The last delivery that was taken and is not yet confirmed.
    confirm: Option<u32>,
    /// Results of the last gets outside units of work.
    habit: Habit,
    /// True if the program is called with the messages that come: none is sent for good before it is taken.
    is_called: bool,
    /// A close with `MQCO_QUIESCE` came before these messages were taken: no more come.
    is_quiesced: bool,
}

/// Terms on which messages are got ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    flags: GetFlags,
    match_options: MatchOptions,
    bytes_max: u32,
    /// True if properties go to a message handle.
    has_handle: bool,
    /// Identifiers that the match options ask for: the rest of the descriptor holds values of the last
    /// message.
    ids: ([u8; 24], [u8; 24], [u8; 24]),
    sequence_number: Option<i32>,
    offset: Option<i32>,
    /// Encoding and character set that messages are converted to before they are sent.
    target: Option<(i32, i32)>,
}

impl Terms {
    pub(super) fn of(descriptor: &MessageDescriptor, options: &GetOptions, bytes_max: usize) -> Self {
        let matches = |option| options.match_options.contains(option);
        let asked = |option, id: [u8; 24]| if matches(option) { id } else { [0; 24] };
        Self {
            flags: options.flags,
            match_options: options.match_options,
            bytes_max: u32::try_from(bytes_max).unwrap_or(u32::MAX),
            has_handle: options.message_handle != MessageHandle::NONE,
            ids: (
                asked(MatchOptions::MATCH_MSG_ID, descriptor.message_id.0),
                asked(MatchOptions::MATCH_CORREL_ID, descriptor.correlation_id.0),
                asked(MatchOptions::MATCH_GROUP_ID, descriptor.group_id.0),
            ),
            sequence_number: matches(MatchOptions::MATCH_MSG_SEQ_NUMBER)
                .then_some(descriptor.message_sequence_number),
            offset: matches(MatchOptions::MATCH_OFFSET).then_some(descriptor.offset),
            target: options
                .flags
                .contains(GetFlags::CONVERT)
                .then(|| (descriptor.encoding.code(), descriptor.coded_character_set)),
        }
    }

    /// True if a get asks for a message by the identifiers in its descriptor.
    fn asks_for(&self, descriptor: &MessageDescriptor) -> bool {
        let found = (descriptor.message_id.0, descriptor.correlation_id.0, descriptor.group_id.0);
        let is_by_id = [(self.ids.0, found.0), (self.ids.1, found.1), (self.ids.2, found.2)]
            .iter()
            .all(|(asked, found)| *asked == [0; 24] || asked == found);
        is_by_id
            && self.sequence_number.is_none_or(|asked| asked == descriptor.message_sequence_number)
            && self.offset.is_none_or(|asked| asked == descriptor.offset)
    }

    /// True if these differ from others in no more than the length of the buffer.
    fn ask_alike(&self, others: &Self) -> bool {
        Self { bytes_max: others.bytes_max, ..self.clone() } == *others
    }

    /// True if a message that came for a buffer of another length may be given to a get with these.
    fn fit(&self, came: &Opened) -> bool {
        if came.length <= self.bytes_max {
            // What was cut off for a shorter buffer is not here.
            return came.warning != Some(Reason::TRUNCATED_MSG_ACCEPTED) || came.length == self.bytes_max;
        }
        // Cut, it is given as it is: neither converted, nor its properties parted from it.
        self.accept_truncated() && self.target.is_none() && came.for_handle == ForHandle::Nothing
    }

    fn accept_truncated(&self) -> bool {
        self.flags.contains(GetFlags::ACCEPT_TRUNCATED_MSG)
    }

    pub(super) fn is_in_unit(&self) -> bool {
        self.flags.contains(GetFlags::SYNCPOINT)
    }

    /// True if some messages got on these terms are in the unit of work.
    pub(super) fn may_be_in_unit(&self) -> bool {
        self.flags.intersects(GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT)
    }

    /// True if this message is in the unit of work.
    fn takes_into_unit(&self, descriptor: &MessageDescriptor) -> bool {
        let is_persistent = descriptor.persistence == Persistence::Persistent;
        self.is_in_unit() || self.flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT) && is_persistent
    }
}

impl Stream {
    fn new(window: ReadAhead) -> Self {
        Self {
            window,
            reach: Reach::default(),
            terms: None,
            left_by: None,
            buffer: Letters::default(),
            seen: Box::default(),
            ended: None,
            is_stopped: false,
            messages_taken: 0,
            bytes_taken: 0,
            confirm: None,
            habit: Habit::default(),
            is_called: false,
            is_quiesced: false,
        }
    }

    /// One whose program is called: its messages all are only reserved until they are taken.
    pub(super) fn that_calls(window: ReadAhead) -> Self {
        Self { is_called: true, ..Self::new(window) }
    }

    /// True if its messages come by this credit.
    pub(super) fn comes_by(&self, credit: RequestNumber) -> bool {
        self.terms.as_ref().is_some_and(|(_, request)| *request == credit)
    }

    /// True if there is a message to take, or word that none will come.
    pub(super) fn has_news(&self) -> bool {
        self.has_messages() || self.ended.is_some()
    }

    /// Nothing is here; for how many messages more to grant credit, if that is for want of it.
    pub(super) fn extend(&mut self) -> u32 {
        self.reach.extend(self.window)
    }

    /// Takes its deliveries out of the mailbox.
    pub(super) fn collect(&mut self, arrived: &mut Arrived, server: ObjectHandle) {
        self.reach.came(arrived.move_delivered(server, &mut self.buffer));
        if let Some((_, credit)) = &self.terms
            && let Some(ending) = arrived.take_ending(*credit)
        {
            self.ended = Some((ending.reason, ending.data_length));
        }
    }

    /// True if its messages come by these terms and go on coming: most gets find it so.
    fn flows_by(&self, terms: &Terms) -> bool {
        let is_at_an_end = self.is_stopped | self.is_quiesced | self.habit.gets_plainly;
        !is_at_an_end && self.terms.as_ref().is_some_and(|(agreed, _)| agreed == terms)
    }

    /// True if it was stopped and nothing of it is left.
    fn is_used_up(&self) -> bool {
        self.is_stopped && !self.has_news()
    }

    /// True if messages are here.
    pub(super) fn has_messages(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// Puts the first message in front that a get asks for, of those left behind a close that waits.
    fn choose(&mut self, terms: &Terms) -> Result<(), Reason> {
        let Self { buffer, seen, .. } = self;
        // One that cannot be read is chosen, to be found out.
        let is_asked_for =
            |frame: Frame<'_>| seen.read(&frame, u32::MAX).is_err() || terms.asks_for(seen.descriptor());
        let place = buffer.frames().position(is_asked_for);
        if let Some(place) = place {
            buffer.bring_forward(place);
            return Ok(());
        }
        Err(if self.buffer.is_empty() { Reason::HOBJ_QUIESCED_NO_MSGS } else { Reason::HOBJ_QUIESCED })
    }

    /// Shows of the first message, which came for a longer buffer, what fits of it. It stays the first.
    fn show_first(
        &self,
        opened: &Opened,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Got, Reason> {
        descriptor.clone_from(self.seen.descriptor());
        let body = self.buffer.body(opened);
        let got = Got {
            body: body.slice(..body.len().min(bytes_max)),
            data_length: opened.data_length as usize,
            warning: Some(Reason::TRUNCATED_MSG_FAILED),
            resolved_queue_name: opened.resolved_queue_name,
            message_token: opened.message_token,
        };
        let show = |body: &[u8]| borrow.take().into_iter().for_each(|borrow| borrow(body));
        got.returned_showing(descriptor, options, show)
    }

    /// The link broke: what was reserved is back on its queue; what was sent for good is still ours.
    pub(super) fn lose(&mut self, inbox: &Inbox, server: ObjectHandle) {
        let mut arrived = inbox.lock();
        self.collect(&mut arrived, server);
        arrived.forget(server);
        drop(arrived);
        self.buffer.retain(|frame| !is_reserved(frame));
        if let Some((terms, _)) = self.terms.take() {
            self.left_by = Some(terms);
        }
        self.begin_anew();
    }

    /// True if a get may be given messages that earlier gets asked for and left. It must ask in the same way;
    /// its buffer may differ as long as the message fits.
    fn may_use_up(&mut self, terms: &Terms) -> bool {
        let (false, Some(left_by)) = (self.buffer.is_empty(), &self.left_by) else { return true };
        let asks_alike = terms.ask_alike(left_by);
        self.first_is(|first| asks_alike && terms.fit(first))
    }

    /// True if a get like those before, but for the length of its buffer, is given what is here. One that
    /// would not have its message cut is shown what fits of it.
    fn may_give(&mut self, terms: &Terms) -> bool {
        !terms.accept_truncated() || self.first_is(|first| terms.fit(first))
    }

    /// True if a condition holds for the first message that is here. One that cannot be read is taken, to be
    /// found out.
    fn first_is(&mut self, condition: impl FnOnce(&Opened) -> bool) -> bool {
        match self.buffer.open(u32::MAX, &mut self.seen) {
            Ok(Some(first)) => condition(&first),
            Ok(None) | Err(_) => true,
        }
    }

    /// The next get grants credit from the start.
    fn begin_anew(&mut self) {
        self.terms = None;
        self.ended = None;
        self.is_stopped = false;
        self.confirm = None;
        (self.messages_taken, self.bytes_taken) = (0, 0);
        self.reach.end();
    }
}

impl Connection {
    /// Lets messages of a handle come before they are asked for, from its next get on.
    ///
    /// # Errors
    /// When the handle is not open for input.
    pub fn read_ahead(&mut self, handle: ObjectHandle, window: ReadAhead) -> Result<(), Reason> {
        let handle = self.handle(handle)?;
        if !super::verbs::gets(handle.options) {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        }
        let window = ReadAhead { messages: window.messages.max(1), bytes: window.bytes.max(1) };
        match &mut handle.stream {
            Some(stream) => {
                stream.window = window;
                stream.reach.messages = stream.reach.messages.min(window.messages);
            }
            None => handle.stream = Some(Stream::new(window)),
        }
        Ok(())
    }

    /// Gets on a handle with read-ahead; a reader is lent the body, where it can be.
    pub(super) fn get_ahead(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Got, Reason> {
        let terms = Terms::of(descriptor, options, bytes_max);
        // From the first wait on: most gets find their message here, and the clock costs as much as a good
        // part of one.
        let mut until = None;
        loop {
            if terms.is_in_unit() && self.unit.is_lost {
                return Err(Reason::BACKED_OUT);
            }
            let mut generation = self.generation;
            let (_, stream) = self.stream(handle)?;
            if !stream.flows_by(&terms) {
                let is_quiesced = stream.is_quiesced;
                if !is_quiesced && !terms.is_in_unit() && self.may_get_plainly(handle)? {
                    return self.get_by_habit(handle, descriptor, options, bytes_max, borrow);
                }
                if options.wait == Wait::No && self.stream(handle)?.1.is_used_up() {
                    self.leave_stopped(handle)?;
                    return self.get_plainly(handle, descriptor, options, bytes_max, borrow);
                }
                generation = self.generation;
                self.agree(handle, &terms, descriptor, options)?;
                if self.generation != generation {
                    continue;
                }
            }
            if let Some(got) = self.take(handle, descriptor, options, bytes_max, borrow)? {
                return Ok(got);
            }
            if self.generation != generation {
                continue;
            }
            // Between two units of work a program waits for a message, however much credit there is.
            let wants_more = !terms.is_in_unit() || self.unit.is_open;
            let (_, stream) = self.stream(handle)?;
            let more = if wants_more { stream.reach.extend(stream.window) } else { 0 };
            if more > 0 {
                self.grant(handle, more)?;
            }
            let limit = options.wait.limit();
            let deadline = *until.get_or_insert_with(|| limit.map(|limit| Instant::now() + limit));
            let waited = self.wait_for_delivery(handle, deadline);
            match waited {
                Ok(true) => {}
                // A message whose body is being read from disk is there, but not on its way: a get that does
                // not wait must still find it, unless something comes meanwhile after all.
                Ok(false) if options.wait == Wait::No => self.stop(handle)?,
                Ok(false) => return Err(Reason::NO_MSG_AVAILABLE),
                Err(_) => {
                    let had_unit = terms.is_in_unit() && self.unit.is_open;
                    self.reconnect()?;
                    if had_unit {
                        return Err(Reason::BACKED_OUT);
                    }
                }
            }
        }
    }

    /// True if this get is better made without read-ahead, which waits until what came ahead is used up.
    fn may_get_plainly(&mut self, handle: ObjectHandle) -> Result<bool, Reason> {
        if !self.stream(handle)?.1.habit.gets_plainly {
            return Ok(false);
        }
        let inbox = std::sync::Arc::clone(&self.inbox);
        let (server, stream) = self.stream(handle)?;
        if stream.terms.is_none() {
            return Ok(stream.buffer.is_empty());
        }
        stream.collect(&mut inbox.lock(), server);
        if stream.ended.is_some() {
            return Ok(false);
        }
        if !stream.is_stopped {
            self.stop(handle)?;
        }
        let is_used_up = self.stream(handle)?.1.is_used_up();
        if is_used_up {
            self.leave_stopped(handle)?;
        }
        Ok(is_used_up)
    }

    /// Has no more come, but leaves what came: that is taken from here. Given back it would come to others,
    /// and to this program again, after what others were given meanwhile.
    fn stop(&mut self, handle: ObjectHandle) -> Result<(), Reason> {
        let (server, _) = self.stream(handle)?;
        let asked = Request::Release { handle: server };
        let answer = self.ask(|output, conversation, number| {
            asked.encode(output.cork(), conversation, number, Flags::KEEPS);
        });
        match answer {
            Ok(Answer::Done) => {
                let inbox = std::sync::Arc::clone(&self.inbox);
                let (server, stream) = self.stream(handle)?;
                stream.collect(&mut inbox.lock(), server);
                stream.is_stopped = true;
                Ok(())
            }
            Ok(answer) => Err(super::administration::refusal(&answer)),
            // What was reserved is back on its queue.
            Err(_) => self.reconnect(),
        }
    }

    /// Leaves a stream that was stopped and is used up: the next get begins anew.
    fn leave_stopped(&mut self, handle: ObjectHandle) -> Result<(), Reason> {
        self.confirm_unit();
        self.stream(handle)?.1.begin_anew();
        Ok(())
    }

    /// A plain get, noting what it brings.
    fn get_by_habit(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Got, Reason> {
        let got = self.get_plainly(handle, descriptor, options, bytes_max, borrow)?;
        let (_, stream) = self.stream(handle)?;
        stream.habit.got(descriptor.persistence == Persistence::Persistent);
        self.pace.got();
        Ok(got)
    }

    /// Sees to it that the handle has credit for this kind of get.
    pub(super) fn agree(
        &mut self,
        handle: ObjectHandle,
        terms: &Terms,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<(), Reason> {
        let (_, stream) = self.stream(handle)?;
        if stream.is_quiesced {
            return stream.choose(terms);
        }
        if stream.is_used_up() {
            self.leave_stopped(handle)?;
        }
        let (_, stream) = self.stream(handle)?;
        match &stream.terms {
            Some((agreed, _)) if agreed == terms => return Ok(()),
            Some((agreed, _)) if terms.ask_alike(agreed) => {
                if !stream.is_stopped {
                    self.stop(handle)?;
                }
                // What was too long for the buffer before may fit this one.
                let (_, stream) = self.stream(handle)?;
                match stream.is_stopped && stream.has_messages() {
                    true if stream.may_give(terms) => return Ok(()),
                    true => self.release(handle)?,
                    false => self.leave_stopped(handle)?,
                }
            }
            Some(_) => self.release(handle)?,
            None => {}
        }
        let (server, stream) = self.stream(handle)?;
        // What was sent for good is outside units of work, whatever this get says, and may be what another
        // asked for.
        if !stream.may_use_up(terms) {
            return Err(Reason::OPTIONS_CHANGED);
        }
        let messages = stream.reach.begin(terms.is_in_unit(), stream.window);
        let bytes = stream.window.bytes;
        // What decides whether a message is in the unit of work is seen when it is taken.
        let is_called = stream.is_called && terms.is_in_unit();
        let reserves_all = stream.is_called || terms.flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
        let request = self.next_request();
        let number = self.number;
        // The queue manager waits for the next message without limit; how long a get waits is seen to here.
        let options = GetOptions { wait: Wait::Unlimited, ..options.clone() };
        let get = self.link.get(server, options, terms.bytes_max);
        let credit = Credit { handle: server, messages, bytes, terms: Some(get), reserves_all, is_called };
        // A broken link shows when the delivery is waited for.
        let _ = self.link.cork(|output| client::credit(output.cork(), number, request, &credit, descriptor));
        let (_, stream) = self.stream(handle)?;
        stream.terms = Some((terms.clone(), request));
        Ok(())
    }

    /// True if messages of a handle came ahead and are here.
    pub(super) fn has_ahead(&mut self, handle: ObjectHandle) -> bool {
        self.stream(handle).is_ok_and(|(_, stream)| stream.has_messages())
    }

    /// Gives back what came ahead, if anything may have, for a get that must find it on its queue.
    pub(super) fn give_back_ahead(&mut self, handle: ObjectHandle) -> Result<(), Reason> {
        let (_, stream) = self.stream(handle)?;
        match stream.terms.is_some() || stream.has_messages() {
            true => self.release(handle),
            false => Ok(()),
        }
    }

    /// Gives back what came and was not asked for, so that messages can be got another way.
    fn release(&mut self, handle: ObjectHandle) -> Result<(), Reason> {
        self.confirm_unit();
        let (server, _) = self.stream(handle)?;
        let answer = self.ask_plainly(&Request::Release { handle: server });
        let inbox = std::sync::Arc::clone(&self.inbox);
        let (server, stream) = self.stream(handle)?;
        stream.lose(&inbox, server);
        match answer {
            // What was sent for good cannot be given back: it must be used up first.
            Ok(_) if !stream.buffer.is_empty() => Err(Reason::OPTIONS_CHANGED),
            Ok(Answer::Done) => Ok(()),
            Ok(answer) => Err(super::administration::refusal(&answer)),
            Err(_) => self.reconnect(),
        }
    }

    /// A close waits for the messages that were sent for good: whether there are any. No more come.
    pub(super) fn quiesce_ahead(&mut self, handle: ObjectHandle) -> Result<bool, Reason> {
        if self.handle(handle)?.stream.is_none() {
            return Ok(false);
        }
        match self.release(handle) {
            Err(Reason::OPTIONS_CHANGED) => {
                self.stream(handle)?.1.is_quiesced = true;
                Ok(true)
            }
            released => released.map(|()| false),
        }
    }

    fn stream(&mut self, handle: ObjectHandle) -> Result<(ObjectHandle, &mut Stream), Reason> {
        let handle = self.handle(handle)?;
        let server = handle.server;
        handle.stream.as_mut().map(|stream| (server, stream)).ok_or(Reason::HOBJ_ERROR)
    }

    /// Takes the next message that is here; a reader is lent its body, where it can be.
    pub(super) fn take(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Option<Got>, Reason> {
        if !self.stream(handle)?.1.has_messages() {
            let inbox = std::sync::Arc::clone(&self.inbox);
            let (server, stream) = self.stream(handle)?;
            stream.collect(&mut inbox.lock(), server);
        }
        let message_bytes_max = self.link.limits().message_bytes_max;
        let (server, stream) = self.stream(handle)?;
        let mut opened = match stream.buffer.open(message_bytes_max, &mut stream.seen) {
            Ok(Some(opened)) => opened,
            Ok(None) => return self.take_ending(handle, options),
            Err(_) => {
                // The wait for the next delivery sees it.
                stream.buffer.clear();
                self.link.break_off();
                return Ok(None);
            }
        };
        let accepts_truncated = options.flags.contains(GetFlags::ACCEPT_TRUNCATED_MSG);
        if stream.is_stopped && opened.data_length as usize > bytes_max && !accepts_truncated {
            return stream.show_first(&opened, descriptor, options, bytes_max, borrow).map(Some);
        }
        stream.messages_taken += 1;
        stream.bytes_taken = stream.bytes_taken.saturating_add(opened.length);
        let is_in_unit =
            stream.terms.as_ref().is_some_and(|(terms, _)| terms.takes_into_unit(stream.seen.descriptor()));
        // Half a window before it runs out, so that the next messages are on their way meanwhile.
        let is_half_taken =
            stream.messages_taken > stream.reach.messages / 2 || stream.bytes_taken > stream.window.bytes / 2;
        let is_due = is_half_taken && !stream.is_quiesced && !stream.is_stopped;
        if !is_in_unit {
            stream.habit.got(opened.is_reserved);
        }
        let mut body = None;
        let stream = if !opened.is_reserved {
            stream
        } else if is_in_unit {
            stream.confirm = Some(opened.number);
            self.unit.is_open = true;
            self.stream(handle)?.1
        } else {
            body = Some(stream.buffer.take_body(&opened));
            if !self.confirm_now(server, opened.number)? {
                return Ok(None);
            }
            self.stream(handle)?.1
        };
        descriptor.clone_from(stream.seen.descriptor());
        // It came for a longer buffer.
        let is_cut = accepts_truncated
            && opened.for_handle == ForHandle::Nothing
            && opened.length as usize > bytes_max;
        if is_cut {
            opened.warning = Some(Reason::TRUNCATED_MSG_ACCEPTED);
        }
        let borrower = borrow.take_if(|_| body.is_none() && opened.may_be_lent() && !is_cut);
        let is_lent = borrower.is_some();
        let mut body = match (body, borrower) {
            (Some(body), _) => body,
            (None, None) => stream.buffer.take_body(&opened),
            (None, Some(borrow)) => {
                stream.buffer.lend_body(&opened, borrow);
                Bytes::new()
            }
        };
        if is_cut {
            body.truncate(bytes_max);
        }
        if is_due {
            self.grant(handle, 0)?;
        }
        self.pace.got();
        let got = self.filled(&opened, body, descriptor, options, &mut None)?;
        if is_lent {
            options.returned_length = i32::try_from(opened.length).unwrap_or(i32::MAX);
        }
        Ok(Some(got))
    }

    /// Nothing is here: word that nothing will come, if there is any.
    fn take_ending(&mut self, handle: ObjectHandle, options: &mut GetOptions) -> Result<Option<Got>, Reason> {
        let (_, stream) = self.stream(handle)?;
        match stream.ended.take() {
            // The conversation has ended, which the wait for the next delivery sees.
            Some((Reason::CONNECTION_BROKEN, _)) => {
                self.is_ended_there = true;
                Ok(None)
            }
            Some((reason, data_length)) => {
                stream.terms = None;
                if reason == Reason::TRUNCATED_MSG_FAILED {
                    options.returned_length = data_length as i32;
                }
                // A stream that begins anew, or is given up, gives back what was not confirmed to the one
                // before.
                self.confirm_unit();
                Err(reason)
            }
            None => Ok(None),
        }
    }

    /// Takes a message for good, before its program sees it; false when it went back with the link.
    fn confirm_now(&mut self, server: ObjectHandle, through: u32) -> Result<bool, Reason> {
        match self.ask_plainly(&Request::Confirm { handle: server, through }) {
            Ok(Answer::Done) => Ok(true),
            Ok(answer) => Err(super::administration::refusal(&answer)),
            Err(unanswered) => {
                self.reconnect()?;
                match unanswered {
                    // It is back on its queue, where the next get finds it.
                    Unanswered::NotDone => Ok(false),
                    Unanswered::Unknown => Err(Reason::CONNECTION_BROKEN),
                }
            }
        }
    }

    /// Grants what was taken, and so many messages more.
    pub(super) fn grant(&mut self, handle: ObjectHandle, more: u32) -> Result<(), Reason> {
        let number = self.number;
        let request = self.next_request();
        let (server, stream) = self.stream(handle)?;
        let messages = std::mem::take(&mut stream.messages_taken) + more;
        let bytes = std::mem::take(&mut stream.bytes_taken);
        // In a unit of work, or while messages are here, the program's next put or commit takes a little
        // credit along, and at the latest its next wait; much is given before they are used up.
        let is_in_unit = stream.terms.as_ref().is_some_and(|(terms, _)| terms.is_in_unit());
        let may_wait = (is_in_unit || !stream.buffer.is_empty()) && messages < CREDIT_TO_SEND;
        stream.reach.grant(messages);
        let credit =
            Credit { handle: server, messages, bytes, terms: None, reserves_all: false, is_called: false };
        let encode = |output: &mut Output| {
            client::credit(output.cork(), number, request, &credit, &MessageDescriptor::default());
        };
        // A broken link shows when the next delivery is waited for.
        let _ = if may_wait { self.link.cork(encode) } else { self.link.send(encode) };
        Ok(())
    }

    /// Waits until something came for the handle; false when nothing did.
    fn wait_for_delivery(
        &mut self,
        handle: ObjectHandle,
        deadline: Option<Instant>,
    ) -> Result<bool, Unanswered> {
        if self.is_ended_there {
            return Err(Unanswered::NotDone);
        }
        let link = std::sync::Arc::clone(&self.link);
        let inbox = std::sync::Arc::clone(&self.inbox);
        let Ok((server, stream)) = self.stream(handle) else {
            return Err(Unanswered::NotDone);
        };
        let mut look = |arrived: &mut Arrived| {
            stream.collect(arrived, server);
            (!stream.buffer.is_empty() || stream.ended.is_some()).then_some(())
        };
        let is_over = deadline.is_some_and(|deadline| deadline <= Instant::now());
        if !is_over {
            let waited = link.flush_soon().and_then(|()| link.wait_until(&inbox, deadline, &mut look));
            match waited {
                Ok(Some(())) => return Ok(true),
                Ok(None) => {}
                Err(_) => return Err(Unanswered::Unknown),
            }
        }
        // Behind the answer to this nothing is on its way any more.
        self.ask_plainly(&Request::Cancel { get: RequestNumber(0) })?;
        let Ok((server, stream)) = self.stream(handle) else {
            return Err(Unanswered::NotDone);
        };
        stream.collect(&mut inbox.lock(), server);
        Ok(!stream.buffer.is_empty() || stream.ended.is_some())
    }

    /// Corks word of what was taken into the unit of work, to go with what ends it.
    pub(super) fn confirm_unit(&mut self) {
        for place in 0..self.handles.len() {
            let Some(handle) = &mut self.handles[place] else {
                continue;
            };
            let server = handle.server;
            let Some(through) = handle.stream.as_mut().and_then(|stream| stream.confirm.take()) else {
                continue;
            };
            let (number, request) = (self.number, self.next_request());
            let _ = self.link.cork(|output| {
                Request::Confirm { handle: server, through }.encode(
                    output.cork(),
                    number,
                    request,
                    Flags::NO_REPLY,
                );
            });
        }
    }

    /// The unit of work was backed out: what was reserved went back too, and comes again in its order.
    pub(super) fn restart_unit_streams(&mut self) {
        for handle in self.handles.iter_mut().flatten() {
            if let Some(stream) = &mut handle.stream
                && stream.terms.as_ref().is_some_and(|(terms, _)| terms.may_be_in_unit())
            {
                stream.collect(&mut self.inbox.lock(), handle.server);
                stream.buffer.clear();
                stream.begin_anew();
            }
        }
    }
}
