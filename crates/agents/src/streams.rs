//! Messages that come by credit before they are asked for, under any protocol that grants the credit.
//!
//! Lives here: credit in, deliveries out, and the messages that are reserved meanwhile. Lives elsewhere: the
//! frames of both, and the requests that begin and end a stream (each agent).
//!
//! A stream asks for several messages at once, so far as its credit goes: it is given those that are there,
//! waits for them where there are none, and asks anew when they have come.
//!
//! Always: a message that may not be lost is only reserved until the client confirms that its application has
//! it; what was not confirmed goes back to its place when the unit of work is backed out, the handle is
//! released or the conversation ends.

use crate::gate::{self, Replies, Sink};
use mqi::{GetOptions, MessageDescriptor, ObjectHandle, Reason};
use queue_manager::{
    Ask, Concluded, Connection, CreditUse, Gated, Get, GetPurpose, GotMessage, Outcome, Reserve, Series,
    WaitToken,
};
use std::collections::VecDeque;
use std::sync::Arc;
use storage::Lsn;

/// Messages delivered before other connections have their turn, to within what one asks for at once.
pub(crate) const DELIVERIES_PER_TURN: usize = 128;

/// Messages that one stream is given of a burst before another is: so many that waking its program is a small
/// part of what each costs, and so few that no program has long to work on them while others wait.
const BURST_MAX: u32 = 4;

/// Messages that one wait is for: so many that asking anew is a small part of what each costs, and so few
/// that they are soon sent where the connection has more output than it may.
const SERIES_MESSAGES_MAX: u32 = 32;

/// Bytes of bodies that one wait is for, to within the last.
const SERIES_BYTES_MAX: u64 = 64 * 1024;

/// Bytes of bodies that wait to be sent beyond which a stream is given no more, to within the last.
pub(crate) const WAITING_BYTES_MAX: usize = 4 << 20;

/// Most handles of a conversation that messages come to by credit; as many as it may have open by default.
const STREAMS_MAX: usize = 256;

/// Streams are numbered in fifteen bits, and again from the start after so many.
pub(crate) const STREAM_MAX: u16 = 0x7FFF;

/// Names a delivery of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery {
    pub(crate) handle: ObjectHandle,
    pub(crate) number: u32,
    pub(crate) is_reserved: bool,
}

/// A reply that may bring a message which comes by credit.
pub(crate) trait Delivers: gate::Pending + Sized + 'static {
    /// The part of a reply that is the same for all deliveries of a stream.
    type Label: Copy + 'static;

    /// The name of the wait for a delivery.
    fn token(owner: Self::Owner, stream: u16, number: u32) -> WaitToken;

    /// The reply that brings what came.
    fn delivered(label: Self::Label, delivery: Delivery, came: Result<GotMessage, Reason>) -> Self;

    /// The delivery that it brings, if it is one.
    fn delivery(&self) -> Option<Delivery>;
}

/// Terms by which a stream gets; they stay as they are.
pub(crate) struct Wanted {
    pub(crate) options: GetOptions,
    pub(crate) bytes_max: usize,
    pub(crate) descriptor: MessageDescriptor,
}

/// A stream that begins.
pub(crate) struct Beginning<L> {
    pub(crate) handle: ObjectHandle,
    pub(crate) label: L,
    pub(crate) wanted: Wanted,
    pub(crate) which: Reserve,
    /// Says whether messages stay where they are; then nothing is reserved.
    pub(crate) browses: bool,
    /// Says whether what it takes is part of the unit of work.
    pub(crate) is_in_unit: bool,
    /// Says whether its program is called with each message: it has the first of a unit of work, as far as is
    /// known.
    pub(crate) is_called: bool,
    /// Says whether a get waits for the first message that comes.
    pub(crate) is_first_awaited: bool,
    pub(crate) messages: u32,
    pub(crate) bytes: u32,
}

/// One handle that messages come to by credit.
struct Stream<P: Delivers> {
    id: u16,
    handle: ObjectHandle,
    label: P::Label,
    wanted: Arc<Wanted>,
    which: Reserve,
    browses: bool,
    is_in_unit: bool,
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
    /// True if no more messages come, even for credit on its way: the client was told so, or has asked for
    /// it.
    is_over: bool,
    /// Its wait is over, and the outcome is on its way.
    is_decided: bool,
    /// Messages that came since the last release.
    burst: u32,
    /// Deliveries that were not confirmed, and those of a link that have not left.
    reserved: VecDeque<(u32, WaitToken)>,
}

impl<P: Delivers> Stream<P> {
    fn has_credit(&self) -> bool {
        self.messages > 0 && self.bytes > 0 && self.waiting.is_none() && !self.is_over
    }

    /// The name of the wait for the delivery of a number.
    fn token(&self, owner: P::Owner, number: u32) -> WaitToken {
        P::token(owner, self.id, number)
    }

    /// The purpose of its gets.
    fn purpose(&self) -> GetPurpose {
        if self.browses { GetPurpose::BrowseForLink } else { GetPurpose::Reserve(self.which) }
    }

    /// The waits for the next deliveries, as far as there is credit. Their numbers do not begin anew among
    /// them.
    fn series(&mut self, owner: P::Owner) -> Series {
        self.number = self.number.wrapping_add(1);
        let most = if self.browses { 1 } else { SERIES_MESSAGES_MAX };
        let messages = self.messages.min(most).min((u32::MAX - self.number).max(1));
        self.last_number = self.number.saturating_add(messages - 1);
        let bytes = self.bytes.unsigned_abs().min(SERIES_BYTES_MAX);
        Series { token: self.token(owner, self.number), messages, bytes }
    }

    /// Makes the reply of what came for the last number, converted where its getter asked for that, and keeps
    /// the books of it; notes the bytes of its body then. The outcome is changed where it lies here: a change
    /// before the call costs a copy of it.
    fn reply(
        &mut self,
        owner: P::Owner,
        mut outcome: Outcome<GotMessage>,
        body_bytes: &mut usize,
    ) -> Gated<P> {
        self.burst += 1;
        outcome.convert();
        *body_bytes = outcome.body_bytes();
        let (label, handle, number) = (self.label, self.handle, self.number);
        let mut is_reserved = false;
        if let CreditUse::Message { bytes, is_persistent } = outcome.credit_use() {
            is_reserved = !self.browses && self.which.sets_aside(is_persistent);
            // A link's client counts each delivery against its credit until it left.
            if is_reserved || matches!(self.which, Reserve::ForLink | Reserve::NoneForLink) {
                self.reserved.push_back((number, self.token(owner, number)));
            }
            self.messages = self.messages.saturating_sub(1);
            self.bytes -= bytes as i64;
        } else {
            // The client hears of it with its next get and begins anew. One too long for the program's buffer
            // is still on its queue: it would come again and again.
            self.is_over = true;
        }
        let delivery = Delivery { handle, number, is_reserved };
        outcome.map(move |came| P::delivered(label, delivery, came))
    }
}

/// The streams of one conversation (or link).
pub(crate) struct Streams<P: Delivers> {
    owner: P::Owner,
    streams: Vec<Stream<P>>,
    begun: u16,
    /// Replies that wait until no stream waits for a message that is being read any more.
    marks: Vec<P>,
}

impl<P: Delivers> Streams<P> {
    pub(crate) fn of(owner: P::Owner) -> Self {
        Self { owner, streams: Vec::new(), begun: 0, marks: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.streams.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }

    /// Begins a stream; the handle has none.
    pub(crate) fn begin(&mut self, beginning: Beginning<P::Label>) -> Result<(), Reason> {
        if self.streams.len() >= STREAMS_MAX {
            return Err(Reason::RESOURCE_PROBLEM);
        }
        self.begun = self.free_id();
        self.streams.push(Stream {
            id: self.begun,
            handle: beginning.handle,
            label: beginning.label,
            wanted: Arc::new(beginning.wanted),
            which: beginning.which,
            browses: beginning.browses,
            is_in_unit: beginning.is_in_unit,
            is_called: beginning.is_called,
            is_first_awaited: beginning.is_first_awaited,
            messages: beginning.messages,
            bytes: i64::from(beginning.bytes),
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

    /// Adds to what may come to a handle.
    pub(crate) fn add(&mut self, handle: ObjectHandle, messages: u32, bytes: u32) -> Result<(), Reason> {
        let stream = self.streams.iter_mut().find(|stream| stream.handle == handle);
        let stream = stream.ok_or(Reason::HOBJ_ERROR)?;
        stream.messages = stream.messages.saturating_add(messages);
        stream.bytes = stream.bytes.saturating_add(i64::from(bytes));
        Ok(())
    }

    /// Sets the number of messages that the only stream takes from now on; it goes on if its wait was ended.
    /// A wait for more than that is ended. Completions must have been drained.
    pub(crate) fn set_credit(&mut self, connection: &mut Connection, messages: u32) {
        let Some(stream) = self.streams.first_mut() else { return };
        let (handle, is_less) = (stream.handle, messages < stream.messages && stream.waiting.is_some());
        if is_less {
            self.end_wait(connection, handle, false);
        }
        if let Some(stream) = self.streams.first_mut() {
            (stream.messages, stream.bytes, stream.is_over) = (messages, i64::MAX, false);
        }
    }

    /// Returns the number of messages that are reserved.
    pub(crate) fn reserved(&self) -> usize {
        self.streams.iter().map(|stream| stream.reserved.len()).sum()
    }

    /// Takes the delivery of a number out of the books of the only stream, to be taken or given back; false
    /// where there is none.
    pub(crate) fn settle(&mut self, number: u32) -> bool {
        let Some(stream) = self.streams.first_mut() else { return false };
        let Some((first, _)) = stream.reserved.front() else { return false };
        let (first, far) = (*first, number.wrapping_sub(*first));
        let place = stream.reserved.partition_point(|(other, _)| other.wrapping_sub(first) < far);
        match stream.reserved.get(place) {
            Some((found, _)) if *found == number => stream.reserved.remove(place).is_some(),
            _ => false,
        }
    }

    /// The number of the next stream. Of the fifteen bits of them, streams that are there hold few, some of
    /// them since the numbers last began anew: two that share one would share a wait.
    fn free_id(&self) -> u16 {
        let mut id = self.begun;
        loop {
            id = (id + 1) & STREAM_MAX;
            if self.streams.iter().all(|stream| stream.id != id) {
                return id;
            }
        }
    }

    /// Says whether a stream has credit and is not waiting.
    pub(crate) fn have_credit(&self) -> bool {
        self.streams.iter().any(Stream::has_credit)
    }

    /// Gets for every stream with credit until it waits or `most` messages were got, and sends what it may at
    /// once; how many it got.
    pub(crate) fn deliver(
        &mut self,
        connection: &mut Connection,
        replies: &mut Replies<P>,
        most: usize,
        mut sink: Option<&mut Sink<'_, P>>,
    ) -> usize {
        let mut delivered = 0;
        for index in 0..self.streams.len() {
            while delivered < most && replies.bytes() <= WAITING_BYTES_MAX && self.streams[index].has_credit()
            {
                delivered += self.deliver_series(connection, replies, index, sink.as_deref_mut());
            }
            self.streams[index].burst = 0;
        }
        delivered
    }

    /// Gets the next message for every stream that was given one since the last release, up to a few for
    /// each.
    pub(crate) fn go_on(&mut self, connection: &mut Connection, replies: &mut Replies<P>) {
        for index in 0..self.streams.len() {
            while self.streams[index].has_credit()
                && replies.bytes() <= WAITING_BYTES_MAX
                && (1..BURST_MAX).contains(&self.streams[index].burst)
            {
                self.deliver_next(connection, replies, index);
            }
        }
    }

    /// Gets what is there for a stream, as much as one wait would bring, or has it wait; how many messages it
    /// got, or one.
    fn deliver_series(
        &mut self,
        connection: &mut Connection,
        replies: &mut Replies<P>,
        index: usize,
        mut sink: Option<&mut Sink<'_, P>>,
    ) -> usize {
        let owner = self.owner;
        let stream = &mut self.streams[index];
        let series = stream.series(owner);
        let (wanted, handle, purpose) = (Arc::clone(&stream.wanted), stream.handle, stream.purpose());
        let mut got = 1;
        let mut take = |outcome: Outcome<GotMessage>| {
            let mut bytes = 0;
            let reply = stream.reply(owner, outcome, &mut bytes);
            replies.send_or_keep(reply, bytes, sink.as_deref_mut());
            stream.number = stream.number.wrapping_add(1);
            got += 1;
        };
        let Wanted { options, bytes_max, descriptor } = &*wanted;
        let ask = Ask::new(handle, descriptor, options, *bytes_max, series);
        let last = connection.get(Ask { purpose, take: Some(&mut take), ..ask });
        match last {
            Get::Done(outcome) => {
                let mut bytes = 0;
                let reply = stream.reply(owner, outcome, &mut bytes);
                replies.send_or_keep(reply, bytes, sink);
            }
            Get::Waiting => stream.waiting = Some(series.token),
        }
        got
    }

    /// Gets the next message for a stream that was just given one, or has it wait.
    fn deliver_next(&mut self, connection: &mut Connection, replies: &mut Replies<P>, index: usize) {
        let stream = &mut self.streams[index];
        let series = stream.series(self.owner);
        let Wanted { options, bytes_max, descriptor } = &*stream.wanted;
        let ask = Ask::new(stream.handle, descriptor, options, *bytes_max, series);
        let next = connection.get(Ask { purpose: stream.purpose(), goes_on: !stream.browses, ..ask });
        match next {
            Get::Done(outcome) => {
                let mut bytes = 0;
                let reply = stream.reply(self.owner, outcome, &mut bytes);
                replies.push_body(reply, bytes);
            }
            Get::Waiting => stream.waiting = Some(series.token),
        }
    }

    /// A wait of a stream has brought something.
    pub(crate) fn delivered(
        &mut self,
        replies: &mut Replies<P>,
        id: u16,
        number: u32,
        outcome: Outcome<GotMessage>,
    ) {
        // A stream that was released meanwhile gave its message back when it cancelled the wait.
        let is_this = |stream: &&mut Stream<P>| stream.id == id && stream.number == number;
        let Some(stream) = self.streams.iter_mut().find(is_this) else { return };
        (stream.waiting, stream.is_decided) = (None, false);
        let was_concluding = std::mem::take(&mut stream.is_concluding);
        // What it had found was gone when it was read: it waits anew.
        if was_concluding && outcome.credit_use() == CreditUse::Nothing {
            return self.answer_marks(replies);
        }
        let waits_on = outcome.waits_on();
        let mut bytes = 0;
        let reply = stream.reply(self.owner, outcome, &mut bytes);
        if waits_on {
            stream.number = number.wrapping_add(1);
            stream.waiting = Some(stream.token(self.owner, stream.number));
        }
        replies.push_body(reply, bytes);
        self.answer_marks(replies);
    }

    /// Ends the waits of streams that have found a message, with that message, and notes those that are over.
    pub(crate) fn conclude(&mut self, connection: &mut Connection) {
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
    pub(crate) fn await_outcome(&self) -> bool {
        self.streams.iter().any(|stream| stream.is_decided)
    }

    /// Answers the marks when nothing is being read for a stream.
    pub(crate) fn answer_marks(&mut self, replies: &mut Replies<P>) {
        if self.streams.iter().any(|stream| stream.is_concluding) {
            return;
        }
        for mark in std::mem::take(&mut self.marks) {
            replies.push(Gated::free(mark));
        }
    }

    /// Forgets the marks: they are asked for anew, or not at all.
    pub(crate) fn forget_marks(&mut self) {
        self.marks.clear();
    }

    /// Answers a request behind all that streams are about to bring; refused when so many wait for that.
    pub(crate) fn mark(
        &mut self,
        replies: &mut Replies<P>,
        answer: P,
        marks_max: usize,
    ) -> Result<(), Reason> {
        if self.marks.len() >= marks_max {
            return Err(Reason::RESOURCE_PROBLEM);
        }
        self.marks.push(answer);
        self.answer_marks(replies);
        Ok(())
    }

    /// The application has the messages up to `through`: into the unit of work with them, or out of the
    /// queue. Returns the position that the log must reach for that to stand.
    pub(crate) fn confirm(
        &mut self,
        connection: &mut Connection,
        handle: ObjectHandle,
        through: u32,
    ) -> Result<Lsn, Gated<Reason>> {
        let Some(stream) = self.streams.iter_mut().find(|stream| stream.handle == handle) else {
            return Err(Gated::free(Reason::HOBJ_ERROR));
        };
        stream.is_first_awaited = false;
        let mut need = Lsn::ZERO;
        while let Some((number, token)) = stream.reserved.front()
            && through.wrapping_sub(*number) < u32::MAX / 2
        {
            let outcome = connection.take_reserved(*token, None);
            need = need.max(outcome.need());
            // One that failed is still reserved, and goes back with what follows it.
            let _taken = outcome.split().map_err(|reason| reason.and_needs(need))?;
            stream.reserved.pop_front();
        }
        Ok(need)
    }

    /// Stops the streams `chosen`; what they had reserved, the first first, to be given back. Completions
    /// must have been drained.
    fn stop(
        &mut self,
        connection: &mut Connection,
        replies: &mut Replies<P>,
        chosen: impl Fn(&Stream<P>) -> bool,
    ) -> Vec<WaitToken> {
        let mut reserved = Vec::new();
        if self.streams.is_empty() {
            return reserved;
        }
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
                    token = stream.token(self.owner, stream.number);
                }
            }
            handles.push(stream.handle);
        }
        for handle in handles {
            replies.withdraw(move |pending| {
                pending.delivery().is_some_and(|delivery| delivery.is_reserved && delivery.handle == handle)
            });
        }
        self.answer_marks(replies);
        reserved
    }

    /// Stops all of them, and forgets them. What they had reserved goes back with the end of the connection,
    /// behind that of the unit of work.
    pub(crate) fn end(&mut self, connection: &mut Connection, replies: &mut Replies<P>) {
        let _ = self.stop(connection, replies, |_| true);
        self.streams.clear();
    }

    /// Ends the gets of a stream and its wait, or notes that it is over. One that `keeps` still gets the
    /// message that is being read for it.
    pub(crate) fn end_wait(&mut self, connection: &mut Connection, handle: ObjectHandle, keeps: bool) {
        let stream = self.streams.iter_mut().find(|stream| stream.handle == handle);
        let Some(stream) = stream else { return };
        stream.is_over = true;
        let Some(token) = stream.waiting else { return };
        let ended = match keeps {
            true => connection.stop(token),
            false if connection.cancel(token) => Concluded::HasNothing,
            false => Concluded::IsOver,
        };
        match ended {
            Concluded::HasNothing => (stream.waiting, stream.is_concluding) = (None, false),
            Concluded::Reads => stream.is_concluding = true,
            Concluded::IsOver => stream.is_decided = true,
        }
    }

    /// Takes into the unit of work what its program has, as far as is known, though it never said so: for a
    /// conversation that ends without a word, so that a message which ends each program that gets it counts
    /// as backed out. A program that is called from several handles, or with a second message of its unit,
    /// says so before each call.
    pub(crate) fn take_unconfirmed(&mut self, connection: &mut Connection) {
        let called = self.streams.iter().filter(|stream| stream.is_called).count();
        let is_silent = called == 1 && !connection.has_unit();
        let has_first = |stream: &&mut Stream<P>| stream.is_first_awaited || stream.is_called && is_silent;
        for stream in self.streams.iter_mut().filter(|stream| stream.is_in_unit).filter(has_first) {
            if let Some((_, token)) = stream.reserved.pop_front() {
                // One that cannot be taken goes back with the others.
                drop(connection.take_reserved(token, None));
            }
        }
    }

    /// Ends the stream of a handle.
    pub(crate) fn release(
        &mut self,
        connection: &mut Connection,
        replies: &mut Replies<P>,
        handle: ObjectHandle,
    ) {
        let reserved = self.stop(connection, replies, |stream| stream.handle == handle);
        give_back(connection, reserved);
        self.streams.retain(|stream| stream.handle != handle);
    }

    /// Backs out the unit of work, and gives back what it has not taken, which came after what it has: so
    /// messages come again in their order. The client grants credit anew.
    pub(crate) fn back_out(&mut self, connection: &mut Connection, replies: &mut Replies<P>) -> Outcome<()> {
        let reserved = self.stop(connection, replies, |stream| stream.is_in_unit);
        let outcome = connection.back();
        give_back(connection, reserved);
        outcome
    }
}

/// Gives back messages that stopped streams had reserved, first ones first: a getter that waits, or asks
/// between two, gets the earliest that is back.
fn give_back(connection: &mut Connection, reserved: Vec<WaitToken>) {
    reserved.into_iter().for_each(|token| connection.give_back(token));
}
