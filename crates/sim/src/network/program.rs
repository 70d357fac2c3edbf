//! A program: makes calls in frames, notes what it asked and was told, and comes back when its link breaks.
//!
//! Its unit of work is lost with the link; of a commit under way it asks, with its instance, whether it
//! stands (rule 24), and sometimes repeats it.

use std::collections::VecDeque;

use bytes::{Buf, Bytes, BytesMut};
use channel::client::{self, Get, Reply, Request, Target};
use channel::frame::FRAGMENT_BYTES;
use channel::{Conversation, Flags, Frame, Header, Hello, Kind, Output, RequestNumber};
use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, Priority, PutFlags, PutOptions, Reason, Wait,
};
use platform::simulated::Random;
use testing::history::{Action, Happening, Outcome, body};

use super::link::{Link, LinkId, PROGRAM, Protocol, take};
use super::party::{Goal, History, Party, Stage};
use super::plan::{Habits, QUEUES};

/// The longest message a program takes.
const BYTES_MAX: u32 = 1 << 20;
const CONVERSATION: Conversation = Conversation(1);

/// A call under way.
#[derive(Debug)]
struct PendingRequest {
    request: RequestNumber,
    /// Its number in the history, if it is there.
    call: u64,
    what: What,
    /// As much of a body as has arrived, and the length of the whole.
    arrived: Vec<u8>,
    length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Login,
    Begin,
    Open,
    Put {
        in_unit: bool,
    },
    Get {
        in_unit: bool,
    },
    Commit(Commit),
    /// A commit that is known to stand, asked for again.
    Repeat,
    Back,
    End,
}

/// A commit under way, or one whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Commit {
    number: u64,
    call: u64,
    /// True if anything in the unit outlives restarts.
    lasts: bool,
    /// Number of starts of the queue manager when the commit was asked for.
    restarts: u64,
}

/// A unit of work.
#[derive(Clone, Copy, Debug)]
struct Unit {
    number: u64,
    lasts: bool,
    /// The queue manager backed it out; the program has yet to agree.
    is_lost: bool,
    /// The queue manager backed it out, which the program has not heard of.
    is_revoked: bool,
}

impl Unit {
    /// True if it was undone at another moment than that of the backout that the program asks for, or brings
    /// about.
    fn is_undone(&self) -> bool {
        self.is_lost || self.is_revoked
    }
}

pub(super) struct Program {
    number: u32,
    habits: Habits,
    random: Random,
    stage: Stage,
    goal: Goal,
    link: Option<LinkId>,
    /// Number of times it has begun its conversation.
    generation: u64,
    input: BytesMut,
    output: Output,
    requests: u32,
    handles: Vec<ObjectHandle>,
    asked: VecDeque<PendingRequest>,
    unit: Option<Unit>,
    /// Commits whose answers were lost with links.
    doubts: Vec<Commit>,
    /// Backouts by the ends of links, in the history, not yet known to be over.
    undone: Vec<u64>,
    calls: u64,
    puts: u64,
    units: u64,
    commits: u64,
    /// Commits in doubt that turned out to stand, that did not, and that were repeated.
    resolved: [u64; 3],
}

impl Program {
    pub(super) fn new(number: u32, habits: Habits, random: Random, goal: Goal) -> Self {
        Self {
            number,
            habits,
            random,
            stage: Stage::Away,
            goal,
            link: None,
            generation: 0,
            input: BytesMut::new(),
            output: Output::default(),
            requests: 0,
            handles: Vec::new(),
            asked: VecDeque::new(),
            unit: None,
            doubts: Vec::new(),
            undone: Vec::new(),
            calls: 0,
            puts: 0,
            units: 0,
            commits: 0,
            resolved: [0; 3],
        }
    }

    fn instance(&self) -> [u8; 16] {
        let mut instance = [0x51; 16];
        instance[..4].copy_from_slice(&self.number.to_le_bytes());
        instance
    }

    fn next_call(&mut self, restarts: u64, history: &mut History) {
        let blocks = |asked: &PendingRequest| !matches!(asked.what, What::Put { .. } | What::Commit(_));
        if self.asked.iter().any(blocks) || self.asked.len() >= self.habits.pipeline {
            return;
        }
        if self.unit.is_some_and(|unit| unit.is_lost) {
            if self.asked.is_empty() {
                self.back(history);
            }
            return;
        }
        match self.goal {
            Goal::Work => self.work(restarts, history),
            Goal::Finish if self.unit.is_some() => self.commit(restarts, history),
            Goal::Finish if self.asked.is_empty() => {
                let request = self.send(&Request::End);
                self.expect(request, 0, What::End);
            }
            Goal::Finish => {}
            Goal::Drain(queue) => self.get(queue, false, Wait::No, history),
        }
    }

    fn work(&mut self, restarts: u64, history: &mut History) {
        let in_unit = self.random.percent(self.habits.in_units);
        if in_unit && self.unit.is_some() && self.random.percent(30) {
            if self.random.percent(75) {
                self.commit(restarts, history);
            } else if self.asked.is_empty() {
                self.back(history);
            }
            return;
        }
        let queue = self.random.index(QUEUES);
        if !self.random.percent(self.habits.gets) {
            return self.put(queue, in_unit, history);
        }
        // A getter waits for the answer, and for the answers before it.
        if self.asked.is_empty() {
            let wait = if self.random.percent(self.habits.waits) {
                Wait::Milliseconds(u32::try_from(self.random.between(20, 2_000)).expect("short"))
            } else {
                Wait::No
            };
            self.get(queue, in_unit, wait, history);
        }
    }

    fn put(&mut self, queue: usize, in_unit: bool, history: &mut History) {
        self.puts += 1;
        let length = if self.random.percent(self.habits.large) {
            self.random.between(66 << 10, 300 << 10)
        } else {
            *self.random.pick(&[16, 100, 2_000, 9_000])
        };
        let length = usize::try_from(length).expect("in memory");
        let (bytes, message) = body::make(self.number, self.puts, length);
        let persistent = self.random.percent(self.habits.persistent);
        let priority = *self.random.pick(&[4, 4, 4, 0, 9]);
        let unit = in_unit.then(|| self.in_unit(persistent));
        let queue_name = format!("Q{queue}");
        let action = Action::Put { queue: queue_name, message, priority, persistent, unit };
        let call = self.invoke(action, history);
        let descriptor = MessageDescriptor {
            persistence: if persistent { Persistence::Persistent } else { Persistence::NotPersistent },
            priority: Priority::new(priority),
            ..MessageDescriptor::default()
        };
        let flags = if in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let number = self.request();
        let header = Header::new(Kind::Put, CONVERSATION, number).with(Flags::NONE);
        let (target, options) = (Target::Handle(self.handles[queue]), PutOptions::with(flags));
        let out = &mut self.output;
        let mut rest =
            client::put(out, header, &target, &descriptor, &options, Bytes::from(bytes), FRAGMENT_BYTES);
        while !rest.is_empty() {
            client::fragment(out, CONVERSATION, number, &mut rest, FRAGMENT_BYTES);
        }
        self.expect(number, call, What::Put { in_unit });
    }

    fn get(&mut self, queue: usize, in_unit: bool, wait: Wait, history: &mut History) {
        let unit = in_unit.then(|| self.in_unit(false));
        let call = self.invoke(Action::Get { queue: format!("Q{queue}"), unit, selective: false }, history);
        let flags = if in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let options = GetOptions { match_options: MatchOptions::EMPTY, ..GetOptions::with(flags, wait) };
        let get = Get { handle: self.handles[queue], options, bytes_max: BYTES_MAX };
        let number = self.request();
        client::get(self.output.cork(), CONVERSATION, number, &get, &MessageDescriptor::default());
        self.expect(number, call, What::Get { in_unit });
    }

    fn commit(&mut self, restarts: u64, history: &mut History) {
        let Some(unit) = self.unit.take() else { return };
        self.commits += 1;
        let call = self.invoke(Action::Commit { unit: unit.number }, history);
        let request = self.send(&Request::Commit { number: self.commits });
        let commit = Commit { number: self.commits, call, lasts: unit.lasts, restarts };
        self.expect(request, call, What::Commit(commit));
    }

    fn back(&mut self, history: &mut History) {
        let Some(unit) = self.unit.take() else { return };
        // That the program agrees to what the queue manager did before is not when it was done.
        let call = match unit.is_undone() {
            true => 0,
            false => self.invoke(Action::Backout { unit: unit.number }, history),
        };
        let request = self.send(&Request::Back);
        self.expect(request, call, What::Back);
    }

    /// The number of the unit of work, which begins if there is none.
    fn in_unit(&mut self, lasts: bool) -> u64 {
        if self.unit.is_none() {
            self.units += 1;
        }
        let number = self.units;
        let unit = self.unit.get_or_insert(Unit { number, lasts: false, is_lost: false, is_revoked: false });
        unit.lasts |= lasts;
        unit.number
    }

    fn invoke(&mut self, action: Action, history: &mut History) -> u64 {
        self.calls += 1;
        history.note(self.number, self.calls, Happening::Invoke(action));
        self.calls
    }

    fn request(&mut self) -> RequestNumber {
        self.requests += 1;
        RequestNumber(self.requests)
    }

    fn send(&mut self, request: &Request<'_>) -> RequestNumber {
        let number = self.request();
        request.encode(self.output.cork(), CONVERSATION, number, Flags::NONE);
        number
    }

    fn expect(&mut self, request: RequestNumber, call: u64, what: What) {
        self.asked.push_back(PendingRequest { request, call, what, arrived: Vec::new(), length: 0 });
    }

    fn odd(&self, what: &str) -> String {
        format!("program {} was told {what}; {}", self.number, self.describe())
    }

    fn frame(&mut self, frame: &Frame<'_>, restarts: u64, history: &mut History) -> Result<(), String> {
        if frame.header.kind == Kind::Heartbeat {
            self.send(&Request::Heartbeat);
            return Ok(());
        }
        let Some(mut asked) = self.asked.pop_front() else {
            return Err(self.odd(&format!("{:?} without having asked", frame.header)));
        };
        if frame.header.kind == Kind::Welcome && asked.what == What::Login {
            let instance = self.instance();
            self.generation += 1;
            let request = self.send(&Request::Begin { instance, generation: self.generation, options: 0 });
            self.expect(request, 0, What::Begin);
            return Ok(());
        }
        if frame.header.request != asked.request {
            return Err(self.odd(&format!("{:?} instead of the answer to {asked:?}", frame.header)));
        }
        let mut descriptor = MessageDescriptor::default();
        let reply = Reply::decode(frame, BYTES_MAX, &mut descriptor);
        let reply = reply.map_err(|error| self.odd(&format!("{:?}: {error}", frame.header)))?;
        let lasts = descriptor.persistence == Persistence::Persistent;
        match (asked.what, reply) {
            (What::Begin, Reply::Begun { last_commit }) => self.begun(last_commit, restarts, history)?,
            (What::Repeat | What::Back, Reply::Done) | (What::Put { .. }, Reply::PutDone { .. }) => {
                self.ok(asked.call, Outcome::Done, history);
            }
            (What::Commit(_), Reply::Done) => self.ok(asked.call, Outcome::Done, history),
            (What::End, Reply::Done) => {
                Request::Disconnect.encode(
                    self.output.cork(),
                    Conversation::CONNECTION,
                    RequestNumber(0),
                    Flags::NONE,
                );
                self.stage = Stage::Gone;
            }
            (What::Open, Reply::Opened(opened)) => {
                self.handles.push(opened.handle);
                if self.handles.len() == QUEUES {
                    self.stage = Stage::Ready;
                }
            }
            (What::Get { in_unit }, Reply::Got(message)) => {
                asked.length = message.length as usize;
                asked.arrived = message.body.to_vec();
                if let Some(unit) = self.unit.as_mut().filter(|_| in_unit) {
                    unit.lasts |= lasts;
                }
                self.got(asked, history);
            }
            (What::Get { .. }, Reply::Fragment(part)) => {
                asked.arrived.extend_from_slice(part);
                self.got(asked, history);
            }
            (What::Get { .. }, Reply::Failed { reason: Reason::NO_MSG_AVAILABLE, .. }) => {
                self.ok(asked.call, Outcome::Empty, history);
                self.drained(history);
            }
            (what, Reply::Failed { reason, .. }) => self.failed(what, asked.call, reason, history)?,
            (what, reply) => return Err(self.odd(&format!("{reply:?} as the answer to {what:?}"))),
        }
        Ok(())
    }

    fn ok(&self, call: u64, outcome: Outcome, history: &mut History) {
        if call > 0 {
            history.note(self.number, call, Happening::Ok(outcome));
        }
    }

    fn got(&mut self, asked: PendingRequest, history: &mut History) {
        if asked.arrived.len() < asked.length {
            return self.asked.push_front(asked);
        }
        let outcome = body::identity(&asked.arrived).map_or(Outcome::Unrecognised, Outcome::Message);
        self.ok(asked.call, outcome, history);
    }

    fn drained(&mut self, history: &mut History) {
        let Goal::Drain(queue) = self.goal else { return };
        history.note(self.number, 0, Happening::Drained { queue: format!("Q{queue}") });
        self.goal = if queue + 1 < QUEUES { Goal::Drain(queue + 1) } else { Goal::Finish };
    }

    fn failed(&mut self, what: What, call: u64, reason: Reason, history: &mut History) -> Result<(), String> {
        let no_room = matches!(reason, Reason::STORAGE_MEDIUM_FULL | Reason::RESOURCE_PROBLEM);
        match what {
            What::Put { .. } if no_room => {}
            What::Put { in_unit: true } | What::Get { in_unit: true } if reason == Reason::BACKED_OUT => {
                if let Some(unit) = &mut self.unit {
                    unit.is_lost = true;
                }
            }
            What::Commit(_) if reason == Reason::BACKED_OUT => {}
            _ => return Err(self.odd(&format!("{reason} as the answer to {what:?}"))),
        }
        history.note(self.number, call, Happening::Fail(reason.to_string()));
        Ok(())
    }

    /// The conversation is this program's again: what its old link left is over, and what became of it is
    /// known.
    fn begun(&mut self, last: Option<u64>, restarts: u64, history: &mut History) -> Result<(), String> {
        for call in std::mem::take(&mut self.undone) {
            self.ok(call, Outcome::Done, history);
        }
        let mut repeats = None;
        for doubt in std::mem::take(&mut self.doubts) {
            if last.is_some_and(|last| doubt.number <= last) {
                self.ok(doubt.call, Outcome::Done, history);
                self.resolved[0] += 1;
                repeats = Some(doubt.number);
            } else if !doubt.lasts && restarts > doubt.restarts {
                // Nothing of it could outlive the restart, the knowledge of it neither.
                history.note(self.number, doubt.call, Happening::Unknown);
            } else {
                history.note(self.number, doubt.call, Happening::Fail("the link broke".to_owned()));
                self.resolved[1] += 1;
            }
        }
        if last.is_some_and(|last| last > self.commits) {
            return Err(self.odd(&format!("a commit {last:?} that it never asked for")));
        }
        if let Some(number) = repeats.filter(|_| self.random.percent(50)) {
            let request = self.send(&Request::Commit { number });
            self.expect(request, 0, What::Repeat);
            self.resolved[2] += 1;
        }
        self.handles.clear();
        for queue in 0..QUEUES {
            let name = format!("Q{queue}").parse().expect("a name");
            let (object, options) =
                (ObjectDescriptor::queue(name), OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
            let request = self.send(&Request::Open { object, options });
            self.expect(request, 0, What::Open);
        }
        Ok(())
    }
}

impl Party for Program {
    fn number(&self) -> u32 {
        self.number
    }

    fn protocol(&self) -> Protocol {
        Protocol::Channel
    }

    fn stage(&self) -> Stage {
        self.stage
    }

    fn link(&self) -> Option<LinkId> {
        self.link
    }

    fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
    }

    fn describe(&self) -> String {
        let asked: Vec<String> = self.asked.iter().map(|asked| format!("{:?}", asked.what)).collect();
        format!("program {} is {:?} to {:?}, waiting for {asked:?}", self.number, self.stage, self.goal)
    }

    fn connect(&mut self, link: LinkId) {
        self.link = Some(link);
        self.stage = Stage::Entering;
        let hello = Hello {
            instance: self.instance(),
            application: format!("{PROGRAM}{}", self.number),
            user: "simulation".to_owned(),
            process: self.number,
            ..Hello::default()
        };
        self.output.cork().extend_from_slice(&channel::preamble::MAGIC);
        hello.encode(self.output.cork());
        self.expect(RequestNumber(0), 0, What::Login);
    }

    fn turn(&mut self, link: &mut Link, restarts: u64, history: &mut History) {
        if self.stage == Stage::Ready {
            self.next_call(restarts, history);
        }
        let room = link.to_server.room();
        let bytes = take(&mut self.output, room);
        link.to_server.send(&bytes);
        if self.stage == Stage::Gone && self.output.is_empty() {
            link.close();
            self.link = None;
        }
    }

    fn hear(&mut self, bytes: &[u8], restarts: u64, history: &mut History) -> Result<(), String> {
        let mut input = std::mem::take(&mut self.input);
        input.extend_from_slice(bytes);
        loop {
            let decoded = Frame::decode(&input, BYTES_MAX).map_err(|error| self.odd(&error.to_string()))?;
            let Some(frame) = decoded else { break };
            let length = frame.bytes();
            self.frame(&frame, restarts, history)?;
            input.advance(length);
        }
        self.input = input;
        Ok(())
    }

    fn lose_link(&mut self, history: &mut History) {
        self.link = None;
        if self.stage == Stage::Gone {
            return;
        }
        self.stage = Stage::Away;
        self.input.clear();
        self.output.clear();
        for asked in std::mem::take(&mut self.asked) {
            match asked.what {
                What::Put { .. } | What::Get { .. } | What::Back if asked.call > 0 => {
                    history.note(self.number, asked.call, Happening::Unknown);
                }
                What::Commit(commit) => self.doubts.push(commit),
                _ => {}
            }
        }
        if let Some(unit) = self.unit.take().filter(|unit| !unit.is_undone()) {
            let call = self.invoke(Action::Backout { unit: unit.number }, history);
            self.undone.push(call);
        }
    }

    fn revoke(&mut self) {
        if let Some(unit) = &mut self.unit {
            unit.is_revoked = true;
        }
    }

    fn resolved(&self) -> [u64; 3] {
        self.resolved
    }
}
