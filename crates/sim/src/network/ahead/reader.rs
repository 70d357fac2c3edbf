//! A program that has messages come ahead of need, as clients do (`docs/internals/channel-protocol.md`,
//! Read-ahead).
//!
//! Always: it gets with the same options from its first message to its last, so that nothing but order
//! decides what it is given.

use std::collections::VecDeque;

use channel::client::{self, Credit, Get, Request};
use channel::{Flags, RequestNumber};
use mqi::{GetFlags, GetOptions, MessageDescriptor, Reason, Wait};
use platform::simulated::Random;
use testing::history::MessageIdentity;

use super::line::{CONVERSATION, Came, Line, Told};

/// A buffer that every message fits.
const LONG: u32 = 1 << 20;
/// One that some messages do not fit.
const SHORT: u32 = 3_000;
/// Most messages of a unit of work.
const UNIT_MAX: u64 = 6;

/// The fate of the messages that a stream has reserved when its program stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Stops {
    /// The program uses them up.
    Keep,
    /// They go back, and others may have been given later ones: the control.
    GiveBack,
}

/// One message that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) message: MessageIdentity,
    pub(super) priority: u8,
}

/// The thing that a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AwaitedReply {
    /// For the first of what came ahead to be taken.
    Confirm(Came),
    /// For the end of a stream.
    Stop,
    /// For the answer behind all that is on its way.
    Mark,
    Get,
    Commit,
}

/// A credit, and what came by it.
struct Stream {
    credit: RequestNumber,
    /// Granted and not yet come.
    left: u32,
    came: VecDeque<(u32, Came)>,
    is_stopped: bool,
    has_ended: bool,
}

pub(super) struct Reader {
    random: Random,
    stops: Stops,
    flags: GetFlags,
    asked: Option<(RequestNumber, AwaitedReply)>,
    stream: Option<Stream>,
    /// The last delivery that was taken into the unit of work and not confirmed.
    confirm: Option<u32>,
    /// Messages of the unit of work.
    in_unit: u64,
    pub(super) read: Vec<Read>,
    pub(super) stopped: u64,
    pub(super) kept: u64,
    pub(super) plain: u64,
    pub(super) ended: u64,
}

impl Reader {
    pub(super) fn new(mut random: Random, stops: Stops) -> Self {
        let flags = *random.pick(&[
            GetFlags::NO_SYNCPOINT,
            GetFlags::NO_SYNCPOINT,
            GetFlags::SYNCPOINT,
            GetFlags::SYNCPOINT_IF_PERSISTENT,
        ]);
        Self {
            random,
            stops,
            flags,
            asked: None,
            stream: None,
            confirm: None,
            in_unit: 0,
            read: Vec::new(),
            stopped: 0,
            kept: 0,
            plain: 0,
            ended: 0,
        }
    }

    pub(super) fn has_unit(&self) -> bool {
        self.in_unit > 0
    }

    pub(super) fn describe(&self) -> String {
        let stream = self.stream.as_ref().map(|stream| (stream.left, stream.came.len(), stream.is_stopped));
        format!("{:?}, {} read, waits for {:?}, stream {stream:?}", self.flags, self.read.len(), self.asked)
    }

    fn is_in_unit(&self, came: &Came) -> bool {
        self.flags.contains(GetFlags::SYNCPOINT)
            || self.flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT) && came.is_persistent
    }

    /// Makes the next call, unless it is in one.
    pub(super) fn act(&mut self, line: &mut Line) {
        if self.asked.is_some() {
            return;
        }
        if self.in_unit > 0 && (self.in_unit >= UNIT_MAX || self.random.percent(20)) {
            return self.commit(line);
        }
        let Some(stream) = &mut self.stream else {
            return if self.random.percent(30) { self.get(line) } else { self.begin(line) };
        };
        let is_empty = stream.came.is_empty();
        if !stream.is_stopped && !stream.has_ended && self.random.percent(5) {
            return self.stop(line);
        }
        if !is_empty {
            return self.take(line);
        }
        if stream.is_stopped || stream.has_ended {
            // Used up: gets are made another way, or it begins anew.
            self.confirm_unit(line);
            self.stream = None;
            if self.random.percent(60) {
                self.get(line);
            }
        } else if stream.left == 0 {
            let more = self.random.between(1, 8);
            self.grant(line, more);
        } else if self.random.percent(10) {
            let number = line.ask(&Request::Cancel { get: RequestNumber(0) }, Flags::NONE);
            self.asked = Some((number, AwaitedReply::Mark));
        } else if self.random.percent(10) {
            self.stop(line);
        }
    }

    fn begin(&mut self, line: &mut Line) {
        let messages = u32::try_from(self.random.between(1, 20)).expect("few");
        let bytes_max = if self.random.percent(25) { SHORT } else { LONG };
        let options = GetOptions::with(self.flags, Wait::Unlimited);
        let terms = Some(Get { handle: line.handle(), options, bytes_max });
        let reserves_all = self.flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT);
        let credit = self.credit(line, messages, terms, reserves_all);
        let came = VecDeque::new();
        self.stream = Some(Stream { credit, left: messages, came, is_stopped: false, has_ended: false });
    }

    fn grant(&mut self, line: &mut Line, more: u64) {
        let more = u32::try_from(more).expect("few");
        self.credit(line, more, None, false);
        if let Some(stream) = &mut self.stream {
            stream.left += more;
        }
    }

    fn credit(
        &mut self,
        line: &mut Line,
        messages: u32,
        terms: Option<Get>,
        reserves_all: bool,
    ) -> RequestNumber {
        let number = line.request();
        let handle = line.handle();
        let credit = Credit { handle, messages, bytes: 1 << 20, terms, reserves_all, is_called: false };
        let descriptor = MessageDescriptor::default();
        client::credit(line.output.cork(), CONVERSATION, number, &credit, &descriptor);
        number
    }

    fn stop(&mut self, line: &mut Line) {
        let flags = match self.stops {
            Stops::Keep => Flags::KEEPS,
            Stops::GiveBack => {
                self.confirm_unit(line);
                Flags::NONE
            }
        };
        let number = line.ask(&Request::Release { handle: line.handle() }, flags);
        self.stopped += 1;
        self.asked = Some((number, AwaitedReply::Stop));
    }

    /// Takes the first that came ahead.
    fn take(&mut self, line: &mut Line) {
        let Some(stream) = &mut self.stream else { return };
        let Some((number, came)) = stream.came.pop_front() else { return };
        self.kept += u64::from(stream.is_stopped);
        let may_grant = !stream.is_stopped && !stream.has_ended;
        if came.is_reserved && !self.is_in_unit(&came) {
            let request = Request::Confirm { handle: line.handle(), through: number };
            let asked = line.ask(&request, Flags::NONE);
            self.asked = Some((asked, AwaitedReply::Confirm(came)));
            return;
        }
        if came.is_reserved {
            self.confirm = Some(number);
            self.in_unit += 1;
        }
        self.note(came);
        if may_grant && self.random.percent(50) {
            self.grant(line, 1);
        }
    }

    fn get(&mut self, line: &mut Line) {
        let number = line.request();
        let options = GetOptions::with(self.flags, Wait::No);
        let get = Get { handle: line.handle(), options, bytes_max: LONG };
        client::get(line.output.cork(), CONVERSATION, number, &get, &MessageDescriptor::default());
        self.asked = Some((number, AwaitedReply::Get));
    }

    fn confirm_unit(&mut self, line: &mut Line) {
        if let Some(through) = self.confirm.take() {
            line.ask(&Request::Confirm { handle: line.handle(), through }, Flags::NO_REPLY);
        }
    }

    fn commit(&mut self, line: &mut Line) {
        self.confirm_unit(line);
        let number = line.ask(&Request::Commit { number: 0 }, Flags::NONE);
        self.asked = Some((number, AwaitedReply::Commit));
    }

    fn note(&mut self, came: Came) {
        self.read.push(Read { message: came.message, priority: came.priority });
    }

    /// Takes in what it is told. An error is something that no queue manager may say.
    pub(super) fn hear(&mut self, line: &mut Line, told: Told) -> Result<(), String> {
        match told {
            Told::Message { came, delivery: Some((number, credit)) } => {
                // What comes to an earlier credit is for nobody.
                if let Some(stream) = self.stream.as_mut().filter(|stream| stream.credit == credit) {
                    stream.left = stream.left.saturating_sub(1);
                    stream.came.push_back((number, came));
                } else {
                    return Err(format!("{came:?} came to {credit:?}, which is over"));
                }
            }
            Told::Message { came, delivery: None } => {
                self.answered(AwaitedReply::Get)?;
                self.plain += 1;
                self.in_unit += u64::from(self.is_in_unit(&came));
                self.note(came);
            }
            Told::Ended { credit, reason } => {
                if reason != Reason::TRUNCATED_MSG_FAILED {
                    return Err(format!("no more come to {credit:?}: {reason}"));
                }
                self.ended += 1;
                if let Some(stream) = self.stream.as_mut().filter(|stream| stream.credit == credit) {
                    stream.has_ended = true;
                }
            }
            Told::Answer(request, answer) => self.hear_answer(line, request, answer)?,
        }
        Ok(())
    }

    fn answered(&mut self, expected: AwaitedReply) -> Result<(), String> {
        match self.asked.take() {
            Some((_, asked)) if asked == expected => Ok(()),
            asked => Err(format!("the answer to {expected:?} while {asked:?} is under way")),
        }
    }

    fn hear_answer(
        &mut self,
        line: &mut Line,
        request: RequestNumber,
        answer: Result<(), Reason>,
    ) -> Result<(), String> {
        let asked = self.asked.take().filter(|(asked, _)| *asked == request);
        match (asked.map(|(_, asked)| asked), answer) {
            (Some(AwaitedReply::Confirm(came)), Ok(())) => {
                self.note(came);
                let stream = self.stream.as_ref();
                let may_grant = stream.is_some_and(|stream| !stream.is_stopped && !stream.has_ended);
                if may_grant && self.random.percent(50) {
                    self.grant(line, 1);
                }
            }
            (Some(AwaitedReply::Stop), Ok(())) => {
                if let Some(stream) = &mut self.stream {
                    stream.is_stopped = true;
                    if self.stops == Stops::GiveBack {
                        stream.came.retain(|(_, came)| !came.is_reserved);
                    }
                }
            }
            (Some(AwaitedReply::Mark), Ok(())) | (Some(AwaitedReply::Get), Err(Reason::NO_MSG_AVAILABLE)) => {
            }
            (Some(AwaitedReply::Commit), Ok(())) => self.in_unit = 0,
            (asked, answer) => return Err(format!("{answer:?} as the answer to {request:?}, {asked:?}")),
        }
        Ok(())
    }
}
