//! The choice of requests that wait while the log runs short of room, and of those that go on meanwhile.
//!
//! A put that must be logged waits until there is room; a put that needs no log, because its message is
//! non-persistent, runs, in a unit of work or outside. A request in the same conversation behind a put that
//! waits, waits with it: requests of one conversation run in their order, so no message of one putter ever
//! overtakes another of the same priority on its queue, persistent or not, and a commit never overtakes a put
//! of its unit. For the same reason a put waits while the message of the one before it, in the same
//! conversation, is on its way to a getter without the log: that getter may end, and the message come back. A
//! program that wants its non-persistent messages, or its gets, to go on beside held-back puts uses another
//! conversation; one thread of calls per conversation does so anyway.
//!
//! A put that finds no room on a queue with FULLACT(HOLD) is kept until there is some (`holding`), and every
//! request of its conversation waits behind it.
//!
//! A put of a program that waits for its answer may wait some microseconds for a getter that is about to
//! come, and its message then goes over without the log (decision 0046). Nothing of it has happened until
//! then: its place in the order, and the end of its connection, are those of bytes that have not arrived.
//!
//! A request that ends the wait of a stream, or marks a place behind all, waits if another thread has decided
//! such a wait and has yet to leave its outcome: that thread may be preempted first, and the reactor has
//! others to serve. A backout does not wait: it ends the streams of its unit of work, whose messages are only
//! reserved and so go back.
//!
//! A command text waits while those of its user have no room beside it, and a request for counters or
//! figures until the answer to the one before was written: each may be long.
//!
//! The other conversations of the connection go on (rule 3): what waits is put aside, up to a bound. A
//! connection with one conversation, or beyond the bound, leaves it at the front of its input, so that no
//! more is read.

use bytes::{Buf, BytesMut};
use channel::client::{BranchCall, Put};
use channel::{Flags, Frame, Kind};

use super::conversation::{Conversation, put_target};
use super::{ClientConnection, Close, Number};

/// For what a request waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldBack {
    /// Room in the log.
    ForRoom,
    /// Room on the queue of the put before it in this conversation.
    ForPut(Number),
    /// The getter of the message put before it in this conversation.
    ForGetter(Number),
    /// A getter that is about to come, for some microseconds.
    ForExpected(Number),
    /// The outcome of a wait in this conversation that another thread has decided and is about to leave.
    ForOutcome(Number),
    /// Room for a command text of so many bytes, of which its user has too many under way.
    ForTexts(usize),
    /// The answer of the host to the request for counters or figures before it.
    ForHost,
    /// A frame that was put aside.
    Behind,
}

/// Most bytes of frames put aside on one connection: room for a few hundred messages of common size and for
/// one frame of any size, and little beside what a connection may have waiting as output.
const ASIDE_BYTES_MAX: usize = 1 << 20;

/// Fate of a frame that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameTurn {
    /// The frame runs now.
    Now,
    /// The frame was put aside.
    Aside,
}

impl ClientConnection {
    /// Says whether a frame has its turn now. One that has not is put aside, or left where it is: then
    /// `held_back` says for what it waits.
    pub(super) fn turn_of(&mut self, frame: &Frame<'_>, bytes: &[u8]) -> Option<FrameTurn> {
        let number = frame.header.conversation;
        let is_behind = self.conversation_at(number).is_some_and(|one| !one.aside.is_empty());
        // The last word of a connection is said behind all others.
        let is_last = frame.header.kind == Kind::Disconnect && (self.aside_bytes > 0 || self.held_puts > 0);
        let waits = match is_behind || is_last {
            true => Some(HeldBack::Behind),
            false => self.must_wait(frame),
        };
        let Some(why) = waits else { return Some(FrameTurn::Now) };
        let has_room = self.aside_bytes + bytes.len() <= ASIDE_BYTES_MAX;
        let has_neighbours =
            self.conversations.iter().flatten().filter(|one| one.connection.is_some()).nth(1).is_some();
        if !is_last
            && has_room
            && (has_neighbours || is_behind)
            && let Some(conversation) =
                self.conversations.get_mut(usize::from(number.0)).and_then(Option::as_mut)
        {
            conversation.aside.extend_from_slice(bytes);
            self.aside_bytes += bytes.len();
            return Some(FrameTurn::Aside);
        }
        self.held_back = Some(why);
        None
    }

    /// Runs puts and what was put aside, where they need not wait any more.
    pub(super) fn take_up(&mut self) -> Result<(), Close> {
        let mut left = self.limits.frames_per_call;
        for place in 1..self.conversations.len() {
            if self.aside_bytes == 0 && self.held_puts == 0 {
                return Ok(());
            }
            self.resume_held(place);
            let Some(conversation) = self.conversations[place].as_mut().filter(|one| !one.aside.is_empty())
            else {
                continue;
            };
            let mut aside = std::mem::take(&mut conversation.aside);
            let outcome = self.run_aside(&mut aside, &mut left);
            if let Some(conversation) = self.conversations[place].as_mut() {
                conversation.aside = aside;
            }
            outcome?;
        }
        Ok(())
    }

    fn run_aside(&mut self, aside: &mut BytesMut, left: &mut u32) -> Result<(), Close> {
        while *left > 0 && !self.is_full() {
            let Some(frame) = Frame::decode(aside, self.agreed.frame_bytes_max)? else { break };
            if self.must_wait(&frame).is_some() {
                break;
            }
            *left -= 1;
            let bytes = frame.bytes();
            self.run(&frame)?;
            aside.advance(bytes);
            self.aside_bytes -= bytes;
        }
        Ok(())
    }

    /// For what a request had better wait.
    fn must_wait(&mut self, frame: &Frame<'_>) -> Option<HeldBack> {
        let number = frame.header.conversation;
        if self.holds_put(number) {
            return Some(HeldBack::ForPut(number));
        }
        match frame.header.kind {
            Kind::Put | Kind::Put1 => {}
            Kind::Command => {
                let bytes = frame.payload.len();
                return (!self.command_room().takes_text(bytes)).then_some(HeldBack::ForTexts(bytes));
            }
            Kind::Statistics | Kind::Figures => {
                return self.awaits_host().then_some(HeldBack::ForHost);
            }
            // A branch that finds no room for its record is rolled back.
            Kind::Branch if BranchCall::prepares(frame.payload) => {
                return self.queue_manager.log().paces().then_some(HeldBack::ForRoom);
            }
            Kind::Release | Kind::Cancel | Kind::Close | Kind::Credit => {
                return self.awaits_outcome(frame).then_some(HeldBack::ForOutcome(number));
            }
            _ => return None,
        }
        if self.awaits_getter(number) {
            return Some(HeldBack::ForGetter(number));
        }
        if self.queue_manager.log().paces() && self.puts_to_log(frame) {
            return Some(HeldBack::ForRoom);
        }
        self.must_expect(frame).then_some(HeldBack::ForExpected(number))
    }

    /// Says whether a put had better wait for a getter that is about to come. Once that is over the put runs.
    fn must_expect(&mut self, frame: &Frame<'_>) -> bool {
        let number = frame.header.conversation;
        let Some(conversation) = self.conversation(number) else { return false };
        if let Some(expected) = &conversation.expected {
            let is_awaited = expected.is_awaited();
            if !is_awaited {
                conversation.expected = None;
            }
            return is_awaited;
        }
        // What comes before the put is looked at, so that a put to which this does not apply costs nothing.
        if !conversation.puts_wait
            || frame.header.flags.contains(Flags::NO_REPLY)
            || !self.queue_manager.log().waits_for_getters()
        {
            return false;
        }
        let read = self.puts_seen.read_put(frame, self.agreed.message_bytes_max);
        let Ok(Put { target, options, body, length }) = read else { return false };
        if body.len() < length as usize {
            return false;
        }
        let persistence = self.puts_seen.descriptor().persistence;
        let Some(conversation) = self.conversation(number) else { return false };
        let verbs = conversation.connection.as_ref();
        conversation.expected =
            verbs.and_then(|verbs| verbs.expects_getter(put_target(&target), persistence, options.flags));
        conversation.expected.is_some()
    }

    /// Says whether a put waits for a getter that is about to come.
    pub(super) fn has_expected(&self) -> bool {
        self.conversations.iter().flatten().any(|one| one.expected.is_some())
    }

    /// Says whether a message that this conversation put is on its way to a getter without the log.
    pub(super) fn awaits_getter(&self, number: Number) -> bool {
        let verbs = self.conversation_at(number).and_then(|one| one.connection.as_ref());
        verbs.is_some_and(|verbs| verbs.is_handing())
    }

    pub(super) fn conversation_at(&self, number: Number) -> Option<&Conversation> {
        self.conversations.get(usize::from(number.0)).and_then(Option::as_deref)
    }

    /// Says whether a put has something to log, as far as that is known before it is run. One that will be
    /// refused has not.
    fn puts_to_log(&mut self, frame: &Frame<'_>) -> bool {
        let read = self.puts_seen.read_put(frame, self.agreed.message_bytes_max);
        let Ok(Put { target, .. }) = read else { return false };
        let persistence = self.puts_seen.descriptor().persistence;
        let Some(verbs) =
            self.conversation(frame.header.conversation).and_then(|one| one.connection.as_ref())
        else {
            return false;
        };
        verbs.is_persistent(put_target(&target), persistence).unwrap_or(false)
    }
}
