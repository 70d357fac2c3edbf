//! Read-ahead: messages that come by credit before they are asked for.
//!
//! A stream asks for several messages at once, so far as its credit goes: it is given those that are there,
//! waits for them where there are none, and asks anew when they have come.
//!
//! Always: a message that may not be lost is only reserved until the client confirms that its application has
//! it; what was not confirmed goes back to its place when the unit of work is backed out, the handle is
//! released or the conversation ends.

use super::Sink;
use super::conversation::Conversation;
use super::pending::{Delivery, Pending};
use super::token::{STREAM_MAX, Wait};
use channel::client::{Credit, Get as Terms};
use channel::{Conversation as Number, Kind, Reply, RequestNumber};
use mqi::{GetFlags, MessageDescriptor, ObjectHandle, Reason};
use queue_manager::{
    Concluded, Connection, CreditUse, Gated, Get, GotMessage, Outcome, Reserve, Series, WaitToken,
};
use std::collections::VecDeque;
use std::sync::Arc;
use storage::Lsn;

/// Messages delivered before other connections have their turn, to within what one asks for at once.
pub(super) const DELIVERIES_PER_TURN: usize = 128;

/// Messages that one stream is given of a burst before another is: so many that waking its program is a small
/// part of what each costs, and so few that no program has long to work on them while others wait.
const BURST_MAX: u32 = 4;

/// Messages that one wait is for: so many that asking anew is a small part of what each costs, and so few
/// that they are soon sent where the connection has more output than it may.
const SERIES_MESSAGES_MAX: u32 = 32;

/// Bytes of bodies that one wait is for, to within the last.
const SERIES_BYTES_MAX: u64 = 64 * 1024;

/// Most handles of a conversation that messages come to by credit; as many as it may have open by default.
const STREAMS_MAX: usize = 256;

/// One handle that messages come to by credit.
pub(super) struct Stream {
    id: u16,
    pub(super) handle: ObjectHandle,
    /// The credit that began it; deliveries carry its number.
    request: RequestNumber,
    wanted: Arc<Wanted>,
    which: Reserve,
    /// Says whether what it takes is part of the unit of work.
    is_in_unit: bool,
    /// Says whether its program is called with each message: it has the first of a unit of work, as far as is
    /// known.
    is_called: bool,
    /// Says whether a get waits for the first message that comes, and nothing was confirmed since: its
    /// program has that one, as far as is known.
    is_first_awaited: bool,
    /// Messages the client still has room for.
    messages: u32,
    /// Bytes the client still has room for; one message may go beyond.
    bytes: i64,
    /// The number of the last delivery.
    number: u32,
    /// The wait for the next message.
    waiting: Option<WaitToken>,
    /// The number of the last delivery that this wait may bring.
    last_number: u32,
    /// Says whether that ends with the message that it has found and that is being read.
    is_concluding: bool,
    /// No more come, whatever credit is still on its way: the client was told so, or has asked for it.
    is_over: bool,
    /// Its wait is over, and the outcome is on its way.
    is_decided: bool,
    /// Messages that came since the last release.
    burst: u32,
    /// Deliveries that were not confirmed.
    reserved: VecDeque<(u32, WaitToken)>,
}

/// What a stream gets, which stays as it is.
struct Wanted {
    terms: Terms,
    descriptor: MessageDescriptor,
}

impl Stream {
    fn has_credit(&self) -> bool {
        self.messages > 0 && self.bytes > 0 && self.waiting.is_none() && !self.is_over
    }

    /// The name of the wait for the delivery of a number.
    fn token(&self, conversation: Number, number: u32) -> WaitToken {
        Wait::Delivery { conversation, stream: self.id, number }.token()
    }

    /// The waits for the next deliveries, as far as there is credit. Their numbers do not begin anew among
    /// them.
    fn series(&mut self, conversation: Number) -> Series {
        self.number = self.number.wrapping_add(1);
        let messages = self.messages.min(SERIES_MESSAGES_MAX).min((u32::MAX - self.number).max(1));
        self.last_number = self.number.saturating_add(messages - 1);
        let bytes = self.bytes.unsigned_abs().min(SERIES_BYTES_MAX);
        Series { token: self.token(conversation, self.number), messages, bytes }
    }

    /// Makes the reply of what came for the last number, and keeps the books of it.
    fn reply(&mut self, conversation: Number, mut outcome: Outcome<GotMessage>) -> Gated<Pending> {
        self.burst += 1;
        outcome.convert();
        let (request, handle, number) = (self.request, self.handle, self.number);
        let mut is_reserved = false;
        if let CreditUse::Message { bytes, is_persistent } = outcome.credit_use() {
            is_reserved = self.which == Reserve::All || is_persistent;
            if is_reserved {
                self.reserved.push_back((number, self.token(conversation, number)));
            }
            self.messages = self.messages.saturating_sub(1);
            self.bytes -= bytes as i64;
        } else {
            // The client hears of it with its next get and begins anew. One too long for the program's buffer
            // is still on its queue: it would come again and again.
            self.is_over = true;
        }
        let delivery = Delivery { handle, number, is_reserved };
        outcome.map(move |came| match came {
            Ok(message) if message.warning == Some(Reason::TRUNCATED_MSG_FAILED) => {
                let data_length = message.data_length as u32;
                let reply = Reply::Failed { reason: Reason::TRUNCATED_MSG_FAILED, data_length };
                Pending::Plain { kind: Kind::Delivered, request, reply }
            }
            Ok(message) => Pending::Delivered { request, delivery, message },
            Err(reason) => Pending::failed(Kind::Delivered, request, reason),
        })
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
        let Some(terms) = credit.terms else {
            let stream = self.streams.iter_mut().find(|stream| stream.handle == credit.handle);
            let stream = stream.ok_or(Reason::HOBJ_ERROR)?;
            stream.messages = stream.messages.saturating_add(credit.messages);
            stream.bytes = stream.bytes.saturating_add(i64::from(credit.bytes));
            return Ok(());
        };
        self.release_stream(credit.handle);
        if self.streams.len() >= STREAMS_MAX {
            return Err(Reason::RESOURCE_PROBLEM);
        }
        let browsing = GetFlags::BROWSE_FIRST
            | GetFlags::BROWSE_NEXT
            | GetFlags::BROWSE_MSG_UNDER_CURSOR
            | GetFlags::MSG_UNDER_CURSOR
            | GetFlags::LOGICAL_ORDER
            | GetFlags::COMPLETE_MSG
            | GetFlags::ALL_MSGS_AVAILABLE
            | GetFlags::ALL_SEGMENTS_AVAILABLE;
        let flags = terms.options.flags;
        let is_either = flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
        if flags.intersects(browsing) || is_either && !credit.reserves_all {
            return Err(Reason::OPTIONS_ERROR);
        }
        let is_in_unit = flags.contains(GetFlags::SYNCPOINT) || is_either;
        self.streams_begun = self.free_id();
        self.streams.push(Stream {
            id: self.streams_begun,
            handle: credit.handle,
            request,
            wanted: Arc::new(Wanted { terms, descriptor: descriptor.clone() }),
            which: if is_in_unit || credit.reserves_all { Reserve::All } else { Reserve::Persistent },
            is_in_unit,
            is_called: credit.is_called && !is_either,
            is_first_awaited: !credit.reserves_all,
            messages: credit.messages,
            bytes: i64::from(credit.bytes),
            number: 0,
            waiting: None,
            last_number: 0,
            is_concluding: false,
            is_over: false,
            is_decided: false,
            burst: 0,
            reserved: VecDeque::new(),
        });
        Ok(())
    }

    /// The number of the next stream. Of the fifteen bits of them, streams that are there hold few, some of
    /// them since the numbers last began anew: two that share one would share a wait.
    fn free_id(&self) -> u16 {
        let mut id = self.streams_begun;
        loop {
            id = (id + 1) & STREAM_MAX;
            if self.streams.iter().all(|stream| stream.id != id) {
                return id;
            }
        }
    }

    /// Says whether a stream has credit and is not waiting.
    pub(super) fn can_deliver(&self) -> bool {
        self.connection.is_some() && self.streams.iter().any(Stream::has_credit)
    }

    /// Gets for every stream with credit until it waits or `most` messages were got, and sends what it may at
    /// once; how many it got.
    pub(super) fn deliver(&mut self, most: usize, mut sink: Option<&mut Sink<'_>>) -> usize {
        let mut delivered = 0;
        for index in 0..self.streams.len() {
            while delivered < most && self.streams[index].has_credit() {
                match self.deliver_series(index, sink.as_deref_mut()) {
                    Some(got) => delivered += got,
                    None => return delivered,
                }
            }
            self.streams[index].burst = 0;
        }
        delivered
    }

    /// Gets the next message for every stream that was given one since the last release, up to a few for
    /// each.
    pub(super) fn go_on(&mut self) {
        for index in 0..self.streams.len() {
            while self.streams[index].has_credit() && (1..BURST_MAX).contains(&self.streams[index].burst) {
                if !self.deliver_next(index) {
                    return;
                }
            }
        }
    }

    /// Gets what is there for a stream, as much as one wait would bring, or has it wait; how many messages it
    /// got, or one. None when the conversation has ended.
    fn deliver_series(&mut self, index: usize, mut sink: Option<&mut Sink<'_>>) -> Option<usize> {
        let Self { connection, streams, replies, number, .. } = self;
        let (connection, stream) = (connection.as_mut()?, &mut streams[index]);
        let series = stream.series(*number);
        let (wanted, handle, which) = (Arc::clone(&stream.wanted), stream.handle, stream.which);
        let mut got = 1;
        let mut take = |outcome: Outcome<GotMessage>| {
            let reply = stream.reply(*number, outcome);
            replies.send_or_keep(reply, sink.as_deref_mut());
            stream.number = stream.number.wrapping_add(1);
            got += 1;
        };
        let Wanted { terms, descriptor } = &*wanted;
        let bytes_max = terms.bytes_max as usize;
        let asked = (series, which);
        match connection.reserve_series(handle, descriptor, &terms.options, bytes_max, asked, &mut take) {
            Get::Done(outcome) => {
                let reply = stream.reply(*number, outcome);
                replies.send_or_keep(reply, sink);
            }
            Get::Waiting => stream.waiting = Some(series.token),
        }
        Some(got)
    }

    /// Gets the next message for a stream that was just given one, or has it wait; false when the
    /// conversation has ended.
    fn deliver_next(&mut self, index: usize) -> bool {
        let Some(connection) = &mut self.connection else { return false };
        let stream = &mut self.streams[index];
        let series = stream.series(self.number);
        let (handle, which) = (stream.handle, stream.which);
        let Wanted { terms, descriptor } = &*stream.wanted;
        let bytes_max = terms.bytes_max as usize;
        match connection.reserve_next(handle, descriptor, &terms.options, bytes_max, series, which) {
            Get::Done(outcome) => {
                let reply = stream.reply(self.number, outcome);
                self.push(reply);
            }
            Get::Waiting => stream.waiting = Some(series.token),
        }
        true
    }

    /// A wait of a stream has brought something.
    pub(super) fn delivered(&mut self, id: u16, number: u32, outcome: Outcome<GotMessage>) {
        // A stream that was released meanwhile gave its message back when it cancelled the wait.
        let is_this = |stream: &&mut Stream| stream.id == id && stream.number == number;
        let Some(stream) = self.streams.iter_mut().find(is_this) else { return };
        (stream.waiting, stream.is_decided) = (None, false);
        let was_concluding = std::mem::take(&mut stream.is_concluding);
        // What it had found was gone when it was read: it waits anew.
        if was_concluding && outcome.credit_use() == CreditUse::Nothing {
            return self.answer_marks();
        }
        let waits_on = outcome.waits_on();
        let reply = stream.reply(self.number, outcome);
        if waits_on {
            stream.number = number.wrapping_add(1);
            stream.waiting = Some(stream.token(self.number, stream.number));
        }
        self.push(reply);
        self.answer_marks();
    }

    /// Has the waits of streams that have found a message end with it, and notes those that are over.
    pub(super) fn conclude_streams(&mut self) {
        let Some(connection) = &mut self.connection else { return };
        for stream in &mut self.streams {
            let Some(token) = stream.waiting else { continue };
            let concluded = connection.conclude(token);
            // One that was to end before may be over by now.
            stream.is_concluding &= concluded == Concluded::IsOver;
            stream.is_concluding |= concluded == Concluded::Reads;
            stream.is_decided = concluded == Concluded::IsOver;
        }
    }

    /// Returns true if a wait of a stream is over and its outcome has not come.
    pub(super) fn awaits_outcome(&self) -> bool {
        // The waits of a connection that was ended elsewhere are over without an outcome.
        self.streams.iter().any(|stream| stream.is_decided)
            && self.connection.as_ref().is_some_and(|connection| !connection.has_ended())
    }

    /// Answers the marks when nothing is being read for a stream.
    pub(super) fn answer_marks(&mut self) {
        if self.streams.iter().any(|stream| stream.is_concluding) {
            return;
        }
        for (kind, request) in std::mem::take(&mut self.marks) {
            self.push_free(Pending::done(kind, request));
        }
    }

    /// Answers a request behind all that streams are about to bring; refused when so many wait for that.
    pub(super) fn mark(&mut self, kind: Kind, request: RequestNumber, marks_max: usize) {
        if self.marks.len() >= marks_max {
            return self.push_failed(kind, request, Reason::RESOURCE_PROBLEM);
        }
        self.marks.push((kind, request));
        self.answer_marks();
    }

    /// The application has the messages up to `through`: into the unit of work with them, or out of the
    /// queue. How far the log must be for that to stand.
    pub(super) fn confirm(&mut self, handle: ObjectHandle, through: u32) -> Result<Lsn, Gated<Reason>> {
        let (Some(stream), Some(connection)) =
            (self.streams.iter_mut().find(|stream| stream.handle == handle), &mut self.connection)
        else {
            return Err(Gated::free(Reason::HOBJ_ERROR));
        };
        stream.is_first_awaited = false;
        let mut need = Lsn::ZERO;
        while let Some((number, token)) = stream.reserved.front()
            && through.wrapping_sub(*number) < u32::MAX / 2
        {
            let outcome = connection.take_reserved(*token);
            need = need.max(outcome.need());
            // One that failed is still reserved, and goes back with what follows it.
            let _taken = outcome.split().map_err(|reason| reason.and_needs(need))?;
            stream.reserved.pop_front();
        }
        Ok(need)
    }

    /// Stops the streams `chosen`; what they had reserved, the first first, to be given back. Completions
    /// must have been drained.
    pub(super) fn stop_streams(&mut self, chosen: impl Fn(&Stream) -> bool) -> Vec<WaitToken> {
        let mut reserved = Vec::new();
        let Some(connection) = self.connection.as_mut().filter(|_| !self.streams.is_empty()) else {
            return reserved;
        };
        let mut handles = Vec::new();
        for stream in self.streams.iter_mut().filter(|stream| chosen(stream)) {
            stream.messages = 0;
            stream.bytes = 0;
            (stream.is_concluding, stream.is_decided) = (false, false);
            reserved.extend(stream.reserved.drain(..).map(|(_, token)| token));
            if let Some(mut token) = stream.waiting.take() {
                // Matched just now, and perhaps the next as well; their completions will find no stream
                // waiting for them.
                while !connection.cancel(token) {
                    reserved.push(token);
                    let was_last = stream.number == stream.last_number;
                    stream.number = stream.number.wrapping_add(1);
                    if was_last {
                        break;
                    }
                    token = stream.token(self.number, stream.number);
                }
            }
            handles.push(stream.handle);
        }
        for handle in handles {
            self.replies.withdraw(move |pending| {
                matches!(pending, Pending::Delivered { delivery, .. }
                    if delivery.is_reserved && delivery.handle == handle)
            });
        }
        self.answer_marks();
        reserved
    }

    /// Gives back messages that stopped streams had reserved, first ones first: a getter that waits, or asks
    /// between two, gets the earliest that is back.
    fn give_back(&mut self, reserved: Vec<WaitToken>) {
        if let Some(connection) = &mut self.connection {
            reserved.into_iter().for_each(|token| connection.give_back(token));
        }
    }

    /// Has a stream get nothing more, and ends its wait, or notes that it is over. One that `keeps` gets what
    /// is being read for it.
    pub(super) fn end_wait(&mut self, handle: ObjectHandle, keeps: bool) {
        let stream = self.streams.iter_mut().find(|stream| stream.handle == handle);
        let (Some(stream), Some(connection)) = (stream, &mut self.connection) else { return };
        stream.is_over = true;
        let Some(token) = stream.waiting else { return };
        let ended = match keeps {
            true => connection.stop(token),
            false if connection.cancel(token) => Concluded::HasNothing,
            false => Concluded::IsOver,
        };
        match ended {
            Concluded::HasNothing => stream.waiting = None,
            Concluded::Reads => stream.is_concluding = true,
            Concluded::IsOver => stream.is_decided = true,
        }
    }

    /// Takes into the unit of work what its program has, as far as is known, though it never said so: for a
    /// conversation that ends without a word, so that a message which ends each program that gets it counts
    /// as backed out. A program that is called from several handles, or with a second message of its unit,
    /// says so before each call.
    pub(super) fn take_unconfirmed(&mut self) {
        let is_all_sent = self.replies.is_empty();
        let Some(connection) = self.connection.as_mut().filter(|_| is_all_sent) else { return };
        let called = self.streams.iter().filter(|stream| stream.is_called).count();
        let is_silent = called == 1 && !connection.has_unit();
        let has_first = |stream: &&mut Stream| stream.is_first_awaited || stream.is_called && is_silent;
        for stream in self.streams.iter_mut().filter(|stream| stream.is_in_unit).filter(has_first) {
            if let Some((_, token)) = stream.reserved.pop_front() {
                // One that cannot be taken goes back with the others.
                drop(connection.take_reserved(token));
            }
        }
    }

    /// Ends the stream of a handle.
    pub(super) fn release_stream(&mut self, handle: ObjectHandle) {
        let reserved = self.stop_streams(|stream| stream.handle == handle);
        self.give_back(reserved);
        self.streams.retain(|stream| stream.handle != handle);
    }

    /// Backs out the unit of work, and gives back what it has not taken, which came after what it has: so
    /// messages come again in their order. The client grants credit anew.
    pub(super) fn back_out(&mut self) -> Option<Outcome<()>> {
        let reserved = self.stop_streams(|stream| stream.is_in_unit);
        let outcome = self.connection.as_mut().map(Connection::back);
        self.give_back(reserved);
        outcome
    }
}
